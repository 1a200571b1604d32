"""Whether a concern rests on what the person said: its text can come from a hostile entry.

Names, numbers and days in it stand in the entries behind its premises. What is common knowledge may be said where the
sentence owns to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from uac_nb.changes import Workspace
from uac_nb.changes.vocabulary import AddConcern
from uac_nb.domainfile.records import values_of
from uac_nb.errors import Diagnostic
from uac_nb.log import Entry
from uac_nb.reading.evidence import SENTENCE, Evidence
from uac_nb.reading.grounding import ungrounded
from uac_nb.rules import When

AT_MOST = 3  # in a batch: who sees more sees ghosts
OWNED = re.compile(r"\bas far as I know\b", re.IGNORECASE)


def unfounded(
    change: AddConcern, workspace: Workspace, entries: Callable[[set[int]], Sequence[Entry]], own: Callable[[Entry], bool]
) -> Iterator[Diagnostic]:
    """What stands against a concern. `entries` gives those of some numbers, `own` tells the person's own."""
    premises = [found.record for id in change.records if (found := workspace.find(id))]
    rests = {id for record in premises for id in record.source} | ({*change.source} if len(premises) == 1 else set())
    said = entries(rests)
    if not any(map(own, said)):
        hint = "a concern needs one premise at least that the person told"
        yield Diagnostic("concern", "$.records", "nothing that it rests on was said by the person", hint)
    elif len(said) < 2:
        hint = "what one entry says of itself is no collision; note it"
        yield Diagnostic("concern", "$.records", f"all of it was told by one entry, {said[0].id}", hint)
    known = " ".join(str(getattr(value, "text", value)) for record in premises for value in values_of(record).values())
    days = tuple(value for record in premises for value in values_of(record).values() if isinstance(value, When))
    evidence = Evidence(said, known, days)
    sentences = SENTENCE.split(f"{change.because.rstrip('.')}. {change.do}")
    for kind, what in ungrounded(" ".join(part for part in sentences if not OWNED.search(part)), evidence):
        hint = 'say what they say; begin common knowledge with "as far as I know"'
        yield Diagnostic("concern", "$.because", f"the {kind} {what!r} stands in nothing that it rests on", hint)
