"""What an answer leaves out, since nothing was made of it yet: messages that nobody read, and changes that wait for a review.

A message bears on an answer when it has the telling words of the question; or of a record that the answer rests on, and
was said after all that this record rests on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from uac_nb.ask import ending
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.lexicon import UNITS
from uac_nb.ask.periods import MONTHS, WEEKDAYS
from uac_nb.ask.question import read
from uac_nb.ask.recall import LOOKED, asks, looked_for, query, roots, short, told_by
from uac_nb.ask.view import View
from uac_nb.ask.words import LIGHT, NUMBERS, bag, content, plain, root
from uac_nb.english import named
from uac_nb.log import Entry
from uac_nb.reading.proposals import rests_on
from uac_nb.rules import day, listed, name
from uac_nb.store.coverage import coverage, undone_batches

MOST = 3  # messages and changes that are told
NAMED = 8  # records of an answer, of which any word that names one counts
FEW = 2  # records of a collection, whose noun then tells which is meant
MANY = 50  # records of an answer, from which on messages are not held against each
AMOUNT = re.compile(r"[$€£¥] ?\d|\d ?(?:[$€£¥]|(?:eur|usd|gbp|jpy|chf|euros?|dollars?|pounds?|bucks|quid)\b)", re.IGNORECASE)
_SAYS_HOW = bag("dose how_often every country category")  # fields that name nothing
_TELLS_LITTLE = frozenset((*MONTHS, *WEEKDAYS, *UNITS, "mg"))

Words = set[str]


def uncounted(answer: Answer, asked: Asked, *, amounts: bool) -> str:
    """Say in a line what may change an answer; empty where nothing does. `amounts`: any message with a sum of money may."""
    ids = {record.id for record in answer.records}
    views = [v for v in asked.world.views if _in_code(v, answer) or any(r.id in ids for r in v.records)]
    waits = dict(_proposed(answer, asked, views))
    found = (
        *_asked_for(asked, views, amounts),
        *_done(answer, asked, views),
        *_of_those_days(asked),
        *_later(answer, asked, views),
    )
    messages = {entry.id: entry for entry in found}
    known = coverage(asked.log) if messages else None
    open = {*known.unread} - (asked.sources - {*known.partly}) if known else set()
    left = [messages[id] for id in sorted(messages.keys() & open, reverse=True)]
    partly = [_quoted(entry) for entry in left if known and entry.id in known.partly]
    unread = [_quoted(entry) for entry in left if known and entry.id not in known.partly]
    waiting = [f"{_quoted(entry)} (#{id})" for id, entry in waits.items()]
    parts = _told(unread, "nobody has read"), _told(partly, "was read in part"), _told(waiting, "waits for your review")
    return f"not counted yet: {'; '.join(filter(None, parts))}" if any(parts) else ""


def _in_code(view: View, answer: Answer) -> bool:
    return re.search(rf"\b{view.name}\b", answer.code or "") is not None


def _told(items: Sequence[str], why: str) -> str:
    """
    >>> _told(["entry 3", "entry 4"], "nobody has read"), _told([], "nobody has read")
    ('entry 3 and entry 4, which nobody has read', '')
    """
    more = [f"{len(items) - MOST} more"] if len(items) > MOST else []
    why = why.replace("waits", "wait") if len(items) > 1 else why
    return f"{listed([*items[:MOST], *more])}, which {why}" if items else ""


def _quoted(entry: Entry) -> str:
    return f"entry {entry.id} of {day(entry.day)}, “{short(entry)}”"


# --- messages ---


def _asked_for(asked: Asked, views: Sequence[View], amounts: bool) -> Iterator[Entry]:
    """Messages that speak of what was asked."""
    words, periods = looked_for(asked.question, asked.world.today)
    yield from _fresh(asked, words, LOOKED, lambda entry: _speaks(roots(entry.text, entry.caption), set(words), views))
    if amounts and words:
        end = min(periods[-1].end, asked.world.today) if periods else asked.world.today
        near = asked.log.chosen(kinds=("message",), start=periods[-1].start if periods else None, end=end).entries
        yield from (entry for entry in near if AMOUNT.search(entry.text) and _counts(entry, asked))


def _done(answer: Answer, asked: Asked, views: Sequence[View]) -> Iterator[Entry]:
    """Messages in which the user does what is done with the records of an answer: "I moved", of where somebody lives."""
    view = views[0] if len(views) == 1 else None
    if view is None or any(getattr(record, "who", "me") != "me" for record in answer.records) or view.names_others:
        return
    verbs = view.verbs - LIGHT or view.verbs
    words = set(looked_for(asked.question, asked.world.today)[0]) - _nouns(views) - view.verbs
    if verbs and not words:
        yield from _fresh(asked, sorted(verbs), LOOKED, lambda entry: _does(entry.text, verbs))


def _does(text: str, verbs: Words | frozenset[str]) -> bool:
    """Whether a text says "I" and, a word or two behind it, one of some verbs."""
    words = [root(word) for word in plain(text).split()]
    near = (set(words[i + 1 : i + 4]) for i, word in enumerate(words) if word in ("i", "we"))
    return any(verbs & those for those in near)


def _of_those_days(asked: Asked) -> Iterator[Entry]:
    """Messages that name a day of the time for which a question wants all that there is."""
    words, periods = looked_for(asked.question, asked.world.today)[0], read(asked.question, asked.world.today).periods
    if words or len(periods) != 1:
        return
    (period,) = periods
    for entry in asked.log.between(period.start, period.end):
        spans = named(entry.text, entry.day) if _counts(entry, asked) else ()
        if any(period.start <= span.first and span.last <= period.end for span in spans):
            yield entry


def _later(answer: Answer, asked: Asked, views: Sequence[View]) -> Iterator[Entry]:
    """Messages that speak of a record, and were said after it; of very many, a word that one shares says nothing of the sum."""
    if len(answer.records) > MANY:
        return
    of = {record.id: view for view in views for record in view.records}
    records = [r for r in answer.records if r.id in of and not of[r.id].names_others and r.source]
    words = {r.id: _telling(r, of[r.id]) for r in records}
    about = {r.id: _about(r, of[r.id]) for r in records} if len(records) <= NAMED else {}
    last = {entry.id: entry for entry in asked.log.entries(ids=[max(r.source) for r in records])} if records else {}

    def bears(entry: Entry) -> bool:
        said = roots(entry.text, entry.caption)
        return any(
            _after(entry, last.get(max(r.source)))
            and (0 < len(words[r.id]) <= 2 * len(words[r.id] & said) or bool(about.get(r.id, set()) & said))
            for r in records
        )

    def over(entry: Entry) -> bool:
        mine = [r for r in records if getattr(r, "who", "me") == "me" and _after(entry, last.get(max(r.source)))]
        return any(ending.ends(entry.text, view, entry.day) for view in {id(of[r.id]): of[r.id] for r in mine}.values())

    since = min((entry.day for entry in last.values()), default=None)
    every = _each((*words.values(), *about.values()))
    yield from _fresh(asked, every, LOOKED + 10 * len(records), bears, since, again=True)
    if about:
        said = _each(ending.verbs(of[r.id]) for r in records)
        yield from _fresh(asked, said, 2 * LOOKED, over, since, again=True)


def _each(words: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(word for some in words for word in sorted(some)))


def _fresh(
    asked: Asked,
    words: Sequence[str],
    most: int,
    bears: Callable[[Entry], bool],
    since: date | None = None,
    *,
    again: bool = False,
) -> Iterator[Entry]:
    """The user's messages with any of some words that no record rests on, or (`again`) one may, and that bear on the answer."""
    during = (since, max(since, asked.world.today)) if since else None
    hits = asked.log.search(query(words), most, during=during) if words else []
    yield from (hit.entry for hit in hits if _counts(hit.entry, asked, again=again) and bears(hit.entry))


