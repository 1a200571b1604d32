"""Claude: `conversations.json` of "Export data". The words are in blocks of content; thinking and tools are not words.

Where a question was edited, messages name their parents: then only the way to the last one was talked on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from uac_nb.importers.protocol import ROLES, Format, Message, Options, Reading
from uac_nb.importers.report import Place
from uac_nb.importers.shape import items, objects, text, words
from uac_nb.importers.source import Source
from uac_nb.importers.talks import Talk, conversations, talks
from uac_nb.importers.tree import branches, last_leaf, way


def fits(source: Source, options: Options) -> bool:
    return any(isinstance(one, Mapping) and "chat_messages" in one for one in conversations(source.json)[:5])


def messages(reading: Reading) -> Iterator[Message]:
    for talk in talks(reading, "name", ("uuid",), "created_at"):
        for place, message in _chosen(talk, reading):
            yield _message(message, f"{talk.place}, {place}", talk.session, reading)
    if found := reading.report.counts["branches"]:
        reading.report.note(f"{found:,} branches (edited questions, answers asked again) are left out")


def _chosen(talk: Talk, reading: Reading) -> list[tuple[Place, Mapping[str, Any]]]:
    """The messages in their order, without those of branches that were left."""
    found = list(objects(items(talk.body, "chat_messages"), "message", reading.report))
    parents = {text(message, "uuid"): text(message, "parent_message_uuid") for _, message in found}
    if not all(parents.values()) or not branches(parents):
        return found
    leaf = text(talk.body, "current_leaf_message_uuid")
    chosen = set(way(parents, leaf if leaf in parents else last_leaf(parents)))
    reading.report.counts["branches"] += branches(parents)
    reading.report.counts["messages in branches"] += len(parents) - len(chosen)
    return [(place, message) for place, message in found if text(message, "uuid") in chosen]


def _message(message: Mapping[str, Any], place: Place, session: str, reading: Reading) -> Message:
    sender = text(message, "sender")
    role = ROLES.get(sender, "")
    if not role:
        reading.report.odd(place, f"sender {sender!r} is not known; taken for another person", text(message, "text"))
    pasted, files = _attached(message)
    reading.report.media += files
    blocks, _ = words(message.get("content"))
    said = "\n".join(part for part in (blocks or text(message, "text"), *pasted) if part)
    speaker = "Claude" if role == "assistant" else "" if role else sender
    at = reading.at(message.get("created_at"), place)
    return Message(said, at, speaker, role or "person", session, id=text(message, "uuid"), place=place)


def _attached(message: Mapping[str, Any]) -> tuple[list[str], int]:
    """A long paste is kept as an attachment without a name, and is what the person said; others are files."""
    attachments = items(message, "attachments")
    pasted = [text(one, "extracted_content") for one in attachments if not text(one, "file_name")]
    return pasted, len(attachments) - len(pasted) + len(items(message, "files"))


FORMAT = Format("claude", "a Claude export (conversations.json)", fits, messages)
