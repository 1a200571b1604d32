"""What the model sees of a memory: its types, what can still change, and what the new entries may touch.

The size of a prompt follows the new entries, not the history: open records in full and others as one line each, the most
telling first, up to a fixed number. Nothing is cut in silence; what is left out is counted.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any

from uac_nb.changes import Found, Workspace
from uac_nb.domainfile.annotations import MISSING, Choice, Many, Maybe, Scalar, Type
from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.records import RecordType, is_record
from uac_nb.domainfile.render import written
from uac_nb.log import Entry
from uac_nb.model.prompts import data, fence, fill
from uac_nb.model.prompts.select import selected
from uac_nb.rules import Every, Money, Said, When, Zone, name, starts_on
from uac_nb.starter import TYPES

LONGEST = 400  # characters of one text in a record
COMMENT = 60
NAME = 60
MOST_OWN = 40  # rules and derived values

COMMON = ("who", "others", "quote", "doubt")  # fields of most types, told in the instructions
UNSHOWN = ("id", "rests_on", "if_gone", "source")  # what every record has, told once
OURS = ", quote, doubt"  # the last fields of each type of ours, told once


@dataclass(frozen=True)
class Context:
    """The filled prompt, the entries behind the records in it, and whose lives it is about ("me" and ids of people)."""

    text: str
    sources: frozenset[int]
    shared: bool  # several people talk, and nobody is "me"


def context(batch: Sequence[Entry], workspace: Workspace) -> Context:
    """What a model needs to read these entries."""
    said = " ".join(f"{entry.speaker} {entry.text} {entry.caption}" for entry in batch)
    opened, others, left = selected(said, workspace, (entry.day for entry in batch))
    shared = _shared(batch, workspace)
    text = fill(
        "context",
        speakers=_speakers(batch, shared),
        types=fence("types", (signature(c, t) for c, t in _types(workspace).items())),
        own=_own(workspace.rules),
        starters=fence("types", (line for c, line in _starters().items() if c not in workspace.collections)),
        open=fence("records", (data({"collection": f.collection, **_values(f.record)}) for f in opened)),
        others=f"{left} more are not shown." if left else "",
        index=fence("index", map(_line, others)),
        entries=fence("entries", (data(shown(entry)) for entry in batch)),
    )
    return Context(text, frozenset(id for found in (*opened, *others) for id in found.record.source), shared)


# --- entries and who speaks in them ---


def shown(entry: Entry) -> dict[str, Any]:
    """An entry as the model sees it. `picture` is a machine's description."""
    said = entry.said_at
    day = f"{entry.day.isoformat()} {entry.day:%A}"
    told = {
        "id": entry.id,
        "said": f"{day} {said:%H:%M}" if isinstance(said, datetime) else day if said else f"recorded {day}",
        "speaker": entry.speaker[:NAME],
        "role": "" if entry.role == "user" else entry.role,
        "part": str(entry.data.get("part", "")),
        "text": entry.text,
        "picture": entry.caption,
    }
    return {key: value for key, value in told.items() if value}


def _talking(batch: Sequence[Entry]) -> list[str]:
    """Whose memory it may be: those who speak as the user; where none does, those who talk with each other."""
    role = "user" if any(entry.role == "user" for entry in batch) else "person"
    return sorted({entry.speaker for entry in batch if entry.role == role and entry.speaker})


def _shared(batch: Sequence[Entry], workspace: Workspace) -> bool:
    """Whether this memory is about several people who talk here: then each has a record, and none is "me"."""
    talking = _talking(batch)
    if len(talking) > 1 and any(entry.role == "user" for entry in batch):
        return True
    if any(getattr(found.record, "who", "") == "me" for found in workspace.all()):
        return False
    known = {person.name.casefold() for person in workspace.records("people") if hasattr(person, "name")}
    return len(talking) > 1 or any(name.casefold() in known for name in talking)


