"""Whether a concern may stand, as far as the project tells: what it says can come from hostile text.

Whether its words are those of its premises, and the premises the person's, is judged where the entries are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

from uac_nb.changes.vocabulary import AddConcern
from uac_nb.changes.workspace import Found, Workspace
from uac_nb.domainfile.records import type_of
from uac_nb.errors import CheckError, Diagnostic
from uac_nb.rules import When, dates_of, live
from uac_nb.starter import PROTECTED

CONCERNS = "concerns"
AFTER = timedelta(days=30)  # for what has happened already
# A concern leads nobody anywhere: no link, no address, no number to call.
LEADS = re.compile(
    r"https?:|www\.|\S@\S|\b[\w-]+\.(?:com|net|org|io|info|biz|app|me|co|ai|dev|xyz|[a-z]{2})(?:/|\b(?!\.\w))", re.IGNORECASE
)
DAY = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
NUMBER = re.compile(r"\+?\(?\d(?:[\s()./-]{0,2}\d){6,}")


def settled(workspace: Workspace, change: AddConcern) -> AddConcern:
    """The concern with its end, no graver than it may be. Raise CheckError where it may not stand."""
    premises = [found for id in dict.fromkeys(change.records) if (found := workspace.find(id))]
    if findings := [*_wrong(workspace, change, premises)]:
        raise CheckError(findings)
    protects = any(type_of(found.record).starter in PROTECTED for found in premises)
    return change.model_copy(
        update={
            "records": tuple(found.record.id for found in premises),
            "severity": change.severity if protects or change.severity != "critical" else "warning",
            "until": change.until or _until(premises),
        }
    )


def _wrong(workspace: Workspace, change: AddConcern, premises: list[Found]) -> Iterator[Diagnostic]:
    known = {found.record.id for found in premises}
    for id in change.records:
        if id not in known:
            yield Diagnostic(
                "unknown-id", "$.records", f"there is no record {id!r}", "name what collides by its id; add it first"
            )
    if any(found.collection == CONCERNS for found in premises):
        yield Diagnostic("concern", "$.records", "a concern rests on a concern", "name the records that collide")
    if len(premises) == 1 and len(known) == len(change.records) and not any(dates_of(premises[0].record)):
        hint = "name the other one too; one alone has to have a day, with which it collides"
        yield Diagnostic("concern", "$.records", f"{premises[0].record.id} collides with nothing", hint)
    for found in premises:
        if not live(found.record):
            yield Diagnostic("concern", "$.records", f"{found.record.id} is over", "name what still stands")
    for name in ("because", "do"):
        text = getattr(change, name)
        if LEADS.search(text) or NUMBER.search(DAY.sub("", text)):
            told = f"`{name}` holds a link, an address or a number to call"
            yield Diagnostic("concern", f"$.{name}", told, "say it without; the person knows whom to ask")


def _until(premises: list[Found]) -> str | None:
    """The day from which nobody has to be told: the end of the plans, some time after what happened; None where no day is."""
    ends = [(found, end.last) for found in premises if (end := dates_of(found.record)[1]) and not end.text.endswith("..")]
    last = max((end for _, end in ends), default=None)
    happened = all(getattr(found.record, "status", None) == "happened" for found, _ in ends)
    return When(last + AFTER if happened else last).text if last else None
