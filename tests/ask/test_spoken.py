"""Questions over a life and the words it was told in: who is meant, what was told by when, and what a function computes.

Ruth's, as of Wednesday, 16 September 2026. The answers were worked out by hand from the words, before any was asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.ask import Answer, ask
from uac_nb.ask.about import whom
from uac_nb.ask.recall import looked_for
from uac_nb.changes import Workspace
from uac_nb.domainfile.domain import Domain
from uac_nb.log import Draft, Log
from uac_nb.rules import Money, When
from uac_nb.runtime import SealedEngine, program
from uac_nb.starter import TYPES

TODAY = date(2026, 9, 16)

# collection: fields, and for each record the day and the words it was told in, and its row. Sources are numbered from 1.
Told = tuple[tuple[str, str], tuple[Any, ...]]
LIFE: dict[str, tuple[str, list[Told]]] = {
    "people": (
        "id name relation",
        [
            (("2026-01-10", "Gwen is my sister."), ("gwen", "Gwen", "sister")),
            (("2026-01-10", "Idris, my husband, is from Bala."), ("idris", "Idris", "husband")),
            (("2026-01-12", "Ben is a colleague at Ty Glas School."), ("ben", "Ben", "colleague at Ty Glas School")),
            (("2026-01-12", "Mari Pugh is a friend from the choir."), ("mari", "Mari Pugh", "friend from the choir")),
            (("2026-01-12", "Our son is called Dewi."), ("dewi", "Dewi", "son")),
        ],
    ),
    "residences": (
        "id who place country since until",
        [
            (("2026-01-10", "We live in Cardiff."), ("cardiff", "me", "Cardiff", "GB", None, None)),
            (
                ("2026-01-10", "Before that I lived in Bristol, from 2015 to August 2019."),
                ("bristol", "me", "Bristol", "GB", "2015", "2019-08"),
            ),
            (("2026-01-11", "Gwen lives in Swansea."), ("gwen-swansea", "gwen", "Swansea", "GB", None, None)),
        ],
    ),
    "jobs": (
        "id who title role employer since until status",
        [
            (
                ("2026-01-10", "I have been a teacher at Ty Glas School since September 2019."),
                ("teacher", "me", "job as a teacher", "teacher", "Ty Glas School", "2019-09", None, "current"),
            ),
            (
                ("2026-01-10", "I was a barista at Bean & Leaf from 2013 to 2015."),
                ("barista", "me", "job as a barista", "barista", "Bean & Leaf", "2013", "2015", "ended"),
            ),
            (
                ("2026-01-10", "Idris is a nurse at Heath Hospital."),
                ("nurse", "idris", "job as a nurse", "nurse", "Heath Hospital", None, None, "current"),
            ),
        ],
    ),
    "practices": (
        "id who title styles how_often since until status",
        [
            (
                ("2026-01-12", "I sing alto in the Canton choir every Tuesday since 2021."),
                ("choir", "me", "singing alto in the Canton choir", [], "every Tuesday", "2021", None, "current"),
            ),
            (
                ("2026-01-12", "I go bouldering twice a week."),
                ("bouldering", "me", "bouldering", [], "twice a week", None, None, "current"),
            ),
            (
                ("2026-01-12", "I had piano lessons until 2024."),
                ("piano", "me", "piano lessons", [], None, None, "2024", "ended"),
            ),
            (
                ("2026-01-12", "Gwen does yoga on Mondays."),
                ("gwen-yoga", "gwen", "yoga", [], "on Mondays", None, None, "current"),
            ),
        ],
    ),
    "goals": (
        "id who title by status",
        [
            (
                ("2026-02-01", "I want to run a half marathon under two hours by 25 October."),
                ("half", "me", "a half marathon under two hours", "2026-10-25", "open"),
            ),
            (
                ("2026-02-01", "Reading a newspaper in Welsh, I did that!"),
                ("welsh", "me", "reading a newspaper in Welsh", None, "done"),
            ),
            (
                ("2026-02-02", "Idris wants to quit smoking by December."),
                ("smoking", "idris", "quit smoking", "2026-12", "open"),
            ),
        ],
    ),
    "readings": (
        "id who title author since until pages rating status",
        [
            (
                ("2026-09-01", "Started The Overstory by Richard Powers."),
                ("overstory", "me", "The Overstory", "Richard Powers", "2026-09-01", None, None, None, "reading"),
            ),
            (
                ("2026-07-12", "Finished Stoner by John Williams, 278 pages, five stars."),
                ("stoner", "me", "Stoner", "John Williams", None, "2026-07-12", 278, 5, "done"),
            ),
            (
                ("2026-03-20", "Finished Circe by Madeline Miller this month, 393 pages, four stars."),
                ("circe", "me", "Circe", "Madeline Miller", None, "2026-03", 393, 4, "done"),
            ),
            (
                ("2026-07-12", "Middlemarch is next on my list."),
                ("middlemarch", "me", "Middlemarch", "George Eliot", None, None, None, None, "wanted"),
            ),
            (
                ("2026-08-01", "Idris finished Dune."),
                ("dune", "idris", "Dune", "Frank Herbert", None, "2026-08-01", 412, None, "done"),
            ),
        ],
    ),
    "things": (
        "id who title kind given_by since",
        [
            (
                ("2026-01-15", "I have my grandmother's cello."),
                ("cello", "me", "grandmother's cello", "instrument", "grandmother", None),
            ),
            (("2026-01-15", "We have a cat, Pickle, since 2022."), ("pickle", "me", "cat Pickle", "pet", None, "2022")),
        ],
    ),
    "promises": (
        "id who to title made due status",
        [
            (
                ("2026-08-30", "I promised Gwen to fix her fence by 20 September."),
                ("fence", "me", "gwen", "fix her fence", "2026-08-30", "2026-09-20", "open"),
            ),
            (
                ("2026-09-02", "Ben promised to bring back the drill by Friday the 18th."),
                ("drill", "ben", "me", "bring back the drill", "2026-09-02", "2026-09-18", "open"),
            ),
            (
                ("2026-05-02", "I promised Mari the score, and gave it to her."),
                ("score", "me", "mari", "lend the score of the Requiem", "2026-05-02", None, "done"),
            ),
        ],
    ),
    "places": (
        "id who title where kind status",
        [
            (
                ("2026-02-10", "I mark essays at Tonic, a café in Pontcanna."),
                ("tonic", "me", "Tonic", "Pontcanna", "café", "in use"),
            )
        ],
    ),
    "accounts": (
        "id who title status closes balance balance_on",
        [
            (
                ("2026-09-01", "There are 1,240 pounds on my Monzo current account."),
                ("monzo", "me", "Monzo current account", "open", None, "1240 GBP", "2026-09-01"),
            ),
            (
                ("2026-09-03", "The Principality savings account closes on 30 September."),
                ("principality", "me", "Principality savings account", "closing", "2026-09-30", None, None),
            ),
        ],
    ),
    "commitments": (
        "id who title on until starts place status",
        [
            (
                ("2026-09-03", "Dentist on 24 September at 9:40."),
                ("dentist", "me", "dentist appointment", "2026-09-24", None, "09:40", None, "agreed"),
            ),
            (
                ("2026-09-03", "Parents' evening on 29 September at 17:00 at school."),
                ("parents", "me", "parents' evening", "2026-09-29", None, "17:00", "Ty Glas School", "agreed"),
            ),
            (
                ("2026-09-05", "The teaching conference in Bristol is from 7 to 9 October."),
                ("conf", "me", "teaching conference", "2026-10-07", "2026-10-09", None, "Bristol", "agreed"),
            ),
            (
                ("2026-02-20", "Eye test on 3 March at 11."),
                ("eyes", "me", "eye test", "2026-03-03", None, "11:00", None, "done"),
            ),
        ],
    ),
    "deadlines": (
        "id who title due status",
        [
            (
                ("2026-09-05", "The grant application is due on 2 October."),
                ("grant", "me", "school grant application", "2026-10-02", "open"),
            )
        ],
    ),
    "trips": (
        "id who others title to country departs returns status",
        [
            (
                ("2026-06-01", "Idris and I fly to Lyon on 20 July, back on the 27th."),
                ("lyon", "me", ["idris"], "trip to Lyon", "Lyon", "FR", "2026-07-20", "2026-07-27", "done"),
            ),
            (
                ("2026-09-08", "I booked Galway, 23 to 27 October."),
                ("galway", "me", [], "trip to Galway", "Galway", "IE", "2026-10-23", "2026-10-27", "booked"),
            ),
            (
                ("2026-08-20", "Gwen was in Rome from 10 to 17 August."),
                ("rome", "gwen", [], "trip to Rome", "Rome", "IT", "2026-08-10", "2026-08-17", "done"),
            ),
        ],
    ),
    "purchases": (
        "id who title shop price bought category return_by",
        [
            (
                ("2026-05-03", "Bought a bike helmet for 45 pounds at Evans."),
                ("helmet", "me", "bike helmet", "Evans", "45 GBP", "2026-05-03", None, None),
            ),
            (
                ("2026-06-11", "Bought new strings for the cello."),
                ("strings", "me", "cello strings", None, None, "2026-06-11", None, None),
            ),
            (
                ("2026-06-20", "Bought a reading lamp, 30 pounds, at John Lewis."),
                ("lamp", "me", "reading lamp", "John Lewis", "30 GBP", "2026-06-20", None, None),
            ),
            (
                ("2026-09-05", "Bought a rucksack for 80 pounds, I can return it by 3 October."),
                ("rucksack", "me", "rucksack", None, "80 GBP", "2026-09-05", None, "2026-10-03"),
            ),
        ],
    ),
    "allergies": (
        "id who title avoids reaction status",
        [
            (
                ("2026-01-20", "I'm allergic to hazelnuts."),
                ("hazelnut", "me", "hazelnut allergy", ["hazelnuts"], None, "current"),
            ),
            (
                ("2026-01-20", "Dewi is allergic to bee stings."),
                ("bees", "dewi", "allergy to bee stings", ["bee stings"], None, "current"),
            ),
        ],
    ),
    "medicines": (
        "id who title substance dose since status",
        [
            (
                ("2026-01-20", "I use a salbutamol inhaler."),
                ("salbutamol", "me", "salbutamol inhaler", "salbutamol", None, None, "taking"),
            ),
            (
                ("2026-05-20", "Dewi takes cetirizine 5 mg."),
                ("cetirizine", "dewi", "cetirizine 5 mg", "cetirizine", "5 mg", None, "taking"),
            ),
        ],
    ),
    "contacts": (
        "id who name kind value",
        [
            (("2026-01-20", "Gwen's number is 07700 900111."), ("gwen-phone", "gwen", "Gwen", "phone", "07700900111")),
            (("2026-01-20", "My work email is ruth@tyglas.example."), ("my-mail", "me", "me", "email", "ruth@tyglas.example")),
        ],
    ),
    "birthdays": (
        "id who name on",
        [
            (("2026-01-20", "My mum's birthday is on 2 November."), ("mum", "me", "my mum", "--11-02")),
            (("2026-01-20", "Gwen was born on 14 February 1985."), ("gwen-bday", "gwen", "Gwen", "1985-02-14")),
        ],
    ),
    "workouts": (
        "id who title on kind minutes metres",
        [
            (("2026-09-10", "Ran 6 km before school."), ("r1", "me", "run before school", "2026-09-10", "running", 36, 6000)),
            (
                ("2026-09-11", "Bouldering for 90 minutes."),
                ("b1", "me", "bouldering session", "2026-09-11", "bouldering", 90, None),
            ),
            (
                ("2026-09-13", "Ran 8 km along the Taff with nobody but a heron."),
                ("r2", "me", "run along the Taff", "2026-09-13", "running", 50, 8000),
            ),
            (
                ("2026-09-12", "Idris rode 30 km to Penarth and back."),
                ("ride", "idris", "ride to Penarth", "2026-09-12", "cycling", None, 30000),
            ),
        ],
    ),
    "favourites": (
        "id who of what stance",
        [
            (("2026-01-22", "Lapsang is my favourite tea."), ("lapsang", "me", "tea", "lapsang", "favourite")),
            (("2026-01-22", "I can't stand coriander."), ("coriander", "me", None, "coriander", "dislike")),
        ],
    ),
    "subscriptions": (
        "id who title price every renews status",
        [
            (
                ("2026-01-28", "The Guardian costs me 12 pounds a month, next on 28 September."),
                ("guardian", "me", "Guardian subscription", "12 GBP", "month", "2026-09-28", "active"),
            )
        ],
    ),
}

RULES = '''"""Rules and derived values of this user's own."""
from collections.abc import Iterable
from datetime import date, timedelta
from uac_nb.rules import Unknown, derived
from health import Workout
from life import Residence


