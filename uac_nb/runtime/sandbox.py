"""The names, modules and attributes that code sees in a sealed child. Standard library only.

`uac_nb.check.allowed` says what these are. They keep ordinary code away from Python's innards; what gets past them
still stands inside the seal.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import functools
import importlib
import operator
import string
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from types import ModuleType
from typing import Any

from uac_nb.check import allowed
from uac_nb.check.tree import reaches

# Loaded by Python itself at the first strptime, strftime or \N{…}, when no file can be opened any more.
_LAZY = ("_strptime", "time", "unicodedata", "locale", "encodings.idna", "encodings.cp1252", "encodings.latin_1")
_BY_ITSELF = frozenset({"_strptime", "time"})
PRINTED_AT_MOST = 1_000_000  # characters

Provide = Callable[[str], ModuleType | None]


class OutputLimit(Exception):
    """More was printed than anybody can read."""


class Printed:
    """Standard output of a child."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def write(self, text: str) -> int:
        self._size += len(text)
        if self._size > PRINTED_AT_MOST:
            raise OutputLimit(f"more than {PRINTED_AT_MOST:,} characters were printed; print less, or return a value")
        self._parts.append(text)
        return len(text)

    def flush(self) -> None:
        pass

    def __str__(self) -> str:
        return "".join(self._parts)


class Sandbox:
    """Builtins and modules for code; `provide` gives the modules of the project by name."""

    def __init__(self) -> None:
        for name in _LAZY:
            importlib.import_module(name)
        self.modules: dict[str, ModuleType] = {name: _facade(name) for name in allowed.MODULES}
        self.modules["collections"].abc = self.modules["collections.abc"]  # type: ignore[attr-defined]
        self.modules["uac_nb"] = ModuleType("uac_nb")
        self.modules["uac_nb"].rules = self.modules["uac_nb.rules"]  # type: ignore[attr-defined]
        self.provide: Provide = lambda name: None
        self.builtins: dict[str, Any] = {name: getattr(builtins, name) for name in allowed.BUILTINS}
        self.builtins |= {
            "__import__": self.import_, "getattr": get_attribute, "hasattr": has_attribute, "type": type_, "dir": dir_,
            "print": print_,
        }  # fmt: skip
        _guard_fields()

    def namespace(self, name: str) -> ModuleType:
        """A new module whose code sees this sandbox and nothing else."""
        module = ModuleType(name)
        module.__dict__["__builtins__"] = self.builtins
        return module

    def import_(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Iterable[str] | None = (), level: int = 0
    ) -> ModuleType:
        module = (self.modules.get(name) or self.provide(name)) if level == 0 else None
        if module is None:
            if name in _BY_ITSELF and level == 0:
                return sys.modules[name]
            raise ImportError(f"{name} cannot be imported here", name=name)
        if not fromlist:
            return self.modules[name.partition(".")[0]] if "." in name else module
        for member in fromlist:
            if not hasattr(module, member):  # Python would go on to look for a real module of that name
                raise ImportError(f"{name} has no {member!r} to import{_near(member, dir(module))}", name=name)
        return module

    def homes(self, name: str) -> list[str]:
        """The modules that a name can be imported from."""
        return [module for module, facade in sorted(self.modules.items()) if hasattr(facade, name) and module != "uac_nb"]


