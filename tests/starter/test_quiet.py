"""Three ordinary lives over the days of 2025: the starter rules speak up where the comment says why, and not otherwise.

Most of a life is no alert: things that are done or called off, vague days, plans that fit, what belongs to somebody else.
"""

# ruff: noqa: E501  (one record a line)

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from uac_nb.domainfile import Domain, RecordType
from uac_nb.rules import lint, run
from uac_nb.starter import RULES, TYPES

Life = dict[str, list[dict[str, Any]]]
Heard = dict[tuple[str, tuple[str, ...]], tuple[str, str]]  # rule and records: the first and the last day it is heard

# A student in Berlin, who said when her passport ends and not which country issued it.
STUDENT: Life = {
    "residences": [
        {"id": "kassel", "place": "Kassel", "country": "DE", "until": "2022-09"},
        {"id": "berlin", "place": "Berlin", "country": "DE", "since": "2022-10"},
    ],
    "passports": [{"id": "passport", "title": "passport", "expires": "2026-02-11"}],
    "trips": [
        {"id": "hamburg", "title": "weekend in Hamburg", "to": "Hamburg", "country": "DE", "departs": "2025-05-09", "returns": "2025-05-11"},
        {"id": "rome", "title": "a week in Rome", "to": "Rome", "country": "IT", "departs": "2025-09-08", "returns": "2025-09-15", "status": "considering"},
        {"id": "lisbon", "title": "a week in Lisbon", "to": "Lisbon", "country": "PT", "departs": "2025-09-10", "returns": "2025-09-17", "status": "considering"},
        {"id": "interrail", "title": "Interrail tour", "to": "Europe", "departs": "2025-08-01", "returns": "2025-08-21"},
        {"id": "prague", "title": "stay in Prague", "to": "Prague", "country": "CZ", "departs": "2025-08-05", "returns": "2025-08-08"},
        {"id": "barcelona", "title": "trip to Barcelona", "to": "Barcelona", "country": "ES", "departs": "2025-08-10", "returns": "2025-08-14", "status": "cancelled"},
        {"id": "kiel", "title": "trip to Kiel", "to": "Kiel", "country": "DE", "there_on": "2025-03-02", "status": "done"},
        {"id": "someday", "title": "trip to Japan", "to": "Japan", "country": "JP", "status": "considering"},
        {"id": "london", "title": "trip to London", "to": "London", "country": "GB", "departs": "2025-11-14", "returns": "2025-11-17"},
    ],
    "commitments": [
        {"id": "talk", "title": "seminar talk", "on": "2025-05-13", "starts": "10:00", "ends": "11:00", "status": "done"},
        {"id": "group", "title": "group meeting", "on": "2025-05-20", "starts": "14:00"},
        {"id": "dentist", "title": "dentist appointment", "on": "2025-05-20", "starts": "15:30"},
        {"id": "yoga", "title": "yoga class", "on": "2025-05-22", "starts": "18:00"},
        {"id": "dinner", "title": "dinner with Tom", "on": "2025-05-22", "starts": "19:00", "others": ["tom"]},
        {"id": "cinema", "title": "cinema with Ana", "on": "2025-06-06", "starts": "20:00", "status": "tentative"},
        {"id": "party", "title": "party at Jo's", "on": "2025-06-06", "starts": "20:00", "status": "tentative"},
        {"id": "exam", "title": "statistics exam", "on": "2025-07-18", "starts": "09:00", "ends": "11:00", "moves": "fixed", "weight": "high"},
        {"id": "viewing", "title": "flat viewing", "on": "2025-07-18", "starts": "10:00", "status": "cancelled"},
        {"id": "call-mum", "title": "call with mum", "on": "2025-07-20", "starts": "11:00", "presence": "online"},
        {"id": "museum", "title": "visit to the museum in Prague", "on": "2025-08-06", "starts": "10:00"},
        {"id": "concert", "title": "concert", "on": "2025-10", "starts": "20:00"},
        {"id": "tom-exam", "who": "tom", "title": "driving test of Tom", "on": "2025-11-15", "starts": "09:00"},
    ],
    "deadlines": [
        {"id": "registration", "title": "thesis registration", "due": "2025-04-30", "status": "done"},
        {"id": "books", "title": "library books", "due": "2025-06-20"},
        {"id": "tax", "title": "tax return", "due": "2025-07-31", "status": "dropped"},
    ],
    "promises": [
        {"id": "move", "to": "tom", "title": "help with the move", "made": "2025-03-28", "due": "2025-04", "status": "done"},
        {"id": "cake", "to": "mum", "title": "a cake for Sunday", "made": "2025-05-05", "due": "2025-05-11"},
        {"id": "notes", "to": "ana", "title": "lecture notes", "made": "2025-02-01"},
    ],
    "subscriptions": [
        {"id": "gym", "title": "gym membership", "price": "25 EUR", "trial_ends": "2025-03-10", "intent": "keep"},
        {"id": "films", "title": "film channel", "price": "8 EUR", "trial_ends": "2025-10-05"},
        {"id": "paper", "title": "newspaper subscription", "renews": "2025-11-01", "intent": "cancel", "status": "cancelled"},
    ],
    "accounts": [{"id": "giro", "title": "giro account", "balance": "400 EUR", "balance_on": "2025-01-10"}],
    "payments": [{"id": "rent", "title": "rent payment", "amount": "380 EUR", "account": "giro", "method": "autopay", "every": "month", "day": 1}],
    "budgets": [{"id": "eating-out", "title": "eating-out budget", "category": "eating out", "limit": "150 EUR"}],
    "expenses": [
        {"id": "pizza", "title": "pizza", "category": "eating out", "amount": "40 EUR", "on": "2025-05-03"},
        {"id": "sushi", "title": "sushi", "category": "eating out", "amount": "60 EUR", "on": "2025-05-17"},
        {"id": "brunch", "title": "brunch", "category": "eating out", "amount": "100 EUR", "on": "2025-05-25", "status": "cancelled"},
        {"id": "feast", "title": "birthday dinner", "category": "eating out", "amount": "90 EUR", "on": "2025-06-14"},
        {"id": "burgers", "title": "burgers", "category": "eating out", "amount": "70 EUR", "on": "2025-06-21"},
    ],
    "purchases": [
        {"id": "laptop", "title": "laptop", "price": "900 EUR", "bought": "2025-02-01", "return_days": 14, "decision": "keep"},
        {"id": "phones", "title": "headphones", "price": "80 EUR", "bought": "2025-02-01", "return_days": 30, "decision": "returned"},
        {"id": "jacket", "title": "jacket", "price": "70 EUR", "bought": "2025-03-01", "return_days": 30},
        {"id": "lamp", "title": "lamp", "bought": "2025-04", "return_days": 30},
    ],
    "allergies": [{"id": "hazel", "title": "hazelnut allergy", "avoids": ["hazelnuts"]}],
    "medicines": [
        {"id": "ibuprofen", "title": "ibuprofen 400 mg", "until": "2025-02-05"},
        {"id": "cetirizine", "title": "cetirizine", "since": "2025-04"},
        {"id": "amoxicillin", "title": "amoxicillin", "since": "2025-01-20", "until": "2025-01-27", "status": "stopped", "supply_until": "2025-01-27"},
    ],
    "plans": [
        {"id": "satay", "title": "satay evening", "on": "2025-05-30", "tags": ["peanuts"]},
        {"id": "nougat", "title": "nougat workshop", "on": "2025-06-01", "tags": ["hazelnuts"], "status": "cancelled"},
        {"id": "wine", "title": "wine tasting", "on": "2025-02-14", "tags": ["alcohol"]},
    ],
    "resolutions": [{"id": "dry", "title": "no alcohol in January", "avoids": ["alcohol"], "since": "2025-01-01", "until": "2025-01-31"}],
}  # fmt: skip
STUDENT_HEARS: Heard = {
    # Nobody said that they were returned.
    ("deadline_near", ("books",)): ("2025-06-13", "2025-07-04"),
    ("promise_due", ("cake",)): ("2025-05-08", "2025-05-11"),
    ("trial_ends", ("films",)): ("2025-10-02", "2025-10-05"),
    # 160 € of 150 €, planned included, all through that month.
    ("spending_over_budget", ("eating-out",)): ("2025-06-01", "2025-06-30"),
    ("return_window_closing", ("jacket",)): ("2025-03-24", "2025-03-31"),
    # Out of the European Economic Area, and less than six months of the passport are left.
    ("passport_too_short_for_trip", ("passport",)): ("2025-01-01", "2025-11-17"),
}

