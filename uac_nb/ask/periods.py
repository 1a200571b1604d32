"""Times in a question: "in 2024", "last summer", "between March and June", "since the 10th of May".

Each is replaced in the question by a mark, "@p0", so that what is left can be read without them. A period is written as
`When` writes it, so that one word of the query holds it: `When("2024-01-01/2024-06-30")`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from uac_nb.ask.words import NUMBERS
from uac_nb.rules import When, add_months

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
SEASONS = {"spring": 21, "summer": 22, "autumn": 23, "fall": 23, "winter": 24}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH = {name: i + 1 for i, name in enumerate(MONTHS)} | {name[:3]: i + 1 for i, name in enumerate(MONTHS)} | {"sept": 9}
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1": 1, "2": 2, "3": 3, "4": 4}

M = f"(?:{'|'.join(sorted(_MONTH, key=len, reverse=True))})"
S = f"(?:{'|'.join(SEASONS)})"
Y = r"(?:19|20)\d\d"
D = r"\d\d?(?:st|nd|rd|th)?"
# What makes a number such as 2000 an amount, and no year.
AMOUNT = (
    r"(?! (?:\w+ )?(?:pages?|dollars?|euros?|usd|eur|gbp|jpy|pounds?|steps?|calories|kcal|km|miles|meters|metres|words|"
    r"or more|or less))"
)

Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `start` to `end`, both included, as `When` writes them."""

    text: str

    @property
    def start(self) -> date:
        return When(self.text).first

    @property
    def end(self) -> date:
        return When(self.text).last

    def to(self, other: Period) -> Period:
        return Period(f"{self.start}/{other.end}")


def find(text: str, today: date, *, ahead: bool = False) -> tuple[str, tuple[Period, ...]]:
    """Mark all times in a question (as `words.plain` has it), and tell what the marks stand for.

    What has no year is the latest that has begun, or with `ahead` the next that has not ended.
    """
    found: list[Period] = []

    def marked(text: str | None, m: Match) -> str:
        try:
            When(text or "")
        except ValueError:  # 31 June, or a span backwards: no time at all
            return m[0]
        found.append(Period(text or ""))
        return f"@p{len(found) - 1}"

    reader = _Reader(today, ahead)
    text = _YEAR_BEHIND.sub(r"\g<a> \g<y> \g<joint> \g<b> \g<y>", text)
    text = _MONTHS_BETWEEN.sub(reader.months_between, text)
    for pattern, point in _POINTS:
        text = pattern.sub(lambda m, point=point: marked(point(reader, m), m), text)  # type: ignore[misc]
    for pattern, span in _SPANS:
        text = pattern.sub(lambda m, span=span: marked(span(*(found[int(p)] for p in m.groups())), m), text)  # type: ignore[misc]
    return text, tuple(found)


