"""Answers in the log's own words: entries that speak of all that was asked, what was said on a day, and notes.

A question is no evidence: an entry that only asks is never recalled as an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from uac_nb.ask.answer import Answer, unknown
from uac_nb.ask.table import World, evidence
from uac_nb.ask.words import LABELS, TOPICS, stem, stems, telling, words
from uac_nb.english import periods
from uac_nb.english.days import Span
from uac_nb.log import Entry, Hit, Log
from uac_nb.rules import When, day, listed, name, on

MOST = 3  # entries shown
SHOWN = 10  # messages of a day
LOOKED = 30  # hits looked at
LONGEST = 90  # characters of an entry that is only pointed at
_FIRST = frozenset(("i", "my", "me", "we", "our"))
WORDS_ONLY = "these are words that were said, not a checked fact"
# What names no thing: what is done with many, and what they have in common.
_COMMON = frozenset(stem(w) for row in (*TOPICS, *LABELS) for part in row for w in part.split())


def recall(question: str, log: Log, today: date, world: World) -> Answer | None:
    """Return the entries that have every telling word of a question, with the turns around them; None where no entry does."""
    sought, times = looked_for(question, today)
    during = window(times[-1]) if times else None
    if not sought:
        return None
    roots_ = list(map(stem, sought))
    runs = [tuple(roots_[at : at + n]) for n in range(1, 4) for at in range(len(roots_) - n + 1)]
    names = {s for run in runs for id in world.people.get(run, ()) for s in (*run, *stems(world.persons[id].name))}
    hits = [
        hit for hit in log.search(query(sought), LOOKED, during=during) if _covers(hit, set(roots_), timed=during is not None)
    ]
    if times and not hits:  # "this morning" of an entry of another day, which is told with it
        spoken = {*roots_, *(stem(w.text) for t in times for w in words(question[t.start : t.end]))}
        hits = [h for h in log.search(query(sought), LOOKED) if spoken <= roots(h.entry.text)]
    hits = [h for h in hits if not names or names & roots(h.entry.text, h.entry.caption, h.entry.speaker)]
    said = [e for hit in hits for e in _answering(hit, log) if told_by(e, log, today)]
    if re.search(r"\bname of\b", question, re.IGNORECASE):  # that somebody is spoken of tells no name
        said = [e for e in said if {"nam", "call"} & roots(e.text, e.caption)]
    if "my" in {w.text for w in words(question)}:  # what is said of others is not mine
        said = [e for e in said if _FIRST & {w.text for w in words(e.text)}]
    found = list({e.id: e for e in said if not asks(e) and not e.forgotten}.values())[:MOST]
    answer = recalled(question, found)
    later = _later(found, sought, log, today) if answer and not times else None
    return (
        replace(answer, note=f"{answer.note}; later it was said: {quoted(later).rstrip('.')}") if answer and later else answer
    )


def _later(found: Sequence[Entry], sought: Iterable[str], log: Log, today: date) -> Entry | None:
    """Return the newest message that names what some entries tell of, and was said after them: it may have ended by then."""
    last = max(found, key=lambda e: (e.day, e.id))
    names = set(map(stem, sought)) - _COMMON
    hits = log.search(query(sorted(names)), LOOKED, during=(last.day, max(last.day, today))) if names else []
    speak = [e for hit in hits if (e := hit.entry).kind == "message" and (e.day, e.id) > (last.day, last.id)
             and names & roots(e.text, e.caption) and not asks(e) and not e.forgotten and told_by(e, log, today)]  # fmt: skip
    return max(speak, key=lambda e: (e.day, e.id), default=None)


def recalled(question: str, found: Sequence[Entry]) -> Answer | None:
    """Return an answer in the words of some entries; None without any."""
    if not found:
        return None
    value, text = found[0].text or found[0].caption, f"The log says: {' '.join(map(quoted, found))}"
    ids = tuple(entry.id for entry in found)
    return Answer(question=question, value=value, text=text, channel="recalled", evidence=ids, note=WORDS_ONLY)


def mentioned(question: str, what: str, log: Log, today: date, *, most: int = MOST, newest: bool = False) -> Answer | None:
    """Return the first messages that mention something, or the `newest`, of the time that it names if any."""
    sought, times = looked_for(what, today)
    during = window(times[-1]) if times else None
    hits = [hit.entry for hit in log.search(query(sought), LOOKED, during=during)] if sought else []
    told = [e for e in hits if e.kind == "message" and told_by(e, log, today) and not asks(e) and not e.forgotten]
    named = [e for e in told if set(map(stem, sought)) <= roots(e.text, e.caption)]
    return recalled(question, sorted(named, key=lambda e: -e.id if newest else e.id)[:most])


def mentions(question: str, log: Log, today: date) -> str:
    """Quote the entries that have most of the telling words of a question, or say that none has any."""
    sought, _ = looked_for(question, today)
    by_stem = {stem(w): w for w in sought}
    hits = [hit.entry for hit in log.search(query(sought), LOOKED) if hit.entry.kind == "message"] if sought else []
    told = sorted((e for e in hits if told_by(e, log, today) and not e.forgotten and not asks(e)), key=lambda e: e.id)
    having = {e.id: own for e in told if (own := roots(e.text, e.caption) & by_stem.keys())}
    if not having:
        return f"nothing in the log mentions {listed(sought)}" if sought else ""
    nearest = _nearest({id: len(own) for id, own in having.items()})
    least = min(len(having[id]) for id in nearest)
    more = sum(len(own) >= least for own in having.values()) - len(nearest)
    spoken = [w for s, w in by_stem.items() if any(s in having[id] for id in nearest)]
    quotes = [f"“{short(e).rstrip('.')}”" for e in told if e.id in nearest]
    one = len(nearest) == 1
    which = listed([*map(str, nearest), *([f"{more if len(hits) < LOOKED else 'many'} more"] if more else [])])
    return f"{'entry' if one else 'entries'} {which} of the log mention{'s' * one} {listed(spoken)}: {listed(quotes)}"


def _nearest(scores: Mapping[int, int]) -> list[int]:
    """Return of entries with so many words the first that has most, and the newest of those that come next.

    >>> _nearest({3: 1, 5: 2, 8: 1, 9: 1})
    [5, 9]
    """
    best = max(scores, key=lambda id: (scores[id], -id))
    others = {id: score for id, score in scores.items() if id != best}
    return sorted([best, *([max(others, key=lambda id: (others[id], id))] if others else [])])


def _covers(hit: Hit, sought: set[str], *, timed: bool) -> bool:
    """Whether an entry speaks of what was asked: it has most of the words, the turns around it the others.

    Who is asked about has to be who speaks: "Thanks, Ana" tells nothing of her.
    """
    names = {n: hit.entry.speaker == e.speaker for e in (hit.entry, *hit.neighbours) for n in stems(e.speaker)}
    about, named = sought - names.keys(), sought & names.keys()
    own = roots(hit.entry.text, hit.entry.caption)
    around = own.union(*(roots(e.text, e.caption) for e in hit.neighbours))
    mine = _FIRST & {w.text for w in words(hit.entry.text)} and hit.entry.role == "user"
    enough = len(about & own) * 2 > len(about) and (len(about) > 1 or timed or bool(mine))
    return all(names[n] for n in named) and enough and about <= around


def _answering(hit: Hit, log: Log) -> list[Entry]:
    """Return the entry; of somebody else's question the turn after it; of a derived fact, what it rests on."""
    if hit.entry.kind == "fact":
        return behind(hit.entry, log)
    if not asks(hit.entry):
        return [hit.entry]
    return [e for e in hit.neighbours if e.id > hit.entry.id and e.speaker != hit.entry.speaker and e.role == "user"][:1]


