"""Occasions: the days of records, of those that take place once and of those that come again alike.

What comes again says so in a field `every`, or `repeats` where `every` is the period of a payment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, time
from typing import Any, TypeVar

from uac_nb.rules.every import Every, Occasion
from uac_nb.rules.when import When
from uac_nb.rules.words import EVERY, ahead, dates_of, dates_once, days_of, plus, recurrence

T = TypeVar("T")
U = TypeVar("U")


def occasions(record: Any, start: date, end: date) -> list[Occasion]:
    """When a record takes place from `start` to `end`, both included, in order.

    What takes place once is told by the day on which it begins, also where that lies before `start`; it is not sure where
    its days may lie outside.
    """
    begins, ends = dates_of(record)
    if every := _anchored(record):
        low, high = max(start, begins.first) if begins else start, min(end, ends.last) if ends else end
        found = every.between(low, high) if low <= high else []
        return [Occasion(on, sure and _within(on, begins, ends)) for on, sure in found]
    if begins is None or begins.first > end or (ends or begins).last < start:
        return []
    return [Occasion(begins, begins.last <= end and (ends or begins).first >= start)]


def following(record: Any, start: date) -> Occasion | None:
    """The first occasion of what comes again from `start` on; None where it comes only once, or not again."""
    begins, ends = dates_of(record)
    every = _anchored(record)
    found = every.next(max(start, begins.first) if begins else start) if every else None
    if found is None or (ends and found.on.first > ends.last):
        return None
    return Occasion(found.on, found.sure and _within(found.on, begins, ends))


def times(record: Any, start: date, end: date) -> tuple[int, int]:
    """How often a record takes place from `start` to `end`: at least, and at most."""
    found = occasions(record, start, end)
    return sum(occasion.sure for occasion in found), len(found)


def coming(records: Iterable[T], today: date, days: int) -> list[tuple[Occasion, T]]:
    """What takes place from `today` on within so many days, in the order of its days."""
    until = plus(today, days)
    found = [(occasion, record) for record in ahead(records, today) for occasion in occasions(record, today, until)]
    return sorted(found, key=lambda pair: pair[0].on.key)


def hours(record: Any) -> tuple[time | None, time | None]:
    """When on its day a record begins and ends."""
    every = recurrence(record)
    starts, ends = (every.starts, every.ends) if every else (None, None)
    return starts or getattr(record, "starts", None), ends or getattr(record, "ends", None)


def singled(records: Iterable[T], start: date, end: date) -> Iterator[T]:
    """The records, of those that come again one for each day on which that is known to be, with its hours."""
    for record in records:
        if recurrence(record) is None:
            yield record
            continue
        clock = dict(zip(("starts", "ends"), hours(record), strict=True))
        for on, sure in occasions(record, start, end):
            if sure and on.exact:
                dates = zip(days_of(record), (on, None), strict=False)
                own = {name: value for name, value in (*dates, *clock.items()) if hasattr(record, name)}
                yield replace(record, **own, **_once(record))  # type: ignore[type-var]


def _once(record: Any) -> dict[str, None]:
    return {name: None for name in EVERY if isinstance(getattr(record, name, None), Every)}


def _anchored(record: Any) -> Every | None:
    """When it comes again, reckoned from the day on which the record begins where nothing else says from which."""
    every = recurrence(record)
    begins = dates_of(record)[0] if every and every.since is None else None
    if every is None or begins is None or not begins.exact:
        return every
    text, until, last = every.text.partition(" until ")
    return Every(f"{text} from {begins}{until}{last}") if every.until is None or begins <= every.until else every


def _within(on: When, begins: When | None, ends: When | None) -> bool:
    """Whether a day surely lies between the first and the last."""
    begun = begins is None or on.first >= begins.last or begins.last == date.max
    return begun and (ends is None or on.last <= ends.first or ends.last == date.max)


# --- what falls together ---

Days = tuple[date, date]


def overlap(a: Any, b: Any, within: Days | None = None) -> Days | None:
    """The days that two records surely share, first and last; None where they share none for sure.

    Of what comes again, the first day `within` two that they share.
    """
    if recurrence(a) or recurrence(b):
        return next(((start, end) for _, _, start, end in overlaps([a], [b], within)), None)
    (one, one_ends), (other, other_ends) = dates_once(a), dates_once(b)
    if one is None or one_ends is None or other is None or other_ends is None:
        return None
    start, end = max(one.last, other.last), min(one_ends.first, other_ends.first)
    sure = one.last <= one_ends.first and other.last <= other_ends.first
    return (start, end) if sure and start <= end else None


def overlaps(these: Iterable[T], those: Iterable[U], within: Days | None = None) -> Iterator[tuple[T, U, date, date]]:
    """The pairs of one and another that surely share days, each with the first and the last of them.

    What comes again is compared on its days `within` two; where these are not given, it is left out.
    """
    others = sorted(_sure(those, within), key=lambda sure: sure[0])
    at, near = 0, list[tuple[date, date, U]]()
    for start, end, one in sorted(_sure(these, within), key=lambda sure: sure[0]):
        while at < len(others) and others[at][0] <= end:
            near.append(others[at])
            at += 1
        near = [other for other in near if other[1] >= start]
        for other_start, other_end, other in near:
            if other_start <= end:
                yield one, other, max(start, other_start), min(end, other_end)


def _sure(records: Iterable[T], within: Days | None) -> Iterator[tuple[date, date, T]]:
    """The days that each record surely takes."""
    for record in records:
        if recurrence(record) is not None:
            days = (on for on, sure in occasions(record, *within) if sure and on.exact) if within else ()
            yield from ((on.first, on.first, record) for on in days)
            continue
        start, end = dates_of(record)
        if start is not None and end is not None and start.last <= end.first:
            yield start.last, end.first, record
