"""The user by name: "where does Ann live", in Ann's own notebook, asks "where do I live"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.periods import MONTHS, WEEKDAYS, find
from uac_nb.ask.say import described
from uac_nb.ask.words import FIRST, is_ordinary, plain
from uac_nb.rules import listed

_WHO_AM_I = re.compile(r" who am i(?: again)? | what is my name ")
NEWEST = 50  # messages behind records, which tell what the user is called
_I_FORMS = {"does": "do", "has": "have", "is": "am", "doesn't": "don't", "hasn't": "haven't"}
_AUX = r"does|has|is|was|did|do|had|will|can|could|should|must|may|would|doesn't|hasn't|didn't"
_BEFORE_ME = r"of|with|to|for|from|about|by|at|and|than|near|between|gave|give|told|owes?|visits?|visited"


def readings(asked: Asked) -> tuple[Asked, ...]:
    """The question as it may be meant, the likelier first: in the first person, where it has the user's name, and as it is.

    Whoever says "I" as well names somebody else, and a person of that name who is recorded is the one that is meant. A
    number or a birthday under that name is perhaps another's, and then comes first.
    """
    recorded = {phrase for phrase, _ in asked.world.people}
    names, question = [name for name in _named(asked) if plain(name).strip() not in recorded], asked.question
    for name in names:
        question = _in_first_person(name, question)
    mine = replace(asked, question=question)
    under = {plain(record.name).strip() for view in asked.world.views if view.names_others for record in view.records}
    return (asked,) if mine == asked else (asked, mine) if under & {plain(name).strip() for name in names} else (mine, asked)


def answer(asked: Asked) -> Answer | None:
    """Who the user is: "who am I", "who is Ann"; None where a question asks for something else, or no name is known."""
    names = sorted(_names(asked), key=len, reverse=True) if _WHO_AM_I.fullmatch(asked.words) else []
    return asked.unknown(f"no more than that you are {names[0]}, whose words this log keeps") if names else None


def namesake(asked: Asked) -> str:
    """Say whom a question names, where the user is called so too; empty where it names nobody of the user's name."""
    people = dict(asked.world.people)
    ids = next((ids for name in _named(asked) if (ids := people.get(plain(name).strip()))), ())
    return f"{listed(described(id, asked.world) for id in ids)} is meant, and not you" if ids else ""


def _named(asked: Asked) -> list[str]:
    """What the user is called that a question has: the longest first."""
    if FIRST & set(asked.words.split()):
        return []
    return sorted((name for name in _names(asked) if _is_named(name, asked)), key=len, reverse=True)


def _names(asked: Asked) -> Iterator[str]:
    """Who spoke in the newest of the user's own messages that records rest on, and the first names of these."""
    ids = sorted(asked.sources)[-NEWEST:]
    said = asked.log.entries(kinds=("message",), ids=ids) if ids else ()
    for speaker in {" ".join(entry.speaker.split()) for entry in said if entry.role == "user"}:
        yield from {speaker, *speaker.split()[:1]} - {""}


def _is_named(name: str, asked: Asked) -> bool:
    """Whether a question names somebody so, and means no other thing by that word: the month of May, "will", a rose."""
    word = plain(name).strip()
    left, _ = find(asked.words, asked.world.today)
    if f" {word} " not in left:
        return False
    written = [m for m in re.finditer(_word(name), asked.question, re.IGNORECASE) if m[0][0].isupper()]
    other = is_ordinary(word) or word in (*MONTHS, *WEEKDAYS) or any(word in view.values for view in asked.world.views)
    return not other or any(m.start() or m["own"] for m in written)


def _word(name: str) -> str:
    return rf"(?<![\w-]){re.escape(name)}(?![\w-])(?P<own>['’]s?(?!\w))?"


def _in_first_person(name: str, question: str) -> str:
    """
    >>> _in_first_person("Ann", "How many allergies does Ann have?"), _in_first_person("Ann", "Ann's trips")
    ('How many allergies do I have?', 'my trips')
    >>> _in_first_person("Ann", "Who travels with Ann?"), _in_first_person("Ann", "the books Ann read")
    ('Who travels with me?', 'the books I read')
    """
    word = _word(name)

    def replaced(m: re.Match[str]) -> str:
        before = m["before"] or ""
        if m["own"]:
            return f"{before}my"
        if before.strip().lower() in _I_FORMS:
            before = re.sub(r"\S+", _I_FORMS[before.strip().lower()], before)
        object = re.fullmatch(_BEFORE_ME, before.strip(), re.IGNORECASE) or not m["more"]
        subject = re.fullmatch(_AUX + "|am|have", before.strip(), re.IGNORECASE)
        return f"{before}{'me' if object and not subject else 'I'}"

    pattern = rf"(?P<before>\b(?:{_AUX}|{_BEFORE_ME})\s+)?{word}(?=(?P<more>\s+\w)?)"
    return re.sub(pattern, replaced, question, flags=re.IGNORECASE)
