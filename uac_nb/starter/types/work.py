"""Work: jobs, projects and their steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from uac_nb.rules import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work for somebody, from when to when."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "job as a banker", "internship at Siemens"
    role: str | None = None
    employer: str | None = None
    kind: Literal["job", "internship", "temporary", "freelance", "volunteer"] = "job"
    since: When | None = None
    until: When | None = None
    ended: Literal["lost", "left", "finished"] | None = None
    status: Literal["applied", "accepted", "current", "ended", "refused"] = "current"
    why: str | None = None
    quote: str | None = None  # their own words
    doubt: str | None = None  # what to ask
    rests_on: tuple[str, ...] = ()  # ids of the records that it holds because of
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"  # what comes of it without them
    source: tuple[int, ...]  # the entries that say so


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Something that takes many steps: a business of one's own, a product, a move, a renovation."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    title: str  # "dance studio"
    kind: str | None = None  # "business", "software", "study"
    aim: str | None = None
    where: str | None = None
    since: When | None = None
    opened: When | None = None  # to customers, to the public
    until: When | None = None
    status: Literal["considering", "running", "paused", "done", "dropped"] = "running"
    why: str | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Something done, under way or planned for a project: one record from plan to outcome."""

    id: str
    who: str = "me"  # id of a Person
    others: tuple[str, ...] = ()
    project: str  # id of a Project
    title: str  # "launch of the online shop"
    kind: str | None = None  # "funding", "premises", "promotion"
    on: When | None = None  # planned: for when; running: since when; done: when
    until: When | None = None
    status: Literal["planned", "running", "done", "dropped"] = "planned"
    outcome: str | None = None
    why: str | None = None
    needs: tuple[str, ...] = ()  # what has to be there or in force: "van", "ski-pass"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]
