"""What a person means who renames: the field, type or collection of a project, and whether it can be called so.

And what a person may have renamed without saying so.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from uac_nb.changes.workspace import NOTES, Found, Workspace
from uac_nb.domainfile.names import check_names
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.parts import INIT
from uac_nb.domainfile.records import RecordType, is_record, says_the_same, type_of, values_of
from uac_nb.domainfile.renames import Renaming
from uac_nb.domainfile.text import STATE
from uac_nb.domainfile.words import did_you_mean
from uac_nb.errors import CheckError, Diagnostic
from uac_nb.starter import TYPES

KEPT = ("id", "source")  # fields that every record has


def renaming_of(workspace: Workspace, old: str, new: str, domain: str = "", *, made: bool = False) -> Renaming:
    """The renaming of "Trip.cost", "trips.cost", "Trip" or "trips"; of "cost" where only one type (of the domain) has it.

    `new` may be written as long as `old` is. What was `made` before is found by its new name. Raise CheckError where nothing
    is called so.
    """
    given = new
    head, dot, field = old.rpartition(".")
    prefix, _, new = new.rpartition(".")
    if prefix and prefix != head and (head in workspace.types or head in workspace.collections):
        raise _refused(f"{old} cannot become {prefix}.{new}", "a field stays in its type; reshape moves records to another")
    name = new if made else field
    if dot:
        if (kind := _type(workspace, head)) is None or name not in kind.by_name:
            raise _unknown(workspace, f"{head}.{name}", given)
        return Renaming(kind.domain, field, new, kind.name)
    if name in workspace.types and field[:1].isupper():
        return Renaming(workspace.types[name].domain, old, new)
    if name in workspace.collections and not field[:1].isupper():
        return Renaming(workspace.domain_of(name).name, old, new)
    kinds = [k for k in workspace.types.values() if name in k.by_name and domain in ("", k.domain)]
    if len(kinds) > 1:
        which = " or ".join(f"{kind.name}.{name}" for kind in kinds)
        raise _refused(f"{len(kinds)} types have a field {name!r}", f"say which: {which}")
    if kinds:
        return Renaming(kinds[0].domain, old, new, kinds[0].name)
    raise _unknown(workspace, old, given)


def check_renaming(workspace: Workspace, renaming: Renaming) -> None:
    """Raise CheckError where the new name cannot be, or what has the old one keeps it."""
    new, kind = renaming.new, workspace.types.get(renaming.type or renaming.old)
    if not renaming.home or renaming.home == NOTES:
        raise _refused(f"{renaming} comes with us and keeps its name", "rename what the domains define")
    if not renaming.type:
        word = "type" if renaming.names_a_type else "collection"
        if wrong := check_names(type=new) if renaming.names_a_type else check_names(collection=new):
            raise CheckError(wrong)
        if new in workspace.types or new in workspace.collections:
            raise _refused(f"there is a {word} {new!r} already", "choose another name")
        if new == NOTES or new in TYPES or new in {starter.name for starter in TYPES.values()}:
            told = f"{new!r} is what readers and rules of ours call something else"
            raise _refused(told, "choose another name; reshape moves records into a type of ours")
    elif renaming.old in KEPT:
        raise _refused(f"every record has {renaming.old!r}; it keeps its name", "add a field beside it")
    elif not new.isidentifier() or keyword.iskeyword(new) or new.startswith("_"):
        raise _refused(f"a field cannot be called {new!r}", "write lower-case letters, digits and _")
    elif kind and new in kind.by_name:
        raise _refused(f"{renaming.type} has a field {new!r} already", "choose another name, or take that one out first")


def _type(workspace: Workspace, name: str) -> RecordType | None:
    return workspace.collections[name].type if name in workspace.collections else workspace.types.get(name)


def _unknown(workspace: Workspace, old: str, new: str) -> CheckError:
    """Why nothing is called so, and what may be meant: what it is instead, the two names the wrong way round, the nearest."""
    known = [*_names(workspace)]
    if workspace.find(old):
        return _refused(f"{old!r} is a record, and the id of a record never changes", "edit what it is called: its title, say")
    if old in workspace.domains:
        return _refused(f"{old!r} is a domain, and keeps its name", "rename what it defines: a type, a collection, a field")
    head, dot, field = old.rpartition(".")
    if new in known:
        hint = f"the name that it has now comes first: {new}, then {old}"
    elif dot and (kind := _type(workspace, _nearest(head, [*workspace.types, *workspace.collections]))):
        fields = [name for name in kind.by_name if name not in KEPT]
        near = _nearest(field, fields)
        hint = f"did you mean {f'{kind.name}.{near}'!r}?" if near else f"{kind.name} has {', '.join(fields)}"
    else:
        wholes = [*workspace.types, *(name for name in workspace.collections if name != NOTES)]
        example = next((name for name in known if "." in name), "Trip.cost")
        hint = did_you_mean(old, known) or f"there are {', '.join(wholes)}; a field is written as in {example}"
    return _refused(f"there is nothing called {old!r}", hint if known else "nothing has a name yet: tell something first")


def _nearest(name: str, names: Sequence[str]) -> str:
    """One of the names, whatever its capitals; "" where none is near."""
    by_lower = {known.lower(): known for known in names}
    near = get_close_matches(name.lower(), by_lower, 1)
    return by_lower[near[0]] if near else ""


def _names(workspace: Workspace) -> Iterator[str]:
    """All that can be renamed, types first."""
    yield from workspace.types
    yield from (name for name in workspace.collections if name != NOTES)
    of = {kind.name: kind for kind in workspace.types.values()} | {n: c.type for n, c in workspace.collections.items()}
    yield from (f"{name}.{field}" for name, kind in of.items() for field in kind.by_name if field not in KEPT)
    yield from (field for kind in workspace.types.values() for field in kind.by_name if field not in KEPT)


def _refused(message: str, hint: str) -> CheckError:
    return CheckError(Diagnostic("rename", "", message, hint))


# --- what may be a renaming ---


def unnamed(workspace: Workspace, files: Mapping[str, str], after: Workspace | None) -> Iterator[Diagnostic]:
    """A finding for each field or type that records have and that is gone, where another has come.

    `files` is what a person made of the project, `after` the same where it could be read: a value that was put into another
    field by hand, in every record, is not lost.
    """
    before = workspace.files()
    for path, text in files.items():
        home = path.removesuffix(".py").removesuffix(f"/{INIT}")
        if home in workspace.domains and text != before.get(path):
            classes = _classes(text[: text.rfind(f"\n{STATE}")])
            kinds = workspace.domains[home].types
            come = sorted(classes.keys() - kinds.keys())
            for kind in kinds.values():
                if kind.name in classes:
                    yield from _fields_gone(workspace, kind, classes[kind.name], path, after)
                elif after is None and come and (held := len([*_records(workspace, kind)])):
                    told = f"there is no type {kind.name} any more, and {_number(held, 'is', 'are')} of it"
                    yield _told(f"{path}:{classes[come[0]].lineno}", told, kind.name, come)


def _fields_gone(
    workspace: Workspace, kind: RecordType, node: ast.ClassDef, path: str, after: Workspace | None
) -> Iterator[Diagnostic]:
    targets = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    if come := [name for name in names if name not in kind.by_name]:
        for gone in [f for f in kind.fields if f.name not in names]:
            held = [(id, value) for id, r in _records(workspace, kind) if (value := getattr(r, gone.name)) != gone.default]
            lost = [id for id, value in held if not (after and _carried(after.find(id), value, come))]
            if lost:
                told = f"{kind.name} has no field {gone.name!r} any more, and {_number(len(lost), 'holds', 'hold')} one"
                yield _told(f"{path}:{node.lineno}", told, f"{kind.name}.{gone.name}", come)


def _carried(found: Found | None, value: Any, names: Sequence[str]) -> bool:
    """Whether a record is gone altogether, or holds a value in one of these fields."""
    return found is None or any(says_the_same(value, getattr(found.record, name, None)) for name in names)


def _told(where: str, told: str, old: str, come: Sequence[str]) -> Diagnostic:
    names = " or ".join(map(repr, come))
    python = f"rename={{{old!r}: {come[0]!r}}}"
    how = f"save the same with --rename {old}={come[0]} (%%uac_code, uac-nb edit) or, from Python, {python}"
    hint = f"if it is called {names} now, {how}; if not, take the old out in one edit and put the new in with another"
    return Diagnostic("rename", where, told, hint)


def _number(count: int, one: str, many: str) -> str:
    return f"{count:,} record{'s' * (count > 1)} {many if count > 1 else one}"


def _classes(code: str) -> dict[str, ast.ClassDef]:
    try:
        return {node.name: node for node in parse(code).body if isinstance(node, ast.ClassDef)}
    except (SyntaxError, ValueError):
        return {}  # that it cannot be read is said where it is checked


def _records(workspace: Workspace, kind: RecordType) -> Iterator[tuple[str, Any]]:
    """All records of a type, also those that others hold, each with the id of the one in a collection."""
    for found in workspace.all():
        yield from ((found.record.id, record) for record in _within(found.record) if type_of(record).name == kind.name)


def _within(value: Any) -> Iterator[Any]:
    if is_record(value):
        yield value
        for inner in values_of(value).values():
            yield from _within(inner)
    elif isinstance(value, tuple | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _within(inner)
