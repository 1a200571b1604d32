"""A user made by an earlier version stays who they were: kept archives come to the same files, byte for byte, ever after.

`make.py` beside each tells what is in it. Where this fails, the change is at fault and not the archive.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from uac_nb import User

KEPT = Path(__file__).parents[1] / "archives"
VERSIONS = sorted(folder.name for folder in KEPT.iterdir() if folder.is_dir())


@pytest.fixture(params=VERSIONS)
def kept(request: pytest.FixtureRequest) -> Path:
    return KEPT / str(request.param)


def expect_the_same(kept: Path, files: Mapping[str, str]) -> None:
    for file in (kept / "files").rglob("*.txt"):  # these first: their difference can be read
        path = file.relative_to(kept / "files").as_posix().removesuffix(".txt")
        assert files.get(path) == file.read_text(encoding="utf-8"), path
    expected = json.loads((kept / "digests.json").read_text(encoding="utf-8"))
    assert {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()} == expected


def on_disk(user: User) -> dict[str, str]:
    folder = user.folder / "project"
    return {file.relative_to(folder).as_posix(): file.read_bytes().decode() for file in folder.rglob("*.py")}


def test_an_archive_comes_to_the_same_files(kept: Path, tmp_path: Path) -> None:
    archive = tmp_path / "bea.jsonl"
    archive.write_bytes(gzip.decompress((kept / "bea.jsonl.gz").read_bytes()))
    with User.restore("bea", archive, tmp_path / "users") as user:
        assert user.log.verify() is None
        expect_the_same(kept, user.project.files())
        expect_the_same(kept, on_disk(user))


def test_a_copied_folder_is_opened_as_it_was_and_rebuilt_to_the_same(kept: Path, tmp_path: Path) -> None:
    with tarfile.open(kept / "bea.tar.xz") as tar:
        tar.extractall(tmp_path / "users", filter="data")
    with User.open("bea", tmp_path / "users") as user:
        assert (user.log.verify(), user.project.edits()) == (None, {})
        expect_the_same(kept, user.project.files())
        user.rebuild()
        expect_the_same(kept, on_disk(user))
