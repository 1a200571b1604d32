"""`Every` against python-dateutil, and what it says where days are not known."""

from __future__ import annotations

import pickle
from datetime import date, time, timedelta

import pytest
from dateutil import rrule
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.rules import Every, When

DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))
WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
FREQ = {"day": rrule.DAILY, "week": rrule.WEEKLY, "month": rrule.MONTHLY, "year": rrule.YEARLY}


def oracle(start: date, end: date, since: date, **rule: object) -> list[date]:
    begun = rrule.rrule(rule.pop("freq"), dtstart=_at(since), until=_at(end), **rule)  # type: ignore[arg-type]
    return [found.date() for found in begun if start <= found.date() <= end]


def _at(day: date):  # type: ignore[no-untyped-def]
    from datetime import datetime

    return datetime(day.year, day.month, day.day)


def listed(every: Every, start: date, end: date) -> list[date]:
    found = every.between(start, end)
    assert all(occasion.sure for occasion in found)
    return [occasion.on.date for occasion in found]


@given(DAYS, st.integers(0, 800), st.sets(st.integers(0, 6), min_size=1))
def test_weekdays(start: date, length: int, days: set[int]) -> None:
    end, text = start + timedelta(length), ",".join(WEEK[day] for day in sorted(days))
    assert listed(Every(text), start, end) == oracle(start, end, start, freq=rrule.WEEKLY, byweekday=sorted(days))


@given(DAYS, st.integers(0, 900), DAYS, st.integers(1, 9), st.sets(st.integers(0, 6), min_size=1))
def test_every_nth_week_from_a_day(start: date, length: int, since: date, n: int, days: set[int]) -> None:
    end, text = start + timedelta(length), ",".join(WEEK[day] for day in sorted(days))
    right = oracle(start, end, since, freq=rrule.WEEKLY, interval=n, byweekday=sorted(days)) if since <= end else []
    assert listed(Every(f"{n} weeks {text} from {since}"), start, end) == right


@given(DAYS, st.integers(0, 2000), DAYS, st.integers(1, 40), st.sampled_from(list(FREQ)))
def test_every_nth_from_a_day(start: date, length: int, since: date, n: int, unit: str) -> None:
    since, end = since.replace(day=min(since.day, 28)), start + timedelta(length)
    right = oracle(start, end, since, freq=FREQ[unit], interval=n) if since <= end else []
    assert listed(Every(f"{n} {unit}s from {since}"), start, end) == right


