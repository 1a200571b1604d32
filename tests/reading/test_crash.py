"""Exceptions that nobody foresaw: each hits the one thing that it is about, is a finding there, and stops nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from uac_nb import User
from uac_nb.changes import Workspace
from uac_nb.errors import Diagnostic, LogError, ModelError, ProjectError
from uac_nb.model import FakeModel, Request
from uac_nb.reading import by_model as reading
from uac_nb.reading import by_patterns

TOLD = ["Flying to Lisbon on 10 March.", "My cat is called Boom.", "I'm allergic to penicillin.", "Boom again."]
ALLERGY = {
    "change": "add", "collection": "allergies", "id": "penicillin",
    "values": {"title": "penicillin allergy", "avoids": ["penicillin"]},
}  # fmt: skip
LONG = "x" * 6000  # so that each entry is a batch of its own


def crashes(found: Sequence[Diagnostic]) -> list[str]:
    return [each.where for each in found if each.code == "crash"]


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What the pattern reader raises, the first of it, on every message with a "Boom" in it."""
    errors: list[BaseException] = [ValueError("Boom!\nin two lines")]
    sound = by_patterns.changes_of

    def read(entries: Any, workspace: Workspace, table: Any) -> Any:
        if any("Boom" in entry.text for entry in entries):
            raise errors[0]
        return sound(entries, workspace, table)

    monkeypatch.setattr(by_patterns, "changes_of", read)
    return errors


def test_a_message_that_cannot_be_read_stays_unread_and_the_others_are_read(user: User, fails: Any) -> None:
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    done = user.checkpoint(reader="patterns")
    assert {change["id"] for change in done.changes if change["change"] == "add"} == {"lisbon-2025-03", "penicillin"}
    assert crashes(done.diagnostics) == ["entry 2", "entry 4"]
    assert [entry.id for entry in done.unread] == [2, 4]
    assert str(done.diagnostics[0]).startswith("entry 2: reading failed: ValueError: Boom! in two lines (")
    assert done.diagnostics[0].hint == "it stays unread, and the rest is read; please report it"


def test_it_is_looked_at_no_more_often_than_another_that_is_not_understood(user: User, fails: Any) -> None:
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    user.checkpoint(reader="patterns")
    assert crashes(user.checkpoint(reader="patterns").diagnostics) == []
    assert crashes(user.checkpoint(reader="patterns", again=True).diagnostics) == ["entry 2", "entry 4"]


def test_where_it_went_wrong_is_said(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uac_nb.reading.trial.accept", lambda *_, **__: 1 / 0)
    user.ingest(TOLD[0], at="2025-01-10")
    (found,) = user.checkpoint(reader="patterns").diagnostics
    assert "ZeroDivisionError: division by zero" in found.message
    assert "(reading/trial.py:" in found.message


@pytest.mark.parametrize("failure", [KeyboardInterrupt, SystemExit, MemoryError, LogError, ProjectError, ModelError, OSError])
def test_what_has_to_stop_stops(user: User, fails: list[BaseException], failure: type[BaseException]) -> None:
    fails[0] = failure("full")
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    with pytest.raises(ProjectError if failure is OSError else failure):  # a store says so of a disk
        user.checkpoint(reader="patterns")


@pytest.mark.parametrize("where", ["context", "read_changes", "half_lost"])
def test_a_batch_of_a_model_that_fails_is_left_unread_and_the_next_are_read(
    user: User, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Whether before it is sent or after it was paid for; what was paid stands in the ledger."""
    user.ingest([{"text": f"no. {n} {LONG}"} for n in (1, 2, 3)], at="2025-01-10")
    sound, calls = getattr(reading, where), [0]

    def second_fails(*given: Any) -> Any:
        calls[0] += 1
        if calls[0] == 2:
            raise KeyError("odd")
        return sound(*given)

    def answer(request: Request) -> str:
        return json.dumps({"changes": [{"change": "skip", "reason": "unclear", "source": list(request.entries)}]})

    monkeypatch.setattr(reading, where, second_fails)
    model = FakeModel(answer)
    done = user.checkpoint(reader=model)
    assert crashes(done.diagnostics) == ["entry 2"]
    assert user.coverage().looks == {(1, "scripted"): 1, (2, "scripted"): 1, (3, "scripted"): 1}
    assert [call.entries for call in user.calls()] == [request.entries for request in model.requests]
    assert crashes(user.checkpoint(reader=model).diagnostics) == []
    assert len(user.coverage().unread) == 0
