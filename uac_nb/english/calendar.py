"""Months, weekdays, seasons and feasts by name, and the arithmetic of days that the other modules share."""

from __future__ import annotations

from datetime import date, timedelta

from uac_nb.rules import add_months

_FULL = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
MONTHS = {name: n for n, full in enumerate(_FULL, 1) for name in (full, full[:3])} | {"sept": 9}
_WEEK = {
    "monday": "mon", "tuesday": "tues tue", "wednesday": "wed", "thursday": "thurs thur thu", "friday": "fri",
    "saturday": "sat", "sunday": "sun",
}  # fmt: skip
WEEKDAYS = {name: n for n, (full, short) in enumerate(_WEEK.items()) for name in (full, *short.split())}
SEASONS = {"spring": 21, "summer": 22, "autumn": 23, "fall": 23, "winter": 24}  # as ISO 8601-2 numbers them
FEASTS = {
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "xmas": (12, 25), "boxing day": (12, 26),
    "new year's eve": (12, 31), "new years eve": (12, 31), "new year's day": (1, 1), "new year's": (1, 1), "new year": (1, 1),
    "halloween": (10, 31), "valentine's day": (2, 14), "valentine's": (2, 14), "st patrick's day": (3, 17), "epiphany": (1, 6),
}  # fmt: skip
AFTER_EASTER = {  # days, in the Western churches
    "shrove tuesday": -47, "mardi gras": -47, "ash wednesday": -46, "palm sunday": -7, "maundy thursday": -3, "good friday": -2,
    "holy saturday": -1, "easter saturday": -1, "easter sunday": 0, "easter day": 0, "easter": 0, "easter monday": 1,
    "ascension day": 39, "whit sunday": 49, "whitsun": 49, "pentecost": 49, "whit monday": 50,
}  # fmt: skip


def weekday_number(name: str) -> int:
    return WEEKDAYS[name.lower().rstrip(".")]


def date_of(year: int, month: int, day: int) -> date | None:
    """Return the date, or None where the calendar has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def each_year(around: date, month: int, day: int) -> list[date]:
    """Return this day of the year in each year around a date."""
    return [d for year in range(around.year - 8, around.year + 9) if (d := date_of(year, month, day))]


def feast_day(name: str, year: int) -> date:
    """Return the day of a feast in a year.

    >>> feast_day("easter", 2026), feast_day("whitsun", 2027), feast_day("christmas", 2026)
    (datetime.date(2026, 4, 5), datetime.date(2027, 5, 16), datetime.date(2026, 12, 25))
    """
    return date(year, *FEASTS[name]) if name in FEASTS else _easter(year) + timedelta(AFTER_EASTER[name])


def _easter(year: int) -> date:
    """Return Easter Sunday by the Gregorian computus, as J.-M. Oudin wrote it down in 1940."""
    century, golden = year // 100, year % 19
    epact = (century - century // 4 - (century - (century - 17) // 25) // 3 + 19 * golden + 15) % 30
    moon = epact - (epact // 28) * (1 - (epact // 28) * (29 // (epact + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    month = 3 + (moon - weekday + 40) // 44
    return date(year, month, moon - weekday + 28 - 31 * (month // 4))


def shifted(day: date, count: int, unit: str) -> str:
    """Return the `When` text of what lies so many units away: a day for days, a week for weeks, a month, a year.

    >>> shifted(date(2026, 6, 10), -2, "week")
    '2026-W22'
    """
    if unit in ("day", "night"):
        return (day + timedelta(count)).isoformat()
    if unit == "week":
        year, week, _ = (day + timedelta(weeks=count)).isocalendar()
        return f"{year}-W{week:02d}"
    if unit == "month":
        return f"{add_months(day.replace(day=1), count):%Y-%m}"
    if unit == "decade":
        return f"{day.year + 10 * count - 5}/{day.year + 10 * count + 5}"
    return f"{day.year + count:04d}"
