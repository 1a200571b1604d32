"""The user's own tests: pins, examples of rules, what a test may be, and what is said where one fails."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from uac_nb import User
from uac_nb.check import gate
from uac_nb.errors import CheckError, ProjectError
from uac_nb.model import FakeModel
from uac_nb.runtime import available

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)

TRIP = {
    "change": "add", "collection": "trips", "id": "lisbon", "source": [1], "fact": "Jess flies to Lisbon on 10 March 2025.",
    "values": {"title": "trip to Lisbon", "to": "Lisbon", "country": "PT", "departs": "2025-03-10", "returns": "2025-03-17"},
}  # fmt: skip
RULE = '''from collections.abc import Iterable, Iterator
from datetime import date
from travel import Trip
from uac_nb.rules import Alert, ahead, over_limit, rule

@rule("warning")
def no_long_trip(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    """They never want to be away for more than a week."""
    for trip in ahead(trips, today):
        if trip.returns and trip.departs and (away := (trip.returns.first - trip.departs.last).days) > 7:
            yield over_limit(trip, because=f"It takes {away} days, and at most 7 are wanted.", do="Shorten it.")
'''


def rule(**more: Any) -> dict[str, Any]:
    rome = {"title": "trip to Rome", "to": "Rome", "departs": "2025-05-01"}
    fires = {"collections": {"trips": [{**rome, "returns": "2025-05-09"}]}, "today": "2025-04-01"}
    quiet = {"collections": {"trips": [{**rome, "returns": "2025-05-08"}]}, "today": "2025-04-01"}
    return {"change": "rule", "id": "no_long_trip", "source": [2], "text": RULE, "fires": [fires], "quiet": [quiet], **more}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a user who has a trip and a rule."""
    home = tmp_path_factory.mktemp("home")
    with User.open("jess", home, today="2025-03-01") as user:
        texts = ["Flying to Lisbon on 10 March, back on the 17th.", "I never want to be away for more than a week."]
        user.ingest([{"text": text} for text in texts], at="2025-01-10")
        done = user.checkpoint(reader=FakeModel([json.dumps({"changes": [TRIP, rule()]})] * 3))
        assert done.diagnostics == ()
    return home


@pytest.fixture
def user(home: Path, tmp_path: Path) -> Iterator[User]:
    """That user, for one test."""
    copytree(home, tmp_path, dirs_exist_ok=True)
    with User.open("jess", tmp_path, today="2025-03-01") as user:
        yield user


# code → what its test claims
PINS = {
    "len([t for t in trips if t.departs > today])": "assert len([t for t in trips if t.departs > today]) == 1",
    "trips[0].country": "assert trips[0].country == \"PT\"",
    "trips[0].departs": "assert trips[0].departs == When(\"2025-03-10\")",
    "bool(trips)": "assert bool(trips) is True",
    "tuple(t.to for t in trips)": "assert tuple((t.to for t in trips)) == (\"Lisbon\",)",
    "{t.to for t in trips}": "assert set({t.to for t in trips}) == set([\"Lisbon\"])",
    "from collections import Counter\nn = Counter(t.to for t in trips)\nn.most_common(1)":
        "assert n.most_common(1) == [(\"Lisbon\", 1)]",
}  # fmt: skip


@pytest.mark.parametrize(("code", "claim"), PINS.items(), ids=PINS)
def test_a_value_is_pinned_as_of_a_day(user: User, code: str, claim: str) -> None:
    text = user.pin(code, as_of="2025-02-01")
    assert text.rstrip().endswith(claim)
    assert "As of 2025-02-01" in text
    assert ("today = date(2025, 2, 1)" in text) == ("today" in code)
    assert (user.test().count, user.test().findings) == (3, ())


def test_a_pin_is_a_logged_edit_that_can_be_undone(user: User) -> None:
    text = user.pin("len(trips)")
    assert user.source("test_jess").text == text
    assert [e.data["path"] for e in user.log.entries(kinds=("edit",))] == ["test_jess.py"]
    user.undo()
    assert "test_jess.py" not in user.workspace.files()


def test_a_question_is_pinned_with_its_answer(user: User) -> None:
    text = user.pin("How many trips did I take in 2025?", as_of="2025-04-01")
    assert "How many trips did I take in 2025? As of 2025-04-01." in text
    assert user.test().ok
    with pytest.raises(ProjectError, match="is not answered by computing"):
        user.pin("What is the colour of happiness?")


