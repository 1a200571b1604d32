"""Renaming in a domain that outgrew one file: all its parts follow in one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from uac_nb import User
from uac_nb.domainfile import parts

Again = Callable[[User], Any]
Stored = Callable[..., None]


# --- a domain that outgrew one file ---


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, stored: Stored) -> User:
    monkeypatch.setattr(parts, "MOST", 2)
    user: User = request.getfixturevalue("user")
    values = {"what": "a fourth", "on": "2024-02-02", "cost": 400}
    stored(user, {"change": "add", "collection": "buys", "id": "b4", "source": [1], "values": values})
    return user


def test_types_and_records_of_one_cell_are_one_step(large: User, again: Again) -> None:
    before, source, commits = large.workspace.files(), large.source("shopping"), len(large.history())
    text = source.text.replace("    on: When", "    shop: str | None = None\n    on: When").replace(
        '"a fourth"', '"a rug", shop="Ana"'
    )
    done = large.edit("shopping", text, source.base)
    assert "+++ shopping/__init__.py" in done.diff
    assert "+++ shopping/buys_2024.py" in done.diff
    assert len(large.history()) == commits + 1
    assert large.history()[0].message == "Edit shopping/__init__.py, shopping/buys_2024.py by hand"
    found = large.workspace.find("b4")
    assert found is not None
    assert (found.record.shop, found.record.what) == ("Ana", "a rug")
    assert [large.entry(n).data.get("path") for n in found.record.source] == [None, "shopping/buys_2024.py"]
    assert "Edit shopping" in str(large.blame("b4").steps[-1].commit)
    large.undo()
    assert large.workspace.files() == before
    again(large)


@pytest.mark.parametrize(("old", "new"), [("Buy.cost", "price"), ("Buy", "Bargain"), ("buys", "basket")])
def test_all_parts_follow_in_one_step(large: User, old: str, new: str, again: Again) -> None:
    before, source = large.workspace.files(), large.source("shopping")
    text = source.text.replace("class Buy", "class Bargain") if old == "Buy" else source.text
    large.edit(
        "shopping", text.replace("    cost: int", "    price: int") if "cost" in old else text, source.base, rename={old: new}
    )
    name = "basket" if old == "buys" else "buys"
    assert set(large.workspace.files()) == {p.replace("buys", name) for p in before}
    assert sorted(getattr(b, "price" if "cost" in old else "cost") for b in large.records(name)) == [0, 100, 200, 400]
    folder = large.folder / "project"
    assert {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*.py")} == large.workspace.files()
    large.undo()
    assert large.workspace.files() == before
    again(large)


def test_files_that_wait_for_one_another_are_taken_together(large: User) -> None:
    """A field is called otherwise in every file of a domain, by an editor."""
    for file in (large.folder / "project" / "shopping").glob("*.py"):
        file.write_text(file.read_text().replace("cost", "price"))
    assert large.checkpoint(reader="patterns").diagnostics == ()
    assert sorted(b.price for b in large.records("buys")) == [0, 100, 200, 400]
    assert large.project.edits() == {}
    large.undo()
    assert sorted(b.cost for b in large.records("buys")) == [0, 100, 200, 400]
