"""What a benchmark found: figures with the limits that they should keep, as a table and as JSON."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One number and its unit, with the most or the least that it should be (None: it is only told)."""

    name: str
    value: float
    unit: str = "ms"
    limit: float | None = None
    least: float | None = None

    @property
    def holds(self) -> bool:
        return (self.limit is None or self.value <= self.limit) and (self.least is None or self.value >= self.least)


def timed(work: Callable[[], object], times: int, pause: float = 0.0) -> float:
    """How long some work takes, in milliseconds: the median of so many times, after one that does not count.

    `pause` is the time between them, in seconds.
    """
    work()
    return median(_once(work, pause) for _ in range(times))


def _once(work: Callable[[], object], pause: float) -> float:
    time.sleep(pause)
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def machine() -> str:
    """What it ran on, and how busy that was."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"Python {platform.python_version()} on {_processor()}, {cores} core{'s' * (cores > 1)}{load}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def table(figures: Iterable[Figure], title: str) -> str:
    """One figure a line: whether it holds, what it is, its limit."""
    lines = [title]
    for f in figures:
        mark = "ok" if f.holds else "LESS" if f.least is not None else "SLOW" if f.unit == "ms" else "OVER"
        limit = f"(at most {f.limit:,.0f} {f.unit})" if f.limit is not None else ""
        limit += f"(at least {f.least:,.0f} {f.unit})" if f.least is not None else ""
        lines.append(f"{mark:<5}{f.name:<70}{f.value:>9,.1f} {f.unit:<3} {limit}".rstrip())
    return "\n".join(lines)


def as_json(figures: Iterable[Figure]) -> dict[str, Any]:
    return {"machine": machine(), "figures": [{**asdict(f), "holds": f.holds} for f in figures]}
