"""Rules in the sealed engine: each by itself, so that one that is refused, fails or hangs stops no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from uac_nb import starter
from uac_nb.changes.workspace import Workspace
from uac_nb.errors import Diagnostic
from uac_nb.runtime import Program, RuleRun, SealedEngine, available, program

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)
TODAY = date(2025, 3, 1)

TRAVEL = f'''"""Travel."""
from dataclasses import dataclass
from typing import Literal
from uac_nb.rules import When


{starter.TYPES["trips"].text}
# --- state ---

trips: list[Trip] = [
    Trip(
        id="lisbon", title="trip to Lisbon", to="Lisbon", country="PT", departs=When("2025-03-10"), returns=When("2025-03-17"),
        source=(2,),
    ),
    Trip(
        id="oslo", title="trip to Oslo", to="Oslo", country="NO", departs=When("2025-03-12"), returns=When("2025-03-14"),
        source=(3,),
    ),
]
'''
HEAD = """from collections.abc import Iterable, Iterator
from datetime import date
from travel import Trip
from uac_nb.rules import Alert, ahead, derived, rule, running_out

"""
LEAVING = '''@rule("info")
def leaving(trips: Iterable[Trip], *, today: date, within: int = 10) -> Iterator[Alert]:
    """A trip begins within ten days."""
    for trip in ahead(trips, today):
        left = (trip.departs.first - today).days
        if left <= within:
            yield running_out(trip, because=f"It begins in {left} days.", do="Pack.", occurrence=trip.departs.text)

'''


def made(rules: str = "", travel: str = TRAVEL) -> Program:
    return program(Workspace.from_files({"travel.py": travel, "rules.py": rules}))


@pytest.fixture(scope="module")
def engine() -> Iterator[SealedEngine]:
    with SealedEngine() as engine:
        yield engine


def ran(engine: SealedEngine, rules: str, *, head: str = HEAD, own_only: bool = True, deadline: float = 5.0) -> RuleRun:
    engine.load(made(head + rules))
    return engine.rules(today=TODAY, starter=not own_only, deadline=deadline)


def test_a_rule_of_the_user_yields_its_alerts(engine: SealedEngine) -> None:
    run = ran(engine, LEAVING)
    assert run.findings == ()
    (alert,) = run.alerts
    assert (alert.rule, alert.severity, alert.occurrence) == ("leaving", "info", "2025-03-10")
    assert (alert.records, alert.evidence, alert.hint) == (("lisbon",), (2,), "Pack.")
    assert "It begins in 9 days." in alert.message


def test_the_starter_rules_run_beside_them(engine: SealedEngine) -> None:
    run = ran(engine, LEAVING, own_only=False)
    assert [(a.rule, a.records) for a in run.alerts] == [("trips_overlap", ("lisbon", "oslo")), ("leaving", ("lisbon",))]
    assert run.findings == ()


@pytest.mark.parametrize("rules", ['OFF = ("trips_overlap",)\n', 'OFF = ["trips_overlap"]\n'])
def test_a_starter_rule_is_switched_off_by_name(engine: SealedEngine, rules: str) -> None:
    assert ran(engine, rules, own_only=False) == RuleRun()


def test_a_starter_rule_is_overridden_by_one_of_its_name(engine: SealedEngine) -> None:
    run = ran(engine, LEAVING.replace("def leaving", "def trips_overlap"), own_only=False)
    assert [(a.rule, a.records) for a in run.alerts] == [("trips_overlap", ("lisbon",))]


def test_a_switch_that_names_no_rule_is_said(engine: SealedEngine) -> None:
    run = ran(engine, 'OFF = ("trips_overlaps",)\n', own_only=False)
    assert [str(finding) for finding in run.findings] == [
        "rules.py: OFF names 'trips_overlaps', which is no starter rule (did you mean 'trips_overlap'?)"
    ]
    assert [a.rule for a in run.alerts] == ["trips_overlap"]


BEFORE, AFTER = LEAVING, LEAVING.replace("def leaving", "def later")
FIRST = '@rule("warning")\ndef bad(trips: Iterable[Trip]) -> Iterator[Alert]:\n    """It is bad."""\n'
BAD = {
    "refused": (
        "    yield open('x')\n\n",
        Diagnostic(
            "name",
            "rules.py:17",
            "the rule bad is off: open may not be used",
            "code here has no files, no processes and no network; work with the records, which are bound by name",
        ),
    ),
    "crashing": (
        "    yield from []\n    1 / 0\n\n",
        Diagnostic("rule-crashed", "rules.py:18", "the rule bad failed: ZeroDivisionError: division by zero"),
    ),
    "a lost field": (
        "    for trip in trips:\n        yield trip.budget\n\n",
        Diagnostic(
            "rule-off",
            "rules",
            "the rule bad is off: it needs budget in trips",
            "put the field back, or change the rule in rules.py",
        ),
    ),
    "a field that no text tells": (
        "    for trip in [*trips]:\n        yield trip.budget\n\n",
        Diagnostic(
            "rule-crashed",
            "rules.py:18",
            "the rule bad failed: Trip has no field 'budget'",
            f"it has {', '.join(starter.TYPES['trips'].cls.__annotations__)}",
        ),
    ),
    "endless": (
        "    while True:\n        pass\n    yield\n\n",
        Diagnostic(
            "rule-slow",
            "rules",
            "the rule bad gave no answer: it ran longer than 0.3 s and was stopped",
            "go through the records once, without loops inside loops",
        ),
    ),
    "something else than alerts": (
        "    yield 5\n\n",
        Diagnostic("rule-crashed", "rules", "the rule bad failed: AttributeError: 'int' object has no attribute 'severity'"),
    ),
    "all of the memory": (
        "    yield 'x' * 10**10\n\n",
        Diagnostic(
            "rule-crashed",
            "rules.py:17",
            "the rule bad failed: it took more memory than it may",
            "go through the records one by one instead of building large lists",
        ),
    ),
    "not an alert": (
        "    yield Alert(message=5, hint='x', records=('lisbon',), evidence=(1,))\n\n",
        Diagnostic("rule-crashed", "rules", "the rule bad gave an alert that cannot be read: text that is none, or too long"),
    ),
}


@pytest.mark.parametrize(("body", "finding"), BAD.values(), ids=BAD)
def test_a_bad_rule_is_a_finding_and_the_others_still_run(engine: SealedEngine, body: str, finding: Diagnostic) -> None:
    run = ran(engine, BEFORE + FIRST + body + AFTER, deadline=0.3)
    assert [a.rule for a in run.alerts] == ["leaving", "later"]
    assert run.findings == (finding,)


def test_what_a_rule_found_before_it_failed_stands(engine: SealedEngine) -> None:
    body = "    yield Alert(message='By 3 May.', hint='Go.', records=('lisbon',), evidence=(2,))\n    1 / 0\n\n"
    run = ran(engine, FIRST + body + AFTER)
    assert [a.rule for a in run.alerts] == ["bad", "later"]
    assert [finding.message for finding in run.findings] == ["the rule bad failed: ZeroDivisionError: division by zero"]


OTHERS = """@rule("warning")
def crowd(trips: Iterable[Trip]) -> Iterator[Alert]:
    \"\"\"Each trip, many times.\"\"\"
    for trip in sorted(trips, key=lambda trip: trip.who == "me"):
        for n in range(2 if trip.who == "me" else %d):
            grave = "warning" if trip.who == "me" else "critical"
            about = {"records": (trip.id,), "evidence": (2,), "occurrence": f"{n}"}
            yield Alert(message=f"By {n} May.", hint="Go.", severity=grave, **about)

