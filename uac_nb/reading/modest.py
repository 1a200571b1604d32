"""What a model's rule may not take for itself: the gravest severity, a name that passes for one of ours, ways to reach people.

A rule speaks to a person for years, so one that a text talked a model into is not to look like what protects them. Who wants
such a rule writes it by hand.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from uac_nb.changes.vocabulary import AddRule
from uac_nb.domainfile.parsing import parse
from uac_nb.errors import Diagnostic
from uac_nb.rules.alerts import CONTACT

ALIKE = 2  # letters by which a name may differ from another that it would be taken for
MODEST = ("warning", "info")


def immodest(change: AddRule) -> Iterator[Diagnostic]:
    """What a rule has that only a person gives one."""
    from uac_nb.starter import RULES  # late: few changes are rules

    tree = parse(change.text)
    marks = [mark for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for mark in node.decorator_list]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not _modestly(node, node in marks):
            where, hint = f"$.text:{node.lineno}", 'write "warning" or "info"; a person alone makes a rule critical, by hand'
            yield Diagnostic("rule-severity", where, "it does not say in plain words that it is a warning at most", hint)
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    for found in filter(None, map(CONTACT.search, [*strings, *re.findall("#.*", change.text)])):
        hint = "say what to do without a number, a link or an address"
        yield Diagnostic("rule-contact", "$.text", f"{found[0]!r} is a way to reach somebody", hint)
    for ours in (rule.__name__ for rule in RULES):
        if change.id != ours and distance(_singular(change.id), _singular(ours)) <= ALIKE:
            told = f"{change.id} would be taken for {ours}, which comes with us"
            yield Diagnostic("rule-name", "$.id", told, "choose a name that says what is its own")


def _modestly(call: ast.Call, marks: bool) -> bool:
    """Whether a call, which may mark a function, gives no severity but a modest one, spelled out."""
    if marks:
        given = [*call.args, *(k.value for k in call.keywords)]
    else:
        given = [k.value for k in call.keywords if k.arg in ("severity", None)]  # None: of a mapping nobody sees what is in it
    return all(isinstance(value, ast.Constant) and value.value in (*MODEST, None) for value in given)


def _singular(name: str) -> str:
    return "_".join(
        part.removesuffix("ies") + "y" if part.endswith("ies") else part.removesuffix("s") for part in name.split("_")
    )


def distance(one: str, other: str) -> int:
    """The letters to put in, take out or replace to make one word of another.

    >>> distance("medicine_against_allergy", "medicines_against_alergy")
    2
    """
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        new = [at]
        for (before, above), wanted in zip(pairwise(row), other, strict=True):
            new.append(min(before + (letter != wanted), above + 1, new[-1] + 1))
        row = new
    return row[-1]
