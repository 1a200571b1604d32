"""The expressions for days, weeks, months and years, and what each means on the day it is said.

Each rule is a pattern and a function that resolves one match to the widest `When` text that the words prove, or to None
where they do not name a date after all ("I may", "finished in two weeks").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from uac_nb.english.calendar import (
    AFTER_EASTER,
    FEASTS,
    MONTHS,
    SEASONS,
    WEEKDAYS,
    date_of,
    each_year,
    feast_day,
    shifted,
    weekday_number,
)  # fmt: skip
from uac_nb.english.numbers import COUNTS, VAGUE
from uac_nb.english.text import compiled, one_of
from uac_nb.rules import When, add_months

Tense = Literal["past", "present", "future"]

RELATIVE_DAYS = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tomorrow": 1, "day after tomorrow": 2,
}  # fmt: skip

MONTH = rf"(?P<month>{one_of(MONTHS)})\b\.?"
WEEKDAY = rf"(?P<weekday>{one_of(WEEKDAYS)})\b(?!-)\.?"
DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b(?![:%]|[.,]\d| ?(?:am|pm)\b)"
YEAR = r"(?:,? (?:of )?(?P<year>(?:19|20)\d\d)\b(?![-/]?\d)| '(?P<short>\d\d)\b)?"
WHICH = "(?:(?P<which>this past|past|last|this|next|coming|this coming) )?"
COUNT = rf"(?P<count>\d{{1,3}}|{one_of(COUNTS)}|(?:a )?couple(?: of)?|a few|several)"
ABOUT = "(?:(?P<about>about|around|roughly|approximately|almost|nearly|over|more than|some|just over|just under) )?"
UNIT = r"(?P<unit>day|night|week|month|year|decade)s?"


@dataclass(frozen=True, slots=True)
class Reference:
    """What an expression is resolved against: the day it was said, the tense of its clause, and the date named before it."""

    today: date
    tense: Tense
    before: date | None = None
    since: date | None = None  # the first of the days that `before` ends

    def nearest(self, candidates: list[date]) -> date | None:
        """Of the days that the words can mean the one that the tense does."""
        days = sorted(candidates)
        if self.tense == "past":
            return next((d for d in reversed(days) if d <= self.today), None)
        return next((d for d in days if d >= self.today), None)


NO_DAY = ""  # no date at all: nor is any part of the match ("the 31st of June")
Found = tuple[str, str | None, bool] | str | date | None  # (when, doubt, yearless)


# --- days and months with a name ---


def _calendar_day(match: re.Match[str], reference: Reference) -> Found:
    month, day = MONTHS[match["month"].lower()], int(match["day"])
    year = _year(match)
    bare = match["month"] == "may" and match.start("month") < match.start("day") and not match["weekday"]
    if bare and year is None and not _led(match):
        return None  # "I may 5 times out of 10"
    if year is None:
        resolved = reference.nearest(each_year(reference.today, month, day))
        return (resolved.isoformat(), _weekday_doubt(match, resolved), True) if resolved else NO_DAY
    if (resolved := date_of(year, month, day)) is None:
        return NO_DAY
    return resolved.isoformat(), _weekday_doubt(match, resolved), False


def _year(match: re.Match[str]) -> int | None:
    if match["year"]:
        return int(match["year"])
    return 2000 + int(match["short"]) if match["short"] else None


def _weekday_doubt(match: re.Match[str], resolved: date) -> str | None:
    said = match.groupdict().get("weekday")
    if said is None or weekday_number(said) == resolved.weekday():
        return None
    word = _long(said)
    return f"said {word}, but {resolved:%B} {resolved.day}, {resolved.year} is a {resolved:%A}"


def _long(weekday: str) -> str:
    number = weekday_number(weekday)
    return next(name for name, n in WEEKDAYS.items() if n == number).capitalize()


def _month(match: re.Match[str], reference: Reference) -> Found:
    month = MONTHS[match["month"].lower()]
    word = match["month"]
    which = (match["which"] or "").lower()
    if year := _year(match):
        return f"{year}-{month:02d}"
    if not (which or _led(match)) and (not word[0].isupper() or word in ("May", "March")):
        return None  # "I may", "they march", "March on"
    return _month_text(reference, month, which), None, True


_LEAD = compiled(
    r"\b(?:in|on|since|until|till|by|of|during|early|mid-?|late|from|around|for|before|after|between) *$|"
    rf"\b(?:{one_of(MONTHS)}) (?:and|or|to|through|until|till|vs) $"
)


def _before(match: re.Match[str]) -> str:
    """Return what stands before a match, as much of it as can belong to it."""
    return match.string[max(0, match.start() - 60) : match.start()]


def _led(match: re.Match[str]) -> bool:
    """Whether a word before it makes a date of it: "in 2019", "until May"."""
    return bool(_LEAD.search(_before(match)))


def _month_text(reference: Reference, month: int, which: str) -> str:
    this = reference.today.replace(day=1)
    months = sorted(date(year, month, 1) for year in range(this.year - 1, this.year + 2))
    if which == "this":
        day = date(this.year, month, 1)
    elif which == "last" or (reference.tense == "past" and which != "next"):
        limit = add_months(this, -1) if which == "last" else this
        day = next(d for d in reversed(months) if d <= limit)
    else:
        limit = add_months(this, 1) if which == "next" else this
        day = next(d for d in months if d >= limit)
    return f"{day:%Y-%m}"


def _day_of_month(match: re.Match[str], reference: Reference) -> Found:
    """ "the 17th": after a date just named the next such day, else by tense."""
    number = int(match["day"])
    start = reference.before or reference.today
    days = [
        d
        for n in range(-3, 4)
        if (first := add_months(start.replace(day=1), n)) and (d := date_of(first.year, first.month, number))
    ]
    if reference.before and number < start.day and not reference.since and not _RETURN.search(_before(match)):
        return NO_DAY  # "on 22 August, and on the 20th …": of that month, or of the next
    if reference.before:
        resolved = next((d for d in days if d >= (reference.since or start)), None)
    elif match["weekday"]:
        weekday = weekday_number(match["weekday"])
        resolved = reference.nearest([d for d in days if d.weekday() == weekday])
    else:
        resolved = reference.nearest(days)
    return (resolved.isoformat(), _weekday_doubt(match, resolved), True) if resolved else None


_RETURN = compiled(r"\b(?:back|home|return\w*|until|till|through)\b|\bto $")


def _feast(match: re.Match[str], reference: Reference) -> Found:
    name = " ".join(match["feast"].lower().split())
    if name == "new year" and not _AT.search(_before(match)):
        return NO_DAY  # "a happy new year", "in the new year"
    if year := _year(match):
        return feast_day(name, year)
    if (match["which"] or "").lower() == "last":
        reference = Reference(reference.today, "past")
    day = reference.nearest([feast_day(name, year) for year in range(reference.today.year - 1, reference.today.year + 2)])
    return f"{day}~" if day and _AROUND.search(_before(match)) else day


_AT = compiled(r"\b(?:for|at|over|around) $")
_AROUND = compiled(r"\b(?:around|about) $")


_FEAST = compiled(rf"(?:(?:last|this|next) )?(?:{one_of((*FEASTS, *AFTER_EASTER))})\b")


def is_feast(words: str) -> bool:
    """Whether a day is told by the name of a feast, which stands for some days around it: "for Easter".

    >>> is_feast("next Easter"), is_feast("Friday")
    (True, False)
    """
    return bool(_FEAST.match(words))


def _season(match: re.Match[str], reference: Reference) -> Found:
    number = SEASONS[match["season"].lower()]
    if year := _year(match):
        return f"{year}-{number}"
    spans = [When(f"{year}-{number}") for year in range(reference.today.year - 2, reference.today.year + 3)]
    which = (match["which"] or "").lower()
    if which == "last":
        return next(s.text for s in reversed(spans) if s.last < reference.today)
    if which == "next":
        return next(s.text for s in spans if s.first > reference.today)
    if reference.tense == "past":
        return next(s.text for s in reversed(spans) if s.first <= reference.today)
    return next(s.text for s in spans if s.last >= reference.today)


# --- written as numbers ---


def _iso(match: re.Match[str], reference: Reference) -> Found:
    return date_of(int(match["y"]), int(match["m"]), int(match["d"]))


def _slashed(match: re.Match[str], reference: Reference) -> Found:
    """3/4/2025 has two readings: both are kept, and doubted."""
    a, b, year = int(match["a"]), int(match["b"]), int(match["y"])
    if match["mark"] == ".":
        return date_of(year, b, a)
    readings = sorted({d for d in (date_of(year, a, b), date_of(year, b, a)) if d})
    if len(readings) == 2:
        low, high = readings
        doubt = f"{match[0]} can be {low:%B} {low.day} or {high:%B} {high.day}, {year}"
        return f"{low.isoformat()}/{high.isoformat()}", doubt, False
    return readings[0] if readings else None


def _numbered(match: re.Match[str], reference: Reference) -> Found:
    """12.6. has the day first; of 3/6 another date of the text tells the order ("from 3/6 to 14/6"), or the weekday.

    Where neither does, both are kept, and doubted.
    """
    a, b, slashed = int(match["a"]), int(match["b"]), match["mark"] == "/"
    weekday = match["weekday"]
    if not (weekday or _LED_DAY.search(_before(match)) or (match["dot"] and not slashed)):
        return NO_DAY  # "12.2 km", "24/7"
    others = (
        [(int(x), int(y)) for x, y in _SLASHED.findall(match.string, max(0, match.start() - _FAR), match.end() + _FAR)]
        if slashed
        else [(31, 1)]
    )
    dayfirst, monthfirst = any(x > 12 for x, _ in others), any(y > 12 for _, y in others)
    orders = {(b, a)} if dayfirst > monthfirst else {(a, b)} if monthfirst > dayfirst else {(b, a), (a, b)}
    days = sorted(d for month, day in orders if (d := reference.nearest(each_year(reference.today, month, day))))
    fitting = [d for d in days if weekday and d.weekday() == weekday_number(weekday)]
    days = (
        [min(fitting, key=lambda d: abs(d - reference.today))] if fitting else days
    )  # with its weekday people tell a near day
    if len(days) == 1:
        return days[0].isoformat(), _weekday_doubt(match, days[0]), True
    if weekday or not days:
        return NO_DAY
    low, high = days
    return f"{low}/{high}", f"{a}/{b} can be {low:%B} {low.day} or {high:%B} {high.day}", False


_FAR = 200  # characters within which another date tells the order
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?![\d/])")
_LED_DAY = compiled(r"\b(?:on|until|till|by|from|since|before|after|to|and|for)(?: the)? *$|- *$")


def _plain_year(match: re.Match[str], reference: Reference) -> Found:
    return match["y"] if _led(match) else None


# --- weekdays ---


def _weekday(match: re.Match[str], reference: Reference) -> Found:
    number, which = weekday_number(match["weekday"]), (match["which"] or "").lower()
    today = reference.today
    since, ahead = (today.weekday() - number) % 7 or 7, (number - today.weekday()) % 7 or 7
    if match["week"]:
        shift = {"last": -7, "past": -7, "this": 0, "next": 7}[match["week"].lower()]
        return today - timedelta(today.weekday() - number) + timedelta(shift)
    if which in ("last", "past", "this past"):
        recent = today - timedelta(since)
        return (recent.isoformat(), _either(match, recent, recent - timedelta(7)), False) if since < 3 else recent
    if which == "next" and (number > today.weekday()):
        soon, later = today + timedelta(ahead), today + timedelta(ahead + 7)
        return f"{soon}/{later}", _either(match, soon, later), False
    if not which and reference.before and abs(reference.before - today) > timedelta(7):
        return None  # of the week of the date named before, or of this one: nobody can tell
    if which in ("", "this") and reference.tense == "past":
        return today - timedelta(since)
    return today + timedelta(ahead)


def _weekday_week(match: re.Match[str], reference: Reference) -> Found:
    """ "Tuesday week", as the British say: a week after the next Tuesday."""
    ahead = (weekday_number(match["weekday"]) - reference.today.weekday()) % 7 or 7
    return reference.today + timedelta(ahead + (7 if match["then"].lower() == "week" else 14))


def _either(match: re.Match[str], a: date, b: date) -> str:
    return f'"{match[0]}" can be {a:%B} {a.day} or {b:%B} {b.day}'


def _weekend(match: re.Match[str], reference: Reference) -> Found:
    today, which = reference.today, match["which"].lower()
    coming = today + timedelta((5 - today.weekday()) % 7) if today.weekday() != 6 else today - timedelta(1)
    past = reference.tense == "past" or which in ("last", "past", "this past")
    if which == "next" and today.weekday() < 5:
        return f"{coming}/{coming + timedelta(8)}", "which weekend is meant by next weekend", False
    saturday = coming + timedelta(7) if which == "next" else coming
    if past and (saturday > today or which in ("last", "past", "this past")):
        saturday -= timedelta(7)
    return f"{saturday}/{saturday + timedelta(1)}"


# --- so long ago, so long from now ---


def _relative_day(match: re.Match[str], reference: Reference) -> Found:
    return reference.today + timedelta(RELATIVE_DAYS[" ".join(match["word"].lower().split())])


def _relative_unit(match: re.Match[str], reference: Reference) -> Found:
    which = match["which"].lower()
    step = {"last": -1, "past": -1, "this": 0, "next": 1}[which]
    if match["beyond"]:
        step *= 2
    return shifted(reference.today, step, match["unit"].lower())


def _week_before_last(match: re.Match[str], reference: Reference) -> Found:
    return shifted(reference.today, -2, "week")


def _ago(match: re.Match[str], reference: Reference) -> Found:
    return _distance(match, reference, -1)


def _from_now(match: re.Match[str], reference: Reference) -> Found:
    if reference.tense == "past" and match[0].lower().startswith("in"):
        return None  # "finished it in two weeks"
    return _distance(match, reference, 1)


def _distance(match: re.Match[str], reference: Reference, sign: int) -> Found:
    unit, about = match["unit"].lower(), (match["about"] or "").lower()
    if (word := match["count"].lower().replace("a ", "").split()[0] if match["count"].lower() not in COUNTS else "") in VAGUE:
        low, high = VAGUE[word]
        ends = sorted((When(shifted(reference.today, sign * low, unit)), When(shifted(reference.today, sign * high, unit))))
        return f"{ends[0].first.isoformat()}/{ends[1].last.isoformat()}"
    count = COUNTS.get(match["count"].lower()) or int(match["count"])
    try:
        when = shifted(reference.today, sign * count, unit)
    except (OverflowError, ValueError):
        return None
    if about in ("over", "more than") and sign < 0:
        return f"../{when}"
    return f"{when}~" if about and "/" not in when else when


def _no_day(match: re.Match[str], reference: Reference) -> Found:
    return NO_DAY


def _just(match: re.Match[str], reference: Reference) -> Found:
    return f"{reference.today}~" if reference.tense == "past" else None


# --- the rules ---

# After "the 17th" nothing may stand that it would belong to: "the 4th time", "the 1st of each month".
_ALONE = r"(?= *(?:$|[.,;!?)–—-]|(?:and|to|at|in|for|with|until|till|through|but|so|from|i|we)\b))"
# A feast that only names a thing is no day of it: "the Christmas party", "Easter eggs".
_BY_ITSELF = (
    r"(?= *(?:$|[^\w\s]|(?:and|or|to|at|in|for|with|until|till|through|but|so|from|on|we|i|he|she|they|you|because|since|when|"
    r"while|by|as|is|was|will|this|next|last|again|after|before|my|our)\b))"
)
# Days that are called after a weekday, or after a feast of another calendar: we do not know them.
_OTHER_FEASTS = (
    rf"(?:black|cyber|giving|fat|super bowl|casual|small business) (?:{'|'.join(n for n in WEEKDAYS if n.endswith('day'))})|"
    r"(?:orthodox|greek|coptic|russian|serbian|chinese|lunar|jewish|persian) (?:easter|christmas|new year(?:'s)?)"
)
_UNIT = r"(?:am|pm|km|kg|mg|m|cm|g|ml|l|hours?|miles?|percent|euros?|dollars?|kr|nok|sek|dkk|eur|usd)\b"
_DOT = r"(?P<dot>\.(?= *(?:(?-i:[a-z])|\d+[:.]|[-–,)])))?"  # of "12.6."; one before a capital, or the end, ends a sentence
_NUMBERED = rf"\b(?:{WEEKDAY},? )?(?:the )?\b(?P<a>\d{{1,2}})(?P<mark>[/.])(?P<b>\d{{1,2}})\b{_DOT}(?![/:%]|[.,]\d| ?{_UNIT})"
_HAPPENED = (
    r"(?:\w+ed|got|bought|came|come|went|flew|moved|made|had|met|found|took|began|left|lost|won|sold|spent|paid|signed|"
    r"back|been)\b"
)
_PATTERNS: tuple[tuple[str, Callable[[re.Match[str], Reference], Found]], ...] = (
    (r"\b(?P<y>\d{4})(?P<mark>[-/.])(?P<m>\d\d)(?P=mark)(?P<d>\d\d)\b", _iso),
    (r"\b(?P<a>\d{1,2})(?P<mark>[-/.])(?P<b>\d{1,2})(?P=mark)(?P<y>(?:19|20)\d\d)\b", _slashed),
    (_NUMBERED, _numbered),
    (rf"\b(?:{WEEKDAY},? )?(?:the )?\b{DAY} (?:day )?(?:of )?{MONTH}{YEAR}", _calendar_day),
    (rf"\b(?:{WEEKDAY},? )?\b{MONTH} (?:the )?{DAY}{YEAR}", _calendar_day),
    (rf"\b(?:(?P<which>last|this|next) )?\b{MONTH}(?! \d{{1,2}}\b){YEAR}", _month),
    (rf"\b(?:(?P<weekday>{one_of(WEEKDAYS)}) )?the (?P<day>\d{{1,2}})(?:st|nd|rd|th)\b{_ALONE}", _day_of_month),
    (rf"\b(?:{_OTHER_FEASTS})\b", _no_day),
    (rf"\b(?:(?P<which>last|this|next) )?(?P<feast>{one_of((*FEASTS, *AFTER_EASTER))})\b{YEAR}{_BY_ITSELF}", _feast),
    (rf"\b(?:(?P<which>last|this|next) |(?<=in\s)(?:the )?|(?<=during\s)the )(?P<season>{one_of(SEASONS)})\b{YEAR}", _season),
    (
        rf"(?<!every\s)(?<!each\s)\b{WHICH}{WEEKDAY}(?:(?:,? | of )(?P<week>last|this|next) week)?\b(?! after next|s\b)",
        _weekday,
    ),
    (rf"\b(?P<week>last|this|next) week,? (?:on )?(?P<which>)?{WEEKDAY}", _weekday),
    (rf"\b(?:on )?{WEEKDAY} (?P<then>week|fortnight)\b", _weekday_week),
    (r"\b(?P<which>this past|past|last|this|next|coming|over the|at the|the) week-?end\b", _weekend),
    (rf"\b(?:the )?(?P<word>{one_of(RELATIVE_DAYS)})\b", _relative_day),
    (
        r"\b(?:the )?(?P<which>last|past|this|next) (?P<unit>week|month|year)\b(?: (?P<beyond>before last|after next))?",
        _relative_unit,
    ),
    (rf"\b{ABOUT}{COUNT} {UNIT} (?:ago|back\b(?! (?:to|in|on)))", _ago),
    (rf"\bin {ABOUT}{COUNT} {UNIT}(?:'? time)?\b", _from_now),
    (rf"\b{ABOUT}{COUNT} {UNIT} from (?:now|today)\b", _from_now),
    (r"\b(?P<y>(?:19|20)\d\d)\b(?![-/.,]\d|s\b)", _plain_year),
    (r"\bthe week before last\b", _week_before_last),
    (rf"\bjust\b(?= {_HAPPENED})", _just),
)
RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Reference], Found]], ...] = tuple(
    (compiled(pattern), resolve) for pattern, resolve in _PATTERNS
)


# --- what only questions name ---

_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1": 1, "2": 2, "3": 3, "4": 4}


def _window(match: re.Match[str], reference: Reference) -> Found:
    """ "the last 3 months", "the next two weeks": days that end, or begin, today."""
    word = (match["count"] or "one").lower().removeprefix("a ").split()[0]
    count = VAGUE[word][1] if word in VAGUE else COUNTS.get(word) or (int(word) if word.isdigit() else 0)
    if not 0 < count < 1000:
        return None
    if match["which"].lower() in ("next", "coming"):
        return f"{reference.today}/{_step(reference.today, count, match['unit'].lower())}"
    return f"{_step(reference.today, -count, match['unit'].lower()) + timedelta(1)}/{reference.today}"


def _step(day: date, count: int, unit: str) -> date:
    if unit in ("day", "night", "week"):
        return day + timedelta(count * (7 if unit == "week" else 1))
    return add_months(day, count * {"month": 1, "year": 12, "decade": 120}[unit])


def _part_of_year(match: re.Match[str], reference: Reference) -> Found:
    """ "Q1 2024", "the second half of 2023": of this year where none is said."""
    number, months = _NTH[match["n"].lower()], 3 if match["kind"].lower() in ("q", "quarter") else 6
    if number * months > 12:
        return NO_DAY
    first = date(int(match["year"] or reference.today.year), (number - 1) * months + 1, 1)
    return f"{first}/{add_months(first, months) - timedelta(1)}", None, match["year"] is None


def _quarter(match: re.Match[str], reference: Reference) -> Found:
    """ "this quarter", "last quarter"."""
    step = {"next": 3, "this": 0, "current": 0}.get(match["which"].lower(), -3)
    first = add_months(reference.today.replace(month=(reference.today.month - 1) // 3 * 3 + 1, day=1), step)
    return f"{first}/{add_months(first, 3) - timedelta(1)}"


def _week(match: re.Match[str], reference: Reference) -> Found:
    return f"{match['year'] or reference.today.isocalendar().year}-W{int(match['n']):02}"


def _beside(match: re.Match[str], reference: Reference) -> Found:
    step = 0 if match["which"].lower() == "current" else -1
    return shifted(reference.today, step, match["unit"].lower())


def _any_year(match: re.Match[str], reference: Reference) -> Found:
    return match["y"]


def _decade(match: re.Match[str], reference: Reference) -> Found:
    return f"{match['decade']}0/{match['decade']}9"


_Y = r"(?P<year>(?:19|20)\d\d)\b"
# What makes a number such as 2000 an amount, and no year.
_AMOUNT = (
    r"(?! (?:\w+ )?(?:pages?|dollars?|euros?|usd|eur|gbp|jpy|pounds?|steps?|calories|kcal|km|miles|met(?:er|re)s|words|or more|"
    r"or less)\b)"
)
QUESTIONS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Reference], Found]], ...] = tuple(
    (compiled(pattern), resolve)
    for pattern, resolve in (
        (rf"\b(?:the )?(?P<which>last|past|previous|next|coming) {COUNT} {UNIT}\b", _window),
        (r"\b(?P<which>the last|the past|past) (?P<count>)(?P<unit>day|week|month|year|decade)\b", _window),
        (
            rf"\b(?:the )?(?P<n>{one_of(_NTH)})(?:st|nd|rd|th)? (?P<kind>quarter|half)(?: of)?(?: the year)?(?: {_Y})?",
            _part_of_year,
        ),
        (rf"\b(?:this year'?s )?(?P<kind>[qh])(?P<n>[1-4])\b(?:(?: of)? {_Y}| this year)?", _part_of_year),
        (r"\b(?:the )?(?P<which>last|previous|this|current|next) quarter\b", _quarter),
        (rf"\b(?:the )?week (?P<n>\d\d?)\b(?: of)?(?: {_Y})?", _week),
        (r"\b(?:the )?(?P<which>previous|current) (?P<unit>year|month|week)\b", _beside),
        (r"\b(?:the )?(?P<decade>(?:19|20)\d)0'?s\b", _decade),
        (rf"(?<![\w.,$€£¥/-])(?:the )?(?:calendar )?(?:year )?(?P<y>(?:19|20)\d\d)\b(?![-/.,]\d|s\b|%){_AMOUNT}", _any_year),
    )
)
