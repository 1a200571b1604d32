"""Purchases: what was bought, for how much, where, and how long it can be given back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from uac_nb.reader.clauses import Clause
from uac_nb.reader.daywords import NUMBERS
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import compiled, lexicon
from uac_nb.reader.phrases import Phrase, noun_phrase
from uac_nb.reader.tokens import Amount, decimal

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
_COSTS = compiled(rf" (?:only |just )?(?:cost|was) {_ABOUT}(?P<money><money>)")  # said of what is known to be bought
SAME = "same"  # the currency, of a price that is put right without one
_BARE = compiled(
    r" (?:only |just )?(?:cost|was) (?P<number>\d{1,3}(?:[,. ]\d{3})+|\d{2,}(?:[.,]\d\d)?)(?:,? (?:and )?not \d[\d ,.]*)?\W*$"
)
_CAME_TO = compiled(rf" (?:<date> )?came to {_ABOUT}(?P<money><money>)")
_NOT_BOUGHT = compiled(r"(?:buy|purchase|order|get) (?=(?:the|that|an?) )")
_GIVEN_BACK = compiled(r"(?:returned|sent back|took back|brought back) (?=(?:the|my|that|those)\b)")
_PRICED = compiled(r"(?:an? |the |some |this )?(?:new )?<money> ?")
_ARTICLE = compiled(r"(?:an?|some|two|three|new|my|our|\d+) ")
_EACH = compiled(r" ?(?:each|apiece|a pop|a piece|per (?:piece|ticket|person)|a person)\b")
_EVERY = compiled(r" ?(?:per\b|an? (?:month|year|week|day|night|hour)|/|monthly|yearly|every)")
_RECURRING = "per (?:month|year|week)|a month|monthly|a year|yearly|annually|every month|each month|subscription"
_INEXACT = compiled(r"\b(?:about|around|almost|nearly|over|roughly|under) $")
_SHOP = compiled(r"\b(?:from|at) (?:the )?(?P<shop><Word>(?: (?:<Word>|of|&|and(?= (?-i:[A-Z]))))*)")
_GAINS = lexicon(
    "raise bonus refund check cheque loan mortgage grant offer quote discount deal rebate estimate job scholarship tip"
)
_NO_THING = lexicon("time attention money tickets flights flight")


@dataclass(frozen=True, slots=True)
class _Deal:
    """What was bought, how it is called, what was paid for it, and how many of them for how much each, where that was said."""

    item: Phrase
    title: str
    price: Amount | None = None
    number: int = 1  # the price is that of each


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
    if clause.negated or _PLANNED.search(clause.masked, 0, clause.body + 1):
        return
    deals = _deals(clause)
    if any(deal.item.vague or _RECEIVER.match(deal.title) for deal in deals) or (clause.amounts and clause.has(_RECURRING)):
        return
    if not deals and clause.corrects and (thing := noun_phrase(clause.masked, clause.head)):
        yield from _corrected(clause, thing)
    known = {"known": "yes"} if deals and clause.corrects and _COSTS.match(clause.masked, deals[0].item.end) else {}
    for deal in deals:
        yield Finding("purchase", deal.title.lower(), who, "assert", _told(clause, deal, deals) | known, clause.span)


def _corrected(clause: Clause, thing: Phrase) -> Iterator[Finding]:
    """ "Correction: the desk was 1 090, not 1 190": of what was bought for some currency before."""
    match = _BARE.match(clause.masked, thing.end)
    if match and not thing.vague:
        slots = {
            "item": thing.text,
            "amount": f"{decimal(match['number']):f}",
            "currency": SAME,
            "known": "yes",
            "said": match["number"],
        }
        yield Finding("purchase", thing.key, "me", "assert", slots, clause.span)


_RECEIVER = compiled(r"<relation>(?= [a-z]|$)(?!.*\b(?:food|toys?|bed|bowl|flap|litter|seat|clothes|shoes)\b)")
_DEFINITE = compiled(r"\b(?:the|my|our|that|this|those|these) (?:new )?$")
_PLANNED = compiled(r"\b(?:will|shall|gonna|going to|about to|tomorrow)\b|'ll\b")


def _told(clause: Clause, deal: _Deal, deals: list[_Deal]) -> dict[str, str]:
    first = deal.item.start == clause.head and clause.start == clause.sentence  # the capital is that of the sentence
    slots = {"item": deal.title.lower() if first else deal.title}
    if _DEFINITE.search(clause.masked, 0, deal.item.start):
        slots["definite"] = "yes"  # one that was spoken of before
    if deal.price:
        paid = f"{Decimal(deal.price.amount) * deal.number:f}"
        slots |= {"amount": paid, "currency": deal.price.currency}
        if deal.number > 1:
            slots["why"] = f"{deal.number} at {deal.price.amount} {deal.price.currency} each"
        if _INEXACT.search(clause.masked, 0, deal.price.start):
            slots["doubt"] = "the exact price"
    following = [other.item.start for other in deals if other.item.start > deal.item.start]
    shops = list(_SHOP.finditer(clause.masked, deals[0].item.end))
    own = [s for s in shops if s.start() > deal.item.end and (not following or s.start() < following[0])]
    if shop := next(iter(own or (shops if len(shops) == 1 and shops[0].start() > deals[-1].item.end else [])), None):
        slots["shop"] = shop["shop"].removesuffix("'s")
    if (dated := clause.date()) and clause.tense != "future":  # "tickets for Friday" were bought before
        slots |= {"start": dated.when} | ({"doubt": dated.doubt} if dated.doubt else {})
    return slots


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
    return fragment or clause.corrects or clause.has("(?:cost|set) (?:me|us)|came to")


def _deals(clause: Clause) -> list[_Deal]:
    """What was bought, one by one."""
    text = clause.masked
    if match := _PAY.match(text, clause.body):
        return _priced_first(clause, match.start("money"))
    if match := _BUY.match(text, clause.body):
        return _listed(clause, match.end(), sure=bool(match["sure"]))
    if match := _PAID.match(text, clause.body):
        item = noun_phrase(text, match.end()) or Phrase(match["whom"], match.start("whom"), match.end())
        return _one(clause, item, match.start("money"))
    if match := _AT.match(text, clause.body):
        shop = Phrase(f"shopping at {match['shop'].removesuffix(POSSESSIVE)}", match.start("shop"), match.start("shop"))
        return _one(clause, shop, match.start("money"))
    thing = noun_phrase(text, clause.head) if not clause.subject or clause.inherited else None
    price = (_COST.match(text, thing.end) or _CAME_TO.match(text, thing.end)) if thing else None
    if thing and not price and clause.corrects:
        price = _COSTS.match(text, thing.end)
    return _one(clause, thing, price.start("money")) if thing and price else []


POSSESSIVE = "'s"


def _one(clause: Clause, item: Phrase, money: int) -> list[_Deal]:
    """A thing and the price that stands at an offset; nothing where that is asked again and again, or for each of some."""
    price = clause.amount_at(money)
    again = price and (_EACH.match(clause.masked, price.end) or _EVERY.match(clause.masked, price.end))
    return [] if again else [_Deal(item, _counted(clause.masked, item)[0], price)]


_NEXT = compiled(r",? (?:and|plus|as well as) (?:then )?(?:another )?|, (?!<money>)(?:and )?(?:another )?")
_FOR = compiled(rf" (?:<date> )?(?:on|for|to buy|buying) {_ABOUT}")


def _priced_first(clause: Clause, at: int) -> list[_Deal]:
    """ "20 euros for a scarf and 35 euros for gloves"."""
    text, deals = clause.masked, list[_Deal]()
    while (price := clause.amount_at(at)) and (link := _FOR.match(text, price.end) or _TOTAL.match(text, price.end)):
        item = noun_phrase(text, link.end())
        if item is None:
            break
        deals += _shared(clause, [item], price, _EACH.match(text, item.end) is not None)
        following = _NEXT.match(text, item.end)
        if not following:
            break
        at = following.end()
    return deals


_TOTAL = compiled(r" in total (?:on|for) ")


def _listed(clause: Clause, start: int, *, sure: bool) -> list[_Deal]:
    """ "a $400 espresso machine", "a desk for €199 and a lamp for €40", "a kettle and a toaster for 70 euros".

    Without a price a thing needs an article, as in "bought a camera".
    """
    text, deals, waiting = clause.masked, list[_Deal](), list[Phrase]()
    for item, price, before in _parts(clause, start):
        waiting.append(item)
        if price is None:
            continue
        if _EVERY.match(text, price.end) or (before and len(waiting) > 1):
            return []  # "a lamp and a $40 rug": of the first there is no price
        deals += _shared(clause, waiting, price, _EACH.match(text, price.end) is not None)
        waiting = []
    unpriced = [item for item in waiting if (sure or deals) and _stands_alone(text, item)]
    return [*deals, *(_Deal(item, _counted(text, item)[0]) for item in unpriced)]


def _parts(clause: Clause, start: int) -> Iterator[tuple[Phrase, Amount | None, bool]]:
    """The things of a list, each with the price that stands by it, and whether that stands before it."""
    text, first = clause.masked, True
    shops = [match.span() for match in _SHOP.finditer(text, start)]  # "at Marks and Spencer" is no list
    while True:
        before = _PRICED.match(text, start)
        item = noun_phrase(text, before.end() if before else start)
        if item is None or _GAINS.intersection(item.key.split()) or not (first or _goes_on(text, start, item)):
            return
        links = (
            m for m in _NEXT.finditer(text, item.end) if not any(low < m.end() and m.start() < high for low, high in shops)
        )
        link = next(links, None)
        end = link.start() if link else len(text)
        yield item, next((a for a in clause.amounts if start <= a.start < end), None), before is not None
        if link is None:
            return
        start, first = link.end(), False


def _goes_on(text: str, start: int, item: Phrase) -> bool:
    """Whether a list of things goes on here, and not with what else was done ("and sold the old one")."""
    return bool(_ARTICLE.match(text, start) or _PRICED.match(text, start) or _ENDS.match(text, item.end))


_ENDS = compiled(r" ?(?:$|[.,;!?]|(?:for|at|and|costing|from|on|to buy)\b|<date>|<money>)")


_BARE_ARTICLE = compiled(rf"{_ARTICLE.pattern}(?:<money> ?)?$")


def _stands_alone(text: str, item: Phrase) -> bool:
    """Whether it is a thing although nothing was said of its price."""
    return bool(_BARE_ARTICLE.search(text[: item.start])) and item.key.split()[-1] not in _NO_THING


def _shared(clause: Clause, items: list[Phrase], price: Amount, each: bool) -> list[_Deal]:
    """Things and their price: that of all together, or of each; nothing where it is not told how many there are."""
    text = clause.masked
    if not each:
        low, high = items[0], items[-1]
        names = [_counted(text, item)[0] for item in items]
        joined = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        return [_Deal(Phrase(joined, low.start, high.end), joined, price)]
    counted = [_counted(text, item) for item in items]
    if len(items) == 1 and counted[0][1] < 2:
        return []
    return [_Deal(item, title, price, max(number, 1)) for item, (title, number) in zip(items, counted, strict=True)]


_NUMBER = compiled(r"\b(?P<number>\d{1,3}|[a-z]+) (?:new |more )?(?:<money> ?)?$")


def _counted(text: str, item: Phrase) -> tuple[str, int]:
    """The title of some things, and how many they are; 1 where no number stands before them."""
    match = _NUMBER.search(text, 0, item.start)
    word = match["number"].lower() if match else ""
    number = int(word) if word.isdigit() else NUMBERS.get(word, 1)
    return (f"{word} {item.text}", number) if number > 1 else (item.text, 1)


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
