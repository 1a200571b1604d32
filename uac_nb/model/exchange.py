"""One call of an endpoint, bounded in where it goes, how much comes back, and how long all of it may take.

An endpoint may be anything that answers: it may send the person's words on to another host, send blanks without end or
a text that grows when unpacked, or a byte a second. httpx bounds none of these: its timeout is for a single read.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping
from contextlib import suppress
from threading import Timer
from typing import Any

from uac_nb.errors.redaction import redacted

MOST = 8_000_000  # bytes of an answer
PIECE = 65_536
LIBRARIES = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")


class Barred(Exception):
    """An endpoint did what is not gone along with. Says what, as the end of a sentence about it."""


class Exchange:
    """An HTTP client for one call, which ends after `seconds` whatever comes; `late` says that it did."""

    def __init__(self, seconds: float) -> None:
        import openai

        self.late = False
        self._origin: tuple[str, str, int | None] | None = None
        self._streams: list[Any] = []
        self._timer = Timer(seconds, self._end)
        self._timer.daemon = True
        self.client = openai.DefaultHttpxClient(
            timeout=seconds,
            headers={"Accept-Encoding": "identity"},  # so the bytes that are counted are all there will be
            event_hooks={"request": [self._watch], "response": [_read]},
        )

    def __enter__(self) -> Exchange:
        _hide_in_logs()
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self.client.close()

    def _watch(self, request: Any) -> None:
        """Look at a request before it is sent, the first one and those that redirects make. Raise Barred for another host."""
        origin = (request.url.scheme, request.url.host, request.url.port)
        if origin != (self._origin or origin):
            there = f"{request.url.scheme}://{request.url.netloc.decode()}"
            raise Barred(f"sends what it is asked on to {there}, where nothing was sent")
        self._origin = origin
        request.extensions = {**request.extensions, "trace": self._trace}

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._streams.append(info["return_value"])
            if self.late:
                self._end()

    def _end(self) -> None:
        """Shut the sockets, which wakes whoever waits for them. (TLS's own way would go on in plain text in between.)"""
        self.late = True
        for stream in self._streams:
            with suppress(OSError):
                socket.socket.shutdown(stream.get_extra_info("socket"), socket.SHUT_RDWR)


def _read(response: Any) -> None:
    """Read a response while it is within bounds. Raise Barred when it is not."""
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise Barred("answers compressed, which it was asked not to")
    body = bytearray()
    for piece in response.iter_raw(PIECE):
        body += piece
        if len(body) > MOST:
            raise Barred(f"answers with more than {MOST:,} bytes, which no answer needs")
    response._content = bytes(body)  # as `read` would leave it
    response.encoding = "utf-8"  # a charset of the endpoint's choice may be a codec that unpacks


class _Redacting(logging.Filter):
    """Libraries log addresses, headers and errors as they are."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redacted(record.getMessage()), ()
        if record.exc_info:
            record.exc_text = redacted(logging.Formatter().formatException(record.exc_info))
            record.exc_info = None
        return True


_REDACTING = _Redacting()


def _hide_in_logs() -> None:
    """Let the loggers of the libraries hide secrets. A filter holds for its own logger only, so each one gets it."""
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] in LIBRARIES:
            logging.getLogger(name).addFilter(_REDACTING)
