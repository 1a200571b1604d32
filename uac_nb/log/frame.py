"""The log as a pandas DataFrame, typed column by column."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from uac_nb.log.entries import KINDS, ROLES, Chosen, Entry

if TYPE_CHECKING:
    import pandas as pd

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def frame(chosen: Chosen) -> pd.DataFrame:
    """Return the entries of a choice as rows; see `Log.frame`."""
    made = _frame(list(chosen.entries))
    made.attrs["shown"] = chosen.shown
    return made


def _frame(entries: Sequence[Entry]) -> pd.DataFrame:
    import pandas as pd  # not at the top: half a second that a script without frames does not need

    def texts(values: list[str | None]) -> pd.Series[Any]:
        return pd.Series(values, dtype="string[python]")  # the other storage cannot hold a lone surrogate

    def choices(values: list[str], all: Sequence[str]) -> pd.Series[Any]:
        series: pd.Series[Any] = pd.Series(values, dtype=object)
        return series.astype(pd.CategoricalDtype(list(all)))

    said = [entry.said_at for entry in entries]
    return pd.DataFrame(
        {
            "id": pd.Series([entry.id for entry in entries], dtype="int64"),
            "kind": choices([entry.kind for entry in entries], KINDS),
            "role": choices([entry.role for entry in entries], ROLES),
            "speaker": texts([entry.speaker for entry in entries]),
            "text": texts([entry.text for entry in entries]),
            "said_at": _instants([entry.moment for entry in entries]),
            "day": _days([None if entry.said_at is None else entry.day for entry in entries]),
            "said": texts([None if moment is None else moment.isoformat() for moment in said]),
            "zone": texts([entry.zone for entry in entries]),
            "session": texts([entry.session for entry in entries]),
            "caption": texts([entry.caption for entry in entries]),
            "recorded_at": _instants([entry.recorded_at for entry in entries]),
            "origin": pd.Series([dict(entry.origin) for entry in entries], dtype=object),
            "data": pd.Series([dict(entry.data) for entry in entries], dtype=object),
        }
    )


def _instants(moments: Sequence[datetime | None]) -> pd.Series[Any]:
    """Return aware times in UTC, to the microsecond, whatever their year."""
    import numpy as np
    import pandas as pd

    since = [None if moment is None else (moment - _EPOCH) for moment in moments]
    stamps = np.datetime64("1970-01-01T00:00:00", "us") + np.array(since, dtype="timedelta64[us]")
    series: pd.Series[Any] = pd.Series(stamps).dt.tz_localize("UTC")
    return series


def _days(days: Sequence[date | None]) -> pd.Series[Any]:
    import numpy as np
    import pandas as pd

    return pd.Series(np.array(days, dtype="datetime64[D]").astype("datetime64[s]"))
