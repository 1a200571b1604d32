"""What a project imports: dates as in ISO 8601-2, money, the words of messages, rules and their alerts."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb import rules
from uac_nb.rules import (
    CONTINENTS,
    Alert,
    Money,
    Note,
    Said,
    Unknown,
    When,
    add_months,
    ahead,
    bind,
    clock,
    conflict,
    continent,
    day,
    days,
    derived,
    ends_on,
    first,
    holds,
    last,
    left,
    lint,
    listed,
    live,
    name,
    over_limit,
    overlap,
    overlaps,
    reads,
    rule,
    run,
    running_out,
    said,
    side,
    span,
    starts_on,
)
from uac_nb.rules.alerts import needs
from uac_nb.rules.countries import _CODES
from uac_nb.rules.words import capital, dates_of, ended, on, own, person, plus

D = date.fromisoformat


def test_the_contents_page_is_whole() -> None:
    assert all(hasattr(rules, exported) for exported in rules.__all__)
    assert len(rules.__all__) == len(set(rules.__all__))


# --- When ---

SPANS = [  # text, first day, last day: by hand, from ISO 8601-1 (calendar, week) and 8601-2 (season, interval, approximation)
    ("2025-03-10", "2025-03-10", "2025-03-10"),
    ("2024-02-29", "2024-02-29", "2024-02-29"),
    ("2025-02", "2025-02-01", "2025-02-28"),
    ("2024-02", "2024-02-01", "2024-02-29"),
    ("2025-12", "2025-12-01", "2025-12-31"),
    ("2025", "2025-01-01", "2025-12-31"),
    ("2025-W01", "2024-12-30", "2025-01-05"),
    ("2025-W24", "2025-06-09", "2025-06-15"),
    ("2020-W53", "2020-12-28", "2021-01-03"),
    ("2023-21", "2023-03-01", "2023-05-31"),
    ("2023-22", "2023-06-01", "2023-08-31"),
    ("2023-23", "2023-09-01", "2023-11-30"),
    ("2023-24", "2023-12-01", "2024-02-29"),
    ("2023-02-01/2023-02-08", "2023-02-01", "2023-02-08"),
    ("2023-02-01/2023-02-01", "2023-02-01", "2023-02-01"),
    ("2023-02/2023-04", "2023-02-01", "2023-04-30"),
    ("2023-W02/2023", "2023-01-09", "2023-12-31"),
    ("../2021", "0001-01-01", "2021-12-31"),
    ("../2021-05-04", "0001-01-01", "2021-05-04"),
    ("2021/..", "2021-01-01", "9999-12-31"),
    ("2023-01-29~", "2023-01-22", "2023-01-29"),
    ("2023-03~", "2023-02-01", "2023-04-30"),
    ("2023~", "2022-01-01", "2024-12-31"),
]


@pytest.mark.parametrize(("text", "low", "high"), SPANS)
def test_the_first_and_last_day(text: str, low: str, high: str) -> None:
    when = When(text)
    assert (when.first, when.last) == (first(when), last(when)) == when.key == (D(low), D(high))
    assert when.exact == (low == high)
    assert (str(when), repr(when), when.isoformat()) == (text, f'When("{text}")', text)


@pytest.mark.parametrize(
    "text",
    [
        "", "10 March", "2025-3-10", "25-03-10", "2025-02-30", "2023-02-29", "2025-13", "2025-00", "2025-25", "2025-W54",
        "2025-W53", "2025-W00", "2025-01/2025-02/2025-03", "--02-30", "--13-01", "--6-5", "2025-03-10T10:00", " 2025",
        "2025-03-10~~", "/2025", "2025/", "soon",
    ],
)  # fmt: skip
def test_what_is_no_date_is_refused_with_the_forms_that_are(text: str) -> None:
    with pytest.raises(ValueError, match="2025-W11"):
        When(text)


def test_a_turned_interval_says_so() -> None:
    with pytest.raises(ValueError, match="the end lies before the start"):
        When("2025-03/2025-02")


def test_a_day_of_the_year_without_a_year() -> None:
    birthday = When("--06-05")
    assert (birthday.year, birthday.month, birthday.day, birthday.exact) == (None, 6, 5, False)
    assert birthday.within(D("2025-06-01"), D("2025-06-05")) == "maybe"
    assert birthday.within(D("2025-06-06"), D("2026-06-04")) == "no"
    assert birthday.within(D("2025-06-06"), D("2026-06-05")) == "maybe"
    assert When("--02-29").within(D("2024-02-01"), D("2024-03-01")) == "maybe"
    assert When("--02-29").within(D("2025-02-01"), D("2025-03-01")) == "no"


@pytest.mark.parametrize(
    ("text", "year", "month", "day_"),
    [
        ("2025-03-10", 2025, 3, 10), ("2025-03", 2025, 3, None), ("2025", 2025, None, None), ("2025-W01", None, None, None),
        ("2025-W24", 2025, 6, None), ("2023-24", None, None, None), ("2023-02-01/2023-02-08", 2023, 2, None),
        ("../2021", None, None, None), ("2023-01-29~", 2023, 1, None),
    ],
)  # fmt: skip
def test_what_is_known_of_it(text: str, year: int | None, month: int | None, day_: int | None) -> None:
    when = When(text)
    assert (when.year, when.month, when.day) == (year, month, day_)


@pytest.mark.parametrize(
    ("text", "start", "end", "sure"),
    [
        ("2025-03", "2025-01-01", "2025-12-31", "yes"),
        ("2025-03", "2025-03-01", "2025-03-31", "yes"),
        ("2025-03", "2025-03-02", "2025-12-31", "maybe"),
        ("2025-03", "2025-01-01", "2025-03-30", "maybe"),
        ("2025-03", "2025-04-01", "2025-12-31", "no"),
        ("2025-03", "2025-01-01", "2025-02-28", "no"),
        ("2025-03-10", "2025-03-10", "2025-03-10", "yes"),
        ("../2021", "2021-01-01", "2021-12-31", "maybe"),
        ("../2021", "2022-01-01", "2022-12-31", "no"),
        ("2021/..", "2021-01-01", "2021-12-31", "maybe"),
    ],
)
def test_within(text: str, start: str, end: str, sure: str) -> None:
    assert When(text).within(D(start), D(end)) == sure
    assert When(text).within(When(start), When(end)) == sure


def test_within_inexact_bounds_takes_the_widest() -> None:
    assert When("2025-03-10").within(When("2025-03"), When("2025-03")) == "yes"


@pytest.mark.parametrize(
    ("text", "other", "sure"),
    [
        ("2025-03", "2025-04-01", "yes"), ("2025-03", "2025-03-31", "maybe"), ("2025-03", "2025-03-01", "no"),
        ("2025-03-10", "2025-03-10", "no"), ("2025-03-10", "2025-03-11", "yes"), ("2025-04", "2025-03-15", "no"),
    ],
)  # fmt: skip
def test_before(text: str, other: str, sure: str) -> None:
    assert When(text).before(D(other)) == sure


def test_against_a_date_a_comparison_holds_only_when_it_is_sure() -> None:
    march = When("2025-03")
    assert march < D("2025-04-01")
    assert march <= D("2025-03-31")
    assert march > D("2025-02-28")
    assert march >= D("2025-03-01")
    unsure = D("2025-03-15")
    assert [march < unsure, march <= unsure, march > unsure, march >= unsure, march == unsure] == [False] * 5
    assert D("2025-04-01") > march
    assert D("2025-02-28") < march
    assert When("2025-03-10") == D("2025-03-10")
    assert D("2025-03-10") == When("2025-03-10")
    assert hash(When("2025-03-10")) == hash(D("2025-03-10"))


def test_between_themselves_they_sort_by_first_day_then_last() -> None:
    texts = ["2025-03-10", "2025", "2025-03", "2024-12-31", "../2025", "2025-W11", "--06-05"]
    assert [str(when) for when in sorted(map(When, texts))] == [
        "../2025", "--06-05", "2024-12-31", "2025", "2025-03", "2025-03-10", "2025-W11",
    ]  # fmt: skip
    assert When("2025-03-10") <= When("2025-03-10")
    assert When("2025-03") != When("2025-03-01/2025-03-31")  # written otherwise, told otherwise


def test_arithmetic_needs_known_days() -> None:
    tenth = When("2025-03-10")
    assert tenth - D("2025-03-01") == timedelta(9)
    assert D("2025-03-11") - tenth == timedelta(1)
    assert tenth - When("2025-03-09") == timedelta(1)
    assert tenth + timedelta(30) == When("2025-04-09")
    assert tenth - timedelta(10) == When("2025-02-28")
    assert tenth.weekday() == 0
    assert f"{tenth:%d.%m.}" == "10.03."
    assert f"{tenth}" == "2025-03-10"
    for use in (lambda w: w.date, lambda w: w.weekday(), lambda w: w + timedelta(1), lambda w: w - tenth):
        with pytest.raises(ValueError, match=r"\.first and \.last"):
            use(When("2025-03"))


def test_it_cannot_be_changed_but_copied_and_pickled() -> None:
    when = When("2025-W11")
    with pytest.raises(AttributeError, match="anew"):
        when.text = "2025"
    assert pickle.loads(pickle.dumps(when)) == copy.deepcopy(when) == when
    assert When(D("2025-03-10")) == When("2025-03-10")


@given(st.dates(), st.dates(), st.dates())
def test_within_agrees_with_every_day_it_can_be(a: date, b: date, c: date) -> None:
    low, high, moment = *sorted((a, b)), c
    when = When(f"{low}/{high}")
    sure = {low <= moment: 1, moment <= high: 2}
    assert when.within(low, high) == "yes"
    assert (when.within(moment, moment) == "no") == (not all(sure))
    assert (when < moment) == (high < moment)
    assert When(moment).key == (moment, moment)


@pytest.mark.parametrize(
    ("start", "months", "end"),
    [
        ("2025-01-31", 1, "2025-02-28"), ("2024-01-31", 1, "2024-02-29"), ("2025-11-15", 2, "2026-01-15"),
        ("2025-01-15", -1, "2024-12-15"), ("2025-03-31", -1, "2025-02-28"), ("2025-05-05", 0, "2025-05-05"),
        ("2025-06-30", 6, "2025-12-30"),
    ],
)  # fmt: skip
def test_add_months(start: str, months: int, end: str) -> None:
    assert add_months(D(start), months) == D(end)


# --- money, countries, values ---


def test_a_missing_amount_is_no_zero() -> None:
    with pytest.raises(TypeError, match="an amount is missing; leave out what has none"):
        sum([Money(1, "EUR"), None])  # type: ignore[list-item]


def test_money_adds_to_zero_and_compares() -> None:
    euros = [Money("12.50", "EUR"), Money(3, "EUR")]
    assert sum(euros) == Money("15.50", "EUR")
    assert (euros[0] - euros[1], -euros[1], 2 * euros[1], euros[0] / 2, euros[0] / Money(5, "EUR")) == (
        Money("9.50", "EUR"), Money(-3, "EUR"), Money(6, "EUR"), Money("6.25", "EUR"), Decimal("2.5"),
    )  # fmt: skip
    assert max(euros) == euros[0]
    assert euros[1] < euros[0] <= euros[0] > euros[1] >= euros[1]
    assert (bool(Money(0, "EUR")), bool(Money("0.01", "EUR"))) == (False, True)
    assert Money(0.1, "EUR") + Money(0.2, "EUR") == Money("0.3", "EUR")


@pytest.mark.parametrize(
    "mix", [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a < b, lambda a, b: a / b, lambda a, b: sum([a, b])]
)
def test_money_refuses_to_mix(mix: Any) -> None:
    with pytest.raises(ValueError, match="different currencies"):
        mix(Money(1, "EUR"), Money(1, "USD"))


def test_money_in_words() -> None:
    amounts = [Money(1500, "USD"), Money("12.5", "EUR"), Money("-3", "GBP"), Money("1234.567", "CHF"), Money("0.5", "JPY")]
    assert [str(m) for m in amounts] == ["$1,500", "€12.50", "-£3", "1,234.57 CHF", "¥0.50"]
    assert repr(amounts[1]) == 'Money("12.5", "EUR")'


@pytest.mark.parametrize(
    ("amount", "currency"), [("a lot", "EUR"), ("NaN", "EUR"), ("Infinity", "EUR"), (1, "eur"), (1, "Euro"), (1, "")]
)
def test_money_has_a_number_and_a_currency(amount: Any, currency: str) -> None:
    with pytest.raises(ValueError, match="Money"):
        Money(amount, currency)


def test_continents() -> None:
    assert [continent(c) for c in ("PT", "JP", "US", "BR", "AU", "KE", "XX", "", None)] == [
        "Europe", "Asia", "North America", "South America", "Oceania", "Africa", None, None, None,
    ]  # fmt: skip
    codes = " ".join(_CODES.values()).split()
    assert len(codes) == len(set(codes)) > 240
    assert set(CONTINENTS) == {"Africa", "Asia", "Europe", "North America", "South America", "Oceania"}


def test_unknown_is_false_and_remembers() -> None:
    unknown = Unknown("the lead changed", was="Sam")
    assert (bool(unknown), unknown.because, unknown.was) == (False, "the lead changed", "Sam")
    assert Said("likes jazz", 4) == Said("likes jazz", 4)
    assert Note(id="n", text="x", source=(1,)).about is None


# --- words ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    id: str
    who: str = "me"
    title: str
    departs: When
    returns: When | None = None
    cost: Money | None = None
    status: Literal["booked", "done", "cancelled"] = "booked"
    quote: str | None = None
    doubt: str | None = None
    source: tuple[int, ...] = (1,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    id: str
    title: str
    on: When | None
    until: When | None = None
    starts: time | None = None
    ends: time | None = None
    source: tuple[int, ...] = (2,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    id: str
    place: str = "Oslo"
    since: When
    until: When | None = None
    source: tuple[int, ...] = (3,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    id: str
    departs: When | None = None
    returns: When | None = None
    there_on: When | None = None


lisbon = Trip(id="lisbon", title="trip to Lisbon", departs=When("2025-03-10"), returns=When("2025-03-17"))
talk = Talk(id="talk", title="talk at the fair", on=When("2025-03-12"), starts=time(9), ends=time(10, 30))
oslo = Stay(id="oslo", since=When("2024-05"))


@pytest.mark.parametrize(
    ("text", "words", "when_"),
    [
        ("2025-03-07", "Friday, March 7, 2025", "on Friday, March 7, 2025"),
        ("2025-03", "March 2025", "in March 2025"),
        ("2025", "2025", "in 2025"),
        ("2025-22", "summer 2025", "in summer 2025"),
        ("2025-W24", "between June 9 and 15, 2025", "between June 9 and 15, 2025"),
        ("2025-06-28/2025-07-02", "between June 28 and July 2, 2025", "between June 28 and July 2, 2025"),
        (
            "2024-12-30/2025-01-05",
            "between December 30, 2024 and January 5, 2025",
            "between December 30, 2024 and January 5, 2025",
        ),
        ("../2021", "by Friday, December 31, 2021", "by Friday, December 31, 2021"),
        ("2021/..", "from Friday, January 1, 2021 on", "from Friday, January 1, 2021 on"),
        ("2023-01-29~", "about Sunday, January 29, 2023", "about Sunday, January 29, 2023"),
        ("--06-05", "June 5", "on June 5"),
    ],
)
def test_a_date_in_words(text: str, words: str, when_: str) -> None:
    assert (day(When(text)), on(When(text))) == (words, when_)


def test_other_words() -> None:
    assert day(D("2025-03-07")) == "Friday, March 7, 2025"
    assert span(When("2025-03-07"), None) == span(When("2025-03-07"), When("2025-03-07")) == "Friday, March 7, 2025"
    assert span(When("2025-03-07"), When("2025-03-08")) == "Friday, March 7, 2025 to Saturday, March 8, 2025"
    assert [clock(time(h, 5)) for h in (0, 9, 12, 19)] == ["12:05 AM", "9:05 AM", "12:05 PM", "7:05 PM"]
    assert [days(n) for n in (0, 1, 2)] == ["0 days", "1 day", "2 days"]
    assert [left(n) for n in (0, 1, 3)] == ["today is the last day", "only 1 day left", "only 3 days left"]
    assert [listed(x) for x in ([], ["a"], ["a", "b"], ["a", "b", "c"], [1, 2])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
        "1 and 2",
    ]
    assert [plus(D("2025-03-01"), n) for n in (-1, 0, 31)] == [D("2025-02-28"), D("2025-03-01"), D("2025-04-01")]
    assert (plus(date.max, 1), plus(date.min, -1)) == (date.max, date.min)
    assert [capital(t) for t in ("", "your Augmentin", "Éva")] == ["", "Your Augmentin", "Éva"]


@pytest.mark.parametrize(
    ("title", "who", "words"),
    [
        ("trip to Lisbon", "me", "your trip to Lisbon"),
        ("my trip", "me", "your trip"),
        ("the Civic", "me", "the Civic"),
        ("a dinner", "me", "a dinner"),
        ("Emma's school play", "me", "Emma's school play"),
        ("Jonas’ wedding", "me", "your Jonas’ wedding"),
        ("your dinner", "me", "your dinner"),
        ("theatre visit", "me", "your theatre visit"),
        ("trip to Lisbon", "sister", "your sister's trip to Lisbon"),
        ("the Civic", "dana-lopez", "Dana Lopez's Civic"),
        ("trip", "McCoy", "McCoy's trip"),
    ],
)
def test_whose_it_is(title: str, who: str, words: str) -> None:
    assert own(replace(lisbon, title=title, who=who)) == words


def test_what_to_call_things_and_people() -> None:
    assert [person(p) for p in ("me", "sister", "dana-lopez", "Dr. Chen", "sam_h")] == [
        "you",
        "your sister",
        "Dana Lopez",
        "Dr. Chen",
        "Sam H",
    ]
    assert (name(lisbon), name(oslo), name(Note(id="n", text="a note", source=(1,)))) == ("trip to Lisbon", "Oslo", "a note")
    assert own(oslo) == "Oslo"
    assert own(replace(oslo, id="home-in-oslo", place="")) == "home in oslo"
    view, liked = (SimpleNamespace(id="v", about="her store"), SimpleNamespace(id="f", of="seat", what="aisle seats"))
    assert (name(view), name(liked)) == ("her store", "aisle seats")


def test_a_side_says_what_is_concrete() -> None:
    assert str(side(lisbon)) == "your trip to Lisbon (Monday, March 10, 2025 to Monday, March 17, 2025)"
    assert (
        str(side(replace(lisbon, returns=None, cost=Money(900, "EUR")))) == "your trip to Lisbon (Monday, March 10, 2025; €900)"
    )
    assert str(side(talk)) == "your talk at the fair (Wednesday, March 12, 2025, 9:00 AM to 10:30 AM)"
    assert str(side(replace(talk, ends=None))) == "your talk at the fair (Wednesday, March 12, 2025 at 9:00 AM)"
    assert str(side(oslo)) == "Oslo (since May 2024)"
    assert str(side(lisbon, "booked", None, "")) == "your trip to Lisbon (booked)"
    assert str(side(replace(talk, on=None))) == "your talk at the fair"
    assert side(side(lisbon, "x")) == side(lisbon, "x")
    assert str(side(object_with_title := type("Any", (), {"title": "thing"})())) == "your thing"
    assert side(object_with_title).record is object_with_title


def test_when_a_record_begins_and_ends() -> None:
    assert (starts_on(lisbon), ends_on(lisbon)) == (When("2025-03-10"), When("2025-03-17"))
    assert ends_on(replace(lisbon, returns=None)) == When("2025-03-10")
    assert dates_of(talk) == (When("2025-03-12"), When("2025-03-12"))
    assert dates_of(replace(talk, on=None)) == (None, None)
    assert dates_of(oslo) == (When("2024-05"), When("2024-05-01/.."))  # it lasts
    assert dates_of(replace(oslo, since=None, until=When("2024"))) == (None, When("2024"))
    assert dates_of(replace(lisbon, departs=None)) == (When("../2025-03-17"), When("2025-03-17"))
    paris = Visit(id="paris", there_on=When("2025-03-12"))
    assert dates_of(paris) == (When("2025-03-12"), When("2025-03-12"))
    assert dates_of(replace(paris, departs=When("2025-03-10"))) == (When("2025-03-10"), When("2025-03-12"))
    assert dates_of(replace(paris, returns=When("2025-03-17"))) == (When("2025-03-12"), When("2025-03-17"))
    assert ahead([paris], date(2025, 3, 12)) == [paris]
    assert ahead([paris], date(2025, 3, 13)) == []
    assert overlap(paris, talk) == (date(2025, 3, 12), date(2025, 3, 12))
    assert dates_of(Note(id="n", text="x", source=(1,))) == dates_of(object()) == (None, None)


def test_what_lies_ahead() -> None:
    rows = [
        lisbon, replace(lisbon, id="over", returns=When("2025-03-14")), replace(lisbon, id="off", status="cancelled"),
        replace(lisbon, id="open", departs=When("2025-03"), returns=None), talk, replace(talk, id="no day", on=None),
        replace(talk, id="long", until=When("2025-03-15")), oslo, replace(oslo, id="left", until=When("2025-02")),
        replace(oslo, id="leaves", until=When("2025-03-15")),
        Note(id="n", text="x", source=(1,)),
    ]  # fmt: skip
    assert [r.id for r in ahead(rows, D("2025-03-15"))] == ["lisbon", "open", "long", "oslo", "leaves"]
    assert ahead([], D("2025-03-15")) == []
    assert [live(r) for r in rows[:3]] == [True, True, False]


@pytest.mark.parametrize(
    ("since", "until", "status", "held"),
    [
        (None, None, "current", True),
        (None, None, "ended", False),
        ("2025-03-15", None, "current", True),
        ("2025-03-16", None, "current", False),  # not begun
        ("2025-04", None, "current", False),
        (None, "2025-03-15", "current", True),  # the last day
        (None, "2025-03-14", "current", False),  # whatever its status
        (None, "2025-03-20", "ended", True),  # the end was told before it came
    ],
)
def test_what_holds_on_a_day(since: str | None, until: str | None, status: str, held: bool) -> None:
    job = SimpleNamespace(since=since and When(since), until=until and When(until), status=status)
    assert holds(job, D("2025-03-15")) is held


def test_overlap_is_what_is_surely_shared() -> None:
    assert overlap(lisbon, talk) == (D("2025-03-12"), D("2025-03-12"))
    assert overlap(lisbon, replace(talk, on=When("2025-03-15"), until=When("2025-03-20"))) == (D("2025-03-15"), D("2025-03-17"))
    assert overlap(lisbon, replace(talk, on=When("2025-03-18"))) is None
    assert overlap(lisbon, replace(talk, on=When("2025-W11"))) is None  # some day of that week
    assert overlap(replace(lisbon, departs=When("2025-03")), talk) is None
    assert overlap(lisbon, replace(talk, on=None)) is None


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 6)), max_size=8),
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 6)), max_size=8),
)
def test_overlaps_finds_each_pair_that_shares_a_day(these: list[tuple[int, int]], those: list[tuple[int, int]]) -> None:
    def records(spans: list[tuple[int, int]]) -> list[Talk]:
        start = D("2025-03-01")
        return [
            Talk(id=str(i), title="x", on=When(start + timedelta(a)), until=When(start + timedelta(a + n)))
            for i, (a, n) in enumerate(spans)
        ]

    one, other = records(these), records(those)
    shared = {
        (i, j): {a + k for k in range(n + 1)} & {b + k for k in range(m + 1)}
        for i, (a, n) in enumerate(these) for j, (b, m) in enumerate(those)
    }  # fmt: skip
    found = {
        (int(a.id), int(b.id)): ((s - D("2025-03-01")).days, (e - D("2025-03-01")).days) for a, b, s, e in overlaps(one, other)
    }
    assert found == {pair: (min(common), max(common)) for pair, common in shared.items() if common}


# --- rules and alerts ---


@rule("warning")
def talk_while_away(talks: Iterable[Talk], trips: Iterable[Trip], *, today: date, strict: bool = False) -> Iterator[Alert]:
    """A talk falls on a trip."""
    for one in ahead(talks, today):
        for trip in ahead(trips, today):
            if overlap(one, trip):
                yield conflict(one, "falls within", trip, do="Move one of them.", severity="critical" if strict else None)


@derived
def next_trip(trips: Iterable[Trip], *, today: date) -> Any:
    return min((t.departs for t in ahead(trips, today)), default=Unknown("no trip is planned"))


def test_a_rule_is_bound_by_the_names_of_its_parameters() -> None:
    (alert,) = run(talk_while_away, {"talks": [talk], "trips": [lisbon], "others": [1]}, D("2025-03-01"))
    assert (alert.rule, alert.severity) == ("talk_while_away", "warning")
    assert run(talk_while_away, {"talks": [talk]}, D("2025-03-01")) == []
    assert reads(talk_while_away) == ("talks", "trips")
    assert bind(next_trip, {"trips": [lisbon]}, D("2025-03-01")) == When("2025-03-10")
    assert bind(next_trip, {}, D("2025-03-01")) == Unknown("no trip is planned")


def test_an_alert_keeps_its_own_severity() -> None:
    @rule("info")
    def loud(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
        for trip in trips:
            yield running_out(trip, because="1 day left.", do="Go.", severity="critical")

    assert [a.severity for a in run(loud, {"trips": [lisbon]}, D("2025-03-01"))] == ["critical"]


def test_what_is_no_rule_is_refused() -> None:
    def returns(trips: Iterable[Trip], *, today: date) -> list[Alert]:
        return []

    def unannotated(trips, *, today: date) -> Iterator[Alert]:  # type: ignore[no-untyped-def]
        yield from ()

    def unset(trips: Iterable[Trip], *, today: date, months: int) -> Iterator[Alert]:
        yield from ()

    for function, says in ((returns, "yields"), (unannotated, r"trips: Iterable\[Trip\]"), (unset, "'months' needs a default")):
        with pytest.raises(TypeError, match=says):
            rule("info")(function)
    with pytest.raises(TypeError, match="critical, warning, info"):
        rule("grave")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r'@rule\("warning"\)'):
        rule(unset)  # type: ignore[arg-type]


def _title(record: Talk) -> str:
    return record.title if record.starts else ""


def test_the_fields_that_a_rule_needs() -> None:
    @rule("info")
    def reader(talks: Iterable[Talk], trips: Iterable[Trip], notes: Iterable[Any], *, today: date) -> Iterator[Alert]:
        for one in talks:
            if _title(one) and any(trip.cost for trip in trips):
                yield conflict(one, "is told with", side(lisbon, "x"), do="Look.")

    found = needs(reader)
    assert {"title", "starts", "id", "source"} <= found["talks"]
    assert {"ends"} & found["talks"] == set()
    assert "cost" in found["trips"]
    assert found["notes"] == frozenset()
    assert {"departs", "returns"} <= needs(talk_while_away)["trips"]  # which it reads through `ahead` and `overlap`


def test_a_conflict_is_said_from_its_records() -> None:
    alert = conflict(
        talk, "falls within", lisbon, do="Move one of them.", because="Both need you.", also=[oslo], occurrence="x"
    )
    assert alert == Alert(
        message="Conflict: your talk at the fair (Wednesday, March 12, 2025, 9:00 AM to 10:30 AM) falls within your trip to "
        "Lisbon (Monday, March 10, 2025 to Monday, March 17, 2025). Both need you.",
        hint="Move one of them.",
        records=("lisbon", "talk"),
        evidence=(1, 2, 3),
        occurrence="x",
    )


def test_the_other_kinds_of_alert() -> None:
    assert running_out(lisbon, because="Only 3 days left.", do="Pack.").message == (
        "Running out: your trip to Lisbon (Monday, March 10, 2025 to Monday, March 17, 2025). Only 3 days left."
    )
    assert over_limit(side(lisbon, "€900"), because="The budget is €800.", do="Save.").message == (
        "Over the limit: your trip to Lisbon (€900). The budget is €800."
    )


def test_what_is_added_only_as_evidence_does_not_make_another_alert() -> None:
    alert = over_limit(lisbon, because="1 too many.", do="Look.", also=[talk])
    assert (alert.records, alert.evidence) == (("lisbon",), (1, 2))


def test_a_doubt_is_asked_once_for_each_record() -> None:
    unsure = replace(lisbon, doubt="said Saturday, but that day is a Friday.")
    alert = conflict(unsure, "is told with", unsure, do="Look.")
    assert alert.hint == "Look. Please confirm, about your trip to Lisbon: said Saturday, but that day is a Friday."
    assert alert.records == ("lisbon",)


def test_the_users_own_words() -> None:
    assert said(replace(lisbon, quote="I can't wait.")) == ' You said: "I can\'t wait".'
    assert said(replace(lisbon, quote="so good"), "Of it you said") == ' Of it you said: "so good".'
    assert said(lisbon) == said(talk) == ""


GOOD = running_out(lisbon, because="Only 3 days left.", do="Pack.")


@pytest.mark.parametrize(
    ("alert", "says"),
    [
        (GOOD, []),
        (replace(GOOD, message="Only 3 days left."), []),
        (replace(GOOD, message="Your card (lost) is needed."), []),
        (replace(GOOD, message="Something is wrong"), ["the message names no date, amount or detail"]),
        (replace(GOOD, hint=""), ["it does not say what to do"]),
        (replace(GOOD, records=()), ["no record or no evidence"]),
        (replace(GOOD, evidence=()), ["no record or no evidence"]),
        (replace(GOOD, message="It ends soon (3 days)."), ["a vague or raw word: 'soon'"]),
        (replace(GOOD, message="It ends on None (3 days)."), ["a vague or raw word: 'None'"]),
        (replace(GOOD, message='It ends When("2025").'), ["a vague or raw word: 'When('"]),
        (replace(GOOD, hint="See trip_one."), ["a vague or raw word: 'p_o'"]),
    ],
)
def test_lint(alert: Alert, says: list[str]) -> None:
    assert lint(alert) == says


@dataclass
class Loose:
    """A record that a user's own type made, without our conventions."""

    id: str = "loose"
    label: str = "x"
    source: tuple[int, ...] = (7,)
    at: datetime | None = field(default=None)


