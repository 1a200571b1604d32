"""Writers that are killed often beside checkpoints: nothing acknowledged is lost, and no checkpoint is kept waiting."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from uac_nb import User

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")

KILLS = 168 if os.environ.get("UAC_SOAK") else 4  # with 1, 2 and 4 writers: 504, or 12


def writer(home: Path, name: str, told: int) -> int:
    """A process that tells as fast as it can, and says on a pipe what was acknowledged; its id."""
    if child := os.fork():
        return child
    try:
        with User.open("jess", home, today="2025-03-01") as user:
            number = 0
            while True:
                number += 1
                text = f"{name} {os.getpid()} {number}"
                user.ingest(text)
                os.write(told, f"{text}\n".encode())
    finally:
        os._exit(1)


@pytest.mark.parametrize("writers", [1, 2, 4])
def test_soak_of_kills_beside_checkpoints(writers: int, tmp_path: Path) -> None:
    home, ledger = tmp_path / "users", tmp_path / "acknowledged"
    told = os.open(ledger, os.O_WRONLY | os.O_CREAT | os.O_APPEND)  # one write a line: whole, or not at all
    with User.open("jess", home, today="2025-03-01") as user:
        user.ingest("I'm allergic to penicillin.", at="2025-01-10")
        user.checkpoint(reader="patterns")
    pick, began, kills, checkpoints = random.Random(writers), time.monotonic(), 0, 0
    children = [writer(home, f"w{n}", told) for n in range(writers)]
    try:
        while kills < KILLS:
            victim = pick.randrange(writers)
            if kills % 2:  # at once after a checkpoint, or in the midst of what a growing log lets them do
                with User.open("jess", home, today="2025-03-01") as user:
                    user.checkpoint(reader="patterns")
                    checkpoints += 1
            os.kill(children[victim], signal.SIGKILL)
            os.waitpid(children[victim], 0)
            kills += 1
            children[victim] = writer(home, f"w{victim}", told)
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.close(told)
    seconds = time.monotonic() - began
    acknowledged = ledger.read_text().splitlines()
    with User.open("jess", home, today="2025-03-01") as user:
        assert user.log.verify() is None
        kept = {entry.text for entry in user.log.entries(kinds=("message",))}
    assert [text for text in acknowledged if text not in kept] == []
    assert checkpoints == KILLS // 2
    print(f"{writers} writers, {kills} kills, {checkpoints} checkpoints in {seconds:.0f} s, {len(acknowledged):,} acknowledged")
