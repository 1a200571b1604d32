"""What the façade hands back: values that say what a checkpoint, a look at a domain, a hand edit and an undo came to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from uac_nb.errors import Diagnostic
from uac_nb.log import Entry
from uac_nb.project import Commit
from uac_nb.store.coverage import UNDONE, Coverage, Wish
from uac_nb.verbs.alerts import Raised

MOST = 10  # changes of an undo that are told, numbers in a sentence


@dataclass(frozen=True, repr=False)
class Checkpoint:
    """What a checkpoint did: accepted changes as JSON, their diff, what was refused, the alerts of the day, the coverage.

    `unread` are the messages that nobody understood, or not whole: `coverage.partly` numbers the latter. `forgets` are wishes
    to forget that wait for the person; nothing is deleted before.
    """

    changes: tuple[Mapping[str, Any], ...]
    diff: str
    domains: tuple[str, ...]
    alerts: tuple[Raised, ...]
    diagnostics: tuple[Diagnostic, ...]
    coverage: Coverage
    unread: tuple[Entry, ...]
    reader: str
    forgets: tuple[Wish, ...] = ()

    @property
    def undone(self) -> tuple[int, ...]:
        """The messages that an undo set aside, which only a checkpoint with `again` reads once more."""
        return tuple(id for id, fate in self.coverage.fate.items() if fate == UNDONE)

    def __repr__(self) -> str:
        files = f" in {some(self.domains)}" if self.domains else ""
        fates = ", ".join(f"{number:,} {fate}" for fate, number in self.coverage.counts.items() if number)
        counts = [
            f"{_count(self.changes, 'change')}{files} by {self.reader}",
            f"{_count(self.coverage.fate, 'message')}: {fates or 'none yet'}",
            _count(self.alerts, "alert"),
            *([_count(self.diagnostics, "finding")] if self.diagnostics else []),
            *([_count(self.forgets, "wish to forget", "wishes to forget")] if self.forgets else []),
        ]
        return f"<Checkpoint: {'; '.join(counts)}>"


@dataclass(frozen=True)
class Source:
    """The text of one domain, and what it was rendered from (`base`, to give back with an edit)."""

    domain: str
    text: str
    base: str


@dataclass(frozen=True, repr=False)
class Edited:
    """What a hand edit changed (a unified diff, empty where it changed nothing), and the alerts after it."""

    domain: str
    diff: str
    diagnostics: tuple[Diagnostic, ...]
    alerts: tuple[Raised, ...]

    def __repr__(self) -> str:
        lines = [line[:1] for line in self.diff.splitlines() if not line.startswith(("+++", "---"))]
        counts = f"{lines.count('+'):,} lines added, {lines.count('-'):,} removed"
        return f"<Edited {self.domain}: {counts}; {_count(self.alerts, 'alert')}; {_count(self.diagnostics, 'finding')}>"


@dataclass(frozen=True, repr=False)
class Undone:
    """What an undo took back (`what`: "batch 2"), told change by change, and the messages that it set aside.

    `aside` are read again only on request: by a checkpoint with `again`. `head` is the commit of the undo.
    """

    what: str
    told: tuple[str, ...]
    aside: tuple[int, ...]
    diff: str
    head: Commit

    @property
    def lines(self) -> list[str]:
        """The first of what was taken back, and of how much."""
        more = [f"… {MOST} of {len(self.told):,} told"] if len(self.told) > MOST else []
        return [*self.told[:MOST], *more]

    def __str__(self) -> str:
        return "\n".join([f"took back {self.what}:", *(f"  {line}" for line in self.lines)])

    def __repr__(self) -> str:
        return f"<Undone: {self.what}; {_count(self.told, 'change')}; {_count(self.aside, 'message')} set aside>"


def set_aside(undone: Sequence[int], how: str) -> str:
    """Which messages an undo set aside, and how they are read once more.

    >>> set_aside([9], "--again")
    '1 message is set aside as undone (#9): --again reads it once more'
    """
    verb, them = ("is", "it") if len(undone) == 1 else ("are", "them")
    numbers = some([f"#{id}" for id in undone])
    return f"{_count(undone, 'message')} {verb} set aside as undone ({numbers}): {how} reads {them} once more"


def some(names: Sequence[str]) -> str:
    """The first of some names, and of how many they are.

    >>> some(["health", "travel"])
    'health, travel'
    """
    shown = ", ".join(names[:MOST])
    return shown if len(names) <= MOST else f"{shown} … ({MOST} of {len(names):,})"


def _count(found: Collection[object], noun: str, plural: str = "") -> str:
    return f"{len(found):,} {noun if len(found) == 1 else plural or noun + 's'}"
