"""Buttons below a page of alerts, for a front end that runs widgets.

This module and `choices` alone import ipywidgets, and only where there is something to click.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import ipywidgets as w  # type: ignore[import-untyped]

from uac_nb.errors import UacError
from uac_nb.notebook.widgets.page import short
from uac_nb.notebook.widgets.views import OPEN

if TYPE_CHECKING:
    from uac_nb.user import User
    from uac_nb.verbs.alerts import Raised

WRAPPING = {"display": "flex", "flex_flow": "row wrap", "align_items": "center", "width": "100%"}  # on a narrow page, no cut
SNOOZE = {"Snooze…": 0, "for a day": 1, "for a week": 7, "for 30 days": 30}


def controls(
    user: User,
    raised: Sequence[Raised],
    look: Callable[[], Sequence[Raised]],
    show: Callable[[Sequence[Raised], str], None],
    among: Collection[str] | None = None,
) -> w.Box:
    """One row. `look` runs the rules again; `show` draws what they say, and what went wrong. `among`: the keys on the page."""
    which = w.Dropdown(layout={"flex": "1 1 240px", "max_width": "340px", "width": "auto"})
    acknowledge = w.Button(description="Acknowledge", tooltip="Say that it was seen", layout={"width": "auto"})
    snooze = w.Dropdown(options=SNOOZE, layout={"width": "110px"})
    row = w.Box([which, acknowledge, snooze], layout={**WRAPPING, "margin": "0 0 4px"})

    def offer(now: Sequence[Raised]) -> None:
        here = ((n, r) for n, r in enumerate(now, 1) if r.state in OPEN and (among is None or r.key in among))
        which.options = [(f"{n}  {short(r.alert.message, 46)}", r.key) for n, r in here]
        which.value = which.options[0][1] if which.options else None
        row.layout.display = "flex" if which.options else "none"

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
