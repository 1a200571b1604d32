"""One user's folder: a log and the project made from it, kept in step, and changed by one process at a time."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from uac_nb.changes import Workspace
from uac_nb.disk.files import refuse_links
from uac_nb.disk.lock import OPENING, locked
from uac_nb.domainfile.cache import Cache
from uac_nb.errors import DamagedError, Diagnostic, LogError, ProjectError
from uac_nb.log import Draft, Entry, Log, restore
from uac_nb.project import Commit, Project, Stamp
from uac_nb.store import homes, replay

WAIT = 30.0  # seconds for another process to make the project
REMEDIES = {
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "give yourself the right to write there"),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space"),
}


class Store:
    """A log, its project, and the project's last commit in memory.

    Opening finishes what another process left unfinished. Raise ProjectError when log and project do not belong together,
    unless `rebuild` makes the project anew.
    """

    def __init__(self, name: str, folder: Path, rebuild: bool = False) -> None:
        self.name = name
        self.folder = folder
        refuse_links(folder)
        self.log = Log.open(folder / homes.LOG)
        self._project: Project | None = None
        self._cache = Cache(folder / ".cache")
        self._aside: list[Diagnostic] = []
        self._workspace: Workspace | None = None
        self._at: Commit | None = None  # the commit that the workspace was made from
        if rebuild:
            self.rebuild()
        with suppress(DamagedError):  # what needs the project says so; the verbs of the log go on
            self._prepare(self.project)

    def _prepare(self, project: Project) -> None:
        with suppress(ProjectError), self.locked(OPENING):  # somebody who is at work catches up anyway
            if self.log.stale:
                self.renew()
            self.catch_up()

    @property
    def project(self) -> Project:
        """The project, opened when it is first needed. Raise ProjectError when it is damaged, or not made from this log."""
        if self._project is None:
            project = self._opened()
            self._belongs_together(project)
            self._project = project
        return self._project

    def _opened(self) -> Project:
        """Open the project, or make it: one process does, the others wait for it."""
        made = self.folder / "project"
        if (made / ".git").exists():
            return Project.open(made)
        with self.locked("making the project", wait=WAIT):
            return Project.open(made)

    def close(self) -> None:
        self.log.close()

    @property
    def workspace(self) -> Workspace:
        """The project of the last commit, in memory; read again where another process has moved it on."""
        if self._workspace is None or self._at != self.project.head:
            return self._keep(Workspace.from_files(self.project.files(), like=self._workspace, parse=self._cache.parse))
        return self._workspace

    @contextmanager
    def locked(self, what: str, wait: float = 0.0) -> Iterator[None]:
        """Hold the user's lock. Raise ProjectError when another process does, and for a disk that takes nothing."""
        try:
            with locked(self.folder / ".lock", what, wait):
                yield
        except OSError as error:  # a disk that is full, a folder that may not be written
            first = f"{REMEDIES[error.errno]} and " if error.errno in REMEDIES else ""
            told = f"{error.filename or self.folder}: {error.strerror}; {what} was not finished"
            raise ProjectError(f"{told}: {first}repeat it") from error

    def catch_up(self) -> None:
        """Commit what is stored and not committed yet."""
        self._catch_up(self._workspace if self._at == self.project.head else None)

    def _catch_up(self, workspace: Workspace | None) -> None:
        self._keep(replay.catch_up(self.log, self.project, workspace, self._cache, self._aside.append))

    def refuse(self, found: Iterable[Diagnostic]) -> None:
        """Have it told that something was not let in."""
        self._aside += found

    def set_aside(self) -> list[Diagnostic]:
        """What nothing could be made of, each told once."""
        found, self._aside = self._aside, []
        return found

    def rebuild(self) -> None:
        """Make the project anew from the log, without any model. What stood in the folder and came out otherwise is kept."""
        with self.locked("a rebuild"):
            if self._project:
                self._project.close()
            self._project = Project.afresh(self.folder / "project")
            self._catch_up(Workspace())
            self.project.settle()
            if self.log.stale:
                self.renew()

    def renew(self) -> None:
        """Make the project anew after a forget, and leave nothing of the old one."""
        self._project = self.project.erased()
        rmtree(self.folder / ".cache", ignore_errors=True)
        self._catch_up(Workspace())
        self.log.renewed()

    def message(self, id: int) -> Entry | None:
        """A message or edit; None where there is none of that number."""
        try:
            entry = self.log.entry(id)
        except LogError:
            return None
        return entry if entry.kind in ("message", "edit") else None

    def _keep(self, workspace: Workspace) -> Workspace:
        self._workspace, self._at = workspace, self.project.head
        return workspace

    def _belongs_together(self, project: Project) -> None:
        """Refuse a project that was not made from this log. Raise ProjectError with the remedy."""
        head = project.head
        wrong = _foreign(head.stamp, self.log) if head else ""
        if wrong:
            self.close()
            raise ProjectError(
                f"{self.folder}: project and log do not belong together: {wrong}. Put the right log back; or go on from this "
                f"one: `uac-nb rebuild {self.name}`, or %uac_user {self.name} --rebuild, makes the project from it "
                f"and keeps the old folder as project.old"
            )


def restored(name: str, archive: Path | str, home: Path | str | None = None) -> tuple[Path, list[Diagnostic]]:
    """A user's folder with the log that an archive holds, and what of it was set aside since the gate refuses it.

    Raise LogError for an archive that is damaged, ProjectError when the user has a log already.
    """
    folder = homes.folder(name, home)
    if (folder / homes.LOG).exists():
        raise ProjectError(f"{name} has a log already; restore under another name, or move {folder} away")
    new = homes.make(folder)
    done = False
    try:
        with TemporaryDirectory(prefix=".restore-", dir=folder) as made:  # no log is in its place that was not screened
            with restore(archive, Path(made) / homes.LOG) as log:
                aside = _screened(log, archive)
            os.replace(Path(made) / homes.LOG, folder / homes.LOG)
        done = True
    finally:
        if new and not done:
            folder.rmdir()
    return folder, aside


def _screened(log: Log, archive: Path | str) -> list[Diagnostic]:
    """Set aside in a log what the gate refuses of it; the findings."""
    try:
        aside = replay.screened(log)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, LogError) as error:
        told = f"{archive}: the steps of its log cannot be told apart ({type(error).__name__}: {error})"
        raise LogError(f"{told}; the archive is damaged, use another copy") from error
    if aside:
        log.append([Draft(kind="undo", role="system", text="Not let in from the archive", data={"aside": [*aside]})])
    return [*aside.values()]


def _foreign(stamp: Stamp, log: Log) -> str:
    """Why a project with this stamp was not made from a log; "" where it was."""
    if stamp.user != log.user:
        return "they are of two users"
    if stamp.entry > log.last:
        return f"the log is older than its project (it ends at entry {log.last:,}, the project shows entry {stamp.entry:,})"
    return "" if stamp.chain == log.chain(stamp.entry) else f"they differ at entry {stamp.entry:,} or before"
