"""The verbs of code on the command line: shown, edited, called otherwise, merged, moved."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from uac_nb.cli.main import main

PETS = '''"""Pets."""
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pet:
    id: str
    name: str
    colour: str | None = None
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bird:
    id: str
    called: str
    kind: str = "?"
    source: tuple[int, ...]

# --- state ---

pets: list[Pet] = [
    Pet(id="bo", name="Bo", source=(1,)),
    Pet(id="bo-2", name="Bo", colour="red", source=(1,)),
    Pet(id="tweety", name="Tweety", source=(1,)),
]

birds: list[Bird] = []
'''


class Shell:
    """The command line over the users of one folder."""

    def __init__(self, users: Path) -> None:
        self.users = users
        self.file = users / "jess" / "project" / "pets.py"

    def __call__(self, *words: str, input: str | None = None, code: int = 0) -> Result:
        done = CliRunner().invoke(main, [*words, "--home", str(self.users)], input=input)
        assert done.exit_code == code, done.output
        return done


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.delenv("UAC_MODEL", raising=False)
    made = Shell(tmp_path / "users")
    made("ingest", "jess", "Bo is a dog, Tweety is not.", "--at", "2025-01-10")
    assert "+++ pets.py" in made("edit", "jess", "pets", "-", input=PETS).stdout
    return made


def test_a_file_is_shown_with_its_base_and_saved_with_it(shell: Shell) -> None:
    shown = shell("source", "jess", "pets")
    base = shown.stderr.removeprefix("base ").strip()
    assert shown.stdout == PETS
    assert shell("source", "jess").stdout == "pets\n"
    edited = shell("edit", "jess", "pets", "-", "--base", base, input=PETS.replace('"Bo"', '"Rex"', 1))
    assert '+    Pet(id="bo", name="Rex"' in edited.stdout
    stale = shell("edit", "jess", "pets", "-", "--base", base, input=PETS, code=1)
    assert "pets.py has changed since this was shown; nothing was saved" in stale.stderr


def test_a_file_edited_in_place_is_saved_with_its_new_names(shell: Shell) -> None:
    mine = PETS.replace("    name: str", "    title: str")
    shell.file.write_text(mine)
    refused = shell("edit", "jess", "pets", code=1)
    assert "Pet has no field 'name' any more, and 3 records hold one" in refused.stderr
    assert "--rename Pet.name=title" in refused.stderr
    assert shell.file.read_text() == mine
    assert "+    title: str\n" in shell("edit", "jess", "pets", "--rename", "Pet.name=title").stdout
    assert shell.file.read_text() == PETS.replace("    name: str", "    title: str").replace(" name=", " title=")
    assert shell("edit", "jess", "pets", "--rename", "Pet.name=title", code=1).stderr.startswith(
        "uac-nb: there is nothing called 'Pet.name'"
    )


def test_things_are_called_otherwise(shell: Shell) -> None:
    assert "+    title: str\n" in shell("rename", "jess", "pets.name", "title").stdout
    shell("rename", "jess", "Pet", "Animal")
    shell("rename", "jess", "pets", "animals")
    assert 'animals: list[Animal] = [\n    Animal(id="bo", title="Bo", source=(1,)),\n' in shell.file.read_text()
    assert shell("undo", "jess").stdout == ("took back batch 3:\n  Renamed: pets is called animals from now on\n")
    taken = shell("rename", "jess", "pets", "birds", code=1).stderr
    assert taken == "uac-nb: there is a collection 'birds' already (choose another name)\n"


def test_records_are_merged_and_a_type_is_split(shell: Shell) -> None:
    assert '-    Pet(id="bo-2", name="Bo", colour="red", source=(1,)),\n' in shell("merge", "jess", "bo-2", "bo").stdout
    assert 'Pet(id="bo", name="Bo", colour="red", source=(1,)),\n' in shell.file.read_text()
    moved = shell("reshape", "jess", "pets", "birds", "--id", "tweety", "--map", "called=name", "--set", "kind=canary").stdout
    assert '+    Bird(id="tweety", called="Tweety", kind="canary", source=(1,)),\n' in moved
    assert "only two records of one collection can be merged" in shell("merge", "jess", "tweety", "bo", code=1).stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("edit", "jess", "pets", "--rename", "name"), "--rename: 'name' does not say both; write it as in Trip.cost=price"),
        (("edit", "jess", "pets", "--base", "12345678"), "--base goes with a FILE"),
        (
            ("reshape", "jess", "pets", "birds", "--map", "called"),
            "--map: 'called' does not say both; write it as in title=name",
        ),
        (("reshape", "jess", "pets", "birds"), "needs 'called'"),
        (("rename", "jess", "Pet.nmae", "title"), "there is nothing called 'Pet.nmae' (did you mean 'Pet.name'?)"),
        (("source", "jess", "cars"), "there is no domain 'cars'"),
        (("edit", "jess", "cars"), "there is no domain 'cars'"),
        (
            ("source", "jess", "rules"),
            "there are no rules of your own yet, and those that come with us need no file; write some",
        ),
    ],
)
def test_what_is_wrong_is_one_line(shell: Shell, words: tuple[str, ...], told: str) -> None:
    error = shell(*words, code=1).stderr
    assert told in error
    assert error.startswith("uac-nb: ")
    assert error.count("\n") == 1
    assert shell.file.read_text() == PETS
