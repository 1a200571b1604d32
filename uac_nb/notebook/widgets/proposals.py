"""What waits for a person's answer, and what became of the answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from uac_nb.notebook.widgets.page import Block, Card, Diff, Fold, Line, each
from uac_nb.notebook.widgets.views import count, diffstat, quotes
from uac_nb.rules import words

if TYPE_CHECKING:
    from uac_nb.verbs.review import Waiting

MANY = 50  # proposals on a page; the next come when these are answered
LIVE = 20  # those with buttons: each is two outputs of its cell, and JupyterLab folds more than 50
CODE = ("define", "extend", "derive", "rule")


def card(one: Waiting) -> Card:
    """One proposal: what it does, who said so, and behind a click what that is in the files."""
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
            *_in_the_files(one),
        ],
    )


def cards(waiting: Iterable[Waiting]) -> list[Block]:
    return [*each(waiting, card, lambda one: f"proposal {one.id}")]


def _in_the_files(one: Waiting) -> list[Block]:
    """The whole diff. It stands open for code, which the words above only name; of records they say it all."""
    diff = one.proposal.diff
    code = one.proposal.change["change"] in CODE
    title = f"What it does to the files: {diffstat(diff)}"
    return [Fold(title, [Diff(diff)], spelled=code, opened=code)] if diff else []


def numbered(ids: Sequence[int]) -> str:
    return words.listed([f"#{id}" for id in ids])


# --- pages ---


def page(waiting: Sequence[Waiting], live: bool) -> list[Block]:
    """What waits. With buttons below (`live`) each card stands with its own."""
    if not waiting:
        return [Line("No proposed change waits for your answer.")]
    most = LIVE if live else MANY
    more = f" {most} of {len(waiting):,} are shown; the next come when these are answered." if len(waiting) > most else ""
    verb = "waits" if len(waiting) == 1 else "wait"
    title = Line(f"{count(len(waiting), 'proposed change')} {verb} for your answer", tone="title")
    kept = Line(f"Nothing of it is made yet. It is kept in the log until you answer, also when the kernel stops.{more}")
    if live:
        return [title, kept, Fold("How to answer without buttons", how(waiting), spelled=True)]
    return [title, kept, *cards(waiting[:most]), *how(waiting)]


def how(waiting: Sequence[Waiting]) -> list[Block]:
    first, *rest = [one.id for one in waiting[:MANY]]
    other = rest[0] if rest else first
    return [
        Line("How to answer:", tone="title"),
        Line(f"%uac_review accept {first}" + (f" {other}" if rest else "") + " makes them, and accept all makes all"),
        Line(f"%uac_review refuse {other} does not, and its entries are not read again"),
        Line(f"%uac_review never {other} refuses it for good: also when it is said again"),
    ]
