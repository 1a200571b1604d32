"""WhatsApp: the text that "Export chat" writes on iPhone and Android.

It has no fixed form: date, clock and notices follow the language and region of the phone. What is always so: a message
begins with date and time (in brackets on iPhone, before a dash on Android), then "Name: ", and goes on over lines that do
not begin so; what nobody said has no name, or (iPhone) begins with U+200E.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from uac_nb.importers.protocol import Format, Message, Options, Reading, daily
from uac_nb.importers.report import Report, shown
from uac_nb.importers.source import Source
from uac_nb.importers.times import ORDERS, civil, clock

_FOUNDED = 2009  # no message is older
_LOOKED_AT = 20  # lines in which a head has to be found
_MARKS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_M = f"[{_MARKS}]*"
_UNMARKED = str.maketrans("", "", _MARKS)
_WORD = r"[^\W\d_](?:[^\d\[\]\n:-]{0,12}?[^\s\d\[\]\n:-])?"  # AM, p. m., klo, 오후
_HEAD = re.compile(
    rf"{_M}(\[?){_M}(\d{{1,4}}){_M}([./-])\s?(\d{{1,2}}){_M}\3\s?(\d{{1,4}})\.?[,،]?\s+{_M}"
    rf"(?:({_WORD})\s?)?(\d{{1,2}})[:.](\d{{2}})(?:[:.](\d{{2}}))?(?:\s?({_WORD}))?"
    r"(?:\]\s?|\s[-–]\s)"
)
_OPEN_QUOTE = re.compile(r'"[^"]*$|“[^”]*$|„[^“”]*$|«[^»]*$')

# What stands for media that were left out. On iPhone: "‎image omitted", "‎Bild weggelassen"; on Android one marker for all.
_OMITTED = re.compile(
    r"\b(omitted|weggelassen|ausgelassen|omitid[oa]s?|omise?s?|omess[oaie]|absente?s?|ocultad[oa]|weggelaten|retirée?|esclus[oa]"
    r"|não revelad[oa]|utelämnad|utelatt|udeladt|pominięt[oya]|vynechán[oa]?|отсутствует|пропущен[оа]?|dahil edilmedi"
    r"|tidak disertakan|bỏ qua)$|省略|생략|مشمول|إدراج",
    re.IGNORECASE,
)
_MARKERS = (
    "media omitted|medien ausgeschlossen|multimedia omitido|archivo omitido|médias omis|media omessi|mídia oculta|"
    "arquivo de mídia oculto|mídia omitida|ficheiro não revelado|media weggelaten|pominięto multimedia|без медиафайлов|"
    "файл пропущено|medya dahil edilmedi|medya atlanmış|media tidak disertakan|media utelämnad|media utelatt|"
    "mediefil udeladt|média vynecháno|média kihagyva|fișier media omis|media jätettiin pois|"
    "メディアは含まれていません|省略多媒體檔案|省略多媒体文件|미디어 파일을 생략한 대화내용|تم استبعاد الوسائط|"
    "video note omitted|video message omitted|view once voice message omitted"
)
_MARKER = frozenset(_MARKERS.split("|"))
_FILE = re.compile(
    r"\S.*\.(jpe?g|png|webp|gif|heic|mp4|mov|3gp|opus|ogg|m4a|mp3|aac|pdf|docx?|xlsx?|pptx?|vcf|txt|zip)"
    r"( \([^()]+\)|\s•\s.*)",
    re.IGNORECASE,
)
_ATTACHED = re.compile(r"<[^<>:]{2,30}: ?[^<>]+\.\w{2,5}>")


class Head(NamedTuple):
    """The beginning of a message: its style (bracket and separator of the date), numbers, words, and what follows."""

    style: tuple[str, str]
    day: tuple[int, int, int]
    time: tuple[int, int, int]
    word: str
    rest: str


@dataclass
class Survey:
    """What only the whole file tells: how its heads look, who speaks, and in which order day and month stand."""

    style: tuple[str, str] = ("", "")
    names: set[str] = field(default_factory=set)
    proofs: dict[str, int] = field(default_factory=dict)  # order: the first line that proves it
    back: dict[str, int] = field(default_factory=lambda: {"dmy": 0, "mdy": 0})  # steps back in time under each order
    halves: bool = False

    def head(self, line: str) -> Head | None:
        """Read a head of this file's style; another may stand in a message that quotes a chat."""
        found = _head(line)
        return found if found and found.style == self.style else None


def fits(source: Source, options: Options) -> bool:
    return source.kind == "text" and any(_head(line) for line in source.head.split("\n")[:_LOOKED_AT])


def messages(reading: Reading) -> Iterator[Message]:
    source, report = reading.source, reading.report
    survey = _survey(source)
    order = reading.options.order or _order(survey, source, report)
    for number, head, below in source.turns(survey.head):
        if head is None:
            for place, line in enumerate(below, number):
                if line.strip():
                    report.odd(place, "stands before the first message", line)
            continue
        at = _time(head, order, source, number)
        said = _said(head.rest, survey.names)
        if said is None or (survey.style[0] and _is_notice(said[1], below)):
            report.system_lines += 1
            continue
        speaker, first = said
        report.media += _is_media(first)
        yield Message("\n".join([first, *below]), at, speaker, session=daily(source.title, at), place=number)


