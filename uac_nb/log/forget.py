"""Making the log forget: the words go, the place in the chain stays.

SQLite keeps deleted text in free pages, in the write-ahead log and in the full-text index, so forgetting ends with the
index built anew, the file rewritten and the write-ahead log cut.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

from uac_nb.errors import LogError
from uac_nb.log import index, read, rows
from uac_nb.log.database import FORGOTTEN, Database
from uac_nb.log.entries import Draft, Entry, Forgotten
from uac_nb.log.foldings import Words, folded
from uac_nb.log.rows import unpacked
from uac_nb.log.words import STOP_WORDS, spaced
from uac_nb.log.write import added

_EMPTY = ", ".join(f"{name} = {empty}" for name, empty in FORGOTTEN.items())
_EMPTY_CALL = "request = '{}', reply = ''"  # what was spent on it stays
_UNSPENT = "prompt_tokens = NULL, completion_tokens = NULL, seconds = 0"  # on a recorded reply, which nothing tells from others
_TELLING = 4  # letters from which on any word may give away what was said; a shorter one may be a name, a code or a number
_NAMING = re.compile(r"[^\W_]*[^\W\d_a-z][^\W_]*|\d{3,}|(?=\d*[^\W\d_])(?=[^\W\d_]*\d)[^\W_]+")


def forget(
    database: Database,
    ids: Collection[int],
    why: str,
    now: datetime,
    instead: Iterable[Draft] = (),
    words: Collection[str] = (),
) -> Forgotten:
    """Empty entries and what the log derived from them; see `Log.forget`."""
    chosen = _checked(database, ids)
    database.rows("PRAGMA secure_delete = ON")
    with database.writing("a forget"):
        lost = foldings(database, only_in(database, chosen) | {*words}, {entry.id for entry in chosen})
        _each(database, f"UPDATE entries SET {_EMPTY}, salt = NULL, key = NULL WHERE id = ?", (e.id for e in chosen))
        index.rebuild(database)
        calls = dict(_calls(database, chosen, lost))
        _each(database, f"UPDATE calls SET {_EMPTY_CALL} WHERE id = ?", calls)
        _each(database, f"UPDATE calls SET {_EMPTY_CALL}, {_UNSPENT} WHERE id = ?", (id for id in calls if calls[id]))
        tombstone = Draft(kind="forget", text=why, data={"ids": [entry.id for entry in chosen]})
        entry, *_ = added(database, [tombstone, *instead], now)
        left = tuple(_holding(database, lost))
        database.many("INSERT OR IGNORE INTO todo VALUES (?)", [("sweep",), ("project",)])
    return Forgotten(entry=entry, ids=tuple(e.id for e in chosen), calls=tuple(calls), left=left, unswept=sweep(database))


def _checked(database: Database, ids: Collection[int]) -> list[Entry]:
    found = read.by_id(database, ids)
    missing = sorted(set(ids) - set(found))
    if missing or not found:
        raise LogError(f"there is no entry {missing[0]} to forget" if missing else "no entry was named to forget")
    for entry in found.values():
        if entry.kind == "forget":
            raise LogError(f"entry {entry.id} records a forget itself and holds no words; name the others only")
    return [found[id] for id in sorted(found)]


def _each(database: Database, sql: str, ids: Iterable[int]) -> None:
    database.many(sql, [(id,) for id in ids])


def only_in(database: Database, chosen: Collection[Entry]) -> frozenset[str]:
    """Return the telling words of the messages among `chosen` that no message beside them holds."""
    said = (word for e in chosen if e.kind == "message" for word in re.findall(r"[^\W_]+", f"{e.text} {e.caption}"))
    telling = {word.casefold() for word in said if len(word) >= _TELLING or (len(word) > 1 and _NAMING.fullmatch(word))}
    telling -= STOP_WORDS
    ids = {entry.id for entry in chosen}
    waiting = (row for row in index.waiting(database) if row[1] == "message" and row[0] not in ids)
    telling -= {word for row in waiting for word in _words(" ".join(row[7:10]))}
    return frozenset(word for word in telling if not _elsewhere(database, word, ids))


def foldings(database: Database, words: Collection[str], besides: Collection[int]) -> Words:
    """Return words in all their forms, less those (but the words themselves) that a message which is not in `besides` holds."""
    looked = Words(frozenset(words))
    looked = Words(looked.told, frozenset(map(folded, words)))
    last = database.rows("SELECT max(id) FROM entries")[0][0] or 0
    others = (e for e in read.entries(database, last, kinds=("message",)) if e.id not in besides)
    said = {form for entry in others if looked for form in looked.heard(f"{entry.text} {entry.caption}")}
    return Words(looked.told, frozenset(said))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.casefold()))


def _elsewhere(database: Database, word: str, besides: Collection[int]) -> bool:
    """Whether the index on disk leads to another message that says a word. It has each message's neighbours with it, so a
    find is looked at."""
    sql = (
        "SELECT id, speaker, entries.text, caption FROM words JOIN entries ON id = words.rowid"
        " WHERE words MATCH ? AND words.rowid > ? AND kind = 'message' ORDER BY words.rowid LIMIT 100"
    )
    after = 0
    while page := database.rows(sql, (f'"{spaced(word)}"', after)):
        if any(id not in besides and word in _words(" ".join(map(unpacked, cells))) for id, *cells in page):
            return True
        after = page[-1][0]
    return False


def _calls(database: Database, chosen: Collection[Entry], lost: Words) -> Iterator[tuple[int, bool]]:
    """Yield the model calls that read one of the entries, or made one, or hold a word that only these held.

    With each, whether its reply was a recorded one.
    """
    ids, batches = {entry.id for entry in chosen}, {entry.data["batch"] for entry in chosen if "batch" in entry.data}
    sql = "SELECT id, batch, entries, request, reply FROM calls WHERE id > ? ORDER BY id LIMIT 100"
    after = 0
    while page := database.rows(sql, (after,)):
        for id, batch, entries, *texts in page:
            if batch in batches or ids & set(rows.loads(entries)) or lost.search("\n".join(map(unpacked, texts))):
                yield id, bool(rows.loads(unpacked(texts[0])).get("recorded"))
        after = page[-1][0]


def _holding(database: Database, lost: Words) -> Iterator[int]:
    last = database.rows("SELECT max(id) FROM entries")[0][0]
    for entry in read.entries(database, last, kinds=("fact", "change", "edit", "alert")):
        if lost.search(f"{entry.text}\n{rows.dumps(entry.data)}"):
            yield entry.id


def sweep(database: Database) -> str:
    """Rewrite the file without what was deleted; return "" or why that has to wait. A later opening tries again."""
    try:
        database.rows("VACUUM")
        busy = database.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]
    except LogError as error:
        return str(error)
    if busy:
        return "another program is reading the log"
    with database.writing():
        database.rows("DELETE FROM todo WHERE what = 'sweep'")
    return ""
