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

# What nobody sees, or what turns the direction of reading: controls, formats (Cf), fillers, selectors of variants. It may
# hide words that a model reads and a person does not. Kept is what a picture or a script is written with.
_SIGN = r"[\u00a9\u00ae\u203c\u2049\u2122-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
_PICTURE = rf"{_SIGN}[\U0001f3fb-\U0001f3ff]?\ufe0f?"
_FLAG = "\U0001f3f4\U000e0067\U000e0062(?:{})\U000e007f".format(
    "|".join("".join(chr(0xE0000 + ord(letter)) for letter in part) for part in ("eng", "sct", "wls"))
)
_HIDDEN = re.compile(
    rf"(?P<kept>{_FLAG}|{_PICTURE}(?:\u200d{_PICTURE})*|[0-9#*]\ufe0f?\u20e3|(?<=[\u0600-\u0dff])[\u200c\u200d]"
    r"(?=[\u0600-\u0dff]))"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def visible(text: object) -> str:
    r"""Text with the characters spelled out that nobody would see, or that would steer a terminal or turn its direction.

    >>> visible("red \x1b[31m\nand\u200b more")
    'red \\x1b[31m\nand\\u200b more'
    """
    return _HIDDEN.sub(_spelled, str(text).replace("\r\n", "\n"))


def _spelled(found: re.Match[str]) -> str:
    return found["kept"] or found[0].encode("unicode_escape").decode()


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
