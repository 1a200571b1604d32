"""The rules that ship with us, as the sealed process sees them: functions, and the fields of records that each needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from uac_nb.rules.alerts import needs


class StarterRule(NamedTuple):
    """A rule and, by collection, the fields that it reads."""

    function: Callable[..., Any]
    needs: Mapping[str, frozenset[str]]


@cache
def starter_rules() -> dict[str, StarterRule]:
    """All of them, by name."""
    from uac_nb.starter import RULES  # late: a query needs none of them

    return {rule.__name__: StarterRule(rule, needs(rule)) for rule in RULES}
