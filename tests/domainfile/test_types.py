"""Annotations, and what values they take."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from uac_nb.domainfile.annotations import Choice, Fixed, Many, Maybe, Nested, Scalar, Table, parse_type
from uac_nb.domainfile.records import Field, RecordType
from uac_nb.domainfile.types import Misfit, coerce
from uac_nb.rules import Every, Money, Said, When
from uac_nb.rules.every import FORMS as EVERY_FORMS

PERSON = RecordType("Person", (Field("id", Scalar("str")), Field("born", Maybe(Scalar("When")), None)))

ANNOTATIONS = {
    "str": Scalar("str"),
    "When | None": Maybe(Scalar("When")),
    "None | When": Maybe(Scalar("When")),
    'Literal["a", "b"]': Choice(("a", "b")),
    "Literal[1, -2]": Choice((1, -2)),
    'Literal["a", None]': Maybe(Choice(("a",))),
    "tuple[int, ...]": Many(Scalar("int")),
    "tuple[str, Money]": Fixed((Scalar("str"), Scalar("Money"))),
    "dict[str, tuple[Said, ...]]": Table(Many(Scalar("Said"))),
    "tuple[Person, ...] | None": Maybe(Many(Nested(PERSON))),
}


@pytest.mark.parametrize("text", ANNOTATIONS)
def test_annotation(text: str) -> None:
    assert parse_type(text, {"Person": Nested(PERSON)}) == ANNOTATIONS[text]


@pytest.mark.parametrize("text", [text for text in ANNOTATIONS if "None |" not in text and ", None]" not in text])
def test_annotation_is_written_as_it_was_read(text: str) -> None:
    assert str(ANNOTATIONS[text]) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("list[str]", "list[str] is no type that a field can have; write tuple[X, ...]: records are frozen"),
        ("Optional[str]", "Optional[str] is no type that a field can have; write X | None"),
        ("Deciml", "Deciml is no type that a field can have; did you mean 'Decimal'?"),
        ("int | str", "int | str: of several types only X | None can be told apart; choose one"),
        ("tuple[str]", "tuple[str] holds exactly one value; write tuple[str, ...]"),
        ("dict[int, str]", "dict[int, str]: the keys of a dict are str; write dict[str, X]"),
        ("Literal[x]", "Literal[x]: write the choices as text or numbers"),
        ("'Person'", '"Person" stands in quotes; write Person, defined above'),
        ("str str", "'str str' is not an annotation"),
        ("open('x')", "open('x') is no type that a field can have"),
    ],
)
def test_annotation_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError) as refused:
        parse_type(text)
    assert str(refused.value) == message


TAKEN: list[tuple[str, Any, Any]] = [
    ("str", "a", "a"),
    ("int", 3, 3),
    ("int", 3.0, 3),
    ("int", "-3", -3),
    ("float", 3, 3),
    ("float", "2.5", 2.5),
    ("bool", False, False),
    ("Decimal", "12.50", Decimal("12.50")),
    ("Decimal", 12.5, Decimal("12.5")),
    ("date", "2025-03-10", date(2025, 3, 10)),
    ("date", When("2025-03-10"), date(2025, 3, 10)),
    ("datetime", "2025-03-10T15:00", datetime(2025, 3, 10, 15)),
    ("time", "15:00", time(15)),
    ("time", {"$time": "15:00:30"}, time(15, 0, 30)),
    ("When", "2025-03-10", When("2025-03-10")),
    ("Every", "1st fri", Every("1st fri")),
    ("Every", {"$every": "2x week"}, Every("2x week")),
    ("When", date(2025, 3, 10), When("2025-03-10")),
    ("When", {"$when": "../2021"}, When("../2021")),
    ("Money", "12.50 EUR", Money("12.50", "EUR")),
    ("Money", {"amount": 12.5, "currency": "EUR"}, Money("12.5", "EUR")),
    ("Money", {"$money": ["3", "USD"]}, Money(3, "USD")),
    ("Said", {"text": "loves dogs", "source": 12}, Said("loves dogs", 12)),
    ("str | None", None, None),
    ('Literal["a", "b"]', "b", "b"),
    ("tuple[int, ...]", [1, 2], (1, 2)),
    ("tuple[When, ...]", ["2025", When("2024")], (When("2025"), When("2024"))),
    ("tuple[str, int]", ["a", 1], ("a", 1)),
    ("dict[str, Decimal]", {"a": "1.5"}, {"a": Decimal("1.5")}),
    ("Person", {"id": "ann", "born": "1990"}, PERSON.build({"id": "ann", "born": When("1990")})),
    ("Person", {"$record": "Person", "values": {"id": "ann"}}, PERSON.build({"id": "ann"})),
]


@pytest.mark.parametrize(("text", "plain", "value"), TAKEN)
def test_coerce(text: str, plain: Any, value: Any) -> None:
    got = coerce(parse_type(text, {"Person": Nested(PERSON)}), plain)
    assert got == value
    assert type(got) is type(value)


FORMS = (
    "write it as 2025-03-10, 2025-03, 2025, 2025-W11, 2025-22 (summer), 2025-03-10/2025-03-17, ../2025, 2025-03-10~ or --03-10"
)

EVERY = f"write it as {EVERY_FORMS}"
DAY = "write it as in 2025-03-10; a day that is not sure takes a field of type When"
SAID = 'write it as in {"text": "loves dogs", "source": 12}'
REFUSED: list[tuple[str, Any, str]] = [
    ("str", 7, "$: 7 is not text; write it in quotes"),
    ("int", True, "$: True is not a whole number; write it as in 3"),
    ("int", 2.5, "$: 2.5 is not a whole number; write it as in 3"),
    ("float", "nan", "$: 'nan' is not a finite number; write it as in 3.5"),
    ("float", float("inf"), "$: inf is not a finite number; write it as in 3.5"),
    ("bool", "true", "$: 'true' is neither true nor false; write true or false, without quotes"),
    ("Decimal", "1e999999999", "$: '1e999999999' is not a number; write it as in \"12.50\""),
    ("Decimal", "1e-999999999", "$: '1e-999999999' is not a number; write it as in \"12.50\""),
    ("date", "2025-03", f"$: '2025-03' is not a day; {DAY}"),
    ("datetime", "2025-03-10", "$: '2025-03-10' is not a moment; write it as in 2025-03-10T15:00"),
    ("time", "3pm", "$: '3pm' is not a time of day; write it as in 15:00"),
    ("When", "10 March", f"$: '10 March' is not a date as When takes it; {FORMS}"),
    ("When", "2025/2024", "$: '2025/2024' is not a date as When takes it; the end lies before the start"),
    ("Money", "12 euros", "$: '12 euros' is not an amount; write the currency as three capital letters, as in 'EUR'"),
    ("Money", 12, '$: 12 is not an amount; write it as in "12.50 EUR", or {"amount": "12.50", "currency": "EUR"}'),
    ("Said", "loves dogs", f"$: 'loves dogs' is not a phrase with its source; {SAID}"),
    ('Literal["booked", "done"]', "bookd", "$: 'bookd' is no choice; did you mean 'booked'? one of \"booked\", \"done\""),
    ('Literal["booked", "done"]', None, '$: None is no choice; one of "booked", "done"'),
    ("tuple[str, ...]", "a", "$: 'a' where tuple[str, ...] belongs; write a list, even of one: […]"),
    ("tuple[int, ...]", [1, "x"], "$[1]: 'x' is not a whole number; write it as in 3"),
    ("tuple[str, int]", ["a"], "$: 1 values where tuple[str, int] takes 2"),
    ("dict[str, int]", [1], '$: [1] where dict[str, int] belongs; write {"key": value}'),
    ("dict[str, int]", {"a": "x"}, "$[\"a\"]: 'x' is not a whole number; write it as in 3"),
    ("Person", {"id": "a", "bron": "1990"}, "$.bron: Person has no field 'bron'; did you mean 'born'?"),
    ("Person", {"born": "1990"}, "$: Person needs 'id'; add id, of type str"),
    ("Person", "ann", "$: 'ann' where Person belongs; write its fields: id, born"),
    ("Every", "tuesdays", "$: 'tuesdays' is not a time that comes again; " + EVERY),
    ("When", {"$when": 5}, "$: 5 is nothing that $when takes"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "plain", "message"), REFUSED)
def test_coerce_refused(text: str, plain: Any, message: str) -> None:
    with pytest.raises(Misfit) as refused:
        coerce(parse_type(text, {"Person": Nested(PERSON)}), plain)
    assert str(refused.value) == message


def test_the_path_leads_to_the_part_that_is_wrong() -> None:
    people = parse_type("dict[str, tuple[Person, ...]]", {"Person": Nested(PERSON)})
    with pytest.raises(Misfit) as refused:
        coerce(people, {"a": [{"id": "x"}, {"id": "y", "born": "soon"}]}, "$.values.groups")
    assert refused.value.path == '$.values.groups["a"][1].born'
