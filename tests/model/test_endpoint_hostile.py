"""An endpoint that means no good: where it sends us, how much and how slowly it answers, and what it says of itself."""

from __future__ import annotations

import base64
import gzip
import json
import logging
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from uac_nb import User
from uac_nb.cli.doctor import examine
from uac_nb.cli.main import main
from uac_nb.errors import ModelError, UacError
from uac_nb.errors.redaction import redacted
from uac_nb.log import export
from uac_nb.model import FakeModel, OpenAIModel, RecordedModel, Recorder, Reply, Request

KEY = "sk-test-0123456789abcdef"
PASSWORD = "hunter2-of-jess"
ASK = Request(purpose="structure", messages=({"role": "user", "content": "I have a secret."},), entries=(1,))
Act = Callable[[BaseHTTPRequestHandler], None]


class Hostile:
    """A server whose answers are written by a function of the handler; `seen` holds the bodies that reached it."""

    def __init__(self) -> None:
        self.act: Act = lambda handler: None
        self.seen: list[bytes] = []
        self.over = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: Any) -> None:
                pass

            def do_POST(self) -> None:
                outer.seen.append(self.rfile.read(int(self.headers["Content-Length"])))
                try:
                    outer.act(self)
                except OSError:  # they hung up
                    self.close_connection = True

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.host = f"127.0.0.1:{self.http.server_address[1]}"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self) -> None:
        self.over.set()
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


@pytest.fixture
def hosts() -> Iterator[Callable[[], Hostile]]:
    made: list[Hostile] = []

    def make() -> Hostile:
        made.append(Hostile())
        return made[-1]

    yield make
    for host in made:
        host.close()


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "UAC_MODEL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def sends(status: int, body: bytes, **headers: str) -> Act:
    def act(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(body)), "Content-Type": "application/json", **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return act


def says(text: str, **usage: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}}], "usage": usage}).encode()


def model(host: Hostile, **options: Any) -> OpenAIModel:
    return OpenAIModel("tiny", key=KEY, base_url=f"http://{host.host}/v1", **{"retries": 0, **options})


# --- where it sends us ---


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_leaves_the_host(hosts: Callable[[], Hostile], status: int) -> None:
    one, other = hosts(), hosts()
    one.act = sends(status, b"", Location=f"http://{other.host}/v1/chat/completions")
    other.act = sends(200, says("mine now"))
    with pytest.raises(ModelError, match=rf"sends what it is asked on to http://{other.host}, where nothing was sent; check"):
        model(one).complete(ASK)
    assert other.seen == []


def test_a_redirect_within_the_host_is_followed(hosts: Callable[[], Hostile]) -> None:
    host = hosts()

    def act(handler: BaseHTTPRequestHandler) -> None:
        there = handler.path == "/v2"
        (sends(200, says("here")) if there else sends(308, b"", Location="/v2"))(handler)

    host.act = act
    assert model(host).complete(ASK).text == "here"


# --- how much, and how slowly ---


def blanks(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "300000000")
    handler.end_headers()
    for _ in range(300):
        handler.wfile.write(b" " * 1_000_000)


def blanks_of_an_error(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(400)
    handler.end_headers()
    for _ in range(300):
        handler.wfile.write(b" " * 1_000_000)
    handler.close_connection = True


BOMB = gzip.compress(b" " * 100_000_000)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (blanks, "more than 8,000,000 bytes"),
        (blanks_of_an_error, "more than 8,000,000 bytes"),
        (sends(200, BOMB, Content_Encoding="gzip"), "compressed, which it was asked not to"),
        (sends(500, BOMB, Content_Encoding="gzip, gzip"), "compressed, which it was asked not to"),
        (sends(200, BOMB, Content_Type="application/json; charset=zlib_codec"), "did not answer as a model does"),
    ],
    ids=["blanks", "blanks of an error", "gzip", "gzip of an error", "a codec that unpacks"],
)
def test_an_answer_is_bounded(hosts: Callable[[], Hostile], act: Act, words: str) -> None:
    host = hosts()
    host.act = act
    tiny = model(host)
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match=words):
            tiny.complete(ASK)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"])
def test_a_drip_ends_with_the_time_for_the_whole_answer(hosts: Callable[[], Hostile], head: bytes) -> None:
    host = hosts()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(head)
        while not host.over.wait(0.01):
            handler.wfile.write(b"x")

    host.act = drip
    with pytest.raises(ModelError, match=r"no whole answer within 0.3 s to structure.*UAC_TIMEOUT"):
        model(host, timeout=0.3).complete(ASK)


# --- its figures ---


