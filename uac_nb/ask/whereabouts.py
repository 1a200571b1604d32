"""Where somebody was, or will be, on some day: the places of all that is set for it."""

from __future__ import annotations

import re
from typing import Any

from uac_nb.ask import agenda
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.patterns import lists, meanings
from uac_nb.ask.periods import find
from uac_nb.ask.say import in_list
from uac_nb.ask.scene import Lost
from uac_nb.rules import listed, name

_ASKS = re.compile(r" where (?P<be>am|are|was|were|will) (?:i|we)(?: (?:be|going to be|staying))?(?: on| in| at| during)? @p0 ")
_PLACES = ("place", "to", "destination", "location", "where", "city")  # where a record takes its people
_ELSEWHERE = frozenset({"online", "nobody", "someone at home"})


def on_a_day(asked: Asked) -> Answer | None:
    """The places of one day, on which somebody may be in two; None where a question asks for something else."""
    _, periods = find(asked.words, asked.world.today)
    return answer(asked) if [p.start for p in periods] == [p.end for p in periods] else None


def _goes(record: Any) -> bool:
    """Whether the user is there: not where somebody else goes."""
    return getattr(record, "who", "me") == "me" or "me" in getattr(record, "others", ())


def answer(asked: Asked) -> Answer | None:
    """The places of that time, or what there is without any; None where it asks for something else, or there is nothing."""
    text, periods = find(asked.words, asked.world.today, ahead=" will " in asked.words)
    m = _ASKS.fullmatch(text)
    if m is None:
        return None
    was = "what did i do" if m["be"] in ("was", "were") else "what do i have"
    try:
        plans = [p for p in meanings(f"{was} on {periods[0].text}", asked.world) if lists(p) and p.view.slot(*_PLACES)]
    except Lost:
        return None
    found = agenda.answer(asked, plans) if plans else None
    there = [r for r in found.records if getattr(r, "presence", None) not in _ELSEWHERE and _goes(r)] if found else []
    places = {r.id: next((p for field in _PLACES if (p := getattr(r, field, None))), None) for r in there}
    told = [r for r in there if places[r.id]]
    if found is None or not there:
        return None
    if not told:
        return asked.unknown(f"where it is, of what there is then: {found.text}")
    values = list(dict.fromkeys(places[r.id] for r in told))
    texts = [f"{places[r.id]} ({name(r)})" for r in told]
    others = [name(r) for r in there if not places[r.id]]
    also = f"then there is {listed(others)} too, and no place was told" if others else ""
    one = values[0] if len(values) == 1 else values
    return asked.computed(one, in_list(texts), found.code or "", told, found.note, also)
