"""What the façade hands back: values that say what a checkpoint, a look at a domain and a hand edit came to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from uac_nb.alerts import Raised
from uac_nb.coverage import Coverage, Wish
from uac_nb.errors import Diagnostic
from uac_nb.log import Entry


@dataclass(frozen=True, repr=False)
class Checkpoint:
    """What a checkpoint did: accepted changes as JSON, their diff, what was refused, the alerts of the day, the coverage.

    `forgets` are wishes to forget that wait for the person; nothing is deleted before.
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

    def __repr__(self) -> str:
        files = f" in {', '.join(self.domains)}" if self.domains else ""
        counts = [
            f"{_count(self.changes, 'change')}{files} by {self.reader}",
            str(self.coverage),
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


def _count(found: Collection[object], noun: str, plural: str = "") -> str:
    return f"{len(found):,} {noun if len(found) == 1 else plural or noun + 's'}"
