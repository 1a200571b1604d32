"""The project in git: what a commit is, what a person's edit is, and that a kill at any step leaves it clean."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uac_nb import User
from uac_nb.cli import doctor
from uac_nb.errors import ProjectError
from uac_nb.project import Commit, Project, Stamp, durable, repository

STAMP = Stamp("0b0e5a1c-user", 7, "c0ffee")
NOON = datetime(2025, 1, 10, 12, tzinfo=UTC)
ONE = {"travel.py": "trips = []\n", "health.py": "allergies = []\n"}
TWO = {"travel.py": "trips = [1]\n", "money/__init__.py": "x = 1\n", "money/p_2024.py": "y = 2\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "jess" / "project"


@pytest.fixture
def made(folder: Path) -> Iterator[Project]:
    with Project.open(folder) as opened:
        opened.commit(ONE, "first", STAMP, NOON)
        yield opened


def shown(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_bytes().decode() for p in folder.rglob("*.py")}


def git(folder: Path, *words: str) -> str:
    if not shutil.which("git"):
        pytest.skip("there is no git here")
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True).stdout


# --- commits ---


def test_empty_project(folder: Path) -> None:
    with Project.open(folder) as opened:
        assert (opened.head, opened.history(), opened.files(), opened.edits(), opened.diff()) == (None, [], {}, {}, "")


def test_commit_is_what_was_given(made: Project) -> None:
    second = made.commit(TWO, "second\n\nwith a body", Stamp("u", 9, "beef"), NOON + timedelta(hours=1))
    assert second == Commit(second.id, NOON + timedelta(hours=1), "second\n\nwith a body", Stamp("u", 9, "beef"))
    assert made.head == second
    assert [c.message for c in made.history()] == ["second\n\nwith a body", "first"]
    assert made.files() == TWO == shown(made.folder)
    assert made.files(made.history()[1].id) == ONE
    assert not (made.folder / "health.py").exists()


def test_same_commit_has_same_id(tmp_path: Path) -> None:
    def made_in(name: str, at: datetime, message: str = "m", stamp: Stamp = STAMP) -> str:
        with Project.open(tmp_path / name) as opened:
            opened.commit(ONE, "first", STAMP, NOON)
            return opened.commit(TWO, message, stamp, at).id

    same = made_in("a", NOON)
    assert made_in("b", NOON.astimezone(timezone(timedelta(hours=-8)))) == same
    others = {made_in("c", NOON + timedelta(seconds=1)), made_in("d", NOON, "n"), made_in("e", NOON, stamp=Stamp("u", 1, "c"))}
    assert len(others | {same}) == 4


def test_trailers_cannot_be_faked_by_a_message(made: Project) -> None:
    fake = "done\n\nUac-User: mallory\nUac-Entry: 99\nUac-Chain: bad\n\0"
    assert made.commit(ONE, fake, STAMP, NOON).stamp == STAMP


def test_commit_with_nothing_changed_still_moves_the_stamp(made: Project) -> None:
    made.commit(ONE, "only set aside", Stamp("u", 12, "aa"), NOON)
    assert [c.stamp.entry for c in made.history()] == [12, 7]
    assert made.diff() == ""


def test_only_what_changed_is_written(made: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"f_{n}.py": f"x = {n}\n" for n in range(100)}
    made.commit(many, "many", STAMP, NOON)
    written: list[Path] = []
    write = durable.write
    monkeypatch.setattr(durable, "write", lambda file, data, beside: (written.append(file), write(file, data, beside))[1])
    made.commit({**many, "f_7.py": "x = -1\n"}, "one", STAMP, NOON)
    objects = [file for file in written if "objects" in file.parts]
    assert len(objects) == 3  # the blob, the tree, the commit
    assert [file.name for file in written if file.suffix == ".py"] == ["f_7.py"]


def test_history_costs_the_difference(folder: Path) -> None:
    def row(n: int) -> str:
        shop, on = ("Rimi", "Lidl", "Pingo Doce", "Ikea")[n * 7 % 4], f"2024-{n % 12 + 1:02}-{n % 28 + 1:02}"
        return f'    Purchase(id="{shop}-{n}", on=When("{on}"), price=Money("{n * 37 % 911}.50", "EUR"), source=({n},)),\n'

    def size() -> int:
        return sum(f.stat().st_size for f in (folder / ".git" / "objects").rglob("*") if f.is_file())

    with Project.open(folder) as opened:
        opened.commit({"money.py": "".join(map(row, range(1000)))}, "1,000", STAMP, NOON)
        before = size()
        for more in range(1, 101):
            opened.commit({"money.py": "".join(map(row, range(1000 + more)))}, f"+{more}", STAMP, NOON)
        assert size() - before < 300_000
        assert len(opened.history()) == 101
        assert opened.files(opened.history()[50].id)["money.py"].count("\n") == 1050


def test_small_packs_are_merged_and_old_commits_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "LOOSE", 6)
    monkeypatch.setattr(repository, "PACKS", 3)
    with Project.open(folder) as opened, Project.open(folder) as reader:
        for n in range(30):
            opened.commit({"a.py": f"x = {n}\n"}, str(n), STAMP, NOON)
        assert len(list((folder / ".git/objects/pack").glob("*.pack"))) <= 3
        assert [reader.files(c.id)["a.py"] for c in reader.history()] == [f"x = {n}\n" for n in reversed(range(30))]
    git(folder, "fsck", "--full", "--strict")


def test_commits_touching_a_file(made: Project) -> None:
    made.commit({**ONE, "travel.py": "trips = [1]\n"}, "second", STAMP, NOON)
    made.commit({"travel.py": "trips = [1]\n"}, "third", STAMP, NOON)
    assert [c.message for c in made.commits_touching("travel.py")] == ["second", "first"]
    assert [c.message for c in made.commits_touching("health.py")] == ["third", "first"]
    assert made.commits_touching("nothing.py") == []


def test_diff_reads_by_path(made: Project) -> None:
    made.commit({"travel.py": "trips = [1]\n", "new.py": "a\nb"}, "second", STAMP, NOON)
    golden = """\
