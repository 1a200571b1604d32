"""What definitions and rules are made of, so that loading them runs nothing but `def`, `class` and constants."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from uac_nb.errors import Diagnostic
from uac_nb.rules import SEVERITIES

_DATACLASS = "@dataclass(frozen=True, slots=True, kw_only=True)"
_MAKERS = frozenset(
    {"When", "Every", "Zone", "Money", "Decimal", "date", "datetime", "time", "timedelta", "frozenset", "tuple"}
)
_METHOD_MARKS = frozenset({"property", "staticmethod", "classmethod"})
# Records are plain values: how they are made, compared and shown is not theirs to say.
_FIXED = frozenset(
    {"__init__", "__post_init__", "__new__", "__eq__", "__ne__", "__hash__", "__repr__", "__setitem__", "__delitem__"}
)


def check(tree: ast.Module, where: str, kind: str) -> Iterator[Diagnostic]:
    """The statements of a module that do not belong into it."""
    seen: dict[str, int] = {}
    for position, node in enumerate(tree.body):
        yield from _statement(node, where, kind, first=position == 0)
        for name in _names(node):
            if name in seen:
                yield _say(where, node, "twice", f"{name} is defined in line {seen[name]} already", "rename one")
            seen[name] = node.lineno
    if kind == "rules":
        yield from _chained(tree, where)
    yield from _annotations(tree, where)


def _annotations(tree: ast.Module, where: str) -> Iterator[Diagnostic]:
    """Annotations that compute something: they run when the module is loaded."""
    for node in ast.walk(tree):
        noted = {ast.AnnAssign: "annotation", ast.arg: "annotation", ast.FunctionDef: "returns"}.get(type(node), "")
        said = getattr(node, noted) if noted else None
        if said is not None and not _is_type(said):
            told = f"the annotation {ast.unparse(said)[:60]} has to be computed"
            yield Diagnostic("annotation", f"{where}:{said.lineno}", told, "write a type, as in str | None")


def _is_type(node: ast.expr) -> bool:
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute(value=inner) | ast.UnaryOp(operand=ast.Constant() as inner):
            return _is_type(inner)
        case ast.Subscript(value=left, slice=right) | ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_type(left) and _is_type(right)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return all(map(_is_type, items))
    return False


def _names(node: ast.stmt) -> list[str]:
    """The names that a statement defines, but not those that it imports."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    named = [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    return named + [target.id for target in targets if isinstance(target, ast.Name)]


def _statement(node: ast.stmt, where: str, kind: str, *, first: bool) -> Iterator[Diagnostic]:
    match node:
        case ast.Import() | ast.ImportFrom():
            pass
        case ast.Expr(value=ast.Constant(value=str())) if first:
            pass
        case ast.ClassDef() if kind == "definitions":
            yield from _record_class(node, where)
        case ast.FunctionDef() if kind == "tests":
            yield from _test(node, where)
        case ast.FunctionDef():
            yield from _function(node, where, kind)
        case ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value):
            if not constant(value):
                yield _say(
                    where,
                    node,
                    "constant",
                    "a constant that has to be computed",
                    "write its value, or compute it in a function",
                )
        case ast.ClassDef():
            yield _say(
                where,
                node,
                "statement",
                f"the class {node.name} stands among the {kind}",
                f"define types in a domain; {kind} are functions",
            )
        case _:
            what = (
                "imports, record classes, functions and constants"
                if kind == "definitions"
                else "imports, functions and constants"
            )
            yield _say(where, node, "statement", f"{_words(node)} stands outside a function", f"here belong {what}")


