"""Copies of our types that an earlier version made: they work as they are, and get what is new as logged changes."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from uac_nb import User, starter
from uac_nb.changes import Workspace, apply, parse
from uac_nb.cli import doctor
from uac_nb.cli.main import main
from uac_nb.log import Batch, Draft
from uac_nb.runtime import program
from uac_nb.runtime.starting import starter_rules
from uac_nb.verbs import upgrade

KEPT = Path(__file__).parents[1] / "archives" / "0.1.0"
BITES = ("medicine_against_allergy", "critical")

OLD = json.loads((KEPT / "starter.json").read_text(encoding="utf-8"))  # all types of that version, by collection


@pytest.fixture
def bea(tmp_path: Path) -> Iterator[User]:
    archive = tmp_path / "bea.jsonl"
    archive.write_bytes(gzip.decompress((KEPT / "bea.jsonl.gz").read_bytes()))
    with User.restore("bea", archive, tmp_path / "users") as user:
        yield user


def tell(user: User, *changes: dict[str, object]) -> None:
    drafts = tuple(Draft(kind="change", text=json.dumps(change)) for change in changes)
    user.log.store_batch(Batch(read=(), reader="patterns", changes=drafts))
    user._store.catch_up()


def fired(user: User) -> set[tuple[str, str | None]]:
    return {(raised.alert.rule, raised.alert.severity) for raised in user.alerts(today=date(2025, 3, 1))}


def takes_augmentin(user: User) -> None:
    user.ingest("I'm taking Augmentin 500 mg.", at="2025-03-01")
    user.checkpoint(reader="patterns", today=date(2025, 3, 1))


def test_an_old_copy_warns_of_a_medicine_before_and_after_its_upgrade(bea: User) -> None:
    assert [a.avoid for a in bea.records("allergies")] == [("penicillin",)]
    takes_augmentin(bea)
    assert BITES in fired(bea)
    bea.upgrade()
    assert [a.avoids for a in bea.records("allergies")] == [("penicillin",)]
    assert BITES in fired(bea)


def test_what_is_told_to_an_old_copy_goes_by_its_names(bea: User) -> None:
    bea.ingest("I'm allergic to latex.", at="2025-03-01")
    bea.checkpoint(reader="patterns", today=date(2025, 3, 1))
    assert [a.avoid for a in bea.records("allergies")] == [("penicillin",), ("latex",)]
    bea.ingest("I'm allergic to latex.", at="2025-03-02")  # the same once more is no second record
    bea.checkpoint(reader="patterns", today=date(2025, 3, 2))
    assert len(bea.records("allergies")) == 2


def copies(types: dict[str, dict[str, str]]) -> Workspace:
    workspace = Workspace()
    for collection, old in types.items():
        change = {"change": "define", "domain": old["domain"], "collection": collection, "text": old["text"], "source": [1]}
        workspace = apply(parse(change), workspace)
    return workspace


def test_no_rule_goes_off_for_copies_of_an_earlier_version() -> None:
    made = program(copies(OLD))
    assert {name: lost for name, rule in starter_rules().items() if (lost := made.lost(rule.needs))} == {}


def test_every_copy_of_an_earlier_version_becomes_what_ours_is(tmp_path: Path) -> None:
    with User.open("ann", tmp_path) as user:
        user.ingest("Hello.", at="2025-06-01")
        defines = [{"change": "define", "collection": c, "source": [1], **old} for c, old in OLD.items()]
        tell(user, *defines)
        user.upgrade()
        kinds = {c: user.workspace.collections[c].type for c in OLD}
        ours = {c: upgrade._ours(starter.TYPES[c]) for c in OLD}
        said = lambda kind: {(f.name, str(f.type), repr(f.default)) for f in kind.fields}  # noqa: E731
        assert {c: said(kind) for c, kind in kinds.items()} == {c: said(kind) for c, kind in ours.items()}


def test_a_dry_run_shows_the_difference_and_changes_nothing(bea: User) -> None:
    before, entries = bea.project.files(), len(bea.log)
    shown = bea.upgrade(dry_run=True)
    assert '-    Allergy(id="penicillin", title="penicillin allergy", avoid=("penicillin",), source=(2,)),' in shown.diff
    assert '+    Allergy(id="penicillin", title="penicillin allergy", avoids=("penicillin",), source=(2,)),' in shown.diff
    assert (bea.project.files(), len(bea.log)) == (before, entries)
    assert bea.upgrade().diff == shown.diff
    assert bea.upgrade().diff == ""


def test_it_is_found_by_a_checkpoint_and_the_doctor_until_it_is_taken(bea: User) -> None:
    def told() -> list[str]:
        return [d.code for d in bea.checkpoint(reader="patterns", today=date(2025, 3, 1)).diagnostics if d.code == "upgrade"]

    assert told() == ["upgrade"]
    assert any(f.what == "upgrade" and "bea: " in f.found for f in doctor.examine(bea.folder.parent))
    bea.upgrade()
    assert told() == []
    assert not any(f.what == "upgrade" for f in doctor.examine(bea.folder.parent))


def test_it_is_logged_and_rebuilds_and_can_be_undone(bea: User) -> None:
    before = bea.project.files()
    bea.upgrade()
    last = list(bea.log.entries(kinds=("change", "edit")))[-1].data["batch"]
    made = [entry for entry in bea.log.entries(kinds=("change",)) if entry.data.get("batch") == last]
    assert {json.loads(entry.text)["change"] for entry in made} == {"rename", "extend"}
    after = bea.project.files()
    bea.rebuild()
    assert bea.project.files() == after
    bea.undo()
    assert bea.project.files() == before


def test_a_choice_makes_way_for_a_trait_of_its_name(tmp_path: Path) -> None:
    with User.open("ann", tmp_path) as user:
        text = OLD["commitments"]["text"]
        user.ingest("The plumber comes on 12 June.", at="2025-06-01")
        tell(
            user,
            {"change": "define", "domain": "schedule", "collection": "commitments", "text": text, "source": [1], "doc": "S."},
            {"change": "add", "collection": "commitments", "id": "plumber", "source": [1],
             "values": {"title": "visit of the plumber", "on": "2025-06-12", "needs": "someone at home"}},
        )  # fmt: skip
        assert user.records("commitments")[0].presence == "someone at home"
        user.upgrade()
        plumber = user.records("commitments")[0]
        assert (plumber.presence, plumber.needs, plumber.takes) == ("someone at home", (), ())
        assert "# " in next(line for line in user.source("schedule").text.splitlines() if "    takes:" in line)


def test_code_follows_and_what_was_taken_out_stays_out(bea: User) -> None:
    bea.upgrade()
    text = bea.source("health").text
    assert "    severity:" in text
    bea.edit("health", "\n".join(line for line in text.splitlines() if "    severity:" not in line) + "\n")
    assert bea.upgrade().diff == ""


def test_every_new_field_has_a_default_for_records_that_are_there(bea: User) -> None:
    bea.upgrade()
    for collection in bea.workspace.collections.values():
        ready = next((t for t in starter.TYPES.values() if t.name == collection.type.starter), None)
        assert ready is None or {name for name, _ in upgrade._fields(ready.text)} <= {*collection.type.by_name}


def test_a_project_of_today_has_nothing_to_upgrade(tmp_path: Path) -> None:
    with User.open("ann", tmp_path) as user:
        user.ingest("I'm allergic to latex.", at="2025-03-01")
        user.checkpoint(reader="patterns", today=date(2025, 3, 1))
        assert not upgrade.offered(user.workspace, user.log)
        assert isinstance(user.workspace, Workspace)


def test_the_command_line_shows_and_takes_it(bea: User) -> None:
    home = str(bea.folder.parent)
    done = CliRunner().invoke(main, ["upgrade", "bea", "--dry-run", "--home", home])
    assert done.exit_code == 0
    assert "avoids" in done.output
    assert CliRunner().invoke(main, ["upgrade", "bea", "--home", home]).exit_code == 0
    assert "nothing changed" in CliRunner().invoke(main, ["upgrade", "bea", "--home", home]).output
