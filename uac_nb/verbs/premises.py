"""What a person is told of records whose premises are gone: which have become so, and which name a record that is not there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from uac_nb.changes import Workspace
from uac_nb.errors import Diagnostic
from uac_nb.rules.premises import Standings, missing, relation, standings
from uac_nb.rules.words import capital, own


def standing(workspace: Workspace, day: date) -> Standings:
    """How the records of a project stand on a day."""
    return standings((found.record for found in workspace.all()), day)


def turned(before: Workspace, after: Workspace, day: date) -> Iterator[Diagnostic]:
    """What changes have left without a premise; of what names a record that is not there, `dangling` speaks."""
    if before is after:
        return
    was, now = standing(before, day), standing(after, day)
    for id, how in now.items():
        if was.get(id) != how and any(premise in now.records for premise in how.because):
            hint = "say whether it still stands: confirm it, change it or close it"
            yield Diagnostic("premise", _where(after, id), now.told(id), hint)


def dangling(workspace: Workspace) -> Iterator[Diagnostic]:
    """The records that rest on one that is not there: it was forgotten, deleted, or never made."""
    for record, id in missing(found.record for found in workspace.all()):
        told = f"{capital(own(record))} {relation(record, id)} {id!r}, of which there is no record, so it is uncertain"
        yield Diagnostic("premise-missing", _where(workspace, record.id), told, "take the name out, or confirm that it stands")


def _where(workspace: Workspace, id: str) -> str:
    found = workspace.find(id)
    domain = workspace.domains[found.domain] if found else None
    return f"{domain.path_of(id)}:{domain.line_of(id)}" if domain else id
