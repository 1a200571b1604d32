"""The generator of `eval told`: the same from the same seed, provable from its lines, and its words are its own."""

from __future__ import annotations

import ast
import re
from datetime import date, time
from pathlib import Path
from random import Random

import pytest

from uac_nb.errors import UacError
from uac_nb.measure.eval import days
from uac_nb.measure.eval.days import Told
from uac_nb.measure.eval.generate import TROUBLES, generate
from uac_nb.measure.eval.kept import holds
from uac_nb.measure.eval.kinds import KINDS, PLANNED
from uac_nb.measure.eval.pools import Pool
from uac_nb.measure.eval.story import Story, Truth
from uac_nb.measure.eval.wording import book, phrasings, say, slots
from uac_nb.rules import Money, When

TESTS = Path(__file__).parents[1]
STORIES = [generate(seed, 40, 12) for seed in (1, 2, 3)]
WEDNESDAY, SUNDAY = date(2024, 3, 13), date(2024, 3, 17)
EVERY = [
    *TROUBLES.values(),
    "correction",
    "repeat",
    "cancellation",
    "came true",
    "plan",
    "vague date",
    "relative date",
    "currency",
    "same name",
    "plain",
]


# --- one small story, checked by hand ---


def test_a_small_story_and_its_truth_as_checked_by_hand() -> None:
    assert written(generate(2, 16, 4)) == (TESTS / "snapshots" / "eval_told.txt").read_text("utf-8")


def written(story: Story) -> str:
    lines = [f"{n:>2} {line.day:%a} {line.day} {line.role}: {line.text}" for n, line in enumerate(story.lines)]
    truths = [f"{t.id} {t.lines} {t.status}: {fields(t)} | {', '.join(t.troubles)}" for t in story.truths]
    decoys = [f"{d.id} {d.lines}: {d.keys[0]} | {d.trouble}{' (may stand as over)' * d.over}" for d in story.decoys]
    return "\n".join([*lines, "", *truths, "", *decoys, ""])


def fields(truth: Truth) -> str:
    shown = {name: v.when if isinstance(v, Told) else v[0] if isinstance(v, tuple) else v for name, v in truth.fields.items()}
    return ", ".join(f"{name} {value}" for name, value in sorted(shown.items()))


# --- what a seed gives ---


def test_a_seed_gives_one_story_and_another_seed_other_words() -> None:
    assert generate(1, 40, 12) == STORIES[0]
    told = [{line.text for line in story.lines if line.about} for story in STORIES]
    assert len(told[0] & told[1]) < 5


@pytest.mark.parametrize("story", STORIES, ids=lambda s: f"seed {s.seed}")
def test_a_story_has_its_size_its_sessions_and_every_trouble(story: Story) -> None:
    assert len(story.truths) == 40
    assert {truth.kind for truth in story.truths} == set(KINDS)
    assert len(story.days) == 12
    assert all(a < b for a, b in zip(story.days, story.days[1:], strict=False))
    assert [line.session for line in story.lines] == sorted(line.session for line in story.lines)
    assert any(not line.about for line in story.lines)


def test_no_trouble_is_forgotten() -> None:
    assert {t for s in STORIES for truth in s.truths for t in truth.troubles} | {
        d.trouble for s in STORIES for d in s.decoys
    } == {*EVERY}


def test_two_people_share_a_first_name() -> None:
    for story in STORIES:
        shared = [truth.fields["party"][0].split() for truth in story.truths if "same name" in truth.troubles]
        names = [name for name, _ in shared]
        assert any(names.count(name) > 1 for name in names)
        assert len({tuple(person) for person in shared}) == len(shared)


@pytest.mark.parametrize(("size", "sessions"), [(0, 12), (8, 2), (2000, 12)])
def test_what_cannot_be_told_is_said(size: int, sessions: int) -> None:
    with pytest.raises(UacError, match="--size"):
        generate(1, size, sessions)


# --- what is meant is told ---


