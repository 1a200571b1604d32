"""The façade: telling, checkpointing, asking, correcting, and what bad input gets."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.errors import CheckError, LogError, ModelError, ProjectError, UacError
from uac_nb.model import FakeModel

TRIP = {
    "change": "add", "collection": "trips", "id": "lisbon", "source": [1], "fact": "Jess flies to Lisbon on 10 March 2025.",
    "values": {"title": "trip to Lisbon", "to": "Lisbon", "country": "PT", "departs": "2025-03-10", "returns": "2025-03-17"},
}  # fmt: skip
ALLERGY = {
    "change": "add", "collection": "allergies", "id": "penicillin", "source": [2],
    "values": {"title": "penicillin allergy", "avoids": ["penicillin"]},
}  # fmt: skip
SKIP = {"change": "skip", "reason": "small talk", "source": [3]}
TOLD = ["Flying to Lisbon on 10 March, back on the 17th.", "I'm allergic to penicillin.", "Odd weather!"]


def reply(*changes: dict[str, Any]) -> str:
    return json.dumps({"changes": changes})


def told(user: User, *changes: dict[str, Any]) -> User:
    """A user who was told `TOLD`, read by a model that says `changes` (by default: all that there is)."""
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    user.checkpoint(reader=FakeModel([reply(*(changes or (TRIP, ALLERGY, SKIP)))]))
    return user


# --- the chain ---


def test_what_a_checkpoint_and_an_undo_came_to_is_one_short_line(user: User) -> None:
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    done = user.checkpoint(reader=FakeModel([reply(TRIP, ALLERGY, SKIP)]))
    counts = "3 messages: 2 cited, 1 set aside"
    assert repr(done) == f"<Checkpoint: 5 changes in health, travel by scripted; {counts}; 0 alerts>"
    undone = user.undo()
    assert repr(undone) == "<Undone: batch 1; 5 changes; 3 messages set aside>"
    assert (undone.aside, undone.head) == ((1, 2, 3), user.history()[0])
    assert str(undone).splitlines()[0] == "took back batch 1:"
    assert "  New in trips: trip to Lisbon (to Lisbon; country PT; " in str(undone)
    again = user.checkpoint(reader=FakeModel([]))
    assert (again.undone, again.diff) == ((1, 2, 3), "")
    assert repr(again).startswith("<Checkpoint: 0 changes by ")


def test_an_undo_of_much_tells_the_first_and_how_much(user: User, stored: Callable[..., None]) -> None:
    notes = [{"change": "note", "id": f"n{n}", "source": [1], "text": f"Note {n}."} for n in range(14)]
    user.ingest("A lot.", at="2025-01-10")
    stored(user, *notes)
    lines = str(user.undo()).splitlines()
    assert lines[10:] == ["  New note: Note 9. – from #1", "  … 10 of 14 told"]


def test_an_undo_of_an_edit_sets_no_message_aside(user: User) -> None:
    user.edit("rules", "X = 1\n")
    undone = user.undo()
    assert (undone.told, undone.aside, "-X = 1" in undone.diff) == (("Edit rules.py by hand",), (), True)


def test_words_become_code_that_can_be_asked(user: User) -> None:
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    done = user.checkpoint(reader=FakeModel([reply(TRIP, ALLERGY, SKIP)]))
    assert done.domains == ("health", "travel")
    assert "+trips: list[Trip] = [" in done.diff
    assert done.coverage.counts == {"cited": 2, "noted": 0, "set aside": 1, "unread": 0}
    assert user.run("[t.to for t in trips]") == ["Lisbon"]
    assert user.records("allergies")[0].avoids == ("penicillin",)
    assert user.frame("trips").loc["lisbon", "to"] == "Lisbon"


def test_facts_are_logged_with_their_source(user: User) -> None:
    facts = list(told(user).log.entries(kinds=("fact",)))
    assert [(f.text, f.data["source"]) for f in facts] == [("Jess flies to Lisbon on 10 March 2025.", [1])]


def test_a_second_checkpoint_reads_only_what_is_new(user: User) -> None:
    told(user)
    model = FakeModel([])  # would raise when asked
    again = user.checkpoint(reader=model)
    assert (again.changes, again.diff, model.requests) == ((), "", [])


def test_an_alert_that_nobody_asked_for(user: User) -> None:
    told(user)
    new = user.ingest("Started amoxicillin 500 mg today.", at="2025-02-27").entries[0]
    medicine = {
        "change": "add", "collection": "medicines", "id": "amoxicillin", "source": [new.id],
        "values": {"title": "amoxicillin 500 mg", "substance": "amoxicillin", "since": "2025-02-27"},
    }  # fmt: skip
    done = user.checkpoint(reader=FakeModel([reply(medicine)]))
    alert = next(r.alert for r in done.alerts if r.alert.rule == "medicine_against_allergy")
    assert alert.severity == "critical"
    assert set(alert.evidence) == {2, new.id}


def test_what_a_model_gets_wrong_is_shown_and_the_rest_is_kept(user: User) -> None:
    bad = {**TRIP, "values": {"to": "Lisbon"}}
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    done = user.checkpoint(reader=FakeModel([reply(bad, ALLERGY, SKIP)] * 3))
    assert user.workspace.find("penicillin") is not None
    assert user.workspace.find("lisbon") is None
    assert any("Trip needs" in str(d) for d in done.diagnostics)
    assert [e.text for e in done.unread] == [TOLD[0]]


# --- telling ---


def test_a_dated_text_told_again_adds_nothing(user: User) -> None:
    first = user.ingest(TOLD[0], at="2025-01-10")
    again = user.ingest(TOLD[0], at="2025-01-10")
    assert ([e.id for e in first.entries], list(again.entries), again.known) == ([1], [], (1,))
    assert len(user.ingest(TOLD[0], at="2025-01-10", again=True).entries) == 1


def test_speakers_are_kept_and_the_user_is_named_by_me(user: User) -> None:
    messages = [{"text": "Hi!", "speaker": "Gina", "at": "2023-01-20T16:04"}, {"text": "Hey.", "speaker": "Jon"}]
    entries = user.ingest(messages, me="Jon", session="1").entries
    assert [(e.speaker, e.role, e.session) for e in entries] == [("Gina", "person", "1"), ("Jon", "user", "1")]
    assert str(entries[0].said_at) == "2023-01-20 16:04:00"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda u: u.ingest(""), "the message is empty"),
        (lambda u: u.ingest("x", at="soon"), "'soon' is not a date that can be read; write 2025-01-10"),
        (lambda u: u.ingest([{"text": "fine"}, {"text": " "}]), "the message is empty"),
        (lambda u: u.ingest([{"txt": "x"}]), "a message has no txt; it has text"),
        (lambda u: u.ingest([{"speaker": "ana"}]), "a message needs its text; it has speaker"),
    ],
)
def test_bad_words_are_refused_and_nothing_is_added(user: User, call: Any, words: str) -> None:
    with pytest.raises(LogError, match=words):
        call(user)
    assert len(user.log) == 0


# --- correcting ---


def test_an_edit_is_checked_logged_and_committed(user: User) -> None:
    told(user)
    source = user.source("travel")
    done = user.edit("travel", source.text.replace('"Lisbon"', '"Porto"'), base=source.base)
    assert '-        to="Lisbon"' in done.diff
    assert user.run("trips[0].to") == "Porto"
    assert user.history()[0].message == "Edit travel.py by hand"


def test_a_record_that_a_person_adds_gets_the_edit_as_its_source(user: User) -> None:
    text = told(user).source("travel").text
    new = '    Trip(id="oslo", title="trip to Oslo", to="Oslo", departs=When("2024-05")),\n]'
    user.edit("travel", text.replace("\n]", f"\n{new}"))
    edit = next(user.log.entries(kinds=("edit",)))
    assert user.records("trips")[1].source == (edit.id,)


def test_what_a_person_wrote_is_not_overwritten_and_newer_words_wait_for_the_person(user: User) -> None:
    told(user)
    user.edit("travel", user.source("travel").text.replace('"Lisbon"', '"Porto"'))
    edit = next(user.log.entries(kinds=("edit",))).id
    assert user.records("trips")[0].source == (1, edit)
    new = user.ingest("I am flying to Lisbon after all.", at="2025-02-01").entries[0].id
    amend = {"change": "amend", "id": "lisbon", "set": {"to": "Lisbon"}, "source": [new]}
    model = FakeModel([reply(amend)] * 2)
    done = user.checkpoint(reader=model)
    assert user.run("trips[0].to") == "Porto"
    assert any("lisbon was written by hand" in str(d) and "answer it in a review" in str(d) for d in done.diagnostics)
    assert len(model.requests) == 1  # a model is not asked to argue with a person
    assert done.coverage.fate[new] == "waiting"
    (waits,) = user.waiting()
    user.review(accept=[waits.id])
    assert user.run("trips[0].to") == "Lisbon"


def test_newer_words_in_place_of_what_a_person_wrote_wait_whole(user: User) -> None:
    user.ingest("I live in Bergen.", at="2025-01-10")
    user.checkpoint(reader="patterns")
    user.edit("life", user.source("life").text.replace('"Bergen"', '"Sandviken"'))
    user.ingest("I live in Oslo now.", at="2025-02-01")
    done = user.checkpoint(reader="patterns")
    assert [home.place for home in user.records("residences")] == ["Sandviken"]
    assert done.coverage.counts["waiting"] == 1
    user.review(accept=[one.id for one in user.waiting()])
    assert [(home.place, bool(home.until)) for home in user.records("residences")] == [("Sandviken", True), ("Oslo", False)]


HOME = {"change": "add", "collection": "residences", "id": "oslo-home", "values": {"place": "Oslo"}}
MOVED = {"change": "supersede", "id": "bergen-home", "until": "2025-02", "by": "oslo-home"}
SINCE = {"change": "amend", "id": "oslo-home", "set": {"since": "2025-02"}}
ON = {"change": "add", "collection": "residences", "id": "molde-home", "values": {"place": "Molde"}}
MOVED_ON = {"change": "supersede", "id": "oslo-home", "until": "2025-02", "by": "molde-home"}


@pytest.mark.parametrize(
    ("changes", "homes"),
    [
        ([HOME, MOVED], ["Sandviken ended", "Oslo"]),
        ([MOVED, HOME], ["Sandviken ended", "Oslo"]),
        ([MOVED, HOME, SINCE], ["Sandviken ended", "Oslo since 2025-02"]),
        ([MOVED, MOVED_ON, ON, HOME], ["Sandviken ended", "Oslo ended", "Molde"]),
    ],
    ids=["add first", "add last", "more of it", "and on"],
)
def test_what_rests_on_a_waiting_change_waits_with_it(user: User, changes: list[dict[str, Any]], homes: list[str]) -> None:
    user.ingest("I live in Bergen.", at="2025-01-10")
    user.checkpoint(reader="patterns")
    (home,) = user.records("residences")
    user.edit("life", user.source("life").text.replace('"Bergen"', '"Sandviken"'))
    new = user.ingest("I moved home from Sandviken to Oslo in February 2025; no, on to Molde.", at="2025-02-20").entries[0].id
    named = [{**change, "source": [new], "id": home.id if change is MOVED else change["id"]} for change in changes]
    done = user.checkpoint(reader=FakeModel([reply(*named)] * 3))
    assert [str(found) for found in done.diagnostics if found.code == "pending"] == []
    assert [one.place for one in user.records("residences")] == ["Sandviken"]
    user.review(accept=[one.id for one in user.waiting()])
    assert user.waiting() == ()
    shown = [
        f"{h.place}{' ended' if h.until else ''}{f' since {h.since.text}' if h.since else ''}"
        for h in user.records("residences")
    ]
    assert sorted(shown) == sorted(homes)


def test_a_stale_cell_cannot_overwrite_newer_code(user: User) -> None:
    told(user)
    old = user.source("travel")
    user.edit("travel", old.text.replace('"Lisbon"', '"Porto"'))
    with pytest.raises(ProjectError, match=r"travel.py has changed since this was shown; nothing was saved"):
        user.edit("travel", old.text.replace('"Lisbon"', '"Faro"'), base=old.base)
    assert user.run("trips[0].to") == "Porto"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('to="Lisbon"', 'tu="Lisbon"', r"travel.py:\d+: Trip (needs 'to'|has no field 'tu').*and 1 more"),
        ('When("2025-03-10")', '"10 March"', r"travel.py:\d+"),
        ("trips: list[Trip] = [", "trips: list[Trip] = [[", r"travel.py:\d+"),
        ("from dataclasses import dataclass", "from dataclasses import dataclass\nimport os", r"travel.py:\d+.*os"),
    ],
)
def test_a_wrong_edit_is_refused_with_its_line(user: User, old: str, new: str, words: str) -> None:
    text = told(user).source("travel").text
    with pytest.raises(CheckError, match=words):
        user.edit("travel", text.replace(old, new, 1))
    assert user.source("travel").text == text


def test_a_file_changed_on_disk_is_taken_at_the_next_checkpoint(user: User) -> None:
    told(user)
    path = user.folder / "project" / "travel.py"
    path.write_text(path.read_text().replace('"Lisbon"', '"Porto"'))
    done = user.checkpoint()
    assert user.run("trips[0].to") == "Porto"
    assert (done.domains, '+        to="Porto",' in done.diff) == (("travel",), True)


def test_a_file_deleted_on_disk_takes_its_records_along_and_is_shown(user: User) -> None:
    told(user)
    (user.folder / "project" / "travel.py").unlink()
    assert '-        to="Lisbon",' in user.checkpoint().diff
    assert "trips" not in user.workspace.collections
    user.undo()
    assert user.run("trips[0].to") == "Lisbon"


def test_a_file_broken_on_disk_is_reported_kept_and_does_not_stop_the_rest(user: User) -> None:
    told(user)
    path = user.folder / "project" / "travel.py"
    good = path.read_text()
    broken = good.replace("trips: list[Trip] = [", "trips: list[Trip] = (")
    path.write_text(broken)
    done = user.checkpoint()
    assert any(d.where.startswith("travel.py:") and "the last commit still answers" in d.hint for d in done.diagnostics)
    assert user.run("trips[0].to") == "Lisbon"
    assert path.read_text() == broken
    user.rebuild()  # as the finding proposes
    assert path.read_text() == good
    assert user.checkpoint().diagnostics == ()


def test_undo_takes_back_the_last_step_and_sets_its_entries_aside(user: User) -> None:
    told(user)
    user.edit("travel", user.source("travel").text.replace('"Lisbon"', '"Porto"'))
    user.undo()
    assert user.run("trips[0].to") == "Lisbon"
    user.undo()
    assert user.domains == []
    assert user.coverage().counts["set aside"] == 3
    with pytest.raises(ProjectError, match="there is nothing to undo"):
        user.undo()
    read = FakeModel([reply(TRIP, ALLERGY, SKIP)] * 2)
    assert user.checkpoint(reader=read).changes == ()  # set aside, and looked at again only on request
    assert user.checkpoint(reader=read, again=True).coverage.counts["cited"] == 2


# --- the project is a view of the log ---


def test_rebuild_gives_the_same_files_and_commits(user: User) -> None:
    told(user)
    user.edit("travel", user.source("travel").text.replace('"Lisbon"', '"Porto"'))
    user.undo()
    files, commits = user.workspace.files(), [c.id for c in user.history()]
    user.rebuild()
    assert user.workspace.files() == files
    assert [c.id for c in user.history()] == commits


def test_a_deleted_project_is_made_again_at_the_next_opening(tmp_path: Path) -> None:
    import shutil

    with User.open("jess", tmp_path) as user:
        files = told(user).workspace.files()
    shutil.rmtree(tmp_path / "jess" / "project")
    with User.open("jess", tmp_path) as user:
        assert user.workspace.files() == files


def test_a_project_of_another_log_is_refused_with_the_remedy(tmp_path: Path) -> None:
    for name in ("jess", "ana"):
        with User.open(name, tmp_path) as user:
            told(user)
    (tmp_path / "jess" / "project").rename(tmp_path / "old")
    (tmp_path / "ana" / "project").rename(tmp_path / "jess" / "project")
    with pytest.raises(ProjectError, match="do not belong together"):
        User.open("jess", tmp_path)


def test_one_at_a_time_and_ingest_does_not_wait(user: User, tmp_path: Path) -> None:
    def checkpoint_and_tell(request: object) -> str:
        with User.open("jess", tmp_path) as other:
            other.ingest("Told meanwhile.", at="2025-01-11")
            with pytest.raises(ProjectError, match="jess is busy: a checkpoint by process"):
                other.checkpoint()
        return reply(TRIP, ALLERGY, SKIP)

    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    user.checkpoint(reader=FakeModel(checkpoint_and_tell))
    assert [e.text for e in user.log.entries(kinds=("message",))][-1] == "Told meanwhile."


# --- alerts ---


def medicated(user: User) -> User:
    told(user)
    entry = user.ingest("Started amoxicillin 500 mg.", at="2025-02-27").entries[0].id
    medicine = {
        "change": "add", "collection": "medicines", "id": "amoxicillin", "source": [entry],
        "values": {"title": "amoxicillin 500 mg", "substance": "amoxicillin"},
    }  # fmt: skip
    user.checkpoint(reader=FakeModel([reply(medicine)]))
    return user


def test_an_alert_lives_in_the_log_on_real_days_only(tmp_path: Path) -> None:
    with User.open("jess", tmp_path, today="2025-03-01") as user:
        medicated(user)
        assert [r.state for r in user.alerts() if r.alert.severity == "critical"] == ["open"]
        assert list(user.log.entries(kinds=("alert",))) == []
    with User.open("jess", tmp_path) as user:
        assert [r.state for r in user.alerts()] == ["open"]
        assert [e.data["event"] for e in user.log.entries(kinds=("alert",))] == ["raised"]
        user.acknowledge(user.alerts()[0].key)
        assert [r.state for r in user.alerts()] == ["acknowledged"]
        user.undo()
        assert [r.state for r in user.alerts()] == ["resolved"]
        with pytest.raises(UacError, match="there is no alert 'nonsense'"):
            user.acknowledge("nonsense")


# --- bad input, one line ---


@pytest.mark.parametrize("name", ["../x", "a/b", "", "Jess T.", "x" * 50, ".."])
def test_a_name_that_could_be_a_path_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProjectError, match="cannot be a user's name"):
        User.open(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_day_makes_no_user(tmp_path: Path) -> None:
    with pytest.raises(UacError, match="today: 'soon' is not a day"):
        User.open("jess", tmp_path, today="soon")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "answer",
    ["I'd rather not.", "", "{", "<html>502 Bad Gateway</html>", ModelError("the endpoint does not answer; is it up?")],
)
def test_a_reply_that_cannot_be_read_loses_nothing(user: User, answer: Any) -> None:
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    if isinstance(answer, ModelError):
        with pytest.raises(ModelError, match="the endpoint does not answer"):
            user.checkpoint(reader=FakeModel([answer]))
    else:
        assert user.checkpoint(reader=FakeModel([answer] * 3)).diagnostics
    assert user.coverage().counts["unread"] == 3
    assert user.checkpoint(reader=FakeModel([reply(TRIP, ALLERGY, SKIP)])).coverage.counts["unread"] == 0


def test_an_unknown_collection_domain_or_day_is_said_in_one_line(user: User) -> None:
    told(user)
    for call, words in (
        (lambda: user.records("trip"), "there is no collection 'trip' (collections: "),
        (lambda: user.source("travels"), "there is no domain 'travels' (domains: health, travel)"),
        (lambda: user.alerts("tomorrow"), "today: 'tomorrow' is not a day; write it as 2025-01-10"),
    ):
        with pytest.raises(UacError) as error:
            call()
        assert str(error.value).startswith(words)
        assert error.value._render_traceback_() == [f"{type(error.value).__name__}: {error.value}"]


def test_the_key_of_a_model_is_not_needed_to_open_or_read(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-unused")
    assert user.checkpoint().reader == "patterns"
    assert user.today == date(2025, 3, 1)


def test_several_processes_may_make_a_user_at_once(tmp_path: Path) -> None:
    code = "import sys; from uac_nb import User; User.open('jess', sys.argv[1]).ingest(sys.argv[2], at='2025-01-10')"
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), f"Note {number}."], stderr=subprocess.PIPE, text=True)
        for number in range(6)
    ]
    assert [process.communicate()[1] for process in started] == [""] * 6
    with User.open("jess", tmp_path) as user:
        assert sorted(entry.text for entry in user.log.entries()) == [f"Note {number}." for number in range(6)]
