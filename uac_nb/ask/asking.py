"""`ask`: computed over the project where the question is about records, else recalled from the log, else not recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NoReturn

from uac_nb.ask import (
    agenda,
    ages,
    avoiding,
    changed,
    contacts,
    countdown,
    derived,
    myself,
    noted,
    portrait,
    returning,
    said,
    spending,
    things,
    told,
    whereabouts,
)
from uac_nb.ask.about import whom
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.one import computed
from uac_nb.ask.patterns import either, lists, meanings
from uac_nb.ask.pending import uncounted
from uac_nb.ask.plan import Plan
from uac_nb.ask.question import undated
from uac_nb.ask.recall import looked_for, mentions, recall, roots, short
from uac_nb.ask.scene import Lost
from uac_nb.ask.view import View
from uac_nb.ask.words import singular, singulars
from uac_nb.ask.world import Runs, WorkspaceLike, look
from uac_nb.log import Log
from uac_nb.model import Model
from uac_nb.rules import day, listed, name

FEW = 3  # records that are told where none answers a question

# Questions about more than one collection, or about none. Each answers, or leaves the question to the next.
WIDE = (
    myself.answer, derived.answer, said.answer, avoiding.answer, ages.answer, countdown.answer, contacts.answer,
    returning.answer, whereabouts.on_a_day, portrait.answer,
)  # fmt: skip
LAST = (ages.unborn, told.answer, whereabouts.answer, portrait.mention, portrait.thing)  # … where no collection has an answer


def ask(question: str, *, workspace: WorkspaceLike, engine: Runs, log: Log, today: date, model: Model | None = None) -> Answer:
    """Answer a question about the user, on a day.

    Patterns that need no model come first, and answer only what they surely understand; where they find nothing, nothing
    exact or only words, a model is asked. Raise RunError or CheckError when the query of an answer cannot run, and ModelError
    when a model is needed and does not answer.
    """
    world = changed.as_then(look(workspace, today, log), question, log)
    asked = Asked(question, world, engine, log)
    if not asked.words.strip():
        return asked.unknown("nothing was asked; ask something, as “where do I live?”")
    found = [(each, *_computed(each)) for each in myself.readings(asked)]
    mine, answer, why = next((each for each in found if each[1] and each[1].channel == "computed"), found[0])
    if model is not None and not _sure(answer):
        from uac_nb.ask.consult import consult

        consulted = consult(question, world=asked.world, engine=engine, log=log, model=model)
        answer = consulted if consulted.channel != "unknown" or not _inexact(answer) else answer
    if answer is not None and answer.channel == "computed":
        answer = _warned(answer, mine)
    answer = answer or noted.answer(mine) or recall(mine.question, log, today, asked.world.people) or _unknown(mine, why)
    notes = answer.note, derived.beside(answer, mine), myself.namesake(asked) if answer.channel == "computed" else ""
    return replace(answer, question=question, note="; ".join(filter(None, notes)))


def _computed(asked: Asked) -> tuple[Answer | None, Lost]:
    """The answer from the records, or what they say instead of one; and why there is none."""
    answer = next((found for reading in WIDE if (found := reading(asked))), None)
    why = Lost()
    try:
        answer = answer or _planned(asked)
    except Lost as lost:
        why = lost
    answer = answer or next((found for reading in LAST if (found := reading(asked))), None)
    return answer, why


def _sure(answer: Answer | None) -> bool:
    """Whether it was computed, and exactly."""
    return answer is not None and answer.channel == "computed" and not _inexact(answer)


def _inexact(answer: Answer | None) -> bool:
    return answer is not None and answer.channel == "computed" and isinstance(answer.value, tuple)


def _warned(answer: Answer, asked: Asked) -> Answer:
    """Say what it may leave out, since it is a note, or nothing was made of it yet."""
    then = changed.note((r.id for r in answer.records), asked.world, asked.log)
    more = then, noted.beside(answer, asked), _told_later(answer, asked), uncounted(answer, asked, amounts=spending.asks(asked))
    return replace(answer, note="; ".join(filter(None, (answer.note, *more))))


def _told_later(answer: Answer, asked: Asked) -> str:
    """Say which of the words behind an answer of a day that lies back were told later."""
    later = (
        [entry for entry in asked.log.entries(ids=answer.evidence) if entry.day > asked.world.today] if answer.evidence else []
    )
    quotes = [f"entry {entry.id} of {day(entry.day)}, “{short(entry)}”" for entry in later[:FEW]]
    return f"told later, and part of what is known now: {listed(quotes)}" if quotes else ""


def _planned(asked: Asked) -> Answer | None:
    """Answer from one collection, or from several that the question is about at once. Raise Lost when it is not understood."""
    if parts := spending.parts(asked.question, asked.world):
        return spending.answer(asked, parts)
    plans = meanings(asked.question, asked.world)
    spending.check(asked, plans)
    if len(plans) == 1 and not (lists(plans[0]) and agenda.everything(asked)):
        answer = computed(asked, plans[0])
        answer = _ahead(asked) or answer if answer and not answer.value and undated(asked.question) else answer
        return answer or _none(plans)
    return agenda.answer(asked, plans) or _none(plans) if all(map(lists, plans)) else _agreed(asked, plans)


def _none(plans: Sequence[Plan]) -> NoReturn:
    """Say which collections have nothing of what was asked."""
    raise Lost(reasons={plan.view.name: "none such" for plan in plans if plan.view.records})


def _ahead(asked: Asked) -> Answer | None:
    """What is planned for a time of no year, of which the last one has nothing: "how many meetings in May"."""
    plans = meanings(asked.question, asked.world, "ahead")
    later = computed(asked, plans[0]) if len(plans) == 1 else None
    return later if later and later.value else None


def _agreed(asked: Asked, plans: Sequence[Plan]) -> Answer | None:
    """The answer that all collections give that a question may be about. Raise Lost where they differ."""
    found = [computed(asked, plan) for plan in plans]
    known = [answer for answer in found if answer and answer.channel == "computed"]
    if known and all(a.value is True for a in known):
        return known[0]
    if known and len(known) == len(found) and all(a.value == known[0].value for a in known):
        return known[0]
    raise Lost(either(plans))


def _unknown(asked: Asked, why: Lost) -> Answer:
    """Say what was looked at, what it holds, and which messages have the words."""
    spoken = singulars(asked.words)
    views = asked.world.views
    near = _near(asked)
    about = [
        view for view in views if view.name in why.reasons or _is_about(view, spoken) or any(r in view.records for r in near)
    ]
    looked = [f"{_counted(view)}{f' ({reason})' if (reason := why.reasons.get(view.name)) else ''}" for view in about]
    told = f"looked at {listed(looked)}" if about else "no collection is about this"
    told += f" ({why})" if str(why) else ""
    known = f"recorded is {'; '.join(things.whole(r, asked.world) for r in near)}" if near else ""
    parts = told, known, mentions(asked.question, asked.log, asked.world.today)
    answer = replace(asked.unknown("; ".join(filter(None, parts))), records=tuple(near))
    alone = not looked_for(asked.question, asked.world.today)[0]  # it names no more than a time
    return replace(answer, note=uncounted(answer, asked, amounts=False)) if near or alone else answer


def _is_about(view: View, spoken: str) -> bool:
    return any(f" {noun} " in f" {spoken} " for noun in view.nouns | view.near_nouns)


def _near(asked: Asked) -> list[Any]:
    """The few records that have most of the telling words of a question in their names."""
    words = set(looked_for(asked.question, asked.world.today)[0])
    scores = [(len(words & roots(name(r)) - _nouns(view)), r) for view in asked.world.views for r in view.records]
    asked_about = whom(asked.question, asked.world.people)
    scores = [(score, r) for score, r in scores if getattr(r, "who", "me") != "me" or not asked_about.names - roots(name(r))]
    best = max((score for score, _ in scores), default=0)
    found = [r for score, r in scores if score == best > 0]
    return found if len(found) <= FEW else []


def _nouns(view: View) -> set[str]:
    return {word for noun in view.nouns for word in noun.split()}


def _counted(view: View) -> str:
    """How many records a collection holds: "3 trips", "1 trip"."""
    count = len(view.records)
    return f"{count} {singular(view.name) if count == 1 else view.name}"
