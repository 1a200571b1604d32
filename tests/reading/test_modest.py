"""A rule that a model writes is a warning at most, has a name of its own, and leads nowhere."""

from __future__ import annotations

import pytest

from uac_nb.changes.vocabulary import AddRule
from uac_nb.reading.modest import immodest
from uac_nb.rules.alerts import CONTACT

RULE = """from collections.abc import Iterable, Iterator
from datetime import date
from travel import Trip
from uac_nb.rules import Alert, over_limit, rule

@rule(%s)
def long_trips(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    \"\"\"A trip is long.\"\"\"
    for trip in trips:
        yield over_limit(trip, because="It takes 12 days.", %s)
"""
CASES = {
    "modest": ("long_trips", '"warning"', 'do="Shorten it."', []),
    "and so in the alert": ("long_trips", '"info"', 'do="Shorten it.", severity="warning"', []),
    "critical": ("long_trips", '"critical"', 'do="Shorten it."', ["rule-severity"]),
    "critical in the alert": ("long_trips", '"info"', 'do="Shorten it.", severity="critical"', ["rule-severity"]),
    "put together": ("long_trips", '"info"', 'do="Shorten it.", severity="crit" + "ical"', ["rule-severity"]),
    "in a mapping": ("long_trips", '"info"', '**{"do": "Shorten it.", "severity": "critical"}', ["rule-severity"]),
    "a number": ("long_trips", '"info"', 'do="Call +1 900 555 0000."', ["rule-contact"]),
    "a link": ("long_trips", '"info"', 'do="Look at https://x.example/y."', ["rule-contact"]),
    "in a comment": ("long_trips", '"info"', 'do="Shorten it.")  # (+1 900 555 0000', ["rule-contact"]),
    "a plural of ours": ("medicine_against_allergies", '"info"', 'do="Shorten it."', ["rule-name"]),
    "a slip in ours": ("medicine_againts_allergy", '"info"', 'do="Shorten it."', ["rule-name"]),
}


@pytest.mark.parametrize(("id", "severity", "rest", "codes"), CASES.values(), ids=CASES)
def test_what_a_models_rule_may_not_have(id: str, severity: str, rest: str, codes: list[str]) -> None:
    change = AddRule(change="rule", id=id, text=RULE % (severity, rest), source=(1,))
    assert [found.code for found in immodest(change)] == codes


LEADS = [
    "+1 900 555 0000",
    "900-555-0000",
    "555-1234",
    "(0900) 555000",
    "a@b.example",
    "www.x.example",
    "evil.com",
    "HTTPS://x",
]
LEADS_NOT = ["2025-03-10", "10 March 2025", "1,200 EUR", "120 000 km", "at 14:30", "7 days", "e.g. 3.5 h", "1,234,567.89"]


def test_what_leads_somewhere() -> None:
    assert [text for text in LEADS if not CONTACT.search(text)] == []
    assert [text for text in LEADS_NOT if CONTACT.search(text)] == []
