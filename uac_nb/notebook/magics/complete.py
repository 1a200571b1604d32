"""Completion for the magics: options by what they mean, domains and users by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher

from uac_nb.notebook.magics.line import Option

LINE = re.compile(r"%%?(uac_\w+)\s+(?:.*\s)?(\S*)$")


def matcher(options: Mapping[str, Sequence[Option]], words: Callable[[str], Iterable[str]]) -> Any:
    """A matcher for IPython's completer. `words` gives what may stand first behind a magic."""

    @context_matcher()  # type: ignore[untyped-decorator]
    def uac_nb(context: CompletionContext) -> dict[str, Any]:
        found = LINE.search(context.text_until_cursor)
        if not found or found[1] not in options:
            return {"completions": []}
        magic, begun = found[1], found[2]
        offered = [f"--{o.name}" for o in options[magic]] if begun.startswith("-") else list(words(magic))
        # IPython replaces its own token, which begins behind the dashes
        cut = len(begun) - len(context.token) if begun.endswith(context.token) else 0
        fitting = [SimpleCompletion(text=word[cut:], type="magic") for word in offered if word.startswith(begun)]
        return {"completions": fitting, "suppress": bool(fitting)}

    return uac_nb
