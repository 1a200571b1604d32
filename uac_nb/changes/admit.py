"""The one gate for what is not a person's own: a model's changes when they are accepted, and all that an archive brings.

What passes becomes Python that the person is invited to run. So a define is one class of plain fields, a rule or a derived
value is one function, nothing of theirs changes what stands beside it, and the files that come out are looked at whole.

The gate never stands in a replay of the own log. What was accepted once has to rebuild to the same files, also where a later
gate is stricter, and names that were free may be those of a package by now; sealed and refused there, such code does not run.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator

from uac_nb.changes.vocabulary import AddRule, Change, Define, Derive, Extend, Rename, Reshape
from uac_nb.changes.workspace import NOTES, RULES, Workspace
from uac_nb.check import Kind
from uac_nb.check.gate import examine
from uac_nb.check.text import odd
from uac_nb.domainfile.names import BOUND, check_names
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.parts import INIT
from uac_nb.errors import CheckError, Diagnostic
from uac_nb.rules import __all__ as WORDS

_FILE = re.compile(r"[a-z][a-z0-9_]*(/[a-z0-9_]+)?\.py")
LONGEST_CHOICE = 60
CODE = (Define, Extend, Reshape, Derive, AddRule, Rename)
_MARKS = {"rule": "rule", "derive": "derived"}


def admit(change: Change, before: Workspace, after: Workspace, *, installed: bool = True) -> None:
    """Raise CheckError where a change that leads from one project to another may not come from others.

    `installed`: whether a new domain may have the name of a package that is installed here.
    """
    found: list[Diagnostic] = []
    if isinstance(change, Define):
        found += _class(change, before, installed)
    elif isinstance(change, AddRule | Derive):
        found += _function(change, before)
    elif isinstance(change, Extend):
        found += _data(change)
    if not found and isinstance(change, CODE):  # the others write values, which are rendered here and read as data
        found += _worse(before, after)
    if found:
        raise CheckError(found)


def admit_edit(paths: Collection[str], before: Workspace, after: Workspace) -> None:
    """Raise CheckError where files that somebody else edited by hand may not become those of a project here."""
    found: list[Diagnostic] = []
    for path in paths:
        name = path.removesuffix(".py").partition("/")[0]
        if not _FILE.fullmatch(path):
            told = f"{path[:80]!r} is no file of a project"
            found.append(Diagnostic("name", path[:80], told, "it holds domains, rules.py and test_*.py"))
        elif kind_of(path) == "definitions" and name not in before.domains and name != NOTES:
            found += check_names(domain=name, where=path, installed=False)
    found = found or [*_worse(before, after)]
    if found:
        raise CheckError(found)


def kind_of(path: str) -> Kind:
    """What a file of a project is to the check of its text."""
    name = path.rpartition("/")[2]
    return "tests" if name.startswith("test_") and name == path else "rules" if path == RULES else "definitions"


# --- the text of a change ---


def _class(change: Define, before: Workspace, installed: bool) -> Iterator[Diagnostic]:
    where = "$.text"
    if change.domain not in before.domains or change.domain == NOTES:
        yield from check_names(domain=change.domain, where="$.domain", installed=installed)
    yield from check_names(collection=change.collection, where="$.collection")
    body, found = _body(change.text, where)
    yield from found
    if found:
        return
    if len(body) != 1 or not isinstance(body[0], ast.ClassDef):
        yield _more(body, ast.ClassDef, where, "a class", "write one class with its fields; its collection is added for you")
        return
    for part in ast.walk(body[0]):
        if isinstance(part, ast.FunctionDef) and part.name.startswith("__"):
            hint = "records are plain values; use a property or a method"
            yield Diagnostic("method", f"{where}:{part.lineno}", f"{body[0].name}.{part.name} may not be defined", hint)


def _function(change: AddRule | Derive, before: Workspace) -> Iterator[Diagnostic]:
    from uac_nb.starter import RULES as STARTERS  # late: a change of records needs none of them

    where, name = "$.text", change.id
    body, found = _body(change.text, where)
    yield from found
    if found:
        return
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef):
        yield _more(body, ast.FunctionDef, where, "a function", "write one function, and what it needs inside it")
        return
    mark = _MARKS[change.change]
    if name != body[0].name:
        yield Diagnostic("rule-name", where, f"the text defines {body[0].name!r}, not {name!r}", "its name has to be the id")
    if mark not in _marks(body[0]):
        yield Diagnostic("decorator", where, f"{name} is not marked as @{mark}", f"write @{mark} above it")
    if name in {rule.__name__ for rule in STARTERS}:
        hint = "only a person replaces one or switches it off; choose another name"
        yield Diagnostic("rule-name", "$.id", f"{name} is a rule that comes with us", hint)
    there = parse(before.rules).body if before.rules else []
    taken = next((node for node in there if name in _bound(node)), None)
    if taken and not (isinstance(taken, ast.FunctionDef) and mark in _marks(taken)):
        yield Diagnostic("rule-name", "$.id", f"rules.py has something else called {name!r}", "choose another name")
    elif name in BOUND or name in WORDS or name in before.collections or name in before.domains:
        yield Diagnostic("rule-name", "$.id", f"{name!r} is called something else already", "choose another name")
    homes = {bound: node for node in there for bound in _bound(node)}
    for node in parse(change.text).body:
        for bound in _bound(node) if isinstance(node, ast.Import | ast.ImportFrom) else ():
            other = homes.get(bound)
            if bound in BOUND or bound == name or (other and _home(other) != _home(node)):
                told = f"the import of {bound} would hide another {bound}"
                yield Diagnostic("import", f"{where}:{node.lineno}", told, "import its module instead: import math")


def _data(change: Extend) -> Iterator[Diagnostic]:
    """What becomes part of a class as a word in quotes, or as a comment: one line that shows what it is."""
    for field in change.fields:
        if not field.comment.isprintable():
            told = f"the comment of {field.name} is no plain line: {field.comment[:40]!r}"
            yield Diagnostic("comment", f"$.fields.{field.name}", told, "say in a few words what it holds")
    for name, choices in change.choices.items():
        for choice in choices:
            if len(choice) > LONGEST_CHOICE or not choice.isprintable():
                told = f"{choice[:40]!r} is no choice but a text"
                yield Diagnostic("choice", f"$.choices.{name}", told, f"write a word or two, up to {LONGEST_CHOICE} characters")


def _body(text: str, where: str) -> tuple[list[ast.stmt], list[Diagnostic]]:
    """What a text holds besides imports, and what no text of a model may hold."""
    if found := [*odd(text, "", where)][:20]:
        return [], found
    try:
        nodes = parse(text).body
        found = [*_hidden(nodes, where)]
    except SyntaxError as error:
        return [], [Diagnostic("syntax", f"{where}:{error.lineno or 1}", error.msg, "send it whole, with its imports")]
    except (ValueError, RecursionError, MemoryError):
        return [], [Diagnostic("syntax", where, "it cannot be read as Python", "write it shorter and flatter")]
    return [node for node in nodes if not isinstance(node, ast.Import | ast.ImportFrom)], found


def _hidden(nodes: list[ast.stmt], where: str) -> Iterator[Diagnostic]:
    """Imports under another name, and what sets names outside a function: both change what other code reads."""
    for node in (part for top in nodes for part in ast.walk(top)):
        if isinstance(node, ast.Global):
            told = f"global {', '.join(node.names)} reaches out of its function"
            yield Diagnostic("statement", f"{where}:{node.lineno}", told, "return what is found")
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if alias.asname and alias.asname != alias.name:
                    told = f"{alias.name} is imported as {alias.asname}"
                    yield Diagnostic("import", f"{where}:{node.lineno}", told, "import it under its own name")


def _more(body: list[ast.stmt], wanted: type[ast.stmt], where: str, what: str, hint: str) -> Diagnostic:
    """Why a text is not one class, or one function."""
    other = next((node for node in body if not isinstance(node, wanted)), body[1] if body[1:] else None)
    if other is None:
        return Diagnostic("statement", where, f"the text holds no {what.removeprefix('a ')}", hint)
    code = ast.unparse(other).partition("\n")[0][:60]
    return Diagnostic("statement", f"{where}:{other.lineno}", f"the text is more than {what}: {code}", hint)


def _marks(node: ast.FunctionDef) -> set[str]:
    return {ast.unparse(mark.func if isinstance(mark, ast.Call) else mark) for mark in node.decorator_list}


def _bound(node: ast.stmt) -> set[str]:
    """The names that a statement of a module binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _home(node: ast.stmt) -> str | None:
    """The module that a statement imports from; None where it imports nothing."""
    return node.module if isinstance(node, ast.ImportFrom) else "" if isinstance(node, ast.Import) else None


# --- the files that come out ---


def _worse(before: Workspace, after: Workspace) -> Iterator[Diagnostic]:
    """What the check of a file says now and did not say before: what a person has there already is no fault of a change."""
    was = before.files()
    for path, text in after.files().items():
        if text != was.get(path) and _code(text, path) != _code(was.get(path, ""), path):
            had = Counter(map(_told, _examined(path, was.get(path, ""), before)))
            for finding in _examined(path, text, after):
                if not had[_told(finding)]:
                    yield finding
                had[_told(finding)] -= 1


def _code(text: str, path: str) -> str:
    """Of a domain what stands above its values, which are read as data and checked so; of other files all."""
    if kind_of(path) != "definitions":
        return text
    return text.partition("\n# --- state ---")[0] if path.endswith(f"/{INIT}.py") or "/" not in path else text


def _examined(path: str, text: str, workspace: Workspace) -> list[Diagnostic]:
    kind = kind_of(path)
    domains = {*workspace.domains, *({"rules"} if kind == "tests" else ())}
    return examine(text, where=path, kind=kind, domains=domains)[1]


def _told(finding: Diagnostic) -> tuple[str, str]:
    return finding.code, re.sub(r"line \d+", "line", finding.message)
