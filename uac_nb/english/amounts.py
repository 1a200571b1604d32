"""Amounts of money as people write them: "$1,250.50", "45 euros", "2 499 kr", "£2k"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

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
_SCALES = {"k": 1000, "grand": 1000, "thousand": 1000, "million": 1_000_000, "m": 1_000_000}

_NUMBER = r"(?<![\d.,])(?:\d{1,3}(?:[,.' ]\d{3})+|\d+)(?:[.,]\d{1,2})?(?!\d|[.,]\d)"
CODES = "|".join(word for word in CURRENCIES if len(word) == 3 and word.isalpha() and word not in ("yen",))
_MONEY = re.compile(
    rf"(?:(?P<sign>US\$|A\$|C\$|[$€£¥₹])\s?|\b(?P<code>{CODES}|kr\.?)\s)(?P<a>{_NUMBER})"
    r"(?:\s?(?P<scale>k|thousand|million|grand)\b)?|"
    rf"(?P<b>{_NUMBER})(?P<scale2>k)?\s?(?P<word>dollars?|bucks?|euros?|pounds?|quid|yen|francs?|rupees?|kr|kroner?|kron[ao]r?|"
    rf"zloty|{CODES}|[€£])(?!\w|\s+of\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum of money in a text; `currency` is a code of ISO 4217, or OPEN."""

    start: int
    end: int
    amount: Decimal
    currency: str


def amounts(text: str) -> list[Amount]:
    """Return the sums of money in a text.

    >>> [(str(found.amount), found.currency) for found in amounts("paid £1,250.50 and 45 euros")]
    [('1250.50', 'GBP'), ('45', 'EUR')]
    """
    return [_amount(match) for match in _MONEY.finditer(text)]


def _amount(match: re.Match[str]) -> Amount:
    scale = (match["scale"] or match["scale2"] or "").lower()
    unit = (match["sign"] or match["code"] or match["word"]).lower().rstrip(".")
    currency = CURRENCIES.get(unit) or CURRENCIES[unit.rstrip("s")]
    number = decimal(match["a"] or match["b"])
    return Amount(match.start(), match.end(), number * _SCALES[scale] if scale else number, currency)


def decimal(written: str) -> Decimal:
    """Return a number whose thousands are set apart in any way, its decimal mark before one or two last digits.

    >>> decimal("1,250.50"), decimal("1.200,50"), decimal("2 499")
    (Decimal('1250.50'), Decimal('1200.50'), Decimal('2499'))
    """
    whole, mark, cents = written.rpartition(max(".,", key=written.rfind))
    if not mark or len(cents) > 2:
        whole, cents = written, ""
    return Decimal(re.sub(r"\D", "", whole) + (f".{cents}" if cents else ""))
