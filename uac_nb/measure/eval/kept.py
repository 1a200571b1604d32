"""What a kept record says, in the terms of what was meant, whichever of the right collections it is kept in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from uac_nb.measure.eval.days import Told
from uac_nb.measure.eval.story import Value
from uac_nb.rules import When

# What was meant, and the fields that say it; the first that a record has counts. The words of a title count for all texts.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "on": ("departs", "bought", "on", "since"), "until": ("returns", "until"), "money": ("price", "cost", "amount"),
    "title": ("title", "substance"), "place": ("to", "place"), "kind": ("kind",),
}  # fmt: skip
INVENTED = ("money", "starts", "minutes", "metres", "rating", "until")  # wrong when nobody told them
STATUS: Mapping[str, tuple[str, ...]] = {
    "done": ("done", "happened"), "ahead": ("booked", "agreed", "planned"), "cancelled": ("cancelled", "off"),
    "kept": ("undecided", "keep", "paid"), "returned": ("return", "returned", "cancelled"),
    "taking": ("taking",), "stopped": ("stopped",), "current": ("current",),
    "finished": ("done",), "wanted": ("wanted",), "dropped": ("dropped",),
}  # fmt: skip
OVER = ("cancelled", "off", "dropped", "ended", "stopped", "returned")
ARTICLES = {"a", "an", "the"}
HELD = ("meals", "meetings", "workouts")  # what is kept there has happened


@dataclass(frozen=True)
class Row:
    """A record: its collection, its values by field, and the lines that it cites."""

    collection: str
    values: Mapping[str, Any]
    lines: tuple[int, ...] = ()

    @property
    def mine(self) -> bool:
        """Whether it is of the user's life. How to reach somebody is the user's to know."""
        others = self.values.get("others") or ()
        return self.collection == "contacts" or self.values.get("who", "me") in ("me", "") or "me" in others

    @property
    def status(self) -> str:
        kept = self.values.get("status") or self.values.get("decision")
        return str(kept or ("done" if self.collection in HELD else ""))

    def value(self, meant: str) -> Any:
        return next((self.values[name] for name in FIELDS.get(meant, (meant,)) if name in self.values), None)

    def says(self, meant: str, value: Value, people: Mapping[str, str]) -> bool:
        """Whether it says what was meant; `people` are the words about each person, by id."""
        if isinstance(value, tuple):
            text = self.folk(people) if meant == "party" else self._texts(*FIELDS.get(meant, (meant,)))
            return any(holds(text, way) for way in value)
        kept = self.value(meant)
        if isinstance(value, Told):
            return (when := as_when(kept)) is not None and value.proves(when)
        return bool(kept == value)

    def invents(self, meant: str) -> bool:
        """Whether it says something of which nothing was told. What is over ended by the day on which that was said."""
        kept = self.value(meant)
        if meant == "until":
            when = as_when(kept)
            return when is not None and when.exact and self.status not in OVER
        return kept is not None

    def folk(self, people: Mapping[str, str]) -> str:
        """The words about all who are named in it."""
        named = [self.values.get("who"), self.values.get("name"), *(self.values.get("others") or ())]
        return " ".join([self._texts(), *(f"{one} {people.get(one, '')}" for one in named if one and one != "me")])

    def keys(self, keys: Iterable[str], people: Mapping[str, str]) -> list[str]:
        """Those keys that its words hold."""
        text = f"{self._texts('to', 'place', 'name', 'kind', 'value', 'substance')} {self.folk(people)}"
        return [key for key in keys if holds(text, key)]

    def _texts(self, *names: str) -> str:
        kept = (self.values.get(name) for name in ("title", *names))
        return " ".join(str(text) for text in kept if text)


def persons(rows: Iterable[Row]) -> dict[str, str]:
    """The words about each person on record, by id: they tell two of one name apart."""
    names = ("name", "relation", "met_through", "aka")
    return {
        str(row.values["id"]): " ".join(str(row.values.get(name) or "") for name in names)
        for row in rows
        if row.collection == "people"
    }


def holds(text: str, phrase: str) -> bool:
    """Whether all words of a phrase stand in a text; numbers and addresses to reach somebody as a whole.

    >>> holds("Dinner at Café Bruma", "cafe bruma"), holds("020 123 4567", "0201234567"), holds("10mg daily", "10 mg")
    (True, True, True)
    """
    if "@" in phrase or sum(map(str.isdigit, phrase)) >= 7:
        return _squeezed(phrase) in _squeezed(text)
    return _words(phrase) <= _words(text)


def as_when(value: Any) -> When | None:
    return When(value) if isinstance(value, date) else value if isinstance(value, When) else None


def _plain(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+|\d+", _plain(text))) - ARTICLES


def _squeezed(text: str) -> str:
    return re.sub(r"[^\w@.]", "", _plain(text))
