"""The life of alerts: the same records, day after day, with the events that each look appends."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.rules import Alert
from uac_nb.verbs.alerts import Raised, key, ordered, reconcile

DAY = date(2025, 3, 1)

rent = Alert(
    message="Conflict: rent", hint="Move it.", records=("rent", "bank"), evidence=(3, 1), severity="critical",
    occurrence="2025-04-01", rule="closed_account",
)  # fmt: skip
coat = Alert(message="Running out: coat", hint="Return it.", records=("coat",), evidence=(2,), severity="info", rule="window")


@dataclass
class Entry:
    data: dict[str, Any]


@dataclass
class Diary:
    """A log of alert events, and one look after another."""

    events: list[Entry] = field(default_factory=list)

    def look(self, *found: Alert, day: int = 0) -> list[tuple[str, str]]:
        """Each alert's rule and state, after the new events were appended."""
        raised, new = reconcile(found, self.events, now=DAY + timedelta(day))
        self.events += [Entry(data) for data in new]
        return [(r.alert.rule, r.state) for r in raised]

    def note(self, event: str, alert: Alert, **more: str) -> None:
        """What a person does with an alert."""
        self.events.append(Entry({"event": event, "key": key(alert), **more}))

    @property
    def said(self) -> list[str]:
        return [event.data["event"] for event in self.events]


def test_it_is_raised_once() -> None:
    diary = Diary()
    assert diary.look(rent) == [("closed_account", "open")]
    assert diary.look(rent, day=1) == [("closed_account", "open")]
    assert diary.said == ["raised"]


def test_an_event_holds_all_that_is_needed_to_say_it_again() -> None:
    _, new = reconcile([rent], [], now=DAY)
    assert new == [
        {
            "event": "raised", "key": "closed_account/bank+rent/2025-04-01", "on": "2025-03-01", "rule": "closed_account",
            "records": ["rent", "bank"], "occurrence": "2025-04-01", "severity": "critical", "message": "Conflict: rent",
            "hint": "Move it.", "evidence": [3, 1],
        }
    ]  # fmt: skip


def test_it_is_resolved_once_when_its_cause_goes_and_reopened_when_it_comes_back() -> None:
    diary = Diary()
    diary.look(rent)
    assert diary.look(day=1) == [("closed_account", "resolved")]
    assert diary.look(day=2) == []
    assert diary.look(rent, day=3) == [("closed_account", "reopened")]
    assert diary.look(rent, day=4) == [("closed_account", "reopened")]
    assert diary.said == ["raised", "resolved", "reopened"]


@pytest.mark.parametrize("settled", ["acknowledged", "snoozed"])
def test_settled_it_is_reopened_once_it_is_graver(settled: str) -> None:
    diary = Diary()
    diary.look(coat)
    diary.note(settled, coat, until="2025-04-01")
    assert diary.look(coat, day=1) == [("window", settled)]
    graver = replace(coat, severity="warning")
    assert diary.look(graver, day=2) == [("window", "reopened")]
    assert diary.look(graver, day=3) == [("window", "reopened")]
    diary.note("acknowledged", coat)
    assert diary.look(graver, day=4) == diary.look(coat, day=5) == [("window", "acknowledged")]
    assert diary.look(replace(coat, severity="critical"), day=6) == [("window", "reopened")]
    assert diary.said == ["raised", settled, "reopened", "acknowledged", "reopened"]


def test_that_it_became_graver_while_open_was_seen_by_who_acknowledges_it() -> None:
    diary = Diary()
    diary.look(coat)
    graver = replace(coat, severity="critical")
    assert diary.look(graver, day=1) == diary.look(graver, day=2) == [("window", "open")]
    diary.note("acknowledged", coat)
    assert diary.look(graver, day=3) == [("window", "acknowledged")]
    assert diary.said == ["raised", "rose", "acknowledged"]


def test_acknowledged_it_stays_quiet_until_its_cause_goes_and_comes_back() -> None:
    diary = Diary()
    diary.look(rent)
    diary.note("acknowledged", rent)
    assert diary.look(rent, day=30) == [("closed_account", "acknowledged")]
    assert diary.look(day=31) == [("closed_account", "resolved")]
    assert diary.look(rent, day=32) == [("closed_account", "reopened")]
    assert diary.said == ["raised", "acknowledged", "resolved", "reopened"]


def test_snoozed_it_is_open_again_on_that_day() -> None:
    diary = Diary()
    diary.look(rent)
    diary.note("snoozed", rent, until="2025-03-08")
    assert diary.look(rent, day=6) == [("closed_account", "snoozed")]
    assert diary.look(rent, day=7) == [("closed_account", "open")]
    assert diary.look(rent, day=8) == [("closed_account", "open")]
    assert diary.said == ["raised", "snoozed"]


