"""What a question gets back, and how it is said: values by their kind, lists with their total, counts with their range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Any, Literal

from uac_nb.ask.bind import Reading
from uac_nb.ask.evaluate import Found
from uac_nb.ask.query import Of, Query, tests
from uac_nb.ask.table import Field, Table, World
from uac_nb.ask.words import COUNTRY, CURRENCIES, LIMITS, OVER, STATES, UNITS
from uac_nb.domainfile.records import is_record
from uac_nb.rules import Money, Said, Unknown, When, clock, day, days, first, listed, name, person, span

Channel = Literal["computed", "recalled", "unknown"]
SHOWN = 10  # of a list
_UNIT_NAMES = {
    "min": "minute",
    "hr": "hour",
    "m": "metre",
    "meter": "metre",
    "km": "km",
    "kg": "kg",
    "metre": "metre",
    "g": "g",
    "mi": "mile",
    "kcal": "kcal",
    "celsius": "°C",
    "c": "°C",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer, and what it rests on.

    `value` is a plain value; of an inexact count or sum the pair (surely, at most); None where nothing is known. `text`
    says it in words. `code` is Python that computes it over the project, `records` what it found, `evidence` the numbers
    of the log entries behind them, or those that were recalled. `note` says what a reader should know besides.
    """

    question: str
    value: Any
    text: str
    channel: Channel
    code: str | None = None
    records: tuple[Any, ...] = ()
    evidence: tuple[int, ...] = ()
    note: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.note})" if self.note else self.text


def unknown(question: str, text: str, **more: Any) -> Answer:
    """Return the answer that nothing tells."""
    return Answer(question=question, value=None, text=f"Not recorded: {text}.", channel="unknown", **more)


def in_words(value: Any, unit: str = "", kind: str = "") -> str:
    """Write one value as a person does; `kind` is that of its field: a year has no comma, a country has a name.

    >>> in_words(1234.5, "USD"), in_words(90, "minute"), in_words(2021, kind="year"), in_words("PT", kind="country")
    ('$1,234.50', '90 minutes', '2021', 'Portugal')
    """
    match value:
        case bool():
            return "yes" if value else "no"
        case int() if kind == "year":
            return str(value)
        case int() | float() | Decimal() if unit in CURRENCIES or UNITS.get(unit, ("",))[0] in CURRENCIES:
            return str(Money(str(value), unit if unit in CURRENCIES else UNITS[unit][0]))
        case int() | float() | Decimal():
            number = f"{value:,}" if isinstance(value, int) else f"{value:,.2f}".rstrip("0").rstrip(".")
            word = _UNIT_NAMES.get(unit, unit)
            plural = "" if value == 1 or len(word) <= 2 or word == "kcal" else "s"
            return f"{number} {word}{plural}" if word else number
        case When() | date():
            return day(value)
        case time():
            return clock(value)
        case Said():
            return value.text
        case Unknown():
            return f"unknown: {value.because}" + (f" (it was {in_words(value.was)})" if value.was is not None else "")
        case tuple() | list() | set() | frozenset():
            return in_list([in_words(item, unit, kind) for item in value])
        case dict():
            return in_list([f"{in_words(key)}: {in_words(item)}" for key, item in value.items()])
        case None:
            return "nothing"
    if kind in ("country", "nation"):
        return COUNTRY.get(value, str(value))
    if kind in ("month", "quarter", "week", "day"):
        return day(When(value)) if kind in ("month", "day") else str(value)
    return name(value) if is_record(value) else str(value)


def in_list(items: Sequence[str]) -> str:
    """Write several items with their total, of many the first.

    >>> in_list(["a", "b"]), in_list(["a"]), in_list([])
    ('2: a and b', 'a', 'none')
    """
    if len(items) < 2:
        return items[0] if items else "none"
    more = [f"{len(items) - SHOWN} more"] if len(items) > SHOWN else []
    return f"{len(items)}: {listed([*items[:SHOWN], *more])}"


