"""Text that is not ours is parsed in one place: what cannot be read is a SyntaxError or a ValueError, with little spent."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import uac_nb
from uac_nb.domainfile.parsing import MOST, TooMuch, parse

ROOT = Path(uac_nb.__file__).parent

BOMBS = {
    "brackets": "x = " + "(" * 100_000,
    "closed brackets": "x = " + "[" * 150 + "]" * 150,
    "signs": "x = " + "-" * 1_000_000 + "1",
    "lambdas": "x = " + "lambda: " * 200_000 + "1",
    "attributes": "x = a" + ".b" * 1_000_000,
    "blocks": "".join(" " * n + "if 1:\n" for n in range(150)),
    "comparisons": "x = " + "a < " * 100_000 + "a",
    "NUL": "x = 1\0",
    "a surrogate": "x = '\ud800'",
    "words": "a;" * (MOST // 2 + 1),
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_a_bomb_is_read_or_refused_within_little(text: str) -> None:
    code = """if True:
        import sys
        from uac_nb.domainfile.parsing import parse
        try:
            parse(sys.stdin.buffer.read().decode("utf-8", "surrogatepass"))
            print("read")
        except (SyntaxError, ValueError):
            print("refused")
    """

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))
        resource.setrlimit(resource.RLIMIT_CPU, (2, 2))

    done = subprocess.run(
        [sys.executable, "-c", code], input=text.encode("utf-8", "surrogatepass"), capture_output=True, preexec_fn=limited
    )
    assert done.returncode == 0, done.stderr[-300:]
    assert done.stdout.strip() in (b"read", b"refused")


def test_too_deep_is_told_as_such() -> None:
    with pytest.raises(TooMuch, match="nested too deeply"):
        parse("-" * 1_000_000 + "1")


def test_nobody_parses_elsewhere() -> None:
    """One home, so that no caller forgets an error of the parser."""
    elsewhere = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if re.search(r"\bast\.parse\(", path.read_text(encoding="utf-8"))
    ]
    assert elsewhere == ["domainfile/parsing.py"]
