"""What is no export, or a broken one: each is refused in one line that says what to do, or read and said."""

from __future__ import annotations

import gzip
import io
import json
import os
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.errors import LogError
from uac_nb.importers import FORMATS, drafting, read
from uac_nb.importers import source as opening
from uac_nb.importers.protocol import Options, Reading
from uac_nb.importers.report import Report
from uac_nb.importers.source import Source

CHAT = "25/12/2023, 10:00 - Ann: déjà vu\n25/12/2023, 10:01 - Zoë: “oui”\n"
GPT = json.dumps([{"title": "x", "mapping": {"a": {"message": None, "parent": None}}}])


def zipped(*names: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return made.getvalue()


# file name, its bytes, the beginning of the error (the file name stands for {})
REFUSED: list[tuple[str, bytes, str]] = [
    ("empty.txt", b"", "{} is empty; export it again"),
    ("blank.txt", b" \n\n", "{} holds nothing but blanks; export it again"),
    ("empty.json", b"[]", "{} is empty (a JSON list of 0); export it again"),
    ("empty2.json", b"{}", "{} is empty (an empty JSON object); export it again"),
    ("cut.json", b"[", "{}:1: column 2 (character 1): the JSON ends too early (half a download?); export or copy it again"),
    ("cut2.json", GPT[:-2].encode(), f"{{}}:1: column {len(GPT) - 1} (character {len(GPT) - 2}): the JSON ends too early"),
    ("cut3.json", b'[{"title": "half a wo', "{}:1: column 12 (character 11): the JSON ends too early"),
    ("wrong.json", b'[{"a": 1}\n {"b": 2}]', "{}:2: column 2 (character 11): no JSON: Expecting ',' delimiter"),
    ("deep.json", b"[" * 100_000, "{}: JSON that cannot be read (RecursionError); export it again"),
    ("digits.json", b"[[" + b"9" * 5_000 + b"]]", "{}: JSON that cannot be read (ValueError); export it again"),
    ("cut.jsonl", b'{"text": "a"}\n{"text": "b', "{}:2: column 10 (character 9): the JSON ends too early"),
    ("other.json", b'{"a": 1, "b": [2]}', "{} is in no format that is known (a JSON object with a, b); name its format ("),
    ("numbers.json", b'["a", "b"]', "{} is in no format that is known (a JSON list of 2)"),
    ("notes.txt", b"Buy milk.\n", "{} is in no format that is known (it begins 'Buy milk.\\\\n'); name its format ("),
    ("chat.zip", zipped("a/conversations-000.json", "a/conversations-001.json", "user.png"),
     "{} is a zip; unpack it and import the files one by one: a/conversations-000.json, a/conversations-001.json"),
    ("chat.txt", zipped("x.png"), "{} is a zip; unpack it and import the files one by one (it holds no export that is known)"),
    ("half.zip", zipped("a.json")[:40], "{} is a zip; unpack it"),
    ("chat.gz", gzip.compress(b"x"), "{} is a gzip file; unpack it and import the files one by one"),
    ("chat.pdf", b"%PDF-1.4", "{} is a PDF, not a chat export; export the talk as text or JSON"),
    ("log.sqlite", b"SQLite format 3\0", "{} is a database, not a chat export"),
    ("chat.html", b"<!DOCTYPE html><html>", "{} is a web page; export the talk as JSON or text and import that"),
    ("nul.txt", CHAT.encode("utf-16-le"), "{} is no text (it is full of NUL bytes); save it as UTF-8 text and import that"),
    ("half16.txt", CHAT.encode("utf-16")[:-1], "{} begins as UTF-16 and is not; export or copy it again"),
    ("half8.txt", CHAT.encode()[:-3], "{} ends within a letter (half a download?); export or copy it again"),
    ("torn.txt", "é".encode() + b"ab\xff\n", "{} is damaged: byte 4 is not UTF-8; export or copy it again"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "message"), REFUSED, ids=[name for name, _, _ in REFUSED])
def test_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(LogError) as caught:
        list(read(path).drafts)
    assert str(caught.value).startswith(message.format(name))
    assert "\n" not in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_a_folder_is_refused_with_what_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "slack"
    for number in range(7):
        (folder / "general").mkdir(parents=True, exist_ok=True)
        (folder / "general" / f"2025-01-0{number}.json").write_text("[]")
    with pytest.raises(
        LogError, match=r"^slack is a folder; import the files in it one by one: general.2025-01-00\.json, .* and 2 more$"
    ):
        read(folder)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("nowhere.txt", r"^there is no file nowhere\.txt; check the path$"),
        ("a\0b", r"^a\\x00b cannot be read: .*; check the path and its rights$"),
        ("x" * 5_000, r"^x{80}… \(5,000 characters\) cannot be read: File name too long; check the path and its rights$"),
        (7, r"^int is nothing to import; give a file, a DataFrame, or a list of messages$"),
    ],
)
def test_no_file(given: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LogError, match=message):
        read(given)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "chat.txt")
    with pytest.raises(LogError, match="is no file; save what comes from it to one, and import that"):
        read(tmp_path / "chat.txt")


