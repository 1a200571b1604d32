"""People: who they are, how to reach them, what they may do, what happens to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from uac_nb.rules import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Someone in the user's life."""

    id: str
    name: str
    relation: str | None = None  # to the user: "sister"; else to whom: "friend of Jon"
    aka: tuple[str, ...] = ()  # other names
    met: When | None = None
    met_through: str | None = None  # "work", "dance class"
    last_contact: When | None = None
    quote: str | None = None  # the user's own words
    doubt: str | None = None  # what to ask
    rests_on: tuple[str, ...] = ()  # ids of the records that it holds because of
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"  # what comes of it without them
    source: tuple[int, ...]  # the entries that say so


@dataclass(frozen=True, slots=True, kw_only=True)
class Birthday:
    """A birthday, its year known or not."""

    one_at_a_time = ("who", "name")

    id: str
    who: str = "me"  # id of a Person
    name: str  # as said: "Priya", "my mom"
    on: When  # "1991-09-12", or "--06-05" without a year
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """One way to reach someone."""

    id: str
    who: str = "me"  # id of the Person, where there is one
    name: str  # "Dr. Chen"
    kind: Literal["phone", "email", "address", "handle", "website"]
    value: str
    status: Literal["current", "ended"] = "current"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone:
    """A large event of a life: a birth, a wedding, a graduation."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    title: str  # "birth of the baby"
    on: When | None = None
    when_said: str | None = None  # a time that is no date: "at fifteen"
    status: Literal["expected", "happened", "off"] = "expected"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Authorisation:
    """Who alone may do something for somebody, and until when."""

    id: str
    title: str  # "school pickup list for Mia"
    allowed: tuple[str, ...]  # ids of people, or names
    may: str  # as errands say it: "pick up"
    subject: str  # "Mia"
    since: When | None = None
    until: When | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """What one person is to another, from when to when: a relation or a role."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "sister of Ana"
    to: str  # id of a Person, or a name
    relation: str  # what `who` is to them: "sister", "manager", "tenant"
    since: When | None = None
    until: When | None = None
    status: Literal["current", "ended"] = "current"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]
