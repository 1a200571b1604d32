"""The engines that start anew for every call: WebAssembly, and none where a person trusts. What they answer is the same."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from uac_nb import starter
from uac_nb.changes.workspace import Workspace
from uac_nb.errors import CheckError, RunError
from uac_nb.rules import Unknown, When
from uac_nb.runtime import Program, RuleRun, choosing, program, trust, wasi
from uac_nb.runtime.oneshot import OneShot, Watch
from uac_nb.runtime.plain import PlainEngine
from uac_nb.runtime.seal import Boundary
from uac_nb.runtime.sealed import SealedEngine
from uac_nb.runtime.wasi import WasiEngine
from uac_nb.runtime.wire import DEADLINE, DONE, LARGEST, TOO_LARGE

TODAY = date(2025, 3, 1)
TRAVEL = f"""from dataclasses import dataclass
from typing import Literal
from uac_nb.rules import When

{starter.TYPES["trips"].text.rstrip()}

    @property
    def label(self) -> str:
        return self.title.upper()

# --- state ---

trips: list[Trip] = [
    Trip(id="a", title="A", to="A", departs=When("2025-03-10"), returns=When("2025-03-17"), country="PT", source=(1,)),
    Trip(id="b", title="B", to="B", departs=When("2025-03-12"), returns=When("2025-03-14"), country="NO", source=(2,)),
]
"""
RULES = """
from collections.abc import Iterable, Iterator
from datetime import date
from travel import Trip
from uac_nb.rules import Alert, Unknown, derived, rule, running_out

@derived
def longest(trips: Iterable[Trip]) -> Unknown:
    return Unknown("no trip is over", 3)

