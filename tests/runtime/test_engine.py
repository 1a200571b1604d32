"""Queries in the sealed engine: what is bound, what comes back, what an error says, and that the process can be lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from uac_nb.domainfile import parse_type
from uac_nb.domainfile.records import Field, RecordType
from uac_nb.domainfile.types import coerce
from uac_nb.errors import CheckError, RunError
from uac_nb.rules import Money, Unknown, When
from uac_nb.runtime import Program, SealedEngine, available, seal

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)
TODAY = date(2025, 3, 1)


def kind(name: str, **fields: str) -> RecordType:
    """A record type of annotations; "= None" behind one gives the default."""
    made = []
    for key, text in fields.items():
        annotation, _, default = text.partition(" = ")
        made.append(Field(key, parse_type(annotation), None) if default else Field(key, parse_type(annotation)))
    return RecordType(name, tuple(made))


TRIP = kind(
    "Trip",
    id="str",
    to="str",
    country="str | None = None",
    departs="When",
    cost="Money | None = None",
    source="tuple[int, ...]",
)
BOOK = kind("Book", id="str", format="str", rating="int")


def trip(id: str, to: str, departs: str, cost: str | None = None, country: str | None = None) -> Any:
    money = coerce(parse_type("Money | None"), cost)
    return TRIP.build({"id": id, "to": to, "departs": When(departs), "cost": money, "country": country, "source": (1,)})


TRIPS = (
    trip("lisbon", "Lisbon", "2025-03-10", "12.50 EUR", "PT"),
    trip("rome", "Rome", "2025-04", "7.50 EUR", "IT"),
    trip("lima", "Lima", "2024", None, "PE"),
)
BOOKS = (BOOK.build({"id": "b1", "format": "paper", "rating": 5}),)

TRAVEL = '''
"""Travel."""
from dataclasses import dataclass
from uac_nb.rules import When, continent

FAR = ("PE",)

@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    """One journey."""
    id: str
    to: str
    country: str | None = None
    departs: When
    cost: Money | None = None
    source: tuple[int, ...]

    @property
    def far(self) -> bool:
        return self.country in FAR

    @classmethod
    def home(cls) -> "Trip":
        return cls(id="home", to="home", departs=When("2025"), source=(1,))

    def label(self, *, mark: str = "!") -> str:
        return self.to.upper() + mark

    def broken(self) -> int:
        return 1 // 0

def european(trips: list[Trip]) -> list[Trip]:
    return [t for t in trips if continent(t.country) == "Europe"]
'''
RULES = """
from collections.abc import Iterable
from travel import Trip, european
from uac_nb.rules import Unknown, derived

@derived
def in_europe(trips: Iterable[Trip]) -> int:
    return len(european(list(trips)))

@derived
def longest(trips: Iterable[Trip]) -> Unknown:
    return Unknown("no trip has an end", 3)
"""
PROGRAM = Program(
    key="one",
    types=(TRIP, BOOK),
    definitions={"travel": TRAVEL},
    collections={"trips": ("Trip", TRIPS), "books": ("Book", BOOKS)},
    rules=RULES,
)


@pytest.fixture(scope="module")
def engine() -> Iterator[SealedEngine]:
    with SealedEngine() as engine:
        engine.load(PROGRAM)
        yield engine


VALUES: dict[str, Any] = {
    # what a query gives
    "1 + 1": 2,
    "x = 1": None,
    "print('a')\nprint('b')": "a\nb",
    "print('said')\n5": 5,
    "": None,
    "if True:\n    7": None,
    # what is bound
    "today": TODAY,
    "len(trips), len(books)": [3, 1],
    "sum(t.cost for t in trips if t.cost)": Money("20.00", "EUR"),
    "[t.id for t in trips if t.departs.within(date(2025, 3, 1), date(2025, 4, 30)) == 'yes']": ["lisbon", "rome"],
    "continent('PT'), When('2025-03').month, Money(3, 'EUR')": ["Europe", 3, Money(3, "EUR")],
    "trips[0]": TRIPS[0],
    "isinstance(trips[0], Trip), isinstance(trips[0], Book)": [True, False],
    "Trip(id='x', to='X', departs=When('2025'), source=(1,)).to": "X",
    "datetime(2025, 1, 2, 3).hour, time(4).hour, Decimal('1.5'), timedelta(days=2)": [3, 4, Decimal("1.5"), timedelta(days=2)],
    "__name__ == '__main__'": True,
    # what the project defines
    "[t.far for t in trips]": [False, False, True],
    "trips[0].label(mark='?')": "LISBON?",
    "Trip.home().to": "home",
    """from travel import FAR, european, Trip as T, trips as them
