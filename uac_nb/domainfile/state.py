"""What stands below the line of a domain file: collections, each with the places of its records in the text."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from uac_nb.domainfile.annotations import Choice, Scalar
from uac_nb.domainfile.definitions import Definitions
from uac_nb.domainfile.names import check_names
from uac_nb.domainfile.records import RecordType
from uac_nb.domainfile.text import Edit, Text
from uac_nb.domainfile.values import brief_source, read_record

Span = tuple[int, int]


@dataclass(frozen=True)
class Block:
    """One collection in the text: `start` lies behind "[", `end` before "]", and `spans` say where each record stands."""

    name: str
    type: RecordType
    start: int
    end: int
    records: tuple[Any, ...] = ()
    spans: tuple[Span, ...] = ()
    index: Mapping[str, int] = field(default_factory=dict)  # of a record, by id

    def moved(self, at: int, by: int) -> Block:
        """The block after the text from `at` on has moved."""
        if self.end < at:
            return self
        spans = self.spans
        if spans and spans[-1][1] > at:
            spans = tuple([span if span[1] <= at else (span[0] + by, span[1] + by) for span in spans])
        return replace(self, start=self.start + by if self.start > at else self.start, end=self.end + by, spans=spans)

    def gap(self, text: str, position: int) -> Span:
        """From the end of a record (-1: from the bracket) to the next, or to the closing bracket."""
        start = self.spans[position][1] if position >= 0 else self.start
        return start, self.spans[position + 1][0] if position + 1 < len(self.spans) else self.end


@dataclass(frozen=True)
class Joined:
    """A collection of a domain that outgrew one file, `[*purchases_2024, *purchases_2023]`: its parts, the newest first."""

    name: str
    type: RecordType
    parts: tuple[str, ...]


def blank(code: str) -> str:
    """The code with spaces in place of its comments."""
    return re.sub(r"#[^\n]*", lambda match: " " * len(match[0]), code)


class State:
    """Reads collections. Afterwards `blocks` holds them in the order of the file; findings go to those of the definitions.

    `package` is the name of a domain that has a folder: its collections may be `joined` from parts that it imports.
    """

    def __init__(self, text: Text, definitions: Definitions, package: str = "") -> None:
        self.text, self.definitions, self.package = text, definitions, package
        self.say, self.scope = definitions.say, definitions.scope
        self.blocks: dict[str, Block] = {}
        self.joined: dict[str, Joined] = {}
        self._parts: set[str] = set()
        self._lines: dict[str, int] = {}  # of an id

    def read(self, body: Sequence[ast.stmt]) -> None:
        for node in body:
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                    if kind := self._kind(name, annotation):
                        self._collection(name, kind, value, node.lineno)
                case ast.ImportFrom(module=str() as module, names=[ast.alias(name=name)]) if module == f"{self.package}.{name}":
                    self._parts.add(name)
                case _:
                    hint = "below the line stand only collections, as in trips: list[Trip] = [...]"
                    self.say(node.lineno, "state", f"{brief_source(node)} is no collection", hint)

    def _kind(self, name: str, annotation: ast.expr) -> RecordType | None:
        line = annotation.lineno
        kind = None
        match annotation:
            case ast.Subscript(value=ast.Name(id="list"), slice=ast.Name(id=of)):
                kind = self.scope.types.get(of)
        if kind is None:
            hint = f"write list[...] of a type above the line: {', '.join(self.scope.types) or 'there is none yet'}"
            self.say(line, "state", f"{name}: {ast.unparse(annotation)} is no list of records", hint)
        elif "id" not in kind.by_name or not isinstance(kind.by_name["id"].type, Scalar | Choice):
            self.say(line, "state", f"{name}: {kind.name} has no id", "add the field  id: str")
            return None
        return kind

    def _collection(self, name: str, kind: RecordType, value: ast.expr | None, line: int) -> None:
        self.definitions.found += check_names(collection=name, where=f"{self.definitions.where}:{line}")
        if name in self.blocks or name in self.joined:
            return self.say(line, "state", f"there are two collections {name!r}", "put their records into one")
        if not isinstance(value, ast.List):
            return self.say(line, "state", f"{name} is no list of records", f"write {name}: list[{kind.name}] = [...]")
        if self.package and value.elts and all(isinstance(item, ast.Starred) for item in value.elts):
            return self._join(name, kind, value)
        start, end = self.text.span(value)
        block = Block(name, kind, start + 1, end - 1)
        self.blocks[name] = self.records(block, value.elts)
        return None

    def _join(self, name: str, kind: RecordType, value: ast.List) -> None:
        parts = [ast.unparse(item).removeprefix("*") for item in value.elts]
        for part in dict.fromkeys(parts):
            if part not in self._parts:
                hint = f"add: from {self.package}.{part} import {part}"
                self.say(value.lineno, "import", f"{part}, which {name} holds, is not imported", hint)
            elif parts.count(part) > 1 or any(part in other.parts for other in self.joined.values()):
                self.say(value.lineno, "state", f"{part} stands in a list twice", "leave out one of them")
        self.joined[name] = Joined(name, kind, tuple(parts))

    def records(self, block: Block, nodes: list[ast.expr]) -> Block:
        """The block with the records that stand in it."""
        records: list[Any] = []
        spans: list[Span] = []
        index: dict[str, int] = {}
        for node in nodes:
            record = self._record(block, node)
            if record is None:
                continue
            if record.id in self._lines:
                hint = f"line {self._lines[record.id]} has it too; ids are unique"
                self.say(node.lineno, "id", f"the id {record.id!r} is taken", hint)
                continue
            self._lines[record.id] = node.lineno
            index[record.id] = len(records)
            records.append(record)
            spans.append(self.text.span(node))
        block = replace(block, records=tuple(records), spans=tuple(spans), index=index)
        if len(records) == len(nodes):
            self._brackets(block)
        return block

    def _record(self, block: Block, node: ast.expr) -> Any:
        kind = block.type
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == kind.name):
            self.say(
                node.lineno, "state", f"{brief_source(node)} is no {kind.name}", f"write out each record: {kind.name}(id=…)"
            )
            return None
        record, wrong = read_record(node, kind, self.scope)
        for refused in wrong:
            self.say(refused.line, refused.code, refused.message, refused.hint)
        return record

    def _brackets(self, block: Block) -> None:
        """Between records stand only commas and comments, so that one can be cut out or put in."""
        for position in range(-1, len(block.spans)):
            start, end = block.gap(self.text.text, position)
            gap = self.text.text[start:end]
            odd = "" if gap == ",\n    " else blank(gap).replace(",", " ", 1).strip()
            if odd:
                line = self.text.text.count("\n", 0, start + blank(gap).index(odd[0])) + 1
                self.say(line, "state", f"{odd} around a record", "leave out the brackets")


# --- edits of the text ---


def insertion(text: str, block: Block, pieces: Sequence[str]) -> tuple[list[Edit], tuple[Span, ...]]:
    """The edits that put rendered records at the end of a collection, and where those stand then."""
    after, end = block.gap(text, len(block.spans) - 1)
    gap = text[after:end]
    comma = [(after, after, ",")] if block.spans and "," not in blank(gap) else []
    if (newline := gap.rfind("\n")) >= 0 and not gap[newline + 1 :].strip():
        at, lead = after + newline + 1, ""
    else:
        at, lead = end, "\n"
    spans, position = [], at + len(comma) + len(lead)
    for piece in pieces:
        spans.append((position + 4, position + 4 + len(piece)))
        position += len(piece) + 6
    return [*comma, (at, at, lead + "".join(f"    {piece},\n" for piece in pieces))], tuple(spans)


def removal(text: str, block: Block, position: int) -> Edit:
    """The edit that takes a record out: with its comma, and its whole lines where nothing else stands on them."""
    start, end = block.spans[position]
    until = block.gap(text, position)[1]
    if (comma := blank(text[end:until]).find(",")) >= 0:
        end += comma + 1
    if len(block.spans) == 1 and not text[block.start : start].strip() and not text[end : block.end].strip():
        return block.start, block.end, ""  # an empty collection is []
    line = text.rfind("\n", 0, start) + 1
    rest = re.compile(r"[ \t]*(?:#[^\n]*)?\n").match(text, end)
    if rest and not text[line:start].strip():
        return line, rest.end(), ""
    return start, end + len(text[end:until]) - len(text[end:until].lstrip(" ")), ""