# A mother of two in Ohio, her husband Tom, the grandmother who helps.
PARENT: Life = {
    "residences": [{"id": f"home-{who}", "who": who, "place": "Columbus, Ohio", "country": "US"} for who in ("me", "tom", "mia", "leo")],
    "people": [{"id": id, "name": id.title(), "relation": of} for id, of in (("tom", "husband"), ("mia", "daughter"), ("leo", "son"), ("grandma", "mother"))],
    "passports": [
        {"id": "pass-mia", "who": "mia", "title": "passport", "expires": "2025-03-01"},
        {"id": "pass-leo", "who": "leo", "title": "US passport", "country": "US", "expires": "2027-01-01", "status": "lost"},
    ],
    "trips": [
        {"id": "chicago", "title": "trip to Chicago", "to": "Chicago", "country": "US", "departs": "2025-04-18", "returns": "2025-04-21", "others": ["tom", "mia", "leo"]},
        {"id": "denver", "who": "tom", "title": "business trip to Denver", "to": "Denver", "country": "US", "departs": "2025-05-14", "returns": "2025-05-16"},
        {"id": "thanksgiving", "title": "stay at grandma's", "to": "Dayton", "country": "US", "departs": "2025-11-26", "returns": "2025-11-30", "others": ["tom", "mia", "leo"]},
        {"id": "orlando", "title": "trip to Orlando", "to": "Orlando", "country": "US", "departs": "2025-10", "status": "considering", "others": ["tom", "mia", "leo"]},
    ],
    "commitments": [
        {"id": "plumber", "title": "visit of the plumber", "on": "2025-05-15", "starts": "10:00", "presence": "someone at home"},
        {"id": "recital", "title": "Mia's recital", "on": "2025-05-15", "starts": "18:00", "others": ["tom", "mia"], "weight": "high"},
        {"id": "turkey", "title": "Thanksgiving dinner", "on": "2025-11-27", "starts": "16:00", "others": ["tom", "mia", "leo"]},
        {"id": "zoo", "title": "visit to the zoo in Chicago", "on": "2025-04-19", "others": ["mia", "leo"]},
        {"id": "pediatrician", "title": "pediatrician appointment of Leo", "who": "leo", "others": ["me"], "on": "2025-06-03", "starts": "09:00"},
        {"id": "standup", "title": "team call", "on": "2025-06-03", "starts": "10:30", "presence": "online"},
        {"id": "swim-mia", "who": "mia", "title": "swimming lesson of Mia", "on": "2025-06-10", "starts": "16:00"},
        {"id": "soccer-leo", "who": "leo", "title": "soccer practice of Leo", "on": "2025-06-10", "starts": "16:00"},
        {"id": "parents-evening", "title": "parents' evening", "on": "2025-09-18", "starts": "19:00", "status": "done"},
        {"id": "camp", "who": "mia", "title": "summer camp of Mia", "on": "2025-07-07", "until": "2025-07-11", "whole_day": True},
        {"id": "haircut", "title": "haircut", "on": "2025-07-08", "starts": "12:00"},
    ],
    "errands": [
        {"id": "pickup-mon", "who": "Grandma", "title": "school pickup of Mia", "does": "pick up", "subject": "Mia", "on": "2025-05-12"},
        {"id": "pickup-tue", "title": "school pickup of Mia", "does": "pick up", "subject": "Mia", "on": "2025-05-13"},
        {"id": "pickup-wed", "who": "neighbour", "title": "school pickup of Mia", "does": "pick up", "subject": "Mia", "on": "2025-05-14", "status": "cancelled"},
        {"id": "dropoff", "who": "neighbour", "title": "drop-off of Mia", "does": "drop off", "subject": "Mia", "on": "2025-05-14"},
        {"id": "pickup-fri", "who": "neighbour", "title": "school pickup of Mia", "does": "pick up", "subject": "Mia", "on": "2025-05-16"},
    ],
    "authorisations": [{"id": "school-list", "title": "school pickup list for Mia", "allowed": ["grandma", "tom"], "may": "pick up", "subject": "Mia"}],
    "outings": [
        {"id": "van", "title": "ride to the lake", "on": "2025-06-21", "people": 7, "capacity": 7, "room": "the van"},
        {"id": "table", "title": "birthday table", "on": "2025-06-28", "people": 9, "capacity": 8, "room": "the table", "status": "cancelled"},
    ],
    "vehicles": [
        {"id": "van-car", "title": "the van", "registration_until": "2025-08-31", "insurance_until": "2026-06-30"},
        {"id": "old-car", "title": "the old Corolla", "registration_until": "2025-03-31", "status": "sold"},
    ],
    "allergies": [
        {"id": "mia-peanut", "who": "mia", "title": "peanut allergy", "avoids": ["peanuts"]},
        {"id": "mia-penicillin", "who": "mia", "title": "penicillin allergy", "avoids": ["penicillin"]},
        {"id": "tom-egg", "who": "tom", "title": "egg allergy", "avoids": ["eggs"], "status": "ended"},
    ],
    "medicines": [
        {"id": "leo-amoxicillin", "who": "leo", "title": "amoxicillin", "since": "2025-02-03", "until": "2025-02-12"},
        {"id": "mia-ibuprofen", "who": "mia", "title": "ibuprofen", "since": "2025-02-03"},
    ],
    "plans": [
        {"id": "leo-party", "who": "leo", "title": "party at Max's", "on": "2025-06-14", "tags": ["peanuts"]},
        {"id": "omelette", "who": "tom", "title": "omelette brunch", "on": "2025-06-15", "tags": ["eggs"]},
        {"id": "fair", "title": "county fair", "on": "2025-08-09", "tags": ["peanuts"], "others": ["mia"]},
    ],
    "milestones": [{"id": "graduation", "who": "mia", "title": "kindergarten graduation", "on": "2025-06-05", "status": "expected"}],
    "deadlines": [
        {"id": "forms", "title": "school forms", "due": "../2025-08-15", "status": "done"},
        {"id": "camp-fee", "title": "camp fee", "due": "2025-06", "consequence": "the place is given away"},
    ],
    "purchases": [{"id": "bike", "title": "bike for Leo", "bought": "2025-04-01", "warranty_until": "2027-04-01", "problem": "the brake squeaks"}],
}  # fmt: skip
PARENT_HEARS: Heard = {
    ("away_during_commitment", ("denver", "recital")): ("2025-01-01", "2025-05-15"),  # Tom was to be there
    ("errand_not_authorised", ("pickup-fri", "school-list")): ("2025-01-01", "2025-05-16"),
    ("vehicle_paper_runs_out", ("van-car",)): ("2025-08-01", "2025-09-30"),
    ("plan_against_allergy", ("fair", "mia-peanut")): ("2025-01-01", "2025-08-09"),
    ("deadline_near", ("camp-fee",)): ("2025-05-25", "2025-07-14"),  # "in June": from a week before it to two after
}

