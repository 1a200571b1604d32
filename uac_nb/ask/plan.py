"""What a question means: which records count, and what is asked of them.

A record can be in, out, or open: its date is not exact enough, or it does not say. So a condition is written in two
ways: so that it surely holds, and so that it may hold. From these come "4, perhaps 5".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any, Literal

from uac_nb.ask.intent import Show
from uac_nb.ask.view import Slot, View
from uac_nb.domainfile.words import quoted


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on a record `r`, as code; `possible` is None where it is never open. `slots` are what it reads."""

    slots: tuple[Slot, ...]
    sure: Callable[[str], str]
    possible: Callable[[str], str] | None = None

    def code(self, r: str, *, possible: bool = False) -> str:
        return self.possible(r) if possible and self.possible else self.sure(r)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that a record has: a field, or the days between two."""

    slots: tuple[Slot, ...]
    unit: str = ""

    def value(self, r: str) -> str:
        if len(self.slots) == 2:
            return f"({r}.{self.slots[1].name} - {r}.{self.slots[0].name}).days"
        return f"{r}.{self.slots[0].name}"

    def known(self, r: str) -> str:
        """The condition for the number to be there; empty where it always is."""
        if len(self.slots) == 1:
            return f"{r}.{self.slots[0].name} is not None" if self.slots[0].optional else ""
        there = [f"{r}.{s.name}" for s in self.slots if s.optional]
        return " and ".join([*there, *(f"{r}.{s.name}.exact" for s in self.slots if not s.plain_date)])

    def missing(self, r: str) -> str:
        """The condition for it not to be there."""
        return f"{r}.{self.slots[0].name} is None" if len(self.slots) == 1 else f"not ({self.known(r)})"

    @property
    def money(self) -> bool:
        return self.slots[0].kind == "money"


@dataclass(frozen=True, slots=True)
class Plan:
    """A question, understood. Of the records of `view` that meet `where`, and of these the `pick`, show what is asked."""

    view: View
    show: Show
    where: tuple[Condition, ...] = ()
    part: tuple[Condition, ...] = ()  # of a share: what the part meets besides
    later: tuple[Condition, ...] = ()  # of a question about the past: what those meet that are still ahead
    rather: tuple[Condition, ...] = ()  # what those meet besides that are meant first, where there are any: what is ahead
    denied: tuple[Condition, ...] = ()  # of a question for yes or no: what those meet that say "no": called off, or over
    pick: Literal["first", "last", "max", "min"] | None = None
    day: Slot | None = None  # what first and last go by
    measure: Measure | None = None  # what is summed, averaged, or is largest
    group: str = ""  # what records are grouped by, as code of a record "{r}"
    group_slot: Slot | None = None
    least: bool = False
    percent: float = 0
    over: bool = False  # more than that share, and not just that
    field: Slot | Measure | None = None  # what is shown of each record; None: what it is called
    periods: tuple[tuple[str, str], ...] = ()  # the names that conditions use, and the text of a When
    lead: str = ""  # what the text of the answer begins with
    fewer: bool = False
    divide: float = 1  # a sum by that: of minutes, to have hours
    digits: int = 2
    score: int = 0  # how plainly the question names the collection
    other: bool = False  # it is about another person
    whose: tuple[str, ...] = ()  # the ids of the people of one name whom it may mean
    spans: bool = False  # a time is shown with its end
    by_title: bool = False  # counted are those that are called so
    exact: bool = False  # it names the field to group by as the type does


# --- conditions ---


def literal(value: Any) -> str:
    """A value as code writes it."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, time):
        return f"time({value.hour}, {value.minute})"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def _among(values: tuple[Any, ...]) -> str:
    return f"== {literal(values[0])}" if len(values) == 1 else f"in {literal(values)}"


def _any(tests: list[str]) -> str:
    return tests[0] if len(tests) == 1 else f"({' or '.join(tests)})"


def _held(r: str, s: Slot) -> str:
    """What a field holds: many, or a text; nothing where it is None."""
    return f"({r}.{s.name} or {'()' if s.kind == 'words' else quoted('')})" if s.optional else f"{r}.{s.name}"


