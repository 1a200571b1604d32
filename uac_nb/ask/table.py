"""What can be asked about: each collection as questions see it, read off its type and its records, and the people in them.

A type that a model made up last week can be asked as well as one of ours: nothing here knows a type by name.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, Literal, Protocol

from uac_nb.ask.query import All, Filter, Of, Test
from uac_nb.ask.words import (
    CALLED,
    CHOICE_WORDS,
    COUNTRY,
    CURRENCIES,
    DATE_VERBS,
    DAYS,
    DIMENSIONS,
    FLAGS,
    FREE,
    FUNCTION,
    KINDS,
    LABELS,
    LASTING,
    LIGHT,
    LONG,
    PLACES,
    SPANS,
    STATES,
    TOPICS,
    UNITS,
    UNSEEN,
    name_stems,
    stem,
    stems,
    words,
)  # fmt: skip
from uac_nb.domainfile.annotations import Choice, Many, Maybe, Scalar
from uac_nb.domainfile.records import Field as TypeField
from uac_nb.domainfile.records import RecordType
from uac_nb.english.people import relation
from uac_nb.log import Log
from uac_nb.rules import Money, When, name

Kind = Literal["date", "time", "number", "money", "flag", "word", "words", "person", "persons"]
_KINDS: dict[str, Kind] = {
    "int": "number", "float": "number", "Decimal": "number", "Money": "money", "When": "date", "date": "date", "time": "time",
    "bool": "flag", "str": "word",
}  # fmt: skip
_ALSO = {"phone": ("phone number", "telephone number", "telephone", "number"), "email": ("email address", "e mail", "mail")}
LONGEST = 6  # words of a value that a question can name as a whole
Stems = tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """A field that questions can speak of. `labels` are the stems that name it, `unit` is what its numbers are kept in."""

    of: Of
    kind: Kind
    labels: frozenset[str]
    own: frozenset[str] = frozenset()  # the labels that are its name
    unit: str = ""
    optional: bool = False
    choices: tuple[Any, ...] = ()
    free: bool = False  # holds sentences
    told: frozenset[str] = frozenset()  # the stems of its comment
    phrase: Stems = ()  # of a flag: what its comment says

    @property
    def name(self) -> str:
        return self.of.field

    @property
    def numeric(self) -> bool:
        return self.kind in ("number", "money")

    @property
    def textual(self) -> bool:
        return self.kind in ("word", "words")

    @property
    def state(self) -> bool:
        return self.name in STATES


def _field(f: TypeField) -> Field | None:
    optional, kind_of = (True, f.type.of) if isinstance(f.type, Maybe) else (False, f.type)
    kind: Kind | None = None
    choices: tuple[Any, ...] = ()
    if isinstance(kind_of, Scalar):
        kind = _KINDS.get(kind_of.name)
    elif isinstance(kind_of, Choice):
        choices = kind_of.values
        kind = "word" if all(isinstance(c, str) for c in choices) else None
    elif isinstance(kind_of, Many) and (kind_of.of == Scalar("str") or isinstance(kind_of.of, Choice)):
        kind = "words"
    if kind is None or f.name in UNSEEN or f.name.endswith("_id"):
        return None
    if f.name in ("who", "others") or "id of a Person" in f.comment:
        kind = "persons" if kind == "words" else "person"
    parts = name_stems(f.name)
    unit = next((p for p in reversed(parts) if p in _UNITS), "")
    if kind == "number" and unit and _UNITS[unit][0] in CURRENCIES:
        kind = "money"
    bare = [p for p in parts if p not in ("n", "num", unit, *map(stem, FUNCTION))] or list(parts)
    bare += [p.removesuffix("er") for p in bare if p.endswith("er") and len(p) > 5]
    labels = set(bare) | {unit} - {""}
    if unit:
        labels |= set(stems(DIMENSIONS.get(_UNITS[unit][0], "")))
    if unit and _UNITS[unit][0] == "length" and set(bare) <= {unit, *stems("distance length total")}:
        labels |= set(stems("distance far length"))
    for keys, more in LABELS:
        if set(bare) & set(stems(keys)) and (kind != "date"):
            labels |= set(stems(more))
    if kind == "money" and labels <= {*bare, unit}:
        labels |= set(stems("cost price spend spending pay money"))
    if kind == "date":
        said = {stem(v) for p in f.name.split("_") for v in DATE_VERBS.get(p, "").split()}
        if f.comment and len(stems(f.comment)) == 1:  # "# finished"
            said |= {stem(v) for v in (*f.comment.split(), *DATE_VERBS.get(f.comment.strip(), "").split())}
        labels = (labels | said) - ({"dat", "day"} if len(bare) > 1 else set())
    free = f.name in FREE and not choices
    told = (
        frozenset(content(f.comment)) if kind not in ("person", "persons") or f.name not in ("who", "others") else frozenset()
    )
    told |= {f.comment.split()[0]} & {"where", "who"} if f.comment else set()
    phrase = stems(f.comment.removeprefix("whether ")) if kind == "flag" and f.comment.startswith("whether ") else ()
    return Field(
        Of(f.name),
        kind,
        frozenset(labels - {""}),
        frozenset(bare),
        CANON.get(unit, unit),
        optional,
        choices,
        free,
        told,
        phrase,
    )


def content(text: str) -> list[str]:
    """Return the stems of what a docstring or a comment says of every record: up to an aside, without alternatives.

    >>> content("whether I heard it to the end; nothing when unknown"), content("A plant kept in the flat or on the balcony.")
    (['hear', 'end'], ['plant', 'keep'])
    """
    said = [w.text for w in words(re.split(r"[;:,]", text)[0])]
    said = said[: max(said.index("or") - 1, 0)] if "or" in said else said
    return [stem(w) for w in said if w not in FUNCTION and w not in _ASIDE and stem(w) not in LIGHT]


_ASIDE = frozenset(("whether", "id", "'s", "not", "if", "when", "nothing", "somebody", "something"))


CANON = {stem(word): word for word in UNITS}
_UNITS = UNITS | {stem(word): unit for word, unit in UNITS.items()}


@dataclass
class Table:
    """One collection: its type, its records, and an index of the words that they hold."""

    name: str
    type: RecordType
    records: Sequence[Any]
    people: frozenset[str] = frozenset()  # the ids of all people
    fields: list[Field] = field(init=False)
    _needs: dict[Filter, bool] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.fields = [self._of_people(found) for f in self.type.fields if (found := _field(f))]
        own = {*name_stems(self.name), *name_stems(self.type.name)}
        topics = [(nouns, verbs) for keys, nouns, verbs in TOPICS if own & set(stems(keys))]
        self.own = frozenset(own)
        self.nouns = frozenset(own.union(*(stems(nouns) for nouns, _ in topics)))
        self.verbs = frozenset(stem(v) for _, verbs in topics for v in verbs.split())
        self.told = frozenset(content(self.type.doc)) - own
        self.nouns |= {w for w in self.told if len(w) > 3 and any(w in name for name in own)}  # "plant" of a Houseplant
        self.by_name = {f.name: f for f in self.fields}
        dates = [f for f in self.fields if f.kind == "date"]
        if "since" not in self.by_name and len(dates) > 1:  # an end alone is not when something is
            dates = [f for f in dates if f.name != "until"]
        until = self.by_name.get("until")
        finished = until if until and "finish" in until.labels else None
        self.lasting = all(n in self.by_name and self.by_name[n].kind == "date" for n in LASTING) and not finished and not any(
            n in self.by_name for n in DAYS[: DAYS.index("due")]
        )  # fmt: skip
        rank = {name: i for i, name in enumerate(DAYS)}
        self.day = finished or min(dates, key=lambda f: (rank.get(f.name, len(DAYS)), dates.index(f)), default=None)
        there = self.day is not None and self.day.name == "departs" and "there_on" in self.by_name
        if self.day and there and any(r.departs is None and r.there_on is not None for r in self.records):
            self.day = replace(self.day, of=Of("departs", other="there_on"))
            self.fields = [self.day if f.name == "departs" else f for f in self.fields]
            self.by_name["departs"] = self.day
        self.span = next(
            (
                (self.by_name[a], self.by_name[b])
                for a, b in SPANS
                if {self.by_name[n].kind if n in self.by_name else "" for n in (a, b)} == {"date"}
            ),
            None,
        )
        if self.span and not any(f.unit and _UNITS[f.unit][0] == "time" for f in self.fields):
            days = Of(self.span[0].name, to=self.span[1].name)
            self.fields.append(
                Field(
                    days,
                    "number",
                    frozenset(stems(f"{LONG} last long time day")) - {"page", "distanc"},
                    unit="day",
                    optional=True,
                )
            )
        named = [f for n in CALLED if (f := self.by_name.get(n)) and f.textual]
        texts = [f for f in self.fields if f.textual and not f.state]
        first_text = next((f for f in texts if not f.choices), None) or next(iter(texts), None)
        weak = (
            bool(named)
            and named[0].name in PLACES
            and first_text not in named
            and first_text is not None
            and not first_text.free
        )
        self.called = (first_text if weak else next(iter(named), first_text)) if named or first_text else None
        self.states = [f for f in self.fields if f.state]
        self.of_people = "name" in self.by_name and "relation" in self.by_name
        self.names_others = "name" in self.by_name and "who" in self.by_name and not self.of_people

    @property
    def var(self) -> str:
        """What the code calls one record."""
        word = "_".join(name_stems_plain(self.type.name))
        return word if word != self.name and word.isidentifier() and word not in _TAKEN else "record"

    @cached_property
    def index(self) -> tuple[Mapping[Stems, list[tuple[Field, Any]]], Mapping[str, frozenset[str]]]:
        """The values that a question can name as a whole, and the fields whose texts have a word."""
        values: dict[Stems, list[tuple[Field, Any]]] = {}
        having: dict[str, set[str]] = {}
        for f in self.fields:
            if f.kind == "flag":
                for phrase, holds in _flagged(f):
                    values.setdefault(phrase, []).append((f, holds))
            if not f.textual:
                continue
            held = dict.fromkeys((*f.choices, *self._held(f)))
            for value in held:
                said = (stems(p) for p in CHOICE_WORDS.get(value, "").split("|") if p) if value in f.choices else ()
                for key in (*_phrases(f, value), *said):
                    if len(key) <= LONGEST:
                        values.setdefault(key, []).append((f, value))
                if not f.choices:
                    for word in stems(str(value)):
                        having.setdefault(word, set()).add(f.name)
        return values, {word: frozenset(names) for word, names in having.items()}

    def _of_people(self, f: Field) -> Field:
        """Tell a field that holds nothing but the ids of people."""
        if not f.textual or f.choices or not self.people:
            return f
        held = self._held(f)
        known = {*self.people, "me"}
        first = next(held, None)
        if first not in known or any(v not in known for v in held):
            return f
        return replace(f, kind="person" if f.kind == "word" else "persons")

    @cached_property
    def spoken(self) -> frozenset[str]:
        """All stems that its docstring, names and comments are made of."""
        return self.told.union(self.nouns, *(f.labels | f.told for f in self.fields))

    def _held(self, f: Field) -> Iterator[Any]:
        used = (getattr(r, f.name) for r in self.records)
        for value in used:
            if f.kind == "words":
                yield from value or ()
            elif value is not None:
                yield value

    def labelled(self, wanted: Iterable[str], *kinds: str) -> list[Field]:
        """The fields that any of some stems name: those whose own name it is come first."""
        order = {w: n for n, w in reversed(list(enumerate(wanted)))}
        hits = [(min(order[w] for w in f.labels & order.keys()), not f.own & order.keys(), n, f)
                for n, f in enumerate(self.fields) if f.labels & order.keys() and (not kinds or f.kind in kinds)]  # fmt: skip
        return [f for *_, f in sorted(hits, key=lambda h: h[:3])]

    def commented(self, word: str) -> list[Field]:
        """The fields whose comments have a stem."""
        return [f for f in self.fields if word in f.told]

    def field(self, *names: str) -> Field | None:
        return next((self.by_name[n] for n in names if n in self.by_name), None)

    def needs(self, condition: Filter) -> bool:
        """Whether any record fails a condition that goes without saying; kept, since every question asks it."""
        if condition not in self._needs:
            if len(self._needs) > 200:
                self._needs.clear()
            self._needs[condition] = any(condition.holds(r) != "yes" for r in self.records)
        return self._needs[condition]

    def fails(self, test: Test) -> bool:
        """Whether any record that has what is compared may fail; kept."""
        key = All((test,))
        if key not in self._needs:
            self._needs[key] = any(test.of.value(r) is not None and test.holds(r) != "yes" for r in self.records)
        return self._needs[key]

    @cached_property
    def money(self) -> Field | None:
        """What its records cost."""
        return next((f for f in self.fields if f.kind == "money"), None) or next(
            (f for f in self.fields if f.kind == "number" and "cost" in f.labels), None
        )

    @cached_property
    def kind(self) -> Field | None:
        """What sort of thing a record is."""
        return next((f for f in self.fields if f.name in KINDS), None)

    def currency(self, f: Field) -> str:
        """The currency of plain numbers of a field; empty where it holds Money."""
        return _UNITS[f.unit][0] if f.unit and _UNITS[f.unit][0] in CURRENCIES else ""

    @cached_property
    def holds_money(self) -> bool:
        return any(isinstance(getattr(r, self.money.name), Money) for r in self.records[:20]) if self.money else False

    @cached_property
    def days(self) -> tuple[date, date] | None:
        """From the first to the last day that its records name."""
        held = [
            v
            for r in self.records
            if self.day and (v := self.day.of.value(r)) and not (isinstance(v, When) and v.text.startswith(("--", "..")))
        ]
        firsts = [v.first if isinstance(v, When) else v for v in held]
        return (min(firsts), max(firsts)) if firsts else None


def _flagged(f: Field) -> Iterator[tuple[Stems, bool]]:
    """How a question can say that a flag is set, or is not."""
    name = tuple(name_stems(f.name))
    yield name, True
    if "first" in name:
        yield from ((stems(f"for the {very}first time"), True) for very in ("", "very "))
    for words_, holds in FLAGS.get(f.name, {}).items():
        yield from ((stems(word), holds) for word in words_.split("|"))
    if f.phrase and f.phrase != name:
        yield f.phrase, True


_TAKEN = frozenset(("today", "date", "time", "records", "class", "continue", "import"))


def name_stems_plain(name: str) -> list[str]:
    """Return the words of a type's name in lower case."""
    found: list[str] = []
    for letter in name:
        if letter.isupper() or not found:
            found.append("")
        found[-1] += letter.lower()
    return [w.strip("_") for w in found]


