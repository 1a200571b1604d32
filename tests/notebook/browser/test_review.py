"""A review in JupyterLab, with a model that is a script: what a person sees, clicks, and finds again."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HOSTILE = '<img src=x onerror="window.stolen=1">'
START = '%load_ext uac_nb\n%uac_user jess --today 2025-03-01 --home "{home}"'
ASK = '%config UacNb.endpoint = "{address}"\n%config UacNb.model = "scripted"'
TOLD = (
    "%%uac_ingest --at 2025-01-10 --speaker jess\n"
    f"I'm allergic to penicillin. {HOSTILE}\n"
    "Flying to Lisbon on 10 March, back on the 17th.\n"
    "The trip is for work.\n"
    "Odd weather today!"
)
REVIEW = "%uac_checkpoint --review"
CHANGES: list[dict[str, Any]] = [
    {
        "change": "add", "collection": "allergies", "id": "penicillin", "source": [1],
        "values": {"title": "penicillin allergy", "avoids": ["penicillin"]},
    },
    {
        "change": "add", "collection": "trips", "id": "lisbon", "source": [2],
        "values": {"title": "trip to Lisbon", "to": "Lisbon", "departs": "2025-03-10", "returns": "2025-03-17"},
        "why": "10 March after the day it was said is that of 2025",
    },
    {"change": "amend", "id": "lisbon", "set": {"purpose": "work"}, "source": [3]},
    {"change": "skip", "reason": "small talk", "source": [4]},
]  # fmt: skip


@pytest.fixture
def review(lab: Callable[..., Any], endpoint: Callable[..., str], tmp_path: Path) -> Callable[..., Any]:
    """A notebook in which a review is on show, at its cell 3."""

    def open_(name: str, *more: str) -> Any:
        address = endpoint(lambda asked: json.dumps({"changes": CHANGES}))
        start = START.replace("{home}", str(tmp_path / "users"))
        notebook = lab([start, ASK.replace("{address}", address), TOLD, REVIEW, *more], name)
        notebook.run_all()
        notebook.page.get_by_role("button", name="Apply").wait_for()
        return notebook

    return open_


def card(notebook: Any, words: str) -> Any:
    """The output with the card of one proposal."""
    return notebook.page.locator(".jp-OutputArea-child").filter(has=notebook.page.get_by_role("group", name=words))


def choose(notebook: Any, words: str, answer: str) -> None:
    """Click a button of the row below a card."""
    below = card(notebook, words).locator("xpath=following-sibling::*[1]")
    below.get_by_role("button", name=answer, exact=True).click()


def apply(notebook: Any) -> None:
    notebook.page.get_by_role("button", name="Apply").click()


def test_a_person_accepts_and_refuses_and_the_rest_waits(review: Callable[..., Any], tmp_path: Path) -> None:
    notebook = review("review")
    page = notebook.page
    assert notebook.text(3).count("New in trips: trip to Lisbon") == 1  # each change once
    assert "Trip(" not in notebook.text(3)
    page.get_by_text("What it does to the files: ").nth(1).click()
    assert "Trip(" in card(notebook, "New in trips").inner_text()
    assert page.get_by_role("button", name="Apply").is_disabled()
    choose(notebook, "New in trips", "Accept")
    choose(notebook, "New in allergies", "Refuse for good")
    page.get_by_role("status").get_by_text("1 change left for later.").first.wait_for()
    page.screenshot(path=tmp_path / "review.png")  # to look at, with pytest's other leavings
    assert not (tmp_path / "users" / "jess" / "project" / "travel.py").exists()

    apply(notebook)
    page.get_by_text("1 accepted, 1 refused for good in travel").wait_for()
    page.get_by_text("Change trip to Lisbon").first.wait_for()
    page.wait_for_function("() => document.body.innerText.includes('%%uac_code travel')")
    assert 'to="Lisbon"' in (tmp_path / "users" / "jess" / "project" / "travel.py").read_text()
    assert page.evaluate("() => window.stolen") is None
    assert page.locator(".jp-OutputArea img").count() == 0
    page.screenshot(path=tmp_path / "applied.png")

    notebook.restart_and_run_all()  # nothing is asked twice, and nothing that waits is lost
    assert "1 proposed change waits for your answer" in notebook.text(3)
    assert "Change trip to Lisbon: purpose work (new)" in notebook.text(3)


def test_a_key_is_refused_in_plain_sight(lab: Callable[..., Any], tmp_path: Path) -> None:
    start = START.replace("{home}", str(tmp_path / "users"))
    notebook = lab([start, '%config UacNb.key = "sk-secret-0123456789"', "%config UacNb"], "key")
    notebook.run_all()
    assert "a key may not be set here: notebooks are saved" in notebook.text(1)
    assert "UacNb.endpoint=<Unicode>" in notebook.text(2)
    notebook.page.screenshot(path=tmp_path / "key.png")


def test_a_notebook_that_is_opened_again_has_the_words_and_no_dead_buttons(
    review: Callable[..., Any], lab: Callable[..., Any]
) -> None:
    notebook = review("waits")
    notebook.command("docmanager:save")
    again = lab(notebook.path, "waits-again")
    again.page.get_by_text("3 proposed changes wait for your answer").first.wait_for()
    assert again.page.get_by_role("button", name="Apply").count() == 0
    again.page.get_by_text("How to answer without buttons").click()
    assert "%uac_review accept" in again.text(3)
    assert again.text(3).count("New in trips: trip to Lisbon") == 1
    assert "widget" not in again.text(3)  # "Error displaying widget"


@pytest.mark.parametrize(("theme", "width"), [("Light", 1200), ("Dark", 1200), ("Light", 480)])
def test_it_fits_its_page(review: Callable[..., Any], tmp_path: Path, theme: str, width: int) -> None:
    """No part of it is cut, and none lies over another."""
    notebook = review(f"fits-{theme}-{width}")
    notebook.theme(theme)
    notebook.page.set_viewport_size({"width": width, "height": 1500})
    notebook.ask("() => window.jupyterapp.shell.collapseLeft()")
    choose(notebook, "New in trips", "Accept")
    notebook.page.get_by_role("status").get_by_text("2 changes left for later.").wait_for()
    notebook.page.screenshot(path=tmp_path / "page.png")
    parts = notebook.page.locator(".jp-OutputArea-output :is(button, section, pre)").all()
    assert len(parts) > 20
    for part in parts:
        inside = "e => { const r = e.getBoundingClientRect(), p = e.closest('.jp-OutputArea-output').getBoundingClientRect();"
        assert part.evaluate(f"{inside} return r.right <= p.right + 1 }}"), part.inner_text()


@pytest.mark.parametrize("width", [1200, 480])
def test_alerts_answers_and_the_log_fit_a_page(lab: Callable[..., Any], tmp_path: Path, width: int) -> None:
    """No button is cut, no day broken, and a table that is too wide scrolls in a box of its own."""
    drug = (
        "%%uac_ingest --at 2025-03-01 --speaker jess\nThe doctor prescribed me amoxicillin 500 mg.\nFlying to Oslo on 3 June."
    )
    asked = ["%uac_checkpoint --no-code", "%uac_ask which trips do I have?", "%uac_log", "%uac_history", "%uac_log Lisbon"]
    notebook = lab([START.replace("{home}", str(tmp_path / "users")), TOLD, drug, *asked], f"narrow-{width}")
    notebook.page.set_viewport_size({"width": width, "height": 6000})  # all of it is drawn
    notebook.ask("() => window.jupyterapp.shell.collapseLeft()")
    notebook.run_all()
    notebook.page.get_by_role("button", name="Acknowledge").wait_for()
    notebook.ask("() => document.querySelectorAll('.jp-OutputArea details').forEach(fold => { fold.open = true })")
    notebook.page.screenshot(path=tmp_path / "page.png")
    parts = notebook.page.locator(".jp-OutputArea-output :is(button, select, section, pre, section div)").all()
    assert len(parts) > 20
    for part in parts:
        inside = "e => { const r = e.getBoundingClientRect(), p = e.closest('.jp-OutputArea-output').getBoundingClientRect();"
        assert part.evaluate(f"{inside} return r.right <= p.right + 1 }}"), part.inner_text()
    days = notebook.page.locator(".jp-OutputArea-output section td, .jp-OutputArea-output section span")
    whole = [day for day in days.all() if re.fullmatch(r"\d{4}-\d\d-\d\d", day.inner_text())]
    assert len(whole) > 10
    assert {
        day.evaluate("e => { const r = document.createRange(); r.selectNodeContents(e); return r.getClientRects().length }")
        for day in whole
    } == {1}


def test_the_types_of_a_cell_are_folded_in_the_display_alone(lab: Callable[..., Any], tmp_path: Path) -> None:
    notebook = lab([START.replace("{home}", str(tmp_path / "users")), TOLD, "%uac_checkpoint"], "folded")
    notebook.run_all()
    cell = notebook.page.locator(".jp-CodeCell").filter(has_text="%%uac_code travel")
    cell.locator(".cm-foldPlaceholder").wait_for()
    assert ("Trip(" in cell.inner_text(), "class Trip" in cell.inner_text()) == (True, False)
    at = next(n for n, source in enumerate(notebook.sources()) if source.startswith("%%uac_code travel"))
    was = notebook.sources()[at]
    assert "class Trip" in was
    notebook.ask(
        "([i, text]) => { const view = window.jupyterapp.shell.currentWidget.content.widgets[i].editor.editor;"
        " const at = view.state.doc.toString().indexOf(text);"
        " view.dispatch({ changes: { from: at, insert: 'who=\"ann\", ' } }) }",
        [at, 'title="trip to Lisbon"'],
    )
    notebook.run(at)
    assert "travel.py saved" in notebook.text(at)
    assert notebook.sources()[at].replace('who="ann"', "") != was  # its base has moved along
    cell.locator(".cm-foldPlaceholder").click()  # still folded, and a click opens it
    cell.get_by_text("class Trip").wait_for()


def test_progress_says_how_far_it_is_and_an_interrupt_what_is_kept(
    lab: Callable[..., Any], endpoint: Callable[..., str], tmp_path: Path
) -> None:
    asked, release = threading.Event(), threading.Event()

    def answer(text: str) -> str:
        entry = next(n for n in (1, 2, 3) if f"no. {n} xxx" in text)
        if entry == 3:
            asked.set()
            release.wait(60)
        return json.dumps({"changes": [{"change": "skip", "reason": "unclear", "source": [entry]}]})

    start = START.replace("{home}", str(tmp_path / "users"))
    told = "%%uac_ingest --at 2025-01-10\n" + "\n".join(f"no. {n} {'x' * 6000}" for n in (1, 2, 3))
    sources = [start, ASK.replace("{address}", endpoint(answer)), told, "%uac_checkpoint", "print('after')"]
    notebook = lab(sources, "interrupt")
    notebook.ask("() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }")
    assert asked.wait(60)
    bar = notebook.page.get_by_role("progressbar", name="batches")
    bar.wait_for()
    notebook.page.get_by_text("2 of 3 batches, reading 1 entry, 2,400 tokens so far,").wait_for()
    assert notebook.page.get_by_text(" left").count() == 1
    assert bar.get_attribute("aria-valuenow") == "66"
    notebook.page.screenshot(path=tmp_path / "progress.png")
    notebook.command("notebook:interrupt-kernel")
    notebook.page.get_by_text("Stopped: 2 of 3 batches are kept, whole; checkpoint again to go on from there").wait_for()
    assert bar.count() == 0
    assert notebook.text(4) == ""  # an interrupt stops Run All
    release.set()
    notebook.page.screenshot(path=tmp_path / "stopped.png")
    notebook.run(3)
    assert "3 set aside" in notebook.text(3)
