"""A question may end in a question mark.

IPython takes ``%uac_ask when does my passport expire?`` for a request for help on `expire`. This token transformer comes
before that and keeps ``%uac_ask?``, with nothing asked, a request for help.
"""

from __future__ import annotations

import re
from typing import Any

from IPython.core.inputtransformer2 import HelpEnd, TokenTransformBase

ASK = re.compile(r"(?P<head>\s*(?:[^\W\d]\w*\s*=\s*)?)%uac_ask[ \t]+(?P<question>\S.*\?)\s*$")


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
