"""Which fields a rule reads: told from its text, and nothing where that is not sure."""

from __future__ import annotations

import ast

import pytest

from uac_nb.runtime.fields import fields_read, members

READS = {
    "for t in trips: t.to": {"trips": "to"},
    "for t in trips:\n for u in trips: t.to, u.returns": {"trips": "to returns"},
    "[t.to for t in ahead(trips, today) if t.departs]": {"trips": "to departs"},
    "for t in sorted(trips, key=lambda x: x.cost): t.to": {"trips": "to"},
    "for t, v in product(ahead(trips, today), visas): t.to, v.country": {"trips": "to", "visas": "country"},
    "for n, t in enumerate(trips): t.to, n.real": {"trips": "to"},
    "for a, b in combinations(trips, 2): a.to, b.cost": {"trips": "to cost"},
    "near = [t for t in trips if t.departs]\nfor u in near[:3]: u.to": {"trips": "to departs"},
    "t = min(trips, key=len)\nt.to": {"trips": "to"},
    "t = list(trips)[0]\nt.to": {"trips": "to"},
    "v = next(v for v in visas if v.country)\nfor t in trips: t.to": {"trips": "to", "visas": "country"},
    # what is not sure, or asked for first
    "for t in [*trips]: t.to": {},
    "for x in trips: x.to\nfor x in visas: x.country": {},
    "for t in trips:\n t = t.next\n t.to": {},
    "for t in trips:\n if hasattr(t, 'cost'): t.cost": {},
    "for t in trips:\n try: t.to\n except AttributeError: pass": {},
    "for t in trips: helper(t)": {},
    "for (t, u), v in product(zip(trips, trips), visas): t.to, v.country": {"visas": "country"},
    "trips.count": {},
}


@pytest.mark.parametrize(("body", "reads"), READS.items(), ids=READS)
def test_the_fields_that_a_rule_reads(body: str, reads: dict[str, str]) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (function,) = ast.parse(f"def f(trips, visas, *, today):\n{lines}").body
    assert isinstance(function, ast.FunctionDef)
    assert fields_read(function) == {name: frozenset(words.split()) for name, words in reads.items()}


def test_methods_and_properties_of_a_class_are_no_fields_that_it_lacks() -> None:
    text = "class A:\n    x: int\n    @property\n    def far(self): ...\n    def label(self): ...\nclass B: ...\ndef f(): ..."
    assert members(text) == {"A": frozenset({"far", "label"}), "B": frozenset()}
