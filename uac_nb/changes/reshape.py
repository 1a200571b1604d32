"""Moving records to another type by a map that is data, since code of a model should not be needed for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from uac_nb.changes.vocabulary import Moved, Reshape
from uac_nb.changes.workspace import Workspace
from uac_nb.domainfile.records import RecordType, make, type_of, values_of
from uac_nb.errors import CheckError, Diagnostic

CARRIED = ("id", "source")


def reshaped(change: Reshape, workspace: Workspace) -> Workspace:
    """The project with the records in the other collection. Raise CheckError where a value would be lost or does not fit."""
    if missing := [name for name in (change.collection, change.to) if name not in workspace.collections]:
        raise _refused("unknown-collection", f"there is no collection {missing[0]!r}", "define it first")
    if change.collection == change.to:
        raise _refused(
            "reshape", "`collection` and `to` are one collection", "extend it, or define another and reshape to that"
        )
    kind = workspace.collections[change.to].type
    old = workspace.collections[change.collection].type
    _check_map(change, old, kind)
    records = _chosen(change, workspace)
    new = [make(kind, dict(_values(record, kind, change.map)), f"$.map.{record.id}") for record in records]
    if lost := sorted({name for record in records for name in _lost(record, kind, change.map)}):
        names = ", ".join(lost)
        raise _refused(
            "reshape", f"{kind.name} has no place for {names} of {old.name}", f"extend {change.to}, or map {lost[0]}"
        )
    return _added(_removed(workspace, change, records), change, new)


def _removed(workspace: Workspace, change: Reshape, records: Sequence[Any]) -> Workspace:
    domain = workspace.domain_of(change.collection)
    for record in records:
        domain = domain.remove(record.id)
    return workspace.with_domain(domain)


def _added(workspace: Workspace, change: Reshape, records: Sequence[Any]) -> Workspace:
    return workspace.with_domain(workspace.domain_of(change.to).add(change.to, *records)) if records else workspace


def _chosen(change: Reshape, workspace: Workspace) -> list[Any]:
    records = {record.id: record for record in workspace.records(change.collection)}
    if unknown := [id for id in change.ids if id not in records]:
        raise _refused(
            "unknown-id", f"{change.collection} has no record {unknown[0]!r}", f"it has {', '.join(records) or 'none'}"
        )
    return [records[id] for id in change.ids] if change.ids else [*records.values()]


def _check_map(change: Reshape, old: RecordType, new: RecordType) -> None:
    for name, moved in change.map.items():
        if name not in new.by_name or name in CARRIED:
            raise _refused("reshape", f"{new.name} has no field {name!r} to be mapped", f"it has {', '.join(new.by_name)}")
        if moved.field is not None and moved.field not in old.by_name:
            raise _refused("reshape", f"{old.name} has no field {moved.field!r}", f"it has {', '.join(old.by_name)}")
        if moved.lookup and moved.field is None:
            raise _refused("reshape", f"the lookup for {name!r} names no field", "say which `field` it looks up")


def _values(record: Any, kind: RecordType, map: Mapping[str, Moved]) -> Iterator[tuple[str, Any]]:
    values = values_of(record)
    for name in kind.by_name:
        if name in map:
            yield name, _moved(map[name], name, values)
        elif name in values:
            yield name, values[name]


def _moved(moved: Moved, name: str, values: Mapping[str, Any]) -> Any:
    if moved.field is None:
        return moved.constant
    value = values[moved.field]
    if not moved.lookup:
        return value
    if str(value) not in moved.lookup:
        raise _refused(
            "reshape", f"the lookup for {name!r} has no {value!r}", f"it has {', '.join(moved.lookup)}; add that one"
        )
    return moved.lookup[str(value)]


def _lost(record: Any, kind: RecordType, map: Mapping[str, Moved]) -> Iterator[str]:
    """Fields of the old record that hold something and go nowhere."""
    used = {moved.field for moved in map.values()}
    for f in type_of(record).fields:
        if f.name not in used and f.name not in kind.by_name and getattr(record, f.name) != f.default:
            yield f.name


def _refused(code: str, message: str, hint: str) -> CheckError:
    return CheckError(Diagnostic(code, "$.map" if code == "reshape" else "", message, hint))
