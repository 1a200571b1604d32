"""Birthdays, and how to reach people."""

from __future__ import annotations

import re
from collections.abc import Iterator

from uac_nb.reader.clauses import Clause
from uac_nb.reader.dates import Dated
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import called, compiled
from uac_nb.rules import When

# --- birthdays ---

_WHOSE = "(?:(?:my|our) (?P<relation><relation>)(?: (?P<called><name>))?|(?P<name><titled>))"
_NTH = r"(?:\d+(?:st|nd|rd|th) )?"
_BIRTHDAY = compiled(
    rf"(?:\b{_WHOSE}'s?|\b(?P<mine>my)) {_NTH}(?:birthday|bday|b-day|birth date|date of birth|dob)(?:'s| is| was| falls|"
    r" will be| ?[=:,]) ?(?:(?:coming up|always|actually|really) )?(?:on )?(?P<date><date>)"
)
_TODAY = compiled(rf"(?:it's|<date> is) (?:{_WHOSE}'s?|(?P<mine>my)) {_NTH}birthday\b")
_BORN = compiled(rf"(?:\b{_WHOSE}|\b(?P<mine>I)) (?:was|were) born (?:(?:on|in) )?(?P<date><date>)")
_TURNS = compiled(
    rf"(?:\b{_WHOSE}|\b(?P<mine>I)) ?(?:turns|turned|turn|'?(?:m|s| is| am) turning|will turn|will be) (?P<age>\d{{1,3}}) "
    r"(?:on )?(?P<date><date>)"
)
_ELLIPTIC = compiled(
    rf"\W*(?:and )?(?:{_WHOSE}'s?|(?P<mine>mine)) (?:(?:is )?(?:on )?)(?P<date><date>)\W*$"
)  # "…, and Tom's on 3 May"
_MANY = compiled("kids|children|parents")
_OF_IT = compiled(r"\b(?:for|of|on|before|after|about|until|to) $")  # "the party for my birthday is on Saturday"


def birthdays(clause: Clause) -> Iterator[Finding]:
    """Days of birth, the year only where it is said or follows from an age."""
    elliptic = (_ELLIPTIC,) if compiled(r"\b(?:birthday|bday)\b").search(clause.before) else ()
    for pattern in (_BIRTHDAY, _BORN, _TURNS, _TODAY, *elliptic):
        match = pattern.search(clause.masked)
        if not match or _OF_IT.search(clause.masked[: match.start()]):
            continue
        dated = clause.date() if pattern is _TODAY else clause.date_at(match.start("date"))
        day = _birth(clause, dated, match) if dated else ""
        if dated and day and not _MANY.fullmatch(match["relation"] or ""):
            key = "me" if match["mine"] else (match["called"] or match["name"] or match["relation"]).lower()
            slots = {"start": day, "name": _name(match)} | ({"doubt": dated.doubt} if dated.doubt else {})
            yield Finding("birthday", key, "me", "assert", slots, clause.span)
        return


def _name(match: re.Match[str]) -> str:
    """As a record names them: "Priya", "my mom", "me"."""
    if match["mine"]:
        return "me"
    name = match["called"] or called(match["name"] or "") or match["relation"].lower()
    return f"my {name}" if name.islower() else name


def _birth(clause: Clause, dated: Dated, match: re.Match[str]) -> str:
    """The day of birth: with its year where that is said or follows; "" where the day is not exact enough."""
    when = dated.when.removesuffix("~")
    year_said = bool(re.search(r"(?:19|20)\d\d", clause.text[dated.start : dated.end]))
    exact = When(when).exact
    if match.re is _BORN and (year_said or not exact or not dated.yearless):
        return when
    if not exact:
        return ""
    if match.re is _TURNS:
        return f"{When(when).date.year - int(match['age'])}{when[4:]}"
    return when if year_said else f"--{when[5:]}"


# --- contacts ---

_VALUE = r"(?:(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?P<phone>\+?\(?\d[\d ().-]{5,}\d))(?![\d%])"
_OWNER = (
    "(?:(?:my|our) (?P<relation><relation>)(?: (?P<called><name>))?|(?P<name><titled>(?: from (?:(?:the|my) )?(?-i:[a-z]+))?)|"
    "(?<!from\\s)(?:the |my |our )(?P<role>[a-z]+(?: [a-z]+)?))"
)
_WHAT = (
    r"(?:(?:new|work|home|cell|mobile|personal|office|direct) )*(?:phone(?: number)?|number|cell(?:phone)?(?: number)?|"
    r"mobile(?: number)?|telephone(?: number)?|e-?mail(?: address)?|contact)"
)
_POSSESSED = compiled(
    rf"(?:\b{_OWNER}'s?|\b(?P<mine>my)) {_WHAT} ?(?:is|:|=|changed to|has changed to) ?(?:(?:now|at) )?{_VALUE}"
)
_CHANGED = compiled(rf"\bchanged (?P<mine>my) {_WHAT} to {_VALUE}")
_WRONG = compiled(rf"{_OWNER}'s? {_WHAT} (?:is |was )?wrong[:;]? (?:it's|it is) {_VALUE}")
_REACH = compiled(
    rf"\b(?:reach|call(?:ed)?|e-?mail(?:ed)?|text|contact|phone|ring|write to|message) (?:(?P<mine>me)|{_OWNER}) "
    rf"(?:\w+ )?(?:at|on|under|via):? {_VALUE}"
)
_LISTED = compiled(rf"\W*(?:[\w ]{{1,30}}: )?{_OWNER}(?:, (?:my|our|the) [\w ]+)?[:,] (?:{_WHAT}:? )?{_VALUE}")
_IS_AT = compiled(rf"{_OWNER} is at {_VALUE}")
_TITLE = compiled(r"(?:dr|mr|mrs|ms|prof)\.? ")


def contacts(clause: Clause) -> Iterator[Finding]:
    """Phone numbers and addresses, of whom they are."""
    text = clause.text
    match = (
        _POSSESSED.search(text)
        or _CHANGED.search(text)
        or _REACH.search(text)
        or _LISTED.match(text)
        or _IS_AT.search(text)
        or _WRONG.search(text)
    )
    if (
        match is None
        or clause.denied(match.start("email" if match["email"] else "phone"))
        or (match["phone"] and clause.date_at(match.start("phone")))
    ):
        return
    value = match["email"] or re.sub(r"[ ().-]", "", match["phone"])
    if match["phone"] and not 6 <= len(value.lstrip("+")) <= 15:
        return
    mine = match.groupdict().get("mine")
    name = "me" if mine else match["called"] or match["name"] or match["relation"] or match["role"]
    slots = {"value": value, "name": name, "kind": "email" if match["email"] else "phone"}
    yield Finding("contact", _TITLE.sub("", name.lower(), 1), "me", "assert", slots, clause.span)
