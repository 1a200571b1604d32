"""`When`: a date as exactly as it is known, written as in ISO 8601-2 (extended date/time format)."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

Day = date  # inside When, `date` is a property
Sure = Literal["yes", "no", "maybe"]

JUST = timedelta(days=7)  # "2023-01-29~": that day, or up to a week before it
SEASONS = {21: ("spring", 3), 22: ("summer", 6), 23: ("autumn", 9), 24: ("winter", 12)}


class When:
    """One date, known to a day, week, month, season, year or span.

    ========================== ============================================
    ``"2025-03-10"``           that day
    ``"2023-W24"``             a day of that ISO week
    ``"2022-02"``              a day of that month
    ``"2023-22"``              that summer (21 spring, 22 summer, 23 autumn, 24 winter of the north)
    ``"2022"``                 a day of that year
    ``"2023-02-01/2023-02-08"``  a day from the first to the last
    ``"../2021"``              then or before (``"2021/.."``: then or after)
    ``"2023-01-29~"``          about then; of a day: that day or the week before ("I just …")
    ``"--06-05"``              that day of the year, the year unknown
    ========================== ============================================

    Against a `date`, ``<``, ``<=``, ``>``, ``>=`` and ``==`` hold only when they are sure. Between two `When`,
    ``<`` is the sort order (by `key`), so that lists sort; ask `within` or `before` to be told "maybe".

    >>> When("2025-03") < date(2025, 4, 1), When("2025-03") < date(2025, 3, 20)
    (True, False)
    >>> When("2025-03").within(date(2025, 3, 10), date(2025, 12, 31))
    'maybe'
    """

    __slots__ = ("first", "last", "text")
    text: str
    first: Day
    last: Day

    def __init__(self, text: str | Day) -> None:
        """Raise ValueError when `text` is in none of the forms above or names no day."""
        text = text if isinstance(text, str) else text.isoformat()
        first, last = _bounds(text)
        for name, value in (("text", text), ("first", first), ("last", last)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a When cannot be changed; write When(...) anew instead of setting {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a When cannot be changed; {name!r} stays")

    def __reduce__(self) -> tuple[type[When], tuple[str]]:
        return When, (self.text,)

    def __repr__(self) -> str:
        return f'When("{self.text}")'

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        return format(self.date, spec) if spec else self.text

    # --- what is known of it ---

    @property
    def exact(self) -> bool:
        """Whether it is one known day."""
        return self.first == self.last

    @property
    def date(self) -> Day:
        """The day. Raise ValueError when it is not known to the day."""
        if not self.exact:
            raise ValueError(f"{self!r} is not one day; use .first and .last")
        return self.first

    @property
    def year(self) -> int | None:
        return self.first.year if self.first.year == self.last.year else None

    @property
    def month(self) -> int | None:
        if _yearless(self.text):
            return int(self.text[2:4])
        same = (self.first.year, self.first.month) == (self.last.year, self.last.month)
        return self.first.month if same else None

    @property
    def day(self) -> int | None:
        if _yearless(self.text):
            return int(self.text[5:7])
        return self.first.day if self.exact else None

    @property
    def key(self) -> tuple[Day, Day]:
        """What to sort by: the earliest day it can be, then the latest."""
        return self.first, self.last

    def weekday(self) -> int:
        """Monday is 0, as for `date`. Raise ValueError when it is not known to the day."""
        return self.date.weekday()

    def isoformat(self) -> str:
        return self.text

    def within(self, start: Day | When, end: Day | When) -> Sure:
        """Whether it lies from `start` to `end`, both included."""
        low, high = first(start), last(end)
        if _yearless(self.text):
            days = (date_in(self.text, year) for year in range(low.year, min(high.year, low.year + 8) + 1))
            hit = any(day and low <= day <= high for day in days)
            return "maybe" if hit else "no"
        if low <= self.first and self.last <= high:
            return "yes"
        return "no" if self.last < low or high < self.first else "maybe"

    def before(self, other: Day | When) -> Sure:
        """Whether it lies before `other`."""
        if self.last < first(other):
            return "yes"
        return "no" if self.first >= last(other) else "maybe"

    # --- order ---

    def __lt__(self, other: Day | When) -> bool:
        if isinstance(other, When):
            return self.key < other.key
        return self.last < other if isinstance(other, Day) else NotImplemented

    def __le__(self, other: Day | When) -> bool:
        if isinstance(other, When):
            return self.key <= other.key
        return self.last <= other if isinstance(other, Day) else NotImplemented

    def __gt__(self, other: Day | When) -> bool:
        if isinstance(other, When):
            return self.key > other.key
        return self.first > other if isinstance(other, Day) else NotImplemented

    def __ge__(self, other: Day | When) -> bool:
        if isinstance(other, When):
            return self.key >= other.key
        return self.first >= other if isinstance(other, Day) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if isinstance(other, When):
            return self.text == other.text
        if isinstance(other, Day):
            return self.first == other == self.last
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.first) if self.exact else hash(self.text)

    def __sub__(self, other: Day | When | timedelta) -> timedelta | When:
        """Days from `other` to it, or the day so long before it. Raise ValueError when a day is not known."""
        if isinstance(other, timedelta):
            return When(self.date - other)
        if isinstance(other, When):
            return self.date - other.date
        return self.date - other if isinstance(other, Day) else NotImplemented

    def __rsub__(self, other: Day) -> timedelta:
        return other - self.date if isinstance(other, Day) else NotImplemented

    def __add__(self, other: timedelta) -> When:
        return When(self.date + other) if isinstance(other, timedelta) else NotImplemented


def first(when: date | When) -> date:
    """The earliest day that it can be."""
    return when.first if isinstance(when, When) else when


def last(when: date | When) -> date:
    """The latest day that it can be."""
    return when.last if isinstance(when, When) else when


def date_in(text: str, year: int) -> date | None:
    """The day of a year for a date without one ("--06-05"); None for 29 February in a common year."""
    try:
        return date(year, int(text[2:4]), int(text[5:7]))
    except ValueError:
        return None


def add_months(day: date, months: int) -> date:
    """The same day of a later month, or that month's last day; never past the last day that a `date` knows.

    >>> add_months(date(2025, 1, 31), 1)
    datetime.date(2025, 2, 28)
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if year > date.max.year:
        return date.max
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _yearless(text: str) -> bool:
    return text.startswith("--")


