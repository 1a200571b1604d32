"""CSV, JSON lines, lists and DataFrames: columns named and guessed; whatever is written comes back."""

from __future__ import annotations

import csv
import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.errors import LogError
from uac_nb.importers import read
from uac_nb.importers.report import Report
from uac_nb.log import Draft, Log


def imported(source: Any, **more: Any) -> tuple[list[Draft], Report]:
    done = read(source, **more)
    return list(done.drafts), done.report


def fields(drafts: list[Draft]) -> list[tuple[Any, ...]]:
    return [(draft.said_at, draft.speaker, draft.role, draft.text) for draft in drafts]


# --- round trips ---

# Words of any kind, but: a lone surrogate cannot be written as UTF-8, a message without words is left out, and a file that
# is full of NULs is taken for no text.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40).filter(str.strip)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "text": TEXTS,
            "at": st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.sampled_from([None, UTC])),
            "speaker": TEXTS.map(str.strip),
            "session": TEXTS,
            "caption": st.just("") | TEXTS,
            "role": st.sampled_from(["user", "person", "assistant", "system"]),
        }
    ),
    min_size=1,
    max_size=8,
)


def same(drafts: list[Draft], rows: list[dict[str, Any]]) -> None:
    assert [
        {name: getattr(draft, name) for name in rows[0] if name != "at"} | {"at": draft.said_at} for draft in drafts
    ] == rows


def written(row: dict[str, Any]) -> dict[str, str]:
    return row | {"at": row["at"].isoformat()}


@given(rows=ROWS, delimiter=st.sampled_from(",;\t"))
def test_csv_comes_back(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], delimiter: str) -> None:
    path = tmp_path_factory.getbasetemp() / "talk.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(map(written, rows))
    drafts, report = imported(path)
    same(drafts, rows)
    assert (report.format, report.not_understood) == ("csv", [])


@given(rows=ROWS, ascii=st.booleans(), whole=st.booleans())
def test_json_comes_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], ascii: bool, whole: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "talk.jsonl"
    lines = [json.dumps(written(row), ensure_ascii=ascii) for row in rows]
    path.write_text(f"[{', '.join(lines)}]" if whole else "\n".join(lines), encoding="utf-8", newline="")
    if len(rows) > 1 or whole:
        drafts, report = imported(path)
        assert report.format == "jsonl"
    else:
        drafts, report = imported(path, format="jsonl")
    same(drafts, rows)
    assert report.not_understood == []


@given(rows=ROWS)
def test_what_is_imported_is_in_the_log_once(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]) -> None:
    path = tmp_path_factory.mktemp("log") / "log.sqlite"
    with Log.open(path) as log:
        assert log.load(read(rows).drafts).added == len(rows)
        assert log.load(read(rows).drafts).added == 0
        same(list(log.entries()), rows)
        assert log.verify() is None


def test_a_nul_in_csv_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    path.write_text("at,text\n2025-01-10,a\0b\n")
    assert [draft.text for draft in imported(path)[0]] == ["a\0b"]


def test_a_lone_surrogate_in_json_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text('{"text": "half \\ud83d"}\n{"text": "whole"}\n')
    with Log.open(tmp_path / "log.sqlite") as log:
        log.load(read(path).drafts)
        assert [entry.text for entry in log.entries()] == ["half \ud83d", "whole"]
        assert log.load(read(path).drafts).added == 0


# --- columns ---

GUESSED = [
    ("text", "at", "speaker"),
    ("Message", "Date", "Sender"),
    ("content", "timestamp", "from"),
    (" Body ", "Created At", "Author"),
    ("Text", "said_at", "User name"),
]


@pytest.mark.parametrize(("text", "at", "speaker"), GUESSED)
def test_columns_are_guessed(tmp_path: Path, text: str, at: str, speaker: str) -> None:
    path = tmp_path / "talk.csv"
    path.write_text(f"{speaker},{text},likes,{at}\nJess,hi,3,2025-01-10\n")
    columns = {"speaker": "User name"} if speaker == "User name" else None
    drafts, report = imported(path, me="Jess", columns=columns)
    assert fields(drafts) == [(date(2025, 1, 10), "Jess", "user", "hi")]
    assert drafts[0].session == "talk 2025-01-10"
    assert report.notes == ["columns not read: likes"]