@rule("info")
def coming(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    \"\"\"A trip is coming.\"\"\"
    for trip in trips:
        yield running_out(trip, because="It begins on day 10.", do="Pack.")

@rule("info")
def endless(trips: Iterable[Trip]) -> Iterator[Alert]:
    \"\"\"It never ends.\"\"\"
    while True:
        pass
    yield

@rule("info")
def failing(trips: Iterable[Trip]) -> Iterator[Alert]:
    \"\"\"It fails.\"\"\"
    yield 1 / 0
"""
PROGRAM = program(Workspace.from_files({"travel.py": TRAVEL, "rules.py": RULES}))


def plain(trusted: bool = True) -> PlainEngine:
    return PlainEngine(lambda code: trusted, why="this is plan9", ask="say: uac-nb trust jess")


@pytest.fixture(scope="module", params=["plain", "wasi"])
def engine(request: pytest.FixtureRequest) -> Iterator[OneShot]:
    if request.param == "wasi" and wasi.missing():
        pytest.skip(wasi.missing())
    with WasiEngine() if request.param == "wasi" else plain() as engine:
        engine.load(PROGRAM)
        yield engine


QUERIES: dict[str, Any] = {
    "1 + 1": 2,
    "[t.to_say for t in []]": [],
    "[t.label for t in trips]": ["A", "B"],
    "max(t.departs for t in trips)": When("2025-03-12"),
    "trips": list(PROGRAM.collections["trips"][1]),
    "longest()": Unknown("no trip is over", 3),
    "print('said')": "said",
    'from datetime import datetime\nf\'{datetime.strptime("2025-03-10", "%Y-%m-%d"):%A}\'': "Monday",
    "import statistics\nstatistics.mean([1, 2])": 1.5,
    "sorted({'b', 'a'}), today.isoformat()": [["a", "b"], "2025-03-01"],
}


@pytest.mark.parametrize(("code", "value"), QUERIES.items(), ids=QUERIES)
def test_queries(engine: OneShot, code: str, value: Any) -> None:
    assert engine.run(code, today=TODAY).value == value


FAILING = {
    "1 / 0": "query:1: ZeroDivisionError: division by zero",
    "x = 1\ntrips[0].cost": "query:2: Trip has no field 'cost'",
    "def f(n):\n    return f(n + 1)\nf(0)": "query:2: it calls itself too deeply",
    "while True:\n    pass": "query: it ran longer than 1 s and was stopped",
    "'x' * 9_000_000": "the answer has 9,000,0",
    "print('x' * 2_000_000)": "more than 1,000,000 characters were printed",
}


@pytest.mark.parametrize(("code", "words"), FAILING.items(), ids=FAILING)
def test_errors(engine: OneShot, code: str, words: str) -> None:
    with pytest.raises(RunError) as failed:
        engine.run(code, today=TODAY, deadline=1)
    assert words in str(failed.value)


def test_each_rule_stands_alone(engine: OneShot) -> None:
    run = engine.rules(today=TODAY, deadline=1)
    assert sorted((a.rule, a.records) for a in run.alerts) == [
        ("coming", ("a",)), ("coming", ("b",)), ("longest", ()), ("trips_overlap", ("a", "b")),
    ]  # fmt: skip
    assert [f.message.split(":")[0] for f in run.findings if "off" not in f.message] == [
        "the rule endless gave no answer", "the rule failing failed",
    ]  # fmt: skip


def test_the_gate_stands_before_it(engine: OneShot) -> None:
    with pytest.raises(CheckError, match="os may not be imported"):
        engine.run("import os", today=TODAY)


# --- WebAssembly ---

ATTEMPTS = {
    "a file": "open('/etc/passwd').read()",
    "a folder": "import os\nos.listdir('/')",
    "writing beside us": "open('/package/uac_nb/x.py', 'w')",
    "a process": "import os\nos.system('true')",
    "a socket": "import socket\nsocket.create_connection(('127.0.0.1', 9))",
    "the environment": "import os\n1 / len(os.environ)",
}


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS)
def test_webassembly_is_a_boundary_without_the_gate_and_the_sandbox(
    attempt: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if wasi.missing():
        pytest.skip(wasi.missing())
    monkeypatch.setenv("SECRET", "canary")
    guest = Path(wasi._PACKAGE, "runtime", "once.py").read_text().split("def main")[0]
    bare = tmp_path / "uac_nb" / "runtime"
    bare.mkdir(parents=True)
    # the same guest, but what runs in it is the attempt alone, with all that Python has
    told = f"try:\n    exec({attempt!r})\n    told = b'got through'\nexcept BaseException as error:\n    told = b'stopped'\n"
    (bare / "once.py").write_text(guest.split("sys.modules")[0] + told + "os.write(1, b'\\n' + told + b'\\n')\n")
    monkeypatch.setattr(wasi, "_PACKAGE", tmp_path / "uac_nb")
    reply = WasiEngine()._run(b"", Watch(5.0, 1))
    assert reply.output == b"stopped\n"
    assert [path.name for path in (tmp_path / "uac_nb").iterdir()] == ["runtime"]


def test_another_interpreter_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    if wasi.missing():
        pytest.skip(wasi.missing())
    monkeypatch.setattr(wasi, "SHA256", "0" * 64)
    wasi._interpreter.cache_clear()
    with pytest.raises(RunError, match="is another interpreter than the one that was tried"):
        WasiEngine().run("1", today=TODAY)
    wasi._interpreter.cache_clear()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no owners here")
def test_compiled_code_that_others_could_have_written_is_not_loaded(tmp_path: Path) -> None:
    folder, file = tmp_path / "cache", tmp_path / "cache" / "python"
    folder.mkdir(mode=0o700)
    file.write_bytes(b"")
    file.chmod(0o600)
    assert wasi._is_own(file)
    file.chmod(0o666)
    assert not wasi._is_own(file)
    file.chmod(0o600)
    folder.chmod(0o777)
    assert not wasi._is_own(file)
    assert not wasi._is_own(folder / "none")


# --- trust ---


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "uac_nb" / "trust.json"


def test_without_trust_only_the_starter_rules_run() -> None:
    with plain(trusted=False) as engine:
        engine.load(PROGRAM)
        with pytest.raises(RunError) as refused:
            engine.run("1", today=TODAY)
        run = engine.rules(today=TODAY)
    said = "there is no boundary here (this is plan9), so generated code does not run; say: uac-nb trust jess"
    assert str(refused.value) == said
    assert [a.rule for a in run.alerts] == ["trips_overlap"]
    assert str(run.findings[-1]) == (
        "rules.py: the user's own rules did not run: there is no boundary here (this is plan9), so generated code does not run "
        "(say: uac-nb trust jess)"
    )


def test_starter_rules_alone_need_no_word_of_trust() -> None:
    with plain(trusted=False) as engine:
        engine.load(program(Workspace.from_files({"travel.py": TRAVEL})))
        assert [f.code for f in engine.rules(today=TODAY).findings if f.code != "rule-off"] == []
        assert engine.rules(today=TODAY, starter=False) == RuleRun()


def test_a_starter_rule_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    with plain(trusted=False) as engine:
        engine.load(PROGRAM)
        monkeypatch.setattr("uac_nb.runtime.plain.yielded", lambda *_: [][0])
        run = engine.rules(today=TODAY)
    assert "the rule trips_overlap failed: IndexError: list index out of range" in [f.message for f in run.findings]


def test_trust_is_kept_for_one_user_and_one_state_of_the_code(state: Path) -> None:
    assert not trust.holds("u", "c")
    trust.give("u", "c")
    trust.give("other", "d")
    assert trust.holds("u", "c")
    assert not trust.holds("u", "changed")
    assert not trust.holds("v", "c")
    trust.take("u")
    assert not trust.holds("u", "c")
    assert trust.holds("other", "d")


@pytest.mark.parametrize("kept", ["", "[]", "{", "\x00"])
def test_what_cannot_be_read_is_no_trust(state: Path, kept: str) -> None:
    state.parent.mkdir()
    state.write_text(kept)
    assert not trust.holds("u", "c")


def test_the_code_is_trusted_not_the_records() -> None:
    more = TRAVEL.replace('title="A"', 'title="Again"')
    other = program(Workspace.from_files({"travel.py": more, "rules.py": RULES}))
    assert (other.key != PROGRAM.key, other.code) == (True, PROGRAM.code)
    for files in ({"travel.py": TRAVEL.replace("upper", "lower")}, {"rules.py": RULES + "X = 1\n"}):
        changed = program(Workspace.from_files({"travel.py": TRAVEL, "rules.py": RULES, **files}))
        assert changed.code != PROGRAM.code


@pytest.mark.parametrize(
    ("seal_ok", "missing", "kind", "name"),
    [
        (True, "", SealedEngine, "sealed (seccomp)"),
        (False, "", WasiEngine, "sealed (WASI)"),
        (False, "wasmtime not installed", PlainEngine, "none"),
    ],
)
def test_the_best_boundary_there_is(
    monkeypatch: pytest.MonkeyPatch, state: Path, seal_ok: bool, missing: str, kind: type, name: str
) -> None:
    found = Boundary("sealed (seccomp)", True) if seal_ok else Boundary("none", False, "this is plan9")
    monkeypatch.setattr(choosing, "seal", SimpleNamespace(available=lambda: found))
    monkeypatch.setattr(choosing.wasi, "missing", lambda: missing)
    with choosing.engine("u", "jess") as engine:
        assert type(engine) is kind
        assert choosing.boundary().name == name
        if kind is PlainEngine:
            engine.load(Program(key="x"))
            with pytest.raises(RunError, match=r"this is plan9; wasmtime not installed.*uac-nb trust jess"):
                engine.run("1", today=TODAY)
            trust.give("u", Program(key="x").code)
            assert engine.run("1", today=TODAY).value == 1


# --- the watch ---


def test_the_watch() -> None:
    watch = Watch(5.0, 2)
    assert watch.take(b"\n")  # it has loaded
    assert watch.take(b"one\ntw")
    assert not watch.take(b"o\n")
    assert watch.reply(9) == (0, DONE, b"one\ntwo\n")
    early, large, late = Watch(5.0, 2), Watch(5.0, 1), Watch(-1.0, 1)
    early.take(b"\none\n")
    assert early.reply(9) == (9, DONE, b"one\n")
    assert not large.take(b"\n" + b"x" * (LARGEST + 1))
    assert large.reply(0).reason == TOO_LARGE
    late.take(b"\n")
    assert late.left < 0
    assert late.reply(0).reason == DEADLINE
