"""How far an answer has the words of the published one: the token F1 of LOCOMO's own scorer.

Words count by their stems (Porter's, as SQLite makes them), without case, punctuation, articles and "and". It tells how alike
two texts are, not whether they say the same: "not in May" has two thirds of "in May".
"""

from __future__ import annotations

import re
import sqlite3
import string
from collections import Counter
from functools import cache, lru_cache

from uac_nb.measure.eval.questions import Question

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_LISTED, _SEVERAL = 1, 3  # categories: an answer in parts; one that may go on after a semicolon


def overlap(answer: str, question: Question) -> float:
    """Score an answer from 0 to 1, by the rule for the question's category; not for adversarial ones, see `asking`."""
    if question.category == _LISTED:
        parts = [part.strip() for part in question.gold.split(",")]
        said = [part.strip() for part in answer.split(",")]
        return sum(max(f1(one, part) for one in said) for part in parts) / len(parts)
    gold = question.gold.split(";")[0] if question.category == _SEVERAL else question.gold
    return f1(answer, gold.strip())


def f1(answer: str, gold: str) -> float:
    """The harmonic mean of precision and recall over stemmed words, each as often as it stands there.

    >>> round(f1("They danced in Paris", "dancing in Paris"), 3)
    0.857
    """
    said, meant = Counter(stems(answer)), Counter(stems(gold))
    same = (said & meant).total()
    return 2 * same / (said.total() + meant.total()) if same else 0.0


@lru_cache(maxsize=4_096)
def stems(text: str) -> tuple[str, ...]:
    """The stems of a text's words in their order."""
    bare = re.sub(r"\b(a|an|the|and)\b", " ", text.lower().translate(_PUNCTUATION))
    stemmer = _stemmer()
    stemmer.execute("INSERT INTO words (words) VALUES ('delete-all')")
    stemmer.execute("INSERT INTO words (rowid, text) VALUES (1, ?)", (bare.encode(errors="replace").decode(),))
    return tuple(term for (term,) in stemmer.execute("SELECT term FROM stems ORDER BY offset"))


@cache
def _stemmer() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:", check_same_thread=False)
    made.execute("CREATE VIRTUAL TABLE words USING fts5 (text, content='', tokenize='porter unicode61')")
    made.execute("CREATE VIRTUAL TABLE stems USING fts5vocab ('words', 'instance')")
    return made
