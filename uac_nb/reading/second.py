"""The second look: what cited entries say that stands in no fact and no record of them.

An entry can be cited and half lost. Those that lost most come back once, in the same checkpoint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from uac_nb.english.text import lexicon
from uac_nb.log import Entry
from uac_nb.reading.evidence import is_english

MOST = 8  # entries that come back from one batch
FEW = 3  # telling words that may be left out of any entry
MANY = 12  # so many left out are worth asking for, even if none of them is a name or a number
SHARE = 0.5  # of its telling words, that have to be there
SHOWN = 12  # left-out words that are shown

WORD = re.compile(r"[^\W\d_]{4,}|\d+")
HARD = re.compile(r"\d+|(?<=[a-z,;:] )[A-Z][a-z]{3,}")  # numbers, and names: capitals that begin no sentence
QUESTION = re.compile(r"[^.!?\n]*\?")
ENDINGS = re.compile(r"(?<=\w{4})(?:ings?|ed|es|s|ly|e|y|ies|ied|er|ion|ions)\Z")
# Words of talk: they carry no fact. Of English, as the prompts are.
TALK = lexicon(
    """
    about above absolutely actually after again agree alright also always amazing another anything around awesome away
    awful back because been before being believe best better both came can't cannot cheers come coming congrats
    congratulations cool could couldn't couple definitely didn't does doesn't doing don't done down each either else
    enough even ever every everyone everything exactly excited fantastic feel feeling feels felt fine from fully gets
    getting give given giving glad goes going gone gonna good got gotta great guess happen happened happy hard have
    haven't having hear heard hello help here hope hoping i've into isn't it's just keep keeping kind knew know known
    last later least less let's like likes little long look looked looking looks lots love loved lovely luck made make
    makes making many maybe mean means might mine more most much must need needed needs never nice nope nothing okay
    once only other others otherwise over perfect please pretty probably proud put quite rather ready really right said
    same says seem seemed seems seen several shall should since some someone something sometimes soon sorry sort sounds
    start started stay still stuff such super support supporting sure take taken takes taking talk tell than thank
    thanks that that's their them then there there's these they they're thing things think thinking this those though
    thought through thus time times together told tomorrow tonight took totally tried truly trying turn turned under
    until upon used using usual very wait wanna want wanted wants wasn't ways we'll we're we've well went were what
    what's whatever when where whether which while whole whose will wish wishing with within without won't wonder
    wonderful work worked working works would wouldn't yeah year years yesterday yet you'll you're you've your yours
    yourself
    """
)


@dataclass(frozen=True)
class Told:
    """What facts and records say, and the entries they rest on."""

    text: str
    source: frozenset[int]


@dataclass(frozen=True)
class HalfLost:
    """An entry, and its telling words that nothing made from it holds."""

    entry: int
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"of entry {self.entry} nothing says: {', '.join(self.words[:SHOWN])}"


def half_lost(batch: Sequence[Entry], told: Sequence[Told]) -> list[HalfLost]:
    """The entries of which facts and records leave out much, those with the most left out first.

    Cheers and paraphrases leave out words too, so a name or a number has to be among them, or very many.
    """
    cited = frozenset[int]().union(*(t.source for t in told))
    there = {_stem(word) for t in told for word in _words(t.text)}  # what another entry was cited for is not lost
    found = [lost for entry in batch if entry.id in cited and (lost := _lost(entry, there))]
    return sorted(found, key=lambda lost: -len(lost.words))[:MOST]


def _lost(entry: Entry, there: set[str]) -> HalfLost | None:
    if not is_english(entry.text):
        return None  # in other languages we cannot tell
    there = there | {_stem(entry.speaker.casefold())}
    telling = {_stem(word): word for word in _words(QUESTION.sub(" ", entry.text)) if word not in TALK}
    lost = [word for stem, word in telling.items() if stem not in there]
    hard = {word.casefold() for word in HARD.findall(entry.text)}
    much = len(lost) > FEW and len(lost) > (1 - SHARE) * len(telling)
    return HalfLost(entry.id, tuple(lost)) if much and (hard.intersection(lost) or len(lost) >= MANY) else None


def _words(text: str) -> Iterator[str]:
    return (word for word in WORD.findall(text.casefold()))


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    return ENDINGS.sub("", word)
