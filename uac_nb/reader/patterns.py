"""The pattern reader: entries in, changes out. Nothing here asks a model; what no pattern knows stays uncited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Protocol

from uac_nb.reader.finding import Finding
from uac_nb.reader.folk import Folk
from uac_nb.reader.grammar import in_its_year, read
from uac_nb.reader.known import Known, Row, Workspace, slug
from uac_nb.reader.match import bought_again, contradicted, earlier, in_order, matching, news, retracted, stems
from uac_nb.reader.places import fold
from uac_nb.reader.shapes import Shape, Teller, denial, shape
from uac_nb.reader.shopping import SAME
from uac_nb.reader.smalltalk import reason
from uac_nb.reader.tokens import KRONER, OPEN, plain
from uac_nb.reader.whole import bears_on, sure
from uac_nb.rules import When

Change = dict[str, Any]

QUOTED = frozenset({"allergies"})  # kept with the words that say so; others only where something is doubtful
STATUS = {
    "allergy": "ended", "job": "ended", "medication": "stopped", "trip": "cancelled", "appointment": "cancelled",
    "subscription": "cancelled",
}  # fmt: skip
ENDING = frozenset({"medication", "residence", "job"})  # they end on a day
NOTED = frozenset({"allergy", "medication", "trip", "residence", "appointment"})  # worth a note where no record says otherwise
LAST_DAY = {"departs": "returns", "there_on": "returns"}
FIRST_DAY = ("departs", "there_on", "bought", "on", "due", "expires", "since")


class Message(Protocol):
    """The part of a log entry that is read."""

    @property
    def id(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def speaker(self) -> str: ...
    @property
    def day(self) -> date: ...


class PatternReader:
    """Read entries by patterns alone."""

    name = "patterns"

    def read(self, entries: Sequence[Message], workspace: Workspace) -> list[Change]:
        """The changes, as JSON, that the entries ask for. One understood in part is also skipped, as unclear."""
        reading = _Reading(Known(workspace))
        for entry in entries:
            reading.take(entry)
        return reading.changes


class _Reading:
    """One pass over entries: what is known, what has changed, and what each person spoke of last."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.folk = Folk(known)
        self.changes: list[Change] = []
        self.last: dict[str, Row] = {}

    def take(self, entry: Message) -> None:
        """Read one entry. The assistant's words state nothing of the user."""
        if entry.role in ("assistant", "system"):
            self._skip(entry, "not about the user")
            return
        teller = self.folk.teller(entry.role, entry.speaker, entry.day)
        if teller is None:
            return
        clauses, found = read(entry.text, entry.day)
        before = len(self.changes)
        people = [str(row.values.get("name") or "") for row in self.known.rows("people")]
        kept, clear = sure(clauses, found, plain(entry.text), people)
        told = self._stated(kept, teller, entry)
        if not found and (why := reason(entry.text)):
            self._skip(entry, why)
        elif len(self.changes) == before:
            self.last.pop(teller.id, None)  # who then says "I meant the 14th" may speak of what was not understood
        elif not (clear and told == kept):
            self._skip(entry, "unclear")  # cited alone it would count as read whole
            self.last.pop(teller.id, None)

    def _stated(self, found: list[Finding], teller: Teller, entry: Message) -> list[Finding]:
        """The findings of which changes were made: less those where there is no telling which record they mean.

        None where one of these may be about another finding.
        """
        before = len(self.changes)
        unsure = [finding for finding in found if not self._state(finding, teller, entry)]
        if unsure:
            del self.changes[before:]
            self.known.take_back()
            certain = [finding for finding in found if finding not in unsure]
            changing = any(bears_on(doubtful, finding) for doubtful in unsure for finding in certain)
            return [] if changing else self._stated(certain, teller, entry)
        self.known.keep()
        return found

    def _skip(self, entry: Message, why: str) -> None:
        self.changes.append({"change": "skip", "source": [entry.id], "reason": why})

    def _change(self, kind: str, id: str, entry: Message, **more: Any) -> None:
        told = {name: value for name, value in more.items() if value not in (None, {}, "")}
        self.changes.append({"change": kind, "id": id, **told, "source": [entry.id]})

    def _state(self, finding: Finding, teller: Teller, entry: Message) -> bool:
        """Make the changes that a finding asks for; False where there is no telling which."""
        finding = self._priced(finding, teller)
        if finding.slots.get("currency") in (OPEN, SAME):
            return False
        if finding.kind == "correction":
            return self._correct(finding, teller, entry)
        if finding.kind == "return window":
            return self._give_back(finding, teller, entry)
        if finding.polarity == "retract":
            return self._retract(finding, teller, entry)
        return finding.kind != "validity" and self._tell(finding, teller, entry)  # valid: of what, nobody said

    # --- what holds ---

    def _tell(self, finding: Finding, teller: Teller, entry: Message) -> bool:
        who = self.folk.id_of(finding.subject, teller)
        if "past" in finding.slots and "start" in finding.slots and When(finding.slots["start"]).first > teller.day:
            return False  # "I moved to York in 2062"
        if self.folk.namesakes(finding) or (finding.kind == "trip" and self._lives(who, finding.slots["to"])):
            return False
        shaped = shape(self._with_account(finding), who, teller)
        moved = "moved" in finding.slots or "corrects" in finding.slots
        rows = matching(self.known, shaped, teller.day, moved=moved)
        if finding.kind == "purchase" and not moved and "definite" not in finding.slots:
            rows = [row for row in rows if not bought_again(row, shaped)]
        if len(rows) > 1 or (not rows and "known" in finding.slots):
            return False
        if rows:
            self._again(rows[0], shaped, entry, moved=moved)
            self.last[teller.id] = rows[0]
        elif shaped.complete:
            self._add(finding, shaped, teller, entry)
        else:
            self._note(shaped.fact, shaped.id, entry)
        return not rows or in_order(rows[0])

    def _lives(self, who: str, place: str) -> bool:
        """Whether a place is somebody's home: to go there is no journey."""
        homes = [row for row in self.known.rows("residences") if row.open and row.values.get("who", "me") == who]
        return fold(place.split(",")[0]) in [fold(str(row.values["place"]).split(",")[0]) for row in homes]

    def _add(self, finding: Finding, shaped: Shape, teller: Teller, entry: Message) -> None:
        for id, values, fact in self.folk.meet(finding, teller):
            self._change("add", id, entry, collection="people", values=dict(values), fact=fact)
        values = shaped.values | earlier(self.known, shaped)
        if shaped.collection in QUOTED or "doubt" in values:
            values["quote"] = entry.text[slice(*finding.span)].strip()
        id, before = self.known.free(shaped.id), contradicted(self.known, shaped)
        self.last[teller.id] = self.known.add(shaped.collection, id, values)
        self._change(
            "add", id, entry, collection=shaped.collection, values=values, fact=shaped.fact, why=finding.slots.get("why")
        )
        for old in before:
            self._replace(old, id, shaped, teller, entry)

    def _priced(self, finding: Finding, teller: Teller) -> Finding:
        """Whose kroner they are, where the teller's home says so; of a price put right the currency that it had."""
        if finding.slots.get("currency") == SAME:
            return self._as_before(finding)
        if finding.slots.get("currency") != OPEN:
            return finding
        homes = [row for row in self.known.rows("residences") if row.open and row.values.get("who", "me") == teller.id]
        found = {KRONER[country] for row in homes if (country := row.values.get("country")) in KRONER}
        return replace(finding, slots={**finding.slots, "currency": found.pop()}) if len(found) == 1 else finding

    def _as_before(self, finding: Finding) -> Finding:
        words = stems(finding.key)
        bought = [
            row for row in self.known.rows("purchases") if row.values.get("price") and words <= stems(row.values["title"])
        ]
        if len(bought) != 1:
            return finding
        return replace(finding, slots={**finding.slots, "currency": bought[0].values["price"]["currency"]})

    def _with_account(self, finding: Finding) -> Finding:
        """A payment names its account in words; the record wants its id."""
        words = set(finding.slots.get("account", "").lower().split())
        titles = {row.id: set(str(row.values["title"]).lower().split()) for row in self.known.rows("accounts")} if words else {}
        ids = [id for id, title in titles.items() if words <= title]
        return replace(finding, slots={**finding.slots, "account id": ids[0]}) if len(ids) == 1 else finding

    def _again(self, row: Row, shaped: Shape, entry: Message, *, moved: bool) -> None:
        """Known already: amended where this tells more or otherwise, else confirmed."""
        new = news(row, shaped)
        if moved and "on" in new and row.values.get("starts") and "starts" not in shaped.values:
            new["doubt"] = f"whether it still starts at {row.values['starts']}"
        if moved and "on" in new and "until" not in new and (span := _as_long(row, new["on"])):
            new |= {"until": span, "doubt": "whether it still takes as many days"}
        if new:
            self._amend(row, new, shaped.fact, entry)
        elif not any(change.get("id") == row.id and change["source"] == [entry.id] for change in self.changes):
            self._change("confirm", row.id, entry)

    def _amend(self, row: Row, new: Mapping[str, Any], fact: str, entry: Message) -> None:
        was = {name: row.values[name] for name in new if row.values.get(name) not in (None, "", [])}
        self.known.set(row, new)
        self._change("amend", row.id, entry, set=dict(new), was=was, fact=fact)

    def _replace(self, old: Row, new: str, shaped: Shape, teller: Teller, entry: Message) -> None:
        if shaped.collection == "contacts":
            self.known.set(old, {"status": "ended"})
            self._change("close", old.id, entry, status="ended")
            return
        until = shaped.values.get("since") or f"../{teller.day}"
        self.known.set(old, {"until": until})
        self._change("supersede", old.id, entry, until=until, by=new)

    # --- what no longer holds ---

    def _retract(self, finding: Finding, teller: Teller, entry: Message) -> bool:
        rows = retracted(self.known, finding, self.folk.id_of(finding.subject, teller), teller.day)
        if len(rows) > 1:
            return False
        if not rows:
            if finding.kind not in NOTED or "known" in finding.slots:
                return False
            self._note(denial(finding, teller), slug("no", finding.key, finding.kind), entry)
            return True
        row = rows[0]
        fact = denial(
            replace(finding, slots={"to": row.values["to"], **finding.slots}) if finding.kind == "trip" else finding, teller
        )
        if finding.kind == "purchase":
            self._amend(row, {"decision": "returned"}, fact, entry)
        else:
            status = STATUS.get(finding.kind)
            until = (finding.slots.get("end") or f"../{teller.day}") if finding.kind in ENDING else None
            self.known.set(row, {"status": status} | ({"until": until} if until else {}))
            self._change("close", row.id, entry, until=until, status=status, fact=fact)
        return True

    def _note(self, fact: str, id: str, entry: Message) -> None:
        if not any(row.values.get("text") == fact for row in self.known.rows("notes")):
            free = self.known.free(id)
            self.known.add("notes", free, {"text": fact})
            self._change("note", free, entry, text=fact, fact=fact)

    # --- what completes or corrects an earlier statement ---

    def _correct(self, finding: Finding, teller: Teller, entry: Message) -> bool:
        """ "Sorry, I meant the 14th", of what the same person said last."""
        row = self.last.get(teller.id)
        new = _put_right(row, finding.slots) if row else {}
        if row is None or not new:
            return False
        self._amend(row, new, _corrected(row, teller), entry)
        return in_order(row)

    def _give_back(self, finding: Finding, teller: Teller, entry: Message) -> bool:
        new: dict[str, Any] = dict(finding.slots)
        item = new.pop("item", None)
        bought = [row for row in self.known.rows("purchases") if item and stems(item) <= stems(row.values["title"])]
        row = bought[-1] if bought else self.last.get(teller.id)
        if row is None or row.collection != "purchases" or (item and not bought):
            return False
        if "return_days" in new:
            new["return_days"] = int(new["return_days"])
        limit = f"within {new['return_days']} days" if "return_days" in new else f"until {new['return_by']}"
        self._amend(row, new, f"{row.values['title']} can be returned {limit}.", entry)
        return True


