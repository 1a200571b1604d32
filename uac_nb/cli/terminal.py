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
from uac_nb.verbs.progress import CLEAR, drawn, fitted

HOME = click.option("--home", type=click.Path(path_type=Path), help="The folder of users (default: UAC_HOME, or ./users).")
TODAY = click.option("--today", metavar="DAY", help="Take this day as today, and only look: 2025-03-01.")
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