len(FAR), [t.id for t in european(trips)], T is Trip, len(them)""": [1, ["lisbon", "rome"], True, 3],
    "import travel\ntravel.FAR": ["PE"],
    "in_europe()": 2,
    "longest()": Unknown("no trip has an end", 3),
    # forms of values
    "(i * i for i in range(3))": [0, 1, 4],
    "{2024: 1, '2024': 2, (1, 2): 3, None: 4}": {2024: 1, "2024": 2, (1, 2): 3, None: 4},
    "from collections import Counter\nCounter('aab')": {"a": 2, "b": 1},
    "{3, 1, 2}": [1, 2, 3],
    "{'$date': 'not one'}": {"$date": "not one"},
    "None": None,
    "float('inf')": float("inf"),
    "'half \\ud800 a character'": "half ? a character",
    "from dataclasses import dataclass\n@dataclass\nclass Row:\n    n: int\n[Row(1), Row(2)]": [{"n": 1}, {"n": 2}],
    # what generated code uses
    "from datetime import datetime\ndatetime.strptime('2024-01-02', '%Y-%m-%d').strftime('%A %B')": "Tuesday January",
    """from datetime import datetime
f'{datetime(2024, 1, 2):%d/%m}', f'{Decimal(1234):,.2f}', '\\N{EURO SIGN}'""": ["02/01", "1,234.00", "€"],
    "'{} {name:>3}'.format(1, name='x')": "1   x",
    "t = '{:.1f}'\nt.format(2.25)": "2.2",
    "[b.format for b in books]": ["paper"],
    "list(map('{}-'.format, [1, 2]))": ["1-", "2-"],
    """from functools import wraps
def d(f):
    @wraps(f)
    def w(): return f()
    return w
@d
def g(): return 3
g(), g.__name__""": [3, "g"],
    """from operator import attrgetter, itemgetter
attrgetter('to', 'departs.year')(trips[0]), itemgetter(0)('ab')""": [["Lisbon", 2025], "a"],
    "from enum import Enum\nclass Size(Enum):\n    S = 's'\nSize('s').name, Size.S.value": ["S", "s"],
    "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int = 1\nP()._replace(x=2).x": 2,
    """from dataclasses import dataclass, asdict, replace, field
@dataclass(slots=True)
class R:
    _n: int = 0
    l: list = field(default_factory=list)
asdict(replace(R(), _n=2))""": {"_n": 2, "l": []},
    """from dataclasses import asdict, fields
sorted(asdict(books[0])), [f.name for f in fields(books[0])]""": [["format", "id", "rating"], ["id", "format", "rating"]],
    """import statistics, math, re, calendar, json, itertools
a = statistics.median([1, 2, 4]), math.floor(1.5), re.sub('a', 'b', 'aa')
a, calendar.month_name[2], json.loads('[1]'), list(itertools.chain([1], [2]))""": [[2, 1, "bb"], "February", [1], [1, 2]],
    """class T:
    def __init__(self): self._x = 1
    @property
    def x(self): return self._x
