"""Text that does not mean what it shows: hidden, turning and look-alike characters, and what models leave behind."""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping

from uac_nb.domainfile.parsing import TooMuch, parse
from uac_nb.errors import Diagnostic

_COMPILED = 1_000_000  # nodes that the compiler is given at most, copies counted; 200,000 characters hold fewer
_REPAIRS = 100  # at most so many stray characters are taken out of one text

# Turn the direction of what follows, so that code reads differently from how it runs.
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINERS = frozenset("\u200c\u200d")
_STRAY = re.compile(r"invalid (?:non-printable )?character")

_INSTEAD = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "´": "'", "–": "-", "—": "-", "−": "-",
    "×": "*", "÷": "/", "…": "...", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "，": ",", "：": ":", "（": "(", "）": ")",
}  # fmt: skip


def clean(text: str, *, where: str = "text") -> tuple[str, list[Diagnostic]]:
    """Repair what can have no meaning, and say so: byte order marks, Windows line ends, stray characters outside quotes.

    The parser says what stands outside quotes and comments. What could have a meaning stays for `gate` to refuse.
    """
    found: list[Diagnostic] = []
    if text.startswith("\ufeff"):
        text = text[1:]
        found.append(Diagnostic("cleaned", f"{where}:1", "took out a byte order mark"))
    if "\r\n" in text:
        text = text.replace("\r\n", "\n")
        found.append(Diagnostic("cleaned", f"{where}:1", "changed Windows line ends to plain ones"))
    for _ in range(_REPAIRS):
        stray = _stray(text)
        if stray is None:
            break
        at, line = stray
        space = unicodedata.category(text[at]) == "Zs"
        what = f"{'changed' if space else 'took out'} the stray character {_code(text[at])}{' to a space' if space else ''}"
        text = text[:at] + (" " if space else "") + text[at + 1 :]
        found.append(Diagnostic("cleaned", f"{where}:{line}", what))
    return text, found


def compiles(tree: ast.Module, where: str) -> None:
    """Raise SyntaxError for what only the compiler finds: a return outside a function, an argument twice, …

    The compiler writes a `finally` out anew for every way into it, so what it would write is estimated first.
    """
    if _written(tree) > _COMPILED:
        raise SyntaxError("the finally parts come to too much code", ("", _first_finally(tree), None, None))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(tree, where, "exec", dont_inherit=True)


def _written(tree: ast.Module) -> int:
    """How many nodes the compiler writes out: a `finally` once for each return, break and continue, and twice besides."""
    counts: dict[ast.AST, tuple[int, int]] = {}  # nodes, and ways out, of what stands below each
    for node in reversed(list(ast.walk(tree))):  # from the leaves up, since a long sum is deep
        final = getattr(node, "finalbody", [])
        children = list(ast.iter_child_nodes(node))  # those of `finalbody` come last
        size, ways = _sum(counts, children[: len(children) - len(final)])
        last, more = _sum(counts, final)
        copies = ways + 2
        leaves = isinstance(node, ast.Return | ast.Break | ast.Continue)
        counts[node] = (size + copies * last + 1, ways + leaves + copies * more)
    return counts[tree][0]


def _sum(counts: Mapping[ast.AST, tuple[int, int]], nodes: Iterable[ast.AST]) -> tuple[int, int]:
    found = [counts[node] for node in nodes]
    return sum(size for size, _ in found), sum(ways for _, ways in found)


def _first_finally(tree: ast.Module) -> int:
    return min(node.lineno for node in ast.walk(tree) if isinstance(node, ast.Try | ast.TryStar) and node.finalbody)


def _stray(text: str) -> tuple[int, int] | None:
    """Where the parser stumbles over a character that can mean nothing there: offset and line."""
    if text.isascii():
        return None
    try:
        parse(text)
    except SyntaxError as error:
        if _STRAY.match(error.msg) and error.lineno and error.offset:
            start = _line_start(text, error.lineno)
            at = start + error.offset - 1
            if at < len(text) and _meaningless(text[at]):
                return at, error.lineno
    except ValueError:
        pass  # the gate says so
    return None


