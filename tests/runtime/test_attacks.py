"""Attacks: none gets past gate and sandbox, and of those that are let past both, none gets out of the seal."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from datetime import date
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from uac_nb.errors import CheckError, RunError
from uac_nb.runtime import SealedEngine, available, wasi
from uac_nb.runtime.engine import Host
from uac_nb.runtime.wasi import WasiEngine

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)
HERE = Path(__file__).parents[1] / "attacks"
TODAY = date(2025, 3, 1)


def own() -> dict[str, str]:
    """The attacks of our own, by name."""
    parts = re.split(r"^### (\w+)\n", (HERE / "own.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: f'RESULT = "none"\n{code}' for name, code in zip(parts[1::2], parts[2::2], strict=True)}


OWN = own()


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Path]:
    """A folder with a secret that everybody may read, and write; afterwards it is as it was."""
    secret = tmp_path / "secret.txt"
    secret.write_text("s3cret")
    secret.chmod(0o666)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == tmp_path.owner() and folder.is_relative_to(tmp_path.parents[1]):
            folder.chmod(0o777)
    yield tmp_path
    assert [p.name for p in tmp_path.iterdir()] == ["secret.txt"]
    assert secret.read_text() == "s3cret"
    assert secret.stat().st_mode & 0o777 == 0o666


@pytest.fixture
def port() -> Iterator[int]:
    """A port that listens; afterwards nobody has called."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]
        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.fixture(scope="module")
def engine() -> Iterator[SealedEngine]:
    with SealedEngine() as engine:
        yield engine


def aimed(code: str, canary: Path, port: int) -> str:
    return code.replace("@CANARY@", str(canary)).replace("@PORT@", str(port))


def outcome(engine: Host, name: str, code: str) -> Any:
    """What an attack came to, and that the engine still works. Those that do not end by themselves get little time."""
    try:
        return engine.run(code + "\nRESULT", today=TODAY, deadline=0.3 if name.startswith("d") else 5.0).value
    except (CheckError, RunError) as error:
        return f"refused: {error}"
    finally:
        assert engine.run("1 + 1", today=TODAY).value == 2


def reached(value: Any, *levels: str) -> bool:
    return any(level in str(value)[:40] for level in levels) and not str(value).startswith("refused: ")


@pytest.mark.parametrize("name", OWN)
def test_none_of_ours_gets_anywhere(engine: SealedEngine, canary: Path, port: int, name: str) -> None:
    value = outcome(engine, name, aimed(OWN[name], canary, port))
    assert not reached(value, "L1:", "L2:") or name == "channel_tagged_dict", value


@pytest.mark.parametrize("name", [name for name in OWN if not name.startswith("dos")])
def test_without_the_gate_none_of_ours_has_an_effect(engine: SealedEngine, canary: Path, port: int, name: str) -> None:
    with mock.patch("uac_nb.runtime.engine.gate"):
        value = outcome(engine, name, aimed(OWN[name], canary, port))
    assert not reached(value, "L2:"), value


def test_none_of_theirs_gets_anywhere(engine: SealedEngine, shared: Path, canary: Path, port: int) -> None:
    attacks = theirs(shared)
    assert len(attacks) == 62
    values = {name: outcome(engine, name, aimed(code, canary, port)) for name, code in attacks.items()}
    assert {name: value for name, value in values.items() if reached(value, "L1:", "L2:")} == {}


def test_without_the_gate_none_of_theirs_has_an_effect(engine: SealedEngine, shared: Path, canary: Path, port: int) -> None:
    attacks = {name: code for name, code in theirs(shared).items() if not name.startswith("d")}
    with mock.patch("uac_nb.runtime.engine.gate"):
        values = {name: outcome(engine, name, aimed(code, canary, port)) for name, code in attacks.items()}
    assert {name: value for name, value in values.items() if reached(value, "L2:")} == {}


@pytest.mark.skipif("UAC_SOAK" not in os.environ, reason="it takes minutes; `make soak` runs it")
@pytest.mark.skipif(bool(wasi.missing()), reason=wasi.missing())
@pytest.mark.parametrize("gated", [True, False])
def test_soak_none_gets_out_of_webassembly(shared: Path, canary: Path, port: int, gated: bool) -> None:
    with WasiEngine() as engine, nullcontext() if gated else mock.patch("uac_nb.runtime.engine.gate"):
        for name, code in {**OWN, **theirs(shared)}.items():
            value = outcome(engine, name, aimed(code, canary, port))
            assert not reached(value, "L1:" if gated and name != "channel_tagged_dict" else "L2:", "L2:"), (name, value)


def theirs(shared: Path) -> dict[str, str]:
    return {path.stem: path.read_bytes().decode() for path in sorted((shared / "attacks").glob("*.py"))}


@pytest.mark.parametrize("who", ["nobody", "root"])
def test_the_seal_alone_lets_nothing_out(canary: Path, port: int, who: str) -> None:
    attacks = {name: aimed(code, canary, port) for name, code in OWN.items() if not name.startswith(("dos", "text"))}
    check_bare(attacks, who)


@pytest.mark.parametrize("who", ["nobody", "root"])
def test_the_seal_alone_lets_nothing_of_theirs_out(shared: Path, canary: Path, port: int, who: str) -> None:
    attacks = {name: aimed(code, canary, port) for name, code in theirs(shared).items() if not name.startswith(("d", "u"))}
    check_bare(attacks, who)


def test_the_seal_alone_ends_what_does_not_end(canary: Path, port: int) -> None:
    check_bare({name: code for name, code in OWN.items() if name.startswith("dos")}, "nobody")


def check_bare(attacks: dict[str, str], who: str) -> None:
    """Run attacks with nothing but the seal around them. As nobody: where the tests run as root, a child gives that up."""
    if who == "root" and os.geteuid() != 0:
        pytest.skip("only root can stay root")
    command = [sys.executable, "-I", "-S", str(HERE / "bare.py"), who]
    done = subprocess.run(command, env={}, input=json.dumps(attacks), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.keys() == attacks.keys()
    assert {name: value for name, value in found.items() if value.startswith("L2")} == {}
    assert all(name.startswith("dos") for name in found) or any(value.startswith("L1") for value in found.values())


def test_the_host_is_gone_and_so_is_the_child(tmp_path: Path) -> None:
    """A host that is killed while a query runs leaves no process behind."""
    script = f"""
import sys, threading, time
sys.path.insert(0, {str(HERE.parents[1])!r})
from datetime import date
from uac_nb.runtime import SealedEngine
engine = SealedEngine()
engine.run("1", today=date(2025, 1, 1))
endless = dict(today=date(2025, 1, 1), deadline=60)
threading.Thread(target=engine.run, args=("while True: pass",), kwargs=endless, daemon=True).start()
print(engine._held.process._process.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout
        worker = int(host.stdout.readline())
        child = busy_child(worker)
        fd = os.pidfd_open(child)
        host.send_signal(signal.SIGKILL)
    assert select.select([fd], [], [], 10)[0], "the child is still there"
    os.close(fd)


def busy_child(pid: int) -> int:
    """Wait until a child of a process has computed for a while."""
    while True:
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            with suppress(FileNotFoundError, ProcessLookupError):
                user_time = int(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11])
                if user_time >= 5:  # ticks of a hundredth of a second
                    return int(child)
        os.sched_yield()
