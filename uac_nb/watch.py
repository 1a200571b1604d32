"""What the rules and the type checker say of a project as it is, and what the log remembers of each alert."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date

from uac_nb import alerts as alerting
from uac_nb.alerts import Raised
from uac_nb.changes import Workspace
from uac_nb.check.types import check_types
from uac_nb.errors import Diagnostic, RunError, UacError
from uac_nb.log import Draft, Log
from uac_nb.runtime import Engine, program


def look(log: Log, engine: Callable[[], Engine], day: date, *, record: bool) -> tuple[tuple[Raised, ...], list[Diagnostic]]:
    """Run the rules as of a day; where asked, record what became of each alert. An engine that is missing is a finding."""
    try:
        ran = engine().rules(today=day)
    except RunError as error:
        return (), [Diagnostic("rules", "rules", f"the rules did not run: {error}", "uac-nb doctor says what is missing")]
    events = log.entries(kinds=("alert",))
    raised, news = alerting.reconcile(ran.alerts, events, now=day)
    if record:
        log.append([Draft(kind="alert", role="system", text=e.get("message", ""), data=e) for e in news])
    return tuple(raised), list(ran.findings)


def note(log: Log, key: str, event: str, raised: Callable[[], Collection[Raised]], **more: str) -> None:
    """Note what a person did about an alert. Raise UacError where neither the log nor the rules know it."""
    told = (entry.data.get("key") for entry in log.entries(kinds=("alert",)))
    if key not in {*told, *(alert.key for alert in raised())}:
        raise UacError(f"there is no alert {key!r}; alerts() lists those there are, each with its key")
    log.append([Draft(kind="alert", role="user", data={"event": event, "key": key, **more})])


def mistyped(before: Workspace, after: Workspace) -> tuple[Diagnostic, ...]:
    """What does not hold in the types of the code, where it has changed; and where nothing could look, that."""
    made = program(after)
    return check_types(made.definitions, made.rules) if made.code != program(before).code else ()
