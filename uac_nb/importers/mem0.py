"""mem0: what `Memory.get_all` returns, as a value or saved as JSON. The sentences are mem0's own, about the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from uac_nb.importers.protocol import ROLES, Format, Message, Options, Reading, daily
from uac_nb.importers.report import Place, instant
from uac_nb.importers.shape import items, objects, text
from uac_nb.importers.source import Source

_OWN = ("id", "hash", "user_id", "created_at", "agent_id", "run_id")


def fits(source: Source, options: Options) -> bool:
    return any(text(one, "memory") and any(key in one for key in _OWN) for one in _memories(source.json)[:5])


def _memories(data: Any) -> list[Any]:
    return items(data, "results") if isinstance(data, Mapping) else list(data) if isinstance(data, list | tuple) else []


def messages(reading: Reading) -> Iterator[Message]:
    found = objects(_memories(reading.source.json), "memory", reading.report)
    made = [_message(memory, place, reading) for place, memory in found]
    reading.report.note("these sentences are mem0's own, drawn from what was said")
    if relations := items(reading.source.json, "relations"):
        reading.report.note(f"{len(relations):,} relations of its graph are left out")
    yield from sorted(made, key=_when)


def _when(message: Message) -> datetime:
    return datetime.min.replace(tzinfo=UTC) if message.at is None else instant(message.at)


def _message(memory: Mapping[str, Any], place: Place, reading: Reading) -> Message:
    at = reading.at(memory.get("created_at"), place)
    return Message(
        text(memory, "memory"),
        at,
        role=ROLES.get(text(memory, "role"), "user"),
        session=text(memory, "run_id") or daily("mem0", at),
        id=text(memory, "id"),
        place=place,
    )


FORMAT = Format("mem0", "the memories of mem0 (get_all)", fits, messages)
