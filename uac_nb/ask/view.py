"""A collection as questions see it: what it is called, what its fields are called, and which words its records hold.

Everything is read off the type and the records, so that a type which a model made up last week can be asked as well as
one of ours. The lexicon adds what people also say for common names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from keyword import iskeyword
from typing import Any, Literal

from uac_nb.ask.lexicon import (
    ALSO,
    CURRENCIES,
    DAYS,
    DISPLAY,
    FREE,
    KINDS,
    LABELS,
    NEAR,
    SPANS,
    STAND_IN,
    TOPICS,
    UNITS,
    UNSEEN,
    units,
)
from uac_nb.ask.words import FILLERS, NOT_ALONE, name_words, plain, root, singular, singulars
from uac_nb.domainfile.annotations import Choice, Many, Maybe, Scalar
from uac_nb.domainfile.records import Field, RecordType

Kind = Literal["date", "time", "number", "money", "flag", "word", "words"]
_KINDS: dict[str, Kind] = {
    "int": "number", "float": "number", "Decimal": "number", "Money": "money", "When": "date", "date": "date", "time": "time",
    "bool": "flag", "str": "word",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slot:
    """A field that questions can speak of. `labels` are roots; `unit` is that of a number ("minute", "USD")."""

    name: str
    kind: Kind
    optional: bool
    labels: frozenset[str]  # all that may name it
    strong: frozenset[str]  # what names it alone: "method", not "payment", of `payment_method`
    unit: str = ""
    scale: float = 1  # minutes in its unit, where that is a time, and so on
    choices: tuple[Any, ...] = ()
    plain_date: bool = False  # a `date`, which has no `within`
    stand_in: str = ""  # the field that tells, where this one does not

    def code(self, r: str) -> str:
        """Its value of a record, as code."""
        return f"({r}.{self.name} or {r}.{self.stand_in})" if self.stand_in else f"{r}.{self.name}"

    def of(self, record: Any) -> Any:
        value = getattr(record, self.name)
        return getattr(record, self.stand_in) if value is None and self.stand_in else value

    @property
    def free(self) -> bool:
        """Whether it holds free words, in which the absence of one says little."""
        return self.name in FREE


def own_words(name: str) -> list[str]:
    """The words of a field's name, without its unit."""
    words = name_words(name)
    kept = [
        w
        for w in words
        if root(w) not in UNITS and w not in CURRENCIES and w not in ("n", "num", "date", "time", "count", "of", "by")
    ]
    return kept or words


def slot(f: Field) -> Slot | None:
    optional, type = (True, f.type.of) if isinstance(f.type, Maybe) else (False, f.type)
    kind: Kind | None = None
    choices: tuple[Any, ...] = ()
    match type:
        case Scalar(name):
            kind = _KINDS.get(name)
        case Choice(choices):
            kind = "word" if all(isinstance(c, str) for c in choices) else None
        case Many(Scalar("str") | Choice()):
            kind = "words"
    if kind is None or f.name in UNSEEN or f.name.endswith("_id"):
        return None
    words = name_words(f.name)
    unit, scale = next((UNITS[root(w)] for w in words if root(w) in UNITS), ("", 1)) if kind == "number" else ("", 1)
    if kind == "number" and not unit:
        unit = next((CURRENCIES[w] for w in words if w in CURRENCIES), "")
    measured = {u for u in units(unit) if UNITS.get(u, ("", scale))[1] == scale}
    own = own_words(f.name) if kind not in ("number", "money") else words
    strong = _also([own[-1]] if kind not in ("number", "money") else own) | measured
    return Slot(f.name, kind, optional, strong | _also(words), strong, unit, scale, choices, type == Scalar("date"))


def _also(words: Iterable[str]) -> frozenset[str]:
    """The roots of some words of a field's name, and of what else it is called."""
    found = {root(w) for w in words} - {"n", "of", "date", "on", "to"}
    for keys, more in LABELS:
        if not set(keys.split()).isdisjoint(words):
            found |= set(more.split())
    return frozenset(found)


