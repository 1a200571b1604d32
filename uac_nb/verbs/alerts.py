"""The life of an alert: raised once, acknowledged or snoozed, resolved when its cause goes, reopened when it comes back.

One that was settled is reopened too when it has become graver; that it became so while it was open is noted ("rose").

Rules say every time what holds now; the log remembers what was said before. These functions compare the two. They do not
read or write anything: the caller hands over the alert events of the log, and appends those that come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Literal, Protocol

from uac_nb.rules import SEVERITIES, Alert

State = Literal["open", "reopened", "snoozed", "acknowledged", "resolved"]
STATES: tuple[State, ...] = ("open", "reopened", "snoozed", "acknowledged", "resolved")  # in order of display


@dataclass(frozen=True, slots=True)
class Raised:
    """An alert and where it stands.

    `since`: the day it was raised or came back, None where that is not recorded; `until`: that up to which it is snoozed.
    """

    alert: Alert
    key: str
    state: State
    since: date | None = None
    until: date | None = None


def origin(alert: Alert) -> str:
    """Who says so, where it is no rule that comes with us."""
    from uac_nb.starter import RULES  # late: where no alert is shown nobody needs them

    return "" if any(rule.__name__ == alert.rule for rule in RULES) else "a rule of this project"


class Event(Protocol):
    """A log entry of kind "alert"."""

    @property
    def data(self) -> Mapping[str, Any]: ...


def key(alert: Alert) -> str:
    """An alert's identity: its rule, its records, and its occurrence.

    >>> key(Alert(message="", hint="", records=("rent", "bank"), evidence=(), rule="closed_account", occurrence="2025-03-01"))
    'closed_account/bank+rent/2025-03-01'
    """
    return "/".join((alert.rule, "+".join(sorted(alert.records)), alert.occurrence))


def reconcile(found: Sequence[Alert], events: Iterable[Event], *, now: date) -> tuple[list[Raised], list[dict[str, Any]]]:
    """Where each alert stands on the day `now`, in order of display, and the events that this adds to the log.

    An alert that is no longer found is returned once, as resolved. Appending the events and asking again adds nothing.
    """
    before = _lives(events)
    holds = {key(alert): alert for alert in sorted(found, key=_gravity, reverse=True)}  # of two with one key, the graver
    raised = [_standing(alert, k, before.get(k), now) for k, alert in holds.items()]
    raised += [_gone(life, k) for k, life in before.items() if k not in holds and life.lasts]
    new = [_event(r, before.get(r.key), now) for r in raised if _is_news(r, before.get(r.key))]
    return ordered(raised), new


def raising(raised: Raised, day: date) -> dict[str, Any]:
    """The event that an alert was raised, on the day of the look that found it."""
    return _event(raised, None, day)


def ordered(raised: Iterable[Raised]) -> list[Raised]:
    """For display: what is open before what is settled, the gravest first, of equals the newest."""
    return sorted(raised, key=lambda r: (_settled(r), _gravity(r.alert), -(r.since or date.min).toordinal(), r.key))


# --- what the log says of each alert ---


@dataclass(slots=True)
class _Life:
    """What the events said of one alert: where it stood at the end, and its words, where it was last told in them."""

    state: State = "open"
    since: date | None = None
    until: date | None = None
    alert: Alert | None = None

    @property
    def lasts(self) -> bool:
        return self.state != "resolved" and self.alert is not None

    def rises(self, alert: Alert) -> bool:
        """Whether the alert is graver now than it was last said to be."""
        return self.lasts and self.alert is not None and _gravity(alert) < _gravity(self.alert)


_STATE_AFTER: Mapping[str, State] = {
    "raised": "open", "reopened": "reopened", "snoozed": "snoozed", "acknowledged": "acknowledged", "resolved": "resolved",
}  # fmt: skip


def _lives(events: Iterable[Event]) -> dict[str, _Life]:
    lives: dict[str, _Life] = {}
    for each in events:
        data = each.data
        event = data.get("event", "")
        if event not in (*_STATE_AFTER, "rose") or "key" not in data:
            continue
        life = lives.setdefault(data["key"], _Life())
        life.state, life.until = _STATE_AFTER.get(event, life.state), _day(data.get("until"))
        if event in ("raised", "reopened"):
            life.since = _day(data.get("on"))
        if event in ("raised", "reopened", "rose"):
            life.alert = _alert(data)
    return lives


def _alert(data: Mapping[str, Any]) -> Alert:
    return Alert(
        message=data["message"], hint=data["hint"], records=tuple(data["records"]), evidence=tuple(data["evidence"]),
        severity=data["severity"], occurrence=data["occurrence"], rule=data["rule"],
    )  # fmt: skip


# --- what follows ---


def _standing(alert: Alert, key: str, life: _Life | None, now: date) -> Raised:
    """An alert that holds now."""
    if life is None:
        return Raised(alert, key, "open", now)
    if life.state == "resolved" or (life.state in ("acknowledged", "snoozed") and life.rises(alert)):
        return Raised(alert, key, "reopened", now)
    if life.state == "snoozed" and (life.until is None or life.until <= now):
        return Raised(alert, key, "open", life.since)
    return Raised(alert, key, life.state, life.since, life.until)


def _gone(life: _Life, key: str) -> Raised:
    """An alert whose cause has gone."""
    assert life.alert is not None
    return Raised(life.alert, key, "resolved", life.since)


def _is_news(raised: Raised, life: _Life | None) -> bool:
    """Whether the log does not say so yet. That a snooze has ended needs no event: its day says so."""
    changed = life is None or (raised.state != life.state and raised.state in ("reopened", "resolved"))
    return changed or (life is not None and life.rises(raised.alert))


def _event(raised: Raised, life: _Life | None, now: date) -> dict[str, Any]:
    name = "raised" if life is None else "rose" if raised.state == life.state else raised.state
    alert = {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(raised.alert).items()}
    return {"event": name, "key": raised.key, "on": now.isoformat(), **alert}


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _gravity(alert: Alert) -> int:
    return SEVERITIES.index(alert.severity or "info")


def _settled(raised: Raised) -> int:
    """Open and reopened stand together."""
    return max(STATES.index(raised.state), 1)
