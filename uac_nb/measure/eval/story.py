"""What a generated story is: lines that were told, and what was meant by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time

from uac_nb.measure.eval.days import Told
from uac_nb.rules import Money

Words = tuple[str, ...]  # ways to write one thing, of which one has to be found
Value = Told | Money | Words | int | time


@dataclass(frozen=True)
class Said:
    """What fills a slot of a phrase: its words, and the fields that they tell."""

    words: str
    fields: Mapping[str, Value]


@dataclass(frozen=True)
class Line:
    """One message. `about` names the truths and decoys that it tells of; small talk is about none."""

    session: int
    day: date
    role: str  # "user" | "assistant"
    text: str
    about: tuple[str, ...] = ()


@dataclass(frozen=True)
class Truth:
    """A record that the lines prove. `fields` holds what was told, and nothing that was not; `keys` say which it is."""

    id: str
    kind: str
    keys: Words
    fields: Mapping[str, Value]
    status: str
    troubles: tuple[str, ...]
    lines: tuple[int, ...] = ()  # indices into the lines of the story


@dataclass(frozen=True)
class Decoy:
    """Something told that is no record of the user's. `over`: it may stand as cancelled or ended."""

    id: str
    kind: str
    keys: Words
    trouble: str
    over: bool = False
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Story:
    """A life of some weeks, as it was told."""

    seed: int
    days: tuple[date, ...]  # one a session
    lines: tuple[Line, ...]
    truths: tuple[Truth, ...]
    decoys: tuple[Decoy, ...]
