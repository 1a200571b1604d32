"""What values a type takes. Standard library and uac_nb.rules only.

`accepts` and `expect` are strict: a value as Python source writes it. `coerce` also takes the plain JSON that a model writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any

from uac_nb.domainfile.annotations import SCALARS, Choice, Fixed, Many, Maybe, Nested, Scalar, Table, Type, parse_type
from uac_nb.domainfile.words import brief, did_you_mean, quoted
from uac_nb.domainfile.zones import resolved
from uac_nb.rules import Every, Money, Said, When, Zone

__all__ = ["Misfit", "TAGS", "accepts", "coerce", "decimal", "expect", "parse_type", "untag"]


class Misfit(ValueError):
    """A value that a type does not take: `path` ("$.departs"), what is wrong, and what to write instead."""

    def __init__(self, path: str, message: str, hint: str = "", code: str = "value") -> None:
        self.path, self.message, self.hint, self.code = path, message, hint, code
        super().__init__(f"{path}: {message}" + (f"; {hint}" if hint else ""))


# --- strict ---


def accepts(type: Type) -> Callable[[Any], bool]:
    """Whether a value is of the type, as source writes it: a function, made once for each field."""
    match type:
        case Scalar("float"):
            return lambda v: (v.__class__ is float or v.__class__ is int) and v - v == 0  # neither nan nor infinite
        case Scalar("Decimal"):
            return lambda v: v.__class__ is Decimal and v.is_finite()
        case Scalar(name):
            of = SCALARS[name]
            return lambda v: v.__class__ is of
        case Choice(values):
            exact = {(v.__class__, v) for v in values}
            return lambda v: v.__class__ in (str, int, bool) and (v.__class__, v) in exact
        case Maybe(inner):
            test = accepts(inner)
            return lambda v: v is None or test(v)
        case Many(inner):
            each = accepts(inner)
            return lambda v: v.__class__ is tuple and all(map(each, v))
        case Fixed(inners):
            tests = [accepts(inner) for inner in inners]
            return lambda v: v.__class__ is tuple and len(v) == len(tests) and all(t(x) for t, x in zip(tests, v, strict=True))
        case Table(inner):
            item = accepts(inner)
            return lambda v: v.__class__ is dict and all(k.__class__ is str and item(x) for k, x in v.items())
        case Nested(of_type):
            return lambda v: v.__class__ is of_type.cls or getattr(v.__class__, "__record__", None) == of_type
    raise TypeError(type)


def expect(type: Type, value: Any, path: str) -> None:
    """Raise the Misfit of a value that source writes, at the part of it that is wrong."""
    if accepts(type)(value):
        return
    match type, value:
        case (Many() | Fixed(), list()):
            raise Misfit(path, "a list where a tuple belongs", "write (…,) instead of […]")
        case Many(of), tuple():
            _each((of, item, f"{path}[{i}]") for i, item in enumerate(value))
        case Fixed(of), tuple() if len(value) == len(of):
            _each((t, item, f"{path}[{i}]") for i, (t, item) in enumerate(zip(of, value, strict=True)))
        case Table(of), dict():
            _each((of, item, f"{path}[{quoted(key)}]") for key, item in value.items())
        case Maybe(of), _:
            expect(of, value, path)
        case Choice(values), _:
            raise _no_choice(values, value, path)
        case Scalar(("When" | "Decimal" | "date") as name), str():
            raise Misfit(path, f"text where {name} belongs", f"write {name}({quoted(value)})")
        case Scalar("int"), float():
            raise Misfit(path, f"{value!r} is not a whole number", "write it without the point, or make the field a float")
        case Scalar("str"), _:
            raise Misfit(path, f"{brief(value)} where text belongs", "write it in quotes")
    raise Misfit(path, f"{brief(value)} where {type} belongs", "")


def _each(items: Iterable[tuple[Type, Any, str]]) -> None:
    for type, value, path in items:
        expect(type, value, path)


# --- lenient ---


def coerce(type: Type, value: Any, path: str = "$") -> Any:
    """The typed value of what a model or a person wrote as JSON, or of what is typed already. Raise `Misfit`.

    >>> coerce(parse_type("Money | None"), "12.50 EUR")
    Money("12.50", "EUR")
    """
    if accepts(type)(value):
        return value
    match type:
        case Maybe(of):
            return None if value is None else coerce(of, value, path)
        case Choice(values):
            raise _no_choice(values, value, path)
        case Many(of):
            return tuple(coerce(of, item, f"{path}[{i}]") for i, item in enumerate(_items(type, value, path)))
        case Fixed(of):
            items = _items(type, value, path)
            if len(items) != len(of):
                raise Misfit(path, f"{len(items)} values where {type} takes {len(of)}")
            return tuple(coerce(t, item, f"{path}[{i}]") for i, (t, item) in enumerate(zip(of, items, strict=True)))
        case Table(of):
            if not isinstance(value, dict):
                raise Misfit(path, f"{brief(value)} where {type} belongs", 'write {"key": value}')
            return {str(key): coerce(of, item, f"{path}[{quoted(key)}]") for key, item in value.items()}
        case Nested(of_type):
            return of_type.coerce(value, path)
        case Scalar(name):
            return _scalar(name, value, path)


def _items(type: Type, value: Any, path: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise Misfit(path, f"{brief(value)} where {type} belongs", "write a list, even of one: […]")
    return value


def _scalar(name: str, value: Any, path: str) -> Any:
    if isinstance(value, dict) and len(value) == 1 and (tag := next(iter(value))) in TAGS:
        value = untag(tag, value[tag], path)
        if isinstance(value, SCALARS[name]):
            return value
    message, hint = _WRONG[name]
    try:
        return _SCALAR[name](value)
    except ValueError as error:  # When and Money say behind a colon what to write
        raise Misfit(path, f"{brief(value)} is {message}", str(error).partition("): ")[2] or hint) from None
    except (TypeError, ArithmeticError, KeyError):
        raise Misfit(path, f"{brief(value)} is {message}", hint) from None


_WRONG = {
    "str": ("not text", "write it in quotes"),
    "int": ("not a whole number", "write it as in 3"),
    "float": ("not a finite number", "write it as in 3.5"),
    "bool": ("neither true nor false", "write true or false, without quotes"),
    "Decimal": ("not a number", 'write it as in "12.50"'),
    "date": ("not a day", "write it as in 2025-03-10; a day that is not sure takes a field of type When"),
    "datetime": ("not a moment", "write it as in 2025-03-10T15:00"),
    "time": ("not a time of day", "write it as in 15:00"),
    "When": ("not a date as When takes it", "write 2025-03-10, 2025-03, 2025, 2025-W11, 2025-03-10/2025-03-17 or ../2025"),
    "Every": (
        "not a time that comes again",
        "write it as in tue,thu 18:00-19:30, 1st fri, 15th, 2x week or 6 months from 2025-01-10",
    ),
    "Zone": ("not a time zone", "write its IANA name, as in Asia/Tokyo"),
    "Money": ("not an amount", 'write it as in "12.50 EUR", or {"amount": "12.50", "currency": "EUR"}'),
    "Said": ("not a phrase with its source", 'write it as in {"text": "loves dogs", "source": 12}'),
}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _int(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if re.fullmatch(r"[+-]?\d{1,18}", _text(value), re.ASCII):
        return int(value)
    raise ValueError


def _float(value: Any) -> float:
    return float(decimal(value))


def _bool(value: Any) -> bool:
    raise TypeError  # true and false are accepted as they are; nothing else means them for sure


def decimal(value: Any) -> Decimal:
    """A finite number of sensible size. Raise TypeError or ArithmeticError."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise TypeError
    number = Decimal(str(value))
    if not number.is_finite() or number.adjusted() > 40 or number.as_tuple().exponent < -40:  # type: ignore[operator]
        raise InvalidOperation  # "1e999999999" would take all memory when written out
    return number


