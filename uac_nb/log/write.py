"""Adding entries: numbering, chaining, recognising what is there already, indexing; within one transaction.

The last number and hash are read inside the transaction, so several processes number without gaps.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count, islice

from uac_nb.log import index, rows
from uac_nb.log.database import Database
from uac_nb.log.entries import Appended, Batch, Call, Draft, Entry
from uac_nb.log.rows import COLUMNS, Row, packed

_INSERT = f"INSERT INTO entries ({', '.join(COLUMNS)}, salt, digest, chain, key) VALUES ({', '.join('?' * (len(COLUMNS) + 4))})"
_CHUNK = 500  # rows written together
_HELD = 20_000  # rows indexed together: an insert elsewhere makes FTS5 write out what it holds
_SALT = 16


# An entry but for its number and its place in the chain, all that can be done before it is our turn to write: its row
# (COLUMNS, the id to come), the same as SQLite can store it, salt, digest, and the key by which it is recognised.
Ready = tuple[Row, Row, bytes, bytes, bytes | None]


def ready(drafts: Sequence[Draft], now: str, places: Iterable[str]) -> list[Ready]:
    """Check drafts (an error names the place of a bad one) and take their hashes."""
    salts = os.urandom(_SALT * len(drafts))
    return [
        _ready(draft, now, place, salts[at : at + _SALT])
        for draft, place, at in zip(drafts, places, range(0, len(salts), _SALT), strict=False)
    ]


def _ready(draft: Draft, now: str, place: str, salt: bytes) -> Ready:
    rows.check(draft, place)
    row = rows.columns(draft, 0, now)
    cells, digest = rows.sealed(row, salt)
    return row, cells, salt, digest, rows.key(row, draft.origin.get("message", "") if draft.origin else "")


class Writer:
    """Add entries to the end of a log, within `Database.writing`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.last, self.chain = tail(database)
        self._indexed = index.paged(self.last)
        self._held: list[Row] = []  # the last rows put

    def add(self, drafts: Iterable[Draft], now: datetime, again: bool = True) -> Iterator[Entry | int]:
        """Yield for each draft the new entry, or the id of the one that is there already (unless `again`)."""
        done = 0
        for chunk in chunks(drafts):
            id = count(self.last + 1)
            alone = (done, len(chunk)) == (0, 1)
            made = ready(chunk, now.isoformat(), ["nothing was added"] if alone else map("message {}".format, count(done + 1)))
            done += len(chunk)
            for draft, (row, *_), known in zip(chunk, made, self.put(made, again), strict=True):
                yield entry_of(draft, row, next(id)) if known is None else known
        self.finish()

    def put(self, chunk: Sequence[Ready], again: bool) -> list[int | None]:
        """Add what is not there already; return for each None, or the id of the entry that is. `finish` has to follow."""
        known = {} if again else self._known([key for *_, key in chunk if key])
        done: list[int | None] = []
        stored = []
        for row, cells, salt, digest, key in chunk:
            there = known.get(key)
            done.append(there)
            if there is not None:
                continue
            self.last += 1
            self.chain = rows.link(self.chain, digest, self.last)
            if key is not None and not again:
                known[key] = self.last
            stored.append((self.last, *cells[1:], salt, digest, self.chain, key))
            self._held.append((self.last, *row[1:]))
        self.database.many(_INSERT, stored)
        if len(self._held) >= _HELD:
            self.finish()
        return done

    def _known(self, keys: list[bytes]) -> dict[bytes | None, int]:
        sql = f"SELECT key, min(id) FROM entries WHERE key IN ({', '.join('?' * len(keys))}) GROUP BY key"
        return dict(self.database.rows(sql, keys)) if keys else {}

    def finish(self) -> None:
        """Index what was put as far as it fills pages, and what was waiting for that."""
        full = index.paged(self.last)
        if full == self._indexed:
            return
        before = self.last - len(self._held)
        held = len(self._held) - (self.last - full)
        waiting = index.stored(self.database, self._indexed, before)
        index.fill(self.database, [*waiting, *self._held[:held]], self._indexed)
        self._indexed, self._held = full, self._held[held:]


def entry_of(draft: Draft, row: Row, id: int) -> Entry:
    """Return the entry as it will be read back, without reading it back."""
    return Entry(
        id=id,
        kind=draft.kind,
        role=draft.role,
        said_at=draft.said_at,
        zone=row[4],
        recorded_at=datetime.fromisoformat(row[5]),
        session=draft.session,
        speaker=draft.speaker,
        text=draft.text,
        caption=draft.caption,
        origin=dict(draft.origin),
        data=json.loads(row[11]) if draft.data else {},
        position=draft.position,
    )


def chunks(drafts: Iterable[Draft]) -> Iterator[list[Draft]]:
    """Yield drafts as many as are written together."""
    drafts = iter(drafts)
    while chunk := list(islice(drafts, _CHUNK)):
        yield chunk


def tail(database: Database) -> tuple[int, bytes]:
    """Return the last number and hash."""
    found = database.rows("SELECT id, chain FROM entries ORDER BY id DESC LIMIT 1")
    return found[0] if found else (0, rows.root(database.user))


def append(database: Database, drafts: Iterable[Draft], now: datetime, *, again: bool) -> Appended:
    """Add drafts in one transaction."""
    done = Appended(entries=[], known=[])
    with database.writing():
        for added in Writer(database).add(drafts, now, again):
            if isinstance(added, int):
                done.known.append(added)
            else:
                done.entries.append(added)
    return done


def store_batch(database: Database, batch: Batch, now: datetime) -> list[Entry]:
    """Add a batch in one transaction: its calls, then its facts and changes, each marked with its number."""
    with database.writing():
        number = _next(database, "batches")
        for call in batch.calls:
            _insert_call(database, call, number, now)
        drafts = [_marked(draft, number) for draft in (*batch.facts, *batch.changes)]
        made = added(database, drafts, now)
        span = (made[0].id, made[-1].id) if made else (None, None)
        row = (number, rows.dumps(list(batch.read)), batch.reader, *span, now.isoformat())
        database.many("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?)", [row])
    return made


def added(database: Database, drafts: Iterable[Draft], now: datetime) -> list[Entry]:
    """Add drafts, within `Database.writing`."""
    return [entry for entry in Writer(database).add(drafts, now) if not isinstance(entry, int)]


def _marked(draft: Draft, number: int) -> Draft:
    return replace(draft, data={**draft.data, "batch": number})


def add_call(database: Database, call: Call, now: datetime) -> None:
    """Record a model call that belongs to no batch."""
    with database.writing():
        _insert_call(database, call, None, now)


def _insert_call(database: Database, call: Call, batch: int | None, now: datetime) -> None:
    row = (
        _next(database, "calls"),
        batch,
        call.purpose,
        call.model,
        rows.dumps(call.request),
        call.reply,
        rows.dumps(list(call.entries)),
        call.round,
        call.prompt_tokens,
        call.completion_tokens,
        call.seconds,
        call.finish,
        now.isoformat(),
    )
    database.many(f"INSERT INTO calls VALUES ({', '.join('?' * len(row))})", [tuple(map(packed, row))])


def _next(database: Database, table: str) -> int:
    number: int = database.rows(f"SELECT coalesce(max(id), 0) + 1 FROM {table}")[0][0]
    return number
