"""Where no process stays: this one loads a project, does what is asked once, and ends.

Started as ``python -I -S once.py``; what to load and what to do come as two frames from standard input, and the answer goes
to standard output as lines of JSON. The plain engine runs it on this machine's Python, the WASI engine in WebAssembly.
"""

from __future__ import annotations

import os
import sys
import warnings
from types import ModuleType

sys.modules["uac_nb"] = ModuleType("uac_nb")  # this package is all that there is to import; nothing lies beside it
sys.modules["uac_nb"].__path__ = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]

from uac_nb.runtime import wire  # noqa: E402
from uac_nb.runtime.child import work  # noqa: E402
from uac_nb.runtime.sandbox import warm  # noqa: E402
from uac_nb.runtime.world import World  # noqa: E402


def main() -> None:
    warnings.simplefilter("ignore")  # nobody reads them
    sys.setrecursionlimit(wire.RECURSION)
    load, request = (wire.unpack(wire.receive(lambda size: os.read(0, size))) for _ in range(2))
    world = World()
    world.load(load)
    warm()
    wire.write(1, b"\n")  # from here on the deadline counts
    work(world, request, lambda data: wire.write(1, data))
    os._exit(0)


if __name__ == "__main__":
    main()
