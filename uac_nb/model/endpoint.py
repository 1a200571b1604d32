"""Any OpenAI-compatible endpoint, through the `openai` package.

Endpoints differ in what they accept: what one refuses is asked for in a plainer form, and that is remembered for the session.
Errors are raised outside of `except`, since the package's own hold the request with its headers: not even the hidden context
of ours may lead to the key.
"""

from __future__ import annotations

import json
import math
import os
import re
import time
from collections.abc import Callable, Mapping
from typing import Any, cast
from urllib.parse import urlsplit

from uac_nb.errors import ModelError, ReplyError
from uac_nb.errors.redaction import learn, redacted
from uac_nb.model.exchange import Barred, Exchange
from uac_nb.model.faults import Fault, fault, field, line, parse
from uac_nb.model.port import Message, Reply, Request

OFFICIAL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-5-mini"
NO_KEY = "none"  # what a local server is sent
TIMEOUT = 180.0  # seconds; a model on an ordinary processor may need more, which UAC_TIMEOUT gives it

# Ways to ask for the shape of the answer, best first. "json with schema" is what llama-cpp-python, Together and Fireworks know.
FORMS: tuple[str, ...] = ("strict schema", "schema", "json with schema", "json", "plain")
BY_SCHEMA = FORMS[:2]  # those in which the endpoint itself tells the model the schema
LIMITS = ("max_completion_tokens", "max_tokens")
SHOWN = 200  # characters of an endpoint's own words in an error
LOOKED_AT = 20_000  # and of those that are searched for secrets and blanks to find them


