"""Exports of talks between people, and transcripts: Telegram, Slack, LOCOMO, Markdown; small ones by hand."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from uac_nb.errors import LogError
from uac_nb.importers import detect, read
from uac_nb.importers.report import Report
from uac_nb.log import Draft, Log


def imported(path: Path, data: Any, **more: Any) -> tuple[list[Draft], Report]:
    """Write a file and import it; into a log twice, too."""
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    done = read(path, **more)
    drafts = list(done.drafts)
    with Log.open(path.with_name("log.sqlite")) as log:
        assert log.load(read(path, **more).drafts).added == len(drafts)
        assert log.load(read(path, **more).drafts).added == 0
    return drafts, done.report


def told(drafts: list[Draft]) -> list[tuple[str, str]]:
    return [(draft.speaker, draft.text) for draft in drafts]


# --- Telegram ---


def message(id: int, sender: str, text: Any, **more: Any) -> dict[str, Any]:
    found = {"id": id, "type": "message", "date": "2025-01-10T10:00:00", "date_unixtime": "1736499600"}
    return found | {"from": sender, "from_id": f"user{len(sender)}", "text": text} | more


CHAT = {
    "name": "Ann",
    "type": "personal_chat",
    "id": 77,
    "messages": [
        {"id": 1, "type": "service", "actor": "Ann", "action": "phone_call", "date_unixtime": "1736499600", "text": ""},
        message(2, "Ann", "hi"),
        message(3, "Jess", ["see ", {"type": "link", "text": "https://x.org"}, {"type": "bold", "text": "!"}]),
        message(4, "Ann", "", photo="(File not included)", width=1),
        message(5, "Ann", "the view", photo="(File not included)"),
        message(6, "Ann", "allergic to cats", forwarded_from="Zoe"),
        message(7, "Jess", "hi", date_unixtime=None),
    ],
}


def test_telegram_chat(tmp_path: Path) -> None:
    drafts, report = imported(tmp_path / "result.json", CHAT, me="Jess")
    texts = [("Ann", "hi"), ("Jess", "see https://x.org!"), ("Ann", "the view"), ("Ann", "allergic to cats"), ("Jess", "hi")]
    assert told(drafts) == texts
    assert [draft.role for draft in drafts] == ["person", "user", "person", "person", "user"]
    assert [draft.said_at for draft in drafts[::4]] == [datetime(2025, 1, 10, 9, tzinfo=UTC), datetime(2025, 1, 10, 10)]
    assert drafts[0].origin == {"file": "result.json", "message": "77/2"}
    assert drafts[0].session == "Ann 2025-01-10"
    assert drafts[3].data == {"forwarded_from": "Zoe"}
    assert (report.system_lines, report.media, report.counts["messages without words"]) == (1, 2, 1)


def test_telegram_me_may_be_an_id(tmp_path: Path) -> None:
    drafts, _ = imported(tmp_path / "result.json", CHAT, me="user4")
    assert [draft.role for draft in drafts] == ["person", "user", "person", "person", "user"]


def test_telegram_account_says_whose_it_is(tmp_path: Path) -> None:
    left = {"name": "Choir", "id": 78, "messages": [message(2, "Ann", "hi")]}
    data = {"personal_information": {"user_id": 4}, "chats": {"list": [CHAT]}, "left_chats": {"list": [left]}}
    drafts, report = imported(tmp_path / "result.json", data)
    assert [draft.role for draft in drafts] == ["person", "user", "person", "person", "user", "person"]
    assert (report.counts["chats"], report.notes) == (2, [])
    assert drafts[-1].session == "Choir 2025-01-10"  # the same id, time and words as in the other chat


# --- Slack ---


def post(ts: str, user: str, text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": ts} | more


CHANNEL = [
    post("1736499600.000100", "U1", "<@U2> has joined the channel", subtype="channel_join"),
    post(
        "1736499600.000200", "U1", "<@U2>: see <https://x.org|the page> &amp; &lt;this&gt;", user_profile={"real_name": "Ann"}
    ),
    post("1736499600.000300", "U2", "plain &amp;lt;", thread_ts="1736499600.000200"),
    {"type": "message", "subtype": "bot_message", "username": "deploy", "text": "done", "ts": "1736499601.000100"},
    post("1736499602.000100", "U2", "", files=[{"name": "a.png"}]),
    post("1736499603.000100", "U2", "<!here> <#C1|cats> <mailto:a@x.org|a@x.org> <!subteam^S1|@team>"),
]


def test_slack_channel(tmp_path: Path) -> None:
    drafts, report = imported(tmp_path / "2025-01-10.json", CHANNEL, me="U2")
    assert told(drafts) == [
        ("Ann", "@U2: see the page (https://x.org) & <this>"),
        ("U2", "plain &lt;"),
        ("deploy", "done"),
        ("U2", "@here #cats a@x.org @team"),
    ]
    assert [draft.role for draft in drafts] == ["person", "user", "system", "user"]
    assert {draft.said_at for draft in drafts[:2]} == {datetime(2025, 1, 10, 9, tzinfo=UTC)}
    assert drafts[0].origin["message"] == "1736499600.000200"
    assert drafts[0].data == {"raw": CHANNEL[1]["text"]}
    assert drafts[1].data == {"raw": "plain &amp;lt;"}
    assert drafts[2].data == {}
    assert (report.system_lines, report.media) == (1, 1)


WORKSPACE = [
    {"id": "U1", "name": "ann", "real_name": "Ann A.", "profile": {"real_name": "Ann A.", "display_name": "annie"}},
    {"id": "U2", "name": "jess", "profile": {"real_name": "", "display_name": "Jess T."}},
    {"id": "U3", "name": "zoe", "deleted": True},
    "not a user",
]


def _workspace(tmp_path: Path, users: Any) -> Path:
    folder = tmp_path / "export" / "general"
    folder.mkdir(parents=True)
    (tmp_path / "export" / "users.json").write_text(users if isinstance(users, str) else json.dumps(users))
    return folder / "2025-01-10.json"


DAY = [
    post("1736499600.000200", "U1", "<@U2> asks <@U3|zed> &amp; <@U9>"),
    post("1736499601.000300", "U2", "fine"),
    post("1736499602.000300", "U3", "ok", user_profile={"real_name": "Zoë"}),
]


def test_slack_names_are_those_of_the_workspace(tmp_path: Path) -> None:
    drafts, report = imported(_workspace(tmp_path, WORKSPACE), DAY, me="Jess T.")
    assert told(drafts) == [("Ann A.", "@Jess T. asks @Zoë & @U9"), ("Jess T.", "fine"), ("Zoë", "ok")]
    assert [draft.role for draft in drafts] == ["person", "user", "person"]
    assert drafts[0].data == {"raw": "<@U2> asks <@U3|zed> &amp; <@U9>"}  # to the letter
    assert drafts[0].session == "general 2025-01-10"
    assert report.notes == ["names of people are from users.json, beside the folder of the channel"]


def test_slack_a_new_name_makes_no_new_message(tmp_path: Path) -> None:
    path = _workspace(tmp_path, WORKSPACE)
    path.write_text(json.dumps(DAY))
    with Log.open(tmp_path / "log.sqlite") as log:
        assert log.load(read(path).drafts).added == 3
        path.parent.with_name("users.json").write_text(json.dumps([{"id": "U2", "name": "jess", "real_name": "Jess Tan"}]))
        assert log.load(read(path).drafts).added == 0


def test_slack_users_that_cannot_be_read_are_said(tmp_path: Path) -> None:
    drafts, report = imported(_workspace(tmp_path, '[{"id": "U1", '), DAY)
    assert [draft.speaker for draft in drafts] == ["U1", "U2", "Zoë"]
    assert report.notes[0].startswith("ids stand for names, since users.json:1: column 15")


def test_slack_a_day_on_which_the_user_was_silent(tmp_path: Path) -> None:
    drafts, report = imported(tmp_path / "2025-01-10.json", CHANNEL, me="Jess")
    assert {draft.role for draft in drafts} == {"person", "system"}
    assert report.notes == ["nobody is called 'Jess'; those who speak are U2, Ann"]


# --- LOCOMO ---

LOCOMO = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ann",
        "speaker_b": "Jess",
        "session_10": [{"speaker": "Ann", "dia_id": "D10:1", "text": "late"}],
        "session_10_date_time": "12:09 am on 13 September, 2023",
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Ann", "dia_id": "D2:1", "text": "look", "img_url": ["x"], "blip_caption": "a dog", "query": "dog"},
            {"speaker": "Jess", "dia_id": "D2:2", "text": "", "img_url": ["y"], "blip_caption": "a cat"},
        ],
        "session_3_date_time": "1:56 pm on 9 May, 2023",
        "session_4": [{"speaker": "Jess", "dia_id": "D4:1", "text": "when?"}],
    },
}


@pytest.mark.parametrize("data", [LOCOMO, [LOCOMO]])
def test_locomo(tmp_path: Path, data: Any) -> None:
    drafts, report = imported(tmp_path / "conv.json", data, me="Jess")
    assert [(draft.text, draft.caption, draft.role) for draft in drafts] == [
        ("look", "a dog", "person"),
        ("", "a cat", "user"),
        ("when?", "", "user"),
        ("late", "", "person"),
    ]
    assert [draft.said_at for draft in drafts] == [*[datetime(2023, 5, 8, 13, 56)] * 2, None, datetime(2023, 9, 13, 0, 9)]
    assert [draft.session for draft in drafts[1:]] == ["conv-1 session_2", "conv-1 session_4", "conv-1 session_10"]
    assert [draft.origin["message"] for draft in drafts] == ["D2:1", "D2:2", "D4:1", "D10:1"]
    assert (report.media, report.counts["sessions"]) == (2, 3)
    assert report.notes == ["1 dates of sessions have no session"]
    assert [(odd.place, odd.why) for odd in report.not_understood] == [
        ("conv.json, sample 1, session_4", "a session without a date")
    ]


def test_locomo_refuses_a_date_that_is_none(tmp_path: Path) -> None:
    broken = {"conversation": LOCOMO["conversation"] | {"session_2_date_time": "1:56 pm on 31 June, 2023"}}  # type: ignore[operator]
    with pytest.raises(LogError, match=r"^conv\.json, sample 1, session_2: 1:56 pm on 31 June, 2023: day is out of range"):
        imported(tmp_path / "conv.json", broken)


# --- Markdown ---

BOLD = """\
# Planning Lisbon

