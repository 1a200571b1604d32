"""Zones with their offsets, from this machine's table; the sealed process gets what is looked up here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

from uac_nb.domainfile.words import did_you_mean
from uac_nb.rules import Zone
from uac_nb.rules.zone import YEARS

_FIRST, _LAST = (datetime(year, 1, 1, tzinfo=UTC) for year in (YEARS.start - 1, YEARS.stop + 1))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_STEP, _MINUTE = timedelta(days=7), timedelta(minutes=1)


@lru_cache(maxsize=1024)
def resolved(name: str) -> Zone:
    """The zone of a name, and its offsets of these decades. Raise ValueError for a name that is none's."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones  # late: the sealed process has no table

    zone = Zone(name)
    try:
        table = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        if not (known := available_timezones()):  # a machine without a table: hours stay local
            return zone
        hint = did_you_mean(name, known) or "write its IANA name, as in Asia/Tokyo"
        raise ValueError(f"Zone({name!r}): there is no such zone; {hint}") from None
    moment, offset = _FIRST, _offset(table, _FIRST)
    pairs = [(0, offset)]
    while (after := moment + _STEP) < _LAST:
        if (new := _offset(table, after)) != offset:
            low, high = moment, after
            while high - low > _MINUTE:
                middle = low + (high - low) / 2
                low, high = (middle, high) if _offset(table, middle) == offset else (low, middle)
            begins = round((high - _EPOCH) / _MINUTE)
            pairs.append((begins, new))
            offset = new
        moment = after
    return Zone(name, tuple(pairs))


def _offset(table: object, moment: datetime) -> int:
    found = moment.astimezone(table).utcoffset()  # type: ignore[arg-type]
    assert found is not None
    return found // _MINUTE
