"""`uac-nb bench runtime`: the sealed engine over 10,000 and 100,000 records, and a hundred rules of a day."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from uac_nb.domainfile import Domain
from uac_nb.measure.bench.figures import Figure, timed
from uac_nb.rules import Money, When
from uac_nb.runtime import Program, SealedEngine
from uac_nb.starter import RULES, TYPES

TODAY = date(2025, 3, 1)
SMALL, LARGE = 10_000, 100_000
AHEAD = 200
QUERY = "sum(p.price.amount for p in purchases if p.category == 'books')"
OVERHEAD = 10.0  # ms that a call may cost
THINKING = 0.2  # seconds between the calls of somebody who reads the answers; the next child gets ready meanwhile

# Collections whose records have a day, and the fields for it.
DATED = {
    "trips": ("departs", "returns"), "commitments": ("on",), "plans": ("on",), "meetings": ("on",), "outings": ("on",),
    "errands": ("on",), "events": ("on",), "steps": ("on",),
}  # fmt: skip
VALUES: dict[str, dict[str, Any]] = {
    "trips": {"to": "Lisbon", "country": "PT"}, "errands": {"does": "collect", "subject": "parcel"},
    "steps": {"project": "house", "kind": "visit"}, "events": {"kind": "concert", "status": "planned"},
    "outings": {"people": 3, "capacity": 4, "room": "the car"},
}  # fmt: skip

HEAD = """from collections.abc import Iterable, Iterator
from datetime import date
from itertools import product
{imports}
from uac_nb.rules import Alert, ahead, conflict, overlap, rule, running_out
"""
ONE = '''

@rule("info")
def near_{n}(these: Iterable[{a}], *, today: date, within: int = {days}) -> Iterator[Alert]:
    """It is only days away."""
    for one in ahead(these, today):
        left = (one.{day}.first - today).days
        if left <= within:
            yield running_out(one, because=f"It is {{left}} days away.", do="Get ready.")
'''
PAIR = '''

@rule("warning")
def clash_{n}(these: Iterable[{a}], those: Iterable[{b}], *, today: date) -> Iterator[Alert]:
    """Two things fall on the same day."""
    for one, other in product(ahead(these, today), ahead(those, today)):
        if one.who == other.who and overlap(one, other):
            yield conflict(one, "falls on the day of", other, do="Move one of them.")
'''


def measure() -> Iterator[Figure]:
    """The figures, one after another as they are known."""
    for size, starts in ((SMALL, 400.0), (LARGE, 1500.0)):
        yield from _queries(size, starts)
    yield _rules(SMALL)


def _queries(size: int, starts: float) -> Iterator[Figure]:
    program = purchases(size)
    records = list(program.collections["purchases"][1])
    loop = partial(eval, compile(QUERY, "query", "eval"), {"purchases": records})
    with SealedEngine() as engine:
        cold = median(_cold(engine, program) for _ in range(5))
        inside = timed(loop, 15)
        ask = partial(engine.run, QUERY, today=TODAY)
        warm, hurried = timed(ask, 15, pause=THINKING), timed(ask, 15)
        memory = _memory()
    limit = OVERHEAD if size == SMALL else 1.5 * inside + OVERHEAD
    yield Figure(f"{size:,} records: cold start, to the first answer", cold, limit=starts)
    yield Figure(f"{size:,} records: the loop in process", inside)
    yield Figure(f"{size:,} records: warm run ({warm / inside:.1f} × the loop)", warm, limit=limit)
    yield Figure(
        f"{size:,} records: warm run, one right after another ({hurried / inside:.1f} × the loop)", hurried, limit=limit
    )
    yield Figure(f"{size:,} records: memory of the sealed processes", memory, "MB", 400.0 if size == LARGE else None)


def _cold(engine: SealedEngine, program: Program) -> float:
    engine.close()
    gc.collect()
    began = time.perf_counter()
    engine.load(program)
    engine.run(QUERY, today=TODAY)
    return (time.perf_counter() - began) * 1000


def _rules(size: int) -> Figure:
    program = life(size, AHEAD)
    with SealedEngine() as engine:
        engine.load(program)
        spent = timed(partial(engine.rules, today=TODAY), 9)
        if findings := engine.rules(today=TODAY).findings:
            raise AssertionError(str(findings[0]))
    return Figure(f"{size:,} records of which {AHEAD} lie ahead: 100 rules", spent, limit=200.0)


def _memory() -> float:
    """What all processes that this one has started take together, in megabytes; what they share counts once."""
    time.sleep(0.5)  # the next child is on its way, and makes its pages its own
    return sum(map(_proportional, _below(os.getpid()))) / 1e3


def _below(pid: int) -> Iterator[int]:
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, listed.read_text().split()):
            yield child
            yield from _below(child)


def _proportional(pid: int) -> int:
    """In kilobytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


# --- what is measured ---


def purchases(size: int) -> Program:
    """So many purchases, and nothing else."""
    kinds = ("books", "food", "clothes", "tools")
    return _program({"purchases": (size, lambda n: {
        "title": f"purchase {n}", "price": Money(f"{n % 200}.50", "EUR"), "category": kinds[n % 4],
        "bought": When(str(TODAY - timedelta(days=n % 3000))),
    })})  # fmt: skip


def life(size: int, ahead: int) -> Program:
    """Records of eight types, `ahead` of them after today; with the starter's own, a hundred rules read them."""
    share, coming = size // len(DATED), ahead // len(DATED)
    return _program({name: (share, partial(_dated, name, coming)) for name in DATED}, _own_rules(100 - len(RULES)))


def _dated(name: str, coming: int, n: int) -> dict[str, Any]:
    start = TODAY + timedelta(days=9 * n + 3) if n < coming else TODAY - timedelta(days=10 + n % 3000)
    days = {field: When(str(start + timedelta(days=2 * late))) for late, field in enumerate(DATED[name])}
    return {"title": f"{name} {n}", **VALUES.get(name, {}), **days}


Values = Callable[[int], dict[str, Any]]


def _program(wanted: dict[str, tuple[int, Values]], rules: str = "") -> Program:
    domains: dict[str, Domain] = {}
    for name in wanted:
        ready = TYPES[name]
        domain = domains.get(ready.domain) or Domain.new(ready.domain, ready.domain_doc)
        domains[ready.domain] = domain.define(name, ready.text)
    types = {name: domains[TYPES[name].domain].collections[name].type for name in wanted}
    collections = {
        name: (
            types[name].name,
            [types[name].build({"id": f"{name}-{n}", "source": (n + 1,), **values(n)}) for n in range(size)],
        )
        for name, (size, values) in wanted.items()
    }
    definitions = {name: domain.definitions for name, domain in domains.items()}
    return Program(str(id(collections)), tuple(types.values()), definitions, collections, rules)


def _own_rules(count: int) -> str:
    """Half of them read one collection, half of them pair two."""
    names = list(DATED)
    imports = "\n".join(sorted(f"from {TYPES[name].domain} import {TYPES[name].name}" for name in names))
    parts = [HEAD.format(imports=imports)]
    for n in range(count):
        a, b = names[n % len(names)], names[(n // 2 + 1 + n) % len(names)]
        text = (ONE, PAIR)[n % 2].format(n=n, a=TYPES[a].name, b=TYPES[b].name, day=DATED[a][0], days=n % 14)
        parts.append(text.replace("these", a).replace("those", b if b != a else names[names.index(a) - 1]))
    return "".join(parts)