--- a/health.py
+++ /dev/null
@@ -1 +0,0 @@
-allergies = []
--- /dev/null
+++ b/new.py
@@ -0,0 +1,2 @@
+a
+b
\\ No newline at end of file
--- a/travel.py
+++ b/travel.py
@@ -1 +1 @@
-trips = []
+trips = [1]
"""
    first, second = made.history()[1].id, made.history()[0].id
    assert made.diff() == made.diff(first, second) == made.diff(first) == made.diff(b=second) == golden
    assert made.diff(second, second) == ""
    assert made.diff(b=first).startswith("--- /dev/null\n+++ b/health.py\n")
    assert made.diff("", second).count("--- /dev/null\n+++ b/") == 2


@pytest.mark.parametrize("id", ["HEAD", "0" * 40, "é" * 40])
def test_unknown_commit_is_refused(made: Project, id: str) -> None:
    with pytest.raises(ProjectError, match="there is no commit"):
        made.files(id)


@pytest.mark.parametrize(
    "path", ["../x.py", "/etc/x.py", ".git/config", "a//b.py", "a\\b.py", "", "a/../b.py", "a b.py", "x.py\n"]
)
def test_path_out_of_the_project_is_refused(made: Project, path: str) -> None:
    with pytest.raises(ProjectError, match="is no path for a file of the project"):
        made.commit({path: "x"}, "m", STAMP, NOON)
    assert len(made.history()) == 1


def test_file_and_folder_of_one_name_are_refused(made: Project) -> None:
    with pytest.raises(ProjectError, match="both a file and a folder"):
        made.commit({"money": "x", "money/a.py": "y"}, "m", STAMP, NOON)


def test_text_that_is_no_utf8_is_refused(made: Project) -> None:
    with pytest.raises(ProjectError, match=r"travel.py: character 1"):
        made.commit({"travel.py": "x\ud800"}, "m", STAMP, NOON)


@settings(max_examples=30)
@given(st.dictionaries(st.from_regex(r"[a-c]{1,2}(/[d-f]{1,2}){0,2}\.py", fullmatch=True), st.text(), max_size=5))
def test_files_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, files: dict[str, str]) -> None:
    files = {path: text for path, text in files.items() if text.isascii() or text.encode("utf-8", "ignore").decode() == text}
    with Project.open(tmp_path_factory.mktemp("p")) as opened:
        opened.commit(files, "m", STAMP, NOON)
        assert opened.files() == files == shown(opened.folder)


def test_anew_starts_over_and_keeps_the_old_beside(made: Project) -> None:
    with made.anew().anew() as fresh:
        assert (fresh.folder, fresh.head, fresh.files()) == (made.folder, None, {})
        assert shown(made.folder.parent / "project.old") == {}
        (fresh.folder / "mine.py").write_text("x\n")
        fresh.anew().close()
    assert shown(made.folder.parent / "project.old") == {"mine.py": "x\n"}


def _nothing(folder: Path) -> None:
    pass


def _own_file(folder: Path) -> None:
    (folder / "mine.txt").write_text("x")


def _edit(folder: Path) -> None:
    (folder / "travel.py").write_text("# by hand\n")


def _own_commit(folder: Path) -> None:
    with Project.open(folder) as project:
        project.commit({**project.files(), "more.py": "x\n"}, "by hand", STAMP, NOON)
    (folder / "more.py").unlink()


def _link(folder: Path) -> None:
    (folder / "travel.py").unlink()
    (folder / "travel.py").symlink_to(folder.parent / "project" / "travel.py")


def _broken(folder: Path) -> None:
    (folder / ".git" / "refs" / "heads" / "main").write_text("f" * 40 + "\n")


def _caches(folder: Path) -> None:
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "travel.pyc").write_text("x")


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        (_nothing, False),
        (_caches, False),
        (_own_file, True),
        (_edit, True),
        (_own_commit, True),
        (_link, True),
        (_broken, True),
    ],
)
def test_what_was_kept_goes_once_all_of_it_is_here(made: Project, before: Callable[[Path], None], kept: bool) -> None:
    files, made_by = made.files(), made.head
    assert made_by
    with made.anew() as fresh:
        old = made.folder.parent / "project.old"
        assert fresh.kept == old
        before(old)
        fresh.commit(ONE, "first", STAMP, NOON)
        assert (fresh.files(), fresh.head) == (files, made_by)
        fresh.settle()
        assert fresh.kept == (old if kept else None)
        fresh.settle()


def test_an_empty_project_that_was_kept_goes(tmp_path: Path) -> None:
    with Project.open(tmp_path / "project").anew() as fresh:
        fresh.settle()
        assert fresh.kept is None
        fresh.settle()


def test_a_rebuild_that_comes_to_something_else_says_where_the_former_is(tmp_path: Path) -> None:
    with User.open("jess", tmp_path) as user:
        user.ingest("I'm allergic to penicillin.", at="2025-01-10")
        user.checkpoint()
        user.rebuild()
        assert user.project.kept is None
        assert [*doctor._kept(tmp_path)] == []
        (user.folder / "project" / "mine.txt").write_text("x")
        user.rebuild()
        (finding,) = doctor._kept(tmp_path)
        assert (finding.found.split(";")[0], finding.remedy) == (
            f"jess: what stood there before is in {user.folder / 'project.old'}",
            "",
        )
        user.rebuild()
        assert user.project.kept is None, "the one before the last is not kept"


# --- the folder ---


def test_private(made: Project) -> None:
    for found in [made.folder, *made.folder.rglob("*")]:
        assert found.stat().st_mode & 0o777 == (0o700 if found.is_dir() else 0o600), found


def test_edits_are_what_a_person_did(made: Project) -> None:
    made.commit({**ONE, "money.py": "m\n"}, "second", STAMP, NOON)
    (made.folder / "travel.py").write_text("trips = [2]\r\n", newline="")
    (made.folder / "health.py").unlink()
    (made.folder / "pets.py").write_text("pets = []\n")
    (made.folder / "photo.jpg").write_bytes(b"\xff\xd8")
    (made.folder / "__pycache__").mkdir()
    (made.folder / "__pycache__" / "x.py").write_text("")
    assert made.edits() == {"travel.py": "trips = [2]\r\n", "health.py": None, "pets.py": "pets = []\n"}


def test_going_back_by_hand_is_an_edit_too(made: Project) -> None:
    made.commit({**ONE, "travel.py": "trips = [1]\n"}, "second", STAMP, NOON)
    (made.folder / "travel.py").write_text(ONE["travel.py"])
    assert made.edits() == {"travel.py": ONE["travel.py"]}


def test_checkout_and_commit_keep_a_persons_edit(made: Project) -> None:
    (made.folder / "travel.py").write_text("mine\n")
    made.checkout()
    made.commit({**ONE, "travel.py": "theirs\n", "health.py": "h\n"}, "second", STAMP, NOON)
    assert shown(made.folder) == {"travel.py": "mine\n", "health.py": "h\n"}
    assert made.edits() == {"travel.py": "mine\n"}


def test_edit_that_was_committed_is_no_edit(made: Project) -> None:
    (made.folder / "travel.py").write_text("mine\n")
    made.commit({**ONE, **{p: t for p, t in made.edits().items() if t is not None}}, "by hand", STAMP, NOON)
    assert made.edits() == {}


def test_odd_files_are_named(made: Project, tmp_path: Path) -> None:
    (made.folder / "travel.py").write_bytes(b"ok\n\xff\n")
    with pytest.raises(ProjectError, match=r"travel.py:2: is not UTF-8"):
        made.edits()
    (made.folder / "travel.py").unlink()
    (made.folder / "travel.py").symlink_to(tmp_path / "elsewhere.py")
    with pytest.raises(ProjectError, match="is a link"):
        made.edits()
    with pytest.raises(ProjectError, match="is a link"):
        made.commit({**ONE, "travel.py": "trips = [2]\n"}, "second", STAMP, NOON)


def test_nothing_is_written_through_a_linked_folder(made: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (made.folder / "money").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ProjectError, match="is a link"):
        made.commit(TWO, "second", STAMP, NOON)
    assert not list((tmp_path / "elsewhere").iterdir())


def test_other_branch_is_refused(made: Project) -> None:
    (made.folder / ".git" / "HEAD").write_text("ref: refs/heads/try\n")
    with pytest.raises(ProjectError, match="on refs/heads/try; go back by `git switch main`"):
        Project.open(made.folder)


# --- with git ---


def test_git_agrees(made: Project) -> None:
    made.commit(TWO, "second", STAMP, NOON)
    assert git(made.folder, "fsck", "--full", "--strict") == ""
    assert git(made.folder, "status", "--short") == ""
    assert git(made.folder, "log", "-1", "--format=%an %ae|%s|%(trailers:key=Uac-Entry)").strip() == (
        "uac_nb uac_nb@localhost|second|Uac-Entry: 7"
    )
    assert git(made.folder, "show", "HEAD:money/p_2024.py") == "y = 2\n"


def test_after_git_gc_and_a_commit_by_hand(made: Project) -> None:
    git(made.folder, "gc", "--quiet")
    (made.folder / "travel.py").write_text("by git\n")
    git(made.folder, "-c", "user.name=J", "-c", "user.email=j@x", "commit", "-qam", "mine")
    with Project.open(made.folder) as again:
        assert again.head is not None
        assert (again.head.message, again.head.stamp) == ("mine", Stamp("", 0, ""))
        assert again.edits() == {}
        assert again.commit(ONE, "next", STAMP, NOON).stamp == STAMP
        assert len(again.history()) == 3


def test_clone_has_no_edits(made: Project, tmp_path: Path) -> None:
    made.commit(TWO, "second", STAMP, NOON)
    git(tmp_path, "clone", "-q", str(made.folder), "copy")
    with Project.open(tmp_path / "copy") as copy:
        assert (copy.edits(), copy.files()) == ({}, TWO)


# --- killed at any step ---


class Killed(BaseException):
    pass


left_open = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # files, as by a real kill


def kill_at(step: int, patch: pytest.MonkeyPatch) -> None:
    """Be killed just before or after the nth rename, fsync or removal; 2n is before, 2n + 1 after."""
    count = iter(range(10_000))

    def wrapped(real):  # type: ignore[no-untyped-def]
        def call(*args):  # type: ignore[no-untyped-def]
            if next(count) == step:
                raise Killed
            result = real(*args)
            if next(count) == step:
                raise Killed
            return result

        return call

    for name in ("replace", "fsync", "unlink"):
        patch.setattr(os, name, wrapped(getattr(os, name)))


def steps_of(act) -> Iterator[int]:  # type: ignore[no-untyped-def]
    """Run `act` for every step at which it can be killed, until it gets through."""
    for step in range(10_000):
        with pytest.MonkeyPatch.context() as patch:
            kill_at(step, patch)
            try:
                act()
            except Killed:
                pass
            else:
                return
        gc.collect()
        yield step


@left_open
def test_kill_while_it_is_made(tmp_path: Path) -> None:
    number = 0

    def act() -> None:
        nonlocal number
        number += 1
        Project.open(tmp_path / str(number)).close()

    for _ in steps_of(act):
        with Project.open(tmp_path / str(number)) as opened:
            assert (opened.head, opened.edits()) == (None, {})
            opened.commit(ONE, "first", STAMP, NOON)
    assert number > 3


@left_open
def test_kill_during_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    monkeypatch.setattr(repository, "LOOSE", 4)  # so that packing is among the steps
    monkeypatch.setattr(repository, "PACKS", 1)
    number, by_hand = 0, {"notes.py": "mine\n"}

    def act() -> None:
        nonlocal number
        number += 1
        with Project.open(tmp_path / str(number)) as opened:
            opened.commit(TWO, "second", STAMP, NOON)

    def prepare(n: int) -> str:
        with Project.open(tmp_path / str(n)) as opened:
            first = opened.commit(ONE | {"notes.py": "n\n"}, "first", STAMP, NOON)
            (opened.folder / "notes.py").write_text("mine\n")
            return first.id

    first = prepare(1)
    before = after = 0
    for _ in steps_of(act):
        with Project.open(tmp_path / str(number)) as opened:
            head = opened.head
            assert head is not None
            assert head.message in ("first", "second")
            before, after = before + (head.id == first), after + (head.id != first)
            assert opened.edits() == by_hand
            assert opened.files(first) == ONE | {"notes.py": "n\n"}
            opened.checkout()
            assert opened.edits() == by_hand
            assert shown(opened.folder) == opened.files() | by_hand
            again = opened.commit(TWO, "second", STAMP, NOON)
            assert again.message == opened.history()[0].message == "second"
            assert opened.edits() == by_hand
        prepare(number + 1)
    assert before > 5
    assert after > 5
