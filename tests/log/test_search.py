"""Finding entries by words and by day."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from uac_nb.log import Draft, Log


@pytest.fixture(params=[1, 3, 64], ids=["indexed on disk", "on disk and in memory", "in memory"])
def log(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    monkeypatch.setattr("uac_nb.log.index.PAGE", request.param)
    with Log.open(tmp_path / "log.sqlite") as log:
        yield log


def say(log: Log, *texts: str, **more: Any) -> None:
    log.append([Draft(text=text, **more) for text in texts])


def found(log: Log, text: str, **more: Any) -> list[int]:
    return [hit.entry.id for hit in log.search(text, **more)]


QUERIES = [
    ("passport", [1]),
    ("PASSPORTS", [1]),  # by stem
    ("pass", [1]),  # as a beginning
    ("renewal", [1]),
    ("when does my passport expire?", [1]),
    ("cafe", [2]),  # accents do not matter
    ("dentist coffee", [2, 3]),
    ("護照", [4]),
    ("照", [4]),
    ("抽護", []),  # the characters stand there, but not so
    ("the", []),
    ("", []),
    ('"; DROP TABLE entries --', []),
    ("NEAR(passport dentist) AND OR NOT * ^ :", [1, 3]),
    ("_", []),
]


@pytest.mark.parametrize(("query", "ids"), QUERIES)
def test_search(log: Log, query: str, ids: list[int]) -> None:
    for session, text in enumerate(
        ["I renewed my passport.", "A café with good coffee", "Dentist on Friday", "我的護照在抽屜裡"]
    ):
        say(log, text, session=str(session))
    assert sorted(found(log, query)) == ids


def test_a_message_is_found_by_the_two_before_it_in_its_session(log: Log) -> None:
    say(log, "How was Lisbon?", session="a")
    say(log, "unrelated", session="b")
    say(log, "Sunny.", "We ate well.", "And then home.", session="a")
    assert sorted(found(log, "Lisbon")) == [1, 3, 4]


def test_neighbours_reach_over_appends_and_stay_in_the_session(log: Log) -> None:
    for session, text in [
        ("a", "one"),
        ("b", "x"),
        ("a", "two"),
        ("a", "three"),
        ("a", "fourth"),
        ("b", "y"),
        ("a", "five"),
        ("a", "six"),
    ]:
        say(log, text, session=session)
    (hit,) = [hit for hit in log.search("fourth") if hit.entry.text == "fourth"]
    assert [entry.text for entry in hit.neighbours] == ["two", "three", "five"]


def test_the_best_come_first_and_k_limits(log: Log) -> None:
    for session, text in enumerate(["rain", "rain rain rain rain", "sun"]):
        say(log, text, session=str(session))
    hits = log.search("rain")
    assert [hit.entry.id for hit in hits] == [2, 1]
    assert hits[0].score > hits[1].score
    assert found(log, "rain", k=1) == [2]


ENDINGS = [("allergies", [1]), ("mentorship", [2]), ("penniless", []), ("gym", [])]


@pytest.mark.parametrize(("query", "ids"), ENDINGS)
def test_a_word_that_nobody_said_is_looked_for_without_its_ending(log: Log, query: str, ids: list[int]) -> None:
    for session, text in enumerate(["I'm allergic to nuts.", "A day of mentoring", "my pen"]):
        say(log, text, session=str(session))
    assert found(log, query) == ids


def test_what_was_said_just_now_ranks_as_what_was_said_long_ago(tmp_path: Path) -> None:
    with Log.open(tmp_path / "log.sqlite") as log:
        for number in range(1_000):
            say(log, "a zebra crossed" if number in (500, 990) else "it may rain", session=str(number))
        hits = log.search("zebra")
        assert [hit.entry.id for hit in hits] in ([501, 991], [991, 501])
        assert hits[0].score == pytest.approx(hits[1].score, rel=0.1)


def test_a_common_word_said_just_now_does_not_outrank_what_says_more(tmp_path: Path) -> None:
    with Log.open(tmp_path / "log.sqlite") as log:
        log.load([Draft(text=f"Ann talks of day {n}", session=str(n)) for n in range(319)])
        log.load([Draft(kind="change", text="{}")] * 960, again=True)
        log.load([Draft(text="Ann went home", session=f"new {n}") for n in range(30)])
        assert all("day" in hit.entry.text for hit in log.search("Ann day", 5))


def test_an_index_of_the_first_version_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.sqlite"
    monkeypatch.setattr("uac_nb.log.index.PAGE", 1)  # it held every entry at once
    with Log.open(path) as log:
        say(log, *["rain"] * 70, session="s")
        log.database.rows("PRAGMA user_version = 1")
    monkeypatch.setattr("uac_nb.log.index.PAGE", 64)
    with Log.open(path) as log:
        assert log.database.rows("SELECT count(*) FROM words WHERE words MATCH 'rain'") == [(64,)]
        assert log.database.rows("PRAGMA user_version") == [(3,)]
        say(log, *["rain"] * 70, session="s")
        assert sorted(found(log, "rain", k=200)) == list(range(1, 141))


def test_only_one_speaker(log: Log) -> None:
    for number in range(300):
        say(log, "rain", speaker="mum" if number == 123 else "jess", session=str(number))
    assert found(log, "rain", speaker="mum") == [124]
    assert len(found(log, "rain", k=250, speaker="jess")) == 250
    assert found(log, "rain", speaker="Mum") == []


def test_facts_are_found_and_marked_but_not_what_code_says(log: Log) -> None:
    say(log, "hello", session="s")
    log.append([Draft(kind=kind, text="Jess moved to Porto.", session="s") for kind in ("fact", "edit", "change", "alert")])
    (hit,) = log.search("Porto")
    assert (hit.entry.kind, hit.neighbours) == ("fact", ())
    assert found(log, "hello") == [1]


def test_captions_and_speakers_are_found(log: Log) -> None:
    say(log, "look", caption="a dog on a beach", speaker="Priya")
    assert found(log, "beach") == found(log, "priya") == [1]


def test_words_that_stand_everywhere_do_not_crowd_out_the_rare(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uac_nb.log.search.BUDGET", 5)
    for number in range(20):
        say(log, "rain zebra" if number == 7 else "rain", session=str(number))
    assert found(log, "rain zebra") == [8]
    assert len(found(log, "rain")) == 20


# --- by day ---

SAID = date(2023, 7, 20)
JULY_7 = (date(2023, 7, 7), date(2023, 7, 7))
NAMING = [
    ("The party is on 7 July.", True),
    ("on the 7th of July", True),
    ("July 7th, 2023", True),
    ("Jul. 7 it was", True),
    ("2023-07-07", True),
    ("07.07.2023", True),
    ("7/7/2023", True),
    ("on 7 July 2022", False),
    ("July 17", False),
    ("July 2023", False),  # a month is no day
    ("the 7th", False),
    ("77 july", False),
    ("31 February and 7 July", True),
]


@pytest.mark.parametrize(("text", "named"), NAMING)
def test_a_day_is_named(log: Log, text: str, named: bool) -> None:
    say(log, text, said_at=SAID)
    assert bool(log.between(*JULY_7)) is named


def test_both_readings_of_a_numeric_date_count(log: Log) -> None:
    say(log, "see you 04/05/2023", said_at=SAID)
    for day in (date(2023, 5, 4), date(2023, 4, 5)):
        assert log.between(day, day)


def test_said_then(log: Log) -> None:
    say(log, "a", said_at=date(2023, 7, 6))
    say(log, "b", said_at=date(2023, 7, 7))
    say(log, "c", said_at=datetime(2023, 7, 7, 23, 59, tzinfo=UTC))
    say(log, "d", said_at=date(2023, 7, 8))
    say(log, "nobody knows when")
    log.append([Draft(kind="fact", text="e", said_at=date(2023, 7, 7)), Draft(kind="undo", said_at=date(2023, 7, 7))])
    assert [entry.text for entry in log.between(*JULY_7)] == ["b", "c", "e"]


def test_yesterday_and_tomorrow(log: Log) -> None:
    for day, text in [(6, "tomorrow we fly"), (8, "Yesterday was long"), (8, "today was short"), (9, "yesterday")]:
        say(log, text, said_at=date(2023, 7, day))
    assert [entry.text for entry in log.between(*JULY_7)] == ["tomorrow we fly", "Yesterday was long"]


def test_a_span_finds_its_days_and_whole_months(log: Log) -> None:
    say(log, "in June 2023", "on 30 June", "July 2023", "3 July", "1 August", "Sept 2023", said_at=SAID)

    def texts(start: date, end: date) -> list[str]:
        return [entry.text for entry in log.between(start, end)]

    assert texts(date(2023, 6, 1), date(2023, 6, 30)) == ["in June 2023", "on 30 June"]
    assert texts(date(2023, 6, 2), date(2023, 7, 5)) == ["on 30 June", "3 July"]
    assert texts(date(2023, 8, 1), date(2023, 12, 31)) == ["1 August", "Sept 2023"]
    assert len(texts(date.min, date.max)) == 6


def test_words_and_days_together(log: Log) -> None:
    for day in (6, 7, 8):
        say(log, "we ate well", said_at=date(2023, 7, day), session=str(day))
    assert found(log, "ate", during=JULY_7) == [2]


# --- on real talk ---


def _turns(conversation: dict[str, Any]) -> Iterator[tuple[str, Draft]]:
    for number in range(1, 60):
        for turn in conversation.get(f"session_{number}") or []:
            caption = turn.get("blip_caption") or ""
            yield turn["dia_id"], Draft(text=turn["text"], speaker=turn["speaker"], caption=caption, session=str(number))


def test_evidence_is_among_the_first_twenty(shared: Path, tmp_path: Path) -> None:
    answered = []
    for name in ("conv-26", "conv-30"):
        sample = json.loads((shared / "locomo" / f"{name}.json").read_text())
        turns = dict(_turns(sample["conversation"]))
        number = {turn: id for id, turn in enumerate(turns, 1)}
        with Log.open(tmp_path / name) as log:
            log.load(turns.values())
            for question in sample["qa"]:
                named = [f"D{int(a)}:{int(b)}" for a, b in re.findall(r"D(\d+):(\d+)", " ".join(question.get("evidence", [])))]
                evidence = {number[turn] for turn in named if turn in number}
                if evidence and question["category"] != 5:  # those of 5 have no answer
                    answered.append(bool(evidence & set(found(log, str(question["question"])))))
    assert len(answered) > 200
    assert sum(answered) / len(answered) >= 0.83
