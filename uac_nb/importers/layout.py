"""Which column is what: the same for CSV, JSON lines and DataFrames."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from uac_nb.errors import LogError
from uac_nb.importers.protocol import ROLES, Message, Reading, daily
from uac_nb.importers.report import Place, shown

NAMES = MappingProxyType(
    {
        "text": "text message content body utterance msg",
        "at": "at said_at date_time datetime timestamp date time created_at sent_at when ts",
        "speaker": "speaker from sender author name user username",
        "session": "session session_id conversation conversation_id chat channel thread",
        "role": "role",
        "caption": "caption",
        "id": "id message_id uuid",
    }
)  # what a message has, and how its columns are often called, the surest first


def guess(columns: Iterable[str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the column of each part of a message: those given, others by their names.

    >>> guess(["Date", "Sender", "Message", "Likes"], {"session": "Likes"})
    {'text': 'Message', 'at': 'Date', 'speaker': 'Sender', 'session': 'Likes'}
    """
    there = list(columns)
    by_name = {re.sub(r"[\s-]+", "_", name.strip().casefold()): name for name in reversed(there)}
    found = dict(given)
    for part, names in NAMES.items():
        free = (by_name[name] for name in names.split() if name in by_name and by_name[name] not in found.values())
        if part not in found and (column := next(free, None)) is not None:
            found[part] = column
    return {part: found[part] for part in NAMES if part in found}


def check(given: Mapping[str, str]) -> None:
    """Refuse a column map with a part that no message has."""
    if unknown := sorted(set(given) - set(NAMES)):
        raise LogError(f"columns: a message has no {', '.join(map(shown, unknown))}; it has {', '.join(NAMES)}")


def chosen(columns: Iterable[str], reading: Reading) -> dict[str, str]:
    """Return the columns to read, and say which are not. LogError where there is no text, or a given one is not there."""
    there = list(columns)
    found = guess(there, reading.options.columns)
    listed = ", ".join(map(shown, there[:20]))
    if missing := [column for column in found.values() if column not in there]:
        raise reading.source.error("", f"there is no column {shown(missing[0])}; there are {listed}")
    if "text" not in found:
        raise reading.source.error(
            "", f"which column holds the text? say columns={{'text': …}} (--column text=…), one of {listed}"
        )
    if spare := [column for column in there if column not in found.values()]:
        reading.report.note(f"columns not read: {', '.join(map(shown, spare[:20]))}")
    return found


def message(value: Callable[[str], Any], columns: Mapping[str, str], place: Place, reading: Reading) -> Message | None:
    """Make a message of a row; `value` gives what a column holds, None where it is empty. A row without text is listed."""
    row = {part: value(column) for part, column in columns.items()}
    said = row.get("text")
    if not isinstance(said, str):
        what = "no text" if said is None else f"the text is a {type(said).__name__}"
        reading.report.odd(place, what, repr({part: item for part, item in row.items() if item is not None}))
        return None
    at = reading.at(row.get("at"), place)
    session = _string(row.get("session"))
    return Message(
        said,
        at,
        _string(row.get("speaker")),
        _role(_string(row.get("role")), place, reading),
        session or daily(reading.source.title, at),
        caption=_string(row.get("caption")),
        id=_string(row.get("id")),
        place=place,
    )


def _string(value: Any) -> str:
    return "" if value is None else str(value)


def _role(word: str, place: Place, reading: Reading) -> str:
    if word and word.strip().casefold() not in ROLES:
        known = ", ".join(ROLES)
        raise reading.source.error(place, f"role {shown(word)!r} is none of {known}; leave the column out or change it")
    return ROLES.get(word.strip().casefold(), "")
