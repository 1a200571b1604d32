"""How long it is until something: the days from today to the next day of it."""

from __future__ import annotations

import re

from uac_nb.ask import code
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.patterns import meanings
from uac_nb.ask.scene import Lost
from uac_nb.ask.view import Slot
from uac_nb.rules import When, day, days

_HOW_LONG = r"how (?:many (?:more )?days|(?:much )?long(?:er)?)"
_GO = r"(?: (?:is it|are there|is there|do i have|do we have|left|to go|more))*"
_ASKS = re.compile(
    rf" (?:{_HOW_LONG}{_GO} (?:until|till|before)|in how many days (?:is|are)) (?P<what>.+?)(?: (?:starts|begins|expires))? "
)


def answer(asked: Asked) -> Answer | None:
    """The days until the next of what a question names; None where it asks for something else, or none is ahead."""
    if not (m := _ASKS.fullmatch(asked.words)):
        return None
    try:
        (plan,) = meanings(f"when is the next {m['what']}", asked.world)
    except (Lost, ValueError):
        return None
    if not isinstance(plan.field, Slot) or plan.field.kind != "date":
        return None
    *lines, _ = code.write(plan).splitlines()
    r, moment = plan.view.var, plan.field.code(plan.view.var)
    query = "\n".join([*lines, f"[({moment} - today).days for {r} in records if {moment}.exact]"])
    value, records = asked.run(query)
    if not value or len(set(value)) > 1 or value[0] < 0:
        return None
    when = plan.field.of(records[0])
    text = f"{days(value[0])}, on {day(when)}" if isinstance(when, When) else days(value[0])
    return asked.computed(value[0], text, query, records)
