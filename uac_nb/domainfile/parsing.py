"""Parsing text that is not ours: what Python can read, or one kind of error, with nothing printed and little spent.

The parser ends by itself where brackets or blocks are nested too deeply, with an error that most callers would not think of;
what it takes in memory grows with the text, so that is bounded first.
"""

from __future__ import annotations

import ast
import gc
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, overload

LONGEST = 20_000_000  # characters, and
MOST = 4_000_000  # words and signs, each of which may become a node of some hundred bytes
_PART = re.compile(r"\w+|[^\w\s]")


class TooMuch(SyntaxError):
    """It is nested too deeply, or too long, to be read."""


@overload
def parse(text: str, mode: Literal["exec"] = "exec") -> ast.Module: ...
@overload
def parse(text: str, mode: Literal["eval"]) -> ast.Expression: ...
def parse(text: str, mode: str = "exec") -> Any:
    """The syntax tree of a text. Raise SyntaxError, TooMuch among them, or ValueError for what is no text (NUL, a surrogate).

    >>> parse("-" * 100_000 + "1")
    Traceback (most recent call last):
    uac_nb.domainfile.parsing.TooMuch: nested too deeply
    """
    if len(text) > LONGEST or (len(text) > MOST and sum(1 for _ in _PART.finditer(text)) > MOST):
        raise TooMuch("too long to be read")
    with _quietly():
        try:
            return ast.parse(text, mode=mode)
        except (RecursionError, MemoryError):
            raise TooMuch("nested too deeply") from None


@contextmanager
def _quietly() -> Iterator[None]:
    """Without warnings about a person's backslashes, and without the collector, which doubles the time of a large tree."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if collecting:
            gc.enable()
