"""A person's yes or no to each change before it is stored. A no lasts: its entries are set aside."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from uac_nb.changes import Change, Workspace, apply, dump
from uac_nb.changes.vocabulary import Add, Define, Extend, Refuse, Reshape
from uac_nb.errors import CheckError
from uac_nb.log import Entry
from uac_nb.structure.judge import EntryOf
from uac_nb.structure.reading import Outcome

UNASKED = ("skip", "forget")  # nothing is made by these


@dataclass(frozen=True)
class Proposal:
    """A change as JSON, the entries it rests on, and what it would do to the files."""

    change: Mapping[str, Any]
    entries: tuple[Entry, ...]
    diff: str

    def __str__(self) -> str:
        said = [f'  {entry.id} {entry.day} {entry.speaker or entry.role}: "{entry.text}"' for entry in self.entries]
        why = [f"  why: {self.change['why']}"] if "why" in self.change else []
        return "\n".join([f"{self.change['change']} {self.change.get('id', '')}".strip(), *said, *why, self.diff])


Reviewer = Callable[[Proposal], bool]


def reviewed(outcome: Outcome, before: Workspace, ask: Reviewer, entry_of: EntryOf) -> Outcome:
    """The outcome with the changes that a person accepts; each other becomes a refusal, and with it what rests on it."""
    workspace, taken = before, list[Change]()
    held: dict[str, Define] = {}  # types wait for their first record
    for change in outcome.accepted:
        if isinstance(change, Define):
            held[change.collection] = change
            continue
        making = [held[name] for name in _uses(change) if name in held]
        if (after := _carried([*making, change], workspace)) is None or not _wanted(change, workspace, after, ask, entry_of):
            taken.append(Refuse(source=change.source, proposed=dump(change)))
            continue
        for define in making:
            del held[define.collection]
        taken += [*making, change]
        workspace = after
    return replace(outcome, accepted=tuple(taken), workspace=workspace)


def _uses(change: Change) -> tuple[str, ...]:
    """The collections that a change needs."""
    if isinstance(change, Reshape):
        return change.collection, change.to
    return (change.collection,) if isinstance(change, Add | Extend) else ()


def _carried(changes: list[Change], workspace: Workspace) -> Workspace | None:
    """The project after them; None where they rest on what was refused."""
    try:
        for change in changes:
            workspace = apply(change, workspace)
    except CheckError:
        return None
    return workspace


def _wanted(change: Change, before: Workspace, after: Workspace, ask: Reviewer, entry_of: EntryOf) -> bool:
    if change.change in UNASKED:
        return True
    entries = tuple(entry for id in change.source if (entry := entry_of(id)))
    return ask(Proposal(dump(change), entries, "\n".join(_diff(before.files(), after.files()))))


def _diff(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for path, text in after.items():
        if before.get(path) != text:
            old = before.get(path, "").splitlines()
            yield from difflib.unified_diff(old, text.splitlines(), path, path, lineterm="", n=0)
