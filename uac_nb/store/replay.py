"""From log to project: each batch, edit or undo in the log becomes one commit, in order. No model is asked.

What a person wrote at once in several files, or with a renaming, is a batch too: first its changes, then its edits.

Opening a user catches up with what was stored and not committed; `rebuild` is the same from an empty repository.

A forget leaves holes. Changes without words are passed over. An edit is a splice into a text that may be another now, so
an entry of a later number can stand for it (`for` in its data). A step keeps its number and time through all that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from uac_nb.changes import Workspace, apply, parse
from uac_nb.changes.apply import sourced
from uac_nb.domainfile.cache import Cache
from uac_nb.domainfile.domain import Domain
from uac_nb.errors import ProjectError
from uac_nb.log import Draft, Entry, Log
from uac_nb.project import Commit, Project, Stamp

KINDS = ("change", "edit", "undo")
Files = Mapping[str, str | None]  # path and text; None where a file was deleted


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
    holes = next(log.entries(kinds=("forget",)), None) is not None
    instead = {e.data["for"]: e for e in log.entries(kinds=("edit",)) if "for" in e.data} if holes else {}
    for entry in log.entries(kinds=KINDS, after=after):
        if entry.id in instead:
            yield replace(entry, text=instead[entry.id].text, data=instead[entry.id].data)
        elif entry.forgotten or "for" in entry.data:
            continue
        elif not (holes and entry.kind == "undo" and _is_gone(log, entry.data, instead)):
            yield entry


def _is_gone(log: Log, target: Mapping[str, int], instead: Mapping[int, Entry]) -> bool:
    """Whether nothing is left of what an undo took back."""
    if "edit" in target:
        return target["edit"] not in instead and log.entry(target["edit"]).forgotten
    batch = log.batch(target["batch"])
    made = log.entries(kinds=("change", "edit"), after=(batch.first or 0) - 1, before=target["entry"] + 1)
    return all(entry.forgotten and entry.id not in instead for entry in made)


def live_steps(log: Log) -> list[Step]:
    """Those that still count, oldest first: an undo takes back the last one that did."""
    live: list[Step] = []
    for step in steps(log):
        if step.last.kind == "undo":
            live.pop()
        else:
            live.append(step)
    return live


def catch_up(log: Log, project: Project, workspace: Workspace | None = None, cache: Cache | None = None) -> Workspace:
    """Commit all steps that the project does not have yet; the workspace as of the last one.

    Files are read from the `cache` where they are there, and what changed is kept in it.
    """
    done = project.head.stamp.entry if project.head else 0
    if project.unfinished:  # a process died right after its commit
        project.checkout(_written_last(log, project))
    if workspace is None:
        workspace = Workspace.from_files(project.files(), parse=cache.parse if cache else Domain.parse)
    before = workspace
    for step in steps(log, after=done):
        workspace, written = perform(step, workspace, project)
        commit(step, workspace, log, project, written)
    if cache:
        for domain in workspace.domains.values():
            cache.keep_changed(domain, before.domains.get(domain.name))
    return workspace


def perform(step: Step, workspace: Workspace, project: Project) -> tuple[Workspace, Files]:
    """The workspace after one step, and what a person wrote in it."""
    if step.last.kind == "undo":
        return _before(step.last, workspace, project), {}
    for entry in step.changes:
        workspace = apply(parse(json.loads(entry.text)), workspace)
    return (edited(step.edits, workspace), written(step.edits, workspace)) if step.edits else (workspace, {})


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
    return perform(step, Workspace.from_files(project.files(older[0].id)) if older else Workspace(), project)[1]


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
