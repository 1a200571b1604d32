"""Run attacks in sealed children that have the whole of Python: no gate, no restricted builtins, nothing but the seal.

Reads {name: code} as JSON from standard input and writes {name: what RESULT was}. With the argument "root" the child
stays root, where it is. Started as ``python -I -S bare.py``.
"""

from __future__ import annotations

import builtins
import importlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[2]))

from uac_nb.runtime import seal, wire
from uac_nb.runtime.children import Child, Write

# What an attack may import has to be there before the child is sealed, or it fails for the wrong reason.
NEEDED = (
    "_socket _thread asyncio calendar codecs collections copy ctypes dataclasses decimal enum fractions functools glob io "
    "itertools math mmap operator os pathlib posix re resource signal socket sqlite3 statistics string subprocess threading "
    "time typing urllib.request"
)


def attack(request: dict[str, Any], write: Write) -> None:
    names = {"RESULT": "none", "__name__": "__main__", "__builtins__": builtins}
    sys.stdout = sys.stderr = io.StringIO()
    try:
        exec(compile(request["code"], "attack", "exec"), names)
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"
        names["RESULT"] = names["RESULT"] if str(names["RESULT"]).startswith("L2") else said
    write(json.dumps(str(names["RESULT"])[:200]).encode() + b"\n")


def main() -> None:
    if "root" in sys.argv:
        seal._become_nobody = lambda: None
    for name in NEEDED.split():
        importlib.import_module(name)
    quiet, _keep = os.pipe()
    found = {}
    for name, code in json.load(sys.stdin).items():
        child = Child(attack, quiet, 256 << 20)
        reply = child.ask({"code": code}, 0.3 if name.startswith("dos") else 5.0, 1)
        child.end()
        ended = reply.reason == wire.DONE and reply.output.endswith(b"\n")
        found[name] = str(json.loads(reply.output)) if ended else "stopped"
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
