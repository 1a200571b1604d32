"""Each starter rule on records that must make it speak, and on others, just past the edge, that must not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace as but
from datetime import date, time
from typing import Any, NamedTuple

import pytest

from uac_nb.rules import Alert, Money, RuleFunction, When, lint, run
from uac_nb.rules.alerts import needs
from uac_nb.starter import CONCERN, RULES, TYPES
from uac_nb.starter import rules as r
from uac_nb.starter.rules.charges import next_due, next_renewal
from uac_nb.starter.types.concerns import Concern
from uac_nb.starter.types.health import Allergy, Medicine
from uac_nb.starter.types.life import Promise, Residence, Resolution
from uac_nb.starter.types.money import (
    Account,
    Budget,
    Card,
    Expense,
    Investment,
    Payment,
    Purchase,
    RiskLimit,
    Subscription,
)
from uac_nb.starter.types.people import Authorisation, Milestone
from uac_nb.starter.types.schedule import Commitment, Deadline, Errand, Outing, Plan
from uac_nb.starter.types.travel import Passport, Trip, Visa
from uac_nb.starter.types.vehicles import Vehicle

TODAY = date(2025, 6, 2)  # a Monday


class Row(NamedTuple):
    """How many alerts a rule has to find in some collections on a day, and why."""

    why: str
    count: int
    today: date
    collections: Mapping[str, Sequence[Any]]


def fires(why: str, *, count: int = 1, today: str = "2025-06-02", **collections: Sequence[Any]) -> Row:
    return Row(why, count, date.fromisoformat(today), collections)


def quiet(why: str, *, today: str = "2025-06-02", **collections: Sequence[Any]) -> Row:
    return fires(why, count=0, today=today, **collections)


def usd(amount: int) -> Money:
    return Money(amount, "USD")


def w(text: str) -> When:
    return When(text)


delhi = Trip(
    id="delhi", title="trip to Delhi", to="Delhi", country="IN", departs=w("2025-06-10"), returns=w("2025-06-20"), source=(1,)
)
goa = but(delhi, id="goa", title="trip to Goa", to="Goa", departs=w("2025-03-01"), returns=w("2025-03-09"), status="done")
rome = but(delhi, id="rome", title="trip to Rome", to="Rome", country="IT", departs=w("2025-06-18"), returns=w("2025-06-25"))
india = Visa(
    id="visa", title="Indian visa", country="IN", status="granted", valid_from=w("2025-06-01"), valid_until=w("2025-07-30"),
    source=(2,),
)  # fmt: skip
single = but(india, entries=1, valid_from=w("2025-01-01"))
us = Passport(id="us", title="US passport", country="US", expires=w("2025-06-19"), source=(3,))

TRAVEL = {
    r.trip_outside_visa_window: [
        fires("a day early", trips=[but(delhi, departs=w("2025-05-31"))], visas=[india]),
        quiet("on the first day", trips=[but(delhi, departs=w("2025-06-01"))], visas=[india]),
        fires("a day late", trips=[but(delhi, returns=w("2025-07-31"))], visas=[india]),
        quiet("on the last day", trips=[but(delhi, returns=w("2025-07-30"))], visas=[india]),
        fires("surely in May", trips=[but(delhi, departs=w("2025-05"))], visas=[india]),
        quiet("perhaps in May", trips=[but(delhi, departs=w("2025-05/2025-06"))], visas=[india]),
        quiet("no visa recorded: no claim", trips=[but(delhi, departs=w("2025-05-31"))]),
        quiet(
            "a second visa covers it",
            trips=[but(delhi, departs=w("2025-05-31"))],
            visas=[india, but(india, id="2", valid_from=w("2025-01"))],
        ),
        quiet("cancelled", trips=[but(delhi, departs=w("2025-05-31"), status="cancelled")], visas=[india]),
        quiet("over", trips=[but(goa, status="booked")], visas=[india]),
        quiet("the visa is another person's", trips=[but(delhi, departs=w("2025-05-31"))], visas=[but(india, who="mum")]),
        fires(
            "a companion's visa", trips=[but(delhi, departs=w("2025-05-31"), others=("mum",))], visas=[but(india, who="mum")]
        ),
    ],
    r.visa_entries_used_up: [
        fires("the second on a single entry", trips=[goa, delhi], visas=[single]),
        quiet("the first", trips=[delhi], visas=[single]),
        fires("used before the log began", trips=[delhi], visas=[but(single, entries_used=1)]),
        quiet("two entries", trips=[goa, delhi], visas=[but(single, entries=2)]),
        fires("the visa ends with the trip", trips=[goa, delhi], visas=[but(single, valid_until=w("2025-06-20"))]),
        fires("the visa begins with the first", trips=[goa, delhi], visas=[but(single, valid_from=w("2025-03-01"))]),
        fires("the visa has no last day", trips=[goa, delhi], visas=[but(single, valid_until=None)]),
        quiet("the trip may end after the visa", trips=[goa, but(delhi, returns=w("2025-07/2025-08"))], visas=[single]),
        quiet("no number of entries", trips=[goa, delhi], visas=[but(single, entries=None)]),
        quiet("the first was cancelled", trips=[but(goa, status="cancelled"), delhi], visas=[single]),
        quiet("the first may lie before the visa", trips=[but(goa, departs=w("2024/2025")), delhi], visas=[single]),
    ],
    r.stay_longer_than_visa_allows: [
        fires("11 days of 10", trips=[delhi], visas=[but(india, max_stay_days=10)]),
        quiet("11 days of 11", trips=[delhi], visas=[but(india, max_stay_days=11)]),
        quiet("no return known", trips=[but(delhi, returns=None)], visas=[but(india, max_stay_days=1)]),
    ],
    r.visa_refused_for_trip: [
        fires("refused", trips=[delhi], visas=[but(india, status="refused")]),
        quiet("another was granted", trips=[delhi], visas=[but(india, status="refused"), but(india, id="2")]),
        quiet("another country", trips=[rome], visas=[but(india, status="refused")]),
    ],
    r.visa_still_pending: [
        fires("8 days to go", trips=[delhi], visas=[but(india, status="applied")]),
        quiet("granted", trips=[delhi], visas=[india]),
        fires("on the day itself", today="2025-06-10", trips=[delhi], visas=[but(india, status="applied")]),
        quiet("already there", today="2025-06-11", trips=[delhi], visas=[but(india, status="applied")]),
        quiet("15 days to go", today="2025-05-26", trips=[delhi], visas=[but(india, status="applied")]),
        fires("14 days to go", today="2025-05-27", trips=[delhi], visas=[but(india, status="applied")]),
    ],
    r.passport_too_short_for_trip: [
        fires("ends on the trip", trips=[delhi], passports=[us]),
        fires("a day less than six months after", trips=[delhi], passports=[but(us, expires=w("2025-12-19"))]),
        quiet("six months after", trips=[delhi], passports=[but(us, expires=w("2025-12-20"))]),
        quiet(
            "within Europe it has to be valid only", trips=[rome], passports=[but(us, country="DE", expires=w("2025-06-25"))]
        ),
        fires("within Europe, but not to the end", trips=[rome], passports=[but(us, country="DE", expires=w("2025-06-24"))]),
        fires("from Europe to elsewhere", trips=[delhi], passports=[but(us, country="DE", expires=w("2025-12-19"))]),
        quiet("at home", trips=[but(delhi, country="US")], passports=[us]),
        quiet(
            "where they live",
            trips=[delhi],
            passports=[us],
            residences=[Residence(id="h", place="Pune", country="IN", source=(1,))],
        ),
        fires(
            "where they will live",
            trips=[delhi],
            passports=[us],
            residences=[Residence(id="h", place="Pune", country="IN", since=w("2025-06-10"), source=(1,))],
        ),
        fires(
            "where they lived",
            trips=[delhi],
            passports=[us],
            residences=[Residence(id="h", place="Pune", country="IN", until=w("2024"), source=(1,))],
        ),
        fires("its country was not said", trips=[delhi], passports=[but(us, country=None)]),
        quiet(
            "its country was not said, at home",
            trips=[but(delhi, country="US")],
            passports=[but(us, country=None)],
            residences=[Residence(id="h", place="Austin", country="US", source=(1,))],
        ),
        fires(
            "only a day there is known",
            trips=[but(delhi, departs=None, returns=None, there_on=w("2025-06-20"))],
            passports=[us],
        ),
        quiet(
            "that day lies behind",
            today="2025-06-21",
            trips=[but(delhi, departs=None, returns=None, there_on=w("2025-06-20"))],
            passports=[us],
        ),
        quiet("another person's", trips=[delhi], passports=[but(us, who="kid")]),
        quiet("a second passport is good", trips=[delhi], passports=[us, but(us, id="new", expires=w("2034-01"))]),
    ],
    r.passport_lost_before_trip: [
        fires("lost", trips=[delhi], passports=[but(us, status="lost")]),
        quiet("lost, and a new one held", trips=[delhi], passports=[but(us, status="lost"), but(us, id="new")]),
        quiet("kept", trips=[delhi], passports=[us]),
    ],
    r.trips_overlap: [
        fires("three days in both", trips=[delhi, rome]),
        quiet("both considered", trips=[but(delhi, status="considering"), but(rome, status="considering")]),
        fires("one of them considered", trips=[but(delhi, status="considering"), rome]),
        quiet(
            "a stop on a tour of no one country",
            trips=[but(delhi, to="Asia", country=None), but(rome, departs=w("2025-06-12"), returns=w("2025-06-15"))],
        ),
        quiet("straight on", trips=[delhi, but(rome, departs=w("2025-06-20"))]),
        quiet("another traveller", trips=[delhi, but(rome, who="mum")]),
        quiet("one trip, its country unknown", trips=[but(delhi, country=None)]),
        quiet("an excursion", trips=[delhi, but(rome, country="IN")]),
    ],
}

dentist = Commitment(id="a", title="dentist", on=w("2025-06-12"), starts=time(10), ends=time(11), source=(4,))
call = Commitment(
    id="b", title="call with Ana", on=w("2025-06-12"), starts=time(10, 30), ends=time(11, 30), presence="online", source=(5,)
)
fair = Commitment(id="f", title="trade fair", on=w("2025-06-11"), until=w("2025-06-13"), whole_day=True, source=(6,))
tax = Deadline(id="tax", title="tax return", due=w("2025-06-09"), source=(7,))
promise = Promise(id="p", to="dana", title="help with the website", made=w("2025-05-01"), due=w("2025-06-05"), source=(8,))

SCHEDULE = {
    r.commitments_overlap: [
        fires("half an hour in both", commitments=[dentist, call]),
        quiet("one after the other", commitments=[dentist, but(call, starts=time(11))]),
        quiet("another day", commitments=[dentist, but(call, on=w("2025-06-13"))]),
        quiet("no hours: no claim", commitments=[dentist, but(call, starts=None, ends=None)]),
        fires("no hours, but the whole day", commitments=[dentist, but(call, starts=None, ends=None, whole_day=True)]),
        fires("no end known, within an hour", commitments=[but(dentist, starts=time(9, 31), ends=None), call]),
        quiet("no end known, an hour before", commitments=[but(dentist, starts=time(9, 30), ends=None), call]),
        quiet("both tentative", commitments=[but(dentist, status="tentative"), but(call, status="tentative")]),
        fires("one of them tentative", commitments=[but(dentist, status="tentative"), call]),
        fires(
            "past midnight", commitments=[but(dentist, starts=time(22), ends=time(1)), but(call, starts=time(23), ends=None)]
        ),
        fires(
            "to the same hour of the next day", commitments=[but(dentist, ends=time(10)), but(call, starts=time(23), ends=None)]
        ),
        quiet("a part of the other", commitments=[dentist, but(call, part_of="a")]),
        quiet("needs nobody", commitments=[dentist, but(call, presence="nobody")]),
        quiet("cancelled", commitments=[dentist, but(call, status="cancelled")]),
        quiet("over", today="2025-06-13", commitments=[dentist, call]),
        fires("today", today="2025-06-12", commitments=[dentist, call]),
        quiet("other people", commitments=[dentist, but(call, who="tom")]),
        fires("other people, but both take me", commitments=[dentist, but(call, who="tom", others=("me",))]),
        fires("a day of several", commitments=[fair, dentist]),
        quiet("the parts of one whole", commitments=[fair, but(dentist, part_of="f"), but(call, part_of="f")]),
        quiet("some day of that week: no claim", commitments=[fair, but(dentist, on=w("2025-W24"))]),
    ],
    r.away_during_commitment: [
        fires("in Delhi", commitments=[dentist], trips=[delhi]),
        quiet("online", commitments=[call], trips=[delhi]),
        quiet("the day after", commitments=[but(dentist, on=w("2025-06-21"))], trips=[delhi]),
        quiet("there", commitments=[but(dentist, place="a clinic in delhi")], trips=[delhi]),
        quiet("there, as its title says", commitments=[but(dentist, title="dinner in Delhi")], trips=[delhi]),
        quiet("with whom they travel", commitments=[but(dentist, others=("ana",))], trips=[but(delhi, others=("ana",))]),
        fires(
            "with whom they travel, but elsewhere",
            commitments=[but(dentist, others=("ana",), place="Oak Street")],
            trips=[but(delhi, others=("ana",))],
        ),
        fires(
            "on the day they are known to be there",
            commitments=[dentist],
            trips=[but(delhi, departs=None, returns=None, there_on=w("2025-06-12"))],
        ),
        quiet(
            "a part of a stay on the way of a longer trip",
            commitments=[but(dentist, place="Agra")],
            trips=[delhi, but(delhi, id="agra", to="Agra", departs=w("2025-06-11"), returns=w("2025-06-13"))],
        ),
        quiet("a part of the trip", commitments=[but(dentist, part_of="delhi")], trips=[delhi]),
        quiet("mum travels", commitments=[dentist], trips=[but(delhi, who="mum")]),
        fires("with mum", commitments=[dentist], trips=[but(delhi, who="mum", others=("me",))]),
        fires("someone at home", commitments=[but(dentist, presence="someone at home")], trips=[delhi]),
        quiet("some day in June: no claim", commitments=[but(dentist, on=w("2025-06"))], trips=[delhi]),
        quiet(
            "some day of that week, all of it away",
            commitments=[but(dentist, on=w("2025-W25"))],
            trips=[but(delhi, returns=w("2025-06-30"))],
        ),
        quiet("the trip is over", today="2025-06-21", commitments=[dentist], trips=[delhi]),
    ],
    r.deadline_near: [
        fires("7 days left", deadlines=[tax]),
        quiet("8 days left", deadlines=[but(tax, due=w("2025-06-10"))]),
        fires("8 days left, told earlier", deadlines=[but(tax, due=w("2025-06-10"), lead_days=8)]),
        fires("14 days past", deadlines=[but(tax, due=w("2025-05-19"))]),
        quiet("15 days past", deadlines=[but(tax, due=w("2025-05-18"))]),
        quiet("done", deadlines=[but(tax, status="done")]),
        fires("a week that begins in 7 days", deadlines=[but(tax, due=w("2025-W24"))]),
        quiet("by a day far off", deadlines=[but(tax, due=w("../2025-09-01"))]),
        fires("by a near day", deadlines=[but(tax, due=w("../2025-06-09"))]),
    ],
    r.deadline_while_away: [
        fires("in person", deadlines=[but(tax, due=w("2025-06-15"), presence="user there")], trips=[delhi]),
        quiet("online", deadlines=[but(tax, due=w("2025-06-15"))], trips=[delhi]),
        quiet("the day after the trip", deadlines=[but(tax, due=w("2025-06-21"), presence="user there")], trips=[delhi]),
        fires(
            "due as they leave, tomorrow",
            trips=[but(delhi, departs=w("2025-06-03"))],
            deadlines=[but(tax, due=w("2025-06-03"), presence="user there")],
        ),
        quiet(
            "they leave today",
            today="2025-06-10",
            trips=[delhi],
            deadlines=[but(tax, due=w("2025-06-15"), presence="user there")],
        ),
        quiet(
            "no return known",
            trips=[but(delhi, returns=None)],
            deadlines=[but(tax, due=w("2025-06-10"), presence="user there")],
        ),
        quiet("perhaps after the trip", deadlines=[but(tax, due=w("2025-06"), presence="user there")], trips=[delhi]),
    ],
    r.promise_due: [
        fires("3 days left", promises=[promise]),
        fires("the last day", today="2025-06-05", promises=[promise]),
        quiet("the day after", today="2025-06-06", promises=[promise]),
        quiet("4 days left", today="2025-06-01", promises=[promise]),
        quiet("kept", promises=[but(promise, status="done")]),
        quiet("someone else's", promises=[but(promise, who="dana", to="me")]),
        quiet("no day", promises=[but(promise, due=None)]),
    ],
}

coat = Purchase(
    id="coat", title="coat", shop="Zara", price=usd(90), bought=w("2025-05-08"), category="clothes", return_days=30, source=(9,)
)
phone = Purchase(
    id="phone", title="phone", bought=w("2024-06-20"), decision="keep", warranty_until=w("2025-07-02"),
    problem="the screen flickers", source=(10,),
)  # fmt: skip
chase = Account(
    id="chase", title="Chase checking account", status="closing", closes=w("2025-06-20"), replaced_by="ally", balance=usd(100),
    balance_on=w("2025-05-19"), source=(11,),
)  # fmt: skip
ally = Account(id="ally", title="Ally account", source=(12,))
gym = Payment(id="gym", title="gym fee", amount=usd(45), account="chase", method="autopay", every="month", day=31, source=(13,))
netflix = Subscription(
    id="netflix",
    title="Netflix subscription",
    price=usd(15),
    renews=w("2025-07-01"),
    account="visa",
    intent="keep",
    source=(14,),
)
visa_card = Card(id="visa", title="Visa card", expires=w("2025-06"), source=(15,))
calm = RiskLimit(
    id="calm", title="nothing speculative before the house is paid", max_risk="medium", since=w("2025"), source=(16,)
)
coin = Investment(
    id="coin", title="meme coin", amount=usd(500), risk="high", status="considering", since=w("2025-06-02"), source=(17,)
)
food = Budget(id="food", title="eating-out budget", category="food", limit=usd(200), source=(18,))
dinner = Expense(
    id="dinner", title="birthday dinner", category="food", amount=usd(150), on=w("2025-06-09"), status="planned", source=(19,)
)
brunch = but(dinner, id="brunch", title="brunch", amount=usd(51), on=w("2025-06-01"), status="paid")

MONEY = {
    r.return_window_closing: [
        fires("5 days left", purchases=[coat]),
        fires("7 days left", today="2025-05-31", purchases=[coat]),
        quiet("8 days left", today="2025-05-30", purchases=[coat]),
        fires("the last day", today="2025-06-07", purchases=[coat]),
        quiet("the day after", today="2025-06-08", purchases=[coat]),
        quiet("kept", purchases=[but(coat, decision="keep")]),
        fires("to be returned", purchases=[but(coat, decision="return")]),
        quiet("no policy known", purchases=[but(coat, return_days=None)]),
        fires("a day was said", purchases=[but(coat, return_days=None, return_by=w("2025-06-09"))]),
        fires("bought about then", today="2025-05-30", purchases=[but(coat, bought=w("2025-05-08~"))]),
        quiet("bought that month: too vague", purchases=[but(coat, bought=w("2025-05"))]),
    ],
    r.warranty_ends_with_problem: [
        fires("30 days left", purchases=[phone]),
        quiet("31 days left", today="2025-06-01", purchases=[phone]),
        quiet("the day after", today="2025-07-03", purchases=[phone]),
        fires("the last day", today="2025-07-02", purchases=[phone]),
        quiet("no fault", purchases=[but(phone, problem=None)]),
    ],
    r.payment_from_closed_account: [
        fires("after the closing", payments=[gym], accounts=[chase, ally]),
        quiet("from the new account", payments=[but(gym, account="ally")], accounts=[chase, ally]),
        quiet("once, on the day of the closing", payments=[but(gym, every="once", on=w("2025-06-20"))], accounts=[chase]),
        fires("once, the day after", payments=[but(gym, every="once", on=w("2025-06-21"))], accounts=[chase]),
        quiet("ends before", payments=[but(gym, until=w("2025-06-29"))], accounts=[chase]),
        fires("ends with the last one", payments=[but(gym, until=w("2025-06-30"))], accounts=[chase]),
        fires(
            "once, today, already closed",
            payments=[but(gym, every="once", on=w("2025-06-02"))],
            accounts=[but(chase, closes=w("2025-06-01"))],
        ),
        quiet("stopped", payments=[but(gym, status="stopped")], accounts=[chase]),
        fires("closed, no day told", payments=[gym], accounts=[but(chase, status="closed", closes=None)]),
        quiet("a day not told", payments=[but(gym, day=None)], accounts=[chase]),
        fires("a subscription", subscriptions=[but(netflix, account="chase")], accounts=[chase]),
    ],
    r.charge_on_unusable_card: [
        fires("the day after it expires", subscriptions=[netflix], cards=[visa_card]),
        quiet("on its last day", subscriptions=[but(netflix, renews=w("2025-06-30"))], cards=[visa_card]),
        fires("lost", payments=[but(gym, account="visa")], cards=[but(visa_card, expires=None, status="lost")]),
        fires("60 days ahead", today="2025-05-02", subscriptions=[netflix], cards=[visa_card]),
        quiet("61 days ahead", today="2025-05-01", subscriptions=[netflix], cards=[visa_card]),
        quiet("to be cancelled", subscriptions=[but(netflix, intent="cancel")], cards=[visa_card]),
        quiet("another card", subscriptions=[netflix], cards=[but(visa_card, id="other")]),
    ],
    r.payments_exceed_balance: [
        fires("a dollar more", payments=[but(gym, day=9, amount=usd(101))], accounts=[chase]),
        quiet("as much", payments=[but(gym, day=9, amount=usd(100))], accounts=[chase]),
        fires(
            "two together",
            payments=[but(gym, day=9, amount=usd(60)), but(gym, id="g2", day=5, amount=usd(60))],
            accounts=[chase],
        ),
        quiet("in 8 days", payments=[but(gym, day=10, amount=usd(101))], accounts=[chase]),
        fires(
            "a balance of today",
            payments=[but(gym, day=9, amount=usd(101))],
            accounts=[but(chase, balance_on=w("2025-06-02"))],
        ),
        quiet(
            "a balance of 15 days ago",
            payments=[but(gym, day=9, amount=usd(101))],
            accounts=[but(chase, balance_on=w("2025-05-18"))],
        ),
        quiet("in another currency", payments=[but(gym, day=9, amount=Money(101, "EUR"))], accounts=[chase]),
    ],
    r.trial_ends: [
        fires("3 days left", subscriptions=[but(netflix, trial_ends=w("2025-06-05"), intent="undecided")]),
        quiet("4 days left", subscriptions=[but(netflix, trial_ends=w("2025-06-06"), intent="undecided")]),
        fires("the last day", today="2025-06-05", subscriptions=[but(netflix, trial_ends=w("2025-06-05"), intent="undecided")]),
        quiet("to be kept", subscriptions=[but(netflix, trial_ends=w("2025-06-05"))]),
    ],
    r.unwanted_subscription_renews: [
        fires("7 days left", subscriptions=[but(netflix, intent="cancel", renews=w("2025-06-09"))]),
        quiet("8 days left", subscriptions=[but(netflix, intent="cancel", renews=w("2025-06-10"))]),
        fires("today", subscriptions=[but(netflix, intent="cancel", renews=w("2025-06-02"))]),
        fires("renewed monthly since", subscriptions=[but(netflix, intent="cancel", renews=w("2025-01-09"))]),
        quiet("wanted", subscriptions=[but(netflix, renews=w("2025-06-09"))]),
        quiet("cancelled", subscriptions=[but(netflix, intent="cancel", status="cancelled", renews=w("2025-06-09"))]),
    ],
    r.investment_above_risk_limit: [
        fires("high against medium", investments=[coin], risk_limits=[calm]),
        quiet("as much as allowed", investments=[but(coin, risk="medium")], risk_limits=[calm]),
        quiet("held already", investments=[but(coin, status="held")], risk_limits=[calm]),
        quiet("no longer decided", investments=[coin], risk_limits=[but(calm, until=w("2025-06-01"))]),
        fires("decided today", investments=[coin], risk_limits=[but(calm, since=w("2025-06-02"))]),
        quiet("decided from tomorrow", investments=[coin], risk_limits=[but(calm, since=w("2025-06-03"))]),
        fires("until today", investments=[coin], risk_limits=[but(calm, until=w("2025-06-02"))]),
        quiet("another's decision", investments=[coin], risk_limits=[but(calm, who="tom")]),
    ],
    r.spending_over_budget: [
        fires("a dollar more", budgets=[food], expenses=[dinner, brunch]),
        quiet("as much", budgets=[food], expenses=[dinner, but(brunch, amount=usd(50))]),
        quiet("a month ago", budgets=[food], expenses=[dinner, but(brunch, on=w("2025-05-31"))]),
        fires("on the last day of the month", budgets=[food], expenses=[dinner, but(brunch, on=w("2025-06-30"))]),
        quiet("next month", budgets=[food], expenses=[dinner, but(brunch, on=w("2025-07-01"))]),
        quiet("perhaps next month", budgets=[food], expenses=[dinner, but(brunch, on=w("2025-06/2025-07"))]),
        quiet("cancelled", budgets=[food], expenses=[dinner, but(brunch, status="cancelled")]),
        quiet(
            "what was told as a purchase and as an expense counts once",
            budgets=[but(food, category="Clothes", limit=usd(90))],
            expenses=[but(dinner, category="clothes", amount=usd(90), source=(9,))],
            purchases=[but(coat, bought=w("2025-06-01"))],
        ),
        quiet(
            "purchases that were returned do not count",
            budgets=[but(food, category="Clothes", limit=usd(89))],
            purchases=[but(coat, bought=w("2025-06-01"), decision="returned")],
        ),
        quiet(
            "nor those without a price, or of the month before, or after",
            budgets=[but(food, category="Clothes", limit=usd(89))],
            purchases=[but(coat, bought=w("2025-06-01"), price=None), coat, but(coat, bought=w("2025-07-01"))],
        ),
        fires(
            "a purchase on the last day",
            budgets=[but(food, category="clothes", limit=usd(89))],
            purchases=[but(coat, bought=w("2025-06-30"))],
        ),
        fires(
            "purchases count",
            budgets=[but(food, category="Clothes", limit=usd(89))],
            purchases=[but(coat, bought=w("2025-06-01"))],
        ),
    ],
}

penicillin = Allergy(id="penicillin", title="penicillin allergy", avoids=("penicillin",), reaction="hives", source=(20,))
augmentin = Medicine(id="pill", title="Augmentin", dose="875 mg twice a day", since=w("2025-06-02"), source=(21,))
tasting = Plan(id="tasting", title="wine tasting with Ana", on=w("2025-06-14"), tags=("alcohol",), source=(22,))
clash = Concern(id="clash", records=("penicillin", "pickup"), because="They collide.", do="Ask somebody.", source=(20, 26))
dry = Resolution(id="dry", title="no alcohol", avoids=("alcohol",), since=w("2025-05"), source=(23,))

HEALTH = {
    r.medicine_against_allergy: [
        fires("a brand that contains one", medicines=[augmentin], allergies=[penicillin]),
        fires(
            "by its substance",
            medicines=[but(augmentin, title="the pink syrup", substance="amoxicillin")],
            allergies=[penicillin],
        ),
        quiet("another class", medicines=[but(augmentin, title="ibuprofen 400 mg")], allergies=[penicillin]),
        fires("a possible cross-reaction", medicines=[but(augmentin, title="Keflex")], allergies=[penicillin]),
        quiet("another person", medicines=[but(augmentin, who="kid")], allergies=[penicillin]),
        quiet("stopped", medicines=[but(augmentin, status="stopped")], allergies=[penicillin]),
        quiet("taken until yesterday", medicines=[but(augmentin, until=w("2025-06-01"))], allergies=[penicillin]),
        fires("taken until today", medicines=[but(augmentin, until=w("2025-06-02"))], allergies=[penicillin]),
        quiet("outgrown", medicines=[augmentin], allergies=[but(penicillin, status="ended")]),
    ],
    r.medicine_runs_out: [
        fires("7 days left", medicines=[but(augmentin, supply_until=w("2025-06-09"))]),
        quiet("8 days left", medicines=[but(augmentin, supply_until=w("2025-06-10"))]),
        quiet("over by then", medicines=[but(augmentin, supply_until=w("2025-06-09"), until=w("2025-06-09"))]),
        fires("during a trip", medicines=[but(augmentin, supply_until=w("2025-06-19"))], trips=[delhi]),
        fires("the day they leave", medicines=[but(augmentin, supply_until=w("2025-06-10"))], trips=[delhi]),
        quiet(
            "the day before, and the trip is not what ends it",
            today="2025-06-01",
            medicines=[but(augmentin, supply_until=w("2025-06-09"))],
            trips=[delhi],
        ),
        quiet(
            "during a trip that begins in 15 days",
            today="2025-05-26",
            medicines=[but(augmentin, supply_until=w("2025-06-19"))],
            trips=[delhi],
        ),
        fires(
            "during a trip that begins in 14 days",
            today="2025-05-27",
            medicines=[but(augmentin, supply_until=w("2025-06-19"))],
            trips=[delhi],
        ),
        fires("the last day of it", medicines=[but(augmentin, supply_until=w("2025-06-02"))]),
        quiet("out already", medicines=[but(augmentin, supply_until=w("2025-06-01"))]),
        quiet("no return known", medicines=[but(augmentin, supply_until=w("2025-06-10"))], trips=[but(delhi, returns=None)]),
        quiet("lasts to the return", medicines=[but(augmentin, supply_until=w("2025-06-20"))], trips=[delhi]),
        quiet("during another's trip", medicines=[but(augmentin, supply_until=w("2025-06-19"))], trips=[but(delhi, who="mum")]),
    ],
    r.plan_against_allergy: [
        fires(
            "someone who comes along",
            plans=[but(tasting, tags=("Shellfish",), others=("ana",))],
            allergies=[but(penicillin, who="ana", title="shellfish allergy", avoids=("shellfish",))],
        ),
        quiet("something else", plans=[tasting], allergies=[penicillin]),
    ],
    r.plan_breaks_resolution: [
        fires("in its time", plans=[tasting], resolutions=[dry]),
        fires("on its last day", plans=[tasting], resolutions=[but(dry, until=w("2025-06-14"))]),
        fires("decided for that day on", plans=[tasting], resolutions=[but(dry, since=w("2025-06-14"))]),
        quiet("decided for the day after on", plans=[tasting], resolutions=[but(dry, since=w("2025-06-15"))]),
        quiet("the day after", plans=[tasting], resolutions=[but(dry, until=w("2025-06-13"))]),
        quiet("cancelled", plans=[but(tasting, status="cancelled")], resolutions=[dry]),
        quiet("over", today="2025-06-15", plans=[tasting], resolutions=[dry]),
    ],
}

civic = Vehicle(
    id="civic", title="the Civic", registration_until=w("2025-07-02"), lease_since=w("2024-06-02"), lease_until=w("2027-06-02"),
    lease_distance=30000, odometer=10001, odometer_on=w("2025-06-02"), source=(24,),
)  # fmt: skip
ride = Outing(id="ride", title="ride to the match", on=w("2025-06-07"), people=6, capacity=5, room="the Civic", source=(25,))
pickup = Errand(id="pickup", who="tom", title="pickup of Mia", does="pick up", subject="Mia", on=w("2025-06-05"), source=(26,))
school = Authorisation(
    id="school", title="school pickup list for Mia", allowed=("ann", "grandma"), may="pick up", subject="Mia", source=(27,)
)

OTHERS = {
    r.vehicle_paper_runs_out: [
        fires("30 days left", vehicles=[civic]),
        quiet("31 days left", today="2025-06-01", vehicles=[civic]),
        fires("30 days past", today="2025-08-01", vehicles=[civic]),
        quiet("31 days past", today="2025-08-02", vehicles=[civic]),
        quiet("sold", vehicles=[but(civic, status="sold")]),
        fires("two papers", count=2, vehicles=[but(civic, insurance_until=w("2025-06-20"))]),
    ],
    r.lease_distance_exceeded: [
        fires("10,001 a year for three", vehicles=[civic]),
        quiet("10,000 a year for three", vehicles=[but(civic, odometer=10000)]),
        quiet("sold", vehicles=[but(civic, status="sold")]),
        quiet("no odometer", vehicles=[but(civic, odometer=None)]),
        fires("on its last day", today="2027-06-02", vehicles=[civic]),
        quiet("the lease is over", today="2027-06-03", vehicles=[civic]),
        quiet("too early to tell", vehicles=[but(civic, odometer=5000, odometer_on=w("2024-08-30"))]),
        fires("90 days are enough", vehicles=[but(civic, odometer=5000, odometer_on=w("2024-08-31"))]),
    ],
    r.more_people_than_room: [
        fires("one too many", outings=[ride]),
        quiet("just enough", outings=[but(ride, people=5)]),
        quiet("over", today="2025-06-08", outings=[ride]),
    ],
    r.errand_not_authorised: [
        fires("not on the list", errands=[pickup], authorisations=[school]),
        quiet("on the list", errands=[but(pickup, who="ann")], authorisations=[school]),
        quiet("no list", errands=[pickup]),
        quiet("the user, who told of it", errands=[but(pickup, who="me")], authorisations=[school]),
        quiet("on the list by name", errands=[but(pickup, who="Grandma")], authorisations=[school]),
        quiet("another child", errands=[but(pickup, subject="Leo")], authorisations=[school]),
        fires("a list to that day", errands=[pickup], authorisations=[but(school, until=w("2025-06-05"))]),
        fires("a list from that day", errands=[pickup], authorisations=[but(school, since=w("2025-06-05"))]),
        quiet("a list from the day after", errands=[pickup], authorisations=[but(school, since=w("2025-06-06"))]),
        quiet("a list that has ended", errands=[pickup], authorisations=[but(school, until=w("2025-06-04"))]),
    ],
    r.rests_on_what_is_gone: [
        fires(
            "part of a trip that is off", trips=[but(delhi, status="cancelled")], commitments=[but(dentist, part_of="delhi")]
        ),
        quiet("of one that is on", trips=[delhi], commitments=[but(dentist, part_of="delhi")]),
        quiet("of one that took place", trips=[but(delhi, status="done")], commitments=[but(dentist, part_of="delhi")]),
        quiet(
            "is off too",
            trips=[but(delhi, status="cancelled")],
            commitments=[but(dentist, part_of="delhi", status="cancelled")],
        ),
        quiet(
            "is over", today="2025-06-13", trips=[but(delhi, status="cancelled")], commitments=[but(dentist, part_of="delhi")]
        ),
    ],
    r.concern_stands: [
        fires("both stand", concerns=[clash], allergies=[penicillin], errands=[pickup]),
        quiet("one is over", concerns=[clash], allergies=[but(penicillin, status="ended")], errands=[pickup]),
        quiet("one is gone", concerns=[clash], allergies=[penicillin]),
        quiet("its day has passed", concerns=[but(clash, until=w("2025-05-31"))], allergies=[penicillin], errands=[pickup]),
        quiet("it was ended", concerns=[but(clash, status="ended")], allergies=[penicillin], errands=[pickup]),
        fires("one and its day", concerns=[but(clash, records=("pickup",))], errands=[pickup]),
    ],
}

TABLE = TRAVEL | SCHEDULE | MONEY | HEALTH | OTHERS
ROWS = [pytest.param(rule, row, id=f"{rule.__name__}: {row.why}") for rule, rows in TABLE.items() for row in rows]


@pytest.mark.parametrize(("rule", "row"), ROWS)
def test_rule(rule: RuleFunction, row: Row) -> None:
    alerts = run(rule, row.collections, row.today)
    assert len(alerts) == row.count, [alert.message for alert in alerts]
    assert [problem for alert in alerts for problem in lint(alert)] == []


def test_each_rule_has_examples_on_both_sides() -> None:
    assert set(TABLE) == set(RULES)
    assert [rule.__name__ for rule, rows in TABLE.items() if {bool(row.count) for row in rows} != {True, False}] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_each_rule_reads_starter_collections_of_the_type_it_names(rule: RuleFunction) -> None:
    assert rule.__doc__
    for collection, needed in needs(rule).items():
        ready = {**TYPES, "concerns": CONCERN}[collection]
        assert f"Iterable[{ready.name}]" in str(rule.__annotations__[collection])
        assert needed >= {"id", "source"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_no_rule_is_off_for_a_copy_of_a_type_from_before_these_fields(rule: RuleFunction) -> None:
    new = {"repeats", "rests_on", "if_gone"}
    for collection, needed in needs(rule).items():
        assert not needed & (new if collection == "payments" or collection == "subscriptions" else {*new, "every"})


def test_rules_are_silent_on_nothing() -> None:
    assert [alert for rule in RULES for alert in run(rule, {}, TODAY)] == []


def one(rule: RuleFunction, today: date = TODAY, **collections: Sequence[Any]) -> Alert:
    (alert,) = run(rule, collections, today)
    return alert


def test_severity_follows_what_is_at_stake() -> None:
    def grave(rule: RuleFunction, today: date = TODAY, **collections: Sequence[Any]) -> str | None:
        return one(rule, today, **collections).severity

    assert grave(r.away_during_commitment, commitments=[dentist], trips=[delhi]) == "warning"
    assert grave(r.away_during_commitment, commitments=[but(dentist, weight="high")], trips=[delhi]) == "critical"
    assert grave(r.away_during_commitment, commitments=[but(dentist, on=w("2025-06-20"))], trips=[delhi]) == "info"
    assert grave(r.commitments_overlap, commitments=[dentist, call]) == "warning"
    assert grave(r.commitments_overlap, commitments=[dentist, but(call, weight="high")]) == "critical"
    assert grave(r.deadline_near, deadlines=[tax]) == "warning"
    assert grave(r.deadline_near, deadlines=[but(tax, due=w("2025-06-03"))]) == "critical"
    back, unsure = but(coat, decision="return"), but(coat, decide_by=w("2025-05-20"))
    for purchase in (back, unsure, but(coat, problem="a seam is open")):
        found = [grave(r.return_window_closing, date(2025, 6, n), purchases=[purchase]) for n in (3, 4, 6)]
        assert found == ["info", "warning", "critical"]
    assert [grave(r.return_window_closing, date(2025, 6, n), purchases=[coat]) for n in (3, 5, 6)] == [
        "info",
        "info",
        "warning",
    ]
    june = but(tax, due=w("2025-06"))
    assert [grave(r.deadline_near, date(2025, 6, n), deadlines=[june]) for n in (1, 28, 29, 30)] == [
        "warning", "warning", "critical", "critical",
    ]  # fmt: skip
    assert grave(r.deadline_near, date(2025, 6, 10), deadlines=[tax]) == "warning"  # past: nobody says what became of it
    unsaid = but(us, country=None)
    assert grave(r.passport_too_short_for_trip, trips=[delhi], passports=[unsaid]) == "warning"
    assert grave(r.passport_too_short_for_trip, trips=[delhi], passports=[but(unsaid, expires=w("2025-11"))]) == "info"
    assert grave(r.passport_too_short_for_trip, trips=[delhi], passports=[us]) == "critical"
    assert grave(r.passport_too_short_for_trip, trips=[delhi], passports=[but(us, expires=w("2025-11"))]) == "warning"
    assert grave(r.payment_from_closed_account, payments=[gym], accounts=[chase]) == "critical"
    assert grave(r.medicine_against_allergy, medicines=[augmentin], allergies=[penicillin]) == "critical"


def test_what_is_not_sure_is_a_may_of_less_weight() -> None:
    alert = one(r.payment_from_closed_account, payments=[gym], accounts=[but(chase, closes=w("2025-06-20/2025-07-10"))])
    assert alert.severity == "warning"
    assert "may come after the closing" in alert.message
    alert = one(r.medicine_against_allergy, medicines=[but(augmentin, title="Keflex")], allergies=[penicillin])
    assert alert.severity == "warning"
    assert "may go against your penicillin allergy" in alert.message


def test_a_drug_alert_names_the_relation_and_is_no_advice() -> None:
    alert = one(r.medicine_against_allergy, medicines=[augmentin], allergies=[penicillin])
    assert alert.message == (
        "Conflict: your Augmentin (875 mg twice a day; taking since Monday, June 2, 2025) goes against your penicillin allergy "
        "(avoid penicillin; hives). Augmentin contains amoxicillin, one of the penicillins. This is no medical advice."
    )
    assert alert.records == ("penicillin", "pill")
    assert alert.evidence == (20, 21)


def test_an_account_that_closed_before_a_payment_asks_what_became_of_it() -> None:
    closed = but(chase, closes=w("2025-05-20"), status="closed")
    alert = one(r.payment_from_closed_account, payments=[gym], accounts=[closed, ally])
    assert "next due on Monday, June 30, 2025" in alert.message
    assert "The one of Saturday, May 31, 2025 fell after the closing too" in alert.message
    assert "to your Ally account" in alert.hint
    assert alert.occurrence == "2025-06-30"


def test_a_payment_due_today_is_not_missed_yet() -> None:
    closed = but(chase, closes=w("2025-06-20"))
    assert (
        "may have failed"
        not in one(r.payment_from_closed_account, date(2025, 6, 30), payments=[gym], accounts=[closed]).message
    )


def test_a_payment_on_the_last_day_an_account_may_close_is_a_may() -> None:
    alert = one(r.payment_from_closed_account, payments=[gym], accounts=[but(chase, closes=w("2025-06-20/2025-06-30"))])
    assert "may come after" in alert.message


def test_an_account_that_closes_today_is_not_in_the_past() -> None:
    alert = one(r.payment_from_closed_account, payments=[gym], accounts=[but(chase, closes=w("2025-06-02"))])
    assert "(planned on Monday, June 2, 2025)" in alert.message


def test_an_alert_of_a_recurring_thing_is_another_one_each_time() -> None:
    june, july = (one(r.payment_from_closed_account, d, payments=[gym], accounts=[chase]) for d in (TODAY, date(2025, 7, 1)))
    assert (june.occurrence, july.occurrence) == ("2025-06-30", "2025-07-31")


def test_the_one_to_move_is_named_first() -> None:
    fixed, movable = but(call, moves="fixed"), but(dentist, moves="movable")
    assert one(r.commitments_overlap, commitments=[fixed, movable]).hint.startswith("Move your dentist")
    assert one(r.commitments_overlap, commitments=[but(call, weight="high"), dentist]).hint.startswith("Move your dentist")
    later = one(r.commitments_overlap, commitments=[call, dentist])
    assert later.hint.startswith("Move your call with Ana")  # told later, in entry 5


def test_the_reason_for_a_limit_is_told() -> None:
    baby = Milestone(id="baby", title="birth of the baby", on=w("2025-11"), source=(30,))
    alert = one(r.investment_above_risk_limit, investments=[coin], risk_limits=[but(calm, because="baby")], milestones=[baby])
    assert "because of the birth of the baby, expected in November 2025" in alert.message
    assert alert.records == ("calm", "coin")
    assert 30 in alert.evidence


@pytest.mark.parametrize(
    ("every", "day", "month", "start", "due"),
    [
        ("month", 1, None, "2025-06-01", "2025-06-01"),
        ("month", 1, None, "2025-06-02", "2025-07-01"),
        ("month", 31, None, "2025-06-02", "2025-06-30"),
        ("month", 31, None, "2025-01-31", "2025-01-31"),
        ("month", 30, None, "2024-02-01", "2024-02-29"),
        ("month", 5, None, "2025-12-06", "2026-01-05"),
        ("year", 15, 4, "2025-04-15", "2025-04-15"),
        ("year", 15, 4, "2025-04-16", "2026-04-15"),
        ("year", 29, 2, "2025-03-01", "2026-02-28"),
        ("week", 1, None, "2025-06-02", "2025-06-02"),
        ("week", 7, None, "2025-06-02", "2025-06-08"),
        ("week", 8, None, "2025-06-02", None),
        ("month", None, None, "2025-06-02", None),
        ("year", 15, None, "2025-06-02", None),
        ("once", None, None, "2025-06-02", None),
    ],
)
def test_next_due(every: Any, day: int | None, month: int | None, start: str, due: str | None) -> None:
    payment = but(gym, every=every, day=day, month=month)
    assert next_due(payment, date.fromisoformat(start)) == (due and w(due))


@pytest.mark.parametrize(
    ("every", "renews", "start", "due"),
    [
        ("month", "2025-01-31", "2025-02-01", "2025-02-28"),
        ("month", "2025-01-31", "2025-03-01", "2025-03-31"),
        ("month", "2025-06-10", "2025-06-10", "2025-06-10"),
        ("month", "2025-06-10", "2025-01-01", "2025-06-10"),
        ("year", "2023-06-10", "2025-06-11", "2026-06-10"),
        ("year", "2023-12-10", "2025-06-11", "2025-12-10"),
        ("year", "2024-02-29", "2025-01-01", "2025-02-28"),
        ("month", "2025-07", "2025-06-01", "2025-07"),
        ("month", "2025-05", "2025-06-01", None),
    ],
)
def test_next_renewal(every: Any, renews: str, start: str, due: str | None) -> None:
    found = next_renewal(but(netflix, every=every, renews=w(renews)), date.fromisoformat(start))
    assert found == (due and w(due))


def test_a_sum_says_what_it_passes_over() -> None:
    """A sum in one currency passes over another, and says so; a sum that is not above its limit stays quiet."""
    euros = but(brunch, id="tapas", title="tapas", amount=Money(130, "EUR"))
    (alert,) = run(r.spending_over_budget, {"budgets": [food], "expenses": [dinner, brunch, euros]}, TODAY)
    assert alert.message.endswith(f" Not counted, in another currency: your tapas ({Money(130, 'EUR')}).")
    assert run(r.spending_over_budget, {"budgets": [food], "expenses": [dinner, euros]}, TODAY) == []
    paid = {
        "payments": [but(gym, day=9, amount=usd(101)), but(gym, id="g2", day=9, amount=Money(9, "EUR"))],
        "accounts": [chase],
    }
    (alert,) = run(r.payments_exceed_balance, paid, TODAY)
    assert f"Not counted, in another currency: your {gym.title} ({Money(9, 'EUR')})." in alert.message
