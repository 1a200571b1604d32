"""The log: what goes in comes out, in order, once, and nobody can change it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest

from uac_nb.errors import LogError
from uac_nb.log import Batch, Call, Draft, Log
from uac_nb.log.rows import LONGEST

JESS = "3f0e8f6c-7e0c-4a51-8d0c-1f1f5d7a9b10"
NOON = datetime(2025, 1, 10, 12, tzinfo=UTC)
DAY = date(2025, 1, 10)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite"


@pytest.fixture
def log(path: Path) -> Iterator[Log]:
    with Log.open(path, user=JESS, clock=lambda: NOON) as log:
        yield log


def say(log: Log, *texts: str, **more: Any) -> list[int]:
    return [entry.id for entry in log.append([Draft(text=text, **more) for text in texts]).entries]


# --- what goes in comes out ---

TEXTS = [
    "plain",
    "two\nlines\r\nand a lone\rreturn ",
    "\N{FAMILY}\N{ZERO WIDTH JOINER}\N{GIRL} 🧳",
    "護照在抽屜裡",
    "\u202eabc\u202c \u200f",
    "a\x00b",
    "lone \ud83d surrogate",
    "two lone ones \ud83d\ude00",
    "e\u0301 is not \u00e9",
]


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_kept_to_the_letter(log: Log, text: str) -> None:
    fields = {"text": text, "speaker": text, "session": text, "caption": text, "origin": {"file": text}, "data": {"of": text}}
    log.append([Draft(**fields)])
    entry = log.entry(1)
    assert {name: getattr(entry, name) for name in fields} == fields
    assert log.verify() is None
    assert [entry.id for entry in log.entries(session=text, speaker=text)] == [1]


LISBON = timezone(timedelta(hours=1))
TIMES: list[tuple[datetime | date | None, str, date, datetime | None]] = [
    (None, "", DAY, None),
    (date(2024, 2, 29), "", date(2024, 2, 29), None),
    (datetime(2024, 2, 29, 23, 30), "", date(2024, 2, 29), None),
    (datetime(2024, 2, 29, 23, 30), "Asia/Tokyo", date(2024, 2, 29), datetime(2024, 2, 29, 14, 30, tzinfo=UTC)),
    (datetime(2024, 2, 29, 23, 30, tzinfo=LISBON), "", date(2024, 2, 29), datetime(2024, 2, 29, 22, 30, tzinfo=UTC)),
    (datetime(2024, 2, 29, 0, 0, 0, 5, tzinfo=UTC), "", date(2024, 2, 29), datetime(2024, 2, 29, 0, 0, 0, 5, tzinfo=UTC)),
]


@pytest.mark.parametrize(("said", "zone", "day", "moment"), TIMES)
def test_times_keep_their_zone(log: Log, said: datetime | date | None, zone: str, day: date, moment: datetime | None) -> None:
    log.append([Draft(text="hi", said_at=said, zone=zone)])
    entry = log.entry(1)
    assert (entry.said_at, type(entry.said_at), entry.zone) == (said, type(said), zone)
    assert (entry.day, entry.moment) == (day, moment)
    if isinstance(said, datetime) and isinstance(entry.said_at, datetime):
        assert entry.said_at.utcoffset() == said.utcoffset()


def test_a_named_zone_is_kept_by_name(log: Log) -> None:
    log.append([Draft(text="hi", said_at=datetime(2025, 7, 1, 9, tzinfo=ZoneInfo("Europe/Lisbon")))])
    entry = log.entry(1)
    assert entry.zone == "Europe/Lisbon"
    assert entry.said_at == datetime(2025, 7, 1, 8, tzinfo=UTC)


def test_append_returns_what_is_read_back(log: Log) -> None:
    drafts = [
        Draft(text="hi", said_at=NOON, data={"pair": (1, 2)}, origin={"file": "a"}),
        Draft(kind="undo", data={"batch": 1}),
    ]
    assert log.append(drafts).entries == list(log.entries())


def test_numbers_and_length(log: Log) -> None:
    assert (len(log), log.last, list(log.entries())) == (0, 0, [])
    assert say(log, "a", "b") + say(log, "c") == [1, 2, 3]
    assert (len(log), log.last, log.head[0]) == (3, 3, 3)


def test_entries_can_be_chosen(log: Log) -> None:
    say(log, "a", "b", session="s1", speaker="jess")
    say(log, "c", session="s2", speaker="mum")
    log.append([Draft(kind="fact", text="f"), Draft(kind="undo")])

    def ids(**choice: Any) -> list[int]:
        return [entry.id for entry in log.entries(**choice)]

    assert ids() == [1, 2, 3, 4, 5]
    assert ids(kinds=("fact", "undo")) == [4, 5]
    assert ids(kinds=("message", "fact")) == [1, 2, 3, 4]
    assert ids(kinds=()) == []
    assert ids(ids=[5, 1, 9]) == [1, 5]
    assert ids(ids=[]) == []
    assert ids(ids=np.array([2, 1])) == [1, 2]
    assert ids(after=1, before=4) == [2, 3]
    assert ids(session="s1") == [1, 2]
    assert ids(speaker="mum") == [3]


def test_walking_while_appending_ends(log: Log) -> None:
    say(log, "a", "b")
    walked = [say(log, entry.text + "!") for entry in log.entries()]
    assert walked == [[3], [4]]


def test_more_entries_than_a_page(log: Log) -> None:
    say(log, *(str(number) for number in range(2_345)))
    assert [entry.text for entry in log.entries()] == [str(number) for number in range(2_345)]
    assert len(list(log.entries(ids=range(1, 2_346, 2)))) == 1_173


# --- once only ---


def test_a_dated_message_is_added_once(log: Log) -> None:
    draft = Draft(text="hi", said_at=DAY, session="s", speaker="jess")
    assert log.append([draft]).known == []
    again = log.append([draft, Draft(text="new", said_at=DAY)])
    assert ([entry.text for entry in again.entries], again.known) == (["new"], [1])


@pytest.mark.parametrize(
    "other",
    [{"text": "ho"}, {"said_at": date(2025, 1, 11)}, {"said_at": NOON}, {"session": "s2"}, {"speaker": "mum"}, {"position": 1}],
)
def test_a_difference_makes_a_new_message(log: Log, other: dict[str, Any]) -> None:
    same = {"text": "hi", "said_at": DAY, "session": "s", "speaker": "jess"}
    log.append([Draft(**same)])
    assert log.append([Draft(**{**same, **other})]).known == []


def test_twice_in_one_append(log: Log) -> None:
    done = log.append([Draft(text="hi", said_at=DAY), Draft(text="hi", said_at=DAY), Draft(text="ho", said_at=DAY)])
    assert ([entry.id for entry in done.entries], done.known) == ([1, 2], [1])


def test_again_adds_it(log: Log) -> None:
    draft = Draft(text="hi", said_at=DAY)
    assert [entry.id for _ in range(3) for entry in log.append([draft, draft], again=True).entries] == [1, 2, 3, 4, 5, 6]
    assert log.append([draft]).known == [1]


def test_undated_messages_cannot_be_told_apart(log: Log) -> None:
    assert say(log, "hi") + say(log, "hi") == [1, 2]


def test_the_message_id_of_an_export_tells(log: Log) -> None:
    first = Draft(text="ok", session="chat", origin={"file": "a.json", "message": "7"})
    log.append([first])
    again = Draft(text="ok", session="chat, renamed", origin={"file": "b.json", "message": "7"}, position=4)
    assert log.append([again]).known == [1]
    assert log.append([Draft(text="ok", session="chat", origin={"message": "8"})]).known == []
    assert log.append([Draft(text="ok, edited", origin={"message": "7"})]).known == [], "no words are lost when somebody edits"


def test_only_messages_are_recognised(log: Log) -> None:
    fact = Draft(kind="fact", text="f", said_at=DAY)
    assert log.append([fact, fact]).known == []


def test_load_adds_a_stream_and_counts(log: Log) -> None:
    say(log, "a", said_at=DAY)
    loaded = log.load(Draft(text=text, said_at=DAY) for text in "abcb")
    assert (loaded.first, loaded.last, loaded.added, [*loaded.known]) == (2, 3, 2, [1, 2])
    assert [entry.text for entry in log.entries()] == ["a", "b", "c"]


# --- refused ---

REFUSED = [
    (Draft(text=" \n"), "message 2: the message is empty; write what was said, or leave it out"),
    (Draft(kind="memo", text="x"), "kind 'memo' is none of message, edit"),
    (Draft(role="boss", text="x"), "role 'boss' is none of user"),
    (Draft(text="x", zone="Mars/Base"), "'Mars/Base' is no time zone; use a name like"),
    (Draft(text="x", said_at=pd.NaT), "said_at is NaT; use a date or datetime of the standard library, or None"),
    (Draft(text="x" * (LONGEST + 1)), "1,000,001 characters are too many for one entry (1,000,000); split it"),
    (Draft(text="x", data={"at": NOON}), "has to be JSON"),
    (Draft(text="x", data={"rate": float("nan")}), "has to be JSON"),
]


@pytest.mark.parametrize(("draft", "message"), REFUSED)
def test_a_bad_draft_adds_nothing_at_all(log: Log, draft: Draft, message: str) -> None:
    with pytest.raises(LogError) as refused:
        log.append([Draft(text="good"), draft])
    assert message in str(refused.value)
    assert len(log) == 0
    assert say(log, "next") == [1]


def test_a_caption_is_enough(log: Log) -> None:
    log.append([Draft(caption="a dog on a beach")])
    assert log.entry(1).caption == "a dog on a beach"


def test_a_missing_entry(log: Log) -> None:
    with pytest.raises(LogError, match="there is no entry 1: the log is empty"):
        log.entry(1)
    say(log, "a")
    with pytest.raises(LogError, match="there is no entry 2: the log holds 1 to 1"):
        log.chain(2)


def test_an_error_in_the_stream_adds_nothing(log: Log) -> None:
    def drafts() -> Iterator[Draft]:
        for number in range(1_500):
            yield Draft(text=str(number))
        raise ValueError("the file broke off")

    with pytest.raises(ValueError, match="broke off"):
        log.load(drafts())
    assert len(log) == 0
    assert log.search("7") == []


# --- append-only ---

_EMPTY = "salt = NULL, key = NULL, text = '', caption = '', session = '', speaker = '', origin = '{}', data = '{}'"
_REST = (
    "kind, role, said_at, zone, recorded_at, session, speaker, text, caption, origin, data, position, salt, digest, chain, key"
)
TAMPER = [
    "UPDATE entries SET text = 'b' WHERE id = 1",
    "UPDATE entries SET text = '' WHERE id = 1",
    f"UPDATE entries SET said_at = '2020-01-01', {_EMPTY} WHERE id = 1",
    f"UPDATE entries SET chain = zeroblob(32), {_EMPTY} WHERE id = 1",
    "DELETE FROM entries WHERE id = 2",
    f"INSERT OR REPLACE INTO entries SELECT 1, {_REST} FROM entries WHERE id = 2",
    f"INSERT INTO entries SELECT 9, {_REST} FROM entries WHERE id = 2",
    "UPDATE batches SET read = '[]'",
    "DELETE FROM batches",
    "UPDATE calls SET reply = 'b'",
    "DELETE FROM calls",
    "UPDATE meta SET value = 'b' WHERE key = 'user'",
    "INSERT OR REPLACE INTO meta VALUES ('user', 'b')",
    "DELETE FROM meta",
]


@pytest.mark.parametrize("sql", TAMPER)
def test_other_programs_cannot_change_it(log: Log, path: Path, sql: str) -> None:
    say(log, "a", "b")
    log.store_batch(Batch(read=(1,), reader="r", calls=(Call(purpose="p", model="m", request={}, reply="x"),)))
    with closing(sqlite3.connect(path)) as other, pytest.raises(sqlite3.IntegrityError, match="the log is append-only"):
        other.execute(sql)


def _untrusted(path: Path, sql: str) -> None:
    """Change the file as somebody would who takes the triggers away first."""
    with closing(sqlite3.connect(path)) as other, other:
        for (name,) in other.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            other.execute(f"DROP TRIGGER {name}")
        other.execute(sql)


BROKEN = [
    ("UPDATE entries SET text = 'no' WHERE id = 2", "entry 2", "its content is not what was written"),
    ("UPDATE entries SET data = '{\"a\":2}' WHERE id = 3", "entry 3", "its content is not what was written"),
    ("UPDATE entries SET said_at = NULL WHERE id = 2", "entry 2", "its content is not what was written"),
    ("UPDATE entries SET digest = zeroblob(32) WHERE id = 1", "entry 1", "its content is not what was written"),
    ("UPDATE entries SET text = x'ff' WHERE id = 2", "entry 2", "its content is not what was written"),
    ("UPDATE entries SET digest = 'abc' WHERE id = 2", "entry 2", "its content is not what was written"),
    ("UPDATE entries SET kind = 'forget', data = '[' WHERE id = 3", "entry 3", "its content is not what was written"),
    ("UPDATE entries SET chain = zeroblob(32) WHERE id = 2", "entry 2", "its chain hash does not follow"),
    ("DELETE FROM entries WHERE id = 2", "entry 3", "the entries between are missing"),
    ("UPDATE entries SET salt = NULL, text = '' WHERE id = 2", "entry 2", "its words are gone, and no forget names it"),
    ("UPDATE meta SET value = 'another' WHERE key = 'user'", "entry 1", "its chain hash does not follow"),
]


@pytest.mark.parametrize(("sql", "where", "message"), BROKEN)
def test_verify_names_the_first_broken_entry(log: Log, path: Path, sql: str, where: str, message: str) -> None:
    log.append([Draft(text="a"), Draft(text="b", said_at=DAY), Draft(text="c", data={"a": 1}), Draft(text="d")])
    assert log.verify() is None
    _untrusted(path, sql)
    with Log.open(path) as other:
        found = other.verify()
    assert found is not None
    assert found.where == where
    assert message in found.message


@pytest.mark.parametrize("cell", ["text = x'ff'", "recorded_at = 'never'", "data = '['"])
def test_a_damaged_entry_is_named(log: Log, path: Path, cell: str) -> None:
    log.append([Draft(text="a"), Draft(text="b")])
    _untrusted(path, f"UPDATE entries SET {cell} WHERE id = 2")
    with Log.open(path) as other, pytest.raises(LogError, match=r"^entry 2 of the log is damaged .* restore the log from a"):
        other.entry(2)


def test_the_chain_is_as_documented(log: Log, path: Path) -> None:
    say(log, "a", "b")
    with closing(sqlite3.connect(path)) as other:
        rows = other.execute("SELECT salt, digest, chain FROM entries ORDER BY id").fetchall()
    before = bytes.fromhex(log.chain(0))
    for id, (_, digest, chain) in enumerate(rows, 1):
        before = sha256(before + digest + id.to_bytes(8, "big")).digest()
        assert (chain, log.chain(id)) == (before, before.hex())
    assert log.head == (2, before.hex())
    content = f"message\0user\0None\0\0{NOON.isoformat()}\x000\0{{}}\0{{}}\x000\x000\x001\0a"
    assert rows[0][1] == sha256(rows[0][0] + content.encode()).digest()
    assert rows[0][0] != rows[1][0]


# --- batches and calls ---


def test_a_batch_is_stored_with_its_number(log: Log) -> None:
    say(log, "a", "b")
    call = Call(
        purpose="structure", model="m-1", request={"messages": ["…"]}, reply="\ud83d", entries=(1, 2), round=1, seconds=0.5
    )
    fact, change = Draft(kind="fact", text="f", data={"source": [1]}), Draft(kind="change", text="{}")
    for number in (1, 2):
        made = log.store_batch(Batch(read=(1, 2), reader="m-1", calls=(call,), facts=(fact,), changes=(change, change)))
        assert [(entry.kind, entry.data["batch"]) for entry in made] == [
            ("fact", number),
            ("change", number),
            ("change", number),
        ]
        assert made[0].data["source"] == [1]
    assert [(row.id, row.read, row.reader, row.first, row.last) for row in log.batches()] == [
        (1, (1, 2), "m-1", 3, 5),
        (2, (1, 2), "m-1", 6, 8),
    ]
    log.add_call(call)
    calls = list(log.calls())
    assert [(found.id, found.batch, found.recorded_at) for found in calls] == [(1, 1, NOON), (2, 2, NOON), (3, None, NOON)]
    assert all((found.request, found.reply, found.entries) == (call.request, call.reply, (1, 2)) for found in calls)
    assert log.verify() is None


def test_a_batch_that_made_nothing_still_tells_what_was_read(log: Log) -> None:
    say(log, "a")
    assert log.store_batch(Batch(read=(1,), reader="patterns")) == []
    assert [(row.read, row.first, row.last) for row in log.batches()] == [((1,), None, None)]


def test_a_bad_change_stores_nothing_of_its_batch(log: Log) -> None:
    call = Call(purpose="structure", model="m", request={}, reply="x")
    bad = Batch(read=(1,), reader="m", calls=(call,), facts=(Draft(kind="fact", text="f"),), changes=(Draft(kind="chance"),))
    with pytest.raises(LogError, match="message 2: kind 'chance'"):
        log.store_batch(bad)
    assert (len(log), log.batches(), list(log.calls())) == (0, [], [])


# --- the file ---


def test_the_user_stays_with_the_log(log: Log, path: Path) -> None:
    assert log.user == JESS
    with Log.open(path) as other:
        assert other.user == JESS
    with pytest.raises(LogError, match="belongs to user 3f0e8f6c"):
        Log.open(path, user="somebody else")


def test_a_new_log_makes_up_its_user(tmp_path: Path) -> None:
    with Log.open(tmp_path / "a") as a, Log.open(tmp_path / "b") as b:
        assert len(a.user) == 36
        assert a.user != b.user
        assert a.chain(0) != b.chain(0)


def test_the_zone_can_be_set(log: Log, path: Path) -> None:
    assert log.zone == ""
    log.zone = "Europe/Lisbon"
    with Log.open(path) as other:
        assert other.zone == "Europe/Lisbon"
    with pytest.raises(LogError, match="no time zone"):
        log.zone = "Lisboa"


def test_the_file_is_private(log: Log, path: Path) -> None:
    say(log, "a")
    assert {os.stat(file).st_mode & 0o077 for file in path.parent.iterdir()} == {0}


def test_writes_are_durable(log: Log) -> None:
    assert log.database.rows("PRAGMA journal_mode") == [("wal",)]
    assert log.database.rows("PRAGMA synchronous") == [(2,)]


def _newer(path: Path) -> None:
    Log.open(path).close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 7")


def test_a_log_of_the_version_before_is_opened_and_brought_up(path: Path) -> None:
    with Log.open(path) as log:
        log.append([Draft(text="rain")])
        log.database.rows("PRAGMA user_version = 2")
    with Log.open(path) as log:
        assert (log.verify(), [hit.entry.id for hit in log.search("rain")]) == (None, [1])
        assert log.database.rows("PRAGMA user_version") == [(3,)]


def test_a_log_with_two_names_is_refused(path: Path) -> None:
    with Log.open(path) as log:
        log.append([Draft(text="rain")])
    path.with_name("other").hardlink_to(path)
    with pytest.raises(LogError, match=r"log\.sqlite is a file with other names too \(a hard link\); put a copy in its place$"):
        Log.open(path)


def _foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE t (a)")


UNFIT = [
    (_newer, "was written by a newer uac_nb (log version 7, this one reads 3); update uac_nb"),
    (_foreign, "is an SQLite file but not a log of uac_nb; give the path of a log.sqlite"),
    (lambda path: path.write_text("x" * 5_000), "this is not a log; restore it from a backup or an export"),
    (lambda path: path.mkdir(), "unable to open"),
]


@pytest.mark.parametrize(("make", "message"), UNFIT)
def test_a_file_that_is_no_log_is_refused(path: Path, make: Any, message: str) -> None:
    make(path)
    with pytest.raises(LogError) as refused:
        Log.open(path)
    assert message in str(refused.value)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="nowhere"):
        Log.open(tmp_path / "nowhere" / "log.sqlite")


def test_a_closed_log_says_so(path: Path) -> None:
    log = Log.open(path)
    log.close()
    with pytest.raises(LogError, match="the log was closed; open it again"):
        log.append([Draft(text="a")])


def test_a_full_disk_adds_nothing(log: Log) -> None:
    log.database.rows("PRAGMA max_page_count = 60")
    with pytest.raises(LogError, match="the disk is full and nothing was added"):
        log.append([Draft(text=f"{number} {'x' * 500}") for number in range(2_000)])
    assert len(log) == 0


def test_a_damaged_page_is_found_where_every_entry_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    with Log.open(path) as log:
        log.append([Draft(text=f"word{number}", session=str(number)) for number in range(200)])
        assert log.verify() is None
        index = "SELECT rootpage FROM sqlite_master WHERE name = 'entries_session'"
        ((page,),) = log.database.rows(index)
        log.database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        size = log.database.rows("PRAGMA page_size")[0][0]
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
    with Log.open(path) as log:
        found = log.verify()
    assert found is not None
    assert (found.code, found.where) == ("damaged-file", "log.sqlite")
    assert "the entries are whole" in found.hint
