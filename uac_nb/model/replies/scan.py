"""Reading one JSON value that may be cut short or slightly wrong."""

from __future__ import annotations

import re
from typing import Any

SPACE = re.compile(r"\s*")
STRINGS = {quote: re.compile(rf"(?:[^{quote}\\]|\\.)*", re.DOTALL) for quote in "\"'"}
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
NUMBER = re.compile(r"-?\d{1,300}(\.\d{1,300})?([eE][+-]?\d{1,3})?(?![\w.])")
WORD = re.compile(r"-?[A-Za-z]+")
WORDS = {"true": True, "false": False, "null": None}
FOREIGN = {"True": True, "False": False, "None": None, "undefined": None, "NaN": None, "Infinity": None, "-Infinity": None}
PYTHON = "Python's quotes and words were read as JSON's"
DEEPEST = 60


class Broken(Exception):
    """This is no JSON, nor anything near it."""


class TooDeep(Broken):
    """… or too deep to be an answer."""


class End(Exception):
    """The text ends within a value."""


class Scanner:
    """Reads one value from a place in a text. Of what is cut, whole members and items are kept."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        self.cut = False
        self.members = 0  # pairs read so far
        self.repairs: dict[str, str] = {}
        self.depth = 0

    def value(self) -> Any:
        char = self._next()
        if char in "{[":
            self.depth += 1
            if self.depth > DEEPEST:
                raise TooDeep("it is nested too deeply")
            value = self._object() if char == "{" else self._list()
            self.depth -= 1
            return value
        return self._string() if char in STRINGS else self._word()

    def _object(self) -> dict[str, Any]:
        pairs: dict[str, Any] = {}
        self.at += 1
        try:
            while not self._closed("}", first=not pairs):
                if self._next() not in STRINGS:
                    raise Broken("a key is missing")
                key = self._string()
                if self._next() != ":":
                    raise Broken("a colon is missing")
                self.at += 1
                pairs[key] = self.value()
                self.members += 1
                if self.cut:
                    break
        except End:
            self.cut = True
        return pairs

    def _list(self) -> list[Any]:
        items: list[Any] = []
        self.at += 1
        try:
            while not self._closed("]", first=not items):
                item = self.value()
                if self.cut:  # half an item is none
                    break
                items.append(item)
        except End:
            self.cut = True
        return items

    def _closed(self, bracket: str, *, first: bool) -> bool:
        """Step over the closing bracket, or over the comma before the next item."""
        comma = not first and self._next() == ","
        self.at += comma
        if self._next() == bracket:
            if comma:
                self.repairs["comma"] = "a comma before a closing bracket was ignored"
            self.at += 1
            return True
        if not first and not comma:
            raise Broken("a comma or a closing bracket is missing")
        return False

    def _string(self) -> str:
        quote = self.text[self.at]
        match = STRINGS[quote].match(self.text, self.at + 1)
        assert match is not None  # the pattern matches nothing, too
        if match.end() >= len(self.text) or self.text[match.end()] != quote:
            raise End
        if quote == "'":
            self.repairs["python"] = PYTHON
        self.at = match.end() + 1
        return ESCAPE.sub(lambda e: chr(int(e[1], 16)) if e[1] else ESCAPED.get(e[2], e[2]), match[0])

    def _word(self) -> Any:
        match = NUMBER.match(self.text, self.at) or WORD.match(self.text, self.at)
        if match is None:
            raise Broken("a value is missing")
        if match.end() == len(self.text):  # a number may go on
            raise End
        self.at = match.end()
        word = match[0]
        if word in WORDS:
            return WORDS[word]
        if word in FOREIGN:
            self.repairs["python"] = PYTHON
            return FOREIGN[word]
        if not word.lstrip("-")[0].isdigit():
            raise Broken("a value is missing")
        number = float(word) if match.re is NUMBER and (match[1] or match[2]) else int(word)
        if number in (float("inf"), float("-inf")):
            raise Broken("a number is too large")
        return number

    def _next(self) -> str:
        """The next character that is no space. Raise End when there is none."""
        match = SPACE.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        if self.at >= len(self.text):
            raise End
        return self.text[self.at]
