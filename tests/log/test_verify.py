"""`verify` looks at what stands beside the entries: the triggers, and the batches."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from uac_nb.log import Batch, Draft, Log


@pytest.mark.parametrize(
    ("harm", "where"),
    [
        ("DROP TRIGGER entries_update", "log.sqlite"),
        ("CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM calls; END", "log.sqlite"),
        ("UPDATE batches SET read = '[99]'", "batch 1"),
        ("UPDATE batches SET first = 1", "batch 1"),
        ("UPDATE batches SET read = 'x'", "batch 1"),
    ],
)
def test_harm_beside_the_entries_is_found(harm: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    with Log.open(path) as log:
        log.append([Draft(text="one")])
        log.store_batch(Batch(read=(1,), reader="a test", facts=(Draft(kind="fact", role="system", text="it is one"),)))
        assert log.verify() is None
    base = sqlite3.connect(path, isolation_level=None)
    (kept,) = base.execute("SELECT sql FROM sqlite_master WHERE name = 'batches_update'").fetchone()
    if harm.startswith("UPDATE"):  # as one would who puts the trigger back
        base.execute("DROP TRIGGER batches_update")
    base.execute(harm)
    if harm.startswith("UPDATE"):
        base.execute(kept)
    base.close()
    with Log.open(path) as log:
        found = log.verify()
    assert found is not None
    assert found.where == where
