"""What code may import, name and touch. One list: the gate explains it, the sealed process enforces it."""

from __future__ import annotations

import builtins
import types
from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- modules ---

MODULES = _words(
    "__future__ abc bisect calendar collections collections.abc copy dataclasses datetime decimal enum fractions functools "
    "heapq itertools json math numbers operator re statistics string textwrap typing uac_nb.rules"
)

# Members of those modules that evaluate text, reach attributes by name, or make classes out of anything.
WITHHELD: Mapping[str, frozenset[str]] = {
    "abc": _words("ABCMeta get_cache_token update_abstractmethods"),
    "collections": _words("UserString"),
    "dataclasses": _words("make_dataclass"),
    "enum": _words("EnumMeta EnumType global_enum global_enum_repr global_flag_repr"),
    "functools": _words("WRAPPER_ASSIGNMENTS WRAPPER_UPDATES singledispatch singledispatchmethod update_wrapper"),
    "string": _words("Formatter Template"),
    "typing": _words("ForwardRef evaluate_forward_ref get_args get_type_hints"),
}

_SEALED = "code here has no files, no processes and no network; work with the records, which are bound by name"
_COUNT = "use collections.Counter, itertools and statistics; records are plain objects in lists"
_CLOCK = "the day is the argument `today`; make others with datetime.date"
_REPEAT = "an answer has to come out the same twice"
INSTEAD: Mapping[str, str] = {
    name: hint
    for names, hint in {
        "os sys io subprocess socket pathlib shutil tempfile glob signal threading multiprocessing asyncio urllib http "
        "requests ctypes importlib builtins inspect gc pickle sqlite3 logging types traceback": _SEALED,
        "pandas numpy scipy polars sklearn matplotlib": _COUNT,
        "time zoneinfo pytz dateutil": _CLOCK,
        "random secrets uuid": _REPEAT,
        "pytest unittest hypothesis": "a test is a plain function with asserts",
    }.items()
    for name in names.split()
}

# --- names ---

_EXCEPTIONS = {name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)}
BUILTINS = _words(
    "False None True NotImplemented Ellipsis __build_class__ abs all any ascii bin bool bytearray bytes callable chr "
    "classmethod complex dict divmod enumerate filter float format frozenset hash hex id int isinstance issubclass iter len "
    "list map max min next object oct ord pow property range repr reversed round set slice sorted staticmethod str sum super "
    "tuple zip"
) | (_EXCEPTIONS - {"SystemExit", "KeyboardInterrupt", "GeneratorExit"})

_WRITE_OUT = "write the code out in place"
NAMES: Mapping[str, str] = {
    "eval": _WRITE_OUT, "exec": _WRITE_OUT, "compile": _WRITE_OUT, "__import__": "write an import statement at the top",
    "open": _SEALED, "input": "nobody can answer; take what you need from the records", "breakpoint": "remove it",
    "globals": "use the name itself", "locals": "use the name itself", "vars": "use dataclasses.asdict(record)",
    "setattr": "write record.field = value, or dataclasses.replace(record, field=value)", "delattr": "write del record.field",
    "help": "remove it", "memoryview": "use bytes", "exit": "let the code end", "quit": "let the code end",
    "SystemExit": "let the code end", "KeyboardInterrupt": "raise ValueError", "GeneratorExit": "raise ValueError",
}  # fmt: skip
CLASS_NAMES = _words("__slots__ __hash__ __all__ __doc__")  # that code may bind

# --- attributes ---

# What leads from a value to the frames and code that made it, whatever this Python calls it, and what lets a class pass for
# that of another.
_BEHIND = (
    types.FrameType,
    types.CodeType,
    types.TracebackType,
    types.GeneratorType,
    types.CoroutineType,
    types.AsyncGeneratorType,
)
INNARDS = frozenset(name for kind in _BEHIND for name in dir(kind) if not name.startswith("_") and "_" in name) | _words(
    "mro obj register with_traceback"
)
NAMEDTUPLE = _words("_asdict _fields _make _replace")
READABLE = _words("__name__ __doc__")

_OPERATORS = _words("add sub mul truediv floordiv mod pow matmul and or xor lshift rshift")
_METHODS = _words(
    "init post_init new repr str eq ne lt le gt ge hash bool len iter next contains getitem setitem delitem missing call enter "
    "exit format int float index neg pos abs invert round floor ceil trunc divmod reversed length_hint"
).union(_OPERATORS, (f"r{name}" for name in _OPERATORS), (f"i{name}" for name in _OPERATORS))
METHODS = frozenset(f"__{name}__" for name in _METHODS)
