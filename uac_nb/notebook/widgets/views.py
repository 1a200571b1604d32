"""What each value of the API says on a page: the one glance that tells what happened, then the details.

Functions from a value to blocks, nothing else: how a block looks is `page`, what can be clicked is `live`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from uac_nb.notebook.widgets import records
from uac_nb.notebook.widgets.page import (
    Block,
    Card,
    Code,
    Diff,
    Fold,
    Line,
    Quote,
    Table,
    Tone,
    changed_files,
    each,
    finding,
    short,
)
from uac_nb.rules import SEVERITIES, words
from uac_nb.verbs.alerts import STATES, origin

if TYPE_CHECKING:
    from datetime import date

    from uac_nb.ask import Answer
    from uac_nb.changes import Workspace
    from uac_nb.errors import Diagnostic
    from uac_nb.importers import Report
    from uac_nb.log import Entry, Log
    from uac_nb.model import Cost
    from uac_nb.project import Commit
    from uac_nb.store.coverage import Coverage
    from uac_nb.user import Checkpoint, Edited, Source, User
    from uac_nb.verbs.alerts import Raised
    from uac_nb.verbs.forget import Forgot, Going
    from uac_nb.verbs.ingest import Ingested
    from uac_nb.verbs.results import Undone

OPEN = ("open", "reopened")
MANY = 10  # numbers in a sentence
SHOWN = 50  # rows of a table; more are counted, never dropped in silence


def count(number: int, noun: str, plural: str = "") -> str:
    """A number and its noun.

    >>> count(1, "entry", "entries"), count(5882, "entry", "entries"), count(2, "alert")
    ('1 entry', '5,882 entries', '2 alerts')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


# --- entries ---


def spoken(entry: Entry) -> str:
    """Who said it, and when."""
    who = entry.speaker or ("" if entry.role == "user" else entry.role)
    return " · ".join(filter(None, (f"#{entry.id}", f"{entry.day.day} {entry.day:%b %Y}", who)))


def quotes(entries: Iterable[Entry]) -> list[Block]:
    return [Quote(spoken(entry), short(_words(entry))) for entry in entries]


def _words(entry: Entry) -> str:
    """What was said; of an edit, which is a piece of a file, where it was made."""
    return f"edited {entry.data['path']} by hand" if entry.kind == "edit" else entry.text


def evidence(user: User, ids: Sequence[int], opened: bool = False) -> list[Block]:
    """The entries something rests on, in the words that were said; empty where it rests on none.

    What is no entry is counted: a record that was written by hand may name any number.
    """
    if not ids:
        return []
    said = quotes(user.log.entries(ids=[id for id in ids if 0 < id <= user.log.last]))
    strays = len(set(ids)) - len(said)
    lost = f", and {count(strays, 'number')} that it does not have" if strays else ""
    return [Fold(f"Evidence: {count(len(said), 'entry', 'entries')} of the log{lost}", said, opened=opened)]


def ingested(value: Ingested) -> list[Block]:
    new, known = value.entries, value.known
    blocks: list[Block] = []
    if new:
        first, last = new[0].id, new[-1].id
        numbers = f"#{first}" if first == last else f"#{first}–#{last}"
        blocks.append(Line(f"{count(len(new), 'entry', 'entries')} added to the log: {numbers}"))
    if known:
        already = f"{count(len(known), 'entry is', 'entries are')} in the log already, so nothing was added"
        if new:
            already = f"{count(len(known), 'entry was', 'entries were')} in the log already"
        blocks.append(Line(f"{already}: {numbered(known)}. --again adds them anyway.", tone="quiet"))
    if value.dry_run:
        blocks.append(Line("Nothing was added: a dry run.", tone="title"))
    return [*blocks, *(reported(value.report) if value.report else [])]


def numbered(ids: Sequence[int]) -> str:
    """Entries by number, the first of many.

    >>> numbered([3, 5]), numbered(range(1, 100))
    ('#3, #5', '#1, #2, #3, #4, #5, #6, #7, #8, #9, #10 … (10 of 99)')
    """
    shown = ", ".join(f"#{id}" for id in ids[:MANY])
    return shown if len(ids) <= MANY else f"{shown} … ({MANY} of {len(ids):,})"


