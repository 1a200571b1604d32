"""A person calls fields, types and collections otherwise: old records, code and history follow, and nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from uac_nb import User
from uac_nb.check.types import checker
from uac_nb.errors import CheckError, ProjectError
from uac_nb.log import Batch, Draft
from uac_nb.model import FakeModel
from uac_nb.project import Project
from uac_nb.source import parts

BUY = (
    "class Buy:\n    id: str\n    what: str\n    cost: int | None = None\n    on: When | None = None\n"
    "    source: tuple[int, ...]\n\n"
    "    @property\n    def dear(self) -> bool:\n        return (self.cost or 0) > 100\n"
)
GIFT = "class Gift:\n    id: str\n    what: str\n    cost: int | None = None\n    source: tuple[int, ...]\n"
START = [
    {"change": "define", "domain": "shopping", "collection": "buys", "source": [1], "doc": "Shopping.", "text": BUY},
    *(
        {
            "change": "add", "collection": "buys", "id": f"b{n}", "source": [1],
            "values": {"what": f"thing {n}", "on": f"{2022 + n}-01-01", "cost": 100 * n},
        }
        for n in range(3)
    ),
]  # fmt: skip
GIFTS = {"change": "define", "domain": "family", "collection": "gifts", "source": [1], "text": GIFT}
RULES = '''"""Mine."""
from collections.abc import Iterable, Iterator

from shopping import Buy
from uac_nb.rules import Alert, derived, rule


@rule("info")
def dear(buys: Iterable[Buy]) -> Iterator[Alert]:
    """A dear thing."""
    for buy in buys:
        if buy.dear and (buy.cost or 0) > 150:
            yield Alert(message=f"{buy.what} cost {buy.cost}", hint="Spend less.", records=(buy.id,), evidence=buy.source)


@derived
def spent(buys: Iterable[Buy]) -> int:
    return sum(b.cost or 0 for b in buys)
'''


def stored(user: User, *changes: dict[str, Any]) -> None:
    """A batch as a reader leaves it: in the log, to be committed by who comes next."""
    drafts = tuple(Draft(kind="change", role="system", text=json.dumps(change)) for change in changes)
    user.log.store_batch(Batch(read=(1,), reader="a test", changes=drafts))
    user.checkpoint(reader="patterns")


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    with User.open("jess", tmp_path, today="2025-06-01") as opened:
        opened.ingest("I bought three things.", at="2025-01-10")
        stored(opened, *START)
        yield opened


def said(error: pytest.ExceptionInfo[CheckError]) -> list[str]:
    return [str(found) for found in error.value.diagnostics]


def again(user: User) -> tuple[dict[str, str], list[str]]:
    """Files and commits of the project, and the same when it was deleted and made anew from the log."""
    now = user.project.files(), [commit.id for commit in user.history()]
    user.close()
    shutil.rmtree(user.folder / "project")
    shutil.rmtree(user.folder / ".cache", ignore_errors=True)
    with User.open(user.name, user.folder.parent, today="2025-06-01", rebuild=True) as new:
        assert (new.project.files(), [commit.id for commit in new.history()]) == now
        assert new.log.verify() is None
    return now


# --- a cell whose class alone was edited ---


def test_old_records_rules_methods_and_pins_follow_a_field(user: User) -> None:
    user.edit("rules", RULES)
    user.pin("sum(b.cost for b in buys if b.dear)")
    user.pin("spent()")
    before, source = user.workspace.files(), user.source("shopping")
    done = user.edit(
        "shopping", source.text.replace("    cost: int", "    price: int"), source.base, rename={"Buy.cost": "price"}
    )
    assert done.diagnostics == ()
    assert [(b.price, b.source) for b in user.records("buys")] == [(0, (1,)), (100, (1,)), (200, (1,))]
    files = user.workspace.files()
    assert files["shopping.py"] == before["shopping.py"].replace("cost", "price")
    assert files["rules.py"] == before["rules.py"].replace(".cost", ".price")
    assert user.test().ok
    assert [a.alert.message for a in user.alerts()] == ["thing 2 cost 200"]
    assert user.run("[spent(), max(buys, key=lambda b: b.price).id]") == [300, "b2"]
    assert user.history()[0].message.split("\n") == [
        "By hand: rename Buy.cost to price", "", "rename Buy.cost to price", "edit rules.py", "edit test_jess.py",
    ]  # fmt: skip
    assert "-    cost: int | None = None\n+    price: int | None = None\n" in user.diff()
    user.undo()
    assert user.workspace.files() == before
    assert user.test().ok
    again(user)


def test_what_else_the_cell_says_is_saved_with_it(user: User) -> None:
    source = user.source("shopping")
    text = (
        source.text.replace("    cost: int", "    price: int").replace("thing 1", "a kettle").replace("cost=200", "price=250")
    )
    user.edit("shopping", text, source.base, rename={"cost": "price"})
    edit = user.log.entry(user.history()[0].stamp.entry)
    assert edit.kind == "edit"
    records = {b.id: (b.what, b.price, b.source) for b in user.records("buys")}
    assert records == {"b0": ("thing 0", 0, (1,)), "b1": ("a kettle", 100, (1, edit.id)), "b2": ("thing 2", 250, (1, edit.id))}
    user.undo()
    assert [b.cost for b in user.records("buys")] == [0, 100, 200]
    again(user)


def test_the_same_cell_run_again_changes_nothing(user: User) -> None:
    source = user.source("shopping")
    text = source.text.replace("    cost: int", "    price: int")
    assert user.edit("shopping", text, source.base, rename={"Buy.cost": "price"}).diff
    entries = len(user.log)
    assert user.edit("shopping", text, source.base, rename={"Buy.cost": "price"}).diff == ""
    assert len(user.log) == entries


def test_newer_words_still_change_a_record_that_only_followed(user: User) -> None:
    user.rename("buys.cost", "price")
    user.ingest("The second thing cost 120.", at="2025-02-01")
    told = user.log.last
    amend = {"change": "amend", "id": "b1", "set": {"price": 120}, "source": [told], "fact": "Thing 1 cost 120."}
    done = user.checkpoint(reader=FakeModel([json.dumps({"changes": [amend]})]))
    assert [c["change"] for c in done.changes] == ["amend"]
    assert user.records("buys")[1].price == 120


def test_a_field_that_is_added_makes_nobody_the_author_of_old_records(user: User) -> None:
    text = user.source("shopping").text
    user.edit("shopping", text.replace("    on: When", '    shop: str = "?"\n    on: When'))
    assert [(b.shop, b.source) for b in user.records("buys")] == [("?", (1,))] * 3


# --- without being named ---


@pytest.mark.parametrize(
    "hand",
    [(), ((", cost=100", ""), (", cost=200", ""), (", cost=0", "")), ((", cost=100", ", price=100"), (", cost=200", ""))],
)
def test_a_field_that_is_gone_where_another_came_is_refused_with_the_remedy(
    user: User, hand: tuple[tuple[str, str], ...]
) -> None:
    source, before = user.source("shopping"), user.workspace.files()
    text = source.text.replace("    cost: int", "    price: int").replace("self.cost", "self.price")
    for old, new in hand:
        text = text.replace(old, new)
    with pytest.raises(CheckError) as refused:
        user.edit("shopping", text, source.base)
    assert said(refused)[0].startswith(
        "shopping.py:7: Buy has no field 'cost' any more, and 3 records hold one (if it is called "
    )
    assert "--rename Buy.cost=price" in said(refused)[0]
    assert "rename={'Buy.cost': 'price'}" in said(refused)[0]
    assert user.workspace.files() == before
    assert user.edit("shopping", text, source.base, rename={"Buy.cost": "price"}).diff


def test_a_person_who_wrote_all_records_anew_lost_nothing(user: User) -> None:
    source = user.source("shopping")
    user.edit("shopping", source.text.replace("cost", "price"), source.base)
    assert [b.price for b in user.records("buys")] == [0, 100, 200]


def test_one_field_may_go_in_one_edit_and_another_come_in_the_next(user: User) -> None:
    text = user.source("shopping").text
    for n in range(3):
        text = text.replace(f", cost={100 * n},", ",")
    text = text.replace("    cost: int | None = None\n", "").replace("(self.cost or 0) > 100", "False")
    user.edit("shopping", text)
    user.edit("shopping", user.source("shopping").text.replace("    on: When", "    price: int = 0\n    on: When"))
    assert [b.price for b in user.records("buys")] == [0, 0, 0]


def test_a_type_that_is_called_otherwise_in_the_class_alone_is_told_too(user: User) -> None:
    text = user.source("shopping").text.replace("class Buy", "class Bargain")
    with pytest.raises(CheckError) as refused:
        user.edit("shopping", text)
    assert said(refused)[0].startswith(
        "shopping.py:7: there is no type Buy any more, and 3 records are of it (if it is called "
    )
    assert "--rename Buy=Bargain" in said(refused)[0]
    user.edit("shopping", text, rename={"Buy": "Bargain"})
    assert {type(b).__name__ for b in user.records("buys")} == {"Bargain"}


# --- in the project's folder ---


def test_a_file_edited_on_disk_waits_for_the_names(user: User) -> None:
    user.edit("rules", RULES)
    file = user.folder / "project" / "shopping.py"
    mine = file.read_text().replace("    cost: int", "    price: int").replace("thing 1", "a kettle")
    file.write_text(mine)
    (first, *_) = user.checkpoint(reader="patterns").diagnostics
    assert (first.where, "--rename Buy.cost=price" in first.hint) == ("shopping.py:7", True)
    assert file.read_text() == mine
    with pytest.raises(
        ProjectError, match=r"shopping\.py has edits that cannot be read, and a renaming goes through all files"
    ):
        user.rename("buys.what", "title")
    assert file.read_text() == mine
    user.edit("shopping", rename={"Buy.cost": "price"})
    assert [(b.what, b.price) for b in user.records("buys")] == [("thing 0", 0), ("a kettle", 100), ("thing 2", 200)]
    assert file.read_text() == user.workspace.files()["shopping.py"]
    assert (user.folder / "project" / "rules.py").read_text() == RULES.replace(".cost", ".price")
    assert user.project.edits() == {}
    user.undo()
    assert [b.cost for b in user.records("buys")] == [0, 100, 200]
    again(user)


def test_what_was_written_elsewhere_in_the_folder_is_taken_first_and_followed(user: User) -> None:
    (user.folder / "project" / "rules.py").write_text(RULES)
    user.rename("Buy.cost", "price")
    assert user.workspace.rules == RULES.replace(".cost", ".price")
    assert [c.message.split("\n")[0] for c in user.history()[:2]] == [
        "By hand: rename Buy.cost to price",
        "Edit rules.py by hand",
    ]


@pytest.mark.parametrize("dies", [False, True])
def test_a_file_that_was_taken_shows_what_was_committed(user: User, monkeypatch: pytest.MonkeyPatch, dies: bool) -> None:
    """Its records got the edit as a source, which the file does not say; it is no edit of that source."""
    file = user.folder / "project" / "shopping.py"
    file.write_text(file.read_text().replace("thing 1", "a kettle"))
    if dies:  # between the commit and its showing
        with monkeypatch.context() as patch:
            patch.setattr(Project, "checkout", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
            with pytest.raises(KeyboardInterrupt):
                user.checkpoint(reader="patterns")
        user.close()
    with User.open("jess", user.folder.parent) as opened:
        assert opened.checkpoint(reader="patterns").diff == "" or not dies
        assert file.read_text() == opened.workspace.files()["shopping.py"]
        assert opened.project.edits() == {}
        assert len(list(opened.log.entries(kinds=("edit",)))) == 1


def test_without_an_edit_there_is_nothing_to_save(user: User) -> None:
    entries = len(user.log)
    assert user.edit("shopping").diff == ""
    assert len(user.log) == entries


# --- code that may mean another ---

OTHERS = '''"""Mine."""
from collections.abc import Iterable, Iterator

from family import Gift
from shopping import Buy
from uac_nb.rules import Alert, derived, rule


def price_of(thing: Buy | Gift) -> int:
    return thing.cost or 0


def first(buys: Iterable[Buy]) -> Buy:
    return next(iter(buys))


def of_gift(gift: Gift) -> int:
    return gift.cost or 0


def of_buy(buy: Buy) -> int:
    return buy.cost or 0


@derived
def spent(buys: Iterable[Buy], gifts: Iterable[Gift]) -> int:
    dearest = max(buys, key=lambda b: b.cost or 0)
    return sum(b.cost or 0 for b in buys) + sum(g.cost or 0 for g in gifts) + (dearest.cost or 0) + (first(buys).cost or 0)
'''


def test_code_is_changed_only_where_it_is_sure_and_the_rest_is_told_with_its_line(user: User) -> None:
    stored(user, GIFTS)
    user.edit("rules", OTHERS)
    done = user.rename("Buy.cost", "price")
    expected = OTHERS
    for sure in ("buy.cost", "b: b.cost", "sum(b.cost", "dearest.cost"):
        assert sure in expected
        expected = expected.replace(sure, sure.replace(".cost", ".price"))
    assert user.workspace.rules == expected
    told = [d for d in done.diagnostics if d.code == "rename"]
    assert [(d.where, d.hint) for d in told] == [(f"rules.py:{line}", "write price if a Buy is meant") for line in (10, 28)]
    assert told[0].message == "Buy.cost is called 'price' now, and this may read it: return thing.cost or 0"
    if checker():
        assert [d.where for d in done.diagnostics if d.code == "type"] == ["rules.py:28"]


@pytest.mark.parametrize(
    ("field", "new", "code", "expected"),
    [
        ("cost", "price", "min(t.cost for t in buys)", "min((t.price for t in buys))"),
        ("cost", "price", "sorted(buys, key=lambda t: t.cost or 0)[0].id", "sorted(buys, key=lambda t: t.price or 0)[0].id"),
        ("cost", "price", "buys[0].cost", "buys[0].price"),
        ("on", "day", "[t.on.year for t in buys]", "[t.day.year for t in buys]"),
        ("what", "year", "[t.on.year for t in buys if t.what]", "[t.on.year for t in buys if t.year]"),
        ("on", "count", "len([t.on for t in buys if 'b'.count('b')])", "len([t.count for t in buys if 'b'.count('b')])"),
    ],
)
def test_a_pin_goes_on_to_hold(user: User, field: str, new: str, code: str, expected: str) -> None:
    user.pin(code)
    assert user.rename(f"Buy.{field}", new).diagnostics == ()
    assert expected.replace("'", '"') in user.workspace.files()["test_jess.py"].replace("'", '"')
    assert user.test().ok


def test_a_name_that_values_have_too_is_not_taken_for_the_field(user: User) -> None:
    user.rename("Buy.what", "year")
    user.edit("rules", '"""Mine."""\n\n\ndef year_of(thing) -> int:\n    return thing.year\n')
    done = user.rename("Buy.year", "what")
    assert [d.where for d in done.diagnostics if d.code == "rename"] == ["rules.py:5"]
    assert "thing.year" in user.workspace.rules


# --- types and collections ---


def test_a_type_and_a_collection_are_renamed_and_back(user: User) -> None:
    user.edit("rules", RULES)
    user.pin("len(buys)")
    before = user.workspace.files()
    user.rename("Buy", "Bargain")
    user.rename("buys", "basket")
    assert user.test().ok
    assert user.run("[len(basket), spent(), type(basket[0]).__name__]") == [3, 300, "Bargain"]
    assert [a.alert.message for a in user.alerts()] == ["thing 2 cost 200"]
    user.rename("basket", "buys")
    user.rename("Bargain", "Buy")
    assert user.workspace.files() == before
    again(user)


def test_a_collection_of_ours_is_missed_by_rules_and_readers(user: User) -> None:
    user.ingest("Flying to Lisbon on 10 March 2026.", at="2025-01-10")
    user.checkpoint(reader="patterns")
    done = user.rename("trips", "journeys")
    (told,) = [d for d in done.diagnostics if d.code == "rename"]
    assert told.message.startswith("trips comes with us: readers will file there what is told from now on, and ")
    assert "trips_overlap" in told.message


def test_several_at_once_are_one_step(user: User) -> None:
    before, source = user.workspace.files(), user.source("shopping")
    user.edit("shopping", source.text, source.base, rename={"cost": "price", "Buy": "Bargain", "Bargain.what": "title"})
    assert [(b.title, b.price) for b in user.records("buys")] == [("thing 0", 0), ("thing 1", 100), ("thing 2", 200)]
    user.undo()
    assert user.workspace.files() == before


def test_what_cannot_be_is_refused_and_nothing_changes(user: User) -> None:
    head = user.project.head
    wrong = [("buys.cots", "price"), ("buys.cost", "what"), ("buys.cost", "dear"), ("buys", "Buys")]
    ours = [("buys", "notes"), ("buys", "trips"), ("Buy", "Trip"), ("Buy", "Note"), ("buys.cost", "_cost")]
    for old, new in (*wrong, *ours):
        with pytest.raises(CheckError):
            user.rename(old, new)
    with pytest.raises(CheckError, match="there is nothing called 'cots'"):
        user.edit("shopping", user.source("shopping").text, rename={"cots": "price"})
    assert user.project.head == head


# --- a domain that outgrew one file ---


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> User:
    monkeypatch.setattr(parts, "MOST", 2)
    user: User = request.getfixturevalue("user")
    values = {"what": "a fourth", "on": "2024-02-02", "cost": 400}
    stored(user, {"change": "add", "collection": "buys", "id": "b4", "source": [1], "values": values})
    return user


def test_types_and_records_of_one_cell_are_one_step(large: User) -> None:
    before, source, commits = large.workspace.files(), large.source("shopping"), len(large.history())
    text = source.text.replace("    on: When", "    shop: str | None = None\n    on: When").replace(
        '"a fourth"', '"a rug", shop="Ana"'
    )
    done = large.edit("shopping", text, source.base)
    assert "+++ shopping/__init__.py" in done.diff
    assert "+++ shopping/buys_2024.py" in done.diff
    assert len(large.history()) == commits + 1
    assert large.history()[0].message == "Edit shopping/__init__.py, shopping/buys_2024.py by hand"
    found = large.workspace.find("b4")
    assert found is not None
    assert (found.record.shop, found.record.what) == ("Ana", "a rug")
    assert [large.entry(n).data.get("path") for n in found.record.source] == [None, "shopping/buys_2024.py"]
    assert "Edit shopping" in str(large.blame("b4").steps[-1].commit)
    large.undo()
    assert large.workspace.files() == before
    again(large)


@pytest.mark.parametrize(("old", "new"), [("Buy.cost", "price"), ("Buy", "Bargain"), ("buys", "basket")])
def test_all_parts_follow_in_one_step(large: User, old: str, new: str) -> None:
    before, source = large.workspace.files(), large.source("shopping")
    text = source.text.replace("class Buy", "class Bargain") if old == "Buy" else source.text
    large.edit(
        "shopping", text.replace("    cost: int", "    price: int") if "cost" in old else text, source.base, rename={old: new}
    )
    name = "basket" if old == "buys" else "buys"
    assert set(large.workspace.files()) == {p.replace("buys", name) for p in before}
    assert sorted(getattr(b, "price" if "cost" in old else "cost") for b in large.records(name)) == [0, 100, 200, 400]
    folder = large.folder / "project"
    assert {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*.py")} == large.workspace.files()
    large.undo()
    assert large.workspace.files() == before
    again(large)


def test_files_that_wait_for_one_another_are_taken_together(large: User) -> None:
    """A field is called otherwise in every file of a domain, by an editor."""
    for file in (large.folder / "project" / "shopping").glob("*.py"):
        file.write_text(file.read_text().replace("cost", "price"))
    assert large.checkpoint(reader="patterns").diagnostics == ()
    assert sorted(b.price for b in large.records("buys")) == [0, 100, 200, 400]
    assert large.project.edits() == {}
    large.undo()
    assert sorted(b.cost for b in large.records("buys")) == [0, 100, 200, 400]


# --- looking back, forgetting ---


def test_the_past_has_the_new_names(user: User) -> None:
    user.ingest("And a fourth.", at="2025-03-01")
    values = {"what": "a fourth", "cost": 400}
    stored(user, {"change": "add", "collection": "buys", "id": "b4", "source": [user.log.last], "values": values})
    user.rename("Buy.cost", "price")
    with user.at("2025-02-01") as then:
        assert then.run("sum(b.price for b in buys)") == 300


HEAD = """from collections.abc import Iterable

