"""Running code that somebody else wrote, where it can do no harm.

    programs    what runs: types, records, definitions, rules
    engine      the host's side, whatever the boundary: gate, load, run, rules
    sealed      `SealedEngine`: Linux with seccomp
    worker      its sealed process: loads once, forks a child a call, kills it at its deadline
    pages       the memory that a child shares with it, copied before it is asked
    seal        the boundary around a child: resource limits and a system call filter
    child       what a child does: a query, or the rules
    oneshot     engines that start anew for every call, and once, which they start:
    wasi        `WasiEngine`: CPython in WebAssembly
    plain       `PlainEngine`: no boundary, and so only what the person trusts
    choosing    which of them it is on this machine
    sandbox     the names, modules and attributes that code sees there

The boundary is the seal, or WebAssembly. The gate and the sandbox are for precise messages and in depth.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uac_nb.runtime.programs import Engine, Program, Result, RuleRun, program
    from uac_nb.runtime.seal import Boundary, available
    from uac_nb.runtime.sealed import SealedEngine

__all__ = ["Boundary", "Engine", "Program", "Result", "RuleRun", "SealedEngine", "available", "program"]

# Loaded at first use: the sealed process imports parts of this package and should start fast.
_HOME = dict.fromkeys(["Engine", "Program", "Result", "RuleRun", "program"], "programs") | {
    "Boundary": "seal", "SealedEngine": "sealed", "available": "seal",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"uac_nb.runtime has no {name!r}")
    return getattr(import_module(f"uac_nb.runtime.{_HOME[name]}"), name)
