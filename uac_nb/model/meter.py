"""What calls cost: an estimate beforehand, a cap that holds, and the totals of the ledger.

Prices are not ours to know: one comes as an argument or from UAC_PRICE, else costs stay unknown.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields, replace
from typing import TYPE_CHECKING

from uac_nb.errors import ModelError
from uac_nb.log import Call
from uac_nb.model.port import Model, Reply, Request

if TYPE_CHECKING:
    import pandas as pd

PER_TOKEN = 3.6  # characters, as estimated for English talk
LEAST = 256  # tokens that an answer needs to be worth asking for


def tokens(text: str) -> int:
    """About how many tokens a text has.

    >>> tokens("Flying to Lisbon on 10 March.")
    9
    """
    return math.ceil(len(text) / PER_TOKEN)


def sent(request: Request) -> int:
    """About how many tokens a request has, its schema among them."""
    schema = tokens(json.dumps(request.schema, ensure_ascii=False)) if request.schema else 0
    return schema + sum(tokens(message["content"]) for message in request.messages)


@dataclass(frozen=True)
class Price:
    """In the currency of whoever states it, for a million tokens that are sent and that are answered."""

    sent: float
    answered: float

    @classmethod
    def of(cls, price: str | Price | None, env: Mapping[str, str] = os.environ) -> Price | None:
        """Read "0.25/2.00" (sent/answered), by default from UAC_PRICE; None where there is none. Raise ModelError."""
        if isinstance(price, Price):
            return price
        if not (text := price or env.get("UAC_PRICE", "")):
            return None
        try:
            one, other = (float(part) for part in text.split("/"))
        except ValueError:
            one = other = -1
        if not (0 <= one < math.inf and 0 <= other < math.inf):
            raise ModelError(f"{text!r} is no price; write what a million tokens cost, sent/answered: 0.25/2.00")
        return cls(one, other)

    def cost(self, sent: float, answered: float) -> float:
        return (sent * self.sent + answered * self.answered) / 1_000_000


@dataclass(frozen=True)
class Estimate:
    """What is about to be sent, and where. `answered` and `cost` are rough; `cost` is None where no price is known."""

    model: str
    endpoint: str
    batches: int
    entries: int
    sent: int
    answered: int
    cost: float | None

    def __str__(self) -> str:
        cost = "" if self.cost is None else f", about {self.cost:.2f}"
        where = f" at {self.endpoint}" if self.endpoint else ""
        entries = "1 entry goes" if self.entries == 1 else f"{self.entries:,} entries go"
        batches = f" in {self.batches:,} batches" if self.batches > 1 else ""
        return f"{entries}{batches} to {self.model}{where}: about {self.sent:,} tokens out, {self.answered:,} back{cost}"


class CapReached(ModelError):
    """The next call would pass the cap."""


class Meter:
    """A model that counts what it spends, and stops before it passes a cap. Recorded replies cost nothing."""

    def __init__(
        self, model: Model, *, max_tokens: int | None = None, max_cost: float | None = None, price: Price | None = None
    ) -> None:
        """Raise ModelError when a cost is capped and no price is known."""
        if max_cost is not None and price is None:
            told = "a cap on cost needs a price, sent/answered for a million tokens, as 0.25/2.00"
            raise ModelError(f'{told}: give price="0.25/2.00", set %config UacNb.price, or export UAC_PRICE')
        self.model, self.price = model, price
        self.max_tokens, self.max_cost = max_tokens, max_cost
        self.sent = self.answered = 0

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def endpoint(self) -> str:
        return str(getattr(self.model, "endpoint", ""))

    @property
    def cost(self) -> float | None:
        return self.price.cost(self.sent, self.answered) if self.price else None

    def complete(self, request: Request) -> Reply:
        """Answer. Raise CapReached, without asking, where question and answer would pass the cap."""
        room = self._room(request)
        if room < LEAST:
            used = f"{self.sent + self.answered:,} tokens used"
            raise CapReached(f"{request.label} would pass the cap ({self._cap()}, {used}); raise it to go on")
        reply = self.model.complete(replace(request, max_tokens=min(request.max_tokens, room)))
        if not reply.recorded:
            self.sent += sent(request) if reply.prompt_tokens is None else reply.prompt_tokens
            self.answered += tokens(reply.text) if reply.completion_tokens is None else reply.completion_tokens
        return reply

    def _room(self, request: Request) -> int:
        """How many tokens the answer may have."""
        room = request.max_tokens
        if self.max_tokens is not None:
            room = min(room, self.max_tokens - self.sent - self.answered - sent(request))
        if self.max_cost is not None and self.price:
            left = self.max_cost - self.price.cost(self.sent + sent(request), self.answered)
            room = min(room, int(left * 1_000_000 / self.price.answered) if self.price.answered else room if left >= 0 else 0)
        return room

    def _cap(self) -> str:
        caps = [f"{self.max_tokens:,} tokens"] if self.max_tokens is not None else []
        return " and ".join(caps + ([f"{self.max_cost:g}"] if self.max_cost is not None else []))


@dataclass(frozen=True)
class Spent:
    """What calls of one purpose to one model came to. Tokens that an endpoint did not count are not in the sums."""

    purpose: str
    model: str
    calls: int
    recorded: int
    sent: int
    answered: int
    seconds: float
    cost: float | None


@dataclass(frozen=True)
class Cost:
    """The totals of a ledger, by purpose and model."""

    rows: tuple[Spent, ...] = ()

    @property
    def tokens(self) -> int:
        return sum(row.sent + row.answered for row in self.rows)

    @property
    def cost(self) -> float | None:
        """None where there were calls, and no price is known."""
        known = [row.cost for row in self.rows if row.cost is not None]
        return sum(known) if known or not any(row.calls for row in self.rows) else None

    def frame(self) -> pd.DataFrame:
        """A row for each purpose and model."""
        import pandas as pd

        return pd.DataFrame([astuple(row) for row in self.rows], columns=[f.name for f in fields(Spent)])

    def __str__(self) -> str:
        calls, seconds = sum(row.calls for row in self.rows), sum(row.seconds for row in self.rows)
        cost = "cost unknown" if self.cost is None else f"about {self.cost:.2f}" if calls else "no cost"
        return f"{calls:,} calls, {self.tokens:,} tokens, {seconds:,.0f} s, {cost}"


def cost(calls: Iterable[Call], price: Price | None = None) -> Cost:
    """Add up a ledger. Recorded replies are counted apart, and cost nothing."""
    groups: dict[tuple[str, str], list[Call]] = {}
    for call in calls:
        groups.setdefault((call.purpose.partition(" ")[0], call.model), []).append(call)
    return Cost(tuple(_spent(purpose, model, group, price) for (purpose, model), group in groups.items()))


def _spent(purpose: str, model: str, calls: list[Call], price: Price | None) -> Spent:
    made = [call for call in calls if not call.request.get("recorded")]
    out = sum(call.prompt_tokens or 0 for call in made)
    back = sum(call.completion_tokens or 0 for call in made)
    return Spent(
        purpose=purpose,
        model=model,
        calls=len(made),
        recorded=len(calls) - len(made),
        sent=out,
        answered=back,
        seconds=sum(call.seconds for call in made),
        cost=price.cost(out, back) if price else None,
    )
