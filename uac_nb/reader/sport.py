"""Training that was done on a day: how far, and how long."""

from __future__ import annotations

import re
from collections.abc import Iterator

from uac_nb.reader.clauses import Clause
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import compiled

KINDS = {
    "run": "running", "ran": "running", "jog": "running", "jogged": "running", "swim": "swimming", "swam": "swimming",
    "ride": "cycling", "cycle": "cycling", "cycled": "cycling", "biked": "cycling", "hike": "hiking", "hiked": "hiking",
    "row": "rowing", "rowed": "rowing", "ski": "skiing", "skied": "skiing", "bike ride": "cycling", "walk": "walking",
}  # fmt: skip
_LENGTH = r"(?P<length>\d+(?:[.,]\d+)? ?(?:kilomet(?:er|re)s?|kms?|k|miles?|mi|met(?:er|re)s|m))\b"
_WENT = compiled(rf"(?P<verb>ran|jogged|swam|cycled|biked|hiked|rowed|skied) (?:about )?(?P<distance>{_LENGTH})")
_DID = compiled(
    rf"(?:went (?:for|on)|did|had|finished|completed|got in) (?:an? |my |the )?(?:[a-z]+ )?(?P<distance>{_LENGTH}) (?:[a-z]+ )?"
    r"(?P<verb>run|jog|swim|ride|hike|row|ski|walk)\b"
)
_HAD = compiled(r"(?:did|finished|had|went for|completed) (?:an? |my )?(?:[a-z]+ )?(?P<verb>run|jog|swim|bike ride|hike)\b")
_PLACE = compiled(r"\b(?:at|in|around) (?:the )?(?P<place><Word>(?: <Word>)*)")
_PRACTISED = compiled(
    r"(?:did|had|went to|took) (?:an? |my |some )?(?:(?P<before>\d+)[ -]min(?:ute)?s? (?:of )?)?(?P<verb>yoga|pilates|crossfit|"
    r"spinning|aerobics|zumba|strength training|weight ?lifting)\b"
)
_MINUTES = compiled(
    r"(?:\b(?:in|for)|,) (?:about )?(?:(?P<minutes>\d+) ?min(?:ute)?s?|(?P<hour>an hour)|(?P<half>half an hour)|"
    r"(?P<hours>\d) hours)\b"
)
_FRAGMENT = compiled(r"\W*(?:ran|jogged|swam|cycled|biked|hiked|rowed|skied|went for|did|finished|had|completed)\b")
_METRES = {"k": 1000, "m": 1, "mi": 1609.344}


def workouts(clause: Clause) -> Iterator[Finding]:
    """Sessions of one exact day."""
    text = clause.masked
    starts = (clause.body, clause.head + text[clause.head :].startswith(" "))  # "did" is a verb of its own here
    match = next((m for at in starts for pattern in (_WENT, _DID, _PRACTISED, _HAD) if (m := pattern.match(text, at))), None)
    dated = clause.date()
    who = clause.about or ("me" if not clause.subject and _FRAGMENT.match(text) else "")
    if match is None or dated is None or not dated.exact or dated.until or not who or clause.negated:
        return
    verb = match["verb"].lower()
    slots = {"kind": KINDS.get(verb, verb), "start": dated.when}
    named = match.groupdict()
    if length := named.get("length"):
        slots |= {"distance": length, "metres": str(metres(length)), "title": f"{length} {_noun(verb)}"}
    if place := _PLACE.search(text, match.end()):
        slots["place"] = place["place"]
    if minutes := named.get("before") or _minutes(text):
        slots["minutes"] = minutes
    yield Finding("workout", slots["kind"], who, "assert", slots, clause.span)


_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")  # nobody runs one and a half metres


def metres(length: str) -> int:
    """A distance in metres.

    >>> metres("8 km"), metres("10k"), metres("1,500 m"), metres("3.1 miles"), metres("7,5 km")
    (8000, 10000, 1500, 4989, 7500)
    """
    number, unit = re.findall(r"[\d.,]+|[a-z]+", length.lower())[:2]
    key = "mi" if unit.startswith("mi") else unit[0]
    if key == "m" and _THOUSANDS.fullmatch(number):
        return int(re.sub(r"[.,]", "", number))
    return round(float(number.replace(",", ".")) * _METRES[key])


def _minutes(text: str) -> str:
    match = _MINUTES.search(text)
    if match is None:
        return ""
    return match["minutes"] or ("60" if match["hour"] else "30" if match["half"] else str(60 * int(match["hours"])))


def _noun(verb: str) -> str:
    return {"ran": "run", "jogged": "run", "swam": "swim", "cycled": "ride", "biked": "ride"}.get(verb, verb.removesuffix("ed"))
