"""The gate: nothing that a model sends as code, and nothing that an archive brings, reaches the disk past it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.changes import Workspace, accept
from uac_nb.log import Batch, Draft, export
from uac_nb.model import FakeModel
from uac_nb.starter import RULES
from uac_nb.starter.types import TYPES
from uac_nb.store import replay

OWN = Path(__file__).parents[1] / "attacks" / "project.txt"
CLASS = "class Attack:\n    id: str\n    sort: Literal['a', 'b'] = 'a'\n    source: tuple[int, ...]\n"
FUNCTION = '@derived\ndef attack() -> int:\n    """One."""\n    return 1\n'
KINDS = ("define", "derive", "rule", "extend", "reshape")
EDITED = ("conftest.py", "sitecustomize.py", "os.py", "rules.py", "travel.py", "attacks.py", "test_x.py", "../x.py", ".git/x")
TOLD = ("I have a hammer.", "Nobody lent anything, he said.")
THEIRS = ("import_as", "off_", "global_", "giant")  # what a person may write by hand
LIVE = {"change": "define", "domain": "gear", "collection": "tools", "text": CLASS.replace("Attack", "Tool"), "source": [1]}
MORE = {**LIVE, "collection": "toys", "text": CLASS.replace("Attack", "Toy")}
ADD = {"change": "add", "collection": "tools", "id": "hammer", "values": {}, "source": [1]}
NOTE = {"change": "note", "id": "lent", "text": "Nobody lent anything.", "source": [2]}


def snippets(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8", newline="") as file:
        parts = re.split(r"^### (\w+)\n", file.read(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture(scope="module", params=["own", "shared"])
def attacks(request: pytest.FixtureRequest) -> dict[str, str]:
    if request.param == "own":
        return snippets(OWN)
    folder: Path = request.getfixturevalue("shared") / "attacks"
    return {path.stem: path.read_bytes().decode() for path in sorted(folder.glob("*.py"))}


def test_there_are_enough() -> None:
    assert len(snippets(OWN)) >= 60


def changes(kind: str, text: str) -> Iterator[dict[str, Any]]:
    """A snippet as the text of a change, alone and beside what would be right."""
    if kind == "define":
        head = {"change": kind, "domain": "attacks", "collection": "attacks", "source": [2]}
        yield from ({**head, "text": each} for each in (text, f"{text}\n{CLASS}", f"{CLASS}\n{text}"))
    elif kind in ("derive", "rule"):
        head = {"change": kind, "id": "attack", "source": [2]}
        yield from ({**head, "text": each} for each in (text, f"{text}\n{FUNCTION}", f"{FUNCTION}\n{text}"))
    elif kind == "extend":
        head = {"change": kind, "collection": "tools", "source": [2]}
        yield {**head, "fields": [{"name": "seen", "type": text}]}
        yield {**head, "fields": [{"name": "seen", "type": "str | None", "default": text}]}
        yield {**head, "fields": [{"name": "seen", "type": "str | None", "default": f"None\n{text}"}]}
        yield {**head, "choices": {"sort": [text]}}
    else:
        head = {"change": kind, "collection": "tools", "to": "toys", "source": [2]}
        yield {**head, "map": {"sort": {"field": text}}}
        yield {**head, "map": {"sort": {"field": "sort", "lookup": {text: text}}}}
        yield {**head, "map": {"sort": {"constant": text}}}


def on_disk(user: User) -> dict[str, str]:
    """The project: the files in the folder, which have to be those of its newest commit."""
    folder = user.project.folder
    files = {str(f.relative_to(folder)): f for f in folder.rglob("*") if f.is_file() and ".git" not in f.parts}
    texts = {path: file.read_text(encoding="utf-8") for path, file in files.items()}
    committed = user.project.files()
    assert {path: text for path, text in texts.items() if path.endswith(".py")} == committed
    return committed


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_a_model_sends_is_on_disk_and_the_checkpoint_goes_on(
    user: User, attacks: dict[str, str], kind: str
) -> None:
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    user.log.store_batch(Batch(read=(), reader="m", changes=(draft(LIVE), draft(MORE), draft(ADD))))
    sent = [change for text in attacks.values() for change in changes(kind, text)]
    reply = json.dumps({"changes": [*sent, NOTE]})
    done = user.checkpoint(reader=FakeModel(lambda request: reply))
    assert [change["change"] for change in done.changes] == ["note"]
    assert on_disk(user) == accept([LIVE, MORE, ADD, NOTE], Workspace()).workspace.files()


def archive(folder: Path, *batches: tuple[Draft, ...]) -> Path:
    """What somebody may send: a log with these steps, of which nobody looked at any."""
    with User.open("mallory", folder) as user:
        user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
        for drafts in batches:
            user.log.store_batch(Batch(read=(1,), reader="m", changes=drafts))
        made = folder / "archive.jsonl"
        export(user.log, made)
    return made


def draft(change: dict[str, Any]) -> Draft:
    return Draft(kind="change", role="system", text=json.dumps(change))


def test_nothing_that_an_archive_brings_is_on_disk(tmp_path: Path, attacks: dict[str, str]) -> None:
    sent = [draft(change) for kind in KINDS for text in attacks.values() for change in changes(kind, text)]
    by_hand = [text for name, text in attacks.items() if not name.startswith(THEIRS)]
    edits = [replay.edit_draft(path, "", text) for path in EDITED for text in by_hand]
    steps = [(draft(LIVE), draft(MORE), draft(ADD)), *((each,) for each in (*sent, *edits)), (draft(NOTE),)]
    with User.restore("jess", archive(tmp_path, *steps), tmp_path) as user:
        fine = accept([LIVE, MORE, ADD, NOTE], Workspace()).workspace.files()
        assert on_disk(user) == fine
        assert len(user.set_aside()) == len(sent) + len(edits)
        assert not user.log.verify()
        user.rebuild()
        assert on_disk(user) == fine
        assert user.set_aside() == []
        user.ingest("And more.", at="2025-01-11")
        skip = json.dumps({"changes": [{"change": "skip", "reason": "unclear", "source": [user.log.last]}]})
        user.checkpoint(reader=FakeModel(lambda request: skip))
    assert sorted(path.name for path in (tmp_path / "jess").iterdir() if "restore" in path.name) == []


NAMES = ["rules", "notes", "test_x", "os", "conftest", "class", "sitecustomize", "uac_nb", "setup"]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_are_taken_are_refused_as_domains(name: str) -> None:
    done = accept([{**LIVE, "domain": name}], Workspace())
    assert [bad.diagnostics[0].code for bad in done.refused] == ["name"]


def test_a_package_takes_a_name_when_a_change_is_accepted_and_not_in_an_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uac_nb.domainfile.names._installed", lambda name: name == "gear")
    assert [bad.diagnostics[0].code for bad in accept([LIVE], Workspace()).refused] == ["name"]
    with User.restore("jess", archive(tmp_path, (draft(LIVE),)), tmp_path) as user:
        assert user.domains == ["gear"]


@pytest.mark.parametrize("name", sorted(rule.__name__ for rule in RULES))
def test_no_model_replaces_a_starter_rule(name: str) -> None:
    text = FUNCTION.replace("attack", name)
    marked = text.replace("@derived", '@rule("warning")').replace("return 1", "yield conflict()")
    raws = [{"change": "derive", "id": name, "text": text}, {"change": "rule", "id": name, "text": marked}]
    done = accept([{**raw, "source": [1]} for raw in raws], Workspace())
    assert [bad.diagnostics[0].message for bad in done.refused] == [f"{name} is a rule that comes with us"] * 2


@pytest.mark.parametrize("name", ["rule", "derived", "conflict", "len", "today", "tools", "gear", "date"])
def test_a_function_takes_no_name_that_other_code_reads(name: str) -> None:
    there = accept([LIVE], Workspace()).workspace.with_rules("from datetime import date\n")
    done = accept([{"change": "derive", "id": name, "text": FUNCTION.replace("attack", name), "source": [1]}], there)
    assert [bad.diagnostics[0].code for bad in done.refused] == ["rule-name"]


def test_a_derived_value_replaces_itself_and_no_rule() -> None:
    text = f"from uac_nb.rules import derived\n\n{FUNCTION}"
    raw = {"change": "derive", "id": "attack", "text": text, "source": [1]}
    done = accept([raw, {**raw, "text": text.replace("return 1", "return 2")}], Workspace())
    assert "return 2" in done.workspace.rules
    assert not done.refused
    ruled = Workspace().with_rules('@rule("warning")\ndef attack():\n    """One."""\n    yield 1\n')
    (bad,) = accept([raw], ruled).refused
    assert bad.diagnostics[0].message == "rules.py has something else called 'attack'"


def test_every_starter_type_passes() -> None:
    raws = [
        {"change": "define", "domain": kind.domain, "collection": kind.collection, "text": kind.text, "source": [1]}
        for kind in TYPES.values()
    ]
    assert [(bad.raw["collection"], bad.diagnostics) for bad in accept(raws, Workspace()).refused] == []


def test_a_log_of_before_rebuilds_to_the_same_files(user: User) -> None:
    """What was accepted once is made again, whatever the gate says by now; what cannot be made is told and passed over."""
    user.ingest([{"text": text} for text in TOLD], at="2025-01-10")
    hostile = {**LIVE, "text": LIVE["text"].replace("    source", "    def __bool__(self): return False\n    source")}  # type: ignore[attr-defined]
    gone = {"change": "confirm", "id": "nobody", "source": [1]}
    user.log.store_batch(Batch(read=(1,), reader="m", changes=(draft(hostile), draft(gone), draft(NOTE))))
    findings = user.checkpoint(reader="patterns").diagnostics
    assert [str(found) for found in findings if found.code == "set-aside"] == [
        "entry 4: it was set aside: there is no record 'nobody' (the log keeps it; tell it again, or edit by hand)"
    ]
    files = on_disk(user)
    assert "__bool__" in files["gear.py"]
    assert user.records("notes")
    user.rebuild()
    assert on_disk(user) == files
    assert [found.where for found in user.set_aside()] == ["entry 4"]
