"""A domain that outgrew one file: to rules, queries and people one list, on disk a file a period."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import uac_nb
from uac_nb.changes import Workspace
from uac_nb.domainfile import parts
from uac_nb.domainfile.cache import Cache
from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.places import Places
from uac_nb.domainfile.records import make, values_of
from uac_nb.domainfile.shown import saved, shown
from uac_nb.domainfile.split import Split, grown
from uac_nb.errors import CheckError

PURCHASE = """
class Purchase:
    id: str
    what: str
    on: When | None = None
    price: Money | None = None
    source: tuple[int, ...]
"""
ACCOUNT = "class Account:\n    id: str\n    source: tuple[int, ...]\n"


@pytest.fixture(autouse=True)
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three records fill a file."""
    monkeypatch.setattr(parts, "MOST", 3)


def start() -> Domain:
    return Domain.new("money", "Money.").define("accounts", ACCOUNT).define("purchases", PURCHASE)


def bought(domain: Domain, id: str, on: str | None = None, what: str = "tea") -> Any:
    return make(domain.collections["purchases"].type, {"id": id, "what": what, "on": on, "source": [1]})


def with_purchases(*days: str | None) -> Domain:
    """Purchases p0, p1 … of these days, one after the other."""
    domain = start()
    for number, day in enumerate(days):
        domain = grown(domain.add("purchases", bought(domain, f"p{number}", day)))
    return domain


INIT = '''\
"""Money."""
from dataclasses import dataclass
from uac_nb.rules import Money, When


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    id: str
    source: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    id: str
    what: str
    on: When | None = None
    price: Money | None = None
    source: tuple[int, ...]

# --- state ---

accounts: list[Account] = []

from money.purchases_2024 import purchases_2024
from money.purchases_2023 import purchases_2023
from money.purchases_undated import purchases_undated

purchases: list[Purchase] = [*purchases_2024, *purchases_2023, *purchases_undated]
'''
PART = '''\
"""Purchases of 2024."""
from uac_nb.rules import Money, When
from money import Purchase

# --- state ---

purchases_2024: list[Purchase] = [
    Purchase(id="p0", what="tea", on=When("2024-03-01"), source=(1,)),
    Purchase(id="p3", what="tea", on=When("2024"), source=(1,)),
]
'''


def test_what_outgrows_its_file_is_split_by_period() -> None:
    domain = with_purchases("2024-03-01", None, "2023-05", "2024")
    assert isinstance(domain, Split)
    assert domain.files["money/__init__.py"] == INIT
    assert domain.files["money/purchases_2024.py"] == PART
    assert sorted(domain.files) == [
        "money/__init__.py", "money/purchases_2023.py", "money/purchases_2024.py", "money/purchases_undated.py",
    ]  # fmt: skip
    assert [r.id for r in domain.records("purchases")] == ["p0", "p3", "p2", "p1"]
    assert {name: c.type.name for name, c in domain.collections.items()} == {"accounts": "Account", "purchases": "Purchase"}


def test_what_fits_stays_in_one_file() -> None:
    assert list(with_purchases("2024", "2023", None).files) == ["money.py"]


def test_a_period_that_is_full_goes_on_in_a_further_file() -> None:
    domain = with_purchases(*["2024"] * 8)
    assert isinstance(domain, Split)
    assert domain.joined["purchases"].parts == ("purchases_2024_3", "purchases_2024_2", "purchases_2024")
    assert domain.files["money/purchases_2024_2.py"].startswith('"""Purchases of 2024, file 2."""\n')
    assert [r.id for r in domain.records("purchases")] == ["p6", "p7", "p3", "p4", "p5", "p0", "p1", "p2"]
    again = domain.remove("p0").add("purchases", bought(domain, "p8", "2024"))
    assert again.path_of("p8") == "money/purchases_2024_3.py"  # no place is taken twice


