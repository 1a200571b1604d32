"""Changes in plain words, said by code from the records, and not by the model that proposes them."""

from __future__ import annotations

from typing import Any

import pytest

from uac_nb.changes import Workspace, accept, parse
from uac_nb.reading import plain
from uac_nb.reading.plain import plainly

TRIP = {
    "change": "add", "collection": "trips", "id": "lisbon", "source": [1],
    "values": {"title": "trip to Lisbon", "to": "Lisbon", "departs": "2025-03-10"},
}  # fmt: skip
OLD = {"change": "add", "collection": "accounts", "id": "old", "source": [1], "values": {"title": "old account"}}
NEW = {"change": "add", "collection": "accounts", "id": "new", "source": [1], "values": {"title": "new account"}}
NOTE = {"change": "note", "id": "likes-tea", "text": "Jess likes tea.", "source": [1]}
RULE = '''@rule("warning")
def too_many_trips(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    """More trips than one can take."""
    yield from ()
'''


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {**TRIP, "id": "rome", "values": {"title": "trip to Rome", "to": "Rome"}},
            "New in trips: trip to Rome (to Rome)",
        ),
        (
            {"change": "amend", "id": "lisbon", "set": {"departs": "2025-03-11", "country": "PT"}},
            "Change trip to Lisbon: country PT (new); departs Tuesday, March 11, 2025 (was Monday, March 10, 2025)",
        ),
        ({"change": "amend", "id": "lisbon", "append": {"others": ["Dana"]}}, "Change trip to Lisbon: others Dana (new)"),
        ({"change": "confirm", "id": "lisbon"}, "Said again: trip to Lisbon (nothing changes but what it rests on)"),
        (
            {"change": "close", "id": "lisbon", "status": "cancelled"},
            "No longer holds: trip to Lisbon – status cancelled (was booked)",
        ),
        ({"change": "note", "id": "tall", "text": "Jess is tall."}, "New note: Jess is tall."),
        ({"change": "note", "id": "tall", "text": "Long.", "about": "lisbon"}, "New note on trip to Lisbon: Long."),
        (
            {"change": "absorb", "note": "likes-tea", "into": "lisbon"},
            "Jess likes tea. — this note becomes part of trip to Lisbon",
        ),
        ({"change": "merge", "id": "new", "into": "old"}, "One and the same: new account goes into old account"),
        ({"change": "rule", "id": "too_many_trips", "text": RULE}, "New rule too many trips: More trips than one can take."),
        (
            {"change": "extend", "collection": "trips", "fields": [{"name": "seat", "type": "str | None"}]},
            "New field of trips: seat",
        ),
    ],
)  # fmt: skip
def test_in_plain_words(change: dict[str, Any], told: str) -> None:
    before = accept([TRIP, OLD, NEW, NOTE], Workspace())
    assert before.refused == ()
    after = accept([{"source": [2], **change}], before.workspace)
    assert after.refused == ()
    assert plainly(after.changes[-1], before.workspace, after.workspace) == told


def test_no_value_is_left_out_however_long() -> None:
    long = "a very long purpose " * 30
    made = accept([{**TRIP, "values": {"title": "trip", "to": "Lisbon", "purpose": long.strip()}}], Workspace())
    assert long.strip() in plainly(made.changes[-1], Workspace(), made.workspace)


def test_what_cannot_be_made_is_told_by_what_was_proposed() -> None:
    made = accept([TRIP], Workspace())
    told = plainly(made.changes[-1], Workspace(), Workspace())
    assert told == "New in trips: title trip to Lisbon; to Lisbon; departs 2025-03-10"


@pytest.mark.parametrize(
    "change",
    [
        {"change": "amend", "id": "gone", "set": {"to": "Rome"}},
        {"change": "close", "id": "gone", "until": "2025"},
        {"change": "supersede", "id": "gone", "by": "gone-too"},
        {"change": "absorb", "note": "gone", "into": "gone-too"},
        {"change": "merge", "id": "gone", "into": "gone-too"},
        {"change": "note", "id": "n", "about": "gone", "text": "Something."},
        {"change": "rule", "id": "broken", "text": "def ("},
        {"change": "reshape", "collection": "gone", "to": "gone_too"},
    ],
)
def test_what_speaks_of_nothing_that_is_there_can_still_be_told(change: dict[str, Any]) -> None:
    told = plainly(parse({"source": [1], **change}), Workspace(), Workspace())
    assert "None" not in told
    assert ("gone" in told) != ("broken" in told)


def test_a_change_that_cannot_be_told_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "name", lambda record: 1 / 0)
    made = accept([TRIP], Workspace())
    told = "add lisbon (it cannot be told in words: ZeroDivisionError: division by zero)"
    assert plainly(made.changes[-1], Workspace(), made.workspace) == told
