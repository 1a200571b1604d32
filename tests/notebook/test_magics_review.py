"""`%uac_checkpoint --review` and `%uac_review`: with buttons where they work, and never in the way where they do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from uac_nb.errors import UacError
from uac_nb.model import FakeModel
from uac_nb.notebook.magics.answers import answers
from uac_nb.notebook.regress import run_notebook
from uac_nb.notebook.widgets import proposals
from uac_nb.notebook.widgets.page import as_html
from uac_nb.user import User

HOSTILE = '<img src=x onerror="document.title=1">'
TOLD = f"%%uac_ingest --at 2025-01-10 --speaker jess\nI'm allergic to penicillin. {HOSTILE}\nFlying to Lisbon on 10 March.\n"
ALLERGY = {
    "change": "add", "collection": "allergies", "id": "penicillin", "source": [1],
    "values": {"title": "penicillin allergy", "avoids": ["penicillin"]},
}  # fmt: skip
TRIP = {
    "change": "add", "collection": "trips", "id": "lisbon", "source": [2],
    "values": {"title": "trip to Lisbon", "to": "Lisbon", "departs": "2025-03-10"},
}  # fmt: skip


@pytest.fixture
def shell(shell: InteractiveShell) -> InteractiveShell:
    """It, with `jess` open, who told something that a model reads so."""
    with capture_output():
        shell.run_cell("%uac_user jess --today 2025-03-01")
        shell.run_cell(TOLD)
    shell._uac_nb[0].user.model = FakeModel([json.dumps({"changes": [ALLERGY, TRIP]})])
    return shell


@pytest.fixture
def user(shell: InteractiveShell) -> User:
    opened: User = shell._uac_nb[0].user
    return opened


def text(shell: InteractiveShell, source: str) -> str:
    """What a cell says in a console; errors too."""
    with capture_output() as output:
        result = shell.run_cell(source)
    return output.stdout if result.result is None else repr(result.result)


def html(shell: InteractiveShell, source: str) -> str:
    with capture_output():
        page: str = shell.run_cell(source).result._repr_html_()
    return page


def test_without_buttons_it_says_what_waits_and_how_to_answer(shell: InteractiveShell, user: User) -> None:
    page = text(shell, "%uac_checkpoint --review")
    first, second = (w.id for w in user.waiting())
    assert "2 changes proposed by scripted" in page
    assert "2 proposed changes wait for your answer" in page
    assert f"#{first}  New in allergies: penicillin allergy (avoids penicillin)" in page
    assert f"#{second}  New in trips: trip to Lisbon (to Lisbon; departs Monday, March 10, 2025)" in page
    assert "#2 · 10 Jan 2025 · jess: “Flying to Lisbon on 10 March.”" in page
    assert page.count("trip to Lisbon") == 1  # each change once
    assert "What it does to the files: " in page
    assert f"%uac_review accept {first} {second}" in page
    assert user.domains == []


def test_nothing_of_what_was_said_becomes_markup(shell: InteractiveShell) -> None:
    page = html(shell, "%uac_checkpoint --review")
    assert "<img" not in page
    assert "&lt;img src=x onerror=" in page


def test_answers_by_number(shell: InteractiveShell, user: User) -> None:
    text(shell, "%uac_checkpoint --review")
    first, second = (w.id for w in user.waiting())
    page = text(shell, f"%uac_review accept {second}")
    assert page.startswith("1 accepted in travel")
    assert "1 proposed change waits for your answer" in page
    assert text(shell, f"%uac_review accept {second}").startswith("Nothing changed")  # Run All
    assert text(shell, f"%uac_review never {first}").startswith("1 refused for good")
    assert text(shell, "%uac_review") == "No proposed change waits for your answer."
    assert user.domains == ["travel"]


def test_options_say_the_same_as_words(shell: InteractiveShell, user: User) -> None:
    text(shell, "%uac_checkpoint --review")
    first, second = (w.id for w in user.waiting())
    assert text(shell, "%uac_review --accept").endswith(f"accept what? Write numbers, or all: %uac_review accept {first}\n")
    page = text(shell, f"%uac_review --accept {second} --never {first}")
    assert page.splitlines()[:2] == [
        "1 accepted, 1 refused for good in travel",
        "New in trips: trip to Lisbon (to Lisbon; departs Monday, March 10, 2025) – from #2",
    ]


def test_all_at_once(shell: InteractiveShell, user: User) -> None:
    text(shell, "%uac_checkpoint --review")
    first = user.waiting()[0].id
    assert text(shell, f"%uac_review refuse {first} accept all").startswith("1 accepted, 1 refused in travel")
    assert user.waiting() == ()


def test_the_review_shows_again_what_waits(shell: InteractiveShell, user: User) -> None:
    text(shell, "%uac_checkpoint --review")
    assert "2 proposed changes wait for your answer" in text(shell, "%uac_review")
    assert "2 proposed changes wait for your answer" in text(shell, "%uac_checkpoint")
    assert "Nothing changed" in text(shell, "%uac_checkpoint --review")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("accept 41 43", ([41, 43], [], [])),
        ("accept #41, #43 refuse 42", ([41, 43], [42], [])),
        ("never 41 accept all", ([42, 43], [], [41])),
        ("refuse all", ([], [41, 42, 43], [])),
    ],
)
def test_the_words_of_answers(line: str, found: tuple[list[int], ...]) -> None:
    assert answers(line, [41, 42, 43]) == found


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("41", "'41' stands before accept, refuse or never; write %uac_review accept 41"),
        ("acept 41", "'acept' is none of accept, refuse, never; did you mean accept?"),
        ("accept", "accept what? Write numbers, or all: %uac_review accept 41"),
        ("accept 4x", "'4x' is none of accept, refuse, never, and no number"),
        ("accept all refuse all", "all can be said once"),
    ],
)
def test_words_that_are_no_answer(line: str, told: str) -> None:
    with pytest.raises(UacError) as refused:
        answers(line, [41])
    assert told in str(refused.value)


def test_papermill_is_not_held_up_and_can_answer(tmp_path: Path) -> None:
    sources = ["%load_ext uac_nb", "%uac_user jess", TOLD, "%uac_checkpoint --review", "%uac_review accept all"]
    path = tmp_path / "made.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in sources]), path)
    done = run_notebook(path, tmp_path / "out.ipynb")
    asked, answered = (cell.outputs[-1]["data"]["text/plain"] for cell in done.cells[-2:])
    assert "2 proposed changes wait for your answer" in asked
    assert "%uac_review accept" in asked
    assert "widget" not in str(done.cells[-2].outputs)
    assert answered.startswith("2 accepted in health and travel")


# --- with buttons ---


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uac_nb.notebook.cells.anchor", lambda shell: "c1")


def widget(user: User, answer: Any = None) -> Any:
    from uac_nb.notebook.widgets.choices import choices

    def answered(accept: list[int], refuse: list[int], never: list[int]) -> Any:
        user.review(accept=accept, refuse=refuse, never=never)
        return user.waiting()

    return choices(user.waiting(), answer or answered)


def card(place: Any) -> str:
    """The card of a place, as a page shows it."""
    return as_html([proposals.card(place.one)]) if place.one else ""


def test_a_live_page_has_the_words_too_and_the_buttons_below(shell: InteractiveShell, live: None) -> None:
    with capture_output() as output:
        shell.run_cell("%uac_checkpoint --review --no-code")
    page, *rest = output.outputs
    assert "2 proposed changes wait for your answer" in page.data["text/html"]
    buttons = [each for each in rest if "application/vnd.jupyter.widget-view+json" in each.data]
    assert [each.metadata for each in buttons] == [{"uac_nb": {"controls": True}}] * 3  # two changes, and Apply
    kept = "".join(each.data["text/html"] for each in [page, *rest] if each not in buttons)
    assert kept.count('role="group" aria-label="#') == 2
    assert "New in trips: trip to Lisbon" in kept
    assert [rest.index(each) for each in buttons] == [1, 3, 4]  # each below its card
    assert "<img" not in kept


def test_choices_are_carried_out_together(shell: InteractiveShell, user: User) -> None:
    text(shell, "%uac_checkpoint --review")
    (one, other), foot = widget(user)
    apply, _, said = foot.children
    assert apply.disabled
    one.choice.row.children[3].click()
    other.choice.row.children[1].click()
    assert [button.icon for button in other.choice.row.children] == ["", "check", "", ""]
    assert f"Accept #{user.waiting()[1].id}; refuse for good #{user.waiting()[0].id}. 0 changes left for later." in said.value
    assert user.domains == []
    apply.click()
    assert user.domains == ["travel"]
    assert user.waiting() == ()
    assert [each.layout.display for each in (one.choice.row, other.choice.row, foot)] == ["none"] * 3


def test_accept_all_chooses_and_does_not_apply(shell: InteractiveShell, user: User) -> None:
    text(shell, "%uac_checkpoint --review")
    _, foot = widget(user)
    apply, every, _ = foot.children
    every.click()
    assert user.domains == []
    assert not apply.disabled
    apply.click()
    assert user.domains == ["health", "travel"]


def test_what_is_left_stays_with_its_buttons(shell: InteractiveShell, user: User) -> None:
    text(shell, "%uac_checkpoint --review")
    (one, other), foot = widget(user)
    one.choice.choose("Accept")
    foot.children[0].click()
    assert "trip to Lisbon" in card(one)
    assert (other.one, other.choice.row.layout.display, one.choice.value) == (None, "none", "Later")


def test_a_button_says_why_it_could_not(shell: InteractiveShell, user: User) -> None:
    def locked(*_: Any) -> Any:
        raise UacError("somebody else is at work; try again")

    text(shell, "%uac_checkpoint --review")
    (one, _), foot = widget(user, locked)
    one.choice.choose("Accept")
    apply, _, said = foot.children
    apply.click()
    assert "somebody else is at work; try again" in said.value
    assert not apply.disabled


def test_buttons_of_a_user_who_is_closed_say_so(shell: InteractiveShell, live: None) -> None:
    memory = shell._uac_nb[0]
    carry = memory._answering(None, code=False)
    with capture_output():
        shell.run_cell("%uac_user ana")
    with pytest.raises(UacError, match="jess is not open any more"):
        carry([1], [], [])
