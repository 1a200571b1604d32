"""Rules that read by trait: records of any type that has the fields, a model's own included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

import pytest

from uac_nb.changes import Workspace, accept
from uac_nb.rules import Alert, Avoids, Needs, Takes, When, bind, derived, rule
from uac_nb.rules.alerts import named, reads
from uac_nb.rules.traits import TRAITS, has
from uac_nb.runtime import choosing, program
from uac_nb.runtime.plain import PlainEngine
from uac_nb.starter import TYPES

DAY = date(2025, 6, 1)

BOAT = '''class Sailing:
    """A day on the water."""

    id: str
    on: When
    takes: tuple[str, ...] = ()
    source: tuple[int, ...]
'''
WORN = '''class Jacket:
    """A jacket; what it takes is a size."""

    id: str
    takes: str = ""
    source: tuple[int, ...]
'''
BUSY = '''from collections.abc import Iterable, Iterator
from datetime import date
from uac_nb.rules import Alert, Takes, over_limit, rule, side


@rule("warning")
def busy(plans: Iterable[Takes], *, today: date) -> Iterator[Alert]:
    """Somebody or something is taken."""
    for plan in plans:
        if plan.takes:
            yield over_limit(side(plan, "1 of 1"), because="It is taken on 1 day.", do="Look.")
'''


def made(*changes: dict[str, object]) -> Workspace:
    done = accept(changes, Workspace())
    assert not done.refused, [str(d) for r in done.refused for d in r.diagnostics]
    return done.workspace


def add(collection: str, id: str, **values: object) -> dict[str, object]:
    return {"change": "add", "collection": collection, "id": id, "values": values, "source": [1]}


def define(collection: str, text: str) -> dict[str, object]:
    return {"change": "define", "domain": "home", "collection": collection, "text": text, "source": [1]}


def test_a_rule_gets_every_record_of_a_trait_whatever_its_type() -> None:
    workspace = made(
        define("sailings", BOAT), define("jackets", WORN),
        add("sailings", "regatta", on="2025-06-14", takes=["dinghy"]), add("jackets", "parka", takes="L"),
        add("trips", "lisbon", title="trip to Lisbon", to="Lisbon", departs="2025-06-12", takes=["me"]),
    )  # fmt: skip
    with choosing.engine("u", "ann") as engine:
        engine.load(program(workspace.with_rules(BUSY)))
        run = engine.rules(today=DAY, starter=False)
    assert (sorted(a.records[0] for a in run.alerts), run.findings) == (["lisbon", "regatta"], ())


def test_starter_types_carry_the_traits_that_they_are_said_to() -> None:
    carried = {name: {t.name for t in TYPES.values() if has(t.cls, trait)} for name, trait in TRAITS.items()}
    plans = {"Commitment", "Plan", "Outing", "Errand", "Trip", "Event", "Slot"}
    assert carried["Takes"] == plans
    assert carried["Needs"] == plans | {"Deadline", "Promise", "Step"}
    assert carried["Tagged"] >= carried["Needs"] | {"Payment", "Purchase", "Expense", "Investment", "Contract"}
    assert carried["Due"] == {"Deadline", "Promise", "Contract"}
    assert carried["Allows"] == {"Permission"}
    assert carried["AtMost"] == {"Limit", "SpendingLimit"}
    assert carried["Avoids"] == {"Allergy", "Condition", "Resolution", "Ban"}
    assert carried["Requires"] == {"Requirement"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ride:
    id: str
    on: When
    takes: tuple[str, ...] = ()
    needs: str = "nothing"
    source: tuple[int, ...]


def test_a_field_of_the_name_that_holds_something_else_is_no_trait() -> None:
    assert has(Ride, Takes)
    assert not has(Ride, Needs)
    assert not has(Ride, Avoids)


@derived
def taken(plans: Iterable[Takes], limits: Iterable[str]) -> list[str]:
    """All that is taken, gone through twice."""
    found = [*plans]
    return [p.id for p in found] + [p.id for p in plans] + [str(x) for x in limits]


def test_what_is_bound_can_be_read_twice_and_what_is_absent_is_empty() -> None:
    ride = Ride(id="a", on=When("2025-06-01"), source=(1,))
    assert bind(taken, {"rides": [ride], "texts": ["x"]}, DAY) == ["a", "a"]
    assert bind(taken, {}, DAY) == []
    assert (named(taken), reads(taken)) == (("plans", "limits"), ("limits",))


def test_a_trait_may_have_the_name_of_a_collection_that_lacks_it() -> None:
    """`plans` is a parameter by trait here, so an old copy of the type Plan does not switch the rule off."""
    old = 'class Plan:\n    """A plan."""\n\n    id: str\n    on: When\n    source: tuple[int, ...]\n'
    workspace = made(define("plans", old), add("plans", "walk", on="2025-06-14")).with_rules(BUSY)
    with choosing.engine("u", "ann") as engine:
        engine.load(program(workspace))
        assert engine.rules(today=DAY, starter=False).findings == ()


@pytest.mark.parametrize(
    ("parameter", "hint"),
    [("persons: Iterable[object]", "did you mean 'people'?"), ("tripps: Iterable[object]", "did you mean 'trips'?"),
     ("qqq: Iterable[object]", "name a collection, or a trait: plans: Iterable[Takes]")],
)  # fmt: skip
def test_a_name_that_is_nobodys_is_a_finding(parameter: str, hint: str) -> None:
    text = BUSY.replace("plans: Iterable[Takes]", parameter).replace("Alert, Takes,", "Alert,").replace("in plans", "in ()")
    with choosing.engine("u", "ann") as engine:
        engine.load(program(Workspace().with_rules(text)))
        (found,) = engine.rules(today=DAY, starter=False).findings
    assert (found.code, found.hint) == ("rule-name", hint)


def test_a_rule_over_types_of_ours_brings_them_before_their_first_record() -> None:
    text = BUSY.replace("plans: Iterable[Takes]", "visas: Iterable[Visa]").replace(
        "from uac_nb.rules", "from travel import Visa\nfrom uac_nb.rules"
    )
    text = text.replace("Alert, Takes,", "Alert,").replace("plan.takes", "plan.entries").replace("in plans", "in visas")
    change = {"change": "rule", "id": "busy", "text": text.replace("for plan", "for plan"), "source": [1]}
    workspace = made({**change, "fires": [], "quiet": []})
    assert (list(workspace.collections), workspace.records("visas")) == (["visas"], ())


def test_more_fields_for_a_type_of_ours_bring_it_and_keep_their_comments() -> None:
    field = {"name": "lounge", "type": "str | None", "default": "None", "comment": "where to wait"}
    workspace = made({"change": "extend", "collection": "trips", "fields": [field], "source": [1]})
    assert "    lounge: str | None = None  # where to wait\n" in workspace.domains["travel"].text
    assert workspace.collections["trips"].type.starter == "Trip"


def test_a_logged_extend_of_before_comes_to_the_same_text() -> None:
    from uac_nb.changes import apply, parse

    field = {"name": "lounge", "type": "str | None", "default": "None", "comment": "where to wait"}
    old = parse({"change": "extend", "collection": "sailings", "fields": [field], "source": [1]})
    assert "    lounge: str | None = None\n" in apply(old, made(define("sailings", BOAT))).domains["home"].text


@rule("warning")
def grabs(plans: Iterable[Takes], *, today: date) -> Iterator[Alert]:
    """Takes."""
    yield from ()


def test_it_works_where_there_is_no_boundary() -> None:
    with PlainEngine(lambda code: True, why="none", ask="say") as engine:
        workspace = made(define("sailings", BOAT), add("sailings", "regatta", on="2025-06-14", takes=["dinghy"]))
        engine.load(program(workspace.with_rules(BUSY)))
        assert [a.records for a in engine.rules(today=DAY, starter=False).alerts] == [("regatta",)]
