"""What a forget takes with it, found by replaying the log twice: as it was, and without what goes.

Facts, changes and alerts that rest on a forgotten entry go whole, and so does every one that holds a word which no other
message holds (unless that word is one of our prompts and types, and no record was made of it: "allergic", say), however it
is written (`log.foldings`). A word tells from four letters on, a shorter one with a capital or a digit in it; stop words and
the names of days tell nothing. A change
that no longer applies without them goes too. What such a change rested on besides becomes unread
again, so that the next checkpoint reads it anew: nothing has to be guessed about which half of a sentence came from where.

A person's edit is kept, but it is a splice into a text that is another now. So it is merged by line, three ways: what the
person changed is done to the text as it is without the forgotten. Changes to lines that are gone go with them, and so do
written lines that hold a forgotten word. The merged edit is appended as an entry that stands for the emptied one, which
keeps the log the one truth and the replay exact; and, being an entry like any other, it can itself be forgotten later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from typing import Any

from uac_nb.changes import Workspace, apply, parse
from uac_nb.errors import CheckError, LogError, visible
from uac_nb.log import Draft, Entry, Forgotten, Log
from uac_nb.log.foldings import Words, folded
from uac_nb.reading.evidence import CALENDAR, COMMON
from uac_nb.starter import TYPES
from uac_nb.store import replay
from uac_nb.store.changelog import Logged, logged

SHOWN = 10
TELLING = 4  # letters of a word in an edit that may give something away
TEXT = 500  # characters of a message
OURS = ("change", "collection", "domain")  # keys of a change whose values are our words, not the person's


@dataclass(frozen=True)
class Going:
    """What a forget would remove: the entries asked for (`said`) and what was made of them, by number.

    `records` are ids of the project; `unread` messages will be read anew; `instead` are edits as they will be kept.
    """

    said: tuple[Entry, ...]
    facts: tuple[int, ...]
    changes: tuple[int, ...]
    alerts: tuple[int, ...]
    edits: tuple[int, ...]
    records: tuple[str, ...]
    unread: tuple[int, ...]
    instead: tuple[Draft, ...] = ()
    ids: tuple[int, ...] = ()
    words: Words = field(default_factory=Words)

    def __str__(self) -> str:
        return visible("\n".join(self.lines()))

    def lines(self) -> Iterator[str]:
        yield f"{len(self.said):,} said or written:" if self.said else "nothing said; only what was made of it:"
        for entry in self.said[:SHOWN]:
            text = " ".join(entry.text.split())
            left = f"… ({len(text) - TEXT:,} more characters)" if len(text) > TEXT else ""
            yield f"  #{entry.id} {entry.day} {entry.speaker or entry.role}: {text[:TEXT]}{left}"
        if len(self.said) > SHOWN:
            yield f"  … {SHOWN} of {len(self.said):,} shown"
        if self.records:
            again = "; what other messages say of them is read anew" if self.unread else ""
            yield f"records that go: {_some(self.records)}{again}"
        yield from self.counts()

    def counts(self) -> Iterator[str]:
        """What goes with it, without a word of it."""
        made = {"fact": self.facts, "change": self.changes, "alert event": self.alerts, "hand edit": self.edits}
        if any(made.values()):
            yield "with what rests on it: " + ", ".join(_count(len(ids), name) for name, ids in made.items() if ids)
        if self.instead:
            yield f"kept, less the words: {_count(len(self.instead), 'hand edit')}"
        if self.unread:
            yield f"unread again, for the next checkpoint: {_some([f'#{id}' for id in self.unread])}"


@dataclass(frozen=True)
class Forgot:
    """What a forget did; `done` is None where the person said no. `beyond` says where it could not reach, or what remains."""

    going: Going
    done: Forgotten | None = None
    beyond: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.done is None:
            return "nothing was forgotten"
        gone = f"{_count(len(self.done.ids), 'log row')}, {_count(len(self.done.calls), 'model call')}"
        head = f"forgotten: {gone}, {_count(len(self.going.records), 'record')}; entry {self.done.entry.id} says so"
        return "\n".join([head, *self.going.counts(), "out of reach:", *(f"  {place}" for place in self.beyond)])


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _some(names: Collection[str]) -> str:
    shown = ", ".join(list(names)[:SHOWN])
    return shown if len(names) <= SHOWN else f"{shown} … {SHOWN} of {len(names):,} shown"


def going(log: Log, what: Collection[int] | int | str) -> Going:
    """What would go with these entries, or with all that hold a text. Raise LogError where there are none."""
    said = _said(log, what)
    gone = {id for entry in said for id in (entry.id, entry.data.get("for", entry.id))}
    told = [*_telling(log, gone), *_written(log, said, gone), *([what] if isinstance(what, str) else [])]
    words = log.foldings(told, gone)
    gone |= {e.id for e in log.entries(kinds=("fact",)) if gone & {*e.data.get("source", ())} or words.search(e.text)}
    gone |= {made.entry.id for made in logged(log) if _rests_on(made, gone, words)}
    replayed = Replay(gone, words)
    for step in replay.steps(log):
        replayed.take(step)
    gone |= _told_by(log, gone)
    gone |= _alerts(log, gone, replayed.records, words)
    gone |= {e.id for e in log.entries(kinds=("edit",)) if e.data.get("for") in gone | set(replayed.instead)}
    all = {e.id: e for e in log.entries(ids=gone | set(replayed.instead)) if not e.forgotten}
    if not all:
        raise LogError("nothing in the log holds that; look with %uac_log or `uac-nb log`")
    kinds = {kind: tuple(id for id, e in all.items() if e.kind == kind and id in gone) for kind in ("fact", "change", "alert")}
    return Going(
        said=tuple(said), facts=kinds["fact"], changes=kinds["change"], alerts=kinds["alert"],
        edits=tuple(sorted(replayed.dropped - {entry.id for entry in said})), records=tuple(sorted(replayed.records)),
        unread=_unread(log, [all[id] for id in kinds["change"]], gone), instead=tuple(replayed.instead.values()),
        ids=tuple(all), words=words,
    )  # fmt: skip


def _said(log: Log, what: Collection[int] | int | str) -> list[Entry]:
    if isinstance(what, str):
        wanted = " ".join(folded(what).split())
        if not wanted:
            raise LogError("which words? Give the text to forget, or the numbers of entries")
        return [
            e
            for e in log.entries(kinds=("message",))
            if wanted in " ".join(folded(f"{e.speaker} {e.text} {e.caption}").split())
        ]
    found = [log.entry(int(id)) for id in ([what] if isinstance(what, int) else what)]
    for entry in found:
        if entry.kind in ("undo", "forget"):
            raise LogError(f"entry {entry.id} records {entry.kind!r} and holds no words; name the others only")
        if entry.forgotten:
            raise LogError(f"entry {entry.id} was forgotten before")
    return sorted(found, key=lambda entry: entry.id)


def _telling(log: Log, gone: set[int]) -> Iterator[str]:
    """The words that only what goes can have brought into the project."""
    changes = [made.change for made in logged(log) if gone & {*made.change["source"]}]
    made = {word for change in changes for text in _texts({**change, "fact": "", "why": ""}) for word in _words(text)}
    yield from (word for word in log.only_in(gone) if word in made or word not in _our_words())


def _written(log: Log, said: Collection[Entry], gone: set[int]) -> set[str]:
    """The words of the hand edits among these that no other entry holds."""
    written = {word for e in said if e.kind == "edit" for word in _words(e.text) if len(word) >= TELLING} - _our_words()
    if written:
        for entry in log.entries():
            if entry.id not in gone:
                written -= {*_words(f"{entry.text} {entry.caption}")}
    return written


@cache
def _our_words() -> frozenset[str]:
    found = files("uac_nb.model.prompts").iterdir()
    prompts = [file.read_text(encoding="utf-8") for file in found if file.name.endswith(".md")]
    return COMMON | CALENDAR | {word for text in (*prompts, *(kind.text for kind in TYPES.values())) for word in _words(text)}


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _rests_on(found: Logged, gone: set[int], words: Words) -> bool:
    change = found.change
    if not found.aside:
        made = change["proposed"] if change["change"] == "propose" else change
        ours = TYPES.get(made["collection"]) if made["change"] == "define" else None
        if ours and made["text"].replace(f"  # starter: {ours.name}", "", 1) == ours.text:
            return False  # a type that comes with us says nothing of anybody
    return bool(gone & {*change["source"]}) or any(words.search(text) for text in _texts(change))


def _texts(value: Any) -> Iterator[str]:
    """All texts within a change or an event, but not its keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in OURS:
                yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _told_by(log: Log, gone: set[int]) -> set[int]:
    """The facts that the changes which go told; they are told again when their other sources are read anew."""
    lost = (made for made in logged(log) if made.entry.id in gone and not made.aside)
    told = {(made.entry.data["batch"], made.change.get("fact")) for made in lost}
    return {e.id for e in log.entries(kinds=("fact",)) if (e.data.get("batch"), e.text) in told}