@pytest.mark.parametrize("odd", [2**63, -1, "many", 7.5, float("nan"), float("inf"), True, [], {}])
def test_a_figure_that_cannot_be_is_unknown_and_the_batch_is_kept(
    hosts: Callable[[], Hostile], tmp_path: Path, odd: Any
) -> None:
    host = hosts()
    skip = json.dumps({"changes": [{"change": "skip", "source": [1], "reason": "greeting"}]})
    host.act = sends(200, says(skip, prompt_tokens=odd, completion_tokens=3))
    with User.open("jess", tmp_path) as user:
        user.ingest("Hello.", at="2025-01-10")
        done = user.checkpoint(reader=model(host))
        assert [(call.prompt_tokens, call.completion_tokens) for call in user.calls()] == [(None, 3)]
    assert [change["change"] for change in done.changes] == ["skip"]
    assert [(d.code, d.where) for d in done.diagnostics] == [("odd-figure", "prompt_tokens")]


@pytest.mark.parametrize("seconds", ["Infinity", "NaN", "-1", '"long"', "null"])
def test_a_recorded_time_that_cannot_be_is_refused_with_its_line(tmp_path: Path, seconds: str) -> None:
    path = tmp_path / "replies.jsonl"
    Recorder(FakeModel([Reply(text="hi")]), path).complete(ASK)
    path.write_text(path.read_text().replace('"seconds": 0.0', f'"seconds": {seconds}'))
    with pytest.raises(ModelError, match=r"replies\.jsonl:1: no recorded reply"):
        RecordedModel(path).complete(ASK)


@pytest.mark.parametrize(
    "wrong",
    [
        {"fact": "x" * 2_400_000},
        {"fact": "x" * 2_001},
        {"values": {"title": "x" * 600_000}},
        {"values": {"title": "nuts", "avoids": ["x" * 20_001]}},
        {"values": {"x" * 30_000: 1}},
        {"source": [2**63]},
    ],
    ids=["huge fact", "long fact", "huge title", "long item", "long key", "entry that cannot be"],
)
def test_what_is_too_long_is_a_finding_and_the_rest_is_kept(tmp_path: Path, wrong: dict[str, Any]) -> None:
    nuts = {"change": "add", "collection": "allergies", "id": "nuts", "source": [1], "fact": "Jess is allergic to nuts."}
    nuts["values"] = {"title": "nut allergy", "avoids": ["nuts"]}
    odd = {**nuts, "id": "odd", **wrong}
    with User.open("jess", tmp_path) as user:
        user.ingest("I'm allergic to nuts.", at="2025-01-10")
        done = user.checkpoint(reader=FakeModel(lambda request: json.dumps({"changes": [nuts, odd]})))
        kept = [record.id for record in user.records("allergies")]
        assert sum(len(entry.text) for entry in user.log.entries()) < 20_000
    assert "reply-excess" in [d.code for d in done.diagnostics]
    assert kept == ["nuts"]


def test_a_reply_that_is_too_wide_is_a_finding(tmp_path: Path) -> None:
    with User.open("jess", tmp_path) as user:
        user.ingest("Hello.", at="2025-01-10")
        done = user.checkpoint(reader=FakeModel(lambda request: "[" * 3_000_001))
    assert (done.unread[0].id, done.changes) == (1, ())
    assert any("3,000,001 characters, more than can be meant" in d.message for d in done.diagnostics)


# --- secrets, however they are spelled, wherever they would be seen ---

LOGIN = base64.b64encode(f"jess:{PASSWORD}".encode()).decode()
SECRETS = {
    "key": KEY,
    "header": f"Authorization: Bearer {KEY}",
    "basic": f"Basic {LOGIN}",
    "basic alone": LOGIN,
    "userinfo": f"https://jess:{PASSWORD}@h.example/v1",
    "query": "https://h.example/v1?api-key=q-0123-secret&x=1",
    "percent-encoded": "".join(f"%{ord(c):02X}" for c in KEY),
    "twice encoded": quote(quote("q 0123/secret", safe=""), safe=""),
    "base64 of the key": base64.b64encode(KEY.encode()).decode(),
    "base64 within more": base64.b64encode(b"k=" + KEY.encode() + b"!").decode(),
    "escaped": "".join(f"\\u{ord(c):04x}" for c in KEY),
    "split in JSON": json.dumps({"a": KEY[:9], "b": KEY[9:]}),
    "split in lines": f"{KEY[:7]}\n{KEY[7:]}",
    "upper case": KEY.upper(),
}
LEAKS = (KEY, KEY.upper(), PASSWORD, LOGIN, "0123-secret", KEY[9:], base64.b64encode(KEY.encode()).decode()[4:20])


@pytest.fixture
def secretive(hosts: Callable[[], Hostile], monkeypatch: pytest.MonkeyPatch) -> Hostile:
    """A host that is asked with a password, a key and secrets in the query."""
    host = hosts()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv(
        "OPENAI_BASE_URL", f"http://jess:{PASSWORD}@{host.host}/v1?api-key=q-0123-secret&token=q%200123%2Fsecret"
    )
    monkeypatch.setenv("UAC_MODEL", "tiny")
    return host