def query(sought: Iterable[str]) -> str:
    """Return what to search for, so that messages with any form of some words are found."""
    return " ".join(form for word in sought for form in dict.fromkeys((word, stem(word))))


def behind(entry: Entry, log: Log) -> list[Entry]:
    """Return what was said: the entry, or of a derived fact the messages that it rests on."""
    if entry.kind != "fact":
        return [entry]
    return [e for e in log.entries(ids=list(entry.data.get("source", ()))) if e.kind in ("message", "edit")]


def told_by(entry: Entry, log: Log, today: date) -> bool:
    """Whether it was said on a day, or before."""
    return all(e.said_at is None or e.day <= today for e in behind(entry, log))


def asks(entry: Entry) -> bool:
    """Whether it only asks."""
    return entry.text.rstrip().endswith("?")


def roots(*texts: str) -> set[str]:
    return {s for text in texts if text for s in stems(text)}


def quoted(entry: Entry) -> str:
    """Quote an entry, with who said it, and when."""
    who = f", {entry.speaker}" if entry.speaker else ""
    return f"“{entry.text or entry.caption}” ({day(entry.day)}{who}, entry {entry.id})."


def short(entry: Entry) -> str:
    """Return an entry's words in a line, of many the first."""
    text = " ".join((entry.text or entry.caption).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]}…"


def looked_for(question: str, today: date) -> tuple[list[str], list[Span]]:
    """Return the telling words of a question, and its times."""
    times = periods(question, today)
    for span in reversed(times):
        question = f"{question[: span.start]} {question[span.end :]}"
    return telling(question), times


def window(span: Span) -> tuple[date, date]:
    return span.first, span.last


# --- what was said on a day, or of something ---

