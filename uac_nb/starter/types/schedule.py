"""Schedule: what happens at a time, and what has to be done by one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time
from typing import Literal

from uac_nb.rules import Every, When, Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """What is set for a day and takes them: an appointment, a booking, a visit, a performance, a training session."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()  # with whom: ids of people, or names
    title: str  # "anniversary dinner at Chez Laurent"
    on: When  # the first day
    until: When | None = None  # the last day, where it takes several, or comes again
    every: Every | None = None  # when it comes again: "tue 14:00-15:30", "1st fri"
    starts: time | None = None  # local time of the place; None: not said
    ends: time | None = None
    zone: Zone | None = None  # of its hours, where it is known: "Asia/Tokyo"
    whole_day: bool = False  # said to take the whole day, or every day of it
    place: str | None = None  # None: at home or near it, as far as we know
    presence: Literal["user there", "someone at home", "online", "nobody"] = "user there"
    moves: Literal["fixed", "movable"] | None = None
    weight: Literal["usual", "high"] = "usual"  # high: promised, once only, or others depend on it
    part_of: str | None = None  # id of the commitment or trip that it belongs to
    status: Literal["tentative", "agreed", "done", "cancelled"] = "agreed"
    takes: tuple[str, ...] = ()  # who or what nobody else can have then: "me", "van"
    needs: tuple[str, ...] = ()  # what has to be there or in force: "van", "ski-pass"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None  # their own words
    doubt: str | None = None  # what to ask
    rests_on: tuple[str, ...] = ()  # ids of the records that it holds because of
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"  # what comes of it without them
    source: tuple[int, ...]  # the entries that say so


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """A day by which something has to be done."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "tax return"
    due: When
    lead_days: int = 7  # how early to speak up
    presence: Literal["user there", "online"] = "online"
    consequence: str | None = None  # "a fee of $50"
    status: Literal["open", "done", "dropped"] = "open"
    needs: tuple[str, ...] = ()  # what has to be there or in force: "van", "ski-pass"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Something they mean to do, eat or buy, where its tags could touch an allergy or a resolution."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    title: str  # "wine tasting with Ana"
    on: When
    tags: tuple[str, ...] = ()  # "alcohol", "shellfish": lower case
    status: Literal["considering", "agreed", "done", "cancelled"] = "agreed"
    takes: tuple[str, ...] = ()  # who or what nobody else can have then: "me", "van"
    needs: tuple[str, ...] = ()  # what has to be there or in force: "van", "ski-pass"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A meeting that was held, for keeping count. One that lies ahead is a Commitment."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    title: str  # "budget review with Dana"
    on: When
    starts: time | None = None
    minutes: int | None = None
    people: int | None = None  # how many took part
    kind: str | None = None  # "one-on-one", "team", "interview"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outing:
    """A group, and what has to have room for it: a car, a table, a flat."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    title: str  # "ride to the match"
    on: When
    people: int
    capacity: int
    room: str  # what has the capacity: "the Civic"
    status: Literal["tentative", "agreed", "done", "cancelled"] = "agreed"
    takes: tuple[str, ...] = ()  # who or what nobody else can have then: "me", "van"
    needs: tuple[str, ...] = ()  # what has to be there or in force: "van", "ski-pass"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """Someone is to do something for somebody on a day."""

    id: str
    who: str = "me"  # who does it: id of a Person, or a name
    title: str  # "school pickup of Mia"
    does: str  # "pick up"
    subject: str  # for whom: "Mia"
    on: When
    every: Every | None = None
    status: Literal["tentative", "agreed", "done", "cancelled"] = "agreed"
    takes: tuple[str, ...] = ()  # who or what nobody else can have then: "me", "van"
    needs: tuple[str, ...] = ()  # what has to be there or in force: "van", "ski-pass"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What comes again at known hours: a class, a shift, a standing appointment."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    title: str  # "yoga class"
    every: Every  # "tue 18:00-19:30"
    zone: Zone | None = None  # of its hours, where it is known: "Asia/Tokyo"
    since: When | None = None
    until: When | None = None
    place: str | None = None
    takes: tuple[str, ...] = ()  # who or what nobody else can have then: "me", "van"
    needs: tuple[str, ...] = ()  # what has to be there or in force: "van", "ski-pass"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    status: Literal["current", "paused", "ended"] = "current"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]
