"""The log as a DataFrame."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pandas as pd
import pytest

from uac_nb.log import Draft, Log

NOON = datetime(2025, 1, 10, 12, tzinfo=UTC)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with Log.open(tmp_path / "log.sqlite", clock=lambda: NOON) as log:
        log.append(
            [
                Draft(text="aware", said_at=datetime(2024, 3, 1, 0, 30, tzinfo=timezone(timedelta(hours=2))), speaker="jess"),
                Draft(text="zoned", said_at=datetime(2024, 3, 2, 9), zone="Asia/Tokyo", session="s", speaker="mum"),
                Draft(text="local", said_at=datetime(2024, 3, 3, 9), origin={"file": "a.txt"}),
                Draft(text="day", said_at=date(1, 1, 1)),
                Draft(text="\ud800 unknown"),
                Draft(kind="fact", role="system", text="f", data={"source": [1]}),
            ]
        )
        yield log


def test_columns_are_typed(log: Log) -> None:
    frame = log.frame()
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        "id": "int64",
        "kind": "category",
        "role": "category",
        "speaker": "string",
        "text": "string",
        "said_at": "datetime64[us, UTC]",
        "day": "datetime64[s]",
        "said": "string",
        "zone": "string",
        "session": "string",
        "caption": "string",
        "recorded_at": "datetime64[us, UTC]",
        "origin": "object",
        "data": "object",
    }
    assert frame["text"].tolist() == ["aware", "zoned", "local", "day", "\ud800 unknown", "f"]
    assert frame["recorded_at"].tolist() == [pd.Timestamp(NOON)] * 6
    assert frame["data"].iloc[5] == {"source": [1]}
    assert frame["origin"].iloc[2] == {"file": "a.txt"}


def test_times(log: Log) -> None:
    frame = log.frame()
    instants = ["2024-02-29 22:30:00+00:00", "2024-03-02 00:00:00+00:00", "NaT", "NaT", "NaT", "NaT"]
    assert [str(moment) for moment in frame["said_at"]] == instants
    days = ["2024-03-01 00:00:00", "2024-03-02 00:00:00", "2024-03-03 00:00:00", "0001-01-01 00:00:00", "NaT", "NaT"]
    assert [str(day) for day in frame["day"]] == days
    assert frame["said"].fillna("?").tolist() == [
        "2024-03-01T00:30:00+02:00",
        "2024-03-02T09:00:00",
        "2024-03-03T09:00:00",
        "0001-01-01",
        "?",
        "?",
    ]


def test_filters(log: Log) -> None:
    def texts(**choice: object) -> list[str]:
        return log.frame(**choice)["text"].tolist()  # type: ignore[arg-type]

    assert texts(kinds=("fact",)) == ["f"]
    assert texts(speaker="mum") == texts(session="s") == ["zoned"]
    assert texts(ids=[1, 3]) == ["aware", "local"]
    assert texts(after=1, before=4) == ["zoned", "local"]
    assert texts(start=date(2024, 3, 1), end=date(2024, 3, 2)) == ["aware", "zoned"]
    assert texts(end=date(2000, 1, 1)) == ["day"]


def test_a_shortened_frame_says_so(log: Log) -> None:
    assert log.frame().attrs["shown"] == "6 entries"
    short = log.frame(limit=2)
    assert short["id"].tolist() == [5, 6]
    assert short.attrs["shown"] == "2 of 6 entries"
    log.append([Draft(text=str(number)) for number in range(5_876)])
    assert log.frame(limit=50).attrs["shown"] == "50 of 5,882 entries"


def test_an_empty_frame_has_its_types(log: Log) -> None:
    assert (log.frame(ids=[]).dtypes == log.frame().dtypes).all()
    assert log.frame(ids=[]).attrs["shown"] == "0 entries"


def test_pandas_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, uac_nb.log; assert 'pandas' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
