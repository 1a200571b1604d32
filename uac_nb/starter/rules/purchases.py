"""Things bought against the last day to return them, and against their warranty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from uac_nb.rules import Alert, Severity, When, day, left, rule, running_out, said
from uac_nb.rules.words import Side, capital, ended, on, own, plus
from uac_nb.starter.types.money import Purchase

VAGUE = timedelta(7)  # a last day that is known less well is not worth an alert


@rule("info")
def return_window_closing(purchases: Iterable[Purchase], *, today: date, lead_days: int = 7) -> Iterator[Alert]:
    """Something that may still go back can be given back for only a few days more."""
    for p in purchases:
        if p.decision not in ("undecided", "return") or (window := _window(p)) is None:
            continue
        until, remaining = window.first, (window.first - today).days
        if not 0 <= remaining <= lead_days or window.last - window.first > VAGUE:
            continue
        late = f" You meant to decide {on(p.decide_by)}." if p.decide_by and p.decide_by < today else ""
        closes = f"It closes on {day(until)}{'' if window.exact else ' at the earliest'}"
        counted = f"{left(remaining)}, counted from today, {day(today)}" if remaining else left(0)
        shop, to = (f" from {p.shop}", f" to {p.shop}") if p.shop else ("", "")
        yield running_out(
            Side(p, f"the return window for {own(p)}{shop} ({_bought(p)})"),
            because=f"{closes}: {counted}.{late}{said(p)}",
            do=f"Return it{to} by {day(until)}, {'as you decided' if p.decision == 'return' else 'or decide to keep it'}.",
            severity=_urgency(p, remaining), occurrence=until.isoformat(),
        )  # fmt: skip


def _urgency(p: Purchase, remaining: int) -> Severity | None:
    """Only what is to go back, or shows a fault, is urgent: most of what is bought is kept, and nobody says so."""
    if p.decision == "return" or p.problem or p.decide_by:
        return "critical" if remaining <= 1 else "warning" if remaining <= 3 else None
    return "warning" if remaining <= 1 else None


def _window(p: Purchase) -> When | None:
    """The last day on which it can be given back, as exactly as that is known."""
    if p.return_by or not p.return_days:
        return p.return_by
    first, last = plus(p.bought.first, p.return_days), plus(p.bought.last, p.return_days)
    return When(first) if first == last else When(f"{first}/{last}")


@rule("warning")
def warranty_ends_with_problem(purchases: Iterable[Purchase], *, today: date, lead_days: int = 30) -> Iterator[Alert]:
    """Something has a fault, and its warranty ends within a month."""
    for p in purchases:
        if not p.problem or p.warranty_until is None or p.decision == "returned":
            continue
        remaining = (p.warranty_until.first - today).days
        if 0 <= remaining <= lead_days:
            yield running_out(
                Side(p, f"the warranty of {own(p)} (ends {on(p.warranty_until)}; {_bought(p)})"),
                because=f"{capital(left(remaining))}, and there is a problem: {ended(p.problem)}{said(p)}",
                do=f"Have it repaired or replaced{f' by {p.shop}' if p.shop else ''} by {day(p.warranty_until.first)}.",
                occurrence=p.warranty_until.text,
            )  # fmt: skip


def _bought(p: Purchase) -> str:
    policy = f"{p.return_days}-day return policy" if p.return_days else ""
    return "; ".join(filter(None, [str(p.price) if p.price else "", f"bought {on(p.bought)}", policy]))
