"""The words of a message: names, days, amounts and differences, said by code from records."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, time
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar

from uac_nb.rules.every import Every
from uac_nb.rules.money import Money
from uac_nb.rules.when import When, first

T = TypeVar("T")
U = TypeVar("U")

OVER = frozenset({"done", "cancelled", "dropped", "returned", "sold", "off", "refused", "stopped", "ended"})

# Field names that do not read well as they stand; of other fields the name itself is the phrase.
PHRASES = {
    "on": "{}", "price": "{}", "amount": "{}", "cost": "{}", "limit": "limit {}", "balance": "balance {}",
    "expires": "expires {}", "due": "due {}", "closes": "closes {}", "renews": "renews {}", "bought": "bought {}",
    "applied": "applied for {}", "since": "since {}", "until": "until {}",
}  # fmt: skip
SPANS = (("departs", "returns"), ("on", "until"), ("valid_from", "valid_until"), ("since", "until"))
EVERY = ("every", "repeats")  # when it comes again; of a payment `every` is its period, and `repeats` says it
LASTING = ("valid_from", "since")  # without an end, these hold on; the others take a day
ENDED = re.compile(r"[.?!…][\"'”’»)\]]*$")  # how a sentence ends
NO_DAYS = ("", "")
THERE = "there_on"  # a day between the first and the last, where those are not known
NAMING = ("title", "name", "text", "what", "about", "place")  # what a record is called by: the first of these that it has


def day(when: date | When) -> str:
    """A date in words, the weekday computed.

    >>> day(When("2024-11-25")), day(When("2025-03")), day(When("2024-09-23/2024-09-29"))
    ('Monday, November 25, 2024', 'March 2025', 'between September 23 and 29, 2024')
    """
    if isinstance(when, When) and not when.exact:
        return _inexact(when)
    exact = first(when)
    return f"{exact:%A}, {exact:%B} {exact.day}, {exact.year}"


def _inexact(when: When) -> str:
    text, low, high = when.text, when.first, when.last
    if text.startswith("--"):
        return f"{date(2000, int(text[2:4]), 1):%B} {int(text[5:7])}"
    if text.endswith("~"):
        return f"about {day(When(text[:-1]))}"
    if low == date.min:
        return f"by {day(high)}"
    if high == date.max:
        return f"from {day(low)} on"
    if len(text) == 4:
        return text
    if len(text) == 7 and "W" not in text:
        season = {"21": "spring", "22": "summer", "23": "autumn", "24": "winter"}.get(text[5:])
        return f"{season} {text[:4]}" if season else f"{low:%B %Y}"
    head = f"{low:%B} {low.day}" + (f", {low.year}" if low.year != high.year else "")
    tail = (
        f"{high.day}, {high.year}" if (low.year, low.month) == (high.year, high.month) else f"{high:%B} {high.day}, {high.year}"
    )
    return f"between {head} and {tail}"


def on(when: date | When) -> str:
    """A date as the time of something: 'on Friday, March 7, 2025', 'in March 2025', 'between …'."""
    if isinstance(when, When) and not when.exact:
        words = _inexact(when)
        if when.text.startswith("--"):
            return f"on {words}"
        return words if words.split()[0] in ("between", "by", "about", "from") else f"in {words}"
    return f"on {day(when)}"


def before(when: date | When) -> str:
    """Until when something has to be done that comes before it.

    >>> before(When("2025-03-10")), before(When("2025-03"))
    ('before Monday, March 10, 2025', 'before March 2025')
    >>> before(When("2025-03-10/2025-03-12")), before(When("../2025-03-10"))
    ('before Monday, March 10, 2025', 'by Monday, March 10, 2025')
    """
    if isinstance(when, When) and when.text.startswith("../"):
        return _inexact(when)
    spread = isinstance(when, When) and re.search("[/~]", when.text)
    return f"before {day(first(when) if spread else when)}"


def span(start: date | When, end: date | When | None) -> str:
    return day(start) if end is None or end == start else f"{day(start)} to {day(end)}"


def clock(moment: time) -> str:
    """'7:30 PM'."""
    return f"{moment.hour % 12 or 12}:{moment.minute:02d} {'AM' if moment.hour < 12 else 'PM'}"


def days(count: int) -> str:
    return f"{count} day" if abs(count) == 1 else f"{count} days"


def capital(text: str) -> str:
    """A text as the beginning of a sentence; the rest of it stays as it is."""
    return text[:1].upper() + text[1:]


def plus(start: date, count: int) -> date:
    """The day so many days later; the first or last day there is, where that would lie beyond."""
    return date.fromordinal(min(max(start.toordinal() + count, 1), date.max.toordinal()))


def left(count: int) -> str:
    """How long is left, as a part of a sentence."""
    return "today is the last day" if count == 0 else f"only {days(count)} left"


def listed(items: Iterable[object]) -> str:
    """'a, b and c'."""
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def ended(text: str) -> str:
    """Somebody's words as a sentence of a message: with a full stop, where they do not end as one.

    >>> ended("it leaks"), ended("what do I know?"), ended('"Really!"')
    ('it leaks.', 'what do I know?', '"Really!"')
    """
    words = text.strip()
    return words if ENDED.search(words) else f"{words}."


# --- what records have in common ---


def live(record: Any) -> bool:
    """Whether it still counts: neither done, nor cancelled, nor otherwise over."""
    return getattr(record, "status", None) not in OVER


def holds(record: Any, today: date) -> bool:
    """Whether a job, a home or a habit holds on a day: begun, and before its end; without one, as its status says."""
    since, until = getattr(record, "since", None), getattr(record, "until", None)
    if since is not None and since.first > today:
        return False
    return bool(until.last >= today) if until is not None else live(record)


def starts_on(record: Any) -> When | None:
    """The first day of a trip, a commitment, or anything that holds for a time."""
    return dates_of(record)[0]


def ends_on(record: Any) -> When | None:
    """Its last day: where none is given, the day on which it starts; of what holds "since" a day, that day or any after."""
    return dates_of(record)[1]


def dates_of(record: Any) -> tuple[When | None, When | None]:
    """Its first and last day; of what comes again, those of the whole time."""
    return _again(record, every) if (every := recurrence(record)) else dates_once(record)


def dates_once(record: Any) -> tuple[When | None, When | None]:
    """The same of a record that does not come again."""
    if (pair := _pair(record.__class__)) is None:
        return None, None
    start, end = getattr(record, pair[0]), getattr(record, pair[1], None)
    if pair[0] in LASTING:
        return start, end if start is None or end else When(f"{start.first}/..")
    there = getattr(record, THERE, None)
    start, end = start or there or _by(end), end or there or start
    return start, end


def recurrence(record: Any) -> Every | None:
    """When a record comes again; None where it takes place once."""
    for name in _every(record.__class__):
        if isinstance(every := getattr(record, name), Every):
            return every
    return None


def days_of(record: Any) -> tuple[str, str]:
    """The names of the fields, or properties, with a record's first and last day; empty where it has none."""
    return _pair(record.__class__) or NO_DAYS


