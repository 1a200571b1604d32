"""The history: commits, trees and texts in a git repository, by dulwich and without a git binary.

Everything is written by `durable.write` and nothing is changed in place: objects first, then the ref that names the
commit, so that a commit stands whole or not at all. Old objects are packed as differences from one another.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from io import BytesIO
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

from uac_nb.errors import DamagedError, ProjectError
from uac_nb.project import durable
from uac_nb.project.deltas import chained

if TYPE_CHECKING:
    from dulwich import objects
    from dulwich.objects import ObjectID
    from dulwich.refs import Ref

    Tree = Mapping[str, ObjectID]  # path and blob of every file of a commit

P = ParamSpec("P")
R = TypeVar("R")

AUTHOR = b"uac_nb <uac_nb@localhost>"
BRANCH = "refs/heads/main"
SHOWN = "refs/uac/shown"  # what the folder shows, see `Project`
MISPLACED = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.EINVAL)  # of a file that is not what it should be
WHY = 200  # characters of a reason that are shown
REGULAR, FOLDER = 0o100644, 0o40000
TREES = 8  # commits whose trees are kept in memory
LOOSE, PACKS, SMALL = 48, 16, 300  # pack so many loose objects; merge so many packs of fewer than so many objects
PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
SIGNED = re.compile(r"(?s)(?P<message>.*)\n\nUac-User: (?P<user>.*)\nUac-Entry: (?P<entry>\d+)\nUac-Chain: (?P<chain>.*)\n")


@dataclass(frozen=True, slots=True)
class Stamp:
    """What of the log a commit shows: whose it is, the last entry, and the chain hash there."""

    user: str
    entry: int
    chain: str


@dataclass(frozen=True, slots=True)
class Commit:
    """One state of the project. `stamp` is ``Stamp("", 0, "")`` where somebody else made the commit."""

    id: str
    at: datetime
    message: str
    stamp: Stamp


@contextmanager
def reading(git: Path) -> Iterator[None]:
    """Turn whatever comes of bytes that git never wrote into a DamagedError that names the remedy.

    A disk that is full or may not be written is told by who writes.
    """
    try:
        yield
    except ProjectError:
        raise
    except OSError as error:
        if error.errno not in MISPLACED:
            raise
        raise _damaged(git, error.strerror or "") from error
    except (Exception, RecursionError) as error:  # dulwich has no base for its errors, and lets those of zlib and struct out
        raise _damaged(git, f"{type(error).__name__}: {error}") from error


def _damaged(git: Path, why: str) -> DamagedError:
    why = " ".join(why.split())[:WHY]
    return DamagedError(
        f"{git}: the project's history is damaged ({why}); the log is whole: `uac-nb rebuild {git.parent.parent.name}`, or "
        f"%uac_user {git.parent.parent.name} --rebuild, makes the project from it and keeps the old folder as project.old"
    )


def _guarded(act: Callable[P, R]) -> Callable[P, R]:
    """A method of a Repository that reads what may be damaged."""

    @wraps(act)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        with reading(cast("Repository", args[0]).git):
            return act(*args, **kwargs)

    return guarded


class Repository:
    """A git directory. Ids of objects are as dulwich has them: forty hex digits, in bytes."""

    def __init__(self, git: Path) -> None:
        from dulwich.object_store import DiskObjectStore
        from dulwich.refs import DiskRefsContainer

        self.git = git
        self._store = DiskObjectStore(str(git / "objects"))
        self._refs = DiskRefsContainer(str(git))
        self._trees: dict[ObjectID, Tree] = {}  # of the commits that were asked for last
        self._stored: dict[str, tuple[str, ObjectID]] = {}  # of each path, the text that was stored last
        self.close = weakref.finalize(self, self._store.close)  # also at exit, where it is too late for dulwich's own

    @classmethod
    def create(cls, git: Path) -> None:
        """Make an empty repository, beside and then moved into place."""
        from dulwich.repo import Repo

        beside = git.with_name(".new")
        shutil.rmtree(beside, ignore_errors=True)
        Repo.init(beside, mkdir=True, default_branch=BRANCH.rpartition("/")[2].encode()).close()
        for first in range(256):  # so that no commit has to make them
            (beside / ".git" / "objects" / f"{first:02x}").mkdir()
        for found in beside.rglob("*"):
            found.chmod(0o700 if found.is_dir() else 0o600)
        os.replace(beside / ".git", git)
        beside.rmdir()
        durable.sync(git.parent)

    # --- refs ---

    @_guarded
    def ref(self, name: str = BRANCH) -> ObjectID | None:
        found = self._refs.read_ref(cast("Ref", name.encode()))
        if found is None and not (self.git / "objects").is_dir():
            raise _damaged(self.git, "there is none")
        if found is None and name == BRANCH and self._refs.read_ref(cast("Ref", SHOWN.encode())):
            raise _damaged(self.git, f"{BRANCH} is gone")
        if found is not None and not re.fullmatch(rb"[0-9a-f]{40}", found):
            raise _damaged(self.git, f"{name} names no commit")
        return cast("ObjectID | None", found)

    def move(self, name: str, id: ObjectID) -> None:
        self.write(self.git / name, id + b"\n")

    def write(self, file: Path, data: bytes) -> None:
        durable.write(file, data, self.git / "uac.tmp")

    # --- reading ---

    @_guarded
    def known(self, commit: str) -> ObjectID:
        """The id of a commit. Raise ProjectError when there is none of that name."""
        from dulwich.objects import Commit

        id = cast("ObjectID", commit.encode())
        if not (re.fullmatch(r"[0-9a-f]{40}", commit) and id in self._store and isinstance(self._store[id], Commit)):
            raise ProjectError(f"there is no commit {commit!r}; history() lists those there are")
        return id

    @_guarded
    def commit(self, id: ObjectID) -> Commit:
        return _read(self._commit(id))

    @_guarded
    def parent(self, id: ObjectID) -> ObjectID | None:
        return next(iter(self._commit(id).parents), None)

    def walk(self) -> Iterator[ObjectID]:
        """The newest commit, its parent, and so on."""
        id = self.ref()
        while id:
            yield id
            id = self.parent(id)

    @_guarded
    def tree(self, commit: ObjectID | None) -> Tree:
        """The files of a commit. Links, and what a person gave an odd name, are not the project's."""
        if commit is None:
            return {}
        if commit not in self._trees:
            if len(self._trees) >= TREES:
                del self._trees[next(iter(self._trees))]
            self._trees[commit] = self._tree(commit)
        return self._trees[commit]

    def _tree(self, commit: ObjectID) -> Tree:
        found = self._store.iter_tree_contents(self._commit(commit).tree)
        entries = ((os.fsdecode(e.path or b""), e.sha) for e in found if e.mode and S_ISREG(e.mode))
        return {path: sha for path, sha in entries if sha and PATH.fullmatch(path)}

    @_guarded
    def data(self, blob: ObjectID) -> bytes:
        return self._whole(blob, b"blob").as_raw_string()

    def _whole(self, id: ObjectID, kind: bytes) -> objects.ShaFile:
        """An object as it was written: that of another kind, or with another content, is damaged."""
        found = self._store[id]
        if found.type_name != kind or type(found).from_string(found.as_raw_string()).id != id:
            raise _damaged(self.git, f"object {id.decode()} is not what was written")
        return found

    def _commit(self, id: ObjectID) -> objects.Commit:
        return cast("objects.Commit", self._whole(id, b"commit"))

    # --- writing ---

    @_guarded
    def add(self, files: Mapping[str, str], message: str, stamp: Stamp, at: datetime) -> ObjectID:
        """Store a commit of these files upon the newest one, and make it the newest. Raise ProjectError."""
        from dulwich.objects import Commit

        parent = self.ref()
        commit = Commit()
        commit.tree = self._add_tree({path: self._add_text(path, text) for path, text in files.items()})
        commit.parents = [parent] if parent else []
        commit.author = commit.committer = AUTHOR
        commit.author_time = commit.commit_time = int(at.timestamp())
        commit.author_timezone = commit.commit_timezone = 0
        commit.message = _signed(message, stamp).encode()
        self._save(commit)
        self.move(BRANCH, commit.id)
        return commit.id

    def _add_text(self, path: str, text: str) -> ObjectID:
        """Store a text, unless it is the one that was stored for its path last."""
        from dulwich.objects import Blob

        last = self._stored.get(path)
        if last is None or last[0] != text:
            blob = Blob.from_string(encoded(path, text))
            self._save(blob)
            last = self._stored[path] = text, blob.id
        return last[1]

    def _add_tree(self, files: Mapping[str, ObjectID]) -> ObjectID:
        from dulwich.objects import Tree

        tree = Tree()
        below: dict[str, dict[str, ObjectID]] = {}
        for path, blob in files.items():
            name, _, rest = path.partition("/")
            if rest:
                below.setdefault(name, {})[rest] = blob
            else:
                tree.add(name.encode(), REGULAR, blob)
        for name, inner in below.items():
            if name in files:
                raise ProjectError(f"{name}: is both a file and a folder; name one of them otherwise")
            tree.add(name.encode(), FOLDER, self._add_tree(inner))
        self._save(tree)
        return tree.id

    def _save(self, thing: objects.ShaFile) -> None:
        if thing.id not in self._store:
            name = thing.id.decode()
            self.write(self.git / "objects" / name[:2] / name[2:], thing.as_legacy_object())

    @_guarded
    def pack(self) -> None:
        """Pack loose objects, once there are many: a change then costs what it changes, not its file.

        Small packs go into the new one, once they are many.
        """
        loose = [found for found in (self.git / "objects").glob("[0-9a-f][0-9a-f]/*") if len(found.name) == 38]
        if len(loose) < LOOSE:
            return
        small = [pack for pack in self._store.packs if len(pack) < SMALL]
        merged = small if len(small) >= PACKS else []
        ids = {cast("ObjectID", (file.parent.name + file.name).encode()) for file in loose}
        ids.update(id for pack in merged for id in pack)
        new = self._write_pack([self._store[id] for id in sorted(ids)])
        packs = {Path(os.fspath(pack.data.path)) for pack in merged} - {new}
        self._store.close()
        for file in (*loose, *(pack.with_suffix(end) for pack in packs for end in (".idx", ".pack"))):
            file.unlink()

    def _write_pack(self, things: list[objects.ShaFile]) -> Path:
        from dulwich.object_format import DEFAULT_OBJECT_FORMAT
        from dulwich.pack import REF_DELTA, UnpackedObject, write_pack_data, write_pack_index

        pack, index = BytesIO(), BytesIO()
        records = (
            UnpackedObject(
                REF_DELTA if base else thing.type_num, delta_base=base, sha=thing.sha().digest(), decomp_chunks=[data]
            )
            for thing, base, data in chained(things)
        )
        entries, checksum = write_pack_data(pack, records, DEFAULT_OBJECT_FORMAT, num_records=len(things))
        write_pack_index(index, sorted((id, offset, crc) for id, (offset, crc) in entries.items()), checksum)
        file = self.git / "objects" / "pack" / f"pack-{checksum.hex()}.pack"
        self.write(file, pack.getvalue())
        self.write(file.with_suffix(".idx"), index.getvalue())
        return file


def encoded(path: str, text: str) -> bytes:
    """The text in UTF-8. Raise ProjectError where it cannot be."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ProjectError(f"{path}: character {error.start} cannot be stored as UTF-8; remove it") from None


def _signed(message: str, stamp: Stamp) -> str:
    message = message.replace("\0", "").strip()
    return f"{message}\n\nUac-User: {stamp.user}\nUac-Entry: {stamp.entry}\nUac-Chain: {stamp.chain}\n"


def _read(commit: objects.Commit) -> Commit:
    text = commit.message.decode(errors="replace")
    at = datetime.fromtimestamp(commit.commit_time, UTC)
    if found := SIGNED.fullmatch(text):
        return Commit(commit.id.decode(), at, found["message"], Stamp(found["user"], int(found["entry"]), found["chain"]))
    return Commit(commit.id.decode(), at, text.strip(), Stamp("", 0, ""))
