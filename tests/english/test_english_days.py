"""Dates as people say them. All is said on Wednesday, 10 June 2026 (ISO week 24), never now."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.english import Span, days, named, periods
from uac_nb.english.calendar import feast_day
from uac_nb.english.expressions import Tense

WEDNESDAY = date(2026, 6, 10)


def _written(span: Span) -> tuple[str, str | None]:
    return str(span.when), str(span.until) if span.until else None


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
    ("on Tuesday week", "2026-06-23"),
    ("Tuesday fortnight", "2026-06-30"),
    ("at the weekend", "2026-06-13/2026-06-14"),
    ("for New Year", "2027-01-01"),
]


@pytest.mark.parametrize(("text", "tense", "when"), [(t, "past", w) for t, w in PAST] + [(t, "future", w) for t, w in FUTURE])
def test_the_widest_form_that_the_words_prove(text: str, tense: Tense, when: str) -> None:
    assert [_written(d) for d in days(text, WEDNESDAY, tense)] == [(when, None)]


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
    assert [_written(d) for d in days(text, WEDNESDAY, tense)] == [(start, end)]


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
    assert days(text, WEDNESDAY, "present") == []


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_days_in_numbers(text: str, expected: list[tuple[str, str | None]]) -> None:
    assert [_written(d) for d in days(text, WEDNESDAY, "future")] == expected


def test_a_span_of_work_is_no_date() -> None:
    assert days("finished it in two weeks", WEDNESDAY, "past") == []


def test_the_day_after_a_named_day() -> None:
    found = days("fly on 10 August and come back on the 3rd", WEDNESDAY, "future")
    assert [str(d.when) for d in found] == ["2026-08-10", "2026-09-03"]


def test_two_words_for_one_day() -> None:
    assert [str(d.when) for d in days("last week, June 2", WEDNESDAY, "past")] == ["2026-06-02"]


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
    assert [(str(d.when), d.doubt) for d in days(text, WEDNESDAY, tense)] == [(when, doubt)]


def test_a_weekday_far_from_the_day_just_named_stays_open() -> None:
    assert days("dinner Friday night", WEDNESDAY, "present", before=date(2026, 10, 26)) == []


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
    assert [str(d.when) for d in days("on February 29", WEDNESDAY, "past")] == ["2024-02-29"]


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
    for dated in days(text, today, tense):
        assert at <= dated.start < dated.end <= len(text)
        at = dated.end
        assert dated.first <= dated.last


@pytest.mark.parametrize("text", ["in 900 decades", "999 years ago", "in 999 years", "on 1 January", "tomorrow", "the 31st"])
@pytest.mark.parametrize("said", [date.min, date.max])
def test_beyond_the_calendar_there_is_no_day(text: str, said: date) -> None:
    for tense in ("past", "future"):
        assert all(span.first <= span.last for span in days(text, said, tense))


# --- times in questions, as of Wednesday, 12 March 2025 ---

TODAY = date(2025, 3, 12)
TIMES = [
    # question, the words of each time, the times
    ("trips in 2024?", "2024", "2024"),
    ("in calendar year 2024", "calendar year 2024", "2024"),
    ("2024 medical visits", "2024", "2024"),
    ("over 2000 calories", "", ""),
    ("books with 1984 or more pages", "", ""),
    ("more than $2000, or 2000 EUR", "", ""),
    ("between 2024-01-01 and 2024-06-30 inclusive", "between 2024-01-01 and 2024-06-30 inclusive", "2024-01-01/2024-06-30"),
    ("from Q1 2024 to Q4 2024", "Q1 2024|Q4 2024", "2024-01-01/2024-03-31|2024-10-01/2024-12-31"),
    ("from Q1 to Q2 2024", "Q1|Q2 2024", "2024-01-01/2024-03-31|2024-04-01/2024-06-30"),
    ("from H1 to H2 2024", "H1|H2 2024", "2024-01-01/2024-06-30|2024-07-01/2024-12-31"),
    ("from 2022 to 2024", "2022|2024", "2022|2024"),
    ("in the second half of 2023", "the second half of 2023", "2023-07-01/2023-12-31"),
    ("in june", "june", "2024-06"),
    ("in March", "March", "2025-03"),
    ("in March 2023", "March 2023", "2023-03"),
    ("what may I do in May", "May", "2024-05"),
    ("on March 10, 2025", "March 10, 2025", "2025-03-10"),
    ("on the 10th of May", "the 10th of May", "2024-05-10"),
    ("on 30 February 2024", "", ""),
    ("last year", "last year", "2024"),
    ("this month", "this month", "2025-03"),
    ("this quarter", "this quarter", "2025-01-01/2025-03-31"),
    ("the previous year", "the previous year", "2024"),
    ("last month", "last month", "2025-02"),
    ("in the last year", "the last year", "2024-03-13/2025-03-12"),
    ("in the past week", "the past week", "2025-03-06/2025-03-12"),
    ("next week", "next week", "2025-W12"),
    ("in the last 3 months", "the last 3 months", "2024-12-13/2025-03-12"),
    ("in the past two weeks", "the past two weeks", "2025-02-27/2025-03-12"),
    ("in the next ten days", "the next ten days", "2025-03-12/2025-03-22"),
    ("last summer", "last summer", "2024-22"),
    ("in summer 2023", "summer 2023", "2023-22"),
    ("in the 1990s", "the 1990s", "1990/1999"),
    ("in week 7", "week 7", "2025-W07"),
    ("in the week of March 5", "the week of March 5", "2025-W10"),
    ("yesterday", "yesterday", "2025-03-11"),
    ("last Friday", "last Friday", "2025-03-07"),
    ("next Wednesday", "next Wednesday", "2025-03-19"),
    ("before 2024", "before 2024", "../2023-12-31"),
    ("after March 10", "after March 10", "2025-03-11/.."),
    ("since June 2024", "since June 2024", "2024-06-01/.."),
    ("since June", "since June", "2024-06-01/.."),
    ("from May 2024 on", "from May 2024 on", "2024-05-01/.."),
    ("until 2023", "until 2023", "../2023-12-31"),
    ("between November and February", "between November and February", "2024-11-01/2025-02-28"),
    ("between March and June", "between March and June", "2024-03-01/2024-06-30"),
    ("between March and June 2024", "between March and June 2024", "2024-03-01/2024-06-30"),
    ("in March or June 2024", "March|June 2024", "2024-03|2024-06"),
    ("my 14 day trip", "", ""),
]


@pytest.mark.parametrize(("question", "words", "times"), TIMES, ids=[q for q, *_ in TIMES])
def test_times_of_a_question(question: str, words: str, times: str) -> None:
    found = periods(question, TODAY)
    assert ("|".join(question[s.start : s.end] for s in found), "|".join(str(s.when) for s in found)) == (words, times)


@pytest.mark.parametrize(
    ("question", "time"),
    [("in June", "2025-06"), ("in February", "2026-02"), ("on January 5", "2026-01-05"), ("on March 12", "2025-03-12")],
)
def test_times_ahead(question: str, time: str) -> None:
    assert [str(span.when) for span in periods(question, TODAY, ahead=True)] == [time]


@given(st.lists(WORDS, max_size=12).map(" ".join), st.booleans(), st.dates(date(1900, 1, 1), date(2200, 1, 1)))
def test_times_of_questions_stand_in_order(text: str, ahead: bool, today: date) -> None:
    at = 0
    for span in periods(text, today, ahead=ahead):
        assert at <= span.start < span.end <= len(text)
        at = span.end


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("back on the 3rd of May", ["2023-05-03", "2024-05-03"]),
        ("see you 04/05/2023", ["2023-04-05", "2023-05-04"]),
        ("7-7-2023", ["2023-07-07"]),
        ("nothing here", []),
    ],
)
def test_all_days_that_a_text_can_name(text: str, expected: list[str]) -> None:
    assert [str(span.when) for span in named(text, date(2023, 7, 1))] == expected
