"""Fixtures of all tests."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from dulwich.repo import Repo
from hypothesis import settings

settings.register_profile("uac_nb", deadline=None)  # speed is for `uac-nb bench`, not for tests
settings.load_profile("uac_nb")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real material that is not part of the project (see its licences); tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the material in ../shared/data is not here")
    return SHARED


@pytest.fixture(scope="session")
def every_byte() -> Callable[[Path], bytes]:
    """All that stands in a folder, names of files too, the objects of git unpacked; in lower case."""

    def read(folder: Path) -> bytes:
        found = [bytes(file.relative_to(folder)) + b"\n" + file.read_bytes() for file in folder.rglob("*") if file.is_file()]
        for git in folder.rglob("objects"):
            found += [zlib.decompress(file.read_bytes()) for file in git.glob("[0-9a-f][0-9a-f]/*")]
        for git in folder.rglob(".git"):
            with Repo(str(git.parent)) as repo:
                found += [repo.object_store[id].as_raw_string() for id in repo.object_store]
        return b"\n".join(found).lower()

    return read
