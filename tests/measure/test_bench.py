"""The benchmark: what it measures is what it says, and how figures are told."""

from __future__ import annotations

import json
from datetime import date

import pytest

from uac_nb.measure.bench.figures import Figure, as_json, table
from uac_nb.measure.bench.runtime import QUERY, TODAY, life, purchases
from uac_nb.rules import ahead
from uac_nb.runtime import SealedEngine, available
from uac_nb.starter import RULES

FIGURES = [
    Figure("a call", 4.04, limit=10.0),
    Figure("a slow call", 1234.5, limit=1000.0),
    Figure("memory", 500.0, "MB", 400.0),
    Figure("told", 1.0),
]


def test_a_table_says_what_holds() -> None:
    told = table(FIGURES, "Python on a machine").split("\n")
    assert told[0] == "Python on a machine"
    assert [(line[:5].strip(), " ".join(line[5:].split())) for line in told[1:]] == [
        ("ok", "a call 4.0 ms (at most 10 ms)"),
        ("SLOW", "a slow call 1,234.5 ms (at most 1,000 ms)"),
        ("OVER", "memory 500.0 MB (at most 400 MB)"),
        ("ok", "told 1.0 ms"),
    ]


def test_json_says_the_same() -> None:
    told = json.loads(json.dumps(as_json(FIGURES)))
    assert [figure["holds"] for figure in told["figures"]] == [True, False, False, True]
    third = {"name": "memory", "value": 500.0, "unit": "MB", "limit": 400.0, "holds": False}
    assert third.items() <= told["figures"][2].items()
    assert told["machine"].startswith("Python ")


@pytest.mark.skipif(not available().ok, reason=available().why)
def test_what_is_measured_is_what_is_said() -> None:
    program = life(400, 40)
    records = [record for _, found in program.collections.values() for record in found]
    assert (len(records), len(ahead(records, TODAY))) == (400, 40)
    with SealedEngine() as engine:
        engine.load(program)
        run = engine.rules(today=TODAY)
        assert run.findings == ()
        assert len(engine._rules.rules) + len(RULES) == 100
        assert {alert.rule.rstrip("0123456789") for alert in run.alerts} >= {"near_", "clash_"}
        engine.load(purchases(8))
        assert engine.run(QUERY, today=date(2025, 1, 1)).value == 5  # n = 0 and 4 are books: 0.50 and 4.50
