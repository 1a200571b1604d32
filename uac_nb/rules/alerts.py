"""Rules, derived values, and the alerts that rules yield."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date
from itertools import chain
from types import CodeType
from typing import Any, Literal, TypeVar, get_args, get_type_hints

from uac_nb.rules.traits import having, traits_of
from uac_nb.rules.words import ENDED, ended, own, side

Severity = Literal["info", "warning", "critical"]
SEVERITIES: tuple[Severity, ...] = ("critical", "warning", "info")


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """What a rule found.

    Its identity is the rule, `records` (ids) and `occurrence` (a due day, say): raised once for each.
    `evidence` holds the log entries behind the records. A `severity` of None means that of the rule.
    """

    message: str
    hint: str
    records: tuple[str, ...]
    evidence: tuple[int, ...]
    severity: Severity | None = None
    occurrence: str = ""
    rule: str = ""


RuleFunction = Callable[..., Iterator[Alert]]
F = TypeVar("F", bound=Callable[..., Any])


def rule(severity: Severity) -> Callable[[RuleFunction], RuleFunction]:
    """Mark a generator of alerts as a rule. Raise TypeError when it does not have a rule's shape.

    Positional parameters are annotated ``Iterable[Type]`` and bound to the collection of their name, or
    ``Iterable[Takes]`` and bound to all records of that trait, whatever they are about, or ``Iterable[object]`` and bound
    to all records; `today` is keyword-only, as are settings, which have defaults. The docstring says in a sentence what
    the rule finds.
    """
    if severity not in SEVERITIES:
        raise TypeError(f'write the severity first, as in @rule("warning"): one of {", ".join(SEVERITIES)}')

    def mark(function: RuleFunction) -> RuleFunction:
        if not inspect.isgeneratorfunction(function):
            raise TypeError(f"{function.__name__}: a rule yields its alerts")
        for key, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY:
                if key != "today" and parameter.default is parameter.empty:
                    raise TypeError(f"{function.__name__}: the setting {key!r} needs a default")
            elif "Iterable[" not in str(parameter.annotation):
                raise TypeError(f"{function.__name__}: annotate {key!r} with what it reads, as in {key}: Iterable[Trip]")
        function.__rule__ = severity  # type: ignore[attr-defined]
        return function

    return mark


def derived(function: F) -> F:
    """Mark a pure function that computes one value, or answers `Unknown(because, was)`.

    Its parameters name collections (``Iterable[Type]``), or other derived values.
    """
    function.__derived__ = True  # type: ignore[attr-defined]
    return function


def named(function: Callable[..., Any]) -> tuple[str, ...]:
    """The parameters of a rule or derived value that records are bound to."""
    return tuple(k for k, p in inspect.signature(function).parameters.items() if p.kind is not p.KEYWORD_ONLY)


def reads(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the collections that a rule or derived value reads; what it reads by a trait has many."""
    beside = {*traits_of(function), *everything(function)}
    return tuple(key for key in named(function) if key not in beside)


def needs(function: Callable[..., Any]) -> dict[str, frozenset[str]]:
    """The fields that a rule reads of each collection, as far as its annotations and its code tell.

    They are the fields of the annotated type that the rule, or a helper it calls, names. Where a user's type has lost
    one, the rule has to say so instead of finding nothing.
    """
    hints = get_type_hints(function)
    named = _named(function, set())
    kinds = {key: [k for k in get_args(hints[key]) if is_dataclass(k)] for key in reads(function)}
    return {key: frozenset(f.name for kind in found for f in fields(kind)) & named for key, found in kinds.items()}


def _named(function: Callable[..., Any], seen: set[Any]) -> set[str]:
    """The attributes that a function names, with those of the functions and the tables of names that it uses."""
    codes, found = [function.__code__], set[str]()
    for code in codes:
        codes += [const for const in code.co_consts if isinstance(const, CodeType)]
        found |= set(code.co_names)
    for used in [function.__globals__[key] for key in sorted(found) if key in function.__globals__]:
        used = inspect.unwrap(used) if callable(used) else used
        if inspect.isfunction(used) and used not in seen:
            seen.add(used)
            found |= _named(used, seen)
        elif isinstance(used, tuple):
            found |= {name for pair in used if isinstance(pair, tuple) for name in pair if isinstance(name, str)}
    return found


def bind(function: Callable[..., Any], collections: Mapping[str, Iterable[Any]], today: date) -> Any:
    """Call a rule or derived value with the collections that its parameters name, or all records of a trait.

    An absent collection is empty.
    """
    settings = {"today": today} if "today" in inspect.signature(function).parameters else {}
    traits, whole = traits_of(function), everything(function)
    every = tuple(chain.from_iterable(collections[key] for key in collections)) if whole else ()

    def records(key: str) -> Iterable[Any]:
        if key in whole:
            return every
        return tuple(having(traits[key], collections)) if key in traits else collections.get(key, ())

    return function(*map(records, named(function)), **settings)


