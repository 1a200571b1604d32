"""The benchmark of the project measures what it says; how fast that is, is not for a test."""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which

import pytest

from uac_nb.domainfile import parts
from uac_nb.measure.bench import project
from uac_nb.user import User


def test_it_takes_all_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST", 20)
    found = list(project.measure((60,)))
    assert [figure.name for figure in found] == [
        "open 60 records, the cache deleted",
        "open 60 records",
        "add 100 records to 60: settle, log, render, check, commit",
        "add 100 records to 60: the slowest of 20",
        "add 100 records to 60: new history",
        "read again after a one-line edit at 60",
        "ask without a model at 60, median of 9 questions",
        "ask without a model at 60, the slowest",
    ]
    assert all(figure.value > 0 for figure in found)


def test_its_project_is_one_that_git_and_we_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST", 20)
    home = project.built(tmp_path, 200)
    list(project._adding(home, 200))  # enough commits to pack twice
    with User.open("bench", home) as user:
        assert len(user.records("purchases")) == 200 + 20 * project.BATCH
        assert len({record.id for record in user.records("purchases")}) == 2200
        assert list((user.folder / "project" / ".git" / "objects" / "pack").glob("*.pack"))
        if which("git"):
            git = ["git", "-C", str(user.folder / "project")]
            assert subprocess.run([*git, "fsck", "--strict"], capture_output=True, text=True, check=True).stdout == ""
            assert subprocess.run([*git, "status", "--short"], capture_output=True, text=True, check=True).stdout == ""
