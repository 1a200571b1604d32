"""What a user's project imports: inexact dates, money, rules and the words of their messages.

Standard library only, so that a project runs without a model, a kernel, or the rest of uac_nb.
"""

from uac_nb.rules.alerts import (
    SEVERITIES,
    Alert,
    RuleFunction,
    Severity,
    bind,
    conflict,
    derived,
    lint,
    over_limit,
    reads,
    rule,
    run,
    running_out,
    said,
)
from uac_nb.rules.countries import CONTINENTS, continent
from uac_nb.rules.money import Money
from uac_nb.rules.values import Note, Said, Unknown
from uac_nb.rules.when import Sure, When, add_months, first, last
from uac_nb.rules.words import (
    Side,
    ahead,
    clock,
    day,
    days,
    ends_on,
    left,
    listed,
    live,
    name,
    overlap,
    side,
    span,
    starts_on,
)

__all__ = [
    "Alert",
    "CONTINENTS",
    "Money",
    "Note",
    "RuleFunction",
    "SEVERITIES",
    "Said",
    "Severity",
    "Side",
    "Sure",
    "Unknown",
    "When",
    "add_months",
    "ahead",
    "bind",
    "clock",
    "conflict",
    "continent",
    "day",
    "days",
    "derived",
    "ends_on",
    "first",
    "last",
    "left",
    "lint",
    "listed",
    "live",
    "name",
    "over_limit",
    "overlap",
    "reads",
    "rule",
    "run",
    "running_out",
    "said",
    "side",
    "span",
    "starts_on",
]
