"""What protects a person ends by the person's own words about it; a change that they do not carry waits for an answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from uac_nb.changes import Workspace, accept
from uac_nb.log import Entry
from uac_nb.model import FakeModel
from uac_nb.reading import Outcome, structure

DAY = "2024-05-01"
ALLERGIES = {
    "penicillin": {"title": "penicillin allergy", "avoid": ["penicillin"], "reaction": "hives", "severity": "severe"},
    "nuts": {"title": "nut allergy", "avoid": ["nuts", "walnuts"]},
    "cats": {"title": "cat allergy", "avoid": ["cats"]},
    "shellfish": {"title": "shellfish allergy", "avoid": ["shrimp", "crab"]},
    "leo-eggs": {"title": "egg allergy of Leo", "avoid": ["eggs"], "who": "leo"},
    "bees": {"title": "bee sting allergy", "avoid": ["bee venom"]},
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
    ("I'm allergic to walnuts only, not to other nuts.", amended("nuts", avoid=["walnuts"])),
    ("My metformin was raised to 1000 mg.", amended("metformin", title="metformin 1000 mg")),
    ("The penicillin reaction was only mild, it turned out.", amended("penicillin", severity="mild")),
    ("The allergist says crab is okay but shrimp is not.", amended("shellfish", avoid=["shrimp"])),
    ("I take the sertraline until 10 June and then that's it.", amended("sertraline", until="2024-06-10")),
    ("GP replaced ibuprofen with paracetamol.", stopped("ibuprofen")),
    ("The cardiologist cancelled my atorvastatin.", stopped("statin")),
    ("I'm cured of my shellfish allergy, it seems.", ended("shellfish")),
    ("Threw the Ventolin away, asthma cleared up.", stopped("ventolin")),
    ("The bee thing is over. I passed the sting test, no allergy any longer.", ended("bees")),
    ("I've given up on vitamin D, I get enough sun.", stopped("vitamin-d")),
]  # fmt: skip


def outcome(texts: Sequence[str] | str, change: dict[str, Any]) -> Outcome:
    """What a model comes to that says this of the last of some messages, in every round."""
    batch = [said(text, id) for id, text in enumerate([texts] if isinstance(texts, str) else texts, 2)]
    entries = {entry.id: entry for entry in (said("All of that.", 1), *batch)}
    last = {"source": [batch[-1].id], "fact": "It changed.", **change}
    skips = [{"change": "skip", "source": [entry.id], "reason": "repetition"} for entry in batch[:-1]]
    return structure(batch, KNOWN, FakeModel(lambda _: json.dumps({"changes": [last, *skips]})), entry_of=entries.get)


def taken(texts: Sequence[str] | str, change: dict[str, Any]) -> bool:
    return change["change"] in [c.change for c in outcome(texts, change).accepted]


def test_natural_endings_are_taken_without_a_question() -> None:
    waits = [texts for texts, change in ENDINGS if not taken(texts, change)]
    assert len(ENDINGS) == 40
    assert len(waits) <= 4, waits
