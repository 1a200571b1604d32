"""What is kept for this machine, outside of the users' folders, so that no folder brings its own."""

from __future__ import annotations

import os
import secrets
from functools import cache
from pathlib import Path


def folder() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(base, "uac_nb")


@cache
def secret(where: Path) -> bytes:
    """The key that this machine signs with, made at first use; where it cannot be kept, one of this process alone."""
    file, new = where / "secret", where / f"secret.{os.getpid()}.{secrets.token_hex(4)}"
    try:
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
                stream.write(secrets.token_bytes(32))
            try:
                os.link(new, file)  # whole, and the first one stays
            except FileExistsError:
                pass
            finally:
                new.unlink()
        found = file.read_bytes()
    except OSError:
        found = b""
    return found if len(found) == 32 else secrets.token_bytes(32)
