"""Backup, export and restore: a copy is whole or not there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from uac_nb.errors import LogError
from uac_nb.log import Batch, Call, Draft, Log, backup, export, restore


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with Log.open(tmp_path / "log.sqlite") as log:
        log.zone = "Europe/Lisbon"
        log.append([Draft(text="hello 🧳 \ud800", said_at=date(2025, 1, 10), session="s"), Draft(text="again", session="s")])
        call = Call(purpose="structure", model="m", request={"a": ["é"]}, reply="x", entries=(1,), prompt_tokens=3)
        log.store_batch(
            Batch(read=(1, 2), reader="m", calls=(call,), facts=(Draft(kind="fact", text="f", data={"source": [1]}),))
        )
        yield log


def same(a: Log, b: Log) -> bool:
    return (
        (a.user, a.zone, a.head) == (b.user, b.zone, b.head)
        and (list(a.entries()), a.batches(), list(a.calls())) == (list(b.entries()), b.batches(), list(b.calls()))
        and a.verify() is b.verify() is None
        and [hit.entry.id for hit in a.search("hello")] == [hit.entry.id for hit in b.search("hello")] == [1, 2]
    )


def test_backup(log: Log, tmp_path: Path) -> None:
    backup(log, tmp_path / "copy.sqlite")
    with Log.open(tmp_path / "copy.sqlite") as copy:
        assert same(log, copy)


def test_export_and_restore(log: Log, tmp_path: Path) -> None:
    export(log, tmp_path / "log.jsonl")
    with restore(tmp_path / "log.jsonl", tmp_path / "copy.sqlite") as copy:
        assert same(log, copy)
        known = copy.append([Draft(text="hello 🧳 \ud800", said_at=date(2025, 1, 10), session="s")]).known
        assert known == [1], "duplicates are still recognised"
        assert copy.append([Draft(text="next")]).entries[0].id == 4
        assert copy.verify() is None


def test_copies_are_private(log: Log, tmp_path: Path) -> None:
    backup(log, tmp_path / "copy.sqlite")
    export(log, tmp_path / "log.jsonl")
    restore(tmp_path / "log.jsonl", tmp_path / "made.sqlite").close()
    assert {(tmp_path / name).stat().st_mode & 0o077 for name in ("copy.sqlite", "log.jsonl", "made.sqlite")} == {0}


def test_nothing_is_overwritten(log: Log, tmp_path: Path) -> None:
    export(log, tmp_path / "log.jsonl")
    before = (tmp_path / "log.sqlite").read_bytes()
    for copy in (
        lambda: backup(log, log.path),
        lambda: export(log, log.path),
        lambda: restore(tmp_path / "log.jsonl", log.path),
    ):
        with pytest.raises(LogError, match="exists already; choose another name"):
            copy()
    assert (tmp_path / "log.sqlite").read_bytes() == before


def _changed(lines: list[str]) -> list[str]:
    return [line.replace("again", "never") for line in lines]


def _newer(lines: list[str]) -> list[str]:
    return [json.dumps({**json.loads(lines[0]), "version": 9}), *lines[1:]]


def _header(**other: Any) -> Callable[[list[str]], list[str]]:
    """Another header; None for a key takes it out."""

    def change(lines: list[str]) -> list[str]:
        found = {key: value for key, value in {**json.loads(lines[0]), **other}.items() if value is not None}
        return [json.dumps(found), *lines[1:]]

    return change


def _first(**other: Any) -> Callable[[list[str]], list[str]]:
    """The first entry with other cells."""
    return lambda lines: [lines[0], json.dumps({"entries": {**json.loads(lines[1])["entries"], **other}}), *lines[2:]]


ODD_LINE = "line 2 is no line of an exported log, or out of its place; the archive is damaged"
DAMAGE: list[tuple[Callable[[list[str]], list[str]], str]] = [
    (lambda lines: [], "line 1 is not JSON"),
    (lambda lines: lines[1:], "line 1 is not the header of an exported log"),
    (lambda lines: [*lines[:2], lines[2][:40]], "line 3 is not JSON"),
    (lambda lines: lines[:-1], "holds only 0 of 1 calls; it was cut short"),
    (lambda lines: lines[:3], "holds only 2 of 3 entries, 0 of 1 batches, 0 of 1 calls; it was cut short"),
    (lambda lines: [lines[0], *lines[2:]], ODD_LINE),
    (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], ODD_LINE),
    (_changed, "entry 2 its content is not what was written; the archive was changed"),
    (lambda lines: [*lines, '{"entries": {"id": 4}}'], "line 7 is no line of an exported log"),
    (_newer, "was written by a newer uac_nb"),
    (_header(version=None), "line 1 is not the header of an exported log"),
    (_header(version="1"), "line 1 is not the header of an exported log"),
    (_header(user=None), "line 1 is not the header of an exported log"),
    (_header(entries="3"), "line 1 is not the header of an exported log"),
    (_first(salt="zz"), ODD_LINE),
    (_first(id="x"), ODD_LINE),
    (_first(id=10**30), "line 2 is not JSON (one of 31 digits is no number that is kept)"),
    (_first(origin="[1"), ODD_LINE),
    (_first(data=[1]), ODD_LINE),
    (_first(text=5), ODD_LINE),
    (_first(recorded_at="never"), ODD_LINE),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGE)
def test_a_damaged_archive_leaves_nothing_behind(
    log: Log, tmp_path: Path, damage: Callable[[list[str]], list[str]], message: str
) -> None:
    export(log, tmp_path / "log.jsonl")
    lines = (tmp_path / "log.jsonl").read_text(errors="surrogatepass").splitlines()
    (tmp_path / "log.jsonl").write_text("\n".join(damage(lines)), errors="surrogatepass")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(LogError) as refused:
        restore(tmp_path / "log.jsonl", tmp_path / "copy.sqlite")
    assert message in str(refused.value)
    assert sorted(tmp_path.iterdir()) == before


def test_an_archive_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(b"\xff\xfe\x00" * 100)
    with pytest.raises(
        LogError, match=r"log\.jsonl is no text \(or it is packed: unpack it first\); give the file that an export wrote$"
    ):
        restore(tmp_path / "log.jsonl", tmp_path / "copy.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["log.jsonl"]


def test_a_missing_archive_or_folder(log: Log, tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"none\.jsonl"):
        restore(tmp_path / "none.jsonl", tmp_path / "copy.sqlite")
    with pytest.raises(LogError, match="nowhere"):
        export(log, tmp_path / "nowhere" / "log.jsonl")
