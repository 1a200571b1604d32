"""What has a day: appointments, dinners, meetings, reservations, performances, and deadlines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from uac_nb.reader import places
from uac_nb.reader.clauses import Clause
from uac_nb.reader.dates import Dated
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import called, compiled
from uac_nb.reader.phrases import STOPS, VAGUE, noun_phrase
from uac_nb.reader.trips import company
from uac_nb.rules import When

_TAIL = r"(?: (?:appointment|reservation|meeting|session))?\b"
_EVENT = (
    r"(?:appointment|appt|check-?up|physical|consultation|interview|exam|surgery|operation|scan|mri|x-?ray|blood test|"
    r"cleaning|test drive|viewing|inspection|hearing|reservation|booking|meeting|call|session|class|lesson|rehearsal|"
    r"recital|performance|concert|show|play|game|match|tournament|race|marathon|wedding|baby shower|funeral|party|reunion|"
    r"retreat|ceremony|graduation|conference|workshop|webinar|seminar|presentation|demo|review|audition|festival|visit|"
    r"follow-?up|vet|dentist|delivery|jury duty|(?:movie|game|date|quiz|trivia|poker|parent-teacher|open mic|girls'?) "
    r"night|haircut|massage|photo ?shoot|training run|training|dinner|lunch|breakfast|brunch|coffee|drinks|supper|"
    r"date(?= with)|tea|barbecue|bbq|picnic|talk|lecture|speech|physio|physiotherapy|therapy|book club|choir practice|"
    rf"parents' evening){_TAIL}"
)
_TITLE = rf"(?P<title>(?:[\w'&-]+ ){{0,4}}?{_EVENT})"
_FORMAL = (
    "appointment|appt|check-?up|physical|consultation|interview|exam|surgery|operation|scan|mri|hearing|viewing|blood test"
)
_ARRANGED = "booked|scheduled|made|set up|arranged|reserved|moved|rescheduled|confirmed|planned|got"
_HAVE = compiled(
    r"(?:(?:have to|must|need to|will|'ll)? ?(?:give|giving|hold|holding)|have|has|'ve got|got|booked|scheduled|made|set up|"
    r"arranged|reserved|having|confirmed|rescheduled|moved|there's|there is|attending|hosting|planned|had) "
    rf"(?:an? |my |our |the |another |his |her |some )?{_TITLE}(?! to )"
)
_THERE = compiled(rf"\W*there(?:'s| is) (?:an? |my |our |the |another )?{_TITLE}")
_TICKETS = compiled(rf"(?:have|got|bought) (?:\w+ )?tickets? (?:to|for) (?:an? |the )?{_TITLE}")
_MOVED = (
    "moved|rescheduled|pushed|changed|postponed|shifted|brought forward|put back|(?:is|are) now|"
    r"now(?=\W*$)|now (?:on|at|set|scheduled|for)"
)
_ON = (
    r"(?:(?:now|set|scheduled|booked|moved|rescheduled|pushed|postponed|shifted|changed|brought|put|back|forward|from|until|on|"
    r"for|to|at|in|this|<hour>) ?)*"
)
_IS = compiled(
    rf"(?<!\bfrom\s)\b(?:my|our|the|his|her|their|this|(?P<whose>(?:my )?(?:<relation>|<name>)'s)) {_TITLE}"
    r"(?: (?:with|at|for|in) [\w'. ]+?)? ?(?:'s|is|are|has been|was|will be|got|starts|begins|takes place|has|moved|shifted|"
    rf"changed) {_ON}(?P<date><date>)"
)
_BARE = compiled(
    rf"\W*(?P<title>(?:[\w'-]+ ){{0,2}}?{_EVENT})(?: (?:booked|scheduled|set|planned))? (?:(?:with|at|on|for|in)\b|<date>|"
    r"<hour>)"
)
_SEE = compiled(
    r"(?:seeing|see|meeting|meet) (?:up )?(?:with )?(?P<whom>(?:my|our|the|a) (?P<role><relation>|dentist|doctor|lawyer|"
    r"accountant|therapist|vet|physio\w*|landlord|realtor|coach|tutor|\w+ologist)|"
    r"<titled>(?:(?:, (?:and )?| and | & )<titled>)*)"
)
_DOCTOR = compiled(r"dr\b|dentist|doctor|\w+ologist|therapist|physio|vet\b")
_COMES = compiled(
    r"\b(?:the|my|our|a) (?P<who>plumber|electrician|cleaner|technician|landlord|movers|handyman|contractor|gardener|"
    r"painter|inspector|repair ?man|repair guy|repair person|cable guy|babysitter|locksmith) (?:is |will be |will |"
    r"can (?:finally |only )?|are )?(?:coming|comes?|here|stopping by|visiting)\b[^.]*?(?P<date><date>)"
)
_GUEST = r"(?:(?:my|our) (?:<relation>|family|friends|parents-in-law|in-laws)(?: <Word>)?|<name>)"
_VISITS = compiled(
    rf"\W*(?P<who>{_GUEST}(?:(?:, (?:and )?| and ){_GUEST})*) (?:(?:is|are|will be|will|'s|'re) )?(?:also )?"
    r"(?:visit(?:s|ing)? (?:me|us)|com(?:e|es|ing) (?:over|here|to see (?:me|us)|to stay|for a visit|to visit(?: (?:me|us))?)|"
    r"stay(?:s|ing)? (?:with|at) (?:me|us|my place|ours)) (?:again |(?:for|from|on|in|over|this) )*(?P<date><date>)"
)
_MARRIES = compiled(r"\bgetting married\b[\w ]{0,20}?(?P<date><date>)")
_OFF = "cancell?ed|cancel|called off|fell through|is off|not happening|isn't happening"
_ANY = compiled("appointment|appt|meeting|reservation|booking|session|call|date|visit")  # which, the memory has to know
_CALLED_OFF = compiled(
    rf"(?:\b(?:my|our|the) |^\W*)(?P<title>(?:[\w'-]+ ){{0,3}}?{_EVENT})(?: with (?P<whom><titled>|my <relation>))?"
    r"(?: at (?:the )?(?P<place><Word>(?: <Word>)*))?"
)


def appointments(clause: Clause) -> Iterator[Finding]:
    """Things with a day that somebody is to be at."""
    if clause.has(_OFF):
        if match := _CALLED_OFF.search(clause.masked):
            title = _titled(match["title"])
            key = _bare(match["whom"]) if match["whom"] else _main(title)
            title = f"{title} with {_told(match['whom'])}" if match["whom"] else title
            if match["place"]:
                key, title = f"{key} {match['place'].lower()}", f"{title} at {match['place']}"
            known = {"known": "yes"} if _ANY.fullmatch(title) else {}
            yield Finding("appointment", key, "me", "retract", {"title": title, **known}, clause.span)
        return
    dated = _day(clause)
    event = _event(clause) if dated and not clause.amounts else None
    who = _whose(clause, event[0]) if event else ""
    if dated and event and who and not clause.negated:
        title, key = event
        yield Finding("appointment", key, who, "assert", _slots(clause, dated, title), clause.span)


_OF_ONE = compiled(rf"\b(?:{_FORMAL}|surgery|dentist|vet|physio|physiotherapy|therapy)\b")
_POSSESSOR = compiled(
    r"(?:your |my )?(?:(?P<relation><relation>)(?: (?P<called><name>))?|(?P<name><name>))'s (?!(?:[\w-]+ )*[\w-]+'s )"
)


def _whose(clause: Clause, title: str) -> str:
    """Who is to be there: at somebody's exam or operation they are, at their wedding all; "" where that is not known."""
    if not _OF_ONE.search(title):
        return "me"
    if owner := _POSSESSOR.match(title):
        return owner["called"] or called(owner["name"] or owner["relation"].lower())
    match = _IS.search(clause.masked)
    theirs = match and compiled("(?:his|her|their) ").match(match[0])
    return "" if "'s " in title else clause.about if theirs else "me"


