"""Hours, amounts, numbers and relations as people write them."""

from __future__ import annotations

from datetime import time
from decimal import Decimal

import pytest

from uac_nb.english import amounts, hours, number, numbers, relation


@pytest.mark.parametrize(
    ("text", "at", "until"),
    [
        ("at 3pm", "15:00", None),
        ("12 am", "00:00", None),
        ("12:30 p.m.", "12:30", None),
        ("at 10:30", "10:30", None),
        ("at 18:45", "18:45", None),
        ("at noon", "12:00", None),
        ("dinner at 8", "20:00", None),
        ("breakfast at 8", "08:00", None),
        ("the dentist at 4", "16:00", None),
        ("between 10 AM and 2 PM", "10:00", "14:00"),
        ("from 10 to 12", "10:00", "12:00"),
        ("7-9pm", "19:00", "21:00"),
        ("11-1pm", "11:00", "13:00"),
        ("dentist at half past three", "15:30", None),
        ("a quarter to four", "15:45", None),
        ("at quarter past eleven", "11:15", None),
        ("at ten to one", "12:50", None),
        ("twenty past 9 in the evening", "21:20", None),
        ("at half three", "15:30", None),
        ("at eight o'clock in the morning", "08:00", None),
        ("at three thirty", "15:30", None),
        ("at six pm", "18:00", None),
        ("at 16.30", "16:30", None),
        ("kl. 8.15", "08:15", None),
    ],
)
def test_hours(text: str, at: str, until: str | None) -> None:
    assert [(c.at, c.until) for c in hours(text)] == [(time.fromisoformat(at), time.fromisoformat(until) if until else None)]


@pytest.mark.parametrize(
    "text",
    [
        "at one point",
        "ten to two people",
        "half of ten",
        "at two places",
        "at 5 people",
        "at 30%",
        "25:99",
        "at 221 Baker Street",
        "13 pm",
        "at 3.50 euros",
        "at 12.5 km",
    ],
)
def test_no_hours(text: str) -> None:
    assert hours(text) == []


def test_an_hour_that_only_habit_tells_is_unsure() -> None:
    assert [clock.unsure for clock in hours("gym at 7")] == [True]
    assert [clock.unsure for clock in hours("gym at 6:30")] == [True]
    assert [clock.unsure for clock in hours("gym at 8:15")] == [False]
    assert [clock.unsure for clock in hours("gym at 7 in the evening")] == [False]
    assert [clock.unsure for clock in hours("party on Friday at midnight")] == [True]


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("$1,250.50", "1250.50", "USD"),
        ("45 euros", "45", "EUR"),
        ("€199", "199", "EUR"),
        ("20 bucks", "20", "USD"),
        ("£2k", "2000", "GBP"),
        ("120 quid", "120", "GBP"),
        ("A$30", "30", "AUD"),
        ("300 NOK", "300", "NOK"),
        ("CHF 85", "85", "CHF"),
        ("2 499 kr", "2499", "kr"),
        ("kr 1.299,90", "1299.90", "kr"),
        ("1.200,50 EUR", "1200.50", "EUR"),
        ("12,50 €", "12.50", "EUR"),
        ("1.499 €", "1499", "EUR"),
        ("20 kronor", "20", "SEK"),
    ],
)
def test_amounts(text: str, amount: str, currency: str) -> None:
    assert [(money.amount, money.currency) for money in amounts(text)] == [(Decimal(amount), currency)]


def test_a_weight_is_no_amount() -> None:
    assert amounts("5 pounds of apples") == []


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("twelve", 12), ("a dozen", 12), ("twenty-five", 25), ("two hundred", 200), ("5k", 5000), ("third", 3), ("half", 0.5),
        ("2,500", 2500), ("1.5", 1.5), ("twice", 2), ("cats", None), ("two cats", None), ("", None),
    ],
)  # fmt: skip
def test_number(words: str, value: float | None) -> None:
    assert number(words) == value


def test_numbers_of_a_text() -> None:
    assert sorted(numbers("twenty-five of 2,500 people, at 7:30")) == [5, 7, 20, 25, 30, 2500]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("mum", "mother"), ("Mother", "mother"), ("older sister", "sister"), ("brother-in-law", "brother-in-law"),
        ("great-aunt", "great-aunt"), ("ex-wife", "ex-wife"), ("coworker", "colleague"), ("table", None), ("red sister", None),
        ("sister of mine", None), ("", None),
    ],
)  # fmt: skip
def test_relation(words: str, kind: str | None) -> None:
    assert relation(words) == kind