@derived
def weekly_running(workouts: Iterable[Workout], *, today: date) -> int:
    """Kilometres that Ruth ran in the last seven days."""
    week = [w.metres for w in workouts if w.who == "me" and w.kind == "running" and w.metres and w.on > today - timedelta(7)]
    return sum(week) // 1000


@derived
def pickle_feeder(residences: Iterable[Residence], *, today: date) -> str | Unknown:
    """Who feeds Pickle while Ruth is away: Mari, as long as Ruth lives in Cardiff."""
    here = any(home.who == "me" and home.place == "Cardiff" and home.until is None for home in residences)
    return "Mari" if here else Unknown("Ruth does not live in Cardiff any more", was="Mari")
'''

# Read by nobody.
UNREAD = [
    ("2026-09-14", "Ruth", "user", "I gave bouldering up, my shoulder hurts."),
    ("2026-09-14", "Ben", "person", "My new number is 07700 900222."),
    ("2026-09-15", "Ruth", "user", "Mari visits us from 2 to 4 October."),
    ("2026-09-15", "Ruth", "user", "We moved house."),
]


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    made, number = Workspace(rules=RULES), count(1)
    for collection, (names, told) in LIFE.items():
        starter = TYPES[collection]
        domain = made.domains.get(starter.domain) or Domain.new(starter.domain, "")
        domain = domain.define(collection, starter.text, starter=starter.name)
        for _, row in told:
            values = {name: value for name, value in zip(names.split(), row, strict=True) if value is not None}
            kind = domain.collections[collection].type
            domain = domain.add(collection, kind.coerce({**values, "source": [next(number)]}))
        made = made.with_domain(domain)
    return made


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Log]:
    said = [(day, "Ruth", "user", text) for _, told in LIFE.values() for (day, text), _ in told]
    with Log.open(tmp_path_factory.mktemp("log") / "log.sqlite") as opened:
        opened.append(
            Draft(text=text, speaker=speaker, role=role, said_at=date.fromisoformat(day), session=f"s{n}")
            for n, (day, speaker, role, text) in enumerate([*said, *UNREAD])
        )
        yield opened


@pytest.fixture
def asked(workspace: Workspace, engine: SealedEngine, log: Log) -> Any:
    return lambda question, today=TODAY: ask(question, workspace=workspace, engine=engine, log=log, today=today)


COMPUTED: list[tuple[str, Any]] = [
    # the user by name
    ("Where does Ruth work?", "Ty Glas School"),
    ("what is ruth's job?", "job as a teacher"),
    ("How many books did Ruth finish this year?", 2),
    ("What is Ruth allergic to?", "hazelnuts"),
    ("Did Ruth go to Lyon?", True),
    ("When does Ruth fly to Galway?", When("2026-10-23")),
    ("Does Ruth take any medicine?", True),
    ("Ruth's allergies", "hazelnut allergy"),
    ("How many goals does Ruth have?", 1),
    ("What is Ruth's email?", "ruth@tyglas.example"),
    # others
    ("Where does my husband work?", "Heath Hospital"),
    ("Who is a nurse?", "Idris (husband)"),
    ("What is Dewi allergic to?", "bee stings"),
    ("Which medicines does Dewi take?", "cetirizine 5 mg"),
    ("What is Gwen's phone number?", "07700900111"),
    ("How old is Gwen?", 41),
    ("When is my mother's birthday?", When("--11-02")),
    ("When is my mum's birthday?", When("--11-02")),
    ("Which book did Idris finish?", "Dune"),
    ("How many trips did Gwen take this year?", 1),
    ("Who came to Lyon with me?", "Idris (husband)"),
    # promises, to whom and by whom
    ("What did I promise Gwen?", "fix her fence"),
    ("What did I promise to Mari?", "lend the score of the Requiem"),
    ("What has Ben promised me?", "bring back the drill"),
    ("Which of my promises are still open?", "fix her fence"),
    # what is over, and what is not liked
    ("Do I still have piano lessons?", False),
    ("Do I have piano lessons?", False),
    ("What goals have I reached?", "reading a newspaper in Welsh"),
    ("What is my favourite tea?", "lapsang"),
    ("What do I dislike?", "coriander"),
    ("Do I like coriander?", False),
    ("Do I hate lapsang?", False),
    ("Who gave me the cello?", "grandmother"),
    ("How much money is on my Monzo account?", Money("1240", "GBP")),
    # all that there is at a time
    ("What happens on 30 September?", ["Principality savings account"]),
    ("What is on 29 September?", ["parents' evening"]),
    ("What takes place on 29 September?", ["parents' evening"]),
    (
        "What do I have in October?",
        ["school grant application", "rucksack", "teaching conference", "trip to Galway", "a half marathon under two hours"],
    ),
    ("Which appointments do I have?", ["dentist appointment", "parents' evening", "teaching conference"]),
    ("Where will I be on 8 October?", "Bristol"),
    ("Where am I on 25 October?", "Galway"),
    ("Where was I on 22 July?", "Lyon"),
    # the past, by the day it was told
    ("Where did I live in February 2026?", "Cardiff"),
    ("Where did we live in 2017?", "Bristol"),
    ("Did I live in Cardiff in May 2026?", True),
    ("Where did Gwen live in March 2026?", "Swansea"),
    # functions
    ("What is my weekly running?", 14),
    ("Who feeds Pickle when I am away?", "Mari"),
    ("Does Gwen feed Pickle?", False),
    ("Does Mari feed Pickle?", True),
]
UNSAID = [
    "What's Ben's number?",
    "What is Idris's email address?",
    "How far did Idris run in September?",
    "What did Gwen promise me?",
    "Am I in a choir?",
    "Is Gwen in a choir?",
    "Does Idris have any allergies?",
    "Who reviews my essays?",
    "Did I live in Cardiff in 2025?",
    "Will it rain?",
    "Who is Ruth?",
    "Who is it?",
    "Who was there?",
]


@pytest.mark.parametrize(("question", "value"), COMPUTED, ids=[q for q, _ in COMPUTED])
def test_computed(asked: Any, question: str, value: Any) -> None:
    answer: Answer = asked(question)
    assert (answer.channel, answer.value, answer.question) == ("computed", value, question), str(answer)


@pytest.mark.parametrize("question", UNSAID)
def test_not_recorded(asked: Any, question: str) -> None:
    answer: Answer = asked(question)
    assert (answer.channel, answer.value) == ("unknown", None), str(answer)


# question: what its note says
NOTES = [
    ("Where did I live in February 2026?", "this rests on the day it was told: Cardiff on Saturday, January 10, 2026"),
    ("Where do I live?", "“We moved house.”, which nobody has read"),
    ("What do I have in October?", "“Mari visits us from 2 to 4 October.”, which nobody has read"),
    ("How often do I go bouldering?", "“I gave bouldering up, my shoulder hurts.”, which nobody has read"),
    ("How much did I spend in June?", "of 1 purchase the price is not known: cello strings"),
    ("Who feeds Pickle when I am away?", "pickle_feeder, “Who feeds Pickle while Ruth is away: Mari, as long as Ruth lives"),
    ("How long have we had Pickle?", "see also the derived value pickle_feeder"),
]


@pytest.mark.parametrize(("question", "note"), NOTES)
def test_what_an_answer_rests_on_is_said(asked: Any, question: str, note: str) -> None:
    assert note in asked(question).note


def test_who_somebody_is_that_no_record_tells(typed: Any, log: Log) -> None:
    workspace = typed(
        {"people": ("id name", [("ben", "Ben")]), "contacts": ("id who name kind value", [("c", "ben", "Ben", "phone", "1")])}
    )
    with SealedEngine() as engine:
        engine.load(program(workspace))
        answer = ask("Who is Ben?", workspace=workspace, engine=engine, log=log, today=TODAY)
        assert answer.note.startswith("first spoken of: “Ben is a colleague at Ty Glas School.”")


def test_what_was_told_later_is_not_used(asked: Any) -> None:
    may = date(2026, 5, 10)
    assert asked("What trips do I have?", may).channel == "unknown"
    assert asked("How many books did I read this year?", may).value == 1
    assert "without what was told later" in asked("How many books did I read this year?", may).code
    assert asked("What is Gwen's phone number?", date(2026, 1, 15)).channel == "unknown"
    assert "entry" not in asked("Who wrote Stoner?", may).text


def test_the_log_is_quoted_of_whom_is_asked(asked: Any) -> None:
    assert asked("What does Gwen do on Mondays?").text.startswith("The log says: “Gwen does yoga on Mondays.”")
    unsaid = asked("Am I in a choir?").text
    assert "“I sing alto in the Canton choir every Tuesday since 2021”" in unsaid
    assert "Yes" not in unsaid


# question, what is said by whom, and whether it tells that
TELLS = [
    ("How many kilometres did Jonas run?", "I ran five kilometres. Jonas had to listen to me.", "Ann", False),
    ("How many kilometres did Jonas run?", "Jonas ran ten kilometres.", "Ann", True),
    ("How many kilometres did Jonas run?", "I ran ten kilometres.", "Jonas", True),
    ("What is Marit's phone number?", "my new phone number is 40 12 34 56", "Ann", False),
    ("What is Marit's phone number?", "I have Marit's phone number now: 40 12.", "Ann", True),
    ("What is Marit's phone number?", "Marit is back. Her phone number is 40 12.", "Ann", True),
    ("Where does my brother live?", "My brother Jonas lives in York.", "Ann", True),
    ("Where does my brother live?", "I live in York, and my brother is here.", "Ann", False),
    ("Where did I live?", "Jonas lives in York.", "Ann", False),
    ("Where did I live?", "I lived in York when Jonas was born.", "Ann", True),
    ("What gave me hives?", "Shellfish gave Jonas hives.", "Ann", True),  # nobody is asked about, so the words are shown
]


@pytest.mark.parametrize(("question", "text", "speaker", "tells"), TELLS)
def test_who_is_asked_about_has_to_be_who_is_spoken_of(question: str, text: str, speaker: str, tells: bool) -> None:
    people = (("my brother", ("jonas",)), ("jonas", ("jonas",)))
    about, _ = looked_for(question, TODAY)
    assert whom(question, people).told_by(text, speaker, about) is tells


NAMESAKES = [
    ("May", "What do I have in May?", ["dentist appointment"]),
    ("May", "Where does May live?", "Hull"),
    ("Will Rose", "When will Will fly to Rome?", When("2026-06-19")),
    ("Will Rose", "Where does Will Rose live?", "Hull"),
    ("Will Rose", "What will happen in June?", ["trip to Rome"]),
]


@pytest.mark.parametrize(("speaker", "question", "value"), NAMESAKES)
def test_a_name_that_is_another_word_too(tmp_path: Any, engine: Any, speaker: str, question: str, value: Any) -> None:
    with User.open("somebody", tmp_path, today=date(2026, 5, 10)) as user:
        for text in ("I live in Hull.", "I have a dentist appointment on 19 May at 9:15."):
            user.ingest(text, at="2026-05-01", speaker=speaker, me=speaker)
        user.ingest("I'm flying to Rome on 19 June, back on 22 June.", at="2026-05-01", speaker=speaker, me=speaker)
        user.checkpoint()
        assert user.ask(question).value == value


def test_somebody_recorded_by_the_name_of_the_user(typed: Any, log: Log) -> None:
    rows = {
        "people": ("id name relation", [("ruth-work", "Ruth", "colleague")]),
        "allergies": (
            "id who title avoids",
            [("nuts", "me", "nut allergy", ["nuts"]), ("eggs", "ruth-work", "egg allergy", ["eggs"])],
        ),
    }
    workspace = typed(rows)
    with SealedEngine() as engine:
        engine.load(program(workspace))
        answer = ask("What is Ruth allergic to?", workspace=workspace, engine=engine, log=log, today=TODAY)
        assert answer.value == "eggs"
        assert answer.note.endswith("Ruth (colleague) is meant, and not you")


def test_what_others_do_is_not_what_the_user_does(tmp_path: Path) -> None:
    told = {
        "2026-06-04": ["Tom flies to Paris on July 4.", "My son had lunch at Kin on June 3.", "Tom's sister plays the violin."],
        "2026-06-05": ["Dentist on June 11 at 9am."],
    }
    with User.open("ruth", tmp_path, today="2026-06-06") as user:
        for day, texts in told.items():
            user.ingest([{"text": text} for text in texts], at=day)
        user.checkpoint(reader="patterns")
        for question in (
            "Where will I be on July 4?",
            "Where was I on June 3?",
            "What did I do on June 3?",
            "Does Tom play the violin?",
        ):
            assert user.ask(question, model="patterns").channel == "unknown", question
        assert "dentist" in user.ask("What do I have in June?", model="patterns").text.lower()