FORMS = "2025-03-10, 2025-03, 2025, 2025-W11, 2025-22 (summer), 2025-03-10/2025-03-17, ../2025, 2025-03-10~ or --03-10"


@lru_cache(maxsize=65536)
def _bounds(text: str) -> tuple[date, date]:
    try:
        low, high = _span(text)
    except (ValueError, OverflowError):
        raise ValueError(f"When({text!r}): write it as {FORMS}") from None
    if high < low:
        raise ValueError(f"When({text!r}): the end lies before the start")
    return low, high


def _span(text: str) -> tuple[date, date]:
    if "/" in text:
        start, end = text.split("/")
        return (date.min if start == ".." else _point(start)[0]), (date.max if end == ".." else _point(end)[1])
    if text.endswith("~"):
        low, high = _point(text[:-1])
        if low == high:
            return low - JUST, high
        width = 12 if len(text) == 5 else 1
        return add_months(low, -width), add_months(high + timedelta(1), width) - timedelta(1)
    if re.fullmatch(r"--\d\d-\d\d", text, re.ASCII):
        if date_in(text, 2000) is None:  # a leap year: 29 February is a birthday too
            raise ValueError(text)
        return date.min, date.max
    return _point(text)


def _point(text: str) -> tuple[date, date]:
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        day = date.fromisoformat(text)
        return day, day
    if match := re.fullmatch(r"(\d{4})-W(\d\d)", text, re.ASCII):
        monday = date.fromisocalendar(int(match[1]), int(match[2]), 1)
        return monday, monday + timedelta(6)
    if match := re.fullmatch(r"(\d{4})-(\d\d)", text, re.ASCII):
        year, part = int(match[1]), int(match[2])
        month, months = (SEASONS[part][1], 3) if part in SEASONS else (part, 1)
        low, after = date(year, month, 1), add_months(date(year, month, 1), months)
        return low, after if after == date.max else after - timedelta(1)
    if re.fullmatch(r"\d{4}", text, re.ASCII):
        return date(int(text), 1, 1), date(int(text), 12, 31)
    raise ValueError(text)
