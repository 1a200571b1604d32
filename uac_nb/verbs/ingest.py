"""What a person hands over to be remembered: a text, messages, a table, the export of a chat; and what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from os import PathLike
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from uac_nb.errors import LogError
from uac_nb.log import Draft, Entry, Log
from uac_nb.log.entries import whose
from uac_nb.log.rows import YEARS
from uac_nb.log.staging import Progress

if TYPE_CHECKING:  # loaded at the first export: telling a sentence does without
    from uac_nb.importers import Import, Report

LONGEST_NAME = 1_000  # characters of a text that may be the path of a file
MESSAGE_KEYS = ("text", "at", "speaker", "session", "role", "caption", "id")


@dataclass(frozen=True, repr=False)
class Ingested:
    """What an ingest added (`entries`, read when they are looked at), and which entries were there already (`known`, ids).

    `report` says what was found in an export. Of a dry run it is all there is.
    """

    entries: Sequence[Entry] = ()
    known: Sequence[int] = ()
    report: Report | None = None
    dry_run: bool = False

    def __str__(self) -> str:
        return f"{self.report}\n{self._counts()}" if self.report else self._counts()

    def __repr__(self) -> str:
        return f"<Ingested: {self._counts()}>"

    def _counts(self) -> str:
        done = "nothing was added: a dry run" if self.dry_run else f"{len(self.entries):,} added"
        return done + (f", {len(self.known):,} there already" if self.known else "")


class Entries(Sequence[Entry]):
    """The entries of a log from `first` to `last`, read when they are looked at: an import may have added a million."""

    def __init__(self, log: Log, first: int, last: int) -> None:
        self._log = log
        self._ids = range(first, last + 1)

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> list[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | list[Entry]:
        return [*self._log.entries(ids=self._ids[at])] if isinstance(at, slice) else self._log.entry(self._ids[at])

    def __iter__(self) -> Iterator[Entry]:
        return self._log.entries(after=self._ids.start - 1, before=self._ids.stop)

    def __repr__(self) -> str:
        return f"<{len(self):,} entries>"


def is_export(what: Any) -> bool:
    """Whether it is a file or a DataFrame. Raise LogError for a text that names a file: it would be kept as words.

    Any text may be told, so it is looked up as the name of a file only where it can be one, and nothing comes of a failure.
    """
    if isinstance(what, str) and len(what) <= LONGEST_NAME and what.isprintable() and Path(what).suffix and isfile(what):
        raise LogError(f"{what} is a file; give it as pathlib.Path({what!r}) to import what is in it")
    return isinstance(what, PathLike) or hasattr(what, "itertuples")


def exported(
    what: Any, shared: Mapping[str, Any], me: str, zone: str, format: str | None, columns: Mapping[str, str] | None, name: str
) -> Import:
    """What is in a file or a DataFrame, told to a user of a name. Raise LogError where that is not all that was said of it."""
    from uac_nb.importers import read

    if any(shared.values()):
        raise LogError("an export says itself who spoke and when; leave out at, speaker and session")
    return read(what, format=format, me=me, zone=zone, columns=columns, called=name)


def looked(found: Import, on_progress: Progress | None) -> Ingested:
    """What a dry run says of an export: it is read to its end, and nothing is added."""
    for number, _ in enumerate(found.drafts, 1):
        if on_progress and number % 1_000 == 0:
            on_progress(number, 0, "reading")
    return Ingested(report=found.report, dry_run=True)


def take(log: Log, found: Import, me: str, *, again: bool, dry_run: bool, on_progress: Progress | None) -> Ingested:
    """Add what an importer found, all or nothing. A dry run only looks.

    Raise LogError where several speak and nobody knows who of them is the user: whose words they are is kept for good.
    """
    if dry_run:
        return looked(found, on_progress)
    loaded = log.load(found.drafts if me else _of_the_user(found), again=again, on_progress=on_progress)
    return Ingested(Entries(log, loaded.first, loaded.last), loaded.known, found.report)


def _of_the_user(found: Import) -> Iterator[Draft]:
    from uac_nb.importers import NOBODY

    yield from found.drafts
    if found.report.roles["person"] and not found.report.roles["user"]:
        *_, note = (note for note in found.report.notes if note.startswith("nobody is taken"))
        raise LogError(f"{found.report.file}: {note}; or {NOBODY} where none of them is. Nothing was added")


def told(what: str | Iterable[Mapping[str, Any]], shared: Mapping[str, Any], me: str, zone: str, name: str) -> list[Draft]:
    """The drafts of a text or of messages told to a user of a name. What a message does not say is as in `shared`."""
    messages = [{"text": what}] if isinstance(what, str) else what
    if not isinstance(messages, Iterable) or isinstance(messages, Mapping):
        kind = type(what).__name__
        raise LogError(f"{kind} is nothing to ingest; give a text, a list of messages, a DataFrame, or the Path of an export")
    return [_draft({**shared, **_known(message)}, me, zone, name, position) for position, message in enumerate(messages)]


def added(log: Log, drafts: Sequence[Draft], *, again: bool) -> Ingested:
    """Add messages, all or nothing."""
    done = log.append(drafts, again=again)
    return Ingested(tuple(done.entries), tuple(done.known))


def counted(drafts: Sequence[Draft]) -> Ingested:
    """What a dry run says of messages."""
    from uac_nb.importers import Report

    report = Report("messages", "what was given")
    for draft in drafts:
        report.add(draft)
    return Ingested(report=report, dry_run=True)


def _known(message: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(message, Mapping):
        raise LogError(f"a message is a mapping with {', '.join(MESSAGE_KEYS)}, not {type(message).__name__}")
    if unknown := set(message) - set(MESSAGE_KEYS):
        raise LogError(f"a message has no {', '.join(sorted(unknown))}; it has {', '.join(MESSAGE_KEYS)}")
    if "text" not in message:
        raise LogError(f"a message needs its text; it has {', '.join(message) or 'nothing'}")
    return message


def _draft(message: Mapping[str, Any], me: str, zone: str, name: str, position: int) -> Draft:
    speaker = message["speaker"]
    role = message.get("role") or whose([str(speaker or "")], me, name)
    origin = {"message": str(message["id"])} if message.get("id") else {}
    at = _moment(message["at"])
    return Draft(
        text=message["text"], role=role, said_at=at, zone="" if getattr(at, "tzinfo", None) else zone,
        session=message["session"], speaker=speaker, caption=message.get("caption") or "", origin=origin, position=position,
    )  # fmt: skip


def _moment(at: str | date | None) -> date | None:
    """A day, or a moment with or without zone. Raise LogError when it cannot be read, or nobody can have said it then."""
    said = at if at is None or isinstance(at, date) else _read(str(at))
    if said is not None and said.year not in YEARS:
        raise LogError(f"{at}: the year {said.year} is out of range ({YEARS[0]} to {YEARS[-1]})")
    return said


def _read(at: str) -> date:
    for form in (date.fromisoformat, datetime.fromisoformat):
        with suppress(ValueError):
            if "W" not in at.upper():  # a week, of which Python takes the Monday
                return form(at.strip())
    raise LogError(f"{at!r} is not a date that can be read; write 2025-01-10, 2025-01-10T14:30 or 2025-01-10T14:30+01:00")


__all__ = ["Ingested", "added", "counted", "exported", "is_export", "looked", "take", "told"]
