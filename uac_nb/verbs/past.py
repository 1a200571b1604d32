"""Looking back: the project as it was on a day, and one record down to the words and the steps that made it.

"As said by then" is what the words said by a day come to, whenever they were told to us: a replay without the later ones.
"As we knew it then" is the newest commit of that day. Both are for looking only.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import takewhile
from typing import TYPE_CHECKING, Any, cast

from uac_nb.changes import Workspace, apply, parse
from uac_nb.changes.naming import renaming_of
from uac_nb.errors import CheckError, ProjectError, visible
from uac_nb.log import BatchRow, Chosen, Entry, Hit, Log
from uac_nb.project import Commit, Project
from uac_nb.rules import starts_on
from uac_nb.runtime import Engine, program
from uac_nb.store import replay
from uac_nb.store.replay import Step
from uac_nb.verbs import alerts
from uac_nb.verbs.rename import followed

if TYPE_CHECKING:
    from uac_nb.ask import Answer
    from uac_nb.verbs.alerts import Raised

TYPES = frozenset({"define", "extend", "reshape", "rename"})  # how things are written down, not what was said
NAMES = ("id", "into", "by", "note", "about")  # where a change names records


@dataclass(frozen=True)
class Past:
    """A project of an earlier day, to be looked at. Its `today` is that day."""

    today: date
    workspace: Workspace
    engine: Engine
    log: Heard

    def records(self, collection: str) -> list[Any]:
        """The records of a collection then; none where there was no such collection."""
        return [*self.workspace.records(collection)]

    def run(self, code: str) -> Any:
        """Run Python over the collections in the sealed process: its last expression, else what it printed."""
        return self._loaded().run(code, today=self.today).value

    def ask(self, question: str) -> Answer:
        """Answer by computing, else from the words of the log up to that day; no model is asked."""
        from uac_nb.ask import ask

        log = cast(Log, self.log)
        return ask(question, workspace=self.workspace, engine=self._loaded(), log=log, today=self.today)

    def alerts(self) -> tuple[Raised, ...]:
        """What the rules find on that day; nothing is recorded."""
        found, _ = alerts.reconcile(self._loaded().rules(today=self.today).alerts, self.log.events(), now=self.today)
        return tuple(found)

    def _loaded(self) -> Engine:
        self.engine.load(program(self.workspace))
        return self.engine

    def close(self) -> None:
        self.engine.close()

    def __enter__(self) -> Past:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True)
class Heard:
    """The log up to a day: by when a thing was said, or (`learned`) by when we were told. It is asked as a `Log` is."""

    log: Log
    until: date
    learned: bool = False

    def has(self, entry: Entry) -> bool:
        """Whether it was there by then; what was made of words was, when all these were."""
        if self.learned or entry.kind not in ("fact", "change"):
            return (_recorded(entry) if self.learned else entry.day) <= self.until
        made = entry.data if entry.kind == "fact" else json.loads(entry.text or "{}")
        return all(map(self.has, self.log.entries(ids=made.get("source", ()))))

    def entries(self, **choice: Any) -> Iterator[Entry]:
        return filter(self.has, self.log.entries(**choice))

    def among(self, ids: Iterable[int]) -> frozenset[int]:
        """Those of some entries that were there by then."""
        return frozenset(entry.id for entry in self.entries(ids=set(ids)))

    def chosen(self, *, limit: int | None = None, **choice: Any) -> Chosen:
        found = list(filter(self.has, self.log.chosen(**choice).entries))
        newest = found if limit is None else found[max(0, len(found) - limit) :]
        return Chosen(entries=iter(newest), count=len(newest), total=len(found))

    def between(self, start: date, end: date) -> list[Entry]:
        return list(filter(self.has, self.log.between(start, end)))

    def search(self, text: str, k: int = 20, **choice: Any) -> list[Hit]:
        looked = k
        while True:
            hits = self.log.search(text, looked, **choice)
            known = [replace(hit, neighbours=tuple(filter(self.has, hit.neighbours))) for hit in hits if self.has(hit.entry)]
            if len(known) >= k or len(hits) < looked:
                return known[:k]
            looked *= 4  # what was said later came before it

    def batches(self) -> list[BatchRow]:
        return self.log.batches()

    def events(self) -> Iterator[Entry]:
        return (entry for entry in self.log.entries(kinds=("alert",)) if _recorded(entry) <= self.until)


def _recorded(entry: Entry) -> date:
    return entry.recorded_at.astimezone().date()


# --- as we knew it then ---


def learned(day: date, project: Project, now: Workspace) -> Workspace:
    """The project of the newest commit of a day; an empty one before the first."""
    commit = next((c for c in project.history() if c.at.astimezone().date() <= day), None)
    return Workspace.from_files(project.files(commit.id), like=now) if commit else Workspace()


# --- as said by then ---


def said(heard: Heard, project: Project, now: Workspace) -> Workspace:
    """What all that was said by a day comes to: the steps that still count, without what rests on later words.

    Up to the first that does, that is a commit, of which `now` has most files; what follows is gone through step by step.
    """
    steps = [(step, [json.loads(entry.text) for entry in step.changes]) for step in replay.live_steps(heard.log)]
    then = heard.among(id for _, changes in steps for change in changes for id in change["source"])
    commits = {commit.stamp.entry: commit.id for commit in project.history()}
    whole = [step for step, _ in takewhile(lambda pair: _is_whole(*pair, heard, then), steps)]
    workspace = Workspace.from_files(project.files(commits[whole[-1].id]), like=now) if whole else Workspace()
    for step, changes in steps[len(whole) :]:
        for entry, change in zip(step.changes, changes, strict=True):
            if _counts(change, entry, heard, then):
                before, workspace = workspace, _changed(change, workspace)
                if change["change"] == "rename" and not heard.has(step.last):
                    workspace = _followed(change, workspace, before)
        if step.edits and heard.has(step.last):
            workspace = _edited(step, workspace, project, commits)
    return workspace


def _is_whole(step: Step, changes: Iterable[Mapping[str, Any]], heard: Heard, then: Collection[int]) -> bool:
    """Whether nothing of a step rests on later words."""
    told = all(_counts(change, entry, heard, then) for entry, change in zip(step.changes, changes, strict=True))
    return told and (not step.edits or heard.has(step.last))


def _counts(change: Mapping[str, Any], entry: Entry, heard: Heard, then: Collection[int]) -> bool:
    """Whether a change rests only on what was said by `then`; one that cites nothing was made by hand, on its own day."""
    return change["change"] in TYPES or (all(id in then for id in change["source"]) if change["source"] else heard.has(entry))


def _changed(change: Mapping[str, Any], workspace: Workspace) -> Workspace:
    try:
        return apply(parse(change), workspace)
    except Exception:
        return workspace  # it rests on something that was not said yet, or a replay passes it over too


def _followed(change: Mapping[str, Any], workspace: Workspace, before: Workspace) -> Workspace:
    """With the code of that time reading a field by the name that it has got since; the edits that did so came later."""
    if workspace is before:
        return workspace  # it could not be made then
    renaming = renaming_of(workspace, change["old"], change["new"], made=True)
    files = followed(workspace.files(), renaming, before)[0] if renaming.type else workspace.files()
    return Workspace.from_files(files, like=workspace)


def _edited(step: Step, workspace: Workspace, project: Project, commits: Mapping[int, str]) -> Workspace:
    """With hand edits: as they were made where the files are the same, else record by record."""
    files = workspace.files()
    if all(replay.digest(files.get(edit.data["path"], "")) == edit.data["base"] for edit in step.edits):
        return replay.edited(step.edits, workspace)
    history = list(commits.values())
    commit = commits[step.id]
    older = history[history.index(commit) + 1 :][:1]
    new = Workspace.from_files(project.files(commit))
    old = Workspace.from_files(project.files(older[0])) if older else Workspace()
    for name in new.collections:
        had = {record.id: record for record in old.records(name)}
        for record in new.records(name):
            if had.pop(record.id, None) != record:
                workspace = _put(workspace, name, record)
        for id in had:
            workspace = _without(workspace, id)
    return workspace.with_rules(new.rules) if old.rules != new.rules else workspace


def _put(workspace: Workspace, collection: str, record: Any) -> Workspace:
    try:
        domain = workspace.domain_of(collection)
        there = domain.find(record.id) is not None
        return workspace.with_domain(domain.replace(record) if there else domain.add(collection, record))
    except (CheckError, KeyError):
        return workspace  # of a type that the past does not have


def _without(workspace: Workspace, id: str) -> Workspace:
    found = workspace.find(id)
    return workspace.with_domain(workspace.domains[found.domain].remove(id)) if found else workspace


# --- one record ---


@dataclass(frozen=True)
class Blame:
    """One record: where it stands, the words it rests on, and each change, edit and commit that touched it, oldest first.

    `record` is None, and `where` empty, when it is no longer there.
    """

    id: str
    record: Any | None
    where: str
    said: tuple[Entry, ...]
    steps: tuple[Touched, ...]

    def __str__(self) -> str:
        words = [f"  {entry.day} entry {entry.id}: {entry.text}" for entry in self.said]
        steps = [f"  {touched}" for touched in self.steps]
        return visible("\n".join([f"{self.id}: {self.where or 'no longer there'}", *words, *steps]))


@dataclass(frozen=True)
class Touched:
    """A change or edit of a record, and the commit that it became part of (None while it is not committed)."""

    entry: Entry
    commit: Commit | None

    def __str__(self) -> str:
        told = self.entry.data.get("path") if self.entry.kind == "edit" else json.loads(self.entry.text)["change"]
        commit = f"{self.commit.id[:8]} {self.commit.at:%Y-%m-%d}" if self.commit else "not committed"
        return f"{commit} {told} (entry {self.entry.id})"


def blame(id: str, workspace: Workspace, log: Log, project: Project) -> Blame:
    """Follow one record down to its entries and commits. Raise ProjectError where there never was one of that id."""
    found = workspace.find(id)
    history = project.history()
    commits = {commit.stamp.entry: commit for commit in history}
    parents = dict(zip((c.id for c in history), [*history[1:], None], strict=True))
    steps = [
        Touched(entry, commits.get(step.id))
        for step in replay.steps(log)
        for entry in step.entries
        if _names(entry, id) or (entry.kind == "edit" and _edits(entry, id, commits.get(step.id), parents, project))
    ]
    if found is None and not steps:
        raise ProjectError(f"there is no record {id!r}, and never was")
    cited = found.record.source if found else sorted({n for t in steps if t.entry.kind == "change" for n in _source(t.entry)})
    domain = workspace.domains[found.domain] if found else None
    where = f"{domain.path_of(id)}:{domain.line_of(id)}" if domain else ""
    return Blame(
        id,
        found.record if found else None,
        where,
        tuple(log.entries(ids=cited, kinds=("message",))) if cited else (),
        tuple(steps),
    )


def ordered(records: Iterable[Any], same: Mapping[str, Any]) -> list[Any]:
    """The records whose fields are as in `same`, whatever the case, in the order of time."""
    fits = [r for r in records if all(_alike(getattr(r, name, None), wanted) for name, wanted in same.items())]
    return sorted(fits, key=_begins)


def _alike(value: Any, wanted: Any) -> bool:
    return str(value).casefold() == str(wanted).casefold()


def _begins(record: Any) -> tuple[date, int]:
    """When what a record says began; where nobody said, when it was first told."""
    start = starts_on(record)
    return (start.first if start else date.min), min(record.source, default=0)


def _names(entry: Entry, id: str) -> bool:
    if entry.kind != "change" or id not in entry.text:
        return False
    change = json.loads(entry.text)
    return any(change.get(name) == id for name in NAMES)


def _source(entry: Entry) -> list[int]:
    return list(json.loads(entry.text)["source"])


def _edits(entry: Entry, id: str, commit: Commit | None, parents: Mapping[str, Commit | None], project: Project) -> bool:
    """Whether a hand edit made, changed or removed a record."""
    if commit is None:
        return False
    parent = parents[commit.id]
    before, after = project.files(parent.id) if parent else {}, project.files(commit.id)
    path = entry.data["path"]
    if id not in before.get(path, "") + after.get(path, ""):
        return False
    old, new = Workspace.from_files(before), Workspace.from_files(after)
    was, now = old.find(id), new.find(id)
    return (was and was.record) != (now and now.record)
