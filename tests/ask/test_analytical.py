"""Questions that other people wrote over record sets of theirs (../shared/data/analytical), without a model.

A wrong answer is worse than none: there is to be none, and a good share of right ones.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from uac_nb.ask import code
from uac_nb.ask.patterns import meanings
from uac_nb.ask.say import said
from uac_nb.ask.scene import Lost
from uac_nb.ask.world import look
from uac_nb.check import gate
from uac_nb.domainfile.annotations import Many, Maybe, Scalar, Type
from uac_nb.domainfile.records import Field, RecordType
from uac_nb.rules import Money, When, continent

TODAY = date(2025, 3, 12)


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


class Life:
    """Several collections, and a plain `exec` in place of the sealed process: the questions are what is tested."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        made = {name: collection(name, table) for name, table in tables.items()}
        self.collections = {name: SimpleNamespace(type=kind) for name, (kind, _) in made.items()}
        self.rules = ""
        self.held = {name: records for name, (_, records) in made.items()}

    def records(self, name: str) -> list[Any]:
        return self.held[name]

    def run(self, query: str) -> tuple[Any, list[Any]]:
        tree = gate(query, where="query", kind="query")
        last = tree.body.pop()
        assert isinstance(last, ast.Expr)
        names: dict[str, Any] = {**self.held, "today": TODAY, "When": When, "Money": Money, "continent": continent}
        exec(compile(tree, "query", "exec"), names)
        return eval(compile(ast.Expression(last.value), "query", "eval"), names), names["records"]


def right(value: Any, gold: Any) -> bool:
    if isinstance(gold, int | float):
        return isinstance(value, int | float) and abs(value - gold) < 0.011
    return sorted(value) == sorted(gold) if isinstance(gold, list) else value == gold


@pytest.mark.parametrize("together", [False, True], ids=["alone", "all ten collections"])
def test_analytical(shared: Path, together: bool) -> None:
    folder = shared / "analytical"
    tables = {f.stem: json.loads(f.read_text()) for f in sorted((folder / "records").glob("*.json"))}
    cases = json.loads((folder / "cases-dev.json").read_text())["cases"]
    lives: dict[Any, Life] = {}
    found = {"right": 0, "wrong": 0, "none": 0}
    wrong = []
    for case in cases:
        names = tuple(tables) if together else (case["type"],)
        size = str(case["n"])
        life = lives.setdefault((names, size), Life({name: tables[name][size] for name in names}))
        try:
            (plan,) = meanings(case["question"], look(life, TODAY))
        except (Lost, ValueError):  # not understood, or as about several
            found["none"] += 1
            continue
        value, _ = said(plan, *life.run(code.write(plan)))
        ok = right(value, case["gold"])
        found["right" if ok else "wrong"] += 1
        wrong += [] if ok else [(case["question"], case["gold"], value)]
    print(found)
    assert wrong == []
    assert found["right"] >= 45
