"""A sealed child from the side of the process that forks it: made ahead of its call, asked once, watched, and ended.

A child waits for its request, and while it waits makes the pages of its parent's memory its own. So neither the fork nor the
copying of a hundred thousand records, which counting their references brings about, takes time of the call.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

from uac_nb.runtime import wire
from uac_nb.runtime.seal import OUT, die_with_parent, own_pages, seal

Write = Callable[[bytes], None]
Work = Callable[[dict[str, Any], Write], None]


class HostGone(Exception):
    """Nobody waits for the answer any more."""


class Child:
    """A child process that does some work once. It lives in a session of its own; its parent ends it."""

    def __init__(self, work: Work, host: int, memory: int) -> None:
        self._host = host
        self._status: int | None = None
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._requests)
            os.close(self._answers)
            os.close(host)
            _live(work, requests, answers, memory)
        os.close(requests)
        os.close(answers)

    def ask(self, request: dict[str, Any], deadline: float, lines: int) -> wire.Reply:
        """Let it work, and give what it writes: so many lines, each within the deadline.

        Raise HostGone when the host hangs up in between.
        """
        frame = wire.pack({**request, "seconds": int(deadline * lines) + 2})
        wire.write(self._requests, wire.length(frame) + frame)
        reason, output = self._watch(deadline, lines)
        complete = reason == wire.DONE and output.count(b"\n") == lines
        return wire.Reply(0 if complete else self.end(), reason, output)  # how it ends does not matter when it is done

    def _watch(self, deadline: float, lines: int) -> tuple[int, bytes]:
        output = bytearray()
        written = 0
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        poll.register(self._host, select.POLLIN)
        until = time.monotonic() + deadline
        while (left := until - time.monotonic()) > 0:
            ready = [fd for fd, _ in poll.poll(left * 1000)]
            if self._host in ready:
                raise HostGone  # it asks nothing while it waits
            if self._answers not in ready:
                continue
            part = os.read(self._answers, 1 << 16)
            if not part:
                return wire.DONE, bytes(output)
            output += part
            ended = part.count(b"\n")
            written += ended
            if len(output) > wire.LARGEST or written > lines:
                return wire.TOO_LARGE, bytes(output)
            if written == lines:
                return wire.DONE, bytes(output)
            if ended:
                until = time.monotonic() + deadline
        return wire.DEADLINE, bytes(output)

    def end(self) -> int:
        """Kill it, which has no children of its own, and give its wait status."""
        if self._status is None:
            os.close(self._requests)
            os.close(self._answers)
            os.kill(self.pid, signal.SIGKILL)
            self._status = os.waitpid(self.pid, 0)[1]
        return self._status


def _live(work: Work, requests: int, answers: int, memory: int) -> NoReturn:
    try:
        os.setsid()
        die_with_parent()
        waiting = select.poll()
        waiting.register(requests, select.POLLIN)
        own_pages(until=lambda: bool(waiting.poll(0)))
        request = wire.unpack(wire.receive(lambda size: os.read(requests, size)))
        gc.enable()
        sys.setrecursionlimit(wire.RECURSION)
        os.dup2(answers, OUT)
        seal(memory, request["seconds"])
        work(request, lambda data: wire.write(OUT, data))
    finally:
        os._exit(0)
