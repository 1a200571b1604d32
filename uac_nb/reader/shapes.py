"""From a finding to a record: its collection, id, values, and the sentence that tells it with dates resolved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from uac_nb.reader.finding import Finding
from uac_nb.reader.known import singular, slug
from uac_nb.reader.places import fold
from uac_nb.rules import Money, When
from uac_nb.rules import day as said_day

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """A record to be. `key` names the fields that make it the same as another; `fact` tells it."""

    collection: str
    id: str
    values: Values
    fact: str
    key: tuple[str, ...]
    complete: bool = True  # all that its type requires is known


@dataclass(frozen=True, slots=True)
class Teller:
    """Whose words are read: how a fact calls them, the id of the person, and the day they were said."""

    name: str  # "The user", "Gina"
    id: str  # "me", "gina"
    day: date


def shape(finding: Finding, who: str, teller: Teller) -> Shape:
    """The record that an asserted finding describes. `who` is the id of the person it is about."""
    return SHAPES[finding.kind](finding, who, teller)


def _named(finding: Finding, teller: Teller) -> str:
    """Whom a fact is about: "The user", "The user's sister", "Priya"."""
    if finding.subject == "me":
        return teller.name
    return f"{teller.name}'s {finding.subject}" if finding.subject[0].islower() else finding.subject


def _values(who: str, **values: Any) -> Values:
    """Values that are known; `who` only where it is not the user."""
    return ({} if who == "me" else {"who": who}) | {
        name: value for name, value in values.items() if value not in (None, "", [])
    }


def _id(who: str, *words: str) -> str:
    return slug(*words, *(() if who == "me" else (who,)))


def _month(text: str | None) -> str:
    """The month for an id, or the year, where it is known: "2025-03"."""
    when = When(text) if text else None
    if when is None or when.year is None:
        return ""
    return f"{when.year}-{when.month:02d}" if when.month else str(when.year)


def _since(when: str | None) -> str:
    """ " since March 2025"."""
    if not when:
        return ""
    words = said_day(When(when))
    return f" since {'some day ' if words.startswith('between') else ''}{words.removeprefix('from ').removesuffix(' on')}"


def _on(when: str | None, before: str = "on") -> str:
    """ " on Monday, March 10, 2025", " in March 2025", " between …", or nothing."""
    if not when:
        return ""
    exact = When(when).exact or when.startswith("--")
    words = said_day(When(when))
    if words.startswith(("between", "by ", "from ", "about")):
        return f" {words}"
    return f" {before if exact else 'in'} {words}"


def _others(finding: Finding) -> list[str]:
    return finding.slots["others"].split(" | ") if "others" in finding.slots else []


def _money(slots: Mapping[str, str]) -> tuple[Values | None, str]:
    if "amount" not in slots:
        return None, ""
    return {"amount": slots["amount"], "currency": slots["currency"]}, str(Money(slots["amount"], slots["currency"]))


# --- one function a kind ---


def _allergy(f: Finding, who: str, teller: Teller) -> Shape:
    values = _values(
        who,
        title=f"{singular(f.key)} allergy",
        avoids=[f.key],
        reaction=f.slots.get("reaction"),
        severity=f.slots.get("severity"),
    )
    level = {"severe": "severely ", "mild": "mildly "}.get(f.slots.get("severity", ""), "")
    reaction = f" ({f.slots['reaction']})" if "reaction" in f.slots else ""
    return Shape(
        "allergies", _id(who, f.key), values, f"{_named(f, teller)} is {level}allergic to {f.key}{reaction}.", ("who", "avoids")
    )


def _medication(f: Finding, who: str, teller: Teller) -> Shape:
    dose = " ".join(part for part in (f.slots.get("dose"), f.slots.get("often")) if part)
    title = f"{f.key} {f.slots['dose']}" if "dose" in f.slots else f.key
    values = _values(who, title=title, substance=f.key, dose=dose, since=f.slots.get("start"), status=f.slots.get("status"))
    since, verb = _since(f.slots.get("start")), "was prescribed" if "status" in f.slots else "takes"
    fact = f"{_named(f, teller)} {verb} {f.key}{', ' + dose if dose else ''}{since}."
    return Shape("medicines", _id(who, f.key), values, fact, ("who", "substance"))


def _trip(f: Finding, who: str, teller: Teller) -> Shape:
    to, start, end, there = f.slots["to"], f.slots.get("start"), f.slots.get("end"), f.slots.get("there")
    done = f.slots["status"] == "done" or any(When(day).last < teller.day for day in (start, end, there) if day)
    departs = start or (f"../{When(end).last if end else teller.day}" if done or end else None)
    others = _others(f)
    values = _values(
        who, title=f"trip to {to}", to=to, country=f.slots.get("country"), departs=None if there else departs,
        returns=end, there_on=there, status="done" if done else "booked", purpose=f.slots.get("purpose"), others=others,
        doubt=f.slots.get("doubt"),
    )  # fmt: skip
    if start and end and When(start).exact:
        days = f" from {said_day(When(start))} to {said_day(When(end))}"
    else:
        days = _on(start) + (f", back{_on(end)}" if end else "")
    company = f" with {' and '.join(others)}" if others else ""
    aim = f" (for: {values['purpose']})" if "purpose" in values else ""
    verb = "travelled to" if done else "is travelling to"
    if there:
        verb, days = "was in" if done else "is to be in", _on(there)
    fact = f"{_named(f, teller)} {verb} {to}{days}{company}{aim}."
    return Shape("trips", _id(who, fold(to.split(",")[0]), _month(start or there)), values, fact, ("who", "to"))


def _purchase(f: Finding, who: str, teller: Teller) -> Shape:
    price, amount = _money(f.slots)
    start = f.slots.get("start")
    bought = start or f"../{teller.day}"
    values = _values(
        who, title=f.slots["item"], shop=f.slots.get("shop"), price=price, bought=bought, doubt=f.slots.get("doubt"),
        return_days=int(f.slots["return_days"]) if "return_days" in f.slots else None, return_by=f.slots.get("return_by"),
    )  # fmt: skip
    shop = f" from {f.slots['shop']}" if "shop" in f.slots else ""
    policy = f" It can be returned within {f.slots['return_days']} days." if "return_days" in f.slots else ""
    fact = f"{_named(f, teller)} bought: {f.slots['item']}{shop}{' for ' + amount if amount else ''}{_on(start)}.{policy}"
    return Shape("purchases", _id(who, f.key, _month(start)), values, fact, ("who", "title"))


def _residence(f: Finding, who: str, teller: Teller) -> Shape:
    start = f.slots.get("start") or (f"{teller.day}/.." if "planned" in f.slots else None)
    values = _values(who, place=f.slots["place"], country=f.slots.get("country"), since=start)
    since = _since(start)
    verb = "is moving to" if "planned" in f.slots or (start and When(start).first > teller.day) else "lives in"
    fact = f"{_named(f, teller)} {verb} {f.slots['place']}{since if verb == 'lives in' else _on(start)}."
    return Shape("residences", _id(who, fold(f.slots["place"].split(",")[0]), "home"), values, fact, ("who", "place"))


def _birthday(f: Finding, who: str, teller: Teller) -> Shape:
    mine = f.slots["name"] == "me"
    values = _values(who, name="me" if mine else f.slots["name"], on=f.slots["start"])
    whose = f"{teller.name}'s" if mine else f"{_theirs(f.slots['name'], teller)}'s"
    born = (
        f"{whose.removesuffix(chr(39) + 's')} was born"
        if len(f.slots["start"]) != 7 or not f.slots["start"].startswith("--")
        else f"{whose} birthday is"
    )
    return Shape("birthdays", _id(who, f.key, "birthday"), values, f"{born}{_on(f.slots['start'])}.", ("name",))


def _theirs(name: str, teller: Teller) -> str:
    return f"{teller.name}'s {name.removeprefix('my ')}" if name.startswith("my ") else name


def _contact(f: Finding, who: str, teller: Teller) -> Shape:
    name, kind = f.slots["name"], f.slots["kind"]
    values = _values(who, name=name, kind=kind, value=f.slots["value"])
    whose = teller.name if name == "me" else name if name[0].isupper() else f"{teller.name}'s {name}"
    word = "phone number" if kind == "phone" else "email address"
    return Shape("contacts", _id(who, f.key, kind), values, f"{whose}'s {word} is {f.slots['value']}.", ("name", "kind"))


def _commitment(f: Finding, who: str, teller: Teller) -> Shape:
    on = f.slots["start"].partition("T")[0]
    over = When(on).last < teller.day
    visit = f.slots["title"].startswith("visit of")
    values = _values(
        who, title=f.slots["title"], on=on, until=f.slots.get("end"), starts=f.slots.get("starts"), ends=f.slots.get("ends"),
        place=f.slots.get("place"), presence="someone at home" if visit else None, others=_others(f),
        status="done" if over else None, doubt=f.slots.get("doubt"),
    )  # fmt: skip
    hours = f" at {f.slots['starts']}" if "starts" in f.slots else ""
    place = f" at {f.slots['place']}" if "place" in f.slots and f.slots["place"] not in f.slots["title"] else ""
    fact = f"{_named(f, teller)} {'had' if over else 'has'} {_article(f.slots['title'])}{place}{_on(on)}{hours}."
    return Shape("commitments", _id(who, f.slots["title"], on if When(on).exact else ""), values, fact, ("title", "on"))


def _article(title: str) -> str:
    if title.split()[0] in ("dinner", "lunch", "breakfast", "coffee", "drinks", "brunch", "surgery") or title[0].isupper():
        return title
    return f"{'an' if title[0] in 'aeiou' else 'a'} {title}"


def _preference(f: Finding, who: str, teller: Teller) -> Shape:
    stance = f.slots["stance"]
    values = _values(who, what=f.slots["what"], stance=None if stance == "like" else stance, of=f.slots.get("of"))
    if stance == "favourite":
        fact = f"{_named(f, teller)}'s favourite {f.slots['of']} is {f.slots['what']}."
    else:
        fact = f"{_named(f, teller)} {'likes' if stance == 'like' else 'dislikes'} {f.slots['what']}."
    return Shape("favourites", _id(who, f.key), values, fact, ("who", "what"))


def _deadline(f: Finding, who: str, teller: Teller) -> Shape:
    due = f.slots["start"].removeprefix("../")
    return Shape(
        "deadlines", _id(who, f.slots["title"], "deadline"), _values(who, title=f.slots["title"], due=due),
        f"{teller.name}'s deadline: {f.slots['title']}, due{_on(due)}.", ("title",),
    )  # fmt: skip


def _passport(f: Finding, who: str, teller: Teller) -> Shape:
    nation = f.slots.get("nation", "")
    title = f"{nation} passport" if nation else "passport"
    values = _values(who, title=title, country=f.slots.get("country"), expires=f.slots["expires"])
    fact = f"{_named(f, teller)}'s {title} expires{_on(f.slots['expires'])}."
    return Shape("passports", _id(who, title), values, fact, ("who",))


def _visa(f: Finding, who: str, teller: Teller) -> Shape:
    names = ("title", "country", "status", "applied", "valid_from", "valid_until")
    values = _values(who, **{name: f.slots[name] for name in names if name in f.slots})
    window = "".join(
        f", valid {word}{_on(f.slots[name], '').replace('  ', ' ')}"
        for word, name in (("from", "valid_from"), ("until", "valid_until")) if name in f.slots
    )  # fmt: skip
    fact = f"{_named(f, teller)}'s {f.slots['title']}: {f.slots.get('status', 'granted')}{_on(f.slots.get('applied'))}{window}."
    return Shape("visas", _id(who, f.slots["title"]), values, fact, ("who", "country"), complete="status" in f.slots)


def _account(f: Finding, who: str, teller: Teller) -> Shape:
    status = f.slots["status"]
    values = _values(who, title=f.slots["title"], status=None if status == "open" else status, closes=f.slots.get("closes"))
    verb = {"open": "opened", "closing": "is closing", "closed": "closed"}[status]
    return Shape(
        "accounts",
        _id(who, f.key),
        values,
        f"{teller.name} {verb} the {f.slots['title']}{_on(f.slots.get('closes'))}.",
        ("title",),
    )


def _payment(f: Finding, who: str, teller: Teller) -> Shape:
    price, amount = _money(f.slots)
    values = _values(
        who, title=f.slots["title"], amount=price, every=f.slots["every"],
        day=int(f.slots["day"]) if "day" in f.slots else None, method=f.slots.get("method"), account=f.slots.get("account id"),
        doubt=f.slots.get("doubt"),
    )  # fmt: skip
    on = f" on day {f.slots['day']}" if "day" in f.slots else ""
    drawn = f" from the {f.slots['account']}" if "account" in f.slots else ""
    return Shape(
        "payments",
        _id(who, f.key),
        values,
        f"{teller.name} pays {amount} every {f.slots['every']}{on} for {f.slots['title']}{drawn}.",
        ("title",),
    )


def _subscription(f: Finding, who: str, teller: Teller) -> Shape:
    price, amount = _money(f.slots)
    title = f.slots["title"]
    values = _values(
        who, title=title, price=price, every="year" if f.slots.get("every") == "year" else None, renews=f.slots.get("renews"),
        trial_ends=f.slots.get("trial_ends"),
    )  # fmt: skip
    days = (
        f", renews{_on(f.slots['renews'])}"
        if "renews" in f.slots
        else f", trial ends{_on(f.slots['trial_ends'])}"
        if "trial_ends" in f.slots
        else ""
    )
    return Shape(
        "subscriptions",
        _id(who, title),
        values,
        f"{teller.name} has a {title}{' for ' + amount if amount else ''}{days}.",
        ("title",),
    )


def _job(f: Finding, who: str, teller: Teller) -> Shape:
    role, employer = f.slots.get("role"), f.slots.get("employer")
    title = f"job as {_article(role)}" if role else f"job at {employer}"
    values = _values(who, title=title, role=role, employer=employer, since=f.slots.get("start"))
    ahead = "start" in f.slots and When(f.slots["start"]).first > teller.day
    verb = "is to work" if ahead else "works"
    as_, at = (f" as {_article(role)}" if role else ""), (f" at {employer}" if employer else "")
    since = _on(f.slots.get("start")) if ahead else _since(f.slots.get("start"))
    key = ("who", "employer" if employer else "role")
    return Shape("jobs", _id(who, f.key, "job"), values, f"{_named(f, teller)} {verb}{as_}{at}{since}.", key)


def _workout(f: Finding, who: str, teller: Teller) -> Shape:
    metres, minutes = f.slots.get("metres"), f.slots.get("minutes")
    title = f.slots.get("title", f.slots["kind"])
    values = _values(
        who, title=title, on=f.slots["start"], kind=f.slots["kind"], metres=int(metres) if metres else None,
        minutes=int(minutes) if minutes else None, place=f.slots.get("place"),
    )  # fmt: skip
    took = f", {minutes} minutes" if minutes else ""
    fact = f"{_named(f, teller)} trained: {title}{took}{_on(f.slots['start'])}."
    return Shape("workouts", _id(who, f.slots["kind"], f.slots["start"]), values, fact, ("who", "kind", "on"))


def _meal(f: Finding, who: str, teller: Teller) -> Shape:
    others, place = _others(f), f.slots.get("place")
    title = f"{f.slots['said']}{' at ' + place if place else ''}"
    values = _values(
        who, title=title, on=f.slots["start"], kind=f.slots["kind"], place=place, others=others, cost=_money(f.slots)[0]
    )
    with_ = f" with {' and '.join(others)}" if others else ""
    fact = f"{_named(f, teller)} had {title}{with_}{_on(f.slots['start'])}."
    return Shape("meals", _id(who, f.slots["said"], f.slots["start"]), values, fact, ("who", "kind", "on"))


SHAPES: Mapping[str, Callable[[Finding, str, Teller], Shape]] = {
    "allergy": _allergy, "medication": _medication, "trip": _trip, "purchase": _purchase, "residence": _residence,
    "birthday": _birthday, "contact": _contact, "appointment": _commitment, "preference": _preference, "deadline": _deadline,
    "passport": _passport, "visa": _visa, "account": _account, "payment": _payment, "subscription": _subscription,
    "job": _job, "workout": _workout, "meal": _meal,
}  # fmt: skip


def denial(finding: Finding, teller: Teller) -> str:
    """The sentence that tells a retraction."""
    who = _named(finding, teller)
    key = finding.slots.get("to") or finding.slots.get("place") or finding.slots.get("title") or finding.key
    ended = f" (it ended{_on(finding.slots['end'])})" if "end" in finding.slots else ""
    return {
        "allergy": f"{who} is not allergic to {key}.",
        "medication": f"{who} does not take {key}{' any more' if ended or 'ended' in finding.slots else ''}{ended}.",
        "trip": f"{who} does not travel to {key}{_on(finding.slots.get('start'))}.",
        "residence": f"{who} does not live in {key}{' any more' if ended or 'ended' in finding.slots else ''}{ended}.",
        "appointment": f"{teller.name}: the {key} was cancelled.",
        "purchase": f"{who} returned the {key}.",
        "subscription": f"{who} cancelled the {key}.",
        "job": f"{who} does not work there any more: {key}.",
    }[finding.kind]
