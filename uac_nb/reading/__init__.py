"""From entries to changes: batches of entries, a model (or the patterns) that proposes, and a trial of each proposal.

Nothing here writes anything: an outcome is a value, which the caller stores whole or not at all.
"""

from uac_nb.reading.batching import batches
from uac_nb.reading.by_model import Outcome, estimate, read_by_patterns, structure
from uac_nb.reading.protection import guarded
from uac_nb.reading.review import Proposal, Reviewer, reviewed, same, waiting
from uac_nb.reading.trial import Fact

__all__ = [
    "Fact",
    "Outcome",
    "Proposal",
    "Reviewer",
    "batches",
    "estimate",
    "guarded",
    "read_by_patterns",
    "reviewed",
    "same",
    "structure",
    "waiting",
]
