"""What protects a person ends by the person's own words about it; a change that they do not carry waits for an answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from uac_nb.changes import Workspace, accept
from uac_nb.log import Entry
from uac_nb.model import FakeModel
from uac_nb.reading import Outcome, structure

DAY = "2024-05-01"
ALLERGIES = {
    "penicillin": {"title": "penicillin allergy", "avoids": ["penicillin"], "reaction": "hives", "severity": "severe"},
    "nuts": {"title": "nut allergy", "avoids": ["nuts", "walnuts"]},
    "cats": {"title": "cat allergy", "avoids": ["cats"]},
    "shellfish": {"title": "shellfish allergy", "avoids": ["shrimp", "crab"]},
    "leo-eggs": {"title": "egg allergy of Leo", "avoids": ["eggs"], "who": "leo"},
    "bees": {"title": "bee sting allergy", "avoids": ["bee venom"]},
}
MEDICINES = {
    "metformin": {"title": "metformin 500 mg", "substance": "metformin"},
    "statin": {"title": "atorvastatin 20 mg", "substance": "atorvastatin"},
    "lipitor": {"title": "Zocor", "substance": "simvastatin", "status": "stopped"},
    "sertraline": {"title": "sertraline 50 mg", "substance": "sertraline"},
    "amoxicillin": {"title": "amoxicillin", "substance": "amoxicillin"},
    "ibuprofen": {"title": "ibuprofen", "substance": "ibuprofen"},
    "ventolin": {"title": "Ventolin inhaler", "substance": "salbutamol"},
    "vitamin-d": {"title": "vitamin D drops"},
    "prednisone": {"title": "prednisone", "substance": "prednisone"},
}
KNOWN = accept(
    [
        {"change": "add", "collection": "people", "id": "leo", "source": [1], "values": {"name": "Leo"}},
        *(
            {"change": "add", "collection": collection, "id": id, "source": [1], "values": values}
            for collection, records in (("allergies", ALLERGIES), ("medicines", MEDICINES))
            for id, values in records.items()
        ),
    ],
    Workspace(),
).workspace


def said(text: str, id: int = 2, role: str = "user", **more: Any) -> Entry:
    return Entry(id=id, text=text, role=role, recorded_at=datetime(2024, 5, 1, tzinfo=UTC), said_at=date(2024, 5, 1), **more)


def ended(id: str) -> dict[str, Any]:
    return {"change": "close", "id": id, "status": "ended"}


def stopped(id: str) -> dict[str, Any]:
    return {"change": "close", "id": id, "status": "stopped", "until": DAY}


def amended(id: str, **values: Any) -> dict[str, Any]:
    return {"change": "amend", "id": id, "set": values}


# Written before the mechanism.
ENDINGS: list[tuple[Sequence[str] | str, dict[str, Any]]] = [
    ("I was tested, I'm not allergic to nuts after all.", ended("nuts")),
    ("The doctor took me off metformin.", stopped("metformin")),
    ("I've stopped taking the statin.", stopped("statin")),
    ("Turns out the penicillin allergy was a mistake.", ended("penicillin")),
    ("Good news from the allergist: I can eat shrimp again.", ended("shellfish")),
    ("Leo has outgrown his egg allergy!", ended("leo-eggs")),
    ("Finished the amoxicillin this morning.", stopped("amoxicillin")),
    ("I'm done with the prednisone, finally.", stopped("prednisone")),
    ("No more sertraline for me.", stopped("sertraline")),
    ("Dr. Klein switched me from metformin to gliclazide.", stopped("metformin")),
    ("I don't need the inhaler any more.", stopped("ventolin")),
    ("Came off sertraline three weeks ago, feeling good.", stopped("sertraline")),
    ("My cat allergy seems to be gone, I slept at Mia's with two of them.", ended("cats")),
    ("I quit ibuprofen, it upset my stomach.", stopped("ibuprofen")),
    ("The skin test for penicillin came back negative, so I am not allergic.", ended("penicillin")),
    ("We've dropped the vitamin D, my levels are fine now.", stopped("vitamin-d")),
    ("Last day of prednisone today.", stopped("prednisone")),
    ("The desensitisation worked: bee stings are no longer a problem for me.", ended("bees")),
    ("I haven't taken metformin since January and my doctor agrees.", stopped("metformin")),
    ("Ventolin is off my list now.", stopped("ventolin")),
    (["I've been on sertraline for two years.", "The doctor says I can stop those now."], stopped("sertraline")),
    (["Still have some amoxicillin left.", "Actually the nurse told me to stop taking it."], stopped("amoxicillin")),
    ("About my nut allergy. It has gone away, says the clinic.", ended("nuts")),
    ("Leo can have eggs now, the provocation test was clean.", ended("leo-eggs")),
    ("They discontinued the atorvastatin because of the muscle pain.", stopped("statin")),
    ("I was never actually allergic to penicillin, my mother mixed it up.", ended("penicillin")),
    ("Weaned off the prednisone.", stopped("prednisone")),
    ("The course of amoxicillin is over.", stopped("amoxicillin")),
    ("Penicillin is fine for me, the hospital tested it last week.", ended("penicillin")),
    ("I'm allergic to walnuts only, not to other nuts.", amended("nuts", avoids=["walnuts"])),
    ("My metformin was raised to 1000 mg.", amended("metformin", title="metformin 1000 mg")),
    ("The penicillin reaction was only mild, it turned out.", amended("penicillin", severity="mild")),
    ("The allergist says crab is okay but shrimp is not.", amended("shellfish", avoids=["shrimp"])),
    ("I take the sertraline until 10 June and then that's it.", amended("sertraline", until="2024-06-10")),
    ("GP replaced ibuprofen with paracetamol.", stopped("ibuprofen")),
    ("The cardiologist cancelled my atorvastatin.", stopped("statin")),
    ("I'm cured of my shellfish allergy, it seems.", ended("shellfish")),
    ("Threw the Ventolin away, asthma cleared up.", stopped("ventolin")),
    ("The bee thing is over. I passed the sting test, no allergy any longer.", ended("bees")),
    ("I've given up on vitamin D, I get enough sun.", stopped("vitamin-d")),
]  # fmt: skip

# Written after it.
LATER: list[tuple[Sequence[str] | str, dict[str, Any]]] = [
    ("Had the last metformin pill on Friday, my sugar is normal.", stopped("metformin")),
    ("My immunologist ruled out the penicillin allergy.", ended("penicillin")),
    ("Turns out I can handle cats just fine these days.", ended("cats")),
    ("I ran out of amoxicillin and the course is complete.", stopped("amoxicillin")),
    ("Leo ate scrambled eggs without any reaction, the doctor says he's no longer allergic.", ended("leo-eggs")),
    ("Stopping prednisone was the best thing ever.", stopped("prednisone")),
    ("After the blood test they told me the nut allergy had been a false alarm.", ended("nuts")),
    ("My psychiatrist and I agreed to end the sertraline.", stopped("sertraline")),
    ("They swapped the atorvastatin for rosuvastatin.", stopped("statin")),
    ("I no longer use Ventolin.", stopped("ventolin")),
    ("Not on ibuprofen any longer.", stopped("ibuprofen")),
    ("Bees don't bother me anymore, three years of shots paid off.", ended("bees")),
    (["Back from the cardiologist about the atorvastatin.", "She took me off it."], stopped("statin")),
    ("I stopped my vitamin D.", stopped("vitamin-d")),
    ("Metformin's history!", stopped("metformin")),
    ("So I was misdiagnosed: no shellfish allergy.", ended("shellfish")),
    ("We tapered the prednisone down to zero.", stopped("prednisone")),
    ("The dermatologist says penicillin is safe for me.", ended("penicillin")),
    ("I'm down to 25 mg of sertraline.", amended("sertraline", title="sertraline 25 mg")),
    ("Skipping the amoxicillin from now on, doctor's orders.", stopped("amoxicillin")),
]
# Written when the twenty before had been mended.
LAST: list[tuple[Sequence[str] | str, dict[str, Any]]] = [
    ("My GP says I can come off the metformin as of today.", stopped("metformin")),
    ("The hives I had weren't from penicillin, the lab says I'm not allergic.", ended("penicillin")),
    ("Ate a handful of walnuts and nothing happened, so no nut allergy after all!", ended("nuts")),
    ("I've decided against taking ibuprofen from now on.", stopped("ibuprofen")),
    ("We've put an end to the prednisone.", stopped("prednisone")),
    ("Sertraline is out, therapy is in.", stopped("sertraline")),
    ("Doc told me I may eat crab and shrimp again.", ended("shellfish")),
    ("Leo isn't allergic to eggs any more.", ended("leo-eggs")),
    ("Yesterday was my final dose of amoxicillin.", stopped("amoxicillin")),
    ("My vitamin D drops are finished and I won't buy more.", stopped("vitamin-d")),
    ("No need for Ventolin now that I moved to the coast.", stopped("ventolin")),
    ("Cats are no problem for me these days.", ended("cats")),
    ("The pharmacist had me quit the atorvastatin.", stopped("statin")),
    (["Saw Dr. Klein about the prednisone.", "I'm finally off it!"], stopped("prednisone")),
    ("The penicillin label in my file was an error.", ended("penicillin")),
    ("I haven't needed sertraline since March.", stopped("sertraline")),
    ("Metformin got replaced by insulin.", stopped("metformin")),
    ("After immunotherapy I'm free of the bee allergy.", ended("bees")),
    ("Discontinuing ibuprofen per my nephrologist.", stopped("ibuprofen")),
    ("I am taking 1000 mg of metformin now instead of 500.", amended("metformin", title="metformin 1000 mg")),
]
# Words on the subject, or beside it, that end nothing.
NEUTRAL: list[tuple[Sequence[str] | str, dict[str, Any]]] = [
    ("It was nice weather today.", ended("penicillin")),
    ("Reminder: I'm allergic to penicillin!", ended("penicillin")),
    ("I can't have nuts.", ended("nuts")),
    ("Told the nurse about my penicillin allergy, she was off duty soon.", ended("cats")),
    ("Should I stop the metformin?", stopped("metformin")),
    ("I still take sertraline, I can't stop.", stopped("sertraline")),
    ("Penicillin is not safe for me.", ended("penicillin")),
    ("It is later than I thought, and the film is over.", ended("cats")),
    ("The mail said “you are no longer allergic to penicillin”.", ended("penicillin")),
    ("Bought metformin at the pharmacy.", stopped("metformin")),
    ("Das Wetter war schön, die Penicillin-Tabletten sind bunt.", ended("penicillin")),
    (["I take metformin and sertraline.", "The doctor says I can stop those now."], stopped("ibuprofen")),
    (["My cat allergy is bad today.", "It was nice weather, and then it stopped raining."], ended("cats")),
    ("The line at the bakery was over.", stopped("sertraline")),
    ("I stopped taking photos.", stopped("metformin")),
    ("Ate eggs with cheese, no more hunger.", amended("penicillin", avoids=["eggs"])),
    ("I bought a penicillin test.", amended("penicillin", severity="mild")),
    ("My metformin box is red.", amended("metformin", title="sugar box")),
    ("We finished the walnut table.", ended("penicillin")),
    ("I'm off to Rome with the Penicillins, my band.", amended("penicillin", who="leo")),
]  # fmt: skip


def outcome(texts: Sequence[str] | str, change: dict[str, Any], known: Workspace = KNOWN) -> Outcome:
    """What a model comes to that says this of the last of some messages, in every round."""
    batch = [said(text, id) for id, text in enumerate([texts] if isinstance(texts, str) else texts, 2)]
    entries = {entry.id: entry for entry in (said("All of that.", 1), *batch)}
    last = {"source": [batch[-1].id], "fact": "It changed.", **change}
    skips = [{"change": "skip", "source": [entry.id], "reason": "repetition"} for entry in batch[:-1]]
    return structure(batch, known, FakeModel(lambda _: json.dumps({"changes": [last, *skips]})), entry_of=entries.get)


def taken(texts: Sequence[str] | str, change: dict[str, Any], known: Workspace = KNOWN) -> bool:
    return change["change"] in [c.change for c in outcome(texts, change, known).accepted]


# Endings in many voices, and sentences that end nothing: each set was written without a look at what the one before came to,
# run once (its figure is told there), and mended for.
SPOKEN = json.loads((Path(__file__).parent / "spoken.json").read_text(encoding="utf-8"))


def knows(spoken: dict[str, Any]) -> Workspace:
    """A memory of what a set speaks of."""
    people = [{"change": "add", "collection": "people", "id": name, "source": [1], "values": {"name": name.title()}}
              for name in ("mia", "tom", "ana", "ben", "eva")]  # fmt: skip
    records = [(name, spoken[name]) for name in ("allergies", "medicines")]
    adds = [
        {"change": "add", "collection": collection, "id": id, "source": [1], "values": values}
        for collection, known in records
        for id, values in known.items()
    ]
    done = accept([*people, *adds], Workspace())
    assert not done.refused
    return done.workspace


@pytest.mark.parametrize("spoken", SPOKEN, ids=lambda _: "set")
def test_endings_in_many_voices_are_taken_and_nothing_else_is(spoken: dict[str, Any]) -> None:
    known = knows(spoken)
    waits = [texts for texts, change in spoken["endings"] if not taken(texts, change, known)]
    assert len(spoken["endings"]) == 40
    assert len(waits) <= 5, waits  # one set has typing slips and idioms; the others leave four at most
    assert [texts for texts, change in spoken["neutral"] if taken(texts, change, known)] == []


# What affirms a record, or only speaks of its end: the sentences that a steered model would cite for it.
AFFIRMED = json.loads((Path(__file__).parent / "affirmed.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("id", AFFIRMED)
def test_what_affirms_a_record_does_not_end_it(id: str) -> None:
    change = stopped(id) if id in MEDICINES else ended(id)
    assert [text for text in AFFIRMED[id] if taken(text, change)] == []
    assert not taken("My penicillin allergy has not ended, whatever Leo says.", amended("penicillin", who="leo"))


FEED = [
    ("Bought metformin at the pharmacy.", amended("metformin", who="leo")),
    ("Reminder: nuts are dangerous.", amended("nuts", who="leo")),
    ("Bought metformin at the pharmacy.", amended("metformin", title="metformin 5000 mg")),
    ("Bought metformin at the pharmacy.", amended("metformin", dose="900 mg")),
    ("Bought metformin at the pharmacy.", amended("metformin", since="2031-01-01")),
    ("Bought metformin at the pharmacy.", amended("metformin", supply_until="2031-01-01")),
    ("Bought metformin at the pharmacy.", amended("metformin", substance="water")),
    ("Bought metformin at the pharmacy.", amended("metformin", title="tea")),
]


@pytest.mark.parametrize(("text", "change"), FEED, ids=lambda case: str(case)[:60])
def test_whose_it_is_and_its_figures_and_days_have_to_be_said(text: str, change: dict[str, Any]) -> None:
    assert not taken(text, change)


def test_natural_endings_are_taken_without_a_question() -> None:
    waits = [texts for texts, change in ENDINGS if not taken(texts, change)]
    assert len(ENDINGS) == 40
    assert len(waits) <= 4, waits


def test_others_that_were_written_later_are_taken_too() -> None:
    waits = [texts for texts, change in LATER if not taken(texts, change)]
    assert len(LATER) == 20
    assert len(waits) <= 2, waits


def test_and_those_that_were_written_last() -> None:
    waits = [texts for texts, change in LAST if not taken(texts, change)]
    assert len(LAST) == 20
    assert len(waits) <= 3, waits


@pytest.mark.parametrize(("texts", "change"), NEUTRAL, ids=lambda case: str(case)[:40])
def test_words_that_end_nothing_leave_a_question(texts: Sequence[str] | str, change: dict[str, Any]) -> None:
    found = outcome(texts, change)
    assert found.workspace.files() == KNOWN.files()
    assert [c.change for c in found.accepted] == ["propose", *("skip" for _ in texts[1:] if not isinstance(texts, str))]