@dataclass(frozen=True, slots=True)
class _Reader:
    today: date
    ahead: bool

    def _year(self, form: str) -> int:
        """The year of a day, month or season ("{}-05") that names none."""
        this = When(form.format(self.today.year))
        if self.ahead:
            return self.today.year + (this.last < self.today)
        return self.today.year - (this.first > self.today)

    def day(self, m: Match) -> str | None:
        form = f"{{}}-{_MONTH[m['m']]:02}-{int(re.sub('[a-z]', '', m['d'])):02}"
        try:
            return form.format(m["y"] or self._year(form))
        except ValueError:  # no day of this year
            return None

    def month(self, m: Match) -> str:
        form = f"{{}}-{_MONTH[m['m']]:02}"
        return form.format(m["y"] or self._year(form))

    def season(self, m: Match) -> str:
        form = f"{{}}-{SEASONS[m['s']]}"
        year = int(m["y"] or self._year(form))
        over = When(form.format(year)).last < self.today
        return form.format(year - (m["which"] == "last" and not over))

    def part(self, m: Match) -> str | None:
        """Quarters and halves of a year."""
        number, months = _NTH[m["n"]], 3 if m["k"] in ("q", "quarter") else 6
        if number * months > 12:
            return None
        first = date(int(m["y"] or self.today.year), (number - 1) * months + 1, 1)
        return f"{first}/{add_months(first, months) - timedelta(1)}"

    def beside(self, m: Match) -> str:
        """ "last year", "this month", "next week"."""
        step = {"next": 1, "this": 0, "current": 0}.get(m["which"], -1)
        match m["unit"]:
            case "year":
                return f"{self.today.year + step}"
            case "month":
                return f"{add_months(self.today.replace(day=1), step):%Y-%m}"
        return f"{self.today + timedelta(7 * step):%G-W%V}"

    def week(self, m: Match) -> str:
        return f"{m['y'] or self.today.isocalendar().year}-W{int(m['n']):02}"

    def past(self, m: Match) -> str | None:
        """ "the last 3 months", "the next two weeks": days that end, or begin, today."""
        count = NUMBERS.get(m["n"] or "one") or (int(m["n"]) if m["n"].isdigit() else 0)
        if not 0 < count < 1000:
            return None
        if m["which"] in ("next", "coming"):
            return f"{self.today}/{self._step(count, m['unit'])}"
        return f"{self._step(-count, m['unit']) + timedelta(1)}/{self.today}"

    def _step(self, count: int, unit: str) -> date:
        if unit in ("day", "week"):
            return self.today + timedelta(count * (7 if unit == "week" else 1))
        return add_months(self.today, count * (12 if unit == "year" else 1))

    def named(self, m: Match) -> str:
        return (self.today + timedelta({"today": 0, "yesterday": -1, "tomorrow": 1}[m[1]])).isoformat()

    def beyond(self, m: Match) -> str:
        return (self.today + timedelta(-2 if "yesterday" in m["before"] else 2)).isoformat()

    def weekday(self, m: Match) -> str | None:
        """ "Last Friday", "on Friday": the one before, or with `ahead` the next; of today's weekday "on" says too little."""
        away = (WEEKDAYS.index(m["day"]) - self.today.weekday()) % 7
        if m["which"] in ("on", "this", ""):
            return (self.today + timedelta(away if self.ahead else away - 7)).isoformat() if away else None
        return (self.today + timedelta(away or 7 if m["which"] == "next" else away - 7)).isoformat()

    def weekend(self, m: Match) -> str:
        step = {"next": 1, "last": -1}.get(m["which"], 0)
        saturday = self.today + timedelta(5 - self.today.weekday() + 7 * step)
        return f"{saturday}/{saturday + timedelta(1)}"

    def months_between(self, m: Match) -> str:
        """Give their years to "from November to February", of which the second is the nearer one."""
        first, second = _MONTH[m["a"]], _MONTH[m["b"]]
        year = self._year(f"{{}}-{second:02}")
        return f"{m['head']} {m['a']} {year - (first > second)} {m['joint']} {m['b']} {year}"


def _pattern(body: str) -> re.Pattern[str]:
    return re.compile(rf"(?<= )(?:{body})(?= )")


_NAMED = rf"(?:q[1-4]|h[12]|{M}(?: {D})?|{D} {M})"
_YEAR_BEHIND = _pattern(
    rf"(?P<a>{_NAMED}) (?P<joint>to|and|or|through|until|till|vs|than in) (?P<b>{_NAMED}) (?:of |in )?(?P<y>{Y})"
)
_MONTHS_BETWEEN = _pattern(rf"(?P<head>between|from) (?P<a>{M}) (?P<joint>and|to|through|until|till) (?P<b>{M})(?! \d)")

_AFTER = "|".join(rf"(?<= {word} )" for word in ("in", "by", "during", "since", "before", "after", "until", "last"))

