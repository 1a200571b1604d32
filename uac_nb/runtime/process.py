"""The host's end of the sealed process: start it, ask it, end it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from uac_nb.errors import RunError
from uac_nb.runtime import wire

_GRACE = 60.0  # seconds that an answer may be late on a busy machine, before its process is taken for dead


class Process:
    """A running sealed process. It belongs to the process that made it; a fork of that only lets go of it."""

    def __init__(self, memory: int) -> None:
        self.owner = os.getpid()
        ours, theirs = socket.socketpair()
        self._socket = ours
        worker = Path(__file__).with_name("worker.py")
        command = [sys.executable, "-I", "-S", "-X", "utf8", str(worker), str(theirs.fileno())]
        try:
            self._process = subprocess.Popen(
                command, env={}, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()], start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            ours.close()
            raise RunError(f"the sealed process did not start: {error}; uac-nb doctor says what is missing") from None
        finally:
            theirs.close()
        self._try_out(memory)

    def _try_out(self, memory: int) -> None:
        try:
            reply = self.ask({"do": "start", "memory": memory}, 10.0)
        except (OSError, EOFError):
            said = self._last_words()
            self.close()
            raise RunError(f"the sealed process did not start: {said}; uac-nb doctor says what is missing") from None
        if reply.output != b"\n":
            self.close()
            why = reply.output.decode("utf-8", "replace").strip() or f"a child of it ended with {reply.status}"
            raise RunError(
                f"no process can be sealed here ({why}), so generated code does not run; uac-nb doctor says what to do"
            )

    def ask(self, request: dict[str, Any], seconds: float) -> wire.Reply:
        """Send a request and wait for its reply. Raise OSError or EOFError when the process is gone or does not answer."""
        self._socket.settimeout(seconds + _GRACE)
        frame = wire.pack(request)
        self._socket.sendall(wire.length(frame))
        self._socket.sendall(frame)
        return wire.Reply.unpack(wire.receive(self._socket.recv))

    def _last_words(self) -> str:
        self._process.kill()
        assert self._process.stderr
        return self._process.stderr.read().decode("utf-8", "replace").strip().rpartition("\n")[2] or "it said nothing"

    def close(self) -> None:
        """End it, if it is ours."""
        self._socket.close()
        assert self._process.stderr
        self._process.stderr.close()
        if os.getpid() == self.owner:
            self._process.kill()
            self._process.wait()
        else:
            self._process.returncode = 0  # not for us to wait for
