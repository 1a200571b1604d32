"""What the verbs of the command line share: errors on one line, options, a bar for what takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from uac_nb import homes
from uac_nb.errors import UacError

HOME = click.option("--home", type=click.Path(path_type=Path), help="The folder of users (default: UAC_HOME, or ./users).")
TODAY = click.option("--today", metavar="DAY", help="Take this day as today, and only look: 2025-03-01.")
CLEAR = "\r\x1b[K"


class Group(click.Group):
    """Errors of ours are one line on stderr, exit code 1; the traceback stays for real faults."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except UacError as error:
            click.echo(f"uac-nb: {error}", err=True)
            sys.exit(1)


def known(name: str, home: Path | None) -> str:
    """The name of a user that is there; ProjectError where there is none."""
    homes.existing(name, home)
    return name


@contextmanager
def bar() -> Iterator[Callable[[int, int, str], None]]:
    """A function of (done, total, what) that draws a bar on stderr, if a person watches it."""
    if not sys.stderr.isatty():
        yield lambda done, total, what: None
        return
    try:
        yield lambda done, total, what: click.echo(CLEAR + drawn(done, total, what), nl=False, err=True)
    finally:
        click.echo(CLEAR, nl=False, err=True)


def drawn(done: int, total: int, what: str, width: int = 30) -> str:
    """One line: a bar where the total is known, else a count.

    >>> drawn(500, 2000, "writing", 8)
    'writing [##      ] 500 of 2,000'
    >>> drawn(500, 0, "reading")
    'reading 500'
    """
    if not total:
        return f"{what} {done:,}"
    return f"{what} [{'#' * (done * width // total):<{width}}] {done:,} of {total:,}"
