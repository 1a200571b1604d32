"""ChatGPT: `conversations.json` of "Export data". A conversation is a tree; what was talked on is the way to `current_node`.

The order is that of the tree: an answer can carry an earlier time than its question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from uac_nb.importers.protocol import Format, Message, Options, Reading
from uac_nb.importers.report import Place, Report
from uac_nb.importers.shape import inner, items, text
from uac_nb.importers.source import Source
from uac_nb.importers.talks import Talk, conversations, talks
from uac_nb.importers.tree import branches, last_leaf, way

_SAID = ("text", "multimodal_text")
_UNSEEN = (  # contents that are no words to the user
    "thoughts reasoning_recap code execution_output user_editable_context model_editable_context tether_quote "
    "tether_browsing_display system_error computer_output citable_code_output app_pairing_content"
)


def fits(source: Source, options: Options) -> bool:
    return any(inner(one, "mapping") and "title" in one for one in conversations(source.json)[:5])


def messages(reading: Reading) -> Iterator[Message]:
    report = reading.report
    for talk in talks(reading, "title", ("conversation_id", "id"), "create_time"):
        yield from _conversation(talk, reading)
    if found := report.counts["branches"]:
        report.note(f"{found:,} branches (edited questions, answers asked again) are left out")


def _conversation(talk: Talk, reading: Reading) -> Iterator[Message]:
    report = reading.report
    nodes = {id: node for id, node in inner(talk.body, "mapping").items() if isinstance(node, Mapping)}
    parents = {id: text(node, "parent") for id, node in nodes.items()}
    leaf = text(talk.body, "current_node")
    if leaf not in nodes:
        report.note("a conversation without current_node is read to its last message")
        leaf = last_leaf(parents)
    chosen = way(parents, leaf)
    report.counts["nodes"] += len(nodes)
    report.counts["branches"] += branches(parents)
    beside = nodes.keys() - set(chosen)
    report.counts["messages in branches"] += sum(_is_said(inner(nodes[id], "message")) for id in beside)
    for id in chosen:
        message, place = inner(nodes[id], "message"), f"{talk.place}, message {id}"
        if _is_said(message, place, report):
            yield _message(message, id, talk.session, place, reading)


def _is_said(message: Mapping[str, Any], place: Place = "", report: Report | None = None) -> bool:
    """Whether it was shown to the user as somebody's words. What is not known goes to the report."""
    kind = text(message.get("content"), "content_type")
    role = text(message.get("author"), "role")
    hidden = inner(message, "metadata").get("is_visually_hidden_from_conversation")
    if not message or hidden or message.get("recipient") not in (None, "all") or role == "tool" or kind in _UNSEEN.split():
        return False
    if role in ("user", "assistant", "system") and kind in _SAID:
        return True
    if report:
        report.odd(place, f"content {kind!r} of {role!r} is not known", str(message.get("content")))
    return False


def _message(message: Mapping[str, Any], id: str, session: str, place: Place, reading: Reading) -> Message:
    role = text(message.get("author"), "role")
    words, media = _words(message)
    reading.report.media += media
    at = reading.at(message.get("create_time"), place)
    speaker = "ChatGPT" if role == "assistant" else ""
    return Message(words, at, speaker, role, session, id=text(message, "id") or id, place=place)


def _words(message: Mapping[str, Any]) -> tuple[str, int]:
    """The words of a message (typed, or spoken and written down), and how many pictures and files it has."""
    parts = items(message.get("content"), "parts")
    heard = [part if isinstance(part, str) else text(part, "text") for part in parts]
    other = [part for part in parts if isinstance(part, Mapping) and not text(part, "text")]
    return "\n".join(part for part in heard if part), len(other)


FORMAT = Format("chatgpt", "a ChatGPT export (conversations.json)", fits, messages)
