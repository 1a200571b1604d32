"""A sealed child from the side of the process that forks it: made ahead of its call, asked once, watched, and ended.

A child waits for its request, and while it waits makes the pages of its parent's memory its own. So neither the fork nor the
copying of a hundred thousand records, which counting their references brings about, takes time of the call. For somebody who
asks one thing right after another, the next child is forked and gets ready while the former answers, and the former is not
waited for when it has been killed: to take its memory apart takes longer than many a query.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from uac_nb.runtime import pages, wire
from uac_nb.runtime.seal import OUT, die_with_parent, seal

_AT_ONCE = 1  # ms: an answer that comes so soon is not kept waiting for a fork
_SOON = 5  # ms
_HURRY = 50  # ms: who has not asked again by then is not in a hurry

Write = Callable[[bytes], None]
Work = Callable[[dict[str, Any], Write], None]


class HostGone(Exception):
    """Nobody waits for the answer any more."""


class Child:
    """A child process that does some work once. It lives in a session of its own; its parent ends it.

    `first` are the pages that its work will most likely touch.
    """

    def __init__(self, work: Work, host: int, memory: int, first: Sequence[pages.Span] = ()) -> None:
        self._host = host
        self._killed = False
        self._status: int | None = None
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._requests)
            os.close(self._answers)
            os.close(host)
            _live(work, requests, answers, memory, first)
        os.close(requests)
        os.close(answers)

    def ask(
        self, request: dict[str, Any], deadline: float, lines: int, meanwhile: Callable[[], bool] = lambda: False
    ) -> wire.Reply:
        """Let it work, and give what it writes: so many lines, each within the deadline, and all within what the request
        gives them. `meanwhile` is done while it works, and again soon as long as it says so.

        Raise HostGone when the host hangs up in between.
        """
        frame = wire.pack({**request, "seconds": int(deadline * lines) + 2})
        wire.write(self._requests, wire.length(frame) + frame)
        last = time.monotonic() + request.get("within", deadline * lines)
        at_once = bool(select.select([self._answers], [], [], _AT_ONCE / 1000)[0])
        reason, output = self._watch(last, deadline, lines, meanwhile if not at_once else lambda: False)
        complete = reason == wire.DONE and output.count(b"\n") == lines
        return wire.Reply(0 if complete else self.end(), reason, output)  # how it ends does not matter when it is done

    def _watch(self, last: float, deadline: float, lines: int, meanwhile: Callable[[], bool]) -> tuple[int, bytes]:
        until = min(last, time.monotonic() + deadline)
        output = bytearray()
        written = 0
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        poll.register(self._host, select.POLLIN)
        more = meanwhile()
        while (left := until - time.monotonic()) > 0:
            ready = [fd for fd, _ in poll.poll(min(left * 1000, _SOON) if more else left * 1000)]
            more = more and meanwhile()
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
                until = min(last, time.monotonic() + deadline)
        return wire.DEADLINE, bytes(output)

    def kill(self) -> None:
        """Kill it, which has no children of its own."""
        if not self._killed:
            self._killed = True
            os.close(self._requests)
            os.close(self._answers)
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """Kill it, and give its wait status."""
        self.kill()
        if self._status is None:
            self._status = os.waitpid(self.pid, 0)[1]
        return self._status

    @property
    def gone(self) -> bool:
        """Whether nothing is left of it."""
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = status if pid else None
        return self._status is not None


def _live(work: Work, requests: int, answers: int, memory: int, first: Sequence[pages.Span]) -> NoReturn:
    try:
        os.setsid()
        die_with_parent()
        _get_ready(requests, first)
        request = wire.unpack(wire.receive(lambda size: os.read(requests, size)))
        gc.enable()
        sys.setrecursionlimit(wire.RECURSION)
        os.dup2(answers, OUT)
        seal(memory, request["seconds"])
        work(request, lambda data: wire.write(OUT, data))
    finally:
        os._exit(0)


def _get_ready(requests: int, first: Sequence[pages.Span]) -> None:
    """Make pages its own: the likely ones in any case, since to copy them one by one, as they are touched, takes longer; the
    others where there is no hurry, until it is asked for something.
    """
    waiting = select.poll()
    waiting.register(requests, select.POLLIN)
    pages.own(first)
    if not waiting.poll(_HURRY):
        pages.own(pages.written(), until=lambda: bool(waiting.poll(0)))
