"""Hours of two zones are compared as instants."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uac_nb.changes import Workspace, accept
from uac_nb.domainfile.types import Misfit, coerce, parse_type
from uac_nb.domainfile.zones import resolved
from uac_nb.rules import Zone
from uac_nb.rules.zone import packed, unpacked
from uac_nb.runtime import choosing, program

NAMES = ("Asia/Tokyo", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kolkata", "UTC")


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(NAMES), st.datetimes(datetime(2001, 1, 1), datetime(2037, 1, 1)))
def test_an_instant_is_that_of_the_table(name: str, local: datetime) -> None:
    local = local.replace(second=0, microsecond=0, fold=0)
    found = resolved(name).instant(local.date(), local.time())
    either = {local.replace(tzinfo=ZoneInfo(name), fold=fold).astimezone(UTC) for fold in (0, 1)}
    if {moment.astimezone(ZoneInfo(name)).replace(tzinfo=None) for moment in either} == {local}:  # else no such time that day
        assert found in {moment.replace(tzinfo=None) for moment in either}


def test_a_zone_goes_through_the_wall_with_its_offsets() -> None:
    berlin = resolved("Europe/Berlin")
    back = unpacked(packed(berlin))
    assert (back, back.offsets, repr(back)) == (berlin, berlin.offsets, 'Zone("Europe/Berlin")')
    assert Zone("Europe/Berlin").instant(date(2025, 6, 14), time(9)) is None


@pytest.mark.parametrize("text", ["Europe/Berlln", "here", "+02:00", "../../etc/passwd", "Asia/Tokyo;0:1"])
def test_what_is_no_zone_is_refused(text: str) -> None:
    with pytest.raises(Misfit, match="is not a time zone"):
        coerce(parse_type("Zone"), text)


def at(id: str, on: str, starts: str, zone: str | None, ends: str | None = None) -> dict[str, object]:
    values = {"title": f"call {id}", "on": on, "starts": starts, "ends": ends, "zone": zone, "presence": "online"}
    return {"change": "add", "collection": "commitments", "id": id, "source": [1], "values": values}


TOKYO, BERLIN, YORK = "Asia/Tokyo", "Europe/Berlin", "America/New_York"


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (("2025-12-10", "09:00", TOKYO), ("2025-12-10", "09:00", BERLIN), ""),
        (("2025-06-10", "09:00", TOKYO), ("2025-06-10", "02:00", BERLIN), "begin at the same time in two zones"),
        (("2025-12-10", "09:00", TOKYO), ("2025-12-10", "01:00", BERLIN), "begin at the same time in two zones"),
        (("2025-12-10", "09:00", TOKYO), ("2025-12-10", "02:00", BERLIN), ""),
        (("2025-06-13", "23:30", YORK), ("2025-06-14", "05:00", BERLIN), "begin 30 minutes apart in two zones"),
        (("2025-06-14", "23:30", YORK), ("2025-06-14", "05:00", BERLIN), ""),
        (("2025-06-10", "09:00", TOKYO), ("2025-06-10", "09:00", TOKYO), "begin at the same time on the same day"),
        (("2025-06-10", "09:00", TOKYO), ("2025-06-10", "09:00", None), "may overlap"),
        (("2025-06-10", "09:00", TOKYO), ("2025-06-10", "09:00", None), "nothing says in which zone those of your call b are"),
        (("2025-06-10", "09:00", None), ("2025-06-10", "09:00", None), "begin at the same time on the same day"),
        (("2025-06-10", "09:00", TOKYO), ("2025-06-10", "12:00", None), ""),
    ],
)  # fmt: skip
def test_two_commitments_collide_where_their_instants_do(
    one: tuple[str, str, str | None], other: tuple[str, str, str | None], told: str
) -> None:
    done = accept([at("a", *one), at("b", *other)], Workspace())
    assert not done.refused
    with choosing.engine("u", "ann") as engine:
        engine.load(program(done.workspace))
        run = engine.rules(today=date(2025, 6, 1))
    assert run.findings == ()
    messages = " ".join(alert.message for alert in run.alerts)
    assert told in messages
    assert bool(told) == bool(messages)


def test_a_zone_is_written_read_and_asked_for() -> None:
    workspace = accept([at("a", "2025-06-10", "09:00", TOKYO)], Workspace()).workspace
    assert 'zone=Zone("Asia/Tokyo")' in workspace.domains["schedule"].text
    again = Workspace.from_files(workspace.files())
    assert again.records("commitments") == workspace.records("commitments")
    with choosing.engine("u", "ann") as engine:
        engine.load(program(again))
        ran = engine.run("[c.zone.instant(c.on.date, c.starts) for c in commitments]", today=date(2025, 6, 1))
        assert ran.value == [datetime(2025, 6, 10) + timedelta(0)]
        assert engine.run("commitments[0].zone", today=date(2025, 6, 1)).value == Zone(TOKYO)
