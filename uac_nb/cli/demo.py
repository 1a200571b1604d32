"""`uac-nb demo`: the quickstart notebook, run from start to end without any key, and what came out of it."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import click

from uac_nb.errors import UacError
from uac_nb.notebook.regress import run_notebook

NOTEBOOK = Path("notebooks/quickstart.ipynb")


def run(out: Path) -> None:
    """Run it, and print the alerts, the answers and where notebook and user lie. Raise UacError when a cell fails."""
    source = next((base / NOTEBOOK for base in (Path.cwd(), Path(__file__).parents[2]) if (base / NOTEBOOK).is_file()), None)
    if source is None:
        raise UacError(f"{NOTEBOOK} is not here; run this in a checkout of uac_nb")
    out.mkdir(parents=True, exist_ok=True)
    home = Path(mkdtemp(prefix="users-", dir=out)).resolve()  # each run begins with somebody new
    target = out / "quickstart.ipynb"
    notebook = run_notebook(source, target, parameters={"home": str(home)})
    for title, text in said(notebook):
        click.echo(f"\n{title}\n{text}")
    click.echo(f"\nnotebook  {target.resolve()}\nproject   {home / 'jess' / 'project'}")


def said(notebook: Any) -> list[tuple[str, str]]:
    """The last alerts and each answer, as the executed cells show them in plain text."""
    shown = [(cell.source.strip(), text) for cell in notebook.cells for text in _texts(cell)]
    alerts = [(source, text) for source, text in shown if source.startswith("%uac_alerts")][-1:]
    return alerts + [(source, text) for source, text in shown if source.startswith("%uac_ask")]


def _texts(cell: Any) -> list[str]:
    outputs = cell.get("outputs", [])
    return ["".join(o["data"]["text/plain"]) for o in outputs if "text/plain" in o.get("data", {})]
