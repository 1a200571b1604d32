"""From a text to clauses: sentences, their clauses, and in each the words and the typed spans (days, hours, amounts, doses).

A clause knows its mood. Only what is *said* can become a record: a question asks, and what is wished, planned, reported or
supposed is not so. What a person asks to have noted ("could you note that …?") is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Any, Literal

from uac_nb.english import amounts, days, hours
from uac_nb.english.expressions import Tense
from uac_nb.english.numbers import COUNTS, VAGUE
from uac_nb.english.people import RELATIONS
from uac_nb.english.text import lexicon
from uac_nb.reading.by_patterns.words import (
    AUX,
    BE,
    CALENDAR,
    CONDITIONS,
    DETERMINERS,
    HEDGES,
    INDEPENDENT,
    LINKS,
    PARTICIPLES,
    is_filler,
    is_past,
    is_verb,
)  # fmt: skip

LONGEST = 400  # characters of a clause; a longer one is no sentence of a life
Mood = Literal["said", "asked", "supposed"]
SPANS = (
    *(
        "day",
        "since",
        "until",
        "by",
        "before",
        "hour",
        "money",
        "dose",
        "often",
        "length",
        "count",
        "degree",
        "window",
        "distance",
    ),
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a mark, or a typed span; `kind` is word, number, mark, phone, email or one of SPANS."""

    text: str
    start: int
    end: int
    kind: str = "word"
    value: Any = None
    low: str = ""
    opens: bool = False  # it begins a sentence

    @property
    def floats(self) -> bool:
        return self.kind in SPANS

    @property
    def capital(self) -> bool:
        return self.kind == "word" and self.text[0].isupper() and self.low not in CALENDAR and self.low not in ("i", "i'm")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a sentence. `alone`: it stands by itself; a subordinate one ("when I fly") is not read."""

    text: str
    start: int
    tokens: tuple[Token, ...]
    mood: Mood
    tense: Tense
    alone: bool = True
    capitals: bool = True  # names have capitals in this text
    perfect: bool = False  # "have been"
    sentence: str = ""
    progressive: bool = False  # "am living": so now, or to be


# --- words and sentences ---

_WORD = re.compile(
    r"(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?P<phone>\+?\(?\d(?:[ ()/.-]{0,2}\d){6,}(?![\d%]))|"
    r"(?P<number>\d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?(?![\w]))|"
    r"(?P<word>n't\b|'(?:m|s|re|ve|ll|d)\b|(?:Dr|Mr|Mrs|Ms|Prof|St)\.|[^\W\d_]+?(?=n't\b)|\w+(?:[-’]\w+)*|')|(?P<mark>[^\w\s])",
    re.IGNORECASE,
)
_SPELLED = {
    "ca": "can", "wo": "will", "n't": "not", "im": "I'm", "ive": "I've", "dont": "don't", "cant": "can't", "didnt": "didn't",
    "doesnt": "doesn't", "isnt": "isn't", "gonna": "going to", "u": "you", "w": "with", "wasnt": "wasn't", "wont": "won't",
}  # fmt: skip
_END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bProf)(?<!\bSt)(?<!\b[ap]\.m)(?<!\bapprox)[.!?]+[)\"']*(?=\s|$)|\n+"
)
_DAY_DOT = re.compile(r"\d\.$")


def words(text: str, at: int = 0) -> list[Token]:
    """Return the words and marks of a text."""
    found: list[Token] = []
    for match in _WORD.finditer(text):
        kind = match.lastgroup or "word"
        spelled = _SPELLED.get(match[0].lower()) if kind == "word" else None
        if spelled and ("'" in spelled or " " in spelled):  # one written word that is two
            found += [replace(t, start=at + match.start(), end=at + match.end()) for t in words(spelled)]
            continue
        shown = spelled or match[0]
        found.append(Token(shown, at + match.start(), at + match.end(), kind, low=shown.lower()))
    return found


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a text with their offsets."""
    at = 0
    for match in _END.finditer(text):
        inside = match[0] == "." and _DAY_DOT.search(text, max(0, match.start() - 2), match.end())
        if inside and text[match.end() : match.end() + 2].strip()[:1].islower():
            continue  # "on 12.6. we fly"
        yield at, text[at : match.end()]
        at = match.end()
    if text[at:].strip():
        yield at, text[at:]


# --- clauses ---

