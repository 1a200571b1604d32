"""The tutorials, from start to end through papermill: what they promise in words, their cells have to show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from uac_nb.notebook.regress import run_notebook
from uac_nb.runtime import available

FOLDER = Path(__file__).parents[2] / "tutorials"
TUTORIALS = ["01-user-as-code", "02-rules", "03-by-hand", "04-what-can-go-wrong", "05-a-model-reads"]

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)

Shown = Callable[[str], list[str]]


def executed(name: str, folder: Path) -> Any:
    home = folder / "users"
    home.mkdir(exist_ok=True)
    return run_notebook(FOLDER / f"{name}.ipynb", folder / f"{name}.ipynb", {"home": str(home)}, timeout=60)


def shown(notebook: Any, part: str) -> list[str]:
    """What each code cell that contains this part shows, as plain text."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and part in cell.source]
    assert cells, f"no cell has {part}"
    return ["".join(o.get("text") or o["data"]["text/plain"] for o in cell.outputs) for cell in cells]


# The recording is to be made anew once the prompt stands; until then it replays with a warning.
STALE = re.compile(r"FINDING  [^\n]*this reply was recorded for another prompt")


def reader(name: str) -> Any:
    """A fixture: the tutorial, run once; a function from a part of a cell to what the cell shows.

    A finding stops no cell, so it has to be looked for. The tutorials print those that they mean to show.
    """

    @pytest.fixture(scope="module")
    def run(tmp_path_factory: pytest.TempPathFactory) -> Shown:
        notebook = executed(name, tmp_path_factory.mktemp(name))
        assert [page for page in shown(notebook, "") if "FINDING" in STALE.sub("", page)] == []
        return lambda part: shown(notebook, part)

    return run


def flowing(text: str) -> str:
    """A printed text without its line breaks."""
    return " ".join(text.split())


first, second, third, fourth, fifth = (reader(name) for name in TUTORIALS)


@pytest.mark.parametrize("name", TUTORIALS)
def test_none_is_stored_with_outputs_and_each_ends_with_exercises(name: str) -> None:
    import nbformat

    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    assert "parameters" in code[0].metadata.tags
    assert notebook.cells[-1].source.startswith("## Try it")


# --- 1: the user as code ---


def test_1_an_alert_and_a_count_that_no_text_holds(first: Shown) -> None:
    (checkpoint, moved) = first("%uac_checkpoint")
    assert "your dentist appointment (Wednesday, March 12, 2025 at 9:30 AM) falls during your trip to Lisbon" in checkpoint
    assert first("trips to Europe")[0].startswith("2\n")
    assert first('"Europe"') == ["[0, 1]"]
    assert 'until=When("2025-01-31")' in moved


def test_1_sums_and_counts_say_how_sure_they_are(first: Shown) -> None:
    (spent,) = first("how much did I spend")
    assert spent.startswith("€234.50, perhaps €264.50\nnot sure of lamp\n")
    assert first("astype(float)") == ["264.5"]
    assert re.findall(r"2025-01-29~ +(\S+) +(\S+)", first("words = {")[0]) == [("2025-01-22", "2025-01-29")]
    assert first("when.within") == ["['yes', 'maybe', 'no']"]
    assert first("rome < date") == ["(True, False, False)"]
    assert first("first half of 2024?")[0].startswith("1, perhaps 2\nnot sure of trip to Prague\n")


def test_1_what_is_no_longer_known_is_unknown(first: Shown) -> None:
    before, after = first("%uac_run lives_in()")
    assert before == "'Berlin'"
    assert after.startswith("Unknown(because='moved out on Friday, January 31, 2025;")
    assert after.endswith("was='Berlin')")
    assert first("%uac_ask where do I live?")[0].startswith("Not recorded: ")


def test_1_evidence_goes_down_to_the_words(first: Shown) -> None:
    (evidence,) = first("record.source[0]")
    assert evidence.startswith("Wednesday, March 12, 2025 at 9:30 AM\n")
    assert "entry 6, 2025-02-03, mira: Dentist appointment on 12 March at 9:30 in the morning." in evidence
    assert first("landlord")[0].startswith("Not recorded:")
    assert "The light this morning was something else." in first("%uac_coverage")[0]


# --- 2: rules ---


def test_2_three_alerts_that_nobody_asked_for(second: Shown) -> None:
    (checkpoint,) = second("%uac_checkpoint")
    assert "CRITICAL  Conflict: your amoxicillin 500 mg" in checkpoint
    for rule in ("medicine against allergy", "away during commitment", "passport too short for trip"):
        assert f"  {rule}" in checkpoint
    (calendar,) = second("pd.DataFrame(found)")
    assert "return_window_closing" in calendar  # seen only from a day near the end


def test_2_a_rule_can_be_read_and_tried(second: Shown) -> None:
    (tried,) = second("run(dear_purchase")
    assert flowing(tried).startswith("Over the limit: your headphones (€120; bought Saturday, March 1, 2025;")
    assert "passport_too_short_for_trip" in second("looks for")[0]


