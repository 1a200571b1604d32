"""Importers as a whole: the samples in ../shared/data give what their index says, and what is imported twice is there once."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from uac_nb.errors import LogError
from uac_nb.importers import FORMATS, Import, detect, drafting, read
from uac_nb.importers.protocol import Message, Options, Reading
from uac_nb.importers.report import LISTED, Report
from uac_nb.importers.source import Source
from uac_nb.log import Draft, Log


def all_of(source: Any, **more: Any) -> tuple[list[Draft], Report]:
    done = read(source, **more)
    return list(done.drafts), done.report


# --- the samples ---

FORMAT_OF = {
    "whatsapp-us-12h-nnbsp.txt": "whatsapp",
    "whatsapp-12h-dotted-multiline.txt": "whatsapp",
    "chatgpt-export-real.json": "chatgpt",
    "claude-export-thinking.json": "claude",
    "telegram-batch.json": "telegram",
    "slack-channel-two-days.json": "slack",
}


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, dict[str, Any]]:
    index = json.loads((shared / "imports" / "index.json").read_text(encoding="utf-8"))
    return {item["file"]: item["expect"] for item in index["items"]}


@pytest.fixture(params=FORMAT_OF)
def sample(request: pytest.FixtureRequest, shared: Path) -> tuple[str, Path]:
    return request.param, shared / "imports" / request.param


def moment(text: str) -> datetime:
    """The time that the index writes first, or behind "="."""
    return datetime.fromisoformat(text.rpartition("= ")[2].split(" (")[0])


def test_samples_give_what_the_index_says(sample: tuple[str, Path], expected: dict[str, dict[str, Any]]) -> None:
    name, path = sample
    expect = expected[name]
    drafts, report = all_of(path)
    assert report.format == FORMAT_OF[name] == detect(path)
    assert len(drafts) == report.messages == expect.get("messages", expect.get("visible_messages"))
    assert report.system_lines == expect.get("system_lines", expect.get("system", 0))
    assert report.media == expect.get("media_omitted", 0)
    for what in ("conversations", "nodes", "chats"):
        assert report.counts[what] == expect.get(what, report.counts[what])
    assert report.not_understood == []
    # the index gives a first and a last time to the minute, the second or below
    for said, written in ((report.first, expect["first"]), (report.last, expect["last"])):
        assert isinstance(said, datetime)
        wanted = moment(written)
        exact = "microseconds" if "." in written.split("=")[-1] else "seconds"
        got = said if exact == "seconds" else said.replace(microsecond=said.microsecond // 1000 * 1000)
        assert got == wanted
    speakers = expect.get("speakers")
    if isinstance(speakers, dict):
        assert report.speakers == speakers
    elif speakers:
        assert list(dict.fromkeys(draft.speaker for draft in drafts)) == speakers
    if roles := expect.get("roles"):
        assert report.roles == {{"human": "user"}.get(role, role): count for role, count in roles.items()}
    if title := expect.get("title"):
        assert {draft.session for draft in drafts} == {title}
    if second := expect.get("second_text"):
        assert drafts[1].text == second


def test_samples_keep_the_words_to_the_letter(shared: Path) -> None:
    folder = shared / "imports"
    lines = (folder / "whatsapp-us-12h-nnbsp.txt").read_text(encoding="utf-8").splitlines()
    drafts, report = all_of(folder / "whatsapp-us-12h-nnbsp.txt")
    assert [draft.text for draft in drafts] == [line.split(": ", 1)[1] for line in lines[1:]]  # in the order of the file
    assert any("ambiguous: " in note and "read as M/D" in note for note in report.notes)

    drafts, report = all_of(folder / "whatsapp-12h-dotted-multiline.txt")
    assert [draft.text.count("\n") for draft in drafts] == [0, 0, 1, 0, 0, 0, 1]
    assert drafts[1].text == "."
    assert " : " in drafts[3].text
    assert not any("ambiguous" in note for note in report.notes)  # 01/20 proves the order


def test_chatgpt_sample_is_in_the_order_of_its_tree(shared: Path) -> None:
    drafts, _ = all_of(shared / "imports" / "chatgpt-export-real.json", me="Jess")
    assert [draft.role for draft in drafts] == ["user", "assistant"] * 5
    assert {draft.speaker for draft in drafts if draft.role == "user"} == {"Jess"}
    assert drafts[1].said_at < drafts[0].said_at  # type: ignore[operator]  # the clocks differ, the tree does not


def test_claude_sample_leaves_the_thinking_out(shared: Path) -> None:
    drafts, _ = all_of(shared / "imports" / "claude-export-thinking.json")
    export = json.loads((shared / "imports" / "claude-export-thinking.json").read_text(encoding="utf-8"))
    blocks = [block for message in export[0]["chat_messages"] for block in message["content"]]
    assert [draft.text for draft in drafts] == [block["text"] for block in blocks if block["type"] == "text"]


def test_slack_sample_reads_as_slack_shows_it(shared: Path) -> None:
    drafts, _ = all_of(shared / "imports" / "slack-channel-two-days.json", me="U0AAA0003")
    texts = [draft.text for draft in drafts]
    assert not any("<http" in text or "<@" in text or "&gt;" in text for text in texts)
    assert any(text.startswith('>"') for text in texts)
    assert texts[-1] == ":+1: "
    assert texts[0].startswith("@U0AAA0001: ")
    assert drafts[0].data["raw"].startswith("<@U0AAA0001>: ")
    assert Counter(draft.role for draft in drafts) == {"user": 12, "person": 2}


@pytest.mark.parametrize(("name", "sessions", "turns", "spare"), [("conv-26.json", 19, 419, 16), ("conv-30.json", 19, 369, 0)])
def test_locomo_walks_the_lists(shared: Path, name: str, sessions: int, turns: int, spare: int) -> None:
    sample = json.loads((shared / "locomo" / name).read_text(encoding="utf-8"))
    lists = [value for key, value in sample["conversation"].items() if key.startswith("session_") and isinstance(value, list)]
    assert (len(lists), sum(map(len, lists))) == (sessions, turns)  # the numbers of this table, from the file
    drafts, report = all_of(shared / "locomo" / name)
    assert (report.counts["sessions"], len(drafts)) == (sessions, turns)
    assert [f"{spare} dates of sessions have no session"] * bool(spare) == [n for n in report.notes if "dates of" in n]
    assert [draft.origin["message"] for draft in drafts] == [turn["dia_id"] for turns in lists for turn in turns]


# --- twice ---


def test_the_samples_twice_add_nothing(sample: tuple[str, Path], tmp_path: Path) -> None:
    _, path = sample
    with Log.open(tmp_path / "log.sqlite") as log:
        first, second = log.load(read(path).drafts), log.load(read(path).drafts)
        assert (second.added, len(second.known)) == (0, first.added)
        assert first.added == len(log) > 0
        assert log.verify() is None


UNDATED = '{"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hi"}]}\n'


def test_words_without_a_time_are_known_by_all_before_them(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    with Log.open(tmp_path / "log.sqlite") as log:
        path.write_text(UNDATED * 2)
        assert log.load(read(path).drafts).added == 4  # the same talk twice in one file is two talks
        path.write_text(UNDATED * 3)
        again = log.load(read(path).drafts)
        assert (again.added, len(again.known)) == (2, 4)
        other = path.rename(tmp_path / "other.jsonl")
        assert log.load(read(other).drafts).added == 6  # nothing says that this is the same talk


CHAT = """\
31/01/2025, 10:00 - Ann: ok
31/01/2025, 10:00 - Jess: ok
31/01/2025, 10:00 - Ann: ok
31/01/2025, 10:01 - Ann: see you
"""


def test_a_later_export_of_the_chat_adds_only_what_is_new(tmp_path: Path) -> None:
    path, again = tmp_path / "WhatsApp Chat with Ann.txt", tmp_path / "WhatsApp Chat with Ann (1).txt"
    path.write_text(CHAT)
    again.write_text("".join(CHAT.splitlines(keepends=True)[1:]) + "31/01/2025, 10:02 - Jess: yes\n")  # begins later
    with Log.open(tmp_path / "log.sqlite") as log:
        assert log.load(read(path).drafts).added == 4  # two of them alike
        assert [entry.position for entry in log.entries()] == [0, 0, 1, 0]
        # of the two alike one is left, which is the first of its kind now
        loaded = log.load(read(again).drafts)
        assert (loaded.added, len(loaded.known)) == (1, 3)


def test_nothing_is_loaded_where_a_later_line_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(CHAT + "32/01/2025, 10:02 - Jess: yes\n")
    with Log.open(tmp_path / "log.sqlite") as log:
        with pytest.raises(LogError, match=r"^chat\.txt:5: 32/1/2025 10:2:0 read as D/M: "):
            log.load(read(path).drafts)
        assert len(log) == 0


# --- who is the user ---


@pytest.mark.parametrize(
    ("me", "roles"),
    [
        ("Jess", ["person", "user", "person", "person"]),
        (" jess ", ["person", "user", "person", "person"]),
        ("", ["person"] * 4),
    ],
)
def test_me_is_the_user(tmp_path: Path, me: str, roles: list[str]) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(CHAT)
    drafts, report = all_of(path, me=me)
    assert [draft.role for draft in drafts] == roles
    asked = "nobody is taken for the user; say who of these is (--me NAME; in Python me=…): Ann, Jess"
    assert (asked in report.notes) == (not me)


def test_a_me_that_nobody_is_called_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(CHAT)
    with pytest.raises(
        LogError, match=r"^chat\.txt: nobody is called 'Jessica'; say who of these is \(--me NAME; in Python me=…\): Ann, Jess$"
    ):
        all_of(path, me="Jessica")


# --- times ---


@pytest.mark.parametrize(
    ("at", "zone", "said", "kept"),
    [
        ("2025-01-10", "", date(2025, 1, 10), ""),
        ("2025-01-10T14:30", "", datetime(2025, 1, 10, 14, 30), ""),
        ("2025-01-10 14:30:05", "Asia/Tokyo", datetime(2025, 1, 10, 14, 30, 5), "Asia/Tokyo"),
        ("2025-01-10T23:30:00Z", "", datetime(2025, 1, 10, 23, 30, tzinfo=UTC), ""),
        ("2025-01-10T23:30:00+01:00", "Asia/Tokyo", datetime(2025, 1, 10, 23, 30, tzinfo=timezone(timedelta(hours=1))), ""),
        ("2025-01-10 23:30:00 UTC", "", datetime(2025, 1, 10, 23, 30, tzinfo=UTC), ""),
        (1736551800, "", datetime(2025, 1, 10, 23, 30, tzinfo=UTC), ""),
        ("1736551800", "", datetime(2025, 1, 10, 23, 30, tzinfo=UTC), ""),
        (1736551800000, "", datetime(2025, 1, 10, 23, 30, tzinfo=UTC), ""),
        (1736551800, "Asia/Tokyo", datetime(2025, 1, 11, 8, 30, tzinfo=ZoneInfo("Asia/Tokyo")), ""),
        (date(2025, 1, 10), "", date(2025, 1, 10), ""),
        (None, "", None, ""),
        ("", "", None, ""),
    ],
)
def test_times_keep_their_zone(at: Any, zone: str, said: Any, kept: str) -> None:
    (draft,), report = all_of([{"text": "hi", "at": at}], zone=zone)
    assert draft.said_at == said
    assert str(draft.said_at) == str(said)  # the day as it was lived
    assert draft.zone == kept
    assert report.first == report.last == said


def test_a_first_message_is_not_the_answer_before_its_question() -> None:
    report = Report("x", "x")
    for role, minute in (("assistant", 0), ("user", 1), ("assistant", 2)):
        report.add(Draft(text="x", role=role, said_at=datetime(2025, 1, 1, 0, minute)))
    assert report.first == datetime(2025, 1, 1, 0, 1)
    assert report.last == datetime(2025, 1, 1, 0, 2)
    assert report.backwards == 0


def test_time_that_runs_backwards_is_said() -> None:
    rows = [{"text": "b", "at": "2025-01-02", "session": "s"}, {"text": "a", "at": "2025-01-01", "session": "s"}]
    _, report = all_of(rows)
    assert "time runs backwards at 1 places; the order is that of the file" in report.notes
    assert (report.first, report.last) == (date(2025, 1, 1), date(2025, 1, 2))


# --- the report ---


def test_the_report_fills_while_drafts_are_consumed(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(CHAT)
    chat: Import = read(path)
    assert (chat.format, chat.report.messages) == ("whatsapp", 0)
    next(chat.drafts)
    assert chat.report.messages == 1
    list(chat.drafts)
    assert chat.report.messages == 4
    assert str(chat.report).splitlines() == [
        "chat.txt (whatsapp): 4 messages, from 2025-01-31 10:00:00 to 2025-01-31 10:01:00",
        "speakers: Ann 3, Jess 1",
        "note: nobody is taken for the user; say who of these is (--me NAME; in Python me=…): Ann, Jess",
    ]


def test_what_is_shortened_is_marked_and_what_is_hostile_is_escaped() -> None:
    report = Report("x", "f")
    report.odd(3, "odd", "\x1b[2J\u202e" + "a" * 200)
    (odd,) = report.not_understood
    assert odd == ("f:3", "odd", "\\x1b[2J\\u202e" + "a" * 75 + "… (205 characters)")


def test_places_beyond_the_list_are_counted() -> None:
    report = Report("x", "f")
    for place in range(LISTED + 7):
        report.odd(place, "odd")
    assert len(report.not_understood) == LISTED
    assert "and 7 more places" in str(report)


def test_equal_messages_far_apart_are_told_apart_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafting, "_REMEMBERED", 3)
    marks = drafting.Marks("f")
    at = datetime(2025, 1, 1)
    assert [marks.of(Message(text, at), "", "")[1] for text in "abab"] == [0, 0, 1, 1]
    for text in "cdef":
        marks.of(Message(text, at), "", "")
    assert marks.of(Message("f", at), "", "") == ("", 1)
    assert len(marks._equal) == 3


# --- memory ---

LINES = {
    "chat.txt": ("", "{day:02}/01/2025, 10:{minute:02} - Ann: {text}\n"),
    "talk.jsonl": ("", '{{"at": "2025-01-{day:02}T10:{minute:02}", "speaker": "Ann", "text": "{text}"}}\n'),
    "talk.csv": ("at,speaker,text\n", "2025-01-{day:02}T10:{minute:02},Ann,{text}\n"),
    "talk.md": ("**You:** hi\n", "**Ann:** {text}\n"),
}


@pytest.mark.parametrize("name", LINES)
def test_long_exports_are_streamed(tmp_path: Path, name: str) -> None:
    import tracemalloc

    count, text = 10_000, "x" * 2_000
    header, line = LINES[name]
    with (tmp_path / name).open("w") as file:
        file.write(header)
        for n in range(count):
            file.write(line.format(day=1 + n * 30 // count, minute=n % 60, text=text))
    tracemalloc.start()
    try:
        assert sum(1 for _ in read(tmp_path / name).drafts) >= count
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 6_000_000 < count * len(text) / 3


def test_every_format_is_named_and_described() -> None:
    assert list(FORMATS) == [
        "whatsapp", "chatgpt", "claude", "telegram", "slack", "mem0", "openai", "langchain", "locomo", "gemini", "markdown",
        "csv", "jsonl", "dataframe",
    ]  # fmt: skip
    assert all(name == format.name and format.what for name, format in FORMATS.items())


def test_a_draft_of_a_value_has_no_file() -> None:
    reading = Reading(Source.open([{"text": "hi"}]), Options(), Report("x", "x"))
    (draft,) = drafting.drafts([Message("hi", id="7")], reading)
    assert draft.origin == {"message": "7"}
