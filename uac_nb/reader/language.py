"""The language of our patterns: regular expressions that can be read, with names for what many of them need.

In a pattern a space stands for any run of spaces, and a word in angle brackets for a part: <date>, <hour> and <money> for
what `tokens` masked, <name> for a person's name with its capital, <relation> for "sister" and the like, <to whom> for a
receiver. Case does not matter, except in <name> and <Word>, any word with a capital.
"""

from __future__ import annotations

import re
from functools import cache

DATE, HOUR, MONEY = "\ue000", "\ue001", "\ue002"  # private letters: dates, hours and amounts stand as runs of them

RELATION = (
    r"(?:(?:best|old|older|younger|little|big|elder|twin|step|late|ex|grand|great)[- ]?)*(?:mom|mum|mother|dad|father|"
    r"parents|sister|brother|wife|husband|partner|fianc[eé]e?|son|daughter|kids?|child|children|baby|toddler|friend|boss|"
    r"manager|uncle|aunt|cousin|roommate|flatmate|girlfriend|boyfriend|grandmother|grandfather|grandma|grandpa|granny|nan|"
    r"colleague|coworker|co-worker|neighbou?r|niece|nephew|dog|cat|stepmom|stepdad|stepson|stepdaughter|bestie|buddy|mate|"
    r"ex)(?:-in-law)?\b"
)
WORD = r"(?-i:[A-Z][a-zà-ÿ]+(?:[-'][A-Z][a-z]+)?)"
NAME = rf"{WORD}(?: {WORD})?"


def lexicon(listed: str) -> frozenset[str]:
    """The words of a text.

    >>> sorted(lexicon("one two"))
    ['one', 'two']
    """
    return frozenset(listed.split())


KIN = lexicon("Mom Mum Dad Mother Father Grandma Grandpa Granny Nan Mommy Daddy Mama Papa")

_PARTS = {
    "date": f"{DATE}++",  # a whole run or none: one that could be split any way would be, each way in turn
    "hour": f"{HOUR}++",
    "money": f"{MONEY}++",
    "relation": RELATION,
    "name": NAME,
    "titled": rf"(?:(?:dr|mr|mrs|ms|prof)\.? )?{NAME}",
    "Word": r"(?-i:[A-Z][\w&'-]*)",
    "to whom": rf"(?:(?:myself|ourselves|me|us|him|her|them|(?:my|our|his|her|their) {RELATION}|{NAME}) "
    rf"(?=(?:an?|the|some|two) |{MONEY}|\d))?",
}
_PIECE = re.compile(r"\[(?:\\.|[^\]])*\]|<(?P<part>[A-Za-z][A-Za-z ]*)>| (?![*?+{])")


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of this language.

    >>> compiled("moved (?:back )?to (?P<where><Word>)").match("moved back  to Graz")["where"]
    'Graz'
    """
    return re.compile(_expanded(pattern), re.IGNORECASE)


def _expanded(pattern: str) -> str:
    return _PIECE.sub(_piece, pattern)


def _piece(match: re.Match[str]) -> str:
    before = match.string[max(match.start() - 2, 0) : match.start()]
    if match["part"] and before not in ("?P", "(?") and match["part"] in _PARTS:
        return _expanded(_PARTS[match["part"]])
    return " +" if match[0] == " " else match[0]


def called(name: str) -> str:
    """A person's name, or what they are where that serves as one: "Dad" is "dad"."""
    return name.lower() if name in KIN else name
