"""Forgetting a user's words: gone from every byte of the folder, what others said stays, and a kill leaves no half."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.errors import LogError, ProjectError
from uac_nb.model import FakeModel, Reply
from uac_nb.verbs.forget import merged

SECRET = "xanthochroid"
TOLD = [
    "Flying to Lisbon on 10 March.",
    f"I'm allergic to {SECRET} syrup.",
    "Nuts make me ill, too.",
    "The flight is with Ann.",
]


def add(collection: str, id: str, source: list[int], values: dict[str, Any], fact: str) -> dict[str, Any]:
    return {"change": "add", "collection": collection, "id": id, "source": source, "fact": fact, "values": values}


TRIP = add(
    "trips", "lisbon", [1], {"title": "trip to Lisbon", "to": "Lisbon", "departs": "2025-03-10"}, "Jess flies to Lisbon."
)
SYRUP = add("allergies", SECRET, [2], {"title": f"{SECRET} allergy", "avoids": [SECRET]}, f"Jess is allergic to {SECRET}.")
NUTS = add("allergies", "nuts", [3], {"title": "nut allergy", "avoids": ["nuts"]}, "Jess is allergic to nuts.")
WITH = {"change": "amend", "id": "lisbon", "source": [4, 2], "append": {"others": ["ann"]}, "fact": "Ann flies with Jess."}


def reply(*changes: dict[str, Any]) -> str:
    return json.dumps({"changes": changes})


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    with User.open("jess", tmp_path, today="2025-03-01") as opened:
        opened.ingest([{"text": text} for text in TOLD], at="2025-01-10", session="s")
        opened.checkpoint(reader=FakeModel([reply(TRIP, SYRUP, NUTS, WITH)]))
        yield opened


@pytest.fixture
def holds(every_byte: Callable[[Path], bytes]) -> Callable[[Path], bool]:
    return lambda folder: SECRET[:7].encode() in every_byte(folder)


def forget(user: User, what: Any = (2,)) -> Any:
    return user.forget(what, "asked to", yes=True)


def test_no_byte_of_it_is_left_in_the_folder(
    user: User, every_byte: Callable[[Path], bytes], holds: Callable[[Path], bool]
) -> None:
    (user.folder / ".cache").mkdir()
    (user.folder / ".cache" / "parsed.json").write_text(SECRET)
    user.rebuild()  # which keeps the old folder beside the new one
    assert every_byte(user.folder).count(SECRET.encode()) > 20, "the search itself has to work"
    done = forget(user)
    assert not holds(user.folder)
    assert user.log.verify() is None
    assert [e.text for e in user.log.entries(kinds=("message",))] == [TOLD[0], "", TOLD[2], TOLD[3]]
    assert (len(done.going.facts), len(done.done.calls), done.going.records) == (2, 1, (SECRET,))


def test_what_rests_on_other_words_stays(user: User) -> None:
    forget(user)
    assert [r.id for r in user.records("allergies")] == ["nuts"], (
        "the type came with the forgotten entry, but is nobody's words"
    )
    assert [r.id for r in user.records("trips")] == ["lisbon"]
    assert [hit.entry.text for hit in user.log.search("nuts", k=2)] == ["Jess is allergic to nuts.", TOLD[2]]


def test_a_change_that_rests_on_it_in_part_goes_whole_and_is_read_anew(user: User) -> None:
    done = forget(user)
    assert user.records("trips")[0].others == ()
    assert done.going.unread == (4,)
    assert user.coverage().unread == (4,)
    asked = FakeModel([reply({**WITH, "source": [4]})])
    user.checkpoint(reader=asked)
    assert len(asked.requests) == 1
    assert user.records("trips")[0].others == ("ann",)
    assert [e.text for e in user.log.entries(kinds=("fact",)) if e.text].count("Ann flies with Jess.") == 1


def test_a_change_that_no_longer_applies_goes_too(user: User) -> None:
    done = forget(user, [1])
    assert user.records("trips") == []
    assert done.going.records == ("lisbon",)
    assert user.coverage().unread == (4,), "it told of a companion on a trip that is gone"


def test_by_its_text(user: User, holds: Callable[[Path], bool]) -> None:
    assert [e.id for e in user.would_forget(f"{SECRET}  SYRUP").said] == [2]
    forget(user, SECRET.upper())
    assert not holds(user.folder)


@pytest.mark.parametrize("what", [[99], "no such words", "", []])
def test_what_is_not_there_cannot_be_forgotten(user: User, what: Any) -> None:
    before = len(user.log)
    with pytest.raises(LogError):
        forget(user, what)
    assert len(user.log) == before


def test_it_asks_first(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    for no in (lambda going: seen.append(str(going)), lambda going: False):
        done = user.forget([2], yes=no)
        assert (done.done, str(done)) == (None, "nothing was forgotten")
    assert SECRET in seen[0]
    assert "records that go: " + SECRET in seen[0]
    monkeypatch.setattr("builtins.input", lambda question: "n")
    assert user.forget([2]).done is None
    assert user.records("allergies")[0].id == SECRET
    monkeypatch.setattr("builtins.input", lambda question: "y")
    assert user.forget([2]).done is not None


def test_it_says_where_it_cannot_reach(user: User) -> None:
    (user.folder / "notes.txt").write_text(f"about {SECRET}")
    beyond = forget(user).beyond
    assert "notes.txt, which holds them and is not ours to change" in beyond
    assert any(place.startswith("the provider of ") for place in beyond)
    assert any("backups" in place for place in beyond)
    assert not any(place.startswith("project/") for place in beyond)


@pytest.mark.parametrize(("recorded", "tokens"), [(False, 1100), (True, 0)])
def test_what_was_spent_on_it_stays_spent(tmp_path: Path, recorded: bool, tokens: int) -> None:
    """The words of a call go, its tokens do not: they are paid for. On a recorded reply nothing was spent, before or after."""
    answer = Reply(text=reply(SYRUP), prompt_tokens=1000, completion_tokens=100, recorded=recorded)
    with User.open("jess", tmp_path) as user:
        user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
        user.checkpoint(reader=FakeModel([answer]), today="2025-03-01")
        assert user.cost().tokens == tokens
        assert len(forget(user).done.calls) == 1
        assert user.cost("1/10").tokens == tokens
        assert [call.reply for call in user.calls()] == [""]


# --- hand edits ---


def by_hand(user: User, *swaps: tuple[str, str]) -> None:
    domain = next(name for name in user.domains if swaps[0][0] in user.source(name).text)
    text = user.source(domain).text
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new)
    user.edit(domain, text)


def test_an_edit_of_another_line_is_kept(user: User, holds: Callable[[Path], bool]) -> None:
    by_hand(user, ("nut allergy", "allergy to nuts"))
    forget(user)
    assert user.records("allergies")[0].title == "allergy to nuts"
    assert not holds(user.folder)
    files, commits = user.workspace.files(), [c.id for c in user.history()]
    user.rebuild()
    assert (user.workspace.files(), [c.id for c in user.history()]) == (files, commits), "replayed from the log alone"


def test_an_edit_of_a_record_that_is_gone_goes_with_it(user: User, holds: Callable[[Path], bool]) -> None:
    by_hand(user, (f"{SECRET} allergy", f"bad {SECRET} allergy"))
    edit = user.log.last
    done = forget(user)
    assert done.going.edits == (edit,)
    assert user.log.entry(edit).forgotten
    assert not holds(user.folder)


def test_of_one_edit_the_written_words_go_and_the_rest_stays(user: User, holds: Callable[[Path], bool]) -> None:
    by_hand(
        user,
        (f"{SECRET} allergy", f"bad {SECRET} allergy"),
        ("nut allergy", "allergy to nuts"),
        ("# --- state", f"# {SECRET}!\n\n# --- state"),
    )
    forget(user)
    assert user.records("allergies")[0].title == "allergy to nuts"
    assert not holds(user.folder)


def test_forgetting_again_takes_what_stands_for_an_edit(user: User, every_byte: Callable[[Path], bytes]) -> None:
    by_hand(user, ("nut allergy", "quetzal allergy"))
    forget(user)
    assert b"quetzal" in every_byte(user.folder)
    forget(user, "nuts")
    assert b"quetzal" not in every_byte(user.folder)
    assert user.records("allergies") == []
    assert user.log.verify() is None


def test_an_edit_that_is_named_goes(user: User, every_byte: Callable[[Path], bytes]) -> None:
    by_hand(user, ("nut allergy", "quetzal allergy"))
    forget(user, [user.log.last])
    assert b"quetzal" not in every_byte(user.folder)
    assert [r.title for r in user.records("allergies")][-1] == "nut allergy"


def test_an_edit_that_cannot_be_read_stops_a_forget(user: User, holds: Callable[[Path], bool]) -> None:
    file = user.folder / "project" / "health.py"
    file.write_text(file.read_text() + "\n)")
    with pytest.raises(ProjectError, match=r"health\.py has edits that cannot be read"):
        forget(user)
    assert holds(user.folder)


# --- undo ---


def test_an_undo_still_takes_back_what_it_took_back(user: User) -> None:
    by_hand(user, (f"{SECRET} allergy", f"bad {SECRET} allergy"))
    user.undo()
    by_hand(user, ("nut allergy", "allergy to nuts"))
    forget(user)
    assert user.records("allergies")[0].title == "allergy to nuts"
    user.undo()
    assert user.records("allergies")[0].title == "nut allergy"
    user.undo()
    assert user.workspace.files() == {}
    with pytest.raises(ProjectError, match="nothing to undo"):
        user.undo()


def test_a_batch_undone_before_is_forgotten_with_its_undo(user: User, holds: Callable[[Path], bool]) -> None:
    user.undo()
    forget(user)
    assert user.workspace.files() == {}
    assert not holds(user.folder)


# --- alerts ---


def test_events_of_its_alerts_go(tmp_path: Path, holds: Callable[[Path], bool]) -> None:
    with User.open("ana", tmp_path) as user:
        user.ingest([{"text": f"I'm allergic to {SECRET}."}, {"text": "Started a syrup."}], at=date.today())
        medicine = add("medicines", "syrup", [2], {"title": "syrup", "substance": SECRET}, "Ana takes a syrup.")
        user.checkpoint(reader=FakeModel([reply({**SYRUP, "source": [1]}, medicine)]))
        assert [r.alert.rule for r in user.alerts()] == ["medicine_against_allergy"]
        user.acknowledge(user.alerts()[0].key)
        done = user.forget([1], yes=True)
        assert len(done.going.alerts) == 2
        assert not holds(user.folder)
        assert user.alerts() == ()
        assert not holds(user.folder), "it is not told as resolved"


# --- the merge ---


@pytest.mark.parametrize(
    ("before", "after", "now", "merge"),
    [
        ("a b c", "a B c", "a b c", "a B c"),
        ("a b c", "a B c", "a c", "a c"),
        ("a b c", "a b C", "b c", "b C"),
        ("a b c", "a x b c", "b c", "x b c"),
        ("a b c", "a b c x", "a b", "a b x"),
        ("a b c", "a c", "b c d", "c d"),
        ("a b c", "A B C", "a c", "A C"),
        ("a b", "a bad b", "a b", "a b"),
        ("", "a bad b", "", "a b"),
        ("a b", "a x b", "", ""),
    ],
)
def test_merge(before: str, after: str, now: str, merge: str) -> None:
    before, after, now = ("".join(f"{word}\n" for word in text.split()) for text in (before, after, now))
    assert merged(before, after, now, lambda line: "bad" not in line).split() == merge.split()


# --- others ---


def test_another_process_that_has_it_open_goes_on_with_the_new_project(user: User) -> None:
    with User.open("jess", user.folder.parent, today="2025-03-01") as other:
        assert other.records("allergies")[0].id == SECRET
        forget(user)
        assert [r.id for r in other.records("allergies")] == ["nuts"]
        other.edit("health", other.source("health").text.replace("nut allergy", "allergy to nuts"))
        assert other.records("allergies")[0].title == "allergy to nuts"
    assert user.records("allergies")[0].title == "allergy to nuts"
