"""Finding entries by their words.

Any word of the query may match, as it stands, by its stem or as the beginning of a word; the rank is BM25. The cost is
bounded: the rarest words are looked up first, and words that would exceed the budget are left out, since they tell least.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from uac_nb.log import read
from uac_nb.log.between import between
from uac_nb.log.database import Database
from uac_nb.log.entries import Entry, Hit
from uac_nb.log.rows import packed
from uac_nb.log.words import BEFORE, STOP_WORDS, spaced

BUDGET = 12_000  # rows that are ranked for one query
AFTER = 1  # turns shown after a hit; before it, as many as are indexed with it
_COMMON = 100  # rows from which on a word is not also taken as a beginning
_PREFIX = 3  # letters from which on a word may be the beginning of another
_PAGE = 200


def search(database: Database, text: str, k: int, speaker: str | None, during: tuple[date, date] | None) -> list[Hit]:
    """Return the `k` best messages and facts, the best first."""
    query = _query(database, text)
    if not query:
        return []
    among = None if during is None else {entry.id for entry in between(database, *during)}
    hits: list[Hit] = []
    for page in _ranked(database, query, k if speaker is None and among is None else None):
        scores = {id: -rank for id, rank in page if among is None or id in among}
        found = read.by_id(database, scores, speaker)
        hits += [
            Hit(entry=found[id], score=score, neighbours=neighbours(database, found[id]))
            for id, score in scores.items()
            if id in found
        ][: k - len(hits)]
        if len(hits) == k:
            break
    return hits


def _ranked(database: Database, query: str, limit: int | None) -> Iterator[list[tuple[int, float]]]:
    found = database.rows(
        "SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?", (query, -1 if limit is None else limit)
    )
    for start in range(0, len(found), _PAGE):
        yield found[start : start + _PAGE]


def _query(database: Database, text: str) -> str:
    """Return the FTS5 query: the rarest terms that together stay within the budget, at least one; "" if none is found."""
    counted = sorted(found for word in words(text) if (found := _term(database, word))[0])
    chosen: list[str] = []
    total = 0
    for count, term in counted:
        total += count
        if chosen and total > BUDGET:
            break
        chosen.append(term)
    return " OR ".join(chosen)


def _term(database: Database, word: str) -> tuple[int, str]:
    """Return how many rows a word is found in, and the term to find it by: also as a beginning, unless it is common."""
    term = f'"{spaced(word).strip()}"'
    count = _count(database, term)
    if count < _COMMON and len(word) >= _PREFIX and word.isalpha():
        term = f"{term} *"
        count = _count(database, term)
    return count, term


def _count(database: Database, term: str) -> int:
    sql = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
    count: int = database.rows(sql, (term, BUDGET))[0][0]
    return count


def words(text: str) -> list[str]:
    """Return the words of a question without stop words (unless there is nothing else).

    >>> words("Where did I put the passport?")
    ['put', 'passport']
    """
    found = [word for word in dict.fromkeys(re.findall(r"\w+", text.casefold())) if word.strip("_")]
    return [word for word in found if word not in STOP_WORDS] or found


def neighbours(database: Database, entry: Entry) -> tuple[Entry, ...]:
    """Return the turns around a message in its session, in their order; none for a fact."""
    if entry.kind != "message":
        return ()
    near = f"kind = 'message' AND session = ? AND {read.REMEMBERED}"
    nearby = [
        f"id IN (SELECT id FROM entries WHERE {near} AND id < ? ORDER BY id DESC LIMIT {BEFORE})",
        f"id IN (SELECT id FROM entries WHERE {near} AND id > ? ORDER BY id LIMIT {AFTER})",
    ]
    here = (packed(entry.session), entry.id)
    return tuple(read.selected(database, " OR ".join(nearby), (*here, *here)))
