"""The answer to a question about one collection: its plan is run, and what came out is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from uac_nb.ask import code, say
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.plan import Condition, Measure, Plan
from uac_nb.ask.question import undated
from uac_nb.domainfile.records import type_of
from uac_nb.rules import When, day, listed, name, on


def computed(asked: Asked, plan: Plan) -> Answer | None:
    """Run a plan; None where it finds nothing, which only a count can say for sure."""
    if plan.rather and (ahead := computed(asked, replace(plan, where=(*plan.where, *plan.rather), rather=()))):
        return ahead
    query = code.write(plan)
    ran, records = asked.run(query)
    if not records and plan.show == "exists":
        return _denied(asked, plan) or _perhaps(asked, plan) or _instead(asked, plan)
    if not records and plan.denied and plan.show == "values":
        return _counted_no_more(asked, plan)
    if not records and (plan.other or plan.show not in ("count", "distinct", "trend", "more")):
        return None
    if ran is None or ran == [] or not plan.view.records:
        return None
    if going := _still(plan, records):
        return asked.unknown(f"it goes on, as far as is known: {say.in_list([say.titled(plan, r) for r in going])}")
    value, text = say.said(plan, ran, records, asked.world)
    doubts = unsure(maybe(asked, plan)) if plan.show != "exists" else ""  # one is enough for "yes"
    notes = [say.missing(plan, records), doubts, say.whose(plan, records, asked.world)]
    if plan.by_title and records:
        notes.append(f"counted by what they are called: {listed(say.titled(plan, r) for r in records[: say.SHOWN])}")
    if plan.show == "count" and (later := _ahead(asked, plan)):
        text = f"{text}, {len(later)} more {'is' if len(later) == 1 else 'are'} ahead"
        notes.append(f"ahead: {say.in_list([say.in_words(r) for r in later])}")
    elif plan.show == "count" and not records:
        text = f"{text}{_then(plan)}; {say.recorded(plan.view)} in all"
    elif not records:
        notes.append(f"{plan.view.name} holds {len(plan.view.records)}, none of them such")
    elif plan.show == "count" and undated(asked.question):
        text += _then(plan)
    return asked.computed(value, text, query, records, *notes)


def _still(plan: Plan, records: Sequence[Any]) -> list[Any]:
    """What still holds of a thing for whose end a question asks: a dose that is over is not the end of the medicine."""
    until = plan.view.slot("until")
    ends = until is not None and plan.view.lasting and plan.field == until and not plan.pick
    named = any(s.kind in ("word", "words") for c in plan.where for s in c.slots)
    return [r for r in records if r.until is None] if ends and named else []


def _then(plan: Plan) -> str:
    """ " in April 2026", for a count of one time; empty for one of all."""
    period = dict(plan.periods).get("period")
    return f" {on(When(period))}" if period else ""


def _denied(asked: Asked, plan: Plan) -> Answer | None:
    """ "No", where a record says so itself: what was called off, or is over. That nothing is recorded is no "no"."""
    query = code.write_denied(plan) if plan.denied else ""
    _, records = asked.run(query) if query else (None, ())
    if not records:
        return None
    return asked.computed(False, f"No: {say.in_list([say.ended(plan, r) for r in records])}.", query, records)


def _counted_no_more(asked: Asked, plan: Plan) -> Answer | None:
    """What a question would be about, had it not been called off, or were it not over; told as no answer."""
    _, records = asked.run(code.write(replace(plan, where=plan.denied, denied=())))
    if not records or plan.pick:
        return None
    price = plan.field if isinstance(plan.field, Measure) and plan.field.money else None
    texts = [f"{say.ended(plan, r)}{f', {say.in_words(say.measured(price, r))}' if price else ''}" for r in records]
    return asked.unknown(f"none that still counts; there was {say.in_list(texts)}")


def _perhaps(asked: Asked, plan: Plan) -> Answer | None:
    """ "Perhaps", where a record is as good as such: of what was prescribed nobody has said yet that it is taken."""
    near = [Condition((), c.possible) if c.possible and not c.slots else Condition((), c.sure) for c in plan.where]
    if not any(c.possible and not c.slots for c in plan.where):
        return None
    query = code.write(replace(plan, where=tuple(near)))
    _, records = asked.run(query)
    told = [f"{name(r)} is {r.status}" for r in records]
    return asked.computed("perhaps", f"Perhaps: {say.in_list(told)}.", query, records) if records else None


def _instead(asked: Asked, plan: Plan) -> Answer | None:
    """What is known in place of what was asked: that it is still ahead, or that it stands otherwise. No answer for sure."""
    if plan.later and (ahead := _ahead(asked, plan)):
        return asked.unknown(f"none such that is past; ahead is {say.in_list([say.titled(plan, r) for r in ahead])}")
    status = plan.view.slot("status", "decision", "stance")
    others = [c for c in plan.where if c.slots != (status,)]
    if status is None or len(others) in (0, len(plan.where)):
        return None
    _, records = asked.run(code.write(replace(plan, where=tuple(others))))
    stands = [f"{say.owner(r, asked.world)}{name(r)} ({status.name} {getattr(r, status.name)})" for r in records]
    return asked.unknown(f"nobody said that; as far as it was told: {say.in_list(stands)}") if records else None


def _ahead(asked: Asked, plan: Plan) -> tuple[Any, ...]:
    """What a question about the past leaves out, since it is planned."""
    return asked.run(code.write_later(plan))[1] if plan.later else ()


def maybe(asked: Asked, plan: Plan) -> tuple[Any, ...]:
    """The other records that may belong to an answer."""
    return asked.run(code.write_perhaps(plan))[1] if code.open_by(plan) else ()


def unsure(records: Sequence[Any]) -> str:
    """What to say of them, and how far their day is known where only its end is; empty without any."""
    return f"not sure of {say.in_list([f'{say.in_words(r)}{_until(r)}' for r in records])}" if records else ""


def _until(record: Any) -> str:
    held = [getattr(record, field.name) for field in type_of(record).fields]
    ends = [when for when in held if isinstance(when, When) and when.text.startswith("../")]
    return f" (on a day not told, {day(ends[0])})" if ends else ""
