"""The SQLite file under a log: its schema, its one connection, and its errors in words a person can act on.

Write-ahead logging lets readers go on while someone writes; full sync makes a commit durable before it returns; the
triggers keep the tables append-only whatever program opens the file.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any
from uuid import uuid4

from uac_nb.disk.files import fresh, in_place
from uac_nb.disk.lock import give_back, taken
from uac_nb.errors import LogError

VERSION = 3  # 2: the index by pages; 3: more kinds of changes, and an undo may set entries of an archive aside
MARK = 0x75616331  # "uac1", so that another program's SQLite file is not taken for a log
WAIT = 60.0  # seconds a writer waits for another
PATIENCE = 1800.0  # and for one that said what it does
CACHE, ROOMY = 16_000, 64_000  # KiB of pages held in memory, and held while much is written
POLL = 0.001  # seconds between two looks whether it is our turn
QUIET = 2.0  # seconds before a writer that waits says why

# contentless: the words stand in `entries` already, and here three times over with their neighbours
WORDS = "CREATE VIRTUAL TABLE words USING fts5 (text, content='', tokenize='porter unicode61 remove_diacritics 2')"

SCHEMA = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, role TEXT NOT NULL, said_at TEXT, zone TEXT NOT NULL,
        recorded_at TEXT NOT NULL, session TEXT NOT NULL, speaker TEXT NOT NULL, text TEXT NOT NULL, caption TEXT NOT NULL,
        origin TEXT NOT NULL, data TEXT NOT NULL, position INTEGER NOT NULL,
        salt BLOB, digest BLOB NOT NULL, chain BLOB NOT NULL, key BLOB
    )
    """,
    "CREATE INDEX entries_key ON entries (key) WHERE key IS NOT NULL",
    "CREATE INDEX entries_session ON entries (session, kind, id)",
    "CREATE INDEX entries_day ON entries (substr(said_at, 1, 10)) WHERE kind IN ('message', 'fact')",
    "CREATE INDEX entries_made ON entries (kind, id) WHERE kind <> 'message'",
    """
    CREATE TABLE batches (
        id INTEGER PRIMARY KEY, read TEXT NOT NULL, reader TEXT NOT NULL, first INTEGER, last INTEGER,
        recorded_at TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE calls (
        id INTEGER PRIMARY KEY, batch INTEGER, purpose TEXT NOT NULL, model TEXT NOT NULL, request TEXT NOT NULL,
        reply TEXT NOT NULL, entries TEXT NOT NULL, round INTEGER NOT NULL, prompt_tokens INTEGER,
        completion_tokens INTEGER, seconds REAL NOT NULL, finish TEXT NOT NULL, recorded_at TEXT NOT NULL
    )
    """,
    WORDS,
    f"INSERT INTO words (words, rank) VALUES ('hashsize', {16 << 20})",  # bytes held before a write: fewer merges in an import
    # work that a killed process may leave undone, see `forget.sweep`
    "CREATE TABLE todo (what TEXT PRIMARY KEY)",
)

FORGOTTEN = {"session": "''", "speaker": "''", "text": "''", "caption": "''", "origin": "'{}'", "data": "'{}'"}
_KEPT = ("id", "kind", "role", "said_at", "zone", "recorded_at", "position", "digest", "chain")
_CALL_KEPT = ("id", "batch", "purpose", "model", "entries", "round", "recorded_at")


def guards() -> Iterator[str]:
    """Refuse every change of what is written, save the emptying of words by a forget."""
    emptied = [f"NEW.{name} = {empty}" for name, empty in FORGOTTEN.items()]
    forget = ["OLD.kind <> 'forget'", "NEW.salt IS NULL", "NEW.key IS NULL", *emptied]
    allowed = {
        "meta": ["OLD.key = 'zone'", "NEW.key = 'zone'"],
        "batches": ["0"],
        "entries": [f"NEW.{name} IS OLD.{name}" for name in _KEPT] + forget,
        "calls": [f"NEW.{name} IS OLD.{name}" for name in _CALL_KEPT] + ["NEW.request = '{}'", "NEW.reply = ''"],
    }
    for table, conditions in allowed.items():
        refuse = f"BEGIN SELECT RAISE(ABORT, 'the log is append-only: {table}'); END"
        yield f"CREATE TRIGGER {table}_update BEFORE UPDATE ON {table} WHEN NOT ({' AND '.join(conditions)}) {refuse}"
        yield f"CREATE TRIGGER {table}_delete BEFORE DELETE ON {table} {refuse}"
    for table in ("entries", "batches", "calls"):  # also against INSERT OR REPLACE, which skips the delete trigger
        following = f"NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM {table})"
        refuse = f"BEGIN SELECT RAISE(ABORT, 'the log is append-only: {table} are numbered without gaps'); END"
        yield f"CREATE TRIGGER {table}_insert BEFORE INSERT ON {table} WHEN {following} {refuse}"
    yield (
        "CREATE TRIGGER meta_insert BEFORE INSERT ON meta WHEN EXISTS (SELECT 1 FROM meta WHERE key = NEW.key)"
        " BEGIN SELECT RAISE(ABORT, 'the log is append-only: meta'); END"
    )


