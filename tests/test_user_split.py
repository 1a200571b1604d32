"""A user whose purchases outgrew one file: told, shown, edited by cell and by hand, undone, rebuilt."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.domainfile import cache, parts
from uac_nb.errors import ProjectError

DEFINE = {
    "change": "define", "domain": "shopping", "collection": "buys", "source": [1], "doc": "Shopping.",
    "text": "class Buy:\n    id: str\n    what: str\n    on: When | None = None\n    source: tuple[int, ...]\n",
}  # fmt: skip


def buy(number: int, year: int) -> dict[str, Any]:
    values = {"what": f"thing {number}", "on": f"{year}-01-01"}
    return {"change": "add", "collection": "buys", "id": f"b{number}", "source": [1], "values": values}


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored: Callable[..., None]) -> Iterator[User]:
    monkeypatch.setattr(parts, "MOST", 3)
    monkeypatch.setattr(cache, "SMALL", 0)
    with User.open("jess", tmp_path, today="2025-06-01") as opened:
        opened.ingest("I bought a lot of things.", at="2025-01-10")
        stored(opened, DEFINE, *(buy(n, 2022 + n % 3) for n in range(3)))
        stored(opened, *(buy(n, 2022 + n % 3) for n in range(3, 8)))
        yield opened


def test_all_records_are_one_list_to_queries(user: User) -> None:
    assert sorted(path for path in user.workspace.files() if path.startswith("shopping")) == [
        "shopping/__init__.py", "shopping/buys_2022.py", "shopping/buys_2023.py", "shopping/buys_2024.py",
    ]  # fmt: skip
    assert [r.id for r in user.records("buys")] == ["b2", "b5", "b1", "b4", "b7", "b0", "b3", "b6"]
    assert user.run("[len(buys), buys[0].id]") == [8, "b2"]
    assert not (user.folder / "project" / "shopping.py").exists()


def test_the_folder_is_what_the_project_says_after_a_rebuild_and_without_a_cache(user: User) -> None:
    files, key = user.project.files(), user.workspace.key
    assert (user.folder / ".cache").is_dir()
    shutil.rmtree(user.folder / ".cache")
    with User.open("jess", user.folder.parent) as again:
        assert again.workspace.key == key
        assert again.workspace.domains == user.workspace.domains
    user.rebuild()
    assert user.project.files() == files


def test_a_cell_is_shown_saved_and_refused_when_it_is_stale(user: User) -> None:
    shown = user.source("shopping")
    assert "# 2 of 8 buys, the newest; `%uac_code shopping/buys_2023` shows others\n" in shown.text
    edited = user.edit("shopping", shown.text.replace("thing 5", "a kettle"), shown.base)
    assert "+++ shopping/buys_2024.py" in edited.diff
    assert user.records("buys")[1].what == "a kettle"
    with pytest.raises(ProjectError, match="has changed since"):
        user.edit("shopping", shown.text, shown.base)
    part = user.source("shopping/buys_2023")
    user.edit("shopping/buys_2023", part.text.replace("thing 4", "a lamp"), part.base)
    assert {r.id: r.what for r in user.records("buys")}["b4"] == "a lamp"
    user.undo()
    user.undo()
    assert {r.id: r.what for r in user.records("buys")} == {f"b{n}": f"thing {n}" for n in range(8)}


def test_a_hand_edit_of_a_part_is_taken_or_told(user: User) -> None:
    file = user.folder / "project" / "shopping" / "buys_2022.py"
    text = file.read_text()
    file.write_text(text.replace('what="thing 3"', "what=3"))
    done = user.checkpoint(reader="patterns")
    assert [d.where for d in done.diagnostics] == ["shopping/buys_2022.py:9"]
    file.write_text(text.replace("]\n", '    Buy(id="mine", what="a rug", on=When("2022")),\n]\n'))
    assert user.checkpoint(reader="patterns").domains == ("shopping/buys_2022",)
    record = user.workspace.find("mine")
    assert record is not None
    assert [user.entry(id).kind for id in record.record.source] == ["edit"]
    assert user.blame("mine").where == "shopping/buys_2022.py:11"


def test_two_files_that_wait_for_one_another_are_taken_together(user: User) -> None:
    """A person removes a whole period: its file, and the lines that name it."""
    folder = user.folder / "project" / "shopping"
    (folder / "buys_2023.py").unlink()
    init = (folder / "__init__.py").read_text().replace("from shopping.buys_2023 import buys_2023\n", "")
    (folder / "__init__.py").write_text(init.replace("*buys_2023, ", ""))
    done = user.checkpoint(reader="patterns")
    assert done.diagnostics == ()
    assert [r.id for r in user.records("buys")] == ["b2", "b5", "b0", "b3", "b6"]
    assert user.project.edits() == {}


def test_undo_of_what_made_the_split_is_one_file_again(user: User) -> None:
    user.undo()
    assert [p for p in user.project.files() if p.startswith("shopping")] == ["shopping.py"]
    assert not (user.folder / "project" / "shopping").exists()
    assert len(user.records("buys")) == 3
