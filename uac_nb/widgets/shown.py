"""A value of the API, and how a notebook shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from uac_nb.widgets.page import Block, as_html, as_text

Redraw = Callable[[Sequence[Block]], None]
Controls = Callable[[Redraw], Any]  # a widget
CONTROLS = {"uac_nb": {"controls": True}}  # marks their output: the extension removes it when the notebook is opened again


class Shown:
    """A value together with the page that shows it; whatever the value has, this has too.

    `controls` makes the buttons for a front end that can run them. They come as an output of their own, below the page,
    and draw the page again: a saved notebook says what was done, and when the buttons are dead the words are still there.
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
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _ipython_display_(self) -> None:
        if self._controls is None:
            raise NotImplementedError  # which tells IPython to show it as any other value
        from IPython.display import display

        page: Any = display(self._repr_mimebundle_(), raw=True, display_id=True)  # type: ignore[no-untyped-call]

        def redraw(blocks: Sequence[Block]) -> None:
            self._blocks = blocks
            page.update(self._repr_mimebundle_(), raw=True)

        buttons = self._controls(redraw)._repr_mimebundle_()
        display(buttons, raw=True, metadata=CONTROLS)  # type: ignore[no-untyped-call]


class ShownList(Shown):
    """The same for a list."""

    def __len__(self) -> int:
        return len(self._value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._value)

    def __getitem__(self, index: Any) -> Any:
        return self._value[index]
