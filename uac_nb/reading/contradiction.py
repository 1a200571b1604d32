"""What cannot be: two records of one person and one subject that hold and say different things; a plan that has happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from uac_nb.changes import Workspace
from uac_nb.domainfile.records import RecordType, type_of
from uac_nb.errors import Diagnostic
from uac_nb.rules import live, name, starts_on
from uac_nb.starter import one_at_a_time as declared

# Of types that do not say of what there is one at a time, what is asked about: these, else one for each subject.
SINGLE: Mapping[str, tuple[str, ...]] = {"jobs": ("who", "kind")}
SUBJECTS = ("of", "subject", "topic", "about")
BESIDE = ("id", "source", "quote", "doubt", "why", "since", "until")  # fields that do not make it another statement
# One may like many things, so of these there is one for each thing, whatever the type says.
MANY = {"stance": (("like", "dislike"), ("who", "what"))}
NOT_YET = ("applied", "accepted", "prescribed", "wanted")  # statuses of what does not hold yet
PAST = {"happened": "happened", "done": "been done"}  # statuses that no plan has


def contradiction(collection: str, record: Any, workspace: Workspace) -> Diagnostic | None:
    """What a record contradicts or repeats, among the others of its collection that hold.

    Of a type that has `one_at_a_time` only a repetition: there the older record is ended together with the new one.
    """
    names = one_at_a_time(type_of(record)) or _subject(collection, record)
    for other in _alike(collection, record, workspace, names):
        called = f"{other.id} ({name(other)})"
        if _says(other) == _says(record):
            return Diagnostic("repeats", "$.id", f"{called} says the same", "confirm or amend that one")
        if not one_at_a_time(type_of(record)):
            return Diagnostic(
                "contradicts",
                "$.id",
                f"{called} says otherwise and is still open",
                "close or supersede the old one, amend or append to it, or say in `why` that both hold",
            )
    return None


def repeated(collection: str, record: Any, workspace: Workspace) -> Any | None:
    """The record that holds and says the same, where there is one at a time."""
    alike = _alike(collection, record, workspace, one_at_a_time(type_of(record)))
    return next((other for other in alike if _says(other) == _says(record)), None)


def rivals(collection: str, record: Any, workspace: Workspace) -> list[Any]:
    """The records that say otherwise and cannot hold beside one: its type says that there is one at a time."""
    alike = _alike(collection, record, workspace, one_at_a_time(type_of(record)))
    return [other for other in alike if _says(other) != _says(record)]


def doubled(before: Workspace, after: Workspace) -> Iterator[Diagnostic]:
    """Records that hold beside each other though there is one at a time, where that is new: a person may write so."""
    for collection in after.collections:
        records = after.records(collection)
        if records is before.records(collection) or not one_at_a_time(after.collections[collection].type):
            continue
        for record in records:
            other = next(iter(rivals(collection, record, after)), None)
            was = before.find(record.id)
            if (
                other
                and other.id < record.id
                and not (was and any(o.id == other.id for o in rivals(collection, was.record, before)))
            ):
                told = f"{other.id} and {record.id} both hold, and there is one at a time"
                yield Diagnostic("two-at-a-time", f"{collection}: {record.id}", told, "give the one that is over its `until`")


def one_at_a_time(kind: RecordType) -> tuple[str, ...]:
    """The fields that say of what only one record can hold; of an older copy of a type of ours, as the type says today."""
    names = kind.one_at_a_time or declared(kind.starter)
    return names if all(field in kind.by_name for field in names) else ()


def premature(record: Any, said: Sequence[date]) -> Diagnostic | None:
    """What is called done although it lies after the days on which that was said."""
    status, start = getattr(record, "status", None), starts_on(record)
    if status not in PAST or start is None or not said or start.first <= max(said):
        return None
    told = f"{start.text} lies after {max(said)}, when it was said, and so it has not {PAST[status]}"
    return Diagnostic("plan", "$.values.status", told, "it is planned until an entry says that it happened")


def current(record: Any) -> bool:
    """Whether it holds, as far as it says itself: without an end, and by its status neither over nor still to come."""
    return getattr(record, "until", None) is None and live(record) and getattr(record, "status", None) not in NOT_YET


def _alike(collection: str, record: Any, workspace: Workspace, names: tuple[str, ...]) -> Iterator[Any]:
    """The other records that hold and have the same values in these fields."""
    key = _key(record, names)
    if key and current(record):
        for other in workspace.records(collection):
            if other.id != record.id and current(other) and _key(other, names) == key:
                yield other


def _key(record: Any, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """Whose and about what it is; None where there can be many."""
    if not names:
        return None
    names = next((each for field, (many, each) in MANY.items() if getattr(record, field, None) in many), names)
    values = [str(getattr(record, field, None) or "").casefold() for field in names]
    return tuple(values) if all(values) else None


def _subject(collection: str, record: Any) -> tuple[str, ...]:
    fields = type_of(record).by_name
    if collection in SINGLE:
        return SINGLE[collection]
    subject = next((field for field in SUBJECTS if field in fields), None) if {"until", "who"} <= fields.keys() else None
    return ("who", subject) if subject else ()


def _says(record: Any) -> dict[str, str]:
    return {f.name: str(getattr(record, f.name)).casefold() for f in type_of(record).fields if f.name not in BESIDE}
