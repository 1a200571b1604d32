"""What a person sees in JupyterLab: cells that appear, buttons that work, and edits that are not lost."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
QUICKSTART = ROOT / "notebooks" / "quickstart.ipynb"
TUTORIALS = sorted((ROOT / "tutorials").glob("*.ipynb"))
# What each run has of its own: its folder, the hour, and so the commits.
VARIES = re.compile(
    r"/\S+/(?=jess\b|mira\b|noor\b|omar\b|leo\b|kai\b|tess\b)|\b[0-9a-f]{8}( \d{4}-\d\d-\d\d)?\b|\d{4}-\d\d-\d\d \d\d:\d\d"
)
OUTPUTS = """() => {
    const widget = 'application/vnd.jupyter.widget-view+json';  // its text is but the name of a model
    const texts = cell => cell.getOutputs().filter(o => !o.data?.[widget]).map(o => o.text ?? o.data['text/plain']);
    return [...window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells]
        .map(cell => cell.cell_type === 'code' && cell.execution_count ? texts(cell).join('\\n') : null);
}"""

START = '%load_ext uac_nb\n%uac_user jess --today 2025-03-01 --home "{home}"'
TOLD = (
    "%%uac_ingest --at 2025-01-10 --speaker jess\nI'm allergic to penicillin.\nFlying to Lisbon on 10 March, back on the 17th."
)
DRUG = "%%uac_ingest --at 2025-03-01 --speaker jess\nThe doctor prescribed me amoxicillin 500 mg."
CHECKPOINT = "%uac_checkpoint"


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "users")


def opened(lab: Callable[..., Any], name: str, home: str, *sources: str) -> Any:
    return lab([START.replace("{home}", home), *sources], name)


def headers(sources: list[str]) -> list[str]:
    """The cells in short: the first line, without the hash."""
    return [source.splitlines()[0].partition(" --base")[0] for source in sources]


def test_run_all_on_the_quickstart_shows_code_alerts_and_answers(lab: Callable[..., Any], tmp_path: Path) -> None:
    notebook = lab(QUICKSTART, "quickstart")
    before = notebook.sources()
    notebook.run_all()
    after = notebook.sources()
    assert [header for header in headers(after) if header not in headers(before)] == ["%%uac_code health"]
    page = notebook.page.locator(".jp-Notebook")
    assert page.get_by_role("alert").filter(has_text="amoxicillin").first.is_visible()

    notebook.page.screenshot(path=tmp_path / "quickstart.png")  # to look at, with pytest's other leavings


@pytest.mark.parametrize("path", [QUICKSTART, *TUTORIALS], ids=lambda path: path.stem)
def test_every_notebook_tells_the_same_story_again(lab: Callable[..., Any], desk: Path, path: Path) -> None:
    """Cells that came in the first run are still there in the second, and change nothing in it."""
    shutil.copytree(ROOT / "tutorials" / "story", desk / "story", dirs_exist_ok=True)
    notebook = lab(path, f"again-{path.stem}")

    def shown() -> list[str | None]:
        return [page and VARIES.sub("…", page) for page in notebook.ask(OUTPUTS)]

    notebook.run_all()
    sources, first = notebook.sources(), shown()
    notebook.restart_and_run_all()
    assert notebook.sources() == sources
    ran = [n for n, page in enumerate(first) if page is not None]  # a cell that comes during the run is not run in it
    assert [first[n] for n in ran] == [shown()[n] for n in ran]
    assert notebook.page.locator(".Toastify__toast").count() == 0  # no cell was said to have unsaved changes


def test_cells_come_below_the_asking_one_in_order_and_once(lab: Callable[..., Any], home: str) -> None:
    notebook = opened(lab, "order", home, TOLD, CHECKPOINT, "print('last')")
    notebook.run_all()
    expected = ["%load_ext uac_nb", TOLD.splitlines()[0], CHECKPOINT, "%%uac_code health", "%%uac_code travel", "print('last')"]
    assert headers(notebook.sources()) == expected
    notebook.run_all()
    notebook.restart_and_run_all()
    assert headers(notebook.sources()) == expected


def test_a_cell_is_edited_and_saved_again_and_again(lab: Callable[..., Any], home: str) -> None:
    notebook = opened(lab, "edit", home, TOLD, CHECKPOINT, "%uac_run trips[0].to")
    notebook.run_all()
    for place in ("Porto", "Braga"):
        was = notebook.sources()[4]
        notebook.write(4, was.replace('to="Lisbon"', f'to="{place}"').replace('to="Porto"', f'to="{place}"'))
        notebook.run(4)
        now = notebook.sources()[4]
        assert "travel.py saved" in notebook.text(4)
        assert now.splitlines()[0] != was.splitlines()[0]  # its base has moved along
        notebook.run(5)
        assert place in notebook.text(5)


def test_an_edited_cell_is_never_overwritten_and_a_message_says_so(lab: Callable[..., Any], home: str) -> None:
    notebook = opened(lab, "kept", home, TOLD, CHECKPOINT)
    notebook.run_all()
    mine = notebook.sources()[4] + "\n# my own thought"
    notebook.write(4, mine)
    notebook.add("%%uac_ingest --at 2025-02-01 --speaker jess\nFlying to Rome on 3 May, back on 9 May.\n")
    notebook.add(CHECKPOINT)
    notebook.run(5)
    notebook.run(6)
    assert notebook.sources()[4] == mine
    assert headers(notebook.sources()).count("%%uac_code travel") == 1
    notebook.page.get_by_text("The cell of travel.py has changes that were not saved").wait_for()
    notebook.run(4)
    assert "has changed since this was shown; nothing was saved" in notebook.text(4)


def test_buttons_acknowledge_an_alert_and_a_saved_notebook_says_so(lab: Callable[..., Any], home: str) -> None:
    notebook = opened(lab, "buttons", home, TOLD, DRUG, CHECKPOINT + " --no-code")
    notebook.run_all()
    page = notebook.page
    page.get_by_role("button", name="Acknowledge").click()
    page.get_by_text("CRITICAL · ACKNOWLEDGED").wait_for()
    notebook.command("docmanager:save")

    again = lab(notebook.path, "reopened")
    assert "CRITICAL · ACKNOWLEDGED" in again.text(3)
    assert "widget" not in again.text(3)  # "Error displaying widget"
    assert again.page.get_by_role("button", name="Acknowledge").count() == 0
