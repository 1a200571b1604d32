"""Taking proposed changes one by one: what fits is applied, what does not comes back with its findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from uac_nb.changes.admit import admit
from uac_nb.changes.apply import apply, settle
from uac_nb.changes.premises import grounded
from uac_nb.changes.vocabulary import Change, parse
from uac_nb.changes.workspace import Workspace
from uac_nb.errors import CheckError, Diagnostic


@dataclass(frozen=True)
class Refused:
    """A proposed change as it came, and why it was not taken."""

    raw: Mapping[str, Any]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Accepted:
    """What became of a list of proposals: settled changes in order, refused ones, and the project after them."""

    changes: tuple[Change, ...]
    refused: tuple[Refused, ...]
    workspace: Workspace


def accept(
    proposals: Iterable[Mapping[str, Any]], workspace: Workspace, *, text_of: Callable[[int], str | None] | None = None
) -> Accepted:
    """Settle and apply each proposal on top of those before it. Never raises for a bad one."""
    changes: list[Change] = []
    refused: list[Refused] = []
    for number, raw in enumerate(proposals):
        where = f"$.changes[{number}]"
        try:
            settled = grounded(workspace, settle(workspace, parse(raw, where), text_of=text_of))
            after = workspace
            for change in settled:
                before, after = after, apply(change, after)
                admit(change, before, after)
        except CheckError as error:
            refused.append(Refused(raw, tuple(_placed(d, where) for d in error.diagnostics)))
        else:
            changes += settled
            workspace = after
    return Accepted(tuple(changes), tuple(refused), workspace)


def _placed(found: Diagnostic, where: str) -> Diagnostic:
    inner = found.where.removeprefix("$")
    return (
        found
        if found.where.startswith(where)
        else replace(found, where=f"{where}{inner if inner.startswith('.') else ''}" or where)
    )
