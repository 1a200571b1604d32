"""The magics, in a real shell over a real user."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from uac_nb.errors import UacError
from uac_nb.notebook import magics

PETS = '''"""Pets."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pet:
    """An animal at home."""

    id: str
    name: str
    source: tuple[int, ...] = ()


# --- state ---

pets: list[Pet] = [
    Pet(id="bo", name="Bo", source=(1,)),
]
'''

ALLERGY = "%%uac_ingest --at 2025-01-10 --speaker jess\nI'm allergic to penicillin.\n"
DRUG = "%%uac_ingest --at 2025-03-01 --speaker jess\nThe doctor prescribed me amoxicillin 500 mg.\n"


@pytest.fixture
def run(run: Callable[..., Any]) -> Callable[..., Any]:
    """The same, `jess` being open."""
    return lambda *sources: run("%uac_user jess --today 2025-03-01", *sources)


def shown(shell: InteractiveShell, source: str) -> tuple[str, str]:
    """What a cell shows, as plain text and as HTML; what went wrong, as text."""
    with capture_output() as output:
        result = shell.run_cell(source)
    if result.result is None:
        return output.stdout, ""
    data, _ = shell.display_formatter.format(result.result)
    return data["text/plain"], data.get("text/html", "")


# --- loading ---


def test_loading_is_light_and_happens_once(tmp_path: Path) -> None:
    script = """
import sys
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for _ in range(2):
    shell.run_line_magic("load_ext", "uac_nb")
    shell.run_line_magic("reload_ext", "uac_nb")
transformers = shell.input_transformer_manager.token_transformers
print(sum(t.__module__.startswith("uac_nb") for t in transformers), len(shell.Completer.custom_matchers))
print(sorted({"pandas", "openai", "ipywidgets", "papermill", "pydantic", "dulwich", "uac_nb.user"} & set(sys.modules)))
shell.run_line_magic("unload_ext", "uac_nb")
print("uac_ask" in shell.magics_manager.magics["line"], len(shell.Completer.custom_matchers))
"""
    run = [sys.executable, "-c", script]
    root = Path(magics.__file__).parents[3]
    done = subprocess.run(
        run, capture_output=True, text=True, check=True, cwd=root, env={"IPYTHONDIR": str(tmp_path), "HOME": str(tmp_path)}
    )
    assert done.stdout.splitlines()[-3:] == ["1 1", "[]", "False 0"]


def test_without_a_user_a_magic_says_what_to_run(shell: InteractiveShell) -> None:
    text, _ = shown(shell, "%uac_alerts")
    assert text == "UacError: no user is open: run %uac_user NAME first (users here: none yet)\n"


def test_help_lists_the_options(shell: InteractiveShell) -> None:
    lines = (shell.find_line_magic("uac_user").__doc__ or "").splitlines()
    assert lines[0] == "Open a user, made where there is none; alone, say who is open: %uac_user [NAME]"
    assert [line.split()[:2] for line in lines[3:]] == [
        ["--today", "DAY"],
        ["--home", "DIR"],
        ["--model", "NAME"],
        ["--rebuild", "make"],
    ]


# --- who ---


def test_user_says_who_is_open(run: Callable[..., Any], tmp_path: Path) -> None:
    who = run("%uac_user")
    assert who.folder == tmp_path / "users" / "jess"
    assert "0 entries in the log" in repr(who)
    assert "today is pinned to Saturday, March 1, 2025" in repr(who)


def test_a_day_alone_pins_it_for_the_open_user(run: Callable[..., Any], tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert repr(run(f"%uac_user max --home {other}", "%uac_user --today 2025-04-01")).splitlines() == [
        "max",
        "0 entries in the log · domains: none yet · today is pinned to Tuesday, April 1, 2025",
        str(other / "max"),
    ]


def test_a_name_with_a_path_in_it_is_refused(shell: InteractiveShell, tmp_path: Path) -> None:
    text, _ = shown(shell, "%uac_user ../../evil")
    assert text.startswith("ProjectError: ")
    assert text.count("\n") == 1
    assert not (tmp_path.parent / "evil").exists()


# --- telling ---


def test_an_entry_a_line_or_one_a_cell(run: Callable[..., Any]) -> None:
    assert [e.text for e in run("%%uac_ingest\n one \n\ntwo\n").entries] == ["one", "two"]
    assert [e.text for e in run("%%uac_ingest --whole\nthree\nfour\n").entries] == ["three\nfour"]


def test_an_entry_has_what_the_line_says(run: Callable[..., Any]) -> None:
    (entry,) = run('%%uac_ingest --at 2025-01-10T14:30 --speaker Ana --session "first talk"\nhello\n').entries
    assert (entry.said_at.isoformat(), entry.speaker, entry.session) == ("2025-01-10T14:30:00", "Ana", "first talk")


def test_a_dated_cell_run_again_adds_nothing_and_says_so(run: Callable[..., Any]) -> None:
    again = run(ALLERGY, ALLERGY)
    assert (again.entries, again.known) == ((), (1,))
    assert repr(again) == "1 entry is in the log already, so nothing was added: #1. --again adds them anyway."
    assert [e.id for e in run(ALLERGY.replace("--at", "--again --at")).entries] == [2]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("%%uac_ingest\n \n", "UacError: there is nothing to add: write below %%uac_ingest what was said, one entry a line\n"),
        ("%%uac_ingest --at someday\nx\n", "LogError: 'someday' is not a date that can be read; write 2025-01-10, "),
        ("%%uac_ingest --when 2025\nx\n", "UacError: %uac_ingest has no option --when"),
    ],
)
def test_bad_input_is_one_line_and_adds_nothing(
    shell: InteractiveShell, run: Callable[..., Any], cell: str, message: str
) -> None:
    run()
    text, _ = shown(shell, cell)
    assert text.startswith(message)
    assert text.count("\n") == 1
    assert len(run("%uac_log")) == 0


# --- the log ---


def test_the_log_is_a_plain_dataframe(run: Callable[..., Any], shell: InteractiveShell) -> None:
    import pandas as pd

    run("%%uac_ingest --at 2025-01-10\na\nb\nc\n", "df = %uac_log")
    frame = shell.user_ns["df"]
    assert type(frame) is pd.DataFrame
    assert list(frame["text"]) == ["a", "b", "c"]


def test_the_log_says_how_much_of_it_is_shown(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run("%%uac_ingest --at 2025-01-10 --speaker jess\na\n<b>\nc\n")
    text, html = shown(shell, "%uac_log --rows 2")
    assert text.splitlines() == [
        "2 of 3 messages, the newest",
        "    day         who   what",
        "#2  2025-01-10  jess  <b>",
        "#3  2025-01-10  jess  c",
        "df = %uac_log is a DataFrame of all.",
    ]
    assert "&lt;b&gt;" in html
    assert shown(shell, "%uac_log")[0].splitlines()[0] == "3 messages"


def test_what_was_made_of_the_words_is_counted_apart(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(ALLERGY, save(PETS), "%uac_checkpoint")
    lines = shown(shell, "%uac_log")[0].splitlines()
    assert lines[0] == "2 messages and edits"
    assert lines[-1] == "df = %uac_log is a DataFrame of all. It also has what was made of them: 3 facts, changes and alerts."


# --- code ---


def save(text: str, base: str = "") -> str:
    return f"%%uac_code pets{f' --base {base}' if base else ''}\n{text}"


def test_a_cell_saves_what_was_edited_in_it(run: Callable[..., Any]) -> None:
    made = run(save(PETS))
    assert [p.id for p in run("%uac_run pets")] == ["bo"]
    assert repr(made).splitlines()[0] == "pets.py saved: 19 lines added, 0 removed"
    base = run("%uac_code pets").base
    saved = run(save(PETS.replace('"Bo"', '"Rex"'), base[:8]))
    assert "added" in saved._repr_html_()
    assert run("%uac_run pets[0].name") == "Rex"


def test_a_stale_cell_is_refused_with_the_difference(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(save(PETS))
    base = run("%uac_code pets").base[:8]
    run(save(PETS.replace('"Bo"', '"Rex"'), base))
    text, _ = shown(shell, save(PETS.replace('"Bo"', '"Tom"'), base))
    assert text.startswith("ProjectError: pets.py has changed since this was shown; nothing was saved\n")
    assert '-    Pet(id="bo", name="Rex", source=(1, 2)),\n+    Pet(id="bo", name="Tom", source=(1,)),' in text
    assert run("%uac_run pets[0].name") == "Rex"


def test_a_cell_that_nobody_edited_saves_nothing_over_something_newer(run: Callable[..., Any]) -> None:
    run(save(PETS))
    base = run("%uac_code pets").base[:8]
    run(save(PETS.replace('"Bo"', '"Rex"'), base))
    assert repr(run(save(PETS, base))).splitlines() == [
        "Nothing was saved: this cell was out of date, and had not been edited. %uac_code pets shows the newest.",
        "What has changed since it was shown: 1 line added, 1 removed",
    ]
    assert run("%uac_run pets[0].name") == "Rex"


def test_a_cell_without_a_base_overwrites_nothing(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(save(PETS))
    assert repr(run(save(PETS))) == "Nothing to save: this cell of pets.py has not been edited."
    text, _ = shown(shell, save(PETS.replace('"Bo"', '"Rex"')))
    assert text.startswith("UacError: pets.py is there already and says something else; write %%uac_code pets --base ")
    assert run("%uac_run pets[0].name") == "Bo"


def test_a_cell_of_what_is_gone_does_not_bring_it_back(run: Callable[..., Any]) -> None:
    run(save(PETS))
    base = run("%uac_code pets").base[:8]
    gone = "Nothing was saved: pets.py is not there any more, and this cell has not been edited since it was."
    assert repr(run("%uac_undo", save(PETS, base))) == gone
    assert run("%uac_code").__len__() == 0


def test_a_cell_of_another_project_makes_the_file_here(run: Callable[..., Any]) -> None:
    run(save(PETS))
    base = run("%uac_code pets").base[:8]
    assert "pets.py saved" in repr(run("%uac_user max", save(PETS, base)))


def test_a_broken_cell_says_where_and_changes_nothing(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(save(PETS))
    base = run("%uac_code pets").base[:8]
    text, _ = shown(shell, save(PETS.replace('name="Bo"', "name="), base))
    assert text.startswith("CheckError: pets.py:18: ")
    assert run("%uac_code pets").text == PETS


def test_a_refusal_says_all_that_is_wrong_and_a_misspelled_name_first(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(save(PETS))
    base = run("%uac_code pets").base[:8]
    text, _ = shown(shell, save(PETS.replace("name=", "nmae="), base))
    assert text.splitlines() == [
        "CheckError: pets.py:18: Pet has no field 'nmae' (did you mean 'name'?)",
        "  pets.py:18: Pet needs 'name' (add name, of type str)",
    ]
    text, _ = shown(shell, "%%uac_code rules\n@rule('info')\ndef old(pets):\n    for p in pets:\n        yield 'x'\n")
    assert text.startswith("CheckError: rules.py:")
    assert len([line for line in text.splitlines() if line.startswith("  rules.py:")]) == text.count("\n") - 1 >= 1
    text, _ = shown(shell, "%uac_run " + "; ".join(f"import m{n}" for n in range(30)))
    assert text.splitlines()[-1] == "… 20 of 20 findings" or len(text.splitlines()) == 20


def test_a_saved_edit_tells_the_alerts_that_it_brought_and_took(run: Callable[..., Any]) -> None:
    run("%%uac_ingest --at 2025-01-10\nI'm allergic to penicillin.\nFlying to Lisbon on 10 March, back on the 17th.\n")
    run("%%uac_ingest --at 2025-03-01\nThe doctor prescribed me amoxicillin 500 mg.\nDentist on 12 March at 9:30.\n")
    assert "2 alerts" in repr(run("%uac_checkpoint"))

    def change(domain: str, old: str, new: str) -> list[str]:
        source = run(f"%uac_code {domain}")
        assert old in source.text
        return repr(run(f"%%uac_code {domain} --base {source.base}\n{source.text.replace(old, new)}")).splitlines()

    lines = change("travel", 'country="PT"', 'country="PT", purpose="work"')
    assert lines[-2:] == ["No new alert.", "2 alerts stand as before: %uac_alerts shows them."]
    lines = change("health", 'avoids=("penicillin",)', 'avoids=("nuts",)')
    assert lines[-3] == "No new alert."
    assert lines[-2].startswith("NO MORE  Conflict: your amoxicillin 500 mg")
    assert lines[-1] == "1 alert stands as before: %uac_alerts shows it."
    lines = change("health", 'avoids=("nuts",)', 'avoids=("penicillin",)')
    assert "New: 1 alert: 1 critical" in lines
    assert any(line.startswith("1 · CRITICAL  Conflict: your amoxicillin 500 mg") for line in lines)


def test_a_cell_that_calls_things_otherwise_says_so(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(save(PETS))
    base = run("%uac_code pets").base[:8]
    cell = PETS.replace("    name: str", "    called: str").replace("class Pet:", "class Animal:")
    text, _ = shown(shell, save(cell, base))
    assert text.startswith(
        "CheckError: pets.py:7: there is no type Pet any more, and 1 record is of it (if it is called 'Animal' now"
    )
    assert "--rename Pet=Animal" in text
    named = save(cell, f"{base} --rename Pet.name=called --rename Pet=Animal")
    page = repr(run(named))
    assert page.splitlines()[0] == "pets.py saved: 4 lines added, 4 removed"
    assert run("%uac_run [pets[0].called, type(pets[0]).__name__]") == ["Bo", "Animal"]
    assert run("%uac_code pets").text == cell.replace("list[Pet]", "list[Animal]").replace(
        'Pet(id="bo", name=', 'Animal(id="bo", called='
    )
    assert repr(run(named)) == "Nothing to save: this cell of pets.py has not been edited."
    run("%uac_undo")
    assert run("%uac_code pets").text == PETS


@pytest.mark.parametrize("names", ["name", "Pet.name=", "=called", "Pet.name=called,Pet"])
def test_a_renaming_that_does_not_say_both_names_is_refused(
    run: Callable[..., Any], shell: InteractiveShell, names: str
) -> None:
    run(save(PETS))
    base = run("%uac_code pets").base[:8]
    text, _ = shown(shell, save(PETS, f"{base} --rename {names}"))
    assert "does not say both names; write old=new, as in Trip.cost=price" in text
    assert run("%uac_code pets").text == PETS


def test_code_shows_one_file_or_names_all(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(save(PETS))
    assert 'name="Bo"' in shown(shell, "%uac_code pets")[0]
    assert shown(shell, "%uac_code")[0].splitlines() == [
        "1 domain file",
        "pets.py (19 lines; %uac_code pets opens it as a cell)",
    ]
    assert shown(shell, "%uac_code cars")[0].startswith("ProjectError: there is no domain 'cars' (domains: ")


# --- the whole chain ---


def test_a_checkpoint_says_what_changed_and_what_was_not_understood(run: Callable[..., Any]) -> None:
    done = run(ALLERGY, "%%uac_ingest --at 2025-01-11\nHmm, the colour of distance.\n", "%uac_checkpoint")
    page = repr(done)
    assert "health" in done.domains
    assert page.splitlines()[:3] == [
        "2 changes in health, read by patterns",  # the type, and the record
        "New in allergies: penicillin allergy (avoids penicillin; quote I'm allergic to penicillin.) – from #1",
        "2 messages in all: 1 cited, 1 unread",
    ]
    assert "#2 · 11 Jan 2025: “Hmm, the colour of distance.”" in page
    assert repr(run("%uac_checkpoint")).splitlines()[0] == "Nothing changed"
    file = run("%uac_user").folder / "project" / "health.py"
    file.write_text(file.read_text().replace("# --- state ---", "# --- state ---\n\n# Ask the doctor."))
    assert repr(run("%uac_checkpoint")).splitlines()[0] == "Edits by hand in health"


def test_what_was_told_as_unread_before_is_counted_and_not_told_again(run: Callable[..., Any]) -> None:
    page = repr(run("%%uac_ingest --at 2025-01-11\nQwertz uiop.\nAsdf ghjk.\n", "%uac_checkpoint"))
    assert "Unread: 2 messages not understood, kept in the log:" in page
    page = repr(run("%%uac_ingest --at 2025-01-12\nYxcv bnm.\n", "%uac_checkpoint"))
    assert "Unread: 1 message not understood, kept in the log:" in page
    assert "2 others told before are still unread: %uac_coverage lists them." in page
    assert ("Yxcv" in page, "Qwertz" in page) == (True, False)
    page = repr(run("%uac_checkpoint"))
    assert "3 messages told before are still unread: %uac_coverage lists them." in page
    assert all(word in repr(run("%uac_coverage")) for word in ("Qwertz", "Asdf", "Yxcv"))
    assert "Unread: 3 messages" in repr(run("%uac_checkpoint --again"))


def test_of_many_changes_the_first_are_told_and_the_rest_counted(run: Callable[..., Any]) -> None:
    things = ["lamp", "tent", "kettle", "desk", "chair", "jacket", "phone", "camera", "bike", "book", "table", "bag"]
    told = "".join(f"I bought a {thing} for 20 EUR today.\n" for thing in things)
    page = repr(run(f"%%uac_ingest --at 2025-01-11\n{told}", "%uac_checkpoint")).splitlines()
    assert sum(line.startswith("New in purchases: ") for line in page) == 10
    made = run("%uac_run len(purchases)")
    assert made > 10
    assert f"… 10 of {made} told; what changed in the files has all." in page


def test_an_alert_that_nobody_asked_for_shows_its_evidence(run: Callable[..., Any]) -> None:
    page = repr(run(ALLERGY, "%uac_checkpoint", DRUG, "%uac_checkpoint"))
    assert "1 alert: 1 critical" in page
    assert "#1 · 10 Jan 2025 · jess: “I'm allergic to penicillin.”" in page
    assert "· 1 Mar 2025 · jess: “The doctor prescribed me amoxicillin 500 mg.”" in page


def test_an_alert_is_acknowledged_and_snoozed_by_its_number(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(ALLERGY, DRUG, "%uac_checkpoint")
    assert [r.state for r in run("%uac_alerts --snooze 1 --until 2025-03-09")] == ["snoozed"]
    assert [r.state for r in run("%uac_alerts snooze all --until 2025-03-10")] == ["snoozed"]
    seen = run("%uac_alerts --acknowledge 1")
    assert [r.state for r in seen] == ["acknowledged"]
    assert "1 · CRITICAL · ACKNOWLEDGED" in repr(seen)
    assert shown(shell, "%uac_alerts --acknowledge 2")[0] == "UacError: there is no alert 2; %uac_alerts lists 1\n"
    assert shown(shell, "%uac_alerts --snooze 1")[0] == "UacError: until when? Add --until 2025-03-01\n"
    assert shown(shell, "%uac_alerts 1")[0].startswith("UacError: '1' stands before acknowledge or snooze; write %uac_alerts ")
    assert shown(shell, "%uac_coverage all")[0] == "UacError: %uac_coverage takes no words, and 'all' is one\n"
    assert [r.state for r in run("%uac_alerts acknowledge 1")] == ["acknowledged"]


def test_a_question_with_its_mark_is_answered_by_computing(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(ALLERGY, "%uac_checkpoint", "it = %uac_ask what am I allergic to?")
    answer = shell.user_ns["it"]
    assert answer.channel == "computed"
    assert "penicillin" in answer.text
    assert answer.evidence == (1,)


def test_what_is_not_recorded_is_said_to_be(run: Callable[..., Any]) -> None:
    assert run("%uac_ask when does my passport expire?").channel == "unknown"


def test_undo_and_history(run: Callable[..., Any]) -> None:
    run(save(PETS))
    base = run("%uac_code pets").base[:8]
    undone = run(save(PETS.replace('"Bo"', '"Rex"'), base), "%uac_undo")
    lines = repr(undone).splitlines()
    assert (lines[0], lines[2]) == ("Undone: 1 line added, 1 removed", "  Edit pets.py by hand")
    assert run("%uac_run pets[0].name") == "Bo"
    assert len(run("%uac_history")) == 3


def test_what_an_undo_set_aside_is_said_with_how_it_is_read_again(run: Callable[..., Any]) -> None:
    aside = "1 message is set aside as undone (#1): %uac_checkpoint --again reads it once more."
    undone = repr(run(ALLERGY, "%uac_checkpoint", "%uac_undo")).splitlines()
    assert undone[3].startswith("  New in allergies: penicillin allergy (")
    assert undone[4] == aside
    assert repr(run("%uac_checkpoint")).splitlines()[:3] == ["Nothing changed", "1 message in all: 1 set aside", aside]
    assert "undone" not in repr(run("%uac_checkpoint --again"))


def test_changes_of_the_log_are_told_in_words(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(ALLERGY, "%uac_checkpoint", "%uac_undo")
    text = shown(shell, "%uac_log --kind change")[0]
    assert "New in allergies: penicillin allergy (avoids penicillin; quote I'm allergic to penicillin.) – from #1" in text
    assert '"change"' not in text
    assert "by hand  Undo batch 1: New in allergies: penicillin allergy (" in shown(shell, "%uac_log")[0]


def test_the_log_is_searched_by_words(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run("%%uac_ingest --at 2025-01-10 --speaker jess\nTea\nMarit is ill\nI met Marit\n", "df = %uac_log marit")
    assert sorted(shell.user_ns["df"]["text"]) == ["I met Marit", "Marit is ill"]
    text = shown(shell, "%uac_log Marit --rows 5")[0].splitlines()
    assert text[0] == "2 entries for “Marit”, the best first"
    assert sorted(line[-12:].strip() for line in text[2:4]) == ["I met Marit", "Marit is ill"]
    assert shown(shell, "%uac_log --rows 1 Marit")[0].endswith("There may be more: --rows 2 shows more.")
    assert shown(shell, "%uac_log Zoe")[0] == "No entry has any of these words: Zoe"
    assert shown(shell, "%uac_log Marit --kind fact")[0].startswith("UacError: --kind does not go with words to search for; ")
    assert "&lt;b&gt;" in shown(shell, "%uac_log <b>")[1]


def test_rules_that_are_off_are_told_with_the_alerts(run: Callable[..., Any]) -> None:
    run("%%uac_ingest --at 2025-01-10\nFlying to Lisbon on 10 March.\n", "%uac_checkpoint")
    user = run("%uac_user")
    user.rename("trips.returns", "back")
    assert "trips_overlap" in repr(run("%uac_alerts"))


def test_cost_counts_calls_and_recorded_replies_apart(run: Callable[..., Any], tmp_path: Path) -> None:
    assert "No calls of a model yet" in repr(run("%uac_cost"))
    reply = {"text": '{"changes": [{"change": "skip", "reason": "thanks", "source": [1]}]}', "model": "m", "prompt_tokens": 7}
    line = {"purpose": "structure", "entries": [1], "round": 1, "prompt": "0" * 16, "reply": reply}
    (tmp_path / "kept.jsonl").write_text(json.dumps(line), "utf-8")
    ingest = "%%uac_ingest --at 2025-01-10\nThanks!\n"
    page = repr(run(ingest, f"%uac_checkpoint --reader recorded:{tmp_path}/kept.jsonl", "%uac_cost --price 1/2"))
    assert page.startswith("0 calls, 0 tokens, 0 s, no cost\n1 reply from a recording: they cost nothing")
    assert page.splitlines()[-1].split() == ["structure", "m", "0", "1", "0", "0", "0", "0.00"]


def test_coverage_counts_every_message(run: Callable[..., Any]) -> None:
    page = repr(run(ALLERGY, "%uac_checkpoint", DRUG, "%uac_coverage"))
    assert page.splitlines()[0] == "2 messages in all: 1 cited, 1 unread"


def test_run_leaves_braces_alone_and_takes_a_cell(run: Callable[..., Any]) -> None:
    run(save(PETS), "n = 7")
    assert run("%uac_run {p.id: 'n' for p in pets}") == {"bo": "n"}
    assert run("%%uac_run\nfound = [p for p in pets]\nlen(found)\n") == 1


def test_a_question_right_below_the_loading_is_asked(bare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UAC_HOME", str(tmp_path / "users"))
    cell = (
        "%load_ext uac_nb\n%uac_user jess --today 2025-03-01\nit = %uac_ask where do I live?\n"
        "len?\n%uac_ask where did Ana live?\n%uac_ask who are you??"
    )
    with capture_output() as output:
        result = bare.run_cell(cell, store_history=True)
        bare.run_cell("live?")
    result.raise_error()
    answer, last = bare.user_ns.pop("it"), result.result
    assert (answer.question, last.question) == ("where do I live?", "who are you??")
    assert "not found" in output.stdout  # after the cell, help is help again
    bare.run_line_magic("unload_ext", "uac_nb")


# --- completion ---


def test_a_chat_and_a_table_are_imported(run: Callable[..., Any], shell: InteractiveShell, tmp_path: Path) -> None:
    chat = tmp_path / "a chat.txt"
    chat.write_text("[13/01/2025, 09:00:01] Jess T.: Hello\n[13/01/2025, 09:01:02] Ann: Hi!\n[lost line\n")
    run("1")
    text, html = shown(shell, f'%uac_import --me "Jess T." --dry-run {chat}')
    assert "2 messages, from 2025-01-13 09:00:01 to 2025-01-13 09:01:02" in text
    assert "speakers: Jess T. 1, Ann 1" in html
    assert "Nothing was added: a dry run." in text
    assert "2 entries added to the log: #1–#2" in shown(shell, f'%uac_import --me "Jess T." "{chat}"')[0]
    again = shown(shell, f'%uac_import "{chat}" --me "Jess T."')[0]
    assert "2 entries are in the log already, so nothing was added: #1, #2. --again adds them anyway." in again
    run("import pandas as pd; table = pd.DataFrame({'Body': ['So', 'it is'], 'Who': ['Ann', 'Jess']})")
    assert len(run("%uac_import --me Jess --columns text=Body,speaker=Who table").entries) == 2
    assert list(run("%uac_log --speaker Ann")["text"]) == ["Hi!\n[lost line", "So"]
    assert list(run("%uac_log --session none")["text"]) == []
    assert list(run("%uac_log --until 2025-01-13 --kind message")["id"]) == [1, 2]


def test_forget_shows_what_would_go_and_needs_yes(run: Callable[..., Any], shell: InteractiveShell) -> None:
    run(ALLERGY, "%uac_checkpoint")
    text = shown(shell, "%uac_forget 1")[0]
    assert "This would be forgotten for good:" in text
    assert "#1 2025-01-10 jess: I'm allergic to penicillin." in text
    assert text.endswith("Add --yes to do it.")
    told = "'red' is no number of an entry; to forget all messages that hold these words: %uac_forget --text \"red fox\""
    assert shown(shell, "%uac_forget red fox")[0] == f"UacError: {told}\n"
    assert len(run("%uac_log --kind fact")["text"]) == 1
    text, html = shown(shell, "%uac_forget --yes --text penicillin")
    assert "Forgotten: " in text
    assert "penicillin" not in text + html
    assert list(run("%uac_log --kind message")["text"]) == [""]
    assert "(forgotten)" in shown(shell, "%uac_log")[0]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("%uac_checkpoint --rev", "%uac_checkpoint --review"),
        ("df = %uac_log --r", "df = %uac_log --rows"),
        ("%uac_code pe", "%uac_code pets"),
        ("%uac_user j", "%uac_user jess"),
        ("%uac_code pets --b", "%uac_code pets --base"),
    ],
)
def test_completion(run: Callable[..., Any], shell: InteractiveShell, line: str, offered: str) -> None:
    run(save(PETS))
    with provisionalcompleter():
        found = [line[: c.start] + c.text for c in shell.Completer.completions(line, len(line))]
    assert found == [offered]


# --- buttons ---


def test_buttons_call_the_api_and_the_page_says_what_was_done(run: Callable[..., Any], shell: InteractiveShell) -> None:
    from uac_nb.notebook.widgets.live import controls

    run(ALLERGY, DRUG, "%uac_checkpoint")
    user = shell._uac_nb[0].user
    drawn: list[tuple[list[str], str]] = []
    row = controls(user, user.alerts(), user.alerts, lambda now, trouble: drawn.append(([r.state for r in now], trouble)))
    which, _, snooze = row.children
    assert which.options[0][0].startswith("1  ")
    snooze.value = 7
    assert drawn == [(["snoozed"], "")]
    assert [r.until.isoformat() for r in user.alerts()] == ["2025-03-08"]
    assert row.layout.display == "none"  # nothing is open any more

    row = controls(
        user, user.alerts("2025-03-08"), user.alerts, lambda now, trouble: drawn.append(([r.state for r in now], trouble))
    )
    row.children[1].click()
    assert drawn[-1] == (["acknowledged"], "")


def test_a_button_says_why_it_could_not(
    run: Callable[..., Any], shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    from uac_nb.notebook.widgets.live import controls

    run(ALLERGY, DRUG, "%uac_checkpoint")
    user = shell._uac_nb[0].user

    def locked(key: str) -> None:
        raise UacError("somebody else is at work; try again")

    monkeypatch.setattr(user, "acknowledge", locked)
    said: list[str] = []
    controls(user, user.alerts(), user.alerts, lambda now, trouble: said.append(trouble)).children[1].click()
    assert said == ["somebody else is at work; try again"]


def test_a_live_page_is_static_html_with_buttons_below(
    run: Callable[..., Any], shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(ALLERGY, DRUG, "%uac_checkpoint")
    monkeypatch.setattr("uac_nb.notebook.cells.anchor", lambda shell: "c1")
    with capture_output() as output:
        shell.run_cell("%uac_alerts")
    page, buttons = output.outputs
    assert set(page.data) == {"text/plain", "text/html"}
    assert "application/vnd.jupyter.widget-view+json" in buttons.data
    assert buttons.metadata == {"uac_nb": {"controls": True}}


def test_a_path_in_the_home_of_nobody_is_no_file(run: Callable[..., Any]) -> None:
    with pytest.raises(UacError, match="there is no file"):
        run("%uac_import ~nobody-here/chat.txt")
