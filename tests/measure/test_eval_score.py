"""The scorer of `eval told`: 1.00 for what was meant, and for each error in it just so much less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from uac_nb.measure.eval.days import Told, day, just
from uac_nb.measure.eval.generate import generate
from uac_nb.measure.eval.kept import FIELDS, OVER, STATUS, Row, holds
from uac_nb.measure.eval.kinds import KINDS
from uac_nb.measure.eval.score import score
from uac_nb.measure.eval.story import Decoy, Line, Story, Truth
from uac_nb.rules import Money, When
from uac_nb.starter import TYPES

ON = date(2024, 3, 13)


def thirteenth() -> Told:
    return day("on the 13th", ON)


LISBON = Truth(
    "trip-0",
    "trip",
    ("Lisbon",),
    {"place": ("Lisbon",), "on": thirteenth(), "until": day("to the 17th", date(2024, 3, 17)), "party": ("Ana",)},
    "done",
    ("repeat",),
    (0, 1),
)
KETTLE = Truth(
    "purchase-1",
    "purchase",
    ("red kettle",),
    {"title": ("red kettle",), "on": just(ON), "money": Money(45, "EUR"), "shop": ("Pell Home",)},
    "kept",
    ("vague date",),
    (2,),
)
LUNCH = Truth(
    "meal-2",
    "meal",
    ("Café Bruma",),
    {"place": ("Café Bruma",), "kind": ("lunch",), "on": thirteenth()},
    "cancelled",
    ("cancellation",),
    (3,),
)
RUN = Truth(
    "workout-3", "workout", ("run", "running"), {"kind": ("run", "running"), "on": thirteenth()}, "done", ("plain",), (4,)
)
SAM = Truth(
    "contact-4",
    "contact",
    ("020 123 4567", "Sam choir"),
    {"party": ("Sam choir",), "value": ("020 123 4567",)},
    "current",
    ("same name",),
    (5,),
)
PILL = Decoy("not-medicine-0", "medicine", ("ibuprofen",), "negation", False, (6,))
TENT = Decoy("not-purchase-1", "purchase", ("tent",), "fell through", True, (7,))
PORTO = Decoy("not-trip-2", "trip", ("Porto",), "other person", False, (8,))
TRUTHS, DECOYS = (LISBON, KETTLE, LUNCH, RUN, SAM), (PILL, TENT, PORTO)
STORY = Story(0, (ON,), tuple(Line(0, ON, "user", f"line {n}") for n in range(10)), TRUTHS, DECOYS)

KEPT = {
    "trip": Row(
        "trips",
        {
            "title": "trip to Lisbon",
            "to": "Lisbon",
            "departs": When("2024-03-13"),
            "returns": When("2024-03-17"),
            "who": "me",
            "others": ("ana",),
            "status": "done",
        },
        (0, 1),
    ),
    "purchase": Row(
        "purchases",
        {
            "title": "red kettle",
            "bought": When("2024-03-13~"),
            "price": Money("45.00", "EUR"),
            "shop": "Pell Home",
            "who": "me",
            "decision": "undecided",
        },
        (2,),
    ),
    "meal": Row(
        "commitments", {"title": "lunch at Cafe Bruma", "on": When("2024-03-13"), "who": "me", "status": "cancelled"}, (3,)
    ),
    "workout": Row("workouts", {"title": "morning run", "on": When("2024-03-13"), "kind": "running", "who": "me"}, (4,)),
    "contact": Row(
        "contacts", {"name": "Sam", "kind": "phone", "value": "0201234567", "who": "sam-2", "status": "current"}, (5,)
    ),
    "person": Row("people", {"id": "sam-2", "name": "Sam", "relation": "friend from the choir"}, (5,)),
}
TOLD = sum(len(truth.fields) + 1 for truth in TRUTHS)  # and a status each
assert TOLD == 20


def kept(**changed: Any) -> list[Row]:
    """What was meant, and some records of it otherwise: a Row, None (missing), or values that replace some."""
    rows = dict(KEPT)
    for name, change in changed.items():
        if isinstance(change, dict):
            rows[name] = replace(rows[name], values={**rows[name].values, **change})
        else:
            rows[name] = change
    return [row for row in rows.values() if row]


def figures(rows: list[Row]) -> tuple[int, int, int]:
    """Records found, false records, wrong fields."""
    all = score(STORY, rows).all
    return all.found, all.false, all.fields - all.right


def test_what_was_meant_scores_one() -> None:
    found = score(STORY, kept())
    assert [match.truth for match in found.matches] == list(TRUTHS)
    assert (found.all.precision, found.all.recall, found.all.accuracy) == (1, 1, 1)
    assert (found.all.fields, found.elsewhere) == (TOLD, {"people": 1})


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"trip": {"departs": When("2024-03-12")}}, (5, 0, 1)),
        ({"trip": {"departs": When("2024-03")}}, (5, 0, 1)),
        ({"purchase": {"bought": When("2024-03-13")}}, (5, 0, 1)),  # narrower than "just"
        ({"purchase": {"price": Money(54, "EUR")}}, (5, 0, 1)),
        ({"purchase": {"price": Money(45, "USD")}}, (5, 0, 1)),
        ({"purchase": {"price": None}}, (5, 0, 1)),
        ({"purchase": {"shop": "Pell Market"}}, (5, 0, 1)),
        ({"purchase": {"decision": "returned"}}, (5, 0, 1)),
        ({"meal": {"status": "done"}}, (5, 0, 1)),  # cancelled, told as held
        ({"meal": {"status": "agreed"}}, (5, 0, 1)),
        ({"meal": {"title": "dinner at Café Bruma"}}, (5, 0, 1)),
        ({"trip": {"others": ()}}, (5, 0, 1)),
        ({"workout": {"minutes": 30}}, (5, 0, 1)),  # nobody said how long
        ({"meal": {"until": When("2024-03-13")}}, (5, 0, 0)),  # it was called off
        ({"contact": {"until": When("2024-03-13")}}, (5, 0, 1)),
        ({"contact": {"until": When("../2024-03-13")}}, (5, 0, 0)),
        ({"workout": {"on": When("2024-03-14")}}, (5, 0, 1)),
        ({"person": {"relation": "friend from the bakery"}}, (5, 0, 1)),  # the other Sam
        ({"contact": {"value": "020 123 4568"}}, (5, 0, 1)),
        ({"trip": None}, (4, 0, 0)),
        ({"trip": {"who": "ana"}}, (4, 0, 0)),  # hers alone
        ({"trip": {"who": "ana", "others": ("me",)}}, (5, 0, 0)),
        ({"trip": {"to": "Porto", "title": "trip to Porto"}}, (4, 1, 0)),
        ({"more": Row("trips", {"to": "Rome", "departs": When("2024-03"), "who": "me", "status": "done"}, (9,))}, (5, 1, 0)),
        (
            {"more": Row("trips", {"to": "Porto", "departs": When("2024-03"), "who": "brother", "status": "done"}, (8,))},
            (5, 0, 0),
        ),
        ({"more": Row("trips", {"to": "Porto", "departs": When("2024-03"), "who": "me", "status": "done"}, (8,))}, (5, 1, 0)),
        ({"more": Row("medicines", {"title": "ibuprofen", "who": "me", "status": "stopped"}, (6,))}, (5, 1, 0)),
        ({"more": Row("plans", {"title": "buy a tent", "who": "me", "status": "cancelled"}, (7,))}, (5, 0, 0)),
        ({"more": Row("plans", {"title": "buy a tent", "who": "me", "status": "agreed"}, (7,))}, (5, 1, 0)),
        ({"more": Row("meals", {"title": "lunch at Café Bruma", "on": When("2024-03-13"), "who": "me"}, (3,))}, (5, 1, 0)),
        ({"more": Row("notes", {"title": "likes rain"}, (9,))}, (5, 0, 0)),
    ],
)
def test_each_error_costs_what_it_should(changed: dict[str, Any], expected: tuple[int, int, int]) -> None:
    assert figures(kept(**changed)) == expected


def test_with_its_day_a_first_name_says_which_meeting() -> None:
    party = Truth(
        "meeting-9",
        "meeting",
        ("roof review", "Sam physio", "Sam"),
        {"party": ("Sam physio",), "on": thirteenth()},
        "done",
        ("same name",),
        (9,),
    )
    other = Decoy("not-meeting-3", "meeting", ("audit", "Sam choir", "Sam"), "negation")
    story = replace(STORY, truths=(party,), decoys=(other,))
    row = Row("meetings", {"title": "meeting with Sam", "others": ("Sam",), "on": When("2024-03-13"), "who": "me"}, (9,))
    found = score(story, [row])
    assert [check.field for check in found.matches[0].checks if not check.right] == ["party"]
    assert score(story, [replace(row, values={**row.values, "on": When("2024-05-13")})]).missed == (party,)


def test_figures_follow_from_the_counts() -> None:
    more = Row("trips", {"to": "Porto", "departs": When("2024-03"), "who": "me", "status": "done"}, (8,))
    found = score(STORY, kept(meal=None, purchase={"price": None}, more=more))
    assert (found.all.precision, found.all.recall) == (4 / 5, 4 / 5)
    assert found.all.accuracy == (TOLD - len(LUNCH.fields) - 1 - 1) / (TOLD - len(LUNCH.fields) - 1)
    assert found.missed == (LUNCH,)
    assert found.kinds()["trip"].precision == 1 / 2
    assert found.kinds()["meal"].recall == 0
    assert found.troubles()["other person"].false == 1
    assert found.troubles()["cancellation"].recall == 0
    assert found.troubles()["vague date"].accuracy == 4 / 5


def test_a_record_that_nothing_tells_is_counted_to_small_talk() -> None:
    (wrong,) = score(STORY, kept(more=Row("events", {"title": "rain", "who": "me"}, (9,)))).false
    assert (wrong.about, wrong.troubles, wrong.kind) == (None, ("small talk",), "meal")


def test_two_of_one_name_are_told_apart_by_their_days() -> None:
    later = replace(
        RUN, id="workout-9", fields={"kind": ("run", "running"), "on": day("on 10 May", date(2024, 5, 10))}, lines=(9,)
    )
    story = replace(STORY, truths=(RUN, later), decoys=())
    row = KEPT["workout"]
    runs = [replace(row, values={**row.values, "on": When(on)}) for on in ("2024-05-10", "2024-03-13")]
    assert [str(match.row.values["on"]) for match in score(story, runs).matches] == ["2024-03-13", "2024-05-10"]
    found = score(story, [runs[0], replace(row, values={**row.values, "on": When("2024-08-01")})])
    assert (found.all.found, found.all.false, found.missed) == (1, 1, (RUN,))


# --- the same for whole stories, kept in the starter's own types ---


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_story_kept_as_it_was_meant_scores_one(seed: int) -> None:
    story = generate(seed, 40, 12)
    found = score(story, ideal(story))
    assert found.missed == ()
    assert found.false == ()
    assert [check for match in found.matches for check in match.checks if not check.right] == []
    assert all(match.row.values["id"] == match.truth.id for match in found.matches)


@pytest.mark.parametrize("seed", [1, 2])
def test_each_record_that_is_left_out_is_missed_and_no_other(seed: int) -> None:
    story = generate(seed, 24, 6)
    rows = ideal(story)
    for truth in story.truths:
        found = score(story, [row for row in rows if row.values["id"] != truth.id])
        assert (found.missed, found.false) == ((truth,), ())


def break_date(values: dict[str, Any]) -> dict[str, Any]:
    field = next(name for name in ("departs", "bought", "on", "since", "until") if values.get(name))
    return {**values, field: When(date.fromordinal(values[field].last.toordinal() + 2))}


def break_status(values: dict[str, Any]) -> dict[str, Any]:
    field = "decision" if "decision" in values else "status"
    return {**values, field: "returned" if values[field] == "undecided" else "another"}


def break_money(values: dict[str, Any]) -> dict[str, Any]:
    field = next(name for name in ("price", "cost") if values.get(name))
    return {**values, field: Money(values[field].amount + 1, values[field].currency)}


@pytest.mark.parametrize("broken", [break_date, break_status, break_money])
def test_each_wrong_field_of_a_story_costs_one_field(broken: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    story = generate(3, 40, 12)
    rows = ideal(story)
    tried = 0
    for at, row in enumerate(rows):
        try:
            values = broken(dict(row.values))
        except (StopIteration, KeyError):
            continue
        found = score(story, [*rows[:at], replace(row, values=values), *rows[at + 1 :]])
        assert (found.all.recall, found.all.precision, found.all.fields - found.all.right) == (1, 1, 1), values
        tried += 1
    assert tried >= 4


def ideal(story: Story) -> list[Row]:
    return [Row("people", person) for person in people(story).values()] + [record(truth, story) for truth in story.truths]


def people(story: Story) -> dict[str, dict[str, Any]]:
    """A record of each person who shares a first name, told apart by relation alone."""
    shared = [truth.fields["party"][0] for truth in story.truths if "same name" in truth.troubles]  # type: ignore[index]
    return {
        who: {"id": who.replace(" ", "-").lower(), "name": who.split()[0], "relation": f"knows from the {who.split()[1]}"}
        for who in shared
    }


def record(truth: Truth, story: Story) -> Row:
    """A truth as a record of the starter's type, built and checked by that type."""
    collection = KINDS[truth.kind].collections[0]
    if truth.status in ("ahead", "cancelled") and truth.kind in ("meal", "meeting"):
        collection = "commitments"
    cls = TYPES[collection].cls
    names = cls.__annotations__
    values: dict[str, Any] = {"id": truth.id, "source": tuple(n + 1 for n in truth.lines)}
    if "status" in names:
        values["status"] = next(s for s in STATUS[truth.status] if s in names["status"])
    if truth.status == "returned":
        values["decision"] = "returned"
    titles = []
    for name, value in truth.fields.items():
        plain = value.when if isinstance(value, Told) else value[-1] if isinstance(value, tuple) else value
        if name == "party":
            who = people(story)[value[0]]["id"] if value[0] in people(story) else value[0]  # type: ignore[index]
            values |= {"name": value[0].split()[0], "who": who} if truth.kind == "contact" else {"others": (who,)}  # type: ignore[index]
            continue
        field = next((f for f in FIELDS.get(name, (name,)) if f in names), None)
        if field:
            values[field] = plain
        if isinstance(value, tuple) and (field is None or name == "kind"):
            titles.append(str(plain))
    if "title" in names:
        values.setdefault("title", " ".join([truth.kind, *titles]))
    for name, needed in (("kind", "phone"), ("bought", When("../2030"))):
        if name in names and "=" not in TYPES[collection].text.split(f"    {name}: ")[1].split("\n")[0]:
            values.setdefault(name, needed)
    return Row(collection, as_dict(cls(**values)), truth.lines)


