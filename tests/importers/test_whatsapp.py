"""WhatsApp: the same chat as phones of many languages write it. Headers are by hand, after the forms that phones have."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pytest

from uac_nb.errors import LogError
from uac_nb.importers import detect, read
from uac_nb.importers.report import Report
from uac_nb.log import Draft

LRM, RLM, NNBSP, NBSP = "\u200e", "\u200f", "\u202f", "\u00a0"
EVENING = datetime(2023, 12, 25, 22, 35)
EXACT = datetime(2023, 12, 25, 22, 35, 7)


def imported(tmp_path: Path, text: str, *, format: str | None = None, me: str = "") -> tuple[list[Draft], Report]:
    path = tmp_path / "WhatsApp Chat with Ann.txt"
    path.write_text(text, encoding="utf-8", newline="")
    done = read(path, format=format, me=me)
    return list(done.drafts), done.report


HEADERS = [
    ("25/12/2023, 22:35 - ", EVENING),  # Android, 24 hours
    ("25/12/23, 22:35 - ", EVENING),
    ("12/25/23, 10:35 PM - ", EVENING),  # Android, US
    (f"12/25/23, 10:35{NNBSP}PM - ", EVENING),
    (f"25/12/2023, 10:35{NBSP}pm - ", EVENING),
    ("25/12/2023, 10:35 p. m. - ", EVENING),  # Spanish
    (f"25/12/2023, 10:35 p.{NBSP}m. - ", EVENING),
    ("25/12/2023 10:35 p.m. - ", EVENING),
    ("25.12.23, 22:35 - ", EVENING),  # German
    ("25.12.2023 klo 22.35 - ", EVENING),  # Finnish
    ("25-12-2023 22:35 - ", EVENING),  # Dutch
    ("2023-12-25 22:35 - ", EVENING),
    ("2023-12-25, 10:35 p.m. - ", EVENING),  # Canada
    ("2023/12/25 22:35 - ", EVENING),  # Japanese
    ("2023/12/25 下午10:35 - ", EVENING),  # Chinese
    ("2023. 12. 25. 오후 10:35 - ", EVENING),  # Korean
    ("٢٥/١٢/٢٠٢٣، ١٠:٣٥ م - ", EVENING),  # Arabic
    (f"{RLM}٢٥{RLM}/١٢{RLM}/٢٠٢٣، ١٠:٣٥ م - ", EVENING),
    ("25/12/2023 22:35 – ", EVENING),
    ("[25/12/2023, 22:35:07] ", EXACT),  # iPhone
    ("[25.12.23, 22:35:07] ", EXACT),
    ("[12/25/23, 10:35:07 PM] ", EXACT),
    (f"[12/25/23, 10:35:07{NNBSP}PM] ", EXACT),
    (f"{LRM}[25/12/2023, 22:35:07] ", EXACT),
    ("[25.12.2023 klo 22.35.07] ", EXACT),
    ("[2023-12-25, 22:35:07] ", EXACT),
    ("[25/12/23 22:35:07] ", EXACT),
    ("25.12.2023 ÖS 10:35 - ", EVENING),  # Turkish, 12 hours
    ("25.12.23 г., 22:35 ч. - ", EVENING),  # Bulgarian
    ("25/12/2023, 10:35 μ.μ. - ", EVENING),  # Greek
    ("25.12.2023, 10:35 אחה״צ - ", EVENING),  # Hebrew
    ("25/12/2023, 10:35 ب.ظ. - ", EVENING),  # Persian
    ("25/12/2023 下午10:35 - ", EVENING),  # Hong Kong
    ("2023. 12. 25. 22:35 - ", EVENING),  # Hungarian
    ("25. 12. 2023. 22:35 - ", EVENING),  # Croatian
    ("25/12/2023 22.35 - ", EVENING),  # Danish
    ("22:35, 25/12/2023 - ", EVENING),  # Vietnamese
    ("[10:35 PM, 12/25/2023] ", EVENING),  # copied from WhatsApp Web
    ("12/25/23, 10:35:07 PM: ", EXACT),  # old iPhone
    ("25.12.23 22:35:07: ", EXACT),
]


@pytest.mark.parametrize(("header", "said"), HEADERS)
def test_headers(tmp_path: Path, header: str, said: datetime) -> None:
    (draft,), report = imported(tmp_path, f"{header}Ann: see you at 8 - bring: wine\n", me="Ann")
    assert (draft.said_at, draft.speaker, draft.role) == (said, "Ann", "user")
    assert draft.text == "see you at 8 - bring: wine"
    assert draft.session == "WhatsApp Chat with Ann 2023-12-25"
    assert draft.origin == {"file": "WhatsApp Chat with Ann.txt"}
    assert report.notes == []
    assert detect(tmp_path / "WhatsApp Chat with Ann.txt") == "whatsapp"


@pytest.mark.parametrize(
    ("clock", "hour"),
    [("12:08 AM", 0), ("00:08 a. m.", 0), ("1:08 am", 1), ("12:08 PM", 12), ("12:08 p. m.", 12), ("13:08 PM", 13), ("0:08", 0)],
)
def test_clocks(tmp_path: Path, clock: str, hour: int) -> None:
    (draft,), _ = imported(tmp_path, f"25/12/2023, {clock} - Ann: hi\n")
    assert draft.said_at == datetime(2023, 12, 25, hour, 8)


# --- day and month ---

ORDERS = [
    (["13/1/23, 9:00", "1/2/23, 9:00"], datetime(2023, 2, 1, 9), None),
    (["1/13/23, 9:00", "1/2/23, 9:00"], datetime(2023, 1, 2, 9), None),
    (["1/4/23, 9:00", "2/2/23, 9:00", "2/4/23, 9:00"], datetime(2023, 2, 4, 9), "M/D, since the other order runs backwards"),
    (["4/1/23, 9:00", "2/2/23, 9:00", "4/2/23, 9:00"], datetime(2023, 2, 4, 9), "D/M, since the other order runs backwards"),
    (["2/4/23, 9:00 PM"], datetime(2023, 2, 4, 21), "M/D, since a clock of 12 hours and slashes are as in the US"),
    (["2/4/23, 21:00"], datetime(2023, 4, 2, 21), "D/M, since most of the world writes so"),
    (["2.4.23, 9:00 PM"], datetime(2023, 4, 2, 21), "D/M, since most of the world writes so"),
]


@pytest.mark.parametrize(("heads", "last", "why"), ORDERS)
def test_the_order_of_day_and_month(tmp_path: Path, heads: list[str], last: datetime, why: str | None) -> None:
    drafts, report = imported(tmp_path, "".join(f"{head} - Ann: hi {n}\n" for n, head in enumerate(heads)), me="Ann")
    assert drafts[-1].said_at == last
    said = [note for note in report.notes if "ambiguous" in note]
    assert len(said) == len(report.notes) == (why is not None)
    assert why is None or why in said[0]


def test_a_person_can_name_the_order(tmp_path: Path) -> None:
    (draft,), report = imported(tmp_path, "2/4/23, 9:00 PM - Ann: hi\n", format="whatsapp:dmy", me="Ann")
    assert (draft.said_at, report.notes) == (datetime(2023, 4, 2, 21), [])
    (draft,), _ = imported(tmp_path, "23/04/02, 21:00 - Ann: hi\n", format="whatsapp:ymd", me="Ann")
    assert draft.said_at == datetime(2023, 4, 2, 21)


# --- lines ---


def test_lines_below_belong_to_the_message(tmp_path: Path) -> None:
    quoted = "[25/12/2023, 10:00:00] Bob: quoted"
    text = f"25/12/2023, 10:00 - Ann: one\r\n\r\n  two: three\u2028\r\n{quoted}\r\n25/12/2023, 10:01 - Bob: hm\r\n"
    drafts, report = imported(tmp_path, text)
    assert [draft.text for draft in drafts] == [f"one\n\n  two: three\u2028\n{quoted}", "hm"]
    assert report.not_understood == []


def test_words_are_kept_to_the_letter(tmp_path: Path) -> None:
    words = [" two spaces ", "👩‍👧 🧳", "\u202eabc\u202c", "護照在抽屜裡", "a\rb", "a: b : c", "http://x.org/a:b", "*bold*"]
    drafts, _ = imported(tmp_path, "".join(f"25/12/2023, 10:00 - Ann: {word}\n" for word in words))
    assert [draft.text for draft in drafts] == words


def test_a_name_without_a_blank_behind_the_colon(tmp_path: Path) -> None:
    lines = ["Ann: hi", "Ann:.", "Bob:", "below", "Cleo joined using this link https://x.org/y"]
    text = "25/12/2023, 10:00 - " + "\n25/12/2023, 10:00 - ".join(lines).replace("\n25/12/2023, 10:00 - below", "\nbelow")
    drafts, report = imported(tmp_path, text + "\n")
    assert [(draft.speaker, draft.text) for draft in drafts] == [("Ann", "hi"), ("Ann", "."), ("Bob", "\nbelow")]
    assert report.system_lines == 1


def test_names_are_without_marks(tmp_path: Path) -> None:
    drafts, _ = imported(tmp_path, f"[25/12/2023, 10:00:00] \u202a+12 345 578\u202c: hi\n{LRM}[25/12/2023, 10:00:01] 🤓: ho\n")
    assert [draft.speaker for draft in drafts] == ["+12 345 578", "🤓"]


ANDROID_NOTICES = [
    "Messages and calls are end-to-end encrypted: nobody else can read them",
    "Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt. Mehr erfahren: https://faq.whatsapp.com",
    "Messages and calls are end-to-end encrypted. Tap to learn more.",
    'Ann created group "Family"',
    "Ann added you",
    "+12 345 578 left",
    'Ann changed the subject from "Trip: Rome" to "Trip: Bari"',
    "Ann hat den Betreff zu „Reise: Rom“ geändert",
    ": nobody",
    "Ann a changé le sujet en « Rome »",
]


@pytest.mark.parametrize("notice", ANDROID_NOTICES)
def test_notices_are_counted_and_are_no_messages(tmp_path: Path, notice: str) -> None:
    drafts, report = imported(tmp_path, f"25/12/2023, 10:00 - {notice}\n25/12/2023, 10:00 - Ann: hi\n")
    assert [draft.text for draft in drafts] == ["hi"]
    assert (report.system_lines, report.media) == (1, 0)
    assert report.speakers == {"Ann": 1}


IPHONE_MARKED = [
    ("Messages and calls are end-to-end encrypted.", "notice"),
    ("Ann created this group", "notice"),
    ("This message was deleted.", "notice"),
    ("Verpasster Sprachanruf", "notice"),
    ("image omitted", "media"),
    ("Bild weggelassen", "media"),
    ("imagen omitida", "media"),
    ("audio omitido", "media"),
    ("vidéo absente", "media"),
    ("immagine omessa", "media"),
    ("imagem ocultada", "media"),
    ("afbeelding weggelaten", "media"),
    ("изображение отсутствует", "media"),
    ("画像は省略されました", "media"),
    ("<attached: 00000012-PHOTO-2023-12-25.jpg>", "media"),
    ("<Anhang: 00000012-PHOTO-2023-12-25.jpg>", "media"),
    ("Location: https://maps.google.com/?q=1,2", "words"),
    ("POLL:\nWhich day?\n‎OPTION: Monday (2 votes)", "words"),
]


@pytest.mark.parametrize(("text", "kind"), IPHONE_MARKED)
def test_what_an_iphone_marks(tmp_path: Path, text: str, kind: str) -> None:
    drafts, report = imported(tmp_path, f"[25/12/2023, 10:00:00] Ann: {LRM}{text}\n[25/12/2023, 10:00:01] Ann: hi\n")
    assert [draft.text for draft in drafts[:-1]] == ([] if kind == "notice" else [LRM + text])
    assert (report.system_lines, report.media) == (kind == "notice", kind == "media")


ANDROID_MEDIA = [
    ("<Media omitted>", 1),
    ("<Medien ausgeschlossen>", 1),
    ("<Multimedia omitido>", 1),
    ("<Médias omis>", 1),
    ("<Media omessi>", 1),
    ("<Mídia oculta>", 1),
    ("<Arquivo de mídia oculto>", 1),
    ("<Media weggelaten>", 1),
    ("<Без медиафайлов>", 1),
    ("IMG-20231225-WA0001.jpg (file attached)", 1),
    (f"{LRM}PTT-20231225-WA0002.opus (Datei angehängt)", 1),
    ("VID-20231225-WA0003.mp4 (archivo adjunto)", 1),
    ("<3 you", 0),
    ("<not a marker>", 0),
    ("I omitted the salt", 0),
    ("she said that the whole second part was simply omitted", 0),
    ("my cv.pdf is ready (finally)", 0),
]


@pytest.mark.parametrize(("text", "media"), ANDROID_MEDIA)
def test_media_are_counted_and_their_place_is_kept(tmp_path: Path, text: str, media: int) -> None:
    drafts, report = imported(tmp_path, f"25/12/2023, 10:00 - Ann: {text}\nwith words below\n")
    assert [draft.text for draft in drafts] == [f"{text}\nwith words below"]
    assert report.media == media


def test_what_stands_before_the_first_message_is_listed(tmp_path: Path) -> None:
    drafts, report = imported(tmp_path, "Chat with Ann\n\n25/12/2023, 10:00 - Ann: hi\n")
    assert [draft.text for draft in drafts] == ["hi"]
    assert report.not_understood == [("WhatsApp Chat with Ann.txt:1", "stands before the first message", "Chat with Ann")]


# --- what is refused ---

REFUSED = [
    ("25/12/2023, 10:35 xx - Ann: hi\n", ":1: 'xx' is no half of the day that is known; set the phone to a 24-hour clock"),
    ("25/12/2023, 25:35 - Ann: hi\n", ":1: 25/12/2023 25:35:0 read as D/M: hour must be in 0..23"),
    ("13/13/2023, 10:35 - Ann: hi\n", ":1: 13/13/2023 10:35:0 read as D/M: month must be in 1..12"),
    ("13/1/2023, 9:00 - Ann: hi\n1/13/2023, 9:00 - Ann: hi\n", "the order in its dates changes (D/M by line 1, M/D by line 2)"),
    ("25/12/1999, 10:35 - Ann: hi\n", ":1: 25/12/1999 10:35:0 read as D/M is before WhatsApp began"),
    ("25/12/2566, 10:35 - Ann: hi\n", "the year 2566 is out of range"),
    ("25/12/2023, 10:35 - Ann: " + "x\n" * 600_000, ":1: more than 1,000,000 characters in one message; split it"),
    ("25/12/2023, 10:35 - Ann: " + "x" * 10_000_000, ":1: 10,000,000 characters in one message are too many"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_read_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LogError, match=re.escape(message)) as caught:
        imported(tmp_path, text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_language_that_is_not_known_is_named_as_such(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"looks like a chat, but its dates cannot be read .* set the phone to English"):
        imported(tmp_path, "25 grudnia 2023 o 10:35 - Ann: hi\n25 grudnia 2023 o 10:36 - Bob: ho\n")
