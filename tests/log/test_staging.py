"""Long imports: nobody waits while they are read, who waits is told why, and what fails leaves nothing."""

from __future__ import annotations

import multiprocessing
import resource
import signal
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from uac_nb.errors import LogError
from uac_nb.log import Draft, Log

DAY = date(2025, 1, 10)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite"


def test_others_write_while_an_import_is_read(path: Path) -> None:
    def told() -> Iterator[Draft]:
        yield Draft(text="one", said_at=DAY)
        with Log.open(path) as other:
            other.append([Draft(text="meanwhile")])
        yield Draft(text="two", said_at=DAY)

    with Log.open(path) as log:
        assert log.load(told()).first == 2
        assert [entry.text for entry in log.entries()] == ["meanwhile", "one", "two"]
        assert log.verify() is None


def test_who_waits_is_told_why(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("uac_nb.log.database.QUIET", 0)
    monkeypatch.setattr("uac_nb.log.database.PATIENCE", 0)
    with Log.open(path) as log, Log.open(path) as other:
        with log.database.writing("an import of 3 entries"), pytest.raises(LogError, match="an import of 3 entries by process"):
            other.append([Draft(text="x")])
        assert "waiting for an import of 3 entries by process" in capsys.readouterr().err
        other.append([Draft(text="x")])
    assert capsys.readouterr().err == ""
    assert {file.name for file in path.parent.iterdir()} == {"log.sqlite", "log.sqlite.turn"}, "the note is gone"


def test_progress_counts_what_is_read_and_written(path: Path) -> None:
    steps: list[tuple[int, int, str]] = []
    with Log.open(path) as log:
        log.load((Draft(text=f"{n}") for n in range(1_200)), on_progress=lambda *step: steps.append(step))
    assert steps == [
        *((n, 0, "reading") for n in (500, 1_000, 1_200)),
        *((n, 1_200, "writing") for n in (500, 1_000, 1_200)),
    ]


def test_what_cannot_be_read_to_its_end_adds_nothing(path: Path) -> None:
    drafts = [*(Draft(text=f"{n}") for n in range(700)), Draft(text=" ")]
    with Log.open(path) as log:
        with pytest.raises(LogError, match=r"^message 701: the message is empty"):
            log.load(drafts)
        assert len(log) == 0


def load_with_little_room(path: Path, result: multiprocessing.Queue[str]) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Log.open(path) as log:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
        try:
            log.load(Draft(text="x" * 10_000) for _ in range(1_000))
        except LogError as error:
            result.put(str(error))


def test_a_disk_without_room_adds_nothing(path: Path) -> None:
    forked = multiprocessing.get_context("fork")
    result: multiprocessing.Queue[str] = forked.Queue()  # type: ignore[assignment]
    child = forked.Process(target=load_with_little_room, args=(path, result))
    child.start()
    assert "nothing was added" in result.get(timeout=60)
    child.join()
    with Log.open(path) as log:
        assert len(log) == 0
        log.append([Draft(text="after")])
        assert log.verify() is None
    assert {file.name for file in path.parent.iterdir()} == {"log.sqlite", "log.sqlite.turn"}
