"""Scan a question: at each word the longest thing that stands there, and all that it can mean in one collection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from uac_nb.ask.query import PARTS
from uac_nb.ask.table import Field, Table, World
from uac_nb.ask.words import (
    ADJECTIVES,
    AUXILIARY,
    COUNTRIES,
    FUNCTION,
    IRREGULAR,
    LIGHT,
    LONG,
    NUMBERS,
    PARTICIPLES,
    STATE_VERBS,
    UNITS,
    WEEKDAYS,
    Word,
    stem,
    words,
)  # fmt: skip
from uac_nb.english import periods
from uac_nb.english.numbers import number
from uac_nb.english.text import lexicon
from uac_nb.rules import CONTINENTS, When

_NUM = rf"(?:\d[\d.]*|{'|'.join(w for w in NUMBERS)}|twenty|thirty|forty|fifty|sixty|ninety|a hundred|a dozen)"
N = rf"(?:(?P<sign>usd|eur|gbp) )?(?P<n>{_NUM}|an?(?= (?:minute|hour|day|week|month|year|km|mile)))"
COMPARE = [
    (r"at least|no less than|no fewer than|not less than|a minimum of|minimum", ">=", ""),
    (r"at most|no more than|not more than|up to|a maximum of|maximum", "<=", ""),
    (r"over|above|exceed(?:ing|ed|s)?|more than|greater than|upwards of", ">", ""), ((r"under|below|less than|"
    r"fewer than"), "<", ""),
    (r"exactly|equal to", "==", ""),
    *((f"(?:{form}) than", op, by if by != "count" else "") for more, _, less, _, by in ADJECTIVES
      for form, op in ((more, ">"), (less, "<"))),
]  # fmt: skip
BEHIND = {**dict.fromkeys(("more", "longer", "higher", "above", "over", "better", "greater"), ">="),
          **dict.fromkeys(("less", "fewer", "shorter", "lower", "under", "worse"), "<=")}  # fmt: skip
LY = {"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year", "annually": "year"}
_UNIT = r"(?: (?P<unit>[a-z]+))?"
_CLOCKS = {
    "at or after": ">=",
    "at or before": "<=",
    "before": "<",
    "earlier than": "<",
    "after": ">",
    "later than": ">",
    "at": "==",
}
_DAY_NAMES = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
PATTERNS = [(re.compile(rf"(?:{pattern})(?= |$)"), kind, data) for pattern, kind, data in (
    *((rf"(?:{p}) {N}(?= |$){_UNIT}", "number", (op, by)) for p, op, by in COMPARE),
    (rf"{N}{_UNIT} or (?P<behind>{'|'.join(BEHIND)})", "number", ("==", "")),
    (rf"between {N} and (?:(?:usd|eur|gbp) )?(?P<high>\d[\d.]*){_UNIT}", "number", (">=", "")),
    ((rf"{N} (?P<unit>{'|'.join(sorted((*UNITS, *(f'{u}s' for u in UNITS)), key=len, reverse=True))}|percent|"
    rf"stars?)"), "number", ("==", "")),
    (r"(?:(?P<sign>usd|eur|gbp) )?(?P<n>\d[\d.]*)(?P<unit>)", "number", ("==", "")),
    (r"between (?P<a>\d\d?:\d\d) and (?P<b>\d\d?:\d\d)", "clock", ">="),
    *((rf"{word} (?P<a>\d\d?:\d\d)(?: or (?P<or>later|earlier))?", "clock", op) for word, op in _CLOCKS.items()),
    *(((rf"(?:the )?(?:top )?(?:(?P<k>{_NUM}) )?(?:{p})(?: times?)?(?: (?P<j>{_NUM})(?! (?:day|week|month|"
    rf"year)s?\b))?(?! percent)"),
       "super", (way, by)) for _, most, _, least, by in ADJECTIVES for p, way in ((most, "max"), (least, "min"))),
    (rf"(?:the |my )?top (?P<k>{_NUM})(?P<j>)", "super", ("max", "count")),
    (r"(?:the )?(?:very )?next(?P<k>)(?P<j>)|(?:the )?soonest", "super", ("min", "next")),
    (r"how many times|how often|how many|(?:the )?(?:total )?number of|count(?: of)?", "ask", "count"),
    (r"(?:how many|(?:the )?number of) (?:different|distinct|unique)", "ask", "distinct"),
    (r"how much(?: money)?|how many (?:usd|eur|gbp|dollars|euros|pounds)", "ask", "much"), (r"how much time", "ask", "time"),
    (r"how (?:long|deep|tall|fast|expensive|far|heavy|high|big|cold|warm|hot)", "ask", "long"),
    (r"(?:the |my )?median", "ask", "median"),
    (r"(?:in |the |my )?totals?(?: of)?|altogether|overall|(?:the )?sum of|combined|(?:all )?together", "ask", "sum"),
    (r"of everything", "ask", "all"),
    (r"on average|(?:the |my )?average|(?:the |my )?mean|(?:the |my )?typical", "ask", "average"),
    (r"(?:what |which |the )*(?:percentage|percent|share|proportion|fraction)(?: of)?(?= )", "ask", "share"),
    (r"increas(?:e|ed|ing)|go(?:ne)? up|went up|rise|risen", "trend", ">"),
    (r"decreas(?:e|ed|ing)|go down|gone down|went down|shrink", "trend", "<"),
    (r"stay(?:ed)? the same|remain(?:ed)? the same|change", "trend", "=="),
    ((r"(?:by|per|for each|in each|for every|each|every|broken down by|grouped by|"
    r"split by) (?:the )?(?:calendar )?(?P<w>\w+)"), "group", None),
    (r"not|never|no|without|except(?: for)?|excluding|other than|neither|but not|apart from", "not", None),
    (r"and also|but|both|and", "and", None), (r"or|nor|either", "or", None),
    (r"than|versus|vs|compared (?:to|with)", "than", None),
    (r"more(?: often)?|fewer|less(?: often)?|longer|higher|lower", "more", None),
    (r"still|currently|now|right now|at the moment|these days|at present|any ?more|nowadays", "still", None),
    (r"already|so far|to date|until now|up to now|yet|ever", "sofar", None),
    ("|".join(LY), "ly", None), (r"list|show(?: me)?|name|which|what|tell me", "which", None),
    (r"since when", "since", None), ((r"when|(?:on )?(?:what|which) (?:day|date)(?: of)?(?= (?:is|was|did|do|"
    r"does|am|are|will))"), "when", None),
    (r"(?:at )?(?:what|which) (?:time|hour)(?: of (?:the )?day)?", "hour", None),
    (r"who(?: all)?|whom|with whom", "who", None), (r"where", "where", None),
    (rf"(?:on )?(?:the )?(?:weekends|weekdays)|on (?:a {_DAY_NAMES}|{_DAY_NAMES}s)", "days", None),
    (r"(?:year|quarter|month|week|weekday|day(?: of the week)?)s?", "part", None),
    (r"how (?!many|much|often)[a-z]+", "unknown", None), ((r"upcoming|coming up|ahead|"
    r"planned"), "ahead", None), (r"called|named", "called", None),
    ((r"(?:in|on) (?:the |my )?(?:books?|records?|files?|logs?|lists?)|(?:written|noted|put) down|"
    r"accounts? for|accounted for|makes? up|appears?(?: in)?|across|"
    r"result(?:ed|s)? in|noted|recorded|logged|"
    r"listed|included?s?|"
     r"involved?s?|contain(?:ed|s)?|of all|in all"), "filler", None),
    (r"with|by|from|about|as", "link", None), ("=", "=", None),
)]  # fmt: skip
REMARKS = re.compile(
    r"\((?:one|single|a) [^()]*\)|round(?:ed)? to \w+ decimals?(?: places?)?|\b(?:please|hey|hi|hello|thanks|thank you)\b[,!]?|"
    r"\b(?:can|could|would) you (?:please )?(?:tell|show|give)(?: me)?\b|\bi(?:'d| would) like to know\b|"
    r"\bdo you know (?=wh|how|if)|"
    r"(?<=\bwhat )single\b|(?<=\bwhich )single\b|(?<=\bthe )single\b(?= most)|\b(?:calendar year|recorded|"
    r"in my records|on record)\b(?= ?\d| ?\?|$)|^(?:so|and|ok(?:ay)?|well|remind me)[, ]+|"
    r"\bexactly\b(?= (?:when|where|what|how|who))",
    re.IGNORECASE,
)  # fmt: skip


IDIOMS: list[tuple[re.Pattern[str], Any]] = [(re.compile(rf"\b(?:{said})\b", re.IGNORECASE), meant) for said, meant in (
    (r"call(?:ed)? off", "cancelled"), ((r"(?:com(?:e|ing)|came|get(?:ting)?|got|be|being|fly(?:ing)?|"
    r"flew) (?:back|home)"), "back"), (r"for a living", "job"),
    ((r"(?:came|come|went|gone) (?:along )?with (?:me|us)|(?:came|come) along|joined (?:me|"
    r"us)"), "with"), (r"runs? out", "expire"),
    (r"how (?:can|do|could) (?:i|we) (?:reach|contact|get hold of) ([^?]+)", r"what are \1's contacts"),
    (r"month by month", "by month"),
    (r"first of (?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))", "1st of "),
    (r"(?:before|by) the (year|month|week) is (?:out|over)|(?:before|by) the end of (?:the|this) (year|month|week)",
     lambda m: f"by the end of this {m[1] or m[2]}"), (r"week by week", "by week"), (r"year by year", "by year"),
    (r"(?:how much|what) ((?:did|do|does|has|have|will|would) (?!i\b|we\b)[^,?]*?)\bcome to", r"how much \1 cost"),
    (r"an hour and a half", "90 minutes"), (r"half an hour", "30 minutes"), (r"(?:went|go|goes|going) on for", "lasted"),
    (r"of the year(?= *\??$)", "of this year"), (r"this (year|month|week|summer|winter) or last", r"this \1 or last \1"),
    (r"(do|have) (i|we) got", r"do \2 have"), (r"(i|we) have got", r"\1 have"),
    (r"pa(?:y|id|ys) (?:me |us )?back", "repaid"), (r"given? (?:me |us |it )?back|gave (?:me |us |it )?back", "returned"),
    (r"turn(?:ed)? up", "arrived"), (r"date of birth|birth ?date", "birthday"),
)]  # fmt: skip


@dataclass(slots=True)
class Item:
    """Some words of the question, and all that they can mean."""

    kind: str
    start: int
    end: int
    data: Any = None
    fields: list[Field] = field(default_factory=list)
    values: list[tuple[Field, Any]] = field(default_factory=list)
    having: frozenset[str] = frozenset()  # fields whose texts have the word
    noun: int = 0  # how surely it names the collection: 3 by its name, 2 by a synonym, 1 by its docstring
    verb: bool = False
    state: bool = False  # brings a state about, as "cancel"
    used: bool = False


@dataclass(frozen=True, slots=True)
class Time:
    """A time that a question names; of "from A to B" also the two ends."""

    when: When
    ends: tuple[When, When] | None = None


@dataclass
class Question:
    """The words of a question, its tense, and its times."""

    text: str
    words: list[Word]
    tense: str  # past, present, future, or none, without a verb
    times: dict[int, tuple[int, Time]]  # by the first word: the word after it, and when
    said: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.said = [w.text for w in self.words]

    @property
    def mine(self) -> bool:
        return not {"i", "my", "me", "mine", "we", "our", "us", "myself"}.isdisjoint(self.said)


def asked(text: str, today: date, *, other_year: bool = False) -> Question:
    """Return the words, the tense and the times of a question; with `other_year`, of the other year that it may mean."""
    text = text.strip()
    for said_, meant in IDIOMS:
        text = said_.sub(meant, text)
    text = REMARKS.sub(lambda m: " " * len(m[0]), re.sub(r"\bUS\b", "USA", text))
    found = words(text)
    for n, word in enumerate(found[:-1]):
        if word.text == "been" and found[n + 1].text == "to":
            found[n] = replace(word, text="gone")
        elif word.text in _GOES and found[n + 1].text.endswith("ing"):
            found[n] = replace(word, text=_GOES[word.text])  # "go running"
    said = [w.text for w in found]
    tense = _tense(said)
    near = tense == "present" and bool({*_WEEK} & set(said))
    spans = periods(text, today, ahead=tense == "future" or near)
    if tense == "present" and any(s.yearless or s.when.text.startswith("..") for s in spans):
        later = periods(text, today, ahead=True) if not _SUMS & set(said) else spans
        spans = later if all(s.when.text.startswith("..") or s.first > today for s in later) else spans
    if other_year and tense in ("present", "none"):
        spans = next(([*f] for f in (periods(text, today, ahead=True), periods(text, today)) if f != spans), spans)
    times: dict[int, tuple[int, Time]] = {}
    begun: tuple[int, int, When] | None = None  # the span before: where it begins and ends
    for span in spans:
        inside = [n for n, w in enumerate(found) if w.start < span.end and w.end > span.start]
        if not inside or span.until is not None:
            continue
        start, end = inside[0], inside[-1] + 1
        if (
            begun
            and said[begun[1] : start] == ["to"]
            and said[begun[0] - 1 : begun[0]] == ["from"]
            and begun[2].first <= span.last
        ):
            times.pop(begun[0])
            times[begun[0] - 1] = (end, Time(When(f"{begun[2].first}/{span.last}"), (begun[2], span.when)))
            begun = None
        else:
            times[start] = (end, Time(span.when))
            begun = start, end, span.when
    return Question(text, found, tense, times)


_WEEK = lexicon("monday tuesday wednesday thursday friday saturday sunday weekend")
_SUMS = lexicon("total average spend spending spent cost much sum mean median")
_GOES = {"go": "do", "going": "doing", "went": "did", "gone": "done"}
_COMING = lexicon(
    "going leaving flying moving travelling traveling departing arriving coming returning starting meeting seeing doing having"
)


def _tense(said: list[str]) -> str:
    if {"will", "upcoming", "shall"} & set(said) or " coming up" in f" {' '.join(said)}" or "next" in said:
        return "future"
    if {"sofar"} & set(said) or " so far" in f" {' '.join(said)}" or " ever " in f" {' '.join(said)} ":
        return "past"
    for n, word in enumerate(said):
        if word in ("did", "was", "were", "had"):
            return "past"
        if word in ("have", "has") and _participle(said[n + 1 :]):
            return "past"
        if (
            word in ("i", "we")
            and said[n - 1 : n] not in (["am"], ["are"])
            and said[n + 1 : n + 2]
            and (said[n + 1] in IRREGULAR or said[n + 1].endswith("ed"))
            and stem(said[n + 1]) != stem("read")
        ):
            return "past"
    for n, word in enumerate(said):
        if word in ("am", "are", "is") and _COMING & set(said[n + 1 : n + 4]):
            return "future"
        if word in ("do", "does", "am", "is", "are", "have", "has", "can", "should"):
            return "present"
    if said[:1] == ["who"] and any(w.endswith("s") for w in said[1:2]):
        return "present"
    return "past" if any(w.endswith("ed") or w in PARTICIPLES for w in said) else "none"


def _participle(rest: list[str]) -> bool:
    return any(w in PARTICIPLES or w in IRREGULAR or (w.endswith("ed") and len(w) > 3) for w in rest[:5])


def scan(question: Question, table: Table, world: World) -> list[Item]:
    """Return the items of a question as one collection reads them."""
    items: list[Item] = []
    at = 0
    while at < len(question.words):
        items.append(_item(question, table, world, at, items))
        at = items[-1].end
    return items


def _item(question: Question, table: Table, world: World, at: int, before: list[Item]) -> Item:
    """Return the longest thing that stands at a word; where two are as long, what comes first here."""
    said = question.said
    text = " ".join(said[at:])
    found: list[Item | None] = []
    if time := question.times.get(at):
        end, when = time
        after = stem(said[end]) if end < len(said) else ""
        amount = (
            end == at + 1
            and re.fullmatch(r"\d{4}", said[at])
            and (after in _UNIT_STEMS or table.labelled([after], "number", "money"))
        )
        found += [] if amount else [Item("time", at, end, when)]
    found += [
        item
        for pattern, kind, data in PATTERNS
        if (m := pattern.match(text)) and (item := _made(table, at, m, kind, data, before))
    ]
    found += [
        next((i for size in range(min(6, len(said) - at), 0, -1) if (i := _vocabulary(question, table, world, at, size))), None)
    ]
    if said[at] == "single" and before and before[-1].kind in ("super", "which"):
        found.append(Item("filler", at, at + 1))
    if said[at] in ("up", "out") and before and (before[-1].fields or before[-1].verb):
        found.append(Item("filler", at, at + 1))  # "wake up"
    if said[at] in FUNCTION or said[at] in ("'s",) or stem(said[at]) in LIGHT:
        found.append(Item("filler", at, at + 1))
    return max((i for i in found if i), key=lambda item: item.end, default=Item("unknown", at, at + 1))


def _made(table: Table, at: int, m: re.Match[str], kind: str, data: Any, before: list[Item]) -> Item | None:
    """Return the item that a pattern makes, if the words around it and the collection let it."""
    item, g = Item(kind, at, at + m[0].count(" ") + 1, data or m[0]), m.groupdict()
    match kind:
        case "super":
            count = g.get("k") or g.get("j") or ""
            if (
                m[0].split()[-1] in ("last", "first", "most")
                and re.match(r" (?:longer|more|over|at least|less|under|for)\b", m.string[m.end() :])
                and m[0] == "last"
            ):
                return None  # the verb
            item.data = (*data, int(number(count) or 1) if count else 1, bool(count))
        case "ask" if data == "all":
            if not before or not any(f.numeric for f in before[-1].fields):
                return None
            item.data = "sum"
        case "filler" if m[0].startswith(("in ", "on ")) and {stem(w) for w in m[0].split()} & table.nouns:
            return None  # "in the book"
        case "part" if not before or before[-1].kind not in ("which", "super"):
            return None
        case "group":
            word = stem(g["w"])
            part = LY.get(g["w"]) or g["w"]
            fields = table.labelled([word], "word", "words", "date", "flag", "person")
            fields = [f for f in fields if f.kind != "date"] or fields
            if part in PARTS:
                item.data = part
            elif fields:
                item.data = fields[0]
            elif m[0].split()[0] in ("each", "every", "per") and word in table.nouns:
                item.kind, item.data = "each", None
            else:
                return None
        case "clock":
            op = {"later": ">=", "earlier": "<="}.get(g.get("or") or "", data)
            item.data = [(op, g["a"]), *([("<=", g["b"])] if g.get("b") else [])]
        case "number":
            unit, (op, by) = stem(g["unit"] or ""), data
            known = unit in _UNIT_STEMS or unit == "percent"
            item.end -= bool(g["unit"]) and not known and not g.get("behind")
            item.fields = table.labelled([unit], "number", "money", "words") if unit and not known else []
            by = LONG if g.get("behind") in ("longer", "shorter") else by
            amount = 1.0 if g["n"] in ("a", "an") else number(g["n"])
            if amount is None:
                return None
            tests = [(BEHIND.get(g.get("behind") or "", op), amount)] + ([("<=", float(g["high"]))] if g.get("high") else [])
            item.data = (tests, g.get("sign") or (_UNIT_STEMS.get(unit, unit) if known else ""), by)
    return item


def _vocabulary(question: Question, table: Table, world: World, at: int, size: int) -> Item | None:
    """Return what a run of words names: values, a field, the collection, a person, a country."""
    key = tuple(stem(w) for w in question.said[at : at + size] if w != "'s")
    if not key or question.said[at : at + 1] == ["'s"] or (size > 1 and question.said[at + size - 1] == "'s"):
        return None
    values, having = table.index
    item = Item("word", at, at + size, key[0], values=list(values.get(key, ())))
    people = world.people.get(key)
    if people and not (size == 1 and (question.said[at] in FUNCTION or key[0] in table.verbs)):
        persons = [f for f in table.fields if f.kind in ("person", "persons")]
        if persons or table.of_people or table.names_others:
            return Item("person", at, at + size, people, having=having.get(key[0], frozenset()) if size == 1 else frozenset())
    if (code := COUNTRIES.get(key)) and (f := table.field("country", "nation")) and not item.values:
        held = {v for v in (getattr(r, f.name) for r in table.records[:2000]) if v}
        if all(len(v) == 2 and v.isupper() for v in held):
            item.values = [(f, code)]
    if key in _ABROAD and (f := table.field("country", "nation")) and world.homes and len(world.homes) == 1:
        item.values = [(f, ("abroad" if _ABROAD[key] else "at home", *world.homes))]
    if (continent := _CONTINENTS.get(key)) and (f := table.field("country", "nation")):
        item.values = [(f, ("continent", continent))]
    if size == 1:
        word = question.said[at]
        light = word in FUNCTION
        item.fields = [] if light else table.labelled(key)
        item.noun = 0 if light else 3 if key[0] in table.own else 2 if key[0] in table.nouns else int(key[0] in table.told)
        item.verb = key[0] in table.verbs and word not in AUXILIARY
        item.state = bool(STATE_STEMS.get(key[0], frozenset()) & {c for f in table.states for c in f.choices})
        item.having = frozenset() if light or key[0] in LIGHT else having.get(key[0], frozenset())
        if light:
            item.values = []
        elif not (item.noun > 1 or item.verb or item.values or item.fields or item.having):
            item.fields = table.commented(key[0])
        if key[0] in _UNIT_STEMS and not item.noun and not item.values:
            item.kind = "unit"
            item.data = _UNIT_STEMS[key[0]]
    else:
        item.fields = [f for f in table.fields if key == tuple(stem(p) for p in f.name.split("_"))]
    there = item.values or item.fields or item.noun or item.verb or item.state or item.having or item.kind == "unit"
    return item if there else None


_UNIT_STEMS = {stem(word): word for word in UNITS} | {word: word for word in UNITS}
_CONTINENTS = {tuple(stem(w) for w in name.lower().split()): name for name in CONTINENTS}
STATE_STEMS = {stem(verb): frozenset(states.split()) for verb, states in STATE_VERBS.items()}
_ABROAD = {(stem(w),): abroad for words_, abroad in (("international abroad foreign overseas", True), ("domestic", False))
           for w in words_.split()}  # fmt: skip
WEEKEND = WEEKDAYS[5:]


def days_of(text: str) -> tuple[str, ...]:
    """Return the weekdays that "weekends", "weekdays" or "on a Monday" means."""
    return tuple(
        d
        for d in WEEKDAYS
        if d.lower() in text or ("weekend" in text and d in WEEKEND) or ("weekdays" in text and d not in WEEKEND)
    )


def left_out(items: list[Item], question: Question) -> Iterator[str]:
    """Yield the words that nothing used."""
    for item in items:
        if not item.used and item.kind not in ("filler", "sofar"):
            yield from question.said[item.start : item.end]
