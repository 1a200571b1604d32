"""The verbs of generated code: test it, and trust it where there is no boundary."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from uac_nb.terminal import HOME, known
from uac_nb.user import User


@click.command()
@click.argument("user")
@HOME
def test(user: str, home: Path | None) -> None:
    """Run the tests of the project of USER, sealed."""
    with User.open(known(user, home), home) as memory:
        found = memory.test()
    click.echo(found)
    sys.exit(not found.ok)


@click.command()
@click.argument("user")
@click.option("--revoke", is_flag=True, help="Trust it no longer.")
@HOME
def trust(user: str, revoke: bool, home: Path | None) -> None:
    """Let the code of USER's project run on this machine although nothing stands between them, until it changes."""
    with User.open(known(user, home), home) as memory:
        boundary = memory.trust(revoke=revoke)
        folder = memory.folder / "project"
    if revoke:
        click.echo(f"{user} is not trusted any more")
    elif boundary.ok:
        click.echo(f"generated code runs behind a boundary here, {boundary.name}; no trust is needed")
    else:
        click.echo(f"trusted as it is now: the code in {folder}, and questions put to it, run with your rights")


VERBS = (test, trust)
