"""Dates as people say them. All is said on Wednesday, 10 June 2026 (ISO week 24), never now."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.reader.dates import find
from uac_nb.reader.daywords import Tense, feast_day
from uac_nb.reader.tokens import amounts, hours
from uac_nb.rules import When

WEDNESDAY = date(2026, 6, 10)

PAST = [
    ("yesterday", "2026-06-09"),
    ("the day before yesterday", "2026-06-08"),
    ("last night", "2026-06-09"),
    ("on Saturday", "2026-06-06"),
    ("last Friday", "2026-06-05"),
    ("last week", "2026-W23"),
    ("the week before last", "2026-W22"),
    ("two weeks ago", "2026-W22"),
    ("3 days ago", "2026-06-07"),
    ("a month ago", "2026-05"),
    ("two years ago", "2024"),
    ("a couple of weeks ago", "2026-05-18/2026-05-31"),
    ("over two years ago", "../2024"),
    ("about a year ago", "2025~"),
    ("last October", "2025-10"),
    ("last June", "2025-06"),
    ("in July", "2025-07"),
    ("in March 2021", "2021-03"),
    ("in 2019", "2019"),
    ("last summer", "2025-22"),
    ("in the winter of 2022", "2022-24"),
    ("last weekend", "2026-06-06/2026-06-07"),
    ("on 3 April 2025", "2025-04-03"),
    ("on the 3rd of April", "2026-04-03"),
    ("on December 24", "2025-12-24"),
    ("on Christmas Day", "2025-12-25"),
    ("on the 17th", "2026-05-17"),
    ("on 25/12/2024", "2024-12-25"),
    ("on 10.03.2025", "2025-03-10"),
    ("2025-02-28", "2025-02-28"),
    ("Tuesday of last week", "2026-06-02"),
    ("I just moved", "2026-06-10~"),
]
FUTURE = [
    ("tomorrow", "2026-06-11"),
    ("the day after tomorrow", "2026-06-12"),
    ("on Monday", "2026-06-15"),
    ("next Tuesday", "2026-06-16"),
    ("this weekend", "2026-06-13/2026-06-14"),
    ("next month", "2026-07"),
    ("next year", "2027"),
    ("in two weeks", "2026-W26"),
    ("in 3 days", "2026-06-13"),
    ("five days from now", "2026-06-15"),
    ("by Friday", "../2026-06-12"),
    ("by the end of July", "../2026-07"),
    ("no later than June 30", "../2026-06-30"),
    ("on March 3", "2027-03-03"),
    ("May the 4th", "2027-05-04"),
    ("on the 17th", "2026-06-17"),
    ("on the 3rd", "2026-07-03"),
    ("next spring", "2027-21"),
    ("Friday next week", "2026-06-19"),
    ("next week on Tuesday", "2026-06-16"),
    ("Tuesday the 16th", "2026-06-16"),
    ("since 2024", "2024"),
    ("at Easter", "2027-03-28"),
    ("on Good Friday", "2027-03-26"),
    ("on Easter Monday 2028", "2028-04-17"),
    ("over Whitsun", "2027-05-16"),
    ("around Christmas", "2026-12-25~"),
    ("for New Year", "2027-01-01"),
]


@pytest.mark.parametrize(("text", "tense", "when"), [(t, "past", w) for t, w in PAST] + [(t, "future", w) for t, w in FUTURE])
def test_the_widest_form_that_the_words_prove(text: str, tense: Tense, when: str) -> None:
    assert [(d.when, d.until) for d in find(text, WEDNESDAY, tense)] == [(when, None)]


@pytest.mark.parametrize(
    ("text", "tense", "start", "end"),
    [
        ("from August 3 to 9", "future", "2026-08-03", "2026-08-09"),
        ("August 3-9, 2025", "past", "2025-08-03", "2025-08-09"),
        ("3-9 August", "future", "2026-08-03", "2026-08-09"),
        ("from the 3rd to the 9th of August", "future", "2026-08-03", "2026-08-09"),
        ("between the 3rd and the 9th of August", "future", "2026-08-03", "2026-08-09"),
        ("from December 20 to January 3", "future", "2026-12-20", "2027-01-03"),
        ("from December 20 to January 3", "past", "2025-12-20", "2026-01-03"),
        ("June 8 until June 12", "future", "2026-06-08", "2026-06-12"),  # under way
        ("from 10 March 2025 to 17 March 2025", "past", "2025-03-10", "2025-03-17"),
        ("March 28 to April 3, 2025", "past", "2025-03-28", "2025-04-03"),
    ],
)
def test_two_ends(text: str, tense: Tense, start: str, end: str) -> None:
    assert [(d.when, d.until) for d in find(text, WEDNESDAY, tense)] == [(start, end)]


@pytest.mark.parametrize(
    "text",
    [
        "the Christmas party", "Easter eggs", "a happy New Year", "in the new year", "on Black Friday", "at Orthodox Easter",
        "the Easter weekend", "for Chinese New Year",
        "every Friday", "on Fridays", "the 1st of each month", "the 4th time", "I may 5", "they march on", "1999 people",
        "the Friday after next", "room 2024", "may I", "just one more", "the 31st of June", "9/11", "a week",
    ],
)  # fmt: skip
def test_no_date_is_invented(text: str) -> None:
    assert find(text, WEDNESDAY, "present") == []


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("from 12.6. to 15.6.", [("2026-06-12", "2026-06-15")]),
        ("from 3/7 to 14/7", [("2026-07-03", "2026-07-14")]),
        ("Mon 6/7", [("2026-07-06", None)]),  # in the other order it is a Sunday
        ("Thursday 18.6 at 8:15", [("2026-06-18", None)]),
        ("until 30.6.", [("2026-06-30", None)]),
        ("8-12 July, a talk on the 10th", [("2026-07-08", "2026-07-12"), ("2026-07-10", None)]),
        ("on 22 August, and on the 20th I fly", [("2026-08-22", None)]),  # of that month, or the next
        ("I ran 12.5 km", []),
        ("it weighs 12.5. Then", []),
        ("open 24/7", []),
        ("1/2 cup", []),
        ("on 31.6.", []),
    ],
)
def test_days_in_numbers(text: str, days: list[tuple[str, str | None]]) -> None:
    assert [(d.when, d.until) for d in find(text, WEDNESDAY, "future")] == days


def test_a_span_of_work_is_no_date() -> None:
    assert find("finished it in two weeks", WEDNESDAY, "past") == []


def test_the_day_after_a_named_day() -> None:
    found = find("fly on 10 August and come back on the 3rd", WEDNESDAY, "future")
    assert [d.when for d in found] == ["2026-08-10", "2026-09-03"]


def test_two_words_for_one_day() -> None:
    assert [d.when for d in find("last week, June 2", WEDNESDAY, "past")] == ["2026-06-02"]


@pytest.mark.parametrize(
    ("text", "tense", "when", "doubt"),
    [
        ("Saturday, November 15, 2024", "past", "2024-11-15", "said Saturday, but November 15, 2024 is a Friday"),
        ("on Thursday 12.6.", "future", "2026-06-12", "said Thursday, but June 12, 2026 is a Friday"),
        ("on 3/7", "future", "2026-07-03/2027-03-07", "3/7 can be July 3 or March 7"),
        ("on 3/4/2025", "past", "2025-03-04/2025-04-03", "3/4/2025 can be March 4 or April 3, 2025"),
        ("next Friday", "future", "2026-06-12/2026-06-19", '"next Friday" can be June 12 or June 19'),
        ("last Tuesday", "past", "2026-06-09", '"last Tuesday" can be June 9 or June 2'),
    ],
)
def test_what_can_be_doubted_is(text: str, tense: Tense, when: str, doubt: str) -> None:
    assert [(d.when, d.doubt) for d in find(text, WEDNESDAY, tense)] == [(when, doubt)]


def test_a_weekday_far_from_the_day_just_named_stays_open() -> None:
    assert find("dinner Friday night", WEDNESDAY, "present", before=date(2026, 10, 26)) == []


# From tables of the Western churches.
EASTERS = {
    1818: "03-22",
    1954: "04-18",
    1981: "04-19",
    2000: "04-23",
    2008: "03-23",
    2024: "03-31",
    2026: "04-05",
    2038: "04-25",
    2049: "04-18",
}


@pytest.mark.parametrize(("year", "day"), EASTERS.items())
def test_easter(year: int, day: str) -> None:
    assert feast_day("easter", year).isoformat() == f"{year}-{day}"


def test_a_leap_day_is_sought_in_leap_years() -> None:
    assert [d.when for d in find("on February 29", WEDNESDAY, "past")] == ["2024-02-29"]


@pytest.mark.parametrize(
    ("text", "at", "until"),
    [
        ("at 3pm", "15:00", None),
        ("12 am", "00:00", None),
        ("12:30 p.m.", "12:30", None),
        ("at 10:30", "10:30", None),
        ("at 18:45", "18:45", None),
        ("at noon", "12:00", None),
        ("dinner at 8", "20:00", None),
        ("breakfast at 8", "08:00", None),
        ("the dentist at 4", "16:00", None),
        ("between 10 AM and 2 PM", "10:00", "14:00"),
        ("from 10 to 12", "10:00", "12:00"),
        ("7-9pm", "19:00", "21:00"),
        ("11-1pm", "11:00", "13:00"),
        ("dentist at half past three", "15:30", None),
        ("a quarter to four", "15:45", None),
        ("at quarter past eleven", "11:15", None),
        ("at ten to one", "12:50", None),
        ("twenty past 9 in the evening", "21:20", None),
        ("at half three", "15:30", None),
        ("at eight o'clock in the morning", "08:00", None),
        ("at three thirty", "15:30", None),
        ("at six pm", "18:00", None),
        ("at 16.30", "16:30", None),
        ("kl. 8.15", "08:15", None),
    ],
)
def test_hours(text: str, at: str, until: str | None) -> None:
    assert [(clock.at, clock.until) for clock in hours(text)] == [(at, until)]


@pytest.mark.parametrize(
    "text",
    [
        "at one point",
        "ten to two people",
        "half of ten",
        "at two places",
        "at 5 people",
        "at 30%",
        "25:99",
        "at 221 Baker Street",
        "13 pm",
        "at 3.50 euros",
        "at 12.5 km",
    ],
)
def test_no_hours(text: str) -> None:
    assert hours(text) == []


def test_an_hour_that_only_habit_tells_is_unsure() -> None:
    assert [clock.unsure for clock in hours("gym at 7")] == [True]
    assert [clock.unsure for clock in hours("gym at 6:30")] == [True]
    assert [clock.unsure for clock in hours("gym at 8:15")] == [False]
    assert [clock.unsure for clock in hours("gym at 7 in the evening")] == [False]
    assert [clock.unsure for clock in hours("party on Friday at midnight")] == [True]


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("$1,250.50", "1250.50", "USD"),
        ("45 euros", "45", "EUR"),
        ("€199", "199", "EUR"),
        ("20 bucks", "20", "USD"),
        ("£2k", "2000", "GBP"),
        ("120 quid", "120", "GBP"),
        ("A$30", "30", "AUD"),
        ("300 NOK", "300", "NOK"),
        ("CHF 85", "85", "CHF"),
        ("2 499 kr", "2499", "kr"),
        ("kr 1.299,90", "1299.90", "kr"),
        ("1.200,50 EUR", "1200.50", "EUR"),
        ("12,50 €", "12.50", "EUR"),
        ("1.499 €", "1499", "EUR"),
        ("20 kronor", "20", "SEK"),
    ],
)
def test_amounts(text: str, amount: str, currency: str) -> None:
    assert [(money.amount, money.currency) for money in amounts(text)] == [(amount, currency)]


def test_a_weight_is_no_amount() -> None:
    assert amounts("5 pounds of apples") == []


_WORDS = (
    "on in by the last next this March May 3 9 31 12 2025 Friday weekend week ago two to and from until yesterday , - 3pm 17th",
    "just moved|the 4th|a few days ago|in two weeks",
)
WORDS = st.sampled_from([*_WORDS[0].split(), *_WORDS[1].split("|")])


@given(
    st.lists(WORDS, max_size=12).map(" ".join),
    st.sampled_from(["past", "present", "future"]),
    st.dates(date(1900, 1, 1), date(2200, 1, 1)),
)
def test_whatever_is_said_gives_dates_in_order(text: str, tense: Tense, today: date) -> None:
    at = 0
    for dated in find(text, today, tense):
        assert at <= dated.start < dated.end <= len(text)
        at = dated.end
        assert When(dated.when).text == dated.when
        if dated.until:
            assert When(dated.until).last >= When(dated.when).first
