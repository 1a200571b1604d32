"""From entries to changes: each conversation is read entry by entry, in the order in which it was said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from typing import Any

import pytest

from uac_nb.changes import accept
from uac_nb.changes.workspace import Workspace
from uac_nb.reader import PatternReader
from uac_nb.reader.smalltalk import reason
from uac_nb.rules import Money, When
from uac_nb.starter import TYPES

DAY = date(2026, 6, 10)


@dataclass
class Entry:
    id: int
    text: str
    role: str = "user"
    speaker: str = ""
    day: date = DAY


@dataclass
class Project:
    """A workspace that only holds records."""

    held: Mapping[str, list[Any]] = field(default_factory=dict)

    def records(self, collection: str) -> Iterable[Any]:
        return self.held.get(collection, ())

    def find(self, id: str) -> Any:
        return next((record for records in self.held.values() for record in records if record.id == id), None)


def record(collection: str, id: str, **values: Any) -> Any:
    return TYPES[collection].cls(id=id, source=(1,), **values)


def read(
    *texts: str, held: Mapping[str, list[Any]] | None = None, role: str = "user", speaker: str = ""
) -> list[dict[str, Any]]:
    entries = [Entry(number, text, role, speaker) for number, text in enumerate(texts, 7)]
    return PatternReader().read(entries, Project(held or {}))


LISBON = record("trips", "lisbon-2026-07", title="trip to Lisbon", to="Lisbon", country="PT", departs=When("2026-07-10"))
LISINOPRIL = record("medicines", "lisinopril", title="lisinopril 10 mg", substance="lisinopril", dose="10 mg")


def test_an_addition_is_whole() -> None:
    assert read("I'm severely allergic to penicillin: it gave me hives.") == [
        {
            "change": "add",
            "id": "penicillin",
            "collection": "allergies",
            "values": {
                "title": "penicillin allergy",
                "avoids": ["penicillin"],
                "severity": "severe",
                "quote": "I'm severely allergic to penicillin: it gave me hives.",
            },
            "fact": "The user is severely allergic to penicillin.",
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
            "The user is travelling to Lisbon from Friday, July 10, 2026 to Friday, July 17, 2026 with Ana.",
        ),
        (
            "I've been to Japan.", "trips", "japan",
            {"title": "trip to Japan", "to": "Japan", "country": "JP", "departs": "../2026-06-10", "status": "done"},
            "The user travelled to Japan.",
        ),
        (
            "I paid 45 euros for running shoes yesterday.", "purchases", "running-shoes-2026-06",
            {"title": "running shoes", "price": {"amount": "45", "currency": "EUR"}, "bought": "2026-06-09"},
            "The user bought: running shoes for €45 on Tuesday, June 9, 2026.",
        ),
        (
            "I started metformin 500mg twice a day last Monday.", "medicines", "metformin",
            {"title": "metformin 500 mg", "substance": "metformin", "dose": "500 mg twice a day", "since": "2026-06-08"},
            "The user takes metformin, 500 mg twice a day since Monday, June 8, 2026.",
        ),
        (
            "I have a dentist appointment on Tuesday at 3pm.", "commitments", "dentist-appointment-2026-06-16",
            {"title": "dentist appointment", "on": "2026-06-16", "starts": "15:00"},
            "The user has a dentist appointment on Tuesday, June 16, 2026 at 15:00.",
        ),
        (
            "My mom's birthday is July 5.", "birthdays", "mom-birthday", {"name": "my mom", "on": "--07-05"},
            "The user's mom's birthday is on July 5.",
        ),
        (
            "Dr. Chen's phone number is +1 415 555 0132.", "contacts", "chen-phone",
            {"name": "Dr. Chen", "kind": "phone", "value": "+14155550132"}, "Dr. Chen's phone number is +14155550132.",
        ),
        (
            "I can't stand cilantro.", "favourites", "cilantro", {"what": "cilantro", "stance": "dislike"},
            "The user dislikes cilantro.",
        ),
        (
            "I live in Austin, Texas.", "residences", "austin-home", {"place": "Austin, Texas", "country": "US"},
            "The user lives in Austin, Texas.",
        ),
        (
            "My Irish passport expires in 2027.", "passports", "irish-passport",
            {"title": "Irish passport", "country": "IE", "expires": "2027"}, "The user's Irish passport expires in 2027.",
        ),
        (
            "I have to file my taxes by July 15.", "deadlines", "file-my-taxes-deadline",
            {"title": "file my taxes", "due": "2026-07-15"},
            "The user's deadline: file my taxes, due on Wednesday, July 15, 2026.",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and value.islower() else "",
)  # fmt: skip
def test_what_is_stated_becomes_a_record(text: str, collection: str, id: str, values: Mapping[str, Any], fact: str) -> None:
    (change,) = read(text)
    assert change == {"change": "add", "id": id, "collection": collection, "values": values, "fact": fact, "source": [7]}


def test_a_doubtful_day_is_kept_with_the_words() -> None:
    (change,) = read("Dinner with Ana on Saturday, June 19 at 7pm.")
    assert change["values"]["doubt"] == "said Saturday, but June 19, 2026 is a Friday"
    assert change["values"]["quote"] == "Dinner with Ana on Saturday, June 19 at 7pm."


def test_others_are_people_of_their_own() -> None:
    person, allergy, home = read("My sister Anna is allergic to cats.", "Anna lives in Graz.")
    assert (person["collection"], person["id"]) == ("people", "anna")
    assert person["values"] == {"name": "Anna", "relation": "sister"}
    assert allergy["values"]["who"] == home["values"]["who"] == "anna"


def test_a_known_person_is_not_made_anew() -> None:
    held = {"people": [record("people", "ann", name="Anna", relation="sister")]}
    (allergy,) = read("My sister is allergic to cats.", held=held)
    assert allergy["values"]["who"] == "ann"


def test_what_another_person_says_of_themselves_is_about_them() -> None:
    gina, visit, brother, home = read("I've been to Rome.", "My brother lives in Oslo.", role="person", speaker="Gina")
    assert gina["id"] == "gina"
    assert (visit["values"]["who"], visit["fact"]) == ("gina", "Gina travelled to Rome.")
    assert brother["values"] == {"name": "Gina's brother"}
    assert home["values"]["who"] == "gina-brother"


def test_the_assistant_states_nothing() -> None:
    assert read("You live in Rome. I'm allergic to nuts.", role="assistant") == [
        {"change": "skip", "source": [7], "reason": "not about the user"}
    ]


# --- what is known already ---


def test_said_again() -> None:
    held = {"trips": [LISBON]}
    assert read("I'm flying to Lisbon on July 10!", held=held) == [{"change": "confirm", "id": "lisbon-2026-07", "source": [7]}]


def test_said_in_more_detail() -> None:
    (change,) = read("I'm going to Lisbon on July 10, until July 17.", held={"trips": [LISBON]})
    assert (change["change"], change["id"], change["set"]) == (
        "amend",
        "lisbon-2026-07",
        {"returns": "2026-07-17"},
    )


def test_the_same_place_on_other_days_is_another_trip() -> None:
    (change,) = read("I'm flying to Lisbon on September 3.", held={"trips": [LISBON]})
    assert (change["change"], change["id"]) == ("add", "lisbon-2026-09")


def test_the_plan_and_the_trip_made_are_one() -> None:
    past = record("trips", "oslo-2026-06", title="trip to Oslo", to="Oslo", country="NO", departs=When("2026-06-03"))
    (change,) = read("I got back from Oslo yesterday.", held={"trips": [past]})
    assert (change["id"], change["set"]) == ("oslo-2026-06", {"returns": "2026-06-09", "status": "done"})


def test_a_new_dose_follows_the_old_one() -> None:
    add, old = read("My doctor upped my lisinopril to 20 mg.", held={"medicines": [LISINOPRIL]})
    assert (add["id"], add["values"]["dose"]) == ("lisinopril-2", "20 mg")
    assert (old["change"], old["id"], old["until"], old["by"]) == ("supersede", "lisinopril", f"../{DAY}", "lisinopril-2")


BOUGHT = {
    ("I spent £20 on petrol.", "I spent £20 on petrol.", "I spent £30 on petrol."): ["20", "20", "30"],
    ("I bought a kettle for £30.", "I returned the kettle.", "I bought a kettle for £45."): ["30", "45"],
    ("I bought a kettle for £30.", "Sorry, the kettle cost £35, not £30."): ["35"],
    ("I bought a kettle.", "The kettle cost me £35."): ["35"],
    ("I bought a bike for £300 on 5 June.", "I bought a bike for £300."): ["300"],
}


@pytest.mark.parametrize(("texts", "prices"), BOUGHT.items(), ids=map(" / ".join, BOUGHT))
def test_what_is_bought_on_several_days_is_several_things(texts: tuple[str, ...], prices: list[str]) -> None:
    workspace, told = Workspace(), dict(enumerate(texts, 1))
    for number, text in told.items():
        changes = PatternReader().read([Entry(number, text, day=DAY + timedelta(number))], workspace)
        workspace = accept(changes, workspace, text_of=told.get).workspace
    assert [str(bought.price.amount) for bought in workspace.records("purchases")] == prices


def test_a_dose_put_right_is_amended() -> None:
    (change,) = read("Sorry, I take lisinopril 20 mg.", held={"medicines": [LISINOPRIL]})
    assert change["set"] == {"title": "lisinopril 20 mg", "dose": "20 mg"}
    assert change["was"] == {"title": "lisinopril 10 mg", "dose": "10 mg"}


def test_a_moved_appointment_keeps_its_record_and_doubts_its_hour() -> None:
    dentist = record("commitments", "dentist", title="dentist appointment", on=When("2026-06-16"), starts=time(15))
    (change,) = read("My dentist appointment was moved to Friday.", held={"commitments": [dentist]})
    assert (change["id"], change["set"]) == ("dentist", {"on": "2026-06-12", "doubt": "whether it still starts at 15:00"})


def test_an_id_that_is_taken_gets_a_number() -> None:
    held = {"favourites": [record("favourites", "penicillin", what="penicillin, the band")]}
    (change,) = read("I'm allergic to penicillin.", held=held)
    assert change["id"] == "penicillin-2"


# --- what no longer holds ---


def test_a_cancelled_trip_is_closed() -> None:
    (change,) = read("My trip to Lisbon got cancelled.", held={"trips": [LISBON]})
    assert (change["change"], change["id"], change["status"]) == ("close", "lisbon-2026-07", "cancelled")


def test_a_medicine_ends_on_its_day() -> None:
    (change,) = read("I stopped taking lisinopril on Monday.", held={"medicines": [LISINOPRIL]})
    assert (change["change"], change["until"], change["status"]) == ("close", "2026-06-08", "stopped")


def test_a_medicine_ended_by_the_day_it_was_said_where_no_day_is() -> None:
    (change,) = read("I no longer take lisinopril.", held={"medicines": [LISINOPRIL]})
    assert change["until"] == "../2026-06-10"


def test_nuts_are_no_peanuts() -> None:
    peanuts = record("allergies", "peanuts", title="peanut allergy", avoids=("peanuts",))
    assert [c["change"] for c in read("I'm not allergic to nuts.", held={"allergies": [peanuts]})] == ["note"]
    (change,) = read("I'm no longer allergic to peanuts.", held={"allergies": [peanuts]})
    assert (change["change"], change["id"], change["status"]) == ("close", "peanuts", "ended")


def test_one_person_never_closes_what_is_of_another() -> None:
    held = {"allergies": [record("allergies", "cats-tom", who="tom", title="cat allergy", avoids=("cats",))]}
    assert [c["change"] for c in read("I'm not allergic to cats.", held=held)] == ["note"]


def test_a_move_closes_the_old_home() -> None:
    held = {"residences": [record("residences", "graz-home", place="Graz", country="AT", since=When("2019"))]}
    new, old = read("I moved to Lisbon in May.", held=held)
    assert new["values"] == {"place": "Lisbon", "country": "PT", "since": "2026-05"}
    assert old == {"change": "supersede", "id": "graz-home", "until": "2026-05", "by": "lisbon-home", "source": [7]}


def test_an_earlier_move_told_late_changes_nothing_of_today() -> None:
    held = {"residences": [record("residences", "graz-home", place="Graz", country="AT", since=When("2019"))]}
    home, left = read("We moved from Boston to Denver in 2011.", held=held)
    assert home["values"]["until"] == "../2019-01-01"
    assert (left["change"], left["text"]) == ("note", "The user does not live in Boston any more (it ended in 2011).")


def test_a_new_number_ends_the_old() -> None:
    held = {"contacts": [record("contacts", "sam-phone", name="Sam", kind="phone", value="5551112222")]}
    new, old = read("Sam's new number is 555 333 4444.", held=held)
    assert (new["id"], new["values"]["value"]) == ("sam-phone-2", "5553334444")
    assert (old["change"], old["id"], old["status"]) == ("close", "sam-phone", "ended")


def test_a_changed_mind() -> None:
    held = {"favourites": [record("favourites", "olives", what="olives")]}
    new, old = read("I hate olives.", held=held)
    assert new["values"]["stance"] == "dislike"
    assert (old["change"], old["until"], old["by"]) == ("supersede", "../2026-06-10", "olives-2")


# --- over several entries ---


def test_a_correction_in_the_next_message() -> None:
    _, change = read("I'm flying to Rome on July 12.", "Sorry, I meant July 14.")
    assert (change["change"], change["id"]) == ("amend", "rome-2026-07")
    assert (change["set"], change["was"]) == ({"departs": "2026-07-14"}, {"departs": "2026-07-12"})


def test_a_return_policy_in_the_next_message() -> None:
    _, change = read("I bought boots for $90 yesterday.", "They have a 30-day return policy.")
    assert (change["id"], change["set"]) == ("boots-2026-06", {"return_days": 30})


def test_a_payment_finds_its_account() -> None:
    account, payment = read(
        "I'm closing my Wells Fargo checking account in July.",
        "I set up a $1,500 rent payment on autopay from my Wells Fargo account, due on the 1st of each month.",
    )
    assert account["values"]["status"] == "closing"
    assert payment["values"] == {
        "title": "rent payment", "amount": {"amount": "1500", "currency": "USD"}, "every": "month", "day": 1,
        "method": "autopay", "account": "wells-fargo-checking-account",
    }  # fmt: skip


def test_a_passport_of_no_named_country() -> None:
    (change,) = read("My passport expires on August 12, 2026.")
    assert (change["collection"], change["values"]) == ("passports", {"title": "passport", "expires": "2026-08-12"})
    assert change["fact"] == "The user's passport expires on Wednesday, August 12, 2026."


def test_a_day_on_which_somebody_is_there_is_not_the_day_they_left() -> None:
    (change,) = read("I was in Paris yesterday.")
    assert {"departs", "returns"}.isdisjoint(change["values"])
    assert (change["values"]["there_on"], change["values"]["status"]) == ("2026-06-09", "done")
    assert change["fact"] == "The user was in Paris on Tuesday, June 9, 2026."


def test_a_day_within_a_known_trip_is_of_that_trip() -> None:
    first, *more = read("Flying to Paris on June 20, back on June 25.", "I'll be in Paris on June 23.")
    assert [(c["change"], c["id"]) for c in more] == [("amend", first["id"])]
    assert more[0]["set"] == {"there_on": "2026-06-23"}


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
    ("I moved to Graz in May and met Olga on 1 June.",): ["add graz-home since=2026-05", "unclear"],
    ("My brother Tom lives in Oslo and sings in a choir.",): ["add tom", "add oslo-home-tom", "unclear"],
    ("I take 10 mg of lisinopril and my pressure was 135 yesterday.",): ["add lisinopril dose=10", "unclear"],
    ("I'm alergic to crab and Jo is allergic to cats.",): ["add jo", "add cats-jo who=jo", "unclear"],
    ("We're moving to Bergen in August! The cat has to get used to rain.",): ["add bergen-home since=2026-08", "unclear"],
    ("Physio on Monday at 9. Also: I need new insoles.",): ["add physio-2026-06-15", "unclear"],
    ("I'm allergic to latex. My brother is a keen sailor.",): ["add latex", "unclear"],
    ("Ola can't eat gluten and I'm allergic to kiwi.",): ["add kiwi who=None", "unclear"],
    ("Started lisinopril 10 mg today, the doctor also wants me to cycle.",): ["add lisinopril since=2026-06-10", "unclear"],
    ('I moved to Graz in May. Tom said "I live in Vienna and I love it".',): ["add graz-home", "unclear"],
    ("The note says: I take 5 mg of zoldanide. I'm allergic to nuts.",): [],
    ("Bought a drill for 80 euros yesterday and sold the old one for 20 euros.",): [],
    ("I bought a table for 250 euros on Monday and two lamps for 60 euros yesterday.",): [],
    ("I'm flying to Porto on 3 July and the hotel costs 400 euros.",): ["add porto-2026-07", "unclear"],
    ("I fly to Geneva on 3 July at 9:40.",): [],
    ("Flying to Athens on Friday, then taking the ferry to Naxos on Sunday.",): ["add athens-2026-06 returns=None", "unclear"],
    ("We're flying to Tel Aviv for Passover.",): [],
    ("I'm going to Bath for the Easter weekend.",): [],
    ("Drinks with Ida on Friday from seven to nine.",): [],
    ("Dinner with Ana on Saturday, and she's bringing Karl.",): ["add dinner-with-ana-2026-06-13", "unclear"],
    ("I'm allergic to latex. My visa was approved on 3 May by Mr. Okoro.",): ["add latex", "unclear"],
    ("I returned the boots and bought a hat for $20.",): [],
    # what was not read may take back, or put right, what was
    ("I was prescribed amoxicillin 500 mg but I did not take it.",): [],
    ("I was prescribed amoxicillin 500 mg. Never took it.",): [],
    ("I take metformin 500 mg, though the doctor wants me off.",): [],
    ("Flying to Rome on 3 July. The flight was cancelled.",): [],
    ("I moved to Graz in May. That was a joke.",): ["add graz-home", "unclear"],
    ("I leave for Oslo on 3 July. I reserved us somewhere for the 24th. Actually, no: the 22nd.",): [],
    ("I leave for Oslo on 3 July. I reserved us somewhere for the 24th.", "Actually, the 22nd."): [],
    ("My son's wedding is on 22 August, and I'm flying to Oslo on the 20th.",): ["add sons-wedding-2026-08-22", "unclear"],
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
        "add tent-2026-06 price=2499 shop=XXL", "add mat-2026-06 price=399 shop=XXL",
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
    ("Ben's exam is on 3 July at 9am.",): ["add ben", "add bens-exam-2026-07-03-ben who=ben"],
    ("My daughter's surgery is on 3 July.",): ["add daughter", "add daughters-surgery-2026-07-03-daughter who=daughter"],
    ("My sister's husband's surgery is on 3 July.",): [],
    ("Her exam is on 3 July.",): [],
    ("Ben's exam is on 3 July.", "My exam is on 3 July."): ["add exam-2026-07-03 who=None"],
    ("Ben's exam is on 3 July.", "The exam was cancelled."): ["close bens-exam-2026-07-03-ben status=cancelled"],
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
    ("My sister isn't allergic to nuts, I am.",): ["note no-nuts-allergy", "unclear"],
    ("Neither I nor my sister is allergic to nuts.",): ["note no-nuts-allergy", "unclear"],
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
    ("I don't live in Leeds.",): ["note no-leeds-residence text=The"],
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
    ("We're going to Rome for Easter.",): ["add rome-2027-03 departs=None there_on=2027-03-28"],
    ("Party at Zoe's on Saturday at midnight.",): ["add party-at-zoes-2026-06-13 starts=00:00 doubt=whether"],
}  # fmt: skip


def brief(change: Mapping[str, Any], expected: str) -> str:
    """A change as the table writes it: its kind, its id, and the fields that are expected; of a doubt the first word."""
    if change["change"] == "skip":
        return str(change["reason"])
    told = {**change, **change.get("values", {}), **change.get("set", {})}
    named = [part.partition("=")[0] for part in expected.split()[2:]]
    values = [told["price"]["amount"] if name == "price" else str(told.get(name)).split(" ")[0] for name in named]
    fields = [f"{name}={value}" for name, value in zip(named, values, strict=True)]
    return " ".join([change["change"], change["id"], *fields])


@pytest.mark.parametrize(("texts", "expected"), WHOLE.items(), ids=map(" / ".join, WHOLE))
def test_a_message_is_read_whole_or_what_is_unclear_is_said(texts: tuple[str, ...], expected: list[str]) -> None:
    made = [change for change in read(*texts) if change["source"] == [6 + len(texts)]]
    assert [brief(change, told) for change, told in zip(made, [*expected, *[""] * len(made)], strict=False)] == expected


def test_what_is_taken_back_leaves_no_trace() -> None:
    """The records and people of a message that is not read do not come to hold for the next."""
    assert [c["id"] for c in read("My sister Anna moved to Graz with Max Ott, but not for good.", "Anna lives in Graz.")] == [
        "anna", "graz-home-anna",
    ]  # fmt: skip


def test_a_price_of_each_says_how_it_was_reckoned() -> None:
    (change,) = read("I bought two concert tickets for 55 euros each.")
    assert (change["values"]["price"]["amount"], change["why"]) == ("110", "2 at 55 EUR each")


def test_a_long_date_at_the_beginning_is_read_in_no_time() -> None:
    """A run of masked letters can be split in as many ways as it has letters; once the reader tried them all."""
    assert read(f"{'Monday, March 10, 2025 to Monday, March 17, 2025, ' * 9}I walked.") == []


# --- what is left alone ---


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Hey Jon!", "greeting"),
        ("Good morning everyone", "greeting"),
        ("Thanks a bunch!", "thanks"),
        ("Hey, thank you so much for your help!", "thanks"),
        ("Congrats! You got this!", "encouragement"),
        ("Haha, sounds good", "small talk"),
        ("What's the weather like today?", "question"),
        ("Hi! Can you help me find hotels?", "question"),
        ("I sold my car.", None),
        ("Thanks, I moved to Graz.", None),
        ("Did you know my brother was born in 1990?", None),
        ("I love that. What should I cook?", None),
        ("", None),
    ],
)
def test_a_reason_is_given_only_where_it_is_sure(text: str, why: str | None) -> None:
    assert reason(text) == why


def test_small_talk_is_set_aside() -> None:
    assert read("Thanks a bunch!") == [{"change": "skip", "source": [7], "reason": "thanks"}]


def test_what_is_not_understood_is_cited_by_nothing() -> None:
    assert read("The old clock struck nine while we argued about the garden.") == []


CHAT = [
    "I'm allergic to penicillin and latex.", "My sister Anna lives in Oslo.", "I take 10 mg of lisinopril.",
    "Flying to Rome on July 3, back on the 9th.", "Actually I moved to Lisbon.", "I live in Austin, Texas.",
    "Bought a Sony camera for $899 yesterday.", "I returned the camera.", "Coffee with Sam tomorrow at 9.",
    "The coffee with Sam got cancelled.", "I've just come back from Thailand.", "I love spicy food.", "I hate spicy food.",
    "My Netflix subscription renews on June 28 for $15.99.", "I cancelled my Netflix subscription.",
    "Sam's email is sam@x.org.", "Sam's email is sam@y.org.", "My visa for India was approved.",
    "Granny turned 90 last Tuesday.", "I stopped taking lisinopril.", "I'm no longer allergic to latex.",
    "My trip to Rome is off.", "I spent last summer in Berlin.",
]  # fmt: skip


def test_a_project_takes_every_change() -> None:
    workspace, texts = Workspace(), dict(enumerate(CHAT, 1))
    for number, text in texts.items():
        outcome = accept(PatternReader().read([Entry(number, text)], workspace), workspace, text_of=texts.get)
        assert not outcome.refused
        workspace = outcome.workspace
    assert [(r.id, r.price, r.decision) for r in workspace.records("purchases")] == [
        ("sony-camera-2026-06", Money("899", "USD"), "returned")
    ]
    assert [r.place for r in workspace.records("residences") if r.who == "me" and r.until is None] == ["Austin, Texas"]


def test_reading_twice_adds_nothing() -> None:
    workspace, texts = Workspace(), dict(enumerate(CHAT, 1))
    entries = [Entry(1, CHAT[0]), Entry(2, CHAT[1]), Entry(3, CHAT[6])]
    once = accept(PatternReader().read(entries, workspace), workspace, text_of=texts.get)
    again = PatternReader().read(entries, once.workspace)
    assert {change["change"] for change in again} == {"confirm"}
