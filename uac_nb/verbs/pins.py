"""The user's own tests: answers pinned as of a day, and running them all sealed.

A pin says what a question comes to as of a day: `today` is that day, and the records are all that is known when the test
runs, under pytest as well as here. (What was known on a day never changes, so a pin on that alone could never fail.) So what
is learned later about an earlier time and changes the answer is reported, with the records that came, changed or went since;
if the new answer is right, it is written in the test. What happens after the day matters to a pin as far as its code does not
compare with `today`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, count, takewhile
from typing import Any

from uac_nb.changes import Workspace
from uac_nb.changes.testfile import USER_HEAD, homes, tests_in, with_test
from uac_nb.check import gate
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.render import render_value
from uac_nb.domainfile.words import quoted
from uac_nb.errors import CheckError, Diagnostic, RunError
from uac_nb.project import Project
from uac_nb.runtime import Engine, program

DEADLINE = 5.0  # seconds for a test
SHOWN = 3  # records that a finding names


@dataclass(frozen=True)
class Tested:
    """The tests of a project: how many there are, and a finding for each that fails."""

    count: int
    findings: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.findings

    def __str__(self) -> str:
        failed = len(self.findings)
        return "\n".join([f"{self.count - failed} passed, {failed} failed", *map(str, self.findings)])


def tested(workspace: Workspace, engine: Engine, project: Project) -> Tested:
    """Run all tests of a project in an engine, each by itself.

    Of one that fails the finding also says what became of the records that it names since it was written.
    """
    engine.load(program(workspace))
    names, findings = 0, list[Diagnostic]()
    for path, text in sorted(workspace.others.items()):
        if is_tests(path):
            domains = {*workspace.domains, "rules"}
            try:
                gate(text, where=path, kind="tests", domains=domains)
            except CheckError as error:
                findings += error.diagnostics
                names += len(error.diagnostics)
                continue
            names += len(tests_in(text))
            for name, finding in _failing(path, text, engine):
                findings.append(replace(finding, hint=_since(name, path, workspace, project)))
    return Tested(names, tuple(findings))


def is_tests(path: str) -> bool:
    """Whether a file of a project holds tests."""
    return path.startswith("test_") and path.endswith(".py") and "/" not in path


def is_code(text: str) -> bool:
    """Whether a text is Python, rather than a question."""
    try:
        parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _failing(path: str, text: str, engine: Engine) -> Iterator[tuple[str, Diagnostic]]:
    """The tests that fail, by name, and why."""
    telling = _telling(text)
    for name, line in tests_in(text).items():
        try:
            engine.run(f"{telling}\n{name}()", today=date.min, deadline=DEADLINE)
        except RunError as error:
            where, _, what = str(error).partition(": ")
            at = where.removeprefix("query:") if where.startswith("query:") else str(line)
            yield name, Diagnostic("test", f"{path}:{at}", f"{name}: {what}")


def _telling(text: str) -> str:
    """The tests with what they compare told where they fail; the lines stay where they are."""
    lines = text.split("\n")
    for node in ast.walk(parse(text)):
        match node:
            case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]), msg=None, end_lineno=int(end)):
                line = lines[end - 1].encode()
                told = f", repr({ast.unparse(left)}) + ' is not ' + repr({ast.unparse(right)})"
                lines[end - 1] = (line[: node.end_col_offset] + told.encode() + line[node.end_col_offset :]).decode()
    return "\n".join(lines)


# --- what became of the records ---


def _since(name: str, path: str, workspace: Workspace, project: Project) -> str:
    """What became of the records that a test names since it was written as it is; "" where nothing did."""
    test = _test(workspace.others[path], name)
    versions = (commit.id for commit in project.commits_touching(path))
    as_it_is = [*takewhile(lambda id: _test(project.text(path, id) or "", name) == test, versions)]
    before = Workspace.from_files(project.files(as_it_is[-1]), like=workspace) if as_it_is else workspace
    told = [t for c in _collections(test, workspace) for t in _became(before.records(c), workspace.records(c))]
    more = f" and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
    return f"since it was written {', '.join(told[:SHOWN])}{more}; if the new answer is right, write it there" if told else ""


def _test(text: str, name: str) -> str:
    """The source of one test; "" where there is none of that name."""
    body = parse(text).body if is_code(text) else []
    return next((ast.unparse(node) for node in body if isinstance(node, ast.FunctionDef) and node.name == name), "")


def _collections(test: str, workspace: Workspace) -> list[str]:
    """The collections that a test reads: those that it names and does not make itself."""
    names = [node for node in ast.walk(parse(test)) if isinstance(node, ast.Name)]
    made = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return sorted({node.id for node in names} & {*workspace.collections} - made)


def _became(before: Iterable[Any], now: Iterable[Any]) -> Iterator[str]:
    had = {record.id: record for record in before}
    for record in now:
        old = had.pop(record.id, None)
        if old != record:
            entries = sorted({*record.source} - {*(old.source if old else ())})
            by = f" with entr{'ies' if len(entries) > 1 else 'y'} {', '.join(map(str, entries))}" if entries else ""
            yield f"{record.id} {'changed' if old else 'came'}{by}"
    yield from (f"{id} went" for id in had)


# --- pins ---


def pinned(text: str, workspace: Workspace, engine: Engine, what: str, code: str, as_of: date) -> str:
    """The test file with one more test: that `code`, as of a day, comes to what it comes to now.

    `what` is the question, or the code again. Raise CheckError where it has no value that can be written down, and RunError.
    """
    body = parse(code).body
    if not (body and isinstance(body[-1], ast.Expr)):
        raise _refused("the code has no value to pin", "end it with an expression, as in len(trips)")
    engine.load(program(workspace))
    value = engine.run(code, today=as_of).value
    text = text or USER_HEAD
    slug = re.sub(r"[^a-z0-9]+", "_", what.lower()).strip("_")[:50].rstrip("_")
    name = next(name for n in count(1) if (name := f"test_{slug}" + (f"_{n}" if n > 1 else "")) not in tests_in(text))
    for claim in _claims(ast.unparse(body[-1]), value):
        new = _with_pin(text, workspace, name, what, body[:-1], claim, as_of)
        if name not in dict(_failing("test_pin.py", new, engine)):
            return new
    raise _refused(
        "it does not come to the same again in a test", "name in it only collections, types, `today` and what it imports"
    )


def _claims(expression: str, value: Any) -> Iterator[str]:
    """Ways to say what an expression comes to. What leaves the sealed process as a list may be a tuple or a set in it."""
    try:
        plain = _literal(value)
    except TypeError:
        raise _refused(f"a value of type {type(value).__name__} cannot be written down", "pin ids, numbers or names") from None
    yield f"{expression} is {plain}" if value is None or isinstance(value, bool) else f"{expression} == {plain}"
    if isinstance(value, list):
        inner = [_tuples(item) for item in value]
        yield f"{expression} == {_literal(inner)}"
        yield f"{expression} == {_literal(tuple(inner))}"
        yield f"set({expression}) == set({_literal(inner)})"


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _literal(value: Any) -> str:
    match value:
        case list():
            return f"[{', '.join(map(_literal, value))}]"
        case dict():
            return "{" + ", ".join(f"{_literal(key)}: {_literal(item)}" for key, item in value.items()) + "}"
    return render_value(value)


def _with_pin(
    text: str, workspace: Workspace, name: str, what: str, body: list[ast.stmt], claim: str, as_of: date
) -> str:  # fmt: skip
    steps = [node for node in body if not isinstance(node, ast.Import | ast.ImportFrom)]
    lines = [*chain.from_iterable(ast.unparse(node).split("\n") for node in steps), f"assert {claim}"]
    used = {node.id for node in ast.walk(parse("\n".join(lines))) if isinstance(node, ast.Name)}
    lines.insert(0, quoted(f"{what.rstrip('.')}{'' if what.endswith('?') else '.'} As of {as_of}."))
    if "today" in used:
        lines.insert(1, f"today = date({as_of.year}, {as_of.month}, {as_of.day})")
        used.add("date")
    imports = {"": {ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom)}}
    return with_test(text, name, lines, {**homes(used, workspace), **imports})


def _refused(message: str, hint: str) -> CheckError:
    return CheckError(Diagnostic("pin", "", message, hint))