def as_dict(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in type(record).__annotations__}


# --- words and days of a record ---


@pytest.mark.parametrize(
    ("text", "phrase", "held"),
    [
        ("Lunch at CAFÉ Bruma", "cafe bruma", True),
        ("10mg", "10 mg", True),
        ("110 mg", "10 mg", False),
        ("brunch", "run", False),
        ("hike at Dome", "the Dome", True),
        ("(020) 123-4567", "020 123 4567", True),
        ("020 123 4568", "020 123 4567", False),
        ("Sam@Example.org", "sam@example.org", True),
        ("sam2@example.org", "sam@example.org", False),
    ],
)
def test_a_phrase_is_held_by_its_words(text: str, phrase: str, held: bool) -> None:
    assert holds(text, phrase) is held


def test_the_table_of_status_covers_all_that_can_become_of_a_record() -> None:
    assert {status for kind in KINDS.values() for status in kind.status.values()} == set(STATUS)
    known = "".join(TYPES[name].text for kind in KINDS.values() for name in kind.collections)
    assert [word for words in (*STATUS.values(), OVER) for word in words if f'"{word}"' not in known] == []


def test_every_collection_and_field_of_the_tables_exists() -> None:
    types = [TYPES[name].cls.__annotations__ for kind in KINDS.values() for name in kind.collections]
    assert all(any(field in names for names in types) for fields in FIELDS.values() for field in fields)
