"""What is sent to the process that runs a program: types, definitions, rules, and the columns of the records."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any

from uac_nb.domainfile.records import RecordType
from uac_nb.runtime import wire
from uac_nb.runtime.programs import Program
from uac_nb.runtime.rulefile import RuleFile


def loading(old: Program | None, new: Program, rules: RuleFile) -> dict[str, Any]:
    """A request that takes a process from one program to another: of each collection only the records that differ."""
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
) -> tuple[str, str, int, int, int, list[bytes]]:
    """Name, type, and which slice of the old records gives way to how many new ones, with their columns.

    Columns are packed one by one, so that what reads them never has more than one in pieces: its memory is what the records
    take and little more, and every child of it is forked the faster for that.
    """
    before = old[1] if old and old[0] == kind else ()
    start = _common(before, records)
    end = _common(before[start:][::-1], records[start:][::-1])
    new = records[start : len(records) - end]
    columns = [wire.pack(_shared(column)) for column in types[kind].columns(new)]
    return name, kind, start, len(before) - end, len(new), columns


def _shared(column: Sequence[Any]) -> list[Any]:
    """A column with equal texts the same object, and lists as the tuples that they become: less to send, and to throw away."""
    once: dict[str, str] = {}
    return [
        once.setdefault(value, value) if value.__class__ is str else tuple(value) if value.__class__ is list else value
        for value in column
    ]


def _common(a: Sequence[Any], b: Sequence[Any]) -> int:
    """How many items two sequences begin with in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1] or pair[0] == pair[1], zip(a, b, strict=False)))
