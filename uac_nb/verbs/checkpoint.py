"""The reading of a checkpoint: what is unread goes to a reader batch by batch, and what it says is stored and committed.

`User.checkpoint` is the list of these steps.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from uac_nb.changes import Change, Workspace, dump, parse
from uac_nb.domainfile.parts import INIT
from uac_nb.errors import Diagnostic, ModelError, ProjectError, visible
from uac_nb.errors.redaction import KEY
from uac_nb.log import Batch, Draft, Entry
from uac_nb.project import Commit
from uac_nb.reading import (
    Outcome,
    Proposal,
    Reviewer,
    batches,
    estimate,
    guarded,
    read_by_patterns,
    reviewed,
    same,
    structure,
    waiting,
)
from uac_nb.runtime import Engine
from uac_nb.store import replay
from uac_nb.store.changelog import live
from uac_nb.store.coverage import UNDONE, coverage, wishes
from uac_nb.store.stated import Stated
from uac_nb.store.store import Store
from uac_nb.verbs import edit
from uac_nb.verbs.alerts import Raised
from uac_nb.verbs.history import in_words
from uac_nb.verbs.results import Checkpoint, Undone
from uac_nb.verbs.review import as_if_accepted, refused_for_good

if TYPE_CHECKING:
    from uac_nb.model import Estimate, Meter, Model, Price

Progress = Callable[[int, int, str], None]
Review = bool | Literal["later"] | Reviewer
PATTERNS = "patterns"
CLOCK = time.monotonic  # in seconds
RECORDED = "recorded:"  # before the path of a recording
NO_MODELS = {PATTERNS: PATTERNS, "recorded": f"{RECORDED}FILE"}  # readers that are none, and how they are written


class Interrupted(KeyboardInterrupt):
    """A checkpoint that a person stopped; it says what is kept. Still an interrupt: nothing after it may run."""

    def _render_traceback_(self) -> list[str]:  # read by IPython
        return [f"Stopped: {self}"]


def reader_of(chosen: str | Model | None) -> tuple[Model | None, str]:
    """Who reads: a model and its name, or None for the patterns. By default UAC_MODEL says which."""
    from uac_nb.model import OpenAIModel, RecordedModel

    chosen = chosen or os.environ.get("UAC_MODEL") or PATTERNS
    if chosen == PATTERNS:
        return None, PATTERNS
    if not isinstance(chosen, str):
        return chosen, chosen.name
    if (path := chosen.removeprefix(RECORDED)) != chosen:
        mind: Model = RecordedModel(path)
    else:
        chosen = model_named(chosen)
        if not any(os.environ.get(key, "").strip() for key in ("OPENAI_API_KEY", "OPENAI_BASE_URL")):
            raise _no_reader(chosen)
        mind = OpenAIModel.from_env(chosen)
    return mind, mind.name


def model_named(name: str) -> str:
    """The name. Raise ModelError for a key, and a misspelt "patterns": what was said would be sent to a model of that name."""
    if get_close_matches(name.casefold().partition(":")[0], NO_MODELS, 1, 0.8):
        raise _no_reader(name)
    return no_key(name)


def no_key(name: str) -> str:
    """The name of a model or a recording. Raise ModelError for a key, which would be shown, kept and sent as one."""
    if KEY.search(name) and not name.startswith(RECORDED):
        raise ModelError("that looks like a key, not like a model: export OPENAI_API_KEY, and name the model")
    return name


def _no_reader(name: str) -> ModelError:
    near = get_close_matches(name.casefold().partition(":")[0], NO_MODELS, 1, 0.8)
    meant = f"; did you mean {NO_MODELS[near[0]]}?" if near else ""
    asked = "the name of a model, once OPENAI_API_KEY or OPENAI_BASE_URL says where to ask it"
    return ModelError(f"there is no reader {name!r}{meant} (readers: {'; '.join(NO_MODELS.values())}; {asked})")


def metered(mind: Model | None, max_tokens: int | None, max_cost: float | None, price: str | Price | None) -> Meter | None:
    """The model with its caps; None for the patterns, which cost nothing."""
    from uac_nb.model import Meter, Price

    return Meter(mind, max_tokens=max_tokens, max_cost=max_cost, price=Price.of(price)) if mind else None


@dataclass
class Reading:
    """One checkpoint at work: who reads for which store, and the outcomes that were kept so far."""

    store: Store
    reader: str
    meter: Meter | None
    sealed: Callable[[], Engine]
    review: Review = False
    outcomes: list[Outcome] = field(default_factory=list)
    total: int = 0  # batches
    _seconds: list[float] = field(default_factory=list)
    _proposed: Workspace | None = None
    _known: Stated | None = None

    @property
    def workspace(self) -> Workspace:
        """What a batch is read on: the project, with what waits for an answer where that is to come later."""
        if self.review != "later":
            return self.store.workspace
        if self._proposed is None:
            self._proposed = as_if_accepted(self.store.log, self.store.workspace)
        return self._proposed

    @cached_property
    def _never(self) -> Mapping[int, Mapping[str, Any]]:
        return refused_for_good(self.store.log)

    def batches(
        self, again: bool, on_estimate: Callable[[Estimate], object] | None, on_progress: Progress | None
    ) -> Iterator[list[Entry]]:
        """What the reader should look at, in batches; none where `on_estimate` answers False."""
        due, meter = coverage(self.store.log).due(self.reader, again), self.meter
        todo = batches(list(self.store.log.entries(ids=due))) if due else []
        if todo and meter and on_estimate and on_estimate(estimate(todo, self.store.workspace, meter, meter.price)) is False:
            return
        self.total = len(todo)
        for number, batch in enumerate(todo):
            if on_progress:
                on_progress(number, len(todo), ", ".join(self._state(batch, len(todo) - number)))
            yield batch
        if on_progress and todo:
            on_progress(len(todo), len(todo), "running the rules")

    def _state(self, batch: Sequence[Entry], left: int) -> Iterator[str]:
        """What is being done, what it has cost, and how long the `left` batches will take if they are like those before."""
        yield f"reading {len(batch):,} {'entry' if len(batch) == 1 else 'entries'}"
        if self.meter and (spent := self.meter.sent + self.meter.answered):
            yield f"{spent:,} tokens so far"
        if self._seconds:
            yield f"{about(sum(self._seconds) / len(self._seconds) * left)} left"

    def read(self, batch: Sequence[Entry]) -> Outcome | Diagnostic:
        """What a batch comes to; a finding where a cap was reached, or the model is gone after batches that it read.

        Raise ModelError where the model failed at the first.
        """
        began = CLOCK()
        try:
            return self._read(batch)
        finally:
            self._seconds.append(CLOCK() - began)

    def _read(self, batch: Sequence[Entry]) -> Outcome | Diagnostic:
        workspace, edits, names, stated = self.workspace, self._edits(), self._guarded, self._stated()
        if self.meter is None:
            return read_by_patterns(batch, workspace, edits=edits, guarded=names, stated=stated)
        try:
            return structure(
                batch,
                workspace,
                self.meter,
                entry_of=self.store.message,
                engine=self.sealed,
                edits=edits,
                guarded=names,
                stated=stated,
            )
        except ModelError as error:
            if not (self.outcomes or _capped(error)):
                raise
            return _stopped(error, len(self.outcomes))

    def reviewed(self, outcome: Outcome) -> Outcome:
        """The outcome less what a person refuses, or refused for good before; or as proposals, to be answered later."""
        outcome = self._allowed(outcome)
        if not self.review:
            return outcome
        if self.review == "later":
            return waiting(outcome)
        ask = _by_input if self.review is True else self.review
        return reviewed(outcome, self.workspace, ask, self.store.message)

    def _allowed(self, outcome: Outcome) -> Outcome:
        """The outcome less what was refused for good."""
        if not self._never:
            return outcome
        found: list[Diagnostic] = []

        def allow(proposal: Proposal) -> bool:
            number = next((id for id, refused in self._never.items() if same(refused, proposal.change)), 0)
            if number:
                found.append(_barred(proposal.change, number))
            return not number

        less = reviewed(outcome, self.workspace, allow, self.store.message)
        return replace(less, diagnostics=(*less.diagnostics, *found))

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """An interrupt of what is done within says what is kept."""
        before = len(self.store.log.batches())
        try:
            yield
        except KeyboardInterrupt:
            raise Interrupted(_kept(len(self.store.log.batches()) - before, self.total)) from None

    def keep(self, batch: Sequence[Entry], outcome: Outcome) -> None:
        """Store a batch in one transaction (replies, facts also of refused changes, accepted changes), and commit it."""
        self.store.log.store_batch(
            Batch(
                read=tuple(entry.id for entry in batch),
                reader=self.reader,
                calls=tuple(outcome.calls),
                facts=tuple(
                    Draft(kind="fact", role="system", text=f.text, data={"source": list(f.source)}) for f in outcome.facts
                ),
                changes=tuple(
                    Draft(kind="change", role="system", text=json.dumps(dump(c), ensure_ascii=False, sort_keys=True))
                    for c in outcome.accepted
                ),
            )
        )
        self.store.catch_up()
        self.outcomes.append(outcome)
        if self._known:
            for change in outcome.accepted:
                self._known.take(dump(change))
        self._proposed = outcome.workspace

    def summary(self, before: Commit | None, alerts: tuple[Raised, ...], findings: list[Diagnostic]) -> Checkpoint:
        """What the checkpoint did since a commit."""
        changes = [change for outcome in self.outcomes for change in outcome.accepted]
        findings = [*(d for o in self.outcomes for d in o.diagnostics), *findings]
        return summary(self.store, self.reader, before, changes, alerts, findings)

    @cached_property
    def _guarded(self) -> frozenset[str]:
        """The names of what protects a person in this project; none where that person is asked about each change anyway."""
        moving = () if self.review else live(self.store.log, "rename", "reshape")
        return frozenset() if self.review else guarded(parse(made.change) for made in moving)

    def _stated(self) -> Stated:
        """When each record was last stated, by the changes that are kept: what a refused batch took is not among them."""
        self._known = Stated.of(self.store.log, self.store.message) if self._known is None else self._known
        return self._known.copy()

    def _edits(self) -> frozenset[int]:
        """The entries that a person wrote by hand, unless that person is asked about each change anyway."""
        return frozenset() if self.review else frozenset(entry.id for entry in self.store.log.entries(kinds=("edit",)))


def summary(
    store: Store,
    reader: str,
    before: Commit | None,
    changes: Iterable[Change],
    alerts: tuple[Raised, ...],
    findings: Iterable[Diagnostic],
) -> Checkpoint:
    """What changes did since a commit."""
    log, project = store.log, store.project
    after = project.head
    changed = project.changed(before.id if before else None)
    found = coverage(log)
    return Checkpoint(
        changes=tuple(map(dump, changes)),
        diff=project.diff(before.id if before else "", after.id) if after and before != after else "",
        domains=tuple(dict.fromkeys(path.removesuffix(".py").removesuffix(f"/{INIT}") for path in changed)),
        alerts=alerts,
        diagnostics=tuple(findings),
        coverage=found,
        unread=tuple(log.entries(ids=found.unread)) if found.unread else (),
        reader=reader,
        forgets=wishes(log),
    )


def undo(store: Store, entry: int | None = None) -> Undone:
    """Take back the last batch or edit that still counts, or the one that an entry is of. Raise ProjectError where none is."""
    log, project = store.log, store.project
    live = replay.live_steps(log)
    last = live[-1:] if entry is None else [s for s in live if entry in (s.id, *(made.id for made in s.entries))]
    if entry is not None and not last:
        raise ProjectError(f"entry {entry} is of no batch and no edit that still counts; history and blame show the numbers")
    told = [words for step in last for _, words in in_words(log, step.entries)]
    read = [id for step in last if (batch := step.target.get("batch")) for id in log.batch(batch).read]
    if last == live[-1:]:
        edit.undo(store)
    else:
        edit.undo_earlier(store, last[0])
    fate = coverage(log).fate
    head = project.head
    assert head is not None  # it is the commit of the undo
    if last != live[-1:]:
        return Undone(f"what entry {last[0].id} made", tuple(told), (), project.diff(), head)
    aside = tuple(id for id in read if fate.get(id) == UNDONE)
    return Undone(head.message.removeprefix("Undo "), tuple(told), aside, project.diff(), head)


def about(seconds: float) -> str:
    """A span of time that nobody should take at its word.

    >>> about(0.2), about(44), about(130), about(5000)
    ('about 5 seconds', 'about 45 seconds', 'about 2 minutes', 'about 1 hour 25 minutes')
    """
    if seconds < 57.5:
        return f"about {max(round(seconds / 5), 1) * 5} seconds"
    minutes = max(round(seconds / 60), 1)
    hours, minutes = (0, minutes) if minutes < 60 else divmod(round(minutes / 5) * 5, 60)
    parts = ((hours, "hour"), (minutes, "minute"))
    return "about " + " ".join(f"{n} {unit}{'s' * (n != 1)}" for n, unit in parts if n)


def _by_input(proposal: Proposal) -> bool:
    return input(f"{visible(str(proposal))}\ntake it? [Y/n] ").strip().lower() not in ("n", "no")


def _capped(error: ModelError) -> bool:
    from uac_nb.model import CapReached

    return isinstance(error, CapReached)


def _kept(done: int, total: int) -> str:
    """What an interrupt left."""
    if not done:
        return (
            "nothing was kept of the batch that was being read, and no word of the log is lost; checkpoint again to begin anew"
        )
    batches = f"{done:,} of {total:,} batches {'is' if done == 1 else 'are'} kept"
    return f"{batches}, whole; checkpoint again to go on from there"


def _barred(change: Mapping[str, Any], number: int) -> Diagnostic:
    what = f"{change['change']} {change.get('id', '')}".strip()
    entries = ", ".join(map(str, change["source"]))
    return Diagnostic(
        "refused",
        f"entries {entries}",
        f"{what}: it was refused for good (#{number})",
        f"accept #{number} to have it after all",
    )


def _stopped(error: ModelError, done: int) -> Diagnostic:
    kept = f"the {done} batch{'es' * (done > 1)} before it {'are' if done > 1 else 'is'} kept; " if done else ""
    kept += "checkpoint again to go on"
    return Diagnostic("model", "checkpoint", str(error), kept)
