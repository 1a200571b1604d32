"""What became of each message: cited, noted, partly read, set aside with a reason, waiting for a person's answer, or unread.

Partly read is a message that a change cites or notes and that its reader also skipped as "unclear": something is made of
it, and something is not. It counts as unread too, so a model, or a person, is told to look again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from uac_nb.changes.vocabulary import AS_SAID
from uac_nb.log import Log
from uac_nb.store.changelog import forgotten, live, logged
from uac_nb.store.changelog import undone_batches as undone_batches  # for those who look for it here

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
    told = [made.change for made in live(log, "forget")]
    found = [Wish(tuple(c.get("entries", ())), c.get("what", ""), tuple(c["source"])) for c in told]
    return tuple(wish for wish in found if not (wish.entries and gone.issuperset(wish.entries)) and not gone & {*wish.source})


def asked_to_forget(log: Log) -> frozenset[int]:
    """The entries that a person asked to forget, and has not forgotten yet: what rests on them is not to be recited."""
    return frozenset(id for wish in wishes(log) for id in wish.entries)


def coverage(log: Log) -> Coverage:
    """Read the fate of every message from the changes that cite it.

    Where a forget took a change, what else that change rested on is unread again, and the look that made it did not count.
    """
    fate = {entry.id: "unread" for entry in log.entries(kinds=("message",)) if not entry.forgotten}
    readings = {batch.id: frozenset(batch.read) for batch in log.batches()}
    unclear = dict[int, tuple[int, bool]]()  # the last batch that read a message and says something of it: is it unclear?
    for made in logged(log):
        if made.aside or (made.undone and made.answers is not None):
            continue  # what an undone answer answered waits again
        batch, new = made.entry.data["batch"], UNDONE if made.undone else _fate(made.change)
        for cited in made.change["source"]:
            if cited in readings[batch] and new != UNDONE:
                last, so_far = unclear.get(cited, (batch, False))
                unclear[cited] = batch, new == UNCLEAR or (so_far and last == batch)
            if cited in fate and _rank(new) > _rank(fate[cited]):
                fate[cited] = new
    emptied = forgotten(log)
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
