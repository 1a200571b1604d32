"""Times as exports write them. One that names no real day, or a year that no talk is from, is refused."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from uac_nb.log.rows import YEARS

ORDERS = ("dmy", "mdy", "ymd")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS = 1e11  # in seconds, this is the year 5138
_NUMBER = re.compile(r"-?\d{9,}(\.\d+)?")
_NUMERIC = re.compile(
    r"(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})\.?"
    r"(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([^\W\d_][^\d]{0,6}))?)?"
)

# Words for the halves of the day, without dots, spaces and quotation marks, and words that only mean "at".
_AM = "am a vorm vm fm ap de dop öö sa pg πμ ص قظ לפנהצ 上午 凌晨 早上 清晨 午前 오전 पूर्वाह्न"
_PM = "pm p nachm nm em ip du odp ös ch ptg μμ م بظ אחהצ 下午 中午 晚上 傍晚 午後 오후 अपराह्न"
_AT = "klo kl um à às at ore alle ч"
HALVES = MappingProxyType({word: said for words, said in ((_AM, "am"), (_PM, "pm"), (_AT, "")) for word in words.split()})


def half(word: str) -> str:
    """Return "am", "pm" or "" (no half). Raise KeyError for a word that is not known.

    >>> half("p. m."), half("klo")
    ('pm', '')
    """
    return HALVES[re.sub(r"""[.\s"'״]""", "", word).casefold()] if word else ""


def clock(hour: int, minute: int, second: int, word: str = "") -> time:
    """Return a time of day; "00:08 a. m." and "13:05 PM" are taken as meant. ValueError where there is none."""
    part = half(word)
    if part == "am" and hour == 12:
        hour = 0
    elif part == "pm" and hour < 12:
        hour += 12
    return time(hour, minute, second)


def civil(a: int, b: int, c: int, order: str) -> date:
    """Return the day of three numbers; a year of two digits is of this century. ValueError where there is none."""
    found = dict(zip(order, (a, b, c), strict=True))
    year = found["y"] if found["y"] > 99 else 2000 + found["y"]
    return ranged(date(year, found["m"], found["d"]))


def ranged(said: date) -> date:
    """Return a day or time as it is. ValueError where its year is out of range."""
    if said.year not in YEARS:
        raise ValueError(f"the year {said.year} is out of range ({YEARS[0]} to {YEARS[-1]})")
    return said


def epoch(seconds: float, zone: str = "") -> datetime:
    """Return seconds (or milliseconds) since 1970 as an aware time, in `zone` where given. ValueError out of range."""
    if abs(seconds) >= _MILLISECONDS:
        seconds /= 1000
    try:
        said = _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):  # ValueError: not a number
        raise ValueError(f"{seconds} seconds since 1970 is out of range") from None
    ranged(said)
    return local(said, zone)


def local(said: datetime, zone: str) -> datetime:
    """Return a time in UTC as one in `zone`, so that its day is the day as it was lived; others as they are."""
    if zone and said.tzinfo is not None and not said.utcoffset():
        return said.astimezone(ZoneInfo(zone))
    return said


def moment(value: Any, zone: str = "", order: str = "") -> datetime | date | None:
    """Return the time that a value stands for, None where it is empty. ValueError where it cannot be read.

    Takes ISO 8601, seconds or milliseconds since 1970 (numbers or digits), dates and times of Python; "3/4/2024" only
    with an order.
    """
    if value is None or value == "":
        return None
    if isinstance(value, datetime):
        ranged(value)
        return local(value, zone)
    if isinstance(value, date):
        return ranged(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return epoch(value, zone)
    if isinstance(value, str):
        return _written(value.strip(), zone, order)
    raise ValueError(f"{type(value).__name__} is no time")


def _written(text: str, zone: str, order: str) -> datetime | date | None:
    if not text:
        return None
    text = re.sub(r"\s?UTC$", "+00:00", text)
    if _NUMBER.fullmatch(text):
        return epoch(float(text), zone)
    if numeric := _NUMERIC.fullmatch(text):
        return _numbers(numeric, order)
    try:
        if "W" in text.upper():  # a week, of which Python takes the Monday
            raise ValueError(text)
        said = date.fromisoformat(text) if len(text) <= 10 else datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("not a date that can be read; write 2025-01-10 or 2025-01-10T14:30") from None
    ranged(said)
    return local(said, zone) if isinstance(said, datetime) else said


def _numbers(found: re.Match[str], order: str) -> datetime | date:
    a, _, b, c, hour, minute, second, word = found.groups()
    if len(a) < 4 and not order:
        raise ValueError("the order of day and month is not known; name it with the format, as in csv:dmy")
    day = civil(int(a), int(b), int(c), order) if len(a) < 4 else ranged(date(int(a), int(b), int(c)))
    if hour is None:
        return day
    try:
        return datetime.combine(day, clock(int(hour), int(minute), int(second or 0), (word or "").strip()))
    except KeyError:
        raise ValueError(f"{word!r} is no half of the day that is known; write 24 hours") from None
