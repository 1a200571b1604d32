"""Trying a rule or a derived value before it is taken: the gate, its examples in the sealed engine, and the state as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from uac_nb.changes import Change, Workspace, accept
from uac_nb.check import gate
from uac_nb.check.types import NOT_CHECKED, check_types
from uac_nb.domainfile.text import STATE
from uac_nb.errors import CheckError, Diagnostic, RunError, UacError
from uac_nb.runtime import Engine, Program, program

WHERE = "rules.py"
ENOUGH = 3  # records named in a finding


def unproved(change: Change, workspace: Workspace, engine: Engine, *, today: date) -> tuple[Diagnostic, ...]:
    """What speaks against the rule or the derived value of a change that `workspace` has. Its code runs in the engine alone."""
    assert change.change in ("rule", "derive")
    try:
        gate(workspace.rules, where=WHERE, kind="rules", domains=workspace.domains)
        if change.change == "derive":
            engine.load(program(workspace))
            engine.run(f"{change.id}()", today=today)
            return mistyped(workspace)
        return tuple(_rule(change, workspace, engine, today)) or mistyped(workspace)
    except CheckError as error:
        return error.diagnostics
    except RunError as error:
        return (Diagnostic("rule-run", "$.text", str(error), "put it right; it is run before it is taken"),)


def mistyped(workspace: Workspace) -> tuple[Diagnostic, ...]:
    """What does not hold in the types of the project's code; nothing where no checker is installed."""
    made = program(workspace)
    return tuple(found for found in check_types(made.definitions, made.rules) if found.code != NOT_CHECKED)


def _rule(change: Any, workspace: Workspace, engine: Engine, today: date) -> Iterator[Diagnostic]:
    if not (change.fires and change.quiet):
        yield Diagnostic(
            "rule-examples", "$.fires", "it has no examples", "give one in `fires` and, just past the edge, one in `quiet`"
        )
        return
    for which, wanted in (("fires", True), ("quiet", False)):
        for number, example in enumerate(getattr(change, which)):
            where = f"$.{which}[{number}]"
            try:
                made = _example(example.collections, workspace)
                day = date.fromisoformat(example.today)
            except UacError as error:
                yield Diagnostic(
                    "rule-example", where, f"the example cannot be made: {error}", "give it as changes give `values`"
                )
                continue
            yield from _tried(change.id, made, engine, day, where, wanted)
    fired, wrong = _fired(change.id, program(workspace), engine, today)
    yield from wrong
    if fired:
        named = ", ".join(fired[:ENOUGH])
        hint = "narrow it; if that is a real conflict, say so in `why`"
        yield Diagnostic("rule-early", "$.text", f"it fires on what is recorded now ({named})", hint)


def _tried(id: str, made: Workspace, engine: Engine, day: date, where: str, wanted: bool) -> Iterator[Diagnostic]:
    fired, wrong = _fired(id, program(made), engine, day)
    yield from wrong
    if wrong or bool(fired) is wanted:
        return
    if wanted:
        yield Diagnostic("rule-example", where, "the rule does not fire on this example", "put the rule or the example right")
    else:
        told = f"the rule fires on this example ({', '.join(fired[:ENOUGH])})"
        yield Diagnostic("rule-example", where, told, "it has to be quiet there; put the rule or the example right")


def _fired(id: str, loaded: Program, engine: Engine, day: date) -> tuple[list[str], list[Diagnostic]]:
    """The records that a rule speaks of, and what it does wrong."""
    engine.load(loaded)
    run = engine.rules(today=day, starter=False)
    records = [record for alert in run.alerts if alert.rule == id for record in (alert.records or ("no record",))]
    return list(dict.fromkeys(records)), [found for found in run.findings if id in f"{found.where} {found.message}"]


def _example(collections: Mapping[str, list[dict[str, Any]]], workspace: Workspace) -> Workspace:
    """A project of the same types and rules whose only records are these. Raise CheckError where one does not fit."""
    empty = _emptied(workspace)
    if unknown := [name for name in collections if name not in empty.collections]:
        raise CheckError(Diagnostic("unknown-collection", "", f"this memory has no collection {unknown[0]!r}"))
    done = accept(
        (
            {"change": "add", "collection": name, "id": values.get("id") or f"example-{name}-{n}".replace("_", "-"),
             "values": {key: value for key, value in values.items() if key not in ("id", "source")}, "source": [1]}
            for name, items in collections.items()
            for n, values in enumerate(items, 1)
        ),
        empty,
    )  # fmt: skip
    if done.refused:
        raise CheckError(done.refused[0].diagnostics)
    return done.workspace


def _emptied(workspace: Workspace) -> Workspace:
    files = {WHERE: workspace.rules}
    for name, domain in workspace.domains.items():
        state = "\n".join(f"{c.name}: list[{c.type.name}] = []" for c in domain.collections.values())
        files[f"{name}.py"] = f"{domain.definitions.rstrip()}\n\n{STATE}\n\n{state}\n"
    return Workspace.from_files(files)