_TO = compiled(r"\b(?:to|until|till|for) (?:the )?$")


def _day(clause: Clause) -> Dated | None:
    """A day, or a few; of what was moved from one to another the other."""
    dates = list(clause.dates)
    if clause.has(_MOVED):
        dates = [
            replace(d, when=d.until, until=None) if d.until and _FROM.search(clause.masked, 0, d.start) else d for d in dates
        ]
        dates = [d for d in dates[1:] if _TO.search(clause.masked, 0, d.start)] or dates
    for dated in dates:
        if not re.search(r"^\.\./|/\.\.$|~$", dated.when):
            when = When(dated.when)
            if (when.last - when.first).days <= 8:
                return dated
    return None


def _slots(clause: Clause, dated: Dated, title: str) -> dict[str, str]:
    clock = clause.hours[0] if clause.hours else None
    slots = {"title": title, "start": f"{dated.when}T{clock.at}" if clock and dated.exact else dated.when}
    if dated.until:
        slots["end"] = dated.until
    if clock:
        slots |= {"starts": clock.at} | ({"ends": clock.until} if clock.until else {})
    doubts = [dated.doubt] if dated.doubt else []
    if clock and clock.unsure:
        other = "neither morning nor evening was said"
        doubts.append(f"whether {clock.at} is meant: {'midnight begins a day and ends it' if clock.at == '00:00' else other}")
    if doubts:
        slots["doubt"] = "; ".join(doubts)
    if people := company(clause):
        slots["others"] = " | ".join(people)
    if place := _PLACE.search(clause.masked):
        slots["place"] = place["place"]
    elif towns := _towns(clause):
        slots["place"] = towns[0]
    if clause.has(_MOVED):
        slots["moved"] = "yes"
    return slots


