"""What held at some time, of records that do not say since when: by the day on which they were told.

"I live in Bergen", told in February and true until another home was told of in May, answers where somebody lived in March.
It rests on the day it was told, and the answer says so. Of today, that is where no collection answers a question otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from uac_nb.ask import code
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.patterns import meanings
from uac_nb.ask.periods import find
from uac_nb.ask.plan import Plan, literal
from uac_nb.ask.say import called, described, in_list, in_words
from uac_nb.ask.scene import Lost
from uac_nb.ask.view import Slot
from uac_nb.rules import When, listed, on


def answer(asked: Asked) -> Answer | None:
    """Tell what was told by then, and did not end before; None where a question is not about such a time, or nothing was."""
    plan = _plan(asked)
    when = When(plan.periods[0][1]) if plan else None
    if plan is None or when is None or when.first > asked.world.today:
        return None
    told = {record.id: days for record in _undated(asked, plan) if (days := _told(asked, record))}
    held = [r for r in plan.view.records if r.id in told and (r.until is None or r.until.last >= when.first)]
    by_then = [r for r in held if (r.since.last if r.since else told[r.id][0]) <= when.last]
    if not by_then:
        later = [f"{called(plan, r)}, told {on(told[r.id][0])}" for r in held]
        return asked.unknown(f"since when is not told of {in_list(later)}") if later else None
    before = {id: [day for day in days if day <= when.last] or days[:1] for id, days in told.items()}
    return _answered(asked, plan, by_then, before)


def _plan(asked: Asked) -> Plan | None:
    """The question, as one about what lasted at some time, or holds today."""
    _, periods = find(asked.words, asked.world.today)
    try:
        plans = meanings(asked.question if periods else f"{asked.question} on {asked.world.today}", asked.world)
    except Lost:
        return None
    plan = plans[0]
    plain = plan.show in ("values", "exists") and not plan.pick and len(plan.periods) == 1
    return plan if len(plans) == 1 and plain and plan.view.lasting else None


def _undated(asked: Asked, plan: Plan) -> tuple[Any, ...]:
    """The records that a question may be about, whatever the time, and that do not say since when, or until when."""
    since = plan.view.slot("since")
    timeless = replace(plan, where=tuple(c for c in plan.where if c.slots != (since,)), show="values")
    _, records = asked.run(code.write(timeless))
    return tuple(r for r in records if r.since is None or (r.until and r.until.first == date.min))


def _told(asked: Asked, record: Any) -> list[date]:
    """The days on which a record was told, the first one first; not the one on which it was told that it is over."""
    over = record.until is not None and len(record.source) > 1
    return sorted({entry.day for entry in asked.log.entries(ids=record.source[:-1] if over else record.source)})


def _answered(asked: Asked, plan: Plan, held: Sequence[Any], told: Mapping[str, Sequence[date]]) -> Answer:
    r = plan.view.var
    query = f"records = [{r} for {r} in {plan.view.name} if {r}.id in {literal(tuple(record.id for record in held))}]"
    shown = "bool(records)" if plan.show == "exists" else code.names(plan, "records")
    value, records = asked.run(f"{query}\n{shown}")
    if isinstance(value, list) and isinstance(plan.field, Slot) and plan.field.name == "who":
        value = [described(id, asked.world) for id in dict.fromkeys(value)]
    texts = [in_words(v) for v in value] if isinstance(value, list) else [called(plan, record) for record in records]
    single = value[0] if isinstance(value, list) and len(value) == 1 else value
    days = [f"{called(plan, record)} {listed(map(on, told[record.id]))}" for record in records]
    lead = "Yes: " if value is True else ""
    which = "day" if all(len(told[record.id]) == 1 for record in records) else "days"
    open = "until when" if all(record.since for record in records) else "since when"
    note = f"this rests on the {which} it was told: {', '.join(days)}; {open} is not recorded"
    return asked.computed(single, f"{lead}{in_list(texts)}", f"{query}\n{shown}", records, note)