_REQUEST = re.compile(
    r"\s*(?:(?:please|hey|hi|ok|okay|so|also|and|oh|can|could|would|will|you|kindly|pls)\b[ ,]*)*?"
    r"(?:note|remember|save|add|store|record|log|write down|jot down|keep in mind|put down|don't forget|make a note|"
    r"remind me)\b"
    r"(?: (?:down|of|here|this|for me|please))*(?: that\b|[:,]|(?= ))[ ,:-]*",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\s*(?:(?:\w+ ){1,2}(?:update|news|report|log|reminder|info)(?= ?:)|by the way|btw|guess what|you know what|"
    r"(?:good|bad|big|great|some|exciting) news|fyi|for the record|to be honest|in fact|of course|just so you know|heads up|"
    r"update|reminder|it turns out|turns out|note to self|correction|oh|well|ok|okay|hey|hi|hello|yes|yeah|yep|wow|actually|"
    r"anyway|so|and|right|listen|look)\b(?: that\b)?[ ,:!–-]*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\s*(?:(?:so |and |hey |ok |but )?(?:who|whose|what|when|where|why|how|which)(?!\w)|"
    r"(?:do|did|am|should|can|could|was|were|have|is|are|does|will|would|shall|may) "
    r"(?:i|you|we|he|she|they|it|my|our|the|there|your|any|anyone|anybody) \w)",
    re.IGNORECASE,
)
JOINTS = lexicon("and , or then &")
_BREAKS = frozenset(';()–—:[]"“”')
_SUBJECTS = lexicon("i we he she they it there you")
_AFTER_VERB = DETERMINERS | lexicon("to in on at for from back me us with as into off by next tomorrow today")


def clauses(text: str) -> Iterator[tuple[str, str, list[Token], bool, bool]]:
    """Yield (link word, sentence, words, whether it is asked, whether a condition holds it) for each clause."""
    for at, sentence in sentences(text):
        body, asked = sentence, sentence.rstrip(" )\"'").endswith("?")
        offset = 0
        while lead := _LEAD.match(body, offset):
            if lead.end() == offset:
                break
            offset = lead.end()
        if request := _REQUEST.match(body, offset):
            offset, asked = request.end(), False
        asked = asked or bool(_ASKS.match(body, offset))
        supposed = False
        tokens = words(body[offset:].rstrip(".!? \n"), at + offset)
        tokens[:1] = [replace(token, opens=True) for token in tokens[:1]]
        for link, piece in _split(tokens):
            first = next((t.low for t in piece if t.kind == "word" and not is_filler(t.low)), "")
            supposed = supposed or link in CONDITIONS or first in CONDITIONS or first in ("suppose", "imagine")
            if piece:
                yield link, sentence.strip(), piece, asked, supposed


def _split(tokens: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    """Cut a sentence where another clause begins; each comes with the word or mark that links it."""
    start, link = 0, ""
    for i, token in enumerate(tokens):
        if i < start:
            continue
        mark = token.kind == "mark" and token.low in _BREAKS and (token.low != ":" or begins(tokens, i + 1))
        hyphen = (
            token.low == "-" and i + 1 < len(tokens) and tokens[i - 1].end < token.start and token.end < tokens[i + 1].start
        )
        if mark or (hyphen and tokens[i - 1].kind != "number") or (i > start and token.low in LINKS and _links(tokens, i)):
            yield link, list(tokens[start:i])
            start, link = i + 1, token.low
        elif i > start and token.low in JOINTS and begins(tokens, i + 1) and not _my_wife_and_i(tokens, i):
            yield link, list(tokens[start:i])
            start, link = i + 1, ""
    yield link, list(tokens[start:])


def _my_wife_and_i(tokens: Sequence[Token], i: int) -> bool:
    """Return whether "and" joins the speaker to a person before: one subject."""
    person = tokens[i - 1].capital or tokens[i - 1].low in RELATIONS
    return tokens[i].low == "and" and tokens[i + 1].low in ("i", "me") and i < 4 and person


def _links(tokens: Sequence[Token], i: int) -> bool:
    """Return whether a linking word begins a clause; some are prepositions or fillers elsewhere ("since May", "so good")."""
    low = tokens[i].low
    if low in (
        "but",
        "because",
        "although",
        "though",
        "if",
        "unless",
        "whereas",
        "whether",
        "while",
        "when",
        "whenever",
        "who",
        "which",
    ):
        return True
    if low in ("since", "as", "until", "before", "after", "so", "yet", "that"):
        return begins(tokens, i + 1)
    return True


def begins(tokens: Sequence[Token], i: int) -> bool:
    """Return whether a clause begins at a word: with a verb, or with a subject and its verb."""
    while i < len(tokens) and is_filler(tokens[i].low) and tokens[i].low != "both":
        i += 1
    if i >= len(tokens) or tokens[i].kind != "word":
        return False
    first, second = tokens[i], tokens[i + 1] if i + 1 < len(tokens) else None
    if first.low in _SUBJECTS:
        return second is not None
    if first.low in ("back", "home", "returning"):
        return second is not None and (
            second.low in ("on", "by", "at", "the", "from", "in", "next") or second.kind == "number" or second.low in CALENDAR
        )
    if first.text in ("May", "March"):
        return False
    if first.low in AUX or (first.low in PARTICIPLES and not first.capital):
        return True
    if first.capital or first.low in DETERMINERS or first.low in RELATIONS:
        for other in tokens[i + 1 : i + 5]:
            if (other.kind == "mark" and other.low != "'") or other.low in ("and", "or", "with", "of", "for", "in", "on", "at"):
                return False
            if other.low in AUX - {"'s"} or (other.low == "'s" and other.start == other.end):
                return True
            if is_verb(other.low) and not other.capital and not other.low.endswith("ing"):
                return True
        return False
    if is_verb(first.low) or (first.low.endswith("ed") and len(first.low) > 4):
        if second is None:
            return not first.low.endswith("ing")
        return second.low in _AFTER_VERB or second.kind == "number" or second.low in CALENDAR or second.capital
    return False


# --- one clause ---

_N = rf"(?:\d+(?:[.,/]\d+)?|{'|'.join(COUNTS)}|half an?|half|{'|'.join(VAGUE)}|a couple of)"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_UNIT = "(?:day|night|morning|evening|afternoon|weekend|week|fortnight|month|quarter|year|weekday)"
_TYPED = {
    "dose": rf"\b{_N}\s?-?(?:mg|mcg|µg|g|ml|iu|units?|tablets?|pills?|drops?|puffs?|capsules?|sachets?)\b(?:\sof\b)?",
    "often": rf"\b(?:once|twice|{_N} times|{_N}x|\d+\s?x)\s?(?:a|an|per|each|every|/)?\s?(?:{_UNIT}|daily)\b|"
    rf"\b(?:every|each)\s(?:(?:other|second|third|single|first|last|{_N})\s)?(?:{_UNIT}s?|hours?|{_WEEKDAY})\b"
    rf"(?:(?:,|\sand|,\sand|\sof\sthe)\s(?:{_WEEKDAY}|{_UNIT})\b)*(?:\s(?:morning|evening|afternoon|night))?|"
    rf"(?:\bper\s|/\s?){_UNIT}\b|\b(?:daily|weekly|monthly|yearly|annually|fortnightly|nightly|hourly)\b|"
    rf"\b(?:on\s)?{_WEEKDAY[:-2]}s\b(?:(?:,|\sand)\s{_WEEKDAY[:-2]}s\b)*|\b(?:at\s|before\s)bedtime\b|\bat night\b|"
    r"\bin the (?:mornings?|evenings?)\b|\bwith (?:breakfast|lunch|dinner|meals|food)\b",
    "window": r"\bwithin\s\d{1,3}\sdays\b",
    "distance": r"\b\d+(?:[.,]\d+)?\s?(?:k|km|kms|kilometres?|kilometers?|miles?|metres|meters)\b",
    "length": rf"\b(?:for\s)?(?:about\s|around\s|another\s|the whole\s)?{_N}[\s-](?:\w+(?:ing|ful|ous|ly|some|ic|at)\s)?"
    rf"(?:{_UNIT}|hour|minute|min|hr)s?\b(?!\s(?:ago|from now|old|trip|later|earlier|before|after))",
    "count": rf"\b(?:once|twice|{_N} times)\b",
    "degree": r"\b(?:sever\w+|deathly|deadly|mild(?:ly)?|slight(?:ly)?|seriously|highly|terribly|very|badly|bad)\b"
    r"(?=\s(?:\w+\s){0,2}(?:allerg|intoler))",
}  # fmt: skip
_SPAN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _TYPED.items()), re.IGNORECASE)
_PRICED = re.compile(r"(?:[€$£\d]|euros?|dollars?|pounds?|mg|ml|tablets?|pills?|quid|bucks|kr|\b[A-Z]{3})\s*$", re.IGNORECASE)
_DAY_LEADS = {
    "on": "day", "at": "day", "in": "day", "for": "day", "over": "day", "during": "day", "around": "day", "this": "day",
    "early": "day", "late": "day", "the": "day", "since": "since", "from": "since", "starting": "since", "beginning": "since",
    "until": "until", "till": "until", "through": "until", "to": "until", "by": "by", "before": "before", "after": "after",
    "not": "not", "instead": "not",
}  # fmt: skip
_PART_OF_DAY = re.compile(r"(?:in the )?(?:morning|afternoon|evening|night)|at night", re.IGNORECASE)
_WAS_TO = re.compile(
    r"\b(?:was|were) (?:going|about|supposed|meant|planning|due) to\b|\bplan(?:s|ned|ning)? (?:to|on)\b|\bused to\b",
    re.IGNORECASE,
)
_ARRANGED = ("book", "reserv", "schedul", "arrang", "sign", "set", "cancel", "postpon")


