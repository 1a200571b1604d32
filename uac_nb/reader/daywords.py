"""The words for days, weeks, months and years, and what each means on the day it is said.

Each rule is a pattern and a function that resolves one match to the widest `When` text that the words prove, or to None
where they do not name a date after all ("I may", "finished in two weeks").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from uac_nb.reader.language import compiled
from uac_nb.rules import When, add_months

Tense = Literal["past", "present", "future"]

MONTHS = {
    "january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5, "june": 6, "jun": 6,
    "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9, "sept": 9, "sep": 9, "october": 10, "oct": 10, "november": 11,
    "nov": 11, "december": 12, "dec": 12,
}  # fmt: skip
WEEKDAYS = {
    "monday": 0, "mon": 0, "tuesday": 1, "tues": 1, "tue": 1, "wednesday": 2, "wed": 2, "thursday": 3, "thurs": 3, "thur": 3,
    "thu": 3, "friday": 4, "fri": 4, "saturday": 5, "sat": 5, "sunday": 6, "sun": 6,
}  # fmt: skip
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
SEASONS = {"spring": 21, "summer": 22, "autumn": 23, "fall": 23, "winter": 24}
FEASTS = {
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "xmas": (12, 25), "boxing day": (12, 26),
    "new year's eve": (12, 31), "new years eve": (12, 31), "new year's day": (1, 1), "new year's": (1, 1), "new year": (1, 1),
    "halloween": (10, 31), "valentine's day": (2, 14), "valentine's": (2, 14), "st patrick's day": (3, 17), "epiphany": (1, 6),
}  # fmt: skip
AFTER_EASTER = {  # days, in the Western churches
    "shrove tuesday": -47, "mardi gras": -47, "ash wednesday": -46, "palm sunday": -7, "maundy thursday": -3, "good friday": -2,
    "holy saturday": -1, "easter saturday": -1, "easter sunday": 0, "easter day": 0, "easter": 0, "easter monday": 1,
    "ascension day": 39, "whit sunday": 49, "whitsun": 49, "pentecost": 49, "whit monday": 50,
}  # fmt: skip
VAGUE = {"couple": (2, 3), "few": (2, 6), "several": (2, 7)}  # how many that can be
RELATIVE_DAYS = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tomorrow": 1, "day after tomorrow": 2,
}  # fmt: skip


def _one_of(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


MONTH = rf"(?P<month>{_one_of(MONTHS)})\b\.?"
WEEKDAY = rf"(?P<weekday>{_one_of(WEEKDAYS)})\b(?!-)\.?"
DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b(?![:%]|[.,]\d| ?(?:am|pm)\b)"
YEAR = r"(?:,? (?:of )?(?P<year>(?:19|20)\d\d)\b(?![-/]?\d)| '(?P<short>\d\d)\b)?"
WHICH = "(?:(?P<which>this past|past|last|this|next|coming|this coming) )?"
COUNT = rf"(?P<count>\d{{1,3}}|{_one_of(NUMBERS)}|(?:a )?couple(?: of)?|a few|several)"
ABOUT = "(?:(?P<about>about|around|roughly|approximately|almost|nearly|over|more than|some|just over|just under) )?"
UNIT = r"(?P<unit>day|night|week|month|year|decade)s?"


@dataclass(frozen=True, slots=True)
class Scene:
    """What an expression is resolved against: the day it was said, the tense, and the date named before it."""

    today: date
    tense: Tense
    before: date | None = None
    since: date | None = None  # the first of the days that `before` ends

    def nearest(self, candidates: Iterator[date] | list[date]) -> date | None:
        """Of the days that the words can mean the one that the tense does."""
        days = sorted(candidates)
        if self.tense == "past":
            return next((d for d in reversed(days) if d <= self.today), None)
        return next((d for d in days if d >= self.today), None)


NO_DAY = ""  # no date at all: nor is any part of the match ("the 31st of June")
Found = tuple[str, str | None, bool] | str | date | None  # (when, doubt, yearless)


# --- days and months with a name ---


def _calendar_day(match: re.Match[str], scene: Scene) -> Found:
    month, day = MONTHS[match["month"].lower()], int(match["day"])
    year = _year(match)
    bare = match["month"] == "may" and match.start("month") < match.start("day") and not match["weekday"]
    if bare and year is None and not _led(match):
        return None  # "I may 5 times out of 10"
    if year is None:
        resolved = scene.nearest(each_year(scene.today, month, day))
        return (resolved.isoformat(), _weekday_doubt(match, resolved), True) if resolved else NO_DAY
    if (resolved := date_of(year, month, day)) is None:
        return NO_DAY
    return resolved.isoformat(), _weekday_doubt(match, resolved), False


def _year(match: re.Match[str]) -> int | None:
    if match["year"]:
        return int(match["year"])
    return 2000 + int(match["short"]) if match["short"] else None


def each_year(today: date, month: int, day: int) -> list[date]:
    days = (date_of(year, month, day) for year in range(today.year - 8, today.year + 9))
    return [d for d in days if d]


def date_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _weekday_doubt(match: re.Match[str], resolved: date) -> str | None:
    said = match.groupdict().get("weekday")
    if said is None or WEEKDAYS[said.lower().rstrip(".")] == resolved.weekday():
        return None
    word = _long(said)
    return f"said {word}, but {resolved:%B} {resolved.day}, {resolved.year} is a {resolved:%A}"


def _long(weekday: str) -> str:
    number = WEEKDAYS[weekday.lower().rstrip(".")]
    return next(name for name, n in WEEKDAYS.items() if n == number).capitalize()


def _month(match: re.Match[str], scene: Scene) -> Found:
    month = MONTHS[match["month"].lower()]
    word = match["month"]
    which = (match["which"] or "").lower()
    if year := _year(match):
        return f"{year}-{month:02d}"
    if not (which or _led(match)) and (not word[0].isupper() or word in ("May", "March")):
        return None  # "I may", "they march", "March on"
    return _month_text(scene, month, which), None, True


_LEAD = compiled(r"\b(?:in|on|since|until|till|by|of|during|early|mid-?|late|from|around|for|before|after) *$")


def _led(match: re.Match[str]) -> bool:
    """Whether a word before it makes a date of it: "in 2019", "until May"."""
    return bool(_LEAD.search(match.string, 0, match.start()))


def _month_text(scene: Scene, month: int, which: str) -> str:
    this = scene.today.replace(day=1)
    months = sorted(date(year, month, 1) for year in range(this.year - 1, this.year + 2))
    if which == "this":
        day = date(this.year, month, 1)
    elif which == "last" or (scene.tense == "past" and which != "next"):
        limit = add_months(this, -1) if which == "last" else this
        day = next(d for d in reversed(months) if d <= limit)
    else:
        limit = add_months(this, 1) if which == "next" else this
        day = next(d for d in months if d >= limit)
    return f"{day:%Y-%m}"


def _day_of_month(match: re.Match[str], scene: Scene) -> Found:
    """ "the 17th": after a date just named the next such day, else by tense."""
    number = int(match["day"])
    start = scene.before or scene.today
    days = [
        d
        for n in range(-3, 4)
        if (first := add_months(start.replace(day=1), n)) and (d := date_of(first.year, first.month, number))
    ]
    if scene.before and number < start.day and not scene.since and not _RETURN.search(match.string, 0, match.start()):
        return NO_DAY  # "on 22 August, and on the 20th …": of that month, or of the next
    if scene.before:
        resolved = next((d for d in days if d >= (scene.since or start)), None)
    elif match["weekday"]:
        weekday = WEEKDAYS[match["weekday"].lower().rstrip(".")]
        resolved = scene.nearest([d for d in days if d.weekday() == weekday])
    else:
        resolved = scene.nearest(days)
    return (resolved.isoformat(), _weekday_doubt(match, resolved), True) if resolved else None


_RETURN = compiled(r"\b(?:back|home|return\w*|until|till|through)\b|\bto $")


def _feast(match: re.Match[str], scene: Scene) -> Found:
    name = " ".join(match["feast"].lower().split())
    if name == "new year" and not _AT.search(match.string, 0, match.start()):
        return NO_DAY  # "a happy new year", "in the new year"
    if year := _year(match):
        return feast_day(name, year)
    if (match["which"] or "").lower() == "last":
        scene = Scene(scene.today, "past")
    day = scene.nearest([feast_day(name, year) for year in range(scene.today.year - 1, scene.today.year + 2)])
    return f"{day}~" if day and _AROUND.search(match.string, 0, match.start()) else day


_AT = compiled(r"\b(?:for|at|over|around) $")
_AROUND = compiled(r"\b(?:around|about) $")


def feast_day(name: str, year: int) -> date:
    """The day of a feast in a year.

    >>> feast_day("easter", 2026), feast_day("whitsun", 2027), feast_day("christmas", 2026)
    (datetime.date(2026, 4, 5), datetime.date(2027, 5, 16), datetime.date(2026, 12, 25))
    """
    if name in FEASTS:
        return date(year, *FEASTS[name])
    return _easter(year) + timedelta(AFTER_EASTER[name])


def _easter(year: int) -> date:
    """Easter Sunday by the Gregorian computus, as J.-M. Oudin wrote it down in 1940."""
    century, golden = year // 100, year % 19
    epact = (century - century // 4 - (century - (century - 17) // 25) // 3 + 19 * golden + 15) % 30
    moon = epact - (epact // 28) * (1 - (epact // 28) * (29 // (epact + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    month = 3 + (moon - weekday + 40) // 44
    return date(year, month, moon - weekday + 28 - 31 * (month // 4))


_FEAST = compiled(rf"(?:(?:last|this|next) )?(?:{_one_of((*FEASTS, *AFTER_EASTER))})\b")


def is_feast(words: str) -> bool:
    """Whether a day is told by the name of a feast, which stands for some days around it: "for Easter".

    >>> is_feast("next Easter"), is_feast("Friday")
    (True, False)
    """
    return bool(_FEAST.match(words))


def _season(match: re.Match[str], scene: Scene) -> Found:
    number = SEASONS[match["season"].lower()]
    if year := _year(match):
        return f"{year}-{number}"
    spans = [When(f"{year}-{number}") for year in range(scene.today.year - 2, scene.today.year + 3)]
    which = (match["which"] or "").lower()
    if which == "last":
        return next(s.text for s in reversed(spans) if s.last < scene.today)
    if which == "next":
        return next(s.text for s in spans if s.first > scene.today)
    if scene.tense == "past":
        return next(s.text for s in reversed(spans) if s.first <= scene.today)
    return next(s.text for s in spans if s.last >= scene.today)


# --- written as numbers ---


def _iso(match: re.Match[str], scene: Scene) -> Found:
    return date_of(int(match["y"]), int(match["m"]), int(match["d"]))


def _slashed(match: re.Match[str], scene: Scene) -> Found:
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


def _numbered(match: re.Match[str], scene: Scene) -> Found:
    """12.6. has the day first; of 3/6 another date of the text tells the order ("from 3/6 to 14/6"), or the weekday.

    Where neither does, both are kept, and doubted.
    """
    a, b, slashed = int(match["a"]), int(match["b"]), match["mark"] == "/"
    weekday = match["weekday"]
    if not (weekday or _LED_DAY.search(match.string, 0, match.start()) or (match["dot"] and not slashed)):
        return NO_DAY  # "12.2 km", "24/7"
    others = [(int(x), int(y)) for x, y in _SLASHED.findall(match.string)] if slashed else [(31, 1)]
    dayfirst, monthfirst = any(x > 12 for x, _ in others), any(y > 12 for _, y in others)
    orders = {(b, a)} if dayfirst > monthfirst else {(a, b)} if monthfirst > dayfirst else {(b, a), (a, b)}
    days = sorted(d for month, day in orders if (d := scene.nearest(each_year(scene.today, month, day))))
    fitting = [d for d in days if weekday and d.weekday() == WEEKDAYS[weekday.lower().rstrip(".")]]
    days = [min(fitting, key=lambda d: abs(d - scene.today))] if fitting else days  # with its weekday people tell a near day
    if len(days) == 1:
        return days[0].isoformat(), _weekday_doubt(match, days[0]), True
    if weekday or not days:
        return NO_DAY
    low, high = days
    return f"{low}/{high}", f"{a}/{b} can be {low:%B} {low.day} or {high:%B} {high.day}", False


_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?![\d/])")
_LED_DAY = compiled(r"\b(?:on|until|till|by|from|since|before|after|to|and|for)(?: the)? *$|- *$")


def _plain_year(match: re.Match[str], scene: Scene) -> Found:
    return match["y"] if _led(match) else None


# --- weekdays ---


def _weekday(match: re.Match[str], scene: Scene) -> Found:
    number, which = WEEKDAYS[match["weekday"].lower().rstrip(".")], (match["which"] or "").lower()
    today = scene.today
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
    if not which and scene.before and abs(scene.before - today) > timedelta(7):
        return None  # of the week of the date named before, or of this one: nobody can tell
    if which in ("", "this") and scene.tense == "past":
        return today - timedelta(since)
    return today + timedelta(ahead)


def _either(match: re.Match[str], a: date, b: date) -> str:
    return f'"{match[0]}" can be {a:%B} {a.day} or {b:%B} {b.day}'


def _weekend(match: re.Match[str], scene: Scene) -> Found:
    today, which = scene.today, match["which"].lower()
    coming = today + timedelta((5 - today.weekday()) % 7) if today.weekday() != 6 else today - timedelta(1)
    past = scene.tense == "past" or which in ("last", "past", "this past")
    if which == "next" and today.weekday() < 5:
        return f"{coming}/{coming + timedelta(8)}", "which weekend is meant by next weekend", False
    saturday = coming + timedelta(7) if which == "next" else coming
    if past and (saturday > today or which in ("last", "past", "this past")):
        saturday -= timedelta(7)
    return f"{saturday}/{saturday + timedelta(1)}"


# --- so long ago, so long from now ---


def _relative_day(match: re.Match[str], scene: Scene) -> Found:
    return scene.today + timedelta(RELATIVE_DAYS[" ".join(match["word"].lower().split())])


def _relative_unit(match: re.Match[str], scene: Scene) -> Found:
    which = match["which"].lower()
    step = {"last": -1, "past": -1, "this": 0, "next": 1}[which]
    if match["beyond"]:
        step *= 2
    return _shifted(scene.today, step, match["unit"].lower())


def _week_before_last(match: re.Match[str], scene: Scene) -> Found:
    return _shifted(scene.today, -2, "week")


def _ago(match: re.Match[str], scene: Scene) -> Found:
    return _distance(match, scene, -1)


def _from_now(match: re.Match[str], scene: Scene) -> Found:
    if scene.tense == "past" and match[0].lower().startswith("in"):
        return None  # "finished it in two weeks"
    return _distance(match, scene, 1)


def _distance(match: re.Match[str], scene: Scene, sign: int) -> Found:
    unit, about = match["unit"].lower(), (match["about"] or "").lower()
    if (word := match["count"].lower().replace("a ", "").split()[0] if match["count"].lower() not in NUMBERS else "") in VAGUE:
        low, high = VAGUE[word]
        ends = sorted((When(_shifted(scene.today, sign * low, unit)), When(_shifted(scene.today, sign * high, unit))))
        return f"{ends[0].first.isoformat()}/{ends[1].last.isoformat()}"
    count = NUMBERS.get(match["count"].lower()) or int(match["count"])
    try:
        when = _shifted(scene.today, sign * count, unit)
    except (OverflowError, ValueError):
        return None
    if about in ("over", "more than") and sign < 0:
        return f"../{when}"
    return f"{when}~" if about and "/" not in when else when


def _shifted(today: date, count: int, unit: str) -> str:
    """A day for days, a week for weeks, a month for months, a year for years."""
    if unit in ("day", "night"):
        return (today + timedelta(count)).isoformat()
    if unit == "week":
        year, week, _ = (today + timedelta(weeks=count)).isocalendar()
        return f"{year}-W{week:02d}"
    if unit == "month":
        return f"{add_months(today.replace(day=1), count):%Y-%m}"
    if unit == "decade":
        return f"{today.year + 10 * count - 5}/{today.year + 10 * count + 5}"
    return f"{today.year + count:04d}"


def _no_day(match: re.Match[str], scene: Scene) -> Found:
    return NO_DAY


def _just(match: re.Match[str], scene: Scene) -> Found:
    return f"{scene.today}~" if scene.tense == "past" else None


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
_PATTERNS: tuple[tuple[str, Callable[[re.Match[str], Scene], Found]], ...] = (
    (r"\b(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)\b", _iso),
    (r"\b(?P<a>\d{1,2})(?P<mark>[/.])(?P<b>\d{1,2})(?P=mark)(?P<y>(?:19|20)\d\d)\b", _slashed),
    (_NUMBERED, _numbered),
    (rf"\b(?:{WEEKDAY},? )?(?:the )?\b{DAY} (?:day )?(?:of )?{MONTH}{YEAR}", _calendar_day),
    (rf"\b(?:{WEEKDAY},? )?\b{MONTH} (?:the )?{DAY}{YEAR}", _calendar_day),
    (rf"\b(?:(?P<which>last|this|next) )?\b{MONTH}(?! \d{{1,2}}\b){YEAR}", _month),
    (rf"\b(?:(?P<weekday>{_one_of(WEEKDAYS)}) )?the (?P<day>\d{{1,2}})(?:st|nd|rd|th)\b{_ALONE}", _day_of_month),
    (rf"\b(?:{_OTHER_FEASTS})\b", _no_day),
    (rf"\b(?:(?P<which>last|this|next) )?(?P<feast>{_one_of((*FEASTS, *AFTER_EASTER))})\b{YEAR}{_BY_ITSELF}", _feast),
    (rf"\b(?:(?P<which>last|this|next) |(?<=in\s)(?:the )?|(?<=during\s)the )(?P<season>{_one_of(SEASONS)})\b{YEAR}", _season),
    (
        rf"(?<!every\s)(?<!each\s)\b{WHICH}{WEEKDAY}(?:(?:,? | of )(?P<week>last|this|next) week)?\b(?! after next|s\b)",
        _weekday,
    ),
    (rf"\b(?P<week>last|this|next) week,? (?:on )?(?P<which>)?{WEEKDAY}", _weekday),
    (r"\b(?P<which>this past|past|last|this|next|coming|over the|the) week-?end\b", _weekend),
    (rf"\b(?:the )?(?P<word>{_one_of(RELATIVE_DAYS)})\b", _relative_day),
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
RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Scene], Found]], ...] = tuple(
    (compiled(pattern), resolve) for pattern, resolve in _PATTERNS
)
