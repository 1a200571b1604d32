"""Amounts, hours and plain text: what is read before the grammar, which then sees each as a single letter run.

Dates, hours and amounts are replaced by runs of one private letter of the same length, so that all offsets stay, a pattern
can say "a date" where one stands, and no word of them is taken for something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from uac_nb.reader.language import DATE, HOUR, MONEY

_PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "\u202f": " ", "\xa0": " ", "\t": " ", DATE: " ", HOUR: " ", MONEY: " "}
)


def plain(text: str) -> str:
    """The text with straight quotes and simple spaces, every letter at its old place."""
    return text.translate(_PLAIN)


def masked(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """The text with each (start, end, letter) replaced by a run of that letter."""
    letters = list(text)
    for start, end, letter in spans:
        letters[start:end] = letter * (end - start)
    return "".join(letters)


# --- amounts ---

OPEN = "kr"  # the currency of several countries: which of them, the home of the speaker tells
CURRENCIES = {
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "buck": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "£": "GBP",
    "gbp": "GBP", "pound": "GBP", "quid": "GBP", "¥": "JPY", "jpy": "JPY", "yen": "JPY", "chf": "CHF", "franc": "CHF",
    "a$": "AUD", "aud": "AUD", "c$": "CAD", "cad": "CAD", "₹": "INR", "inr": "INR", "rupee": "INR", "kr": OPEN,
    "krone": OPEN, "kroner": OPEN, "krona": "SEK", "kronor": "SEK", "zloty": "PLN",
    "nok": "NOK", "sek": "SEK", "dkk": "DKK", "isk": "ISK", "pln": "PLN", "czk": "CZK", "huf": "HUF", "nzd": "NZD",
    "sgd": "SGD", "hkd": "HKD", "brl": "BRL", "mxn": "MXN", "cny": "CNY", "thb": "THB",
}  # fmt: skip
KRONER = {"NO": "NOK", "SE": "SEK", "DK": "DKK", "IS": "ISK"}
SCALES = {"k": 1000, "grand": 1000, "thousand": 1000, "million": 1_000_000, "m": 1_000_000}

_NUMBER = r"(?<![\d.,])(?:\d{1,3}(?:[,.' ]\d{3})+|\d+)(?:[.,]\d{1,2})?(?!\d|[.,]\d)"
_CODE = "|".join(word for word in CURRENCIES if len(word) == 3 and word.isalpha() and word not in ("yen",))
_MONEY = re.compile(
    rf"(?:(?P<sign>US\$|A\$|C\$|[$€£¥₹])\s?|\b(?P<code>{_CODE}|kr\.?)\s)(?P<a>{_NUMBER})"
    r"(?:\s?(?P<scale>k|thousand|million|grand)\b)?|"
    rf"(?P<b>{_NUMBER})(?P<scale2>k)?\s?(?P<word>dollars?|bucks?|euros?|pounds?|quid|yen|francs?|rupees?|kr|kroner?|kron[ao]r?|"
    rf"zloty|{_CODE}|[€£])(?!\w|\s+of\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    start: int
    end: int
    amount: str
    currency: str


def amounts(text: str) -> list[Amount]:
    """The sums of money in a text.

    >>> amounts("paid £1,250.50 and 45 euros")
    [Amount(start=5, end=14, amount='1250.50', currency='GBP'), Amount(start=19, end=27, amount='45', currency='EUR')]
    """
    return [_amount(match) for match in _MONEY.finditer(text)]


def _amount(match: re.Match[str]) -> Amount:
    scale = (match["scale"] or match["scale2"] or "").lower()
    unit = (match["sign"] or match["code"] or match["word"]).lower().rstrip(".")
    currency = CURRENCIES.get(unit) or CURRENCIES[unit.rstrip("s")]
    number = decimal(match["a"] or match["b"])
    return Amount(match.start(), match.end(), f"{number * SCALES[scale] if scale else number:f}", currency)


def decimal(written: str) -> Decimal:
    """A number with its thousands set apart in any way, and a decimal point or comma before one or two last digits.

    >>> decimal("1,250.50"), decimal("1.200,50"), decimal("2 499")
    (Decimal('1250.50'), Decimal('1200.50'), Decimal('2499'))
    """
    whole, mark, cents = written.rpartition(max(".,", key=written.rfind))
    if not mark or len(cents) > 2:
        whole, cents = written, ""
    return Decimal(re.sub(r"\D", "", whole) + (f".{cents}" if cents else ""))


# --- hours ---


@dataclass(frozen=True, slots=True)
class Clock:
    """An hour of the day, or two: "15:00". `unsure` where only context tells morning from evening ("at 9")."""

    start: int
    end: int
    at: str
    until: str | None = None
    unsure: bool = False


_HALF = r"(?P<half>[ap]\.?m\b\.?)"
_HOUR = re.compile(
    rf"(?:\b(?:at|around|by|from|between|@)\s+|@)?\b(?P<h>\d{{1,2}})(?::(?P<m>[0-5]\d))?\s?{_HALF}|"
    r"(?:\b(?:at|around|from|between|@)\s+|@)?\b(?P<h24>[01]?\d|2[0-3]):(?P<m24>[0-5]\d)\b(?!:)|"
    r"\b(?:at|kl\.?)\s+(?P<hdot>[01]?\d|2[0-3])\.(?P<mdot>[0-5]\d)\b(?!\.?\d|\s*[%$€£]|\s+(?:[a-z]{1,2}|euros?|dollars?|pounds?|"
    rf"each|per|percent|miles?|{_CODE})\b(?<!\son)(?<!\sin)(?<!\sat)(?<!\si)(?<!\swe))|"
    r"\bat\s+(?P<bare>\d{1,2})(?:\s+o'?clock)?\b(?![:/.,]\d|%|\s*(?:am|pm)\b|\s+(?:[a-z]+s|people|percent|st|street|"
    r"main)\b|\s*(?-i:[A-Z]))|\b(?:between|from)\s+(?P<low>\d{1,2})(?=\s*(?:and|to|-|–|until)\s*\d{1,2}\b\s*(?:$|[.,;!?]))|"
    r"(?<=\d\sand\s)(?P<high>\d{1,2})(?=\s*(?:$|[.,;!?]))|(?<=\d\sto\s)(?P<high2>\d{1,2})(?=\s*(?:$|[.,;!?]))|"
    r"\b(?:at\s+)?(?P<word>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
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
_COUNTS = {word: number for number, word in enumerate(_WORDS, 1)} | {
    "quarter": 15, "half": 30, "fifteen": 15, "twenty": 20, "twenty-five": 25, "thirty": 30, "forty-five": 45,
}  # fmt: skip
_HALVED = re.compile(r"[ap]\.?m\b\.?$", re.IGNORECASE)
_OPEN = re.compile(r"\b(?P<h>\d{1,2})(?::(?P<m>[0-5]\d))?\s*(?:-|–|to)\s*$")  # "7-9pm": the first hour without its half
_EVENING = re.compile(r"\b(?:dinner|supper|tonight|evening|night|drinks|concert|gig|movie|party|show)\b", re.IGNORECASE)
_MORNING = re.compile(r"\b(?:breakfast|brunch|morning)\b", re.IGNORECASE)


def hours(text: str) -> list[Clock]:
    """The hours named in a text; "between 10 AM and 2 PM" and "7-9pm" are one.

    >>> [(c.at, c.until) for c in hours("Tuesday at 3pm, then 10:30 to 11:15")]
    [('15:00', None), ('10:30', '11:15')]
    """
    found: list[Clock] = []
    spoken = [_spoken(match, text) for match in _SPOKEN.finditer(text)]
    told = [clock for match in _HOUR.finditer(text) if (clock := _clock(match, text)) and not _within(clock, spoken)]
    for clock in sorted((*spoken, *told), key=lambda clock: clock.start):
        last = found[-1] if found else None
        if last and not last.until and re.fullmatch(r"\s*(?:-|–|to|until|till|and)\s*", text[last.end : clock.start]):
            found[-1] = Clock(last.start, clock.end, last.at, clock.at, last.unsure and clock.unsure)
        elif (open_ := _OPEN.search(text, 0, clock.start)) and _HALVED.search(text, clock.start, clock.end):
            at = _opening(open_, clock.at)
            found.append(Clock(open_.start(), clock.end, at, clock.at))
        else:
            found.append(clock)
    return found


def _within(clock: Clock, others: list[Clock]) -> bool:
    return any(other.start < clock.end and clock.start < other.end for other in others)


def _spoken(match: re.Match[str], text: str) -> Clock:
    """ "half past three", "quarter to four", "at half three" (as the British say), "eight o'clock", "at three thirty"."""
    hour = _number(next(h for h in match.group("h", "next", "half", "sharp", "even") if h))
    part = match["past"] or match["to"] or match["minutes"] or ("half" if match["half"] else "0")
    minute = _number(part.split()[-1])
    if match["to"]:
        hour, minute = (hour - 1) or 12, 60 - minute
    if match["m"]:
        return Clock(match.start(), match.end(), f"{hour % 12 + 12 * (match['m'].lower() == 'p'):02d}:{minute:02d}")
    return _of_the_day(match.start(), match.end(), hour, f"{minute:02d}", text)


def _number(word: str) -> int:
    word = word.lower()
    return int(word) if word.isdigit() else _COUNTS[word]


def _clock(match: re.Match[str], text: str) -> Clock | None:
    start, end = match.start(), match.end()
    if match["word"]:
        night = match["word"].lower() == "midnight"
        return Clock(start, end, "00:00" if night else "12:00", unsure=night)  # that before the day, or that after
    digital = match["h24"] or match["hdot"]
    hour = int(match["h"] or digital or match["bare"] or match["low"] or match["high"] or match["high2"])
    minute = match["m"] or match["m24"] or match["mdot"] or "00"
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"].lower().startswith("p") else 0)
        return Clock(start, end, f"{hour:02d}:{minute}")
    if hour > 24 or (digital and (hour > 12 or digital.startswith("0"))):
        return Clock(start, end, f"{hour:02d}:{minute}") if hour < 24 else None
    return _of_the_day(start, end, hour, minute, text, digital=bool(digital))


def _of_the_day(start: int, end: int, hour: int, minute: str, text: str, *, digital: bool = False) -> Clock:
    """An hour of twelve: which half of the day it belongs to, as far as the words tell, else as is usual.

    From eight on, "8:15" is as clear as "9:15": in the evening people say so.
    """
    evening, morning = bool(_EVENING.search(text)) or hour > 12, bool(_MORNING.search(text))
    if hour < 12 and not morning and (evening or hour < 8):
        hour += 12
    return Clock(
        start, end, f"{hour:02d}:{minute}", unsure=not (evening or morning) and hour % 12 in range(5, 8 if digital else 9)
    )


def _opening(match: re.Match[str], until: str) -> str:
    """The first hour of "7-9pm": in the same half of the day where it then comes first."""
    hour, minute = int(match["h"]) % 12, match["m"] or "00"
    late = f"{hour + 12:02d}:{minute}"
    return late if late < until else f"{hour:02d}:{minute}"
