"""Talks that branch: a question asked anew, an answer asked again. Only the way to the last leaf was talked on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


def way(parents: Mapping[str, str], leaf: str) -> list[str]:
    """Return the ids from the root to a leaf.

    >>> way({"a": "", "b": "a", "c": "a", "d": "c"}, "d")
    ['a', 'c', 'd']
    """
    found: dict[str, None] = {}
    while leaf in parents and leaf not in found:  # a loop ends where it closes
        found[leaf] = None
        leaf = parents[leaf]
    return list(found)[::-1]


def last_leaf(parents: Mapping[str, str]) -> str:
    """Return the last of the ids that is nobody's parent, "" where there is none."""
    taken = set(parents.values())
    return next((id for id in reversed(list(parents)) if id not in taken), "")


def branches(parents: Mapping[str, str]) -> int:
    """Return how many ways beside the one there are: children beyond the first."""
    return sum(count - 1 for count in Counter(parents.values()).values())
