"""Is the log what was written? Walk its chain and name the first entry that is not."""

from __future__ import annotations

import json

from uac_nb.errors import Diagnostic
from uac_nb.log import rows
from uac_nb.log.database import Database, guards
from uac_nb.log.rows import COLUMNS, Row, unpacked

_PAGE = 1_000
_CHANGED = "its content is not what was written"


def verify(database: Database) -> Diagnostic | None:
    """Return what is wrong with the first broken entry, or else with the file; None where all is well."""
    forgotten = {id for (data,) in database.rows("SELECT data FROM entries WHERE kind = 'forget'") for id in _ids(data)}
    last, chain = 0, rows.root(database.user)
    sql = f"SELECT {', '.join(COLUMNS)}, salt, digest, chain FROM entries WHERE id > ? ORDER BY id LIMIT {_PAGE}"
    while page := database.rows(sql, (last,)):
        for id, *cells, salt, digest, link in page:
            try:
                wrong = _wrong((id, *map(unpacked, cells)), salt, digest, link, last, chain, forgotten)
            except (TypeError, ValueError, AttributeError):  # of a type that was never written
                wrong = _CHANGED
            if wrong:
                hint = "restore the log from a backup or an export made before"
                return Diagnostic("broken-log", f"entry {id}", wrong, hint)
            last, chain = id, link
    return _unguarded(database) or _batches(database, last) or _damage(database)


def _unguarded(database: Database) -> Diagnostic | None:
    """Whether the triggers that keep the tables append-only are those that were made with the file, and no others."""
    if {sql for (sql,) in database.rows("SELECT sql FROM sqlite_master WHERE type = 'trigger'")} == {*guards()}:
        return None
    wrong = "the triggers that keep it append-only are not those that were made"
    return Diagnostic("damaged-file", database.path.name, wrong, "the entries are whole: `export` them and `restore` that")


def _batches(database: Database, last: int) -> Diagnostic | None:
    """Whether each batch is numbered in order, read entries that there were, and made those that say they are of it."""
    sql = """SELECT json_extract(data, '$.batch') AS batch, min(id), max(id) FROM entries
        WHERE salt IS NOT NULL AND kind IN ('fact', 'change') AND batch IS NOT NULL GROUP BY batch"""
    made = {batch: range(low, high + 1) for batch, low, high in database.rows(sql)}
    for expected, (id, read, start, end) in enumerate(
        database.rows("SELECT id, read, first, last FROM batches ORDER BY id"), 1
    ):
        wrong = "" if id == expected else f"follows batch {expected - 1}: those between are missing"
        try:
            before = last if start is None else start - 1  # what it read was there before what it made
            if not all(type(entry) is int and 0 < entry <= before for entry in json.loads(read)):
                wrong = wrong or "read entries that were not there"
            own = made.pop(id, range(0))
            if own and (start is None or not start <= own[0] <= own[-1] <= end):
                wrong = wrong or "entries that say they are of it are not among those that it made"
            sql = (
                "SELECT count(*) FROM entries WHERE id BETWEEN ? AND ? AND (salt IS NULL OR json_extract(data, '$.batch') = ?)"
            )
            if start is not None and database.rows(sql, (start, end, id))[0][0] != end - start + 1:
                wrong = wrong or "the entries that it made are not of it"
        except (TypeError, ValueError):
            wrong = _CHANGED
        if wrong:
            return Diagnostic("broken-log", f"batch {id}", wrong, "restore the log from a backup or an export made before")
    for id in made:
        told = "is missing, and entries say that they are of it"
        return Diagnostic("broken-log", f"batch {id}", told, "restore the log from a backup or an export made before")
    return None


def _damage(database: Database) -> Diagnostic | None:
    """What SQLite says of the file, where the entries are whole: the index, or what no entry is kept in, may be damaged."""
    found = database.rows("PRAGMA quick_check(1)")[0][0]
    hint = "the entries are whole: `export` them and `restore` that, or take a backup made before"
    return None if found == "ok" else Diagnostic("damaged-file", database.path.name, str(found).replace("\n", " "), hint)


def _ids(data: object) -> list[int]:
    """The entries that a tombstone names; none where it was changed, which the walk will find."""
    try:
        return list(json.loads(str(data))["ids"])
    except (ValueError, TypeError, KeyError):
        return []


def _wrong(row: Row, salt: bytes | None, digest: bytes, link: bytes, last: int, chain: bytes, forgotten: set[int]) -> str:
    if row[0] != last + 1:
        return f"follows entry {last}: the entries between are missing"
    if salt is None and row[0] not in forgotten:
        return "its words are gone, and no forget names it"
    if salt is None and (any(row[6:10]) or row[10:12] != ("{}", "{}")):
        return "was forgotten, but holds words again"
    if salt is not None and rows.digest(salt, row) != digest:
        return _CHANGED
    if rows.link(chain, digest, row[0]) != link:
        return "its chain hash does not follow from the entry before"
    return ""
