"""From statements to changes: which known record a statement is about, and what it adds, amends, confirms or ends.

The records of a project are looked up by an index of what makes them the same, so that a checkpoint stays linear in them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time
from functools import lru_cache
from typing import Any, Protocol

from uac_nb.changes import Change
from uac_nb.changes.vocabulary import AS_SAID, Add, AddNote, Amend, Close, Confirm, Skip, Supersede
from uac_nb.domainfile.annotations import MISSING
from uac_nb.domainfile.records import RecordType, type_of, values_of
from uac_nb.english.places import LETTERS, fold
from uac_nb.reading.by_patterns.facts import told
from uac_nb.reading.by_patterns.frames import Table, own_table
from uac_nb.reading.by_patterns.kinds import Kind, starter_type
from uac_nb.reading.by_patterns.match import ME, Who
from uac_nb.reading.by_patterns.reading import Statement, Types, read
from uac_nb.reading.by_patterns.words import singular
from uac_nb.rules import Money, When

OVER = frozenset({"cancelled", "dropped", "returned", "sold", "off", "refused", "stopped", "ended", "closed"})


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


class Workspace(Protocol):
    """The part of a project that the reader looks at."""

    @property
    def collections(self) -> Mapping[str, Any]: ...
    def records(self, collection: str) -> Iterable[Any]: ...
    def find(self, id: str) -> Any: ...


def changes_of(entries: Sequence[Message], workspace: Workspace, table: Table | None = None) -> list[Change]:
    """Return the changes that entries ask for. One that is understood in part is also skipped, as unclear."""
    book = Book(workspace)
    table = table or own_table()
    result: list[Change] = []
    for entry in entries:
        result += _Entry(entry, book, table).changes()
    return result


def types_of(workspace: Workspace) -> Types:
    """Return what finds a type by its name: those of the project, by the names that fields have now, else ours."""
    own = {held.type.name: (collection, _current(held.type)) for collection, held in workspace.collections.items()}
    return lambda name: own.get(name) or starter_type(name)


# --- what is known ---


@dataclass(slots=True)
class Row:
    """A record as the reader sees it, with the changes made to it so far."""

    id: str
    collection: str
    values: dict[str, Any]

    @property
    def open(self) -> bool:
        ended = self.values.get("until") is not None and self.collection != "commitments"
        return not ended and self.values.get("status") not in OVER


class Book:
    """The records of a project by what makes them the same, and those added while reading."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.types = types_of(workspace)
        self._rows: dict[str, dict[str, Row]] = {}
        self._same: dict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], list[Row]]] = {}

    def rows(self, collection: str) -> dict[str, Row]:
        if collection not in self._rows:
            records = self.workspace.records(collection)
            self._rows[collection] = {r.id: Row(r.id, collection, _values(r)) for r in records}
        return self._rows[collection]

    def same(self, collection: str, names: tuple[str, ...], key: tuple[str, ...]) -> list[Row]:
        """Return the records that have these values in these fields."""
        index = self._same.get((collection, names))
        if index is None:
            index = self._same[collection, names] = {}
            for row in self.rows(collection).values():
                index.setdefault(key_of(row.values, names), []).append(row)
        return index.get(key, [])

    def add(self, collection: str, id: str, values: Mapping[str, Any]) -> Row:
        row = self.rows(collection)[id] = Row(id, collection, dict(values))
        for (of, names), index in self._same.items():
            if of == collection:
                index.setdefault(key_of(row.values, names), []).append(row)
        return row

    def remove(self, collection: str, id: str) -> None:
        row = self.rows(collection).pop(id)
        for (of, names), index in self._same.items():
            if of == collection:
                index[key_of(row.values, names)].remove(row)

    def free(self, id: str) -> str:
        """Return an id that nothing in the project has."""
        number, new = 1, id
        while any(new in rows for rows in self._rows.values()) or self.workspace.find(new) is not None:
            number += 1
            new = f"{id}-{number}"
        return new


def key_of(values: Mapping[str, Any], names: Iterable[str]) -> tuple[str, ...]:
    """Return what makes records the same, spelled alike.

    >>> key_of({"to": "Lisbon, Portugal", "avoids": ("Nuts",)}, ("who", "to", "avoids"))
    ('me', 'lisbon', 'nut')
    """
    defaults = {"who": "me", "stance": "like"}
    return tuple(_spelled(name, values.get(name) or defaults.get(name)) for name in names)


