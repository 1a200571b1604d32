"""Which words of an entry the full-text index holds.

In talk, the words of a question often stand in the turn before the answer, so each message is indexed together with
the two before it in its session. Facts stand alone.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable

from uac_nb.log.rows import Row, unpacked

BEFORE = 2  # turns indexed with each message
INDEXED = ("message", "fact")

# words that tell nothing about what a question is after (the letters are what an apostrophe leaves of 's, 'll, n't …)
_STOP_WORDS = """
a about after again all also am an and any are aren as at be because been before being both but by can could couldn d did
didn do does doesn doing don done during each either else ever every few for from had has hasn have haven having he her here
hers him his how i if in into is isn it its just ll m me might more most much must my no nor not now of off on once one only
or other our ours out over own re s same shall she should shouldn so some such t than that the their theirs them then there
these they this those through to too under until up us ve very was wasn we were weren what when where which while who whom
whose why will with won would wouldn you your yours
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

# scripts written without spaces: each character is a word, and a run of them a phrase
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])"
)


def spaced(text: str) -> str:
    """Return text as the index tokenizes it: characters of unspaced scripts apart, nothing that UTF-8 cannot say."""
    if text.isascii():
        return text
    return _UNSPACED.sub(r" \1 ", text).encode(errors="replace").decode()


def spoken(speaker: str, text: str, caption: str) -> str:
    """Return one turn as it is indexed."""
    return spaced(f"{speaker} {text} {caption}")


class Windows:
    """Yield index text for entries in their order; `before(session)` fetches the turns that were there already."""

    def __init__(self, before: Callable[[str], Iterable[str]]) -> None:
        self._before = before
        self._sessions: dict[str, deque[str]] = {}

    def text(self, row: Row) -> str | None:
        """Return what to index for a row of COLUMNS, None where its kind is not searched or its words are gone."""
        kind, session, speaker, text, caption = row[1], row[6], row[7], row[8], row[9]
        if kind not in INDEXED or not (text or caption):
            return None
        turn = spoken(speaker, text, caption)
        if kind != "message":
            return turn
        turns = self._sessions.get(session)
        if turns is None:
            turns = self._sessions[session] = deque(self._before(session), maxlen=BEFORE)
        window = "\n".join((*turns, turn))
        turns.append(turn)
        return window


def turn_of(row: Iterable[object]) -> str:
    """Return the index text of a row of (speaker, text, caption)."""
    speaker, text, caption = (str(unpacked(value)) for value in row)
    return spoken(speaker, text, caption)
