"""Where an import comes from: a file or values at hand, opened with suspicion.

Exports are often not what their name says: a folder, a zip, a web page, half a download, an old encoding. What can be
read is read, and said; what cannot is refused with what to do about it.
"""

from __future__ import annotations

import codecs
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import IO, Any, TypeVar

from uac_nb.errors import LogError
from uac_nb.importers.report import Place, shown, where
from uac_nb.log.rows import LONGEST

HEAD = 65_536  # characters looked at to recognise a format
LONGEST_LINE = 16_000_000  # characters; a longer line is no text export
_JSON = re.compile(r"\s*(\{\s*(\"|\}|$)|\[\s*([\[{\"\]]|$))")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SAID = {"utf-16": "UTF-16", "cp1252": "Windows-1252", "latin-1": "Latin-1"}
_PACKED = {
    b"PK\x03\x04": "a zip",
    b"PK\x05\x06": "a zip",
    b"\x1f\x8b": "a gzip file",
    b"Rar!": "a rar archive",
    b"7z\xbc\xaf": "a 7z archive",
}
_OTHER = {b"%PDF": "a PDF", b"SQLite format 3": "a database", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture"}
_EXPORTS = (".json", ".jsonl", ".txt", ".csv", ".md")

_BLOCK = 1 << 20
_AGAIN = "export or copy it again"

T = TypeVar("T")


class Source:
    """A file, or a value: a DataFrame, or what JSON would hold. `kind` is "frame", "json", "jsonl" or "text".

    As a context manager it closes, at the end, what was opened within and not read to its end.
    """

    def __init__(self, name: str, path: Path | None, value: Any, encoding: str = "") -> None:
        self.name = name
        self.path = path
        self.value = value
        self.encoding = encoding
        self._files: list[IO[str]] = []

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        while self._files:
            self._files.pop().close()

    @classmethod
    def open(cls, source: Any) -> Source:
        """Look at what there is to import. Raise LogError where it is nothing that can be read."""
        if isinstance(source, str | PathLike):
            return cls._file(source)
        if hasattr(source, "itertuples") and hasattr(source, "columns"):
            return cls("DataFrame", None, source)
        if isinstance(source, list | tuple | Mapping):
            return cls("the list" if not isinstance(source, Mapping) else "the mapping", None, source)
        raise LogError(f"{type(source).__name__} is nothing to import; give a file, a DataFrame, or a list of messages")

    @classmethod
    def _file(cls, given: str | PathLike[str]) -> Source:
        path = Path(given)
        try:
            if path.is_dir():
                raise LogError(_unpacked(path.name or str(path), "a folder", sorted(_exports(path))))
            if path.exists() and not path.is_file():  # a pipe can be read once, and a file is read several times
                raise LogError(f"{shown(str(given))} is no file; save what comes from it to one, and import that")
            with path.open("rb") as file:
                encoding = _encoding(path.name, file)
        except FileNotFoundError:
            raise LogError(f"there is no file {shown(str(given))}; check the path") from None
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            reason = getattr(error, "strerror", None) or str(error)
            raise LogError(f"{shown(str(given))} cannot be read: {reason}; check the path and its rights") from error
        return cls(path.name, path, None, encoding)

    @cached_property
    def title(self) -> str:
        """The name of the talk, from that of the file; a second download of it is called "… (1)"."""
        return re.sub(r" ?\(\d+\)$", "", self.path.stem) if self.path else ""

    @property
    def note(self) -> str:
        """What has to be said of the encoding; "" where it is UTF-8."""
        said = _SAID.get(self.encoding)
        doubt = "" if self.encoding == "utf-16" else "; where letters look wrong, save it as UTF-8 and import that"
        return f"not UTF-8: read as {said}{doubt}" if said else ""

    def error(self, place: Place, message: str) -> LogError:
        return LogError(f"{where(self.name, place)}: {message}")

    # --- text ---

    @cached_property
    def head(self) -> str:
        """The beginning of the text; "" of a value."""
        if self.path is None:
            return ""
        with self._text() as file:
            return file.read(HEAD)

    def _text(self) -> IO[str]:
        assert self.path is not None
        file = self.path.open(encoding=self.encoding, newline="\n")  # a lone \r is part of what was said
        self._files.append(file)
        return file

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text, with their ends, keeping none. LogError for one without end."""
        with self._text() as file:
            number = 0
            while line := file.readline(LONGEST_LINE):
                number += 1
                if len(line) == LONGEST_LINE:
                    raise self.error(number, f"a line of more than {LONGEST_LINE:,} characters; this is no text export")
                yield line

    def turns(self, head: Callable[[str], T | None]) -> Iterator[tuple[int, T | None, list[str]]]:
        """Yield each line that `head` reads as the head of a turn: its number, what was read, and the lines below it.

        What stands above the first head comes first, with None. Lines are without their ends.
        """
        start, found, below, size = 1, None, list[str](), 0
        for number, line in enumerate(self.lines(), 1):
            line = line.removesuffix("\n").removesuffix("\r")
            next = head(line)
            if next is None:
                below.append(line)
                size += len(line) + 1
                if size > LONGEST:
                    raise self.error(start, f"more than {LONGEST:,} characters in one message; split it")
                continue
            if found is not None or below:
                yield start, found, below
            start, found, below, size = number, next, [], 0
        if found is not None or below:
            yield start, found, below

    # --- JSON ---

    @cached_property
    def kind(self) -> str:
        if self.path is None:
            return "frame" if hasattr(self.value, "itertuples") else "json"
        if not _JSON.match(self.head):
            return "text"
        return "jsonl" if self._is_lines() else "json"

    def _is_lines(self) -> bool:
        """Whether the first line with anything in it is JSON by itself, and there are more."""
        with self._text() as file:
            first = next(line for line in iter(lambda: file.readline(LONGEST_LINE), "") if line.strip())
            try:
                json.loads(first)
            except (ValueError, RecursionError):
                return False
            return any(line.strip() for line in iter(lambda: file.readline(LONGEST_LINE), ""))

    @cached_property
    def json(self) -> Any:
        """The whole of a JSON file, or the value; None where it is none."""
        if self.kind != "json":
            return None
        if self.path is None:
            return self.value
        with self._text() as file:
            return self._parsed(file.read(), 0)

    def _parsed(self, text: str, line: int) -> Any:
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            cut = not text[error.pos :].strip() or error.msg.startswith("Unterminated string")
            what = f"the JSON ends too early (half a download?); {_AGAIN}" if cut else f"no JSON: {error.msg}"
            column = f"column {error.colno} (character {error.pos:,})"
            raise self.error(line or error.lineno, f"{column}: {what}") from None
        except (ValueError, RecursionError) as error:  # a number of thousands of digits; nested without end
            raise self.error(line, f"JSON that cannot be read ({type(error).__name__}); export it again") from None

    def records(self) -> Iterator[tuple[Place, Any]]:
        """Yield each value of JSON lines or of a JSON list with its place; a JSON object is one value."""
        if self.kind == "jsonl":
            for number, line in enumerate(self.lines(), 1):
                if line.strip():
                    yield number, self._parsed(line, number)
        elif isinstance(self.json, list | tuple):
            yield from ((f"item {number}", value) for number, value in enumerate(self.json, 1))
        elif self.json is not None:
            yield "", self.json

    @cached_property
    def sample(self) -> list[Any]:
        """The first few records."""
        return [value for _, value in islice(self.records(), 5)]


def _exports(folder: Path) -> Iterator[str]:
    files = (path for path in folder.rglob("*") if path.suffix.lower() in _EXPORTS and path.is_file())
    return (str(path.relative_to(folder)) for path in islice(files, 1_000))


def _unpacked(name: str, what: str, files: list[str] | None) -> str:
    """Say what to import in place of a folder or an archive. `files` are the exports in it, None where nobody can tell."""
    remedy = "import the files in it one by one" if what == "a folder" else "unpack it and import the files one by one"
    inside = ", ".join(map(shown, files[:5])) if files else ""
    more = f" and {len(files) - 5:,} more" if files and len(files) > 5 else ""
    found = f": {inside}{more}" if files else " (it holds no export that is known)" if files is not None else ""
    return f"{shown(name)} is {what}; {remedy}{found}"


def _encoding(name: str, file: IO[bytes]) -> str:
    """Return the encoding of a text file. LogError where it is none, or empty."""
    start = file.read(4_096)
    for magic, what in _PACKED.items():
        if start.startswith(magic):
            raise LogError(_unpacked(name, what, _members(file)))
    other = next((what for magic, what in _OTHER.items() if start.startswith(magic)), None)
    if other:
        raise LogError(f"{shown(name)} is {other}, not a chat export; export the talk as text or JSON")
    if not start:
        raise LogError(f"{shown(name)} is empty; export it again")
    if start.startswith(_UTF16):
        return _utf16(name, file)
    if start.count(0) * 4 > len(start):  # UTF-16 without a mark has them in every other place
        raise LogError(f"{shown(name)} is no text (it is full of NUL bytes); save it as UTF-8 text and import that")
    return _utf8(name, file)


def _members(file: IO[bytes]) -> list[str] | None:
    """The exports in a zip; None where it is another archive, or a damaged one."""
    try:
        with zipfile.ZipFile(file) as archive:
            return sorted(member for member in archive.namelist() if member.lower().endswith(_EXPORTS))
    except (zipfile.BadZipFile, NotImplementedError):
        return None


def _utf16(name: str, file: IO[bytes]) -> str:
    file.seek(0)
    decoder = codecs.getincrementaldecoder("utf-16")()
    try:
        while block := file.read(_BLOCK):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise LogError(f"{shown(name)} begins as UTF-16 and is not; {_AGAIN}") from None
    return "utf-16"


def _utf8(name: str, file: IO[bytes]) -> str:
    """Look at all bytes: Windows-1252 or Latin-1 where they are not UTF-8, unless a letter before the fault was."""
    file.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    wide = False  # a letter of several bytes was seen
    done = 0
    try:
        while block := file.read(_BLOCK):
            pending = len(decoder.getstate()[0])
            letters = decoder.decode(block)
            wide = wide or not letters.isascii()
            done += len(block)
        pending = len(decoder.getstate()[0])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        if not wide and error.object[: error.start].isascii():
            return _narrow(file)
        if error.reason == "unexpected end of data":
            raise LogError(f"{shown(name)} ends within a letter (half a download?); {_AGAIN}") from None
        at = done - pending + error.start
        raise LogError(f"{shown(name)} is damaged: byte {at:,} is not UTF-8; {_AGAIN}") from None
    return "utf-8-sig"  # with or without a mark at the beginning


def _narrow(file: IO[bytes]) -> str:
    """Windows-1252, which has signs where Latin-1 has control characters, unless a byte has no meaning in it."""
    file.seek(0)
    holes = bytes([0x81, 0x8D, 0x8F, 0x90, 0x9D])
    while block := file.read(_BLOCK):
        if len(block.translate(None, holes)) < len(block):
            return "latin-1"
    return "cp1252"
