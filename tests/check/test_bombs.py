"""Short texts that are dear to parse or compile: each is answered in a process that may take little."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest


def nested(head: str, foot: str, depth: int) -> str:
    """A block inside a block: what opens one, and what comes after what stands in it."""
    opened = "".join(" " * n + head + "\n" for n in range(depth))
    return opened + " " * depth + "pass\n" + "".join(" " * n + foot + "\n" for n in reversed(range(depth)) if foot)


RETURNS = "def f():\n try:\n" + "  return\n" * 8_000 + " finally:\n" + "  a = 1\n" * 8_000
FINALLY = "".join(" " * n + "try: pass\n" + " " * n + "finally:\n" for n in range(19)) + " " * 19 + "pass\n"
REFUSED = {
    "finally inside finally": FINALLY,
    "a finally and many ways into it": RETURNS,
    "brackets": "x = " + "[" * 5_000 + "]" * 5_000,
    "open brackets": "x = " + "{1:(" * 5_000,
    "calls in calls": "x = " + "f(" * 5_000 + ")" * 5_000,
    "comprehensions": "x = " + "[x for x in " * 500 + "y" + "]" * 500,
    "f-strings": "x = " + "f'{" * 500 + "1" + "}'" * 500,
    "lambdas": "x = " + "lambda: " * 20_000 + "1",
    "signs": "x = " + "-" * 100_000 + "1",
    "a chain of attributes": "x = a" + ".b" * 90_000,
    "a chain of calls": "x = a" + "()" * 90_000,
    "elif": "if a: pass\n" + "elif b: pass\n" * 14_000,
    "10^5 elifs": "if a: pass\n" + "elif b: pass\n" * 100_000,
    "a huge number": "x = " + "1" * 150_000,
    "blocks": nested("if 1:", "", 120),
}
TAKEN = {
    "text beside text": "x = " + '"a" ' * 45_000,
    "a long list": "x = [" + "1, " * 60_000 + "]",
    "a few finally": nested("try:", "finally: pass", 5),
}
GATE = """
import sys
from uac_nb.check import gate
from uac_nb.errors import CheckError
try:
    gate(sys.stdin.read(), where="query", kind="query")
    print("taken")
except CheckError as error:
    print("refused:", error)
"""


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))


def answer(text: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", GATE], input=text, text=True, capture_output=True, preexec_fn=limited, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-300:])
    return done.stdout


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_it_is_refused_within_little(text: str) -> None:
    assert answer(text).startswith("refused: query")


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_what_is_only_long_is_taken(text: str) -> None:
    assert answer(text) == "taken\n"
