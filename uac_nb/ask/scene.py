"""What is known while a question is read as one about a collection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from uac_nb.ask.lexicon import DATE_VERBS, UNITS
from uac_nb.ask.plan import Condition, Measure
from uac_nb.ask.question import Question
from uac_nb.ask.view import Slot, View, own_words
from uac_nb.ask.words import name_words, root
from uac_nb.ask.world import World

LONG = frozenset({"duration", "long", "length", "last", "day", "night"})  # what the days between two dates are called
UNTOLD = frozenset({"date", "on", "day", "there"})  # words of a date's name that a question has for other reasons


class Lost(Exception):
    """The question was not understood as one about a collection; says why, where that tells a person something.

    `reasons` are those of single collections, by their names.
    """

    def __init__(self, reason: str = "", reasons: Mapping[str, str] | None = None) -> None:
        super().__init__(reason)
        self.reasons = reasons or {}


def lost(reason: str = "") -> NoReturn:
    raise Lost(reason)


@dataclass
class Scene:
    """The question (which is eaten), the collection, and what was understood so far."""

    q: Question
    view: View
    world: World
    roots: set[str] = field(default_factory=set)  # of all words, but those that say what kind of answer is wanted
    where: list[Condition] = field(default_factory=list)
    equal: dict[Slot, list[Any]] = field(default_factory=dict)  # fields, and the values that they are to have
    used: set[Slot] = field(default_factory=set)
    eaten: set[str] = field(default_factory=set)  # roots that name what was used, wherever they stand
    later: list[Condition] = field(default_factory=list)  # of a question about the past: what the planned ones meet
    denied: list[Condition] = field(default_factory=list)  # what those meet that say "no"
    valid: list[Condition] = field(default_factory=list)  # what is asked by "yes or no"
    no: list[Condition] = field(default_factory=list)  # each of these alone says "no"
    ended: Slot | None = None  # the field that says "no" where it has another value than the question: stopped, not taking
    by_title: bool = False  # whether what records are called tells which count
    rather: list[Condition] = field(default_factory=list)  # what those meet that are meant first
    periods: list[tuple[str, str]] = field(default_factory=list)
    score: int = 0  # how plainly the collection is named: 3 by a noun, 2 by a verb, 1 by what it holds
    someone: bool = False  # whether it says whose record
    other: bool = False  # another person's
    whose: tuple[str, ...] = ()  # the people of one name whom it may mean

    @property
    def nouns(self) -> set[str]:
        return {word for noun in self.view.nouns for word in noun.split()}

    @property
    def left(self) -> set[str]:
        """The roots of what was not understood yet."""
        return {root(w) for w in self.q.words()}

    def use(self, *slots: Slot) -> None:
        self.used.update(slots)
        self.eaten |= LONG - {"day", "night"} if len(slots) == 2 else set()
        self.score = max(self.score, 1)

    def numbers(self) -> list[Slot]:
        return [s for s in self.view.slots if s.kind in ("number", "money")]

    def only(self, slots: list[Slot]) -> Measure:
        """The one of some fields that is meant: the only one, or the only one that the question names. Raise Lost."""
        named = [s for s in slots if s.labels & self.roots] if len(slots) > 1 else slots
        return Measure((named[0],), named[0].unit) if len(named) == 1 else lost()

    def measure(self, spoken: Iterable[str]) -> Measure | None:
        """The number, sum of money or length of time that some words speak of; None: none. Raise Lost for several."""
        words = set(spoken)
        own = [s for s in self.numbers() if words.intersection(map(root, own_words(s.name)))]
        found = own or [s for s in self.numbers() if s.strong & words]
        if found:
            named = [s for s in found if s.unit and s.strong & self.roots & UNITS.keys()]
            return self.only(named or found)
        if self.view.span and not self.view.lasting and words & LONG:
            return Measure(self.view.span, "day")
        return None

    def day(self) -> Slot | None:
        """The date that the words speak of ("finish": `finished_date`); None where they name none."""
        found = [(rank, s) for s in self.view.slots if s.kind == "date" and (rank := self._spoken(s))]
        if not found:
            return None
        s = max(found, key=lambda each: each[0])[1]
        self.eaten |= date_verbs(s)
        self.use(s)
        return s

    def _spoken(self, s: Slot) -> int:
        words = [w for w in name_words(s.name) if w not in UNTOLD and root(w) not in self.nouns]
        if {root(w) for w in words if w not in DATE_VERBS} - self.roots:
            return 0  # the insurance, of `insurance_until`, was not named
        return 2 * len({root(w) for w in words} & self.roots) + bool(date_verbs(s) & self.roots)

    def any_day(self) -> Slot:
        """The date that the words speak of, else the one that a record has first of all. Raise Lost without dates."""
        return self.day() or self.view.day or lost("no day of them is recorded" if self.score > 2 else "")


def date_verbs(s: Slot) -> set[str]:
    """The verbs that a date goes with: "expire", of `valid_until`."""
    return {verb for word in name_words(s.name) for verb in DATE_VERBS.get(word, "").split()}
