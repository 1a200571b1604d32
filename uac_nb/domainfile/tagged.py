"""Any value as JSON that says what it is: what a query returns, what a change stores. Standard library and uac_nb.rules only.

    {"$when": "2025-03"} {"$money": ["12.50", "EUR"]} {"$decimal": "1.5"} {"$date": …} {"$datetime": …} {"$time": …}
    {"$days": 7} {"$said": [text, source]} {"$unknown": [because, was]}
    {"$record": "Trip", "values": {…}} {"$dict": [[key, value], …]}

Tuples become lists, sets sorted lists. A dict is itself unless a key is no text or starts with "$".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set, ValuesView
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any

from uac_nb.domainfile.types import TAGS, Misfit, untag
from uac_nb.rules import Every, Money, Said, Unknown, When, Zone


def encode(value: Any) -> Any:
    """The tagged JSON of a value. Raise ValueError for what has none.

    >>> encode({"next": When("2025-03"), "all": (1, 2)})
    {'next': {'$when': '2025-03'}, 'all': [1, 2]}
    """
    try:
        return _encode(value)
    except RecursionError:
        raise ValueError("the value is nested too deeply, or holds itself") from None


def _encode(value: Any) -> Any:
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if isfinite(value) else {"$float": str(value)}
        case When():
            return {"$when": value.text}
        case Every():
            return {"$every": value.text}
        case Zone():
            return {"$zone": value.text}
        case Money():
            return {"$money": [str(value.amount), value.currency]}
        case Said():
            return {"$said": [value.text, value.source]}
        case Unknown():
            return {"$unknown": [value.because, _encode(value.was)]}
        case Decimal():
            return {"$decimal": str(value)}
        case datetime():
            return {"$datetime": value.isoformat()}
        case date():
            return {"$date": value.isoformat()}
        case time():
            return {"$time": value.isoformat()}
        case timedelta():
            return {"$days": value / timedelta(days=1) if value.seconds or value.microseconds else value.days}
        case Mapping():
            return _mapping(value)
        case Set():
            return sorted(map(_encode, value), key=repr) if len({type(v) for v in value}) > 1 else _sorted(value)
        case Sequence() | ValuesView():
            return [_encode(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {"$record": type(value).__name__, "values": {f.name: _encode(getattr(value, f.name)) for f in fields(value)}}
    raise ValueError(f"a value of type {type(value).__name__} cannot be returned; use text, numbers, dates, lists or records")


def _mapping(value: Mapping[Any, Any]) -> Any:
    if all(isinstance(key, str) and not key.startswith("$") for key in value):
        return {key: _encode(item) for key, item in value.items()}
    return {"$dict": [[_encode(key), _encode(item)] for key, item in value.items()]}


def _sorted(value: Set[Any]) -> list[Any]:
    try:
        return [_encode(item) for item in sorted(value)]
    except TypeError:  # records and tuples of them have no order of their own
        return sorted(map(_encode, value), key=repr)


def decode(value: Any, types: Mapping[str, Any] = {}) -> Any:
    """The value of tagged JSON, checked; `types` are the record types by name. Raise ValueError.

    >>> decode({"$days": 7})
    datetime.timedelta(days=7)
    """
    try:
        return _decode(value, types)
    except RecursionError:
        raise ValueError("the value is nested too deeply") from None


def _decode(value: Any, types: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_decode(item, types) for item in value]
    if not isinstance(value, dict):
        return value
    tag = next((key for key in value if key.startswith("$")), None)
    if tag is None:
        return {key: _decode(item, types) for key, item in value.items()}
    if set(value) - ({"values"} if tag == "$record" else set()) != {tag}:
        raise Misfit("$", f"{tag} stands alone, not beside {', '.join(sorted(set(value) - {tag}))}")
    inner = value[tag]
    if tag in TAGS:
        return untag(tag, inner)
    try:
        match tag:
            case "$float":
                return float(inner)
            case "$days":
                return timedelta(days=inner)
            case "$unknown":
                return Unknown(str(inner[0]), _decode(inner[1], types))
            case "$dict":
                return {_key(_decode(key, types)): _decode(item, types) for key, item in inner}
            case "$record":
                return types[inner].coerce({key: _decode(item, types) for key, item in value["values"].items()})
    except (TypeError, LookupError, AttributeError, OverflowError):
        raise Misfit("$", f"{tag} does not hold what it should") from None
    raise Misfit("$", f"unknown tag {tag}")


def _key(key: Any) -> Any:
    return tuple(_key(k) for k in key) if isinstance(key, list) else key  # a list was a tuple, or it could be no key
