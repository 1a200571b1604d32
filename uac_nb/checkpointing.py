"""The reading of a checkpoint: what is unread goes to a reader batch by batch, and what it says is stored and committed.

`User.checkpoint` is the list of these steps.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from uac_nb.alerts import Raised
from uac_nb.changes import dump
from uac_nb.coverage import coverage, wishes
from uac_nb.errors import Diagnostic, ModelError
from uac_nb.log import Batch, Draft, Entry
from uac_nb.project import Commit
from uac_nb.results import Checkpoint
from uac_nb.runtime import Engine
from uac_nb.source.parts import INIT
from uac_nb.store import Store
from uac_nb.structure import Outcome, Proposal, Reviewer, batches, estimate, read_by_patterns, reviewed, structure

if TYPE_CHECKING:
    from uac_nb.model import Estimate, Meter, Model, Price

Progress = Callable[[int, int, str], None]
PATTERNS = "patterns"
RECORDED = "recorded:"  # before the path of a recording


def reader_of(chosen: str | Model | None) -> tuple[Model | None, str]:
    """Who reads: a model and its name, or None for the patterns. By default UAC_MODEL says which."""
    from uac_nb.model import OpenAIModel, RecordedModel

    chosen = chosen or os.environ.get("UAC_MODEL") or PATTERNS
    if chosen == PATTERNS:
        return None, PATTERNS
    if not isinstance(chosen, str):
        return chosen, chosen.name
    mind = RecordedModel(path) if (path := chosen.removeprefix(RECORDED)) != chosen else OpenAIModel.from_env(chosen)
    return mind, mind.name


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
    review: bool | Reviewer = False
    outcomes: list[Outcome] = field(default_factory=list)

    def batches(
        self, again: bool, on_estimate: Callable[[Estimate], object] | None, on_progress: Progress | None
    ) -> Iterator[list[Entry]]:
        """What the reader should look at, in batches; none where `on_estimate` answers False."""
        due, meter = coverage(self.store.log).due(self.reader, again), self.meter
        todo = batches(list(self.store.log.entries(ids=due))) if due else []
        if todo and meter and on_estimate and on_estimate(estimate(todo, self.store.workspace, meter, meter.price)) is False:
            return
        for number, batch in enumerate(todo):
            if on_progress:
                spent = f", {meter.sent + meter.answered:,} tokens so far" if meter and number else ""
                on_progress(number, len(todo), f"reading {len(batch)} entries{spent}")
            yield batch
        if on_progress and todo:
            on_progress(len(todo), len(todo), "running the rules")

    def read(self, batch: Sequence[Entry]) -> Outcome | Diagnostic:
        """What a batch comes to; a finding where a cap was reached, or the model is gone after batches that it read.

        Raise ModelError where the model failed at the first.
        """
        workspace, edits = self.store.workspace, self._edits()
        if self.meter is None:
            return read_by_patterns(batch, workspace, edits=edits)
        try:
            return structure(batch, workspace, self.meter, entry_of=self.store.message, engine=self.sealed, edits=edits)
        except ModelError as error:
            if not (self.outcomes or _capped(error)):
                raise
            return _stopped(error, len(self.outcomes))

    def reviewed(self, outcome: Outcome) -> Outcome:
        """The outcome less what a person refuses; all of it where nobody wants to be asked."""
        if not self.review:
            return outcome
        ask = _by_input if self.review is True else self.review
        return reviewed(outcome, self.store.workspace, ask, self.store.message)

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

    def summary(self, before: Commit | None, alerts: tuple[Raised, ...], findings: list[Diagnostic]) -> Checkpoint:
        """What the checkpoint did since a commit."""
        log, project = self.store.log, self.store.project
        after = project.head
        changed = project.changed(before.id if before else None)
        found = coverage(log)
        return Checkpoint(
            changes=tuple(dump(change) for outcome in self.outcomes for change in outcome.accepted),
            diff=project.diff(before.id if before else "", after.id) if after and before != after else "",
            domains=tuple(dict.fromkeys(path.removesuffix(".py").removesuffix(f"/{INIT}") for path in changed)),
            alerts=alerts,
            diagnostics=(*(d for o in self.outcomes for d in o.diagnostics), *findings),
            coverage=found,
            unread=tuple(log.entries(ids=found.unread)) if found.unread else (),
            reader=self.reader,
            forgets=wishes(log),
        )

    def _edits(self) -> frozenset[int]:
        """The entries that a person wrote by hand, unless that person is asked about each change anyway."""
        return frozenset() if self.review else frozenset(entry.id for entry in self.store.log.entries(kinds=("edit",)))


def _by_input(proposal: Proposal) -> bool:
    return input(f"{proposal}\ntake it? [Y/n] ").strip().lower() not in ("n", "no")


def _capped(error: ModelError) -> bool:
    from uac_nb.model import CapReached

    return isinstance(error, CapReached)


def _stopped(error: ModelError, done: int) -> Diagnostic:
    kept = f"the {done} batch{'es' * (done > 1)} before it {'are' if done > 1 else 'is'} kept; " if done else ""
    kept += "checkpoint again to go on"
    return Diagnostic("model", "checkpoint", str(error), kept)
