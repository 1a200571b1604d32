"""WhatsApp: the text that "Export chat" writes on iPhone and Android.

It has no fixed form: date, clock and notices follow the language and region of the phone. What is always so: a message
begins with date and time (in brackets on iPhone, before a dash on Android), then "Name: ", and goes on over lines that do
not begin so; what nobody said has no name, or (iPhone) begins with U+200E. See `notices` for those that look like a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from uac_nb.importers.notices import MARKS, Speakers, is_notice, named
from uac_nb.importers.protocol import Format, Message, Options, Reading, daily
from uac_nb.importers.report import Report, shown
from uac_nb.importers.source import Source
from uac_nb.importers.times import ORDERS, civil, clock

_FOUNDED = 2009  # no message is older
_LOOKED_AT = 20  # lines in which a head has to be found
_WORD = r"[^\W\d_](?:[^\d\[\]\n:-]{0,12}?[^\s\d\[\]\n:-])?"  # AM, p. m., klo, 오후
_DATE = (
    rf"(?P<a>\d{{1,4}}){MARKS}(?P<separator>[./-])\s?(?P<b>\d{{1,2}}){MARKS}(?P=separator)\s?(?P<c>\d{{1,4}})\.?"
    r"(?:\s?г\.?)?"
)
_TIME = (
    rf"(?:(?P<before>{_WORD})\s?)?(?P<hour>\d{{1,2}})[:.](?P<minute>\d{{2}})(?:[:.](?P<second>\d{{2}}))?"
    rf"(?:\s?(?P<after>{_WORD}))?"
)
_END = r"(?P<end>\]\s?|\s[-–]\s|:\s)"
_HEADS = (
    re.compile(rf"{MARKS}(?P<bracket>\[?){MARKS}{_DATE}[,،]?{MARKS}\s+{MARKS}{_TIME}{_END}"),
    re.compile(rf"{MARKS}(?P<bracket>\[?){MARKS}{_TIME},\s?{MARKS}{_DATE}{_END}"),  # Vietnamese, and copied from WhatsApp Web
)

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


class Style(NamedTuple):
    """How the heads of a file look: the separator of the date, what ends them, and whether the time stands first."""

    separator: str = ""
    end: str = ""  # "]" on iPhone, "-" on Android, ":" on old iPhones
    is_time_first: bool = False


class Head(NamedTuple):
    """The beginning of a message: its style, numbers, words, and what follows."""

    style: Style
    day: tuple[int, int, int]
    time: tuple[int, int, int]
    word: str
    rest: str


@dataclass
class Survey:
    """What only the whole file tells: how its heads look, who speaks, and in which order day and month stand."""

    style: Style = field(default_factory=Style)
    speakers: Speakers = field(default_factory=Speakers)
    proofs: dict[str, int] = field(default_factory=dict)  # order: the first line that proves it
    back: dict[str, int] = field(default_factory=lambda: {"dmy": 0, "mdy": 0})  # steps back in time under each order
    halves: bool = False

    def head(self, line: str) -> Head | None:
        """Read a head of this file's style; another may stand in a message that quotes a chat."""
        found = _read(line, self.style.is_time_first)
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
        said = survey.speakers.said(head.rest)
        if doubt := survey.speakers.doubt(head.rest):
            report.odd(number, doubt, head.rest)
        if said is None or (not below and _is_notice(said[1], survey.style)):
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
        head = survey.head(line) if survey.style.end else _head(line)
        if head is None:
            continue
        survey.style = head.style
        survey.halves = survey.halves or bool(head.word)
        survey.speakers.see(head.rest)
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
        raise source.error("", f"the order in its dates changes ({clash}); split it, or name one as the format: whatsapp:{one}")
    if survey.proofs:
        return next(iter(survey.proofs))
    order, why = _likely(survey)
    other = "mdy" if order == "dmy" else "dmy"
    report.note(
        f"day/month order is ambiguous: no date in it has a day above 12; read as {_written(order)}, since {why}; "
        f"if that is wrong, import it as the format whatsapp:{other}"
    )
    return order


def _likely(survey: Survey) -> tuple[str, str]:
    if survey.back["dmy"] != survey.back["mdy"]:
        return min(survey.back, key=survey.back.__getitem__), "the other order runs backwards in time"
    if survey.style.separator == "/" and survey.halves:
        return "mdy", "a clock of 12 hours and slashes are as in the US"
    return "dmy", "most of the world writes so"


def _written(order: str) -> str:
    return "/".join({"d": "D", "m": "M", "y": "Y"}[part] for part in order if part != "y" or order == "ymd")


def _head(line: str) -> Head | None:
    return _read(line, False) or _read(line, True)


def _read(line: str, is_time_first: bool) -> Head | None:
    found = _HEADS[is_time_first].match(line)
    if found is None:
        return None
    separator, end, second = found["separator"], found["end"].strip().replace("–", "-"), found["second"]
    if bool(found["bracket"]) != (end == "]") or (end == ":" and (second is None or separator == "-")):
        return None
    day = int(found["a"]), int(found["b"]), int(found["c"])
    time = int(found["hour"]), int(found["minute"]), int(second or 0)
    return Head(Style(separator, end, is_time_first), day, time, found["after"] or found["before"] or "", line[found.end() :])


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
    return f"{head.style.separator.join(map(str, head.day))} {':'.join(map(str, head.time))}"


def _other(order: str) -> str:
    return "if its dates are written otherwise, name the format whatsapp:" + " or ".join(o for o in ORDERS if o != order)


def _is_notice(first: str, style: Style) -> bool:
    """Whether the words of a line are WhatsApp's own. On iPhone they are marked, as media, places (a link) and polls are."""
    marked = style.end == "]" and first.startswith("\u200e") and not _is_media(first) and "://" not in first
    return marked or is_notice(first)


def _is_media(first: str) -> bool:
    """Whether the first line of a message stands for media. What was written with them stands below."""
    last = named(first.rsplit("\u200e", 1)[-1])
    text = named(first)
    if text.startswith("<") and text.endswith(">"):
        return text[1:-1].casefold() in _MARKER or bool(_ATTACHED.fullmatch(text))
    short = len(last.split()) <= 4
    return bool(_FILE.fullmatch(text) or (short and _OMITTED.search(last)))


FORMAT = Format("whatsapp", "a WhatsApp chat (.txt)", fits, messages, dated=True)
