"""What became of each message: cited, noted, set aside with a reason, waiting for a person's answer, or unread."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from uac_nb.log import Log

LOOKS = {"patterns": 1}  # looking again with the same patterns gives the same; a model is asked up to three times
MOST_LOOKS = 3
UNDONE = "set aside: undone"
RANK = {"cited": 4, "noted": 3, "set aside": 2, "waiting": 1}


@dataclass(frozen=True)
class Coverage:
    """For every message its fate: "cited", "noted", "set aside: greeting", "waiting", "unread"."""

    fate: Mapping[int, str]
    looks: Mapping[tuple[int, str], int]

    @cached_property
    def counts(self) -> dict[str, int]:
        found = Counter(fate.partition(":")[0] for fate in self.fate.values())
        always = ("cited", "noted", "set aside", "unread")
        return {
            name: found[name] for name in ("cited", "noted", "set aside", "waiting", "unread") if name in always or found[name]
        }

    @cached_property
    def unread(self) -> tuple[int, ...]:
        return tuple(entry for entry, fate in self.fate.items() if fate == "unread")

    def due(self, reader: str, again: bool = False) -> tuple[int, ...]:
        """Unread messages for this reader to look at; on request also those looked at often enough, and those undone."""
        most = LOOKS.get(reader, MOST_LOOKS)
        fresh = (e for e in self.unread if again or self.looks.get((e, reader), 0) < most)
        undone = (e for e, fate in self.fate.items() if again and fate == UNDONE)
        return tuple(sorted({*fresh, *undone}))

    def __str__(self) -> str:
        messages = f"{len(self.fate)} message{'s' * (len(self.fate) != 1)}"
        return f"{messages}: {', '.join(f'{n} {name}' for name, n in self.counts.items())}"


@dataclass(frozen=True)
class Wish:
    """A wish to forget that somebody told: `entries` are those it speaks of, as far as the reader could tell."""

    entries: tuple[int, ...]
    what: str
    source: tuple[int, ...]

    def __str__(self) -> str:
        which = f"entries {', '.join(map(str, self.entries))}" if self.entries else "entries that you have to choose"
        return f"asked to forget {self.what or 'something'} ({which}); nothing is deleted until you forget them"


def wishes(log: Log) -> tuple[Wish, ...]:
    """The wishes to forget that were told and not carried out, nor taken back by an undo."""
    gone = {id for entry in log.entries(kinds=("forget",)) for id in entry.data["ids"]}
    undone = undone_batches(log)
    told = [
        json.loads(e.text) for e in log.entries(kinds=("change",)) if '"forget"' in e.text and e.data["batch"] not in undone
    ]
    found = [Wish(tuple(c.get("entries", ())), c.get("what", ""), tuple(c["source"])) for c in told if c["change"] == "forget"]
    return tuple(wish for wish in found if not (wish.entries and gone.issuperset(wish.entries)) and not gone & {*wish.source})


def undone_batches(log: Log) -> set[int]:
    """The batches that were taken back."""
    return {entry.data["batch"] for entry in log.entries(kinds=("undo",)) if "batch" in entry.data}


def coverage(log: Log) -> Coverage:
    """Read the fate of every message from the changes that cite it.

    Where a forget took a change, what else that change rested on is unread again, and the look that made it did not count.
    """
    undone = undone_batches(log)
    fate = {entry.id: "unread" for entry in log.entries(kinds=("message",)) if not entry.forgotten}
    emptied = set[int]()
    for entry in log.entries(kinds=("change",)):
        if entry.forgotten:
            emptied.add(entry.id)
            continue
        if "answers" in entry.data and entry.data["batch"] in undone:
            continue  # what it answered waits again
        change = json.loads(entry.text)
        new = _fate(change) if entry.data["batch"] not in undone else UNDONE
        for cited in change["source"]:
            if cited in fate and RANK[new.partition(":")[0]] > RANK.get(fate[cited].partition(":")[0], 0):
                fate[cited] = new
    whole = (b for b in log.batches() if not emptied or emptied.isdisjoint(range(b.first or 0, (b.last or -1) + 1)))
    looks = Counter((entry, batch.reader) for batch in whole for entry in batch.read)
    return Coverage(fate, looks)


def _fate(change: dict[str, str]) -> str:
    fates = {
        "skip": f"set aside: {change.get('reason', '')}",
        "refuse": "set aside: refused",
        "propose": "waiting",
        "note": "noted",
        "forget": "noted",
    }
    return fates.get(change["change"], "cited")
