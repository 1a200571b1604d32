"""Render a `Query` as Python that computes the same over the project in the sealed process.

Where a record may or may not count, the code computes both: the value of the sure records, and that of all possible ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time
from typing import Any

from uac_nb.ask.evaluate import Found
from uac_nb.ask.query import PARTS, All, Filter, Not, Of, Query, Source, Test, word_pattern
from uac_nb.ask.table import Table
from uac_nb.rules import Money, When

_BY_CURRENCY = "[sum(v for v in values if v.currency == c) for values in [{}] for c in sorted({{v.currency for v in values}})]"


def render(query: Query, tables: Mapping[str, Table], found: Found) -> str:
    """Write a query as code whose last line is its value, or the values of the sure and of all possible records."""
    return "\n".join(_Code(query, tables).lines(both=bool(found.unsure)))


class _Code:
    def __init__(self, query: Query, tables: Mapping[str, Table]) -> None:
        self.query, self.tables = query, tables
        self.one = query.one
        self.table = tables[self.one.collection]
        self.r = self.table.var if len(query.sources) == 1 else "record"

    def lines(self, *, both: bool) -> list[str]:
        body = [*self._lists("records", sure=True)]
        body += self._value("records", "sure" if both else "")
        if both:
            body += [*self._lists("records", sure=False), *self._value("records", "most"), "sure, most"]
        imports = ["import re"] if any("re.search(" in line for line in body) else []
        functions = [f for f in ("mean", "median") if any(f"{f}(" in line for line in body)]
        return [*imports, *([f"from statistics import {', '.join(functions)}"] if functions else []), *body]

    # --- which records ---

    def _lists(self, name: str, *, sure: bool) -> list[str]:
        parts = []
        for source in self.query.sources:
            table = self.tables[source.collection]
            r = table.var
            where = self._test(source.filter, r, table, sure)
            parts.append(f"[{r} for {r} in {source.collection}{f' if {where}' if where else ''}]")
        return [f"{name} = {' + '.join(parts)}"]

    def _test(self, f: Filter, r: str, table: Table, sure: bool) -> str:
        """Write a filter: that it surely holds, or that it may."""
        if isinstance(f, Test):
            return self._single(f, r, table, sure)
        if isinstance(f, Not):
            inner = self._test(f.one, r, table, not sure)
            return f"not ({inner})"
        parts = [self._test(p, r, table, sure) for p in f.parts]
        if isinstance(f, All):
            return " and ".join(f"({p})" if " or " in p and len(parts) > 1 and not p.startswith("not (") else p for p in parts)
        return " or ".join(f"({p})" if " and " in p else p for p in parts)

    def _single(self, t: Test, r: str, table: Table, sure: bool) -> str:
        raw, value = _raw(t.of, r), self._of(t.of, r)
        if t.op == "none":
            return f"not {raw}"
        text = self._compared(t, value, raw, table, sure)
        gaps = self._gaps(t.of, r, table)
        if not gaps:
            return text
        if sure and not t.open:
            return f"{gaps} and {text}"
        return f"(not ({gaps}) or {text})" if " and " in gaps else f"({raw} is None or {text})"

    def _gaps(self, of: Of, r: str, table: Table) -> str:
        """What makes sure that there is a value; empty where there always is."""
        field = table.by_name.get(of.field)
        optional = field.optional if field else True
        dates = (
            field is not None
            and field.kind == "date"
            and any(isinstance(getattr(x, of.field), When) for x in table.records[:5])
        )
        if of.to:
            exact = f" and {r}.{of.field}.exact and {r}.{of.to}.exact" if dates else ""
            return f"{r}.{of.field} and {r}.{of.to}{exact}"
        parts = [f"{_raw(of, r)} is not None"] if optional else []
        if of.part in PARTS and dates:
            if of.part == "year":
                parts.append(f"{_raw(of, r)}.year is not None")
            elif of.part == "month":
                parts.append(f"{_raw(of, r)}.month is not None and {_raw(of, r)}.year is not None")
            else:
                parts.append(f"{_raw(of, r)}.exact")
        if of.part == "continent":
            parts = [f"continent({r}.{of.field}) is not None"]
        return " and ".join(parts)

    def _compared(self, t: Test, value: str, raw: str, table: Table, sure: bool) -> str:
        field = table.by_name.get(t.of.field)
        many = field is not None and field.kind in ("words", "persons") and not t.of.part
        if t.op == "within":
            low, high = t.value.first, t.value.last
            if self._plain_dates(t.of, table):
                return f"{_shown(low)} <= {raw} <= {_shown(high)}"
            window = f"{raw}.within({t.value!r}, {t.value!r})"
            if any((v := getattr(x, t.of.field)) is not None and str(v).startswith("--") for x in table.records):
                yearly = f'{window} == "yes" or (str({raw}).startswith("--") and {window} != "no")'
                return f"({yearly})" if sure else f'{window} != "no"'
            return f"{window} {'==' if sure else '!='} {chr(34)}{'yes' if sure else 'no'}{chr(34)}"
        if t.op == "in":
            values = tuple(t.value)
            if many:
                return f"{_shown(values[0])} in {value}" if len(values) == 1 else f"any(v in {_shown(values)} for v in {value})"
            return f"{value} == {_shown(values[0])}" if len(values) == 1 else f"{value} in {_shown(values)}"
        if t.op == "has":
            search = f're.search(r"{word_pattern(t.value)}", {{}}, re.IGNORECASE)'
            return f"any({search.format('v')} for v in {value})" if many else search.format(value)
        if t.op == "is":
            return value
        if t.op == "yearly":
            return f'{t.value[0]!r} <= f"{{{raw}.month or 0:02}}-{{{raw}.day or 0:02}}" <= {t.value[1]!r}'
        if t.op == "by":
            return f"{raw}{'' if self._plain_dates(t.of, table) else '.last'} <= {_shown(t.value)}" if sure else "True"
        if t.op == "unless":
            return f"{value} not in {_shown(tuple(t.value))}" if sure else "True"
        if isinstance(t.value, Money) and not table.holds_money:
            return f"{value} {t.op} {t.value.amount}"
        if isinstance(t.value, Money):
            same = f"{value}.currency == {t.value.currency!r} and {value} {t.op} {t.value!r}"
            return f"({same})" if sure else f"({value}.currency != {t.value.currency!r} or {value} {t.op} {t.value!r})"
        if isinstance(t.value, date) and not self._plain_dates(t.of, table):
            end = ("last" if sure else "first") if t.op in ("<=", "<") else ("first" if sure else "last")
            return f"{raw}.{end} {t.op} {_shown(t.value)}"
        return f"{value} {t.op} {_shown(t.value)}"

    def _plain_dates(self, of: Of, table: Table) -> bool:
        return any(v is not None and not isinstance(v, When) for v in (getattr(x, of.field) for x in table.records[:20]))

    def _of(self, of: Of, r: str) -> str:
        name = _raw(of, r)
        if of.to:
            return f"({r}.{of.to} - {name}).days"
        if of.part == "size":
            return f"len({name} or ())"
        if of.part == "continent":
            return f"continent({name})"
        if of.part == "quarter":
            return f'f"{{{name}.year}}-Q{{({name}.month + 2) // 3}}"'
        if of.part == "month":
            return f'f"{{{name}.year}}-{{{name}.month:02}}"'
        if of.part in ("week", "day", "weekday"):
            form = {"week": "%G-W%V", "day": "%Y-%m-%d", "weekday": "%A"}[of.part]
            return (
                f'f"{{{name}.{"date" if not self._plain_dates(of, self.table) else "__class__"}:{form}}}"'
                if not self._plain_dates(of, self.table)
                else f'f"{{{name}:{form}}}"'
            )
        return f"{name}.{of.part}" if of.part else name

    # --- what they come to ---

    def _value(self, rows: str, to: str) -> list[str]:
        """The lines that compute the value of some records, put into a name, or as the last line."""
        q = self.query
        last = f"{to} = " if to else ""
        if q.versus:
            lines = [f"before = [{self.r} for {self.r} in {rows} if {self._test(q.versus[0], self.r, self.table, True)}]",
                     f"after = [{self.r} for {self.r} in {rows} if {self._test(q.versus[1], self.r, self.table, True)}]",
                     f"old, new = {self._aggregate('before')}, {self._aggregate('after')}"]  # fmt: skip
            op = q.claim[0] if q.claim else ""
            value = (
                "new - old"
                if op == "-"
                else f"new {op} old"
                if op
                else '"increase" if new > old else "decrease" if new < old else "same"'
            )
            return [*lines, f"{rows} = before + after", f"{last}{value}"]
        if q.part:
            return [f"part = [{self.r} for {self.r} in {rows} if {self._test(q.part, self.r, self.table, True)}]",
                    f"whole = {self._aggregate(rows)}", f"share = 100 * {self._aggregate('part')} / whole",
                    f"{last}round(float(share), 2)"]  # fmt: skip
        if self.one.group:
            return self._grouped(rows, last)
        if q.pick:
            return self._picked(rows, last)
        if q.how == "exists":
            return [f"{last}bool({rows})"]
        if q.how == "list":
            return [f"{last}{self._list(rows)}"]
        value = self._aggregate(rows)
        return [f"{last}{value} {q.claim[0]} {_shown(q.claim[1])}" if q.claim else f"{last}{value}"]

    def _list(self, rows: str) -> str:
        parts = []
        for source in self.query.sources:
            field = self.tables[source.collection].by_name.get(source.show[0].field)
            many = field is not None and field.kind in ("words", "persons")
            shown = [self._of(of, self.r) for of in source.show]
            if self.query.divide != 1:
                shown = [f"round({v} / {self.query.divide:g}, 2)" for v in shown]
            value = shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
            among = f"{rows}" if len(self.query.sources) == 1 else f"{rows} if {self.r} in {source.collection}"
            gaps = self._gaps(source.show[0], self.r, self.tables[source.collection]) if len(shown) == 1 else ""
            gaps = f" if {gaps}" if gaps and " if " not in among else f" and {gaps}" if gaps else ""
            parts.append(
                f"[v for {self.r} in {among} for v in {value}]" if many else f"[{value} for {self.r} in {among}{gaps}]"
            )
        return f"list(dict.fromkeys({' + '.join(parts)}))"

    def _aggregate(self, rows: str) -> str:
        q, of = self.query, self.one.measure
        if q.how in ("count", "list", "exists") or of is None:
            return f"len({rows})"
        money = self.table.money is not None and of.field == self.table.money.name and self.table.holds_money
        gaps = self._gaps(of, self.r, self.table)
        gaps = f" if {gaps}" if gaps else ""
        field = self.table.by_name.get(of.field)
        if q.how == "distinct":
            if field is not None and field.kind in ("words", "persons"):
                return f"len({{v for {self.r} in {rows} for v in {self._of(of, self.r)}}})"
            return f"len({{{self._of(of, self.r)} for {self.r} in {rows}{gaps}}})"
        if len(q.sources) > 1:
            each = " + ".join(
                f"[{self._of(s.measure, self.r)} for {self.r} in {rows} if {self.r} in {s.collection}{self._and(s)}]"
                for s in q.sources
                if s.measure
            )
            return _BY_CURRENCY.format(each)
        values = f"[{self._of(of, self.r)} for {self.r} in {rows}{gaps}]"
        if money and q.how == "sum":
            codes = {v.currency for x in self.table.records if isinstance(v := getattr(x, of.field), Money)}
            if len(codes) > 1:
                return _BY_CURRENCY.format(values)
        if q.how == "average":
            text = f"sum({values}) / len({values})"
        else:
            text = f"{'median' if q.how == 'median' else 'sum'}({values})"
        text = f"{text} / {q.divide:g}" if q.divide != 1 else text
        return text if money else f"round({text}, 2)" if q.how != "sum" or q.divide != 1 or self._floats(of) else text

    def _and(self, s: Source) -> str:
        gaps = self._gaps(s.measure, self.r, self.tables[s.collection]) if s.measure else ""
        return f" and {gaps}" if gaps else ""

    def _floats(self, of: Of) -> bool:
        return any(isinstance(of.value(r), float) for r in self.table.records)

    def _grouped(self, rows: str, last: str) -> list[str]:
        q, group = self.query, self.one.group
        assert group
        field = self.table.by_name.get(group.field)
        gaps = self._gaps(group, self.r, self.table)
        if q.how in ("sum", "average", "median") and self.one.measure:
            known = self._gaps(self.one.measure, self.r, self.table)
            gaps = " and ".join(filter(None, (gaps, known)))
        lines = ["groups = {}", f"for {self.r} in {rows}:"]
        if field is not None and field.kind in ("words", "persons"):
            lines += [f"    for key in {self._of(group, self.r)}:", f"        groups.setdefault(key, []).append({self.r})"]
        else:
            add = f"groups.setdefault({self._of(group, self.r)}, []).append({self.r})"
            lines += [f"    if {gaps}:", f"        {add}"] if gaps else [f"    {add}"]
        if q.span and group.part in PARTS:
            form = PARTS[group.part][1].format("day")
            lines += [f"for n in range({(q.span[1] - q.span[0]).days + 1}):", f"    day = {_shown(q.span[0])} + timedelta(n)",
                      f"    groups.setdefault({form}, [])"]  # fmt: skip
        lines.append(f"values = {{key: {self._aggregate('some')} for key, some in groups.items()}}")
        if q.over:
            return [*lines, f"{last}round({'mean' if q.over == 'average' else 'median'}(values.values()), 2)"]
        if q.keep:
            share = f"float(100 * value / {self._aggregate(rows)})" if q.share else "value"
            return [*lines, f"{last}[key for key, value in values.items() if {share} {q.keep[0]} {_shown(q.keep[1])}]"]
        if q.pick and q.top == 1:
            return [
                *lines,
                f"best = {q.pick}(values.values(), default=None)",
                f"{last}[key for key in values if values[key] == best]",
            ]
        if q.pick:
            return [*lines, f"{last}sorted(values, key=values.get{', reverse=True' if q.pick == 'max' else ''})[:{q.top}]"]
        return [*lines, f"{last}values"]

    def _picked(self, rows: str, last: str) -> list[str]:
        q, of = self.query, self.one.measure
        assert of
        gaps = self._gaps(of, self.r, self.table)
        value = self._of(of, self.r)
        field = self.table.by_name.get(of.field)
        dates = (
            field is not None and field.kind == "date" and not of.part and not of.to and not self._plain_dates(of, self.table)
        )
        lines = [f"{rows} = [{self.r} for {self.r} in {rows} if {gaps}]"] if gaps else []
        if q.top > 1:
            key = f"{value}.{'last' if q.pick == 'max' else 'first'}" if dates else value
            lines.append(
                f"{rows} = sorted({rows}, key=lambda {self.r}: {key}{', reverse=True' if q.pick == 'max' else ''})[:{q.top}]"
            )
        elif dates:
            edge, far, op = ("first", "last", ">=") if q.pick == "max" else ("last", "first", "<=")
            lines += [f"edge = {q.pick}(({value}.{edge} for {self.r} in {rows}), default=None)",
                      f"{rows} = [{self.r} for {self.r} in {rows} if {value}.{far} {op} edge]"]  # fmt: skip
        else:
            lines += [f"best = {q.pick}(({value} for {self.r} in {rows}), default=None)",
                      f"{rows} = [{self.r} for {self.r} in {rows} if {value} == best]"]  # fmt: skip
        return [*lines, f"{last}{self._list(rows)}"]


def _raw(of: Of, r: str) -> str:
    return f"({r}.{of.field} or {r}.{of.other})" if of.other else f"{r}.{of.field}"


def _shown(value: Any) -> str:
    if isinstance(value, time):
        return f"time({value.hour}, {value.minute})"
    if isinstance(value, date):
        return f"date({value.year}, {value.month}, {value.day})"
    return f"{value:g}" if isinstance(value, float) else repr(value)
