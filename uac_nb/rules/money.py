"""`Money`: an amount of one currency, exact to the cent."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}


@dataclass(frozen=True, slots=True)
class Money:
    """An amount of one currency (ISO 4217, three capital letters). Sums start at 0; mixed currencies raise ValueError.

    >>> sum([Money("12.50", "EUR"), Money(3, "EUR")])
    Money("15.50", "EUR")
    """

    amount: Decimal
    currency: str

    def __init__(self, amount: Decimal | str | int | float, currency: str) -> None:
        try:
            exact = Decimal(str(amount))
        except ArithmeticError:
            raise ValueError(f"Money({amount!r}, …): write the amount as a number, as in Money('12.50', 'EUR')") from None
        if not exact.is_finite():
            raise ValueError(f"Money({amount!r}, …): the amount has to be a finite number")
        if not (isinstance(currency, str) and len(currency) == 3 and currency.isascii() and currency.isupper()):
            raise ValueError(f"Money(…, {currency!r}): write the currency as three capital letters, as in 'EUR'")
        object.__setattr__(self, "amount", exact)
        object.__setattr__(self, "currency", currency)

    def __repr__(self) -> str:
        return f'Money("{self.amount}", "{self.currency}")'

    def __str__(self) -> str:
        cents = self.amount != self.amount.to_integral_value()
        amount = f"{abs(self.amount):,.2f}" if cents else f"{abs(self.amount):,.0f}"
        minus = "-" if self.amount < 0 else ""
        sign = SIGNS.get(self.currency)
        return f"{minus}{sign}{amount}" if sign else f"{minus}{amount} {self.currency}"

    def _same(self, other: Money) -> Decimal:
        if self.currency != other.currency:
            raise ValueError(f"{self} and {other} are of different currencies; group by .currency first")
        return other.amount

    def __add__(self, other: Money | int | None) -> Money:
        if isinstance(other, Money):
            return Money(self.amount + self._same(other), self.currency)
        if other is None:
            raise TypeError("an amount is missing; leave out what has none, as in sum(p.price for p in purchases if p.price)")
        return self if other == 0 else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Money) -> Money:
        return Money(self.amount - self._same(other), self.currency) if isinstance(other, Money) else NotImplemented

    def __neg__(self) -> Money:
        return Money(-self.amount, self.currency)

    def __mul__(self, times: int | float | Decimal) -> Money:
        return Money(self.amount * Decimal(str(times)), self.currency)

    __rmul__ = __mul__

    def __truediv__(self, other: int | float | Decimal | Money) -> Money | Decimal:
        """A share of it, or, divided by Money, how many times the other it is."""
        if isinstance(other, Money):
            return self.amount / self._same(other)
        return Money(round(self.amount / Decimal(str(other)), 2), self.currency)

    def __lt__(self, other: Money) -> bool:
        return self.amount < self._same(other)

    def __le__(self, other: Money) -> bool:
        return self.amount <= self._same(other)

    def __gt__(self, other: Money) -> bool:
        return self.amount > self._same(other)

    def __ge__(self, other: Money) -> bool:
        return self.amount >= self._same(other)

    def __bool__(self) -> bool:
        return bool(self.amount)
