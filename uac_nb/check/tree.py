"""What the syntax tree of a text may hold: imports, names, attributes, classes, annotations."""

from __future__ import annotations

import ast
import io
import re
import string
import sys
import tokenize
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from uac_nb import starter
from uac_nb.check import allowed
from uac_nb.check import text as texts
from uac_nb.domainfile.parsing import parse
from uac_nb.errors import Diagnostic

_DOMAIN = re.compile(r"[a-z][a-z0-9_]*")
_CLOCK = frozenset({"now", "today", "utcnow"})


def names(text: str, where: str) -> Iterator[Diagnostic]:
    """Identifiers that are not plain ASCII. The syntax tree has them normalized, so the tokens are read."""
    if text.isascii():
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and not token.string.isascii():
            message = f"the name {token.string} is not plain ASCII, and may look like another"
            yield Diagnostic("name", f"{where}:{token.start[0]}", message, texts.name_problem(token.string))


def check(tree: ast.AST, where: str, domains: Collection[str] | None) -> list[Diagnostic]:
    """All that the tree holds and may not."""
    walker = _Walker(tree, where, domains)
    return walker.found


class _Walker:
    def __init__(self, tree: ast.AST, where: str, domains: Collection[str] | None) -> None:
        self.where = where
        self.domains = domains
        self.found: list[Diagnostic] = []
        self.bound: set[str] = set()  # names that the text itself gives a meaning
        self.imported: set[str] = set()
        self.own: set[str] = set()  # private attributes that the text itself makes
        nodes = list(ast.walk(tree))
        for node in nodes:
            self._collect(node)
        for node in nodes:
            if look := _LOOK.get(type(node)):
                look(self, node)

    def say(self, node: ast.AST, code: str, message: str, hint: str = "") -> None:
        line = getattr(node, "lineno", None)
        self.found.append(Diagnostic(code, f"{self.where}:{line}" if line else self.where, message, hint))

    # --- what the text itself defines ---

    def _collect(self, node: ast.AST) -> None:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                self.bound.add(name)
                self.own.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                self.bound.add(name)
                self.own.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store(), value=ast.Name()):
                self.own.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names = {alias.asname or alias.name.partition(".")[0] for alias in aliases}
                self.bound |= names
                self.imported |= names
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                self.bound.add(name)

    # --- names ---

    def name(self, node: ast.Name) -> None:
        if not self._identifier(node.id, node):
            return
        if node.id in allowed.INNARDS and isinstance(node.ctx, ast.Store):  # a field of that name would be matched by it
            self.say(node, "name", f"the name {node.id} may not be used", "choose one that is not Python's own")
        elif node.id in allowed.NAMES and node.id not in self.bound:
            self.say(node, "name", f"{node.id} may not be used", allowed.NAMES[node.id])
        elif _dunder(node.id):
            fine = node.id in allowed.READABLE if isinstance(node.ctx, ast.Load) else node.id in allowed.CLASS_NAMES
            if not fine:
                self.say(node, "name", f"the name {node.id} may not be used", _dunder_hint(node.id))

    def _identifier(self, name: str, node: ast.AST) -> bool:
        if name.isascii():
            return True
        self.say(node, "name", f"the name {name} is not plain ASCII, and may look like another", texts.name_problem(name))
        return False

    def binds(self, node: ast.AST, name: str | None) -> None:
        """A name that is bound by other means than an assignment."""
        if name and self._identifier(name, node) and _dunder(name):
            self.say(node, "name", f"the name {name} may not be used", "choose one without double underscores")

    def argument(self, node: ast.arg) -> None:
        self.binds(node, node.arg)
        self.annotation(node.annotation)

    def keyword(self, node: ast.keyword) -> None:
        self.binds(node.value, node.arg)

    def bound_list(self, node: ast.Global | ast.Nonlocal) -> None:
        for name in node.names:
            self.binds(node, name)

    def named(self, node: ast.ExceptHandler | ast.MatchAs | ast.MatchStar) -> None:
        self.binds(node, node.name)

    # --- imports ---

    def import_(self, node: ast.Import) -> None:
        for alias in node.names:
            self._module(node, alias.name)
            self.binds(node, alias.asname)

    def import_from(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level:
            self.say(node, "import", "an import relative to here", f"write from {module or 'travel'} import …")
            return
        if not self._module(node, module):
            return
        for alias in node.names:
            self.binds(node, alias.asname)
            if alias.name == "*":
                self.say(node, "import", f"from {module} import * hides what is taken", "name what you need")
            elif alias.name.startswith("_") or alias.name in allowed.WITHHELD.get(module, ()):
                self.say(node, "import", f"{module}.{alias.name} may not be imported", _withheld(module, alias.name))

    def _module(self, node: ast.AST, name: str) -> bool:
        if name in allowed.MODULES or self._is_domain(name):
            return True
        top = name.partition(".")[0]
        near = get_close_matches(name, [*allowed.MODULES, *(self.domains or ())], n=1, cutoff=0.75)
        if top in allowed.INSTEAD:
            hint = allowed.INSTEAD[top]
        elif self.domains is not None and name in {kind.domain for kind in starter.TYPES.values()}:
            hint = f"{name}.py does not exist yet: it comes with its first record, so save this after that"
        elif near:
            hint = f"did you mean {near[0]}?"
        else:
            hint = f"allowed are {', '.join(sorted(allowed.MODULES - {'__future__'}))}" + (
                f", and the domains {', '.join(sorted(self.domains))}" if self.domains else ""
            )
        self.say(node, "import", f"{name} may not be imported", hint)
        return False

    def _is_domain(self, name: str) -> bool:
        if self.domains is not None:
            return name in self.domains
        return bool(_DOMAIN.fullmatch(name)) and name not in sys.stdlib_module_names and name not in allowed.INSTEAD

    # --- attributes ---

    def attribute(self, node: ast.Attribute) -> None:
        name = node.attr
        if not self._identifier(name, node):
            return
        if not isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name) and node.value.id in self.imported:
            self.say(
                node, "attribute", f"{node.value.id}.{name} is set; what is imported stays as it is", "bind a name of your own"
            )
        elif _dunder(name):
            if not self._readable(node):
                self.say(node, "attribute", f"the attribute .{name} may not be used", _dunder_hint(name))
        elif name in allowed.INNARDS:
            self.say(
                node,
                "attribute",
                f"the attribute .{name} may not be used",
                "it leads to the code behind a value; use the value",
            )
        elif name.startswith("_") and not self._private(node):
            self.say(
                node,
                "attribute",
                f"the private attribute .{name} may not be used",
                "only those of your own classes; use a public one",
            )
        elif name in ("format", "format_map"):
            self._format(node)

    def _readable(self, node: ast.Attribute) -> bool:
        if not isinstance(node.ctx, ast.Load):
            return False
        if node.attr in allowed.READABLE:
            return True
        match node.value:
            case ast.Call(func=ast.Name(id="super"), args=[]):
                return node.attr in allowed.METHODS - {"__new__"}
        return False

    def _private(self, node: ast.Attribute) -> bool:
        base = node.value.id if isinstance(node.value, ast.Name) else ""
        return base in ("self", "cls") or node.attr in self.own or node.attr in allowed.NAMEDTUPLE

    def _format(self, node: ast.Attribute) -> None:
        """A format string may not reach into what it formats; one that is not written in place is checked when it runs."""
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            return
        try:
            reaching = reaches(node.value.value)
        except ValueError as error:
            self.say(node, "format", f"not a format string: {error}", "write an f-string")
            return
        if reaching:
            self.say(node, "format", f"{{{reaching}}} reaches into a value from text", "write an f-string, as in f'{trip.to}'")

    def call(self, node: ast.Call) -> None:
        match node:
            case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[_, ast.Constant(value=str(name)), *_]):
                if name.startswith("_") or name in allowed.INNARDS:
                    self.say(node, "attribute", f"the attribute .{name} may not be reached by name", "use a public one")
            case ast.Call(func=ast.Name(id="type"), args=[_, _, *_]):
                self.say(node, "name", "type() with three arguments makes a class", "write a class statement")
            case ast.Call(func=ast.Attribute(attr=attr, value=base)) if attr in _CLOCK and _is_date(base):
                self.say(
                    node,
                    "clock",
                    f"{ast.unparse(node.func)}() reads the clock of the machine",
                    "use `today`, the day that is asked for",
                )

    # --- classes, functions, annotations ---

    def class_(self, node: ast.ClassDef) -> None:
        self.binds(node, node.name)
        for keyword in node.keywords:
            self.say(
                node,
                "class-keyword",
                f"class {node.name}({keyword.arg or '**'}=…) changes how classes are made",
                "leave it out",
            )

    def function(self, node: ast.FunctionDef) -> None:
        self._identifier(node.name, node)
        if _dunder(node.name) and node.name not in allowed.METHODS:
            self.say(node, "name", f"the method {node.name} may not be defined", "give it a plain name and call it by that")
        self.annotation(node.returns)

    def variable(self, node: ast.AnnAssign) -> None:
        self.annotation(node.annotation)

    def annotation(self, node: ast.expr | None) -> None:
        """An annotation may be text, which is an expression, which may be text again."""
        for part in _annotation_texts(node):
            try:
                inner = parse(part.value)  # type: ignore[arg-type]
            except (SyntaxError, ValueError):
                self.say(part, "annotation", f"{str(part.value)[:60]!r} is not an annotation", "write the type, without quotes")
                continue
            # a statement `_: annotation` lets the text inside the text be looked at in the same way
            inner.body = [
                ast.AnnAssign(ast.Name("_", ast.Store()), s.value, simple=1) for s in inner.body if isinstance(s, ast.Expr)
            ]
            for finding in check(inner, self.where, self.domains):
                self.say(part, finding.code, f"in an annotation, {finding.message}", finding.hint)

    def pattern(self, node: ast.MatchClass) -> None:
        """What stands by position is an attribute that only the class names; in a pattern of a builtin it is the value."""
        plain = isinstance(node.cls, ast.Name) and node.cls.id in allowed.BUILTINS and node.cls.id not in self.bound
        if node.patterns and not plain:
            self.say(
                node, "attribute", f"{ast.unparse(node.cls)}(…) is matched by position", "name the attribute: Trip(to=place)"
            )
        for name in node.kwd_attrs:
            if name.startswith("_") or name in allowed.INNARDS or name in ("format", "format_map"):
                self.say(node, "attribute", f"the attribute .{name} may not be matched", "match a public one")
            self._identifier(name, node)

    def waiting(self, node: ast.AST) -> None:
        self.say(node, "async", "async and await have nothing to wait for here", "write a plain function and call it")

    def number(self, node: ast.Constant) -> None:
        if type(node.value) is int and node.value.bit_length() > 4096:
            self.say(node, "too-long", "a number of more than 1,200 digits", "write it shorter")


