"""What was said on a day, or about something, and when it was said first: the messages themselves, in their order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.periods import Period, find
from uac_nb.ask.recall import WORDS_ONLY, mentioned, quoted
from uac_nb.log import Entry
from uac_nb.rules import When, on

SHOWN = 10  # messages; of more the first, and how many there are

_SAY = r"(?:say|said|tell|told|write|wrote|written|mention|mentioned|note|noted|record|recorded|log|logged|report|reported)"
_TALK = r"(?:(?:talk|talked|talking|speak|spoken|chat|chatted) about|discuss|discussed)"
_WE_SAID = (
    rf"what (?:all |else )?(?:did|have|had|was|were) (?P<who>i|we)(?: all| ever)? (?:{_SAY}|{_TALK})(?: to)?(?: you| down)?"
)
_SHOW_WHAT = (
    rf"(?:show|list|give|read|find|tell)(?: me)? (?:what|everything|all)(?: that)? (?P<also>i|we) {_SAY}(?: to)?(?: you)?"
)
_SHOW_ALL = r"(?:show|list|give)(?: me)? (?:all )?(?:my|the) (?:messages|entries|notes)"
_WHICH = r"(?:which|what) (?:messages|entries) (?:are there|do i have|did i (?:write|send))"
_THEN = re.compile(rf" (?:{_WE_SAID}|{_SHOW_WHAT}|{_SHOW_ALL}|{_WHICH})(?: (?:about|from|of|for|on|in|during|over))? @p0 ")
_ABOUT = re.compile(rf" (?:{_WE_SAID}|{_SHOW_WHAT}) (?:about|of|on) (?P<what>.+?) ")
_ABOUT_THEN = re.compile(rf" (?:{_WE_SAID}|{_SHOW_WHAT}) (?P<when>@p0) (?:about|of|on) (?P<what>.+?) ")
_END = re.compile(
    r" when did (?:i|we) (?P<end>first|last) (?:say|mention|speak of|talk about|speak about|write about|tell you (?:about|of))"
    r"(?: anything about)? (?P<what>.+?) "
)


def answer(asked: Asked) -> Answer | None:
    """What was said then, or of that; None where a question asks for something else."""
    words = re.sub(r" from (?!.* (?:to|until|till|through) )", " on ", asked.words)  # "from 5 March" is not "since" then
    text, periods = find(words, asked.world.today)
    if (m := _THEN.fullmatch(text)) and len(periods) == 1:
        return _said_then(asked, periods[0], everybody=(m["who"] or m["also"]) == "we")
    if m := _END.fullmatch(asked.words):
        found = mentioned(asked.question, m["what"], asked.log, asked.world.today, most=1, last=m["end"] == "last")
        return found and replace(found, value=asked.log.entry(found.evidence[0]).day)
    if m := _ABOUT_THEN.fullmatch(text):
        return mentioned(asked.question, m["what"], asked.log, asked.world.today, most=SHOWN, then=periods[0])
    if m := _ABOUT.fullmatch(asked.words):
        return mentioned(asked.question, m["what"], asked.log, asked.world.today, most=SHOWN)
    return None


def _said_then(asked: Asked, period: Period, *, everybody: bool) -> Answer:
    """The user's own messages of some days; of `everybody`: all that were written then."""
    when = on(When(period.text))
    said = [entry for entry in _messages(asked, period) if everybody or entry.role == "user"]
    if not said:
        return asked.unknown(f"nothing in the log was said {'' if everybody else 'by you '}{when}")
    return Answer(
        question=asked.question,
        value=[entry.text or entry.caption for entry in said],
        text=_listed(said, when),
        channel="recalled",
        evidence=tuple(entry.id for entry in said),
        note=WORDS_ONLY,
    )


def _messages(asked: Asked, period: Period) -> list[Entry]:
    """The messages of those days, none after today."""
    end = min(period.end, asked.world.today)
    if period.start > end:
        return []
    entries = asked.log.chosen(kinds=("message",), start=period.start, end=end).entries
    return [entry for entry in entries if not entry.forgotten]


def _listed(said: Sequence[Entry], when: str) -> str:
    lead = f"{len(said)} messages {when}" if len(said) > 1 else "The log says"
    more = [f"… and {len(said) - SHOWN} more."] if len(said) > SHOWN else []
    return " ".join([f"{lead}:", *map(quoted, said[:SHOWN]), *more])
