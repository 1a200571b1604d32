"""What the log holds, as plain values: drafts, entries, batches and model calls.

They are apart from the storage so that every other part can speak of entries without opening a log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

KINDS = ("message", "edit", "fact", "change", "undo", "forget", "alert")
ROLES = ("user", "person", "assistant", "system")


def whose(names: Iterable[str], me: str, called: str = "") -> str:
    """The role of who speaks under some names: the user's where one is `me`; without `me`, where it, or the first name in
    it, is what the user is `called`. Words without a name are the user's.

    >>> [whose([name], "", "jess") for name in ("Jess Moore", "Mallory", "")]
    ['user', 'person', 'user']
    """
    known = {name.strip().casefold() for name in names} - {""}
    if wanted := me.strip().casefold():
        return "user" if not known or wanted in known else "person"
    firsts = {name.partition(" ")[0] for name in known} if called else set[str]()
    return "user" if not known or called.strip().casefold() in known | firsts else "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Describe an entry that has no number yet.

    `role` is the user, another person, the assistant or the system. `said_at` is an aware time, a naive one (local
    to `zone`, an IANA name), a bare day, or None where nobody knows; it is kept as given. `origin` names where it came
    from ("file", "message": the id there). `position` is its place within its cell or file.
    """

    kind: str = "message"
    text: str = ""
    role: str = "user"
    said_at: datetime | date | None = None
    zone: str = ""
    session: str = ""
    speaker: str = ""
    caption: str = ""
    origin: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Draft):
    """One row of the log, never changed; `recorded_at` is aware, in UTC."""

    id: int
    recorded_at: datetime

    @property
    def day(self) -> date:
        """The day it was said, in its own zone; where that is unknown, the day it was recorded."""
        said = self.said_at or self.recorded_at
        return said.date() if isinstance(said, datetime) else said

    @property
    def forgotten(self) -> bool:
        """Whether a forget has emptied it; its number, kind and times are all that is left."""
        return not (self.text or self.caption or self.data or self.origin)

    @property
    def moment(self) -> datetime | None:
        """The instant it was said (aware), or None where only a day or a time without a zone is known."""
        if not isinstance(self.said_at, datetime):
            return None
        if self.said_at.tzinfo is not None:
            return self.said_at
        return self.said_at.replace(tzinfo=ZoneInfo(self.zone)) if self.zone else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """What an append did: the new entries, and the ids of those that were there before."""

    entries: list[Entry]
    known: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What a load did: the first and last new entry (last < first where there is none), and the ids of those known before."""

    first: int
    last: int
    known: Sequence[int]

    @property
    def added(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One exchange with a model. `entries`: all whose words, or records drawn from them, stand in the request.

    The log fills in `id`, `batch` (None for a call outside of a batch) and `recorded_at`.
    """

    purpose: str
    model: str
    request: Mapping[str, Any]
    reply: str
    entries: tuple[int, ...] = ()
    round: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    finish: str = ""
    id: int = 0
    batch: int | None = None
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The entries read together and what was accepted from them: stored whole or not at all."""

    read: tuple[int, ...]
    reader: str
    calls: tuple[Call, ...] = ()
    facts: tuple[Draft, ...] = ()
    changes: tuple[Draft, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRow:
    """A stored batch. `first` and `last` are its own entries (facts, then changes); None where it made none."""

    id: int
    read: tuple[int, ...]
    reader: str
    first: int | None
    last: int | None
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Entries of a choice (to be consumed once): `count` of them, the newest, of `total` that fit."""

    entries: Iterator[Entry]
    count: int
    total: int

    @property
    def shown(self) -> str:
        """How many: "5,882 entries", or "50 of 5,882 entries"."""
        part = "" if self.count == self.total else f"{self.count:,} of "
        return f"{part}{self.total:,} {'entry' if self.total == 1 else 'entries'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An entry that a search found, its score (higher is better), and the turns around it in its session."""

    entry: Entry
    score: float
    neighbours: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What a forget did.

    `entry` is its tombstone; `ids` and `calls` are the entries and model calls emptied. `left` are facts, changes, edits
    and alerts, not named in the forget, with words that no message holds any more. `unswept` says why old pages of the
    file may hold the words until it is opened again; "" when none does.
    """

    entry: Entry
    ids: tuple[int, ...]
    calls: tuple[int, ...]
    left: tuple[int, ...]
    unswept: str = ""
