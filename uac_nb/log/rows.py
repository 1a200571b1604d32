"""Between an entry and its row, and the hashes over it.

A digest is taken over salted content, so that a forget can empty the words (and the salt, without which the digest
tells nothing about them) and leave the chain as it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from uac_nb.errors import LogError
from uac_nb.log.entries import KINDS, ROLES, Draft, Entry

COLUMNS = (
    "id", "kind", "role", "said_at", "zone", "recorded_at", "session", "speaker", "text", "caption", "origin", "data",
    "position",
)  # fmt: skip
_TIMES = (datetime, date, type(None))  # and no subclass: a pandas NaT would be one
LONGEST = 1_000_000  # characters in one text
YEARS = range(1900, 2101)  # what is told is from these: another year is a slip of the pen, and days cannot be reckoned from it

Row = tuple[Any, ...]


def check(draft: Draft, place: str) -> None:
    """Refuse a draft that the log cannot hold, with a LogError that says what to do."""
    if draft.kind not in KINDS:
        raise LogError(f"{place}: kind {draft.kind!r} is none of {', '.join(KINDS)}")
    if draft.role not in ROLES:
        raise LogError(f"{place}: role {draft.role!r} is none of {', '.join(ROLES)}")
    if draft.kind == "message" and not draft.caption and not draft.text.strip():
        raise LogError(f"{place}: the message is empty; write what was said, or leave it out")
    if len(draft.text) > LONGEST:
        raise LogError(f"{place}: {len(draft.text):,} characters are too many for one entry ({LONGEST:,}); split it")
    if type(draft.said_at) not in _TIMES:
        raise LogError(f"{place}: said_at is {draft.said_at!r}; use a date or datetime of the standard library, or None")
    check_zone(draft.zone, place)


def check_zone(name: str, place: str) -> None:
    """Refuse a name that is no time zone; "" is fine."""
    if name and not _known_zone(name):
        raise LogError(f"{place}: {name!r} is no time zone; use a name like 'Europe/Lisbon'")


@lru_cache(maxsize=256)
def _known_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return False
    return True


def columns(draft: Draft, id: int, recorded_at: str) -> Row:
    """Return the row of a draft (see COLUMNS), all values as SQLite or JSON takes them, text not yet packed."""
    said = draft.said_at
    return (
        id,
        draft.kind,
        draft.role,
        said.isoformat() if said is not None else None,
        draft.zone or getattr(getattr(said, "tzinfo", None), "key", None) or "",
        recorded_at,
        draft.session,
        draft.speaker,
        draft.text,
        draft.caption,
        dumps(draft.origin) if draft.origin else "{}",
        dumps(draft.data) if draft.data else "{}",
        draft.position,
    )


def entry(row: Row) -> Entry:
    """Return the entry of a row of COLUMNS. Raise LogError for one that we never wrote."""
    try:
        return _entry(row)
    except (ValueError, TypeError) as error:
        remedy = "`verify` names the first of that kind; restore the log from a backup or an export"
        raise LogError(f"entry {row[0]} of the log is damaged ({error}); {remedy}") from error


def _entry(row: Row) -> Entry:
    id, kind, role, said, zone, recorded, session, speaker, text, caption, origin, data, position = map(unpacked, row)
    return Entry(
        id=id,
        kind=kind,
        role=role,
        said_at=time_of(said),
        zone=zone,
        recorded_at=datetime.fromisoformat(recorded),
        session=session,
        speaker=speaker,
        text=text,
        caption=caption,
        origin=json.loads(origin) if origin != "{}" else {},
        data=json.loads(data) if data != "{}" else {},
        position=position,
    )


def time_of(said: str | None) -> datetime | date | None:
    """Read a time as it was kept: with an offset, without, a bare day, or unknown."""
    if said is None:
        return None
    return date.fromisoformat(said) if len(said) == 10 else datetime.fromisoformat(said)


def dumps(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """Write JSON in one canonical form. Raise LogError for what JSON cannot say."""
    try:
        return _encode(value)
    except (TypeError, ValueError) as error:
        raise LogError(f"the data of an entry has to be JSON: {error}") from error


loads = json.loads
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, allow_nan=False, separators=(",", ":")).encode


def unpacked(value: Any) -> Any:
    """Return text as it was: what UTF-8 has no form for (a lone surrogate) is stored as a blob, see `packed`."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def packed(value: Any) -> Any:
    """Return text as SQLite can store it."""
    if isinstance(value, str) and not _plain(value):
        return value.encode("utf-8", "surrogatepass")
    return value


def _plain(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def sealed(row: Row, salt: bytes) -> tuple[Row, bytes]:
    """Return a row as SQLite can store it, and the digest of its content."""
    text = content(row)
    try:
        return row, sha256(salt + text.encode()).digest()
    except UnicodeEncodeError:
        return tuple(map(packed, row)), digest(salt, row)


def content(row: Row) -> str:
    """Return all of a row (COLUMNS, unpacked) but its id in one unambiguous form to be hashed.

    Only the four free texts may hold a NUL, so their lengths tell them apart.
    """
    _, kind, role, said, zone, recorded, session, speaker, text, caption, origin, data, position = row
    return (
        f"{kind}\0{role}\0{said}\0{zone}\0{recorded}\0{position}\0{origin}\0{data}\0"
        f"{len(session)}\0{len(speaker)}\0{len(text)}\0{session}{speaker}{text}{caption}"
    )


def digest(salt: bytes, row: Row) -> bytes:
    """Return the hash of a row's content (all of COLUMNS but the id, unpacked) under its salt."""
    return sha256(salt + content(row).encode("utf-8", "surrogatepass")).digest()


def link(chain: bytes, digest: bytes, id: int) -> bytes:
    """Return the next hash of the chain."""
    return sha256(chain + digest + id.to_bytes(8, "big")).digest()


def root(user: str) -> bytes:
    """Return the hash that the chain of a user's log starts from."""
    return sha256(f"uac_nb log of {user}".encode()).digest()


def key(row: Row, message: str) -> bytes | None:
    """Return what a repeated message is recognised by, None where it cannot be told from a new one.

    The `message` id of its origin, with the words and the time (people edit messages, and ids repeat from chat to
    chat); without one, for a dated message, its time, session, speaker, words and position. Words are those of the export
    (`raw` in its data) where we show them otherwise: a name in them may be another one by the next export.
    """
    _, kind, _, said, _, _, session, speaker, text, _, _, data, position = row
    if kind != "message" or not (message or said):
        return None
    same = (
        f"{len(message)}\0{message}{said}\0"
        if message
        else f"\0{said}\0{position}\0{len(session)}\0{len(speaker)}\0{session}{speaker}"
    )
    text = json.loads(data).get("raw", text) if '"raw"' in data else text
    return sha256(f"{same}{text}".encode("utf-8", "surrogatepass")).digest()[:16]
