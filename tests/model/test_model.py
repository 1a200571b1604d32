"""The port's stand-ins, and the adapter against a scripted server on the loopback: every fault is one line and shows no key."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from uac_nb.errors import ModelError
from uac_nb.errors.redaction import redacted
from uac_nb.model import FakeModel, OpenAIModel, RecordedModel, Recorder, Reply, Request

KEY = "sk-test-0123456789abcdef"
SCHEMA = {"type": "object", "properties": {"changes": {"type": "array"}}, "additionalProperties": False}
ASK = Request(
    purpose="structure", messages=({"role": "user", "content": "hello"},), schema=SCHEMA, max_tokens=50, entries=(3, 1)
)


# --- a server that answers from a script and remembers what it was sent ---


class Server:
    """`script` holds (status, body, headers) in order; the last one is repeated. A callable is given the request's JSON."""

    def __init__(self) -> None:
        self.script: list[Any] = []
        self.seen: list[dict[str, Any]] = []
        self.hold = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.seen.append(body)
                step = outer.script.pop(0) if len(outer.script) > 1 else outer.script[0]
                status, text, headers = step(body) if callable(step) else step
                if status == 0:  # say nothing until the test is over
                    outer.hold.wait(10)
                    return
                data = text.encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self) -> None:
        self.hold.set()
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "UAC_MODEL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def ask(server: Server) -> Callable[..., Reply]:
    """Ask the scripted server, which answers with these steps. `ask.waits` are the seconds it would have slept."""
    waits: list[float] = []
    made: list[OpenAIModel] = []

    def ask(*script: Any, request: Request = ASK, **options: Any) -> Reply:
        server.script = list(script)
        if not made or options:
            made.append(OpenAIModel("tiny", key=KEY, base_url=server.url, sleep=waits.append, **options))
        return made[-1].complete(request)

    ask.waits = waits  # type: ignore[attr-defined]
    return ask


