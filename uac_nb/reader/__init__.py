"""The pattern reader: common English phrasings become changes, without any model. What it does not know it leaves unread."""

from uac_nb.reader.finding import Finding
from uac_nb.reader.grammar import find
from uac_nb.reader.patterns import PatternReader

__all__ = ["Finding", "PatternReader", "find"]
