"""Concerns: collisions of records that were seen and that no rule covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from uac_nb.rules import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """Records that do not go together, why, and what to do about it."""

    id: str
    records: tuple[str, ...]  # ids of what collides; one alone collides with the calendar
    because: str  # one or two sentences
    do: str  # what the user can do
    severity: Literal["info", "warning", "critical"] = "warning"
    until: When | None = None  # from then on nobody has to be told
    status: Literal["open", "ended"] = "open"
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]
