"""What the verbs of the command line share: errors on one line, options, a bar for what takes long."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from uac_nb.errors import UacError, visible
from uac_nb.store import homes
from uac_nb.verbs.checkpoint import Interrupted

HOME = click.option("--home", type=click.Path(path_type=Path), help="The folder of users (default: UAC_HOME, or ./users).")
TODAY = click.option("--today", metavar="DAY", help="Take this day as today, and only look: 2025-03-01.")
CLEAR = "\r\x1b[K"
Tell = Callable[[int, int, str], None]


class Group(click.Group):
    """Errors of ours are one line on stderr, exit code 1, and an interrupt is one, 130; the traceback stays for real faults."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except UacError as error:
            say(f"uac-nb: {error}", err=True)
            sys.exit(1)
        except Interrupted as stopped:
            click.echo(f"\nuac-nb: stopped: {stopped}", err=True)
            sys.exit(130)


def say(what: object, *, err: bool = False) -> None:
    """Print what people or models may have written; nothing in it steers the terminal. All verbs print by this."""
    click.echo(visible(what), err=err)


def plain(text: str) -> str:
    r"""Words of others as one line: what would steer the terminal, or turn or break the line, is written as an escape.

    >>> plain("red \x1b[31m\n")
    'red \\x1b[31m\\n'
    """
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def known(name: str, home: Path | None) -> str:
    """The name of a user that is there; ProjectError where there is none."""
    homes.existing(name, home)
    return name


@contextmanager
def bar(unit: str = "") -> Iterator[Tell]:
    """A function of (done, total, what) that draws a bar on stderr, if a person watches it. `unit` is what is counted."""
    if not sys.stderr.isatty():
        yield lambda done, total, what: None
        return
    wide = shutil.get_terminal_size().columns
    try:
        yield lambda done, total, what: click.echo(
            CLEAR + fitted(drawn(done, total, what, unit=unit), wide), nl=False, err=True
        )
    finally:
        click.echo(CLEAR, nl=False, err=True)


@contextmanager
def steps(unit: str, asking: bool = False) -> Iterator[Tell]:
    """The same for what a log of a script should have as well: where no bar can stand, a line a step.

    `asking`: somebody is asked in between, which a bar would be in the way of.
    """
    if sys.stderr.isatty() and not asking:
        with bar(unit) as tell:
            yield tell
    else:
        yield lambda done, total, what: click.echo(f"[{done:,} of {total:,} {unit}] {what}", err=True)


def drawn(done: int, total: int, what: str, width: int = 30, unit: str = "") -> str:
    """One line: a bar where the total is known, else a count.

    >>> drawn(3, 12, "reading 14 entries", 8, "batches")
    '[##      ] 3 of 12 batches, reading 14 entries'
    >>> drawn(500, 0, "reading")
    'reading 500'
    """
    if not total:
        return f"{what} {done:,}"
    counted = f"{done:,} of {total:,} {unit}".rstrip()
    return f"[{'#' * (done * width // total):<{width}}] {counted}, {what}"


def fitted(line: str, columns: int) -> str:
    """A line that a terminal does not wrap: what is wrapped cannot be drawn over.

    >>> fitted("[##  ] 2 of 4 batches", 12)
    '[##  ] 2 o…'
    """
    return line if len(line) < columns else line[: max(columns - 2, 0)] + "…"
