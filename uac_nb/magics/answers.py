"""The words behind `%uac_review`: accept 41 43 refuse 42 never 44."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from uac_nb.errors import UacError

VERBS = ("accept", "refuse", "never")
ALL = "all"


def answers(line: str, waiting: Collection[int]) -> tuple[list[int], list[int], list[int]]:
    """The numbers to accept, to refuse, and to refuse for good; `all` are those of `waiting` that are not named otherwise.

    Raise UacError for words that are no answer.

    >>> answers("accept 41, 43 refuse all", [41, 42, 43])
    ([41, 43], [42], [])
    """
    named: dict[str, list[int]] = {verb: [] for verb in VERBS}
    everything, verb, empty = "", "", False
    for word in line.replace(",", " ").split():
        if word in VERBS:
            if empty:
                raise UacError(_nothing(verb, waiting))
            verb, empty = word, True
        elif not verb:
            raise UacError(_stray(word, waiting))
        elif word == ALL:
            if everything:
                raise UacError(f"all can be said once, and stands behind {everything} already")
            everything, empty = verb, False
        elif (number := word.removeprefix("#")).isdecimal():
            named[verb].append(int(number))
            empty = False
        else:
            raise UacError(f"{word!r} is none of {', '.join(VERBS)}, and no number")
    if empty:
        raise UacError(_nothing(verb, waiting))
    if everything:
        others = {number for numbers in named.values() for number in numbers}
        named[everything] += [number for number in waiting if number not in others]
    return named["accept"], named["refuse"], named["never"]


def _nothing(verb: str, waiting: Collection[int]) -> str:
    return f"{verb} what? Write numbers, or all: {_example(verb, waiting)}"


def _stray(word: str, waiting: Collection[int]) -> str:
    if word.removeprefix("#").isdecimal() or word == ALL:
        return f"{word!r} stands before accept, refuse or never; write {_example('accept', waiting)}"
    near = difflib.get_close_matches(word, VERBS, 1)
    return f"{word!r} is none of {', '.join(VERBS)}" + (f"; did you mean {near[0]}?" if near else "")


def _example(verb: str, waiting: Collection[int]) -> str:
    return f"%uac_review {verb} {next(iter(waiting), ALL)}"
