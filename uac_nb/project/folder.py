"""The project's folder: the newest commit's files, which a person reads and edits.

A view of the log, so it may be thrown away; but nothing here overwrites what a person wrote. What the folder shows is
kept as a ref of its own (`SHOWN`), moved when the last file is in place: where it lags behind the branch, a file as it
was there is our own unfinished write, and any other difference is a person's edit. One process at a time may write (the
user's lock sees to that); readers need no lock. A git binary is not needed, and can be used on the folder.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from uac_nb.errors import DamagedError, ProjectError
from uac_nb.project import durable
from uac_nb.project.repository import BRANCH, PATH, REGULAR, SHOWN, Commit, Repository, Stamp, reading

if TYPE_CHECKING:
    from dulwich.objects import ObjectID

    from uac_nb.project.repository import Tree

CACHES = ("__pycache__", ".ipynb_checkpoints", ".mypy_cache", ".ruff_cache", ".pytest_cache")  # copies that tools make of it
FRAMES = "frames.txt"  # the frames of the pattern reader that a person added: data, no code


ELSEWHERE = re.compile(r"ref: refs/heads/[!-~]+|[0-9a-f]{40}")  # what git says of where it is: a branch, or a commit


class Project:
    """A folder under git. Paths are relative, with slashes; texts are UTF-8 with their line ends as they are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._git = Repository(folder / ".git")

    @classmethod
    def open(cls, folder: Path | str) -> Project:
        """Open the project in `folder`, made where it is not there, readable by its owner only.

        Raise DamagedError when the repository is damaged, or on another branch than main.
        """
        folder = Path(folder)
        with reading(folder / ".git"):
            durable.make(folder)
            if not (folder / ".git").exists():
                Repository.create(folder / ".git")
            head = (folder / ".git" / "HEAD").read_text(encoding="utf-8").strip()
            if not ELSEWHERE.fullmatch(head):
                raise ValueError("HEAD names no branch")
        if head != f"ref: {BRANCH}":
            raise DamagedError(f"{folder}: the repository is on {head.removeprefix('ref: ')}; go back by `git switch main`")
        return cls(folder)

    def anew(self) -> Project:
        """Start over with an empty project. What stood in the folder is moved beside it, to "….old", which it replaces."""
        self.close()
        return Project.afresh(self.folder)

    @classmethod
    def afresh(cls, folder: Path) -> Project:
        """As `anew`, of a folder of which nothing may be readable, or there at all."""
        aside = _aside(folder)
        if os.path.lexists(folder):
            if aside.is_dir() and not aside.is_symlink():
                shutil.rmtree(aside)
            else:
                aside.unlink(missing_ok=True)
            os.replace(folder, aside)
        return cls.open(folder)

    @property
    def kept(self) -> Path | None:
        """What `anew` moved beside the folder, while it is there."""
        return aside if (aside := _aside(self.folder)).exists() else None

    def settle(self) -> None:
        """Delete what `anew` kept, when all of it is here: its newest commit, and every file as it stands."""
        if self.kept and self._has_all_of(self.kept):
            shutil.rmtree(self.kept)

    def _has_all_of(self, old: Path) -> bool:
        try:
            head = Repository(old / ".git").ref()
        except DamagedError:
            return False
        files = (
            file for file in old.rglob("*") if not file.is_dir() and not {".git", *CACHES} & {*file.relative_to(old).parts}
        )
        return head in (None, *self._git.walk()) and all(_same(file, self.folder / file.relative_to(old)) for file in files)

    def erased(self) -> Project:
        """Start over with an empty project of which nothing is left: no file that it showed, no history, nothing beside it.

        What git never had stays, and so does a file that a person changed. Killed in between, it can be called again.
        """
        target, shown = self._git.tree(self._git.ref()), self._git.tree(self._shown())
        for path, blob in self._there({*target, *shown, *self._modules()}).items():
            if blob and blob in (target.get(path), shown.get(path)):
                self._show(path, None)
        self.close()
        gone = self.folder.with_name(f".{self.folder.name}.gone")
        shutil.rmtree(gone, ignore_errors=True)
        os.replace(self.folder / ".git", gone)
        for leftover in (gone, _aside(self.folder), *(found for name in CACHES for found in self.folder.rglob(name))):
            shutil.rmtree(leftover, ignore_errors=True)
        return Project.open(self.folder)

    def close(self) -> None:
        self._git.close()

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- history ---

    @property
    def head(self) -> Commit | None:
        """The newest commit; None in an empty project."""
        found = self._git.ref()
        return self._git.commit(found) if found else None

    def history(self) -> list[Commit]:
        """All commits, the newest first."""
        return [self._git.commit(id) for id in self._git.walk()]

    def commits_touching(self, path: str) -> list[Commit]:
        """The commits that made, changed or removed a file, the newest first."""
        walk = list(self._git.walk())
        blobs = [self._git.tree(id).get(path) for id in walk]
        changed = zip(walk, blobs, [*blobs[1:], None], strict=True)
        return [self._git.commit(id) for id, blob, before in changed if blob != before]

    def files(self, commit: str | None = None) -> dict[str, str]:
        """The texts of a commit by path (of the newest one, or none, when `commit` is None)."""
        return {path: _decoded(path, self._git.data(blob)) for path, blob in self._git.tree(self._id(commit)).items()}

    def text(self, path: str, commit: str) -> str | None:
        """The text of one file of a commit; None where it had none of that path."""
        blob = self._git.tree(self._id(commit)).get(path)
        return _decoded(path, self._git.data(blob)) if blob else None

    def diff(self, a: str | None = None, b: str | None = None) -> str:
        """What changed from commit `a` (by default the parent of `b`; "": an empty project) to `b` (the newest), by path."""
        new = self._id(b)
        old = (self._git.parent(new) if new else None) if a is None else (self._id(a) if a else None)
        before, after = self._git.tree(old), self._git.tree(new)
        changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        return "".join(
            _unified(path, self._shown_text(before.get(path)), self._shown_text(after.get(path))) for path in changed
        )

    def changed(self, a: str | None, b: str | None = None) -> list[str]:
        """The files of commit `b` (the newest) that were not so in `a` (None: an empty project)."""
        before, after = self._git.tree(self._id(a) if a else None), self._git.tree(self._id(b))
        return [path for path, blob in after.items() if before.get(path) != blob]

    def _id(self, commit: str | None) -> ObjectID | None:
        return self._git.known(commit) if commit else self._git.ref()

    def _shown_text(self, blob: ObjectID | None) -> str | None:
        return self._git.data(blob).decode(errors="replace") if blob else None

    # --- writing ---

    def commit(
        self, files: Mapping[str, str], message: str, stamp: Stamp, at: datetime, taken: Mapping[str, str | None] = {}
    ) -> Commit:
        """Make `files` (all files of the project) the newest commit, and show them in the folder as `checkout` does.

        The same files, message, stamp, second and parent give the same id. Only what the history lacks is written.
        """
        id = self._git.add({_checked(path): text for path, text in files.items()}, message, stamp, at)
        self.checkout(taken)
        return self._git.commit(id)

    @property
    def unfinished(self) -> bool:
        """Whether the newest commit was made but not shown in the folder to its end; `checkout` finishes that."""
        return self._git.ref() != self._git.ref(SHOWN)

    def checkout(self, taken: Mapping[str, str | None] = {}) -> None:
        """Show the newest commit in the folder, and finish what an interrupted checkout left. A person's edits stay.

        `taken` are texts of files that the commit was made from: a file that says just that is no edit any more.
        """
        from dulwich.objects import Blob

        head = self._git.ref()
        target, shown = self._git.tree(head), self._git.tree(self._shown())
        differ = sorted(path for path in target.keys() | shown.keys() if target.get(path) != shown.get(path))
        for path, there in self._there(differ).items():
            text = taken.get(path)
            mine = text is not None and there == Blob.from_string(text.encode()).id
            if there != target.get(path) and (mine or there == shown.get(path)):
                self._show(path, target.get(path))
        self._git.write(self._git.git / "index", self._index(target))
        if head:
            self._git.move(SHOWN, head)
        self._git.pack()

    def edits(self) -> dict[str, str | None]:
        """What a person changed in the folder since the newest commit: path and text, or None where the file was deleted.

        New files count where they end in ".py", and FRAMES. Raise ProjectError for a file that is a link or no UTF-8 text.
        """
        target, shown = self._git.tree(self._git.ref()), self._git.tree(self._shown())
        there = self._there({*target, *shown, *self._modules()})
        edited = {path: blob for path, blob in there.items() if blob not in (target.get(path), shown.get(path))}
        return {
            path: _decoded(path, (self.folder / path).read_bytes()) if blob else None for path, blob in sorted(edited.items())
        }

    def put(self, files: Mapping[str, str | None]) -> None:
        """Write into the folder what is to be committed next (None: no such file), over what a person wrote there."""
        for path, text in files.items():
            if text is None:
                durable.remove(self._inside(path))
            else:
                self._git.write(self._inside(path), text.encode())

    # --- the folder ---

    def _shown(self) -> ObjectID | None:
        """The commit that the folder showed in full last (in a clone, which has no such ref, the newest one's parent)."""
        head = self._git.ref()
        return self._git.ref(SHOWN) or (self._git.parent(head) if head else None)

    def _there(self, paths: Iterable[str]) -> dict[str, ObjectID | None]:
        """What stands in the folder: of each file the id that it would have in git, None where it is not there."""
        from dulwich.objects import Blob

        found: dict[str, ObjectID | None] = {}
        for path in paths:
            file = self._inside(path)
            found[path] = Blob.from_string(file.read_bytes()).id if file.is_file() else None
        return found

    def _modules(self) -> Iterator[str]:
        for folder, inner, names in os.walk(self.folder):
            inner[:] = [name for name in inner if PATH.fullmatch(name) and name != "__pycache__"]
            for name in names:
                if PATH.fullmatch(name) and (name.endswith(".py") or name == FRAMES):
                    yield (Path(folder) / name).relative_to(self.folder).as_posix()

    def _inside(self, path: str) -> Path:
        file = self.folder
        for part in path.split("/"):
            file = file / part
            if file.is_symlink():
                raise ProjectError(f"{file}: is a link; put the file itself there")
        return file

    def _show(self, path: str, blob: ObjectID | None) -> None:
        file = self._inside(path)
        if blob:
            self._git.write(file, self._git.data(blob))
            return
        durable.remove(file)
        if file.parent != self.folder and not any(file.parent.iterdir()):
            file.parent.rmdir()

    def _index(self, tree: Tree) -> bytes:
        """What git compares the folder with, so that `git status` is clean right after a checkout."""
        from dulwich.index import index_entry_from_stat, write_index_dict

        there = {path: (self.folder / path).stat() for path in tree if (self.folder / path).is_file()}
        stream = BytesIO()
        write_index_dict(stream, {p.encode(): index_entry_from_stat(stat, tree[p], REGULAR) for p, stat in there.items()})
        return stream.getvalue() + hashlib.sha1(stream.getvalue()).digest()


def _aside(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.old")


def _same(a: Path, b: Path) -> bool:
    return a.is_file() and b.is_file() and not a.is_symlink() and a.read_bytes() == b.read_bytes()


def _checked(path: str) -> str:
    if not PATH.fullmatch(path):
        raise ProjectError(
            f"{path!r}: is no path for a file of the project; use letters, digits, '_', '-' and '.', as in money/2024.py"
        )
    return path


def _decoded(path: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ProjectError(f"{path}:{line}: is not UTF-8 text; save the file as UTF-8") from None


def _unified(path: str, before: str | None, after: str | None) -> str:
    """One file's difference; of a file that was made or removed the other side is /dev/null, as git has it."""
    lines = difflib.unified_diff(
        (before or "").splitlines(keepends=True),
        (after or "").splitlines(keepends=True),
        "/dev/null" if before is None else f"a/{path}",
        "/dev/null" if after is None else f"b/{path}",
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
