"""A renaming that is killed anywhere is done or not begun."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from uac_nb import User

LASTING = {os.fsync, os.replace, os.unlink, os.remove}  # what reaches the disk, besides SQLite


def _save_and_die(home: Path, text: str | None, at: int) -> int:
    """Save the edit of the test below, counting what lasts; end hard before one of them."""
    user, count = User.open("jess", home, today="2025-06-01"), 0

    def step(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal count
        if event == "c_call" and (
            arg in LASTING or isinstance(getattr(arg, "__self__", None), sqlite3.Connection | sqlite3.Cursor)
        ):
            count += 1
            if count == at:
                os._exit(9)

    sys.setprofile(step)
    try:
        user.edit("shopping", text, rename={"Buy.cost": "price"})
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")
@pytest.mark.parametrize("cell", [True, False], ids=["cell", "folder"])
def test_killed_anywhere_it_is_done_or_not_begun(user: User, tmp_path: Path, cell: bool, rules: str) -> None:
    user.edit("rules", rules)
    before, folder, source = user.workspace.files(), user.folder, user.source("shopping")
    edited = source.text.replace("    cost: int", "    price: int").replace("thing 1", "a kettle")
    user.close()
    if not cell:
        (folder / "project" / "shopping.py").write_text(edited)
    text, place = edited if cell else None, tmp_path / "copy"
    shutil.copytree(folder.parent, place)
    total, done = _save_and_die(place, text, 0), set()
    for at in {1 + i * (total - 1) // 16 for i in range(17)}:
        shutil.rmtree(place)
        shutil.copytree(folder.parent, place)
        if (child := os.fork()) == 0:
            try:
                _save_and_die(place, text, at)
            finally:
                os._exit(1)
        assert os.WEXITSTATUS(os.waitpid(child, 0)[1]) == 9, f"not killed at step {at} of {total}"
        with User.open("jess", place, today="2025-06-01") as found:
            assert found.log.verify() is None
            done.add("price" in found.workspace.files()["shopping.py"])
            if "price" not in found.workspace.files()["shopping.py"]:
                assert found.workspace.files() == before
                found.edit("shopping", text, rename={"Buy.cost": "price"})
            assert [(b.what, b.price) for b in found.records("buys")] == [("thing 0", 0), ("a kettle", 100), ("thing 2", 200)]
            assert found.checkpoint(reader="patterns").diagnostics == ()
            assert found.workspace.rules == rules.replace(".cost", ".price")
            assert found.project.edits() == {}
    assert done == {True, False}
