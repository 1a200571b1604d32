"""An answer in words: what a query gave, with units, names and the total of a list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any

from uac_nb.ask.code import several
from uac_nb.ask.lexicon import CURRENCIES, LIMITS, OVER, STARTS
from uac_nb.ask.places import NAME
from uac_nb.ask.plan import Measure, Plan
from uac_nb.ask.view import Slot, View
from uac_nb.ask.words import is_me, singular
from uac_nb.ask.world import World, persons
from uac_nb.domainfile.records import is_record
from uac_nb.rules import Money, Said, Unknown, When, clock, day, days, first, listed, name, person, span, starts_on

SHOWN = 10  # of a list


def said(plan: Plan, value: Any, records: Sequence[Any], world: World | None = None) -> tuple[Any, str]:
    """The value of an answer and its text, from what the query of a plan gave and the records that it found.

    With a `world`, people are told by their names, and what goes on since a day with its length.
    """
    match plan.show:
        case "count" | "distinct":
            return _range(value, "")
        case "total":
            return _range(value, plan.measure.unit if plan.measure else "")
        case "average":
            return value, in_words(value, plan.measure.unit if plan.measure else "")
        case "exists":
            return True, f"Yes: {in_list([ended(plan, r) if _over(r) else titled(plan, r) for r in records])}."
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
    return _values(plan, value, records, world)


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


def _values(plan: Plan, value: list[Any], records: Sequence[Any], world: World | None) -> tuple[Any, str]:
    """What is shown of each record; where they are several, with what each is called."""
    single = value[0] if len(value) == 1 else value
    shown = plan.field
    if shown is None:
        return single, _names(plan, records)
    if isinstance(shown, Slot) and shown.name in ("who", "others"):
        people = [described(id, world) for id in _each(value)]
        return people[0] if len(people) == 1 else people, in_list(people)
    texts = [_place(shown, v) for v in value]
    paired = len(records) == len(value) and not several(plan)
    if paired and isinstance(shown, Slot) and shown.kind == "date":
        texts = [_time(plan, r, shown, world.today if world else None) for r in records]
    if len(set(texts)) == 1:
        named = f" ({called(plan, records[0])})" if isinstance(shown, Measure) and shown.money and len(records) == 1 else ""
        return value[0], f"{plan.lead}{texts[0]}{named}"
    if paired and shown != plan.view.display:
        texts = [f"{called(plan, r)}: {text}" for r, text in zip(records, texts, strict=True)]
    return single, in_list(texts)


def _each(values: Sequence[Any]) -> list[str]:
    """The ids among some values, each once."""
    return list(dict.fromkeys(id for value in values for id in ((value,) if isinstance(value, str) else value or ())))


def _time(plan: Plan, record: Any, s: Slot, today: date | None) -> str:
    """When: a day and its hour, from when to when, or since when and for how long."""
    when = s.of(record)
    if plan.view.lasting:
        end = record.until if plan.spans else None if plan.lead else when
        long = _length(when, end or today) if plan.lead or plan.spans else ""
        text = f"since {day(when)}" if plan.spans and end is None else span(when, end) if plan.spans else day(when)
        return f"{text} ({long})" if long else text
    end = getattr(record, plan.view.span[1].name) if plan.spans and plan.view.span else None
    starts = next((t for name in STARTS if isinstance(t := getattr(record, name, None), time)), None)
    at = f" at {clock(starts)}" if starts and s == plan.view.day and not end else ""
    return f"{span(when, end)}{at}"


def _length(start: When | None, end: When | date | None) -> str:
    """How long it is from one day to another: "4 years and 10 months", "about 3 weeks"; empty where neither is known well.

    >>> _length(When("2021-09"), date(2026, 7, 4)), _length(When("2025-01-01"), date(2025, 1, 20))
    ('about 4 years and 10 months', '19 days')
    """
    if start is None or end is None or start.first == date.min or first(start) >= first(end):
        return ""
    exact = start.exact and (not isinstance(end, When) or end.exact)
    low, high = (first(d) if isinstance(d, date) or not d.text.endswith("~") else d.last for d in (start, end))
    months = (high.year - low.year) * 12 + high.month - low.month - (high.day < low.day)
    years, rest = divmod(months, 12)
    parts = [f"{n} {unit}{'' if n == 1 else 's'}" for n, unit in ((years, "year"), (rest, "month")) if n]
    text = listed(parts) if parts else days((high - low).days)
    return text if exact else f"about {text}"


def _names(plan: Plan, records: Sequence[Any]) -> str:
    return in_list([titled(plan, r) for r in records])


def called(plan: Plan, record: Any) -> str:
    display = plan.view.display
    held = getattr(record, display.name) if display else None
    if plan.view.names_others and is_me(record):
        return person("me")
    return listed(map(in_words, held)) if isinstance(held, tuple) and held else in_words(held) if held else name(record)


def titled(plan: Plan, record: Any, *, whole: bool = False) -> str:
    """What a record is called, and its day (`whole`: and its last day), or what it was picked for."""
    text = called(plan, record)
    if plan.pick in ("max", "min") and plan.measure:
        return f"{text} ({in_words(measured(plan.measure, record), plan.measure.unit)})"
    if plan.view.lasting:
        since, until = record.since, record.until
        return f"{text} ({span(since, until)})" if since else f"{text} (until {day(until)})" if until else text
    day_slot = plan.view.day
    when = day_slot.of(record) if day_slot else starts_on(record)
    if when is None:
        return text
    lead = f"{day_slot.name.split('_')[0]} " if day_slot and day_slot.name in LIMITS else ""
    end = getattr(record, plan.view.span[1].name) if whole and plan.view.span else None
    return f"{text} ({lead}{span(when, end)})"


def ended(plan: Plan, record: Any) -> str:
    """What is over or was called off, and how: "trip to Vienna (cancelled)"."""
    until = getattr(record, "until", None)
    if state := _over(record):
        return f"{name(record)} ({state}{f', {day(until)}' if until else ''})"
    stance = getattr(record, "stance", None)
    return f"{name(record)} ({f'until {day(until)}' if until else stance})" if until or stance else titled(plan, record)


def _over(record: Any) -> str:
    """The word for what ended a record; empty for one that counts."""
    states = [getattr(record, field, None) for field in ("status", "decision")]
    return next((state for state in states if state in OVER), "")


def recorded(view: View) -> str:
    """ "3 trips are recorded", "1 trip is recorded"."""
    count, noun = len(view.records), view.name.replace("_", " ")
    return f"1 {singular(noun)} is recorded" if count == 1 else f"{count} {noun} are recorded"


def whose(plan: Plan, records: Sequence[Any], world: World) -> str:
    """Of which people of one name an answer tells, and of which it does not; of whom, where the question names nobody."""
    if not plan.other and plan.show in ("values", "exists") and not (isinstance(plan.field, Slot) and plan.field.name == "who"):
        return "; ".join(f"{owner(r, world)}{name(r)}" for r in records[:SHOWN] if owner(r, world))
    if len(plan.whose) < 2:
        return ""
    told = {r.who for r in records}
    called = {id: described(id, world) for id in plan.whose}
    silent = [f"nothing of {text}" for id, text in called.items() if id not in told]
    return "; ".join([f"this is of {listed(called[id] for id in plan.whose if id in told)}", *silent])


def owner(record: Any, world: World) -> str:
    """ "Ola (sister): ", before what is of another than the user; empty where it is the user's, or names whose it is."""
    who = getattr(record, "who", "me")
    return "" if who == "me" or hasattr(record, "name") else f"{described(who, world)}: "


