"""Whatever the records say, no starter rule fails, and what each says can be shown."""

from __future__ import annotations

from dataclasses import MISSING, fields
from datetime import date, time
from typing import Any, Literal, get_args, get_origin, get_type_hints

from hypothesis import given, settings
from hypothesis import strategies as st

from uac_nb.domainfile.zones import resolved
from uac_nb.rules import Every, Money, When, Zone, lint, reads, run
from uac_nb.starter import CONCERN, RULES, TYPES
from uac_nb.verbs.alerts import key, reconcile

TODAY = date(2025, 6, 2)

WHEN = st.sampled_from(
    ["2025-06-01", "2025-06-02", "2025-06-03", "2025-06-10", "2025-W23", "2025-06", "2025", "2025-22", "2025-06-02~", "../2025",
     "2025-05-30/2025-06-05", "2025/..", "../..", "0001-01-01", "9999-12-31", "--06-03", "--02-29", "1900", "2999", "2025-06~"]
).map(When)  # fmt: skip
EVERY = st.sampled_from(
    ["day", "tue 9:00-10:30", "2x week", "2 weeks mon", "1st,15th", "6 months from 2025-01-10 until 2026"]
).map(Every)
WORDS = st.sampled_from(["me", "ana", "trip", "a1", "a2", "DE", "IN", "penicillin", "Augmentin", "alcohol", "Delhi", "shoes"])
SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: WORDS,
    int: st.sampled_from([0, 1, 2, 7, 12, 30, 31, 1000]),
    bool: st.booleans(),
    When: WHEN,
    Every: EVERY,
    Money: st.builds(Money, st.integers(-3, 2000), st.sampled_from(["EUR", "USD"])),
    Zone: st.sampled_from([resolved("Asia/Tokyo"), resolved("America/New_York"), Zone("Europe/Berlin")]),
    time: st.sampled_from([time(0), time(9), time(9, 30), time(23, 59)]),
}


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Values of an annotation."""
    if hint in SCALARS:
        return SCALARS[hint]
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) is tuple:
        return st.lists(values(get_args(hint)[0]), min_size=1, max_size=2).map(tuple)
    inner, _ = get_args(hint)  # X | None
    return st.none() | values(inner)


def records(collection: str) -> st.SearchStrategy[list[Any]]:
    kind = {**TYPES, "concerns": CONCERN}[collection].cls
    given_ = {name: values(hint) for name, hint in get_type_hints(kind).items()} | {"id": st.sampled_from(["a1", "a2", "a3"])}
    needed = {f.name for f in fields(kind) if f.default is MISSING}
    some = st.fixed_dictionaries(
        {name: given_[name] for name in given_ if name in needed},
        optional={name: given_[name] for name in given_ if name not in needed},
    )
    return st.lists(some.map(lambda kept: kind(**kept)), max_size=3)


READ = sorted({collection for rule in RULES for collection in reads(rule)})


@settings(max_examples=60, deadline=None)
@given(st.fixed_dictionaries({collection: records(collection) for collection in READ}))
def test_no_rule_fails(collections: dict[str, list[Any]]) -> None:
    alerts = [alert for rule in RULES for alert in run(rule, collections, TODAY)]
    for alert in alerts:
        assert lint(alert) == []
        assert alert.severity
    raised, new = reconcile(alerts, [], now=TODAY)
    assert len(raised) == len(new) == len({key(alert) for alert in alerts})
