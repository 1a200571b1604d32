"""The command line: the same verbs, one-line errors, and an exit code that says whether it went well."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from uac_nb.cli.doctor import examine
from uac_nb.cli.main import main


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("UAC_HOME", str(tmp_path / "users"))
    monkeypatch.delenv("UAC_MODEL", raising=False)

    def call(*words: str, input: str | None = None) -> Result:
        return CliRunner().invoke(main, words, input=input)

    return call


def test_from_words_to_an_answer(run) -> None:  # type: ignore[no-untyped-def]
    told = run("ingest", "jess", "--at", "2025-01-10", input="I'm allergic to penicillin.\n\nFlying to Lisbon on 10 March.\n")
    assert "2 added" in told.stdout
    assert "2 added" not in run("ingest", "jess", "I'm allergic to penicillin.", "--at", "2025-01-10").stdout
    assert "+allergies: list[Allergy] = [" in run("checkpoint", "jess", "--today", "2025-02-01").stdout
    answer = run("ask", "jess", "--code", "what", "am", "I", "allergic", "to?")
    assert "penicillin" in answer.stdout
    assert "[computed] from entries 1" in answer.stdout
    assert "2025-01-10 message  user: Flying to Lisbon" in run("log", "jess").stdout
    assert "no alerts" in run("alerts", "jess", "--today", "2025-02-01").stdout
    assert run("undo", "jess").stdout == (
        "took back batch 1:\n"
        "  New kind of record in health: allergies – from #1\n"
        "  New in allergies: penicillin allergy (avoids penicillin; quote I'm allergic to penicillin.) – from #1\n"
        "  New kind of record in travel: trips – from #2\n"
        "  New in trips: trip to Lisbon (to Lisbon; country PT; departs Monday, March 10, 2025) – from #2\n"
        "2 messages are set aside as undone (#1, #2): uac-nb checkpoint jess --again reads them once more\n"
    )
    aside = "note: 2 messages are set aside as undone (#1, #2): uac-nb checkpoint jess --again reads them once more\n"
    assert run("checkpoint", "jess").stdout.endswith(aside)
    again = run("checkpoint", "jess", "--again").stdout
    assert "+allergies: list[Allergy] = [" in again
    assert "undone" not in again
    assert "rebuilt" in run("rebuild", "jess").stdout


def test_proposals_wait_and_are_answered_by_number(run) -> None:  # type: ignore[no-untyped-def]
    run("ingest", "jess", "--at", "2025-01-10", input="I'm allergic to penicillin.\nFlying to Lisbon on 10 March.\n")
    later = run("checkpoint", "jess", "--later").stdout
    assert later.startswith("nothing changed yet\n4 changes by patterns; ")
    assert "2 waiting" in later
    assert "2 proposed changes wait for your answer: uac-nb review jess\n" in later
    shown = run("review", "jess").stdout
    numbers = re.findall(r"^#(\d+) New in (\w+): .*\n    [12] 2025-01-10 (?:I'm|Flying)", shown, re.MULTILINE)
    assert sorted(collection for _, collection in numbers) == ["allergies", "trips"]
    assert shown.endswith(
        f"2 proposals wait for an answer: uac-nb review jess --accept {numbers[0][0]}, or --refuse, or --never\n"
    )
    made = {collection: number for number, collection in numbers}
    done = run("review", "jess", "--accept", made["allergies"], "--never", made["trips"], "--today", "2025-02-01").stdout
    assert "+allergies: list[Allergy] = [" in done
    assert done.endswith("0 proposals wait for an answer\n")
    assert run("review", "jess", "--accept", "99").exit_code == 1


CHAT = "[13/01/2025, 09:00:01] Jess T.: I'm allergic to penicillin.\n[13/01/2025, 09:01:02] Ann: Me too!\n"


def test_a_chat_is_imported_looked_at_and_searched(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    chat = tmp_path / "chat.txt"
    chat.write_text(CHAT)
    dry = run("import", "jess", str(chat), "--me", "Jess T.", "--dry-run").stdout
    assert "2 messages, from 2025-01-13 09:00:01 to 2025-01-13 09:01:02\nspeakers: Jess T. 1, Ann 1" in dry
    assert dry.endswith("nothing was added: a dry run\n")
    assert run("import", "jess", str(chat), "--me", "Jess T.").stdout.endswith("\n2 added\n")
    assert run("import", "jess", str(chat), "--me", "Jess T.").stdout.endswith("\n0 added, 2 there already\n")
    table = tmp_path / "t.csv"
    table.write_text("Body,Who\nHi there,Ann\n")
    columns = ("--column", "text=Body", "--column", "speaker=Who")
    assert "1 added" in run("import", "jess", str(table), *columns, "--me", "Ann").stdout
    newest = run("log", "jess", "--speaker", "Ann", "--rows", "1")
    assert (newest.stdout, newest.stderr) == (f"     3 {date.today()} message  Ann: Hi there\n", "1 of 2 entries\n")
    assert run("log", "jess", "--since", "2025-01-14").stderr == "0 entries\n"
    assert run("search", "jess", "penicillin").stdout.startswith("     1 2025-01-13 message  Jess T.: I'm allergic")
    nothing = run("search", "jess", "zebra")
    assert (nothing.stdout, nothing.stderr) == ("", "no entry has any of these words\n")
    assert run("verify", "jess").stdout == "3 entries, none broken\n"


def test_no_user_is_made_for_what_cannot_be_read(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    chat, bad = tmp_path / "chat.txt", tmp_path / "a\nb\x1b[31m.txt"
    chat.write_text(CHAT)
    bad.write_text("just words")
    failed = run("import", "jess", str(bad))
    assert (failed.exit_code, failed.stdout, failed.stderr.count("\n")) == (1, "", 1)
    assert failed.stderr.startswith("uac-nb: a\\nb\\x1b[31m.txt is in no format that is known")
    assert run("import", "jess", str(chat), "--dry-run").stdout.endswith("nothing was added: a dry run\n")
    assert run("users", "list").stdout == ""
    assert run("import", "jess", str(chat)).stdout.startswith("new user jess in ")


def test_forget_shows_what_goes_and_asks(run) -> None:  # type: ignore[no-untyped-def]
    run("ingest", "jess", "--at", "2025-01-10", input="My code is quetzal.\nHello.\n")
    asked = run("forget", "jess", "--text", "Quetzal", input="n\n")
    assert "#1 2025-01-10 user: My code is quetzal." in asked.stdout
    assert asked.stdout.endswith("nothing was forgotten\n")
    done = run("forget", "jess", "1", "--yes")
    assert "forgotten: 1 log row, 0 model calls, 0 records; entry 3 says so" in done.stdout
    assert "quetzal" not in done.stdout
    assert "(forgotten)" in run("log", "jess").stdout
    assert "quetzal" not in run("log", "jess").stdout


def test_a_user_is_exported_and_restored(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    run("ingest", "jess", "I'm allergic to penicillin.", "--at", "2025-01-10")
    run("checkpoint", "jess", "--today", "2025-02-01")
    assert "4 entries in" in run("export", "jess", str(tmp_path / "jess.jsonl")).stdout
    assert "4 entries in" in run("backup", "jess", str(tmp_path / "jess.sqlite")).stdout
    assert run("restore", "ana", str(tmp_path / "jess.jsonl")).stdout.endswith("4 entries; the project has 1 commits\n")
    assert run("log", "ana").stdout == run("log", "jess").stdout
    assert run("export", "jess", str(tmp_path / "jess.jsonl")).exit_code == 1
    for verb in ("export", "backup"):
        assert run(verb, "jess", "none/jess").stderr == "uac-nb: there is no folder none; make it first\n"


def test_rebuild_works_where_log_and_project_do_not_belong_together(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for name, words in (("jess", "I'm allergic to penicillin."), ("ana", "I'm allergic to nuts.")):
        run("ingest", name, words, "--at", "2025-01-10")
        run("checkpoint", name, "--today", "2025-02-01")
    users = tmp_path / "users"
    (users / "ana" / "project").rename(tmp_path / "aside")
    (users / "jess" / "project").rename(users / "ana" / "project")
    refused = run("ask", "ana", "what am I allergic to?")
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    assert "they are of two users" in refused.stderr
    assert "`uac-nb rebuild ana`" in refused.stderr
    assert "rebuilt" in run("rebuild", "ana").stdout
    assert "nuts" in run("ask", "ana", "what am I allergic to?").stdout


def test_users_are_listed_renamed_and_deleted(run) -> None:  # type: ignore[no-untyped-def]
    run("ingest", "jess", "Hello.")
    run("users", "rename", "jess", "ana")
    assert run("users", "list").stdout == "ana\n"
    assert run("users", "delete", "ana", input="n\n").exit_code == 0
    assert run("users").stdout == "ana\n"
    run("users", "delete", "ana", "--yes")
    alone = run("users")
    assert (alone.exit_code, alone.stdout) == (0, "")
    assert re.fullmatch(r"no users yet in \S+/users; uac-nb ingest NAME TEXT makes one\n", alone.stderr)


def test_the_home_may_stand_before_the_verb(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    run("ingest", "jess", "Hello.", "--home", str(tmp_path / "other"))
    assert run("users", "--home", str(tmp_path / "other"), "list").stdout == "jess\n"
    assert run("users", "--home", str(tmp_path / "other")).stdout == "jess\n"
    assert run("users").stdout == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ingest", "../jess", "x"), "uac-nb: '../jess' cannot be a user's name"),
        (("ingest", "jess", ""), "uac-nb: nothing was added: the message is empty"),
        (
            ("ingest", "jess"),
            'uac-nb: there is nothing to add: uac-nb ingest jess "TEXT", or a line for each entry on standard',
        ),
        (("ingest", "jess", "I", "am"), 'write a text of several words in quotation marks: uac-nb ingest jess "I …"'),
        (("import", "jess", "none.txt"), "uac-nb: there is no file none.txt"),
        (("import", "jess", "none.txt", "--column", "x"), "uac-nb: --column x: write which field is which column"),
        (
            ("forget", "jess"),
            "uac-nb: what is to be forgotten? Give numbers of entries (uac-nb log jess shows them), or --text",
        ),
        (
            ("forget", "jess", "red", "fox"),
            "'red' is no number of an entry; to forget all messages that hold these words: --text",
        ),
        (("verify", "nobody"), "uac-nb: there is no user 'nobody'"),
        (("restore", "jess", "none.jsonl"), "uac-nb: there is no file none.jsonl; give the one that an export wrote"),
        (("restore", "jess", "."), "uac-nb: there is no file .; give the one that an export wrote"),
        (("ingest", "jess", "x", "--at", "soon"), "uac-nb: 'soon' is not a date that can be read"),
        (("ask", "nobody", "what?"), "uac-nb: there is no user 'nobody'"),
        (("checkpoint", "nobody"), "uac-nb: there is no user 'nobody'"),
    ],
)
def test_an_error_is_one_line_and_the_exit_code_is_1(run, words: tuple[str, ...], said: str) -> None:  # type: ignore[no-untyped-def]
    failed = run(*words)
    assert failed.exit_code == 1
    assert said in failed.stderr
    assert failed.stderr.count("\n") == 1


def test_a_day_that_is_none_is_said(run) -> None:  # type: ignore[no-untyped-def]
    run("ingest", "jess", "I'm allergic to penicillin.")
    assert run("log", "jess", "--since", "soon").stderr == "uac-nb: 'soon' is not a day; write it as 2025-01-10\n"
    assert run("checkpoint", "jess", "--today", "soon").stderr == "uac-nb: today: 'soon' is not a day; write it as 2025-01-10\n"


READERS = "(readers: patterns; recorded:FILE; the name of a model, once OPENAI_API_KEY or OPENAI_BASE_URL says where to ask it)"


@pytest.mark.parametrize(
    ("key", "reader", "said"),
    [
        ("", "foo", "there is no reader 'foo' " + READERS),
        ("", "pattern", "there is no reader 'pattern'; did you mean patterns? " + READERS),
        ("a-key", "Pattern", "there is no reader 'Pattern'; did you mean patterns? " + READERS),  # nothing is sent
        ("a-key", "record:kept.jsonl", "there is no reader 'record:kept.jsonl'; did you mean recorded:FILE? " + READERS),
        (
            "",
            "recorded:none.jsonl",
            "cannot read the recording none.jsonl: No such file or directory; record it again with a model",
        ),
    ],
)
def test_a_reader_that_is_none_says_which_there_are(  # type: ignore[no-untyped-def]
    run, monkeypatch: pytest.MonkeyPatch, key: str, reader: str, said: str
) -> None:
    run("ingest", "jess", "I'm allergic to penicillin.")
    monkeypatch.setenv("OPENAI_API_KEY", key)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert run("checkpoint", "jess", "--reader", reader).stderr == f"uac-nb: {said}\n"


def test_rules_that_are_off_are_told_with_the_alerts(run) -> None:  # type: ignore[no-untyped-def]
    run("ingest", "jess", "Flying to Lisbon on 10 March.", "--at", "2025-01-10")
    run("checkpoint", "jess", "--today", "2025-02-01")
    run("rename", "jess", "trips.returns", "back")
    shown = run("alerts", "jess", "--today", "2025-02-01").stdout
    assert "trips_overlap" in shown.partition("no alerts")[0]


OWN = """from collections.abc import Iterable, Iterator
from travel import Trip
from uac_nb.rules import Alert, running_out, rule


