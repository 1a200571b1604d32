"""Buttons below each proposed change, and one that carries the answers out, for a front end that runs widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import ipywidgets as w  # type: ignore[import-untyped]

from uac_nb.errors import UacError
from uac_nb.notebook.widgets.live import WRAPPING
from uac_nb.notebook.widgets.page import Line, as_html
from uac_nb.notebook.widgets.proposals import LIVE, cards, numbered
from uac_nb.notebook.widgets.shown import paper, press
from uac_nb.notebook.widgets.views import count
from uac_nb.rules import capital

if TYPE_CHECKING:
    from uac_nb.verbs.review import Waiting

Answer = Callable[[list[int], list[int], list[int]], Sequence["Waiting"]]
LATER, ACCEPT, REFUSE, NEVER = "Later", "Accept", "Refuse", "Refuse for good"
TIPS = {
    LATER: "It waits on",
    ACCEPT: "It is made",
    REFUSE: "It is not made, and what it rests on is not read again",
    NEVER: "It is not made, also when the same is said again",
}


class Choice:
    """One of `TIPS`, as a row of buttons. The chosen one has a check mark, which tells it apart in any theme."""

    def __init__(self, told: Callable[[], None]) -> None:
        self._buttons = {what: w.Button(description=what, tooltip=tip, layout={"width": "auto"}) for what, tip in TIPS.items()}
        self._told = told
        self.row = w.Box([*self._buttons.values()], layout={**WRAPPING, "margin": "0 0 12px 13px"})
        for what, button in self._buttons.items():
            button.on_click(lambda _, what=what: self.choose(what))
        self.mark(LATER)

    def choose(self, what: str) -> None:
        """Mark one, and have it told."""
        self.mark(what)
        self._told()

    def mark(self, what: str) -> None:
        self.value = what
        for each, button in self._buttons.items():
            button.icon, button.button_style = ("check", "primary") if each == what else ("", "")


class Place:
    """Where a proposal stands: its card, which a saved notebook keeps, and its buttons, which it does not."""

    def __init__(self, one: Waiting, told: Callable[[], None]) -> None:
        self.one: Waiting | None = one
        self.choice = Choice(told)
        self._draw = paper(cards([one]), "")
        press(self.choice.row)

    def hold(self, one: Waiting | None) -> None:
        """Stand for a proposal, with no answer yet; for None the place is empty."""
        self.one = one
        self._draw(cards([one]) if one else [])
        self.choice.row.layout.display = "flex" if one else "none"
        self.choice.mark(LATER)


def choices(waiting: Sequence[Waiting], answer: Answer) -> tuple[list[Place], w.Box]:
    """Show a place a proposal, and below them the row that carries answers out.

    `answer` takes the numbers to accept, refuse and refuse for good, and returns what still waits.
    """
    said = w.HTML(layout={"margin": "0 0 0 8px", "flex": "1 1 240px"})
    apply = w.Button(description="Apply", button_style="primary", tooltip="Carry out the answers above")
    every = w.Button(description="Accept all", tooltip="Choose Accept everywhere; nothing is made before Apply")
    foot = w.Box([apply, every, said], layout={**WRAPPING, "margin": "8px 0"})
    places: list[Place] = []

    def chosen(what: str) -> list[int]:
        return [place.one.id for place in places if place.one and place.choice.value == what]

    def tell(trouble: str = "") -> None:
        answered = [f"{what.lower()} {numbered(chosen(what))}" for what in (ACCEPT, REFUSE, NEVER) if chosen(what)]
        left = count(len(chosen(LATER)), "change")
        what = capital("; ".join(answered) if answered else "nothing chosen yet")
        line = Line(trouble, label="not done") if trouble else Line(f"{what}. {left} left for later.", tone="quiet")
        said.value = f'<div role="status">{as_html([line])}</div>'
        apply.disabled = not answered

    def show(now: Sequence[Waiting]) -> None:
        for n, place in enumerate(places):
            place.hold(now[n] if n < len(now) else None)
        foot.layout.display = "flex" if now else "none"
        tell()

    def on_apply(_: w.Button) -> None:
        apply.disabled = True
        try:
            show(answer(chosen(ACCEPT), chosen(REFUSE), chosen(NEVER)))
        except UacError as error:  # a callback has no cell to raise in
            tell(str(error))

    def on_every(_: w.Button) -> None:
        for place in places:
            if place.one:
                place.choice.choose(ACCEPT)

    apply.on_click(on_apply)
    every.on_click(on_every)
    places += [Place(one, tell) for one in waiting[:LIVE]]
    press(foot)
    tell()
    return places, foot
