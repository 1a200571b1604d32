"""The command line at a terminal: a bar for a person, lines for the log of a script, an interrupt that says what is kept."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen, run

import pytest

from uac_nb import User
from uac_nb.errors import UacError
from uac_nb.verbs.progress import CLEAR

pty = pytest.importorskip("pty", reason="there are no terminals here")
ROOT = Path(__file__).resolve().parents[2]
LONG = "x" * 6000  # so that each entry is a batch of its own


class Stuck:
    """A model that sets everything aside, and does not answer to entry 3 until it is released."""

    def __init__(self) -> None:
        self.asked, self.release = threading.Event(), threading.Event()

    def __call__(self, asked: str) -> str:
        entry = int(asked.partition(f" {LONG[:20]}")[0].rpartition("no. ")[2])
        if entry == 3:
            self.asked.set()
            self.release.wait(60)
        return json.dumps({"changes": [{"change": "skip", "reason": "unclear", "source": [entry]}]})


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    model = Stuck()
    yield model
    model.release.set()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with User.open("jess", tmp_path) as user:
        user.ingest([{"text": f"no. {n} {LONG}"} for n in range(1, 4)], at="2025-01-10")
    return tmp_path


def checkpoint(home: Path, address: str) -> tuple[list[str], dict[str, str]]:
    main = "from uac_nb.cli.main import main; main()"
    command = [sys.executable, "-c", main, "checkpoint", "jess", "--home", str(home), "--reader", "m"]
    env = {**os.environ, "OPENAI_BASE_URL": address, "OPENAI_API_KEY": "", "COLUMNS": "200", "PYTHONPATH": str(ROOT)}
    return command, env


def test_a_bar_and_an_interrupt_that_says_what_is_kept(home: Path, stuck: Stuck, endpoint: Callable[..., str]) -> None:
    command, env = checkpoint(home, endpoint(stuck))
    ours, theirs = pty.openpty()
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # what runs behind a shell inherits that it is ignored
    with Popen(command, env=env, stdin=theirs, stdout=PIPE, stderr=theirs, preexec_fn=heard) as process:
        os.close(theirs)
        asked = stuck.asked.wait(60)
        process.send_signal(signal.SIGINT)
        seen = b""
        while select.select([ours], [], [], 60)[0]:
            try:
                seen += os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
    os.close(ours)
    assert asked, seen.decode()
    said = seen.decode()
    assert process.returncode == 130
    assert f"{CLEAR}[####################          ] 2 of 3 batches, reading 1 entry, 2,400 tokens so far, " in said
    assert " left" in said
    assert "uac-nb: stopped: 2 of 3 batches are kept, whole; checkpoint again to go on from there" in said
    assert "Traceback" not in said


def test_a_script_has_a_line_a_step(home: Path, stuck: Stuck, endpoint: Callable[..., str]) -> None:
    stuck.release.set()
    command, env = checkpoint(home, endpoint(stuck))
    done = run(command, env=env, capture_output=True, text=True, timeout=120, check=True)
    lines = done.stderr.splitlines()
    assert lines[0].startswith("3 entries go in 3 batches to m at http://127.0.0.1")
    assert lines[1] == "[0 of 3 batches] reading 1 entry"
    assert lines[-1] == "[3 of 3 batches] running the rules"


def test_an_error_in_a_notebook_steers_no_terminal() -> None:
    assert UacError("no user \x1b[31m\u202e")._render_traceback_() == ["UacError: no user \\x1b[31m\\u202e"]
