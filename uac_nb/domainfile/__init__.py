"""Domain files as text: parsed, rendered, spliced, and never executed.

Names are loaded on first use: the sealed worker imports `uac_nb.domainfile.records` and nothing else of this package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uac_nb.domainfile.annotations import MISSING, Type, parse_type
    from uac_nb.domainfile.cache import Cache
    from uac_nb.domainfile.domain import Collection, Domain
    from uac_nb.domainfile.imports import in_order
    from uac_nb.domainfile.names import check_names
    from uac_nb.domainfile.records import Field, RecordType, decode, encode, make, type_of, values_of
    from uac_nb.domainfile.render import render_record, render_value
    from uac_nb.domainfile.text import STATE
    from uac_nb.domainfile.types import Misfit, coerce

__all__ = [
    "Cache", "Collection", "Domain", "Field", "MISSING", "Misfit", "RecordType", "STATE", "Type", "check_names", "coerce",
    "decode", "encode", "in_order", "make", "parse_type", "render_record", "render_value", "type_of", "values_of",
]  # fmt: skip

_MODULES = {
    "cache": ("Cache",),
    "imports": ("in_order",),
    "domain": ("Collection", "Domain"),
    "text": ("STATE",),
    "names": ("check_names",),
    "records": ("Field", "RecordType", "decode", "encode", "make", "type_of", "values_of"),
    "render": ("render_record", "render_value"),
    "annotations": ("MISSING", "Type", "parse_type"),
    "types": ("Misfit", "coerce"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"uac_nb.domainfile has no {name!r}")
    return getattr(import_module(f"uac_nb.domainfile.{_HOME[name]}"), name)
