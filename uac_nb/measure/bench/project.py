"""The project at scale: opening it, adding to it, reading it after an edit, and asking, with 10,000 and 100,000 records."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from datetime import UTC, datetime
from functools import partial
from io import StringIO
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from uac_nb.changes import Workspace, accept, dump
from uac_nb.domainfile.cache import Cache
from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.records import make
from uac_nb.domainfile.split import grown
from uac_nb.log import Batch, Draft
from uac_nb.measure.bench.figures import Figure, timed
from uac_nb.project import Stamp
from uac_nb.store.replay import catch_up
from uac_nb.user import PATTERNS, User

SIZES = (10_000, 100_000)
BATCH = 100
PURCHASE = """
class Purchase:
    \"\"\"Something bought.\"\"\"
    id: str
    who: str = "me"
    title: str
    shop: str | None = None
    bought: When | None = None
    price: Money | None = None
    kind: Literal["groceries", "travel", "home", "other"] = "other"
    quote: str | None = None
    source: tuple[int, ...]
"""
SHOPS = ("Corner Shop", "Station Kiosk", "Garden Centre", "Bookshop", "Market Hall", "Bakery")
KINDS = ("groceries", "travel", "home", "other")
ASKED = (
    "how much did I spend in 2024?", "how many purchases in 2023?", "what did I buy in May 2024?", "how many tents did I buy?",
    "what was the dearest purchase?", "when did I buy basket 77?", "where do I live?", "who is Ana?", "what do I own?",
)  # fmt: skip


def measure(sizes: tuple[int, ...] = SIZES) -> Iterator[Figure]:
    """Take all figures, in a folder that goes afterwards."""
    with tempfile.TemporaryDirectory(prefix="uac-nb-bench-") as folder:
        for size in sizes:
            with redirect_stdout(StringIO()):  # that a user was made
                home = built(Path(folder, str(size)), size)
            yield from _opening(home, size)
            yield from _adding(home, size)
            yield _reading_again(home, size)
            yield from _asking(home, size)


def purchase(number: int, year: int) -> dict[str, Any]:
    """The values of a purchase, the same for the same number."""
    return {
        "id": f"purchase-{number}",
        "title": f"{SHOPS[number % 6]} basket {number}",
        "shop": SHOPS[number % 6],
        "bought": f"{year}-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "price": f"{number % 300 + 1}.{number % 100:02} EUR",
        "kind": KINDS[number % 4],
        "source": [1],
    }


def built(home: Path, size: int) -> Path:
    """A home with one user who has so many purchases, over ten years."""
    domain = Domain.new("money", "Money: what was bought.").define("purchases", PURCHASE)
    kind = domain.types["Purchase"]
    records = [make(kind, purchase(number, 2016 + number * 10 // size)) for number in range(size)]
    workspace = Workspace({"money": grown(domain.add("purchases", *records))})
    with User.open("bench", home) as user:
        user.ingest("a long life of shopping")
        stamp = Stamp(user.log.user, 1, user.log.chain(1))
        user.project.commit(workspace.files(), "all purchases", stamp, datetime(2026, 1, 1, tzinfo=UTC))
    return home


def _opening(home: Path, size: int) -> Iterator[Figure]:
    def read() -> None:
        shutil.rmtree(home / "bench" / ".cache", ignore_errors=True)
        _open(home)

    limit = 2000.0 if size <= 10_000 else None
    yield Figure(f"open {size:,} records, the cache deleted", timed(read, 1), limit=limit)
    yield Figure(f"open {size:,} records", timed(lambda: _open(home), 5), limit=1500)


def _open(home: Path) -> None:
    with User.open("bench", home) as user:
        assert user.workspace.collections


def _adding(home: Path, size: int) -> Iterator[Figure]:
    """Batches of new records, as a checkpoint takes them: settled, stored in the log, rendered, committed."""
    seconds, history = [], []
    numbers = count(size)
    with User.open("bench", home) as user:
        workspace, cache = user.workspace, Cache(user.folder / ".cache")
        for _ in range(20):
            before = _bytes(user.folder / "project" / ".git")
            began = perf_counter()
            proposals = [_proposal(next(numbers)) for _ in range(BATCH)]
            taken = accept(proposals, workspace)
            assert not taken.refused
            drafts = tuple(Draft(kind="change", role="system", text=_json(change)) for change in taken.changes)
            user.log.store_batch(Batch(read=(1,), reader="bench", changes=drafts))
            workspace = catch_up(user.log, user.project, workspace, cache)
            seconds.append(perf_counter() - began)
            history.append(_bytes(user.folder / "project" / ".git") - before)
    limit, name = 300 if size <= 10_000 else 600, f"add {BATCH} records to {size:,}"
    yield Figure(f"{name}: settle, log, render, check, commit", median(seconds) * 1000, limit=limit)
    yield Figure(f"{name}: the slowest of {len(seconds)}", max(seconds) * 1000)
    yield Figure(f"{name}: new history", max(history) / 1000, "kB", limit=300)


def _proposal(number: int) -> dict[str, Any]:
    values = purchase(number, 2026)
    told = {"change": "add", "collection": "purchases", "id": values.pop("id"), "source": values.pop("source")}
    return {**told, "values": values, "fact": f"They bought basket {number}."}


def _json(change: Any) -> str:
    import json

    return json.dumps(dump(change), ensure_ascii=False, sort_keys=True)


def _reading_again(home: Path, size: int) -> Figure:
    """A person changes one line in the folder: it is found, read and checked."""
    with User.open("bench", home) as user:
        workspace = user.workspace
        path = sorted(path for path in workspace.files() if path.startswith("money/purchases_"))[3]
        file = user.folder / "project" / path
        file.write_text(file.read_text().replace(SHOPS[1], "Kiosk", 1))

        def again() -> None:
            edits = user.project.edits()
            assert list(edits) == [path]
            workspace.with_file(path, edits[path])

        return Figure(f"read again after a one-line edit at {size:,}", timed(again, 5), limit=300)


def _asking(home: Path, size: int) -> Iterator[Figure]:
    """Questions without a model, those that find nothing among them; the sealed process is warm."""
    with User.open("bench", home) as user:
        user.ask(ASKED[0], model=PATTERNS)
        times = [timed(partial(user.ask, question, model=PATTERNS), 1) for question in ASKED]
    yield Figure(f"ask without a model at {size:,}, median of {len(ASKED)} questions", median(times))
    yield Figure(f"ask without a model at {size:,}, the slowest", max(times), limit=1000 if size <= 10_000 else None)


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
