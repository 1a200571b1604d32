"""One page, two readings: plain text for a terminal, static HTML for a notebook.

What is shown comes from people and models, so escaping happens here and nowhere else: views say what to show, this module
says how. A front end that sets formulas is told to leave all of it alone: it would take "$5 for lunch and $10 for dinner"
for one, and a formula can hide a "not". The HTML needs no script and no style sheet, so that an untrusted notebook and a
printed one can be read; meaning is always in words, since such places may drop colours. Colours follow the theme of
JupyterLab where there is one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias, TypeVar

from uac_nb.errors import STOPS, Diagnostic, crash, visible

T = TypeVar("T")
Tone = Literal["plain", "title", "quiet", "critical", "warning", "info", "good"]

WORDS = "tex2jax_ignore mathjax_ignore"  # classes of what has no formulas, for MathJax 2 (nbviewer) and 3 (JupyterLab)
SANS = "var(--jp-ui-font-family,system-ui,sans-serif)"
MONO = "var(--jp-code-font-family,ui-monospace,monospace)"
INK = "var(--jp-content-font-color1,inherit)"
SOFT = "var(--jp-content-font-color2,inherit)"
RULE = "var(--jp-border-color2,rgba(128,128,128,.35))"
PAPER = "rgba(128,128,128,.10)"
HANGING = "display:block;padding-left:6ch;text-indent:-6ch"  # a long line goes on below its words, not below its sign
SHORT = 16  # characters of a cell that stay on one line: numbers, days, names
LONG = 24  # characters of a word that may be broken, so that none makes a table wider than its page
TONES = {
    "critical": ("var(--jp-error-color1,#c62828)", "rgba(211,47,47,.10)"),
    "warning": ("var(--jp-warn-color1,#e65100)", "rgba(245,124,0,.10)"),
    "info": ("var(--jp-info-color1,#0277bd)", "rgba(2,136,209,.10)"),
    "good": ("var(--jp-success-color1,#2e7d32)", "rgba(67,160,71,.10)"),
    "quiet": (RULE, "rgba(128,128,128,.08)"),
}
LINES = {
    "plain": f"color:{INK}",
    "title": f"color:{INK};font-size:15px;font-weight:600;margin:8px 0 2px",
    "quiet": f"color:{SOFT};font-size:12px",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence. `label` is a word set apart in front of it."""

    text: str
    tone: Tone = "plain"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that somebody said, and who said them when."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Source, as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Diff:
    """A unified diff. The heading of a file counts its changes, and so says what the signs in front of the lines mean."""

    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """How far a thing is: `done` of `total` of a `unit` (0 where nobody knows), and `what` is being done."""

    done: int
    total: int
    unit: str
    what: str

    @property
    def counted(self) -> str:
        return f"{self.done:,} of {self.total:,} {self.unit}".rstrip() if self.total else f"{self.done:,} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below a `head`, which may be left out; `caption` says what they are."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that open on a click, or are `opened` already. Plain text spells them out, unless `spelled` is False."""

    summary: str
    blocks: Sequence[Block]
    spelled: bool = True
    opened: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """Blocks that belong together and ask for attention; `label` says in a word how much."""

    tone: Tone
    label: str
    title: str
    blocks: Sequence[Block] = ()


Block: TypeAlias = Line | Quote | Code | Diff | Bar | Table | Fold | Card

_DAY = re.compile(r"\b\d{4}-\d\d(?:-\d\d)?\b")


def short(text: str, width: int = 200) -> str:
    """The beginning of a long text, on one line; "…" marks what was left out."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def finding(d: Diagnostic) -> Card:
    title = f"{d.where}: {d.message}" if d.where else d.message
    return Card("warning", "finding", title, [Line(f"→ {d.hint}")] if d.hint else [])


def each(items: Iterable[T], show: Callable[[T], Block], called: Callable[[T], str]) -> Iterator[Block]:
    """A block for each of some items; for one that cannot be shown, a finding in its place. `called` names it."""
    for item in items:
        try:
            yield show(item)
        except STOPS:
            raise
        except Exception as error:
            yield finding(crash(error, called(item), "it cannot be shown", "the others are"))


# --- plain text ---


