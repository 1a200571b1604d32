"""Answers from the log's own words, where the project holds none: the entries that speak of all that was asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from uac_nb.ask.about import People, whom
from uac_nb.ask.answer import Answer
from uac_nb.ask.lexicon import LABELS, TOPICS
from uac_nb.ask.periods import Period, find
from uac_nb.ask.words import bag, forms, plain, root, telling
from uac_nb.log import Entry, Hit, Log
from uac_nb.rules import day, listed

MOST = 3  # entries shown
WORDS_ONLY = "these are words that were said, not a checked fact"
LOOKED = 30  # hits looked at
_HOW = re.compile(
    r" how (?:old|far|tall|big|high|heavy|large|wide|deep|fast|expensive|good|bad|well)(?= )"
)  # asks for a number
# What names no thing: what is done with many, and what they have in common.
_COMMON = bag(" ".join([*(verbs for *_, verbs in TOPICS), *(labels for _, labels in LABELS)]))
LONGEST = 90  # characters of an entry that is only pointed at


def recall(question: str, log: Log, today: date, people: People = ()) -> Answer | None:
    """The entries that have every telling word of a question, with the turns around them; None where no entry does.

    Who is asked about has to be who is spoken of.
    """
    words, periods = looked_for(question, today)
    during = (periods[-1].start, periods[-1].end) if periods else None
    if not words:
        return None
    asked_about = whom(question, people)
    hits = [hit for hit in log.search(query(words), LOOKED, during=during) if _covers(hit, set(words))]
    hits = [
        hit for hit in hits if any(asked_about.told_by(e.text or e.caption, e.speaker, words) for e in behind(hit.entry, log))
    ]
    said = [e for hit in hits if told_by(hit.entry, log, today) for e in _answered(hit, log) if told_by(e, log, today)]
    found = list({e.id: e for e in said}.values())[:MOST]
    answer = recalled(question, found)
    later = _later(found, words, log, today) if answer and not periods else None
    return (
        replace(answer, note=f"{answer.note}; later it was said: {quoted(later).rstrip('.')}") if answer and later else answer
    )


def _later(found: Sequence[Entry], words: Iterable[str], log: Log, today: date) -> Entry | None:
    """The newest message that names what some entries tell of, and was said after them: it may have ended by then."""
    last = max(found, key=lambda e: (e.day, e.id))
    names = set(words) - _COMMON
    hits = log.search(query(sorted(names)), LOOKED, during=(last.day, max(last.day, today))) if names else []
    after = [e for hit in hits if (e := hit.entry).kind == "message" and (e.day, e.id) > (last.day, last.id)]
    speak = [
        e for e in after if names & roots(e.text, e.caption) and not asks(e) and not e.forgotten and told_by(e, log, today)
    ]
    return max(speak, key=lambda e: (e.day, e.id), default=None)


def recalled(question: str, found: Sequence[Entry]) -> Answer | None:
    """An answer in the words of some entries; None without any."""
    if not found:
        return None
    return Answer(
        question=question,
        value=found[0].text or found[0].caption,
        text=f"The log says: {' '.join(map(quoted, found))}",
        channel="recalled",
        evidence=tuple(entry.id for entry in found),
        note=WORDS_ONLY,
    )


def mentioned(
    question: str, what: str, log: Log, today: date, *, most: int = MOST, last: bool = False, then: Period | None = None
) -> Answer | None:
    """The first messages that mention somebody or something: they tell most of who or what it is.

    `last`: the last ones; `then`: those of that time alone, if `what` names none.
    """
    words, periods = looked_for(what, today)
    period = periods[-1] if periods else then
    during = (period.start, period.end) if period else None
    hits = [hit.entry for hit in log.search(query(words), LOOKED, during=during)] if words else []
    telling = [e for e in hits if e.kind == "message" and told_by(e, log, today) and not asks(e)]
    named = [e for e in telling if set(words) <= roots(e.text, e.caption)]
    return recalled(question, sorted(named, key=lambda e: -e.id if last else e.id)[:most])


def mentions(question: str, log: Log, today: date) -> str:
    """The entries that have most of a question's telling words, in their own words; or that none has any.

    Empty where it has no such words.
    """
    asked, _ = _telling(question, today)
    hits = [hit.entry for hit in log.search(query(asked), LOOKED) if hit.entry.kind == "message"] if asked else []
    told = sorted((e for e in hits if told_by(e, log, today) and not e.forgotten), key=lambda e: e.id)
    having = {entry.id: own for entry in told if (own := roots(entry.text, entry.caption).intersection(asked))}
    if not having:
        return f"nothing in the log mentions {listed(asked.values())}" if asked else ""
    nearest = _nearest({id: len(own) for id, own in having.items()})
    least = min(len(having[id]) for id in nearest)
    more = sum(len(own) >= least for own in having.values()) - len(nearest)
    spoken = [form for word, form in asked.items() if any(word in having[id] for id in nearest)]
    said = [f"“{short(entry).rstrip('.')}”" for entry in told if entry.id in nearest]
    one = len(nearest) == 1
    which = listed([*map(str, nearest), *([f"{more if len(hits) < LOOKED else 'many'} more"] if more else [])])
    return f"{'entry' if one else 'entries'} {which} of the log mention{'s' * one} {listed(spoken)}: {listed(said)}"


def _nearest(scores: Mapping[int, int]) -> list[int]:
    """Of entries with so many words the first that has most, and the newest of those that come next.

    >>> _nearest({3: 1, 5: 2, 8: 1, 9: 1})
    [5, 9]
    """
    first = max(scores, key=lambda id: (scores[id], -id))
    others = {id: score for id, score in scores.items() if id != first}
    return sorted([first, *([max(others, key=lambda id: (others[id], id))] if others else [])])


def _covers(hit: Hit, words: set[str]) -> bool:
    """Whether an entry speaks of what was asked: it has most of the words, the turns around it the others.

    Who is asked about has to be who speaks: "Thanks, Ana" tells nothing of her.
    """
    names = {name: hit.entry.speaker == e.speaker for e in (hit.entry, *hit.neighbours) for name in roots(e.speaker)}
    about, named = words - names.keys(), words & names.keys()
    own = roots(hit.entry.text, hit.entry.caption)
    around = own.union(*(roots(e.text, e.caption) for e in hit.neighbours))
    return all(names[name] for name in named) and len(about & own) * 2 > len(about) > 1 and about <= around


def query(words: Iterable[str]) -> str:
    """What to search for, so that messages with any of some words (their roots) are found."""
    return " ".join(form for word in words for form in forms(word))


def behind(entry: Entry, log: Log) -> list[Entry]:
    """What was said: the entry, or of a derived fact the messages that it rests on."""
    if entry.kind != "fact":
        return [entry]
    return [e for e in log.entries(ids=list(entry.data.get("source", ()))) if e.kind in ("message", "edit")]


def told_by(entry: Entry, log: Log, today: date) -> bool:
    """Whether it was said on a day, or before."""
    return all(e.said_at is None or e.day <= today for e in behind(entry, log))


def _answered(hit: Hit, log: Log) -> list[Entry]:
    """The entry, and where it is a question the turn after it; of a derived fact, what it rests on."""
    if hit.entry.kind == "fact":
        return behind(hit.entry, log)
    after = [e for e in hit.neighbours if e.id > hit.entry.id]
    return [hit.entry, *after[:1]] if hit.entry.text.rstrip().endswith("?") else [hit.entry]


def roots(*texts: str) -> set[str]:
    return {root(word) for text in texts for word in plain(text).split()}


def quoted(entry: Entry) -> str:
    """An entry's words, with who said them, and when."""
    text = entry.text or entry.caption
    who = f", {entry.speaker}" if entry.speaker else ""
    return f"“{text}” ({day(entry.day)}{who}, entry {entry.id})."


def short(entry: Entry) -> str:
    """An entry's words in a line, of many the first."""
    text = " ".join((entry.text or entry.caption).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]}…"


def looked_for(question: str, today: date) -> tuple[list[str], tuple[Period, ...]]:
    """The roots of the telling words of a question, and its times."""
    forms, periods = _telling(question, today)
    return list(forms), periods


def _telling(question: str, today: date) -> tuple[dict[str, str], tuple[Period, ...]]:
    """The telling words of a question as it writes them, by their roots, and its times."""
    text, periods = find(plain(question), today)
    return telling(_HOW.sub(" ", re.sub(r"@p\d+", "", text))), periods


def asks(entry: Entry) -> bool:
    """Whether it is a question."""
    return entry.text.rstrip().endswith("?")
