"""Passports and visas, with their days."""

from __future__ import annotations

import re
from collections.abc import Iterator

from uac_nb.reader import places
from uac_nb.reader.clauses import Clause
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import called, compiled

NATIONS = {
    "american": "US", "australian": "AU", "austrian": "AT", "belgian": "BE", "brazilian": "BR", "british": "GB", "uk": "GB",
    "us": "US", "canadian": "CA", "chinese": "CN", "croatian": "HR", "czech": "CZ", "danish": "DK", "dutch": "NL",
    "egyptian": "EG", "finnish": "FI", "french": "FR", "german": "DE", "greek": "GR", "hungarian": "HU", "indian": "IN",
    "indonesian": "ID", "irish": "IE", "israeli": "IL", "italian": "IT", "japanese": "JP", "kenyan": "KE", "korean": "KR",
    "mexican": "MX", "norwegian": "NO", "polish": "PL", "portuguese": "PT", "romanian": "RO", "russian": "RU",
    "singaporean": "SG", "spanish": "ES", "swedish": "SE", "swiss": "CH", "thai": "TH", "turkish": "TR", "ukrainian": "UA",
    "vietnamese": "VN", "pakistani": "PK", "nigerian": "NG", "colombian": "CO", "argentinian": "AR", "chilean": "CL",
    "filipino": "PH", "saudi": "SA",
}  # fmt: skip
_PASSPORT = compiled(
    r"\b(?:(?P<mine>my|our)|my (?P<relation><relation>)'s|(?P<name><name>)'s) "
    r"(?:(?:current|old|new) )?(?:(?P<nation><Word>) )?passport (?:\w+ )?(?:expires?|runs? out|is valid (?:until|till|"
    r"through)|will expire|is good until|is up|expiring|is expiring|ends) (?:(?:on|in|at) )?(?:the end "
    r"of )?(?P<date><date>)"
)
_VISA = compiled(
    r"\b(?:my|an?|our|the) (?:(?:tourist|work|student|business|new|e-?) )*(?P<nation><Word>) (?:\w+ )?visa\b|"
    r"\bvisa (?:application )?(?:for|to) (?P<where>(?-i:[A-Z]))"
)
_VALID = compiled(
    r"\bvalid (?P<how>(?:starting|from|between|as of|until|till|through|to) )?(?P<date><date>)(?: (?:through|to|until|till|"
    r"and|-) (?P<end><date>))?"
)


def papers(clause: Clause) -> Iterator[Finding]:
    """Passports and visas; "valid from … to …" of what was named before."""
    if match := _PASSPORT.search(clause.masked):
        yield from _passport(clause, match)
    if (match := _VISA.search(clause.masked)) and clause.about in ("me", "") and clause.subject != "someone":
        yield from _visa(clause, match)
    elif (match := _VALID.search(clause.masked)) and (window := _window(clause, match)):
        yield Finding("validity", "it", "me", "assert", window, clause.span)


def _passport(clause: Clause, match: re.Match[str]) -> Iterator[Finding]:
    dated = clause.date_at(match.start("date"))
    nation = NATIONS.get((match["nation"] or "").lower(), "")
    if dated and not clause.negated:
        who = "me" if match["mine"] else match["relation"] or called(match["name"])
        slots = {"expires": dated.when} | ({"country": nation, "nation": match["nation"]} if nation else {})
        yield Finding("passport", "passport", who, "assert", slots, clause.span)


def _visa(clause: Clause, match: re.Match[str]) -> Iterator[Finding]:
    place = places.at(clause.masked, match.start("where")) if match["where"] else None
    nation = match["nation"] or (place.name if place else "")
    country = NATIONS.get(nation.lower()) or (place.country if place else places.country(nation))
    standing = _standing(clause)
    if country and standing and not clause.denied(match.start()):
        title = f"{nation} visa" if match["nation"] else f"visa for {nation}"
        yield Finding(
            "visa", f"{nation.lower()} visa", "me", "assert", {"country": country, "title": title, **standing}, clause.span
        )


def _standing(clause: Clause) -> dict[str, str]:
    """Whether a visa is applied for, granted or refused, and its days; nothing where the clause does not say."""
    dated = clause.date()
    if valid := _VALID.search(clause.masked):
        return _window(clause, valid) | {"status": "granted"}
    if clause.has("applied|apply|applying|application|submitted") and dated:
        return {"status": "applied", "applied": dated.when}
    if clause.has("expires?|runs out") and dated:
        return {"status": "granted", "valid_until": dated.when}
    if clause.has("refused|denied|rejected"):
        return {"status": "refused"}
    return {"status": "granted"} if clause.has("approved|granted|came through|got|received|issued") else {}


def _window(clause: Clause, match: re.Match[str]) -> dict[str, str]:
    """From when and until when something is valid."""
    first = clause.date_at(match.start("date"))
    last = clause.date_at(match.start("end")) if match["end"] else None
    if first is None:
        return {}
    if (match["how"] or "").strip().lower() in ("until", "till", "through"):
        return {"valid_until": first.when}
    until = first.until or (last.when if last else "")
    return {"valid_from": first.when} | ({"valid_until": until} if until else {})
