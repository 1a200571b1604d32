"""Notebooks through papermill: the quickstart, and how `run_notebook` reports."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from uac_nb.errors import RunError
from uac_nb.notebook.regress import run_notebook

QUICKSTART = Path(__file__).parents[2] / "notebooks" / "quickstart.ipynb"


@pytest.fixture
def notebook(tmp_path: Path) -> Callable[..., Path]:
    """A notebook of code cells; the first is tagged `parameters`."""

    def write(*sources: str) -> Path:
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        cells[0].metadata["tags"] = ["parameters"]
        path = tmp_path / "made.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
        return path

    return write


def texts(notebook: Any, start: str) -> list[str]:
    """What the cells that begin so show, as plain text."""
    shown = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.source.startswith(start):
            shown += [o.get("text") or o["data"]["text/plain"] for o in cell.outputs]
    return shown


def test_a_run_has_its_own_home_and_no_key(
    notebook: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("UAC_MODEL", "some-model")
    path = notebook(
        "word = 'default'",
        "import os\nhas = os.environ.get\nprint(word, has('HOME'), has('UAC_HOME'), has('OPENAI_API_KEY'), has('UAC_MODEL'))",
    )
    done = run_notebook(path, tmp_path / "deep" / "out.ipynb", {"word": 'a "b"'})
    (line,) = texts(done, "import os")
    word, home, users, key, model = line.rsplit(maxsplit=4)
    assert (word, key, model) == ('a "b"', "None", "None")
    assert users == f"{home}/users"
    assert not Path(home).exists()
    assert (tmp_path / "deep" / "out.ipynb").is_file()


@pytest.mark.parametrize(
    ("source", "report"),
    [
        (
            "from uac_nb import UacError\nraise UacError('no such trip; try lisbon')",
            "cell 2 failed with UacError: no such trip; try lisbon",
        ),
        ("1 / 0", "cell 2 failed with ZeroDivisionError: division by zero\n    1 / 0\n"),
        ("import os\nos._exit(1)", "Kernel died"),
    ],
)
def test_a_cell_that_fails_is_reported(notebook: Callable[..., Path], tmp_path: Path, source: str, report: str) -> None:
    with pytest.raises(RunError) as error:
        run_notebook(notebook("x = 1", source), tmp_path / "out.ipynb")
    assert str(error.value).startswith(f"made.ipynb: {report}")
    assert str(error.value).endswith(f"(up to there: {tmp_path / 'out.ipynb'})")


def test_a_notebook_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no such notebook"):
        run_notebook(tmp_path / "none.ipynb", tmp_path / "out.ipynb")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The quickstart, run as it is."""
    return run_notebook(QUICKSTART, tmp_path_factory.mktemp("quickstart") / "out.ipynb")


def test_the_quickstart_shows_no_finding(run: Any) -> None:
    """A finding stops no cell, so it has to be looked for."""
    assert [page for page in texts(run, "") if "FINDING" in page] == []


def test_the_quickstart_tells_of_each_month_what_was_known_then(run: Any) -> None:
    january, february, end = texts(run, "%uac_checkpoint")
    assert [page.count("· WARNING") for page in (january, february, end)] == [1, 2, 2]
    assert ("dentist" in january, "amoxicillin" in february, "CRITICAL" in end) == (False, False, True)
    assert "passport too short for trip" in february
    assert "since" not in february  # the day is pinned, so its alerts are not recorded


def test_the_quickstart_raises_the_alert_that_nobody_asked_for(run: Any) -> None:
    (alerts,) = texts(run, "%uac_alerts")
    assert "CRITICAL" in alerts
    assert "amoxicillin" in alerts
    assert "I'm allergic to penicillin" in alerts


def test_a_rule_written_by_hand_is_in_force_at_once(run: Any) -> None:
    (saved,) = texts(run, "%%uac_code rules")
    assert saved.startswith("rules.py saved")
    assert "4 · INFO  Over the limit: your hiking boots" in saved


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many trips to Europe are there in 2025?", "2\n"),
        ("how much did I spend in February 2025?", "€234.50\n"),
        ("when is my dentist appointment?", "Wednesday, March 12, 2025 at 9:30 AM\n"),
        ("what am I allergic to?", "penicillin"),
        ("when does my passport expire?", "Monday, June 2, 2025\n"),
        ("how was the light this morning?", "The log says: “The light this morning was something else.”"),
        ("what is my landlord's phone number?", "Not recorded: "),
    ],
)
def test_the_quickstart_answers(run: Any, question: str, answer: str) -> None:
    assert [page.startswith(answer) for page in texts(run, f"%uac_ask {question}")] == [True]


def test_the_quickstart_says_what_it_did_not_understand(run: Any) -> None:
    assert any("not understood" in page for page in texts(run, "%uac_coverage"))


def test_the_quickstart_tells_the_same_story_again(run: Any, tmp_path: Path) -> None:
    """Every cell, but for the folder, the hour and the names of commits."""
    varies = re.compile(r"/\S+/jess\b|\b[0-9a-f]{8}\b|\d{4}-\d\d-\d\d \d\d:\d\d")
    pages = [
        [varies.sub("…", page) for page in texts(one, "")] for one in (run, run_notebook(QUICKSTART, tmp_path / "again.ipynb"))
    ]
    assert pages[0] == pages[1]


def test_in_a_folder_that_is_kept_a_second_run_adds_nothing(tmp_path: Path) -> None:
    kept = {"home": str(tmp_path / "users")}
    first, second = (run_notebook(QUICKSTART, tmp_path / f"{n}.ipynb", kept) for n in (1, 2))
    for start in ("%uac_ask", "%uac_alerts", "%uac_coverage"):
        assert texts(first, start) == texts(second, start)
    assert all("nothing was added" in page for page in texts(second, "%%uac_ingest"))
    assert all(page.startswith("Nothing changed") for page in texts(second, "%uac_checkpoint"))


def test_static_pages_hold_no_widget_and_no_noise(run: Any) -> None:
    for cell in run.cells:
        for output in cell.get("outputs", []):
            assert output.output_type in ("execute_result", "display_data") or output.name == "stdout"
            assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {})
            assert "comm" not in output.get("text", "")
    assert "widgets" not in run.metadata
