"""Contradictions: two open records that say different things of one person and one subject never stand side by side."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from uac_nb.changes import Workspace, accept
from uac_nb.log import Entry
from uac_nb.reading.judge import Judge
from uac_nb.reading.trial import Trial

ENTRY = Entry(id=2, text="words", recorded_at=datetime(2024, 5, 1, tzinfo=UTC), said_at=date(2024, 5, 1))
TOOL = '''@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """What someone uses for something."""
    id: str
    who: str = "me"
    subject: str
    uses: str
    since: When | None = None
    until: When | None = None
    source: tuple[int, ...]
'''
DEFINE = {"change": "define", "domain": "tools", "collection": "tools", "text": TOOL, "source": [1]}


def add(collection: str, id: str, source: int = 2, why: str = "", **values: Any) -> dict[str, Any]:
    told = {"why": why} if why else {}
    return {"change": "add", "collection": collection, "id": id, "values": values, "source": [source], **told}


def tried(known: dict[str, Any], *changes: dict[str, Any]) -> Trial:
    done = accept([DEFINE, {**known, "source": [1]}], Workspace())
    assert not done.refused
    trial = Trial([ENTRY], done.workspace, Judge([ENTRY]))
    trial.take(changes)
    return trial


AUSTIN = add("residences", "austin", place="Austin")
BANKER = add("jobs", "banker", title="job as a banker")
JAZZ = add("favourites", "jazz", of="music", what="jazz", stance="favourite")
PIP = add("tools", "pip", subject="package manager", uses="pip")


@pytest.mark.parametrize(
    ("known", "new", "code"),
    [
        (AUSTIN, add("residences", "porto", place="Porto"), ""),  # one at a time: Austin ends with it
        (AUSTIN, add("residences", "again", place="austin"), ""),  # confirmed
        (AUSTIN, add("residences", "porto", place="Porto", who="ana"), ""),
        (AUSTIN, add("residences", "porto", place="Porto", until="2019"), ""),
        ({**AUSTIN, "values": {"place": "Austin", "until": "2020"}}, add("residences", "porto", place="Porto"), ""),
        (BANKER, add("jobs", "baker", title="job as a baker"), "contradicts"),
        (BANKER, add("jobs", "intern", title="internship", kind="internship"), ""),
        (BANKER, add("jobs", "baker", title="job as a baker", status="applied"), ""),
        (JAZZ, add("favourites", "rock", of="music", what="rock", stance="favourite"), ""),
        (PIP, add("tools", "again", subject="package manager", uses="PIP"), "repeats"),
        (JAZZ, add("favourites", "rock", of="music", what="rock"), ""),
        (JAZZ, add("favourites", "tea", of="drink", what="tea", stance="favourite"), ""),
        (JAZZ, add("favourites", "tea", what="tea", stance="favourite"), ""),
        (PIP, add("tools", "uv", subject="Package manager", uses="uv"), "contradicts"),
        (PIP, add("tools", "vim", subject="editor", uses="vim"), ""),
        (add("events", "a", title="a concert"), add("events", "b", title="another concert"), ""),
    ],
)
def test_a_second_open_record_that_says_otherwise_goes_back(known: dict[str, Any], new: dict[str, Any], code: str) -> None:
    trial = tried(known, new)
    assert [d.code for bad in trial.bad for d in bad.diagnostics] == ([code] if code else [])


def test_what_is_told_to_the_model() -> None:
    trial = tried(PIP, add("tools", "uv", subject="package manager", uses="uv"))
    assert str(trial.bad[0].diagnostics[0]) == (
        "$.id: pip (pip) says otherwise and is still open "
        "(close or supersede the old one, amend or append to it, or say in `why` that both hold)"
    )


def test_of_what_there_is_one_at_a_time_the_old_ends() -> None:
    trial = tried(AUSTIN, add("residences", "porto", place="Porto", since="2024-04"))
    assert [change.change for change in trial.accepted] == ["add", "supersede"]
    assert [str(r.until) for r in trial.workspace.records("residences")] == ["2024-04", "None"]


@pytest.mark.parametrize(
    "ending",
    [
        {"change": "close", "id": "austin", "until": "2024", "source": [2]},
        {"change": "supersede", "id": "austin", "by": "porto", "until": "2024", "source": [2]},
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_reply_that_ends_the_old_one_is_taken_in_any_order(ending: dict[str, Any], first: bool) -> None:
    porto = add("residences", "porto", place="Porto", since="2024")
    trial = tried(AUSTIN, *((ending, porto) if first else (porto, ending)))
    assert (trial.bad, trial.waiting) == ([], [])
    until = {record.id: record.until and record.until.text for record in trial.workspace.records("residences")}
    assert until == {"austin": "2024", "porto": None}


def test_both_may_hold_where_the_model_says_why_once_it_was_told() -> None:
    uv = add("tools", "uv", subject="package manager", uses="uv", why="'moved' said on 2024-05-01")
    trial = tried(PIP, uv)
    assert len(trial.workspace.records("tools")) == 1
    trial.take([{**uv, "why": "for scripts, they say"}])
    assert len(trial.workspace.records("tools")) == 2


def test_the_same_said_twice_is_never_added_whatever_the_why() -> None:
    trial = tried(PIP, add("tools", "again", subject="package manager", uses="pip", why="said again"))
    assert [d.code for bad in trial.bad for d in bad.diagnostics] == ["repeats"]


def test_of_what_there_is_one_at_a_time_the_same_said_twice_confirms() -> None:
    trial = tried(AUSTIN, add("residences", "again", place="Austin"))
    assert [(change.change, change.id) for change in trial.accepted] == [("confirm", "austin")]


def test_an_end_that_is_refused_leaves_no_two_side_by_side() -> None:
    wrong = {"change": "close", "id": "austin", "until": "some day", "source": [2]}
    trial = tried(AUSTIN, add("residences", "porto", place="Porto"), wrong)
    assert len([r for r in trial.workspace.records("residences") if r.until is None]) == 1


@pytest.mark.parametrize(
    ("collection", "values", "told"),
    [
        (
            "events",
            {"title": "a concert", "on": "2024-06-01"},
            "2024-06-01 lies after 2024-05-01, when it was said, and so it has",
        ),
        ("events", {"title": "a concert", "on": "2024-06", "status": "happened"}, "2024-06 lies after"),
        ("trips", {"title": "trip", "to": "Rome", "departs": "2024-05-02", "status": "done"}, "it has not been done"),
        ("trips", {"title": "trip", "to": "Rome", "departs": "2024-05-02", "status": "booked"}, ""),
        ("events", {"title": "a concert", "on": "2024-05-01"}, ""),
        ("events", {"title": "a concert", "on": "2024-05"}, ""),
        ("events", {"title": "a concert", "on": "2024-06-01", "status": "planned"}, ""),
        ("events", {"title": "a concert"}, ""),
    ],
)
def test_a_plan_has_not_happened(collection: str, values: dict[str, str], told: str) -> None:
    trial = tried(AUSTIN, add(collection, "x", **values))
    found = " | ".join(str(d) for bad in trial.bad for d in bad.diagnostics)
    assert told in found
    assert bool(found) is bool(told)


def test_an_amendment_may_not_make_it_happen_either() -> None:
    trial = tried(AUSTIN, add("events", "x", title="a concert", on="2024-06-01", status="planned"))
    trial.take([{"change": "amend", "id": "x", "set": {"status": "happened"}, "source": [2]}])
    assert [d.code for bad in trial.bad for d in bad.diagnostics] == ["plan"]
