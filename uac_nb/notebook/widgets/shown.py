"""A value of the API, and how a notebook shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from uac_nb.notebook.widgets.page import Block, as_html, as_text

Redraw = Callable[[Sequence[Block]], None]
Controls = Callable[[Redraw], None]  # shows what can be clicked
CONTROLS = {"uac_nb": {"controls": True}}  # marks their output: the extension removes it when the notebook is opened again


def bundle(blocks: Sequence[Block], label: str) -> dict[str, str]:
    return {"text/plain": as_text(blocks), "text/html": as_html(blocks, label)}


def paper(blocks: Sequence[Block], label: str) -> Redraw:
    """Show blocks as an output of their own; the function that draws others in their place."""
    from IPython.display import display

    page: Any = display(bundle(blocks, label), raw=True, display_id=True)  # type: ignore[no-untyped-call]
    return lambda now: page.update(bundle(now, label), raw=True)


def press(widget: Any) -> None:
    """Show a widget, so that it is gone when the notebook is opened again."""
    from IPython.display import display

    display(widget._repr_mimebundle_(), raw=True, metadata=CONTROLS)  # type: ignore[no-untyped-call]


class Shown:
    """A value together with the page that shows it; whatever the value has, this has too.

    `controls` shows the buttons in a front end that can run them. They are outputs of their own, below the page, and draw
    the page again: a saved notebook says what was done, and when the buttons are dead the words are still there.
    """

    def __init__(self, value: Any, blocks: Sequence[Block], label: str, controls: Controls | None = None) -> None:
        self._value, self._blocks, self._label, self._controls = value, blocks, label, controls

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # the many names under which IPython looks for a way to show things
            raise AttributeError(name)
        return getattr(self._value, name)

    def __repr__(self) -> str:
        return as_text(self._blocks)

    def _repr_html_(self) -> str:
        return as_html(self._blocks, self._label)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(self._blocks, self._label)

    def _ipython_display_(self) -> None:
        if self._controls is None:
            raise NotImplementedError  # which tells IPython to show it as any other value
        draw = paper(self._blocks, self._label)

        def redraw(blocks: Sequence[Block]) -> None:
            self._blocks = blocks
            draw(blocks)

        self._controls(redraw)


class ShownList(Shown):
    """The same for a list."""

    def __len__(self) -> int:
        return len(self._value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._value)

    def __getitem__(self, index: Any) -> Any:
        return self._value[index]
