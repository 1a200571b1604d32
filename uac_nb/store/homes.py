"""Where users live: one folder each, in UAC_HOME, in the nearest `users/`, or in a new one."""

from __future__ import annotations

import os
import re
import shutil
import stat
from pathlib import Path

from uac_nb.disk.files import fresh
from uac_nb.errors import ProjectError
from uac_nb.log import in_use

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
LOG = "log.sqlite"


def find(start: Path | None = None) -> Path:
    """The folder of users: UAC_HOME, else the nearest `users/` at or above `start`, else `users/` in it (not made yet)."""
    if home := os.environ.get("UAC_HOME"):
        return Path(home).expanduser()
    start = start or Path.cwd()
    return next((p / "users" for p in (start, *start.parents) if _is_home(p / "users")), start / "users")


def _is_home(folder: Path) -> bool:
    """Whether a folder named `users` is ours: empty, or with the mark that `make` leaves."""
    return folder.is_dir() and (folder / ".gitignore").is_file()


def shared(home: Path) -> str:
    """Why others can read or change what stands in a home, or put their own there; "" where they cannot."""
    if not (home.exists() and hasattr(os, "getuid")):
        return ""
    found = home.stat()
    if found.st_uid != os.getuid():
        return "it belongs to another user of this machine"
    return "anybody on this machine may write there" if found.st_mode & stat.S_IWOTH else ""


def folder(name: str, home: Path | str | None = None) -> Path:
    """The folder of one user. Raise ProjectError when the name could be a path or cannot be one."""
    if not NAME.fullmatch(name):
        raise ProjectError(
            f"{name!r} cannot be a user's name: write lower-case letters, digits, - and _ (at most 40), as in jess"
        )
    return Path(home or find()) / name


def make(folder: Path) -> bool:
    """Make a user's folder, private (0700) and ignored by a git repository around it. True when it is new."""
    home = folder.parent
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        ignore = home / ".gitignore"
        if not os.path.lexists(ignore):  # a link that leads nowhere is not written through either
            with open(fresh(ignore), "w", encoding="utf-8") as file:
                file.write("# private: what is known of people\n*\n")
        if folder.exists():
            return False
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise ProjectError(f"cannot make {folder}: {error.strerror}; set UAC_HOME to a folder you can write to") from None
    return True


def names(home: Path | str | None = None) -> list[str]:
    """All users of a home, by name."""
    base = Path(home or find())
    return sorted(p.name for p in base.glob("*") if (p / LOG).is_file()) if base.is_dir() else []


def rename(old: str, new: str, home: Path | str | None = None) -> Path:
    """Give a user another name. Raise ProjectError when there is no such user or the name is taken."""
    source, target = existing(old, home), folder(new, home)
    if target.exists():
        raise ProjectError(f"there is a user {new!r} already; choose another name")
    _closed(source)
    return source.rename(target)


def delete(name: str, home: Path | str | None = None) -> None:
    """Remove a user's folder for good. The caller has asked."""
    path = existing(name, home)
    if path.is_symlink():
        raise ProjectError(f"{path} is a link; delete the link itself, and what it leads to, by hand")
    _closed(path)
    shutil.rmtree(path)


def _closed(folder: Path) -> None:
    """Refuse to take a folder away from under somebody. Raise ProjectError when its log is open."""
    if in_use(folder / LOG):
        raise ProjectError(f"{folder.name} is open in a notebook or a program; close it there first")


def existing(name: str, home: Path | str | None = None) -> Path:
    path = folder(name, home)
    if not (path / LOG).is_file():
        known = ", ".join(names(home)) or "none yet"
        raise ProjectError(f"there is no user {name!r} in {path.parent} (users: {known})")
    return path
