"""What became of each message: cited, noted, partly read, set aside with a reason, waiting for a person's answer, or unread.

Partly read is a message that a change cites or notes and that its reader also skipped as "unclear": something is made of
it, and something is not. It counts as unread too, so a model, or a person, is told to look again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from uac_nb.changes.vocabulary import AS_SAID
from uac_nb.log import Log

LOOKS = {"patterns": 1}  # looking again with the same patterns gives the same; a model is asked up to three times
MOST_LOOKS = 3
UNDONE = "set aside: undone"
UNCLEAR = "set aside: unclear"
PARTLY = "partly"
SHOWN = {
    "cited": "cited",
    "noted": "noted",
    PARTLY: "partly read",
    "set aside": "set aside",
    "waiting": "waiting",
    "unread": "unread",
}
ALWAYS = ("cited", "noted", "set aside", "unread")  # counted also where there are none
RANK = {"cited": 5, "noted": 4, "set aside": 3, "waiting": 2, "unclear": 1, "unread": 0}


@dataclass(frozen=True)
class Coverage:
    """For every message its fate: "cited", "noted", "partly", "set aside: greeting", "waiting", "unread"."""

    fate: Mapping[int, str]
    looks: Mapping[tuple[int, str], int]

    @cached_property
    def counts(self) -> dict[str, int]:
        found = Counter(fate.partition(":")[0] for fate in self.fate.values())
        return {shown: found[name] for name, shown in SHOWN.items() if name in ALWAYS or found[name]}

    @cached_property
    def unread(self) -> tuple[int, ...]:
        """What nobody understood, or not whole."""
        return tuple(entry for entry, fate in self.fate.items() if fate in ("unread", PARTLY))

    @cached_property
    def partly(self) -> tuple[int, ...]:
        """Of what is unread the messages of which something was read."""
        return tuple(entry for entry in self.unread if self.fate[entry] == PARTLY)

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
    undone, aside = undone_batches(log), set_aside(log)
    made = (e for e in log.entries(kinds=("change",)) if '"forget"' in e.text and e.id not in aside)
    told = [json.loads(e.text) for e in made if e.data["batch"] not in undone]
    found = [Wish(tuple(c.get("entries", ())), c.get("what", ""), tuple(c["source"])) for c in told if c["change"] == "forget"]
    return tuple(wish for wish in found if not (wish.entries and gone.issuperset(wish.entries)) and not gone & {*wish.source})


def asked_to_forget(log: Log) -> frozenset[int]:
    """The entries that a person asked to forget, and has not forgotten yet: what rests on them is not to be recited."""
    return frozenset(id for wish in wishes(log) for id in wish.entries)


def undone_batches(log: Log) -> set[int]:
    """The batches that were taken back."""
    return {entry.data["batch"] for entry in log.entries(kinds=("undo",)) if "batch" in entry.data}


def set_aside(log: Log) -> frozenset[int]:
    """The entries of an archive that were not let in when it was restored: they make nothing."""
    return frozenset(id for entry in log.entries(kinds=("undo",)) for id in entry.data.get("aside", ()))


def coverage(log: Log) -> Coverage:
    """Read the fate of every message from the changes that cite it.

    Where a forget took a change, what else that change rested on is unread again, and the look that made it did not count.
    """
    undone, aside = undone_batches(log), set_aside(log)
    fate = {entry.id: "unread" for entry in log.entries(kinds=("message",)) if not entry.forgotten}
    emptied = set[int]()
    readings = {batch.id: frozenset(batch.read) for batch in log.batches()}
    unclear = dict[int, tuple[int, bool]]()  # the last batch that read a message and says something of it: is it unclear?
    for entry in log.entries(kinds=("change",)):
        if entry.forgotten:
            emptied.add(entry.id)
            continue
        if entry.id in aside:
            continue
        batch = entry.data["batch"]
        if "answers" in entry.data and batch in undone:
            continue  # what it answered waits again
        change = json.loads(entry.text)
        new = _fate(change) if batch not in undone else UNDONE
        for cited in change["source"]:
            if cited in readings[batch] and new != UNDONE:
                last, so_far = unclear.get(cited, (batch, False))
                unclear[cited] = batch, new == UNCLEAR or (so_far and last == batch)
            if cited in fate and _rank(new) > _rank(fate[cited]):
                fate[cited] = new
    half = [id for id, (_, so) in unclear.items() if so and fate.get(id) in ("cited", "noted")]
    whole = (b for b in log.batches() if not emptied or emptied.isdisjoint(range(b.first or 0, (b.last or -1) + 1)))
    looks = Counter((entry, batch.reader) for batch in whole for entry in batch.read)
    return Coverage({**fate, **dict.fromkeys(half, PARTLY)}, looks)


def _rank(fate: str) -> int:
    return RANK["unclear" if fate == UNCLEAR else fate.partition(":")[0]]


def _fate(change: dict[str, str]) -> str:
    fates = {
        "skip": f"set aside: {change.get('reason', '')}",
        "refuse": "set aside: refused",
        "propose": "waiting",
        "note": "noted",
        "forget": "noted",
    }
    free = str(change.get("why", "")).startswith(AS_SAID)
    return fates.get(change["change"], "noted" if free else "cited")
