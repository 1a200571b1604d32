"""What was spent, over all collections by which money goes out: purchases, expenses, payments, meals with a price.

An answer names what it counted. What goes out again and again (rent, subscriptions) is recorded with its rhythm and not
payment by payment, so it is told beside the sum and never added to it. Currencies stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from uac_nb.ask import code, reader, say
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.one import maybe, unsure
from uac_nb.ask.plan import Condition, Plan, happened, holds_now, is_nearly, is_one, not_one, not_over
from uac_nb.ask.question import Question, read
from uac_nb.ask.scene import Lost, lost
from uac_nb.ask.view import Slot, View
from uac_nb.ask.words import bag, root, singular
from uac_nb.ask.world import World
from uac_nb.rules import Money, listed, name

NOTHING = "no spending of that kind is recorded"
NAMED = 3  # the score of a plan whose collection the question names
SHOWN = 6  # titles of what was counted
# Money that is kept, owed, limited or comes in.
NOT_SPENT = bag(
    "account budget limit investment income salary balance goal saving loan debt asset wage invoice earning deposit bonus "
    "risk job debtor stock portfolio subscription"
)
_SPENT = re.compile(r" how much (?:\w+ )*?(?:did|have|had|has|was|were) (?:.* )?(?:spend|spent|pay|paid) ")


@dataclass(frozen=True, slots=True)
class Part:
    """What of one collection counts, and what does not: what goes out again and again, and what was given back."""

    once: Plan | None
    often: Plan | None = None
    returned: Plan | None = None


def asks(asked: Asked) -> bool:
    """Whether a question is about money that was spent."""
    return _SPENT.search(read(asked.question, asked.world.today).text) is not None


def check(asked: Asked, plans: Sequence[Plan]) -> None:
    """Raise Lost where spending is compared or averaged that no collection is named for, and lies in several."""
    one = plans[0]
    ledger = {"transaction", "spending"} & {singular(word) for word in one.view.name.split("_")}
    words = {root(word) for word in asked.words.split()}
    if one.score >= NAMED or ledger or one.show not in ("more", "trend", "average", "top") or not words & {"spend", "spending"}:
        return
    also = [view.name for view in asked.world.views if view.records and _price(view)]
    if len(also) > 1:
        lost(f"what was spent lies in {listed(also)}")


def parts(question: str, world: World) -> tuple[Part, ...]:
    """The plans of a question what was spent, of which no collection is named; empty for another question.

    Raise Lost where none of the collections by which money goes out has anything of what is asked about.
    """
    if not _SPENT.search(read(question, world.today).text):
        return ()
    found = [part for view in world.views if (part := _part(question, view, world)).once or part.often]
    once = [part.once for part in found if part.once]
    if any(plan.score >= NAMED for plan in once):
        return ()
    if any(plan.show != "total" or plan.pick for plan in once):  # an average, say
        return () if len(once) == 1 else lost(f"it can be about {' or '.join(plan.view.name for plan in once)}")
    return tuple(found) or _nothing(world)


def _nothing(world: World) -> NoReturn:
    """Say that nothing of that kind was spent, and where that was looked up."""
    raise Lost(NOTHING, {view.name: "" for view in world.views if view.records and _price(view)})


def _part(question: str, view: View, world: World) -> Part:
    price = _price(view)
    if price is None:
        return Part(None)
    every, decision = view.slot("every"), view.slot("decision")
    once = None if every and "once" not in every.choices else _plan(read(question, world.today), view, world)
    if once and once.show == "total" and (once.measure is None or once.measure.slots != (price,)):
        once = None
    if once is None:
        return Part(None, _often(question, view, world, every) if every else None)
    returned = None
    if decision and "returned" in decision.choices and decision not in {s for c in once.where for s in c.slots}:
        returned = replace(once, where=(*once.where, is_one(decision, ("returned",))))
        once = replace(once, where=(*once.where, not_one(decision, ("returned",))))
    once = replace(once, where=(*once.where, *_made(view, every)))
    return Part(once, _often(question, view, world, every) if every else None, returned)


def _plan(q: Question, view: View, world: World) -> Plan | None:
    try:
        return reader.plan(q, view, world)
    except Lost:
        return None


def _price(view: View) -> Slot | None:
    """The field with what was paid; None where the records are of other money, or of none."""
    if NOT_SPENT & {singular(word) for word in view.name.split("_")} and not view.slot("every"):
        return None
    found = [s for s in view.slots if "cost" in s.labels and (s.kind == "money" or len(s.unit) == 3)]
    return found[0] if len(found) == 1 else None


def _made(view: View, every: Slot | None) -> list[Condition]:
    """What is told of as paid: not what lies ahead; of a single payment on order that it was made is not sure."""
    status, found = view.slot("status"), [is_one(every, ("once",))] if every else []
    if every and status and {"active", "done"} <= set(status.choices):
        found.append(is_nearly(status, ("done",), ("active",)))
    return [*found, *([happened(view.day)] if view.day and every else [])]


def _often(question: str, view: View, world: World, every: Slot) -> Plan | None:
    """What goes out again and again now, of the same kind, whatever the time that is asked about."""
    q = read(question, world.today)
    q = replace(q, left=re.sub(r"@p\d+", "·", q.left), periods=(), tense="present")
    plan = _plan(q, view, world)
    if plan is None:
        return None
    since, until = view.slot("since"), view.slot("until")
    now = [holds_now(since, until)] if since and until else [not_over(until)] if until else []
    again = [not_one(every, ("once",))] if "once" in every.choices else []
    return replace(plan, where=(*plan.where, *again, *now))


# --- the answer ---


def answer(asked: Asked, found: Sequence[Part]) -> Answer | None:
    """Add up what was spent. Raise Lost where nothing was, as far as is known."""
    plans = [part.once for part in found if part.once]
    query = _query(plans) if plans else ""
    value, records = asked.run(query) if plans else (None, ())
    aside = list(_aside(asked, found))
    if value is None or not records:
        return asked.unknown("; ".join(("no such payment is told of", *aside))) if aside else _nothing(asked.world)
    view = {r.id: plan.view for plan in plans for r in plan.view.records}
    open = {r.id for plan in plans for r in maybe(asked, plan)}
    priced = [r for r in records if _paid(r, view[r.id]) is not None]
    total, text = _sum(*value) if any(map(code.open_by, plans)) else _sum(value, value)
    if sum(_price(each) is not None and bool(each.records) for each in asked.world.views) > 1:
        text += _counted(plans, {r.id for r in priced} - open)
    doubts = unsure([r for r in priced if r.id in open])
    free = [(each, [r for r in records if view[r.id] is each and _paid(r, each) is None]) for each in _bought(plans)]
    unpriced = [say.unknown_of(some, each, "price") for each, some in free]
    return asked.computed(total, text, query, priced or records, doubts, *unpriced, *aside)


def _bought(plans: Sequence[Plan]) -> list[View]:
    """The collections of what is bought, of which a sum has to say what it leaves out."""
    return [plan.view for plan in plans if plan.view.verbs & {"buy", "pay", "spend"}]


def _aside(asked: Asked, found: Sequence[Part]) -> Iterator[str]:
    """What is not counted: what was given back, and what goes out again and again."""
    returned = [r for part in found if part.returned for r in _records(asked, part.returned)]
    if returned:
        yield f"not counted, since it was returned: {say.in_list([name(r) for r in returned])}"
    often = [_rhythm(r, part.often.view) for part in found if part.often for r in _records(asked, part.often)]
    if often:
        yield f"not counted, since it goes out again and again: {listed(often)}"


def _records(asked: Asked, plan: Plan) -> tuple[Any, ...]:
    return asked.run(code.joined([plan], [*code.select(plan, "records"), "len(records)"]))[1]


def _rhythm(record: Any, view: View) -> str:
    """ "rent (€900 a month)"."""
    amount = _paid(record, view)
    return name(record) if amount is None else f"{name(record)} ({say.in_words(amount)} a {record.every})"


def _paid(record: Any, view: View) -> Any:
    """What a record says was paid; None where it does not say."""
    price = _price(view)
    return getattr(record, price.name) if price else None


def _sum(sure: Sequence[Any], most: Sequence[Any]) -> tuple[Any, str]:
    """The sums by currency as value and text: one, or what it surely is and at most, or one for each currency."""
    if len(most) == 1:
        one = sure[0] if sure else most[0] - most[0]
        return (
            (one, say.in_words(one))
            if one == most[0]
            else ((one, most[0]), f"{say.in_words(one)}, perhaps {say.in_words(most[0])}")
        )
    text, more = listed(map(say.in_words, sure)), list(_more(sure, most))
    if not more:
        return list(sure), text
    open_ = listed(map(say.in_words, more))
    return list(sure), f"{text} for sure, and perhaps {open_} more" if sure else f"nothing for sure, perhaps {open_}"


def _more(sure: Sequence[Money], most: Sequence[Money]) -> Iterator[Money]:
    """What the sums may be more than they surely are, by currency."""
    known = {amount.currency: amount for amount in sure}
    for amount in most:
        more = amount - known.get(amount.currency, amount - amount)
        if more != amount - amount:
            yield more


def _counted(plans: Sequence[Plan], ids: set[str]) -> str:
    """ ": 2 purchases (kettle and raincoat) and 1 expense (rent)"; empty where nothing counts for sure."""
    texts = []
    for plan in plans:
        own = [name(r) for r in plan.view.records if r.id in ids]
        noun = plan.view.name.replace("_", " ")
        named = f" ({listed(own)})" if len(ids) <= SHOWN else ""
        texts += [f"{len(own)} {singular(noun) if len(own) == 1 else noun}{named}"] if own else []
    return f": {listed(texts)}" if texts else ""


def _query(plans: Sequence[Plan]) -> str:
    """The records that count from each collection, and the sums of what they cost."""
    doubtful = any(map(code.open_by, plans))
    lines: list[str] = []
    for plan in plans:
        twice = _twice(plan, plans[: plans.index(plan)])
        lines += code.select(plan, f"of_{plan.view.name}", possible=True, also=twice)
        lines += code.select(plan, f"sure_{plan.view.name}", also=twice) if doubtful else []
    lines.append(f"records = {' + '.join(f'of_{plan.view.name}' for plan in plans)}")
    lines += _TOTALS if all(_is_money(plan) for plan in plans) else _NUMBERS
    spent = [
        f"totals({' + '.join(code.amounts(plan, f'{which}_{plan.view.name}') for plan in plans)})" for which in ("sure", "of")
    ]
    return code.joined(plans, [*lines, ", ".join(spent if doubtful else spent[1:])])


_TOTALS = [
    "def totals(amounts):",
    "    found = {}",
    "    for amount in amounts:",
    "        found[amount.currency] = found.get(amount.currency, 0) + amount",
    "    return list(found.values())",
]
_NUMBERS = ["def totals(amounts):", "    return [round(sum(amounts), 2)]"]


def _is_money(plan: Plan) -> bool:
    price = _price(plan.view)
    return price is not None and price.kind == "money"


def _twice(plan: Plan, before: Sequence[Plan]) -> list[str]:
    """Leave out what another collection holds too: the same sum from the same words."""
    r, price = plan.view.var, _price(plan.view)
    found = []
    for other in before:
        theirs = _price(other.view)
        if price and theirs and _same(plan.view, price, other.view, theirs):
            same = f"{r}.{price.name} == each.{theirs.name} and set({r}.source) & set(each.source)"
            found.append(f"not any({same} for each in {other.view.name})")
    return found


def _same(view: View, price: Slot, other: View, theirs: Slot) -> bool:
    told = {(source, getattr(r, theirs.name)) for r in other.records for source in r.source}
    return any((source, getattr(r, price.name)) in told for r in view.records for source in r.source if getattr(r, price.name))
