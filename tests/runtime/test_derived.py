"""Derived values that rest on others, and what is told when one is not known any more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from uac_nb import User
from uac_nb.check.gate import examine
from uac_nb.errors import RunError
from uac_nb.model import FakeModel
from uac_nb.rules import Unknown
from uac_nb.runtime import Program, SealedEngine, available

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)

TODAY = date(2025, 3, 1)
HEAD = """from uac_nb.rules import Unknown, derived
"""
CIRCLE = """
@derived
def one(two: str) -> str:
    return two

@derived
def two(one: str) -> str:
    return one
"""
CHAIN = (
    HEAD
    + """
@derived
def reviewer(lead: str) -> str:
    return f"whom {lead} chose"

@derived
def lead() -> str | Unknown:
    return "Kim"

@derived
def note(reviewer: str, lead: str) -> str:
    return f"{lead}: {reviewer}"
"""
)
GONE = CHAIN.replace('return "Kim"', 'return Unknown("Kim left", was="Kim")')
PREPARED = (
    GONE
    + """
@derived
def fallback(lead: str | Unknown) -> str:
    return lead.was if isinstance(lead, Unknown) else lead
"""
)


@pytest.fixture(scope="module")
def engine() -> Iterator[SealedEngine]:
    with SealedEngine() as engine:
        yield engine


def value(engine: SealedEngine, rules: str, code: str) -> Any:
    engine.load(Program(key=rules, rules=rules))
    return engine.run(code, today=TODAY).value


@pytest.mark.parametrize(
    ("rules", "code", "expected"),
    [
        (CHAIN, "reviewer()", "whom Kim chose"),
        (CHAIN, "note()", "Kim: whom Kim chose"),
        (GONE, "lead()", Unknown("Kim left", was="Kim")),
        (GONE, "note()", Unknown("Kim left")),
        (PREPARED, "fallback()", "Kim"),
    ],
)
def test_a_derived_value_takes_others_by_name(engine: SealedEngine, rules: str, code: str, expected: Any) -> None:
    assert value(engine, rules, code) == expected


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        pytest.param(CHAIN, [], id="a chain"),
        pytest.param(
            HEAD + CIRCLE,
            ["one takes itself, by way of others: one ← two ← one", "two takes itself, by way of others: two ← one ← two"],
            id="a circle",
        ),
        pytest.param(
            HEAD + "@derived\ndef one(one: str) -> str:\n    return one\n", ["one takes itself, by way of others: one ← one"],
            id="itself",
        ),
        pytest.param(
            HEAD + "@derived\ndef one(other: str) -> str:\n    return other\n", ["one: 'other' does not say what it reads"],
            id="nobody's name",
        ),
        pytest.param(
            HEAD + "@derived\ndef one(other) -> str:\n    return other\n", ["one: 'other' does not say what it reads"] * 2,
            id="no annotation",
        ),
    ],
)  # fmt: skip
def test_what_a_derived_value_may_take(text: str, messages: list[str]) -> None:
    assert [found.message for found in examine(text, where="rules.py", kind="rules", domains=())[1]] == messages


def test_a_circle_is_left_out_and_the_others_run(engine: SealedEngine) -> None:
    rules = CHAIN + CIRCLE
    assert value(engine, rules, "reviewer()") == "whom Kim chose"
    with pytest.raises(RunError, match="name 'one' is not defined"):
        engine.run("one()", today=TODAY)
    assert [found.code for found in engine.rules(today=TODAY).findings] == ["rule", "rule"]


def test_one_that_fails_is_a_finding_and_hides_no_other(engine: SealedEngine) -> None:
    engine.load(Program(key="fails", rules=GONE + "\n@derived\ndef bad() -> int:\n    return 1 // 0\n"))
    run = engine.rules(today=TODAY)
    assert [(found.code, "division" in found.message) for found in run.findings] == [("derived-failed", True)]
    assert [(alert.rule, alert.message) for alert in run.alerts] == [
        ("reviewer", "Reviewer is not known: Kim left."),
        ("lead", "Lead is not known any more: Kim left. It was Kim."),
        ("note", "Note is not known: Kim left."),
    ]


# --- over time ---

JOB = {
    "change": "add", "collection": "jobs", "id": "kim-lead", "source": [1],
    "values": {"who": "kim", "title": "job as the lead", "role": "lead", "status": "current"},
}  # fmt: skip
DERIVE = {
    "change": "derive", "id": "reviewer", "source": [2],
    "text": '''from collections.abc import Iterable
from datetime import date
from uac_nb.rules import Unknown, derived, holds
from work import Job

@derived
def reviewer(jobs: Iterable[Job], *, today: date) -> str | Unknown:
    """Who reviews the work."""
    if any(job.who == "kim" and holds(job, today) for job in jobs):
        return "Sam"
    return Unknown("Kim, who chose Sam, is not the lead any more", was="Sam")
''',
}  # fmt: skip


def tell(user: User, text: str, change: dict[str, Any]) -> Any:
    user.ingest(text, at="2025-02-20")
    cited = {**change, "source": [user.log.last]}
    return user.checkpoint(reader=FakeModel([json.dumps({"changes": [cited]})]))


def test_one_that_turns_unknown_is_an_alert_until_it_is_known_again(user: User) -> None:
    assert tell(user, "Kim is the lead at work.", JOB).alerts == ()
    assert tell(user, "Kim chose Sam for my reviews.", DERIVE).alerts == ()
    (turned,) = tell(user, "Kim has left.", {"change": "close", "id": "kim-lead", "status": "ended", "until": "2025-02"}).alerts
    assert (turned.state, turned.key) == ("open", "reviewer//")
    assert turned.alert.message == ("Reviewer is not known any more: Kim, who chose Sam, is not the lead any more. It was Sam.")
    user.acknowledge(turned.key)
    assert [raised.state for raised in user.alerts()] == ["acknowledged"]
    back = {"change": "amend", "id": "kim-lead", "set": {"status": "current", "until": None}}
    assert [raised.state for raised in tell(user, "Kim is the lead again.", back).alerts] == ["resolved"]
