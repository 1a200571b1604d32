"""The port: what is asked of a model, what it answers, and nothing about who it is."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from uac_nb.errors import Diagnostic

MOST_TOKENS = 10**9  # that one call can have used
NO_NUMBER = "the answer came with a figure that this cannot be"
Message = Mapping[str, str]  # {"role": "system" | "user" | "assistant", "content": …}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call. `purpose`, `entries` and `round` name it: a recording is found again by them."""

    purpose: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 8192
    entries: tuple[int, ...] = ()
    round: int = 1

    @property
    def digest(self) -> str:
        """Hash of the prompt (messages and schema), to tell whether it is the one that was recorded."""
        prompt = [[dict(message) for message in self.messages], self.schema]
        return hashlib.sha256(json.dumps(prompt, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        """What it is, in a message: 'structure of entries 1-12, round 2'."""
        entries = f" of entries {min(self.entries)}-{max(self.entries)}" if self.entries else ""
        return f"{self.purpose}{entries}" + (f", round {self.round}" if self.round > 1 else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer, unread. Tokens are None where the endpoint does not count them; `finish` is "length" when it was cut.

    Figures come from an endpoint or a file, and may be anything: what cannot be one is unknown, and `odd` says so.
    `recorded` replies come from a file; a `stale` one was given to another prompt. Neither counts in figures.
    """

    text: str
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    finish: str = "stop"
    recorded: bool = False
    stale: bool = False
    odd: tuple[Diagnostic, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        odd = []
        for name in ("prompt_tokens", "completion_tokens"):
            told: Any = getattr(self, name)
            if told is not None and not (type(told) is int and 0 <= told <= MOST_TOKENS):
                odd.append(Diagnostic("odd-figure", name, NO_NUMBER, "it counts as unknown"))
                object.__setattr__(self, name, None)
        if not (type(self.seconds) in (int, float) and 0 <= self.seconds < math.inf):
            odd.append(Diagnostic("odd-figure", "seconds", NO_NUMBER, "it counts as 0"))
            object.__setattr__(self, "seconds", 0.0)
        object.__setattr__(self, "odd", tuple(odd))


class Model(Protocol):
    """Anything that answers a request."""

    @property
    def name(self) -> str: ...

    def complete(self, request: Request) -> Reply:
        """Answer, or raise ModelError: one line that says what happened and what to do."""
