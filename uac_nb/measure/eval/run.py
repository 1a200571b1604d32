"""`uac-nb eval told`: a story is told to a fresh user session by session, read, and scored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from sys import stderr

from uac_nb.domainfile.records import values_of
from uac_nb.errors import UacError
from uac_nb.measure.eval.generate import generate
from uac_nb.measure.eval.kept import Row
from uac_nb.measure.eval.score import Score, score
from uac_nb.measure.eval.story import Line, Story
from uac_nb.model import Model, OpenAIModel, RecordedModel, Recorder
from uac_nb.user import PATTERNS, User

Progress = Callable[[int, int, object], None]  # sessions done, sessions in all, what is about to be sent


@dataclass(frozen=True)
class Ran:
    """A story, what a reader made of it, and what that took. `stale`: replies that were recorded for another prompt."""

    story: Story
    score: Score
    reader: str
    model: str
    calls: int
    sent: int
    answered: int
    waited: float  # seconds for the model
    took: float  # seconds in all
    unread: tuple[int, ...]  # indices of lines
    pending: int  # changes that were refused to the end
    stale: int = 0

    @property
    def fresh(self) -> bool:
        """Whether these are figures of a reader, and not of a file."""
        return self.reader != "recorded"


def mind(reader: str, record: Path | None = None, replies: Path | None = None) -> Model | None:
    """Who reads; None for the patterns. Raise UacError when something it needs is not given."""
    if reader == "recorded":
        if replies is None:
            raise UacError("--reader recorded needs --replies FILE, as --record FILE wrote it")
        return RecordedModel(replies)
    if reader != "model":
        return None
    model = OpenAIModel.from_env()
    return Recorder(model, record) if record else model


def told(
    home: Path, reader: str, model: Model | None, *, seed: int, size: int, sessions: int, progress: Progress | None = None
) -> Ran:
    """Tell the story of a seed to a user in `home`, and score what is kept. Stopped runs go on where they stopped."""
    story = generate(seed, size, sessions)
    began, pending = time.monotonic(), 0
    with redirect_stdout(stderr):
        user = User.open(f"told-{seed}-{size}-{sessions}", home, today=story.days[-1])
    with user:
        for session, day in enumerate(story.days):
            _ingest(user, session, day, story.lines)
            tell = partial(progress, session, sessions) if progress else None
            done = user.checkpoint(day, reader=model or PATTERNS, on_estimate=tell)
            pending += sum(found.code == "pending" for found in done.diagnostics)
            if stopped := next((found for found in done.diagnostics if found.code == "model"), None):
                raise UacError(str(stopped))
        calls = user.calls()
        lines = _lines_by_entry(user)
        return Ran(
            story,
            score(story, _rows(user, lines)),
            reader,
            answered_by(model, (call.model for call in calls)),
            len(calls),
            sum(call.prompt_tokens or 0 for call in calls),
            sum(call.completion_tokens or 0 for call in calls),
            sum(call.seconds for call in calls),
            time.monotonic() - began,
            tuple(lines[entry] for entry in user.coverage().unread),
            pending,
            len(model.stale) if isinstance(model, RecordedModel) else 0,
        )


def _ingest(user: User, session: int, day: date, lines: Iterable[Line]) -> None:
    messages = [
        {"text": line.text, "role": line.role, "id": f"line {n}"} for n, line in enumerate(lines) if line.session == session
    ]
    if messages:
        user.ingest(messages, at=day, session=f"session {session + 1}")


def _lines_by_entry(user: User) -> dict[int, int]:
    """Which line an entry of the log is."""
    entries = user.log.entries(kinds=("message",))
    return {entry.id: int(entry.origin["message"].removeprefix("line ")) for entry in entries}


def _rows(user: User, lines: dict[int, int]) -> list[Row]:
    return [
        Row(name, values := values_of(record), tuple(lines[entry] for entry in values.get("source", ()) if entry in lines))
        for name in user.workspace.collections
        for record in user.records(name)
    ]


def answered_by(model: Model | None, names: Iterable[str]) -> str:
    """The models by the names that they gave themselves; those of a recording too."""
    return ", ".join(sorted({name for name in names if name})) or (model.name if model else "none")
