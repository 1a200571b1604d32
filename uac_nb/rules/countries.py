"""Which continent a country lies on. Source: GeoNames country table (CC BY 4.0), codes of ISO 3166."""

from __future__ import annotations

from collections.abc import Mapping

_CODES = {
    "Africa": "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ "
    "NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW",
    "Asia": "AE AF AM AZ BD BH BN BT CC CN GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM "
    "PH PK PS QA SA SG SY TH TJ TM TR TW UZ VN YE",
    "Europe": "AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD "
    "ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK",
    "North America": "AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV "
    "SX TC TT US VC VG VI",
    "South America": "AR BO BR CL CO EC FK GF GY PE PY SR UY VE",
    "Oceania": "AS AU CK CX FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TL TO TV UM VU WF WS",
}
_CONTINENT: Mapping[str, str] = {code: name for name, codes in _CODES.items() for code in codes.split()}
CONTINENTS: tuple[str, ...] = tuple(_CODES)


def continent(country: str | None) -> str | None:
    """The continent of a country by its two letters; None where it is not known.

    >>> continent("PT")
    'Europe'
    """
    return _CONTINENT.get(country or "")
