"""The log in plain words: what changes did, from the records as they were then."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from uac_nb import User
from uac_nb.changes import Workspace
from uac_nb.cli.main import main
from uac_nb.log import Batch, Draft, Log
from uac_nb.starter import TYPES
from uac_nb.verbs.history import in_words, told

TRIP = {"title": "trip to Lisbon", "to": "Lisbon", "departs": "2025-03-10"}
STEPS: list[tuple[dict[str, Any], str]] = [
    (
        {"change": "add", "collection": "trips", "id": "lisbon", "source": [1], "values": TRIP},
        "New in trips: trip to Lisbon (to Lisbon; departs Monday, March 10, 2025) – from #1",
    ),
    (
        {"change": "amend", "id": "lisbon", "source": [1, 2], "set": {"departs": "2025-03-11"}},
        "Change trip to Lisbon: departs Tuesday, March 11, 2025 (was Monday, March 10, 2025) – from #1, #2",
    ),
    ({"change": "note", "id": "tall", "source": [2], "text": "Jess is tall."}, "New note: Jess is tall. – from #2"),
    ({"change": "skip", "reason": "small talk", "source": [2]}, "Set aside as small talk – from #2"),
    ({"change": "forget", "entries": [1], "what": "the trip", "source": [2]}, "Asked to forget the trip (#1) – from #2"),
    (
        {
            "change": "refuse",
            "source": [2],
            "proposed": {"change": "close", "id": "lisbon", "status": "cancelled", "source": [2]},
        },
        "Refused: No longer holds: trip to Lisbon – status cancelled (was booked) – from #2",
    ),
    (
        {
            "change": "refuse",
            "source": [2],
            "proposed": {"change": "close", "id": "rome", "status": "cancelled", "source": [2]},
        },
        "Refused: close rome – from #2",
    ),
]


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    with User.open("jess", tmp_path / "users") as user:
        user.ingest([{"text": "Flying to Lisbon."}, {"text": "hm"}], at="2025-01-10")
        yield user


def changed(log: Log, *changes: dict[str, Any]) -> None:
    drafts = tuple(Draft(kind="change", role="system", text=json.dumps(change)) for change in changes)
    log.store_batch(Batch(read=(1, 2), reader="patterns", changes=drafts))


def words(log: Log, kind: str) -> list[str]:
    return [words for _, words in in_words(log, log.entries(kinds=(kind,)))]


def test_each_change_is_told_as_of_then(user: User) -> None:
    trip = TYPES["trips"]
    define = {"change": "define", "domain": "travel", "collection": "trips", "text": trip.text, "source": [1]}
    changed(user.log, define, *(change for change, _ in STEPS))
    assert words(user.log, "change") == ["New kind of record in travel: trips – from #1", *(words for _, words in STEPS)]
    newest = user.log.chosen(kinds=("change",), limit=1)
    assert [words for _, words in in_words(user.log, newest.entries)] == [STEPS[-1][1]]


def test_what_people_did(user: User) -> None:
    user.ingest("I'm allergic to penicillin.", at="2025-01-10")
    user.checkpoint(today="2025-01-11")
    source = user.source("health")
    user.edit("health", source.text.replace('"penicillin allergy"', '"drug allergy"'), source.base)
    user.undo()
    user.undo()
    user.forget([2], "not mine", yes=True)
    assert words(user.log, "edit") == ["Edit health.py by hand"]
    edit, batch = words(user.log, "undo")
    assert edit.startswith("Undo the edit of entry ")
    assert edit.endswith(": health.py")
    assert batch == "Undo batch 1: New in trips: trip to Lisbon (to Lisbon; country PT) – from #1, and 1 more"
    (forgotten,) = words(user.log, "forget")
    assert forgotten.startswith("Forgot #2")
    assert forgotten.endswith(": not mine")
    assert words(user.log, "message")[1] == "(forgotten)"
    assert words(user.log, "fact")[-1] == "The user is allergic to penicillin."


def test_changes_are_told_one_after_the_other() -> None:
    trip = TYPES["trips"]
    define = {"change": "define", "domain": "travel", "collection": "trips", "text": trip.text, "source": [1]}
    gone = {"change": "close", "id": "rome", "status": "cancelled", "source": [2]}
    changes = [define, *(change for change, _ in STEPS), gone]
    assert list(told(changes, Workspace())) == [
        (define, "New kind of record in travel: trips – from #1"),
        *STEPS,
        (gone, "close rome – from #2"),  # it does not fit, and nothing follows from it
    ]


def test_a_picture_without_words(user: User) -> None:
    user.ingest([{"text": "", "caption": "a dog"}], at="2025-01-11")
    assert words(user.log, "message")[-1] == "(picture: a dog)"


def test_events_of_alerts(user: User) -> None:
    raised = {"event": "raised", "key": "late:lisbon", "message": "Too late."}
    snoozed = {"event": "snoozed", "key": "late:lisbon", "until": "2025-02-01"}
    user.log.append([Draft(kind="alert", role="system", text="Too late.", data=raised), Draft(kind="alert", data=snoozed)])
    assert words(user.log, "alert") == ["raised: Too late.", "snoozed until 2025-02-01: late:lisbon"]


def test_nothing_in_the_log_steers_a_terminal(user: User, tmp_path: Path) -> None:
    user.ingest("one\ntwo \x1b[31mred\u202e", at="2025-01-11", speaker="A\x07nn")
    done = CliRunner().invoke(main, ["log", "jess", "--rows", "1", "--home", str(tmp_path / "users")])
    assert done.stdout == "     3 2025-01-11 message  A\\x07nn: one\\ntwo \\x1b[31mred\\u202e\n"
