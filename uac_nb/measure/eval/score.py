"""What was kept against what was meant: records matched one to one, and field by field.

Strict where the project is: one thing is one record, so a second one of the same is false, in whichever collection it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from uac_nb.measure.eval.days import Told
from uac_nb.measure.eval.kept import INVENTED, OVER, STATUS, Row, as_when, persons
from uac_nb.measure.eval.kinds import KINDS
from uac_nb.measure.eval.story import Decoy, Story, Truth

NEAR = timedelta(7)  # so far a day may be off, for two records of one name to be one
SMALL_TALK = "small talk"


@dataclass(frozen=True)
class Check:
    """One field of a matched record: what was meant (None: nothing was told), and what was kept."""

    field: str
    meant: Any
    kept: Any
    right: bool


@dataclass(frozen=True)
class Match:
    truth: Truth
    row: Row
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class False_:
    """A record that nothing told proves. `about` is what its lines tell; None: small talk, or what no line says."""

    row: Row
    about: Truth | Decoy | None

    @property
    def kind(self) -> str:
        return self.about.kind if self.about else next(k.name for k in KINDS.values() if self.row.collection in k.collections)

    @property
    def troubles(self) -> tuple[str, ...]:
        about = self.about
        return (SMALL_TALK,) if about is None else about.troubles if isinstance(about, Truth) else (about.trouble,)


@dataclass(frozen=True)
class Tally:
    """Counts of one kind of record or trouble, and what follows from them (1.0 where there is nothing to count)."""

    told: int
    found: int
    false: int
    fields: int
    right: int

    @property
    def precision(self) -> float:
        return _share(self.found, self.found + self.false)

    @property
    def recall(self) -> float:
        return _share(self.found, self.told)

    @property
    def accuracy(self) -> float:
        return _share(self.right, self.fields)


@dataclass(frozen=True)
class Score:
    """`elsewhere` counts the user's records in collections that are not measured (people, notes, views …)."""

    matches: tuple[Match, ...]
    missed: tuple[Truth, ...]
    false: tuple[False_, ...]
    elsewhere: Mapping[str, int]

    @property
    def all(self) -> Tally:
        return self._tally(lambda kind, troubles: True)

    def kinds(self) -> dict[str, Tally]:
        return {name: self._tally(lambda kind, troubles, name=name: kind == name) for name in KINDS}  # type: ignore[misc]

    def troubles(self) -> dict[str, Tally]:
        told = [t for m in self.matches for t in m.truth.troubles] + [t for m in self.missed for t in m.troubles]
        names = dict.fromkeys([*told, *(t for wrong in self.false for t in wrong.troubles)])
        return {n: self._tally(lambda kind, troubles, n=n: n in troubles) for n in sorted(names)}  # type: ignore[misc]

    def _tally(self, wanted: Callable[[str, tuple[str, ...]], bool]) -> Tally:
        matches = [m for m in self.matches if wanted(m.truth.kind, m.truth.troubles)]
        missed = [t for t in self.missed if wanted(t.kind, t.troubles)]
        false = [f for f in self.false if wanted(f.kind, f.troubles)]
        checks = [c for m in matches for c in m.checks]
        return Tally(len(matches) + len(missed), len(matches), len(false), len(checks), sum(c.right for c in checks))


def score(story: Story, rows: Sequence[Row]) -> Score:
    """Match the user's records to what was meant, and check their fields."""
    people = persons(rows)
    measured = {name for kind in KINDS.values() for name in kind.collections}
    mine = [row for row in rows if row.mine and row.collection in measured]
    matches = _matched(story, mine, people)
    taken = {id(match.row) for match in matches}
    found = {match.truth.id for match in matches}
    false = [row for row in mine if id(row) not in taken and not _may_stand(row, story.decoys, people)]
    return Score(
        tuple(sorted(matches, key=lambda match: match.truth.lines)),
        tuple(truth for truth in story.truths if truth.id not in found),
        tuple(False_(row, _about(row, story, people)) for row in false),
        Counter(row.collection for row in rows if row.collection not in measured),
    )


def _matched(story: Story, rows: Iterable[Row], people: Mapping[str, str]) -> list[Match]:
    """The best fit first; each truth and each record once."""
    things: list[Truth | Decoy] = [*story.truths, *story.decoys]
    keys = Counter((thing.kind, key) for thing in things for key in thing.keys)
    fits = sorted(_fits(story.truths, rows, keys, people), key=lambda fit: fit[0], reverse=True)
    matches: list[Match] = []
    for _, truth, row in fits:
        if not any(match.truth is truth or match.row is row for match in matches):
            matches.append(Match(truth, row, tuple(_checks(truth, row, people))))
    return matches


def _fits(
    truths: Iterable[Truth], rows: Iterable[Row], keys: Mapping[tuple[str, str], int], people: Mapping[str, str]
) -> Iterator[tuple[tuple[int, int, int], Truth, Row]]:
    """All that could be one: the same by a key, and by the date where another thing shares that key."""
    rows = [*rows]
    for truth in truths:
        for row in rows:
            shared = row.collection in KINDS[truth.kind].collections and row.keys(truth.keys, people)
            if shared and (_near(truth, row, NEAR) or any(keys[truth.kind, key] == 1 for key in shared)):
                right = sum(check.right for check in _checks(truth, row, people))
                yield (len(shared), _near(truth, row, timedelta(0)), right), truth, row


def _near(truth: Truth, row: Row, slack: timedelta) -> bool:
    """Whether their dates overlap, or nearly; where one of them has none, yes."""
    for field in ("on", "until"):
        told, kept = truth.fields.get(field), as_when(row.value(field))
        if isinstance(told, Told) and kept is not None:
            gap = max(
                told.reach.first.toordinal() - kept.last.toordinal(), kept.first.toordinal() - told.reach.last.toordinal()
            )
            return gap <= slack.days
    return True


def _checks(truth: Truth, row: Row, people: Mapping[str, str]) -> Iterator[Check]:
    """What was told, its status, and what was not told and is there all the same."""
    for field, meant in truth.fields.items():
        yield Check(field, meant, row.value(field), row.says(field, meant, people))
    yield Check("status", truth.status, row.status, row.status in STATUS[truth.status])
    for field in INVENTED:
        if field not in truth.fields and row.invents(field):
            yield Check(field, None, row.value(field), False)


def _may_stand(row: Row, decoys: Iterable[Decoy], people: Mapping[str, str]) -> bool:
    """Whether it is a plan that fell through, or a slip, and kept as over."""
    return row.status in OVER and any(decoy.over and row.keys(decoy.keys, people) for decoy in decoys)


def _about(row: Row, story: Story, people: Mapping[str, str]) -> Truth | Decoy | None:
    """What a false record is about: by its lines and its words, else by either."""
    things: list[Truth | Decoy] = [*story.truths, *story.decoys]
    told = [thing for thing in things if set(thing.lines) & set(row.lines)]
    named = [thing for thing in told or things if row.keys(thing.keys, people)]
    return next(iter(named or told), None)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
