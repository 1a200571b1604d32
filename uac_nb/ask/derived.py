"""Derived values, the functions of a project that compute one thing from its records: where one is what a question asks for.

A question is about one when all that it speaks of stands in the name or the docstring of the function, and it speaks of
all that the name has. Where only part of that holds, the value is told beside the answer.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.periods import find
from uac_nb.ask.say import in_words
from uac_nb.ask.words import content, name_words
from uac_nb.errors import RunError
from uac_nb.rules import Unknown
from uac_nb.store.coverage import undone_batches

_BEFORE = re.compile(r" (?:did|was|were|had|will) ")
_YES_OR_NO = re.compile(r" (?:do|does|is|are|am) ")
_ENDING = re.compile(r"(?:ers?|ors?|ings?|ed|e|s)$")


@dataclass(frozen=True)
class Derived:
    """A derived value, as its source has it."""

    name: str
    doc: str

    @cached_property
    def own(self) -> set[str]:
        return _stems(" ".join(name_words(self.name)))

    @cached_property
    def words(self) -> set[str]:
        return self.own | _stems(self.doc)


def answer(asked: Asked) -> Answer | None:
    """The derived value that a question asks for; None where it asks for something else, or for another time."""
    spoken = _stems(asked.question)
    found = [d for d in derived(asked.world.rules) if spoken and d.own <= spoken]
    if len(found) != 1 or _of_another_time(asked):
        return None
    people = spoken & {stem for phrase, _ in asked.world.people for stem in _stems(phrase)}
    if not _YES_OR_NO.match(asked.words):
        return _told(found[0], asked) if spoken <= found[0].words else None
    told = _told(found[0], asked) if spoken <= found[0].words | people else None
    return _whether(told, people) if told else None


def _whether(told: Answer, people: set[str]) -> Answer | None:
    """Yes or no: whether it is so, or whether it is somebody ("does Silke review my manuscripts")."""
    if isinstance(told.value, bool) or told.channel == "unknown":
        return told
    if not isinstance(told.value, str) or not people:
        return None
    same = people <= _stems(told.value)
    return replace(told, value=same, text=f"{'Yes' if same else 'No'}: {told.text}.")


def beside(answer: Answer | None, asked: Asked) -> str:
    """The derived values that a question may ask for; empty where there are none, or one is the answer."""
    spoken = _stems(asked.question)
    found = [d for d in derived(asked.world.rules) if spoken & d.own and (d.own <= spoken or spoken <= d.words)]
    told = [] if answer and answer.code in {f"{d.name}()" for d in found} else [_told(d, asked) for d in found]
    return "; ".join(f"see also {each.note}: {each.text.rstrip('.')}" for each in told if each)


def derived(rules: str) -> Iterator[Derived]:
    """The derived values that a text of rules defines."""
    try:
        tree = ast.parse(rules)
    except SyntaxError:
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(d, ast.Name) and d.id == "derived" for d in node.decorator_list
        ):
            yield Derived(node.name, " ".join((ast.get_docstring(node) or "").split()))


def _stems(text: str) -> set[str]:
    """The telling words of a text without their endings, so that a reviewer is somebody who reviews."""
    return {_ENDING.sub("", word) if len(word) > 4 else word for word in content(text)}


def _of_another_time(asked: Asked) -> bool:
    """Whether a question is about what was, or will be: the value is today's."""
    text, periods = find(asked.words, asked.world.today)
    elsewhen = any(not period.start <= asked.world.today <= period.end for period in periods)
    return elsewhen or _BEFORE.search(text) is not None


def _told(found: Derived, asked: Asked) -> Answer | None:
    """The value, with what its function says of it; None where it cannot be computed, or rests on later words."""
    query, sources = f"{found.name}()", _sources(found.name, asked)
    if any(entry.day > asked.world.today for entry in asked.log.entries(ids=sources)):
        return None
    try:
        value, records = asked.run(query)
    except RunError:
        return None
    doc = f"the derived value {found.name}, “{found.doc.rstrip('.')}”" if found.doc else f"the derived value {found.name}"
    if value is None or isinstance(value, Unknown):
        return Answer(
            question=asked.question,
            value=None,
            text=f"Not recorded: {in_words(value).removeprefix('unknown: ')}.",
            channel="unknown",
            code=query,
            note=doc,
        )
    told = asked.computed(value, in_words(value), query, records, doc)
    return told if told.evidence else replace(told, evidence=sources)


def _sources(name: str, asked: Asked) -> tuple[int, ...]:
    """The messages that a function was written for; none where a person wrote it."""
    undone = undone_batches(asked.log)
    entries = [e for e in asked.log.entries(kinds=("change",)) if '"derive"' in e.text and not e.forgotten]
    changes: list[dict[str, Any]] = [json.loads(e.text) for e in entries if e.data["batch"] not in undone]
    sources = [change["source"] for change in changes if change.get("change") == "derive" and change.get("id") == name]
    return tuple(sources[-1]) if sources else ()
