"""Telegram: `result.json` of "Export chat history" (JSON): one chat, or all of an account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from uac_nb.importers.protocol import Format, Message, Options, Reading, daily
from uac_nb.importers.report import Place
from uac_nb.importers.shape import inner, items, objects, text
from uac_nb.importers.source import Source

_MEDIA = ("photo", "file", "media_type", "contact_information", "location_information", "poll")


def fits(source: Source, options: Options) -> bool:
    chats = _chats(source.json)
    return any(text(message, "type") in ("message", "service") for chat in chats for message in items(chat, "messages")[:5])


def _chats(data: Any) -> list[Any]:
    account = [chat for part in ("chats", "left_chats") for chat in items(inner(data, part), "list")]
    return account or ([data] if items(data, "messages") else [])


def messages(reading: Reading) -> Iterator[Message]:
    data = reading.source.json
    owner = inner(data, "personal_information").get("user_id")  # an account's export says whose it is
    mine = f"user{owner}" if owner and not reading.options.me else ""
    for place, chat in objects(_chats(data), "chat", reading.report):
        reading.report.counts["chats"] += 1
        for number, message in objects(items(chat, "messages"), "message", reading.report):
            if text(message, "type") == "message":
                yield _message(message, chat, f"{place}, {number}", mine, reading)
            else:
                reading.report.system_lines += 1


def _message(message: Mapping[str, Any], chat: Mapping[str, Any], place: Place, mine: str, reading: Reading) -> Message:
    at = reading.at(message.get("date_unixtime") or message.get("date"), place)
    who = text(message, "from_id")
    id = message.get("id")
    forwarded = text(message, "forwarded_from")
    reading.report.media += any(message.get(key) for key in _MEDIA)
    return Message(
        _words(message.get("text")),
        at,
        text(message, "from"),
        ("user" if who == mine else "person") if mine else "",
        daily(text(chat, "name") or text(chat, "type"), at),
        who,
        id="" if id is None else f"{chat.get('id', '')}/{id}",  # numbers repeat from chat to chat
        place=place,
        data={"forwarded_from": forwarded} if forwarded else {},
    )


def _words(found: Any) -> str:
    """The words of a message: a string, or pieces that are plain or marked up (bold, a link …)."""
    if isinstance(found, str):
        return found
    pieces = found if isinstance(found, list) else []
    return "".join(piece if isinstance(piece, str) else text(piece, "text") for piece in pieces)


FORMAT = Format("telegram", "a Telegram export (result.json)", fits, messages)
