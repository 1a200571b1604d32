"""The folder of users, where somebody else has been before."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from uac_nb import User
from uac_nb.cli.doctor import examine
from uac_nb.errors import ProjectError
from uac_nb.store import homes


def users(home: Path) -> list[tuple[str, str]]:
    """What doctor says of whose the folder is."""
    return [(found.found, found.remedy) for found in examine(home) if found.what == "users"]


def test_nothing_is_written_through_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "users").mkdir()
    (tmp_path / "users" / ".gitignore").symlink_to(tmp_path / "elsewhere")
    User.open("jess", tmp_path / "users").close()
    assert not (tmp_path / "elsewhere").exists()


def test_a_user_that_is_a_link_is_not_deleted(tmp_path: Path) -> None:
    User.open("jess", tmp_path / "theirs").close()
    (tmp_path / "users").mkdir()
    (tmp_path / "users" / "jess").symlink_to(tmp_path / "theirs" / "jess")
    with pytest.raises(ProjectError, match=r"jess is a link; delete the link itself, and what it leads to, by hand$"):
        homes.delete("jess", tmp_path / "users")
    assert (tmp_path / "theirs" / "jess" / homes.LOG).is_file()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="nobody owns a file here")
def test_doctor_says_whose_the_folder_of_users_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remedy = "set UAC_HOME to a folder of your own"
    home = tmp_path / "users"
    assert users(home) == []
    home.mkdir(mode=0o700)
    assert users(home) == []
    home.chmod(0o777)
    assert users(home) == [(f"{home}: anybody on this machine may write there", remedy)]
    home.chmod(0o700)
    monkeypatch.setattr(homes, "os", SimpleNamespace(getuid=lambda: os.getuid() + 1, environ=os.environ))
    assert users(home) == [(f"{home}: it belongs to another user of this machine", remedy)]


def test_opening_a_new_user_tells_where_the_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("UAC_HOME", raising=False)
    (tmp_path / "users").mkdir()
    (tmp_path / "users" / ".gitignore").touch()
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    User.open("jess").close()
    assert capsys.readouterr().out == f"new user jess in {tmp_path / 'users' / 'jess'}\n"
