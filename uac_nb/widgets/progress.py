"""A line that says how far a checkpoint is, and goes when it is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from uac_nb.cells import anchor
from uac_nb.widgets.page import Line
from uac_nb.widgets.shown import Shown


@contextmanager
def progress(shell: Any) -> Iterator[Callable[[int, int, str], None]]:
    """A function of (done, total, what): an output that is replaced in a notebook, a line that is in a terminal.

    Where nobody can watch, as under papermill, it says nothing.
    """
    if anchor(shell):
        yield from _in_notebook()
    elif sys.stdout.isatty():
        yield from _in_terminal()
    else:
        yield lambda done, total, what: None


def _in_notebook() -> Iterator[Callable[[int, int, str], None]]:
    from IPython.display import display

    handle: Any = None

    def tell(done: int, total: int, what: str) -> None:
        nonlocal handle
        line = Shown(None, [Line(f"{what} … {done} of {total}", tone="quiet")], "Progress")
        if handle:
            handle.update(line)
        else:
            handle = display(line, display_id=True)  # type: ignore[no-untyped-call]

    try:
        yield tell
    finally:
        if handle:
            handle.update({"text/plain": "", "text/html": ""}, raw=True)


def _in_terminal() -> Iterator[Callable[[int, int, str], None]]:
    clear = "\r\x1b[K"
    try:
        yield lambda done, total, what: print(f"{clear}{what} … {done} of {total}", end="", flush=True)
    finally:
        print(clear, end="", flush=True)
