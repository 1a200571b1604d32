"""How the answers to published questions are shown: what they rest on, by category, and beside the published ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from uac_nb.errors import plain
from uac_nb.measure.eval.asking import Asked, Ran
from uac_nb.measure.eval.questions import ADVERSARIAL, CATEGORIES
from uac_nb.measure.eval.report import ran_on

HEAD = f"{'':<18}{'asked':>6}{'computed':>10}{'recalled':>10}{'no answer':>11}{'score':>8}"


def table(ran: Ran) -> str:
    """The figures of a run."""
    real = [one for one in ran.asked if one.category != ADVERSARIAL]
    spent = [f"{ran.calls} calls, {ran.sent:,} tokens sent, {ran.answered:,} answered"] if ran.calls else []
    head = ran_on("eval locomo", ran.reader, ran.model, f"{ran.sample}, {ran.coverage}", ran.stale)
    lines = [head, *spent, HEAD, _row("with an answer", real)]
    lines += [_row(f"  {name}", some) for n, name in CATEGORIES.items() if (some := [one for one in real if one.category == n])]
    if ran.faulty:
        lines.append(_row("  not known wrong", [one for one in real if one.number not in ran.faulty]))
    lines.append(_row("adversarial", [one for one in ran.asked if one.category == ADVERSARIAL]))
    lines.append("score: token F1 of LOCOMO's scorer, which tells likeness and not truth; adversarial: part without an answer")
    return "\n".join(lines)


def _row(name: str, asked: Collection[Asked]) -> str:
    by = [sum(one.channel == channel for one in asked) for channel in ("computed", "recalled", "unknown")]
    score = f"{sum(one.score for one in asked) / len(asked):>8.3f}" if asked else ""
    return f"{name:<18}{len(asked):>6}{by[0]:>10}{by[1]:>10}{by[2]:>11}{score}".rstrip()


def answers(asked: Iterable[Asked]) -> Iterator[str]:
    """Each question with the published answer and ours."""
    for one in asked:
        lines = (f"{one.score:.2f}  {one.question}", f"published: {one.gold or 'none'}", f"{one.channel}: {one.answer}")
        yield "\n      ".join(map(plain, lines))


def as_json(ran: Ran) -> dict[str, Any]:
    """The figures of a run, and what they rest on."""
    return {**asdict(ran), "faulty": sorted(ran.faulty), "fresh": ran.fresh}
