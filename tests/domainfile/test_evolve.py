"""Types that are added and changed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from uac_nb import starter
from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.imports import in_order
from uac_nb.domainfile.records import make
from uac_nb.errors import CheckError

EMPTY = '"""Travel: documents and trips."""\n\n# --- state ---\n'
TRIP = '''\
class Trip:
    """One journey away from home."""
    id: str
    who: str = "me"             # id of a Person
    to: str
    departs: When
    status: Literal["booked", "done"] = "booked"
    source: tuple[int, ...]     # the entries that say so

    @property
    def soon(self) -> bool:
        return self.departs < date.today() + timedelta(days=3) and self.to != "to"
'''
DEFINED = '''\
"""Travel: documents and trips."""
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal
from uac_nb.rules import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:  # starter: Trip
    """One journey away from home."""
    id: str
    who: str = "me"             # id of a Person
    to: str
    departs: When
    status: Literal["booked", "done"] = "booked"
    source: tuple[int, ...]     # the entries that say so

    @property
    def soon(self) -> bool:
        return self.departs < date.today() + timedelta(days=3) and self.to != "to"

# --- state ---

trips: list[Trip] = []
'''


def defined() -> Domain:
    return Domain.new("travel", "Travel: documents and trips.").define("trips", TRIP, starter="Trip")


def filled() -> Domain:
    domain = defined()
    trips = [{"id": "a", "to": "to"}, {"id": "b", "to": "Nara", "who": "ann"}]
    kind = domain.types["Trip"]
    return domain.add("trips", *(make(kind, {**trip, "departs": "2025", "source": [1]}) for trip in trips))


def test_new() -> None:
    assert Domain.new("travel", "Travel: documents and trips.").text == EMPTY
    assert Domain.new("x", 'Say "hi" \\ \n').doc == 'Say "hi" \\'


def test_define() -> None:
    domain = defined()
    assert domain.text == DEFINED
    assert (domain.types["Trip"].starter, domain.records("trips")) == ("Trip", ())


def test_define_beside_others() -> None:
    visa = (
        "from __future__ import annotations\nimport re\nfrom enum import Enum\nfrom dataclasses import dataclass\n\n"
        "class Level(Enum):\n    LOW = 1\n\n\n"
        "@dataclass\nclass Fee:\n    price: Money\n\n\n@dataclass(frozen=True)\nclass Visa:\n    id: str\n    fee: Fee\n"
    )
    domain = filled().define("visas", visa)
    top, rest = domain.text.split("\n\n\n", 1)
    assert top.splitlines()[1:] == [
        "import re",
        "from dataclasses import dataclass",
        "from datetime import date, timedelta",
        "from enum import Enum",
        "from typing import Literal",
        "from uac_nb.rules import Money, When",
    ]
    frozen = "@dataclass(frozen=True, slots=True, kw_only=True)\n"
    assert rest.split("# --- state ---")[0].endswith(
        f'!= "to"\n\n\nclass Level(Enum):\n    LOW = 1\n\n\n{frozen}class Fee:\n    price: Money\n\n\n'
        f"{frozen}class Visa:\n    id: str\n    fee: Fee\n\n"
    )
    assert domain.text.endswith("]\n\nvisas: list[Visa] = []\n")
    assert domain.records("trips") == filled().records("trips")


@pytest.mark.parametrize(
    ("collection", "text", "message"),
    [
        ("trips", TRIP, "travel.py: there is a collection 'trips' already"),
        ("plans", TRIP, "there is a type Trip already"),
        ("Plans", "class Plan:\n    id: str\n", "travel.py: a collection cannot be called 'Plans'"),
        ("plans", "x = 1\n", "$.text:1: the text is no class"),
        ("plans", "class Plan:\n    id: str\nplans: list[Plan] = []\n", "$.text:3: 'plans: list[Plan] = []' is no class"),
        ("plans", "class Plan:\n    id: str\nimport os; os.system('x')\n", "$.text:3: \"os.system('x')\" is no class"),
        ("plans", "class Plan:\n    id: str\n# --- state ---\n", "$.text:1: the text is no class"),
        ("plans", "class Plan:\n    id str\n", "$.text:2: invalid syntax"),
        ("plans", "class Plan:\n    name: str\n", "plans: Plan has no id"),
        ("plans", "class Plan:\n    id: str\n    on: Whn\n", "on: Whn is no type that a field can have"),
    ],
)
def test_define_refused(collection: str, text: str, message: str) -> None:
    with pytest.raises(CheckError) as refused:
        defined().define(collection, text)
    assert message in str(refused.value)


def test_every_starter_type_can_be_adopted() -> None:
    domains: dict[str, Domain] = {}
    for kind in starter.TYPES.values():
        domain = domains.get(kind.domain) or Domain.new(kind.domain, "Adopted.")
        domains[kind.domain] = domain.define(kind.collection, kind.text, kind.name)
    assert {name for domain in domains.values() for name in domain.collections} == set(starter.TYPES)


def test_extend_with_fields() -> None:
    domain = filled().extend(
        "Trip", [("paid", "Decimal | None", "None"), ("at", "time", "time(15, 0)"), ("note", "str", "'#'")]
    )
    assert domain.text == filled().text.replace(
        "    source: tuple",
        "    paid: Decimal | None = None\n    at: time = time(15, 0)\n    note: str = '#'\n    source: tuple",
    ).replace("import date, timedelta\n", "import date, time, timedelta\nfrom decimal import Decimal\n")
    assert [(trip.paid, trip.at.hour) for trip in domain.records("trips")] == [(None, 15), (None, 15)]


LITERALS = {
    'Literal["booked", "done"]': 'Literal["booked", "done", "off", "\\"x\\""]',
    'Literal[\n        "booked", "done"\n    ]': 'Literal[\n        "booked", "done", "off", "\\"x\\""\n    ]',
    'Literal[\n        "booked",  # sure\n        "done",\n    ]': (
        'Literal[\n        "booked",  # sure\n        "done",\n        "off",\n        "\\"x\\"",\n    ]'
    ),
    f'Literal["booked", "{"d" * 75}"]': (
        f'Literal[\n        "booked",\n        "{"d" * 75}",\n        "done",\n        "off",\n        "\\"x\\"",\n    ]'
    ),
    "Status": 'Status = Literal["booked", "done", "off", "\\"x\\""]',
}


@pytest.mark.parametrize("written", LITERALS)
def test_extend_choices(written: str) -> None:
    alias = '\nStatus = Literal["booked", "done"]\n' if written == "Status" else "\n"
    text = DEFINED.replace('Literal["booked", "done"]', written).replace("\n\n\n@", f"\n{alias}\n@")
    domain = Domain.parse("travel", text).extend("Trip", choices={"status": ["done", "off", '"x"', "off"]})
    before = alias.strip() or written
    assert domain.text == text.replace(before, LITERALS[written])
    assert make(domain.types["Trip"], {"id": "a", "to": "x", "departs": "2025", "status": "off", "source": []}).status == "off"


@pytest.mark.parametrize(
    ("fields", "choices", "message"),
    [
        ([("to", "str", "''")], {}, "Trip has two of 'to'"),
        ([("cost", "Mony", "None")], {}, "cost: Mony is no type that a field can have (did you mean 'Money'?)"),
        ([("cost", "int", "'x'")], {}, "the default of cost: 'x' where int belongs"),
        ([("cost", "int = 1\n    def f(self): ...\n    x: int", "1")], {}, "is no expression (write a type or a value)"),
        ([("cost: int = 1; x", "int", "1")], {}, "a field cannot be called 'cost: int = 1; x'"),
        ([], {"to": ["x"]}, "to is no Literal but str (any text will do there)"),
        ([], {"stats": ["x"]}, "Trip has no field 'stats' (did you mean 'status'?)"),
    ],
)
def test_extend_refused(fields: list[tuple[str, str, str]], choices: dict[str, list[str]], message: str) -> None:
    with pytest.raises(CheckError) as refused:
        filled().extend("Trip", fields, choices)
    assert message in str(refused.value)


def test_a_comment_cannot_hide_a_default() -> None:
    domain = filled().extend("Trip", [("cost", "int  # no default", "3")])
    assert domain.find("a").cost == 3


def test_domains_are_read_behind_those_they_import() -> None:
    texts = {
        "a": "from c import X\nfrom uac_nb.rules import When\n",
        "b": "",
        "c": "from datetime import date\nfrom b import Y\n",
    }
    assert in_order(texts) == ["b", "c", "a"]
    with pytest.raises(CheckError, match="the imports go in a circle"):
        in_order({**texts, "b": "from a import Z\n"})


def test_files_written_by_hand_of_a_real_conversation_are_read(shared: Path) -> None:
    """They are of an older vocabulary; once its words are ours, every record is there."""
    imports = "\nfrom typing import Literal\nfrom uac_nb.rules import Note, When\n\nWho = Literal['jon', 'gina']\n"
    names = ("people", "work", "dance", "learning", "travel", "wellbeing")
    for name in names:
        text = (shared / "locomo" / "golden-conv-30" / "project" / f"{name}.py").read_text()
        text = re.sub(r"^(from (basics|people|typing) import|Who = ).*\n", "", text, flags=re.MULTILINE)
        text = text.replace("\n", imports, 1).replace("PartialDate(", "When(")
        text = re.sub(r"date\((\d+), (\d+), (\d+)\)", lambda m: f'When("{m[1]}-{int(m[2]):02}-{int(m[3]):02}")', text)
        text = re.sub(r": date\b", ": When", text)
        domain = Domain.parse(name, text)
        lists = [node.value for node in ast.parse(text).body if isinstance(node, ast.AnnAssign)]
        assert [len(domain.records(c)) for c in domain.collections] == [len(value.elts) for value in lists]  # type: ignore[union-attr]