def _alerts(log: Log, gone: set[int], records: set[str], words: Words) -> set[int]:
    """The events of every alert that rests on what goes, was about a record that goes, or says it in words."""
    keys = set[str]()
    events = [e for e in log.entries(kinds=("alert",)) if not e.forgotten]
    for event in events:
        data = event.data
        about = gone & {*data.get("evidence", ())} or records & {*data.get("records", ())}
        if about or any(words.search(text) for text in _texts(data)):
            keys.add(data.get("key", ""))
    return {event.id for event in events if event.data.get("key", "") in keys}


def _unread(log: Log, changes: Collection[Entry], gone: set[int]) -> tuple[int, ...]:
    cited = {id for change in changes for id in json.loads(change.text)["source"]} - gone
    return tuple(e.id for e in log.entries(ids=cited, kinds=("message",)) if not e.forgotten)


@dataclass
class Replay:
    """The project as it was (`old`) and without what is `gone` (`new`), step by step; what falls on the way is added there."""

    gone: set[int]
    words: Words
    old: Workspace = field(default_factory=Workspace)
    new: Workspace = field(default_factory=Workspace)
    instead: dict[int, Draft] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    _before: list[tuple[Workspace, Workspace]] = field(default_factory=list)

    @property
    def records(self) -> set[str]:
        return {found.record.id for found in self.old.all()} - {found.record.id for found in self.new.all()}

    def take(self, step: replay.Step) -> None:
        if step.last.kind == "undo":
            self.old, self.new = self._before.pop()
            return
        self._before.append((self.old, self.new))
        for entry in step.changes:
            self._change(entry)
        if step.edits:
            new = self._edited(step.edits)
            self.old = replay.made(replace(step, entries=tuple(step.edits)), self.old)[0]
            self.new = new

    def _change(self, entry: Entry) -> None:
        same = self.old is self.new
        try:
            change = parse(json.loads(entry.text))
            self.old = apply(change, self.old)
        except Exception:
            return  # a replay passes it over too
        if entry.id in self.gone:
            return
        try:
            self.new = self.old if same else apply(change, self.new)
        except CheckError:
            self.gone.add(entry.id)

    def _edited(self, edits: Sequence[Entry]) -> Workspace:
        """The new project after hand edits; how each reads there is noted, where it reads otherwise."""
        now = self.new.files()
        instead = {edit.id: self._draft(edit, now.get(edit.data["path"], "")) for edit in edits if edit.id not in self.gone}
        kept = {id: draft for id, draft in instead.items() if draft}
        there = [replace(edit, text=kept[edit.id].text, data=kept[edit.id].data) for edit in edits if edit.id in kept]
        try:
            new = replay.edited(there, self.new) if there else self.new
        except CheckError:
            new, kept = self.new, {}
        for edit in edits:
            if edit.id not in kept:
                self.gone.add(edit.id)
                self.dropped.add(edit.id)
            elif kept[edit.id].data != edit.data or kept[edit.id].text != edit.text:
                self.instead[edit.id] = replace(kept[edit.id], data={**kept[edit.id].data, "for": edit.id})
        return new

    def _draft(self, edit: Entry, now: str) -> Draft | None:
        """An edit as it reads in a text that may be another `now`; None where nothing is left of it."""
        path = edit.data["path"]
        was = self.old.files().get(path, "")
        if was == now and not self.words.search(edit.text):
            return edit
        text = None if edit.data["deleted"] else merged(was, replay.spliced(edit, was), now, self._clean)
        if (text or "") == now:
            return None
        draft = replay.edit_draft(path, now, text)
        return replace(draft, data={**edit.data, **draft.data})

    def _clean(self, line: str) -> bool:
        return not self.words.search(line)


