"""The full-text index: whole pages of entries on disk, and the page that is still filling in memory.

An entry is safe when its commit is on disk, and a commit costs what it writes. An index kept up with every entry would
be half of that, so entries are indexed a page at a time; until then whoever searches indexes them for itself.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Self

from uac_nb.log import read
from uac_nb.log.database import VERSION, WORDS, Database
from uac_nb.log.rows import Row, packed, unpacked
from uac_nb.log.words import BEFORE, INDEXED, Windows, turn_of

PAGE = 64  # entries
PAGED = 2  # the version of the log since which the index is by pages
_INSERT = "INSERT INTO words (rowid, text) VALUES (?, ?)"
_LEAST = 1e-6  # FTS5's weight of a word that stands in every other entry


def paged(last: int) -> int:
    """Return the number of the last entry that the index on disk holds, when `last` is the last of the log."""
    return last - last % PAGE


def fill(database: Database, entries: Iterable[Row], after: int) -> None:
    """Index rows of COLUMNS, unpacked and in their order, the first of them after entry `after`; within `Database.writing`."""
    database.many(_INSERT, list(_texts(database, entries, after)))


def _texts(database: Database, entries: Iterable[Row], after: int) -> Iterator[tuple[int, str]]:
    windows = Windows(lambda session: _before(database, session, after))
    for row in entries:
        text = windows.text(row)
        if text is not None:
            yield row[0], text


def _before(database: Database, session: str, after: int) -> list[str]:
    here = f"kind = 'message' AND session = ? AND id <= ? AND {read.REMEMBERED}"
    sql = f"SELECT speaker, text, caption FROM entries WHERE {here} ORDER BY id DESC LIMIT ?"
    return [turn_of(row) for row in reversed(database.rows(sql, (packed(session), after, BEFORE)))]


def rebuild(database: Database) -> None:
    """Build the index on disk anew from the entries, within `Database.writing`."""
    database.rows("INSERT INTO words (words) VALUES ('delete-all')")
    last = paged(_last(database))
    for after in range(0, last, read.PAGE):
        fill(database, stored(database, after, min(last, after + read.PAGE)), after)


def waiting(database: Database) -> list[Row]:
    """Return the rows (COLUMNS, unpacked) that the index on disk does not hold yet, fewer than a page."""
    last = _last(database)
    return stored(database, paged(last), last)


def renew(database: Database) -> None:
    """Bring a log of an older version up to ours; the index of version 1 held every entry at once."""
    with database.writing("a log of a newer version"):
        if database.version < PAGED:
            rebuild(database)
        if database.version < VERSION:  # no other process did so while we waited
            database.rows(f"PRAGMA user_version = {VERSION}")


def stored(database: Database, after: int, last: int) -> list[Row]:
    """Return the rows (COLUMNS, unpacked) after entry `after` and up to `last`, but what was forgotten."""
    found = database.rows(f"{read.SELECT} WHERE id > ? AND id <= ? AND {read.REMEMBERED} ORDER BY id", (after, last))
    return [tuple(map(unpacked, row)) for row in found]


def _last(database: Database) -> int:
    last: int = database.rows("SELECT coalesce(max(id), 0) FROM entries")[0][0]
    return last


def _unsearched(database: Database) -> int:
    """How many entries are of kinds that are not indexed."""
    sql = f"SELECT count(*) FROM entries WHERE kind <> 'message' AND kind NOT IN ({read.marks(INDEXED)})"
    count: int = database.rows(sql, INDEXED)[0][0]
    return count


class Tail:
    """The entries after the last whole page, indexed in memory: within `Database.reading`, so that none is moved to disk."""

    def __init__(self, database: Database) -> None:
        last = _last(database)
        texts = list(_texts(database, stored(database, paged(last), last), paged(last)))
        self._whole = last - _unsearched(database)
        self._size = len(texts)
        self._index = sqlite3.connect(":memory:")
        self._index.execute(WORDS)
        self._index.executemany(_INSERT, texts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._index.close()

    def count(self, term: str) -> int:
        """Return how many of the entries hold a term of FTS5."""
        return len(self._found(term))

    def scores(self, terms: Sequence[tuple[int, str]]) -> dict[int, float]:
        """Return the entries that hold any of the terms, each term after how many of the log hold it, with their BM25.

        How rare a term is in so few entries tells nothing, so each is weighed as in the whole log.
        """
        scores: dict[int, float] = {}
        for count, term in terms:
            found = self._found(term)
            weight = _rarity(self._whole, count) / _rarity(self._size, len(found))
            for id, score in found.items():
                scores[id] = scores.get(id, 0.0) + score * weight
        return scores

    def _found(self, term: str) -> dict[int, float]:
        return dict(self._index.execute("SELECT rowid, -rank FROM words WHERE words MATCH ?", (term,)))


def _rarity(entries: int, holding: int) -> float:
    """Return what a term weighs in the BM25 of FTS5 (its inverse document frequency)."""
    return max(math.log(max(entries - holding + 0.5, 0.5) / (holding + 0.5)), _LEAST)
