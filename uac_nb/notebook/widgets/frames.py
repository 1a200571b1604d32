"""DataFrames of a user's log and records, which pandas shows: no formulas are set in these either."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

OURS = "shown"  # in the `attrs` of a frame of ours; pandas hands them on to what is taken from it
NAMED = (("pandas", "DataFrame"), ("pandas.core.frame", "DataFrame"))  # of pandas 3, and of those before


def install(html: Any) -> None:
    """Have IPython's formatter of HTML show frames by `as_html`, unless something else does. Imports no pandas."""
    for name in NAMED:
        if html.for_type_by_name(*name) is None:
            html.for_type_by_name(*name, as_html)


def uninstall(html: Any) -> None:
    for name in NAMED:
        if html.for_type_by_name(*name) is as_html:
            html.pop(".".join(name))


def as_html(frame: pd.DataFrame) -> str | None:
    """The page that rides on a frame (see `log`); else the HTML of pandas, of ours with the classes that mark plain words."""
    import pandas as pd

    page: dict[str, str] = getattr(frame, "_repr_mimebundle_", dict)()
    if page:
        return page["text/html"]
    allowed = pd.get_option("display.html.use_mathjax") and OURS not in frame.attrs
    with pd.option_context("display.html.use_mathjax", allowed):
        shown: str | None = frame._repr_html_()  # type: ignore[operator]
    return shown
