"""Small values that records and answers are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """One phrase and the log entry that says it, for phrases that add up over time."""

    text: str
    source: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A fact that no type holds yet. `about` is the id of a record, or None."""

    id: str
    text: str
    about: str | None = None
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """What a derived value answers when what it rests on no longer holds: why, and what it was before."""

    because: str
    was: Any = None

    def __bool__(self) -> bool:
        return False