def reported(report: Report) -> list[Block]:
    """What an import found: counts, then what it did not understand, place by place."""
    summary, odd = report.summary(), report.not_understood
    lines: list[Block] = [Line(line, tone="quiet") for line in summary]
    if odd:
        total = len(odd) + report.unlisted
        title = f"Not understood: {count(total, 'place')}" + (f", {SHOWN} shown" if total > SHOWN else "")
        lines.append(Fold(title, [Table(("where", "why", "what"), [(o.place, o.why, o.text) for o in odd[:SHOWN]])]))
    return lines


def going(value: Going) -> list[Block]:
    """What a forget would take; nothing has happened."""
    lines = [Line(line) for line in value.lines()]
    return [Line("This would be forgotten for good:", tone="title"), *lines, Line("Add --yes to do it.", tone="quiet")]


def forgot(value: Forgot) -> list[Block]:
    """What a forget did, without saying the words again."""
    assert value.done is not None
    number = count(len(value.going.ids), "entry", "entries")
    unread = f"Unread again, for the next checkpoint: {numbered(value.going.unread)}." if value.going.unread else ""
    return [
        Line(f"Forgotten: {number}, {count(len(value.done.calls), 'model call')}", tone="title"),
        *([Line(unread)] if unread else []),
        Fold("Out of reach", [Line(place) for place in value.beyond], opened=True),
    ]


def who(user: User, names: Sequence[str], model: str) -> list[Block]:
    """`model` is the name of the one that is asked; "" where the environment says which."""
    rest = [name for name in names if name != user.name]
    facts = [
        f"{count(len(user.log), 'entry', 'entries')} in the log",
        f"domains: {', '.join(user.domains) or 'none yet'}",
        f"today is pinned to {words.day(user.today)}" if user.today else "",
        f"model: {model}" if model else "",
        f"other users here: {', '.join(rest)}" if rest else "",
    ]
    return [Line(user.name, tone="title"), Line(" · ".join(filter(None, facts))), Line(str(user.folder), tone="quiet")]


# --- alerts ---


def cards(user: User, raised: Sequence[Raised]) -> list[Block]:
    """A tally, and a card an alert."""
    if not raised:
        return [Line("No alerts: the rules ran and found nothing to say.")]
    return [Line(tally(raised), tone="title"), *_cards(user, enumerate(raised, 1))]


def _cards(user: User, numbered: Iterable[tuple[int, Raised]]) -> Iterator[Block]:
    return each(numbered, lambda found: card(user, *found), lambda found: f"alert {found[0]}")


def opened(raised: Iterable[Raised]) -> dict[str, Raised]:
    """The open alerts, by their keys."""
    return {r.key: r for r in raised if r.state in OPEN}


def news(user: User, raised: Sequence[Raised], new: Collection[str], before: Mapping[str, Raised]) -> list[Block]:
    """What came and went since some were open `before`: a card for each `new` one, a line for each that is gone, the rest
    counted.
    """
    here = [(number, r) for number, r in enumerate(raised, 1) if r.key in new]
    now = opened(raised)
    gone = [Line(r.alert.message, label="no more") for key, r in before.items() if key not in now]
    kept = sum(key in now for key in before)
    stays = f"{count(kept, 'alert stands', 'alerts stand')} as before: %uac_alerts shows {'it' if kept == 1 else 'them'}."
    return [
        Line(f"New: {tally([r for _, r in here])}", tone="title") if here else Line("No new alert."),
        *_cards(user, here),
        *gone,
        *([Line(stays, tone="quiet")] if kept else []),
    ]


def card(user: User, number: int, raised: Raised) -> Card:
    """One alert: how grave, what, what to do, why. `number` is its place, by which it can be acknowledged."""
    found = raised.alert
    whose = origin(found)
    severity: Tone = found.severity or "info"
    settled = raised.state not in OPEN
    label = severity if raised.state == "open" else f"{severity} · {raised.state}"
    until = f" until {raised.until}" if raised.state == "snoozed" and raised.until else ""
    return Card(
        "quiet" if settled else severity,
        f"{number} · {label}{until}",
        found.message,
        [
            Line(f"→ {found.hint}"),
            *evidence(user, found.evidence, opened=severity == "critical" and not settled),
            Line(
                found.rule.replace("_", " ") + (whose and f" · {whose}") + (f" · since {raised.since}" if raised.since else ""),
                tone="quiet",
            ),
        ],
    )


