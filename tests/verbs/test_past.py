"""Looking back: as said by then, as we knew it then, and one record down to its words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.errors import ProjectError, UacError
from uac_nb.model import FakeModel


def trip(id: str, source: int, departs: str) -> dict[str, Any]:
    values = {"title": f"trip {id}", "to": id.title(), "departs": departs}
    return {"change": "add", "collection": "trips", "id": id, "source": [source], "values": values}


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    """Three things said on three days, told to us the wrong way round, in two batches; then an edit and an amendment."""
    with User.open("jess", tmp_path, today="2025-06-01") as opened:
        told(opened, "Flying to Oslo on 5 May.", "2025-02-10", trip("oslo", 1, "2025-05-05"))
        told(opened, "Flying to Lisbon on 10 March.", "2025-01-10", trip("lisbon", 3, "2025-03-10"))
        amend = {"change": "amend", "id": "lisbon", "set": {"departs": "2025-03-11"}, "source": [5]}
        told(opened, "Lisbon is a day later now.", "2025-02-20", amend)
        yield opened


def told(user: User, text: str, at: str, change: dict[str, Any]) -> None:
    entry = user.ingest(text, at=at).entries[0].id
    change["source"] = [entry]
    user.checkpoint(reader=FakeModel([json.dumps({"changes": [change]})]))


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("2025-01-09", {}),
        ("2025-01-10", {"lisbon": "2025-03-10"}),
        ("2025-02-10", {"lisbon": "2025-03-10", "oslo": "2025-05-05"}),
        ("2025-02-20", {"lisbon": "2025-03-11", "oslo": "2025-05-05"}),
    ],
)
def test_as_said_by_a_day(user: User, day: str, expected: dict[str, str]) -> None:
    with user.at(day) as past:
        assert past.today == date.fromisoformat(day)
        assert {trip.id: trip.departs.text for trip in past.records("trips")} == expected


@pytest.mark.xfail(reason='trips that all lie ahead come out as "0, perhaps 2"')
def test_a_count_without_a_verb_counts_what_is_recorded(user: User) -> None:
    with user.at("2025-02-10") as past:
        assert past.ask("how many trips?").text == "2"


def test_the_past_can_be_asked_and_run(user: User) -> None:
    with user.at("2025-02-10") as past:
        assert past.run("sorted(t.id for t in trips if t.departs > today)") == ["lisbon", "oslo"]
        assert past.ask("how many trips did I take?").text == "0; 2 trips are recorded in all"
        assert past.alerts() == ()
    with user.at("2025-01-10") as past:
        assert past.ask("what did I say about Oslo in May?").channel == "unknown"  # nobody had said it


def test_the_words_of_the_past_can_be_asked(user: User) -> None:
    """Those that facts rest on too, and however many later words would come first."""
    change = trip("bergen", 0, "2025-05-09") | {"fact": "Jess takes the night train to Bergen."}
    told(user, "And on to Bergen on 9 May by night train.", "2025-02-11", change)
    for number in range(30):
        user.ingest(f"Bergen, Bergen: train {number}.", at="2025-04-01")
    with user.at("2025-02-11") as past:
        assert "night train" in past.ask("what did I say about the night train to Bergen?").text
        hits = past.log.search("Bergen train", 2)
        assert {hit.entry.text for hit in hits} == {
            "And on to Bergen on 9 May by night train.",
            "Jess takes the night train to Bergen.",
        }
        assert past.log.chosen(kinds=("message",), limit=1).total == 3
        spring = past.log.between(date(2025, 2, 1), date(2025, 5, 31))
        assert [e.text for e in spring if "Bergen" in e.text] == ["And on to Bergen on 9 May by night train."]
    with user.at("2025-02-10") as past:
        assert past.log.search("Bergen") == []
        assert past.ask("what did I say about the night train to Bergen?").channel == "unknown"


@pytest.mark.parametrize("day", ["2025-01-09", "2025-01-10", "2025-02-10", "2025-02-20", "2025-03-02", "2025-06-01"])
def test_a_commit_and_a_replay_come_to_the_same(user: User, day: str) -> None:
    """Words told in the order of time are a commit of then; the same words told in another order are gone through."""
    said = {"oslo": "2025-02-10", "lisbon": "2025-01-10", "rome": "2025-03-01", "faro": "2025-03-02", "bonn": "2025-03-03"}
    for id in ("rome", "faro", "bonn"):
        told(user, f"Flying to {id.title()} on 1 July.", said[id], trip(id, 0, "2025-07-01"))
    user.edit("travel", user.source("travel").text.replace("Oslo", "Bergen"))
    with user.at(day) as past:
        assert {trip.id for trip in past.records("trips")} == {id for id, when in said.items() if when <= day}


def test_nothing_is_written(user: User) -> None:
    entries, head = len(user.log), user.project.head
    with user.at("2025-02-10") as past:
        past.alerts()
        past.ask("how many trips?")
    with user.at(learned="2025-02-10") as past:
        past.records("trips")
    assert (len(user.log), user.project.head) == (entries, head)


def test_what_was_undone_was_not_said(user: User) -> None:
    user.undo()
    with user.at("2025-03-01") as past:
        assert {trip.id: trip.departs.text for trip in past.records("trips")} == {
            "oslo": "2025-05-05", "lisbon": "2025-03-10",
        }  # fmt: skip


def test_a_hand_edit_counts_from_its_day(user: User) -> None:
    source = user.source("travel")
    user.edit("travel", source.text.replace("Oslo", "Bergen"), source.base)
    today = datetime.now().astimezone().date()
    with user.at(today) as past:
        assert {trip.id: trip.to for trip in past.records("trips")} == {"oslo": "Bergen", "lisbon": "Lisbon"}
    with user.at("2025-03-01") as past:
        assert {trip.id: trip.to for trip in past.records("trips")} == {"oslo": "Oslo", "lisbon": "Lisbon"}


def test_an_edit_of_a_file_that_is_otherwise_then(user: User) -> None:
    """What is said of a later day is left out, so that the edit finds another text than it was made in."""
    told(user, "Next year to Rome.", "2099-01-01", trip("rome", 0, "2099-03-01"))
    source = user.source("travel")
    edited = source.text.replace("Oslo", "Bergen").replace("trip rome", "Rome at last")
    user.edit("travel", edited, source.base)
    with user.at(datetime.now().astimezone().date()) as past:
        found = {trip.id: trip.to for trip in past.records("trips")}
    assert found["oslo"] == "Bergen"
    assert found["lisbon"] == "Lisbon"


def test_as_we_had_learned_it(user: User) -> None:
    today = datetime.now().astimezone().date()
    with user.at(learned=today) as past:
        assert past.workspace.files() == user.workspace.files()
    with user.at(learned="2020-01-01") as past:
        assert past.records("trips") == []


def test_a_commit_says_which_entries_were_read(user: User) -> None:
    """Not those that it cites besides, from earlier on."""
    both = [user.ingest(text, at="2025-02-21").entries[0].id for text in ("Lisbon it is.", "Odd weather!")]
    first = next(trip for trip in user.records("trips") if trip.id == "lisbon").source[0]
    confirm = {"change": "confirm", "id": "lisbon", "source": [first, both[0]]}
    skip = {"change": "skip", "reason": "small talk", "source": [both[1]]}
    user.checkpoint(reader=FakeModel([json.dumps({"changes": [confirm, skip]})]))
    assert user.history()[0].message.startswith(f"Batch 4: 2 changes from 2 entries, {both[0]} to {both[1]}\n")


@pytest.mark.parametrize("days", [{}, {"day": "2025-01-01", "learned": "2025-01-01"}, {"day": "soon"}])
def test_one_day_has_to_be_said(user: User, days: dict[str, str]) -> None:
    with pytest.raises(UacError):
        user.at(**days)


def test_blame_goes_down_to_words_and_commits(user: User) -> None:
    source = user.source("travel")
    user.edit("travel", source.text.replace("trip lisbon", "trip to Lisbon"), source.base)
    blame = user.blame("lisbon")
    assert blame.record.title == "trip to Lisbon"
    path, _, line = blame.where.partition(":")
    assert path == "travel.py"
    record = "\n".join(user.source("travel").text.splitlines()[int(line) - 1 :]).partition("source=")[0]
    assert record.strip().startswith("Trip(")
    assert 'id="lisbon"' in record
    assert [entry.text for entry in blame.said] == ["Flying to Lisbon on 10 March.", "Lisbon is a day later now."]
    told_by = [t.entry.kind if t.entry.kind == "edit" else json.loads(t.entry.text)["change"] for t in blame.steps]
    assert told_by == ["add", "amend", "edit"]
    commits = [t.commit.id for t in blame.steps if t.commit]
    assert commits == [commit.id for commit in reversed(user.history())][1:]
    assert "Lisbon is a day later now." in str(blame)


def test_blame_of_what_is_gone_and_of_what_never_was(user: User) -> None:
    source = user.source("travel")
    lines = source.text.splitlines(keepends=True)
    user.edit("travel", "".join(line for line in lines if 'id="oslo"' not in line), source.base)
    blame = user.blame("oslo")
    assert blame.record is None
    assert [entry.text for entry in blame.said] == ["Flying to Oslo on 5 May."]
    assert [t.entry.kind for t in blame.steps] == ["change", "edit"]
    with pytest.raises(ProjectError, match="never was"):
        user.blame("rome")


def test_an_answer_of_the_past_tells_what_was_not_read_by_then(user: User) -> None:
    user.ingest("Lisbon is off, sadly.", at="2025-02-08")
    user.ingest("Lisbon, what a trip!", at="2025-02-20")
    with user.at("2025-02-10") as past:
        answer = past.ask("when do I fly to Lisbon?")
        assert answer.channel == "computed"
        assert "“Lisbon is off, sadly.”, which nobody has read" in answer.note
        assert "what a trip" not in answer.note
