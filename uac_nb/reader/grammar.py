"""What a text states: its clauses, each read by every kind of pattern, then joined where one completes another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime

from uac_nb.reader import clauses
from uac_nb.reader.clauses import Clause
from uac_nb.reader.finding import Finding
from uac_nb.reader.health import allergies, medicines
from uac_nb.reader.homes import residences
from uac_nb.reader.language import compiled
from uac_nb.reader.papers import papers
from uac_nb.reader.people import birthdays, contacts
from uac_nb.reader.schedule import appointments, deadlines
from uac_nb.reader.shopping import purchases, return_windows
from uac_nb.reader.standing import standing
from uac_nb.reader.tastes import tastes
from uac_nb.reader.tokens import plain
from uac_nb.reader.trips import back_home, trips

KINDS: tuple[Callable[[Clause], Iterator[Finding]], ...] = (
    allergies, medicines, residences, trips, purchases, return_windows, birthdays, contacts, appointments, deadlines, tastes,
    papers, standing,
)  # fmt: skip
COMPLETING = frozenset({"return window", "validity", "correction"})  # they say more of something else


def find(text: str, now: datetime | date) -> list[Finding]:
    """All that a text states, dates resolved against `now`, the moment it was said."""
    return [f for f in statements(text, now) if f.kind not in COMPLETING]


def statements(text: str, now: datetime | date) -> list[Finding]:
    """All that a text states, and what it says of things it does not name ("their return policy is 30 days")."""
    return read(text, now)[1]


def read(text: str, now: datetime | date) -> tuple[list[Clause], list[Finding]]:
    """The clauses of a text, and what they state."""
    found: list[Finding] = []
    said = clauses.read(plain(text), now.date() if isinstance(now, datetime) else now)
    for clause in said:
        if clause.mood == "said":
            _join(found, clause)
    return said, _distinct(found)


def _join(found: list[Finding], clause: Clause) -> None:
    """Add what a clause states; what completes an earlier finding goes into it."""
    new = [finding for kind in KINDS for finding in kind(clause)]
    if not new and (day := back_home(clause)):
        _complete(found, {"end": day}, kind="trip", without="end")
        return
    if slots := _corrected(clause):
        new.append(Finding("correction", "it", "me", "assert", slots, clause.span))
    for finding in new:
        if finding.kind == "return window" and "item" not in finding.slots and _complete(found, finding.slots, kind="purchase"):
            continue
        if finding.kind == "validity":
            _complete(found, finding.slots, kind="visa")
            continue
        if finding.kind == "correction" and _put_right(found, finding.slots):
            continue
        if clause.corrects and finding.kind not in COMPLETING:
            finding = replace(finding, slots={**finding.slots, "corrects": "yes"})
        known = clause.relation and finding.subject == clause.subject
        found.append(replace(finding, slots={**finding.slots, "relation": clause.relation}) if known else finding)


def _complete(found: list[Finding], slots: Mapping[str, str], *, kind: str = "", without: str = "", having: str = "") -> bool:
    """Put slots into the last finding that they can belong to."""
    for place in reversed(range(len(found))):
        old = found[place]
        fits = old.kind == kind if kind else old.kind not in COMPLETING
        if fits and without not in old.slots and (not having or having in old.slots):
            found[place] = replace(old, slots={**old.slots, **slots})
            return True
    return False


def _put_right(found: list[Finding], slots: Mapping[str, str]) -> bool:
    """Correct what was stated last; not where it has two days, and one is to be another."""
    last = next((old for old in reversed(found) if old.kind not in COMPLETING), None)
    which = "start" in slots and "end" not in slots and last is not None and "end" in last.slots
    having = next(iter(slots))
    before = {"instead of": last.slots[having]} if last and having in last.slots else {}
    return not which and _complete(found, {**slots, **before}, having=having)


_MARK = r"(?:(?:sorry|oops|wait|no|actually|correction|my bad|scratch that|rather)[ ,.:;!–—-]+)"
_IT_IS = "(?:it's|it is|it was|it'll be|it will be|that's|that was)"
_AT = "(?:(?:to say|on|at|for) )*(?:the )?"
_MEANT = compiled(
    rf"\W*(?:{_MARK}*(?:i meant|i mean|make that|it's actually|that should be|should be) |{_MARK}+(?:{_IT_IS} )?){_AT}"
)
_MARKS = compiled(rf"\W*{_MARK}+")
_SAID = compiled(rf"\W*(?:(?:{_IT_IS}|i meant|i mean|make that) )?{_AT}")
_WORDS = compiled("[a-z]+")


def _corrected(clause: Clause) -> dict[str, str]:
    """ "sorry, I meant May 14": what is put right in the statement before."""
    match = (_SAID if _MARKS.fullmatch(clause.before) else _MEANT).match(clause.masked)
    if not match or len(_WORDS.findall(clause.masked, match.end())) > 2:
        return {}
    slots: dict[str, str] = {}
    dated, amount, clock = clause.date(), next(iter(clause.amounts), None), next(iter(clause.hours), None)
    if match.end() not in [item.start for item in (dated, amount, clock) if item]:
        return {}
    if dated:
        slots |= {"start": dated.when} | ({"end": dated.until} if dated.until else {})
    if clock:
        slots |= {"starts": clock.at} | ({"ends": clock.until} if clock.until else {})
    return slots | ({"amount": amount.amount, "currency": amount.currency} if amount else {})


def _distinct(found: list[Finding]) -> list[Finding]:
    """Each once: the same kind, key, person and day is one finding."""
    kept: dict[tuple[str, str, str, str], Finding] = {}
    for finding in found:
        kept.setdefault((finding.kind, finding.key, finding.subject, finding.slots.get("start", "")), finding)
    return list(kept.values())