@pytest.mark.parametrize("story", STORIES, ids=lambda s: f"seed {s.seed}")
def test_all_that_is_meant_stands_in_the_lines(story: Story) -> None:
    for truth in story.truths:
        text = " ".join(story.lines[n].text for n in truth.lines)
        assert all(truth.id in story.lines[n].about for n in truth.lines)
        assert any(holds(text, key) for key in truth.keys), truth
        for name, value in truth.fields.items():
            assert stands(value, text), (truth.id, name, text)
    for decoy in story.decoys:
        assert decoy.lines


def stands(value: object, text: str) -> bool:
    match value:
        case Told():
            return value.words.lower() in text.lower()
        case Money():
            return f"{value.amount:,}" in text
        case time():
            return f"{value.hour}:{value.minute:02}" in text
        case tuple():
            return any(holds(text, way) for way in value)
    return str(value) in text or str(int(str(value)) // 1000) in text


@pytest.mark.parametrize("story", STORIES, ids=lambda s: f"seed {s.seed}")
def test_only_the_assistant_suggests(story: Story) -> None:
    suggested = {d.lines[0] for d in story.decoys if d.trouble == "suggestion"}
    about = {n for n, line in enumerate(story.lines) if line.role == "assistant" and line.about}
    assert about == suggested


def test_what_is_told_once_stays_unique() -> None:
    """Else nobody could say which of two is meant."""
    for story in STORIES:
        keys = [t.keys[0] for t in (*story.truths, *story.decoys) if t.kind != "workout"]
        assert len(keys) == len(set(keys))


def test_who_just_came_back_from_a_trip_says_when_it_ended() -> None:
    stories = (generate(seed, 40, 12) for seed in range(1, 60))
    trips = (truth for story in stories for truth in story.truths if truth.kind == "trip" and "vague date" in truth.troubles)
    trip = next(truth for truth in trips if "until" in truth.fields)
    assert "on" not in trip.fields
    assert trip.fields["until"].words == "just"


# --- days ---


@pytest.mark.parametrize(
    ("words", "said", "ahead", "when", "right", "wrong"),
    [
        ("last week", WEDNESDAY, False, "2024-W10", ["2024-03-04/2024-03-10"], ["2024-03-06", "2024-W11", "2024-03"]),
        ("next week", WEDNESDAY, True, "2024-W12", [], ["2024-W13", "2024-03-20"]),
        ("last weekend", WEDNESDAY, False, "2024-03-09/2024-03-10", ["2024-03-08/2024-03-10"], ["2024-03-09", "2024-W10"]),
        (
            "two weeks ago",
            WEDNESDAY,
            False,
            "2024-W09",
            ["2024-02-28~", "2024-02-26/2024-03-01"],
            ["2024-02-28", "2024-W08", "2024-02"],
        ),
        ("in three weeks", WEDNESDAY, True, "2024-W14", ["2024-04-01/2024-04-07"], ["2024-04-03", "2024-04"]),
        ("last month", WEDNESDAY, False, "2024-02", ["2024-02-01/2024-02-29"], ["2024-02-13", "2024-02~", "2024"]),
        ("in January", WEDNESDAY, False, "2024-01", [], ["2023-01", "2024-01-15", "../2024-01"]),
        ("in December", WEDNESDAY, False, "2023-12", [], ["2024-12"]),
        ("in May", WEDNESDAY, True, "2024-05", [], ["2024-06", "2024-05-01"]),
    ],
)
def test_a_vague_day_proves_no_more_than_it_says(
    words: str, said: date, ahead: bool, when: str, right: list[str], wrong: list[str]
) -> None:
    ways = (days.vague(Random(n), said, ahead=ahead) for n in range(200))
    told = next(way for way in ways if way.words == words)
    assert told.when == When(when)
    assert [text for text in [when, *right] if not told.proves(When(text))] == []
    assert [text for text in wrong if told.proves(When(text))] == []


def test_on_a_sunday_nobody_says_last_week() -> None:
    assert "last week" not in {days.vague(Random(n), SUNDAY, ahead=False).words for n in range(200)}


def test_just_is_about_then() -> None:
    just = days.just(WEDNESDAY)
    assert just.when == When("2024-03-13~")
    assert just.proves(When("2024-03-13~"))
    assert not just.proves(When("2024-03-13"))
    assert not just.proves(When("../2024-03-13"))


@pytest.mark.parametrize(
    ("meant", "ways"),
    [
        ("2024-03-13", {"today"}),
        ("2024-03-12", {"yesterday"}),
        ("2024-03-11", {"the day before yesterday", "on Monday", "two days ago"}),
        ("2024-03-16", {"on Saturday", "in three days"}),
        ("2024-03-07", {"on Thursday", "six days ago"}),
        ("2024-03-06", set()),
        ("2024-03-20", set()),
    ],
)
def test_a_near_day_by_its_distance(meant: str, ways: set[str]) -> None:
    assert set(days.nearby(date.fromisoformat(meant), WEDNESDAY)) == ways


def test_a_day_of_the_month_alone_only_where_it_is_this_month() -> None:
    this, other = date(2024, 3, 2), date(2024, 2, 2)
    assert "on the 2nd" in {days.absolute(Random(n), this, WEDNESDAY) for n in range(50)}
    assert "on the 2nd" not in {days.absolute(Random(n), other, WEDNESDAY) for n in range(50)}


# --- wording ---


def moments() -> list[tuple[str, str]]:
    return [(kind, moment) for kind, section in book("phrases").items() for moment in section]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("kind", "moment"), moments())