def _counts(entry: Entry, asked: Asked, *, again: bool = False) -> bool:
    """Whether it is a message in which the user told something, and no record rests on it, or (`again`) one may."""
    told = entry.kind == "message" and entry.role == "user" and not asks(entry)
    return told and (again or entry.id not in asked.sources) and told_by(entry, asked.log, asked.world.today)


def _after(entry: Entry, other: Entry | None) -> bool:
    return other is None or (entry.day, entry.id) > (other.day, other.id)


def _speaks(said: Words, words: Words, views: Iterable[View]) -> bool:
    """Whether it has more than half of some words; or all of those that are not just the name of the collection."""
    own = words - _nouns(views)
    return 2 * len(said & words) > len(words) or bool(own and own <= said)


def _nouns(views: Iterable[View]) -> Words:
    return {word for view in views for noun in (*view.nouns, *view.near_nouns) for word in content(noun)}


def _telling(record: Any, view: View) -> Words:
    """The words that tell a record from others of its collection."""
    words = {word for word in content(name(record)) if word not in _TELLS_LITTLE and not word[0].isdigit()}
    return words if len(view.records) <= FEW else words - _nouns([view])


def _about(record: Any, view: View) -> Words:
    """All words that name what a record is about: of its title, role, employer, substance …"""
    slots = [s for s in view.slots if s.kind in ("word", "words") and not (s.choices or s.free or s.name in _SAYS_HOW)]
    held = [getattr(record, s.name) or () for s in slots]
    texts = [text for value in held for text in ((value,) if isinstance(value, str) else value)]
    words = {word for text in (name(record), *texts) for word in content(text)}
    return {w for w in words if not w[0].isdigit() and len(w) > 1} - _TELLS_LITTLE - NUMBERS.keys() - _nouns([view])


# --- changes that wait ---


def _proposed(answer: Answer, asked: Asked, views: Sequence[View]) -> Iterator[tuple[int, Entry]]:
    """The changes that wait, with the message behind each: of a record of the answer, or one of what was asked for."""
    undone = undone_batches(asked.log)
    changes = [e for e in asked.log.entries(kinds=("change",)) if not e.forgotten and e.data["batch"] not in undone]
    answered = {entry.data["answers"] for entry in changes if "answers" in entry.data}
    ids, names = {record.id for record in answer.records}, {view.name for view in views}
    words = set(looked_for(asked.question, asked.world.today)[0]) - _nouns(views)
    for entry in changes:
        change = json.loads(entry.text).get("proposed") if '"propose"' in entry.text and entry.id not in answered else None
        if change is None:
            continue
        said = list(asked.log.entries(kinds=("message", "edit"), ids=change.get("source", [])))
        adds = change.get("collection") in names and (not words or _speaks(_words(change, said), words, ()))
        if said and (adds or rests_on(change) & ids):
            yield entry.id, said[-1]


def _words(change: Mapping[str, Any], said: Iterable[Entry]) -> Words:
    """The words of a change: of the messages behind it, and of what it writes."""
    values = [value for value in change.get("values", {}).values() if isinstance(value, str)]
    return roots(*(entry.text for entry in said), *values)
