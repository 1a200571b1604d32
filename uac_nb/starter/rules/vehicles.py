"""The papers and leases of vehicles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from uac_nb.rules import Alert, When, day, days, left, live, over_limit, rule, running_out
from uac_nb.rules.words import Side, capital, on, own
from uac_nb.starter.types.vehicles import Vehicle


@rule("warning")
def vehicle_paper_runs_out(
    vehicles: Iterable[Vehicle], *, today: date, lead_days: int = 30, grace_days: int = 30
) -> Iterator[Alert]:
    """A registration, inspection or insurance ends within a month, or has just ended."""
    for v in vehicles:
        for paper in ("registration", "inspection", "insurance"):
            until: When | None = getattr(v, f"{paper}_until")
            if until is None or not live(v) or (until.first - today).days > lead_days or (today - until.last).days > grace_days:
                continue
            if past := max((today - until.last).days, 0):
                told, do = f"That is {days(past)} past.", "Renew it before driving again, or say that it is renewed."
            else:
                told = f"{capital(left(max((until.first - today).days, 0)))}."
                do = f"Renew it by {day(until.first)}."
            yield running_out(
                Side(v, f"the {paper} of {own(v)} ({'ran' if past else 'runs'} out {on(until)})"), because=told, do=do,
                severity="critical" if past else None, occurrence=f"{paper} {until.text}",
            )  # fmt: skip


@rule("warning")
def lease_distance_exceeded(vehicles: Iterable[Vehicle], *, today: date, least_days: int = 90) -> Iterator[Alert]:
    """At the rate so far, a leased vehicle will have gone further than its lease allows."""
    for v in vehicles:
        begun, ends, allowed, stood, read = v.lease_since, v.lease_until, v.lease_distance, v.odometer, v.odometer_on
        if not (begun and ends and allowed and stood and read) or not live(v) or ends.first < today:
            continue
        so_far, in_all = (read.last - begun.first).days, (ends.first - begun.last).days  # so that the rate is surely not less
        if so_far >= least_days and (projected := round(stood * in_all / so_far)) > allowed:
            yield over_limit(
                Side(v, f"{own(v)} would have gone {projected:,} when its lease ends ({allowed:,} until {day(ends)})"),
                because=f"It stood at {stood:,} on {day(read)}; at that rate it exceeds the limit by {projected - allowed:,}.",
                do="Drive less, or ask the lessor now what the extra distance costs.",
            )  # fmt: skip