def _phrases(f: Field, value: Any) -> Iterator[Stems]:
    """How a question can write a value."""
    text = str(value)
    if key := stems(text):
        yield key
    if f.name in ("country", "nation") and (known := COUNTRY.get(text)):
        yield stems(known)
    for more in _ALSO.get(text, ()):
        yield stems(more)
    if "," in text and f.labels & {"city", "plac", "location", "destination"} and (head := stems(text.split(",")[0])):
        yield head


# --- the whole ---


class WorkspaceLike(Protocol):
    """What of a workspace is read here."""

    @property
    def collections(self) -> Mapping[str, Any]: ...
    @property
    def rules(self) -> str: ...
    def records(self, collection: str) -> Sequence[Any]: ...


@dataclass
class World:
    """All tables of a state, and who is called what."""

    tables: dict[str, Table]
    rules: str = ""

    @cached_property
    def people(self) -> Mapping[Stems, tuple[str, ...]]:
        """The ids of people by what they are called: "ana", "ana lopez", "sister", "sister ana"."""
        called: dict[Stems, list[str]] = {}
        for table in self.tables.values():
            if table.of_people:
                for record in table.records:
                    for phrase in dict.fromkeys(_names(record)):
                        called.setdefault(phrase, []).append(record.id)
        return {phrase: tuple(dict.fromkeys(ids)) for phrase, ids in called.items()}

    @cached_property
    def persons(self) -> Mapping[str, Any]:
        return {r.id: r for t in self.tables.values() if t.of_people for r in t.records}

    @cached_property
    def home(self) -> str | None:
        """The country where the user lives now, if the residences agree on it."""
        found = {
            r.country
            for t in self.tables.values()
            if t.lasting and {"country", "place"} <= t.by_name.keys()
            for r in t.records
            if getattr(r, "who", "me") == "me" and r.until is None and r.country
        }
        return found.pop() if len(found) == 1 else None

    @cached_property
    def homes(self) -> frozenset[str]:
        """All countries where the user has lived, as far as residences say."""
        return frozenset(
            r.country
            for t in self.tables.values()
            if t.lasting and {"country", "place"} <= t.by_name.keys()
            for r in t.records
            if getattr(r, "who", "me") == "me" and r.country
        )

    @cached_property
    def by_id(self) -> Mapping[str, Any]:
        return {r.id: r for t in self.tables.values() for r in t.records}

    @cached_property
    def named(self) -> Mapping[str, list[Any]]:
        """The records that have a word in their names."""
        found: dict[str, list[Any]] = {}
        for table in self.tables.values():
            for record in table.records:
                for word in set(stems(name(record))) - table.nouns:
                    found.setdefault(word, []).append(record)
        return found

    @cached_property
    def table_of(self) -> Mapping[str, Table]:
        return {r.id: t for t in self.tables.values() for r in t.records}

    def found(self, ids: Iterable[str]) -> tuple[Any, ...]:
        """The records of some ids, in their order, each once."""
        return tuple(self.by_id[id] for id in dict.fromkeys(ids) if id in self.by_id)