_IN = compiled(r"\bin (?=\S)")


def _towns(clause: Clause) -> list[str]:
    """The places that a clause names after "in"."""
    found = (places.at(clause.masked, match.end(), capitals=clause.capitals) for match in _IN.finditer(clause.masked))
    return [place.name for place in found if place]


_FROM = compiled(r"\bfrom (?:the )?$")
_PLACE = compiled(r"\bat (?:the )?(?P<place><Word>(?: (?:<Word>|\d+|of|de|la)(?![\w']))*)")


def _event(clause: Clause) -> tuple[str, str] | None:
    """A title that stands alone, and its key: with whom, or what."""
    text = clause.masked
    if match := _COMES.search(text):
        return f"visit of the {match['who'].lower()}", match["who"].lower()
    if match := _VISITS.match(text):
        return f"visit of {_told(match['who'])}", _bare(match["who"])
    if _MARRIES.search(text) and clause.about and clause.tense != "past":
        return (f"{_possessive(clause.about)} wedding", "wedding")
    if (match := _SEE.match(text, clause.body)) and clause.about in ("me", "") and clause.tense != "past":
        verb = "appointment with" if _DOCTOR.match(match["role"] or match["whom"]) else "meeting with"
        return f"{verb} {_told(match['whom'])}", _bare(match["role"] or match["whom"])
    match = _of_mine(clause) or _THERE.match(text) or _IS.search(text) or _BARE.match(text)
    if match is None:
        return None
    title = _titled(match["title"])
    past = clause.tense == "past" and not clause.has(_ARRANGED)
    if STOPS.intersection(title.lower().split()) or (past and not compiled(rf"(?:{_FORMAL})$").search(title)):
        return None  # "made it in pottery class"; "had lunch with Sam"
    if whose := match.groupdict().get("whose"):
        title = f"{_told(whose)} {title}"
    return _with(text, title, match.end("title"))


def _of_mine(clause: Clause) -> re.Match[str] | None:
    if clause.about not in ("me", ""):
        return None
    return _TICKETS.match(clause.masked, clause.body) or _HAVE.match(clause.masked, clause.body)


def _possessive(who: str) -> str:
    return "your" if who == "me" else f"{who}'s" if who[0].isupper() else f"your {who}'s"


_ONE = r"(?:(?:my )?(?:<titled>|<relation>|[a-z]+ologist|dentist|doctor|team|boss)|the (?-i:[A-Z])\w+)"
_COMPANY = compiled(rf"[^.]*?\bwith (?P<whom>{_ONE}(?:(?:, (?:and )?| and | & ){_ONE})*)")
_VENUE = compiled(r"[^.]*?\bat (?P<place><Word>(?: (?:<Word>|\d+)(?![\w']))*)")


def _with(text: str, title: str, end: int) -> tuple[str, str]:
    """ "dinner" with whom, for what, or where."""
    if match := _COMPANY.match(text, end):
        return f"{title} with {_told(match['whom'])}", _bare(match["whom"])
    if (match := compiled(" for ").match(text, end)) and (what := noun_phrase(text, match.end())) and not what.vague:
        return f"{title} for {_told(text[match.end() : what.end])}", _main(title)
    if match := _VENUE.match(text, end):
        return f"{title} at {match['place']}", _main(title)
    return title, _main(title)