def _line_start(text: str, line: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    return start


def _meaningless(char: str) -> bool:
    return char not in TURNING and unicodedata.category(char) in ("Cf", "Cn", "Co", "Zs")


def odd(code: str, values: str, where: str) -> Iterator[Diagnostic]:
    """What no text of ours may hold, inside quotes or not: code, and the values that stand below it.

    Values are words of people, so characters that Python does not know (yet) are let be there.
    """
    below = code.count("\n") + 1
    for number, line in enumerate((code + values).split("\n"), 1):
        if line.isprintable():
            continue
        for at, char in enumerate(line):
            if (finding := _finding(line, at, char)) and not (finding[0] == "stray-character" and number >= below and values):
                yield Diagnostic(finding[0], f"{where}:{number}", *finding[1:])


def _finding(line: str, at: int, char: str) -> tuple[str, str, str] | None:
    if char == "\t" or char.isprintable():
        return None
    kind = unicodedata.category(char)
    if char in TURNING:
        return (
            "turning-character",
            f"{_code(char)} turns the direction of the text around it",
            f"take it out, or write {_escape(char)} in quotes",
        )
    if kind == "Cc":
        return "control-character", f"the control character {_code(char)}", f"take it out, or write {_escape(char)} in quotes"
    if kind in ("Zl", "Zp"):
        return "control-character", f"{_code(char)} ends a line for some readers only", "end the line with a plain line end"
    if kind == "Cf" and not (char in _JOINERS and _joins(line, at)):
        return "hidden-character", f"{_code(char)} cannot be seen", f"take it out, or write {_escape(char)} in quotes"
    if kind in ("Co", "Cs") or (kind == "Cn" and not _perhaps_later(char)):
        return "stray-character", f"{_code(char)} is no character that is in use", "take it out"
    return None


def _perhaps_later(char: str) -> bool:
    """Whether a later version of Unicode than this Python's may know the character: emoji and Han are still added."""
    return 0x1F000 <= ord(char) < 0x1FC00 or 0x20000 <= ord(char) < 0x3FFFE


def _joins(text: str, at: int) -> bool:
    """Whether a joiner stands between letters or signs that it can join, as in the emoji of a family."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return bool(before and after) and not before.isascii() and not after.isascii()


def syntax(error: Exception, text: str, where: str) -> Diagnostic:
    """A text that is not Python, with what to write instead where that is known."""
    if isinstance(error, TooMuch) or not isinstance(error, SyntaxError):
        return Diagnostic("syntax", where, "the code is nested too deeply, or is not text", "write it in shorter steps")
    place = f"{where}:{error.lineno}" if error.lineno else where
    line = text.split("\n")[error.lineno - 1] if error.lineno and error.lineno <= text.count("\n") + 1 else ""
    char = line[error.offset - 1 : error.offset] if error.offset else ""
    if instead := _INSTEAD.get(char):
        code = "smart-quote" if instead in "'\"" else "look-alike"
        return Diagnostic(code, place, f"{char} is not Python: it is {_code(char)}", f"write {instead} instead")
    if line.lstrip().startswith("```"):
        return Diagnostic("syntax", place, "a Markdown fence is not Python", "write the code alone, without ```")
    return Diagnostic("syntax", place, f"not Python: {error.msg}", _HINTS.get(error.msg, ""))


_HINTS = {
    "the finally parts come to too much code": "write fewer of them, none inside another, with fewer returns",
    "unterminated string literal": 'close the quotes; for text over several lines write """…"""',
    "unexpected indent": "indent by four spaces a level",
    "'await' outside function": "there is nothing to wait for here; call the function plainly",
}


def name_problem(name: str) -> str:
    """What to write instead of a name that is not plain ASCII."""
    letters = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in letters if not unicodedata.combining(c))
    return f"write {plain} instead" if plain.isascii() else "use the letters a to z"


def _code(char: str) -> str:
    name = unicodedata.name(char, "").lower()
    return f"U+{ord(char):04X}" + (f" ({name})" if name else "")


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
