"""Tables of messages: CSV, JSON lines (or a JSON list) and DataFrames, with the columns named or guessed."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from typing import Any

from uac_nb.importers import layout
from uac_nb.importers.protocol import Format, Message, Options, Reading
from uac_nb.importers.source import Source
from uac_nb.log.rows import LONGEST

_DELIMITERS = ",;\t|"


def fits_csv(source: Source, options: Options) -> bool:
    if source.kind != "text":
        return False
    header = _row(source.head, _delimiter(source.head))
    return len(header) > 1 and "text" in layout.guess(header, options.columns)


def _delimiter(head: str) -> str:
    """The sign that stands most often in the first line."""
    first = head.split("\n", 1)[0]
    return max(_DELIMITERS, key=first.count)


def _row(head: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader(head.split("\n"), delimiter=delimiter), [])
    except csv.Error:
        return []


def read_csv(reading: Reading) -> Iterator[Message]:
    source = reading.source
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST + 1))  # by default a field of 131,072 characters is an error
    rows = csv.reader(source.lines(), delimiter=_delimiter(source.head))
    line = 1
    try:
        header = next(rows, [])
        found = layout.chosen(header, reading)
        line = rows.line_num + 1
        for row in rows:
            if len(row) == len(header):
                cells = dict(zip(header, row, strict=True))
                if made := layout.message(lambda column, cells=cells: cells[column] or None, found, line, reading):  # type: ignore[misc]
                    yield made
            elif row:
                reading.report.odd(line, f"{len(row)} fields, and the header has {len(header)}", ", ".join(row))
            line = rows.line_num + 1
    except csv.Error as error:
        if "field limit" in str(error):
            size = f"more than {LONGEST:,} characters in one message"
            raise source.error(line, f"{size}; split it, or close its quotation mark") from None
        raise source.error(line, f"no CSV: {error}; is a quotation mark open? export it again") from None


def fits_jsonl(source: Source, options: Options) -> bool:
    if source.kind != "jsonl" and not (source.kind == "json" and isinstance(source.json, list | tuple)):
        return False
    keys = list(dict.fromkeys(key for record in source.sample if isinstance(record, Mapping) for key in record))
    return bool(keys) and "text" in layout.guess(keys, options.columns)


def read_jsonl(reading: Reading) -> Iterator[Message]:
    keys = dict.fromkeys(key for record in reading.source.sample if isinstance(record, Mapping) for key in record)
    found = layout.chosen(keys, reading)
    for place, record in reading.source.records():
        if not isinstance(record, Mapping):
            reading.report.odd(place, "not an object", repr(record))
            continue
        if record.keys() - keys.keys():  # a role or a caption may come late
            keys.update(dict.fromkeys(record))
            found = layout.guess(keys, found)
        if made := layout.message(record.get, found, place, reading):
            yield made


def fits_frame(source: Source, options: Options) -> bool:
    return source.kind == "frame"


def read_frame(reading: Reading) -> Iterator[Message]:
    frame: Any = reading.source.value
    found = layout.chosen([str(name) for name in frame.columns], reading)
    places = {str(name): place for place, name in enumerate(frame.columns)}
    used = frame.iloc[:, [places[column] for column in found.values()]].astype(object)
    used = used.where(used.notna(), None)
    for number, row in enumerate(used.itertuples(index=False, name=None)):
        cells = dict(zip(found.values(), map(_plain, row), strict=True))
        if made := layout.message(cells.get, found, f"row {number}", reading):
            yield made


def _plain(value: Any) -> Any:
    """A time of pandas as one of Python; nanoseconds are beyond what a log keeps."""
    return value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value


FORMATS = (
    Format("csv", "a CSV table with a column of texts", fits_csv, read_csv, general=True, kinds=("text",), dated=True),
    Format(
        "jsonl",
        "JSON lines, or a JSON list, with a key of texts",
        fits_jsonl,
        read_jsonl,
        general=True,
        kinds=("jsonl", "json"),
        dated=True,
    ),
    Format(
        "dataframe",
        "a pandas DataFrame with a column of texts",
        fits_frame,
        read_frame,
        general=True,
        kinds=("frame",),
        dated=True,
    ),
)
