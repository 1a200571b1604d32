"""One lock per user, for what changes the project: checkpoint, edit, undo, forget. Ingest and readers never wait for it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from uac_nb.disk.files import in_place
from uac_nb.errors import ProjectError

try:
    import fcntl
except ImportError:  # Windows and the browser, where one process at a time is the rule
    fcntl = None  # type: ignore[assignment]


OPENING = "opening"  # what holds the lock so briefly that others wait for it
PASSING = 30.0  # seconds that they do


@contextmanager
def locked(path: Path, what: str, wait: float = 0.0) -> Iterator[None]:
    """Hold the lock file while the block runs. Raise ProjectError when another holds it, and still does after `wait` seconds.

    The operating system lets go of a dead holder's lock, so there is none to clear by hand.
    """
    with open(in_place(path), "r+", encoding="utf-8") as file:
        deadline = time.monotonic() + wait
        while not taken(file.fileno()):
            file.seek(0)
            holder = file.read().strip()
            brief = PASSING if not holder or holder.startswith(OPENING) else 0.0  # or it is about to say what it does
            if time.monotonic() >= deadline + (brief if what != OPENING else 0.0):
                holder = holder or "another process"
                raise ProjectError(f"{path.parent.name} is busy: {holder}; try again when that is done")
            time.sleep(0.01)
        file.seek(0)
        file.truncate()
        file.write(f"{what} by process {os.getpid()}")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def taken(file: int) -> bool:
    """Take the lock of an open file, if nobody else has it."""
    if fcntl:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def give_back(file: int) -> None:
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_UN)
