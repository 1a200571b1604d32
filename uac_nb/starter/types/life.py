"""Life: what people do, have, like, think, want and tell each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from uac_nb.rules import Every, When


@dataclass(frozen=True, slots=True, kw_only=True)
class Residence:
    """Where someone lives or lived."""

    one_at_a_time = ("who",)

    id: str
    who: str = "me"  # id of a Person
    place: str  # "Austin, Texas"
    country: str | None = None  # ISO 3166, two letters
    since: When | None = None
    until: When | None = None
    quote: str | None = None  # their own words
    doubt: str | None = None  # what to ask
    rests_on: tuple[str, ...] = ()  # ids of the records that it holds because of
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"  # what comes of it without them
    source: tuple[int, ...]  # the entries that say so


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What else happened or is to happen, also if only its month is known. One record from plan to outcome."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    title: str  # "dance competition in Lyon"
    kind: str | None = None  # "competition", "concert", "visit"
    on: When | None = None
    until: When | None = None
    when_said: str | None = None  # a time that is no date: "as a kid"
    place: str | None = None
    role: str | None = None  # "dances", "hosts", "watches"
    piece: str | None = None  # what was performed, shown or heard, by its name
    status: Literal["planned", "happened", "off"] = "happened"
    outcome: str | None = None  # "first place"
    felt: tuple[str, ...] = ()  # how it was, in their words
    why: str | None = None
    takes: tuple[str, ...] = ()  # who or what nobody else can have then: "me", "van"
    needs: tuple[str, ...] = ()  # what has to be there or in force: "van", "ski-pass"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """Something done regularly, or over years: a hobby, a habit, a sport, an instrument."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    title: str  # "dancing"
    styles: tuple[str, ...] = ()  # which forms of it: "contemporary"
    how_often: str | None = None  # "twice a week"
    every: Every | None = None  # the same as days and hours: "tue 18:00-19:30", "2x week"
    since: When | None = None
    until: When | None = None
    when_said: str | None = None  # a time that is no date: "since I was ten"
    status: Literal["current", "paused", "ended"] = "current"
    why: str | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """An object that someone has and that matters: a possession, a pet, a gift, a tool."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "grandmother's necklace"
    kind: str | None = None  # "pet", "jewellery", "laptop"
    given_by: str | None = None
    since: When | None = None
    until: When | None = None
    means: str | None = None  # what it stands for, or is used for
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place that someone knows, uses or looks for: a café, a studio, a park."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "café by the river"
    where: str | None = None
    kind: str | None = None  # "café", "office", "park"
    status: Literal["known", "considering", "in use", "ended"] = "known"
    since: When | None = None
    features: tuple[str, ...] = ()  # what it has
    wanted: tuple[str, ...] = ()  # what it is to have
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Favourite:
    """What someone likes, prefers or cannot stand."""

    one_at_a_time = ("who", "of")

    id: str
    who: str = "me"  # id of a Person
    of: str | None = None  # the kind of thing: "dance style", "seat"
    what: str  # "contemporary", "aisle seats"
    stance: Literal["favourite", "like", "dislike"] = "like"  # favourite: a stated first choice
    since: When | None = None
    until: When | None = None
    why: str | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What someone thinks of a subject, in phrases close to their words."""

    id: str
    who: str = "me"  # id of a Person
    about: str
    says: tuple[str, ...]
    since: When | None = None
    until: When | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How someone says that something goes, or that they feel, on a day."""

    id: str
    who: str = "me"  # id of a Person
    about: str
    says: tuple[str, ...]
    on: When
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What one person advised another."""

    id: str
    who: str = "me"  # who gave it: id of a Person
    to: str = "me"  # who got it
    about: str
    says: tuple[str, ...]
    on: When
    followed: Literal["yes", "no", "in part"] | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """Something that one person said they would do for another."""

    id: str
    who: str = "me"  # who promised: id of a Person
    to: str = "me"  # to whom: id of a Person, or a name
    title: str  # "help with the website"
    made: When
    due: When | None = None
    status: Literal["open", "done", "dropped"] = "open"
    lead_days: int = 7  # how early to speak up
    needs: tuple[str, ...] = ()  # what has to be there or in force: "van", "ski-pass"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What someone wants to reach."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "a marathon under four hours"
    project: str | None = None  # id of a Project
    by: When | None = None
    since: When | None = None
    status: Literal["open", "done", "dropped"] = "open"
    why: str | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What someone decided to avoid, as tags that plans can carry."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "no alcohol until the baby is born"
    avoids: tuple[str, ...]  # "alcohol": lower case
    since: When
    until: When | None = None
    status: Literal["current", "ended"] = "current"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A book that someone reads, read or wants to read."""

    id: str
    who: str = "me"  # id of a Person
    title: str
    author: str | None = None
    genre: str | None = None
    since: When | None = None
    until: When | None = None  # finished
    pages: int | None = None
    rating: int | None = None  # of five
    status: Literal["wanted", "reading", "done", "dropped"] = "done"
    takeaways: tuple[str, ...] = ()
    why: str | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """A text to be kept word for word: a message, a recipe, a wording."""

    id: str
    who: str = "me"  # whose words: id of a Person
    title: str  # "toast for the wedding"
    text: str  # as it stands in its entry, to the letter
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]
