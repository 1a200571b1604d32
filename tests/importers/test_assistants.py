"""Exports of assistants and of memories: small ones by hand, with the traps that real ones have."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from uac_nb.importers import detect, read
from uac_nb.importers.report import Report
from uac_nb.log import Draft, Log


@pytest.fixture
def export(tmp_path: Path) -> Any:
    """Write JSON to a file and import it; every export is imported into a log twice, too."""

    def imported(data: Any, **more: Any) -> tuple[list[Draft], Report]:
        path = tmp_path / "export.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        done = read(path, **more)
        drafts = list(done.drafts)
        with Log.open(tmp_path / "log.sqlite") as log:
            first = log.load(read(path, **more).drafts)
            assert first.added + len(first.known) == len(drafts)
            assert log.load(read(path, **more).drafts).added == 0
        return drafts, done.report

    return imported


def told(drafts: list[Draft]) -> list[tuple[str, str]]:
    return [(draft.role, draft.text) for draft in drafts]


# --- ChatGPT ---


def node(id: str, parent: str | None, role: str = "", *parts: Any, **more: Any) -> dict[str, Any]:
    content = {"content_type": more.pop("kind", "text"), "parts": list(parts)}
    message = {"id": id, "author": {"role": role}, "create_time": more.pop("time", 1736500000.5), "content": content}
    metadata = {"is_visually_hidden_from_conversation": True} if more.pop("hidden", False) else {}
    message |= {"metadata": metadata, "recipient": "all", "weight": 1.0} | more
    return {"id": id, "parent": parent, "children": [], "message": message if role else None}


def conversation(*nodes: dict[str, Any], leaf: str | None, title: str = "Trip", id: str = "c1", time: float = 1.7e9) -> Any:
    mapping = {one["id"]: one for one in nodes}
    return {"title": title, "conversation_id": id, "create_time": time, "mapping": mapping, "current_node": leaf}


TREE = (
    node("root", None),
    node("sys", "root", "system", "", hidden=True, time=None),
    node("ctx", "sys", "user", kind="user_editable_context", hidden=True, time=None),
    node("q1", "ctx", "user", "where to?"),
    node("a1", "q1", "assistant", "Lisbon", time=1736499999.0),
    node("a1b", "q1", "assistant", "Porto"),
    node("think", "a1b", "assistant", kind="thoughts"),
    node("call", "think", "assistant", "search()", recipient="browser"),
    node("tool", "call", "tool", "results"),
    node("q2", "tool", "user", {"content_type": "image_asset_pointer"}, "like this?", kind="multimodal_text"),
    node("a2", "q2", "assistant", "Yes.\n", "Like that."),
    node("q2b", "a1", "user", "and by train?"),
)


def test_chatgpt_follows_the_tree(export: Any) -> None:
    drafts, report = export([conversation(*TREE, leaf="a2")])
    assert told(drafts) == [
        ("user", "where to?"),
        ("assistant", "Porto"),
        ("user", "like this?"),
        ("assistant", "Yes.\n\nLike that."),
    ]
    assert [draft.origin["message"] for draft in drafts] == ["q1", "a1b", "q2", "a2"]
    assert drafts[0].said_at == datetime(2025, 1, 10, 9, 6, 40, 500_000, tzinfo=UTC)
    assert {draft.session for draft in drafts} == {"Trip"}
    assert (report.counts["nodes"], report.counts["branches"], report.counts["messages in branches"]) == (12, 1, 2)
    assert report.notes == ["1 branches (edited questions, answers asked again) are left out"]
    assert (report.media, report.not_understood) == (1, [])


def test_chatgpt_reads_the_branch_that_current_node_names(export: Any) -> None:
    drafts, _ = export([conversation(*TREE, leaf="q2b")])
    assert [text for _, text in told(drafts)] == ["where to?", "Lisbon", "and by train?"]


def test_chatgpt_without_current_node_takes_the_last_leaf_and_says_so(export: Any) -> None:
    drafts, report = export([conversation(*TREE, leaf=None)])
    assert [text for _, text in told(drafts)] == ["where to?", "Lisbon", "and by train?"]
    assert "a conversation without current_node is read to its last message" in report.notes


def test_chatgpt_conversations_come_in_the_order_they_began(export: Any) -> None:
    late = conversation(node("b", None, "user", "second"), leaf="b", id="c2", title="Chat", time=1.71e9)
    early = conversation(node("a", None, "user", "first"), leaf="a", id="c1", title="Chat", time=1.70e9)
    drafts, report = export([late, early])
    assert [(draft.text, draft.session) for draft in drafts] == [("first", "Chat c1"), ("second", "Chat c2")]
    assert report.counts["conversations"] == 2


def test_chatgpt_lists_what_it_does_not_know(export: Any) -> None:
    odd = [node("a", None, "user", "hi"), node("b", "a", "assistant", "?", kind="hologram"), node("c", "b", "narrator", "x")]
    drafts, report = export([conversation(*odd, leaf="c"), "no conversation"])
    assert told(drafts) == [("user", "hi")]
    assert [(one.place, one.why) for one in report.not_understood] == [
        ("export.json, conversation 2", "not an object"),
        ("export.json, conversation 1, message b", "content 'hologram' of 'assistant' is not known"),
        ("export.json, conversation 1, message c", "content 'text' of 'narrator' is not known"),
    ]


def test_chatgpt_takes_dictated_words_and_passes_over_a_picture_alone(export: Any) -> None:
    spoken = {"content_type": "audio_transcription", "text": "I land at nine"}
    picture = {"content_type": "image_asset_pointer"}
    talk = [node("a", None, "user", spoken, kind="multimodal_text"), node("b", "a", "user", picture, kind="multimodal_text")]
    drafts, report = export(conversation(*talk, leaf="b"))  # one conversation, not in a list
    assert told(drafts) == [("user", "I land at nine")]
    assert (report.media, report.counts["messages without words"]) == (1, 1)


def test_a_loop_in_the_tree_ends(export: Any) -> None:
    drafts, _ = export([conversation(node("a", "b", "user", "one"), node("b", "a", "assistant", "two"), leaf="b")])
    assert [text for _, text in told(drafts)] == ["one", "two"]


# --- Claude ---


def said(id: str, sender: str, text: str, parent: str = "", **more: Any) -> dict[str, Any]:
    linked = {"parent_message_uuid": parent} if parent else {}
    return {"uuid": id, "sender": sender, "text": text, "created_at": "2025-01-10T09:00:00.000000Z"} | linked | more


def claude(*messages: Any, name: str = "Visa", **more: Any) -> dict[str, Any]:
    return {"uuid": "c1", "name": name, "created_at": "2025-01-10T08:59:00Z", "chat_messages": list(messages)} | more


def test_claude_takes_the_words_of_blocks_and_of_older_exports(export: Any) -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "First."},
        {"type": "tool_use", "name": "search", "input": {}},
        {"type": "text", "text": "Second."},
    ]
    drafts, report = export([claude(said("m1", "human", "how long?"), said("m2", "assistant", "", content=blocks))])
    assert told(drafts) == [("user", "how long?"), ("assistant", "First.\nSecond.")]
    assert [draft.speaker for draft in drafts] == ["", "Claude"]
    assert drafts[0].said_at == datetime(2025, 1, 10, 9, tzinfo=UTC)
    assert drafts[0].origin == {"file": "export.json", "message": "m1"}
    assert {draft.session for draft in drafts} == {"Visa"}
    assert report.not_understood == []


def test_claude_long_pastes_are_words_and_files_are_not(export: Any) -> None:
    paste = {"file_name": "", "extracted_content": "Dear Sir, my passport …"}
    file = {"file_name": "cv.pdf", "extracted_content": "Jess T., baker"}
    message = said("m1", "human", "", attachments=[paste, file], files=[{"file_name": "me.png"}])
    drafts, report = export([claude(message)])
    assert told(drafts) == [("user", "Dear Sir, my passport …")]
    assert report.media == 2


ROOT = "00000000-0000-4000-8000-000000000000"
BRANCHED = (
    said("q", "human", "which visa?", ROOT),
    said("a", "assistant", "none", "q"),
    said("q2", "human", "which visa for Brazil?", ROOT),
    said("a2", "assistant", "VIVIS", "q2"),
)


@pytest.mark.parametrize(
    ("more", "texts"),
    [({}, ["which visa for Brazil?", "VIVIS"]), ({"current_leaf_message_uuid": "a"}, ["which visa?", "none"])],
)
def test_claude_leaves_edited_questions_out(export: Any, more: dict[str, str], texts: list[str]) -> None:
    drafts, report = export([claude(*BRANCHED, **more)])
    assert [text for _, text in told(drafts)] == texts
    assert (report.counts["branches"], report.counts["messages in branches"]) == (1, 2)
    assert report.notes == ["1 branches (edited questions, answers asked again) are left out"]


def test_claude_lists_a_sender_it_does_not_know_and_keeps_the_words(export: Any) -> None:
    drafts, report = export([claude(said("m1", "martian", "hello"), 7)])
    assert told(drafts) == [("person", "hello")]
    assert [one.place for one in report.not_understood] == [
        "export.json, message 2",
        "export.json, conversation 1, message 1",
    ]


# --- Gemini ---


def activity(title: str, html: str = "", time: str = "2025-01-10T09:00:00.000Z", header: str = "Gemini Apps") -> dict[str, Any]:
    found: dict[str, Any] = {"header": header, "title": title, "time": time, "products": [header]}
    return found | ({"safeHtmlItem": [{"html": html}]} if html else {})


def test_gemini_oldest_first_and_without_the_verb(export: Any) -> None:
    drafts, report = export(
        [
            activity("Prompted and back? Attached 2 files.", "<p>By&nbsp;train.</p>", "2025-01-10T10:00:00Z"),
            activity("Gave feedback: good response"),
            activity("Searched for shoes", header="Search"),
            activity("Prompted how do I get there?", "<p>Take <b>the bus</b>.</p><ul><li>cheap</li></ul>"),
            activity("Annettu kehote: miten?", "<p>Näin.</p>", "2025-01-10T11:00:00Z"),
        ]
    )
    assert told(drafts) == [
        ("user", "how do I get there?"),
        ("assistant", "Take the bus.\n\n- cheap"),
        ("user", "and back?"),
        ("assistant", "By train."),
        ("user", "Annettu kehote: miten?"),
        ("assistant", "Näin."),
    ]
    assert {draft.session for draft in drafts} == {"Gemini 2025-01-10"}
    assert (report.system_lines, report.counts["activities elsewhere"], report.media) == (1, 1, 2)
    assert [one.why for one in report.not_understood] == ["the label before the question is not known, and is kept"]


LABELS = [
    ("Prompted how long: a week?", "how long: a week?", 0),
    ("Said hello", "hello", 0),
    ("Eingegebener Prompt: wie lange?", "wie lange?", 0),
    ("Eingegebener Prompt: siehe 2 Dateien angehängt.", "siehe", 2),
    ("Requête saisie : combien de temps : dis-moi", "combien de temps : dis-moi", 0),
    ("Message envoyé : salut 1 fichier joint", "salut", 1),
    ("Petición enviada: ¿cuánto?", "¿cuánto?", 0),
    ("Has dicho: hola", "hola", 0),
    ("Comando enviado: quanto?", "quanto?", 0),
    ("Você disse: oi", "oi", 0),
    ("Prompt inserito: quanto?", "quanto?", 0),
    ("Hai chiesto: quanto?", "quanto?", 0),
    ("送信したメッセージ: どのくらい？", "どのくらい？", 0),
    ("どのくらい と入力しました", "どのくらい", 0),
]


@pytest.mark.parametrize(("title", "question", "files"), LABELS)
def test_gemini_labels_of_other_languages(export: Any, title: str, question: str, files: int) -> None:
    drafts, report = export([activity(title, "<p>So.</p>", header="Gemini-Apps")])
    assert told(drafts) == [("user", question), ("assistant", "So.")]
    assert (report.media, report.not_understood) == (files, [])


def test_gemini_learns_a_label_that_stands_before_nearly_all(export: Any) -> None:
    titles = [*(f"Annettu kehote: Käännä: sana {n}" for n in range(5)), "Jotain muuta"]
    drafts, report = export([activity(title, "<p>So.</p>", f"2025-01-10T09:00:0{n}Z") for n, title in enumerate(titles)])
    assert [draft.text for draft in drafts if draft.role == "user"] == [*(f"Käännä: sana {n}" for n in range(5)), titles[-1]]
    assert report.notes == ["'Annettu kehote:' stands before nearly all questions; it is taken for a label, and left out"]
    assert [odd.text for odd in report.not_understood] == ["Jotain muuta"]


def test_gemini_a_habit_of_some_questions_is_no_label(export: Any) -> None:
    titles = [*(f"Kysymys {n}" for n in range(3)), *(f"Käännä: sana {n}" for n in range(5))]
    drafts, report = export([activity(title, "<p>So.</p>", f"2025-01-10T09:00:0{n}Z") for n, title in enumerate(titles)])
    assert [draft.text for draft in drafts if draft.role == "user"] == titles
    assert len(report.not_understood) == 8


def test_gemini_keeps_code_as_it_is_and_drops_scripts(export: Any) -> None:
    html = "<p>So:</p><pre>if x:\n    y()</pre><script>alert(1)</script>"
    drafts, _ = export([activity("Prompted code?", html)])
    assert drafts[1].text == "So:\n\nif x:\n    y()"


# --- mem0 ---

MEMORIES = [
    {"id": "m2", "memory": "Moved to Porto", "created_at": "2025-02-01T10:00:00-08:00", "user_id": "jess", "hash": "h"},
    {"id": "m1", "memory": "Is allergic to nuts", "created_at": "2025-01-01T10:00:00-08:00", "user_id": "jess", "run_id": "r7"},
    {"id": "m3", "memory": "Recommended a dentist", "created_at": None, "user_id": "jess", "role": "assistant"},
]


@pytest.mark.parametrize("data", [{"results": MEMORIES, "relations": [{}]}, MEMORIES])
def test_mem0(export: Any, data: Any) -> None:
    drafts, report = export(data)
    assert told(drafts) == [
        ("assistant", "Recommended a dentist"),
        ("user", "Is allergic to nuts"),
        ("user", "Moved to Porto"),
    ]
    assert [draft.session for draft in drafts] == ["mem0", "r7", "mem0 2025-02-01"]
    assert str(drafts[2].said_at) == "2025-02-01 10:00:00-08:00"
    assert "these sentences are mem0's own, drawn from what was said" in report.notes
    assert ("1 relations of its graph are left out" in report.notes) == isinstance(data, dict)


def test_mem0_as_a_value() -> None:
    done = read({"results": MEMORIES})
    assert (done.format, len(list(done.drafts))) == ("mem0", 3)


# --- OpenAI ---

PARTS = [
    {"type": "text", "text": "look"},
    {"type": "image_url", "image_url": {"url": "data:"}},
    {"type": "text", "text": "here"},
]
TALK = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": PARTS},
    {"role": "assistant", "content": None, "tool_calls": [{}]},
    {"role": "tool", "content": "42"},
    {"role": "assistant", "content": "I see."},
    {"role": "oracle", "content": "beware"},
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"messages": TALK}) + "\n" + json.dumps({"messages": [{"role": "user", "content": "hi"}]}) + "\n",
        json.dumps([{"messages": TALK}, {"messages": [{"role": "user", "content": "hi"}]}]),
    ],
)
def test_openai_conversations(export: Any, text: str) -> None:
    drafts, report = export(text)
    assert told(drafts) == [("system", "Be brief."), ("user", "look\nhere"), ("assistant", "I see."), ("user", "hi")]
    assert [draft.session for draft in drafts] == ["export 1"] * 3 + ["export 2"]
    assert {draft.said_at for draft in drafts} == {None}
    assert (report.media, report.counts["tool messages"], report.counts["messages without words"]) == (1, 1, 1)
    assert [(one.why, one.text) for one in report.not_understood] == [("role 'oracle' is not known", "beware")]


@pytest.mark.parametrize("join", ["\n".join, lambda lines: f"[{', '.join(lines)}]"])
def test_openai_messages_one_by_one_with_times(export: Any, join: Any) -> None:
    lines = [json.dumps({"role": "user", "content": "hi", "timestamp": 1736500000}), json.dumps(TALK[0])]
    drafts, report = export(join(lines))
    assert report.format == "openai"
    assert told(drafts) == [("user", "hi"), ("system", "Be brief.")]
    assert [draft.said_at for draft in drafts] == [datetime(2025, 1, 10, 9, 6, 40, tzinfo=UTC), None]


def test_openai_names_can_be_me(export: Any) -> None:
    drafts, _ = export([{"role": "user", "content": "hi", "name": "Jess"}])
    assert (drafts[0].speaker, drafts[0].role, drafts[0].session) == ("Jess", "user", "export")


# --- LangChain ---

DUMPS: list[list[dict[str, Any]]] = [
    [  # messages_to_dict
        {"type": "system", "data": {"content": "Be brief.", "type": "system"}},
        {"type": "human", "data": {"content": PARTS, "type": "human", "name": "Jess", "id": "1"}},
        {"type": "ai", "data": {"content": "", "tool_calls": [{}], "id": "2"}},
        {"type": "tool", "data": {"content": "42"}},
        {"type": "ai", "data": {"content": "I see.", "id": "3"}},
    ],
    [  # model_dump
        {"type": "system", "content": "Be brief."},
        {"type": "human", "content": PARTS, "name": "Jess", "id": "1"},
        {"type": "ai", "content": "", "id": "2"},
        {"type": "function", "content": "42"},
        {"type": "AIMessageChunk", "content": "I see.", "id": "3"},
    ],
    [  # dumps
        {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": kwargs}
        for kind, kwargs in (
            ("SystemMessage", {"content": "Be brief."}),
            ("HumanMessage", {"content": PARTS, "name": "Jess", "id": "1"}),
            ("AIMessage", {"content": "", "id": "2"}),
            ("ToolMessage", {"content": "42"}),
            ("AIMessageChunk", {"content": "I see.", "id": "3"}),
        )
    ],
    [
        {"type": "chat", "data": {"content": "Be brief.", "role": "system"}},
        {"type": "human", "data": {"content": PARTS, "name": "Jess", "id": "1"}},
        {"type": "ai", "data": {"content": ""}},
        {"type": "tool", "data": {"content": "42"}},
        {"type": "chat", "data": {"content": "I see.", "role": "assistant", "id": "3"}},
    ],
]


@pytest.mark.parametrize("dump", DUMPS, ids=["messages_to_dict", "model_dump", "dumps", "chat"])
@pytest.mark.parametrize("wrap", ["list", "messages", "lines"])
def test_langchain(export: Any, dump: list[dict[str, Any]], wrap: str) -> None:
    lines = "\n".join(map(json.dumps, dump))
    drafts, report = export({"list": dump, "messages": {"messages": dump}, "lines": lines}[wrap])
    assert report.format == "langchain"
    assert told(drafts) == [("system", "Be brief."), ("user", "look\nhere"), ("assistant", "I see.")]
    assert [draft.origin["message"] for draft in drafts[1:]] == ["1", "3"]
    assert (drafts[1].speaker, report.media, report.counts["tool messages"]) == ("Jess", 1, 1)
    assert report.not_understood == []


def test_langchain_lists_what_is_no_message(export: Any) -> None:
    drafts, report = export([DUMPS[0][1], {"type": "weather", "data": {}}, 3])
    assert len(drafts) == 1
    assert [one.place for one in report.not_understood] == ["export.json, item 2", "export.json, item 3"]


def test_detection_is_by_content(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    for data, name in [
        ([conversation(*TREE, leaf="a2")], "chatgpt"),
        ([claude(said("m1", "human", "hi"))], "claude"),
        ([activity("Prompted hi")], "gemini"),
        ({"results": MEMORIES}, "mem0"),
        (TALK, "openai"),
        (DUMPS[0], "langchain"),
    ]:
        path.write_text(json.dumps(data))
        assert detect(path) == name
