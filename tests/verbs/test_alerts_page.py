"""The page of alerts stands, whatever one rule, one alert or one record does: a critical alert is never hidden."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.model import FakeModel
from uac_nb.notebook import widgets
from uac_nb.notebook.widgets import records, views
from uac_nb.notebook.widgets.page import as_text
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
CRITICAL = "CRITICAL  Conflict: your amoxicillin 500 mg"
RULE = '''from collections.abc import Iterable, Iterator
from datetime import date

from uac_nb.rules import Alert, rule


@rule("warning")
def mine(allergies: Iterable[object], *, today: date) -> Iterator[Alert]:
    """Something of mine."""
'''
ALERT: dict[str, Any] = {"message": "Mine is 1.", "hint": "Look.", "records": ("penicillin",), "evidence": (1,)}


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    """Somebody who takes what they are allergic to."""
    with User.open("jess", tmp_path, today="2025-03-01") as user:
        user.ingest([{"text": "I'm allergic to penicillin."}, {"text": "Started amoxicillin 500 mg."}], at="2025-02-27")
        user.checkpoint(reader=FakeModel([json.dumps({"changes": [ALLERGY, DRUG]})]))
        yield user


def page(user: User) -> str:
    """As text; the HTML of it is made too."""
    found = user.look()
    shown = widgets.alerts(user, found.alerts, found.findings, look=None)
    assert shown._repr_html_().startswith("<section ")
    return repr(shown)


def yields(*alerts: dict[str, Any]) -> str:
    return RULE + "".join(f"    yield Alert(**{alert!r})\n" for alert in alerts)


ODD: dict[str, dict[str, Any]] = {
    "no such entry": {"evidence": (99999,)},
    "no entry at all": {"evidence": (0, -1, 10**30)},
    "records of nobody": {"records": ("no/such", "", "+", "a\nb", "\x1b[31m", "é" * 2_000)},
    "no records": {"records": (), "evidence": ()},
    "control characters": {"message": "1 \x1b[2J\x00\u202e\ud800", "hint": "\x07", "occurrence": "\x00/+"},
    "a long message": {"message": "1 " * 999},
    "a huge message": {"message": "1 " * 49_999},
    "markup": {"message": "1 <script>alert(1)</script> $x$", "hint": "</section>"},
    "numbers for ids": {"records": (1, None)},
    "words for entries": {"evidence": ("1", None)},
    "nothing": {"message": None},
    "no such severity": {"severity": "fatal"},
    "a text for records": {"records": "penicillin"},
    "no list": {"evidence": 5},
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_an_odd_alert_hides_no_other(user: User, odd: dict[str, Any]) -> None:
    user.edit("rules", yields(ALERT | odd, ALERT | {"occurrence": "2", "message": "Mine is 2."}))
    shown = page(user)
    assert CRITICAL in shown
    if odd != ODD["no list"]:  # on which the rule itself fails, before the second
        assert "Mine is 2." in shown
    assert "\x1b" not in shown


def test_a_rule_of_the_project_says_that_it_is_one(user: User) -> None:
    user.edit("rules", yields(ALERT))
    ours, own = page(user).split("Mine is 1.")
    assert "a rule of this project" in own
    assert CRITICAL in ours
    assert "a rule of this project" not in ours


def test_evidence_that_the_log_does_not_have_is_left_out_and_said(user: User) -> None:
    user.edit("rules", yields(*({**ALERT, "evidence": (1, 99999, -1), "occurrence": str(n)} for n in range(3))))
    found = user.look()
    assert {raised.alert.evidence for raised in found.alerts if raised.alert.rule == "mine"} == {(1,)}
    (finding,) = [each for each in found.findings if each.code == "rule-evidence"]
    assert finding.message == "the rule mine gives 99999, -1 as evidence, and the log has no such entry"
    assert "FINDING  rules: the rule mine gives 99999" in page(user)


def test_a_record_by_hand_that_names_no_entry_hides_no_alert(user: User) -> None:
    source = user.source("health")
    user.edit("health", source.text.replace("source=(2,)", "source=(2, 99999)"), source.base)
    assert CRITICAL in page(user)
    shown = as_text(views.answer(user, user.ask("which medicines do I take?")))
    assert "amoxicillin" in shown
    assert "Evidence: 2 entries of the log, and 1 number that it does not have" in shown


def fails_for(words: str, sound: Callable[..., Any]) -> Callable[..., Any]:
    """A function, but one that fails where its words are given."""

    def act(*given: Any, **more: Any) -> Any:
        if any(words in str(each) for each in given):
            raise ZeroDivisionError("odd")
        return sound(*given, **more)

    return act


def test_an_alert_that_cannot_be_shown_is_a_finding_in_its_place(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    user.edit("rules", yields(ALERT))
    monkeypatch.setattr(views, "card", fails_for("Mine is 1.", views.card))
    shown = page(user)
    assert CRITICAL in shown
    assert "FINDING  alert 2: it cannot be shown: ZeroDivisionError: odd" in shown


def test_a_value_that_cannot_be_shown_hides_no_other(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "written", fails_for("500 mg", records.written))
    shown = as_text(records.tables(user.records("medicines")))
    assert "(cannot be shown: ZeroDivisionError: odd)" in shown
    assert "substance  amoxicillin" in shown