def test_a_record_without_our_names_still_makes_an_alert() -> None:
    assert conflict(Loose(), "goes against", lisbon, do="Look.").records == ("lisbon", "loose")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("it leaks", "it leaks."), ("it leaks. ", "it leaks."), ("do I know?", "do I know?"), ("Stop!", "Stop!"),
        ("and then…", "and then…"), ('they said "why?"', 'they said "why?"'), ("at 7 p.m.", "at 7 p.m."),
        ("(sure?)", "(sure?)"),
    ],
)  # fmt: skip
def test_a_text_of_others_gets_no_second_stop(words: str, sentence: str) -> None:
    assert ended(words) == sentence
    alert = conflict(replace(lisbon, doubt=words), "overlaps with", side(lisbon, "x"), do="Look.")
    assert alert.hint == f"Look. Please confirm, about your trip to Lisbon: {sentence}"


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("I fly.", ' You said: "I fly".'), ("do I fly?", ' You said: "do I fly?"'), ("I fly!!", ' You said: "I fly!!"'),
        ("I fly…", ' You said: "I fly…"'), ("...", ""), (None, ""),
    ],
)  # fmt: skip
def test_a_quote_ends_once(quote: str | None, told: str) -> None:
    @dataclass(frozen=True)
    class Told:
        quote: str | None

    assert said(Told(quote)) == told
