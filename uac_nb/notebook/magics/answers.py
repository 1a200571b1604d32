"""Words and the numbers they are about: `%uac_review accept 41 43 refuse 42`, `%uac_alerts acknowledge 1`."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence

from uac_nb.errors import UacError

VERBS = ("accept", "refuse", "never")
ALERTS = ("acknowledge", "snooze")
ALL = "all"


def answers(line: str, waiting: Collection[int]) -> tuple[list[int], list[int], list[int]]:
    """The numbers to accept, to refuse, and to refuse for good; `all` are those of `waiting` that are not named otherwise.

    Raise UacError for words that are no answer.

    >>> answers("accept 41, 43 refuse all", [41, 42, 43])
    ([41, 43], [42], [])
    """
    accept, refuse, never = said(line, VERBS, waiting, "uac_review")
    return accept, refuse, never


def said(line: str, verbs: Sequence[str], known: Collection[int], magic: str) -> list[list[int]]:
    """The numbers behind each verb of a magic; `all` are those `known` that stand behind no other. Raise UacError for others.

    >>> said("snooze 2 acknowledge all", ALERTS, [1, 2, 3], "uac_alerts")
    [[1, 3], [2]]
    """
    named: dict[str, list[int]] = {verb: [] for verb in verbs}
    everything, verb, empty = "", "", False
    for word in line.replace(",", " ").split():
        if word in verbs:
            if empty:
                raise UacError(_nothing(verb, known, magic))
            verb, empty = word, True
        elif not verb:
            raise UacError(_stray(word, verbs, known, magic))
        elif word == ALL:
            if everything:
                raise UacError(f"all can be said once, and stands behind {everything} already")
            everything, empty = verb, False
        elif (number := word.removeprefix("#")).isdecimal():
            named[verb].append(int(number))
            empty = False
        else:
            raise UacError(f"{word!r} is none of {', '.join(verbs)}, and no number")
    if empty:
        raise UacError(_nothing(verb, known, magic))
    if everything:
        others = {number for numbers in named.values() for number in numbers}
        named[everything] += [number for number in known if number not in others]
    return list(named.values())


def _nothing(verb: str, known: Collection[int], magic: str) -> str:
    return f"{verb} what? Write numbers, or all: {_example(verb, known, magic)}"


def _stray(word: str, verbs: Sequence[str], known: Collection[int], magic: str) -> str:
    if word.removeprefix("#").isdecimal() or word == ALL:
        listed = f"{', '.join(verbs[:-1])} or {verbs[-1]}"
        return f"{word!r} stands before {listed}; write {_example(verbs[0], known, magic)}"
    near = difflib.get_close_matches(word, verbs, 1)
    return f"{word!r} is none of {', '.join(verbs)}" + (f"; did you mean {near[0]}?" if near else "")


def _example(verb: str, known: Collection[int], magic: str) -> str:
    return f"%{magic} {verb} {next(iter(known), ALL)}"
