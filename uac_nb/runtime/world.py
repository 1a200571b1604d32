"""A loaded project inside the sealed process: classes and records, and code that is compiled but has not run.

Nothing untrusted runs here. A child, forked from this, executes what it needs.
"""

from __future__ import annotations
import __future__

import ast
import pickle
from collections.abc import Callable, Mapping
from operator import is_
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.records import Frozen, RecordType
from uac_nb.runtime import wire
from uac_nb.runtime.sandbox import FormatGuard, Sandbox, format_of

# Annotations stay text: nothing in them runs, and they cost nothing.
FLAGS = __future__.annotations.compiler_flag
RULES = "rules.py"


class Definitions(NamedTuple):
    """The code of a domain, and the names of the record classes in it."""

    code: CodeType
    classes: tuple[str, ...]


class World:
    """What is loaded: types, collections and definitions, each by its name, and the user's rules."""

    def __init__(self) -> None:
        self.sandbox = Sandbox()
        self.types: dict[str, RecordType] = {}
        self.collections: dict[str, list[Any]] = {}
        self.homes: dict[str, str] = {}  # the type of each collection
        self.definitions: dict[str, Definitions] = {}
        self.rules: CodeType | None = None
        self._modules: dict[str, ModuleType] = {}  # of domains, once their definitions were executed

    # --- loading (in the process that forks) ---

    def load(self, request: Mapping[str, Any]) -> None:
        """Take a project, or what differs from the one before: new types mean all collections anew."""
        if request["types"] is not None:
            self.types = {kind.name: kind for kind in pickle.loads(request["types"])}
            self.collections.clear()
        before, homes = self.collections, {name: kind for name, kind, *_ in request["collections"]}
        self.collections = {name: before.get(name, []) if kind == self.homes.get(name) else [] for name, kind in homes.items()}
        self.homes = homes
        for name, kind, start, stop, count, columns in request["collections"]:
            self.collections[name][start:stop] = self.types[kind].build_columns(count, map(wire.unpack, columns))
        self.definitions = {domain: self._definitions(domain, text) for domain, text in request["definitions"].items()}
        self.rules = compile_code(parse(request["rules"]), RULES)

    def _definitions(self, domain: str, text: str) -> Definitions:
        """The code of a domain, of its record classes only the methods: the classes themselves are here already."""
        tree = parse(text)
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name in self.types]
        for node in classes:
            node.decorator_list = []
            node.body = [part for part in node.body if isinstance(part, ast.FunctionDef)]
        tree.body = [node for node in tree.body if not isinstance(node, ast.ClassDef) or node.body]
        return Definitions(compile_code(tree, f"{domain}.py"), tuple(node.name for node in classes))

    # --- running (in a child) ---

    def provide(self, domain: str) -> ModuleType | None:
        """The module of a domain, its definitions executed and their methods put on the classes of its records."""
        if domain in self._modules:
            return self._modules[domain]
        if domain == "rules" and self.rules is not None:
            self._modules[domain] = self.sandbox.namespace(domain)
            execute(self.rules, self._modules[domain])
            return self._modules[domain]
        if domain not in self.definitions:
            return None
        module = self._modules[domain] = self.sandbox.namespace(domain)
        mine = {name: self.types[name].cls for name in self.definitions[domain].classes}
        execute(self.definitions[domain].code, module)
        for name, cls in mine.items():
            _graft(module.__dict__.get(name), cls)
        module.__dict__.update(mine)
        module.__dict__.update({name: self.collections[name] for name, kind in self.homes.items() if kind in mine})
        return module

    def wake(self) -> None:
        """Execute the definitions of all domains."""
        self.sandbox.provide = self.provide
        for domain in self.definitions:
            self.provide(domain)
        Frozen.shut = True

    def changes(self) -> Callable[[], str]:
        """What tells, whenever it is called, the first thing that has changed since, of all that rules see."""
        spaces: dict[str, Mapping[str, Any]] = {name: vars(module) for name, module in self.sandbox.modules.items()}
        own = {name: vars(module) for name, module in self._modules.items()}
        spaces |= {**own, "builtins": self.sandbox.builtins}
        classes = {kind.name: vars(kind.cls) for kind in self.types.values()}
        spaces |= classes
        before = [(space, names, dict(names)) for space, names in spaces.items()]
        lists = {id(items): name for name, items in self.collections.items()}
        values = [
            (f"{space}.{name}", value)
            for space, names in (own | classes).items()
            for name, value in names.items()
            if id(value) not in lists and (space in own or isinstance(value, FunctionType | property))
        ]
        held = [(name, value, _held(value)) for name, value in values]
        records = [(name, items, items.copy()) for name, items in self.collections.items()]

        def changed() -> str:
            for name, items, were in records:
                if items != were:  # a look at each by identity, as long as they are the same
                    return name
            for space, names, had in before:
                if len(names) != len(had) or not all(map(is_, names.values(), had.values())):
                    return next((f"{space}.{name}" for name in had if names.get(name) is not had[name]), space)
            return next((name for name, value, was in held if _held(value) != was), "")

        return changed

    def rule_functions(self) -> Mapping[str, Any]:
        """Execute the user's rules: its functions by name."""
        module = self.provide("rules")
        return {name: value for name, value in vars(module).items() if isinstance(value, FunctionType)} if module else {}


def compile_code(tree: ast.Module | ast.Expression, where: str) -> CodeType:
    """Compile code for the sandbox. Raise SyntaxError, ValueError, RecursionError or MemoryError."""
    mode = "eval" if isinstance(tree, ast.Expression) else "exec"
    return compile(FormatGuard().visit(tree), where, mode, flags=FLAGS, dont_inherit=True)  # type: ignore[no-any-return]


def execute(code: CodeType, module: ModuleType) -> Any:
    """Run code in a module; the value of an expression."""
    module.__dict__[FormatGuard.NAME] = format_of
    return eval(code, module.__dict__)


def _held(value: Any) -> Any:
    """What a value holds that can be changed in place: a constant of the file, what a function has of its own."""
    if isinstance(value, property):
        return [_held(function) for function in (value.fget, value.fset, value.fdel)]
    if type(value) is FunctionType:
        attributes = {name: id(part) for name, part in vars(value).items()}
        defaults = [repr(part) for part in (value.__defaults__, value.__kwdefaults__) if part]
        return attributes, defaults, id(value.__code__)
    return repr(value) if type(value) in (list, set, dict, tuple) else None


def _graft(holder: Any, cls: type) -> None:
    """Put the methods of a class as the project writes it on the class of its records."""
    if not isinstance(holder, type):
        return
    own = {"__module__", "__dict__", "__weakref__", "__doc__", "__qualname__", "__static_attributes__", "__firstlineno__"}
    for name, value in vars(holder).items():
        if name not in own:
            setattr(cls, name, value)
