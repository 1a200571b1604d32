"""What a person can do with a memory, one module a verb; `User` calls them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uac_nb.verbs import (
        alerts,
        checkpoint,
        edit,
        forget,
        history,
        ingest,
        look,
        past,
        pins,
        premises,
        rename,
        review,
        upgrade,
    )

__all__ = [
    "alerts", "checkpoint", "edit", "forget", "history", "ingest", "look", "past", "pins", "premises", "rename", "review",
    "upgrade",
]  # fmt: skip


def __getattr__(name: str) -> Any:  # loaded at first use: magics that name one verb must not pay for all
    if name not in __all__:
        raise AttributeError(f"module 'uac_nb.verbs' has no attribute {name!r}")
    return import_module(f"uac_nb.verbs.{name}")
