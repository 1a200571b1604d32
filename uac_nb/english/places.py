"""Which names are places, and in which country: a small table, read once (its sources are named in SOURCES.md).

A place has to be written with a capital, as English does; only in a text without any capitals is a lower-case name taken.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from uac_nb.english.text import compiled, lexicon

LONGEST = 5  # words in a name
_WORD = re.compile(r"[^\W\d_][\w.'’-]*")
LETTERS = str.maketrans({"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "Ae", "ı": "i"})
_THE = compiled("the ")
_COMMA = compiled(", *")
_LINK = compiled(r"(?:, *|,? and (?:to |in )?| *& *)")
_CAPITALISED = re.compile(r"[A-Z][\w&'-]*(?: +[A-Z][\w&'-]*)?(?=, +[A-Z])")
_SMALL = lexicon("de del do da di of la las los el and the am es")
_PERSONS = lexicon(
    "austin charlotte victoria florence madison jackson sydney lincoln jordan georgia virginia carolina diego orlando "
    "santiago savannah brooklyn paris milan chelsea kingston hamilton dallas houston alexandria valencia israel chad vienna "
    "regina"
)

_NATIONS = {
    "american": "US", "australian": "AU", "austrian": "AT", "belgian": "BE", "brazilian": "BR", "british": "GB", "uk": "GB",
    "us": "US", "canadian": "CA", "chinese": "CN", "croatian": "HR", "czech": "CZ", "danish": "DK", "dutch": "NL",
    "egyptian": "EG", "finnish": "FI", "french": "FR", "german": "DE", "greek": "GR", "hungarian": "HU", "indian": "IN",
    "indonesian": "ID", "irish": "IE", "israeli": "IL", "italian": "IT", "japanese": "JP", "kenyan": "KE", "korean": "KR",
    "mexican": "MX", "norwegian": "NO", "polish": "PL", "portuguese": "PT", "romanian": "RO", "russian": "RU",
    "singaporean": "SG", "spanish": "ES", "swedish": "SE", "swiss": "CH", "thai": "TH", "turkish": "TR", "ukrainian": "UA",
    "vietnamese": "VN", "pakistani": "PK", "nigerian": "NG", "colombian": "CO", "argentinian": "AR", "chilean": "CL",
    "filipino": "PH", "saudi": "SA",
}  # fmt: skip


class Known(NamedTuple):
    """What the table says of a name."""

    country: str | None
    area: bool  # a country, state or region, not a city


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text, named as written ("Austin, Texas"); `key` is its first name in lower case ("austin")."""

    start: int
    end: int
    name: str
    key: str
    country: str | None
    area: bool = False

    @property
    def personal(self) -> bool:
        """Whether people are called that too."""
        return self.key in _PERSONS


@lru_cache(maxsize=1)
def table() -> Mapping[str, Known]:
    """Return all names of the table, folded."""
    text = files("uac_nb.english").joinpath("places.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {
        name: Known(None if code == "-" else code, kind == "area") for code, kind, names in rows for name in names.split("|")
    }


def fold(name: str) -> str:
    """Return a name as the table spells it: lower-case ASCII, without "the"."""
    ascii_ = unicodedata.normalize("NFKD", name.translate(LETTERS)).encode("ascii", "ignore").decode().lower()
    return ascii_.replace("'", "").strip().removeprefix("the ")


def country(name: str) -> str | None:
    """Return the country of a place or a nationality by name; None where the tables have none or cannot tell.

    >>> country("Lisbon"), country("London"), country("Valencia"), country("Irish")
    ('PT', 'GB', None, 'IE')
    """
    known = table().get(fold(name))
    return known.country if known else _NATIONS.get(name.lower())


def place(name: str) -> Place | None:
    """Return the place that has this name, None where the table knows none.

    >>> found = place("Austin, Texas")
    >>> (found.name, found.country) if found else None
    ('Austin, Texas', 'US')
    """
    found = place_at(name, 0)
    return found if found and found.end == len(name) else None


def place_at(text: str, start: int, *, capitals: bool = True) -> Place | None:
    """Return the place that a text names at an offset, the longest name that fits, with its state or country."""
    here = _single(text, start, capitals) or _unknown(text, start)
    if here is None or here.area:
        return here
    comma = _COMMA.match(text, here.end)
    around = _single(text, comma.end(), capitals) if comma else None
    if around is None or not around.area:
        return here if here.key in table() else None
    return Place(here.start, around.end, f"{here.name}, {around.name}", here.key, around.country or here.country)


def places(text: str, start: int, *, capitals: bool = True) -> list[Place]:
    """Return the places of a list ("France, Spain and Italy") that begins at an offset."""
    found: list[Place] = []
    while here := place_at(text, start, capitals=capitals):
        found.append(here)
        if not (match := _LINK.match(text, here.end)):
            break
        start = match.end()
    return found


def _single(text: str, start: int, capitals: bool) -> Place | None:
    if (article := _THE.match(text, start)) and not _THE.match(text, article.end()):
        start = article.end()
    ends = _ends(text, start, capitals)
    for end in reversed(ends):
        name = text[start:end].rstrip(".") if text[start:end].count(".") == 1 else text[start:end]
        name = name.removesuffix("'s")
        if not capitals and len(name) < 4:
            continue
        if known := table().get(fold(name)):
            if text[start + len(name) : start + len(name) + 2] == "'s":
                return None  # somebody's, or "Paris's best"
            shown = name if capitals else name.title()
            return Place(start, start + len(name), shown, fold(name), known.country, known.area)
    return None


def _unknown(text: str, start: int) -> Place | None:
    """Return a name that the table lacks, which counts where its state or country follows ("Sarasota, Florida")."""
    match = _CAPITALISED.match(text, start)
    return Place(start, match.end(), match[0], fold(match[0]), None) if match else None


def _ends(text: str, start: int, capitals: bool) -> list[int]:
    """Return where a name that begins here can end."""
    ends: list[int] = []
    at_ = start
    for _ in range(LONGEST):
        match = _WORD.match(text, at_)
        if not match:
            break
        word = match[0]
        small = word.lower() in _SMALL and ends
        if capitals and not small and not word[0].isupper():
            break
        ends.append(match.end())
        at_ = match.end() + 1
        if text[match.end() : at_] != " ":
            break
    return ends
