"""Pages: what is shown is escaped, says in words what colours say, and reads the same as text and as HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.widgets.page import Bar, Block, Card, Code, Diff, Fold, Line, Quote, Table, as_html, as_text, short, visible
from uac_nb.widgets.proposals import of_record
from uac_nb.widgets.views import diffstat

HOSTILE = "<script>alert(1)</script> & \"'"
TAGS = {"section", "div", "span", "pre", "ins", "del", "table", "thead", "tbody", "tr", "th", "td", "details", "summary"}


class Reading(HTMLParser):
    """What a browser would show of static HTML, and the tags it would see."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


def everywhere(text: str) -> list[Block]:
    return [
        Line(text, label=text),
        Quote(text, text),
        Code(text),
        Diff(f"--- {text}\n+++ {text}\n@@ -1 +1 @@\n-{text}\n+{text}\n {text}"),
        Bar(1, 2, text, text),
        Table((text,), [(text,)]),
        Fold(text, [Line(text)]),
        Card("critical", text, text, [Line(text)]),
    ]


def test_nothing_said_becomes_markup() -> None:
    reading = Reading(as_html(everywhere(HOSTILE), HOSTILE))
    assert set(reading.tags) <= TAGS
    assert reading.words.count("alert(1)") == 16


@given(st.text())
def test_any_text_is_shown_and_none_is_markup(text: str) -> None:
    reading = Reading(as_html([Code(text)]))
    assert reading.tags == ["section", "pre"]
    assert reading.words == visible(text).rstrip("\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\u202eb", "a\\u202eb"),
        ("a\rb", "a\\rb"),
        ("a\r\nb", "a\nb"),
        ("a\tb\nc", "a\tb\nc"),
        ("naïve – 東京", "naïve – 東京"),
    ],
)
def test_characters_that_steer_a_terminal_are_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_page_as_text() -> None:
    blocks = [
        Line("2 changes", tone="title"),
        Card("critical", "1 · critical", "Conflict: a and b.", [Line("→ Ask."), Fold("Evidence", [Quote("#3", "I did")])]),
        Table(("id", "text"), [(1, "one"), (12, "two\nlines")]),
        Fold("travel.py", [Code("trips = []")], spelled=False),
        Code("x = 1\n"),
    ]
    assert as_text(blocks) == "\n".join(
        [
            "2 changes",
            "1 · CRITICAL  Conflict: a and b.",
            "  → Ask.",
            "  Evidence:",
            "    #3: “I did”",
            "id  text",
            "1   one",
            "12  two lines",
            "travel.py",
            "  x = 1",
        ]
    )


def test_a_diff_says_in_words_what_its_colours_say() -> None:
    diff = (
        "--- a/travel.py\n+++ b/travel.py\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x"
    )
    words = Reading(as_html([Diff(diff)])).words
    assert words.splitlines() == [
        "travel.py",
        "          ⋯",
        "          same",
        "removed - old",
        "added   + new",
        "gone.py",
        "          ⋯",
        "removed - x",
    ]


def test_a_grave_card_is_announced_and_says_how_grave() -> None:
    html = as_html([Card("critical", "1 · critical", "Conflict"), Card("warning", "2 · warning", "Late")])
    assert re.findall(r'role="(\w+)" aria-label="([^"]+)"', html) == [
        ("alert", "1 · critical: Conflict"),
        ("group", "2 · warning: Late"),
    ]
    assert "1 · CRITICAL" in Reading(html).words


def test_short_marks_what_it_leaves_out() -> None:
    assert short("a b\n c", 20) == "a b c"
    assert short("abcdefghij", 6) == "abcde…"


def test_diffstat_does_not_count_the_headings() -> None:
    assert diffstat("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n+z") == "2 lines added, 1 removed"


def test_a_bar_says_in_words_how_far_it_is() -> None:
    bar = Bar(3, 12, "batches", "reading 14 entries, 23,400 tokens so far, about 2 minutes left")
    said = "3 of 12 batches, reading 14 entries, 23,400 tokens so far, about 2 minutes left"
    assert as_text([bar]) == Reading(as_html([bar])).words == said
    assert 'aria-valuenow="25"' in as_html([bar])
    assert as_text([Bar(500, 0, "", "reading")]) == "500, reading"


NEW = """--- travel.py
+++ travel.py
@@ -0,0 +1,9 @@
+class Trip:
+    id: str
+trips: list[Trip] = [
+    Trip(id="rome", to="Rome (the city),", source=(1,)),
+    Trip(
+        id="lisbon",
+        to="Lisbon",
+    ),
+]"""


@pytest.mark.parametrize(
    ("id", "lines"),
    [
        ("rome", ['+    Trip(id="rome", to="Rome (the city),", source=(1,)),']),
        ("lisbon", ["+    Trip(", '+        id="lisbon",', '+        to="Lisbon",', "+    ),"]),
    ],
)
def test_the_lines_of_one_record_are_found_in_a_diff(id: str, lines: list[str]) -> None:
    assert of_record(NEW, id).splitlines() == ["--- travel.py", "+++ travel.py", *lines]


def test_a_diff_without_the_whole_record_is_not_taken_for_it() -> None:
    assert of_record('--- a\n+++ a\n@@ -3 +3 @@\n-        purpose="work",\n+        purpose="fun",', "lisbon") == ""
