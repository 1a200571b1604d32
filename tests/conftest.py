"""Fixtures of all tests."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from dulwich.repo import Repo
from hypothesis import HealthCheck, settings

from uac_nb import User
from uac_nb.changes import Workspace
from uac_nb.domainfile.domain import Domain
from uac_nb.log import Batch, Draft
from uac_nb.runtime import SealedEngine, available, program
from uac_nb.starter import TYPES

# Speed is for `uac-nb bench`, not for tests: a busy machine makes data slowly too.
settings.register_profile("uac_nb", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("uac_nb")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real material that is not part of the project (see its licences); tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the material in ../shared/data is not here")
    return SHARED


@pytest.fixture(scope="session")
def every_byte() -> Callable[[Path], bytes]:
    """All that stands in a folder, names of files too, the objects of git unpacked; in lower case."""

    def read(folder: Path) -> bytes:
        found = [bytes(file.relative_to(folder)) + b"\n" + file.read_bytes() for file in folder.rglob("*") if file.is_file()]
        for git in folder.rglob("objects"):
            found += [zlib.decompress(file.read_bytes()) for file in git.glob("[0-9a-f][0-9a-f]/*")]
        for git in folder.rglob(".git"):
            with Repo(str(git.parent)) as repo:
                found += [repo.object_store[id].as_raw_string() for id in repo.object_store]
        return b"\n".join(found).lower()

    return read


Rows = Mapping[str, tuple[str, list[tuple[Any, ...]]]]  # by collection: fields, and a row a record


@pytest.fixture(scope="session")
def typed() -> Callable[..., Workspace]:
    """A project of starter types from rows. Each record rests on an entry of its own, numbered as they come."""

    def made(rows: Rows, first: int = 1) -> Workspace:
        workspace, number = Workspace(), count(first)
        for collection, (names, records) in rows.items():
            starter = TYPES[collection]
            domain = workspace.domains.get(starter.domain) or Domain.new(starter.domain, "")
            domain = domain.define(collection, starter.text, starter=starter.name)
            for row in records:
                values = {name: value for name, value in zip(names.split(), row, strict=True) if value is not None}
                kind = domain.collections[collection].type
                domain = domain.add(collection, kind.coerce({**values, "source": [next(number)]}))
            workspace = workspace.with_domain(domain)
        return workspace

    return made


@pytest.fixture(scope="module")
def engine(workspace: Workspace) -> Iterator[SealedEngine]:
    """A sealed process with the `workspace` of the test module in it."""
    if not (boundary := available()).ok:
        pytest.skip(boundary.why)
    with SealedEngine() as sealed:
        sealed.load(program(workspace))
        yield sealed


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    """Jess, who has said nothing yet, on the first of March 2025."""
    with User.open("jess", tmp_path, today="2025-03-01") as opened:
        yield opened


@pytest.fixture(scope="session")
def stored() -> Callable[..., None]:
    """Leave a batch of changes as a reader does, in the log, and have it committed."""

    def store(user: User, *changes: dict[str, Any]) -> None:
        drafts = tuple(Draft(kind="change", role="system", text=json.dumps(change)) for change in changes)
        user.log.store_batch(Batch(read=(1,), reader="a test", changes=drafts))
        user.checkpoint(reader="patterns")

    return store


@pytest.fixture(scope="module")
def bare() -> Iterator[Any]:
    """An IPython of our own, without history on disk."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    InteractiveShell.clear_instance()
    yield InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    InteractiveShell.clear_instance()


@pytest.fixture
def shell(bare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """It, with the magics, over users of its own; the environment names no model."""
    from uac_nb.notebook import magics

    monkeypatch.setenv("UAC_HOME", str(tmp_path / "users"))
    for name in ("UAC_MODEL", "UAC_PRICE", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    magics.load(bare)
    yield bare
    magics.unload(bare)
    bare.user_ns.pop("it", None)
    bare.config.pop("UacNb", None)  # what %config set


@pytest.fixture
def run(shell: Any) -> Callable[..., Any]:
    """Run cells as a person would; the value of the last. What went wrong is raised."""
    from IPython.utils.capture import capture_output

    def cells(*sources: str) -> Any:
        value = None
        for source in sources:
            with capture_output():
                result = shell.run_cell(source)
            result.raise_error()
            value = result.result
        return value

    return cells


Scripted = Callable[[str], str]  # from what was asked (the last message) to the text of the answer


class Endpoint(ThreadingHTTPServer):
    """A model behind HTTP that is ordinary code, for what runs in another process. Each answer has 1,000 + 200 tokens."""

    daemon_threads = True

    def __init__(self, answer: Scripted) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.answer = answer

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Answers(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = self.server.answer(asked["messages"][-1]["content"])
        reply: dict[str, Any] = {
            "model": asked["model"],
            "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1_000, "completion_tokens": 200},
        }
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[Callable[[Scripted], str]]:
    """Start one; its address."""
    servers: list[Endpoint] = []

    def start(answer: Scripted) -> str:
        servers.append(Endpoint(answer))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return servers[-1].address

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
