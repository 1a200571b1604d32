"""Plain transcripts: "**Name:** text", a heading a turn ("## You"), or "Name: text". They have no times.

Answers of assistants hold such lines too ("**Note:** …", "## Summary"), so a line begins a turn only where its name is known
(You, Assistant …), is `me`, or comes again; where two known ones speak, only they do. Lines within ``` never do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from uac_nb.importers.protocol import ROLES, Format, Message, Options, Reading
from uac_nb.importers.source import Source

_NAME = r"[^\W\d_][\w .'’-]{0,39}?"
_STYLES = {
    "bold": re.compile(rf"(?:\*\*|__)({_NAME})(?:\ssaid)?(?::(?:\*\*|__)|(?:\*\*|__)\s?:)\s?(.*)"),
    "heading": re.compile(rf"#{{1,6}}\s+\**({_NAME})(?:\ssaid)?:?\**\s*()"),
    "plain": re.compile(rf"({_NAME}):(?:\s(.*)|)"),
}
_FENCE = re.compile(r"\s*(```|~~~)")


@dataclass
class Style:
    """How turns begin in one transcript: by which sign, with whose names, and how many of these are known words."""

    pattern: re.Pattern[str]
    names: Counter[str] = field(default_factory=Counter)
    speakers: frozenset[str] = frozenset()
    known: int = 0

    def head(self, line: str) -> tuple[str, str] | None:
        found = self.pattern.fullmatch(line.rstrip())
        return (found[1].strip(), line[found.start(2) :] if found[2] else "") if found else None

    def choose(self, me: str) -> None:
        """Decide whose names begin a turn."""
        known = {name for name in self.names if name.casefold() in ROLES or name.casefold() == me}
        self.known = len(known)
        again = {name for name, count in self.names.items() if count > 1}
        self.speakers = frozenset(known if len(known) > 1 else known | again)
        if len(self.speakers) == 1 and len(self.names) == 2:  # a short talk, in which one spoke once
            self.speakers = frozenset(self.names)


def fits(source: Source, options: Options) -> bool:
    style = _style(source.head.split("\n"), options.me.casefold()) if source.kind == "text" else None
    return style is not None and len(style.speakers) > 1


def _style(lines: Iterator[str] | list[str], me: str) -> Style | None:
    """Look at the whole text; the style is one in which two speak, that with the most known words."""
    styles = [Style(pattern) for pattern in _STYLES.values()]
    outside = _outside()
    for line in lines:
        if outside(line):
            for style in styles:
                if head := style.head(line):
                    style.names[head[0]] += 1
    for style in styles:
        style.choose(me)
    spoken = [style for style in styles if len(style.speakers) > 1]
    return max(spoken, key=lambda style: style.known, default=None)


def _outside() -> Callable[[str], bool]:
    """Return a function that says of one line after the other whether it is outside of ``` fences."""
    open = False

    def outside(line: str) -> bool:
        nonlocal open
        fence = bool(_FENCE.match(line))
        open ^= fence
        return not (open or fence)

    return outside


def messages(reading: Reading) -> Iterator[Message]:
    source, report = reading.source, reading.report
    style = _style(source.lines(), reading.options.me.casefold())
    if style is None:
        raise source.error("", "nobody speaks in it; begin each turn with a name, as in **Ann:** or Ann:")
    outside = _outside()

    def head(line: str) -> tuple[str, str] | None:
        found = style.head(line) if outside(line) else None
        return found if found and found[0] in style.speakers else None

    session = source.title
    for number, found, below in source.turns(head):
        if found is None:
            session = _titled(below, number, reading) or session
            continue
        name, first = found
        role = "" if name.casefold() == reading.options.me.casefold() else ROLES.get(name.casefold(), "")
        yield Message("\n".join([first, *below]).strip("\n"), None, name, role, session, place=number)
    if others := [name for name in style.names if name not in style.speakers]:
        report.note(f"taken for text, not for speakers: {', '.join(others[:10])}")


def _titled(lines: list[str], start: int, reading: Reading) -> str:
    """The title above the talk, "" where there is none; whatever else stands there is listed."""
    title = ""
    for number, line in enumerate(lines, start):
        if line.startswith("# ") and not title:
            title = line[2:].strip()
        elif line.strip() and line.strip("-=* "):
            reading.report.odd(number, "stands before the first turn", line)
    return title


FORMAT = Format("markdown", "a transcript (**Name:** text, ## You, or Name: text)", fits, messages, general=True)
