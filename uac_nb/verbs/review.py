"""Proposals that wait in the log for a person, and the answers to them.

A proposal is a change in the log that makes nothing. Its number is that of its entry, so it never moves; an answer is the
change itself, or a refusal, and names it. The last answer counts, and one that was undone does not: what has none waits.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from uac_nb.changes import Change, Workspace, apply, dump, parse
from uac_nb.changes.admit import admit
from uac_nb.changes.vocabulary import Define, Refuse
from uac_nb.errors import CheckError, Diagnostic, UacError
from uac_nb.log import Batch, Draft, Log
from uac_nb.reading.judge import EntryOf
from uac_nb.reading.proposals import POINTERS, makes, strings
from uac_nb.reading.review import Proposal, proposal, uses
from uac_nb.store.changelog import live
from uac_nb.store.store import Store

REVIEW = "review"  # the reader of a batch of answers
Types = Mapping[str, tuple[int, Define]]


@dataclass(frozen=True)
class Waiting:
    """A proposal without an answer. `id` is its entry in the log, `rests_on` are others that wait and come first.

    `clash` says why it cannot be made as things stand; "" where it can.
    """

    id: int
    proposal: Proposal
    rests_on: tuple[int, ...] = ()
    clash: str = ""


@dataclass(frozen=True)
class Proposals:
    """All that were ever made, by number, and the last answer to each that has one."""

    made: Mapping[int, Change]
    answers: Mapping[int, Change]

    @classmethod
    def of(cls, log: Log) -> Proposals:
        made, answers = dict[int, Change](), dict[int, Change]()
        for found in live(log):
            if found.answers is not None:
                answers[found.answers] = parse(found.change)
            elif found.is_one_of("propose"):
                made[found.entry.id] = parse(found.change["proposed"])
        return cls(made, answers)

    @property
    def open(self) -> dict[int, Change]:
        """Those that wait, in order."""
        return {id: change for id, change in self.made.items() if id not in self.answers}

    @property
    def asked(self) -> list[int]:
        """The numbers of those that a person is asked about: a type comes with its first record."""
        return [id for id, change in self.open.items() if not isinstance(change, Define)]

    @property
    def types(self) -> Types:
        return {change.collection: (id, change) for id, change in self.made.items() if isinstance(change, Define)}

    def refused(self, id: int, for_good: bool = False) -> bool:
        """Whether a no was the last answer; `for_good`, whether it was one of those."""
        answer = self.answers.get(id)
        return isinstance(answer, Refuse) and (answer.for_good or not for_good)

    def needs(self, change: Change, among: Collection[int]) -> set[int]:
        """Which of some proposals make what a change speaks of."""
        raw = dump(change)
        named = {*POINTERS, *(() if makes(raw) else ("id",))}
        spoken = {id for name in named for id in strings(raw.get(name))}
        return {id for id in among if spoken & makes(dump(self.made[id]))}


# --- what waits ---


def waiting(log: Log, workspace: Workspace, entry_of: EntryOf) -> Iterator[Waiting]:
    """What waits, each as it would be after those before it."""
    found = Proposals.of(log)
    for id in found.asked:
        change = found.made[id]
        made = _carried(change, workspace, found.types)
        after = workspace if isinstance(made, str) else made.workspace
        rests = tuple(sorted(found.needs(change, [other for other in found.asked if other < id])))
        yield Waiting(id, proposal(change, workspace, after, entry_of), rests, made if isinstance(made, str) else "")
        workspace = after


def as_if_accepted(log: Log, workspace: Workspace) -> Workspace:
    """The project with all that waits: what the next batch is read on where all changes wait."""
    found = Proposals.of(log)
    for id in found.asked:
        made = _carried(found.made[id], workspace, found.types)
        workspace = workspace if isinstance(made, str) else made.workspace
    return workspace


def refused_for_good(log: Log) -> dict[int, Mapping[str, Any]]:
    """What is not to be asked again, as JSON, by the number of the proposal."""
    answers = Proposals.of(log).answers
    return {id: answer.proposed for id, answer in answers.items() if isinstance(answer, Refuse) and answer.for_good}


# --- answers ---


@dataclass(frozen=True)
class Answered:
    """What a person's answers came to, and what could not be done, with the reason."""

    answers: Mapping[int, Change]
    findings: Sequence[Diagnostic]


