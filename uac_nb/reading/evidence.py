"""What the cited entries say: the names, numbers and dates in them, and what follows from these."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from functools import cached_property
from itertools import combinations, product

from uac_nb.english import Span, days, numbers
from uac_nb.english.calendar import FEASTS, MONTHS, WEEKDAYS
from uac_nb.english.expressions import COUNT, Tense
from uac_nb.english.numbers import VAGUE
from uac_nb.english.text import lexicon
from uac_nb.log import Entry
from uac_nb.rules import When

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
UNITS = {  # what a number may be told in, and how much of a smaller unit that is
    60: ("hour", "hr", "minute", "min"), 7: ("week",), 24: ("day",), 30: ("month",), 12: ("year", "dozen"), 52: ("year",),
    4: ("month",), 100: ("cent", "metre", "meter"), 1000: ("km", "kilometre", "kilometer", "kilo", "kg", "k"),
    1609.34: ("mile",), 0.4536: ("pound", "lb"),
}  # fmt: skip
LASTS = {"day": (1,), "night": (1,), "week": (7,), "fortnight": (14,), "month": (28, 29, 30, 31), "year": (365, 366)}
LASTING = re.compile(rf"([\w'-]+|{COUNT})[\s-](?:more\s)?({'|'.join(LASTS)})s?\b", re.IGNORECASE)
TENSES: tuple[Tense, ...] = ("past", "present", "future")
# The commonest words of English: without some of them, a text is in another language, or hardly one.
COMMON = lexicon(
    "the a an and or but to of in on at for with from is are was were be been have has had i i'm i've my me you your he she "
    "her his it it's we our they their this that not no so by as up out all will can just about around"
)
ENGLISH = 0.25  # of the words of a text
CALENDAR = frozenset((*MONTHS, *WEEKDAYS, *(word for feast in FEASTS for word in feast.split())))
NEAR = timedelta(days=1)
FAR, YEAR = 62, 366  # days, within which each number of a day comes twice, and each day of a year
SENTENCE = re.compile(r"(?<=[.!?])\s+")
COLON = re.compile(r":(?!\d)")  # "on 13 November: a run"
ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")
WEEKEND = {1, 2}  # days between those of a weekend, one of which is told
MOST_PAIRS = 24  # numbers of which sums and products are formed


@dataclass(frozen=True)
class Evidence:
    """The entries that a record rests on.

    `known` are more words that need no proof, `days` more dates, and `people` gives the names of all who have a record.
    """

    entries: Sequence[Entry]
    known: str = ""
    days: tuple[When, ...] = ()
    people: Callable[[], frozenset[str]] = frozenset

    @cached_property
    def text(self) -> str:
        return " ".join(f"{e.speaker} {e.text} {e.caption}" for e in self.entries)

    # --- names ---

    @cached_property
    def words(self) -> frozenset[str]:
        return forms_in(f"{self.text} {self.known}")

    def tells(self, name: str) -> bool:
        """Whether a name stands there, perhaps in another form: "Portuguese" where Portugal was spoken of."""
        forms = _forms(name)
        if not self.words.isdisjoint(forms) or forms[0] in CALENDAR:
            return True
        stem = forms[-1][: max(4, math.ceil(0.6 * len(forms[-1])))]
        near = len(stem) >= 4 and any(word.startswith(stem) for word in self.words)
        return near or not self.people().isdisjoint(forms)

    def touches(self, text: str) -> bool:
        """Whether a text has a telling word in common with the entries, or none that tells. Only English is judged."""
        telling = [word for word in WORD.findall(text.casefold()) if len(word) > 2 and word not in COMMON]
        if not (telling and is_english(self.text)):
            return True
        own = Evidence(self.entries)
        return any(own.tells(word) for word in telling)

    def holds(self, phrase: str) -> bool:
        """Whether these very words stand there."""
        plain = " ".join(phrase.casefold().replace("’", "'").split())
        return len(plain) > 2 and plain in " ".join(self.text.casefold().replace("’", "'").split())

    # --- numbers ---

    @cached_property
    def numbers(self) -> frozenset[float]:
        """All numbers in words and digits, and those of the dates."""
        days = {*(e.day for e in self.entries), *(day for when in self.dates for day in (when.first, when.last))}
        dated = (n for day in days for n in (day.year, day.month, day.day))
        return frozenset({*map(float, dated), *numbers(f"{self.text} {self.known}")})

    def counts(self, number: float) -> bool:
        """Whether a number is said or follows: in another unit, as a sum, a difference or a product of two."""
        if any(_same(number, known) for known in self.numbers):
            return True
        if any(_same(number, known * unit) for known in self.said_numbers for unit in self._units):
            return True
        few = sorted(self.said_numbers)[:MOST_PAIRS]
        return any(_same(number, n) for a, b in combinations(few, 2) for n in (a + b, b - a, a * b))

    @cached_property
    def _units(self) -> list[float]:
        told = self.words | {
            part for word in re.findall(r"\d([a-z]+)", self.text.casefold()) for part in (word, word.rstrip("s"))
        }
        return [unit for unit, words in UNITS.items() if not told.isdisjoint(words)]

    @cached_property
    def said_numbers(self) -> frozenset[float]:
        return frozenset(numbers(self.text))

    def clock(self, moment: time) -> bool:
        """Whether a time of the day is said: its hour on either half of the day, and its minutes."""
        minutes = moment.minute == 0 or bool({moment.minute, moment.minute / 60, 1 - moment.minute / 60} & self.numbers)
        return minutes and bool({moment.hour, moment.hour % 12, moment.hour % 12 or 12, (moment.hour + 1) % 12} & self.numbers)

    # --- dates ---

    @cached_property
    def dates(self) -> tuple[When, ...]:
        """The dates that the words name, each read from the day of its own entry."""
        return (*self.days, *{w.text: w for e in self.entries for w in _dates(e)}.values())

    def proves(self, when: When) -> bool:
        """Whether a date is said, or follows: the day of the entry, a span from or around it, a number of days away."""
        said = [entry.day for entry in self.entries]
        if any(when.text == known.text for known in self.dates) or not when.exact:
            return self._spans(when, said)
        if any(day == when.first for day in said) or any(known.exact and known.first == when.first for known in self.dates):
            return True
        starts = {*said, *(known.first for known in self.dates if known.exact)}
        return any(abs((when.first - start).days) in self._spells for start in starts)

    @cached_property
    def _spells(self) -> frozenset[int]:
        """How many days the spells take that are told ("for a week"): both ends counted, or one."""
        found: set[int] = set()
        for match in LASTING.finditer(self.text):
            vague = next((range(low, high + 1) for word, (low, high) in VAGUE.items() if word in match[1].casefold()), None)
            counts = vague or [int(n) for n in numbers(match[1])]
            found |= {
                count * unit - end
                for count in counts
                for unit in LASTS[match[match.lastindex or 0].casefold()]
                for end in (0, 1)
            }
        return frozenset(found | WEEKEND if "weekend" in self.words else found)

    def _spans(self, when: When, said: list[date]) -> bool:
        """A week, month or span: it holds a date that is said or the day of the entry, or ends there, or its year is said."""
        if when.text.startswith("--"):
            return any((d.month, d.day) == (when.month, when.day) for known in self.dates for d in (known.first,))
        days = [(day, day) for day in said] + [(known.first, known.last) for known in self.dates]
        touches = any(low <= _next(when.last) and when.first <= _next(high) for low, high in days)
        return touches or any(float(day.year) in self.said_numbers for day in (when.first, when.last))


def forms_in(text: str) -> frozenset[str]:
    """The words of a text, each in the forms in which it may be asked for."""
    return frozenset(part for word in WORD.findall(text) for part in _forms(word))


def normal(text: str) -> str:
    """A text with one form of each character and none that is not seen.

    >>> normal("Peni\u200bcillin \uff41")
    'Penicillin a'
    """
    return "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")


def is_english(text: str) -> bool:
    """Whether a text reads like English.

    >>> is_english("I was in Paris."), is_english("Ich war in Paris.")
    (True, False)
    """
    words = WORD.findall(text.casefold().replace("’", "'"))
    return sum(word in COMMON for word in words) > ENGLISH * len(words)


def _same(a: float, b: float) -> bool:
    return abs(a - b) <= 0.01 * abs(b)


def _forms(word: str) -> tuple[str, ...]:
    """A word and its stem: without "'s" and the plural."""
    plain = word.casefold().replace("’", "'")
    stem = plain.removesuffix("'s").rstrip("'")
    return (plain, stem, stem.removesuffix("s")) if len(stem) > 3 else (plain, stem)


def _dates(entry: Entry) -> Iterator[When]:
    """The dates that an entry may name, read as a whole and sentence by sentence, in each tense."""
    plain = COLON.sub(" ", entry.text)
    for text in dict.fromkeys((plain, *SENTENCE.split(plain))):
        for tense in TENSES:
            for found in days(text, entry.day, tense):
                yield from _whens(found)
    yield from _nearest(entry)


def _nearest(entry: Entry) -> Iterator[When]:
    """ "on the 11th": the last such day, and the next; in each month that is named, also where that is far away."""
    numbers = {int(match) for match in ORDINAL.findall(entry.text)}
    if not numbers:
        return
    named = {MONTHS[word] for word in WORD.findall(entry.text.casefold()) if word in MONTHS}
    for number, months in product(numbers, [None, *({month} for month in named)]):
        reach = YEAR if months else FAR
        around = (entry.day + timedelta(days) for days in range(-reach, reach + 1))
        days = [day for day in around if day.day == number and (not months or day.month in months)]
        yield from map(When, [*[day for day in days if day <= entry.day][-1:], *[day for day in days if day > entry.day][:1]])


def _whens(found: Span) -> Iterator[When]:
    yield found.when
    if (limit := found.when.text.strip("./")) != found.when.text and len(limit) == len("2025-03-10"):
        yield When(limit)  # "by 10 March": the day is said, and a deadline is due on it
    if found.until:
        yield found.until
        yield When(f"{found.first}/{found.last}")


def _next(day: date) -> date:
    return day if day == date.max else day + NEAR