def _again(record: Any, every: Every) -> tuple[When | None, When | None]:
    first, last = days_of(record)
    start, end = getattr(record, first, None) or every.since, getattr(record, last, None) or every.until
    return start, end or (When(f"{start.first}/..") if start else None)


@cache
def _every(kind: type) -> tuple[str, ...]:
    return tuple(name for name in EVERY if hasattr(kind, name))


def _by(end: When | None) -> When | None:
    """When it began, where only its end is known."""
    return When(f"../{end.last}") if end else None


@cache
def _pair(kind: type) -> tuple[str, str] | None:
    """The names of the fields, or properties, with a record's first and last day."""
    return next((pair for pair in SPANS if hasattr(kind, pair[0])), None) if is_dataclass(kind) else None


def ahead(records: Iterable[T], today: date) -> list[T]:
    """Those that still count and are not over yet; what comes again, as long as it does."""
    return [r for kind, group in groupby(records, type) for r in _ahead(kind, group, today)]


def comes_again(record: Any, every: Every, today: date) -> bool:
    """Whether it does so from `today` on."""
    start, end = _again(record, every)
    found = every.next(max(today, start.first) if start else today)
    return found is not None and (end is None or found.on.first <= end.last)


def _ahead(kind: type, records: Iterable[T], today: date) -> Iterable[T]:
    """The same for records of one type, with its fields looked up once: ten thousand take a few milliseconds."""
    if _every(kind):
        records = list(records)
        if again := {id(r): every for r in records if (every := recurrence(r))}:
            once = {id(r) for r in _once(kind, (r for r in records if id(r) not in again), today)}
            going = (r for r in records if id(r) in once or (id(r) in again and comes_again(r, again[id(r)], today)))
            return [r for r in going if live(r)]
    return [r for r in _once(kind, records, today) if live(r)]


