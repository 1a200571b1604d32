"""The text of a domain that outgrew one file: its parts by period, and the lines of `__init__` that join them.

money/__init__.py          types, small collections, the imports of the parts, purchases = [*purchases_2024, …]
money/purchases_2024.py    at most `MOST` records a file; the next one is purchases_2024_2
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from uac_nb.domainfile.annotations import Nested, Scalar, parts
from uac_nb.domainfile.imports import IMPORTS, Imports, add_imports
from uac_nb.domainfile.records import NOTE, RecordType
from uac_nb.domainfile.render import WIDTH
from uac_nb.domainfile.state import Block, blank
from uac_nb.domainfile.text import STATE, Edit, Text, splice, tree
from uac_nb.rules import When

INIT = "__init__"
MOST = 1000  # records in a file, about
UNDATED = "undated"
_NAME = re.compile(r"_(\d{1,4}|undated)(?:_(\d+))?")


# --- periods and names ---


def period(record: Any, kind: RecordType) -> str:
    """The year of the first When that has one."""
    found = (getattr(record, f.name) for f in kind.fields)
    return next((str(v.year) for v in found if isinstance(v, When) and v.year is not None), UNDATED)


def age(collection: str, part: str) -> tuple[int, int]:
    """A key by which the parts of a collection are sorted, the newest last.

    >>> sorted(["trips_undated", "trips_2024_2", "trips_2023", "trips_2024"], key=lambda part: age("trips", part))
    ['trips_undated', 'trips_2023', 'trips_2024', 'trips_2024_2']
    """
    match = _NAME.fullmatch(part.removeprefix(collection))
    if not match:
        return -2, 0  # a name that a person gave
    return -1 if match[1] == UNDATED else int(match[1]), int(match[2] or 1)


@lru_cache(maxsize=256)
def of_period(collection: str, when: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The parts of one period, the newest last."""
    wanted = age(collection, f"{collection}_{when}")[0]
    return tuple(sorted((n for n in names if age(collection, n)[0] == wanted), key=lambda part: age(collection, part)))


def fresh(collection: str, when: str, names: Iterable[str], taken: Iterable[str]) -> str:
    """The name of the next part of a period."""
    last = of_period(collection, when, tuple(names))
    number = age(collection, last[-1])[1] + 1 if last else 1
    taken = set(taken)
    while (name := f"{collection}_{when}" + (f"_{number}" if number > 1 else "")) in taken:
        number += 1
    return name


# --- a part ---


def new_part(domain: str, collection: str, name: str, kind: RecordType, lines: str = "") -> str:
    """The text of a part, with these lines of records."""
    when = name.removeprefix(f"{collection}_").replace("_", ", file ")
    title = collection.replace("_", " ").capitalize() + (" without a year" if when.startswith(UNDATED) else f" of {when}")
    inside = f"\n{lines}" if lines else ""
    return add_imports(f'"""{title}."""\n\n{STATE}\n\n{name}: list[{kind.name}] = [{inside}]\n', _needs(domain, kind))


@lru_cache(maxsize=1024)
def with_imports(head: str, domain: str, kind: RecordType) -> str:
    """What stands above the line of a file, with all imports that records of a type of another file may need."""
    if all(inner.domain == domain for inner in (kind, *_inner(kind))):
        return head  # its own classes import what they name
    module = tree(head, domain)
    imports = (node for node in module.body if isinstance(node, ast.ImportFrom))
    there = {alias.name for node in imports for alias in node.names}
    there |= {node.name for node in module.body if isinstance(node, ast.ClassDef)}
    missing = {home: names - there for home, names in _needs(domain, kind).items() if names - there}
    return add_imports(head, missing) if missing else head


def _needs(domain: str, kind: RecordType) -> Imports:
    needs: Imports = {}
    for inner in [kind, *_inner(kind)]:
        home = "uac_nb.rules" if inner is NOTE else inner.domain or domain
        needs.setdefault(home, set()).add(inner.name)
        for part in (p for f in inner.fields for p in parts(f.type)):
            if isinstance(part, Scalar) and part.name in IMPORTS:
                needs.setdefault(IMPORTS[part.name], set()).add(part.name)
    return needs


def _inner(kind: RecordType) -> Iterator[RecordType]:
    for f in kind.fields:
        for part in parts(f.type):
            if isinstance(part, Nested):
                yield part.type
                yield from _inner(part.type)


def pieces(text: str, block: Block) -> list[str]:
    """The lines of each record: its comma, the comments above and the one behind it; of the last one, all that follows."""
    found, at = [], block.start
    for position, (start, end) in enumerate(block.spans):
        until = block.gap(text, position)[1]
        gap = text[end:until]
        comma = blank(gap).find(",")
        stop = until if until == block.end else end + comma + 1 + len(_behind(gap[comma + 1 :]))
        found.append(_lines(text[at:start]) + text[start:end] + ("" if comma >= 0 else ",") + text[end:stop].rstrip() + "\n")
        at = stop
    return found


