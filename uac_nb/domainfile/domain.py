"""`Domain`: one file of a project, parsed and changed as text. It is never executed.

Everything that a change does not touch keeps its bytes. Records are added, replaced and removed by their places in the
text, without reading the rest again; a change of types (`evolve`) makes a new text, which is parsed anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from uac_nb.domainfile import evolve
from uac_nb.domainfile.amend import amended
from uac_nb.domainfile.definitions import Definitions
from uac_nb.domainfile.parts import with_imports
from uac_nb.domainfile.records import RecordType, is_record, type_of
from uac_nb.domainfile.render import STEP, render_record
from uac_nb.domainfile.reread import reread
from uac_nb.domainfile.state import Block, State, insertion, removal
from uac_nb.domainfile.text import STATE, Edit, Text, quiet, splice, state_line, tree
from uac_nb.domainfile.words import did_you_mean, quoted
from uac_nb.errors import CheckError, Diagnostic


@dataclass(frozen=True)
class Collection:
    name: str
    type: RecordType


@dataclass(frozen=True)
class Domain:
    """A domain file. Immutable: each change answers with a new one."""

    name: str
    text: str
    doc: str
    types: Mapping[str, RecordType]
    blocks: Mapping[str, Block] = field(repr=False)
    known: Mapping[str, RecordType] = field(repr=False, compare=False, default_factory=dict)
    head: int = field(repr=False, default=0)  # the offset of the line below which the values stand
    uses: Mapping[str, RecordType] = field(repr=False, compare=False, default_factory=dict)  # of `known`, what it imports

    @classmethod
    def parse(cls, name: str, text: str, known: Mapping[str, RecordType] = {}, like: Domain | None = None) -> Domain:
        """Read a file; `known` are the types of other domains, by name. Raise CheckError with all that is wrong.

        A record without `source` gets an empty one: a person need not cite. `like` is the file as it was before an edit:
        the lines that are as they were are not read again.
        """
        if like and like.name == name and (again := reread(like, text, known)) is not None:
            return replace(like, text=text, blocks=MappingProxyType(again), known=known)
        parts, _ = read(name, text, known, f"{name}.py")
        return cls(**parts)

    @classmethod
    def new(cls, name: str, doc: str) -> Domain:
        """An empty file of that name with its docstring."""
        return cls.parse(name, f'""{quoted(doc)}""\n\n{STATE}\n')

    # --- what it holds ---

    @property
    def tail(self) -> int:
        """The offset behind the collections that stand in this file."""
        return len(self.text)

    @property
    def path(self) -> str:
        """The file, in the project's folder."""
        return f"{self.name}.py"

    @property
    def files(self) -> Mapping[str, str]:
        """All its files: path and text."""
        return {self.path: self.text}

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """A hash of each of its files, by path."""
        return {self.path: sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()}

    @cached_property
    def collections(self) -> Mapping[str, Collection]:
        return {name: Collection(name, block.type) for name, block in self.blocks.items()}

    @property
    def definitions(self) -> str:
        """The text above the line: what the sealed process loads."""
        return self.text[: self.head]

    def records(self, collection: str) -> tuple[Any, ...]:
        return self._block(collection).records

    def find(self, id: str) -> Any | None:
        """The record with that id, None where there is none."""
        return next((block.records[block.index[id]] for block in self.blocks.values() if id in block.index), None)

    def collection_of(self, id: str) -> str:
        """The name of the collection that holds a record. Raise CheckError where none does."""
        return self._place(id)[0].name

    def path_of(self, id: str) -> str:
        """The file in which a record stands. Raise CheckError where there is none."""
        self._place(id)
        return self.path

    def ids(self) -> Iterator[str]:
        for block in self.blocks.values():
            yield from block.index

    def cached(self, before: Domain | None) -> Iterator[Domain]:
        """Those of its files that are worth a place in the cache, and are not as they were before."""
        if before is None or before.text != self.text:
            yield self

    def ids_beside(self, old: Domain | None) -> Iterator[str]:
        """The ids in files that are not as they were in `old`."""
        return self.ids()

    def reads_as(self, text: str, known: Mapping[str, RecordType]) -> bool:
        """Whether a text, under these types, would be read as this is."""
        return self.text == text and all(known.get(name) == kind for name, kind in self.uses.items())

    def carried(self, known: Mapping[str, RecordType]) -> Domain | None:
        """The same file under types that only grew, without reading it again; None where they did not only grow."""
        if any(b.type.name in self.types for b in self.blocks.values()) or not all(
            name in known and known[name].grown_from(kind) for name, kind in self.uses.items()
        ):
            return None
        uses = {name: known[name] for name in self.uses}
        blocks = {
            b.name: replace(b, type=uses[b.type.name], records=tuple(uses[b.type.name].carry(b.records)))
            for b in self.blocks.values()
        }
        return replace(self, blocks=MappingProxyType(blocks), known=known, uses=uses)

    def line_of(self, id: str) -> int:
        """The line on which a record begins. Raise CheckError where there is none."""
        block, position = self._place(id)
        return self.text.count("\n", 0, block.spans[position][0]) + 1

    # --- changes of records ---

    def add(self, collection: str, *records: Any) -> Domain:
        """Put records at the end of a collection. Raise CheckError for a wrong type, a wrong value, or an id that is taken."""
        block = self._block(collection)
        if (ready := self._importing(block.type)) is not self:
            return ready.add(collection, *records)
        ids = {record.id for record in records if self._fits(record, block)}
        taken = next((id for id in ids if self.find(id) is not None), None)
        if taken is not None or len(ids) < len(records):
            raise self._refused("id", f"the id {taken or records[0].id!r} is taken", "choose another one, or amend the record")
        edits, spans = insertion(self.text, block, [render_record(record, indent=STEP) for record in records])
        index = {**block.index, **{record.id: len(block.records) + i for i, record in enumerate(records)}}
        added = replace(block, records=(*block.records, *records), index=index)
        changed = self._spliced(added, edits)
        placed = replace(changed.blocks[collection], spans=(*block.spans, *spans))
        return changed._with(placed)

    def replace(self, record: Any) -> Domain:
        """Put a record in the place of that with its id. Raise CheckError where there is none, or it does not fit."""
        block, position = self._place(record.id)
        if (ready := self._importing(block.type)) is not self:
            return ready.replace(record)
        self._fits(record, block)
        if block.records[position] == record:
            return self
        start, end = block.spans[position]
        new = amended(self.text[start:end], block.records[position], record)
        records = (*block.records[:position], record, *block.records[position + 1 :])
        changed = self._spliced(replace(block, records=records), [(start, end, new)])
        spans = changed.blocks[block.name].spans
        spans = (*spans[:position], (start, start + len(new)), *spans[position + 1 :])
        return changed._with(replace(changed.blocks[block.name], spans=spans))

    def remove(self, id: str) -> Domain:
        """Take a record out, with the comment behind it. Raise CheckError where there is none."""
        block, position = self._place(id)
        records = (*block.records[:position], *block.records[position + 1 :])
        spans = (*block.spans[:position], *block.spans[position + 1 :])
        index = {record.id: i for i, record in enumerate(records)}
        return self._spliced(replace(block, records=records, spans=spans, index=index), [removal(self.text, block, position)])

    def headed(self, head: str) -> Domain:
        """With another text above the line, which imports what this one does, and more."""
        by = len(head) - self.head
        blocks = {name: block.moved(0, by) for name, block in self.blocks.items()}
        return replace(self, text=head + self.text[self.head :], head=len(head), blocks=MappingProxyType(blocks))

    def _importing(self, kind: RecordType) -> Domain:
        """With the imports that records of a type may need when they hold ones of other files."""
        head = with_imports(self.definitions, self.name, kind)
        return self if head == self.definitions else self.headed(head)

    def _spliced(self, block: Block, edits: Sequence[Edit]) -> Domain:
        at, by = min(edit[0] for edit in edits), sum(len(new) - (end - start) for start, end, new in edits)
        blocks = {**self.blocks, block.name: block}
        moved = {name: b.moved(at, by) for name, b in blocks.items()}
        return replace(self, text=splice(self.text, edits), blocks=MappingProxyType(moved))

    def _with(self, block: Block) -> Domain:
        return replace(self, blocks=MappingProxyType({**self.blocks, block.name: block}))

    # --- changes of types ---

    def define(self, collection: str, text: str, starter: str | None = None) -> Domain:
        """Add the class in `text`, the imports it needs, and an empty collection of it.

        Of several classes the last is that of the collection. `starter` marks it as copied from that type of ours.
        """
        if collection in self.collections:
            raise self._refused("state", f"there is a collection {collection!r} already", "add to it, or extend its type")
        return self._parsed(evolve.define(self, collection, text, starter))

    def extend(
        self,
        type_name: str,
        fields: Iterable[tuple[str, str, str]] = (),
        choices: Mapping[str, Sequence[str]] = {},
        comments: Mapping[str, str] = {},
    ) -> Domain:
        """Add fields (name, annotation, default as source) before `source`, and choices to fields that are a Literal.

        `comments` are what stands behind the new fields, by their names.
        """
        return self._parsed(evolve.extend(self, type_name, tuple(fields), choices, comments))

    def _parsed(self, text: str) -> Domain:
        return Domain.parse(self.name, text, self.known)

    # --- refusals ---

    def _block(self, collection: str) -> Block:
        if collection not in self.blocks:
            hint = did_you_mean(collection, self.collections) or f"it has {', '.join(self.collections) or 'none yet'}"
            raise self._refused("state", f"{self.name} has no collection {collection!r}", hint)
        return self.blocks[collection]

    def _place(self, id: str) -> tuple[Block, int]:
        for block in self.blocks.values():
            if id in block.index:
                return block, block.index[id]
        hint = did_you_mean(id, (other for other in self.ids() if other[:2] == id[:2]))
        raise self._refused("id", f"{self.name} has no record {id!r}", hint)

    def _fits(self, record: Any, block: Block) -> bool:
        if not is_record(record) or type_of(record) != block.type:
            raise self._refused(
                "type", f"{type(record).__name__} where {block.type.name} belongs", f"build it with {block.type.name}"
            )
        for f in block.type.fields:
            if not f.accepts(value := getattr(record, f.name)):
                raise self._refused("value", f"{record.id}: {f.name} cannot be {value!r}", f"its type is {f.type}")
        return True

    def _refused(self, code: str, message: str, hint: str = "") -> CheckError:
        return CheckError(Diagnostic(code, self.path, message, hint))


def read(name: str, text: str, known: Mapping[str, RecordType], where: str, package: str = "") -> tuple[dict[str, Any], State]:
    """The attributes of the domain in a text, and its state as it was read. Raise CheckError with all that is wrong."""
    source = Text(text)
    module = tree(text, where)
    line = state_line(text, module, where)
    definitions = Definitions(name, source, known, where)
    with quiet(where):
        definitions.read([node for node in module.body if node.lineno < line])
        definitions.check()  # with a wrong type, what is said of its records would mislead
        state = State(source, definitions, package)
        state.read([node for node in module.body if node.lineno > line])
        definitions.check()
    attributes = {
        "name": name, "text": text, "doc": definitions.doc, "types": MappingProxyType(definitions.types),
        "blocks": MappingProxyType(state.blocks), "known": known, "head": source.line(line)[0], "uses": definitions.uses,
    }  # fmt: skip
    return attributes, state
