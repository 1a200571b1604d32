"""What records of what lasts held on an earlier day, where later messages changed them: the log of changes tells.

A dose that was raised in place is the old one on the days before. Whether the later message told of a change, or put
right what was wrong from the start, nobody knows; so the answer says by which message it was changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from uac_nb.ask.periods import find
from uac_nb.ask.recall import short
from uac_nb.ask.view import View
from uac_nb.ask.words import bag, plain
from uac_nb.ask.world import Before, World, found
from uac_nb.domainfile.types import Misfit, coerce
from uac_nb.log import Entry, Log
from uac_nb.rules import day, name
from uac_nb.store.coverage import undone_batches

_DATED = bag("since until status ended")  # what says itself from when on it holds
_BESIDE = bag("quote doubt why source")  # what tells nothing of how things stood


def as_then(world: World, question: str, log: Log) -> World:
    """The world of a question about a time that is past, with records as they were told by its end."""
    _, periods = find(plain(question), world.today)
    start, end = (periods[0].start, periods[0].end) if len(periods) == 1 else (world.today, world.today)
    ids = {r.id for view in world.views if view.lasting for r in view.records if len(r.source) > 1}
    if end >= world.today or not ids:
        return world
    changes = list(_amended(log, ids, start))
    before = {view.name: then for view in world.views if view.lasting and (then := _before(view, changes, end))}
    views = tuple(_with(view, before.get(view.name, {}), log, end) for view in world.views)
    return replace(world, views=views, before=before) if before else world


def note(ids: Iterable[str], world: World, log: Log) -> str:
    """By which messages the records of an answer were changed later; empty where none was."""
    held = {id: then for those in world.before.values() for id, then in those.items()}
    records = [r for r in found(ids, world) if r.id in held]
    return "; ".join(_note(name(r), held[r.id], log) for r in records)


def _note(called: str, then: Before, log: Log) -> str:
    unsure = f"that it was so then is not sure of {called}"
    notes = {
        then.by: f"{called} is what was told by then" if then.values else unsure,
        then.meanwhile: f"that it was so all the time is not sure of {called}",
    }
    changes = {
        e.id: f"it was changed by entry {e.id} of {day(e.day)}, “{short(e)}”" for e in log.entries(ids=[*filter(None, notes)])
    }
    return "; ".join(f"{what}: {changes[id]}" for id, what in notes.items() if id in changes)


def _amended(log: Log, ids: set[str], start: date) -> Iterator[tuple[Mapping[str, Any], Entry]]:
    """The changes in place of some records by what was said after a day, the newest first, each with what was said."""
    undone = undone_batches(log)
    entries = [e for e in log.entries(kinds=("change",)) if '"amend"' in e.text and not e.forgotten]
    changes = [json.loads(e.text) for e in reversed(entries) if e.data["batch"] not in undone]
    changes = [c for c in changes if c.get("change") == "amend" and c.get("id") in ids and c.get("set")]
    said = {e.id: e for e in log.entries(ids={source for c in changes for source in c["source"]})} if changes else {}
    for change in changes:
        first = min((said[id] for id in change["source"] if id in said), key=lambda e: e.day, default=None)
        if first is not None and first.day > start:
            yield change, first


def _before(view: View, changes: Iterable[tuple[Mapping[str, Any], Entry]], end: date) -> dict[str, Before]:
    """What the fields of its records held before some changes, which come the newest first; not before those until an end."""
    records = {r.id: r for r in view.records}
    held: dict[str, Before] = {}
    for change, entry in changes:
        id, fields = change["id"], set(change["set"]) - _DATED - _BESIDE
        if id not in records or not fields:
            continue
        now = held.get(id, Before({}))
        if entry.day <= end:
            held[id] = replace(now, meanwhile=entry.id)
            continue
        fit = _typed(view, {f: change.get("was", {}).get(f) for f in fields})
        same = _typed(view, {f: change["set"][f] for f in fields}) == {
            f: now.values.get(f, getattr(records[id], f, None)) for f in fields
        }
        sure = fit is not None and same and (now.values or now.by is None)
        held[id] = Before({**now.values, **(fit or {})} if sure else {}, entry.id)
    return held


def _typed(view: View, values: Mapping[str, Any]) -> dict[str, Any] | None:
    """The values as their fields hold them; None where one does not fit."""
    try:
        return {name: coerce(view.type.by_name[name].type, value, name) for name, value in values.items()}
    except (Misfit, KeyError):
        return None


def _with(view: View, before: Mapping[str, Before], log: Log, end: date) -> View:
    """A collection with its records as they were told by a day."""
    if not before:
        return view
    by_then = {e.id for e in log.entries(ids={s for r in view.records if r.id in before for s in r.source}) if e.day <= end}

    def told(record: Any) -> Any:
        sources = tuple(s for s in record.source if s in by_then) or record.source
        return replace(record, **before[record.id].values, source=sources) if before[record.id].values else record

    return View(view.name, view.type, [told(r) if r.id in before else r for r in view.records])
