"""How a run is shown: what it ran on, a table by kind and trouble, and each miss with the lines behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib.metadata import version
from platform import python_version
from typing import Any

from uac_nb.measure.eval.days import Told
from uac_nb.measure.eval.kept import Row
from uac_nb.measure.eval.run import Ran
from uac_nb.measure.eval.score import False_, Match, Tally
from uac_nb.measure.eval.story import Story, Truth

HEAD = f"{'':<18}{'told':>6}{'found':>7}{'false':>7}{'precision':>11}{'recall':>8}{'fields':>11}{'accuracy':>10}"


def table(ran: Ran) -> str:
    """The figures of a run, to read."""
    score = ran.score
    lines = [_ran_on(ran), HEAD, _row("all", score.all), "by kind"]
    lines += [_row(f"  {name}", tally) for name, tally in score.kinds().items()]
    lines += ["by trouble", *(_row(f"  {name}", tally) for name, tally in score.troubles().items())]
    return "\n".join([*lines, *_asides(ran)])


def misses(ran: Ran) -> Iterator[str]:
    """Each record that is missing, false or wrong in a field, with the lines behind it."""
    for truth in ran.score.missed:
        yield _with_lines(f"MISSED {_meant(truth)}", truth.lines, ran.story)
    for wrong in ran.score.false:
        yield _with_lines(f"FALSE  {_kept(wrong.row)}  ({', '.join(wrong.troubles)})", wrong.row.lines, ran.story)
    for match in ran.score.matches:
        if bad := [check for check in match.checks if not check.right]:
            said = "; ".join(f"{c.field} is {_shown(c.kept)}, meant {_shown(c.meant)}" for c in bad)
            lines = dict.fromkeys([*match.truth.lines, *match.row.lines])
            yield _with_lines(f"WRONG  {match.truth.id} as {_kept(match.row)}: {said}", lines, ran.story)


def as_json(ran: Ran) -> dict[str, Any]:
    """The figures of a run, and what they rest on."""
    score = ran.score
    return {
        "reader": ran.reader, "model": ran.model, "fresh": ran.fresh, "seed": ran.story.seed, "size": len(ran.story.truths),
        "sessions": len(ran.story.days), "lines": len(ran.story.lines), "versions": versions(),
        "calls": ran.calls, "sent": ran.sent, "answered": ran.answered, "model_seconds": round(ran.waited, 1),
        "seconds": round(ran.took, 1), "stale": ran.stale, "pending": ran.pending, "elsewhere": dict(score.elsewhere),
        "all": _figures(score.all),
        "kinds": {name: _figures(tally) for name, tally in score.kinds().items()},
        "troubles": {name: _figures(tally) for name, tally in score.troubles().items()},
        "unread": [ran.story.lines[n].text for n in ran.unread],
        "missed": [truth.id for truth in score.missed],
        "false": [_false(wrong) for wrong in score.false],
        "wrong": [wrong for match in score.matches for wrong in _wrong(match)],
    }  # fmt: skip


def ran_on(verb: str, reader: str, model: str, what: str, stale: int) -> str:
    """What a run rests on: who read what, with which versions; and whether these are figures of a reader, or of a file."""
    who = reader if model == "none" else f"{reader} ({model})"
    on = ", ".join(f"{name} {number}" for name, number in versions().items())
    mark = "\nRECORDED replies: a check of everything but the model, no fresh figures" if reader == "recorded" else ""
    old = f"; {stale} of them were recorded for another prompt" if stale else ""
    return f"{verb}: reader {who}; {what}; {on}{mark}{old}"


def versions() -> dict[str, str]:
    return {"uac_nb": version("uac-nb"), "python": python_version()}


def _ran_on(ran: Ran) -> str:
    story = ran.story
    what = f"seed {story.seed}, {len(story.truths)} records over {len(story.days)} sessions in {len(story.lines)} lines"
    return ran_on("eval told", ran.reader, ran.model, what, ran.stale)


def _row(name: str, t: Tally) -> str:
    kept = f"{t.precision:>11.3f}" if t.found + t.false else f"{'':>11}"
    told = f"{t.recall:>8.3f}" if t.told else f"{'':>8}"
    fields = f"{f'{t.right}/{t.fields}':>11}{t.accuracy:>10.3f}" if t.fields else ""
    return f"{name:<18}{t.told:>6}{t.found:>7}{t.false:>7}{kept}{told}{fields}".rstrip()


def _asides(ran: Ran) -> Iterator[str]:
    if ran.calls:
        yield f"{ran.calls} calls, {ran.sent:,} tokens sent, {ran.answered:,} answered, {ran.waited:.0f} s for the model"
    yield f"{ran.took:.1f} s in all; {len(ran.unread)} of {len(ran.story.lines)} lines unread, {ran.pending} changes refused"
    if ran.score.elsewhere:
        yield "not scored: " + ", ".join(f"{name} {count}" for name, count in sorted(ran.score.elsewhere.items()))


def _with_lines(said: str, numbers: Iterable[int], story: Story) -> str:
    lines = [story.lines[n] for n in numbers]
    return "\n".join([said, *(f"    {line.day:%a %Y-%m-%d} {line.role}: {line.text}" for line in lines)])


def _meant(truth: Truth) -> str:
    fields = ", ".join(f"{name} {_shown(value)}" for name, value in truth.fields.items())
    return f"{truth.id}: {fields}; {truth.status} ({', '.join(truth.troubles)})"


def _kept(row: Row) -> str:
    skipped = ("id", "source", "quote", "doubt")
    values = (
        f"{name} {_shown(value)}" for name, value in row.values.items() if value not in (None, (), "") and name not in skipped
    )
    return f"{row.collection}/{row.values.get('id')}: {', '.join(values)}"


def _shown(value: object) -> str:
    if isinstance(value, Told):
        return f"{value.when}"
    return " or ".join(map(str, value)) if isinstance(value, tuple) else "nothing" if value is None else str(value)


def _figures(tally: Tally) -> dict[str, Any]:
    shares = {name: round(getattr(tally, name), 4) for name in ("precision", "recall", "accuracy")}
    return {**asdict(tally), **shares}


def _false(wrong: False_) -> dict[str, Any]:
    return {"record": _kept(wrong.row), "kind": wrong.kind, "troubles": list(wrong.troubles)}


def _wrong(match: Match) -> Iterator[dict[str, str]]:
    for check in match.checks:
        if not check.right:
            yield {"truth": match.truth.id, "field": check.field, "meant": _shown(check.meant), "kept": _shown(check.kept)}
