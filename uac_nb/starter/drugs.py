"""What a medicine contains and which class it belongs to, so that a rule can see that Augmentin is a penicillin.

**No medical advice**: a small table for reminders, without doses or interactions, incomplete, and brands differ between
countries. That it says nothing about a medicine does not mean that the medicine is safe. `drug_table` names its sources.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from uac_nb.starter import drug_table

ADVICE = "This is no medical advice."


def _entries(table: str) -> Iterator[tuple[str, list[str]]]:
    """The entries ``name: a, b; name: c`` of a table; an indented line continues the one before."""
    for entry in re.split(r";\s|\n(?! )", table.strip()):
        name, _, members = entry.partition(": ")
        yield name, re.sub(r"\s+", " ", members).split(", ")


def _inverse(table: str) -> dict[str, str]:
    return {member: name for name, members in _entries(table) for member in members}


def _substances() -> Iterator[tuple[str, str | None, bool]]:
    """Each substance, its class, and whether that is one within which a reaction to one concerns the others."""
    for head, members in _entries(drug_table.CLASSES):
        name = re.sub(r"\*? \[.*", "", head)
        for member in members:
            yield member, None if name == "-" else name, "*" in head


WIDER: Mapping[str, str] = _inverse(drug_table.WIDER)  # class -> the wider class that holds it
BRANDS: Mapping[str, str] = _inverse(drug_table.BRANDS)
OTHER_NAMES: Mapping[str, str] = _inverse(drug_table.OTHER_NAMES)
CLASS: Mapping[str, str | None] = {member: name for member, name, _ in _substances()}
CLOSE: frozenset[str] = frozenset(name for _, name, close in _substances() if name and close)
CROSS: Mapping[frozenset[str], str] = {
    frozenset(pair.split(" / ")): why
    for pair, _, why in (line.partition(": ") for line in drug_table.CROSS.strip().splitlines())
}
GROUPS: Mapping[str, str] = {  # what people call a class, in lower case -> the class
    **{name.lower(): name for name in (*filter(None, CLASS.values()), *WIDER.values())},
    **_inverse(drug_table.SPOKEN),
}
KNOWN: frozenset[str] = frozenset({*CLASS, *BRANDS, *OTHER_NAMES})
_LONGEST = max(len(name.split()) for name in (*KNOWN, *GROUPS))  # in words


def group(name: str) -> str | None:
    """The class that a name stands for; None where it is no class.

    >>> group("sulfa"), group("Penicillin"), group("amoxicillin")
    ('sulfonamide antibiotics', 'penicillins', None)
    """
    return GROUPS.get(" ".join(name.lower().split()))


def substances(text: str) -> tuple[str, ...]:
    """The known substances of the medicines that a text names, brand names resolved, in order.

    >>> substances("Augmentin 875 mg, twice a day"), substances("Tylenol"), substances("camomile tea")
    (('amoxicillin', 'clavulanic acid'), ('paracetamol',), ())
    """
    return tuple(dict.fromkeys(part for name in _names(text, KNOWN) for part in substance(name).split(" + ")))


def substance(name: str) -> str:
    """What a known name contains, under its international name; several joined by " + ". Any other name as it is.

    >>> substance("Bactrim"), substance("acetaminophen")
    ('sulfamethoxazole + trimethoprim', 'paracetamol')
    """
    key = name.lower()
    return BRANDS.get(key) or OTHER_NAMES.get(key) or key


def classes(name: str) -> frozenset[str]:
    """The classes, narrow and wide, of a medicine, or the class that it names itself. Empty where none is known.

    >>> sorted(classes("Augmentin")), sorted(classes("NSAID"))
    (['beta-lactams', 'penicillins'], ['NSAIDs'])
    """
    narrow = {g} if (g := group(name)) else {c for s in substances(name) if (c := CLASS.get(s))}
    return frozenset(narrow | {WIDER[c] for c in narrow if c in WIDER})


@dataclass(frozen=True, slots=True)
class Relation:
    """How a medicine stands to something that its taker must avoid.

    "same": it contains it; "class": it belongs to the class that was named, or to that of the substance that was named;
    "may": a reaction is possible, not likely. `says` continues the sentence "Augmentin …".
    """

    kind: Literal["same", "class", "may"]
    says: str


def relation(medicine: str, avoid: str) -> Relation | None:
    """The closest relation between a medicine as it is written and one thing to avoid; None where none is known.

    >>> relation("Augmentin 875 mg", "penicillin").says
    'contains amoxicillin, one of the penicillins'
    """
    found = [r for part in substances(medicine) for r in _relations(part, avoid)]
    found += [] if found or not _mentions(medicine, avoid) else [Relation("same", f"names {avoid.lower()}")]
    return closest(found)


def closest(found: Iterable[Relation]) -> Relation | None:
    return min(found, key=lambda r: ("same", "class", "may").index(r.kind), default=None)


def _relations(part: str, avoid: str) -> Iterator[Relation]:
    """How one substance stands to what is to be avoided: classes, substances, or both."""
    own, named = CLASS.get(part), [GROUPS[name] for name in _names(avoid, GROUPS)]
    for known in named:
        if known in classes(part):
            yield Relation("class", f"contains {part}, one of the {known}")
    others = [other for other in substances(avoid) if other not in GROUPS]  # "penicillin" is a class here
    for other in others:
        if other == part:
            yield Relation("same", f"contains {part}")
        elif own and CLASS.get(other) == own:
            yield Relation("class" if own in CLOSE else "may", f"contains {part}, like {other} one of the {own}")
    avoided = {*named, *others, *(CLASS.get(other) for other in others)}
    for pair, why in CROSS.items():
        if pair & avoided and (pair - avoided) & {part, own}:
            yield Relation("may", f"contains {part}{f', one of the {own}' if own else ''} ({why})")


def _mentions(text: str, word: str) -> bool:
    return bool(word) and re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", text.lower()) is not None


def _names(text: str, known: Collection[str]) -> Iterator[str]:
    """The known names in a text, the longest first where they overlap."""
    words = re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", text.lower())
    start = 0
    while start < len(words):
        lengths = range(min(_LONGEST, len(words) - start), 0, -1)
        found = next((n for n in lengths if " ".join(words[start : start + n]) in known), 0)
        if found:
            yield " ".join(words[start : start + found])
        start += found or 1
