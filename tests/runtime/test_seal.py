"""The system call filter, run step by step on both architectures, and what this machine says of it."""

from __future__ import annotations

import errno
import re
import struct
import sys
from pathlib import Path

import pytest

from uac_nb.runtime import Boundary, available, seal

ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
X86, ARM = 0xC000003E, 0xC00000B7


def decide(machine: str, architecture: int, number: int, *arguments: int) -> int:
    """What the filter answers to a call: classic BPF over struct seccomp_data."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("<iIQ6Q", number, architecture, 0, *padded)
    code = seal._filter(machine)
    steps = [struct.unpack_from("<HBBI", code, at) for at in range(0, len(code), 8)]
    assert len(steps) < 256, "jumps are one byte"
    at, value = 0, 0
    while True:
        operation, yes, no, operand = steps[at]
        at += 1
        match operation:
            case 0x20:  # load
                (value,) = struct.unpack_from("<I", data, operand)
            case 0x15:  # equal
                at += yes if value == operand else no
            case 0x35:  # at least
                at += yes if value >= operand else no
            case 0x45:  # any of these bits
                at += yes if value & operand else no
            case 0x06:
                return int(operand)


CALLS = {
    "x86_64": (
        X86,
        {"write": 1, "mmap": 9, "mprotect": 10, "brk": 12, "exit_group": 231},
        {
            "read": 0, "open": 2, "close": 3, "rt_sigaction": 13, "ioctl": 16, "dup": 32, "sendfile": 40, "socket": 41,
            "connect": 42, "clone": 56, "fork": 57, "execve": 59, "kill": 62, "unlink": 87, "ptrace": 101, "getppid": 110,
            "prctl": 157, "openat": 257, "prlimit64": 302, "seccomp": 317, "bpf": 321, "execveat": 322, "io_uring_setup": 425,
            "clone3": 435,
        },
    ),
    "aarch64": (
        ARM,
        {"write": 64, "mmap": 222, "mprotect": 226, "brk": 214, "exit_group": 94},
        {
            "dup": 23, "ioctl": 29, "unlinkat": 35, "openat": 56, "close": 57, "read": 63, "sendfile": 71, "ptrace": 117,
            "kill": 129, "rt_sigaction": 134, "prctl": 167, "getppid": 173, "socket": 198, "connect": 203, "clone": 220,
            "execve": 221, "prlimit64": 261, "seccomp": 277, "bpf": 280, "execveat": 281, "io_uring_setup": 425, "clone3": 435,
        },
    ),
}  # fmt: skip


# Where the kernel's headers say the numbers (linux-libc-dev, kernel-headers). aarch64 has the generic ones.
HEADERS = {
    "x86_64": ("x86_64-linux-gnu/asm/unistd_64.h", "asm/unistd_64.h"),
    "aarch64": ("asm-generic/unistd.h",),
}


def numbers(machine: str) -> dict[str, int]:
    """The numbers of all system calls, by name."""
    found = [file for name in HEADERS[machine] if (file := Path("/usr/include", name)).is_file()]
    if not found:
        pytest.skip("the kernel's headers are not installed (linux-libc-dev)")
    return {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)\n", found[0].read_text())}


@pytest.mark.parametrize("machine", CALLS)
def test_the_numbers_are_those_of_the_kernel(machine: str) -> None:
    kernel = numbers(machine)
    _, allowed, refused = CALLS[machine]
    for ours in (seal._NUMBERS[machine], allowed, refused):
        assert {name: kernel[name] for name in ours} == ours


def test_the_architectures_are_those_of_the_kernel() -> None:
    header = Path("/usr/include/linux/elf-em.h")
    if not header.is_file():
        pytest.skip("the kernel's headers are not installed (linux-libc-dev)")
    kernel = dict(re.findall(r"#define EM_(\w+)\s+(\d+)", header.read_text()))
    little_endian_64_bits = 0xC0000000
    assert little_endian_64_bits | int(kernel["X86_64"]) == seal._AUDIT["x86_64"] == X86
    assert little_endian_64_bits | int(kernel["AARCH64"]) == seal._AUDIT["aarch64"] == ARM


@pytest.mark.parametrize("machine", CALLS)
def test_only_computing_and_the_one_pipe_are_let_through(machine: str) -> None:
    architecture, allowed, refused = CALLS[machine]
    for name, number in allowed.items():
        arguments = (seal.OUT,) if name == "write" else ()
        assert decide(machine, architecture, number, *arguments) == ALLOW, name
    for name, number in refused.items():
        assert decide(machine, architecture, number) == REFUSE, name
    assert [n for n in range(1024) if decide(machine, architecture, n, seal.OUT) == ALLOW] == sorted(
        seal._NUMBERS[machine].values()
    )


@pytest.mark.parametrize("machine", CALLS)
def test_writing_goes_to_the_one_pipe(machine: str) -> None:
    architecture, allowed, _ = CALLS[machine]
    answers = {fd: decide(machine, architecture, allowed["write"], fd) for fd in (0, 1, 2, 3, 4, 1023)}
    assert [fd for fd, answer in answers.items() if answer == ALLOW] == [3]


@pytest.mark.parametrize("machine", CALLS)
@pytest.mark.parametrize("name", ["mmap", "mprotect"])
def test_no_memory_becomes_executable(machine: str, name: str) -> None:
    architecture, allowed, _ = CALLS[machine]
    for protection, answer in {0: ALLOW, 1: ALLOW, 3: ALLOW, 4: REFUSE, 5: REFUSE, 7: REFUSE}.items():
        assert decide(machine, architecture, allowed[name], 0, 4096, protection) == answer


def test_calls_of_another_architecture_are_the_end() -> None:
    assert decide("x86_64", 0x40000003, 4) == KILL  # 32 bits
    assert decide("x86_64", X86, 0x40000000 | 1, seal.OUT) == KILL  # x32
    assert decide("aarch64", 0x40000028, 4) == KILL  # 32 bits


def test_another_system_is_told_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    available.cache_clear()
    assert available() == Boundary("none", False, "seccomp is a part of Linux, and this is darwin")
    available.cache_clear()


def test_another_machine_is_told_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert seal.unfit() == "the system calls of riscv64 are not known here"


@pytest.mark.skipif(sys.platform != "linux", reason="seccomp is a part of Linux")
def test_a_seal_that_does_not_hold_is_no_boundary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    available.cache_clear()
    assert available() == Boundary("none", False, "a process could not be sealed: it ended with 0")
    available.cache_clear()
