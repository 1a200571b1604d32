"""`ask`: computed over the project where the question is about records, else recalled from the log, else not recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from uac_nb.ask import agenda, ages, avoiding, countdown, portrait, said, spending
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.one import computed
from uac_nb.ask.patterns import either, lists, meanings
from uac_nb.ask.plan import Plan
from uac_nb.ask.recall import mentions, recall, unread
from uac_nb.ask.scene import Lost
from uac_nb.ask.view import View
from uac_nb.ask.words import plain, singular, singulars
from uac_nb.ask.world import Runs, WorkspaceLike, World, look
from uac_nb.log import Log
from uac_nb.model import Model
from uac_nb.rules import listed

# Questions about more than one collection, or about none. Each answers, or leaves the question to the next.
WIDE = (said.answer, avoiding.answer, ages.answer, countdown.answer, portrait.answer)


def ask(question: str, *, workspace: WorkspaceLike, engine: Runs, log: Log, today: date, model: Model | None = None) -> Answer:
    """Answer a question about the user, on a day.

    Patterns that need no model come first, and answer only what they surely understand. Raise RunError or CheckError when
    the query of an answer cannot run, and ModelError when a model is needed and does not answer.
    """
    world = look(workspace, today)
    asked = Asked(question, world, engine, log)
    answer = next((found for reading in WIDE if (found := reading(asked))), None)
    reason = ""
    try:
        answer = answer or _planned(asked)
    except Lost as lost:
        reason = str(lost)
    answer = answer or portrait.thing(asked)
    if model is not None and (answer is None or answer.channel == "unknown"):
        from uac_nb.ask.consult import consult

        return consult(question, world=world, engine=engine, log=log, model=model)
    if answer is not None and answer.channel == "computed":
        return _warned(answer, asked)
    return answer or recall(question, log, today) or _unknown(question, world, log, reason)


def _warned(answer: Answer, asked: Asked) -> Answer:
    """Say which messages it may leave out, since nothing was made of them yet."""
    known = {source for view in asked.world.views for record in view.records for source in record.source}
    left = unread(answer.question, asked.log, asked.world.today, known=known, amounts=spending.asks(asked))
    return replace(answer, note="; ".join(filter(None, (answer.note, left)))) if left else answer


def _planned(asked: Asked) -> Answer | None:
    """Answer from one collection, or from several that the question is about at once. Raise Lost when it is not understood."""
    if parts := spending.parts(asked.question, asked.world):
        return spending.answer(asked, parts)
    plans = meanings(asked.question, asked.world)
    spending.check(asked, plans)
    if len(plans) == 1:
        return computed(asked, plans[0])
    return agenda.answer(asked, plans) if all(map(lists, plans)) else _agreed(asked, plans)


def _agreed(asked: Asked, plans: Sequence[Plan]) -> Answer | None:
    """The answer that all collections give that a question may be about. Raise Lost where they differ."""
    found = [computed(asked, plan) for plan in plans]
    known = [answer for answer in found if answer and answer.channel == "computed"]
    if known and all(a.value is True for a in known):
        return known[0]
    if known and len(known) == len(found) and all(a.value == known[0].value for a in known):
        return known[0]
    raise Lost(either(plans))


def _unknown(question: str, world: World, log: Log, why: str) -> Answer:
    """Say what was looked at."""
    spoken = singulars(plain(question))
    about = [view for view in world.views if any(f" {noun} " in f" {spoken} " for noun in view.nouns)]
    looked = f"looked at {listed(map(_counted, about))}" if about else "no collection is about this"
    looked += f" ({why})" if why else ""
    text = f"Not recorded: {'; '.join(filter(None, (looked, mentions(question, log, world.today))))}."
    return Answer(question=question, value=None, text=text, channel="unknown")


def _counted(view: View) -> str:
    """How many records a collection holds: "3 trips", "1 trip"."""
    count = len(view.records)
    return f"{count} {singular(view.name) if count == 1 else view.name}"
