"""`uac-nb doctor`: what this machine has of what uac_nb needs, and a remedy for each fault."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from uac_nb.changes import Workspace
from uac_nb.check.types import INSTALL, checker
from uac_nb.errors.redaction import redacted
from uac_nb.log import Log
from uac_nb.project import Project
from uac_nb.rules import listed
from uac_nb.runtime import choosing, program, trust
from uac_nb.store import homes
from uac_nb.verbs import upgrade

PACKAGES = ("ipython", "ipywidgets", "jupyterlab", "pandas", "openai", "nbformat", "papermill", "pydantic", "dulwich", "click")
ROOM = 200_000_000  # bytes


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: `remedy` is empty where nothing is wrong."""

    what: str
    found: str
    remedy: str = ""

    def __str__(self) -> str:
        mark = "FAULT" if self.remedy else "ok"
        return f"{mark:<6} {self.what:<10} {self.found}" + (f"\n       → {self.remedy}" if self.remedy else "")


def examine(home: Path | None = None) -> Iterator[Finding]:
    """Look at Python, packages, boundary, users, types, the model, JupyterLab and the disk. Nothing is sent anywhere."""
    yield _python()
    yield _packages()
    yield _boundary()
    yield from _shared(Path(home or homes.find()))
    yield from _trust(Path(home or homes.find()))
    yield from _kept(Path(home or homes.find()))
    yield from _upgrades(Path(home or homes.find()))
    yield _types()
    yield _model()
    yield _lab()
    yield _disk(Path(home or homes.find()))


def _python() -> Finding:
    found = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    return Finding("Python", found, "" if sys.version_info >= (3, 11) else "install Python 3.11 or newer")


def _packages() -> Finding:
    missing = [name for name in PACKAGES if not _version(name)]
    remedy = f"pip install {' '.join(missing)}" if missing else ""
    return Finding(
        "packages",
        f"uac-nb {_version('uac-nb') or 'not installed'}, {len(PACKAGES) - len(missing)} of {len(PACKAGES)} it needs",
        remedy,
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _boundary() -> Finding:
    boundary = choosing.boundary()
    remedy = f"{boundary.why}; generated code does not run here, unless you read a project and say: uac-nb trust USER"
    return Finding("boundary", boundary.name, "" if boundary.ok else remedy)


def _trust(home: Path) -> Iterator[Finding]:
    """The users whose code may run without a boundary here."""
    for name in homes.names(home):
        with Log.open(home / name / homes.LOG) as log:
            user = log.user
        if trust.given(user):
            files = Project.open(home / name / "project").files()
            holds = trust.holds(user, program(Workspace.from_files(files)).code)
            yield Finding("trust", f"{name}: trusted as it is now" if holds else f"{name}: changed since, so trusted no longer")


def _shared(home: Path) -> Iterator[Finding]:
    """Whether the folder of users, which may have been found above, is somebody else's."""
    if why := homes.shared(home):
        yield Finding("users", f"{home}: {why}", "set UAC_HOME to a folder of your own")


def _kept(home: Path) -> Iterator[Finding]:
    """Projects as they stood before a rebuild that came to something else."""
    for name in homes.names(home):
        if kept := Project(home / name / "project").kept:
            yield Finding("rebuilt", f"{name}: what stood there before is in {kept}; delete it when you miss nothing")


def _upgrades(home: Path) -> Iterator[Finding]:
    """Projects whose copies of our types are of an earlier version."""
    for name in homes.names(home):
        with Log.open(home / name / homes.LOG) as log:
            workspace, _ = Workspace.read(Project.open(home / name / "project").files())
            if found := upgrade.offered(workspace, log):
                told = f"{name}: {listed(found.types)} {'has' if len(found.types) == 1 else 'have'} a newer form"
                yield Finding("upgrade", f"{told}; look: uac-nb upgrade {name} --dry-run")


def _types() -> Finding:
    found = "ty checks rules and methods" if checker() else f"rules and methods are not type-checked; to have that: {INSTALL}"
    return Finding("types", found)


def _model() -> Finding:
    name, key = os.environ.get("UAC_MODEL"), os.environ.get("OPENAI_API_KEY")
    if not name:
        return Finding("model", "none named (UAC_MODEL): the pattern reader reads, and nothing is sent anywhere")
    where = os.environ.get("OPENAI_BASE_URL", "the endpoint of the openai package")
    return Finding(
        "model",
        redacted(f"{name} at {where}"),
        "" if key else "set OPENAI_API_KEY (any word, for a local endpoint without keys)",
    )


def _lab() -> Finding:
    folders = [Path(sys.prefix), Path.home() / ".local"]
    there = any((f / "share/jupyter/labextensions/uac-nb/package.json").is_file() for f in folders)
    return Finding(
        "JupyterLab", "cells are inserted by the extension" if there else "without the extension, one cell at a time is shown"
    )


def _disk(home: Path) -> Finding:
    base = next(p for p in (home, *home.parents) if p.exists())
    free = shutil.disk_usage(base).free
    if not os.access(base, os.W_OK):
        return Finding("disk", f"{home} cannot be written", "set UAC_HOME to a folder you can write to")
    return Finding(
        "disk", f"{free / 1e9:.1f} GB free for {home}", "" if free > ROOM else "make room: a log never shrinks by itself"
    )