def test_2_an_own_rule_speaks_where_it_must(second: Shown) -> None:
    (examples,) = second("must, must_not")
    assert examples.count("True") == 2
    assert examples.count("False") == 5
    (saved,) = second("%%uac_code rules")
    assert "4 · WARNING  Conflict: your headphones (€120; bought Saturday, March 1, 2025; return by Tuesday, March 11" in saved


def test_2_the_life_of_an_alert(second: Shown) -> None:
    told, stopped = second('print("told')[0], second('print("stopped')[0]
    assert "told:         ['open']\nacknowledged: ['acknowledged']\n" in told
    assert stopped == "stopped:      ['resolved']\nlooked again: []\nundone:       ['reopened']\n"
    assert second('["event"]') == ["['raised', 'acknowledged', 'resolved', 'reopened']"]


def test_2_a_rule_that_crashes_is_a_finding_and_the_others_run(second: Shown) -> None:
    (crashed,) = second('user.edit("rules", rules + broken)')
    assert "the rule second_trip failed: ValueError" in crashed
    assert "medicine_against_allergy" in crashed
    (off,) = second("OFF = ")
    assert "passport_too_short_for_trip" not in off
    assert second("%uac_alerts")[0].startswith("3 alerts: 1 critical, 2 warnings")


# --- 3: by hand ---


def test_3_a_cell_saves_a_file_and_answers_and_alerts_follow(third: Shown) -> None:
    told, with_vienna, by_editor, *_ = third("%uac_checkpoint")
    assert "falls during your trip to Lisbon" in told
    (saved,) = third("%%uac_code travel")
    assert '+        returns=When("2025-03-11"),  # earlier, by phone' in saved
    assert "WARNING" not in saved
    assert third("%uac_ask")[0].startswith("Tuesday, March 11, 2025\n")
    assert '+        to="Vienna",' in with_vienna
    assert "\n-" not in with_vienna.replace("\n--- ", "")
    assert 'holder="Tim"' in by_editor


def test_3_the_edited_cell_stays_as_it_is() -> None:
    """JupyterLab brings a cell that begins with the magic up to date, and in the next run its edit would be no edit.

    Behind an empty line it is left alone, and what was saved comes as a cell below it.
    """
    import nbformat

    cells = nbformat.read(FOLDER / "03-by-hand.ipynb", as_version=4).cells
    assert [cell.source.startswith("\n%%") for cell in cells if "%%uac_code travel" in cell.source] == [True]


def test_3_an_older_state_overwrites_nothing(third: Shown) -> None:
    (refused,) = third("base=shown.base")
    assert refused == "travel.py has changed since this was shown; nothing was saved\n"


def test_3_a_file_of_ones_own(third: Shown) -> None:
    assert third("%%uac_code keys")[0].startswith("keys.py saved")
    assert third("%uac_run")[0] == "[['Ada', When(\"2024-10\")], ['Tom', None]]"
    date, field, comma = third("slips = {")[0].strip().split("\n\n")
    assert "When('October 2024') is no When (write it as 2025-03-10" in flowing(date)
    assert "Key has no field 'holds'" in field
    assert "Perhaps you forgot a comma?" in comma
    assert all(line.startswith("keys.py:") for line in (date, field, comma))


def test_3_history_undo_and_rebuild(third: Shown) -> None:
    assert third("%uac_history")[0].startswith("5 commits\n")
    assert "the edit of entry 14" in third("%uac_undo")[0]
    assert third("user.run(") == ["['Ada', 'Tom']"]
    assert third("oldest, newest") == ["['-        returns=When(\"2025-03-17\"),', '-        source=(1,),']"]
    assert third("shutil.rmtree") == ["(True, ['Lisbon', 'Vienna'])"]


def test_3_a_frame_of_ones_own(third: Shown) -> None:
    *_, before, after = third("%uac_checkpoint")
    assert "1 unread" in before
    assert third("%%uac_frames")[0].startswith("frames.txt saved")
    assert "New in keys: garage (holder Mara; since Friday, January 3, 2025)" in after
    assert "['Mara', 'garage', When(\"2025-01-03\")]" in third("%uac_run")[1]


# --- 4: what can go wrong ---


def test_4_orders_in_a_text_stay_text(fourth: Shown) -> None:
    (checkpoint,) = fourth("%uac_checkpoint")
    assert "6 messages in all: 1 cited, 5 unread" in checkpoint
    assert all(answer.startswith("penicillin") for answer in fourth("%uac_ask what am I allergic to?"))


@pytest.mark.parametrize(
    ("attempt", "finding"),
    [
        ("the text says so", "entry 2 speaks to a model, and nothing is built on that"),
        ("**paris", "add trips paris: no word of it stands in"),
        ('"id": "evil"', "os may not be imported"),
    ],
)
def test_4_a_model_that_obeys_gets_nothing_through(fourth: Shown, attempt: str, finding: str) -> None:
    (said,) = fourth(attempt)
    accepted, first, *_ = said.splitlines()
    assert accepted == "0 accepted"
    assert finding in first  # and not behind other findings


