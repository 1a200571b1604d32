"""Applying changes: `settle` fits a proposed one to the project, `apply` carries a settled one out.

Settling may answer with several changes (a starter type is defined before its first record) and with another id (one
that is taken elsewhere gets a suffix). What is settled is logged and can be replayed with `apply` alone, without us
having to ship the same starter types for ever.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import singledispatch
from heapq import nlargest
from itertools import chain, count, pairwise
from typing import Any, cast

from uac_nb import starter
from uac_nb.changes.concerns import CONCERNS, settled
from uac_nb.changes.naming import check_renaming, renaming_of
from uac_nb.changes.reshape import reshaped
from uac_nb.changes.testfile import with_examples
from uac_nb.changes.vocabulary import (
    KINDS,
    NOT_PROPOSED,
    Absorb,
    Add,
    AddConcern,
    AddNote,
    AddRule,
    Amend,
    Change,
    Close,
    Confirm,
    Define,
    Derive,
    Extend,
    Forget,
    Merge,
    Propose,
    Refuse,
    Rename,
    Reshape,
    Skip,
    Supersede,
)
from uac_nb.changes.workspace import EMPTY_RULES, NOTES, Found, Workspace
from uac_nb.domainfile.annotations import Choice, parts
from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.imports import add_imports, lifted
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.records import NOTE, RecordType, make, says_the_same, type_of, values_of
from uac_nb.domainfile.text import Text
from uac_nb.domainfile.types import Misfit, coerce
from uac_nb.errors import CheckError, Diagnostic
from uac_nb.rules import live
from uac_nb.starter import FORMER

NOTES_TEXT = '''"""Notes: facts that no type holds yet."""
from uac_nb.rules import Note

# --- state ---

notes: list[Note] = []
'''

COMPARED = 200  # names that one which there is none of is compared with

# Fields that hold ids of other records; a merge re-points them.
REFERENCES = (
    "who", "others", "about", "part_of", "rests_on", "account", "card", "replaced_by", "because", "project", "allowed",
)  # fmt: skip
# And what a merge of today re-points besides: traits, relations, premises.
NAMING = ("to", "records", "takes", "needs", "tags", "allows", "present", "of", "requires", "with_whom", "set_by")


def settle(workspace: Workspace, change: Change, *, text_of: Callable[[int], str | None] | None = None) -> list[Change]:
    """Fit a proposed change to the project: the changes to log and apply, in order. Raise CheckError when it cannot be.

    `text_of` gives the words of a log entry (None where there is no such message); with it, sources have to exist and a `quote`
    has to stand in one of them.
    """
    if whose := NOT_PROPOSED.get(type(change)):
        raise _refused("change-shape", whose, f"a change is one of {', '.join(KINDS)}")
    if not change.source:
        raise _refused("source", f"the {change.change} cites no entry", "cite the numbers shown with the entries")
    if text_of:
        _check_sources(change, text_of)
    adopted = [*_adopted(workspace, change)]
    for define in adopted:
        workspace = apply(define, workspace)
    if text_of:
        _check_verbatim(workspace, change, text_of)
    if isinstance(change, Extend) and (lacking := _lacking(workspace, change)) != change:
        more = lacking.fields or lacking.choices
        return [*adopted, lacking] if more else [*adopted, Skip(source=change.source, reason="repetition")]
    if isinstance(change, Merge):
        return [*adopted, *whole(workspace, change)]
    if isinstance(change, Supersede):
        return _settle_supersede(workspace, change)
    return [*adopted, _fitted(workspace, change)]


def _lacking(workspace: Workspace, change: Extend) -> Extend:
    """An extension less the fields that the type has already, of that type: ours may have got them since."""
    there = workspace.collections[change.collection].type.by_name if change.collection in workspace.collections else {}
    fields = tuple(f for f in change.fields if f.name not in there or str(there[f.name].type) != f.type)
    return change.model_copy(update={"fields": fields})


def whole(workspace: Workspace, change: Merge) -> list[Change]:
    """A merge that loses nothing: what the one was to somebody becomes a record beside what the other is."""
    merge = change.model_copy(update={"whole": True})
    gone, into = workspace.find(change.id), workspace.find(change.into)
    was, now = (getattr(found.record, "relation", None) if found else None for found in (gone, into))
    if not (gone and was and now and was != now and type_of(gone.record).starter == "Person"):
        return [merge]
    relation, _, to = was.partition(" of ")
    values = {"who": change.into, "to": to or "me", "title": was, "relation": relation}
    id = re.sub(r"[^a-z0-9]+", "-", f"{change.into}-{was}".lower()).strip("-")[:80]
    kept = Add(source=gone.record.source, collection="relations", id=id, values=values)
    defines = [*_adopted(workspace, kept)]
    for define in defines:
        workspace = apply(define, workspace)
    return [*defines, _fitted(workspace, kept), merge]


def _check_verbatim(workspace: Workspace, change: Change, text_of: Callable[[int], str | None]) -> None:
    """Raise CheckError where a text to be kept word for word does not stand so in an entry."""
    match change:
        case Add(collection=name, id=id, values={"text": str(text)}) if name in workspace.collections:
            kind = workspace.collections[name].type
        case Amend(id=id, set={"text": str(text)}) if found := workspace.find(id):
            kind = type_of(found.record)
        case _:
            return
    if kind.starter == "Verbatim" and not any(text.strip() in (text_of(entry) or "") for entry in change.source):
        entries = ", ".join(map(str, change.source))
        hint = "give it to the letter, line breaks included, or note what it is about"
        raise _refused("verbatim", f"the text of {id} does not stand so in entry {entries}", hint)


def _adopted(workspace: Workspace, change: Change) -> Iterator[Define]:
    """The starter types that a change is about and the project does not have yet."""
    match change:
        case Add(collection=name) | Extend(collection=name):
            names = [name]
        case AddConcern():
            names = [CONCERNS]
        case AddRule() | Derive():
            names = [name for name in _parameters(change.text, change.id) if name in starter.TYPES]
        case _:
            names = []
    for name in names:
        ready = starter.CONCERN if name == CONCERNS else starter.TYPES.get(name)
        if ready and name not in workspace.collections and (isinstance(change, Add) or ready.name not in workspace.types):
            text = ready.text.replace(f"class {ready.name}:", f"class {ready.name}:  # starter: {ready.name}", 1)
            yield Define(source=change.source, domain=ready.domain, collection=name, text=text, doc=ready.domain_doc)


def _parameters(text: str, name: str) -> list[str]:
    """The parameters of a function; none where the text cannot be read, which is said where it is applied."""
    try:
        found = next((n for n in parse(text).body if isinstance(n, ast.FunctionDef) and n.name == name), None)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [arg.arg for arg in (*found.args.posonlyargs, *found.args.args)] if found else []


def _fitted(workspace: Workspace, change: Change) -> Change:
    """The change by the names that the project has, under an id that is free."""
    match change:
        case Add(collection=name) | Extend(collection=name) | Reshape(to=name) if name == CONCERNS:
            raise _refused("concern", f"{name} hold what does not go together", 'say it by the change "concern"')
        case AddConcern():
            id = _free(workspace, change.id, CONCERNS)
            return settled(workspace, change.model_copy(update={"id": id}))
        case Add():
            id = _free(workspace, change.id, change.collection)
            kind = _domain_of(workspace, change.collection, starter.TYPES).collections[change.collection].type
            return change.model_copy(update={"id": id, "values": _as_called(kind, change.values)})
        case Amend() if found := workspace.find(change.id):
            kind = type_of(found.record)
            parts = {part: _as_called(kind, getattr(change, part)) for part in ("set", "was", "append")}
            return change.model_copy(update=parts)
        case Extend():
            return change.model_copy(update={"commented": any(f.comment for f in change.fields)})
        case AddNote():
            return change.model_copy(update={"id": _free(workspace, change.id, NOTES)})
    return change


def _as_called(kind: RecordType, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by the names that a copy of a starter type has for its fields, where they came by earlier or later ones."""
    called = dict(values)
    for new, old in FORMER.get(kind.starter or "", {}).items():
        if old is None:
            continue
        if new in called and new in kind.former:
            called.setdefault(old, called.pop(new))
        elif old in called and new in kind.by_name and not _fits(kind, old, called[old]):
            called.setdefault(new, called.pop(old))
    return called


