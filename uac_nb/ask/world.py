"""What a question can be about: the collections, the people in them, home, and the day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from uac_nb.ask.places import code_of
from uac_nb.ask.view import View
from uac_nb.ask.words import plain


class WorkspaceLike(Protocol):
    """What of a workspace is read here."""

    @property
    def collections(self) -> Mapping[str, Any]: ...

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
class World:
    views: tuple[View, ...]
    today: date
    people: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()  # ids, and the phrases that mean them
    home: str | None = None  # the country where the user lives: a code, or as the records have it


def look(workspace: WorkspaceLike, today: date) -> World:
    views = tuple(View(name, each.type, workspace.records(name)) for name, each in workspace.collections.items())
    return World(views, today, _people(views), _home(views))


def _people(views: Sequence[View]) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The people by what they are called: "ana", "ana lopez", "my sister"."""
    called: dict[str, list[str]] = {}
    for view in views:
        if not (view.has("name") and (view.has("relation") or view.type.name == "Person")):
            continue
        for record in view.records:
            for phrase in _names(record):
                called.setdefault(phrase, []).append(record.id)
    ids: dict[tuple[str, ...], list[str]] = {}
    for phrase, found in called.items():
        ids.setdefault(tuple(dict.fromkeys(found)), []).append(phrase)
    return tuple((who, tuple(sorted(phrases, key=len, reverse=True))) for who, phrases in ids.items())


def _names(person: Any) -> list[str]:
    name = plain(person.name).strip()
    relation = getattr(person, "relation", None)
    found = [name, name.split()[0] if name else "", *(plain(a).strip() for a in getattr(person, "aka", ()))]
    return [n for n in dict.fromkeys([*found, f"my {plain(relation).strip()}" if relation else ""]) if n]


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