def merged(before: str, after: str, now: str, keep: Any = lambda line: True) -> str:
    """Do to `now` what was done from `before` to `after`, line by line; what was done to lines that are gone is left out.

    >>> merged("a\\nb\\nc\\n", "a\\nB\\nC\\nd\\n", "a\\nc\\n")
    'a\\nC\\nd\\n'
    """
    if before and not now:
        return now
    old, new, result = (text.splitlines(keepends=True) for text in (before, after, now))
    blocks = SequenceMatcher(None, old, result, autojunk=False).get_matching_blocks()
    where = {block.a + n: block.b + n for block in blocks for n in range(block.size)}
    for start, end, lines in reversed([*_hunks(old, new)]):
        if start == end:
            at = next((where[i] + 1 for i in range(start - 1, -1, -1) if i in where), 0)
            result[at:at] = filter(keep, lines)
        elif all(where.get(i) == where.get(start, -1) + i - start for i in range(start, end)):
            result[where[start] : where[end - 1] + 1] = filter(keep, lines)
    return "".join(result)


def _hunks(old: list[str], new: list[str]) -> Iterator[tuple[int, int, list[str]]]:
    """What differs: lines of `old`, and what stands there in `new`. Lines that were changed one for one count one by one."""
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        ends = min(b - a, d - c)
        if tag == "replace" and b - a <= d - c:
            yield from ((a + n, a + n + 1, [new[c + n]]) for n in range(ends - 1))
            yield b - 1, b, new[c + ends - 1 : d]
        else:
            yield a, b, new[c:d]
