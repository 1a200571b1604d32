"""Whether the types of a project hold: what a rule reads of a record, what a method gives back. Nothing is executed.

The checker is ty, the extra `uac-nb[types]`. Over a project of 800 lines with 70 rules, on two busy cores: ty 0.12–0.19 s and
zuban 0.14 s from a cold start, mypy 7 to 12 s (0.25 s with its cache warm). ty is under the MIT licence, zuban is not, and ty
alone tells what may be None apart from what is wrong.

That a value may be None is not held against code: rules take records from `ahead` and the like, which leave those out. The
checker sees a copy of the code, our configuration and this package, in an environment that holds nothing else.
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from uac_nb.errors import Diagnostic

INSTALL = "pip install 'uac-nb[types]'"
NOT_CHECKED = "not-type-checked"
_CONFIG = '[rules]\nmissing-union-attribute = "ignore"\n\n[environment]\npython-version = "3.11"\n'
_FOUND = re.compile(r"(?P<where>\w+\.py:\d+):\d+: error\[(?P<code>[\w-]+)\] (?P<message>.*)")
_FUNCTION = re.compile(r"^ *def ", re.MULTILINE)
_AT_MOST = 20  # findings
_SECONDS = 30.0
_ROOT = Path(__file__).parents[2]  # where this package is found


def checker() -> Path | None:
    """Where the checker is; None where it is not installed."""
    found = Path(sysconfig.get_path("scripts"), "ty.exe" if sys.platform == "win32" else "ty")
    return found if found.is_file() else None


def check_types(definitions: Mapping[str, str], rules: str) -> tuple[Diagnostic, ...]:
    """What is wrong with the types in the domains (their sources by name) and in the rules.

    Without functions there is nothing to check. Where it cannot be told, that is said: one finding with the code `NOT_CHECKED`.
    """
    if not any(_FUNCTION.search(text) for text in (rules, *definitions.values())):
        return ()
    tool = checker()
    if tool is None:
        return (_not_checked("ty is not installed", INSTALL),)
    texts = {"rules.py": rules, **{f"{name}.py": text for name, text in definitions.items()}}
    with tempfile.TemporaryDirectory() as folder:
        for path, text in texts.items():
            Path(folder, path).write_text(text, encoding="utf-8")
        config = Path(folder, "ty.toml")
        config.write_text(_CONFIG, encoding="utf-8")
        command = [
            str(tool), "check", "--project", folder, "--config-file", str(config), "--extra-search-path", str(_ROOT),
            "--output-format", "concise", "--color", "never", "--no-progress", *sorted(texts),
        ]  # fmt: skip
        try:
            done = subprocess.run(
                command, cwd=folder, env={}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_SECONDS
            )
        except (OSError, subprocess.SubprocessError) as error:
            return (_not_checked(f"ty did not run: {error}", "run it again"),)
    if done.returncode not in (0, 1):
        return (_not_checked(f"ty failed: {done.stderr.strip()[-200:] or done.returncode}", INSTALL),)
    return tuple(_read(done.stdout.splitlines()))[:_AT_MOST]


def _read(lines: Iterable[str]) -> Iterator[Diagnostic]:
    for line in lines:
        if (found := _FOUND.fullmatch(line)) and (found["code"] == "missing-attribute" or "None" not in found["message"]):
            yield Diagnostic("type", found["where"], found["message"].replace("`", "'"), "put the code or the type right")


def _not_checked(why: str, remedy: str) -> Diagnostic:
    return Diagnostic(NOT_CHECKED, "rules.py", f"not type-checked: {why}", remedy)