def answer(store: Store, accept: Collection[int], refuse: Collection[int], never: Collection[int]) -> Answered:
    """Carry answers out in one batch, and commit it; `never` are refused for good. The store is locked by the caller.

    What rests on a refused one is refused with it; what rests on one that waits has to wait. Raise UacError for a number that
    is no proposal, or that has two answers.
    """
    found = Proposals.of(store.log)
    _checked(found, {*accept}, {*refuse}, {*never})
    done = _settled(found, store.workspace, {*accept}, {*refuse, *never}, {*never})
    if done.answers:
        drafts = tuple(_draft(id, change) for id, change in done.answers.items())
        store.log.store_batch(Batch(read=(), reader=REVIEW, changes=drafts))
        store.catch_up()
    return done


def _draft(id: int, change: Change) -> Draft:
    text = json.dumps(dump(change), ensure_ascii=False, sort_keys=True)
    return Draft(kind="change", role="system", text=text, data={"answers": id})


def _checked(found: Proposals, accept: set[int], refuse: set[int], never: set[int]) -> None:
    if twice := accept & (refuse | never) | refuse & never:
        raise UacError(f"#{min(twice)} is both accepted and refused, or refused in two ways; give it one answer")
    for id in sorted(accept | refuse | never):
        if isinstance(found.made.get(id, None), Define | None):
            there = ", ".join(f"#{one}" for one in found.asked) or "none that wait"
            raise UacError(f"#{id} is no proposed change; there are {there}")
        if id in found.answers and not found.refused(id) and id not in accept:
            raise UacError(f"#{id} was accepted before; take it back by an undo or an edit")


def _settled(found: Proposals, workspace: Workspace, accept: set[int], refuse: set[int], never: set[int]) -> Answered:
    known = {id for id in accept if id in found.answers and not found.refused(id)}
    known |= {id for id in refuse if found.refused(id, for_good=id in never)}
    findings = [_known(id, "accepted" if id in accept else "refused") for id in sorted(known)]
    answers: dict[int, Change] = {}
    for id in sorted({*found.asked} | (accept | refuse) - known):
        change, made = found.made[id], _carried(found.made[id], workspace, found.types)
        needs = found.needs(change, {*found.asked, *refuse})
        gone = any(one in refuse or isinstance(answers.get(one), Refuse) for one in needs)
        if id in refuse or (isinstance(made, str) and gone):
            answers[id] = _no(change, id in never)
        elif id in accept and isinstance(made, str):
            findings.append(_stuck(id, made, needs - {*answers}))
        elif id in accept and not isinstance(made, str):
            answers |= {**made.types, id: change}
            workspace = made.workspace
    return Answered(answers | _idle(found, answers), findings)


def _known(id: int, what: str) -> Diagnostic:
    return Diagnostic("answered", f"#{id}", f"it was {what} before")


def _no(change: Change, for_good: bool = False) -> Refuse:
    return Refuse(source=change.source, proposed=dump(change), for_good=for_good)


def _stuck(id: int, clash: str, needs: set[int]) -> Diagnostic:
    """Why an accepted change waits all the same."""
    if needs:
        others = ", ".join(f"#{other}" for other in sorted(needs))
        return Diagnostic("waits", f"#{id}", f"it rests on {others}, which waits", "accept that too")
    return Diagnostic("waits", f"#{id}", f"it cannot be made any more: {clash}", "refuse it, or edit by hand")


def _idle(found: Proposals, answered: Collection[int]) -> dict[int, Change]:
    """Refusals of the types that nothing which still waits could use."""
    used = {name for id in found.asked if id not in answered for name in uses(found.made[id])}
    idle = ((id, change) for name, (id, change) in found.types.items() if name not in used and id not in answered)
    return {id: _no(change) for id, change in idle if id in found.open}


# --- carrying one out ---


@dataclass(frozen=True)
class Made:
    """The project after a change, and the types that were made with it."""

    types: Mapping[int, Change]
    workspace: Workspace


def _carried(change: Change, workspace: Workspace, types: Types) -> Made | str:
    """A change carried out with the types that it is the first to use; or why it cannot be."""
    needed = [types[name] for name in uses(change) if name in types and name not in workspace.collections]
    try:
        for step in [*(define for _, define in needed), change]:
            before, workspace = workspace, apply(step, workspace)
            admit(step, before, workspace)
    except CheckError as error:
        return error.diagnostics[0].message
    return Made(dict(needed), workspace)
