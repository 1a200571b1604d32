"""Slack: the messages of a channel, a file a day in a workspace export.

Who a user id is stands in `users.json`, beside the folders of the channels. The words are kept as people saw them (`<@U…>`,
`<http…>` and `&gt;` are Slack's own writing); where that changes them, the export's writing is kept to the letter in the
data of the entry, and it is what a repeated message is recognised by. A time's digits after the dot only number the
messages of a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from uac_nb.errors import LogError
from uac_nb.importers.protocol import Format, Message, Options, Reading, daily
from uac_nb.importers.report import Place, Report
from uac_nb.importers.shape import inner, items, objects, text
from uac_nb.importers.source import Source

_SAID = frozenset(("", "me_message", "thread_broadcast", "reply_broadcast", "file_share", "file_comment", "bot_message"))
_MARKUP = re.compile(r"<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))  # the only three that Slack writes; "&" last
_MEMBERS = "users.json"
_NAMES = ("real_name", "display_name", "name")
_TS = re.compile(r"\d{9,}\.\d+")


def fits(source: Source, options: Options) -> bool:
    found = _messages(source)[:20]
    return any(text(one, "type") == "message" and _TS.fullmatch(text(one, "ts")) for one in found)


def _messages(source: Source) -> list[Any]:
    data = source.json
    return items(data, "messages") if isinstance(data, Mapping) else list(data) if isinstance(data, list | tuple) else []


def messages(reading: Reading) -> Iterator[Message]:
    found = list(objects(_messages(reading.source), "message", reading.report))
    members = _members(reading.source, reading.report)
    names = _named(members) | _profiles(message for _, message in found)
    channel = reading.source.path.parent.name if reading.source.path and members else reading.source.title
    session = text(reading.source.json, "name") or channel
    for place, message in found:
        if text(message, "type") == "message" and text(message, "subtype") in _SAID:
            yield _message(message, place, session, names, reading)
        else:
            reading.report.system_lines += 1


def _members(source: Source, report: Report) -> list[Any]:
    """The users of the workspace whose export the file lies in; none where it lies elsewhere."""
    path = source.path.absolute().parent.parent / _MEMBERS if source.path else None
    if path is None or not path.is_file():
        return []
    try:
        with Source.open(path) as beside:
            found = list(beside.json) if isinstance(beside.json, list) else []
    except LogError as error:
        report.note(f"ids stand for names, since {error}")
        return []
    report.note(f"names of people are from {_MEMBERS}, beside the folder of the channel")
    return found


def _named(members: Iterable[Any]) -> dict[str, str]:
    found = ((text(one, "id"), text(inner(one, "profile"), *_NAMES) or text(one, *_NAMES)) for one in members)
    return {id: name for id, name in found if id and name}


def _profiles(found: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The names of users, where the messages tell them."""
    profiles = ((text(message, "user"), inner(message, "user_profile")) for message in found)
    return {user: name for user, profile in profiles if (name := text(profile, *_NAMES))}


def _message(message: Mapping[str, Any], place: Place, session: str, names: Mapping[str, str], reading: Reading) -> Message:
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
        daily(session, at),
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
