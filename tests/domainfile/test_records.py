"""Records, their rows, and tagged JSON."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest

from uac_nb.domainfile.annotations import Nested, parse_type
from uac_nb.domainfile.records import NOTE, Field, RecordType, decode, encode, make, type_of, values_of
from uac_nb.errors import CheckError
from uac_nb.rules import Every, Money, Note, Said, Unknown, When

LEG = RecordType("Leg", (Field("to", parse_type("str")), Field("on", parse_type("When | None"), None)))
NAMES = {"Leg": Nested(LEG)}
TRIP = RecordType(
    "Trip",
    (
        Field("id", parse_type("str")),
        Field("who", parse_type("str"), "me"),
        Field("departs", parse_type("When | None"), None),
        Field("at", parse_type("time | None"), None),
        Field("paid", parse_type("tuple[Money, ...]"), ()),
        Field("says", parse_type("tuple[Said, ...]"), ()),
        Field("legs", parse_type("tuple[Leg, ...]", NAMES), ()),
        Field("tags", parse_type("dict[str, Decimal]"), {}),
        Field("pair", parse_type("tuple[date, datetime] | None"), None),
        Field("source", parse_type("tuple[int, ...]")),
    ),
)
FULL = TRIP.build(
    {
        "id": "lisbon",
        "who": "ann",
        "departs": When("2025-03"),
        "at": time(15, 30),
        "paid": (Money("12.50", "EUR"), Money(3, "USD")),
        "says": (Said("sunny", 4),),
        "legs": (LEG.build({"to": "Porto", "on": When("2025")}), LEG.build({"to": "Faro"})),
        "tags": {"weight": Decimal("1.50")},
        "pair": (date(2025, 1, 2), datetime(2025, 1, 2, 3, tzinfo=UTC)),
        "source": (2, 3),
    }
)
BARE = TRIP.build({"id": "bare", "source": ()})
ROW = [
    "lisbon", "ann", "2025-03", "15:30:00", ["12.50 EUR", "3 USD"], [["sunny", 4]], [["Porto", "2025"], ["Faro", None]],
    {"weight": "1.50"}, ["2025-01-02", "2025-01-02T03:00:00+00:00"], [2, 3],
]  # fmt: skip


def test_a_record_is_frozen_and_knows_its_type() -> None:
    with pytest.raises(FrozenInstanceError):
        FULL.id = "other"
    assert type_of(FULL) == TRIP
    assert list(values_of(FULL)) == [f.name for f in TRIP.fields]
    assert type_of(Note(id="n", text="t", source=(1,))) is NOTE
    with pytest.raises(TypeError, match="str is no record"):
        type_of("Trip")


def test_records_of_equal_types_are_equal() -> None:
    again = pickle.loads(pickle.dumps(TRIP))
    assert again == TRIP
    assert again.build(values_of(FULL)) == FULL


def test_dict_defaults_are_not_shared() -> None:
    assert TRIP.build({"id": "a", "source": ()}).tags is not TRIP.build({"id": "b", "source": ()}).tags


def test_row() -> None:
    assert TRIP.row(FULL) == ROW


def test_rows_survive_json() -> None:
    rows = json.loads(json.dumps(TRIP.rows([FULL, BARE])))
    assert TRIP.build_rows(rows) == [FULL, BARE]
    assert TRIP.build_rows([]) == []
    assert TRIP.build_rows([ROW]) == [FULL]


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a row of Trip has 10 values, not 9"):
        TRIP.build_rows([ROW[:-1]])


def test_make_tells_all_that_is_wrong() -> None:
    with pytest.raises(CheckError) as refused:
        make(TRIP, {"whom": "ann", "departs": "soon", "paid": "1 EUR"}, "$.values")
    told = [(d.code, d.where, d.message) for d in refused.value.diagnostics]
    assert told == [
        ("field", "$.values.whom", "Trip has no field 'whom'"),
        ("value", "$.values.departs", "'soon' is not a date as When takes it"),
        ("value", "$.values.paid", "'1 EUR' where tuple[Money, ...] belongs"),
        ("missing", "$.values", "Trip needs 'id'"),
        ("missing", "$.values", "Trip needs 'source'"),
    ]


TAGGED: list[tuple[Any, Any]] = [
    (When("2025-03"), {"$when": "2025-03"}),
    (Every("1st fri"), {"$every": "1st fri"}),
    (Money("12.50", "EUR"), {"$money": ["12.50", "EUR"]}),
    (time(15), {"$time": "15:00:00"}),
    (date(2025, 3, 1), {"$date": "2025-03-01"}),
    (datetime(2025, 3, 1, 12), {"$datetime": "2025-03-01T12:00:00"}),
    (Decimal("1.50"), {"$decimal": "1.50"}),
    (Said("x", 3), {"$said": ["x", 3]}),
    (Unknown("moved", 5), {"$unknown": ["moved", 5]}),
    (timedelta(days=7), {"$days": 7}),
    (timedelta(hours=12), {"$days": 0.5}),
    ({2024: 3}, {"$dict": [[2024, 3]]}),
    ({"$when": 1}, {"$dict": [["$when", 1]]}),
    ({("a", 1): 2}, {"$dict": [[["a", 1], 2]]}),
    ({"a": [None, True, 1.5, "x"]}, {"a": [None, True, 1.5, "x"]}),
    (LEG.build({"to": "Faro"}), {"$record": "Leg", "values": {"to": "Faro", "on": None}}),
]


@pytest.mark.parametrize(("value", "tagged"), TAGGED)
def test_tagged(value: Any, tagged: Any) -> None:
    assert encode(value) == tagged
    assert decode(json.loads(json.dumps(tagged)), {"Leg": LEG}) == value


def test_tagged_lists() -> None:
    assert encode((1, {3, 1, 2}, {"a": 1}.keys(), range(2))) == [1, [1, 2, 3], ["a"], [0, 1]]
    assert encode({"b", 1, "a"}) == ["a", "b", 1]
    assert str(decode({"$float": "nan"})) == "nan"


def test_a_record_comes_back_whole() -> None:
    assert decode(encode(FULL), {"Trip": TRIP, "Leg": LEG}) == FULL


@pytest.mark.parametrize(
    ("tagged", "message"),
    [
        ({"$when": "soon"}, "$: 'soon' is nothing that $when takes"),
        ({"$money": ["1e999999999", "EUR"]}, "$: ['1e999999999', 'EUR'] is nothing that $money takes"),
        ({"$when": "2025", "x": 1}, "$: $when stands alone, not beside x"),
        ({"$exec": "x"}, "$: unknown tag $exec"),
        ({"$days": 1e300}, "$: $days does not hold what it should"),
        ({"$record": "Boat", "values": {}}, "$: $record does not hold what it should"),
        ({"$record": "Leg", "values": {"to": 1}}, "$.to: 1 is not text; write it in quotes"),
        ({"$dict": [[{}, 1]]}, "$: $dict does not hold what it should"),
    ],
)
def test_tagged_refused(tagged: Any, message: str) -> None:
    with pytest.raises(ValueError) as refused:
        decode(tagged, {"Leg": LEG})
    assert str(refused.value) == message


def test_what_has_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="a value of type object cannot be returned"):
        encode(object())
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ValueError, match="nested too deeply, or holds itself"):
        encode(loop)


def test_deep_json_is_refused() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="nested too deeply"):
        decode(deep)


def test_the_sealed_worker_imports_the_standard_library_only() -> None:
    code = (
        "import sys; import uac_nb.domainfile.records; "
        "print([m for m in sys.modules if m.split('.')[0] not in sys.stdlib_module_names "
        "and not m.startswith(('uac_nb.rules', 'uac_nb.domainfile', 'uac_nb.errors')) and m not in ('uac_nb', '__main__')])"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert ran.stdout.strip() == "[]"
