"""Domain files: what is read, what is refused, and that a change touches its own lines only."""

from __future__ import annotations

from datetime import date, time
from decimal import Decimal
from typing import Any

import pytest

from uac_nb.domainfile.annotations import MISSING
from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.names import check_names
from uac_nb.domainfile.records import NOTE, make, values_of
from uac_nb.domainfile.render import render_record, render_value
from uac_nb.errors import CheckError
from uac_nb.rules import Money, Note, Said, When

TRAVEL = '''\
"""Travel: documents and trips."""
from dataclasses import dataclass, field
from datetime import date, time
from decimal import Decimal
from typing import ClassVar, Literal
from uac_nb.rules import Money, Said, When

Mood = Literal["glad", "sad"]
LIMIT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    to: str
    on: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:                     # starter: Trip
    """One journey away from home."""
    KIND: ClassVar[str] = "trip"
    id: str
    who: str = "me"             # id of a Person
    to: str                     # where to, # a city
    departs: When
    at: time | None = None
    mood: Mood = "glad"
    legs: tuple[Leg, ...] = ()
    cost: Money | None = None
    says: tuple[Said, ...] = ()
    share: Decimal = Decimal("0.50")
    tags: dict[str, int] = field(default_factory=dict)
    source: tuple[int, ...]     # the entries that say so

    @property
    def long(self) -> bool:
        """# --- state ---"""
        return len(self.legs) > LIMIT

# --- state ---

# my trips
trips: list[Trip] = [
    Trip(id="lisbon", to="Lisbon", departs=When("2025-03-10"), source=(2,)),
    # the long one
    Trip(
        id="tokyo",
        who="ann",
        to="T\\u014dky\\u014d 🗼",
        departs=When("2025"),
        at=time(15, 30),
        mood="sad",
        legs=(Leg(to="Osaka"), Leg(to="Nara", on=When("2025-05"))),
        cost=Money("1200.50", "EUR"),  # with the hotel
        says=(Said("so far", 7),),
        share=Decimal("0.25"),
        tags={"bags": 2, "cats": -1},
        source=(7, 9),
    ),
    Trip(id="rome", to='Rome "for' " ever", departs=When("../2021")),  # by hand
]

plans: list[Trip] = []
'''


def parse(text: str = TRAVEL, **known: Any) -> Domain:
    return Domain.parse("travel", text, known)


def test_types() -> None:
    domain = parse()
    trip = domain.types["Trip"]
    assert domain.doc == "Travel: documents and trips."
    assert list(domain.types) == ["Leg", "Trip"]
    assert (trip.doc, trip.starter, trip.domain) == ("One journey away from home.", "Trip", "travel")
    assert domain.types["Leg"].starter is None
    assert [(f.name, str(f.type), f.default) for f in trip.fields] == [
        ("id", "str", MISSING),
        ("who", "str", "me"),
        ("to", "str", MISSING),
        ("departs", "When", MISSING),
        ("at", "time | None", None),
        ("mood", 'Literal["glad", "sad"]', "glad"),
        ("legs", "tuple[Leg, ...]", ()),
        ("cost", "Money | None", None),
        ("says", "tuple[Said, ...]", ()),
        ("share", "Decimal", Decimal("0.50")),
        ("tags", "dict[str, int]", {}),
        ("source", "tuple[int, ...]", MISSING),
    ]
    assert [trip.by_name[name].comment for name in ("who", "to", "departs")] == ["id of a Person", "where to, # a city", ""]
    assert {name: c.type for name, c in domain.collections.items()} == {"trips": trip, "plans": trip}


def test_records() -> None:
    domain = parse()
    lisbon, tokyo, rome = domain.records("trips")
    leg = domain.types["Leg"]
    assert values_of(tokyo) == {
        "id": "tokyo",
        "who": "ann",
        "to": "Tōkyō 🗼",
        "departs": When("2025"),
        "at": time(15, 30),
        "mood": "sad",
        "legs": (leg.build({"to": "Osaka"}), leg.build({"to": "Nara", "on": When("2025-05")})),
        "cost": Money("1200.50", "EUR"),
        "says": (Said("so far", 7),),
        "share": Decimal("0.25"),
        "tags": {"bags": 2, "cats": -1},
        "source": (7, 9),
    }
    assert (lisbon.who, lisbon.share, lisbon.tags) == ("me", Decimal("0.50"), {})
    assert (rome.to, rome.source) == ('Rome "for ever', ())
    assert domain.records("plans") == ()
    assert domain.find("tokyo") is tokyo
    assert domain.find("paris") is None
    assert [domain.line_of(r.id) for r in domain.records("trips")] == [44, 46, 60]
    assert domain.collection_of("rome") == "trips"


