"""Days as people say them, each with what the words prove: "last week" is a week, and no day of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from uac_nb.rules import When

NUMBERS = ("two", "three", "four", "five", "six")
FUZZY = timedelta(7)


@dataclass(frozen=True)
class Told:
    """A date as told. `when` is the widest form that the words prove.

    Where words can be read in several ways ("two weeks ago" on a Thursday), a date is right that holds `core`, stays inside
    `reach`, and spans at least `least` days. Of an exact day all three come to that day.
    """

    words: str
    when: When
    core: When
    reach: When
    least: int
    relative: bool = False  # to the day of speaking

    def proves(self, date: When) -> bool:
        """Whether a date is what the words say, and no narrower."""
        inside = self.reach.first <= date.first and date.last <= self.reach.last
        return inside and date.first <= self.core.first and self.core.last <= date.last and width(date) >= self.least


def width(when: When) -> int:
    """The days that it may be."""
    return (when.last - when.first).days + 1


def day(words: str, meant: date, *, relative: bool = False) -> Told:
    """A day that the words name exactly."""
    when = When(meant)
    return Told(words, when, when, when, 1, relative)


def spelled(rng: Random, meant: date) -> str:
    """A day without its year, and without a preposition."""
    month, number = f"{meant:%B}", meant.day
    return rng.choice([f"{number} {month}", f"{month} {number}", f"the {nth(number)} of {month}", f"{month} {nth(number)}"])


def nth(number: int) -> str:
    """
    >>> nth(1), nth(12), nth(23)
    ('1st', '12th', '23rd')
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number not in (11, 12, 13) else "th"
    return f"{number}{ending}"


def nearby(meant: date, said: date) -> list[str]:
    """The ways to name an exact day by its distance from the day of speaking; none where it is too far."""
    gap = (meant - said).days
    named = {0: ["today"], 1: ["tomorrow"], 2: ["the day after tomorrow"], -1: ["yesterday"], -2: ["the day before yesterday"]}
    found = list(named.get(gap, []))
    if 2 <= abs(gap) <= 6:
        count = NUMBERS[abs(gap) - 2]
        found += [f"on {meant:%A}", f"in {count} days" if gap > 0 else f"{count} days ago"]
    return found


def absolute(rng: Random, meant: date, said: date) -> str:
    """A day by its date. The year, and with "the 13th" the month, is the nearest that the tense allows."""
    ways = [f"on {spelled(rng, meant)}", f"on {meant:%A} {meant.day} {meant:%B}"]
    if (meant.year, meant.month) == (said.year, said.month) and meant != said:
        ways.append(f"on the {nth(meant.day)}")
    return rng.choice(ways)


def span(rng: Random, start: date, end: date) -> str:
    """From one day to another, a preposition included."""
    one, other = f"{start.day} {start:%B}", f"{end.day} {end:%B}"
    ways = [f"from {one} to {other}", f"from {start:%B} {start.day} to {end:%B} {end.day}", f"from {one} until {other}"]
    if start.month == end.month:
        ways += [f"from {start.day} to {other}", f"from the {nth(start.day)} to the {nth(end.day)} of {end:%B}"]
    return rng.choice(ways)


def just(said: date) -> Told:
    """ "I just …", which is that day or one of the days before it."""
    core = When(said)
    return Told("just", When(f"{said}~"), core, _between(said - 2 * FUZZY, said + FUZZY), 2)


def vague(rng: Random, said: date, *, ahead: bool) -> Told:
    """A date that the words leave open: a week, a weekend, a month, or about so many weeks away."""
    return rng.choice([told for way in _VAGUE for told in way(said, 1 if ahead else -1)])


def _week(said: date, sign: int) -> Iterator[Told]:
    if said.weekday() < 6:  # on a Sunday people differ in which week is the last
        week = _iso(said + sign * FUZZY)
        yield Told("next week" if sign > 0 else "last week", week, week, week, 7)


def _weekend(said: date, sign: int) -> Iterator[Told]:
    if sign < 0 and 1 <= said.weekday() <= 3:
        saturday = said - timedelta(said.weekday() + 2)
        both = _between(saturday, saturday + timedelta(1))
        yield Told("last weekend", both, both, _between(saturday - timedelta(1), both.last), 2)


def _weeks(said: date, sign: int) -> Iterator[Told]:
    for count in (2, 3):
        core = said + sign * count * FUZZY
        words = f"in {NUMBERS[count - 2]} weeks" if sign > 0 else f"{NUMBERS[count - 2]} weeks ago"
        yield Told(words, _iso(core), When(core), _between(core - FUZZY, core + FUZZY), 3)


def _month(said: date, sign: int) -> Iterator[Told]:
    near = _months(said, sign)
    yield _calendar("next month" if sign > 0 else "last month", near)
    for months in (1, 2, 3):
        far = _months(said, sign * months)
        yield _calendar(f"in {far.first:%B}", far)


_VAGUE: tuple[Callable[[date, int], Iterator[Told]], ...] = (_week, _weekend, _weeks, _month)


def _calendar(words: str, when: When) -> Told:
    return Told(words, when, when, when, width(when))


def _iso(day: date) -> When:
    year, week, _ = day.isocalendar()
    return When(f"{year}-W{week:02}")


def _months(day: date, months: int) -> When:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return When(f"{year}-{month + 1:02}")


def _between(start: date, end: date) -> When:
    return When(f"{start}/{end}")
