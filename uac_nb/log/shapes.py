"""What the cells of an archive have to be: somebody else may have written it, so what is read of them later is checked first.

The texts of changes and edits are not looked at here: they go through the gate.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, NoReturn

from uac_nb.log import rows

MOST = 1 << 63  # of a number that SQLite takes


def loads(text: str) -> Any:
    """Read JSON. Raise ValueError for a number that no export writes: infinite, not a number, or too large to be kept."""
    return json.loads(text, parse_constant=_no_number, parse_int=_whole, parse_float=_finite)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number that is kept")


def _whole(text: str) -> int:
    number = int(text)
    return number if -MOST <= number < MOST else _no_number(f"one of {len(text)} digits")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text[:20])


def _is(*types: type) -> Callable[[Any], bool]:
    return lambda value: type(value) in types  # True is no number here


def _all(kind: type) -> Callable[[Any], bool]:
    return lambda value: type(value) is list and all(type(each) is kind for each in value)


def _day(value: Any) -> bool:
    return type(value) is str and bool(date.fromisoformat(value))


def _of_texts(value: Any) -> bool:
    return type(value) is dict and all(type(each) is str for each in value.values())


_ALERT = {
    **dict.fromkeys(("event", "key", "rule", "message", "hint", "severity", "occurrence"), _is(str)),
    "records": _all(str),
    "evidence": _all(int),
    "on": _day,
    "until": _day,
}
_EDIT = {"path": _is(str), "at": _is(int), "cut": _is(int), "base": _is(str), "deleted": _is(bool)}
_DATA: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "message": {},
    "fact": {"batch": _is(int), "source": _all(int)},
    "change": {"batch": _is(int), "answers": _is(int)},
    "edit": {**_EDIT, "batch": _is(int), "for": _is(int)},
    "undo": {"batch": _is(int), "edit": _is(int), "entry": _is(int), "aside": _all(int)},
    "forget": {"ids": _all(int)},
    "alert": _ALERT,
}
_NEEDED = {"fact": {"source"}, "change": {"batch"}, "edit": {*_EDIT}, "forget": {"ids"}, "alert": {"event", "key"}}
_CELLS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {  # those that are JSON, and those whose type SQLite does not hold
    "entries": {**dict.fromkeys(("session", "speaker", "text", "caption"), _is(str)), "position": _is(int)},
    "batches": {
        "read": lambda value: _all(int)(loads(value)),
        "recorded_at": lambda value: bool(datetime.fromisoformat(value)),
    },
    "calls": {
        **dict.fromkeys(("purpose", "model", "reply", "finish"), _is(str)),
        "request": lambda value: type(loads(value)) is dict,
        "entries": lambda value: _all(int)(loads(value)),
        "seconds": _is(int, float),
        "recorded_at": lambda value: bool(datetime.fromisoformat(value)),
    },
}


def check(table: str, cells: Mapping[str, Any]) -> None:
    """Raise ValueError, TypeError, KeyError or LogError for cells that no export wrote."""
    _check(cells, _CELLS[table])
    if table == "entries" and cells["salt"] is not None:
        data = loads(cells["data"])
        if not (_of_texts(loads(cells["origin"])) and type(data) is dict):
            raise ValueError("its origin or data")
        entry = rows.entry(tuple(cells[name] for name in rows.COLUMNS))
        rows.check(entry, f"entry {entry.id}")
        if entry.recorded_at.tzinfo is None:
            raise ValueError("recorded_at without a zone")
        _check(data, _DATA[entry.kind])
        if entry.kind == "undo" and not ("aside" in data or ("entry" in data and ("batch" in data) != ("edit" in data))):
            raise ValueError("an undo of nothing")
        if missing := _NEEDED.get(entry.kind, set()) - data.keys():
            raise KeyError(*missing)


def _check(cells: Mapping[str, Any], wanted: Mapping[str, Callable[[Any], bool]]) -> None:
    for name, fits in wanted.items():
        if name in cells and not fits(cells[name]):
            raise ValueError(name)
