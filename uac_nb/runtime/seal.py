"""The boundary: what a process may still do after it has sealed itself, which is to compute and to write to one pipe.

Linux only (seccomp), x86_64 and aarch64, as root and as anybody else. The filter is raw BPF, so nothing has to be
installed. Standard library only; run as a script it seals itself and tries to get out, which is how `available` knows.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

if sys.platform == "linux":
    import resource

NAME = "sealed (seccomp)"
_NOBODY = 65534
OUT = 3  # the one descriptor that a sealed process may write to

_FREE = "brk clock_gettime exit exit_group futex getrandom gettimeofday madvise mremap munmap rt_sigreturn sigaltstack"
_NO_CODE = "mmap mprotect"  # allowed, but not to make memory executable
_NUMBERS = {
    "x86_64": {
        "write": 1, "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigreturn": 15, "mremap": 25, "madvise": 28,
        "exit": 60, "gettimeofday": 96, "sigaltstack": 131, "futex": 202, "clock_gettime": 228, "exit_group": 231,
        "getrandom": 318,
    },
    "aarch64": {
        "write": 64, "exit": 93, "exit_group": 94, "futex": 98, "clock_gettime": 113, "sigaltstack": 132, "rt_sigreturn": 139,
        "gettimeofday": 169, "brk": 214, "munmap": 215, "mremap": 216, "mmap": 222, "mprotect": 226, "madvise": 233,
        "getrandom": 278,
    },
}  # fmt: skip
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000  # refuse: the call fails with EPERM
_NUMBER, _ARCHITECTURE, _FIRST, _THIRD = 0, 4, 16, 32  # offsets in struct seccomp_data, little-endian
_PROT_EXEC = 4

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _FILTER = 1, 22, 38, 2


@dataclass(frozen=True)
class Boundary:
    """What stands between generated code and the machine. `why` says what is missing where it is not `ok`."""

    name: str
    ok: bool
    why: str = ""


@lru_cache(maxsize=1)
def available() -> Boundary:
    """Which boundary this machine offers, tried out in a process of its own."""
    if why := unfit():
        return Boundary("none", False, why)
    command = [sys.executable, "-I", "-S", os.path.abspath(__file__)]
    try:
        done = subprocess.run(command, env={}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        return Boundary("none", False, f"no process could be started: {error}")
    if done.stdout != "sealed":
        said = done.stderr.strip().rpartition("\n")[2] or f"it ended with {done.returncode}"
        return Boundary("none", False, f"a process could not be sealed: {said}")
    return Boundary(NAME, True)


def unfit() -> str:
    """Why no process can be sealed on this machine; empty where it can be tried."""
    if sys.platform != "linux":
        return f"seccomp is a part of Linux, and this is {sys.platform}"
    if platform.machine() not in _NUMBERS or sys.byteorder != "little" or struct.calcsize("P") != 8:
        return f"the system calls of {platform.machine()} are not known here"
    return "" if sys.executable else "it is not known where Python is (sys.executable is empty)"


def seal(memory: int, seconds: int) -> None:
    """Close this process in for good: no files, processes or network, `memory` more bytes, `seconds` of computing.

    Descriptor `OUT` is the only one that it can write to. Raise OSError when any of it fails.
    """
    os.closerange(OUT + 1, 1 << 16)
    _limit(memory, seconds)
    _become_nobody()
    die_with_parent()  # again: becoming another user takes it back
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    code = _filter(platform.machine())
    buffer = ctypes.create_string_buffer(code)
    # struct sock_fprog: the number of instructions, then where they are
    program = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer)))
    _prctl(_PR_SET_SECCOMP, _FILTER, ctypes.addressof(program))


def die_with_parent() -> None:
    """Have this process killed when the one that forked it ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


@lru_cache(maxsize=1)
def libc() -> ctypes.CDLL:
    """The C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, *values: int) -> None:
    padded = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    if libc().prctl(option, *padded) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl({option}): {os.strerror(number)}")


def _limit(memory: int, seconds: int) -> None:
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    limits = {
        resource.RLIMIT_AS: now + memory, resource.RLIMIT_CPU: seconds, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 0, resource.RLIMIT_NPROC: 0,
    }  # fmt: skip
    for limit, value in limits.items():
        hard = resource.getrlimit(limit)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (value, value))


def _become_nobody() -> None:
    """Give up root, in depth. Where that cannot be (a container that maps one user only), the filter holds all the same."""
    if os.geteuid() == 0:
        with suppress(OSError):
            os.setgroups([])
            os.setresgid(_NOBODY, _NOBODY, _NOBODY)
            os.setresuid(_NOBODY, _NOBODY, _NOBODY)


def _filter(machine: str) -> bytes:
    """The BPF program, eight bytes an instruction: code, jump if true, jump if false, operand."""
    numbers = _NUMBERS[machine]
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, _AUDIT[machine]), (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL),  # the x32 calls of x86_64
        (_EQUAL, 0, 4, numbers["write"]), (_LOAD, 0, 0, _FIRST), (_EQUAL, 0, 1, OUT), (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]  # fmt: skip
    for name in _NO_CODE.split():
        steps += [
            (_EQUAL, 0, 4, numbers[name]), (_LOAD, 0, 0, _THIRD), (_ANY_BIT, 0, 1, _PROT_EXEC), (_RETURN, 0, 0, _REFUSE),
            (_RETURN, 0, 0, _ALLOW),
        ]  # fmt: skip
    for name in _FREE.split():
        steps += [(_EQUAL, 0, 1, numbers[name]), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("<HBBI", *step) for step in [*steps, (_RETURN, 0, 0, _REFUSE)])


def holds() -> str:
    """Whether the seal of this process holds: empty, or what it could still do."""
    attempts: dict[str, Callable[[], object]] = {
        "open a file": lambda: os.open("/", os.O_RDONLY),
        "make a process": lambda: os.fork() or os._exit(0),
        "send a signal": lambda: os.kill(os.getpid(), 0),
    }
    for what, attempt in attempts.items():
        try:
            attempt()
        except OSError:
            continue
        return f"it can still {what}"
    return ""


if __name__ == "__main__":
    os.dup2(1, OUT)
    seal(memory=64 << 20, seconds=10)
    os.write(OUT, (holds() or "sealed").encode())