def _speakers(batch: Sequence[Entry], shared: bool) -> str:
    talking = _talking(batch)
    names = [data(name[:NAME]) for name in talking]
    others = sorted({data(name[:NAME]) for e in batch if (name := e.speaker or e.role) not in (*talking, "user")})
    if shared:
        told = (
            f'This memory is about several people, of whom {" and ".join(names)} speak here; nobody is "me". '
            "`who` is the id of a record in `people`: add those that are missing first."
        )
    else:
        user = names[0] if names and any(e.role == "user" for e in batch) else ""
        others = sorted({*others, *names}) if not user else others
        told = f'The user{f" is {user} and" if user else ""} is "me" in `who`.'
    return f"{told} Others who speak: {', '.join(others)}." if others else told


# --- types ---


def signature(collection: str, kind: RecordType) -> str:
    """A type on one line.

    >>> from uac_nb.domainfile import Field
    >>> fields = (Field("name", Scalar("str")), Field("born", Maybe(Scalar("When")), None, "or found"))
    >>> signature("pets", RecordType("Pet", fields, "An animal.", domain="home"))
    'pets (Pet, home) An animal: name, born?: When (or found)'
    """
    fields = [_field(f.name, f.type, f.default, f.comment) for f in kind.fields if f.name not in UNSHOWN]
    doc = kind.doc.partition("\n")[0].rstrip(".")[: 2 * COMMENT]
    return f"{collection} ({kind.name}, {kind.domain}){f' {doc}' if doc else ''}: {', '.join(fields)}"


def _field(field: str, kind: Type, default: Any, comment: str) -> str:
    if field in COMMON:
        return field
    optional = isinstance(kind, Maybe) or default == ()
    told = f"{field}{'?' if optional else ''}{_kind(kind)}"
    if default is not MISSING and not optional:
        told += f" = {data(_plain(default))}"
    return f"{told} ({comment[:COMMENT]})" if comment else told


def _kind(kind: Type, lead: str = ": ") -> str:
    match kind:
        case Scalar("str"):
            return ""
        case Maybe(of):
            return _kind(of, lead)
        case Many(of):
            return f"{lead}[{_kind(of, '') or 'str'}]"
        case Choice(values):
            return lead + "|".join(map(data, values))
    return f"{lead}{kind}"


def _types(workspace: Workspace) -> dict[str, RecordType]:
    return {name: c.type for name, c in workspace.collections.items() if name != "notes"}


@lru_cache(maxsize=1)
def _starters() -> Mapping[str, str]:
    domains = {name: Domain.new(t.domain, t.domain_doc).define(name, t.text) for name, t in TYPES.items()}
    return {name: signature(name, domain.collections[name].type).removesuffix(OURS) for name, domain in domains.items()}


def _own(rules: str) -> str:
    """The user's own rules and derived values, so that what is said anew can take their place. Nothing where there are none."""
    marked = [node for node in parse(rules).body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    lines = [
        data([node.name, (ast.get_docstring(node) or "").partition("\n")[0][:LONGEST], *(arg.arg for arg in node.args.args)])
        for node in marked[-MOST_OWN:]
    ]
    left = f" {len(marked) - len(lines)} older ones are not shown." if len(marked) > len(lines) else ""
    return f"\n\n{fill('own', left=left, functions=fence('functions', lines))}" if lines else ""


# --- records ---


def _line(found: Found) -> str:
    start, about, called = starts_on(found.record), getattr(found.record, "about", None), name(found.record)
    told = f"about {about}" if about and about != called else getattr(found.record, "relation", None) or ""
    parts = (found.collection, found.record.id, called[:NAME], start.text if start else "", told[:NAME])
    return data([part for part in parts if part])


def _values(record: Any) -> dict[str, Any]:
    return {field: _plain(value) for field, value in written(record)}


def _plain(value: Any) -> Any:
    """A value as a model writes it."""
    match value:
        case str():
            return value if len(value) <= LONGEST else f"{value[:LONGEST]}… ({len(value)} characters)"
        case When() | Every() | Zone():
            return value.text
        case Money():
            return f"{value.amount} {value.currency}"
        case Said():
            return {"text": value.text, "source": value.source}
        case Decimal():
            return str(value)
        case date() | time():
            return value.isoformat()
        case tuple():
            return [_plain(item) for item in value]
        case dict():
            return {key: _plain(item) for key, item in value.items()}
    return _values(value) if is_record(value) else value
