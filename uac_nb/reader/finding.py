"""`Finding`: one thing that a text states, before it becomes a change to the project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Polarity = Literal["assert", "retract"]
COMPLETING = frozenset({"return window", "validity", "correction"})  # kinds that say more of something else


@dataclass(frozen=True, slots=True)
class Finding:
    """What is stated (`kind`, `key`), of whom (`subject`: "me", "sister", "Priya"), and whether it holds or no longer does.

    `slots` are texts: dates as `When` takes them (`start`, `end`), amounts as plain numbers, the rest as said.
    `span` is the place in the text that says it.
    """

    kind: str
    key: str
    subject: str = "me"
    polarity: Polarity = "assert"
    slots: Mapping[str, str] = field(default_factory=dict)
    span: tuple[int, int] = (0, 0)
    also: tuple[tuple[int, int], ...] = ()  # where more of it is said