def _behind(gap: str) -> str:
    """The rest of the line, where nothing but a comment stands on it."""
    match = re.match(r"[ \t]*(?:#[^\n]*)?\n", gap)
    return match[0] if match else ""


def _lines(above: str) -> str:
    """What stands between two records, up to the second: comments on lines of their own, then its margin."""
    comments, newline, margin = above.rpartition("\n")
    if not comments.strip():
        comments = newline = ""
    comments = comments[1:] if comments.startswith("\n") else comments and f"    {comments.lstrip()}"
    return comments + newline + (margin if len(margin) > 1 else "    ")


# --- the lines that join parts ---


def joined(text: str, domain: str, block: Block, names: Sequence[str]) -> str:
    """The text of a domain with a collection taken out, and joined from parts (the newest first) at the end instead."""
    source = Text(text)
    module = tree(text, domain)
    node = next(n for n in module.body if isinstance(n, ast.AnnAssign) and source.span(n)[1] == block.end + 1)
    start, end = _whole_lines(source, node)
    above = _comments_above(text, start)
    rest = splice(text, [(start - len(above), end, "")]).rstrip()
    tail = min((source.line(n.lineno)[0] for n in module.body if _imported(n, domain)), default=None)
    imports = "".join(f"{_import(domain, name)}\n" for name in names)
    value = _list([f"*{name}" for name in names], f"{block.name}: list[{block.type.name}] = ")
    if tail is None:
        return f"{rest}\n\n{imports}\n{above}{value}\n"
    tail -= (end - start + len(above)) if start < tail else 0
    return f"{rest[:tail].rstrip()}\n\n{imports}{rest[tail:]}\n{above}{value}\n"


def linked(text: str, domain: str, collection: str, name: str) -> list[Edit]:
    """The edits that put one more part of a collection into `__init__`, in its place by age."""
    source, module = Text(text), tree(text, domain)
    node = next(n for n in module.body if isinstance(n, ast.AnnAssign) and source.of(n.target) == collection)
    assert isinstance(node.value, ast.List)
    stars = {source.of(item).removeprefix("*"): item for item in node.value.elts}
    there = {n.names[0].name: n for n in module.body if isinstance(n, ast.ImportFrom) and _imported(n, domain)}
    older = next((part for part in stars if age(collection, part) < age(collection, name)), None)
    beside = older or list(stars)[-1]
    star, line = source.span(stars[beside]), there[beside]
    margin = source.text[source.line(stars[beside].lineno)[0] : star[0]]
    between = f",\n{margin}" if not margin.strip() else ", "
    edits: list[Edit]
    if older:
        at = source.line(line.lineno)[0]
        edits = [(at, at, f"{_import(domain, name)}\n"), (star[0], star[0], f"*{name}{between}")]
    else:
        at = source.line(line.end_lineno or 0)[1]
        edits = [(at, at, f"\n{_import(domain, name)}"), (star[1], star[1], f"{between}*{name}")]
    start, end = source.span(node)
    if between == ", " and end - start + len(name) + 3 > WIDTH:
        items = [part for other in stars for part in ([name, other] if other == older else [other])]
        items += [] if older else [name]
        lead = source.text[start : source.span(node.value)[0]]
        edits[1] = (start, end, _list([f"*{item}" for item in items], lead))
    return edits


def _list(items: Sequence[str], lead: str) -> str:
    line = f"{lead}[{', '.join(items)}]"
    return line if len(line) <= WIDTH else f"{lead}[\n" + "".join(f"    {item},\n" for item in items) + "]"


def _import(domain: str, name: str) -> str:
    return f"from {domain}.{name} import {name}"


def _imported(node: ast.stmt, domain: str) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{domain}.")


def _whole_lines(source: Text, node: ast.stmt) -> tuple[int, int]:
    """From where to where a statement is cut out: with its lines, unless something else stands on them."""
    start, end = source.span(node)
    first, last = source.line(node.lineno)[0], source.line(node.end_lineno or 0)[1]
    behind = source.text[end:last].strip()
    if source.text[first:start].strip() or (behind and not behind.startswith("#")):
        return start, end + (source.text[end:last].index(";") + 1 if behind.startswith(";") else 0)
    blank_lines = re.compile(r"\n\s*(?=\n)|\n?").match(source.text, last)
    return first, blank_lines.end() if blank_lines else last


def _comments_above(text: str, start: int) -> str:
    """The lines of comments right above a statement, but not the line between types and values."""
    match = re.search(rf"(?:^(?!{STATE})#[^\n]*\n)+\Z", text[:start], re.MULTILINE)
    return match[0] if match else ""
