"""What is known of a thing: all that its record says, and the notes about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from uac_nb.ask import code
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.lexicon import UNSEEN
from uac_nb.ask.say import in_words, owner
from uac_nb.ask.view import View
from uac_nb.ask.words import name_words, plain, singulars
from uac_nb.ask.world import World
from uac_nb.domainfile.records import type_of
from uac_nb.rules import capital, listed, name

SHOWN = 8  # records
_ARTICLE = re.compile(r"^(?:my|our|the|a|an) ")


def called(what: str, world: World) -> list[Any]:
    """The records that are called by some words: "my trip to Lisbon", "the desk chair"."""
    words = singulars(_ARTICLE.sub("", what))
    names = [(r, singulars(plain(name(r)).strip())) for view in world.views for r in view.records]
    found = [(r, own) for r, own in names if f" {words} " in f" {own} "]
    return [r for r, own in found if own == words] or [r for r, _ in found]


def told(asked: Asked, things: Sequence[Any]) -> Answer:
    ids = {thing.id for thing in things}
    query = code.gathered(asked.world.views, tuple(thing.id for thing in things), lambda view: _tests(view, ids))
    _, records = asked.run(query)
    text = ". ".join(capital(whole(r, asked.world)) for r in records[:SHOWN])
    return asked.computed(text, f"{text}.", query, records, f"{len(records) - SHOWN} more" if len(records) > SHOWN else "")


def _tests(view: View, ids: set[str]) -> list[str]:
    """How the records of a collection are those things, or are about them."""
    fields = [f for f in ("id", "about") if f == "id" or view.has(f)]
    return [f"{view.var}.{f} in them" for f in fields if any(getattr(r, f) in ids for r in view.records)]


def whole(record: Any, world: World) -> str:
    """All that a record says, in words, and of whom; what its type takes for granted is left out."""
    called, said = f"{owner(record, world)}{name(record)}", []
    for field in type_of(record).fields:
        value = getattr(record, field.name)
        if field.name in UNSEEN or value in (None, (), name(record)) or value is False or value == field.default:
            continue
        said.append(f"{' '.join(name_words(field.name))} {listed(value) if isinstance(value, tuple) else in_words(value)}")
    return f"{called} ({'; '.join(said)})" if said else called.rstrip(".")
