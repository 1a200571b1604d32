"""The words of a message: names, days, amounts and differences, said by code from records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, time
from typing import Any, TypeVar

from uac_nb.rules.money import Money
from uac_nb.rules.when import When, first, last

T = TypeVar("T")

OVER = frozenset({"done", "cancelled", "dropped", "returned", "sold", "off", "refused", "stopped", "ended"})

# Field names that do not read well as they stand; of other fields the name itself is the phrase.
PHRASES = {
    "on": "{}", "price": "{}", "amount": "{}", "cost": "{}", "limit": "limit {}", "balance": "balance {}", "expires": "expires {}",
    "due": "due {}", "closes": "closes {}", "renews": "renews {}", "bought": "bought {}", "applied": "applied for {}",
    "since": "since {}", "until": "until {}",
}  # fmt: skip
SPANS = (("departs", "returns"), ("on", "until"), ("valid_from", "valid_until"), ("since", "until"))


def day(when: date | When) -> str:
    """A date in words, the weekday computed.

    >>> day(When("2024-11-25")), day(When("2025-03")), day(When("2024-09-23/2024-09-29"))
    ('Monday, November 25, 2024', 'March 2025', 'between September 23 and 29, 2024')
    """
    if isinstance(when, When) and not when.exact:
        return _inexact(when)
    exact = first(when)
    return f"{exact:%A}, {exact:%B} {exact.day}, {exact.year}"


def _inexact(when: When) -> str:
    text, low, high = when.text, when.first, when.last
    if text.startswith("--"):
        return f"{date(2000, int(text[2:4]), 1):%B} {int(text[5:7])}"
    if text.endswith("~"):
        return f"about {day(When(text[:-1]))}"
    if low == date.min:
        return f"by {day(high)}"
    if high == date.max:
        return f"from {day(low)} on"
    if len(text) == 4:
        return text
    if len(text) == 7 and "W" not in text:
        season = {"21": "spring", "22": "summer", "23": "autumn", "24": "winter"}.get(text[5:])
        return f"{season} {text[:4]}" if season else f"{low:%B %Y}"
    head = f"{low:%B} {low.day}" + (f", {low.year}" if low.year != high.year else "")
    tail = (
        f"{high.day}, {high.year}" if (low.year, low.month) == (high.year, high.month) else f"{high:%B} {high.day}, {high.year}"
    )
    return f"between {head} and {tail}"


def span(start: date | When, end: date | When | None) -> str:
    return day(start) if end is None or end == start else f"{day(start)} to {day(end)}"


def clock(moment: time) -> str:
    """'7:30 PM'."""
    return f"{moment.hour % 12 or 12}:{moment.minute:02d} {'AM' if moment.hour < 12 else 'PM'}"


def days(count: int) -> str:
    return f"{count} day" if abs(count) == 1 else f"{count} days"


def left(count: int) -> str:
    """How long is left, as a part of a sentence."""
    return "today is the last day" if count == 0 else f"only {days(count)} left"


def listed(items: Iterable[object]) -> str:
    """'a, b and c'."""
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


# --- what records have in common ---


def live(record: Any) -> bool:
    """Whether it still counts: neither done, nor cancelled, nor otherwise over."""
    return getattr(record, "status", None) not in OVER


def starts_on(record: Any) -> When | None:
    """The first day of a trip, a commitment, or anything that holds for a time."""
    return next((value for pair in SPANS if isinstance(value := getattr(record, pair[0], None), When)), None)


def ends_on(record: Any) -> When | None:
    """Its last day, as far as known: else the day on which it starts."""
    for start, end in SPANS:
        if isinstance(begun := getattr(record, start, None), When):
            return getattr(record, end, None) or begun
    return None


def ahead(records: Iterable[T], today: date) -> list[T]:
    """Those that still count and are not over yet."""
    return [r for r in records if live(r) and (end := ends_on(r)) is not None and last(end) >= today]


def overlap(a: Any, b: Any) -> tuple[date, date] | None:
    """The days that two records surely share, first and last; None where they share none for sure."""
    a_start, a_end, b_start, b_end = starts_on(a), ends_on(a), starts_on(b), ends_on(b)
    if a_start is None or b_start is None or a_end is None or b_end is None:
        return None
    start, end = max(a_start.last, b_start.last), min(a_end.first, b_end.first)
    return (start, end) if start <= end else None


def name(record: Any) -> str:
    """What to call it in a message: its title, name or quotation, else its id in words."""
    return next((str(v) for key in ("title", "name", "text") if (v := getattr(record, key, None))), record.id.replace("-", " "))


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a conflict: the record, and how a message says it."""

    record: Any
    text: str

    def __str__(self) -> str:
        return self.text


def side(record: Any, *details: object) -> Side:
    """A record in words: its name and what is concrete about it (by default its dates, hours and amounts)."""
    if isinstance(record, Side):
        return record
    known = [str(d) for d in details if d] or list(concrete(record))
    return Side(record, f"{name(record)} ({'; '.join(known)})" if known else name(record))


def concrete(record: Any) -> Iterable[str]:
    """The dates, hours and amounts of a record, in words."""
    if not is_dataclass(record):
        return
    values = {f.name: getattr(record, f.name) for f in fields(record)}
    for start, end in SPANS:
        if isinstance(begun := values.get(start), When) and start not in ("since", "valid_from"):
            yield span(begun, values.get(end)) + _hours(values.get("starts"), values.get("ends"))
            values.pop(start), values.pop(end, None)
    for key, value in values.items():
        if isinstance(value, When):
            yield PHRASES.get(key, key.replace("_", " ") + " {}").format(day(value))
        elif isinstance(value, Money):
            yield PHRASES.get(key, key.replace("_", " ") + " {}").format(value)


def _hours(starts: time | None, ends: time | None) -> str:
    if starts is None:
        return ""
    return f" at {clock(starts)}" if ends is None else f", {clock(starts)} to {clock(ends)}"
