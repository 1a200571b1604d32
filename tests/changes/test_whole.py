"""Merges that lose nothing, texts kept to the letter, and notes that grow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from uac_nb.changes import Workspace, accept, apply, parse

ENTRIES = {1: "Anna rents me the flat.", 2: "My sister Ann called.", 3: "The toast:\nTo Ann,\nwho waits.", 4: "And it rained."}
ANNA = {
    "change": "add",
    "collection": "people",
    "id": "anna",
    "values": {"name": "Anna", "relation": "landlady"},
    "source": [1],
}
ANN = {"change": "add", "collection": "people", "id": "ann", "values": {"name": "Ann", "relation": "sister"}, "source": [2]}
LUNCH = {"change": "add", "collection": "commitments", "id": "lunch", "source": [2],
         "values": {"title": "lunch", "on": "2025-06-14", "takes": ["me", "anna"], "others": ["anna"]}}  # fmt: skip
MERGE = {"change": "merge", "id": "anna", "into": "ann", "source": [2]}


def done(*changes: Mapping[str, Any]) -> Workspace:
    taken = accept(changes, Workspace(), text_of=ENTRIES.get)
    assert not taken.refused, [str(d) for r in taken.refused for d in r.diagnostics]
    return taken.workspace


def refused(*changes: Mapping[str, Any]) -> list[str]:
    return [d.code for r in accept(changes, Workspace(), text_of=ENTRIES.get).refused for d in r.diagnostics]


def test_a_merge_keeps_both_relations_and_repoints_traits() -> None:
    workspace = done(ANNA, ANN, LUNCH, MERGE)
    (ann,), (kept,), (lunch,) = map(workspace.records, ("people", "relations", "commitments"))
    assert (ann.id, ann.relation, {*ann.source}) == ("ann", "sister", {1, 2})
    assert (kept.who, kept.to, kept.relation, kept.source) == ("ann", "me", "landlady", (1,))
    assert (lunch.takes, lunch.others) == (("me", "ann"), ("ann",))


def test_a_relation_to_somebody_else_keeps_to_whom() -> None:
    friend = {**ANNA, "values": {"name": "Anna", "relation": "friend of Jon"}}
    (kept,) = done(friend, ANN, MERGE).records("relations")
    assert (kept.relation, kept.to, kept.title) == ("friend", "Jon", "friend of Jon")


def test_one_relation_makes_no_record() -> None:
    assert "relations" not in done({**ANNA, "values": {"name": "Anna"}}, ANN, MERGE).collections


def test_a_merge_of_before_replays_as_it_was() -> None:
    workspace = apply(parse(MERGE), done(ANNA, ANN, LUNCH))
    assert workspace.records("commitments")[0].takes == ("me", "anna")
    assert "relations" not in workspace.collections


@pytest.mark.parametrize(
    ("text", "codes"),
    [("To Ann,\nwho waits.", []), ("To Ann, who waits.", ["verbatim"]), ("to Ann,\nwho waits.", ["verbatim"])],
)  # fmt: skip
def test_a_text_is_kept_to_the_letter_or_not_at_all(text: str, codes: list[str]) -> None:
    toast = {
        "change": "add",
        "collection": "verbatims",
        "id": "toast",
        "values": {"title": "toast", "text": text},
        "source": [3],
    }
    assert refused(toast) == codes


def test_a_text_kept_to_the_letter_is_amended_to_the_letter() -> None:
    toast = {"change": "add", "collection": "verbatims", "id": "toast", "source": [3],
             "values": {"title": "toast", "text": "To Ann,"}}  # fmt: skip
    assert refused(toast, {"change": "amend", "id": "toast", "set": {"text": "To Ann!"}, "source": [3]}) == ["verbatim"]
    assert refused(toast, {"change": "amend", "id": "toast", "set": {"text": "who waits."}, "source": [3]}) == []


def test_a_note_is_amended_and_appended_to() -> None:
    note = {"change": "note", "id": "day", "text": "A long day.", "source": [2]}
    more = {"change": "amend", "id": "day", "append": {"text": ["It rained."]}, "source": [4]}
    (found,) = done(note, more).records("notes")
    assert (found.text, found.source) == ("A long day. It rained.", (2, 4))
    (found,) = done(note, {"change": "amend", "id": "day", "set": {"text": "A wet day."}, "source": [4]}).records("notes")
    assert (found.text, found.source) == ("A wet day.", (2, 4))
