"""OpenAI `messages`: JSON lines or JSON, a conversation each ({"messages": [...]}) or a message each. Mostly without times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from uac_nb.importers.protocol import ROLES, Format, Message, Options, Reading
from uac_nb.importers.report import Place
from uac_nb.importers.shape import items, objects, text, words
from uac_nb.importers.source import Source

_TIMES = ("created_at", "timestamp", "created", "time", "date")
_NOT_SAID = ("tool", "function")


def fits(source: Source, options: Options) -> bool:
    return any(_is_message(one) or any(map(_is_message, items(one, "messages")[:5])) for one in source.sample)


def _is_message(one: Any) -> bool:
    known = text(one, "role") in ROLES or text(one, "role") in _NOT_SAID
    return known and ("content" in one or "tool_calls" in one)


def messages(reading: Reading) -> Iterator[Message]:
    name = reading.source.title
    for place, record in reading.source.records():
        if found := items(record, "messages"):
            reading.report.counts["conversations"] += 1
            session = f"{name} {reading.report.counts['conversations']}".strip()
            for number, message in objects(found, "message", reading.report):
                yield from _message(message, f"{_in(place)}{number}", session, reading)
        elif isinstance(record, Mapping):
            yield from _message(record, place, name, reading)
        else:
            reading.report.odd(place, "not an object", repr(record))


def _in(place: Place) -> str:
    return f"line {place}, " if isinstance(place, int) else f"{place}, " if place else ""


def _message(message: Mapping[str, Any], place: Place, session: str, reading: Reading) -> Iterator[Message]:
    role = text(message, "role")
    said, media = words(message.get("content"))
    if role in _NOT_SAID:
        reading.report.counts["tool messages"] += 1
    elif role not in ROLES:
        reading.report.odd(place, f"role {role!r} is not known", said or repr(dict(message)))
    else:
        reading.report.media += media
        at = reading.at(next((message[key] for key in _TIMES if message.get(key)), None), place)
        yield Message(said, at, text(message, "name"), ROLES[role], session, id=text(message, "id"), place=place)


FORMAT = Format("openai", "OpenAI messages (JSONL or JSON)", fits, messages)
