"""English names of countries and continents, to meet codes of ISO 3166 in records. Source: ISO 3166-1, common names."""

from __future__ import annotations

from collections.abc import Mapping

from uac_nb.rules import CONTINENTS, continent

_NAMES = """
AD Andorra|AE United Arab Emirates,UAE,Emirates|AF Afghanistan|AG Antigua and Barbuda|AL Albania|AM Armenia|AO Angola
AR Argentina|AT Austria|AU Australia|AZ Azerbaijan|BA Bosnia and Herzegovina,Bosnia|BB Barbados|BD Bangladesh|BE Belgium
BF Burkina Faso|BG Bulgaria|BH Bahrain|BI Burundi|BJ Benin|BN Brunei|BO Bolivia|BR Brazil|BS Bahamas,The Bahamas|BT Bhutan
BW Botswana|BY Belarus|BZ Belize|CA Canada|CD DR Congo,Democratic Republic of the Congo|CF Central African Republic
CG Congo|CH Switzerland|CI Ivory Coast,Côte d'Ivoire|CL Chile|CM Cameroon|CN China|CO Colombia|CR Costa Rica|CU Cuba
CV Cape Verde|CY Cyprus|CZ Czechia,Czech Republic|DE Germany|DJ Djibouti|DK Denmark|DM Dominica|DO Dominican Republic
DZ Algeria|EC Ecuador|EE Estonia|EG Egypt|ER Eritrea|ES Spain|ET Ethiopia|FI Finland|FJ Fiji|FR France|GA Gabon
GB United Kingdom,UK,Great Britain,Britain,England,Scotland,Wales,Northern Ireland|GD Grenada|GE Georgia|GH Ghana|GL Greenland
GM Gambia|GN Guinea|GR Greece|GT Guatemala|GW Guinea-Bissau|GY Guyana|HK Hong Kong|HN Honduras|HR Croatia|HT Haiti|HU Hungary
ID Indonesia|IE Ireland|IL Israel|IN India|IQ Iraq|IR Iran|IS Iceland|IT Italy|JM Jamaica|JO Jordan|JP Japan|KE Kenya
KG Kyrgyzstan|KH Cambodia|KR South Korea,Korea|KP North Korea|KW Kuwait|KZ Kazakhstan|LA Laos|LB Lebanon|LC Saint Lucia
LI Liechtenstein|LK Sri Lanka|LR Liberia|LS Lesotho|LT Lithuania|LU Luxembourg|LV Latvia|LY Libya|MA Morocco|MC Monaco
MD Moldova|ME Montenegro|MG Madagascar|MK North Macedonia,Macedonia|ML Mali|MM Myanmar,Burma|MN Mongolia|MO Macau|MR Mauritania
MT Malta|MU Mauritius|MV Maldives,The Maldives|MW Malawi|MX Mexico|MY Malaysia|MZ Mozambique|NA Namibia|NE Niger|NG Nigeria
NI Nicaragua|NL Netherlands,The Netherlands,Holland|NO Norway|NP Nepal|NZ New Zealand|OM Oman|PA Panama|PE Peru
PG Papua New Guinea|PH Philippines,The Philippines|PK Pakistan|PL Poland|PR Puerto Rico|PS Palestine|PT Portugal|PY Paraguay
QA Qatar|RO Romania|RS Serbia|RU Russia|RW Rwanda|SA Saudi Arabia|SC Seychelles|SD Sudan|SE Sweden|SG Singapore|SI Slovenia
SK Slovakia|SL Sierra Leone|SM San Marino|SN Senegal|SO Somalia|SR Suriname|SS South Sudan|SV El Salvador|SY Syria|TD Chad
TG Togo|TH Thailand|TJ Tajikistan|TL East Timor,Timor-Leste|TM Turkmenistan|TN Tunisia|TO Tonga|TR Turkey,Türkiye
TT Trinidad and Tobago|TW Taiwan|TZ Tanzania|UA Ukraine|UG Uganda|US United States,United States of America,USA,US,America
UY Uruguay|UZ Uzbekistan|VA Vatican City,Vatican|VE Venezuela|VN Vietnam|VU Vanuatu|WS Samoa|XK Kosovo|YE Yemen
ZA South Africa|ZM Zambia|ZW Zimbabwe
"""
_LISTS = {part.split(" ", 1)[0]: part.split(" ", 1)[1].split(",") for part in _NAMES.strip().replace("\n", "|").split("|")}

NAME: Mapping[str, str] = {code: names[0] for code, names in _LISTS.items()}  # "PT" -> "Portugal"
# By lower-case name, as a question has it. "us" is a pronoun, and "america" a country or two continents: neither is sure.
CODE: Mapping[str, str] = {
    name.lower().replace("-", " ").replace("'", " "): code
    for code, names in _LISTS.items()
    for name in names
    if name not in ("US", "America")
}
REGIONS: Mapping[str, tuple[str, ...]] = {
    **{name.lower(): (name,) for name in CONTINENTS},
    "the americas": ("North America", "South America"),
    "americas": ("North America", "South America"),
}


def code_of(name: str) -> str | None:
    """The code of a country by a name or code of it, or None.

    >>> code_of("Portugal"), code_of("pt"), code_of("Atlantis")
    ('PT', 'PT', None)
    """
    known = name.upper() if name.upper() in NAME else None
    return known or CODE.get(name.lower().replace("-", " "))


def lies_in(name: str) -> str | None:
    """The continent of a country by a name or code of it, or None."""
    return continent(code_of(name))
