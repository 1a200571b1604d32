"""A change in plain words, for a person who has to say yes or no to it.

Code says them from the records. A model's own words for what it proposes (`fact`, `why`) may be kinder than what it does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import time
from functools import singledispatch
from typing import Any

from uac_nb.changes import Change, Workspace
from uac_nb.changes.vocabulary import (
    Absorb,
    Add,
    AddConcern,
    AddNote,
    AddRule,
    Amend,
    Close,
    Confirm,
    Define,
    Derive,
    Extend,
    Merge,
    Reshape,
    Supersede,
)  # fmt: skip
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.records import type_of, values_of
from uac_nb.errors import STOPS
from uac_nb.rules import When, clock, day, listed, name

NAMED = ("id", "source")  # what a record is called by stands in front; what it rests on is shown as what was said


def plainly(change: Change, before: Workspace, after: Workspace) -> str:
    """What a change does to the project `before` it; `after` is the project with it.

    Of one that cannot be told, which and why: it stands among others, on a page that tells them too.
    """
    try:
        return _told(change, before, after)
    except STOPS:
        raise
    except Exception as error:
        return f"{_named(change)} (it cannot be told in words: {type(error).__name__}: {error})"


@singledispatch
def _told(change: Change, before: Workspace, after: Workspace) -> str:
    return _named(change)


def _named(change: Change) -> str:
    return f"{change.change} {getattr(change, 'id', '')}".strip()


@_told.register
def _(change: Add, before: Workspace, after: Workspace) -> str:
    head = f"New in {_words(change.collection)}: "
    if (record := _record(change.id, after)) is None:  # it cannot be made
        return head + "; ".join(f"{_words(field)} {value}" for field, value in change.values.items())
    details = "; ".join(_details(record))
    return f"{head}{name(record)}" + (f" ({details})" if details else "")


@_told.register
def _(change: Amend, before: Workspace, after: Workspace) -> str:
    return f"Change {_called(change.id, before)}: {_differences(change.id, before, after)}"


@_told.register
def _(change: Confirm, before: Workspace, after: Workspace) -> str:
    return f"Said again: {_called(change.id, before)} (nothing changes but what it rests on)"


@_told.register
def _(change: Close, before: Workspace, after: Workspace) -> str:
    return _ended(change.id, before, after)


@_told.register
def _(change: Supersede, before: Workspace, after: Workspace) -> str:
    return f"{_ended(change.id, before, after)}; instead: {_called(change.by, after)}"


def _ended(id: str, before: Workspace, after: Workspace) -> str:
    return f"No longer holds: {_called(id, before)} – {_differences(id, before, after)}"


@_told.register
def _(change: AddNote, before: Workspace, after: Workspace) -> str:
    on = f" on {_called(change.about, before)}" if change.about else ""
    return f"New note{on}: {change.text}"


@_told.register
def _(change: AddConcern, before: Workspace, after: Workspace) -> str:
    what = listed(_called(id, after) for id in change.records)
    return f"Does not go together: {what}. {change.because} {change.do}"


@_told.register
def _(change: Absorb, before: Workspace, after: Workspace) -> str:
    return f"{_called(change.note, before)} — this note becomes part of {_called(change.into, before)}"


@_told.register
def _(change: Merge, before: Workspace, after: Workspace) -> str:
    differences = _differences(change.into, before, after)
    return f"One and the same: {_called(change.id, before)} goes into {_called(change.into, before)}" + (
        f" – {differences}" if differences else ""
    )


@_told.register
def _(change: Define, before: Workspace, after: Workspace) -> str:
    return f"New kind of record in {change.domain}: {_words(change.collection)}"


@_told.register
def _(change: Extend, before: Workspace, after: Workspace) -> str:
    fields = [f"New field of {_words(change.collection)}: {_words(field.name)}" for field in change.fields]
    choices = [
        f"New choices for {_words(field)} of {_words(change.collection)}: {', '.join(new)}"
        for field, new in change.choices.items()
    ]
    return "; ".join([*fields, *choices])


@_told.register
def _(change: Reshape, before: Workspace, after: Workspace) -> str:
    moved = [r for r in before.records(change.collection) if not change.ids or r.id in change.ids]
    return f"Moves from {_words(change.collection)} to {_words(change.to)}: {', '.join(map(name, moved)) or 'nothing yet'}"


@_told.register
def _(change: Derive, before: Workspace, after: Workspace) -> str:
    return f"New derived value {_words(change.id)}: {_doc(change.text)}"


@_told.register
def _(change: AddRule, before: Workspace, after: Workspace) -> str:
    return f"New rule {_words(change.id)}: {_doc(change.text)}"


# --- parts ---


def _record(id: str, workspace: Workspace) -> Any | None:
    found = workspace.find(id)
    return found.record if found else None


def _called(id: str, workspace: Workspace) -> str:
    record = _record(id, workspace)
    return name(record) if record else _words(id)


def _details(record: Any) -> Iterator[str]:
    """What a record says beside its name, where somebody said it."""
    called = name(record)
    for field in type_of(record).fields:
        value = getattr(record, field.name)
        if field.name not in NAMED and value != field.default and value not in (None, (), called):
            yield f"{_words(field.name)} {_value(value)}"


def _differences(id: str, before: Workspace, after: Workspace) -> str:
    """The values of a record that change, the old ones in brackets."""
    old, new = _record(id, before), _record(id, after)
    was, now = (values_of(old) if old else {}), (values_of(new) if new else {})
    changed = [field for field in now if field not in NAMED and now[field] != was.get(field)]
    return "; ".join(f"{_words(field)} {_value(now[field])} ({_before(was.get(field))})" for field in changed)


def _before(value: Any) -> str:
    return "new" if value in (None, ()) else f"was {_value(value)}"


def _value(value: Any) -> str:
    match value:
        case None | ():
            return "no more"
        case bool():
            return "yes" if value else "no"
        case When():
            return day(value)
        case time():
            return clock(value)
        case tuple():
            return ", ".join(map(_value, value))
        case _:
            return str(getattr(value, "text", value))


def _words(id: str) -> str:
    return id.replace("_", " ").replace("-", " ")


def _doc(source: str) -> str:
    """The first line of the docstring of a function in source."""
    try:
        functions = [node for node in parse(source).body if isinstance(node, ast.FunctionDef)]
    except (SyntaxError, ValueError):
        functions = []
    doc = ast.get_docstring(functions[0]) if functions else None
    return doc.splitlines()[0] if doc else "see the code"
