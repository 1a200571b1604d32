"""What a person changed by hand: shown, checked, logged and committed; it wins over anything a model says later.

All but the showing is done while the store is locked.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace

from uac_nb import replay
from uac_nb.changes import Workspace
from uac_nb.check import Kind, gate
from uac_nb.errors import CheckError, Diagnostic, ProjectError
from uac_nb.log import Draft
from uac_nb.pins import is_tests
from uac_nb.results import Source
from uac_nb.source.shown import saved, shown
from uac_nb.store import Store


def source(workspace: Workspace, domain: str) -> Source:
    """The text of a domain or a file, to be edited. Raise ProjectError when there is none of that name."""
    name = domain.removesuffix(".py")
    if (found := text(workspace, name)) is None:
        files = [*workspace.domains, *(path.removesuffix(".py") for path in workspace.files() if "/" not in path)]
        known = ", ".join(sorted({*files})) or "none yet: ingest something and make a checkpoint"
        raise ProjectError(f"there is no domain {domain!r} (domains: {known})")
    return Source(name, found, replay.digest(found)[:12])


def text(workspace: Workspace, name: str) -> str | None:
    """The text of a domain or a file as `source` shows it; None where there is none of that name."""
    domain = workspace.domains.get(name)
    return shown(domain) if domain else workspace.files().get(f"{name}.py")


def save(store: Store, name: str, new: str, base: str | None) -> None:
    """Take a domain or a file as a person left it.

    Raise CheckError when the text cannot be taken, and ProjectError when the project has moved on since `base`;
    nothing is changed then.
    """
    workspace = store.workspace
    before, was = workspace.files(), text(workspace, name) or ""
    if base and not replay.digest(was).startswith(base):
        shown_since = _unified(f"{name}.py", was, new)
        raise ProjectError(f"{name}.py has changed since this was shown; nothing was saved\n{shown_since}".rstrip())
    files = saved(workspace.domains[name], new) if name in workspace.domains else {f"{name}.py": new}
    files = {path: text for path, text in files.items() if text != before.get(path, "")}
    _checked(workspace, files)
    for path, text_of_file in files.items():
        append(store, path, before.get(path, ""), text_of_file)


def take(store: Store) -> list[Diagnostic]:
    """Log and commit what a person changed in the files; what cannot be read stays as it is and is reported."""
    edits = store.project.edits()
    while True:
        refused: dict[str, CheckError] = {}
        for path, new in edits.items():
            try:
                _checked(store.workspace, {path: new})
            except CheckError as error:
                refused[path] = error
            else:
                append(store, path, store.workspace.files().get(path, ""), new)
        if len(refused) == len(edits):  # else try again: one file may have waited for another
            return [_still(d, path) for path, error in refused.items() for d in error.diagnostics]
        edits = {path: edits[path] for path in refused}


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


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """A unified diff of all files that differ."""
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    return "\n".join(_unified(path, before.get(path, ""), after.get(path, "")) for path in changed)


def _checked(workspace: Workspace, files: Mapping[str, str | None]) -> None:
    """Whether the workspace could take those files (None: go without). Raise CheckError with all findings where not."""
    for path, new in files.items():
        if new is not None:
            domains = {*workspace.domains, "rules"} if is_tests(path) else None
            kind: Kind = "tests" if is_tests(path) else "rules" if path == "rules.py" else "definitions"
            gate(new, where=path, kind=kind, domains=domains)
        workspace = workspace.with_file(path, new)


def _unified(path: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), path, path, lineterm="", n=1)
    return "\n".join(lines)


def _still(found: Diagnostic, path: str) -> Diagnostic:
    hint = f"the last commit still answers; mend {path}, or rebuild to get that back"
    return replace(found, hint=f"{found.hint}; {hint}" if found.hint else hint)
