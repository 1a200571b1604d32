"""The line behind a magic: options first, then words that are left exactly as they are.

`magic_arguments` keeps the quotation marks of values and would take a question apart, so this is its own small grammar:
``--at 2025-01-10 --session "first talk" --again the rest``. The same table of options is read by the completion.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uac_nb.errors import UacError


@dataclass(frozen=True, slots=True)
class Option:
    """`value` says in a word what follows it; empty for a switch. `help` is a phrase. With `many`, values join by commas.

    A `verb` is one of the words of a line, written with dashes or without: --accept 41 is accept 41.
    """

    name: str
    value: str
    help: str
    many: bool = False
    verb: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A parsed line: the options that were given, by name, and the words after them."""

    given: Mapping[str, str]
    rest: str

    def __getitem__(self, name: str) -> str | None:
        return self.given.get(name)

    def has(self, name: str) -> bool:
        return name in self.given


_OPTION = re.compile(r"\s*--([a-z][a-z-]*)(?:=|(?=\s|$))")
_VALUE = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|(\S+))")
_WORD = re.compile(r"(\s*)(?!--)(\"[^\"]*\"(?!\S)|'[^']*'(?!\S)|\S+)")  # what is in quotes is one, and has no options


def parse(magic: str, text: str, options: Sequence[Option] = (), *, prose: bool = False) -> Line:
    """Split a magic's line. Options of `prose` stand in front only; else also behind the first word.

    Raise UacError for an option that the magic does not have, or one without its value.

    >>> parse("uac_code", "travel --base 29", [Option("base", "HASH", "what it was rendered from")])
    Line(given={'base': '29'}, rest='travel')
    """
    given: dict[str, str] = {}
    at, words = 0, []
    while True:
        if found := _OPTION.match(text, at):
            option = _known(magic, found[1], options)
            at = found.end()
            if option.verb:
                words.append(f" {option.name} ")
            elif option.value:
                value = _VALUE.match(text, at)
                if not value or (value[3] or "").startswith("--"):
                    raise UacError(f"%{magic}: --{option.name} needs a value, as in --{option.name} {option.value}")
                at = value.end()
                told = next(group for group in value.groups() if group is not None)
                given[option.name] = f"{given[option.name]},{told}" if option.many and option.name in given else told
            else:
                given[option.name] = ""
        elif not prose and (word := _WORD.match(text, at)):
            words.append(word[0])
            at = word.end()
        else:
            break
    return Line(given, (text[at:] if prose else "".join(words)).strip())


def _known(magic: str, name: str, options: Sequence[Option]) -> Option:
    for option in options:
        if option.name == name:
            return option
    near = difflib.get_close_matches(name, [o.name for o in options], 1)
    has = ", ".join(f"--{o.name}" for o in options) or "none"
    raise UacError(f"%{magic} has no option --{name}" + (f"; did you mean --{near[0]}?" if near else f" (options: {has})"))
