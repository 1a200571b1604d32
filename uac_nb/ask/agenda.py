"""What there was, or is, at some time: the records of several collections, in the order of their days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from uac_nb.ask import code, say
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.lexicon import LIMITS, OVER
from uac_nb.ask.one import maybe, unsure
from uac_nb.ask.plan import Plan, belonging_to, during, is_ahead, not_one
from uac_nb.ask.question import read
from uac_nb.ask.words import bag
from uac_nb.ask.world import World
from uac_nb.rules import When, day

# The days on which a record takes place, rather than begins to hold.
TAKES_PLACE = ("on", "date", "day", "departs", "departed", "bought", "happened", "finished", "finished_date", "starts", "start")

# Other days of a record, by which something has to be done, or ends.
LAST_DAYS = bag(
    "expires due due_date closes renews valid_until return_by decide_by warranty_until supply_until trial_ends by ends"
)


def answer(asked: Asked, plans: Sequence[Plan]) -> Answer | None:
    """List the records of all plans; None where there are none. What runs out on a day is told only while it is ahead."""
    past = read(asked.question, asked.world.today).tense == "past"
    days = TAKES_PLACE if past else (*TAKES_PLACE, *LIMITS)
    plans = [plan for plan in plans if plan.view.day and plan.view.day.name in days]
    plans = list(map(_mine, plans)) if everything(asked) else plans
    last_days = [] if past or not plans or not everything(asked) else list(_last_days(plans[0].periods, asked.world))
    first = {r.id for r in asked.run(_query(plans))[1]} if plans and last_days else set()
    query = _query([*plans, *last_days]) if plans else ""
    _, records = asked.run(query) if plans else ([], ())
    if not records:
        return None
    of = {record.id: plan for plan in last_days for record in plan.view.records}
    of |= {record.id: plan for plan in plans for record in plan.view.records if not last_days or record.id in first}
    ordered = sorted(records, key=lambda r: _day(of[r.id], r))
    texts = [_ending(of[r.id], r) if of[r.id].day else say.titled(of[r.id], r, whole=True) for r in ordered]
    doubts = unsure([r for plan in plans for r in maybe(asked, plan) if date.min < _day(plan, r).first < _NEVER.first])
    return asked.computed([say.called(of[r.id], r) for r in ordered], say.in_list(texts), query, ordered, doubts)


def _mine(plan: Plan) -> Plan:
    """What the user does then, and nobody else: "what do I have on Friday" names nobody."""
    others = {getattr(record, "who", "me") for record in plan.view.records} - {"me"}
    return replace(plan, where=(*plan.where, belonging_to(("me",)))) if others else plan


def everything(asked: Asked) -> bool:
    """Whether a question is for all that there is at some time, of whatever kind."""
    return (
        re.fullmatch(
            r" list (?:(?:on|in|at|from|for|during|over|by|before|after) )?(?:the )?@p0 ",
            read(asked.question, asked.world.today).text,
        )
        is not None
    )


def _query(plans: Sequence[Plan]) -> str:
    """The records of several plans, and what they are called."""
    parts = [f"of_{plan.view.name}" if plan.day is None else f"{plan.day.name}_of_{plan.view.name}" for plan in plans]
    lines = [line for plan, part in zip(plans, parts, strict=True) for line in code.select(plan, part)]
    names = [code.names(plan, part) for plan, part in zip(plans, parts, strict=True)]
    return code.joined(plans, [*lines, f"records = {' + '.join(parts)}", " + ".join(names)])


def _last_days(periods: tuple[tuple[str, str], ...], world: World) -> Iterator[Plan]:
    """What ends or has to be done at that time, besides what records are kept for: the warranty, the next charge."""
    ((name, text),) = periods
    then = When(text)
    for view in world.views:
        others = [s for s in view.slots if s.kind == "date" and s != view.day and s.name in LAST_DAYS and not s.plain_date]
        for s in others:
            if any((day := s.of(r)) is not None and day.within(then.first, then.last) == "yes" for r in view.records):
                status = view.slot("status")
                out = tuple(c for c in status.choices if c in OVER) if status else ()
                mine = [belonging_to(("me",))] if view.has("who") else []
                going = [not_one(status, out)] if status and out else []
                yield Plan(view, "values", where=(*mine, *going, during(s, name), is_ahead(s)), periods=periods, day=s)


def _ending(plan: Plan, record: Any) -> str:
    """ "headphones (return by Friday, October 30, 2026)"."""
    assert plan.day is not None
    return f"{say.called(plan, record)} ({plan.day.name.replace('_', ' ')} {day(plan.day.of(record))})"


_NEVER = When("9999-12-31")


def _day(plan: Plan, record: Any) -> When:
    """To sort by: what has no day stands last."""
    slot = plan.day or plan.view.day
    when = slot.of(record) if slot else None
    return _NEVER if when is None else when if isinstance(when, When) else When(when)
