"""The pattern reader: sentences of a few known shapes become changes, without a model. What it cannot place stays unread."""

from uac_nb.reading.by_patterns.frames import FILE, Frame, Table, own_table, parse, table_with
from uac_nb.reading.by_patterns.reading import Reading, Statement, read
from uac_nb.reading.by_patterns.records import changes_of

__all__ = ["FILE", "Frame", "Reading", "Statement", "Table", "changes_of", "own_table", "parse", "read", "table_with"]
