"""The log: an append-only record of what was said and of what we made of it."""

from uac_nb.log.archive import backup, export, restore
from uac_nb.log.database import in_use
from uac_nb.log.entries import KINDS, ROLES, Appended, Batch, BatchRow, Call, Chosen, Draft, Entry, Forgotten, Hit, Loaded
from uac_nb.log.store import Log

__all__ = [
    "Appended",
    "Batch",
    "BatchRow",
    "Call",
    "Chosen",
    "Draft",
    "Entry",
    "Forgotten",
    "Hit",
    "KINDS",
    "Loaded",
    "Log",
    "ROLES",
    "backup",
    "export",
    "in_use",
    "restore",
]
