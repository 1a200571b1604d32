"""Long imports: entries are made ready in a staging file, and then written in one transaction.

Reading an export takes longer than writing what is in it. While it is read nobody has to wait, and where it cannot be read
to its end the log was never touched. The staging file has no name, so a killed import leaves no words behind.
"""

from __future__ import annotations

import pickle
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

from uac_nb.log import write
from uac_nb.log.database import Database, speaking
from uac_nb.log.entries import Draft, Loaded
from uac_nb.log.write import Ready, Writer

Progress = Callable[[int, int, str], object]


def load(
    database: Database, drafts: Iterable[Draft], now: datetime, *, again: bool, on_progress: Progress | None = None
) -> Loaded:
    """Add drafts in one transaction, keeping none of them in memory; see `Log.load`."""
    tell = on_progress or (lambda done, total, what: None)
    with _staged(database.path) as stage:
        for chunk in write.chunks(drafts):
            places = (f"message {number}" for number in range(stage.count + 1, stage.count + len(chunk) + 1))
            stage.put(write.ready(chunk, now.isoformat(), places))
            tell(stage.count, 0, "reading")
        return _write(database, stage, again, tell)


def _write(database: Database, stage: Stage, again: bool, tell: Progress) -> Loaded:
    known, done = array("q"), 0
    with database.roomy(), database.writing(f"an import of {stage.count:,} entries"):
        writer = Writer(database)
        first = writer.last + 1
        for chunk in stage:
            known.extend(id for id in writer.put(chunk, again) if id is not None)
            done += len(chunk)
            tell(done, stage.count, "writing")
        writer.finish()
    return Loaded(first=first, last=writer.last, known=known)


class Stage:
    """A file of chunks; `count` entries in all."""

    def __init__(self, file: IO[bytes], log: Path) -> None:
        self._file, self._log = file, log
        self.count = 0

    def put(self, chunk: Sequence[Ready]) -> None:
        with speaking(self._log):
            pickle.dump(chunk, self._file, pickle.HIGHEST_PROTOCOL)
            self._file.flush()
        self.count += len(chunk)

    def __iter__(self) -> Iterator[list[Ready]]:
        self._file.seek(0)
        left = self.count
        while left:
            chunk: list[Ready] = pickle.load(self._file)  # our own file, which nobody else can open
            left -= len(chunk)
            yield chunk


@contextmanager
def _staged(log: Path) -> Iterator[Stage]:
    with speaking(log):
        file = tempfile.TemporaryFile(dir=log.parent)  # noqa: SIM115  where the disk has to hold it anyway, and private
    try:
        yield Stage(file, log)
    finally:
        with speaking(log):  # closing writes what is still held, if there is room
            file.close()
