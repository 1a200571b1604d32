"""`uac-nb eval locomo`: a published conversation is told to a fresh user, and the questions that came with it are asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from sys import stderr

from uac_nb.errors import UacError
from uac_nb.measure.eval import questions
from uac_nb.measure.eval.overlap import overlap
from uac_nb.measure.eval.questions import ADVERSARIAL, Question
from uac_nb.measure.eval.run import answered_by
from uac_nb.model import Model, RecordedModel
from uac_nb.user import PATTERNS, User

Progress = Callable[[int, int, object], None]  # batches or questions done, in all, what is about to be done


@dataclass(frozen=True)
class Asked:
    """A question and what came of it. `score`: the overlap with the published answer; of adversarial ones 1 for no answer."""

    number: int
    category: int
    question: str
    gold: str
    answer: str
    channel: str
    score: float


@dataclass(frozen=True)
class Ran:
    """The answers, and what they rest on. `stale`: replies that were recorded for another prompt."""

    sample: str
    reader: str
    model: str
    asked: tuple[Asked, ...]
    faulty: frozenset[int]
    coverage: str
    calls: int
    sent: int
    answered: int
    stale: int = 0

    @property
    def fresh(self) -> bool:
        """Whether these are figures of a reader, and not of a file."""
        return self.reader != "recorded"


def locomo(
    file: Path, home: Path, reader: str, model: Model | None, *, me: str | None = None, only: Collection[int] = (),
    known_errors: Path | None = None, progress: Progress = lambda done, total, what: None,
) -> Ran:  # fmt: skip
    """Tell a conversation to a user in `home`, ask its questions (`only` those numbers, if any) on its last day, and score.

    `me` is the speaker that the user is (the first, if None). A stopped run goes on in the same `home`: what was read is
    read, what was answered is kept beside the user.
    """
    chosen = [one for one in questions.read(file) if not only or one.number in only]
    wrong = questions.faulty(known_errors, file.stem) if known_errors else frozenset()
    with redirect_stdout(stderr):
        user = User.open(f"locomo-{file.stem}", home)
    with user:
        day = _tell(user, file, me, model, progress)
        kept = home / f"locomo-{file.stem}.answers.jsonl"
        asked = tuple(_ask(user, chosen, day, model, kept, progress))
        calls = user.calls()
        return Ran(
            file.stem, reader, answered_by(model, (call.model for call in calls)), asked, wrong, str(user.coverage()),
            len(calls),
            sum(call.prompt_tokens or 0 for call in calls), sum(call.completion_tokens or 0 for call in calls),
            len(model.stale) if isinstance(model, RecordedModel) else 0,
        )  # fmt: skip


def _tell(user: User, file: Path, me: str | None, model: Model | None, progress: Progress) -> date:
    """Have a conversation read; return its last day."""
    user.ingest(file, format="locomo", me=me or _first_speaker(file))
    day = max(entry.day for entry in user.log.entries(kinds=("message",)))
    done = user.checkpoint(day, reader=model or PATTERNS, on_estimate=lambda what: progress(0, 0, what))
    if stopped := next((found for found in done.diagnostics if found.code == "model"), None):
        raise UacError(str(stopped))
    return day


def _first_speaker(file: Path) -> str:
    return str(json.loads(file.read_text(encoding="utf-8"))["conversation"]["speaker_a"])


def _ask(
    user: User, chosen: Sequence[Question], day: date, model: Model | None, kept: Path, progress: Progress
) -> Iterator[Asked]:
    """Answer each question, those that an earlier run answered from what it kept."""
    known = {one.number: one for one in _kept(kept)}
    for done, question in enumerate(chosen):
        if question.number not in known:
            progress(done, len(chosen), question.text)
            known[question.number] = _answered(user, question, day, model)
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(known[question.number]), ensure_ascii=False) + "\n")
        yield known[question.number]


def _kept(file: Path) -> list[Asked]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [Asked(**json.loads(line)) for line in lines]


def _answered(user: User, question: Question, day: date, model: Model | None) -> Asked:
    answer = user.ask(question.text, today=day, model=model or PATTERNS)
    nothing = answer.channel == "unknown"
    score = float(nothing) if question.category == ADVERSARIAL else 0.0 if nothing else overlap(answer.text, question)
    return Asked(question.number, question.category, question.text, question.gold, answer.text, answer.channel, score)