def described(id: str, world: World | None) -> str:
    """A person as told from others of the same name: "Anna (cousin)"."""
    known = next((r for view in persons(world.views if world else ()) for r in view.records if r.id == id), None)
    relation = getattr(known, "relation", None)
    return person(id) if known is None else f"{known.name} ({relation})" if relation else known.name


def measured(measure: Measure, record: Any) -> Any:
    values = [getattr(record, s.name) for s in measure.slots]
    return (values[1] - values[0]).days if len(values) == 2 else values[0]


def missing(plan: Plan, records: Sequence[Any]) -> str:
    """What a sum or a list leaves out, as it is not known; empty where it is all there."""
    shown = plan.measure if plan.show == "total" else plan.field
    if not isinstance(shown, Measure):
        return ""
    without = [r for r in records if any(getattr(r, s.name) is None for s in shown.slots)]
    return unknown_of(without, plan.view, shown.slots[-1].name.replace("_", " "))


def unknown_of(records: Sequence[Any], view: View, what: str) -> str:
    """ "of 2 purchases the price is not known: kettle and lamp"; empty for none."""
    noun = singular(view.name) if len(records) == 1 else view.name
    names = [*map(name, records[:SHOWN]), *([f"{len(records) - SHOWN} more"] if len(records) > SHOWN else [])]
    return f"of {len(records)} {noun.replace('_', ' ')} the {what} is not known: {listed(names)}" if records else ""
