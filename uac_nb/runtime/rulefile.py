"""A user's rules.py as text: what it defines, and which of it the gate refuses, part by part."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from uac_nb.check.gate import examine, line_of
from uac_nb.errors import Diagnostic
from uac_nb.rules.traits import trait_of
from uac_nb.runtime.fields import fields_read

WHERE = "rules.py"
OFF = "OFF"  # OFF = ("name of a starter rule", …) switches these off


@dataclass(frozen=True)
class RuleFile:
    """What of a rules.py may run: `text` has every line where it stood. `findings` name each part that may not."""

    text: str = ""
    rules: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    off: frozenset[str] = frozenset()
    findings: tuple[Diagnostic, ...] = ()
    reads: Mapping[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)  # fields, by rule and collection
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # collections, by function


def read(text: str, domains: Collection[str]) -> RuleFile:
    """Read a rules.py. A function that is refused is left out with a finding; the others stay."""
    findings: list[Diagnostic] = []
    while True:
        tree, found = examine(text, where=WHERE, kind="rules", domains=domains)
        if tree is None:
            return RuleFile(findings=(*findings, *found))
        if not found:
            rules, derived = _marked(tree, "rule"), _marked(tree, "derived")
            functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
            named = {node.name: _named(node) for node in functions}
            reads = {
                node.name: {name: fields for name, fields in fields_read(node).items() if name in named[node.name]}
                for node in functions
            }
            return RuleFile(text, rules, derived, frozenset(_off(tree)), tuple(findings), reads, named)
        refused = [(finding, _part(tree, line_of(finding))) for finding in found]
        findings += [_left_out(finding, part) for finding, part in refused]
        if any(part is None for _, part in refused):
            return RuleFile(findings=tuple(findings))
        text = _without(text, [part for _, part in refused if part])


def _marked(tree: ast.Module, mark: str) -> tuple[str, ...]:
    """The functions that are decorated with @rule(…) or @derived, in their order."""
    marks = {
        node.name: {ast.unparse(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list}
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }
    return tuple(name for name, found in marks.items() if mark in found)


def _named(function: ast.FunctionDef) -> tuple[str, ...]:
    """The collections that the parameters of a function name; what is bound by a trait names none."""
    arguments = (*function.args.posonlyargs, *function.args.args)
    return tuple(a.arg for a in arguments if not (a.annotation and trait_of(ast.unparse(a.annotation))))


def _off(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple(elts=items) | ast.List(elts=items)) if name == OFF:
                yield from (item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str))


def _part(tree: ast.Module, line: int) -> ast.stmt | None:
    return next((part for part in tree.body if line in _lines(part)), None)


def _lines(part: ast.stmt) -> range:
    decorators: list[ast.expr] = getattr(part, "decorator_list", [])
    return range(min(part.lineno, *(d.lineno for d in decorators), part.lineno), (part.end_lineno or part.lineno) + 1)


def _left_out(finding: Diagnostic, part: ast.stmt | None) -> Diagnostic:
    name = part.name if isinstance(part, ast.FunctionDef) else ""
    return replace(finding, message=f"the rule {name} is off: {finding.message}") if name else finding


def _without(text: str, parts: Iterable[ast.stmt]) -> str:
    """The text with these parts blank, so that all others keep their lines."""
    lines = text.split("\n")
    for part in parts:
        for line in _lines(part):
            lines[line - 1] = ""
    return "\n".join(lines)
