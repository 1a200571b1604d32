"""Trips against visas and passports, and against each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TypeVar

from uac_nb.rules import (
    Alert,
    Severity,
    Sure,
    When,
    add_months,
    ahead,
    before,
    conflict,
    day,
    days,
    listed,
    live,
    rule,
    running_out,
    side,
    span,
    starts_on,
)
from uac_nb.rules.occasions import overlaps
from uac_nb.rules.words import Side, capital, on, own, plus
from uac_nb.starter.types.life import Residence
from uac_nb.starter.types.travel import Passport, Trip, Visa

T = TypeVar("T", Visa, Passport)

# Between these a passport or identity card only has to be valid: European Economic Area and Switzerland.
FREE = frozenset((
    "AT", "BE", "BG", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IS", "IT", "LI", "LT",
    "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK",
))  # fmt: skip


@rule("critical")
def trip_outside_visa_window(
    trips: Iterable[Trip], visas: Iterable[Visa], residences: Iterable[Residence], *, today: date
) -> Iterator[Alert]:
    """A trip begins before the visa for its country is valid, or ends after."""
    for trip, mine in _with_visas(trips, visas, residences, today):
        if any(_covers(visa, trip) != "no" for visa in mine):
            continue
        visa = min(mine, key=lambda visa: sum(_misses(visa, trip)))
        early, late = _misses(visa, trip)
        if early and visa.valid_from:
            yield conflict(
                going(trip), f"starts {'' if trip.departs else 'at least '}{days(early)} before", _window(visa),
                because=f"The visa would not be valid yet on {day(begins(trip).last)}.",
                do=f"Arrive in {trip.to} on {day(visa.valid_from.first)} or later, or ask for an earlier visa, before booking.",
            )  # fmt: skip
        elif late and visa.valid_until:
            yield conflict(
                going(trip), f"ends {days(late)} after", _window(visa),
                because=f"The visa would no longer be valid on {day(_back(trip))}.",
                do=f"Leave {trip.to} by {day(visa.valid_until.last)}, or extend or renew the visa first.",
            )  # fmt: skip


@rule("critical")
def visa_entries_used_up(
    trips: Iterable[Trip], visas: Iterable[Visa], residences: Iterable[Residence], *, today: date
) -> Iterator[Alert]:
    """A trip would be one entry more than its visa allows."""
    trips = list(trips)
    for trip, mine in _with_visas(trips, visas, residences, today):
        covering = [visa for visa in mine if _covers(visa, trip) == "yes"]
        used = [(visa, _uses_before(visa, trip, trips) if visa.entries is not None else []) for visa in covering]
        if not used or any(visa.entries is None or visa.entries_used + len(uses) < visa.entries for visa, uses in used):
            continue
        visa, uses = used[0]
        earlier = [f"{own(use)} ({span(begins(use), use.returns)})" for use in uses]
        allowed = "a single entry" if visa.entries == 1 else f"{visa.entries} entries"
        yield conflict(
            going(trip), "needs an entry more than are left on", side(visa, allowed),
            because=f"Used already: {listed(earlier + [f'{visa.entries_used} before'] * (visa.entries_used > 0)) or 'none'}.",
            do=f"Apply for a new visa for {trip.to} {before(begins(trip))}.", also=uses,
        )  # fmt: skip


def _uses_before(visa: Visa, trip: Trip, trips: Iterable[Trip]) -> list[Trip]:
    """The trips that surely entered, or will enter, on a visa before this one."""
    gone = (t for t in trips if starts_on(t) and t.status not in ("considering", "cancelled"))
    there = (t for t in gone if t.country == visa.country and visa.who in (t.who, *t.others))
    earlier = (t for t in there if (begins(t).key, t.id) < (begins(trip).key, trip.id) and _covers(visa, t) == "yes")
    return sorted(earlier, key=lambda t: begins(t).key)


@rule("critical")
def stay_longer_than_visa_allows(
    trips: Iterable[Trip], visas: Iterable[Visa], residences: Iterable[Residence], *, today: date
) -> Iterator[Alert]:
    """A trip is longer than one visit may be."""
    for trip, mine in _with_visas(trips, visas, residences, today):
        stay = (trip.returns.first - begins(trip).last).days + 1 if trip.returns else 0
        limits = [(visa.max_stay_days or stay, visa) for visa in mine if _covers(visa, trip) != "no"]
        if not limits or stay <= max(limit for limit, _ in limits):
            continue
        limit, visa = max(limits, key=lambda pair: pair[0])
        yield conflict(
            going(trip), f"is {days(stay - limit)} longer than allowed by", side(visa, f"at most {days(limit)} a visit"),
            because=f"The stay would be {days(stay)}.",
            do=f"Leave by {day(plus(begins(trip).last, limit - 1))}, or ask for a longer stay first.",
        )  # fmt: skip


@rule("critical")
def visa_refused_for_trip(
    trips: Iterable[Trip], visas: Iterable[Visa], residences: Iterable[Residence], *, today: date
) -> Iterator[Alert]:
    """The visa for a trip was refused, and there is no other."""
    visas = list(visas)
    held = {(visa.country, visa.who) for visa in visas if live(visa)}
    refused = [visa for visa in visas if visa.status == "refused" and (visa.country, visa.who) not in held]
    for trip, mine in _with_papers(ahead(trips, today), refused, residences):
        applied = f"applied for on {day(mine[0].applied)}" if mine[0].applied else None
        yield conflict(
            going(trip), "needs", side(mine[0], "refused", applied),
            because="No other visa for that country is recorded.",
            do=f"Apply again, or put the trip off, {before(begins(trip))}.",
        )  # fmt: skip


@rule("warning")
def visa_still_pending(
    trips: Iterable[Trip], visas: Iterable[Visa], residences: Iterable[Residence], *, today: date, lead_days: int = 14
) -> Iterator[Alert]:
    """A trip begins within two weeks, and its visa is only applied for."""
    for trip, mine in _with_visas(trips, visas, residences, today):
        if any(visa.status != "applied" for visa in mine) or all(_covers(visa, trip) == "no" for visa in mine):
            continue
        start = begins(trip)
        if start.exact and 0 <= (start.date - today).days <= lead_days:
            applied = f"applied for on {day(mine[0].applied)}" if mine[0].applied else None
            yield running_out(
                side(mine[0], applied, "not granted yet as far as recorded"),
                because=f"{capital(own(trip))} begins in {days((start.date - today).days)}, on {day(start)}.",
                do="Ask how far the application is, and say when it is granted.", also=[trip], occurrence=trip.id,
            )  # fmt: skip


@rule("critical")
def passport_too_short_for_trip(
    trips: Iterable[Trip], passports: Iterable[Passport], residences: Iterable[Residence], *, today: date, months: int = 6
) -> Iterator[Alert]:
    """A passport runs out before a trip abroad ends, or less than six months after."""
    residences = list(residences)
    for trip, mine in _abroad(ahead(trips, today), [p for p in passports if p.status == "valid"], residences):
        best = max(mine, key=lambda passport: passport.expires.last)
        end, expires = _back(trip), best.expires.last
        if expires < end:
            yield conflict(
                going(trip), f"ends {days((end - expires).days)} after", side(best, f"expires {day(best.expires)}"),
                because=f"The passport would not be valid for the whole trip.{_unless(trip, best)}",
                do=f"Renew it {before(begins(trip))}.", severity=_lower(best, "warning"),
            )  # fmt: skip
        elif end.year < date.max.year and expires < add_months(end, months) and not _free(trip, best, residences):
            yield running_out(
                side(best, f"expires {day(best.expires)}"),
                because=f"That is less than the {months} months after {own(trip)} ({day(end)}) that many countries ask for."
                + _unless(trip, best),
                do=f"Check what {trip.to} asks for, and renew {before(begins(trip))} if need be.",
                also=[trip], occurrence=trip.id, severity=_lower(best, "info") or "warning",
            )  # fmt: skip


def _free(trip: Trip, passport: Passport, residences: Iterable[Residence]) -> bool:
    """Whether a passport only has to be valid there; one whose country was not said is taken for one of where they live."""
    issued = {passport.country} if passport.country else _lives_in(passport.who, begins(trip), residences)
    return bool(issued) and {trip.country, *issued} <= FREE


def _unless(trip: Trip, passport: Passport) -> str:
    """What is not known of a passport whose country was not said."""
    return "" if passport.country else f" It matters if {trip.to} is not in the country that issued it, which was not said."


def _lower(passport: Passport, severity: Severity) -> Severity | None:
    return None if passport.country else severity


@rule("critical")
def passport_lost_before_trip(
    trips: Iterable[Trip], passports: Iterable[Passport], residences: Iterable[Residence], *, today: date
) -> Iterator[Alert]:
    """A trip abroad lies ahead, and the only passport for it is lost."""
    passports = list(passports)
    held = {p.who for p in passports if p.status == "valid"}
    lost = [p for p in passports if p.status == "lost" and p.who not in held]
    for trip, mine in _abroad(ahead(trips, today), lost, residences):
        yield conflict(
            going(trip), "needs" if mine[0].country else "may need", side(mine[0], "lost as far as recorded"),
            because=_unless(trip, mine[0]).strip(), severity=_lower(mine[0], "warning"),
            do=f"Apply for a new one, or for an emergency passport, {before(begins(trip))}.",
        )  # fmt: skip


@rule("warning")
def trips_overlap(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    """The same person is on two trips at once.

    No claim of two in one country, or where one holds the other and a country is not known: a stay and its excursion. Nor
    of two that are only considered: one of them may be chosen.
    """
    planned = [trip for trip in ahead(trips, today) if trip.returns]
    for a, b, start, end in overlaps(planned, planned):
        sure = a.status != "considering" or b.status != "considering"
        if a.id < b.id and start < end and sure and _apart(a, b, start, end) and {a.who, *a.others} & {b.who, *b.others}:
            yield conflict(
                going(a), "overlaps with", going(b),
                because=f"{capital(days((end - start).days + 1))} are in both, {span(start, end)}.",
                do="Move or shorten one of the two.",
            )  # fmt: skip


def _apart(a: Trip, b: Trip, start: date, end: date) -> bool:
    """Whether two trips that share these days go to different places."""
    if a.country and b.country:
        return a.country != b.country
    return all((start, end) != (begins(t).last, _back(t)) for t in (a, b))


# --- what these rules share ---


def begins(trip: Trip) -> When:
    """The day on which a trip begins, or one by which it has begun; of those ahead one is known."""
    return starts_on(trip) or When("../..")


def going(trip: Trip) -> Side:
    """A trip as a side of a conflict."""
    if trip.departs is None:
        known = f"there {on(trip.there_on)}" if trip.there_on else None
        back = f"back {on(trip.returns)}" if trip.returns else None
        return side(trip, known, back, trip.status)
    when = span(trip.departs, trip.returns) if trip.returns else f"leaving {day(trip.departs)}"
    return side(trip, when, trip.status)


def _with_visas(
    trips: Iterable[Trip], visas: Iterable[Visa], residences: Iterable[Residence], today: date
) -> Iterator[tuple[Trip, Sequence[Visa]]]:
    """The trips ahead, each with the visas of one traveller for its country, where there are any."""
    return _with_papers(ahead(trips, today), [visa for visa in visas if live(visa)], residences)


def _with_papers(
    trips: Iterable[Trip], visas: Iterable[Visa], residences: Iterable[Residence]
) -> Iterator[tuple[Trip, Sequence[Visa]]]:
    mine = _grouped(visas)
    for trip, person in _abroad_from_home(trips, residences):
        if there := [visa for visa in mine.get(person, ()) if visa.country == trip.country]:
            yield trip, there


def _abroad(
    trips: Iterable[Trip], passports: Iterable[Passport], residences: Iterable[Residence]
) -> Iterator[tuple[Trip, Sequence[Passport]]]:
    """The trips to a country that is not known to have issued a traveller's passport, each with that traveller's."""
    mine = _grouped(passports)
    for trip, person in _abroad_from_home(trips, residences):
        if trip.country and (own := mine.get(person)) and all(p.country != trip.country for p in own):
            yield trip, own


def _abroad_from_home(trips: Iterable[Trip], residences: Iterable[Residence]) -> Iterator[tuple[Trip, str]]:
    """Each trip with each traveller, but for those who live in that country then: they cross no border."""
    residences = [home for home in residences if home.country]
    for trip in trips:
        for person in (trip.who, *trip.others):
            if trip.country not in _lives_in(person, begins(trip), residences):
                yield trip, person


def _lives_in(person: str, when: When, residences: Iterable[Residence]) -> set[str]:
    """The countries in which somebody surely lives before and after a day."""
    return {
        home.country for home in residences
        if home.who == person and home.country
        and (home.since is None or home.since.last < when.first) and (home.until is None or home.until.first > when.last)
    }  # fmt: skip


def _grouped(papers: Iterable[T]) -> Mapping[str, list[T]]:
    mine: dict[str, list[T]] = defaultdict(list)
    for paper in papers:
        mine[paper.who].append(paper)
    return mine


def _back(trip: Trip) -> date:
    """The earliest day on which a trip can end."""
    return (trip.returns or trip.there_on or begins(trip)).first


def _misses(visa: Visa, trip: Trip) -> tuple[int, int]:
    """Days by which a trip surely begins before its visa, and surely ends after."""
    early = (visa.valid_from.first - begins(trip).last).days if visa.valid_from else 0
    late = (_back(trip) - visa.valid_until.last).days if visa.valid_until else 0
    return max(early, 0), max(late, 0)


def _covers(visa: Visa, trip: Trip) -> Sure:
    if any(_misses(visa, trip)):
        return "no"
    begun = visa.valid_from is None or visa.valid_from.last <= begins(trip).first
    ended = visa.valid_until is not None and visa.valid_until.first < (trip.returns or trip.there_on or begins(trip)).last
    return "yes" if begun and not ended else "maybe"


def _window(visa: Visa) -> Side:
    begins = f"valid from {day(visa.valid_from)}" if visa.valid_from else "valid"
    ends = f" through {day(visa.valid_until)}" if visa.valid_until else ""
    applied = f"applied for on {day(visa.applied)}" if visa.applied else "applied for"
    return side(
        visa, begins + ends, "granted" if visa.status == "granted" else f"{applied}, not yet granted as far as recorded"
    )
