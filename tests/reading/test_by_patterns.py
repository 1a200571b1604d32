"""The pattern reader: the table proves itself, faults that were found stay mended, and what is not read is said so."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.changes import Workspace, accept, dump
from uac_nb.errors import CheckError
from uac_nb.reading.by_patterns import Frame, Reading, changes_of, merged, own_table, parse, read
from uac_nb.reading.by_patterns.kinds import KINDS, starter_type
from uac_nb.reading.by_patterns.reading import EXAMPLE_DAY

DAY = date(2026, 6, 10)  # a Wednesday
TABLE = own_table()
EXAMPLES = [(frame, example) for frame in TABLE.frames for example in frame.reads]


def reading(text: str, day: date = EXAMPLE_DAY) -> Reading:
    return read(text, day, TABLE)


def states(text: str, day: date = EXAMPLE_DAY) -> list[tuple[str, bool]]:
    return [(statement.type.name, statement.ends) for statement in reading(text, day).statements]


@dataclass
class Entry:
    id: int
    text: str
    role: str = "user"
    speaker: str = ""
    day: date = DAY


def told(*texts: str, role: str = "user", speaker: str = "", workspace: Workspace | None = None) -> list[dict[str, Any]]:
    entries = [Entry(number, text, role, speaker) for number, text in enumerate(texts, 7)]
    return [dump(change) for change in changes_of(entries, workspace or Workspace())]


# --- the table ---


@pytest.mark.parametrize(("frame", "example"), EXAMPLES, ids=[example for _, example in EXAMPLES])
def test_an_example_is_read_whole_as_its_type(frame: Frame, example: str) -> None:
    found = reading(example)
    assert found.left == ()
    assert frame.type in [statement.type.name for statement in found.statements]


@pytest.mark.parametrize("frame", TABLE.frames, ids=[frame.never[0] for frame in TABLE.frames])
def test_a_counterexample_is_not_read_as_its_type(frame: Frame) -> None:
    for example in frame.never:
        assert (frame.type, False) not in states(example)


def test_every_kind_names_fields_of_its_type() -> None:
    for name, kind in KINDS.items():
        collection, type_ = starter_type(name) or ("", None)
        assert type_ is not None
        assert collection == kind.collection
        named = {*kind.same, *kind.one, *kind.spans.values(), *kind.tails.values(), kind.day, kind.last} - {""}
        assert named <= type_.by_name.keys()


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("Trip: {who} fly\n    + I fly.\n    - No.", "lacks examples"),
        ("Trip: {who} fly\n    + I fly.\n    + I flew.", "lacks examples"),
        ("Trip: {who} fly to {to: plaice}\n    + a\n    + b\n    - c", "'plaice' is no kind of slot"),
        ("Trip: {who} FLYING\n    + a\n    + b\n    - c", "FLYING is no list of words"),
        ("Trip: {who} {to: thing}\n    + a\n    + b\n    - c", "needs a word of its own"),
        ("fly to Rome", "is no frame"),
    ],
)
def test_a_row_that_is_no_frame_is_refused(text: str, finding: str) -> None:
    frames, findings = parse(text)
    assert frames == ()
    assert [finding in str(one) for one in findings] == [True]


def test_a_row_that_stands_in_both_texts_is_the_new_one() -> None:
    old, new = "Trip: {who} fly\n    + a\n    + b\n    - c\n", "Trip: {who} fly\n    + d\n    + e\n    - f\n"
    assert merged(old, new) == new
    assert merged(old, "") == old


# --- faults whose kind has to go ---

FAULTS = [
    ("I'm allergic to aspirin + penicillin", [("avoids", ("aspirin",)), ("avoids", ("penicillin",))], True),
    ("Save Mia's address: 12 Elm Street, Graz", [("value", "12 Elm Street, Graz")], True),
    ("Could you note that the plumber comes on Friday?", [("title", "plumber")], True),
    ("I'm not allergic to cats, whatever my aunt says", [("avoids", ("cats",))], False),
    ("ordered a laptop, arrives Wednesday", [("bought", "../2026-03-15")], False),
    ("I've been to Japan twice, in 2015 and 2019", [("departs", "2015"), ("departs", "2019")], True),
    ("I've been to Japan three times, in 2015 and 2019", [("departs", "2015"), ("departs", "2019")], False),
    ("A meeting with the bank on Monday", [("title", "meeting with the bank")], True),
    ("I take cetirizine 5 mg every Monday", [("dose", "5 mg every monday")], True),
    ("I'm allergic to shellfish, worse luck.", [("avoids", ("shellfish",))], True),
    ("I'm allergic to nuts x shellfish", [], False),
    ("I have taken ten milligrams of escitalopram each evening.", [], False),
    ("Haircut Sat 10:15.", [("on", "2026-03-21")], True),
    ("I've an appointment with the optician on Tuesday fortnight.", [("on", "2026-03-31")], True),
    ("My best friend Jake is getting married on October 26!", [], False),
    ("I was in Paris yesterday.", [("there_on", "2026-03-14")], True),
    ("I went to IKEA yesterday.", [], False),
    ("We had a smashing time in the Lakes over Easter.", [], False),
    ("The baby is due in June.", [], False),
    ("The news gives me a headache.", [], False),
    ("Buy milk for 3 euros.", [], False),
    ("I moved to York on 3 May 2062.", [], False),
]


@pytest.mark.parametrize(("text", "values", "whole"), FAULTS, ids=[text for text, *_ in FAULTS])
def test_a_fault_that_was_found_stays_mended(text: str, values: Sequence[tuple[str, Any]], whole: bool) -> None:
    found = reading(text)
    shown = [(name, statement.values[name]) for statement, (name, _) in zip(found.statements, values, strict=True)]
    assert [(name, value if isinstance(value, tuple) else str(value)) for name, value in shown] == list(values)
    assert (found.left == ()) is whole


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("What is my dog called?", "question"), ("Thanks so much!", "thanks"), ("Good morning", "greeting"),
        ("That's lovely", "small talk"), ("So am I.", ""), ("Me too!", ""), ("The light this morning was something else.", ""),
        ("I sold my car.", ""), ("Did you know that I'm allergic to nuts?", ""),
    ],
)  # fmt: skip
def test_what_need_not_be_kept(text: str, why: str) -> None:
    found = reading(text)
    assert (found.statements, found.aside) == ((), why)


@pytest.mark.parametrize(
    "text",
    [
        "I'm thinking of going to Peru.", "I might buy a new laptop next month.", "If I were allergic to dairy I'd be sad.",
        "My sister thinks I'm allergic to cats.", "I was allergic to eggs as a child.", "I used to live in Rome.",
        "I'm allergic to nothing.", "I'm allergic to nuts or maybe eggs.", "Let's meet Dana on Friday.", "I can fly on Monday.",
        "I wanted to buy a lamp on Monday, but the shop was shut.", "I nearly bought a lamp for 30 euros.",
        'Tom said "I live in Vienna".', "Tom: I live in Vienna.",
    ],
)  # fmt: skip
def test_what_is_not_said_to_be_so_states_nothing(text: str) -> None:
    assert states(text) == []


def test_the_known_sentences(shared: Path) -> None:
    """None of them may be read wrong; their types are named here as ours are."""
    kinds = {
        "allergy": "Allergy", "medication": "Medicine", "trip": "Trip", "purchase": "Purchase", "appointment": "Commitment",
        "birthday": "Birthday", "preference": "Favourite", "residence": "Residence", "contact": "Contact",
    }  # fmt: skip
    for line in (shared / "sentences" / "sentences.jsonl").read_text().splitlines():
        case = json.loads(line)
        expected = [(kinds[gold["kind"]], gold["polarity"] == "retract") for gold in case["gold"]]
        assert states(case["text"], date.fromisoformat(case["now"][:10])) == expected, case["text"]


def test_joined_examples_never_stop_it() -> None:
    chance = random.Random(1)
    texts = [example for frame in TABLE.frames for example in (*frame.reads, *frame.never)]
    joints = (" ", "; ", ", ", " and ", ". ", " but ", " (", ": ", "\n")
    workspace = Workspace()
    for _ in range(1500):
        text = chance.choice(joints).join(chance.choice(texts) for _ in range(chance.choice((2, 3))))
        changes_of([Entry(1, text)], workspace)


@pytest.mark.parametrize(
    "unit", ["(a ", "I have a meeting with the bank on 3 May and ", "I'm allergic to nuts, ", "1/2 ", '"', "'s "]
)
def test_a_message_of_fifty_thousand_characters_is_read_to_its_end(unit: str) -> None:
    for change in told((unit * 50_000)[:50_000]):
        assert len(change.get("fact") or "") < 2_000


# --- from statements to changes ---


def test_an_addition_is_whole() -> None:
    assert told("I'm severely allergic to penicillin: it gave me hives.") == [
        {
            "change": "add",
            "id": "penicillin",
            "collection": "allergies",
            "values": {
                "title": "penicillin allergy",
                "avoids": ["penicillin"],
                "severity": "severe",
                "reaction": "hives",
                "quote": "I'm severely allergic to penicillin: it gave me hives.",
            },
            "fact": "The user is severely allergic to penicillin (hives).",
            "source": [7],
        }
    ]


@pytest.mark.parametrize(
    ("text", "collection", "id", "values", "fact"),
    [
        (
            "Flying to Lisbon on 10 July with Ana, back on the 17th.", "trips", "lisbon-2026-07",
            {"title": "trip to Lisbon", "to": "Lisbon", "country": "PT", "departs": "2026-07-10", "returns": "2026-07-17",
             "status": "booked", "others": ["Ana"]},
            "The user is travelling to Lisbon on Friday, July 10, 2026, back on Friday, July 17, 2026 with Ana.",
        ),
        (
            "I paid 45 euros for running shoes yesterday.", "purchases", "running-shoes-2026-06",
            {"title": "running shoes", "price": {"amount": "45", "currency": "EUR"}, "bought": "2026-06-09"},
            "The user bought: running shoes for €45 on Tuesday, June 9, 2026.",
        ),
        (
            "I started metformin 500mg twice a day last Thursday.", "medicines", "metformin",
            {"title": "metformin 500 mg", "substance": "metformin", "dose": "500 mg twice a day", "since": "2026-06-04"},
            "The user takes metformin, 500 mg twice a day since Thursday, June 4, 2026.",
        ),
        (
            "I have a dentist appointment on Tuesday at 3pm.", "commitments", "dentist-appointment-2026-06-16",
            {"title": "dentist appointment", "on": "2026-06-16", "starts": "15:00", "status": "agreed"},
            "The user has a dentist appointment on Tuesday, June 16, 2026 at 15:00.",
        ),
        (
            "My mom's birthday is July 5.", "birthdays", "my-mother-birthday", {"name": "my mother", "on": "--07-05"},
            "The user's mother's birthday is on July 5.",
        ),
        (
            "Dr. Chen's phone number is +1 415 555 0132.", "contacts", "dr-chen-phone",
            {"name": "Dr. Chen", "kind": "phone", "value": "+14155550132"}, "Dr. Chen's phone is +14155550132.",
        ),
        (
            "I can't stand cilantro.", "favourites", "cilantro", {"what": "cilantro", "stance": "dislike"},
            "The user dislikes cilantro.",
        ),
        (
            "I live in Austin, Texas.", "residences", "austin-texas-home", {"place": "Austin, Texas", "country": "US"},
            "The user lives in Austin, Texas.",
        ),
        (
            "My Irish passport expires in 2027.", "passports", "irish-passport",
            {"title": "Irish passport", "country": "IE", "expires": "2027"}, "The user's Irish passport expires in 2027.",
        ),
        (
            "I have to file my taxes by July 15.", "deadlines", "file-my-taxes-deadline",
            {"title": "file my taxes", "due": "2026-07-15", "quote": "I have to file my taxes by July 15."},
            "The user's deadline: file my taxes, due on Wednesday, July 15, 2026.",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and value.islower() else "",
)  # fmt: skip
def test_what_is_stated_becomes_a_record(text: str, collection: str, id: str, values: Mapping[str, Any], fact: str) -> None:
    (change,) = told(text)
    change.pop("why", None)
    assert change == {"change": "add", "id": id, "collection": collection, "values": values, "fact": fact, "source": [7]}


def test_a_doubtful_day_is_kept_with_the_words() -> None:
    (change,) = told("Dinner with Ana on Saturday, June 19 at 7pm.")
    assert change["values"]["doubt"] == "said Saturday, but June 19, 2026 is a Friday"
    assert change["values"]["quote"] == "Dinner with Ana on Saturday, June 19 at 7pm."


def test_others_are_people_of_their_own() -> None:
    person, allergy, home = told("My sister Anna is allergic to cats.", "Anna lives in Graz.")
    assert (person["collection"], person["id"]) == ("people", "anna")
    assert person["values"] == {"name": "Anna", "relation": "sister"}
    assert allergy["values"]["who"] == home["values"]["who"] == "anna"


def test_what_another_person_says_of_themselves_is_about_them() -> None:
    gina, visit, brother, home = told("I've been to Rome in 2019.", "My brother lives in Oslo.", role="person", speaker="Gina")
    assert gina["id"] == "gina"
    assert (visit["values"]["who"], visit["fact"]) == ("gina", "Gina travelled to Rome in 2019.")
    assert brother["values"] == {"name": "Gina's brother"}
    assert home["values"]["who"] == "gina-brother"


def test_the_assistant_states_nothing() -> None:
    assert told("You live in Rome. I'm allergic to nuts.", role="assistant") == [
        {"change": "skip", "source": [7], "reason": "not about the user"}
    ]


def after(*texts: str) -> Workspace:
    """Return the project that these messages make, each said a day after the other."""
    workspace = Workspace()
    for number, text in enumerate(texts, 1):
        changes = changes_of([Entry(number, text, day=DAY + timedelta(number))], workspace)
        workspace = accept(map(dump, changes), workspace, text_of=dict(enumerate(texts, 1)).get).workspace
    return workspace


@pytest.mark.parametrize(
    ("texts", "prices"),
    [
        (("I spent £20 on petrol.", "I spent £20 on petrol.", "I spent £30 on petrol."), ["20", "20", "30"]),
        (("I bought a kettle for £30.", "I returned the kettle.", "I bought a kettle for £45."), ["30", "45"]),
        (("I bought a bike for £300 on 5 June.", "I bought a bike for £300."), ["300"]),
    ],
)
def test_what_is_bought_on_several_days_is_several_things(texts: tuple[str, ...], prices: list[str]) -> None:
    assert [str(bought.price.amount) for bought in after(*texts).records("purchases")] == prices


@pytest.mark.parametrize(
    ("texts", "collection", "ends"),
    [
        (("I live in Graz.", "I moved to Lisbon in May."), "residences", {"graz-home": "2026-05", "lisbon-home": None}),
        (("I take lisinopril 10 mg.", "I stopped taking lisinopril on Monday."), "medicines", {"lisinopril": "2026-06-08"}),
        (
            ("I take lisinopril 10 mg.", "I take lisinopril 20 mg."), "medicines",
            {"lisinopril": "../2026-06-12", "lisinopril-2": None},
        ),
        (("I like olives.", "I hate olives."), "favourites", {"olives": "../2026-06-12", "olives-2": None}),
        (("I like olives.", "I like olives."), "favourites", {"olives": None}),
    ],
)  # fmt: skip
def test_what_ends_the_old(texts: tuple[str, ...], collection: str, ends: Mapping[str, str | None]) -> None:
    records = after(*texts).records(collection)
    assert {r.id: r.until.text if r.until else None for r in records} == ends


def test_a_new_number_ends_the_old() -> None:
    contacts = after("Sam's number is 555 111 2222.", "Sam's new number is 555 333 4444.").records("contacts")
    assert [(c.value, c.status) for c in contacts] == [("5551112222", "ended"), ("5553334444", "current")]


def test_nuts_are_no_peanuts_and_one_person_is_not_another() -> None:
    for text in ("I'm allergic to peanuts.", "Tom is allergic to nuts."):
        workspace = after(text, "I'm not allergic to nuts.")
        assert [a.status for a in workspace.records("allergies")] == ["current"]
        assert [note.text for note in workspace.records("notes")] == ["The user is not allergic to nuts."]


def test_a_new_id_beside_one_that_is_taken() -> None:
    workspace = after("I like penicillin.", "I'm allergic to penicillin.")
    assert [a.id for a in workspace.records("allergies")] == ["penicillin-2"]


# --- read whole, in part, or not at all ---

# What the last message changes, as "change id field=value", and "unclear" where something else in it was not read.
WHOLE: Mapping[tuple[str, ...], list[str]] = {
    # beside what is read stands what is not
    ("I'm allergic to wool and, on top of that, to nickel.",): ["add wool", "unclear"],
    ("I fly to Paris on July 3 with Tom, who is back on July 5.",): ["add paris-2026-07 returns=None", "unclear"],
    ("I ran 5 km on May 3.", "I ran 8 km on May 3."): ["add running-2026-05-03-2 metres=8000"],
    ("I had lunch at Nopi on May 3.", "I had lunch at Kin on May 3."): ["add lunch-2026-05-03-2 place=Kin"],
    ("I fly to Paris on July 3, my sister returns on July 9.",): ["add paris-2026-07 returns=None", "unclear"],
    ("I'm allergic to latex, and I paid Dr. Lee 80 euros for the test.",): ["add latex", "unclear"],
    ("I moved to Graz in May and met Olga on 1 June.",): ["add graz-home since=2026-05", "add meeting-with-olga-2026-06-01"],
    ("My brother Tom lives in Oslo and sings in a choir.",): ["add tom", "add oslo-home-tom", "unclear"],
    ("I take 10 mg of lisinopril and my pressure was 135 yesterday.",): ["add lisinopril dose=10", "unclear"],
    ("I'm alergic to crab and Jo is allergic to cats.",): ["add jo", "add cats-jo who=jo", "unclear"],
    ("We're moving to Bergen in August! The cat has to get used to rain.",): ["add bergen-home since=2026-08", "unclear"],
    ("Physio on Monday at 9. Also: I need new insoles.",): ["add physio-2026-06-15", "unclear"],
    ("I'm allergic to latex. My brother is a keen sailor.",): ["add latex", "unclear"],
    ("Ola can't eat gluten and I'm allergic to kiwi.",): ["add kiwi who=None", "unclear"],
    ("Started lisinopril 10 mg today, the doctor also wants me to cycle.",): ["add lisinopril since=2026-06-10", "unclear"],
    ('I moved to Graz in May. Tom said "I live in Vienna and I love it".',): ["add graz-home", "unclear"],
    ("The note says: I take 5 mg of zoldanide. I'm allergic to nuts.",): ["add nuts", "unclear"],
    ("Bought a drill for 80 euros yesterday and sold the old one for 20 euros.",): ["add drill-2026-06 price=80", "unclear"],
    ("I bought a table for 250 euros on Monday and two lamps for 60 euros yesterday.",): [
        "add table-2026-06 price=250", "unclear",
    ],
    ("I'm flying to Porto on 3 July and the hotel costs 400 euros.",): ["add porto-2026-07", "unclear"],
    ("I fly to Geneva on 3 July at 9:40.",): ["add geneva-2026-07", "unclear"],
    ("Flying to Athens on Friday, then taking the ferry to Naxos on Sunday.",): ["add athens-2026-06 returns=None", "unclear"],
    ("We're flying to Tel Aviv for Passover.",): ["add tel-aviv departs=None", "unclear"],
    ("I'm going to Bath for the Easter weekend.",): ["add bath departs=None", "unclear"],
    ("Drinks with Ida on Friday from seven to nine.",): ["add drinks-with-ida-2026-06-12 starts=None", "unclear"],
    ("Dinner with Ana on Saturday, and she's bringing Karl.",): ["add dinner-with-ana-2026-06-13", "unclear"],
    ("I'm allergic to latex. My visa was approved on 3 May by Mr. Okoro.",): ["add latex", "unclear"],
    ("I returned the boots and bought a hat for $20.",): [],
    # what was not read may take back, or put right, what was
    ("I was prescribed amoxicillin 500 mg but I did not take it.",): [],
    ("I was prescribed amoxicillin 500 mg. Never took it.",): [],
    ("I take metformin 500 mg, though the doctor wants me off.",): ["add metformin", "unclear"],
    ("Flying to Rome on 3 July. The flight was cancelled.",): [],
    ("I moved to Graz in May. That was a joke.",): ["add graz-home", "unclear"],
    ("I leave for Oslo on 3 July. I reserved us somewhere for the 24th. Actually, no: the 22nd.",): [
        "add oslo-2026-07", "unclear",
    ],
    ("I leave for Oslo on 3 July. I reserved us somewhere for the 24th.", "Actually, the 22nd."): [],
    ("My son's wedding is on 22 August, and I'm flying to Oslo on the 20th.",): [
        "add son", "add wedding-2026-08-22-son who=son", "add oslo departs=None", "unclear",
    ],
    # talk, reasons, people spoken to, and what is taken back are no loss
    ("I live in Leeds and I love it.",): ["add leeds-home place=Leeds"],
    ("Hey Gina! I'm allergic to latex. That's so cool, Jon!",): ["add latex"],
    ("I love camping, because nature brings such peace and serenity.",): ["add camping what=camping"],
    ("I'm flying to Munich on the 13th, not the 12th.",): ["add munich-2026-06 departs=2026-06-13"],
    ("Flying to Rome on July 12 -- sorry, I meant July 14.",): ["add rome-2026-07 departs=2026-07-14"],
    ("Sam's email is sam@x.org and not sam8@x.org.",): ["add sam-email value=sam@x.org"],
    ("I bought a jacket for 80 euros and can return it within 14 days.",): ["add jacket return_days=14"],
    # two facts, each with its own person, day, dose and price
    ("Physio on Monday at 9 and dentist on Tuesday at 11.",): [
        "add physio-2026-06-15 starts=09:00", "add dentist-2026-06-16 starts=11:00",
    ],
    ("I moved to Graz in May and started at Siemens on 1 June.",): ["add graz-home", "add siemens-job since=2026-06-01"],
    ("There's a fair in Graz, and a workshop in Linz from 8 to 12 July with a talk on the 10th.",): [],
    ("There's a workshop in Linz from 8 to 12 July, I have to give a talk on the 10th at 14:00.",): [
        "add workshop-2026-07-08 until=2026-07-12 place=Linz", "add talk-2026-07-10 starts=14:00",
    ],
    # what changes an open record
    ("I take metformin 500 mg.", "I don't take metformin."): ["close metformin status=stopped"],
    ("I was prescribed metformin 500 mg.", "I take metformin."): ["amend metformin status=taking"],
    ("I take metformin 500 mg.", "I was prescribed metformin 500 mg."): ["confirm metformin"],
    ("Workshop in Linz from 6 to 8 July.", "The workshop was moved to 15 July."): [
        "amend workshop-2026-07-06 on=2026-07-15 until=2026-07-17 doubt=whether",
    ],
    ("Dinner with Mia on Friday at 19:00.", "The dinner with Mia is moved to Saturday."): [
        "amend dinner-with-mia-2026-06-12 on=2026-06-13 doubt=whether",
    ],
    ("Flying to Crete on 11 July, back on the 25th.", "Correction: we come back on 24 July."): [
        "amend crete-2026-07 returns=2026-07-24",
    ],
    ("I started metformin on May 3.", "No, wait, scratch that. May 5, not May 3."): ["amend metformin since=2026-05-05"],
    ("I bought a desk for 1 190 NOK.", "Correction: the desk was 1 090, not 1 190."): ["amend desk price=1090"],
    ("I bought a tent for 900 kr.",): [],
    ("I live in Oslo.", "I bought a tent (2 499 kr) and a mat (399 kr) at XXL yesterday."): [
        "add tent price=None", "unclear",
    ],
    ("Dentist on the 17th.", "Actually, the dentist is on the 18th."): ["amend dentist-2026-06-17 on=2026-06-18"],
    ("Dentist on the 17th.", "No, wait, the dentist is on the 18th."): ["amend dentist-2026-06-17 on=2026-06-18"],
    ("Dentist on the 17th at 3pm.", "The dentist moved to Friday."): ["amend dentist-2026-06-17 on=2026-06-12 doubt=whether"],
    ("Dentist on the 17th.", "The dentist is now on the 18th."): ["amend dentist-2026-06-17 on=2026-06-18"],
    ("Dentist on the 17th.", "I also have a dentist appointment on the 18th."): ["add dentist-appointment-2026-06-18"],
    ("Dentist on Monday.", "Dentist on Friday.", "The dentist has been moved to the 25th."): [],
    ("Dinner with Ana on Saturday.", "No wait, it's on Sunday."): ["amend dinner-with-ana-2026-06-13 on=2026-06-14"],
    ("Dinner with Ana on Friday at 7pm.", "Correction: 8pm."): ["amend dinner-with-ana-2026-06-12 starts=20:00"],
    ("Flying to Oslo on 4 July.", "Actually, I'm flying to Oslo on 5 July."): ["amend oslo-2026-07 departs=2026-07-05"],
    ("Flying to Oslo on 4 July, back on the 9th.", "Sorry, I meant the 10th."): [],
    ("Flying to Oslo on 4 July, back on the 9th.", "Actually, I'm flying to Oslo on 14 July."): [],
    ("I bought a sofa for 700 euros.", "Actually, the sofa cost 650 euros."): ["amend sofa price=650"],
    ("I bought a coat for 90 euros.", "Sorry, it was 95 euros."): ["amend coat price=95"],
    ("Actually, the sofa cost 650 euros.",): [],
    ("Dinner with Ana on Friday.", "The cat was sick on Sunday.", "Sorry, I meant Saturday."): [],
    # what closes one: the one that it can mean, else none
    ("Flying to Rome on 3 July.", "Rome is off."): ["close rome-2026-07 status=cancelled"],
    ("Flying to Rome on 3 July.", "I cancelled the trip."): ["close rome-2026-07 status=cancelled"],
    ("Flying to Rome on 3 July.", "The Rome trip fell through."): ["close rome-2026-07 status=cancelled"],
    ("Flying to Rome on 3 July.", "We're not going to Rome after all."): ["close rome-2026-07 status=cancelled"],
    ("Flying to Rome on 3 July.", "The trip insurance was cancelled."): [],
    ("Flying to Rome on 3 July.", "Flying to Oslo on 9 July.", "We had to cancel the trip."): [],
    ("Flying to Rome on 3 July.", "Flying to Rome on 9 August.", "Rome is cancelled."): [],
    ("Madrid is off.",): [],
    ("Dentist on 3 July.", "Haircut on 4 July.", "The appointment was cancelled."): [],
    ("Dinner with Mia on Friday.", "Dinner with Mia is off."): ["close dinner-with-mia-2026-06-12 status=cancelled"],
    # whose it is
    ("I had coffee with Ben, who is allergic to nuts.",): ["add ben", "add nuts-ben who=ben"],
    ("I share a flat with my cousin Ida, who takes warfarin 3 mg daily.",): ["add ida", "add warfarin-ida who=ida"],
    ("I live in Leeds with Ben, who works at Tesco.",): ["add leeds-home who=None", "add ben", "add tesco-job-ben who=ben"],
    ("I live with Ben, who works at Tesco, and take warfarin 3 mg.",): ["add ben", "add tesco-job-ben", "unclear"],
    ("My sister Ida, who is allergic to eggs, lives in Oslo.",): ["add ida", "add eggs-ida", "add oslo-home-ida who=ida"],
    ("I met my aunt in Paris, who moved to Lyon in May.",): [],
    ("I have a friend that is allergic to nuts.",): [],
    ("I have a friend whose son takes insulin 5 units.",): [],
    ("Ben, who I live with, is allergic to nuts.",): [],
    ("The friend I live with is allergic to nuts.",): [],
    ("Everyone I know takes ibuprofen.",): [],
    ("My sister saw Dr. Patel, who prescribed amoxicillin 500 mg.",): [],
    ("My sister's husband is allergic to nuts.",): [],
    ("My friend's landlord takes warfarin 3 mg daily.",): [],
    ("My sister's husband's nut allergy is severe.",): [],
    ("My sister's a nurse.",): ["add sister", "add nurse-job-sister who=sister"],
    ("Ben's brother moved to Oslo and started metformin 500 mg.",): [],
    ("Ben's flight to Rome is on 3 July.",): [],
    ("My mum's rent is £500 a month.",): [],
    ("My sister got a US visa, it was approved.",): [],
    ("My sister's thesis is due on 3 July.",): [],
    ("Ben's exam is on 3 July at 9am.",): ["add ben", "add exam-2026-07-03-ben who=ben"],
    ("My daughter's surgery is on 3 July.",): ["add daughter", "add surgery-2026-07-03-daughter who=daughter"],
    ("My sister's husband's surgery is on 3 July.",): [],
    ("Her exam is on 3 July.",): [],
    ("Ben's exam is on 3 July.", "My exam is on 3 July."): ["add exam-2026-07-03 who=None"],
    ("Ben's exam is on 3 July.", "The exam was cancelled."): ["close exam-2026-07-03-ben status=cancelled"],
    ("My sister Ida lives in Oslo.", "My colleague Ida lives in Hull."): [],
    ("Sarah: I'm allergic to nuts",): [],
    ("Tom: My number is 07700 900123.",): [],
    ("12/03/2026, 09:12 - Tom: I'm allergic to nuts",): [],
    ("<Tom> I'm allergic to nuts",): [],
    ("Update: I'm allergic to nuts",): ["add nuts who=None"],
    # what is so of one is so of another
    ("My sister is allergic to nuts and so am I.",): ["add sister", "add nuts-sister", "unclear"],
    ("Ida is allergic to nuts. Me too!",): ["add ida", "add nuts-ida", "unclear"],
    ("Ida works at Tesco, and I do as well.",): ["add ida", "add tesco-job-ida", "unclear"],
    ("Ida loves opera and I hate it.",): ["add ida", "add opera-ida", "unclear"],
    ("Ida flies to Rome on 3 July and I'm coming.",): ["add ida", "add rome-2026-07-ida", "unclear"],
    ("My sister isn't allergic to nuts, I am.",): ["note no-nuts", "unclear"],
    ("Neither I nor my sister is allergic to nuts.",): ["note no-nuts", "unclear"],
    ("I'm allergic to nuts and my sister is too.",): ["add nuts", "unclear"],
    ("My brother and I live in Leeds.",): ["add leeds-home", "unclear"],
    ("Ida and I live in Leeds.",): ["add leeds-home", "unclear"],
    ("My wife and I are flying to Rome on 3 July.",): ["add rome-2026-07"],
    ("I take ramipril 5 mg and I hate it.",): ["add ramipril"],
    # denied, or over
    ("I don't pay £30 a month for Spotify.",): [],
    ("I used to pay £30 a month for Spotify.",): [],
    ("My rent isn't £500 a month.",): [],
    ("My insurance was £400 a year.",): [],
    ("My rent is about £500 a month.",): ["add rent doubt=the"],
    ("I hate kale.", "Actually I don't hate kale anymore."): [],
    ("I love opera.", "I don't love opera any more."): [],
    ("Don't call Tom on 07700 900123.",): [],
    ("I don't live in Leeds.",): ["note no-leeds-home text=The"],
    # put right, or told anew
    ("Ida's birthday is 3 May 1980.", "Ida's birthday is 4 May, not 3 May."): ["amend ida-birthday on=1980-05-04"],
    ("I'm flying to Rome on 3 July.", "I'm flying to Rome on 4 July, not on 3 July."): [
        "amend rome-2026-07 departs=2026-07-04",
    ],
    ("I'm flying to Rome on 3 July.", "My flight to Rome was moved to 4 July."): ["amend rome-2026-07 departs=2026-07-04"],
    ("I'm flying to Rome on 3 July, back on 9 July.", "The Rome trip is from 4 July to 11 July."): [
        "amend rome-2026-07 departs=2026-07-04 returns=2026-07-11",
    ],
    ("Dinner with Ida is on Friday at 7pm.", "Dinner with Ida is on Saturday at 8pm now."): [
        "amend dinner-with-ida-2026-06-12 on=2026-06-13 starts=20:00",
    ],
    ("I take ramipril 5 mg twice a day.", "I take ramipril in the morning."): ["amend ramipril dose=5"],
    ("I live in Leeds.", "Driving back to Leeds."): [],
    ("Anna bought her son a bike.",): ["add anna", "add bike-anna"],
    ("I paid my brother back £40.",): [],
    ("I bought my mum flowers.",): [],
    ("I flew to Rome on 1 June, back on 5 June.",): ["add rome-2026-06 departs=2026-06-01 returns=2026-06-05"],
    ("I'm flying to Rome on 28 December, back on 3 January.",): ["add rome-2026-12 returns=2027-01-03"],
    ("I moved to York on 3 May 2062.",): [],
    # days that are not the day it was said
    ("I'm flying to Tokyo.",): ["add tokyo departs=None"],
    ("We're going to Rome for Easter.",): ["add rome-2027-03 departs=2027-03-28~"],
    ("Party at Zoe's on Saturday at midnight.",): ["add party-at-zoes-2026-06-13 starts=00:00 doubt=whether"],
}  # fmt: skip


def brief(change: Mapping[str, Any], expected: str) -> str:
    """A change as the table writes it: its kind, its id, and the fields that are expected; of a doubt the first word."""
    if change["change"] == "skip":
        return str(change["reason"])
    said = {**change, **change.get("values", {}), **change.get("set", {})}
    named = [part.partition("=")[0] for part in expected.split()[2:]]
    values = [said["price"]["amount"] if said.get("price") and n == "price" else str(said.get(n)).split(" ")[0] for n in named]
    fields = [f"{name}={value}" for name, value in zip(named, values, strict=True)]
    return " ".join([change["change"], change["id"], *fields])


@pytest.mark.parametrize(("texts", "expected"), WHOLE.items(), ids=map(" / ".join, WHOLE))
def test_nothing_more_is_read_than_is_said_nor_less_without_a_word(texts: tuple[str, ...], expected: list[str]) -> None:
    """An idiom that no frame has is unread, or partly read; it is never read otherwise."""
    made = [change for change in told(*texts) if change["source"] == [6 + len(texts)]]
    got = [min((brief(change, one) for one in (*expected, "")), key=lambda b: b not in expected) for change in made]
    assert set(got) <= {*expected, "unclear"}
    assert got == [] or "unclear" in got or set(got) == {*expected} - {"unclear"}


# --- frames of a person's own ---

KEYS = """\
\"\"\"Keys: who has one to the flat.\"\"\"
from dataclasses import dataclass
from uac_nb.rules import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    \"\"\"A key that somebody has.\"\"\"

    id: str
    title: str
    holder: str
    since: When | None = None
    source: tuple[int, ...]

