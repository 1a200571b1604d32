"""Allergies and medicines. A drug needs a dose or a known name: never a guess by the look of a word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from uac_nb.reader.clauses import Clause
from uac_nb.reader.finding import Finding, Polarity
from uac_nb.reader.language import called, compiled, lexicon
from uac_nb.reader.moods import denied
from uac_nb.reader.phrases import Phrase, noun_phrase, phrases
from uac_nb.starter.drugs import KNOWN

# --- allergies ---

_TO = compiled(
    r"\b(?:allergic|anaphylactic|hypersensitive|intolerant) (?:reactions? )?to |\ballerg(?:y|ies) to |\breact(?:s|ed)? "
    r"(?:very )?badly to "
)
# "Tom is allergic to nuts and Lisa to milk."
_OTHER = r"(?:(?:my|our) (?P<relation><relation>)|(?P<name><name>)|I),? to "
_GAPPED, _ELLIPTIC = compiled(rf",? (?:and|but|while) {_OTHER}"), compiled(rf"\W*(?:and )?{_OTHER}")
_NOUN = compiled(
    r"\b(?P<whose>an?|my|his|her|their|the|\w+'s) (?:\w+ly )?(?:(?:severe|serious|bad|mild|slight|life-threatening|deadly|"
    r"strong) )?(?P<what>(?!(?:food|skin|seasonal|new|bad|drug|allergic|old|severe|serious|"
    r"mild)\b)[a-z][\w-]*(?:[ -](?!and\b|or\b)[a-z][\w-]*)?)[ -](?:allergy|allergies|intolerance)\b(?! to\b)"
)
_GIVES = compiled(
    r"\bg[ia]ves? (?:me|us) (?P<gives>(?:\w+ )?hives|(?:an? )?(?:\w+ )?rash(?:es)?|anaphyla\w+|swelling|eczema)|"
    r"\bmakes? (?:me|my (?:throat|face|lips|tongue|mouth|skin|eyes)) (?:break out(?: in (?P<makes>hives|a rash))?|swell|"
    r"itch|wheeze)|\bcauses? (?:me )?(?P<causes>hives|an? (?:allergic )?(?:reaction|rash))"
)
_AFTER = compiled(
    r"\b(?:break|breaks|broke|come|comes) out in (?P<out>hives|a rash) (?:from|when(?:ever)? i (?:eat|have|touch)) |"
    r"\bgets? (?P<gets>hives|a rash) from |\bgo(?:es)? into (?P<shock>anaphyla\w+(?: shock)?) (?:from|with) "
)
_INTOLERANT = compiled(r"\b(?P<what>lactose|gluten|histamine|fructose)[ -]intolerant\b|\bco?eliac\b(?! disease (?:is|was))")
# "I can't eat cashews, I'm allergic."
_BECAUSE = compiled(
    r"\b(?:can't|cannot|can not|don't|never|won't) (?:eat|have|drink|touch|use|take) "
    r"(?P<what>[a-z][^,;.:—–]{1,40}?)(?:[,;:]| -+| because| since| as)+ *(?:I'm|I am|im) (?:\w+ly |very |"
    r"really )?allergic\b(?! to)"
)
_THIRD = compiled(r"\b(?:is|isn't|has|hasn't|seems)(?: \w+)? $")  # said of a third person, though "I" stands before it
_BEING = "am|is|are|being|be|has|have"
_SEVERE = "sever\\w+|deathly|deadly|anaphyla\\w+|life[- ]threatening|serious(?:ly)?|terribl[ey]|extremely|badly|violently"
_MILD = "mild(?:ly)?|slight(?:ly)?|a bit|a little"
_ENDED = "used to be|used to have|outgr[eo]w\\w*|no longer|anymore|any more|cured|got over|grew out"
_ONCE = compiled(r"\b(?:was|were) (?:\w+ly )?$")  # "I was allergic to milk as a child"
_JOKES = lexicon("mornings monday mondays bullshit drama nonsense commitment boredom housework exercise idiots stupidity")


def allergies(clause: Clause) -> Iterator[Finding]:
    """What someone must not have."""
    text = clause.masked
    for match in _TO.finditer(text):
        who = clause.who_at(match.start())
        if who == "me" and _THIRD.search(text[: match.start()]):
            who = ""  # "the friend I live with is allergic"
        if not who and not clause.subject and compiled(r"\W*(?:\w+ly |also )?allergic\b").match(text):
            who = "me"  # "Allergic to aspirin."
        yield from _allergens(clause, who, phrases(text, match.end(), before="to"), match.start())
        for other in _GAPPED.finditer(text, match.end()):
            yield from _allergens(clause, _gapped(other), phrases(text, other.end(), before="to"), match.start())
    if (gap := _ELLIPTIC.match(text)) and _TO.search(clause.before) and not denied(clause.before, len(clause.before)):
        yield from _allergens(clause, _gapped(gap), phrases(text, gap.end(), before="to"), 0)
    if clause.has("allergic") and clause.about == "me" and (because := _BECAUSE.search(clause.whole)):
        yield from _allergens(clause, "me", phrases(clause.whole, because.start("what")), clause.head)
    for match in _NOUN.finditer(text):
        what = Phrase(match["what"].replace("-", " "), match.start("what"), match.end("what"))
        yield from _allergens(clause, _owner(clause, match), [what], match.start())
    if (gives := _GIVES.search(text)) and not clause.subject:
        thing = noun_phrase(text, clause.head, 3)
        listed = phrases(text, thing.start) if thing and thing.end <= gives.start() else []
        yield from _allergens(clause, "me", listed, gives.start(), _first(gives, "gives", "makes", "causes"))
    if after := _AFTER.search(text):
        who = clause.who_at(after.start())
        yield from _allergens(clause, who, phrases(text, after.end()), after.start(), _first(after, "out", "gets", "shock"))
    for match in _INTOLERANT.finditer(text):
        if clause.has(_BEING, 0, match.start()) or re.search(r"'(?:m|s|re)\b", text[: match.start()]):
            what = Phrase((match["what"] or "gluten").lower(), match.start(), match.end())
            yield from _allergens(clause, clause.who_at(match.start()), [what], match.start())


def _gapped(match: re.Match[str]) -> str:
    return match["relation"].lower() if match["relation"] else called(match["name"] or "me")


def _first(match: re.Match[str], *names: str) -> str:
    return next((re.sub(r"^an? ", "", match[name].lower()) for name in names if match[name]), "")


def _owner(clause: Clause, match: re.Match[str]) -> str:
    """Whose allergy "a nut allergy", "my nut allergy", "her nut allergy" or "Tom's nut allergy" is."""
    whose = match["whose"].lower()
    if whose == "my":
        return "me"
    if whose in ("his", "her", "their"):
        return clause.about if clause.subject != "me" else ""
    if compiled("'s $").search(clause.masked, 0, match.start()):
        return ""  # "my sister's husband's"
    if whose.endswith("'s"):
        mine = compiled(r"\b(?:my|our) $").search(clause.masked, 0, match.start())
        return whose[:-2] if mine else called(match["whose"][:-2])
    having = compiled(r"\b(?:have|has|had|got|with|developed?) (?:also )?$").search(clause.masked[: match.start()])
    return clause.who_at(match.start()) if having else ""


def _allergens(clause: Clause, who: str, what: list[Phrase], at: int, reaction: str = "") -> Iterator[Finding]:
    if not who:
        return
    ended = clause.has(_ENDED) or _ONCE.search(clause.masked[:at])
    polarity: Polarity = "retract" if ended or clause.denied(at) else "assert"
    level = "severe" if clause.has(_SEVERE) else "mild" if clause.has(_MILD) else ""
    slots = {name: value for name, value in (("reaction", reaction), ("severity", level)) if value}
    for phrase in what:
        if not phrase.vague and not _JOKES.intersection(phrase.key.split()):
            yield Finding("allergy", phrase.key, who, polarity, slots, clause.span)


# --- medicines ---

_DOSE = compiled(r"\b(?P<amount>\d+(?:[.,]\d+)?)\s?(?P<unit>mg|mcg|µg|ug|iu|g|ml|units?)\b(?: of)?")
_SURE_UNITS = frozenset({"mg", "mcg", "µg", "ug", "iu", "unit", "units"})
OFTEN = compiled(
    r"\b(?:(?:once|twice|(?:two|three|four|\d+) times|\d+x) (?:a|per|each|every) (?:day|week|month)|(?:twice |once )?daily|"
    r"weekly|(?:every|each) (?:other )?(?:morning|evening|night|day|week|\d+ hours|(?:four|six|eight|twelve) hours)|"
    r"(?:at|before) bed(?:time)?|at (?:night|noon|lunch(?:time)?)|in the (?:mornings?|evenings?)|"
    r"sometimes|occasionally|now and then|(?:a|per) day|"
    r"(?:when|as|if) (?:needed|required|necessary)|(?:with|before|after) (?:food|meals|breakfast|lunch|dinner))\b"
)
_TAKES = (
    "take|takes|taking|taken|inject|injects|injecting|on|started|starting|began|prescribed|need|needs|"
    "switched (?:(?:me|him|her) )?(?:over )?to|(?:ran|running|run) (?:out of|low on)|put (?:me|him|her|us) on|upped|"
    "increased|raised|lowered|reduced|changed|gave (?:me|him|her)"
)
_STOPS = (
    "stopped|quit|(?:came|come|went|gone|got|weaned) off|off|no longer|no more|not|never|discontinued|finished|done with|"
    "took (?:me|him|her) off|used to|don't|doesn't|didn't|isn't|aren't|haven't|switched(?: \\w+)? from"
)
_ENDED_BEFORE = (
    "stopped|quit|(?:came|come|went|gone|got|weaned) off|no longer|no more|discontinued|finished|done with|"
    "took (?:me|him|her) off|used to|any ?more|switched(?: \\w+)? from"
)
_PRESCRIBED = compiled(r"\b(?:prescribed|prescription for)\b")
_TAKES_IT = compiled(r"\b(?:takes|is (?:on|taking))(?: \w+)? $")  # as _THIRD
_IS_PRESCRIBED = compiled(r"(?:\b(?:is|are|was|were|been|got|gets|being|has|had|have)|'s) (?:\w+ )?prescri|\bprescription for")
_SUPPLEMENTS = lexicon("magnesium iron zinc calcium melatonin probiotics folate creatine")
_VITAMIN = compiled(r"vitamin [a-k]\d{0,2}|omega 3|fish oil|folic acid|cod liver")
_USES = "use|uses|using"  # "I use insulin as an example": of a regimen only where it says how much or how often
_GIVEN = compiled(r"\b(?:prescribed|put|gave|switched|started|has|had|took|taken) (?P<who>me|him|her|us)\b")
_FRAGMENT = compiled(r"\W*(?:taking|started|stopped|back on|on|off|no longer|no more|just started)\b")
_CHANGED = (
    "no more|last one|went on|gone on|since|start\\w*|began|prescribed|put|switched|stopped|quit|off|finished|increased|upped|"
    "reduced"
)
_OTHERWISE = "allerg\\w*|reactions?|intoleran\\w+|bought|cost|overdose"


def medicines(clause: Clause) -> Iterator[Finding]:
    """What is taken, since when, how much of it; or no longer."""
    if clause.has(_OTHERWISE):
        return
    drugs = list(_drugs(clause))
    for drug, dose in drugs:
        instead = bool(compiled(r"\bswitched (?:.* )?to $").search(clause.masked[: drug.start]))
        stopped = not instead and (clause.has(_STOPS, 0, drug.start) or clause.has("anymore|any more"))
        often = _often(clause, drug, [other for other, _ in drugs])
        regular = bool(dose or OFTEN.search(clause.text))
        if not (stopped or instead or clause.has(_TAKES, 0, drug.start) or (regular and clause.has(_USES, 0, drug.start))):
            continue
        if who := _patient(clause, drug):
            slots = {} if stopped else ({"dose": dose} if dose else {}) | ({"often": often} if often else {})
            dated = clause.date()
            if dated and not dated.when.startswith("..") and clause.has(_CHANGED):
                slots["end" if stopped else "start"] = dated.when
            if stopped and clause.has(_ENDED_BEFORE):
                slots["ended"] = "yes"
            if _PRESCRIBED.search(clause.masked, 0, drug.start) and not stopped:
                slots["status"] = "prescribed"
                slots.pop("start", None)  # the day on which it was prescribed
            yield Finding("medication", drug.key, who, "retract" if stopped else "assert", slots, clause.span)


_AND = compiled(r",? (?:and|plus|then)\b|[;&]")


def _often(clause: Clause, drug: Phrase, drugs: list[Phrase]) -> str:
    """How often a medicine is taken: as said in its own part of the clause, or ahead of all of them."""
    text = clause.masked
    low, high = 0, len(text)
    for one, other in pairwise(drugs):
        joint = _AND.search(text, one.end, other.start)
        cut = joint.start() if joint else max(text.rfind(",", one.end, other.start), one.end)
        low, high = (max(low, cut), high) if other.start <= drug.start else (low, min(high, cut))
    own = OFTEN.search(text, low, high) or OFTEN.search(text, 0, drugs[0].start)
    if own is None and not _DOSE.search(text, drugs[0].start):
        own = OFTEN.search(text, drugs[-1].end)  # "metformin and ramipril twice a day"
    return own[0].lower() if own else ""


def _patient(clause: Clause, drug: Phrase) -> str:
    """Who takes it: whom it was given to, whose it is, or the subject."""
    before = clause.masked[: drug.start]
    if given := _GIVEN.search(before):
        return "me" if given["who"].lower() in ("me", "us") else clause.about if clause.subject != "me" else ""
    if _PRESCRIBED.search(before) and clause.subject != "me" and not _IS_PRESCRIBED.search(before):
        return ""  # who prescribes does not take
    if whose := compiled(r"\b(?:my|our) (?P<relation><relation>)'s (?:\w+ )?$").search(before):
        return whose["relation"].lower()
    if compiled(r"\bmy (?:\w+ )?$").search(before):
        return "me"  # "The doctor upped my lisinopril."
    if not clause.subject and _FRAGMENT.match(clause.masked):
        return "me"  # "Started metformin 500 mg today."
    who = clause.who_at(drug.start)
    return "" if who == "me" and _TAKES_IT.search(before) else who


def _drugs(clause: Clause) -> Iterator[tuple[Phrase, str]]:
    """Each medicine a clause names, with its dose ("500 mg"), or "" where none is said."""
    doses = list(_DOSE.finditer(clause.masked))
    known = [word for word in _words(clause.masked) if word.key in KNOWN or _supplement(word.key)]
    yield from ((word, _dose_of(doses, word, clause.masked, len(known) == 1)) for word in known)
    if known:
        return
    for dose in doses:
        named = _beside(clause.masked, dose) if dose["unit"].lower() in _SURE_UNITS else None
        if named:
            yield named, _measure(dose)
            return


def _supplement(name: str) -> bool:
    return name in _SUPPLEMENTS or bool(_VITAMIN.fullmatch(name))


def _words(text: str) -> Iterator[Phrase]:
    """Each word, and before it the pair that begins with it."""
    for match in re.finditer(r"\b(?P<one>[A-Za-z][A-Za-z-]{2,})(?=(?P<two> [A-Za-z0-9]+)?)", text):
        if match["two"]:
            yield Phrase(match["one"] + match["two"], match.start(), match.end() + len(match["two"]))
        yield Phrase(match["one"], match.start(), match.end())


_NO_DRUG = lexicon("take taking started prescribed with about only from than dose every daily taken need")


def _beside(text: str, dose: re.Match[str]) -> Phrase | None:
    """The name of a medicine by its dose: "5 mg of zoldanide", "zoldanide 5 mg"."""
    after = noun_phrase(text, dose.end() + 1, 2) if dose.end() < len(text) and text[dose.end()] == " " else None
    if after and not after.vague and after.key.split()[0] not in _NO_DRUG:
        return after
    match = re.search(r"\b([A-Za-z][\w-]{3,}(?: [A-D]\d?)?)[,(]?\s*$", text[: dose.start()])
    if not match or match[1].lower() in _NO_DRUG:
        return None
    return Phrase(match[1], match.start(1), match.end(1))


_GAP = compiled(r"[ ,(:]{0,3}")


def _dose_of(doses: list[re.Match[str]], word: Phrase, text: str, alone: bool) -> str:
    """The dose that stands by a medicine; of the only one in a clause, also one that stands near. Never another one's."""
    after = [d for d in doses if _GAP.fullmatch(text, word.end, d.start())]
    beside = after or [d for d in doses if text[d.end() : word.start].strip() == "" and d.end() <= word.start]
    if not beside and alone and len(doses) == 1:
        beside = [d for d in doses if abs(d.start() - word.end) < 20 or abs(word.start - d.end()) < 20]
    return _measure(beside[0]) if len(beside) == 1 else ""


def _measure(dose: re.Match[str]) -> str:
    return f"{dose['amount']} {dose['unit'].lower()}"
