"""Spending and risk against the limits that people set themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from uac_nb.rules import Alert, Money, When, add_months, conflict, day, listed, name, over_limit, rule, said
from uac_nb.rules.words import Side, on, own
from uac_nb.starter.types.money import Budget, Expense, Investment, Purchase, RiskLimit
from uac_nb.starter.types.people import Milestone

RISKS = ("low", "medium", "high")


@rule("warning")
def investment_above_risk_limit(
    investments: Iterable[Investment], risk_limits: Iterable[RiskLimit], milestones: Iterable[Milestone], *, today: date
) -> Iterator[Alert]:
    """Someone is about to take more risk than they decided to take."""
    reasons = {m.id: m for m in milestones}
    limits = [limit for limit in risk_limits if _holds(limit, today)]
    for investment in investments:
        for limit in limits if investment.status in ("considering", "ordered") else ():
            if limit.who == investment.who and RISKS.index(investment.risk) > RISKS.index(limit.max_risk):
                yield _too_risky(investment, limit, reasons.get(limit.because or ""))


def _too_risky(investment: Investment, limit: RiskLimit, reason: Milestone | None) -> Alert:
    when = f" {on(reason.on)}" if reason and reason.on else ""
    why = f"; because of the {name(reason)}, {reason.status}{when}" if reason else ""
    terms = f"{investment.risk} risk; {investment.status} since {day(investment.since)}"
    return conflict(
        Side(investment, f"{investment.amount} into {own(investment)} ({terms})"), "goes against your decision",
        Side(limit, f'"{limit.title}" (since {day(limit.since)}; at most {limit.max_risk} risk{why})'),
        because=f"Its risk is above the limit that you set.{said(investment)}{said(limit, 'Of the limit you said')}",
        do=f"Reconsider the {investment.amount} until you have decided whether that limit still holds.",
        also=[reason] if reason else [],
    )  # fmt: skip


@rule("warning")
def spending_over_budget(
    budgets: Iterable[Budget], expenses: Iterable[Expense], purchases: Iterable[Purchase], *, today: date
) -> Iterator[Alert]:
    """This month's spending in a category, planned included, is above its budget."""
    running = [budget for budget in budgets if _holds(budget, today)]
    spent = _this_month(expenses, purchases, today) if running else {}
    for budget in running:
        mine = spent.get((budget.who, budget.category.lower(), budget.limit.currency), [])
        total = sum((amount for _, amount in mine), start=Money(0, budget.limit.currency))
        if total > budget.limit:
            others = [
                pair for (who, category, currency), found in spent.items() for pair in found
                if (who, category) == (budget.who, budget.category.lower()) and currency != budget.limit.currency
            ]  # fmt: skip
            yield over_limit(
                Side(budget, f"{total} in {today:%B %Y}, against {own(budget)} of {budget.limit}"),
                because=f"{total - budget.limit} too much: {listed(f'{own(record)} ({amount})' for record, amount in mine)}."
                + passed_over(others),
                do=f"Put off or drop {total - budget.limit} of it, or raise the budget.",
                also=[record for record, _ in (*mine, *others)], occurrence=f"{today:%Y-%m}",
            )  # fmt: skip


def passed_over(others: Sequence[tuple[Any, Money]]) -> str:
    """What a sum leaves out since it is in another currency, as a sentence of its message; empty for nothing."""
    left_out = listed(f"{own(record)} ({amount})" for record, amount in others)
    return f" Not counted, in another currency: {left_out}." if others else ""


def _this_month(
    expenses: Iterable[Expense], purchases: Iterable[Purchase], today: date
) -> dict[tuple[str, str, str], list[tuple[Expense | Purchase, Money]]]:
    """What was surely spent in the month of `today`, by person, category and currency; told in two ways, it counts once."""
    first = today.replace(day=1)
    last = add_months(first, 1) - timedelta(1)
    found: dict[tuple[str, str, str], list[tuple[Expense | Purchase, Money]]] = defaultdict(list)
    for e in expenses:
        if e.on.first >= first and e.on.last <= last and e.status != "cancelled":
            found[e.who, e.category.lower(), e.amount.currency].append((e, e.amount))
    for p in purchases:
        if p.bought.first >= first and p.bought.last <= last and p.category and p.price and p.decision != "returned":
            told = found[p.who, p.category.lower(), p.price.currency]
            if not any(amount == p.price and set(e.source) & set(p.source) for e, amount in told):
                told.append((p, p.price))
    return found


def _holds(limit: RiskLimit | Budget, today: date) -> bool:
    since: When | None = limit.since
    return (since is None or since.first <= today) and (limit.until is None or limit.until.first >= today)
