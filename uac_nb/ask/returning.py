"""Until when something that was bought can be given back: by the day that was said, else counted from when it was bought."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.plan import literal
from uac_nb.ask.say import in_list
from uac_nb.ask.things import called
from uac_nb.rules import When, day, days, name, on

_I = r"(?:i|we)"
_TAIL = r"(?: to (?:the )?(?:shop|store|\w+))?(?: by| at the latest)?(?: still| now| any ?more)?"
_CAN = r"(?:can|could|may|must|should|do|will|am|are)"
_HAVE = r"(?: still)?(?: have| need| got| able| allowed)?(?: left)?(?: to)?"
_WHEN = (
    r"(?:by|until|till|up to) (?:when|what (?:date|day))|when|how (?:much )?(?:long(?:er)?|many (?:more )?days|much time)"
    r"|(?:what is )?(?:the )?last (?:day|date|chance)(?: on which| that| when)?"
)
_RETURN = r"(?:return (?P<a>.+?)|(?:give|send|bring|take|hand) (?:back (?P<b>.+?)|(?P<c>.+?) back))"
_PASSIVE = r"(?:be returned|go back|be (?:sent|given|brought|taken) back)"
_POLICY = r"(?:return (?:window|period|deadline|date|policy)|last day to return|deadline (?:to return|for returning))"
_CLOSES = "(?: close| end| expire| run out)?"
_IS_THERE = rf"(?:is (?:it|there)|do {_I}(?: still)? have|have {_I}(?: still)? got)"
_ASKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf" (?:{_WHEN}) {_CAN} {_I}{_HAVE} {_RETURN}{_TAIL} ",
        rf" (?:{_WHEN}) (?:can|could|may|must|should|does|do|has|have) (?P<a>.+?)(?: have| got)?(?: to)? {_PASSIVE}{_TAIL} ",
        rf" (?:{_WHEN}) (?:(?:is|was|are|remain) )?(?:there )?(?:left )?to {_RETURN}{_TAIL} ",
        rf" (?P<yes>can|could|may) {_I}(?: still)? {_RETURN}{_TAIL} ",
        rf" (?P<yes>can|could|may) (?P<a>.+?)(?: still)? {_PASSIVE}{_TAIL} ",
        rf" (?:is|was) it (?P<late>too late|late)(?: for me)? to {_RETURN}{_TAIL} ",
        rf" {_IS_THERE}(?: still)? (?P<yes>time|possible|in time|early enough)(?: left)? to {_RETURN}{_TAIL} ",
        rf" (?:when|what)(?: is| does| do| was)? (?:the |my )?{_POLICY} (?:of |for |on )?(?P<a>.+?){_CLOSES} ",
        rf" (?:has|is|did) (?P<late>the) {_POLICY} (?:of |for |on )?(?P<a>.+?) (?:closed|over|ended|expired|passed|past) ",
    )
)  # fmt: skip
_ANY = re.compile(r"^(?:the|my|our|a|an|this|that|those|these) ")


@dataclass(frozen=True, slots=True)
class _Window:
    """One thing that was bought, and the last day to give it back, as exactly as that is known; None: nobody said it."""

    record: Any
    until: When | None


def answer(asked: Asked) -> Answer | None:
    """Tell the last day, or whether it has passed; None where a question asks for something else, or nothing is called so."""
    view = next((v for v in asked.world.views if v.has("return_days") and v.has("bought")), None)
    m = next((m for pattern in _ASKS if (m := pattern.fullmatch(asked.words))), None)
    if view is None or m is None:
        return None
    named = m.groupdict()
    what = next((named[group] for group in ("a", "b", "c") if named.get(group)), "")
    ids = {record.id for record in view.records}
    things = [record for record in called(_ANY.sub("", what), asked.world) if record.id in ids]
    if not things:
        return None
    r, chosen = view.var, literal(tuple(thing.id for thing in things))
    counted = f"{r}.bought + timedelta({r}.return_days) if {r}.return_days and {r}.bought.exact else None"
    last = f"{r}.return_by or ({counted})"
    query = f"records = [{r} for {r} in {view.name} if {r}.id in {chosen}]\n[{last} for {r} in records]"
    value, records = asked.run(query)
    windows = [_Window(record, until) for record, until in zip(records, value, strict=True)]
    if back := [w.record for w in windows if getattr(w.record, "decision", None) == "returned"]:
        return asked.unknown(f"{in_list([name(r) for r in back])} was returned already")
    known = [w for w in windows if w.until is not None]
    if not known:
        return asked.unknown(f"nobody said until when it can be given back: {in_list([_bought(r) for r in records])}")
    if named.get("yes") or named.get("late"):
        return _still(asked, known, query, late=bool(named.get("late")))
    texts = [_until(w, asked, several=len(known) > 1) for w in known]
    found = [w.until for w in known]
    return asked.computed(found[0] if len(found) == 1 else found, in_list(texts), query, [w.record for w in known])


def _still(asked: Asked, known: Sequence[_Window], query: str, *, late: bool) -> Answer:
    """ "Yes" or "no", where the last day is known well enough for that."""
    window, today = known[0], asked.world.today
    assert window.until is not None
    open_, closed = window.until >= today, window.until < today
    if len(known) > 1 or not (open_ or closed):
        value: Any = "perhaps"
    else:
        value = closed if late else open_
    lead = {True: "Yes", False: "No", "perhaps": "Perhaps"}[value]
    texts = in_list([_until(w, asked, several=True) for w in known])
    return asked.computed(value, f"{lead}: {texts}.", query, [w.record for w in known])


def _until(window: _Window, asked: Asked, *, several: bool) -> str:
    """ "Thursday, June 11, 2026 (22 days left; bought on Tuesday, May 12, 2026, 30 days to return it)"."""
    record, until, today = window.record, window.until, asked.world.today
    assert until is not None
    left = (until.first - today).days if until.exact else None
    how = [] if left is None else [f"{days(left)} left" if left > 0 else "that is today" if not left else f"{days(-left)} ago"]
    if not record.return_by:
        how.append(f"bought {on(record.bought)}, with {days(record.return_days)} to return it")
    lead = f"{name(record)}: " if several else ""
    return f"{lead}{day(until)} ({'; '.join(how)})" if how else f"{lead}{day(until)}"


def _bought(record: Any) -> str:
    policy = f", with {days(record.return_days)} to return it" if record.return_days else ""
    return f"{name(record)} (bought {on(record.bought)}{policy})"
