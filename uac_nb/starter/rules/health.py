"""Medicines against allergies and supplies; plans against allergies and resolutions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date

from uac_nb.rules import Alert, ahead, before, conflict, day, days, left, listed, live, rule, running_out, said, side
from uac_nb.rules.words import Side, capital, person
from uac_nb.starter.drugs import ADVICE, Relation, closest, relation
from uac_nb.starter.rules.travel import begins, going
from uac_nb.starter.types.health import Allergy, Medicine
from uac_nb.starter.types.life import Resolution
from uac_nb.starter.types.schedule import Plan
from uac_nb.starter.types.travel import Trip


@rule("critical")
def medicine_against_allergy(medicines: Iterable[Medicine], allergies: Iterable[Allergy], *, today: date) -> Iterator[Alert]:
    """A medicine contains what its taker must not have, or is of the same class; a possible cross-reaction is a warning."""
    mine = _by_person(a for a in allergies if live(a))
    for medicine in medicines:
        if not live(medicine) or (medicine.until and medicine.until < today):
            continue
        for allergy in mine[medicine.who]:
            if found := _closest(medicine, allergy):
                yield _against(medicine, allergy, found)


def _against(medicine: Medicine, allergy: Allergy, found: Relation) -> Alert:
    may = found.kind == "may"
    since = f"{medicine.status} since {day(medicine.since)}" if medicine.since else medicine.status
    avoid = f"avoid {listed(allergy.avoids)}"
    return conflict(
        side(medicine, medicine.dose, since), "may go against" if may else "goes against",
        side(allergy, avoid, allergy.reaction),
        because=f"{capital(medicine.title)} {found.says}.{said(allergy)} {ADVICE}",
        do=f"Ask a doctor or pharmacist {'whether it is safe' if may else 'before it is taken'}.",
        severity="warning" if may else None,
    )  # fmt: skip


def _closest(medicine: Medicine, allergy: Allergy) -> Relation | None:
    text = f"{medicine.title} {medicine.substance or ''}"
    return closest(found for avoid in allergy.avoids if (found := relation(text, avoid)))


@rule("warning")
def medicine_runs_out(
    medicines: Iterable[Medicine], trips: Iterable[Trip], *, today: date, lead_days: int = 7, trip_days: int = 14
) -> Iterator[Alert]:
    """A supply ends within days, or during a trip that begins within two weeks."""
    near = [t for t in ahead(trips, today) if t.returns and (begins(t).first - today).days <= trip_days]
    for medicine in medicines:
        supply = medicine.supply_until
        if supply is None or not live(medicine) or supply < today or (medicine.until and medicine.until.last <= supply.first):
            continue
        lasts = side(medicine, f"the supply lasts through {day(supply)}")
        if trip := next((t for t in near if medicine.who in (t.who, *t.others) and _ends_within(supply.last, t)), None):
            back = (trip.returns or begins(trip)).first
            yield conflict(
                lasts, "runs out during", going(trip),
                because=f"Not covered: {days((back - supply.last).days)} of the trip.",
                do=f"Refill {before(begins(trip))}.", occurrence=supply.text,
            )  # fmt: skip
        elif (supply.first - today).days <= lead_days:
            remaining = max((supply.first - today).days, 0)
            yield running_out(
                lasts, because=f"{capital(left(remaining))}.", do=f"Refill by {day(supply)}.", occurrence=supply.text
            )


def _ends_within(supply: date, trip: Trip) -> bool:
    return begins(trip).last <= supply < (trip.returns or begins(trip)).first


@rule("warning")
def plan_against_allergy(plans: Iterable[Plan], allergies: Iterable[Allergy], *, today: date) -> Iterator[Alert]:
    """A plan carries a tag that someone who takes part must avoid."""
    mine = _by_person(a for a in allergies if live(a))
    for plan in ahead(plans, today):
        for allergy in (a for who in (plan.who, *plan.others) for a in mine[who]):
            if shared := _shared(plan.tags, allergy.avoids):
                yield conflict(
                    plan, "goes against", side(allergy, f"avoid {listed(allergy.avoids)}"),
                    because=f"It has to do with {listed(shared)}, which {person(allergy.who)} must avoid.",
                    do=f"Ask about {listed(shared)} {before(plan.on)}, or change the plan.",
                )  # fmt: skip


@rule("warning")
def plan_breaks_resolution(plans: Iterable[Plan], resolutions: Iterable[Resolution], *, today: date) -> Iterator[Alert]:
    """A plan carries a tag that they decided to avoid at that time."""
    kept = [r for r in resolutions if live(r)]
    for plan in ahead(plans, today):
        for r in kept:
            holds = r.since.first <= plan.on.first and (r.until is None or plan.on.last <= r.until.first)
            if holds and plan.who == r.who and (shared := _shared(plan.tags, r.avoids)):
                yield conflict(
                    plan, "goes against your decision", Side(r, _decided(r)),
                    because=f"It has to do with {listed(shared)}, which you decided to avoid.{said(r)}",
                    do="Change the plan, or say that the decision no longer holds.",
                )  # fmt: skip


def _decided(r: Resolution) -> str:
    return f'"{r.title}" (since {day(r.since)}{f"; until {day(r.until)}" if r.until else ""})'


def _shared(tags: Iterable[str], avoid: Iterable[str]) -> list[str]:
    return sorted({tag.lower() for tag in tags} & {tag.lower() for tag in avoid})


def _by_person(allergies: Iterable[Allergy]) -> dict[str, list[Allergy]]:
    found: dict[str, list[Allergy]] = defaultdict(list)
    for allergy in allergies:
        found[allergy.who].append(allergy)
    return found
