"""What an answer leaves out: messages that nobody read or that were read in part, changes that wait, what changed later.

A message bears on an answer when it has the telling words of the question; or of a record that the answer rests on, and
was said after all that this record rests on; or when it says no more than that something is over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from uac_nb.ask.answer import Answer
from uac_nb.ask.people import Asked
from uac_nb.ask.recall import LOOKED, asks, looked_for, query, roots, short, told_by, window
from uac_nb.ask.table import Table
from uac_nb.ask.words import LIGHT, NUMBERS, UNITS, WEEKDAYS, stem, stems, words
from uac_nb.english import named, periods
from uac_nb.english.calendar import MONTHS
from uac_nb.log import Entry
from uac_nb.reading.proposals import rests_on
from uac_nb.rules import day, listed, name
from uac_nb.store.coverage import coverage, undone_batches

MOST = 3  # messages and changes that are told
NAMED = 8  # records of an answer, of which any word that names one counts
FEW = 2  # records of a collection, whose noun then tells which is meant
MANY = 50  # records of an answer, from which on messages are not held against each
AMOUNT = re.compile(r"[$€£¥] ?\d|\d ?(?:[$€£¥]|(?:eur|usd|gbp|jpy|chf|euros?|dollars?|pounds?|bucks|quid)\b)", re.IGNORECASE)
_LITTLE = frozenset(map(stem, (*MONTHS, *(d.lower() for d in WEEKDAYS), *UNITS, *NUMBERS, "mg")))
_IS_OVER = {  # by a noun of the collection: what a message says that names none of its records
    "job": r"fired|sacked|dismissed|laid off|let (?:me )?go|redundant|resigned|retired|notice|quit|left",
    "medicine": r"off (?:it|them|that)|stopped|quit|dropped|no longer|not taking",
    "residence": r"moved|evicted|kicked|thrown out|sold up",
    "purchase": r"(?:sent|took|taken|gave|brought) (?:it|them|that|this) back|off my hands",
    "practice": r"(?:gave|given|giving) (?:it |that |them )?up",
}  # fmt: skip
Words = set[str]


@dataclass(frozen=True)
class _Coming:
    """An answer, the question, and the tables that it is of."""

    answer: Answer
    asked: Asked
    tables: tuple[Table, ...]
    words: tuple[str, ...]  # the telling words of the question, as stems

    @property
    def nouns(self) -> Words:
        return {n for t in self.tables for n in (*t.nouns, *t.own)}


def uncounted(answer: Answer, asked: Asked, *, amounts: bool) -> str:
    """Say in a line what may change an answer; empty where nothing does. `amounts`: any message with a sum of money may."""
    ids = {r.id for r in answer.records}
    of = {asked.world.table_of[id].name for id in ids if id in asked.world.table_of}
    tables = tuple(t for t in asked.world.tables.values() if t.name in of or re.search(rf"\b{t.name}\b", answer.code or ""))
    sought = tuple(map(stem, looked_for(asked.question, asked.today)[0]))
    c = _Coming(answer, asked, tables, sought)
    messages = {e.id: e for e in (*_asked_for(c, amounts), *_of_those_days(c), *_later(c), *_done(c))}
    known = coverage(asked.log) if messages else None
    unread: list[str] = []
    partly: list[str] = []
    if known:
        sources = {s for t in asked.world.tables.values() for r in t.records for s in r.source}
        open = {*known.unread} - (sources - {*known.partly})
        left = [messages[id] for id in sorted(messages.keys() & open, reverse=True)]
        partly = [_quoted(e) for e in left if e.id in known.partly]
        unread = [_quoted(e) for e in left if e.id not in known.partly]
    waiting = [f"{_quoted(entry)} (#{id})" for id, entry in dict(_proposed(c)).items()]
    parts = _told(unread, "nobody has read"), _told(partly, "was read in part"), _told(waiting, "waits for your review")
    return f"not counted yet: {'; '.join(filter(None, parts))}" if any(parts) else ""


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


def _asked_for(c: _Coming, amounts: bool) -> Iterator[Entry]:
    """Messages that speak of what was asked."""
    sought, times = looked_for(c.asked.question, c.asked.today)
    yield from _fresh(c, sought, LOOKED, lambda e: _speaks(roots(e.text, e.caption), set(c.words), c.nouns))
    if amounts and sought:
        start = window(times[-1])[0] if times else None
        end = min(window(times[-1])[1], c.asked.today) if times else c.asked.today
        near = c.asked.log.chosen(kinds=("message",), start=start, end=end, limit=200).entries
        yield from (e for e in near if AMOUNT.search(e.text) and _counts(e, c))


def _done(c: _Coming) -> Iterator[Entry]:
    """Messages in which the user does what is done with the records of an answer: "I moved", of where somebody lives."""
    if len(c.tables) != 1 or any(getattr(r, "who", "me") != "me" for r in c.answer.records) or c.tables[0].names_others:
        return
    verbs = c.tables[0].verbs - LIGHT
    if verbs and not set(c.words) - c.nouns - c.tables[0].verbs:
        yield from _fresh(c, sorted(verbs), LOOKED, lambda e: _does(e.text, verbs))


def _does(text: str, verbs: Iterable[str]) -> bool:
    """Whether a text says "I" and, a word or two behind it, one of some verbs."""
    said = [w.text for w in words(text)]
    return any({*map(stem, said[n + 1 : n + 4])} & {*verbs} for n, w in enumerate(said) if w in ("i", "we"))


def _of_those_days(c: _Coming) -> Iterator[Entry]:
    """Messages that name a day of the time for which a question wants all that there is."""
    times = periods(c.asked.question, c.asked.today)
    if c.words or len(times) != 1:
        return
    low, high = window(times[0])
    for entry in c.asked.log.between(low, high):
        if _counts(entry, c) and any(low <= s.first and s.last <= high for s in named(entry.text, entry.day)):
            yield entry


def _later(c: _Coming) -> Iterator[Entry]:
    """Messages that speak of a record, or that it is over, and were said after it; of very many records, none."""
    if len(c.answer.records) > MANY:
        return
    of = {r.id: t for t in c.tables for r in c.answer.records if c.asked.world.table_of.get(r.id) is t}
    records = [r for r in c.answer.records if r.id in of and not of[r.id].names_others and r.source]
    if not records:
        return
    telling = {r.id: _telling(r, of[r.id]) for r in records}
    about = {r.id: _about(r, of[r.id]) for r in records} if len(records) <= NAMED else {}
    last = {e.id: e for e in c.asked.log.entries(ids=[max(r.source) for r in records])}

    def bears(entry: Entry) -> bool:
        said = roots(entry.text, entry.caption)
        return any(
            _after(entry, last.get(max(r.source)))
            and (0 < len(telling[r.id]) <= 2 * len(telling[r.id] & said) or bool(about.get(r.id, set()) & said))
            for r in records
        )

    def over(entry: Entry) -> bool:
        mine = [r for r in records if getattr(r, "who", "me") == "me" and _after(entry, last.get(max(r.source)))]
        return any(_ends(entry.text, of[r.id]) for r in mine)

    since = min((e.day for e in last.values()), default=None)
    every = list(dict.fromkeys(w for some in (*telling.values(), *about.values()) for w in sorted(some)))
    yield from _fresh(c, every, LOOKED + 10 * len(records), bears, since, again=True)
    if about:
        during = (since, max(since, c.asked.today)) if since else None
        said = " ".join(sorted({w for pattern in _IS_OVER.values() for w in re.findall(r"[a-z]{4,}", pattern)}))
        hits = c.asked.log.search(said, 2 * LOOKED, during=during)
        yield from (hit.entry for hit in hits if _counts(hit.entry, c, again=True) and over(hit.entry))


def _ends(text: str, table: Table) -> bool:
    """Whether a text says in few words that something of a kind is over, and names nothing."""
    patterns = [p for noun, p in _IS_OVER.items() if noun in table.nouns]
    clauses = re.split(r"[.!?;,:\n–—]| and | but | because | so ", text)
    return any(
        len(words(clause)) <= 8 and re.search(rf"\b(?:{p})\b", clause, re.IGNORECASE) for p in patterns for clause in clauses
    )


def _fresh(c: _Coming, sought: Sequence[str], most: int, bears: Callable[[Entry], bool], since: date | None = None, *,
           again: bool = False) -> Iterator[Entry]:  # fmt: skip
    """Yield the user's messages with any of some words that no record rests on, or (`again`) one may, and that bear on it."""
    during = (since, max(since, c.asked.today)) if since else None
    hits = c.asked.log.search(query(sought), most, during=during) if sought else []
    yield from (hit.entry for hit in hits if _counts(hit.entry, c, again=again) and bears(hit.entry))


