"""The cache of parsed files, and reading a text again after an edit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from uac_nb import domainfile
from uac_nb.domainfile import cache
from uac_nb.domainfile import domain as domain_module
from uac_nb.domainfile.cache import Cache
from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.records import make

TYPE = (
    "class Trip:\n    id: str\n    to: str\n    departs: When\n    cost: Money | None = None\n"
    "    legs: tuple[str, ...] = ()\n    source: tuple[int, ...]\n"
)


@pytest.fixture(scope="module")
def large() -> Domain:
    """A file that is worth caching."""
    domain = Domain.new("travel", "Travel.").define("trips", TYPE).define("plans", TYPE.replace("Trip", "Plan"))
    kind = domain.types["Trip"]
    values = {"to": "Łódź", "departs": "2025-03", "cost": "12.50 EUR", "legs": ["a", "b"], "source": [1]}
    return domain.add("trips", *(make(kind, {"id": f"t{n}", **values}) for n in range(300)))


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were parsed as a whole or in part, by their beginning."""
    seen: list[str] = []
    tree = domain_module.tree

    def spy(text: str, where: str) -> Any:
        seen.append(text)
        return tree(text, where)

    monkeypatch.setattr(domain_module, "tree", spy)
    return seen


def test_a_file_is_parsed_once(large: Domain, tmp_path: Path, parsed: list[str]) -> None:
    cache = Cache(tmp_path / ".cache")
    assert cache.parse("travel", large.text) == large
    assert cache.parse("travel", large.text) == large
    assert cache.parse("travel", large.text).line_of("t7") == large.line_of("t7")
    assert len(parsed) == 1


def test_an_entry_is_of_one_text_only(large: Domain, tmp_path: Path, parsed: list[str]) -> None:
    cache = Cache(tmp_path)
    cache.parse("travel", large.text)
    changed = large.text.replace('id="t5"', 'id="five"')
    assert cache.parse("travel", changed).find("five") is not None
    assert len(parsed) == 2
    assert [path.name[:7] for path in tmp_path.iterdir()] == ["travel-"]


def test_a_spliced_file_can_be_kept(large: Domain, tmp_path: Path, parsed: list[str]) -> None:
    cache = Cache(tmp_path)
    shorter = large.remove("t0")
    cache.keep(shorter)
    assert cache.parse("travel", shorter.text) == shorter
    assert parsed == []


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"head": 3, "blocks": []}', b"[1", b"\xff"])
def test_a_damaged_entry_is_parsed_anew(large: Domain, tmp_path: Path, damage: bytes) -> None:
    cache = Cache(tmp_path)
    cache.parse("travel", large.text)
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(damage)
    assert cache.parse("travel", large.text) == large
    assert entry.read_bytes() != damage


def test_an_imported_type_that_changed_is_read_anew(tmp_path: Path, large: Domain, parsed: list[str]) -> None:
    people = Domain.new("people", "People.").define("people", "class Person:\n    id: str\n    source: tuple[int, ...]\n")
    text = large.text.replace("from uac_nb", "from people import Person\nfrom uac_nb", 1)
    cache = Cache(tmp_path)
    parsed.clear()
    cache.parse("travel", text, people.types)
    cache.parse("travel", text, people.types)
    assert len(parsed) == 1
    older = people.extend("Person", [("age", "int", "0")])
    parsed.clear()
    cache.parse("travel", text, older.types)
    assert len(parsed) == 1


def test_where_nothing_can_be_written_files_are_parsed(large: Domain, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert Cache(tmp_path / "file" / "cache").parse("travel", large.text) == large


EDITS = {
    "a value": ('id="t150", to="Łódź"', 'id="t150", to="Lodz"'),
    "an id": ('id="t299"', 'id="last"'),
    "a comment": ('    Trip(id="t0"', '    # the first\n    Trip(id="t0"'),
    "a line less": ('    Trip(id="t10", ', '    # Trip(id="t10", '),
    "a record more": ('    Trip(id="t20"', '    Trip(id="x", to="y", departs=When("2025")),\n    Trip(id="t20"'),
    "in an empty list": ("plans: list[Plan] = []", 'plans: list[Plan] = [Plan(id="p", to="y", departs=When("2025"))]'),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_records_reads_only_them(large: Domain, edit: str, parsed: list[str]) -> None:
    text = large.text.replace(*EDITS[edit])
    assert text != large.text
    read = Domain.parse("travel", text, like=large)
    assert parsed == []
    assert read == Domain.parse("travel", text)


WIDER = {
    "of a type": ("    to: str\n", "    to: str  # a city\n"),
    "of two collections": ('id="t299"', 'id="p"'),
    "an id that is taken": ('id="t299"', 'id="t0"'),
    "no value": ('id="t150"', "id=f()"),
    "the end of the list": ('    Trip(id="t150"', ']\nmore: list[Trip] = [\n    Trip(id="t150"'),
}


@pytest.mark.parametrize("edit", WIDER)
def test_a_wider_edit_reads_all(large: Domain, edit: str, parsed: list[str]) -> None:
    text = large.text.replace(*WIDER[edit])
    if edit == "of two collections":
        text = text.replace("plans: list[Plan] = []", 'plans: list[Plan] = [Plan(id="q", to="y", departs=When("2025"))]')
    try:
        read = Domain.parse("travel", text, like=large)
    except domain_module.CheckError:
        read = None
    assert parsed[0] == text
    if read:
        assert read == Domain.parse("travel", text)


def test_the_package_lists_what_it_holds() -> None:
    assert all(getattr(domainfile, name) is not None for name in domainfile.__all__)
    with pytest.raises(AttributeError, match="has no 'nothing'"):
        domainfile.nothing  # noqa: B018


def test_what_this_machine_did_not_write_is_parsed_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure changed in the cache, or one so nested that reading it fails, comes with a folder of somebody else."""
    monkeypatch.setattr(cache, "SMALL", 0)
    text = 'from dataclasses import dataclass\n\n\n@dataclass(frozen=True, slots=True, kw_only=True)\nclass Buy:\n    """A buy."""\n\n    id: str\n    price: int\n    source: tuple[int, ...]\n\n# --- state ---\n\nbuys: list[Buy] = [\n    Buy(id="a", price=1234, source=(1,)),\n]\n'  # noqa: E501
    kept = cache.Cache(tmp_path / ".cache")
    kept.parse("money", text)
    (file,) = (tmp_path / ".cache").iterdir()
    written = file.read_bytes()
    assert b"1234" in written
    for poison in (written.replace(b"1234", b"9999"), b"[" * 100_000, written[:32] + b"[" * 100_000):
        file.write_bytes(poison)
        assert [r.price for r in kept.parse("money", text).blocks["buys"].records] == [1234]
