"""What was said is shown as it was said: JupyterLab sets no formulas in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat

START = '%load_ext uac_nb\n%uac_user jess --today 2025-03-01 --home "{home}"'
LINES = [
    "I'm allergic to penicillin.",
    "The doctor prescribed me amoxicillin 500 mg.",
    "Paid $5 for lunch and $10 for dinner.",
    r"I am $\phantom{\text{not }}$allergic to nuts.",
    r"It costs \(5\) or \[6\] or $$7$$ euros.",
    r"Odd: \begin{align}a&=b\end{align}",
]
TOLD = "%%uac_ingest --at 2025-01-10 --speaker jess\n" + "\n".join(LINES)
RULES = '''%%uac_code rules
"""Rules of jess."""

from collections.abc import Iterable, Iterator
from datetime import date

from uac_nb.rules import Alert, rule


@rule("warning")
def dear(trips: Iterable[object], *, today: date) -> Iterator[Alert]:
    """Between $1 and $2."""
    yield Alert(message="Paid $5 (lunch) and $10 (dinner)", hint="Pay $1, or \\\\(2\\\\)", records=("a",), evidence=(3,))
'''
NOT_OURS = "from IPython.display import HTML\nHTML('<p>A formula: $x^2$</p>')"
SHOWN = [
    "%uac_checkpoint --no-code",
    RULES,
    "%uac_alerts",
    "%uac_log",
    "%uac_log dinner",
    "%uac_ask what did I say of lunch?",
    "%uac_coverage",
    "%uac_code rules",
    "df = %uac_log",
    "df[['text']].tail()",
]
FORMULA = "mjx-container"


PAGES = ".jp-OutputArea-output section"


def formulas(notebook: Any, pages: int) -> list[int]:
    """How many formulas each cell shows, once so many pages of ours are there and the formula of the last cell is set."""
    notebook.page.set_viewport_size({"width": 1200, "height": 5000})  # all of it is drawn
    notebook.page.locator(PAGES).nth(pages - 1).wait_for()
    notebook.page.locator(".jp-Cell").last.locator(FORMULA).first.wait_for()
    notebook.ask("() => document.querySelectorAll('.jp-OutputArea details').forEach(fold => { fold.open = true })")
    return [cell.locator(FORMULA).count() for cell in notebook.page.locator(".jp-Cell").all()]


def test_no_words_are_set_as_formulas(lab: Callable[..., Any], tmp_path: Path) -> None:
    """Neither where it is run nor in a notebook that was received from somebody; what is not ours has its formulas."""
    sources = [START.replace("{home}", str(tmp_path / "users")), TOLD, *SHOWN, NOT_OURS]
    notebook = lab(sources, "formulas")
    notebook.run_all()
    *ours, last = formulas(notebook, 8)
    assert (set(ours), last) == ({0}, 1)
    logged = sources.index("%uac_log")
    assert [line for line in LINES if line not in notebook.text(logged)] == []
    for shown in ("%uac_alerts", "%uac_log", "%uac_ask what did I say of lunch?"):  # to look at, with pytest's other leavings
        number = sources.index(shown)
        notebook.page.locator(".jp-Cell").nth(number).screenshot(path=tmp_path / f"{number}.png")

    notebook.command("docmanager:save")
    received = nbformat.read(notebook.path, as_version=4)
    received.cells[-1].source += "  # changed by somebody, so not trusted any more"
    nbformat.write(received, tmp_path / "received.ipynb")
    notebook = lab(tmp_path / "received.ipynb", "received")
    assert notebook.page.locator(".jp-mod-trusted").count() == 0
    *ours, last = formulas(notebook, 8)
    assert (set(ours), last) == ({0}, 1)
    assert [line for line in LINES if line not in notebook.text(logged)] == []
