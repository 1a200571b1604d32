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
        "allergies",
        ("who", "avoid"),
        "{who} is [{severity}ly ]allergic to {avoid}[ ({reaction})].",
        spans={"degree": "severity"},
        title="{avoid} allergy",
        id="{avoid}",
        ended="ended",
        denial="{who} is not allergic to {avoid}.",
    ),
    "Medicine": Kind(
        "medicines",
        ("who", "substance"),
        "{who} takes {substance}[, {dose}][ since {since:bare}].",
        one=("who", "substance"),
        spans={"dose": "dose", "often": "dose", "day": "since", "since": "since", "until": "until"},
        title="{substance}[ {dose:amount}]",
        id="{substance}",
        ended="stopped",
        until=True,
        denial="{who} does not take {substance}.",
    ),
    "Trip": Kind(
        "trips",
        ("who", "to"),
        "{who} is travelling to {to}[ {departs}][, back {returns}][ with {others}][ (for {purpose})].",
        "departs",
        "returns",
        spans={"day": "departs", "since": "departs", "until": "returns"},
        tails={"with": "others", "for": "purpose"},
        status=("done", "booked"),
        title="trip to {to}",
        id="{to} {departs:month}",
        ended="cancelled",
        done="{who} travelled to {to}[ {departs}][, back {returns}][ with {others}][ (for {purpose})].",
        denial="{who} does not travel to {to}[ {departs}].",
    ),
    "Passport": Kind(
        "passports",
        ("who", "title"),
        "{whose} {title} expires {expires}.",
        id="{title}",
        ended="ended",
        title="[{nation} ]passport",
        spans={"day": "expires", "until": "expires"},
    ),
    "Visa": Kind(
        "visas",
        ("who", "title"),
        "{whose} {title}: {status}[, valid until {valid_until:bare}].",
        id="{title}",
        title="[{nation} ]visa",
        spans={"day": "valid_until", "until": "valid_until"},
        ended="cancelled",
    ),
    "Commitment": Kind(
        "commitments",
        ("who", "title"),
        "{who} has {title:a}[ at {place}] {on}[ at {starts}].",
        "on",
        "until",
        spans={"day": "on", "until": "until", "hour": "starts"},
        tails={"with": "others", "at": "place", "in": "place"},
        status=("done", "agreed"),
        title="{title}[ with {others}]",
        id="{title} {on:exact}",
        ended="cancelled",
        done="{who} had {title:a}[ at {place}] {on}[ at {starts}].",
    ),
    "Practice": Kind(
        "practices",
        ("who", "title"),
        "{who}: {title}[, {how_often}][ since {since:bare}].",
        id="{title}",
        until=True,
        spans={"often": "how_often", "since": "since", "until": "until"},
        tails={"with": "others"},
        ended="ended",
    ),
    "Deadline": Kind(
        "deadlines",
        ("who", "title"),
        "{whose} deadline: {title}, due {due}.",
        id="{title} deadline",
        ended="dropped",
        spans={"by": "due", "day": "due", "until": "due"},
    ),
    "Purchase": Kind(
        "purchases",
        ("who", "title"),
        "{who} bought: {title}[ from {shop}][ for {price}][ {bought}].",
        "bought",
        spans={"day": "bought", "money": "price", "window": "return_days"},
        tails={"from": "shop", "at": "shop", "in": "shop"},
        id="{title} {bought:month}",
    ),
    "Subscription": Kind(
        "subscriptions",
        ("who", "title"),
        "{who} has a {title}[ for {price}][, renews {renews}].",
        id="{title}",
        spans={"money": "price", "often": "every", "day": "renews"},
        ended="cancelled",
    ),
    "Payment": Kind(
        "payments",
        ("who", "title"),
        "{who} pays {amount} every {every} for {title}.",
        id="{title}",
        ended="stopped",
        spans={"money": "amount", "often": "every"},
    ),
    "Residence": Kind(
        "residences",
        ("who", "place"),
        "{who} lives in {place}[ since {since:bare}].",
        one=("who",),
        id="{place} home",
        spans={"day": "since", "since": "since", "until": "until"},
        until=True,
        denial="{who} does not live in {place}.",
    ),
    "Job": Kind(
        "jobs",
        ("who", "employer", "role"),
        "{who} works[ as {role:a}][ at {employer}][ since {since:bare}].",
        until=True,
        spans={"day": "since", "since": "since", "until": "until"},
        title="job[ as {role:a}][ at {employer}]",
        id="{employer} {role} job",
        ended="ended",
    ),
    "Birthday": Kind("birthdays", ("name",), "{whose} birthday is {on}.", spans={"day": "on"}, id="{name} birthday"),
    "Contact": Kind(
        "contacts",
        ("name", "kind", "value"),
        "{whose} {kind} is {value}.",
        one=("name", "kind"),
        id="{name} {kind}",
        ended="ended",
    ),
    "Favourite": Kind(
        "favourites",
        ("who", "what", "stance"),
        "{who} {stance}s {what}.",
        id="{what}",
        spans={"since": "since"},
        until=True,
        one=("who", "what"),
    ),
    "Meal": Kind(
        "meals",
        ("who", "kind", "place"),
        "{who} had {title}[ with {others}] {on}.",
        "on",
        id="{kind} {on:exact}",
        spans={"day": "on", "money": "cost"},
        tails={"with": "others", "at": "place"},
        title="{kind}[ at {place}]",
    ),
    "Reading": Kind(
        "readings",
        ("who", "title"),
        "{who} read {title}[ by {author}][, finished {until}].",
        id="{title}",
        spans={"day": "until"},
    ),
    "Workout": Kind(
        "workouts",
        ("who", "kind"),
        "{who} trained: {title} {on}.",
        "on",
        id="{kind} {on:exact}",
        title="{kind}",
        spans={"day": "on", "distance": "metres", "length": "minutes"},
        tails={"at": "place", "in": "place"},
    ),
    "Person": Kind("people", ("name",), "{name} is {whose} {relation}.", id="{name}"),
}


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
