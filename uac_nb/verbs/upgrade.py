"""Starter types as they are by now, for projects that hold older copies: offered, shown, and taken as logged changes.

A copy belongs to the person. What it ever had and has no more was taken out on purpose, and is not offered again.
"""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from uac_nb import starter
from uac_nb.changes import Workspace
from uac_nb.changes.vocabulary import Extend, NewField
from uac_nb.domainfile.annotations import MISSING, Choice, Type, parts
from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.records import RecordType
from uac_nb.errors import Diagnostic
from uac_nb.log import Log
from uac_nb.rules import listed
from uac_nb.starter import FORMER, StarterType
from uac_nb.store import replay
from uac_nb.store.store import Store
from uac_nb.verbs import edit

Had = Mapping[str, set[str]]  # fields ("who"), and choices ("status=done"), by the name of the starter type


@dataclass(frozen=True)
class Upgrade:
    """Fields that are called otherwise ("Allergy.avoid": "avoids"), then fields and choices that are new."""

    renames: Mapping[str, str]
    extends: tuple[Extend, ...]
    types: tuple[str, ...]  # by their names in the project

    def __bool__(self) -> bool:
        return bool(self.renames or self.extends)


def offered(workspace: Workspace, log: Log) -> Upgrade:
    """What the copies in a project lack of the types that ship with us."""
    if not _differing(workspace, {}):
        return Upgrade({}, (), ())
    found = _differing(workspace, _had(log))
    renames = {f"{kind.name}.{old}": new for kind, _ in found.values() for new, old in kind.former.items() if old}
    extends = tuple(extend for _, extend in found.values() if extend.fields or extend.choices)
    return Upgrade(renames, extends, tuple(kind.name for kind, _ in found.values()))


def due(store: Store) -> list[Diagnostic]:
    """A finding where an upgrade is to be had."""
    found = offered(store.workspace, store.log)
    if not found:
        return []
    told = f"{listed(found.types)} {'has' if len(found.types) == 1 else 'have'} a newer form"
    hint = f"look at it: uac-nb upgrade {store.name} --dry-run, or user.upgrade(dry_run=True); take it: the same without"
    return [Diagnostic("upgrade", "types", told, hint)]


def preview(store: Store) -> tuple[str, list[Diagnostic]]:
    """The difference that it would make, and what a person should look at. Nothing is changed."""
    found = offered(store.workspace, store.log)
    return edit.evolved(store, found.renames, found.extends) if found else ("", [])


def take(store: Store) -> list[Diagnostic]:
    """Make it, as one batch by hand."""
    found = offered(store.workspace, store.log)
    return edit.evolve(store, found.renames, found.extends) if found else []


# --- a copy beside ours ---


def _differing(workspace: Workspace, had: Had) -> dict[str, tuple[RecordType, Extend]]:
    """By collection the copies that lack something, and the change that adds it."""
    ours = {each.name: each for each in starter.TYPES.values()}
    found = {}
    for name, collection in workspace.collections.items():
        kind = collection.type
        if kind.starter in ours:
            extend = _lacking(name, kind, ours[kind.starter], had.get(kind.starter, set()))
            if extend.fields or extend.choices or any(kind.former.values()):
                found[name] = (kind, extend)
    return found


def _lacking(collection: str, kind: RecordType, ready: StarterType, had: set[str]) -> Extend:
    there = {**kind.by_name, **{new: kind.by_name[old] for new, old in kind.former.items() if old}}
    there = {name: field for name, field in there.items() if name not in kind.former.values()}
    given = had - set(FORMER.get(ready.name, {}).values())
    fields, choices = [], {}
    for field in _ours(ready).fields:
        if field.name not in there:
            if field.name not in given and field.default is not MISSING:
                annotation, default = _written(ready)[field.name]
                fields.append(NewField(name=field.name, type=annotation, default=default, comment=field.comment))
        elif new := [c for c in _choices(field.type) if c not in _choices(there[field.name].type)]:
            new = [c for c in new if f"{field.name}={c}" not in had]
            if new and _choices(there[field.name].type):
                choices[field.name] = tuple(new)
    return Extend(collection=collection, fields=tuple(fields), choices=choices, commented=bool(fields))


@lru_cache(maxsize=256)
def _ours(ready: StarterType) -> RecordType:
    domain = Domain.new(ready.domain, ready.domain_doc).define(ready.collection, ready.text)
    return domain.collections[ready.collection].type


@lru_cache(maxsize=256)
def _written(ready: StarterType) -> dict[str, tuple[str, str]]:
    """The annotation and the default of each field that has one, as its source has them."""
    return {
        name: (ast.get_source_segment(ready.text, node.annotation) or "", ast.get_source_segment(ready.text, node.value) or "")
        for name, node in _fields(ready.text)
        if node.value is not None
    }


def _choices(type: Type) -> list[str]:
    return [value for part in parts(type) if isinstance(part, Choice) for value in part.values if isinstance(value, str)]


# --- what a copy ever had ---


def _had(log: Log) -> Had:
    """The fields and choices that the copies ever had, as far as the log still tells."""
    had: defaultdict[str, set[str]] = defaultdict(set)
    of: dict[str, str] = {}  # a type or a collection -> the starter type that it is a copy of
    ours = {each.name for each in starter.TYPES.values()}
    for change in (json.loads(entry.text) for step in replay.live_steps(log) for entry in step.changes):
        match change:
            case {"change": "define", "collection": collection, "text": text} if "# starter:" in text:
                kind = next((each for each in ours if f"# starter: {each}\n" in text), "")
                of |= {collection: kind, kind: kind}
                for name, node in _fields(text):
                    had[kind] |= {name, *(f"{name}={c}" for c in _literals(node.annotation))}
            case {"change": "extend", "collection": collection} if collection in of:
                had[of[collection]] |= {field["name"] for field in change.get("fields", ())}
                chosen = change.get("choices", {}).items()
                had[of[collection]] |= {f"{name}={choice}" for name, new in chosen for choice in new}
            case {"change": "rename", "old": old, "new": new}:
                head, dot, _ = old.partition(".")
                if head in of and dot:
                    had[of[head]].add(new)
                elif head in of:
                    of[new] = of[head]
    return had


def _fields(text: str) -> Iterator[tuple[str, ast.AnnAssign]]:
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node


def _literals(annotation: ast.expr) -> Iterator[str]:
    for node in ast.walk(annotation):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
