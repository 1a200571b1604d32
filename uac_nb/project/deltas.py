"""Versions of a file as differences from one another, by whole lines, in the form of git's packs.

A general search for differences takes seconds for files of our size. Ours change by lines that come, go or give way, so it
is enough to look each line up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dulwich.objects import ShaFile

DEPTH = 16  # differences that one may have to apply to get a text
Copy = tuple[int, int]  # from, to: offsets in the older text
_ENTRY = re.compile(rb"[0-7]+ [^\0]+\0.{20}", re.DOTALL)  # of a tree


def chained(things: Iterable[ShaFile]) -> Iterator[tuple[ShaFile, bytes | None, bytes]]:
    """Objects, each with the hash of what it is a difference from and that difference; or with None and its whole text."""
    families: dict[tuple[int, bytes], list[ShaFile]] = {}
    for thing in things:
        families.setdefault(_family(thing), []).append(thing)
    for _, family in sorted(families.items()):
        family.sort(key=lambda thing: (-thing.raw_length(), thing.id))
        depth, before = 0, None
        for thing in family:
            data = thing.as_raw_string()
            small = delta(before.as_raw_string(), data) if before and depth < DEPTH else data
            if before and len(small) < len(data) // 2:
                yield thing, before.sha().digest(), small
                depth += 1
            else:
                yield thing, None, data
                depth = 0
            before = thing


def _family(thing: ShaFile) -> tuple[int, bytes]:
    """What versions of one file have in common: the line it begins with; of a folder, the name of its first file."""
    data = thing.as_raw_string()
    if thing.type_name == b"commit":
        return thing.type_num, thing.id
    return thing.type_num, data.partition(b"\0" if thing.type_name == b"tree" else b"\n")[0]


def delta(old: bytes, new: bytes) -> bytes:
    """The instructions that make `new` out of `old`."""
    return _size(len(old)) + _size(len(new)) + b"".join(_written(step) for step in _steps(_lines(old), _lines(new)))


def _lines(data: bytes) -> list[bytes]:
    entries = _ENTRY.findall(data) if _ENTRY.match(data) else []
    return entries if sum(map(len, entries)) == len(data) else data.splitlines(keepends=True)


def _steps(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Copy | bytes]:
    """What to copy from the old lines, and what to put in between."""
    offsets = [0, *accumulate(map(len, old))]
    where = {line: number for number, line in reversed(list(enumerate(old)))}
    at, start, fresh = 0, 0, bytearray()  # copied are the old lines from `start` to `at`
    for line in new:
        follows = at > start and at < len(old) and old[at] == line
        if not follows and line not in where:
            if at > start:
                yield offsets[start], offsets[at]
                at = start = 0
            fresh += line
            continue
        if not follows:
            if at > start:
                yield offsets[start], offsets[at]
            start = at = where[line]
        if fresh:
            yield bytes(fresh)
            fresh.clear()
        at += 1
    if at > start:
        yield offsets[start], offsets[at]
    if fresh:
        yield bytes(fresh)


def _written(step: Copy | bytes) -> bytes:
    if isinstance(step, bytes):
        return b"".join(bytes([len(part)]) + part for i in range(0, len(step), 127) if (part := step[i : i + 127]))
    start, end = step
    return b"".join(_copy(at, min(0xFFFF, end - at)) for at in range(start, end, 0xFFFF))


def _copy(offset: int, length: int) -> bytes:
    """A mark that says which bytes of the two numbers follow, and those, the lowest first."""
    mark, number = 0x80, bytearray()
    for bit, byte in enumerate([*offset.to_bytes(4, "little"), *length.to_bytes(2, "little")]):
        if byte:
            mark |= 1 << bit
            number.append(byte)
    return bytes([mark]) + bytes(number)


def _size(number: int) -> bytes:
    """Seven bits a byte, the lowest first; all but the last have the eighth set."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])
