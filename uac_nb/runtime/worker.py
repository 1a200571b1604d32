"""The sealed process: clean, with an empty environment; it loads a project once and forks a sealed child for every call.

Started as ``python -I -S worker.py FD``. It holds trusted code and the user's records, compiles what the project defines,
and runs none of it. A child is ended from here: at its deadline, when it writes too much, and when the host is gone.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import warnings
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

sys.path.append(str(Path(__file__).resolve().parents[2]))

from uac_nb.runtime import pages, wire
from uac_nb.runtime.child import work
from uac_nb.runtime.children import Child, HostGone, Write
from uac_nb.runtime.sandbox import warm
from uac_nb.runtime.seal import holds
from uac_nb.runtime.starting import starter_rules
from uac_nb.runtime.world import World


class Worker:
    """What serves a host at the other end of a socket."""

    def __init__(self, host: int, memory: int = 0) -> None:
        self.host = host
        self.memory = memory
        self.world = World()
        self.records: list[pages.Span] = []  # where they lie
        self.starter = False  # whether the starter rules are loaded
        self.next: Child | None = None
        self.killed: list[Child] = []

    def serve(self) -> NoReturn:
        """Answer requests until the host is gone."""
        gc.disable()  # what is made here stays, or goes by its count of references
        warnings.simplefilter("ignore")  # nobody reads them
        warm()
        while True:
            try:
                request = wire.unpack(wire.receive(lambda size: os.read(self.host, size)))
                frame = getattr(self, f"do_{request['do']}")(request).pack()
                wire.write(self.host, wire.length(frame) + frame)
            except (EOFError, HostGone, OSError):
                self.renew()
                os._exit(0)
            self.ready()
            self.bury()

    def ready(self) -> Child:
        """The next child, forked where it is not there yet."""
        self.next = self.next or Child(self.work, self.host, self.memory, self.records)
        return self.next

    def renew(self) -> None:
        """End the next child; another is forked from what is loaded by then."""
        if self.next:
            self.next.end()
        self.next = None

    def bury(self) -> None:
        """See those off that were killed, as long as nothing is asked."""
        while self.reap() and not select.select([self.host], [], [], 0.005)[0]:
            pass

    def reap(self) -> bool:
        """See those off that have ended; whether some have not."""
        self.killed = [child for child in self.killed if not child.gone]
        return bool(self.killed)

    def meanwhile(self) -> bool:
        """What is done while a child answers: nothing stays of those before, and the next gets ready."""
        self.ready()
        return self.reap()

    # --- here ---

    def do_load(self, request: dict[str, Any]) -> wire.Reply:
        self.renew()
        try:
            self.world.load(request)
        except Exception as error:
            return wire.Reply(1, wire.DONE, f"{type(error).__name__}: {error}".encode())
        self.records = pages.under(chain.from_iterable(self.world.collections.values()))
        pages.give_back()
        gc.freeze()  # so that no child walks through the records, and copies them by that
        return wire.Reply(0, wire.DONE, b"")

    # --- in a child ---

    def do_start(self, request: dict[str, Any]) -> wire.Reply:
        """Try the seal out on a child; its answer is an empty line when the seal holds."""
        self.memory = request["memory"]
        return self.ask(request, 10.0)

    def do_run(self, request: dict[str, Any]) -> wire.Reply:
        return self.ask(request, request["deadline"])

    def do_rules(self, request: dict[str, Any]) -> wire.Reply:
        if not self.starter:
            self.starter = bool(starter_rules())
            self.renew()  # the child that waits does not have them
        return self.ask(request, request["deadline"], len(request["jobs"]))

    def ask(self, request: dict[str, Any], deadline: float, lines: int = 1) -> wire.Reply:
        child = self.ready()
        self.next = None
        try:
            return child.ask(request, deadline, lines, meanwhile=self.meanwhile)
        finally:
            child.kill()
            self.killed.append(child)
            self.reap()

    def work(self, request: dict[str, Any], write: Write) -> None:
        """What a child does, sealed."""
        if request["do"] == "start":
            write(holds().encode() + b"\n")
        else:
            work(self.world, request, write)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Worker(int(sys.argv[1])).serve()