T().x, hasattr(T(), 'x'), getattr(T(), 'y', 0), type(T()).__name__""": [1, True, 0, "T"],
    "match trips[0]:\n    case Trip(to=to): x = to\nx": "Lisbon",
    "sorted(trips, key=lambda t: t.departs)[0].id": "lima",
    "sum([" + "1, " * 2000 + "])": 2000,
    " + ".join(["1"] * 400): 400,
    "[n for n in dir(trips[0]) if n.startswith('_')]": [],
}  # fmt: skip


@pytest.mark.parametrize(("code", "value"), VALUES.items(), ids=[code[:60] for code in VALUES])
def test_a_query_comes_to_its_value(engine: SealedEngine, code: str, value: Any) -> None:
    assert engine.run(code, today=TODAY).value == value


def test_what_was_printed_is_kept_beside_the_value(engine: SealedEngine) -> None:
    result = engine.run("print('one', 2, sep='-')\n3", today=TODAY)
    assert (result.value, result.printed) == (3, "one-2\n")
    assert result.seconds > 0


RECORDS = {
    "records = trips[:2]\n1": ("lisbon", "rome"),
    "records = ['lima', trips[0], 5, None]\n1": ("lima", "lisbon"),
    "records = {t.id: t for t in trips}\n1": (),
    "records = 7": (),
    "1": (),
}


@pytest.mark.parametrize(("code", "ids"), RECORDS.items())
def test_a_query_names_the_records_it_rests_on(engine: SealedEngine, code: str, ids: tuple[str, ...]) -> None:
    assert engine.run(code, today=TODAY).records == ids


def test_no_query_sees_what_another_did(engine: SealedEngine) -> None:
    engine.run("trips.clear()\nFAR = 1\nimport json\nlen(trips)", today=TODAY)
    assert engine.run("len(trips)", today=TODAY).value == 3


ERRORS = {
    "x = 1\nlen(trps)": "query:2: NameError: name 'trps' is not defined (did you mean 'trips'?)",
    "Counter(trips)": "query:1: NameError: name 'Counter' is not defined (write from collections import Counter at the top)",
    "statistics.mean([1])": "query:1: NameError: name 'statistics' is not defined (write import statistics at the top)",
    "datetime.date(2025, 1, 1)": "query:1: NameError: name 'datetime' is not defined (write import datetime at the top)",
    "zzz": "query:1: NameError: name 'zzz' is not defined (bound are books, trips and today)",
    "trips[0].departz": "query:1: Trip has no field 'departz' (did you mean 'departs'?)",
    "trips[0].zzz": "query:1: Trip has no field 'zzz' (it has id, to, country, departs, cost, source)",
    "x = 1\n\nx.y": "query:3: AttributeError: 'int' object has no attribute 'y'",
    "trips[0].broken()": "travel.py:30: ZeroDivisionError: integer division or modulo by zero",
    "raise ValueError('no\\nline \\x1b[31m')": "query:1: ValueError: no line \\u001b[31m",
    "raise ValueError": "query:1: ValueError",
    "1 + sum(t.cost for t in trips)": (
        "query:1: TypeError: an amount is missing; leave out what has none, as in sum(p.price for p in purchases if p.price)"
    ),
    "def f(): return f()\nf()": "query:1: it calls itself too deeply (write a loop)",
    "'x' * 10**10": (
        "query:1: it took more memory than it may (go through the records one by one instead of building large lists)"
    ),
    "lambda: 1": "query: ValueError: a value of type function cannot be returned; use text, numbers, dates, lists or records",
    "'x' * 9_000_000": "query: the answer has 9,000,038 bytes, at most 8,000,000 are taken; return less",
    "for i in range(200_000): print('0123456789')": (
        "query:1: more than 1,000,000 characters were printed; print less, or return a value"
    ),
    "f = '{0.to}'\nf.format(trips[0])": "query:2: ValueError: {0.to} reaches into a value from text; write an f-string",
    "while True: pass": (
        "query: it ran longer than 0.3 s and was stopped (go through the records once, without loops inside loops)"
    ),
    "class X(Exception):\n    def __str__(self): raise self\nraise X()": "query: an error that cannot be shown",
    "trips[0].to = 'x'": "query:1: FrozenInstanceError: cannot assign to field 'to'",
    "from travel import nothing": "query:1: ImportError: travel has no 'nothing' to import",
    "from travel import europan": "query:1: ImportError: travel has no 'europan' to import; did you mean 'european'?",
    "from collections import deq": "query:1: ImportError: collections has no 'deq' to import; did you mean 'deque'?",
}


@pytest.mark.parametrize(("code", "said"), ERRORS.items(), ids=[code[:60] for code in ERRORS])
def test_an_error_says_the_line_and_what_to_do(engine: SealedEngine, code: str, said: str) -> None:
    with pytest.raises(RunError) as failed:
        engine.run(code, today=TODAY, deadline=0.3 if "while True" in code else 5.0)
    assert str(failed.value) == said


def test_a_refused_query_does_not_run(engine: SealedEngine) -> None:
    with pytest.raises(CheckError, match=r"query:1: os may not be imported"):
        engine.run("import os", today=TODAY)
    with pytest.raises(CheckError, match="money may not be imported"):
        engine.run("import money", today=TODAY)


# --- loading ---


def test_only_another_key_is_loaded() -> None:
    with SealedEngine() as engine:
        engine.load(PROGRAM)
        engine.load(replace(PROGRAM, collections={}))
        assert engine.run("len(trips)", today=TODAY).value == 3
        engine.load(replace(PROGRAM, key="two", collections={"trips": ("Trip", ())}))
        assert engine.run("len(trips)", today=TODAY).value == 0


EDITED = {
    "added at the end": (*TRIPS, trip("oslo", "Oslo", "2026")),
    "added in front": (trip("oslo", "Oslo", "2026"), *TRIPS),
    "taken out": (TRIPS[0], TRIPS[2]),
    "changed": (TRIPS[0], trip("rome", "Roma", "2025-04"), TRIPS[2]),
    "turned around": TRIPS[::-1],
    "the same twice": (TRIPS[0], TRIPS[0]),
    "none": (),
}


@pytest.mark.parametrize("records", EDITED.values(), ids=EDITED)
def test_what_changed_in_a_collection_is_carried_over(engine: SealedEngine, records: tuple[Any, ...]) -> None:
    with SealedEngine() as engine:
        engine.load(PROGRAM)
        engine.load(replace(PROGRAM, key="two", collections={**PROGRAM.collections, "trips": ("Trip", records)}))
        assert engine.run("trips", today=TODAY).value == list(records)
        assert engine.run("len(books)", today=TODAY).value == 1


def test_a_type_that_changed_is_carried_over() -> None:
    journey = RecordType("Trip", (*TRIP.fields, Field("by", parse_type("str"), "train")))
    records = tuple(journey.build({"id": "a", "to": "A", "departs": When("2025"), "source": (1,)}) for _ in range(2))
    with SealedEngine() as engine:
        engine.load(PROGRAM)
        engine.load(replace(PROGRAM, key="two", types=(journey, BOOK), collections={"trips": ("Trip", records)}))
        assert engine.run("[t.by for t in trips]", today=TODAY).value == ["train", "train"]


def test_a_collection_of_another_type_is_carried_over() -> None:
    with SealedEngine() as engine:
        engine.load(PROGRAM)
        engine.load(replace(PROGRAM, key="two", collections={"books": ("Trip", TRIPS), "trips": ("Book", BOOKS)}))
        assert engine.run("[t.id for t in trips], [b.id for b in books]", today=TODAY).value == [
            ["b1"],
            ["lisbon", "rome", "lima"],
        ]


def test_definitions_are_gated_when_they_are_loaded(engine: SealedEngine) -> None:
    with pytest.raises(CheckError, match=r"travel.py:1: os may not be imported"):
        engine.load(replace(PROGRAM, key="bad", definitions={"travel": "import os"}))
    assert engine.run("len(trips)", today=TODAY).value == 3


def test_domains_import_from_each_other() -> None:
    definitions = {"travel": TRAVEL, "plans": "from travel import FAR\n\ndef far(code: str) -> bool:\n    return code in FAR\n"}
    with SealedEngine() as engine:
        engine.load(replace(PROGRAM, definitions=definitions))
        assert engine.run("from plans import far\nfar('PE')", today=TODAY).value is True


def test_definitions_that_fail_say_where() -> None:
    with SealedEngine() as engine:
        engine.load(replace(PROGRAM, definitions={"travel": "X = 1\nfrom plans import no", "plans": "Y = 1"}))
        with pytest.raises(RunError, match=r"^travel.py:2: ImportError: plans has no 'no' to import"):
            engine.run("1", today=TODAY)


def test_a_derived_value_that_was_refused_is_not_bound() -> None:
    with SealedEngine() as engine:
        engine.load(replace(PROGRAM, rules=RULES.replace("return len(", "return open(")))
        with pytest.raises(RunError, match="name 'in_europe' is not defined"):
            engine.run("in_europe()", today=TODAY)
        assert engine.run("longest()", today=TODAY).value.was == 3


# --- the process ---


def worker(engine: SealedEngine) -> int:
    process = engine._held.process
    assert process
    return process._process.pid


def test_a_process_that_died_starts_again() -> None:
    with SealedEngine() as engine:
        engine.load(PROGRAM)
        os.kill(worker(engine), signal.SIGKILL)
        assert engine.run("len(trips)", today=TODAY).value == 3


def test_closing_ends_the_process_and_using_it_starts_another() -> None:
    engine = SealedEngine()
    engine.load(PROGRAM)
    pid = worker(engine)
    engine.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert engine.run("len(trips)", today=TODAY).value == 3
    engine.close()


def children(pid: int) -> dict[int, str]:
    """The children of a process, the oldest first, with their states: "Z" of one that ended and was not waited for."""
    found = {}
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        with suppress(FileNotFoundError, ProcessLookupError):
            found[child] = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
    return found


def come_to(count: int, pid: int) -> list[int]:
    """Wait until a process has so many living children and no other; who they are."""
    until = time.monotonic() + 10
    while len(found := children(pid)) != count or "Z" in found.values():
        assert time.monotonic() < until, found
        os.sched_yield()
    return list(found)


def test_one_child_waits_and_nothing_is_left_of_the_others(engine: SealedEngine) -> None:
    assert [engine.run(str(n), today=TODAY).value for n in range(20)] == [*range(20)]
    come_to(1, worker(engine))


def test_the_next_child_gets_ready_while_the_former_answers(engine: SealedEngine) -> None:
    said = []

    def ask() -> None:
        try:
            engine.run("while True: pass", today=TODAY, deadline=60)
        except RunError as error:
            said.append(str(error))

    asking = Thread(target=ask)
    asking.start()
    former, following = come_to(2, worker(engine))
    os.kill(former, signal.SIGKILL)
    asking.join()
    assert "it ended without an answer" in said[0]
    assert following in children(worker(engine))
    assert engine.run("len(trips)", today=TODAY).value == 3


def test_an_interrupted_caller_does_not_leave_its_answer_to_the_next(engine: SealedEngine) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            engine.run("while True: pass", today=TODAY, deadline=30)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert engine.run("'mine'", today=TODAY).value == "mine"


def test_threads_take_turns(engine: SealedEngine) -> None:
    found: dict[int, Any] = {}

    def ask(n: int) -> None:
        found[n] = [engine.run(f"{n} * {i}", today=TODAY).value for i in range(5)]

    threads = [Thread(target=ask, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: [n * i for i in range(5)] for n in range(4)}


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_gets_a_sealed_process_of_its_own(engine: SealedEngine) -> None:
    pid = worker(engine)
    child = os.fork()
    if child == 0:
        ok = engine.run("len(trips)", today=TODAY).value == 3 and worker(engine) != pid
        engine.close()
        os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert worker(engine) == pid
    assert engine.run("len(trips)", today=TODAY).value == 3


def test_the_sealed_process_starts_clean(engine: SealedEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not for you")
    with SealedEngine() as fresh:
        fresh.run("1", today=TODAY)
        with open(f"/proc/{worker(fresh)}/environ", "rb") as file:
            assert file.read() == b""
        assert os.readlink(f"/proc/{worker(fresh)}/fd/0") == "/dev/null"


def test_without_a_boundary_code_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seal, "unfit", lambda: "seccomp is a part of Linux, and this is plan9")
    with SealedEngine() as engine, pytest.raises(RunError) as refused:
        engine.run("1", today=TODAY)
    assert str(refused.value) == (
        "there is no boundary here (seccomp is a part of Linux, and this is plan9), so generated code does not run; "
        "uac-nb doctor says what to do"
    )


def test_a_process_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/python/here")
    with SealedEngine() as engine, pytest.raises(RunError, match=r"the sealed process did not start: .*No such file"):
        engine.run("1", today=TODAY)


@pytest.mark.parametrize("who", ["us", "nobody"])
def test_it_runs_without_a_home_and_as_anybody(who: str) -> None:
    code = "from datetime import date\nfrom uac_nb.runtime import SealedEngine\n"
    code += "print(SealedEngine().run('6 * 7', today=date.max).value)"
    user = 65534 if who == "nobody" else None
    if user and os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    told: dict[str, Any] = {
        "env": {"HOME": "/nowhere/at/all", "PYTHONPATH": os.pathsep.join(sys.path)},
        "cwd": "/",
        "user": user,
    }
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, **told)
    except PermissionError:
        pytest.skip("this Python is not for nobody")
    assert (done.stdout, done.stderr) == ("42\n", "")
