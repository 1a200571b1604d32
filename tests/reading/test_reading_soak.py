"""Random pairs of all that is said in these tests, told to somebody new: reading stops for none, and hardly fails on one.

A few hundred in `make test`, ten thousand in `make soak`.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import pytest

from uac_nb import User
from uac_nb.changes import Workspace, apply, dump, parse
from uac_nb.errors import Diagnostic
from uac_nb.log import Entry
from uac_nb.measure.eval.generate import generate
from uac_nb.reading import Outcome, batches, read_by_patterns

EXAMPLES = 10_000 if os.environ.get("UAC_SOAK") else 300
FAILING = 1_000  # of so many pairs one may end as the finding of a crash
SAID = re.compile(r"\S.*[a-z].*\s.*\s.*\S")  # three words on one line
TALK = re.compile(r"test_(by_patterns|spoken|messages|life|told|wide|english)")  # tests that are made of what people say
WORD = re.compile(r"[a-z]{3,}")
NAME = re.compile(r"(?<=[a-z,] )(?!I\b)[A-Z][a-zé]+(?: [A-Z][a-z]+)*")
TRAVEL = (
    "Flying to Paris on 10 March 2025.",
    "I'm going to Paris!",
    "I was in Paris in May 2020.",
    "I'm not going to Paris after all.",
    "My trip to Paris is cancelled.",
    "Going to Paris next week, back on Friday.",
    "The trip to Paris was moved to 14 March.",
    "I'll be in Paris from 3 to 7 May.",
    "Sorry, I meant the 14th.",
    "I moved to Paris in March.",
    "Dana is flying to Paris on 11 March.",
)


@cache
def said() -> tuple[str, ...]:
    """All sentences that stand in the tests, and a generated story."""
    texts = [text for file in sorted(Path(__file__).parents[1].rglob("test_*.py")) for text in _strings(file)]
    return tuple(dict.fromkeys([*texts, *TRAVEL, *(line.text for line in generate(1, 60, 6).lines)]))


@cache
def talk() -> dict[str, list[str]]:
    """Those that are told, by the words in them."""
    files = (file for file in sorted(Path(__file__).parents[1].rglob("test_*.py")) if TALK.match(file.name))
    texts = [*TRAVEL, *(text for file in files for text in _strings(file))]
    found = defaultdict(list)
    for text in dict.fromkeys(texts):
        for word in set(WORD.findall(text)):
            found[word].append(text)
    return {word: texts for word, texts in found.items() if len(texts) > 3}


def _strings(file: Path) -> list[str]:
    found = (node.value for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant))
    return [text for text in found if isinstance(text, str) and len(text) < 400 and SAID.fullmatch(text)]


def groups(number: int, seed: int = 10) -> Iterator[list[str]]:
    """Pairs, and a triple for each four of them. In half of them all have a word in common, and often a name as well.

    Some of them end early, so that not all is said of what is spoken of: no day, no amount.
    """
    rng = random.Random(seed)
    for n in range(number):
        texts = rng.sample(talk()[rng.choice([*talk()])] if n % 2 else said(), 3 if n % 5 == 0 else 2)
        name = rng.choice(["Paris", "Anna", "Monday"])
        texts = [NAME.sub(name, text) for text in texts] if rng.random() < 0.5 else texts
        yield [_shorter(text, rng) if rng.random() < 0.3 else text for text in texts]


def _shorter(text: str, rng: random.Random) -> str:
    words = text.split()
    return " ".join(words[: rng.randint(3, max(len(words), 3))]).rstrip(".,!?") + "."


def read(texts: Sequence[str], *, at_once: bool) -> list[Diagnostic]:
    """Read texts as checkpoints do, in one or one after the other, and make the files of each anew from what it stores."""
    now = datetime(2025, 1, 10, tzinfo=UTC)
    entries = [Entry(id=n, text=text, recorded_at=now, said_at=date(2025, 1, 10)) for n, text in enumerate(texts, 1)]
    workspace, found = Workspace(), list[Diagnostic]()
    for batch in batches(entries) if at_once else [[entry] for entry in entries]:
        outcome = read_by_patterns(batch, workspace)
        workspace = _replayed(outcome, workspace)
        found += outcome.diagnostics
    return found


def _replayed(outcome: Outcome, workspace: Workspace) -> Workspace:
    for change in outcome.accepted:
        workspace = apply(parse(json.loads(json.dumps(dump(change)))), workspace)
    assert Workspace.from_files(workspace.files()).files() == workspace.files() == outcome.workspace.files()
    return workspace


def test_soak_no_pair_of_sentences_stops_reading() -> None:
    failing = list[tuple[list[str], str]]()
    for n, texts in enumerate(groups(EXAMPLES)):
        crashes = [found for found in read(texts, at_once=n % 3 == 0) if found.code == "crash"]
        failing += [(texts, str(found)) for found in crashes]
    assert len(failing) <= EXAMPLES // FAILING, failing[:10]


def test_soak_starts_from_enough_that_is_said() -> None:
    assert (len(said()) > 3_000, len(talk()) > 300) == (True, True)
    assert len({tuple(texts) for texts in groups(300)}) > 290


@pytest.mark.parametrize("first", TRAVEL)
def test_no_two_sentences_about_one_trip_stop_reading(first: str) -> None:
    for second in TRAVEL:
        for at_once in (True, False):
            assert [found for found in read([first, second], at_once=at_once) if found.code == "crash"] == []


def test_pairs_told_to_one_person_never_stop_a_checkpoint(tmp_path: Path) -> None:
    """The whole way of some of them, through a log and a project."""
    with User.open("jess", tmp_path, today="2025-03-01") as user:
        for texts in groups(12, seed=11):
            user.ingest([{"text": text} for text in texts], at="2025-01-10")
            user.checkpoint(reader="patterns")
        assert user.coverage().due("patterns") == ()