def clause(
    text: str,
    words_: list[Token],
    link: str,
    asked: bool,
    supposed: bool,
    said: date,
    before: date | None = None,
    since: date | None = None,
    goes_on: Tense | None = None,
) -> Clause:
    """Return a clause with its typed spans, its tense and its mood."""
    start = words_[0].start
    shown = text[start : words_[-1].end]
    lows = [w.low if not (w.text[0].isupper() and w.low in CALENDAR) else "" for w in words_]  # "Sat" is no form of "sit"
    tense, perfect = _tense(lows)
    if goes_on and not any(low in AUX or is_past(low) or is_verb(low) for low in lows):
        tense = goes_on  # "I flew to Rome on 1 June, back on the 5th"
    arranged = any(low.startswith(_ARRANGED) for low in lows) and not {"ago", "yesterday", "last"} & set(lows)
    tense = "future" if arranged else tense  # "I've booked a table for Saturday"
    progressive = tense == "future" and not {"will", "'ll", "shall", "going"} & set(lows)
    hedged = any(w.low in HEDGES or (w.low == "may" and w.text != "May") for w in words_)
    mood: Mood = "asked" if asked else "supposed" if supposed or hedged or link in CONDITIONS else "said"
    tokens = _lexed(shown, start, words_, said, tense, before, since)
    alone = link not in LINKS or link in INDEPENDENT
    return Clause(
        text=shown,
        start=start,
        tokens=tuple(tokens),
        mood=mood,
        tense=tense,
        alone=alone,
        capitals=any(c.isupper() for c in shown.replace("I", "")),
        perfect=perfect,
        progressive=progressive,
    )


