"""Several processes on one log, and processes that are killed: nothing that was acknowledged is lost."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from uac_nb.errors import LogError
from uac_nb.log import Batch, Draft, Log
from uac_nb.log.index import paged

KILLS = 200 if os.environ.get("UAC_SOAK") else 20
APPENDS = 5_000 if os.environ.get("UAC_SOAK") else 200


def start(work: Callable[[], None]) -> int:
    """Run in a process of its own, which ends with 0 when the work is done."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return child


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "log.sqlite"
    acknowledged, report = os.pipe()

    def work() -> None:
        with Log.open(path) as log:
            while True:
                size = chance.choice([1, 1, 1, 40, 700])
                entries = log.append([Draft(text=f"message {log.last + n}") for n in range(1, size + 1)]).entries
                log.store_batch(Batch(read=(entries[0].id,), reader="r", facts=(Draft(kind="fact", text="f"),)))
                os.write(report, entries[-1].id.to_bytes(8, "big"))

    child = start(work)
    os.close(report)
    safe = 0
    for _ in range(chance.randrange(30)):  # it goes on while we count, so the signal meets it anywhere
        safe = int.from_bytes(os.read(acknowledged, 8), "big")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while answer := os.read(acknowledged, 8):
        safe = int.from_bytes(answer, "big")
    os.close(acknowledged)

    with Log.open(path) as log:
        assert log.verify() is None
        assert log.last >= safe
        entries = list(log.entries())
        assert [entry.id for entry in entries] == list(range(1, log.last + 1))
        assert all(entry.text == (f"message {entry.id}" if entry.kind == "message" else "f") for entry in entries)
        facts = [entry.id for entry in entries if entry.kind == "fact"]
        assert facts == [batch.last for batch in log.batches()], "a batch is there whole or not at all"
        indexed = "SELECT count(*), max(rowid) FROM words WHERE words MATCH 'message OR f'"
        assert log.database.rows(indexed) == [(paged(log.last), paged(log.last) or None)]


def test_four_processes_lose_nothing_and_keep_their_order(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"  # not there yet: they also make it together

    def writer(name: str) -> Callable[[], None]:
        def work() -> None:
            with Log.open(path) as log:
                for number in range(APPENDS):
                    log.append([Draft(text=str(number), speaker=name)])

        return work

    children = [start(writer(name)) for name in "abcd"]
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0, 0]
    with Log.open(path) as log:
        assert log.verify() is None
        assert log.last == 4 * APPENDS
        for name in "abcd":
            assert [entry.text for entry in log.entries(speaker=name)] == [str(number) for number in range(APPENDS)]


def test_threads_may_share_a_log(tmp_path: Path) -> None:
    with Log.open(tmp_path / "log.sqlite") as log:

        def work(name: str) -> None:
            for number in range(50):
                log.append([Draft(text=str(number), speaker=name)])

        threads = [Thread(target=work, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert log.verify() is None
        assert [[entry.text for entry in log.entries(speaker=name)] for name in "ab"] == [[str(n) for n in range(50)]] * 2


def test_readers_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    with Log.open(path) as log, closing(sqlite3.connect(path, isolation_level=None)) as writer:
        log.append([Draft(text="before")])
        writer.execute("BEGIN IMMEDIATE")  # somebody is in the middle of a long import
        with Log.open(path) as reader:
            reader.database.rows("PRAGMA busy_timeout = 0")
            assert [entry.text for entry in reader.entries()] == ["before"]
            assert [hit.entry.id for hit in reader.search("before")] == [1]
            assert reader.verify() is None
        writer.execute("ROLLBACK")


def test_a_writer_that_waited_long_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uac_nb.log.database.WAIT", 0)
    path = tmp_path / "log.sqlite"
    with Log.open(path) as log, closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(LogError, match="another program is still writing to it; try again when it is done"):
            log.append([Draft(text="a")])
        writer.execute("ROLLBACK")
        assert log.append([Draft(text="b")]).entries[0].id == 1
