"""A plan as Python: a few lines that a person can read, change and keep."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from uac_nb.ask.plan import Condition, Measure, Plan, during, literal
from uac_nb.ask.view import Slot, View

WIDTH = 100
_THERE = re.compile(r"(\w+\.\w+ is not None|\(\w+\.\w+ or \w+\.\w+\) is not None) and (.+)")


def write(plan: Plan) -> str:
    """The query of a plan. It sets `records`, and its last line is the answer."""
    return "\n".join([*_imports(body := _body(plan)), *_periods(plan), *body])


def open_by(plan: Plan) -> tuple[Condition, ...]:
    """The conditions that some record leaves open; one that reads no field of its own may always be."""
    both = (*plan.where, *plan.part)
    return tuple(c for c in both if c.possible and (not c.slots or any(plan.view.open_in(s) for s in c.slots)))


def write_perhaps(plan: Plan) -> str:
    """The query for the records that may be among a plan's, but are not for sure."""
    r = plan.view.var
    surely = " and ".join(c.code(r) for c in open_by(plan))
    possible = [c.code(r, possible=True) for c in (*plan.where, *plan.part)]
    lines = [*_select(plan, "records", possible), f"records = [{r} for {r} in records if not ({surely})]"]
    return "\n".join([*_imports(lines), *_periods(plan), *lines, "len(records)"])


def write_later(plan: Plan) -> str:
    """The query for the records that a plan leaves out since they are still ahead."""
    lines = _select(plan, "records", [c.code(plan.view.var) for c in plan.later])
    return "\n".join([*_imports(lines), *_periods(plan), *lines, "len(records)"])


def write_denied(plan: Plan) -> str:
    """The query for the records that say "no" to a question: it was called off, it is over."""
    lines = _select(plan, "records", [c.code(plan.view.var) for c in plan.denied])
    return "\n".join([*_imports(lines), *_periods(plan), *lines, "not records"])


def select(plan: Plan, name: str, *, possible: bool = False, also: Sequence[str] = ()) -> list[str]:
    """The lines that set `name` to the records of a plan, as a part of a longer query."""
    return _select(plan, name, [*_conditions(plan, possible=possible), *also])


def amounts(plan: Plan, source: str) -> str:
    """The measures of some records, as code of a list."""
    assert plan.measure is not None
    r, known = plan.view.var, plan.measure.known(plan.view.var)
    return f"[{_number(plan)} for {r} in {source}{f' if {known}' if known else ''}]"


def names(plan: Plan, source: str) -> str:
    """What some records are called, as code of a list."""
    return f"[{_field(plan)} for {plan.view.var} in {source}]"


def gathered(views: Sequence[View], ids: Sequence[str], tests: Callable[[View], list[str]]) -> str:
    """The query for the records of several collections that meet any of the tests of theirs, which speak of `them`."""
    found = [(view, those) for view in views if (those := tests(view))]
    lines = [f"records += [{view.var} for {view.var} in {view.name} if {' or '.join(those)}]" for view, those in found]
    return "\n".join([f"them = {literal(tuple(ids))}", "records = []", *lines, "[record.id for record in records]"])


def joined(plans: Sequence[Plan], lines: list[str]) -> str:
    """The query of several plans of one question, which have its periods in common."""
    periods = dict.fromkeys(line for plan in plans for line in _periods(plan))
    return "\n".join([*_imports(lines), *periods, *lines])


def several(plan: Plan) -> bool:
    """Whether each value is shown once, though several records have it: "which countries"."""
    return isinstance(plan.field, Slot) and plan.field.kind == "word" and not plan.pick and plan.field != plan.view.display


def _imports(lines: list[str]) -> list[str]:
    text = "\n".join(lines)
    found = []
    if "Counter(" in text:
        found.append("from collections import Counter")
    if "time(" in text:
        found.append("from datetime import time")
    return [*found, ""] if found else []


def _periods(plan: Plan) -> list[str]:
    return [f'{name} = When("{text}")' for name, text in plan.periods]


