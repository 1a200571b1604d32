"""The kinds of record that are told: what each is about, what can become of it, and where a reader may keep it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from uac_nb.measure.eval.pools import Pool
from uac_nb.measure.eval.story import Said, Words

HAPPENING = {"told": "done", "plan": "ahead", "cancel": "cancelled", "through": "cancelled", "true": "done"}
IN_ONE_PLACE = ("yoga", "climb")  # sports without a distance
PLANNED = ("told", "vague", "repeat", "slip", "plan", "true", "cancel", "through", "moved", "vague plan")


@dataclass(frozen=True)
class Drawn:
    """One thing to tell of. `mixed` is a slot that may be told wrongly first, with the wrong value."""

    keys: Words
    slots: Mapping[str, Said]
    mixed: Mapping[str, Said] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """`collections`: where it is rightly kept, the usual one first. `arcs`: what becomes of it, by the names in `arcs.py`."""

    name: str
    collections: tuple[str, ...]
    draw: Callable[[Pool], Drawn]
    status: Mapping[str, str]  # by the last moment that was told
    arcs: tuple[str, ...]
    decoys: tuple[str, ...] = ("other", "never", "suppose", "ask", "suggest")


def words(slot: str, text: str, *more: str) -> Said:
    """A slot whose words are what it tells."""
    return Said(text, {slot: (text, *more)})


def person(text: str, name: str = "party") -> Said:
    """Somebody; of two with one name ("Dana from the choir") the last word says which."""
    parts = text.removeprefix("my ").split()
    return Said(text, {name: (parts[0] if len(parts) == 1 else f"{parts[0]} {parts[-1]}",)})


def _trip(pool: Pool) -> Drawn:
    place = pool.take("cities")
    return Drawn((place,), {"place": words("place", place), "party": person(pool.any("friends"))})


def _purchase(pool: Pool) -> Drawn:
    title, money = pool.take("items"), pool.money()
    slots = {"title": words("title", title), "shop": words("shop", pool.any("shops")), "money": money}
    return Drawn((title,), slots, {"money": pool.other_money(money)})


def _meal(pool: Pool) -> Drawn:
    place, money = pool.take("restaurants"), pool.money()
    slots = {"place": words("place", place), "kind": words("kind", pool.any("meals")), "money": money}
    return Drawn((place,), slots | {"party": person(pool.any("friends"))}, {"money": pool.other_money(money)})


def _medicine(pool: Pool) -> Drawn:
    title = pool.take("medicines")
    one, other = (words("dose", f"{mg} mg") for mg in pool.rng.sample([5, 10, 20, 25, 40, 50, 75, 100, 250, 500], 2))
    return Drawn((title,), {"title": words("title", title), "dose": one}, {"dose": other})


def _workout(pool: Pool) -> Drawn:
    session, *names = pool.sport()
    minutes, other = pool.number("minutes", range(20, 95, 5), "{} minutes")
    sport = Said(session, {"kind": tuple(names)})
    slots = {"kind": sport, "sport": Said(names[-1], sport.fields), "place": words("place", pool.any("grounds"))}
    if names[0] not in IN_ONE_PLACE:
        km = pool.rng.randint(2, 30)
        slots["metres"] = Said(f"{km} km", {"metres": km * 1000})
    return Drawn(tuple(names), slots | {"minutes": minutes}, {"minutes": other})


def _meeting(pool: Pool) -> Drawn:
    title, who = pool.take("topics"), person(pool.take("people"))
    hour, other = pool.hours()
    at = Said(f"at {hour.words}", hour.fields)
    names = _names(who)
    keys = dict.fromkeys([title, *names, names[0].split()[0]])  # with its day, a first name too says which meeting it is
    slots = {"title": words("title", title), "party": who, "at": at, "starts": hour}
    return Drawn(tuple(keys), slots, {"starts": other})


def _contact(pool: Pool) -> Drawn:
    who = person(pool.take("people"))
    name = who.words.split()[0].lower()
    digits = f"0{pool.rng.randint(20, 99)} {pool.rng.randint(100, 999)} {pool.rng.randint(1000, 9999)}"
    twisted = digits[:-2] + f"{(int(digits[-2:]) + 37) % 100:02}"
    phone = (words("kind", "phone number", "phone"), digits, twisted)
    email = (words("kind", "email address", "email"), f"{name}@example.org", f"{name}{pool.rng.randint(2, 9)}@example.org")
    kind, value, wrong = pool.rng.choice([phone, email])
    slots = {"party": who, "kind": kind, "value": words("value", value)}
    return Drawn((value, *_names(who)), slots, {"value": words("value", wrong)})


def _reading(pool: Pool) -> Drawn:
    title = pool.take("books")
    rating, other = pool.number("rating", range(1, 6), "{} out of 5")
    slots = {"title": words("title", title), "author": words("author", pool.any("authors")), "rating": rating}
    return Drawn((title,), slots, {"rating": other})


def _names(who: Said) -> Words:
    found = who.fields["party"]
    assert isinstance(found, tuple)
    return found


_TOLD = ("told", "vague", "repeat", "slip", "wrong")

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in (
    Kind("trip", ("trips",), _trip, HAPPENING, PLANNED),
    Kind("purchase", ("purchases", "expenses"), _purchase, {"told": "kept", "cancel": "returned"}, (*_TOLD, "over"),
         ("through", "other", "never", "suppose", "ask", "suggest")),
    Kind("meal", ("meals", "events", "commitments", "plans", "outings"), _meal, HAPPENING, (*PLANNED, "wrong")),
    Kind("medicine", ("medicines",), _medicine, {"told": "taking", "cancel": "stopped"}, (*_TOLD, "over")),
    Kind("workout", ("workouts", "commitments", "events"), _workout, {"told": "done"}, _TOLD,
         ("through", "other", "never", "suppose", "ask", "suggest")),
    Kind("meeting", ("meetings", "commitments", "events", "plans"), _meeting, HAPPENING, (*PLANNED, "wrong plan")),
    Kind("contact", ("contacts",), _contact, {"told": "current"}, ("told", "repeat", "wrong"), ("never", "suppose", "ask")),
    Kind("reading", ("readings",), _reading,
         {"told": "finished", "plan": "wanted", "true": "finished", "cancel": "dropped"},
         (*_TOLD, "plan", "true", "cancel")),
)}  # fmt: skip
