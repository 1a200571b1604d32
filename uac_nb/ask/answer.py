"""What a question gets back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from uac_nb.errors import visible

Channel = Literal["computed", "recalled", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer, and what it rests on.

    `value` is a plain value; of an inexact count or sum the pair (surely, at most); None where nothing is known. `text`
    says it in words. `code` is the query that was run over the project, `records` what it found, `evidence` the numbers
    of the log entries behind them, or those that were recalled. `note` says what a reader should know besides.
    """

    question: str
    value: Any
    text: str
    channel: Channel
    code: str | None = None
    records: tuple[Any, ...] = ()
    evidence: tuple[int, ...] = ()
    note: str = ""

    def __str__(self) -> str:
        return visible(f"{self.text} ({self.note})" if self.note else self.text)
