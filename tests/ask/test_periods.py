"""Times in questions, as of Wednesday, 12 March 2025."""

from __future__ import annotations

from datetime import date

import pytest

from uac_nb.ask.periods import find
from uac_nb.ask.words import plain

TODAY = date(2025, 3, 12)

TIMES = [
    # question, what is left, the times
    ("trips in 2024?", "trips in @p0", ["2024"]),
    ("in calendar year 2024", "in @p0", ["2024"]),
    ("2024 medical visits", "@p0 medical visits", ["2024"]),
    ("over 2000 calories", "over 2000 calories", []),
    ("books with 1984 or more pages", "books with 1984 or more pages", []),
    ("between 2024-01-01 and 2024-06-30 inclusive", "@p2", ["2024-01-01", "2024-06-30", "2024-01-01/2024-06-30"]),
    ("from Q1 2024 to Q4 2024", "from @p0 to @p1", ["2024-01-01/2024-03-31", "2024-10-01/2024-12-31"]),
    ("from Q1 to Q2 2024", "from @p0 to @p1", ["2024-01-01/2024-03-31", "2024-04-01/2024-06-30"]),
    ("from H1 to H2 2024", "from @p0 to @p1", ["2024-01-01/2024-06-30", "2024-07-01/2024-12-31"]),
    ("from 2022 to 2024", "from @p0 to @p1", ["2022", "2024"]),
    ("in the second half of 2023", "in @p0", ["2023-07-01/2023-12-31"]),
    ("in June", "in @p0", ["2024-06"]),
    ("in March", "in @p0", ["2025-03"]),
    ("in March 2023", "in @p0", ["2023-03"]),
    ("what may I do in May", "what may i do in @p0", ["2024-05"]),
    ("on March 10, 2025", "on @p0", ["2025-03-10"]),
    ("on the 10th of May", "on @p0", ["2024-05-10"]),
    ("on 30 February 2024", "on 30 @p0", ["2024-02"]),
    ("last year", "@p0", ["2024"]),
    ("this month", "@p0", ["2025-03"]),
    ("last month", "@p0", ["2025-02"]),
    ("in the last year", "in @p0", ["2024-03-13/2025-03-12"]),
    ("in the past week", "in @p0", ["2025-03-06/2025-03-12"]),
    ("next week", "@p0", ["2025-W12"]),
    ("in the last 3 months", "in @p0", ["2024-12-13/2025-03-12"]),
    ("in the past two weeks", "in @p0", ["2025-02-27/2025-03-12"]),
    ("in the next ten days", "in @p0", ["2025-03-12/2025-03-22"]),
    ("last summer", "@p0", ["2024-22"]),
    ("in summer 2023", "in @p0", ["2023-22"]),
    ("yesterday", "@p0", ["2025-03-11"]),
    ("last Friday", "@p0", ["2025-03-07"]),
    ("next Wednesday", "@p0", ["2025-03-19"]),
    ("before 2024", "@p1", ["2024", "../2023-12-31"]),
    ("after March 10", "@p1", ["2025-03-10", "2025-03-11/.."]),
    ("since June 2024", "@p1", ["2024-06", "2024-06-01/.."]),
    ("since June", "@p1", ["2024-06", "2024-06-01/.."]),
    ("until 2023", "@p1", ["2023", "../2023-12-31"]),
    ("between November and February", "@p2", ["2024-11", "2025-02", "2024-11-01/2025-02-28"]),
    ("between March and June 2024", "@p2", ["2024-03", "2024-06", "2024-03-01/2024-06-30"]),
    ("my 14 day trip", "my 14 day trip", []),
]  # fmt: skip


@pytest.mark.parametrize(("question", "left", "times"), TIMES, ids=[q for q, *_ in TIMES])
def test_times(question: str, left: str, times: list[str]) -> None:
    text, found = find(plain(question), TODAY)
    assert (text.strip(), [p.text for p in found]) == (left, times)


@pytest.mark.parametrize(
    ("question", "time"),
    [("in June", "2025-06"), ("in February", "2026-02"), ("on January 5", "2026-01-05"), ("on March 12", "2025-03-12")],
)
def test_times_ahead(question: str, time: str) -> None:
    assert [p.text for p in find(plain(question), TODAY, ahead=True)[1]] == [time]
