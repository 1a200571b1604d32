"""Archives that no export wrote, though their hashes hold: one line says so, and nothing is left on disk."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User
from uac_nb.errors import LogError
from uac_nb.log import Batch, Draft, export, rows
from uac_nb.verbs.history import in_words

Lines = list[dict[str, Any]]
SKIP = {"change": "skip", "reason": "unclear", "source": [1]}


@pytest.fixture
def lines(tmp_path: Path) -> Lines:
    """An export: a message, a fact and a change of one batch, an alert, a hand edit, an undo of it."""
    with User.open("mallory", tmp_path / "theirs") as user:
        user.ingest("A walk.", at="2025-01-10")
        fact = Draft(kind="fact", text="A walk was taken.", data={"source": [1]})
        change = Draft(kind="change", role="system", text=json.dumps(SKIP))
        user.log.store_batch(Batch(read=(1,), reader="m", facts=(fact,), changes=(change,)))
        user.log.append([Draft(kind="alert", data={"event": "seen", "key": "k", "until": "2025-02-01"})])
        user.log.append([Draft(kind="undo", data={"batch": 1, "entry": 3})])
        export(user.log, tmp_path / "out.jsonl")
    return [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]


def sealed(lines: Lines) -> str:
    """The archive with all its hashes as they have to be."""
    chain = rows.root(lines[0]["user"])
    for line in lines:
        if cells := line.get("entries") if "log" not in line else None:
            row = tuple(cells.get(name) for name in rows.COLUMNS)
            digest = rows.digest(bytes.fromhex(cells["salt"]), row)
            chain = rows.link(chain, digest, cells["id"])
            cells |= {"digest": digest.hex(), "chain": chain.hex()}
    return "".join(json.dumps(line) + "\n" for line in lines)


def cell(number: int, **other: Any) -> Callable[[Lines], str]:
    def change(lines: Lines) -> str:
        next(iter(lines[number].values())).update(other)
        return sealed(lines)

    return change


def header(**other: Any) -> Callable[[Lines], str]:
    return lambda lines: sealed([{**lines[0], **other}, *lines[1:]])


def data(number: int, **other: Any) -> Callable[[Lines], str]:
    """An entry with other data; None takes a key out."""

    def change(lines: Lines) -> str:
        cells = lines[number]["entries"]
        made = {**json.loads(cells["data"]), **other}
        cells["data"] = json.dumps({key: value for key, value in made.items() if value is not None})
        return sealed(lines)

    return change


def told(**other: Any) -> Callable[[Lines], str]:
    return cell(3, text=json.dumps({**SKIP, **other}))


def zipped(lines: Lines) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("out.jsonl", sealed(lines))
    return made.getvalue()


DEEP = "[" * 100_000 + "]" * 100_000
MALFORMED: dict[str, Callable[[Lines], str | bytes]] = {
    "empty": lambda lines: "",
    "no text": lambda lines: b"\xff\xfe\x00" * 100,
    "gzip": lambda lines: gzip.compress(sealed(lines).encode()),
    "half a gzip": lambda lines: gzip.compress(sealed(lines).encode())[:60],
    "zip": zipped,
    "not JSON": lambda lines: "hello\n",
    "a list": lambda lines: "[]\n",
    "a number": lambda lines: "1" * 5_000,
    "deep": lambda lines: DEEP,
    "deep within": lambda lines: sealed(lines[:1]) + DEEP,
    "cut in a line": lambda lines: sealed(lines)[:-40],
    "cut between lines": lambda lines: sealed(lines[:3]),
    "no header": lambda lines: sealed(lines).split("\n", 1)[1],
    "two headers": lambda lines: json.dumps(lines[0]) + "\n" + sealed(lines),
    "a giant line": lambda lines: sealed(lines[:1]) + "x" * 70_000_000,
    "a giant header": lambda lines: "{" * 70_000_000,
    "a repeated id": lambda lines: sealed([*lines[:2], lines[1], *lines[2:]]),
    "a gap": lambda lines: sealed([*lines[:1], *lines[2:]]),
    "another's id": lambda lines: json.dumps({**lines[0], "user": "somebody else"}) + "\n" + sealed(lines).split("\n", 1)[1],
    "an id of two lines": header(user="a\nb"),
    "a giant id": header(user="a" * 1_000),
    "a zone that is none": header(zone="Nowhere/Land"),
    "an infinite count": header(entries=float("inf")),
    "a version that is no number": header(version=True),
    "an unknown table": lambda lines: sealed(lines) + '{"secrets": {"id": 1}}\n',
    "an unknown kind": cell(1, kind="spell"),
    "an unknown role": cell(1, role="god"),
    "a time that is none": cell(1, recorded_at="never"),
    "a time without a zone": cell(1, recorded_at="2025-01-10T10:00:00"),
    "a year beyond": cell(1, said_at="99999-01-01"),
    "a place that is none": cell(1, zone="Nowhere/Land"),
    "a position of text": cell(1, position="first"),
    "an enormous number": cell(1, position=10**30),
    "an infinite position": cell(1, position=float("inf")),
    "too much text": cell(1, text="x" * 1_000_001),
    "data that is a list": cell(1, data="[]"),
    "data that is no JSON": cell(1, data="{"),
    "deep data": cell(1, data=f'{{"a": {DEEP}}}'),
    "infinite data": cell(1, data='{"a": Infinity}'),
    "infinite data in digits": cell(1, data='{"a": 1e999}'),
    "enormous data": cell(1, data=f'{{"a": {10**30}}}'),
    "an origin of numbers": cell(1, origin='{"message": 5}'),
    "a fact without source": data(2, source=None),
    "a fact from a text": data(2, source="1"),
    "a change of no batch": data(3, batch=None),
    "a change of a batch of lists": data(3, batch=[1]),
    "an answer to a text": data(3, answers="1"),
    "a change that is no JSON": cell(3, text="{"),
    "a change that is a list": cell(3, text="[]"),
    "a deep change": cell(3, text=DEEP),
    "a change that cites nothing there": told(source=[99]),
    "a change that cites a text": told(source=["1"]),
    "a change that cites a list": told(source=[[1]]),
    "a change that cites no list": told(source=5),
    "an alert of no day": data(4, until="never"),
    "an alert on a number": data(4, key=5),
    "an undo of nothing": data(5, batch=None),
    "an undo of a text": data(5, batch="1"),
    "an aside of texts": data(5, aside=["1"]),
    "a batch that read a text": cell(6, read='["1"]'),
    "a batch that read what is not there": cell(6, read="[99]"),
    "a batch that made what is not there": cell(6, first=50, last=99),
    "a batch of no time": cell(6, recorded_at="never"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_one_line_says_so_and_nothing_is_left(name: str, lines: Lines, tmp_path: Path) -> None:
    made = MALFORMED[name](lines)
    archive, home = tmp_path / "archive.jsonl", tmp_path / "users"
    archive.write_bytes(made if isinstance(made, bytes) else made.encode())
    home.mkdir()
    with pytest.raises(LogError) as refused:
        User.restore("jess", archive, home)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500
    assert "archive.jsonl" in str(refused.value)
    assert [path.name for path in home.iterdir() if path.name != ".gitignore"] == []


def test_the_archive_itself_is_restored(lines: Lines, tmp_path: Path) -> None:
    (tmp_path / "archive.jsonl").write_text(sealed(lines))
    with User.restore("jess", tmp_path / "archive.jsonl", tmp_path / "users") as user:
        assert user.log.verify() is None
        assert user.set_aside() == []
        assert user.coverage().fate == {1: "set aside: undone"}


def test_an_undo_of_what_is_not_there_is_set_aside_and_takes_nothing_back(lines: Lines, tmp_path: Path) -> None:
    (tmp_path / "archive.jsonl").write_text(data(5, batch=99)(lines))
    with User.restore("jess", tmp_path / "archive.jsonl", tmp_path / "users") as user:
        assert [found.where for found in user.set_aside()] == ["entry 5"]
        assert user.coverage().fate == {1: "set aside: unclear"}


REFUSED = {"change": "rename", "collection": "nothing", "old": "a", "new": "b", "source": [1]}
SPELL = {"change": "spell", "source": [1]}
PROPOSE = {"change": "propose", "proposed": 5, "source": [1]}
WISH = {"change": "forget", "entries": "all", "source": [1]}


@pytest.mark.parametrize("change", [REFUSED, SPELL, PROPOSE, WISH], ids=lambda change: str(change["change"]))
def test_what_was_set_aside_counts_nowhere(change: dict[str, Any], lines: Lines, tmp_path: Path) -> None:
    """A change that cannot be made, or not even be parsed: nobody who reads changes takes it for one."""
    archive = tmp_path / "archive.jsonl"
    archive.write_text(told(**change)([{**lines[0], "entries": 3}, *lines[1:4], *lines[6:]]))
    with User.restore("jess", archive, tmp_path / "users") as user:
        assert [found.where for found in user.set_aside()] == ["entry 3"]
        assert user.coverage().fate == {1: "unread"}
        assert user.checkpoint(reader="patterns").forgets == ()
        assert user.waiting() == ()
        assert [id for entry, _ in in_words(user.log, user.log.entries()) if (id := entry.id) == 3] == [3]
        with user.at("2025-02-01") as past:
            assert past.workspace.domains == {}
        user.rebuild()
        user.forget(1, yes=True)
        assert user.log.entry(3).forgotten