def test_each_moment_can_be_worded_in_many_ways(kind: str, moment: str) -> None:
    ways = [way for phrase in phrasings(kind, moment) for way in phrase]
    assert len(phrasings(kind, moment)) >= (8 if moment == "told" else 4)
    assert len(set(ways)) == len(ways)
    assert len(ways) >= (8 if moment in ("told", "filler", "assistant", "lead") else 4)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda k: k.name)
def test_every_phrase_can_be_filled_and_says_what_it_is_about(kind) -> None:  # type: ignore[no-untyped-def]
    drawn = kind.draw(Pool(Random(0)))
    given = {*drawn.slots, "on", "day", "was", "just", "span", "until", "new", "old", "other", "metres"}
    about = {"place", "title", "party", "kind", "sport", "value"}
    for moment in book("phrases")[kind.name]:  # type: ignore[attr-defined]
        for way in (way for ways in phrasings(kind.name, moment) for way in ways):
            assert slots(way) <= given, way
            assert slots(way) & about, way


def test_plans_can_be_told_in_all_that_becomes_of_them() -> None:
    assert all(set(PLANNED) <= set(KINDS[name].arcs) for name in ("trip", "meal", "meeting"))


def test_a_phrase_tells_only_the_fields_that_it_fills() -> None:
    drawn = KINDS["purchase"].draw(Pool(Random(0)))
    line, told = say(Random(0), "purchase", "again", drawn.slots, need=("money",))
    assert {"money", "title"} <= set(told)
    assert f"{told['money'].amount:,}" in line  # type: ignore[union-attr]
    assert ("shop" in told) == (drawn.slots["shop"].words in line)


# --- its phrases are not those of the pattern reader's tests ---


def test_no_sentence_is_one_of_the_pattern_readers_tests() -> None:
    theirs = {sentence for path in TESTS.glob("reading/test_*.py") for text in strings(path) for sentence in sentences(text)}
    ours = {sentence for story in [*STORIES, generate(4, 160, 12)] for line in story.lines for sentence in sentences(line.text)}
    assert len(theirs) > 300
    assert len(ours) > 400
    assert theirs & ours == set()


def strings(path: Path) -> list[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def sentences(text: str) -> set[str]:
    """Those of at least three words, in lower case and without signs; what fills the slots is left in."""
    plain = (" ".join(re.findall(r"\w+", part.lower())) for part in re.split(r"[.!?]\s|\n", text))
    return {sentence for sentence in plain if sentence.count(" ") >= 2}