def test_definitions_are_the_text_above_the_line() -> None:
    assert parse().definitions == TRAVEL[: TRAVEL.index("\n# --- state ---") + 1]


def test_notes_are_a_known_type() -> None:
    text = '"""Notes."""\nfrom uac_nb.rules import Note\n\n# --- state ---\n\nnotes: list[Note] = []\n'
    notes = Domain.parse("notes", text)
    assert notes.collections["notes"].type is NOTE
    added = notes.add("notes", make(NOTE, {"id": "n1", "text": "likes rain", "source": [4]}))
    assert added.text == text.replace("[]\n", '[\n    Note(id="n1", text="likes rain", source=(4,)),\n]\n')
    assert added.records("notes") == (Note(id="n1", text="likes rain", source=(4,)),)


def test_a_type_of_another_domain() -> None:
    people = Domain.new("people", "People.").define("people", "class Person:\n    id: str\n    source: tuple[int, ...]\n")
    text = (
        "from dataclasses import dataclass\nfrom people import Person\n\n\n"
        "@dataclass(frozen=True, slots=True, kw_only=True)\nclass Team:\n    id: str\n    boss: Person\n"
        '\n# --- state ---\n\nteams: list[Team] = [\n    Team(id="a", boss=Person(id="ann", source=(1,))),\n]\n'
    )
    (team,) = Domain.parse("work", text, people.types).records("teams")
    assert team.boss == people.types["Person"].build({"id": "ann", "source": (1,)})
    with pytest.raises(CheckError, match="Person is no type that a field can have"):
        Domain.parse("work", text)


# --- what is refused ---

HEAD = """\
from dataclasses import dataclass
from uac_nb.rules import Money, When

@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    id: str
    to: str
    departs: When | None = None
    days: int = 0
    others: tuple[str, ...] = ()

# --- state ---

"""

BAD_VALUES = {
    'Trip(id="a", t="x", to="y")': "Trip has no field 't'; did you mean 'to'?",
    'Trip(id="a", towards="x", to="y")': "Trip has no field 'towards'; it has id, to, departs, days, others",
    'Trip(id="a")': "Trip needs 'to'; add to, of type str",
    'Trip("a", to="x")': "a value of Trip without its field; write field=value",
    'Trip(id="a", to="x", to="y")': "to is given twice; leave out one of them",
    'Trip(id="a", to=3)': "to: 3 where text belongs; write it in quotes",
    'Trip(id="a", to="x", departs="2025")': 'departs: text where When belongs; write When("2025")',
    'Trip(id="a", to="x", departs=When("2025-13"))': "When('2025-13') is no When; write it as 2025-03-10, 2025-03, 2025, ",
    'Trip(id="a", to="x", departs=Money(1, "EUR"))': 'departs: Money("1", "EUR") where When belongs',
    'Trip(id="a", to="x", departs=date(2025, 3, 1))': "date is not imported; import it above: date",
    'Trip(id="a", to="x", days=1.5)': "days: 1.5 is not a whole number; write it without the point, or make the field a float",
    'Trip(id="a", to="x", days=True)': "days: True where int belongs",
    'Trip(id="a", to="x", days=1 + 1)': "1 + 1 is not a value; write it out, as text, number, date, tuple or record",
    'Trip(id="a", to="x", others=["b"])': "others: a list where a tuple belongs; write (…,) instead of […]",
    'Trip(id="a", to="x", others=("b", 1))': "others[1]: 1 where text belongs; write it in quotes",
    'Trip(id="a", to="x", others=("b"))': "others: 'b' where tuple[str, ...] belongs",
    'Trip(id="a", to=f"{x}")': "f'{x}' is not a value; write it out, as text, number, date, tuple or record",
    'Trip(id="a", to=open("x"))': "open(…) is not a value; write it out",
    'Trip(id="a", to=Whenn("x"))': "Whenn(…) is not a value; did you mean 'When'?",
    'Trip(id="a", to=b"x")': "b'x' is not a value; write it out, as text, number, date, tuple or record",
    'Trip(id="a", **more)': "Trip has no field '**'; it has id, to, departs, days, others",
    'Visa(id="a")': "Visa(id='a') is no Trip; write out each record: Trip(id=…)",
    "*more": "*more is no Trip; write out each record: Trip(id=…)",
    '(Trip(id="a", to="x"))': "( around a record; leave out the brackets",
}