def _near(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, [n for n in names if not n.startswith("_")], n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _facade(name: str) -> ModuleType:
    """A module with the public members of another, and none of what it imports itself."""
    real = importlib.import_module(name)
    facade = ModuleType(name, real.__doc__)
    members = getattr(real, "__all__", None) or [n for n in dir(real) if not n.startswith("_")]
    for member in members:
        value = getattr(real, member, None)
        if not isinstance(value, ModuleType) and member not in allowed.WITHHELD.get(name, ()):
            setattr(facade, member, value)
    for member, value in _INSTEAD.get(name, {}).items():
        setattr(facade, member, value)
    return facade


def _guard_fields() -> None:
    """Keep `asdict` and `replace` from reading an attribute whose name was set on a field later."""

    def set_attribute(field: Any, name: str, value: Any) -> None:
        if (
            name == "name"
            and value is not None
            and (type(value) is not str or value.startswith("__") or value in allowed.INNARDS)
        ):
            raise AttributeError(f"a field cannot be called {value!r}")
        object.__setattr__(field, name, value)

    dataclasses.Field.__setattr__ = set_attribute  # type: ignore[method-assign]


# --- builtins that reach attributes by name ---


def _public(name: object) -> bool:
    return type(name) is str and not name.startswith("_") and name not in allowed.INNARDS


def get_attribute(value: Any, name: str, *default: Any) -> Any:
    if not (_public(name) or name in allowed.READABLE or name in allowed.NAMEDTUPLE):
        raise AttributeError(f"the attribute {name!r} may not be reached by name")
    if name in ("format", "format_map"):
        return format_of(value, name)
    return getattr(value, name, *default)


def has_attribute(value: Any, name: str) -> bool:
    try:
        get_attribute(value, name)
    except AttributeError:
        return False
    return True


def type_(value: Any, *more: Any) -> type:
    if more:
        raise TypeError("type() takes one argument here; write a class statement")
    if isinstance(value, type):
        raise TypeError("type() of a class is not given here")
    return type(value)


def dir_(value: Any) -> list[str]:
    return [name for name in dir(value) if _public(name)]


def print_(*values: object, sep: str | None = " ", end: str | None = "\n", file: object = None, flush: bool = False) -> None:
    print(*values, sep=sep, end=end, file=sys.stdout)


class _Formatter(string.Formatter):
    """`str.format` without attributes and indices."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        if reaches(f"{{{field_name}}}"):
            raise ValueError(f"{{{field_name}}} reaches into a value from text; write an f-string")
        return super().get_field(field_name, args, kwargs)


def format_of(value: Any, name: str) -> Any:
    """What ``value.format`` and ``value.format_map`` give: of text a format that cannot reach into what it formats."""
    formatter = _Formatter()
    if isinstance(value, str):
        text = str.__str__(value)
        if name == "format":
            return lambda *args, **kwargs: formatter.vformat(text, args, kwargs)
        return lambda mapping: formatter.vformat(text, (), mapping)
    if type(value) is super or (isinstance(value, type) and issubclass(value, str)):
        raise AttributeError(f"{name} is called on a text, as in 'about {{}}'.{name}(…)")
    return getattr(value, name)


class FormatGuard(ast.NodeTransformer):
    """Send every ``x.format`` through `format_of`; it is bound under a name that no code can write."""

    NAME = "format of"

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if node.attr not in ("format", "format_map") or not isinstance(node.ctx, ast.Load):
            return node
        call = ast.Call(ast.Name(self.NAME, ast.Load()), [node.value, ast.Constant(node.attr)], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


# --- members that are brought along in place of Python's own ---


def wraps(wrapped: Any, *_: Any) -> Callable[[Any], Any]:
    def name_it(wrapper: Any) -> Any:
        wrapper.__name__, wrapper.__doc__ = wrapped.__name__, wrapped.__doc__
        return wrapper

    return name_it


def attrgetter(*names: str) -> Callable[[Any], Any]:
    def one(value: Any, path: str) -> Any:
        return functools.reduce(get_attribute, path.split("."), value)

    if len(names) == 1:
        return lambda value: one(value, names[0])
    return lambda value: tuple(one(value, name) for name in names)


def methodcaller(name: str, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    return lambda value: get_attribute(value, name)(*args, **kwargs)


_INSTEAD: Mapping[str, Mapping[str, Any]] = {
    "functools": {"wraps": wraps},
    "operator": {"attrgetter": attrgetter, "methodcaller": methodcaller},
}


def warm() -> None:
    """Use once what Python completes at first use, so that no child has to read a file for it."""
    import calendar
    import datetime
    import decimal
    import re
    import statistics
    import time

    moment = datetime.datetime.strptime("2024-01-02 03:04", "%Y-%m-%d %H:%M")
    time.localtime(), moment.strftime("%A %d %B %Y"), moment.astimezone(datetime.UTC), calendar.month_name[1]
    f"{decimal.Decimal('1234.5'):,.2f} {1234.5:n}", re.sub("a", "b", "a"), statistics.mean([1, 2]), operator.itemgetter(0)


def names_in(tree: ast.AST) -> set[str]:
    """All names that code mentions."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def suggestions(sandbox: Sandbox, name: str) -> Iterator[str]:
    """How a name that is not bound could be imported."""
    if name in sandbox.modules:
        yield f"write import {name} at the top"
    for module in sandbox.homes(name)[:1]:
        yield f"write from {module} import {name} at the top"
