"""Who works where, and as what."""

from __future__ import annotations

from collections.abc import Iterator

from uac_nb.reader.clauses import Clause
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import compiled, lexicon
from uac_nb.reader.phrases import Phrase, noun_phrase

_EMPLOYER = r"(?:the )?(?P<employer><Word>(?: (?:<Word>|&|of(?= (?-i:[A-Z]))))*)"
_PLACE = compiled(rf" (?:over )?(?:at|for|with) {_EMPLOYER}")
_WORKS = compiled(rf"(?:work|works|working|worked) (?:(?:now|full[- ]time|part[- ]time) )?(?:at|for) {_EMPLOYER}")
_WORKS_AS = compiled(r"(?:work|works|working|worked) (?:(?:now|full[- ]time|part[- ]time) )?as (?=an?\b|the\b)")
_STARTS = compiled(
    r"(?:start|starts|started|starting|begin|begins|began) (?:<date> )?(?:(?:(?:work|working)|(?:an? |my |the |his |her )?"
    rf"(?:new )?(?:job|position)) (?:at|with)|at) {_EMPLOYER}"
)
_IS = compiled(r"(?=an? )")
_BE = compiled(r"\b(?:am|is|are)\b|'(?:m|s|re)\b")
_AS = compiled("(?: (?:(?:on|in|since) )?<date>)? as (?=an? |the )")
_OCCUPATIONS = lexicon(
    "accountant actor actress analyst architect artist astronomer author baker banker barber barista bartender biologist "
    "bookkeeper builder butcher carpenter cashier chef chemist cleaner coach composer consultant cook dancer dentist designer "
    "developer dietitian director diver doctor driver economist editor electrician engineer entrepreneur farmer firefighter "
    "fisherman florist gardener geologist guard hairdresser historian illustrator instructor interpreter janitor jeweller "
    "journalist judge lawyer lecturer librarian locksmith magician manager mathematician mechanic midwife model musician nurse "
    "optician painter paramedic pastor pharmacist photographer physicist physiotherapist pilot plumber policeman policewoman "
    "politician postman priest producer professor programmer psychiatrist psychologist psychotherapist radiologist realtor "
    "receptionist researcher sailor salesman saleswoman scientist sculptor secretary singer soldier statistician surgeon "
    "surveyor tailor teacher technician therapist trainer translator tutor veterinarian vet waiter waitress welder writer"
)
_PRAISE = lexicon(
    "keen good great bad terrible awful amazing fantastic wonderful big born natural passionate hobby amateur better best real"
)
_ENDS = compiled(r" *(?:$|[.,;!?)]|(?:at|in|for|with|from|and|but|who|by|now|there|since)\b|<date>)")


def jobs(clause: Clause) -> Iterator[Finding]:
    """Work that somebody has, begins or no longer has."""
    text, body, who = clause.masked, clause.body, clause.about
    if not who or clause.has("used to"):
        return
    works, starts = _WORKS.match(text, body), _STARTS.match(text, body)
    employer = works or starts
    role: Phrase | None = None
    if employer:
        role = _role(text, employer.end("employer"))
    elif (link := _WORKS_AS.match(text, body)) or _is(clause):
        role = noun_phrase(text, link.end() if link else body)
        if role is None or role.vague or not (link or _occupation(role)) or not _ENDS.match(text, role.end):
            return
        employer = _PLACE.match(text, role.end)
    slots = {"employer": employer["employer"]} if employer else {}
    slots |= {"role": role.text} if role else {}
    if not slots or (clause.tense == "past" and not starts):
        return  # what somebody was once: until when, was not said
    dated = clause.date()
    if dated and (starts or clause.has("since")):
        slots["start"] = dated.when
    key = (slots.get("employer") or slots["role"]).lower()
    yield Finding("job", key, who, "retract" if clause.negated else "assert", slots, clause.span)


def _occupation(role: Phrase) -> bool:
    """Whether it is one, and no praise ("a great cook")."""
    words = role.key.split()
    return words[-1] in _OCCUPATIONS and not _PRAISE.intersection(words)


def _is(clause: Clause) -> bool:
    """ "is a nurse"."""
    text, body = clause.masked, clause.body
    return bool(_IS.match(text, body) and _BE.search(text, clause.head, body) and not clause.negated)


def _role(text: str, end: int) -> Phrase | None:
    """ "at Siemens as an engineer"."""
    link = _AS.match(text, end)
    return noun_phrase(text, link.end()) if link else None
