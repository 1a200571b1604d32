"""`gate`: whether a text may run, and if not, why not and what to write instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Literal

from uac_nb.check import shape
from uac_nb.check import text as texts
from uac_nb.check import tree as trees
from uac_nb.domainfile.parsing import parse
from uac_nb.errors import CheckError, Diagnostic

Kind = Literal["query", "definitions", "rules", "tests"]
_AT_MOST = 20  # findings
_LONGEST = 200_000  # characters of code
_STATE = re.compile(r"^# --- state ---[ \t]*$", re.MULTILINE)


def gate(text: str, *, where: str, kind: Kind, domains: Collection[str] | None = None) -> ast.Module:
    """Check code that somebody else wrote, and give its syntax tree. Raise CheckError with all that is wrong.

    A query may be any code that stays with its records; definitions (the part of a domain file above its state line; the
    rest is looked at as text only) hold nothing that runs when they are loaded; rules hold functions, and tests functions
    without parameters that assert something. `domains` are the
    modules of the project that may be imported; None: any that is no known package. `where` is "query", "travel.py", …
    """
    tree, found = examine(text, where=where, kind=kind, domains=domains)
    if tree is None or found:
        raise CheckError(found)
    return tree


def examine(
    text: str, *, where: str, kind: Kind, domains: Collection[str] | None = None
) -> tuple[ast.Module | None, list[Diagnostic]]:
    """What is wrong with a text, in the order of its lines, and its syntax tree where it has one."""
    code = _above_state(text) if kind == "definitions" else text
    if len(code) > _LONGEST:
        message = f"{len(code):,} characters of code; at most {_LONGEST:,} are read"
        return None, [Diagnostic("too-long", where, message, "split it, or write it shorter")]
    if found := _some(texts.odd(code, text[len(code) :], where)):
        return None, found
    return _examine(code, where, kind, domains)


def _above_state(text: str) -> str:
    """What stands above the last state line: at least all that stands above the one that counts."""
    return text[: max((match.start() for match in _STATE.finditer(text)), default=len(text))]


def _examine(text: str, where: str, kind: Kind, domains: Collection[str] | None) -> tuple[ast.Module | None, list[Diagnostic]]:
    try:
        tree = parse(text)
        findings = [*trees.names(text, where), *trees.check(tree, where, domains)]
        if kind != "query":
            findings += shape.check(tree, where, kind)
        if not findings:
            texts.compiles(tree, where)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return None, [texts.syntax(error, text, where)]
    return tree, _some(iter(sorted(dict.fromkeys(findings), key=line_of)))


def line_of(finding: Diagnostic) -> int:
    """The line that a finding is about, from 1; 0 where it is about the whole."""
    number = finding.where.rpartition(":")[2]
    return int(number) if number.isdigit() else 0


def _some(findings: Iterator[Diagnostic]) -> list[Diagnostic]:
    return list(islice(findings, _AT_MOST))
