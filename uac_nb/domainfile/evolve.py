"""Changes of types, as text: each function gives the new text of a domain, which is then parsed and so checked."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from uac_nb.domainfile.definitions import DECORATOR
from uac_nb.domainfile.imports import IMPORTS, Imports, add_imports, lifted, unbound
from uac_nb.domainfile.names import check_names
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.render import WIDTH
from uac_nb.domainfile.text import STATE, Edit, Text, splice, tree
from uac_nb.domainfile.words import brief, did_you_mean, quoted
from uac_nb.errors import CheckError, Diagnostic

if TYPE_CHECKING:
    from uac_nb.domainfile.domain import Domain


def define(domain: Domain, collection: str, text: str, starter: str | None) -> str:
    """The domain with the classes in `text` behind its own, and an empty collection of the last of them."""
    if wrong := check_names(collection=collection, where=domain.path):
        raise CheckError(wrong)
    name, body, imports = _classes(text, starter)
    types, values = domain.text[: domain.head].rstrip(), domain.text[domain.head : domain.tail].rstrip()
    rest = f"\n{domain.text[domain.tail :]}" if domain.text[domain.tail :] else ""
    whole = f"{types}\n\n\n{body}\n\n{values}\n\n{collection}: list[{name}] = []\n{rest}"
    return add_imports(whole, imports)


# --- the text of a class ---


def _classes(text: str, starter: str | None) -> tuple[str, str, Imports]:
    """The name of the last class, the text without its imports, and what it has to import."""
    source = Text(text.strip() + "\n")
    module = tree(source.text, "$.text")
    for node in module.body:
        if not isinstance(node, ast.ClassDef | ast.Import | ast.ImportFrom | ast.Assign):
            hint = "write the class; its collection is added for you"
            raise CheckError(Diagnostic("type", f"$.text:{node.lineno}", f"{source.of(node)[:60]!r} is no class", hint))
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    if not classes or re.search(rf"^{STATE}", source.text, re.MULTILINE):
        raise CheckError(Diagnostic("type", "$.text:1", "the text is no class", "write one dataclass, with its fields"))
    edits = [edit for node in classes for edit in _decorated(source, node)]
    last = classes[-1]
    if starter:
        edits.append(_marked(source, last, starter))
    imports, cut = lifted(source, module)
    body = re.sub(r"\n{4,}", "\n\n\n", splice(source.text, [*edits, *cut]).strip())
    for name in sorted(unbound(module)):
        imports.setdefault(IMPORTS[name], set()).add(name)
    imports.setdefault("dataclasses", set()).add("dataclass")
    return last.name, body, imports


def _decorated(source: Text, node: ast.ClassDef) -> Iterator[Edit]:
    """Make it frozen, slotted and keyword-only where it was written as a plain class or dataclass."""
    if node.bases and not node.decorator_list:
        return  # a helper, such as an Enum
    if not node.decorator_list:
        start = source.line(node.lineno)[0]
        yield start, start, f"{DECORATOR}\n"
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(called, ast.Name) and called.id == "dataclass":
            start, end = source.span(decorator)
            yield start, end, DECORATOR.removeprefix("@")


def _marked(source: Text, node: ast.ClassDef, starter: str) -> Edit:
    """Put the mark behind the head of the class, in place of a comment there."""
    start, end = source.line(node.lineno)
    head = source.text[start:end].partition("#")[0].rstrip()
    return start + len(head), end, f"  # starter: {starter}"


# --- fields and choices ---


def extend(
    domain: Domain, type_name: str, fields: Sequence[tuple[str, str, str]], choices: Mapping[str, Sequence[str]],
    comments: Mapping[str, str] = {},
) -> str:  # fmt: skip
    source, node = _class(domain, type_name)
    edits = [edit for name, new in choices.items() for edit in _widened(domain, source, _field(domain, node, name), new)]
    imports: Imports = {}
    if fields:
        fields = [(_identifier(domain, name), _expression(kind), _expression(default)) for name, kind, default in fields]
        edits.append(_new_fields(source, node, fields, comments))
        for _, kind, default in fields:
            for name in unbound(tree(f"({kind}, {default})\n", "$.fields")):
                imports.setdefault(IMPORTS[name], set()).add(name)
    return add_imports(splice(domain.text, edits), imports)


def _identifier(domain: Domain, name: str) -> str:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise _refused(domain, f"a field cannot be called {name!r}", "write lower-case letters, digits and _")
    return name


def _expression(code: str) -> str:
    """One expression on one line, and no more than that."""
    try:
        node = parse(code.strip(), "eval")
    except (SyntaxError, ValueError):
        raise CheckError(
            Diagnostic("syntax", "$.fields", f"{brief(code)} is no expression", "write a type or a value")
        ) from None
    return ast.unparse(node) if "\n" in code or "#" in code else code.strip()


def _new_fields(source: Text, node: ast.ClassDef, fields: Sequence[tuple[str, str, str]], comments: Mapping[str, str]) -> Edit:
    told = {name: f"  # {' '.join(comment.split())}" for name, comment in comments.items()}
    lines = "".join(f"    {name}: {annotation} = {default}{told.get(name, '')}\n" for name, annotation, default in fields)
    own = [item for item in node.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)]
    cited = next((item for item in own if item.target.id == "source"), None)  # type: ignore[union-attr]
    if cited:
        start = source.line(cited.lineno)[0]
        return start, start, lines
    end = source.line((own or node.body)[-1].end_lineno or 0)[1] + 1
    return end, end, lines


def _widened(domain: Domain, source: Text, field: ast.AnnAssign, new: Sequence[str]) -> Iterator[Edit]:
    """Put choices behind the last of a Literal, in its own layout."""
    literal = _literal(source, domain, field.annotation)
    if literal is None:
        raise _refused(
            domain, f"{ast.unparse(field.target)} is no Literal but {source.of(field.annotation)}", "any text will do there"
        )
    items = literal.slice.elts if isinstance(literal.slice, ast.Tuple) else [literal.slice]
    had = [item.value for item in items if isinstance(item, ast.Constant)]
    fresh = [quoted(choice) for choice in dict.fromkeys(new) if choice not in had]
    if not fresh:
        return
    start, end = source.span(items[-1])
    line, stop = source.line(items[-1].lineno)
    if items[-1].lineno != literal.lineno and not source.text[line:start].strip():  # an item on each line
        margin = source.text[line:start]
        yield end, end, "".join(f",\n{margin}{choice}" for choice in fresh)
    elif stop - line + sum(len(choice) + 2 for choice in fresh) <= WIDTH:
        yield end, end, "".join(f", {choice}" for choice in fresh)
    else:
        margin = re.match(r"[ \t]*", source.text[source.line(field.lineno)[0] :])[0]  # type: ignore[index]
        choices = [*map(source.of, items), *fresh]
        inner = "".join(f"{margin}    {choice},\n" for choice in choices)
        yield (*source.span(literal), f"Literal[\n{inner}{margin}]")


def _literal(source: Text, domain: Domain, annotation: ast.expr) -> ast.Subscript | None:
    """The Literal of an annotation, or of the alias that it names."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal":
            return node
    names = {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}
    for statement in tree(domain.text, domain.path).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in names:
                return _literal(source, domain, value)
    return None


def _class(domain: Domain, type_name: str) -> tuple[Text, ast.ClassDef]:
    for node in tree(domain.text, domain.path).body:
        if isinstance(node, ast.ClassDef) and node.name == type_name and type_name in domain.types:
            return Text(domain.text), node
    raise _refused(domain, f"{domain.name} has no type {type_name!r}", did_you_mean(type_name, domain.types))


def _field(domain: Domain, node: ast.ClassDef, name: str) -> ast.AnnAssign:
    own = {item.target.id: item for item in node.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)}
    if name not in own:
        raise _refused(domain, f"{node.name} has no field {name!r}", did_you_mean(name, own) or f"it has {', '.join(own)}")
    return own[name]


def _refused(domain: Domain, message: str, hint: str) -> CheckError:
    return CheckError(Diagnostic("type", domain.path, message, hint))
