"""Killed at any step of an ingest or a checkpoint, a user loses no entry, and the next opening makes all whole."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import uac_nb
from uac_nb import User
from uac_nb.model import FakeModel
from uac_nb.runtime import Program, Result, RuleRun

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")

ROOT = str(Path(uac_nb.__file__).parent)
STEPS = (
    "log/write.py",
    "log/forget.py",
    "log/store.py",
    "log/database.py",
    "project/",
    "replay.py",
    "store.py",
    "watch.py",
    "editing.py",
    "checkpointing.py",
    "user.py",
)  # whose calls are boundaries
LASTING = {os.fsync, os.replace, os.rename, os.unlink, os.remove}  # what reaches the disk
MOST = None if os.environ.get("UAC_SOAK") else 60

TOLD = ["Flying to Lisbon on 10 March.", "I'm allergic to penicillin."]
CHANGES = [
    {
        "change": "add", "collection": "trips", "id": "lisbon", "source": [1], "fact": "Jess flies to Lisbon.",
        "values": {"title": "trip to Lisbon", "to": "Lisbon", "departs": "2025-03-10"},
    },
    {
        "change": "add", "collection": "allergies", "id": "penicillin", "source": [2],
        "values": {"title": "penicillin allergy", "avoids": ["penicillin"]},
    },
]  # fmt: skip


class NoRules:
    """An engine that finds nothing: the boundary of the sealed process is not what is killed here."""

    name = "none"

    def load(self, program: Program) -> None:
        pass

    def run(self, code: str, *, today: date, deadline: float = 5.0) -> Result:
        return Result(None)

    def rules(self, *, today: date, starter: bool = True, deadline: float = 5.0) -> RuleRun:
        return RuleRun()

    def close(self) -> None:
        pass


def model() -> FakeModel:
    return FakeModel([json.dumps({"changes": CHANGES})])


def tell(user: User) -> None:
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")


def read(user: User) -> None:
    user.checkpoint(reader=model())


def ours(frame: FrameType) -> bool:
    name = frame.f_code.co_filename
    return name.startswith(ROOT) and name[len(ROOT) + 1 :].startswith(STEPS)


def lasts(function: Any) -> bool:
    return function in LASTING or isinstance(getattr(function, "__self__", None), sqlite3.Connection | sqlite3.Cursor)


def boundaries(act: Callable[[User], None], user: User, at: int | None = None) -> int:
    """Run an act and count its steps: calls of ours that store, and calls of the system that last. Kill ourselves `at` one."""
    count = 0

    def step(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal count
        if lasts(arg) if event.startswith("c_") else ours(frame):
            count += 1
            if count == at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(step)
    try:
        act(user)
    finally:
        sys.setprofile(None)
    return count


def opened(home: Path) -> User:
    user = User.open("jess", home, today="2025-03-01")
    user._engine = NoRules()
    return user


def killed(home: Path, act: Callable[[User], None], at: int) -> bool:
    """Run an act in a child that is killed at a step; whether it was (else it came to its end)."""
    if (child := os.fork()) == 0:
        try:
            boundaries(act, opened(home), at)
        except BaseException:
            os._exit(1)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


@pytest.fixture
def home(tmp_path: Path) -> Callable[[Path], Path]:
    """Copies of a prepared home, each thrown away after its kill."""

    def copy(prepared: Path) -> Path:
        target = tmp_path / "home"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(prepared, target)
        return target

    return copy


def spread(total: int) -> list[int]:
    """All steps, or as many as there is time for, spread evenly up to the last."""
    wanted = min(MOST or total, total)
    return sorted({max(1, total - 1 - i * total // wanted) for i in range(wanted)})


def test_killed_at_any_step_of_an_ingest(tmp_path: Path, home: Callable[[Path], Path]) -> None:
    with opened(tmp_path / "new") as user:
        folder = user.folder.parent
    tell(opened(home(folder)))  # what is imported and cached at first use is no step of ours
    total = boundaries(tell, opened(home(folder)))
    assert total > 20
    for at in spread(total):
        place = home(folder)
        assert killed(place, tell, at)
        with opened(place) as user:
            assert len(user.log) in (0, 2), f"half an ingest after a kill at step {at}"
            assert user.log.verify() is None
            tell(user)
            assert [e.text for e in user.log.entries()] == TOLD


def test_killed_at_any_step_of_a_checkpoint(tmp_path: Path, home: Callable[[Path], Path]) -> None:
    with opened(tmp_path / "told") as user:
        tell(user)
        folder = user.folder.parent
    read(opened(home(folder)))
    with opened(home(folder)) as user:
        total = boundaries(read, user)
        whole = user.workspace.files()
    assert total > 100
    finished = 0
    for at in spread(total):
        place = home(folder)
        assert killed(place, read, at)
        with opened(place) as user:
            assert user.log.verify() is None
            assert [e.text for e in user.log.entries(kinds=("message",))] == TOLD
            files = user.workspace.files()
            assert files in ({}, whole), f"half a batch after a kill at step {at}"
            on_disk = {p.name: p.read_text() for p in (user.folder / "project").glob("*.py")}
            assert on_disk == files
            assert user.project.edits() == {}
            finished += files == whole
            read(user)
            assert user.workspace.files() == whole
            assert len(list(user.log.entries(kinds=("change",)))) == 4  # two adoptions, two records, once each
    assert 0 < finished < len(spread(total))


def test_killed_at_any_step_of_a_forget_the_next_opening_finishes_it(
    tmp_path: Path, home: Callable[[Path], Path], every_byte: Callable[[Path], bytes]
) -> None:
    secret = "xanthochroid"  # the starter types name penicillin themselves
    with opened(tmp_path / "told") as user:
        user.ingest([{"text": text.replace("penicillin", secret)} for text in TOLD], at="2025-01-10")
        user.checkpoint(reader=FakeModel([json.dumps({"changes": CHANGES}).replace("penicillin", secret)]))
        user.edit("travel", user.source("travel").text.replace("trip to", "journey to"))
        folder = user.folder.parent

    def forget(user: User) -> None:
        user.forget([2], yes=True)

    forget(opened(home(folder)))
    with opened(home(folder)) as user:
        total = boundaries(forget, user)
        whole = user.workspace.files()
    finished = 0
    kills = spread(total)[:: -3 if MOST else -1]  # each forgets twice
    for at in kills:
        place = home(folder)
        assert killed(place, forget, at)
        with opened(place) as user:
            assert user.log.verify() is None
            gone = user.log.entry(2).forgotten
            assert gone != (secret.encode() in every_byte(place)), f"half a forget after a kill at step {at}"
            assert gone == (user.workspace.files() == whole)
            assert user.project.edits() == {}
            assert user.records("trips")[0].title == "journey to Lisbon"
        finished += gone
    assert 0 < finished < len(kills)


def correct(user: User) -> None:
    source = user.source("travel")
    user.edit("travel", source.text.replace('"Lisbon"', '"Porto"'), source.base)


def test_killed_at_any_step_of_an_edit(tmp_path: Path, home: Callable[[Path], Path]) -> None:
    with opened(tmp_path / "read") as user:
        tell(user)
        read(user)
        before, folder = user.workspace.files(), user.folder.parent
    correct(opened(home(folder)))
    with opened(home(folder)) as user:
        total = boundaries(correct, user)
        after = user.workspace.files()
    assert after != before
    finished = 0
    for at in spread(total):
        place = home(folder)
        assert killed(place, correct, at)
        with opened(place) as user:
            assert user.log.verify() is None
            files = user.workspace.files()
            assert files in (before, after), f"half an edit after a kill at step {at}"
            assert {p.name: p.read_text() for p in (user.folder / "project").glob("*.py")} == files
            assert user.project.edits() == {}
            finished += files == after
            assert len(list(user.log.entries(kinds=("edit",)))) == (files == after)
    assert 0 < finished < len(spread(total))


def test_the_kill_is_real(tmp_path: Path, home: Callable[[Path], Path]) -> None:
    """What this file relies on: a kill leaves an SQLite transaction unfinished."""
    base = sqlite3.connect(tmp_path / "x.sqlite")
    base.execute("CREATE TABLE t (x)")
    base.commit()
    if (child := os.fork()) == 0:
        other = sqlite3.connect(tmp_path / "x.sqlite")
        other.execute("INSERT INTO t VALUES (1)")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert base.execute("SELECT count(*) FROM t").fetchone() == (0,)
    base.close()
