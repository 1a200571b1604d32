"""Notebooks as regression tests: run from start to end by papermill, away from this machine's user.

The kernel gets a home of its own and neither a key nor the name of a model, so that a run is repeatable and an executed
notebook holds no secret. Sockets are files (ipc), which cannot race for a port.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uac_nb.errors import RunError

if TYPE_CHECKING:
    from nbformat import NotebookNode

SECRET = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "UAC_MODEL")


def run_notebook(
    path: Path | str, out: Path | str, parameters: Mapping[str, Any] | None = None, *, timeout: int = 600
) -> NotebookNode:
    """Run a notebook into `out` and give it back executed. `timeout`: seconds a cell may take.

    Users that it opens live in a folder that goes with the run, unless its parameters name another. Raise RunError,
    with the report of the cell, when one fails; `out` then holds what ran until there.
    """
    import papermill  # type: ignore[import-untyped]
    from nbclient.exceptions import CellControlSignal, DeadKernelError

    path, out = Path(path), Path(out)
    if not path.is_file():
        raise RunError(f"{path}: there is no such notebook")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="uac-nb-") as home:
        try:
            done: NotebookNode = papermill.execute_notebook(
                path,
                out,
                parameters=dict(parameters or {}),
                kernel_name="python3",
                language="python",
                kernel_manager_class=_manager(Path(home)),
                execution_timeout=timeout,
                progress_bar=False,
                store_widget_state=False,  # it would stand before the static page, and needs a script from a server
            )
        except papermill.PapermillExecutionError as error:
            raise RunError(report(path, error, out)) from None
        except (CellControlSignal, DeadKernelError) as error:
            raise RunError(f"{path.name}: {error} (up to there: {out})") from None
    return done


def report(path: Path, error: Any, out: Path) -> str:
    """What a person needs to know of a cell that failed: which, why, its source, and where the rest is."""
    source = "\n".join(f"    {line}" for line in error.source.strip().splitlines())
    return f"{path.name}: cell {error.exec_count} failed with {error.ename}: {error.evalue}\n{source}\n(up to there: {out})"


def _manager(home: Path) -> type:
    """The kernel manager of one run."""
    from jupyter_client.manager import AsyncKernelManager

    class Apart(AsyncKernelManager):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            if sys.platform != "win32":
                self.transport = "ipc"
                self.ip = str(home / "kernel")

        async def start_kernel(self, **settings: Any) -> None:  # type: ignore[override]  # the library binds it so itself
            await super().start_kernel(**{**settings, "env": _environment(home)})

    return Apart


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in SECRET}
    return {**kept, "HOME": str(home), "IPYTHONDIR": str(home / "ipython"), "UAC_HOME": str(home / "users")}
