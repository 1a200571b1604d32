"""Names, numbers and dates in a record have to stand in the entries that it cites, or follow from them.

What does not goes back once. Where the model then says why, the record is taken, and its `doubt` says what was inferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Any

from uac_nb.domainfile.annotations import Choice, Maybe, Type
from uac_nb.domainfile.records import type_of
from uac_nb.errors import Diagnostic
from uac_nb.reading.evidence import DIGITS, WORD, Evidence
from uac_nb.rules import Money, Said, When

# Not from the entries: our own ids, what is checked word for word, what is a doubt anyway, and what is a code.
FREE = (
    "id", "source", "quote", "doubt", "country", "who", "about", "part_of", "rests_on", "if_gone", "project", "account", "card",
    "replaced_by",
)  # fmt: skip
FIRST = re.compile(r"(?:^|[.!?:;]\s+|[\"“'(])\s*$")
PLAIN = frozenset(("i", "i'm", "i'd", "i've", "i'll", "ok", "tv"))
POINTER = re.compile(r"\b(?:i|we|my|our|it|this|that|these|those|they|them|he|she|him|her|there|one)\b", re.IGNORECASE)
QUOTED = re.compile(r"['‘\"“]([^'’\"”]{3,80})['’\"”]")


@dataclass(frozen=True)
class Missing:
    """A name, number or date of a field that the cited entries do not hold."""

    field: str
    what: str
    kind: str

    def told(self, cited: Iterable[int]) -> Diagnostic:
        entries = ", ".join(map(str, cited))
        return Diagnostic(
            "grounding",
            f"$.values.{self.field}",
            f"the {self.kind} {self.what!r} neither stands in entries {entries} nor follows from them",
            HINTS[self.kind],
        )


HINTS = {
    "name": "cite the entry that names it, or leave it out; if it follows from the words, say in `why` how",
    "number": "write what was said, or leave it out; if it follows from the words, say in `why` how",
    "date": "write the form that the words have, reckoned from the day of the entry, or leave it out; "
    "else say in `why` how you read it, with the words in quotes",
}


def missing(before: Any | None, after: Any, evidence: Evidence, why: str = "") -> list[Missing]:
    """What of a record, as it is now, is new and not to be found. `before` is the record as it was, None where it is new.

    A date needs no more than a `why` that quotes words of the entries: there are more ways to tell a day than we can read.
    """
    quoted = quotes(why, evidence)
    found = []
    for f in type_of(after).fields:
        value = getattr(after, f.name)
        if f.name in FREE or _chosen(f.type) or value == (getattr(before, f.name, None) if before else f.default):
            continue
        found += [Missing(f.name, what, kind) for kind, what in ungrounded(value, evidence) if not (kind == "date" and quoted)]
    return list(dict.fromkeys(found))


def quoted(why: str, evidence: Evidence) -> list[str]:
    """The words of the entries that a reason has in quotes."""
    return [words for words in QUOTED.findall(why) if evidence.holds(words)]


def quotes(why: str, evidence: Evidence) -> bool:
    """Whether a reason has words of the entries in quotes."""
    return bool(quoted(why, evidence))


def points(words: str) -> bool:
    """Whether words speak of the person or of something named before: "I move in", "those are done"."""
    return POINTER.search(words) is not None


def unrelated(record: Any, evidence: Evidence) -> bool:
    """Whether a new record says something of which no word stands in its entries."""
    texts = [getattr(record, f.name) for f in type_of(record).fields if f.name not in FREE and not _chosen(f.type)]
    words = " ".join(text for value in texts for text in _texts(value))
    return not evidence.touches(words)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Said():
            yield value.text
        case tuple() | list():
            for item in value:
                yield from _texts(item)


def _chosen(kind: Type) -> bool:
    return isinstance(kind, Choice) or (isinstance(kind, Maybe) and _chosen(kind.of))


def ungrounded(value: Any, evidence: Evidence) -> Iterator[tuple[str, str]]:
    """The names, numbers and dates of a value that the entries do not hold, each with what it is."""
    match value:
        case bool() | None:
            return
        case When() if not evidence.proves(value):
            yield "date", value.text
        case date() if not evidence.proves(When(value)):
            yield "date", value.isoformat()
        case time() if not evidence.clock(value):
            yield "number", f"{value:%H:%M}"
        case Money() if not evidence.counts(float(value.amount)):
            yield "number", str(value.amount)
        case int() | float() | Decimal() if not evidence.counts(float(value)):
            yield "number", str(value)
        case Said():
            yield from ungrounded(value.text, evidence)
        case str():
            yield from (("name", name) for name in names(value) if not evidence.tells(name))
            yield from (("number", digits) for digits in DIGITS.findall(value) if not _counted(digits, evidence))
        case tuple() | list():
            for item in value:
                yield from ungrounded(item, evidence)
        case dict():
            for item in value.values():
                yield from ungrounded(item, evidence)


def _counted(digits: str, evidence: Evidence) -> bool:
    number = float(digits.replace(",", ""))
    return evidence.counts(number)


def names(text: str) -> Iterator[str]:
    """The capitalised words of a text, but for those that only begin a sentence.

    >>> list(names("Lunch with Ana. She paid")), list(names("Chez Laurent"))
    (['Ana'], ['Chez', 'Laurent'])
    """
    words = list(WORD.finditer(text))
    whole = len(words) <= 3 and all(word[0][0].isupper() for word in words)  # a name by itself
    for word in words:
        begins = FIRST.search(text, 0, word.start()) is not None
        if word[0][0].isupper() and word[0].casefold() not in PLAIN and (whole or not begins):
            yield word[0]


def inferred(found: Iterable[Missing], doubt: str | None) -> str:
    """What `doubt` says of a record that holds what the model inferred."""
    told = f"inferred, not said: {', '.join(dict.fromkeys(item.what for item in found))}"
    return f"{doubt}; {told}" if doubt else told
