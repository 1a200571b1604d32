"""Whether a text was read whole: what it tells that no finding carries, and which findings are sure in spite of it.

A message that is cited counts as read, so a fact that is lost beside one that is kept would be lost silently. Here numbers,
amounts, days, hours, names, and clauses that say something are held against the findings. What is left over of these within
a finding's own words makes that finding unsure; elsewhere it leaves the message partly read, for a person or a model to see,
unless it may change what was found ("but I did not take it"). Chatter ("and I love it") does neither.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from uac_nb.reader.clauses import LONGEST, Clause, hidden
from uac_nb.reader.daywords import MONTHS, NUMBERS, WEEKDAYS
from uac_nb.reader.finding import COMPLETING, Finding
from uac_nb.reader.grammar import MARKS
from uac_nb.reader.health import OFTEN
from uac_nb.reader.language import DATE, HOUR, MONEY, compiled, lexicon
from uac_nb.reader.match import stems
from uac_nb.reader.moods import denied
from uac_nb.reader.phrases import STOPS, VAGUE
from uac_nb.reader.smalltalk import reason
from uac_nb.rules import When

# Of feelings and manners: a clause of nothing else tells no fact.
_CHATTER = lexicon(
    "love loved loves like liked likes hate hated hates enjoy enjoyed great good nice lovely amazing awesome wonderful perfect "
    "fun best cool excited happy glad sad sorry tired nervous thrilled proud fine okay better hope wait worth miss avoid "
    "avoided careful scared afraid worried delicious beautiful gorgeous tasty fantastic brilliant terrible awful bad boring "
    "sucks well much feel feels felt think thought believe know knew guess look looking forward can't cannot that's honest "
    "actually everything really totally absolutely finally hopefully sure right glad already both special "
    "back home come comes coming return returning same also new else doing going said says told valid starting it'll "
    "vacation holiday trip booked fine"
)
_NO_NAMES = lexicon("i ok tv btw lol asap fyi omg mr mrs ms dr prof am pm") | frozenset(MONTHS) | frozenset(WEEKDAYS)
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]*")
_NUMBER = re.compile(r"(?<![\w=/<#@])\d+(?:[.,]\d+)*")  # not those of addresses and markup
_DAY = re.compile(r"(?:\.\./)?(?:\d{4}[-/]|--\d)")
_COUNT = compiled(rf"\b(?:{'|'.join(n for n in NUMBERS if len(n) > 2 and n != 'one')}|dozen)\b")
_JOINT = compiled(r"\b(?:and|plus|as well as|then|but)\b|[;&]")
_PART = compiled(rf"{_JOINT.pattern}|[,(]")
_CONTRAST = compiled(r"\b(?:but|though|although|however|except|unless|whereas|instead|rather than)\b")
_BUT = compiled(r"\W*(?:and )?(?:but|although|though|however|except|unless|instead)\b")
_PUTS_RIGHT = compiled(
    r"\b(?:actually|correction|oops|no wait|wait,? no|i mean|i meant|scratch that|my bad|turns out|"
    r"wrong|mistake|kidding|joking|or rather)\b"
)
_UNDOES = compiled(
    r"\b(?:cancel\w*|called off|fell through|postponed?|moved|reschedul\w+|changed|delayed|return(?:ed)?|refund\w*|"
    r"stop|stopped|quit|no longer|any ?more|off|refused|rejected|over|ended|sold|(?:gave|sent) (?:it|them))\b"
)
_BACK = compiled(r"\b(?:it|that|this|them|those|these|they|one|ones|there|the|after all)\b")
_SO = compiled(r"\b(?:so|because|since|which is why|that's why)[ ,]*$")
_ENDS_IN_REASON = compiled(r"\b(?:because|since|so that|which|who|as|'cause|while|when)[ ]*$")
_CANT_WAIT = compiled(r"\W*(?:I |we |just )*(?:can't|cannot) wait\b")
_REASON = compiled(r"\b(?:because|since|so that|which|who|as)\b|'cause\b")
_TAKEN_BACK = compiled(r"(?:[,;(] *(?:so )?not|\band not|\bnot(?= \d)|\brather than|\binstead of) [^,;]*")
_CALLED = compiled(r"(?:\b(?:hey|hi|hello|thanks|thank you|dear|morning)|,) <name>[^\w\s]*$")  # "That's so cool, Caroline!"
_FROM = compiled(r"\bfrom (?:the )?$")
_FIRST = re.compile(r"(?:^|[:\"“(]\s*|\s-+\s+)\W*$")
_MASKED = re.compile(f"[{DATE}{HOUR}{MONEY}]")
_WORD = re.compile(r"[^\W\d_][\w'-]{2,}")


def sure(
    clauses: Sequence[Clause], found: Sequence[Finding], text: str, people: Collection[str] = ()
) -> tuple[list[Finding], bool]:
    """The findings that a text bears out, and whether they carry all that it tells. `people` are known by name."""
    carried = _Carried.by(found, people)
    lost = [loss for clause in clauses if clause.mood != "asked" for loss in _losses(clause, carried, found, text)]
    first = min((f.span[0] for f in found), default=0)  # what stands before all that was found changes none of it
    if any(_changes(loss, carried) for loss in lost if loss.clause.span[1] > first):
        return [], False
    dropped = [f for loss in lost if loss.own for f in _of(loss.clause, found)]
    kept = [f for f in found if f not in dropped]
    if any(bears_on(gone, f) for gone in dropped for f in kept):
        return [], False
    return kept, not (lost or _unclaused(clauses, text) or _spoken_by_others(text) or _echoed(text, found, carried))


_TOO = "(?:too|either|neither|also|as well)"
_AUX = "(?:am|do|did|have|was|can|will|would|had|are|were)"
# What is so of one person is said to be so, or not so, of another: nothing reads that yet.
_ECHO = compiled(
    rf"\b(?:so|neither|nor) {_AUX} (?:I|we)\b|\b(?:neither|nor) (?:I|we|me)\b|\b(?:same|just|exactly|much|and|not)?,? ?"
    rf"(?:(?:as|like|for|with|unlike) (?:me|us)|me|us|I|we) ?(?:{_TOO}\b|\W*(?:$|[.!]))|\bsame here\b|"
    r"\b(?:like|unlike|as) me\b|"
    rf"\b(?:I|we)(?:'m|'re|'ve|'ll| {_AUX})?(?:n't| not)?(?: {_TOO}| coming| going| joining)*\W*(?:$|[.!,;])|"
    r"\b(?:I|we) (?:[\w']+ ){1,2}(?:it|them|that|one|some)\b\W*(?:$|[.!,;])"
)
_OTHERS_TOO = compiled(
    rf"\b(?:so|neither|nor) (?:is|does|did|has|was|can|will|would|are|do) (?:<name>|(?:my|our) <relation>|he|she|they)|"
    rf"\b(?:my|our) <relation>(?:'s| is| does| has)?(?:n't| not)? {_TOO}\b|"
    r"\b(?:same|just|exactly|much) (?:as|like|with|for) (?:my|our) <relation>"
)
_BOTH = compiled(
    r"\b(?:(?:(?:my|our) (?P<one><relation>)|(?P<name><name>)) and (?:I|me)|"
    r"(?:I|me) and (?:(?:my|our) (?P<other><relation>)|(?P<named><name>)))\b"
    r"(?! (?:is|was|has|had|takes|lives|works|loves|hates)\b)"
)


def _echoed(text: str, found: Sequence[Finding], carried: _Carried) -> bool:
    """Whether what was found of one person is said of another too ("and so am I")."""
    if both := _BOTH.search(text):
        return bool(found) and not any(carried.says(name) for name in both.groupdict().values() if name)
    of_others = any(f.subject != "me" for f in found)
    return bool((of_others and _ECHO.search(text)) or (found and _OTHERS_TOO.search(text)))


@dataclass(frozen=True, slots=True)
class _Loss:
    """Words of a clause that no finding carries. `own`: they belong to the words of a finding; `aside`: to its sentence."""

    clause: Clause
    words: str
    own: bool = False
    aside: bool = True


def _of(clause: Clause, found: Sequence[Finding]) -> list[Finding]:
    """The findings that a clause states, or says more of."""
    low, high = clause.span
    return [f for f in found if any(start < high and low < end for start, end in (f.span, *f.also))]


def _losses(clause: Clause, carried: _Carried, found: Sequence[Finding], text: str) -> Iterator[_Loss]:
    """What a clause tells that nothing carries."""
    own = _of(clause, found)
    if own:
        yield from _within(clause, carried, own)
    elif (
        clause.subject != "you"
        and not (reason(clause.whole) or MARKS.fullmatch(clause.whole))
        and (words := _beside(clause, carried, text))
    ):
        aside = any(clause.sentence <= f.span[0] < clause.sentence + len(clause.whole) for f in found)
        yield _Loss(clause, words, aside=aside)


def _within(clause: Clause, carried: _Carried, own: Sequence[Finding]) -> Iterator[_Loss]:
    """What is lost in a clause of which something was read. A part of it that carries nothing is a clause of its own."""
    kept = any(f.kind == "allergy" and f.polarity == "assert" for f in own)  # the record keeps these words
    hard = [] if kept else [*_days(clause, carried, own), *_numbers(clause, carried, own), *_names(clause, carried, own)]
    if any(f.kind == "medication" for f in own):
        hard += [(m.start(), m[0]) for m in OFTEN.finditer(clause.masked) if m[0].lower() not in carried.text]
    hard += [(a.start, clause.text[a.start : a.end]) for a in clause.amounts if a.amount not in carried.numbers]
    parts = _parts(clause)
    for low, high in parts:
        words = [word for at, word in hard if low <= at < high]
        if not words and _REASON.match(clause.masked[low:].lstrip()):
            continue
        foreign = low > 0 and not _carries(clause, low, high, carried)
        if words or (foreign and _telling(_meant(clause)[low:high], carried)):
            yield _Loss(clause, clause.text[low:high].strip(), own=not foreign)


def _parts(clause: Clause) -> list[tuple[int, int]]:
    """Where the parts of a clause lie that are joined by "and" or a comma; what only says why is of the last."""
    why = _REASON.search(clause.masked, clause.head)
    starts = [0, *(m.end() for m in _PART.finditer(clause.masked, clause.head, why.start() if why else len(clause.masked)))]
    return list(zip(starts, [*starts[1:], len(clause.masked)], strict=True))


def _carries(clause: Clause, low: int, high: int, carried: _Carried) -> bool:
    """Whether something of a part of a clause is in a finding."""
    return (
        any(low <= d.start < high and carried.day(d.when) for d in clause.dates)
        or any(low <= c.start < high and c.at in carried.text for c in clause.hours)
        or any(low <= a.start < high and a.amount in carried.numbers for a in clause.amounts)
        or any(carried.counts(number) for number in _NUMBER.findall(clause.masked, low, high))
        or any(carried.says(word) for word in _WORD.findall(clause.masked, low, high))
    )


def _beside(clause: Clause, carried: _Carried, text: str) -> str:
    """What a clause tells of which nothing was read; one that says why or when something was so tells no more."""
    if clause.mood == "said" and (
        hard := [*_days(clause, carried, ()), *_numbers(clause, carried, ()), *_names(clause, carried, ())]
    ):
        return hard[0][1]
    if any(a.amount not in carried.numbers for a in clause.amounts):
        return clause.text
    why = (
        _REASON.match(clause.masked.lstrip()) or _ENDS_IN_REASON.search(text[: clause.start]) or _CANT_WAIT.match(clause.masked)
    )
    return "" if why else _telling(_CALLED.sub("", clause.masked), carried)


def _changes(loss: _Loss, carried: _Carried) -> bool:
    """Whether what was lost may take back, or put right, what was found."""
    clause, words = loss.clause, loss.words
    lead = clause.before[-25:] + (clause.masked if not loss.own else "")
    if _SO.search(clause.before):
        return False
    if _PUTS_RIGHT.search(lead) or (_CONTRAST.search(lead) if loss.aside or loss.own else _BUT.match(clause.whole)):
        return True
    undone = bool(_UNDOES.search(words)) or (clause.mood == "said" and denied(words, len(words)))
    return undone and (loss.aside or loss.own or not clause.subject or bool(_BACK.search(words)) or _says_any(words, carried))


def _says_any(words: str, carried: _Carried) -> bool:
    return any(carried.says(word) for word in _WORD.findall(words))


def bears_on(gone: Finding, kept: Finding) -> bool:
    """Whether a finding that is not sure may change one that is."""
    changing = gone.polarity == "retract" or {"corrects", "moved", "known"} & {*gone.slots} or gone.kind in COMPLETING
    return bool(changing) or (gone.kind == kept.kind and gone.subject == kept.subject and gone.key == kept.key)


def _spoken_by_others(text: str) -> bool:
    """Whether somebody else's words stand in it, which nobody read."""
    return hidden(text).count("_") > text.count("_")


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


