"""The log of one user: everything that ever happened, in the order it was learned.

All else (the project, its history, the alerts) is a view that can be built again from here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, date, datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from uac_nb.errors import Diagnostic, LogError
from uac_nb.log import between, forget, frame, index, read, rows, search, staging, verify, write
from uac_nb.log.database import VERSION, Database
from uac_nb.log.entries import Appended, Batch, BatchRow, Call, Chosen, Draft, Entry, Forgotten, Hit, Loaded
from uac_nb.log.foldings import Words
from uac_nb.log.rows import unpacked
from uac_nb.log.staging import Progress

if TYPE_CHECKING:
    import pandas as pd


def _now() -> datetime:
    return datetime.now(UTC)


class Log:
    """An append-only file of numbered entries. Use as a context manager, or close it."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self.database = database
        self.clock = clock

    @classmethod
    def open(cls, path: str | PathLike[str], *, user: str | None = None, clock: Callable[[], datetime] = _now) -> Self:
        """Open the log at `path`, or make it for `user` (a UUID; a new one if None).

        `clock` gives the aware UTC time for `recorded_at`. LogError: another user's, a newer version's, no log at all.
        """
        database = Database(Path(path), user)
        if not database.frozen:
            if database.version < VERSION:
                index.renew(database)
            if database.rows("SELECT 1 FROM todo WHERE what = 'sweep'"):
                forget.sweep(database)
        return cls(database, clock)

    @property
    def user(self) -> str:
        """The UUID of the user whose log this is."""
        return self.database.user

    @property
    def zone(self) -> str:
        """The IANA name of the user's time zone, "" for the machine's. Can be set."""
        zone: str = self.database.rows("SELECT value FROM meta WHERE key = 'zone'")[0][0]
        return zone

    @zone.setter
    def zone(self, name: str) -> None:
        rows.check_zone(name, "zone")
        with self.database.writing():
            self.database.many("UPDATE meta SET value = ? WHERE key = 'zone'", [(name,)])

    @property
    def path(self) -> Path:
        return self.database.path

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Log {self.path}: {len(self):,} entries>"

    # --- writing ---

    def append(self, drafts: Iterable[Draft], *, again: bool = False) -> Appended:
        """Add drafts, all or none; they are on disk when this returns.

        A message that is there already (the same message id, time and words in its origin; or for a dated one without
        an id the same time, session, speaker, words and position) is not added unless `again`; its id is in `known`.
        """
        return write.append(self.database, drafts, self.clock(), again=again)

    def load(self, drafts: Iterable[Draft], *, again: bool = False, on_progress: Progress | None = None) -> Loaded:
        """Add drafts as `append` does, all or none, without keeping them in memory: for long imports.

        They are staged first, so that other writers wait only while what is ready is written. `on_progress` is told how
        many are done, of how many (0 as long as nobody knows), and what is done with them.
        """
        return staging.load(self.database, drafts, self.clock(), again=again, on_progress=on_progress)

    def store_batch(self, batch: Batch) -> list[Entry]:
        """Add a batch whole or not at all: its calls, then its facts and changes, with its number in their data."""
        return write.store_batch(self.database, batch, self.clock())

    def add_call(self, call: Call) -> None:
        """Record a model call outside of a batch."""
        write.add_call(self.database, call, self.clock())

    def forget(
        self, ids: Collection[int], why: str, *, instead: Iterable[Draft] = (), words: Collection[str] = ()
    ) -> Forgotten:
        """Empty the words of entries for good, with the model calls that hold them (or `words`), and append a tombstone.

        Numbers, times and chain stay, so `verify` still holds. What others drew from them (`left`) is for the caller to name,
        and so is what has to stand in the place of an entry from now on (`instead`): it is added in the same transaction.
        The project made of the log is `stale` then, until the caller has made it anew and says `renewed`.
        """
        return forget.forget(self.database, ids, why, self.clock(), instead, words)

    def only_in(self, ids: Collection[int]) -> frozenset[str]:
        """Return the telling words of messages that no other message holds: of four letters or more, names, codes, numbers."""
        return forget.only_in(self.database, list(read.by_id(self.database, ids).values()))

    def foldings(self, words: Collection[str], besides: Collection[int]) -> Words:
        """Return words in all their forms, less those derived ones that a message which is not in `besides` holds."""
        return forget.foldings(self.database, words, besides)

    @property
    def stale(self) -> bool:
        """Whether a project made of this log may hold words that were forgotten since."""
        return bool(self.database.rows("SELECT 1 FROM todo WHERE what = 'project'"))

    def renewed(self) -> None:
        """Note that the project was made anew after a forget."""
        with self.database.writing():
            self.database.rows("DELETE FROM todo WHERE what = 'project'")

    # --- reading ---

    @property
    def head(self) -> tuple[int, str]:
        """The number of the last entry (0 in an empty log) and its chain hash in hex."""
        last, chain = write.tail(self.database)
        return last, chain.hex()

    @property
    def last(self) -> int:
        return self.head[0]

    def __len__(self) -> int:
        return self.last

    def chain(self, id: int) -> str:
        """Return the chain hash of an entry in hex; of 0, the hash that the chain starts from."""
        if id == 0:
            return rows.root(self.user).hex()
        found = self.database.rows("SELECT chain FROM entries WHERE id = ?", (id,))
        if not found:
            raise LogError(self._missing(id))
        chain: bytes = found[0][0]
        return chain.hex()

    def entry(self, id: int) -> Entry:
        """Return one entry. LogError where there is none of that number."""
        found = read.by_id(self.database, [id])
        if not found:
            raise LogError(self._missing(id))
        return found[id]

    def _missing(self, id: int) -> str:
        holds = f"the log holds 1 to {self.last}" if self.last else "the log is empty"
        return f"there is no entry {id}: {holds}"

    def entries(
        self,
        *,
        kinds: Collection[str] | None = None,
        ids: Collection[int] | None = None,
        after: int = 0,
        before: int | None = None,
        session: str | None = None,
        speaker: str | None = None,
    ) -> Iterator[Entry]:
        """Yield entries in their order, those between `after` and `before` (both exclusive), none added after this call."""
        choice = {"kinds": kinds, "ids": ids, "after": after, "before": before, "session": session, "speaker": speaker}
        return read.entries(self.database, self.last, **choice)

    def search(
        self, text: str, k: int = 20, speaker: str | None = None, *, during: tuple[date, date] | None = None
    ) -> list[Hit]:
        """Return the `k` messages and facts that fit best, the best first, of one speaker and of a span of days if given.

        Any word may match, by its stem or as a beginning; a message is also found by the words of the two before it.
        """
        return search.search(self.database, text, k, speaker, during)

    def between(self, start: date, end: date) -> list[Entry]:
        """Return the messages and facts said from `start` to `end` (both included) or naming a day then."""
        return between.between(self.database, start, end)

    def chosen(
        self,
        *,
        kinds: Collection[str] | None = None,
        ids: Collection[int] | None = None,
        after: int = 0,
        before: int | None = None,
        session: str | None = None,
        speaker: str | None = None,
        start: date | None = None,
        end: date | None = None,
        limit: int | None = None,
    ) -> Chosen:
        """Return the newest `limit` entries, filtered as in `entries` and by the day they were said, and how many fit."""
        choice = {"kinds": kinds, "ids": ids, "after": after, "before": before, "session": session, "speaker": speaker}
        return read.chosen(self.database, self.last, limit, start=start, end=end, **choice)

    def frame(self, **choice: Any) -> pd.DataFrame:
        """Return entries as a DataFrame, the choice as in `chosen`.

        `said_at` is in UTC, missing where only a day or a time without a zone is known (see `day`, `said`, `zone`).
        `attrs["shown"]` tells what is there: "5,882 entries", or "50 of 5,882 entries".
        """
        return frame.frame(self.chosen(**choice))

    def batches(self) -> list[BatchRow]:
        """Return the stored batches in their order."""
        return [_batch(row) for row in self.database.rows("SELECT * FROM batches ORDER BY id")]

    def batch(self, id: int) -> BatchRow:
        """Return one batch. LogError where there is none of that number."""
        found = self.database.rows("SELECT * FROM batches WHERE id = ?", (id,))
        if not found:
            raise LogError(f"there is no batch {id}")
        return _batch(found[0])

    def calls(self) -> Iterator[Call]:
        """Yield the recorded model calls in their order."""
        after = 0
        while page := self.database.rows("SELECT * FROM calls WHERE id > ? ORDER BY id LIMIT 100", (after,)):
            yield from map(_call, page)
            after = page[-1][0]

    def verify(self) -> Diagnostic | None:
        """Check numbers, contents and chain from the first entry on; return what is wrong with the first broken one."""
        return verify.verify(self.database)


def _batch(row: tuple[Any, ...]) -> BatchRow:
    id, read, reader, first, last, recorded = row
    return BatchRow(
        id=id,
        read=tuple(json.loads(read)),
        reader=reader,
        first=first,
        last=last,
        recorded_at=datetime.fromisoformat(recorded),
    )


def _call(row: tuple[Any, ...]) -> Call:
    id, batch, purpose, model, request, reply, entries, round, prompt, completion, seconds, finish, recorded = map(
        unpacked, row
    )
    return Call(
        id=id,
        batch=batch,
        purpose=purpose,
        model=model,
        request=json.loads(request),
        reply=reply,
        entries=tuple(json.loads(entries)),
        round=round,
        prompt_tokens=prompt,
        completion_tokens=completion,
        seconds=seconds,
        finish=finish,
        recorded_at=datetime.fromisoformat(recorded),
    )