def tally(raised: Sequence[Raised]) -> str:
    """How many alerts are open, by severity, and how many are settled, by how."""
    settled = [r.state for r in raised if r.state not in OPEN]
    parts = [_gravities(r for r in raised if r.state in OPEN), *(f"{n:,} {s}" for s in STATES if (n := settled.count(s)))]
    return f"{count(len(raised), 'alert')}: {', '.join(filter(None, parts))}" if raised else "no alerts"


def _gravities(raised: Iterable[Raised]) -> str:
    grave = [r.alert.severity for r in raised]
    counts = ((grave.count(s), s) for s in SEVERITIES)
    return ", ".join(count(n, word, "warnings" if word == "warning" else word) for n, word in counts if n)


# --- checkpoint ---


def headline(value: Checkpoint) -> Line:
    files = f" in {words.listed(value.domains)}" if value.domains else ""
    if answers := answered(value):
        return Line(f"{answers}{files}", tone="title")
    if not value.changes:
        return Line(f"Edits by hand{files}" if value.diff else "Nothing changed", tone="title")
    if proposed := sum(change["change"] == "propose" and not _is_type(change) for change in value.changes):
        return Line(f"{count(proposed, 'change')} proposed by {value.reader}{files}", tone="title")
    return Line(f"{count(len(value.changes), 'change')}{files}, read by {value.reader}", tone="title")


def answered(value: Checkpoint) -> str:
    """What answers to proposals came to, "" where there were none. Types come and go with records, and are not counted."""
    if value.reader != "review":
        return ""
    told = Counter(
        "accepted" if change["change"] != "refuse" else "refused for good" if change.get("for_good") else "refused"
        for change in value.changes
        if not _is_type(change)
    )
    return ", ".join(f"{told[name]:,} {name}" for name in ("accepted", "refused", "refused for good") if told[name])


def _is_type(change: Mapping[str, Any]) -> bool:
    return "define" in (change["change"], change.get("proposed", {}).get("change"))


def remaining(number: int) -> list[Block]:
    """That proposals wait, on a page about something else."""
    wait, them = ("waits", "it") if number == 1 else ("wait", "them")
    return [Line(f"{count(number, 'proposed change')} {wait} for your answer: %uac_review shows {them}.")] * bool(number)


def checkpoint(user: User, value: Checkpoint, bridged: bool, waiting: int = 0, before: Before | None = None) -> list[Block]:
    """What stands above the alerts of a checkpoint. `bridged`: the changed files are cells already.

    With what was there `before` it says what is new; without, all messages that are unread.
    """
    blocks: list[Block] = [
        headline(value),
        *(made(value, before) if before else []),
        *coverage(user, value.coverage, before.read_since(user.log) if before else None),
        *put_aside(value),
        *remaining(waiting),
        *diagnostics(value.diagnostics),
    ]
    blocks += in_the_files(value.diff)
    if bridged:
        blocks += holdings(user, value.domains)
    else:
        blocks += files(user.source(name) for name in value.domains)
    return blocks


def in_the_files(diff: str) -> list[Block]:
    return [Fold(f"What changed in the files: {diffstat(diff)}", [Diff(diff)])] if diff else []


@dataclass(frozen=True)
class Before:
    """How things stood before a checkpoint, so that its page can say what is new."""

    workspace: Workspace
    batches: int

    @classmethod
    def of(cls, user: User) -> Before:
        return cls(user.workspace, len(user.log.batches()))

    def read_since(self, log: Log) -> set[int]:
        """The entries that were looked at since."""
        return {id for batch in log.batches()[self.batches :] for id in batch.read}


def made(value: Checkpoint, before: Before) -> list[Block]:
    """What the changes came to, in words: the first of many, since each is told by making it once more."""
    from uac_nb.verbs.history import told

    number = sum(map(_is_news, value.changes))
    said = (words for change, words in told(value.changes, before.workspace) if _is_news(change))
    more = f"… {MANY} of {number:,} told; what changed in the files has all." if number > MANY else ""
    return [*map(Line, islice(said, MANY)), *([Line(more, tone="quiet")] if more else [])]


