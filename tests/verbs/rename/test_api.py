"""A person calls fields, types and collections otherwise, in a cell, a file or a call: records and history follow."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from uac_nb import User
from uac_nb.errors import CheckError, ProjectError
from uac_nb.model import FakeModel
from uac_nb.project import Project

Again = Callable[[User], Any]
Stored = Callable[..., None]
Change = dict[str, Any]


def said(error: pytest.ExceptionInfo[CheckError]) -> list[str]:
    return [str(found) for found in error.value.diagnostics]


# --- a cell whose class alone was edited ---


def test_old_records_rules_methods_and_pins_follow_a_field(user: User, rules: str, again: Again) -> None:
    user.edit("rules", rules)
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


def test_what_else_the_cell_says_is_saved_with_it(user: User, again: Again) -> None:
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


def test_a_file_edited_on_disk_waits_for_the_names(user: User, rules: str, again: Again) -> None:
    user.edit("rules", rules)
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
    assert (user.folder / "project" / "rules.py").read_text() == rules.replace(".cost", ".price")
    assert user.project.edits() == {}
    user.undo()
    assert [b.cost for b in user.records("buys")] == [0, 100, 200]
    again(user)


def test_what_was_written_elsewhere_in_the_folder_is_taken_first_and_followed(user: User, rules: str) -> None:
    (user.folder / "project" / "rules.py").write_text(rules)
    user.rename("Buy.cost", "price")
    assert user.workspace.rules == rules.replace(".cost", ".price")
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


# --- types and collections ---


def test_a_type_and_a_collection_are_renamed_and_back(user: User, rules: str, again: Again) -> None:
    user.edit("rules", rules)
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


# --- looking back, forgetting ---


def test_the_past_has_the_new_names(user: User, stored: Stored) -> None:
    user.ingest("And a fourth.", at="2025-03-01")
    values = {"what": "a fourth", "cost": 400}
    stored(user, {"change": "add", "collection": "buys", "id": "b4", "source": [user.log.last], "values": values})
    user.rename("Buy.cost", "price")
    with user.at("2025-02-01") as then:
        assert then.run("sum(b.price for b in buys)") == 300


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


def test_words_are_forgotten_below_a_renaming(user: User, rules: str, stored: Stored, again: Again) -> None:
    user.edit("rules", rules)
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
    assert user.workspace.rules == rules.replace(".cost", ".price")
    user.undo()
    assert [(b.what, b.cost) for b in user.records("buys")] == [("thing 0", 0), ("thing 1", 100), ("thing 2", 200)]
    again(user)


# --- merge and split ---


def test_a_person_merges_records(user: User, again: Again) -> None:
    before = user.workspace.files()
    user.merge("b0", "b2")
    assert [(b.id, b.cost, b.source) for b in user.records("buys")] == [("b1", 100, (1,)), ("b2", 200, (1,))]
    assert user.history()[0].message == "By hand: merge b0 b2"
    user.undo()
    assert user.workspace.files() == before
    with pytest.raises(CheckError, match="there is no record 'b9'"):
        user.merge("b9", "b2")
    again(user)


def test_a_person_splits_a_type_and_joins_it_again(user: User, gifts: Change, stored: Stored, again: Again) -> None:
    before = {b.id: (b.what, b.cost, b.source) for b in user.records("buys")}
    stored(user, gifts)
    stored(user, {"change": "amend", "id": "b1", "set": {"on": None}, "source": [1]})
    user.reshape("buys", "gifts", ids=["b1"])
    assert [(g.id, g.what, g.cost) for g in user.records("gifts")] == [("b1", "thing 1", 100)]
    assert user.log.verify() is None
    with pytest.raises(CheckError, match="Gift has no place for on of Buy"):
        user.reshape("buys", "gifts", {"what": {"constant": "x"}})
    user.reshape("gifts", "buys", {"cost": "cost"})
    assert {b.id: (b.what, b.cost, b.source) for b in user.records("buys")} == before
    again(user)


# --- a field of ours ---


def test_rules_that_miss_a_field_of_ours_are_told_with_the_lines_that_bring_them_back(user: User) -> None:
    told = ["Flying to Lisbon on 10 March 2026, back on the 17th.", "Flying to Rome on 12 March 2026, back on the 19th."]
    user.ingest([{"text": text} for text in told], at="2025-01-10")
    assert [raised.alert.rule for raised in user.checkpoint(reader="patterns").alerts] == ["trips_overlap"]
    renamed, off = user.rename("trips.departs", "leaves").diagnostics
    assert (renamed.code, off.code, user.alerts()) == ("rename", "rule-off", ())
    assert "11 rules are off: they need departs in trips (" in off.message
    assert "trips_overlap" in off.message
    assert renamed.message.endswith("stays unread from now on, and 11 rules that read it are off")
    lines = renamed.hint.split("`")[1::2]
    assert lines == ["@property", "def departs(self): return self.leaves"]
    text = user.source("travel").text.replace(
        "\n# --- state", "".join(f"\n    {line}" for line in lines) + "\n\n# --- state", 1
    )
    done = user.edit("travel", text)
    assert (done.diagnostics, [raised.alert.rule for raised in done.alerts]) == ((), ["trips_overlap"])


def test_a_field_of_ours_that_no_rule_reads_is_told_too(user: User) -> None:
    user.ingest("Flying to Lisbon on 10 March 2026.", at="2025-01-10")
    user.checkpoint(reader="patterns")
    (told,) = user.rename("Trip.felt", "mood").diagnostics
    assert told.message == ("Trip.felt comes with us: what the pattern reader would file by that name stays unread from now on")
    assert user.rename("Buy.cost", "price").diagnostics == ()