_SAY = r"(?:say|said|tell|told|write|wrote|written|mention|mentioned|note|noted|record|recorded|log|logged|report|reported)"
_TALK = r"(?:(?:talk|talked|talking|speak|spoken|chat|chatted) about|discuss|discussed)"
_WE_SAID = (
    rf"(?:what (?:all |else )?(?:did|have|had|was|were) (?P<who>i|we)(?: all| ever)? (?:{_SAY}|{_TALK})(?: to)?(?: you| down)?"
)
_SHOW = rf"(?:show|list|give|read|find|tell)(?: me)? (?:what|everything|all)(?: that)? (?P<also>i|we) {_SAY}(?: to)?(?: you)?)"
_ALL = (
    r"(?:show|list|give)(?: me)? (?:all )?(?:my|the) (?:messages|entries|notes)|"
    r"(?:which|what) (?:messages|entries) (?:are there|did i write)"
)
_THEN = re.compile(rf"(?:{_WE_SAID}|{_SHOW}|{_ALL})(?: (?:about|from|of|for|on|in|during|over))? @")
_ABOUT = re.compile(rf"{_WE_SAID}|{_SHOW}(?P<when> @)? (?:about|of|on) (?P<what>.+)")
_END = re.compile(
    r"when did (?:i|we) (?P<end>first|last) (?:say|mention|speak of|talk about|speak about|write about|tell you (?:about|of))"
    r"(?: anything about)? (?P<what>.+)"
)


def transcript(question: str, log: Log, today: date) -> Answer | None:
    """Return what was said then, or of something; None where a question asks for something else."""
    times = periods(question, today)
    text = question
    for span in reversed(times):
        text = f"{text[: span.start]} @ {text[span.end :]}"
    text = " ".join(re.findall(r"[\w'@-]+", text.lower()))
    if (m := _THEN.fullmatch(text)) and len(times) == 1:
        start = re.match(r"(?:since|from) ", question[times[0].start :].lower())
        when = replace(times[0], when=When(times[0].first.isoformat())) if start and start[0] == "from " else times[0]
        return _said_then(question, when, log, today, everybody=(m["who"] or m["also"]) == "we")
    if m := _END.fullmatch(text.replace(" @", "")):
        found = mentioned(question, m["what"], log, today, most=1, newest=m["end"] == "last")
        return found and replace(found, value=log.entry(found.evidence[0]).day)
    about = _ABOUT.fullmatch(text)
    if about and about["what"]:
        what = f"{about['what'].replace('@', '')} {question[times[0].start : times[0].end] if times else ''}"
        return mentioned(question, what, log, today, most=SHOWN)
    return None


def _said_then(question: str, span: Span, log: Log, today: date, *, everybody: bool) -> Answer:
    """Return the user's own messages of some days; of `everybody`: all that were written then."""
    end = min(span.last, today)
    entries = log.chosen(kinds=("message",), start=span.first, end=end).entries if span.first <= end else ()
    said = [e for e in entries if not e.forgotten and (everybody or e.role == "user")]
    if not said:
        return unknown(question, f"nothing in the log was said {'' if everybody else 'by you '}{on(span.when)}")
    lead = f"{len(said)} messages {on(span.when)}" if len(said) > 1 else "The log says"
    more = [f"… and {len(said) - SHOWN} more."] if len(said) > SHOWN else []
    text, ids = " ".join([f"{lead}:", *map(quoted, said[:SHOWN]), *more]), tuple(e.id for e in said)
    value = [e.text or e.caption for e in said]
    return Answer(question=question, value=value, text=text, channel="recalled", evidence=ids, note=WORDS_ONLY)


# --- notes ---


def noted(question: str, world: World, today: date) -> Answer | None:
    """Return the notes that have every telling word of a question; None where no note has."""
    sought = set(map(stem, looked_for(question, today)[0]))
    notes = [n for n in _notes(world) if sought & roots(n.text) and sought <= _words(n, world)][:MOST]
    if not notes:
        return None
    text, note = f"A note says: {' '.join(map(_quoted, notes))}", "this is what was noted, not a checked fact"
    return Answer(
        question=question, value=notes[0].text, text=text, channel="recalled", records=tuple(notes), evidence=evidence(notes),
        note=note,
    )  # fmt: skip


def noted_besides(answer: Answer, world: World) -> str:
    """Quote what notes say of the few records of an answer; empty where they say nothing."""
    ids = {r.id for r in answer.records}
    notes = [n for n in _notes(world) if n.about in ids and n.id not in ids] if len(ids) <= MOST else []
    return f"noted besides: {' '.join(map(_quoted, notes[:MOST]))}".rstrip(".") if notes else ""


def notes_about(id: str, world: World) -> list[object]:
    """Return the notes about a record."""
    return [n for n in _notes(world) if n.about == id]


def _notes(world: World) -> list:  # type: ignore[type-arg]
    return [n for t in world.tables.values() if t.type.name == "Note" and "text" in t.type.by_name for n in t.records]


def _words(note, world: World) -> set[str]:  # type: ignore[no-untyped-def]
    """Return the words of a note, and of what it is about."""
    about = world.by_id.get(note.about or "")
    return roots(note.text, *((name(about),) if about is not None else ()))


def _quoted(note) -> str:  # type: ignore[no-untyped-def]
    return f"“{note.text}” ({'entry' if len(note.source) == 1 else 'entries'} {listed(note.source)})."
