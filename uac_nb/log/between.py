"""Finding entries by day: those said then, and those that name a day then ("on 7 July", "2023-07-07", "yesterday")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from uac_nb.log import index, read, rows
from uac_nb.log.database import Database
from uac_nb.log.entries import Entry
from uac_nb.log.rows import Row, unpacked
from uac_nb.log.words import INDEXED

MONTHS = ("january", "february", "march", "april", "may", "june",
          "july", "august", "september", "october", "november", "december")  # fmt: skip
_DAY = timedelta(days=1)
_MONTH = 28  # days from which on a span may hold a month

_month = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" if name[3:] else name for name in MONTHS) + r"|sept)\b\.?"
_day = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_year = r"(?:,?\s+(?P<year>\d{4})\b)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_day}\s+(?:of\s+)?{_month}{_year}?",
        rf"\b{_month}\s+(?:the\s+)?{_day}{_year}?",
        rf"\b{_month}(?:\s+of)?{_year}",
        r"\b(?P<year>\d{4})[-/.](?P<number>\d{1,2})[-/.](?P<day>\d{1,2})\b",
        r"\b(?P<number>\d{1,2})[-/.](?P<day>\d{1,2})[-/.](?P<year>\d{4})\b",  # read both ways, since nobody says which
        r"\b(?P<day>\d{1,2})[-/.](?P<number>\d{1,2})[-/.](?P<year>\d{4})\b",
    )
)
_DIGIT = re.compile(r"\d")
_RELATIVE = (
    (re.compile(r"\b(?:yesterday|last night)\b", re.IGNORECASE), -_DAY),
    (re.compile(r"\btomorrow\b", re.IGNORECASE), _DAY),
)


def between(database: Database, start: date, end: date) -> list[Entry]:
    """Return the messages and facts said from `start` to `end` (both included) or naming a day then, in their order."""
    near = (max(start, date.min + _DAY) - _DAY, min(end, date.max - _DAY) + _DAY)  # for yesterday and tomorrow
    said = f"substr(said_at, 1, 10) BETWEEN ? AND ? AND kind IN ('message', 'fact') AND {read.REMEMBERED}"
    named = "id IN (SELECT rowid FROM words WHERE words MATCH ?)"
    found: dict[int, Row] = {}
    with database.reading():
        for condition, values in ((said, [day.isoformat() for day in near]), (named, [_query(start, end)])):
            found |= {row[0]: row for row in database.rows(f"{read.SELECT} WHERE {condition}", values)}
        found |= {row[0]: row for row in index.waiting(database) if row[1] in INDEXED}
    return [rows.entry(found[id]) for id in sorted(found) if _within(found[id], start, end)]


def _within(row: Row, start: date, end: date) -> bool:
    """Tell whether a row of COLUMNS was said then, or names a day then."""
    said, recorded, text = row[3], row[5], unpacked(row[8])
    day = date.fromisoformat((said or recorded)[:10])
    if said is not None and start <= day <= end:
        return True
    return any(start <= first and last <= end for first, last in named(text, day))


def named(text: str, said: date) -> Iterator[tuple[date, date]]:
    """Yield the days (first and last) that a text names. A day without a year is the one before and the one after `said`.

    >>> [first.isoformat() for first, _ in named("back on the 3rd of May", date(2023, 7, 1))]
    ['2023-05-03', '2024-05-03']
    """
    for form in _FORMS if _DIGIT.search(text) else ():
        for match in form.finditer(text):
            yield from _spans(match.groupdict(), said)
    for word, distance in _RELATIVE:
        if word.search(text):
            yield said + distance, said + distance


def _spans(parts: dict[str, str | None], said: date) -> Iterator[tuple[date, date]]:
    number = parts.get("number")
    month = int(number) if number else _number(parts["month"] or "")
    year = parts.get("year")
    for candidate in [int(year)] if year else [said.year - 1, said.year, said.year + 1]:
        try:
            first = date(candidate, month, int(parts.get("day") or 1))
        except ValueError:  # 31/02, or 7/30 read the other way
            continue
        if year or abs(first - said) < timedelta(days=366):
            yield first, first if parts.get("day") else _month_end(first)


def _number(month: str) -> int:
    return next(number for number, name in enumerate(MONTHS, 1) if name.startswith(month[:3].lower()))


def _month_end(first: date) -> date:
    return date.max if (first.year, first.month) == (9999, 12) else (first + timedelta(days=31)).replace(day=1) - _DAY


def _query(start: date, end: date) -> str:
    """Return an FTS5 query that every text naming a day of the span matches (and others: they are read, then left out)."""
    length = (end - start).days + 1
    days = {(start + n * _DAY) for n in range(min(length, 366))}
    months = {day.month for day in days}
    names = _any(
        short for number in months for short in (MONTHS[number - 1], MONTHS[number - 1][:3], *(["sept"] if number == 9 else []))
    )
    numbers = _any(form for number in months for form in (f"{number}", f"{number:02}"))
    years = _any(str(year) for year in range(start.year, end.year + 1))
    numeric = f"({years}) AND ({numbers})"
    if length >= _MONTH:
        return f"({names}) OR ({numeric})"
    one = _any(form for day in days for form in (f"{day.day}", f"{day.day:02}", _ordinal(day.day)))
    return f"(({names}) OR ({numeric})) AND ({one})"


def _any(words: Iterator[str]) -> str:
    return " OR ".join(f'"{word}"' for word in sorted(set(words)))


def _ordinal(day: int) -> str:
    return f"{day}{'th' if day in (11, 12, 13) else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"
