"""Which fields a user's own rule reads, as far as its text tells, so that it goes off before it fails.

Followed are the ways in which rules name records: loops and comprehensions over a parameter, over what `ahead`, `sorted`,
`product` and the like make of it, and the names these are given. What is not understood is taken for right.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from uac_nb.domainfile.parsing import parse

# What one item of an expression is, place by place: a record of one of these collections. No place: not known.
Shape = tuple[frozenset[str], ...]
_UNKNOWN: Shape = ()

_SAME = frozenset({"ahead", "sorted", "list", "tuple", "set", "frozenset", "reversed", "iter", "islice", "filter"})
_ONE = frozenset({"next", "min", "max"})
_LOOKS = frozenset({"isinstance", "hasattr", "getattr", "type"})  # who asks first what a record is, knows what to expect


def fields_read(function: ast.FunctionDef) -> dict[str, frozenset[str]]:
    """The attributes that a rule surely reads of the records of each collection, by the name of the collection."""
    if any(isinstance(node, ast.Try | ast.Match) for node in ast.walk(function)):
        return {}
    reading = _Reading(function)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            for collection in reading.collection_of(node.value.id):
                found[collection].add(node.attr)
    return {collection: frozenset(names) for collection, names in found.items()}


def whose(function: ast.FunctionDef) -> Callable[[ast.expr], frozenset[str]]:
    """Of an expression in a function, the parameters that it is surely an item of; none where that is not sure."""
    reading = _Reading(function)

    def item_of(value: ast.expr) -> frozenset[str]:
        if isinstance(value, ast.Name):
            return reading.collection_of(value.id)
        places = reading._item(value)
        return places[0] if places else frozenset()

    return item_of


def members(text: str) -> dict[str, frozenset[str]]:
    """What the classes of a domain define besides fields: methods and properties, by class."""
    classes = (node for node in parse(text).body if isinstance(node, ast.ClassDef))
    return {c.name: frozenset(part.name for part in c.body if isinstance(part, ast.FunctionDef)) for c in classes}


class _Reading:
    """The names in a function, and what they stand for."""

    def __init__(self, function: ast.FunctionDef) -> None:
        parameters = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        self.many: dict[str, Shape] = {name: (frozenset({name}),) for name in parameters}
        self.one: dict[str, Shape] = {}
        self.unsure: set[str] = set()
        before: Mapping[str, object] = {}
        while before != (before := {**self.many, **{f"{name} ": shape for name, shape in self.one.items()}}):
            self.unsure = set()
            for node in ast.walk(function):
                self._bind(node)
        self.unsure |= {name for node in ast.walk(function) for name in _looked_at(node)} | set(parameters)

    def collection_of(self, name: str) -> frozenset[str]:
        """The one collection that a name stands for a record of; nothing where that is not sure."""
        places = self.one.get(name, _UNKNOWN)
        return places[0] if places and name not in self.unsure else frozenset()

    # --- names ---

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source):
                self._take(target, self._items(source))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assign(name, value)
            case ast.Assign(targets=targets):
                for target in targets:
                    self._take(target, _UNKNOWN)
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.NamedExpr(target=target):
                self._take(target, _UNKNOWN)
            case ast.Lambda(args=arguments):
                self.unsure |= {a.arg for a in arguments.args}
            case ast.withitem(optional_vars=ast.expr() as target):
                self._take(target, _UNKNOWN)

    def _assign(self, name: str, value: ast.expr) -> None:
        if items := self._items(value):
            self.many[name] = items
        else:
            self._take(ast.Name(name), self._item(value))

    def _take(self, target: ast.expr, shape: Shape) -> None:
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        if len(parts) != len(shape):
            self.unsure |= {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
            return
        for part, place in zip(parts, shape, strict=True):
            if not isinstance(part, ast.Name):
                self._take(part, _UNKNOWN)
            elif self.one.setdefault(part.id, (place,)) != (place,):
                self.unsure.add(part.id)

    # --- values ---

    def _item(self, value: ast.expr) -> Shape:
        """What an expression is, where it is one record."""
        match value:
            case ast.Name(id=name):
                return self.one.get(name, _UNKNOWN)
            case ast.Call(func=ast.Name(id=name), args=[first]) if name in _ONE:
                return self._items(first)
            case ast.Subscript(value=inner) if not isinstance(value.slice, ast.Slice):
                return self._items(inner)
        return _UNKNOWN

    def _items(self, value: ast.expr) -> Shape:
        """What the items of an expression are, where it is many."""
        match value:
            case ast.Name(id=name):
                return self.many.get(name, _UNKNOWN)
            case ast.Call(func=ast.Name(id="filter"), args=[_, source]):
                return self._items(source)
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _SAME:
                return self._items(first)
            case ast.Call(func=ast.Name(id="enumerate"), args=[first]):
                return self._pair((frozenset(),), self._items(first))
            case ast.Call(func=ast.Name(id="product" | "zip"), args=sources):
                return self._pair(*map(self._items, sources))
            case ast.Call(func=ast.Name(id="combinations" | "permutations"), args=[first, ast.Constant(value=2)]):
                return self._pair(*[self._items(first)] * 2)
            case ast.Call(func=ast.Name(id="pairwise"), args=[first]):
                return self._pair(*[self._items(first)] * 2)
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt) | ast.SetComp(elt=elt):
                return self._item(elt)
            case ast.Subscript(value=inner, slice=ast.Slice()):
                return self._items(inner)
        return _UNKNOWN

    @staticmethod
    def _pair(*shapes: Shape) -> Shape:
        """Records side by side; of what is itself side by side nothing is known."""
        return tuple(shape[0] if len(shape) == 1 else frozenset() for shape in shapes)


def _looked_at(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=value), *_]) if name in _LOOKS:
            yield value
