"""Which engine runs code on this machine: the best boundary that there is, else none and only what the person trusts."""

from __future__ import annotations

from functools import partial

from uac_nb.runtime import seal, trust, wasi
from uac_nb.runtime.plain import PlainEngine
from uac_nb.runtime.programs import Engine
from uac_nb.runtime.seal import Boundary
from uac_nb.runtime.sealed import SealedEngine
from uac_nb.runtime.wasi import WasiEngine


def boundary() -> Boundary:
    """What stands between generated code and this machine."""
    found = seal.available()
    if found.ok:
        return found
    missing = wasi.missing()
    return Boundary("none", False, f"{found.why}; {missing}") if missing else Boundary(WasiEngine.name, True)


def engine(user: str, name: str) -> Engine:
    """The engine for a user (the UUID of the log, and the name for what is said)."""
    found = boundary()
    if not found.ok:
        ask = f"read {name}'s project, then say: uac-nb trust {name}"
        return PlainEngine(partial(trust.holds, user), why=found.why, ask=ask)
    return SealedEngine() if found.name == SealedEngine.name else WasiEngine()