def told(error: CheckError) -> list[str]:
    return [f"{d.where}: {d.message}" + (f"; {d.hint}" if d.hint else "") for d in error.diagnostics]


@pytest.mark.parametrize("value", BAD_VALUES)
def test_a_bad_record(value: str) -> None:
    with pytest.raises(CheckError) as refused:
        parse(f"{HEAD}trips: list[Trip] = [\n    {value},\n]\n")
    assert told(refused.value)[0].startswith(f"travel.py:15: {BAD_VALUES[value]}")


BAD_STATE = {
    "trips = []": (14, "trips = [] is no collection; below the line stand only collections, as in trips: list[Trip] = [...]"),
    "import os": (14, "import os is no collection; below the line stand only collections, as in trips: list[Trip] = [...]"),
    "trips: list[Trap] = []": (14, "trips: list[Trap] is no list of records; write list[...] of a type above the line: Trip"),
    "trips: list[Trip] = Trip": (14, "trips is no list of records; write trips: list[Trip] = [...]"),
    "Trips: list[Trip] = []": (14, "a collection cannot be called 'Trips': write lower-case letters, digits and _; choose"),
    "trips: list[Trip] = []\ntrips: list[Trip] = []": (15, "there are two collections 'trips'; put their records into one"),
    'trips: list[Trip] = [\n    Trip(id="a", to="x"),\n]\nothers: list[Trip] = [\n    Trip(id="a", to="y"),\n]':
        (18, "the id 'a' is taken; line 15 has it too; ids are unique"),
    "trips: list[Trip] = [\n    Trip(id='a'\n]": (16, "closing parenthesis ']' does not match opening parenthesis '('"),
    "trips: list[Trip] = []\r": (14, "a carriage return; save the file with plain line ends"),
}  # fmt: skip


@pytest.mark.parametrize("state", BAD_STATE)
def test_bad_state(state: str) -> None:
    line, message = BAD_STATE[state]
    with pytest.raises(CheckError) as refused:
        parse(f"{HEAD}{state}\n")
    assert told(refused.value)[0].startswith(f"travel.py:{line}: {message}")