def test_what_nobody_can_look_into_is_not_said_to_be_empty(tmp_path: Path) -> None:
    for name, content in (("chat.gz", gzip.compress(b"x")), ("half.zip", zipped("a.json")[:40])):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(LogError, match=r"unpack it and import the files one by one$"):
            read(tmp_path / name)


def test_a_cell_of_a_table_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    path.write_text("text,at\n" + "x" * 1_000_002 + ",2025-01-10\n")
    message = "talk.csv:2: more than 1,000,000 characters in one message; split it, or close its quotation mark"
    with pytest.raises(LogError, match=f"^{message}$"):
        list(read(path).drafts)


def test_the_name_of_a_file_cannot_steer_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a\n\x1b[31m.txt"
    path.write_text(CHAT)
    done = read(path)
    drafts = list(done.drafts)
    assert drafts[0].origin == {"file": path.name}
    assert str(done.report).startswith("a\\n\\x1b[31m.txt (whatsapp): 2 messages")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_rights(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(CHAT)
    path.chmod(0)
    with pytest.raises(LogError, match="Permission denied; check the path and its rights"):
        read(path)


# --- encodings ---

ENCODINGS = [
    ("utf-8", []),
    ("utf-8-sig", []),
    ("utf-16", ["not UTF-8: read as UTF-16"]),
    ("cp1252", ["not UTF-8: read as Windows-1252; where letters look wrong, save it as UTF-8 and import that"]),
]


@pytest.mark.parametrize(("encoding", "notes"), ENCODINGS)
def test_encodings_are_read_and_said(tmp_path: Path, encoding: str, notes: list[str]) -> None:
    path = tmp_path / "chat.txt"
    path.write_bytes(CHAT.encode(encoding))
    done = read(path, me="Ann")
    assert [(draft.speaker, draft.text) for draft in done.drafts] == [("Ann", "déjà vu"), ("Zoë", "“oui”")]
    assert done.report.notes == notes


def test_latin_1_is_read_and_said(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_bytes("25/12/2023, 10:00 - Ann: caf\u00e9 \u0081 caf\u00e9".encode("latin-1"))  # 0x81 is nothing in Windows-1252
    done = read(path, me="Ann")
    assert [draft.text for draft in done.drafts] == ["caf\u00e9 \u0081 caf\u00e9"]
    assert done.report.notes == ["not UTF-8: read as Latin-1; where letters look wrong, save it as UTF-8 and import that"]


def test_letters_across_blocks_are_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_BLOCK", 7)
    path = tmp_path / "chat.txt"
    path.write_bytes(CHAT.encode())
    assert len(list(read(path).drafts)) == 2
    path.write_bytes(CHAT.encode() + b"\xff\n")
    with pytest.raises(LogError, match=f"byte {len(CHAT.encode())} is not UTF-8"):
        read(path)


# --- names of formats ---


def test_several_formats_that_fit_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([{"role": "user", "type": "human", "content": "hi"}]))
    with pytest.raises(LogError, match=r"^talk\.json fits several formats: openai, langchain; name one of them as the format$"):
        read(path)
    assert [draft.text for draft in read(path, format="langchain").drafts] == ["hi"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"format": "icq"}, r"^there is no format 'icq'; there are whatsapp, chatgpt, .*dataframe$"),
        ({"format": "chatgpt"}, r"^chat\.txt is not a ChatGPT export \(conversations\.json\); it looks like whatsapp$"),
        ({"format": "dataframe"}, r"^chat\.txt is not a pandas DataFrame with a column of texts; it looks like whatsapp$"),
        ({"format": "jsonl"}, r"^chat\.txt is not JSON lines, or a JSON list, with a key of texts; it looks like whatsapp$"),
        ({"format": "whatsapp", "columns": {"text": "a"}}, r"^whatsapp has no columns to map; leave the columns out$"),
    ],
)
def test_names_of_formats(tmp_path: Path, more: dict[str, Any], message: str) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(CHAT, encoding="utf-8")
    with pytest.raises(LogError, match=message):
        read(path, **more)


def test_an_order_of_dates_where_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(GPT)
    with pytest.raises(LogError, match=r"^chatgpt has no order of dates; name the format chatgpt alone$"):
        read(path, format="chatgpt:dmy")


def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LONGEST_LINE", 1_000)
    path = tmp_path / "chat.txt"
    path.write_text(CHAT + "x" * 5_000, encoding="utf-8")
    with pytest.raises(LogError, match=r"^chat\.txt:3: a line of more than 1,000 characters; this is no text export$"):
        list(read(path).drafts)