def _names(person: Any) -> Iterator[Stems]:
    """What a person is called: by name, by relation, and by both."""
    full = stems(person.name)
    called = [c for c in (full, full[:1], *(stems(a) for a in getattr(person, "aka", ()) or ())) if c and c != ("my",)]
    yield from called
    for said in filter(None, ((getattr(person, "relation", None) or "").split(","))):
        head, *tail = (w for w in stems(said))
        short = relation(said.split(" of ")[0].split(" at ")[0].split(" from ")[0].strip())
        if any(w in ("of",) for w in tail):  # of somebody else: "uncle of Mia"
            continue
        for word in dict.fromkeys((*((stems(said),) if not tail else ()), (head,), *((stems(short),) if short else ()))):
            yield word
            yield from ((*word, *name) for name in called)
        yield from ((*name, w, *tail[1:]) for name in called for w in tail[:1] if w in ("from", "at"))


_WORLDS: dict[int, tuple[Any, World]] = {}  # by the identity of a workspace


def look(workspace: WorkspaceLike, today: date, log: Log | None = None) -> World:
    """Return what can be asked about on a day, indexed once for each state of a project.

    With a `log`, without the records that rest on words said after that day alone.
    """
    key = id(workspace)
    known = _WORLDS.get(key)
    if known is None or known[0]() is not workspace:
        of_people = [n for n, c in workspace.collections.items() if {"name", "relation"} <= {f.name for f in c.type.fields}]
        people = frozenset(r.id for n in of_people for r in workspace.records(n))
        tables = {key: Table(key, each.type, workspace.records(key), people) for key, each in workspace.collections.items()}
        _WORLDS[key] = known = (weakref.ref(workspace, lambda _: _WORLDS.pop(key, None)), World(tables, workspace.rules))
    world = known[1]
    later = _later(log, today) if log else frozenset[int]()
    if not later:
        return world
    tables = dict(world.tables)
    for table in world.tables.values():
        kept = [r for r in table.records if not r.source or not later.issuperset(r.source)]
        if len(kept) < len(table.records):
            tables[table.name] = Table(table.name, table.type, kept, table.people)
    return World(tables, world.rules)


def _later(log: Log, today: date) -> frozenset[int]:
    """The entries that were said after a day."""
    return frozenset(e.id for e in log.chosen(kinds=("message", "edit"), start=date.fromordinal(today.toordinal() + 1)).entries)


def evidence(records: Iterable[Any]) -> tuple[int, ...]:
    """Return the entries behind some records."""
    return tuple(sorted({entry for record in records for entry in record.source}))
