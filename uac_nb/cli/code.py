"""The verbs of code: show it, save what was edited, call things otherwise, test it, and trust it where there is no boundary."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from uac_nb.cli.terminal import HOME, known, say
from uac_nb.errors import UacError, plain
from uac_nb.user import User
from uac_nb.verbs.results import Edited


@click.command()
@click.argument("user")
@click.argument("domain", required=False)
@HOME
def source(user: str, domain: str | None, home: Path | None) -> None:
    """Print the file of a DOMAIN of USER (or "rules"); on standard error, the base to give back with `edit`.

    Without a DOMAIN, print which there are.
    """
    with User.open(known(user, home), home) as memory:
        if domain is None:
            for name in [*memory.domains, *(["rules"] if memory.text("rules") else [])]:
                say(name)
            return
        found = memory.source(domain)
    if sys.stdout.isatty():
        say(found.text.rstrip("\n"))
    else:  # as it is, to be edited and given back
        click.echo(found.text, nl=False)
    say(f"base {found.base}", err=True)


@click.command()
@click.argument("user")
@click.argument("domain")
@click.argument("file", type=click.File(encoding="utf-8"), required=False)
@click.option("--base", metavar="HASH", help="What the text was made from, so that it cannot overwrite anything newer.")
@click.option(
    "--rename", "renamed", metavar="OLD=NEW", multiple=True,
    help="What the text calls otherwise, as in Trip.cost=price: old records follow (several: again).",
)  # fmt: skip
@HOME
def edit(user: str, domain: str, file: Any, base: str | None, renamed: tuple[str, ...], home: Path | None) -> None:
    """Save a DOMAIN of USER as you left it: its files in the project's folder, or the text in FILE ("-": standard input)."""
    rename = dict(_pair(text, "--rename", "Trip.cost=price") for text in renamed)
    text = file.read() if file else None
    if text is None and base:
        raise UacError("--base goes with a FILE; the project's own files are compared with what they were made from anyway")
    with User.open(known(user, home), home) as memory:
        done = memory.edit(domain, text, base, rename=rename)
        if not done.diff:
            memory.source(domain)  # raises where there is none of that name
    _show(done)


@click.command()
@click.argument("user")
@click.argument("old")
@click.argument("new")
@HOME
def rename(user: str, old: str, new: str, home: Path | None) -> None:
    """Call a field (trips.cost), a type (Trip) or a collection (trips) of USER otherwise, in all records and code."""
    with User.open(known(user, home), home) as memory:
        _show(memory.rename(old, new))


@click.command()
@click.argument("user")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@HOME
def upgrade(user: str, dry_run: bool, home: Path | None) -> None:
    """Give the types of USER that came with uac_nb the fields, choices and names that they have by now."""
    with User.open(known(user, home), home) as memory:
        _show(memory.upgrade(dry_run=dry_run))


@click.command()
@click.argument("user")
@click.argument("id")
@click.argument("into")
@HOME
def merge(user: str, id: str, into: str, home: Path | None) -> None:
    """Make one of two records of USER: INTO stays, is filled from ID, and takes its place."""
    with User.open(known(user, home), home) as memory:
        _show(memory.merge(id, into))


@click.command()
@click.argument("user")
@click.argument("collection")
@click.argument("to")
@click.option("--id", "ids", multiple=True, help="Only this record (several: again); by default all.")
@click.option("--map", "mapped", metavar="NEW=OLD", multiple=True, help="A field, and the old one that it has its value from.")
@click.option("--set", "constant", metavar="NEW=VALUE", multiple=True, help="A field, and its value in all of them.")
@HOME
def reshape(
    user: str, collection: str, to: str, ids: tuple[str, ...], mapped: Iterable[str], constant: Iterable[str], home: Path | None
) -> None:
    """Move records of USER from one COLLECTION, and its type, to another: all of them, or some, which splits a type."""
    fields: dict[str, Any] = dict(_pair(text, "--map", "title=name") for text in mapped)
    fields |= {name: {"constant": value} for name, value in (_pair(text, "--set", "status=done") for text in constant)}
    with User.open(known(user, home), home) as memory:
        _show(memory.reshape(collection, to, fields, ids=ids))


@click.command()
@click.argument("user")
@HOME
def test(user: str, home: Path | None) -> None:
    """Run the tests of the project of USER, sealed."""
    with User.open(known(user, home), home) as memory:
        found = memory.test()
    say(found)
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
        say(f"{user} is not trusted any more")
    elif boundary.ok:
        say(f"generated code runs behind a boundary here, {boundary.name}; no trust is needed")
    else:
        say(f"trusted as it is now: the code in {folder}, and questions put to it, run with your rights")


def _pair(text: str, option: str, example: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name.strip() and sign and value.strip()):
        raise UacError(f"{option}: {text!r} does not say both; write it as in {example}")
    return name.strip(), value.strip()


def _show(edited: Edited) -> None:
    say(edited.diff or "nothing changed")
    for found in edited.diagnostics:
        say(f"note: {plain(str(found))}")


VERBS = (source, edit, rename, upgrade, merge, reshape, test, trust)