# A freelancer in Leeds with clients abroad.
FREELANCER: Life = {
    "residences": [{"id": "leeds", "place": "Leeds", "country": "GB", "since": "2019"}],
    "passports": [
        {"id": "pass-old", "title": "old British passport", "country": "GB", "expires": "2024-06-01", "status": "ended"},
        {"id": "pass", "title": "British passport", "country": "GB", "expires": "2031-05-20"},
    ],
    "visas": [
        {"id": "india-old", "title": "Indian visa", "country": "IN", "status": "granted", "valid_from": "2024-01-01", "valid_until": "2024-12-31", "entries": 1},
        {"id": "india", "title": "Indian visa", "country": "IN", "status": "granted", "applied": "2025-08", "valid_from": "2025-09-15", "valid_until": "2026-09-14", "entries": 2},
        {"id": "us-refused", "title": "US visa", "country": "US", "status": "refused"},
    ],
    "trips": [
        {"id": "mumbai", "title": "trip to Mumbai", "to": "Mumbai", "country": "IN", "departs": "2024-11-03", "returns": "2024-11-15", "status": "done"},
        {"id": "goa", "title": "trip to Goa", "to": "Goa", "country": "IN", "departs": "2025-10-05", "returns": "2025-10-19"},
        {"id": "pune", "title": "client days in Pune", "to": "Pune", "country": "IN", "departs": "2025-10-12", "returns": "2025-10-15"},
        {"id": "new-york", "title": "trip to New York", "to": "New York", "country": "US", "departs": "2025-05-05", "status": "cancelled"},
        {"id": "paris", "title": "day in Paris", "to": "Paris", "country": "FR", "departs": "2025-06-12", "returns": "2025-06-12"},
        {"id": "dublin", "title": "trip to Dublin", "to": "Dublin", "country": "IE", "departs": "2025-12", "returns": "2025-12"},
    ],
    "accounts": [
        {"id": "monzo", "title": "Monzo account"},
        {"id": "barclays", "title": "Barclays account", "status": "closed", "closes": "2025-02-28", "replaced_by": "monzo"},
        {"id": "savings", "title": "savings account", "closes": "2025-04-10", "status": "closing"},
    ],
    "cards": [
        {"id": "visa-old", "title": "old Visa card", "expires": "2025-03", "status": "cancelled"},
        {"id": "visa-new", "title": "Visa card", "expires": "2029-03"},
        {"id": "amex", "title": "Amex card", "expires": "2025-09"},
    ],
    "payments": [
        {"id": "studio", "title": "studio rent", "amount": "300 GBP", "account": "monzo", "method": "autopay", "every": "month", "day": 3},
        {"id": "old-loan", "title": "loan payment", "amount": "90 GBP", "account": "barclays", "every": "month", "day": 20, "until": "2025-02-20"},
        {"id": "insurance", "title": "liability insurance", "amount": "240 GBP", "account": "savings", "every": "year", "day": 1, "month": 4, "until": "2025-04-01"},
    ],
    "subscriptions": [
        {"id": "cloud", "title": "cloud storage", "price": "9 GBP", "renews": "2025-01-15", "account": "visa-new", "intent": "keep"},
        {"id": "design", "title": "design suite", "price": "240 GBP", "every": "year", "renews": "2025-10-20", "account": "amex"},
        {"id": "fonts", "title": "font library", "price": "5 GBP", "renews": "2025-06-01", "account": "visa-old", "status": "cancelled"},
    ],
    "commitments": [
        {"id": "kickoff", "title": "kick-off with Acme", "on": "2025-03-04", "starts": "09:00", "ends": "10:00", "presence": "online"},
        {"id": "review", "title": "review with Bolt", "on": "2025-03-04", "starts": "10:00", "presence": "online"},
        {"id": "fair", "title": "trade fair", "on": "2025-03-18", "until": "2025-03-20", "whole_day": True, "place": "Birmingham"},
        {"id": "fair-talk", "title": "talk at the trade fair", "on": "2025-03-19", "starts": "15:00", "part_of": "fair"},
        {"id": "mum-sunday", "title": "lunch at mum's", "on": "2025-03-23", "starts": "13:00"},
        {"id": "gig", "title": "gig with the band", "on": "2025-06-13", "starts": "20:00", "others": ["band"]},
        {"id": "pune-workshop", "title": "workshop at the client's", "on": "2025-10-13", "starts": "09:00", "place": "Pune", "part_of": "pune"},
        {"id": "acme-call", "title": "call with Acme", "on": "2025-10-14", "starts": "14:00", "presence": "online"},
        {"id": "boiler", "title": "boiler service", "on": "2025-10-20", "starts": "08:00", "presence": "someone at home"},
        {"id": "checkup", "title": "check-up", "on": "2025-12", "starts": "09:00"},
    ],
    "deadlines": [
        {"id": "vat", "title": "VAT return", "due": "2025-05-07", "consequence": "a penalty point", "status": "done"},
        {"id": "self-assessment", "title": "self-assessment tax return", "due": "2026-01-31"},
        {"id": "tender", "title": "tender for the museum", "due": "2025-09-30", "status": "dropped"},
    ],
    "promises": [
        {"id": "bolt-demo", "to": "bolt", "title": "a demo for Bolt", "made": "2025-06-20", "due": "2025-07", "status": "done"},
        {"id": "ana-help", "who": "ana", "to": "me", "title": "help with the accounts", "made": "2025-04-01", "due": "2025-04-20"},
    ],
    "investments": [
        {"id": "fund", "title": "index fund", "amount": "2000 GBP", "risk": "medium", "status": "held", "since": "2021"},
        {"id": "bonds", "title": "bond fund", "amount": "1000 GBP", "risk": "low", "status": "considering", "since": "2025-03"},
    ],
    "risk_limits": [{"id": "careful", "title": "nothing risky this year", "max_risk": "low", "since": "2025-01"}],
    "purchases": [
        {"id": "monitor", "title": "monitor", "price": "320 GBP", "bought": "2025-01-20", "return_by": "2025-02-20", "decision": "keep", "warranty_until": "2025-07-20"},
        {"id": "chair", "title": "desk chair", "price": "150 GBP", "bought": "2024-09-01", "warranty_until": "2025-09-01", "problem": "the gas spring sinks"},
        {"id": "desk", "title": "standing desk", "price": "400 GBP", "bought": "2025/..", "return_days": 30},
    ],
    "vehicles": [{"id": "polo", "title": "the Polo", "inspection_until": "2026-04-30", "lease_since": "2024-01-01", "lease_until": "2027-01-01", "lease_distance": 30000, "odometer": 9000, "odometer_on": "2025-01-01"}],
}  # fmt: skip
FREELANCER_HEARS: Heard = {
    ("charge_on_unusable_card", ("amex", "design")): ("2025-08-21", "2025-10-20"),  # the card ends before it renews
    ("warranty_ends_with_problem", ("chair",)): ("2025-08-02", "2025-09-01"),
}


