"""Undo of a batch that others followed: alone, or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from uac_nb import User
from uac_nb.errors import ProjectError
from uac_nb.log import Batch, Draft


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    with User.open("jess", tmp_path) as opened:
        opened.ingest("Anna rents me the flat, Ann is my sister, and Lisbon is in March.", at="2025-01-10")
        tell(opened, define("people"), person("anna", "landlady"), person("ann", "sister"))
        yield opened


def define(collection: str) -> dict[str, object]:
    from uac_nb.starter import TYPES

    ready = TYPES[collection]
    text = ready.text.replace(f"class {ready.name}:", f"class {ready.name}:  # starter: {ready.name}")
    return {"change": "define", "domain": ready.domain, "collection": collection, "text": text, "source": [1]}


def person(id: str, relation: str) -> dict[str, object]:
    values = {"name": id.capitalize(), "relation": relation}
    return {"change": "add", "collection": "people", "id": id, "values": values, "source": [1]}


def trip(id: str, who: str = "me") -> dict[str, object]:
    values = {"title": f"trip {id}", "to": "Lisbon", "who": who}
    return {"change": "add", "collection": "trips", "id": id, "values": values, "source": [1]}


def tell(user: User, *changes: dict[str, object]) -> int:
    """The number of the last entry of the batch."""
    drafts = tuple(Draft(kind="change", text=json.dumps(change)) for change in changes)
    user.log.store_batch(Batch(read=(), reader="patterns", changes=drafts))
    user._store.catch_up()
    return max(entry.id for entry in user.log.entries(kinds=("change",)))


def ids(user: User, collection: str) -> list[str]:
    return [record.id for record in user.records(collection)] if collection in user.workspace.collections else []


def test_a_merge_is_taken_back_after_other_batches(user: User) -> None:
    before = user.records("people")
    user.merge("anna", "ann")
    merged = max(entry.id for entry in user.log.entries(kinds=("change",)))
    tell(user, define("trips"), trip("lisbon"))
    assert ids(user, "people") == ["ann"]
    assert ids(user, "relations") == ["ann-landlady"]
    user.undo(merged)
    assert {r.id: (r.name, r.relation) for r in user.records("people")} == {r.id: (r.name, r.relation) for r in before}
    assert (ids(user, "trips"), ids(user, "relations")) == (["lisbon"], [])
    files = user.project.files()
    user.rebuild()
    assert user.project.files() == files
    user.undo()
    assert ids(user, "people") == ["ann"]


def test_what_a_later_batch_rests_on_stays(user: User) -> None:
    first = tell(user, define("trips"), trip("lisbon"))
    tell(user, {"change": "amend", "id": "lisbon", "set": {"to": "Porto"}, "source": [1]})
    files = user.project.files()
    with pytest.raises(ProjectError, match=f"entry {first} cannot be taken back alone: entry .* was made on top of it"):
        user.undo(first)
    assert user.project.files() == files


def test_what_a_later_record_names_stays(user: User) -> None:
    kim = tell(user, person("kim", "friend"))
    tell(user, define("trips"), trip("lisbon", who="kim"))
    with pytest.raises(ProjectError, match="lisbon names kim, which it made"):
        user.undo(kim)


def test_an_entry_that_is_of_no_batch_is_told(user: User) -> None:
    with pytest.raises(ProjectError, match="entry 1 is of no batch and no edit that still counts"):
        user.undo(1)


def test_the_last_one_by_its_number_is_the_plain_undo(user: User) -> None:
    last = tell(user, define("trips"), trip("lisbon"))
    assert str(user.undo(last)).startswith("took back batch")
    assert next(iter(user.log.entries(kinds=("undo",)))).data["batch"] == 2
