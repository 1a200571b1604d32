"""Reading a text again after an edit: of one collection that differs only the records in between are parsed.

Sound because a list is its items one after the other: what stands before and behind them and did not change still is what
it was, if what stands between reads as whole items. Whatever is not that simple is read in full (None).
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from uac_nb.domainfile.definitions import Definitions
from uac_nb.domainfile.records import RecordType
from uac_nb.domainfile.state import Block, State
from uac_nb.domainfile.text import Text, tree
from uac_nb.errors import CheckError

if TYPE_CHECKING:
    from uac_nb.domainfile.domain import Domain


def reread(like: Domain, text: str, known: Mapping[str, RecordType]) -> Mapping[str, Block] | None:
    """The collections of `text`, which differs from the text of `like` within one of them; None where it does more."""
    start, old_end, new_end = difference(like.text, text)
    block = next((b for b in like.blocks.values() if b.start <= start and old_end <= b.end), None)
    if block is None:
        return None
    try:
        definitions = Definitions(like.name, Text(like.definitions), known)
        definitions.read(tree(like.definitions, definitions.where).body)
        types = definitions.scope.types
        if definitions.types != like.types or any(types.get(b.type.name) != b.type for b in like.blocks.values()):
            return None
        first = max(block.start, text.rfind("\n", 0, start) + 1)  # whole lines: a record may have become a comment
        last = min(block.end, _line_end(like.text, old_end))
        return _between(like, text, block, definitions, (first, last, new_end - old_end))
    except CheckError:
        return None  # the whole text tells better what is wrong, and where


def _between(
    like: Domain, text: str, block: Block, definitions: Definitions, change: tuple[int, int, int]
) -> Mapping[str, Block] | None:
    start, end, by = change
    left = bisect_right(block.spans, start, key=lambda span: span[1])
    right = bisect_left(block.spans, end, key=lambda span: span[0])
    begin = block.spans[left - 1][1] if left else block.start
    until = (block.spans[right][0] if right < len(block.spans) else block.end) + by
    before, behind = "_" if left else "", "_" if right < len(block.spans) else ""
    source = Text(f"[{before}{text[begin:until]}{behind}]")
    match tree(source.text, definitions.where).body:
        case [ast.Expr(value=ast.List(elts=nodes))] if _framed(nodes, before, behind):
            nodes = nodes[len(before) : len(nodes) - len(behind)]
        case _:
            return None
    state = State(source, definitions)
    new = state.records(Block(block.name, block.type, 1 + len(before), len(source.text) - 1 - len(behind)), nodes)
    definitions.check()
    shift = begin - 1 - len(before)
    moved = [(a + by, b + by) for a, b in block.spans[right:]]
    records = (*block.records[:left], *new.records, *block.records[right:])
    spans = (*block.spans[:left], *((a + shift, b + shift) for a, b in new.spans), *moved)
    index = {record.id: position for position, record in enumerate(records)}
    others = {name: other.moved(end, by) for name, other in like.blocks.items() if name != block.name}
    if len(index) < len(records) or any(id in other.index for id in new.index for other in others.values()):
        return None
    read = replace(block, end=block.end + by, records=records, spans=spans, index=index)
    return {name: read if name == block.name else others[name] for name in like.blocks}


def _line_end(text: str, at: int) -> int:
    return len(text) if (end := text.find("\n", at)) < 0 else end


def _framed(nodes: list[ast.expr], *marks: str) -> bool:
    """Whether the first and the last item are the marks that stand for the records before and behind."""
    ends = (nodes[:1], nodes[-1:])
    return all(
        not mark or any(isinstance(n, ast.Name) and n.id == mark for n in end) for mark, end in zip(marks, ends, strict=True)
    )


def difference(old: str, new: str) -> tuple[int, int, int]:
    """Where two texts differ: from, to in the old, to in the new.

    >>> difference("one two six", "one 2 six")
    (4, 7, 5)
    """
    start = _common(old, new)
    tail = _common(old[start:][::-1], new[start:][::-1])
    return start, len(old) - tail, len(new) - tail


def _common(a: str, b: str) -> int:
    """How many characters two texts begin with in common."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
