"""Frames between the host and the trusted part of the sealed process: a length, then bytes. Standard library only.

What goes in is marshalled (both ends are the same Python, and the sender is the host). What comes out of a child is
never unpacked here: it stays bytes, with how the child ended beside it.
"""

from __future__ import annotations

import marshal
import os
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

_LENGTH = struct.Struct("<Q")
_END = struct.Struct("<iB")

DONE, DEADLINE, TOO_LARGE = 0, 1, 2
LARGEST = 8_000_000  # bytes that a child may write
RECURSION = 3_000  # calls in a child; syntax trees are walked recursively, and a sum of 500 terms is 500 deep
_FORMAT = 4  # of marshal: what every Python from 3.11 on reads


class Reply(NamedTuple):
    """How a child ended: its wait status, why it was stopped (`DONE`: it ended by itself), and what it wrote."""

    status: int
    reason: int
    output: bytes

    def pack(self) -> bytes:
        return _END.pack(self.status, self.reason) + self.output

    @classmethod
    def unpack(cls, frame: bytes) -> Reply:
        status, reason = _END.unpack_from(frame)
        return cls(status, reason, frame[_END.size :])


def pack(value: Any) -> bytes:
    return marshal.dumps(value, _FORMAT)


def unpack(frame: bytes) -> Any:
    return marshal.loads(frame)


def length(frame: bytes) -> bytes:
    """What goes before a frame."""
    return _LENGTH.pack(len(frame))


def write(fd: int, data: bytes) -> None:
    """Write all of it. Raise OSError when nobody reads it any more."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view[: 1 << 20]) :]


def receive(read: Callable[[int], bytes]) -> bytes:
    """One frame, from something that reads at most so many bytes. Raise EOFError when the other end is gone."""
    return _exactly(read, *_LENGTH.unpack(_exactly(read, _LENGTH.size)))


def _exactly(read: Callable[[int], bytes], size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = read(min(size - len(data), 1 << 20))
        if not part:
            raise EOFError("the other end is gone")
        data += part
    return bytes(data)