def said(reading: Reading, found: Found, world: World, today: date) -> tuple[Any, str]:
    """Return the value of an answer, and its text."""
    query, value, most = reading.query, found.value, found.most
    unit = query.unit
    if query.versus:
        return value, ("Yes" if value else "No") if isinstance(value, bool) else in_words(value, unit)
    if query.part:
        return value, f"{in_words(value)}%"
    if query.one.group:
        return _groups(reading, found, world)
    if query.how == "exists":
        names = in_list([titled(r, world.table_of[r.id], query) for r in found.records])
        return (True, f"Yes: {names}.") if value else ("perhaps", f"Perhaps: {names}.")
    if query.claim:
        if value != most:
            return "perhaps", "Perhaps."
        return value, "Yes." if value else "No."
    if query.how == "list":
        return _list(reading, found, world, today)
    if isinstance(value, list):
        text = listed(map(in_words, value))
        return (value, text) if value == most else (value, f"{text} for sure, and perhaps more")
    if value == most:
        return value, in_words(value, unit)
    return (value, most), f"{in_words(value or 0, unit)}, perhaps {in_words(most, unit)}"


def _groups(reading: Reading, found: Found, world: World) -> tuple[Any, str]:
    query, value = reading.query, found.value
    group = query.one.group
    assert group
    kind = group.part or group.field
    if isinstance(value, dict):
        items = [
            f"{_key(k, kind, world)}: {in_words(v, query.unit) if not isinstance(v, list) else listed(map(in_words, v))}"
            for k, v in value.items()
        ]
        more = [f"{len(items) - 3 * SHOWN} more"] if len(items) > 3 * SHOWN else []
        return value, "; ".join([*items[: 3 * SHOWN], *more])
    if isinstance(value, list):
        names = [_key(v, kind, world) for v in value]
        return (value[0] if len(value) == 1 else value), in_list(names)
    return value, in_words(value, query.unit)


def _key(key: Any, kind: str, world: World) -> str:
    return described(key, world) if key in world.persons else in_words(key, kind=kind)


def _list(reading: Reading, found: Found, world: World, today: date) -> tuple[Any, str]:
    query, table = reading.query, reading.table
    value, records, perhaps = found.value, found.records, ""
    if not value and found.most:
        value, perhaps = found.most, "perhaps "
        records = found.unsure
    if reading.shows == "long":
        return _length(value, records, table, today)
    single = value[0] if len(value) == 1 else value
    field = reading.field
    if reading.also and field:
        texts = [_all_asked(r, (field, *reading.also), world, table) for r in records]
        return single, perhaps + in_list(texts)
    if reading.shows == "called" or field is None:
        names = [titled(r, world.table_of[r.id], query) for r in records]
        return single, perhaps + in_list(names)
    if field.kind in ("person", "persons"):
        people = [described(id, world) for id in dict.fromkeys(value)]
        return (people[0] if len(people) == 1 else people), perhaps + in_list(people)
    texts = [
        described(v, world) if v in world.persons else in_words(v, query.unit if field.numeric else "", field.name)
        for v in value
    ]
    if field.name == "value" and len(records) == len(value):
        texts = [_measured(r, v, field) for r, v in zip(records, value, strict=True)]
    if reading.shows == "when":
        texts = [when_text(r, field, table) for r in records]
    paired = len(records) == len(texts) and len(texts) > 1 and not (table.called and field.name == table.called.name)
    if paired:
        texts = [f"{called(r, table)}: {text}" for r, text in zip(records, texts, strict=True)]
    return single, perhaps + in_list(list(dict.fromkeys(texts)))


def _all_asked(record: Any, fields: Sequence[Field], world: World, table: Table) -> str:
    """Write all that is asked of one record."""
    texts = []
    for f in fields:
        value = f.of.value(record)
        held = value if isinstance(value, tuple) else (value,)
        texts.append(
            when_text(record, f, table)
            if f.kind == "date"
            else listed([described(v, world) for v in held])
            if f.kind in ("person", "persons") and value
            else "not recorded"
            if value is None
            else _measured(record, value, f)
        )
    return ", ".join(texts)


def _measured(record: Any, value: Any, f: Field) -> str:
    """Write a value, with the unit that its record says."""
    text = in_words(value, f.unit if f.numeric else "", f.name)
    unit = getattr(record, "unit", "") if f.name == "value" else ""
    return f"{text} {unit}" if unit else text