def test_a_file_stands_in_its_place_by_age() -> None:
    domain = with_purchases("2024", "2022", "2024", "2022", "2023", "2025", None)
    assert isinstance(domain, Split)
    assert domain.joined["purchases"].parts == (
        "purchases_2025", "purchases_2024", "purchases_2023", "purchases_2022", "purchases_undated",
    )  # fmt: skip
    imports = [line.split()[-1] for line in domain.text.splitlines() if line.startswith("from money.")]
    assert imports == list(domain.joined["purchases"].parts)


def test_a_long_list_of_files_is_written_line_by_line() -> None:
    domain = with_purchases(*[str(year) for year in range(2000, 2012)])
    assert "purchases: list[Purchase] = [\n    *purchases_2011,\n    *purchases_2010,\n" in domain.text
    assert domain.text.endswith("    *purchases_2000,\n]\n")
    assert all(len(line) <= 120 for line in domain.text.splitlines())


def test_a_change_touches_its_own_file_only() -> None:
    domain = with_purchases("2024", "2023", "2022", "2021")
    changes = {
        "money/purchases_2023.py": domain.replace(bought(domain, "p1", "2023", "coffee")),
        "money/purchases_2022.py": domain.remove("p2"),
        "money/purchases_2021.py": domain.add("purchases", bought(domain, "new", "2021")),
        "money/__init__.py": domain.add("accounts", make(domain.types["Account"], {"id": "a", "source": [1]})),
    }
    for path, changed in changes.items():
        assert [p for p, text in changed.files.items() if text != domain.files[p]] == [path]
    moved = domain.replace(bought(domain, "p1", "2025"))
    assert moved.path_of("p1") == "money/purchases_2023.py"  # a record's file is fixed when it is made


def test_comments_go_with_the_records_that_they_stand_at() -> None:
    text = start().text.replace(
        "purchases: list[Purchase] = []\n",
        "# what I bought\npurchases: list[Purchase] = [  # all\n"
        '    # a gift\n    Purchase(id="p0", what="tea", on=When("2024")),  # from Ana\n'
        '    Purchase(id="p1", what="tea", on=When("2023")), Purchase(\n        id="p2", what="x", on=When("2024")\n    )\n'
        "    # no more\n]  # end\n",
    )
    domain = Domain.parse("money", text)
    split = grown(domain.add("purchases", bought(domain, "p3", "2023")))
    assert split.files["money/purchases_2024.py"].partition("= ")[2] == (
        '[\n    # all\n    # a gift\n    Purchase(id="p0", what="tea", on=When("2024")),  # from Ana\n'
        '    Purchase(\n        id="p2", what="x", on=When("2024")\n    ),\n]\n'
    )
    assert split.files["money/purchases_2023.py"].endswith(
        '[\n    Purchase(id="p1", what="tea", on=When("2023")),\n'
        '    # no more\n    Purchase(id="p3", what="tea", on=When("2023"), source=(1,)),\n]\n'
    )
    assert "# what I bought\npurchases: list[Purchase] = [*purchases_2024, *purchases_2023]\n" in split.text


