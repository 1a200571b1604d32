"""Code that says a name which gets another: it follows where it is sure, and the rest is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from uac_nb import User
from uac_nb.check.types import checker
from uac_nb.errors import CheckError

Again = Callable[[User], Any]
Stored = Callable[..., None]
Change = dict[str, Any]


# --- code that may mean another ---

OTHERS = '''"""Mine."""
from collections.abc import Iterable, Iterator

from family import Gift
from shopping import Buy
from uac_nb.rules import Alert, derived, rule


def price_of(thing: Buy | Gift) -> int:
    return thing.cost or 0


def first(buys: Iterable[Buy]) -> Buy:
    return next(iter(buys))


def of_gift(gift: Gift) -> int:
    return gift.cost or 0


def of_buy(buy: Buy) -> int:
    return buy.cost or 0


@derived
def spent(buys: Iterable[Buy], gifts: Iterable[Gift]) -> int:
    dearest = max(buys, key=lambda b: b.cost or 0)
    return sum(b.cost or 0 for b in buys) + sum(g.cost or 0 for g in gifts) + (dearest.cost or 0) + (first(buys).cost or 0)
'''


def test_code_is_changed_only_where_it_is_sure_and_the_rest_is_told_with_its_line(
    user: User, gifts: Change, stored: Stored
) -> None:
    stored(user, gifts)
    user.edit("rules", OTHERS)
    done = user.rename("Buy.cost", "price")
    expected = OTHERS
    for sure in ("buy.cost", "b: b.cost", "sum(b.cost", "dearest.cost"):
        assert sure in expected
        expected = expected.replace(sure, sure.replace(".cost", ".price"))
    assert user.workspace.rules == expected
    told = [d for d in done.diagnostics if d.code == "rename"]
    assert [(d.where, d.hint) for d in told] == [(f"rules.py:{line}", "write price if a Buy is meant") for line in (10, 28)]
    assert told[0].message == "Buy.cost is called 'price' now, and this may read it: return thing.cost or 0"
    if checker():
        assert [d.where for d in done.diagnostics if d.code == "type"] == ["rules.py:28"]


@pytest.mark.parametrize(
    ("field", "new", "code", "expected"),
    [
        ("cost", "price", "min(t.cost for t in buys)", "min((t.price for t in buys))"),
        ("cost", "price", "sorted(buys, key=lambda t: t.cost or 0)[0].id", "sorted(buys, key=lambda t: t.price or 0)[0].id"),
        ("cost", "price", "buys[0].cost", "buys[0].price"),
        ("on", "day", "[t.on.year for t in buys]", "[t.day.year for t in buys]"),
        ("what", "year", "[t.on.year for t in buys if t.what]", "[t.on.year for t in buys if t.year]"),
        ("on", "count", "len([t.on for t in buys if 'b'.count('b')])", "len([t.count for t in buys if 'b'.count('b')])"),
    ],
)
def test_a_pin_goes_on_to_hold(user: User, field: str, new: str, code: str, expected: str) -> None:
    user.pin(code)
    assert user.rename(f"Buy.{field}", new).diagnostics == ()
    assert expected.replace("'", '"') in user.workspace.files()["test_jess.py"].replace("'", '"')
    assert user.test().ok


def test_a_name_that_values_have_too_is_not_taken_for_the_field(user: User) -> None:
    user.rename("Buy.what", "year")
    user.edit("rules", '"""Mine."""\n\n\ndef year_of(thing) -> int:\n    return thing.year\n')
    done = user.rename("Buy.year", "what")
    assert [d.where for d in done.diagnostics if d.code == "rename"] == ["rules.py:5"]
    assert "thing.year" in user.workspace.rules


HEAD = """from collections.abc import Iterable

from shopping import Buy
from uac_nb.rules import derived


"""
MATCHED = """@derived
def spent(buys: Iterable[Buy]) -> int:
    total = 0
    for buy in buys:
        match buy:
            case Buy(what=str(), cost=int(cost)):
                total += cost
    return total
"""
ALIASED = """@derived
def spent(buys: Iterable[B]) -> int:
    return sum(b.cost or 0 for b in buys) + (B(id="x", what="y", cost=0, source=()).cost or 0)
"""
CALLED = """@derived
def all_of_it(buys: Iterable[Buy]) -> int:
    return sum(buy.cost or 0 for buy in buys)


@derived
def spent(buys: Iterable[Buy]) -> int:
    return all_of_it(buys=buys)
"""


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Buy.cost", "price", HEAD + MATCHED),
        ("Buy.cost", "price", HEAD.replace("import Buy", "import Buy as B") + ALIASED),
        ("buys", "basket", HEAD + CALLED),
    ],
    ids=["match", "alias", "keyword"],
)
def test_every_way_to_say_a_name_is_followed(user: User, old: str, new: str, code: str, again: Again) -> None:
    user.edit("rules", code)
    assert user.run("spent()") == 300
    assert user.rename(old, new).diagnostics == ()
    assert user.run("spent()") == 300
    again(user)


@pytest.mark.parametrize("inside", ["basket = [b for b in buys if b.cost]\n    ", "", "sum(1 for basket in buys)\n    "])
def test_a_name_that_code_has_for_something_else_is_not_given(user: User, inside: str) -> None:
    uses = "return len(list(buys)) - (len(basket))" if inside.startswith("basket") else "return len(list(buys))"
    user.edit("rules", f"{HEAD}@derived\ndef many(buys: Iterable[Buy]) -> int:\n    {inside}{uses}\n")
    before = user.run("many()")
    if inside:
        with pytest.raises(CheckError, match="'basket' is the name of something else there"):
            user.rename("buys", "basket")
    else:
        user.rename("buys", "basket")
    assert user.run("many()") == before


def test_what_rules_found_on_a_day_they_find_by_the_new_name(user: User, rules: str, stored: Stored) -> None:
    _, dear, spent = rules.split("\n\n\n")
    head = rules.split("\n\n\n")[0]
    rule = {"change": "rule", "id": "dear", "text": f"{head}\n\n\n{dear}\n", "source": [1]}
    derive = {"change": "derive", "id": "spent", "text": f"{head}\n\n\n{spent}", "source": [1]}
    stored(user, rule, derive)
    user.rename("Buy.cost", "price")
    with user.at("2025-02-01") as then:
        assert then.run("spent()") == 300
        assert [raised.alert.message for raised in then.alerts()] == ["thing 2 cost 200"]
