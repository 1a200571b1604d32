"""How a magic says what its line takes: parsed for it, listed in its help, offered by the completion."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from uac_nb.errors import CheckError, UacError
from uac_nb.notebook.magics.line import Option, parse

MOST = 20  # findings of one refusal; more are counted
OPTIONS: dict[str, tuple[Option, ...]] = {}  # by magic, in the order of their help


class Refused(CheckError):
    """What was refused, with all that is wrong: in a cell, one thing at a time would be one run at a time."""

    def _render_traceback_(self) -> list[str]:
        first, *rest = self.diagnostics
        more = [f"… {MOST} of {len(self.diagnostics):,} findings"] if len(self.diagnostics) > MOST else []
        return [f"CheckError: {first}", *(f"  {finding}" for finding in rest[: MOST - 1]), *more]


def _refused(error: CheckError) -> Refused:
    """The same error, what is there and wrong before what is missing: a misspelled name is both."""
    return Refused(sorted(error.diagnostics, key=lambda found: found.code == "missing"))


def takes(*options: Option, prose: bool = False, words: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a magic its line parsed, and its docstring a list of the options. Without `words` it takes options alone."""

    def wrap(magic: Callable[..., Any]) -> Callable[..., Any]:
        name = magic.__name__
        OPTIONS[name] = options

        @functools.wraps(magic)
        def call(self: Any, line: str, *cell: str | None) -> Any:
            parsed = parse(name, line, options, prose=prose)
            if parsed.rest and not words:
                raise UacError(f"%{name} takes no words, and {parsed.rest!r} is one")
            try:
                return magic(self, parsed, *cell)
            except CheckError as error:
                raise (_refused(error) if error.diagnostics else error) from None

        width = max((len(_usage(o)) for o in options), default=0)
        listed = [f"  {_usage(o):<{width}}  {o.help}" for o in options]
        call.__doc__ = "\n".join([(magic.__doc__ or "").rstrip(), *(["", "Options:", *listed] if options else [])])
        return call

    return wrap


def _usage(option: Option) -> str:
    return f"--{option.name} {option.value}".rstrip()
