"""How domains, collections and types may be called (they become modules and names of a Python project)."""

from __future__ import annotations

import builtins
import keyword
import re
import sys
import sysconfig
from functools import lru_cache
from importlib.machinery import PathFinder

from uac_nb.domainfile.annotations import SCALARS
from uac_nb.errors import Diagnostic

OURS = frozenset({"conftest", "setup", "sitecustomize", "usercustomize", "rules", "uac_nb"})
# Fixed, and not all that uac_nb.rules exports: a name that was good once has to stay good.
BOUND = frozenset({"today", "records", "continent", *dir(builtins)})
TAKEN = frozenset({*SCALARS, "Alert", "Note", "Unknown", "Literal", *dir(builtins)})


def check_names(
    *, domain: str = "", collection: str = "", type: str = "", where: str = "", installed: bool = True
) -> list[Diagnostic]:
    """What speaks against these names; empty where nothing does. The domain has to be new: notes is one already.

    `installed`: look at the packages of this machine too, which an archive made elsewhere could not know.
    """
    found = []
    if domain and (why := _domain(domain, installed)):
        found.append(Diagnostic("name", where, f"a domain cannot be called {domain!r}: {why}", "choose another word"))
    if collection and (why := _collection(collection)):
        found.append(Diagnostic("name", where, f"a collection cannot be called {collection!r}: {why}", "choose another word"))
    if type and (why := _type(type)):
        found.append(Diagnostic("name", where, f"a type cannot be called {type!r}: {why}", "choose another word"))
    return found


def _domain(name: str, installed: bool) -> str:
    if why := _word(name):
        return why
    if name in OURS or name == "notes" or name.startswith("test_"):
        return "the project uses that name itself"
    if name in sys.stdlib_module_names or (installed and _installed(name)):
        return "there is a Python module of that name"
    return ""


def _collection(name: str) -> str:
    return _word(name) or ("rules and queries use that name for something else" if name in BOUND else "")


def _type(name: str) -> str:
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name):
        return "write it as in Trip or BankAccount"
    return "there is a type of that name already" if name in TAKEN else ""


def _word(name: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        return "write lower-case letters, digits and _"
    return "Python keeps that word" if keyword.iskeyword(name) else ""


@lru_cache(maxsize=256)
def _installed(name: str) -> bool:
    # only where packages are installed: the project's own folder may be on the path, and holds a module of that name
    return PathFinder.find_spec(name, [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]) is not None
