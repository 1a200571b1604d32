"""`verify` looks at what stands beside the entries: the triggers, and the batches."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from uac_nb.log import Batch, Draft, Log

FACTS = (Draft(kind="fact", role="system", text="it is one"), Draft(kind="fact", role="system", text="and no more"))


@pytest.mark.parametrize(
    ("harm", "where"),
    [
        ("DROP TRIGGER entries_update", "log.sqlite"),
        ("CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM calls; END", "log.sqlite"),
        ("UPDATE batches SET read = '[99]'", "batch 1"),
        ("UPDATE batches SET first = 1", "batch 1"),
        ("UPDATE batches SET read = 'x'", "batch 1"),
        ("UPDATE batches SET read = '[1, 4]'", "batch 1"),
        ("UPDATE batches SET first = NULL, last = NULL", "batch 1"),
        ("UPDATE batches SET last = 2", "batch 1"),
        ("UPDATE batches SET first = 3", "batch 1"),
        ("DELETE FROM batches", "batch 1"),
    ],
)
def test_harm_beside_the_entries_is_found(harm: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    with Log.open(path) as log:
        log.append([Draft(text="one")])
        log.store_batch(Batch(read=(1,), reader="a test", facts=FACTS))
        log.append([Draft(text="four")])
        assert log.verify() is None
    base = sqlite3.connect(path, isolation_level=None)
    trigger = {"UPDATE": "batches_update", "DELETE": "batches_delete"}.get(harm.split()[0])
    kept = base.execute("SELECT sql FROM sqlite_master WHERE name = ?", (trigger,)).fetchone()
    if kept:  # as one would who puts the trigger back
        base.execute(f"DROP TRIGGER {trigger}")
    base.execute(harm)
    if kept:
        base.execute(*kept)
    base.close()
    with Log.open(path) as log:
        found = log.verify()
    assert found is not None
    assert found.where == where
