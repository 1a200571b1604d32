"""Numbers in words and digits: "2,500", "twenty-five", "two hundred", "5k", "a dozen", "third"."""

from __future__ import annotations

import re
from collections.abc import Iterator

COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
VAGUE = {"couple": (2, 3), "few": (2, 6), "several": (2, 7)}  # how many that can be
_OTHERS = {
    "zero": 0, "no": 0, "none": 0, "once": 1, "twice": 2, "thrice": 3, "single": 1, "double": 2, "triple": 3, "both": 2,
    "couple": 2, "pair": 2, "half": 0.5, "quarter": 0.25, "dozen": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "first": 1, "second": 2, "third": 3, "fourth": 4,
    "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "noon": 12, "midday": 12, "midnight": 0,
}  # fmt: skip
_TENS = {
    word: 10 * n for n, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "k": 1000, "m": 1_000_000}
_WORDS: dict[str, float] = {**COUNTS, **_OTHERS, **_TENS, **_SCALES}
_TOKEN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|[^\W\d_]+")


def number(words: str) -> float | None:
    """Return the number that words or digits write, all of them together; None where they are no number.

    >>> number("twenty-five"), number("2,500"), number("two hundred"), number("third"), number("cats")
    (25.0, 2500.0, 200.0, 3.0, None)
    """
    tokens = _TOKEN.findall(words.casefold())
    found = list(numbers(words))
    return found[-1] if found and all(token[0].isdigit() or token in _WORDS for token in tokens) else None


def numbers(text: str) -> Iterator[float]:
    """Yield the numbers of a text, and of composed ones also the parts.

    >>> sorted(numbers("twenty-five of 2,500"))
    [5.0, 20.0, 25.0, 2500.0]
    """
    last: float | None = None
    for token in _TOKEN.findall(text.casefold()):
        value = float(token.replace(",", "")) if token[0].isdigit() else _WORDS.get(token)
        if value is None:
            last = None
            continue
        if token in _SCALES:
            value = (last or 1) * _SCALES[token]
        elif last is not None and last in _TENS.values() and value < 10:
            yield float(value)
            value += last
        yield float(value)
        last = value
