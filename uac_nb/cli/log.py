"""The verbs of the log: fill it from exports, look into it, forget, copy it and bring it back."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import click

from uac_nb import log as logs
from uac_nb import verbs
from uac_nb.cli.terminal import HOME, bar, known, say
from uac_nb.errors import UacError, plain
from uac_nb.log import KINDS, Entry, Log
from uac_nb.store import homes
from uac_nb.user import User
from uac_nb.verbs.forget import Going

FILE = click.Path(path_type=Path)


@click.command("import")
@click.argument("user")
@click.argument("file", type=FILE)
@click.option("--me", default="", help="Which speaker the user is (default: who is called like USER; - if none is).")
@click.option("--format", help='Named, where it is not found: "whatsapp"; with the order of dates: "whatsapp:dmy".')
@click.option("--zone", default="", help="The time zone of times without one: Europe/Lisbon.")
@click.option("--column", "columns", multiple=True, metavar="FIELD=NAME", help="A column of a table: text=Body, at=Date …")
@click.option("--dry-run", is_flag=True, help="Add nothing; say what would be, and what was not understood.")
@click.option("--again", is_flag=True, help="Add also what is there already.")
@HOME
def import_(
    user: str, file: Path, me: str, format: str | None, zone: str, columns: tuple[str, ...], dry_run: bool, again: bool,
    home: Path | None,
) -> None:  # fmt: skip
    """Put the talk in FILE, an export of a chat or a table, into the log of USER: all of it or, on an error, nothing."""
    how: dict[str, Any] = {"me": me, "format": format, "zone": zone, "columns": dict(map(_column, columns))}
    with bar() as tell:
        if not homes.folder(user, home).exists():  # no user is made for what cannot be read, nor by a dry run
            found = verbs.ingest.exported(file, {}, **how, name=user)
            if dry_run:
                say(verbs.ingest.looked(found, tell))
                return
        with User.open(user, home) as memory:
            done = memory.ingest(file, **how, dry_run=dry_run, again=again, on_progress=tell)
    say(done)


def _column(text: str) -> tuple[str, str]:
    field, sign, name = text.partition("=")
    if not sign:
        raise UacError(f"--column {text}: write which field is which column, as in --column text=Body")
    return field, name


@click.command()
@click.argument("user")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only entries of this kind (several: again).")
@click.option("--speaker", help="Only what this one said.")
@click.option("--session", help="Only this conversation.")
@click.option("--since", metavar="DAY", help="Said on this day or later: 2025-01-10.")
@click.option("--until", metavar="DAY", help="Said on this day or before.")
@click.option("--rows", type=click.IntRange(1), help="Only the newest so many.")
@HOME
def log(
    user: str, kinds: tuple[str, ...], speaker: str | None, session: str | None, since: str | None, until: str | None,
    rows: int | None, home: Path | None,
) -> None:  # fmt: skip
    """Print the log, an entry a line, and how much of it that is."""
    from uac_nb.verbs.history import in_words

    with User.open(known(user, home), home) as memory:
        choice = memory.log.chosen(
            kinds=kinds or None, speaker=speaker, session=session, start=_day(since), end=_day(until), limit=rows
        )
        for entry, words in in_words(memory.log, choice.entries):
            say(_line(entry, words))
        say(choice.shown, err=True)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise UacError(f"{text!r} is not a day; write it as 2025-01-10") from None


def _line(entry: Entry, words: str) -> str:
    return plain(f"{entry.id:>6} {entry.day} {entry.kind:<8} {entry.speaker or entry.role}: {words}")


@click.command()
@click.argument("user")
@click.argument("words", nargs=-1, required=True)
@click.option("--speaker", help="Only what this one said.")
@click.option("-k", default=20, help="How many (20).")
@HOME
def search(user: str, words: tuple[str, ...], speaker: str | None, k: int, home: Path | None) -> None:
    """Print the entries that fit WORDS best, the best first."""
    with User.open(known(user, home), home) as memory:
        hits = memory.log.search(" ".join(words), k, speaker)
        for hit in hits:
            say(_line(hit.entry, hit.entry.text))
        if not hits:
            say("no entry has any of these words", err=True)


@click.command()
@click.argument("user")
@HOME
def verify(user: str, home: Path | None) -> None:
    """Check every entry of the log, and their chain."""
    with Log.open(_path(user, home)) as opened:
        broken = opened.verify()
        say(broken or f"{len(opened):,} entries, none broken")
    sys.exit(broken is not None)


@click.command()
@click.argument("user")
@click.argument("ids", nargs=-1)
@click.option("--text", help="All messages that hold this text, instead of numbers.")
@click.option("--why", default="", help="Kept in the log.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@HOME
def forget(user: str, ids: tuple[str, ...], text: str | None, why: str, yes: bool, home: Path | None) -> None:
    """Remove entries IDS for good, with all that was made of them; it shows what goes and asks first."""
    if bool(ids) == (text is not None):
        raise UacError(f"what is to be forgotten? Give numbers of entries (uac-nb log {user} shows them), or --text WORDS")
    numbers = [_number(word, " ".join(ids)) for word in ids]

    def agreed(going: Going) -> bool:
        say(going)
        return click.confirm("forget it for good?")

    with User.open(known(user, home), home) as memory:
        say(memory.forget(numbers if text is None else text, why, yes=yes or agreed))


def _number(word: str, words: str) -> int:
    """The number of an entry, also where it is written as it is shown: #12."""
    if not (number := word.removeprefix("#")).isdecimal():
        raise UacError(f"{word!r} is no number of an entry; to forget all messages that hold these words: --text {words!r}")
    return int(number)


@click.command()
@click.argument("user")
@click.argument("file", type=FILE)
@HOME
def export(user: str, file: Path, home: Path | None) -> None:
    """Write all of USER's log to FILE, as JSON lines from which `restore` makes it again."""
    _copied(user, file, home, logs.export)


@click.command()
@click.argument("user")
@click.argument("file", type=FILE)
@HOME
def backup(user: str, file: Path, home: Path | None) -> None:
    """Copy USER's log to FILE, while others may use it; put back, it is the log."""
    _copied(user, file, home, logs.backup)


def _copied(user: str, file: Path, home: Path | None, copy: object) -> None:
    assert callable(copy)
    if not file.absolute().parent.is_dir():
        raise UacError(f"there is no folder {file.parent}; make it first")
    with Log.open(_path(user, home)) as opened:
        copy(opened, file)
        say(f"{len(opened):,} entries in {file}, up to chain hash {opened.head[1][:12]}")


@click.command()
@click.argument("user")
@click.argument("file", type=FILE)
@HOME
def restore(user: str, file: Path, home: Path | None) -> None:
    """Make USER again from FILE, which `export` wrote; the project is rebuilt from the log."""
    with User.restore(user, file, home) as memory:
        for found in memory.set_aside():
            say(str(found))
        say(f"{len(memory.log):,} entries; the project has {len(memory.history()):,} commits")


@click.command()
@click.argument("user")
@HOME
def rebuild(user: str, home: Path | None) -> None:
    """Make the project anew from the log, also where the two do not belong together. The old folder is kept beside it."""
    with User.open(known(user, home), home, rebuild=True) as memory:
        for found in memory.set_aside():
            say(str(found))
        say(f"rebuilt {memory.folder / 'project'} from {len(memory.log):,} entries")
        if kept := memory.project.kept:
            say(f"what stood there before is other than that, and kept in {kept}")


def _path(user: str, home: Path | None) -> Path:
    return homes.existing(user, home) / homes.LOG


VERBS: Iterable[click.Command] = (import_, log, search, verify, forget, export, backup, restore, rebuild)
