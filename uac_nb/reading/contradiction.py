"""What cannot be: two records of one person and one subject that hold and say different things; a plan that has happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from uac_nb.changes import Workspace
from uac_nb.domainfile.records import type_of
from uac_nb.errors import Diagnostic
from uac_nb.rules import name, starts_on

# What a person has one of at a time. Of other types that hold "since" a day, one for each subject.
SINGLE: Mapping[str, tuple[str, ...]] = {"residences": ("who",), "jobs": ("who", "kind"), "birthdays": ("who", "name")}
SUBJECTS = ("of", "subject", "topic", "about")
BESIDE = ("id", "source", "quote", "doubt", "why", "since", "until")  # fields that do not make it another statement
MANY = {"stance": ("like", "dislike")}  # one may like many
OVER = ("ended", "cancelled", "done", "dropped", "refused", "applied", "finished", "stopped")


PAST = {"happened": "happened", "done": "been done"}  # statuses that no plan has


def contradiction(collection: str, record: Any, workspace: Workspace) -> Diagnostic | None:
    """What a record contradicts or repeats, among the others of its collection that hold."""
    key = _key(collection, record)
    if not key or not _holds(record):
        return None
    for other in workspace.records(collection):
        if other.id == record.id or not _holds(other) or _key(collection, other) != key:
            continue
        called = f"{other.id} ({name(other)})"
        if _says(other) == _says(record):
            return Diagnostic("repeats", "$.id", f"{called} says the same", "confirm or amend that one")
        return Diagnostic(
            "contradicts",
            "$.id",
            f"{called} says otherwise and is still open",
            "close or supersede the old one, amend or append to it, or say in `why` that both hold",
        )
    return None


def premature(record: Any, said: Sequence[date]) -> Diagnostic | None:
    """What is called done although it lies after the days on which that was said."""
    status, start = getattr(record, "status", None), starts_on(record)
    if status not in PAST or start is None or not said or start.first <= max(said):
        return None
    told = f"{start.text} lies after {max(said)}, when it was said, and so it has not {PAST[status]}"
    return Diagnostic("plan", "$.values.status", told, "it is planned until an entry says that it happened")


def _key(collection: str, record: Any) -> tuple[str, ...] | None:
    """Whose and about what it is; None where there can be many."""
    fields = type_of(record).by_name
    names = SINGLE.get(collection)
    if names is None and "until" in fields and "who" in fields:
        subject = next((field for field in SUBJECTS if field in fields), None)
        names = ("who", subject) if subject else None
    if names is None or any(getattr(record, field, None) in many for field, many in MANY.items()):
        return None
    values = [str(getattr(record, field, None) or "").casefold() for field in names]
    return tuple(values) if all(values) else None


def _holds(record: Any) -> bool:
    return getattr(record, "until", None) is None and getattr(record, "status", None) not in OVER


def _says(record: Any) -> dict[str, str]:
    return {f.name: str(getattr(record, f.name)).casefold() for f in type_of(record).fields if f.name not in BESIDE}