def _fits(kind: RecordType, name: str, value: Any) -> bool:
    try:
        return name in kind.by_name and coerce(kind.by_name[name].type, value) is not None
    except Misfit:
        return False


def ending_status(kind: RecordType) -> str | None:
    """The status that says of a record that it no longer holds, where its type has one."""
    status = kind.by_name.get("status")
    choices = next((part.values for part in parts(status.type) if isinstance(part, Choice)), ()) if status else ()
    return next((state for state in ("ended", "stopped") if state in choices), None)


def _settle_supersede(workspace: Workspace, change: Supersede) -> list[Change]:
    """With the end of the status of what another record takes the place of: "current" would bring it back."""
    found = workspace.find(change.id)
    status = ending_status(type_of(found.record)) if found and live(found.record) else None
    if found is None or status is None:
        return [change]
    if "until" not in type_of(found.record).by_name:
        return [Close(source=change.source, id=change.id, status=status, fact=change.fact, why=change.why)]
    return [Close(source=change.source, id=change.id, status=status), change]


def _free(workspace: Workspace, id: str, collection: str) -> str:
    taken = workspace.find(id)
    if taken is None:
        return id
    if taken.collection == collection:
        raise _refused("id-taken", f"{collection} has a record {id!r} already", "amend or confirm it, or choose another id")
    return next(new for n in count(2) if workspace.find(new := f"{id}-{n}") is None)


