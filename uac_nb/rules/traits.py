"""Traits: fields that types of any topic can have, and by which a rule finds their records.

A *plan* is whatever happens or is to happen. A *term* is whatever stands: it speaks of plans by their tags, or by its own id.
Names are ids where a record exists, else plain words.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, Protocol

from uac_nb.rules.every import Every
from uac_nb.rules.money import Money
from uac_nb.rules.when import When


class Recorded(Protocol):
    """Any record."""

    id: str
    source: tuple[int, ...]


class Takes(Recorded, Protocol):
    """A plan that has somebody or something to itself at its time: "me", "maria", "van"."""

    takes: tuple[str, ...]


class Needs(Recorded, Protocol):
    """A plan for which somebody or something has to be there, or in force, at its time."""

    needs: tuple[str, ...]


class Tagged(Recorded, Protocol):
    """A plan that says what it is: ids of the terms that it falls under, and plain words."""

    tags: tuple[str, ...]


class Due(Recorded, Protocol):
    """Something to do, decide or use up by a day."""

    due: When | None
    lead_days: int


class Allows(Recorded, Protocol):
    """Plans so tagged are all right only from `since` to `until`, in these `hours`, with all who have to be `present`."""

    allows: tuple[str, ...]
    hours: Every | None
    present: tuple[str, ...]


class AtMost(Recorded, Protocol):
    """Plans so tagged come to so much at most: each of them, or together in each day, week, month, year, or ever."""

    of: tuple[str, ...]
    at_most: Money | float | int | None
    per: Literal["each", "day", "week", "month", "year", "ever"]


class Avoids(Recorded, Protocol):
    """No plan so tagged is to be from `since` to `until`: an allergy, a resolution, a ban, a freeze."""

    avoids: tuple[str, ...]


class Requires(Recorded, Protocol):
    """Before a plan so tagged, all that it `requires` is done: so many days before, and not longer before."""

    of: tuple[str, ...]
    requires: tuple[str, ...]
    days_before: int
    not_older: int | None


_ALL = (Recorded, Takes, Needs, Tagged, Due, Allows, AtMost, Avoids, Requires)
TRAITS: Mapping[str, type] = {trait.__name__: trait for trait in _ALL}


def trait_of(annotation: Any) -> type | None:
    """The trait that a parameter's annotation names; None for that of a collection.

    >>> trait_of("Iterable[Takes]") is Takes, trait_of(Iterable[Takes]) is Takes, trait_of("Iterable[Trip]")
    (True, True, None)
    """
    found = re.search(r"\bIterable\[(?:[\w.]*\.)?(\w+)\]", annotation if isinstance(annotation, str) else repr(annotation))
    return TRAITS.get(found[1]) if found else None


def traits_of(function: Callable[..., Any]) -> dict[str, type]:
    """The parameters of a rule that are bound by a trait."""
    parameters = inspect.signature(function).parameters.items()
    return {key: trait for key, p in parameters if (trait := trait_of(p.annotation))}


def having(trait: type, collections: Mapping[str, Iterable[Any]]) -> Iterator[Any]:
    """Every record of every collection whose type has the fields of a trait."""
    for name in collections:
        for record in collections.get(name, ()):
            kind: type = type(record)
            if not has(kind, trait):
                break  # a collection holds records of one type
            yield record


@lru_cache(maxsize=4096)
def has(kind: type, trait: type) -> bool:
    """Whether records have the fields of a trait, by name and type: a choice that is called `needs` is another thing."""
    given, wanted = field_types(kind), field_types(trait)
    return all(name in given and _parts(given[name]) <= _parts(type) for name, type in wanted.items())


def field_types(kind: type) -> dict[str, str]:
    """The fields of a class and the text of their types: of a record in the sealed process, a dataclass, a trait."""
    if (record := getattr(kind, "__record__", None)) is not None:
        return {field.name: str(field.type) for field in record.fields}
    return {name: _text(value) for base in reversed(kind.__mro__) for name, value in inspect.get_annotations(base).items()}


def _text(annotation: Any) -> str:
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return annotation if isinstance(annotation, str) else re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", repr(annotation))


def _parts(annotation: str) -> frozenset[str]:
    """What a type takes, None apart: the choices of a Literal, each type of a union.

    >>> sorted(_parts("Money | None")), sorted(_parts('Literal["day", "week"] | None'))
    (['Money'], ["'day'", "'week'"])
    """
    if found := re.search(r"Literal\[(.*?)\]", annotation):
        return frozenset(repr(choice) for choice in re.findall(r"""["']([^"']*)["']""", found[1]))
    parts = (part.strip() for part in annotation.split("|"))
    return frozenset(part for part in parts if part != "None")