# --- state ---

keys: list[Key] = []
"""
HAS_KEY = """\
Key: {holder: person} have key to {title: thing}
    + Ada has a key to the flat.
    + Tom has a key to the cellar since May 2024.
    - Who has a key to the flat?
"""


@pytest.fixture
def leo(tmp_path: Path) -> Any:
    with User.open("leo", tmp_path) as user:
        user.edit("keys", KEYS)
        yield user


def test_a_frame_of_ones_own_reads_what_nothing_read_before(leo: User) -> None:
    leo.ingest("Ada has a key to the garage since 3 May 2024.", at="2025-01-10")
    assert leo.checkpoint().coverage.counts["unread"] == 1
    leo.frames(HAS_KEY)
    assert leo.checkpoint(again=True).coverage.counts["cited"] == 1
    assert [(key.holder, key.title, str(key.since)) for key in leo.records("keys")] == [("Ada", "garage", "2024-05-03")]
    assert (leo.folder / "project" / "frames.txt").read_text() == HAS_KEY
    leo.rebuild()
    assert (leo.folder / "project" / "frames.txt").read_text() == HAS_KEY


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (("have key to", "own key to"), "it does not read its example 'Ada has a key to the flat.'"),
        (("- Who has", "- Ben has"), "it reads 'Ben has a key to the flat?', which it must not"),
        (("{holder:", "{owner:"), "Key has no field 'owner'"),
        (("Key:", "Lock:"), "there is no type Lock"),
    ],
)
def test_a_frame_that_does_not_keep_its_word_is_refused(leo: User, change: tuple[str, str], finding: str) -> None:
    text = HAS_KEY.replace(*change).replace("Ben has a key to the flat?", "Ben has a key to the flat.")
    with pytest.raises(CheckError, match=r"(?s)" + finding.replace("?", ".").replace("(", ".")):
        leo.frames(text)
    assert not (leo.folder / "project" / "frames.txt").exists()


def test_an_edit_of_the_file_is_checked_like_any_other(leo: User) -> None:
    leo.frames(HAS_KEY)
    file = leo.folder / "project" / "frames.txt"
    file.write_text(HAS_KEY.replace("have key", "own key"))
    assert any("does not read its example" in finding.message for finding in leo.checkpoint().diagnostics)
