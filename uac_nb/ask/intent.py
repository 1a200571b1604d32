"""What kind of answer a question wants, whatever it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from uac_nb.ask.question import Question
from uac_nb.ask.words import bag, root

Show = Literal["count", "total", "average", "distinct", "values", "exists", "top", "share", "trend", "more", "ratio"]
Asks = Literal["when", "where", "who", "what", "how long", "how often", "what time", "list", "yes", ""]

# Adjectives: words of the measure that they speak of (none: the question has to say), and which end of it.
SUPERLATIVES: tuple[tuple[str, str, Literal["max", "min"]], ...] = (
    (r"most expensive|priciest|costliest|dearest", "cost", "max"),
    (r"cheapest|least expensive|most inexpensive", "cost", "min"),
    (r"(?:highest|best|top) rated", "rating", "max"),
    (r"(?:lowest|worst) rated", "rating", "min"),
    (r"longest", "long", "max"),
    (r"shortest", "long", "min"),
    (r"biggest|largest|highest|greatest|maximum", "", "max"),
    (r"smallest|lowest|minimum", "", "min"),
)
PICKS: tuple[tuple[str, Literal["first", "last", "next"]], ...] = (
    (r"known (?:for )?the longest|known longest", "first"),
    (r"(?:the )?(?:most recent|most recently|latest|newest|very last)", "last"),
    (r"(?:the )?(?:earliest|oldest|very first)", "first"),
    (r"(?:the )?next", "next"),
    (r"(?:the )?first(?: ever)?", "first"),
    (r"(?:the )?last", "last"),
)
_UP, _DOWN = r"increase|go up|rise|grow", r"decrease|go down|fall|drop|shrink|decline"
_UP_OR_DOWN = rf"(?:{_UP}) (?:or )?(?:{_DOWN})(?:(?: or)? (?:stay|remain)(?:ed)?(?: about)? the same| or not change)?"
_COUNT = (
    r"(?:on |in |for )?how many times|how often|(?:on |in |for |of )?how many(?: of)?|"
    r"what (?:is|was) the (?:total )?(?:number|count) of|(?:the )?(?:total )?number of|count (?:the|my|all)"
)
_ALL = r"in total|altogether|in all|combined|overall|total"


@dataclass
class Intent:
    """`head` is the root of the word that "how many" or "which" stands before."""

    show: Show = "values"
    asks: Asks = ""
    pick: Literal["first", "last", "next", "max", "min"] | None = None
    adjective: str | None = None  # the measure of a superlative
    head: str = ""
    most: bool = False
    least: bool = False
    much: bool = False
    whole: bool = False  # "in total"
    percent: float = 0
    over: bool = False
    fewer: bool = False


def intent(q: Question) -> Intent:
    """Take out of a question the words that say what kind of answer it wants."""
    found = Intent(asks=_asks(q))
    _shows(q, found)
    _picks(q, found)
    if found.show == "values" and found.asks == "yes":
        found.show = "exists"
    return found


# How a question begins, and what it asks for.
_BEGINNINGS: tuple[tuple[str, Asks], ...] = (
    (r"(?:on |in )?(?:what|which) (?:date|day)s?|when", "when"),
    (r"(?:at )?what time", "what time"),
    (r"(?:to |in |from )?where|(?:to |in )?(?:what|which) places?", "where"),
    (r"(?:for )?how long", "how long"),
    (r"(?:with |for |to )?whom?", "who"),
    (r"(?:in |for |on |from |to |at |with )?(?:what|which)(?: single| one)?", "what"),
    (r"(?:please )?(?:list|show|name|give|tell)(?: me)?(?: of)?", "list"),
)
_FOR_MOST = ("what", "who", "where", "when")
_YES = bag("did do does am is are was were have has had will")


def _asks(q: Question) -> Asks:
    for pattern, asks in _BEGINNINGS:
        if re.match(rf" (?:{pattern}) ", q.left):
            if asks != "how long":
                q.eat(pattern)
            return asks
    return "yes" if q.words() and q.words()[0] in _YES else ""


def _shows(q: Question, found: Intent) -> None:
    if m := q.eat(
        r"(?:that |which )?(?:accounts? for|make up|makes up|represent) (at least|more than|over) (\d+) percent of(?: all)?"
    ):
        found.show, found.percent, found.over = "share", float(m[2]), m[1] != "at least"
    elif q.eat(_UP_OR_DOWN):
        found.show = "trend"
        q.eat("count|number of|number|total number of")
    elif m := q.eat(r"(more|less|fewer)(?= .*@p\d+ than)"):
        found.show, found.fewer = "more", m[1] != "more"
    elif found.asks == "yes" and (m := q.eat(rf"({_UP}|{_DOWN})(?= .*@p\d+)")):
        found.show, found.fewer = "more", re.fullmatch(_DOWN, m[1]) is not None
    elif q.eat(r"(?:the )?(?:percentage|percent|share|fraction|proportion) of"):
        found.show = "ratio"
    elif q.eat(r"on average|(?:the )?average|mean"):
        found.show = "average"
        q.eat(r"how many|how much|how long|(?:total )?(?:number|amount) of")
    elif m := q.eat(r"(?:in )?how many (?:different|distinct|unique)|(?:the )?number of (?:different|distinct|unique)"):
        found.show, found.head = "distinct", _head(q)
    elif q.tense == "present" and q.eat("how often"):
        found.asks = "how often"
    elif q.eat(_COUNT):
        found.show, found.head = "count", _head(q)
    elif q.eat("how much"):
        found.show, found.much = "total", True
    elif q.eat("how far"):
        found.show, found.head = "total", "distance"
    elif q.eat(rf"{_ALL}|sum of"):
        found.show, found.whole = "total", True
    found.whole |= q.eat(_ALL) is not None


def _head(q: Question) -> str:
    """The root of the word behind what was eaten last."""
    m = re.search(r"· (?:my |the |of my |of the )?([a-z0-9]+)", q.left)
    return root(m[1]) if m else ""


def _picks(q: Question, found: Intent) -> None:
    if not q.has("known (?:for )?the longest|known longest"):
        for pattern, label, best in SUPERLATIVES:
            if q.eat(rf"(?:the )?(?:{pattern})"):
                found.pick, found.adjective = best, label
                return
    q.eat("single(?= most| least)")
    if m := q.eat(r"(?:the )?(most|least) (?:often|frequently|frequent|common|commonly|popular)"):
        found.show, found.least = "top", m[1] == "least"
    elif found.asks in _FOR_MOST and found.show in ("values", "total") and (m := q.eat(r"(?:the )?(most|least)(?! recent)")):
        found.show, found.most, found.least = "values", True, m[1] == "least"
    for pattern, pick in PICKS:
        if pick == "last" and q.has(r"how long") and q.text.rstrip().endswith(" last"):
            break  # the verb: "how long did it last"
        if q.eat(pattern):
            found.pick = found.pick or pick