def _told(words: str) -> str:
    """ "my boss" is "your boss" in a message."""
    return compiled(r"(?:^|(?<=[,&d]\s))(?:my|our) ").sub("your ", words)


_BEFORE_NAME = compiled(r"(?:my |our |the |a )?(?:(?:dr|mr|mrs|ms|prof)\.? )?")
_WEAK = compiled(
    "(?:an?|the|my|our|another|his|her|some|this|that|next|first|great|nice|quick|big|important|upcoming|regular|annual|"
    "yearly|new|little) "
)


def _bare(whom: str) -> str:
    lower = whom.lower()
    match = _BEFORE_NAME.match(lower)
    return lower[match.end() :] if match else lower


def _titled(words: str) -> str:
    """A title without its articles, and without the capital of a sentence's first word."""
    while match := _WEAK.match(words):
        words = words[match.end() :]
    first, *others = words.split()
    return " ".join([first.lower() if compiled(_EVENT).fullmatch(first) else first, *others])


def _main(title: str) -> str:
    """What tells an appointment from others: "dentist" of "dentist appointment"."""
    lower = title.lower()
    return re.sub(r"\s+(?:appointment|appt|reservation|booking|meeting|session)$", "", lower) or lower


# --- deadlines ---

_THING = r"[\w' -]{2,50}?"
_DUE = compiled(
    rf"(?:^\W*|\b(?:my|our|the|this) )(?P<title>{_THING}) (?:is|are) due (?:back )?(?:(?:on|in|at|<hour>) )*(?P<date><date>)"
)
_DEADLINE = compiled(rf"\bdeadline (?:for|to|of) (?:(?:the|my|our) )?(?P<title>{_THING}) is (?:on )?(?P<date><date>)")
_ITS_DEADLINE = compiled(rf"\b(?:the|my|our) (?P<title>{_THING}) deadline is (?:on )?(?P<date><date>)")
_MUST = compiled(
    r"(?:have to|has to|need to|needs to|must|got to|gotta) (?P<title>(?:submit|file|pay|renew|return|send|finish|hand in|"
    r"turn in|complete|register|apply|sign|book|cancel|respond|reply|deliver|mail|enroll|confirm|upload|"
    r"fill)\b[\w' -]{0,50}?) (?:before |on )?(?P<date><date>)"
)
_CLOSES = compiled(
    r"\b(?P<title>(?:applications?|registration|enrollment|early bird|sign-?ups?|submissions?)(?: (?:for|to) "
    r"[\w' -]{2,40}?)?) (?:closes?|ends?) (?:on )?(?P<date><date>)"
)
_CHILD = compiled(r"(?:<relation>|baby|wife|first|second)$")


def _thing(clause: Clause, match: re.Match[str]) -> str:
    """What is due: without its article, and without the capital of a sentence's first word."""
    title = _ARTICLE.sub("", match["title"].strip(), 1)
    first = match.start("title") <= clause.head and clause.start == clause.sentence
    return title[0].lower() + title[1:] if first and not title.isupper() else title


_ARTICLE = compiled("^(?:the|my|our|this) ")
_BEFORE = compiled(r"\bbefore $")


def deadlines(clause: Clause) -> Iterator[Finding]:
    """Days by which something has to be done."""
    for pattern in (_DUE, _DEADLINE, _ITS_DEADLINE, _MUST, _CLOSES):
        match = pattern.search(clause.masked)
        dated = clause.date_at(match.start("date")) if match else None
        if match is None or dated is None:
            continue
        title, who = _thing(clause, match), "me"
        if pattern is _MUST:  # "I have to do it by Friday"; on Friday it would be a plan
            who = clause.about or ("" if clause.subject else "me")
            last = dated.when.startswith("..") or _BEFORE.search(clause.masked[: match.start("date")])
            who = who if last else ""
        if "'s " in title:
            who = ""  # somebody else's
        if who and not clause.negated and not _CHILD.match(title) and title.split()[-1] not in VAGUE:
            slots = {"start": dated.when, "title": title} | ({"doubt": dated.doubt} if dated.doubt else {})
            yield Finding("deadline", title.lower(), who, "assert", slots, clause.span)
        return
