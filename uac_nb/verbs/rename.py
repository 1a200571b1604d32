"""Code that reads a field which gets another name: rules, methods and tests follow where it is sure whose field it is.

It is sure where the record is an item of a collection, is annotated, or no other type has a field or method of that name.
Every other place that says the name is told, so that a person can look.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from uac_nb import rules
from uac_nb.changes import Workspace
from uac_nb.domainfile.annotations import Maybe, Nested, Type
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.renames import Renaming, ending
from uac_nb.domainfile.text import STATE, Edit, Text, splice
from uac_nb.errors import Diagnostic
from uac_nb.runtime.fields import members, whose

BY_NAME = frozenset({"getattr", "hasattr", "attrgetter"})  # what takes the name of a field as text
MANY = frozenset({"Iterable", "Iterator", "Sequence", "Collection", "list", "tuple", "set", "frozenset"})
_VALUES = (str, int, float, list, tuple, dict, set, date, datetime, time, timedelta, Decimal)
_OURS = tuple(value for name in rules.__all__ if isinstance(value := getattr(rules, name), type))


def followed(files: Mapping[str, str], renaming: Renaming, before: Workspace) -> tuple[dict[str, str], list[Diagnostic]]:
    """The files with the code that surely reads the field by its new name, and a finding for each place that may read it."""
    done, findings = dict(files), list[Diagnostic]()
    alone = _alone(renaming, before)
    for path, text in files.items():
        code = text[: text.rfind(f"\n{STATE}")] if f"\n{STATE}" in text else text
        if not path.endswith(".py") or not re.search(rf"\b{renaming.old}\b", code):
            continue
        try:
            module = parse(code)
        except (SyntaxError, ValueError):
            continue  # it is refused where it is checked
        source, edits = Text(code), list[Edit]()
        for use in _uses(module, renaming, before):
            if use.type == renaming.type or (not use.type and alone):
                edits += use.edits(source, renaming)
            elif not use.type:
                findings.append(_finding(path, use, renaming, source))
        done[path] = splice(text, edits)
    return done, findings


def _alone(renaming: Renaming, before: Workspace) -> bool:
    """Whether nothing but records of that type has an attribute of that name."""
    others = (kind for kind in before.types.values() if kind.name != renaming.type)
    methods = (names for d in before.domains.values() for t, names in members(d.definitions).items() if t != renaming.type)
    return not (
        any(renaming.old in kind.by_name for kind in others)
        or any(renaming.old in names for names in methods)
        or any(hasattr(value, renaming.old) for value in (*_VALUES, *_OURS))
        or any(renaming.old in {f.name for f in fields(value)} for value in _OURS if is_dataclass(value))
    )


def _finding(path: str, use: _Use, renaming: Renaming, source: Text) -> Diagnostic:
    line = source.text[slice(*source.line(use.node.lineno))].strip()
    told = f"{renaming} is called {renaming.new!r} now, and this may read it: {line[:80]}"
    return Diagnostic("rename", f"{path}:{use.node.lineno}", told, f"write {renaming.new} if a {renaming.type} is meant")


# --- uses ---


@dataclass(frozen=True)
class _Use:
    """A place that says the name, and the type of the record that it is read of; "" where that is not known."""

    node: ast.expr | ast.keyword
    type: str

    def edits(self, source: Text, renaming: Renaming) -> Iterator[Edit]:
        old, new = renaming.old, renaming.new
        match self.node:
            case ast.Attribute():
                yield from ending(source, self.node, old, new)
            case ast.keyword():
                start = source.span(self.node)[0]
                yield start, start + len(old), new
            case ast.Constant():
                start, end = source.span(self.node)
                yield start, end, source.text[start:end].replace(old, new)


def _uses(module: ast.Module, renaming: Renaming, before: Workspace) -> Iterator[_Use]:
    collections = {name: collection.type.name for name, collection in before.collections.items()}
    given = {a.name for n in ast.walk(module) if isinstance(n, ast.ImportFrom) for a in n.names if a.name in collections}
    for function, own in _functions(module):
        kind_of = _Kinds(function, own, given, collections, before)
        for node in ast.walk(function):
            match node:
                case ast.Attribute(value=value, attr=name) if name == renaming.old:
                    yield _Use(node, kind_of(value))
                case ast.Call(func=ast.Name(id="replace"), args=[first, *_], keywords=words):
                    yield from (_Use(word, kind_of(first)) for word in words if word.arg == renaming.old)
                case ast.Call(func=ast.Name(id=called), args=[*arguments]) if called in BY_NAME:
                    of = kind_of(arguments[0]) if called != "attrgetter" and arguments else ""
                    yield from (_Use(a, of) for a in arguments if isinstance(a, ast.Constant) and a.value == renaming.old)


def _functions(module: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Each function with the class that it is a method of, and what stands outside of all as one more."""
    rest: list[ast.stmt] = []
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            yield node, ""
        elif isinstance(node, ast.ClassDef):
            yield from ((part, node.name) for part in node.body if isinstance(part, ast.FunctionDef))
        else:
            rest.append(node)
    yield _with_parameters(rest, []), ""