class Database:
    """One connection to the file of a log, shared by the threads of a process."""

    def __init__(self, path: Path, user: str | None = None) -> None:
        """Open the file, or make it for `user` (a UUID; a new one if None). Raise LogError where that cannot be.

        Where nothing can be written (a full disk, a folder that is read-only) it is opened to be read only, as it is now:
        `frozen`.
        """
        self.path = path
        self.frozen = False
        self._lock = RLock()
        self._turn = -1  # the file whose lock is held by who is to write next
        self._names = [f"{path}{end}" for end in ("", "-wal", "-shm")]
        self._files: list[tuple[int, int]] | None = None  # known once it is made and open
        with speaking(path):
            if not path.exists():
                os.close(in_place(path))
            before = os.stat(path)
            if (
                path.is_file() and before.st_nlink > 1
            ):  # what SQLite keeps beside a file goes by its name: two names of one file damage it
                raise LogError(f"{path} is a file with other names too (a hard link); put a copy in its place")
            self._connection = self._connect(str(path))
        try:
            with speaking(path):
                self._settled(user)
                self._files = self._there()
                if not self.frozen and self._files[:1] != [_identity(before)]:
                    raise LogError(f"{path} was replaced while it was opened; open it again")
        except BaseException:
            self.close()
            raise

    def _there(self) -> list[tuple[int, int]]:
        """Which files bear the names of the log and of what SQLite keeps beside it; empty where one is missing."""
        try:
            return [_identity(os.stat(name)) for name in self._names]
        except FileNotFoundError:
            return []

    def _is_kept(self) -> None:
        """Raise LogError where what was written is not what the next to open the log will read."""
        if self._files is not None and self._there() != self._files:
            raise LogError(
                f"{self.path} was replaced or deleted, or a file beside it, since it was opened, and what is told now would be "
                "lost, so it is not taken; put it back if it was moved, or open the user again"
            )

    def _connect(self, path: str) -> sqlite3.Connection:
        uri = path.startswith("file:")
        return sqlite3.connect(path, timeout=WAIT, isolation_level=None, check_same_thread=False, uri=uri)

    def _settled(self, user: str | None) -> None:
        """Write-ahead logging needs files beside the log, to read it too. Where there is no room for them, do without."""
        try:
            self._settle(user)
        except LogError as error:
            if not (_is_no_room(error.__cause__) and _is_at_rest(self.path)):
                raise
            self._connection.close()
            self._connection = self._connect(f"{self.path.absolute().as_uri()}?immutable=1")
            self.frozen = True
            self._settle(user)

    def _settle(self, user: str | None) -> None:
        mark = self._pragma("application_id")
        if mark == MARK and self.version > VERSION:
            written = f"log version {self.version}, this one reads {VERSION}"
            raise LogError(f"{self.path} was written by a newer uac_nb ({written}); update uac_nb")
        for setting in ("synchronous = FULL", f"cache_size = -{CACHE}", f"journal_size_limit = {64 << 20}"):
            self._connection.execute(f"PRAGMA {setting}")
        if mark != MARK:
            self._create(user or str(uuid4()))
        if not self.frozen:
            self._write_ahead()
        self.user: str = self.rows("SELECT value FROM meta WHERE key = 'user'")[0][0]
        if user is not None and user != self.user:
            raise LogError(f"{self.path} belongs to user {self.user}, not {user}; open the folder of that user")

    @property
    def version(self) -> int:
        """Of the format in which the file is written."""
        return int(self._pragma("user_version"))

    def _pragma(self, name: str) -> Any:
        return self.rows(f"PRAGMA {name}")[0][0]

    def _write_ahead(self) -> None:
        """Switch to write-ahead logging; the switch itself does not wait for others, so we do."""
        deadline = time.monotonic() + WAIT
        while self._pragma("journal_mode") != "wal":
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _create(self, user: str) -> None:
        with self.writing():
            if self._pragma("application_id") == MARK:  # another process made it while we waited
                return
            if self.rows("SELECT 1 FROM sqlite_master"):
                raise LogError(f"{self.path} is an SQLite file but not a log of uac_nb; give the path of a log.sqlite")
            for statement in (*SCHEMA, *guards()):
                self._connection.execute(statement)
            self.many("INSERT INTO meta VALUES (?, ?)", [("user", user), ("zone", "")])
            self._connection.execute(f"PRAGMA user_version = {VERSION}")
            self._connection.execute(f"PRAGMA application_id = {MARK}")

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query. Never waits for a writer."""
        with self._lock, speaking(self.path):
            return self._connection.execute(sql, values).fetchall()

    def many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Write rows, within `writing`."""
        self._connection.executemany(sql, rows)

    @contextmanager
    def writing(self, what: str = "") -> Iterator[None]:
        """Hold the file for one transaction: durable when the block ends, undone when it raises.

        What takes long says `what` it is; writers that wait are told.
        """
        with self._lock, speaking(self.path):
            self._begin()
            try:
                with self._announced(what):
                    yield
                self._connection.execute("COMMIT")
                self._is_kept()  # looked at once it is written: what went before, or in between, is not acknowledged
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _begin(self) -> None:
        """Wait for our turn to write. SQLite's own waits grow to 100 ms; short ones let several writers take turns."""
        if self.frozen:
            raise sqlite3.OperationalError("it was opened to be read only")
        if self._turn < 0:
            self._turn = in_place(self.path.with_name(f"{self.path.name}.turn"))
        start = time.monotonic()
        told = False
        self._connection.execute("PRAGMA busy_timeout = 3")
        try:
            while True:
                if self._begun():
                    return
                waited, who = time.monotonic() - start, self._announcement()
                if waited > QUIET and not told:
                    told = True
                    print(f"{self.path}: waiting for {who or 'another program'} to finish writing", file=sys.stderr)
                if waited > (PATIENCE if who else WAIT):
                    raise LogError(f"{self.path}: {who or 'another program'} is still writing to it; try again when it is done")
        finally:
            give_back(self._turn)
            self._connection.execute(f"PRAGMA busy_timeout = {WAIT * 1000:.0f}")

    def _begun(self) -> bool:
        """Begin to write, if it is our turn. Who waits for SQLite's lock holds the turn, so that none passes it always."""
        if not taken(self._turn):
            time.sleep(POLL)
            return False
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            return False
        return True

    @property
    def _note(self) -> Path:
        return self.path.with_name(f"{self.path.name}.writer")

    @contextmanager
    def _announced(self, what: str) -> Iterator[None]:
        """Leave a note beside the file while something long is written."""
        if not what:
            yield
            return
        with open(fresh(self._note), "w", encoding="utf-8") as note:
            note.write(f"{what} by process {os.getpid()}")
        try:
            yield
        finally:
            self._note.unlink(missing_ok=True)  # still our turn, so nobody else's note

    def _announcement(self) -> str:
        try:
            return self._note.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    @contextmanager
    def roomy(self) -> Iterator[None]:
        """Hold more of the file in memory for a while."""
        self.rows(f"PRAGMA cache_size = -{ROOMY}")
        try:
            yield
        finally:
            self.rows(f"PRAGMA cache_size = -{CACHE}")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let several queries see one moment of the log; within `writing`, that is as it is being written."""
        with self._lock, speaking(self.path):
            if self._connection.in_transaction:
                yield
                return
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")

    def copy_to(self, path: Path) -> None:
        """Copy the whole file as it is now."""
        copy = sqlite3.connect(path)
        try:
            with self._lock:
                self._connection.backup(copy)
        finally:
            copy.close()

    def close(self) -> None:
        with self._lock:
            self._connection.close()
            if self._turn >= 0:
                os.close(self._turn)
                self._turn = -1


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _is_no_room(error: BaseException | None) -> bool:
    """Whether SQLite failed since it may not write, or cannot."""
    barred = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF in barred


def _is_at_rest(path: Path) -> bool:
    """Whether all that was written is in the file itself."""
    ahead = path.with_name(f"{path.name}-wal")
    return path.stat().st_size > 0 and not (ahead.exists() and ahead.stat().st_size > 0)


def in_use(path: Path) -> bool:
    """Whether anybody has the file of a log open: to leave write-ahead logging (which opening turns on) one has to be alone."""
    with speaking(path):
        connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            return bool(connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0] == "wal")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            return True
        finally:
            connection.close()


_REMEDIES = {
    "locked": "another program has been writing to it for a minute; try again when it has finished",
    "readonly": "the file or its folder is read-only; give yourself the right to write there",
    "Read-only": "nothing can be written there, and nothing was added; choose another place",
    "No such file": "check the path",
    "Is a directory": "that is a folder; give a file in it",
    "Permission denied": "give yourself the right to read and write there",
    "read only": "the disk is full, or the folder is read-only; make room, or give yourself the right, and open it again",
    "unable to open": "its folder is missing or may not be written; make the folder, or choose another",
    "No space left": "the disk is full and nothing was added; free some space and try again",
    "disk I/O error": "the disk is full, failing, or out of reach, and nothing was added; mend that and try again",
    "File too large": "the file may not grow further and nothing was added; raise the limit (ulimit -f) or free some space",
    "full": "the disk is full and nothing was added; free some space and try again",
    "append-only": "entries are never changed; append an edit, or forget",
    "closed database": "the log was closed; open it again",
    "not a database": "this is not a log; restore it from a backup or an export",
    "malformed": "the file is damaged; restore it from a backup or an export",
}


@contextmanager
def speaking(path: Path) -> Iterator[None]:
    """Turn an error of SQLite or the system into a LogError that says what to do."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        remedy = next((cure for sign, cure in _REMEDIES.items() if sign in str(error)), "")
        raise LogError(f"{path}: {error}" + (f" ({remedy})" if remedy else "")) from error
