"""Writers that are killed often beside checkpoints: nothing acknowledged is lost, and no checkpoint is kept waiting.

Each round begins with a new user, so that its log is as short after many kills as after a few.
"""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from uac_nb import User

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")

KILLS = 4  # in a round; a checkpoint before each second one
ROUNDS = 42 if os.environ.get("UAC_SOAK") else 1  # with 1, 2 and 4 writers: 504 kills, or 12


def opened(home: Path) -> User:
    return User.open("jess", home, today="2025-03-01")


def writer(home: Path, told: int) -> int:
    """A process that tells as fast as it can, and says in a file what was acknowledged; its id."""
    if child := os.fork():
        return child
    try:
        with opened(home) as user:
            number = 0
            while True:
                number += 1
                text = f"{os.getpid()} said {number}"
                user.ingest(text)
                os.write(told, f"{text}\n".encode())  # appended at once: a whole line, or none
    except Exception as error:
        os.write(told, f"not in the log: {error!r}\n".encode())
    finally:
        os._exit(1)


def ended(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def one_round(home: Path, writers: int, pick: random.Random) -> tuple[int, float]:
    """Kill writers beside checkpoints; how much was acknowledged, and the seconds of the slowest checkpoint."""
    ledger, slowest = home.with_suffix(".acknowledged"), 0.0
    told = os.open(ledger, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with opened(home) as user:
        user.ingest("I'm allergic to penicillin.", at="2025-01-10")
        user.checkpoint(reader="patterns")
    children = [writer(home, told) for _ in range(writers)]
    try:
        for kill in range(KILLS):
            there, more = ledger.stat().st_size, pick.choice([0, 1, 200, 2_000])  # some are killed while they open
            while ledger.stat().st_size < there + more:
                os.sched_yield()
            if kill % 2:
                began = time.monotonic()
                with opened(home) as user:
                    user.checkpoint(reader="patterns")
                slowest = max(slowest, time.monotonic() - began)
            victim = pick.randrange(writers)
            ended(children[victim])
            children[victim] = writer(home, told)
    finally:
        for child in children:
            ended(child)
        os.close(told)
    acknowledged = ledger.read_text().splitlines()
    with opened(home) as user:
        assert user.log.verify() is None
        assert {*acknowledged} <= {entry.text for entry in user.log.entries(kinds=("message",))}
    return len(acknowledged), slowest


@pytest.mark.parametrize("writers", [1, 2, 4])
def test_soak_of_kills_beside_checkpoints(writers: int, tmp_path: Path) -> None:
    pick, began = random.Random(writers), time.monotonic()
    rounds = [one_round(tmp_path / f"users{n}", writers, pick) for n in range(ROUNDS)]
    seconds, checkpoints, safe = time.monotonic() - began, ROUNDS * (KILLS // 2), sum(told for told, _ in rounds)
    print(
        f"{writers} writers: {ROUNDS * KILLS} kills and {checkpoints} checkpoints in {seconds:.0f} s, the slowest after "
        f"{max(slow for _, slow in rounds):.1f} s, {60 * checkpoints / seconds:.0f} a minute; {safe:,} acknowledged"
    )
