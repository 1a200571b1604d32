"""What an import found, as it goes: counts, times, speakers, and every place that was not understood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import NamedTuple

from uac_nb.log import Draft

Dated = tuple[datetime, datetime | date]  # a time to compare with others, and as it was given
Place = int | str  # a line number, or where in the file

SHOWN = 80  # characters of a text that a report or an error shows
LISTED = 1_000  # places listed; further ones are only counted


class Odd(NamedTuple):
    """A place that was not understood: where, why, and the beginning of what stands there, marked where it is shortened."""

    place: str
    why: str
    text: str


@dataclass
class Report:
    """What was found. It fills while the drafts are consumed and is complete when they are used up.

    `system_lines` are lines that nobody said (counted, not imported); `media` are
    pictures, voice and files; `counts` holds what else a format counts (conversations, branches …); `unlisted` is how many
    places beyond the list were not understood.
    """

    format: str
    file: str
    messages: int = 0
    speakers: Counter[str] = field(default_factory=Counter)
    roles: Counter[str] = field(default_factory=Counter)
    system_lines: int = 0
    media: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    not_understood: list[Odd] = field(default_factory=list)
    unlisted: int = 0
    notes: list[str] = field(default_factory=list)
    backwards: int = 0
    _firsts: dict[bool, Dated] = field(default_factory=dict, repr=False)
    _last: Dated | None = field(default=None, repr=False)
    _before: tuple[str, datetime] | None = field(default=None, repr=False)

    @property
    def first(self) -> datetime | date | None:
        """The earliest time; an assistant's counts only where nobody else spoke, as its clock may run before the question."""
        found = self._firsts.get(False) or self._firsts.get(True)
        return found[1] if found else None

    @property
    def last(self) -> datetime | date | None:
        """The latest time."""
        return self._last[1] if self._last else None

    def add(self, draft: Draft) -> None:
        """Count a message."""
        self.messages += 1
        self.speakers[draft.speaker or draft.role] += 1
        self.roles[draft.role] += 1
        if draft.said_at is not None:
            self._dated(draft.said_at, draft.session, draft.role == "assistant")

    def _dated(self, said: datetime | date, session: str, assistant: bool) -> None:
        now = instant(said)
        if assistant not in self._firsts or now < self._firsts[assistant][0]:
            self._firsts[assistant] = now, said
        if self._last is None or now > self._last[0]:
            self._last = now, said
        if not assistant:
            self.backwards += self._before is not None and self._before[0] == session and now < self._before[1]
            self._before = (session, now)

    def odd(self, place: Place, why: str, text: str = "") -> None:
        """List a place that was not understood."""
        if len(self.not_understood) < LISTED:
            self.not_understood.append(Odd(where(self.file, place), why, shown(text)))
        else:
            self.unlisted += 1

    def note(self, text: str) -> None:
        """Say something once."""
        if text not in self.notes:
            self.notes.append(text)

    def __str__(self) -> str:
        return "\n".join([*self.summary(), *self._oddities()])

    def summary(self) -> Iterator[str]:
        """Counts, times, speakers and notes, a line each."""
        span = f", from {self.first} to {self.last}" if self.last is not None else ""
        count = f"{self.messages:,} message{'s' * (self.messages != 1)}"
        yield f"{shown(self.file)} ({self.format}): {count}{span}"
        if self.speakers:
            yield "speakers: " + ", ".join(f"{shown(name)} {count:,}" for name, count in self.speakers.most_common(20))
        if len(self.speakers) > 20:
            yield f"  and {len(self.speakers) - 20:,} more"
        counts = {"system lines": self.system_lines, "media": self.media, **self.counts}
        if any(counts.values()):
            yield ", ".join(f"{name}: {count:,}" for name, count in counts.items() if count)
        yield from (f"note: {note}" for note in self.notes)

    def _oddities(self) -> Iterator[str]:
        yield from (f"{odd.place}: {odd.why}: {odd.text}" for odd in self.not_understood)
        if self.unlisted:
            yield f"and {self.unlisted:,} more places that were not understood"


def instant(said: datetime | date) -> datetime:
    """Return a time to compare with others; one without a zone is taken as UTC, a bare day as its beginning."""
    if not isinstance(said, datetime):
        said = datetime.combine(said, time())
    return said if said.tzinfo is not None else said.replace(tzinfo=UTC)


def where(file: str, place: Place) -> str:
    """Name a place in a file.

    >>> where("chat.txt", 12), where("talk.json", "message 3")
    ('chat.txt:12', 'talk.json, message 3')
    """
    name = shown(file)
    if not place:
        return name
    return f"{name}:{place}" if isinstance(place, int) else f"{name}, {place}"


def shown(text: str, most: int = SHOWN) -> str:
    r"""Return text as it can be shown in one line: what is no letter or sign is escaped, what is cut is marked.

    >>> shown("a\nb\u202e"), shown("abcdef", 3)
    ('a\\nb\\u202e', 'abc… (6 characters)')
    """
    cut = text[:most]
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
    return plain if len(text) <= most else f"{plain}… ({len(text):,} characters)"
