"""Real talk, not ours, goes into the log whole and with its times (see the fixture `shared`)."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, datetime
from pathlib import Path

from uac_nb import User
from uac_nb.importers import read


def test_the_lines_of_every_alert_case(shared: Path, tmp_path: Path) -> None:
    cases = json.loads((shared / "alerts" / "cases-dev.json").read_text())["cases"]
    assert len(cases) == 8
    for number, case in enumerate(cases):
        with User.open(f"case{number}", tmp_path) as user:
            for session in case["sessions"]:
                lines = [{"text": line} for line in session["user_lines"]]
                user.ingest(lines, at=session["timestamp"], session=session["session_id"])
            told = [(e.text, e.said_at, e.session) for e in user.log.entries()]
        assert told == [
            (line, date.fromisoformat(s["timestamp"]), s["session_id"]) for s in case["sessions"] for line in s["user_lines"]
        ]


# How the first message of each case is read by patterns, and what waits for more.
READ = ["partly", "partly", "unread", "unread", "unread", "unread", "unread", "unread"]


def test_the_patterns_read_alert_cases_whole_or_say_what_is_left(shared: Path, tmp_path: Path) -> None:
    fates = []
    for number, case in enumerate(json.loads((shared / "alerts" / "cases-dev.json").read_text())["cases"]):
        with User.open(f"case{number}", tmp_path) as user:
            first = case["sessions"][0]
            user.ingest(first["user_lines"][0], at=first["timestamp"])
            fates.append(user.checkpoint().coverage.fate[1])
    assert fates == READ


def test_a_whole_conversation(shared: Path, tmp_path: Path) -> None:
    with User.open("conv30", tmp_path) as user:
        chat = read(shared / "locomo" / "conv-30.json")
        assert user.log.load(chat.drafts).added == 369
        entries = list(user.log.entries())
        assert len({e.session for e in entries}) == 19
        assert Counter(e.speaker for e in entries) == chat.report.speakers
        assert entries[0].said_at == datetime(2023, 1, 20, 16, 4)
        assert len(user.log.load(read(shared / "locomo" / "conv-30.json").drafts).known) == 369
        assert user.log.verify() is None
