"""Questions for all that is known of somebody or something: "who is Anna", "tell me about the trip", "what is my rent"."""

from __future__ import annotations

import re
from dataclasses import replace

from uac_nb.ask import people, things
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.recall import mentioned
from uac_nb.ask.words import singulars

FEW = 3  # things of one name that are all told

_TELL = r"(?:tell|remind) me(?: more| again| everything| all)?(?: that)?(?: you know)? (?:about|of)"
_KNOW = r"what (?:else |all )?(?:do|can) (?:you|i|we) (?:know|remember|tell|tell me) (?:about|of)"
_KNOWN = r"what (?:is|else is) (?:known|recorded|there) (?:about|of|on)|what have (?:you|i|we) recorded (?:about|of|on)"
_ALL = r"(?:give me |show me )?(?:everything|all|(?:all|any|the) (?:facts|notes)) (?:about|on)|describe|summari[sz]e"
_ABOUT = re.compile(
    rf" (?:(?:please|can you|could you) )?(?:{_TELL}|{_KNOW}|{_KNOWN}|{_ALL}) (?P<what>.+?)(?: for me| to me)? "
)
_WHO = re.compile(r" who (?:is|are|was|were) (?P<what>.+?)(?: again| to me| anyway)? ")
_HAVE = re.compile(r" (?:do (?:i|we) have|have (?:i|we) got) (?:any |an? )?(?P<what>.+?) ")
_IS = re.compile(r" what (?:is|are|was|were) (?:the name of )?(?P<what>(?:my|our|the) .+?)(?: 's name| called| again)? ")
_ARTICLE = re.compile(r"^(?:the person called|a certain|someone called|somebody called|the|our) ")


def answer(asked: Asked) -> Answer | None:
    """Tell what is known of who or what a question is about; None where it asks for something else."""
    if (m := _HAVE.fullmatch(asked.words)) and (ids := people.related(m["what"], asked.world)):
        return people.named(asked, ids)
    m = _WHO.fullmatch(asked.words) or _ABOUT.fullmatch(asked.words)
    if m is None:
        return None
    what = _ARTICLE.sub("", m["what"])
    if ids := next((ids for phrase, ids in asked.world.people if phrase == what), ()):
        return _with_first_words(people.told(asked, ids, by_name=not what.startswith("my ")), ids, what, asked)
    kin = what.removeprefix("my ")
    if kin != what and singulars(kin) != kin and (ids := people.related(kin, asked.world)):
        return people.named(asked, ids)
    if m.re is _ABOUT and (found := things.called(what, asked.world)):
        return things.told(asked, found)
    return None


def _with_first_words(told: Answer, ids: tuple[str, ...], what: str, asked: Asked) -> Answer:
    """What is known of somebody; where no record says who it is to the user, with the words that spoke of them first."""
    known = any(r.id in ids and getattr(r, "relation", None) for r in told.records)
    first = None if known else mentioned(asked.question, what, asked.log, asked.world.today, most=1)
    return replace(told, note=f"first spoken of: {first.text.removeprefix('The log says: ').rstrip('.')}") if first else told


def mention(asked: Asked) -> Answer | None:
    """What the log says first of who or what a question is about, where no record tells of them."""
    m = _WHO.fullmatch(asked.words) or _ABOUT.fullmatch(asked.words)
    what = _ARTICLE.sub("", m["what"]) if m else ""
    other = any(f" {noun} " in f" {singulars(what)} " for view in asked.world.views for noun in view.nouns)
    return None if other or not what else mentioned(asked.question, what, asked.log, asked.world.today)


def thing(asked: Asked) -> Answer | None:
    """Tell all of what is called by a few words: "what is my rent", "what is my cat called". The last that is tried."""
    m = _IS.fullmatch(asked.words)
    mine = [r for r in things.called(m["what"], asked.world) if getattr(r, "who", "me") == "me"] if m else []
    found = [r for r in mine if not people.off(r)] or mine
    return things.told(asked, found) if 0 < len(found) <= FEW else None
