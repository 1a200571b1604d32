"""Finding the JSON in a text: behind thoughts, between words and fences, among code points that are no text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from uac_nb.errors import Diagnostic, ReplyError
from uac_nb.model.replies.scan import Broken, Scanner, TooDeep

SHOWN = 60  # characters of a reply in a message

THOUGHT = r"(?:think|thinking|thought|reasoning)"
# Either a whole thought at the start, or (servers that take the opening tag away) a closing tag on a line of its own, where it
# cannot be part of a JSON string.
THOUGHTS = re.compile(
    rf"\A\s*<{THOUGHT}>.*?</{THOUGHT}>|\A.*?^[ \t]*</{THOUGHT}>[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
UNFINISHED = re.compile(rf"\A\s*<{THOUGHT}>", re.IGNORECASE)
# Noncharacters, controls and half pairs: no language writes with them, and SQLite, terminals and parsers stumble over them.
NONCHARACTERS = "".join(chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))
STRAY = re.compile(f"[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufeff{NONCHARACTERS}]")
PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass
class Piece:
    """One JSON object or list. `cut`: the text ended inside it. `broken`: it stood in a larger one that cannot be read."""

    value: Any
    cut: bool
    broken: bool


def pieces_of(text: str) -> tuple[list[Piece], list[Diagnostic]]:
    """All objects and lists in a text, in order, and what was done to read them."""
    found: list[Diagnostic] = []
    text = _answer(_plain(text, found), found)
    pieces: list[Piece] = []
    at, broken, words = 0, False, ""
    while match := re.compile(r"[{\[]").search(text, at):
        words += text[at : match.start()]
        scanner = Scanner(text, match.start())
        try:
            value = scanner.value()
        except Broken as error:
            if scanner.members:
                broken = True
                found.append(finding("broken", f"the JSON cannot be read on from {short(text[scanner.at :])} ({error})"))
            at = scanner.at if isinstance(error, TooDeep) else match.start() + 1
            continue
        found.extend(finding(code, message) for code, message in scanner.repairs.items())
        pieces.append(Piece(_cleaned(value, found), scanner.cut, broken))
        at = scanner.at
    if not broken and re.sub(r"```\w*|~~~\w*|\s", "", words + text[at:]):
        found.append(finding("words", "there are words around the JSON; they were ignored"))
    return pieces, found


def _answer(text: str, found: list[Diagnostic]) -> str:
    """The text after the model's thoughts."""
    if match := THOUGHTS.match(text):
        found.append(finding("thoughts", "the model's thoughts before the answer were ignored"))
        return text[match.end() :]
    if UNFINISHED.match(text):
        raise ReplyError("the reply ends within the model's thoughts; allow more tokens, or take another model")
    return text


def _plain(text: str, found: list[Diagnostic]) -> str:
    """The text with surrogate pairs joined and without code points that are no text."""
    joined = PAIR.sub(lambda pair: pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)
    plain = STRAY.sub("", joined)
    if plain != joined:
        found.append(finding("stray", "code points that are no text were taken out"))
    return plain


def _cleaned(value: Any, found: list[Diagnostic]) -> Any:
    """The value with plain strings, also where an escape had hidden something."""
    if isinstance(value, str):
        return _plain(value, found)
    if isinstance(value, list):
        return [_cleaned(item, found) for item in value]
    if isinstance(value, dict):
        return {_plain(key, found): _cleaned(item, found) for key, item in value.items()}
    return value


def finding(code: str, message: str, where: str = "$") -> Diagnostic:
    return Diagnostic(f"reply-{code}", where, message)


def short(text: str) -> str:
    """The start of a text as one quoted, printable line."""
    line = "".join(c for c in " ".join(text[: 4 * SHOWN].split()) if c.isprintable())
    return f"'{line}'" if len(line) <= SHOWN else f"'{line[:SHOWN]}…'"