def _is_news(change: Mapping[str, Any]) -> bool:
    """Whether it is told one by one: a type comes with its records, what was set aside or refused is counted above."""
    return change["change"] not in ("propose", "skip", "refuse") and not _is_type(change)


def holdings(user: User, domains: Iterable[str]) -> list[Block]:
    """What is in files that are shown as cells, in a line: a cell begins with its types, and they are long."""
    known = user.workspace
    held = [
        f"{name}.py: {', '.join(f'{each} ({len(known.records(each)):,})' for each in known.domains[name].collections)}"
        for name in domains
        if name in known.domains and known.domains[name].collections
    ]
    below = "In the cells below, types first, then what is known: "
    return [Line(f"{below}{' · '.join(held)}", tone="quiet")] if held else []


def put_aside(value: Checkpoint) -> list[Block]:
    """That an undo set messages aside, where nothing else says why they are not read."""
    if value.changes or not value.undone:
        return []
    from uac_nb.verbs.results import set_aside

    return [Line(f"{set_aside(value.undone, '%uac_checkpoint --again')}.")]


def coverage(user: User, value: Coverage, looked: Collection[int] | None = None) -> list[Block]:
    """What became of the messages; those that nobody understood are spelled out, or those of them just `looked` at."""
    said = ", ".join(f"{number:,} {name}" for name, number in value.counts.items() if number)
    blocks: list[Block] = [Line(f"{count(len(value.fate), 'message')} in all: {said}" if said else "No messages yet.")]
    fresh = [id for id in value.unread if looked is None or id in looked]
    if fresh:
        partly = {*fresh} & {*value.partly}
        whole = f" ({len(partly):,} of them in part)" if partly else ""
        shown = f", {SHOWN:,} shown" if len(fresh) > SHOWN else ""
        title = f"Unread: {count(len(fresh), 'message')} not understood{whole}, kept in the log{shown}"
        quoted = [
            Quote(spoken(entry) + " · read in part" * (entry.id in partly), short(_words(entry)))
            for entry in map(user.entry, fresh[:SHOWN])
        ]
        blocks.append(Fold(title, quoted, opened=len(fresh) <= MANY))
    if told := len(value.unread) - len(fresh):
        words = count(told, "other" if fresh else "message")
        still = "is still unread: %uac_coverage lists it" if told == 1 else "are still unread: %uac_coverage lists them"
        blocks.append(Line(f"{words} told before {still}.", tone="quiet"))
    return blocks


def diagnostics(found: Sequence[Diagnostic]) -> list[Block]:
    return [*map(finding, found)]


def diffstat(diff: str) -> str:
    """How many lines a diff adds and removes.

    >>> diffstat("--- a\\n+++ b\\n@@ -1 +1,2 @@\\n-x\\n+y\\n+z\\n")
    '2 lines added, 1 removed'
    """
    lines = [line for _, inside in changed_files(diff) for line in inside]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    return f"{count(added, 'line')} added, {removed:,} removed"


def files(sources: Iterable[Source]) -> Iterator[Block]:
    """Domain files, to be read where they cannot be shown as cells. Plain text names them only."""
    for file in sources:
        lines = count(len(file.text.splitlines()), "line")
        yield Fold(f"{file.domain}.py ({lines}; %uac_code {file.domain} opens it as a cell)", [Code(file.text)], spelled=False)


# --- code ---


def source(value: Source, bridged: bool) -> list[Block]:
    if bridged:
        return [Line(f"{value.domain}.py is in its cell; change it there and run the cell to save it.")]
    return [Line(f"{value.domain}.py", tone="title"), Code(value.text)]


def sources(values: Sequence[Source], bridged: bool) -> list[Block]:
    if not values:
        return [Line("No domain files yet: ingest something, then %uac_checkpoint.")]
    if bridged:
        return [Line(f"{words.listed(f'{v.domain}.py' for v in values)}: change a cell and run it to save it.")]
    return [Line(count(len(values), "domain file"), tone="title"), *files(values)]


