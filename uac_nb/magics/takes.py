"""How a magic says what its line takes: parsed for it, listed in its help, offered by the completion."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from uac_nb.magics.line import Option, parse

OPTIONS: dict[str, tuple[Option, ...]] = {}  # by magic, in the order of their help


def takes(*options: Option, prose: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a magic its line parsed, and its docstring a list of the options."""

    def wrap(magic: Callable[..., Any]) -> Callable[..., Any]:
        name = magic.__name__
        OPTIONS[name] = options

        @functools.wraps(magic)
        def call(self: Any, line: str, *cell: str | None) -> Any:
            return magic(self, parse(name, line, options, prose=prose), *cell)

        width = max((len(_usage(o)) for o in options), default=0)
        listed = [f"  {_usage(o):<{width}}  {o.help}" for o in options]
        call.__doc__ = "\n".join([(magic.__doc__ or "").rstrip(), *(["", "Options:", *listed] if options else [])])
        return call

    return wrap


def _usage(option: Option) -> str:
    return f"--{option.name} {option.value}".rstrip()
