"""Walking the log: entries by number, kind, session or speaker.

Reads go by the page, so that a long walk holds no read transaction open and may append as it goes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from uac_nb.log import rows
from uac_nb.log.database import Database
from uac_nb.log.entries import Chosen, Entry
from uac_nb.log.rows import COLUMNS, Row, packed

PAGE = 1_000
REMEMBERED = "salt IS NOT NULL"  # a forget empties the salt
SELECT = f"SELECT {', '.join(COLUMNS)} FROM entries"


def where(
    *,
    kinds: Collection[str] | None = None,
    ids: Collection[int] | None = None,
    after: int = 0,
    before: int | None = None,
    session: str | None = None,
    speaker: str | None = None,
    start: date | None = None,
    end: date | None = None,
) -> tuple[str, list[Any]]:
    """Return the SQL condition of a choice of entries, and its values. `start` and `end` are days on which they were said."""
    terms, values = ["id > ?"], [after, *(() if before is None else (before,))]
    terms += [] if before is None else ["id < ?"]
    if ids is not None:
        terms.append("id IN (SELECT value FROM json_each(?))")
        values.append(rows.dumps(sorted({int(id) for id in ids})))  # those of a DataFrame too
    if kinds is not None:
        terms.append(f"kind IN ({marks(kinds)})")
        terms += ["kind <> 'message'"] if "message" not in kinds else []  # lets the index of the other kinds serve
        values += kinds
    for column, wanted in (("session", session), ("speaker", speaker)):
        if wanted is not None:
            terms.append(f"{column} = ?")
            values.append(packed(wanted))
    for sign, day in ((">=", start), ("<=", end)):
        if day is not None:
            terms.append(f"substr(said_at, 1, 10) {sign} ?")
            values.append(day.isoformat())
    return " AND ".join(terms), values


def marks(values: Collection[Any]) -> str:
    return ", ".join("?" * len(values))


def entries(database: Database, last: int, **choice: Any) -> Iterator[Entry]:
    """Yield the entries of a choice (see `where`) in their order, none beyond `last`."""
    condition, values = where(**choice)
    kinds = choice.get("kinds")
    narrow = choice.get("session") is not None or (kinds is not None and "message" not in kinds)
    pages = _listed if narrow else _walked
    for page in pages(database, f"{condition} AND id <= ?", [*values, last]):
        yield from map(rows.entry, page)


def _walked(database: Database, condition: str, values: list[Any]) -> Iterator[list[Row]]:
    """Yield pages of rows by walking the whole log."""
    after = 0
    while page := database.rows(f"{SELECT} WHERE {condition} AND id > ? ORDER BY id LIMIT {PAGE}", (*values, after)):
        yield page
        after = page[-1][0]


def _listed(database: Database, condition: str, values: list[Any]) -> Iterator[list[Row]]:
    """Yield pages of rows whose numbers an index gives, once."""
    ids = sorted(id for (id,) in database.rows(f"SELECT id FROM entries WHERE {condition}", values))
    for start in range(0, len(ids), PAGE):
        page = rows.dumps(ids[start : start + PAGE])
        yield database.rows(f"{SELECT} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", (page,))


def chosen(database: Database, last: int, limit: int | None, **choice: Any) -> Chosen:
    """Return the newest `limit` entries of a choice, and how many there are in all."""
    condition, values = where(**choice)
    condition, values = f"{condition} AND id <= ?", [*values, last]
    total = database.rows(f"SELECT count(*) FROM entries WHERE {condition}", values)[0][0]
    if limit is not None and limit < total:
        sql = f"SELECT id FROM entries WHERE {condition} ORDER BY id DESC LIMIT 1 OFFSET ?"
        choice["after"] = max(choice.get("after", 0), database.rows(sql, (*values, limit - 1))[0][0] - 1)
    return Chosen(entries=entries(database, last, **choice), count=total if limit is None else min(limit, total), total=total)


def by_id(database: Database, ids: Iterable[int], speaker: str | None = None) -> dict[int, Entry]:
    """Return entries by number."""
    condition, values = where(ids=list(ids), speaker=speaker)
    return {row[0]: rows.entry(row) for row in database.rows(f"{SELECT} WHERE {condition}", values)}


def selected(database: Database, condition: str, values: Sequence[Any]) -> list[Entry]:
    """Return the entries of an SQL condition in their order."""
    return [rows.entry(row) for row in database.rows(f"{SELECT} WHERE {condition} ORDER BY id", values)]
