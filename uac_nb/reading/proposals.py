"""What proposals say of each other, as JSON, before their shape is checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from uac_nb.changes.apply import REFERENCES

Raw = Mapping[str, Any]

MAKERS = ("add", "note", "concern")  # changes whose `id` is that of a new record
POINTERS = ("about", "into", "by", "note", "records")  # fields of a change that hold the id of a record
SHAPES = ("define", "extend", "reshape")


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def cited(raw: Raw) -> set[int]:
    source = raw.get("source")
    return {id for id in source if isinstance(id, int)} if isinstance(source, list | tuple) else set()


def makes(raw: Raw) -> set[str]:
    """The id of the record that a change makes."""
    return strings(raw.get("id")) if raw.get("change") in MAKERS else set()


def rests_on(raw: Raw) -> set[str]:
    """The ids that a change speaks of."""
    fields = [raw.get(name) for name in POINTERS] + ([] if raw.get("change") in MAKERS else [raw.get("id")])
    values = [part.get(name) for part in parts(raw) for name in REFERENCES]
    return {id for value in (*fields, *values) for id in strings(value)}


def parts(raw: Raw) -> list[Mapping[str, Any]]:
    return [part for name in ("values", "set", "append") if isinstance(part := raw.get(name), Mapping)]


def strings(value: Any) -> set[str]:
    return {item for item in (value if isinstance(value, list | tuple) else [value]) if isinstance(item, str)}


def shapes(raw: Raw) -> bool:
    return raw.get("change") in SHAPES


def repointed(raw: Raw, renamed: Mapping[str, str]) -> Raw:
    """The change with references to ids that were given otherwise."""
    if not renamed.keys() & rests_on(raw):
        return raw
    fields = POINTERS if raw.get("change") in MAKERS else (*POINTERS, "id")
    new = {name: _renamed(value, renamed) if name in fields else value for name, value in raw.items()}
    for part in ("values", "set", "append"):
        if isinstance(new.get(part), Mapping):
            new[part] = {name: _renamed(value, renamed) if name in REFERENCES else value for name, value in new[part].items()}
    return new


def doubted(raw: Raw, doubt: str) -> Raw:
    """The change with that doubt in its record."""
    part = "values" if raw.get("change") == "add" else "set"
    return {**raw, part: {**raw.get(part, {}), "doubt": doubt}}


def _renamed(value: Any, renamed: Mapping[str, str]) -> Any:
    if isinstance(value, list | tuple):
        return [_renamed(item, renamed) for item in value]
    return renamed.get(value, value) if isinstance(value, str) else value
