"""What a person does about an alert, on the real day and while looking at another, and what the log keeps of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.errors import UacError
from uac_nb.model import FakeModel
from uac_nb.runtime import available

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)

ALLERGY = {
    "change": "add", "collection": "allergies", "id": "penicillin", "source": [1],
    "values": {"title": "penicillin allergy", "avoids": ["penicillin"]},
}  # fmt: skip
DRUG = {
    "change": "add", "collection": "medicines", "id": "amoxicillin", "source": [2],
    "values": {"title": "amoxicillin 500 mg", "substance": "amoxicillin"},
}  # fmt: skip


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    """Somebody who takes what they are allergic to, looked at on a day that is not today's."""
    with User.open("jess", tmp_path, today="2025-03-01") as user:
        user.ingest([{"text": "I'm allergic to penicillin."}, {"text": "Started amoxicillin 500 mg."}], at="2025-02-27")
        user.checkpoint(reader=FakeModel([json.dumps({"changes": [ALLERGY, DRUG]})]))
        yield user


def events(user: User) -> list[tuple[str, str]]:
    return [(e.data["event"], e.data.get("on", "")) for e in user.log.entries(kinds=("alert",))]


def states(user: User, **day: Any) -> list[str]:
    return [raised.state for raised in user.alerts(**day)]


def test_looking_from_another_day_writes_nothing(user: User) -> None:
    assert states(user) == ["open"]
    assert events(user) == []


def test_what_is_done_about_an_alert_is_kept_with_the_alert(user: User) -> None:
    """Else the log would know of an alert only that it was seen: never its words, nor that its cause is gone."""
    user.acknowledge(user.alerts()[0].key)
    assert events(user) == [("raised", "2025-03-01"), ("acknowledged", "")]
    assert states(user) == ["acknowledged"]
    user.snooze(user.alerts()[0].key, "2025-03-09")
    assert [event for event, _ in events(user)] == ["raised", "acknowledged", "snoozed"]


def test_acknowledged_on_another_day_it_is_resolved_and_comes_back_on_the_real_one(user: User, tmp_path: Path) -> None:
    user.acknowledge(user.alerts()[0].key)
    with User.open("jess", tmp_path) as today:
        assert states(today) == ["acknowledged"]
        today.undo()
        assert states(today) == ["resolved"]
        told = today.ingest([{"text": "Penicillin: allergic."}, {"text": "Amoxicillin 500 mg again."}], at="2025-03-02")
        again = [{**change, "source": [entry.id]} for change, entry in zip((ALLERGY, DRUG), told.entries, strict=True)]
        today.checkpoint(reader=FakeModel([json.dumps({"changes": again})]))
        assert states(today) == ["reopened"]
        assert [event for event, _ in events(today)] == ["raised", "acknowledged", "resolved", "reopened"]


def test_on_the_real_day_it_is_raised_once(user: User, tmp_path: Path) -> None:
    (key,) = [raised.key for raised in user.alerts()]
    with User.open("jess", tmp_path) as today:
        today.acknowledge(key)
        assert [event for event, _ in events(today)] == ["raised", "acknowledged"]


def test_an_alert_that_nobody_has_seen_cannot_be_settled(user: User) -> None:
    with pytest.raises(UacError, match="there is no alert 'nonsense'"):
        user.acknowledge("nonsense")
    assert events(user) == []


def test_a_log_that_cannot_be_written_is_looked_at_all_the_same(user: User) -> None:
    user.log.database.frozen = True
    entries = len(user.log)
    today = user.alerts(date.today())  # the real day, and none is pinned below
    user.today = None
    assert [raised.alert for raised in user.alerts()] == [raised.alert for raised in today] != []
    assert len(user.log) == entries


def test_a_look_tells_which_rules_are_off(user: User) -> None:
    user.rename("medicines.until", "ended")
    alerts, findings = user.look()
    assert {found.code for found in findings} == {"rule-off"}
    assert user.alerts() == alerts