def test_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    path.write_text("wer;was;wann;nr\nJess;hallo;2025-01-10T09:00;7\nAnn;ja;;8\n")
    columns = {"text": "was", "speaker": "wer", "at": "wann", "id": "nr"}
    drafts, report = imported(path, me="Jess", columns=columns)
    assert fields(drafts) == [(datetime(2025, 1, 10, 9), "Jess", "user", "hallo"), (None, "Ann", "person", "ja")]
    assert drafts[1].origin == {"file": "talk.csv", "message": "8"}
    assert report.format == "csv"


def test_words_without_a_speaker_are_the_users(tmp_path: Path) -> None:
    path = tmp_path / "diary.csv"
    path.write_text("date,text\n2025-01-10,slept well\n")
    drafts, report = imported(path)
    assert (fields(drafts), report.notes) == ([(date(2025, 1, 10), "", "user", "slept well")], [])


def test_rows_that_do_not_fit_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    path.write_text('at,text\n2025-01-10,"two\nlines"\n2025-01-11,a,b\n\n2025-01-12\n2025-01-13,\n2025-01-14,end\n')
    drafts, report = imported(path)
    assert [draft.text for draft in drafts] == ["two\nlines", "end"]
    assert report.not_understood == [
        ("talk.csv:4", "3 fields, and the header has 2", "2025-01-11, a, b"),
        ("talk.csv:6", "1 fields, and the header has 2", "2025-01-12"),
        ("talk.csv:7", "no text", "{'at': '2025-01-13'}"),
    ]


def test_json_values_that_are_no_messages_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text('{"text": "hi", "at": 1736499600}\n\n7\n{"text": {"a": 1}}\n{"at": 1}\n')
    drafts, report = imported(path)
    assert fields(drafts) == [(datetime(2025, 1, 10, 9, tzinfo=UTC), "", "user", "hi")]
    assert [(odd.place, odd.why) for odd in report.not_understood] == [
        ("talk.jsonl:3", "not an object"),
        ("talk.jsonl:4", "the text is a dict"),
        ("talk.jsonl:5", "no text"),
    ]


