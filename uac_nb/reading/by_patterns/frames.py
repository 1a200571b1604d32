"""The table of frames: which shapes of sentences are read into which type. It is data; this is its parser.

    Allergy: {who} be allergic|intolerant to {avoids: things}
        + I'm severely allergic to penicillin.
        + My sister is allergic to cats and dust mites.
        - If I were allergic to dairy I'd be sad.

A row names a type, of the starter types or of the project, and a pattern. Words of a pattern match in all their forms ("fly",
"flew"), `a|b` is either (`go_to` is two words), [brackets] may be left out, CAPITALS stand for a list that a line such as
`BUY = buy|order` gives. `{field: kind}` is a slot, of one of the kinds in `SLOTS` or of the spans that may stand anywhere in
the clause (`SPANS`): one that the pattern names has to be there. `{who}` is the subject, `{whose}` an owner. Before the colon
may stand `ends` (what was so is no more, or never was), `adds` (it says more of what the message told before), and constants
(`kind=phone`), `now` (it is so when it is said), `past` (it has happened) and `there`
(its day lies within a stay). Under a row stand two examples that it reads (+) and one that it must not (-).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import product
from typing import Literal

from uac_nb.english.text import lexicon
from uac_nb.errors import Diagnostic
from uac_nb.reading.by_patterns.clauses import SPANS
from uac_nb.reading.by_patterns.words import stem

CLOSED = lexicon(
    "event occasion plan account bill title meal sport symptom medicine medicines phone email country name"
)  # kinds that take few words
KNOWING = CLOSED | lexicon("person persons place places")  # kinds whose words we know; a frame with more of them comes first
SLOTS = (
    *("who", "whose", "thing", "things", "words", "person", "persons", "place", "places", "destination", "destinations"),
    *("employer", "role", "address", "number", *sorted(CLOSED)),
)
Effect = Literal["holds", "ends", "adds"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of a pattern that takes words: for which field, and of which kind."""

    field: str
    kind: str


@dataclass(frozen=True, slots=True)
class Words:
    """A part of a pattern that is one of some words, each as stems; `may` be missing only as a form of "be"."""

    any: tuple[tuple[str, ...], ...]

    @property
    def be(self) -> bool:
        return ("be",) in self.any


@dataclass(frozen=True)
class Frame:
    """One row of the table."""

    type: str
    pattern: str
    effect: Effect
    marks: frozenset[str]
    constants: Mapping[str, str]
    reads: tuple[str, ...]
    never: tuple[str, ...]
    lists: Mapping[str, str] = field(default_factory=dict, compare=False)

    @cached_property
    def shapes(self) -> tuple[tuple[Slot | Words, ...], ...]:
        """Return the pattern as parts, once with and once without each option."""
        options = [((), part[1:-1]) if part[0] == "[" else (part,) for part in _PART.findall(self.pattern)]
        return tuple(dict.fromkeys(tuple(self._parts(" ".join(filter(None, chosen)))) for chosen in product(*options)))

    def _parts(self, text: str) -> Iterator[Slot | Words]:
        for part in _PART.findall(text):
            if part[0] == "{":
                name, _, kind = part[1:-1].partition(":")
                yield Slot(name.strip(), kind.strip() or name.strip())
            else:
                spelled = "|".join(self.lists.get(word, word) for word in part.split("|"))
                ways = {tuple(map(stem, way.replace("_", " ").split())) for way in spelled.split("|")}
                yield Words(tuple(sorted(ways, key=len, reverse=True)))


_PART = re.compile(r"\[[^\]]*\]|\{[^}]*\}|\S+")
_LIST = re.compile(r"([A-Z]{2,}) = (.+)")
_HEAD = re.compile(r"([A-Z]\w*)((?: \w+(?:=\S*)?)*): (.+)")