def _tense(lows: Sequence[str]) -> tuple[Tense, bool]:
    if any(b in ("will", "'ll", "shall") or (a in ("going", "about") and b == "to") for a, b in pairwise(("", *lows))):
        return "future", False
    finite = next((i for i, low in enumerate(lows) if low in AUX or is_past(low) or is_verb(low)), None)
    if finite is None:
        return "present", False
    low, after = lows[finite], [w for w in lows[finite + 1 : finite + 4] if not is_filler(w) and w != "not"]
    if low in ("have", "has", "'ve", "'s") and after and is_past(after[0]):
        return ("present", False) if after[0] == "got" else ("past", True)
    if low in ("was", "were", "did", "had") or (
        is_past(low) and low not in ("got", "read", "set", "put", "cut", "hurt", "cost")
    ):
        return "past", False
    if low in BE and after and after[0].endswith("ing"):
        return "future", False
    if low == "got":
        return "past", False
    return ("future", False) if low.endswith("ing") and finite == 0 else ("present", False)


def _lexed(
    shown: str, start: int, words_: list[Token], said: date, tense: Tense, before: date | None, since: date | None
) -> list[Token]:
    """Put typed spans in the place of the words that they are made of, with the prepositions that belong to them."""
    spans = [Token(m[0], m.start(), m.end(), m.lastgroup or "", _typed(m.lastgroup or "", m[0])) for m in _SPAN.finditer(shown)]
    again = [s for s in spans if s.kind == "often"]
    contacts = [Token(w.text, w.start - start, w.end - start) for w in words_ if w.kind in ("phone", "email")]
    money = [Token(shown[a.start : a.end], a.start, a.end, "money", a) for a in amounts(shown)]
    dated = [
        Token(shown[d.start : d.end], d.start, d.end, "by" if d.when.text.startswith("../") else "day", (d,))
        for d in days(_blank(shown, again), said, tense, before, since)
    ]
    if len(dated) > 1:
        dated = [d for d in dated if d.text.lower() != "just"]  # "just got back last night"
    clocks = [Token(shown[c.start : c.end], c.start, c.end, "hour", c) for c in hours(shown)]
    chosen: list[Token] = []
    for token in (*again, *dated, *money, *clocks, *spans):
        if not any(other.start < token.end and token.start < other.end for other in (*chosen, *contacts)):
            priced = token.kind == "length" and _PRICED.search(shown, max(0, token.start - 12), token.start)
            chosen.append(replace(token, kind="often", value=token.text) if priced else token)  # "12 euros a month"
    chosen.sort(key=lambda t: t.start)
    chosen = [t for n, t in enumerate(chosen) if not (n and chosen[n - 1].kind == "hour" and _PART_OF_DAY.fullmatch(t.text))]
    hour = any(t.kind == "hour" for t in chosen)
    result: list[Token] = []
    rest = [replace(w, start=w.start - start, end=w.end - start) for w in words_]
    i = 0
    for token in chosen:
        while i < len(rest) and rest[i].end <= token.start:
            result.append(rest[i])
            i += 1
        while i < len(rest) and rest[i].start < token.end:
            i += 1
        result.append(_led(result, replace(token, low=token.text.lower())))
    result += rest[i:]
    if hour:
        result = [
            t
            for n, t in enumerate(result)
            if not (n and result[n - 1].kind in ("day", "hour") and _PART_OF_DAY.fullmatch(t.text))
        ]
    return [replace(t, start=t.start + start, end=t.end + start) for t in _years_joined(result, said)]


