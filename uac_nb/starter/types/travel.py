"""Travel: trips and the documents that they need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from uac_nb.rules import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    """One journey away from home."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()  # who else travels: ids of people, or names
    title: str  # "trip to Lisbon"
    to: str  # city or region
    country: str | None = None  # ISO 3166, two letters
    departs: When | None = None
    returns: When | None = None
    there_on: When | None = None  # a day on which they are known to be there
    status: Literal["considering", "booked", "done", "cancelled"] = "booked"
    purpose: str | None = None
    felt: tuple[str, ...] = ()  # how it was, in their words
    takes: tuple[str, ...] = ()  # who or what nobody else can have then: "me", "van"
    needs: tuple[str, ...] = ()  # what has to be there or in force: "van", "ski-pass"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None  # their own words
    doubt: str | None = None  # what to ask
    rests_on: tuple[str, ...] = ()  # ids of the records that it holds because of
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"  # what comes of it without them
    source: tuple[int, ...]  # the entries that say so


@dataclass(frozen=True, slots=True, kw_only=True)
class Visa:
    """Leave to enter one country, asked for or granted."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "Australian visa"
    country: str  # that it lets into: ISO 3166, two letters
    status: Literal["applied", "granted", "refused", "cancelled"]
    applied: When | None = None
    valid_from: When | None = None
    valid_until: When | None = None
    entries: int | None = None  # how often it lets in; None: not said, or unlimited
    entries_used: int = 0  # uses that are not recorded as trips
    max_stay_days: int | None = None  # at one visit, the first and last day counted
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passport:
    """A passport."""

    one_at_a_time = ("who", "country")

    id: str
    who: str = "me"  # id of a Person
    title: str  # "German passport"
    country: str | None = None  # that issued it: ISO 3166, two letters
    expires: When
    status: Literal["valid", "lost", "ended"] = "valid"  # ended: replaced, or handed in
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]
