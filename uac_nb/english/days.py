"""Days and times as people say them, resolved against the day on which they said it, never against the clock.

A small grammar of our own, since date libraries fail silently, invent days, and some read the wall clock. Each expression
becomes the widest `When` that its words prove: "two weeks ago" is a week, "last October" a month. Where no year is said, the
tense of the clause decides (the last such day, or the next one).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from uac_nb.english.calendar import date_of, each_year
from uac_nb.english.expressions import NO_DAY, QUESTIONS, RULES, Found, Reference, Tense
from uac_nb.english.text import compiled
from uac_nb.rules import When


@dataclass(frozen=True, slots=True)
class Span:
    """A time in a text: its place, `when` it is, and `until` where two ends are said ("March 3 to 9")."""

    start: int
    end: int
    when: When
    until: When | None = None
    doubt: str | None = None
    yearless: bool = False  # the words name no year

    @property
    def first(self) -> date:
        return self.when.first

    @property
    def last(self) -> date:
        return (self.until or self.when).last


def days(text: str, said: date, tense: Tense = "present", before: date | None = None, since: date | None = None) -> list[Span]:
    """Return all dates in a text, in order, none overlapping.

    `before` is a date named earlier, for "back on the 17th"; where it ended a span of days, `since` is the first of them, for
    "a talk on the 10th".

    >>> [str(span.when) for span in days("flew on 3 April, two weeks ago I was back", date(2026, 6, 10), "past")]
    ['2026-04-03', '2026-W22']
    """
    found: list[Span] = []
    last: Span | None = None
    for match, resolve in _matches(text, RULES):
        if found and match.start() < found[-1].end:
            continue
        named = last.when.date if last else before
        start = _opened(text, last) if last else since
        begun = _SINCE.search(text, max(0, match.start() - 40), match.start())  # "I'm taking it since January"
        span = _resolved(match, resolve, Reference(said, "past" if begun else tense, named, start))
        if span:
            found.append(span)
            last = span if span.when.exact else last
    return _bounded(text, _joined(text, [span for span in found if span.when is not _NONE], said, tense))


def periods(text: str, today: date, *, ahead: bool = False) -> list[Span]:
    """Return the times that a question names, each with the words that bound it ("before 2024", "in the last 3 months").

    What has no year is the latest that has begun, or with `ahead` the next that has not ended. "From … to …" are two times.

    >>> [str(span.when) for span in periods("between March and June 2024, or since May", date(2025, 3, 12))]
    ['2024-03-01/2024-06-30', '2024-05-01/..']
    """
    reference = Reference(today, "future" if ahead else "past")
    found: list[Span] = []
    for match, resolve in _matches(text, (*QUESTIONS, *RULES)):
        if not (found and match.start() < found[-1].end) and (span := _resolved(match, resolve, reference)):
            found.append(span)
    found = _same_year(text, [span for span in found if span.when is not _NONE])
    result: list[Span] = []
    for span in found:
        whole = _spanned(text, result[-1], span) if result else None
        result[len(result) - bool(whole) :] = [whole or span]
    return [_sided(text, span) for span in result]


def named(text: str, said: date) -> Iterator[Span]:
    """Yield each time that a text can name, in either tense and either order of its numbers.

    >>> [str(span.when) for span in named("back on the 3rd of May", date(2023, 7, 1))]
    ['2023-05-03', '2024-05-03']
    """
    tenses: tuple[Tense, Tense] = ("past", "future")
    for span in dict.fromkeys(span for tense in tenses for span in days(text, said, tense)):
        if span.doubt and span.until is None and not span.when.exact:  # one of two days, and not those between
            yield from (replace(span, when=When(day.isoformat())) for day in (span.first, span.last))
        else:
            yield span


# --- one expression ---

_NONE = When("0001")  # what looks like a date and is none: nor is any part of it ("the 31st of June")
Rules = Iterable[tuple[re.Pattern[str], Callable[[re.Match[str], Reference], Found]]]


def _matches(text: str, rules: Rules) -> list[tuple[re.Match[str], Callable[[re.Match[str], Reference], Found]]]:
    found = [(match, resolve) for pattern, resolve in rules for match in pattern.finditer(text)]
    return sorted(found, key=lambda hit: (hit[0].start(), -hit[0].end()))


def _resolved(match: re.Match[str], resolve: Callable[[re.Match[str], Reference], Found], reference: Reference) -> Span | None:
    try:
        result = resolve(match, reference)
        if result is None:
            return None
        when, doubt, yearless = result if isinstance(result, tuple) else (str(result), None, False)
        return Span(match.start(), match.end(), When(when) if when != NO_DAY else _NONE, None, doubt, yearless)
    except (ValueError, OverflowError):  # beyond the calendar: "in 900 decades"
        return Span(match.start(), match.end(), _NONE)


# --- two ends ---

_TO = " *(?:-|–|—|to|until|till|through|thru) *"
_RANGE = compiled(f"{_TO}(?:the |about )?")
_AND = compiled(",? and (?:the )?")
_AND_END = compiled(",? and (?:the )?(?:end of )?")
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
_NEAR = 40  # characters before a date in which the words that belong to it stand


def _joined(text: str, found: list[Span], said: date, tense: Tense) -> list[Span]:
    """Join "March 3 to April 9", "between the 3rd and the 9th", "last week, October 2" and "March 3-9"."""
    result: list[Span] = []
    for span in found:
        last = result[-1] if result else None
        if last and _BESIDE.fullmatch(text, last.end, span.start) and (sharper := _sharper(last, span)):
            result[-1] = replace(sharper, start=last.start, end=span.end)
        elif last and last.until is None and _is_range(text, last, span):
            alone = _NUMBER_ONLY.fullmatch(text, last.start, last.end) and span.when.exact
            both = _between(_in_month_of(span, last) if alone else last, span, said, tense)
            result[-1:] = [both] if both.until and both.first <= both.until.last else [last, span]
        else:
            result.append(span)
    return [_open_start(text, _open_range(text, span)) for span in result]


def _is_range(text: str, a: Span, b: Span) -> bool:
    if _AND.fullmatch(text, a.end, b.start):
        return bool(_BETWEEN.search(text, max(0, a.start - _NEAR), a.start))
    return bool(_RANGE.fullmatch(text, a.end, b.start))


def _sharper(a: Span, b: Span) -> Span | None:
    """Return the one that lies within the other: "last week, October 2" are one day."""
    if a.until or b.until:
        return None
    if a.first <= b.first and b.last <= a.last:
        return b
    return a if b.first <= a.first and a.last <= b.last else None


def _in_month_of(b: Span, a: Span) -> Span:
    """Put the first day of "from the 3rd to the 9th of May" into the month of the second."""
    end, number = b.when.date, a.when.date.day
    start = date_of(end.year, end.month, number) if number <= end.day else None
    return replace(a, when=When(start.isoformat()), yearless=b.yearless) if start else a


def _between(a: Span, b: Span, said: date, tense: Tense) -> Span:
    """Return the time from `a` to `b`; where no year is said, the one that the tense means."""
    whole = replace(a, end=b.end, until=b.when, doubt=a.doubt or b.doubt)
    if not (a.yearless and a.when.exact and b.when.exact):
        return whole
    start, end = a.when.date, b.when.date
    spans = []
    for first in each_year(said, start.month, start.day):
        lasts = each_year(first, end.month, end.day) if b.yearless else [end]
        spans += [(first, last) for last in lasts if timedelta(0) <= last - first < timedelta(366)][:1]
    if b.yearless:
        spans = [s for s in spans if (s[0] <= said if tense == "past" else s[1] >= said)]
    if not spans:
        return whole
    first, last = spans[-1] if tense == "past" or not b.yearless else spans[0]
    return replace(whole, when=When(first.isoformat()), until=When(last.isoformat()))


def _open_range(text: str, span: Span) -> Span:
    """Take in the second day of "March 3 to 9", which stands without its month."""
    match = _SECOND.match(text, span.end)
    if span.until or not span.when.exact or not match or not _ENDS_IN_DAY.search(text, max(0, span.end - 4), span.end):
        return span
    start = span.when.date
    if match["year"]:
        start = date_of(int(match["year"]), start.month, start.day) or start
    later = date_of(start.year, start.month, int(match["day"]))
    if later is None or later <= start:
        return span
    return replace(span, end=match.end(), when=When(start.isoformat()), until=When(later.isoformat()))


def _open_start(text: str, span: Span) -> Span:
    """Take in the first day of "3-9 March", which stands without its month."""
    if span.until or not span.when.exact or not text[span.start].isdigit():
        return span
    match = _FIRST.search(text, max(0, span.start - _NEAR), span.start)
    end = span.when.date
    earlier = date_of(end.year, end.month, int(match["day"])) if match else None
    if match is None or earlier is None or earlier >= end:
        return span
    return replace(span, start=match.start(), when=When(earlier.isoformat()), until=When(end.isoformat()))


def _opened(text: str, span: Span) -> date | None:
    """Return the first of the days that a date ends: "8-12 June"."""
    whole = _open_start(text, span)
    return whole.first if whole.until else None


def _bounded(text: str, found: list[Span]) -> list[Span]:
    """Read "by Friday" as then or before."""
    result = []
    for span in found:
        by = _BY.search(text, max(0, span.start - _NEAR), span.start)
        if by and not span.until and not set("/~") & set(span.when.text):
            span = replace(span, start=by.start(), when=When(f"../{span.when}"))
        result.append(span)
    return result


# --- the times of a question ---

_JOINT = compiled(r",? (?:(?:to|and|or|through|until|till|vs\.?|versus|than) )(?:in |the )?(?:end of )?")
_THROUGH = compiled(r" (?:through|thru|until|till) (?:the )?")
_HEAD = compiled(r"\b(?:between|from) (?:the )?(?:(?:beginning|start) of )?$")
_INCLUSIVE = compiled(r" (?:inclusive|included)\b")
_SIDES = (
    (compiled(r"\b(?:the )?week (?:of|starting|beginning|from)(?: on)? (?:the )?$"), lambda s: f"{s.first:%G-W%V}"),
    (compiled(r"\b(?:before|earlier than|prior to) (?:the )?$"), lambda s: f"../{s.first - timedelta(1)}"),
    (compiled(r"\b(?:after|later than) (?:the )?$"), lambda s: f"{s.last + timedelta(1)}/.."),
    (compiled(r"\b(?:since|starting|as of) (?:the )?(?:(?:beginning|start) of )?$"), lambda s: f"{s.first}/.."),
    (compiled(r"\b(?:until|till|up to|by) (?:the )?(?:end of )?$"), lambda s: f"../{s.last}"),
)
_FROM = compiled(r"\bfrom (?:the )?$")
_ON = compiled(r" (?:on|onwards?)\b")
_ENDS_LATER = compiled(" (?:to|-) ")


def _same_year(text: str, found: list[Span]) -> list[Span]:
    """Give the first of "March and June 2024" its year, and the first of "between November and February" the one before."""
    result = list(found)
    for n in range(len(found) - 2, -1, -1):
        a, b = result[n], result[n + 1]
        if a.yearless and re.fullmatch(r"\d{4}-.*", b.when.text) and _JOINT.fullmatch(text, a.end, b.start):
            for year in (b.first.year, b.first.year - 1):
                moved = _in_year(a, year)
                if moved and moved.first <= b.last:
                    result[n] = moved
                    break
    return result


def _in_year(span: Span, year: int) -> Span | None:
    try:
        return replace(span, when=When(re.sub(r"\b\d{4}(?=-)", str(year), span.when.text)))
    except ValueError:  # 29 February
        return None


def _spanned(text: str, a: Span, b: Span) -> Span | None:
    """Return "between A and B" or "A through B" as one time."""
    head = _HEAD.search(text, max(0, a.start - _NEAR), a.start)
    between = head and head[0].lower().startswith("between") and _AND_END.fullmatch(text, a.end, b.start)
    if not (between or _THROUGH.fullmatch(text, a.end, b.start)) or a.first > b.last:
        return None
    end = match.end() if (match := _INCLUSIVE.match(text, b.end)) else b.end
    return Span(head.start() if head else a.start, end, When(f"{a.first}/{b.last}"), doubt=a.doubt or b.doubt)


def _sided(text: str, span: Span) -> Span:
    """Take in the words that bound a time on one side: "before 2024", "since June", "from May on"."""
    for pattern, bounded in _SIDES:
        if match := pattern.search(text, max(0, span.start - _NEAR), span.start):
            return _with(span, match.start(), span.end, bounded)
    match, on = _FROM.search(text, max(0, span.start - _NEAR), span.start), _ON.match(text, span.end)
    if match and not _ENDS_LATER.match(text, span.end):
        return _with(span, match.start(), on.end() if on else span.end, lambda s: f"{s.first}/..")
    return span


def _with(span: Span, start: int, end: int, bounded: Callable[[Span], str]) -> Span:
    try:
        return replace(span, start=start, end=end, when=When(bounded(span)), yearless=False)
    except (ValueError, OverflowError):  # before the first day of the calendar
        return span
