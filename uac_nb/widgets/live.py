"""Buttons below a page of alerts, for a front end that runs widgets.

This module and `choices` alone import ipywidgets, and only where there is something to click.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import ipywidgets as w  # type: ignore[import-untyped]

from uac_nb.errors import UacError
from uac_nb.widgets.page import short
from uac_nb.widgets.views import OPEN

if TYPE_CHECKING:
    from uac_nb.alerts import Raised
    from uac_nb.user import User

SNOOZE = {"Snooze…": 0, "for a day": 1, "for a week": 7, "for 30 days": 30}


def controls(
    user: User, raised: Sequence[Raised], look: Callable[[], Sequence[Raised]], show: Callable[[Sequence[Raised], str], None]
) -> w.HBox:
    """One row. `look` runs the rules again; `show` draws what they say, and what went wrong."""
    which = w.Dropdown(layout={"width": "340px"})
    acknowledge = w.Button(description="Acknowledge", tooltip="Say that it was seen", layout={"width": "110px"})
    snooze = w.Dropdown(options=SNOOZE, layout={"width": "110px"})
    row = w.HBox([which, acknowledge, snooze], layout={"margin": "0 0 4px"})

    def offer(now: Sequence[Raised]) -> None:
        which.options = [(f"{n}  {short(r.alert.message, 46)}", r.key) for n, r in enumerate(now, 1) if r.state in OPEN]
        which.value = which.options[0][1] if which.options else None
        row.layout.display = "" if which.options else "none"

    def act(call: Callable[[], Any]) -> None:
        trouble = ""
        try:
            call()
        except UacError as error:  # a callback has no cell to raise in
            trouble = str(error)
        now = look()
        show(now, trouble)
        offer(now)

    def on_snooze(change: Any) -> None:
        if days := change["new"]:
            act(lambda: user.snooze(which.value, (user.today or date.today()) + timedelta(days=days)))
            snooze.value = 0

    acknowledge.on_click(lambda _: act(lambda: user.acknowledge(which.value)))
    snooze.observe(on_snooze, "value")
    offer(raised)
    return row