def _body(plan: Plan) -> list[str]:
    match plan.show:
        case "count" if open_by(plan):
            return [*_both(plan), "len(sure), len(records)"]
        case "total" if open_by(plan) and plan.measure and not _mixed(plan):
            return [*_both(plan), f"{_total(plan, 'sure')}, {_total(plan, 'records')}"]
        case "count":
            return [*_chosen(plan), "len(records)"]
        case "total":
            return [*_chosen(plan), *_sum(plan)]
        case "average":
            return [*_known(plan), *_mean(plan)]
        case "distinct":
            return [*_chosen(plan), f"len({{{_field(plan)} for {plan.view.var} in records{_if_there(plan)}}})"]
        case "exists":
            return [*_chosen(plan), "bool(records)"]
        case "values":
            each = f"{_field(plan)} for {plan.view.var} in records{_if_there(plan)}"
            return [*_chosen(plan), f"sorted({{{each}}})" if several(plan) else f"[{each}]"]
        case "ratio":
            lines = _select(plan, "whole", _conditions(plan))
            lines += _select(plan, "records", [c.code(plan.view.var) for c in plan.part], "whole")
            return [*lines, f"round(100 * len(records) / len(whole), {plan.digits}) if whole else None, len(whole)"]
        case "top":
            return _top(plan)
        case "share":
            return _share(plan)
    return _versus(plan)


# --- which records ---


def _conditions(plan: Plan, *, possible: bool = False) -> list[str]:
    return [c.code(plan.view.var, possible=possible) for c in plan.where]


def _select(plan: Plan, name: str, conditions: list[str], source: str = "") -> list[str]:
    r, source = plan.view.var, source or plan.view.name
    conditions = list(dict.fromkeys(part for c in conditions if c for part in _parts(c)))
    if not conditions:
        return [f"{name} = list({source})"]
    line = f"{name} = [{r} for {r} in {source} if {' and '.join(conditions)}]"
    if len(line) <= WIDTH:
        return [line]
    first, *more = conditions
    return [f"{name} = [", f"    {r}", f"    for {r} in {source}", f"    if {first}", *(f"    and {c}" for c in more), "]"]


def _parts(condition: str) -> Iterator[str]:
    """A condition, and before it that its field is there, which several conditions may need."""
    if m := _THERE.fullmatch(condition):
        yield from m.groups()
    else:
        yield condition


def _both(plan: Plan) -> list[str]:
    return [
        *_select(plan, "sure", _conditions(plan)),
        *_select(plan, "records", _conditions(plan, possible=True)),
    ]


def _known(plan: Plan) -> list[str]:
    """Those whose measure is known."""
    assert plan.measure is not None
    return _select(plan, "records", [c for c in (*_conditions(plan), plan.measure.known(plan.view.var)) if c])


def _chosen(plan: Plan) -> list[str]:
    """The records that count, and of these the picked."""
    r, day = plan.view.var, plan.day
    if plan.pick in ("first", "last") and day:
        known = [f"{day.code(r)} is not None"] if day.optional else []
        low, high = ("", "") if day.plain_date else (".first", ".last")
        found = _select(plan, "records", [*_conditions(plan), *known])
        if plan.pick == "first":
            edge = f"edge = min(({day.code(r)}{high} for {r} in records), default=None)"
            return [*found, edge, f"records = [{r} for {r} in records if {day.code(r)}{low} <= edge]"]
        edge = f"edge = max(({day.code(r)}{low} for {r} in records), default=None)"
        return [*found, edge, f"records = [{r} for {r} in records if {day.code(r)}{high} >= edge]"]
    if plan.pick and plan.measure:
        value = plan.measure.value(r)
        best = f"best = {plan.pick}(({value} for {r} in records), default=None)"
        return [*_known(plan), best, f"records = [{r} for {r} in records if {value} == best]"]
    return _select(plan, "records", _conditions(plan))


# --- what of them ---


def _field(plan: Plan) -> str:
    r = plan.view.var
    if isinstance(plan.field, Measure):
        return plan.field.value(r)
    if plan.show == "distinct" and plan.group:
        return plan.group.format(r=r)
    shown = plan.field or plan.view.display
    if plan.spans and plan.view.lasting:
        return f"({r}.since, {r}.until)"
    return shown.code(r) if shown else f"{r}.id"


def _if_there(plan: Plan) -> str:
    """Leave out records without what is shown."""
    r, shown = plan.view.var, plan.field or plan.view.display
    if isinstance(shown, Measure):
        return f" if {known}" if (known := shown.known(r)) else ""
    if plan.show == "distinct":
        return f" if {r}.{plan.group_slot.name}" if plan.group_slot and plan.group_slot.optional else ""
    return f" if {shown.code(r)} is not None" if isinstance(shown, Slot) and shown.optional else ""


def _number(plan: Plan) -> str:
    assert plan.measure is not None
    return plan.measure.value(plan.view.var)


def _mixed(plan: Plan) -> bool:
    """Whether the sums are of several currencies."""
    assert plan.measure is not None
    return plan.view.currencies(plan.measure.slots[0]) > 1


