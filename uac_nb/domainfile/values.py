"""What stands below the line: values read from the syntax tree. Nothing is executed: the calls are looked up here."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from uac_nb.domainfile.records import RecordType
from uac_nb.domainfile.types import Misfit, decimal, expect
from uac_nb.domainfile.words import did_you_mean
from uac_nb.domainfile.zones import resolved
from uac_nb.rules import Every, Money, Said, When, Zone


class Refused(Exception):
    """A part of the source that is no value: its line, what is wrong, and what to write instead."""

    def __init__(self, node: ast.expr | ast.keyword, message: str, hint: str = "", code: str = "value") -> None:
        self.line, self.message, self.hint, self.code = node.lineno, message, hint, code
        super().__init__(message)


@dataclass
class Scope:
    """The names that values may use: record types, and what is imported of ours."""

    types: dict[str, RecordType] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)


def read_value(node: ast.expr, scope: Scope) -> Any:
    """The value that an expression writes out. Raise `Refused` for one that would have to be computed."""
    kind = node.__class__
    if kind is ast.Constant:
        value = node.value  # type: ignore[attr-defined]
        if value is None or value.__class__ in _PLAIN:
            return value
    elif kind is ast.Call:
        return _call(node, scope)  # type: ignore[arg-type]
    elif kind is ast.Tuple:
        return tuple([read_value(item, scope) for item in node.elts])  # type: ignore[attr-defined]
    elif kind is ast.List:
        return [read_value(item, scope) for item in node.elts]  # type: ignore[attr-defined]
    elif kind is ast.Dict:
        return _dict(node, scope)  # type: ignore[arg-type]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        if value.__class__ in (int, float):
            return -value
    raise Refused(node, f"{brief_source(node)} is not a value", "write it out, as text, number, date, tuple or record")


_PLAIN = frozenset({str, int, float, bool})


def _dict(node: ast.Dict, scope: Scope) -> dict[Any, Any]:
    if None in node.keys:
        raise Refused(node, "** in a dict", "write out its items")
    keys = [read_value(key, scope) for key in node.keys if key is not None]
    if not all(isinstance(key, str) for key in keys):
        raise Refused(node, "a key that is not text", "write the keys in quotes")
    return dict(zip(keys, [read_value(value, scope) for value in node.values], strict=True))


def _call(node: ast.Call, scope: Scope) -> Any:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in scope.types:
        record, wrong = read_record(node, scope.types[name], scope)
        if wrong:
            raise wrong[0]
        return record
    make: Callable[..., Any] | None
    match node.func:
        case ast.Attribute(value=ast.Name(id="date" | "datetime" | "time" as name), attr="fromisoformat"):
            make = _FROM_ISO[name]
        case _:
            make = _MAKERS.get(name)
    if make is None:
        near = did_you_mean(name, [*scope.types, *_MAKERS]) if name else ""
        raise Refused(node, f"{brief_source(node.func)}(…) is not a value", near or "write it out")
    if name not in scope.imported:
        raise Refused(node, f"{name} is not imported", f"import it above: {name}", "import")
    args = [read_value(arg, scope) for arg in node.args]
    named = {keyword.arg or "**": read_value(keyword.value, scope) for keyword in node.keywords}
    try:
        return make(*args, **named)
    except (TypeError, ValueError, ArithmeticError) as error:
        message, _, hint = str(error).partition("): ")
        raise Refused(node, f"{brief_source(node)} is no {name}", hint or message) from None


def _when(text: str | date) -> When:
    if isinstance(text, datetime) or not isinstance(text, str | date):
        raise TypeError('write it as in When("2025-03-10")')
    return When(text)


def _every(text: str) -> Every:
    if not isinstance(text, str):
        raise TypeError('write it as in Every("tue,thu 18:00-19:30")')
    return Every(text)


def _zone(text: str) -> Zone:
    if not isinstance(text, str):
        raise TypeError('write it as in Zone("Asia/Tokyo")')
    return resolved(text)


def _money(amount: str | int | float | Decimal, currency: str) -> Money:
    return Money(_decimal(amount), currency)


def _decimal(amount: str | int | float | Decimal) -> Decimal:
    try:
        return decimal(amount)
    except (TypeError, ArithmeticError):
        raise ValueError('write the number in quotes, as in "12.50"') from None


def _said(text: str, source: int) -> Said:
    if not isinstance(text, str) or source.__class__ is not int:
        raise TypeError('write the phrase and its entry, as in Said("loves dogs", 12)')
    return Said(text, source)


_MAKERS: Mapping[str, Callable[..., Any]] = {
    "When": _when, "Every": _every, "Zone": _zone, "Money": _money, "Said": _said, "Decimal": _decimal, "date": date,
    "datetime": datetime, "time": time,
}  # fmt: skip
_FROM_ISO: Mapping[str, Callable[..., Any]] = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}


def read_record(node: ast.Call, kind: RecordType, scope: Scope) -> tuple[Any, list[Refused]]:
    """The record that a call writes, and all that is wrong with it (then the record is None)."""
    fields = kind.by_name
    values: dict[str, Any] = {}
    wrong: list[Refused] = []
    if node.args:
        wrong.append(Refused(node.args[0], f"a value of {kind.name} without its field", "write field=value", "field"))
    for keyword in node.keywords:
        name = keyword.arg or "**"
        try:
            if name not in fields:
                unknown = kind.unknown(name, "$")
                raise Refused(keyword, unknown.message, unknown.hint, "field")
            if name in values:
                raise Refused(keyword, f"{name} is given twice", "leave out one of them", "field")
            value = values[name] = read_value(keyword.value, scope)
            if not fields[name].accepts(value):
                expect(fields[name].type, value, name)
        except Misfit as misfit:
            wrong.append(Refused(keyword.value, f"{misfit.path}: {misfit.message}", misfit.hint))
        except Refused as refused:
            wrong.append(refused)
            values.setdefault(name, None)
    for name in kind.required:
        if name not in values:
            if name == "source":
                values[name] = ()  # a person need not cite: the entry of the edit is the source
                continue
            needed = kind.missing(name, "$")
            wrong.append(Refused(node, needed.message, needed.hint, "missing"))
    return (None, wrong) if wrong else (kind.build(values), wrong)


def brief_source(node: ast.AST) -> str:
    """A part of the source for a message, on one line; a long one is cut, and marked."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
