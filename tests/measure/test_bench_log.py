"""The benchmark of the log: that it measures what it says; the figures themselves are for the machine that runs it."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from uac_nb.cli.main import main
from uac_nb.errors import LogError
from uac_nb.measure.bench import log as bench
from uac_nb.measure.bench.figures import Figure, table
from uac_nb.measure.bench.talk import generated, real, repeated


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (("SINGLE", 5), ("BULK", 600), ("FOUND", 700), ("OPENED", 500), ("RUNS", 1)):
        monkeypatch.setattr(bench, name, size)


def test_the_table_names_what_was_measured(small: None) -> None:
    found = CliRunner().invoke(main, ["bench", "log", "--json"])
    assert found.exit_code == 0, found.output
    figures = {f["name"]: f for f in json.loads(found.stdout)["figures"]}
    starts = ("bare fsync", "single", "mem0", "bulk load of 600", "search, p95", "between", "opening a log of 500", "importing")
    assert len(figures) == len(starts)
    assert all(name.startswith(start) for name, start in zip(figures, starts, strict=True))
    assert all(f["value"] > 0 for name, f in figures.items() if "not installed" not in name)
    assert any("generated talk" in name for name in figures)
    assert json.loads(found.stdout)["machine"].startswith("Python ")


@pytest.mark.parametrize(
    ("figure", "mark"),
    [
        (Figure("a", 3, "rows/s", least=2), "ok"),
        (Figure("a", 1, "rows/s", least=2), "LESS"),
        (Figure("a", 1, "ms", limit=2), "ok"),
        (Figure("a", 3, "ms", limit=2), "SLOW"),
        (Figure("a", 3, "MB", limit=2), "OVER"),
        (Figure("a", 3), "ok"),
    ],
)
def test_a_figure_says_whether_it_holds(figure: Figure, mark: str) -> None:
    line = table([figure], "title").splitlines()[1]
    assert line.startswith(mark)
    assert figure.holds == (mark == "ok")
    assert ("at least 2" in line) == (figure.least is not None)


def test_repeated_talk_goes_on_in_time_and_is_never_the_same() -> None:
    talk = generated(10)
    drafts = list(repeated([talk], 25))
    assert len(drafts) == 25
    assert len({(d.session, d.said_at, d.text) for d in drafts}) == 25
    assert all(a.said_at < b.said_at for a, b in pairwise(drafts) if a.said_at and b.said_at)
    assert generated(10) == talk


def test_real_talk_has_questions_with_evidence(shared: Path) -> None:
    talks = real(shared / "locomo")
    assert [(talk.name, len(talk.messages)) for talk in talks] == [("conv-26", 419), ("conv-30", 369)]
    assert all(len(talk.questions) == len(talk.evidence) > 50 for talk in talks)
    (figure,) = bench.recall(shared / "locomo")
    assert figure.holds


def test_a_folder_without_talk(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"holds no conv-\*\.json"):
        real(tmp_path)
    (tmp_path / "conv-1.json").write_text("{")
    with pytest.raises(LogError):
        real(tmp_path)
