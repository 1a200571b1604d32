"""Questions over a life told in messages and read by patterns: what is computed, quoted, or said not to be recorded.

As of Wednesday, 14 October 2026. The answers were worked out by hand from the messages, before any was asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.rules import When
from uac_nb.runtime import available

TODAY = date(2026, 10, 14)

TOLD = [
    ("2026-02-03", "I live in Ghent since September 2023."),
    ("2026-02-03", "My brother Felix lives in Antwerp."),
    ("2026-02-05", "My sister Nora's birthday is 9 May 1994."),
    ("2026-02-10", "I'm allergic to shellfish."),
    ("2026-02-12", "I started taking levothyroxine 50 mcg in January 2025."),
    ("2026-03-01", "I bought a bike for 640 EUR at Decathlon on 27 February 2026."),
    ("2026-03-05", "I have a dentist appointment on 19 March at 9:15."),
    ("2026-03-20", "I have an eye doctor appointment on 22 April at 14:00."),
    ("2026-04-02", "Flying to Naples on 8 May, back on 13 May."),
    ("2026-05-20", "I finished reading Piranesi by Susanna Clarke."),
    ("2026-06-01", "I have a Netflix subscription for 12.99 EUR a month."),
    ("2026-06-15", "Felix's email is felix@example.org."),
    ("2026-06-15", "Dr. Maes's phone number is 09 555 12 34."),
    ("2026-07-01", "I'm flying to Oslo on 3 August, back on 10 August."),
    ("2026-07-20", "The trip to Oslo is cancelled."),
    ("2026-08-05", "I started taking ibuprofen 400 mg on 4 August 2026."),
    ("2026-08-20", "I stopped taking ibuprofen today."),
    ("2026-09-10", "I ran 8 km this morning."),
    ("2026-09-12", "I did yoga for 45 minutes today."),
    ("2026-09-16", "I ran 10 km yesterday."),
    ("2026-10-01", "I bought headphones for 199 EUR at Coolblue on 30 September 2026 and can return them within 30 days."),
    ("2026-10-01", "I bought a jacket for 80 GBP at Arket on 1 September 2026 and can return it within 14 days."),
    ("2026-10-02", "My passport expires on 4 March 2027."),
    ("2026-10-03", "I have a dentist appointment on 5 November at 8:30."),
    ("2026-10-04", "I have dinner with Felix on 24 October at 19:00."),
    ("2026-10-05", "My tax return is due on 31 October."),
    ("2026-10-05", "I work as a designer at Barco since May 2022."),
    ("2026-10-06", "I'm flying to Lisbon on 20 November, back on 24 November."),
]
# Told after the checkpoint, so that nobody has read it.
LATER = [
    ("2026-10-10", "Lisbon won't happen after all, work got in the way."),
    ("2026-10-11", "The dinner moved to the 25th."),
    ("2026-10-12", "A neighbour took the bike off my hands for 300 EUR."),
]
DINNER, BIKE, LISBON = "The dinner moved to the 25th.", "A neighbour took the bike off my hands", "Lisbon won't happen"

# question: what the answer says, of which nothing may be missing
ANSWERS: list[tuple[str, list[str]]] = [
    ("how many trips do I have coming up?", ["1", LISBON]),
    ("how many trips did I take in May?", ["1"]),
    ("how many trips did I make this year?", ["1"]),
    ("how many trips in the summer?", ["0"]),
    ("did I go to Oslo?", ["No"]),
    ("did I visit Naples?", ["Yes"]),
    ("when do I fly to Lisbon?", ["November 20", LISBON]),
    ("how long was I in Naples?", ["5"]),
    ("when was I in Naples?", ["May 8"]),
    ("which trip was called off?", ["Oslo"]),
    ("how many appointments did I have in March?", ["1"]),
    ("how many appointments in Q2?", ["1"]),
    ("how many appointments this year?", ["3"]),
    ("how many appointments between 1 March and 30 April?", ["2"]),
    ("how many appointments did I have last week?", ["0"]),
    ("how many appointments do I have next month?", ["1"]),
    ("when is my next dentist appointment?", ["November 5"]),
    ("when did I last see the dentist?", ["March 19"]),
    ("what time is my dentist appointment?", ["8:30"]),
    ("what's on my calendar for 24 October?", ["dinner", DINNER]),
    ("when am I having dinner with Felix?", ["October 24", DINNER]),
    ("who is Felix?", ["brother", "Antwerp"]),
    ("where does my brother live?", ["Antwerp"]),
    ("what is Felix's email?", ["felix@example.org"]),
    ("when is Nora's birthday?", ["May 9"]),
    ("am I allergic to shellfish?", ["Yes"]),
    ("do I still take ibuprofen?", ["No"]),
    ("am I on levothyroxine?", ["Yes"]),
    ("what medication am I taking?", ["levothyroxine"]),
    ("since when have I been taking levothyroxine?", ["January 2025"]),
    ("when did I stop ibuprofen?", ["August 20"]),
    ("how much did I pay for the headphones?", ["199"]),
    ("how much did I spend this year?", ["839", "80"]),
    ("how much have I spent at Coolblue?", ["199"]),
    ("what did I buy in September?", ["headphones", "jacket"]),
    ("how many things did I buy in 2026?", ["3"]),
    ("is my passport valid in April 2027?", ["No"]),
    ("what is due this month?", ["tax return"]),
    ("how long have I lived in Ghent?", ["3 years"]),
    ("how many kilometres did I run in September?", ["18"]),
    ("how many workouts did I do last month?", ["3"]),
    ("when did I last do yoga?", ["September 12"]),
    ("where do I work?", ["Barco"]),
]
# Nobody said so.
UNSAID = [
    "what is Felix's phone number?",
    "what is Nora's address?",
    "when was Felix born?",
    "can I eat shrimp?",
    "by when must the bike be returned?",
]
# Said in words that patterns do not read: a number or a name would be a guess.
UNREAD = [
    "how many subscriptions do I pay for?",
]

MORE: list[tuple[str, Any]] = [
    ("when do I have to return from Lisbon?", When("2026-11-24")),  # no thing that was bought
    # counts in any time
    ("what is the number of appointments in March?", 1),
    ("number of trips in May", 1),
    ("how many appointments in November?", 1),
    ("how many appointments in winter?", 0),
    ("how many appointments in spring?", 2),
    ("how many appointments in week 12?", 1),
    ("how many appointments in the week of 16 March?", 1),
    ("how many appointments on 19 March?", 1),
    ("how many dentist appointments have I had?", 1),
    ("how many trips next year?", 0),
    ("how many purchases in the third quarter?", 2),
    ("how many birthdays in May?", 1),  # of 1994, and every year
    # what is over
    ("am I still on ibuprofen?", False),
    ("do I still live in Ghent?", True),
]
NOT_COUNTED = [
    "how many unhappy trips?",
    "how many trips without Felix?",
    "how many business trips?",
    "how many red bikes did I buy?",
    "how many reservations do I have?",
    "what is my phone number?",
    "can I give back the bike?",
    "can I return the sofa?",
    "did I stop levothyroxine?",
]


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[User]:
    if not (boundary := available()).ok:
        pytest.skip(boundary.why)
    with User.open("maya", tmp_path_factory.mktemp("users"), today=TODAY) as opened:
        for day, text in TOLD:
            opened.ingest(text, at=day)
        opened.checkpoint()
        for day, text in LATER:
            opened.ingest(text, at=day)
        yield opened


@pytest.mark.parametrize(("question", "told"), ANSWERS, ids=[a[0] for a in ANSWERS])
def test_answered(user: User, question: str, told: list[str]) -> None:
    answer = user.ask(question)
    assert answer.channel == "computed"
    assert [words for words in told if words not in str(answer)] == [], str(answer)


@pytest.mark.parametrize(("question", "value"), MORE, ids=[m[0] for m in MORE])
def test_computed(user: User, question: str, value: Any) -> None:
    answer = user.ask(question)
    assert (answer.channel, answer.value) == ("computed", value), str(answer)


@pytest.mark.parametrize("question", [*UNSAID, *UNREAD, *NOT_COUNTED])
def test_not_recorded(user: User, question: str) -> None:
    answer = user.ask(question)
    assert (answer.channel, answer.value, answer.evidence) == ("unknown", None, ()), str(answer)


def test_a_price_that_a_frame_reads_is_computed(user: User) -> None:
    answer = user.ask("how much is Netflix?")
    assert (answer.channel, str(answer.value)) == ("computed", "€12.99")


def test_what_was_said_before_a_record_does_not_bear_on_it(tmp_path: Path) -> None:
    with User.open("maya", tmp_path, today=TODAY) as user:
        user.ingest("Naples would be too hot for me, I guess.", at="2026-03-30")
        user.ingest("Flying to Naples on 8 May, back on 13 May.", at="2026-04-02")
        user.ingest("Loved it all, even the weather.", at="2026-05-14")
        user.checkpoint()
        assert user.ask("when did I fly to Naples?").note == ""
        user.ingest("I never made it to Naples.", at="2026-05-20")
        assert user.ask("when did I fly to Naples?").note == (
            "not counted yet: entry 7 of Wednesday, May 20, 2026, “I never made it to Naples.”, which nobody has read"
        )


def test_what_waits_for_a_review_is_told_where_it_bears_on_an_answer(tmp_path: Path) -> None:
    with User.open("maya", tmp_path, today=TODAY) as user:
        user.ingest("I'm flying to Berlin on 10 November, back on the 14th.", at="2026-10-01")
        user.ingest("I'm allergic to shellfish.", at="2026-10-01")
        user.checkpoint()
        user.ingest("The trip to Berlin is cancelled.", at="2026-10-03")
        user.ingest("I'm flying to Rome on 20 November, back on the 24th.", at="2026-10-04")
        user.checkpoint(review="later")
        berlin, rome = (waiting.id for waiting in user.waiting())
        both = user.ask("how many trips do I have?").note
        assert f"“The trip to Berlin is cancelled.” (#{berlin})" in both
        assert f"back on the 24th.” (#{rome}), which wait for your review" in both
        assert user.ask("when do I fly to Berlin?").note.endswith(f"(#{berlin}), which waits for your review")
        assert user.ask("am I allergic to shellfish?").note == ""
        user.review(accept=[rome], refuse=[berlin])
        assert (user.ask("how many trips do I have?").value, user.ask("how many trips do I have?").note) == (2, "")
