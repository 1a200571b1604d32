"""`uac-nb eval locomo`: a published conversation is told, its questions are asked, and the answers are scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from uac_nb.cli.main import main
from uac_nb.errors import UacError
from uac_nb.measure.eval import questions
from uac_nb.measure.eval.asking import locomo
from uac_nb.measure.eval.overlap import f1, overlap, stems
from uac_nb.measure.eval.questions import Question
from uac_nb.model import FakeModel, Reply, Request

TALK = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ann",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ann", "dia_id": "D1:1", "text": "I'm allergic to penicillin."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Oh no, poor you!"},
        ],
    },
    "qa": [
        {"question": "How many allergies do I have?", "answer": "1 of them", "evidence": ["D1:1"], "category": 4},
        {"question": "How many allergies do I have?", "answer": 1, "evidence": ["D1:1; D1:2"], "category": 1},
        {"question": "When did Bo move to Oslo?", "adversarial_answer": "in May", "evidence": [], "category": 5},
    ],
}
WRONG = {
    "items": [
        {"sample_id": "conv-1", "qa_index": 1, "scores_wrong": True},
        {"sample_id": "x", "qa_index": 0, "scores_wrong": True},
    ]
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "conv-1.json"
    path.write_text(json.dumps(TALK))
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["eval", "locomo", *map(str, words)])


def question(gold: str, category: int = 4) -> Question:
    return Question(0, "", gold, category, frozenset())


# By hand, after the rules of the published scorer.
LIKE = [
    ("", "Paris", 4, 0.0),
    ("Paris", "paris.", 4, 1.0),
    ("the Paris and a Rome", "Paris, Rome", 4, 1.0),  # articles, "and" and punctuation do not count
    ("dancing", "danced", 4, 1.0),  # by stem
    ("19 January 2023", "January, 2023", 4, 0.8),  # 2 of 3 words, 2 of 2
    ("Paris Paris", "Paris", 4, 2 / 3),  # each as often as it stands there
    ("not in May", "in May", 4, 0.8),
    ("Rome", "Paris, Rome", 1, 0.5),  # of a list, the best match for each part
    ("Rome, by train", "Rome, Paris", 1, 0.5),
    ("yes", "yes; she said so", 3, 1.0),
    ("yes", "yes; she said so", 4, 0.4),
]


@pytest.mark.parametrize(("answer", "gold", "category", "score"), LIKE)
def test_the_score_is_that_of_the_published_scorer(answer: str, gold: str, category: int, score: float) -> None:
    assert overlap(answer, question(gold, category)) == pytest.approx(score)
    assert f1(answer, gold) == f1(gold, answer)


def test_stems_of_any_text() -> None:
    assert stems("The runners, running\ud800 & jumped!") == ("runner", "run", "jump")
    assert stems('"; DROP TABLE words --') == ("drop", "tabl", "word")
    assert stems("") == ()


def test_the_patterns_are_asked_and_scored(file: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.json").write_text(json.dumps(WRONG))
    done = run(file, "--known-errors", tmp_path / "wrong.json", "--answers")
    assert done.exit_code == 0, done.output
    assert "eval locomo: reader patterns; conv-1, 2 messages: 1 cited" in done.stdout
    table = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "with an answer 2 2 0 0 0.750" in table
    assert "multi-hop 1 1 0 0 1.000" in table
    assert "not known wrong 1 1 0 0 0.500" in table
    assert "adversarial 1 0 0 1 1.000" in table
    assert "published: 1 of them" in table


def test_a_stopped_run_asks_only_what_is_left(file: Path, tmp_path: Path) -> None:
    assert json.loads(run(file, "--out", tmp_path / "o", "--only", 2, "--json").stdout)["asked"][0]["number"] == 2
    kept = tmp_path / "o" / "locomo-conv-1.answers.jsonl"
    kept.write_text(kept.read_text().replace("Not recorded", "Kept"))
    asked = json.loads(run(file, "--out", tmp_path / "o", "--json").stdout)["asked"]
    assert [one["number"] for one in asked] == [0, 1, 2]
    assert asked[2]["answer"].startswith("Kept")
    assert len(kept.read_text().splitlines()) == 3


def test_a_model_reads_and_answers(file: Path, tmp_path: Path) -> None:
    def scripted(request: Request) -> Reply:
        reply: dict[str, Any] = {"changes": [{"change": "skip", "reason": "greeting", "source": list(request.entries)}]}
        if request.purpose == "ask":
            reply = {"text": "1 of those", "entries": [1]} if "do I have?" in str(request.messages) else {"unknown": "x"}
        return Reply(text=json.dumps(reply), model="scripted-1", prompt_tokens=100, completion_tokens=7)

    ran = locomo(file, tmp_path, "model", FakeModel(scripted))
    assert ran.model == "scripted-1"
    assert [(one.channel, one.score) for one in ran.asked] == [
        ("recalled", pytest.approx(2 / 3)),
        ("recalled", 0.5),
        ("unknown", 1.0),
    ]
    assert (ran.calls, ran.sent) == (4, 400)


BAD = [
    ("{}", r"has no questions \(qa\)"),
    ("[", "has no questions"),
    ('{"qa": [{"question": "?"}]}', "has no questions"),
    ('{"qa": [1]}', "has no questions"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_a_file_without_questions_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(UacError, match=words):
        questions.read(tmp_path / "a.json")


def test_what_is_missing_or_no_list_of_errors_is_named(file: Path, tmp_path: Path) -> None:
    assert "check the path" in run(tmp_path / "none.json").output
    assert "is no list of wrong answers" in run(file, "--known-errors", file).output


def test_real_questions(shared: Path) -> None:
    asked = questions.read(shared / "locomo" / "conv-30.json")
    assert len(asked) == 105
    assert asked[0].evidence == {"D1:2"}
    assert questions.faulty(shared / "locomo" / "known-errors.json", "conv-30") == {31, 47, 57, 63}
