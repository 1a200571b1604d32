"""What exports of assistants have in common: a list of conversations, each with a title and a start, in no useful order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from uac_nb.importers.protocol import Reading
from uac_nb.importers.report import Place, instant
from uac_nb.importers.shape import items, objects, text


class Talk(NamedTuple):
    """One conversation: where it stands in the file, as it is there, and the name of its session."""

    place: Place
    body: Mapping[str, Any]
    session: str


def conversations(data: Any) -> list[Any]:
    """Return the conversations of an export: a list of them, such a list under a key, or a single one."""
    if isinstance(data, Mapping):
        return items(data, "conversations") or [data]
    return list(data) if isinstance(data, list | tuple) else []


def talks(reading: Reading, title: str, ids: tuple[str, ...], start: str) -> list[Talk]:
    """Return the conversations from the first to the last and count them. Titles that repeat get the id behind them."""
    found = list(objects(conversations(reading.source.json), "conversation", reading.report))
    named = Counter(text(body, title) for _, body in found)
    made = []
    for place, body in found:
        name, id = text(body, title), text(body, *ids)
        session = name if name and named[name] == 1 else " ".join(part for part in (name, id) if part)
        made.append((_started(reading, body.get(start), place), Talk(place, body, session)))
    reading.report.counts["conversations"] = len(made)
    return [talk for _, talk in sorted(made, key=lambda pair: pair[0])]


def _started(reading: Reading, value: Any, place: Place) -> datetime:
    at = reading.at(value, place)
    return datetime.min.replace(tzinfo=UTC) if at is None else instant(at)
