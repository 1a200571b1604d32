"""The story of tutorial 5, read by a large language model once and replayed here without a key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from uac_nb import User
from uac_nb.log import Entry
from uac_nb.rules import Money, Unknown, When
from uac_nb.runtime import available
from uac_nb.user import Checkpoint

STORY = Path(__file__).parents[2] / "tutorials" / "story"
RECORDED = f"recorded:{STORY / 'replies.jsonl'}"
TODAY = "2026-10-05"
WRIST, WISH, ORDERS = 38, 47, 29  # entries

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)


def told(home: Path) -> User:
    user = User.open("tess", home, today=TODAY)
    user.ingest(STORY / "messages.jsonl", me="Tess")
    return user


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[User]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "UAC_MODEL"):
            patch.delenv(name, raising=False)
        with told(tmp_path_factory.mktemp("story")) as opened:
            yield opened


@pytest.fixture(scope="module")
def done(user: User) -> Checkpoint:
    return user.checkpoint(reader=RECORDED)


@pytest.fixture(scope="module", autouse=True)
def _read(done: Checkpoint) -> None:
    """All tests look at the memory after the checkpoint."""


def fired(user: User, rule: str, day: str) -> list[tuple[str, ...]]:
    with user.at(day) as then:
        return [raised.alert.records for raised in then.alerts() if raised.alert.rule == rule]


# --- the recording ---


def test_the_story_is_long_and_told_by_one_person() -> None:
    lines = [json.loads(line) for line in (STORY / "messages.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) >= 60
    assert len({(line["session"], line["at"]) for line in lines}) == 10
    assert {line["speaker"] for line in lines if line["role"] == "user"} == {"Tess"}


def test_the_recording_holds_neither_prompt_nor_key() -> None:
    lines = [json.loads(line) for line in (STORY / "replies.jsonl").read_text("utf-8").splitlines()]
    assert all(set(line) == {"purpose", "entries", "round", "prompt", "reply"} for line in lines)
    assert all(len(line["prompt"]) == 16 and set(line["prompt"]) <= set("0123456789abcdef") for line in lines)
    assert {line["reply"]["model"] for line in lines} == {"large-language-model"}


def test_nothing_is_pending_and_a_stale_reply_is_a_warning(done: Checkpoint) -> None:
    """A prompt that has changed since is no fault of the replay; then the recording should be made anew."""
    assert [found for found in done.diagnostics if found.code != "stale-recording"] == []
    if done.diagnostics:
        print(*done.diagnostics, sep="\n")


def test_what_it_cost_is_counted_apart(user: User) -> None:
    (row,) = user.cost().rows
    assert (row.purpose, row.calls, row.sent, row.answered) == ("structure", 0, 0, 0)
    assert row.recorded >= 5


# --- accounting and grounding ---


def test_every_message_is_accounted_for(done: Checkpoint) -> None:
    counts = done.coverage.counts
    assert (sum(counts.values()), counts["unread"]) == (79, 0)
    assert counts["cited"] > 60
    assert done.coverage.fate[19] == "set aside: not about the user"  # what an assistant suggested


def test_every_record_rests_on_what_was_said(user: User) -> None:
    found = [found.record for found in user.workspace.all()]
    assert len(found) > 60
    for record in found:
        assert record.source
        assert all(user.entry(id).kind == "message" for id in record.source), record.id
        assert any(user.entry(id).role == "user" for id in record.source), record.id
        if quote := getattr(record, "quote", None):
            assert any(quote in user.entry(id).text for id in record.source)
        assert "inferred" not in (getattr(record, "doubt", None) or ""), record.id


def test_the_diff_shows_all_batches(done: Checkpoint) -> None:
    for words in ('id="penicillin-allergy"', 'id="the-summer-book"', 'id="halifax-2026-10"', "def no_red_eye"):
        assert words in done.diff


# --- what it had to understand ---


def test_what_no_longer_holds_is_closed(user: User) -> None:
    homes = user.history_of("residences", who="me")
    assert [home.until for home in homes] == [When("2026-07-04"), None]
    assert ("Coupure" in homes[0].place, "Mechelen" in homes[1].place) == (True, True)
    (coffee,) = user.history_of("resolutions", title="no coffee")
    assert (coffee.status, coffee.until) == ("ended", When("2026-05-15"))


def test_a_correction_amends(user: User) -> None:
    (chair,) = (p for p in user.records("purchases") if p.title == "desk chair")
    assert (chair.price, chair.bought, chair.decision) == (Money("198", "EUR"), When("2026-01-31"), "keep")


def test_plans_come_true_or_fall_through(user: User) -> None:
    status = {trip.to: trip.status for trip in user.records("trips")}
    assert status == {"Lisbon": "done", "Vienna": "cancelled", "Halifax": "booked"}
    (baby,) = user.records("milestones")
    assert (baby.status, baby.on) == ("happened", When("2026-08-21"))


def test_two_people_of_one_name_stay_two(user: User) -> None:
    annas = {p.id: p.relation for p in user.records("people") if p.name == "Anna"}
    assert len(annas) == 2
    (moved,) = (e for e in user.records("events") if "Canada" in f"{e.title} {e.place}")
    (born,) = user.records("milestones")
    assert ("choir" in annas[moved.who], "cousin" in annas[born.who]) == (True, True)


@pytest.mark.parametrize(
    ("day", "value"),
    [
        ("2026-02-03", "silke"),
        ("2026-04-20", "silke"),  # it is known that the lead goes, and not gone yet
        ("2026-05-21", "unknown, was silke"),  # the lead is gone, and nobody has said who assigns them now
        ("2026-07-27", "bram"),
    ],
)
def test_a_value_depends_on_the_lead(user: User, day: str, value: str) -> None:
    with user.at(day) as then:
        found = then.run("manuscript_reviewer()")
    told = f"unknown, was {found.was}" if isinstance(found, Unknown) else str(found)
    assert told.casefold() == value  # a name, or the id of a person


def test_her_own_rule_fires_once_and_not_before_there_is_a_conflict(user: User) -> None:
    (own,) = re.findall(r"def (no_red_eyes?)\(", user.text("rules") or "")
    days = ["2026-02-03", "2026-03-29", "2026-05-10", "2026-06-22", TODAY, "2026-10-21"]
    assert [len(fired(user, own, day)) for day in days] == [0, 0, 0, 1, 1, 0]
    assert fired(user, own, TODAY) == [("halifax-2026-10",)]
    assert user.test().findings == ()


def test_the_drug_meets_the_allergy_of_nine_months_before(done: Checkpoint) -> None:
    (grave,) = (raised.alert for raised in done.alerts if raised.alert.severity == "critical")
    assert (grave.rule, grave.evidence) == ("medicine_against_allergy", (4, 73))


def test_the_forget_waits_for_her(user: User, done: Checkpoint) -> None:
    (wish,) = done.forgets
    assert wish.entries == (WRIST, WISH)
    assert "wrist" in user.entry(WRIST).text
    assert [found.record.id for found in user.workspace.all() if WRIST in found.record.source] == []
    assert {WRIST, WISH} < set(user.would_forget(wish.entries).ids)  # the wish itself goes with them


def test_what_she_asked_for_goes_and_nothing_else(user: User, tmp_path: Path) -> None:
    with told(tmp_path) as other:
        wish = other.checkpoint(reader=RECORDED).forgets[0]
        other.forget(wish.entries, yes=True)
        assert other.log.search("wrist") == []
        assert "wrist" not in "".join(call.reply for call in other.calls())
        assert other.project.files() == user.project.files()
        again = other.checkpoint(reader=RECORDED)
        assert (again.changes, again.forgets, again.coverage.counts["unread"]) == ((), (), 0)


def test_a_text_that_gives_orders_is_noted_at_most(user: User, done: Checkpoint) -> None:
    assert done.coverage.fate[ORDERS].partition(":")[0] in ("noted", "set aside")
    assert {found.collection for found in user.workspace.all() if ORDERS in found.record.source} <= {"notes"}
    assert not any("import os" in text for text in user.project.files().values())
    assert not any("import os" in entry.text for entry in user.log.entries(kinds=("fact", "change")))
    assert all(raised.state == "open" for raised in done.alerts)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("where do I live?", "Mechelen"),
        ("how much did the desk chair cost?", "€198"),
        ("how many trips did I take in 2026?", "1, 1 more is ahead"),
        ("how many kilometres did I run?", "5 kilometres"),
        ("when was Mila born?", "Friday, August 21, 2026"),
    ],
)
def test_answers_are_computed(user: User, question: str, answer: str) -> None:
    found = user.ask(question)
    assert found.channel == "computed"
    assert found.text.split("\n")[0].startswith(answer)  # a place may be told with where it lies


# --- again ---


def entries(user: User) -> list[Entry]:
    return list(user.log.entries())


def test_a_second_time_changes_nothing(user: User) -> None:
    before = (entries(user), user.project.head, len(user.calls()))
    again = user.checkpoint(reader=RECORDED)
    assert (again.changes, again.diff) == ((), "")
    assert (entries(user), user.project.head, len(user.calls())) == before
    assert user.ingest(STORY / "messages.jsonl", me="Tess").report is not None
    assert entries(user) == before[0]


def test_the_files_are_made_again_from_the_log(user: User) -> None:
    files = user.project.files()
    user.rebuild()
    assert user.project.files() == files


def test_a_changed_prompt_replays_with_a_warning(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from uac_nb.reading import by_model as reading

    plain = reading.fill
    monkeypatch.setattr(reading, "fill", lambda prompt, **parts: f"{plain(prompt, **parts)}\nBe brief.")
    with told(tmp_path) as other:
        done = other.checkpoint(reader=RECORDED)
        assert {found.code for found in done.diagnostics} == {"stale-recording"}
        assert len(done.diagnostics) == len(other.calls())
        assert done.coverage.counts["unread"] == 0
        assert other.project.files() == user.project.files()
