"""`Every`: a time that comes again, as exactly as it is known; the useful part of iCalendar's RRULE (RFC 5545)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, time, timedelta
from functools import lru_cache
from itertools import count, pairwise
from typing import NamedTuple

from uac_nb.rules.when import When, add_months

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
UNITS = ("day", "week", "month", "year")
MONTHS = {"month": 1, "year": 12}
LAST = -1
MOST = 100_000  # occasions that one call lists; more of them are a mistake in the text or in the question
DAY = timedelta(days=1)

FORMS = (
    '"day", "tue,thu 18:00-19:30", "mon-fri", "2 weeks fri from 2025-01-10", "1st fri", "last day", "1st,15th", '
    '"5th of 06", "6 months from 2025-01-10", "2x week"; each may end in "from 2025-01-10" and "until 2025-06"'
)
_HOURS = r"(?P<starts>\d\d?:\d\d)(?:-(?P<ends>\d\d?:\d\d))?"
_NAMES = "|".join(WEEKDAYS)
_DAYS = rf"(?:(?:{_NAMES})(?:-(?:{_NAMES}))?)(?:,(?:{_NAMES})(?:-(?:{_NAMES}))?)*"
_NTH = r"(?:\d\d?(?:st|nd|rd|th)|last)(?:,(?:\d\d?(?:st|nd|rd|th)|last))*"
_TEXT = re.compile(
    rf"(?:(?P<times>\d+)x (?P<period>day|week|month|year)"
    rf"|(?P<nth>{_NTH})(?: (?P<nth_day>{_NAMES}|day))?(?: of (?P<months>\d\d(?:,\d\d)*))?"
    rf"|(?:(?P<n>\d+) )?(?P<unit>day|week|month|year)s?(?: (?P<of_week>{_DAYS}))?"
    rf"|(?P<weekdays>{_DAYS})(?: of (?P<of_months>\d\d(?:,\d\d)*))?"
    rf")(?: {_HOURS})?(?: from (?P<since>\S+))?(?: until (?P<until>\S+))?",
    re.ASCII,
)


class Occasion(NamedTuple):
    """One time that it comes: `on` is a day, or the span in which that day lies; not `sure` if it may not come at all."""

    on: When
    sure: bool = True


class Every:
    """A time that comes again.

    ================================= =================================================
    ``"day"``                         every day
    ``"tue,thu 18:00-19:30"``         on these weekdays, at these hours
    ``"mon-fri"``                     from Monday to Friday
    ``"2 weeks fri from 2025-01-10"`` every other Friday; without the day, one of two
    ``"1st fri"``, ``"last sun"``     that weekday of each month
    ``"1st,15th"``, ``"last day"``    these days of each month
    ``"5th of 06"``                   every year on 5 June (``"last sun of 03,10"``)
    ``"6 months from 2025-01-10"``    that day, and every six months after it
    ``"2x week"``                     twice in each week, on days that are not known
    ================================= =================================================

    Each may end in ``from`` and ``until`` with a `When`. A day that a month does not have is its last one.
    Where it is not known on which days it comes, `next` and `between` answer spans.

    >>> Every("1st fri 19:00").next(date(2025, 3, 8)).on
    When("2025-04-04")
    >>> Every("2x week").next(date(2025, 3, 5)).on
    When("2025-03-05/2025-03-16")
    """

    __slots__ = ("_rule", "ends", "since", "starts", "text", "until")
    text: str
    starts: time | None  # of the day; `ends` before `starts` lies on the day after
    ends: time | None
    since: When | None
    until: When | None
    _rule: _Rule

    def __init__(self, text: str) -> None:
        """Raise ValueError when `text` is in none of the forms above."""
        rule, starts, ends, since, until = _parsed(text)
        values = {"text": text, "starts": starts, "ends": ends, "since": since, "until": until, "_rule": rule}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an Every cannot be changed; write Every(...) anew instead of setting {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an Every cannot be changed; {name!r} stays")

    def __reduce__(self) -> tuple[type[Every], tuple[str]]:
        return Every, (self.text,)

    def __repr__(self) -> str:
        return f'Every("{self.text}")'

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Every) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def next(self, today: date) -> Occasion | None:
        """The first occasion from `today` on; None when it does not come again."""
        since = self.since
        start = max(today, since.first) if since else today
        end = self.until.last if self.until else date.max
        if start > end:
            return None
        if (latest := self._rule.latest(start, since)) is not None:  # the days are not known
            known = min(latest, end)
            return Occasion(_span(start, known), latest == known and self._certain(known))
        return next(self._occasions(start, end), None)

    def between(self, start: date, end: date) -> list[Occasion]:
        """All occasions from `start` to `end`, both included, in order. Raise ValueError for more than 100,000."""
        low = max(start, self.since.first) if self.since else start
        high = min(end, self.until.last) if self.until else end
        found: list[Occasion] = []
        for occasion in self._occasions(low, high) if low <= high else ():
            found.append(occasion)
            if len(found) > MOST:
                raise ValueError(f"{self!r} comes more than {MOST:,} times between {start} and {end}; ask for a shorter time")
        return found

    def count(self, start: date, end: date) -> tuple[int, int]:
        """How often it comes from `start` to `end`: at least, and at most."""
        found = self.between(start, end)
        return sum(occasion.sure for occasion in found), len(found)

    def _occasions(self, low: date, high: date) -> Iterator[Occasion]:
        for first, last in self._rule.spans(low, high, self.since):
            if last < low:
                continue
            if first > high:
                return
            inside = low <= first and last <= high
            yield Occasion(_span(max(first, low), min(last, high)), inside and self._certain(last, first))

    def _certain(self, last: date, first: date | None = None) -> bool:
        """Whether what comes then has surely begun, and has surely not ended."""
        begun = self.since is None or (first or last) >= self.since.last or self._rule.anchored(self.since)
        return begun and (self.until is None or last <= self.until.first)


class _Rule(NamedTuple):
    """Which days: every `n`-th `unit`, and of each unit the weekdays, the n-th weekdays or days, or so many `times`."""

    unit: str
    n: int = 1
    weekdays: tuple[int, ...] = ()
    nth: tuple[int, ...] = ()  # of a month: 1 is the first, LAST the last one
    months: tuple[int, ...] = ()
    times: int = 0

    def anchored(self, since: When | None) -> bool:
        """Whether the day on which it begins says which days those after it are, spans included."""
        return since is not None and not (self.weekdays or self.nth or self.times) and (self.unit, self.n) != ("day", 1)

    def phased(self, since: When | None) -> bool:
        """Whether it is known in which of the n units it comes."""
        if self.n == 1 and (self.weekdays or self.nth or self.unit == "day"):
            return True
        return since is not None and (since.exact or not self.weekdays) and since.first > date.min

    def latest(self, start: date, since: When | None) -> date | None:
        """By when it has come again after `start`, where its days are not known; None where they are."""
        if self.times:
            return _end(_later(_end(start, self.unit), "day", 1), self.unit)
        if self.weekdays or self.phased(since):
            return None
        return max(_later(start, self.unit, self.n) - DAY, start)

    def spans(self, low: date, high: date, since: When | None) -> Iterator[tuple[date, date]]:
        """First and last day on which each occasion can be, in order, from about `low` on; those of known days are equal."""
        if self.times:
            yield from self._somewhen(low, high)
        elif not self.phased(since):
            yield from self._unphased(low, high)
        elif self.nth:
            yield from ((day, day) for day in self._of_months(low, high))
        elif self.weekdays:
            yield from ((day, day) for day in self._of_weeks(low, high, since))
        else:
            yield from self._from(low, since)

    def _somewhen(self, low: date, high: date) -> Iterator[tuple[date, date]]:
        start = _begin(low, self.unit)
        while start <= high:
            end = _end(start, self.unit)
            yield from [(start, end)] * self.times
            if end == date.max:
                return
            start = end + DAY

    def _unphased(self, low: date, high: date) -> Iterator[tuple[date, date]]:
        """One occasion in every so many days, weekdays or months from `low` on."""
        if self.weekdays:
            days = list(_Rule("week", 1, self.weekdays)._of_weeks(low, _later(high, "week", self.n), None))
            size = len(self.weekdays)
            for at in range(0, len(days) - size * self.n + 1, size * self.n):
                for which in range(size):
                    yield days[at + which], days[at + which + size * (self.n - 1)]
            return
        for start, after in pairwise(_later(low, self.unit, self.n * k) for k in count()):
            if start > high or after == start:
                return
            yield start, after - DAY

    def _of_months(self, low: date, high: date) -> Iterator[date]:
        month = low.replace(day=1)
        while month <= high:
            if not self.months or month.month in self.months:
                found = {_nth(month, nth, day) for nth in self.nth for day in self.weekdays or (None,)}
                yield from sorted(day for day in found if day)
            if (after := add_months(month, 1)) <= month or after == date.max:
                return
            month = after

    def _of_weeks(self, low: date, high: date, since: When | None) -> Iterator[date]:
        monday = _begin(low, "week")
        if self.n > 1 and since is not None:
            passed = (monday - _begin(since.first, "week")).days // 7
            monday = _later(monday, "week", -passed % self.n)
        while monday <= high:
            for day in self.weekdays:
                on = _later(monday, "day", day)
                if on >= low and on.weekday() == day and (not self.months or on.month in self.months):
                    yield on
            if (after := _later(monday, "week", self.n)) - monday < timedelta(7 * self.n):
                return
            monday = after

    def _from(self, low: date, since: When | None) -> Iterator[tuple[date, date]]:
        """Every n-th day, week, month or year from a given day (or span of days) on."""
        first, last = (since.first, since.last) if since else (low, low)
        if self.unit == "day" and self.n == 1:
            first = last = low
        begin = 0
        if low > last:  # skip what surely lies before
            gone = (low.year - last.year) * 12 + low.month - last.month if self.unit in MONTHS else (low - last).days
            begin = max(gone // (self.n * (MONTHS.get(self.unit) or (7 if self.unit == "week" else 1))) - 1, 0)
        for k in count(begin):
            span = _later(first, self.unit, self.n * k), _later(last, self.unit, self.n * k)
            if span[0] == date.max:
                return
            yield span


@lru_cache(maxsize=4096)
def _parsed(text: str) -> tuple[_Rule, time | None, time | None, When | None, When | None]:
    try:
        found = _TEXT.fullmatch(text)
        if not found:
            raise ValueError(text)
        rule = _rule(found)
        starts, ends = (time.fromisoformat(hour.zfill(5)) if (hour := found[key]) else None for key in ("starts", "ends"))
        since, until = (When(found[key]) if found[key] else None for key in ("since", "until"))
        if any(when and when.text.startswith("--") for when in (since, until)) or (
            since and until and until.last < since.first
        ):
            raise ValueError(text)
    except (ValueError, IndexError):
        raise ValueError(f"Every({text!r}): write it as {FORMS}") from None
    return rule, starts, ends, since, until


def _rule(found: re.Match[str]) -> _Rule:
    months = tuple(sorted({int(month) for month in (found["months"] or found["of_months"] or "").split(",") if month}))
    if any(not 1 <= month <= 12 for month in months):
        raise ValueError(months)
    if found["times"]:
        times = int(found["times"])
        if not 1 <= times <= 100:
            raise ValueError(times)
        return _Rule(found["period"], times=times)
    if found["nth"]:
        nth = tuple(LAST if word == "last" else int(word[:-2]) for word in found["nth"].split(","))
        weekday = found["nth_day"]
        of_week = () if weekday in (None, "day") else (WEEKDAYS.index(weekday),)
        if any(n != LAST and not 1 <= n <= (5 if of_week else 31) for n in nth) or (not weekday and LAST in nth):
            raise ValueError(nth)
        return _Rule("month", 1, of_week, nth, months)
    if found["weekdays"]:
        return _Rule("week", 1, _weekdays(found["weekdays"]), (), months)
    n = int(found["n"] or 1)
    if not 1 <= n <= 1000 or (found["of_week"] and found["unit"] != "week"):
        raise ValueError(n)
    return _Rule(found["unit"], n, _weekdays(found["of_week"] or ""))


def _weekdays(text: str) -> tuple[int, ...]:
    found = set[int]()
    for part in filter(None, text.split(",")):
        low, _, high = part.partition("-")
        begin, end = WEEKDAYS.index(low), WEEKDAYS.index(high or low)
        found |= {(begin + k) % 7 for k in range((end - begin) % 7 + 1)}
    return tuple(sorted(found))


def _nth(month: date, nth: int, weekday: int | None) -> date | None:
    """The n-th day, or n-th such weekday, of a month: None for a fifth one that it does not have."""
    last = add_months(month, 1) - DAY if month < date(9999, 12, 1) else date.max
    if weekday is None:
        return last if nth == LAST else month.replace(day=min(nth, last.day))
    if nth == LAST:
        return last - timedelta((last.weekday() - weekday) % 7)
    day = (weekday - month.weekday()) % 7 + 7 * (nth - 1) + 1
    return month.replace(day=day) if day <= last.day else None


def _begin(day: date, unit: str) -> date:
    """The first day of the day's week, month or year."""
    if unit == "week":
        return date.fromordinal(max(day.toordinal() - day.weekday(), 1))
    return {"day": day, "month": day.replace(day=1), "year": day.replace(month=1, day=1)}[unit]


def _end(day: date, unit: str) -> date:
    """The last day of the day's week, month or year."""
    after = _later(_begin(day, unit), unit, 1)
    return after - DAY if after < date.max else after


def _later(day: date, unit: str, n: int) -> date:
    """The day so many units later; the last day that there is, where it would lie beyond."""
    if unit in MONTHS:
        return add_months(day, n * MONTHS[unit])
    return date.fromordinal(min(day.toordinal() + n * (7 if unit == "week" else 1), date.max.toordinal()))


def _span(first: date, last: date) -> When:
    return When(first) if first == last else When(f"{first}/{last}")
