"""What can go wrong.

    UacError
      LogError        the log: an entry, a date, a file that cannot be read or written
      ProjectError    the project: its folder, its git history, a user
      DamagedError    … a history that cannot be read; a rebuild makes it anew
      CheckError      source or a change that was refused; carries its findings
      RunError        code that was refused by the boundary, failed, or ran too long
      ModelError      the model: no answer, a refusal, an endpoint that is down
      ReplyError      … a reply that cannot be read

A finding (`Diagnostic`) is a value; a failure is an exception. Both say what, where and what to do next. Words of others
stand in them, so whoever shows them shows them `visible`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from uac_nb.errors.redaction import redacted

MOST_OF_A_CRASH = 300  # characters of what an exception says

_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: object) -> str:
    r"""Text with the characters spelled out that would steer a terminal or turn the direction of reading.

    >>> visible("red \x1b[31m\nand more")
    'red \\x1b[31m\nand more'
    """
    return _HIDDEN.sub(lambda m: m[0].encode("unicode_escape").decode(), str(text).replace("\r\n", "\n"))


def plain(text: str) -> str:
    r"""Words of others as one line: what would steer the terminal, or turn or break the line, is written as an escape.

    >>> plain("red \x1b[31m\n")
    'red \\x1b[31m\\n'
    """
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `where` is a place a person can go to: "travel.py:12", "rules.py:3", "$.changes[2].values.departs"."""

    code: str
    where: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.message}" + (f" ({self.hint})" if self.hint else "")


class UacError(Exception):
    """Base of all errors. In a notebook it shows as one line; elsewhere with its traceback. None holds a secret."""

    def __init__(self, *told: object) -> None:
        super().__init__(*map(redacted, told))

    def _render_traceback_(self) -> list[str]:  # read by IPython
        return [visible(f"{type(self).__name__}: {self}")]


class LogError(UacError):
    pass


class ProjectError(UacError):
    pass


class DamagedError(ProjectError):
    pass


class CheckError(UacError):
    """Source or a change was refused. `diagnostics` says why, one by one."""

    def __init__(self, diagnostics: Iterable[Diagnostic] | Diagnostic) -> None:
        found = (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        self.diagnostics: tuple[Diagnostic, ...] = found
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        super().__init__(f"{found[0]}{more}" if found else "refused")


class RunError(UacError):
    pass


class ModelError(UacError):
    pass


class ReplyError(ModelError):
    pass


STOPS = (LogError, ProjectError, ModelError, OSError, MemoryError)  # what all rests on has failed: nothing can go on


def crash(error: Exception, where: str, message: str, hint: str) -> Diagnostic:
    """Return the finding on an exception that nobody foresaw, of the one thing of many that it hit; the others go on."""
    import traceback

    home = Path(__file__).parents[1]
    ours = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).is_relative_to(home)]
    at = f" ({Path(ours[-1].filename).relative_to(home).as_posix()}:{ours[-1].lineno})" if ours else ""
    told = " ".join(str(error).split())[:MOST_OF_A_CRASH]
    return Diagnostic("crash", where, f"{message}: {type(error).__name__}: {told}{at}", f"{hint}; please report it")
