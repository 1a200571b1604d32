"""Premises when a change is settled: any record can name them, they exist, and what is said to stand is freed of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from uac_nb.changes.vocabulary import Add, Amend, Change, Confirm, Extend, NewField
from uac_nb.changes.workspace import NOTES, Workspace
from uac_nb.domainfile.annotations import Maybe
from uac_nb.domainfile.records import type_of
from uac_nb.errors import CheckError, Diagnostic
from uac_nb.rules.premises import GONE, IF_GONE, premises

FIELDS = (
    NewField(name="rests_on", type="tuple[str, ...]", default="()"),
    NewField(name="if_gone", type=f"Literal[{', '.join(map(repr, IF_GONE))}]".replace("'", '"'), default='"unknown"'),
)
_NAMES = tuple(field.name for field in FIELDS)


def grounded(workspace: Workspace, settled: Sequence[Change]) -> list[Change]:
    """The settled changes, with what their last one needs in front of it. Raise CheckError for a premise that there is not."""
    *before, change = settled
    return [*before, *_led(workspace, change), change]


def _led(workspace: Workspace, change: Change) -> Iterator[Change]:
    match change:
        case Add(id=id, values=values, collection=collection):
            _check(workspace, id, values)
            if collection in workspace.collections:
                yield from _extended(workspace, collection, values, change.source)
        case Amend(id=id) if found := workspace.find(id):
            values = {**change.append, **change.set}
            _check(workspace, id, values)
            yield from _extended(workspace, found.collection, values, change.source)
        case Confirm(id=id) if found := workspace.find(id):
            yield from _freed(workspace, found.record, change.source)


def _check(workspace: Workspace, id: str, values: Mapping[str, Any]) -> None:
    named = values.get("rests_on")
    for premise in named if isinstance(named, list | tuple) else ():
        if premise == id:
            raise _refused(f"{id} cannot rest on itself", "name the other records that it holds because of")
        if not isinstance(premise, str) or workspace.find(premise) is None:
            raise _refused(f"there is no record {premise!r} for {id} to rest on", "add it first, or leave it out")


def _refused(message: str, hint: str) -> CheckError:
    return CheckError(Diagnostic("premise", "$.values.rests_on", message, hint))


def _extended(workspace: Workspace, collection: str, values: Mapping[str, Any], source: tuple[int, ...]) -> Iterator[Extend]:
    """The fields of premises for a type that a change uses them of and that lacks them."""
    had = workspace.collections[collection].type.by_name
    lacking = tuple(field for field in FIELDS if field.name not in had)
    if lacking and collection != NOTES and any(name in values for name in _NAMES):
        yield Extend(source=source, collection=collection, fields=lacking)


def _freed(workspace: Workspace, record: Any, source: Iterable[int]) -> Iterator[Amend]:
    """What is said to stand after a premise of it was called off, or is there no more, rests on that no longer."""
    gone = {id for id in premises(record) if _gone(workspace, id, max(source))}
    kinds, values = type_of(record).by_name, dict[str, Any]()
    if gone & {*getattr(record, "rests_on", ())}:
        values["rests_on"] = [id for id in record.rests_on if id not in gone]
    if getattr(record, "part_of", None) in gone and isinstance(kinds["part_of"].type, Maybe):
        values["part_of"] = None
    if values:
        yield Amend(
            source=tuple(source), id=record.id, set=values, why=f"it is said to stand without {', '.join(sorted(gone))}"
        )


def _gone(workspace: Workspace, id: str, said: int) -> bool:
    found = workspace.find(id)
    if found is None:
        return True
    return getattr(found.record, "status", None) in GONE and max(found.record.source, default=0) <= said
