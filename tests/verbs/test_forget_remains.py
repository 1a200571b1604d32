"""What is left of a forgotten word, however it was written: it is gone from every byte, or its place is named."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uac_nb import User
from uac_nb.log import Call
from uac_nb.log.foldings import Words
from uac_nb.model import FakeModel

FOUND = [
    ("xanthochroid", "Xanthochroids are rare"),
    ("xanthochroids", "one xanthochroid"),
    ("xanthochroid", "Xanthochroidsirup"),
    ("xanthochroid", "def oldXanthochroidCheck():"),
    ("xanthochroid", "old_xantho_chroid = 1"),
    ("xanthochroid", "xantho-chroid"),
    ("xanthochroid", "xantho-\n    chroid"),
    ("xanthochroid", r'"a xantho-\nchroid"'),
    ("xanthochroid", "xantho\u00adchroid"),
    ("xanthochroid", "xantho\u200bchroid"),
    ("xanthochroid", '"xantho" "chroid"'),
    ("xanthochroid", r"xantho\xadchroid"),
    ("Müller", r"M\u00fcller"),
    ("xanthochroid", "XANTHOCHROID"),
    ("xanthochroid", "xanthóchroïd"),
    ("Müller", "Mueller"),
    ("Mueller", "Müller"),
    ("Müller", "Muller"),
    ("Müller", "Mu\u0308llers Garten"),
    ("Sjøgren", "sjogren"),
    ("Sjøgren", "Sjoegren"),
    ("Großmann", "GROSSMANN"),
    ("Åse", "Aase"),
    ("divorced", "the divorce"),
    ("allergies", "allergic"),
    ("Ann Kowalski", "annKowalski"),
    ("Ann Kowalski", "ann_kowalski"),
    ("417", "the code is 417."),
    ("XJ9", "about_XJ9"),
    ("Bo", "met Bo today"),
    ("Lukas", "Lukasgeburtstag"),
]
APART = [
    ("417", "4170"),
    ("417", "in 2417"),
    ("Bo", "about a bottle"),
    ("Bo", "turbo"),
    ("Lukas", "pelukas"),
    ("Müller", "Miller"),
    ("divorced", "diverse"),
]


@pytest.mark.parametrize(("word", "text"), FOUND)
def test_a_word_is_found_in_another_form(word: str, text: str) -> None:
    assert Words(frozenset({word.casefold()})).search(text)


@pytest.mark.parametrize(("word", "text"), APART)
def test_another_word_is_not_taken_for_it(word: str, text: str) -> None:
    assert not Words(frozenset({word.casefold()})).search(text)


def test_none_are_found_nowhere() -> None:
    assert not Words().search("anything")
    assert not Words()


# --- forgetting ---

NUTS = {
    "change": "add", "collection": "allergies", "id": "nuts", "source": [2], "fact": "Jess is allergic to nuts.",
    "values": {"title": "nut allergy", "avoids": ["nuts"]},
}  # fmt: skip


def told(tmp_path: Path, text: str, *, fact: str = "") -> User:
    """A user who said a text and of nuts, read by a model; `fact` is what it made of the text."""
    user = User.open("jess", tmp_path, today="2025-03-01")
    user.ingest([{"text": text}, {"text": "Nuts make me ill."}], at="2025-01-10")
    note = {"change": "note", "id": "told", "source": [1], "fact": fact or text, "text": fact or text}
    user.checkpoint(reader=FakeModel([json.dumps({"changes": [note, NUTS]})]))
    return user


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    with told(tmp_path, "My doctor is Jürgen Xanthochroid, and the code is XJ9.") as user:
        yield user


HAND = [
    "# xanthochroids!",
    "# xantho-chroid",
    "# Xanthochroidsirup",
    r"# xantho\xadchroid",
    "# see oldXanthochroidCheck",
    "# see xantho_chroid",
    "# Juergen",
    "# Jurgen's practice",
    "# code XJ9",
]


def gone_or_named(user: User, done: Any, every_byte: Callable[[Path], bytes], literal: str) -> bool:
    """Whether no byte holds what was written, or the report names a place beyond those that are always named."""
    held = literal.casefold().encode() in every_byte(user.folder)
    named = any(
        place.startswith(("entries of", "model calls of", "objects of", "project/", "log.sqlite")) for place in done.beyond
    )
    return named or not held


@pytest.mark.parametrize("line", HAND)
def test_hand_edits_lose_it_however_it_is_written(user: User, every_byte: Callable[[Path], bytes], line: str) -> None:
    text = user.source("health").text
    user.edit("health", text.replace("# --- state", f"{line}\n\n# --- state").replace("nut allergy", "allergy to nuts"))
    assert line.removeprefix("# ").casefold().encode() in every_byte(user.folder), "the search itself has to work"
    done = user.forget([1], yes=True)
    assert line.removeprefix("# ").casefold().encode() not in every_byte(user.folder)
    assert user.records("allergies")[0].title == "allergy to nuts", "the rest of the edit stays"
    assert not any(place.startswith(("entries", "project/")) for place in done.beyond)


def test_an_answer_of_a_model_is_emptied(user: User, every_byte: Callable[[Path], bytes]) -> None:
    for reply in (
        '{"text": "Ask Dr Juergen."}',
        '{"text": "The xanthochroids know."}',
        '{"text": "It is XJ9."}',
        '{"text": "Nuts."}',
    ):
        user.log.add_call(Call(purpose="ask", model="m", request={"prompt": "0"}, reply=reply))
    user.forget([1], yes=True)
    assert [call.reply for call in user.calls() if call.purpose == "ask"] == ["", "", "", '{"text": "Nuts."}']
    assert not any(word in every_byte(user.folder) for word in (b"juergen", b"xanthochroid", b"xj9"))


def test_words_of_an_edit_that_is_forgotten_go_from_the_calls(user: User, every_byte: Callable[[Path], bytes]) -> None:
    user.edit("health", user.source("health").text.replace("nut allergy", "quetzal allergy"))
    edit = user.log.last
    for reply in ('{"text": "Of quetzals."}', '{"text": "Of nuts."}'):
        user.log.add_call(Call(purpose="ask", model="m", request={"prompt": "0"}, reply=reply))
    user.forget([edit], yes=True)
    assert [call.reply for call in user.calls() if call.purpose == "ask"] == ["", '{"text": "Of nuts."}']
    assert b"quetzal" not in every_byte(user.folder)


def test_pages_that_somebody_still_reads_are_named(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uac_nb.log.database.WAIT", 0)
    with closing(sqlite3.connect(user.folder / "log.sqlite", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM entries").fetchone()
        beyond = "\n".join(user.forget([1], yes=True).beyond)
    assert "free pages of the log, until it is opened again" in beyond
    assert "which has them in its pages until the user is opened again" in beyond


def test_what_cannot_be_taken_is_named(user: User) -> None:
    (user.folder / "about-juergen.txt").write_text("nothing")
    (user.folder / "project" / "notes.md").write_text("xantho-\nchroid")
    done = user.forget([1], "since Juergen wants it", yes=True)
    assert "about-juergen.txt, which holds them and is not ours to change" in done.beyond
    assert "project/notes.md, which holds them and is not ours to change" in done.beyond
    assert f"entries of the log that still hold them: #{done.done.entry.id} (forget)" in done.beyond


def test_what_is_out_of_reach_is_named(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    beyond = "\n".join(user.forget([1], yes=True).beyond)
    assert f"{tmp_path}/ipython/profile_default/history.sqlite): `ipython history clear` empties it" in beyond
    assert "notebooks in which they were typed or shown" in beyond
    assert "backups, exports and copies made before" in beyond
    assert "the provider of " in beyond
    assert not (tmp_path / "ipython").exists()


def test_a_word_that_others_say_too_is_none_of_the_forgotten(tmp_path: Path) -> None:
    with told(tmp_path, "I was divorced in Kraków.") as user:
        user.ingest("My sister is going through a divorce.", at="2025-01-11")
        found = user.would_forget([1])
        assert found.words.search("Krakow")
        assert not found.words.search("a divorce"), "the other message says this form"
        assert found.words.search("divorced")


def test_messages_in_other_letters_are_found_by_a_text(tmp_path: Path) -> None:
    with told(tmp_path, "Dinner with Jürgen.") as user:
        assert [entry.id for entry in user.would_forget("jurgen").said] == [1]


NONCES = st.sampled_from(["Quetzalcoatlus", "Zwölfpfünder", "Smørrebrødsjomfru", "Bjørn", "QX7", "8319", "Ångström"])
WAYS: dict[str, Callable[[str], str]] = {
    "as it is": lambda word: word,
    "upper": str.upper,
    "plural": lambda word: f"{word}s",
    "camel": lambda word: f"my{word.capitalize()}Thing",
    "snake": lambda word: f"my_{word.lower()}_thing",
    "hyphen": lambda word: f"pre-{word}",
    "halves": lambda word: f"{word[: len(word) // 2]}-{word[len(word) // 2 :]}",
    "soft": lambda word: rf"{word[:2]}\xad{word[2:]}",
    "two letters": lambda word: (
        word.replace("ö", "oe").replace("ü", "ue").replace("ø", "oe").replace("å", "aa").replace("Å", "Aa")
    ),
    "one letter": lambda word: word.replace("ö", "o").replace("ü", "u").replace("ø", "o").replace("å", "a").replace("Å", "A"),
}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(nonce=NONCES, ways=st.lists(st.sampled_from(sorted(WAYS)), min_size=1, max_size=4, unique=True))
def test_a_nonce_told_in_many_ways_is_gone_or_named(
    nonce: str, ways: list[str], tmp_path_factory: pytest.TempPathFactory, every_byte: Callable[[Path], bytes]
) -> None:
    written = [WAYS[way](nonce) for way in ways]
    with told(tmp_path_factory.mktemp("home"), f"I keep {nonce} at home.", fact=f"Jess keeps {written[0]} at home.") as user:
        text = user.source("health").text
        user.edit("health", text.replace("# --- state", "\n".join(f"# {form}!" for form in written) + "\n\n# --- state"))
        user.log.add_call(Call(purpose="ask", model="m", request={"prompt": "0"}, reply=f"You keep {written[-1]}."))
        done = user.forget([1], yes=True)
        left = [form for form in written if not gone_or_named(user, done, every_byte, form)]
    assert left == []
