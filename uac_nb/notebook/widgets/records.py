"""Records as small tables: what each says beyond its defaults, and the entries it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import time
from typing import Any

from uac_nb.domainfile.records import RecordType, is_record, type_of
from uac_nb.errors import STOPS
from uac_nb.notebook.widgets.page import Block, Code, Table
from uac_nb.rules import Standings

MOST = 50  # records of a table; more are counted
FROM = "from"  # heads the entries that a record rests on
STANDS = "stands"  # heads how it stands where its premises do not all hold


def tables(records: Sequence[Any], standing: Standings | None = None) -> Iterator[Block]:
    """A table a type, in the order of its first record; what is no record as it is written."""
    kinds = dict.fromkeys(type_of(record) for record in records if is_record(record))
    for kind in kinds:
        yield table(kind, [record for record in records if is_record(record) and type_of(record) == kind], standing)
    if others := [repr(value) for value in records if not is_record(value)]:
        yield Code("\n".join(others))


def table(kind: RecordType, records: Sequence[Any], standing: Standings | None = None) -> Table:
    """One record as a line a field; several as a line a record, in few columns, since a narrow page would hide the last."""
    if len(records) == 1:
        return Table((), list(_said(kind, records[0], standing)), kind.name)
    rows = [_row(dict(_said(kind, record, standing))) for record in records[:MOST]]
    shown = f": {MOST} of {len(records):,} shown" if len(records) > MOST else ""
    return Table(("id", "what it says", FROM), rows, f"{kind.name}{shown}")


def _row(said: dict[str, str]) -> tuple[str, str, str]:
    id, source = said.pop("id", ""), said.pop(FROM, "")
    return id, "; ".join(f"{field} {value}" for field, value in said.items()), source


def _said(kind: RecordType, record: Any, standing: Standings | None) -> Iterator[tuple[str, str]]:
    """What somebody said of a record: what is neither empty nor what its type takes for granted; and whether it stands."""
    if standing and (how := standing.get(record.id)):
        yield STANDS, f"{how.state}: {standing.why(record.id)}"
    for field in kind.fields:
        value = getattr(record, field.name)
        if field.name == "source":
            yield FROM, ", ".join(f"#{id}" for id in value)
        elif value not in (None, (), "", {}) and value != field.default:
            yield field.name, _told(value)


def _told(value: Any) -> str:
    """The value; what is wrong with it where it cannot be written: the rest of its record can."""
    try:
        return written(value)
    except STOPS:
        raise
    except Exception as error:
        return f"(cannot be shown: {type(error).__name__}: {error})"


def written(value: Any) -> str:
    """A value as short as it can be read.

    >>> written(time(9, 30)), written(("nuts", "eggs")), written(True)
    ('09:30', 'nuts, eggs', 'yes')
    """
    match value:
        case bool():
            return "yes" if value else "no"
        case time():
            return value.isoformat("minutes")
        case tuple():
            return ", ".join(map(written, value))
        case dict():
            return ", ".join(f"{key}: {written(each)}" for key, each in value.items())
        case _:
            return str(getattr(value, "text", value))
