"""What becomes of messages that are read in part: they count as unread until a reader makes something of the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest

from uac_nb import User
from uac_nb.model import FakeModel

TOLD = "I'm allergic to latex. My brother grows tulips."
TULIPS: dict[str, Any] = {
    "change": "add", "collection": "practices", "id": "tulips", "source": [1],
    "values": {"title": "growing tulips", "who": "brother"}, "fact": "The user's brother grows tulips.",
}  # fmt: skip
BROTHER = {
    "change": "add", "collection": "people", "id": "brother", "source": [1],
    "values": {"name": "brother", "relation": "brother"},
}  # fmt: skip
UNCLEAR = {"change": "skip", "reason": "unclear", "source": [1]}
REPEATED = {"change": "skip", "reason": "repetition", "source": [1]}


def model(*changes: dict[str, Any]) -> FakeModel:
    return FakeModel([json.dumps({"changes": changes})] * 9)


def test_a_message_read_in_part_says_so_and_counts_as_unread(user: User) -> None:
    user.ingest(TOLD, at="2025-01-10")
    done = user.checkpoint()
    assert str(done.coverage) == "1 message: 0 cited, 0 noted, 1 partly read, 0 set aside, 0 unread"
    assert "1 message: 1 partly read" in repr(done)
    assert (done.coverage.unread, done.coverage.partly, [e.text for e in done.unread]) == ((1,), (1,), [TOLD])
    assert [allergy.avoids for allergy in user.workspace.records("allergies")] == [("latex",)]


def test_the_same_reader_does_not_look_again_and_another_does(user: User) -> None:
    user.ingest(TOLD, at="2025-01-10")
    user.checkpoint()
    assert (user.coverage().due("patterns"), user.coverage().due("patterns", again=True)) == ((), (1,))
    assert user.coverage().due("a model") == (1,)


@pytest.mark.parametrize(
    ("changes", "fate"),
    [
        pytest.param((BROTHER, TULIPS), "cited", id="read"),
        pytest.param((BROTHER, TULIPS, UNCLEAR), "partly", id="read in part again"),
        pytest.param((REPEATED,), "cited", id="nothing more in it"),
        pytest.param((UNCLEAR,), "partly", id="not understood"),
        pytest.param((), "partly", id="passed over"),
    ],
)
def test_the_last_who_says_something_of_it_decides(user: User, changes: tuple[dict[str, Any], ...], fate: str) -> None:
    user.ingest(TOLD, at="2025-01-10")
    user.checkpoint()
    user.checkpoint(reader=model(*changes))
    assert user.coverage().fate[1] == fate
    assert user.coverage().unread == ((1,) if fate == "partly" else ())


def test_what_waits_is_waiting_and_partly_read_once_it_is_accepted(user: User) -> None:
    user.ingest(TOLD, at="2025-01-10")
    assert user.checkpoint(review="later").coverage.fate[1] == "waiting"
    user.review(accept=[waiting.id for waiting in user.waiting()])
    assert user.coverage().fate[1] == "partly"


def test_undone_it_is_set_aside(user: User) -> None:
    user.ingest(TOLD, at="2025-01-10")
    user.checkpoint()
    user.undo()
    assert user.coverage().fate[1] == "set aside: undone"
    assert user.checkpoint(again=True).coverage.fate[1] == "partly"
