"""How old somebody is: from the day of birth, where its year is known."""

from __future__ import annotations

import re

from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.plan import literal
from uac_nb.ask.view import View
from uac_nb.ask.words import is_me, plain
from uac_nb.rules import days, name

_ASKS = re.compile(r" (?:how old|(?:what is|what) (?:the )?age of) (?:is|am|are)?(?P<who> .+?)(?: now| today)? ")


def answer(asked: Asked) -> Answer | None:
    """The age of a person today; None where a question asks for something else, or no year of birth is known."""
    m = _ASKS.fullmatch(asked.words)
    view = next((v for v in asked.world.views if "birthday" in v.nouns and v.day and v.has("name")), None)
    if m is None or view is None or view.day is None:
        return None
    born = [
        r for r in view.records if _is(r, m["who"].strip(), asked) and (when := view.day.of(r)) and when.exact and when.year
    ]
    if not born:
        return None
    query = _query(view, tuple(r.id for r in born))
    value, records = asked.run(query)
    if not value or min(value) < 0:
        return None
    texts = [_age(age, (asked.world.today - view.day.of(r).date).days) for r, age in zip(records, value, strict=True)]
    several = [f"{name(r)}: {text}" for r, text in zip(records, texts, strict=True)]
    return asked.computed(
        value[0] if len(value) == 1 else value, "; ".join(several) if len(texts) > 1 else texts[0], query, records
    )


def unborn(asked: Asked) -> Answer | None:
    """That the user's own year of birth is not known, where a question asks for their age."""
    m = _ASKS.fullmatch(asked.words)
    return asked.unknown("your day and year of birth") if m and m["who"].strip() in ("i", "me") else None


def _is(record: object, spoken: str, asked: Asked) -> bool:
    """Whether a birthday is that of the one who is asked about."""
    who, called = getattr(record, "who", "me"), plain(getattr(record, "name", "")).strip()
    if spoken in ("i", "me"):
        return is_me(record)
    ids = next((ids for phrase, ids in asked.world.people if phrase == spoken), ())
    return who in ids or called == spoken


def _query(view: View, ids: tuple[str, ...]) -> str:
    day = view.day.name if view.day else ""
    r = view.var
    age = f"today.year - {r}.{day}.year - ((today.month, today.day) < ({r}.{day}.month, {r}.{day}.day))"
    chosen = f"{r}.id == {literal(ids[0])}" if len(ids) == 1 else f"{r}.id in {literal(ids)}"
    return f"records = [{r} for {r} in {view.name} if {chosen}]\n[{age} for {r} in records]"


def _age(years: int, lived: int) -> str:
    """
    >>> _age(4, 1500), _age(0, 45)
    ('4 years', '45 days')
    """
    return days(lived) if not years else f"{years} year{'' if years == 1 else 's'}"
