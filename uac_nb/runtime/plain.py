"""`PlainEngine`: where there is no boundary, code runs in a process with the person's rights, if the person has said so.

Starter rules come with us and need nobody's word: they run here in any case, in this very process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import date
from queue import Empty, SimpleQueue
from typing import Any

from uac_nb.errors import Diagnostic, RunError
from uac_nb.rules import Alert
from uac_nb.rules.alerts import yielded
from uac_nb.runtime import answers, wire
from uac_nb.runtime.oneshot import GUEST, OneShot, Watch
from uac_nb.runtime.programs import RuleRun
from uac_nb.runtime.starting import starter_rules

_KEPT = ("SYSTEMROOT",)  # without which Python does not start on Windows


class PlainEngine(OneShot):
    """Runs a program whose code is `trusted` (a function of `Program.code`); of any other only the starter rules.

    `why` says what is missing for a boundary, `ask` how to trust.
    """

    name = "none (trusted)"

    def __init__(self, trusted: Callable[[str], bool], *, why: str, ask: str) -> None:
        super().__init__()
        self._trusted = trusted
        self._why = f"there is no boundary here ({why}), so generated code does not run"
        self._how = ask

    def _ask(self, request: dict[str, Any], seconds: float) -> wire.Reply:
        if not self._trusted(self._program.code):
            raise RunError(f"{self._why}; {self._how}")
        return super()._ask(request, seconds)

    def rules(self, *, today: date, starter: bool = True, deadline: float = 5.0) -> RuleRun:
        if self._trusted(self._program.code):
            return super().rules(today=today, starter=starter, deadline=deadline)
        findings = list(self._rules.findings)
        alerts = (
            [alert for name, _ in self._starter(findings) for alert in self._ours(name, today, findings)] if starter else []
        )
        if self._rules.rules:
            findings.append(Diagnostic("not-trusted", "rules.py", f"the user's own rules did not run: {self._why}", self._how))
        return RuleRun(tuple(alerts), tuple(findings))

    def _ours(self, name: str, today: date, findings: list[Diagnostic]) -> Iterator[Alert]:
        """The alerts of one starter rule."""
        records = {collection: found for collection, (_, found) in self._program.collections.items()}
        try:
            yield from yielded(starter_rules()[name].function, records, today)
        except Exception as error:  # the rule is ours and what it reads is the user's: said, and the others still run
            findings.append(answers.crashed(name, error))

    def _run(self, data: bytes, watch: Watch) -> wire.Reply:
        guest = subprocess.Popen(
            [sys.executable, "-I", "-S", "-X", "utf8", str(GUEST)], cwd=os.path.abspath(os.sep), bufsize=0,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        parts: SimpleQueue[bytes] = SimpleQueue()
        for work, arguments in ((_feed, (guest, data)), (_drain, (guest, parts))):
            threading.Thread(target=work, args=arguments, daemon=True).start()
        try:
            while (part := parts.get(timeout=max(watch.left, 0.0))) and watch.take(part):
                pass
        except Empty:
            pass
        finally:
            guest.kill()
            status = guest.wait()
        return watch.reply(-status if status < 0 else status << 8)


def _feed(guest: subprocess.Popen[bytes], data: bytes) -> None:
    assert guest.stdin
    try:
        guest.stdin.write(data)
        guest.stdin.close()
    except OSError:
        pass  # it ended before it had read all


def _drain(guest: subprocess.Popen[bytes], parts: SimpleQueue[bytes]) -> None:
    """Hand on what the guest writes; an empty part is the end."""
    assert guest.stdout
    with guest.stdout as stream:
        while part := stream.read(1 << 16):
            parts.put(part)
    parts.put(b"")
