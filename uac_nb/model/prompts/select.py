"""Which records a prompt shows: what can still change, and what the new entries may touch.

Records that are as they were in the batch before are not read again, so that ten thousand cost a few milliseconds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from heapq import nlargest
from typing import Any, NamedTuple

from uac_nb.changes import Found, Workspace
from uac_nb.domainfile.records import type_of
from uac_nb.rules import Said, live, starts_on

MOST_OPEN = 40  # records in full
MOST_OTHERS = 30  # records as one line
MOST_PEOPLE = 10  # people who are told without being named, since their ids are needed in `who` and `others`
MOST_KEPT = 200_000
NEAR = 10  # days between what is told and what a record is about, within which that tells as much as a rare word
OVER = frozenset({"happened", "paid", "closed", "lost", "granted"})  # beside those that no longer count for a rule
WORD = re.compile(r"\w{3,}")
ENDINGS = re.compile(r"(?<=\w{3})(?:ings?|ed|es|s|e|y|ies)\Z")


class Selection(NamedTuple):
    """Open records in full, others as a line, both in the order of the project, and how many more there are."""

    opened: list[Found]
    others: list[Found]
    left: int


class _Seen(NamedTuple):
    record: Any
    words: frozenset[str]
    is_open: bool
    is_person: bool
    day: int | None  # on which it begins, as an ordinal


def selected(text: str, workspace: Workspace, days: Iterable[date] = ()) -> Selection:
    """Open records, and others that share words with a text; the most telling of each. `days` are those of the entries."""
    said = words(text)
    near = {day.toordinal() + more for day in set(days) for more in range(-NEAR, NEAR + 1)}
    every = [
        _seen(record)
        for domain in workspace.domains.values()
        for collection in domain.collections
        for record in domain.records(collection)
    ]
    hits = {n: hit for n, seen in enumerate(every) if (hit := said & seen.words)}
    common = Counter(word for hit in hits.values() for word in hit)  # a word of few records tells more than one of many
    scores = {n: sum(1 / common[word] for word in hit) for n, hit in hits.items()}

    def telling(n: int) -> tuple[float, int, int]:
        return scores.get(n, 0.0) + (every[n].day in near), max(every[n].record.source, default=0), n

    opened = nlargest(MOST_OPEN, (n for n, seen in enumerate(every) if seen.is_open), key=telling)
    others = nlargest(MOST_OTHERS, hits.keys() - set(opened), key=telling)
    people = {n for n, seen in enumerate(every) if seen.is_person}.difference(opened, others)
    others += nlargest(MOST_PEOPLE, people, key=lambda n: len(every[n].record.source))
    full, lines = ([_found(every[n].record, workspace) for n in sorted(chosen)] for chosen in (opened, others))
    return Selection(full, lines, len(every) - len(full) - len(lines))


def is_open(record: Any) -> bool:
    """Whether it is planned, running or holds, so that a later entry may change it."""
    status = getattr(record, "status", None)
    if status is not None:
        return live(record) and status not in OVER
    return getattr(record, "until", "") is None


def words(text: str) -> frozenset[str]:
    """The telling words of a text, without their endings."""
    return frozenset(_stem(word) for word in WORD.findall(text.casefold()))


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    return ENDINGS.sub("", word)


def _found(record: Any, workspace: Workspace) -> Found:
    found = workspace.find(record.id)
    assert found is not None
    return found


_KEPT: dict[int, _Seen] = {}  # by identity: records cannot be hashed where they hold a dict


def _seen(record: Any) -> _Seen:
    """What is to be known of a record, its id among the words."""
    known = _KEPT.get(id(record))
    if known is None or known.record is not record:
        if len(_KEPT) > MOST_KEPT:
            _KEPT.clear()
        texts = " ".join(_texts(getattr(record, f.name) for f in type_of(record).fields))
        start, is_person = starts_on(record), type_of(record).name == "Person"
        day = start.first.toordinal() if start else None
        known = _KEPT[id(record)] = _Seen(record, words(texts), is_open(record), is_person, day)
    return known


def _texts(values: Iterable[Any]) -> Iterable[str]:
    for value in values:
        if isinstance(value, str):
            yield value.replace("-", " ")
        elif isinstance(value, tuple | list):
            yield from _texts(value)
        elif isinstance(value, Said):
            yield value.text
