"""What can be handed to a user: texts, messages, tables, exports; and what bad ones get."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from uac_nb import User, importers
from uac_nb.errors import LogError, ProjectError, UacError

CHAT = """\
[10/01/2025, 09:00:01] Jess T.: Morning!
[10/01/2025, 09:01:02] Ann: Flying to Lisbon?
on the 13th?
[13/01/2025, 09:02:03] Jess T.: Yes
"""


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    with User.open("jess", tmp_path / "users", today="2025-03-01") as opened:
        yield opened


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    file = tmp_path / "Chat with Ann.txt"
    file.write_text(CHAT)
    return file


def said(user: User) -> list[tuple[str, str, str]]:
    return [(e.role, e.speaker, e.text) for e in user.log.entries()]


def test_an_export_by_its_path(user: User, chat: Path) -> None:
    done = user.ingest(chat, me="Jess T.", zone="Europe/Lisbon")
    assert said(user) == [
        ("user", "Jess T.", "Morning!"),
        ("person", "Ann", "Flying to Lisbon?\non the 13th?"),
        ("user", "Jess T.", "Yes"),
    ]
    assert done.report is not None
    assert (done.report.format, done.report.messages, dict(done.report.speakers)) == ("whatsapp", 3, {"Jess T.": 2, "Ann": 1})
    assert (len(done.entries), done.entries[-1].text, [e.id for e in done.entries[1:]]) == (3, "Yes", [2, 3])
    assert [e.text for e in done.entries] == [e.text for e in user.log.entries()]
    again = user.ingest(chat, me="Jess T.", zone="Europe/Lisbon")
    assert (list(again.entries), list(again.known)) == ([], [1, 2, 3])
    assert len(user.ingest(chat, me="Jess T.", zone="Europe/Lisbon", again=True).entries) == 3


def test_telling_a_sentence_loads_no_importer(tmp_path: Path) -> None:
    code = f"""
import sys
from uac_nb import User
with User.open("jess", {str(tmp_path)!r}) as user:
    user.ingest("I'm allergic to penicillin.", at="2025-01-10")
