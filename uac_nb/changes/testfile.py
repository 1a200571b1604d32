"""The user's own tests as text: plain functions with asserts, which pytest and the sealed process run alike.

Rules bring their examples along; they stand in a file of their own, so that an undo of the rule takes them back too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from uac_nb.domainfile.imports import IMPORTS, add_imports
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.records import RecordType, make
from uac_nb.domainfile.render import render_record
from uac_nb.errors import CheckError, Diagnostic

if TYPE_CHECKING:
    from uac_nb.changes.vocabulary import AddRule, Example
    from uac_nb.changes.workspace import Workspace

RULE_TESTS = "test_rules.py"
_RIGHTS = """Run them sealed, with `uac-nb test USER` or `user.test()`. Plain pytest works too, but runs generated code, which
the methods and rules of this project are, with your rights.
\"""
"""
RULE_HEAD = f'"""Examples of the rules in rules.py: these must fire and, just past the edge, those must not.\n\n{_RIGHTS}'
USER_HEAD = f'"""What has to hold in this project: invariants, and pinned answers, each as of a day.\n\n{_RIGHTS}'


def with_test(text: str, name: str, lines: Iterable[str], imports: Mapping[str, Iterable[str]]) -> str:
    """The file with one more test, in place of one of that name."""
    text = without(text, [name])
    body = "".join(f"    {line}\n" if line else "\n" for line in lines)
    return add_imports(f"{text.rstrip()}\n\n\ndef {name}() -> None:\n{body}", imports)


def without(text: str, names: Collection[str]) -> str:
    """The file without tests of these names."""
    lines = text.splitlines(keepends=True)
    for node in reversed(parse(text).body):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            del lines[node.lineno - 1 : node.end_lineno]
    return re.sub(r"\n{4,}", "\n\n\n", "".join(lines))


def tests_in(text: str) -> dict[str, int]:
    """The names of the tests in a file, in their order, each with its line."""
    functions = (node for node in parse(text).body if isinstance(node, ast.FunctionDef))
    return {node.name: node.lineno for node in functions if node.name.startswith("test_")}


def homes(names: Iterable[str], workspace: Workspace) -> dict[str, set[str]]:
    """Where names of a test are imported from: types and collections from their domains, words from where they are."""
    found: dict[str, set[str]] = {}
    for name in names:
        kind = workspace.types.get(name)
        if kind and kind.domain:
            home = kind.domain
        elif name in workspace.collections:
            home = workspace.domain_of(name).name
        elif name in IMPORTS:
            home = IMPORTS[name]
        else:
            continue
        found.setdefault(home, set()).add(name)
    return found


# --- the examples of a rule ---


def with_examples(change: AddRule, workspace: Workspace) -> Workspace:
    """The project with the examples of a rule as tests, those it had before taken out. Raise CheckError for a bad one."""
    text = workspace.others.get(RULE_TESTS, "")
    old = [name for name in tests_in(text) if re.fullmatch(rf"test_{change.id}_(fires|is_quiet)(_\d+)?", name)]
    if not (old or change.fires or change.quiet):
        return workspace
    text = without(text or RULE_HEAD, old)
    for which, word, wanted in (("fires", "fires", ""), ("quiet", "is_quiet", "not ")):
        for number, example in enumerate(getattr(change, which)):
            name = f"test_{change.id}_{word}" + (f"_{number + 1}" if number else "")
            try:
                text = _example(text, name, change.id, wanted, example, workspace)
            except (CheckError, ValueError) as error:
                told, hint = f"the example cannot be made: {error}", "give it as changes give `values`"
                raise CheckError(Diagnostic("rule-example", f"$.{which}[{number}]", told, hint)) from None
    return workspace.with_other(RULE_TESTS, text)


def _example(text: str, name: str, rule: str, wanted: str, example: Example, workspace: Workspace) -> str:
    lines = [line for c, items in example.collections.items() for line in _collection(c, items, workspace)]
    given = ", ".join(f'"{c}": {c}' for c in example.collections)
    day = date.fromisoformat(example.today)
    lines.append(f"assert {wanted}run({rule}, {{{given}}}, date({day.year}, {day.month}, {day.day}))")
    used = {node.id for node in ast.walk(parse("\n".join(lines))) if isinstance(node, ast.Name)}
    own = homes(used - set(example.collections), workspace)
    own.setdefault("datetime", set()).add("date")
    return with_test(text, name, lines, {**own, "uac_nb.rules": own.get("uac_nb.rules", set()) | {"run"}, "rules": {rule}})


def _collection(name: str, items: list[dict[str, Any]], workspace: Workspace) -> list[str]:
    if name not in workspace.collections:
        raise CheckError(Diagnostic("unknown-collection", "", f"this memory has no collection {name!r}"))
    kind = workspace.collections[name].type
    records = [_record(kind, f"example-{name}-{number}", values) for number, values in enumerate(items, 1)]
    return [f"{name} = [", *(line for record in records for line in _lines(record)), "]"] if records else [f"{name} = []"]


def _record(kind: RecordType, id: str, values: Mapping[str, Any]) -> Any:
    return make(kind, {"id": id.replace("_", "-"), "source": (1,), **values})


def _lines(record: Any) -> list[str]:
    return [f"    {line}" for line in f"{render_record(record, width=100)},".split("\n")]
