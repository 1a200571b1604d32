"""Columns of values as plain JSON and back, fast: the type is looked at once a column, not once a value.

When, Every, date, datetime, time, Decimal  text
Money                                 "12.50 EUR"
Said                                  [text, source]
tuple, dict, nested record            list, dict, row
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from operator import attrgetter
from typing import Any

from uac_nb.domainfile.annotations import Choice, Fixed, Many, Maybe, Nested, Scalar, Table, Type
from uac_nb.rules import Every, Money, Said, When
from uac_nb.rules.zone import packed, unpacked

_TO: Mapping[str, Callable[[Any], Any]] = {
    "Decimal": str,
    "date": date.isoformat,
    "datetime": datetime.isoformat,
    "time": time.isoformat,
    "When": attrgetter("text"),
    "Every": attrgetter("text"),
    "Zone": packed,
    "Money": lambda money: f"{money.amount} {money.currency}",
    "Said": lambda said: [said.text, said.source],
}
_FROM: Mapping[str, Callable[[Any], Any]] = {
    "Decimal": Decimal,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
    "When": When,
    "Every": Every,
    "Zone": unpacked,
    "Money": lambda text: Money(*text.split(" ")),
}


def column_to_json(type: Type, column: Sequence[Any]) -> Sequence[Any]:
    """The JSON of the values of one field of many records."""
    match type:
        case Choice() | Scalar("str" | "int" | "float" | "bool"):
            return column
        case Scalar(name):
            return list(map(_TO[name], column))
        case Maybe(of):
            return _where_some(column, lambda some: column_to_json(of, some))
        case Many(of):
            return _flat(column, lambda items: column_to_json(of, items), list)
        case Fixed(items):
            return [[column_to_json(t, [v])[0] for t, v in zip(items, value, strict=True)] for value in column]
        case Table(of):
            return [dict(zip(value, column_to_json(of, list(value.values())), strict=True)) for value in column]
        case Nested(inner):
            return inner.rows(column)


def column_from_json(type: Type, column: Sequence[Any]) -> Sequence[Any]:
    """The values of one field of many records."""
    match type:
        case Choice() | Scalar("str" | "int" | "float" | "bool"):
            return column
        case Scalar("Said"):
            return [Said(text, source) for text, source in column]
        case Scalar(name):
            make = _FROM[name]
            made = {text: make(text) for text in set(column)}
            return [made[text] for text in column]
        case Maybe(of):
            return _where_some(column, lambda some: column_from_json(of, some))
        case Many(of):
            return _flat(column, lambda items: column_from_json(of, items), tuple)
        case Fixed(items):
            return [tuple(column_from_json(t, [v])[0] for t, v in zip(items, value, strict=True)) for value in column]
        case Table(of):
            return [dict(zip(value, column_from_json(of, list(value.values())), strict=True)) for value in column]
        case Nested(inner):
            return inner.build_rows(column)


Convert = Callable[[Sequence[Any]], Sequence[Any]]


def _where_some(column: Sequence[Any], convert: Convert) -> Sequence[Any]:
    """Convert the values that are not None."""
    some = [value for value in column if value is not None]
    converted = iter(convert(some))
    return [None if value is None else next(converted) for value in column]


def _flat(column: Sequence[Any], convert: Convert, gather: Callable[[Sequence[Any]], Any]) -> Sequence[Any]:
    """Convert the items of all values at once, then gather them value by value."""
    items = [item for value in column for item in value]
    converted = convert(items)
    if converted is items:
        return list(map(gather, column))
    found, start = [], 0
    for value in column:
        found.append(gather(converted[start : start + len(value)]))
        start += len(value)
    return found
