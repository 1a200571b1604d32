"""One home for the English of days, hours, amounts, numbers, places and relations: asking, reading and grounding all use it.

Nothing here reads a clock: a day is resolved against the day on which it was said, to the widest form that its words prove.
"""

from uac_nb.english.amounts import Amount, amounts
from uac_nb.english.days import Span, days, named, periods
from uac_nb.english.hours import Clock, hours
from uac_nb.english.numbers import number, numbers
from uac_nb.english.people import relation
from uac_nb.english.places import Place, country, place, place_at, places

__all__ = [
    "Amount",
    "Clock",
    "Place",
    "Span",
    "amounts",
    "country",
    "days",
    "hours",
    "named",
    "number",
    "numbers",
    "periods",
    "place",
    "place_at",
    "places",
    "relation",
]
