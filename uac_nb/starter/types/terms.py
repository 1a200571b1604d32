"""Terms: what stands, whatever it is about: what is allowed, limited, ruled out or asked for first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from uac_nb.rules import Every, Money, When


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """Leave to do something, only from when to when, in some hours, or with somebody there."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "parking permit for the centre"
    allows: tuple[str, ...]  # as plans are tagged, or ids of what it is for
    hours: Every | None = None  # "mon-sat 8:00-16:00"
    present: tuple[str, ...] = ()  # who has to be there: ids of people, or names
    since: When | None = None
    until: When | None = None
    status: Literal["current", "ended"] = "current"
    quote: str | None = None  # their own words
    doubt: str | None = None  # what to ask
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]  # the entries that say so


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """How much or how often at most: uses left, people, weight, visits."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "ten-ride ticket"
    of: tuple[str, ...]  # as plans are tagged, or ids of what is limited
    at_most: int
    unit: str | None = None  # "rides", "kg"
    per: Literal["each", "day", "week", "month", "year", "ever"] = "ever"
    since: When | None = None
    until: When | None = None
    status: Literal["current", "ended"] = "current"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingLimit:
    """How much money at most, of what and in which span."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "cap on the renovation"
    of: tuple[str, ...]  # as plans are tagged, or ids of what is limited
    at_most: Money
    per: Literal["each", "day", "week", "month", "year", "ever"] = "ever"
    since: When | None = None
    until: When | None = None
    status: Literal["current", "ended"] = "current"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ban:
    """What somebody else ruled out for a time: a house rule, a freeze, a closure."""

    id: str
    who: str = "me"  # whom it binds: id of a Person
    title: str  # "no nuts at the school fair"
    avoids: tuple[str, ...]  # as plans are tagged
    set_by: str | None = None  # id of a Person, or a name
    since: When | None = None
    until: When | None = None
    status: Literal["current", "ended"] = "current"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """What has to be done before something may happen, and how long before."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "blood test before the surgery"
    of: tuple[str, ...]  # what asks for it: as plans are tagged, or ids
    requires: tuple[str, ...]  # what has to be done: as plans are tagged, or ids
    days_before: int = 0  # done at least so long before
    not_older: int | None = None  # and at most so many days before
    since: When | None = None
    until: When | None = None
    status: Literal["current", "ended"] = "current"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]
