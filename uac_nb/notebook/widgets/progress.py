"""How far a checkpoint or an import is, while it runs; and where a checkpoint is about to send what."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from uac_nb.notebook.cells import anchor
from uac_nb.notebook.widgets.page import Bar, Line
from uac_nb.notebook.widgets.shown import Shown

if TYPE_CHECKING:
    from uac_nb.model import Estimate

Tell = Callable[[int, int, str], None]


def estimate(value: Estimate) -> None:
    """Say what goes where, before it does; it stays on the page. Where nothing leaves this machine, nothing is said."""
    if value.endpoint:
        _display(Shown(None, [Line(f"{value}.", tone="quiet")], "Estimate"))


@contextmanager
def progress(shell: Any, unit: str = "") -> Iterator[Tell]:
    """A function of (done, total, what): an output that is replaced in a notebook, a line that is in a terminal.

    `unit` is what is counted. Where nobody can watch, as under papermill, it says nothing.
    """
    if anchor(shell):
        yield from _in_notebook(unit)
    elif sys.stdout.isatty():
        yield from _in_terminal(unit)
    else:
        yield lambda done, total, what: None


def _in_notebook(unit: str) -> Iterator[Tell]:
    handle: Any = None

    def tell(done: int, total: int, what: str) -> None:
        nonlocal handle
        bar = Shown(None, [Bar(done, total, unit, what)], "Progress")
        if handle:
            handle.update(bar)
        else:
            handle = _display(bar, display_id=True)

    try:
        yield tell
    finally:
        if handle:
            handle.update({"text/plain": "", "text/html": ""}, raw=True)


def _in_terminal(unit: str) -> Iterator[Tell]:
    from shutil import get_terminal_size

    from uac_nb.verbs.progress import CLEAR, drawn, fitted

    wide = get_terminal_size().columns
    try:
        yield lambda done, total, what: print(CLEAR + fitted(drawn(done, total, what, unit=unit), wide), end="", flush=True)
    finally:
        print(CLEAR, end="", flush=True)


def _display(*what: Any, **how: Any) -> Any:
    from IPython.display import display

    return display(*what, **how)  # type: ignore[no-untyped-call]
