"""Slack: the messages of a channel, a file a day in a workspace export.

The words are kept as people saw them (`<@U…>`, `<http…>` and `&gt;` are Slack's own writing); where that changes them, the
export's writing is kept in the data of the entry. A time's digits after the dot only number the messages of a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from uac_nb.importers.protocol import Format, Message, Options, Reading, daily
from uac_nb.importers.report import Place
from uac_nb.importers.shape import inner, items, objects, text
from uac_nb.importers.source import Source

_SAID = frozenset(("", "me_message", "thread_broadcast", "reply_broadcast", "file_share", "file_comment", "bot_message"))
_MARKUP = re.compile(r"<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))  # the only three that Slack writes; "&" last
_TS = re.compile(r"\d{9,}\.\d+")


def fits(source: Source, options: Options) -> bool:
    found = _messages(source)[:20]
    return any(text(one, "type") == "message" and _TS.fullmatch(text(one, "ts")) for one in found)


def _messages(source: Source) -> list[Any]:
    data = source.json
    return items(data, "messages") if isinstance(data, Mapping) else list(data) if isinstance(data, list | tuple) else []


def messages(reading: Reading) -> Iterator[Message]:
    found = list(objects(_messages(reading.source), "message", reading.report))
    names = _names(message for _, message in found)
    for place, message in found:
        if text(message, "type") == "message" and text(message, "subtype") in _SAID:
            yield _message(message, place, names, reading)
        else:
            reading.report.system_lines += 1


def _names(found: Iterator[Mapping[str, Any]]) -> dict[str, str]:
    """The names of users, where the messages tell them."""
    profiles = ((text(message, "user"), inner(message, "user_profile")) for message in found)
    return {user: name for user, profile in profiles if (name := text(profile, "real_name", "display_name", "name"))}


def _message(message: Mapping[str, Any], place: Place, names: dict[str, str], reading: Reading) -> Message:
    ts = text(message, "ts")
    at = reading.at(ts.partition(".")[0], place)
    who = text(message, "user", "bot_id")
    raw = text(message, "text")
    said = _seen(raw, names)
    reading.report.media += len(items(message, "files"))
    return Message(
        said,
        at,
        names.get(who) or text(message, "username"),
        "system" if text(message, "subtype") == "bot_message" else "",
        daily(text(reading.source.json, "name") or reading.source.title, at),
        who,
        id=ts,
        place=place,
        data={"raw": raw} if said != raw else {},
    )


def _seen(raw: str, names: Mapping[str, str]) -> str:
    """Return a text as Slack shows it.

    >>> _seen("&gt; <@U1>: see <http://a.b|this> &amp; <#C1|cats>", {"U1": "Ann"})
    '> @Ann: see this (http://a.b) & #cats'
    """

    def plain(found: re.Match[str]) -> str:
        sign, target, label = found.groups()
        if sign == "@":
            return f"@{names.get(target) or label or target}"
        if sign == "#":
            return f"#{label or target}"
        if sign == "!":
            return label or f"@{target.partition('^')[0]}"
        address = target.removeprefix("mailto:")
        return f"{label} ({address})" if label and label not in target else address

    said = _MARKUP.sub(plain, raw)
    for entity, sign in _ENTITIES:
        said = said.replace(entity, sign)
    return said


FORMAT = Format("slack", "a Slack channel (JSON)", fits, messages, partial=True)
