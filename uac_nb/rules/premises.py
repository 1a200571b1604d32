"""Premises: the records that another one holds because of, and how it stands when they are gone.

A record names them in `rests_on`, with `if_gone` for what comes of it then, or it is `part_of` a whole. How it stands is
never written down: it is computed from the records as of a day, along chains and round circles.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import compress, groupby, pairwise
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from uac_nb.rules.when import When
from uac_nb.rules.words import LASTING, OVER, capital, dates_of, days_of, on, own, plus

State = Literal["uncertain", "ended", "follows"]

IF_GONE: Mapping[str, State] = {"unknown": "uncertain", "ends": "ended", "follows": "follows"}
NAMING = ("rests_on", "part_of")
CARRIED_OUT = frozenset({"done", "happened"})  # what came about as planned, and takes nothing with it
GONE = (OVER - CARRIED_OUT) | {"closed", "lost"}
_ID = re.compile(r"[a-z0-9][a-z0-9-]*")
_STATES: Mapping[State, str] = {"uncertain": "is uncertain", "ended": "is over too", "follows": "goes the same way"}


class Standing(NamedTuple):
    """How a record stands whose premises do not all hold: `because` names those that are gone, else those in doubt."""

    state: State
    because: tuple[str, ...]


class Standings(dict[str, Standing]):
    """How records stand on a day, by id; of those whose premises hold, nothing."""

    def __init__(self, records: Mapping[str, Any], today: date) -> None:
        super().__init__()
        self.records = records
        self.today = today

    def chain(self, id: str) -> list[str]:
        """What a record rests on that does not hold: its premise, the premise of that, on the shortest way to what is gone."""
        ways, seen = [[id]], {id}
        for way in ways:
            if way[-1] not in self:
                return way[1:]
            further = [premise for premise in self[way[-1]].because if premise not in seen]
            seen.update(further)
            ways += [[*way, premise] for premise in further]
        return []

    def why(self, id: str) -> str:
        """Why a record does not simply hold: 'it is part of your trip to Lisbon, which is cancelled'; empty where it does."""
        chain = self.chain(id)
        words = [f"{relation(self.records[a], b)} {self._called(b)}" for a, b in pairwise([id, *chain])]
        if chain and chain[-1] in self.records:
            words.append(gone(self.records[chain[-1]], self.today))
        return f"it {', which '.join(words)}" if words else ""

    def told(self, id: str) -> str:
        """How a record stands, as a sentence without its full stop."""
        return f"{capital(own(self.records[id]))} {_STATES[self[id].state]}: {self.why(id)}"

    def _called(self, id: str) -> str:
        return own(self.records[id]) if id in self.records else f"{id}, of which there is no record"


def premises(record: Any) -> tuple[str, ...]:
    """The ids of the records that one rests on. What is `part_of` something that is no id names no record."""
    whole = getattr(record, "part_of", None)
    wholes = whole if isinstance(whole, tuple) else (whole,)
    named = [id for id in wholes if isinstance(id, str) and _ID.fullmatch(id)]
    return tuple(id for id in dict.fromkeys((*getattr(record, "rests_on", ()), *named)) if id != record.id)


def standings(records: Iterable[Any], today: date) -> Standings:
    """How each of these records stands, as far as it rests on others of them.

    A premise is gone when it is off, has ended before the day on which it is needed (that of the record itself, where that
    lies ahead or is over), or is not there any more. What rests on it may end with it, or be uncertain; so may what rests
    on that.
    """
    records = list(records)
    resting = {record.id: named for record in _naming(records) if (named := premises(record))}
    if not resting:
        return Standings({}, today)
    known = {record.id: record for record in records}
    ends = {id: _last_day(known[id], today) for named in resting.values() for id in named if id in known}
    doubts: dict[str, date] = {}  # the last day before a record is uncertain
    _spread(known, resting, ends, doubts)
    found = Standings(known, today)
    for id, named in resting.items():
        record = known[id]
        if _settled(record):
            continue
        day = _needed(record, today)
        lost = tuple(p for p in named if ends.get(p, date.min) < day)
        unsure = tuple(p for p in named if doubts.get(p, date.max) < day)
        if lost or unsure:
            state = IF_GONE[getattr(record, "if_gone", "unknown")] if lost else "uncertain"
            found[id] = Standing(state, lost or unsure)
    return found


def missing(records: Iterable[Any]) -> Iterator[tuple[Any, str]]:
    """Each record that names a premise which is not among the records, with the id that it names."""
    records = list(records)
    if resting := [(record, named) for record in _naming(records) if (named := premises(record))]:
        known = {record.id for record in records}
        yield from ((record, id) for record, named in resting for id in named if id not in known)


def gone(record: Any, today: date) -> str:
    """What became of a premise: 'is cancelled', 'ended on …', 'ends on …'."""
    end = _until(record)
    if end is None:
        return f"is {record.status}" if getattr(record, "status", None) in GONE else "holds"
    return f"{'ended' if end.last < today else 'ends'} {on(end)}"


def relation(record: Any, premise: str) -> str:
    """How a record names a premise: it rests on it, or is part of it."""
    return "rests on" if premise in getattr(record, "rests_on", ()) else "is part of"


def _naming(records: Iterable[Any]) -> Iterator[Any]:
    """Those that may name a premise, found by their type: of ten thousand records few do."""
    for kind, group in groupby(records, type):
        fields = [name for name in NAMING if hasattr(kind, name)]
        same = list(group) if fields else []
        named = [map(attrgetter(name), same) for name in fields]
        yield from compress(same, map(any, zip(*named, strict=True)))


def _spread(
    known: Mapping[str, Any], resting: Mapping[str, tuple[str, ...]], ends: dict[str, date], doubts: dict[str, date]
) -> None:
    """Let what is gone end, or put in doubt, what rests on it. Days only move back, so that circles come to rest."""
    above = defaultdict[str, list[str]](list)
    for id, named in resting.items():
        for premise in named:
            above[premise].append(id)
    queue = list(above)
    while queue:
        premise = queue.pop()
        end, doubt = ends.get(premise, date.min if premise not in known else date.max), doubts.get(premise, date.max)
        for id in above[premise]:
            record = known[id]
            until = dates_of(record)[1]
            lasts = until.last if until else date.max
            if _settled(record) or id not in above or min(end, doubt) >= lasts:
                continue
            takes = IF_GONE[getattr(record, "if_gone", "unknown")] != "uncertain"
            new_end = min(ends.get(id, date.max), end if takes else date.max)
            new_doubt = min(doubts.get(id, date.max), doubt, date.max if takes else end)
            if (new_end, new_doubt) != (ends.get(id, date.max), doubts.get(id, date.max)):
                ends[id], doubts[id] = new_end, new_doubt
                queue.append(id)


def _settled(record: Any) -> bool:
    """Whether it says itself how it came out, so that nothing else decides that."""
    return getattr(record, "status", None) in GONE | CARRIED_OUT


def _last_day(record: Any, today: date) -> date:
    """The last day on which a record holds: none of what was called off, yesterday where it ended and nobody says when."""
    if (end := _until(record)) is not None:
        return end.last
    if getattr(record, "status", None) not in GONE:
        return date.max
    return date.min if days_of(record)[0] not in ("", *LASTING) else plus(today, -1)


def _until(record: Any) -> When | None:
    """The end of what holds for a time; of what is planned for a day, the last day is no end."""
    start, end = days_of(record)
    return getattr(record, end, None) if start in LASTING else None


def _needed(record: Any, today: date) -> date:
    """The day on which a record needs its premises: today, or the nearest of its own days."""
    start, end = dates_of(record)
    return min(max(today, start.first if start else today), end.last if end else date.max)
