"""Commitments against each other and against trips; deadlines and promises against the calendar."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from itertools import chain, product

from uac_nb.rules import (
    Alert,
    Severity,
    When,
    ahead,
    before,
    clock,
    conflict,
    day,
    days,
    left,
    listed,
    live,
    name,
    rule,
    running_out,
    said,
    side,
    span,
)
from uac_nb.rules.occasions import hours, occasions, overlaps, singled
from uac_nb.rules.words import Side, capital, ended, on, own, person, plus
from uac_nb.starter.rules.travel import begins, going
from uac_nb.starter.types.life import Practice, Promise
from uac_nb.starter.types.schedule import Commitment, Deadline
from uac_nb.starter.types.travel import Trip


@rule("warning")
def commitments_overlap(
    commitments: Iterable[Commitment],
    practices: Iterable[Practice],
    *,
    today: date,
    usual_minutes: int = 60,
    lead_days: int = 60,
) -> Iterator[Alert]:
    """Two commitments that need the same person fall together: by the clock, or because one takes the whole day.

    Of what comes again, practices too, the first time within `lead_days`. No claim of two that are only tentative: one of
    them may be chosen.
    """
    until, told = plus(today, lead_days), set[tuple[str, str]]()
    habits = {p.id: p for p in ahead(practices, today)}
    set_days = [*singled(ahead(commitments, today), today, until), *_slots(habits.values(), today, until)]
    here = [c for c in set_days if c.presence in ("user there", "online") and c.on.exact]
    whole = {c.id for c in here if c.whole_day}
    wholes = [c for c in here if c.part_of not in whole]  # the whole stands for its parts
    for a, b, start, end in chain(overlaps(wholes, wholes), _across_zones(wholes)):
        if a.id >= b.id or b.id == a.part_of or a.id == b.part_of or not _people(a) & _people(b):
            continue
        if a.status == b.status == "tentative" or (a.id, b.id) in told or {a.id, b.id} <= habits.keys():
            continue
        if because := _whole_day(a, b, start, end, here) or _same_hours(a, b, timedelta(minutes=usual_minutes)):
            told.add((a.id, b.id))
            small = _fits_in(a, b) or bool({a.id, b.id} & habits.keys())
            may = not (a.whole_day or b.whole_day) and _zone_unsaid(a, b)
            mover, fixed = _easier_to_move(a, b)
            yield conflict(
                _at(mover), "may overlap with" if _open_ended(a, b) or may else "overlaps with", _at(fixed),
                because=because + "".join(said(c, f"About {own(c)} you said") for c in (mover, fixed)),
                do=f"Move {own(mover)} to another time; if it cannot move, decide which to give up before {day(start)}.",
                severity="critical" if "high" in (a.weight, b.weight) else "info" if small else None,
            )  # fmt: skip


def _slots(practices: Iterable[Practice], start: date, end: date) -> Iterator[Commitment]:
    """The hours that practices take, day by day, as what they would be in a calendar."""
    for p in practices:
        starts, ends = hours(p)
        for moment, sure in occasions(p, start, end) if starts else ():
            if sure and moment.exact:
                yield Commitment(
                    id=p.id, who=p.who, others=p.others, title=p.title, on=moment, starts=starts, ends=ends, moves="movable",
                    quote=p.quote, doubt=p.doubt, source=p.source,
                )  # fmt: skip


def _fits_in(a: Commitment, b: Commitment) -> bool:
    """Whether one takes a whole day, and the other is only a call in it."""
    return any(one.whole_day and other.presence == "online" and not other.whole_day for one, other in ((a, b), (b, a)))


def _whole_day(a: Commitment, b: Commitment, start: date, end: date, all_ahead: Iterable[Commitment]) -> str:
    """Why two that share a day clash although hours are not known: one takes every hour of it."""
    if not (a.whole_day or b.whole_day):
        return ""
    block = a if a.whole_day else b
    takes = f"every day of {span(block.on, block.until)}" if block.until else "the whole day"
    parts = [name(c) for c in all_ahead if c.part_of == block.id and c.on == start]
    there = f" ({listed(parts)} on {day(start)})" if parts else ""
    return f"Both fall on {span(start, end)}, and {own(block)} takes {takes}{there}."


def _same_hours(a: Commitment, b: Commitment, usual: timedelta) -> str:
    """How far apart two begin, where one begins before the other has ended; else empty."""
    if (both := _on_one_clock(a, b, usual)) is None:
        return ""
    (a_start, a_end), (b_start, b_end) = both
    if max(a_start, b_start) >= min(a_end, b_end):
        return ""
    where = "in two zones" if _zones_differ(a, b) else "on the same day"
    if a_start == b_start:
        return f"They begin at the same time {where}, so one person cannot be at both.{_zone_unsaid(a, b)}"
    apart = f"They begin {abs(a_start - b_start) // timedelta(minutes=1)} minutes apart {where}"
    end = "and nothing says when the first ends" if _open_ended(a, b) else "so one person cannot be at both"
    return f"{apart}, {end}.{_zone_unsaid(a, b)}"


def _open_ended(a: Commitment, b: Commitment) -> bool:
    """Whether nothing says that the one that begins first is not over when the other begins."""
    both = _on_one_clock(a, b, timedelta(0)) if not (a.whole_day or b.whole_day) else None
    if both is None or both[0][0] == both[1][0]:
        return False
    return (a if both[0][0] < both[1][0] else b).ends is None


def _zones_differ(a: Commitment, b: Commitment) -> bool:
    return bool(a.zone and b.zone and a.zone != b.zone)


def _zone_unsaid(a: Commitment, b: Commitment) -> str:
    """That the hours of one have a zone and those of the other none; empty where they can be compared."""
    if (a.zone is None) == (b.zone is None):
        return ""
    known, other = (a, b) if a.zone else (b, a)
    return f" The hours of {own(known)} are those of {_zone(known)}; nothing says in which zone those of {own(other)} are."


def _on_one_clock(a: Commitment, b: Commitment, usual: timedelta) -> tuple[tuple[datetime, datetime], ...] | None:
    """When two begin and end: in two zones as instants, else by the clock; None where that is not known, or not one day."""
    if a.starts is None or b.starts is None:
        return None
    (a_start, a_end), (b_start, b_end) = _hours(a, a.starts, usual), _hours(b, b.starts, usual)
    if a.zone and b.zone and a.zone != b.zone:
        a_at, b_at = a.zone.instant(a.on.date, a.starts), b.zone.instant(b.on.date, b.starts)
        return ((a_at, a_at + (a_end - a_start)), (b_at, b_at + (b_end - b_start))) if a_at and b_at else None
    return ((a_start, a_end), (b_start, b_end))


def _across_zones(commitments: Iterable[Commitment]) -> Iterator[tuple[Commitment, Commitment, date, date]]:
    """Those of two days in a row that can be at one time, since it is not one day everywhere."""
    by_day: dict[date, list[Commitment]] = defaultdict(list)
    for c in commitments:
        if c.zone and c.starts and not c.whole_day:
            by_day[c.on.date].append(c)
    for today, some in by_day.items():
        for a, b in product(some, by_day.get(plus(today, 1), ())):
            yield from ((a, b, today, plus(today, 1)), (b, a, today, plus(today, 1))) if _zones_differ(a, b) else ()


def _hours(c: Commitment, starts: time, usual: timedelta) -> tuple[datetime, datetime]:
    start = datetime.combine(c.on.date, starts)
    if c.ends is None:
        return start, start + usual
    end = datetime.combine(c.on.date, c.ends)
    return start, end if end > start else datetime.combine(plus(c.on.date, 1), c.ends)


@rule("warning")
def away_during_commitment(commitments: Iterable[Commitment], trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    """Someone has to be there, or someone at home, and they are travelling that day."""
    waiting = [c for c in ahead(commitments, today) if c.presence in ("user there", "someone at home")]
    pairs = list(overlaps(waiting, ahead(trips, today)))
    settled = {c.id for c, trip, _, _ in pairs if c.part_of == trip.id or _on_the_way(c, trip)}
    for c, trip, start, end in pairs:
        both = _people(c) & {trip.who, *trip.others}
        if c.id in settled or not both:
            continue
        gone, back = begins(trip).last, (trip.returns or begins(trip)).first
        if start == end and trip.departs and start in (gone, back):
            yield _on_travel_day(c, trip, start)
        elif c.presence == "someone at home":
            yield conflict(
                _at(c), "falls during", going(trip),
                because=f"It needs someone at home, and {_away(both, trip)} {on(start)}.{said(c)}",
                do=f"Ask for a day before {day(gone)} or after {day(back)}, or arrange for someone else to be there.",
                severity=_graver(c),
            )  # fmt: skip
        else:
            move = "Before booking, move" if trip.status == "considering" else "Move"
            there = f" If {c.place} is in {trip.to}, say so." if c.place else ""
            yield conflict(
                _at(c), "falls during", going(trip),
                because=f"{capital(_away(both, trip))} {on(start)}, and could not be there.{said(c)}",
                do=f"{move} {own(trip)}, or reschedule {ended(own(c))}{there}", severity=_graver(c),
            )  # fmt: skip


def _on_the_way(c: Commitment, trip: Trip) -> bool:
    """Whether it belongs to the trip: it takes place there, or is of company that travels together, nobody says where."""
    if trip.to.split(",")[0].lower() in f"{c.title} {c.place or ''}".lower():
        return True
    return c.place is None and c.presence == "user there" and bool(c.others) and _people(c) <= {trip.who, *trip.others}


def _on_travel_day(c: Commitment, trip: Trip, moment: date) -> Alert:
    leaving = moment == begins(trip).last
    return conflict(
        _at(c), "falls on a travel day of", going(trip), severity="info",
        because=f"{capital(on(moment))} the trip {'begins' if leaving else 'ends'}.{said(c)}",
        do=f"Check that {day(moment)} leaves time for both.",
    )  # fmt: skip


def _away(people: set[str], trip: Trip) -> str:
    who = person("me" if "me" in people else min(people))
    return f"{who} would be away in {trip.to}"


def _graver(c: Commitment) -> Severity | None:
    return "critical" if c.weight == "high" else None


@rule("warning")
def deadline_near(deadlines: Iterable[Deadline], *, today: date, grace_days: int = 14) -> Iterator[Alert]:
    """A deadline is near, today, or just past and still open. It is critical once there is a day left for sure, or none."""
    for d in deadlines:
        soonest = _soonest(d.due)
        remaining, past = (soonest - today).days, (today - d.due.last).days
        if not live(d) or remaining > d.lead_days or past > grace_days:
            continue
        if past > 0:
            when, do = f"That is {days(past)} past, and nothing says that it was done.", "Do it now, or say that it is done."
        else:
            counted = left(remaining) if remaining >= 0 else "it can be any day now"
            when, do = f"Today is {day(today)}: {counted}.", f"Do it by {day(max(soonest, today))}."
        cost = f" Otherwise: {ended(d.consequence)}" if d.consequence else ""
        yield running_out(
            side(d, f"{'was due' if past > 0 else 'due'} {day(d.due)}"), because=f"{when}{cost}{said(d)}", do=do,
            severity="critical" if -1 <= past <= 0 else None, occurrence=d.due.text,
        )  # fmt: skip


def _soonest(due: When) -> date:
    """The earliest day that a deadline can mean; of "by Friday", Friday."""
    return due.last if due.first == date.min else due.first


@rule("warning")
def deadline_while_away(deadlines: Iterable[Deadline], trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    """Something has to be done in person on a day when they are away."""
    waiting = [d for d in deadlines if live(d) and d.presence == "user there" and d.due.last >= today]
    away = [(trip, trip.returns) for trip in ahead(trips, today) if trip.returns and begins(trip).first > today]
    for d in waiting:
        for trip, returns in away:
            if d.who in (trip.who, *trip.others) and d.due.within(begins(trip).last, returns.first) == "yes":
                yield conflict(
                    side(d, f"due {day(d.due)}, in person"), "falls during", going(trip),
                    because=f"The last day at home before it is {day(plus(begins(trip).first, -1))}.",
                    do=f"Do it {before(begins(trip))}.", occurrence=d.due.text,
                )  # fmt: skip


@rule("warning")
def promise_due(promises: Iterable[Promise], *, today: date, lead_days: int = 3) -> Iterator[Alert]:
    """Something that the user promised is due within days."""
    for p in promises:
        if live(p) and p.due and p.who == "me" and 0 <= (p.due.last - today).days <= lead_days:
            yield running_out(
                side(p, f"promised to {person(p.to)} {on(p.made)}", f"due {day(p.due)}"),
                because=f"Today is {day(today)}: {left((p.due.last - today).days)}.{said(p)}",
                do="Keep it, or tell them that it will be later.", occurrence=p.due.text,
            )  # fmt: skip


# --- what these rules share ---


def _people(c: Commitment) -> set[str]:
    return {c.who, *c.others}


def _easier_to_move(a: Commitment, b: Commitment) -> tuple[Commitment, Commitment]:
    """Which of two to ask about first: the movable one, else what weighs less, is shorter, or was told later."""

    def rank(c: Commitment) -> tuple[bool, bool, bool, bool, int]:
        return c.moves == "movable", c.moves != "fixed", c.weight != "high", c.until is None, max(c.source)

    return (a, b) if rank(a) >= rank(b) else (b, a)


def _zone(c: Commitment) -> str:
    return c.zone.text.replace("_", " ") if c.zone else ""


def _at(c: Commitment) -> Side:
    hours = f" at {clock(c.starts)}" if c.starts else ""
    if c.starts and c.ends:
        hours = f", {clock(c.starts)} to {clock(c.ends)}"
    hours += f" ({_zone(c)})" if c.starts and c.zone else ""
    return side(c, span(c.on, c.until) + hours, "tentative" if c.status == "tentative" else None)
