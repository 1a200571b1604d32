"""Place names, their countries, and where their table comes from."""

from __future__ import annotations

import pathlib

import pytest

import uac_nb.english
from uac_nb.english import country, place, place_at, places
from uac_nb.english.places import table
from uac_nb.rules import continent

FOLDER = pathlib.Path(uac_nb.english.__file__).parent


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Lisbon", "PT"), ("UK", "GB"), ("the USA", "US"), ("Bali", "ID"), ("Hawaii", "US"), ("Scotland", "GB"), ("NYC", "US"),
        ("São Paulo", "BR"), ("Zürich", "CH"), ("the Netherlands", "NL"), ("London", "GB"), ("Sydney", "AU"),
        ("Costa Rica", "CR"),
        ("Valencia", None),
        ("Whitby", None), ("Perth", None), ("Georgia", None), ("Birmingham", "GB"), ("Europe", None), ("Nowhereville", None),
    ],
)  # fmt: skip
def test_the_country_of_a_name_that_has_one(name: str, code: str | None) -> None:
    assert country(name) == code


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Austin, Texas.", [("Austin, Texas", "US")]),
        ("France, Spain and Italy in July", [("France", "FR"), ("Spain", "ES"), ("Italy", "IT")]),
        ("Barcelona, Spain and Rome, Italy", [("Barcelona, Spain", "ES"), ("Rome, Italy", "IT")]),
        ("Rio de Janeiro for work", [("Rio de Janeiro", "BR")]),
        ("the US", [("US", "US")]),
        ("us", []),
        ("nice weather", []),
        ("Paris's cafes", []),
        ("the the the Hague", []),
    ],
)
def test_places_in_a_text(text: str, found: list[tuple[str, str]]) -> None:
    assert [(p.name, p.country) for p in places(text, 0)] == found


def test_lower_case_names_count_only_where_nothing_has_capitals() -> None:
    assert place_at("tokyo on may 3", 0) is None
    tokyo = place_at("tokyo on may 3", 0, capitals=False)
    assert tokyo is not None
    assert (tokyo.name, tokyo.country) == ("Tokyo", "JP")


@pytest.mark.parametrize(
    ("name", "country_"), [("Lisbon", "PT"), ("Austin, Texas", "US"), ("Lisbon by night", None), ("", None)]
)
def test_place_by_its_whole_name(name: str, country_: str | None) -> None:
    found = place(name)
    assert (found and found.country) == country_


def test_the_table_is_small_names_its_source_and_knows_every_country_we_have_a_continent_for() -> None:
    text = (FOLDER / "places.tsv").read_text("utf-8")
    assert len(text.encode()) < 200_000
    for page in (text, (FOLDER / "SOURCES.md").read_text("utf-8")):
        assert "GeoNames" in page
        assert "CC BY 4.0" in page
    codes = {known.country for known in table().values() if known.country}
    assert all(continent(code) for code in codes if code != "AQ")