def test_two_pins_of_the_same_words_are_two_tests(user: User) -> None:
    user.pin("len(trips)", as_of="2025-02-01")
    text = user.pin("len(trips)", as_of="2025-03-01")
    assert text.count("def test_len_trips") == 2
    assert "def test_len_trips_2() -> None:" in text


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("x = 1", "the code has no value to pin"),
        ("today - today", "a value of type timedelta cannot be written down"),
        ("open('x')", "open may not be used"),
    ],
)
def test_what_cannot_be_pinned_is_said(user: User, code: str, words: str) -> None:
    with pytest.raises(CheckError, match=words.replace("(", r"\(")):
        user.pin(code)
    assert "test_jess.py" not in user.workspace.files()


def test_a_test_that_fails_says_which_and_what_it_got(user: User) -> None:
    text = user.pin("trips[0].to")
    user.edit("test_jess", text.replace('"Lisbon"', '"Rome"'))
    (finding,) = user.test().findings
    line = text.split("\n").index('    assert trips[0].to == "Lisbon"') + 1
    assert str(finding) == f"test_jess.py:{line}: test_trips_0_to: AssertionError: 'Lisbon' is not 'Rome'"
    assert str(user.test()).startswith("2 passed, 1 failed\n")


def test_an_endless_test_and_one_that_fails_otherwise_are_findings(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uac_nb.verbs.pins.DEADLINE", 0.3)
    user.edit("test_jess", "def test_a():\n    while True:\n        pass\n    assert 1\n\n\ndef test_b():\n    assert 1 / 0\n")
    found = {finding.where: finding.message for finding in user.test().findings}
    assert found["test_jess.py:1"].startswith("test_a: it ran longer than 0.3 s")
    assert found["test_jess.py:8"] == "test_b: ZeroDivisionError: division by zero"


# --- what is learned after a pin ---


def learned(user: User, text: str, at: str, **change: Any) -> int:
    """Something told later, and the number of its entry."""
    entry = user.ingest(text, at=at).entries[0].id
    done = user.checkpoint(reader=FakeModel([json.dumps({"changes": [{**change, "source": [entry]}]})] * 3))
    assert done.diagnostics == ()
    return entry


def trip(to: str, departs: str, returns: str) -> dict[str, Any]:
    values = {"title": f"trip to {to}", "to": to, "departs": departs, "returns": returns}
    return {"change": "add", "collection": "trips", "id": to.lower(), "values": values}


TAKEN = "len([t for t in trips if t.departs <= today])"


def test_what_is_learned_later_of_an_earlier_day_changes_the_answer_and_is_named(user: User) -> None:
    user.pin(TAKEN, as_of="2025-04-01")
    entry = learned(user, "I was in Rome from 3 to 5 February, too.", "2025-05-20", **trip("Rome", "2025-02-03", "2025-02-05"))
    (finding,) = user.test().findings
    assert finding.message.endswith("AssertionError: 2 is not 1")
    assert finding.hint == f"since it was written rome came with entry {entry}; if the new answer is right, write it there"


def test_what_happens_later_does_not_matter_to_code_that_compares_with_today(user: User) -> None:
    user.pin(TAKEN, as_of="2025-04-01")
    learned(user, "Off to Oslo from 3 to 5 June.", "2025-05-20", **trip("Oslo", "2025-06-03", "2025-06-05"))
    assert user.test().ok


def test_what_changed_and_what_went_is_named_too(user: User) -> None:
    learned(user, "Off to Oslo from 3 to 5 June.", "2025-02-20", **trip("Oslo", "2025-06-03", "2025-06-05"))
    user.pin("[t.departs for t in trips]")
    amend = {"change": "amend", "id": "lisbon", "set": {"departs": "2025-03-11"}}
    entry = learned(user, "Lisbon is on 11 March now.", "2025-02-21", **amend)
    (first,) = user.test().findings
    assert first.hint.startswith(f"since it was written lisbon changed with entry {entry};")
    text = user.source("travel").text
    user.edit("travel", re.sub(r'    Trip\(\s*id="oslo".*?\n    \),\n', "", text, flags=re.DOTALL))
    assert [trip.id for trip in user.records("trips")] == ["lisbon"]
    (second,) = user.test().findings
    assert second.hint.startswith(f"since it was written lisbon changed with entry {entry}, oslo went;")


def test_a_test_that_was_written_anew_looks_back_no_further(user: User) -> None:
    user.pin(TAKEN, as_of="2025-04-01")
    learned(user, "I was in Rome from 3 to 5 February, too.", "2025-05-20", **trip("Rome", "2025-02-03", "2025-02-05"))
    user.edit("test_jess", user.source("test_jess").text.replace("== 1", "== 2"))
    assert user.test().ok
    entry = learned(user, "I was in Faro on 6 February.", "2025-05-21", **trip("Faro", "2025-02-06", "2025-02-06"))
    (finding,) = user.test().findings
    assert finding.hint == f"since it was written faro came with entry {entry}; if the new answer is right, write it there"


# --- rules ---


def test_a_rule_brings_its_examples_as_tests(user: User) -> None:
    text = user.workspace.others["test_rules.py"]
    assert '\n    assert run(no_long_trip, {"trips": trips}, date(2025, 4, 1))\n' in text
    assert '\n    assert not run(no_long_trip, {"trips": trips}, date(2025, 4, 1))\n' in text
    assert user.test().count == 2
    assert user.test().ok


def test_a_rule_that_is_changed_by_hand_fails_its_examples(user: User) -> None:
    user.edit("rules", user.source("rules").text.replace("> 7", "> 8"))
    assert [finding.message.split(":")[0] for finding in user.test().findings] == ["test_no_long_trip_fires"]


def test_a_rule_that_comes_again_brings_new_examples(user: User) -> None:
    new = user.ingest("Again: never more than a week.", at="2025-01-11").entries[0]
    again = rule(source=[new.id], fires=rule()["fires"] * 2)
    done = user.checkpoint(reader=FakeModel([json.dumps({"changes": [again]})] * 3))
    assert done.diagnostics == ()
    text = user.workspace.others["test_rules.py"]
    names = [line.split("(")[0].removeprefix("def ") for line in text.split("\n") if line.startswith("def ")]
    assert names == ["test_no_long_trip_fires", "test_no_long_trip_fires_2", "test_no_long_trip_is_quiet"]
    user.undo()
    assert user.workspace.others["test_rules.py"].count("def ") == 2


def test_plain_pytest_runs_them_too_and_the_file_says_with_whose_rights(user: User) -> None:
    user.pin("len(trips)")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_jess.py", "test_rules.py"]
    done = subprocess.run(command, cwd=user.folder / "project", capture_output=True, text=True)
    assert "3 passed" in done.stdout
    for path in ("test_jess.py", "test_rules.py"):
        assert "with your rights" in user.workspace.others[path].split('"""')[1]


# --- the gate ---

REFUSED = {
    "def test_a(tmp_path):\n    assert 1": "test_a takes arguments (there are no fixtures",
    "def test_a():\n    pass": "test_a asserts nothing (say what has to hold",
    "import pytest\n\ndef test_a():\n    assert 1": "pytest may not be imported (a test is a plain function with asserts)",
    "@mark\ndef test_a():\n    assert 1": "test_a has a decorator",
    "assert 1": "an `assert` stands outside a function",
    "for x in ():\n    pass": "a loop stands outside a function",
    "class TestA:\n    pass": "the class TestA stands among the tests",
    "import os": "os may not be imported",
}


@pytest.mark.parametrize(("text", "words"), REFUSED.items(), ids=REFUSED)
def test_what_is_no_test_is_refused(text: str, words: str) -> None:
    with pytest.raises(CheckError) as refused:
        gate(text, where="test_jess.py", kind="tests", domains={"travel"})
    assert words in str(refused.value)


def test_tests_may_have_helpers_and_constants() -> None:
    head = '"""Mine."""\nfrom travel import trips\n\nMOST = 3\n\n'
    text = head + "def many(n):\n    return n > MOST\n\ndef test_a():\n    assert not many(len(trips))\n"
    gate(text, where="test_jess.py", kind="tests", domains={"travel"})


def test_an_edit_of_the_tests_that_would_not_do_changes_nothing(user: User) -> None:
    with pytest.raises(CheckError, match=r"test_jess\.py:1: test_a takes arguments"):
        user.edit("test_jess", "def test_a(user):\n    assert 1\n")
    assert "test_jess.py" not in user.workspace.files()
