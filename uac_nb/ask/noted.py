"""Notes, the facts that no type holds: where one answers a question, and where one bears on an answer from records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.recall import MOST, looked_for, roots
from uac_nb.ask.world import evidence, found
from uac_nb.rules import listed, name

FEW = 3  # records of an answer, beyond which notes about each say little


def answer(asked: Asked) -> Answer | None:
    """The notes that have every telling word of a question; None where no note has."""
    words = set(looked_for(asked.question, asked.world.today)[0])
    notes = [note for note in _notes(asked) if words & roots(note.text) and words <= _words(note, asked)][:MOST]
    if not notes:
        return None
    return Answer(
        question=asked.question, value=notes[0].text, text=f"A note says: {' '.join(map(_quoted, notes))}", channel="recalled",
        records=tuple(notes), evidence=evidence(notes), note="this is what was noted, not a checked fact",
    )  # fmt: skip


def beside(answer: Answer, asked: Asked) -> str:
    """What notes say of the few records of an answer; empty where they say nothing."""
    ids = {record.id for record in answer.records}
    notes = [note for note in _notes(asked) if note.about in ids and note.id not in ids] if len(ids) <= FEW else []
    return f"noted besides: {' '.join(map(_quoted, notes[:MOST]))}".rstrip(".") if notes else ""


def _notes(asked: Asked) -> Iterator[Any]:
    yield from (note for view in asked.world.views if view.type.name == "Note" and view.has("text") for note in view.records)


def _words(note: Any, asked: Asked) -> set[str]:
    """The words of a note, and of what it is about."""
    return roots(note.text, *(name(record) for record in found([note.about or ""], asked.world)))


def _quoted(note: Any) -> str:
    return f"“{note.text}” ({'entry' if len(note.source) == 1 else 'entries'} {listed(note.source)})."
