"""What a model is shown for a question and what its answers rest on, over one small memory as of 2 February 2023."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from uac_nb.ask import Answer, ask
from uac_nb.ask.consult import MOST, SOURCES
from uac_nb.changes import Workspace, accept
from uac_nb.log import Draft, Log
from uac_nb.model import FakeModel
from uac_nb.runtime import SealedEngine, available, program

TODAY = date(2023, 2, 2)
SNAPSHOT = Path(__file__).parents[1] / "snapshots" / "ask.md"

SAID = [
    Draft(text="I was in Paris yesterday, it was so cool.", speaker="Jon", said_at=date(2023, 1, 29)),
    Draft(text="I lost my job as a banker.", speaker="Jon", said_at=date(2023, 1, 20)),
    Draft(text="Dancing is how I destress.", speaker="Jon", said_at=date(2023, 1, 20)),
    Draft(text="In June I'm off to Rome with Ana. ```", speaker="Jon", said_at=date(2023, 1, 30)),
    Draft(text="Paris in March was even cooler.", speaker="Jon", said_at=date(2023, 3, 9)),
    Draft(kind="fact", role="system", text="Jon was in Paris on 2023-01-28.", data={"source": [1], "batch": 1}),
    Draft(kind="fact", role="system", text="Jon was in Paris in March 2023.", data={"source": [5], "batch": 2}),
    Draft(kind="fact", role="system", text="A Lloyds branch fired Jon.", data={"source": [2], "batch": 2}),
]
TRIP = {"title": "trip to Paris", "to": "Paris", "country": "FR", "there_on": "2023-01-28", "status": "done"}
ROME = {"title": "trip to Rome", "to": "Rome", "country": "IT", "departs": "2023-06", "others": ["ana"]}
RECORDS = [
    ("people", "ana", {"name": "Ana Lopes", "relation": "sister"}, 4),
    ("trips", "rome", ROME, 4),
    ("trips", "paris", TRIP, 1),
    ("practices", "dancing", {"title": "dancing", "why": "it is how he destresses"}, 3),
]


def memory(*more: tuple[str, str, dict[str, Any], int]) -> Workspace:
    adds = [
        {"change": "add", "collection": collection, "id": id, "values": values, "source": [source]}
        for collection, id, values, source in (*RECORDS, *more)
    ]
    done = accept(adds, Workspace())
    assert not done.refused
    return done.workspace


@pytest.fixture(scope="module")
def engine() -> Iterator[SealedEngine]:
    if not (boundary := available()).ok:
        pytest.skip(boundary.why)
    with SealedEngine() as sealed:
        yield sealed


@pytest.fixture
def asked(engine: SealedEngine, tmp_path: Path) -> Iterator[Any]:
    with Log.open(tmp_path / "log.sqlite") as log:
        log.append(SAID)

        def one(question: str, *answers: dict[str, Any], known: Workspace | None = None) -> tuple[Answer, list[str]]:
            """The answer, and what the model was told of the memory, by request."""
            known = known or memory()
            engine.load(program(known))
            model = FakeModel([json.dumps(answer) for answer in answers]) if answers else None
            answer = ask(question, workspace=known, engine=engine, log=log, today=TODAY, model=model)
            return answer, [request.messages[-1]["content"] for request in model.requests] if model else []

        yield one


def told(prompt: str, name: str) -> list[str]:
    """The lines of a fence."""
    return prompt.partition(f"```{name}\n")[2].partition("\n```")[0].split("\n")


HOW = "How does Jon destress, and what was it like for him in Paris?"


def test_the_prompt(asked: Any) -> None:
    _, (prompt,) = asked(HOW, {"unknown": "x"})
    if os.environ.get("UAC_SNAPSHOTS") == "write":
        SNAPSHOT.write_text(prompt + "\n", encoding="utf-8")
    assert SNAPSHOT.read_text(encoding="utf-8") == prompt + "\n", (
        "what a model is told has changed: read the diff, then write it"
    )


def test_the_nearest_records_come_first_and_what_is_left_out_is_counted(asked: Any) -> None:
    many = [("things", f"pan-{n}", {"title": f"pan number {n}"}, 99) for n in range(MOST + 5)]
    _, (prompt,) = asked(HOW, {"unknown": "x"}, known=memory(*many))
    records = [line.partition('id="')[2].partition('"')[0] for line in told(prompt, "records")]
    assert set(records[:2]) == {"paris", "dancing"}
    assert records[2:] == ["ana", "rome", f"pan-{MOST + 3}", f"pan-{MOST + 4}"]  # two of each type are examples
    counted = {line.split()[0]: line.rpartition(" — ")[2] for line in told(prompt, "types")}
    assert counted == {
        "people": "1 records, all shown", "trips": "2 records, all shown", "practices": "1 records, all shown",
        "things": f"{MOST + 5} records, {MOST + 3} more",
    }  # fmt: skip


def test_a_record_that_rests_on_what_was_told_of_it_is_near(asked: Any) -> None:
    many = [("things", f"pan-{n}", {"title": f"pan number {n}"}, 99) for n in range(MOST + 5)]
    _, (prompt,) = asked("How do I destress?", {"unknown": "x"}, known=memory(("things", "bar", {"title": "barre"}, 3), *many))
    records = [line.partition('id="')[2].partition('"')[0] for line in told(prompt, "records")]
    assert set(records[:2]) == {"dancing", "bar"}


def test_what_was_said_before_a_find_is_shown_with_it(engine: SealedEngine, tmp_path: Path) -> None:
    engine.load(program(Workspace()))
    model = FakeModel(['{"unknown": "x"}'])
    with Log.open(tmp_path / "log.sqlite") as log:
        log.append([Draft(text=text) for text in ("Where were you?", "I saw a zebra.", *map("Day {}".format, range(99)))])
        ask("Any zebra?", workspace=Workspace(), engine=engine, log=log, today=TODAY, model=model)
    entries = [json.loads(line)["id"] for line in told(model.requests[0].messages[-1]["content"], "entries")]
    assert entries[:4] == [1, 2, 3, 4]


def test_what_was_said_on_the_day_that_is_asked_about_is_shown(engine: SealedEngine, tmp_path: Path) -> None:
    engine.load(program(Workspace()))
    model = FakeModel(['{"unknown": "x"}'])
    said = [(date(2023, 1, 5), "We found a spot for the store."), *[(date(2023, 1, 9), "The store, the store!")] * 40]
    with Log.open(tmp_path / "log.sqlite") as log:
        log.append([Draft(text=text, said_at=day, position=n) for n, (day, text) in enumerate(said)])
        question = "What did we see of the store on 5 January 2023?"
        ask(question, workspace=Workspace(), engine=engine, log=log, today=TODAY, model=model)
    assert "spot for the store" in model.requests[0].messages[-1]["content"]


def test_a_person_who_is_named_brings_their_records(asked: Any) -> None:
    many = [("things", f"pan-{n}", {"title": f"pan number {n}", "who": "ana"}, 2) for n in range(MOST)]
    _, (prompt,) = asked("How does my sister feel about it all?", {"unknown": "x"}, known=memory(*many))
    assert sum('who="ana"' in line for line in told(prompt, "records")) >= MOST - 2


def test_entries_are_shown_with_those_behind_the_nearest_records_and_nothing_said_later(asked: Any) -> None:
    _, (prompt,) = asked(HOW, {"unknown": "x"})
    entries = [json.loads(line) for line in told(prompt, "entries")]
    assert [entry["id"] for entry in entries] == [1, 2, 3, 4, 6, 8]  # 4 is behind a record; 5 and 7 are of March
    assert entries[-2] == {
        "id": 6, "derived": [1], "said": "2023-01-29 Sunday", "text": "Jon was in Paris on 2023-01-28.",
    }  # fmt: skip
    assert "recorded" not in " ".join(told(prompt, "entries"))
    assert SOURCES >= 4


def test_where_too_few_entries_have_the_words_the_last_messages_are_shown(asked: Any) -> None:
    _, (prompt,) = asked("Any zebras?", {"unknown": "x"}, known=memory())
    entries = [json.loads(line) for line in told(prompt, "entries")]
    assert [entry["id"] for entry in entries if "derived" not in entry] == [1, 2, 3, 4]  # 5 is of March


MAYBE = ("trips", "oslo", {"title": "trip to Oslo", "to": "Oslo", "departs": "2023-01-20/2023-02-01", "status": "done"}, 2)
HOW_MANY = "How many trips did I take in January 2023?"


def test_a_model_is_asked_where_patterns_find_nothing_exact(asked: Any) -> None:
    assert asked(HOW_MANY, known=memory(MAYBE))[0].value == (1, 2)
    answer, told = asked(HOW_MANY, {"text": "Two.", "records": ["oslo", "paris"]}, known=memory(MAYBE))
    assert (answer.text, len(told)) == ("Two.", 1)
    assert asked(HOW_MANY, {"unknown": "x"}, known=memory(MAYBE))[0].value == (1, 2)
    answer, told = asked(HOW_MANY, {"text": "Two."}, known=memory())
    assert (answer.value, told) == (1, [])  # that is sure without a model


DERIVED = """\
from collections.abc import Iterable
from datetime import date
from uac_nb.rules import Unknown, derived
from travel import Trip


