"""What a person changed by hand: shown, checked, logged and committed; it wins over anything a model says later.

All but the showing is done while the store is locked.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from uac_nb import starter
from uac_nb.changes import Change, Workspace, apply, dump, parse
from uac_nb.changes.apply import NAMING, REFERENCES, whole
from uac_nb.changes.naming import renaming_of, unnamed
from uac_nb.changes.vocabulary import Extend, Merge, Rename
from uac_nb.check import Kind, gate
from uac_nb.domainfile.renames import Renaming, renamed
from uac_nb.domainfile.shown import saved, shown
from uac_nb.errors import CheckError, Diagnostic, ProjectError
from uac_nb.log import Batch, Draft
from uac_nb.project.folder import FRAMES
from uac_nb.reading import by_patterns
from uac_nb.reading.proposals import strings
from uac_nb.rules import listed
from uac_nb.runtime.starting import starter_rules
from uac_nb.store import replay
from uac_nb.store.store import Store
from uac_nb.verbs.pins import is_tests
from uac_nb.verbs.rename import followed
from uac_nb.verbs.results import Source
from uac_nb.verbs.review import Proposals

BY_HAND = "by hand"  # the reader of a batch that a person made


def source(workspace: Workspace, domain: str) -> Source:
    """The text of a domain or a file, to be edited. Raise ProjectError when there is none of that name."""
    name = domain.removesuffix(".py")
    if (found := text(workspace, name)) is None:
        if name == "rules":
            told = "there are no rules of your own yet, and those that come with us need no file"
            raise ProjectError(f"{told}; write some in a file: uac-nb edit USER rules FILE, or a cell: %%uac_code rules")
        files = [*workspace.domains, *(path.removesuffix(".py") for path in workspace.files() if "/" not in path)]
        known = ", ".join(sorted({*files})) or "none yet: ingest something and make a checkpoint"
        raise ProjectError(f"there is no domain {domain!r} (domains: {known})")
    return Source(name, found, replay.digest(found)[:12])


def text(workspace: Workspace, name: str) -> str | None:
    """The text of a domain or a file as `source` shows it; None where there is none of that name."""
    domain = workspace.domains.get(name)
    return shown(domain) if domain else workspace.files().get(f"{name}.py")


def save(store: Store, name: str, new: str, base: str | None, rename: Mapping[str, str] = {}) -> list[Diagnostic]:
    """Take a domain or a file as a person left it, and what `rename` says is called otherwise in it: old name, new name.

    The old records, in whichever file, follow a renaming, and so does code as far as it is sure; a finding tells of the rest.
    Raise CheckError when the text cannot be taken, and ProjectError when the project has moved on since `base`;
    nothing is changed then.
    """
    findings = _taken_before(store) if rename else []
    workspace = store.workspace
    was = text(workspace, name) or ""
    if rename and _made(workspace, name, new, rename) == was:
        return findings
    if base and not replay.digest(was).startswith(base):
        shown_since = _unified(f"{name}.py", was, new)
        raise ProjectError(f"{name}.py has changed since this was shown; nothing was saved\n{shown_since}".rstrip())
    files = saved(workspace.domains[name], new) if name in workspace.domains else {f"{name}.py": new}
    return findings + _keep(store, files, rename, name)


def save_files(store: Store, name: str, rename: Mapping[str, str] = {}) -> list[Diagnostic]:
    """Take a domain as a person left its files in the folder; else as `save`. The files are brought up to date then."""
    mine = [path for path in store.project.edits() if path == f"{name}.py" or path.startswith(f"{name}/")]
    findings = _taken_before(store, mine) if rename else []
    edits = store.project.edits()
    return findings + _keep(store, {path: edits[path] for path in mine}, rename, name, shown=True)


def rename(store: Store, old: str, new: str) -> list[Diagnostic]:
    """Call a field ("Trip.cost"), a type or a collection otherwise; else as `save`."""
    return _taken_before(store) + _keep(store, {}, {old: new}, "")


def evolve(store: Store, renames: Mapping[str, str], extends: Sequence[Extend]) -> list[Diagnostic]:
    """Call fields otherwise and add some, as one batch; else as `save`."""
    return _taken_before(store) + _keep(store, {}, renames, "", extends=extends)


def evolved(store: Store, renames: Mapping[str, str], extends: Sequence[Extend]) -> tuple[str, list[Diagnostic]]:
    """What that would change, as a diff, and its findings. Nothing is changed."""
    made = _planned(store, {}, renames, "", extends)
    return differences(store.workspace.files(), made.texts), made.findings


def act(store: Store, raw: Mapping[str, Any]) -> list[Diagnostic]:
    """Make one change of records that a person wants. Raise CheckError when it cannot be; nothing is changed then."""
    findings = take(store)
    change = parse(raw)
    changes = whole(store.workspace, change) if isinstance(change, Merge) else [change]
    workspace = store.workspace
    for each in changes:
        workspace = apply(each, workspace)
    store.log.store_batch(Batch(read=(), reader=BY_HAND, changes=tuple(map(_draft, changes))))
    store.catch_up()
    return findings


def take(store: Store, but: Collection[str] = ()) -> list[Diagnostic]:
    """Log and commit what a person changed in the files; what cannot be read stays as it is and is reported.

    Files are taken one by one where they can be: what is wrong with one holds up no other. `but` are left alone.
    """
    edits = {path: new for path, new in store.project.edits().items() if path not in but}
    while True:
        refused: dict[str, CheckError] = {}
        for path, new in edits.items():
            try:
                _keep(store, {path: new})
            except CheckError as error:
                refused[path] = error
        if len(refused) == len(edits):  # else try again: one file may have waited for another
            break
        edits = {path: edits[path] for path in refused}
    if len(refused) > 1:
        try:
            _keep(store, edits)  # they may wait for one another
        except CheckError:
            pass
        else:
            return []
    return [_still(d, path) for path, error in refused.items() for d in error.diagnostics]


def take_all(store: Store) -> None:
    """The same; raise ProjectError while something cannot be read: nobody knows then what it holds."""
    take(store)
    if unread := sorted(store.project.edits()):
        raise ProjectError(f"{unread[0]} has edits that cannot be read and might hold the words; mend it, or rebuild, first")


def append(store: Store, path: str, before: str, new: str | None) -> None:
    """Log one file as a person left it (None: deleted), and commit it."""
    store.log.append([replay.edit_draft(path, before, new)])
    store.catch_up()


def undo(store: Store) -> None:
    """Take back the last batch or edit that still counts. Raise ProjectError where there is none."""
    live = replay.live_steps(store.log)
    if not live:
        raise ProjectError("there is nothing to undo: no batch and no edit yet")
    store.log.append([Draft(kind="undo", data=live[-1].target)])
    store.catch_up()


def undo_earlier(store: Store, step: replay.Step) -> None:
    """Take back a step that others followed, as edits of what it left. Raise ProjectError where one of these rests on it."""
    _taken_before(store)
    now, without, after = store.workspace, Workspace(), False
    for other in replay.live_steps(store.log):
        if other.id == step.id:
            after = True
            continue
        without, _, aside = replay.made(other, without)
        if after and aside:
            raise _rests(step, f"entry {min(aside)} was made on top of it")
    gone = {found.record.id for found in now.all()} - {found.record.id for found in without.all()}
    for found in without.all():
        if named := sorted(
            gone & {id for field in (*REFERENCES, *NAMING) for id in strings(getattr(found.record, field, None))}
        ):
            raise _rests(step, f"{found.record.id} names {named[0]}, which it made")
    was, files = now.files(), without.files()
    paths = sorted(path for path in was.keys() | files.keys() if was.get(path) != files.get(path))
    drafts = tuple(replay.edit_draft(path, was.get(path, ""), files.get(path)) for path in paths)
    store.log.store_batch(Batch(read=(), reader=BY_HAND, changes=drafts))
    store.catch_up()


def _rests(step: replay.Step, why: str) -> ProjectError:
    return ProjectError(f"entry {step.id} cannot be taken back alone: {why}; undo that first, or edit by hand")


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """A unified diff of all files that differ."""
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    return "\n".join(_unified(path, before.get(path, ""), after.get(path, "")) for path in changed)


# --- one edit: files, and what is called otherwise ---


def _keep(
    store: Store, files: Mapping[str, str | None], rename: Mapping[str, str] = {}, domain: str = "", *,
    extends: Sequence[Extend] = (), shown: bool = False,
) -> list[Diagnostic]:  # fmt: skip
    """Check, log and commit what a person made of files (None: deleted), all at once; findings about renamed fields.

    `shown` says that the files stand so in the folder. Raise CheckError with all that is wrong; nothing is changed then.
    """
    made = _planned(store, files, rename, domain, extends)
    if shown and rename:  # before it is logged: killed in between, the folder holds an edit that can be read
        store.project.put({path: made.texts.get(path) for path in sorted({*files, *made.edits})})
    if len(made.drafts) == 1 and not made.changes:
        store.log.append(made.drafts)
    elif made.drafts:
        store.log.store_batch(Batch(read=(), reader=BY_HAND, changes=tuple(made.drafts)))
    store.catch_up()
    return made.findings


@dataclass(frozen=True)
class _Planned:
    """What an edit comes to: the changes of types, the files after it, and the edits that are left besides the changes."""

    changes: list[Change]
    texts: Mapping[str, str]
    edits: Mapping[str, str | None]
    drafts: list[Draft]
    findings: list[Diagnostic]


def _planned(
    store: Store, files: Mapping[str, str | None], rename: Mapping[str, str], domain: str, extends: Sequence[Extend]
) -> _Planned:
    workspace, changes, findings = store.workspace, list[Change](), list[Diagnostic]()
    after = {**workspace.files(), **files}
    texts = {path: text for path, text in after.items() if text is not None}
    for old, new in _ordered(rename):
        renaming = renaming_of(workspace, old, new, domain.partition("/")[0])
        _refuse_waiting(store, renaming, workspace)
        changes.append(Rename(old=str(renaming), new=renaming.new))
        workspace, before = apply(changes[-1], workspace), workspace
        texts = renamed(texts, renaming)
        if renaming.type:
            texts, found = followed(texts, renaming, before)
            findings += found
        findings += _unbound(renaming, before=store.workspace) if not extends else []
    if extends:
        after_all = Workspace.from_files(texts, like=workspace)
        for change in extends:
            changes.append(change)
            workspace, after_all = apply(change, workspace), apply(change, after_all)
        texts = after_all.files()
    _check(workspace, texts, mine=files)
    was = workspace.files()
    edits = {path: texts.get(path) for path in sorted(was.keys() | texts.keys()) if was.get(path, "") != texts.get(path, "")}
    edits |= {path: None for path in files if path in was and path not in texts}
    drafts = [*map(_draft, changes), *(replay.edit_draft(path, was.get(path, ""), text) for path, text in edits.items())]
    return _Planned(changes, texts, edits, drafts, findings)


def _refuse_waiting(store: Store, renaming: Renaming, workspace: Workspace) -> None:
    """Raise CheckError while proposals wait that say the old name: they could not be made any more."""
    said = renaming.type or renaming.old
    about = {name for name, each in workspace.collections.items() if said in (name, each.type.name)}
    ids = []
    for id, change in Proposals.of(store.log).open.items():
        raw = dump(change)
        found = workspace.find(str(raw.get("id", "")))
        code = re.search(rf"\b{renaming.old}\b", str(raw.get("text", "")))
        if code or about & {raw.get("collection"), raw.get("to"), found.collection if found else ""}:
            ids.append(f"#{id}")
    if ids:
        told = f"{renaming} cannot be renamed while {listed(ids)} wait{'s' if len(ids) == 1 else ''} for an answer"
        raise CheckError(Diagnostic("rename", "", told, "answer first: %uac_review, or uac-nb review"))


def add_frames(store: Store, new: str) -> list[Diagnostic]:
    """Add frames of a person's own to the pattern reader. Raise CheckError where one does not read its examples."""
    old = store.workspace.others.get(FRAMES, "")
    return _keep(store, {FRAMES: by_patterns.merged(old, new)})


