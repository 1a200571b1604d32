"""A question may end in a question mark.

IPython takes ``%uac_ask when does my passport expire?`` for a request for help on `expire`. This token transformer comes
before that and keeps ``%uac_ask?``, with nothing asked, a request for help.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from typing import Any

from IPython.core.inputtransformer2 import HelpEnd, TokenTransformBase

ASK = re.compile(r"(?P<head>\s*(?:[^\W\d]\w*\s*=\s*)?)%uac_ask[ \t]+(?P<question>\S.*\?)\s*$")
CALL = re.compile(r"get_ipython\(\)\.run_line_magic(\(.*\))\s*$")


class Question(TokenTransformBase):
    """Turn ``[name =] %uac_ask …?`` into the call it stands for."""

    priority = HelpEnd.priority - 1

    @classmethod
    def find(cls, tokens_by_line: list[list[Any]]) -> Question | None:
        """The first such line. Tokens, not lines, are searched, so that none is found inside of a string."""
        for line in tokens_by_line:
            signs = [token for token in line if token.string.strip()]
            names = [token.string for token in signs[:5]]
            if signs and any(names[i : i + 2] == ["%", "uac_ask"] for i in (0, 2)) and ASK.match(signs[0].line):
                return cls(signs[0].start)
        return None

    def transform(self, lines: list[str]) -> list[str]:
        found = ASK.match(lines[self.start_line])
        assert found is not None  # by `find`
        call = f"{found['head']}get_ipython().run_line_magic('uac_ask', {found['question']!r})\n"
        return [*lines[: self.start_line], call, *lines[self.start_line + 1 :]]


def below(shell: Any) -> None:
    """Answer the questions of the cell that loads us, which IPython has taken for requests for help already.

    Each became a call such as ``pinfo live``. Until the cell ends such a call asks; any other is what it was.
    """
    asked: dict[tuple[str, str], list[re.Match[str]]] = {}
    for found in _asked(shell):
        if made := CALL.match(shell.transform_cell(found[0])):
            asked.setdefault(ast.literal_eval(made[1]), []).append(found)
    magics = shell.magics_manager.magics["line"]
    helpers = {name: magics[name] for name, _ in asked if name != "uac_ask"}

    def call(name: str, words: str) -> Any:
        if not (waiting := asked.get((name, words))):
            return _help(name, words)
        found = waiting.pop(0)
        answer = shell.run_line_magic("uac_ask", found["question"])
        variable = found["head"].strip(" \t=")
        shell.user_ns.update({variable: answer} if variable else {})
        return None if variable else answer

    def _help(name: str, words: str) -> Any:
        end()  # a helper that IPython loads late looks itself up
        try:
            return shell.run_line_magic(name, words)
        finally:
            begin()

    def begin() -> None:
        helpers.update({name: magics[name] for name in helpers})
        magics.update({name: functools.partial(call, name) for name in helpers})

    def end(*_: Any) -> None:
        magics.update(helpers)

    def last(*_: Any) -> None:
        end()
        shell.events.unregister("post_run_cell", last)

    if helpers:
        begin()
        shell.events.register("post_run_cell", last)


def _asked(shell: Any) -> Iterator[re.Match[str]]:
    """The questions of the cell that is running."""
    raw = shell.history_manager.input_hist_raw
    return (found for line in (raw[-1] if raw else "").splitlines() if (found := ASK.match(line)))
