"""Words however they may be written: to find what is left of them, in a project as in a log.

A word is found in compounds and names of code (`xanthoSyrup`, `xantho_syrup`), hyphenated, with soft hyphens or across a
line break, inflected (by the stemmer of the index), and with its umlauts as other keyboards write them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from unicodedata import category, normalize

SHORT, SUBSTRING = 4, 6  # letters under which a word has to stand alone, and from which it is found within others
_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_DOUBLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_HUMP = re.compile(r"(?<=[^\W_A-Z])(?=[A-Z])")
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))", re.IGNORECASE)  # of code and of JSON
_NUMBER = re.compile(r"(?<=[a-z])(?=\d+(?:[^\Wa-z]|\W|$))")  # where one begins in a name of code
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
# within a word: a hyphen, also at the end of a line; "_"; and the seam of two strings of code
_SEAM = re.compile(r"""(?<=[^\W_])(?:[-\u2010\u2011](?:\s|\\[nr])*|_|(["'])\s*\+?\s*["'])(?=[^\W_])""")


def folded(text: str) -> str:
    """Return text in lower case, without marks and what is not seen.

    >>> folded("Mu\\u0308ller, Smørre\\u00adbrød, GROSS")
    'muller, smorrebrod, gross'
    """
    if text.isascii():
        return text.casefold()
    plain = normalize("NFKD", _UNSEEN.sub("", text).casefold().translate(_LETTERS))
    return "".join(c for c in plain if category(c) != "Mn")


def forms(word: str) -> frozenset[str]:
    """Return how a word may be written, folded: with umlauts in one letter or two, and as a stem.

    >>> sorted(forms("Müllers"))
    ['mueller', 'muellers', 'muller', 'mullers']
    """
    one, two = folded(word), folded(normalize("NFC", word).casefold().translate(_DOUBLED))
    plain = {one, two, re.sub("ae|oe|ue", lambda pair: pair[0][0], one)}
    return frozenset(plain | {stem for stem in _stems(plain) if len(stem) >= SHORT})


def _stems(words: Collection[str]) -> Iterator[str]:
    """Yield what the tokenizer of the full-text index makes of single words."""
    single = [(word,) for word in words if word.isalpha()]
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE stems USING fts5 (text, tokenize='porter unicode61 remove_diacritics 2')")
        database.execute("CREATE VIRTUAL TABLE terms USING fts5vocab (stems, row)")
        database.executemany("INSERT INTO stems VALUES (?)", single)
        yield from (term for (term,) in database.execute("SELECT term FROM terms"))


@dataclass(frozen=True)
class Words:
    """Words to look for, in all their forms but those in `besides`, which others say too."""

    told: frozenset[str] = frozenset()
    besides: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.forms)

    @cached_property
    def forms(self) -> frozenset[str]:
        return frozenset(form for word in self.told for form in forms(word)) - self.besides

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(sorted(map(_sought, self.forms), key=len, reverse=True)) or r"(?!)")

    def search(self, text: str) -> bool:
        """Return whether a text holds one of them."""
        return any(map(self._pattern.search, _views(text)))

    def heard(self, text: str) -> set[str]:
        """Return the forms that a text holds."""
        if not self.search(text):
            return set()
        views = _views(text)
        return {form for form in self.forms if any(re.search(_sought(form), view) for view in views)}

    def in_bytes(self, data: bytes) -> bool:
        """Return whether bytes of any kind hold one that is long enough to be no accident, as it was told or folded."""
        lower = data.lower()
        return any(form.encode() in lower for form in self.forms | self.told if len(form) >= SUBSTRING)


def _views(text: str) -> tuple[str, str, str]:
    """Return a text with names of code taken apart, and with what is divided put together."""
    told = _ESCAPE.sub(lambda escape: chr(int(escape[1] or escape[2], 16)), text) if "\\" in text else text
    plain = told if told.isascii() else _UNSEEN.sub("", told)
    apart = _HUMP.sub(" ", plain)
    return folded(apart), folded(_NUMBER.sub(" ", apart)), _SEAM.sub("", folded(plain))


def _sought(form: str) -> str:
    parts = re.findall(r"[^\W_]+", form)
    if len(parts) != 1:
        return r"(?<![^\W_])" + r"[\W_]*".join(map(re.escape, parts)) if parts else re.escape(form)
    start = "" if len(form) >= SUBSTRING and not form.isdigit() else r"(?<![^\W_])"
    end = r"s?(?![^\W_])" if len(form) < SHORT or form.isdigit() else ""
    return f"{start}{re.escape(parts[0])}{end}"