def _check(workspace: Workspace, texts: Mapping[str, str], mine: Collection[str]) -> None:
    """Whether the workspace could become that. Raise CheckError with all findings where not."""
    try:
        for path in mine:
            if path == FRAMES and path in texts:
                if wrong := by_patterns.check(texts[path], by_patterns.types_of(workspace)):
                    raise CheckError(wrong)
            elif path in texts:
                domains = {*workspace.domains, "rules"} if is_tests(path) else None
                kind: Kind = "tests" if is_tests(path) else "rules" if path == "rules.py" else "definitions"
                gate(texts[path], where=path, kind=kind, domains=domains)
        after = Workspace.from_files(texts, like=workspace)
    except CheckError as error:
        raise CheckError([*unnamed(workspace, texts, None), *error.diagnostics]) from None
    if lost := [*unnamed(workspace, texts, after)]:
        raise CheckError(lost)


def _draft(change: Change) -> Draft:
    return Draft(kind="change", text=json.dumps(dump(change), ensure_ascii=False, sort_keys=True))


def _made(workspace: Workspace, name: str, new: str, rename: Mapping[str, str]) -> str | None:
    """What a text comes to under renamings that were made before; None where they were not."""
    files = {f"{name}.py": new}
    try:
        for old, other in _ordered(rename, made=True):
            files = renamed(files, renaming_of(workspace, old, other, name.partition("/")[0], made=True))
    except CheckError:
        return None
    return files[f"{name}.py"]


