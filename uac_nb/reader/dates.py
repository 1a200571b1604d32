"""Dates as people say them, resolved against the day on which they said it, never against the clock.

A small grammar of our own, since date libraries fail silently and some read the wall clock. Each expression becomes the
widest `When` text that its words prove: "two weeks ago" is a week, "last October" a month. Where no year is said, the tense
of the clause decides (the last such day, or the next one).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from uac_nb.reader.daywords import NO_DAY, RULES, Found, Scene, Tense, date_of, each_year
from uac_nb.reader.language import compiled
from uac_nb.rules import When


@dataclass(frozen=True, slots=True)
class Dated:
    """A date in a text: its place, `when` (a When text) and, where two ends are said ("March 3 to 9"), `until`."""

    start: int
    end: int
    when: str
    until: str | None = None
    doubt: str | None = None
    yearless: bool = False  # the words name no year

    @property
    def exact(self) -> bool:
        return When(self.when).exact


def find(
    text: str, today: date, tense: Tense = "present", before: date | None = None, since: date | None = None
) -> list[Dated]:
    """All dates in a text, in order, none overlapping. `before` is a date named earlier, for "back on the 17th".

    Where that ended a span of days, `since` is the first of them, for "a talk on the 10th".
    """
    found: list[Dated] = []
    at = 0
    for match, resolve in sorted(_matches(text), key=lambda hit: (hit[0].start(), -hit[0].end())):
        if match.start() < at:
            continue
        last = next((d for d in reversed(found) if d.exact), None)
        named = When(last.when).date if last else before
        start = _opened(text, last) if last else since
        begun = _SINCE.search(text, 0, match.start())  # "I'm taking it since January"
        result = resolve(match, Scene(today, "past" if begun else tense, named, start))
        if result is None:
            continue
        at = match.end()
        if result == NO_DAY:
            continue
        when, doubt, yearless = result if isinstance(result, tuple) else (str(result), None, False)
        found.append(Dated(match.start(), at, when, doubt=doubt, yearless=yearless))
    return _bounded(text, _joined(text, found, today, tense))


def _matches(text: str) -> Iterator[tuple[re.Match[str], Callable[[re.Match[str], Scene], Found]]]:
    for pattern, resolve in RULES:
        for match in pattern.finditer(text):
            yield match, resolve


# --- what stands around a date ---

_TO = " *(?:-|–|—|to|until|till|through|thru) *"
_RANGE = compiled(f"{_TO}(?:the |about )?")
_AND = compiled(",? and (?:the )?")
_BETWEEN = compiled(r"\bbetween (?:the )?$")
_BESIDE = compiled(r",? ?\(?(?:on )?")
_SINCE = compiled(r"\bsince (?:about |early |late |mid[- ]|the (?:beginning|start|end) of )?$")
_BY = compiled(r"\b(?:by|no later than) (?:the )?(?:end of )?$")
_NUMBER_ONLY = compiled(r"the \d+\w\w")
_SECOND = compiled(
    rf"{_TO}(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year>(?:19|20)\d\d)\b)?(?![:%\d]| ?(?:am|pm|people|of)\b)"
)
_FIRST = compiled(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{_TO}(?:the )?$")
_ENDS_IN_DAY = compiled(r"\d(?:st|nd|rd|th)?$")


def _joined(text: str, found: list[Dated], today: date, tense: Tense) -> list[Dated]:
    """Join "March 3 to April 9", "between the 3rd and the 9th", "last week, October 2" and "March 3-9"."""
    result: list[Dated] = []
    for dated in found:
        last = result[-1] if result else None
        if last and _BESIDE.fullmatch(text, last.end, dated.start) and (sharper := _one(last, dated)):
            result[-1] = replace(sharper, start=last.start, end=dated.end)
        elif last and last.until is None and _is_range(text, last, dated):
            alone = _NUMBER_ONLY.fullmatch(text, last.start, last.end) and dated.exact
            both = _between(_in_month_of(dated, last) if alone else last, dated, today, tense)
            in_order = both.until and When(both.when).first <= When(both.until).last
            result[-1:] = [both] if in_order else [last, dated]
        else:
            result.append(dated)
    return [_open_start(text, _open_range(text, dated)) for dated in result]


def _is_range(text: str, a: Dated, b: Dated) -> bool:
    if _AND.fullmatch(text, a.end, b.start):
        return bool(_BETWEEN.search(text[: a.start]))
    return bool(_RANGE.fullmatch(text, a.end, b.start))


def _one(a: Dated, b: Dated) -> Dated | None:
    """ "last week, October 2": both say one day, the second more exactly."""
    if a.until or b.until:
        return None
    one, other = When(a.when), When(b.when)
    if one.first <= other.first and other.last <= one.last:
        return b
    return a if other.first <= one.first and one.last <= other.last else None


def _in_month_of(b: Dated, a: Dated) -> Dated:
    """ "from the 3rd to the 9th of May": the first day is of that month too."""
    end, number = When(b.when).date, When(a.when).date.day
    start = date_of(end.year, end.month, number) if number <= end.day else None
    return replace(a, when=start.isoformat(), yearless=b.yearless) if start else a


def _between(a: Dated, b: Dated, today: date, tense: Tense) -> Dated:
    """From `a` to `b`; where no year is said, the span that the tense means."""
    whole = replace(a, end=b.end, until=b.when, doubt=a.doubt or b.doubt)
    if not (a.yearless and a.exact and b.exact):
        return whole
    start, end = When(a.when).date, When(b.when).date
    spans = []
    for first in each_year(today, start.month, start.day):
        lasts = each_year(first, end.month, end.day) if b.yearless else [end]
        spans += [(first, last) for last in lasts if timedelta(0) <= last - first < timedelta(366)][:1]
    if b.yearless:
        spans = [s for s in spans if (s[0] <= today if tense == "past" else s[1] >= today)]
    if not spans:
        return whole
    first, last = spans[-1] if tense == "past" or not b.yearless else spans[0]
    return replace(whole, when=first.isoformat(), until=last.isoformat())


def _open_range(text: str, dated: Dated) -> Dated:
    """ "March 3 to 9": the second day stands without its month."""
    match = _SECOND.match(text, dated.end)
    if dated.until or not dated.exact or not match or not _ENDS_IN_DAY.search(text[: dated.end]):
        return dated
    start = When(dated.when).date
    if match["year"]:
        start = date_of(int(match["year"]), start.month, start.day) or start
    later = date_of(start.year, start.month, int(match["day"]))
    if later is None or later <= start:
        return dated
    return replace(dated, end=match.end(), when=start.isoformat(), until=later.isoformat())


def _open_start(text: str, dated: Dated) -> Dated:
    """ "3-9 March": the first day stands without its month."""
    match = _FIRST.search(text[: dated.start])
    if dated.until or not dated.exact or not match or not text[dated.start].isdigit():
        return dated
    end = When(dated.when).date
    earlier = date_of(end.year, end.month, int(match["day"]))
    if earlier is None or earlier >= end:
        return dated
    return replace(dated, start=match.start(), when=earlier.isoformat(), until=end.isoformat())


def _opened(text: str, dated: Dated) -> date | None:
    """The first of the days that a date ends: "8-12 June"."""
    whole = _open_start(text, dated)
    return When(whole.when).date if whole.until else None


def _bounded(text: str, found: list[Dated]) -> list[Dated]:
    """ "by Friday": then or before."""
    result = []
    for dated in found:
        by = _BY.search(text[: dated.start])
        if by and not dated.until and "/" not in dated.when and "~" not in dated.when:
            dated = replace(dated, start=by.start(), when=f"../{dated.when}")
        result.append(dated)
    return result
