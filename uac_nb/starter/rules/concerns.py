"""What a model saw and no rule covers, as long as its premises stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

from uac_nb.rules import Alert, Recorded, conflict, ended, listed, live, own, rule, running_out, side
from uac_nb.rules.words import Side, concrete
from uac_nb.starter.types.concerns import Concern


@rule("warning")
def concern_stands(concerns: Iterable[Concern], known: Iterable[Recorded], *, today: date) -> Iterator[Alert]:
    """Records do not go together, as it was seen when they were read; while all of them stand."""
    records = {record.id: record for record in known} if concerns else {}
    for concern in concerns:
        premises = [records[id] for id in concern.records if id in records and _stands(records[id], today)]
        if not live(concern) or (concern.until and concern.until < today) or len(premises) < len(concern.records):
            continue
        changed = [p for p in premises if max(p.source) > max(concern.source)]
        check = f" Check it first: {listed(map(own, changed))} changed since." if changed else ""
        do = ended(concern.do) + check
        first, *others = premises
        if others:
            yield conflict(
                _told(first), "may not go together with", _told(others[0]), because=ended(concern.because), do=do,
                also=[*others[1:], concern], severity=concern.severity, occurrence=concern.id,
            )  # fmt: skip
        else:
            yield running_out(
                _told(first), because=ended(concern.because), do=do, also=[concern], severity=concern.severity,
                occurrence=concern.id,
            )  # fmt: skip


def _told(record: Recorded) -> Side:
    """A premise in words; where nothing else about it is concrete, what kind of record it is."""
    return side(record, *([*concrete(record)] or [re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(record).__name__).lower()]))


def _stands(record: Recorded, today: date) -> bool:
    until = getattr(record, "until", None)
    return live(record) and not (until and until < today)