from shopping import Buy
from uac_nb.rules import derived


"""
MATCHED = """@derived
def spent(buys: Iterable[Buy]) -> int:
    total = 0
    for buy in buys:
        match buy:
            case Buy(what=str(), cost=int(cost)):
                total += cost
    return total
"""
ALIASED = """@derived
def spent(buys: Iterable[B]) -> int:
    return sum(b.cost or 0 for b in buys) + (B(id="x", what="y", cost=0, source=()).cost or 0)
"""
CALLED = """@derived
def all_of_it(buys: Iterable[Buy]) -> int:
    return sum(buy.cost or 0 for buy in buys)


@derived
def spent(buys: Iterable[Buy]) -> int:
    return all_of_it(buys=buys)
"""


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Buy.cost", "price", HEAD + MATCHED),
        ("Buy.cost", "price", HEAD.replace("import Buy", "import Buy as B") + ALIASED),
        ("buys", "basket", HEAD + CALLED),
    ],
    ids=["match", "alias", "keyword"],
)
def test_every_way_to_say_a_name_is_followed(user: User, old: str, new: str, code: str) -> None:
    user.edit("rules", code)
    assert user.run("spent()") == 300
    assert user.rename(old, new).diagnostics == ()
    assert user.run("spent()") == 300
    again(user)


@pytest.mark.parametrize("inside", ["basket = [b for b in buys if b.cost]\n    ", "", "sum(1 for basket in buys)\n    "])
def test_a_name_that_code_has_for_something_else_is_not_given(user: User, inside: str) -> None:
    uses = "return len(list(buys)) - (len(basket))" if inside.startswith("basket") else "return len(list(buys))"
    user.edit("rules", f"{HEAD}@derived\ndef many(buys: Iterable[Buy]) -> int:\n    {inside}{uses}\n")
    before = user.run("many()")
    if inside:
        with pytest.raises(CheckError, match="'basket' is the name of something else there"):
            user.rename("buys", "basket")
    else:
        user.rename("buys", "basket")
    assert user.run("many()") == before


def test_a_renaming_waits_for_the_answers_to_what_says_the_old_name(user: User) -> None:
    user.ingest("I bought a lamp for 40.", at="2025-05-01")
    lamp = {"change": "add", "collection": "buys", "id": "lamp", "values": {"what": "lamp", "cost": 40}}
    user.checkpoint(reader=FakeModel([json.dumps({"changes": [{**lamp, "source": [user.log.last]}]})]), review="later")
    (waits,) = user.waiting()
    for old, new in (("Buy.cost", "price"), ("Buy", "Bought"), ("buys", "basket")):
        with pytest.raises(CheckError, match=f"cannot be renamed while #{waits.id} waits"):
            user.rename(old, new)
    user.review(accept=[waits.id])
    user.rename("Buy.cost", "price")
    assert [b.price for b in user.records("buys")] == [0, 100, 200, 40]


def test_what_rules_found_on_a_day_they_find_by_the_new_name(user: User) -> None:
    _, dear, spent = RULES.split("\n\n\n")
    head = RULES.split("\n\n\n")[0]
    rule = {"change": "rule", "id": "dear", "text": f"{head}\n\n\n{dear}\n", "source": [1]}
    derive = {"change": "derive", "id": "spent", "text": f"{head}\n\n\n{spent}", "source": [1]}
    stored(user, rule, derive)
    user.rename("Buy.cost", "price")
    with user.at("2025-02-01") as then:
        assert then.run("spent()") == 300
        assert [raised.alert.message for raised in then.alerts()] == ["thing 2 cost 200"]


def test_words_are_forgotten_below_a_renaming(user: User) -> None:
    user.edit("rules", RULES)
    user.ingest("A quetzal cost 400.", at="2025-03-01")
    told = user.log.last
    values = {"what": "quetzal", "cost": 400}
    stored(user, {"change": "add", "collection": "buys", "id": "bird", "source": [told], "values": values})
    source = user.source("shopping")
    user.edit("shopping", source.text.replace("    cost: int", "    price: int").replace("thing 1", "kettle"), source.base,
              rename={"Buy.cost": "price"})  # fmt: skip
    user.forget([told], yes=True)
    assert [(b.id, b.what, b.price) for b in user.records("buys")] == [
        ("b0", "thing 0", 0),
        ("b1", "kettle", 100),
        ("b2", "thing 2", 200),
    ]
    assert user.workspace.rules == RULES.replace(".cost", ".price")
    user.undo()
    assert [(b.what, b.cost) for b in user.records("buys")] == [("thing 0", 0), ("thing 1", 100), ("thing 2", 200)]
    again(user)


# --- merge and split ---


def test_a_person_merges_records(user: User) -> None:
    before = user.workspace.files()
    user.merge("b0", "b2")
    assert [(b.id, b.cost, b.source) for b in user.records("buys")] == [("b1", 100, (1,)), ("b2", 200, (1,))]
    assert user.history()[0].message == "By hand: merge b0 b2"
    user.undo()
    assert user.workspace.files() == before
    with pytest.raises(CheckError, match="there is no record 'b9'"):
        user.merge("b9", "b2")
    again(user)


def test_a_person_splits_a_type_and_joins_it_again(user: User) -> None:
    before = {b.id: (b.what, b.cost, b.source) for b in user.records("buys")}
    stored(user, GIFTS)
    stored(user, {"change": "amend", "id": "b1", "set": {"on": None}, "source": [1]})
    user.reshape("buys", "gifts", ids=["b1"])
    assert [(g.id, g.what, g.cost) for g in user.records("gifts")] == [("b1", "thing 1", 100)]
    assert user.log.verify() is None
    with pytest.raises(CheckError, match="Gift has no place for on of Buy"):
        user.reshape("buys", "gifts", {"what": {"constant": "x"}})
    user.reshape("gifts", "buys", {"cost": "cost"})
    assert {b.id: (b.what, b.cost, b.source) for b in user.records("buys")} == before
    again(user)


# --- killed ---


LASTING = {os.fsync, os.replace, os.unlink, os.remove}  # what reaches the disk, besides SQLite


def _save_and_die(home: Path, text: str | None, at: int) -> int:
    """Save the edit of the test below, counting what lasts; end hard before one of them."""
    user, count = User.open("jess", home, today="2025-06-01"), 0

    def step(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal count
        if event == "c_call" and (
            arg in LASTING or isinstance(getattr(arg, "__self__", None), sqlite3.Connection | sqlite3.Cursor)
        ):
            count += 1
            if count == at:
                os._exit(9)

    sys.setprofile(step)
    try:
        user.edit("shopping", text, rename={"Buy.cost": "price"})
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")
@pytest.mark.parametrize("cell", [True, False], ids=["cell", "folder"])
def test_killed_anywhere_it_is_done_or_not_begun(user: User, tmp_path: Path, cell: bool) -> None:
    user.edit("rules", RULES)
    before, folder, source = user.workspace.files(), user.folder, user.source("shopping")
    edited = source.text.replace("    cost: int", "    price: int").replace("thing 1", "a kettle")
    user.close()
    if not cell:
        (folder / "project" / "shopping.py").write_text(edited)
    text, place = edited if cell else None, tmp_path / "copy"
    shutil.copytree(folder.parent, place)
    total, done = _save_and_die(place, text, 0), set()
    for at in {1 + i * (total - 1) // 16 for i in range(17)}:
        shutil.rmtree(place)
        shutil.copytree(folder.parent, place)
        if (child := os.fork()) == 0:
            try:
                _save_and_die(place, text, at)
            finally:
                os._exit(1)
        assert os.WEXITSTATUS(os.waitpid(child, 0)[1]) == 9, f"not killed at step {at} of {total}"
        with User.open("jess", place, today="2025-06-01") as found:
            assert found.log.verify() is None
            done.add("price" in found.workspace.files()["shopping.py"])
            if "price" not in found.workspace.files()["shopping.py"]:
                assert found.workspace.files() == before
                found.edit("shopping", text, rename={"Buy.cost": "price"})
            assert [(b.what, b.price) for b in found.records("buys")] == [("thing 0", 0), ("a kettle", 100), ("thing 2", 200)]
            assert found.checkpoint(reader="patterns").diagnostics == ()
            assert found.workspace.rules == RULES.replace(".cost", ".price")
            assert found.project.edits() == {}
    assert done == {True, False}