def _survey(source: Source) -> Survey:
    survey = Survey()
    before = {"dmy": (0, 0, 0), "mdy": (0, 0, 0)}
    for number, line in enumerate(source.lines(), 1):
        line = line.rstrip("\r\n")
        head = survey.head(line) if survey.style[1] else _head(line)
        if head is None:
            continue
        survey.style = head.style
        survey.halves = survey.halves or bool(head.word)
        name, colon, _ = head.rest.partition(": ")
        if colon and _name(name) and ":" not in name and not _OPEN_QUOTE.search(name):
            survey.names.add(_name(name))
        a, b, c = head.day
        proof = "ymd" if a > 99 else "dmy" if a > 12 else "mdy" if b > 12 else ""
        if proof:
            survey.proofs.setdefault(proof, number)
        for order, day in (("dmy", (c, b, a)), ("mdy", (c, a, b))):
            survey.back[order] += day < before[order]
            before[order] = day
    return survey


def _order(survey: Survey, source: Source, report: Report) -> str:
    if len(survey.proofs) > 1:
        (one, line), (other, another) = list(survey.proofs.items())[:2]
        clash = f"{_written(one)} by line {line}, {_written(other)} by line {another}"
        raise source.error("", f"the order in its dates changes ({clash}); split it, or name one: format='whatsapp:{one}'")
    if survey.proofs:
        return next(iter(survey.proofs))
    order, why = _likely(survey)
    other = "mdy" if order == "dmy" else "dmy"
    report.note(
        f"day/month order is ambiguous: no date in it has a day above 12; read as {_written(order)}, since {why}; "
        f"if that is wrong, import it as format='whatsapp:{other}'"
    )
    return order


def _likely(survey: Survey) -> tuple[str, str]:
    if survey.back["dmy"] != survey.back["mdy"]:
        return min(survey.back, key=survey.back.__getitem__), "the other order runs backwards in time"
    if survey.style[1] == "/" and survey.halves:
        return "mdy", "a clock of 12 hours and slashes are as in the US"
    return "dmy", "most of the world writes so"


def _written(order: str) -> str:
    return "/".join({"d": "D", "m": "M", "y": "Y"}[part] for part in order if part != "y" or order == "ymd")


def _head(line: str) -> Head | None:
    found = _HEAD.match(line)
    if found is None:
        return None
    bracket, a, separator, b, c, word, hour, minute, second, half = found.groups()
    if bool(bracket) != ("]" in found[0]):
        return None
    day = int(a), int(b), int(c)
    time = int(hour), int(minute), int(second or 0)
    return Head((bracket, separator), day, time, half or word or "", line[found.end() :])


def _time(head: Head, order: str, source: Source, number: int) -> datetime:
    try:
        at = datetime.combine(civil(*head.day, order), clock(*head.time, head.word))
    except KeyError:
        remedy = "set the phone to a 24-hour clock, or to English, and export again"
        raise source.error(number, f"{shown(head.word)!r} is no half of the day that is known; {remedy}") from None
    except ValueError as error:
        raise source.error(number, f"{_shown(head)} read as {_written(order)}: {error}; {_other(order)}") from None
    if at.year < _FOUNDED:
        raise source.error(number, f"{_shown(head)} read as {_written(order)} is before WhatsApp began; {_other(order)}")
    return at


def _shown(head: Head) -> str:
    return f"{head.style[1].join(map(str, head.day))} {':'.join(map(str, head.time))}"


def _other(order: str) -> str:
    return "if its dates are written otherwise, say format='whatsapp:" + "' or '".join(o for o in ORDERS if o != order) + "'"


def _said(rest: str, names: set[str]) -> tuple[str, str] | None:
    """Take the speaker and the words apart; None where nobody speaks."""
    short, colon, text = rest.partition(":")
    if colon and (_name(short) in names or not text):
        return _name(short), text.removeprefix(" ")
    name, colon, text = rest.partition(": ")
    if not colon or not _name(name) or _OPEN_QUOTE.search(name):  # a colon within the new name of a group
        return None
    return _name(name), text


def _name(text: str) -> str:
    return text.translate(_UNMARKED).strip()


def _is_notice(first: str, below: list[str]) -> bool:
    """Whether the words of an iPhone's line are WhatsApp's own: marked, and no media, place (a link) or poll (lines)."""
    return first.startswith("\u200e") and not below and not _is_media(first) and "://" not in first


def _is_media(first: str) -> bool:
    """Whether the first line of a message stands for media. What was written with them stands below."""
    last = _name(first.rsplit("\u200e", 1)[-1])
    text = _name(first)
    if text.startswith("<") and text.endswith(">"):
        return text[1:-1].casefold() in _MARKER or bool(_ATTACHED.fullmatch(text))
    short = len(last.split()) <= 4
    return bool(_FILE.fullmatch(text) or (short and _OMITTED.search(last)))


FORMAT = Format("whatsapp", "a WhatsApp chat (.txt)", fits, messages, dated=True)