FRAME = """\
from dataclasses import dataclass, field
from uac_nb.rules import Money
{decorator}
class Trip{bases}:
    id: str
{body}

# --- state ---

trips: list[Trip] = []
"""
RIGHT = "@dataclass(frozen=True, slots=True, kw_only=True)"
BAD_TYPES: list[tuple[dict[str, str], str]] = [
    ({"decorator": "@dataclass"}, f"3: Trip is not frozen, slotted and keyword-only; write {RIGHT}"),
    ({"bases": "(Base)"}, "4: Trip builds on another class; write out all its fields; a record stands alone"),
    ({"body": "    on: When = 1"}, "6: When is not imported; add: from uac_nb.rules import When"),
    ({"body": "    on: list[str]"}, "6: on: list[str] is no type that a field can have; write tuple[X, ...]: records"),
    ({"body": "    on: int = 'x'"}, "6: the default of on: 'x' where int belongs"),
    ({"body": "    on: int = f()"}, "6: on: f(…) is not a value; write it out"),
    ({"body": "    on: dict[str, int] = {}"}, "6: on: a dict as default would be shared by all records; write field("),
    ({"body": "    on: str = field(init=False)"}, "6: on: field(init=False) is no default; write the value, or field("),
    ({"body": "    on: int = 1\n    on: str = ''"}, "7: Trip has two of 'on'; rename one of them"),
    ({"body": "    on: int = 1\n    def on(self): ..."}, "7: Trip has two of 'on'; rename one of them"),
    ({"body": "    int: str = ''\n    on: int"}, "7: int is no type here: it is a field with a default above; rename"),
    ({"body": "    __on: int = 1"}, "6: a field cannot be called '__on'; leave out the underscores"),
    ({"body": "    on: Trip"}, "6: on: Trip is no type that a field can have"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BAD_TYPES)
def test_a_bad_type(change: dict[str, str], message: str) -> None:
    with pytest.raises(CheckError) as refused:
        parse(FRAME.format(**{"decorator": RIGHT, "bases": "", "body": "", **change}))
    assert told(refused.value)[0].startswith(f"travel.py:{message}")


def test_a_collection_needs_ids() -> None:
    with pytest.raises(CheckError) as refused:
        parse(FRAME.format(decorator=RIGHT, bases="", body="").replace("id: str", "name: str"))
    assert told(refused.value) == ["travel.py:10: trips: Trip has no id; add the field  id: str"]


def test_all_findings_are_told_in_the_order_of_the_lines() -> None:
    state = 'x = 1\ntrips: list[Trip] = [\n    Trip(id="a", t=1),\n    Trip(id="b", to="x", departs=When("x")),\n]\ny = 1\n'
    with pytest.raises(CheckError) as refused:
        parse(HEAD + state)
    assert [d.where for d in refused.value.diagnostics] == [f"travel.py:{n}" for n in (14, 16, 16, 17, 19)]


def test_of_a_wrong_type_the_records_are_not_judged() -> None:
    with pytest.raises(CheckError) as refused:
        parse(
            HEAD.replace("days: int = 0", "days: list[int]") + 'trips: list[Trip] = [\n    Trip(id="a", to="x", days=1),\n]\n'
        )
    assert [d.where for d in refused.value.diagnostics] == ["travel.py:9"]


def test_a_file_needs_its_line() -> None:
    with pytest.raises(CheckError) as refused:
        parse(HEAD.replace("# --- state ---", ""))
    assert told(refused.value)[0].endswith("put the line  # --- state ---  between types and values")


@pytest.mark.parametrize("deep", ["1+" * 30_000 + "1", "-" * 30_000 + "1", "(" * 500 + ")" * 500, "When(" * 150 + ")" * 150])
def test_deep_nesting_is_a_finding_not_a_crash(deep: str) -> None:
    with pytest.raises(CheckError):
        parse(f"{HEAD}trips: list[Trip] = [{deep}]\n")


# --- rendering ---

SAME = {
    "plain": '"plain"',
    'say "hi"': r'"say \"hi\""',
    "it's": '"it\'s"',
    "a\\b": r'"a\\b"',
    "a\nb\tc\r": r'"a\nb\tc\r"',
    "naïve 日本 🎉 ❤️": '"naïve 日本 🎉 ❤️"',
    "\u202eevil\u2066": r'"\u202eevil\u2066"',
    "zero\u200bwidth\ufeff": r'"zero\u200bwidth\ufeff"',
    "\x00\x1b[31m\x7f\x85\xa0\xad": r'"\x00\x1b[31m\x7f\x85\xa0\xad"',
    "tag\U000e0041": r'"tag\U000e0041"',
    "\u2028\ud800": r'"\u2028\ud800"',
}


@pytest.mark.parametrize("text", SAME)
def test_text_is_escaped_where_it_does_not_show(text: str) -> None:
    assert render_value(text) == SAME[text]
    assert eval(SAME[text]) == text


def test_values_are_written_as_source() -> None:
    values = {
        "None": None,
        "-1": -1,
        "1.5": 1.5,
        "True": True,
        "()": (),
        '("a",)': ("a",),
        '{"a": (1, 2)}': {"a": (1, 2)},
        'When("2025-03")': When("2025-03"),
        'Money("12.50", "EUR")': Money("12.50", "EUR"),
        'Decimal("1.50")': Decimal("1.50"),
        'Said("x\\n", 3)': Said("x\n", 3),
        "date(2025, 3, 1)": date(2025, 3, 1),
        "time(15, 0)": time(15),
    }
    assert {render_value(value): value for value in values.values()} == values


def test_a_record_fits_on_a_line_or_takes_one_for_each_field() -> None:
    trip = parse().types["Trip"]
    short = make(trip, {"id": "a", "to": "x" * 61, "departs": "2025", "source": [1]})
    line = f'Trip(id="a", to="{"x" * 61}", departs=When("2025"), source=(1,))'
    assert len(f"    {line},") == 120
    assert render_record(short, indent=4) == line
    longer = make(trip, {**values_of(short), "to": "x" * 62, "tags": {"k" * 60: 1, "l" * 60: 2}, "legs": [{"to": "y"}]})
    lines = [
        "Trip(",
        '        id="a",',
        f'        to="{"x" * 62}",',
        '        departs=When("2025"),',
        '        legs=(Leg(to="y"),),',
        "        tags={",
        f'            "{"k" * 60}": 1,',
        f'            "{"l" * 60}": 2,',
        "        },",
        "        source=(1,),",
        "    )",
    ]
    assert render_record(longer, indent=4) == "\n".join(lines)


# --- splices ---


def trip(domain: Domain, id: str, **values: Any) -> Any:
    return make(domain.types["Trip"], {"id": id, "to": "X", "departs": "2024", "source": [1], **values})


def reread(domain: Domain) -> Domain:
    """The domain, after a check that its text says the same as what it holds."""
    assert Domain.parse(domain.name, domain.text) == domain
    return domain


def test_add_to_the_end_of_a_collection() -> None:
    domain = parse()
    added = reread(domain.add("trips", trip(domain, "new"), trip(domain, "newer")))
    lines = [f'    Trip(id="{id}", to="X", departs=When("2024"), source=(1,)),\n' for id in ("new", "newer")]
    assert added.text == TRAVEL.replace("]\n\nplans", f"{''.join(lines)}]\n\nplans")


def test_add_to_an_empty_collection_and_take_out_again() -> None:
    domain = parse()
    added = reread(domain.add("plans", trip(domain, "new")))
    line = '    Trip(id="new", to="X", departs=When("2024"), source=(1,)),\n'
    assert added.text == TRAVEL.replace("plans: list[Trip] = []", f"plans: list[Trip] = [\n{line}]")
    assert reread(added.remove("new")) == domain


def test_replace_touches_one_record() -> None:
    domain = parse()
    replaced = reread(domain.replace(trip(domain, "rome", to="Roma")))
    old, new = """Trip(id="rome", to='Rome "for' " ever", departs=When("../2021"))""", 'Trip(id="rome", to="Roma", '
    assert replaced.text == TRAVEL.replace(old, f'{new}departs=When("2024"), source=(1,))')
    assert domain.replace(domain.find("rome")) is domain


def test_replace_keeps_the_comments_inside_a_record() -> None:
    domain = parse()
    tokyo = values_of(domain.find("tokyo"))
    record = make(domain.types["Trip"], {**tokyo, "who": "me", "cost": "1300 EUR", "says": []})
    replaced = reread(domain.replace(record))
    expected = TRAVEL.replace('who="ann"', 'who="me"').replace('Money("1200.50", "EUR")', 'Money("1300", "EUR")')
    assert replaced.text == expected.replace('says=(Said("so far", 7),)', "says=()")
    lisbon = {**values_of(domain.find("lisbon")), "cost": "1 EUR"}
    commented = parse(TRAVEL.replace('to="Lisbon", departs', 'to="Lisbon",  # sic\n        departs'))
    again = reread(commented.replace(make(domain.types["Trip"], lisbon)))
    assert again.text == commented.text.replace('("2025-03-10"), source', '("2025-03-10"), cost=Money("1", "EUR"), source')


def test_remove_takes_whole_lines_and_leaves_comments_between() -> None:
    domain = parse()
    assert reread(domain.remove("lisbon")).text == TRAVEL.replace(
        '    Trip(id="lisbon", to="Lisbon", departs=When("2025-03-10"), source=(2,)),\n', ""
    )
    start, end = TRAVEL.index("    Trip(\n"), TRAVEL.index('    Trip(id="rome"')
    assert reread(domain.remove("tokyo")).text == TRAVEL[:start] + TRAVEL[end:]


BY_HAND = {
    '[Trip(id="a", to="x")]': '[Trip(id="a", to="x"),\n    NEW,\n]',
    '[Trip(id="a", to="x"),]': '[Trip(id="a", to="x"),\n    NEW,\n]',
    '[\n  Trip(id="a", to="x")\n]': '[\n  Trip(id="a", to="x"),\n    NEW,\n]',
    '[\n  Trip(id="a", to="x")  # one, two\n]': '[\n  Trip(id="a", to="x"),  # one, two\n    NEW,\n]',
    '[\n  Trip(id="a", to="x")  # one\n  ,\n]': '[\n  Trip(id="a", to="x")  # one\n  ,\n    NEW,\n]',
    "[\n    # none yet\n]": "[\n    # none yet\n    NEW,\n]",
    "[  # none yet\n]": "[  # none yet\n    NEW,\n]",
    "[]  # none yet": "[\n    NEW,\n]  # none yet",
}


@pytest.mark.parametrize("written", BY_HAND)
def test_add_to_a_list_written_by_hand(written: str) -> None:
    domain = parse(f"{HEAD}trips: list[Trip] = {written}\n")
    added = reread(domain.add("trips", make(domain.types["Trip"], {"id": "b", "to": "ü"})))
    assert added.text == f"{HEAD}trips: list[Trip] = {BY_HAND[written]}\n".replace("NEW", 'Trip(id="b", to="ü")')


REMOVED = {
    '[Trip(id="a", to="x"), Trip(id="b", to="y")]': '[Trip(id="b", to="y")]',
    '[\n  Trip(id="a", to="x"),  # gone\n  # stays\n]': "[\n  # stays\n]",
    '[\n  # stays\n  Trip(id="a", to="x"), Trip(id="b", to="y"),\n]': '[\n  # stays\n  Trip(id="b", to="y"),\n]',
    '[\n  Trip(id="a", to="x")  # one, two\n  , Trip(id="b", to="y")]': '[\n  Trip(id="b", to="y")]',
}


@pytest.mark.parametrize("written", REMOVED)
def test_remove_from_a_list_written_by_hand(written: str) -> None:
    domain = parse(f"{HEAD}trips: list[Trip] = {written}\n")
    assert reread(domain.remove("a")).text == f"{HEAD}trips: list[Trip] = {REMOVED[written]}\n"


def test_changes_that_do_not_fit() -> None:
    domain = parse()
    lisbon, leg = domain.find("lisbon"), domain.types["Leg"].build({"to": "x"})
    tries = {
        "the id 'lisbon' is taken (choose another one, or amend the record)": lambda: domain.add("plans", lisbon),
        "the id 'new' is taken (choose another one, or amend the record)": lambda: domain.add(
            "plans", trip(domain, "new"), trip(domain, "new")
        ),
        "travel has no collection 'trip' (did you mean 'trips'?)": lambda: domain.add("trip", lisbon),
        "travel has no record 'lisbn' (did you mean 'lisbon'?)": lambda: domain.remove("lisbn"),
        "Leg where Trip belongs (build it with Trip)": lambda: domain.add("plans", leg),
        "new: who cannot be 3 (its type is str)": lambda: domain.add(
            "plans", domain.types["Trip"].build({**values_of(lisbon), "id": "new", "who": 3})
        ),
    }
    for message, attempt in tries.items():
        with pytest.raises(CheckError) as refused:
            attempt()
        assert str(refused.value) == f"travel.py: {message}"


def test_names() -> None:
    good = check_names(domain="travel", collection="trips", type="Trip")
    assert good == []
    bad = {
        "domain": ["Travel", "class", "calendar", "rules", "notes", "test_x", "pytest", "my-trips", ""],
        "collection": ["Trips", "for", "list", "today", "records"],
        "type": ["trip", "Money", "Note", "BankAccount2_", "Exception"],
    }
    assert [name for kind, names in bad.items() for name in names if name and not check_names(**{kind: name})] == []
