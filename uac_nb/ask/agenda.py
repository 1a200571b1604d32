"""What there was, or is, at some time: the records of several collections, in the order of their days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from uac_nb.ask import code, say
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.lexicon import LIMITS
from uac_nb.ask.one import maybe, unsure
from uac_nb.ask.plan import Plan
from uac_nb.ask.question import read
from uac_nb.rules import When

# The days on which a record takes place, rather than begins to hold.
TAKES_PLACE = ("on", "date", "day", "departs", "departed", "bought", "happened", "finished", "finished_date", "starts", "start")


def answer(asked: Asked, plans: Sequence[Plan]) -> Answer | None:
    """List the records of all plans; None where there are none. What runs out on a day is told only while it is ahead."""
    past = read(asked.question, asked.world.today).tense == "past"
    days = TAKES_PLACE if past else (*TAKES_PLACE, *LIMITS)
    plans = [plan for plan in plans if plan.view.day and plan.view.day.name in days]
    parts, lines = [], []
    for plan in plans:
        parts.append(f"of_{plan.view.name}")
        lines += code.select(plan, parts[-1])
    names = [code.names(plan, part) for plan, part in zip(plans, parts, strict=True)]
    query = code.joined(plans, [*lines, f"records = {' + '.join(parts)}", " + ".join(names)]) if plans else ""
    _, records = asked.run(query) if plans else ([], ())
    if not records:
        return None
    of = {record.id: plan for plan in plans for record in plan.view.records}
    ordered = sorted(records, key=lambda r: _day(of[r.id], r))
    texts = [say.titled(of[r.id], r, whole=True) for r in ordered]
    doubts = unsure([r for plan in plans for r in maybe(asked, plan) if date.min < _day(plan, r).first < _NEVER.first])
    return asked.computed([say.called(of[r.id], r) for r in ordered], say.in_list(texts), query, ordered, doubts)


_NEVER = When("9999-12-31")


def _day(plan: Plan, record: Any) -> When:
    """To sort by: what has no day stands last."""
    when = plan.view.day.of(record) if plan.view.day else None
    return _NEVER if when is None else when if isinstance(when, When) else When(when)
