"""What went wrong in a child, in words that a person and a model can act on: where, what, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import chain
from traceback import walk_tb
from typing import Any

from uac_nb.domainfile.records import is_record, type_of
from uac_nb.runtime.sandbox import OutputLimit, suggestions
from uac_nb.runtime.world import RULES, World

QUERY = "query"


class TooLarge(Exception):
    """The answer does not fit into one."""


def describe(world: World, error: BaseException, known: Iterable[str]) -> dict[str, Any]:
    """An error as a person and a model can act on it: where in which text, what, and what to do."""
    try:
        message, hint = _words(world, error, list(known))
        return {"where": _where(world, error), "message": message[:500], "hint": hint[:300], "type": type(error).__name__[:60]}
    except BaseException:  # an exception of the code's own may fail in any way when it is looked at
        return {"where": "", "message": "an error that cannot be shown", "hint": "", "type": ""}


def _where(world: World, error: BaseException) -> str:
    """The innermost line of code that is not ours."""
    texts = {QUERY, RULES, *(f"{domain}.py" for domain in world.definitions)}
    lines = [f"{file}:{line}" for frame, line in walk_tb(error.__traceback__) if (file := frame.f_code.co_filename) in texts]
    return lines[-1] if lines else ""


def _words(world: World, error: BaseException, known: list[str]) -> tuple[str, str]:
    kind = type(error).__name__
    if isinstance(error, NameError) and error.name:
        hints = (f"did you mean {name!r}?" for name in get_close_matches(error.name, known, n=1))
        bound = f"bound are {', '.join(sorted(world.collections)) or 'no collections'} and today"
        return f"{kind}: {error}", next(chain(suggestions(world.sandbox, error.name), hints), bound)
    if isinstance(error, AttributeError) and is_record(error.obj) and error.name:
        record = type_of(error.obj)
        hints = (f"did you mean {name!r}?" for name in get_close_matches(error.name, record.by_name, n=1))
        return f"{record.name} has no field {error.name!r}", next(hints, f"it has {', '.join(record.by_name)}")
    if isinstance(error, TooLarge | OutputLimit):
        return str(error), ""
    if isinstance(error, MemoryError):
        return "it took more memory than it may", "go through the records one by one instead of building large lists"
    if isinstance(error, RecursionError):
        return "it calls itself too deeply", "write a loop"
    return f"{kind}: {error}" if str(error) else kind, ""
