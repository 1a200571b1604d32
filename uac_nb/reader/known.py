"""What the project holds already, and what this reading has added to it so far."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import time
from typing import Any, Protocol

from uac_nb.domainfile.records import type_of
from uac_nb.reader.places import LETTERS
from uac_nb.rules import Money, When

OVER = frozenset({"done", "cancelled", "dropped", "returned", "sold", "off", "refused", "stopped", "ended", "closed"})


class Workspace(Protocol):
    """The part of a project that the reader looks at."""

    def records(self, collection: str) -> Iterable[Any]: ...
    def find(self, id: str) -> Any: ...


@dataclass(slots=True)
class Row:
    """A record as plain JSON values."""

    id: str
    collection: str
    values: dict[str, Any]

    @property
    def open(self) -> bool:
        return (self.collection == "commitments" or self.values.get("until") is None) and self.values.get("status") not in OVER

    def when(self, name: str) -> When | None:
        text = self.values.get(name)
        return When(text) if text else None


class Known:
    """Rows by collection: those of the workspace, and the changes made to them while reading."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._rows: dict[str, dict[str, Row]] = {}
        self._before: list[tuple[Row, dict[str, Any] | None]] = []

    def rows(self, collection: str) -> list[Row]:
        if collection not in self._rows:
            found = [Row(r.id, collection, _plain_values(r)) for r in self._workspace.records(collection)]
            self._rows[collection] = {row.id: row for row in found}
        return list(self._rows[collection].values())

    def add(self, collection: str, id: str, values: Mapping[str, Any]) -> Row:
        self.rows(collection)
        row = Row(id, collection, dict(values))
        self._rows[collection][id] = row
        self._before.append((row, None))
        return row

    def set(self, row: Row, values: Mapping[str, Any]) -> None:
        self._before.append((row, dict(row.values)))
        row.values |= values

    def keep(self) -> None:
        """What was changed so far stays."""
        self._before.clear()

    def take_back(self) -> None:
        """What was changed since the last `keep` was not."""
        for row, values in reversed(self._before):
            if values is None:
                del self._rows[row.collection][row.id]
            else:
                row.values = values
        self._before.clear()

    def free(self, id: str) -> str:
        """An id that nothing in the project has."""
        taken = {row for rows in self._rows.values() for row in rows}
        number, new = 1, id
        while new in taken or self._workspace.find(new) is not None:
            number += 1
            new = f"{id}-{number}"
        return new


def slug(*words: str) -> str:
    """An id of words: lower case, joined by hyphens.

    >>> slug("São Paulo", "2025-03")
    'sao-paulo-2025-03'
    """
    text = (
        unicodedata.normalize("NFKD", " ".join(w for w in words if w).translate(LETTERS))
        .encode("ascii", "ignore")
        .decode()
        .lower()
    )
    return re.sub(r"[^a-z0-9]+", "-", text.replace("'", "")).strip("-")[:70] or "record"


def singular(words: str) -> str:
    """The words with the last in the singular, as far as a simple rule goes.

    >>> singular("strawberries"), singular("tree nuts"), singular("citrus")
    ('strawberry', 'tree nut', 'citrus')
    """
    if words.endswith("ies") and len(words) > 4:
        return f"{words[:-3]}y"
    return words[:-1] if words.endswith("s") and not words.endswith(("ss", "us", "is")) else words


def _plain_values(record: Any) -> dict[str, Any]:
    now = {old: new for new, old in type_of(record).former.items() if old}  # of a copy that was not upgraded
    return {now.get(f.name, f.name): _json(getattr(record, f.name)) for f in fields(record) if f.name not in ("id", "source")}


def _json(value: Any) -> Any:
    if isinstance(value, When):
        return value.text
    if isinstance(value, Money):
        return {"amount": str(value.amount), "currency": value.currency}
    if isinstance(value, time):
        return value.strftime("%H:%M")
    return list(value) if isinstance(value, tuple) else value
