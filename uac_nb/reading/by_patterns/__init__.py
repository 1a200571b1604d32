"""The pattern reader: sentences of a few known shapes become changes, without a model. What it cannot place stays unread."""

from uac_nb.reading.by_patterns.frames import Frame, Table, merged, own_table, parse, table_with
from uac_nb.reading.by_patterns.reading import Reading, Statement, check, read
from uac_nb.reading.by_patterns.records import changes_of, types_of

__all__ = [
    "Frame",
    "Reading",
    "Statement",
    "Table",
    "changes_of",
    "check",
    "merged",
    "own_table",
    "parse",
    "read",
    "table_with",
    "types_of",
]