def _blank(text: str, tokens: Sequence[Token]) -> str:
    for token in tokens:
        text = text[: token.start] + "_" * (token.end - token.start) + text[token.end :]
    return text


def _typed(kind: str, text: str) -> Any:
    low = " ".join(text.lower().split())
    if kind == "degree":
        return "mild" if low.startswith(("mild", "slight")) else "severe"
    if kind == "window":
        return int(re.findall(r"\d+", low)[0])
    if kind == "distance":
        unit = 1 if "met" in low and "kilo" not in low else 1609.34 if "mile" in low else 1000
        return round(float(re.findall(r"[\d.,]+", low)[0].replace(",", ".")) * unit)
    if kind == "count":
        first = low.split()[0]
        return {"once": 1, "twice": 2}.get(first) or COUNTS.get(first) or (int(first) if first.isdigit() else None)
    if kind == "dose":
        return re.sub(r"(?<=\d)\s*-?(?=[a-zµ])", " ", low.removesuffix(" of"))
    return re.sub(r"^for ", "", low)


def _led(result: list[Token], token: Token) -> Token:
    """Take the preposition before a span into it."""
    while result and result[-1].kind == "word" and result[-1].end < token.start + 1:
        lead = result[-1].low
        if token.kind == "day" and lead in _DAY_LEADS:
            kind = _DAY_LEADS[lead]
            kind = "day" if lead == "from" and token.value[0].until else kind  # "from the 4th to the 9th"
            token = replace(token, kind=kind if token.kind == "day" else token.kind, start=result.pop().start)
            if kind != "day":
                break
        elif (token.kind == "money" and lead in ("for", "at")) or (
            token.kind == "hour" and lead in ("at", "from", "around", "by", "for")
        ):
            result.pop()
        else:
            break
    return token


def _years_joined(tokens: list[Token], said: date) -> list[Token]:
    """Join "in 2015 and 2019", "on 3 May and on 7 June" to one span of several days."""
    result: list[Token] = []
    for token in tokens:
        year = token.kind == "number" and re.fullmatch(r"(?:19|20)\d\d", token.text)
        joined = len(result) > 1 and result[-1].low in ("and", "&") and result[-2].kind == "day"
        if year and joined:
            token = replace(token, kind="day", value=tuple(days(f"in {token.text}", said)))
        if token.kind == "day" and joined and token.value:
            result.pop()
            last = result.pop()
            token = replace(token, start=last.start, value=(*last.value, *token.value))
        result.append(token)
    return result
