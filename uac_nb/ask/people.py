"""What is known of people: the records about each of them from all collections, as facts in a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from uac_nb.ask import code
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.lexicon import OFF
from uac_nb.ask.say import described, in_list
from uac_nb.ask.view import View
from uac_nb.ask.words import singulars
from uac_nb.ask.world import World, persons
from uac_nb.rules import When, day, listed, name, span, starts_on

SHOWN = 8  # facts of one person


def related(kind: str, world: World) -> tuple[str, ...]:
    """Those who stand so to the user: "colleagues", whatever company or choir they are from. Empty where there are none."""
    people = [r for view in persons(world.views) for r in view.records]
    relations = {r.id: re.split(r", | (?:from|at|in) ", (getattr(r, "relation", None) or "").lower()) for r in people}
    return tuple(id for id, each in relations.items() if singulars(kind) in each)


def named(asked: Asked, ids: Sequence[str]) -> Answer:
    """Just who they are."""
    view = next(view for view in persons(asked.world.views) if any(r.id in ids for r in view.records))
    query = code.gathered([view], tuple(ids), lambda view: [f"{view.var}.id in them"])
    _, records = asked.run(query)
    return asked.computed([r.name for r in records], in_list([described(r.id, asked.world) for r in records]), query, records)


def told(asked: Asked, ids: Sequence[str], *, by_name: bool) -> Answer:
    """All that is known of some people. The value is what was not asked with: of a name the facts, else the name."""
    query = code.gathered(asked.world.views, tuple(ids), lambda view: list(_tests(view, set(ids))))
    _, records = asked.run(query)
    lines = [_line(described(id, asked.world), list(_facts(id, records, asked.world))) for id in ids]
    text = lines[0] if len(lines) == 1 else f"{len(lines)} people: {'. '.join(lines)}"
    names = [r.name for r in records if r.id in ids]
    value = text if by_name else names[0] if len(names) == 1 else names
    return asked.computed(value, f"{text}.", query, records)


def off(record: Any) -> bool:
    """Whether it did not come about."""
    return getattr(record, "status", None) in OFF


def _line(called: str, facts: Sequence[str]) -> str:
    return f"{called}: {'; '.join(_some(facts))}" if facts else called


def _some(facts: Sequence[str]) -> list[str]:
    return [*facts[:SHOWN], *([f"{len(facts) - SHOWN} more"] if len(facts) > SHOWN else [])]


def _tests(view: View, ids: set[str]) -> Iterator[str]:
    """How the records of a collection tell of those people, as code; none where no record does."""
    r = view.var
    for field in ("id", "who", "about", "to"):
        if (field == "id" or view.has(field)) and any(getattr(record, field) in ids for record in view.records):
            yield f"{r}.{field} in them"
    for field in ("others", "allowed"):
        if view.has(field) and any(ids & set(getattr(record, field) or ()) for record in view.records):
            yield f"set({r}.{field} or ()) & set(them)"


# --- the facts ---


def _facts(id: str, records: Sequence[Any], world: World) -> Iterator[str]:
    """What the records say of one person: what it is first, then what is about it, then what it takes part in."""
    own = {record.id: view for view in world.views for record in view.records}
    facts = {r.id: _fact(r, own[r.id], world.today) for r in records if r.id != id}
    for person in (r for r in records if r.id == id):
        yield from _person(person)
    about = [r for r in records if r.id in facts and id in (getattr(r, "who", None), getattr(r, "about", None))]
    yield from (facts[r.id] for r in sorted(about, key=lambda r: (off(r), "residence" not in own[r.id].nouns)))
    joined = [r for r in records if r.id in facts and r not in about and _joins(id, r) and not off(r)]
    for who in dict.fromkeys(getattr(r, "who", "me") for r in joined):
        theirs = [facts[r.id] for r in joined if getattr(r, "who", "me") == who]
        yield f"with {'you' if who == 'me' else described(who, world)}: {listed(_some(theirs))}"


def _joins(id: str, record: Any) -> bool:
    """Whether somebody takes part, may do it, or is the one it is for."""
    many = [getattr(record, field, None) or () for field in ("others", "allowed")]
    return id == getattr(record, "to", None) or any(id in each for each in many)


def _person(person: Any) -> Iterator[str]:
    """What stands in the record of a person itself, besides the relation, which the name has beside it."""
    if aka := getattr(person, "aka", ()):
        yield f"also called {listed(aka)}"
    if met := getattr(person, "met", None):
        yield f"met {day(met)}"
    if through := getattr(person, "met_through", None):
        yield f"met through {through}"
    if seen := getattr(person, "last_contact", None):
        yield f"last contact {day(seen)}"


def _fact(record: Any, view: View, today: date) -> str:
    """One record as a fact: "lives in Bruges", "job as a nurse", "trip to Lisbon (Thursday, May 14, 2026)"."""
    if "residence" in view.nouns and view.lasting:
        lives = "is to live" if record.since and record.since > today else "lived" if _past(record.until, today) else "lives"
        return f"{lives} in {record.place}{_span(record)}"
    if "birthday" in view.nouns and view.day:
        return f"birthday {day(view.day.of(record))}"
    if view.has("kind") and view.has("value"):
        return f"{record.kind} {record.value}"
    called = name(record).rstrip(".")
    employer = getattr(record, "employer", None)
    called += f" at {employer}" if employer and employer.lower() not in called.lower() else ""
    when = view.day.of(record) if view.day else starts_on(record)
    held = _span(record) if view.lasting else f" ({day(when)})" if when is not None else ""
    return f"{called}{held}{f', {record.status}' if off(record) else ''}"


def _past(when: When | None, today: date) -> bool:
    return when is not None and when < today


def _span(record: Any) -> str:
    if record.since:
        return f" ({span(record.since, record.until)})" if record.until else f" (since {day(record.since)})"
    return f" (until {day(record.until)})" if record.until else ""
