"""Names, places and amounts to talk about: each of them once, so that a record can be told by what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import time
from itertools import product
from random import Random

from uac_nb.errors import UacError
from uac_nb.measure.eval.story import Said
from uac_nb.measure.eval.wording import book
from uac_nb.rules import Money

CURRENCIES = (
    ("EUR", 1, ("€{}", "{} euros", "{} EUR")), ("USD", 1, ("${}", "{} US dollars")), ("GBP", 1, ("£{}", "{} pounds")),
    ("JPY", 100, ("{} yen", "¥{}")), ("CHF", 1, ("{} Swiss francs", "{} CHF")), ("SEK", 10, ("{} Swedish kronor", "{} SEK")),
)  # fmt: skip


class Pool:
    """What one story draws from."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self._left: dict[str, Iterator[str]] = {}
        self._sports: list[list[str]] = []

    def take(self, name: str) -> str:
        """One that was not taken yet. Raise UacError when there are no more."""
        if name not in self._left:
            self._left[name] = iter(self._people() if name == "people" else self._shuffled(name))
        try:
            return next(self._left[name])
        except StopIteration:
            raise UacError(f"the eval has no more {name} for so many records; choose a smaller --size") from None

    def any(self, name: str) -> str:
        """One that may come again."""
        return str(self.rng.choice(_all(name)))

    def sport(self) -> tuple[str, ...]:
        """A session of a sport, then the words that tell which sport it is. Each comes again when all have come."""
        if not self._sports:
            sports = book("pools")["sports"]
            assert isinstance(sports, list)
            self._sports = self.rng.sample(sports, len(sports))
        return tuple(self._sports.pop())

    def money(self) -> Said:
        """An amount, in one of several currencies."""
        currency, unit, ways = self.rng.choice(CURRENCIES)
        return self.worth(Money(self.rng.randint(8, 190) * unit, currency), self.rng.choice(ways))

    def other_money(self, said: Said) -> Said:
        """Another amount of the same currency, worded in the same way."""
        money = said.fields["money"]
        assert isinstance(money, Money)
        way = said.words.replace(f"{money.amount:,}", "{}")
        return self.worth(Money(money.amount + (money.amount // 7 + 3), money.currency), way)

    def worth(self, money: Money, way: str) -> Said:
        return Said(way.format(f"{money.amount:,}"), {"money": money})

    def number(self, field: str, values: range, way: str) -> tuple[Said, Said]:
        """A number of something, and another one that it could be mixed up with."""
        one, other = self.rng.sample(values, 2)
        return Said(way.format(one), {field: one}), Said(way.format(other), {field: other})

    def hours(self) -> tuple[Said, Said]:
        one, other = self.rng.sample([*product(range(8, 18), (0, 15, 30))], 2)
        return _hour(*one), _hour(*other)

    def _people(self) -> list[str]:
        """People of one first name come in pairs, and first."""
        alike, tags = self._shuffled("namesakes"), self._shuffled("places_of_people")
        pairs = [f"{name} {tag}" for n, name in enumerate(alike) for tag in tags[2 * n : 2 * n + 2]]
        return pairs + self._shuffled("names")

    def _shuffled(self, name: str) -> list[str]:
        found = _all(name)
        return self.rng.sample(found, len(found))


def _hour(hour: int, minute: int) -> Said:
    return Said(f"{hour}:{minute:02}", {"starts": time(hour, minute)})


def _all(name: str) -> list[str]:
    """The names of a list; of several lists, all that can be put together."""
    found = book("pools")[name]
    assert isinstance(found, list)
    return found if isinstance(found[0], str) else [" ".join(parts) for parts in product(*found)]
