"""Health: what must be avoided, what is taken, what is eaten and done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from uac_nb.rules import Money, When


@dataclass(frozen=True, slots=True, kw_only=True)
class Allergy:
    """What someone must not have."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "penicillin allergy"
    avoids: tuple[str, ...]  # substances, classes, foods: lower case, as in "penicillin"
    reaction: str | None = None  # "hives"
    severity: Literal["mild", "severe"] | None = None  # as said
    status: Literal["current", "ended"] = "current"
    quote: str | None = None  # their own words
    doubt: str | None = None  # what to ask
    rests_on: tuple[str, ...] = ()  # ids of the records that it holds because of
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"  # what comes of it without them
    source: tuple[int, ...]  # the entries that say so


@dataclass(frozen=True, slots=True, kw_only=True)
class Medicine:
    """A medicine, by whom, since when and how long it is taken."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "amoxicillin 500 mg", or as it is sold
    substance: str | None = None  # what it contains, where said; several with " + "
    dose: str | None = None  # "500 mg twice a day"
    since: When | None = None
    until: When | None = None
    supply_until: When | None = None  # the last day that what is there lasts
    status: Literal["taking", "stopped", "prescribed"] = "taking"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workout:
    """One training session."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    title: str  # "long run in the park"
    on: When
    kind: str  # "running", "yoga", "strength"
    minutes: int | None = None
    metres: int | None = None
    calories: int | None = None
    place: str | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meal:
    """One meal."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    title: str  # "lunch at the Thai place"
    on: When
    kind: Literal["breakfast", "lunch", "dinner", "snack"] | None = None
    dishes: tuple[str, ...] = ()
    cuisine: str | None = None
    place: str | None = None
    cost: Money | None = None
    calories: int | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A health condition or an injury, and what it rules out."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "torn ligament in the left knee"
    kind: Literal["condition", "injury"] = "condition"
    avoids: tuple[str, ...] = ()  # as plans are tagged: "running", "gluten"
    since: When | None = None
    until: When | None = None
    status: Literal["current", "ended"] = "current"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]
