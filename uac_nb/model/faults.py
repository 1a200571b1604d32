"""What an endpoint does instead of answering: which faults pass, which want a plainer request, and the line for each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

BUSY = {409, 429, 500, 502, 503, 504, 529}
LONGEST_WAIT = 60.0  # seconds; who asks for more is not waited for
CREDIT = "insufficient_quota"
TOO_LONG = re.compile(r"context.{0,20}(length|window|size)|maximum.{0,20}tokens|too (long|many tokens)", re.IGNORECASE)
HTML = re.compile(r"\s*<(!doctype html|html|head|body)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fault:
    """What came back. `status` is None where nothing did, `wait` the seconds that Retry-After asks for."""

    status: int | None
    words: str
    code: str = ""
    wait: float | None = None
    slow: bool = False
    barred: bool = False  # what it did is not gone along with

    @property
    def html(self) -> bool:
        return HTML.match(self.words) is not None

    @property
    def too_long(self) -> bool:
        """Whether the prompt does not fit the model."""
        objects = self.status in (400, 422) and TOO_LONG.search(self.words) is not None
        return objects or self.status == 413 or self.code == "context_length_exceeded"

    @property
    def passes(self) -> bool:
        """Whether it is worth waiting: busy, but neither out of credit nor for long."""
        return self.status in BUSY and self.code != CREDIT and (self.wait is None or self.wait <= LONGEST_WAIT)

    @property
    def wants_plainer(self) -> bool:
        """Whether a plainer request may be taken: some endpoints answer 400, some 422, some 500 to a schema."""
        return self.status in (400, 422, 500) and not self.too_long


def fault(status: int, body: str, headers: Mapping[str, str]) -> Fault:
    """Read an error response: the usual {"error": {"message", "code"}}, or whatever there is."""
    data = parse(body)
    error = field(data, "error") or data
    words = error if isinstance(error, str) else field(error, "message")
    return Fault(status, str(words or body), str(field(error, "code") or ""), retry_after(headers.get("retry-after", "")))


def retry_after(value: str) -> float | None:
    """The seconds to wait; the header holds them, or an HTTP date.

    >>> retry_after("2.5"), retry_after("soon")
    (2.5, None)
    """
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value.strip()):
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def line(fault: Fault, said: str, *, at: str, model: str, asked: str) -> str:
    """One line: what happened and what to do. `said` is the endpoint's own words, cleaned; `asked` is what it was asked for."""
    status = fault.status
    if fault.slow:
        return f"{at}: {said} to {asked}; try again, or allow it more time (UAC_TIMEOUT, in seconds)"
    if fault.barred:
        return f"{at} {said}; check any proxy and OPENAI_BASE_URL"
    if status is None:
        return f"no model at {at} ({said}); is the server running? check OPENAI_BASE_URL"
    if fault.html or status == 200:
        what = "an HTML page" if fault.html else said or "nothing"
        return (
            f"{at} did not answer as a model does, but with {what} ({status}); check any proxy and OPENAI_BASE_URL (often …/v1)"
        )
    if status in (401, 403):
        return f"{at} refused the key ({status}: {said}); check OPENAI_API_KEY"
    if status == 404:
        return f"{at} knows no {model!r} (404: {said}); check UAC_MODEL and OPENAI_BASE_URL (often …/v1)"
    if fault.too_long:
        return f"{asked} is too long for {model} ({status}: {said}); give its server a larger context, or try another"
    if fault.code == CREDIT:
        return f"{at}: the account has no credit left ({said})"
    if status in BUSY:
        wait = f", it asks to wait {fault.wait:.0f} s" if fault.wait else ""
        return f"{at} is busy or broken ({status}: {said}{wait}); nothing is lost, try again later"
    return f"{at} refused {asked} ({status}: {said}); check UAC_MODEL and OPENAI_BASE_URL"


def parse(body: str) -> Any:
    """The JSON of a body, or None."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def field(data: Any, name: str) -> Any:
    """A field of JSON whose shape nobody promises, or None."""
    return data.get(name) if isinstance(data, dict) else None
