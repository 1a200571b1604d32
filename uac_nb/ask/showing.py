"""What a model is shown of a memory for one question: the records nearest to it, and the entries that may tell of it.

Nothing is left out in silence: of each collection it is said how many records there are besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Any

from uac_nb.ask.periods import Period
from uac_nb.ask.recall import behind, looked_for, told_by
from uac_nb.ask.words import plain, root
from uac_nb.ask.world import World
from uac_nb.domainfile.records import type_of
from uac_nb.log import Entry, Hit, Log
from uac_nb.model.prompts import data
from uac_nb.model.prompts.context import shown as message
from uac_nb.model.prompts.context import signature

MOST = 40  # records; of a smaller memory all
FEWEST = 2  # of each collection, as examples
HITS = 20  # entries that have words of the question; where too few do, the last messages
BEST = 6  # of these are shown with the turns around them, since a question and its answer share few words
SOURCES = 12  # entries behind the nearest records
LONGEST = 2_000  # characters of one line


@dataclass(frozen=True, slots=True)
class Shown:
    """Records, the nearest first; entries in the order they were said, derived facts among them; the lines of both."""

    records: tuple[Any, ...]
    entries: tuple[Entry, ...]
    types: tuple[str, ...]
    lines: tuple[str, ...]  # of the entries
    behind: dict[int, tuple[int, ...]]  # the messages that an entry stands for


def show(question: str, world: World, log: Log) -> Shown:
    """Choose what a model may need for a question; nothing that was said after the day of the world."""
    spoken, periods = looked_for(question, world.today)
    hits = _hits(" ".join(spoken), periods[-1:], log)
    told = [e.id for hit in hits if told_by(hit.entry, log, world.today) for e in behind(hit.entry, log)]
    near = _nearest(_asked(question, world), told, world)
    records = [*near, *_examples(near, world)]
    entries = _entries(hits, periods[-1:], near, world, log)
    sources = {entry.id: behind(entry, log) for entry in entries}
    return Shown(
        records=tuple(records),
        entries=tuple(entries),
        types=tuple(_types(records, world)),
        lines=tuple(_short(data(_line(entry, sources[entry.id]))) for entry in entries),
        behind={id: tuple(e.id for e in of) for id, of in sources.items()},
    )


def _asked(question: str, world: World) -> frozenset[str]:
    """The telling words of a question, and the ids of the people that it names."""
    spoken, _ = looked_for(question, world.today)
    said = f" {plain(question).strip()} "
    named = dict.fromkeys(id for phrase, ids in world.people if f" {phrase} " in said for id in ids)
    return _roots([*spoken, *(id.replace("-", " ") for id in named)])


# --- records ---


def _nearest(asked: frozenset[str], told: Sequence[int], world: World) -> list[Any]:
    """The records that share words with a question or rest on what was told of it, the nearest first; of a small memory all."""
    every = [record for view in world.views for record in view.records]
    hits = [asked & _roots(_texts(record)) for record in every]
    common = Counter(word for hit in hits for word in hit)
    ranks = {id: 1 / place for place, id in enumerate(dict.fromkeys(told), 2)}
    scores = [
        sum(1 / common[word] for word in hit) + max((ranks.get(id, 0) for id in record.source), default=0)
        for hit, record in zip(hits, every, strict=True)
    ]
    candidates = range(len(every)) if len(every) <= MOST else [n for n, score in enumerate(scores) if score]
    return [every[n] for n in nlargest(MOST, candidates, key=lambda n: (scores[n], max(every[n].source, default=0), -n))]


def _examples(near: Sequence[Any], world: World) -> Iterator[Any]:
    """The last records of each collection, where too few are shown to tell what they are like."""
    ids = {record.id for record in near}
    for view in world.views:
        missing = FEWEST - sum(record.id in ids for record in view.records)
        yield from [record for record in view.records if record.id not in ids][-missing:] if missing > 0 else []


def _texts(record: Any) -> Iterator[str]:
    for field in type_of(record).fields:
        value = getattr(record, field.name)
        for text in (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ():
            if isinstance(text, str):
                yield text.replace("-", " ")


def _roots(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(root(word) for text in texts for word in plain(text).split())


def _types(records: Iterable[Any], world: World) -> Iterator[str]:
    ids = {record.id for record in records}
    for view in world.views:
        more = sum(record.id not in ids for record in view.records)
        yield f"{signature(view.name, view.type)} — {len(view.records)} records, {f'{more} more' if more else 'all shown'}"


# --- entries ---


def _hits(words: str, periods: Sequence[Period], log: Log) -> list[Hit]:
    """The entries that fit the words best, those of the time that is asked about first."""
    then = [hit for period in periods for hit in log.search(words, HITS // 2, during=(period.start, period.end))]
    return list({hit.entry.id: hit for hit in (*then, *log.search(words, HITS))}.values())


def _entries(hits: Sequence[Hit], periods: Sequence[Period], near: Iterable[Any], world: World, log: Log) -> list[Entry]:
    """Those that fit the question, with the turns around the best, or else the last; and those behind the nearest records."""
    found = [hit.entry for hit in hits]
    for period in periods:
        found += log.between(period.start, period.end)[: HITS // 2]
    if len(found) < HITS:
        found += log.chosen(kinds=("message",), end=world.today, limit=HITS - len(found)).entries
    found += [entry for hit in hits[:BEST] for entry in hit.neighbours]
    known = {entry.id for entry in found}
    sources = [id for id in dict.fromkeys(id for record in near for id in sorted(record.source)) if id not in known]
    found += log.entries(kinds=("message", "edit"), ids=sources[:SOURCES]) if sources else ()
    told = {entry.id: entry for entry in found if told_by(entry, log, world.today)}
    return [told[id] for id in sorted(told)]


def _line(entry: Entry, sources: Sequence[Entry]) -> dict[str, Any]:
    """An entry as the model sees it; of what was derived from others, the day these were said."""
    if entry.kind != "fact":
        return message(entry)
    days = sorted({f"{e.day} {e.day:%A}" for e in sources if e.said_at})
    told = {"id": entry.id, "derived": [e.id for e in sources], "said": " and ".join(days), "text": entry.text}
    return {key: value for key, value in told.items() if value}


def _short(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}… ({len(line)} characters)"