def _once(kind: type, records: Iterable[T], today: date) -> Iterable[T]:
    if (pair := _pair(kind)) is None:
        return ()
    start_of, end_of = attrgetter(pair[0]), attrgetter(pair[1] if hasattr(kind, pair[1]) else pair[0])
    if pair[0] in LASTING:
        return [r for r in records if start_of(r) is not None and ((end := end_of(r)) is None or end.last >= today)]
    there = attrgetter(THERE) if hasattr(kind, THERE) else start_of
    return [r for r in records if (end := end_of(r) or there(r) or start_of(r)) is not None and end.last >= today]


# --- how a message calls people and things ---

# Ids of people that say what they are to the user, and so are no names.
KIN = frozenset((
    "mother", "mom", "mum", "father", "dad", "sister", "brother", "wife", "husband", "partner", "girlfriend", "boyfriend",
    "fiancé", "fiancée", "son", "daughter", "child", "kid", "baby", "aunt", "uncle", "cousin", "niece", "nephew",
    "grandmother", "grandma", "grandfather", "grandpa", "friend", "roommate", "flatmate", "neighbour", "neighbor",
    "colleague", "boss", "manager", "teacher", "dog", "cat",
))  # fmt: skip
_DETERMINED = re.compile(r"(the|an?|your|his|her|our|their|this|that) |[\w.-]+['’]s |\"", re.IGNORECASE)


def name(record: Any) -> str:
    """What to call it in a message: its title, name or text, what it is or is about, else its id in words."""
    return next((str(v) for key in NAMING if (v := getattr(record, key, None))), record.id.replace("-", " "))


def person(who: str) -> str:
    """A person in a message, from an id or a name.

    >>> person("me"), person("sister"), person("dana-lopez")
    ('you', 'your sister', 'Dana Lopez')
    """
    if who == "me":
        return "you"
    words = re.sub(r"[-_]", " ", who)
    return f"your {words}" if words.lower() in KIN else words.title() if words.islower() else words


def own(record: Any) -> str:
    """What to call it and whose it is: 'your trip to Lisbon', "Dana's trip to Lisbon"; a name alone stays as it is."""
    if not (title := getattr(record, "title", None)):
        return name(record)
    title = re.sub(r"^my ", "", title, flags=re.IGNORECASE)
    who = getattr(record, "who", "me")
    if who != "me":
        return f"{person(who)}'s {re.sub(r'^(the|an?) ', '', title, flags=re.IGNORECASE)}"
    return title if _DETERMINED.match(title) else f"your {title}"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a conflict: the record, and how a message says it."""

    record: Any
    text: str

    def __str__(self) -> str:
        return self.text


def side(record: Any, *details: object) -> Side:
    """A record in words: what to call it and what is concrete about it (by default its dates, hours and amounts)."""
    if isinstance(record, Side):
        return record
    known = [str(d) for d in details if d] or list(concrete(record))
    return Side(record, f"{own(record)} ({'; '.join(known)})" if known else own(record))


def concrete(record: Any) -> Iterable[str]:
    """The dates, hours and amounts of a record, in words."""
    if not is_dataclass(record):
        return
    values = {f.name: getattr(record, f.name) for f in fields(record)}
    for start, end in SPANS:
        if isinstance(begun := values.get(start), When) and start not in ("since", "valid_from"):
            yield span(begun, values.get(end)) + _hours(values.get("starts"), values.get("ends"))
            values.pop(start), values.pop(end, None)
    for key, value in values.items():
        if isinstance(value, When):
            yield PHRASES.get(key, key.replace("_", " ") + " {}").format(day(value))
        elif isinstance(value, Money):
            yield PHRASES.get(key, key.replace("_", " ") + " {}").format(value)


def _hours(starts: time | None, ends: time | None) -> str:
    if starts is None:
        return ""
    return f" at {clock(starts)}" if ends is None else f", {clock(starts)} to {clock(ends)}"