@dataclass(frozen=True)
class View:
    """One collection, its type and its records."""

    name: str
    type: RecordType
    records: Sequence[Any] = field(repr=False)

    @cached_property
    def var(self) -> str:
        """What the query calls one record."""
        word = "_".join(name_words(self.type.name))
        return word if word != self.name and word.isidentifier() and not iskeyword(word) else "record"

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(self._with_stand_in(s) for f in self.type.fields if (s := slot(f)))

    def _with_stand_in(self, s: Slot) -> Slot:
        """A field with the one that stands in for it, where any record needs that."""
        other = STAND_IN.get(s.name, "")
        if not self.has(other):
            return s
        needed = any(getattr(r, s.name) is None and getattr(r, other) is not None for r in self.records)
        return replace(s, stand_in=other) if needed else s

    def slot(self, *names: str) -> Slot | None:
        """The first of some fields that the type has."""
        return next((s for name in names for s in self.slots if s.name == name), None)

    @cached_property
    def done(self) -> dict[str, list[tuple[Slot, Any]]]:
        """Kinds that are named by a verb, by that verb: "running", by "run"."""
        found: dict[str, list[tuple[Slot, Any]]] = {}
        for phrase, hits in self.values.items():
            if phrase.endswith("ing") and " " not in phrase and (kinds := [h for h in hits if h[0].name in KINDS]):
                found[root(phrase)] = kinds
        return found

    def has(self, name: str) -> bool:
        return name in self.type.by_name

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(map(singular, (*name_words(self.name), *name_words(self.type.name))))

    @cached_property
    def own_nouns(self) -> frozenset[str]:
        """What one of its records is called by the type."""
        return frozenset(singulars(" ".join(name_words(name))) for name in (self.name, self.type.name))

    @cached_property
    def nouns(self) -> frozenset[str]:
        """What one of its records is called."""
        return self.own_nouns.union(*(nouns.split(",") for keys, nouns, _ in TOPICS if self._words & set(keys.split())))

    @cached_property
    def near_nouns(self) -> frozenset[str]:
        """What some of them are called: enough to look one up, not to count them."""
        return frozenset(noun for keys, nouns in NEAR if self._words & set(keys.split()) for noun in nouns.split(","))

    @cached_property
    def names_others(self) -> bool:
        """Whether each is about somebody by name: a birthday, a phone number. "My" then says nothing of whose."""
        return self.has("name") and self.has("who") and not any("relation" in s.strong for s in self.slots)

    @cached_property
    def of_people(self) -> bool:
        """Whether its records are people."""
        return self.has("name") and (self.has("relation") or self.type.name == "Person")

    @cached_property
    def verbs(self) -> frozenset[str]:
        return frozenset(v for keys, _, verbs in TOPICS if self._words & set(keys.split()) for v in verbs.split())

    @cached_property
    def values(self) -> dict[str, list[tuple[Slot, Any]]]:
        """The values of its records, and the choices of its types, in the singular. Free text is not among them."""
        found: dict[str, list[tuple[Slot, Any]]] = {}
        for s in self.slots:
            if s.kind not in ("word", "words") or s.free:
                continue
            for value in dict.fromkeys((*s.choices, *self.all_of(s))):
                first = plain(str(value)).split()[:1] if s.name == "name" and self.has("relation") else []
                for phrase in dict.fromkeys((*_phrases(s, value), *first)):
                    found.setdefault(phrase, []).append((s, value))
        return found

    def all_of(self, s: Slot) -> Iterator[Any]:
        """The values that its records have in a field, one by one."""
        for record in self.records:
            value = getattr(record, s.name)
            yield from value if s.kind == "words" and value else () if value is None or s.kind == "words" else (value,)

    def currencies(self, s: Slot) -> int:
        """How many currencies a field of money has; 0 for another field."""
        return len({value.currency for value in self.all_of(s)}) if s.kind == "money" else 0

    def open_in(self, s: Slot) -> bool:
        """Whether any record leaves a field open: it has none, or a date that is not exact."""
        values = [s.of(record) for record in self.records]
        return any(v is None or (s.kind == "date" and not getattr(v, "exact", True)) for v in values)

    # --- fields by their part in questions ---

    @cached_property
    def display(self) -> Slot | None:
        """What a record is called in an answer."""
        return self.slot(*DISPLAY) or next((s for s in self.slots if s.kind == "word"), None)

    @cached_property
    def day(self) -> Slot | None:
        """When a record happened, or begins to hold."""
        dates = [s for s in self.slots if s.kind == "date"]
        rank = {name: i for i, name in enumerate(DAYS)}
        return min(dates, key=lambda s: (rank.get(s.name, len(DAYS)), dates.index(s)), default=None)

    @cached_property
    def span(self) -> tuple[Slot, Slot] | None:
        """The two dates that a record lies between."""
        for start, end in SPANS:
            found = [
                next((s for s in self.slots if s.kind == "date" and s.name.split("_")[0] == w), None) for w in (start, end)
            ]
            if found[0] and found[1]:
                return found[0], found[1]
        return None

    @cached_property
    def lasting(self) -> bool:
        """Whether a record holds for a time, rather than happens: it has "since" and "until"."""
        ends = [s for s in self.slots if s.name in ("since", "until") and s.kind == "date" and not s.plain_date]
        return len(ends) == 2 and self.day in ends


def _phrases(s: Slot, value: Any) -> Iterable[str]:
    """How a question can write a value."""
    words = plain(str(value).replace("_", " ")).split()
    if not words or len(words) > 6 or all(w in FILLERS or w in NOT_ALONE for w in words):
        return
    yield singulars(" ".join(words))
    yield from ALSO.get(str(value), ())
    if s.strong & {"employer"}:
        yield from (singulars(" ".join(words[:n])) for n in range(1, len(words)) if words[n - 1] not in FILLERS)
    place = str(value).split(",")[0]
    if place != value and s.labels & {"city", "place", "location", "where", "destination"}:
        yield singulars(plain(place).strip())
