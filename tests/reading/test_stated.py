"""What holds: newer words, not those that were read later; one at a time; a change and what belongs to it, or neither."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uac_nb import User
from uac_nb.changes import Workspace, dump
from uac_nb.domainfile.records import type_of, values_of
from uac_nb.log import Entry
from uac_nb.model import FakeModel
from uac_nb.reading import structure
from uac_nb.reading.contradiction import current
from uac_nb.store.stated import Stated

OLD, NEW = "2023-09-21", "2024-09-21"
NOW = datetime(2025, 3, 1, tzinfo=UTC)
BESIDE = ("id", "source", "quote", "since")
Change = dict[str, Any]


def add(collection: str, id: str, **values: Any) -> Change:
    return {"change": "add", "collection": collection, "id": id, "values": values}


def supersede(id: str, by: str, **more: Any) -> Change:
    return {"change": "supersede", "id": id, "by": by, **more}


def tell(user: User, day: str | None, text: str, *changes: Change) -> Any:
    """Say something and have it read by a model that answers with these changes, whatever it is told of them."""
    entry = user.ingest(text, at=day).entries[0].id
    cited = [{"source": [entry], **change} for change in changes]
    model = FakeModel(lambda request: json.dumps({"changes": cited}))
    return user.checkpoint(reader=model, today="2025-03-01")


class Memory:
    """The same without a disk: entries, and the project as batches of one entry leave it."""

    def __init__(self) -> None:
        self.entries: dict[int, Entry] = {}
        self.workspace = Workspace()
        self.stated = Stated(self.entries.get)

    def tell(self, day: str, text: str, *changes: Change) -> None:
        id = len(self.entries) + 1
        self.entries[id] = Entry(id=id, text=text, said_at=date.fromisoformat(day), recorded_at=NOW)
        cited = [{"source": [id], **change} for change in changes]
        model = FakeModel(lambda request: json.dumps({"changes": cited}))
        entry_of, stated = self.entries.get, self.stated.copy()
        outcome = structure([self.entries[id]], self.workspace, model, entry_of=entry_of, stated=stated)
        self.workspace = outcome.workspace
        for change in outcome.accepted:
            self.stated.take(dump(change))

    def holding(self) -> list[tuple[str, dict[str, Any]]]:
        """What holds now, without ids, sources and when it began."""
        found = [(f.collection, values_of(f.record)) for f in self.workspace.all() if current(f.record)]
        kept = [(name, {k: v for k, v in values.items() if k not in BESIDE}) for name, values in found]
        return sorted(kept, key=str)


# Each: the collection, and an older and a newer statement with the record that a model makes of it.
KINDS: Mapping[str, tuple[str, tuple[str, Change], tuple[str, Change]]] = {
    "home": ("residences", ("I live in Rome.", {"place": "Rome"}), ("I live in Oslo.", {"place": "Oslo"})),
    "passport": (
        "passports",
        ("My Irish passport expires on 1 May 2026.", {"title": "Irish passport", "country": "IE", "expires": "2026-05-01"}),
        ("My Irish passport expires on 1 May 2034.", {"title": "Irish passport", "country": "IE", "expires": "2034-05-01"}),
    ),
    "limit": (
        "budgets",
        ("At most 200 euros a month for eating out.", {"title": "eating out", "category": "eating out", "limit": "200 EUR"}),
        ("At most 150 euros a month for eating out.", {"title": "eating out", "category": "eating out", "limit": "150 EUR"}),
    ),
    "favourite": (
        "favourites",
        ("My favourite colour is green.", {"of": "colour", "what": "green", "stance": "favourite"}),
        ("My favourite colour is blue.", {"of": "colour", "what": "blue", "stance": "favourite"}),
    ),
    "taste": (
        "favourites",
        ("I can't stand olives.", {"what": "olives", "stance": "dislike"}),
        ("I love olives.", {"what": "olives", "stance": "like"}),
    ),
    "phone": (
        "contacts",
        ("My phone number is 555-0101.", {"name": "me", "kind": "phone", "value": "555-0101"}),
        ("My phone number is 555-0202.", {"name": "me", "kind": "phone", "value": "555-0202"}),
    ),
    "medicine": (
        "medicines",
        ("I take metformin 500 mg.", {"title": "metformin", "dose": "500 mg"}),
        ("I stopped the metformin 500 mg and take metformin 850 mg now.", {"title": "metformin", "dose": "850 mg"}),
    ),
    "rent": (
        "payments",
        ("My rent is 900 euros a month.", {"title": "rent", "amount": "900 EUR", "every": "month"}),
        ("My rent is 950 euros a month.", {"title": "rent", "amount": "950 EUR", "every": "month"}),
    ),
    "job": (
        "jobs",
        ("I work as a baker at Larkspur.", {"title": "job as a baker", "role": "baker", "employer": "Larkspur"}),
        ("I left Larkspur and work as a cook at Marigold.", {"title": "job as a cook", "role": "cook", "employer": "Marigold"}),
    ),
    "view": (
        "views",
        ("Remote work makes me lonely.", {"about": "remote work", "says": ["makes me lonely"]}),
        ("Remote work suits me well.", {"about": "remote work", "says": ["suits me well"]}),
    ),
}
LINKED = [kind for kind in KINDS if kind not in ("home", "passport", "limit", "favourite", "taste")]


def told(memory: User | Memory, kind: str, which: Sequence[str], linked: bool) -> None:
    collection, *statements = KINDS[kind]
    before = ""
    for name in which:
        text, values = statements[name == "new"]
        end = [supersede(before, name)] if linked and before else []
        changes = [add(collection, name, **values), *end]
        day = {"old": OLD, "new": NEW}[name]
        _ = memory.tell(day, text, *changes) if isinstance(memory, Memory) else tell(memory, day, text, *changes)
        before = name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("linked", [False, True], ids=["add", "add and supersede"])
def test_the_newer_words_hold_in_either_order(kind: str, linked: bool) -> None:
    if kind in LINKED and not linked:
        pytest.skip("of these there can be many, unless the reader says that one takes the other's place")
    seen = []
    for which in permutations(("old", "new")):
        memory = Memory()
        told(memory, kind, which, linked)
        records = memory.workspace.records(KINDS[kind][0])
        assert [r.id for r in records if current(r)] == ["new"], which
        seen.append(memory.holding())
        past = next(r for r in records if r.id == "old")
        if "until" in type_of(past).by_name:
            assert past.until is not None
            assert past.until.last.isoformat() <= NEW
    assert seen[0] == seen[1]


def test_the_end_of_the_older_cites_both(user: User) -> None:
    tell(user, NEW, "I live in Oslo.", add("residences", "oslo", place="Oslo"))
    checkpoint = tell(user, OLD, "I live in Rome.", add("residences", "rome", place="Rome"))
    assert [change["change"] for change in checkpoint.changes] == ["add", "close"]
    oslo, rome = (entry.id for entry in user.log.entries(kinds=("message",)))
    assert checkpoint.changes[1]["source"] == [rome, oslo]
    assert user.records("residences")[1].until.text == f"../{NEW}"
    assert [r.place for r in user.at("2024-01-01").records("residences")] == ["Rome"]


def test_what_is_typed_without_a_date_is_said_now(user: User) -> None:
    tell(user, None, "I live in Oslo.", add("residences", "oslo", place="Oslo"))
    tell(user, OLD, "I live in Rome.", add("residences", "rome", place="Rome"))
    assert [r.place for r in user.records("residences") if current(r)] == ["Oslo"]


def test_what_has_no_date_ends_nothing_that_has_one(user: User, tmp_path: Path) -> None:
    tell(user, OLD, "I live in Oslo.", add("residences", "oslo", place="Oslo"))
    (tmp_path / "old.csv").write_text("text\nI live in Rome.\n")
    user.ingest(tmp_path / "old.csv", me="-", format="csv", columns={"text": "text"})
    source = user.log.last
    change = {"source": [source], **add("residences", "rome", place="Rome")}
    user.checkpoint(reader=FakeModel([json.dumps({"changes": [change]})]))
    assert [r.place for r in user.records("residences") if current(r)] == ["Oslo"]


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("I'm not allergic to nuts.", {"change": "close", "id": "nuts", "status": "ended"}),
        ("It's a mild nut allergy.", {"change": "amend", "id": "nuts", "set": {"severity": "mild"}}),
    ],
    ids=["close", "amend"],
)
def test_older_words_neither_end_nor_replace(text: str, change: Change, user: User) -> None:
    values = {"title": "nut allergy", "avoids": ["nuts"], "severity": "severe"}
    tell(user, NEW, "I have a severe nut allergy.", add("allergies", "nuts", **values))
    checkpoint = tell(user, OLD, text, change)
    assert (user.records("allergies")[0].status, user.records("allergies")[0].severity) == ("current", "severe")
    assert any("was stated on 2024-09-21 (entry 1)" in str(finding) for finding in checkpoint.diagnostics)


def test_older_words_may_fill_in(user: User) -> None:
    tell(user, NEW, "I have a nut allergy.", add("allergies", "nuts", title="nut allergy", avoids=["nuts"]))
    tell(user, OLD, "The nut allergy gave me hives.", {"change": "amend", "id": "nuts", "set": {"reaction": "hives"}})
    assert user.records("allergies")[0].reaction == "hives"


def test_nothing_ended_before_it_was_said_to_hold(user: User) -> None:
    tell(user, "2026-03-15", "I live in Austin.", add("residences", "austin", place="Austin"))
    new = add("residences", "porto", place="Porto")
    checkpoint = tell(user, "2026-04-01", "I live in Porto.", new, supersede("austin", "porto", until="2024"))
    assert [(r.id, r.until) for r in user.records("residences")] == [("austin", None)]
    assert any("cannot have ended by 2024" in str(finding) for finding in checkpoint.diagnostics)


def test_a_move_need_not_name_the_old_home(user: User) -> None:
    tell(user, OLD, "I live in Austin.", add("residences", "austin", place="Austin"))
    checkpoint = tell(
        user, NEW, "I live in Porto now.", add("residences", "porto", place="Porto"), supersede("austin", "porto")
    )
    assert [(r.id, str(r.until)) for r in user.records("residences")] == [("austin", f"../{NEW}"), ("porto", "None")]
    assert not checkpoint.unread


def test_both_or_neither(user: User) -> None:
    tell(user, OLD, "I have a red bike.", add("things", "red-bike", title="red bike"))
    new = add("things", "blue-bike", title="blue bike")
    checkpoint = tell(user, NEW, "I have a blue bike instead of the red one.", new, supersede("rde-bike", "blue-bike"))
    assert [r.id for r in user.records("things")] == ["red-bike"]
    told = [str(finding) for finding in checkpoint.diagnostics]
    assert any("add things blue-bike" in line and "belongs to it" in line for line in told)
    assert len(checkpoint.unread) == 1


def test_what_was_given_up_is_shown(user: User) -> None:
    tell(user, OLD, "I have a dog called Rex.", add("things", "rex", title="dog Rex"))
    entry = user.ingest("Rex is a good dog.", at=NEW).entries[0].id
    wrong = {"change": "amend", "id": "rox", "set": {"means": "joy"}, "source": [entry]}
    skip = {"change": "skip", "reason": "small talk", "source": [entry]}
    replies = [json.dumps({"changes": [wrong]}), json.dumps({"changes": [skip]})]
    checkpoint = user.checkpoint(reader=FakeModel(replies))
    assert [d.code for d in checkpoint.diagnostics if "amend rox" in d.message] == ["given-up"]


def test_what_is_superseded_is_no_longer_current(user: User) -> None:
    told(user, "job", ("old", "new"), True)
    assert [(r.id, r.status) for r in user.records("jobs")] == [("old", "ended"), ("new", "current")]


def test_a_span_that_is_over_ends_nothing(user: User) -> None:
    tell(user, OLD, "I live in Oslo.", add("residences", "oslo", place="Oslo"))
    rome = add("residences", "rome", place="Rome", since="2019", until="2021")
    tell(user, NEW, "I moved to Rome in 2019 and left in 2021.", rome)
    assert [r.place for r in user.records("residences") if current(r)] == ["Oslo"]


def test_a_doubling_by_hand_is_a_finding_and_stops_nothing(user: User) -> None:
    tell(user, OLD, "I live in Oslo.", add("residences", "oslo", place="Oslo"))
    text = user.source("life").text
    more = text.rstrip().removesuffix("]") + '    Residence(id="rome", place="Rome", source=()),\n]\n'
    edited = user.edit("life", more)
    assert [r.id for r in user.records("residences")] == ["oslo", "rome"]
    assert [d.code for d in edited.diagnostics] == ["two-at-a-time"]
    tell(user, NEW, "I bought a kettle.", add("things", "kettle", title="kettle"))
    assert user.records("things")[0].id == "kettle"


HOMES = [("residences", {"place": place}, f"I live in {place}.") for place in ("Oslo", "Rome", "Porto", "Graz")]
TEAS = [
    ("favourites", {"of": "tea", "what": tea, "stance": "favourite"}, f"My favourite tea is {tea}.")
    for tea in ("oolong", "mint", "rooibos")
]
JAZZ = [
    ("favourites", {"what": "jazz", "stance": stance}, f"I {stance} jazz.") for stance in ("like", "dislike", "like", "dislike")
]
LIMITS = [
    ("budgets", {"title": "books", "category": "books", "limit": f"{n} EUR"}, f"At most {n} euros a month for books.")
    for n in (20, 30, 25)
]
PAPERS = [
    (
        "passports",
        {"title": "passport", "country": "NO", "expires": f"{y}-05-01"},
        f"My Norwegian passport expires on 1 May {y}.",
    )
    for y in (2026, 2031, 2036)
]
STORIES = [[*a, *b] for a, b in permutations((HOMES, TEAS, JAZZ, LIMITS, PAPERS), 2)]


@pytest.mark.parametrize("story", STORIES)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_the_order_of_telling_makes_no_difference(story: list[tuple[str, Change, str]], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(story))))
    seen = []
    for which in (range(len(story)), order):
        memory = Memory()
        for number in which:
            collection, values, text = story[number]
            memory.tell(f"2024-{number + 1:02d}-10", text, add(collection, f"n{number}", **values))
        seen.append(memory.holding())
    assert seen[0] == seen[1]
    assert len(seen[0]) == 2


def test_by_patterns_too(user: User) -> None:
    user.ingest("I live in Oslo.", at=NEW)
    user.checkpoint()
    user.ingest("I live in Rome.", at=OLD)
    user.checkpoint()
    assert user.ask("where do I live?").text.startswith("Oslo") or "Oslo" in user.ask("where do I live?").text
    assert [r.place for r in user.records("residences") if current(r)] == ["Oslo"]


def test_whose_it_is_can_be_corrected(user: User) -> None:
    tell(user, OLD, "I live in Oslo.", add("residences", "oslo", place="Oslo"))
    brother = add("people", "brother", name="Brother", relation="brother")
    fix = {"change": "amend", "id": "oslo", "set": {"who": "brother"}, "was": {"who": "me"}}
    tell(user, NEW, "Sorry, it's my brother who lives in Oslo.", brother, fix)
    assert [(r.who, r.place) for r in user.records("residences")] == [("brother", "Oslo")]