def test_4_code_does_not_get_out(fourth: Shown) -> None:
    (said,) = fourth("attempts = [")
    answers = [part.strip().split("\n")[1] for part in said.split(">>> ")[1:]]
    assert answers.pop(8) == "0"  # only a copy was cleared
    assert len(answers) == 10
    assert all(answer.startswith("query:1: ") for answer in answers)
    (stopped,) = fourth("while True: pass")
    assert "it ran longer than 0.5 s and was stopped" in stopped
    assert stopped.endswith("1")


def test_4_a_broken_file_costs_no_answer(fourth: Shown) -> None:
    (broken,) = fourth("good.replace")
    assert broken.startswith("health.py:")
    assert "unterminated string literal" in broken
    assert "the last commit still answers" in flowing(broken)
    assert fourth("user.rebuild()") == ["True True\n()"]


def test_4_what_was_not_said_is_not_recorded(fourth: Shown) -> None:
    (blood,), (doctor,) = fourth("my blood type"), fourth("treated my hives")
    assert blood == "Not recorded: no collection is about this; nothing in the log mentions blood and type."
    assert doctor.startswith("Not recorded: no collection is about this; entry 1 of the log mentions hives")


def test_4_wrong_calls_say_what_to_write(fourth: Shown) -> None:
    said = flowing(fourth("for call in")[0])
    assert "'10.1.2025' is not a date that can be read; write 2025-01-10" in said
    assert "there is no collection 'allergy' (collections: allergies)" in said
    assert "did you mean 'allergies'?" in said


# --- 5: a model reads ---


def test_5_recorded_replies_come_to_alerts_and_every_message_is_accounted_for(fifth: Shown) -> None:
    (checkpoint,) = fifth("%uac_checkpoint")
    assert "read by recorded (replies.jsonl)" in checkpoint
    assert "79 messages in all: 67 cited, 4 noted, 8 set aside" in checkpoint
    assert "CRITICAL  Conflict: your amoxicillin 500 mg" in checkpoint
    assert "no red eyes" in checkpoint
    assert fifth("Counter(")[0].startswith("Counter({'cited': 67,")
    (aside,) = fifth("aside = [")
    assert "the Hotel Azul in Alfama" in aside
    assert aside.count("set aside: question") == 3


def test_5_session_by_session(fifth: Shown) -> None:
    assert fifth("commits = ")[0].count("Batch") == 5
    assert "+        leaves=time(23, 15)," in fifth("changed(4")[0]
    assert "it was 198 EUR and not 189" in flowing(fifth("blame")[0])
    first, second, then = fifth("history_of")[0].splitlines()
    assert first.endswith("on the Coupure from 2021-09 to 2026-07-04")
    assert second.endswith("from 2026-07-04 to now")
    assert "Coupure" in then


def test_5_what_depends_what_is_ruled_and_what_waits(fifth: Shown) -> None:
    values = re.findall(r"^2026-\S+ (\w+)", fifth("manuscript_reviewer()")[0], re.MULTILINE)
    assert values == ["Silke", "Silke", "Unknown", "Bram"]
    assert fifth("no_red_eyes")[0].startswith("2026-05-10 nothing to say\n2026-06-22 Over the limit: your trip to Halifax")
    assert fifth("user.entry(29)")[0].endswith("set aside: question\nFalse")
    assert fifth("%uac_forget")[0].startswith("This would be forgotten for good:")


def test_5_answers_cost_and_again(fifth: Shown) -> None:
    answers = [shown.split("\n")[0] for shown in fifth("%uac_ask")]
    told = ["Mechelen", "€198", "1, 1 more is ahead", "5 kilometres", "Friday, August 21, 2026"]
    assert all(answer.startswith(words) for answer, words in zip(answers, told, strict=False))
    assert answers[5].startswith("Not recorded:")
    assert "0 calls" in fifth("%uac_cost")[0]
    sent = [int(row.split()[-2]) for row in fifth("user.calls()")[0].splitlines()[1:]]
    assert (sent[0], *sent[-2:]) == (7874, 10179, 13396)  # as the words below the table say
    assert fifth("user.checkpoint(reader")[0] == "()"
    assert fifth("user.rebuild()")[0] == "True"


# --- all ---


@pytest.mark.parametrize("name", TUTORIALS[:1])
def test_again_in_the_same_home_gives_the_same(name: str, tmp_path: Path) -> None:
    """Each run has users of its own."""
    runs = [executed(name, tmp_path) for _ in range(2)]
    for part in ("%uac_ask", "%uac_checkpoint", "%uac_run", "%%uac_ingest"):
        assert shown(runs[0], part) == shown(runs[1], part)
