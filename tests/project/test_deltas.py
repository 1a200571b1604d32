"""Differences in the form of git's packs: what they make is the new text, and they are as small as what changed."""

from __future__ import annotations

import pytest
from dulwich.objects import Blob, Commit, ShaFile, Tree
from dulwich.pack import apply_delta
from hypothesis import given
from hypothesis import strategies as st

from uac_nb.project.deltas import DEPTH, chained, delta

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"long " * 60 + b"\n", b"x" * 70_000 + b"\n", b"no end"]), max_size=12)


@given(LINES, LINES)
def test_a_delta_makes_the_new_text(old: list[bytes], new: list[bytes]) -> None:
    before, after = b"".join(old), b"".join(new)
    assert b"".join(apply_delta(before, delta(before, after))) == after


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"a\nb\n", b"a\nb\n", b"\x04\x04\x90\x04"),  # copy 4 from 0
        (b"a\nb\n", b"b\n", b"\x04\x02\x91\x02\x02"),  # copy 2 from 2
        (b"", b"new", b"\x00\x03\x03new"),
        (b"a\n", b"a\nc\n", b"\x02\x04\x90\x02\x02c\n"),
        (b"x" * 200, b"", b"\xc8\x01\x00"),  # 200 is 0b1_1001000: the low seven bits first
    ],
)
def test_the_form_is_that_of_git(old: bytes, new: bytes, expected: bytes) -> None:
    assert delta(old, new) == expected


def test_versions_of_a_file_are_chained_and_strangers_are_not() -> None:
    versions = [Blob.from_string(b"# one\n" + b"".join(b"line %d\n" % n for n in range(count))) for count in range(50, 80)]
    stranger, commit = Blob.from_string(b"# two\n"), Commit()
    commit.tree = Tree().id
    commit.author = commit.committer = b"a <a@b>"
    commit.author_time = commit.commit_time = commit.author_timezone = commit.commit_timezone = 0
    commit.message = b"m"
    found = list(chained([*versions, stranger, commit]))
    assert sorted(thing.id for thing, _, _ in found) == sorted(thing.id for thing in [*versions, stranger, commit])
    whole = {thing.id for thing, base, _ in found if base is None}
    assert {stranger.id, commit.id, versions[-1].id} <= whole
    assert len(whole) == 2 + -(-len(versions) // (DEPTH + 1))
    made: dict[bytes, bytes] = {}
    for thing, base, data in found:  # a base comes before what is made of it
        made[thing.sha().digest()] = b"".join(apply_delta(made[base], data)) if base else data
        assert made[thing.sha().digest()] == thing.as_raw_string()


def test_folders_are_compared_file_by_file() -> None:
    def folder(changed: bytes) -> ShaFile:
        tree = Tree()
        for n in range(40):
            tree.add(b"part_%02d.py" % n, 0o100644, Blob.from_string(b"%d" % n + (changed if n == 20 else b"")).id)
        return tree

    _, (_, base, data) = chained([folder(b"x"), folder(b"y")])
    assert base
    assert len(data) < 60
