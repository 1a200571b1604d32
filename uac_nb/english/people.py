"""Words for what somebody is to another: "mother", also as "mum"; "co-worker", which is "colleague"."""

from __future__ import annotations

from uac_nb.english.text import lexicon

_SHORT = {
    "mother": "mom mum mummy mommy mama", "father": "dad daddy papa", "grandmother": "grandma granny nan nana",
    "grandfather": "grandpa grandad granddad", "husband": "hubby", "colleague": "coworker co-worker", "roommate": "flatmate",
    "neighbour": "neighbor", "fiancé": "fiance fiancé fiancée fiancee", "child": "kid", "children": "kids",
    "friend": "bestie buddy mate",
}  # fmt: skip
_PLAIN = (
    "parents sister brother wife husband partner son daughter baby toddler boss manager uncle aunt cousin girlfriend boyfriend "
    "niece nephew stepmother stepfather stepmom stepdad stepson stepdaughter stepsister stepbrother godmother godfather "
    "godson goddaughter grandson granddaughter grandparents twin landlord landlady teacher dog cat assistant nanny"
)
_LONG = {short: long for long, shorts in _SHORT.items() for short in shorts.split()}
RELATIONS = frozenset((*_SHORT, *_LONG, *_PLAIN.split()))
CLOSER = lexicon("best old older younger little big elder twin step late ex eldest oldest youngest only")  # "older sister"
PETS = lexicon("dog cat")


def relation(words: str) -> str | None:
    """Return what somebody is, in the one word that is used of it; None for other words.

    >>> relation("mum"), relation("Big sister"), relation("mother-in-law"), relation("co-worker"), relation("Lisbon")
    ('mother', 'sister', 'mother-in-law', 'colleague', None)
    """
    *before, last = words.casefold().split() or [""]
    kin, law = (last.removesuffix("-in-law"), "-in-law") if last.endswith("-in-law") else (last, "")
    base = kin.removeprefix("ex-").removeprefix("great-")
    known = base in RELATIONS and all(word in CLOSER for word in before)
    return f"{kin[: len(kin) - len(base)]}{_LONG.get(base, base)}{law}" if known else None


def spellings(word: str) -> tuple[str, ...]:
    """Return how a text may write a relation: "mother", also as "mum"."""
    return (word, *_SHORT.get(word, "").split())
