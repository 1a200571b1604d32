"""A source text with its places: where a node of the syntax tree stands, and how to put something else there."""

from __future__ import annotations

import ast
import gc
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import accumulate

from uac_nb.domainfile.parsing import TooMuch, parse
from uac_nb.errors import CheckError, Diagnostic

STATE = "# --- state ---"
Edit = tuple[int, int, str]  # from, to (offsets in characters), the text instead


class Text:
    """A text, and the offsets of its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._ascii = text.isascii()
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def offset(self, line: int, column: int) -> int:
        """The offset of a place of the syntax tree: lines from 1, columns in bytes of UTF-8."""
        start = self._starts[line - 1]
        if self._ascii:
            return start + column
        return start + len(self.text[start : self._starts[line]].encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno or 0, node.end_col_offset or 0)

    def line(self, number: int) -> tuple[int, int]:
        """The offsets of a line, its end without the newline."""
        return self._starts[number - 1], self._starts[number] - 1

    def of(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def comment(self, node: ast.expr | ast.stmt) -> str:
        """The comment behind a node on its last line; empty where there is none."""
        end = self.span(node)[1]
        match = re.match(r"[ \t]*#[ \t]*(.*)", self.text[end : self.line(node.end_lineno or 0)[1]])
        return match[1].rstrip() if match else ""


def tree(text: str, where: str) -> ast.Module:
    """The syntax tree. Raise CheckError with the line where the text is no Python."""
    if "\r" in text:
        line = text.count("\n", 0, text.index("\r")) + 1
        raise CheckError(Diagnostic("syntax", f"{where}:{line}", "a carriage return", "save the file with plain line ends"))
    try:
        return parse(text)
    except TooMuch as error:
        raise CheckError(Diagnostic("syntax", f"{where}:1", error.msg, "write fewer things inside each other")) from None
    except SyntaxError as error:
        hint = f"at {error.text.strip()[:60]!r}" if error.text and error.text.strip() else ""
        raise CheckError(Diagnostic("syntax", f"{where}:{error.lineno or 1}", error.msg, hint)) from None
    except ValueError as error:  # NUL, a lone surrogate
        raise CheckError(Diagnostic("syntax", f"{where}:1", f"not readable: {error}", "take out that character")) from None


def state_line(text: str, module: ast.Module, where: str) -> int:
    """The number of the line that parts types from values. Raise CheckError where there is none.

    A line that looks like it but stands inside a statement (a docstring) is none.
    """
    for match in re.finditer(rf"^{STATE}[ \t]*$", text, re.MULTILINE):
        line = text.count("\n", 0, match.start()) + 1
        if not any(node.lineno <= line <= (node.end_lineno or 0) for node in module.body):
            return line
    hint = f"put the line  {STATE}  between types and values"
    raise CheckError(Diagnostic("state", f"{where}:{text.count(chr(10)) + 1}", "types and values are not told apart", hint))


@contextmanager
def quiet(where: str) -> Iterator[None]:
    """Without warnings about a person's backslashes, and without the collector, which doubles the time of a large tree.

    Raise CheckError where brackets are nested too deeply to be read.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (RecursionError, MemoryError):
        raise CheckError(
            Diagnostic("syntax", f"{where}:1", "nested too deeply", "write fewer things inside each other")
        ) from None
    finally:
        if collecting:
            gc.enable()


def splice(text: str, edits: Iterable[Edit]) -> str:
    """The text with some of its parts replaced; they do not overlap.

    >>> splice("a = 1", [(4, 5, "2"), (0, 1, "b")])
    'b = 2'
    """
    pieces, at = [], 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])
