"""Rules and derived values from talk: the gate, the examples, the present state, all before they are taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from textwrap import dedent
from typing import Any

import pytest

from uac_nb.changes import Workspace, accept
from uac_nb.log import Entry
from uac_nb.model.prompts import fill
from uac_nb.reading.judge import Judge
from uac_nb.reading.trial import Trial
from uac_nb.runtime import SealedEngine, available

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)

HEAD = """from collections.abc import Iterable, Iterator
from datetime import date
from travel import Trip
from uac_nb.rules import Alert, Unknown, ahead, derived, over_limit, rule

"""
LONG = (
    HEAD
    + '''@rule("warning")
def no_long_trip(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    """The user never wants to be away for more than a week."""
    for trip in ahead(trips, today):
        if trip.departs and trip.returns and (away := (trip.returns.first - trip.departs.last).days) > 7:
            yield over_limit(trip, because=f"It takes {away} days, and at most 7 are wanted.", do="Shorten it.")
'''
)
NEXT = (
    HEAD
    + '''@derived
def next_city(trips: Iterable[Trip], *, today: date) -> str | Unknown:
    """Where the next trip goes."""
    return next((trip.to for trip in ahead(trips, today)), Unknown("no trip is planned"))
'''
)


def trip(to: str, departs: str, returns: str) -> dict[str, Any]:
    return {"title": f"trip to {to}", "to": to, "departs": departs, "returns": returns}


def example(departs: str, returns: str) -> dict[str, Any]:
    return {"today": "2025-01-01", "collections": {"trips": [trip("Oslo", departs, returns)]}}


FIRES, QUIET = example("2025-02-01", "2025-02-09"), example("2025-02-01", "2025-02-08")
RULE = {"change": "rule", "id": "no_long_trip", "text": LONG, "fires": [FIRES], "quiet": [QUIET], "source": [2]}
DERIVE = {"change": "derive", "id": "next_city", "text": NEXT, "source": [2]}


@pytest.fixture(scope="module")
def engine() -> Iterator[SealedEngine]:
    with SealedEngine() as engine:
        yield engine


def tried(engine: SealedEngine, change: dict[str, Any], *, returns: str = "2025-03-14", role: str = "user") -> Trial:
    entry = Entry(
        id=2,
        text="Never more than a week away.",
        recorded_at=datetime(2025, 1, 2, tzinfo=UTC),
        said_at=date(2025, 1, 1),
        role=role,
    )
    lisbon = {"change": "add", "collection": "trips", "id": "lisbon", "source": [1]}
    kim = {"change": "add", "collection": "jobs", "id": "kim-lead", "source": [1], "values": {"title": "lead", "role": "lead"}}
    done = accept([{**lisbon, "values": trip("Lisbon", "2025-03-10", returns)}, kim], Workspace())
    trial = Trial([entry], done.workspace, Judge([entry], engine=lambda: engine))
    trial.take([change])
    return trial


def told(trial: Trial) -> str:
    return " | ".join(str(d) for bad in trial.bad for d in bad.diagnostics)


@pytest.mark.parametrize("change", [RULE, DERIVE], ids=["rule", "derive"])
def test_one_that_passes_is_taken(engine: SealedEngine, change: dict[str, Any]) -> None:
    trial = tried(engine, change)
    assert told(trial) == ""
    assert f"def {change['id']}(" in trial.workspace.rules


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"fires": []}, "it has no examples (give one in `fires` and, just past the edge, one in `quiet`)"),
        ({"quiet": []}, "it has no examples"),
        ({"fires": [QUIET]}, "$.fires[0]: the rule does not fire on this example"),
        ({"fires": [FIRES, QUIET]}, "$.fires[1]: the rule does not fire"),
        ({"quiet": [FIRES]}, "$.quiet[0]: the rule fires on this example (example-trips-1)"),
        ({"fires": [{**FIRES, "today": "soon"}]}, "fires.0.today: 'soon' is not a day; write it as 2025-01-10"),
        ({"fires": [{"today": "2025-01-01", "collections": {"tripz": [{}]}}]}, "no collection 'tripz'"),
        ({"fires": [example("one day", "2025-02-01")]}, "'one day' is not"),
        ({"text": LONG.replace("from datetime", "import os\nfrom datetime")}, "os"),
        ({"text": LONG.replace("trip.returns.first", "trip.nothing")}, "nothing"),
        ({"text": LONG.replace("def no_long_trip", "def other")}, "the text defines no function 'no_long_trip'"),
        ({"text": LONG.replace("    for trip in", "    while True: pass\n    for trip in")}, "no_long_trip"),
    ],
)
def test_a_rule_that_does_not_hold_goes_back(engine: SealedEngine, more: dict[str, Any], words: str) -> None:
    trial = tried(engine, {**RULE, **more})
    assert words in told(trial)
    assert trial.workspace.rules == ""


def test_a_rule_that_fires_before_there_is_a_conflict_goes_back_unless_the_model_says_why(engine: SealedEngine) -> None:
    early = tried(engine, RULE, returns="2025-03-20")
    assert told(early) == (
        "$.text: it fires on what is recorded now (lisbon) (narrow it; if that is a real conflict, say so in `why`)"
    )
    early.take([{**RULE, "why": "the trip to Lisbon takes ten days"}])
    assert early.bad == []
    assert "def no_long_trip(" in early.workspace.rules


def test_a_derived_value_is_run_once(engine: SealedEngine) -> None:
    trial = tried(engine, {**DERIVE, "text": NEXT.replace("trip.to for", "trip.nowhere for")})
    assert "nowhere" in told(trial)
    assert trial.workspace.rules == ""


@pytest.mark.parametrize("change", [RULE, DERIVE], ids=["rule", "derive"])
def test_rules_come_from_the_user_alone(engine: SealedEngine, change: dict[str, Any]) -> None:
    assert "the user did not say so" in told(tried(engine, change, role="person"))
    assert "only an assistant or a system says so" in told(tried(engine, change, role="assistant"))


def test_the_examples_in_the_instructions_pass(engine: SealedEngine) -> None:
    derived, own = (dedent(text) for text in re.findall(r"(?:^  .*\n)+", fill("structure"), re.MULTILINE) if "def " in text)
    assert told(tried(engine, {**RULE, "text": own})) == ""
    assert told(tried(engine, {**DERIVE, "id": "reviewer", "text": derived})) == ""
