"""Gemini: `MyActivity.json` of Google Takeout. An activity is a question with its answer, the newest first.

The question is a title behind a label in the language of the account: "Prompted ", "Eingegebener Prompt: ". One that is not
known is learned where it stands before nearly all questions; else it stays, and the report lists the line. The answer is HTML.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

from uac_nb.importers.protocol import Format, Message, Options, Reading, daily
from uac_nb.importers.report import Place, instant, shown
from uac_nb.importers.shape import items, objects, text
from uac_nb.importers.source import Source

_THING = (  # what was sent: Prompt, Requête, Petición, Pergunta, Domanda, メッセージ …
    "prompt|requête|demande|invite|message|question|petición|solicitud|instrucción|consulta|pregunta|mensaje|comando"
    "|pergunta|solicitação|mensagem|instrução|pedido|richiesta|domanda|messaggio|メッセージ|プロンプト"
)
_SENT = (  # and that it was sent
    "eingegeben(?:e[rs]?)?|gesendete[rs]?|saisie?|envoyée?|posée?|enviad[oa]|introducid[oa]|ingresad[oa]|realizad[oa]|hech[oa]"
    "|inserid[oa]|introduzid[oa]|feit[oa]|inserit[oa]|inviat[oa]|fatt[oa]|送信した|入力した"
)
_TOLD = (
    "gesagt|gefragt|vous avez (?:dit|demandé)|has (?:dicho|preguntado)|dijiste|você (?:disse|perguntou)|disse"
    "|hai (?:detto|chiesto)"
)
_ASKED = re.compile(
    r"Prompted with: |Asked (?:Gemini|Bard): |Prompted |Asked |Said "
    rf"|(?i:(?:(?:{_THING})\s?(?:{_SENT})|(?:{_SENT})\s?(?:{_THING})|{_TOLD})\s?[:：]\s?)"
)
_ASKED_BEHIND = re.compile(r"\s?と(?:入力|質問|言い)(?:しました|ました)$")  # Japanese
_DONE = re.compile(r"(Used|Gave|Created|Added|Selected|Shared|Deleted|Viewed|Visited|Edited|Pinned|Renamed|Exported)\b")
_LABEL = re.compile(r"[^\W\d_][^:：\n]{1,38}[:：]\s?")
_OFTEN, _SHARE = 5, 0.8  # so often, and before so many questions, is what stands before a colon a label
_ATTACHED = re.compile(
    r"\s*(?:Attached (\d+) files?|(\d+) (?:Datei(?:en)? angehängt|fichiers? joints?|archivos? adjuntos?|arquivos? anexados?"
    r"|file allegat[oi]))\.?\s*$"
)
_NAMES = ("gemini", "bard")


def fits(source: Source, options: Options) -> bool:
    return any(_is_ours(one) for one in _activities(source))


def _activities(source: Source) -> list[Any]:
    return list(source.json) if isinstance(source.json, list | tuple) else []


def _is_ours(one: Any) -> bool:
    labels = " ".join([text(one, "header"), *(str(product) for product in items(one, "products"))]).casefold()
    return bool(text(one, "title") and text(one, "time")) and any(name in labels for name in _NAMES)


def messages(reading: Reading) -> Iterator[Message]:
    ours, found = [], []
    for place, one in objects(_activities(reading.source), "item", reading.report):
        if _is_ours(one):
            ours.append((place, one))
        else:
            reading.report.counts["activities elsewhere"] += 1
    label = _learned([text(one, "title") for _, one in ours if _answer(one)])
    if label:
        reading.report.note(
            f"{shown(label.strip())!r} stands before nearly all questions; it is taken for a label, and left out"
        )
    for place, one in ours:
        at = reading.at(one.get("time"), place)
        found.append((instant(at) if at else datetime.min.replace(tzinfo=UTC), list(_turn(one, at, label, place, reading))))
    for _, turn in sorted(found, key=lambda pair: pair[0]):
        yield from turn


def _learned(titles: list[str]) -> str:
    """The label before the questions of an export in a language that is not known; "" where there is none."""
    strange = [title for title in titles if _question(title, "") is None]
    begins = Counter(begin[0] for title in strange if (begin := _LABEL.match(title)))
    label, count = begins.most_common(1)[0] if begins else ("", 0)
    return label if count >= max(_OFTEN, _SHARE * len(strange)) else ""


def _answer(one: Mapping[str, Any]) -> str:
    return "\n\n".join(said for item in items(one, "safeHtmlItem") if (said := plain(text(item, "html"))))


def _question(title: str, label: str) -> str | None:
    """The question in a title, without its label; None where none is known."""
    if asked := _ASKED.match(title):
        return title[asked.end() :]
    if label and title.startswith(label):
        return title.removeprefix(label)
    behind = _ASKED_BEHIND.search(title)
    return title[: behind.start()] if behind else None


def _turn(one: Mapping[str, Any], at: Any, label: str, place: Place, reading: Reading) -> Iterator[Message]:
    """The question and the answer of an activity; nothing of one in which nothing was asked."""
    title, session, answer = text(one, "title"), daily("Gemini", at), _answer(one)
    question = _question(title, label)
    if question is None:
        if _DONE.match(title) or not answer:
            reading.report.system_lines += 1
            return
        reading.report.odd(place, "the label before the question is not known, and is kept", title)
        question = title
    if attached := _ATTACHED.search(question):
        reading.report.media += int(attached[1] or attached[2])
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