@pytest.mark.parametrize(
    ("life", "hears"),
    [(STUDENT, STUDENT_HEARS), (PARENT, PARENT_HEARS), (FREELANCER, FREELANCER_HEARS)],
    ids=["a student", "a parent", "a freelancer"],
)
def test_an_ordinary_year(life: Life, hears: Heard) -> None:
    collections = {name: list(records(name, rows)) for name, rows in life.items()}
    heard: dict[tuple[str, tuple[str, ...]], list[date]] = defaultdict(list)
    for today in (date(2025, 1, 1) + timedelta(n) for n in range(365)):
        for rule in RULES:
            for alert in run(rule, collections, today):
                assert lint(alert) == []
                heard[alert.rule, alert.records].append(today)
    assert {key: (min(days).isoformat(), max(days).isoformat()) for key, days in heard.items()} == hears


def test_they_are_lives() -> None:
    assert [sum(map(len, life.values())) for life in (STUDENT, PARENT, FREELANCER)] == [54, 47, 46]


def records(collection: str, rows: Iterable[dict[str, Any]]) -> Iterator[Any]:
    """Records of a starter type as a project has them: of a class of its own."""
    kind = adopted(collection)
    for number, row in enumerate(rows, 1):
        yield kind.coerce({**row, "source": [number]})


def adopted(collection: str) -> RecordType:
    ready = TYPES[collection]
    return Domain.new(ready.domain, ready.domain_doc).define(collection, ready.text).collections[collection].type
