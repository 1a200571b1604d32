"""Times of day in a question: "before 07:00", "at or after 23:00 (or between 00:00 and 02:59)"."""

from __future__ import annotations

import re
from datetime import time

from uac_nb.ask.plan import Condition, clocked
from uac_nb.ask.question import Question
from uac_nb.ask.view import Slot, View

_T = r"(?:\d\d?:\d\d(?: ?[ap]m)?|\d\d? ?[ap]m|noon|midnight)"
_RANGES = (
    (rf"between ({_T}) and ({_T})", ".."),
    (rf"(?:at or after|from|starting at|not before) ({_T})(?: or later| or after)?", ">="),
    (rf"(?:at or before|by|no later than) ({_T})", "<="),
    (rf"(?:after|later than|past) ({_T})", ">"),
    (rf"(?:before|earlier than) ({_T})", "<"),
    (rf"(?:at )?({_T}) or (?:later|after)", ">="),
    (rf"(?:at )?({_T}) or (?:earlier|before)", "<="),
    (rf"at ({_T})", "=="),
)
_VERBS = {
    "start": "start begin open",
    "end": "end finish close",
    "time": "start begin",
    "starts": "start begin",
    "ends": "end finish",
}


def clock(q: Question, view: View, spoken: set[str]) -> Condition | None:
    """The condition that the times of day in a question make, and take them out of it."""
    times = [s for s in view.slots if s.kind == "time"]
    if not times or not q.has(rf".*{_T}"):
        return None
    ranges: list[tuple[str, time, time | None]] = []
    for _ in range(4):
        for pattern, op in _RANGES:
            if m := q.eat(pattern):
                ranges.append((op, moment(m[1]), moment(m[2]) if op == ".." else None))
                break
    if len(ranges) > 1 and not q.eat("· or ·"):
        return None
    s = _meant(times, spoken)
    if s is None or not ranges or (len(ranges) == 1 and ranges[0][0] != ".." and _past_midnight(view, s)):
        return None
    q.eat_roots({v for w in s.name.split("_") for v in _VERBS.get(w, "").split()})
    return clocked(s, tuple(ranges))


def _meant(times: list[Slot], spoken: set[str]) -> Slot | None:
    named = [s for s in times if (s.labels - {"time"}) & spoken]
    named = named or [s for s in times if {v for w in s.name.split("_") for v in _VERBS.get(w, "").split()} & spoken]
    found = named or times
    return found[0] if len(found) == 1 else None


def _past_midnight(view: View, s: Slot) -> bool:
    """Whether the times go on past midnight, as bedtimes do: then "after 23:00" says too little."""
    hours = {t.hour for t in view.all_of(s)}
    return min(hours, default=12) < 6 and max(hours, default=12) >= 18


def moment(text: str) -> time:
    """
    >>> moment("7 pm"), moment("23:15"), moment("noon")
    (datetime.time(19, 0), datetime.time(23, 15), datetime.time(12, 0))
    """
    if text in ("noon", "midnight"):
        return time(12 if text == "noon" else 0)
    hour, minute = (int(n) for n in (*re.findall(r"\d+", text), "0")[:2])
    if "m" in text:
        hour = hour % 12 + (12 if "p" in text else 0)
    return time(hour % 24, minute % 60)
