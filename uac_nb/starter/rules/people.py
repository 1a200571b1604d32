"""Who has room, and who is allowed to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date

from uac_nb.rules import Alert, ahead, before, conflict, day, listed, rule, side
from uac_nb.rules.words import Side, capital, person
from uac_nb.starter.types.people import Authorisation
from uac_nb.starter.types.schedule import Errand, Outing


@rule("warning")
def more_people_than_room(outings: Iterable[Outing], *, today: date) -> Iterator[Alert]:
    """More people than the car, table or flat has room for."""
    for o in ahead(outings, today):
        if (extra := o.people - o.capacity) > 0:
            yield conflict(
                side(o, f"{o.people} people", day(o.on)), "is more than", Side(o, f"{o.room} has room for ({o.capacity})"),
                because=f"{extra} too many.", do=f"Find more room, or another way for {extra}, {before(o.on)}.",
            )  # fmt: skip


@rule("critical")
def errand_not_authorised(
    errands: Iterable[Errand], authorisations: Iterable[Authorisation], *, today: date
) -> Iterator[Alert]:
    """Someone is to do for a person what only others may do. The user, who told of the list, knows their own leave."""
    lists: dict[tuple[str, str], list[Authorisation]] = defaultdict(list)
    for a in authorisations:
        lists[a.subject.lower(), a.may.lower()].append(a)
    for e in ahead(errands, today):
        holding = [a for a in lists.get((e.subject.lower(), e.does.lower()), ()) if _holds(a, e)]
        if holding and e.who != "me" and not any(_same(e.who, who) for a in holding for who in a.allowed):
            allowed = listed(person(who) for who in holding[0].allowed)
            yield conflict(
                side(e, person(e.who), day(e.on)), "goes against",
                side(holding[0], f"only {allowed} may {e.does} {e.subject}"),
                because=f"{capital(person(e.who))} is not on it.",
                do=f"Have {person(e.who)} added {before(e.on)}, or send someone who is.",
            )  # fmt: skip


def _same(one: str, other: str) -> bool:
    """Whether two ids or names mean one person: "grandma" and "Grandma", "dana-lopez" and "Dana Lopez"."""
    return person(one).lower() == person(other).lower()


def _holds(a: Authorisation, e: Errand) -> bool:
    return (a.since is None or a.since.last <= e.on.first) and (a.until is None or a.until.first >= e.on.last)
