"""Checkpoints in the hands of a person: what they cost, caps, review, wishes to forget, batches that fail, looks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from uac_nb import User
from uac_nb.errors import ModelError, ReplyError
from uac_nb.model import Estimate, FakeModel, Reply, Request
from uac_nb.reading import Proposal

TOLD = ["Flying to Lisbon on 10 March.", "I'm allergic to penicillin.", "Odd weather!"]
TRIP: dict[str, Any] = {
    "change": "add", "collection": "trips", "id": "lisbon", "source": [1], "fact": "Jess flies to Lisbon on 10 March 2025.",
    "values": {"title": "trip to Lisbon", "to": "Lisbon", "departs": "2025-03-10"},
}  # fmt: skip
ALLERGY = {
    "change": "add", "collection": "allergies", "id": "penicillin", "source": [2],
    "values": {"title": "penicillin allergy", "avoids": ["penicillin"]},
}  # fmt: skip
SKIP = {"change": "skip", "reason": "small talk", "source": [3]}
LONG = "x" * 6000  # so that each entry is a batch of its own


def reply(*changes: dict[str, Any]) -> str:
    return json.dumps({"changes": changes})


def skips(request: Request) -> str:
    return reply({"change": "skip", "reason": "unclear", "source": list(request.entries)})


def tell(user: User, *texts: str) -> None:
    user.ingest([{"text": text} for text in texts or TOLD], at="2025-01-10")


def batches(user: User, count: int) -> None:
    tell(user, *(f"{n} {LONG}" for n in range(count)))


# --- cost ---


def test_what_is_about_to_be_sent_is_told_before(user: User) -> None:
    tell(user)
    model, seen = FakeModel([reply(TRIP, ALLERGY, SKIP)]), list[tuple[Estimate, int]]()
    user.checkpoint(reader=model, price="1/10", on_estimate=lambda estimate: seen.append((estimate, len(model.requests))))
    ((estimate, asked),) = seen
    assert (estimate.model, estimate.batches, estimate.entries, asked) == ("scripted", 1, 3, 0)
    assert estimate.sent > 1000
    assert estimate.cost == pytest.approx((estimate.sent + 10 * estimate.answered) / 1e6)


def test_a_no_to_the_estimate_sends_nothing(user: User) -> None:
    tell(user)
    model = FakeModel([])
    done = user.checkpoint(reader=model, on_estimate=lambda estimate: False)
    assert (model.requests, done.changes, done.coverage.counts["unread"]) == ([], (), 3)


def test_patterns_cost_nothing_and_are_not_estimated(user: User) -> None:
    tell(user)
    user.checkpoint(reader="patterns", on_estimate=lambda estimate: pytest.fail("estimated"))


def test_a_cap_stops_and_what_is_done_is_kept(user: User) -> None:
    batches(user, 3)
    model = FakeModel(skips)
    done = user.checkpoint(reader=model, max_tokens=2 * 6_500)
    assert 1 <= len(model.requests) < 3
    assert done.coverage.counts["set aside"] == len(model.requests)
    assert "would pass the cap (13,000 tokens" in str(done.diagnostics[-1])
    assert user.checkpoint(reader=FakeModel(skips)).coverage.counts["unread"] == 0


def test_a_cap_below_the_first_batch_sends_nothing_and_says_so(user: User) -> None:
    tell(user)
    done = user.checkpoint(reader=FakeModel([]), max_tokens=100)
    assert "would pass the cap (100 tokens, 0 tokens used); raise it to go on" in str(done.diagnostics[0])


def test_the_ledger_adds_up(user: User) -> None:
    tell(user)
    user.checkpoint(
        reader=FakeModel([Reply(text=reply(TRIP, ALLERGY, SKIP), model="m", prompt_tokens=1000, completion_tokens=100)])
    )
    assert [call.purpose for call in user.calls()] == ["structure"]
    assert user.cost().tokens == 1100
    assert user.cost().cost is None
    assert user.cost("1/10").cost == pytest.approx(0.002)


# --- batches that fail ---


@pytest.mark.parametrize("bad", ["no JSON at all", ReplyError("the model refused it")], ids=["unreadable", "refused"])
def test_one_bad_batch_does_not_fail_the_others(user: User, bad: str | ModelError) -> None:
    batches(user, 3)
    done = user.checkpoint(reader=FakeModel(lambda request: bad if request.entries == (2,) else skips(request)))
    assert done.coverage.counts == {"cited": 0, "noted": 0, "set aside": 2, "unread": 1}
    assert [entry.id for entry in done.unread] == [2]
    assert any("entries 2-2" in d.where for d in done.diagnostics)


def test_a_model_that_is_gone_stops_it_and_it_goes_on_from_there(user: User) -> None:
    batches(user, 3)
    down = FakeModel(lambda request: ModelError("down") if request.entries == (2,) else skips(request))
    assert user.checkpoint(reader=down).coverage.counts["unread"] == 2
    model = FakeModel(skips)
    assert user.checkpoint(reader=model).coverage.counts["unread"] == 0
    assert [request.entries for request in model.requests] == [(2,), (3,)]


def test_what_stays_unread_is_looked_at_three_times_unless_asked(user: User) -> None:
    tell(user, "Hm.")
    model = FakeModel(lambda request: reply())
    looks = []
    for _ in range(5):
        before = len(model.requests)
        user.checkpoint(reader=model)
        looks.append(len(model.requests) > before)
    assert looks == [True, True, True, False, False]
    user.checkpoint(reader=FakeModel(skips), again=True)
    assert user.coverage().counts["unread"] == 0


# --- review ---


def test_a_person_accepts_or_refuses_each_change(user: User) -> None:
    tell(user)
    seen: list[Proposal] = []

    def review(proposal: Proposal) -> bool:
        seen.append(proposal)
        return bool(proposal.change["id"] == "lisbon")

    done = user.checkpoint(reader=FakeModel([reply(TRIP, ALLERGY, SKIP)]), review=review)
    assert [p.change["id"] for p in seen] == ["lisbon", "penicillin"]
    assert [entry.text for entry in seen[0].entries] == [TOLD[0]]
    assert '+    Trip(id="lisbon"' in seen[0].diff
    assert user.domains == ["travel"]  # a type that was only for a refused record is not made
    assert [change["change"] for change in done.changes] == ["define", "add", "refuse", "skip"]
    assert done.coverage.fate[2] == "set aside: refused"


def test_a_refusal_lasts(user: User) -> None:
    tell(user)
    user.checkpoint(reader=FakeModel([reply(TRIP, ALLERGY, SKIP)]), review=lambda proposal: False)
    again = FakeModel([])
    user.checkpoint(reader=again)
    user.checkpoint(reader=again, again=True)
    assert again.requests == []
    user.rebuild()
    assert user.domains == []
    assert user.coverage().fate[1] == "set aside: refused"


def test_what_rests_on_a_refused_change_is_refused_with_it_unasked(user: User) -> None:
    tell(user)
    amend = {"change": "amend", "id": "lisbon", "set": {"purpose": "flying"}, "source": [1]}
    seen: list[str] = []

    def review(proposal: Proposal) -> bool:
        seen.append(proposal.change["change"])
        return False

    done = user.checkpoint(reader=FakeModel([reply(TRIP, amend, SKIP, ALLERGY)]), review=review)
    assert seen == ["add", "add"]
    assert [change["change"] for change in done.changes] == ["refuse", "refuse", "skip", "refuse"]


def test_true_asks_on_the_terminal(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(user)
    answers, asked = iter(["", "n"]), list[str]()

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return next(answers)

    monkeypatch.setattr("builtins.input", ask)
    user.checkpoint(reader=FakeModel([reply(TRIP, ALLERGY, SKIP)]), review=True)
    assert user.domains == ["travel"]
    assert TOLD[0] in asked[0]


# --- wishes to forget ---


def test_a_wish_to_forget_waits_for_the_person(user: User) -> None:
    tell(user, TOLD[0], "Please delete what I said about Lisbon from your memory.")
    wish = {"change": "forget", "entries": [1], "what": "the trip to Lisbon", "source": [2]}
    done = user.checkpoint(reader=FakeModel([reply(TRIP, wish)]))
    (pending,) = done.forgets
    assert (pending.entries, pending.what, pending.source) == ((1,), "the trip to Lisbon", (2,))
    assert str(pending) == ("asked to forget the trip to Lisbon (entries 1); nothing is deleted until you forget them")
    assert user.entry(1).text == TOLD[0]
    assert user.checkpoint(reader=FakeModel([])).forgets == (pending,)
    user.undo()
    assert user.checkpoint(reader=FakeModel([])).forgets == ()


# --- history of a value ---


def test_the_values_that_something_had_in_order(user: User) -> None:
    tell(user, "We used npm from 2019 to 2021, then yarn until 2023, and pnpm since. I drink tea.")
    values: list[tuple[str, dict[str, str]]] = [
        ("pnpm", {"since": "2023"}),
        ("npm", {"since": "2019", "until": "2021"}),
        ("yarn", {"since": "2021", "until": "2023"}),
    ]
    added: list[dict[str, Any]] = [
        {"change": "add", "collection": "favourites", "id": what, "source": [1],
         "values": {"of": "package manager", "what": what, "stance": "favourite", **more}}
        for what, more in values
    ]  # fmt: skip
    tea = {"change": "add", "collection": "favourites", "id": "tea", "values": {"of": "drink", "what": "tea"}, "source": [1]}
    user.checkpoint(reader=FakeModel([reply(*added, tea)]))
    assert [f.what for f in user.history_of("favourites", of="Package manager")] == ["npm", "yarn", "pnpm"]
    assert len(user.history_of("favourites")) == 4
