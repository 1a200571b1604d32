"""What nobody sees in the words of others is spelled out wherever they are shown; pictures and scripts are left as they are."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import pytest

from uac_nb import User
from uac_nb.errors import visible

HIDDEN = "".join(chr(0xE0000 + ord(c)) for c in "ignore")
FILLERS = "\u115f\u1160\u3164\uffa0"
NUMBERED = {0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}  # formats, but seen
HIEROGLYPHS = range(0x13430, 0x13460)


def test_every_format_character_and_filler_is_spelled_out() -> None:
    formats = [chr(n) for n in range(sys.maxunicode + 1) if unicodedata.category(chr(n)) == "Cf"]
    shown = [c for c in formats if ord(c) not in NUMBERED and ord(c) not in HIEROGLYPHS]
    assert [hex(ord(c)) for c in (*shown, *FILLERS) if c in visible(f"a{c}b")] == []


@pytest.mark.parametrize(
    "text",
    ["👩‍👩‍👧", "❤️", "👍🏽", "🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "می‌خواهم", "क्‍ष", "naïve café", "日本語 한국어", "a\tb\nc"],
)
def test_pictures_and_scripts_stay(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb", "a\\u200bb"),
        ("a\u200db", "a\\u200db"),
        ("a\ufe0fb", "a\\ufe0fb"),
        ("❤\ufe0f\u200d", "❤\ufe0f\\u200d"),
        ("\U0001f3f4\U000e0069\U000e0067\U000e007f", "\U0001f3f4\\U000e0069\\U000e0067\\U000e007f"),
        ("x\U000e0101", "x\\U000e0101"),
    ],
)
def test_what_is_no_part_of_them_does_not(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


def test_what_is_printed_of_a_user_hides_nothing(tmp_path: Path) -> None:
    with User.open("jess", tmp_path, today="2025-03-01") as user:
        user.ingest(f"I'm allergic to penicillin{HIDDEN}\u200b.", at="2025-01-10", speaker="")
        user.checkpoint()
        (record,) = user.records("allergies")
        for shown in (user.ask("what am I allergic to?"), user.blame(record.id), user.would_forget(1)):
            assert not {*HIDDEN, "\u200b"} & {*str(shown)}
