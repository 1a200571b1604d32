"""The annotations of fields as a small tree. Standard library and uac_nb.rules only.

str int float bool Decimal date datetime time When Every Zone Money Said  Scalar
Literal["a", "b"]                                                   Choice
X | None                                                            Maybe
tuple[X, ...]                                                       Many
tuple[X, Y]                                                         Fixed
dict[str, X]                                                        Table
the name of a record type                                           Nested
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.words import did_you_mean, quoted
from uac_nb.rules import Every, Money, Said, When, Zone

if TYPE_CHECKING:
    from uac_nb.domainfile.records import RecordType


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"

    def __reduce__(self) -> str:  # pickled and copied by name, so that `is MISSING` still holds
        return "MISSING"


MISSING: Final = _Missing()


# --- the tree ---


@dataclass(frozen=True, slots=True)
class Scalar:
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Choice:
    values: tuple[str | int | bool, ...]

    def __str__(self) -> str:
        return f"Literal[{', '.join(quoted(v) if isinstance(v, str) else repr(v) for v in self.values)}]"


@dataclass(frozen=True, slots=True)
class Maybe:
    of: Type

    def __str__(self) -> str:
        return f"{self.of} | None"


@dataclass(frozen=True, slots=True)
class Many:
    of: Type

    def __str__(self) -> str:
        return f"tuple[{self.of}, ...]"


@dataclass(frozen=True, slots=True)
class Fixed:
    of: tuple[Type, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.of))}]"


@dataclass(frozen=True, slots=True)
class Table:
    of: Type

    def __str__(self) -> str:
        return f"dict[str, {self.of}]"


@dataclass(frozen=True, slots=True)
class Nested:
    type: RecordType

    def __str__(self) -> str:
        return self.type.name


Type = Scalar | Choice | Maybe | Many | Fixed | Table | Nested


def parts(type: Type) -> Iterator[Type]:
    """The type and all that it is made of, but not the fields of record types."""
    yield type
    inner = type.of if isinstance(type, Fixed) else (type.of,) if isinstance(type, Maybe | Many | Table) else ()
    for part in inner:
        yield from parts(part)


# --- from an annotation ---

SCALARS: Mapping[str, type] = {
    "str": str, "int": int, "float": float, "bool": bool, "Decimal": Decimal, "date": date, "datetime": datetime,
    "time": time, "When": When, "Every": Every, "Zone": Zone, "Money": Money, "Said": Said,
}  # fmt: skip
_INSTEAD = {
    "list": "write tuple[X, ...]: records are frozen", "List": "write tuple[X, ...]", "set": "write tuple[X, ...]",
    "Optional": "write X | None", "Union": "write X | None", "Dict": "write dict[str, X]", "Any": "name the type",
    "object": "name the type", "Tuple": "write tuple[X, ...]", "Enum": "write Literal[...]", "timedelta": "write int, the days",
}  # fmt: skip


def parse_type(annotation: str | ast.expr, names: Mapping[str, Type] = {}) -> Type:
    """Read an annotation; `names` are the record types and aliases in sight. Raise ValueError with a hint.

    >>> parse_type("tuple[When, ...] | None")
    Maybe(of=Many(of=Scalar(name='When')))
    """
    if isinstance(annotation, str):
        try:
            annotation = parse(annotation.strip(), "eval").body
        except (SyntaxError, ValueError):
            raise ValueError(f"{annotation!r} is not an annotation") from None
    return _annotation(annotation, names)


def _annotation(node: ast.expr, names: Mapping[str, Type]) -> Type:
    match node:
        case ast.Name(id=name):
            if name in names:
                return names[name]
            if name in SCALARS:
                return Scalar(name)
            hint = _INSTEAD.get(name) or did_you_mean(name, [*SCALARS, *names])
            raise ValueError(f"{name} is no type that a field can have" + (f"; {hint}" if hint else ""))
        case ast.BinOp(op=ast.BitOr(), left=left, right=ast.Constant(value=None)):
            of = _annotation(left, names)
            return of if isinstance(of, Maybe) else Maybe(of)
        case ast.BinOp(op=ast.BitOr(), left=ast.Constant(value=None), right=right):
            return _annotation(ast.BinOp(right, ast.BitOr(), ast.Constant(None)), names)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            return _choice(inner)
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[item, ast.Constant(value=value)])) if value is ...:
            return Many(_annotation(item, names))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)) if items:
            return Fixed(tuple(_annotation(item, names) for item in items))
        case ast.Subscript(value=ast.Name(id="tuple")):
            raise ValueError(f"{ast.unparse(node)} holds exactly one value; write tuple[{ast.unparse(node.slice)}, ...]")
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[ast.Name(id="str"), item])):
            return Table(_annotation(item, names))
        case ast.Subscript(value=ast.Name(id="dict")):
            raise ValueError(f"{ast.unparse(node)}: the keys of a dict are str; write dict[str, X]")
        case ast.Subscript(value=ast.Name(id=name)) if name in _INSTEAD:
            raise ValueError(f"{ast.unparse(node)} is no type that a field can have; {_INSTEAD[name]}")
        case ast.Constant(value=str() as text):
            raise ValueError(f'"{text}" stands in quotes; write {text}, defined above')
        case ast.BinOp():
            raise ValueError(f"{ast.unparse(node)}: of several types only X | None can be told apart; choose one")
    raise ValueError(f"{ast.unparse(node)} is no type that a field can have")


def _choice(inner: ast.expr) -> Type:
    try:
        values = ast.literal_eval(inner)
    except ValueError:
        values = ()
    values = values if isinstance(inner, ast.Tuple) else (values,)
    known = tuple(v for v in values if isinstance(v, str | int))
    if not known or len(known) + values.count(None) != len(values):
        raise ValueError(f"Literal[{ast.unparse(inner)}]: write the choices as text or numbers")
    choice = Choice(known)
    return Maybe(choice) if None in values else choice