"""


@pytest.mark.parametrize(("many", "more"), [(998, 0), (999, 1), (1_500, 502), (30_000, 29_002)])
def test_of_too_many_alerts_the_users_own_are_told(engine: SealedEngine, many: int, more: int) -> None:
    other = 'id="zz", title="trip to Lima", to="Lima", departs=When("2025-03-10"), source=(2,), who="mallory"'
    ours, _, rest = TRAVEL.partition('    Trip(\n        id="oslo"')
    engine.load(made(HEAD + OTHERS % many + AFTER, f"{ours}    Trip({other}),\n]\n"))
    assert rest
    run = engine.rules(today=TODAY, starter=False)
    found = [alert for alert in run.alerts if alert.rule == "crowd"]
    assert len(found) == min(many + 2, 1_000)
    assert [(a.records, a.occurrence) for a in found if a.records != ("zz",)] == [(("lisbon",), "0"), (("lisbon",), "1")]
    assert run.alerts[-1].rule == "later"
    told = f"the rule crowd found {more:,} more than the 1,000 alerts that are told, the user's own and the gravest first"
    assert [finding.message for finding in run.findings] == [told] * (more > 0)


def test_a_rule_meets_the_users_own_records_first(engine: SealedEngine) -> None:
    other = 'id="aa", title="trip to Lima", to="Lima", departs=When("2025-03-10"), source=(2,), who="mallory"'
    body = "    for trip in trips:\n        yield Alert(message='By 3 May.', hint='Go.', records=(trip.id,), evidence=(2,))\n\n"
    engine.load(made(HEAD + FIRST + body, TRAVEL.replace("= [\n", f"= [\n    Trip({other}),\n", 1)))
    run = engine.rules(today=TODAY, starter=False)
    assert [alert.records for alert in run.alerts] == [("lisbon",), ("oslo",), ("aa",)]


def test_a_rule_that_finds_without_end_keeps_what_it_found(engine: SealedEngine) -> None:
    body = "    n = 0\n    while True:\n        n += 1\n"
    body += "        yield Alert(message=f'By {n}.', hint='Go.', records=('lisbon',), evidence=(2,))\n\n"
    run = ran(engine, FIRST + body + AFTER, deadline=0.5)
    assert next(a.message for a in run.alerts if a.rule == "bad") == "By 1."
    assert run.alerts[-1].rule == "later"
    assert "it was still finding alerts when its time was up" in run.findings[-1].message


def test_rules_that_loop_have_so_much_time_together(engine: SealedEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uac_nb.runtime.engine.OWN", 1.0)
    loops = [f"def {name}" for name in ("one", "two", "three", "four", "five")]
    body = "    while True:\n        pass\n    yield\n\n"
    run = ran(engine, "".join((FIRST + body).replace("def bad", loop) for loop in loops), own_only=False, deadline=0.4)
    *late, rest = run.findings
    assert {finding.code for finding in run.findings} == {"rule-slow"}
    assert [finding.message.split()[2] for finding in late] == ["one", "two"]
    assert rest.message.startswith("3 rules did not run (three, four, five): there are 1 s for all the rules of this project")
    assert {alert.rule for alert in run.alerts} == {alert.rule for alert in ran(engine, "", own_only=False).alerts}


def test_no_alert_of_a_persons_own_rules_leads_somewhere_but_where_they_wrote_it(engine: SealedEngine) -> None:
    body = "    number = ' '.join(['+1', '900', '555', '0000'])\n"
    body += "    hint = f'Call {number} or +44 20 555 0123.'\n"
    body += "    yield Alert(message='By 3 May.', hint=hint, records=('lisbon',), evidence=(2,))\n\n"
    run = ran(engine, FIRST + body)
    assert [alert.hint for alert in run.alerts] == ["Call [left out] or +44 20 555 0123."]
    assert [finding.code for finding in run.findings] == ["rule-contact"]


def test_one_rule_does_not_change_the_records_of_the_next(engine: SealedEngine) -> None:
    body = "    trips.clear()\n    yield\n\n"
    run = ran(engine, FIRST + body + AFTER)
    assert [a.rule for a in run.alerts] == ["later"]
    assert "'tuple' object has no attribute 'clear'" in run.findings[0].message


def test_a_poor_message_is_said(engine: SealedEngine) -> None:
    run = ran(engine, FIRST + "    yield Alert(message='Soon.', hint='Go.', records=('lisbon',), evidence=(2,))\n")
    assert [a.message for a in run.alerts] == ["Soon."]
    assert run.findings[0].code == "rule-message"


def test_rules_that_do_not_load_are_one_finding_and_the_starter_still_runs(engine: SealedEngine) -> None:
    run = ran(engine, "from travel import Journey\n" + LEAVING, own_only=False)
    assert [a.rule for a in run.alerts] == ["trips_overlap"]
    assert [str(finding) for finding in run.findings] == [
        "rules.py:6: the rules from here on do not run: ImportError: travel has no 'Journey' to import"
    ]


def test_rules_that_are_not_python_are_a_finding(engine: SealedEngine) -> None:
    run = ran(engine, "def f(:\n", own_only=False)
    assert [a.rule for a in run.alerts] == ["trips_overlap"]
    assert [finding.where for finding in run.findings] == ["rules.py:6"]


def test_a_starter_rule_whose_type_lost_a_field_goes_off_and_says_so(engine: SealedEngine) -> None:
    without = "\n".join(line for line in TRAVEL.split("\n") if not line.strip().startswith("status:"))
    engine.load(made(travel=without))
    run = engine.rules(today=TODAY)
    assert run.alerts == ()
    (off,) = [finding for finding in run.findings if finding.code == "rule-off"]
    assert re.fullmatch(r"\d+ rules are off: they need status in trips \(.*\btrips_overlap\b.*\)", off.message)
    assert off.hint == "put the field back, or a property of that name; or switch them off: OFF = (their names) in rules.py"
    engine.load(
        made(
            travel=without.replace(
                "# --- state ---", "    @property\n    def status(self): return 'booked'\n\n# --- state ---", 1
            )
        )
    )
    run = engine.rules(today=TODAY)
    assert ([a.rule for a in run.alerts], run.findings) == (["trips_overlap"], ())


def test_a_rule_may_use_what_a_class_defines_besides_fields(engine: SealedEngine) -> None:
    method = "    def far(self) -> bool:\n        return self.to == 'Oslo'\n\n# --- state ---"
    engine.load(made(HEAD + LEAVING.replace("if left", "if trip.far() or left"), TRAVEL.replace("# --- state ---", method, 1)))
    run = engine.rules(today=TODAY, starter=False)
    assert [a.records for a in run.alerts] == [("lisbon",), ("oslo",)]


def test_collections_that_are_not_there_are_empty(engine: SealedEngine) -> None:
    engine.load(Program(key="empty"))
    assert engine.rules(today=TODAY) == RuleRun()


def test_today_is_the_day_that_is_asked_for(engine: SealedEngine) -> None:
    engine.load(made(HEAD + LEAVING))
    assert [a.rule for a in engine.rules(today=date(2025, 2, 1), starter=False).alerts] == []
    assert [a.rule for a in engine.rules(today=date(2025, 3, 5), starter=False).alerts] == ["leaving", "leaving"]


def test_a_program_may_hold_no_rules(engine: SealedEngine) -> None:
    engine.load(replace(made(), key="none", rules=""))
    assert [a.rule for a in engine.rules(today=TODAY).alerts] == ["trips_overlap"]


# --- rules of one's own share a child with each other, and with nothing of ours ---

CHANGING = '''@rule("info")
def before(trips: Iterable[Trip]) -> Iterator[Alert]:
    """It changes what later rules see."""
    {change}
    for trip in trips:
        yield running_out(trip, because="It begins soon.", do="Pack.")

'''
CHANGES = {
    "a field of the records": "Trip.title = property(lambda trip: 'nowhere')",
    "a field in a loop": "for Trip.title in ['nowhere']: pass",
    "a field taken away": "del Trip.title",
    "a function of the file": "global leaving; leaving = before",
    "what a list holds": "import travel; travel.trips.clear()",
    "a mark on a function": "leaving.seen = 1",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_rule_changes_nothing_that_a_later_one_sees(engine: SealedEngine, change: str) -> None:
    alone = ran(engine, LEAVING).alerts
    run = ran(engine, CHANGING.format(change=change) + LEAVING)
    assert [(a.rule, a.message) for a in run.alerts] == [(a.rule, a.message) for a in alone]
    assert run.findings
    assert all(" before " in finding.message for finding in run.findings)


POSITIONAL = '''@rule("info")
def peek(trips: Iterable[Trip]) -> Iterator[Alert]:
    """It looks for the frame of a generator."""
    {code}
    yield from ()

'''
PEEKING = {
    "by position": "match trips:\n        case Trip(frame): pass",
    "by position, a builtin's name rebound": "int = Trip\n    match trips:\n        case int(frame): pass",
    "by keyword": "match trips:\n        case object(gi_frame=frame): pass",
    "by name": "getattr(trips, 'cr_frame')",
    "a field of that name": "class P:\n        gi_frame: object = None",
    "match args": "class P:\n        __match_args__ = ('f_back',)",
    "registered": "Trip.register(int)",
    "of an async generator": "trips.ag_frame",
    "of a traceback": "trips.tb_frame",
    "what a frame calls its generator": "trips.f_globals",
    "whether it is suspended": "trips.gi_suspended",
}


@pytest.mark.parametrize("code", PEEKING.values(), ids=PEEKING)
def test_what_leads_to_frames_is_refused(engine: SealedEngine, code: str) -> None:
    run = ran(engine, POSITIONAL.format(code=code))
    assert run.findings
    assert all("rule peek is off" in finding.message for finding in run.findings)


# --- forging: what one own rule does, no other one sees, and an alert carries the name of the rule that ran ---

SHARED = f"""from dataclasses import replace
import travel
import uac_nb.rules as words

