"""The changes, or an object, in a reply.

A harmless repair is made and reported as a finding. What cannot be read raises ReplyError, and nothing else is raised,
whatever the text is. Whether a change makes sense is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from uac_nb.errors import Diagnostic, ReplyError
from uac_nb.model.replies.text import Piece, finding, pieces_of, short

CHANGES = (
    "define", "extend", "reshape", "add", "amend", "confirm", "close", "supersede", "note", "absorb", "merge", "derive", "rule",
    "concern", "forget", "skip",
)  # fmt: skip

LONGEST = 20_000  # characters of one text in a change, as its vocabulary has it
LONGEST_FACT = 2_000  # and of what is one sentence: longer ones are no fact and no title
SENTENCES = ("fact", "why", "title")
LAST = 2**63 - 1  # the highest number that an entry can have
MOST = 1_000  # changes in a reply
WIDEST = 3_000_000  # characters of a reply, which take seconds to read at worst

# What models write instead of our words; a renamed key is taken only where ours is missing.
NAMES = {"create": "add", "insert": "add", "define_type": "define", "update": "amend", "ignore": "skip", "add_note": "note"}
CHANGE_KEYS = ("op", "type", "action", "kind", "operation")
KEYS: Mapping[str, tuple[str, ...]] = {
    "source": ("sources", "entries", "source_ids", "entry_ids", "evidence"),
    "id": ("record_id", "record"),
    "values": ("fields", "data"),
    "set": ("values", "fields", "data"),
}
ONLY = {"values": ("add",), "set": ("amend",)}  # the changes that have the field
LISTS = ("changes", "operations", "actions", "updates", "result", "output", "response", "answer")


@dataclass(frozen=True)
class Read:
    """The changes of a reply as JSON, in order, and what was repaired or lost. `cut`: some of it is missing."""

    changes: tuple[dict[str, Any], ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    cut: bool = False


def read_changes(text: str, finish: str = "stop") -> Read:
    """The changes in a reply. Raise ReplyError when there are none to be read.

    >>> read_changes('Sure! [{"op": "skip", "sources": 3, "reason": "thanks"},]').changes
    ({'change': 'skip', 'reason': 'thanks', 'source': [3]},)
    """
    pieces, found = _pieces(text)
    chosen, items = _chosen(pieces, found)
    if len(items) > MOST:
        found.append(finding("too-many", f"the reply holds {len(items):,} changes; the first {MOST:,} were read"))
    cut = finish == "length" or len(items) > MOST or any(piece.cut or piece.broken for piece in chosen)
    if not chosen:
        raise ReplyError(_nothing(text, pieces, '{"changes": [...]}', finish))
    changes = []
    for number, item in enumerate(items[:MOST]):
        if isinstance(item, dict):
            change = _normal(item, found)
            if excess := _excess(change):
                found.append(finding("excess", f"{excess}; the change was left out", f"$.changes[{number}]"))
            else:
                changes.append(change)
        else:
            found.append(finding("not-a-change", f"{short(str(item))} is no change; it was left out", f"$.changes[{number}]"))
    if cut:
        found.append(finding("cut", f"the reply is not whole: {len(changes)} changes of it could be read, others are lost"))
    return Read(tuple(changes), tuple(dict.fromkeys(found)), cut)


def read_object(text: str, keys: Collection[str], finish: str = "stop") -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """The last whole object in a reply that has one of `keys`, and what was repaired. Raise ReplyError when there is none."""
    pieces, found = _pieces(text)
    whole = [piece.value for piece in pieces if isinstance(piece.value, dict) and not piece.cut]
    fitting = [v for value in whole for v in (*value.values(), value) if isinstance(v, dict) and not set(keys).isdisjoint(v)]
    if not fitting:
        raise ReplyError(_nothing(text, pieces, f"an object with {' or '.join(sorted(keys))}", finish))
    return fitting[-1], tuple(dict.fromkeys(found))


def _pieces(text: str) -> tuple[list[Piece], list[Diagnostic]]:
    if len(text) > WIDEST:
        raise ReplyError(f"the reply has {len(text):,} characters, more than can be meant ({WIDEST:,}); ask again")
    return pieces_of(text)


# --- the changes in JSON ---


def _chosen(pieces: list[Piece], found: list[Diagnostic]) -> tuple[list[Piece], list[Any]]:
    """The pieces that hold the changes, and these: the last whole answer, else all lists and single changes there are."""
    answers: list[tuple[Piece, list[Any]]] = []
    loose: list[tuple[Piece, list[Any]]] = []
    for piece in pieces:
        items, whole = _items(piece.value)
        if items is None or (piece.cut and items == [piece.value]):  # half a change is none
            continue
        (answers if whole else loose).append((piece, items))
    if len(answers) > 1:
        found.append(finding("twice", f"the reply holds {len(answers)} answers; the last was read"))
    taken = (
        answers[-1:] or loose or [(piece, []) for piece in pieces if len(pieces) == 1 and piece.value == [] and not piece.cut]
    )
    return [piece for piece, _ in taken], [item for _, items in taken for item in items]


def _excess(value: Any, key: str = "") -> str:
    """Return what in a change is too long or too large to be meant; "" where nothing is."""
    if isinstance(value, str):
        most = LONGEST_FACT if key in SENTENCES else LONGEST
        return f"{short(key)} has {len(value):,} characters (at most {most:,})" if len(value) > most else ""
    if isinstance(value, int) and key in ("source", "entries"):
        return f"{short(key)} names an entry that no log can have" if abs(value) > LAST else ""
    if isinstance(value, dict):
        inner = [*value.items(), *(("a name", name) for name in value)]
    else:
        inner = [(key, part) for part in value] if isinstance(value, list) else []
    return next((told for name, part in inner if (told := _excess(part, name))), "")


def _items(value: Any, depth: int = 0) -> tuple[list[Any] | None, bool]:
    """The changes in a value, and whether it is a whole answer (an object that lists them)."""
    if isinstance(value, list):
        return (value if any(_is_change(item) for item in value) else None), False
    if not isinstance(value, dict):
        return None, False
    if _is_change(value):
        return [value], False
    for name in LISTS:
        inner = value.get(name)
        if isinstance(inner, list) and (name == LISTS[0] or any(_is_change(item) for item in inner)):
            return inner, True
    if depth < 2:  # {"arguments": {"changes": …}}, or the schema filled in
        for inner in value.values():
            items, whole = _items(inner, depth + 1) if isinstance(inner, dict) else (None, False)
            if whole:
                return items, True
    return None, False


def _is_change(value: Any) -> bool:
    return isinstance(value, dict) and _named(value)[0] is not None


def _named(item: Mapping[str, Any]) -> tuple[str | None, str]:
    """Which change it is, and the key that says so."""
    for key in ("change", *CHANGE_KEYS):
        said = item.get(key)
        name = said.strip().lower() if isinstance(said, str) else ""
        if NAMES.get(name, name) in CHANGES:
            return NAMES.get(name, name), key
    only = next(iter(item), "")
    if len(item) == 1 and only in CHANGES and isinstance(item[only], dict):  # {"add": {…}}
        return only, only
    return None, ""


def _normal(item: Mapping[str, Any], found: list[Diagnostic]) -> dict[str, Any]:
    """A change in our words. What is not known is kept: the checks will name it."""
    name, key = _named(item)
    if name is None:
        return dict(item)
    rest = dict(item[key]) if key == name else {k: v for k, v in item.items() if k != key}
    if key != "change" or item[key] != name:
        found.append(finding("renamed", f"{key!r}: {short(str(item[key]))} was read as 'change': {name!r}"))
    for ours, theirs in KEYS.items():
        other = next((k for k in theirs if k in rest), None)
        if ours in rest or other is None or name not in ONLY.get(ours, CHANGES) or (name, other) == ("forget", "entries"):
            continue
        rest[ours] = rest.pop(other)
        found.append(finding("renamed", f"{other!r} was read as {ours!r}"))
    if "source" in rest:
        rest["source"] = _numbers(rest["source"])
    return {"change": name, **{k: v for k, v in rest.items() if v is not None}}


def _numbers(source: Any) -> Any:
    """Entry numbers as a list of ints: 12, "12", "[12]", "#12" and 12.0 are all 12."""
    items = source if isinstance(source, list) else [source]
    return [_number(item) for item in items]


def _number(item: Any) -> Any:
    if isinstance(item, float) and item.is_integer():
        return int(item)
    match = re.fullmatch(r"\s*(?:\[|#|entry )?(\d{1,12})\]?\s*", item) if isinstance(item, str) else None
    return int(match[1]) if match else item


# --- what a reply is, when it is not what was asked for ---

REFUSAL = re.compile(r"(i'm |i am )?(very )?(sorry|unable)|i (can't|cannot|can not|won't|will not)\b|as an ai\b", re.IGNORECASE)
PROGRAM = re.compile(r"^(from [\w.]+ import |import \w+$|def \w+\(|class \w+[(:]|@\w+|[A-Za-z_]+ = [\[{(])", re.MULTILINE)
HTML = re.compile(r"\s*<(!doctype|html|head|body)", re.IGNORECASE)


def _nothing(text: str, pieces: list[Piece], wanted: str, finish: str) -> str:
    cut = ", cut at the token limit," if finish == "length" else ""
    return f"the reply{cut} is {_kind(text.strip(), pieces)}, not {wanted}; ask again, or try another model"


def _kind(text: str, pieces: list[Piece]) -> str:
    objects = [piece.value for piece in pieces if isinstance(piece.value, dict)]
    if not text:
        return "empty"
    if HTML.match(text):
        return "an HTML page"
    if REFUSAL.match(text.replace("’", "'")):
        return f"a refusal ({short(text)})"
    if PROGRAM.search(text) and not text.startswith(("{", "[")):
        return f"a Python program ({short(text)})"
    if any("properties" in value or "$defs" in value for value in objects):
        return "the schema repeated"
    if objects:
        return f"JSON with {short(', '.join(objects[-1]) or 'no keys')}"
    letters = [c for c in text if c.isalpha()]
    if sum(c > "\u024f" for c in letters) * 2 > len(letters):
        return f"words in another language ({short(text)})"
    return f"plain words ({short(text)})"
