"""Copies of a log: a backup while it is in use, and one JSONL file from which it can be made again.

The archive holds all that the hashes are taken over, so that a restored log verifies and still belongs to its project.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from os import PathLike
from pathlib import Path
from typing import Any, TextIO

from uac_nb.disk.files import fresh
from uac_nb.errors import LogError
from uac_nb.log import rows, shapes
from uac_nb.log.database import VERSION, Database, speaking
from uac_nb.log.index import rebuild
from uac_nb.log.read import PAGE, marks
from uac_nb.log.rows import packed, unpacked
from uac_nb.log.store import Log
from uac_nb.log.verify import verify

LONGEST, LONGEST_NAME = 64_000_000, 100  # characters in a line, and in the id of a user
_HASHES = ("salt", "digest", "chain")
_TABLES = {
    "entries": (*rows.COLUMNS, *_HASHES),
    "batches": ("id", "read", "reader", "first", "last", "recorded_at"),
    "calls": (
        "id", "batch", "purpose", "model", "request", "reply", "entries", "round", "prompt_tokens", "completion_tokens",
        "seconds", "finish", "recorded_at",
    ),
}  # fmt: skip
# what goes wrong with a line that no export wrote; but not a disk that is full
_DAMAGED = (
    KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, LogError,
    sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError,
)  # fmt: skip


def backup(log: Log, path: str | PathLike[str]) -> None:
    """Copy the log, as it is now, to a new file; others may go on reading and writing. LogError where the file exists."""
    with _made(path) as partial:
        log.database.copy_to(partial)


def export(log: Log, path: str | PathLike[str]) -> None:
    """Write everything to a new JSONL file: a header, then one entry, batch or model call a line."""
    with _made(path) as partial, partial.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        with log.database.reading():  # entries, batches and calls of one moment
            for line in _lines(log):
                file.write(rows.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _made(path: str | PathLike[str]) -> Iterator[Path]:
    """Give an empty private file to fill, which gets its name when it is whole and goes away when it is not."""
    target = Path(path)
    if target.exists():
        raise LogError(f"{target} exists already; choose another name, or move it away")
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    with speaking(target):
        try:
            os.close(fresh(partial))
            yield partial
            os.replace(partial, target)
        finally:
            partial.unlink(missing_ok=True)
            Path(f"{partial}.turn").unlink(missing_ok=True)


def _lines(log: Log) -> Iterator[Mapping[str, Any]]:
    chain = log.head[1]
    counts = {table: log.database.rows(f"SELECT count(*) FROM {table}")[0][0] for table in _TABLES}
    yield {"log": "uac_nb", "version": VERSION, "user": log.user, "zone": log.zone, "chain": chain, **counts}
    for table, columns in _TABLES.items():
        sql = f"SELECT {', '.join(columns)} FROM {table} WHERE id > ? ORDER BY id LIMIT {PAGE}"
        after = 0
        while page := log.database.rows(sql, (after,)):
            for row in page:
                yield {table: {name: _written(name, value) for name, value in zip(columns, row, strict=True)}}
            after = page[-1][0]


def _written(name: str, value: Any) -> Any:
    return value.hex() if name in _HASHES and value is not None else unpacked(value)


def restore(archive: str | PathLike[str], path: str | PathLike[str]) -> Log:
    """Make the log of an export again at `path` (nothing may be there) and open it.

    LogError where the archive is cut short, damaged or was changed; nothing is left behind then.
    """
    with _made(path) as partial, speaking(Path(archive)), open(archive, encoding="utf-8", errors="surrogatepass") as file:
        partial.unlink()
        lines = _numbered(archive, file)
        header = _header(archive, next(lines, (1, ""))[1])
        database = Database(partial, header["user"])
        try:
            with database.writing():
                _fill(database, archive, lines)
                rebuild(database)
                database.many("UPDATE meta SET value = ? WHERE key = 'zone'", [(header["zone"],)])
            _check(database, archive, header)
        finally:
            database.close()
        for stale in ("-wal", "-shm"):  # of a log that was there once: SQLite would write it into this one
            Path(f"{path}{stale}").unlink(missing_ok=True)
    return Log.open(path)


def _numbered(archive: str | PathLike[str], file: TextIO) -> Iterator[tuple[int, str]]:
    try:
        for number in count(1):
            line = file.readline(LONGEST + 1)
            if len(line) > LONGEST:
                raise LogError(
                    f"{archive}: line {number} is longer than an export writes; the archive is damaged, use another copy"
                )
            if not line:
                return
            yield number, line
    except UnicodeDecodeError:
        raise LogError(f"{archive} is no text (or it is packed: unpack it first); give the file that an export wrote") from None


def _header(archive: str | PathLike[str], line: str) -> dict[str, Any]:
    header = _read(archive, 1, line)
    kinds = {"version": int, "user": str, "zone": str, **dict.fromkeys(_TABLES, int)}
    if header.get("log") != "uac_nb" or not all(type(header.get(key)) is kind for key, kind in kinds.items()):
        raise LogError(f"{archive}: line 1 is not the header of an exported log; give the file that an export wrote")
    rows.check_zone(header["zone"], f"{archive}: line 1")
    if not (header["user"].isprintable() and 0 < len(header["user"]) <= LONGEST_NAME):
        raise LogError(f"{archive}: line 1 names no user; the archive is damaged, use another copy")
    if header["version"] > VERSION:
        raise LogError(
            f"{archive} was written by a newer uac_nb (version {header['version']}, this one reads {VERSION}); update uac_nb"
        )
    return header


def _read(archive: str | PathLike[str], number: int, line: str) -> dict[str, Any]:
    try:
        found = shapes.loads(line)
    except (ValueError, RecursionError) as error:
        raise LogError(f"{archive}: line {number} is not JSON ({error}); the archive is damaged, use another copy") from error
    return found if isinstance(found, dict) else {}


def _fill(database: Database, archive: str | PathLike[str], lines: Iterable[tuple[int, str]]) -> None:
    for number, line in lines:
        for table, cells in _read(archive, number, line).items():
            try:
                _insert(database, table, cells)
            except _DAMAGED as error:
                wrong = f"line {number} is no line of an exported log, or out of its place"
                raise LogError(f"{archive}: {wrong}; the archive is damaged, use another copy") from error


def _insert(database: Database, table: str, cells: Mapping[str, Any]) -> None:
    names = [*_TABLES[table]]
    if cells.keys() != {*names}:
        raise KeyError(table)
    shapes.check(table, cells)
    row = [_stored(name, cells[name]) for name in names]
    if table == "entries":
        names.append("key")
        row.append(_key(cells))
    database.many(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks(row)})", [row])


def _stored(name: str, value: Any) -> Any:
    return bytes.fromhex(value) if name in _HASHES and value is not None else packed(value)


def _key(cells: Mapping[str, Any]) -> bytes | None:
    if cells["salt"] is None:
        return None
    return rows.key(tuple(cells[name] for name in rows.COLUMNS), json.loads(cells["origin"]).get("message", ""))


def _check(database: Database, archive: str | PathLike[str], header: Mapping[str, Any]) -> None:
    broken = verify(database)
    if broken:
        raise LogError(f"{archive}: {broken.where} {broken.message}; the archive was changed, use another copy")
    counts = {table: database.rows(f"SELECT count(*) FROM {table}")[0][0] for table in _TABLES}
    short = [f"{counts[table]:,} of {header[table]:,} {table}" for table in _TABLES if counts[table] != header[table]]
    if short:
        raise LogError(f"{archive} holds only {', '.join(short)}; it was cut short, use another copy")
