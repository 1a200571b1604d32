"""Which changes of a log count. Whoever reads changes reads them here, so that all leave out the same.

A change makes nothing once it was forgotten, taken back by an undo, or set aside when the archive that brought it was restored.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from uac_nb.log import Entry


class Readable(Protocol):
    """A log, or what of one was there by a day."""

    def entries(self, *, kinds: Collection[str] | None = None, ids: Collection[int] | None = None) -> Iterator[Entry]: ...


@dataclass(frozen=True)
class Logged:
    """A change as a log holds it. One that was set aside may have any shape: of its keys only `source` is sure."""

    entry: Entry
    undone: bool = False
    aside: bool = False

    @cached_property
    def change(self) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(self.entry.text)
        return made

    @property
    def answers(self) -> int | None:
        """The proposal that it answers."""
        return self.entry.data.get("answers")

    def is_one_of(self, *kinds: str) -> bool:
        """Whether it is of one of some kinds; only what may be is parsed."""
        return any(f'"{kind}"' in self.entry.text for kind in kinds) and self.change["change"] in kinds


def logged(log: Readable) -> Iterator[Logged]:
    """All changes of which the log holds the words, oldest first."""
    undone, aside = undone_batches(log), set_aside(log)
    for entry in log.entries(kinds=("change",)):
        if not entry.forgotten:
            out = entry.id in aside
            yield Logged(entry, not out and entry.data["batch"] in undone, out)


def live(log: Readable, *kinds: str) -> Iterator[Logged]:
    """The changes that count, oldest first; of some kinds, or all."""
    counting = (made for made in logged(log) if not (made.undone or made.aside))
    return (made for made in counting if made.is_one_of(*kinds)) if kinds else counting


def forgotten(log: Readable) -> set[int]:
    """The changes that a forget has emptied."""
    gone = {id for entry in log.entries(kinds=("forget",)) for id in entry.data["ids"]}
    return {entry.id for entry in log.entries(kinds=("change",), ids=gone)} if gone else set()


def undone_batches(log: Readable) -> set[int]:
    """The batches that were taken back."""
    aside = set_aside(log)
    return {e.data["batch"] for e in log.entries(kinds=("undo",)) if "batch" in e.data and e.id not in aside}


def set_aside(log: Readable) -> Collection[int]:
    """The entries of an archive that were not let in when it was restored: they make nothing."""
    return {id for entry in log.entries(kinds=("undo",)) for id in entry.data.get("aside", ())}