def test_snoozed_it_is_resolved_all_the_same() -> None:
    diary = Diary()
    diary.look(rent)
    diary.note("snoozed", rent, until="2025-03-08")
    assert diary.look(day=1) == [("closed_account", "resolved")]


def test_since_is_the_day_it_was_raised_or_came_back() -> None:
    diary = Diary()
    diary.look(rent)
    diary.note("snoozed", rent, until="2025-03-08")
    (snoozed,), _ = reconcile([rent], diary.events, now=DAY + timedelta(2))
    assert (snoozed.since, snoozed.until) == (DAY, date(2025, 3, 8))
    (again,), _ = reconcile([rent], diary.events, now=DAY + timedelta(7))
    assert (again.since, again.until) == (DAY, None)
    diary.look(day=8)
    (back,), _ = reconcile([rent], diary.events, now=DAY + timedelta(9))
    assert back.since == DAY + timedelta(9)


def test_the_next_occurrence_is_another_alert() -> None:
    diary = Diary()
    diary.look(rent)
    diary.note("acknowledged", rent)
    may = replace(rent, occurrence="2025-05-01")
    assert diary.look(may, day=31) == [("closed_account", "open"), ("closed_account", "resolved")]


def test_the_words_are_those_of_today_and_once_resolved_the_last_that_were_noted() -> None:
    diary = Diary()
    diary.look(rent)
    (now,), new = reconcile([replace(rent, message="Conflict: rent, 3 days left")], diary.events, now=DAY)
    assert (now.alert.message, new) == ("Conflict: rent, 3 days left", [])
    (gone,), _ = reconcile([], diary.events, now=DAY)
    assert gone.alert == rent


def test_of_two_with_one_identity_the_graver_is_said() -> None:
    (one,), new = reconcile([replace(coat, severity="critical", message="graver"), coat], [], now=DAY)
    assert (one.alert.message, len(new)) == ("graver", 1)


def test_a_note_on_an_alert_that_was_never_raised_is_kept() -> None:
    diary = Diary()  # a look at a pinned day raises nothing in the log
    diary.note("acknowledged", rent)
    assert diary.look(rent) == [("closed_account", "acknowledged")]
    assert diary.look() == []


@pytest.mark.parametrize("data", [{}, {"event": "raised"}, {"event": "unheard of", "key": "x"}, {"key": "x"}])
def test_other_events_are_passed_over(data: dict[str, Any]) -> None:
    raised, _ = reconcile([coat], [Entry(data)], now=DAY)
    assert [r.state for r in raised] == ["open"]


def test_the_key_does_not_depend_on_the_order_of_records() -> None:
    assert key(rent) == key(replace(rent, records=("bank", "rent"), message="", severity=None, evidence=()))
    assert (
        len({key(rent), key(replace(rent, rule="x")), key(replace(rent, records=("rent",))), key(replace(rent, occurrence=""))})
        == 4
    )


def test_open_before_settled_then_the_gravest_then_the_newest() -> None:
    def at(state: Any, severity: Any, day: int, name: str) -> Raised:
        return Raised(replace(coat, severity=severity), name, state, DAY + timedelta(day))

    rows = [
        at("reopened", "critical", 2, "a"), at("open", "critical", 1, "b"), at("open", "warning", 9, "c"),
        at("reopened", "info", 1, "d"), at("open", "info", 1, "e"), at("snoozed", "critical", 1, "f"),
        at("acknowledged", "critical", 1, "g"), at("resolved", "critical", 1, "h"),
    ]  # fmt: skip
    assert [r.key for r in ordered(reversed(rows))] == list("abcdefgh")


@given(st.lists(st.tuples(st.sampled_from(["look", "away", "acknowledged", "snoozed"]), st.integers(0, 9)), max_size=12))
def test_a_second_look_on_a_day_adds_nothing(steps: list[tuple[str, int]]) -> None:
    diary, today = Diary(), 0
    for step, days in steps:
        today += days
        found = [] if step == "away" else [rent, coat]
        diary.look(*found, day=today)
        if step in ("acknowledged", "snoozed"):
            diary.note(step, rent, until=(DAY + timedelta(today + 3)).isoformat())
        before = len(diary.events)
        diary.look(*found, day=today)
        assert len(diary.events) == before
    for alert in (rent, coat):
        life = [e.data["event"] for e in diary.events if e.data["key"] == key(alert) and e.data["event"] in LIFE]
        assert life == ["raised", *["resolved", "reopened"] * len(life)][: len(life)]


LIFE = ("raised", "resolved", "reopened")
