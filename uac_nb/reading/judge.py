"""Judging a proposal in view of what was said, by whom, and what is known: what no schema can tell.

The model may be wrong, or steered by a text it has read. So each check here looks at the log and the project alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from uac_nb.changes import Accepted, Change, Workspace, accept, dump
from uac_nb.changes.apply import REFERENCES
from uac_nb.changes.vocabulary import AddConcern, AddRule
from uac_nb.domainfile.records import RecordType, type_of, values_of
from uac_nb.errors import Diagnostic
from uac_nb.log import Entry
from uac_nb.reading import protection
from uac_nb.reading.concerns import unfounded
from uac_nb.reading.contradiction import contradiction, current, premature
from uac_nb.reading.evidence import Evidence, forms_in
from uac_nb.reading.grounding import inferred, missing, points, quoted, quotes, unrelated
from uac_nb.reading.modest import immodest
from uac_nb.reading.orders import gives_orders, may_ask_to_forget
from uac_nb.reading.proof import mistyped, unproved
from uac_nb.reading.proposals import Raw, cited, strings
from uac_nb.rules import When
from uac_nb.runtime import Engine
from uac_nb.starter import TYPES
from uac_nb.store.stated import Stated, day_of

EntryOf = Callable[[int], Entry | None]

GUARDED = protection.guarded()
TALK = ("note", "skip")  # what may rest on words that are nobody's statement
HEARD = (*TALK, "confirm", "forget")
CODE = ("rule", "derive")
SHAPING = ("define", "extend", "reshape")
GROUNDED = ("add", "amend", "note", "close", "supersede")
ENDING = ("close", "supersede", "amend", "merge")
TOUCHING = ("amend", "close", "supersede", "merge")
ARGUABLE = ("contradicts", "rule-early", "unrelated")


@dataclass(frozen=True)
class Verdict:
    """Why a change goes back, or (`doubt`) what its record has to say of what the model inferred."""

    findings: tuple[Diagnostic, ...] = ()
    doubt: str = ""


@dataclass
class Judge:
    """One for a batch: it remembers what was sent back, so that what the model insists on is taken, and marked.

    `entry_of` gives an entry of the log, None where there is no such message; without it, nothing is held against the
    entries. `engine` gives that in which rules are tried; without it, they are not. `edits` are the entries that a person
    wrote by hand. `guarded` names the types and collections whose records protect a person. `stated` knows when each
    record's values were last said; without it, any words may end any.
    """

    batch: Sequence[Entry]
    shared: bool = False
    entry_of: EntryOf | None = None
    engine: Callable[[], Engine] | None = None
    edits: frozenset[int] = frozenset()
    guarded: frozenset[str] = GUARDED
    stated: Stated | None = None
    _told: set[tuple[str, str]] = field(default_factory=set)
    _met: tuple[object, frozenset[str]] = (None, frozenset())

    # --- before it is carried out ---

    def misfits(self, raw: Raw, workspace: Workspace) -> Iterator[Diagnostic]:
        """What is wrong with a change in view of who said what it rests on."""
        ids = [entry.id for entry in self.batch]
        if cited(raw) and not cited(raw) & set(ids):
            shown = f"{min(ids)} to {max(ids)}"
            yield Diagnostic("source", "$.source", "it cites none of the new entries", f"cite those that say it, of {shown}")
        fields, values = _fields(raw, workspace), raw.get("values")
        if self.shared and "who" in fields and isinstance(values, Mapping) and values.get("who", "me") == "me":
            yield Diagnostic(
                "who", "$.values.who", "it does not say whose life it describes", "give the id of a record in people"
            )
        if raw.get("change") == "define" and (taken := self._protected_names(raw)):
            told = f"{taken} is what protects the person, and comes with us"
            yield Diagnostic("define", "$.collection", told, "add to it; its type is made with its first record")
        yield from self._sources(raw)

    def _protected_names(self, raw: Raw) -> str:
        """A protected name that a new type takes, or its collection; "" where it takes none."""
        names = [str(raw.get("collection")), *re.findall(r"class\s+(\w+)", str(raw.get("text")))]
        return next((name for name in names if name in self.guarded), "")

    def by_hand(self, raw: Raw, workspace: Workspace) -> int:
        """The entry in which a person last wrote by hand what a change is about, 0 where none did."""
        found = workspace.find(str(raw.get("id"))) if raw.get("change") in TOUCHING else None
        return max(self.edits.intersection(found.record.source), default=0) if found else 0

    def unspoken(self, raw: Raw, tried: Accepted, before: Workspace) -> str:
        """The protected record that a change touches and the person's words do not carry; "" where there is none."""
        change = tried.changes[-1]
        talk = [entry for entry in self.batch if entry.role in ("user", "person")]
        for one in protection.touched(change, before, tried.workspace, self.guarded):
            who = before.find(getattr(one.record, "who", ""))
            names = (_called(who.record),) if who else ()
            own = [entry for entry in talk if self._theirs(entry, names)]
            cited = [entry for entry in self._entries(change.source) if self._theirs(entry, names)]
            if not protection.speaks_of(one, cited, own, before, names):
                return str(one.record.id)
        return ""

    def unheard(self, fact: str, workspace: Workspace) -> str:
        """A protected record that a fact speaks of and no entry of the batch does; "" where there is none."""
        said = " ".join(entry.text for entry in self.batch)
        return protection.unheard(fact, said, workspace, self.guarded)

    def _theirs(self, entry: Entry, names: Sequence[str]) -> bool:
        """Whether an entry is the user's; where nobody is, whether it is of the one whom the names are of."""
        if not self.shared:
            return entry.kind == "message" and entry.role == "user"
        mine = forms_in(entry.speaker)
        return entry.role in ("user", "person") and bool(mine) and mine <= forms_in(" ".join(names))

    def _own(self, entry: Entry) -> bool:
        """Whether a person said it whose memory this is, and it speaks to nobody else."""
        mine = entry.role == "user" or (self.shared and entry.role == "person") or entry.kind == "edit"
        return mine and not gives_orders(entry.text)

    def gives_orders(self, raw: Raw) -> bool:
        """Whether it rests on a text that speaks to a model."""
        return any(gives_orders(entry.text) for entry in self._entries(cited(raw)))

    def _sources(self, raw: Raw) -> Iterator[Diagnostic]:
        kind, entries = raw.get("change"), self._entries(cited(raw))
        if kind not in TALK and self.gives_orders(raw):
            ordered = ", ".join(str(entry.id) for entry in entries if gives_orders(entry.text))
            hint = "note that it was said if it matters, else skip it as unclear; cite others for what they say"
            yield Diagnostic("orders", "$.source", f"entry {ordered} speaks to a model, and nothing is built on that", hint)
        elif kind not in HEARD and entries and all(entry.role in ("assistant", "system") for entry in entries):
            hint = "cite the entry in which a person takes it up, else note or skip it"
            yield Diagnostic("source", "$.source", "only an assistant or a system says so", hint)
        elif kind == "forget" and not any(may_ask_to_forget(entry.text) for entry in entries):
            hint = "where it is to go, cite the words that ask for it; else read the entries"
            yield Diagnostic("forget", "$.source", "nobody asks there to have something deleted", hint)
        elif kind in CODE and entries and not any(entry.role == "user" or self.shared for entry in entries):
            yield Diagnostic("source", "$.source", "the user did not say so", "rules come from the user alone; note it")

    def _entries(self, ids: Iterable[int]) -> list[Entry]:
        new = {entry.id: entry for entry in self.batch}
        found = [self.entry_of(id) if self.entry_of else new.get(id) for id in sorted(ids)]
        return [entry for entry in found if entry]

    # --- after it is carried out ---

    def verdict(self, raw: Raw, tried: Accepted, before: Workspace, later: Sequence[Raw]) -> Verdict:
        """What stands against the change that `tried` carried out on `before`."""
        change, why = tried.changes[-1], str(raw.get("why") or "")
        if late := self._outdated(change, tried.workspace, before):
            return Verdict((late,))
        findings = [clash] if (clash := self._clash(change, tried.workspace, before, later)) else []
        if isinstance(change, AddRule):
            findings += immodest(change)
        if self.engine and change.change in CODE:
            day = max(entry.day for entry in self.batch)
            findings += unproved(change, tried.workspace, self.engine(), today=day)
        elif change.change in SHAPING:
            findings += mistyped(tried.workspace)
        elif isinstance(change, AddConcern) and self.entry_of:
            findings += unfounded(change, tried.workspace, self._entries, self._own)
        found = tried.workspace.find(getattr(change, "id", "")) if change.change in GROUNDED else None
        if found and (early := premature(found.record, [entry.day for entry in self._entries(change.source)])):
            findings.append(early)
        if strays := self._strays(change, why, before):
            findings.append(strays)
        doubt, ungrounded = self._grounded(change, why, tried.workspace, before)
        return Verdict((*self._standing(change, why, findings), *ungrounded), doubt)

    def said(self, sources: Iterable[int]) -> date | None:
        """The latest day on which entries were said, where that is known."""
        days = [day for entry in self._entries(sources) if (day := day_of(entry))]
        return max(days, default=None)

    def take(self, changes: Iterable[Change]) -> None:
        """Remember what accepted changes state."""
        if self.stated:
            for change in changes:
                self.stated.take(dump(change))

    def stated_so_far(self) -> Stated | None:
        return self.stated.copy() if self.stated else None

    def older(self, sources: Iterable[int], record: Any) -> Entry | None:
        """The entry that stated a record after these were said, None where they are as new."""
        latest = self.stated.by(record) if self.stated else None
        if self.stated is None or latest is None:
            return None
        said = self.stated.on(sources)
        return latest if said is None or said < latest.day else None

    def _outdated(self, change: Change, after: Workspace, before: Workspace) -> Diagnostic | None:
        """Words that would end or replace what was stated after them, or an end before what was stated."""
        found = before.find(getattr(change, "id", "")) if change.change in TOUCHING else None
        if found is None or self.stated is None:
            return None
        record = found.record
        if (newer := self.older(change.source, record)) and _replaces(change, record, after):
            told = f"{record.id} was stated on {newer.day} (entry {newer.id}), after what is cited was said"
            hint = "newer words stand: add what was so then as a record with its own `until`, or note it"
            return Diagnostic("older", "$.source", told, hint)
        until, latest = getattr(change, "until", None), self.stated.by(record)
        if until is None or latest is None or not current(record) or "since" not in type_of(record).by_name:
            return None
        with suppress(ValueError):  # what is no date is told otherwise
            if When(until).last < latest.day:
                told = f"{record.id} cannot have ended by {until}: it was said to hold on {latest.day} (entry {latest.id})"
                return Diagnostic("older", "$.until", told, "end it later; where it was said wrongly, amend it")
        return None

    def _standing(self, change: Change, why: str, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The findings that stand: of some, the model may say why it is so all the same, once it was told."""
        standing = []
        for finding in findings:
            key = (str(getattr(change, "id", "")), finding.message)
            if not (finding.code in ARGUABLE and why and key in self._told and not self._wary):
                standing.append(finding)
            self._told.add(key)
        return standing

    @cached_property
    def _wary(self) -> bool:
        """Whether the model has read a text that may steer it: then it is not argued with."""
        return any(gives_orders(entry.text) for entry in self.batch)

    def _follows(self, why: str, evidence: Evidence) -> bool:
        """Whether a reason quotes the words that something follows from: "birth of the baby", since 'I am pregnant'."""
        return quotes(why, evidence) and not self._wary

    def _strays(self, change: Change, why: str, before: Workspace) -> Diagnostic | None:
        """A change of a record of which its entries have no word, and no reason that quotes them."""
        found = before.find(getattr(change, "id", "")) if self.entry_of and change.change in TOUCHING else None
        if found is None or (not self._wary and protection.protects(found.collection, type_of(found.record), self.guarded)):
            return None  # what protects asks for more than a word in common, and waits where that is not there
        if not (entries := self._entries(change.source)):
            return None
        new = [str(value) for name in ("set", "append") for value in getattr(change, name, {}).values()]
        evidence = Evidence(entries)
        about = " ".join((found.record.id.replace("-", " "), *_texts(found.record), *new))
        if evidence.touches(about) or (not self._wary and any(map(points, quoted(why, evidence)))):
            return None
        cites = ", ".join(str(entry.id) for entry in entries)
        hint = "cite the entry that speaks of it, or say in `why` how this one does, with its words in quotes"
        return Diagnostic("unrelated", "$.source", f"no word of {found.record.id} stands in entries {cites}", hint)

    def _clash(self, change: Change, after: Workspace, before: Workspace, later: Sequence[Raw]) -> Diagnostic | None:
        """What an added record contradicts or repeats, also when what the reply ends has ended."""
        found = after.find(change.id) if change.change == "add" else None
        clash = contradiction(found.collection, found.record, after) if found else None
        if not (found and clash):
            return None
        ending = [raw for raw in later if raw.get("change") in ENDING and not any(self.misfits(raw, before))]
        ended = accept(ending, after).workspace
        now = ended.find(found.record.id)
        return contradiction(now.collection, now.record, ended) if now else None

    def _grounded(self, change: Change, why: str, after: Workspace, before: Workspace) -> tuple[str, list[Diagnostic]]:
        """What has to be doubted, and what goes back because the entries do not hold it."""
        target = str(getattr(change, "id", ""))
        found = after.find(target) if self.entry_of and change.change in GROUNDED else None
        if found is None:
            return "", []
        old = before.find(target)
        evidence = self._evidence(change, found.record, old.record if old else None, after)
        if change.change == "add" and not self._follows(why, evidence) and unrelated(found.record, evidence):
            told = f"no word of it stands in entries {', '.join(map(str, change.source))}"
            hint = "cite the entries that say it, or say in `why` how it follows, with their words in quotes"
            return "", [Diagnostic("grounding", "$.source", told, hint)]
        lacking = missing(old.record if old else None, found.record, evidence, why)
        keys = {(target, item.what) for item in lacking}
        if lacking and not (why and keys <= self._told and not self._wary):
            self._told |= keys
            return "", [item.told(change.source) for item in lacking]
        return (inferred(lacking, getattr(found.record, "doubt", None)) if lacking else ""), []

    def _evidence(self, change: Change, record: Any, old: Any | None, workspace: Workspace) -> Evidence:
        """The entries, and what is known anyway: who is who, and the records that this one names."""
        named = [found.record for id in _named(record) if (found := workspace.find(id))]
        whole = [*named, *([old] if old else [])]
        known = [*(entry.speaker for entry in self.batch), *(text for other in whole for text in _texts(other))]
        days = tuple(value for other in whole for value in values_of(other).values() if isinstance(value, When))
        return Evidence(self._entries(change.source), " ".join(known), days, lambda: self._people(workspace))

    def _people(self, workspace: Workspace) -> frozenset[str]:
        """What all who have a record are called. Kept, since it is the same for most changes of a batch."""
        people = workspace.records("people")
        if self._met[0] is not people:
            self._met = people, forms_in(" ".join(map(_called, people)))
        return self._met[1]


def _replaces(change: Change, record: Any, after: Workspace) -> bool:
    """Whether a change takes away what a record said; one that fills in what it did not say does not."""
    if change.change != "amend":
        return True
    found = after.find(record.id)
    now = values_of(found.record) if found else {}
    return any(was not in (None, (), now.get(name)) for name, was in values_of(record).items() if name in change.set)


def text_of(entry_of: EntryOf | None) -> Callable[[int], str | None] | None:
    """The words of an entry, for checks that need no more of it."""
    if entry_of is None:
        return None

    def words(id: int) -> str | None:
        entry = entry_of(id)
        return f"{entry.text}\n{entry.caption}" if entry else None

    return words


def _called(person: Any) -> str:
    return " ".join((person.id.replace("-", " "), getattr(person, "name", ""), *getattr(person, "aka", ())))


def _fields(raw: Raw, workspace: Workspace) -> frozenset[str]:
    """The names of the fields of the type that an `add` is for."""
    if raw.get("change") != "add":
        return frozenset()
    collection = str(raw.get("collection"))
    if collection in workspace.collections:
        kind: RecordType = workspace.collections[collection].type
        return frozenset(kind.by_name)
    return frozenset(TYPES[collection].cls.__annotations__) if collection in TYPES else frozenset()


def _named(record: Any) -> set[str]:
    """The ids that a record may hold of others."""
    return {id for name in REFERENCES if name in type_of(record).by_name for id in strings(getattr(record, name))}


def _texts(record: Any) -> Iterator[str]:
    for value in values_of(record).values():
        for item in value if isinstance(value, tuple) else (value,):
            yield str(getattr(item, "text", item))
