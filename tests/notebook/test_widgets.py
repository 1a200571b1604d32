"""Pages: what is shown is escaped, says in words what colours say, and reads the same as text and as HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.domainfile.domain import Domain
from uac_nb.errors import visible
from uac_nb.notebook.widgets.page import Bar, Block, Card, Code, Diff, Fold, Line, Quote, Table, as_html, as_text, short
from uac_nb.notebook.widgets.records import tables, written
from uac_nb.notebook.widgets.views import diffstat
from uac_nb.rules import Money, Note, Said, When
from uac_nb.starter import TYPES

KIND = Domain.new("travel", "").define("trips", TYPES["trips"].text, starter="Trip").collections["trips"].type
PET = Note(id="bo", text="Bo is a dog.", source=(2,))

HOSTILE = "<script>alert(1)</script> & \"'"
TAGS = {
    "section",
    "div",
    "span",
    "pre",
    "ins",
    "del",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "details",
    "summary",
    "caption",
}


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
        Table((text,), [(text,)], text),
        Fold(text, [Line(text)]),
        Card("critical", text, text, [Line(text)]),
    ]


def test_nothing_said_becomes_markup() -> None:
    reading = Reading(as_html(everywhere(HOSTILE), HOSTILE))
    assert set(reading.tags) <= TAGS
    assert reading.words.count("alert(1)") == 17


def test_a_page_is_marked_as_words_and_no_formulas() -> None:
    """By what MathJax 3 (JupyterLab 4) and MathJax 2 (nbviewer, exported HTML) each look for."""
    assert as_html([Line("$5 or $6")], "Log").startswith('<section class="tex2jax_ignore mathjax_ignore" aria-label="Log" ')


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
        Table((), [("to", "Rome")], "Trip"),
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
            "Trip",
            "  to  Rome",
            "travel.py",
            "  x = 1",
        ]
    )


def test_a_diff_says_in_words_what_its_signs_and_colours_say() -> None:
    diff = (
        "--- a/travel.py\n+++ b/travel.py\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n--- dashes\n"
        "--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x"
    )
    words = Reading(as_html([Diff(diff)])).words
    assert words.splitlines() == [
        "travel.py: 1 added (+), 2 removed (-)",
        "⋯",
        "  same",
        "- old",
        "+ new",
        "- -- dashes",
        "gone.py: 0 added (+), 1 removed (-)",
        "⋯",
        "- x",
    ]
    assert diffstat(diff) == "1 line added, 3 removed"


@pytest.mark.parametrize(("diff", "words"), [("-a\n+b", "- a\n+ b\n"), ("", "  \n")])
def test_a_diff_without_a_heading_is_shown_too(diff: str, words: str) -> None:
    assert Reading(as_html([Diff(diff)])).words == words


def test_days_do_not_break_and_long_words_may() -> None:
    html = as_html([Line("since 2025-03-01 or 2025-03"), Table(("a",), [("2026-11-30 12:33 and more",), ("x" * 40,), ("#3",)])])
    assert re.findall(r'nowrap">([^<]*)<', html) == ["2025-03-01", "2025-03", "2026-11-30"]
    assert re.findall(r"<td [^>]*white-space:([^;\"]*)(?:[^>]*overflow-wrap:([a-z-]*))?", html) == [
        ("pre-wrap", "break-word"),
        ("pre-wrap", "anywhere"),
        ("pre", ""),
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


# --- records ---


def trip(id: str, **values: Any) -> Any:
    return KIND.coerce({"id": id, "title": f"trip to {id}", "to": id, "source": [1], **values})


def test_one_record_is_a_line_a_field_without_what_nobody_said() -> None:
    (table,) = tables([trip("rome", departs="2025-03-10", others=["ann", "bo"], source=[3, 17])])
    assert as_text([table]).splitlines() == [
        "Trip",
        "  id       rome",
        "  others   ann, bo",
        "  title    trip to rome",
        "  to       rome",
        "  departs  2025-03-10",
        "  from     #3, #17",
    ]


def test_several_are_a_line_a_record_and_a_table_a_type() -> None:
    first, other, rest = tables([trip("rome", departs="2025-03-10"), PET, trip("oslo", felt=[HOSTILE]), "no record"])
    assert (first.caption, list(first.head)) == ("Trip", ["id", "what it says", "from"])
    assert first.rows == [
        ("rome", "title trip to rome; to rome; departs 2025-03-10", "#1"),
        ("oslo", f"title trip to oslo; to oslo; felt {HOSTILE}", "#1"),
    ]
    assert (other.caption, other.rows) == ("Note", [("id", "bo"), ("text", "Bo is a dog."), ("from", "#2")])
    assert rest == Code("'no record'")
    assert "<script" not in as_html([first])


def test_of_many_records_it_says_how_many_are_shown() -> None:
    (table,) = tables([trip(f"t{n}") for n in range(60)])
    assert (table.caption, len(table.rows)) == ("Trip: 50 of 60 shown", 50)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (When("2025-03"), "2025-03"),
        (Money("12.50", "EUR"), "€12.50"),
        (Said("loves dogs", 3), "loves dogs"),
        ((True, 3), "yes, 3"),
        ({"a": 1}, "a: 1"),
    ],
)
def test_values_are_written_short(value: Any, words: str) -> None:
    assert written(value) == words