def said(content: Any = "{}", finish: str = "stop", **message: Any) -> tuple[int, str, dict[str, str]]:
    """A usual answer."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
    return 200, json.dumps({"id": "1", "object": "chat.completion", "model": "tiny-1", "choices": [choice], "usage": usage}), {}


def refused(status: int, message: str, code: str = "", **headers: str) -> tuple[int, str, dict[str, str]]:
    return (
        status,
        json.dumps({"error": {"message": message, "code": code}}),
        {k.replace("_", "-"): v for k, v in headers.items()},
    )


HTML = (200, "<!DOCTYPE html>\n<html><body>Sign in to the proxy</body></html>", {"Content-Type": "text/html"})


# --- answers ---


def test_an_answer_with_its_tokens(ask: Any, server: Server) -> None:
    reply = ask(said('{"changes": []}'))
    assert (reply.text, reply.model, reply.prompt_tokens, reply.completion_tokens, reply.finish) == (
        '{"changes": []}', "tiny-1", 7, 2, "stop",
    )  # fmt: skip
    assert not reply.recorded
    assert not reply.stale
    assert reply.seconds >= 0
    assert server.seen[0]["model"] == "tiny"
    assert server.seen[0]["max_tokens"] == 50
    assert server.seen[0]["response_format"]["json_schema"]["schema"] == SCHEMA


@pytest.mark.parametrize(
    ("step", "text", "finish"),
    [
        (said('{"changes": [', finish="length"), '{"changes": [', "length"),
        (said([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]), "ab", "stop"),
        (said("the answer", reasoning_content="long thoughts"), "the answer", "stop"),
        (said("kept", refusal=""), "kept", "stop"),
        (said(f"your key is {KEY}"), "your key is [hidden]", "stop"),
    ],
    ids=["cut", "parts", "reasoning", "empty refusal", "key echoed"],
)
def test_unusual_answers_are_answers(ask: Any, step: Any, text: str, finish: str) -> None:
    reply = ask(step)
    assert (reply.text, reply.finish) == (text, finish)


def test_an_endpoint_that_does_not_count(ask: Any) -> None:
    reply = ask((200, '{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": "many"}}', {}))
    assert (reply.prompt_tokens, reply.completion_tokens, reply.model, reply.finish) == (None, None, "tiny", "stop")


# --- what an endpoint does not accept ---


def form(body: dict[str, Any]) -> str:
    asked = body.get("response_format", {"type": "plain"})
    strict = asked.get("json_schema", {}).get("strict")
    return f"{asked['type']}{' strict' if strict else ' schema' if 'schema' in asked else ''}"


@pytest.mark.parametrize("status", [400, 422, 500])
@pytest.mark.parametrize(
    ("taken", "tried"),
    [
        ("json_schema", ["json_schema strict", "json_schema"]),
        ("json_object schema", ["json_schema strict", "json_schema", "json_object schema"]),
        ("json_object", ["json_schema strict", "json_schema", "json_object schema", "json_object"]),
        ("plain", ["json_schema strict", "json_schema", "json_object schema", "json_object", "plain"]),
    ],
)
def test_a_plainer_form_is_found_and_remembered(ask: Any, server: Server, status: int, taken: str, tried: list[str]) -> None:
    step = lambda body: said("yes") if form(body) == taken else refused(status, "response_format is not supported")  # noqa: E731
    assert ask(step).text == "yes"
    assert [form(body) for body in server.seen] == tried
    assert ask(step).text == "yes"
    assert [form(body) for body in server.seen[len(tried) :]] == [taken]
    assert ask.waits == []


def test_without_json_schema_the_system_message_holds_the_schema(ask: Any, server: Server) -> None:
    request = Request(purpose="ask", messages=({"role": "system", "content": "Be brief."}, *ASK.messages), schema=SCHEMA)
    ask(lambda body: said() if form(body) == "plain" else refused(400, "unknown field"), request=request)
    system = server.seen[-1]["messages"][0]
    assert system["role"] == "system"
    assert system["content"].startswith("Be brief.\n\n")
    assert json.loads(system["content"].rpartition("\n")[2]) == SCHEMA
    assert [m["content"] for m in server.seen[0]["messages"]] == ["Be brief.", "hello"]


def test_a_schema_beside_json_object_has_no_empty_items(ask: Any, server: Server) -> None:
    """llama-cpp-python drops a schema with `items: {}`, which a property of that name is not; the words keep it as it is."""
    loose = {
        "type": "object",
        "properties": {"items": {}, "any": {"type": "array", "items": {}}},
        "additionalProperties": False,
    }
    bare = {"type": "object", "properties": {"items": {}, "any": {"type": "array"}}, "additionalProperties": False}
    request = Request(purpose="ask", messages=ASK.messages, schema=loose)
    ask(lambda body: said() if form(body) == "json_object schema" else refused(500, "json_schema"), request=request)
    assert server.seen[-1]["response_format"] == {"type": "json_object", "schema": bare}
    assert json.loads(server.seen[-1]["messages"][0]["content"].rpartition("\n")[2]) == loose


def test_a_request_without_schema_is_plain(ask: Any, server: Server) -> None:
    ask(said("Hi."), request=Request(purpose="ask", messages=ASK.messages))
    assert "response_format" not in server.seen[0]
    ask(said("{}"))
    assert form(server.seen[1]) == "json_schema strict"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"values": {"type": "object"}}, "additionalProperties": False},
        {"type": "object", "properties": {}},
        {"type": "array", "items": {"anyOf": [{"type": "object", "additionalProperties": {"type": "string"}}]}},
    ],
)
def test_a_schema_with_open_objects_is_not_asked_for_strictly(ask: Any, server: Server, schema: dict[str, Any]) -> None:
    ask(said("{}"), request=Request(purpose="structure", messages=ASK.messages, schema=schema))
    assert [form(body) for body in server.seen] == ["json_schema"]


def test_the_other_name_of_the_token_limit(ask: Any, server: Server) -> None:
    wrong = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    step = lambda body: refused(400, wrong) if "max_tokens" in body else said("ok")  # noqa: E731
    assert ask(step).text == "ok"
    assert ask(step).text == "ok"
    assert [body.get("max_completion_tokens") for body in server.seen] == [None, 50, 50]


def test_the_official_endpoint_is_sent_the_new_name_first() -> None:
    assert OpenAIModel("m", key=KEY)._limits[0] == "max_completion_tokens"
    assert OpenAIModel("m", key=KEY, base_url="http://127.0.0.1:1/v1")._limits[0] == "max_tokens"


# --- waiting ---


@pytest.mark.parametrize(
    ("headers", "waits"), [({"Retry_After": "2.5"}, [2.5, 2.5]), ({}, [1.0, 2.0]), ({"Retry_After": "soon"}, [1.0, 2.0])]
)
def test_a_busy_endpoint_is_asked_again(ask: Any, headers: dict[str, str], waits: list[float]) -> None:
    busy = refused(429, "slow down", **headers)
    assert ask(busy, busy, said("done")).text == "done"
    assert ask.waits == waits


def test_a_date_in_retry_after_that_has_passed(ask: Any) -> None:
    assert ask(refused(503, "later", Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"), said("done")).text == "done"
    assert ask.waits == [0.0]


def test_retries_are_bounded(ask: Any, server: Server) -> None:
    with pytest.raises(ModelError, match=r"busy or broken.*429: slow down.*nothing is lost"):
        ask(refused(429, "slow down"), retries=2)
    assert (len(server.seen), ask.waits) == (3, [1.0, 2.0])


# --- faults: one line each, what and what to do ---

PLAIN = Request(purpose="structure", messages=ASK.messages, entries=(3, 1))
FAULTS = {
    "wrong key": (refused(401, f"Incorrect key: {KEY}"), r"refused the key \(401: .*\[hidden\]\); check OPENAI_API_KEY"),
    "forbidden": (refused(403, "not for you"), "refused the key .403: not for you"),
    "no such model": (refused(404, "no model tiny"), "knows no 'tiny' .404: no model tiny.; check UAC_MODEL"),
    "too long": (refused(400, "maximum context length is 8192 tokens"), "structure of entries 1-3 is too long for tiny"),
    "too large": (refused(413, "big"), "too long for tiny .413: big.; give its server a larger context"),
    "no credit": (refused(429, "You exceeded your quota", "insufficient_quota"), "no credit left"),
    "hours to wait": (refused(429, "later", Retry_After="7200"), "it asks to wait 7200 s"),
    "teapot": (refused(418, "short and stout"), "refused structure of entries 1-3 .418: short and stout"),
    "unprocessable": (refused(422, "no"), "refused structure of entries 1-3 .422: no"),
    "error as text": ((400, '{"error": "bad thing"}', {}), "400: bad thing"),
    "error as a page": ((403, HTML[1], HTML[2]), r"did not answer as a model does, but with an HTML page \(403\)"),
    "a proxy's page": (HTML, r"but with an HTML page \(200\); check any proxy and OPENAI_BASE_URL"),
    "not JSON": ((200, "hello", {}), "but with hello"),
    "nothing": ((200, "", {}), "but with nothing"),
    "JSON of another kind": ((200, '{"choices": {"0": 1}}', {}), "did not answer as a model does"),
    "no choices": ((200, '{"choices": []}', {}), "did not answer as a model does"),
    "deep JSON": ((200, "[" * 100_000, {}), "did not answer as a model does"),
    "empty": (said(""), "sent an empty answer to structure of entries 1-3; try again"),
    "null": (said(None), "sent an empty answer"),
    "white space": (said(" \n"), "sent an empty answer"),
    "all spent on thinking": (said("", finish="length"), "used up 8192 tokens before it answered structure"),
    "refusal": (said(None, refusal="I can't help with that."), "refused structure of entries 1-3 .I can't help with"),
    "content filter": (said("half", finish="content_filter"), "refused .*content filter"),
    "hostile words": (refused(418, f"a\nb\x1b[31m {KEY} " + "x" * 900), r"418: a b\[31m \[hidden\] x+…\)"),
}  # fmt: skip


@pytest.mark.parametrize(("step", "words"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_one_line(ask: Any, server: Server, step: Any, words: str) -> None:
    with pytest.raises(ModelError, match=words) as caught:
        ask(step, request=PLAIN)
    assert_clean(caught.value)
    assert len(server.seen) == 1
    assert ask.waits == []


def assert_clean(error: ModelError) -> None:
    """One printable line, no key, and no way back to an exception that holds the request with its headers."""
    line = str(error)
    assert line.isprintable()
    assert len(line) < 420
    assert KEY not in line
    assert error.__cause__ is None
    assert error.__context__ is None


def test_an_endpoint_that_refuses_every_form_says_why_once(ask: Any, server: Server) -> None:
    with pytest.raises(ModelError, match=r"busy or broken .500: boom"):
        ask(refused(500, "boom"), retries=1)
    tried = ["json_schema strict", "json_schema", "json_object schema", "json_object", "plain", "plain"]
    assert [form(body) for body in server.seen] == tried


def test_no_answer_in_time(ask: Any) -> None:
    with pytest.raises(ModelError, match=r"no whole answer within 0.05 s to structure.*UAC_TIMEOUT") as caught:
        ask((0, "", {}), timeout=0.05)
    assert_clean(caught.value)


def test_an_endpoint_that_is_down() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    model = OpenAIModel("tiny", key=KEY, base_url=f"http://127.0.0.1:{port}/v1")
    with pytest.raises(
        ModelError, match=rf"no model at http://127.0.0.1:{port}/v1 .*refused.*is the server running\?"
    ) as caught:
        model.complete(PLAIN)
    assert_clean(caught.value)


# --- settings ---


def test_from_env() -> None:
    model = OpenAIModel.from_env(env={"OPENAI_API_KEY": f" {KEY}\n", "OPENAI_BASE_URL": "http://h:1/v1/", "UAC_MODEL": "mine"})
    assert (model.name, model.endpoint, repr(model)) == ("mine", "http://h:1/v1", "mine at http://h:1/v1")
    assert OpenAIModel.from_env("other", env={"OPENAI_API_KEY": KEY, "UAC_MODEL": "mine"}).name == "other"
    assert OpenAIModel.from_env(env={"OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"}).endpoint == "http://127.0.0.1:8080/v1"


@pytest.mark.parametrize(("text", "seconds"), [("", 180), (" 600 ", 600), ("0.5", 0.5)])
def test_the_time_that_an_answer_may_take(text: str, seconds: float) -> None:
    assert OpenAIModel.from_env(env={"OPENAI_API_KEY": KEY, "UAC_TIMEOUT": text}).timeout == seconds


@pytest.mark.parametrize("text", ["10 minutes", "0", "-1", "nan", "inf"])
def test_a_time_that_is_none(text: str) -> None:
    with pytest.raises(ModelError, match=rf"UAC_TIMEOUT is '{text}'.*as 600"):
        OpenAIModel.from_env(env={"OPENAI_API_KEY": KEY, "UAC_TIMEOUT": text})


def test_from_env_with_nothing_set() -> None:
    with pytest.raises(ModelError, match=r"no model is set: export OPENAI_API_KEY .*pattern reader"):
        OpenAIModel.from_env(env={"UAC_MODEL": "mine"})


@pytest.mark.parametrize("key", ["sk-“quoted”", "sk two words", "sk-line\nbreak"])
def test_a_key_that_cannot_be_one(key: str) -> None:
    with pytest.raises(ModelError, match="copy it again") as caught:
        OpenAIModel("m", key=key)
    assert key not in str(caught.value)


@pytest.mark.parametrize("url", ["127.0.0.1:8080/v1", "ftp://h/v1", "http://", "http://h:port/v1", "http://[::1/v1"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ModelError, match="OPENAI_BASE_URL is no address"):
        OpenAIModel("m", key=KEY, base_url=url)


def test_secrets_of_an_address_are_not_shown() -> None:
    model = OpenAIModel("m", base_url="https://me:p%40ss@h.example/v1?token=abc123")
    assert model.endpoint == "https://h.example/v1"
    assert redacted("p%40ss p@ss abc123", guess=False) == "[hidden] [hidden] [hidden]"


# --- stand-ins ---


def test_fake_answers_in_order_and_keeps_what_it_was_asked() -> None:
    fake = FakeModel(["", Reply(text="two", finish="length"), ModelError("three")])
    assert fake.complete(ASK).text == ""
    assert fake.complete(ASK).finish == "length"
    with pytest.raises(ModelError, match="three"):
        fake.complete(ASK)
    with pytest.raises(ModelError, match="no reply left for structure of entries 1-3"):
        fake.complete(ASK)
    assert fake.requests == [ASK] * 4


def test_fake_by_a_function() -> None:
    assert FakeModel(lambda request: f"round {request.round}").complete(ASK).text == "round 1"


def request(purpose: str = "structure", content: str = "hello", entries: tuple[int, ...] = (1, 2), round: int = 1) -> Request:
    return Request(purpose=purpose, messages=({"role": "user", "content": content},), entries=entries, round=round)


def test_recorded_replies_are_found_by_purpose_entries_and_round(tmp_path: Any) -> None:
    path = tmp_path / "replies.jsonl"
    asked = [request(), request(round=2), request(entries=(3,)), request(purpose="ask", entries=(), content="who?")]
    recorder = Recorder(FakeModel([Reply(text=f"{n}\u2028\ud800", model="m", prompt_tokens=n) for n in range(4)]), path)
    for one in asked:
        recorder.complete(one)
    replay = RecordedModel(path)
    for n, one in reversed(list(enumerate(asked))):
        reply = replay.complete(one)
        assert (reply.text, reply.prompt_tokens, reply.recorded, reply.stale) == (f"{n}\u2028\ud800", n, True, False)
    assert replay.stale == []
    assert recorder.name == "scripted"


def test_a_changed_prompt_replays_with_a_warning(tmp_path: Any) -> None:
    path = tmp_path / "replies.jsonl"
    Recorder(FakeModel(["old"]), path).complete(request())
    replay = RecordedModel(path)
    reply = replay.complete(request(content="hello!"))
    assert (reply.text, reply.recorded, reply.stale) == ("old", True, True)
    assert [d.where for d in replay.stale] == ["structure of entries 1-2"]


def test_of_several_recordings_the_one_of_this_prompt_is_taken(tmp_path: Any) -> None:
    path = tmp_path / "replies.jsonl"
    recorder = Recorder(FakeModel(["first", "second", "again"]), path)
    for content in ("a", "b", "a"):
        recorder.complete(request(content=content))
    assert [RecordedModel(path).complete(request(content=c)).text for c in "ab"] == ["again", "second"]


def test_a_recording_holds_no_prompt_no_key_and_is_private(tmp_path: Any, server: Server) -> None:
    path = tmp_path / "replies.jsonl"
    server.script = [said(f"{KEY}")]
    model = OpenAIModel("tiny", key=KEY, base_url=server.url)
    Recorder(model, path).complete(request(content="my secret"))
    text = path.read_text()
    assert KEY not in text
    assert "my secret" not in text
    assert path.stat().st_mode & 0o077 == 0
    assert set(json.loads(text)) == {"purpose", "entries", "round", "prompt", "reply"}


@pytest.mark.parametrize(
    "line", ["no json", "{}", "[]", '{"purpose": "a", "entries": [], "round": 1, "prompt": "", "reply": {"text": 1}}']
)
def test_a_line_that_is_no_recording_is_named(tmp_path: Any, line: str) -> None:
    path = tmp_path / "replies.jsonl"
    Recorder(FakeModel(["x"]), path).complete(request())
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(ModelError, match=r"replies.jsonl:2: no recorded reply"):
        RecordedModel(path)


def test_a_recording_that_is_missing_or_lacks_a_reply(tmp_path: Any) -> None:
    with pytest.raises(ModelError, match=r"cannot read the recording none.jsonl: No such file"):
        RecordedModel(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(ModelError, match=r"no recorded reply in empty.jsonl for structure of entries 1-2, round 3"):
        RecordedModel(tmp_path / "empty.jsonl").complete(request(round=3))
