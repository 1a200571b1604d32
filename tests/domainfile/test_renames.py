"""Fields, types and collections that are called otherwise: where they are said, and there alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.changes import Workspace
from uac_nb.domainfile import parts
from uac_nb.domainfile.records import make, values_of
from uac_nb.domainfile.renames import Renaming, renamed
from uac_nb.errors import CheckError

CLASS = "@dataclass(frozen=True, slots=True, kw_only=True)\nclass "
HEAD = '"""Travel."""\nfrom dataclasses import dataclass\n'
TRIP = f'''{HEAD}

{CLASS}Trip:  # starter: Trip
    """A Trip that has a cost."""
    id: str
    to: str
    cost: int | None = None  # cost, in euros
    source: tuple[int, ...]

    def dear(self, other: Trip) -> bool:
        cost = self.cost
        return (self.cost or 0) > 100 or other.cost == cost


{CLASS}Leg:
    id: str
    cost: int = 0
    trip: Trip | None = None
    source: tuple[int, ...]

# --- state ---

# the Trip I liked, cost=5
trips: list[Trip] = [
    Trip(id="oslo", to="Trip(cost=1)", cost=200, source=(1,)),  # cost=200
    Trip(
        id="rome", to="Rome",
        cost = 90, source=(2,),
    ),
    Trip(id="nara", to="Nara", source=(3,)),
]

legs: list[Leg] = [
    Leg(id="one", cost=20, trip=Trip(id="x", to="X", cost=1, source=(1,)), source=(1,)),
]
'''
PLANS = f'''"""Plans."""
from dataclasses import dataclass
from travel import Trip

{CLASS}Plan:
    id: str
    trips: tuple[Trip, ...] = ()
    cost: int = 0
    source: tuple[int, ...]

# --- state ---

plans: list[Plan] = [
    Plan(id="p", trips=(Trip(id="y", to="Y", cost=2, source=(1,)),), cost=3, source=(1,)),
]
'''
CARS = f'''"""Cars; no Trip."""
from dataclasses import dataclass

{CLASS}Car:
    id: str
    cost: int
    source: tuple[int, ...]

# --- state ---

cars: list[Car] = [
    Car(id="trips", cost=9000, source=(1,)),
]
'''
RULES = '''"""Mine."""
from collections.abc import Iterable, Iterator
from uac_nb.rules import Alert, rule
from travel import Trip


@rule("info")
def dear(trips: Iterable[Trip]) -> Iterator[Alert]:
    """A dear trip."""
    for trip in trips:
        if trip.to == "trips":
            yield Alert(f"{trip.to} of {len(list(trips))} trips", records=(trip.id,))


def helper(trips: list[int]) -> int:
    return len(trips)
'''
TESTS = '''"""Pins."""
from datetime import date
from rules import dear
from travel import Trip, trips
from uac_nb.rules import run


def test_len_trips() -> None:
    "len(trips)."
    assert len(trips) == 3
    assert not run(dear, {"trips": [Trip(id="z", to="Z", cost=1, source=(1,))], "cars": trips}, date(2025, 1, 1))
'''
FILES = {"travel.py": TRIP, "plans.py": PLANS, "cars.py": CARS, "rules.py": RULES, "test_jess.py": TESTS}
COST, TYPE, ALL = (Renaming("travel", *names) for names in (("cost", "price", "Trip"), ("Trip", "Tour"), ("trips", "tours")))


def swapped(text: str, *pairs: tuple[str, str]) -> str:
    """The text with each of these replaced, which has to be there."""
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


EXPECTED = [
    (
        COST,
        {
            "travel.py": swapped(
                TRIP,
                ("    cost: int | None", "    price: int | None"),
                ("self.cost", "self.price"),
                (", cost=200", ", price=200"),
                ("        cost = 90", "        price = 90"),
                ('"X", cost=1', '"X", price=1'),
            ),
            "plans.py": swapped(PLANS, ("cost=2", "price=2")),
            "test_jess.py": swapped(TESTS, ("cost=1", "price=1")),
        },
    ),
    (
        TYPE,
        {
            "travel.py": swapped(
                TRIP,
                ("class Trip:", "class Tour:"),
                ("other: Trip", "other: Tour"),
                ("trip: Trip |", "trip: Tour |"),
                ("list[Trip]", "list[Tour]"),
                ("Trip(id", "Tour(id"),
                ("    Trip(\n", "    Tour(\n"),
            ),
            "plans.py": swapped(PLANS, ("import Trip", "import Tour"), ("tuple[Trip", "tuple[Tour"), ("(Trip(", "(Tour(")),
            "rules.py": swapped(RULES, ("import Trip", "import Tour"), ("Iterable[Trip]", "Iterable[Tour]")),
            "test_jess.py": swapped(TESTS, ("import Trip,", "import Tour,"), ("[Trip(", "[Tour(")),
        },
    ),
    (
        ALL,
        {
            "travel.py": swapped(TRIP, ("trips: list", "tours: list")),
            "rules.py": swapped(
                RULES, ("dear(trips", "dear(tours"), ("in trips:", "in tours:"), ("len(list(trips", "len(list(tours")
            ),
            "test_jess.py": swapped(
                TESTS,
                ("Trip, trips", "Trip, tours"),
                ("t len(trips)", "t len(tours)"),
                ('{"trips"', '{"tours"'),
                (": trips}", ": tours}"),
            ),
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("renaming", "changed"), EXPECTED, ids=str)
def test_all_that_says_it_says_it_anew_and_back_again(renaming: Renaming, changed: dict[str, str]) -> None:
    assert renamed(FILES, renaming) == {**FILES, **changed}
    back = Renaming(renaming.home, renaming.new, renaming.old, renaming.type)
    assert renamed(renamed(FILES, renaming), back) == FILES


@pytest.mark.parametrize(("renaming", "changed"), EXPECTED, ids=str)
def test_what_is_done_by_hand_already_is_left_alone(renaming: Renaming, changed: dict[str, str]) -> None:
    assert renamed({**FILES, **changed}, renaming) == {**FILES, **changed}
    for path, text in changed.items():
        assert renamed({**FILES, path: text}, renaming) == {**FILES, **changed}


@pytest.mark.parametrize("renaming", [COST, TYPE, ALL], ids=str)
def test_the_records_are_the_same(renaming: Renaming) -> None:
    before = Workspace.from_files(FILES)
    after = before.rename(renaming)
    assert [f.record.id for f in after.all()] == [f.record.id for f in before.all()]
    name = "tours" if renaming is ALL else "trips"
    assert [(t.id, t.price if renaming is COST else t.cost) for t in after.records(name)] == [
        ("oslo", 200), ("rome", 90), ("nara", None),
    ]  # fmt: skip
    assert after.domains["cars"] is before.domains["cars"]


def test_a_domain_that_cannot_be_read_is_said_and_other_files_are_let_be() -> None:
    with pytest.raises(CheckError, match=r"travel\.py:\d+: "):
        renamed({**FILES, "travel.py": TRIP + "trips(\n"}, COST)
    broken = {**FILES, "rules.py": RULES + "def trips(\n"}
    assert renamed(broken, ALL)["rules.py"] == broken["rules.py"]


# --- a domain that outgrew one file ---


DATED = swapped(
    TRIP,
    ("import dataclass\n", "import dataclass\nfrom uac_nb.rules import When\n"),
    ("    cost: int | None", "    on: When | None = None\n    cost: int | None"),
)


def split() -> Workspace:
    workspace = Workspace.from_files({"travel.py": DATED})
    domain = workspace.domains["travel"]
    for year in (2021, 2022, 2023):
        record: dict[str, Any] = {"id": f"t{year}", "to": "Ely", "on": str(year), "cost": year, "source": [1]}
        domain = domain.add("trips", make(domain.types["Trip"], record))
        workspace = workspace.with_domain(domain)
        domain = workspace.domains["travel"]
    return workspace


@pytest.mark.parametrize(
    ("renaming", "there", "gone"),
    [
        (COST, 'Trip(id="t2023", to="Ely", on=When("2023"), price=2023, source=(1,))', "cost=2023"),
        (TYPE, "trips_2023: list[Tour] = [", "trips_2023: list[Trip]"),
        (ALL, "tours_2023: list[Trip] = [", "trips_2023"),
    ],
    ids=str,
)
def test_all_files_of_a_split_domain_follow(monkeypatch: pytest.MonkeyPatch, renaming: Renaming, there: str, gone: str) -> None:
    monkeypatch.setattr(parts, "MOST", 2)
    before = split()
    after = before.rename(renaming)
    texts = "\n".join(after.files().values())
    assert there in texts
    assert gone not in texts
    name, new = ("tours", "Tour") if renaming is ALL else ("trips", "Tour" if renaming is TYPE else "Trip")
    assert {p for p in after.files() if "/" in p} == {p.replace("trips", name) for p in before.files() if "/" in p}
    record = {"id": "later", "to": "Oslo", "on": "2023", "source": [1]}
    kind = after.collections[name].type
    assert kind.name == (new if renaming is TYPE else "Trip")
    grown = after.with_domain(after.domains["travel"].add(name, make(kind, record)))
    assert [r.id for r in grown.records(name)][:2] == ["t2023", "later"]
    assert Workspace.from_files(grown.files()).domains == grown.domains
    assert after.rename(Renaming("travel", renaming.new, renaming.old, renaming.type)).files() == before.files()


# --- whatever the records hold ---

WORDS = st.text(max_size=12) | st.sampled_from(["cost", "price", "Trip(cost=1)", "self.cost", '"""', "# cost=1"])
RECORDS = st.lists(st.fixed_dictionaries({"to": WORDS, "cost": st.none() | st.integers(-9, 9**9)}), max_size=6)


@given(RECORDS, st.sampled_from(["price", "c", "a_much_longer_name_than_before", "überpreis"]))
def test_renamed_and_renamed_back_gives_the_same_bytes_and_the_same_records(records: list[dict[str, Any]], new: str) -> None:
    workspace = Workspace.from_files(FILES)
    for number, values in enumerate(records):
        domain = workspace.domains["travel"]
        record = make(domain.types["Trip"], {**values, "id": f"t{number}", "source": [1]})
        workspace = workspace.with_domain(domain.add("trips", record))
    there = workspace.rename(Renaming("travel", "cost", new, "Trip"))
    for old, other in zip(workspace.records("trips"), there.records("trips"), strict=True):
        assert values_of(other) == {new if name == "cost" else name: value for name, value in values_of(old).items()}
    back = there.rename(Renaming("travel", new, "cost", "Trip"))
    assert back.files() == workspace.files()
    assert back.records("trips") == workspace.records("trips")
    assert Workspace.from_files(there.files()).records("trips") == there.records("trips")
