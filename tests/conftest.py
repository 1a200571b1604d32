"""Fixtures of all tests."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from dulwich.repo import Repo
from hypothesis import settings

settings.register_profile("uac_nb", deadline=None)  # speed is for `uac-nb bench`, not for tests
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
