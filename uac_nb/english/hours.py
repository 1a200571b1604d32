"""Hours of the day as people say them: "at 3pm", "half past three", "7-9pm", "at noon"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import time

from uac_nb.english.amounts import CODES
from uac_nb.english.numbers import COUNTS


@dataclass(frozen=True, slots=True)
class Clock:
    """An hour of the day, or two. `unsure` where only habit tells morning from evening ("at 7")."""

    start: int
    end: int
    at: time
    until: time | None = None
    unsure: bool = False


_HALF = r"(?P<half>[ap]\.?m\b\.?)"
_HOUR = re.compile(
    rf"(?:\b(?:at|around|by|from|between|@)\s+|@)?\b(?P<h>\d{{1,2}})(?::(?P<m>[0-5]\d))?\s?{_HALF}|"
    r"(?:\b(?:at|around|from|between|@)\s+|@)?\b(?P<h24>[01]?\d|2[0-3]):(?P<m24>[0-5]\d)\b(?!:)|"
    r"\b(?:at|kl\.?)\s+(?P<hdot>[01]?\d|2[0-3])\.(?P<mdot>[0-5]\d)\b(?!\.?\d|\s*[%$€£]|\s+(?:[a-z]{1,2}|euros?|dollars?|pounds?|"
    rf"each|per|percent|miles?|{CODES})\b(?<!\son)(?<!\sin)(?<!\sat)(?<!\si)(?<!\swe))|"
    r"\bat\s+(?P<bare>\d{1,2})(?:\s+o'?clock)?\b(?![:/.,]\d|%|\s*(?:am|pm)\b|\s+(?:[a-z]+s|people|percent|st|street|"
    r"main)\b|\s*(?-i:[A-Z]))|\b(?:between|from)\s+(?P<low>\d{1,2})(?=\s*(?:and|to|-|–|until)\s*\d{1,2}\b\s*(?:$|[.,;!?]))|"
    r"(?<=\d\sand\s)(?P<high>\d{1,2})(?=\s*(?:$|[.,;!?]))|(?<=\d\sto\s)(?P<high2>\d{1,2})(?=\s*(?:$|[.,;!?]))|"
    r"\b(?:at\s+)?(?P<word>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_WORDS = tuple(word for word in COUNTS if word not in ("a", "an"))
_TWELVE = rf"(?:{'|'.join(_WORDS)}|1[0-2]|[1-9])"
_AFTER_HOUR = r"(?=\s*(?:$|[.,;!?)–—-]|[ap]\.?m\b|(?:on|in|this|tomorrow|tonight|today|with|for|and|then|until|to|next)\b))"
_SPOKEN = re.compile(
    rf"\b(?:(?:at|around|by|from)\s+)?(?:(?P<past>half|(?:a\s+)?quarter|twenty-five|twenty|ten|five|25|20|10|5)\s+(?:past|after)\s+"
    rf"(?P<h>{_TWELVE})|(?P<to>(?:a\s+)?quarter|(?<=at\s)(?:twenty-five|twenty|ten|five|25|20|10|5))\s+(?:to|of|before|till)\s+"
    rf"(?P<next>{_TWELVE})|(?<=at\s)half\s+(?P<half>{_TWELVE})|(?P<sharp>{_TWELVE})\s*o'?clock|"
    rf"(?<=at\s)(?P<even>{'|'.join(_WORDS)})(?:[ -](?P<minutes>fifteen|thirty|forty-five))?{_AFTER_HOUR})\b(?![:.]\d)"
    r"(?:\s?(?P<m>[ap])\.?m\b\.?)?",
    re.IGNORECASE,
)
_MINUTES = {"quarter": 15, "half": 30, "fifteen": 15, "twenty": 20, "twenty-five": 25, "thirty": 30, "forty-five": 45}
_HALVED = re.compile(r"[ap]\.?m\b\.?$", re.IGNORECASE)
_OPEN = re.compile(r"\b(?P<h>\d{1,2})(?::(?P<m>[0-5]\d))?\s*(?:-|–|to)\s*$")  # "7-9pm": the first hour without its half
_TO = re.compile(r"\s*(?:-|–|to|until|till|and)\s*")
_EVENING = re.compile(r"\b(?:dinner|supper|tonight|evening|night|drinks|concert|gig|movie|party|show)\b", re.IGNORECASE)
_MORNING = re.compile(r"\b(?:breakfast|brunch|morning)\b", re.IGNORECASE)


def hours(text: str) -> list[Clock]:
    """Return the hours named in a text; "between 10 AM and 2 PM" and "7-9pm" are one.

    >>> [(f"{c.at:%H:%M}", c.until and f"{c.until:%H:%M}") for c in hours("Tuesday at 3pm, then 10:30 to 11:15")]
    [('15:00', None), ('10:30', '11:15')]
    """
    found: list[Clock] = []
    spoken = [_spoken(match, text) for match in _SPOKEN.finditer(text)]
    told = [clock for match in _HOUR.finditer(text) if (clock := _clock(match, text))]
    told = [clock for clock in told if not any(other.start < clock.end and clock.start < other.end for other in spoken)]
    for clock in sorted((*spoken, *told), key=lambda clock: clock.start):
        last = found[-1] if found else None
        before = max(0, clock.start - 20)
        if last and not last.until and _TO.fullmatch(text, last.end, clock.start):
            found[-1] = Clock(last.start, clock.end, last.at, clock.at, last.unsure and clock.unsure)
        elif (open_ := _OPEN.search(text, before, clock.start)) and _HALVED.search(text, clock.start, clock.end):
            opening = _opening(open_, clock.at)
            found += [Clock(open_.start(), clock.end, opening, clock.at) if opening else clock]
        else:
            found.append(clock)
    return found


def _spoken(match: re.Match[str], text: str) -> Clock:
    """Read "half past three", "quarter to four", "at half three" (as the British say), "eight o'clock", "at three thirty"."""
    hour = _number(next(h for h in match.group("h", "next", "half", "sharp", "even") if h))
    part = match["past"] or match["to"] or match["minutes"] or ("half" if match["half"] else "0")
    minute = _number(part.split()[-1])
    if match["to"]:
        hour, minute = (hour - 1) or 12, 60 - minute
    if match["m"]:
        return Clock(match.start(), match.end(), time(hour % 12 + 12 * (match["m"].lower() == "p"), minute))
    return _of_the_day(match, hour, minute, text)


def _number(word: str) -> int:
    word = word.lower()
    return int(word) if word.isdigit() else (_MINUTES | COUNTS)[word]


def _clock(match: re.Match[str], text: str) -> Clock | None:
    start, end = match.span()
    if match["word"]:
        night = match["word"].lower() == "midnight"
        return Clock(start, end, time(0 if night else 12), unsure=night)  # that before the day, or that after
    digital = match["h24"] or match["hdot"]
    hour = int(match["h"] or digital or match["bare"] or match["low"] or match["high"] or match["high2"])
    minute = int(match["m"] or match["m24"] or match["mdot"] or 0)
    if match["half"]:
        late = match["half"].lower().startswith("p")
        return Clock(start, end, time(hour % 12 + 12 * late, minute)) if 1 <= hour <= 12 else None
    if hour > 24 or (digital and (hour > 12 or digital.startswith("0"))):
        return Clock(start, end, time(hour, minute)) if hour < 24 else None
    return _of_the_day(match, hour, minute, text, digital=bool(digital))


def _of_the_day(match: re.Match[str], hour: int, minute: int, text: str, *, digital: bool = False) -> Clock:
    """Put an hour of twelve into the half of the day that the words tell, else the usual one.

    From eight on, "8:15" is as clear as "9:15": in the evening people say so.
    """
    near = text[max(0, match.start() - 200) : match.end() + 200]
    evening, morning = bool(_EVENING.search(near)) or hour > 12, bool(_MORNING.search(near))
    if hour < 12 and not morning and (evening or hour < 8):
        hour += 12
    unsure = not (evening or morning) and hour % 12 in range(5, 8 if digital else 9)
    return Clock(match.start(), match.end(), time(hour % 24, minute), unsure=unsure)


def _opening(match: re.Match[str], until: time) -> time | None:
    """Return the first hour of "7-9pm": in the same half of the day where it then comes first; None for "25-9pm"."""
    if int(match["h"]) > 12:
        return None
    early = time(int(match["h"]) % 12, int(match["m"] or 0))
    late = early.replace(hour=early.hour + 12)
    return late if late < until else early
