"""Evaluate a `Query` over records: once over those that surely count, and again with those that may."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from uac_nb.ask.query import OPS, PARTS, Of, Query, Source
from uac_nb.rules import Money, When
from uac_nb.rules.when import first, last

Rows = list[tuple[Source, Any]]  # records, each with the collection that it is from


@dataclass(frozen=True)
class Found:
    """What a query comes to: the value of the sure records, that of all possible ones, and which these are.

    `missing` are records that lack what is aggregated or picked by.
    """

    value: Any
    most: Any
    records: tuple[Any, ...]
    unsure: tuple[Any, ...] = ()
    missing: tuple[Any, ...] = ()

    @property
    def exact(self) -> bool:
        return bool(self.value == self.most)


def evaluate(query: Query, tables: Mapping[str, Sequence[Any]]) -> Found:
    """Answer a query over the records of each collection."""
    sure: Rows = []
    possible: Rows = []
    for source in query.sources:
        where = source.filter
        for record in tables[source.collection]:
            holds = where.holds(record)
            if holds != "no":
                possible.append((source, record))
            if holds == "yes":
                sure.append((source, record))
    value, records = _answer(query, sure)
    most, reach = (value, records) if len(possible) == len(sure) else _answer(query, possible)
    having = {id(r) for _, r in sure}
    of = [(s, r) for s, r in possible if s.measure and s.measure.value(r) is None]
    return Found(
        value,
        most,
        tuple(r for _, r in (records if query.how != "exists" or records else reach)),
        tuple(r for _, r in possible if id(r) not in having),
        tuple(r for _, r in of),
    )


def _answer(query: Query, rows: Rows) -> tuple[Any, Rows]:
    """Return the value of some records, and the records that it rests on."""
    if query.versus:
        sides = [[(s, r) for s, r in rows if f.holds(r) == "yes"] for f in query.versus]
        old, new = (aggregate(query, side) for side in sides)
        return _compared(query, old, new), [*sides[0], *sides[1]]
    if query.part:
        some = [(s, r) for s, r in rows if query.part.holds(r) == "yes"]
        whole, part = aggregate(query, rows), aggregate(query, some)
        return (round(float(100 * part / whole), 2) if whole and part is not None else 0.0 if whole else None), some
    if query.one.group:
        return _grouped(query, rows)
    if query.pick:
        return _picked(query, rows)
    if query.how == "exists":
        return bool(rows), rows
    if query.how == "list":
        return shown(rows, query.divide), rows
    value = aggregate(query, rows)
    if query.claim:
        op, limit = query.claim
        value = None if value is None or not comparable(value, limit) else OPS[op](value, limit)
    return value, rows


def _compared(query: Query, old: Any, new: Any) -> Any:
    """Return whether the second is more (or as claimed), how much more it is, or which way it went."""
    if old is None or new is None or not comparable(old, new):
        return None
    op = query.claim[0] if query.claim else ""
    if op == "-":
        return new - old if not isinstance(new, float) else round(new - old, 2)
    return OPS[op](new, old) if op else "increase" if new > old else "decrease" if new < old else "same"


def comparable(a: Any, b: Any) -> bool:
    """Whether two values can be compared: numbers, or sums of one currency."""
    if isinstance(a, Money) and isinstance(b, Money):
        return a.currency == b.currency
    return not isinstance(a, list | dict | Money) and not isinstance(b, list | dict | Money)


def _grouped(query: Query, rows: Rows) -> tuple[Any, Rows]:
    groups: dict[Any, Rows] = {}
    for source, record in rows:
        if query.how in ("sum", "average", "median") and source.measure and source.measure.value(record) is None:
            continue  # not known, which is not nothing
        key = source.group.value(record) if source.group else None
        for each in key if isinstance(key, list | tuple) else (key,):
            groups.setdefault(each, []).append((source, record))
    groups.pop(None, None)
    part = query.one.group.part if query.one.group else ""
    if query.span and part in PARTS:
        days = range((query.span[1] - query.span[0]).days + 1)
        for key in dict.fromkeys(PARTS[part][0](query.span[0] + timedelta(n)) for n in days):
            groups.setdefault(key, [])
    values = {key: aggregate(query, groups[key]) for key in sorted(groups, key=str)}
    zero = next((v * 0 for v in values.values() if isinstance(v, Money)), 0)
    values = {k: zero if v is None and query.how == "sum" else v for k, v in values.items()}
    known = {k: v for k, v in values.items() if v is not None}
    if query.over:
        function = statistics.mean if query.over == "average" else statistics.median
        if any(isinstance(v, list) for v in known.values()):
            return None, []
        if zero:
            return None, []
        return (
            rounded(_mean(list(known.values())) if query.over == "average" else function(known.values())) if known else None
        ), rows
    if query.keep:
        op, limit = query.keep
        whole = aggregate(query, rows) if query.share else None
        if any(not comparable(v, limit) for v in known.values()) and not query.share:
            return None, []
        kept = [k for k, v in known.items() if OPS[op](float(100 * v / whole) if query.share else v, limit)]
        return kept, [row for k in kept for row in groups[k]]
    if query.pick:
        if not known or any(not comparable(v, w) for v in known.values() for w in (next(iter(known.values())),)):
            return None, []
        order = sorted(known, key=lambda k: known[k], reverse=query.pick == "max")
        best = [k for k in order if known[k] == known[order[0]]] if query.top == 1 else order[: query.top]
        if query.top > 1 and order[query.top :] and known[order[query.top]] == known[order[query.top - 1]]:
            return None, []  # several share the last place
        return best, [row for k in best for row in groups[k]]
    return known, rows


def _picked(query: Query, rows: Rows) -> tuple[Any, Rows]:
    known = [(v, (s, r)) for s, r in rows if s.measure and (v := s.measure.value(r)) is not None]
    if not known:
        return [], []
    if isinstance(known[0][0], Money) and len({v.currency for v, _ in known}) > 1:
        return None, []  # several currencies
    dates = isinstance(known[0][0], When)
    known.sort(
        key=lambda pair: (last if query.pick == "max" else first)(pair[0]) if dates else pair[0], reverse=query.pick == "max"
    )
    if query.top > 1:
        kept = known[: query.top]
        if known[query.top :] and known[query.top][0] == kept[-1][0]:
            return None, []
    elif dates:  # those that may be the last
        edge = max(first(v) for v, _ in known) if query.pick == "max" else min(last(v) for v, _ in known)
        kept = [(v, row) for v, row in known if (last(v) >= edge if query.pick == "max" else first(v) <= edge)]
    else:
        kept = [(v, row) for v, row in known if v == known[0][0]]
    chosen = [row for _, row in kept]
    return (aggregate(query, chosen) if query.how not in ("list", "exists") else shown(chosen, query.divide)), chosen


def shown(rows: Iterable[tuple[Source, Any]], divide: float = 1) -> list[Any]:
    """Return what is shown of some records, each value once."""
    found: list[Any] = []
    for source, record in rows:
        values = [of.value(record) for of in source.show]
        values = [round(v / divide, 2) if divide != 1 and v is not None else v for v in values]
        row = values[0] if len(values) == 1 else tuple(values)
        found += row if len(values) == 1 and isinstance(row, tuple | list) else [row] if row is not None else []
    return list(dict.fromkeys(found))


def aggregate(query: Query, rows: Rows) -> Any:
    """Aggregate what the records have; sums of several currencies are a list, in the order of the currencies."""
    if query.how in ("count", "list", "exists"):
        return len(rows)
    values = [v for s, r in rows if s.measure and (v := s.measure.value(r)) is not None]
    if query.how == "distinct":
        return len({each for v in values for each in (v if isinstance(v, list | tuple) else (v,))})
    if not values:
        return None
    if isinstance(values[0], Money):
        codes = sorted({v.currency for v in values})
        each = [_one([v for v in values if v.currency == code], query) for code in codes]
        return each[0] if len(each) == 1 else each if query.how == "sum" else None
    return rounded(_one(values, query) / query.divide if query.divide != 1 else _one(values, query))


def _one(values: list[Any], query: Query) -> Any:
    match query.how:
        case "average":
            return _mean(values)
        case "median":
            return statistics.median(values) if not isinstance(values[0], Money) else _middle(values)
        case _:
            return sum(values[1:], values[0])


def _mean(values: list[Any]) -> Any:
    return sum(values[1:], values[0]) / len(values)


def _middle(values: list[Any]) -> Any:
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def rounded(value: Any) -> Any:
    """Round a fraction to two decimals."""
    return round(value, 2) if isinstance(value, float) else value


def of_each(of: Of, records: Iterable[Any]) -> list[Any]:
    """Return what each of some records has."""
    return [of.value(record) for record in records]