def _date(value: Any) -> date:
    if isinstance(value, When):
        return value.date
    if re.fullmatch(r"\d{4}-\d\d-\d\d", _text(value), re.ASCII):
        return date.fromisoformat(value)
    raise ValueError


def _datetime(value: Any) -> datetime:
    if re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", _text(value), re.ASCII):
        return datetime.fromisoformat(value)
    raise ValueError


def _time(value: Any) -> time:
    if re.fullmatch(r"\d\d:\d\d(:\d\d(\.\d+)?)?", _text(value), re.ASCII):
        return time.fromisoformat(value)
    raise ValueError


def _when(value: Any) -> When:
    if isinstance(value, datetime):
        raise TypeError
    return When(value if isinstance(value, date) else _text(value))


def _every(value: Any) -> Every:
    return value if isinstance(value, Every) else Every(_text(value))


def _zone(value: Any) -> Zone:
    return value if isinstance(value, Zone) else resolved(_text(value))


def _money(value: Any) -> Money:
    if isinstance(value, dict):
        if set(value) != {"amount", "currency"}:
            raise KeyError
        return Money(decimal(value["amount"]), value["currency"])
    amount, _, currency = _text(value).strip().partition(" ")
    return Money(decimal(amount), currency)


def _said(value: Any) -> Said:
    if set(value) != {"text", "source"}:
        raise KeyError
    return Said(_text(value["text"]), _whole(value["source"]))


def _whole(value: Any) -> int:
    return value if value.__class__ is int else _int(value)


_SCALAR: Mapping[str, Callable[[Any], Any]] = {
    "str": _text, "int": _int, "float": _float, "bool": _bool, "Decimal": decimal, "date": _date, "datetime": _datetime,
    "time": _time, "When": _when, "Every": _every, "Zone": _zone, "Money": _money, "Said": _said,
}  # fmt: skip

# How JSON that crosses a process or is stored says what is more than text, number, list and dict.
TAGS: Mapping[str, Callable[[Any], Any]] = {
    "$when": _when,
    "$every": lambda text: Every(_text(text)),
    "$zone": lambda text: Zone(_text(text)),
    "$money": lambda pair: Money(decimal(pair[0]), pair[1]),
    "$time": lambda text: time.fromisoformat(_text(text)),
    "$date": _date,
    "$datetime": lambda text: datetime.fromisoformat(_text(text)),
    "$decimal": decimal,
    "$said": lambda pair: Said(_text(pair[0]), _whole(pair[1])),
}


def untag(tag: str, value: Any, path: str = "$") -> Any:
    """The value of a tag of `TAGS`. Raise `Misfit`."""
    try:
        return TAGS[tag](value)
    except (ValueError, TypeError, ArithmeticError, LookupError, AttributeError):
        raise Misfit(path, f"{brief(value)} is nothing that {tag} takes") from None


def _no_choice(values: tuple[Any, ...], value: Any, path: str) -> Misfit:
    choices = f"one of {', '.join(quoted(v) if isinstance(v, str) else repr(v) for v in values)}"
    near = did_you_mean(value, values) if isinstance(value, str) else ""
    return Misfit(path, f"{brief(value)} is no choice", f"{near} {choices}".strip())
