"""Code of the project as cells of the notebook.

In JupyterLab and Notebook a small extension (`labextension/`) waits for a comm and puts the cells below the one that
asked: several at once, in order, each domain once in a notebook, and never over text that a person has changed.
Elsewhere there is no such extension: one cell can be offered as the next input, and the page shows the files anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

TARGET = "uac_nb.cells"
EXTENSION = "uac-nb"


@dataclass(frozen=True, slots=True)
class Cell:
    """A domain as a cell: its whole source. `was`: the source it may take the place of, when that was just run."""

    domain: str
    source: str
    was: str = ""


def cell(domain: str, text: str, base: str, was: str = "") -> Cell:
    """The cell that shows a domain, and saves it when it is run. The header says what it was rendered from.

    >>> cell("travel", "trips = []\\n", "2976a751").source
    '%%uac_code travel --base 2976a751\\ntrips = []'
    """
    return Cell(domain, f"%%uac_code {domain} --base {base}\n{text}".rstrip("\n"), was)


def anchor(shell: Any) -> str:
    """The id of the cell that is running, where the front end tells: JupyterLab does, papermill and a terminal do not."""
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return str((parent.get("metadata") or {}).get("cellId", ""))


def bridged(shell: Any) -> bool:
    """Whether the extension is there to take cells: a front end that names its cells, and the extension installed."""
    return bool(anchor(shell)) and _installed()


def _installed() -> bool:
    from jupyter_core.paths import jupyter_path

    return any(Path(folder, EXTENSION, "package.json").is_file() for folder in jupyter_path("labextensions"))


def put(shell: Any, cells: Sequence[Cell], below: str = "") -> bool:
    """Hand cells to the extension. False where there is none, and nothing was done.

    They come below the cell that is running; `below` names another, since no cell runs when a button is clicked.
    """
    at = below or anchor(shell)
    if not (cells and at and _installed()):
        return False
    from comm import create_comm

    create_comm(target_name=TARGET, data={"anchor": at, "cells": [asdict(c) for c in cells]}).close()
    return True


def offer(shell: Any, one: Cell) -> None:
    """Show one cell: by the extension, else as the next input; where it was just run, in its place."""
    if not put(shell, [one]):
        shell.set_next_input(one.source, replace=bool(one.was))


def running(shell: Any) -> str:
    """The source of the cell that is running, as a notebook sent it; empty in a terminal."""
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return str((parent.get("content") or {}).get("code", ""))