**You:** Where should I stay?
And for how long?

**Assistant:** Two options.

**Pros:** near the river
**Cons:** loud
**Pros:** cheap

```
**You:** not a turn
```

**You:** The first.
"""
HEADINGS = """\
## You said:
Where should I stay?
And for how long?

## ChatGPT said:

Two options.

## Overview
**Pros:** near the river
**Cons:** loud
**Pros:** cheap

## You said:
The first.
"""
PLAIN = """\
User: Where should I stay?
And for how long?
Assistant: Two options.

Note: near the river
https://x.org
User: The first.
"""
PEOPLE = """\
Ann: I land at 9: gate B
Jess T.: fine
Note: bring shoes
Ann: yes
"""
TRANSCRIPTS = [
    (
        BOLD,
        "",
        [
            ("user", "You", "Where should I stay?\nAnd for how long?"),
            (
                "assistant",
                "Assistant",
                "Two options.\n\n**Pros:** near the river\n**Cons:** loud\n**Pros:** cheap\n\n```\n**You:** not a turn\n```",
            ),
            ("user", "You", "The first."),
        ],
        "Planning Lisbon",
    ),
    (
        HEADINGS,
        "",
        [
            ("user", "You", "Where should I stay?\nAnd for how long?"),
            ("assistant", "ChatGPT", "Two options.\n\n## Overview\n**Pros:** near the river\n**Cons:** loud\n**Pros:** cheap"),
            ("user", "You", "The first."),
        ],
        "talk",
    ),
    (
        PLAIN,
        "",
        [
            ("user", "User", "Where should I stay?\nAnd for how long?"),
            ("assistant", "Assistant", "Two options.\n\nNote: near the river\nhttps://x.org"),
            ("user", "User", "The first."),
        ],
        "talk",
    ),
    (
        PEOPLE,
        "Jess T.",
        [
            ("person", "Ann", "I land at 9: gate B"),
            ("user", "Jess T.", "fine\nNote: bring shoes"),
            ("person", "Ann", "yes"),
        ],
        "talk",
    ),
    (
        "**Ann**: hi\n\n**Jess**: ho\n**Ann**: so\n",
        "",
        [("person", "Ann", "hi"), ("person", "Jess", "ho"), ("person", "Ann", "so")],
        "talk",
    ),
    ("__Human:__ hi\n__AI:__ ho\n", "", [("user", "Human", "hi"), ("assistant", "AI", "ho")], "talk"),
]


@pytest.mark.parametrize(("text", "me", "turns", "session"), TRANSCRIPTS, ids=range(len(TRANSCRIPTS)))
def test_markdown(tmp_path: Path, text: str, me: str, turns: list[tuple[str, str, str]], session: str) -> None:
    drafts, report = imported(tmp_path / "talk.md", text, me=me)
    assert [(draft.role, draft.speaker, draft.text) for draft in drafts] == turns
    assert {draft.session for draft in drafts} == {session}
    assert {draft.said_at for draft in drafts} == {None}
    assert report.not_understood == []
    assert report.format == "markdown"


def test_markdown_says_what_it_took_for_text_and_lists_what_stands_above(tmp_path: Path) -> None:
    _, report = imported(tmp_path / "talk.md", "exported today\n---\n" + PLAIN)
    assert report.notes == ["taken for text, not for speakers: Note"]
    assert report.not_understood == [("talk.md:1", "stands before the first turn", "exported today")]


def test_a_letter_is_no_transcript(tmp_path: Path) -> None:
    path = tmp_path / "letter.md"
    path.write_text("Subject: Trip\nFrom: Ann\n\nDear Jess,\nsee you.\n")
    with pytest.raises(LogError, match=r"^letter\.md is in no format that is known \(it begins 'Subject: Trip"):
        detect(path)


def _group(*talk: tuple[str, str, str], owner: int | None = None) -> str:
    said = [
        {"id": n, "type": "message", "date": f"2025-01-01T00:00:0{n}", "from": name, "from_id": id, "text": text}
        for n, (name, id, text) in enumerate(talk)
    ]
    chat = {"name": "Grp", "type": "private_group", "id": 1, "messages": said}
    return json.dumps({"personal_information": {"user_id": owner}, "chats": {"list": [chat]}} if owner else chat)


TALK = (("Jess", "user1", "I am here."), ("jess", "user2", "So am I."), ("Jess", "user1", "Good."))


@pytest.mark.parametrize(
    ("owner", "me", "roles"),
    [
        (None, "", ["user", "person", "user"]),
        (None, "user2", ["person", "user", "person"]),
        (2, "", ["person", "user", "person"]),
        (None, "Jess", ["user", "person", "user"]),
    ],
)
def test_one_account_is_the_user_and_others_of_the_name_are_not(
    owner: int | None, me: str, roles: list[str], tmp_path: Path
) -> None:
    (tmp_path / "result.json").write_text(_group(*TALK, owner=owner))
    found = read(tmp_path / "result.json", me=me, called="jess")
    assert [draft.role for draft in found.drafts] == roles
    told = [note for note in found.report.notes if "user2 is called jess too" in note]
    assert len(told) == (owner is None and me != "user2")
