"""What single texts state, by a table written by hand. All is said on Wednesday, 10 June 2026."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uac_nb.reader import Finding, find

from uac_nb.rules import When

NOW = datetime(2026, 6, 10, 9, 30)

# Each finding as "kind | key | slots"; "sister: kind …" is about her, "not kind …" says that it does not hold.
STATED = {
    # allergies
    "I'm badly allergic to walnuts.": ["allergy | walnuts | severity=severe"],
    "Turns out I'm allergic to kiwi and mango.": ["allergy | kiwi", "allergy | mango"],
    "Strawberries give me a rash.": ["allergy | strawberries | reaction=rash"],
    "Mussels make my throat swell.": ["allergy | mussels"],
    "I break out in hives whenever I eat shrimp.": ["allergy | shrimp | reaction=hives"],
    "My doctor says I'm allergic to sulfa drugs.": ["allergy | sulfa drugs"],
    "My son has an egg allergy.": ["son: allergy | egg"],
    "Tom is allergic to crab.": ["Tom: allergy | crab"],
    "We found out our daughter has a tree nut allergy.": ["daughter: allergy | tree nut"],
    "I'm lactose intolerant.": ["allergy | lactose"],
    "I'm allergic to almonds, not walnuts.": ["allergy | almonds"],
    "I'm not allergic to peanuts, but I am allergic to sesame.": ["not allergy | peanuts", "allergy | sesame"],
    "I outgrew my milk allergy.": ["not allergy | milk"],
    "I was allergic to milk as a child.": ["not allergy | milk"],
    "I've got a nasty allergy to wool.": ["allergy | wool"],
    "I can't eat cashews, I'm allergic.": ["allergy | cashews"],
    "I used to be allergic to eggs.": ["not allergy | eggs"],
    "I'm allergic to bee stings, remember?": ["allergy | bee stings"],
    "I'm allergic to nuts, can you suggest a dessert?": ["allergy | nuts"],
    "im allergic to latex": ["allergy | latex"],
    "I'm allergic to nickel, pollen and to horses.": ["allergy | nickel", "allergy | pollen", "allergy | horses"],
    "My son is allergic to peanuts and also to sesame.": ["son: allergy | peanuts", "son: allergy | sesame"],
    "I'm allergic to eggs as well as milk.": ["allergy | eggs", "allergy | milk"],
    "Tom is allergic to nuts and Lisa to milk.": ["Tom: allergy | nuts", "Lisa: allergy | milk"],
    "I'm allergic to soy and celery, and Jonas is allergic to cats.": [
        "allergy | soy", "allergy | celery", "Jonas: allergy | cats",
    ],
    "My son is allergic to eggs and my daughter to peanuts.": ["son: allergy | eggs", "daughter: allergy | peanuts"],
    # medicines
    "I take metformin 500 mg twice a day and ramipril 5 mg in the morning.": [
        "medication | metformin | dose=500 mg, often=twice a day", "medication | ramipril | dose=5 mg, often=in the morning",
    ],
    "I take metformin 500 mg and, at night, melatonin 3 mg.": [
        "medication | metformin | dose=500 mg, often=None", "medication | melatonin | dose=3 mg, often=at night",
    ],
    "Every morning I take lisinopril and vitamin D.": [
        "medication | lisinopril | often=every morning", "medication | vitamin d | often=every morning",
    ],
    "I was prescribed doxycycline 100 mg.": ["medication | doxycycline | dose=100 mg, status=prescribed"],
    "I don't take ibuprofen.": ["not medication | ibuprofen | ended=None"],
    "No more aspirin, the last one was on Monday.": ["not medication | aspirin | end=2026-06-08, ended=yes"],
    "The doctor put me on atorvastatin 20 mg.": ["medication | atorvastatin | dose=20 mg"],
    "I take 5mg of zoldanide twice a day.": ["medication | zoldanide | dose=5 mg, often=twice a day"],
    "I've been on sertraline since March.": ["medication | sertraline | start=2026-03"],
    "My mom takes warfarin.": ["mom: medication | warfarin"],
    "They upped my dad's metformin to 1000 mg.": ["dad: medication | metformin | dose=1000 mg"],
    "I no longer take metformin.": ["not medication | metformin"],
    "I came off gabapentin two weeks ago.": ["not medication | gabapentin | end=2026-W22"],
    "I switched from sertraline to escitalopram 10 mg.": [
        "not medication | sertraline", "medication | escitalopram | dose=10 mg",
    ],
    # trips
    "Got back from Oslo on Sunday.": ["trip | oslo | end=2026-06-07, status=done, country=NO"],
    "We're off to Greece from August 3 to 10.": ["trip | greece | start=2026-08-03, end=2026-08-10"],
    "We drove to San Francisco last weekend.": ["trip | san francisco | start=2026-06-06/2026-06-07, status=done"],
    "I'll be in London from July 2 to July 5.": ["trip | london | start=2026-07-02, end=2026-07-05"],
    "Booked flights to Reykjavik for October 2.": ["trip | reykjavik | start=2026-10-02, status=booked, country=IS"],
    "My sister flew to Tokyo last week.": ["sister: trip | tokyo | start=2026-W23"],
    "My wife and I are visiting Croatia this summer.": ["trip | croatia | start=2026-22"],
    "Visited my aunt in Denver in January.": ["trip | denver | start=2026-01"],
    "I leave for Sydney on Friday and return on July 2.": ["trip | sydney | start=2026-06-12, end=2026-07-02"],
    "We saw it all: Austria, then Hungary. Went to Prague and Vienna in 2023.": [
        "trip | prague | start=2023", "trip | vienna | start=2023",
    ],
    "Our trip to Peru was amazing.": ["trip | peru | status=done"],
    "The Berlin trip is off.": ["not trip | berlin"],
    "I had to cancel my flight to Madrid.": ["not trip | madrid"],
    "We're not going to Spain anymore.": ["not trip | spain"],
    "I'm flying to Rome on July 12 -- sorry, I meant July 14.": ["trip | rome | start=2026-07-14"],
    "Actually, I'm flying to Munich on the 13th, not the 12th.": ["trip | munich | start=2026-06-13"],
    "i'm flying to tokyo on may 3": ["trip | tokyo | start=2027-05-03"],
    "I'm flying to Madrid on 5 July, then to Lisbon on 9 July.": [
        "trip | madrid | start=2026-07-05, end=None", "trip | lisbon | start=2026-07-09",
    ],
    "I went to Vienna on May 2 with Ana and to Prague on May 5.": [
        "trip | vienna | start=2026-05-02, end=None, others=Ana", "trip | prague | start=2026-05-05, others=None",
    ],
    "Flying to Kyoto on 4 September and on to Osaka, back on the 12th.": [
        "trip | kyoto | start=2026-09-04", "trip | osaka | start=2026-09-04/.., end=2026-09-12",
    ],
    "Flying to Rome on 3 July and back to Berlin on 8 July.": ["trip | rome | start=2026-07-03, end=2026-07-08"],
    "I fly to Chicago on 3 July, and on the 5th I go to Denver.": [
        "trip | chicago | start=2026-07-03", "trip | denver | start=2026-07-05",
    ],
    "Flying to Lisbon on 10 July for a week.": ["trip | lisbon | start=2026-07-10, end=2026-07-17~"],
    "We're going to Rome for Easter.": ["trip | rome | start=None, there=2027-03-28"],
    "We went to Seville over Whitsun.": ["trip | seville | start=None, there=2026-05-24, status=done"],
    "I'm flying to Boston on Good Friday.": ["trip | boston | start=2027-03-26"],
    "Berlin is off.": ["not trip | berlin | known=yes"],
    "We had to cancel the trip.": ["not trip | trip | known=yes"],
    "We are flying to Tromsø on 14 March with Dr. Lee.": ["trip | tromsø | to=Tromsø, start=2027-03-14, others=Dr. Lee"],
    "Bea and I will be in Aarhus from 23 July until 29 July.": ["trip | aarhus | start=2026-07-23, end=2026-07-29, others=Bea"],
    "Jonas flies to London on 12 July and comes back on the 16th.": ["Jonas: trip | london | start=2026-07-12, end=2026-07-16"],
    "I was in Vienna in March and in Prague in April.": ["trip | vienna | there=2026-03", "trip | prague | there=2026-04"],
    "No Rome for us after all.": ["not trip | rome"],
    # purchases
    "I bought a lamp for 300 NOK today.": ["purchase | lamp | amount=300, currency=NOK, start=2026-06-10"],
    "I bought a sofa for 1.200,50 EUR.": ["purchase | sofa | amount=1200.50, currency=EUR"],
    "I bought a chess set for CHF 85.": ["purchase | chess set | amount=85, currency=CHF"],
    "I bought a kettle, $132.": ["purchase | kettle | amount=132"],
    "Picked up a used bike for 600 dollars at Decathlon yesterday.": [
        "purchase | used bike | amount=600, currency=USD, shop=Decathlon, start=2026-06-09",
    ],
    "Bought a €400 coffee grinder from Williams-Sonoma.": [
        "purchase | coffee grinder | amount=400, currency=EUR, shop=Williams-Sonoma",
    ],
    "My new couch set me back 1200 euros.": ["purchase | couch | amount=1200, currency=EUR"],
    "I dropped £80 on a coat.": ["purchase | coat | amount=80, currency=GBP"],
    "My brother bought a boat for $30k.": ["brother: purchase | boat | amount=30000"],
    "I bought a book for 12 euros and a pen for 3 euros.": ["purchase | book | amount=12", "purchase | pen | amount=3"],
    "I spent $15 on lunch and $4 on coffee today.": [
        "purchase | lunch | amount=15, start=2026-06-10", "purchase | coffee | amount=4, start=2026-06-10",
    ],
    "I bought a kettle and a toaster for 70 euros.": ["purchase | kettle and toaster | amount=70"],
    "I bought two tickets for $50 each.": ["purchase | two tickets | amount=100, why=2 at 50 USD each"],
    "I bought a hat and a scarf for £9 each.": ["purchase | hat | amount=9", "purchase | scarf | amount=9"],
    "I bought a lamp for 40 euros at IKEA and a rug for 20 euros at Lidl.": [
        "purchase | lamp | amount=40, shop=IKEA", "purchase | rug | amount=20, shop=Lidl",
    ],
    "I bought a tie for $30 at Marks and Spencer.": ["purchase | tie | amount=30, shop=Marks and Spencer"],
    "I bought a laptop yesterday.": ["purchase | laptop | start=2026-06-09"],
    "I returned the headphones.": ["not purchase | headphones"],
    "I bought boots for $90. They have a 14-day return policy.": ["purchase | boots | amount=90, return_days=14"],
    # homes
    "We moved from Boston to Denver in 2021.": ["residence | denver | start=2021", "not residence | boston | end=2021"],
    "Home is Oslo now.": ["residence | oslo"],
    "My parents moved to Sarasota, Florida in 2018.": ["parents: residence | sarasota | start=2018, country=US"],
    "We've just moved into a flat in Hamburg.": ["residence | hamburg | country=DE"],
    "I've lived in Graz since 2019.": ["residence | graz | start=2019, country=AT"],
    "My friend Lea lives in Ghent.": ["Lea: residence | ghent | country=BE"],
    "I grew up in Ohio but now live in Portland, Oregon.": ["residence | portland | country=US"],
    "I'm moving to Seattle next month.": ["residence | seattle | start=2026-07"],
    "I don't live in Austin anymore.": ["not residence | austin"],
    "I just moved to Lyon.": ["residence | lyon | start=2026-06-10~"],
    # people
    "My mum turns 60 on 4 August.": ["birthday | mum | start=1966-08-04"],
    "Sam's birthday is on the 3rd of July.": ["birthday | sam | start=--07-03"],
    "It's my birthday today!": ["birthday | me | start=--06-10"],
    "Leo was born on 2 Feb 2020.": ["birthday | leo | start=2020-02-02"],
    "You can reach Dana at dana@example.com.": ["contact | dana | value=dana@example.com, kind=email"],
    "My new number is 555-123-4567.": ["contact | me | value=5551234567"],
    "Dr. Patel's office number is 020 7946 0018.": ["contact | patel | value=02079460018, name=Dr. Patel"],
    "Sam from the library's email address is sam@x.org.": ["contact | sam from the library | name=Sam from the library"],
    "My dad's birthday is on 12 July and my mum's on 30 September.": [
        "birthday | dad | start=--07-12", "birthday | mum | start=--09-30",
    ],
    # work, sport, meals
    "I work at Havforsk as a marine biologist.": ["job | havforsk | employer=Havforsk, role=marine biologist"],
    "My brother Tom is a nurse.": ["Tom: job | nurse | role=nurse"],
    "I started at Equinor on 1 June as a geologist.": ["job | equinor | role=geologist, start=2026-06-01"],
    "I start with lisinopril tomorrow.": [],
    "I start with Tom tomorrow.": [],
    "I don't work for Siemens any more.": ["not job | siemens"],
    "I ran 8 km today.": ["workout | running | metres=8000, start=2026-06-10, minutes=None"],
    "Ran 10k this morning in 52 minutes.": ["workout | running | metres=10000, minutes=52"],
    "I did yoga at Millpond on Monday for half an hour.": ["workout | yoga | place=Millpond, minutes=30, start=2026-06-08"],
    "Had lunch with Ingrid at Luigi's yesterday.": ["meal | lunch | others=Ingrid, place=Luigi's, start=2026-06-09"],
    # days
    "Dentist on Friday 12.6. at 8:15.": ["appointment | dentist | start=2026-06-12T08:15, doubt=None"],
    "Dentist on Thursday 12.6. at 8:15.": ["appointment | dentist | start=2026-06-12T08:15"],
    "Haircut on 14/6 at 17.15": ["appointment | haircut | start=2026-06-14T17:15"],
    "I see Dr. Haugen on 14 July at 10:00 and physio on 15 July at 16.30.": [
        "appointment | haugen | start=2026-07-14T10:00, others=None", "appointment | physio | start=2026-07-15T16:30",
    ],
    "Ida and Saga visit me from 15 to 19 June.": [
        "appointment | ida and saga | title=visit of Ida and Saga, start=2026-06-15, end=2026-06-19",
    ],
    "There's a conference in Lisbon from 8 to 12 July.": ["appointment | conference | place=Lisbon, end=2026-07-12"],
    "Dentist on Thursday at 4.": ["appointment | dentist | start=2026-06-11T16:00"],
    "I have a meeting with my boss tomorrow at 2pm.": ["appointment | boss | start=2026-06-11T14:00"],
    "I just booked dinner with Ana at Luigi's on June 20 at 7:30 PM.": [
        "appointment | ana | start=2026-06-20T19:30, place=Luigi's",
    ],
    "Made a reservation for two -- Saturday June 20 at 7 PM at Chez Luc.": [
        "appointment | reservation | start=2026-06-20T19:00, place=Chez Luc",
    ],
    "Dinner with Tom on Saturday, no wait, Sunday.": ["appointment | tom | start=2026-06-14"],
    "Emma's recital is on July 3 at 5 PM.": ["appointment | emma's recital | start=2026-07-03T17:00"],
    "The plumber is coming on Thursday between 10 and 12.": [
        "appointment | plumber | start=2026-06-11T10:00, ends=12:00",
    ],
    "We moved the call with Priya to Monday at 4pm.": ["appointment | priya | start=2026-06-15T16:00"],
    "I've got drinks with Nora on Thursday evening.": ["appointment | nora | start=2026-06-11"],
    "The meeting with Dana got cancelled.": ["not appointment | dana"],
    "The reservation at Chez Luc was cancelled.": ["not appointment | reservation chez luc"],
    "Meeting with Ana and Bob on Tuesday.": [
        "appointment | ana and bob | title=meeting with Ana and Bob, starts=None",
    ],
    "Dentist on Monday at half past three.": ["appointment | dentist | start=2026-06-15T15:30"],
    "The interview was moved from Monday to Friday.": ["appointment | interview | start=2026-06-12, moved=yes"],
    "Dinner with Tom on Friday at 7pm, sorry, 8pm.": ["appointment | tom | starts=20:00"],
    "The tax return is due July 15.": ["deadline | tax return | start=2026-07-15"],
    "I have to submit my thesis by June 30.": ["deadline | submit my thesis | start=../2026-06-30"],
    # tastes
    "I hate olives.": ["preference | olives | stance=dislike"],
    "I don't like coffee.": ["preference | coffee | stance=dislike"],
    "My favorite color is green.": ["preference | green | stance=favourite, of=color"],
    "I'm a big fan of jazz.": ["preference | jazz | stance=like"],
    "Ana likes dogs but hates cats.": ["Ana: preference | dogs | stance=like", "Ana: preference | cats | stance=dislike"],
    "We love Thai food.": ["preference | thai food | what=Thai food"],
    # papers and what goes on by itself
    "My German passport expires in June 2027.": ["passport | passport | expires=2027-06, country=DE"],
    "Applied for my Australian visa today. It will be valid from December 1, 2026 through May 31, 2027.": [
        "visa | australian visa | status=applied, applied=2026-06-10, valid_from=2026-12-01, valid_until=2027-05-31",
    ],
    "I'm closing my Chase savings account in August.": ["account | chase savings account | status=closing, closes=2026-08"],
    "My rent is 1200 EUR.": ["payment | rent | amount=1200, every=month, doubt=whether it is paid every month"],
    "My rent is $1,500, due on the 1st of every month.": ["payment | rent | amount=1500, every=month, day=1"],
    "My Netflix subscription renews on June 28 for $15.99.": ["subscription | netflix | renews=2026-06-28, amount=15.99"],
}  # fmt: skip

NOTHING = [
    # questions
    "Is Sam allergic to nuts?", "Should I take 200 mg of ibuprofen?", "Did you fly to Paris yesterday?",
    "Can we have lunch on Friday?", "Have you been to Mexico?", "Should I buy a Kindle for $100?",
    # wishes, plans under consideration, conditions
    "I might be allergic to soy.", "I'm thinking of moving to Spain.", "I'd love to visit Japan.",
    "I almost bought a $2,000 watch.", "I wish we were in Rome this week.",
    "If I take metformin and my sister moves to Rome, who cooks?",
    "If I lived in Tokyo I'd eat sushi every day.",
    "We were going to fly to Rome last week.", "Maybe I'll fly to Oslo on Friday.", "I want to buy a car for $20,000.",
    "We should have dinner on Friday.", "I don't think I'm allergic to bees.", "I can't wait to go to Italy next month.",
    "Imagine living in Lisbon!",
    # orders
    "Book me a flight to Rome for Friday.", "Write an email to Sam saying I'm allergic to nuts.",
    # of others, of nobody, in stories
    'She said "I live in Rome and I take 10 mg of lisinopril".', "People allergic to nuts should avoid this.",
    "The recipe says: I'm allergic to onions.", "Her text was: I moved to Rome.", 
    "Ana told me: I use metformin. I live in Rome.",
    "He's allergic to dogs.", "You're allergic to nuts.", "No one in my family is allergic to nuts.",
    "I'm writing a story: John lives in Paris and takes warfarin.", "> I live in Berlin now.",
    # what only looks like it
    "I love it!", "I love your new store!", "I like the idea of moving to Portugal.", "I feel like pizza.",
    "I'm like so tired.", "I take my coffee black.", "I take the bus every morning.", "We went to town on that pizza.",
    "I flew a kite yesterday.", "I'm going to Austin's party on Friday.", "I was in Paris mode yesterday.",
    "I'm going to Starbucks.", "I go to Paris every year.", "Flying to Lisbon is expensive.",
    "I moved to the marketing team.", "I live in fear of deadlines.", "I lived in Madrid for years.",
    "I got pre-approved for $350,000.", "Netflix costs me $15 a month.", "I won $500 yesterday.", "I sold my bike for $200.",
    "I bought some apples for $2 each.", "My yoga class is every Monday at 6.", "Thanks for dinner on Saturday!",
    "The concert last night was amazing.", "I was born ready.", "The order number is 1234567890.", "Text me on 12.05.2025.",
    "The party for my birthday moved.", "The baby is due in June.", "I'm on vacation.", "Metformin is a common drug.",
    "I use insulin as an example in class.", "I'm allergic to Monday mornings.", "I've never been to Mexico.",
]  # fmt: skip


def told(finding: Finding, slots: list[str]) -> str:
    about = "" if finding.subject == "me" else f"{finding.subject}: "
    words = f"{about}{'not ' if finding.polarity == 'retract' else ''}{finding.kind} | {finding.key}"
    named = ", ".join(f"{name}={finding.slots.get(name)}" for name in slots)
    return f"{words} | {named}" if named else words


@pytest.mark.parametrize(("text", "expected"), STATED.items(), ids=STATED)
def test_what_a_text_states(text: str, expected: list[str]) -> None:
    found = find(text, NOW)
    slots = [
        [part.partition("=")[0] for part in item.split(" | ")[2].split(", ")] if item.count(" | ") == 2 else []
        for item in expected
    ]
    assert [told(f, names) for f, names in zip(found, [*slots, *[[]] * len(found)], strict=False)] == expected


@pytest.mark.parametrize("text", NOTHING)
def test_what_states_nothing(text: str) -> None:
    assert find(text, NOW) == []


@pytest.mark.parametrize("text", STATED)
@pytest.mark.parametrize("frame", ['Somebody wrote "{}" to me', "What would it mean if {}", "Perhaps {}"])
def test_no_sentence_states_anything_inside_a_quotation_or_a_supposition(text: str, frame: str) -> None:
    first = text.split(". ")[0].split(" -- ")[0].split(", but ")[0].rstrip(".!?")
    if ", can you" in first or ", remember" in first or first.startswith("We saw"):
        first = first.split(", ")[0]
    assert find(frame.format(first) + ".", NOW) == []


def test_a_doubtful_day_says_so() -> None:
    (dinner,) = find(
        "Dinner at Chez Luc on Saturday, November 15, 2024 at 7 PM. Set the table, booked a reservation!", datetime(2024, 10, 1)
    )
    assert dinner.slots["doubt"] == "said Saturday, but November 15, 2024 is a Friday"


def test_offsets_are_those_of_the_text() -> None:
    text = "Hello there! I’m allergic to walnuts. Bye."
    (walnuts,) = find(text, NOW)
    assert text[slice(*walnuts.span)] == "I’m allergic to walnuts."


PIECES = st.sampled_from(
    [*STATED, *NOTHING, "the " * 30, "I'm allergic to ", "$5 ", '"', "(", "on May ", "?", " -- ", "\n", "Rome, ", "é🎉"]
)


@given(st.lists(PIECES, max_size=5).map(" ".join) | st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    for finding in find(text, NOW):
        low, high = finding.span
        assert 0 <= low < high <= len(text)
        assert finding.key
        for name in ("end", "expires", "renews", "closes"):
            if name in finding.slots:
                When(finding.slots[name])
        if "start" in finding.slots:
            When(finding.slots["start"].partition("T")[0])


def test_the_development_sentences(shared: Path) -> None:
    """No wrong finding, and nearly all that are there: kind, person, polarity and the last word of the key have to agree."""
    lines = (shared / "sentences" / "sentences.jsonl").read_text("utf-8").splitlines()
    stated, found = [], []
    for case in map(json.loads, lines):
        found += [(case["id"], brief(vars_of(f))) for f in find(case["text"], datetime.fromisoformat(case["now"]))]
        stated += [(case["id"], brief(gold)) for gold in case["gold"]]
    assert set(found) <= set(stated)
    assert len(found) >= 0.9 * len(stated)


def vars_of(finding: Finding) -> dict[str, str]:
    return {name: getattr(finding, name) for name in ("kind", "key", "subject", "polarity")}


def brief(gold: dict[str, str]) -> tuple[str, str, bool, str]:
    return gold["kind"], gold["key"].split()[-1], gold["subject"] == "me", gold["polarity"]


# --- of which medicine, and since when ---


@pytest.mark.parametrize(
    ("text", "doses"),
    [
        ("I take lisinopril 10 mg and atorvastatin 20 mg every evening.", {"lisinopril": "10 mg", "atorvastatin": "20 mg"}),
        ("I take 10 mg of lisinopril and 20 mg of atorvastatin.", {"lisinopril": "10 mg", "atorvastatin": "20 mg"}),
        ("I take lisinopril and atorvastatin 20 mg.", {"lisinopril": None, "atorvastatin": "20 mg"}),
        ("I take lisinopril, usually 10 mg.", {"lisinopril": "10 mg"}),
    ],
)
def test_a_dose_is_never_that_of_another_medicine(text: str, doses: dict[str, str | None]) -> None:
    found = find(text, datetime(2025, 3, 1))
    assert {finding.key: finding.slots.get("dose") for finding in found} == doses


@pytest.mark.parametrize("text", ["I'm taking metformin 850 mg since January.", "I've been on metformin 850 mg since January."])
def test_since_looks_back(text: str) -> None:
    (found,) = find(text, datetime(2025, 3, 1))
    assert found.slots["start"] == "2025-01"
