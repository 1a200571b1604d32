"""Answers that later words change, and whose they are: told to the pattern reader, and answered without a model.

As of Sunday, 1 November 2026. The answers were worked out by hand from the messages, before any was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.ask.ending import ends
from uac_nb.ask.world import look
from uac_nb.rules import Money, When
from uac_nb.runtime import available
from uac_nb.starter import TYPES

TODAY = date(2026, 11, 1)

TOLD = [
    ("2026-02-10", "My birthday is 14 February 1959."),
    ("2026-02-10", "My sister Nora's birthday is 9 May 1994."),
    ("2026-03-01", "I take ramipril 5 mg."),
    ("2026-03-22", "I take ramipril 10 mg."),
    ("2026-05-22", "I take ramipril 20 mg."),
    ("2026-03-01", "I take warfarin 3 mg since January 2025."),
    ("2026-06-01", "I take warfarin 5 mg."),
    ("2026-03-02", "I work as a designer at Barco since May 2022."),
    ("2026-08-02", "I work as a manager at Barco."),
    ("2026-03-10", "My friend Jean takes tamoxifen 20 mg."),
    ("2026-03-10", "My sister Ola hates Wrocław."),
    ("2026-03-10", "Ola is allergic to shellfish."),
    ("2026-03-10", "I hate coriander."),
    ("2026-03-10", "I love opera."),
    ("2026-03-10", "Jean loves jazz."),
    ("2026-03-10", "My brother Felix lives in Antwerp."),
    ("2026-10-03", "I bought four tyres for £426."),
    ("2026-10-03", "I bought a lamp for £20 on 4 July 2026."),
]

# question: the value, and what the note says
ANSWERS: list[tuple[str, Any, str]] = [
    # the user's own among those of others
    ("when is my birthday?", When("1959-02-14"), ""),
    ("what day is my birthday?", When("1959-02-14"), ""),
    ("when was I born?", When("1959-02-14"), ""),
    ("when is Nora's birthday?", When("1994-05-09"), ""),
    ("what's my birthday?", When("1959-02-14"), ""),
    ("what is my date of birth?", When("1959-02-14"), ""),
    ("what is Nora's birthday?", When("1994-05-09"), ""),
    ("is my birthday in February?", True, ""),
    ("how old am I?", 67, ""),
    # what was said to be otherwise later
    ("what dose of ramipril do I take?", "20 mg", ""),
    ("what dose of ramipril did I take on 10 March 2026?", "5 mg", "ramipril 5 mg on Sunday, March 1, 2026; since when"),
    ("what dose of ramipril did I take in April?", "10 mg", "ramipril 10 mg on Sunday, March 22, 2026; since when"),
    ("did I take ramipril in April?", True, "ramipril 10 mg on Sunday, March 22, 2026"),
    ("did I take warfarin in 2025?", True, "warfarin 3 mg on Sunday, March 1, 2026; until when"),
    ("what dose of ramipril did I take in June?", "20 mg", "ramipril 20 mg on Friday, May 22, 2026"),
    ("what dose of warfarin did I take in March?", "3 mg", "warfarin 3 mg on Sunday, March 1, 2026; until when"),
    # whose it is
    ("does Jean take tamoxifen?", True, ""),
    ("what dose of tamoxifen?", "20 mg", "Jean (friend): tamoxifen 20 mg"),
    ("does Ola like Wrocław?", False, ""),
    ("does Ola hate Wrocław?", True, ""),
    ("do I like coriander?", False, ""),
    ("do I hate opera?", False, ""),
    ("do I love opera?", True, ""),
    ("who is allergic to shellfish?", "Ola (sister)", ""),
    ("who takes tamoxifen?", "Jean (friend)", ""),
    ("who is on tamoxifen?", "Jean (friend)", ""),
    ("who takes warfarin?", "you", ""),
    ("who likes jazz?", "Jean (friend)", ""),
    ("who hates Wrocław?", "Ola (sister)", ""),
    ("who lives in Antwerp?", "Felix (brother)", ""),
    ("who works at Barco?", "you", ""),
    ("who lived in Antwerp in May?", "Felix (brother)", "this rests on the day it was told"),
    # a day that was not told
    (
        "how much did I spend in July?",
        (Money("20", "GBP"), Money("446", "GBP")),
        "not sure of four tyres (on a day not told, by Saturday, October 3, 2026)",
    ),
]
# question: what the answer says in place of one
UNSAID = [
    ("do I take tamoxifen?", "recorded is Jean (friend): tamoxifen 20 mg"),
    ("do I like Wrocław?", "recorded is Ola (sister): Wrocław"),
    ("do I live in Antwerp?", "recorded is Felix (brother): Antwerp"),
    ("does Jean like opera?", "Not recorded"),
    ("who takes aspirin?", "Not recorded"),
    ("who is allergic to nuts?", "Not recorded"),
    ("who likes techno?", "Not recorded"),
    ("what dose of ramipril did I take in February?", "ramipril 5 mg, told on Sunday, March 1, 2026"),
    ("who lives with me?", "Not recorded"),
    ("who prescribed warfarin?", "Not recorded"),
    ("who works?", "Not recorded"),
    ("when is my mother's birthday?", "Not recorded"),
    ("when did I stop ramipril?", "it goes on, as far as is known: ramipril 20 mg"),
    ("", "ask something"),
    (" ? ", "ask something"),
]


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[User]:
    if not (boundary := available()).ok:
        pytest.skip(boundary.why)
    with User.open("zed", tmp_path_factory.mktemp("users"), today=TODAY) as opened:
        for day, text in TOLD:
            opened.ingest(text, at=day)
        assert opened.checkpoint().coverage.unread == ()
        yield opened


@pytest.mark.parametrize(("question", "value", "note"), ANSWERS, ids=[a[0] for a in ANSWERS])
def test_answered(user: User, question: str, value: Any, note: str) -> None:
    answer = user.ask(question)
    assert (answer.channel, answer.value) == ("computed", value), str(answer)
    assert note in answer.note if note else answer.note == ""


@pytest.mark.parametrize(("question", "text"), UNSAID)
def test_not_recorded(user: User, question: str, text: str) -> None:
    answer = user.ask(question)
    assert (answer.channel, answer.value) == ("unknown", None)
    assert text in answer.text


# --- what was changed in place ---

DOSES = [("2026-03-01", "5 mg"), ("2026-03-22", "10 mg"), ("2026-05-22", "20 mg")]
# question: the value, the note, and the entries that it rests on
THEN: list[tuple[str, Any, str, tuple[int, ...]]] = [
    ("what dose of ramipril did I take on 10 March 2026?", "5 mg", "it was changed by entry 2 of Sunday, March 22, 2026", (1,)),
    ("what dose of ramipril did I take in April?", "10 mg", "it was changed by entry 3 of Friday, May 22, 2026", (1, 2)),
    ("did I take ramipril in April?", True, "ramipril 10 mg is what was told by then", (1, 2)),
    (
        "what dose of ramipril did I take in March?",
        "10 mg",
        "that it was so all the time is not sure of ramipril 10 mg",
        (1, 2),
    ),
    ("what dose of ramipril did I take in June?", "20 mg", "since when is not recorded", (1, 2, 3)),
    ("what dose of ramipril do I take?", "20 mg", "", (1, 2, 3)),
]


@pytest.fixture(scope="module")
def amended(tmp_path_factory: pytest.TempPathFactory, stored: Callable[..., None]) -> Iterator[User]:
    if not (boundary := available()).ok:
        pytest.skip(boundary.why)
    with User.open("ida", tmp_path_factory.mktemp("users"), today=TODAY) as opened:
        for day, dose in DOSES:
            opened.ingest(f"Ramipril, {dose} it is.", at=day)
        values = [{"title": f"ramipril {dose}", "dose": dose} for _, dose in DOSES]
        stored(
            opened,
            {"change": "define", "domain": "health", "collection": "medicines", "text": TYPES["medicines"].text, "source": [1]},
            {
                "change": "add",
                "collection": "medicines",
                "id": "ramipril",
                "values": values[0] | {"substance": "ramipril"},
                "source": [1],
            },
            {"change": "amend", "id": "ramipril", "set": values[1], "was": values[0], "source": [2]},
            {"change": "amend", "id": "ramipril", "set": values[2], "was": values[1], "source": [3]},
        )
        yield opened


@pytest.mark.parametrize(("question", "value", "note", "evidence"), THEN, ids=[each[0] for each in THEN])
def test_of_an_earlier_day_a_record_is_as_it_was_told_by_then(
    amended: User, question: str, value: Any, note: str, evidence: tuple[int, ...]
) -> None:
    answer = amended.ask(question)
    assert (answer.channel, answer.value, answer.evidence) == ("computed", value, evidence), str(answer)
    assert note in answer.note if note else answer.note == ""
    assert amended.run(answer.code or "") in (value, [value])


# --- what nobody has read ---

KEPT = [
    "I work at Café Camelot as a barista.",
    "I take metformin 500 mg.",
    "I live in Leeds.",
    "I bought a kettle for £30.",
    "I'm flying to Rome on 3 December, back on 7 December.",
]
QUESTIONS = {
    "job": "am I still working at Camelot?",
    "medicine": "do I still take metformin?",
    "home": "where do I live?",
    "kettle": "how much did I pay for the kettle?",
    "trip": "when do I fly to Rome?",
}
# what is told later, and which answers then speak of it
LATER = [
    ("I quit Café Camelot.", {"job"}),
    ("Camelot is history.", {"job"}),
    ("Got fired today.", {"job"}),
    ("My boss let me go on Friday.", {"job"}),
    ("Handed in my notice and feel great", {"job"}),
    ("Tom got fired", set()),
    ("I left early", set()),
    ("I quit smoking", set()),
    ("Doctor took me off it.", {"medicine"}),
    ("My GP told me to stop taking it", {"medicine"}),
    ("No longer on it.", {"medicine"}),
    ("Stopped by the shop", set()),
    ("The landlord threw us out", {"home"}),
    ("Leeds is not for us in the long run", {"home"}),
    ("Sent it back", {"kettle"}),
    ("Rome fell through, sadly", {"trip"}),
    ("What a lovely evening", set()),
]


@pytest.mark.parametrize(("text", "answers"), LATER, ids=[text for text, _ in LATER])
def test_what_nobody_has_read_is_told_where_it_bears_on_an_answer(tmp_path: Path, text: str, answers: set[str]) -> None:
    with User.open("ben", tmp_path, today=TODAY) as user:
        for each in KEPT:
            user.ingest(each, at="2026-03-10")
        user.checkpoint()
        user.ingest(text, at="2026-04-10")
        assert {kind for kind, question in QUESTIONS.items() if text.rstrip(".") in user.ask(question).note} == answers


def test_what_was_read_in_part_is_told_too(tmp_path: Path) -> None:
    with User.open("ben", tmp_path, today=TODAY) as user:
        user.ingest(KEPT[0], at="2026-03-10")
        user.checkpoint()
        user.ingest("I bought a lamp for £20 and Camelot is closing down.", at="2026-04-10")
        assert user.checkpoint().coverage.partly
        assert user.ask(QUESTIONS["job"]).note.endswith("Camelot is closing down.”, which was read in part")


def test_a_bare_ending_is_of_a_kind(user: User) -> None:
    views = {view.name: view for view in look(user.workspace, TODAY).views}
    job, medicine = views["jobs"], views["medicines"]
    said = ["Resigned!", "They made me redundant in April.", "came off it last week", "stopped", "I quit", "Stopped Tom"]
    assert [(ends(text, job, TODAY), ends(text, medicine, TODAY)) for text in said] == [
        (True, False), (True, False), (False, True), (True, True), (True, True), (False, False),
    ]  # fmt: skip


def test_words_of_the_log_come_with_the_newest_that_name_the_same(tmp_path: Path) -> None:
    with User.open("ben", tmp_path, today=TODAY) as user:
        user.ingest("We pay £52.40 for Sky, which is daylight robbery.", at="2026-03-10")
        user.ingest("Cancelled Sky, thank goodness.", at="2026-04-10")
        for day, text in (("2026-03-10", "Pat came by"), ("2026-03-11", "Pat is nice"), ("2026-03-12", "Pat laughed")):
            user.ingest(text, at=day)
        user.ingest("I was born in Barnsley on a snowy morning", at="2026-03-13")
        user.ingest("The old one gave up on Friday", at="2026-03-13")
        sky = user.ask("what do I pay for Sky?")
        assert (sky.channel, sky.evidence) == ("recalled", (1,))
        assert "later it was said: “Cancelled Sky, thank goodness.” (Friday, April 10, 2026, entry 2)" in sky.note
        assert (
            "entries 3, 5 and 1 more of the log mention pat: “Pat came by” and “Pat laughed”"
            in user.ask("what does Pat eat?").text
        )
        assert "entry 6 of the log mentions born" in user.ask("when was I born?").text
        assert user.ask("how old am I?").text == "Not recorded: your day and year of birth."