def is_one(s: Slot, values: tuple[Any, ...]) -> Condition:
    """The field has one of some values (where it holds many: it holds one of them)."""
    if s.kind == "flag":
        return Condition((s,), lambda r: f"{r}.{s.name}", (lambda r: f"{r}.{s.name} is not False") if s.optional else None)
    if s.kind == "words":
        return Condition((s,), lambda r: _any([f"{literal(v)} in {_held(r, s)}" for v in values]))
    possible = (lambda r: f"{r}.{s.name} {_among((*values, None))}") if s.optional else None
    return Condition((s,), lambda r: f"{r}.{s.name} {_among(values)}", possible)


def is_nearly(s: Slot, values: tuple[Any, ...], nearly: tuple[Any, ...]) -> Condition:
    """The field has one of some values; whether others count as well is open."""
    return Condition((), is_one(s, values).sure, is_one(s, (*values, *nearly)).sure)


def not_one(s: Slot, values: tuple[Any, ...]) -> Condition:
    test = f"!= {literal(values[0])}" if len(values) == 1 else f"not in {literal(values)}"
    return Condition((s,), lambda r: f"{r}.{s.name} {test}")


def mentions(s: Slot, phrase: str) -> Condition:
    """A free text has some words in it."""
    if s.kind == "words":
        return Condition((s,), lambda r: f'{literal(phrase)} in " ".join({_held(r, s)}).lower()')
    return Condition((s,), lambda r: f"{literal(phrase)} in {_held(r, s)}.lower()")


def perhaps(condition: Condition) -> Condition:
    """It holds for sure, or else may hold."""
    return Condition((), condition.sure, lambda r: "")


def filled(s: Slot, op: str, count: int) -> Condition:
    """A field that holds many has so many of them."""
    return Condition((s,), lambda r: f"len({_held(r, s)}) {op} {count}")


def taking_part(ids: tuple[str, ...]) -> Condition:
    """One of some people is among the others."""
    return Condition((), lambda r: _any([f"{literal(id)} in {r}.others" for id in ids]))


def belonging_to(ids: tuple[str, ...]) -> Condition:
    """Whose life the record describes."""
    return Condition((), lambda r: f"{r}.who {_among(ids)}")


def either(conditions: Sequence[Condition]) -> Condition:
    """One of several holds."""
    return Condition((), lambda r: _any([c.code(r) for c in conditions]))


def not_over(end: Slot) -> Condition:
    """An end has not passed, as far as is known."""
    return Condition((), lambda r: f"not ({_there(r, end)}{end.code(r)} < today)")


def goes_past(end: Slot, period: str) -> Condition:
    """An end lies after the whole of a period."""
    return Condition((), lambda r: f"{_there(r, end)}{end.code(r)} >= {period}.last")


def ends_before(end: Slot, period: str) -> Condition:
    """An end lies before the end of a period."""
    return Condition((), lambda r: f"{_there(r, end)}{end.code(r)} < {period}.last")


def over(end: Slot) -> Condition:
    """An end has passed."""
    return Condition((), lambda r: f"{_there(r, end)}{end.code(r)} < today")


def during(s: Slot, period: str) -> Condition:
    """A date lies in the period of that name."""

    def within(r: str) -> str:
        return f"{f'When({s.code(r)})' if s.plain_date else s.code(r)}.within({period}, {period})"

    if not s.optional:
        return Condition((s,), lambda r: f'{within(r)} == "yes"', lambda r: f'{within(r)} != "no"')
    return Condition(
        (s,),
        lambda r: f'{s.code(r)} is not None and {within(r)} == "yes"',
        lambda r: f'({s.code(r)} is None or {within(r)} != "no")',
    )


def yearly(s: Slot, period: str) -> Condition:
    """A day that comes every year, as a birthday does, lies in the period of that name."""

    def sure(r: str) -> str:
        day = f'When(f"--{{{s.code(r)}.month:02}}-{{{s.code(r)}.day:02}}")'
        return f'{s.code(r)}.month and {s.code(r)}.day and {day}.within({period}, {period}) != "no"'

    return Condition((s,), sure)


def held_in(start: Slot, end: Slot, period: str) -> Condition:
    """What lasts from `start` to `end` held on some day of the period; without an end it still holds."""

    def sure(r: str) -> str:
        there = f"{r}.{start.name} is not None and " if start.optional else ""
        begun = f"{r}.{start.name}.last <= {period}.last"
        return f"{there}{begun} and ({r}.{end.name} is None or {r}.{end.name}.first >= {period}.first)"

    def possible(r: str) -> str:
        begun = f"{r}.{start.name}.first <= {period}.last"
        begun = f"({r}.{start.name} is None or {begun})" if start.optional else begun
        return f"{begun} and ({r}.{end.name} is None or {r}.{end.name}.last >= {period}.first)"

    return Condition((start,), sure, possible)