def _ordered(rename: Mapping[str, str], *, made: bool = False) -> Iterator[tuple[str, str]]:
    """Types first, then what is named with its type, by the name that this has by then; once all is `made`, by the newest."""
    whole = {old: new for old, new in rename.items() if "." not in old}
    types = {old: new for old, new in whole.items() if old[:1].isupper()}
    heads = whole if made else types
    yield from types.items()
    for old, new in rename.items():
        head, dot, field = old.partition(".")
        if dot:
            prefix, sign, name = new.rpartition(".")
            yield f"{heads.get(head, head)}.{field}", f"{heads.get(prefix, prefix)}{sign}{name}"
    yield from (pair for pair in whole.items() if pair[0] not in types)


def _taken_before(store: Store, but: Collection[str] = ()) -> list[Diagnostic]:
    """Take what stands in the folder, since a renaming goes through all files. Raise ProjectError for what cannot be read."""
    findings = take(store, but)
    if unread := sorted(path for path in store.project.edits() if path not in but):
        raise ProjectError(f"{unread[0]} has edits that cannot be read, and a renaming goes through all files; mend it first")
    return findings


def _unbound(renaming: Renaming, before: Workspace) -> list[Diagnostic]:
    """What no longer finds a field or a collection of ours that is called otherwise."""
    if renaming.type:
        return _unread(renaming, before)
    if renaming.names_a_type or renaming.old not in starter.TYPES:
        return []
    lost = ", ".join(name for name, rule in starter_rules().items() if renaming.old in rule.needs)
    told = f"{renaming.old} comes with us: readers will file there what is told from now on" + (
        lost and f", and {lost} read it"
    )
    return [Diagnostic("rename", "rules.py", told, f"undo, unless {renaming.new} is to be apart from that")]


