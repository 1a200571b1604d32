"""How far a checkpoint is, how long it may take, and what is kept when a person stops it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from uac_nb import User, verbs
from uac_nb.model import FakeModel, Reply, Request

LONG = "x" * 6000  # so that each entry is a batch of its own


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    with User.open("jess", tmp_path, today="2025-03-01") as opened:
        opened.ingest([{"text": f"{n} {LONG}"} for n in range(4)], at="2025-01-10")
        yield opened


def skips(request: Request) -> str:
    return json.dumps({"changes": [{"change": "skip", "reason": "unclear", "source": list(request.entries)}]})


def test_progress_says_what_is_done_what_it_took_and_about_how_long_it_takes_yet(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(verbs.checkpoint, "CLOCK", lambda: now[0])

    def answer(request: Request) -> Reply:
        now[0] += 60  # a minute a batch
        return Reply(text=skips(request), model="m", prompt_tokens=1_000, completion_tokens=200)

    steps: list[tuple[int, int, str]] = []
    user.checkpoint(reader=FakeModel(answer), on_progress=lambda *step: steps.append(step))
    assert steps == [
        (0, 4, "reading 1 entry"),
        (1, 4, "reading 1 entry, 1,200 tokens so far, about 3 minutes left"),
        (2, 4, "reading 1 entry, 2,400 tokens so far, about 2 minutes left"),
        (3, 4, "reading 1 entry, 3,600 tokens so far, about 1 minute left"),
        (4, 4, "running the rules"),
    ]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "about 5 seconds"),
        (33, "about 35 seconds"),
        (58, "about 1 minute"),
        (95, "about 2 minutes"),
        (3_590, "about 1 hour"),
        (3_900, "about 1 hour 5 minutes"),
        (7_300, "about 2 hours"),
    ],
)
def test_a_span_of_time_is_said_roughly(seconds: float, said: str) -> None:
    assert verbs.checkpoint.about(seconds) == said


@pytest.mark.parametrize(
    ("stop_at", "said"),
    [
        (
            1,
            "nothing was kept of the batch that was being read, and no word of the log is lost; checkpoint again to begin anew",
        ),
        (2, "1 of 4 batches is kept, whole; checkpoint again to go on from there"),
        (4, "3 of 4 batches are kept, whole; checkpoint again to go on from there"),
    ],
)
def test_an_interrupt_keeps_what_is_done_and_says_so(user: User, stop_at: int, said: str) -> None:
    def answer(request: Request) -> str:
        if request.entries == (stop_at,):
            raise KeyboardInterrupt
        return skips(request)

    with pytest.raises(KeyboardInterrupt) as stopped:
        user.checkpoint(reader=FakeModel(answer))
    assert str(stopped.value) == said
    assert user.coverage().counts["set aside"] == stop_at - 1
    model = FakeModel(skips)
    assert user.checkpoint(reader=model).coverage.counts["unread"] == 0
    assert [request.entries for request in model.requests] == [(id,) for id in range(stop_at, 5)]


def test_proposals_of_the_batches_before_an_interrupt_wait(user: User) -> None:
    def answer(request: Request) -> str:
        if request.entries != (1,):
            raise KeyboardInterrupt
        note = {"change": "note", "id": "long", "text": "Jess said a long thing.", "source": [1]}
        return json.dumps({"changes": [note]})

    with pytest.raises(KeyboardInterrupt):
        user.checkpoint(reader=FakeModel(answer), review="later")
    assert [w.proposal.told for w in user.waiting()] == ["New note: Jess said a long thing."]
