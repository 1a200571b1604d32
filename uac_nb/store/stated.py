"""The stated day: on which day the values of a record were last said.

It is that of the latest add, amend or confirm that states them, not of what closes, absorbs or merges. Older words, read
later, neither end nor replace what was stated after them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from uac_nb.log import Entry, Log
from uac_nb.store.changelog import live

STATING = ("add", "note", "amend", "confirm")

EntryOf = Callable[[int], Entry | None]


class Stated:
    """Which entries state each record, and on which day the latest of them was said.

    `entry_of` gives a message or an edit of the log, None where there is none of that number.
    """

    def __init__(self, entry_of: EntryOf, changes: Iterable[Mapping[str, Any]] = ()) -> None:
        self._entry_of = entry_of
        self._stating: dict[str, set[int]] = {}
        for change in changes:
            self.take(change)

    @classmethod
    def of(cls, log: Log, entry_of: EntryOf) -> Stated:
        """What the changes say that count in a log."""
        return cls(entry_of, (made.change for made in live(log, *STATING, "merge")))

    def copy(self) -> Stated:
        """The same, to be tried out."""
        new = Stated(self._entry_of)
        new._stating = {id: set(stating) for id, stating in self._stating.items()}
        return new

    def take(self, change: Mapping[str, Any]) -> None:
        """Note one more accepted change."""
        if change["change"] in STATING:
            self._stating.setdefault(change["id"], set()).update(change["source"])
        elif change["change"] == "merge":
            self._stating.setdefault(change["into"], set()).update(self._stating.pop(change["id"], ()))

    def by(self, record: Any) -> Entry | None:
        """The message with the latest words that state a record; None where none of them has a day.

        A record of which no change is known is stated by its sources. Edits by hand are no words of a day: what a person
        wrote is theirs whenever it was, and newer entries ask.
        """
        stating = self._stating.get(record.id) or record.source
        entries = [entry for id in stating if (entry := self._entry_of(id)) and entry.kind == "message" and day_of(entry)]
        return max(entries, key=lambda entry: (entry.day, entry.id), default=None)

    def on(self, sources: Iterable[int]) -> date | None:
        """The latest day on which entries were said; None where none of them has one."""
        days = [day for id in sources if (entry := self._entry_of(id)) and (day := day_of(entry))]
        return max(days, default=None)


def day_of(entry: Entry) -> date | None:
    """When it was said: what a person types without a date is said now; what was imported without one has none."""
    return None if entry.said_at is None and entry.origin else entry.day
