"""The phrasings: which fit what there is to tell, and one of them filled in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from random import Random

from uac_nb.measure.eval.story import Said, Value

_CHOICE = re.compile(r"\(([^()]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")


@cache
def book(name: str) -> Mapping[str, object]:
    """A file of phrases or names that lies beside this module."""
    return tomllib.loads((files("uac_nb.measure.eval") / f"{name}.toml").read_text("utf-8"))


@cache
def phrasings(kind: str, moment: str) -> tuple[tuple[str, ...], ...]:
    """Every phrase of a moment, each with all the ways to word it; none where a kind has no such moment."""
    section = book("phrases")[kind]
    assert isinstance(section, dict)
    return tuple(wordings(template) for template in section.get(moment, ()))


def wordings(template: str) -> tuple[str, ...]:
    """All the ways to word a phrase.

    >>> wordings("I (am|was) in {place}(| again).")
    ('I am in {place}.', 'I am in {place} again.', 'I was in {place}.', 'I was in {place} again.')
    """
    parts = [part.split("|") if n % 2 else [part] for n, part in enumerate(_CHOICE.split(template))]
    return tuple("".join(way) for way in product(*parts))


def slots(wording: str) -> frozenset[str]:
    return frozenset(_SLOT.findall(wording))


def say(
    rng: Random, kind: str, moment: str, said: Mapping[str, Said], need: Collection[str] = ()
) -> tuple[str, dict[str, Value]]:
    """Word a moment with the slots there are; the line, and the fields that it tells. `need` are slots that it has to fill."""
    fitting = [[way for way in ways if slots(way) <= set(said) and slots(way) >= set(need)] for ways in phrasings(kind, moment)]
    wording = rng.choice(rng.choice([ways for ways in fitting if ways]))
    fields = {name: value for slot in sorted(slots(wording)) for name, value in said[slot].fields.items()}
    line = _SLOT.sub(lambda slot: said[slot[1]].words, wording)
    return line[0].upper() + line[1:], fields