def touches(start: Slot, end: Slot, period: str) -> Condition:
    """What goes from `start` to `end` has a day in the period; without an end it is its first day that counts."""
    one = during(start, period)

    def whole(r: str) -> str:
        return " and ".join(f"{r}.{s.name}" for s in (start, end) if s.optional)

    def sure(r: str) -> str:
        shared = f"{r}.{start.name}.last <= {period}.last and {r}.{end.name}.first >= {period}.first"
        return f"({one.sure(r)} or {' and '.join(filter(None, (whole(r), shared)))})"

    def possible(r: str) -> str:
        shared = f"{r}.{start.name}.first <= {period}.last and {r}.{end.name}.last >= {period}.first"
        return f"({one.code(r, possible=True)} or {' and '.join(filter(None, (whole(r), shared)))})"

    return Condition((start,), sure, possible)


def holds_now(start: Slot, end: Slot) -> Condition:
    """What lasts from `start` to `end` is not over, and has not still to begin."""

    def holds(r: str) -> str:
        begun = (
            f"({r}.{start.name} is None or not {r}.{start.name} > today)" if start.optional else f"not {r}.{start.name} > today"
        )
        return f"{begun} and ({r}.{end.name} is None or {r}.{end.name} >= today)"

    return Condition((), holds)


def happened(s: Slot) -> Condition:
    """A date is not ahead."""
    return Condition(
        (s,),
        lambda r: f"{_there(r, s)}{s.code(r)} <= today",
        lambda r: f"not ({_there(r, s)}{s.code(r)} > today)" if s.optional else f"not {s.code(r)} > today",
    )


def is_ahead(s: Slot, *, after: bool = False) -> Condition:
    """A date lies ahead; `after`: and is not today."""
    return Condition((), lambda r: f"{_there(r, s)}{s.code(r)} {'>' if after else '>='} today")


def not_past(start: Slot, end: Slot) -> Condition:
    """Its last day is not past; without one, its first."""

    def sure(r: str) -> str:
        last = f"({end.code(r)} or {start.code(r)})" if end != start and end.optional else end.code(r)
        none = f"{last} is None or " if end.optional and start.optional else ""
        return f"({none}not {last} < today)" if none else f"not {last} < today"

    return Condition((), sure)


def _there(r: str, s: Slot) -> str:
    return f"{s.code(r)} is not None and " if s.optional else ""


def on_continent(s: Slot, names: tuple[str, ...]) -> Condition:
    """A country, as two letters, lies on one of some continents."""
    return Condition(
        (s,),
        lambda r: f"continent({r}.{s.name}) {_among(names)}",
        lambda r: f"continent({r}.{s.name}) {_among((*names, None))}",
    )


def abroad(s: Slot, home: str) -> Condition:
    none = f"not in (None, {literal(home)})" if s.optional else f"!= {literal(home)}"
    return Condition((s,), lambda r: f"{r}.{s.name} {none}", lambda r: f"{r}.{s.name} != {literal(home)}")


def compared(measure: Measure, op: str, value: Any) -> Condition:
    """A number stands so to another one."""

    def test(r: str) -> str:
        return f"{measure.value(r)} {op} {literal(value)}"

    def sure(r: str) -> str:
        return f"{known} and {test(r)}" if (known := measure.known(r)) else test(r)

    def possible(r: str) -> str:
        return f"({measure.missing(r)} or {test(r)})"

    return Condition(measure.slots, sure, possible if measure.known("r") else None)


def clocked(s: Slot, ranges: tuple[tuple[str, time, time | None], ...]) -> Condition:
    """A time of day lies in one of some ranges: (operator, time, and for "between" the other time)."""

    def one(r: str, op: str, a: time, b: time | None) -> str:
        return f"{literal(a)} <= {r}.{s.name} <= {literal(b)}" if b else f"{r}.{s.name} {op} {literal(a)}"

    def sure(r: str) -> str:
        test = _any([one(r, *each) for each in ranges])
        return f"{r}.{s.name} is not None and {test}" if s.optional else test

    return Condition((s,), sure, (lambda r: f"({r}.{s.name} is None or {sure(r)})") if s.optional else None)
