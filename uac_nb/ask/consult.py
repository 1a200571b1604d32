"""Asking a model: it writes a query over the records, or answers in words, or says that nothing tells.

A query is run like any code that somebody else wrote; what goes wrong with it is told to the model, `ROUNDS` times at most.
An answer in words has to cite records or entries that it was shown. Everything from texts is fenced as data.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from uac_nb.ask import say
from uac_nb.ask.answer import Answer
from uac_nb.ask.derived import derived
from uac_nb.ask.showing import Shown, show
from uac_nb.ask.world import Runs, World, evidence, found
from uac_nb.domainfile.render import render_record
from uac_nb.errors import CheckError, ReplyError, RunError
from uac_nb.log import Call, Log
from uac_nb.model import Message, Model, Reply, Request
from uac_nb.model.prompts import data, fence, fill
from uac_nb.model.replies import read_object
from uac_nb.rules import Unknown

ROUNDS = 3  # the first answer, and two repairs
MAKERS = frozenset(("When", "Money", "Unknown", "continent"))
LONGEST = 2_000  # characters of one record
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


def consult(question: str, *, world: World, engine: Runs, log: Log, model: Model) -> Answer:
    """Have a model answer. Raise ModelError when it does not; an answer that stays wrong becomes "unknown"."""
    shown = show(question, world, log)
    messages = _opening(question, world, shown)
    sources = tuple(sorted({*evidence(shown.records), *shown.behind, *(id for ids in shown.behind.values() for id in ids)}))
    trouble = ""
    for number in range(1, ROUNDS + 1):
        request = Request(purpose="ask", messages=messages, schema=SCHEMA, max_tokens=TOKENS, entries=sources, round=number)
        reply = model.complete(request)
        log.add_call(_call(request, reply))
        try:
            return _noted(_answer(question, reply, world, engine, shown), reply)
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


def _opening(question: str, world: World, shown: Shown) -> tuple[Message, ...]:
    told = fill(
        "ask",
        question=data(question),
        today=f"{world.today:%A}, {world.today}",
        types=fence("types", shown.types),
        derived=fence("derived", (data({"call": f"{d.name}()", "tells": d.doc}) for d in derived(world.rules))),
        records=fence("records", (_short(render_record(record, width=100_000)) for record in shown.records)),
        entries=fence("entries", shown.lines),
    )
    instructions, _, context = told.partition("\n# What is recorded\n")
    return _message("system", instructions.strip()), _message("user", f"# What is recorded\n{context.strip()}")


def _short(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}… ({len(line)} characters)"


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


def _answer(question: str, reply: Reply, world: World, engine: Runs, shown: Shown) -> Answer:
    told, _ = read_object(reply.text, ("code", "text", "unknown"), reply.finish)
    if isinstance(told.get("code"), str) and told["code"].strip():
        return _computed(question, told["code"], world, engine)
    if isinstance(told.get("text"), str) and told["text"].strip():
        return _in_words(question, told["text"].strip(), told, world, shown)
    return _unknown(question, str(told.get("unknown") or ""))


def _computed(question: str, query: str, world: World, engine: Runs) -> Answer:
    try:
        ran = engine.run(query, today=world.today)
    except (CheckError, RunError) as error:
        raise Trouble(str(error)) from None
    if ran.value is None:
        raise Trouble('the code gave None, which is no answer; its last line is an expression, else Unknown("no such …")')
    if isinstance(ran.value, Unknown):
        return replace(_unknown(question, ran.value.because), code=query)
    if not _reads(query):
        raise Trouble('the code reads neither a collection nor `today`, so its answer is nobody\'s; else {"unknown": "…"}')
    records = found(ran.records, world)
    return Answer(
        question=question, value=ran.value, text=say.in_words(ran.value), channel="computed", code=query, records=records,
        evidence=evidence(records), note="" if records else "the query names no records, so there is no evidence to show",
    )  # fmt: skip


def _reads(query: str) -> bool:
    """Whether a query uses anything that is bound for it, beside the words that only make values."""
    names = [node for node in ast.walk(ast.parse(query)) if isinstance(node, ast.Name)]
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
    records = found(ids, world)
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
