"""Record types and their records. Standard library and uac_nb.rules only: the sealed worker imports it.

A record is an instance of a class that is made here from the fields of its type: frozen, with slots, keyword-only, and
without the methods that the project may give it (those run only in the sealed process). It crosses processes and
lies in caches as a row: the JSON of its values in the order of the fields.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass
from functools import cached_property, lru_cache
from itertools import repeat
from operator import attrgetter
from typing import Any

from uac_nb.domainfile.annotations import MISSING, Choice, Many, Maybe, Scalar, Type
from uac_nb.domainfile.rows import column_from_json, column_to_json
from uac_nb.domainfile.tagged import decode, encode
from uac_nb.domainfile.types import Misfit, accepts, coerce
from uac_nb.domainfile.words import brief, did_you_mean
from uac_nb.errors import CheckError, Diagnostic
from uac_nb.rules import Note

__all__ = [
    "NOTE",
    "Field",
    "RecordType",
    "decode",
    "diagnostics",
    "encode",
    "is_record",
    "make",
    "says_the_same",
    "type_of",
    "values_of",
]


@dataclass(frozen=True)
class Field:
    """One field: `default` is MISSING where a value is required, `comment` what stands behind it in the source."""

    name: str
    type: Type
    default: Any = MISSING
    comment: str = field(default="", compare=False)

    def __reduce__(self) -> tuple[Any, ...]:  # without what is cached: functions made here cannot be pickled
        return Field, (self.name, self.type, self.default, self.comment)

    @cached_property
    def accepts(self) -> Any:
        return accepts(self.type)

    def fresh(self) -> Any:
        """The default for one record; a dict is never shared."""
        return dict(self.default) if isinstance(self.default, dict) else self.default


@dataclass(frozen=True)
class RecordType:
    """A type of records. `starter` names the type of ours that it was copied from, `domain` the file that defines it.

    `former` are fields that ours has by now, and what a copy that was not upgraded calls them, if it has them: its records
    answer to both.
    `one_at_a_time` names the fields that say of what only one record can hold at a time: ("who",) for homes.
    Two types are equal when their names and fields are. `given` is a class that exists already (that of Note).
    """

    name: str
    fields: tuple[Field, ...]
    doc: str = field(default="", compare=False)
    starter: str | None = field(default=None, compare=False)
    domain: str = field(default="", compare=False)
    given: type | None = field(default=None, compare=False, repr=False)
    former: Mapping[str, str | None] = field(default_factory=dict, compare=False)
    one_at_a_time: tuple[str, ...] = field(default=(), compare=False)

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:  # without what is cached: the class of the records cannot be pickled
        given = (self.given, self.former, self.one_at_a_time)
        return RecordType, (self.name, self.fields, self.doc, self.starter, self.domain, *given)

    @cached_property
    def by_name(self) -> Mapping[str, Field]:
        return {f.name: f for f in self.fields}

    @cached_property
    def required(self) -> tuple[str, ...]:
        return tuple(f.name for f in self.fields if f.default is MISSING)

    @cached_property
    def cls(self) -> type:
        """The class of the records, one for all equal types, so that records of a text parsed twice are equal."""
        return self.given or _class(self, tuple(self.former.items()))

    # --- from values ---

    def build(self, values: Mapping[str, Any]) -> Any:
        """A record of typed values, defaults filled in. Raise TypeError where one is missing or unknown."""
        return self.cls(**values)

    def typed(self, values: Mapping[str, Any], path: str = "$") -> tuple[dict[str, Any], list[Misfit]]:
        """The values that fit, and all that is wrong: unknown, missing, and misfit fields."""
        fit: dict[str, Any] = {}
        wrong: list[Misfit] = []
        for name, value in values.items():
            if name not in self.by_name:
                wrong.append(self.unknown(name, path))
                continue
            try:
                fit[name] = coerce(self.by_name[name].type, value, f"{path}.{name}")
            except Misfit as misfit:
                wrong.append(misfit)
        wrong += [self.missing(name, path) for name in self.required if name not in values]
        return fit, wrong

    def coerce(self, value: Any, path: str = "$") -> Any:
        """A record of a mapping of plain or typed values, or of {"$record": …, "values": …}. Raise the first `Misfit`."""
        if is_record(value) and type_of(value) == self:
            return value
        if isinstance(value, Mapping) and value.get("$record") == self.name:
            value = value.get("values")
        if not isinstance(value, Mapping):
            raise Misfit(path, f"{brief(value)} where {self.name} belongs", f"write its fields: {', '.join(self.by_name)}")
        fit, wrong = self.typed(value, path)
        if wrong:
            raise wrong[0]
        return self.build(fit)

    def unknown(self, name: object, path: str) -> Misfit:
        hint = did_you_mean(name, self.by_name) or f"it has {', '.join(self.by_name)}"
        return Misfit(f"{path}.{name}", f"{self.name} has no field {name!r}", hint, "field")

    def missing(self, name: str, path: str) -> Misfit:
        return Misfit(path, f"{self.name} needs {name!r}", f"add {name}, of type {self.by_name[name].type}", "missing")

    # --- rows ---

    def rows(self, records: Sequence[Any]) -> list[list[Any]]:
        """The rows of many records, in their order."""
        return list(map(list, zip(*self.columns(records), strict=True)))

    def build_rows(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """The records of many rows. Rows are trusted: they come from `rows`, not from a model.

        Raise ValueError when a row is too short or too long.
        """
        columns = list(zip(*rows, strict=True))
        if rows and len(columns) != len(self.fields):
            raise ValueError(f"a row of {self.name} has {len(self.fields)} values, not {len(columns)}")
        return self.build_columns(len(rows), columns or [()] * len(self.fields))

    def columns(self, records: Sequence[Any]) -> Iterator[Sequence[Any]]:
        """What the rows of many records hold, field by field."""
        return (column_to_json(f.type, list(map(attrgetter(f.name), records))) for f in self.fields)

    def build_columns(self, count: int, columns: Iterable[Sequence[Any]]) -> list[Any]:
        """So many records of the `columns` of others, each looked at when it is its turn."""
        return self._filled(count, (column_from_json(f.type, c) for f, c in zip(self.fields, columns, strict=True)))

    def _filled(self, count: int, columns: Iterable[Iterable[Any]]) -> list[Any]:
        cls = self.cls
        records: list[Any] = list(map(object.__new__, repeat(cls, count)))
        for f, column in zip(self.fields, columns, strict=True):
            # the slot is set past __setattr__, which a frozen class refuses
            deque(map(cls.__dict__[f.name].__set__, records, column), maxlen=0)
        return records

    # --- from an older form of the type ---

    def grown_from(self, old: RecordType) -> bool:
        """Whether all that source says of the old type it says of this one: fields were added, or choices, and no more."""
        return all(f.name in self.by_name and _wider(self.by_name[f.name], f) for f in old.fields) and not set(
            self.required
        ) - set(old.required)

    def carry(self, records: Sequence[Any]) -> list[Any]:
        """The records of a type that this one is `grown_from` as records of this one."""
        had = type_of(records[0]).by_name if records else {}
        columns = (map(attrgetter(f.name), records) if f.name in had else (f.fresh() for _ in records) for f in self.fields)
        return self._filled(len(records), columns)

    def row(self, record: Any) -> list[Any]:
        return self.rows([record])[0]


class Frozen(type):
    """The class of record classes: once `shut`, none of them can be changed, so that no code changes what other code sees."""

    shut = False

    def __setattr__(cls, name: str, value: Any) -> None:
        cls._refuse(name)
        super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> None:
        cls._refuse(name)
        super().__delattr__(name)

    def _refuse(cls, name: str) -> None:
        if Frozen.shut:
            raise AttributeError(f"{cls.__name__}.{name} stays as it is; bind a name of your own")


class _Record(metaclass=Frozen):
    __slots__ = ()


@lru_cache(maxsize=4096)
def _class(kind: RecordType, former: tuple[tuple[str, str | None], ...]) -> type:
    """The class of a type; a copy of one of ours has its fields by the names that our rules know, too."""
    namespace = {"__record__": kind, "__doc__": kind.doc, "__module__": kind.domain or __name__}
    namespace |= {new: property(attrgetter(old) if old else _not_said) for new, old in former}
    entries = [(f.name, Any, field(**_default(f))) for f in kind.fields]
    return make_dataclass(kind.name, entries, bases=(_Record,), frozen=True, slots=True, kw_only=True, namespace=namespace)


def _not_said(record: Any) -> None:
    """A field of ours that a copy of an earlier version does not have."""


def _wider(new: Field, old: Field) -> bool:
    same = new.type == old.type or (
        isinstance(new.type, Choice)
        and isinstance(old.type, Choice)
        and set(map(repr, old.type.values)) <= set(map(repr, new.type.values))
    )
    return same and repr(new.default) == repr(old.default)  # 1, 1.0 and True are equal


def _default(f: Field) -> dict[str, Any]:
    if isinstance(f.default, dict):
        return {"default_factory": f.fresh}
    return {} if f.default is MISSING else {"default": f.default}


NOTE = RecordType(
    "Note",
    (
        Field("id", Scalar("str")),
        Field("text", Scalar("str")),
        Field("about", Maybe(Scalar("str")), None),
        Field("source", Many(Scalar("int"))),
    ),
    doc=Note.__doc__ or "",
    given=Note,
)


def is_record(value: Any) -> bool:
    return type(value) is Note or isinstance(getattr(type(value), "__record__", None), RecordType)


def type_of(record: Any) -> RecordType:
    """The type of a record. Raise TypeError for what is no record."""
    if not is_record(record):
        raise TypeError(f"{type(record).__name__} is no record")
    found: RecordType = getattr(type(record), "__record__", NOTE)
    return found


def values_of(record: Any) -> dict[str, Any]:
    """The values of a record by field, in the order of the fields. Raise TypeError for what is no record."""
    return {f.name: getattr(record, f.name) for f in type_of(record).fields}


def says_the_same(old: Any, new: Any) -> bool:
    """Whether two values are equal but for what their types alone make different: fields come and go at their defaults."""
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(says_the_same, old, new))
    if not (is_record(old) and is_record(new)):
        return bool(old == new)
    if type(old) is type(new):
        return bool(old == new)
    was, now, before, after = values_of(old), values_of(new), type_of(old).by_name, type_of(new).by_name
    return (
        all(says_the_same(value, now[name]) for name, value in was.items() if name in now)
        and all(value == before[name].default for name, value in was.items() if name not in now)
        and all(value == after[name].default for name, value in now.items() if name not in was)
    )


def make(kind: RecordType, values: Mapping[str, Any], where: str = "$") -> Any:
    """A record of plain or typed values. Raise CheckError with a diagnostic for each that does not fit."""
    fit, wrong = kind.typed(values, where)
    if wrong:
        raise CheckError(diagnostics(wrong))
    return kind.build(fit)


def diagnostics(wrong: Iterable[Misfit]) -> tuple[Diagnostic, ...]:
    return tuple(Diagnostic(m.code, m.path, m.message, m.hint) for m in wrong)
