"""An answer in words: what a query gave, with units, names and the total of a list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any

from uac_nb.ask.code import several
from uac_nb.ask.lexicon import CURRENCIES
from uac_nb.ask.places import NAME
from uac_nb.ask.plan import Measure, Plan
from uac_nb.ask.view import Slot
from uac_nb.rules import Money, Said, Unknown, When, clock, day, listed, name, span, starts_on
from uac_nb.source.records import is_record

SHOWN = 10  # of a list


def said(plan: Plan, value: Any, records: Sequence[Any]) -> tuple[Any, str]:
    """The value of an answer and its text, from what the query of a plan gave and the records that it found."""
    match plan.show:
        case "count" | "distinct":
            return _range(value, "")
        case "total":
            return _range(value, plan.measure.unit if plan.measure else "")
        case "average":
            return value, in_words(value, plan.measure.unit if plan.measure else "")
        case "exists":
            return True, f"Yes: {_names(plan, records)}."
        case "top":
            return _top(plan, *value)
        case "share":
            return value, listed(map(_name_of(plan), value)) if value else "none"
        case "ratio":
            percent, whole = value
            return percent, f"{in_words(percent)}% ({len(records)} of {whole})"
        case "trend":
            word, before, after = value
            unit = plan.measure.unit if plan.measure else ""
            return word, f"{word}: from {in_words(before, unit)} to {in_words(after, unit)}"
        case "more":
            holds, before, after = value
            unit = plan.measure.unit if plan.measure else ""
            return holds, f"{'Yes' if holds else 'No'}: {in_words(after, unit)} against {in_words(before, unit)}"
    return _values(plan, value, records)


def in_words(value: Any, unit: str = "") -> str:
    """One value as a person writes it.

    >>> in_words(1234.5, "USD"), in_words(90, "minute"), in_words(True)
    ('$1,234.50', '90 minutes', 'yes')
    """
    match value:
        case bool():
            return "yes" if value else "no"
        case int() | float() | Decimal() if unit in CURRENCIES.values():
            return str(Money(str(value), unit))
        case int() | float() | Decimal():
            number = f"{value:,}" if isinstance(value, int) else f"{value:,.2f}".rstrip("0").rstrip(".")
            return f"{number} {unit}{'' if value == 1 else 's'}" if unit else number
        case When() | date():
            return day(value)
        case time():
            return clock(value)
        case Said():
            return value.text
        case Unknown():
            return f"unknown: {value.because}" + (f" (it was {in_words(value.was)})" if value.was is not None else "")
        case tuple() | list() | set() | frozenset():
            return in_list([in_words(item) for item in value])
        case dict():
            return in_list([f"{in_words(key)}: {in_words(item)}" for key, item in value.items()])
        case None:
            return "nothing"
    return name(value) if is_record(value) else str(value)


def in_list(items: Sequence[str]) -> str:
    """Several items with their total, of many the first.

    >>> in_list(["a", "b"]), in_list(["a"]), in_list([])
    ('2: a and b', 'a', 'none')
    """
    if len(items) < 2:
        return items[0] if items else "none"
    more = [f"{len(items) - SHOWN} more"] if len(items) > SHOWN else []
    return f"{len(items)}: {listed([*items[:SHOWN], *more])}"


def _range(value: Any, unit: str) -> tuple[Any, str]:
    """A number, or the pair of what it surely is and may be; sums of several currencies are a list."""
    if not isinstance(value, list | tuple):
        return value, in_words(value, unit)
    if value and isinstance(value[0], Money) and len({v.currency for v in value}) == len(value) > 1:
        return value, listed(map(in_words, value))
    if len(value) == 1:
        return value[0], in_words(value[0], unit)
    sure, most = value
    return (
        (sure, in_words(sure, unit))
        if sure == most
        else ((sure, most), f"{in_words(sure, unit)}, perhaps {in_words(most, unit)}")
    )


def _name_of(plan: Plan) -> Any:
    """How a group is called: "Portugal" of "PT", "October 2024" of "2024-10"."""
    if plan.group_slot and plan.group_slot.kind == "date":
        return lambda each: day(When(str(each))) if "%A" not in plan.group else str(each)
    return lambda each: _place(plan.group_slot, each)


def _place(s: Slot | Measure | None, value: Any) -> str:
    known = NAME.get(value) if isinstance(value, str) and isinstance(s, Slot) and s.name in ("country", "nation") else None
    return known or in_words(value, s.unit if isinstance(s, Slot | Measure) else "")


def _top(plan: Plan, found: list[Any], best: Any) -> tuple[Any, str]:
    count = in_words(best, plan.measure.unit if plan.measure else "")
    names = listed(map(_name_of(plan), found))
    return found[0] if len(found) == 1 else found, f"{names} ({count}{' each' if len(found) > 1 else ''})"


def _values(plan: Plan, value: list[Any], records: Sequence[Any]) -> tuple[Any, str]:
    """What is shown of each record; where they are several, with what each is called."""
    single = value[0] if len(value) == 1 else value
    shown = plan.field
    if shown is None:
        return single, _names(plan, records)
    texts = [_place(shown, v) for v in value]
    if len(set(texts)) == 1:
        return value[0], plan.lead + texts[0]
    if len(records) == len(value) and not several(plan):
        texts = [f"{_called(plan, r)}: {text}" for r, text in zip(records, texts, strict=True)]
    return single, in_list(texts)


def _names(plan: Plan, records: Sequence[Any]) -> str:
    return in_list([_titled(plan, r) for r in records])


def _called(plan: Plan, record: Any) -> str:
    display = plan.view.display
    held = getattr(record, display.name) if display else None
    return in_words(held) if held else name(record)


def _titled(plan: Plan, record: Any) -> str:
    """What a record is called, and its day, or what it was picked for."""
    text = _called(plan, record)
    if plan.pick in ("max", "min") and plan.measure:
        return f"{text} ({in_words(measured(plan.measure, record), plan.measure.unit)})"
    if plan.view.lasting:
        since, until = record.since, record.until
        return f"{text} ({span(since, until)})" if since else f"{text} (until {day(until)})" if until else text
    when = plan.view.day.of(record) if plan.view.day else starts_on(record)
    return f"{text} ({day(when)})" if when is not None else text


def measured(measure: Measure, record: Any) -> Any:
    values = [getattr(record, s.name) for s in measure.slots]
    return (values[1] - values[0]).days if len(values) == 2 else values[0]


def missing(plan: Plan, records: Sequence[Any]) -> str:
    """What a sum or a list leaves out, as it is not known; empty where it is all there."""
    shown = plan.measure if plan.show == "total" else plan.field
    if not isinstance(shown, Measure):
        return ""
    without = sum(any(getattr(r, s.name) is None for s in shown.slots) for r in records)
    return f"of {without} the {shown.slots[-1].name.replace('_', ' ')} is not known" if without else ""