def _counts(entry: Entry, c: _Coming, *, again: bool = False) -> bool:
    """Whether it is a message in which the user told something that no record of the answer rests on, or (`again`) one may."""
    told = entry.kind == "message" and entry.role == "user" and not asks(entry)
    used = {s for r in c.answer.records[:MANY] for s in r.source} if not again else set()
    return told and entry.id not in used and told_by(entry, c.asked.log, c.asked.today)


def _after(entry: Entry, other: Entry | None) -> bool:
    return other is None or (entry.day, entry.id) > (other.day, other.id)


def _speaks(said: Words, sought: Words, nouns: Words) -> bool:
    """Whether it has more than half of some words; or all of those that are not just the name of the collection."""
    own = sought - nouns
    return 2 * len(said & sought) > len(sought) or bool(own and own <= said)


def _telling(record: Any, table: Table) -> Words:
    """Return the words that tell a record from others of its collection."""
    found = {w for w in stems(name(record)) if w not in _LITTLE | LIGHT and not w[0].isdigit()}
    return found if len(table.records) <= FEW else found - table.nouns


def _about(record: Any, table: Table) -> Words:
    """Return all words that name what a record is about: of its title, role, employer, substance …"""
    fields = [
        f
        for f in table.fields
        if f.textual and not (f.choices or f.free or f.name in ("dose", "how_often", "country", "category"))
    ]
    held = [getattr(record, f.name) or () for f in fields]
    texts = [t for v in held for t in ((v,) if isinstance(v, str) else v)]
    found = {w for t in (name(record), *texts) for w in stems(t)}
    return {w for w in found if not w[0].isdigit() and len(w) > 1} - _LITTLE - LIGHT - table.nouns


