"""Reshape: records move to another type by a map that is data; nothing they hold is lost in silence."""

from __future__ import annotations

from typing import Any

import pytest

from uac_nb.changes import Workspace, accept, apply, dump, parse

HEAD = "@dataclass(frozen=True, slots=True, kw_only=True)\n"
HABIT = HEAD + (
    'class Habit:\n    """A habit."""\n    id: str\n    who: str = "me"\n    name: str\n    sort: str\n'
    "    rate: int | None = None\n    source: tuple[int, ...]\n"
)
PRACTICE = HEAD + (
    'class Hobby:\n    """A hobby."""\n    id: str\n    who: str = "me"\n    title: str\n'
    '    kind: Literal["sport", "art"]\n    status: str = "current"\n    source: tuple[int, ...]\n'
)
START = [
    {"change": "define", "domain": "habits", "collection": "habits", "text": HABIT, "source": [1]},
    {"change": "define", "domain": "life", "collection": "hobbies", "text": PRACTICE, "source": [1]},
    {"change": "add", "collection": "habits", "id": "gym", "values": {"name": "gym", "sort": "weights"}, "source": [2]},
    {
        "change": "add", "collection": "habits", "id": "ana-oils", "source": [3],
        "values": {"who": "ana", "name": "oils", "sort": "paint"},
    },
]  # fmt: skip
MAP: dict[str, Any] = {
    "title": {"field": "name"},
    "kind": {"field": "sort", "lookup": {"weights": "sport", "paint": "art"}},
    "status": {"constant": "paused"},
}
MOVE = {"change": "reshape", "collection": "habits", "to": "hobbies", "map": MAP, "source": [4]}


def tried(*changes: dict[str, Any]) -> tuple[Workspace, str]:
    done = accept([*START, *changes], Workspace())
    return done.workspace, " | ".join(str(d) for bad in done.refused for d in bad.diagnostics)


def test_all_records_move_with_their_ids_and_sources() -> None:
    workspace, wrong = tried(MOVE)
    assert wrong == ""
    assert workspace.records("habits") == ()
    moved = [(r.id, r.who, r.title, r.kind, r.status, r.source) for r in workspace.records("hobbies")]
    assert moved == [("gym", "me", "gym", "sport", "paused", (2,)), ("ana-oils", "ana", "oils", "art", "paused", (3,))]


def test_some_may_move_and_the_type_is_split() -> None:
    workspace, wrong = tried({**MOVE, "ids": ["gym"]})
    assert wrong == ""
    assert [r.id for r in workspace.records("habits")] == ["ana-oils"]
    assert [r.id for r in workspace.records("hobbies")] == ["gym"]


def test_it_is_replayed_from_the_log_as_it_was() -> None:
    before, _ = tried()
    change = parse(MOVE)
    assert apply(parse(dump(change)), before).files() == apply(change, before).files()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"collection": "habit"}, "there is no collection 'habit'"),
        ({"to": "habits"}, "are one collection"),
        ({"ids": ["run"]}, "habits has no record 'run' (it has gym, ana-oils)"),
        ({"map": {**MAP, "kind": {"field": "sort", "lookup": {"weights": "sport"}}}}, "the lookup for 'kind' has no 'paint'"),
        ({"map": {**MAP, "colour": {"field": "sort"}}}, "Hobby has no field 'colour' to be mapped"),
        ({"map": {**MAP, "title": {"field": "nom"}}}, "Habit has no field 'nom'"),
        ({"map": {**MAP, "id": {"field": "name"}}}, "Hobby has no field 'id' to be mapped"),
        ({"map": {**MAP, "kind": {"lookup": {"a": "b"}}}}, "the lookup for 'kind' names no field"),
        ({"map": {"title": {"field": "name"}}}, "Hobby needs 'kind'"),
        ({"map": {**MAP, "kind": {"constant": "noise"}}}, "'noise'"),
        ({"map": {**MAP, "title": {"constant": "x"}}}, "Hobby has no place for name of Habit (extend hobbies, or map name)"),
    ],
)
def test_what_would_lose_or_misfit_is_refused_and_nothing_moves(more: dict[str, Any], words: str) -> None:
    workspace, wrong = tried({**MOVE, **more})
    assert words in wrong
    assert len(workspace.records("habits")) == 2


def test_a_field_that_holds_nothing_is_not_missed() -> None:
    rated = {"change": "amend", "id": "gym", "set": {"rate": 5}, "source": [4]}
    assert "no place for rate" in tried(rated, MOVE)[1]
    assert tried(MOVE)[1] == ""