def constant(node: ast.expr) -> bool:
    """Whether an expression is a literal, or a value such as When("2025") made of literals."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant()):
            return True
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return all(map(constant, items))
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and constant(key) for key in keys) and all(map(constant, values))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in _MAKERS:
            return all(map(constant, args)) and all(k.arg and constant(k.value) for k in keywords)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            return constant(inner)
    return False


# --- classes of records ---


def _record_class(node: ast.ClassDef, where: str) -> Iterator[Diagnostic]:
    if [ast.unparse(d) for d in node.decorator_list] != [_DATACLASS[1:]]:
        yield _say(
            where,
            node,
            "class",
            f"the class {node.name} is no record class",
            f"write {_DATACLASS} above it, and no other decorator",
        )
    if node.bases:
        yield _say(
            where, node, "class", f"the class {node.name} derives from another", "repeat the fields; for choices use Literal[…]"
        )
    fields = {n.target.id for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)}
    for position, part in enumerate(node.body):
        yield from _member(part, node.name, fields, where, first=position == 0)


def _member(node: ast.stmt, owner: str, fields: set[str], where: str, *, first: bool) -> Iterator[Diagnostic]:
    match node:
        case ast.Expr(value=ast.Constant(value=str())) if first:
            pass
        case ast.Pass():
            pass
        case ast.AnnAssign(target=ast.Name(id=name), value=value):
            if value is not None and not constant(value):
                yield _say(
                    where, node, "default", f"the default of {owner}.{name} has to be computed", "write a literal, None or ()"
                )
            elif isinstance(value, ast.List | ast.Dict | ast.Set):
                yield _say(
                    where, node, "default", f"the default of {owner}.{name} can change", "write () or None; records are frozen"
                )
        case ast.Assign(targets=[ast.Name(id="one_at_a_time")], value=ast.Tuple() as value) if constant(value):
            pass
        case ast.FunctionDef(name=name):
            if name in fields:
                yield _say(where, node, "twice", f"{owner}.{name} is a field and a method", "rename one")
            if name in _FIXED:
                yield _say(
                    where,
                    node,
                    "method",
                    f"{owner}.{name} may not be defined",
                    "records are plain values; use a property or a method",
                )
            marks = [ast.unparse(d) for d in node.decorator_list]
            if not _METHOD_MARKS.issuperset(marks):
                yield _say(where, node, "decorator", f"{owner}.{name} has a decorator other than @property", "leave it out")
            yield from _defaults(node, where)
        case _:
            yield _say(
                where,
                node,
                "statement",
                f"{_words(node)} stands in the class {owner}",
                "here belong a docstring, fields with annotations, and methods",
            )


# --- functions ---


def _function(node: ast.FunctionDef, where: str, kind: str) -> Iterator[Diagnostic]:
    yield from _defaults(node, where)
    for mark in node.decorator_list:
        match mark:
            case ast.Call(func=ast.Name(id="rule"), args=args, keywords=keywords) if kind == "rules":
                yield from _rule(node, args, bool(keywords), where)
            case ast.Name(id="derived") if kind == "rules":
                yield from _reader(node, where, derived=True)
            case ast.Name(id="rule") if kind == "rules":
                yield _say(where, node, "rule", f"{node.name} has no severity", f"write @rule({_choices()})")
            case _:
                fit = 'only @rule("…") and @derived stand here' if kind == "rules" else "leave it out"
                yield _say(where, node, "decorator", f"{node.name} is decorated with {ast.unparse(mark)[:60]}", fit)


def _test(node: ast.FunctionDef, where: str) -> Iterator[Diagnostic]:
    """A test asserts something, and needs nothing but what it imports; other functions may help it."""
    yield from _defaults(node, where)
    if node.decorator_list:
        yield _say(where, node, "decorator", f"{node.name} has a decorator", "leave it out; write a test for each case")
    if not node.name.startswith("test_"):
        return
    if ast.unparse(node.args):
        hint = "there are no fixtures: import the collections, as in from travel import trips"
        yield _say(where, node, "test", f"{node.name} takes arguments", hint)
    if not any(isinstance(part, ast.Assert) for part in ast.walk(node)):
        yield _say(where, node, "test", f"{node.name} asserts nothing", "say what has to hold: assert len(trips) == 3")


def _defaults(node: ast.FunctionDef, where: str) -> Iterator[Diagnostic]:
    for value in (*node.args.defaults, *node.args.kw_defaults):
        if value is not None and not constant(value):
            yield _say(where, node, "default", f"a default of {node.name} has to be computed", "write a literal or None")


def _rule(node: ast.FunctionDef, args: list[ast.expr], more: bool, where: str) -> Iterator[Diagnostic]:
    severity = args[0].value if len(args) == 1 and isinstance(args[0], ast.Constant) else None
    if severity not in SEVERITIES or more:
        yield _say(where, node, "rule", f"{node.name} has no severity", f"write @rule({_choices()})")
    if not ast.get_docstring(node):
        yield _say(where, node, "rule", f"{node.name} does not say what it finds", "write a docstring of one sentence")
    if not _yields(node):
        yield _say(
            where,
            node,
            "rule",
            f"{node.name} yields no alert",
            "a rule is a generator: yield conflict(…), running_out(…) or over_limit(…)",
        )
    yield from _reader(node, where)


def _chained(tree: ast.Module, where: str) -> Iterator[Diagnostic]:
    """Derived values that others take: each is there, and none rests on itself."""
    found = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(ast.unparse(mark) == "derived" for mark in node.decorator_list)
    }
    takes = {name: [p.arg for p in _parameters(node) if not _reads(p)] for name, node in found.items()}
    for name, others in takes.items():
        for other in others:
            if other not in found:
                hint = f"write {other}: Iterable[Type] for a collection, or name a derived value of this file"
                yield _say(where, found[name], "rule", f"{name}: {other!r} does not say what it reads", hint)
        if circle := _circle(name, takes):
            hint = "let one of them read the records instead"
            yield _say(where, found[name], "rule", f"{name} takes itself, by way of others: {' ← '.join(circle)}", hint)


def _circle(name: str, takes: Mapping[str, list[str]]) -> list[str]:
    """The shortest way on which a derived value takes itself; empty where there is none."""
    ways, seen = [[name]], set[str]()
    for way in ways:
        for other in takes.get(way[-1], ()):
            if other == name:
                return [*way, name]
            if other not in seen:
                seen.add(other)
                ways.append([*way, other])
    return []


def _parameters(node: ast.FunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args]


def _reads(parameter: ast.arg) -> bool:
    """Whether a parameter names a collection."""
    return parameter.annotation is not None and "Iterable[" in ast.unparse(parameter.annotation)


def _reader(node: ast.FunctionDef, where: str, *, derived: bool = False) -> Iterator[Diagnostic]:
    """Parameters of rules and derived values: collections by name, then `today` and settings by keyword.

    Those of a derived value may be other derived values; whether these are there, `_chained` says.
    """
    if node.args.vararg or node.args.kwarg:
        yield _say(where, node, "rule", f"{node.name} takes * or ** arguments", "name the collections that it reads")
    for parameter in _parameters(node):
        if parameter.arg == "today":
            yield _say(
                where, node, "rule", f"{node.name}: `today` stands among the collections", "write *, today: date after them"
            )
        elif parameter.annotation is None or not (derived or _reads(parameter)):
            hint = f"write {parameter.arg}: Iterable[Type]"
            yield _say(where, node, "rule", f"{node.name}: {parameter.arg!r} does not say what it reads", hint)
    for setting, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if value is None and setting.arg != "today":
            yield _say(where, node, "rule", f"{node.name}: the setting {setting.arg!r} has no default", "give it one")


def _yields(node: ast.AST) -> bool:
    """Whether a function yields itself, not only one inside it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef) and _yields(child):
            return True
    return False


def _choices() -> str:
    return " or ".join(f'"{severity}"' for severity in SEVERITIES)


def _words(node: ast.stmt) -> str:
    names = {"Expr": "an expression", "For": "a loop", "While": "a loop", "If": "an `if`", "With": "a `with`", "Try": "a `try`",
             "Assign": "an assignment", "AugAssign": "an assignment", "AnnAssign": "an annotation", "ClassDef": "a class",
             "Assert": "an `assert`", "Delete": "a `del`", "Raise": "a `raise`"}  # fmt: skip
    return names.get(type(node).__name__, f"a statement ({type(node).__name__})")


def _say(where: str, node: ast.stmt, code: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(code, f"{where}:{node.lineno}", message, hint)
