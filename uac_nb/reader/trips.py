"""Journeys made, planned or cancelled, with their days."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from uac_nb.reader import places
from uac_nb.reader.clauses import LEADING, Clause
from uac_nb.reader.dates import Dated
from uac_nb.reader.daywords import NUMBERS, is_feast
from uac_nb.reader.finding import Finding, Polarity
from uac_nb.reader.language import compiled, lexicon
from uac_nb.reader.phrases import STOPS
from uac_nb.reader.places import Place
from uac_nb.rules import When

_JOURNEY = "(?:trip|flights?|vacation|holiday|honeymoon|cruise|visit|getaway|train|bus)"
# Verbs that only travellers use: the place may be one that our table does not know.
_FLEW = compiled(
    r"(?:flew|flies|flying|flown|travell?ed|travelling|traveling|jetting|sailed|sailing|took (?:a|the) (?:plane|flight)) "
    r"(?:\w+ly )?(?:(?:out|over|back|off|up|down|home|all the way|business class|first class) )?to "
)
_WENT = compiled(
    r"(?:drove|driving|took (?:a|the) (?:\w+ )?(?:train|bus|ferry|boat|trip|vacation)(?: <date>)?|took (?:my|our|the) "
    r"(?:<relation>|family|fam|kids)|went|going|gone|been|heading|headed|setting off) (?:(?:back|over|up|down|out|away|"
    r"only|once) )?(?:on (?:a |an |our |my )?(?:\w+ )?(?:vacation|holiday|honeymoon|trip|cruise|break) )?(?:<date> )?to "
)
# These are of a journey only where a day is said, or where they are denied.
_GOES = compiled(
    r"(?:(?:go|goes|fly|travels?|drives?) (?:back )?to |visits? |(?:leaving|leaves?|off) (?:for|to) |"
    r"staying (?:[\w-]+ ){0,3}?in )"
)
_SAW = compiled(r"(?:visited|visiting) (?:[\w'-]+ ){1,4}?in (?=(?-i:[A-Z]))|(?P<direct>visited|visiting|toured|touring) ")
_STAYED = compiled(
    r"(?:(?:landed|arrived|touched down) |(?:spent|spending|spend) (?:<date>|\w+) (?:[\w-]+ ){0,3}?|"
    r"stayed (?:[\w-]+ ){0,3}?|went \w+ing |(?:vacation|holiday|honeymoon|backpack|camp|road-tripp)(?:ed|ing) )(?:in|"
    r"around|through|across) "
)
_LODGING = "(?:hotel|room|airbnb|hostel|cottage|cabin|villa|apartment|flat|house|lodge|resort|campsite|b&b)"
_BOOKED = compiled(
    rf"(?:(?:booked|reserved) (?:[\w-]+ ){{0,3}}?(?:{_JOURNEY}|{_LODGING}|tickets?|seats?)|(?:bought|got|have) "
    rf"(?:[\w-]+ ){{0,3}}?(?:{_JOURNEY}|tickets?)) (?:tickets? )?(?:to|in|for) "
)
_BACK = compiled(
    r"(?:(?:got|came|come|get|coming|getting|arrived|flew|flying|drove) )?(?:back|home|returned|returning) "
    rf"(?:<date> )?(?:<hour> )?from (?:(?:a|our|my|the) (?:\w+ )?(?:{_JOURNEY}|week|weekend) (?:to|in) )?"
)
_IN = compiled(r"in (?=\S)")
_NOUN = compiled(rf"(?:\b(?:my|our|his|her|their|the|this|\w+'s) (?:[\w-]+ ){{0,2}}?|^\W*(?:\w+ )?){_JOURNEY} (?:to|in) ")
_THEIRS = compiled(rf"(?:\b(?:his|her|their|your)|[a-zà-ÿ]'s) (?:[\w-]+ ){{0,2}}?{_JOURNEY} (?:to|in) $")
_ABOUT = "about|documentary|movie|film|book|article|video|podcast|story"
_BEFORE_JOURNEY = compiled(rf" {_JOURNEY}\b")
_OWNED = compiled(r"\b(?:my|our|the) ")
_CANCELLED = (
    "cancell?ed|cancell?ing|cancel|called off|call off|fell through|scrapped|(?:is|was|are)(?: now)? off|not happening|"
    "isn't happening"
)
# "The trip fell through", "I had to cancel the trip": which, the memory has to know.
_WHICH = r"(?:trip|journey|holiday|vacation|getaway|honeymoon)"
_SO = r"(?= *(?:$|[^\w\s]|(?:after all|because|since|due|as|now|then|again|so|for good|this|last)\b))"
_GONE = "(?:off|cancell?ed|called off|fell through|not happening|scrapped)"
_IT_IS_OFF = compiled(rf"\W*(?:the|my|our) {_WHICH} (?:(?:is|was|got|has been|had to be) (?:now )?)?{_GONE}{_SO}")
_CANCELS_IT = compiled(rf"\b(?:cancel|cancell?ed|called off|call off|scrapped) (?:the|my|our|that) (?:whole )?{_WHICH}{_SO}")
_PLACE_IS_OFF = compiled(rf"(?: (?:is|was|got|has been|had to be)|'s)?(?: now)? {_GONE}{_SO}")
_NO_PLACE = compiled(r"\W*(?:so |well,? |sadly,? )?no (?=\S)")  # "No Rome for us after all."
_AFTER_ALL = compiled(r"(?: trip)?(?: for (?:me|us))? (?:after all|this (?:year|time|summer|spring|autumn|winter)|any ?more)\b")
_HABIT = (
    "every|often|usually|always|a lot|sometimes|regularly|each (?:year|month|week|summer|winter)|most (?:years|weekends)|"
    "never|each time|whenever|in general"
)
_PURPOSE = compiled(
    r"\bfor (?:(?:an?|my|our|the|some) )?(?:[\w-]+ )?(?P<aim>conference|wedding|meeting|work|business|vacation|holiday|"
    r"funeral|interview|workshop|honeymoon|race|marathon|retreat)\b"
)
_BE = compiled(r"\b(?:was|were|will be|am|are|be)\b|'(?:ll be|m|re)\b")


@dataclass(frozen=True, slots=True)
class _Journey:
    """The places that a clause says somebody goes to, and how it says so."""

    places: list[Place]
    back: bool = False  # they are back from there
    there: bool = False  # they are there on a day; when they left was not said


def trips(clause: Clause) -> Iterator[Finding]:
    """Journeys, one for each place."""
    journey = _journey(clause)
    if journey is None and (off := _called_off(clause)) is not None:
        where = named(off) if off else {}
        yield Finding("trip", off.key if off else "trip", "me", "retract", {**where, "known": "yes"}, clause.span)
    if journey is None or clause.has(f"{_HABIT}|virtual|imaginary"):
        return
    who = clause.who_at(journey.places[0].start) or ("me" if _fragment(clause, journey.places[-1]) else "")
    if not who or (who == "me" and _THEIRS.search(clause.masked, 0, journey.places[0].start)):
        return
    polarity: Polarity = "retract" if _off(clause, journey.places[0].start) else "assert"
    arranged = clause.has("booked|reserved|tickets?|flights?")
    status = "done" if journey.back or (clause.tense == "past" and not arranged) else "booked"
    moved = {"moved": "yes"} if _MOVED.search(clause.masked) or clause.corrects else {}
    for leg, told in _told(clause, journey):
        for place in leg:
            yield Finding("trip", place.key, who, polarity, {**told, **moved, "status": status, **named(place)}, clause.span)


_MOVED = compiled(
    r"\b(?:(?:was|were|is|are|been|got|has|have) (?:now )?(?:moved|rescheduled|pushed|postponed|shifted|brought forward|"
    r"put back|changed)|(?:moved|rescheduled|pushed|postponed|shifted|changed) (?:my|our|the)|(?:is|are) now)\b"
)


def _called_off(clause: Clause) -> Place | Literal[""] | None:
    """What is off without a word of a journey to it: "Berlin is off"; "" where no place is named; None where nothing is."""
    text = clause.masked
    cancels = _IT_IS_OFF.match(text) or (_CANCELS_IT.search(text, clause.head) and not clause.negated)
    if cancels and clause.about in ("me", "") and clause.tense != "future":
        return ""
    if no := _NO_PLACE.match(text):
        place = places.at(text, no.end(), capitals=clause.capitals)
        return place if place and _AFTER_ALL.match(text, place.end) else None
    lead = LEADING.match(text)
    place = places.at(text, lead.end() if lead else 0, capitals=clause.capitals)
    return place if place and _PLACE_IS_OFF.match(text, place.end) else None


def named(place: Place) -> dict[str, str]:
    """The slots that name a place."""
    return {"to": place.name} | ({"country": place.country} if place.country else {})


def _journey(clause: Clause) -> _Journey | None:
    text, body = clause.masked, clause.body
    dated = bool(clause.dates)
    if match := _FLEW.match(text, body):
        return _to(towns(clause, match.end()) or _new_town(clause, match.end()))
    if match := _WENT.match(text, body) or _STAYED.match(text, body) or _BOOKED.match(text, body):
        return _to(towns(clause, match.end()))
    if match := _GOES.match(text, body):
        return _to(towns(clause, match.end())) if dated or clause.negated else None
    if match := _SAW.match(text, body):
        found = towns(clause, match.end())
        return None if match["direct"] and found and found[0].personal else _to(found)
    if match := _BACK.match(text, body):
        return _to(towns(clause, match.end()), back=True)
    if (match := _IN.match(text, body)) and dated and clause.about and _BE.search(text[clause.head : body]):
        unknown = places.at(text, match.end()) is None
        return _to(towns(clause, match.end()) or (_new_town(clause, match.end()) if unknown else []), there=True)
    return _noun_journey(clause)


def _to(found: list[Place], *, back: bool = False, there: bool = False) -> _Journey | None:
    return _Journey(found, back, there) if found else None


def _noun_journey(clause: Clause) -> _Journey | None:
    """ "my trip to Berlin got cancelled", "our Bali trip is in June"."""
    text, dated = clause.masked, bool(clause.dates)
    if match := None if clause.has(_ABOUT) else _NOUN.search(text):
        found = places.listed(text, match.end(), capitals=clause.capitals)
        over = found and compiled(r" (?:was|were|went)\b").match(text, found[-1].end)
        return _to(found) if dated or over or _off(clause, match.start()) else None
    for match in _OWNED.finditer(text):
        place = places.at(text, match.end(), capitals=clause.capitals)
        if place and _BEFORE_JOURNEY.match(text, place.end) and (dated or _off(clause, match.start())):
            return _Journey([place])
    return None


def towns(clause: Clause, start: int) -> list[Place]:
    """The places listed at an offset; none where the name goes on ("Boston College")."""
    found = places.listed(clause.masked, start, capitals=clause.capitals)
    return [] if found and _goes_on(clause.masked, found[-1].end) else found


_NEXT = compiled(r" (?P<word>[a-z]+)\b")
_AFTER_TOWN = STOPS | lexicon("solo early earlier late straight directly first last next this all every leaves leave fell")


def _goes_on(text: str, end: int) -> bool:
    """Whether a name is only the first word of another: "Boston College", "Paris mode"."""
    following = _NEXT.match(text, end)
    return bool(following and (following["word"][0].isupper() or following["word"] not in _AFTER_TOWN))


_TOWN = compiled(
    r"(?P<name>(?-i:[A-ZÀ-ÖØ-Þ][a-zà-ÿ]+(?:[ -](?:(?:on|upon|de|am|la|do)[ -])?[A-ZÀ-ÖØ-Þ][a-zà-ÿ]+)*))"
    r"(?= *(?:[.,!;]|$|(?:on |in |from )?<date>|"
    r"(?:now|with|since|and|for)\b))"
)


_DEPARTMENTS = lexicon(
    "marketing sales finance accounting legal operations engineering support product research procurement hr it"
)


def _new_town(clause: Clause, start: int) -> list[Place]:
    town = new_town(clause, start)
    return [town] if town else []


def new_town(clause: Clause, start: int) -> Place | None:
    """A place that our table does not know, where only a place can stand."""
    match = _TOWN.match(clause.masked, start)
    if not match or compiled(r"(?:mom|mum|dad|grand\w+|earth|mars|heaven|work|home)\b").match(match["name"]):
        return None
    if match["name"].lower() in _DEPARTMENTS:
        return None
    return Place(match.start(), match.end("name"), match["name"], match["name"].lower(), None)


def _fragment(clause: Clause, last: Place) -> bool:
    """ "Flying to Lisbon on 10 March." leaves out who; "Flying to Lisbon is fun" names nobody."""
    if clause.subject:
        return False
    named_ = _NOUN.search(clause.masked) or _OWNED.match(clause.masked)
    return bool(named_) or not compiled(r" (?:is|was|would|takes|sounds|and|has)\b").match(clause.masked, last.end)


def _off(clause: Clause, at: int) -> bool:
    return clause.denied(at) or clause.has(_CANCELLED)


# --- days ---


# "…, then to Paris on 8 May", "and on the 8th to Paris"
_ONWARD = compiled(
    r"(?P<then>,? (?:and )?(?:then|from there|after that|afterwards|later)|,? and|,) (?:(?:on|over|off|in) )?(?:<date> )?"
    r"(?:(?:go|fly|drive|continue|going|flying|driving|continuing|tak\w+ (?:the|a) (?:train|bus|ferry|boat|plane)) (?:on )?)?"
    r"(?P<to>(?:to|for) )?(?=\S)"
)


def _told(clause: Clause, journey: _Journey) -> Iterator[tuple[list[Place], dict[str, str]]]:
    """The legs of a journey, each with its own days, company and purpose."""
    legs = _legs(clause, journey)
    ends = [start for _, start in legs[1:]] + [len(clause.masked)]
    earlier = ""
    for number, ((where, start), end) in enumerate(zip(legs, ends, strict=True)):
        low = start if number else 0
        slots = _days(clause, [d for d in clause.dates if low <= d.start < end], journey.back)
        if journey.there and "start" in slots and "end" not in slots:
            slots["there"] = slots.pop("start")
        if not slots and earlier:
            slots = {"start": f"{earlier}/.."}
        first = slots.get("start") or slots.get("there") or ""
        earlier = first if first and When(first).exact else ""
        if others := [*with_whom(clause.masked[low:end]), *together(clause)]:
            slots["others"] = " | ".join(others)
        if aim := _PURPOSE.search(clause.text, low, end):
            slots["purpose"] = aim["aim"].lower()
        yield where, slots


_FROM = compiled(r"\bfrom (?!<date>)")


def _legs(clause: Clause, journey: _Journey) -> list[tuple[list[Place], int]]:
    """The places of each leg, and where it begins: the first, and those that "then" or a further "to" leads to."""
    legs = [(journey.places, 0)]
    end = journey.places[-1].end
    for match in _ONWARD.finditer(clause.masked, end):
        found = towns(clause, match.end()) if match.start() >= end else []
        if not found or _FROM.search(clause.masked, end, match.start()):
            continue
        legs.append((found, match.start()))
        end = found[-1].end
    return legs


_AROUND = compiled(r"\b(?:for|at|over|during|around) $")


_PUT_OFF = compiled(r"\b(?:moved|changed|rescheduled|postponed|shifted|pushed|put off|brought forward)(?: from)? $")


def _days(clause: Clause, dates: Iterable[Dated], back: bool) -> dict[str, str]:
    """The first and the last day, as far as said. "For Easter" somebody is there; when they leave it does not say."""
    found = [d for d in dates if not d.when.startswith("..")]
    if not found:
        return {}
    if found[0].until and _PUT_OFF.search(clause.masked[: found[0].start]):
        return {"start": found[0].until}  # "moved from July 3 to July 4" is no span
    doubts = [d.doubt for d in found if d.doubt][:1]
    slots = {"doubt": doubts[0]} if doubts else {}
    first, *others = found
    if back or (not first.until and _UNTIL_ONLY.search(clause.masked[: first.start])):
        return slots | {"end": first.when}
    if is_feast(clause.text[first.start : first.end]) and _AROUND.search(clause.masked, 0, first.start) and not first.until:
        return slots | {"there": first.when} | ({"end": others[0].when} if others and _returning(clause, others[0]) else {})
    if others and clause.has("booked|reserved|bought|got", 0, others[0].start) and When(first.when) < When(others[0].when):
        first, *others = others  # "booked yesterday for May 3"
    last = first.until or next((d.when for d in others if _returning(clause, d)), "")
    slots |= {"start": first.when} | ({"end": last} if last else {})
    return slots if last or not first.exact else slots | _after_a_stay(clause, first)


_STAY = compiled(rf"\bfor (?P<stay>(?P<count>\d{{1,2}}|{'|'.join(NUMBERS)}) (?P<unit>day|night|week)s?)\b")


def _after_a_stay(clause: Clause, first: Dated) -> dict[str, str]:
    """The last day, about, of "on 10 March for a week"."""
    match = _STAY.search(clause.masked)
    if not match:
        return {}
    days = (NUMBERS.get(match["count"].lower()) or int(match["count"])) * (7 if match["unit"].lower() == "week" else 1)
    return {"end": f"{When(first.when).date + timedelta(days)}~", "stay": match["stay"]}


_UNTIL_ONLY = compiled(r"\b(?:until|till|through) (?:\w+ )?$")
_UNTIL = compiled(r"\b(?:(?:until|till|through|back(?: (?:home|to <Word>))?|return\w*) (?:\w+ )?|to |and )(?:on )?$")


def _returning(clause: Clause, dated: Dated) -> bool:
    return bool(_UNTIL.search(clause.masked[: dated.start]))


_HOME = compiled(
    r"(?:and )?(?:(?:comes?|came|coming|gets?|got|getting|fl(?:y|ies)|flew|flying|be|is|am|are|heads?|heading|headed|drives?|"
    r"drove|arrives?|arriving) )*(?:back|home|return(?:ed|ing|s)?)\b"
)


def back_home(clause: Clause) -> str:
    """The day somebody is back, from a clause that only says that ("back on the 17th"); else ""."""
    dated = clause.date()
    home = _HOME.match(clause.masked, clause.body)
    return dated.when if dated and home and not clause.negated and not clause.has("from (?-i:[A-Z])\\w+") else ""


# --- company ---

_OF = r"(?: from (?:(?:the|my) )?(?!(?:next|this|now|then|today|home|here|about|the|my)\b)(?-i:[a-z]+))"
_WITH = compiled(
    r"\bwith (?P<who>(?:(?:dr|mr|mrs|ms|prof)\. )?(?:my |our |the )?[a-z][\w'-]*(?: <Word>)?"
    rf"{_OF}?(?:(?:, | and )(?:my |our )?[a-z][\w'-]*(?:(?= from){_OF})?)*)"
)
_SOMEBODY = compiled(
    r"(?:(?:my|our) (?P<relation><relation>|family|kids|friends|team|colleagues)|"
    r"(?P<name><titled>(?: from (?:(?:the|my) )?[a-z]+)?))$"
)


_TOGETHER = compiled(r"\W*(?:(?:my|our) (?P<relation><relation>)(?: (?P<called><name>))?|(?P<name><name>)) and (?:I|me)\b")


def together(clause: Clause) -> list[str]:
    """Who else is a subject: "Ana and I"."""
    match = _TOGETHER.match(clause.masked)
    return [match["called"] or match["relation"] or match["name"]] if match else []


def company(clause: Clause) -> list[str]:
    """All who are there too."""
    return [*with_whom(clause.masked), *together(clause)]


def with_whom(text: str) -> list[str]:
    """The people that "with Ana and my sister" names; of others ("with carry-on only") none.

    >>> with_whom("to Rome with Ana and my sister")
    ['Ana', 'sister']
    """
    parts = [part for match in _WITH.finditer(text) for part in re.split(r", | and ", match["who"])]
    return [who["relation"] or who["name"] for part in parts if (who := _SOMEBODY.match(part))]
