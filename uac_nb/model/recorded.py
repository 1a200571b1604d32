"""Replies kept in a file, so that a demo, a test or a second run needs neither key nor network.

One JSON object a line: purpose, entries, round, the hash of the prompt (not the prompt: it holds what people said), the reply.
"""

from __future__ import annotations

import json
import math
import os
from collections import defaultdict
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from uac_nb.errors import Diagnostic, ModelError
from uac_nb.model.port import Model, Reply, Request

Key = tuple[str, tuple[int, ...], int]
KEPT = ("text", "model", "prompt_tokens", "completion_tokens", "seconds", "finish")


class Recorder:
    """Pass requests on to a model and append each reply to a file that only its owner can read."""

    def __init__(self, model: Model, path: str | os.PathLike[str]) -> None:
        self.model, self.path = model, Path(path)

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def endpoint(self) -> str:
        return str(getattr(self.model, "endpoint", ""))

    def complete(self, request: Request) -> Reply:
        reply = self.model.complete(request)
        fields = asdict(reply)
        line = {
            "purpose": request.purpose,
            "entries": list(request.entries),
            "round": request.round,
            "prompt": request.digest,
            "reply": {name: fields[name] for name in KEPT},
        }
        data = json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        with open(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab", buffering=0) as file:
            file.write(data)  # in one write: an interrupt leaves no half line
        return reply


class RecordedModel:
    """Answer from such a file. Where the prompt has changed since, the reply is `stale`, and `self.stale` says so."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Raise ModelError when the file is missing or a line of it is no recording."""
        self.path = Path(path)
        self.name = f"recorded ({self.path.name})"
        self.stale: list[Diagnostic] = []
        self._replies: dict[Key, list[tuple[str, Reply]]] = defaultdict(list)
        for key, prompt, reply in _load(self.path):
            self._replies[key].append((prompt, reply))

    def complete(self, request: Request) -> Reply:
        known = self._replies.get((request.purpose, tuple(request.entries), request.round))
        if not known:
            raise ModelError(f"no recorded reply in {self.path.name} for {request.label}; run it with a model to record one")
        same = [reply for prompt, reply in known if prompt == request.digest]
        if same:
            return same[-1]
        self.stale.append(
            Diagnostic("stale-recording", request.label, "this reply was recorded for another prompt", "record it again")
        )
        return replace(known[-1][1], stale=True)


def _load(path: Path) -> list[tuple[Key, str, Reply]]:
    try:
        lines = path.read_text("utf-8").split("\n")  # not splitlines: a reply may hold U+2028
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ModelError(f"cannot read the recording {path.name}: {reason}; record it again with a model") from None
    return [_entry(line, f"{path.name}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def _entry(line: str, where: str) -> tuple[Key, str, Reply]:
    try:
        data: dict[str, Any] = json.loads(line)
        key = (str(data["purpose"]), tuple(int(id) for id in data["entries"]), int(data["round"]))
        kept = {name: value for name, value in data["reply"].items() if name in KEPT}
        if not all(isinstance(kept.get(name, ""), str) for name in ("text", "model", "finish")):
            raise TypeError
        if not 0 <= float(kept.get("seconds", 0.0)) < math.inf:  # JSON of Python's holds Infinity and NaN; an export cannot
            raise ValueError
        return key, str(data["prompt"]), Reply(**kept, recorded=True)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise ModelError(f"{where}: no recorded reply in this line; delete it, or record the file again") from None
