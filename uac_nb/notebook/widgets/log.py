"""The log as a DataFrame that tells how much of it is on show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from uac_nb.notebook.widgets.page import Block, Line, Table, short
from uac_nb.notebook.widgets.shown import bundle
from uac_nb.notebook.widgets.views import count

if TYPE_CHECKING:
    import pandas as pd

    from uac_nb.log import Entry, Log

ROWS = 50
HEAD = ("", "day", "who", "what")
SAID = ("message", "edit", "undo", "forget")  # what people said and did; the other kinds are what was made of it


def log(log: Log, frame: pd.DataFrame, rows: int, asking: Callable[[], bool]) -> pd.DataFrame:
    """The frame itself. While `asking`, in the cell that asked for it, it shows what was said last, and how much there is.

    What is assigned stays plain pandas; so the display rides on this one object and ends with its cell.
    """

    return _riding(frame, lambda: page(log, frame, rows), asking)


def found(frame: pd.DataFrame, hits: Sequence[Entry], words: str, rows: int, asking: Callable[[], bool]) -> pd.DataFrame:
    """The same for what was found by `words`, the best first. `rows`: how many were asked for at most."""
    return _riding(frame, lambda: hits_page(hits, words, rows), asking)


def _riding(frame: pd.DataFrame, blocks: Callable[[], list[Block]], asking: Callable[[], bool]) -> pd.DataFrame:
    def shown(include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(blocks(), "Log") if asking() else {}

    object.__setattr__(frame, "_repr_mimebundle_", shown)
    return frame


def hits_page(hits: Sequence[Entry], words: str, rows: int) -> list[Block]:
    if not hits:
        return [Line(f"No entry has any of these words: {words}")]
    title = f"{count(len(hits), 'entry', 'entries')} for “{words}”, the best first"
    more = f" There may be more: --rows {rows * 2} shows more." if len(hits) == rows else ""
    how = Line(f"Any word may fit, by its stem, also in what was said just before.{more}", tone="quiet")
    return [Line(title, tone="title"), Table(HEAD, [_row(entry, entry.text) for entry in hits]), how]


def page(log: Log, frame: pd.DataFrame, rows: int) -> list[Block]:
    """The newest of what was said, else of what was made of it: a change as what it did, not as its JSON."""
    from uac_nb.verbs.history import in_words

    said = frame[frame["kind"].isin(SAID)]
    if said.empty:  # a choice of what was made of them
        said = frame
    newest = said.tail(rows)
    kinds = {str(kind) for kind in said["kind"]} or {"message"}
    noun = ("message or edit", "messages and edits") if len(kinds) > 1 else next((kind, f"{kind}s") for kind in kinds)
    title = count(len(said), *noun) if len(newest) == len(said) else f"{len(newest):,} of {len(said):,} {noun[1]}, the newest"
    made = len(frame) - len(said)
    rest = (
        f" It also has what was made of them: {count(made, 'fact, change or alert', 'facts, changes and alerts')}."
        if made
        else ""
    )
    table = Table(HEAD, [_row(*told) for told in in_words(log, log.entries(ids=newest["id"].tolist()))])
    return [Line(title, tone="title"), table, Line(f"df = %uac_log is a DataFrame of all.{rest}", tone="quiet")]


def _row(entry: Entry, words: str) -> tuple[str, str, str, str]:
    who = "by hand" if entry.kind in ("edit", "undo") else entry.speaker if entry.kind == "message" else entry.kind
    day = str(entry.day) if entry.said_at else ""  # empty where nobody said when
    return f"#{entry.id}", day, "" if entry.forgotten else who, short(words)
