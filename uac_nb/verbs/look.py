"""What the rules and the type checker say of a project as it is, and what the log remembers of each alert."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from uac_nb.changes import Workspace
from uac_nb.check.types import check_types
from uac_nb.errors import Diagnostic, RunError, UacError
from uac_nb.log import Draft, Log
from uac_nb.rules import Alert
from uac_nb.runtime import Engine, program
from uac_nb.verbs import alerts as alerting
from uac_nb.verbs.alerts import Raised

CONCERN = "concern_stands"  # the rule of ours that tells what no rule does
MANY = 5  # entries named in a finding
MOST_DIGITS = 20  # of each


class Look(NamedTuple):
    """What the rules say of a day, and what is to be said of the rules."""

    alerts: tuple[Raised, ...]
    findings: tuple[Diagnostic, ...]


def look(log: Log, engine: Callable[[], Engine], day: date, *, record: bool) -> Look:
    """Run the rules as of a day; where asked, and where the log can be written, record what became of each alert.

    An engine that is missing is a finding, and so is evidence that the log does not have: the alert stands without it.
    """
    try:
        ran = engine().rules(today=day)
    except RunError as error:
        told = f"the rules did not run: {error}"
        return Look((), (Diagnostic("rules", "rules", told, "uac-nb doctor says what is missing"),))
    events, strays = log.entries(kinds=("alert",)), dict[str, Diagnostic]()
    found = [_grounded(alert, log.last, strays) for alert in _without_repeats(ran.alerts)]
    raised, news = alerting.reconcile(found, events, now=day)
    if record and not log.database.frozen:
        log.append(map(_draft, news))
    elif not record:  # of what only this look has found, nobody knows since when
        first = {event["key"] for event in news if event["event"] in ("raised", "reopened")}
        raised = [replace(each, since=None) if each.key in first else each for each in raised]
    return Look(tuple(raised), (*ran.findings, *strays.values()))


def _without_repeats(alerts: Collection[Alert]) -> list[Alert]:
    """The alerts, less each concern of which a rule says as much: of two of its premises, or of the one that it has."""
    ruled = [{*alert.records} for alert in alerts if alert.rule != CONCERN]
    return [a for a in alerts if a.rule != CONCERN or not any(len(r & {*a.records}) >= min(2, len(a.records)) for r in ruled)]


def _grounded(alert: Alert, last: int, strays: dict[str, Diagnostic]) -> Alert:
    """The alert, less the evidence beyond the `last` entry of the log; of a rule that gives such, one finding is kept."""
    known = tuple(id for id in alert.evidence if 0 < id <= last)
    if gone := [str(id)[:MOST_DIGITS] for id in alert.evidence if id not in known]:
        told = f"the rule {alert.rule} gives {', '.join(gone[:MANY])} as evidence, and the log has no such entry"
        hint = "its alert is shown without; give the `source` of the records that it is about"
        strays.setdefault(alert.rule, Diagnostic("rule-evidence", "rules", told, hint))
    return replace(alert, evidence=known)


def note(log: Log, key: str, event: str, alerts: Callable[[], Collection[Raised]], day: date, **more: str) -> None:
    """Note what a person did about an alert on a day. Raise UacError where neither the log nor a look at the rules knows it.

    One that was only looked at so far, as of another day than today, is noted with it: what was done about an alert says
    little without the alert.
    """
    drafts = [Draft(kind="alert", role="user", data={"event": event, "key": key, **more})]
    if not _knows(log, key):
        found = next((raised for raised in alerts() if raised.key == key), None)
        if found is None:
            raise UacError(f"there is no alert {key!r}; alerts() lists those there are, each with its key")
        if not _knows(log, key):  # on the real day the look itself has noted it
            drafts.insert(0, _draft(alerting.raising(found, day)))
    log.append(drafts)


def _knows(log: Log, key: str) -> bool:
    return any(entry.data.get("key") == key for entry in log.entries(kinds=("alert",)))


def _draft(event: Mapping[str, Any]) -> Draft:
    return Draft(kind="alert", role="system", text=event.get("message", ""), data=event)


def mistyped(before: Workspace, after: Workspace) -> tuple[Diagnostic, ...]:
    """What does not hold in the types of the code, where it has changed; and where nothing could look, that."""
    made = program(after)
    return check_types(made.definitions, made.rules) if made.code != program(before).code else ()
