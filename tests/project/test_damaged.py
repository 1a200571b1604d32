"""A project whose git is damaged: one line that names `rebuild`, which needs nothing of it; and the log goes on."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from uac_nb import User
from uac_nb.errors import LogError, ProjectError
from uac_nb.log import export

SEEDS = 200 if os.environ.get("UAC_SOAK") else 25
BRANCH = "refs/heads/main"


def put(path: str, data: bytes) -> Callable[[Path], None]:
    def act(git: Path) -> None:
        (git / path).write_bytes(data)

    return act


def each(git: Path, change: Callable[[bytes], bytes]) -> None:
    for file in (git / "objects").rglob("*"):
        if file.is_file():
            file.write_bytes(change(file.read_bytes()))


def as_a_file(git: Path) -> None:
    shutil.rmtree(git)
    git.write_text("gitdir: elsewhere\n")


DAMAGE: dict[str, Callable[[Path], None]] = {
    "empty ref": put(BRANCH, b""),
    "a ref to nothing": put(BRANCH, b"0" * 39 + b"1\n"),
    "a ref that is no ref": put(BRANCH, b"\x00\xff" * 20),
    "a ref that names itself": put(BRANCH, f"ref: {BRANCH}\n".encode()),
    "no ref": lambda git: (git / BRANCH).unlink(),
    "binary HEAD": put("HEAD", b"\xff\xfe\x00"),
    "empty HEAD": put("HEAD", b""),
    "no HEAD": lambda git: (git / "HEAD").unlink(),
    "no objects": lambda git: shutil.rmtree(git / "objects"),
    "flipped objects": lambda git: each(git, lambda data: data[:5] + bytes([data[5] ^ 64]) + data[6:]),
    "cut objects": lambda git: each(git, lambda data: data[: len(data) // 2]),
    "empty objects": lambda git: each(git, lambda data: b""),
    ".git a file": as_a_file,
}
HARMLESS: dict[str, Callable[[Path], None]] = {  # what we do not read
    "index": put("index", b"garbage"),
    "packed-refs beside the ref": put("packed-refs", b"\x00junk\n"),
    "a bad pack beside": put("objects/pack/pack-" + "0" * 40 + ".pack", b"PACKjunk"),
}


@pytest.fixture
def read(tmp_path: Path) -> Path:
    with User.open("jess", tmp_path / "users", today="2025-03-01") as user:
        user.ingest("Flying to Lisbon on 10 March.", at="2025-01-10")
        user.checkpoint(reader="patterns")
        user.ingest("I'm allergic to penicillin.", at="2025-01-10")
        user.checkpoint(reader="patterns")
    return tmp_path / "users"


def files(home: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (home / "jess" / "project").glob("*.py")}


def expect_named(error: ProjectError) -> None:
    assert "uac-nb rebuild jess" in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("name", [*DAMAGE, *HARMLESS])
def test_damage_is_told_the_log_goes_on_and_a_rebuild_needs_nothing(name: str, read: Path, tmp_path: Path) -> None:
    before = files(read)
    (DAMAGE | HARMLESS)[name](read / "jess" / "project" / ".git")
    with User.open("jess", read, today="2025-03-01") as user:
        if name in DAMAGE:
            with pytest.raises(ProjectError) as caught:
                user.checkpoint(reader="patterns")
            expect_named(caught.value)
        user.ingest("A walk.", at="2025-01-11")
        assert [hit.entry.text for hit in user.log.search("walk")] == ["A walk."]
        assert len([*user.log.entries(kinds=["message"])]) == 3
        assert user.log.verify() is None
        export(user.log, tmp_path / "out.jsonl")
        user.rebuild()
        assert files(read) == before
    with User.open("jess", read, rebuild=True) as user:
        assert user.project.edits() == {}


def test_the_folder_goes_away_under_an_open_user(read: Path) -> None:
    before = files(read)
    with User.open("jess", read) as user:
        shutil.rmtree(read / "jess" / "project")
        with pytest.raises(ProjectError) as caught:
            user.checkpoint(reader="patterns")
        expect_named(caught.value)
        user.rebuild()
    assert files(read) == before


@pytest.mark.parametrize("seed", range(SEEDS))
def test_property_whatever_is_damaged_only_a_project_error_comes(seed: int, read: Path) -> None:
    pick, before = random.Random(seed), files(read)
    git = read / "jess" / "project" / ".git"
    for _ in range(pick.randint(1, 3)):
        file = pick.choice(sorted(found for found in git.rglob("*") if found.is_file()))
        data = bytearray(file.read_bytes())
        match pick.choice(["flip", "cut", "delete", "junk"]):
            case "flip" if data:
                data[pick.randrange(len(data))] ^= 1 << pick.randrange(8)
                file.write_bytes(data)
            case "cut":
                file.write_bytes(data[: pick.randrange(len(data) + 1)])
            case "junk":
                file.write_bytes(pick.randbytes(60))
            case _:
                file.unlink()
    with User.open("jess", read) as user:
        for look in (user.history, user.diff, lambda: user.project.edits()):
            with suppress(ProjectError):
                look()
        user.ingest("A walk.", at="2025-01-11")
        user.rebuild()
        assert files(read) == before


@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
@pytest.mark.parametrize("instead", [False, True])
def test_a_log_that_is_gone_acknowledges_nothing(end: str, instead: bool, read: Path) -> None:
    with User.open("jess", read) as user:
        file = read / "jess" / f"log.sqlite{end}"
        copy = file.read_bytes()
        file.unlink()
        if instead:
            file.with_name("other").write_bytes(copy)
            file.with_name("other").rename(file)
        with pytest.raises(LogError, match="replaced or deleted"):
            user.ingest("A walk.", at="2025-01-11")


LINKS = [".lock", "project/.git/uac.tmp", "log.sqlite.writer", "log.sqlite.turn", ".cache", "project/more", "project/.git/x"]


@pytest.mark.parametrize("name", LINKS)
def test_a_folder_that_holds_a_link_is_refused_with_its_name(name: str, read: Path, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("mine")
    (read / "jess" / name).unlink(missing_ok=True)
    shutil.rmtree(read / "jess" / name, ignore_errors=True)
    (read / "jess" / name).symlink_to(target)
    with pytest.raises(ProjectError, match=name):
        User.open("jess", read)
    assert target.read_text() == "mine"


@pytest.mark.parametrize("name", [".lock", "log.sqlite.turn", "log.sqlite.writer", "project/.git/uac.tmp"])
@pytest.mark.parametrize("hard", [False, True])
def test_nothing_is_written_through_a_link_put_there_while_it_is_open(
    name: str, hard: bool, read: Path, tmp_path: Path
) -> None:
    target = tmp_path / "precious"
    target.write_text("mine")
    with User.open("jess", read, today="2025-03-01") as user:
        place = read / "jess" / name
        place.unlink(missing_ok=True)
        (place.hardlink_to if hard else place.symlink_to)(target)
        with suppress(ProjectError, LogError):  # told, or replaced by a file of our own
            user.ingest([{"text": "I'm allergic to nuts."}], at="2025-01-12")
            user.checkpoint(reader="patterns")
    assert target.read_text() == "mine"
