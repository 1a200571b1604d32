"""Vehicles: their papers, seats and leases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from uac_nb.rules import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Vehicle:
    """A car or the like, its papers, seats and lease."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "the Civic"
    seats: int | None = None
    registration_until: When | None = None
    inspection_until: When | None = None
    insurance_until: When | None = None
    lease_since: When | None = None
    lease_until: When | None = None
    lease_distance: int | None = None  # allowed in all, in the unit of the odometer
    odometer: int | None = None  # counted from the start of the lease, where there is one
    odometer_on: When | None = None
    status: Literal["in use", "stored", "sold"] = "in use"
    quote: str | None = None  # their own words
    doubt: str | None = None  # what to ask
    rests_on: tuple[str, ...] = ()  # ids of the records that it holds because of
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"  # what comes of it without them
    source: tuple[int, ...]  # the entries that say so