def when_text(record: Any, field: Field, table: Table) -> str:
    """Write when a record happens: the day, and the hour where one is known."""
    when = field.of.value(record)
    starts = next((t for n in ("starts", "start", "time", "leaves") if isinstance(t := getattr(record, n, None), time)), None)
    if when is None:
        return "some day"
    return f"{day(when)} at {clock(starts)}" if starts and field is table.day else day(when)


def _length(value: list[Any], records: Sequence[Any], table: Table, today: date) -> tuple[Any, str]:
    assert table.span
    start, end = (f.name for f in table.span)
    texts = []
    for r in records:
        since, until = getattr(r, start), getattr(r, end)
        until = until if until is None or until.first <= today else None
        long = length(since, until or today)
        text = (
            f"since {day(since)}"
            if since and until is None
            else span(since, until)
            if since
            else f"until {day(until)}"
            if until
            else "since some day"
        )
        texts.append(f"{text} ({long})" if long else text)
    values = [(getattr(r, start), u if (u := getattr(r, end)) is None or u.first <= today else None) for r in records]
    single = (values[0][0] if values[0][1] is None else list(values[0])) if len(values) == 1 else values
    return single, in_list(texts)


def length(start: When | None, end: When | date | None) -> str:
    """Write how long it is from one day to another: "4 years and 10 months"; empty where neither is known well.

    >>> length(When("2021-09"), date(2026, 7, 4)), length(When("2025-01-01"), date(2025, 1, 20))
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


def called(record: Any, table: Table) -> str:
    """Return what a record is called."""
    held = getattr(record, table.called.name) if table.called else None
    held = held or (getattr(record, table.money.name) if table.money and table.called and table.called.optional else None)
    return listed(map(in_words, held)) if isinstance(held, tuple) and held else in_words(held) if held else name(record)


def titled(record: Any, table: Table, query: Query | None = None) -> str:
    """Return what a record is called, with its day, its end or its state, or what it was picked for."""
    text = called(record, table)
    if query and query.pick and query.one.measure and (f := table.by_name.get(query.one.measure.field)) and f.numeric:
        return f"{text} ({in_words(query.one.measure.value(record), f.unit)})"
    if query and query.pick and query.one.measure and query.one.measure.to:
        return f"{text} ({in_words(query.one.measure.value(record), 'day')})"
    limit = next((t.of for t in tests(query.one.where) if t.of.field == "return_by"), None) if query else None
    if limit and (until := limit.value(record)):  # "can I still return it"
        return f"{text} (until {day(until)})"
    state = next((s for n in STATES if (s := getattr(record, n, None)) in OVER), "")
    if table.lasting:
        since, until = record.since, record.until
        if state or (until and not since):
            end = "" if until is None else day(until) if state else f"until {day(until)}"
            return f"{text} ({', '.join(filter(None, (state, end)))})"
        return f"{text} ({span(since, until)})" if since else text
    when = table.day.of.value(record) if table.day else None
    if state:
        return f"{text} ({state})"
    if when is None:
        return text
    lead = f"{table.day.name.split('_')[0]} " if table.day and table.day.name in LIMITS else ""
    return f"{text} ({lead}{day(when)})"


def described(id: str, world: World) -> str:
    """Return a person as told from others of the same name: "Anna (cousin)"."""
    known = world.persons.get(id)
    relation = getattr(known, "relation", None)
    return person(id) if known is None else f"{known.name} ({relation})" if relation else known.name


def lacking(found: Found, of: Of | None, table: Table) -> str:
    """Say which records lack what is summed or shown; empty where none does."""
    if of is None or not found.missing:
        return ""
    noun = table.name.replace("_", " ") if len(found.missing) > 1 else singular(table)
    names = [called(r, table) for r in found.missing[:SHOWN]]
    more = [f"{len(found.missing) - SHOWN} more"] if len(found.missing) > SHOWN else []
    return f"of {len(found.missing)} {noun} the {(of.to or of.field).replace('_', ' ')} is not known: {listed([*names, *more])}"


def singular(table: Table) -> str:
    """Return what one record of a collection is called: "trip"."""
    return table.var.replace("_", " ") if table.var != "record" else table.name.replace("_", " ")


def counted(table: Table) -> str:
    """Return how many records a collection holds: "3 trips", "1 trip"."""
    return f"1 {singular(table)}" if len(table.records) == 1 else f"{len(table.records)} {table.name.replace('_', ' ')}"
