"""`uac-nb eval told` from end to end: told, read, scored, shown; and a recording is never shown as fresh."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from uac_nb.cli.main import main
from uac_nb.errors import ModelError, UacError
from uac_nb.measure.eval import report, run
from uac_nb.measure.eval.generate import generate
from uac_nb.model import FakeModel, RecordedModel, Recorder, Reply, Request

STORY = {"seed": 2, "size": 16, "sessions": 4}
QUITO = {"change": "add", "collection": "trips", "id": "quito", "fact": "The user left for Quito on 20 June 2023.",
         "values": {"title": "trip to Quito", "to": "Quito", "departs": "2023-06-20", "status": "booked"}}  # fmt: skip
ROME = {"change": "add", "collection": "trips", "id": "rowing", "fact": "The user skipped rowing on 15 June 2023.",
        "values": {"title": "rowing trip", "to": "rowing", "departs": "2023-06-15"}}  # fmt: skip


def scripted(request: Request) -> Reply:
    """A model that reads one line rightly but for its status, one wrongly, and skips what is left."""
    told = request.messages[-1]["content"]
    left, changes = list(request.entries), []
    for change, words in ((QUITO, "left for Quito"), (ROME, "skipped rowing")):
        if words in told:
            source = [entry for entry in left if f'"id": {entry}' in told.split(words)[0][-300:]] or left[:1]
            changes.append({**change, "source": source[-1:]})
    rest = [entry for entry in left if not any(entry in change["source"] for change in changes)]
    changes.append({"change": "skip", "reason": "unclear", "source": rest})
    return Reply(text=json.dumps({"changes": changes}), model="scripted-1", prompt_tokens=100, completion_tokens=7, seconds=0.5)


def uac_nb(*words: str) -> Result:
    return CliRunner().invoke(main, ["eval", "told", *words])


def test_the_pattern_reader_is_measured_and_shown(tmp_path: Path) -> None:
    words = ("--seed", "2", "--size", "16", "--sessions", "4", "--out", str(tmp_path))
    shown = uac_nb(*words).stdout
    assert shown.startswith("eval told: reader patterns; seed 2, 16 records over 4 sessions in ")
    assert "RECORDED" not in shown
    figures = json.loads(uac_nb(*words, "--json").stdout)
    assert figures["fresh"] is True
    assert figures["all"]["told"] == 16
    assert figures["all"]["found"] + len(figures["missed"]) == 16
    assert sum(kind["told"] for kind in figures["kinds"].values()) == 16
    assert (figures["calls"], figures["sent"]) == (0, 0)
    assert set(figures["unread"]) <= {line.text for line in generate(**STORY).lines}
    assert (tmp_path / "told-2-16-4" / "log.sqlite").is_file()
    missed = uac_nb(*words, "--misses").stdout
    assert missed.count("MISSED ") == len(figures["missed"])
    assert missed.count("FALSE ") == len(figures["false"])


def test_a_model_is_measured_recorded_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    fresh = run.told(tmp_path / "one", "model", Recorder(FakeModel(scripted), file), **STORY)
    assert (fresh.score.all.found, fresh.score.all.false) == (1, 1)
    assert (fresh.model, fresh.fresh, fresh.sent, fresh.waited) == ("scripted-1", True, 100 * fresh.calls, 0.5 * fresh.calls)
    replayed = run.told(tmp_path / "two", "recorded", RecordedModel(file), **STORY)
    assert replayed.score == fresh.score
    assert (replayed.fresh, replayed.stale) == (False, 0)
    assert "RECORDED" in report.table(replayed)
    assert report.as_json(replayed)["fresh"] is False
    assert "RECORDED" not in report.table(fresh)


def test_misses_show_the_lines_behind_them(tmp_path: Path) -> None:
    shown = list(report.misses(run.told(tmp_path, "model", FakeModel(scripted), **STORY)))
    assert sum(text.startswith("MISSED") for text in shown) == 15
    (false,) = (text for text in shown if text.startswith("FALSE"))
    assert "rowing trip" in false
    assert "user: Well. Yesterday I skipped rowing entirely." in false
    (wrong,) = (text for text in shown if text.startswith("WRONG"))
    assert "trip-0 as trips/quito" in wrong
    assert "status is booked, meant done" in wrong
    assert "party is nothing, meant sister" in wrong
    assert "user: We left for Quito" in wrong


def test_a_stopped_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    def tired(request: Request) -> Reply | ModelError:
        return ModelError("too tired") if len(model.requests) > 1 else scripted(request)

    model = FakeModel(tired)
    with pytest.raises(UacError, match="too tired"):
        run.told(tmp_path, "model", model, **STORY)
    again = FakeModel(scripted)
    ran = run.told(tmp_path, "model", again, **STORY)
    assert ran.calls == len(again.requests) + 1
    assert ran.score == run.told(tmp_path / "fresh", "model", FakeModel(scripted), **STORY).score


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--reader", "recorded"), "--replies FILE"),
        (("--reader", "model"), "OPENAI_API_KEY"),
        (("--sessions", "1"), "three sessions"),
    ],
)
def test_what_is_missing_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "UAC_MODEL"):
        monkeypatch.delenv(name, raising=False)
    failed = uac_nb(*words)
    assert failed.exit_code == 1
    assert said in failed.stderr
    assert failed.stderr.count("\n") == 1