def _check_sources(change: Change, text_of: Callable[[int], str | None]) -> None:
    texts = {entry: text_of(entry) for entry in change.source}
    if missing := [entry for entry, text in texts.items() if text is None]:
        raise _refused(
            "source",
            f"there is no message {', '.join(map(str, missing))} in the log",
            "cite the numbers shown with the entries",
        )
    values = change.values if isinstance(change, Add) else change.set if isinstance(change, Amend) else {}
    quote = values.get("quote")
    if isinstance(quote, str) and not any(_plain(quote) in _plain(text or "") for text in texts.values()):
        raise _refused(
            "quote",
            f"the quote {quote[:60]!r} does not stand in entry {', '.join(map(str, texts))}",
            "quote word for word, or leave it out",
        )


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").split()).strip(' ."').lower()


# --- carrying out ---


@singledispatch
def apply(change: Change, workspace: Workspace) -> Workspace:
    """The project after a settled change. Raise CheckError when it does not fit; the workspace is not touched."""
    raise TypeError(f"not a change: {change!r}")


@apply.register
def _(change: Define, workspace: Workspace) -> Workspace:
    if change.collection in workspace.collections or change.collection == NOTES:
        raise _refused(
            "collection-taken", f"there is a collection {change.collection!r} already", "add to it, or extend its type"
        )
    domain = workspace.domains.get(change.domain) or Domain.new(
        change.domain, change.doc or change.domain.replace("_", " ").capitalize() + "."
    )
    defined = replace(domain, known=workspace.known_to(change.domain)).define(change.collection, change.text)
    for name in set(defined.types) - set(domain.types):
        if name in workspace.types:
            raise _refused("type-taken", f"there is a type {name!r} already", "choose another name, or extend that one")
    return workspace.with_domain(defined)


@apply.register
def _(change: Extend, workspace: Workspace) -> Workspace:
    domain = _domain_of(workspace, change.collection)
    fields = [(f.name, f.type, f.default) for f in change.fields]
    comments = {f.name: f.comment for f in change.fields if f.comment} if change.commented else {}
    type_name = domain.collections[change.collection].type.name
    return workspace.with_domain(domain.extend(type_name, fields, dict(change.choices), comments))


@apply.register
def _(change: Add, workspace: Workspace) -> Workspace:
    domain = _domain_of(workspace, change.collection)
    kind = domain.collections[change.collection].type
    values = {**change.values, "id": change.id, "source": change.source}
    return workspace.with_domain(domain.add(change.collection, _made(kind, values)))


@apply.register
def _(change: Amend, workspace: Workspace) -> Workspace:
    found = _found(workspace, change.id)
    kind, values = type_of(found.record), values_of(found.record)
    for name, was in change.was.items():
        if _coerced(kind, name, was) != values.get(name):
            raise _refused(
                "was",
                f"{change.id}.{name} is {values.get(name)!r}, not {was!r}",
                "look at the record and say again what changes",
            )
    for name, items in change.append.items():
        if kind is NOTE and name == "text":
            values[name] = " ".join([values[name], *map(str, items)])
            continue
        values[name] = _coerced(kind, name, [*(values.get(name) or ()), *_said(kind, name, items, change.source[0])])
    return _replaced(workspace, found, {**values, **change.set}, change.source)


@apply.register
def _(change: Confirm, workspace: Workspace) -> Workspace:
    found = _found(workspace, change.id)
    return _replaced(workspace, found, values_of(found.record), change.source)


