"""Properties of the log, for all texts, times and data that hypothesis can think of."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import date, timedelta, timezone
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uac_nb.log import Draft, Log, export, restore

words = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)  # surrogates and NUL too
zones = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
times = st.none() | st.dates() | st.datetimes() | st.datetimes(timezones=zones)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
DATA = {  # what is made of messages has data of a form; an archive with another is refused
    "fact": {"source": [1]}, "alert": {"event": "raised", "key": "k"},
    "edit": {"path": "life.py", "at": 0, "cut": 0, "base": "", "deleted": False},
}  # fmt: skip
drafts = st.builds(
    Draft,
    kind=st.sampled_from(["message", "fact", "edit", "alert"]),  # a change is of a batch, which an append does not make
    role=st.sampled_from(["user", "person", "assistant", "system"]),
    text=words,
    caption=words.map("caption ".__add__),  # an empty message is refused
    said_at=times,
    zone=st.sampled_from(["", "Asia/Kathmandu"]),
    session=words,
    speaker=words,
    origin=st.dictionaries(words, words, max_size=2),
    data=st.dictionaries(words, values, max_size=3),
    position=st.integers(0, 2**31),
).map(lambda draft: replace(draft, data=DATA.get(draft.kind, draft.data)))


def told(entries: Any) -> list[dict[str, Any]]:
    return [{name: getattr(entry, name) for name in Draft.__slots__} for entry in entries]


@settings(deadline=None, max_examples=25)
@given(st.lists(st.lists(drafts, max_size=4), max_size=3))
def test_append_read_verify_and_restore(appends: list[list[Draft]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with Log.open(Path(folder) / "log.sqlite") as log:
            made = [entry for some in appends for entry in log.append(some, again=True).entries]
            head = log.head
            export(log, Path(folder) / "log.jsonl")
        with (
            Log.open(Path(folder) / "log.sqlite") as log,
            restore(Path(folder) / "log.jsonl", Path(folder) / "b.sqlite") as copy,
        ):
            for one in (log, copy):
                read = list(one.entries())
                assert told(read) == told(draft for some in appends for draft in some)
                assert read == made
                assert [entry.id for entry in read] == list(range(1, len(read) + 1))
                assert one.verify() is None
                assert one.head == head


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.lists(drafts.filter(lambda draft: draft.said_at is not None and not draft.origin), max_size=5))
def test_what_is_there_is_known(some: list[Draft]) -> None:
    messages = [Draft(**{**{n: getattr(d, n) for n in Draft.__slots__}, "kind": "message"}) for d in some]
    with tempfile.TemporaryDirectory() as folder, Log.open(Path(folder) / "log.sqlite") as log:
        log.append(messages)
        count = len(log)
        again = log.append(messages)
        assert (again.entries, len(again.known), len(log)) == ([], len(messages), count)


@settings(deadline=None, max_examples=25)
@given(words, st.none() | words)
def test_search_takes_any_text(text: str, speaker: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder, Log.open(Path(folder) / "log.sqlite") as log:
        log.append([Draft(text="x" + text)])
        assert all(hit.entry.id == 1 for hit in log.search(text, speaker=speaker))


said = st.builds(
    Draft,
    text=st.lists(st.sampled_from(["rain", "sun", "zebra", "rained", "on 7 July"]), min_size=1, max_size=4).map(" ".join),
    session=st.sampled_from(["a", "b"]),
    speaker=st.sampled_from(["Jess", "mum"]),
    said_at=st.none() | st.dates(date(2023, 7, 1), date(2023, 7, 12)),
    kind=st.sampled_from(["message", "message", "fact", "change"]),
)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.booleans(), st.lists(said, min_size=1, max_size=7)), min_size=1, max_size=6), st.integers(2, 9))
def test_how_far_the_index_is_makes_no_difference(adds: list[tuple[bool, list[Draft]]], page: int) -> None:
    answers = []
    for size in (1, page, 64):
        with (
            tempfile.TemporaryDirectory() as folder,
            patch("uac_nb.log.index.PAGE", size),
            Log.open(Path(folder) / "log.sqlite") as log,
        ):
            for at_once, some in adds:
                (log.load if at_once else log.append)(some, again=True)
            found = [{hit.entry.id for hit in log.search(word, 100)} for word in ("rain", "zeb", "mum sun")]
            answers.append((found, log.between(date(2023, 7, 7), date(2023, 7, 8)), log.only_in([1])))
    for found, named, only in answers[1:]:
        assert found == answers[0][0]
        assert [entry.id for entry in named] == [entry.id for entry in answers[0][1]]
        assert only == answers[0][2]