@derived
def companion(trips: Iterable[Trip], *, today: date) -> str | Unknown:
    \"\"\"Who comes along on the next trip.\"\"\"
    return next((t.others[0] for t in trips if t.others and t.departs and t.departs > today), Unknown("none"))
"""


def test_a_model_is_told_of_derived_values_and_may_call_them(asked: Any) -> None:
    added = accept([{"change": "derive", "id": "companion", "text": DERIVED, "source": [4]}], memory())
    assert not added.refused
    answer, (prompt,) = asked("Whom could I ask to water my plants?", {"code": "companion()"}, known=added.workspace)
    assert told(prompt, "derived") == ['{"call": "companion()", "tells": "Who comes along on the next trip."}']
    assert answer.value == "ana"


# --- answers of a model ---


def test_an_answer_in_words_rests_on_records_and_on_messages(asked: Any) -> None:
    answer, _ = asked(HOW, {"text": "By dancing; so cool.", "records": ["dancing"], "entries": [6]})
    assert (answer.channel, answer.text) == ("recalled", "By dancing; so cool.")
    assert [record.id for record in answer.records] == ["dancing"]
    assert answer.evidence == (1, 3)  # of the fact, the message that it was made of
    many = [("things", f"pan-{n}", {"title": f"pan number {n}, from Paris"}, 2) for n in range(MOST)]
    answer, _ = asked("Is there a trip to Rome?", {"text": "Yes.", "entries": [4]}, known=memory(*many))
    assert answer.evidence == (4,)  # it stands in the record that was shown


@pytest.mark.parametrize(
    ("cited", "trouble"),
    [
        ({}, "it cites nothing"),
        ({"records": []}, "it cites nothing"),
        ({"records": ["lisbon"]}, "lisbon was not shown"),
        ({"records": ["paris"], "entries": [5]}, "5 was not shown"),
        ({"records": "paris"}, "it cites nothing"),
    ],
)
def test_an_answer_in_words_cites_only_what_was_shown(asked: Any, cited: dict[str, Any], trouble: str) -> None:
    answer, prompts = asked(HOW, {"text": "So cool.", **cited}, {"unknown": "no"})
    assert trouble in prompts[1]
    assert answer.channel == "unknown"


def test_a_query_that_finds_nothing_says_so(asked: Any) -> None:
    query = 'records = [t for t in trips if t.to == "Oslo"]\nrecords[0].departs if records else Unknown("no trip to Oslo")'
    answer, _ = asked(HOW, {"code": query})
    assert (answer.channel, answer.value, answer.text) == ("unknown", None, "Not recorded: no trip to Oslo.")
    assert answer.code == query


def test_none_is_no_answer(asked: Any) -> None:
    answer, prompts = asked(HOW, {"code": "records = trips\ntrips[0].returns"}, {"code": 'records = trips\n"by dancing"'})
    assert "None, which is no answer" in prompts[1]
    assert answer.value == "by dancing"


@pytest.mark.parametrize("query", ["123", "2025-11-30", "[n for n in range(3)]", 'When("2025-01-01")', "sum([1, 2])"])
def test_a_query_that_reads_nothing_answers_nothing(asked: Any, query: str) -> None:
    answer, prompts = asked(HOW, {"code": query}, {"unknown": "no"})
    assert "reads neither a collection nor" in prompts[1]
    assert answer.channel == "unknown"


# --- without a model ---


@pytest.mark.parametrize("question", ["When was I in Paris?", "When did I visit Paris?", "When did I go to Paris?"])
def test_the_day_on_which_somebody_was_there(asked: Any, question: str) -> None:
    answer, _ = asked(question)
    assert (answer.channel, answer.text, answer.evidence) == ("computed", "Saturday, January 28, 2023", (1,))


def test_a_trip_counts_by_the_day_on_which_somebody_was_there(asked: Any) -> None:
    answer, _ = asked("How many trips did I take in January 2023?")
    assert (answer.value, answer.text) == (1, "1")


def test_what_was_said_is_quoted_not_what_was_made_of_it(asked: Any) -> None:
    answer, _ = asked("Which Lloyds branch fired Jon?")
    assert (answer.channel, answer.evidence) == ("recalled", (2,))
    assert answer.text == "The log says: “I lost my job as a banker.” (Friday, January 20, 2023, Jon, entry 2)."
