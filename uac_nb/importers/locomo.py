"""LOCOMO: two people's talk over months, for benchmarks. Sessions are its lists; some dates have no list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from uac_nb.importers.protocol import Format, Message, Options, Reading
from uac_nb.importers.report import Place, shown
from uac_nb.importers.shape import inner, items, objects, text
from uac_nb.importers.source import Source
from uac_nb.importers.times import clock, ranged

_SESSION = re.compile(r"session_(\d+)")
_TIME = re.compile(r"(\d{1,2}):(\d{2}) ([ap]m) on (\d{1,2}) (\w+), (\d{4})", re.IGNORECASE)
_MONTHS = "january february march april may june july august september october november december"


def fits(source: Source, options: Options) -> bool:
    return any(text(_talk(one), "speaker_a") and _sessions(_talk(one)) for one in _samples(source)[:5])


def _samples(source: Source) -> list[Any]:
    data = source.json
    return list(data) if isinstance(data, list | tuple) else [data]


def _talk(sample: Any) -> Mapping[str, Any]:
    return inner(sample, "conversation") or (sample if isinstance(sample, Mapping) else {})


def _sessions(talk: Mapping[str, Any]) -> list[str]:
    """The keys of the sessions that were held, in their order."""
    found = ((int(match[1]), key) for key in talk if (match := _SESSION.fullmatch(key)) and isinstance(talk[key], list))
    return [key for _, key in sorted(found)]


def messages(reading: Reading) -> Iterator[Message]:
    report = reading.report
    for place, sample in objects(_samples(reading.source), "sample", report):
        report.counts["conversations"] += 1
        talk = _talk(sample)
        sessions = _sessions(talk)
        report.counts["sessions"] += len(sessions)
        dated = {key.removesuffix("_date_time") for key in talk if key.endswith("_date_time")}
        if spare := len(dated.difference(sessions)):
            report.note(f"{spare} dates of sessions have no session")
        for key in sessions:
            at = _time(text(talk, f"{key}_date_time"), f"{place}, {key}", reading)
            session = " ".join(part for part in (text(sample, "sample_id"), key) if part)
            for number, turn in objects(items(talk, key), "turn", report):
                report.media += bool(turn.get("img_url"))
                yield Message(
                    text(turn, "text"), at, text(turn, "speaker"), "", session,
                    caption=text(turn, "blip_caption"), id=text(turn, "dia_id"), place=f"{place}, {key}, {number}",
                )  # fmt: skip


def _time(written: str, place: Place, reading: Reading) -> datetime | None:
    if not written:
        reading.report.odd(place, "a session without a date")
        return None
    found = _TIME.fullmatch(written.strip())
    try:
        if found is None:
            raise ValueError("not as in 1:56 pm on 8 May, 2023")
        hour, minute, half, day, month, year = found.groups()
        said = datetime(int(year), _MONTHS.split().index(month.lower()) + 1, int(day))
        ranged(said)
        return datetime.combine(said, clock(int(hour), int(minute), 0, half))
    except ValueError as error:
        raise reading.source.error(place, f"{shown(written)}: {error}") from None


FORMAT = Format("locomo", "a LOCOMO conversation (JSON)", fits, messages)
