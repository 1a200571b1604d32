"""Finding entries by day: those said then, and those that name a day then ("on 7 July", "2023-07-07", "yesterday")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from uac_nb.english import named
from uac_nb.english.calendar import MONTHS
from uac_nb.log import index, read, rows
from uac_nb.log.database import Database
from uac_nb.log.entries import Entry
from uac_nb.log.rows import Row, unpacked
from uac_nb.log.words import INDEXED

_DAY = timedelta(days=1)
# What the index can look for: "the 7th" or "on Friday" alone it cannot, and an answer must not hang on what is indexed already.
_FINDABLE = re.compile(
    rf"\b(?:{'|'.join(MONTHS)}|\d{{4}}|yesterday|last\s+night|tomorrow)\b|\b\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{4}}\b",
    re.IGNORECASE,
)
_MONTH = 28  # days from which on a span may hold a month


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
    spans = named(text, day) if _FINDABLE.search(text) else ()
    return any(start <= s.first and s.last <= end and _FINDABLE.search(text, s.start, s.end) for s in spans)


def _query(start: date, end: date) -> str:
    """Return an FTS5 query that every text naming a day of the span matches (and others: they are read, then left out)."""
    length = (end - start).days + 1
    days = {(start + n * _DAY) for n in range(min(length, 366))}
    months = {day.month for day in days}
    names = _any(name for name, number in MONTHS.items() if number in months)
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
