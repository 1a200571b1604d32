"""Trust where there is no boundary: given by a person, for one state of the code, shown by doctor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from uac_nb import User
from uac_nb.cli import doctor
from uac_nb.cli.main import main
from uac_nb.errors import ProjectError, RunError
from uac_nb.runtime import choosing, seal, wasi
from uac_nb.runtime.seal import Boundary


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home on a machine without a boundary."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(seal, "available", lambda: Boundary("none", False, "this is plan9"))
    monkeypatch.setattr(wasi, "missing", lambda: "no wasmtime")
    return tmp_path / "users"


def say(home: Path, *words: str) -> str:
    done = CliRunner().invoke(main, [*words, "--home", str(home)])
    return done.output


def told(home: Path) -> list[str]:
    return [finding.found for finding in doctor.examine(home) if finding.what == "trust"]


def test_code_runs_once_a_person_says_so_and_until_it_changes(home: Path) -> None:
    with User.open("jess", home) as user:
        user.ingest("I am allergic to penicillin.", at="2025-01-10")
        user.checkpoint(reader="patterns")
        with pytest.raises(RunError, match="uac-nb trust jess"):
            user.run("1 + 1")
    assert told(home) == []
    assert say(home, "trust", "jess").startswith("trusted as it is now: the code in ")
    assert told(home) == ["jess: trusted as it is now"]
    with User.open("jess", home) as user:
        assert user.run("1 + 1") == 2
        user.edit("rules", '"""Mine."""\n')
        with pytest.raises(RunError, match="so generated code does not run"):
            user.run("1 + 1")
    assert told(home) == ["jess: changed since, so trusted no longer"]
    assert say(home, "trust", "jess", "--revoke") == "jess is not trusted any more\n"
    assert told(home) == []


def test_behind_a_boundary_nothing_is_trusted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "boundary", lambda: Boundary("sealed (seccomp)", True))
    with User.open("jess", home):
        pass
    assert "no trust is needed" in say(home, "trust", "jess")
    assert told(home) == []


def test_trust_that_cannot_be_kept_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.parent / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(home.parent / "file"))
    with User.open("jess", home) as user, pytest.raises(ProjectError, match=r"trust cannot be kept: .*; set XDG_STATE_HOME"):
        user.trust()


def test_doctor_says_what_to_do_without_a_boundary(home: Path) -> None:
    (found,) = [finding for finding in doctor.examine(home) if finding.what == "boundary"]
    assert found.found == "none"
    assert found.remedy == (
        "this is plan9; no wasmtime; generated code does not run here, unless you read a project and say: uac-nb trust USER"
    )