def _as_long(row: Row, first: str) -> str:
    """The last day of what is moved, if it takes as many days as before; "" where that is not known."""
    start, end, new = row.when("on"), row.when("until"), When(first)
    known = start is not None and end is not None and start.exact and end.exact and new.exact
    return str(new.date + (end.date - start.date)) if known and start and end else ""


def _put_right(row: Row, slots: Mapping[str, str]) -> dict[str, Any]:
    """The values of a record that a correction changes; none where it may be about another of them."""
    first = next((name for name in FIRST_DAY if row.values.get(name)), None)
    last = next((name for name in ("returns", "until") if row.values.get(name)), None)
    new: dict[str, Any] = {}
    slots = in_its_year(slots, str(row.values[first]) if first else "")
    if "start" in slots:
        if first is None or (last and "end" not in slots):
            return {}
        new[first] = slots["start"].removeprefix("../")
        if "end" in slots:
            new[LAST_DAY.get(first, "until")] = slots["end"]
    elif "end" in slots:
        if last != "returns":
            return {}
        new[last] = slots["end"]
    if "starts" in slots:
        if row.collection != "commitments":
            return {}
        new |= {name: slots[name] for name in ("starts", "ends") if name in slots}
    if "amount" in slots:
        if not row.values.get("price"):
            return {}
        new["price"] = {"amount": slots["amount"], "currency": slots["currency"]}
    return new


def _corrected(row: Row, teller: Teller) -> str:
    return f"{teller.name} corrected what was said of {row.values.get('title') or row.id}."
