"""What a sealed child does: it runs a query, or rules one after another, and writes its answer as lines of JSON."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache, partial
from inspect import signature
from time import monotonic
from types import ModuleType
from typing import Any

from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.records import encode, is_record
from uac_nb.rules import SEVERITIES, Alert, Every, Money, Note, Said, Unknown, When, Zone, bind, continent, reads
from uac_nb.rules.alerts import RuleFunction, yielded
from uac_nb.runtime.failures import QUERY, TooLarge, describe
from uac_nb.runtime.sandbox import Printed, names_in
from uac_nb.runtime.starting import starter_rules
from uac_nb.runtime.wire import LARGEST
from uac_nb.runtime.world import World, compile_code, execute

ALERTS_AT_MOST = 1_000  # of one rule
_BYTES_AT_MOST = LARGEST // 2  # of one rule: the others need room too
_TIME = 0.8  # of a rule's time, after which it is stopped at the next alert, so that what it found is still told

_WORDS = {
    "When": When, "Every": Every, "Zone": Zone, "Money": Money, "Said": Said, "Note": Note, "Unknown": Unknown,
    "continent": continent, "date": date, "datetime": datetime, "time": time, "timedelta": timedelta, "Decimal": Decimal,
}  # fmt: skip

Write = Callable[[bytes], None]


def work(world: World, request: Mapping[str, Any], write: Write) -> None:
    """Do what is asked for: a query ("run"), or rules."""
    today = date.fromisoformat(request["today"])
    if request["do"] == "run":
        query(world, request["code"], request["derived"], today, write)
    else:
        rules(world, request["jobs"], today, request["deadline"], write)


# --- queries ---


def query(world: World, code: str, derived: Iterable[str], today: date, write: Write) -> None:
    """Run a query and write its value, what it printed and the ids in `records`, or its error."""
    sys.stdout = printed = Printed()
    module = world.sandbox.namespace("__main__")
    known: dict[str, Any] = {}
    try:
        known |= _bindable(world, derived, today)
        tree = parse(code)
        module.__dict__.update({name: known[name] for name in _wanted(tree) if name in known})
        sys.modules["__main__"] = module  # where dataclasses look for the names of their annotations
        value = _run(tree, module)
        text = str(printed)
        answer = {
            "value": encode(text.removesuffix("\n") if value is None and text else _plain(value)),
            "printed": text,
            "records": list(_ids(module.__dict__.get("records"))),
        }
        line = _line(answer)
    except BaseException as error:
        names = [name for name in (*known, *module.__dict__) if name.isidentifier() and not name.startswith("__")]
        if isinstance(error, MemoryError):
            module.__dict__.clear()
        line = _line({"error": describe(world, error, names)})
    write(line)


def _bindable(world: World, derived: Iterable[str], today: date) -> dict[str, Any]:
    world.wake()
    classes = {name: kind.cls for name, kind in world.types.items()}
    values = {name: partial(found.value, name) for found in [_Values(world, derived, today)] for name in derived}
    return {**_WORDS, **classes, **world.collections, **values, "today": today}


def _wanted(tree: ast.Module) -> set[str]:
    """The names that a query mentions, but `datetime` not where the module of that name is meant: it has to be imported."""
    of_module = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr in ("date", "datetime", "timedelta")]
    module_meant = any(isinstance(n.value, ast.Name) and n.value.id == "datetime" for n in of_module)
    return names_in(tree) - ({"datetime"} if module_meant else set())


class _Values(Mapping[str, Any]):
    """What a derived value reads, by name: collections, and other derived values, each computed when it is first read."""

    def __init__(self, world: World, derived: Iterable[str], today: date) -> None:
        self._world = world
        self._derived = frozenset(derived)
        self._today = today
        self._functions = cache(world.rule_functions)
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name in self._world.collections:
            return self._world.collections[name]
        if name in self._derived:
            return self.value(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._world.collections)

    def __len__(self) -> int:
        return len(self._world.collections)

    def value(self, name: str) -> Any:
        """A derived value; unknown where it takes another that is, and is not written for that."""
        if name not in self._known:
            function = self._functions()[name]
            unknown = (self[key] for key in reads(function) if self._takes(function, key))
            doubt = next((value for value in unknown if isinstance(value, Unknown)), None)
            self._known[name] = bind(function, self, self._today) if doubt is None else Unknown(doubt.because)
        return self._known[name]

    def _takes(self, function: Callable[..., Any], key: str) -> bool:
        return key in self._derived and "Unknown" not in str(signature(function).parameters[key].annotation)


def _run(tree: ast.Module, module: ModuleType) -> Any:
    """Execute a query; the value of its last statement where that is an expression."""
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        return execute(compile_code(tree, QUERY), module)
    del tree.body[-1]
    execute(compile_code(tree, QUERY), module)
    return execute(compile_code(ast.Expression(last.value), QUERY), module)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, Iterator) else value


def _ids(records: Any) -> Iterator[str]:
    """The ids of records, or what are ids already; anything else in a variable of that name means something else."""
    for item in records if isinstance(records, list | tuple | set | frozenset) else ():
        id = item.id if is_record(item) else item
        if isinstance(id, str):
            yield id


# --- rules ---


def rules(world: World, jobs: Iterable[tuple[str, bool]], today: date, seconds: float, write: Write) -> None:
    """Run rules by name, the starter's and the user's own (`True`), and write a line for each as soon as it is done.

    `seconds` are what each has.
    """
    sys.stdout = Printed()
    records = _Records(world.collections)
    own: Mapping[str, Any] | None = None
    try:
        world.wake()
    except BaseException as error:
        write(_line({"broken": describe(world, error, ())}))
        return
    for name, is_own in jobs:
        try:
            if is_own and own is None:
                own = world.rule_functions()
                what_changed = world.changes()
        except BaseException as error:
            write(_line({"broken": describe(world, error, ())}))
            return
        functions = (own or {}) if is_own else {name: starter_rules()[name].function}
        line = _rule(world, functions, name, records, today, monotonic() + seconds * _TIME)
        if is_own and (changed := what_changed()):
            said = {"message": f"it changed {changed}, which other rules see", "hint": "bind names of its own, inside it"}
            write(_line({"error": said, "ends": True}))
            return
        write(line)


class _Records(Mapping[str, tuple[Any, ...]]):
    """Collections as tuples, made when they are read: what one rule does to its records, the next does not see.

    The user's own come first, so that a rule whose time is up among those of others has found what is theirs.
    """

    def __init__(self, collections: Mapping[str, list[Any]]) -> None:
        self._lists = collections
        self._tuples: dict[str, tuple[Any, ...]] = {}

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        if name not in self._tuples:
            self._tuples[name] = tuple(sorted(self._lists[name], key=_anothers))
        return self._tuples[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lists)

    def __len__(self) -> int:
        return len(self._lists)


def _anothers(record: Any) -> bool:
    """Whether a record says that it is about somebody else than the user."""
    return bool(getattr(record, "who", "me") != "me")


def _rule(
    world: World,
    functions: Mapping[str, RuleFunction],
    name: str,
    records: Mapping[str, Iterable[Any]],
    today: date,
    until: float,
) -> bytes:
    found = list[tuple[Alert, bytes]]()
    answer: dict[str, Any] = {}
    count = 0
    try:
        for alert in yielded(functions[name], records, today):
            found.append((alert, _line(_alert(alert))))
            count += 1
            if len(found) > 2 * ALERTS_AT_MOST:
                _foremost(world, found)
            if monotonic() > until:
                raise TooLarge("it was still finding alerts when its time was up; what it had found stands")
    except BaseException as error:  # what it found before stands, unless there is no room for it
        if isinstance(error, MemoryError):
            found.clear()
            count = 0
        answer["error"] = describe(world, error, ())
    try:
        if count > ALERTS_AT_MOST:
            _foremost(world, found)
        lines = [line for _, line in found]
        while sum(map(len, lines)) > _BYTES_AT_MOST:
            del lines[len(lines) * 3 // 4 :]
        return _line({"alerts": [json.loads(line) for line in lines], "more": count - len(lines), **answer})
    except BaseException as error:  # what it gives cannot even be put in order
        return _line({"alerts": [], "error": describe(world, error, ())})


def _foremost(world: World, found: list[tuple[Alert, bytes]]) -> None:
    """Cut alerts to as many as are told of one rule: first those about the user alone, then the gravest.

    Whoever can fill a collection with what is about somebody else could hide the user's own otherwise.
    """
    every = (record for collection in world.collections.values() for record in collection)
    others = {record.id for record in every if _anothers(record)}
    found.sort(key=lambda each: (sum(id in others for id in each[0].records), SEVERITIES.index(each[0].severity or "info")))
    del found[ALERTS_AT_MOST:]


def _alert(alert: Alert) -> dict[str, Any]:
    return {
        "message": alert.message, "hint": alert.hint, "records": list(alert.records), "evidence": list(alert.evidence),
        "severity": alert.severity, "occurrence": alert.occurrence,
    }  # fmt: skip


def _line(answer: Mapping[str, Any]) -> bytes:
    """One line of JSON. Raise TooLarge."""
    line = json.dumps(answer, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    if len(line) > LARGEST:
        raise TooLarge(f"the answer has {len(line):,} bytes, at most {LARGEST:,} are taken; return less")
    return line + b"\n"
