"""What a text states: its clauses, each read by every kind of pattern, then joined where one completes another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import pairwise

from uac_nb.reader import clauses
from uac_nb.reader.clauses import Clause
from uac_nb.reader.daywords import each_year
from uac_nb.reader.finding import COMPLETING, Finding
from uac_nb.reader.health import allergies, medicines
from uac_nb.reader.homes import residences
from uac_nb.reader.language import compiled
from uac_nb.reader.meals import meals
from uac_nb.reader.papers import papers
from uac_nb.reader.people import birthdays, contacts
from uac_nb.reader.schedule import appointments, deadlines
from uac_nb.reader.shopping import purchases, return_windows
from uac_nb.reader.sport import workouts
from uac_nb.reader.standing import standing
from uac_nb.reader.tastes import tastes
from uac_nb.reader.tokens import plain
from uac_nb.reader.trips import back_home, trips
from uac_nb.reader.work import jobs
from uac_nb.rules import When

KINDS: tuple[Callable[[Clause], Iterator[Finding]], ...] = (
    allergies, medicines, residences, trips, purchases, return_windows, birthdays, contacts, appointments, deadlines, tastes,
    papers, standing, jobs, workouts, meals,
)  # fmt: skip


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
    told = [clause for clause in said if not MARKS.fullmatch(f"{clause.masked} ")]  # "No, scratch that." tells nothing
    for before, clause in pairwise([None, *told]):
        if clause and clause.mood == "said":
            _join(found, clause, before)
    return said, _distinct(found)


def _travels(clause: Clause, found: Sequence[Finding]) -> bool:
    """Whether a clause is of whoever made the last trip: not "…, my sister returns on July 9", nor "…, who flies back"."""
    who = next((finding.subject for finding in reversed(found) if finding.kind == "trip"), clause.subject)
    return not clause.aside and clause.subject in ("", who)


def _join(found: list[Finding], clause: Clause, before: Clause | None) -> None:
    """Add what a clause states; what completes an earlier finding goes into it."""
    new = [finding for kind in KINDS for finding in kind(clause)]
    if not new and (day := back_home(clause)) and _travels(clause, found):
        day = _after(day, clause, found)
        if not _complete(found, clause, {"end": day}, kind="trip", without="end") and clause.corrects:
            found.append(Finding("correction", "it", "me", "assert", {"end": day}, clause.span))
        return
    if slots := _corrected(clause, before):
        new.append(Finding("correction", "it", "me", "assert", slots, clause.span))
    for finding in new:
        if (
            finding.kind == "return window"
            and "item" not in finding.slots
            and _complete(found, clause, finding.slots, kind="purchase")
        ):
            continue
        if finding.kind == "validity":
            _complete(found, clause, finding.slots, kind="visa")
            continue
        if finding.kind == "correction":
            if found and not _follows(clause, before, found[-1]):
                finding = replace(finding, slots={})  # of what was not understood
            elif _put_right(found, clause, finding.slots):
                continue
        if clause.corrects and finding.kind not in COMPLETING:
            finding = replace(finding, slots={**finding.slots, "corrects": "yes"})
        known = clause.relation and finding.subject == clause.subject
        found.append(replace(finding, slots={**finding.slots, "relation": clause.relation}) if known else finding)


def _after(day: str, clause: Clause, found: list[Finding]) -> str:
    """The day somebody is back, one without a year in the year of the journey that was told of before."""
    start = next((f.slots["start"] for f in reversed(found) if f.kind == "trip" and "start" in f.slots), "")
    dated = clause.date()
    if not (dated and dated.yearless and dated.exact and start and When(start).exact):
        return day
    left, back = When(start).date, When(day).date
    return min((d for d in each_year(left, back.month, back.day) if d >= left), default=back).isoformat()


def _follows(clause: Clause, before: Clause | None, last: Finding) -> bool:
    """Whether a clause comes right after those that state a finding."""
    return last.span[1] > (before.start if before else clause.sentence)


def _complete(
    found: list[Finding], clause: Clause, slots: Mapping[str, str], *, kind: str = "", without: str = "", having: str = ""
) -> bool:
    """Put slots into the last finding that they can belong to."""
    for place in reversed(range(len(found))):
        old = found[place]
        fits = old.kind == kind if kind else old.kind not in COMPLETING
        if fits and without not in old.slots and (not having or having in old.slots):
            found[place] = replace(old, slots={**old.slots, **slots}, also=(*old.also, clause.span))
            return True
    return False


def _put_right(found: list[Finding], clause: Clause, slots: Mapping[str, str]) -> bool:
    """Correct what was stated last; not where it has two days, and one is to be another."""
    last = next((old for old in reversed(found) if old.kind not in COMPLETING), None)
    which = "start" in slots and "end" not in slots and last is not None and "end" in last.slots
    having = next(iter(slots))
    slots = in_its_year(slots, last.slots.get("start", "") if last else "")
    before = {"instead of": last.slots[having]} if last and having in last.slots else {}
    return not which and _complete(found, clause, {**slots, **before}, having=having)


def in_its_year(slots: Mapping[str, str], old: str) -> dict[str, str]:
    """The slots of a correction, a day without a year in the one that brings it closest to the day put right.

    >>> in_its_year({"start": "2027-05-05", "yearless": "yes"}, "2026-05-03")
    {'start': '2026-05-05'}
    """
    told = {name: value for name, value in slots.items() if name != "yearless"}
    day = old.partition("T")[0]
    if "yearless" not in slots or not day or not When(day).exact:
        return told
    was, new = When(day).date, When(told["start"]).date
    return told | {"start": min(each_year(was, new.month, new.day), key=lambda d: abs(d - was)).isoformat()}


_MARK = r"(?:(?:sorry|oops|wait|no|actually|correction|my bad|scratch that|rather)[ ,.:;!–—-]+)"
_IT_IS = "(?:it's|it is|it was|it'll be|it will be|that's|that was)"
_AT = "(?:(?:to say|on|at|for) )*(?:the )?"
_MEANT = compiled(
    rf"\W*(?:{_MARK}*(?:i meant|i mean|make that|it's actually|that should be|should be) |{_MARK}+(?:{_IT_IS} )?){_AT}"
)
MARKS = compiled(rf"\W*{_MARK}+")  # nothing but that: "No, scratch that."
_MARKED = compiled(rf"(?:^|[.!?]\W+){_MARK}+$")
_SAID = compiled(rf"[ \"'(–—-]*(?:(?:{_IT_IS}|i meant|i mean|make that) )?{_AT}")
_NOT_SO = compiled(r"[,;(]? *(?:and )?not\b[^,;]*$")
_WORDS = compiled("[a-z]+")


def _corrected(clause: Clause, before: Clause | None) -> dict[str, str]:
    """ "sorry, I meant May 14", "No, scratch that. May 14.": what is put right in the statement before."""
    marked = MARKS.fullmatch(clause.before) or (clause.start == clause.sentence and _MARKED.search(clause.ahead))
    match = (_SAID if marked else _MEANT).match(clause.masked)
    if not match or len(_WORDS.findall(_NOT_SO.sub("", clause.masked[match.end() :]))) > 2:
        return {}
    slots: dict[str, str] = {}
    dated, amount, clock = clause.date(), next(iter(clause.amounts), None), next(iter(clause.hours), None)
    if match.end() not in [item.start for item in (dated, amount, clock) if item]:
        return {}
    if dated:
        slots |= {"start": dated.when} | ({"end": dated.until} if dated.until else {})
        slots |= {"yearless": "yes"} if dated.yearless and dated.exact and not dated.until else {}
    if clock:
        slots |= {"starts": clock.at} | ({"ends": clock.until} if clock.until else {})
    return slots | ({"amount": amount.amount, "currency": amount.currency} if amount else {})


def _distinct(found: list[Finding]) -> list[Finding]:
    """Each once: the same kind, key, person and day is one finding."""
    kept: dict[tuple[str, str, str, str], Finding] = {}
    for finding in found:
        kept.setdefault((finding.kind, finding.key, finding.subject, finding.slots.get("start", "")), finding)
    return list(kept.values())