def parse(text: str, lists: Mapping[str, str] | None = None) -> tuple[tuple[Frame, ...], tuple[Diagnostic, ...]]:
    """Return the frames that a text holds, and what is wrong with the others."""
    lists = dict(lists or {})
    frames: list[Frame] = []
    findings: list[Diagnostic] = []
    for number, rows in _blocks(text):
        head, where = rows[0].strip(), f"line {number}"
        if named := _LIST.fullmatch(head):
            lists[named[1]] = "|".join(lists.get(word, word) for word in named[2].split("|"))
            continue
        reads = tuple(row.strip()[1:].strip() for row in rows[1:] if row.strip()[0] == "+")
        never = tuple(row.strip()[1:].strip() for row in rows[1:] if row.strip()[0] == "-")
        match = _HEAD.fullmatch(head)
        if not match:
            findings.append(_wrong(where, f"{head!r} is no frame", "write it as Type: pattern, the type with a capital"))
        elif len(reads) + len(never) < len(rows) - 1 or len(reads) < 2 or not never:
            findings.append(
                _wrong(where, f"{head!r} lacks examples", "give two that it reads (+) and one that it must not (-)")
            )
        elif trouble := _trouble(match[3], lists):
            findings.append(_wrong(where, f"{head!r}: {trouble}", f"kinds of slots are {', '.join((*SLOTS, *SPANS))}"))
        else:
            frames.append(_frame(match, reads, never, lists))
    return tuple(frames), tuple(findings)


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the lines that are indented under it."""
    block: list[str] = []
    start = 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.strip().startswith("#") or (line[:1].isspace() and block and line.strip()):
            block += [line] if not line.strip().startswith("#") else []
            continue
        if block:
            yield start, block
        block, start = ([line] if line.strip() else []), number


def _trouble(pattern: str, lists: Mapping[str, str]) -> str:
    parts = re.findall(r"[^\s\[\]{}]+(?![^{]*\})|\{[^}]*\}", pattern)
    for part in parts:
        kind = (part.strip("{}").partition(":")[2] or part.strip("{}")).strip() if part[0] == "{" else ""
        if kind and kind not in (*SLOTS, *SPANS):
            return f"{kind!r} is no kind of slot"
        unknown = [word for word in part.split("|") if re.fullmatch("[A-Z]{2,}", word) and word not in lists]
        if part[0] != "{" and unknown:
            return f"{unknown[0]} is no list of words"
    if all(part[0] == "{" and part.strip("{}").partition(":")[2].strip() not in CLOSED for part in parts):
        return "a frame needs a word of its own"
    return ""


def _frame(match: re.Match[str], reads: tuple[str, ...], never: tuple[str, ...], lists: Mapping[str, str]) -> Frame:
    marks = match[2].split()
    effect: Effect = "ends" if "ends" in marks else "adds" if "adds" in marks else "holds"
    constants = {name: value.replace("_", " ") for name, _, value in (m.partition("=") for m in marks if "=" in m)}
    return Frame(match[1], match[3], effect, frozenset(marks), constants, reads, never, lists)


def _wrong(where: str, what: str, hint: str) -> Diagnostic:
    return Diagnostic("frame", where, what, hint)


# --- frames by the words that they need ---


@dataclass(frozen=True)
class Table:
    """Frames, found by a word that a clause must have for them."""

    frames: tuple[Frame, ...]

    @cached_property
    def _by_word(self) -> Mapping[str, Sequence[tuple[Frame, tuple[Slot | Words, ...]]]]:
        found: dict[str, list[tuple[Frame, tuple[Slot | Words, ...]]]] = {}
        for frame in self.frames:
            for shape in frame.shapes:
                needed = [part for part in shape if isinstance(part, Words) and not part.be]
                fewest = min(needed, key=lambda part: len(part.any), default=None)
                for word in {way[0] for way in fewest.any} if fewest else {""}:
                    found.setdefault(word, []).append((frame, shape))
        return found

    def for_words(self, stems: Iterable[str]) -> Iterator[tuple[Frame, tuple[Slot | Words, ...]]]:
        """Yield the frames of which a clause with these words may be one."""
        for word in dict.fromkeys((*stems, "")):
            yield from self._by_word.get(word, ())


@lru_cache(maxsize=1)
def own_table() -> Table:
    """Return the table that ships with us."""
    frames, findings = parse(files(__package__).joinpath("frames.txt").read_text("utf-8"))
    if findings:
        raise ValueError("; ".join(map(str, findings)))
    return Table(frames)


@lru_cache(maxsize=1)
def _own_lists() -> Mapping[str, str]:
    return own_table().frames[-1].lists


@lru_cache(maxsize=8)
def table_with(text: str) -> tuple[Table, tuple[Diagnostic, ...]]:
    """Return our table with the frames of a person's own before it, and what is wrong with these."""
    if not text.strip():
        return own_table(), ()
    frames, findings = parse(text, _own_lists())
    return Table((*frames, *own_table().frames)), findings


def merged(old: str, new: str) -> str:
    """Return the frames of two texts: a row that stands in both is the new one."""
    rows: dict[str, list[str]] = {}
    for text in (old, new):
        rows |= {block[0].strip(): block for _, block in _blocks(text)}
    return "".join(f"{line.rstrip()}\n" for block in rows.values() for line in block)