def test_a_key_that_comes_late_is_read_and_moves_no_other(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    late = [{"text": "Try the hotel.", "role": "assistant", "content": "no"}, {"text": "No.", "caption": "a pool"}]
    rows = [{"text": f"Hello {n}."} for n in range(9)] + late
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    drafts, _ = imported(path)
    assert [(d.role, d.text, d.caption) for d in drafts[-3:]] == [
        ("user", "Hello 8.", ""),
        ("assistant", "Try the hotel.", ""),
        ("user", "No.", "a pool"),
    ]


def test_a_long_field_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    path.write_text(f"at,text\n2025-01-10,{'x' * 500_000}\n")
    (draft,), _ = imported(path)
    assert len(draft.text) == 500_000


@pytest.mark.parametrize(
    ("format", "said"),
    [("csv:dmy", date(2025, 4, 3)), ("csv:mdy", date(2025, 3, 4))],
)
def test_the_order_of_day_and_month_can_be_named(tmp_path: Path, format: str, said: date) -> None:
    path = tmp_path / "talk.csv"
    path.write_text("at,text\n3/4/2025,hi\n3/4/2025 2:05 PM,ho\n")
    drafts, _ = imported(path, format=format)
    assert [draft.said_at for draft in drafts] == [said, datetime(said.year, said.month, said.day, 14, 5)]


WRONG = [
    ("at,text\n3/4/2025,hi\n", {}, r"^talk\.csv:2: 3/4/2025: the order of day and month is not known; name it .*csv:dmy"),
    ("at,text\n2025-01-10,hi\n2025-02-30,ho\n", {}, r"^talk\.csv:3: 2025-02-30: day is out of range for month"),
    ("at,text\nyesterday,hi\n", {}, r"^talk\.csv:2: yesterday: not a date that can be read; write 2025-01-10 or"),
    ("at,text\n2025-W02,hi\n", {}, r"^talk\.csv:2: 2025-W02: not a date that can be read"),
    ("at,text\n0025-01-10,hi\n", {}, r"^talk\.csv:2: 0025-01-10: the year 25 is out of range"),
    ("at,text\n99999999999999999999,hi\n", {}, r"^talk\.csv:2: 99999999999999999999: .* is out of range"),
    ("role,text\nwizard,hi\n", {}, r"^talk\.csv:2: role 'wizard' is none of user, human, .*; leave the column out"),
    ("at,text\n2025-01-10,hi\n", {"columns": {"text": "words"}}, r"^talk\.csv: there is no column words; there are at, text$"),
    ("at,text\n2025-01-10,hi\n", {"columns": {"body": "text"}}, r"^columns: a message has no body; it has text, at, speaker"),
    (
        "wann,was\n1,2\n",
        {"format": "csv"},
        r"^talk\.csv: which column holds the text\? say columns=\{'text': …\} \(--column text=…\), one of wann, was$",
    ),
    ('at,text\n2025-01-10,"hi\n2025-01-11,ho\n', {}, None),
    ("at,text\n2025-01-10,hi\n", {"format": "csv:ydm"}, r"^the order of dates is dmy or mdy or ymd, not 'ydm'$"),
    ("at,text\n2025-01-10,hi\n", {"zone": "Lisbon"}, r"^zone: 'Lisbon' is no time zone"),
]


@pytest.mark.parametrize(("text", "more", "message"), WRONG)
def test_what_cannot_be_read_is_refused(tmp_path: Path, text: str, more: dict[str, Any], message: str | None) -> None:
    path = tmp_path / "talk.csv"
    path.write_text(text)
    if message is None:  # a quotation mark that is never closed: all below is one text, as CSV has it
        assert [draft.text for draft in imported(path, **more)[0]] == ["hi\n2025-01-11,ho\n"]
        return
    with pytest.raises(LogError, match=message) as caught:
        imported(path, **more)
    assert "\n" not in str(caught.value)


# --- DataFrames ---


def test_a_frame_with_holes(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "when": [pd.Timestamp("2025-01-10 09:00:00.123456789"), pd.NaT, pd.Timestamp("2025-01-12")],
            "Text": ["hi", "ho", None],
            "who": ["Jess", None, "Ann"],
            "n": [1, 2, 3],
        }
    )
    drafts, report = imported(frame, me="Jess", columns={"speaker": "who"})
    assert fields(drafts) == [(datetime(2025, 1, 10, 9, 0, 0, 123456), "Jess", "user", "hi"), (None, "Jess", "user", "ho")]
    assert drafts[0].origin == {}
    assert report.notes == ["columns not read: n"]
    assert [(odd.place, odd.why) for odd in report.not_understood] == [("DataFrame, row 2", "no text")]
    with Log.open(tmp_path / "log.sqlite") as log:
        again: dict[str, Any] = {"me": "Jess", "columns": {"speaker": "who"}}
        assert log.load(read(frame, **again).drafts).added == 2
        assert log.load(read(frame, **again).drafts).added == 0


def test_a_frame_with_zones_and_numbers() -> None:
    frame = pd.DataFrame({"at": pd.to_datetime(["2025-01-10T09:00Z"]).tz_convert("Asia/Tokyo"), "text": ["hi"], "id": [7]})
    (draft,), _ = imported(frame)
    assert str(draft.said_at) == "2025-01-10 18:00:00+09:00"
    assert draft.origin == {"message": "7"}


def test_the_frame_of_a_log_goes_into_another(tmp_path: Path) -> None:
    rows = [{"text": "hi", "at": "2025-01-10T09:00Z", "speaker": "Ann", "session": "s"}, {"text": "ho", "session": "s"}]
    with Log.open(tmp_path / "one.sqlite") as one, Log.open(tmp_path / "two.sqlite") as two:
        one.load(read(rows).drafts)
        two.load(read(one.frame()).drafts)
        kept = ("text", "said_at", "speaker", "session", "role")
        for a, b in zip(one.entries(), two.entries(), strict=True):
            assert [getattr(a, name) for name in kept] == [getattr(b, name) for name in kept]


def test_a_frame_without_a_text_is_refused() -> None:
    with pytest.raises(LogError, match=r"^DataFrame: which column holds the text\? say columns=.* one of a, b$"):
        imported(pd.DataFrame({"a": [1], "b": [2]}))
