"""What a format is: it knows a file of its own when it sees one, and says what was said in it.

A format yields plain messages in the order of the talk. Who the user is, what makes a message the same as one imported
before, and what is counted are the same for all formats and live in `drafting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from uac_nb.importers.report import Place, Report, shown
from uac_nb.importers.source import Source
from uac_nb.importers.times import moment

ROLES = MappingProxyType(
    dict.fromkeys(("user", "human", "you", "me"), "user")
    | dict.fromkeys(
        ("assistant", "ai", "model", "bot", "chatbot", "chatgpt", "gpt", "claude", "gemini", "copilot"), "assistant"
    )
    | dict.fromkeys(("system", "developer"), "system")
    | {"person": "person"}
)  # what exports call them: our word for it


class Message(NamedTuple):
    """One message as a format found it.

    `role` is "" where only `me` can tell the user from others; `who` is an id of the speaker that `me` may name too.
    `session` "" stands for the file, day by day. `id` is the export's own. `place` is a line number, or where in the file.
    """

    text: str
    at: datetime | date | None = None
    speaker: str = ""
    role: str = ""
    session: str = ""
    who: str = ""
    caption: str = ""
    id: str = ""
    place: Place = 0
    data: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller knows: who the user is, the zone of times without one, the column map, the order in dates.

    `called` is a name that the user may go by: where `me` is not said, a speaker of that name is the user.
    """

    me: str = ""
    zone: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    order: str = ""  # "dmy", "mdy", "ymd"; "" where the file has to tell
    called: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """One source being read: what it is, what the caller knows, and what is found."""

    source: Source
    options: Options
    report: Report

    def at(self, value: Any, place: Place) -> datetime | date | None:
        """Return the time that a value of the export stands for. LogError where it is none or out of range."""
        try:
            return moment(value, self.options.zone, self.options.order)
        except ValueError as error:
            raise self.source.error(place, f"{shown(str(value))}: {error}") from None


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, what it is for a person, whether it fits a source, and how it reads one.

    A `general` one is asked only where no other fits. Those with `kinds` take a column map and any
    source of these kinds; `dated` ones take an order of dates; a file of a `partial` one is a part of a talk.
    """

    name: str
    what: str
    fits: Callable[[Source, Options], bool]
    messages: Callable[[Reading], Iterator[Message]]
    general: bool = False
    kinds: tuple[str, ...] = ()
    dated: bool = False
    partial: bool = False


def daily(name: str, at: date | None) -> str:
    """Name the session of a talk that goes on for years: its name and the day.

    >>> daily("Family", date(2025, 1, 10))
    'Family 2025-01-10'
    """
    day = at.date() if isinstance(at, datetime) else at
    return " ".join(str(part) for part in (name, day) if part)
