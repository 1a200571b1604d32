"""Buttons beside each proposed change, and one that carries the answers out, for a front end that runs widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import ipywidgets as w  # type: ignore[import-untyped]

from uac_nb.errors import UacError
from uac_nb.rules import capital
from uac_nb.widgets.page import Line, as_html
from uac_nb.widgets.proposals import MANY, card, numbered
from uac_nb.widgets.views import count

if TYPE_CHECKING:
    from uac_nb.reviewing import Waiting

Answer = Callable[[list[int], list[int], list[int]], Sequence["Waiting"]]
LATER, ACCEPT, REFUSE, NEVER = "Later", "Accept", "Refuse", "Refuse for good"
TIPS = {
    LATER: "It waits on",
    ACCEPT: "It is made",
    REFUSE: "It is not made, and what it rests on is not read again",
    NEVER: "It is not made, also when the same is said again",
}


def choices(waiting: Sequence[Waiting], answer: Answer) -> w.VBox:
    """A row a proposal, and Apply below. `answer` takes the numbers to accept, refuse and refuse for good, and returns what
    still waits.
    """
    box = w.VBox(layout={"width": "100%", "max_width": "940px"})
    said = w.HTML(layout={"margin": "0 0 0 8px", "flex": "1 1 240px"})
    apply = w.Button(description="Apply", button_style="primary", tooltip="Carry out the answers above")
    every = w.Button(description="Accept all", tooltip="Choose Accept everywhere; nothing is made before Apply")
    foot = w.Box(
        [apply, every, said], layout={"display": "flex", "flex_flow": "row wrap", "align_items": "center", "margin": "8px 0"}
    )
    rows: dict[int, w.ToggleButtons] = {}

    def chosen(what: str) -> list[int]:
        return [id for id, row in rows.items() if row.value == what]

    def tell(trouble: str = "") -> None:
        answered = [f"{what.lower()} {numbered(chosen(what))}" for what in (ACCEPT, REFUSE, NEVER) if chosen(what)]
        left = count(len(chosen(LATER)), "change")
        what = capital("; ".join(answered) if answered else "nothing chosen yet")
        line = Line(trouble, label="not done") if trouble else Line(f"{what}. {left} left for later.", tone="quiet")
        said.value = f'<div role="status">{as_html([line])}</div>'
        apply.disabled = not answered

    def show(now: Sequence[Waiting]) -> None:
        rows.clear()
        rows.update({one.id: _row(one) for one in now[:MANY]})
        for row in rows.values():
            row.observe(lambda _: tell(), "value")
        box.children = [*(w.VBox([_words(one), rows[one.id]]) for one in now[:MANY]), foot] if now else []
        tell()

    def on_apply(_: w.Button) -> None:
        apply.disabled = True
        try:
            show(answer(chosen(ACCEPT), chosen(REFUSE), chosen(NEVER)))
        except UacError as error:  # a callback has no cell to raise in
            tell(str(error))

    def on_every(_: w.Button) -> None:
        for row in rows.values():
            row.value = ACCEPT

    apply.on_click(on_apply)
    every.on_click(on_every)
    show(waiting)
    return box


def _words(one: Waiting) -> w.HTML:
    return w.HTML(as_html([card(one)]), layout={"display": "block"})  # as a flexible box it would be as wide as its code


def _row(one: Waiting) -> w.ToggleButtons:
    return w.ToggleButtons(
        options=list(TIPS),
        value=LATER,
        tooltips=list(TIPS.values()),
        style={"button_width": "auto"},
        layout={"width": "auto", "margin": "0 0 12px 13px"},
    )
