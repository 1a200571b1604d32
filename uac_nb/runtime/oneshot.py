"""Engines that start anew for every call: slower than one that stays, and possible everywhere."""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from pathlib import Path
from typing import Any

from uac_nb.runtime import wire
from uac_nb.runtime.engine import Host
from uac_nb.runtime.sending import loading

GUEST = Path(__file__).with_name("once.py")
LOADING = 120.0  # seconds for starting and loading


class OneShot(Host):
    """An engine whose `_run` has the guest, `once.py`, read some input and write lines."""

    def close(self) -> None:
        pass  # nothing stays

    def _taken(self) -> None:
        pass  # it is loaded when it is used

    def _ask(self, request: dict[str, Any], seconds: float) -> wire.Reply:
        with self._lock:
            frames = [wire.pack(part) for part in (loading(None, self._program, self._rules), request)]
            data = b"".join(wire.length(frame) + frame for frame in frames)
            return self._run(data, Watch(request["deadline"], len(request.get("jobs", "1")), request.get("within", math.inf)))

    @abstractmethod
    def _run(self, data: bytes, watch: Watch) -> wire.Reply:
        """Run the guest on `data`, and stop it when the watch says so."""


class Watch:
    """Looks at what a guest writes: an empty line when it has loaded, then so many others, each within its deadline.

    All of them are to come `within` seconds from the first.
    """

    def __init__(self, deadline: float, lines: int, within: float = math.inf) -> None:
        self._deadline, self._lines, self._within = deadline, lines, within
        self._last = math.inf
        self._output = bytearray()
        self._written = -1
        self._until = time.monotonic() + LOADING

    @property
    def left(self) -> float:
        """Seconds until the next line is late."""
        return self._until - time.monotonic()

    def take(self, part: bytes) -> bool:
        """Take what was written; whether more is expected."""
        self._output += part
        if ended := part.count(b"\n"):
            now = time.monotonic()
            self._last = now + self._within if self._written < 0 else self._last
            self._written += ended
            self._until = min(self._last, now + self._deadline)
        return self._written < self._lines and len(self._output) <= wire.LARGEST

    def reply(self, status: int) -> wire.Reply:
        """What came, and why it ended."""
        output = bytes(self._output[1:])
        if self._written > self._lines or len(output) > wire.LARGEST:
            return wire.Reply(status, wire.TOO_LARGE, output)
        if self._written < self._lines and self.left <= 0:
            return wire.Reply(status, wire.DEADLINE, output)
        return wire.Reply(0 if self._written == self._lines else status, wire.DONE, output)