def _spelled(name: str, value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(sorted(_spelled("", item) for item in value))
    text = str(value or "")
    return _folded(text.split(",")[0] if name in ("to", "place") else text)


@lru_cache(maxsize=50_000)
def _folded(text: str) -> str:
    return " ".join(singular(word) for word in re.findall(r"\w+", fold(text)))


def slug(*words: str) -> str:
    """Return an id of words: lower case, joined by hyphens.

    >>> slug("São Paulo", "2025-03")
    'sao-paulo-2025-03'
    """
    text = unicodedata.normalize("NFKD", " ".join(w for w in words if w).translate(LETTERS)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", "")).strip("-")[:70].strip("-") or "record"


# --- one entry ---


@dataclass
class _Entry:
    """One message on its way to changes."""

    entry: Message
    book: Book
    table: Table
    made: list[Change] = field(default_factory=list)

    def changes(self) -> list[Change]:
        """Return the changes that the message asks for. The assistant's words state nothing of the user."""
        if self.entry.role in ("assistant", "system"):
            return [self._skip("not about the user")]
        if self.entry.role != "user" and not self.entry.speaker:
            return []
        reading = read(self.entry.text, self.entry.day, self.table, self.book.types)
        unplaced = [statement for statement in reading.statements if not self._place(statement)]
        if not reading.statements and reading.aside:
            return [self._skip(reading.aside)]
        if any(statement.ends for statement in unplaced):
            self._take_back()  # "… The flight was cancelled": it may be of what was told beside it
        if self.made and (reading.left or unplaced):
            self.made.append(self._skip("unclear"))  # cited alone it would count as read whole
        return self.made

    def _take_back(self) -> None:
        """Drop what the message adds, but for what somebody must avoid."""
        for change in self.made:
            if isinstance(change, Add) and change.collection not in ("allergies", "people"):
                self.book.remove(change.collection, change.id)
        self.made = [c for c in self.made if isinstance(c, Add) and c.collection in ("allergies", "people")]

    def _skip(self, reason: Any) -> Skip:
        return Skip(source=(self.entry.id,), reason=reason)

    def _place(self, statement: Statement) -> bool:
        """Make the changes that a statement asks for; False where there is no telling which record it means."""
        who = self._person(statement.who)
        values = dict(statement.values)
        if "name" in statement.kind.same:  # a birthday, a number: what the teller knows of somebody
            values.setdefault("name", str(statement.who))
        elif "who" in statement.type.by_name and who != "me":
            values["who"] = who
        kind = statement.kind
        if kind.title and "title" in statement.type.by_name and ("title" not in values or "{title}" in kind.title):
            values["title"] = told(kind.title, {**values, **statement.words}, statement.who, self._teller).strip()
        same = self.book.same(kind.collection, kind.same, key_of(values, kind.same))
        meeting = [row for row in same if row.open and _meet(row.values, values, kind.day, kind.last)]
        if statement.ends:
            return self._end(statement, values, meeting)
        meeting = [row for row in meeting if not _another(row.values, values, kind)]
        if any(name not in values for name in statement.type.required if name not in ("id", "source")):
            return False
        if len(meeting) > 1 or (kind.collection == "trips" and self._lives(values)):
            return False
        if not meeting and statement.again and kind.status:
            return self._moved([row for row in same if row.open], statement, values)
        return self._again(meeting[0], statement, values) if meeting else self._add(statement, values)

    def _moved(self, rows: list[Row], statement: Statement, values: dict[str, Any]) -> bool:
        """Amend the day of the one that is meant; False where there is no telling, or its last day is not told anew."""
        kind = statement.kind
        ahead = [row for row in rows if row.values.get(kind.day) and row.values[kind.day].last >= self.entry.day]
        if not ahead:
            return self._add(statement, values)
        if len(ahead) > 1 or (kind.last and ahead[0].values.get(kind.last) and kind.last not in values):
            return False
        if ahead[0].values.get("starts") and "starts" not in values:
            values["doubt"] = f"whether it still starts at {ahead[0].values['starts']:%H:%M}"
        return self._again(ahead[0], statement, values)

    # --- what holds ---

    def _lives(self, values: Mapping[str, Any]) -> bool:
        """Return whether a place is somebody's home: to go there is no journey."""
        home = {"who": values.get("who", "me"), "place": values["to"]}
        return any(row.open for row in self.book.same("residences", ("who", "place"), key_of(home, ("who", "place"))))

    def _add(self, statement: Statement, values: dict[str, Any]) -> bool:
        kind = statement.kind
        self._meet_people(statement)
        kept = values | ({"quote": statement.quote} if statement.quote else {})
        who = "" if values.get("who", "me") == "me" else str(values["who"])
        shown = told(kind.id, {**values, **statement.words}, statement.who, self._teller)
        id = self.book.free(slug(shown, who if "who" in kind.same else ""))
        replaced = self._replaced(kind.one, values, kind.collection)
        self.book.add(kind.collection, id, kept)
        why = f"{AS_SAID}: {statement.quote}" if statement.free else None
        self.made.append(
            Add(
                source=self._source,
                collection=kind.collection,
                id=id,
                values=as_json(kept),
                fact=self._fact(statement, values),
                why=why,
            )
        )
        for row in replaced:
            self._supersede(row, id, values)
        return True

    def _replaced(self, one: tuple[str, ...], values: Mapping[str, Any], collection: str) -> list[Row]:
        """Return the open records that cannot hold beside a new one: the old home, the old number, the other opinion."""
        rows = self.book.same(collection, one, key_of(values, one)) if one and values.get("until") is None else []
        since = values.get("since")
        return [r for r in rows if r.open and not (since and r.values.get("since") and since.last < r.values["since"].first)]

    def _supersede(self, row: Row, by: str, values: Mapping[str, Any]) -> None:
        if "until" in row.values or row.collection in ("residences", "medicines", "favourites"):
            until = values.get("since") or When(f"../{self.entry.day}")
            row.values["until"] = until
            self.made.append(Supersede(source=self._source, id=row.id, until=str(until), by=by))
        else:
            row.values["status"] = "ended"
            self.made.append(Close(source=self._source, id=row.id, status="ended"))

    def _again(self, row: Row, statement: Statement, values: dict[str, Any]) -> bool:
        """Amend what is known already where this says more or otherwise, else confirm it."""
        old = {f.name: f.default for f in statement.type.fields if f.default is not MISSING} | row.values
        if "dose" in values and old.get("dose") and not re.match(r"\d", values["dose"]):
            amount = re.match(r"[\d.,]+ ?\w+", old["dose"])  # how often alone: the amount stays
            values["dose"] = f"{amount[0]} {values['dose']}" if amount else values["dose"]
        new = {name: value for name, value in values.items() if _is_news(name, old.get(name), value)}
        if row.values.get("status") == "done":
            new.pop("status", None)
        if (
            "dose" in new
            and row.values.get("dose")
            and row.collection == "medicines"
            and _other_dose(row.values["dose"], new["dose"])
        ):
            return self._add(statement, values)
        if not new:
            self.made.append(Confirm(source=self._source, id=row.id))
            return True
        was = {name: row.values[name] for name in new if row.values.get(name) not in (None, "", ())}
        row.values |= new
        self.made.append(
            Amend(source=self._source, id=row.id, set=as_json(new), was=as_json(was), fact=self._fact(statement, row.values))
        )
        return True

    # --- what is over ---

    def _end(self, statement: Statement, values: dict[str, Any], rows: list[Row]) -> bool:
        kind = statement.kind
        if len(rows) > 1:
            return False
        if not rows:
            return self._deny(statement, values)
        (row,) = rows
        status = (kind.ended if statement.denied else str(values.get("status") or kind.ended)) or None
        until = values.get("until") or values.get("since") or (When(f"../{self.entry.day}") if kind.until else None)
        if not statement.type.by_name.keys() & {"status", "until"}:
            return False
        if "decision" in values:
            row.values["decision"] = values["decision"]
            self.made.append(Amend(source=self._source, id=row.id, set={"decision": values["decision"]}))
            return True
        row.values |= {"status": status} | ({"until": until} if kind.until else {})
        status = status if "status" in statement.type.by_name else None
        self.made.append(Close(source=self._source, id=row.id, until=str(until) if kind.until else None, status=status))
        return True

    def _deny(self, statement: Statement, values: Mapping[str, Any]) -> bool:
        """Note what is not so where no record says otherwise, and it may matter."""
        if not statement.kind.denial:
            return False
        text = told(statement.kind.denial, {**values, **statement.words}, statement.who, self._teller)
        if not any(getattr(note, "text", "") == text for note in self.book.workspace.records("notes")):
            id = self.book.free(slug("no", told(statement.kind.id, values, statement.who, self._teller)))
            self.book.add("notes", id, {"text": text})
            self.made.append(AddNote(source=self._source, id=id, text=text, fact=text))
        return True

    # --- whose life it is ---

    @property
    def _source(self) -> tuple[int, ...]:
        return (self.entry.id,)

    @property
    def _teller(self) -> str:
        return "The user" if self.entry.role == "user" else self.entry.speaker

    @property
    def _teller_id(self) -> str:
        return "me" if self.entry.role == "user" else self._known_as(self.entry.speaker) or slug(self.entry.speaker)

    def _known_as(self, name: str) -> str | None:
        for row in self.book.rows("people").values():
            names = (row.values.get("name"), row.values.get("relation"), *(row.values.get("aka") or ()))
            if name.casefold() in [str(known).casefold() for known in names if known]:
                return row.id
        return None

    def _person(self, who: Who) -> str:
        """Return the id of a person spoken of. What somebody is to another ("sister") is so to that person only."""
        if who == ME:
            return self._teller_id
        mine = self._teller_id == "me"
        named = who.name or (who.relation if mine else f"{self.entry.speaker}'s {who.relation}")
        return self._known_as(named) or slug(named.replace("'s", ""))

    def _meet_people(self, statement: Statement) -> None:
        """Add records for the teller and for the person spoken of, where there are none yet."""
        if self._teller_id != "me":
            self._new_person(
                self._teller_id, {"name": self.entry.speaker}, f"{self.entry.speaker} takes part in the conversation."
            )
        who = statement.who
        if who == ME or "who" not in statement.type.by_name or "name" in statement.kind.same:
            return
        mine = self._teller_id == "me"
        whose = f"{self._teller}'s {who.relation}" if who.relation else ""
        name = who.name or (who.relation if mine else whose)
        values = {"name": name} | ({"relation": who.relation} if who.relation and mine else {})
        fact = f"{name} is {whose}." if whose and who.name else f"{self._teller} speaks of {whose or name}."
        self._new_person(self._person(who), values, fact)

    def _new_person(self, id: str, values: dict[str, Any], fact: str) -> None:
        if id not in self.book.rows("people"):
            self.book.add("people", id, values)
            self.made.append(Add(source=self._source, collection="people", id=id, values=values, fact=fact))

    def _fact(self, statement: Statement, values: Mapping[str, Any]) -> str:
        kind = statement.kind
        template = kind.done if statement.past and kind.done else kind.fact
        return told(template, {**values, **statement.words}, statement.who, self._teller)


def _another(old: Mapping[str, Any], new: Mapping[str, Any], kind: Kind) -> bool:
    """Return whether what happened is another than what is known: it has another amount, or both leave the day open."""
    if not kind.day or kind.status:
        return False
    amounts = [
        (old[name], value) for name, value in new.items() if isinstance(value, Money | int) and old.get(name) is not None
    ]
    days = old.get(kind.day), new.get(kind.day)
    open_ = all(day is not None and day.text.startswith("../") for day in days) and days[0] != days[1]
    return any(a != b for a, b in amounts) or bool(amounts and open_) or old.get("decision") == "returned"


def _meet(old: Mapping[str, Any], new: Mapping[str, Any], day: str, last: str) -> bool:
    """Return whether two records can be of the same day: their spans meet, or one names no day."""
    if not day:
        return True
    a, b = old.get(day), new.get(day)
    if a is None or b is None or (a.text.startswith("../") and b.text.startswith("../")):
        return True
    ends = [(span.get(last) or when).last if last else when.last for span, when in ((old, a), (new, b))]
    return bool(a.first <= ends[1] and b.first <= ends[0])


def _is_news(name: str, old: Any, new: Any) -> bool:
    if old == new or new in (None, (), ""):
        return False
    if name in ("quote", "title", "what", "to", "place", "substance", "name", "avoids", "country") and old:
        return False
    if isinstance(old, When) and isinstance(new, When) and "--" not in (old.text[:2], new.text[:2]):
        return not (new.first <= old.first and old.last <= new.last)  # a wider day is no news
    if name == "status" and old == "taking":
        return bool(new != "prescribed")
    return True


def _other_dose(old: str, new: str) -> bool:
    amounts = [re.match(r"[\d.,]+ ?\w+", dose) for dose in (old, new)]
    return bool(amounts[0] and amounts[1] and amounts[0][0] != amounts[1][0])


def as_json(value: Any) -> Any:
    """Return a value as a change carries it."""
    match value:
        case dict():
            return {name: as_json(item) for name, item in value.items()}
        case When():
            return value.text
        case Money():
            return {"amount": str(value.amount), "currency": value.currency}
        case time():
            return f"{value:%H:%M}"
        case tuple():
            return [as_json(item) for item in value]
        case _:
            return value


def _current(kind: RecordType) -> RecordType:
    """A type with the names that our fields have now, where a copy was not upgraded."""
    now = {old: new for new, old in kind.former.items() if old}
    return replace(kind, fields=tuple(replace(f, name=now.get(f.name, f.name)) for f in kind.fields)) if now else kind


def _values(record: Any) -> dict[str, Any]:
    """The values of a record by the names that our types have now, also of a copy that was not upgraded."""
    now = {old: new for new, old in type_of(record).former.items() if old}
    return {now.get(name, name): value for name, value in values_of(record).items()}
