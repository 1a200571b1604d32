"""What comes out of a sealed child is not trusted: whatever it wrote, there is a result or a RunError, and no surprise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.errors import RunError
from uac_nb.rules import Alert
from uac_nb.runtime import answers, wire

TAGS = [
    "$when",
    "$money",
    "$date",
    "$datetime",
    "$time",
    "$days",
    "$decimal",
    "$said",
    "$unknown",
    "$dict",
    "$float",
    "$record",
]
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["2025-03", "Trip", "1e9"])
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*TAGS, "values", "a"]), inner, max_size=2),
    max_leaves=8,
)


def written(line: Any) -> wire.Reply:
    return wire.Reply(0, wire.DONE, line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")


def read(reply: wire.Reply) -> Any:
    return answers.result(answers.only(reply, 5.0), {}, 0.1)


@given(JSON, JSON, JSON)
def test_any_json_is_a_result_or_a_run_error(value: Any, printed: Any, records: Any) -> None:
    try:
        result = read(written({"value": value, "printed": printed, "records": records}))
    except RunError:
        return
    assert isinstance(result.printed, str)
    assert all(type(id) is str for id in result.records)


@given(JSON)
def test_any_error_is_one_line(error: Any) -> None:
    with pytest.raises(RunError) as failed:
        read(written({"error": error}))
    assert str(failed.value).isprintable()


@given(st.binary(max_size=40))
def test_any_bytes_are_a_run_error(output: bytes) -> None:
    with pytest.raises(RunError):
        read(written(output))


@given(JSON)
def test_any_answer_of_a_rule_is_alerts_or_a_finding(line: Any) -> None:
    for value in (line, {"alerts": line}, {"alerts": [line]}, {"error": line}):
        alerts, findings = answers.rule("some_rule", value, True)
        assert all(isinstance(alert, Alert) and alert.rule == "some_rule" for alert in alerts)
        assert alerts or findings or value == {"alerts": []} or value == {"alerts": {}} or value == {"alerts": ""}


UNREADABLE = {
    "two lines": b'{"value":1,"printed":"","records":[]}\n{}\n',
    "half a line": b'{"value":1,"printed":"","records":[]}',
    "no object": b"[1]\n",
    "a constant of its own": b'{"value":NaN,"printed":"","records":[]}\n',
    "half a character": b'{"value":"\\ud800","printed":"","records":[]}\n',
    "too deep": b"[" * 100_000 + b"\n",
    "not text": b"\xff\xfe\n",
    "ids that are none": b'{"value":1,"printed":"","records":[1]}\n',
    "something missing": b'{"value":1}\n',
    "an endless number": b'{"value":' + b"9" * 5000 + b',"printed":"","records":[]}\n',
}


@pytest.mark.parametrize("output", UNREADABLE.values(), ids=UNREADABLE)
def test_what_no_child_of_ours_writes_is_refused(output: bytes) -> None:
    with pytest.raises(RunError, match="query: "):
        read(written(output))


STOPPED = {
    (
        0,
        wire.DEADLINE,
    ): "query: it ran longer than 5 s and was stopped (go through the records once, without loops inside loops)",
    (0, wire.TOO_LARGE): "query: the answer is too large (return less)",
    (11, wire.DONE): "query: it crashed the sealed process (SIGSEGV) (write it in a simpler way)",
    (24, wire.DONE): "query: it crashed the sealed process (SIGXCPU) (write it in a simpler way)",
    (9, wire.DONE): (
        "query: it ended without an answer (it may have taken too much memory; go through the records one by one)"
    ),
}


@pytest.mark.parametrize(("ended", "said"), STOPPED.items())
def test_a_child_that_ended_otherwise_says_why(ended: tuple[int, int], said: str) -> None:
    with pytest.raises(RunError) as failed:
        read(wire.Reply(ended[0], ended[1], b""))
    assert str(failed.value) == said


def test_a_place_in_an_error_is_a_place() -> None:
    for where, shown in {
        "travel.py:3": "travel.py:3",
        "query:1": "query:1",
        "../x:1": "query",
        5: "query",
        "a b": "query",
    }.items():
        with pytest.raises(RunError) as failed:
            read(written({"error": {"where": where, "message": "m", "hint": ""}}))
        assert str(failed.value) == f"{shown}: m"


GOOD = {"message": "m 1", "hint": "h", "occurrence": "", "records": ["a"], "evidence": [1], "severity": "info"}
BAD_ALERTS: list[Any] = [
    {**GOOD, "severity": "high"},
    {**GOOD, "severity": None},
    {**GOOD, "evidence": ["1"]},
    {**GOOD, "evidence": [True]},
    {**GOOD, "records": [1]},
    {**GOOD, "message": None},
    {**GOOD, "message": "x" * 2001},
    {**GOOD, "records": None},
    {k: v for k, v in GOOD.items() if k != "hint"},
    "alert",
    None,
]


@pytest.mark.parametrize("bad", BAD_ALERTS)
def test_an_alert_that_is_none_is_a_finding_beside_the_others(bad: Any) -> None:
    alerts, findings = answers.rule("some_rule", {"alerts": [GOOD, bad, bad, GOOD]}, False)
    assert [alert.message for alert in alerts] == ["m 1", "m 1"]
    assert [finding.code for finding in findings] == ["rule-crashed"]


@pytest.mark.parametrize("line", [None, [], "alerts", {}, {"alerts": None}, {"alerts": {}}, {"alerts": 5}])
def test_a_line_without_alerts_is_a_finding(line: Any) -> None:
    alerts, findings = answers.rule("some_rule", line, False)
    assert (alerts, [finding.code for finding in findings]) == ([], ["rule-crashed"])