def test_files_are_closed_where_an_import_ends_early(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(CHAT, encoding="utf-8")
    with Source.open(path) as source:
        reading = Reading(source, Options(), Report("whatsapp", "chat.txt"))
    lines = drafting.drafts(FORMATS["whatsapp"].messages(reading), reading)
    next(lines)
    (file,) = [file for file in source._files if not file.closed]
    lines.close()  # type: ignore[attr-defined]
    assert file.closed


def test_json_in_one_long_line_is_no_line_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LONGEST_LINE", 50)
    path = tmp_path / "x.json"
    path.write_text(json.dumps([{"role": "user", "content": "hi " * 50}]))
    assert len(list(read(path).drafts)) == 1


TIMES_OUT_OF_RANGE = [
    ("telegram", {"messages": [{"type": "message", "id": 1, "from": "Ann", "date_unixtime": "99999999999999", "text": "hi"}]}),
    ("slack", [{"type": "message", "user": "U1", "text": "hi", "ts": "99999999999999999.1"}]),
    ("mem0", [{"id": "1", "memory": "x", "created_at": "3024-01-01T00:00:00Z"}]),
    ("claude", [{"uuid": "1", "name": "x", "created_at": "soon", "chat_messages": []}]),
    ("gemini", [{"header": "Gemini Apps", "title": "Prompted x", "time": "1700-01-01T00:00:00Z"}]),
    ("chatgpt", [{"title": "x", "create_time": float("nan"), "mapping": {"a": {}}}]),
]


@pytest.mark.parametrize(("name", "data"), TIMES_OUT_OF_RANGE, ids=[name for name, _ in TIMES_OUT_OF_RANGE])
def test_times_out_of_range_are_refused_with_their_place(tmp_path: Path, name: str, data: Any) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(data))
    with pytest.raises(LogError, match=r"^x\.json, (chat 1, )?(message|memory|conversation|item)? ?1: .*(range|not a date)"):
        list(read(path, format=name).drafts)


# --- whatever stands where an export has something else, there is an answer or a LogError ---

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_KEYS = """
title mapping message parent current_node author role content parts content_type metadata create_time recipient chat_messages
sender created_at text attachments files uuid chats list messages type date_unixtime from_id id poll ts user subtype
user_profile memory results relations data kwargs lc name conversation speaker_a session_1 session_1_date_time speaker
dia_id blip_caption img_url header products time safeHtmlItem html
"""
KEYS = _KEYS.split()
NODE = {"message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["x"]}}}
SHAPES: dict[str, Any] = {
    "chatgpt": [{"title": "x", "mapping": {"a": NODE}}],
    "claude": [{"uuid": "1", "name": "x", "chat_messages": [{"sender": "human", "text": "x", "content": [{"type": "text"}]}]}],
    "telegram": {"name": "x", "messages": [{"type": "message", "text": ["x", {"text": "y"}], "from": "z"}]},
    "slack": [{"type": "message", "ts": "1736499600.1", "text": "x", "user": "U1", "user_profile": {"name": "z"}}],
    "mem0": {"results": [{"id": "1", "memory": "x"}]},
    "openai": {"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}]},
    "langchain": [{"type": "human", "data": {"content": "x"}}],
    "locomo": {"conversation": {"speaker_a": "x", "session_1": [{"speaker": "x", "text": "y"}]}},
    "gemini": [{"header": "Gemini", "title": "Prompted x", "time": "2025-01-01T00:00:00Z", "safeHtmlItem": [{"html": "<p>y"}]}],
}  # fmt: skip


def changed(value: Any, path: list[int], new: Any, key: str) -> Any:
    """Put something else at a place in JSON: the branches to take, then what stands there, or under a further key."""
    if not path or not isinstance(value, list | dict) or not value:
        return value | {key: new} if isinstance(value, dict) and len(path) % 2 else new
    at = list(value)[path[0] % len(value)] if isinstance(value, dict) else path[0] % len(value)
    copy = value.copy()
    copy[at] = changed(value[at], path[1:], new, key)
    return copy


@pytest.mark.parametrize("name", SHAPES)
@given(path=st.lists(st.integers(0, 5), max_size=8), new=JSON, key=st.sampled_from(KEYS))
def test_json_of_another_shape_is_no_crash(name: str, path: list[int], new: Any, key: str) -> None:
    data = changed(SHAPES[name], path, new, key)
    if not isinstance(data, list | dict):
        data = [data]
    with suppress(LogError):
        for draft in read(data, format=name).drafts:
            assert draft.text or draft.caption


def test_the_shapes_are_read_as_they_are() -> None:
    for name, data in SHAPES.items():
        assert list(read(data, format=name).drafts), name
    assert set(SHAPES) | {"whatsapp", "markdown", "csv", "jsonl", "dataframe"} == set(FORMATS)
