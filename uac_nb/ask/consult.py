"""Asking a model: it writes a query over the records, or answers in words, or says that nothing tells.

It is shown the records nearest to the question, the entries that may tell of it, and how many there are besides. A query is
run like any code that somebody else wrote; what goes wrong with it is told to the model, `ROUNDS` times at most. An answer in
words has to cite records or entries that it was shown. Everything from texts is fenced as data.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from heapq import nlargest
from typing import Any

from uac_nb.ask.answer import Answer, in_words
from uac_nb.ask.people import Runs, derived
from uac_nb.ask.recall import behind, looked_for, query, told_by, window
from uac_nb.ask.table import World, evidence
from uac_nb.ask.words import stems
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.records import type_of
from uac_nb.domainfile.render import render_record
from uac_nb.english.days import Span
from uac_nb.errors import CheckError, ReplyError, RunError
from uac_nb.log import Call, Entry, Hit, Log
from uac_nb.model import Message, Model, Reply, Request
from uac_nb.model.prompts import data, fence, fill
from uac_nb.model.prompts.context import shown as message
from uac_nb.model.prompts.context import signature
from uac_nb.model.replies import read_object
from uac_nb.rules import Unknown

ROUNDS = 3  # the first answer, and two repairs
MAKERS = frozenset(("When", "Money", "Unknown", "continent"))
TOKENS = 2_048  # that an answer may have
SCHEMA = {
    "type": "object",
    "properties": {
        "code": {"type": "string"},
        "text": {"type": "string"},
        "entries": {"type": "array", "items": {"type": "integer"}},
        "records": {"type": "array", "items": {"type": "string"}},
        "unknown": {"type": "string"},
    },
    "additionalProperties": False,
}


class Trouble(Exception):
    """What is wrong with an answer of the model, to be told to it."""


def consult(question: str, *, world: World, today: date, engine: Runs, log: Log, model: Model) -> Answer:
    """Have a model answer. Raise ModelError when it does not; an answer that stays wrong becomes "unknown"."""
    shown = show(question, world, today, log)
    messages = _opening(question, world, today, shown)
    sources = tuple(sorted({*evidence(shown.records), *shown.behind, *(id for ids in shown.behind.values() for id in ids)}))
    trouble = ""
    for number in range(1, ROUNDS + 1):
        request = Request(purpose="ask", messages=messages, schema=SCHEMA, max_tokens=TOKENS, entries=sources, round=number)
        reply = model.complete(request)
        log.add_call(_call(request, reply))
        try:
            return _noted(_answer(question, reply, world, today, engine, shown), reply)
        except (Trouble, ReplyError) as error:
            trouble = str(error)
            messages = (*messages, _message("assistant", reply.text), _message("user", _repair(trouble)))
    return Answer(
        question=question,
        value=None,
        text="Not recorded, as far as the model could tell: none of its queries ran.",
        channel="unknown",
        note=f"the last trouble: {trouble}",
    )


# --- asking ---


def _opening(question: str, world: World, today: date, shown: Shown) -> tuple[Message, ...]:
    told = fill(
        "ask",
        question=data(question),
        today=f"{today:%A}, {today}",
        types=fence("types", shown.types),
        derived=fence("derived", (data({"call": f"{d.name}()", "tells": d.doc}) for d in derived(world.rules))),
        records=fence("records", (_cut(render_record(record, width=100_000)) for record in shown.records)),
        entries=fence("entries", shown.lines),
    )
    instructions, _, context = told.partition("\n# What is recorded\n")
    return _message("system", instructions.strip()), _message("user", f"# What is recorded\n{context.strip()}")


def _message(role: str, text: str) -> Message:
    return {"role": role, "content": text}


def _repair(trouble: str) -> str:
    return f"That could not be used: {data(trouble)}. Answer again with one JSON object, put right."


def _call(request: Request, reply: Reply) -> Call:
    return Call(
        purpose=request.purpose, model=reply.model, request={"prompt": request.digest, "recorded": reply.recorded},
        reply=reply.text, entries=request.entries, round=request.round, prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens, seconds=reply.seconds, finish=reply.finish,
    )  # fmt: skip


# --- reading the answer ---


def _answer(question: str, reply: Reply, world: World, today: date, engine: Runs, shown: Shown) -> Answer:
    told, _ = read_object(reply.text, ("code", "text", "unknown"), reply.finish)
    if isinstance(told.get("code"), str) and told["code"].strip():
        return _computed(question, told["code"], world, today, engine)
    if isinstance(told.get("text"), str) and told["text"].strip():
        return _in_words(question, told["text"].strip(), told, world, shown)
    return _unknown(question, str(told.get("unknown") or ""))


def _computed(question: str, code: str, world: World, today: date, engine: Runs) -> Answer:
    try:
        ran = engine.run(code, today=today)
    except (CheckError, RunError) as error:
        raise Trouble(str(error)) from None
    if ran.value is None:
        raise Trouble('the code gave None, which is no answer; its last line is an expression, else Unknown("no such …")')
    if isinstance(ran.value, Unknown):
        return replace(_unknown(question, ran.value.because), code=code)
    if not _reads(code):
        raise Trouble('the code reads neither a collection nor `today`, so its answer is nobody\'s; else {"unknown": "…"}')
    records = world.found(ran.records)
    return Answer(
        question=question, value=ran.value, text=in_words(ran.value), channel="computed", code=code, records=records,
        evidence=evidence(records), note="" if records else "the query names no records, so there is no evidence to show",
    )  # fmt: skip


def _reads(code: str) -> bool:
    """Whether a query uses anything that is bound for it, beside the words that only make values."""
    names = [node for node in ast.walk(parse(code)) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return bool({node.id for node in names} - own - set(dir(builtins)) - MAKERS)


def _in_words(question: str, text: str, told: Mapping[str, Any], world: World, shown: Shown) -> Answer:
    """An answer in words: what it cites has to have been shown, and stands behind it as messages, not as what we derived."""
    entries = [id for id in _list(told.get("entries")) if isinstance(id, int)]
    ids = [id for id in _list(told.get("records")) if isinstance(id, str)]
    behind = {id: (id,) for id in evidence(shown.records)} | dict(shown.behind)
    unseen = [str(id) for id in entries if id not in behind]
    unseen += [id for id in ids if id not in {record.id for record in shown.records}]
    if unseen:
        raise Trouble(
            f"{', '.join(unseen)} was not shown; cite shown ids only, of entries in `entries`, of records in `records`"
        )
    if not (entries or ids):
        raise Trouble("it cites nothing; an answer in words cites, in `entries` and `records`, what says so")
    records = world.found(ids)
    said = {source for id in entries for source in behind[id]}
    return Answer(
        question=question, value=text, text=text, channel="recalled", records=records,
        evidence=tuple(sorted({*said, *evidence(records)})), note="as a model read what is recorded",
    )  # fmt: skip


def _unknown(question: str, why: str) -> Answer:
    why = why.strip().rstrip(".")
    return Answer(question=question, value=None, text=f"Not recorded{f': {why}' if why else ''}.", channel="unknown")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _noted(answer: Answer, reply: Reply) -> Answer:
    if not reply.stale:
        return answer
    return replace(answer, note="; ".join(filter(None, (answer.note, "this reply was recorded for another prompt"))))


# --- what it is shown ---

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


def show(question: str, world: World, today: date, log: Log) -> Shown:
    """Choose what a model may need for a question; nothing that was said after the day of the world."""
    spoken, periods = looked_for(question, today)
    hits = _hits(query(spoken), periods[-1:], log)
    told = [e.id for hit in hits if told_by(hit.entry, log, today) for e in behind(hit.entry, log)]
    near = _nearest(_asked(question, world, today), told, world)
    records = [*near, *_examples(near, world)]
    entries = _entries(hits, periods[-1:], near, today, log)
    sources = {entry.id: behind(entry, log) for entry in entries}
    return Shown(
        records=tuple(records),
        entries=tuple(entries),
        types=tuple(_types(records, world)),
        lines=tuple(_cut(data(_line(entry, sources[entry.id]))) for entry in entries),
        behind={id: tuple(e.id for e in of) for id, of in sources.items()},
    )


def _asked(question: str, world: World, today: date) -> frozenset[str]:
    """The telling words of a question, and the ids of the people that it names."""
    spoken, _ = looked_for(question, today)
    said = stems(question)
    runs = (said[at : at + n] for n in range(1, 4) for at in range(len(said) - n + 1))
    named = dict.fromkeys(id for run in runs for id in world.people.get(run, ()))
    return _roots([*spoken, *(id.replace("-", " ") for id in named)])


# --- records ---


def _nearest(asked: frozenset[str], told: Sequence[int], world: World) -> list[Any]:
    """The records that share words with a question or rest on what was told of it, the nearest first; of a small memory all."""
    every = [record for view in world.tables.values() for record in view.records]
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
    for view in world.tables.values():
        missing = FEWEST - sum(record.id in ids for record in view.records)
        yield from [record for record in view.records if record.id not in ids][-missing:] if missing > 0 else []


def _texts(record: Any) -> Iterator[str]:
    for field in type_of(record).fields:
        value = getattr(record, field.name)
        for text in (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ():
            if isinstance(text, str):
                yield text.replace("-", " ")


def _roots(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in stems(text))


def _types(records: Iterable[Any], world: World) -> Iterator[str]:
    ids = {record.id for record in records}
    for view in world.tables.values():
        more = sum(record.id not in ids for record in view.records)
        yield f"{signature(view.name, view.type)} — {len(view.records)} records, {f'{more} more' if more else 'all shown'}"


# --- entries ---


def _hits(words: str, periods: Sequence[Span], log: Log) -> list[Hit]:
    """The entries that fit the words best, those of the time that is asked about first."""
    then = [hit for period in periods for hit in log.search(words, HITS // 2, during=window(period))]
    return list({hit.entry.id: hit for hit in (*then, *log.search(words, HITS))}.values())


def _entries(hits: Sequence[Hit], periods: Sequence[Span], near: Iterable[Any], today: date, log: Log) -> list[Entry]:
    """Those that fit the question, with the turns around the best, or else the last; and those behind the nearest records."""
    found = [hit.entry for hit in hits]
    for period in periods:
        found += log.between(*window(period))[: HITS // 2]
    if len(found) < HITS:
        found += log.chosen(kinds=("message",), end=today, limit=HITS - len(found)).entries
    found += [entry for hit in hits[:BEST] for entry in hit.neighbours]
    known = {entry.id for entry in found}
    sources = [id for id in dict.fromkeys(id for record in near for id in sorted(record.source)) if id not in known]
    found += log.entries(kinds=("message", "edit"), ids=sources[:SOURCES]) if sources else ()
    told = {entry.id: entry for entry in found if told_by(entry, log, today)}
    return [told[id] for id in sorted(told)]


def _line(entry: Entry, sources: Sequence[Entry]) -> dict[str, Any]:
    """An entry as the model sees it; of what was derived from others, the day these were said."""
    if entry.kind != "fact":
        return message(entry)
    days = sorted({f"{e.day} {e.day:%A}" for e in sources if e.said_at})
    told = {"id": entry.id, "derived": [e.id for e in sources], "said": " and ".join(days), "text": entry.text}
    return {key: value for key, value in told.items() if value}


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}… ({len(line)} characters)"
