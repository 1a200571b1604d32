"""Which entries are read together: as much as fits, and nothing is left out or cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from uac_nb.log import Entry
from uac_nb.model.meter import PER_TOKEN, tokens
from uac_nb.model.prompts import data
from uac_nb.model.prompts.context import shown

BUDGET = 2_400  # tokens of new entries in one batch; with all that the model sees beside them about 8,000 go out
OVERLAP = 200  # characters that two parts of one long entry share
GAPS = tuple(re.compile(gap) for gap in (r"\n\s*\n", r"[.!?…]\s", r"\s"))  # where a long text is best parted


def batches(entries: Iterable[Entry], budget: int = BUDGET) -> list[list[Entry]]:
    """Entries to be read together, in order: each session whole where it fits, small neighbours together.

    No batch is over the budget, in tokens. An entry that alone is over it is split into parts that overlap; its
    `data["part"]` says which ("2 of 3").
    """
    made: list[list[Entry]] = []
    for _, session in groupby(entries, key=lambda entry: entry.session):
        for run in _runs(session, budget):
            if made and _size(made[-1]) + _size(run) <= budget // 2:
                made[-1] += run
            else:
                made.append(run)
    return made


def _runs(session: Iterable[Entry], budget: int) -> Iterator[list[Entry]]:
    """A session in as few runs of its entries as fit the budget."""
    run: list[Entry] = []
    left = budget
    for entry in (part for whole in session for part in _parts(whole, budget)):
        size = _size([entry])
        if run and size > left:
            yield run
            run, left = [], budget
        run.append(entry)
        left -= size
    if run:
        yield run


def _parts(entry: Entry, budget: int) -> list[Entry]:
    """The entry; where it is too long, parts of it."""
    if _size([entry]) <= budget:
        return [entry]
    room = budget - _size([replace(entry, text="")]) - 10  # what is left for the text beside "part"
    texts = list(_split(entry.text, max(int(room * PER_TOKEN), 2 * OVERLAP)))
    return [replace(entry, text=text, data={**entry.data, "part": f"{n} of {len(texts)}"}) for n, text in enumerate(texts, 1)]


def _split(text: str, most: int) -> Iterator[str]:
    """A text in pieces of at most `most` characters as JSON writes them, each beginning a little before the last one ends."""
    start = 0
    while True:
        end = _end(text, start, most)
        yield text[start:end]
        if end == len(text):
            return
        start = end - min(OVERLAP, (end - start) // 4)


def _end(text: str, start: int, most: int) -> int:
    """Where a piece ends: at the end of the text, else after a paragraph, a sentence or a word, else where it has to."""
    end = min(start + most, len(text))
    while len(data(text[start:end])) > most + 2:  # what is escaped takes more than one character
        end -= max(1, (end - start) // 8)
    if end == len(text):
        return end
    for gap in GAPS:
        if found := [m.end() for m in gap.finditer(text, (start + end) // 2, end)]:
            return found[-1]
    return end


def _size(run: list[Entry]) -> int:
    return sum(tokens(data(shown(entry))) for entry in run)
