"""A review that waits: proposals stand in the log until a person answers, and answers last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.errors import UacError
from uac_nb.model import FakeModel, Request

TOLD = ["Flying to Lisbon on 10 March.", "I'm allergic to penicillin.", "Odd weather!"]
TRIP: dict[str, Any] = {
    "change": "add", "collection": "trips", "id": "lisbon", "source": [1], "fact": "Jess flies to Lisbon on 10 March 2025.",
    "values": {"title": "trip to Lisbon", "to": "Lisbon", "departs": "2025-03-10"},
}  # fmt: skip
PURPOSE = {"change": "amend", "id": "lisbon", "set": {"purpose": "flying"}, "source": [1]}
ALLERGY = {
    "change": "add", "collection": "allergies", "id": "penicillin", "source": [2],
    "values": {"title": "penicillin allergy", "avoids": ["penicillin"]},
}  # fmt: skip
SKIP = {"change": "skip", "reason": "small talk", "source": [3]}


def reply(*changes: dict[str, Any]) -> str:
    return json.dumps({"changes": changes})


def propose(user: User, *changes: dict[str, Any]) -> dict[str, int]:
    """Tell, read and leave everything waiting; the numbers of the proposals by what they do to which record."""
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    user.checkpoint(reader=FakeModel([reply(*changes)]), review="later")
    return numbers(user)


def numbers(user: User) -> dict[str, int]:
    return {f"{w.proposal.change['change']} {w.proposal.change['id']}": w.id for w in user.waiting()}


def test_a_proposal_waits_in_the_log_and_changes_nothing(user: User, tmp_path: Path) -> None:
    asked = propose(user, TRIP, ALLERGY, SKIP)
    assert list(asked) == ["add lisbon", "add penicillin"]
    assert user.domains == []
    assert user.coverage().counts == {"cited": 0, "noted": 0, "set aside": 1, "waiting": 2, "unread": 0}
    user.close()  # the kernel stops
    with User.open("jess", tmp_path) as again:
        assert numbers(again) == asked
        first = again.waiting()[0].proposal
        assert first.told == "New in trips: trip to Lisbon (to Lisbon; departs Monday, March 10, 2025)"
        assert [entry.text for entry in first.entries] == [TOLD[0]]
        assert '+    Trip(id="lisbon"' in first.diff


def test_what_waits_is_not_read_again(user: User) -> None:
    propose(user, TRIP, ALLERGY, SKIP)
    nobody = FakeModel([])
    user.checkpoint(reader=nobody, review="later")
    user.checkpoint(reader=nobody, again=True)
    assert nobody.requests == []
    assert len(user.waiting()) == 2


def test_what_is_accepted_is_made_and_the_rest_waits_on(user: User) -> None:
    asked = propose(user, TRIP, ALLERGY, SKIP)
    done = user.review(accept=[asked["add lisbon"]])
    assert [record.to for record in user.records("trips")] == ["Lisbon"]
    assert user.domains == ["travel"]  # a type that is only for what waits is not made
    assert [change["change"] for change in done.changes] == ["define", "add"]
    assert "+    Trip(" in done.diff
    assert list(numbers(user)) == ["add penicillin"]
    assert user.coverage().fate[1] == "cited"


def test_accepting_once_more_changes_nothing_and_says_so(user: User) -> None:
    number = propose(user, TRIP, SKIP)["add lisbon"]
    user.review(accept=[number])
    head = user.project.head
    done = user.review(accept=[number])
    assert done.changes == ()
    assert user.project.head == head
    assert str(done.diagnostics[0]) == f"#{number}: it was accepted before"


def test_a_refusal_lasts(user: User) -> None:
    asked = propose(user, TRIP, ALLERGY, SKIP)
    user.review(refuse=list(asked.values()))
    assert user.waiting() == ()
    assert user.coverage().fate[1] == "set aside: refused"
    nobody = FakeModel([])
    user.checkpoint(reader=nobody, again=True)
    user.rebuild()
    assert nobody.requests == []
    assert (user.domains, user.waiting()) == ([], ())


def test_what_rests_on_a_refused_one_is_refused_with_it(user: User) -> None:
    asked = propose(user, TRIP, PURPOSE, SKIP)
    done = user.review(refuse=[asked["add lisbon"]])
    assert user.waiting() == ()
    assert sum(change["change"] == "refuse" for change in done.changes) == 3  # the type, the trip, its purpose


def test_what_rests_on_one_that_waits_waits_too(user: User) -> None:
    asked = propose(user, TRIP, PURPOSE, SKIP)
    done = user.review(accept=[asked["amend lisbon"]])
    assert list(numbers(user)) == ["add lisbon", "amend lisbon"]
    assert str(done.diagnostics[0]) == "#7: it rests on #6, which waits (accept that too)"
    user.review(accept=list(asked.values()))
    assert [record.purpose for record in user.records("trips")] == ["flying"]


def test_a_refused_one_can_still_be_accepted(user: User) -> None:
    number = propose(user, TRIP, SKIP)["add lisbon"]
    user.review(never=[number])
    user.review(accept=[number])
    assert [record.to for record in user.records("trips")] == ["Lisbon"]


def test_an_undone_answer_is_asked_again(user: User) -> None:
    number = propose(user, TRIP, SKIP)["add lisbon"]
    user.review(accept=[number])
    user.undo()
    assert user.domains == []
    assert numbers(user) == {"add lisbon": number}
    assert user.coverage().fate[1] == "waiting"
    user.review(refuse=[number])
    user.undo()
    assert numbers(user) == {"add lisbon": number}


def test_undoing_the_reading_takes_its_proposals_back(user: User) -> None:
    propose(user, TRIP, SKIP)
    user.undo()
    assert user.waiting() == ()


@pytest.mark.parametrize("review", [False, "later"])
def test_what_is_refused_for_good_is_not_asked_when_it_is_said_again(user: User, review: Any) -> None:
    asked = propose(user, TRIP, ALLERGY, SKIP)
    user.review(accept=[asked["add lisbon"]], never=[asked["add penicillin"]])
    user.ingest("As I said, penicillin is bad for me.", at="2025-02-01")
    number = user.log.last
    again = {**ALLERGY, "source": [number], "values": {"title": "allergy to penicillin", "avoids": ["penicillin"]}}
    done = user.checkpoint(reader=FakeModel([reply(again)]), review=review)
    assert user.waiting() == ()
    assert user.domains == ["travel"]
    assert user.coverage().fate[number] == "set aside: refused"
    assert f"add penicillin: it was refused for good (#{asked['add penicillin']})" in str(done.diagnostics[0])


def test_what_is_refused_once_is_asked_when_it_is_said_again(user: User) -> None:
    user.review(refuse=[propose(user, ALLERGY, SKIP)["add penicillin"]])
    user.ingest("As I said, penicillin is bad for me.", at="2025-02-01")
    again = {**ALLERGY, "source": [user.log.last]}
    user.checkpoint(reader=FakeModel([reply(again)]), review="later")
    assert list(numbers(user)) == ["add penicillin"]


def test_a_later_batch_sees_what_waits(user: User) -> None:
    """Else a model would propose the same record twice, and the second could never be accepted."""
    propose(user, TRIP, SKIP)
    user.ingest("The Lisbon flight is for work.", at="2025-02-01")
    seen: list[Request] = []

    def answer(request: Request) -> str:
        seen.append(request)
        return reply({"change": "amend", "id": "lisbon", "set": {"purpose": "work"}, "source": list(request.entries)[-1:]})

    user.checkpoint(reader=FakeModel(answer), review="later")
    assert "lisbon" in str(seen[0].messages)
    assert list(numbers(user)) == ["add lisbon", "amend lisbon"]
    told = user.waiting()[1].proposal.told
    assert told == "Change trip to Lisbon: purpose work (new)"
    user.review(accept=list(numbers(user).values()))
    assert [record.purpose for record in user.records("trips")] == ["work"]


def test_what_no_longer_fits_says_why_and_waits(user: User) -> None:
    number = propose(user, TRIP, SKIP)["add lisbon"]
    user.ingest("I fly to Lisbon on 12 March.", at="2025-02-01")
    user.checkpoint(
        reader=FakeModel([reply({**TRIP, "source": [user.log.last], "values": {**TRIP["values"], "departs": "2025-03-12"}})])
    )
    (waits,) = user.waiting()
    assert "lisbon" in waits.clash
    done = user.review(accept=[number])
    assert waits.clash in str(done.diagnostics[0])
    assert len(user.waiting()) == 1
    user.review(refuse=[number])
    assert user.waiting() == ()
    assert len(user.records("trips")) == 1


def test_a_wrong_number_says_which_wait(user: User) -> None:
    asked = propose(user, TRIP, SKIP)
    with pytest.raises(UacError, match=rf"#1 is no proposed change; there are #{asked['add lisbon']}$"):
        user.review(accept=[1])
    with pytest.raises(UacError, match="is both accepted and refused"):
        user.review(accept=[asked["add lisbon"]], never=[asked["add lisbon"]])
    user.review(accept=[asked["add lisbon"]])
    with pytest.raises(UacError, match="was accepted before; take it back by an undo or an edit"):
        user.review(refuse=[asked["add lisbon"]])


def test_forgetting_words_takes_what_was_proposed_from_them(user: User) -> None:
    propose(user, TRIP, ALLERGY, SKIP)
    user.forget([2], yes=True)
    assert list(numbers(user)) == ["add lisbon"]
    left = [entry.text for entry in user.log.entries() if "class Allergy" not in entry.text]  # our own type, and its examples
    assert not any("penicillin" in text for text in left)


def test_forgetting_one_of_two_leaves_the_type_to_the_other(user: User) -> None:
    other = {
        "change": "add", "collection": "trips", "id": "rome", "source": [2],
        "values": {"title": "trip to Rome", "to": "Rome", "departs": "2025-05-03"},
    }  # fmt: skip
    user.ingest([{"text": TOLD[0]}, {"text": "Flying to Rome on 3 May."}], at="2025-01-10")
    user.checkpoint(reader=FakeModel([reply(TRIP, other)]), review="later")
    user.forget([1], yes=True)
    (rome,) = user.waiting()
    assert rome.clash == ""
    user.review(accept=[rome.id])
    assert [record.to for record in user.records("trips")] == ["Rome"]


def test_nobody_is_asked_about_what_makes_nothing(user: User) -> None:
    wish = {"change": "forget", "entries": [1], "what": "the trip", "source": [2]}
    propose(user, wish, SKIP)
    assert user.waiting() == ()