_LOOK: Mapping[type[ast.AST], Callable[[_Walker, Any], None]] = {
    ast.Name: _Walker.name, ast.arg: _Walker.argument, ast.keyword: _Walker.keyword, ast.Attribute: _Walker.attribute,
    ast.Global: _Walker.bound_list, ast.Nonlocal: _Walker.bound_list, ast.ExceptHandler: _Walker.named,
    ast.MatchAs: _Walker.named, ast.MatchStar: _Walker.named, ast.MatchClass: _Walker.pattern, ast.Import: _Walker.import_,
    ast.ImportFrom: _Walker.import_from, ast.Call: _Walker.call, ast.ClassDef: _Walker.class_,
    ast.FunctionDef: _Walker.function, ast.AnnAssign: _Walker.variable, ast.Constant: _Walker.number,
    ast.AsyncFunctionDef: _Walker.waiting, ast.Await: _Walker.waiting, ast.AsyncFor: _Walker.waiting,
    ast.AsyncWith: _Walker.waiting,
}  # fmt: skip


def reaches(text: str) -> str:
    """The first field of a format string that has an attribute or an index. Raise ValueError when it is no format string.

    >>> reaches("{} {name!r:>{width}}"), reaches("{0.to}")
    ('', '0.to')
    """
    for _, field, spec, _ in string.Formatter().parse(text):
        if field is not None and ("." in field or "[" in field):
            return field
        if spec and (inner := reaches(spec)):
            return inner
    return ""


def _annotation_texts(node: ast.expr | None) -> Iterator[ast.Constant]:
    """The text inside an annotation, except that of Literal, which stands for itself."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    elif node is not None and not (isinstance(node, ast.Subscript) and _last_name(node.value) == "Literal"):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from _annotation_texts(child)


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_date(node: ast.expr) -> bool:
    return _last_name(node) in ("date", "datetime") and isinstance(node, ast.Name | ast.Attribute)


def _dunder(name: str) -> bool:
    return name.startswith("__")


def _dunder_hint(name: str) -> str:
    known = {
        "__class__": "write type(x)", "__dict__": "write dataclasses.asdict(x)", "__file__": "there are no files here",
        "__import__": "write an import statement at the top", "__builtins__": "use the name itself",
        "__annotations__": "write dataclasses.fields(x)",
    }  # fmt: skip
    return known.get(name, "names with double underscores belong to Python itself; use a public one")


def _withheld(module: str, name: str) -> str:
    known = {"make_dataclass": "write a class with @dataclass", "ABCMeta": "derive from ABC", "Template": "write an f-string",
             "Formatter": "write an f-string", "singledispatch": "use match or isinstance"}  # fmt: skip
    return known.get(name, f"use another part of {module}")
