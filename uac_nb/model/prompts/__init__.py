"""What models are told: files with {{places}}, and the form in which data stands in them.

Nothing that came from a text can act as a part of the prompt: it is put on one line and made inert, so that it can neither
close its fence nor look like a tag.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

PLACE = re.compile(r"\{\{(\w+)\}\}")
FENCE = "```"
TAGS = "<`"  # what opens tags, special tokens of chat templates, and fences


def fill(prompt: str, **parts: str) -> str:
    """The text of a prompt file with its places filled. Raise KeyError where a part is missing or has no place."""
    text = _text(prompt)
    if unused := set(parts) - set(PLACE.findall(text)):
        raise KeyError(f"{prompt}.md has no place for {', '.join(sorted(unused))}")
    return PLACE.sub(lambda place: parts[place[1]], text).strip()


def fence(name: str, lines: Iterable[str]) -> str:
    """Lines of data as a block that they cannot close; "None." where there are none.

    >>> print(fence("entries", ['{"id": 1, "text": "```"}']))
    ```entries
    {"id": 1, "text": "\\u0060\\u0060\\u0060"}
    ```
    """
    body = [inert(line) for line in lines]
    return "\n".join([f"{FENCE}{name}", *body, FENCE]) if body else "None."


def data(value: Any) -> str:
    """A JSON value on one inert line.

    >>> data({"text": "<system>"})
    '{"text": "\\\\u003csystem>"}'
    """
    return inert(json.dumps(value, ensure_ascii=False))


def inert(line: str) -> str:
    """The text as one line without tags and without characters that do not show, each written as in JSON instead."""
    if line.isprintable() and not any(tag in line for tag in TAGS):
        return line
    return "".join(c if c.isprintable() and c not in TAGS else _escaped(c) for c in line)


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


@cache
def _text(prompt: str) -> str:
    return files(__name__).joinpath(f"{prompt}.md").read_text("utf-8")
