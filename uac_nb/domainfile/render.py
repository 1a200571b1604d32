"""Records as source, the same values always as the same bytes: on one line where it fits, else a field on each line."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from uac_nb.domainfile.annotations import MISSING
from uac_nb.domainfile.records import is_record, type_of
from uac_nb.domainfile.words import quoted
from uac_nb.rules import Every, Money, Said, When, Zone

WIDTH = 120
STEP = 4


def render_value(value: Any) -> str:
    """The value on one line.

    >>> print(render_value((When("2025-03"), Money("12.50", "EUR"), None)))
    (When("2025-03"), Money("12.50", "EUR"), None)
    """
    match value:
        case str():
            return quoted(value)
        case None | bool() | int() | float():
            return repr(value)
        case tuple():
            return f"({', '.join(map(render_value, value))}{',' if len(value) == 1 else ''})"
        case dict():
            return "{" + ", ".join(f"{quoted(key)}: {render_value(item)}" for key, item in value.items()) + "}"
        case When() | Every() | Zone():
            return f"{value.__class__.__name__}({quoted(value.text)})"
        case Money() | date() | time():
            return _call(value)
        case Decimal():
            return f'Decimal("{value}")'
        case Said():
            return f"Said({quoted(value.text)}, {value.source})"
    return f"{type_of(value).name}({', '.join(f'{name}={render_value(item)}' for name, item in written(value))})"


def render_record(record: Any, width: int = WIDTH, indent: int = 0) -> str:
    """The record as a call, without the comma behind it; fields equal to their default are left out.

    The lines after the first are indented by `indent` more; a line fits when it ends, comma included, before `width`.
    """
    return _fitted("", record, width, indent)


def written(record: Any) -> list[tuple[str, Any]]:
    """The fields that source has to write, with their values."""
    kind = type_of(record)
    pairs = [(f, getattr(record, f.name)) for f in kind.fields]
    return [(f.name, value) for f, value in pairs if f.default is MISSING or not _same(value, f.default)]


def _same(value: Any, default: Any) -> bool:
    # 1, 1.0 and True are equal, and so are Decimal("1.0") and Decimal("1.00"); they are not written the same
    return value is default or (value == default and render_value(value) == render_value(default))


def _call(value: Money | date | time) -> str:
    if isinstance(value, Money):
        return f'Money("{value.amount}", {quoted(value.currency)})'
    if isinstance(value, datetime | time) and value.tzinfo is not None:
        return f"{type(value).__name__}.fromisoformat({quoted(value.isoformat())})"
    return repr(value.replace(fold=0) if isinstance(value, datetime | time) else value).removeprefix("datetime.")


def _fitted(lead: str, value: Any, width: int, indent: int) -> str:
    """The value behind `lead` ("departs="), on one line if the line with its comma fits, else its parts on lines each."""
    line = f"{lead}{render_value(value)}"
    if indent + len(line) + 1 <= width:
        return line
    inner = indent + STEP
    if isinstance(value, tuple) and value:
        return _lines(f"{lead}(", (_fitted("", item, width, inner) for item in value), ")", indent)
    if isinstance(value, dict) and value:
        return _lines(f"{lead}{{", (_fitted(f"{quoted(k)}: ", v, width, inner) for k, v in value.items()), "}", indent)
    if is_record(value):
        parts = (_fitted(f"{name}=", item, width, inner) for name, item in written(value))
        return _lines(f"{lead}{type_of(value).name}(", parts, ")", indent)
    return line


def _lines(opening: str, parts: Iterable[str], closing: str, indent: int) -> str:
    margin = " " * indent
    return "".join([opening, "\n", *(f"{margin}    {part},\n" for part in parts), margin, closing])
