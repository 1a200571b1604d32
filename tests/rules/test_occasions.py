"""The days of records that take place once or come again: what is ahead, what falls together, how often in a year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.rules import Every, Money, When, ahead, coming, following, occasions, overlap, overlaps, singled, times
from uac_nb.rules.alerts import run
from uac_nb.rules.occasions import hours
from uac_nb.rules.words import dates_of
from uac_nb.starter.rules import commitments_overlap
from uac_nb.starter.rules.charges import next_due, next_renewal
from uac_nb.starter.types.life import Event, Practice
from uac_nb.starter.types.money import Payment, Subscription
from uac_nb.starter.types.schedule import Commitment
from uac_nb.starter.types.travel import Trip

TODAY = date(2025, 3, 1)  # a Saturday

YOGA = Practice(id="yoga", title="yoga", every=Every("tue 18:00-19:30"), source=(1,))
TWICE = Practice(id="gym", title="gym", every=Every("2x week"), source=(2,))
CLASS = Commitment(
    id="class", title="Portuguese class", on=When("2025-01-10"), every=Every("2 weeks fri 17:00-18:00"),
    until=When("2025-06"), source=(3,),
)  # fmt: skip
DENTIST = Commitment(id="dentist", title="dentist", on=When("2025-03-04"), starts=time(19), ends=time(20), source=(4,))
TRIP = Trip(id="rome", title="trip to Rome", to="Rome", departs=When("2025-03-05"), returns=When("2025-03-12"), source=(5,))
RENT = Payment(id="rent", title="rent", amount=Money(900, "EUR"), repeats=Every("1st"), source=(6,))
FAIR = Event(id="fair", title="fair", on=When("2025-03"), status="planned", source=(7,))


def told(record: Any, start: str, end: str) -> list[str]:
    found = occasions(record, date.fromisoformat(start), date.fromisoformat(end))
    return [on.text + "?" * (not sure) for on, sure in found]


@pytest.mark.parametrize(
    ("record", "start", "end", "expected"),
    [
        pytest.param(YOGA, "2025-03-01", "2025-03-14", ["2025-03-04", "2025-03-11"], id="weekly, since nobody knows when"),
        pytest.param(replace(YOGA, since=When("2025-03-10")), "2025-03-01", "2025-03-14", ["2025-03-11"], id="begun later"),
        pytest.param(replace(YOGA, until=When("2025-03-04")), "2025-03-01", "2025-03-14", ["2025-03-04"], id="ended"),
        pytest.param(
            replace(YOGA, since=When("2025-03")), "2025-03-01", "2025-04-02", ["2025-03-04?", "2025-03-11?", "2025-03-18?",
            "2025-03-25?", "2025-04-01"], id="begun at some time in March",
        ),
        pytest.param(
            TWICE, "2025-03-03", "2025-03-09", ["2025-03-03/2025-03-09", "2025-03-03/2025-03-09"], id="on unknown days"
        ),
        pytest.param(CLASS, "2025-03-01", "2025-03-31", ["2025-03-07", "2025-03-21"], id="every other, from its first day"),
        pytest.param(CLASS, "2025-06-20", "2025-07-31", ["2025-06-27?"], id="it ends at some time in June"),
        pytest.param(DENTIST, "2025-03-01", "2025-03-31", ["2025-03-04"], id="once"),
        pytest.param(DENTIST, "2025-03-05", "2025-03-31", [], id="over"),
        pytest.param(TRIP, "2025-03-10", "2025-03-31", ["2025-03-05"], id="it has begun"),
        pytest.param(FAIR, "2025-03-10", "2025-03-31", ["2025-03?"], id="perhaps before"),
        pytest.param(replace(FAIR, on=None), "2025-03-10", "2025-03-31", [], id="no day"),
    ],
)  # fmt: skip
def test_when_it_takes_place(record: Any, start: str, end: str, expected: list[str]) -> None:
    assert told(record, start, end) == expected


def test_what_comes_again_is_ahead_as_long_as_it_does() -> None:
    stopped = replace(YOGA, id="stopped", status="ended")
    over = replace(CLASS, id="over", until=When("2025-02"))
    assert ahead([YOGA, stopped, TWICE, CLASS, over, DENTIST, FAIR], TODAY) == [YOGA, TWICE, CLASS, DENTIST, FAIR]
    assert ahead([CLASS], date(2025, 6, 27)) == [CLASS]
    assert ahead([CLASS], date(2025, 6, 28)) == []


def test_its_days_are_those_of_the_whole_time() -> None:
    assert dates_of(CLASS) == (When("2025-01-10"), When("2025-06"))
    assert dates_of(replace(CLASS, until=None)) == (When("2025-01-10"), When("2025-01-10/.."))
    assert dates_of(YOGA) == (None, None)


def test_what_is_in_the_next_two_weeks() -> None:
    found = coming([YOGA, CLASS, DENTIST, TRIP, FAIR], TODAY, 14)
    assert [(o.on.text, r.id) for o, r in found] == [
        ("2025-03", "fair"), ("2025-03-04", "yoga"), ("2025-03-04", "dentist"), ("2025-03-05", "rome"), ("2025-03-07", "class"),
        ("2025-03-11", "yoga"),
    ]  # fmt: skip


def test_the_next_time() -> None:
    assert following(YOGA, TODAY) == (When("2025-03-04"), True)
    assert following(CLASS, date(2025, 6, 28)) is None
    assert following(DENTIST, TODAY) is None
    assert (hours(YOGA), hours(DENTIST)) == ((time(18), time(19, 30)), (time(19), time(20)))


def test_a_year_of_rent() -> None:
    """What is paid in a year is a range where it is not known how often."""
    year = date(2025, 1, 1), date(2025, 12, 31)
    assert times(RENT, *year) == (12, 12)
    assert times(replace(RENT, on=When("2025-03")), *year) == (9, 10)
    assert times(replace(RENT, on=When("2025-02/2025-04")), *year) == (8, 11)
    assert next_due(RENT, TODAY) == When("2025-03-01")
    assert next_due(replace(RENT, repeats=Every("6 months from 2025-01-15")), TODAY) == When("2025-07-15")
    paper = Subscription(id="paper", title="paper", renews=When("2025-02-10"), repeats=Every("3 months"), source=(8,))
    assert next_renewal(replace(paper, repeats=Every("3 months from 2025-02-10")), TODAY) == When("2025-05-10")


def test_what_falls_together_with_what_comes_again() -> None:
    within = TODAY, date(2025, 4, 30)
    assert overlap(YOGA, DENTIST, within) == (date(2025, 3, 4), date(2025, 3, 4))
    assert overlap(YOGA, DENTIST) is None
    assert [(b.id, s.isoformat()) for _, b, s, _ in overlaps([TRIP], [YOGA, CLASS], within)] == [
        ("class", "2025-03-07"), ("yoga", "2025-03-11"),
    ]  # fmt: skip
    single = [*singled([CLASS], *within)]
    assert [(c.on.text, c.starts, c.every, c.until) for c in single[:2]] == [
        ("2025-03-07", time(17), None, None), ("2025-03-21", time(17), None, None),
    ]  # fmt: skip


SPANS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 6)), max_size=6)


@given(SPANS, SPANS)
def test_what_falls_together_is_what_shares_days(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> None:
    def made(spans: Sequence[tuple[int, int]]) -> list[Commitment]:
        days = [(TODAY + timedelta(start), TODAY + timedelta(start + long)) for start, long in spans]
        return [
            Commitment(id=str(n), title="x", on=When(a), until=When(b), source=(n,)) for n, (a, b) in enumerate(days)
        ]  # fmt: skip

    expected = {
        (a, b): (max(one[a][0], other[b][0]), min(sum(one[a]), sum(other[b])))
        for a in range(len(one))
        for b in range(len(other))
        if max(one[a][0], other[b][0]) <= min(sum(one[a]), sum(other[b]))
    }
    found = list(overlaps(made(one), made(other)))
    assert len(found) == len(expected)
    assert {(int(a.id), int(b.id)): ((s - TODAY).days, (e - TODAY).days) for a, b, s, e in found} == expected


# --- the rule ---


@pytest.mark.parametrize(
    ("commitments", "practices", "expected"),
    [
        pytest.param([DENTIST], [YOGA], [("info", ("dentist", "yoga"))], id="within the hours of a practice"),
        pytest.param([replace(DENTIST, starts=time(19, 30))], [YOGA], [], id="just after"),
        pytest.param([replace(DENTIST, on=When("2025-03-05"))], [YOGA], [], id="on another day"),
        pytest.param([DENTIST], [replace(YOGA, every=Every("tue"))], [], id="no hours are known"),
        pytest.param([DENTIST], [replace(YOGA, every=Every("2 weeks tue 18:00-19:30"))], [], id="nobody says which Tuesday"),
        pytest.param([], [YOGA, replace(YOGA, id="choir")], [], id="two practices: people know"),
        pytest.param(
            [CLASS, replace(DENTIST, on=When("2025-03-21"), starts=time(17, 30))], [], [("warning", ("class", "dentist"))],
            id="one of a series",
        ),
        pytest.param(
            [CLASS, replace(DENTIST, on=When("2025-03-14"), starts=time(17, 30))], [], [], id="in the week between"
        ),
        pytest.param(
            [CLASS, replace(CLASS, id="choir", title="choir", every=Every("fri 17:30-19:00"))], [],
            [("warning", ("choir", "class"))], id="two series, told once",
        ),
    ],
)  # fmt: skip
def test_the_schedule_sees_what_comes_again(
    commitments: list[Commitment], practices: list[Practice], expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    found = run(commitments_overlap, {"commitments": commitments, "practices": practices}, TODAY)
    assert [(alert.severity, alert.records) for alert in found] == expected


def test_it_names_the_day() -> None:
    (alert,) = run(commitments_overlap, {"commitments": [DENTIST], "practices": [YOGA]}, TODAY)
    assert alert.message.startswith(
        "Conflict: your yoga (Tuesday, March 4, 2025, 6:00 PM to 7:30 PM) overlaps with your dentist "
        "(Tuesday, March 4, 2025, 7:00 PM to 8:00 PM)."
    )