def as_text(blocks: Iterable[Block]) -> str:
    return "\n".join(line.rstrip() for block in blocks for line in _text(block))


def _text(block: Block) -> list[str]:
    match block:
        case Line():
            return [f"{block.label.upper()}  {visible(block.text)}" if block.label else visible(block.text)]
        case Quote():
            return [f"{visible(block.by)}: “{visible(block.text)}”"]
        case Code() | Diff():
            return _indent(visible(block.text).rstrip("\n").split("\n"))
        case Bar():
            return [f"{block.counted}, {visible(block.what)}"]
        case Table():
            return _grid(block)
        case Fold():
            inside = [line for b in block.blocks for line in _text(b)] if block.spelled else []
            return [visible(block.summary) + (":" if inside else ""), *_indent(inside)]
        case Card():
            return [f"{block.label.upper()}  {visible(block.title)}", *_indent(line for b in block.blocks for line in _text(b))]


def _indent(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _grid(table: Table) -> list[str]:
    rows = [[visible(cell).replace("\n", " ") for cell in row] for row in (table.head, *table.rows) if row]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return [visible(table.caption), *_indent(lines)] if table.caption else lines


# --- HTML ---


def as_html(blocks: Iterable[Block], label: str = "") -> str:
    """A section of static HTML; `label` names it for a screen reader."""
    name = f' aria-label="{_escape(label)}"' if label else ""
    body = "".join(map(_html, blocks))
    return (
        f'<section class="{WORDS}"{name} style="font-family:{SANS};font-size:13px;line-height:1.5;max-width:72em;'
        f'overflow-wrap:anywhere;color:{INK}">{body}</section>'
    )


def _html(block: Block) -> str:
    match block:
        case Line():
            style = f"margin:2px 0;{LINES.get(block.tone, LINES['plain'])}"
            return f'<div style="{style}">{_label(block)}{_prose(block.text)}</div>'
        case Quote():
            by = f'<span style="color:{SOFT};font-size:12px">{_escape(block.by)}</span>'
            return f'<div style="margin:2px 0">{by}&ensp;“{_prose(block.text)}”</div>'
        case Code():
            return _pre(_escape(block.text.rstrip("\n")))
        case Diff():
            return _pre("".join(_diff_lines(block.text)))
        case Bar():
            return _bar(block)
        case Table():
            return _table(block)
        case Fold():
            summary = f'<summary style="cursor:pointer;color:{SOFT}">{_escape(block.summary)}</summary>'
            opened = " open" if block.opened else ""
            inside = f'<div style="margin:4px 0 8px 14px">{_inside(block)}</div>'
            return f'<details{opened} style="margin:4px 0">{summary}{inside}</details>'
        case Card():
            role = "alert" if block.tone == "critical" else "group"
            name = f"{block.label}: {short(block.title, 80)}"
            edge = f"border-left:3px solid {_tone(block.tone)[0]};padding:2px 0 2px 12px;margin:10px 0 8px"
            title = f'<div style="font-size:14px;margin:0 0 2px">{_label(block)}{_prose(block.title)}</div>'
            return f'<div role="{role}" aria-label="{_escape(name)}" style="{edge}">{title}{_inside(block)}</div>'


def _inside(block: Fold | Card) -> str:
    return "".join(map(_html, block.blocks))


def _tone(tone: str) -> tuple[str, str]:
    return TONES.get(tone, TONES["quiet"])


def _label(block: Line | Card) -> str:
    """A word on a tint of its tone, in the colour of the text: it has to be legible in any theme."""
    if not block.label:
        return ""
    look = "border-radius:3px;padding:1px 6px;margin-right:8px;font-size:11px;font-weight:600;letter-spacing:.04em"
    return f'<span style="background:{_tone(block.tone)[1]};{look}">{_escape(block.label.upper())}</span> '


def _pre(inner: str) -> str:
    face = f"font-family:{MONO};font-size:12px;line-height:1.45;white-space:pre-wrap;word-break:normal;color:{INK}"
    box = f"margin:4px 0;padding:8px 10px;border-radius:3px;background:{PAPER}"
    return f'<pre style="{face};{box}">{inner}</pre>'


def _diff_lines(text: str) -> Iterator[str]:
    """The lines of a unified diff: a heading a file, "⋯" where lines that stayed are left out, a sign for each change."""
    for name, lines in changed_files(text):
        added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
        if name:
            yield _diff_line("span", "font-weight:600", f"{name}: {added:,} added (+), {removed:,} removed (-)")
        for line in lines:
            if line.startswith("@@"):
                yield _diff_line("span", f"color:{SOFT}", "⋯")
            elif line.startswith("+"):
                yield _diff_line("ins", _changed("good"), f"+ {line[1:]}")
            elif line.startswith("-"):
                yield _diff_line("del", _changed("critical"), f"- {line[1:]}")
            else:
                yield _diff_line("span", "", f"  {line[1:]}")


def changed_files(text: str) -> Iterator[tuple[str, list[str]]]:
    """The files of a unified diff by name, with their lines. A removed line may begin as a heading does, but not two."""
    lines = text.rstrip("\n").split("\n")
    heads = [n for n, pair in enumerate(pairwise(lines)) if pair[0].startswith("--- ") and pair[1].startswith("+++ ")]
    for n, end in pairwise([*([] if heads[:1] == [0] else [-2]), *heads, len(lines)]):
        former, name = (lines[n][4:], lines[n + 1][4:]) if n >= 0 else ("", "")
        name = (former if name == "/dev/null" else name).removeprefix("a/").removeprefix("b/")
        inside = [line for line in lines[n + 2 : end] if not line.startswith(("diff ", "index ", "new file", "deleted file"))]
        if name or inside:
            yield name, inside


def _diff_line(tag: str, look: str, words: str) -> str:
    return f'<{tag} style="{HANGING};{look}">{_escape(words)}\n</{tag}>'  # the break is for whoever reads without styles


def _changed(tone: Tone) -> str:
    return f"text-decoration:none;background:{_tone(tone)[1]};color:{INK}"


def _bar(bar: Bar) -> str:
    """A bar for the eye; the words beside it say the same."""
    share = 100 * bar.done // bar.total if bar.total else 0
    said = f"{_escape(bar.counted)}, {_escape(bar.what)}"
    track = f"height:6px;max-width:32em;border-radius:3px;overflow:hidden;background:{PAPER};margin:6px 0 4px"
    inner = f'<div style="width:{share}%;height:100%;background:{TONES["info"][0]}"></div>'
    role = f'role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="{share}" aria-label="{said}"'
    return f'<div {role} style="{track}">{inner}</div><div style="{LINES["quiet"]}">{said}</div>'


def _table(table: Table) -> str:
    """A table that is never wider than its page: it scrolls instead, in a box of its own."""
    cell = "text-align:left;vertical-align:top;padding:3px 14px 3px 0"
    look = f"{cell};white-space:nowrap;color:{SOFT};font-weight:600"
    head = "".join(f'<th scope="col" style="{look}">{_escape(word)}</th>' for word in table.head)
    heading = f'<thead style="border-bottom:1px solid {RULE}"><tr>{head}</tr></thead>' if head else ""
    named = f'<caption style="text-align:left;font-weight:600;color:{INK};padding:2px 0">{_prose(table.caption)}</caption>'
    rows = "".join("<tr>" + "".join(_cell(value, cell) for value in row) + "</tr>" for row in table.rows)
    return (
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:4px 0;font-size:13px">'
        f"{named if table.caption else ''}{heading}<tbody>{rows}</tbody></table></div>"
    )


def _cell(value: object, style: str) -> str:
    """What is short does not wrap; of what is long, words stay whole where they can."""
    text = str(value)
    if len(text) <= SHORT:
        return f'<td style="{style};white-space:pre">{_escape(text)}</td>'
    broken = "anywhere" if any(len(word) > LONG for word in text.split()) else "break-word"
    return f'<td style="{style};white-space:pre-wrap;min-width:8em;overflow-wrap:{broken}">{_prose(text)}</td>'


def _prose(text: object) -> str:
    """Words that wrap, but for the days in them: "2025-01-" tells nobody a day."""
    return _DAY.sub(r'<span style="white-space:nowrap">\g<0></span>', _escape(text))


def _escape(text: object) -> str:
    return html.escape(visible(text))
