"""The starter types, by the name of their collection. Their source is what a user's project gets, and then owns.

On every type: `who` says whose life it describes, `quote` holds words that stand in one of its entries, `doubt` is an
open question that each alert about the record repeats, and `source` numbers the entries behind it.

Only texts are read here; a module is imported when its classes are needed, since making dataclasses takes time.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

# domain -> type -> collection, in the order of the files
NAMES: Mapping[str, Mapping[str, str]] = {
    "travel": {"Trip": "trips", "Visa": "visas", "Passport": "passports"},
    "schedule": {
        "Commitment": "commitments", "Deadline": "deadlines", "Plan": "plans", "Meeting": "meetings", "Outing": "outings",
        "Errand": "errands", "Slot": "slots",
    },
    "money": {
        "Account": "accounts", "Card": "cards", "Payment": "payments", "Subscription": "subscriptions", "Purchase": "purchases",
        "Expense": "expenses", "Budget": "budgets", "Investment": "investments", "RiskLimit": "risk_limits",
        "Contract": "contracts",
    },
    "health": {
        "Allergy": "allergies", "Medicine": "medicines", "Workout": "workouts", "Meal": "meals",
        "Condition": "conditions",
    },
    "vehicles": {"Vehicle": "vehicles"},
    "people": {
        "Person": "people", "Birthday": "birthdays", "Contact": "contacts", "Milestone": "milestones",
        "Authorisation": "authorisations", "Relation": "relations",
    },
    "terms": {
        "Permission": "permissions", "Limit": "limits", "SpendingLimit": "spending_limits", "Ban": "bans",
        "Requirement": "requirements",
    },
    "work": {"Job": "jobs", "Project": "projects", "Step": "steps"},
    "life": {
        "Residence": "residences", "Event": "events", "Practice": "practices", "Thing": "things", "Place": "places",
        "Favourite": "favourites", "View": "views", "Report": "reports", "Advice": "advice", "Promise": "promises",
        "Goal": "goals", "Resolution": "resolutions", "Reading": "readings",
        "Verbatim": "verbatims",
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Protection:
    """What a type whose records protect is to a person.

    `called` are the words for such a thing, `holds` those that say of one that it is so (that they are denied ends it), and
    `taken` is whether it is something that a person takes, and can leave, not something that they have.
    """

    called: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    taken: bool = False


# The types whose records protect a person. A model ends or changes one only on the person's own words about it.
PROTECTED: Mapping[str, Protection] = {
    "Allergy": Protection(
        called=("allergy", "allergic", "intolerance", "intolerant"),
        holds=("react", "reacts", "reacted", "bother", "bothers", "avoid", "avoiding", "problem", "problems",
            "trouble", "issue"),
    ),
    "Medicine": Protection(
        called=(
            "medicine", "medication", "meds", "drug", "pill", "tablet", "capsule", "prescription", "inhaler", "drops",
            "injection", "antibiotic", "course", "spray", "syrup", "cream", "ointment", "jab", "shot",
        ),
        holds=(
            "take", "takes", "taking", "taken", "took", "use", "uses", "using", "used", "need", "needs", "needed", "on",
            "continue", "carry_on", "carrying_on", "go_on", "necessary", "required", "require", "swallow", "inject",
        ),
        taken=True,
    ),
    "Condition": Protection(
        called=(
            "condition", "injury", "injured", "diagnosis", "diagnosed", "illness", "disease", "syndrome", "disorder",
            "fracture", "sprain",
        ),
        holds=("suffer", "suffers", "suffering", "bother", "bothers", "hurts", "trouble", "problem", "problems"),
    ),
}  # fmt: skip


# type -> field -> what it was called in copies of an earlier version, which work on until they are upgraded; None: they had no
# such field, and a rule that reads it takes it as not said
FORMER: Mapping[str, Mapping[str, str | None]] = {
    "Allergy": {"avoids": "avoid"},
    "Resolution": {"avoids": "avoid"},
    "Commitment": {"presence": "needs", "zone": None},
    "Deadline": {"presence": "needs"},
    "Subscription": {"cancelled": None, "until": None},
}


@dataclass(frozen=True)
class StarterType:
    """A type that a project can adopt: `text` is the source of class `name`, `doc` its one sentence."""

    collection: str
    domain: str
    name: str
    text: str
    doc: str
    domain_doc: str

    @cached_property
    def one_at_a_time(self) -> tuple[str, ...]:
        """The fields that say of what only one record can hold at a time."""
        said = re.search(r"^    one_at_a_time = \((.*)\)$", self.text, re.MULTILINE)
        return tuple(re.findall(r'"(\w+)"', said[1])) if said else ()

    @property
    def cls(self) -> type:
        """The class itself, whose records the starter rules read."""
        found: type = getattr(import_module(f"{__name__}.{self.domain}"), self.name)
        return found


def _types(domain: str, names: Mapping[str, str]) -> Iterator[StarterType]:
    source = (pkgutil.get_data(__name__, f"{domain}.py") or b"").decode()
    head, *classes = re.split(r"\n\n\n(?=@dataclass)", source)
    for text in classes:
        name, doc = re.findall(r'^class (\w+):\n    """(.*)"""', text, re.MULTILINE)[0]
        yield StarterType(names[name], domain, name, text.rstrip() + "\n", doc, head.split('"""')[1])


TYPES: Mapping[str, StarterType] = {t.collection: t for domain, names in NAMES.items() for t in _types(domain, names)}
(CONCERN,) = _types("concerns", {"Concern": "concerns"})  # which has a change of its own, and nobody adds to
DOMAINS: Mapping[str, str] = {t.domain: t.domain_doc for t in TYPES.values()}


def one_at_a_time(name: str | None) -> tuple[str, ...]:
    """What the starter type of that name says there is one of at a time; () for a name of none."""
    return next((kind.one_at_a_time for kind in TYPES.values() if kind.name == name), ())


__all__ = ["CONCERN", "DOMAINS", "FORMER", "NAMES", "PROTECTED", "Protection", "StarterType", "TYPES", "one_at_a_time"]
