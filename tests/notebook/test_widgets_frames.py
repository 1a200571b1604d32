"""DataFrames in a notebook: of those of a user, and of what is taken from them, no words are set as formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

TOLD = "%%uac_ingest --at 2025-01-10\nPaid $5 for lunch and $10 for dinner.\nI'm allergic to penicillin."
START = ("%uac_user jess --today 2025-03-01", TOLD, "%uac_checkpoint", "df = %uac_log", "it = %uac_user")
MARKS = "tex2jax_ignore mathjax_ignore"


def html(shell: Any, value: Any) -> str:
    return str(shell.display_formatter.format(value)[0]["text/html"])


def test_frames_of_a_user_are_marked_as_words(run: Callable[..., Any], shell: Any) -> None:
    assert f'class="dataframe {MARKS}"' in html(shell, run(*START, "it.log.frame()"))
    assert MARKS in html(shell, run("df[['text']].tail(2)"))
    assert MARKS in html(shell, run("it.frame('allergies')"))
    assert MARKS not in html(shell, pd.DataFrame({"formula": ["$x^2$"]}))


def test_the_log_shows_its_page_and_not_the_frame(run: Callable[..., Any], shell: Any) -> None:
    shown: list[str] = []
    run(*START)
    shell.user_ns["keep"] = lambda value: shown.append(html(shell, value))
    run("keep(get_ipython().run_line_magic('uac_log', ''))")
    assert shown[0].startswith("<section ")


def test_a_formatter_of_somebody_else_is_left_alone(shell: Any) -> None:
    from uac_nb.notebook import magics

    formatter = shell.display_formatter.formatters["text/html"]
    magics.unload(shell)
    before = formatter.for_type(pd.DataFrame)
    assert before is None
    formatter.for_type(pd.DataFrame, lambda frame: "theirs")
    try:
        magics.load(shell)
        assert html(shell, pd.DataFrame({"a": [1]})) == "theirs"
        magics.unload(shell)
        assert html(shell, pd.DataFrame({"a": [1]})) == "theirs"
    finally:
        formatter.pop(pd.DataFrame)
        magics.load(shell)
