"""Questions that other people wrote over record sets of theirs (../shared/data/analytical), without a model.

A wrong answer is worse than none: there is to be none, and a good share of right ones.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from uac_nb.ask.bind import NotUnderstood, readings
from uac_nb.ask.evaluate import evaluate
from uac_nb.ask.render import render
from uac_nb.ask.table import Table, World
from uac_nb.check import gate
from uac_nb.domainfile.annotations import Many, Maybe, Scalar, Type
from uac_nb.domainfile.records import Field, RecordType
from uac_nb.rules import Money, When, continent

TODAY = date(2026, 1, 1)  # the day after all that is recorded, of which the answers count everything


def inferred(values: Sequence[Any]) -> Type:
    """The type of a column, as a reader of the values would choose it."""
    there = [v for v in values if v is not None]
    if len(there) < len(values):
        return Maybe(inferred(there))
    for of, name in ((bool, "bool"), (int, "int"), (int | float, "float")):
        if all(isinstance(v, of) for v in there):
            return Scalar(name)
    if all(isinstance(v, list) for v in there):
        return Many(Scalar("str"))
    for form, name in ((r"\d{4}-\d\d-\d\d", "When"), (r"\d\d:\d\d", "time")):
        if all(re.fullmatch(form, v) for v in there):
            return Scalar(name)
    return Scalar("str")


def collection(name: str, table: Mapping[str, Any]) -> tuple[RecordType, list[Any]]:
    rows = [dict(zip(table["fields"], row, strict=True)) for row in table["rows"]]
    for number, row in enumerate(rows, 1):
        row |= {"id": f"{name}-{row['id']}", "source": [number]}
    fields = [Field(key, inferred([row[key] for row in rows])) for key in table["fields"]]
    kind = RecordType(name.title().removesuffix("s"), (*fields, Field("source", Many(Scalar("int")))))
    return kind, [kind.coerce(row) for row in rows]


def run(query: str, world: World) -> Any:
    """The value of code over some tables: a plain `exec`, since the questions are what is tested."""
    tree = gate(query, where="query", kind="query")
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    records = {name: table.records for name, table in world.tables.items()}
    names: dict[str, Any] = {**records, "today": TODAY, "When": When, "Money": Money, "continent": continent}
    names |= {"date": date, "time": time, "timedelta": timedelta}
    exec(compile(tree, "query", "exec"), names)
    return eval(compile(ast.Expression(last.value), "query", "eval"), names)


def right(value: Any, gold: Any) -> bool:
    if isinstance(gold, int | float):
        return isinstance(value, int | float) and abs(value - gold) < 0.011
    return sorted(value) == sorted(gold) if isinstance(gold, list) else value == gold


@pytest.mark.parametrize("together", [False, True], ids=["alone", "all ten collections"])
def test_analytical(shared: Path, together: bool) -> None:
    folder = shared / "analytical"
    tables = {f.stem: json.loads(f.read_text()) for f in sorted((folder / "records").glob("*.json"))}
    cases = json.loads((folder / "cases-dev.json").read_text())["cases"]
    worlds: dict[Any, World] = {}
    found = {"right": 0, "wrong": 0, "none": 0}
    wrong = []
    for case in cases:
        names = tuple(tables) if together else (case["type"],)
        size = str(case["n"])
        if (names, size) not in worlds:
            made = {name: collection(name, tables[name][size]) for name in names}
            worlds[names, size] = World({name: Table(name, kind, records) for name, (kind, records) in made.items()})
        world = worlds[names, size]
        try:
            (reading,) = readings(case["question"], world, TODAY)
        except (NotUnderstood, ValueError):  # not understood, or as about several
            found["none"] += 1
            continue
        answer = evaluate(reading.query, {name: table.records for name, table in world.tables.items()})
        value, shown = answer.value, run(render(reading.query, world.tables, answer), world)
        assert (shown if answer.exact else shown[0]) == value, case["question"]
        single = isinstance(value, list) and len(value) == 1 and not isinstance(case["gold"], list)
        ok = right(value[0] if single else value, case["gold"])
        found["right" if ok else "wrong"] += 1
        wrong += [] if ok else [(case["question"], case["gold"], value)]
    print(found)
    assert wrong == []
    assert found["right"] >= 45
