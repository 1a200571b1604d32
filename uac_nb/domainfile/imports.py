"""What domain files import: which names there are and where they come from, and how they are put into a text."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

from uac_nb import rules
from uac_nb.domainfile.render import WIDTH
from uac_nb.domainfile.text import STATE, Edit, Text, splice, tree
from uac_nb.errors import CheckError, Diagnostic

Imports = dict[str, set[str]]  # module → names; "" → whole import statements

# Where the names come from that fields, values and methods of a project use.
IMPORTS: Mapping[str, str] = {
    "dataclass": "dataclasses", "field": "dataclasses", "ClassVar": "typing", "Literal": "typing", "date": "datetime",
    "datetime": "datetime", "time": "datetime", "timedelta": "datetime", "Decimal": "decimal",
    **dict.fromkeys(rules.__all__, "uac_nb.rules"),
}  # fmt: skip


def in_order(texts: Mapping[str, str]) -> list[str]:
    """The names of domains, each behind those that it imports from. Raise CheckError where that goes in a circle."""
    needs = {
        name: set(re.findall(r"^from (\w+) import", text[: text.rfind(f"\n{STATE}")], re.MULTILINE)) & set(texts)
        for name, text in sorted(texts.items())
    }
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        circle = " → ".join(error.args[1])
        raise CheckError(
            Diagnostic("import", f"{error.args[1][0]}.py:1", f"the imports go in a circle: {circle}", "refer by id")
        ) from None


def lifted(source: Text, module: ast.Module) -> tuple[Imports, list[Edit]]:
    """The imports of a text, and the edits that take them out."""
    imports: Imports = {}
    edits: list[Edit] = []
    for node in module.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            edits.append((*source.span(node), ""))
            if isinstance(node, ast.Import):
                imports.setdefault("", set()).update(ast.unparse(ast.Import([alias])) for alias in node.names)
            elif node.module != "__future__":
                names = (ast.unparse(alias) for alias in node.names)
                imports.setdefault(f"{'.' * node.level}{node.module or ''}", set()).update(names)
    return imports, edits


def unbound(module: ast.Module) -> set[str]:
    """The names of ours that the text uses and does not give itself."""
    used = {node.id for node in ast.walk(module) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    own = {node.id for node in ast.walk(module) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(module) if isinstance(node, ast.arg)}
    own |= {node.name for node in ast.walk(module) if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    own |= {
        a.asname or a.name for node in ast.walk(module) if isinstance(node, ast.Import | ast.ImportFrom) for a in node.names
    }
    return {name for name in used if name in IMPORTS} - (own - _fields(module))


def _fields(module: ast.Module) -> set[str]:
    """The names of fields: they are no names in methods, nor in annotations of other fields."""
    return {
        item.target.id
        for node in module.body if isinstance(node, ast.ClassDef)
        for item in node.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }  # fmt: skip


def add_imports(text: str, imports: Mapping[str, Iterable[str]]) -> str:
    """The text with names imported that it does not import yet; "" stands for whole import statements."""
    source, module = Text(text), tree(text, "$.text")
    there = [node for node in module.body if isinstance(node, ast.ImportFrom | ast.Import)]
    edits: list[Edit] = []
    for home, names in sorted(imports.items(), key=lambda item: _order(item[0])):
        if not home:
            fresh = [line for line in sorted(names) if not any(ast.unparse(node) == line for node in there)]
            edits += [_placed(source, module, "", line) for line in fresh]
            continue
        same = next((node for node in there if isinstance(node, ast.ImportFrom) and _module(node) == home), None)
        had = {ast.unparse(alias) for alias in same.names} if same else set()
        if set(names) <= had:
            continue
        line = _import_line(home, had | set(names))
        edits.append((*source.span(same), line) if same else _placed(source, module, home, line))
    return splice(text, edits)


def _placed(source: Text, module: ast.Module, home: str, line: str) -> Edit:
    """Where a new import goes: the standard library, then ours, then other domains, each by name."""
    before = [
        node for i, node in enumerate(module.body)
        if (isinstance(node, ast.ImportFrom) and _order(_module(node)) < _order(home)) or isinstance(node, ast.Import)
        or (i == 0 and isinstance(node, ast.Expr))
    ]  # fmt: skip
    if not before:
        return 0, 0, f"{line}\n"
    end = source.line(before[-1].end_lineno or 0)[1]
    return end, end, f"\n{line}"


def _order(home: str) -> tuple[int, str]:
    standard = not home or home.partition(".")[0] in sys.stdlib_module_names
    return (0 if standard else 1 if home.startswith("uac_nb") else 2), home


def _module(node: ast.ImportFrom) -> str:
    return f"{'.' * node.level}{node.module or ''}"


def _import_line(home: str, names: Iterable[str]) -> str:
    line = f"from {home} import {', '.join(sorted(names))}"
    if len(line) <= WIDTH:
        return line
    return f"from {home} import (\n" + "".join(f"    {name},\n" for name in sorted(names)) + ")"
