"""Noun phrases: what is bought, avoided, liked, met. Read word by word up to the first word that cannot belong to one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from uac_nb.reader.language import compiled, lexicon

_WORD = re.compile(r"[^\W_][\w'&/-]*(?:\.(?=\w)[\w]+)*|\S")
_DETERMINERS = lexicon(
    "a an the some any my our his her their its your all most certain many those these this that both another other new few "
    "several various every each two three four five six couple bunch pair lot lots bit little"
)
_ARTICLES = lexicon("a an the my our his her their your its this that these those own")
STOPS = lexicon(
    "nor neither either unlike "
    "and or but plus so because since when while if as than that which who whom where for from at in on of to with without by "
    "into onto over under after before during until till about around through per via is am are was were be been being do "
    "does did have has had will would can could should may might must i you he she it we they me him us them there here then "
    "now today again too also just really very only even still yet already always never ever not n't no like more less "
    "better most instead though although however please remember okay huh thanks lol haha right online together alone once "
    "twice daily anymore "
    "ago later soon recently yesterday tomorrow tonight everywhere yourself myself himself herself itself ourselves "
    "themselves came went got gets make makes made give gives gave send sends cost costs turned taste tastes"
    " i'm i've i'll i'd you're we're we've it's he's she's they're that's there's isn't aren't don't doesn't"
)
VAGUE = lexicon(
    "it that this them these those one ones thing things something anything everything nothing stuff someone anyone everyone "
    "people you me him her us way ways time times lot lots bit kind sort idea ideas place places day days part fact what how "
    "all both none other others more most much many same work life love fun person folks guys mine yours feeling moment "
    "moments whole"
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase in a text, without its article, and where it lies."""

    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        return self.text.lower()

    @property
    def vague(self) -> bool:
        """Whether it names nothing in particular."""
        words = self.key.split()
        return words[-1] in VAGUE or words[0] in ("it", "that", "this", "you", "how", "what") or len(self.key) < 2


_SETS_BACK = compiled(" (?:me|us|him|her|them|you|off|up|out)\\b")


def noun_phrase(text: str, start: int, most: int = 4) -> Phrase | None:
    """The noun phrase that begins at an offset, of `most` words; None where none does.

    >>> noun_phrase("bought a Sony camera for my mom", 7)
    Phrase(text='Sony camera', start=9, end=20)
    """
    words: list[re.Match[str]] = []
    at = start
    for match in _WORD.finditer(text, start):
        word = match[0].lower()
        if match.start() > at + 1 or (words and match.start() == at):
            break
        at = match.end()
        if not words and word in _DETERMINERS and (match[0].islower() or word in _ARTICLES):
            continue
        if word in ("set", "sets") and _SETS_BACK.match(text, at):
            break
        if not word[0].isalnum() or word in STOPS or (words and word in _ARTICLES) or len(words) == most:
            break
        words.append(match)
    if not words:
        return None
    low, high = words[0].start(), words[-1].end()
    return Phrase(text[low:high].removesuffix("'s"), low, high)


_LINK = compiled(r",? (?:and|or|nor|&|plus|as well as) (?:also )?|, *(?:and |or )?(?:also )?")


def phrases(text: str, start: int, most: int = 3, before: str = "") -> list[Phrase]:
    """The noun phrases of a list ("peanuts, tree nuts and shellfish") that begins at an offset.

    The preposition of the list may come again `before` each ("to latex and to cats").
    """
    again = compiled(f"{before} ") if before else None
    found: list[Phrase] = []
    while phrase := noun_phrase(text, start, most):
        if again and found and again.match(text, phrase.end + 1):
            break  # "… to nuts and Lisa to milk"
        found.append(phrase)
        link = _LINK.match(text, phrase.end)
        if not link:
            break
        start = link.end()
        if again and (match := again.match(text, start)):
            start = match.end()
    return found
