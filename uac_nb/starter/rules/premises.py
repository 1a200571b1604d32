"""What still counts although that on which it rests does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from uac_nb.rules import Alert, Side, conflict, ends_on, live, own, rule, standings, starts_on
from uac_nb.rules.premises import State, gone, relation

DO: Mapping[State, str] = {
    "uncertain": "Say whether {} still stands; if it does not, close it.",
    "ended": "Close {}, or say that it stands nevertheless.",
    "follows": "Change {} in the same way, or say that it stands nevertheless.",
}


@rule("warning")
def rests_on_what_is_gone(everything: Iterable[object], *, today: date) -> Iterator[Alert]:
    """Something that still counts rests on a record that is off, has ended, or is itself in doubt."""
    found = standings(everything, today)
    for id, standing in found.items():
        record, chain = found.records[id], found.chain(id)
        if not _counts(record, today) or chain[0] not in found.records:  # of what is not recorded a finding speaks
            continue
        premise = found.records[chain[0]]
        state = "itself in doubt" if premise.id in found else gone(premise, today).removeprefix("is ")
        yield conflict(
            record, relation(record, premise.id), Side(premise, f"{own(premise)} ({state})"),
            because=f"{found.told(premise.id)}." if premise.id in found else "",
            do=DO[standing.state].format(own(record)), also=[found.records[id] for id in chain[1:] if id in found.records],
            severity=None if starts_on(record) else "info",
        )  # fmt: skip


def _counts(record: Any, today: date) -> bool:
    end = ends_on(record)
    return live(record) and (end is None or end.last >= today)
