"""Payments and subscriptions against the accounts and cards that they are drawn on, and against the calendar."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from uac_nb.rules import (
    Alert,
    Money,
    When,
    add_months,
    conflict,
    day,
    following,
    left,
    listed,
    live,
    over_limit,
    rule,
    running_out,
    said,
    side,
)
from uac_nb.rules.words import Side, capital, on, own, plus, recurrence
from uac_nb.starter.rules.limits import passed_over
from uac_nb.starter.types.money import Account, Card, Payment, Subscription


@rule("critical")
def payment_from_closed_account(
    payments: Iterable[Payment], subscriptions: Iterable[Subscription], accounts: Iterable[Account], *, today: date
) -> Iterator[Alert]:
    """Money is to be drawn on an account that is closed, or will be, when it falls due."""
    by_id = {a.id: a for a in accounts}
    closing = {a.id: a for a in by_id.values() if a.status != "open" or a.closes}
    for charge in _charges(payments, subscriptions, closing, today):
        account = closing[charge.account]
        if account.closes and charge.due.last <= account.closes.first:
            continue
        sure = charge.due.first > account.closes.last if account.closes else account.status == "closed"
        missed = _missed(charge, account, today)
        successor = by_id.get(account.replaced_by or "")
        fails = "The automatic payment {} fail." if charge.automatic else "That account {} be missing then."
        check = f"Check today whether that of {day(missed)} went through, and move" if missed else "Move"
        target = own(successor) if successor else "another account"
        yield conflict(
            _going_out(charge), "comes after" if sure else "may come after",
            Side(account, f"the closing of {own(account)} ({_closing(account, today)})"),
            because=fails.format("will" if sure else "may")
            + (f" The one of {day(missed)} fell after the closing too, and may have failed." if missed else ""),
            do=f"{check} {own(charge.record)} to {target} before {day(charge.due)}.",
            also=[successor] if successor else [], severity=None if sure else "warning", occurrence=charge.due.text,
        )  # fmt: skip


def _missed(charge: Charge, account: Account, today: date) -> When | None:
    """The first payment that fell due after the closing and before today."""
    if account.closes is None or charge.payment is None:
        return None
    due = next_due(charge.payment, plus(account.closes.last, 1))
    return due if due and due < today else None


def _closing(account: Account, today: date) -> str:
    if account.closes is None:
        return f"{account.status} as of {day(today)}, no day recorded"
    if account.status == "closed":
        return f"closed {on(account.closes)}"
    past = account.closes < today
    return f"{'was ' if past else ''}planned {on(account.closes)}{', not confirmed' if past else ''}"


@rule("warning")
def charge_on_unusable_card(
    payments: Iterable[Payment],
    subscriptions: Iterable[Subscription],
    cards: Iterable[Card],
    *,
    today: date,
    lead_days: int = 60,
) -> Iterator[Alert]:
    """Money is to be drawn, within two months, on a card that has run out by then, or is lost, frozen or cancelled."""
    by_id = {c.id: c for c in cards}
    for charge in _charges(payments, subscriptions, by_id, today):
        card = by_id[charge.account]
        if (charge.due.first - today).days > lead_days:
            continue
        if card.status != "active":
            relation, state = "cannot be drawn on", f"{card.status} as far as recorded"
        elif card.expires and card.expires.last < charge.due.first:
            relation, state = "comes after the end of", f"expires {on(card.expires)}"
        else:
            continue
        yield conflict(
            _going_out(charge), relation, side(card, state), because="The charge will fail.",
            do=f"Put another card on {own(charge.record)} before {day(charge.due)}.", occurrence=charge.due.text,
        )  # fmt: skip


@rule("warning")
def payments_exceed_balance(
    payments: Iterable[Payment], accounts: Iterable[Account], *, today: date, within_days: int = 7, fresh_days: int = 14
) -> Iterator[Alert]:
    """What is drawn on an account within days is more than it last held."""
    held = {
        a.id: (a.balance, a.balance_on, a) for a in accounts
        if live(a) and a.balance and a.balance_on and 0 <= (today - a.balance_on.first).days <= fresh_days
    }  # fmt: skip
    drawn: dict[str, list[tuple[Payment, When]]] = defaultdict(list)
    others: dict[str, list[tuple[Payment, Money]]] = defaultdict(list)
    for p in payments:
        due = next_due(p, today) if p.account in held and p.method == "autopay" and live(p) else None
        if p.account and due and (due.last - today).days <= within_days:
            if p.amount.currency == held[p.account][0].currency:
                drawn[p.account].append((p, due))
            else:
                others[p.account].append((p, p.amount))
    for id, dues in drawn.items():
        balance, balance_on, account = held[id]
        total = sum((p.amount for p, _ in dues), start=Money(0, balance.currency))
        if total > balance:
            first_due, last_due = min(due.key for _, due in dues)[0], max(due.key for _, due in dues)[1]
            yield over_limit(
                Side(account, f"{total} due from {own(account)} by {day(last_due)}, which held {balance} {on(balance_on)}"),
                because=f"{total - balance} is missing for {listed(f'{own(p)} ({p.amount} {on(due)})' for p, due in dues)}."
                + passed_over(others[id]),
                do=f"Move at least {total - balance} into {own(account)} before {day(first_due)}.",
                also=[p for p, _ in (*dues, *others[id])], occurrence=first_due.isoformat(),
            )  # fmt: skip


@rule("warning")
def trial_ends(subscriptions: Iterable[Subscription], *, today: date, lead_days: int = 3) -> Iterator[Alert]:
    """A free trial turns into a charge within days, and nobody said that it should."""
    for s in subscriptions:
        if live(s) and s.trial_ends and s.intent != "keep" and 0 <= (s.trial_ends.first - today).days <= lead_days:
            price = f"{s.price} a {s.every}" if s.price else "a charge"
            yield running_out(
                Side(s, f"the free trial of {own(s)} (ends {on(s.trial_ends)}; then {price})"),
                because=f"{capital(left((s.trial_ends.first - today).days))}.{said(s)}",
                do=f"Cancel by {day(s.trial_ends.first)} if you do not want to pay {price}.", occurrence=s.trial_ends.text,
            )  # fmt: skip


@rule("warning")
def unwanted_subscription_renews(subscriptions: Iterable[Subscription], *, today: date, lead_days: int = 7) -> Iterator[Alert]:
    """Something that was to be cancelled is about to renew."""
    for s in subscriptions:
        due = next_renewal(s, today) if live(s) and s.intent == "cancel" and s.trial_ends is None else None
        if due and 0 <= (due.first - today).days <= lead_days:
            yield running_out(
                side(s, "you want to cancel it", f"renews {on(due)}{f' for {s.price}' if s.price else ''}"),
                because=f"{capital(left((due.first - today).days))}.{said(s)}",
                do=f"Cancel it before {day(due)}.", occurrence=due.text,
            )  # fmt: skip


# --- when money goes out ---


@dataclass(frozen=True, slots=True)
class Charge:
    """The next time that a payment or subscription takes money from an account or card."""

    record: Payment | Subscription
    account: str
    due: When
    amount: Money | None
    automatic: bool
    payment: Payment | None = None  # the record, where it is one: a user's own type is not ours


def _charges(
    payments: Iterable[Payment], subscriptions: Iterable[Subscription], accounts: Collection[str], today: date
) -> Iterator[Charge]:
    """What is still to be drawn on these accounts or cards, each with its next day."""
    for p in payments:
        if p.account and p.account in accounts and live(p) and (due := next_due(p, today)):
            yield Charge(p, p.account, due, p.amount, p.method == "autopay", payment=p)
    for s in subscriptions:
        if s.account and s.account in accounts and live(s) and s.intent != "cancel" and (due := next_renewal(s, today)):
            yield Charge(s, s.account, due, s.price, True)


def _going_out(charge: Charge) -> Side:
    how = charge.payment.method if charge.payment else "renews by itself"
    amount = f" of {charge.amount}" if charge.amount else ""
    return Side(charge.record, f"{own(charge.record)}{amount} ({how}; next due {on(charge.due)})")


def next_due(payment: Payment, start: date) -> When | None:
    """The first day from `start` on that a payment is due; None where there is none, or its day is not known."""
    if recurrence(payment):
        again = following(payment, start)
        return again.on if again else None
    if payment.every == "once":
        due = payment.on if payment.on and payment.on.last >= start else None
    elif payment.every == "week":
        due = _weekly(payment.day, start)
    elif payment.every == "month":
        due = _monthly(payment.day, start.month, 1, start)
    else:
        due = _monthly(payment.day, payment.month, 12, start)
    return None if due is None or (payment.until and due > payment.until.last) else due


def _weekly(weekday: int | None, start: date) -> When | None:
    return When(start + timedelta((weekday - 1 - start.weekday()) % 7)) if weekday and 1 <= weekday <= 7 else None


def _monthly(day_of_month: int | None, month: int | None, step: int, start: date) -> When | None:
    """The next such day; in a month without it, the month's last day."""
    if not (day_of_month and month and 1 <= day_of_month <= 31 and 1 <= month <= 12):
        return None
    firsts = (add_months(date(start.year, month, 1), step * count) for count in range(3))
    days = (min(first + timedelta(day_of_month - 1), add_months(first, 1) - timedelta(1)) for first in firsts)
    return next(When(due) for due in days if due >= start)


def next_renewal(subscription: Subscription, start: date) -> When | None:
    """The first day from `start` on that a subscription renews, counted on from the one that was told."""
    renews = subscription.renews
    if recurrence(subscription) and (again := following(subscription, max(start, renews.first) if renews else start)):
        return again.on
    if renews is None or not renews.exact or renews.date >= start:
        return renews if renews and renews.last >= start else None
    step = 1 if subscription.every == "month" else 12
    months = (start.year - renews.date.year) * 12 + start.month - renews.date.month
    counts = range(months - months % step, months + 2 * step + 1, step)
    return next(When(due) for count in counts if (due := add_months(renews.date, count)) >= start)
