"""How the archive beside this file was made, by version 0.1.0: kept for the record, not to be run again.

It tells a story that has one of everything a log can hold: `python make.py FOLDER` leaves there the user's folder, the
archive and the project's files. Every change in it is an honest one.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Any

from uac_nb import User
from uac_nb.log import Batch, Draft
from uac_nb.model import FakeModel

BIG = 20_000  # characters from which on a file is kept as its digest
TOLD = [
    "Flying to Lisbon on 10 March.",
    "I'm allergic to penicillin.",
    "I keep bees: the hive Amber stands in the orchard, it has 9 frames.",
    "The hive Basil stands by the gate. It has 10 frames.",
    "Amber's queen is from 2023.",
    "Warn me when a hive has fewer than 9 frames.",
    "I'd like to know how many frames there are in all.",
    "The secret of the zanzibar recipe is between us.",
    "I pay 12 EUR for music and 12 EUR for Tunebox, every month. That is the same thing.",
    "I do weights at the gym, paint in oils, and like baking.",
    "I bought a lot of things for the workshop.",
    "I moved the flight to 11 March 2025.",
]
HEAD = "@dataclass(frozen=True, slots=True, kw_only=True)\n"
HIVE = HEAD + (
    'class Hive:\n    """A hive of bees."""\n\n    id: str\n    name: str\n    place: str | None = None\n    frames: int = 0\n'
    "    source: tuple[int, ...]\n"
)
BUY = HEAD + (
    'class Buy:\n    """A thing for the workshop."""\n\n    id: str\n    what: str\n    on: When | None = None\n'
    "    source: tuple[int, ...]\n"
)
HABIT = HEAD + ('class Habit:\n    """A habit."""\n\n    id: str\n    name: str\n    sort: str\n    source: tuple[int, ...]\n')
CRAFT = HEAD + (
    'class Craft:\n    """A craft."""\n\n    id: str\n    title: str\n    kind: Literal["sport", "art"]\n'
    "    source: tuple[int, ...]\n"
)
IMPORTS = (
    "from collections.abc import Iterable, Iterator\nfrom datetime import date\nfrom bees import Hive\n"
    "from uac_nb.rules import Alert, derived, rule\n\n"
)
RULE = IMPORTS + (
    '@rule("warning")\ndef few_frames(hives: Iterable[Hive], *, today: date) -> Iterator[Alert]:\n'
    '    """A hive with fewer than nine frames."""\n'
    "    for hive in hives:\n        if hive.frames < 9:\n"
    '            yield Alert(message=f"{hive.name} has {hive.frames} frames.", hint="Add some.", records=(hive.id,), evidence=hive.source)\n'  # noqa: E501
)
DERIVE = IMPORTS + (
    "@derived\ndef frames_in_all(hives: Iterable[Hive], *, today: date) -> int:\n"
    '    """All frames of all hives."""\n    return sum(hive.frames for hive in hives)\n'
)


def add(collection: str, id: str, source: int, **values: Any) -> dict[str, Any]:
    return {
        "change": "add", "collection": collection, "id": id, "source": [source], "values": values, "fact": f"There is {id}.",
    }  # fmt: skip


def define(domain: str, collection: str, text: str, source: int) -> dict[str, Any]:
    return {
        "change": "define",
        "domain": domain,
        "collection": collection,
        "text": text,
        "doc": f"{domain}.",
        "source": [source],
    }


def example(frames: int) -> dict[str, Any]:
    return {"collections": {"hives": [{"id": "x", "name": "X", "frames": frames}]}, "today": "2025-01-10"}


FIRST = [
    add("trips", "lisbon", 1, title="trip to Lisbon", to="Lisbon", departs="2025-03-10"),
    add("allergies", "penicillin", 2, title="penicillin allergy", avoid=["penicillin"]),
    define("bees", "hives", HIVE, 3),
    add("hives", "amber", 3, name="Amber", place="orchard", frames=9),
    add("hives", "basil", 4, name="Basil", place="gate", frames=10),
    {"change": "extend", "collection": "hives", "fields": [{"name": "queen", "type": "int | None"}], "source": [5]},
    {"change": "amend", "id": "amber", "set": {"queen": 2023}, "source": [5]},
    {"change": "rule", "id": "few_frames", "text": RULE, "fires": [example(8)], "quiet": [example(9)], "source": [6]},
    {"change": "derive", "id": "frames_in_all", "text": DERIVE, "source": [7]},
    {"change": "note", "id": "recipe", "text": "The zanzibar recipe is a secret.", "source": [8]},
    add("subscriptions", "music", 9, title="music", price="12 EUR", every="month"),
    add("subscriptions", "tunebox", 9, title="Tunebox", price="12 EUR", every="month"),
    define("habits", "habits", HABIT, 10),
    add("habits", "gym", 10, name="gym", sort="weights"),
    add("habits", "oils", 10, name="oils", sort="paint"),
    define("crafts", "crafts", CRAFT, 10),
    add("crafts", "baking", 10, title="baking", kind="art"),
]


def waiting(said: int) -> list[dict[str, Any]]:
    """What is left to a review."""
    return [
        {"change": "amend", "id": "lisbon", "set": {"departs": "2025-03-11"}, "source": [said], "fact": "It is the 11th now."},
        {"change": "amend", "id": "lisbon", "set": {"purpose": "flight"}, "source": [said]},
    ]


def store(user: User, changes: list[dict[str, Any]]) -> None:
    drafts = tuple(Draft(kind="change", role="system", text=json.dumps(change)) for change in changes)
    user.log.store_batch(Batch(read=(11,), reader="a script", changes=drafts))
    user.checkpoint(reader="patterns")


def replaced(user: User, name: str, old: str, new: str) -> None:
    source = user.source(name)
    assert old in source.text, (name, old)
    user.edit(name, source.text.replace(old, new), source.base)


def live(user: User) -> None:
    user.ingest([{"text": text} for text in TOLD[:10]], at="2025-01-10", session="one")
    done = user.checkpoint(reader=FakeModel([json.dumps({"changes": FIRST})] * 3))
    print(done.diagnostics)
    user.ingest([{"text": TOLD[10]}], at="2025-01-11")
    buys = [add("buys", f"b{n}", 11, what=f"thing {n}", on=f"{2024 + n % 2}-01-{n % 28 + 1:02d}") for n in range(1_130)]
    store(user, [define("workshop", "buys", BUY, 11), *[{k: v for k, v in buy.items() if k != "fact"} for buy in buys]])
    print([path for path in user.project.files() if path.startswith("workshop")])
    user.ingest([{"text": TOLD[11]}], at="2025-01-12")
    done = user.checkpoint(reader=FakeModel([json.dumps({"changes": waiting(user.log.last)})] * 3), review="later")
    print(done.diagnostics)
    first, second = (waiting.id for waiting in user.waiting())
    user.review(accept=[first], refuse=[second])
    replaced(user, "bees", '"orchard"', '"old orchard"')
    replaced(user, "bees", "frames=9", "frames=7")  # from now on the rule fires
    for name, old, new in (("travel", "trip to Lisbon", "journey to Lisbon"), ("bees", '"gate"', '"north gate"')):
        file = user.folder / "project" / f"{name}.py"
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))
    user.checkpoint(reader="patterns")  # takes what was edited in both files
    part = next(path for path in user.project.files() if path.startswith("workshop/buys_"))
    replaced(user, part.removesuffix(".py"), '"thing 2"', '"a vice"')
    replaced(user, "health", "penicillin allergy", "an allergy that is taken back")
    user.undo()
    user.rename("hives.frames", "combs")
    user.rename("Hive", "Colony")
    user.rename("habits", "customs")
    user.merge("tunebox", "music")
    user.reshape(
        "customs", "crafts",
        {"title": "name", "kind": {"field": "sort", "lookup": {"weights": "sport", "paint": "art"}}},
        ids=["gym", "oils"],
    )  # fmt: skip
    user.pin("sum(colony.combs for colony in hives)")
    raised = user.look().alerts
    print([r.key for r in raised])
    user.acknowledge(raised[0].key)
    if len(raised) > 1:
        user.snooze(raised[1].key, "2025-03-01")
    user.forget([8], "asked to", yes=True)
    user.checkpoint(reader="patterns")
    assert user.log.verify() is None


def main(out: Path) -> None:
    shutil.rmtree(out / "users", ignore_errors=True)
    with User.open("bea", out / "users", today=None) as user:
        live(user)
        user.rebuild()
        files = user.project.files()
        user.log.database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        (out / "bea.jsonl").unlink(missing_ok=True)
        from uac_nb.log import export

        export(user.log, out / "bea.jsonl")
        folder = user.folder
    digests = {}
    shutil.rmtree(out / "files", ignore_errors=True)
    for path, text in sorted(files.items()):
        assert (folder / "project" / path).read_text() == text
        digests[path] = hashlib.sha256(text.encode()).hexdigest()
        if len(text) < BIG:
            kept = out / "files" / f"{path}.txt"
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(text)
    (out / "digests.json").write_text(json.dumps(digests, indent=1) + "\n")
    archive = out / "bea.jsonl"
    (out / "bea.jsonl.gz").write_bytes(gzip.compress(archive.read_bytes(), 9, mtime=0))
    archive.unlink()
    with tarfile.open(out / "bea.tar.xz", "w:xz") as tar:
        tar.add(folder, "bea", filter=lambda item: None if item.name.startswith("bea/.cache") else item)
    shutil.rmtree(out / "users")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
