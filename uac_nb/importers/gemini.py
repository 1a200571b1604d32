"""Gemini: `MyActivity.json` of Google Takeout. An activity is a question with its answer, the newest first.

The question is a title behind a verb ("Prompted "); in other languages the verb is not known and stays. The answer is HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

from uac_nb.importers.protocol import Format, Message, Options, Reading, daily
from uac_nb.importers.report import instant
from uac_nb.importers.shape import items, objects, text
from uac_nb.importers.source import Source

_ASKED = re.compile(r"(Prompted with: |Asked Gemini: |Asked Bard: |Prompted |Asked |Said )")
_DONE = re.compile(r"(Used|Gave|Created|Added|Selected|Shared|Deleted|Viewed|Visited|Edited|Pinned|Renamed|Exported)\b")
_ATTACHED = re.compile(r"\s*Attached (\d+) files?\.?\s*$")
_NAMES = ("gemini", "bard")


def fits(source: Source, options: Options) -> bool:
    return any(_is_ours(one) for one in _activities(source))


def _activities(source: Source) -> list[Any]:
    return list(source.json) if isinstance(source.json, list | tuple) else []


def _is_ours(one: Any) -> bool:
    labels = " ".join([text(one, "header"), *(str(product) for product in items(one, "products"))]).casefold()
    return bool(text(one, "title") and text(one, "time")) and any(name in labels for name in _NAMES)


def messages(reading: Reading) -> Iterator[Message]:
    found = []
    for place, one in objects(_activities(reading.source), "item", reading.report):
        if not _is_ours(one):
            reading.report.counts["activities elsewhere"] += 1
            continue
        at = reading.at(one.get("time"), place)
        found.append((instant(at) if at else datetime.min.replace(tzinfo=UTC), list(_turn(one, at, place, reading))))
    for _, turn in sorted(found, key=lambda pair: pair[0]):
        yield from turn


def _turn(one: Mapping[str, Any], at: Any, place: Any, reading: Reading) -> Iterator[Message]:
    """The question and the answer of an activity; nothing of one in which nothing was asked."""
    title, session = text(one, "title"), daily("Gemini", at)
    answer = "\n\n".join(said for item in items(one, "safeHtmlItem") if (said := plain(text(item, "html"))))
    asked = _ASKED.match(title)
    if asked is None and (_DONE.match(title) or not answer):
        reading.report.system_lines += 1
        return
    if asked is None:
        reading.report.odd(place, "the verb before the question is not known, and is kept", title)
    question = title[asked.end() if asked else 0 :]
    if attached := _ATTACHED.search(question):
        reading.report.media += int(attached[1])
        question = question[: attached.start()]
    yield Message(question, at, "", "user", session, place=place)
    yield Message(answer, at, "Gemini", "assistant", session, place=place)


class _Text(HTMLParser):
    """Collects the words of HTML, a block a line."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.quiet = self.exact = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.quiet += tag in ("script", "style")
        self.exact += tag == "pre"
        if tag in ("br", "p", "div", "li", "ul", "ol", "tr", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"):
            self.parts.append("\n- " if tag == "li" else "\n")

    def handle_endtag(self, tag: str) -> None:
        self.quiet -= tag in ("script", "style")
        self.exact -= tag == "pre"
        if tag in ("p", "div", "ul", "ol", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "table"):
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if self.quiet <= 0:
            self.parts.append(data if self.exact > 0 else re.sub(r"\s+", " ", data))


def plain(html: str) -> str:
    r"""Return the words of HTML.

    >>> plain("<p>Take <b>two</b> &amp; rest.</p><ul><li>one</li><li>two</li></ul>")
    'Take two & rest.\n\n- one\n- two'
    """
    reader = _Text()
    reader.feed(html)
    reader.close()
    lines = "".join(reader.parts).split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines)).strip()


FORMAT = Format("gemini", "Gemini from Google Takeout (MyActivity.json)", fits, messages)
