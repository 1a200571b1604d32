"""A question before it is read as one about a collection: its words, its times, its numbers, and its tense."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from uac_nb.ask import periods
from uac_nb.ask.periods import Period
from uac_nb.ask.words import NUMBERS, bag, number, plain, root

Tense = Literal["past", "present", "ahead"]

# In brackets, words that only say how to write the answer.
_HINTS = bag(
    "a an the one single word words name names category answer only just number or and yes no increase decrease same "
    "country city value in first last full type is as"
)
_PHRASES = (
    (r" work(ed|s|ing)? out ", " exercise "),
    (r" (wake|woke|wakes|waking|get|got) up ", " wake "),
    (r" (go|went|going) to bed ", " bedtime "),
    (r" been (to|in) ", " visited "),
    (r" (first|last|middle|family) names? ", " surname "),
    (r" (the|in|to|from) us ", r" \1 usa "),
    (r" (get|got|come|came|be) back ", " return "),
    (r" since when (do|does|did|have|has) ", r" when \1 start "),
    (r" (first|initially|originally) (meet|met) ", " meet "),
    (r" (a|each|every) single ", " single "),
    (r" so far this ", " this "),
    (r" (1|one) on (1|one) ", " 1on1 "),
)
_ROUND = r" round(?:ed)? (?:it |the answer )?to (\d|one|two|three)(?: (?:decimals?|digits?|decimal places?|places?))? "
_PAST = re.compile(r" (did|was|were|had) | (have|has) (i|we|you|my \w+|\w+) (ever |already )?(?P<verb>\w+) ")


@dataclass
class Question:
    """The words of a question (`left`: those not understood yet) and its times."""

    text: str
    periods: tuple[Period, ...]
    tense: Tense
    digits: int
    left: str

    def eat(self, pattern: str) -> re.Match[str] | None:
        """Take the first match of some words out of what is left."""
        m = re.search(rf"(?<= )(?:{pattern})(?= )", self.left)
        if m:
            self.left = f"{self.left[: m.start()]}·{self.left[m.end() :]}"
        return m

    def eat_roots(self, roots: frozenset[str] | set[str]) -> bool:
        """Take out all words with one of some roots; whether there was any."""
        words = self.left.split()
        kept = ["·" if root(w) in roots else w for w in words]
        self.left = f" {' '.join(kept)} "
        return kept != words

    def has(self, pattern: str) -> bool:
        return re.search(rf"(?<= )(?:{pattern})(?= )", self.left) is not None

    def words(self) -> list[str]:
        return self.left.split()


def read(question: str, today: date) -> Question:
    text = plain(_without_hints(question))
    for pattern, by in _PHRASES:
        text = re.sub(pattern, by, text)
    digits = 2
    if m := re.search(_ROUND, text):
        digits = int(number(m[1]) or 2)
        text = text.replace(m[0], " ")
    tense = _tense(text)
    text, found = periods.find(text, today, ahead=tense != "past")
    return Question(text, found, tense, digits, left=text)


def _without_hints(question: str) -> str:
    def kept(m: re.Match[str]) -> str:
        return " " if set(plain(m[1]).split()) <= _HINTS else f" {m[1]} "

    return re.sub(r"\(([^()]*)\)", kept, question)


def _tense(text: str) -> Tense:
    if re.search(r" (will|upcoming|next|coming|tomorrow|planned) | going to ", text):
        return "ahead"
    if (m := _PAST.search(text)) and (
        not m["verb"] or root(m["verb"]) != m["verb"] or m["verb"] in ("read", "been", "done", "gone")
    ):
        return "past"
    if re.search(r" (do|does|am|is|are|have|has) ", text):
        return "present"
    return "past"


# --- numbers ---

_N = rf"(?P<n>\d+(?:\.\d+)?|{'|'.join(NUMBERS)}|an?(?= (?:week|day|month|hour|year) ))"
_NEXT = r"(?:(?= (?P<unit>[a-z]+) )|)"
_UP = "more|longer|higher|above|up|greater|better|over|larger|bigger"
_DOWN = "less|fewer|shorter|lower|below|under|cheaper|smaller"
_MORE = (
    r"more than|over|above|greater than|longer than|higher than|bigger than|larger than|more expensive than|in excess of|"
    r"exceeds?|exceeding|exceeded"
)
_LESS = r"less than|under|below|fewer than|shorter than|lower than|smaller than|cheaper than"
_LEAST = r"at least|no less than|not less than|no fewer than|a minimum of"
_MOST = r"at most|no more than|not more than|up to|a maximum of"
_THRESHOLDS = (
    (rf"between {_N} and (?P<n2>\d+(?:\.\d+)?){_NEXT}", ".."),
    (rf"{_N} (?:(?P<unit>[a-z]+) )?(?:or|and) (?:{_UP})(?:(?= (?P<noun>[a-z]+) )|)", ">="),
    (rf"{_N} (?:(?P<unit>[a-z]+) )?(?:or|and) (?:{_DOWN})(?:(?= (?P<noun>[a-z]+) )|)", "<="),
    (rf"(?:{_LEAST}) {_N}{_NEXT}", ">="),
    (rf"(?:{_MOST}) {_N}{_NEXT}", "<="),
    (rf"(?:{_MORE}) {_N}{_NEXT}", ">"),
    (rf"(?:{_LESS}) {_N}{_NEXT}", "<"),
    (rf"(?:exactly|equal to) {_N}{_NEXT}", "=="),
    (rf"(?P<unit>rate|rated|rating of|score of|scored) {_N}", "=="),
)


@dataclass(frozen=True, slots=True)
class Threshold:
    """ "at least 8 hours": the operator, the number, and the word beside it, which is a unit or what is counted."""

    op: str
    number: float
    unit: str
    other: float = 0  # the end of a range


def thresholds(q: Question) -> list[Threshold]:
    """Take the thresholds of numbers out of a question. Times of day are not among them."""
    found = []
    for pattern, op in _THRESHOLDS:
        while m := q.eat(pattern):
            named = m.groupdict()
            value = 1.0 if m["n"] in ("a", "an") else number(m["n"]) or 0.0
            unit = named.get("unit") or named.get("noun") or ""
            found.append(Threshold(op, value, root(unit), float(named.get("n2") or 0)))
    return found