def leaks(text: str) -> list[str]:
    return [secret for secret in (*LEAKS, SECRETS["percent-encoded"], SECRETS["escaped"]) if secret in text]


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
def test_an_echo_is_hidden_in_errors_logs_ledger_recording_and_archive(
    secretive: Hostile, secret: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    tiny = OpenAIModel.from_env(retries=0)
    secretive.act = sends(401, json.dumps({"error": {"message": f"no: {secret}"}}).encode(), X_Echo=secret.replace("\n", " "))
    with pytest.raises(ModelError) as caught:
        tiny.complete(ASK)
    assert leaks(f"{caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r} {tiny!r}") == []
    skip = json.dumps({"changes": [{"change": "skip", "source": [1], "reason": "greeting", "why": secret}]})
    answer = {"choices": [{"message": {"content": skip}, "finish_reason": secret}], "model": secret}
    secretive.act = sends(200, json.dumps(answer).encode(), X_Echo=secret.replace("\n", " "))
    with User.open("jess", tmp_path / "home") as user:
        user.ingest("Hello.", at="2025-01-10")
        done = user.checkpoint(reader=Recorder(tiny, tmp_path / "replies.jsonl"))
        assert user.calls()
        export(user.log, tmp_path / "archive.jsonl")
        shown = f"{done} {done.diagnostics} {user.calls()}"
    assert leaks(shown) == []
    assert leaks((tmp_path / "replies.jsonl").read_text()) == []
    assert leaks((tmp_path / "archive.jsonl").read_text()) == []
    assert leaks(caplog.text) == []


def test_doctor_and_the_command_line_show_no_secret(
    secretive: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = "\n".join(map(str, examine(tmp_path)))
    assert f"tiny at http://[hidden]@{secretive.host}/v1" in found
    assert leaks(found) == []
    run = CliRunner()
    run.invoke(main, ["ingest", "jess", "Hello.", "--home", str(tmp_path)])
    for reader in ("sk-typed-by-mistake", "recorded:sk-typed-by-mistake", f"{KEY}"):
        done = run.invoke(main, ["checkpoint", "jess", "--reader", reader, "--home", str(tmp_path)])
        assert done.exit_code == 1
        assert "typed-by" not in done.output
        assert leaks(done.output) == []
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    done = run.invoke(main, ["checkpoint", "jess", "--reader", "sk-typed-by-mistake", "--home", str(tmp_path)])
    assert "looks like a key" in done.output
    assert "typed-by" not in done.output
    assert secretive.seen == []


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
def test_a_notebook_shows_no_secret(
    shell: Any, secretive: Hostile, secret: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"OPENAI_API_KEY": KEY, "UAC_MODEL": "tiny"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://jess:{PASSWORD}@{secretive.host}/v1?api-key=q-0123-secret")
    secretive.act = sends(401, json.dumps({"error": {"message": f"no: {secret}"}}).encode())
    shell.run_cell("%uac_user jess")
    shell.run_cell("%%uac_ingest --at 2025-01-10\nHello.")
    for cell in ("%uac_checkpoint", "%uac_ask what am I allergic to", "%tb", "%config UacNb"):
        shell.run_cell(cell)
    out = "".join(capfd.readouterr())
    assert "refused the key (401" in out
    assert leaks(out) == []


@pytest.mark.parametrize(
    "cell",
    [
        "%uac_user jess --model sk-typed-by-mistake",
        '%config UacNb.max_tokens = "sk-typed-by-mistake"',
        '%config UacNb.price = "sk-typed-by-mistake"',
        '%config UacNb.endpoint = "http://h.example/?k=sk-typed-by-mistake"',
    ],
)
def test_what_was_typed_by_mistake_is_not_shown_again(
    shell: Any, cell: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    shell.run_cell("%uac_user jess")
    shell.run_cell("%%uac_ingest --at 2025-01-10\nHello.")
    capfd.readouterr()
    shell.run_cell(cell)
    shell.run_cell("%uac_checkpoint")
    shell.run_cell("%config UacNb")
    assert "typed-by" not in "".join(capfd.readouterr()) + caplog.text


def test_a_secret_is_hidden_in_every_error_of_ours() -> None:
    error = UacError("no https://me:passw0rd@h.example/v1?key=abc Bearer abcdefgh1, Basic bWU6cGFzcw==, sk-abc")
    assert str(error) == "no https://[hidden]@h.example/v1?key=[hidden] Bearer [hidden], Basic [hidden], [hidden]"


def test_words_of_a_person_are_no_secret() -> None:
    said = "My wifi has key=abc1234, the bearer of this is on 2024-02-01; basic training at https://h.example/a?b=c"
    assert redacted(said, guess=False) == said
    assert redacted("the bearer of bad news had basic training") == "the bearer of bad news had basic training"
