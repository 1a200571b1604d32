"""The gate on definitions and rules: loading them runs nothing but `def`, `class` and constants."""

from __future__ import annotations

from textwrap import dedent

import pytest

from uac_nb.check import gate
from uac_nb.errors import CheckError

DEFINITIONS = '''
    """Travel: trips."""
    from dataclasses import dataclass
    from typing import Literal

    from people import Person
    from uac_nb.rules import When

    LONG = 14
    DAYS: tuple[int, ...] = (1, 2, -3)
    FIRST = When("2020-01-01")
    Status = Literal["held", "planned"]

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Trip:
        """One journey."""

        id: str
        to: str
        status: Status = "planned"
        departs: When
        since: When = When("2020")
        others: tuple[str, ...] = ()
        cost: int | None = None
        source: tuple[int, ...]

        @property
        def long(self) -> bool:
            return self.nights(1) > LONG

        def nights(self, extra: int = 0) -> int:
            return extra + sum(1 for _ in self.others)

        def __str__(self) -> str:
            return f"to {self.to}"

    def by_year(trips: list[Trip]) -> dict[int, list[Trip]]:
        found = {}
        for trip in trips:
            found.setdefault(trip.departs.year, []).append(trip)
        return found
    '''

RULES = '''
    """My rules."""
    from collections.abc import Iterable, Iterator
    from datetime import date

    from travel import Trip
    from uac_nb.rules import Alert, Unknown, ahead, derived, rule, running_out

    OFF = ("trips_overlap",)
    SOON = 7

    @rule("warning")
    def leaving_soon(trips: Iterable[Trip], *, today: date, within: int = 7) -> Iterator[Alert]:
        """A trip begins within a week."""
        for trip in ahead(trips, today):
            yield running_out(trip, because=_because(trip), do="Pack.")

    @derived
    def longest(trips: Iterable[Trip]) -> int | Unknown:
        return max((t.nights() for t in trips), default=0)

    def _because(trip: Trip) -> str:
        return f"It begins on {trip.departs}."
    '''


def test_definitions_are_taken() -> None:
    gate(dedent(DEFINITIONS), where="travel.py", kind="definitions")


def test_rules_are_taken() -> None:
    gate(dedent(RULES), where="rules.py", kind="rules", domains={"travel"})


def test_of_a_whole_file_only_what_stands_above_the_state_is_definitions() -> None:
    state = "\n# --- state ---\n\ntrips: list[Trip] = [Trip(id='a', to=('x'))]\nfor t in trips: t.go()\n"
    gate(dedent(DEFINITIONS) + state, where="travel.py", kind="definitions")


def test_what_only_looks_like_the_state_line_hides_nothing() -> None:
    record = "@dataclass(frozen=True, slots=True, kw_only=True)\nclass Trip:\n    id: str\n"
    hidden = "    def f(self):\n        return open('x')\n"
    with pytest.raises(CheckError, match=r"travel.py:6: open may not be used"):
        gate(f"{record}# --- state ---\n{hidden}# --- state ---\n", where="travel.py", kind="definitions")


def test_values_may_hold_what_python_does_not_know() -> None:
    gate("X = 1\n# --- state ---\ntrips = ['\ue000']\n", where="travel.py", kind="definitions")
    with pytest.raises(CheckError, match=r"travel.py:1: U\+E000"):
        gate("X = '\ue000'\n# --- state ---\n", where="travel.py", kind="definitions")


def test_the_state_is_still_looked_at_as_text() -> None:
    with pytest.raises(CheckError) as refused:
        gate("X = 1\n# --- state ---\ntrips = ['\u202e']\n", where="travel.py", kind="definitions")
    assert refused.value.diagnostics[0].where == "travel.py:3"


RECORD = "@dataclass(frozen=True, slots=True, kw_only=True)\nclass Trip:\n    "

