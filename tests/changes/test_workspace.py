"""The whole project in memory: types that other domains nest, ids that are one in all of it, a key that follows its texts."""

from __future__ import annotations

from typing import Any

import pytest

from uac_nb.changes import Workspace
from uac_nb.domainfile import parts
from uac_nb.domainfile.records import make
from uac_nb.domainfile.renames import Renaming
from uac_nb.errors import CheckError

PLACES = '''"""Places."""
from dataclasses import dataclass

@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    street: str
    town: str | None = None

# --- state ---
'''
HOME = '''"""Home."""
from dataclasses import dataclass
from places import Address

@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    id: str
    at: Address
    before: tuple[Address, ...] = ()
    source: tuple[int, ...]

# --- state ---

houses: list[House] = [
    House(id="h1", at=Address(street="Elm Street"), source=(1,)),  # a street=
    House(id="h2", at=Address(street="Oak Lane", town="Ely"), before=(Address(street="street"),), source=(2,)),
]
'''
FILES = {"places.py": PLACES, "home.py": HOME}
STREET = Renaming("places", "street", "line", "Address")


def test_a_field_is_renamed_in_every_domain_that_holds_it() -> None:
    changed = Workspace.from_files(FILES).rename(STREET)
    assert changed.files() == {
        "places.py": PLACES.replace("street: str", "line: str"),
        "home.py": HOME.replace("(street=", "(line="),
    }
    assert [house.at.line for house in changed.records("houses")] == ["Elm Street", "Oak Lane"]


def test_a_type_that_grows_grows_in_every_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST", 1)
    workspace = Workspace.from_files(FILES)
    home = workspace.domains["home"]
    house: dict[str, Any] = {"id": "h3", "at": {"street": "x"}, "source": [3]}
    workspace = workspace.with_domain(home.add("houses", make(home.types["House"], house)))
    assert "home/houses_undated.py" in workspace.files()  # as well in parts
    grown = workspace.with_domain(workspace.domains["places"].extend("Address", [("postcode", "str | None", "None")]))
    assert [house.at.postcode for house in grown.records("houses")] == [None] * 3
    assert Workspace.from_files(grown.files()).domains == grown.domains
    renamed = grown.rename(STREET)
    assert [house.at.line for house in renamed.records("houses")] == ["x", "Oak Lane", "Elm Street"]


def test_the_key_follows_every_text() -> None:
    workspace = Workspace.from_files({**FILES, "rules.py": "A = 1\n", "test_jess.py": "B = 1\n"})
    keys = {workspace.key}
    for path, text in workspace.files().items():
        keys.add(workspace.with_file(path, text.replace("1", "12").replace("Places.", "All places.")).key)
    assert len(keys) == 1 + len(workspace.files())
    assert Workspace.from_files(workspace.files()).key == workspace.key


def test_only_what_changed_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace.from_files(FILES)
    after = workspace.with_file("home.py", HOME.replace("Elm", "Ash"))
    assert after.domains["places"] is workspace.domains["places"]
    assert after.records("houses")[0].at.street == "Ash Street"
    assert after.records("houses")[1] is workspace.records("houses")[1]
    wider = workspace.with_file("places.py", PLACES.replace("town: str | None = None", "town: str = ''"))
    assert wider.records("houses")[0].at.town == ""  # a domain whose types changed elsewhere is read again


def test_an_id_stands_in_one_domain() -> None:
    workspace = Workspace.from_files(FILES)
    with pytest.raises(CheckError, match=r"'h1' stands in home\.py too"):
        workspace.with_file("other.py", HOME.replace("house", "hut").replace("House", "Hut").replace("h2", "hh"))
    found = workspace.find("h2")
    assert found
    assert (found.domain, found.collection, found.record.at.town) == ("home", "houses", "Ely")
    assert workspace.find("h3") is None
