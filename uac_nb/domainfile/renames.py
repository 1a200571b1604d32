"""Other names for fields, types and collections, put into every text of a project that says them; all else keeps its bytes.

What has the new name already is left alone, so that a person may have done half of it by hand. What a name means is told by
the class or the import in the same file. Code that reads a field of a record (`trip.cost`) does not tell whose it is, and is
not looked at here; `self.cost` in the methods of the type is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from uac_nb.domainfile.parts import INIT
from uac_nb.domainfile.text import STATE, Edit, Text, splice, tree
from uac_nb.errors import CheckError, Diagnostic

MARKS = ("rule", "derived")  # what decorates a function whose parameters are named as collections are


@dataclass(frozen=True)
class Renaming:
    """What is called `old` is to be called `new`: a field of a `type`; without one, a type (Trip) or a collection (trips).

    `home` is the domain that defines it.
    """

    home: str
    old: str
    new: str
    type: str = ""

    @property
    def names_a_type(self) -> bool:
        return not self.type and self.old[0].isupper()

    def __str__(self) -> str:
        return f"{self.type}.{self.old}" if self.type else self.old


def renamed(files: Mapping[str, str], renaming: Renaming) -> dict[str, str]:
    """All files of a project, path and text, after it. Raise CheckError for a file of a domain that is no Python."""
    done: dict[str, str] = {}
    parts = {} if renaming.type or renaming.names_a_type else _parts(files, renaming)
    said = renaming.type or renaming.old
    for path, text in files.items():
        home, _, module = path.removesuffix(".py").partition("/")
        if home == renaming.home and module in parts:
            path = f"{home}/{parts[module]}.py"
        done[path] = _text(path, text, renaming, parts) if said in text else text
    return done


def _text(path: str, text: str, renaming: Renaming, parts: Mapping[str, str]) -> str:
    try:
        module = tree(text, path)
    except CheckError:
        if STATE in text:
            raise
        return text  # rules or tests that cannot be read
    source = Text(text)
    if renaming.type:
        edits = _field(source, module, renaming)
    elif renaming.names_a_type:
        edits = _type(source, module, renaming)
    else:
        _refuse_capture(path, module, renaming)
        edits = _collection(source, module, renaming, parts)
    return splice(text, {edit for edit in edits if text[edit[0] : edit[1]] != edit[2]})


def _field(source: Text, module: ast.Module, renaming: Renaming) -> Iterator[Edit]:
    old, new, home = renaming.old, renaming.new, renaming.home
    called = {alias.asname or alias.name for alias in _imports(module, home, renaming.type)}
    called |= {renaming.type for node in module.body if _is_class(node, renaming.type)}
    if not called:
        return
    for node in ast.walk(module):
        match node:
            case ast.ClassDef(name=name) if name == renaming.type:
                targets = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
                own = {target.id: target for target in targets if isinstance(target, ast.Name)}
                if old in own and new not in own:
                    yield from _named(source, own[old], old, new)
                for said in (part.value for part in node.body if isinstance(part, ast.Assign)):  # one_at_a_time = ("who",)
                    for item in said.elts if isinstance(said, ast.Tuple) else ():
                        if isinstance(item, ast.Constant) and item.value == old:
                            yield (*source.span(item), f'"{new}"')
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Attribute) and inner.attr == old and ast.unparse(inner.value) == "self":
                        yield from ending(source, inner, old, new)
            case ast.MatchClass(cls=ast.Name(id=name), kwd_attrs=attributes, kwd_patterns=patterns) if name in called:
                patterned = dict(zip(attributes, patterns, strict=True))
                if old in patterned and new not in patterned:
                    yield from _before(source, patterned[old], old, new)
            case ast.Call(func=ast.Name(id=name), keywords=given) if name in called:
                there = {keyword.arg: keyword for keyword in given}
                if old in there and new not in there:
                    yield from _named(source, there[old], old, new)


def _type(source: Text, module: ast.Module, renaming: Renaming) -> Iterator[Edit]:
    old, new = renaming.old, renaming.new
    defined = [node for node in module.body if _is_class(node, old) or _is_class(node, new)]
    imported = [*_imports(module, renaming.home, old), *_imports(module, renaming.home, new)]
    if not defined and not imported:
        return
    for node in defined:
        start = source.span(node)[0]
        head = re.compile(r"class\s+(\w+)").match(source.text, start)
        if head and head[1] == old:
            yield head.start(1), head.end(1), new
    for alias in imported:
        yield from _named(source, alias, old, new)
    yield from _names(source, module, old, new)


def _collection(source: Text, module: ast.Module, renaming: Renaming, parts: Mapping[str, str]) -> Iterator[Edit]:
    old, new, home = renaming.old, renaming.new, renaming.home
    names = {old: new, **parts}
    for node in module.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name) as target) if name in names and STATE in source.text:
                yield from _named(source, target, name, names[name])
                for item in ast.walk(node.value) if node.value else ():
                    if isinstance(item, ast.Name) and item.id in parts:
                        yield from _named(source, item, item.id, parts[item.id])
            case ast.ImportFrom(module=str(where), names=[ast.alias(name=name) as alias]) if where == f"{home}.{name}":
                if name in parts:
                    at = source.text.index(where, source.span(node)[0]) + len(home) + 1
                    yield at, at + len(name), parts[name]
                    yield from _named(source, alias, name, parts[name])
            case ast.FunctionDef() if _marked(node):
                if mine := [arg for arg in _arguments(node) if arg.arg == old]:
                    yield from _named(source, mine[0], old, new)
                    yield from _names(source, node, old, new)
    if imported := _imports(module, home, old):
        yield from _named(source, imported[0], old, new)
        yield from _names(source, module, old, new)
    takers = {node.name for node in module.body if isinstance(node, ast.FunctionDef) and _marked(node)}
    for call in ast.walk(module):
        match call:
            case ast.Call(func=ast.Name(id=name), keywords=given) if name in takers:
                for keyword in given:
                    if keyword.arg == old:
                        yield from _named(source, keyword, old, new)
            case ast.Call(func=ast.Name(id="run"), args=[_, ast.Dict(keys=keys), *_]):  # a rule, tried in a test
                for key in keys:
                    if isinstance(key, ast.Constant) and key.value == old:
                        start, end = source.span(key)
                        yield start, end, source.text[start:end].replace(old, new)


def _refuse_capture(path: str, module: ast.Module, renaming: Renaming) -> None:
    """Raise CheckError where code that reads the collection calls something of its own by the new name."""
    readers: list[ast.AST] = [module] if _imports(module, renaming.home, renaming.old) else []
    marked = (node for node in module.body if isinstance(node, ast.FunctionDef) and _marked(node))
    readers += [node for node in marked if any(arg.arg == renaming.old for arg in _arguments(node))]
    for node in (inner for reader in readers for inner in ast.walk(reader)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.alias(name=name) if name == renaming.new:
                told = f"{name!r} is the name of something else there"
                hint = f"call that otherwise first, or choose another name for {renaming.old}"
                raise CheckError(Diagnostic("rename", f"{path}:{node.lineno}", told, hint))


def _parts(files: Mapping[str, str], renaming: Renaming) -> dict[str, str]:
    """The files of a collection of a domain that outgrew one file, by module, and what they will be called."""
    home, old = renaming.home, renaming.old
    for node in tree(files.get(f"{home}/{INIT}.py", ""), f"{home}/{INIT}.py").body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.List(elts=items)) if name == old:
                found = [item.value.id for item in items if isinstance(item, ast.Starred) and isinstance(item.value, ast.Name)]
                return {part: renaming.new + part[len(old) :] for part in found if part.startswith(f"{old}_")}
    return {}


# --- places ---


def _is_class(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.ClassDef) and node.name == name


def _imports(module: ast.Module, home: str, name: str) -> list[ast.alias]:
    found = (node for node in ast.walk(module) if isinstance(node, ast.ImportFrom) and node.module == home)
    return [alias for node in found for alias in node.names if alias.name == name]


def _marked(node: ast.FunctionDef) -> bool:
    called = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    return any(isinstance(mark, ast.Name) and mark.id in MARKS for mark in called)


def _arguments(node: ast.FunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args]


def _names(source: Text, within: ast.AST, old: str, new: str) -> Iterator[Edit]:
    for node in ast.walk(within):
        if isinstance(node, ast.Name) and node.id == old:
            yield from _named(source, node, old, new)


Placed = ast.expr | ast.keyword | ast.alias | ast.arg


def _named(source: Text, node: Placed, old: str, new: str) -> Iterator[Edit]:
    """The edit of the name that a node begins with; none where it is not there (before 3.12, in some f-strings)."""
    start = source.offset(node.lineno, node.col_offset)
    if source.text[start : start + len(old)] == old:
        yield start, start + len(old), new


def _before(source: Text, node: ast.pattern, old: str, new: str) -> Iterator[Edit]:
    """The edit of the name to which a pattern belongs: `cost` of ``Trip(cost=int(c))``."""
    start = source.offset(node.lineno, node.col_offset)
    if found := re.search(rf"\b{old}(?=\s*=[\s(]*\Z)", source.text[:start]):
        yield found.start(), found.end(), new


def ending(source: Text, node: ast.expr, old: str, new: str) -> Iterator[Edit]:
    """The edit of the name that a node ends with, as `_named`."""
    end = source.span(node)[1]
    if source.text[end - len(old) : end] == old:
        yield end - len(old), end, new
