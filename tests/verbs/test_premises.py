"""What is said of a record whose premise goes: in the checkpoint, the alerts, the tables, and after a forget."""

from __future__ import annotations

import json
from typing import Any

import pytest

from uac_nb import User
from uac_nb.changes import Workspace, accept
from uac_nb.model import FakeModel
from uac_nb.notebook.widgets import records
from uac_nb.notebook.widgets.page import as_text
from uac_nb.runtime import available

HEAD = "@dataclass(frozen=True, slots=True, kw_only=True)\n"
BAND = HEAD + 'class Band:\n    """A band."""\n    id: str\n    title: str\n    source: tuple[int, ...]\n'

TRIP = {
    "change": "add", "collection": "trips", "id": "lisbon", "source": [1],
    "values": {"title": "trip to Lisbon", "to": "Lisbon", "departs": "2025-03-10", "returns": "2025-03-17"},
}  # fmt: skip
DINNER = {
    "change": "add", "collection": "commitments", "id": "dinner", "source": [2],
    "values": {"title": "dinner with Ana", "on": "2025-03-12", "part_of": "lisbon"},
}  # fmt: skip
OFF = {"change": "close", "id": "lisbon", "status": "cancelled", "source": [3]}
STANDS = {"change": "confirm", "id": "dinner", "source": [4]}
TOLD = {
    1: "I fly to Lisbon on 10 March, back on the 17th.",
    2: "Dinner with Ana in Lisbon on the 12th.",
    3: "The trip is off.",
    4: "Dinner with Ana still stands, she comes here.",
}


def tell(user: User, *changes: dict[str, Any]) -> Any:
    """Tell what each change rests on, and have the changes read of it in one batch."""
    first = user.log.last + 1
    user.ingest([{"text": TOLD[change["source"][0]]} for change in changes], at="2025-02-20")
    cited = [{**change, "source": [first + n]} for n, change in enumerate(changes)]
    return user.checkpoint(reader=FakeModel([json.dumps({"changes": cited})]))


def test_a_premise_that_goes_is_told_by_the_checkpoint_the_table_and_an_alert(user: User) -> None:
    assert tell(user, TRIP, DINNER).diagnostics == ()
    checkpoint = tell(user, OFF)
    assert [c["change"] for c in checkpoint.changes] == ["close"]  # it takes nothing along
    assert [(d.code, d.message) for d in checkpoint.diagnostics] == [
        ("premise", "Your dinner with Ana is uncertain: it is part of your trip to Lisbon, which is cancelled"),
    ]
    assert checkpoint.diagnostics[0].where.startswith("schedule.py:")
    shown = as_text(records.tables(user.records("commitments"), user.standing()))
    assert "uncertain: it is part of your trip to Lisbon, which is cancelled" in " ".join(shown.split())
    if available().ok:
        assert [raised.alert.rule for raised in checkpoint.alerts] == ["rests_on_what_is_gone"]
    assert [d.code for d in user.checkpoint(reader="patterns").diagnostics] == []  # once


def test_what_is_said_to_stand_rests_on_it_no_more(user: User) -> None:
    tell(user, TRIP, DINNER)
    tell(user, OFF)
    changes = tell(user, STANDS).changes
    assert [c["change"] for c in changes] == ["amend", "confirm"]
    (dinner,) = user.records("commitments")
    assert (dinner.part_of, dinner.status, user.standing()) == (None, "agreed", {})


def test_a_confirmation_from_before_the_end_frees_nothing(user: User) -> None:
    tell(user, TRIP, DINNER)
    tell(user, STANDS)
    tell(user, OFF)
    assert set(user.standing()) == {"dinner"}


def test_after_a_forget_what_names_the_record_is_a_finding_and_uncertain(user: User) -> None:
    tell(user, TRIP, DINNER)
    user.forget([1], yes=True)
    assert [(d.code, d.message) for d in user.look().findings] == [
        (
            "premise-missing",
            "Your dinner with Ana is part of 'lisbon', of which there is no record, so it is uncertain",
        )
    ]
    assert user.standing()["dinner"].state == "uncertain"


def known() -> Workspace:
    define = {"change": "define", "domain": "music", "collection": "bands", "text": BAND, "doc": "Music.", "source": [1]}
    duo = {"change": "add", "collection": "bands", "id": "duo", "values": {"title": "the duo"}, "source": [1]}
    return accept([define, duo, TRIP], Workspace()).workspace


def test_any_record_can_rest_on_another() -> None:
    """A type that has no such field gets it by a change of its own, in front of the first that uses it."""
    values = {"title": "the trio", "rests_on": ["duo"], "if_gone": "ends"}
    done = accept([{"change": "add", "collection": "bands", "id": "trio", "values": values, "source": [2]}], known())
    assert done.refused == ()
    assert [change.change for change in done.changes] == ["extend", "add"]
    assert done.workspace.domains["music"].text.endswith(
        '    Band(id="trio", title="the trio", rests_on=("duo",), if_gone="ends", source=(2,)),\n]\n'
    )
    again = accept([{"change": "amend", "id": "duo", "append": {"rests_on": ["trio"]}, "source": [3]}], done.workspace)
    assert [change.change for change in again.changes] == ["amend"]


@pytest.mark.parametrize(
    ("premise", "message"),
    [("solo", "there is no record 'solo' for trio to rest on"), ("trio", "trio cannot rest on itself")],
)
def test_a_premise_has_to_be_there(premise: str, message: str) -> None:
    values = {"title": "the trio", "rests_on": [premise]}
    done = accept([{"change": "add", "collection": "bands", "id": "trio", "values": values, "source": [2]}], known())
    assert [d.message for refused in done.refused for d in refused.diagnostics] == [message]


def test_a_merge_moves_what_rests_on_the_record() -> None:
    rests = {"change": "amend", "id": "lisbon", "set": {"rests_on": ["duo"]}, "source": [2]}
    trio = {"change": "add", "collection": "bands", "id": "trio", "values": {"title": "the duo"}, "source": [2]}
    merge = {"change": "merge", "id": "duo", "into": "trio", "source": [3]}
    (trip,) = accept([rests, trio, merge], known()).workspace.records("trips")
    assert trip.rests_on == ("trio",)