_POINTS: tuple[tuple[re.Pattern[str], Callable[[_Reader, Match], str | None]], ...] = (
    (_pattern(r"(?P<iso>\d{4}-\d\d(?:-\d\d)?)"), lambda _, m: m["iso"]),
    (_pattern(rf"(?:the )?(?P<d>{D})(?: of)? (?P<m>{M})(?:(?: of)? (?P<y>{Y}))?"), _Reader.day),
    (_pattern(rf"(?P<m>{M}) (?:the )?(?P<d>{D})(?: (?P<y>{Y}))?(?! or )"), _Reader.day),
    (_pattern(rf"(?P<m>{M})(?: of)? (?P<y>{Y})"), _Reader.month),
    (re.compile(rf"(?:{_AFTER})(?P<m>{M})(?P<y>)(?= )"), _Reader.month),
    (_pattern(rf"(?:the )?(?P<n>{'|'.join(_NTH)}) (?P<k>quarter|half)(?: of)?(?: the year)?(?: (?P<y>{Y}))?"), _Reader.part),
    (_pattern(rf"(?P<k>q)(?P<n>[1-4])(?: of)? (?P<y>{Y})"), _Reader.part),
    (_pattern(rf"(?P<k>h)(?P<n>[12])(?: of)? (?P<y>{Y})"), _Reader.part),
    (_pattern(r"(?:this year 's )?(?P<k>q)(?P<n>[1-4])(?P<y>)(?: this year)?"), _Reader.part),
    (_pattern(rf"(?:the )?(?P<which>)(?P<s>{S})(?: of)? (?P<y>{Y})"), _Reader.season),
    (_pattern(rf"(?P<which>last|this|next|in|in the|during the) (?P<s>{S})(?P<y>)"), _Reader.season),
    (_pattern(rf"(?:the )?week (?P<n>\d\d?)(?: of)?(?: (?P<y>{Y}))?"), _Reader.week),
    (_pattern(r"(?:the last|the past|past) (?P<which>)(?P<n>)(?P<unit>day|week|month|year)"), _Reader.past),
    (_pattern(r"(?:the )?(?P<which>last|previous|this|current|next) (?P<unit>year|month|week)"), _Reader.beside),
    (
        _pattern(rf"(?:the )?(?P<which>last|past|next|coming) (?P<n>\d+|{'|'.join(NUMBERS)}) (?P<unit>day|week|month|year)s?"),
        _Reader.past,
    ),
    (_pattern(r"(today|yesterday|tomorrow)"), _Reader.named),
    (_pattern(rf"(?P<which>last|next|on|this) (?P<day>{'|'.join(WEEKDAYS)})"), _Reader.weekday),
    (re.compile(rf"(?:{_AFTER}|(?<= for ))(?P<which>)(?P<day>{'|'.join(WEEKDAYS)})(?= )"), _Reader.weekday),
    (_pattern(r"(?:the )?(?P<before>day before yesterday|day after tomorrow)"), _Reader.beyond),
    (_pattern(r"(?:on |at |over )?(?:the )?(?P<which>last|next|this|coming) weekend"), _Reader.weekend),
    (_pattern(rf"(?:the |calendar )*(?:year )?(?P<y>{Y}){AMOUNT}"), lambda _, m: m["y"]),
)  # fmt: skip

P = r"@p(\d+)"
_WEEK_OF = rf"(?:the )?week (?:of|starting|beginning|from)(?: on)? (?:the )?{P}"
_SPANS: tuple[tuple[re.Pattern[str], Callable[..., str]], ...] = (
    (_pattern(_WEEK_OF), lambda a: f"{a.start:%G-W%V}"),
    (_pattern(rf"between {P} and {P}(?: inclusive| included)?"), lambda a, b: a.to(b).text),
    (_pattern(rf"(?:from )?{P} (?:through|until|till) {P}(?: inclusive| included)?"), lambda a, b: a.to(b).text),
    (_pattern(rf"(?:before|earlier than|prior to) {P}"), lambda a: f"../{a.start - timedelta(1)}"),
    (_pattern(rf"(?:after|later than) {P}"), lambda a: f"{a.end + timedelta(1)}/.."),
    (_pattern(rf"(?:since|starting|from) {P}(?: on| onwards?)?(?! to )"), lambda a: f"{a.start}/.."),
    (_pattern(rf"(?:until|till|up to|by) {P}"), lambda a: f"../{a.end}"),
)
