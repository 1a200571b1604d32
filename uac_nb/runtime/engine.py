"""The host's side of running untrusted code, whatever the boundary: it gates, asks, and checks what comes back."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from datetime import date
from typing import Any, Self

from uac_nb import starter
from uac_nb.check import gate
from uac_nb.errors import Diagnostic, RunError
from uac_nb.rules import Alert, Unknown
from uac_nb.runtime import answers, rulefile, wire
from uac_nb.runtime.programs import Program, Result, RuleRun
from uac_nb.runtime.rulefile import RuleFile
from uac_nb.runtime.starting import starter_rules

OWN = 10.0  # seconds for all of a project's own rules: nobody waits at every look for those that loop
_NOTHING = Program(key="")


class Host(ABC):
    """An engine but for its boundary, which a subclass puts around whatever it is asked. Threads take turns.

    Close it, or use it in a ``with`` statement.
    """

    name: str

    def __init__(self) -> None:
        self._program = _NOTHING
        self._rules = RuleFile()
        self._lock = threading.RLock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """End what runs. It starts again by itself when the engine is used again."""

    @abstractmethod
    def _ask(self, request: dict[str, Any], seconds: float) -> wire.Reply:
        """Have a request done over the current program, within so many seconds in all. Raise RunError."""

    @abstractmethod
    def _taken(self) -> None:
        """Another program was taken."""

    # --- the three verbs ---

    def load(self, program: Program) -> None:
        """Take a project, if its key is another.

        Raise CheckError when its definitions are refused, RunError where there is no boundary. A refused rule is left out.
        """
        with self._lock:
            if program.key == self._program.key and self._program is not _NOTHING:
                return
            for domain, text in program.definitions.items():
                if text != self._program.definitions.get(domain):
                    gate(text, where=f"{domain}.py", kind="definitions", domains=program.definitions)
            if program.rules != self._program.rules or program.definitions.keys() != self._program.definitions.keys():
                self._rules = rulefile.read(program.rules, program.definitions.keys())
            self._program = program
            self._taken()

    def run(self, code: str, *, today: date, deadline: float = 5.0) -> Result:
        """Run a query, `deadline` seconds at most.

        Bound are every collection by its name (a list of records), the record types, derived values (called without
        arguments), `today`, When, Every, Zone, Money, Said, Note, Unknown, continent, date, datetime, time,
        timedelta and Decimal. Raise CheckError when it is refused; RunError when it fails, with the line ("query:2: …") and
        what to do.
        """
        gate(code, where="query", kind="query", domains={*self._program.definitions, "rules"})
        began = time.monotonic()
        request = {
            "do": "run",
            "code": code,
            "derived": list(self._rules.derived),
            "today": today.isoformat(),
            "deadline": deadline,
        }
        reply = self._ask(request, deadline)
        answer = answers.only(reply, deadline)
        types = {kind.name: kind for kind in self._program.types}
        return answers.result(answer, types, time.monotonic() - began)

    def rules(self, *, today: date, starter: bool = True, deadline: float = 5.0) -> RuleRun:
        """Run the starter rules and the user's own, each `deadline` seconds at most; one that fails stops no other.

        The starter rules come first. Those of the user's own that have no turn within `OWN` seconds are told in one finding.
        A derived value that is not known is an alert too.
        """
        with self._lock:
            alerts: list[Alert] = []
            findings = list(self._rules.findings)
            ours = list(self._starter(findings)) if starter else []
            own = list(self._own(findings))
            for jobs, budget in ((ours, deadline * len(ours)), (own, OWN)):  # apart: no starter rule sees what is their own
                self._answered(jobs, today, deadline, budget, alerts, findings)
            alerts += self._unknown(today, deadline, findings)
            return RuleRun(tuple(alerts), tuple(findings))

    def _unknown(self, today: date, deadline: float, findings: list[Diagnostic]) -> Iterator[Alert]:
        """An alert for each derived value that is not known, and a finding for each that fails."""
        for name in self._rules.derived:
            try:
                value = self.run(f"{name}()", today=today, deadline=deadline).value
            except RunError as error:
                findings.append(Diagnostic("derived-failed", "rules.py", f"the derived value {name}: {error}", "put it right"))
                continue
            if isinstance(value, Unknown):
                yield answers.unknown(name, value)

    def _answered(
        self,
        jobs: list[tuple[str, bool]],
        today: date,
        deadline: float,
        budget: float,
        alerts: list[Alert],
        findings: list[Diagnostic],
    ) -> None:
        """Run rules until all have answered, or the budget is spent, in as many children as that takes."""
        until = time.monotonic() + budget
        while jobs and (left := until - time.monotonic()) > 0:
            within = min(left, deadline * len(jobs))
            reply = self._ask(
                {"do": "rules", "jobs": jobs, "today": today.isoformat(), "deadline": deadline, "within": within}, within
            )
            lines = answers.lines(reply)
            if lines and (broken := answers.broken(lines[-1])):
                findings.append(broken)
                jobs = jobs[: len(lines) - 1]
            for (name, own), line in zip(jobs, lines, strict=False):
                found, trouble = answers.rule(name, line, own, self._program.rules)
                alerts += found
                findings += trouble
            jobs = jobs[len(lines) :]
            full = reply.reason == wire.TOO_LARGE  # of what the rules before told: the next is asked anew
            short = reply.reason == wire.DEADLINE and time.monotonic() >= until and (lines or left < deadline)
            if jobs and not short and not (lines and (full or answers.ends(lines[-1]))):
                findings.append(answers.late(jobs.pop(0)[0], reply, deadline))
        if jobs:
            findings.append(answers.no_turn([name for name, _ in jobs], budget))

    def _starter(self, findings: list[Diagnostic]) -> Iterator[tuple[str, bool]]:
        """The starter rules that are neither overridden nor off, with a finding for those that lost the same fields."""
        ours = starter_rules()
        findings += answers.no_rules(self._rules.off, list(ours))
        lame: dict[str, list[str]] = {}
        for name, rule in ours.items():
            if name in self._rules.rules or name in self._rules.off:
                continue
            if lost := self._program.lost(rule.needs):
                lame.setdefault(answers.missing(lost), []).append(name)
            else:
                yield name, False
        findings += [answers.lost(names, what) for what, names in lame.items()]

    def _own(self, findings: list[Diagnostic]) -> Iterator[tuple[str, bool]]:
        """The user's own rules, with a finding for each that lost a field, and for each name that is nobody's."""
        there = {name: kind for name, (kind, _) in self._program.collections.items()}
        there |= {name: ready.name for name, ready in starter.TYPES.items()}
        known = {*there, *self._rules.derived}
        for name in (*self._rules.rules, *self._rules.derived):
            findings += answers.nobodys(name, [c for c in self._rules.named[name] if c not in known], there)
        for name in self._rules.rules:
            if lost := self._program.lost(self._rules.reads[name]):
                findings.append(answers.lost([name], answers.missing(lost), own=True))
            else:
                yield name, True
