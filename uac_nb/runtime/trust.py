"""Which projects a person has trusted on this machine: kept outside the users' folders, so that none brings its own trust.

What is trusted is the code of a project as it is. When it changes, the trust is gone.
"""

from __future__ import annotations

import json
from pathlib import Path

from uac_nb.disk import machine
from uac_nb.errors import ProjectError


def give(user: str, code: str) -> None:
    """Trust a user's project (the UUID of the log, `Program.code`). Raise ProjectError where that cannot be kept."""
    _write({**_read(), user: code})


def take(user: str) -> None:
    """Trust it no longer."""
    _write({other: code for other, code in _read().items() if other != user})


def holds(user: str, code: str) -> bool:
    """Whether the project is trusted as it is."""
    return _read().get(user) == code


def given(user: str) -> bool:
    """Whether it is or was trusted."""
    return user in _read()


def _file() -> Path:
    return machine.folder() / "trust.json"


def _read() -> dict[str, str]:
    """What cannot be read is no trust."""
    try:
        kept = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _write(kept: dict[str, str]) -> None:
    try:
        file = _file()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        new.replace(file)
    except OSError as error:
        raise ProjectError(f"trust cannot be kept: {error}; set XDG_STATE_HOME to a folder you can write to") from None
