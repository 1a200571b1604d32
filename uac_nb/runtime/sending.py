"""What is sent to the process that runs a program: types, definitions, rules, and the rows of the records."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any

from uac_nb.runtime.programs import Program
from uac_nb.runtime.rulefile import RuleFile
from uac_nb.source.records import RecordType


def loading(old: Program | None, new: Program, rules: RuleFile) -> dict[str, Any]:
    """A request that takes a process from one program to another: of each collection only the rows that differ."""
    with _uncollected():
        return _changes(old, new, rules)


def _changes(old: Program | None, new: Program, rules: RuleFile) -> dict[str, Any]:
    same_types = old is not None and old.types == new.types
    types = {kind.name: kind for kind in new.types}
    before = old.collections if old and same_types else {}
    return {
        "do": "load",
        "types": None if same_types else pickle.dumps(new.types),
        "definitions": dict(new.definitions),
        "rules": rules.text,
        "collections": [_splice(name, types, before.get(name), *new.collections[name]) for name in new.collections],
    }


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the garbage collector from looking again and again through 100,000 new lists, none of which is garbage."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _splice(
    name: str, types: Mapping[str, RecordType], old: tuple[str, Sequence[Any]] | None, kind: str, records: Sequence[Any]
) -> tuple[str, str, int, int, list[list[Any]]]:
    """Name, type, and which slice of the old records gives way to which rows."""
    before = old[1] if old and old[0] == kind else ()
    start = _common(before, records)
    end = _common(before[start:][::-1], records[start:][::-1])
    return name, kind, start, len(before) - end, _shared(types[kind].rows(records[start : len(records) - end]))


def _shared(rows: list[list[Any]]) -> list[list[Any]]:
    """The rows with equal texts the same object: less to send, and fewer pages of memory that a query touches."""
    once: dict[str, str] = {}
    return [[once.setdefault(value, value) if value.__class__ is str else value for value in row] for row in rows]


def _common(a: Sequence[Any], b: Sequence[Any]) -> int:
    """How many items two sequences begin with in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1] or pair[0] == pair[1], zip(a, b, strict=False)))
