"""A scripted model that is ordinary code, for tests and for trying things without a key."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from uac_nb.errors import ModelError
from uac_nb.model.port import Reply, Request

Answer = str | Reply | ModelError


class FakeModel:
    """Answer from a list, in order, or by a function of the request. What it was asked is kept in `requests`."""

    def __init__(self, answers: Iterable[Answer] | Callable[[Request], Answer], name: str = "scripted") -> None:
        self.name = name
        self.requests: list[Request] = []
        self._answer = answers if callable(answers) else _in_order(answers)

    def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        answer = self._answer(request)
        if isinstance(answer, ModelError):
            raise answer
        return answer if isinstance(answer, Reply) else Reply(text=answer, model=self.name)


def _in_order(answers: Iterable[Answer]) -> Callable[[Request], Answer]:
    left = iter(answers)

    def answer(request: Request) -> Answer:
        return next(left, ModelError(f"the script has no reply left for {request.label}; add one"))

    return answer