def test_plain_python_imports_it(tmp_path: Path) -> None:
    domain = with_purchases("2024", "2023", None, "2024", "2022")
    for path, text in domain.files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    code = "import money; print([p.id for p in money.purchases], type(money.purchases[0]) is money.Purchase)"
    env = {**os.environ, "PYTHONPATH": str(Path(uac_nb.__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "['p0', 'p3', 'p1', 'p4', 'p2'] True\n"


# --- types ---


def test_a_field_is_added_without_touching_a_value() -> None:
    domain = with_purchases("2024", "2023", "2022", "2021")
    extended = domain.extend("Purchase", [("weight", "Decimal | None", "None")])
    assert [path for path, text in extended.files.items() if text != domain.files[path]] == ["money/__init__.py"]
    assert [r.weight for r in extended.records("purchases")] == [None] * 4
    kind = extended.types["Purchase"]
    heavy = extended.add("purchases", make(kind, {"id": "h", "what": "x", "on": "2024", "weight": "1.5", "source": [1]}))
    assert "from decimal import Decimal\n" in heavy.files["money/purchases_2024.py"]
    assert Workspace.from_files(heavy.files).domains["money"] == heavy


def test_a_new_collection_stands_above_the_parts() -> None:
    domain = with_purchases("2024", "2023", "2022", "2021").define("gifts", PURCHASE.replace("Purchase", "Gift"))
    assert domain.text.index("gifts: list[Gift] = []") < domain.text.index("from money.purchases_2024")
    for number in range(4):
        domain = grown(domain.add("gifts", make(domain.types["Gift"], {"id": f"g{number}", "what": "x", "source": [1]})))
    assert isinstance(domain, Split)
    assert list(domain.joined) == ["purchases", "gifts"]
    assert Workspace.from_files(domain.files).domains["money"] == domain


# --- what is wrong ---


@pytest.mark.parametrize(
    ("path", "old", "new", "where", "message"),
    [
        ("money/purchases_2023.py", 'what="tea"', "what=5", "money/purchases_2023.py:8", "what: 5 where text belongs"),
        ("money/purchases_2023.py", 'id="p1"', 'id="p0"', "money/purchases_2023.py:8", "the id 'p0' is taken"),
        ("money/purchases_2023.py", "purchases_2023:", "purchases_23:", "money/purchases_2023.py:1", "not just purchases_2023"),
        ("money/__init__.py", "from money.purchases_2023 import purchases_2023\n", "", "money/__init__.py:27", "not imported"),
        ("money/__init__.py", ", *purchases_2023", ", *purchases_2024", "money/__init__.py:28", "in a list twice"),
        ("money/__init__.py", "class Account:", "class account:", "money/__init__.py:7", "cannot be called 'account'"),
    ],
)
def test_a_hand_edit_is_told_where_it_is_wrong(path: str, old: str, new: str, where: str, message: str) -> None:
    workspace = Workspace({"money": with_purchases("2024", "2023", None, "2024")})
    with pytest.raises(CheckError) as caught:
        workspace.with_file(path, workspace.files()[path].replace(old, new))
    assert [(d.where, message in d.message) for d in caught.value.diagnostics][:1] == [(where, True)], caught.value


def test_a_file_that_a_list_names_has_to_be_there() -> None:
    workspace = Workspace({"money": with_purchases("2024", "2023", None, "2024")})
    with pytest.raises(CheckError, match=r"purchases needs money/purchases_2023.py, which is not there"):
        workspace.with_file("money/purchases_2023.py", None)
    without = workspace.files()["money/__init__.py"].replace("from money.purchases_2023 import purchases_2023\n", "")
    dropped = workspace.with_file("money/__init__.py", without.replace(" *purchases_2023,", ""))
    assert "money/purchases_2023.py" in dropped.files()  # until a person deletes it
    assert len(dropped.records("purchases")) == 3
    assert "money/purchases_2023.py" not in dropped.with_file("money/purchases_2023.py", None).files()


def test_file_and_folder_of_one_domain_are_refused() -> None:
    files = with_purchases("2024", "2023", None, "2024").files
    with pytest.raises(CheckError, match="money is both a file and a folder"):
        Workspace.from_files({**files, "money.py": start().text})


def test_an_id_that_another_domain_has_is_refused() -> None:
    money = with_purchases("2024", "2023", None, "2024")
    other = Domain.new("home", "Home.").define("things", ACCOUNT.replace("Account", "Thing"))
    other = other.add("things", make(other.types["Thing"], {"id": "p2", "source": [1]}))
    with pytest.raises(CheckError, match="the id 'p2' stands in"):
        Workspace.from_files({**money.files, **other.files})


@pytest.mark.parametrize("id", ["p0", "p1"])
def test_an_id_is_taken_once(id: str) -> None:
    domain = with_purchases("2024", "2023", None, "2024")
    with pytest.raises(CheckError, match=f"the id '{id}' is taken"):
        domain.add("purchases", bought(domain, id, "2022"))
    with pytest.raises(CheckError, match=f"the id '{id}' is taken"):
        domain.add("accounts", make(domain.types["Account"], {"id": id, "source": [1]}))


# --- what a person sees of it ---


def test_a_cell_shows_types_and_the_newest_records() -> None:
    domain = with_purchases("2024", "2023", "2024", "2022")
    text = shown(domain)
    assert text == domain.text.partition("\nfrom money.")[0] + (
        "\n# 2 of 4 purchases, the newest; `%uac_code money/purchases_2023` shows others\n"
        "purchases_2024: list[Purchase] = [\n"
        '    Purchase(id="p0", what="tea", on=When("2024"), source=(1,)),\n'
        '    Purchase(id="p2", what="tea", on=When("2024"), source=(1,)),\n'
        "]\n"
    )
    assert saved(domain, text) == {}
    assert saved(domain, text.rstrip("\n")) == {}


def test_a_cell_is_saved_to_the_files_that_it_shows() -> None:
    domain = with_purchases("2024", "2023", "2024", "2022")
    edited = shown(domain).replace('id="p2", what="tea"', 'id="p2", what="jam"')
    assert list(saved(domain, edited)) == ["money/purchases_2024.py"]
    edited = edited.replace("    what: str\n", "    what: str  # in a word\n")
    files = saved(domain, edited)
    assert sorted(files) == ["money/__init__.py", "money/purchases_2024.py"]
    after = Workspace.from_files({**domain.files, **files})
    assert [r.what for r in after.records("purchases")] == ["tea", "jam", "tea", "tea"]
    assert after.files()["money/__init__.py"].endswith(domain.text[domain.tail :])
    with pytest.raises(CheckError, match="keep the line"):
        saved(domain, "\n".join(line for line in edited.splitlines() if "the newest" not in line))


# --- whatever is done to it ---

STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "add", "add", "replace", "remove"]), st.integers(0, 30), st.sampled_from([
        None, "2022", "2023", "2024-05-01", "2023-12-31/2024-01-02", "--06-05",
    ])),
    max_size=25,
)  # fmt: skip


