"""`ask`: computed over the project where the question is about records, else recalled from the log, else not recorded."""

from __future__ import annotations

from datetime import date
from typing import Any

from uac_nb.ask import code, say
from uac_nb.ask.answer import Answer
from uac_nb.ask.patterns import understand
from uac_nb.ask.plan import Plan
from uac_nb.ask.recall import mentions, recall
from uac_nb.ask.scene import Lost
from uac_nb.ask.view import View
from uac_nb.ask.words import plain, singular, singulars
from uac_nb.ask.world import Runs, WorkspaceLike, World, evidence, found, look
from uac_nb.log import Log
from uac_nb.model import Model
from uac_nb.rules import listed


def ask(question: str, *, workspace: WorkspaceLike, engine: Runs, log: Log, today: date, model: Model | None = None) -> Answer:
    """Answer a question about the user, on a day.

    Patterns that need no model come first, and answer only what they surely understand. Raise RunError or CheckError when
    the query of an answer cannot run, and ModelError when a model is needed and does not answer.
    """
    world = look(workspace, today)
    reason = ""
    try:
        answer = computed(question, understand(question, world), world, engine)
    except Lost as lost:
        answer, reason = None, str(lost)
    if answer is None and model is not None:
        from uac_nb.ask.consult import consult

        return consult(question, world=world, engine=engine, log=log, model=model)
    return answer or recall(question, log, today) or _unknown(question, world, log, reason)


def computed(question: str, plan: Plan, world: World, engine: Runs) -> Answer | None:
    """Run a plan; None where it finds nothing, which only a count can say for sure."""
    query = code.write(plan)
    ran = engine.run(query, today=world.today)
    records = found(ran.records, world)
    if not records and (plan.other or plan.show not in ("count", "distinct", "trend", "more")):
        return None
    if ran.value is None or ran.value == []:
        return None
    value, text = say.said(plan, ran.value, records)
    notes = [say.missing(plan, records), _perhaps(plan, world, engine)]
    if later := _later(plan, world, engine):
        text = f"{text}, {len(later)} more {'is' if len(later) == 1 else 'are'} ahead"
        notes.append(f"ahead: {say.in_list([say.in_words(r) for r in later])}")
    elif not records:
        notes.append(f"{plan.view.name} holds {len(plan.view.records)}, none of them such")
    return Answer(
        question=question, value=value, text=text, channel="computed", code=query, records=records,
        evidence=evidence(records), note="; ".join(filter(None, notes)),
    )  # fmt: skip


def _later(plan: Plan, world: World, engine: Runs) -> tuple[Any, ...]:
    """What a count of the past leaves out, since it is planned."""
    if plan.show != "count" or not plan.later:
        return ()
    return found(engine.run(code.write_later(plan), today=world.today).records, world)


def _perhaps(plan: Plan, world: World, engine: Runs) -> str:
    """Which other records may belong to an answer."""
    if not code.open_by(plan):
        return ""
    more = found(engine.run(code.write_perhaps(plan), today=world.today).records, world)
    return f"not sure of {say.in_list([say.in_words(r) for r in more])}" if more else ""


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
