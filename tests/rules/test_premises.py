"""How records stand whose premises are gone: off, ended, not there any more, or themselves in doubt."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.rules import Alert, Standings, When, lint, standings
from uac_nb.rules.alerts import run
from uac_nb.starter.rules import rests_on_what_is_gone
from uac_nb.starter.types.life import Favourite, Practice
from uac_nb.starter.types.schedule import Commitment
from uac_nb.starter.types.travel import Trip

TODAY = date(2025, 3, 1)

TRIP = Trip(
    id="lisbon", title="trip to Lisbon", to="Lisbon", departs=When("2025-03-10"), returns=When("2025-03-17"), source=(1,)
)
OFF = replace(TRIP, status="cancelled", source=(1, 4))
HOTEL = Commitment(id="hotel", title="hotel booking", on=When("2025-03-10"), part_of="lisbon", source=(2,))
DINNER = Commitment(id="dinner", title="dinner with Ana", on=When("2025-03-12"), part_of="lisbon", source=(3,))
DANCING = Practice(id="dancing", title="dancing", source=(5,))
SHOES = Favourite(id="shoes", what="suede shoes", rests_on=("dancing",), source=(6,))


def resting(record: Any, *on: str, **values: Any) -> Any:
    return replace(record, **{"part_of": None} if hasattr(record, "part_of") else {}, rests_on=on, **values)


def told(*records: Any, today: date = TODAY) -> dict[str, str]:
    found = standings(records, today)
    return {id: f"{how.state}: {found.why(id)}" for id, how in found.items()}


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        pytest.param([TRIP, DINNER], {}, id="it holds"),
        pytest.param([SHOES], {"shoes": "uncertain: it rests on dancing, of which there is no record"}, id="forgotten"),
        pytest.param(
            [OFF, DINNER],
            {"dinner": "uncertain: it is part of your trip to Lisbon, which is cancelled"},
            id="part of what is off",
        ),
        pytest.param(
            [OFF, replace(DINNER, if_gone="follows")],
            {"dinner": "follows: it is part of your trip to Lisbon, which is cancelled"},
            id="it follows",
        ),
        pytest.param(
            [OFF, HOTEL, resting(DINNER, "hotel")],
            {
                "hotel": "uncertain: it is part of your trip to Lisbon, which is cancelled",
                "dinner": "uncertain: it rests on your hotel booking, which is part of your trip to Lisbon, which is cancelled",
            },
            id="a chain",
        ),
        pytest.param(
            [OFF, replace(HOTEL, if_gone="ends"), resting(DINNER, "hotel", if_gone="follows")],
            {
                "hotel": "ended: it is part of your trip to Lisbon, which is cancelled",
                "dinner": "follows: it rests on your hotel booking, which is part of your trip to Lisbon, which is cancelled",
            },
            id="what ends takes along what follows it",
        ),
        pytest.param(
            [OFF, HOTEL, resting(DINNER, "hotel", if_gone="ends")],
            {
                "hotel": "uncertain: it is part of your trip to Lisbon, which is cancelled",
                "dinner": "uncertain: it rests on your hotel booking, which is part of your trip to Lisbon, which is cancelled",
            },
            id="what is only in doubt ends nothing",
        ),
        pytest.param(
            [OFF, resting(HOTEL, "dinner"), resting(DINNER, "hotel", "lisbon")],
            {
                "hotel": "uncertain: it rests on your dinner with Ana, which rests on your trip to Lisbon, which is cancelled",
                "dinner": "uncertain: it rests on your trip to Lisbon, which is cancelled",
            },
            id="a circle, and one of it on what is off",
        ),
        pytest.param([resting(HOTEL, "dinner"), resting(DINNER, "hotel")], {}, id="a circle that rests on itself"),
        pytest.param(
            [replace(DANCING, status="ended"), SHOES],
            {"shoes": "uncertain: it rests on your dancing, which is ended"},
            id="ended, nobody says when",
        ),
        pytest.param(
            [replace(DANCING, until=When("2025-02")), SHOES],
            {"shoes": "uncertain: it rests on your dancing, which ended in February 2025"},
            id="ended in a month",
        ),
        pytest.param([replace(DANCING, until=When("2025-03")), SHOES], {}, id="it ends at some time of this month"),
        pytest.param(
            [replace(DANCING, until=When("2025-03-11")), resting(DINNER, "dancing")],
            {"dinner": "uncertain: it rests on your dancing, which ends on Tuesday, March 11, 2025"},
            id="it ends before the day on which it is needed",
        ),
        pytest.param(
            [replace(DANCING, until=When("2025-02-11")), resting(DINNER, "dancing", on=When("2025-02-11"))],
            {},
            id="what was over by then",
        ),
        pytest.param(
            [replace(DANCING, until=When("2025-02-11")), replace(SHOES, since=When("2025-01"), until=When("2025-02"))],
            {"shoes": "uncertain: it rests on your dancing, which ended on Tuesday, February 11, 2025"},
            id="what lasted longer",
        ),
        pytest.param([replace(TRIP, status="done"), DINNER], {}, id="what came about takes nothing with it"),
        pytest.param([OFF, replace(DINNER, status="done")], {}, id="what says itself that it happened"),
        pytest.param([OFF, replace(DINNER, status="cancelled")], {}, id="what is itself off"),
        pytest.param(
            [OFF, replace(HOTEL, status="done"), resting(DINNER, "hotel")], {}, id="a chain ends at what happened nevertheless"
        ),
        pytest.param([replace(DINNER, part_of="our anniversary")], {}, id="a whole that is no id"),
    ],
)
def test_how_records_stand(records: list[Any], expected: dict[str, str]) -> None:
    assert told(*records) == expected
    assert told(*reversed(records)) == expected


def test_it_is_said_in_a_sentence() -> None:
    assert standings([OFF, DINNER], TODAY).told("dinner") == (
        "Your dinner with Ana is uncertain: it is part of your trip to Lisbon, which is cancelled"
    )


@given(st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=10, max_size=10), st.sets(st.integers(0, 9)))
def test_in_doubt_is_what_leads_to_something_gone(named: list[list[int]], gone: set[int]) -> None:
    """Whatever the arrows between ten records, with circles: those from which a path leads to one that is off, no others."""
    records = [
        Commitment(
            id=f"c{n}", title=f"call {n}", on=When("2025-04-01"), rests_on=tuple(f"c{m}" for m in named[n]),
            status="cancelled" if n in gone else "agreed", source=(n,),
        )
        for n in range(10)
    ]  # fmt: skip
    expected = set[int]()
    for _ in records:
        expected |= {n for n in range(10) if n not in gone and {*named[n]} & (gone | expected)}
    found = standings(records, TODAY)
    assert set(found) == {f"c{n}" for n in expected}
    for id in found:
        chain = found.chain(id)
        assert len(chain) == len({*chain, id}) - 1
        assert int(chain[-1][1:]) in gone


# --- the alert ---


def alerts(*records: Any, today: date = TODAY) -> list[Alert]:
    found = run(rests_on_what_is_gone, {"anything": records}, today)
    assert [why for alert in found for why in lint(alert)] == []
    return found


def test_what_still_lies_ahead_is_an_alert_with_all_that_it_rests_on() -> None:
    (hotel, dinner) = alerts(OFF, HOTEL, resting(DINNER, "hotel"))
    assert hotel.message == (
        "Conflict: your hotel booking (Monday, March 10, 2025) is part of your trip to Lisbon (cancelled)."
    )
    assert dinner.message == (
        "Conflict: your dinner with Ana (Wednesday, March 12, 2025) rests on your hotel booking (itself in doubt). "
        "Your hotel booking is uncertain: it is part of your trip to Lisbon, which is cancelled."
    )
    assert dinner.hint == "Say whether your dinner with Ana still stands; if it does not, close it."
    assert (dinner.records, dinner.evidence, dinner.severity) == (("dinner", "hotel"), (1, 2, 3, 4), "warning")


@pytest.mark.parametrize(
    ("records", "severities"),
    [
        pytest.param([OFF, DINNER], ["warning"], id="ahead"),
        pytest.param([replace(DANCING, status="ended"), SHOES], ["info"], id="what has no day"),
        pytest.param([OFF, replace(DINNER, on=When("2025-02-12"))], [], id="over"),
        pytest.param([SHOES], [], id="of what is not recorded a finding speaks"),
    ],
)
def test_when_it_speaks(records: list[Any], severities: list[str]) -> None:
    assert [alert.severity for alert in alerts(*records)] == severities


def test_nothing_rests_on_anything() -> None:
    assert standings([TRIP, DANCING], TODAY) == Standings({}, TODAY) == {}
