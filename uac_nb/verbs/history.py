"""What the entries of a log say in plain words: of a change what it did, of an edit which file it was of.

A change is told from the records as they were then, and an undo from what it took back, so the log is replayed up to it; a log
without changes is not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from uac_nb.changes import Change, Workspace, apply, parse
from uac_nb.changes.vocabulary import Forget, Propose, Refuse, Rename, Skip
from uac_nb.errors import CheckError
from uac_nb.log import Entry, Log
from uac_nb.reading.plain import plainly
from uac_nb.store import replay

REPLAYED = ("change", "undo")  # what is told from the records as they were then


def in_words(log: Log, entries: Iterable[Entry]) -> Iterator[tuple[Entry, str]]:
    """Yield entries of a log, each with what it says; "(forgotten)" where a forget has emptied it."""
    replayed, known = _replayed(log), dict[int, str]()
    for entry in entries:
        while entry.kind in REPLAYED and entry.id not in known and (words := next(replayed, None)):
            known[words[0]] = words[1]
        yield entry, "(forgotten)" if entry.forgotten else known.get(entry.id) or _words(entry)


def told(changes: Iterable[Mapping[str, Any]], workspace: Workspace) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield changes, each with what it did, made one after the other from a workspace on."""
    for raw in changes:
        words, workspace = _made(raw, workspace)
        yield raw, words


def _words(entry: Entry) -> str:
    match entry.kind:
        case "undo" if "aside" in entry.data:
            return f"{entry.text}: {_numbered(entry.data['aside'])}"
        case "edit" | "undo":
            return replay.message(replay.Step((entry,), entry.id)).splitlines()[0]
        case "forget":
            return f"Forgot {_numbered(entry.data['ids'])}" + (f": {entry.text}" if entry.text else "")
        case "alert":
            until = f" until {entry.data['until']}" if "until" in entry.data else ""
            return f"{entry.data.get('event', '')}{until}: {entry.text or entry.data.get('key', '')}"
        case _:
            return entry.text or f"(picture: {entry.caption})"


def _replayed(log: Log) -> Iterator[tuple[int, str]]:
    """Each change and each undo by the number of its entry."""
    workspace, done = Workspace(), list[tuple[Workspace, list[str]]]()
    for step in replay.steps(log):
        if step.last.kind == "undo":
            workspace, what = done.pop()
            yield step.last.id, _first(_words(step.last), what)
            continue
        before, what = workspace, list[str]()
        for entry in step.changes:
            change = json.loads(entry.text)
            words, workspace = _made(change, workspace)
            yield entry.id, words
            what += [words] * (change["change"] != "define")
        workspace = replay.made(replace(step, entries=tuple(step.edits)), workspace)[0]
        done.append((before, what or [edit.data["path"] for edit in step.edits]))


def _first(head: str, what: Sequence[str]) -> str:
    """A heading with the first of what it is about, and how much more there is."""
    more = f", and {len(what) - 1:,} more" if len(what) > 1 else ""
    return f"{head}: {what[0]}{more}" if what else head


def _made(raw: Mapping[str, Any], before: Workspace) -> tuple[str, Workspace]:
    """What a change did, and the workspace with it; without it, where a replay passes it over."""
    source = f" – from {_numbered(raw['source'])}" if raw["source"] else ""
    try:
        change = parse(raw)
        after = apply(change, before)
        return f"{_did(change, before, after)}{source}", after
    except Exception:  # a replay tells it
        return f"{raw['change']} {raw.get('id', '')}".strip() + source, before


def _did(change: Change, before: Workspace, after: Workspace) -> str:
    match change:
        case Skip():
            return f"Set aside as {change.reason}"
        case Forget():
            what = f" {change.what}" if change.what else ""
            return f"Asked to forget{what}" + (f" ({_numbered(change.entries)})" if change.entries else "")
        case Propose():
            return f"Proposed: {_would(change.proposed, before)}"
        case Refuse():
            return f"Refused{' for good' * change.for_good}: {_would(change.proposed, before)}"
        case Rename():
            return f"Renamed: {change.old} is called {change.new} from now on"
        case _:
            return plainly(change, before, after)


def _would(proposed: Mapping[str, Any], before: Workspace) -> str:
    """What a change would do that was not made; where it does not fit the project, what it is on."""
    try:
        change = parse(proposed)
        return plainly(change, before, apply(change, before))
    except CheckError:
        return str(proposed.get("fact") or f"{proposed['change']} {proposed.get('id', '')}".strip())


def _numbered(ids: Iterable[int]) -> str:
    return ", ".join(f"#{id}" for id in ids)