def edited(value: Edited) -> list[Block]:
    """What stands above the alerts after a hand edit."""
    return [
        Line(f"{value.domain if '.' in value.domain else value.domain + '.py'} saved: {diffstat(value.diff)}", tone="title"),
        Diff(value.diff),
        *diagnostics(value.diagnostics),
    ]


def unchanged(domain: str, text: str, current: str | None, renewed: bool) -> list[Block]:
    """A cell that nobody edited since it was shown, and what has become of its file. `renewed`: the cell shows that now."""
    if current == text:
        return [Line(f"Nothing to save: this cell of {domain}.py has not been edited.")]
    if current is None:
        return [Line(f"Nothing was saved: {domain}.py is not there any more, and this cell has not been edited since it was.")]
    from uac_nb.verbs.edit import differences

    diff = differences({f"{domain}.py": text}, {f"{domain}.py": current})
    newest = "It has the newest now." if renewed else f"%uac_code {domain} shows the newest."
    return [
        Line(f"Nothing was saved: this cell was out of date, and had not been edited. {newest}"),
        Fold(f"What has changed since it was shown: {diffstat(diff)}", [Diff(diff)], spelled=False),
    ]


# --- answers ---


def answer(user: User, value: Answer, today: date | str | None = None) -> list[Block]:
    if value.channel == "unknown":
        return [Line(value.text or "Not recorded.", tone="title"), *note(value)]
    how = {"computed": "computed", "recalled": "recalled from the log"}.get(value.channel, value.channel)
    found = f" from {count(len(value.records), 'record')}: {some(value.records)}" if value.records else ""
    blocks: list[Block] = [Line(value.text, tone="title"), *note(value), Line(how + found, tone="quiet")]
    if value.code:
        blocks.append(Fold("How it was computed", [Code(value.code)]))
    if value.records:
        blocks.append(
            Fold(f"Records: {len(value.records):,}", list(records.tables(value.records, user.standing(today))), spelled=False)
        )
    return blocks + evidence(user, value.evidence)


def some(records: Sequence[Any], most: int = 5) -> str:
    """The first records by name, and how many more there are."""
    more = [f"{len(records) - most:,} more"] if len(records) > most else []
    return words.listed([*map(words.name, records[:most]), *more])


def note(value: Answer) -> list[Block]:
    return [Line(value.note, tone="quiet")] if value.note else []


# --- the past ---


def history(commits: Sequence[Commit]) -> list[Block]:
    if not commits:
        return [Line("No history yet: the first %uac_checkpoint makes it.")]
    rows = [
        (f"{c.at:%Y-%m-%d %H:%M}", f"{c.message.splitlines()[0]} (log up to #{c.stamp.entry})", c.id[:8])
        for c in commits[:SHOWN]
    ]
    shown = f" (the newest {SHOWN} shown)" if len(commits) > SHOWN else ""
    return [Line(f"{count(len(commits), 'commit')}{shown}", tone="title"), Table(("when", "what", "commit"), rows)]


def cost(value: Cost) -> list[Block]:
    if not value.rows:
        return [Line("No calls of a model yet: patterns read, and they cost nothing.")]
    head = ("purpose", "model", "calls", "recorded", "sent", "answered", "seconds", "cost")
    rows = [
        (r.purpose, r.model, r.calls, r.recorded, f"{r.sent:,}", f"{r.answered:,}", f"{r.seconds:,.0f}", _price(r.cost))
        for r in value.rows
    ]
    kept = sum(r.recorded for r in value.rows)
    recorded = [
        Line(f"{count(kept, 'reply', 'replies')} from a recording: they cost nothing, and are not in the sums.")
    ] * bool(kept)
    return [Line(str(value), tone="title"), *recorded, Table(head, rows)]


def _price(cost: float | None) -> str:
    return "unknown" if cost is None else f"{cost:.2f}"


def undone(value: Undone) -> list[Block]:
    from uac_nb.verbs.results import set_aside

    told = Fold(f"Taken back: {value.what}", [Line(line) for line in value.lines], opened=True)
    aside = [Line(f"{set_aside(value.aside, '%uac_checkpoint --again')}.")] if value.aside else []
    return [Line(f"Undone: {diffstat(value.diff)}", tone="title"), told, *aside, *in_the_files(value.diff)]
