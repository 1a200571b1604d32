"""Memory shared with a forked child: where objects lie, and that pages copied ahead cost no faults later."""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
from collections.abc import Callable
from itertools import pairwise

import pytest

from uac_nb.runtime import available

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)

from uac_nb.runtime import pages  # noqa: E402

SIZE = 4 << 20
PAGES = SIZE // mmap.PAGESIZE


def test_every_object_lies_in_one_span() -> None:
    objects = [object() for _ in range(10_000)]
    spans = pages.under(objects)
    assert all(sum(begins <= id(each) < ends for begins, ends in spans) == 1 for each in objects)
    assert all(before[1] < after[0] for before, after in pairwise(spans)), "what is adjacent is one span"


def test_nothing_lies_nowhere() -> None:
    assert pages.under([]) == []


def span_of(memory: bytearray) -> pages.Span:
    """The whole pages that it takes."""
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory)) & -mmap.PAGESIZE
    return address, address + SIZE


def in_a_child(work: Callable[[], int]) -> int:
    """A number up to 60,000 that a forked process comes to."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        gc.disable()
        os.write(writing, work().to_bytes(2, "big"))
        os._exit(0)
    os.waitpid(child, 0)
    found = int.from_bytes(os.read(reading, 2), "big")
    os.close(reading)
    os.close(writing)
    return found


def faults_of_writing(memory: bytearray) -> int:
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    memory[:: mmap.PAGESIZE] = b"x" * PAGES
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


@pytest.mark.skipif(tuple(map(int, os.uname().release.split(".")[:2])) < (5, 14), reason="needs Linux 5.14")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize("which", ["these", "all"])
def test_pages_copied_ahead_cost_nothing_later(which: str) -> None:
    memory = bytearray(b"y" * SIZE)
    spans = {"these": [span_of(memory)], "all": pages.written()}[which]

    def ahead() -> int:
        pages.own(spans, until=lambda: False)
        return faults_of_writing(memory)

    assert in_a_child(lambda: faults_of_writing(memory)) >= PAGES
    assert in_a_child(ahead) < PAGES // 10


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_who_is_asked_stops_copying() -> None:
    memory = bytearray(b"y" * SIZE)

    def ahead() -> int:
        pages.own([span_of(memory)], until=lambda: True)
        return faults_of_writing(memory)

    assert in_a_child(ahead) >= PAGES
