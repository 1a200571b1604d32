"""The alert cases of other people, through all starter rules, by records that somebody typed who had read each case.

So this is an upper bound of what a reader can reach: it shows what the rules do once the types are filled well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time
from pathlib import Path
from typing import Any

import pytest

from uac_nb.rules import Alert, Money, When, lint, run
from uac_nb.starter import RULES
from uac_nb.starter.types.money import Account, Investment, Payment, Purchase, RiskLimit
from uac_nb.starter.types.people import Milestone
from uac_nb.starter.types.schedule import Commitment
from uac_nb.starter.types.travel import Trip, Visa

Records = Mapping[str, Sequence[Any]]

# case -> session -> what that session adds
TYPED: Mapping[str, Mapping[str, Records]] = {
    "travel_07": {
        "4": {
            "visas": [
                Visa(
                    id="visa-au", title="Australian visa", country="AU", status="applied", applied=When("2024-10-30"),
                    valid_from=When("2024-12-01"), valid_until=When("2025-05-31"), source=(1,),
                )
            ]
        },
        "7": {
            "trips": [
                Trip(
                    id="sydney", title="trip to Sydney", to="Sydney", country="AU", departs=When("2024-11-25"),
                    status="considering", source=(2,),
                )
            ]
        },
    },
    "finance_05": {
        "6": {
            "accounts": [
                Account(
                    id="wells-fargo", title="Wells Fargo checking account", status="closing", closes=When("2024-W39"),
                    replaced_by="schwab", source=(1,),
                ),
                Account(id="schwab", title="Schwab account", source=(1,)),
            ]
        },
        "9": {
            "payments": [
                Payment(
                    id="rent", title="rent payment", amount=Money(1500, "USD"), account="wells-fargo", method="autopay",
                    every="month", day=1, source=(2,),
                )
            ]
        },
    },
    "finance_06": {
        "4": {
            "milestones": [Milestone(id="baby", title="birth of the baby", on=When("2025-03"), source=(1,))],
            "risk_limits": [
                RiskLimit(
                    id="no-risk", title="no more risky investments", max_risk="low", since=When("2024-08-10"), because="baby",
                    source=(1,),
                )
            ],
        },
        "7": {
            "investments": [
                Investment(
                    id="biotech", title="small-cap biotech stock", amount=Money(15000, "USD"), risk="high",
                    status="considering", since=When("2024-11-05"), source=(2,),
                )
            ]
        },
    },
    "schedule_02": {
        "5": {
            "commitments": [
                Commitment(
                    id="anniversary", title="anniversary dinner at Chez Laurent", on=When("2024-11-15"), starts=time(19),
                    place="Chez Laurent", doubt="said to be a Saturday, but that day is a Friday", source=(1,),
                )
            ]
        },
        "7": {
            "commitments": [
                Commitment(
                    id="roommate", title="dinner with the college roommate", on=When("2024-11-15"), starts=time(19, 30),
                    place="Steakhouse 55", source=(2,),
                )
            ]
        },
    },
    "schedule_03": {
        "2": {
            "commitments": [
                Commitment(
                    id="play", title="Emma's school play", on=When("2024-12-12"), starts=time(18), weight="high",
                    moves="fixed", source=(1,),
                )
            ]
        },
        "8": {
            "trips": [
                Trip(
                    id="new-york", title="business trip to New York", to="New York", country="US", departs=When("2024-12-11"),
                    returns=When("2024-12-13"), status="considering", source=(2,),
                )
            ]
        },
    },
    "schedule_06": {
        "3": {
            "trips": [
                Trip(
                    id="costa-rica", title="vacation in Costa Rica", to="Costa Rica", country="CR", departs=When("2024-12-20"),
                    returns=When("2025-01-03"), source=(1,),
                )
            ]
        },
        "7": {
            "commitments": [
                Commitment(
                    id="plumber", title="plumber for the upstairs bathroom", on=When("2024-12-27"), starts=time(10),
                    ends=time(14), presence="someone at home", source=(2,),
                )
            ]
        },
    },
    "schedule_07": {
        "2": {
            "commitments": [
                Commitment(
                    id="wedding", title="Jake's wedding weekend", on=When("2024-10-25"), until=When("2024-10-27"),
                    whole_day=True, weight="high", moves="fixed", source=(1,),
                ),
                *(
                    Commitment(id=f"wedding-{part}", title=title, on=When(on), part_of="wedding", source=(1,))
                    for part, title, on in (
                        ("rehearsal", "rehearsal dinner", "2024-10-25"), ("day", "wedding", "2024-10-26"),
                        ("brunch", "brunch", "2024-10-27"),
                    )
                ),
            ]
        },
        "6": {
            "commitments": [
                Commitment(id="long-run", title="20-mile training run", on=When("2024-10-26"), weight="high", source=(2,))
            ]
        },
    },
    "deadline_05": {
        "5": {
            "purchases": [
                Purchase(
                    id="espresso", title="espresso machine", shop="Williams-Sonoma", price=Money(400, "USD"),
                    bought=When("2024-10-02"), return_days=30, decide_by=When("2024-10-15/2024-10-22"), source=(1,),
                )
            ]
        },
        "9": {},
    },
}  # fmt: skip


def found(records: Records, today: date) -> list[Alert]:
    return [alert for rule in RULES for alert in run(rule, records, today)]


def together(sessions: Iterable[Records]) -> Records:
    merged: dict[str, list[Any]] = {}
    for session in sessions:
        for collection, records in session.items():
            merged.setdefault(collection, []).extend(records)
    return merged


@pytest.fixture(scope="session")
def cases(shared: Path) -> Mapping[str, Any]:
    return {case["id"]: case for case in json.loads((shared / "alerts" / "cases-dev.json").read_text())["cases"]}


@pytest.mark.parametrize("case_id", TYPED)
def test_an_alert_comes_with_the_trigger_and_none_before(cases: Mapping[str, Any], case_id: str) -> None:
    case, seen = cases[case_id], []
    for session in case["sessions"]:
        seen.append(TYPED[case_id][session["session_id"]])
        alerts = found(together(seen), date.fromisoformat(session["timestamp"]))
        assert [problem for alert in alerts for problem in lint(alert)] == []
        if session["session_id"] != case["trigger_session_id"]:
            assert alerts == []
    texts = [f"{alert.message} {alert.hint}" for alert in alerts]
    groups = case["rubric_groups"].values()
    assert any(all(_says(text, group) for group in groups) for text in texts), texts
    assert len(alerts) == len({(a.rule, a.records, a.occurrence) for a in alerts})


def _says(text: str, patterns: Iterable[str]) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE | re.DOTALL) for pattern in patterns)


def test_every_case_was_read(cases: Mapping[str, Any]) -> None:
    assert set(TYPED) == set(cases)
