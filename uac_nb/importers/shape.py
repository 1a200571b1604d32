"""Reading JSON that somebody else wrote: what is not of the shape expected is absent, never a crash."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from uac_nb.importers.report import Place, Report


def text(value: Any, *keys: str) -> str:
    """Return the first of these keys that holds a non-empty string, else "".

    >>> text({"name": None, "id": "c1"}, "name", "id")
    'c1'
    """
    found = (value.get(key) for key in keys) if isinstance(value, Mapping) else ()
    return next((item for item in found if isinstance(item, str) and item), "")


def inner(value: Any, key: str) -> Mapping[str, Any]:
    """Return the object under a key, else an empty one."""
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def items(value: Any, key: str) -> list[Any]:
    """Return the list under a key, else an empty one."""
    found = value.get(key) if isinstance(value, Mapping) else None
    return list(found) if isinstance(found, list | tuple) else []


def objects(values: list[Any], what: str, report: Report) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Yield the objects of a list with their places ("message 3"); the report lists what is none."""
    for number, value in enumerate(values, 1):
        place = f"{what} {number}"
        if isinstance(value, Mapping):
            yield place, value
        else:
            report.odd(place, "not an object", repr(value))


def words(content: Any) -> tuple[str, int]:
    """Return the text of a content that is a string or a list of parts, and how many parts are no text.

    >>> words([{"type": "text", "text": "look:"}, {"type": "image_url", "image_url": {}}])
    ('look:', 1)
    """
    if isinstance(content, str):
        return content, 0
    parts = content if isinstance(content, list) else []
    texts = [part if isinstance(part, str) else text(part, "text") for part in parts if _is_text(part)]
    return "\n".join(texts), len(parts) - len(texts)


def _is_text(part: Any) -> bool:
    return isinstance(part, str) or text(part, "type") in ("text", "input_text", "output_text")
