"""What waits for a person's answer, and what became of the answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from uac_nb.rules import words
from uac_nb.widgets.page import Block, Card, Diff, Fold, Line
from uac_nb.widgets.views import count, diffstat, quotes

if TYPE_CHECKING:
    from uac_nb.reviewing import Waiting

MANY = 50  # proposals on a page; the next come when these are answered
SHORT = 8  # lines of a diff that need no click
RECORD = re.compile(r"[+-] {4}\w+\(")  # where a record begins in a diff


def cards(waiting: Sequence[Waiting]) -> list[Block]:
    """All that waits, as far as it fits on a page."""
    return [card(one) for one in waiting[:MANY]]


def card(one: Waiting) -> Card:
    """One proposal: what it does, who said so, and what changes in the files."""
    proposal = one.proposal
    return Card(
        "warning" if one.clash else "info",
        f"#{one.id}",
        proposal.told,
        [
            *([Line(f"As things stand it cannot be made: {one.clash}.", label="does not fit")] if one.clash else []),
            *([Line(f"It rests on {numbered(one.rests_on)}, so accept that too.")] if one.rests_on else []),
            *quotes(proposal.entries),
            *([Line(f"How it was read: {proposal.change['why']}", tone="quiet")] if "why" in proposal.change else []),
            *_diffs(one),
        ],
    )


def _diffs(one: Waiting) -> Iterator[Block]:
    """The lines of the record, and behind a click all of it, where there is more: a type that comes with it."""
    whole = one.proposal.diff
    if not whole:
        return
    record = of_record(whole, str(one.proposal.change.get("id", "")))
    if record == whole or (not record and whole.count("\n") < SHORT):
        yield Diff(whole)
        return
    if record:
        yield Diff(record)
    title = "All that changes in the files, with the type that it needs" if record else "What changes in the files"
    yield Fold(f"{title}: {diffstat(whole)}", [Diff(whole)], spelled=not record)


def of_record(diff: str, id: str) -> str:
    """The lines of a diff that are of one record, below the name of its file; "" where none are."""
    name, found, inside = "", list[str](), list[str]()
    for line in diff.splitlines():
        if line.startswith("+++ "):
            name = line
        elif inside or RECORD.match(line):
            inside.append(line)
            if line.endswith("),") and (len(inside) == 1 or line[1:].startswith("    )")):
                found += inside if any(f'id="{id}"' in part for part in inside) else []
                inside = []
    return "\n".join([f"--- {name[4:]}", name, *found]) if found else ""


def numbered(ids: Sequence[int]) -> str:
    return words.listed([f"#{id}" for id in ids])


# --- pages ---


def page(waiting: Sequence[Waiting], live: bool) -> list[Block]:
    """What waits. With buttons below (`live`), the cards are there, and here only for a notebook that is opened again."""
    if not waiting:
        return [Line("No proposed change waits for your answer.")]
    more = f" {MANY} of {len(waiting):,} are shown; the next come when these are answered." if len(waiting) > MANY else ""
    verb = "waits" if len(waiting) == 1 else "wait"
    title = Line(f"{count(len(waiting), 'proposed change')} {verb} for your answer", tone="title")
    kept = Line(f"Nothing of it is made yet. It is kept in the log until you answer, also when the kernel stops.{more}")
    if live:
        shown = Fold("The same to read, and how to answer without buttons", [*cards(waiting), *how(waiting)], spelled=True)
        return [title, kept, shown]
    return [title, kept, *cards(waiting), *how(waiting)]


def how(waiting: Sequence[Waiting]) -> list[Block]:
    first, *rest = [one.id for one in waiting[:MANY]]
    other = rest[0] if rest else first
    return [
        Line("How to answer:", tone="title"),
        Line(f"%uac_review accept {first}" + (f" {other}" if rest else "") + " makes them, and accept all makes all"),
        Line(f"%uac_review refuse {other} does not, and its entries are not read again"),
        Line(f"%uac_review never {other} refuses it for good: also when it is said again"),
    ]
