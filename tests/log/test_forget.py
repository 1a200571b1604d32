"""Forgetting: the words are gone from every byte, all else stays."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from uac_nb.errors import LogError
from uac_nb.log import Batch, Call, Draft, Log, export, restore

DAY = date(2025, 1, 10)
SECRET = "xanthochroid"  # a word that nothing else holds, and its stem too


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite"


@pytest.fixture(params=[1, 3, 64], ids=["indexed on disk", "on disk and in memory", "in memory"])
def log(path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    monkeypatch.setattr("uac_nb.log.index.PAGE", request.param)
    with Log.open(path) as log:
        for name in ("one", "two"):
            log.append([Draft(text=f"before {name}", session="s"), Draft(text=f"more {name}", session="s")])
        log.append(
            [
                Draft(
                    text=f"my {SECRET} secret",
                    caption=f"{SECRET} picture",
                    speaker=f"{SECRET} jess",
                    session="s",
                    said_at=DAY,
                    origin={"file": f"{SECRET}.txt", "message": "m5"},
                    data={"note": SECRET},
                )
            ]
        )
        log.append(
            [Draft(text="after one", session="s"), Draft(text="after two", session="s"), Draft(text="the end", session="s")]
        )
        yield log


def bytes_of(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))


def test_no_byte_of_it_is_left(log: Log, path: Path) -> None:
    assert bytes_of(path).lower().count(SECRET.encode()) > 5, "the search itself has to work"
    log.forget([5], "asked to")
    assert SECRET.encode()[:6] not in bytes_of(path).lower()
    log.close()
    assert SECRET.encode()[:6] not in bytes_of(path).lower()


def test_number_time_and_chain_stay(log: Log) -> None:
    chains = [log.chain(id) for id in range(9)]
    assert [entry.id for entry in log.between(DAY, DAY)] == [5]
    forgotten = log.forget([5], "asked to")
    assert [entry.id for entry in log.entries() if entry.forgotten] == [5]
    assert log.between(DAY, DAY) == []
    assert [log.chain(id) for id in range(9)] == chains
    assert log.verify() is None
    entry = log.entry(5)
    assert (entry.kind, entry.role, entry.said_at) == ("message", "user", DAY)
    assert (entry.text, entry.caption, entry.speaker, entry.session, entry.origin, entry.data) == ("", "", "", "", {}, {})
    assert (forgotten.ids, forgotten.calls, forgotten.left, forgotten.unswept) == ((5,), (), (), "")
    assert forgotten.entry == log.entry(9)
    assert (forgotten.entry.kind, forgotten.entry.text, forgotten.entry.data) == ("forget", "asked to", {"ids": [5]})


def test_the_salt_goes_so_that_nobody_can_guess(log: Log, path: Path) -> None:
    log.forget([5], "")
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT salt, key FROM entries WHERE id = 5").fetchone() == (None, None)


def test_neighbours_are_found_by_what_is_left(log: Log) -> None:
    assert sorted(hit.entry.id for hit in log.search("secret")) == [5, 6, 7]
    log.forget([5], "")
    assert log.search("secret") == []
    assert log.search(SECRET) == []
    assert sorted(hit.entry.id for hit in log.search("after")) == [6, 7, 8]
    assert sorted(hit.entry.id for hit in log.search("more")) == [2, 3, 4, 6, 7], "the window closes over the gap"
    log.append([Draft(text="new", session="s")])
    assert [hit.entry.id for hit in log.search("new")] == [10]


def test_what_is_forgotten_is_no_neighbour(tmp_path: Path) -> None:
    with Log.open(tmp_path / "plain.sqlite") as log:
        log.append([Draft(text=text) for text in ("one", "two", "three")])
        log.forget([2], "")
        log.append([Draft(text="four")])
        (hit,) = [hit for hit in log.search("four") if hit.entry.text == "four"]
        assert [entry.text for entry in hit.neighbours] == ["one", "three"]
        assert sorted(hit.entry.text for hit in log.search("one")) == ["four", "one", "three"]


def test_entries_drawn_from_it_go_when_named(log: Log, path: Path) -> None:
    fact = Draft(kind="fact", text=f"Jess is {SECRET}.", data={"source": [5]})
    change = Draft(kind="change", text=f'{{"why": "{SECRET}"}}')
    other = Draft(kind="fact", text="Jess is well.")
    made = log.store_batch(Batch(read=(5,), reader="r", facts=(fact, other), changes=(change,)))
    assert [entry.id for entry in made] == [9, 10, 11]
    assert log.forget([5], "").left == (9, 11), "what is not named is told"
    assert log.forget([9, 11], "").left == ()
    assert SECRET.encode()[:6] not in bytes_of(path).lower()
    assert log.entry(10).text == "Jess is well."
    assert log.verify() is None


def test_model_calls_that_hold_it_are_emptied(log: Log, path: Path) -> None:
    def call(text: str, reply: str = "fine", entries: tuple[int, ...] = ()) -> Call:
        return Call(purpose="structure", model="m", request={"text": text}, reply=reply, entries=entries)

    for made in (
        call("a", entries=(4, 5)),
        call(f"\n{SECRET.upper()}"),
        call("b", reply=f"{SECRET}!"),
        call("c", entries=(4,)),
    ):
        log.add_call(made)
    assert log.forget([5], "").calls == (1, 2, 3)
    assert [(made.id, made.request, made.reply, made.entries) for made in log.calls()] == [
        (1, {}, "", (4, 5)),
        (2, {}, "", ()),
        (3, {}, "", ()),
        (4, {"text": "c"}, "fine", (4,)),
    ]
    assert SECRET.encode()[:6] not in bytes_of(path).lower()


def test_calls_that_made_a_forgotten_fact_are_emptied(log: Log) -> None:
    fact, call = (
        Draft(kind="fact", text="Jess is well."),
        Call(purpose="structure", model="m", request={"text": "a"}, reply="b"),
    )
    for _ in range(2):
        log.store_batch(Batch(read=(1,), reader="m", calls=(call,), facts=(fact,)))
    assert log.forget([10], "").calls == (2,)


def test_a_call_with_words_that_others_said_too_stays(log: Log) -> None:
    log.append([Draft(text=f"they are all {SECRET} secrets"), Draft(text="a picture")])
    log.add_call(Call(purpose="ask", model="m", request={"text": f"who is {SECRET}?"}, reply="all"))
    assert log.forget([5], "").calls == ()


def test_forgetting_twice_and_many(log: Log) -> None:
    log.forget([5], "")
    log.forget([5, 1, 2, 3], "again")
    assert log.verify() is None
    assert [entry.text for entry in log.entries(kinds=("message",))] == [
        "",
        "",
        "",
        "more two",
        "",
        "after one",
        "after two",
        "the end",
    ]


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([5, 99], "there is no entry 99 to forget"),
        ([], "no entry was named to forget"),
        ([9], "entry 9 records a forget itself"),
    ],
)
def test_what_cannot_be_forgotten(log: Log, ids: list[int], message: str) -> None:
    log.forget([1], "")
    with pytest.raises(LogError, match=message):
        log.forget(ids, "")
    assert log.entry(5).text
    assert log.last == 9


def test_a_reader_delays_the_sweep_and_the_next_opening_does_it(log: Log, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uac_nb.log.database.WAIT", 0)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM entries").fetchone()
        forgotten = log.forget([5], "")
        assert forgotten.unswept != ""
        assert SECRET.encode() in bytes_of(path), "what the reader still sees is there"
        reader.execute("ROLLBACK")
    with Log.open(path):
        assert SECRET.encode()[:6] not in bytes_of(path).lower()


def test_a_log_that_forgot_can_be_exported_and_restored(log: Log, tmp_path: Path) -> None:
    log.forget([5], "")
    export(log, tmp_path / "log.jsonl")
    assert SECRET not in (tmp_path / "log.jsonl").read_text()
    with restore(tmp_path / "log.jsonl", tmp_path / "copy.sqlite") as copy:
        assert copy.verify() is None
        assert copy.head == log.head
