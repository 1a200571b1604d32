"""Meals that were had on a day: which, where and with whom. Those that lie ahead are appointments."""

from __future__ import annotations

from collections.abc import Iterator

from uac_nb.reader.clauses import Clause
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import compiled
from uac_nb.reader.trips import company

_KIND = r"(?P<kind>breakfast|brunch|lunch|dinner|supper)"
_HAD = compiled(rf"(?:had|ate|enjoyed|grabbed|went (?:out )?(?:for|to)) (?:an? |some |our |my )?(?:[a-z]+ )?{_KIND}\b")
_FRAGMENT = compiled(r"\W*(?:just )?(?:had|ate|enjoyed|grabbed|went)\b")
_PLACE = compiled(r"\bat (?:the )?(?P<place><Word>(?: (?:<Word>|of|de|la|\d+)(?![\w']))*)")
_KINDS = {"brunch": "breakfast", "supper": "dinner"}


def meals(clause: Clause) -> Iterator[Finding]:
    """Meals of one exact day."""
    match, dated = _HAD.match(clause.masked, clause.body), clause.date()
    who = clause.about or ("me" if not clause.subject and _FRAGMENT.match(clause.masked) else "")
    if match is None or dated is None or not dated.exact or dated.until or not who or clause.tense != "past" or clause.negated:
        return
    kind = match["kind"].lower()
    slots = {"kind": _KINDS.get(kind, kind), "said": kind, "start": dated.when}
    if place := _PLACE.search(clause.masked, match.end()):
        slots["place"] = place["place"]
    if others := company(clause):
        slots["others"] = " | ".join(others)
    if len(clause.amounts) == 1:
        slots |= {"amount": clause.amounts[0].amount, "currency": clause.amounts[0].currency}
    yield Finding("meal", kind, who, "assert", slots, clause.span)