def _with_parameters(body: list[ast.stmt], parameters: Iterable[ast.arg]) -> ast.FunctionDef:
    arguments = ast.arguments(posonlyargs=[], args=[*parameters], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.FunctionDef(name="", args=arguments, body=body, decorator_list=[])


class _Kinds:
    """Tells of an expression in a function the type of the record that it is; "" where that is not known."""

    def __init__(
        self, function: ast.FunctionDef, own: str, given: Iterable[str], collections: Mapping[str, str], before: Workspace
    ) -> None:
        parameters = [*function.args.posonlyargs, *function.args.args]
        names = {arg.arg for arg in parameters}
        self._types = before.types
        self._many = {name: kind for name, kind in collections.items() if name in names or name in given}
        self._one = {"self": own} if own else {}
        for arg in parameters:
            match arg.annotation:
                case ast.Name(id=name):
                    self._one[arg.arg] = name
                case ast.Subscript(value=ast.Name(id=outer), slice=ast.Name(id=name) | ast.Tuple(elts=[ast.Name(id=name), *_])):
                    self._many |= {arg.arg: name} if outer in MANY else {}
        keyed = [*_keyed(function)]
        seen = [*parameters, *(ast.arg(name) for name in given if name not in names)]
        self._item_of: Callable[[ast.expr], frozenset[str]] = whose(_with_parameters(function.body, seen))
        self._one |= {name: self(item) for name, item in keyed}

    def __call__(self, value: ast.expr) -> str:
        match value:
            case ast.Name(id=name) if name in self._one:
                return self._known(self._one[name])
            case ast.Call(func=ast.Name(id=name)) if name in self._types:
                return name
            case ast.Call(func=ast.Name(id="replace"), args=[first, *_]):
                return self(first)
            case ast.Attribute(value=of, attr=attr):
                kind = self._types.get(self(of))
                return _record_in(kind.by_name[attr].type) if kind and attr in kind.by_name else ""
        found = {self._many.get(name, "") for name in self._item_of(value)}
        return self._known(found.pop()) if len(found) == 1 else ""

    def _known(self, name: str) -> str:
        return name if name in self._types else ""


def _keyed(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """The parameters of `key=lambda trip: …`, each with an expression of what it is given; they get names of their own."""
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id="sorted" | "min" | "max"), args=[many], keywords=words):
                for word in words:
                    match word.value:
                        case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name) as given]), body=body):
                            given.arg = f"{name} {given.lineno}:{given.col_offset}"
                            for inner in ast.walk(body):
                                if isinstance(inner, ast.Name) and inner.id == name:
                                    inner.id = given.arg
                            yield given.arg, ast.Call(func=ast.Name("next"), args=[many], keywords=[])


def _record_in(type: Type) -> str:
    inner = type.of if isinstance(type, Maybe) else type
    return inner.type.name if isinstance(inner, Nested) else ""
