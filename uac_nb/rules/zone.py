"""Time zones by their names, so that hours of two places can be compared as instants.

The sealed process has no table of zones. What it needs of one, when which offset begins, is looked up where records are
loaded and travels with the value; without it, an instant is not known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

_NAME = re.compile(r"[A-Z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}")
_EPOCH = datetime(1970, 1, 1)
YEARS = range(2000, 2038)  # of which offsets are looked up; nobody knows those of later ones


@dataclass(frozen=True, slots=True)
class Zone:
    """A time zone by its IANA name: Zone("Europe/Berlin"). Raise ValueError for what cannot be one.

    `offsets` are pairs of the minute since 1970 (UTC) from which an offset holds, and the offset in minutes.
    """

    text: str
    offsets: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.text):
            raise ValueError(f"Zone({self.text!r}): write the name of a zone, as in Asia/Tokyo")

    def __repr__(self) -> str:
        return f'Zone("{self.text}")'

    def instant(self, on: date, at: time) -> datetime | None:
        """Local time as UTC; None where it is not known, or there was no such time that day.

        >>> Zone("Asia/Tokyo", ((0, 540),)).instant(date(2025, 6, 14), time(9))
        datetime.datetime(2025, 6, 14, 0, 0)
        """
        if on.year not in YEARS:
            return None
        local = (datetime.combine(on, at) - _EPOCH) // timedelta(minutes=1)
        later = [*(begins for begins, _ in self.offsets[1:]), None][: len(self.offsets)]
        for (begins, offset), ends in zip(self.offsets, later, strict=True):
            if begins <= local - offset and (ends is None or local - offset < ends):
                return _EPOCH + timedelta(minutes=local - offset)
        return None


def packed(zone: Zone) -> str:
    """A zone with its offsets as text."""
    return ";".join([zone.text, *(f"{begins}:{offset}" for begins, offset in zone.offsets)])


def unpacked(text: str) -> Zone:
    """The zone of a packed text."""
    name, *pairs = text.split(";")
    split = (pair.split(":") for pair in pairs)
    return Zone(name, tuple((int(begins), int(offset)) for begins, offset in split))
