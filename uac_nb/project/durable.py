"""Files that are there whole, or not at all, whenever the power goes: written beside, fsync, rename. Private to their owner."""

from __future__ import annotations

import os
from pathlib import Path

from uac_nb.disk.files import fresh


def write(file: Path, data: bytes, beside: Path) -> None:
    """Make `data` the content of a file. `beside` is the path to write to first, on the same disk."""
    make(file.parent)
    with open(fresh(beside), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(beside, file)
    sync(file.parent)


def remove(file: Path) -> None:
    file.unlink(missing_ok=True)
    sync(file.parent)


def make(folder: Path) -> None:
    """Make a folder and those above it, where they are not there."""
    for missing in reversed([part for part in (folder, *folder.parents) if not part.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
        sync(missing.parent)


def sync(folder: Path) -> None:
    """Make the names in a folder last (where the platform lets one ask)."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