class OpenAIModel:
    """A model behind an endpoint. Its `repr` names both, and no key."""

    def __init__(
        self,
        name: str = DEFAULT_MODEL,
        *,
        key: str = "",
        base_url: str = OFFICIAL,
        timeout: float = TIMEOUT,
        retries: int = 4,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Raise ModelError when the key or the address cannot be one. `timeout` is in seconds, for one call."""
        self.name = name
        self.base_url = base_url.rstrip("/")
        self.endpoint = _shown(self.base_url)
        self.timeout, self.retries = timeout, retries
        self._key, self._sleep = _checked_key(key), sleep
        learn("" if self._key == NO_KEY else self._key, self.base_url)
        self._forms = FORMS  # those that are left to try
        # Many servers ignore a parameter that they do not know, so each is first sent the one that it is sure to know.
        self._limits = LIMITS if self.base_url == OFFICIAL else LIMITS[::-1]

    @classmethod
    def from_env(cls, name: str | None = None, *, env: Mapping[str, str] = os.environ, **options: Any) -> OpenAIModel:
        """Make one from OPENAI_API_KEY, OPENAI_BASE_URL, UAC_MODEL, UAC_TIMEOUT. Raise ModelError without key and address."""
        key, base_url = env.get("OPENAI_API_KEY", "").strip(), env.get("OPENAI_BASE_URL", "").strip()
        if not key and not base_url:
            raise ModelError(
                "no model is set: export OPENAI_API_KEY (for another endpoint OPENAI_BASE_URL and UAC_MODEL too), "
                "or use the pattern reader"
            )
        chosen = name or env.get("UAC_MODEL", "").strip() or DEFAULT_MODEL
        return cls(chosen, key=key, base_url=base_url or OFFICIAL, **{"timeout": _timeout(env), **options})

    def __repr__(self) -> str:
        return redacted(f"{self.name} at {self.endpoint}")

    def complete(self, request: Request) -> Reply:
        """Answer, in the best form that the endpoint takes. A cut answer is returned, with finish "length"."""
        began = time.monotonic()
        body = self._negotiate(request)
        if isinstance(body, Fault):
            raise self._error(body, request)
        return self._reply(body, request, time.monotonic() - began)

    # --- asking: each step returns the body of the response, or a fault ---

    def _negotiate(self, request: Request) -> str | Fault:
        """Ask in ever plainer forms until one is taken, and keep to that one."""
        forms = [form for form in self._forms if form != FORMS[0] or _closed(request.schema)] if request.schema else FORMS[-1:]
        faults: list[Fault] = []
        for form in forms:
            outcome = self._patiently(request, form)
            if not isinstance(outcome, Fault):
                self._forms = FORMS[FORMS.index(form) :] if request.schema is not None else self._forms
                return outcome
            faults.append(outcome)
            if not outcome.wants_plainer:
                return outcome
        return faults[0]

    def _patiently(self, request: Request, form: str) -> str | Fault:
        """Ask, and again while the endpoint is busy: up to `retries` times, when it says so, else after 1, 2, 4 … seconds."""
        for attempt in range(self.retries):
            outcome = self._limited(request, form)
            plainer = isinstance(outcome, Fault) and outcome.wants_plainer and form != FORMS[-1]
            if not isinstance(outcome, Fault) or not outcome.passes or plainer:
                return outcome
            self._sleep(2.0**attempt if outcome.wait is None else outcome.wait)
        return self._limited(request, form)

    def _limited(self, request: Request, form: str) -> str | Fault:
        """Ask; where the endpoint objects to the name of the token limit, use the other name from now on."""
        outcome = self._ask(request, form)
        if isinstance(outcome, Fault) and outcome.status in (400, 422) and re.search(rf"\b{self._limits[0]}\b", outcome.words):
            self._limits = self._limits[::-1]
            return self._ask(request, form)
        return outcome

    def _ask(self, request: Request, form: str) -> str | Fault:
        import openai  # takes most of a second

        with Exchange(self.timeout) as exchange:
            client = openai.OpenAI(
                api_key=self._key, base_url=self.base_url, timeout=self.timeout, max_retries=0, http_client=exchange.client
            )
            try:
                raw = client.chat.completions.with_raw_response.create(
                    model=self.name,
                    messages=cast(Any, _messages(request, form)),
                    extra_body={self._limits[0]: request.max_tokens, **_response_format(request, form)},
                )
                outcome: str | Fault = raw.http_response.text
            except (Barred, openai.APIConnectionError) as error:  # some versions of the package wrap the one in the other
                cause = error.__cause__ or error
                late = isinstance(error, openai.APITimeoutError)
                outcome = Fault(None, str(cause), slow=late, barred=isinstance(cause, Barred))
            except openai.APIStatusError as error:
                outcome = fault(error.status_code, error.response.text, error.response.headers)
        if exchange.late or (isinstance(outcome, Fault) and outcome.slow):
            return Fault(None, f"no whole answer within {self.timeout:g} s", slow=True)
        return outcome

    # --- reading the response ---

    def _reply(self, body: str, request: Request, seconds: float) -> Reply:
        data = parse(body)
        choices = field(data, "choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message, finish = field(choice, "message"), str(field(choice, "finish_reason") or "stop")
        text, refusal = _text(field(message, "content")), field(message, "refusal")
        if not isinstance(message, dict):
            raise self._error(fault(200, body, {}), request)
        if finish == "content_filter" or (refusal and not text.strip()):
            why = self._clean(str(refusal or "its content filter stopped the answer"))
            raise ReplyError(
                f"{self.name} refused {request.label} ({why}); try another model (UAC_MODEL), or the pattern reader"
            )
        if not text.strip():
            raise ReplyError(self._empty(request, finish))
        usage = field(data, "usage")
        return Reply(
            text=redacted(text, guess=False),
            model=self._clean(str(field(data, "model") or self.name)),
            prompt_tokens=field(usage, "prompt_tokens"),
            completion_tokens=field(usage, "completion_tokens"),
            seconds=seconds,
            finish=self._clean(finish),
        )

    def _empty(self, request: Request, finish: str) -> str:
        if finish == "length":
            used = f"{self.name} used up {request.max_tokens} tokens before it answered {request.label}"
            return f"{used}; allow more tokens, or try another model (UAC_MODEL)"
        return f"{self.name} sent an empty answer to {request.label}; try again, or another model (UAC_MODEL)"

    # --- saying what went wrong ---

    def _error(self, fault: Fault, request: Request) -> ModelError:
        kind = ReplyError if fault.too_long else ModelError  # another batch may fit
        return kind(line(fault, self._clean(fault.words), at=self.endpoint, model=self.name, asked=request.label))

    def _clean(self, words: str) -> str:
        """An endpoint's words as one short line, without the key."""
        line = "".join(c for c in " ".join(redacted(words[:LOOKED_AT]).split()) if c.isprintable())
        return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


def _timeout(env: Mapping[str, str]) -> float:
    """The seconds of UAC_TIMEOUT."""
    text = env.get("UAC_TIMEOUT", "").strip()
    try:
        seconds = float(text or TIMEOUT)
    except ValueError:
        seconds = 0
    if not 0 < seconds < math.inf:
        raise ModelError(f"UAC_TIMEOUT is {text!r}, which is no time; write the seconds that one answer may take, as 600")
    return seconds


def _checked_key(key: str) -> str:
    key = key.strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ModelError("OPENAI_API_KEY holds characters that no key has (a space, a curly quote …); copy it again")
    return key or NO_KEY


def _shown(base_url: str) -> str:
    """The address without user, password and query, each of which may be a secret."""
    parts = _split(base_url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _split(base_url: str) -> Any:
    wrong = ModelError("OPENAI_BASE_URL is no address; write it like http://127.0.0.1:8080/v1")
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number, a broken IPv6 address
        usable = False
    if not usable:
        raise wrong
    return parts


def _messages(request: Request, form: str) -> list[Message]:
    """The messages; where the model may not learn the schema otherwise, the system message holds it."""
    if request.schema is None or form in BY_SCHEMA:
        return list(request.messages)
    schema = json.dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
    words = f"Answer with one JSON object and nothing else. It fits this JSON schema (do not repeat the schema):\n{schema}"
    system = [m["content"] for m in request.messages if m["role"] == "system"]
    others = [m for m in request.messages if m["role"] != "system"]
    return [{"role": "system", "content": "\n\n".join([*system, words])}, *others]


def _closed(schema: Any) -> bool:
    """Whether a schema leaves no object open: others are refused where it is to be followed strictly."""
    if isinstance(schema, list | tuple):
        return all(map(_closed, schema))
    if not isinstance(schema, Mapping):
        return True
    is_open = schema.get("type") == "object" and schema.get("additionalProperties") is not False
    return not is_open and all(_closed(part) for part in schema.values())


def _response_format(request: Request, form: str) -> dict[str, Any]:
    if request.schema is None or form == "plain":
        return {}
    if form == "json":
        return {"response_format": {"type": "json_object"}}
    if form == "json with schema":
        return {"response_format": {"type": "json_object", "schema": _terse(request.schema)}}
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", request.purpose)[:64] or "answer"
    schema = {"name": name, "schema": request.schema, "strict": form == "strict schema"}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _terse(schema: Any) -> Any:
    """A schema without `items: {}` of lists: it says nothing, and llama-cpp-python drops the whole schema over it."""
    if isinstance(schema, list | tuple):
        return [_terse(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    idle = ["items"] if schema.get("type") == "array" and schema.get("items") == {} else []
    return {key: _terse(part) for key, part in schema.items() if key not in idle}


def _text(content: Any) -> str:
    """The text of an answer: a string, or (some endpoints) a list of parts."""
    if isinstance(content, list):
        return "".join(str(part["text"]) for part in content if field(part, "type") == "text" and field(part, "text"))
    return content if isinstance(content, str) else ""
