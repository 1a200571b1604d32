"""From log to project: each batch, edit or undo in the log becomes one commit, in order. No model is asked.

What a person wrote at once in several files, or with a renaming, is a batch too: first its changes, then its edits.

Opening a user catches up with what was stored and not committed; `rebuild` is the same from an empty repository.

A forget leaves holes. Changes without words are passed over. An edit is a splice into a text that may be another now, so
an entry of a later number can stand for it (`for` in its data). A step keeps its number and time through all that.

What was accepted once is made again as it was, whatever the gate says by now; what cannot be made is set aside with a finding,
since a log that cannot be replayed is a memory lost. Only what an archive brings goes through the gate (`screened`); what is
refused there is named in an entry of its own (`aside` in its data), so that every replay passes it over.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from uac_nb.changes import Change, Workspace, apply, parse
from uac_nb.changes.admit import admit, admit_edit
from uac_nb.changes.apply import sourced
from uac_nb.changes.vocabulary import Propose, Refuse
from uac_nb.domainfile.cache import Cache
from uac_nb.domainfile.domain import Domain
from uac_nb.errors import CheckError, Diagnostic, ProjectError
from uac_nb.log import Draft, Entry, Log
from uac_nb.project import Commit, Project, Stamp
from uac_nb.store.changelog import set_aside

KINDS = ("change", "edit", "undo")
Files = Mapping[str, str | None]  # path and text; None where a file was deleted
Aside = Mapping[int, Diagnostic]  # by entry, why nothing is made of it


@dataclass(frozen=True)
class Step:
    """The entries behind one commit: one batch, or one edit, or one undo. `id` is that of the last one."""

    entries: tuple[Entry, ...]
    id: int

    @property
    def changes(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.kind == "change"]

    @property
    def edits(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.kind == "edit"]

    @property
    def last(self) -> Entry:
        return self.entries[-1]

    @property
    def target(self) -> dict[str, int]:
        """How an undo names it."""
        batch = _batch(self.last)
        return {**({"batch": batch} if batch else {"edit": self.id}), "entry": self.id}


def steps(log: Log, after: int = 0) -> Iterator[Step]:
    """The steps of a log from an entry on. The entries of one batch are stored together, so they stand together."""
    for _, entries in groupby(_standing(log, after), key=lambda entry: _batch(entry) or -entry.id):
        group = tuple(entries)
        batch = _batch(group[-1])
        yield Step(group, (log.batch(batch).last if batch else None) or group[-1].id)


def _batch(entry: Entry) -> int | None:
    """The batch that an entry is of; None for an edit alone and for an undo, which names the one it took back."""
    return entry.data.get("batch") if entry.kind != "undo" else None


def _standing(log: Log, after: int) -> Iterator[Entry]:
    """The entries that make the project, less the forgotten."""
    aside = set_aside(log)
    holes = bool(aside) or next(log.entries(kinds=("forget",)), None) is not None
    instead = {e.data["for"]: e for e in log.entries(kinds=("edit",)) if "for" in e.data} if holes else {}
    for entry in log.entries(kinds=KINDS, after=after):
        if entry.id in instead:
            yield replace(entry, text=instead[entry.id].text, data=instead[entry.id].data)
        elif entry.forgotten or entry.id in aside or entry.data.keys() & {"for", "aside"}:
            continue
        elif not (holes and entry.kind == "undo" and _is_gone(log, entry.data, instead, aside)):
            yield entry


def _is_gone(log: Log, target: Mapping[str, int], instead: Mapping[int, Entry], aside: Collection[int]) -> bool:
    """Whether nothing is left of what an undo took back."""
    if "edit" in target:
        return target["edit"] in aside or (target["edit"] not in instead and log.entry(target["edit"]).forgotten)
    batch = log.batch(target["batch"])
    made = log.entries(kinds=("change", "edit"), after=(batch.first or 0) - 1, before=target["entry"] + 1)
    return all(entry.id in aside or (entry.forgotten and entry.id not in instead) for entry in made)


def live_steps(log: Log) -> list[Step]:
    """Those that still count, oldest first: an undo takes back the last one that did."""
    live: list[Step] = []
    for step in steps(log):
        if step.last.kind == "undo":
            live.pop()
        else:
            live.append(step)
    return live


def catch_up(
    log: Log,
    project: Project,
    workspace: Workspace | None = None,
    cache: Cache | None = None,
    on_aside: Callable[[Diagnostic], object] = lambda found: None,
) -> Workspace:
    """Commit all steps that the project does not have yet; the workspace as of the last one.

    Files are read from the `cache` where they are there, and what changed is kept in it. `on_aside` is told of each entry
    that cannot be made.
    """
    done = project.head.stamp.entry if project.head else 0
    if project.unfinished:  # a process died right after its commit
        project.checkout(_written_last(log, project))
    if workspace is None:
        workspace = Workspace.from_files(project.files(), parse=cache.parse if cache else Domain.parse)
    before = workspace
    for step in steps(log, after=done):
        workspace, written, aside = perform(step, workspace, project)
        commit(step, workspace, log, project, written)
        for found in aside.values():
            on_aside(found)
    if cache:
        for domain in workspace.domains.values():
            cache.keep_changed(domain, before.domains.get(domain.name))
    return workspace


def perform(step: Step, workspace: Workspace, project: Project) -> tuple[Workspace, Files, Aside]:
    """The workspace after one step, what a person wrote in it, and what of it could not be made."""
    if step.last.kind == "undo":
        return _before(step.last, workspace, project), {}, {}
    return made(step, workspace)


def made(step: Step, workspace: Workspace, *, foreign: bool = False) -> tuple[Workspace, Files, Aside]:
    """The workspace after changes and edits, what a person wrote, and what could not be made.

    `foreign`: somebody else may have written them, so they have to pass the gate.
    """
    aside: dict[int, Diagnostic] = {}
    wrote: Files = {}
    for entry in step.changes:
        try:
            change = parse(json.loads(entry.text))
            after = apply(change, workspace)
            if foreign:
                _readable(entry, change)
                admit(change, workspace, after, installed=False)
            workspace = after
        except Exception as error:  # whatever it is, the rest goes on
            aside[entry.id] = _passed_over(entry.id, error)
    if step.edits:
        try:
            wrote, after = written(step.edits, workspace), edited(step.edits, workspace)
            if foreign:
                admit_edit([*wrote], workspace, after)
            workspace = after
        except Exception as error:  # they were made at once, and stand or fall together
            wrote, aside = {}, aside | {edit.id: _passed_over(edit.id, error) for edit in step.edits}
    return workspace, wrote, aside


def screened(log: Log) -> Aside:
    """What of the log of an archive is not let in: what the gate refuses, and what cannot be made, the undo of nothing too.

    Raise ValueError or KeyError for what is no log at all.
    """
    workspace, live, aside = Workspace(), list[tuple[Step, Workspace]](), dict[int, Diagnostic]()
    for step in steps(log):
        for entry in step.changes:
            if not all(type(id) is int and 0 < id < entry.id for id in [*json.loads(entry.text)["source"]]):
                raise ValueError(f"entry {entry.id} cites what was not there")
        if step.last.kind != "undo":
            live.append((step, workspace))
            workspace, _, refused = made(step, workspace, foreign=True)
            aside |= refused
        elif live and live[-1][0].target == step.last.data:
            workspace = live.pop()[1]
        else:
            aside[step.id] = _passed_over(step.id, ProjectError("it undoes what is not the last step"))
    return aside


def _readable(entry: Entry, change: Change) -> None:
    """Raise where what else is read of a change is not there."""
    if not isinstance(entry.data["batch"], int) or not isinstance(entry.data.get("answers", 0), int):
        raise ProjectError("it names no batch")
    if isinstance(change, Propose | Refuse):
        parse(change.proposed)


def _passed_over(id: int, error: Exception) -> Diagnostic:
    first = error.diagnostics[0] if isinstance(error, CheckError) else None
    told = f"{first.where}: {first.message}".removeprefix(": ") if first else f"{type(error).__name__}: {error}"
    return Diagnostic(
        "set-aside", f"entry {id}", f"it was set aside: {told}", "the log keeps it; tell it again, or edit by hand"
    )


def commit(step: Step, workspace: Workspace, log: Log, project: Project, written: Files) -> Commit:
    last = step.last
    stamp = Stamp(user=log.user, entry=step.id, chain=log.chain(step.id))
    batch = _batch(last)
    read = log.batch(batch).read if batch else ()
    return project.commit(workspace.files(), message(step, read), stamp, last.recorded_at, written)


# --- a person's edit as an entry: what was cut where, and what was put there ---


def edit_draft(path: str, before: str, after: str | None) -> Draft:
    """A hand edit of one file. Only what differs is kept; `after` is None where the file was deleted."""
    text = after or ""
    at = next((i for i, (a, b) in enumerate(zip(before, text, strict=False)) if a != b), min(len(before), len(text)))
    most = min(len(before), len(text)) - at
    tail = next((i for i in range(most) if before[-1 - i] != text[-1 - i]), most)
    data = {"path": path, "at": at, "cut": len(before) - at - tail, "base": digest(before), "deleted": after is None}
    return Draft(kind="edit", text=text[at : len(text) - tail], data=data)


def edited(edits: Sequence[Entry], workspace: Workspace) -> Workspace:
    """The workspace after hand edits of files, made at once.

    What an edit changed, and records in its file that name no source, get it as their source.
    """
    files = {**workspace.files(), **written(edits, workspace)}
    after = Workspace.from_files({path: text for path, text in files.items() if text is not None}, like=workspace)
    return sourced(after, workspace, {edit.data["path"]: edit.id for edit in edits})


def written(edits: Sequence[Entry], workspace: Workspace) -> Files:
    """What hand edits make of their files."""
    files, made = workspace.files(), dict[str, str | None]()
    for edit in edits:
        path = edit.data["path"]
        before = files.get(path, "")
        if digest(before) != edit.data["base"]:
            raise ProjectError(f"entry {edit.id} edits another {path} than the log gives; run verify() on the log")
        made[path] = None if edit.data["deleted"] else spliced(edit, before)
    return made


def _written_last(log: Log, project: Project) -> Files:
    """What a person wrote in the step that was committed last."""
    last, *older = project.history()
    step = next((step for step in steps(log) if step.id == last.stamp.entry), None)
    if step is None or not step.edits:
        return {}
    return made(step, Workspace.from_files(project.files(older[0].id)) if older else Workspace())[1]


def spliced(entry: Entry, before: str) -> str:
    """The text that an edit makes of the one before."""
    at, cut = entry.data["at"], entry.data["cut"]
    return before[:at] + entry.text + before[at + cut :]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# --- messages ---


def message(step: Step, read: Sequence[int] = ()) -> str:
    """What git shows of a step. `read` are the entries that its batch read, which may cite older ones besides."""
    last = step.last
    if last.kind == "undo":
        return f"Undo {_named(last.data)}"
    if not step.changes:
        return f"Edit {', '.join(edit.data['path'] for edit in step.edits)} by hand"
    changes = [json.loads(entry.text) for entry in step.changes]
    lines = [*(_line(change) for change in changes), *(f"edit {edit.data['path']}" for edit in step.edits)]
    cited = sorted({n for change in changes for n in change["source"]})
    if not cited:
        return "\n".join([f"By hand: {lines[0]}", *(["", *lines] if lines[1:] else [])])
    head = f"Batch {last.data['batch']}: {len(changes)} change{'s' * (len(changes) > 1)} from {_numbers(sorted(read) or cited)}"
    return "\n".join([head, "", *lines])


def _line(change: dict[str, object]) -> str:
    target = " ".join(str(change[key]) for key in ("collection", "id", "note", "old", "into", "by", "reason") if key in change)
    target += f" to {change['new']}" if "new" in change else ""
    return f"{change['change']} {target}"


def _named(data: Mapping[str, int]) -> str:
    return f"batch {data['batch']}" if "batch" in data else f"the edit of entry {data['edit']}"


def _numbers(ids: list[int]) -> str:
    return f"entry {ids[0]}" if len(ids) == 1 else f"{len(ids)} entries, {ids[0]} to {ids[-1]}"


def _before(undo: Entry, workspace: Workspace, project: Project) -> Workspace:
    """The files as they were before the step that is undone."""
    history = project.history()
    for commit, parent in zip(history, [*history[1:], None], strict=True):
        if commit.stamp.entry == undo.data["entry"]:
            return Workspace.from_files(project.files(parent.id) if parent else {}, like=workspace)
    raise ProjectError(f"entry {undo.id} undoes {_named(undo.data)}, which the project does not have; rebuild it")
