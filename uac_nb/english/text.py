"""Small tools for tables of English: word lists, patterns that can be read, and text without typographic letters."""

from __future__ import annotations

import re
from collections.abc import Iterable


def lexicon(listed: str) -> frozenset[str]:
    """Return the words of a text.

    >>> sorted(lexicon("one two"))
    ['one', 'two']
    """
    return frozenset(listed.split())


def one_of(names: Iterable[str]) -> str:
    """Return a regular expression for any of these names, the longest first."""
    return "|".join(sorted(names, key=len, reverse=True))


_SPACE = re.compile(r"\[(?:\\.|[^\]])*\]| (?![*?+{])")


def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern that ignores case and in which a space stands for any run of spaces."""
    return re.compile(_SPACE.sub(lambda m: " +" if m[0] == " " else m[0], pattern), re.IGNORECASE)


_PLAIN = str.maketrans({"‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "\u202f": " ", "\xa0": " ", "\t": " "})


def plain(text: str) -> str:
    """Return the text with straight quotes and simple spaces, every letter at its old place."""
    return text.translate(_PLAIN)
