"""Talk to fill a log with: real conversations where their folder is named, else sentences made of common words."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import count, islice
from pathlib import Path

from uac_nb.errors import LogError
from uac_nb.importers import read
from uac_nb.log import Draft
from uac_nb.measure.eval import questions

START = datetime(2023, 1, 8, 12, tzinfo=UTC)
ROUND = timedelta(days=200)  # a conversation goes on for half a year
PART = 40  # messages in a generated session
WHO = ("Ann", "Jess")
VERBS = (
    "flew", "walked", "moved", "called", "cooked", "painted", "booked", "lost", "found", "sold", "fixed", "planned",
    "watched", "joined", "left",
)  # fmt: skip
THINGS = (
    "flight", "lamp", "dentist", "visa", "guitar", "recipe", "concert", "garden", "budget", "puppy", "ticket", "cousin",
    "exam", "kitchen", "passport",
)  # fmt: skip
PLACES = (
    "Lisbon", "Oslo", "Kyoto", "Porto", "Turin", "Lagos", "Quito", "Hanoi", "Dakar", "Perth", "Leeds", "Graz", "Gdansk",
    "Cusco", "Bergen",
)  # fmt: skip
FILLER = (
    "really", "think", "that", "was", "great", "about", "going", "with", "people", "time", "yesterday", "work", "home",
    "love", "week",
)  # fmt: skip


@dataclass(frozen=True)
class Talk:
    """What was said, what is asked about it, and (of real talk) the messages in which the answers stand, by id."""

    name: str
    messages: tuple[Draft, ...]
    questions: tuple[str, ...]
    evidence: tuple[frozenset[str], ...] = ()


def real(folder: Path) -> list[Talk]:
    """The LOCOMO conversations in a folder. Raise LogError where there is none."""
    found = [_real(file) for file in sorted(folder.glob("conv-*.json"))]
    if not found:
        raise LogError(f"{folder} holds no conv-*.json (LOCOMO); name the folder that does")
    return found


def _real(file: Path) -> Talk:
    messages = tuple(read(file, format="locomo").drafts)
    ids = {draft.origin["message"].rsplit("/", 1)[-1] for draft in messages}
    asked = [one for one in questions.read(file) if one.category != questions.ADVERSARIAL and one.evidence & ids]
    return Talk(file.stem, messages, tuple(one.text for one in asked), tuple(one.evidence & ids for one in asked))


def generated(size: int = 2_000, seed: int = 1) -> Talk:
    """Talk of so many messages, and questions with words of it."""
    rng = random.Random(seed)
    said = tuple(
        Draft(text=_sentence(rng), speaker=WHO[n % 2], session=f"s{n // PART}", said_at=START + timedelta(hours=n))
        for n in range(size)
    )
    asked = tuple(
        f"When did {rng.choice(WHO)} {rng.choice(VERBS)} the {rng.choice(THINGS)} in {rng.choice(PLACES)}?" for _ in range(200)
    )
    return Talk("generated talk", said, asked)


def _sentence(rng: random.Random) -> str:
    words = [rng.choice(VERBS), "the", rng.choice(THINGS), "in", rng.choice(PLACES), *rng.choices(FILLER, k=rng.randint(4, 16))]
    return f"I {' '.join(words)}, number {rng.randint(1, 9_999)}."


def repeated(talks: Sequence[Talk], size: int) -> Iterator[Draft]:
    """The messages of talks over and over, each round later and in sessions of its own, until there are `size`."""
    rounds = (
        replace(draft, session=f"{talk.name} {number} {draft.session}", said_at=_later(draft, number * ROUND), origin={})
        for number in count()
        for talk in talks
        for draft in talk.messages
    )
    return islice(rounds, size)


def _later(draft: Draft, by: timedelta) -> date | None:
    return draft.said_at + by if draft.said_at else None