@apply.register
def _(change: Close, workspace: Workspace) -> Workspace:
    found = _found(workspace, change.id)
    names = {f.name for f in type_of(found.record).fields}
    end: dict[str, Any] = {}
    if change.until is not None and "until" in names:
        end["until"] = change.until
    if change.status is not None and "status" in names:
        end["status"] = change.status
    if not end:
        raise _refused(
            "close",
            f"{change.id} ({found.collection}) has no field for its end",
            "give `until` or `status` where its type has them, or extend it first",
        )
    return _replaced(workspace, found, {**values_of(found.record), **end}, change.source)


@apply.register
def _(change: Supersede, workspace: Workspace) -> Workspace:
    _found(workspace, change.by)
    return apply(Close(source=change.source, id=change.id, until=change.until, status=None), workspace)


@apply.register
def _(change: AddNote, workspace: Workspace) -> Workspace:
    if change.about is not None:
        _found(workspace, change.about)
    domain = workspace.domains.get(NOTES) or Domain.parse(NOTES, NOTES_TEXT)
    values = {"id": change.id, "about": change.about, "text": change.text, "source": change.source}
    return workspace.with_domain(domain.add(NOTES, _made(domain.collections[NOTES].type, values)))


@apply.register
def _(change: Absorb, workspace: Workspace) -> Workspace:
    note = _found(workspace, change.note)
    if note.collection != NOTES:
        raise _refused("absorb", f"{change.note} is no note but one of {note.collection}", "merge records; absorb notes")
    into = _found(workspace, change.into)
    rest = workspace.with_domain(workspace.domains[NOTES].remove(change.note))
    return _replaced(rest, into, values_of(into.record), (*note.record.source, *change.source))


@apply.register
def _(change: Merge, workspace: Workspace) -> Workspace:
    gone, into = _found(workspace, change.id), _found(workspace, change.into)
    if gone.collection != into.collection or change.id == change.into:
        raise _refused(
            "merge",
            f"{change.id} is of {gone.collection}, {change.into} of {into.collection}",
            "only two records of one collection can be merged",
        )
    old, kept = values_of(gone.record), values_of(into.record)
    filled = {name: old[name] if value in (None, ()) else value for name, value in kept.items()}
    workspace = workspace.with_domain(workspace.domains[gone.domain].remove(change.id))
    workspace = _replaced(workspace, into, filled, (*old["source"], *change.source))
    return _repointed(workspace, change.id, change.into, (*REFERENCES, *NAMING) if change.whole else REFERENCES)


@apply.register
def _(change: Derive, workspace: Workspace) -> Workspace:
    return workspace.with_rules(_with_function(workspace.rules or EMPTY_RULES, change.id, change.text))


@apply.register
def _(change: AddRule, workspace: Workspace) -> Workspace:
    ruled = workspace.with_rules(_with_function(workspace.rules or EMPTY_RULES, change.id, change.text))
    return with_examples(change, ruled)


@apply.register
def _(change: AddConcern, workspace: Workspace) -> Workspace:
    values = {name: getattr(change, name) for name in ("id", "records", "because", "do", "severity", "until", "source")}
    domain = _domain_of(workspace, CONCERNS)
    return workspace.with_domain(domain.add(CONCERNS, _made(domain.collections[CONCERNS].type, values)))


@apply.register
def _(change: Reshape, workspace: Workspace) -> Workspace:
    return reshaped(change, workspace)


@apply.register
def _(change: Rename, workspace: Workspace) -> Workspace:
    renaming = renaming_of(workspace, change.old, change.new)
    check_renaming(workspace, renaming)
    return workspace.rename(renaming)


@apply.register(Forget)
@apply.register(Propose)
@apply.register(Refuse)
@apply.register(Skip)
def _(change: Forget | Propose | Refuse | Skip, workspace: Workspace) -> Workspace:
    return (
        workspace  # a skip says why nothing is kept; a forget and a proposal wait for the person; what was refused is not made
    )


# --- parts ---


def _refused(code: str, message: str, hint: str = "") -> CheckError:
    return CheckError(Diagnostic(code, "", message, hint))


def _meant(name: str, names: Iterable[str], otherwise: str) -> str:
    close = get_close_matches(name, _likely(name, list(names)), n=1)
    return f"did you mean {close[0]!r}?" if close else otherwise


def _likely(name: str, names: list[str]) -> list[str]:
    """Of many names those that have the most pairs of letters in common with one: to match it with all takes a second."""
    pairs = {a + b for a, b in pairwise(name)}
    if len(names) <= COMPARED:
        return names
    return nlargest(COMPARED, names, key=lambda other: sum(map(other.__contains__, pairs)) / (len(other) + len(name)))


