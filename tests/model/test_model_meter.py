"""What calls cost: prices, estimates, caps that hold, and the totals of a ledger."""

from __future__ import annotations

from typing import Any

import pytest

from uac_nb.errors import ModelError
from uac_nb.log import Call
from uac_nb.model import CapReached, Cost, FakeModel, Meter, Price, Reply, Request, cost
from uac_nb.model.meter import Spent, sent, tokens

ASK = Request(purpose="structure", messages=({"role": "user", "content": "x" * 360},), max_tokens=1000, entries=(1,))


def spends(prompt: int | None, completion: int | None, **more: Any) -> FakeModel:
    reply = Reply(text="y" * 36, prompt_tokens=prompt, completion_tokens=completion, **more)
    return FakeModel(lambda request: reply)


def test_a_request_is_counted_with_its_schema() -> None:
    assert sent(ASK) == 100
    assert sent(Request(purpose="x", messages=ASK.messages, schema={"type": "object"})) == 100 + tokens('{"type": "object"}')


@pytest.mark.parametrize(("text", "price"), [("0.25/2.00", Price(0.25, 2)), ("0/0", Price(0, 0)), ("", None)])
def test_a_price_is_an_argument_or_in_the_environment(text: str, price: Price | None) -> None:
    assert Price.of(text, env={}) == price
    assert Price.of(None, env={"UAC_PRICE": text}) == price
    assert Price.of(Price(1, 1), env={"UAC_PRICE": "9/9"}) == Price(1, 1)


@pytest.mark.parametrize("text", ["cheap", "1", "1/2/3", "-1/2", "nan/1", "inf/1"])
def test_what_is_no_price(text: str) -> None:
    with pytest.raises(ModelError, match=r"write what a million tokens cost, sent/answered"):
        Price.of(text, env={})


def test_what_is_spent_is_counted_and_estimated_where_the_endpoint_does_not_count() -> None:
    meter = Meter(spends(70, 7), price=Price(1, 10))
    meter.complete(ASK)
    meter.complete(ASK)
    assert (meter.sent, meter.answered) == (140, 14)
    assert meter.cost == pytest.approx(0.00028)
    unsaid = Meter(spends(None, None))
    unsaid.complete(ASK)
    assert (unsaid.sent, unsaid.answered, unsaid.cost) == (100, 10, None)


def test_a_recorded_reply_costs_nothing() -> None:
    meter = Meter(spends(70, 7, recorded=True), max_tokens=10_000)
    meter.complete(ASK)
    assert (meter.sent, meter.answered) == (0, 0)


def test_a_cap_stops_before_it_is_passed() -> None:
    model = spends(100, 300)
    meter = Meter(model, max_tokens=1000)
    meter.complete(ASK)
    meter.complete(ASK)
    with pytest.raises(CapReached, match=r"structure of entries 1-1 would pass the cap \(1,000 tokens, 800 tokens used\)"):
        meter.complete(ASK)
    assert [request.max_tokens for request in model.requests] == [900, 500]


def test_a_cap_on_cost() -> None:
    model = spends(100, 300)
    meter = Meter(model, max_cost=0.007, price=Price(10, 10))
    meter.complete(ASK)
    with pytest.raises(CapReached, match=r"\(0.007, 400 tokens used\)"):
        meter.complete(ASK)
    assert [request.max_tokens for request in model.requests] == [pytest.approx(600, abs=1)]


def test_a_cap_on_cost_needs_a_price() -> None:
    with pytest.raises(
        ModelError, match=r'needs a price, .*: give price="0.25/2.00", set %config UacNb.price, or export UAC_PRICE'
    ):
        Meter(spends(1, 1), max_cost=1.0)


def call(purpose: str, model: str, prompt: int | None, completion: int | None, recorded: bool = False) -> Call:
    return Call(
        purpose=purpose, model=model, request={"recorded": recorded}, reply="", prompt_tokens=prompt,
        completion_tokens=completion, seconds=1.5,
    )  # fmt: skip


def test_the_totals_of_a_ledger() -> None:
    calls = [
        call("structure", "m", 1_000_000, 100_000),
        call("structure part 1 of 2", "m", 1_000_000, None),
        call("structure", "m", 9, 9, recorded=True),
        call("ask", "m", 10, 10),
    ]
    total = cost(calls, Price(1, 10))
    assert total.rows[0] == Spent("structure", "m", 2, 1, 2_000_000, 100_000, 3.0, 3.0)
    assert (total.rows[1].purpose, total.tokens) == ("ask", 2_100_020)
    assert total.cost == pytest.approx(3.00011)
    assert str(total) == "3 calls, 2,100,020 tokens, 4 s, about 3.00"
    assert list(total.frame()["calls"]) == [2, 1]


def test_an_unknown_price_stays_unknown() -> None:
    total = cost([call("ask", "m", 10, 10)])
    assert (total.cost, total.rows[0].cost) == (None, None)
    assert str(total) == "1 calls, 20 tokens, 2 s, cost unknown"
    assert str(Cost()) == "0 calls, 0 tokens, 0 s, no cost"
