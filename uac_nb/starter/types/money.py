"""Money: accounts, what goes out, what was bought, and the limits that were set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from uac_nb.rules import Every, Money, When


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account at a bank or broker."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "Wells Fargo checking account"
    status: Literal["open", "closing", "closed"] = "open"
    closes: When | None = None
    replaced_by: str | None = None  # id of the account that takes over
    balance: Money | None = None
    balance_on: When | None = None
    quote: str | None = None  # their own words
    doubt: str | None = None  # what to ask
    rests_on: tuple[str, ...] = ()  # ids of the records that it holds because of
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"  # what comes of it without them
    source: tuple[int, ...]  # the entries that say so


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A payment card."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "Visa card"
    expires: When | None = None  # "2027-03": to the end of that month
    status: Literal["active", "frozen", "lost", "cancelled"] = "active"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """Money that goes out at a known time, once or again and again."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "rent payment"
    amount: Money
    account: str | None = None  # id of the account or card that it is drawn on
    method: Literal["autopay", "manual"] = "manual"
    every: Literal["once", "week", "month", "year"] = "once"
    day: int | None = None  # day of the month; of a weekly one: 1 Monday to 7 Sunday
    month: int | None = None  # of a yearly one: 1 to 12
    repeats: Every | None = None  # when it goes out, where the three before cannot say it: "2 weeks fri", "6 months"
    on: When | None = None  # of a single one, or of the first
    until: When | None = None
    status: Literal["active", "stopped", "done", "cancelled"] = "active"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """Something that renews by itself until it is cancelled."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "Netflix subscription"
    price: Money | None = None
    every: Literal["month", "year"] = "month"
    repeats: Every | None = None  # when it renews, where neither month nor year says it: "3 months"
    renews: When | None = None  # the next charge
    trial_ends: When | None = None
    account: str | None = None  # id of the card or account that pays it
    intent: Literal["undecided", "keep", "cancel"] = "undecided"
    status: Literal["active", "cancelled"] = "active"
    cancelled: When | None = None  # on which day it was cancelled
    until: When | None = None  # its last day, once it is cancelled
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """Something bought."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "espresso machine"
    shop: str | None = None
    price: Money | None = None
    bought: When
    category: str | None = None  # "kitchen"
    return_days: int | None = None  # the shop's policy; the last day is computed
    return_by: When | None = None  # the last day, where that was said instead
    decision: Literal["undecided", "keep", "return", "returned"] = "undecided"
    decide_by: When | None = None
    warranty_until: When | None = None
    problem: str | None = None  # what is wrong with it: "the screen flickers"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expense:
    """One spending of a budget, made or planned."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "birthday dinner"
    category: str  # as the budget calls it
    amount: Money
    on: When
    status: Literal["planned", "paid", "cancelled"] = "paid"
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A ceiling on one month's spending in a category."""

    one_at_a_time = ("who", "category")

    id: str
    who: str = "me"  # id of a Person
    title: str  # "eating-out budget"
    category: str
    limit: Money
    since: When | None = None
    until: When | None = None
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Investment:
    """Money put, or about to be put, into something."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "small-cap biotech stock"
    amount: Money
    risk: Literal["low", "medium", "high"]
    status: Literal["considering", "ordered", "held", "sold", "dropped"]
    since: When
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls: "alcohol"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskLimit:
    """How much risk they decided to take with money, from when, and why."""

    one_at_a_time = ("who",)

    id: str
    who: str = "me"  # id of a Person
    title: str  # "no more risky investments"
    max_risk: Literal["low", "medium", "high"]
    since: When
    until: When | None = None
    because: str | None = None  # id of the milestone behind it
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """A lease or another contract that goes on until somebody gives notice."""

    id: str
    who: str = "me"  # id of a Person
    title: str  # "lease of the flat"
    with_whom: str | None = None  # id of a Person, or a name
    price: Money | None = None
    every: Literal["week", "month", "quarter", "year"] = "month"  # how often the price is due
    since: When | None = None
    until: When | None = None  # its last day, as far as that is fixed
    renews: When | None = None  # the day from which it goes on, if nobody gives notice
    notice: str | None = None  # as said: "three months to the end of a quarter"
    due: When | None = None  # the last day to give notice, counted out
    lead_days: int = 30  # how early to speak up
    tags: tuple[str, ...] = ()  # what it is, under which terms it falls
    status: Literal["running", "notice given", "ended"] = "running"
    quote: str | None = None
    doubt: str | None = None
    rests_on: tuple[str, ...] = ()
    if_gone: Literal["unknown", "ends", "follows"] = "unknown"
    source: tuple[int, ...]
