"""Of whom words speak: who is asked about has to be who is spoken of.

"I ran five kilometres. Jonas listened." tells nothing of how far Jonas ran, though it has all the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from uac_nb.ask.words import FIRST, bag, is_ordinary, plain, root

People = Sequence[tuple[str, tuple[str, ...]]]  # what somebody is called, and the ids it means

_THIRD = bag("he she his her hers they their theirs")
_SPEAKER = FIRST - {"me", "us"}  # "he told me to run" tells of no "me" who runs
_SECOND = bag("you your yours")
_SUBJECT = re.compile(
    r"\b(?:did|does|do|has|have|had|is|was|are|were|will|can|could|would|should)\s+(?P<who>(?:(?:my|our)\s+)?\w+)",
    re.IGNORECASE,
)
_OWNER = re.compile(r"(?P<who>(?:\b(?:my|our)\s+)?\b\w+)['’]s\b")
_OF = re.compile(r"\bof\s+(?P<who>(?:(?:my|our)\s+)?[A-Z]\w+)")
_END = re.compile(r"[.!?;\n]+")


@dataclass(frozen=True, slots=True)
class Whom:
    """Whom a question asks about: by what words, of which each names them. Empty: the user, or nobody."""

    names: frozenset[str] = frozenset()
    me: bool = False  # the user
    others: frozenset[str] = frozenset()  # the names of all others who are known

    def told_by(self, text: str, speaker: str, about: Iterable[str]) -> bool:
        """Whether what a text says with some words (their roots), it says of them."""
        wanted = set(about) - self.names
        if not self.names and not self.me:
            return True
        own = bool(self.names & set(map(root, plain(speaker).split())))
        if self.names and not own and wanted - set(map(root, plain(text).split())):
            return False  # the other words are of another turn, and perhaps of somebody else
        found = [
            self._fits(of, own=own, here=here)
            for sentence in _END.split(text)
            for of, here in self._spoken_of(sentence, wanted)
        ]
        return all(found) if self.names else not found or any(found)

    def _spoken_of(self, sentence: str, wanted: set[str]) -> Iterator[tuple[str, bool]]:
        """For each of some words, who was named last before it, and whether the sentence names whom we look for."""
        words = [word if word in FIRST else root(word) for word in plain(sentence).split()]
        of = ""
        for word, behind, owned in zip(words, [*words[1:], ""], [*words[2:], "", ""], strict=False):
            another = behind == "'s" and not {word, owned} & wanted  # "Tom's sister", not "Tom's number"
            of = "other" if another else self._role(word, wanted) or of
            if word in wanted:
                yield of, bool(self.names & set(words))

    def _role(self, word: str, wanted: set[str]) -> str:
        """Whom a word stands for; empty for one that names nobody."""
        roles = {"them": self.names, "other": self.others - wanted, "speaker": _SPEAKER, "third": _THIRD, "hearer": _SECOND}
        return next((role for role, words in roles.items() if word in words), "")

    def _fits(self, of: str, *, own: bool, here: bool) -> bool:
        """Whether what is said of somebody is said of them. `own`: they speak; `here`: they are named beside it."""
        if self.me:
            return of not in ("other", "third")
        return {"them": True, "third": not own, "speaker": own, "": own or here}.get(of, False)


def whom(question: str, people: People) -> Whom:
    """Whom a question asks about: the owner ("Marit's number"), or who does it ("did Jonas run")."""
    ids = dict(people)
    names = {word for phrase in ids if (word := _name(phrase)) and not phrase.startswith("my ")}
    for pattern in (_OWNER, _SUBJECT, _OF):
        for m in pattern.finditer(question):
            spoken = plain(m["who"]).strip()
            first, last = spoken.split()[0], spoken.split()[-1]
            if meant := ids.get(spoken) or ids.get(last, ()):
                same = {word for phrase, those in people if set(those) & set(meant) and (word := _name(phrase))}
                return Whom(frozenset(same | {root(last)}), others=frozenset(names - same))
            if spoken in FIRST or (first in FIRST and pattern is not _OWNER):
                return Whom(me=True, others=frozenset(names))
            if not is_ordinary(last) and (pattern is _OWNER or m["who"][0].isupper()):
                return Whom(frozenset({root(last)}), others=frozenset(names - {root(last)}))
    return Whom()


def _name(phrase: str) -> str:
    """The root of a name, or of what somebody is to the user, where that is one word."""
    word = phrase.removeprefix("my ")
    return "" if " " in word or is_ordinary(word) else root(word)