WRONG_DEFINITIONS = {
    "print('x')": ("statement", 1, "an expression stands outside a function"),
    "for x in y: pass": ("statement", 1, "a loop stands outside a function"),
    "X = 1\nif X: Y = 2": ("statement", 2, "an `if` stands outside a function"),
    "X = len('abc')": ("constant", 1, "a constant that has to be computed"),
    "X = [i for i in range(3)]": ("constant", 1, "a constant that has to be computed"),
    "X = Y": ("constant", 1, "a constant that has to be computed"),
    "class Trip:\n    id: str": ("class", 1, "the class Trip is no record class"),
    "@dataclass(frozen=True)\nclass Trip:\n    id: str": ("class", 2, "the class Trip is no record class"),
    f"{RECORD}id: str".replace("Trip:", "Trip(Base):"): ("class", 2, "the class Trip derives from another"),
    f"{RECORD}at: int = now()": ("default", 3, "the default of Trip.at has to be computed"),
    f"{RECORD}tags: tuple[str, ...] = []": ("default", 3, "the default of Trip.tags can change"),
    f"{RECORD}KIND = 'x'": ("statement", 3, "an assignment stands in the class Trip"),
    f"{RECORD}print('x')": ("statement", 3, "an expression stands in the class Trip"),
    f"{RECORD}def __eq__(self, o): return True": ("method", 3, "Trip.__eq__ may not be defined"),
    f"{RECORD}def __init__(self): pass": ("method", 3, "Trip.__init__ may not be defined"),
    f"{RECORD}@cache\n    def f(self): pass": ("decorator", 4, "Trip.f has a decorator other than @property"),
    f"{RECORD}to: str\n    def to(self): pass": ("twice", 4, "Trip.to is a field and a method"),
    f"{RECORD}def f(self, x=now()): pass": ("default", 3, "a default of f has to be computed"),
    "def f(x=now()): pass": ("default", 1, "a default of f has to be computed"),
    "@cache\ndef f(): pass": ("decorator", 2, "f is decorated with cache"),
    "@rule('info')\ndef f(): yield": ("decorator", 2, "f is decorated with rule('info')"),
    "def f(): pass\ndef f(): pass": ("twice", 2, "f is defined in line 1 already"),
    "def f(): pass\nf = 1": ("twice", 2, "f is defined in line 1 already"),
}


@pytest.mark.parametrize(("code", "said"), WRONG_DEFINITIONS.items(), ids=list(map(repr, WRONG_DEFINITIONS)))
def test_definitions_that_would_run_something_are_refused(code: str, said: tuple[str, int, str]) -> None:
    check(code, "definitions", "travel.py", said)


WRONG_RULES = {
    "class X: pass": ("statement", 1, "the class X stands among the rules"),
    "X = open": ("name", 1, "open may not be used"),
    "RULES.append(1)": ("statement", 1, "an expression stands outside a function"),
    "@rule\ndef f(trips: Iterable[Trip]):\n    'x'\n    yield": ("rule", 2, "f has no severity"),
    "@rule('high')\ndef f(trips: Iterable[Trip]):\n    'x'\n    yield": ("rule", 2, "f has no severity"),
    "@rule('info')\ndef f(trips: Iterable[Trip]):\n    yield": ("rule", 2, "f does not say what it finds"),
    "@rule('info')\ndef f(trips: Iterable[Trip]):\n    'x'\n    return []": ("rule", 2, "f yields no alert"),
    "@rule('info')\ndef f(trips: Iterable[Trip]):\n    'x'\n    def g(): yield": ("rule", 2, "f yields no alert"),
    "@rule('info')\ndef f(trips):\n    'x'\n    yield": ("rule", 2, "f: 'trips' does not say what it reads"),
    "@rule('info')\ndef f(trips: list[Trip]):\n    'x'\n    yield": ("rule", 2, "f: 'trips' does not say what it reads"),
    "@rule('info')\ndef f(today: date):\n    'x'\n    yield": ("rule", 2, "f: `today` stands among the collections"),
    "@rule('info')\ndef f(*, days: int):\n    'x'\n    yield": ("rule", 2, "f: the setting 'days' has no default"),
    "@rule('info')\ndef f(*a):\n    'x'\n    yield": ("rule", 2, "f takes * or ** arguments"),
    "@derived\ndef f(trips): return 1": ("rule", 2, "f: 'trips' does not say what it reads"),
    "@rule(print('x'))\ndef f():\n    'x'\n    yield": ("rule", 2, "f has no severity"),
    "@other\ndef f(): pass": ("decorator", 2, "f is decorated with other"),
}


@pytest.mark.parametrize(("code", "said"), WRONG_RULES.items(), ids=list(map(repr, WRONG_RULES)))
def test_rules_that_are_none_are_refused(code: str, said: tuple[str, int, str]) -> None:
    check(code, "rules", "rules.py", said)


def check(code: str, kind: str, where: str, said: tuple[str, int, str]) -> None:
    with pytest.raises(CheckError) as refused:
        gate(code, where=where, kind=kind)  # type: ignore[arg-type]
    finding = refused.value.diagnostics[0]
    assert (finding.code, finding.where, finding.message) == (said[0], f"{where}:{said[1]}", said[2])
    assert finding.hint