Lost = Iterator[tuple[int, str]]  # where it stands, and how it is written


def _days(clause: Clause, carried: _Carried, own: Sequence[Finding]) -> Lost:
    """Days and hours; but for the day from which something was moved."""
    moved = any("moved" in f.slots for f in own)
    for d in clause.dates:
        if moved and (_FROM.search(clause.masked, 0, d.start) if d.until is None else carried.day(d.until)):
            continue
        vague = d.when.endswith("~") and not any(c.isdigit() for c in clause.text[d.start : d.end])  # "just"
        if not vague and not (carried.day(d.when) and (d.until is None or carried.day(d.until))):
            yield d.start, clause.text[d.start : d.end]
    for c in clause.hours:
        if c.at not in carried.text or (c.until or "") not in carried.text:
            yield c.start, clause.text[c.start : c.end]


def _numbers(clause: Clause, carried: _Carried, own: Sequence[Finding]) -> Lost:
    if any(f.kind == "birthday" for f in own):
        return  # an age is reckoned with, or goes without saying
    text, part = _meant(clause), any(f.kind == "contact" for f in own)
    yield from ((m.start(), m[0]) for m in _NUMBER.finditer(text) if not carried.counts(m[0], part=part))
    if own:
        yield from ((m.start(), m[0]) for m in _COUNT.finditer(text) if not carried.says(m[0]))


def _names(clause: Clause, carried: _Carried, own: Sequence[Finding]) -> Lost:
    """Capitalised words that begin no sentence and that nothing carries."""
    if clause.whole.isupper() or (not own and _CALLED.search(clause.masked)):
        return
    for match in _NAME.finditer(_meant(clause)):
        first = _FIRST.search(clause.before + clause.text[: match.start()])
        if not first and match[0].lower() not in _NO_NAMES and not carried.says(match[0]):
            yield match.start(), match[0]


def _meant(clause: Clause) -> str:
    """A clause with what it takes back left blank ("…, not sam8@example.org")."""
    return _TAKEN_BACK.sub(lambda match: " " * len(match[0]), clause.masked)


def _telling(words: str, carried: _Carried) -> str:
    """A part of a text, where it tells something of which no more than half is carried; else "".

    Where it has a day, an hour, an amount or a number that is carried, so is what it says of it ("back on the 17th").
    """
    telling = [w for w in _WORD.findall(words) if w.lower() not in STOPS | VAGUE | _CHATTER]
    new = [word for word in telling if not carried.says(word)]
    known = _MASKED.search(words) or any(map(carried.counts, _NUMBER.findall(words)))
    return words.strip() if len(new) > (1 if known else len(telling) / 2) else ""
