"""What the façade hands back: values that say what a checkpoint, a look at a domain and a hand edit came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from uac_nb.alerts import Raised
from uac_nb.coverage import Coverage, Wish
from uac_nb.errors import Diagnostic
from uac_nb.log import Entry


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Source:
    """The text of one domain, and what it was rendered from (`base`, to give back with an edit)."""

    domain: str
    text: str
    base: str


@dataclass(frozen=True)
class Edited:
    """What a hand edit changed (a unified diff, empty where it changed nothing), and the alerts after it."""

    domain: str
    diff: str
    diagnostics: tuple[Diagnostic, ...]
    alerts: tuple[Raised, ...]
