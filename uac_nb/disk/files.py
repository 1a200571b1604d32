"""Files that are written where somebody else may have been: a folder that was received can hold links to anywhere.

What is written whole gets a fresh file (`fresh`), which then takes its name, so no link is followed and no other name of
the same file is written to. What is written in place (`in_place`) has to be a file with one name only. And a folder in
which anything is neither a file nor a folder is not opened at all (`refuse_links`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from uac_nb.errors import ProjectError

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
SHOWN = 5  # names in a message


def fresh(path: Path) -> int:
    """Make an empty private file to write to, in place of whatever bears the name; the descriptor."""
    path.unlink(missing_ok=True)
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o600)


def in_place(path: Path) -> int:
    """Open a private file to read and to write in place, made where it is not there; the descriptor.

    Raise ProjectError for a link, and for a file that has another name too: what is written would be written there.
    """
    if path.is_symlink():
        raise ProjectError(f"{path}: is a link; delete it and try again")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o600)
    if os.fstat(handle).st_nlink > 1:
        os.close(handle)
        raise ProjectError(f"{path}: is a file with other names too (a hard link); put a copy in its place")
    return handle


def refuse_links(folder: Path) -> None:
    """Raise ProjectError, with their names, where anything in a folder is neither a file nor a folder."""
    found = sorted(_odd(folder))
    if found:
        names = ", ".join(found[:SHOWN]) + (f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else "")
        raise ProjectError(
            f"{folder}: holds links (or devices), which are not followed: {names}; delete them, and open it again"
        )


def _odd(folder: Path) -> Iterator[str]:
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        with suppress(FileNotFoundError), os.scandir(here) as entries:  # what another process took away meanwhile is no link
            for entry in entries:
                with suppress(FileNotFoundError):
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
                    elif not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                        yield Path(entry.path).relative_to(folder).as_posix()
