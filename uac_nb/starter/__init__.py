"""What ships with us: types that a memory can adopt, and the rules over them. Standard library only, as `uac_nb.rules`.

The rules are loaded on first use; the types are texts until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uac_nb.starter.types import CONCERN, DOMAINS, FORMER, PROTECTED, TYPES, Protection, StarterType, one_at_a_time

if TYPE_CHECKING:
    from uac_nb.starter.rules import RULES

__all__ = ["CONCERN", "DOMAINS", "FORMER", "PROTECTED", "Protection", "RULES", "StarterType", "TYPES", "one_at_a_time"]


def __getattr__(name: str) -> Any:
    if name == "RULES":
        from uac_nb.starter.rules import RULES

        return RULES
    raise AttributeError(f"uac_nb.starter has no {name!r}")