@rule("info")
def any_trip(trips: Iterable[Trip]) -> Iterator[Alert]:
    \"\"\"A trip.\"\"\"
    for trip in trips:
        yield running_out(trip, because="It is 1 trip.", do="Pack.")
"""


def test_an_alert_says_when_a_rule_of_the_project_made_it(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for text in ("I'm allergic to penicillin.", "I started taking amoxicillin 500 mg.", "Flying to Lisbon on 10 March."):
        run("ingest", "jess", text, "--at", "2025-01-10")
    run("checkpoint", "jess", "--today", "2025-02-01")
    (tmp_path / "rules.py").write_text(OWN)
    run("edit", "jess", "rules", str(tmp_path / "rules.py"))
    shown = run("alerts", "jess", "--today", "2025-02-01").stdout
    assert "by a rule of this project: any_trip" in shown
    assert "by a rule of this project: medicine_against_allergy" not in shown
    assert "CRITICAL [open] Conflict" in shown


HOSTILE = "I'm allergic to nuts\x1b[2J\x9b31m \u202egnp\u2066 \u061c\r and bees.\x07"
STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def test_nothing_that_was_said_steers_the_terminal(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    rules = (
        '"""Mine."""\nfrom collections.abc import Iterable, Iterator\n\nfrom health import Allergy\n'
        "from uac_nb.rules import Alert, rule\n\n\n"
        '@rule("info")\ndef told(allergies: Iterable[Allergy]) -> Iterator[Alert]:\n    """All of them."""\n'
        "    for a in allergies:\n"
        '        yield Alert(message=f"{a.quote} 1", hint=f"{a.quote}", records=(a.id,), evidence=a.source)\n'
    )
    run("ingest", "jess", "--at", "2025-01-10", HOSTILE)
    run("ingest", "jess", "--at", "2025-01-11", "--speaker", "A\x1b[31mnn", f"hm {HOSTILE.replace('allergic', 'used')}")
    printed = [
        run("checkpoint", "jess", "--later"),
        run("review", "jess"),
        run("undo", "jess"),
        run("checkpoint", "jess", "--again", "--review", input="y\n" * 5),
        run("edit", "jess", "rules", "-", input=rules),
        run("alerts", "jess"),
        run("ask", "jess", "--code", "what", "am", "I", "allergic", "to?"),
        run("ask", "jess", "what", "did", "I", "say", "about", "bees?"),
        run("log", "jess"),
        run("search", "jess", "bees"),
        run("test", "jess"),
        run("rename", "jess", "allergies", HOSTILE),
        run("source", "jess", HOSTILE),
        run("merge", "jess", HOSTILE, "x"),
        run("reshape", "jess", HOSTILE, "x"),
        run("ask", HOSTILE, "what?"),
        run("checkpoint", "jess", "--reader", HOSTILE),
        run("import", "jess", str(tmp_path / "\x1b[31m.txt")),
        run("restore", "ana", str(tmp_path / "\x1b[31m.txt")),
        run("forget", "jess", HOSTILE),
        run("forget", "jess", "1", input="n\n"),
        run("forget", "jess", "--text", HOSTILE, "--why", HOSTILE, "--yes"),
    ]
    for at, done in enumerate(printed):
        assert not STEERS.search(done.stdout + done.stderr), (at, done.stdout, done.stderr)
    assert sum("allergic" in done.output for done in printed) >= 10


def test_doctor_names_a_remedy_for_each_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UAC_MODEL", "some-model")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    found = {f.what: f for f in examine(tmp_path)}
    assert set(found) == {"Python", "packages", "boundary", "types", "model", "JupyterLab", "disk"}
    assert "OPENAI_API_KEY" in found["model"].remedy
    assert found["Python"].remedy == ""
