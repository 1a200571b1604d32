"""Whether a text was read whole: what it tells that no finding carries.

A message that is cited counts as read, so a fact that is lost beside one that is kept would be lost silently. Here numbers,
amounts, days, hours, names, and what stands after "and" or "then" are held against the findings. What is left over of these
keeps the message unread, for a person or a model to see; chatter ("and I love it") does not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from uac_nb.reader.clauses import LONGEST, Clause
from uac_nb.reader.daywords import MONTHS, NUMBERS, WEEKDAYS
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import DATE, HOUR, MONEY, compiled, lexicon
from uac_nb.reader.match import stems
from uac_nb.reader.phrases import STOPS, VAGUE
from uac_nb.rules import When

# Of feelings and manners: a clause of nothing else tells no fact.
_CHATTER = lexicon(
    "love loved loves like liked likes hate hated hates enjoy enjoyed great good nice lovely amazing awesome wonderful perfect "
    "fun best cool excited happy glad sad sorry tired nervous thrilled proud fine okay better hope wait worth miss avoid "
    "avoided careful scared afraid worried delicious beautiful gorgeous tasty fantastic brilliant terrible awful bad boring "
    "sucks well much feel feels felt think thought believe know knew guess look looking forward can't cannot that's honest "
    "actually everything really totally absolutely finally hopefully sure right glad already both special"
)
_NO_NAMES = lexicon("i ok tv btw lol asap fyi omg mr mrs ms dr prof am pm") | frozenset(MONTHS) | frozenset(WEEKDAYS)
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]*")
_NUMBER = re.compile(r"(?<![\w=/<#@])\d+(?:[.,]\d+)*")  # not those of addresses and markup
_DAY = re.compile(r"(?:\.\./)?(?:\d{4}[-/]|--\d)")
_COUNT = compiled(rf"\b(?:{'|'.join(n for n in NUMBERS if len(n) > 2 and n != 'one')}|dozen)\b")
_JOINT = compiled(r"\b(?:and|plus|as well as|then|but)\b|[;&]")
_COORDINATE = compiled(r"(?:\b(?:and|then|but|plus|so)|[,;])[ ]*$")
_REASON = compiled(r"\b(?:because|since|so that|which|who|although|though|as)\b|'cause\b")
_TAKEN_BACK = compiled(r"(?:[,;(] *(?:so )?not|\band not|\brather than|\binstead of) [^,;]*")
_CALLED = compiled(r"(?:\b(?:hey|hi|hello|thanks|thank you|dear|morning)|,) <name>[^\w\s]*$")  # "That's so cool, Caroline!"
_FROM = compiled(r"\bfrom (?:the )?$")
_FIRST = re.compile(r"(?:^|[:\"“(]\s*|\s-+\s+)\W*$")
_MASKED = re.compile(f"[{DATE}{HOUR}{MONEY}]")
_WORD = re.compile(r"[^\W\d_][\w'-]{2,}")


def left_over(clauses: Sequence[Clause], found: Sequence[Finding], text: str, people: Collection[str] = ()) -> list[str]:
    """What a text tells that no finding carries, as far as it could be told apart from talk. `people` are known by name."""
    carried = _Carried.by(found, people)
    left = _unclaused(clauses, text)
    for clause in clauses:
        if clause.mood != "said" or clause.subject == "you":
            continue
        own = [f for f in found if f.span[0] < clause.span[1] and clause.span[0] < f.span[1]]
        quoted = any(f.kind == "allergy" and f.polarity == "assert" for f in own)  # the record keeps these words
        left += [] if quoted else [*_days(clause, carried, own), *_numbers(clause, carried, own), *_names(clause, carried, own)]
        left += [clause.text[a.start : a.end] for a in clause.amounts if a.amount not in carried.numbers]
        if own:
            left += _joined(clause, carried)
        elif any(f.span[0] >= clause.sentence and f.span[1] <= clause.sentence + len(clause.whole) for f in found):
            left += _told_besides(clause, carried, text)
    return left


@dataclass(frozen=True, slots=True)
class _Carried:
    """All that findings say."""

    text: str
    numbers: frozenset[str]
    digits: str  # of all that is no day, in a row: a telephone number is written in parts
    words: frozenset[str]

    @classmethod
    def by(cls, found: Sequence[Finding], people: Collection[str]) -> _Carried:
        values = [value for f in found for value in (f.key, f.subject, *f.slots.values())]
        plain = [value for value in values if not _DAY.match(value)]
        return cls(
            " | ".join(values), frozenset(number for value in plain for number in _NUMBER.findall(value)),
            " ".join(re.sub(r"[ ().-]", "", value) for value in plain), _stems(" ".join((*values, *people))),
        )  # fmt: skip

    def says(self, word: str) -> bool:
        return bool(_stems(word) & self.words)

    def counts(self, number: str, *, part: bool = False) -> bool:
        return number in self.numbers or (part and number in self.digits)

    def day(self, when: str) -> bool:
        """Whether a day is told, if only as that of every year."""
        when = when.strip("./~") if "/" in when and ".." in when else when.removesuffix("~")
        return when in self.text or (When(when).exact and when[4:] in self.text)


def _stems(words: str) -> frozenset[str]:
    return frozenset(stems(re.sub(r"'s\b|[-'|]", " ", words)))


def _unclaused(clauses: Sequence[Clause], text: str) -> list[str]:
    """What is too long to be read at all."""
    ends = [0, *(clause.span[1] for clause in clauses)]
    starts = [*(clause.span[0] for clause in clauses), len(text)]
    return [text[low:high] for low, high in zip(ends, starts, strict=True) if high - low > LONGEST]


def _days(clause: Clause, carried: _Carried, own: Sequence[Finding]) -> Iterator[str]:
    """Days and hours; but for the day from which something was moved."""
    moved = any("moved" in f.slots for f in own)
    for d in clause.dates:
        if moved and (_FROM.search(clause.masked, 0, d.start) if d.until is None else carried.day(d.until)):
            continue
        vague = d.when.endswith("~") and not any(c.isdigit() for c in clause.text[d.start : d.end])  # "just"
        if not vague and not (carried.day(d.when) and (d.until is None or carried.day(d.until))):
            yield clause.text[d.start : d.end]
    for c in clause.hours:
        if c.at not in carried.text or (c.until or "") not in carried.text:
            yield clause.text[c.start : c.end]


def _numbers(clause: Clause, carried: _Carried, own: Sequence[Finding]) -> Iterator[str]:
    if any(f.kind == "birthday" for f in own):
        return  # an age is reckoned with, or goes without saying
    text, part = _meant(clause), any(f.kind == "contact" for f in own)
    yield from (match[0] for match in _NUMBER.finditer(text) if not carried.counts(match[0], part=part))
    if own:
        yield from (match[0] for match in _COUNT.finditer(text) if not carried.says(match[0]))


def _names(clause: Clause, carried: _Carried, own: Sequence[Finding]) -> Iterator[str]:
    """Capitalised words that begin no sentence and that nothing carries."""
    if clause.whole.isupper() or (not own and _CALLED.search(clause.masked)):
        return
    for match in _NAME.finditer(_meant(clause)):
        first = _FIRST.search(clause.before + clause.text[: match.start()])
        if not first and match[0].lower() not in _NO_NAMES and not carried.says(match[0]):
            yield match[0]


def _meant(clause: Clause) -> str:
    """A clause with what it takes back left blank ("…, not sam8@example.org")."""
    return _TAKEN_BACK.sub(lambda match: " " * len(match[0]), clause.masked)


def _joined(clause: Clause, carried: _Carried) -> Iterator[str]:
    """What stands behind "and" in a clause of which something is carried."""
    text = _meant(clause)
    reason = _REASON.search(text, clause.head)
    end = reason.start() if reason else len(text)
    joints = list(_JOINT.finditer(text, clause.head, end))
    ends = [*(joint.start() for joint in joints), end][1:]
    for joint, last in zip(joints, ends, strict=True):
        yield from _telling(text[joint.end() : last], carried)


def _told_besides(clause: Clause, carried: _Carried, text: str) -> Iterator[str]:
    """A clause beside those that were read, in their sentence; one that only says why or when is of them."""
    if _COORDINATE.search(text[: clause.start]):
        yield from _telling(clause.masked, carried)


def _telling(words: str, carried: _Carried) -> Iterator[str]:
    """A part of a text, where it tells something and nothing of it is carried.

    Where it has a day, an hour, an amount or a number, that tells whether it is ("back on the 17th").
    """
    if _MASKED.search(words) or any(map(carried.counts, _NUMBER.findall(words))):
        return
    telling = [w for w in _WORD.findall(words) if w.lower() not in STOPS | VAGUE | _CHATTER]
    if telling and not any(carried.says(word) for word in telling):
        yield words.strip()