def _fractions(plan: Plan) -> bool:
    assert plan.measure is not None
    kinds = plan.view.type.by_name[plan.measure.slots[0].name].type
    return "float" in str(kinds) and len(plan.measure.slots) == 1


def _total(plan: Plan, source: str) -> str:
    r = plan.view.var
    assert plan.measure is not None
    known = plan.measure.known(r)
    total = f"sum({_number(plan)} for {r} in {source}{f' if {known}' if known else ''})"
    if plan.divide != 1:
        return f"round({total} / {plan.divide:g}, {plan.digits})"
    return f"round({total}, {plan.digits})" if _fractions(plan) else total


def _sum(plan: Plan) -> list[str]:
    r = plan.view.var
    if not _mixed(plan):
        return [_total(plan, "records")]
    assert plan.measure is not None
    price = plan.measure.slots[0].name
    lines = ["totals = {}", f"for {r} in records:"]
    indent = "    "
    if plan.measure.slots[0].optional:
        lines.append(f"{indent}if {r}.{price}:")
        indent += "    "
    add = f"totals[{r}.{price}.currency] = totals.get({r}.{price}.currency, 0) + {r}.{price}"
    return [*lines, f"{indent}{add}", "list(totals.values())"]


def _mean(plan: Plan) -> list[str]:
    r = plan.view.var
    assert plan.measure is not None
    mean = f"sum({_number(plan)} for {r} in records) / len(records)"
    return [f"{mean if plan.measure.money else f'round({mean}, {plan.digits})'} if records else None"]


def _counts(plan: Plan) -> list[str]:
    """How many records, or how much of a measure, each group has."""
    r, group = plan.view.var, plan.group.format(r=plan.view.var)
    s = plan.group_slot
    if s and s.kind == "words":
        return [f"counts = Counter(each for {r} in records for each in {group}{' or ()' if s.optional else ''})"]
    there = f" if {r}.{s.name} is not None" if s and s.optional else ""
    if not plan.measure:
        return [f"counts = Counter({group} for {r} in records{there})"]
    zero = "counts = Counter()" if not plan.measure.money else "counts = {}"
    add = f"counts[{group}] = counts.get({group}, 0) + {_number(plan)}"
    return [zero, f"for {r} in records:", f"    {add}"]


def _groupable(plan: Plan) -> list[str]:
    r, s = plan.view.var, plan.group_slot
    needs = [plan.measure.known(r)] if plan.measure and plan.measure.known(r) else []
    if s and s.kind != "words" and s.optional:
        needs.append(f"{r}.{s.name} is not None")
    if s and s.kind == "date" and not s.plain_date:
        part = "exact" if "%A" in plan.group else "month is not None" if "[:7]" in plan.group else "year is not None"
        needs.append(f"{r}.{s.name}.{part}")
    return _select(plan, "records", [*_conditions(plan), *needs])


def _members(plan: Plan, groups: str) -> str:
    r, group = plan.view.var, plan.group.format(r=plan.view.var)
    if plan.group_slot and plan.group_slot.kind == "words":
        return f"records = [{r} for {r} in records if set({group}) & set({groups})]"
    return f"records = [{r} for {r} in records if {group} in {groups}]"


def _top(plan: Plan) -> list[str]:
    best = "min" if plan.least else "max"
    return [
        *_groupable(plan),
        *_counts(plan),
        f"best = {best}(counts.values(), default=None)",
        "found = [each for each, count in counts.items() if count == best]",
        _members(plan, "found"),
        "found, best",
    ]


def _share(plan: Plan) -> list[str]:
    sign = ">" if plan.over else ">="
    share = f"{plan.percent / 100:g}"
    return [
        *_select(plan, "records", _conditions(plan)),
        *_counts(plan),
        f"found = [each for each, count in counts.items() if count {sign} {share} * len(records)]",
        _members(plan, "found"),
        "sorted(found)",
    ]


def _versus(plan: Plan) -> list[str]:
    """Two periods against each other."""
    assert plan.day is not None
    r = plan.view.var
    names = ("before", "after")
    lines: list[str] = []
    for name, period in zip(names, ("first", "second"), strict=True):
        lines += _select(plan, name, [during(plan.day, period).code(r), *_conditions(plan)])
    figures = [_total(plan, name) if plan.measure else f"len({name})" for name in names]
    lines += ["records = before + after", f"a, b = {', '.join(figures)}"]
    if plan.show == "more":
        return [*lines, f"b {'<' if plan.fewer else '>'} a, a, b"]
    return [*lines, '"increase" if b > a else "decrease" if b < a else "same", a, b']
