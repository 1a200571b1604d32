"""What the reader knows of each starter type: what makes two records one, what fills its fields, and its sentence.

A type that is not named here (a model's own) is read too: its fields say by their types what they hold, and records are one
where all words that a frame's slots took are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import dataclass, field, fields
from functools import cache

from uac_nb.domainfile.annotations import MISSING, Maybe, Scalar, parse_type
from uac_nb.domainfile.records import Field, RecordType
from uac_nb.starter import TYPES


@dataclass(frozen=True, slots=True)
class Kind:
    """How records of one type are told apart, filled and told.

    `same` are the fields that say which one it is, beside `day`, the days of which have to meet. `one` are those of which
    there is one at a time. `spans` and `tails` give the fields of typed spans and of prepositions that may follow. `status` has
    the value for what lies behind and for what lies ahead, `ended` that of what is over. In a template [brackets] stand only
    where all their fields are known, and `{on}` of a day brings its preposition.
    """

    collection: str
    same: tuple[str, ...]
    fact: str
    day: str = ""
    last: str = ""
    one: tuple[str, ...] = ()
    spans: Mapping[str, str] = field(default_factory=dict)
    tails: Mapping[str, str] = field(default_factory=dict)
    status: tuple[str, str] | None = None
    ended: str = ""
    until: bool = False  # it ends on a day
    title: str = ""
    id: str = ""
    done: str = ""  # the sentence of what lies behind
    denial: str = ""  # the sentence of what is not so; none where that is worth no note


KINDS: Mapping[str, Kind] = {
    "Allergy": Kind(
        "allergies", ("who", "avoids"), "{who} is [{severity}ly ]allergic to {avoids}[ ({reaction})].",
        spans={"degree": "severity"}, ended="ended", title="{avoids} allergy", id="{avoids}",
        denial="{who} is not allergic to {avoids}.",
    ),
    "Medicine": Kind(
        "medicines", ("who", "substance"), "{who} takes {substance}[, {dose}][ since {since:bare}].",
        one=("who", "substance"),
        spans={"dose": "dose", "often": "dose", "day": "since", "since": "since", "until": "until"}, ended="stopped",
        until=True, title="{substance}[ {dose:amount}]", id="{substance}", denial="{who} does not take {substance}.",
    ),
    "Trip": Kind(
        "trips", ("who", "to"),
        "{who} is travelling to {to}[ {departs}][, back {returns}][ with {others}][ (for {purpose})].", day="departs",
        last="returns", spans={"day": "departs", "since": "departs", "until": "returns"},
        tails={"with": "others", "for": "purpose"}, status=("done", "booked"), ended="cancelled", title="trip to {to}",
        id="{to} {departs:month}",
        done="{who} travelled to {to}[ {departs}][, back {returns}][ with {others}][ (for {purpose})].",
        denial="{who} does not travel to {to}[ {departs}].",
    ),
    "Passport": Kind(
        "passports", ("who", "title"), "{whose} {title} expires {expires}.", spans={"day": "expires", "until": "expires"},
        ended="ended", title="[{nation} ]passport", id="{title}",
    ),
    "Visa": Kind(
        "visas", ("who", "title"), "{whose} {title}: {status}[, valid until {valid_until:bare}].",
        spans={"day": "valid_until", "until": "valid_until"}, ended="cancelled", title="[{nation} ]visa", id="{title}",
    ),
    "Commitment": Kind(
        "commitments", ("who", "title"), "{who} has {title:a}[ at {place}] {on}[ at {starts}].", day="on", last="until",
        spans={"day": "on", "until": "until", "hour": "starts"}, tails={"with": "others", "at": "place", "in": "place"},
        status=("done", "agreed"), ended="cancelled", title="{title}[ with {others}]", id="{title} {on:exact}",
        done="{who} had {title:a}[ at {place}] {on}[ at {starts}].",
    ),
    "Practice": Kind(
        "practices", ("who", "title"), "{who}: {title}[, {how_often}][ since {since:bare}].",
        spans={"often": "how_often", "since": "since", "until": "until"}, tails={"with": "others"}, ended="ended",
        until=True, id="{title}",
    ),
    "Deadline": Kind(
        "deadlines", ("who", "title"), "{whose} deadline: {title}, due {due}.",
        spans={"by": "due", "day": "due", "until": "due"}, ended="dropped", id="{title} deadline",
    ),
    "Purchase": Kind(
        "purchases", ("who", "title"), "{who} bought: {title}[ from {shop}][ for {price}][ {bought}].", day="bought",
        spans={"day": "bought", "money": "price", "window": "return_days"},
        tails={"from": "shop", "at": "shop", "in": "shop"}, id="{title} {bought:month}",
    ),
    "Subscription": Kind(
        "subscriptions", ("who", "title"), "{who} has a {title}[ for {price}][, renews {renews}].",
        spans={"money": "price", "often": "every", "day": "renews"}, ended="cancelled", id="{title}",
    ),
    "Payment": Kind(
        "payments", ("who", "title"), "{who} pays {amount} every {every} for {title}.",
        spans={"money": "amount", "often": "every"}, ended="stopped", id="{title}",
    ),
    "Residence": Kind(
        "residences", ("who", "place"), "{who} lives in {place}[ since {since:bare}].", one=("who",),
        spans={"day": "since", "since": "since", "until": "until"}, until=True, id="{place} home",
        denial="{who} does not live in {place}.",
    ),
    "Job": Kind(
        "jobs", ("who", "employer", "role"), "{who} works[ as {role:a}][ at {employer}][ since {since:bare}].",
        spans={"day": "since", "since": "since", "until": "until"}, ended="ended", until=True,
        title="job[ as {role:a}][ at {employer}]", id="{employer} {role} job",
    ),
    "Birthday": Kind(
        "birthdays", ("name",), "{whose} birthday is {on}.", spans={"day": "on"}, id="{name} birthday",
    ),
    "Contact": Kind(
        "contacts", ("name", "kind", "value"), "{whose} {kind} is {value}.", one=("name", "kind"), ended="ended",
        id="{name} {kind}",
    ),
    "Favourite": Kind(
        "favourites", ("who", "what", "stance"), "{who} {stance}s {what}.", one=("who", "what"), spans={"since": "since"},
        until=True, id="{what}",
    ),
    "Meal": Kind(
        "meals", ("who", "kind", "place"), "{who} had {title}[ with {others}] {on}.", day="on",
        spans={"day": "on", "money": "cost"}, tails={"with": "others", "at": "place"}, title="{kind}[ at {place}]",
        id="{kind} {on:exact}",
    ),
    "Reading": Kind(
        "readings", ("who", "title"), "{who} read {title}[ by {author}][, finished {until}].", spans={"day": "until"},
        id="{title}",
    ),
    "Workout": Kind(
        "workouts", ("who", "kind"), "{who} trained: {title} {on}.", day="on",
        spans={"day": "on", "distance": "metres", "length": "minutes"}, tails={"at": "place", "in": "place"}, title="{kind}",
        id="{kind} {on:exact}",
    ),
    "Person": Kind(
        "people", ("name",), "{name} is {whose} {relation}.", id="{name}",
    ),
}  # fmt: skip


_SPANS_OF = {"When": ("day", "since"), "Money": ("money",), "time": ("hour",)}
_DAYS = {"until": ("until",), "expires": ("day", "until"), "due": ("day", "by", "until")}


def kind_of(type_: RecordType, collection: str) -> Kind:
    """Return what is known of a type; of one that is not ours, what its fields say."""
    if type_.name in KINDS and KINDS[type_.name].collection == collection:
        return KINDS[type_.name]
    spans: dict[str, str] = {}
    texts: list[str] = []
    for f in type_.fields:
        scalar = f.type.of if isinstance(f.type, Maybe) else f.type
        if isinstance(scalar, Scalar) and scalar.name in _SPANS_OF:
            for span in _DAYS.get(f.name, _SPANS_OF[scalar.name]):
                spans.setdefault(span, f.name)
        elif scalar == Scalar("str") and f.name not in ("id", "quote", "doubt"):
            texts.append(f.name)
    title = next((name for name in ("title", "name", *texts) if name in type_.by_name and name != "who"), "id")
    told = "".join(f"[, {name.replace('_', ' ')} {{{name}}}]" for name in texts if name not in ("who", title))
    who = "{who}: " if "who" in type_.by_name else ""
    fact = f"{who}{type_.name} {{{title}}}{told}."
    return Kind(collection, tuple(texts), fact, spans.get("day", ""), spans=spans, id=f"{{{title}}}")


@cache
def starter_type(name: str) -> tuple[str, RecordType] | None:
    """Return the collection of a starter type and its fields; None where we ship no such type."""
    ready = next((t for t in TYPES.values() if t.name == name), None)
    if ready is None:
        return None
    own = tuple(
        Field(f.name, parse_type(str(f.type)), MISSING if f.default is NO_DEFAULT else f.default) for f in fields(ready.cls)
    )
    return ready.collection, RecordType(name, own)
