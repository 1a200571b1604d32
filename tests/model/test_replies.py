"""What models send, and what is read from it: tables of real and of made-up trouble, and mutations of good replies."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uac_nb.errors import ReplyError
from uac_nb.model.replies import CHANGES, read_changes, read_object

ADD = {"change": "add", "collection": "trips", "id": "rome-2024", "values": {"to": "Rome", "departs": "2024-05"}, "source": [4]}
SKIP = {"change": "skip", "reason": "thanks", "source": [5]}
BOTH = json.dumps({"changes": [ADD, SKIP]})
FENCED = f"```json\n{BOTH}\n```"


def codes(text: str, finish: str = "stop") -> list[str]:
    return [d.code.removeprefix("reply-") for d in read_changes(text, finish).diagnostics]


WHOLE = {
    "as asked": (BOTH, []),
    "pretty": (json.dumps({"changes": [ADD, SKIP]}, indent=2), []),
    "fenced": (FENCED, []),
    "tildes": (f"~~~\n{BOTH}\n~~~", []),
    "prose around": (f"Here you are [as asked]:\n{FENCED}\nAnything else?", ["words"]),
    "thoughts": (f'<think>maybe {{"changes": []}}?</think>{BOTH}', ["thoughts"]),
    "thoughts without their opening tag": (f'let me see {{"changes": []}}\n</think>\n{BOTH}', ["thoughts"]),
    "a bare list": (json.dumps([ADD, SKIP]), []),
    "one after another": (f"{json.dumps(ADD)}\n{json.dumps(SKIP)}", []),
    "a fence each": (f"```\n{json.dumps(ADD)}\n```\n```\n{json.dumps(SKIP)}\n```", []),
    "another name for the list": (json.dumps({"operations": [ADD, SKIP]}), []),
    "as a tool call": (json.dumps({"name": "structure", "arguments": {"changes": [ADD, SKIP]}}), []),
    "the schema filled in": (json.dumps({"type": "object", "properties": {"changes": [ADD, SKIP]}}), []),
    "the schema, then the answer": ('{"type": "object", "properties": {"changes": {"type": "array"}}}\n' + BOTH, []),
    "a draft, then the answer": (f'{{"changes": [{json.dumps(SKIP)}]}}\nNo, better:\n{BOTH}', ["words", "twice"]),
    "trailing commas": (BOTH.replace("}]", "},]").replace('"Rome"', '"Rome",').replace(',,', ','), ["comma"]),
    "Python": (repr({"changes": [ADD, SKIP]}), ["python"]),
    "a byte order mark": ("\ufeff" + BOTH, ["stray"]),
    "a stray code point": (BOTH + " \U0005ffff", ["stray"]),
    "a half pair": (BOTH.replace("Rome", "Ro\\ud83dme"), ["stray"]),
    "nulls": (json.dumps({"changes": [{**ADD, "why": None, "fact": None}, SKIP]}), []),
    "sources as words": (json.dumps({"changes": [{**ADD, "source": "[4]"}, {**SKIP, "source": ["#5"]}]}), []),
    "a source alone": (json.dumps({"changes": [{**ADD, "source": 4}, {**SKIP, "source": 5.0}]}), []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "repairs"), WHOLE.values(), ids=WHOLE.keys())
def test_both_changes_are_read(text: str, repairs: list[str]) -> None:
    read = read_changes(text)
    assert read.changes == (ADD, SKIP)
    assert codes(text) == repairs
    assert not read.cut


RENAMED = {
    "op": ({"op": "skip", "reason": "thanks", "source": [5]}, SKIP),
    "type": ({"type": "Skip", "reason": "thanks", "sources": [5]}, SKIP),
    "the change as the key": ({"skip": {"reason": "thanks", "source": [5]}}, SKIP),
    "create with data": ({"action": "create", "collection": "a", "id": "b", "data": {"c": 1}, "source": [1]},
                         {"change": "add", "collection": "a", "id": "b", "values": {"c": 1}, "source": [1]}),
    "update with values": ({"change": "update", "record_id": "b", "values": {"c": 2}, "source": [1]},
                           {"change": "amend", "id": "b", "set": {"c": 2}, "source": [1]}),
}  # fmt: skip


@pytest.mark.parametrize(("sent", "read"), RENAMED.values(), ids=RENAMED.keys())
def test_other_words_for_ours(sent: Any, read: Any) -> None:
    text = json.dumps({"changes": [sent]})
    assert read_changes(text).changes == (read,)
    assert set(codes(text)) == {"renamed"}


@pytest.mark.parametrize(
    "change",
    [
        {"change": "forget", "entries": [3], "source": [4]},
        {"change": "add", "collection": "a", "id": "b", "values": {"type": "add", "sources": 3}, "source": [1], "data": {}},
        {"change": "extend", "collection": "a", "fields": [{"name": "x"}], "source": [1]},
        {"change": "add", "source": ["4a", True, -1, 10**15]},
    ],
    ids=["entries of a forget", "inside values", "fields of an extend", "sources that are none"],
)
def test_what_is_not_renamed(change: Any) -> None:
    read = read_changes(json.dumps({"changes": [change]}))
    assert read.changes == (change,)
    assert read.diagnostics == ()


@pytest.mark.parametrize("text", ['{"changes": []}', "[]", '```json\n{"changes": []}\n```'])
def test_no_changes_is_an_answer(text: str) -> None:
    assert read_changes(text).changes == ()


def test_an_item_that_is_no_change_is_named_and_one_without_a_name_is_left_to_the_checks() -> None:
    read = read_changes(json.dumps({"changes": ["add it", {"collection": "trips"}, SKIP]}))
    assert read.changes == ({"collection": "trips"}, SKIP)
    assert [str(d) for d in read.diagnostics] == ["$.changes[0]: 'add it' is no change; it was left out"]


def test_strings_are_read_as_json_reads_them() -> None:
    change = {**SKIP, "fact": 'a "quote", a \\ backslash, {[ braces ]}, a\nnewline, \u2028, é, 🙂, ```'}
    for ascii in (True, False):
        assert read_changes(json.dumps([change], ensure_ascii=ascii)).changes == (change,)
    assert read_changes('[{"change": "skip", "fact": "a\nb \\d"}]').changes == ({"change": "skip", "fact": "a\nb d"},)


# --- replies that are cut or broken ---


@pytest.mark.parametrize("end", range(1, len(BOTH)))
def test_of_a_cut_reply_whole_changes_are_kept_and_the_loss_is_said(end: int) -> None:
    whole = sum(len(BOTH[:end]) >= BOTH.index(json.dumps(c)) + len(json.dumps(c)) for c in (ADD, SKIP))
    if end < BOTH.index("[") + 1:
        with pytest.raises(ReplyError):
            read_changes(BOTH[:end], "length")
        return
    read = read_changes(BOTH[:end], "length")
    assert read.changes == (ADD, SKIP)[:whole]
    assert read.cut
    assert read.diagnostics[-1].message == f"the reply is not whole: {whole} changes of it could be read, others are lost"


def test_a_cut_list_and_a_cut_change() -> None:
    assert read_changes(json.dumps([ADD, SKIP])[:-10]).changes == (ADD,)
    with pytest.raises(ReplyError, match="JSON with 'change, collection"):
        read_changes(json.dumps(ADD)[:-10])


def test_a_number_at_the_cut_is_not_kept() -> None:
    assert read_changes(
        '{"changes": [{"change": "skip", "reason": "thanks", "source": [5]}, {"change": "skip", "source": [1'
    ).changes == (SKIP,)


def test_around_a_break_whole_changes_are_kept() -> None:
    broken = json.dumps({"changes": [ADD, {**ADD, "fact": "@"}, SKIP]}).replace('"@"', '"She said "hi" to me"')
    read = read_changes(broken)
    assert read.changes == (ADD, SKIP)
    assert read.cut
    assert "cannot be read on from 'hi" in read.diagnostics[0].message


# --- replies that hold no changes ---

NOTHING = {
    "empty": ("", "the reply is empty"),
    "space": (" \n\t", "the reply is empty"),
    "a refusal": ("I’m sorry, but I can’t help with that.", "a refusal ('I’m sorry, but"),
    "another refusal": ("As an AI, I do not store this.", "a refusal"),
    "prose": ("The user is going to Rome in May.", "plain words ('The user"),
    "another language": ("用户五月要去罗马旅行。", "words in another language ('用户"),
    "a page": ("<!DOCTYPE html><html>…", "an HTML page"),
    "a program": ('from datetime import date\n\nSTATE = {"a": [1]}\n', "a Python program ('from datetime"),
    "the schema": (json.dumps({"type": "object", "properties": {"changes": {"type": "array"}}}), "the schema repeated"),
    "other JSON": ('{"state": {"a": 1}, "constraints": [{"type": "conflict"}]}', "JSON with 'state, constraints'"),
    "translated keys": ('{"Änderungen": [{"Änderung": "hinzufügen"}]}', "JSON with 'Änderungen'"),
    "a list of words": ('["add", "skip"]', "plain words"),
    "a number": ("42", "plain words ('42')"),
    "deep": ("[" * 100_000, "plain words"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "words"), NOTHING.values(), ids=NOTHING.keys())
def test_what_holds_no_changes_is_said(text: str, words: str) -> None:
    with pytest.raises(ReplyError) as caught:
        read_changes(text)
    message = str(caught.value)
    assert words in message
    assert message.endswith('not {"changes": [...]}; ask again, or try another model')
    assert message.isprintable()
    assert len(message) < 200


def test_thoughts_without_end() -> None:
    with pytest.raises(ReplyError, match="within the model's thoughts; allow more tokens"):
        read_changes(f"<think>so {BOTH}")


def test_real_generations_that_are_no_changes(shared: Any) -> None:
    """Programs, free JSON and prose of a real model: none of them passes for changes, each is called what it is."""
    kinds = {
        "free-form python module": "a Python program",
        "JSON state+constraints IR": "JSON with",
        "prose reply": "plain words",
    }
    for item in json.loads((shared / "llm-outputs" / "index.json").read_text())["items"]:
        with pytest.raises(ReplyError, match=kinds[item["kind"]]):
            read_changes((shared / "llm-outputs" / item["file"]).read_text())


# --- objects ---


def test_read_object_takes_the_last_with_one_of_the_keys() -> None:
    text = 'For example {"code": "1"}.\n```json\n{"answer": {"code": "sum(x)", "why": "because"}}\n```'
    assert read_object(text, ("code",))[0] == {"code": "sum(x)", "why": "because"}
    assert [d.code for d in read_object(text, ("code",))[1]] == ["reply-words"]


@pytest.mark.parametrize("text", ["", "no idea", '{"other": 1}', '{"code": "sum('])
def test_read_object_raises_when_there_is_none(text: str) -> None:
    with pytest.raises(ReplyError, match="not an object with code or said; ask again"):
        read_object(text, ("said", "code"))


def test_all_changes_of_the_vocabulary_are_known() -> None:
    from uac_nb.changes.vocabulary import KINDS

    assert set(KINDS) <= set(CHANGES)


# --- whatever the text is ---

MARKS = [
    '"',
    "'",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\\",
    "\\u",
    "\ud800",
    "\0",
    "<think>",
    "</think>\n",
    "```",
    "null",
    "1e999",
    "-",
    "é",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A good reply with up to six pieces cut out, doubled, moved or written over."""
    text = draw(st.sampled_from([BOTH, FENCED, repr({"changes": [ADD, SKIP]}), json.dumps([ADD, SKIP, ADD], indent=1)]))
    for _ in range(draw(st.integers(1, 6))):
        a, b = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
        new = draw(st.sampled_from([*MARKS, text[a:b], text[b:], ""]))
        text = draw(st.sampled_from([text[:a] + new + text[b:], text[:a] + new + text[a:]]))
    return text


def assert_only_reply_errors(text: str) -> None:
    with suppress(ReplyError):
        read_object(text, ("changes",))
    with suppress(ReplyError):
        for change in read_changes(text).changes:
            json.dumps(change, ensure_ascii=False, allow_nan=False).encode()  # no half pairs, no infinities


@given(mutated())
@settings(max_examples=300, deadline=None)
def test_mutated_replies_never_crash(text: str) -> None:
    assert_only_reply_errors(text)


@given(st.text(alphabet=st.characters(codec=None, exclude_categories=())) | st.text(alphabet="{}[]\",:\\u0d8a1e.-'n \n"))
@settings(max_examples=300, deadline=None)
def test_any_text_never_crashes(text: str) -> None:
    assert_only_reply_errors(text)


WORDS = st.text(st.sampled_from("aé🙂\"\\/'{}[],: \n\t\u2028<`"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(WORDS, JSON, max_size=4), st.sampled_from([None, 1]), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_json_is_read_as_json_reads_it(values: dict[str, Any], indent: int | None, ascii: bool) -> None:
    change = {**ADD, "values": values}
    assert read_changes(json.dumps({"changes": [change]}, indent=indent, ensure_ascii=ascii)).changes == (change,)
