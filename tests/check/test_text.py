"""The gate on text: what is repaired, what is refused, and what stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.check import clean, gate
from uac_nb.errors import CheckError

REPAIRED = {
    "a byte order mark": ("\ufeffx = 1\n", "x = 1\n", "text:1: took out a byte order mark"),
    "Windows line ends": ("x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n", "text:1: changed Windows line ends to plain ones"),
    "a stray character at the end": ("x = 1\nx \U0005ffff", "x = 1\nx ", "text:2: took out the stray character U+5FFFF"),
    "a private character": ("x = 1 \ue000+ 2", "x = 1 + 2", "text:1: took out the stray character U+E000"),
    "a space that does not break": (
        "if x:\n\u00a0\u00a0\u00a0\u00a0y = 1",
        "if x:\n    y = 1",
        "text:2: changed the stray character U+00A0 (no-break space) to a space",
    ),
    "a zero-width space outside quotes": (
        "x = [1,\u200b 2]",
        "x = [1, 2]",
        "text:1: took out the stray character U+200B (zero width space)",
    ),
}


@pytest.mark.parametrize(("text", "cleaned", "said"), REPAIRED.values(), ids=REPAIRED)
def test_harmless_things_are_repaired_and_said(text: str, cleaned: str, said: str) -> None:
    repaired, findings = clean(text)
    assert repaired == cleaned
    assert str(findings[0]) == said
    assert {finding.code for finding in findings} == {"cleaned"}


KEPT = [
    "x = 'Zoë – “fine”'  # naïve\n",
    "x = '\u200b'\n",
    "x = 1\n\u202e# turned\n",
    "x = “1”\n",
    "def f(:\n",
    "x = '\x00'\n",
    "",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_could_mean_something_is_left_to_the_gate(text: str) -> None:
    assert clean(text) == (text, [])


@given(st.text(st.sampled_from("x1= \n'#\u00a0\u200b\u202e\U0005ffff“")))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    cleaned, _ = clean(text)
    assert clean(cleaned) == (cleaned, [])


REFUSED = {
    "a turning character in a comment": (
        "x = 1\n# \u202e not what it seems\n",
        "turning-character",
        (
            "query:2: U+202E (right-to-left override) turns the direction of the text around it "
            "(take it out, or write \\u202e in quotes)"
        ),
    ),
    "a zero-width character in quotes": (
        "city = 'Par\u200bis'",
        "hidden-character",
        "query:1: U+200B (zero width space) cannot be seen (take it out, or write \\u200b in quotes)",
    ),
    "a joiner that joins nothing": (
        "x = 'a\u200db'",
        "hidden-character",
        "query:1: U+200D (zero width joiner) cannot be seen (take it out, or write \\u200d in quotes)",
    ),
    "NUL": ("x = 1\x00", "control-character", "query:1: the control character U+0000 (take it out, or write \\x00 in quotes)"),
    "a form feed": (
        "x = 1\n\x0cy = 2",
        "control-character",
        "query:2: the control character U+000C (take it out, or write \\x0c in quotes)",
    ),
    "a lone carriage return": (
        "x = 1  # a\rimport os",
        "control-character",
        "query:1: the control character U+000D (take it out, or write \\x0d in quotes)",
    ),
    "a line separator": (
        "x = '\u2028'",
        "control-character",
        "query:1: U+2028 (line separator) ends a line for some readers only (end the line with a plain line end)",
    ),
    "half a character": ("x = '\ud800'", "stray-character", "query:1: U+D800 is no character that is in use (take it out)"),
    "a private character in quotes": (
        "x = '\ue000'",
        "stray-character",
        "query:1: U+E000 is no character that is in use (take it out)",
    ),
    "quotes of a word processor": (
        "x = 1\ny = “two”",
        "smart-quote",
        'query:2: “ is not Python: it is U+201C (left double quotation mark) (write " instead)',
    ),
    "a dash for a minus": (
        "x = 3 – 1",
        "look-alike",
        "query:1: – is not Python: it is U+2013 (en dash) (write - instead)",
    ),
    "a letter of another alphabet": (
        "tоtal = 1\n",
        "name",
        "query:1: the name tоtal is not plain ASCII, and may look like another (use the letters a to z)",
    ),
    "an accented name": (
        "précis = 1\n",
        "name",
        "query:1: the name précis is not plain ASCII, and may look like another (write precis instead)",
    ),
    "a wide name that Python reads as another": (
        "ｅval('1')",
        "name",
        "query:1: the name ｅval is not plain ASCII, and may look like another (write eval instead)",
    ),
    "a Markdown fence": (
        "```python\nx = 1\n```",
        "syntax",
        "query:1: a Markdown fence is not Python (write the code alone, without ```)",
    ),
    "an open bracket": ("x = (1,\n", "syntax", "query:1: not Python: '(' was never closed"),
    "a return outside a function": ("x = 1\nreturn x", "syntax", "query:2: not Python: 'return' outside function"),
    "too deep": ("x = " + "(" * 500 + ")" * 500, "syntax", "query:1: not Python: too many nested parentheses"),
    "deeper than Python can follow": (
        "x = " + "-" * 50_000 + "1",
        "syntax",
        "query: the code is nested too deeply, or is not text (write it in shorter steps)",
    ),
    "too long": (
        "x" * 200_001,
        "too-long",
        "query: 200,001 characters of code; at most 200,000 are read (split it, or write it shorter)",
    ),
}


@pytest.mark.parametrize(("text", "code", "said"), REFUSED.values(), ids=REFUSED)
def test_text_is_refused_with_the_line_and_what_to_write(text: str, code: str, said: str) -> None:
    with pytest.raises(CheckError) as refused:
        gate(text, where="query", kind="query")
    assert refused.value.diagnostics[0].code == code
    assert str(refused.value.diagnostics[0]) == said


TAKEN = [
    "name = 'Zoë – “fine” ’tis'",
    "family = '👨\u200d👩\u200d👧'",
    "heart = '❤\ufe0f'",
    "x = 1\t# a tab",
    "persian = 'می\u200cخواهم'",
    "x = '\\u200b'",
    "later = '\U0001fbff'",
]


@pytest.mark.parametrize("text", TAKEN)
def test_ordinary_text_in_quotes_is_taken(text: str) -> None:
    gate(text, where="query", kind="query")


def test_all_findings_come_in_the_order_of_their_lines() -> None:
    with pytest.raises(CheckError) as refused:
        gate("import os\nx.__class__\nimport sys\n", where="query", kind="query")
    assert [d.where for d in refused.value.diagnostics] == ["query:1", "query:2", "query:3"]
    assert str(refused.value).endswith("(and 2 more)")
