"""How a notebook shows each value of the API: plain text, static HTML, and buttons where they work."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from uac_nb.notebook.widgets import views
from uac_nb.notebook.widgets.log import ROWS, found, log
from uac_nb.notebook.widgets.page import Block, Line
from uac_nb.notebook.widgets.progress import estimate, progress
from uac_nb.notebook.widgets.shown import Shown, ShownList, press
from uac_nb.notebook.widgets.views import OPEN, Before

if TYPE_CHECKING:
    from datetime import date

    from uac_nb.ask import Answer
    from uac_nb.errors import Diagnostic
    from uac_nb.model import Cost, Model
    from uac_nb.notebook.widgets.shown import Redraw
    from uac_nb.project import Commit
    from uac_nb.store.coverage import Coverage
    from uac_nb.user import Checkpoint, Edited, Source, User
    from uac_nb.verbs.alerts import Raised
    from uac_nb.verbs.forget import Forgot, Going
    from uac_nb.verbs.ingest import Ingested
    from uac_nb.verbs.results import Undone
    from uac_nb.verbs.review import Waiting

S = TypeVar("S", bound=Shown)
Look = Callable[[], Sequence["Raised"]]
Answering = Callable[[list[int], list[int], list[int]], tuple["Checkpoint", bool]]

__all__ = [
    "Answering",
    "Before",
    "OPEN",
    "ROWS",
    "Shown",
    "ShownList",
    "alerts",
    "answer",
    "checkpoint",
    "cost",
    "coverage",
    "edited",
    "estimate",
    "forgot",
    "found",
    "going",
    "history",
    "ingested",
    "log",
    "progress",
    "review",
    "source",
    "sources",
    "unchanged",
    "undone",
    "who",
]


def who(user: User, names: Sequence[str], model: str | Model | None) -> Shown:
    return Shown(user, views.who(user, names, str(getattr(model, "name", model) or "")), "User")


def ingested(value: Ingested) -> Shown:
    return Shown(value, views.ingested(value), "Added to the log")


def going(value: Going) -> Shown:
    return Shown(value, views.going(value), "Would be forgotten")


def forgot(value: Forgot) -> Shown:
    return Shown(value, views.forgot(value), "Forgotten")


def checkpoint(
    user: User, value: Checkpoint, before: Before, *, look: Look | None, bridged: bool, label: str = "Checkpoint"
) -> Shown:
    """`bridged`: the changed files are cells already, and need not be on the page."""
    above = views.checkpoint(user, value, bridged, len(user.waiting()), before)
    return _with_alerts(Shown, user, value, label, lambda now: [*above, *views.cards(user, now)], value.alerts, look)


def review(user: User, value: Checkpoint | None, before: Before, *, answer: Answering | None) -> ShownList:
    """What waits, below what the checkpoint came to that proposed it. `answer` carries answers out, where buttons work."""
    from uac_nb.notebook.widgets import proposals

    waits = user.waiting()
    above = [] if value is None else views.checkpoint(user, value, True, before=before)

    def buttons(redraw: Redraw) -> None:
        from uac_nb.notebook.widgets.choices import choices

        assert answer is not None  # else there are none

        def answered(accept: list[int], refuse: list[int], never: list[int]) -> Sequence[Waiting]:
            before = Before.of(user)
            done, bridged = answer(accept, refuse, never)
            left = user.waiting()
            redraw([*views.checkpoint(user, done, bridged, len(left), before), *views.cards(user, done.alerts)])
            return left

        choices(waits, answered)

    live = answer is not None and bool(waits)
    below = views.cards(user, value.alerts) if value and value.alerts else []
    return ShownList(waits, [*above, *below, *proposals.page(waits, live)], "Review", buttons if live else None)


def alerts(user: User, raised: Sequence[Raised], findings: Sequence[Diagnostic], *, look: Look | None) -> ShownList:
    above = views.diagnostics(findings)
    return _with_alerts(ShownList, user, raised, "Alerts", lambda now: [*above, *views.cards(user, now)], raised, look)


def edited(user: User, value: Edited, before: Sequence[Raised], *, look: Look | None) -> Shown:
    """What saving a cell did, and which alerts that brought beside those `before`."""
    above, was = views.edited(value), views.opened(before)
    new = views.opened(value.alerts).keys() - was.keys()
    return _with_alerts(
        Shown, user, value, "Saved", lambda now: [*above, *views.news(user, now, new, was)], value.alerts, look, new
    )


def unchanged(domain: str, text: str, current: str | None, *, renewed: bool = False) -> Shown:
    """What a cell did that nobody edited: nothing. `renewed`: it shows the file as it is now."""
    return Shown(None, views.unchanged(domain, text, current, renewed), "Saved")


def source(value: Source, *, bridged: bool) -> Shown:
    return Shown(value, views.source(value, bridged), value.domain)


def sources(values: Sequence[Source], *, bridged: bool) -> ShownList:
    return ShownList(values, views.sources(values, bridged), "Domain files")


def answer(user: User, value: Answer, today: date | str | None = None) -> Shown:
    return Shown(value, views.answer(user, value, today), "Answer")


def coverage(user: User, value: Coverage) -> Shown:
    return Shown(value, views.coverage(user, value), "Coverage")


def cost(value: Cost) -> Shown:
    return Shown(value, views.cost(value), "Cost")


def history(commits: Sequence[Commit]) -> ShownList:
    return ShownList(commits, views.history(commits), "History")


def undone(value: Undone) -> Shown:
    return Shown(value, views.undone(value), "Undone")


def _with_alerts(
    kind: type[S],
    user: User,
    value: Any,
    label: str,
    page: Callable[[Sequence[Raised]], list[Block]],
    raised: Sequence[Raised],
    look: Look | None,
    among: Collection[str] | None = None,
) -> S:
    """A page with alerts; `look` runs the rules again, and with it come buttons, where one is open `among` those on it."""

    def buttons(redraw: Redraw) -> None:
        from uac_nb.notebook.widgets.live import controls

        def show(now: Sequence[Raised], trouble: str) -> None:
            redraw([*page(now), *([Line(trouble, label="not done")] if trouble else [])])

        assert look is not None  # else there are none
        press(controls(user, raised, look, show, among))

    clickable = look is not None and any(r.state in views.OPEN and (among is None or r.key in among) for r in raised)
    return kind(value, page(raised), label, buttons if clickable else None)
