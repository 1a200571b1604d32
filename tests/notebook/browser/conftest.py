"""A real JupyterLab and a real browser, for what only they can tell. Skipped where Chromium or playwright is absent."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[3]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LAB = [
    "--no-browser",
    "--ip=127.0.0.1",
    "--allow-root",
    "--IdentityProvider.token=",
    "--ServerApp.password=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.expose_app_in_browser=True",
]
PANEL = "window.jupyterapp.shell.currentWidget"
NEWS = "@jupyterlab/apputils-extension/notification.jupyterlab-settings"  # would ask over the page whether to fetch some


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield running
        running.close()


@pytest.fixture(scope="package")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the server shows."""
    return tmp_path_factory.mktemp("desk")


@pytest.fixture(scope="package")
def server(desk: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab that has the extension and nothing of this machine's user."""
    home = tmp_path_factory.mktemp("home")
    extensions = home / "share" / "labextensions"
    extensions.mkdir(parents=True)
    (extensions / "uac-nb").symlink_to(ROOT / "uac_nb" / "labextension")
    news = home / "jupyter_config_dir" / "lab" / "user-settings" / NEWS
    news.parent.mkdir(parents=True)
    news.write_text('{"fetchNews": "false"}')
    own = {
        name: str(home / name.lower())
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    }
    more = {"JUPYTER_PATH": str(home / "share"), "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", *LAB, f"--port={port}", f"--ServerApp.root_dir={desk}"]
    with (home / "lab.log").open("w") as log:
        process = subprocess.Popen(command, env={**os.environ, **own, **more}, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, process, home / "lab.log")
        yield address
    finally:
        process.terminate()
        process.wait(30)


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        with suppress(OSError), urllib.request.urlopen(f"{address}/api", timeout=2):
            return
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.2)
            break
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


class Lab:
    """One notebook, open in JupyterLab."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page, self.path = page, path
        page.wait_for_function(f"() => window.jupyterapp && {PANEL}?.sessionContext", timeout=60_000)
        self.ask(f"async () => {{ await {PANEL}.revealed; await {PANEL}.sessionContext.ready }}")
        self.idle()

    def ask(self, script: str, *given: Any) -> Any:
        return self.page.evaluate(script, *given)

    def idle(self) -> None:
        self.page.wait_for_function(f"() => {PANEL}.sessionContext.session?.kernel?.status === 'idle'", timeout=60_000)

    def command(self, name: str, **given: Any) -> None:
        """Run a command of JupyterLab and wait until it is done."""
        self.ask("([name, given]) => window.jupyterapp.commands.execute(name, given).then(() => null)", [name, given])
        self.idle()

    def run_all(self) -> None:
        """Run every cell; none may fail."""
        self.command("notebook:run-all-cells")
        assert self.errors() == []

    def restart_and_run_all(self) -> None:
        """As the button does, without its question."""
        self.ask(f"() => {PANEL}.sessionContext.restartKernel()")
        self.run_all()

    def run(self, index: int) -> None:
        """Run one cell."""
        self.ask(f"i => {{ {PANEL}.content.activeCellIndex = i }}", index)
        self.command("notebook:run-cell")

    def sources(self) -> list[str]:
        return list(self.ask(f"() => [...{PANEL}.content.model.sharedModel.cells].map(cell => cell.getSource())"))

    def write(self, index: int, source: str) -> None:
        """Type into a cell."""
        self.ask(f"([i, text]) => {PANEL}.content.model.sharedModel.cells[i].setSource(text)", [index, source])

    def add(self, source: str) -> None:
        """A new code cell at the end."""
        cell = {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
        self.ask(
            f"cell => {{ const cells = {PANEL}.content.model.sharedModel; cells.insertCell(cells.cells.length, cell) }}", cell
        )

    def errors(self) -> list[str]:
        """What went wrong in any cell."""
        outputs = (
            f"[...{PANEL}.content.model.sharedModel.cells].flatMap(cell => cell.cell_type === 'code' ? cell.getOutputs() : [])"
        )
        return list(self.ask(f"() => {outputs}.filter(o => o.output_type === 'error').map(o => o.evalue)"))

    def theme(self, name: str) -> None:
        """Light or Dark. The server remembers it, for other notebooks too."""
        self.command("apputils:change-theme", theme=f"JupyterLab {name}")

    def text(self, index: int) -> str:
        """What the outputs of a cell show."""
        return str(self.ask(f"i => {PANEL}.content.widgets[i].outputArea.node.innerText", index))


@pytest.fixture
def lab(browser: Any, server: str, desk: Path) -> Iterator[Callable[..., Lab]]:
    """Open a notebook: a file that is copied, or sources of code cells."""
    contexts = []

    def open_(notebook: Path | list[str], name: str) -> Lab:
        path = desk / f"{name}.ipynb"
        if isinstance(notebook, Path):
            shutil.copy(notebook, path)
        else:
            spec = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
            nbformat.write(
                nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in notebook], metadata=spec), path
            )
        context = browser.new_context(viewport={"width": 1200, "height": 1500})
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{server}/lab/tree/{path.name}?reset")
        return Lab(page, path)

    yield open_
    for context in contexts:
        context.close()