# --- changes that wait, and those that came later ---


def _proposed(c: _Coming) -> Iterator[tuple[int, Entry]]:
    """Yield the changes that wait, with the message behind each: of a record of the answer, or one of what was asked for."""
    log = c.asked.log
    changes = [e for e in log.entries(kinds=("change",)) if not e.forgotten and ('"propose"' in e.text or "answers" in e.data)]
    if not changes:
        return
    undone = undone_batches(log)
    changes = [e for e in changes if e.data["batch"] not in undone]
    answered = {e.data["answers"] for e in changes if "answers" in e.data}
    ids, names = {r.id for r in c.answer.records}, {t.name for t in c.tables}
    sought = set(c.words) - c.nouns
    for entry in changes:
        change = json.loads(entry.text).get("proposed") if '"propose"' in entry.text and entry.id not in answered else None
        if change is None:
            continue
        said = list(log.entries(kinds=("message", "edit"), ids=change.get("source", [])))
        values = [v for v in change.get("values", {}).values() if isinstance(v, str)]
        adds = change.get("collection") in names and (
            not sought or _speaks(roots(*(e.text for e in said), *values), sought, set())
        )
        if said and (adds or rests_on(change) & ids):
            yield entry.id, said[-1]


def changed_later(answer: Answer, asked: Asked, fields: set[str]) -> Entry | None:
    """Return what was said after the time that is asked about and changed, in place, a field that the answer rests on."""
    times = list(asked.read.times.values())
    end = times[0][1].when.last if len(times) == 1 else asked.today
    ids = {r.id for r in answer.records if len(r.source) > 1}
    if end >= asked.today or not ids:
        return None
    undone = undone_batches(asked.log)
    entries = [e for e in asked.log.entries(kinds=("change",)) if '"amend"' in e.text and not e.forgotten]
    changes: list[Mapping[str, Any]] = [json.loads(e.text) for e in entries if e.data["batch"] not in undone]
    found = [c for c in changes if c.get("change") == "amend" and c.get("id") in ids and set(c.get("set") or ()) & fields]
    said = [e for c in found for e in asked.log.entries(ids=c["source"])]
    return next((e for e in said if e.day > end), None)
