"""What a question can be about: the collections, the people in them, home, and the day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from uac_nb.ask.places import code_of
from uac_nb.ask.view import View
from uac_nb.ask.words import plain
from uac_nb.log import Log

_TAIL = re.compile(r" (?:from|at|of|in)(?: the)? ")  # "friend from the choir"


class WorkspaceLike(Protocol):
    """What of a workspace is read here."""

    @property
    def collections(self) -> Mapping[str, Any]: ...

    @property
    def rules(self) -> str: ...

    def records(self, collection: str) -> Sequence[Any]: ...


class Ran(Protocol):
    @property
    def value(self) -> Any: ...
    @property
    def records(self) -> tuple[str, ...]: ...


class Runs(Protocol):
    """What of an engine is used here. It has the project loaded."""

    def run(self, code: str, *, today: date) -> Ran: ...


@dataclass(frozen=True, slots=True)
class Before:
    """What fields of a record held before it was changed `by` an entry; no values where the log does not tell.

    `meanwhile`: the entry by which it was changed at the time that is asked about.
    """

    values: Mapping[str, Any]
    by: int | None = None
    meanwhile: int | None = None


@dataclass(frozen=True, slots=True)
class World:
    views: tuple[View, ...]
    today: date
    people: tuple[tuple[str, tuple[str, ...]], ...] = ()  # what somebody is called, the longest first, and the ids it means
    home: str | None = None  # the country where the user lives: a code, or as the records have it
    later: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by collection, the records that were told later
    rules: str = ""  # the user's own rules and derived values, as text
    before: Mapping[str, Mapping[str, Before]] = field(default_factory=dict)  # by collection and id, of an earlier day


def look(workspace: WorkspaceLike, today: date, log: Log | None = None) -> World:
    """What can be asked about on a day; with a `log`, without the records that rest on later words alone."""
    views = tuple(View(name, each.type, workspace.records(name)) for name, each in workspace.collections.items())
    ids = {source for view in views for record in view.records for source in record.source}
    after = {entry.id for entry in log.entries(ids=ids) if entry.day > today} if log and ids else set[int]()
    later = {
        view.name: told for view in views if (told := tuple(r.id for r in view.records if r.source and after >= {*r.source}))
    }
    then = tuple(
        View(v.name, v.type, [r for r in v.records if r.id not in later[v.name]]) if v.name in later else v for v in views
    )
    return World(then, today, _people(then), _home(then), later, workspace.rules)


def persons(views: Sequence[View]) -> Iterator[View]:
    """The collections whose records are people."""
    yield from (view for view in views if view.of_people)


def _people(views: Sequence[View]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The people by what they are called: "ana", "ana lopez", "my sister", "ana from the choir"."""
    called: dict[str, list[str]] = {}
    for record in (record for view in persons(views) for record in view.records):
        for phrase in _names(record):
            called.setdefault(phrase, []).append(record.id)
    return tuple((phrase, tuple(dict.fromkeys(called[phrase]))) for phrase in sorted(called, key=len, reverse=True))


def _names(person: Any) -> Iterator[str]:
    """What a person is called, by name, by relation, and by both."""
    name = plain(person.name).strip()
    called = [c for c in (name, name.split()[0] if name else "", *(plain(a).strip() for a in getattr(person, "aka", ()))) if c]
    yield from called
    for relation in filter(None, (plain(r).strip() for r in (getattr(person, "relation", None) or "").split(","))):
        yield f"my {relation}"
        head, *tail = _TAIL.split(relation, maxsplit=1)
        yield from (f"{whom} 's {head}" for whom in tail)
        for each in called:
            yield from (f"my {head} {each}", f"{head} {each}")
            yield from (f"{each} {word} {the}{tail[0]}" for word in ("from", "at", "in") for the in ("", "the ") if tail)


def _home(views: Sequence[View]) -> str | None:
    """Where the user lives now, if the residences agree on it."""
    found = {
        record.country
        for view in views
        if view.has("country") and view.has("place") and view.lasting
        for record in view.records
        if getattr(record, "who", "me") == "me" and record.until is None and record.country
    }
    return code_of(found.pop()) if len(found) == 1 else None


def found(ids: Iterable[str], world: World) -> tuple[Any, ...]:
    """The records of some ids, in their order, each once."""
    records = {record.id: record for view in world.views for record in view.records}
    return tuple(records[id] for id in dict.fromkeys(ids) if id in records)


def evidence(records: Iterable[Any]) -> tuple[int, ...]:
    """The entries behind some records."""
    return tuple(sorted({entry for record in records for entry in record.source}))
