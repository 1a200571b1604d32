"""The vocabulary of changes: what each does to a project, and what is refused with which words."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from uac_nb.changes import Workspace, accept, apply, dump, parse, schema, settle
from uac_nb.changes.vocabulary import PROPOSED, SETTLED
from uac_nb.errors import CheckError
from uac_nb.rules import Money, When

WORDS = {
    1: "I'm allergic to penicillin.",
    2: "Flying to Lisbon on 10 March.",
    3: "Back on the 18th, actually.",
    4: "Mum lives in Porto.",
}

TRIP: dict[str, Any] = {
    "change": "add", "collection": "trips", "id": "lisbon", "source": [2],
    "values": {"title": "trip to Lisbon", "to": "Lisbon", "departs": "2025-03-10"},
}  # fmt: skip
VALUES = TRIP["values"]
ALLERGY = {
    "change": "add", "collection": "allergies", "id": "penicillin", "source": [1],
    "values": {"title": "penicillin allergy", "avoids": ["penicillin"]},
}  # fmt: skip


def after(*raw: dict[str, Any]) -> Workspace:
    """The project after changes that all have to fit."""
    done = accept(raw, Workspace(), text_of=WORDS.get)
    assert [str(d) for r in done.refused for d in r.diagnostics] == []
    return done.workspace


def refusal(*raw: dict[str, Any]) -> str:
    """Why the last of these changes was refused; those before it have to fit."""
    done = accept(raw, Workspace(), text_of=WORDS.get)
    assert len(done.refused) == 1
    assert done.refused[0].raw == raw[-1]
    return " | ".join(map(str, done.refused[0].diagnostics))


def record(workspace: Workspace, id: str) -> Any:
    found = workspace.find(id)
    assert found is not None
    return found.record


# --- what each change does ---


def test_the_first_record_adopts_the_starter_type_and_logs_it() -> None:
    done = accept([TRIP], Workspace(), text_of=WORDS.get)
    assert [c.change for c in done.changes] == ["define", "add"]
    assert "class Trip:  # starter: Trip" in done.workspace.files()["travel.py"]
    assert record(done.workspace, "lisbon").departs == When("2025-03-10")
    assert record(done.workspace, "lisbon").source == (2,)


def test_what_was_settled_can_be_replayed_without_starters() -> None:
    done = accept([TRIP, ALLERGY], Workspace(), text_of=WORDS.get)
    again = Workspace()
    for change in done.changes:
        again = apply(parse(dump(change)), again)
    assert again.files() == done.workspace.files()


def test_amend_sets_appends_and_cites() -> None:
    workspace = after(
        TRIP,
        {"change": "amend", "id": "lisbon", "set": {"returns": "2025-03-18"}, "append": {"others": ["mum"]}, "source": [3]},
    )
    trip = record(workspace, "lisbon")
    assert (trip.returns, trip.others, trip.source) == (When("2025-03-18"), ("mum",), (2, 3))


def test_confirm_only_cites() -> None:
    before, workspace = after(TRIP), after(TRIP, {"change": "confirm", "id": "lisbon", "source": [3]})
    assert record(workspace, "lisbon").source == (2, 3)
    assert record(before, "lisbon").departs == record(workspace, "lisbon").departs


def test_close_keeps_the_record_with_its_end() -> None:
    workspace = after(TRIP, {"change": "close", "id": "lisbon", "status": "cancelled", "source": [3]})
    assert record(workspace, "lisbon").status == "cancelled"


def test_supersede_ends_the_old_one() -> None:
    home = {"change": "add", "collection": "residences", "source": [4]}
    workspace = after(
        {**home, "id": "porto", "values": {"place": "Porto"}},
        {**home, "id": "lisbon", "values": {"place": "Lisbon", "since": "2025-03"}},
        {"change": "supersede", "id": "porto", "until": "2025-03", "by": "lisbon", "source": [4]},
    )
    assert record(workspace, "porto").until == When("2025-03")
    assert record(workspace, "lisbon").until is None


def test_a_note_is_absorbed_into_a_record() -> None:
    note = {"change": "note", "id": "seat", "about": "lisbon", "text": "Prefers the aisle.", "source": [3]}
    assert record(after(TRIP, note), "seat").text == "Prefers the aisle."
    workspace = after(TRIP, note, {"change": "absorb", "note": "seat", "into": "lisbon", "source": [3]})
    assert workspace.find("seat") is None
    assert record(workspace, "lisbon").source == (2, 3)


def test_merge_keeps_one_fills_it_and_points_others_to_it() -> None:
    people = {"change": "add", "collection": "people", "source": [4]}
    workspace = after(
        {**people, "id": "mum", "values": {"name": "Mum"}},
        {**people, "id": "ana", "values": {"name": "Ana", "relation": "mother"}},
        {**TRIP, "values": {**TRIP["values"], "who": "ana"}},
        {"change": "merge", "id": "ana", "into": "mum", "source": [4]},
    )
    assert workspace.find("ana") is None
    assert (record(workspace, "mum").name, record(workspace, "mum").relation) == ("Mum", "mother")
    assert record(workspace, "lisbon").who == "mum"


def test_merge_points_those_who_are_allowed_too() -> None:
    people = {"change": "add", "collection": "people", "source": [4]}
    leave = {"change": "add", "collection": "authorisations", "id": "pickup", "source": [4]}
    leave["values"] = {"title": "pickup list", "allowed": ["ana"], "may": "pick up", "subject": "Mia", "since": "2025-01-01"}
    workspace = after(
        {**people, "id": "mum", "values": {"name": "Mum"}},
        {**people, "id": "ana", "values": {"name": "Ana"}},
        leave,
        {"change": "merge", "id": "ana", "into": "mum", "source": [4]},
    )
    assert record(workspace, "pickup").allowed == ("mum",)


def test_extend_adds_a_field_and_a_choice() -> None:
    workspace = after(
        TRIP,
        {
            "change": "extend", "collection": "trips", "fields": [{"name": "cost", "type": "Money | None"}],
            "choices": {"status": ["missed"]}, "source": [3],
        },
        {"change": "amend", "id": "lisbon", "set": {"cost": "300 EUR", "status": "missed"}, "source": [3]},
    )  # fmt: skip
    assert record(workspace, "lisbon").cost == Money(300, "EUR")
    assert record(workspace, "lisbon").status == "missed"


RUG = (
    '@dataclass(frozen=True, slots=True, kw_only=True)\nclass Rug:\n    """A rug."""\n\n'
    "    id: str\n    made: When\n    source: tuple[int, ...]\n"
)


def test_define_makes_a_type_of_the_users_own() -> None:
    workspace = after(
        {"change": "define", "domain": "home", "collection": "rugs", "text": RUG, "source": [4]},
        {"change": "add", "collection": "rugs", "id": "red", "values": {"made": "1970"}, "source": [4]},
    )
    assert record(workspace, "red").made == When("1970")


SHELF = (
    "from home import Rug\n\n\n@dataclass(frozen=True, slots=True, kw_only=True)\nclass Shelf:\n    id: str\n"
    "    rug: Rug | None = None\n    source: tuple[int, ...]\n"
)
RUGS = {"change": "define", "domain": "home", "collection": "rugs", "text": RUG, "source": [4]}
SHELVES = {"change": "define", "domain": "flat", "collection": "shelves", "text": SHELF, "source": [4]}


@pytest.mark.parametrize("before", [[RUGS], [{**SHELVES, "collection": "mats", "text": RUG.replace("Rug", "Mat")}, RUGS]])
def test_define_may_use_types_of_other_domains_in_a_new_domain_and_in_an_old_one(before: list[dict[str, Any]]) -> None:
    held = {"id": "under", "made": "1970", "source": [4]}
    put = {"change": "add", "collection": "shelves", "id": "s", "values": {"rug": held}, "source": [4]}
    workspace = after(*before, SHELVES, put)
    assert record(workspace, "s").rug.made == When("1970")
    assert "from home import Rug\n" in workspace.files()["flat.py"]
    assert Workspace.from_files(workspace.files()).domains == workspace.domains


def test_define_cannot_import_in_a_circle() -> None:
    back = {
        **RUGS,
        "collection": "mats",
        "text": RUG.replace("class Rug", "class Mat").replace("@", "from flat import Shelf\n\n@", 1),
    }
    (bad,) = accept([RUGS, SHELVES, back], Workspace()).refused
    assert "the imports go in a circle" in bad.diagnostics[0].message


# --- what only a person does ---

RENAME = {"change": "rename", "source": [1], "old": "Trip.to", "new": "city"}


def test_no_model_renames_and_the_change_is_not_in_what_it_is_told() -> None:
    (bad,) = accept([TRIP, RENAME], Workspace()).refused
    assert [d.message for d in bad.diagnostics] == ["only a person renames"]
    assert "rename" not in json.dumps(schema())


@pytest.mark.parametrize(
    "change",
    [
        {"change": "merge", "id": "lisbon", "into": "porto", "source": []},
        {"change": "reshape", "collection": "trips", "to": "tours"},
    ],
)
def test_a_model_cites_what_a_merge_or_a_reshape_rests_on(change: dict[str, Any]) -> None:
    assert f"the {change['change']} cites no entry" in refusal(TRIP, change)


def test_a_rename_is_applied_and_replayed_from_its_json() -> None:
    workspace = after(TRIP)
    change = parse({"change": "rename", "old": "trips.to", "new": "city"})
    assert dump(change) == {"change": "rename", "source": [], "old": "trips.to", "new": "city"}
    renamed = apply(change, workspace)
    assert record(renamed, "lisbon").city == "Lisbon"
    assert apply(parse(dump(change)), workspace).files() == renamed.files()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Trip.tto", "city", "there is nothing called 'Trip.tto' (did you mean 'Trip.to'?)"),
        ("tripps", "tours", "there is nothing called 'tripps' (did you mean 'trips'?)"),
        ("Tripp.to", "city", "there is nothing called 'Tripp.to' (did you mean 'Trip.to'?)"),
        ("trip.country", "land", "there is nothing called 'trip.country' (did you mean 'Trip.country'?)"),
        ("Trip.xyz", "hue", "there is nothing called 'Trip.xyz' (Trip has who, others, title, to, country"),
        ("travel.country", "land", "there is nothing called 'travel.country' (did you mean 'Trip.country'?)"),
        ("land", "Trip.country", "nothing called 'land' (the name that it has now comes first: Trip.country, then land)"),
        ("tour", "trips", "nothing called 'tour' (the name that it has now comes first: trips, then tour)"),
        ("travel", "journeys", "'travel' is a domain, and keeps its name (rename what it defines: "),
        ("zebra", "horse", "there is nothing called 'zebra' (there are Trip, Rug, trips, rugs; a field is written as in Trip."),
        ("Trip.to", "class", "a field cannot be called 'class'"),
        ("Trip.to", "country", "Trip has a field 'country' already"),
        ("Trip.id", "key", "every record has 'id'; it keeps its name"),
        ("Trip.source", "entries", "every record has 'source'; it keeps its name"),
        ("Trip.to", "Tour.city", "Trip.to cannot become Tour.city"),
        ("Trip", "tour", "a type cannot be called 'tour'"),
        ("Trip", "Rug", "there is a type 'Rug' already"),
        ("trips", "Tours", "a collection cannot be called 'Tours'"),
        ("trips", "rugs", "there is a collection 'rugs' already"),
        ("id", "key", "2 types have a field 'id' (say which: Trip.id or Rug.id)"),
        ("Note", "Memo", "Note comes with us and keeps its name"),
        ("notes", "memos", "notes comes with us and keeps its name"),
    ],
)
def test_what_cannot_be_renamed_is_said(old: str, new: str, words: str) -> None:
    note = {"change": "note", "id": "n", "text": "She hums.", "source": [1]} if "ote" in old else None
    workspace = after(TRIP, RUGS, *([note] if note else []))
    with pytest.raises(CheckError) as refused:
        apply(parse({"change": "rename", "old": old, "new": new}), workspace)
    assert words in str(refused.value)


def test_a_rule_is_put_in_and_put_in_anew() -> None:
    text = (
        '@rule("info")\ndef r(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:\n    """A trip."""\n'
        "    yield from ()\n"
    )
    imports = (
        "from collections.abc import Iterable, Iterator\nfrom datetime import date\n\n"
        "from uac_nb.rules import Alert, rule\nfrom travel import Trip\n\n\n"
    )
    one = {"change": "rule", "id": "r", "text": imports + text, "source": [2]}
    two = {**one, "text": imports + text.replace("A trip.", "Another.")}
    workspace = after(TRIP, one, two)
    assert workspace.rules.count("def r(") == 1
    assert workspace.rules.count("from travel import Trip") == 1
    assert '"""Another."""' in workspace.rules


def test_skip_and_forget_change_nothing() -> None:
    workspace = after(TRIP)
    for raw in (
        {"change": "skip", "reason": "thanks", "source": [3]},
        {"change": "forget", "what": "all of it", "source": [3]},
    ):
        assert apply(parse(raw), workspace) is workspace


def test_an_id_that_is_taken_elsewhere_gets_a_suffix() -> None:
    workspace = after(TRIP, {**ALLERGY, "id": "lisbon"})
    assert record(workspace, "lisbon-2").avoids == ("penicillin",)


# --- what is refused, and how it is said ---

REFUSED = {
    "no such change": ([{"change": "remove", "source": [1]}], "there is no such change; it is one of define"),
    "no change at all": ([{"source": [1]}], "say which change it is"),
    "no source": ([{**TRIP, "source": []}], "$.changes[0].source"),
    "a source that is no message": ([{**TRIP, "source": [2, 77]}], "there is no message 77 in the log"),
    "a quote that nobody said": (
        [{**TRIP, "values": {**VALUES, "quote": "I love Lisbon"}}],
        "the quote 'I love Lisbon' does not stand in entry 2",
    ),
    "unknown collection": ([{**TRIP, "collection": "trip"}], "there is no collection 'trip' (did you mean 'trips'?)"),
    "unknown field": ([{**TRIP, "values": {**VALUES, "titel": "x"}}], "Trip has no field 'titel' (did you mean 'title'?)"),
    "not a date": ([{**TRIP, "values": {**VALUES, "departs": "10 March"}}], "$.changes[0].values.departs: '10 March' is not"),
    "a field missing": ([{**TRIP, "values": {"to": "Lisbon"}}], "Trip needs 'title'"),
    "id taken": ([TRIP, TRIP], "trips has a record 'lisbon' already (amend or confirm it"),
    "amend nothing": (
        [TRIP, {"change": "confirm", "id": "lissabon", "source": [2]}],
        "there is no record 'lissabon' (did you mean 'lisbon'?)",
    ),
    "amend what is not so": (
        [TRIP, {"change": "amend", "id": "lisbon", "set": {"to": "Porto"}, "was": {"to": "Faro"}, "source": [3]}],
        "lisbon.to is 'Lisbon', not 'Faro'",
    ),
    "a status that is no choice": ([TRIP, {"change": "close", "id": "lisbon", "status": "gone", "source": [3]}], "status"),
    "close what has no end": (
        [
            {"change": "note", "id": "n", "text": "x", "source": [1]},
            {"change": "close", "id": "n", "until": "2025", "source": [1]},
        ],
        "n (notes) has no field for its end",
    ),
    "merge two kinds": (
        [TRIP, ALLERGY, {"change": "merge", "id": "lisbon", "into": "penicillin", "source": [1]}],
        "only two records of one",
    ),
    "define twice": (
        [TRIP, {"change": "define", "domain": "x", "collection": "trips", "text": RUG, "source": [1]}],
        "there is a collection 'trips' already",
    ),
    "define notes anew": (
        [{"change": "define", "domain": "x", "collection": "notes", "text": RUG, "source": [1]}],
        "there is a collection 'notes' already",
    ),
    "a refusal that a model proposes": (
        [{"change": "refuse", "proposed": {}, "source": [1]}],
        "only a person refuses (a change is one of define",
    ),
    "a path as id": ([{**TRIP, "id": "../etc"}], "$.changes[0].id"),
    "a field too many": ([{**TRIP, "remove": True}], "$.changes[0].remove"),
}


@pytest.mark.parametrize(("raw", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(raw: list[dict[str, Any]], words: str) -> None:
    assert words in refusal(*raw)


def test_a_change_on_a_refused_one_is_refused_with_it_and_the_rest_is_taken() -> None:
    bad = {**TRIP, "values": {"to": "Lisbon"}}
    done = accept([bad, {"change": "confirm", "id": "lisbon", "source": [3]}, ALLERGY], Workspace(), text_of=WORDS.get)
    assert len(done.refused) == 2
    assert done.workspace.find("penicillin") is not None


def test_one_id_in_two_files_is_found() -> None:
    files = after(TRIP, ALLERGY).files()
    files["health.py"] = files["health.py"].replace('id="penicillin"', 'id="lisbon"')
    with pytest.raises(CheckError, match=r"travel.py:\d+: the id 'lisbon' stands in health.py too"):
        Workspace.from_files(files)


def test_settle_does_not_touch_the_workspace() -> None:
    workspace = after(TRIP)
    before = workspace.files()
    settle(workspace, parse(ALLERGY), text_of=WORDS.get)
    assert workspace.files() == before


# --- what a model is told of the shape ---


def test_the_schema_is_small_and_names_each_change_and_field_once() -> None:
    """It goes out with each call."""
    told = schema()
    text = json.dumps(told, separators=(",", ":"))
    assert len(text) < 2_300
    change = told["properties"]["changes"]["items"]
    assert change["properties"]["change"]["enum"] == [
        "define", "extend", "reshape", "add", "amend", "confirm", "close", "supersede", "note", "absorb", "merge", "derive",
        "rule", "concern", "forget", "skip",
    ]  # fmt: skip
    assert change["required"] == ["change", "source"]
    assert text.count('"fact"') == 1
    used = set(re.findall(r"#/\$defs/(\w+)", text))
    assert used == set(told["$defs"]) == {"NewField", "Moved", "Example"}


def test_all_that_a_change_may_hold_stands_in_the_schema() -> None:
    fields = schema()["properties"]["changes"]["items"]["properties"]
    for kind in PROPOSED:  # but what is set when it is taken
        assert set(kind.model_fields) - {*SETTLED} <= set(fields), kind.__name__
    assert fields["source"] == {"items": {"type": "integer"}, "type": "array"}
    assert fields["values"] == {"type": "object"}
    assert fields["about"] == {"type": "string"}