def _domain_of(workspace: Workspace, collection: str, others: Iterable[str] = ()) -> Domain:
    try:
        return workspace.domain_of(collection)
    except KeyError:
        raise _refused(
            "unknown-collection",
            f"there is no collection {collection!r}",
            _meant(collection, [*workspace.collections, *others], "define it first"),
        ) from None


def _found(workspace: Workspace, id: str) -> Found:
    if (found := workspace.find(id)) is None:
        ids = chain.from_iterable(domain.ids() for domain in workspace.domains.values())
        raise _refused("unknown-id", f"there is no record {id!r}", _meant(id, ids, "add it first"))
    return found


def _made(kind: RecordType, values: dict[str, Any]) -> Any:
    return make(kind, values, "$.values")


def _coerced(kind: RecordType, name: str, value: Any) -> Any:
    field = next((f for f in kind.fields if f.name == name), None)
    if field is None:
        names = [f.name for f in kind.fields]
        raise _refused("unknown-field", f"{kind.name} has no field {name!r}", _meant(name, names, f"it has {', '.join(names)}"))
    try:
        return coerce(field.type, value)
    except Misfit as misfit:
        raise CheckError(Diagnostic(misfit.code, f"$.values.{name}", misfit.message, misfit.hint)) from None


def _said(kind: RecordType, name: str, items: list[Any], entry: int) -> list[Any]:
    """Phrases given as plain strings, each with the entry that says it, where the field keeps them so."""
    field = next((f for f in kind.fields if f.name == name), None)
    if field is None or "Said" not in str(field.type):
        return items
    return [{"text": item, "source": entry} if isinstance(item, str) else item for item in items]


def _replaced(workspace: Workspace, found: Found, values: dict[str, Any], source: Iterable[int]) -> Workspace:
    values["source"] = tuple(dict.fromkeys((*found.record.source, *source)))
    record = _made(type_of(found.record), values)
    return workspace.with_domain(workspace.domains[found.domain].replace(record))


def _repointed(workspace: Workspace, old: str, new: str, fields: Iterable[str]) -> Workspace:
    for found in list(workspace.all()):
        values = values_of(found.record)
        moved = {name: _swapped(values[name], old, new) for name in fields if name in values}
        if any(values[name] != value for name, value in moved.items()):
            workspace = _replaced(workspace, found, {**values, **moved}, ())
    return workspace


def _swapped(value: Any, old: str, new: str) -> Any:
    if isinstance(value, tuple):
        return tuple(dict.fromkeys(_swapped(item, old, new) for item in value))
    return new if value == old else value


def _with_function(rules: str, name: str, text: str) -> str:
    """The rules file with one function put in, for one of that name. What `text` imports joins what is imported there."""
    try:
        tree, file = parse(text), parse(rules)
    except SyntaxError as error:
        raise CheckError(
            Diagnostic("syntax", f"rules.py:{error.lineno or 1}", error.msg, "send the whole function, with its imports")
        ) from None
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if name not in [f.name for f in functions]:
        raise _refused("rule-name", f"the text defines no function {name!r}", "its name has to be the id")
    body = "\n\n\n".join(_segment(text, n) for n in tree.body if not isinstance(n, ast.Import | ast.ImportFrom)) + "\n"
    lines = rules.splitlines(keepends=True)
    old = next((n for n in file.body if isinstance(n, ast.FunctionDef) and n.name == name), None)
    if old:
        start = min([old.lineno, *(d.lineno for d in old.decorator_list)]) - 1
        lines[start : old.end_lineno] = [body]
    else:
        lines += ["\n\n", body]
    return add_imports("".join(lines), lifted(Text(text), tree)[0])


def _segment(text: str, node: ast.stmt) -> str:
    start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]) - 1
    return "\n".join(text.splitlines()[start : node.end_lineno])


def sourced(workspace: Workspace, before: Workspace, entries: Mapping[str, int]) -> Workspace:
    """Let what a person wrote rest on the edits (by file): records that say other things than before, or name no source.

    One that only follows its type, which got a field, say, was not written by anybody.
    """
    last = max(entries.values())
    touched = [domain for name, domain in workspace.domains.items() if before.domains.get(name) is not domain]
    for record in [r for domain in touched for c in domain.collections for r in domain.records(c)]:
        old = before.find(record.id)
        if not record.source or (old is not None and not says_the_same(old.record, record)):
            found = cast(Found, workspace.find(record.id))
            entry = entries.get(workspace.domains[found.domain].path_of(record.id), last)
            workspace = _replaced(workspace, found, values_of(found.record), (entry,))
    return workspace
