"""Text as source writes it, and the words of messages. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

# What a reader cannot see, or what would turn the line around: written as an escape. Fixed ranges, not `isprintable`, so that
# the same text gives the same bytes under every version of Python. U+FE0E and U+FE0F stay: they belong to emoji.
_ODD = re.compile(
    r'["\\\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f'
    r"\u205f-\u206f\u3000\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text: str) -> str:
    r"""The text as a literal in double quotes, on one line, that reads back as the same text.

    >>> print(quoted('a "b"\n\u200b'))
    "a \"b\"\n\u200b"
    """
    return f'"{_ODD.sub(_escape, text)}"' if _ODD.search(text) else f'"{text}"'


def _escape(match: re.Match[str]) -> str:
    odd = match[0]
    code = ord(odd)
    return _SHORT.get(odd) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def did_you_mean(word: object, words: Iterable[Any]) -> str:
    """A question with the nearest of some words; empty where none is near.

    >>> did_you_mean("departss", ["departs", "returns"])
    "did you mean 'departs'?"
    """
    by_lower = {str(w).lower(): w for w in words}
    near = get_close_matches(str(word).lower(), list(by_lower), n=1)
    return f"did you mean {by_lower[near[0]]!r}?" if near else ""


def brief(value: object) -> str:
    """A value for a message; a long one is cut, and marked."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
