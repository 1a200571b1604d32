"""What stands above the line of a domain file: imports, record types, and text that is kept but not read (methods …)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from uac_nb.domainfile.annotations import MISSING, Nested, Type, parse_type, parts
from uac_nb.domainfile.imports import IMPORTS
from uac_nb.domainfile.names import check_names
from uac_nb.domainfile.records import NOTE, Field, RecordType
from uac_nb.domainfile.text import Text
from uac_nb.domainfile.types import Misfit, accepts, expect
from uac_nb.domainfile.values import Refused, Scope, read_value
from uac_nb.errors import CheckError, Diagnostic
from uac_nb.starter import FORMER

DECORATOR = "@dataclass(frozen=True, slots=True, kw_only=True)"
ONE_AT_A_TIME = "one_at_a_time"
_FLAGS = frozenset({"frozen", "slots", "kw_only"})


class Definitions:
    """Reads them in order. Afterwards `types` holds the record types, `scope` what values may name, `found` the findings."""

    def __init__(self, domain: str, text: Text, known: Mapping[str, RecordType], where: str = "") -> None:
        self.domain, self.text, self.known = domain, text, known
        self.where = where or f"{domain}.py"
        self.doc = ""
        self.types: dict[str, RecordType] = {}
        self.scope = Scope()
        self.found: list[Diagnostic] = []
        self._names: dict[str, Type] = {}

    def say(self, line: int, code: str, message: str, hint: str = "") -> None:
        self.found.append(Diagnostic(code, f"{self.where}:{line}", message, hint))

    def check(self) -> None:
        """Raise CheckError with what was found so far, in the order of the lines."""
        if self.found:
            raise CheckError(sorted(self.found, key=lambda finding: int(finding.where.rpartition(":")[2])))

    @property
    def uses(self) -> dict[str, RecordType]:
        """The types of other files that this one imports."""
        return {name: kind for name, kind in self.scope.types.items() if name not in self.types}

    def read(self, body: list[ast.stmt]) -> None:
        for index, node in enumerate(body):
            match node:
                case ast.Expr(value=ast.Constant(value=str() as doc)) if index == 0:
                    self.doc = doc.strip()
                case ast.ImportFrom(module=str() as module):
                    self._import(node, module)
                case ast.ClassDef() if _is_record(node):
                    self._class(node)
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() | ast.BinOp() as value):
                    self._alias(name, value)

    def _import(self, node: ast.ImportFrom, module: str) -> None:
        for alias in node.names:
            if alias.asname is not None:
                continue  # under another name it is no type of ours, and refused where it is used as one
            if alias.name == "Note" and module == "uac_nb.rules":
                self._see(NOTE)
            elif module == IMPORTS.get(alias.name):
                self.scope.imported.add(alias.name)
            elif (kind := self.known.get(alias.name)) and kind.domain in ("", module):
                self._see(kind)

    def _see(self, kind: RecordType) -> None:
        self.scope.types[kind.name] = kind
        self._names[kind.name] = Nested(kind)

    def _alias(self, name: str, value: ast.expr) -> None:
        with suppress(ValueError):  # else it is a constant, kept as text
            self._names[name] = parse_type(value, self._names)

    # --- a class ---

    def _class(self, node: ast.ClassDef) -> None:
        for finding in check_names(type=node.name, where=f"{self.where}:{node.lineno}"):
            self.found.append(finding)
        if node.name in self.scope.types:
            return self.say(
                node.lineno, "type", f"there is a type {node.name} already", "choose another name, or extend that one"
            )
        self._shape(node)
        fields = [field for field in map(self._field, _annotated(node)) if field]
        for name, line in _twice(node):
            self.say(line, "field", f"{node.name} has two of {name!r}", "rename one of them")
        for name, line in _hidden(node):
            self.say(line, "field", f"{name} is no type here: it is a field with a default above", "rename that field")
        doc = ast.get_docstring(node) or ""
        starter, names = self._starter(node), {field.name for field in fields}
        former = {new: old for new, old in FORMER.get(starter or "", {}).items() if new not in names and old in {None, *names}}
        self._see(
            RecordType(
                node.name,
                tuple(fields),
                doc=doc,
                starter=starter,
                domain=self.domain,
                former=former,
                one_at_a_time=self._one_at_a_time(node, fields),
            )
        )
        self.types[node.name] = self.scope.types[node.name]
        return None

    def _shape(self, node: ast.ClassDef) -> None:
        decorator = next(d for d in node.decorator_list if _called(d) == "dataclass")
        flags = decorator.keywords if isinstance(decorator, ast.Call) else []
        on = {k.arg for k in flags if isinstance(k.value, ast.Constant) and k.value.value is True}
        if not on >= _FLAGS or len(node.decorator_list) > 1:
            self.say(decorator.lineno, "type", f"{node.name} is not frozen, slotted and keyword-only", f"write {DECORATOR}")
        if node.bases or node.keywords:
            self.say(
                node.lineno, "type", f"{node.name} builds on another class", "write out all its fields; a record stands alone"
            )
        self._imported(decorator)

    def _starter(self, node: ast.ClassDef) -> str | None:
        start, end = self.text.line(node.lineno)
        match = re.search(r"#[ \t]*starter:[ \t]*(\w+)", self.text.text[start:end])
        return match[1] if match else None

    def _one_at_a_time(self, node: ast.ClassDef, fields: list[Field]) -> tuple[str, ...]:
        """The fields that say of what only one record can hold at a time, () where the class does not say."""
        said = next((part for part in node.body if isinstance(part, ast.Assign) and _named(part) == ONE_AT_A_TIME), None)
        if said is None:
            return ()
        items = said.value.elts if isinstance(said.value, ast.Tuple) else []
        names = [item.value for item in items if isinstance(item, ast.Constant)]
        if not names or len(names) < len(items) or not set(names) <= {field.name for field in fields}:
            self.say(
                said.lineno, "type", f"{ONE_AT_A_TIME} has to name fields of {node.name}", f'write {ONE_AT_A_TIME} = ("who",)'
            )
            return ()
        return tuple(map(str, names))

    def _field(self, node: ast.AnnAssign) -> Field | None:
        assert isinstance(node.target, ast.Name)
        name = node.target.id
        if name.startswith("__"):
            self.say(node.lineno, "field", f"a field cannot be called {name!r}", "leave out the underscores")
            return None
        if not self._imported(node.annotation):
            return None
        try:
            kind = parse_type(node.annotation, self._names)
            default = MISSING if node.value is None else self._default(node.value, kind, name)
        except Refused as refused:
            self.say(refused.line, "value", f"{name}: {refused.message}", refused.hint)
        except Misfit as misfit:
            self.say(node.lineno, "value", f"the default of {misfit.path.removeprefix('$.')}: {misfit.message}", misfit.hint)
        except ValueError as error:
            message, _, hint = str(error).partition("; ")
            self.say(node.lineno, "type", f"{name}: {message}", hint)
        else:
            return Field(name, kind, default, self.text.comment(node))
        return None

    def _default(self, node: ast.expr, kind: Type, name: str) -> object:
        if isinstance(node, ast.Call) and _called(node) == "field":
            self._imported(node)
            node = _default_of(node)
        elif isinstance(node, ast.Dict):
            raise Refused(node, "a dict as default would be shared by all records", "write field(default_factory=dict)")
        value = read_value(node, self.scope)
        if not accepts(kind)(value):
            expect(kind, value, f"$.{name}")
        return value

    def _imported(self, node: ast.expr) -> bool:
        """Whether all names of ours that an expression uses are imported; say which are not."""
        missing = [
            n for n in ast.walk(node)
            if isinstance(n, ast.Name) and n.id in IMPORTS and n.id not in self.scope.imported and n.id not in self._names
        ]  # fmt: skip
        for name in missing:
            self.say(name.lineno, "import", f"{name.id} is not imported", f"add: from {IMPORTS[name.id]} import {name.id}")
        inner = [self._names[n.id] for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in self._names]
        for kind in dict.fromkeys(k for type in inner for k in _held(type)):
            if kind.name not in self.scope.types and kind is not NOTE:
                missing.append(ast.Name(kind.name))
                hint = f"add: from {kind.domain} import {kind.name}"
                self.say(node.lineno, "import", f"{kind.name}, which {ast.unparse(node)} holds, is not imported", hint)
        return not missing


def _held(type: Type) -> Iterator[RecordType]:
    """The record types that a value of a type may hold, at any depth."""
    for part in parts(type):
        if isinstance(part, Nested):
            yield part.type
            for field in part.type.fields:
                yield from _held(field.type)


def _is_record(node: ast.ClassDef) -> bool:
    return any(_called(decorator) == "dataclass" for decorator in node.decorator_list)


def _named(node: ast.Assign) -> str:
    return node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""


def _called(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.id if isinstance(node, ast.Name) else ""


def _annotated(node: ast.ClassDef) -> list[ast.AnnAssign]:
    """The fields of a class: what is annotated, but not as ClassVar."""
    named = [n for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]
    return [n for n in named if not any(isinstance(x, ast.Name) and x.id == "ClassVar" for x in ast.walk(n.annotation))]


def _twice(node: ast.ClassDef) -> list[tuple[str, int]]:
    """Names in the body of a class that a field and something else have, with the line of the second."""
    seen: set[str] = set()
    found = []
    for item in node.body:
        name = (
            item.target.id
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
            else getattr(item, "name", "")
        )
        if name in seen:
            found.append((name, item.lineno))
        if name:
            seen.add(name)
    return found


def _hidden(node: ast.ClassDef) -> Iterator[tuple[str, int]]:
    """Names that an annotation uses although a field above has bound them (date: date | None = None), with the line."""
    bound: set[str] = set()
    for item in _annotated(node):
        used = {n.id for n in ast.walk(item.annotation) if isinstance(n, ast.Name)}
        yield from ((name, item.lineno) for name in sorted(used & bound))
        if item.value is not None and isinstance(item.target, ast.Name):
            bound.add(item.target.id)


def _default_of(node: ast.Call) -> ast.expr:
    """The value that field(default=…) or field(default_factory=dict) gives."""
    match node.keywords:
        case [ast.keyword(arg="default", value=value)] if not node.args:
            return value
        case [ast.keyword(arg="default_factory", value=ast.Name(id="dict"))] if not node.args:
            return ast.Dict(keys=[], values=[], lineno=node.lineno)
        case [ast.keyword(arg="default_factory", value=ast.Name(id="tuple"))] if not node.args:
            return ast.Tuple(elts=[], lineno=node.lineno)
    raise Refused(node, f"{ast.unparse(node)} is no default", "write the value, or field(default_factory=dict)")
