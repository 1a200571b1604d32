"""Purchases: what was bought, for how much, where, and how long it can be given back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from uac_nb.reader.clauses import Clause
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import compiled, lexicon
from uac_nb.reader.phrases import Phrase, noun_phrase

_ABOUT = "(?:(?:about|around|almost|nearly|over|roughly|under|only|a total of) )?"
_BUY = compiled(
    r"(?:(?P<sure>bought|purchased|ordered)|(?:got|picked up|grabbed|snagged|treated \w+ to|splurged on)(?= <to "
    r"whom>(?:an?|the|some|my|our|two|three|four|\d+|this|these|<money>) ?)) <to whom>"
)
_PAY = compiled(
    rf"(?:paid|spent|dropped|shelled out|splurged|blew|forked out|(?:was )?charged) {_ABOUT}(?P<money><money>) "
    r"(?:in total )?(?:on|for|to buy|buying) <to whom>"
)
_PAID = compiled(rf"paid (?:the|my|our|a) (?P<whom>[a-z]+(?: [a-z]+)?) {_ABOUT}(?P<money><money>)(?: (?:for|to) )?")
_AT = compiled(rf"spent {_ABOUT}(?P<money><money>) at (?:the )?(?P<shop><Word>(?: <Word>)*)")
_COST = compiled(rf" (?:(?:only|just|also) )?(?:cost|costing|set) (?:me|us) (?:back )?{_ABOUT}(?P<money><money>)")
_CAME_TO = compiled(rf" (?:<date> )?came to {_ABOUT}(?P<money><money>)")
_NOT_BOUGHT = compiled(r"(?:buy|purchase|order|get) (?=(?:the|that|an?) )")
_GIVEN_BACK = compiled(r"(?:returned|sent back|took back|brought back) (?=(?:the|my|that|those)\b)")
_PRICED = compiled(r"(?:an? |the |some |this )?(?:new )?<money> ?")
_ARTICLE = compiled(r"(?:an?|some|two|three|new|my|our|\d+) ")
_EACH = compiled(r" ?(?:each|apiece|per\b|an? (?:month|year|week|day|night|person|piece|hour)|/|monthly|yearly|a pop|every)")
_RECURRING = "per (?:month|year|week)|a month|monthly|a year|yearly|annually|every month|each month|subscription"
_INEXACT = compiled(r"\b(?:about|around|almost|nearly|over|roughly|under) $")
_SHOP = compiled(r"\b(?:from|at) (?:the )?(?P<shop><Word>(?: (?:<Word>|of|&|and(?= (?-i:[A-Z]))))*)")
_GAINS = lexicon(
    "raise bonus refund check cheque loan mortgage grant offer quote discount deal rebate estimate job scholarship tip"
)
_NO_THING = lexicon("time attention money tickets flights flight")


@dataclass(frozen=True, slots=True)
class _Deal:
    """What was bought, and where its price stands."""

    item: Phrase
    money: int | None = None


def purchases(clause: Clause) -> Iterator[Finding]:
    """Things bought, with their price where one is said; only the verbs of buying do without one."""
    who = clause.about or ("me" if not clause.subject and _speaks_of_buying(clause) else "")
    if not who:
        return
    if denied := _undone(clause):
        yield Finding(
            "purchase", denied.key, who, "retract", {"decision": "returned"} if not clause.negated else {}, clause.span
        )
        return
    deal = None if clause.negated or clause.tense == "future" else _deal(clause)
    if deal is None or deal.item.vague:
        return
    amount = clause.amount_at(deal.money) if deal.money is not None else None
    if amount and (_EACH.match(clause.masked, amount.end) or clause.has(_RECURRING)):
        return
    first = deal.item.start == clause.head and clause.start == clause.sentence  # the capital is that of the sentence
    slots = {"item": deal.item.key if first else deal.item.text}
    if amount:
        slots |= {"amount": amount.amount, "currency": amount.currency}
        if _INEXACT.search(clause.masked, 0, amount.start):
            slots["doubt"] = "the exact price"
    if shop := _SHOP.search(clause.masked, deal.item.end):
        slots["shop"] = shop["shop"].removesuffix("'s")
    if dated := clause.date():
        slots |= {"start": dated.when} | ({"doubt": dated.doubt} if dated.doubt else {})
    yield Finding("purchase", deal.item.key, who, "assert", slots, clause.span)


def _undone(clause: Clause) -> Phrase | None:
    """What was given back, or not bought after all."""
    match = _GIVEN_BACK.match(clause.masked, clause.body)
    if match is None and clause.negated:
        match = _NOT_BOUGHT.match(clause.masked, clause.body)
    item = noun_phrase(clause.masked, match.end()) if match else None
    return None if item is None or item.vague else item


def _speaks_of_buying(clause: Clause) -> bool:
    """ "Bought a camera", or a thing that cost me something."""
    text, head = clause.masked, clause.head
    fragment = any(pattern.match(text, head) for pattern in (_BUY, _PAY, _PAID, _AT, _GIVEN_BACK))
    return fragment or clause.has("(?:cost|set) (?:me|us)|came to")


def _deal(clause: Clause) -> _Deal | None:
    text = clause.masked
    if match := _PAY.match(text, clause.body):
        item = noun_phrase(text, match.end())
        return _Deal(item, match.start("money")) if item else None
    if match := _BUY.match(text, clause.body):
        return _bought(clause, match.end(), sure=bool(match["sure"]))
    if match := _PAID.match(text, clause.body):
        item = noun_phrase(text, match.end()) or Phrase(match["whom"], match.start("whom"), match.end())
        return _Deal(item, match.start("money"))
    if match := _AT.match(text, clause.body):
        shop = Phrase(f"shopping at {match['shop'].removesuffix(POSSESSIVE)}", match.start("shop"), match.start("shop"))
        return _Deal(shop, match.start("money"))
    thing = noun_phrase(text, clause.head) if not clause.subject or clause.inherited else None
    price = (_COST.match(text, thing.end) or _CAME_TO.match(text, thing.end)) if thing else None
    return _Deal(thing, price.start("money")) if thing and price else None


POSSESSIVE = "'s"


def _bought(clause: Clause, start: int, *, sure: bool) -> _Deal | None:
    """ "a $400 espresso machine", "a desk for €199"; without a price a thing needs an article, as in "bought a camera"."""
    text = clause.masked
    price = _PRICED.match(text, start)
    item = noun_phrase(text, price.end() if price else start)
    money = next((a.start for a in clause.amounts if a.start >= start), None)
    if item is None or _GAINS.intersection(item.key.split()):
        return None
    if money is None and not (sure and _ARTICLE.match(text, start) and item.key.split()[-1] not in _NO_THING):
        return None
    return _Deal(item, money)


# --- giving back ---

_WINDOW = compiled(
    r"\b(?P<a>\d{1,3})[- ]days? (?:returns?|refund|money[- ]back|exchange)\b|\breturn (?:policy|window|period) (?:is|of) "
    r"(?P<b>\d{1,3}) days\b|\b(?P<c>\d{1,3}) days to (?:return|send|bring|take) (?:back )?(?:(?:the|my|these|those) "
    r"(?P<item>[a-z]+(?: [a-z]+)?))?|\b(?:return|bring)\w* (?:it|them) (?:back )?within (?P<d>\d{1,3}) days\b"
)
_RETURN_BY = compiled(r"\breturn(?:ed|able)? (?:it |them )?(?:back )?(?:until |till )?(?P<date><date>)")


def return_windows(clause: Clause) -> Iterator[Finding]:
    """How long something can be given back: days from the purchase, or the last day."""
    if match := _WINDOW.search(clause.masked):
        days = next(d for d in match.group("a", "b", "c", "d") if d)
        slots = {"return_days": days} | ({"item": match["item"].lower()} if match["item"] else {})
        yield Finding("return window", days, "me", "assert", slots, clause.span)
    elif (match := _RETURN_BY.search(clause.masked)) and (dated := clause.date_at(match.start("date"))):
        yield Finding("return window", "return", "me", "assert", {"return_by": dated.when.removeprefix("../")}, clause.span)
