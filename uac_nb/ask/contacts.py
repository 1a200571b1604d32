"""How somebody can be reached: "what is Ana's number", "the email of the dentist", "how do I reach my sister"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.plan import literal
from uac_nb.ask.recall import LOOKED, MOST, mentioned, recalled
from uac_nb.ask.say import in_list
from uac_nb.ask.view import View
from uac_nb.ask.words import plain
from uac_nb.ask.world import found
from uac_nb.rules import listed

# What people call each kind of contact.
_KINDS = {
    "phone": r"(?:(?:tele|cell |mobile |work |home )?phone|mobile|cell|telephone|contact)(?: numbers?)?|numbers?",
    "email": r"e ?mails?(?: address(?:es)?)?|mail address",
    "address": r"(?:home |postal |street |mailing )?address(?:es)?",
    "website": r"(?:website|web site|homepage|web page|url)",
    "handle": r"(?:handle|username|user name|nickname)",
}
_KIND = f"(?P<kind>{'|'.join(_KINDS.values())})"
_ASK = (
    r"(?:(?:what|which) (?:is|are|was) |(?:do|did) (?:i|we|you) (?:have|know|note|write down) |have (?:i|we|you) got "
    r"|(?:(?:can|could) you )?(?:please )?(?:tell|give|show|find|remind)(?: me)?(?: of)? |under (?:what|which) )?"
)
_A = r"(?:the |a |an |any )?"
_HOW = r"(?:how|where|(?:under|at|on) (?:what|which) (?:number|address)) (?:do|can|could) (?:i|we)"
_END = r"(?: again| please| now)?"
_ASKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf" {_ASK}{_A}{_KIND} (?:of|for) (?P<who>.+?){_END} ",
        rf" {_ASK}(?P<who>.+?) 's {_KIND}{_END} ",
        rf" {_ASK}(?P<who>my) {_KIND}{_END} ",
        rf" {_HOW} (?:reach|contact|get hold of|get in touch with) (?P<who>.+?) ",
        rf" {_HOW} (?P<verb>call|phone|ring|text|email|mail) (?P<who>.+?) ",
    )
)
_MINE = frozenset(("i", "me", "my", "mine", "myself", "my own"))
_ARTICLE = re.compile(r"^(?:the|our) ")


def answer(asked: Asked) -> Answer | None:
    """Tell how to reach whom a question is about; None where it asks for something else, or for nobody who is known."""
    view = next(filter(_reaches, asked.world.views), None)
    m = next((m for pattern in _ASKS if (m := pattern.fullmatch(asked.words))), None)
    if view is None or m is None:
        return None
    theirs = [r for r in view.records if _is(r, m["who"], asked)]
    live = [r for r in theirs if getattr(r, "status", "current") == "current"]
    kind = _kind(m.groupdict())
    wanted = [r for r in live if kind in (None, r.kind)]
    if wanted:
        return _told(asked, view, wanted)
    if m["who"] in _MINE and not theirs:
        return _mine(asked, view, m.groupdict().get("kind") or "")
    if not theirs or (kind == "address" and any("residence" in v.nouns for v in asked.world.views)):
        return None
    over = [r for r in theirs if r not in live and kind in (None, r.kind)]
    other = f"; the old one was {in_list([r.value for r in over])}" if over else ""
    recorded = f"; recorded is {in_list([f'{r.kind} {r.value}' for r in live])}" if live else ""
    return asked.unknown(f"no {kind or 'way'} to reach {theirs[0].name} is recorded that still holds{other}{recorded}")


def _reaches(view: View) -> bool:
    """Whether a collection holds ways to reach people."""
    kind = view.slot("kind")
    return kind is not None and view.has("value") and view.has("name") and "phone" in (*kind.choices, *view.all_of(kind))


def _mine(asked: Asked, view: View, kind: str) -> Answer | None:
    """The user's own, which no record has: as it was said, or whose there are instead."""
    said = mentioned(asked.question, kind, asked.log, asked.world.today, most=LOOKED)
    own = (
        [e for e in asked.log.entries(ids=said.evidence) if re.search(rf" my (?:\w+ )?{kind} ", plain(e.text))] if said else []
    )
    others = list(dict.fromkeys(record.name for record in view.records))
    return recalled(asked.question, own[:MOST]) or asked.unknown(f"your own {kind}; recorded are those of {listed(others)}")


def _kind(named: dict[str, str | None]) -> str | None:
    if verb := named.get("verb"):
        return "email" if "mail" in verb else "phone"
    return next((kind for kind, words in _KINDS.items() if re.fullmatch(words, named.get("kind") or "")), None)


def _is(record: Any, spoken: str, asked: Asked) -> bool:
    """Whether a contact is of the one who is asked about: by name, or as the person that it belongs to."""
    called = plain(record.name).strip()
    if spoken in _MINE:
        return getattr(record, "who", "me") == "me" and called in _MINE
    whom = _ARTICLE.sub("", spoken)
    ids = next((ids for phrase, ids in asked.world.people if phrase == whom), ())
    if called in {plain(person.name).strip() for person in found(ids, asked.world)}:
        return True
    words = {_ARTICLE.sub("", called), called.removeprefix("my "), *called.split()}
    return getattr(record, "who", "me") in ids or whom in words or whom.removeprefix("my ") == called.removeprefix("my ")


def _told(asked: Asked, view: View, wanted: Sequence[Any]) -> Answer:
    r, ids = view.var, tuple(record.id for record in wanted)
    chosen = f"{r}.id == {literal(ids[0])}" if len(ids) == 1 else f"{r}.id in {literal(ids)}"
    query = f"records = [{r} for {r} in {view.name} if {chosen}]\n[{r}.value for {r} in records]"
    value, records = asked.run(query)
    several = len({record.name for record in records}) > 1
    texts = [f"{f'{record.name}, ' if several else ''}{record.kind} {record.value}" for record in records]
    return asked.computed(value[0] if len(value) == 1 else value, in_list(texts), query, records)