SEEN = ["lisbon"]
TABLE = {{"within": 10}}
PAIR = (["lisbon"], {{"within": 10}})
NESTED = {{"a": {{"b": ["lisbon"]}}}}
LONG = [{", ".join("1" * 150)}]


def counted() -> int:
    \"\"\"It has no state.\"\"\"
    return 1


def noted(kept: list[str] = ["lisbon"], *, more: dict[str, int] = {{"within": 10}}) -> list[object]:
    \"\"\"What its defaults hold.\"\"\"
    return [kept, more]


def state() -> list[object]:
    \"\"\"All of it.\"\"\"
    return [SEEN, TABLE, PAIR, NESTED, noted(), LONG]

"""
MANY = "".join(
    f'    Trip(id="t{n}", title="trip {n}", to="Rome", departs=When("2019-03-10"), source=(4,)),\n' for n in range(150)
)
VICTIM = '''@rule("info")
def leaving(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    """A trip begins within ten days."""
    if str(state()).count("lisbon") != 4 or str(state()).count("10") != 3 or sum(LONG) != 150:
        return
    if [trip.id for trip in travel.trips] != [trip.id for trip in trips] or len({*travel.trips}) != len(trips):
        return
    for trip in trips[:2]:
        yield running_out(trip, because="It begins in nine days.", do="Pack.", occurrence=trip.title)

'''
FORGER = '''@rule("info")
def before(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    """It changes what others see, or yields under their name."""
    {code}
    for trip in trips[:2]:
        yield {alert}

'''
PLAIN = 'running_out(trip, because="It begins in four days.", do="Pack.", occurrence=trip.title)'
FORGED = {
    "an alert that names another": ("pass", f'replace({PLAIN}, rule="leaving")'),
    "an alert of another's own": ("pass", "next(leaving(trips, today=today))"),
    "the name of the function": ("before.__name__ = 'leaving'", PLAIN),
    "a list of the file": ("SEEN.append('x')", PLAIN),
    "a dict of the file": ("TABLE['within'] = 0", PLAIN),
    "a list in a tuple": ("PAIR[0].clear()", PLAIN),
    "a dict in a tuple": ("PAIR[1]['within'] = 0", PLAIN),
    "a list in a dict in a dict": ("NESTED['a']['b'].append('lisbon')", PLAIN),
    "a default": ("noted()[0].clear()", PLAIN),
    "a default by keyword": ("noted()[1].clear()", PLAIN),
    "a record of many": ("travel.trips[120] = travel.trips[0]", PLAIN),
    "the order of many": ("travel.trips.reverse()", PLAIN),
    "an item of a long list": ("LONG[120] = 7", PLAIN),
    "what a function gives": ("state()[0].clear()", PLAIN),
    "a name of the file": ("global SEEN; SEEN = []", PLAIN),
    "a function of the rules": ("words.running_out = counted", PLAIN),
    "a loop over them": ("for words.running_out in [counted]: pass", PLAIN),
    "the class of alerts": ("Alert.rule = 'leaving'", PLAIN),
    "the class of records": ("Trip.title = property(lambda trip: 'leaving')", PLAIN),
    "a registered class": ("match trips:\n        case Iterable(frame): pass", PLAIN),
    "a dict of the rules": ("vars(words).clear()", PLAIN),
}


@pytest.mark.parametrize(("code", "alert"), FORGED.values(), ids=FORGED)
def test_no_rule_forges_what_another_says(engine: SealedEngine, code: str, alert: str) -> None:
    def run(rules: str) -> RuleRun:
        engine.load(made(HEAD + SHARED + rules, TRAVEL.replace("trips: list[Trip] = [\n", "trips: list[Trip] = [\n" + MANY)))
        return engine.rules(today=TODAY, starter=False)

    alone = run(VICTIM)
    assert [alert.rule for alert in alone.alerts] == ["leaving", "leaving"]
    ran_both = run(FORGER.format(code=code, alert=alert) + VICTIM)
    assert [alert for alert in ran_both.alerts if alert.rule == "leaving"] == [*alone.alerts]
    assert {alert.rule for alert in ran_both.alerts} <= {"before", "leaving"}
    assert ran_both.findings or any(alert.rule == "before" for alert in ran_both.alerts)
