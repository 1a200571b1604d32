"""A person's yes or no to each change: asked before it is stored, or left to wait in the log. A no lasts: its entries are set
aside; a no for good holds also when the same is said again.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from uac_nb.changes import Change, Workspace, apply, dump
from uac_nb.changes.vocabulary import Add, Define, Extend, Propose, Refuse, Reshape
from uac_nb.errors import CheckError
from uac_nb.log import Entry
from uac_nb.reading.by_model import Outcome
from uac_nb.reading.judge import EntryOf
from uac_nb.reading.plain import plainly

UNASKED = ("skip", "forget", "refuse", "propose")  # nothing is made by these
MAKING = ("add", "note", "rule", "derive", "concern")  # a new thing, which is the same by its id or by what it says
RESTS = ("source", "fact", "why")


@dataclass(frozen=True)
class Proposal:
    """A change as JSON, what it does in plain words, the entries it rests on, and what it would do to the files."""

    change: Mapping[str, Any]
    told: str
    entries: tuple[Entry, ...]
    diff: str

    def __str__(self) -> str:
        said = [f'  {entry.id} {entry.day} {entry.speaker or entry.role}: "{entry.text}"' for entry in self.entries]
        why = [f"  why: {self.change['why']}"] if "why" in self.change else []
        return "\n".join([self.told, *said, *why, self.diff])


Reviewer = Callable[[Proposal], bool]


def reviewed(outcome: Outcome, before: Workspace, ask: Reviewer, entry_of: EntryOf) -> Outcome:
    """The outcome with the changes that a person accepts; each other becomes a refusal, and with it what rests on it."""
    workspace, taken = before, list[Change]()
    held: dict[str, Define] = {}  # types wait for their first record
    for change in outcome.accepted:
        if isinstance(change, Define):
            held[change.collection] = change
            continue
        making = [held[name] for name in uses(change) if name in held]
        after = carried([*making, change], workspace)
        if after is None or not (change.change in UNASKED or ask(proposal(change, workspace, after, entry_of))):
            taken.append(Refuse(source=change.source, proposed=dump(change)))
            continue
        for define in making:
            del held[define.collection]
        taken += [*making, change]
        workspace = after
    return replace(outcome, accepted=tuple(taken), workspace=workspace)


def waiting(outcome: Outcome) -> Outcome:
    """The outcome with every change a proposal that waits for a person, save those that make nothing."""
    proposals = (change if change.change in UNASKED else Propose.of(change) for change in outcome.accepted)
    return replace(outcome, accepted=tuple(proposals))


def proposal(change: Change, before: Workspace, after: Workspace, entry_of: EntryOf) -> Proposal:
    entries = tuple(entry for id in change.source if (entry := entry_of(id)))
    diff = "\n".join(_diff(before.files(), after.files()))
    return Proposal(dump(change), plainly(change, before, after), entries, diff)


def uses(change: Change) -> tuple[str, ...]:
    """The collections that a change needs."""
    if isinstance(change, Reshape):
        return change.collection, change.to
    return (change.collection,) if isinstance(change, Add | Extend) else ()


def carried(changes: list[Change], workspace: Workspace) -> Workspace | None:
    """The project after them; None where they rest on what was refused."""
    try:
        for change in changes:
            workspace = apply(change, workspace)
    except CheckError:
        return None
    return workspace


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two changes, as JSON, say the same, from whatever entries: what a no for good holds for.

    >>> same({"change": "close", "id": "a", "source": [1]}, {"change": "close", "id": "a", "source": [2], "why": "again"})
    True
    """
    if one["change"] == other["change"] == "concern":
        return {*one["records"]} == {*other["records"]}  # whatever it is called, and however it is put
    named = one["change"] == other["change"] in MAKING and one.get("collection") == other.get("collection")
    return (named and one["id"] == other["id"]) or _said(one) == _said(other)


def _said(change: Mapping[str, Any]) -> dict[str, Any]:
    """What a change says, whatever it rests on and whatever a new thing is to be called."""
    left = {*RESTS, "id"} if change["change"] in MAKING else {*RESTS}
    return {name: value for name, value in change.items() if name not in left}


def _diff(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for path, text in after.items():
        if before.get(path) != text:
            old = before.get(path, "").splitlines()
            yield from difflib.unified_diff(old, text.splitlines(), path, path, lineterm="", n=0)
