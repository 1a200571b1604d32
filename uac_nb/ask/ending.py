"""Whether a message says no more than that something is over: "got fired", "quit", "the doctor took me off it".

It names nothing that a record is about, so it is told of by the kind of thing that ends so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from uac_nb.ask.lexicon import ENDINGS
from uac_nb.ask.periods import MONTHS, WEEKDAYS, find
from uac_nb.ask.view import View
from uac_nb.ask.words import bag, content, plain, root

_IT = r"(?: (?:it|that|this|them|those))?"
_GOT = r"(?:got|get|was|were|been|being|am|have been)(?: just)?"
_GAVE = r"(?:handed|gave|given|put) (?:in )?(?:my )?(?:notice|resignation)"
_MAY_NOT = r"(?:told|asked|wants|advised) (?:me|us) to (?:stop|quit|come off|drop)(?: taking)?"
# By a noun of the collection: what the user does or undergoes, and what somebody does "to me", whoever that is.
_SAID: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "job",
        (rf"{_GOT} (?:fired|sacked|dismissed|let go|laid off|made redundant)", "resign(?:ed)?|retired|left|walked out", _GAVE),
        (r"(?:fired|sacked|dismissed) (?:me|us)|laid (?:me|us) off|let (?:me|us) go|made (?:me|us) redundant",),
    ),
    (
        "medicine",
        (
            rf"(?:(?:came|come|coming|went|am|are|got|taken) )?off{_IT}|(?:stopped|quit|dropped) (?:taking|using){_IT}",
            rf"(?:no longer|not) (?:need|needed|take|taking|on){_IT}",
        ),
        (rf"(?:took|taken|take|got|wants) (?:me|us) off{_IT}|switched (?:me|us)|stopped{_IT}", rf"{_MAY_NOT}{_IT}"),
    ),
    (
        "residence",
        (rf"moved(?: out| away| house| home| on)?|{_GOT} (?:evicted|kicked out|thrown out)|sold up",),
        (r"evicted (?:me|us)|(?:kicked|threw) (?:me|us) out",),
    ),
    ("purchase", (rf"(?:sent|took|taken|gave|brought){_IT} back",), (r"took it off my hands",)),
    ("practice", (rf"(?:gave|given|giving){_IT} up",), ()),
)
_UNTOLD = bag("finish complete reach achieve keep end")  # what is done, and not over
_BARE = frozenset((*MONTHS, *WEEKDAYS)) | bag(
    "it that this them those up off out back over now then today yesterday tonight finally sadly already completely eventually "
    "anymore more again thank goodness luckily unfortunately well oh yes so i've we've i'm too since after being"
)
_LITTLE = bag(
    "get was were be have me us my it that this them those just no not in to on go out up home house"
)  # searched for, these find too much
_CLAUSES = re.compile(r"[.!?;,:\n–—]| and | but | because | so ")


def verbs(view: View) -> list[str]:
    """The words to search for: those of messages that may end what a collection holds."""
    said = [word for noun, own, by in _SAID if noun in view.nouns for word in re.findall(r"[a-z]{3,}", " ".join((*own, *by)))]
    return list(dict.fromkeys((*_states(view), *(root(w) for w in said if root(w) not in _LITTLE))))


def ends(text: str, view: View, day: date) -> bool:
    """Whether a text says no more than that one of the records of a collection is over."""
    return any(_is_bare(clause, view, day) for clause in _CLAUSES.split(text))


def _is_bare(clause: str, view: View, day: date) -> bool:
    words = re.sub(r"@p\d+", "", find(plain(clause), day)[0])
    nouns = {word for noun in view.nouns for word in content(noun)}
    around = ({*content(before), *content(after)} for before, after in _around(words, view))
    return any({word for word in each if not word.isdigit()} <= _BARE | nouns for each in around)


def _around(words: str, view: View) -> Iterator[tuple[str, str]]:
    """What stands before and behind the words for an end; who does it "to me" is no matter."""
    states = set(_states(view))
    for m in re.finditer(r"\S+", words):
        if root(m[0]) in states:
            yield words[: m.start()], words[m.end() :]
    for noun, own, by in _SAID:
        if noun in view.nouns:
            yield from ((words[: m.start()], words[m.end() - 1 :]) for m in re.finditer(rf" (?:{'|'.join(own)}) ", words))
            yield from (("", words[m.end() - 1 :]) for m in re.finditer(rf" (?:{'|'.join(by) or '(?!)'}) ", words))


def _states(view: View) -> list[str]:
    """The verbs that bring a record to its end, by the states that there are."""
    choices = {c for s in view.slots if s.name in ("status", "decision") for c in s.choices}
    return [verb for verb, states in ENDINGS.items() if states & choices and verb not in _UNTOLD]
