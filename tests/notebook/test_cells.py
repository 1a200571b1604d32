"""Cells: what they say, and which way they take to a front end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from uac_nb.notebook import cells

EXTENSION = Path(cells.__file__).parent / "labextension"


class Shell:
    """As much of a kernel's shell as cells need."""

    def __init__(self, parent: dict[str, Any] | None) -> None:
        self.parent = parent
        self.next: list[tuple[str, bool]] = []

    def get_parent(self) -> dict[str, Any]:
        return self.parent or {}

    def set_next_input(self, text: str, replace: bool = False) -> None:
        self.next.append((text, replace))


LAB = {"metadata": {"cellId": "c1"}, "content": {"code": "%uac_checkpoint"}}
PAPERMILL: dict[str, Any] = {"metadata": {}, "content": {"code": "%uac_checkpoint"}}


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What went to the extension."""
    messages: list[dict[str, Any]] = []

    class Comm:
        def __init__(self, **opened: Any) -> None:
            messages.append(opened)

        def close(self) -> None:
            messages[-1]["closed"] = True

    monkeypatch.setattr("comm.create_comm", Comm)
    return messages


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "labextensions").mkdir()
    (tmp_path / "labextensions" / "uac-nb").symlink_to(EXTENSION)
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda *parts: [str(tmp_path)])


TRAVEL = cells.cell("travel", "trips = []\n", "2976a751")


def test_a_cell_names_its_domain_and_what_it_was_rendered_from() -> None:
    assert TRAVEL.source == "%%uac_code travel --base 2976a751\ntrips = []"


@pytest.mark.usefixtures("installed")
def test_the_extension_gets_all_cells_in_one_message(sent: list[dict[str, Any]]) -> None:
    assert cells.put(Shell(LAB), [TRAVEL, cells.cell("money", "", "00")])
    assert sent == [
        {
            "target_name": "uac_nb.cells",
            "data": {
                "anchor": "c1",
                "cells": [
                    {"domain": "travel", "source": TRAVEL.source, "was": ""},
                    {"domain": "money", "source": "%%uac_code money --base 00", "was": ""},
                ],
            },
            "closed": True,
        }
    ]


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("parent", [PAPERMILL, None])
def test_where_no_cell_is_named_no_comm_is_opened(sent: list[dict[str, Any]], parent: dict[str, Any] | None) -> None:
    assert not cells.put(Shell(parent), [TRAVEL])
    assert sent == []


@pytest.mark.usefixtures("nowhere")
def test_without_the_extension_one_cell_is_offered_as_the_next_input(sent: list[dict[str, Any]]) -> None:
    shell = Shell(LAB)
    cells.offer(shell, TRAVEL)
    cells.offer(shell, cells.cell("travel", "trips = [1]", "11", was=TRAVEL.source))
    assert (sent, shell.next) == ([], [(TRAVEL.source, False), ("%%uac_code travel --base 11\ntrips = [1]", True)])


def test_no_cells_no_message(sent: list[dict[str, Any]]) -> None:
    assert not cells.put(Shell(LAB), [])
    assert sent == []


def test_the_extension_listens_where_the_kernel_speaks() -> None:
    package = json.loads((EXTENSION / "package.json").read_text())
    script = (EXTENSION / package["jupyterlab"]["_build"]["load"]).read_text()
    assert package["name"] == cells.EXTENSION
    assert f"const TARGET = '{cells.TARGET}';" in script
    assert f"_JUPYTERLAB = window._JUPYTERLAB || {{}})['{cells.EXTENSION}']" in script