def _unread(renaming: Renaming, before: Workspace) -> list[Diagnostic]:
    """That rules of ours miss a field, which they are, and the lines that give it to them by its old name."""
    ours = {name for name, each in before.collections.items() if each.type.name == renaming.type and name in starter.TYPES}
    lost = [name for name, rule in starter_rules().items() if any(renaming.old in rule.needs.get(c, ()) for c in ours)]
    if not any(renaming.old in starter.TYPES[c].cls.__annotations__ for c in ours):
        return []
    told = f"{renaming} comes with us: what the pattern reader would file by that name stays unread from now on"
    if not lost:
        return [Diagnostic("rename", f"{renaming.home}.py", told, "undo, unless a model reads for you")]
    told += f", and {len(lost)} rule{'s that read it are' if len(lost) > 1 else ' that reads it is'} off"
    lines = f"`@property` and `def {renaming.old}(self): return self.{renaming.new}`"
    hint = f"to have the rules with the new name, write below the fields of {renaming.type} two lines, {lines}; or undo"
    return [Diagnostic("rename", f"{renaming.home}.py", told, hint)]


def _unified(path: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), path, path, lineterm="", n=1)
    return "\n".join(lines)


def _still(found: Diagnostic, path: str) -> Diagnostic:
    hint = f"the last commit still answers; mend {path}, or rebuild to get that back"
    return replace(found, hint=f"{found.hint}; {hint}" if found.hint else hint)
