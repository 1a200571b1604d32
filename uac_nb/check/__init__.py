"""The gate: precise messages for code that somebody else wrote, before any of it runs.

It is not the boundary; that is the sealed process (`uac_nb.runtime`), which enforces what is said here.
Standard library only.
"""

from uac_nb.check.gate import Kind, gate
from uac_nb.check.text import clean

__all__ = ["Kind", "clean", "gate"]
