"""LangChain: messages as its ways of dumping write them, as JSON lines, a list, or under "messages".

{"type": "human", "data": {"content": …}} (messages_to_dict), {"type": "human", "content": …} (model_dump), and
{"lc": 1, "id": [… "HumanMessage"], "kwargs": {"content": …}} (dumps). They have no times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from uac_nb.importers.protocol import ROLES, Format, Message, Options, Reading
from uac_nb.importers.report import Place
from uac_nb.importers.shape import inner, items, objects, text, words
from uac_nb.importers.source import Source

_NOT_SAID = ("tool", "function", "remove")


def fits(source: Source, options: Options) -> bool:
    return any(_opened(one) or any(map(_opened, items(one, "messages")[:5])) for one in source.sample)


def messages(reading: Reading) -> Iterator[Message]:
    for place, record in reading.source.records():
        if found := items(record, "messages"):
            for number, message in objects(found, "message", reading.report):
                yield from _message(message, f"{place or 'list'}, {number}", reading)
        else:
            yield from _message(record, place, reading)


def _opened(message: Any) -> tuple[str, Mapping[str, Any]] | None:
    """Return the kind of a message ("human") and what it holds; None where it is none."""
    if message_id := items(message, "id"):
        kind, body = str(message_id[-1]).removesuffix("Chunk").removesuffix("Message").lower(), inner(message, "kwargs")
    else:
        body = inner(message, "data") or (message if isinstance(message, Mapping) else {})
        kind = text(message, "type").removesuffix("Chunk").removesuffix("Message").lower()
    if kind == "chat":  # the role is the writer's own word
        kind = text(body, "role").lower()
    known = kind in ROLES or kind in _NOT_SAID
    return (kind, body) if known and "content" in body else None


def _message(message: Any, place: Place, reading: Reading) -> Iterator[Message]:
    opened = _opened(message)
    if opened is None:
        reading.report.odd(place, "not a message that is known", repr(message))
        return
    kind, body = opened
    if kind in _NOT_SAID:
        reading.report.counts["tool messages"] += 1
        return
    said, media = words(body.get("content"))
    reading.report.media += media
    yield Message(said, None, text(body, "name"), ROLES[kind], reading.source.title, id=text(body, "id"), place=place)


FORMAT = Format("langchain", "messages dumped by LangChain (JSON or JSONL)", fits, messages)