def everything(function: Callable[..., Any]) -> frozenset[str]:
    """The parameters that are bound to all records."""
    parameters = inspect.signature(function).parameters
    return frozenset(key for key in named(function) if str(parameters[key].annotation).endswith("Iterable[object]"))


def run(function: RuleFunction, collections: Mapping[str, Iterable[Any]], today: date) -> list[Alert]:
    """All alerts of one rule on a day, with its name and severity filled in."""
    return [*yielded(function, collections, today)]


def yielded(function: RuleFunction, collections: Mapping[str, Iterable[Any]], today: date) -> Iterator[Alert]:
    """The same one by one: where a rule fails, what it found before stands."""
    severity: Severity = function.__rule__  # type: ignore[attr-defined]
    for alert in bind(function, collections, today):
        yield replace(alert, rule=function.__name__, severity=alert.severity or severity)


# --- builders: a message is made of records, never written free ---


def conflict(
    a: Any, relation: str, b: Any, *, do: str, because: str = "", also: Iterable[Any] = (),
    severity: Severity | None = None, occurrence: str = "",
) -> Alert:  # fmt: skip
    """Two things that cannot both hold: both sides, how they compare, the number, what to do.

    `a` and `b` are records, or sides made by `side(record, *details)`; `relation` compares them ("falls within").
    What stands in `also` only adds evidence: with other such records it is still the same alert.
    """
    one, other = side(a), side(b)
    text = _sentence(f"Conflict: {one} {relation} {other}", because)
    return _alert(text, do, [one.record, other.record], also, severity, occurrence)


def running_out(
    what: Any, *, because: str, do: str, also: Iterable[Any] = (), severity: Severity | None = None, occurrence: str = ""
) -> Alert:
    """One thing and the calendar."""
    one = side(what)
    return _alert(_sentence(f"Running out: {one}", because), do, [one.record], also, severity, occurrence)


def over_limit(
    what: Any, *, because: str, do: str, also: Iterable[Any] = (), severity: Severity | None = None, occurrence: str = ""
) -> Alert:
    """A number above its limit."""
    one = side(what)
    return _alert(_sentence(f"Over the limit: {one}", because), do, [one.record], also, severity, occurrence)


def said(record: Any, lead: str = "You said") -> str:
    """The user's own words about a record, where they were kept."""
    if not (quote := (getattr(record, "quote", None) or "").strip().rstrip(".")):
        return ""
    return f' {lead}: "{quote}"' + "." * (not ENDED.search(quote))


def _sentence(text: str, because: str) -> str:
    return f"{ended(text)} {because}".strip()


def _alert(message: str, do: str, records: list[Any], also: Iterable[Any], severity: Severity | None, occurrence: str) -> Alert:
    every = [*records, *also]
    doubts = [f"Please confirm, about {own(r)}: {ended(r.doubt)}" for r in every if getattr(r, "doubt", None)]
    return Alert(
        message=message,
        hint=" ".join([do, *dict.fromkeys(doubts)]).strip(),
        records=tuple(sorted({r.id for r in records})),
        evidence=tuple(sorted({entry for r in every for entry in r.source})),
        severity=severity,
        occurrence=occurrence,
    )


CONTACT = re.compile(  # what leads somewhere, or to somebody: a link, an address, a number to call
    r"\b(?:https?|ftp|mailto|tel)\b ?:|\bwww\.|[\w.+-]+ ?@ ?[\w-]+\.\w"
    r"|\b[\w-]+\.(?:com|net|org|info|io|ru|cn|biz|xyz|top|link|app|dev|me)\b"
    r"|\+ ?\d[\d ().-]{5,}\d|\b\d{3}[ .-]\d{3}[ .-]\d{3,4}\b|\b\d{3}[ .-]\d{4}\b|\(\d{2,5}\) ?\d{3}|\b\d{9,}\b",
    re.IGNORECASE,
)
_RAW = re.compile(r"\bNone\b|\bWhen\(|\bMoney\(|Decimal\(|\w_\w|\bsoon\b|\bupcoming\b")


def lint(alert: Alert) -> list[str]:
    """Why an alert's message would not do; empty where it would."""
    found = []
    if not re.search(r"\d", alert.message) and "(" not in alert.message:
        found.append("the message names no date, amount or detail")
    if raw := _RAW.search(alert.message + " " + alert.hint):
        found.append(f"a vague or raw word: {raw[0]!r}")
    if not alert.hint:
        found.append("it does not say what to do")
    if not alert.records or not alert.evidence:
        found.append("no record or no evidence")
    return found