@given(STEPS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_project_that_grows_reads_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, str | None]]
) -> None:
    workspace = Workspace({"money": start()})
    expected: dict[str, Any] = {}
    for do, number, day in steps:
        domain, id = workspace.domains["money"], f"p{number}"
        before, place = workspace.files(), domain.path_of(id) if id in expected else ""
        record = bought(domain, id, day, f"{do} {number}")
        if do == "add" and id not in expected:
            workspace = workspace.with_domain(domain.add("purchases", record))
        elif do == "replace" and id in expected:
            workspace = workspace.with_domain(domain.replace(record))
        elif do == "remove" and id in expected:
            workspace = workspace.with_domain(domain.remove(id))
        else:
            continue
        if do == "remove":
            del expected[id]
            assert workspace.find(id) is None
        else:
            expected[id] = values_of(record)
        if place:
            assert {p for p, text in workspace.files().items() if text != before[p]} <= {place}
            lost = set(before[place].splitlines()) - set(workspace.files()[place].splitlines())
            assert all(f'id="{id}"' in line or line in ("]",) or line.endswith("= [") for line in lost)
    again = Workspace.from_files(workspace.files())
    assert again.files() == workspace.files()
    assert again.domains == workspace.domains
    assert again.key == workspace.key
    assert {r.id: values_of(r) for r in again.records("purchases")} == expected
    assert all(again.find(id) and workspace.find(id) for id in expected)
    cache = Cache(tmp_path_factory.mktemp("cache"))
    assert Workspace.from_files(workspace.files(), parse=cache.parse).domains == workspace.domains
    assert all(
        len(part.records(name)) <= parts.MOST
        for d in again.domains.values() if isinstance(d, Split) for name, part in d.parts.items()
    )  # fmt: skip


@given(st.lists(st.tuples(st.booleans(), st.text(max_size=3)), max_size=40))
def test_places_are_as_a_dict(steps: list[tuple[bool, str]]) -> None:
    places, plain = Places(), dict[str, str]()
    for put, id in steps:
        old = places
        places = places.changed(new={id: "x"}) if put else places.changed(gone=[id])
        assert old.get(id) == plain.get(id)
        plain = {**plain, id: "x"} if put else {k: v for k, v in plain.items() if k != id}
        assert places.get(id) == plain.get(id)