@given(DAYS, st.integers(0, 1500), st.sampled_from((1, 2, 3, 4, 5, -1)), st.integers(0, 6), st.sets(st.integers(1, 12)))
def test_nth_weekday_of_a_month(start: date, length: int, nth: int, day: int, months: set[int]) -> None:
    end, which = start + timedelta(length), {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th", -1: "last"}[nth]
    text = f"{which} {WEEK[day]}" + (" of " + ",".join(f"{m:02d}" for m in sorted(months)) if months else "")
    rule = {"freq": rrule.MONTHLY, "byweekday": rrule.weekday(day)(nth), "bymonth": sorted(months) or None}
    assert listed(Every(text), start, end) == oracle(start, end, start.replace(day=1), **rule)


@given(DAYS, st.integers(0, 1500), st.integers(1, 28), st.sampled_from(("", " of 06", " of 02,11")))
def test_day_of_a_month(start: date, length: int, day: int, of: str) -> None:
    end = start + timedelta(length)
    months = [int(m) for m in of[4:].split(",")] if of else None
    right = oracle(start, end, start.replace(day=1), freq=rrule.MONTHLY, bymonthday=day, bymonth=months)
    assert listed(Every(f"{day}th{of}"), start, end) == right


@given(DAYS, DAYS, st.sampled_from((
    "day", "tue,thu", "mon-fri 9:00", "2 weeks fri from 2025-01-10", "1st fri", "last day", "31st", "5th mon", "29th of 02",
    "6 months from 2025-01-31", "6 months from 2025-03", "3 days", "month", "2 weeks fri", "2x week", "3x year",
    "tue from 2024-11 until 2031-06", "100 years", "week from 2000", "4 weeks mon,wed", "day from 2024-01/2024-03",
)))  # fmt: skip
def test_next_is_the_first_of_those_between(today: date, other: date, text: str) -> None:
    every = Every(text)
    following = every.next(today)
    found = every.between(today, max(today, min(other, today + timedelta(4000))))
    if following is None:
        assert not found
    elif found:
        assert following.on.first <= found[0].on.first
        assert following.on.first >= today
        if found[0].on.exact and following.on.exact:
            assert following == found[0]
    assert [o.on.key for o in found] == sorted(o.on.key for o in found)
    low, high = every.count(today, today + timedelta(500))
    assert 0 <= low <= high


# By hand, from a calendar.
BETWEEN = [
    ("31st", "2025-01-30", "2025-04-30", ["2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30"]),
    ("last day of 02", "2024-01-01", "2025-12-31", ["2024-02-29", "2025-02-28"]),
    ("5th of 06", "2024-06-05", "2025-06-04", ["2024-06-05"]),
    ("last sun of 03,10", "2025-01-01", "2025-12-31", ["2025-03-30", "2025-10-26"]),
    ("1st,15th", "2025-02-10", "2025-03-10", ["2025-02-15", "2025-03-01"]),
    ("6 months from 2025-08-31", "2025-08-01", "2026-12-31", ["2025-08-31", "2026-02-28", "2026-08-31"]),
    ("sat-mon", "2025-03-07", "2025-03-12", ["2025-03-08", "2025-03-09", "2025-03-10"]),
    ("tue until 2025-03-11", "2025-03-01", "2025-04-01", ["2025-03-04", "2025-03-11"]),
    ("6 months from 2025-03", "2025-01-01", "2025-12-31", ["2025-03-01/2025-03-31", "2025-09-01/2025-09-30"]),
    ("2 weeks fri", "2025-03-03", "2025-03-30", ["2025-03-07/2025-03-14", "2025-03-21/2025-03-28"]),
    ("1x month", "2025-02-01", "2025-03-31", ["2025-02-01/2025-02-28", "2025-03-01/2025-03-31"]),
    ("2x week", "2025-03-03", "2025-03-09", ["2025-03-03/2025-03-09", "2025-03-03/2025-03-09"]),
    ("month", "2025-01-10", "2025-02-09", ["2025-01-10/2025-02-09"]),
    ("tue from 2025-03-05", "2025-03-01", "2025-03-12", ["2025-03-11"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "start", "end", "right"), BETWEEN, ids=[row[0] for row in BETWEEN])
def test_between(text: str, start: str, end: str, right: list[str]) -> None:
    found = Every(text).between(date.fromisoformat(start), date.fromisoformat(end))
    assert [occasion.on.text for occasion in found] == right
    assert all(occasion.sure for occasion in found)


NEXT = [
    ("tue 14:00-15:30", "2025-03-05", "2025-03-11", True),
    ("2 weeks fri from 2025-01-10", "2025-01-11", "2025-01-24", True),
    ("2 weeks fri", "2025-03-05", "2025-03-07/2025-03-14", True),
    ("6 months", "2025-03-05", "2025-03-05/2025-09-04", True),
    ("6 months from 2024-12-20", "2025-03-05", "2025-06-20", True),
    ("2x week", "2025-03-05", "2025-03-05/2025-03-16", True),
    ("tue until 2025-03", "2025-03-05", "2025-03-11", False),  # it may have ended on the 1st
    ("tue until 2025-03-10", "2025-03-05", None, None),
    ("tue from 2025-06", "2025-03-05", "2025-06-03", False),  # it may begin on the 30th
]


@pytest.mark.parametrize(("text", "today", "on", "sure"), NEXT, ids=[row[0] for row in NEXT])
def test_next(text: str, today: str, on: str | None, sure: bool | None) -> None:
    found = Every(text).next(date.fromisoformat(today))
    assert (found.on.text, found.sure) == (on, sure) if found else on is None


COUNT = [
    ("2x week", "2025-03-03", "2025-03-16", (4, 4)),
    ("2x week", "2025-03-05", "2025-03-11", (0, 4)),
    ("tue until 2025-03", "2025-02-24", "2025-03-31", (1, 5)),
    ("1st", "2025-01-01", "2025-12-31", (12, 12)),
]


@pytest.mark.parametrize(("text", "start", "end", "right"), COUNT)
def test_count(text: str, start: str, end: str, right: tuple[int, int]) -> None:
    assert Every(text).count(date.fromisoformat(start), date.fromisoformat(end)) == right


def test_hours() -> None:
    every = Every("tue,thu 9:00-10:30")
    assert (every.starts, every.ends) == (time(9), time(10, 30))
    assert Every("day 22:00-06:00").ends == time(6)


NONE = (
    "", "tuesday", "8 days a week", "0 days", "0th", "last", "32nd", "6th fri", "1st of 13", "2 months tue", "tue 25:00",
    "0x week", "tue from yesterday", "tue from --06-05", "tue from 2025 until 2024", "tue\n", "Tue", "1001 days",
    "tue; import os",
)  # fmt: skip


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_every(text: str) -> None:
    with pytest.raises(ValueError, match=r"write it as"):
        Every(text)


def test_it_is_a_value() -> None:
    every = Every("tue from 2025-03-05")
    assert every == Every("tue from 2025-03-05") != Every("tue")
    assert pickle.loads(pickle.dumps(every)) == every
    assert (repr(every), every.since) == ('Every("tue from 2025-03-05")', When("2025-03-05"))
    assert {every: 1}[Every("tue from 2025-03-05")] == 1
    with pytest.raises(AttributeError, match="cannot be changed"):
        every.text = "wed"


def test_it_lists_so_many_only() -> None:
    with pytest.raises(ValueError, match="100,000"):
        Every("day").between(date.min, date.max)


@pytest.mark.parametrize(
    "text", ["day", "sun", "last day", "31st of 12", "2 weeks fri", "year", "1000 years from 9000", "3x year"]
)
def test_it_stands_at_the_ends_of_time(text: str) -> None:
    every = Every(text)
    assert every.between(date(9999, 1, 1), date.max) is not None
    assert every.between(date.min, date(2, 1, 1)) is not None
    every.next(date.max), every.next(date.min)
