"""A question before it is read as one about a collection: its words, its times, its numbers, and its tense."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from uac_nb.ask import periods
from uac_nb.ask.periods import Period
from uac_nb.ask.phrasing import rephrased
from uac_nb.ask.words import NUMBERS, bag, number, plain, root, singular

Tense = Literal["past", "present", "ahead"]

# In brackets, words that only say how to write the answer.
_HINTS = bag(
    "a an the one single word words name names category answer only just number or and yes no increase decrease same "
    "country city value in first last full type is as"
)
_ROUND = r" round(?:ed)? (?:it |the answer )?to (\d|one|two|three)(?: (?:decimals?|digits?|decimal places?|places?))? "
# "Am I flying", "is Ana coming": said of what is to come, where the verb is one of going and meeting.
_PROGRESSIVE = re.compile(r" (?:am|are|is) (?=(?:\w+ ){1,4}?(\w+ing) )")
_JOURNEYS = bag("come go fly leave return travel move see meet visit start arrive get drive come depart")
_PAST = re.compile(r" (did|was|were|had) | (have|has) (i|we|you|my \w+|\w+) (ever |already )?(?P<verb>\w+) ")


_VERB = re.compile(r" (?:did|was|were|had|have|has|do|does|am|is|are|will|cost|upcoming|planned|ever) ")
_COUNTING = re.compile(r" (?:what (?:is|was) )?the (?:total )?number of ")
_TIMES = re.compile(r" (?:last|past|next|this|today|tomorrow|yesterday) ")
_OPEN = re.compile(rf" (?:{periods.M}|{periods.S}|{'|'.join(periods.WEEKDAYS)}) ")


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


def read(question: str, today: date, tense: Tense | None = None) -> Question:
    """A question as one of that `tense`, by default the one that its words tell.

    "How many meetings this year", without a verb, means those of the whole time, also what is ahead.
    """
    asked = _COUNTING.sub(" how many ", plain(_without_hints(question)))
    text = rephrased(asked)
    digits = 2
    if m := re.search(_ROUND, text):
        digits = int(number(m[1]) or 2)
        text = text.replace(m[0], " ")
    if tense is None:  # "what is the total of my expenses" is about the past
        tense = "past" if re.search(r" did (i|we) spend ", text) else _tense(asked)
    text, found = periods.find(text, today, ahead=tense != "past")
    if " how many " in asked and _verbless(asked):
        tense = "present" if not found else "ahead" if found[-1].end >= today else tense
    return Question(text, found, tense, digits, left=text)


def undated(question: str) -> bool:
    """Whether it names a time without a year or a verb, as "how many meetings in May": which year is meant is not sure."""
    asked = _COUNTING.sub(" how many ", plain(question))
    return (
        _verbless(asked) and not _TIMES.search(asked) and not re.search(r" (?:19|20)\d\d", asked) and bool(_OPEN.search(asked))
    )


def _verbless(asked: str) -> bool:
    return not _VERB.search(asked) and all(root(word) == singular(word) for word in asked.split())


def _without_hints(question: str) -> str:
    def kept(m: re.Match[str]) -> str:
        return " " if set(plain(m[1]).split()) <= _HINTS else f" {m[1]} "

    return re.sub(r"\(([^()]*)\)", kept, question)


def _tense(text: str) -> Tense:
    if re.search(r" (will|upcoming|next|tomorrow|planned) | going to (?=be )| coming (?=up |@|week|month|year|days) ", text):
        return "ahead"
    if any(root(m[1]) in _JOURNEYS for m in _PROGRESSIVE.finditer(text)):
        return "ahead"
    if re.search(r" (have|has) \w+ got | (do|does) (\w+ ){1,3}?have ", text):
        return "present"
    if (m := _PAST.search(text)) and (
        not m["verb"] or root(m["verb"]) != m["verb"] or m["verb"] in ("read", "been", "done", "gone")
    ):
        return "past"
    if re.search(r" (do|does|am|is|are|have|has|happens) | takes place | who (?!was )[a-z]+s ", text):
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
