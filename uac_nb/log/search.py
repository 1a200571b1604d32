"""Finding entries by their words.

Any word of the query may match, as it stands, by its stem or as the beginning of a word; the rank is BM25. The cost is
bounded: the rarest words are looked up first, and words that would exceed the budget are left out, since they tell least.
"""

from __future__ import annotations

import re
from datetime import date

from uac_nb.log import read
from uac_nb.log.between import between
from uac_nb.log.database import Database
from uac_nb.log.entries import Entry, Hit
from uac_nb.log.index import Tail
from uac_nb.log.rows import packed
from uac_nb.log.words import BEFORE, STOP_WORDS, spaced

BUDGET = 12_000  # rows that are ranked for one query
AFTER = 1  # turns shown after a hit; before it, as many as are indexed with it
_COMMON = 100  # rows from which on a word is not also taken as a beginning
_PREFIX = 3  # letters from which on a word may be the beginning of another
_ENDED, _ENDING = 7, 3  # letters from which on a word may have an ending that its stem does not drop, and how long that is
_PAGE = 200


def search(database: Database, text: str, k: int, speaker: str | None, during: tuple[date, date] | None) -> list[Hit]:
    """Return the `k` best messages and facts, the best first."""
    with database.reading():
        among = None if during is None else {entry.id for entry in between(database, *during)}
        ranked = _ranked(database, text, k if speaker is None and among is None else None)
        chosen = [(id, score) for id, score in ranked if among is None or id in among]
        hits: list[Hit] = []
        for start in range(0, len(chosen), _PAGE):
            scores = dict(chosen[start : start + _PAGE])
            found = read.by_id(database, scores, speaker)
            hits += [
                Hit(entry=found[id], score=score, neighbours=neighbours(database, found[id]))
                for id, score in scores.items()
                if id in found
            ][: k - len(hits)]
            if len(hits) == k:
                break
        return hits


def _ranked(database: Database, text: str, limit: int | None) -> list[tuple[int, float]]:
    """Return the numbers of all entries that fit, or of the `limit` best, with their scores (BM25), the best first."""
    with Tail(database) as tail:
        terms = _terms(database, tail, text)
        if not terms:
            return []
        sql = "SELECT rowid, -rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        query = " OR ".join(term for _, term in terms)
        found: dict[int, float] = dict(database.rows(sql, (query, -1 if limit is None else limit)))
        return sorted((found | tail.scores(terms)).items(), key=lambda one: (-one[1], one[0]))


def _terms(database: Database, tail: Tail, text: str) -> list[tuple[int, str]]:
    """Return the rarest terms of FTS5 that together stay within the budget, at least one, each after its count."""
    counted = sorted(found for word in words(text) if (found := _term(database, tail, word))[0])
    chosen: list[tuple[int, str]] = []
    total = 0
    for count, term in counted:
        total += count
        if chosen and total > BUDGET:
            break
        chosen.append((count if count < BUDGET else _count(database, tail, term, most=-1), term))
    return chosen


def _term(database: Database, tail: Tail, word: str) -> tuple[int, str]:
    """Return how many entries a word is found in, and the term to find it by: also as a beginning, unless it is common.

    A word that is found nowhere is looked for without its ending: "allergies" finds "allergic", "mentorship" "mentoring".
    """
    term = f'"{spaced(word).strip()}"'
    count = _count(database, tail, term)
    if count < _COMMON and len(word) >= _PREFIX and word.isalpha():
        term = f"{term} *"
        count = _count(database, tail, term)
    if not count and len(word) >= _ENDED and word.isascii() and word.isalpha():
        term = f'"{word[:-_ENDING]}" *'
        count = _count(database, tail, term)
    return count, term


def _count(database: Database, tail: Tail, term: str, most: int = BUDGET) -> int:
    sql = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
    count: int = database.rows(sql, (term, most))[0][0]
    return count + tail.count(term)


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
