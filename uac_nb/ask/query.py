"""A question as plain data: a `Query` over the records of some collections.

Every filter is yes, no or maybe of a record, since dates are rarely exact and values can be missing. `evaluate` runs a query,
`render` writes it as Python that computes the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, time
from functools import lru_cache
from typing import Any, Literal

from uac_nb.ask.words import WEEKDAYS
from uac_nb.rules import Money, When, continent
from uac_nb.rules.when import Sure, date_in, first, last

RANK: dict[Sure, int] = {"no": 0, "maybe": 1, "yes": 2}
OPS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip
PARTS: dict[str, tuple[Callable[[date], Any], str]] = {  # a part of a date: its value for a day, and how Python writes it
    "year": (lambda d: d.year, "{0}.year"),
    "quarter": (lambda d: f"{d.year}-Q{(d.month + 2) // 3}", 'f"{{{0}.year}}-Q{{({0}.month + 2) // 3}}"'),
    "month": (lambda d: f"{d:%Y-%m}", 'f"{{{0}:%Y-%m}}"'),
    "week": (lambda d: f"{d:%G-W%V}", 'f"{{{0}:%G-W%V}}"'),
    "day": (lambda d: d.isoformat(), "{0}.isoformat()"),
    "weekday": (lambda d: WEEKDAYS[d.weekday()], 'f"{{{0}:%A}}"'),
}


@dataclass(frozen=True, slots=True)
class Of:
    """What a record has: a field, a part of its date, the size of its list, its continent, or the days to another date."""

    field: str
    part: str = ""
    to: str = ""
    other: str = ""  # the field that tells, where this one does not

    def value(self, record: Any) -> Any:
        """Return it; None where it is missing, or where a date is not exact enough."""
        value = getattr(record, self.field)
        if value is None and self.other:
            value = getattr(record, self.other)
        if not (self.part or self.to) or value is None:
            return value
        if self.to:
            end = getattr(record, self.to)
            exact = end is not None and first(value) == last(value) and first(end) == last(end)
            return (last(end) - first(value)).days if exact else None
        if self.part == "size":
            return len(value)
        if self.part == "continent":
            return continent(value)
        low, high = first(value), last(value)
        if low == date.min or high == date.max or (low.year != high.year):
            return None
        part = PARTS[self.part][0]
        return part(low) if part(low) == part(high) else None


@dataclass(frozen=True, slots=True)
class Test:
    """Compare what a record has.

    `== < <= > >=`: with a value; "in": it is one of some; "within": it lies in a window; "has": a text has a word; "is": a
    flag is set; "none": there is nothing; "unless": it may not count if it is one of some;
    "by": it may not count if it is after a day; "yearly": its month and day lie between two, whatever the year.
    `open`: where nothing is recorded, it still holds.
    """

    of: Of
    op: str
    value: Any = None
    open: bool = False

    def holds(self, record: Any) -> Sure:
        have = self.of.value(record)
        if self.op == "none":
            return _sure(have is None or have == ())
        if have is None:
            return "yes" if self.open else "maybe"
        if self.op == "within":
            if not isinstance(have, When):
                return _sure(self.value.first <= have <= self.value.last)
            return _yearly(have, self.value) if have.text.startswith("--") else have.within(self.value, self.value)
        if self.op == "yearly":
            return _sure(self.value[0] <= f"{have.month or 0:02}-{have.day or 0:02}" <= self.value[1])
        if self.op == "in":
            return _sure(any(v in self.value for v in have) if isinstance(have, tuple | list) else have in self.value)
        if self.op == "has":
            texts = have if isinstance(have, tuple | list) else (have,)
            return _sure(any(pattern(self.value).search(text) for text in texts))
        if self.op == "is":
            return _sure(bool(have))
        if self.op == "unless":
            return "maybe" if have in self.value else "yes"
        if self.op == "by":
            return "yes" if last(have) <= self.value else "maybe"
        if isinstance(have, When):
            day = self.value
            if self.op in ("<=", "<"):
                return "yes" if OPS[self.op](have.last, day) else "maybe" if OPS[self.op](have.first, day) else "no"
            return "yes" if OPS[self.op](have.first, day) else "maybe" if OPS[self.op](have.last, day) else "no"
        if isinstance(self.value, Money):
            if isinstance(have, Money) and have.currency != self.value.currency:
                return "maybe"
            have = have if isinstance(have, Money) else Money(have, self.value.currency)
        return _sure(OPS[self.op](have, self.value))


@lru_cache(maxsize=512)
def pattern(word: str) -> re.Pattern[str]:
    """Return what finds a word in a text, in the singular and the plural."""
    return re.compile(word_pattern(word), re.IGNORECASE)


def word_pattern(word: str) -> str:
    """Write what finds a word in a text."""
    ending = r"(?:s|es)?"
    return rf"\b{re.escape(word)}{ending}\b"


def _yearly(have: When, window: When) -> Sure:
    """Whether a day without a year lies in a window: once every year."""
    years = range(window.first.year, min(window.last.year, window.first.year + 4) + 1)
    days = (date_in(have.text, year) for year in years)
    return _sure(any(day is not None and window.first <= day <= window.last for day in days))


@dataclass(frozen=True, slots=True)
class Not:
    """Turn a filter round."""

    one: Filter

    def holds(self, record: Any) -> Sure:
        sure = self.one.holds(record)
        return "maybe" if sure == "maybe" else _sure(sure == "no")


@dataclass(frozen=True, slots=True)
class All:
    """Hold where every part holds; without parts, always."""

    parts: tuple[Filter, ...] = ()

    def holds(self, record: Any) -> Sure:
        worst: Sure = "yes"
        for part in self.parts:
            sure = part.holds(record)
            if sure == "no":
                return "no"
            worst = sure if sure == "maybe" else worst
        return worst


@dataclass(frozen=True, slots=True)
class Either:
    """Hold where one part holds."""

    parts: tuple[Filter, ...]

    def holds(self, record: Any) -> Sure:
        return max((part.holds(record) for part in self.parts), key=RANK.__getitem__)


Filter = Test | Not | All | Either
How = Literal["list", "count", "distinct", "sum", "average", "median", "exists"]


@dataclass(frozen=True, slots=True)
class Source:
    """One collection of a query: which of its records count, and what of them.

    `where` is what the question says; `scope` what goes without saying (mine, not cancelled, up to today).
    """

    collection: str
    where: Filter = All()
    scope: Filter = All()
    measure: Of | None = None  # what is aggregated, or what the pick goes by
    show: tuple[Of, ...] = ()  # of a list: what is shown of each record
    group: Of | None = None

    @property
    def filter(self) -> Filter:
        return both(self.where, self.scope)


@dataclass(frozen=True, slots=True)
class Query:
    """Of the records of all `sources`, after the `pick`, aggregate `how`: at once or by group."""

    sources: tuple[Source, ...]
    how: How = "list"
    pick: Literal["", "max", "min"] = ""  # keep the `top` records (or groups) with the most or least
    top: int = 1
    span: tuple[date, date] | None = None  # of groups by time: the days whose groups count also when they are empty
    over: Literal["", "average", "median"] = ""  # of groups: aggregate their values once more
    keep: tuple[str, Any] | None = None  # of groups: those whose value (or share in percent) compares so
    share: bool = False  # … the share
    part: Filter | None = None  # a percentage: of the aggregate, what the records have that meet this besides
    versus: tuple[Filter, Filter] | None = None  # compare the aggregate between two filters
    claim: tuple[str, Any] | None = None  # ask whether the value (or, of two, the second against the first) compares so
    divide: float = 1  # a value kept in minutes, asked in hours
    unit: str = field(default="", compare=False)  # what numbers of the answer are in, for show

    @property
    def one(self) -> Source:
        return self.sources[0]


def both(*filters: Filter) -> Filter:
    """Join filters, without nesting and without repeats."""
    parts = dict.fromkeys(p for f in filters for p in (f.parts if isinstance(f, All) else (f,)))
    return next(iter(parts)) if len(parts) == 1 else All(tuple(parts))


def tests(filter: Filter) -> Iterator[Test]:
    """Yield the single comparisons of a filter."""
    if isinstance(filter, Test):
        yield filter
    else:
        for part in (filter.one,) if isinstance(filter, Not) else filter.parts:
            yield from tests(part)


def fields_of(query: Query) -> set[str]:
    """Return the fields that a query reads."""
    filters = [f for s in query.sources for f in (s.where, s.scope)] + [f for f in (query.part, *(query.versus or ())) if f]
    shown = [of for s in query.sources for of in (s.measure, s.group, *s.show) if of]
    return {of.field for of in (*shown, *(t.of for f in filters for t in tests(f)))}


def _sure(holds: bool) -> Sure:
    return "yes" if holds else "no"


def is_time(value: Any) -> bool:
    return isinstance(value, time)