print([name for name in sys.modules if name.startswith("uac_nb.importers")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_what_came_of_it_is_one_line(user: User, chat: Path) -> None:
    assert repr(user.ingest(chat, me="Jess T.")) == "<Ingested: 3 added>"
    assert repr(user.ingest(chat, me="Jess T.")) == "<Ingested: 0 added, 3 there already>"
    user.ingest("I'm allergic to penicillin.\n\nWhat a day!", at="2025-01-10")
    done = repr(user.checkpoint(today="2025-01-14"))
    assert done.startswith("<Checkpoint: 4 changes in health by patterns; 4 messages: ")
    assert done.endswith("; 0 alerts>")
    source = user.source("health")
    edited = user.edit("health", source.text.replace('"penicillin allergy"', '"drug allergy"', 1), source.base)
    assert repr(edited).startswith("<Edited health: ")
    assert "\n" not in done + repr(edited)


def test_a_table(user: User) -> None:
    table = pd.DataFrame({"Body": ["Hello", "Hi"], "When": ["2025-01-10", "2025-01-11"], "Who": ["Jess", "Ann"]})
    user.ingest(table, me="Jess", columns={"text": "Body", "at": "When", "speaker": "Who"})
    assert said(user) == [("user", "Jess", "Hello"), ("person", "Ann", "Hi")]
    assert user.entry(2).said_at == date(2025, 1, 11)


@pytest.mark.parametrize("what", ["chat", [{"text": "Hello", "at": "2025-01-10"}, {"text": "Hi", "at": "2025-01-12"}]])
def test_a_dry_run_adds_nothing(user: User, chat: Path, what: Any) -> None:
    done = user.ingest(chat if what == "chat" else what, dry_run=True)
    assert len(user.log) == 0
    assert done.report is not None
    assert done.report.messages == (3 if what == "chat" else 2)
    assert str(done.report.first)[:10] == "2025-01-10"
    assert str(done).endswith("nothing was added: a dry run")


def test_times_without_a_zone_are_of_the_zone_that_is_named(user: User) -> None:
    user.ingest("Hello", at="2025-07-10T09:00", zone="Europe/Lisbon")
    user.ingest("Hi", at="2025-07-10T09:00+02:00", zone="Europe/Lisbon")
    first, second = user.log.entries()
    assert first.moment == datetime.fromisoformat("2025-07-10T09:00+01:00")
    assert (second.zone, second.moment) == ("", datetime.fromisoformat("2025-07-10T09:00+02:00"))


def test_progress(user: User, chat: Path) -> None:
    steps: list[tuple[int, int, str]] = []
    user.ingest(chat, me="Ann", on_progress=lambda *step: steps.append(step))
    assert steps == [(3, 0, "reading"), (3, 3, "writing")]


# --- what cannot be taken ---


def made(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def zipped(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "export.zip", "w") as archive:
        archive.writestr("chat.txt", CHAT)
    return folder / "export.zip"


BAD = {
    "truncated JSON": (lambda f: made(f, "x.json", '[{"role": "user", "content": "Hello'), "half a download"),
    "wrong JSON": (lambda f: made(f, "x.json", '[{"a": 1}, {"b": 2}]'), "in no format that is known"),
    "a zip": (zipped, "unpack it and import the files one by one: chat.txt"),
    "a folder": (lambda f: f, "is a folder; import the files in it one by one"),
    "nothing": (lambda f: made(f, "x.txt", ""), "is empty"),
    "no file": (lambda f: f / "x.txt", "there is no file"),
    "a picture": (lambda f: made(f, "x.png", b"\x89PNG\r\n"), "is a picture, not a chat export"),
    "an unknown clock": (
        lambda f: made(f, "x.txt", CHAT.replace("09:02:03]", "09:02:03 zzz]")),
        "'zzz' is no half of the day that is known",
    ),
    "a date out of range": (lambda f: made(f, "x.txt", CHAT + "[45/45/2025, 09:00:00] Ann: x\n"), "month must be in 1..12"),
    "10 MB in one message": (
        lambda f: made(f, "x.jsonl", "\n".join(json.dumps({"role": "user", "content": "x" * n}) for n in (1, 10**7))),
        "10,000,000 characters in one message are too many",
    ),
    "nobody of that name": (lambda f: made(f, "x.txt", CHAT), "nobody is called 'Zoe'"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_one_clear_line_and_adds_nothing(user: User, tmp_path: Path, name: str) -> None:
    make, words = BAD[name]
    folder = tmp_path / "exports"
    folder.mkdir()
    user.ingest("before")
    with pytest.raises(LogError) as error:
        user.ingest(make(folder), me="Zoe" if name == "nobody of that name" else "")
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert [e.text for e in user.log.entries()] == ["before"]


@pytest.mark.parametrize(
    ("what", "options", "words"),
    [
        (42, {}, "int is nothing to ingest; give a text, a list of messages"),
        ({"text": "one"}, {}, "dict is nothing to ingest"),
        (["one"], {}, "a message is a mapping with text"),
        ("one", {"format": "whatsapp"}, "format and columns are for an export"),
        (Path("x.txt"), {"speaker": "Ann"}, "an export says itself who spoke and when"),
        (Path("x.txt"), {"zone": "Mars"}, "there is no file"),
        ("one", {"at": "9999-12-31"}, "9999-12-31: the year 9999 is out of range"),
        ([{"text": "one", "at": date(1, 1, 1)}], {}, "0001-01-01: the year 1 is out of range"),
        ("one", {"at": "2025-W02"}, "'2025-W02' is not a date that can be read"),  # no day is invented
        ("one", {"at": 2025}, "'2025' is not a date that can be read"),
    ],
)
def test_what_makes_no_sense_is_refused(user: User, what: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(LogError, match=words):
        user.ingest(what, **options)
    assert len(user.log) == 0


def test_a_path_given_as_text_is_not_kept_as_words(user: User, chat: Path) -> None:
    with pytest.raises(LogError, match=r"is a file; give it as pathlib\.Path"):
        user.ingest(str(chat))


@pytest.mark.parametrize(
    "text",
    [
        "I walked to the park. " * 20,
        "x" * 300 + ".txt",
        "a/" * 400 + "b.txt",
        "I saw him/her at 10 a.m./p.m. near St. Mary's/St. Paul's.",
        "notes.txt",
        "~",
        "~/notes.txt",
        "~nobody/notes.txt",
        "C:\\",
        "C:\\Users\\jess\\notes.txt",
        "\\\\server\\share\\notes.txt",
        "/",
        ".",
        "..",
        "/dev/null",
        "/dev/null/notes.txt",
        "chat.txt\nwas a file",
        "chat.txt ",
        "file:///etc/hosts.txt",
        "con.txt",
        "x\u202etxt.exe",
        "é" * 200 + ".txt",
        "notes\0.txt",
        "\ud800.txt",
    ],
)
def test_a_text_is_a_text_whatever_it_looks_like(user: User, chat: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.chdir(chat.parent)
    assert [entry.text for entry in user.ingest(text).entries] == [text]


@pytest.mark.parametrize("path", ["x" * 300, "a/" * 3_000, "notes\0.txt", "\ud800.txt", "/dev/null", "/", "no/such.txt"])
def test_a_path_that_is_no_file_to_import_is_refused_as_one(user: User, path: str) -> None:
    with pytest.raises(LogError):
        user.ingest(Path(path))


def much(user: User) -> str:
    return str(user.ingest([{"text": "x" * 10_000} for _ in range(1_000)]))


def a_file(user: User) -> str:
    """An import of so little that it is written when the staging file is closed."""
    return str(user.ingest(user.folder.parent / "chat.txt", me="-"))


def look(user: User) -> str:
    """What can be read, and that nothing is written."""
    with pytest.raises(LogError, match=r"it was opened to be read only \(the disk is full, or the folder is read-only;"):
        user.ingest("more")
    return " ".join([*(e.text for e in user.log.entries()), *(hit.entry.text for hit in user.log.search("before"))])


def within(limit: Any, act: Any, home: Path, result: multiprocessing.Queue[str]) -> None:
    """In a process of its own: do something with a user, under a limit."""
    try:
        importers.detect(home / "chat.txt")  # loads what it needs, which without rights could not be loaded
        limit(home)
        with User.open("jess", home) as user:
            result.put(act(user))
    except Exception as error:  # what is no UacError is told by its name
        result.put(str(error) if isinstance(error, UacError) else repr(error))


def no_room(home: Path) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))


def hardly_any_room(home: Path) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))


def read_only(home: Path) -> None:
    for path in (*home.rglob("*"), home):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if os.geteuid() == 0:  # whom no mode stops
        home.parent.chmod(0o755)
        os.seteuid(65534)


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder that others may enter, too; that of `tmp_path` they may not."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


WITHIN = [
    (no_room, much, "nothing was added"),
    (hardly_any_room, a_file, "may not grow further and nothing was added"),
    (read_only, much, "read-only"),
    (read_only, a_file, "Permission denied"),
    (read_only, look, "before before"),
]


@pytest.mark.parametrize(("limit", "act", "words"), WITHIN)
def test_no_room_and_no_right_are_one_line_and_add_nothing(reachable: Path, limit: Any, act: Any, words: str) -> None:
    home = reachable / "users"
    with User.open("jess", home) as user:
        user.ingest("before")
    (home / "chat.txt").write_text("25/12/2023, 10:00 - Ann: hi\n")
    forked = multiprocessing.get_context("fork")
    result: Any = forked.Queue()
    child = forked.Process(target=within, args=(limit, act, home, result))
    child.start()
    said = result.get(timeout=60)
    child.join()
    for path in (home, *home.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    assert words in said
    assert "\n" not in said
    with User.open("jess", home) as user:
        assert [e.text for e in user.log.entries()] == ["before"]
        assert user.log.verify() is None


def test_a_log_of_a_newer_version(tmp_path: Path) -> None:
    import sqlite3

    with User.open("jess", tmp_path) as user:
        path = user.log.path
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version = 99")
    raw.close()
    with pytest.raises(LogError, match=r"written by a newer uac_nb \(log version 99, this one reads \d+\); update uac_nb"):
        User.open("jess", tmp_path)


# --- copies ---


def told(user: User) -> User:
    user.ingest([{"text": "I'm allergic to penicillin."}, {"text": "Flying to Lisbon on 10 March 2025."}], at="2025-01-10")
    user.checkpoint()
    return user


def test_a_user_comes_back_from_an_export(user: User, tmp_path: Path) -> None:
    from uac_nb.log import export

    export(told(user).log, tmp_path / "jess.jsonl")
    with User.restore("ana", tmp_path / "jess.jsonl", tmp_path / "users") as ana:
        assert ana.workspace.files() == user.workspace.files() != {}
        assert [c.id for c in ana.history()] == [c.id for c in user.history()]
    with pytest.raises(ProjectError, match="ana has a log already"):
        User.restore("ana", tmp_path / "jess.jsonl", tmp_path / "users")


def test_a_damaged_archive_makes_no_user(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="is not the header of an exported log"):
        User.restore("ana", made(tmp_path, "x.jsonl", "{}\n"), tmp_path / "users")
    assert User.names(tmp_path / "users") == []
    assert not (tmp_path / "users" / "ana").exists()


def test_a_log_older_than_its_project_is_told_and_the_remedy_works(user: User, tmp_path: Path) -> None:
    from uac_nb.log import export

    user.ingest("I'm allergic to penicillin.", at="2025-01-10")
    user.checkpoint()
    files = user.workspace.files()
    export(user.log, tmp_path / "old.jsonl")
    user.ingest("Flying to Lisbon on 10 March 2025.", at="2025-01-11")
    user.checkpoint()
    user.close()
    user.log.path.unlink()
    with pytest.raises(ProjectError, match=r"the log is older than its project .*`uac-nb rebuild jess`, or %uac"):
        User.restore("jess", tmp_path / "old.jsonl", tmp_path / "users")
    with User.open("jess", tmp_path / "users", rebuild=True) as again:
        assert again.workspace.files() == files
    assert "Lisbon" in (again.folder / "project.old" / "travel.py").read_text()
    User.open("jess", tmp_path / "users").close()


def test_who_is_open_is_neither_renamed_nor_deleted(user: User) -> None:
    from uac_nb.store import homes

    home = user.folder.parent
    for act in (lambda: homes.rename("jess", "ana", home), lambda: homes.delete("jess", home)):
        with pytest.raises(ProjectError, match="jess is open in a notebook or a program; close it there first"):
            act()
    user.ingest("still here")
    user.close()
    homes.rename("jess", "ana", home)
    with User.open("ana", home) as ana:
        assert [e.text for e in ana.log.entries()] == ["still here"]
    homes.delete("ana", home)
    assert User.names(home) == []


# --- whose words they are ---

TALK = "[13/01/2025, 09:00:01] Jess Tan: I'm allergic to penicillin.\n[13/01/2025, 09:01:02] Ann: Me too!\n"
WHO = [
    ("jess", "", ["user", "person"]),  # who is called like the user, by the first name
    ("ann", "", ["person", "user"]),
    ("tess", "-", ["person", "person"]),
    ("jess", "Ann", ["person", "user"]),
    ("jess", "-", ["person", "person"]),
]


@pytest.mark.parametrize(("name", "me", "roles"), WHO)
def test_who_is_called_like_the_user_is_the_user(tmp_path: Path, name: str, me: str, roles: list[str]) -> None:
    (tmp_path / "chat.txt").write_text(TALK)
    with User.open(name, tmp_path) as user:
        done = user.ingest(tmp_path / "chat.txt", me=me)
        assert [entry.role for entry in done.entries] == roles
        assert (f"who is called {name} is taken for the user" in str(done)) == (not me)


def test_a_talk_of_which_nobody_is_the_user_is_not_added(tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_text(TALK)
    with User.open("tess", tmp_path) as user:
        assert "nobody is taken for the user" in str(user.ingest(tmp_path / "chat.txt", dry_run=True))
        with pytest.raises(LogError, match=r"say who of these is .*: Jess Tan, Ann; or - where none of them is\. Nothing was"):
            user.ingest(tmp_path / "chat.txt")
        assert len(user.log) == 0


WHO = [
    ("", "", "user"), ("jess", "", "user"), ("JESS", "", "user"), ("Jess Moore", "", "user"), ("Mallory", "", "person"),
    ("Mallory", "Mallory", "user"), ("mallory", "Mallory", "user"), ("Jess", "Mallory", "person"), ("Jess", "-", "person"),
]  # fmt: skip


@pytest.mark.parametrize(("speaker", "me", "role"), WHO)
def test_a_speaker_is_the_user_only_by_name(user: User, speaker: str, me: str, role: str) -> None:
    user.ingest("I live in Paris.", speaker=speaker, me=me)
    user.ingest([{"text": "I am allergic to nuts.", "speaker": speaker}], me=me)
    assert [entry.role for entry in user.log.entries()] == [role, role]


def test_what_another_speaker_says_is_not_of_the_user(user: User) -> None:
    user.ingest("I'm allergic to penicillin.", at="2025-01-10")
    user.ingest("I'm allergic to nuts.", at="2025-01-11", speaker="Mallory")
    user.checkpoint()
    assert [(a.who, a.avoids) for a in user.records("allergies")] == [("me", ("penicillin",)), ("mallory", ("nuts",))]
