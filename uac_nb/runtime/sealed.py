"""`SealedEngine`: code runs in a sealed process, which has the project loaded and forks a child a call."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

from uac_nb.errors import RunError
from uac_nb.runtime import seal, wire
from uac_nb.runtime.engine import Host
from uac_nb.runtime.process import Process
from uac_nb.runtime.programs import Program
from uac_nb.runtime.sending import loading

MEMORY = 512 << 20  # bytes that a query may take beyond the records
_LOADING = 120.0  # seconds


class SealedEngine(Host):
    """Runs code of a project in a sealed process, which starts at the first use and again when it died.

    Close it, or use it in a ``with`` statement; what is still open ends with the interpreter. Threads take turns; a forked
    process gets a sealed process of its own.
    """

    name = seal.NAME

    def __init__(self, *, memory: int = MEMORY) -> None:
        super().__init__()
        self._memory = memory
        self._held = _Held()
        self._loaded: Program | None = None  # what the process has
        weakref.finalize(self, self._held.close)
        _ENGINES.add(self)

    def close(self) -> None:
        """End the sealed process."""
        with self._lock:
            self._loaded = None
            self._held.close()

    def _taken(self) -> None:
        self._ready()

    def _ask(self, request: dict[str, Any], seconds: float) -> wire.Reply:
        """Ask the sealed process; one that is gone is started again, once."""
        with self._lock:
            for again in (True, False):
                try:
                    return self._ready().ask(request, seconds)
                except (OSError, EOFError):
                    self.close()
                    if not again:
                        raise RunError("the sealed process ended without an answer; try again") from None
                except BaseException:
                    self.close()  # a stopped caller leaves an answer behind that the next one would take for its own
                    raise
            raise AssertionError("unreachable")

    def _ready(self) -> Process:
        """The process, running, with the current program loaded."""
        process = self._held.process
        if process is None:
            if why := seal.unfit():
                raise RunError(
                    f"there is no boundary here ({why}), so generated code does not run; uac-nb doctor says what to do"
                )
            process = self._held.process = Process(self._memory)
        if self._loaded is not self._program:
            changes = loading(self._loaded, self._program, self._rules)
            reply = process.ask(changes, _LOADING)
            if reply.status:
                self.close()
                raise RunError(f"the project could not be loaded: {reply.output.decode('utf-8', 'replace')}")
            self._loaded = self._program
        return process


class _Held:
    """The process of an engine, apart from it so that it can be ended when the engine is gone."""

    def __init__(self) -> None:
        self.process: Process | None = None

    def close(self) -> None:
        process, self.process = self.process, None
        if process:
            process.close()


_ENGINES: weakref.WeakSet[SealedEngine] = weakref.WeakSet()


def _after_fork() -> None:
    """A forked process must not talk to the sealed process of its parent, nor wait for a thread that is not there."""
    for engine in _ENGINES:
        engine._lock = threading.RLock()
        engine.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
