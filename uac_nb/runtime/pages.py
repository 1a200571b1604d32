"""The memory that a forked child shares with the process that forked it, page by page.

A page is copied when either writes to it, and Python writes to every object that it looks at, to count who refers to it. So
a child copies ahead, while it waits, what a query will look at: in one sweep, which costs less than page after page, and
before anybody waits for it.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Iterable, Iterator

from uac_nb.runtime.seal import libc

Span = tuple[int, int]  # from, to: addresses at which pages begin

_BLOCK = max(14, mmap.PAGESIZE.bit_length() - 1)  # bits: small objects lie in blocks of 16 kB, which may be part of a page
_LARGE = 2 << 20  # bytes
_MADV_POPULATE_WRITE, _MADV_COLLAPSE = 23, 25


def under(objects: Iterable[object]) -> list[Span]:
    """Where objects lie, to the block.

    >>> begins, ends = under([here := object()])[0]
    >>> begins <= id(here) < ends
    True
    """
    spans: list[Span] = []
    for block in sorted({id(each) >> _BLOCK for each in objects}):
        begins = block << _BLOCK
        if spans and spans[-1][1] == begins:
            begins = spans.pop()[0]
        spans.append((begins, (block + 1) << _BLOCK))
    return spans


def written() -> list[Span]:
    """All memory that this process may write to and that belongs to no file."""
    with open("/proc/self/maps") as file:
        regions = [line.split() for line in file]
    edges = (span.split("-") for span, rights, _, _, inode, *_ in regions if rights == "rw-p" and inode == "0")
    return [(int(begins, 16), int(ends, 16)) for begins, ends in edges]


def own(spans: Iterable[Span], until: Callable[[], bool] = lambda: False) -> None:
    """Copy these pages where they are shared, so that writing to them later costs nothing. Stops when `until` says so.

    Where they can, 2 MB at a time become one large page, in half the time, and what lies around a span comes along. Where the
    kernel has none (before Linux 6.1), pages are copied one by one; where it cannot do that either (before 5.14), nothing
    happens, and later is slower.
    """
    large = set[int]()
    for begins, ends in _pieces(spans):
        at = begins - begins % _LARGE
        if at in large:
            continue
        if until():
            return
        if _advise(at, _LARGE, _MADV_COLLAPSE):
            large.add(at)
        else:
            _advise(begins, ends - begins, _MADV_POPULATE_WRITE)


def _pieces(spans: Iterable[Span]) -> Iterator[Span]:
    """Spans, cut where a large page could begin."""
    for begins, ends in spans:
        for at in range(begins - begins % _LARGE, ends, _LARGE):
            yield max(at, begins), min(at + _LARGE, ends)


def _advise(at: int, size: int, advice: int) -> bool:
    return bool(libc().madvise(ctypes.c_void_p(at), ctypes.c_size_t(size), advice) == 0)


def give_back() -> None:
    """Give memory that was freed back to the system, where the C library can: what is not there need not be forked."""
    if trim := getattr(libc(), "malloc_trim", None):
        trim(0)
