"""How far something is, as one line of text that a terminal can draw over."""

from __future__ import annotations

CLEAR = "\r\x1b[K"  # the line that the cursor is on


def drawn(done: int, total: int, what: str, width: int = 30, unit: str = "") -> str:
    """One line: a bar where the total is known, else a count.

    >>> drawn(3, 12, "reading 14 entries", 8, "batches")
    '[##      ] 3 of 12 batches, reading 14 entries'
    >>> drawn(500, 0, "reading")
    'reading 500'
    """
    if not total:
        return f"{what} {done:,}"
    counted = f"{done:,} of {total:,} {unit}".rstrip()
    return f"[{'#' * (done * width // total):<{width}}] {counted}, {what}"


def fitted(line: str, columns: int) -> str:
    """A line that a terminal does not wrap: what is wrapped cannot be drawn over.

    >>> fitted("[##  ] 2 of 4 batches", 12)
    '[##  ] 2 o…'
    """
    return line if len(line) < columns else line[: max(columns - 2, 0)] + "…"
