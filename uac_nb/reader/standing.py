"""What goes on by itself: accounts, payments that recur, subscriptions that renew."""

from __future__ import annotations

import re
from collections.abc import Iterator

from uac_nb.reader.clauses import Clause
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import compiled

_ACCOUNT = compiled(
    r"\b(?P<verb>closing|closed|close|cancelling|opened|opening) (?:my|our|a|the|an) "
    r"(?:new |old )?(?P<title>(?:<Word> ){1,4}(?:(?:checking|savings|current|brokerage|bank|joint|credit|investment|"
    r"money market) )*account)\b"
)
_PRODUCT = r"(?P<title>(?-i:[A-Z][\w&'+-]*)(?: (?-i:[A-Z][\w&'+-]*))*)"
_RENEWS = compiled(
    r"\b(?:my|our|the) (?P<title>[\w&'+-]+(?: [\w&'+-]+){0,3}?) (?:auto-?)?(?:renews|will renew|is renewing) "
    r"(?:automatically )?(?:(?:on|in) )?(?P<date><date>)"
)
_TRIAL = compiled(
    rf"\b(?:my|our|the) (?:free )?{_PRODUCT} (?:free )?trial (?:ends?|expires?|runs? out|is up|is over) "
    r"(?:(?:on|in) )?(?P<date><date>)"
)
_EVERY = r"(?:(?:an?|per|each|every|/) ?(?P<every>week|month|year)|(?P<ly>weekly|monthly|yearly|annually))"
_SUBSCRIBED = compiled(
    rf"\b(?:subscribed to|signed up for|subscribe to|pay for|paying for) {_PRODUCT} "
    rf"(?:(?:for|at|,|-) )?(?P<money><money>) ?{_EVERY}"
)
_PAYS_FOR = compiled(rf"\b(?:pay|paying) (?P<money><money>) ?{_EVERY} for (?:my )?{_PRODUCT}")
_CANCELS = compiled(
    r"\b(?:cancell?ed|ended|stopped) (?:my|our) (?P<title>[\w+&'-]+(?: [\w+&'-]+){0,2}?) (?:subscription|membership|plan|"
    r"trial)\b"
)
_KIND = (
    "rent|mortgage|insurance|gym|phone|internet|electricity|car|loan|student loan|utility|water|gas|credit card|daycare|"
    "tuition|membership"
)
_PAYMENT = compiled(
    rf"\b(?P<title>(?:(?:{_KIND}) )*(?:{_KIND}|bill|payment|fee|membership)(?: (?:payment|bill|fee|membership))?)\b"
)
_RENT = compiled(r"\b(?:my|our|the) (?:new )?(?:rent|mortgage) (?:is|will be|went (?:up|down) to|costs?)(?: now)? <money>")
_RECURS = compiled(_EVERY)
_INEXACT = compiled(r"\b(?:about|around|almost|nearly|over|roughly|under|approximately) $")
_MONTHLY = compiled(r"\bthe (?P<day>\d{1,2})(?:st|nd|rd|th) of (?:each|every|the) month\b")
_AUTOMATIC = compiled(r"\bauto-?pay\b|\bautomatic\w*\b|\bdirect debit\b")
_FROM = compiled(r"\bfrom (?:my|our) (?P<account>(?:<Word> ){1,3}(?:\w+ )?account)")


def standing(clause: Clause) -> Iterator[Finding]:
    """Accounts, subscriptions, recurring payments."""
    mine = clause.about in ("me", "")
    yield from _accounts(clause) if mine else ()
    text = clause.masked
    if match := _CANCELS.search(text) if mine else None:
        yield Finding(
            "subscription", match["title"].lower(), "me", "retract", {"title": f"{match['title']} subscription"}, clause.span
        )
    elif _OVER.search(text) or _denied(clause):
        return
    elif (match := _RENEWS.search(text) or _TRIAL.search(text)) and "'s" not in match["title"]:
        dated = clause.date_at(match.start("date"))
        day = {("trial_ends" if match.re is _TRIAL else "renews"): dated.when if dated else ""}
        yield _subscription(clause, match["title"], day)
    elif (match := (_SUBSCRIBED.search(text) or _PAYS_FOR.search(text)) if mine else None) and _every(match) != "week":
        yield _subscription(clause, match["title"], {"every": _every(match)})
    else:
        yield from _payments(clause)


_OVER = compiled(r"\b(?:was|were|used to|no longer|any ?more|stopped|had been|have been)\b|\b(?:paid|had)\b[^.]*<money>")
_THEIRS = compiled(r"(?:\b(?:his|her|their|your)|'s) (?:\w+ )?$")
_SERVICE = compiled(" (?:subscription|plan)$")
_NAMED = compiled(r".*\b(?:membership|insurance|policy|pass|licen[cs]e|domain)$")


def _subscription(clause: Clause, words: str, slots: dict[str, str]) -> Finding:
    """Called "Netflix subscription"; "gym membership" and the like keep their name."""
    product = _SERVICE.sub("", words)
    title = product if _NAMED.match(product) else f"{product} subscription"
    return Finding("subscription", product.lower(), "me", "assert", {"title": title, **slots, **_price(clause)}, clause.span)


def _denied(clause: Clause) -> bool:
    return clause.negated or any(clause.denied(amount.start) for amount in clause.amounts)


def _accounts(clause: Clause) -> Iterator[Finding]:
    match, dated = _ACCOUNT.search(clause.masked), clause.date()
    if match is None or clause.denied(match.start()):
        return
    verb = match["verb"].lower()
    status = "open" if verb.startswith("open") else "closed" if verb == "closed" else "closing"
    slots = {"title": match["title"], "status": status} | ({"closes": dated.when} if dated and status != "open" else {})
    yield Finding("account", match["title"].lower(), "me", "assert", slots, clause.span)


def _payments(clause: Clause) -> Iterator[Finding]:
    """ "my rent is $1,500, due on the 1st of every month"."""
    rest = clause.whole[clause.whole.find(clause.text) :]
    match, monthly, recurs = _PAYMENT.search(rest), _MONTHLY.search(rest), _RECURS.search(rest)
    if (
        not match
        or clause.about not in ("me", "")
        or clause.subject == "someone"
        or _THEIRS.search(rest[: match.start()])
        or len(clause.amounts) != 1
        or not (monthly or recurs or _RENT.search(clause.masked))
        or not re.search(r"\b(?:[Mm]y|[Oo]ur|I|[Ww]e)\b", clause.whole)
    ):
        return
    title = match["title"].lower()
    slots = {"title": title, "every": "month" if monthly or not recurs else _every(recurs), **_price(clause)}
    if _INEXACT.search(clause.masked[: clause.amounts[0].start]):
        slots["doubt"] = "the exact amount"
    elif not (monthly or recurs):
        slots["doubt"] = "whether it is paid every month"
    if monthly:
        slots["day"] = monthly["day"]
    if _AUTOMATIC.search(rest):
        slots["method"] = "autopay"
    if account := _FROM.search(rest):
        slots["account"] = account["account"]
    yield Finding("payment", title, "me", "assert", slots, clause.span)


def _every(match: re.Match[str]) -> str:
    return match["every"] or {"weekly": "week", "monthly": "month"}.get((match["ly"] or "").lower(), "year")


def _price(clause: Clause) -> dict[str, str]:
    return {"amount": clause.amounts[0].amount, "currency": clause.amounts[0].currency} if clause.amounts else {}
