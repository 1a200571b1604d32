"""Bind the items of a question to a `Query` over one collection. Every word is used, or the question is not understood.

Each collection reads the question by itself; the best reading without unused words wins, and a draw is "about several".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from itertools import pairwise
from typing import Any

from uac_nb.ask.evaluate import evaluate
from uac_nb.ask.query import PARTS, All, Either, Filter, How, Not, Of, Query, Source, Test, both, tests
from uac_nb.ask.scan import LY, Item, Question, asked, days_of, left_out, scan
from uac_nb.ask.table import Field, Table, World
from uac_nb.ask.words import (
    ADJECTIVES,
    ANY,
    AUXILIARY,
    BY_VERB,
    COMPANY,
    COST,
    CURRENCIES,
    DANGLING,
    DOUBTFUL,
    KINDS,
    LIES,
    LIGHT_VERBS,
    LIMITS,
    LONG,
    OFF,
    OVER,
    PARTICIPLES,
    PEOPLE,
    PLACES,
    PRONOUNS,
    STATE_VERBS,
    UNITS,
    UNSURE,
    VAGUE,
    name_stems,
    stem,
    stems,
)  # fmt: skip
from uac_nb.rules import Money, When

_UNITS = UNITS | {stem(word): unit for word, unit in UNITS.items()}
_LOOSE = frozenset(
    map(stem, ("with", "without", "about", "after", "before", "since", "until", "than", "per", "only", "except"))
)


Conditions = list[tuple[Item, Filter]]  # each with the words that say it


class NotUnderstood(ValueError):
    """Say why a question means nothing here, with the words that nothing used."""

    def __init__(self, why: str, words: Sequence[str] = ()) -> None:
        super().__init__(f"{why}: {' '.join(words)}" if words else why)
        self.words = tuple(words)


class Ambiguous(NotUnderstood):
    """A word that can name several fields, which measure different things."""

    def __init__(self, fields: Sequence[Field], why: str) -> None:
        super().__init__(why)
        self.fields = tuple(fields)


@dataclass(frozen=True)
class Reading:
    """A query that a question means, and how it is to be told."""

    query: Query
    table: Table
    score: int
    shows: str = ""  # when, where, who, long, called, field
    field: Field | None = None
    whose: tuple[str, ...] = ()  # the people it is about
    yes_no: bool = False
    tense: str = "past"
    noun: int = 0  # how surely the collection is named
    also: tuple[Field, ...] = ()  # what is asked of each record besides


def readings(text: str, world: World, today: date, *, other_year: bool = False) -> list[Reading]:
    """Return the best readings of a question: one, or several that are as good. Raise NotUnderstood where there is none.

    `other_year`: a time that names no year is the next one, where else it would be the last, or the other way round.
    """
    question = asked(text, today, other_year=other_year)
    found: list[Reading] = []
    failed: list[tuple[int, int, NotUnderstood]] = []
    for table in world.tables.values():
        if not table.records or table.type.name == "Note":  # notes are recalled, not computed
            continue
        reading = _Binder(question, table, world, today)
        try:
            found.append(reading.read())
        except Ambiguous as error:
            if either := _agreeing(question, table, world, today, error.fields):
                found.append(either)
            else:
                failed.append((99, -reading.noun, error))
        except NotUnderstood as error:
            failed.append((len(error.words) or 99, -reading.noun, error))
    if not found:
        raise min(failed, key=lambda f: (f[1], f[0]))[2] if failed else NotUnderstood("nothing is recorded")
    best = max(r.score for r in found)
    rivals = [
        f for f in failed if -f[1] >= best and -f[1] >= 8
    ]  # a collection that the question names, and that does not understand it
    if rivals and not any(r.noun >= 8 for r in found):
        raise min(rivals, key=lambda f: f[:2])[2]
    return [r for r in found if r.score == best]


def _agreeing(question: Question, table: Table, world: World, today: date, fields: Sequence[Field]) -> Reading | None:
    """Return a reading where it comes to the same record whichever of some fields is meant; else None."""
    meant = []
    for field in fields:
        binder = _Binder(question, table, world, today)
        binder.forced = field
        try:
            meant.append(binder.read())
        except NotUnderstood:
            return None
    found = [evaluate(r.query, {table.name: table.records}) for r in meant]
    picked = (
        all(r.query.pick and r.shows != "field" for r in meant) and len({tuple(x.id for x in f.records) for f in found}) == 1
    )
    return meant[0] if picked else None


class _Binder:
    """One question read over one collection."""

    def __init__(self, question: Question, table: Table, world: World, today: date) -> None:
        self.question, self.table, self.world, self.today = question, table, world, today
        self.said = question.said
        self.tense = question.tense
        self.all = scan(question, table, world)
        self.items = [i for i in self.all if i.kind not in ("filler", "sofar")]
        self.kinds = {i.kind for i in self.items}
        self.asks = [i.data for i in self.items if i.kind == "ask"]
        self.yes_no = (
            self.said[:1] != []
            and self.said[0] in AUXILIARY
            and not self.kinds & {"which", "where", "when", "who", "since", "hour"}
        )
        self.score = self.noun = 0
        self.states: list[Test] = []
        self.whose: tuple[str, ...] = ()
        self.scoped_by_state = False
        self.spent = self.joined = False
        self.forced: Field | None = None
        self.also: tuple[Field, ...] = ()
        self.valid: Conditions = []
        self.forced_measure: Field | None = None
        self.pair: Of | None = None  # what two are compared by: "more with Ana or with Ben"
        self.turned: Field | None = None  # a date that is a state here: "returned" or not

    # --- the whole ---

    def read(self) -> Reading:
        """Bind all items to a query."""
        if {"not"} & self.kinds and self.yes_no and self.said[1:2] == ["not"]:
            self.items = [i for i in self.items if not (i.kind == "not" and i.start == 1)]  # "didn't I go" is "did I go"
            for i in self.all:
                i.used |= i.kind == "not" and i.start == 1
        if (
            {"will", "have"} <= set(self.said)
            and self.said.index("will") < self.said.index("have")
            and any(w in PARTICIPLES for w in self.said)
        ):
            raise NotUnderstood("not understood", ["will", "have"])
        self._values()
        self._links()
        self._score()
        for item in self.items:
            item.used |= item.kind in ("ask", "which", "where", "when", "who", "each", "since", "hour", "ahead", "called")
            item.used |= item.kind == "word" and not item.values and (item.noun > 0 or item.verb)
        for item in self.items:
            if (
                item.kind == "unknown"
                and stem(self.said[item.start]) in LIGHT_VERBS
                and (self.noun or any(i.values for i in self.items))
            ):
                item.used = True
            going = item.kind in ("unknown", "word") and not item.values and stem(self.said[item.start]) == "go"
            if going and any(i.noun > 1 and item.end < i.start <= item.end + 3 and not i.values and {"to", "for"} & set(
                    self.said[item.end : i.start]) for i in self.items):  # fmt: skip
                item.used = True  # "been to the vet", "gone in for a swim"
            named = {i.data for i in self.items if i.kind == "person" and i.start < item.start}
            item.used |= item.kind == "unknown" and self.said[item.start] in PRONOUNS and len(named) == 1
        for item in self.items:  # "how long did it take", "how many days did I spend there"
            lasting = "long" in self.asks or any(
                i.kind == "number" and _UNITS.get(i.data[1], ("",))[0] == "time" for i in self.items
            )
            if (self.said[item.start] in ("take", "took", "taken") and lasting) or (
                self.said[item.start] in ("spend", "spent") and "unit" in self.kinds and "much" not in self.asks
            ):
                item.used, item.kind = True, "filler"
        last = self.said[-1] if self.said else ""
        if (
            last in ("to", "for", "in", "on", "at", "from", "about", "of", "into", "off")
            and not (
                last in ("in", "at", "to", "from", "on")
                and {"which", "ask"} & self.kinds
                and any(i.kind == "word" and not i.values and any(f.textual for f in i.fields) for i in self.items)
            )
            and not set(map(stem, DANGLING.get(last, "").split())) & set(map(stem, self.said[:-1]))
        ):
            raise NotUnderstood("not understood", [last])  # "what do I take it for"
        for at, word in enumerate(self.said[1:-1], 1):
            if word == "and" and (self.said[at + 1] in AUXILIARY or self.said[at + 1 : at + 3] == ["how", "much"] or (
                self.said[at + 1] in ("what", "which", "why", "how") and {"which", "ask"} & {
                        i.kind for i in self.items if i.start < at}
                and self.said[at + 2 : at + 3] not in (["is"], ["was"]))):  # fmt: skip
                raise NotUnderstood("it asks two things", self.said[at + 1 : at + 2])
        for item, after in pairwise(self.items):  # "how many meetings" asks for no people that one meets
            if (
                item.kind == "ask"
                and item.data == "count"
                and "times" not in self.said[item.start : item.end]
                and after.start == item.end
            ):
                counts = after.noun or after.values or after.fields or after.kind != "word" or "often" in self.said
                dates = after.fields and not after.noun and not after.values and all(f.kind == "date" for f in after.fields)
                if not counts or (dates and self.said[after.start].endswith(("ing", "ings"))):  # people are no meetings
                    raise NotUnderstood("not understood", self.said[after.start : after.end])
        amounts = [f for f in self.table.fields if f.kind == "number" and f.name in ("number", "count", "quantity")]
        if amounts and self.asks == ["count"] and not {"number"} & self.kinds:
            head = next((i for i in self.items if i.kind == "word" and i.start >= next(
                a.end for a in self.items if a.kind == "ask")), None)  # fmt: skip
            if (
                head
                and head.data != name_stems(self.table.type.name)[-1]
                and (head.noun or head.values)
                and "times" not in self.said
            ):
                raise NotUnderstood("it can count records, or what they count", self.said[head.start : head.end])
        if self.table.names_others and self.asks == ["count"] and "how" not in self.said:
            raise NotUnderstood("not understood", ["number of"])
        if max((self.asks.count(a) for a in self.asks), default=0) > 1 and "share" not in self.asks:
            raise NotUnderstood("it asks twice")
        mine = self._persons()
        self.pair = self._pair()
        mine = [f for f in mine if self.pair is None or next(tests(f)).of != self.pair]
        self.valid += self._validity()
        day = self._day()
        group = self._group(day)
        filters = self._filters(day)
        if self.turned and self.yes_no:
            missing = Test(self.turned.of, "none")
            rest = both(*mine, *(f for _, f in filters if next(tests(f)) != missing))
            if len({missing.holds(r) for r in self.table.records if rest.holds(r) == "yes"}) > 1:
                raise NotUnderstood("some are, and some are not")
        if not self._two_times(filters):
            raise NotUnderstood("it is not clear how the times belong together")
        conditioned = {t.of.field for _, f in filters for t in tests(f)}
        for item in self.items:  # "at least one medication being prescribed"
            item.used |= (
                item.kind == "word" and not item.values and bool(item.fields) and {f.name for f in item.fields} <= conditioned
            )
        for item, after in pairwise(self.items):
            item.used |= (
                item.kind == "link" and after.kind == "super" and group is not None
            )  # "which shop did I buy from most often"
        query, shows, shown = self._query(filters, group, day)
        if (
            self.tense == "present"
            and self.said[:1]
            and {"do", "does"} & set(self.said)
            and _happens(self.table)
            and not self.yes_no
            and (self.table.day is None or self.table.day.name not in _AHEAD)
            and query.how != "list"
            and any(i.kind == "word" and i.verb and not i.noun and i.data not in ("hav", "own", "know") for i in self.items)
        ) and not any(i.kind == "time" for i in self.items):
            raise NotUnderstood("it asks for a habit")
        scope = both(*mine, *self._scope(filters, day, query, shows))
        query = replace(query, sources=(replace(query.one, scope=scope),))
        if unused := list(left_out(self.all, self.question)):
            raise NotUnderstood("not understood", unused)
        if (
            self.joined
            and shows == "field"
            and query.how == "list"
            and query.one.show
            and any(isinstance(f, Either) and next(tests(f)).of != query.one.show[0] for _, f in filters)
            and "or" not in self.said
        ):
            raise NotUnderstood("it is not clear whether “and” means each of them, or both")
        if not self.named and not self.spent and not (self.turned and "person" in self.kinds):
            raise NotUnderstood("no collection is named")
        sure = self.noun or self.spent or any(i.verb or i.noun or i.fields for i in self.items if i.kind in ("word", "each"))
        loose = {i.data for i in self.items if i.kind == "word" and i.having and all(isinstance(v, tuple) for _, v in i.values)}
        if not sure and loose and any(loose & t.spoken for t in self.world.tables.values() if t is not self.table):
            raise NotUnderstood("a word of a text is what another collection is about", sorted(loose))
        return Reading(query, self.table, self.score, shows, shown, self.whose, self.yes_no, self.tense, self.noun, self.also)

    def _two_times(self, filters: Conditions) -> bool:
        """Whether several times are joined, or compared."""
        times = [f for i, f in filters if i.kind == "time"]
        return len(times) < 2 or self.pair is not None or bool({"than", "trend", "not"} & self.kinds)

    def _score(self) -> None:
        nouns = [i for i in self.items if i.kind in ("word", "each") and (not i.values or i.noun == 3)]
        best = max((3 if i.kind == "each" else i.noun for i in nouns), default=0)
        verb = any(i.verb for i in self.items if i.kind == "word")
        self.noun = 4 * best if best > 1 else 0
        exact = sum(any(not isinstance(v, tuple) or v[0] != "has" for _, v in i.values) for i in self.items)
        labels = [i for i in self.items if i.kind == "word" and i.fields and not i.values]
        self.score = (
            4 * max(best, 2 * verb)
            + 2 * verb
            + 2 * exact
            + sum(bool(i.fields) for i in labels)
            + sum(bool(i.having) for i in self.items)
        )
        own = any(f.own & {i.data} for i in labels for f in i.fields)
        textual = any(i.having or i.values for i in self.items)
        self.named = (
            best > 1
            or verb
            or (own and (textual or len(labels) > 1 or "person" in self.kinds))
            or (best and textual)
            or textual
        )

    # --- what each item means ---

    def _values(self) -> None:
        """Choose what each item means: a value beside the label of its field is of that field, and a noun is no value."""
        items = self.items
        for at, item in enumerate(items):
            if item.kind != "word":
                continue
            if item.data in self.table.verbs and item.values:  # "did I read" names no state, "what am I reading" does
                literal = self.said[: item.start][-2:-1] == ["am"] or "am" in self.said[max(0, item.start - 2) : item.start]
                item.values = [
                    (f, v)
                    for f, v in item.values
                    if not f.state or ((literal or f.name == "stance") and str(v) == self.said[item.start])
                ]
                if any(f.state for f, _ in item.values):
                    item.noun, item.fields = 0, []
                    continue
            if (
                item.values
                and {"when", "not"} & self.kinds
                and all(f.state for f, _ in item.values)
                and any(f.kind == "date" and ("when" in self.kinds or f.optional) for f in item.fields)
            ):
                item.values = []  # "when did I stop" asks for the day
                continue
            named = item.noun > 1 or any(f.own & {item.data} for f in item.fields)
            if not item.values and item.having and not named:
                item.values = self._texts(item)
            if not item.values:
                continue
            near_items = [items[n] for n in (at - 1, at + 1, at - 2, at + 2) if 0 <= n < len(items)]
            labels = [
                n
                for n in near_items
                if n.kind == "word"
                and n.fields
                and not n.values
                and {f.name for f in n.fields} & {f.name for f, _ in item.values}
            ]
            others = [i for i in items if i is not item and i.kind == "word" and (i.noun > 1 or i.verb)]
            if labels and not (item.noun and not others):
                item.values = [(f, v) for f, v in item.values if f in labels[0].fields]
                labels[0].used, labels[0].fields = True, []
                item.noun = 0
            elif (item.noun > 1 and not any(i.noun > 1 for i in others)) or (
                item.verb and not others and not item.noun and not any(v == item.data for _, v in item.values)
            ):
                item.values = []
            else:
                item.noun = 0
            if len({f.name for f, _ in item.values}) > 1:
                exact = [p for p in item.values if not isinstance(p[1], tuple)]
                kinds = sorted((p for p in exact if p[0].name in KINDS or p[0].state), key=lambda p: not p[0].state)
                item.values = kinds[:1] or [p for p in exact if not p[0].free] or exact or item.values
            item.fields = [] if item.values else item.fields

    def _links(self) -> None:
        """Use a preposition where it stands before what it can be about: a value, but none of somewhere else."""
        solid = [i for i in self.items if i.kind != "and"]
        for item, after in pairwise(solid):
            if item.kind == "=":
                item.used = bool(after.values)
            elif item.kind == "link" and after.kind == "not":
                item.used = item.data == "with"  # "with no rating"
            elif item.kind == "link":
                where = {f.name for f, _ in after.values}
                wrong = (
                    item.data == "from"
                    and not {"back", "return"} & set(self.said)
                    and where & {"to", "destination", "country", "title"}
                )
                item.used = (bool(after.values) and not wrong) or after.kind == "person" or (item.data == "as" and after.used)
        if (
            self.items
            and self.items[-1].kind == "link"
            and self.items[-1].data in ("with", "from", "by")
            and {"who", "which", "where"} & self.kinds
        ):
            self.items[-1].used = self.items[-1].data == "with" and "who" in self.kinds  # "who did I go with"

    def _texts(self, item: Item) -> list[tuple[Field, Any]]:
        """The texts that have a word."""
        word = self.said[item.start]
        single = (
            word if word.endswith(("ss", "us", "is")) else word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
        )
        return [(f, ("has", single)) for f in self.table.fields if f.name in item.having]

    def _persons(self) -> list[Filter]:
        """Bind the people that are named: whose records, with whom, from whom; else the user's own."""
        table, found = self.table, list[Filter]()
        items = self.items
        who = table.by_name.get("who")
        who = who if who and who.kind == "person" else None
        for at, item in enumerate(items):
            if item.kind != "person":
                continue
            before, after = self._before(item), self.said[item.end : item.end + 1]
            with_ = (
                before in ("with", "accompanied")
                or (stem(before) in ("meet", "see") and "others" in table.by_name)
                or (before == "and" and at and items[at - 1].kind in ("and", "person") and self.whose == ())
            )
            item.used = True
            if table.of_people:
                if with_:
                    item.used = False
                    continue
                found.append(Test(Of("id"), "in", item.data))
                self.score += 8
                self.whose = (*self.whose, *item.data)
            elif with_ or (before in ("me",) and after != ["'s"]):
                others = table.by_name.get("others") or next(
                    (f for f in table.fields if f.name in COMPANY and _of_person(f)), None
                )
                if not others:
                    item.used = self._concerns(item)
                    continue
                parts: list[Filter] = [Test(others.of, "in", item.data)]
                found.append(
                    parts[0]
                    if not item.having
                    else Either(
                        (
                            *parts,
                            *(
                                Test(Of(n), "has", self.said[item.end - 1])
                                for n in sorted(item.having)
                                if n in ("title", "text")
                            ),
                        )
                    )
                )
            elif before in ("to", "from", "by", "for") and (
                f := next(
                    (
                        f
                        for f in table.fields
                        if f.kind == "person" and f.name != "who" and (f.name == before or before in ("from", "by"))
                    ),
                    None,
                )
            ):
                found.append(Test(f.of, "in", item.data))
            elif table.names_others or who:
                if who and not self._owns(item):
                    item.used = self._concerns(item)
                    continue
                mine: list[Filter] = [Test(Of("who"), "in", item.data)] if who else []
                if table.names_others:
                    names = [
                        n
                        for id in item.data
                        if (p := self.world.persons.get(id))
                        for n in dict.fromkeys((p.name, p.name.split()[0], *getattr(p, "aka", ())))
                    ]
                    named = {
                        r.name
                        for r in table.records
                        if r.name in names or stems(r.name)[-len(self._key(item)) :] == self._key(item)
                    }
                    mine.append(Test(Of("name"), "in", tuple(sorted(named)))) if named else None
                found.append(mine[0] if len(mine) == 1 else Either(tuple(mine)))
                self.whose = (*self.whose, *item.data)
                self.score += 3
            else:
                item.used = self._concerns(item)
        if who and not self.whose and not table.names_others and not self._asks_who():
            found.append(Test(Of("who"), "in", ("me",)))
        if table.names_others and not self.whose and "my" in self.said:
            direct = next((i for i in items if i.noun > 1 or i.values), None)
            if direct and self._before(direct) == "my" and not any(f.name == "name" for i in items for f, _ in i.values):
                found.append(Test(Of("name"), "in", ("me",)))
        return found

    def _concerns(self, item: Item) -> bool:
        """Bind a person to the field that a verb of the question names ("won"), or to the only one that holds a person."""
        fields = [f for f in self.table.fields if _of_person(f) and f.name not in ("who", "others")]
        verb = next((i for i in self.items if i.kind == "word" and not i.values and set(i.fields) & set(fields)), None)
        if verb:
            fields = [f for f in fields if f in verb.fields]
        if len(fields) != 1 or (item.start and self.said[item.start - 1] in ("and", "or")):
            return False
        if verb and "who" not in self.kinds:
            verb.used, verb.fields = True, []
        self.valid.append((item, Test(fields[0].of, "in", item.data)))
        self.score += 3
        return True

    def _key(self, item: Item) -> tuple[str, ...]:
        return tuple(stem(w) for w in self.said[item.start : item.end] if w != "'s")

    def _owns(self, item: Item) -> bool:
        """Whether a person who is named is the subject or the owner of what is asked for."""
        before, after = self._before(item), self.said[item.end : item.end + 1]
        return after == ["'s"] or before in AUXILIARY or before in ("of", "") or (before == "not") or (item.start == 0)

    def _before(self, item: Item) -> str:
        """The word before an item, articles apart."""
        at = item.start - 1
        while at >= 0 and self.said[at] in ("my", "the", "our", "a", "an"):
            if self.said[at] == "my" and item.kind != "person":
                return "my"
            at -= 1
        return self.said[at] if at >= 0 else ""

    def _asks_who(self) -> bool:
        """Whether it asks whose records they are: "who is allergic to nuts", "who works at Barco"."""
        return "who" in self.kinds and not self.question.mine and "who" in self.table.by_name

    def _validity(self) -> Conditions:
        """Bind "is it still valid (in May)", "has it expired": by the day up to which a record is good."""
        limit = self.table.field("expires", "valid_until")
        item = next((i for i in self.items if i.kind == "word" and i.data in ("valid", "expir")), None)
        if "can" in self.said and (back := self.table.field("return_by")):  # "can I still return the lamp"
            limit = back
            item = next((i for i in self.items if i.kind in ("word", "unknown") and stem(self.said[i.start]) == "return"), None)
        if limit is None or item is None or not self.yes_no:
            return []
        item.used, item.values, item.fields, item.kind = True, [], [], "filler"
        time = next((i for i in self.items if i.kind == "time"), None)
        when = self.today
        if time:
            time.used, time.kind, when = True, "used", time.data.when.last
        for other in self.items:
            other.used |= other.kind == "still"
        self.tense = "present"
        test = Test(limit.of, ">=", when)
        if limit.name == "return_by":
            return [(item, Not(Test(limit.of, "none"))), (item, test)]
        return [(item, test if item.data != "expir" else Test(limit.of, "<", when))]

    def _day(self) -> Field | None:
        """The date that is meant: the one that a word names, else that of the collection."""
        named = [(i.noun > 1 or i.verb, n, f) for n, i in enumerate(self.items) if i.kind == "word" and not i.values
                 for f in i.fields if f.kind == "date"]  # fmt: skip
        loose = [x for x in named if not x[0]]
        best = min(loose, key=lambda d: d[:2])[2] if loose else None
        if any(i.kind == "since" for i in self.items) and "since" in self.table.by_name:
            best = self.table.by_name["since"]
        timed = {"when", "since", "hour", "time", "super", "part", "group", "days", "ahead"} & self.kinds or "long" in self.asks
        if (
            best
            and best.optional
            and best is not self.table.day
            and not timed
            and not self.table.lasting
            and best.name not in LIMITS
        ):
            self.turned, best = best, None
        if best and best.name in LIMITS and self.tense == "past" and not timed and not self.yes_no and not self.table.lasting:
            expired = next(i for i in self.items if best in i.fields)
            self.valid.append((expired, Test(best.of, "<", self.today)))
        self.named_day = best
        day = best or self.table.day
        for item in self.items:
            item.used |= bool(best) and best in item.fields and item.kind == "word"
        return day

    def _group(self, day: Field | None) -> tuple[Field, Of] | None:
        """What records are grouped by: "by category", "monthly", "which month", "most common context"."""
        items = self.items
        if self.pair and (by := next((f for f in self.table.fields if f.name == self.pair.field), None)):
            return by, self.pair
        for at, item in enumerate(items):
            before = items[at - 1].kind if at else ""
            part = item.data if item.kind in ("group", "part") else LY.get(item.data, "") if item.kind == "ly" else ""
            if isinstance(part, Field):
                item.used = True
                return part, part.of
            if (
                part in ("week", "month", "year")
                and item.kind != "part"
                and "every" in self.table.by_name
                and self.tense == "present"
            ):
                item.used = True  # "how much is it per month"
                self.valid = [*self.valid, (item, Test(Of("every"), "in", (part,)))]
                return None
            part = (
                "weekday"
                if part.startswith("day of") or part == "weekdays"
                else part.removesuffix("s")
                if item.kind == "part"
                else part
            )
            if part == "day" and item.kind == "part" and self.said[item.start + 1 : item.start + 4] == ["of", "the", "week"]:
                part = "weekday"
            if part in PARTS and day and (item.kind != "part" or before in ("which", "super")):
                item.used = True
                return day, replace(day.of, part=part)
            words = [f for f in item.fields if f.kind in ("word", "words", "person") and not f.state]
            prior = next((i.kind for i in reversed(items[:at]) if not (i.kind == "word" and (i.noun or i.used))), "")
            if (
                words
                and not item.used
                and item.kind == "word"
                and prior in ("which", "super", "who")
                and any((i.kind == "super" and i.data[1] not in ("day", "next")) or i.kind == "number" for i in items)
            ) and (item.noun < 2 or (words[0].name == self.said[item.start] and self._counts_most())):
                item.used = True
                for other in items[at + 1 : at + 2]:
                    other.used |= other.kind == "word" and not other.values and other.data in _SORTS  # "quality categories"
                return words[0], words[0].of
        kind = self.table.kind
        for item, after in pairwise(items):  # "most common workout", "what kind of workout most often"
            often = item.kind == "super" and item.data[1] == "count" and self.said[item.end - 1] != "most"
            if often and after.noun > 1 and not after.fields and kind:
                return kind, kind.of
        return None

    # --- conditions ---

    def _filters(self, day: Field | None) -> Conditions:
        """The conditions in order, those joined by "or" as one; "not" turns the next, "neither … nor" both."""
        found = list(self.valid)
        joint, negated, items = "", False, self.items
        for at, item in enumerate(items):
            before, after = items[at - 1] if at else None, items[at + 1] if at + 1 < len(items) else None
            if (
                item.kind == "not"
                and self.turned is None
                and after
                and after.kind == "word"
                and not after.values
                and not after.noun
                and after.fields
                and not after.used
            ):
                item.used = after.used = True  # "without a rating"
                found.append((item, Test(after.fields[0].of, "none")))
                continue
            if self.turned in item.fields and item.kind == "word" and not item.values:
                item.used, missing = True, Test(self.turned.of, "none")
                if "repaid" in self.said and self.table.money:
                    found.append((item, Not(Test(self.table.money.of, "none"))))
                if not any(next(tests(f)) == missing for _, f in found):
                    found.append((item, missing if negated else Not(missing)))
                negated = False
                continue
            if item.kind in ("word", "unknown") and not item.values and (pending := self._open(item)):
                item.used = True
                found += [(item, t) for t in pending if not any(f == t for _, f in found)]
                negated = False
                continue
            test = self._test(item, before, after, day)
            if item.kind in ("and", "or"):
                joint, item.used = item.data if item.data in ("both", "but") else item.kind, True
                self.joined = True
            elif item.kind == "not":
                nexts = [
                    i
                    for i in items[at + 1 :]
                    if i.values or i.kind in ("time", "number", "days") or (self.turned and self.turned in i.fields)
                ]
                item.used = bool(nexts) and (not items[at + 1].noun or bool(items[at + 1].values))
                joint, negated = ("" if item.data != "neither" else joint), item.used
            elif item.kind == "than":
                joint = "than"
            elif test:
                old = found[-1][1] if found else None
                alike = old is not None and self._alike(old, test)
                if old is not None and (joint == "or" or (joint == "and" and alike)):
                    same = next(tests(old)).of.field == next(tests(test)).of.field
                    if joint == "or" and not (alike or same):
                        raise NotUnderstood("it is not clear what “or” joins")
                    turned = isinstance(old, Not) and joint == "or"
                    inner: Filter = old.one if isinstance(old, Not) and turned else old
                    parts = inner.parts if isinstance(inner, Either) else (inner,)
                    new: Filter = Either((*parts, test)) if test not in parts else inner
                    found[-1] = (item, Not(new) if turned else new)
                elif not any(f == test for _, f in found):
                    found.append((item, Not(test) if negated else test))
                negated, joint = negated and joint == "or", ""
        if joint in ("or",):
            raise NotUnderstood("it is not clear what “or” joins")
        return found

    def _open(self, item: Item) -> list[Filter]:
        """What "overdue", "owes" or "still out" says: not given back, and if overdue due before today."""
        word = stem(self.said[item.start])
        back, limit = self.table.field("returned", "paid_back", "repaid"), self.table.field("due", "due_date", "return_by")
        still = any(i.kind == "still" and i.end == item.start for i in self.items)
        if back is None or back.kind != "date" or not (word in ("overdu", "owe", "outstand") or (word == "out" and still)):
            return []
        for other in self.items:
            other.used |= other.kind == "still" and other.end == item.start
        found: list[Filter] = [Test(back.of, "none")]
        if word == "overdu":
            if limit is None:
                return []
            found += [Not(Test(limit.of, "none")), Test(limit.of, "<", self.today)]
        return found

    def _alike(self, old: Filter, new: Filter) -> bool:
        """Whether two conditions are about one field that has one value, so that "and" between them means either."""
        a, b = next(tests(old), None), next(tests(new), None)
        kinds = {f.of: f.kind for f in self.table.fields}
        return (
            a is not None
            and b is not None
            and a.of.field == b.of.field
            and kinds.get(a.of) not in ("words", "persons")
            and a.op in (b.op, "in", "has")
        )

    def _test(self, item: Item, before: Item | None, after: Item | None, day: Field | None) -> Filter | None:
        """The condition that an item is, if it is one."""
        table = self.table
        if item.kind == "word" and item.values:
            item.used = True
            found = [self._value(f, v) for f, v in item.values]
            if any(f.state for f, _ in item.values):
                self.scoped_by_state = True
            return found[0] if len(found) == 1 else Either(tuple(found))
        if item.kind == "word" and not item.values and item.data in _STATE_STEMS and self._state(item):
            item.used = True
            self.scoped_by_state = True
            return self._state(item)
        if item.kind == "time" and (day or table.lasting):
            item.used = True
            if item.data.when.text == str(self.today) and before and any(f.kind == "flag" or f.state for f, _ in before.values):
                return None  # "alive today"
            return self._window(item.data.when, day)
        if item.kind == "days" and day:
            item.used = True
            return Test(replace(day.of, part="weekday"), "in", days_of(item.data))
        if item.kind == "still" and (
            table.lasting
            or any(f.state or f.kind == "flag" for i in self.items for f, _ in i.values)
            or self.scoped_by_state
            or (table.states and (table.day is None or table.day.name in _AHEAD))
        ):
            item.used = True
            return None
        if item.kind == "clock":
            clocks = [f for f in table.fields if f.kind == "time"]
            order = [i for i in self.items if i.start < item.start][::-1] + [i for i in self.items if i.start > item.start]
            named = next(((i, f) for i in order for f in i.fields if f in clocks), None)
            if not clocks or (len(clocks) > 1 and not named):
                return None
            if named:
                named[0].used = True
            of = (named[1] if named else clocks[0]).of
            item.used = True
            return both(*(Test(of, op, time.fromisoformat(t.zfill(5))) for op, t in item.data))
        return self._number(item, before, after) if item.kind == "number" else None

    def _state(self, item: Item) -> Filter | None:
        """The state that a verb brings about: "cancel", "stop"."""
        states = STATE_VERBS[_STATE_STEMS[item.data]].split()
        held = {f: tuple(s for s in states if s in f.choices) for f in self.table.states}
        found = [Test(f.of, "in", values) for f, values in held.items() if values]
        return found[0] if found else None

    def _value(self, f: Field, value: Any) -> Filter:
        if f.kind == "flag":
            return Test(f.of, "is") if value else Not(Test(f.of, "is"))
        if isinstance(value, tuple) and value[0] in ("abroad", "at home"):
            at_home = Test(f.of, "in", (value[1],))
            return Not(at_home) if value[0] == "abroad" else at_home
        if isinstance(value, tuple):
            return Test(f.of, "has", value[1]) if value[0] == "has" else Test(Of(f.name, "continent"), "in", (value[1],))
        return Test(f.of, "in", (value,))

    def _window(self, when: When, day: Field | None) -> Filter:
        """That a record happened in a time; what lasts, that it held then."""
        table = self.table
        if table.lasting and self.named_day is None and table.span:
            start, end = (f.of for f in table.span)
            parts: list[Filter] = []
            if when.last < date.max:
                parts.append(Test(start, "<=", when.last))
            if when.first > date.min:
                parts.append(Test(end, ">=", when.first, open=True))
            return both(*parts)
        assert day
        if "birthday" in table.own and when.first.year == when.last.year and when.first > date.min:
            return Test(day.of, "yearly", (f"{when.first:%m-%d}", f"{when.last:%m-%d}"))
        return Test(day.of, "within", when)

    def _number(self, item: Item, before: Item | None, after: Item | None) -> Filter | None:
        amounts, unit, by = item.data
        table = self.table
        word = self.said[item.start]
        texts = [f.name for f, v in before.values if isinstance(v, tuple) and v[0] == "has"] if before else []
        if item.end == item.start + 1 and texts and word in table.index[1]:  # "basket 77"
            item.used = True
            return Test(Of(next(n for n in texts)), "has", word)
        if unit == "percent" or (
            unit in _UNITS
            and _UNITS[unit][0] == "time"
            and not any(f.unit and _UNITS[f.unit][0] == "time" for f in table.fields)
        ):
            return None
        fields = [f for f in table.fields if f.unit and unit and _UNITS[f.unit][0] == _UNITS.get(unit, ("",))[0]]
        money = (bool(unit) and _UNITS.get(unit, ("",))[0] in CURRENCIES) or not unit
        verbal = any(i.verb for i in self.items) and not any(i.noun > 1 and not i.verb for i in self.items)
        claim = self.yes_no and verbal and item.data[0][0][0] != "=="
        claim = claim or (any(a in self.asks for a in ("sum", "average", "median")) and self.yes_no)
        if claim or (after and after.kind == "word" and after.noun > 1 and not unit and not after.fields):
            return None
        for each in (after, before):
            if each and each.kind == "word" and each.fields and not each.values:
                hits = [f for f in each.fields if f.numeric or f.kind in ("words", "persons")]
                if hits and (not fields or set(hits) & set(fields) or any(f.kind == "money" for f in hits)):
                    fields = [f for f in hits if not fields or f in fields or f.kind == "money"]
                    each.used = True
                    each.fields = [] if not each.noun else each.fields
                    break
        fields = fields or [f for f in item.fields if f.numeric]
        spoken = {stem(w) for w in self.said[item.start : item.end + 1]}
        if not fields and spoken & (table.nouns | table.told):  # "ten birds or more"
            fields = [
                f
                for f in table.fields
                if f.kind == "number" and f.name in ("number", "count", "quantity", "amount", "how_many")
            ]
        if not fields and unit and money and table.money:
            fields = [table.money]
        fields = fields or [f for f in table.labelled(stems(by), "number", "money") if by]
        if not fields:
            return None
        f = fields[0]
        item.used = True
        if f.kind in ("words", "persons"):
            return both(*(Test(Of(f.name, "size"), op, n) for op, n in amounts))
        if f is table.money and table.holds_money:
            code = _UNITS[unit][0] if unit in _UNITS and _UNITS[unit][0] in CURRENCIES - {"kr"} else self._currency(f)
            return both(*(Test(f.of, op, Money(_plain(n), code)) for op, n in amounts))
        if unit and unit in _UNITS and _UNITS[unit][0] in CURRENCIES and table.currency(f) not in ("", _UNITS[unit][0]):
            raise NotUnderstood("another currency than the records have")
        if unit in _UNITS and f.unit and _UNITS[unit][0] == _UNITS[f.unit][0]:
            factor = _UNITS[unit][1] / _UNITS[f.unit][1]
        elif unit in _UNITS and _UNITS[unit][0] not in CURRENCIES:
            raise NotUnderstood("its records have no such unit", [unit])
        else:
            factor = 1
        return both(*(Test(f.of, op, _plain(n * factor)) for op, n in amounts))

    def _currency(self, f: Field) -> str:
        """The one currency of a field. Raise NotUnderstood where it has several."""
        codes = {v.currency for r in self.table.records if isinstance(v := getattr(r, f.name), Money)}
        if len(codes) != 1:
            raise NotUnderstood("in which currency is not said")
        return codes.pop()

    # --- what is asked of them ---

    def _measure(self, how: str, pick: str, by: str) -> tuple[Field | None, float, str]:
        """The field that is aggregated, or that a superlative goes by; what its values are divided by, and their unit."""
        if self.forced_measure:
            return self.forced_measure, 1, self.forced_measure.unit
        table, items = self.table, self.items
        unit = next((i for i in items if i.kind == "unit"), None)
        for at, item in enumerate(items):
            if item.kind != "word" or item.values or (item.used and not (item.fields and (item.noun or item.verb))):
                continue
            numeric = [f for f in item.fields if f.numeric]
            numeric = [f for f in numeric if f.kind == "money"] or numeric if how == "much" else numeric
            if how == "distinct" or (how == "count" and not pick):
                numeric = numeric or [
                    f for f in item.fields if f.kind in ("word", "words", "persons") and item.noun < 2 and not f.free
                ]
            direct = {i.kind for i in items[max(0, at - 2) : at]} & {"ask"} and not any(i.noun > 1 for i in items[:at])
            if how == "count" and not pick and not direct:
                numeric = []
            if how == "count" and item.verb and not item.noun:
                numeric = []
            if numeric:
                chosen = self._which(numeric, item.data, unit)
                for other in items:
                    other.used |= chosen in other.fields and other.kind == "word"
                divide, shown = 1.0, chosen.unit
                if unit and chosen.unit and _UNITS[unit.data][0] == _UNITS[chosen.unit][0]:
                    divide, unit.used, shown = _UNITS[unit.data][1] / _UNITS[chosen.unit][1], True, unit.data
                return chosen, divide, shown
        if unit:
            for each in table.fields:
                if each.unit and _UNITS[each.unit][0] == _UNITS[unit.data][0]:
                    unit.used = True
                    return each, _UNITS[unit.data][1] / _UNITS[each.unit][1], unit.data
        if by not in ("", "count", "day", "next", COST):
            adjective = next((self.said[i.start + 1] for i in items if i.kind == "ask" and i.data == "long"), "")
            wanted = stems(_HOW[adjective]) if by == LONG and adjective in ("far",) else stems(by)
            fits = table.labelled(wanted, "number", "money")
            f = self._which(fits, "", unit) if fits else None
            return f, 1, f.unit if f else ""
        if pick and by == ANY and how == "":
            own = [f for f in table.fields if f.numeric and not f.of.to]
            if len(own) == 1 and any(i.values for i in items):  # "the highest my ferritin has been"
                return own[0], 1, own[0].unit
        if how == "long" and table.lasting and "long" in self.said:
            return None, 1, ""
        if how == "long":
            start = next(i.start for i in items if i.kind == "ask" and i.data == "long") + 1
            of = _HOW.get(self.said[start], "")
            fits = table.labelled(stems(of), "number")
            f = table.money if of == COST else self._which(fits, "", unit) if fits else None
            return f, 1, f.unit if f else ""
        if pick and by == COST:
            return table.money, 1, ""
        return None, 1, ""

    def _which(self, fits: list[Field], word: str, unit: Item | None) -> Field:
        """Choose among fields that one word names: by its name, or by a unit. Raise Ambiguous where they differ."""
        plain = [f for f in fits if not f.of.to] or fits
        if unit and (same := [f for f in plain if f.unit and _UNITS[f.unit][0] == _UNITS[unit.data][0]]):
            return same[0]
        if own := [f for f in plain if word in f.own]:
            return own[0]
        kinds = {_UNITS[f.unit][0] if f.unit in _UNITS else f.name for f in plain if f.kind == "number"}
        if self.forced in plain and self.forced:
            return self.forced
        if len(kinds) > 1 and len(plain) > 1:
            raise Ambiguous(plain, f"it can be the {' or the '.join(f.name.replace('_', ' ') for f in plain)}")
        return plain[0]

    def _query(self, filters: Conditions, group: tuple[Field, Of] | None, day: Field | None) -> tuple[Query, str, Field | None]:
        table, items, asks = self.table, self.items, self.asks
        how: Any = next(
            (h for h in ("share", "median", "average", "sum", "distinct", "count", "much", "time", "long") if h in asks), ""
        )
        if self.tense == "present" and "how often" in " ".join(self.said):
            often = table.field("how_often", "frequency", "dose")
            if often is None:
                raise NotUnderstood("its records do not say how often")
            return Query((Source(table.name, both(*(f for _, f in filters)), show=(often.of,)),)), "field", often
        superlative = next((i for i in items if i.kind == "super" and not i.used), None)
        pick: Any
        pick, by, top, counted = superlative.data if superlative else ("", "", 1, False)
        if superlative and by == "next":
            self.tense, by = "future", "day"
        if (
            superlative
            and how == "count"
            and by == "day"
            and day
            and not counted
            and any(i.start == superlative.end and set(i.fields) & {day} for i in items)
        ):
            pick, by, superlative.used, superlative = "", "", True, None  # "did I first meet"
        if superlative and how == "count" and by == "day" and not group:
            raise NotUnderstood("not understood", self.said[superlative.start : superlative.end])
        clocks = [f for f in table.fields if f.kind == "time"]
        if superlative and by == "day" and "hour" in self.said[superlative.end : superlative.end + 1] and len(clocks) == 1:
            hour = next(i for i in items if i.start == superlative.end)
            hour.used = superlative.used = True
            hours = Source(table.name, both(*(f for _, f in filters)), measure=clocks[0].of, show=(clocks[0].of,))
            return Query((hours,), "list", pick=pick, top=top), "hour", clocks[0]
        measure, divide, unit = self._measure(how, pick, by)
        if by == LONG and measure is None and day:
            pick, by = ("min" if pick == "max" else "max"), "day"  # "known the longest"
        if how == "time":
            how, measure = "sum", next((f for f in table.fields if f.unit and _UNITS[f.unit][0] == "time"), None)
            if measure is None:
                raise NotUnderstood("its records do not say how long")
            unit = measure.unit
        if how == "much":
            if measure and not measure.numeric:
                measure = None
            measure = measure or table.money
            how = "sum"
            if measure is None:
                raise NotUnderstood("its records do not say how much")
        if how == "long":
            how = (
                "sum"
                if "far" in self.said
                and not superlative
                and measure
                and any(i.verb or i.noun for i in items)
                and not any(i.noun and not i.verb for i in items)
                else ""
            )
            if measure is None and not (table.lasting and "long" in self.said):
                raise NotUnderstood("its records do not say how long")
        if how in ("count", "distinct") and measure and not pick:
            if how == "count" and "average" in asks:
                how = "average"
            elif measure.numeric:
                how = "average" if "average" in asks else "median" if "median" in asks else "sum"
            else:
                how = "distinct"
        if how == "sum" and measure is None and "count" in asks:
            how = "count"
        if how in ("sum", "average", "median") and measure is None:
            measure = table.money if how == "sum" else None
            if measure is None and not (group and how == "average"):
                raise NotUnderstood("it does not say of what", [how])
        where = both(*(f for _, f in filters))
        source = Source(table.name, where, measure=measure.of if measure else None)
        query = Query((source,), how or "list", divide=divide, unit=unit)
        keep = next((i for i in items if i.kind == "number" and not i.used), None)
        trend = [i for i in items if i.kind == "trend"]
        more, than = (next((i for i in items if i.kind == kind), None) for kind in ("more", "than"))
        shows, shown = "", None
        if trend or (more and than):
            query = self._compared(query, filters, trend, more, than, measure, how)
        elif how == "share":
            query = self._shared(query, filters, measure)
        elif group:
            if not (keep or pick or how) and table.money and "which" in self.kinds:
                raise NotUnderstood("it does not say what of each group")
            query = self._groups(query, group, keep, superlative, how, measure)
        elif superlative:
            superlative.used = True
            if self.yes_no and not how and any(i.kind == "time" and i.start > superlative.end for i in items):
                raise NotUnderstood("it asks whether that one is then", self.said[superlative.start : superlative.end])
            of = day.of if by == "day" and day else measure.of if measure else None
            if (
                by == "count"
                and measure
                and not any(
                    measure in i.fields and i.start >= superlative.end and i.start - superlative.end <= 1 for i in items
                )
            ):
                of = None
            if of is None:
                raise NotUnderstood("it does not say by what", self.said[superlative.start : superlative.end])
            if by in (ANY,) and measure is None:
                raise NotUnderstood("it does not say by what", self.said[superlative.start : superlative.end])
            direct = (
                measure is not None
                and bool({"much", "long", "which"} & {*asks, *self.kinds})
                and self._is_asked(measure, superlative)
            )
            if by == "day":
                self.past_pick = self.tense != "future"
            show, shows, shown = ((measure.of,), "field", measure) if direct and measure and by != "day" else self._shown(day)
            picked_how: How = "list"
            query = replace(query, how=picked_how, pick=pick, top=top, sources=(replace(source, measure=of, show=show),))
        elif (self.yes_no and not how) or (self.yes_no and keep):
            if keep:
                keep.used = True
                op, limit = keep.data[0][0]
                query = replace(
                    query, how="sum" if measure and measure.numeric else "count", claim=(op, self._limit(keep, measure, limit))
                )
                if len(keep.data[0]) > 1:
                    raise NotUnderstood("not understood", self.said[keep.start : keep.end])
            else:
                if measure and any(measure in i.fields for i in items):
                    self._misused(measure)
                query = replace(query, how="exists")
        elif query.how == "list":
            if measure and "when" in self.kinds and not asks:  # "when did I get the money back": where there was money
                query = replace(query, sources=(replace(source, where=both(where, Not(Test(measure.of, "none")))),))
                source, measure = query.one, None
            show, shows, shown = ((measure.of,), "field", measure) if measure else self._shown(day)
            query = replace(query, sources=(replace(source, show=show),))
        elif how == "sum" and not measure:
            raise NotUnderstood("it does not say of what")
        if query.how == "list" and not query.one.group and shows not in ("long", ""):
            self.also = self._besides(query.one.show[0], day)
            query = replace(query, sources=(replace(query.one, show=(*query.one.show, *(f.of for f in self.also))),))
        if group and query.one.group and query.one.group.part in PARTS and table.days and (query.over or query.pick == "min"):
            window = next((i.data.when for i in items if i.kind == "time"), When("../.."))
            query = replace(query, span=(max(window.first, table.days[0]), min(window.last, self.today)))
        return query, shows, shown

    def _misused(self, measure: Field) -> None:
        """Take back that a measure was used where it changes nothing of a yes or no."""
        for item in self.items:
            if measure in item.fields and not item.noun and not item.verb:
                item.used = False

    def _is_asked(self, measure: Field, superlative: Item) -> bool:
        """Whether the value itself is asked for ("what was the highest price"), not the record that has it."""
        if {"much", "long"} & set(self.asks):
            return True
        first = next((i for i in self.items if i.kind == "which"), None)
        if (
            first
            and superlative.data[1] == ANY
            and superlative.start - first.end <= 1
            and not any(measure in i.fields for i in self.items)
        ):
            return True  # "what is the highest my ferritin has been"
        beside = any(measure in i.fields and i.kind == "word" and 0 <= i.start - superlative.end <= 1 for i in self.items)
        return (
            first is not None
            and beside
            and not any(i.noun > 1 and not i.values and i.start < superlative.start for i in self.items)
            and self.said[first.start] == "what"
        )

    def _limit(self, keep: Item, measure: Field | None, limit: float) -> Any:
        unit = keep.data[1]
        if measure and measure is self.table.money and self.table.holds_money:
            code = _UNITS[unit][0] if unit in _UNITS and _UNITS[unit][0] in CURRENCIES - {"kr"} else self._currency(measure)
            return Money(_plain(limit), code)
        if unit and measure and measure.unit and unit in _UNITS and _UNITS[unit][0] == _UNITS[measure.unit][0]:
            return _plain(limit * _UNITS[unit][1] / _UNITS[measure.unit][1])
        if unit == "time" or (unit and unit not in ("usd", "eur", "gbp")) or (unit and not measure):
            fields = [f for f in self.table.fields if f.unit and unit in _UNITS and _UNITS[f.unit][0] == _UNITS[unit][0]]
            if not fields:
                raise NotUnderstood("its records have no such unit", [unit])
            raise NotUnderstood("it is not clear whether one or all are meant")
        return _plain(limit)

    def _compared(
        self, query: Query, filters: Conditions, trend: list[Item], more: Item | None, than: Item | None,
        measure: Field | None, how: str,
    ) -> Query:  # fmt: skip
        """Two sides of a comparison: "more in 2024 than in 2023", "did it increase from May to June"."""
        if not (more and re.match("longer|higher|lower", more.data) and measure):
            how = how if how in ("average", "median", "sum") else "sum" if measure and measure.numeric else "count"
        sides = self._versus(filters, than)
        ops = {i.data for i in trend} or {"<" if more and re.match("few|less|low", more.data) else ">"}
        claim = (
            ("-", None)
            if more and self.asks and not self.yes_no
            else (next(iter(ops)), None)
            if len(ops) == 1 and self.yes_no
            else None
        )
        if not claim and not trend:
            raise NotUnderstood("not understood", [more.data] if more else [])
        for said in (*trend, more, than):
            if said:
                said.used = True
        kept: Any = how or "average"
        return replace(query, how=kept, versus=sides, claim=claim, sources=(replace(query.one, where=All()),))

    def _versus(self, filters: Conditions, than: Item | None) -> tuple[Filter, Filter]:
        """The two sides of a comparison; the other conditions go for both."""
        rest = [f for _, f in filters]
        old: Filter
        new: Filter | None
        windows = [(i, f) for i, f in filters if i.kind == "time"]
        if (
            than
            and (after := [f for i, f in filters if i.start >= than.end])
            and (before := [f for i, f in filters if i.end <= than.start])
        ):
            if len(after) > 1:
                raise NotUnderstood("it does not say what is compared with what")
            old = after[0]
            new = next((f for f in reversed(before) if self._alike(f, old)), None)
            if new is None:
                raise NotUnderstood("it does not say what is compared with what")
            rest = [f for f in rest if f not in (new, old)]
        elif not than and len(windows) == 1 and (ends := windows[0][0].data.ends) and isinstance(f := windows[0][1], Test):
            old, new = (replace(f, value=end) for end in ends)
            rest.remove(f)
        elif not than and len(windows) == 2:
            old, new = windows[0][1], windows[1][1]
            rest = [f for f in rest if f not in (new, old)]
        else:
            raise NotUnderstood("it does not say what is compared with what")
        return both(*rest, old), both(*rest, new)

    def _shared(self, query: Query, filters: Conditions, measure: Field | None) -> Query:
        """A percentage: what stands behind the verb is the part; all before it, and every time, is the whole."""
        asked = next(i for i in self.items if i.kind == "ask" and i.data == "share")
        behind = self.said[asked.end - 1] != "of"  # "of my lessons, what share was called off"
        verb = (
            asked.start
            if behind
            else next((n for n, w in enumerate(self.said) if n > 2 and (w in AUXILIARY or stem(w) in ("go", "com", "tak"))), 0)
        )
        part = [f for i, f in filters if i.kind != "time" and i.start > verb]
        if not part or not verb:
            raise NotUnderstood("it does not say a share of what")
        how: How = "sum" if measure and measure.numeric else "count"
        rest = both(*(f for _, f in filters if f not in part))
        return replace(query, how=how, part=both(*part), sources=(replace(query.one, where=rest),))

    def _groups(
        self,
        query: Query,
        group: tuple[Field, Of],
        keep: Item | None,
        superlative: Item | None,
        how: str,
        measure: Field | None,
    ) -> Query:
        """Values by group: all of them, those that compare so, the most or least, or their average."""
        asks, table = self.asks, self.table
        total: Any = "sum" if how in ("", "count") and measure and measure.numeric else how or "count"
        total = total if total in ("sum", "average", "median", "distinct") else "count"
        if total == "count":
            measure = None
        query = replace(
            query, how=total, sources=(replace(query.one, group=group[1], measure=measure.of if measure else None),)
        )
        if keep:
            if len(keep.data[0]) > 1:
                raise NotUnderstood("not understood", self.said[keep.start : keep.end])
            op, limit = keep.data[0][0]
            keep.used = True
            if keep.data[1] == "percent":
                return replace(query, keep=(op, limit), share=True)
            return replace(query, keep=(op, self._limit(keep, measure, limit)))
        if superlative:
            superlative.used = True
            pick, by, top, _ = superlative.data
            if by in ("day", "next"):
                raise NotUnderstood("not understood", self.said[superlative.start : superlative.end])
            if by == "count" and total == "average":
                raise NotUnderstood("not understood", self.said[superlative.start : superlative.end])
            return replace(query, pick=pick, top=top)
        if (
            group[1].part
            and "average" in asks
            and (measure is None or how != "average" or {"sum", "count"} & set(asks) or measure is table.money)
        ):
            return replace(query, how="sum" if measure else "count", over="average")
        if group[1].part and "median" in asks and measure is None:
            return replace(query, how="count", over="median")
        return query

    def _shown(self, day: Field | None) -> tuple[tuple[Of, ...], str, Field | None]:
        """What is shown of each record: the asked field, its day, place or person, else what it is called."""
        table = self.table
        hours = [f for f in table.fields if f.kind == "time"]
        if "hour" in self.kinds:
            if not hours:
                raise NotUnderstood("its records have no hour")
            named = [f for i in self.items for f in i.fields if f in hours]
            f = named[0] if named else hours[0]
            return (f.of,), "hour", f
        if self.kinds & {"when", "since"}:
            if day is None:
                raise NotUnderstood("its records have no day")
            if self.scoped_by_state and not self.named_day:
                raise NotUnderstood("its records do not say when they became so")
            return (day.of,), "when", day
        if "long" in self.asks:
            if not table.span:
                raise NotUnderstood("its records do not say how long")
            return (table.span[0].of, table.span[1].of), "long", None
        head = next((b for a, b in pairwise(self.items) if a.kind == "which"), None)
        headed = head is not None and head.kind == "word" and head.noun > 0 and not head.fields  # "which birds did I see"
        asked = [f for i in self.items if i.kind == "word" and not i.values and not i.used and not headed for f in i.fields
                 if not (f.kind == "date" and i.noun) and f is not day]  # fmt: skip
        if not asked and not headed:
            asked = [f for i in self.items if i.kind == "word" and not i.values and i.fields and i.noun < 3 and not i.verb
                     for f in i.fields if f.kind not in ("date", "number")
                     and (f.own & {i.data} if i.noun < 2 else f.textual)]  # fmt: skip
        if "who" in self.kinds and not asked:
            asked = [
                f for i in self.items if i.kind == "word" and not i.values for f in i.fields if f.name == i.data and f.textual
            ]
        if {"where", "who"} & self.kinds:
            return self._place_or_person(asked)
        if asked:
            first = asked[0]
            for item in self.items:
                item.used |= first in item.fields
            if first.kind == "date":
                return (first.of,), "when", first
            return (first.of,), "field", first
        if (
            day
            and self.named_day
            and "which" in self.kinds
            and any(
                i.fields and self.named_day in i.fields and self.said[i.start] in ("date", "day", "deadline")
                for i in self.items
            )
        ):
            return (day.of,), "when", day
        value = table.field("value")
        if table.names_others and value:
            return (value.of,), "field", value
        if table.called is None:
            raise NotUnderstood("its records have no name")
        if table.of_people and self.whose:
            raise NotUnderstood("it does not say what of them")
        if value and value.numeric and any(f.name == table.called.name for i in self.items for f, _ in i.values):
            return (value.of,), "field", value  # "what was my ferritin"
        lacking = table.called.optional and any(table.called.of.value(r) is None for r in table.records)
        return (replace(table.called.of, other="id") if lacking else table.called.of,), "called", table.called

    def _besides(self, shown: Of, day: Field | None) -> tuple[Field, ...]:
        """What a question asks of the same records besides: "how far, where and when"."""
        asked = [day] if "when" in self.kinds else []
        if "where" in self.kinds:
            places = (self.table.by_name.get(n) for n in PLACES)
            asked.append(next((f for f in places if f), None))
        shown_field = next((f for f in self.table.fields if f.of == shown), None)
        head = next((b for a, b in pairwise(self.items) if a.kind == "which"), None)
        if (
            "which" in self.kinds
            and self.kinds & {"when", "where"}
            and not (shown_field and shown_field.numeric)
            and not (head is not None and head.kind == "word" and head.noun > 0)  # "which concert"
        ):
            asked.append(self.table.called)
        if "who" in self.kinds and self.kinds & {"when", "hour"}:
            asked.append(self._place_or_person([], who=True)[2])
        if "hour" in self.kinds and self.kinds & {"when", "where"}:
            asked.append(next((f for f in self.table.fields if f.kind == "time"), None))
        if None in asked:
            raise NotUnderstood("its records do not say all that is asked")
        return tuple(f for f in dict.fromkeys(asked) if f and f.of != shown)

    def _pair(self) -> Of | None:
        """What "more … A or B" compares by: the one field that has both, or the part of the time that both are."""
        more = next((i for i in self.items if i.kind == "more" or (i.kind == "super" and i.data[1] == "count")), None)
        at = next((n for n, i in enumerate(self.items) if i.kind == "or" and 0 < n < len(self.items) - 1), None)
        if more is None or at is None or {"than", "trend"} & self.kinds:
            return None
        a, b = self.items[at - 1], next(i for i in self.items[at + 1 :] if i.kind not in ("link", "filler"))
        if a.kind == b.kind == "time" and self.table.day:
            sizes = {len(i.data.when.text) for i in (a, b)}
            part = {4: "year", 7: "month", 8: "week", 10: "day"}.get(sizes.pop()) if len(sizes) == 1 else None
            of = replace(self.table.day.of, part=part) if part else None
        elif a.kind == b.kind == "person":
            fields = [f for f in self.table.fields if f.kind == "person" and f.name != "who"]
            of = fields[0].of if len(fields) == 1 else None
            self.valid = [*self.valid, (b, Test(of, "in", (*a.data, *b.data)))] if of else self.valid
            self.valid = [(i, f) for i, f in self.valid if i is b or i is not a]
        else:
            shared = {f.of for f, _ in a.values} & {f.of for f, _ in b.values}
            of = next(iter(shared)) if len(shared) == 1 else None
        if of:
            more.used, more.kind = True, "filler"
            if a.kind == "person":
                self.items[at].kind, a.used, b.used = "filler", True, True
                self.items[at].used = True
            direct = self.items[self.items.index(more) + 1 : self.items.index(more) + 2]
            if direct and direct[0].values and not self.noun:  # "more plums": by how much there is of them
                amounts = [f for f in self.table.fields if f.kind == "number" and (
                    _UNITS.get(f.unit, ("",))[0] in ("weight", "volume")
                    or f.name in ("number", "count", "quantity"))]  # fmt: skip
                if len(amounts) != 1:
                    raise NotUnderstood("it does not say of what", ["more"])
                self.forced_measure = amounts[0]
        return of

    def _counts_most(self) -> bool:
        return any(i.kind == "super" and i.data[1] == "count" for i in self.items)

    def _place_or_person(self, asked: list[Field], who: bool | None = None) -> tuple[tuple[Of, ...], str, Field | None]:
        table = self.table
        who = "who" in self.kinds if who is None else who
        kinds = ("person", "persons", "word", "words")
        verbs = {i.data for i in self.items if i.kind == "word"}
        if who and "with" in self.said and (f := table.field(*COMPANY)):
            return (f.of,), "who", f
        if (
            who
            and self._asks_who()
            and table.by_name["who"].kind == "person"
            and not any(f.kind in kinds and not f.free for f in asked)
        ):
            return (Of("who"),), "who", table.by_name["who"]
        if who and table.of_people and table.called:
            return (table.called.of,), "called", table.called
        if asked and asked[0].kind in kinds and not asked[0].free:
            for item in self.items:
                item.used |= asked[0] in item.fields
            return (asked[0].of,), "who" if asked[0].kind in ("person", "persons") else "field", asked[0]
        verbal = any(i.verb for i in self.items if i.kind == "word") or self.tense != "present"
        wanted = (
            PEOPLE
            if who
            else LIES
            if not verbal
            else (*(n for verb, names in BY_VERB.items() if stem(verb) in verbs for n in names), *PLACES)
        )
        f = next(
            (
                table.by_name[n]
                for n in wanted
                if n in table.by_name and n != ("who" if self.question.mine or self.whose else "")
            ),
            None,
        )
        if f is None and not asked:
            f = next((f for f in table.fields if ("who" if who else "where") in f.told and f.textual and not f.free), None)
        if f is None or (who and f.name == "others" and "with" not in self.said):
            raise NotUnderstood("its records have no such field", ["who" if who else "where"])
        if f.name == "name" and not table.of_people:
            raise NotUnderstood("its records have no such field", ["who"])
        return (f.of,), "who" if f.kind in ("person", "persons") else "field", f

    # --- what goes without saying ---

    def _scope(self, filters: Conditions, day: Field | None, query: Query, shows: str) -> list[Filter]:
        """What counts: what happened by today of the past, what is ahead, what holds; nothing that was called off."""
        table, found = self.table, list[Filter]()
        dated = any(i.kind in ("time",) for i, _ in filters)
        now = any(i.kind == "still" for i in self.items)
        for state in table.states:
            if state.name == "stance" or self.scoped_by_state or (self.named_day and self.named_day.name == "since"):
                continue
            held = {getattr(r, state.name) for r in table.records}
            off = sorted(OFF & held)
            if self.tense in ("past", "none") and not table.lasting:
                off = sorted({*off, *(held & UNSURE)})
            if (self.tense == "present" or now) and (not _happens(table) or (day is not None and day.name in _AHEAD)):
                off = sorted({*off, *(held & OVER)}) if not (dated or self._ends(day)) else off
            if held & DOUBTFUL and self.tense == "present":
                found.append(Test(state.of, "unless", tuple(sorted(held & DOUBTFUL))))
            if self.tense == "future":
                off = sorted({*off, *(held & VAGUE)})
            if off and not (self._ends(day) and table.lasting):
                found.append(Not(Test(state.of, "in", tuple(off))))
        ends = self._ends(day)
        if table.lasting and table.span and not dated and not (ends and self.tense == "past"):
            start, end = (f.of for f in table.span)
            if self.tense == "none" and not now and shows != "long":
                if table.needs(Test(end, ">=", self.today, open=True)):
                    raise NotUnderstood("it does not say whether now or ever")
            elif self.tense == "present" or now or (shows == "long" and self.tense != "past"):
                found += [Test(start, "<=", self.today, open=True), Test(end, ">=", self.today, open=True)]
            elif self.tense == "past" and shows not in ("when",):
                found += [Test(start, "<=", self.today, open=True)]
            elif self.tense == "future":
                found += [Test(start, ">=", self.today)]
        elif table.lasting and table.span and not dated and ends and day and day.name == "until":
            found += [Test(day.of, "<=", self.today)]
        elif day and _happens(table) and not table.lasting and day.name not in _AHEAD:
            future = self.tense == "future" or any(i.kind == "ahead" for i in self.items)
            if future:
                found.append(Test(day.of, ">=", self.today) if query.pick or not dated else All())
            elif self.tense == "none" and not query.pick:
                found.append(All() if dated else Test(day.of, "by", self.today))
            elif self.tense == "past" or (query.pick and (query.pick == "max" or query.one.measure != day.of)):
                found.append(Test(day.of, "<=", self.today))
        elif day and day.name in _AHEAD and self.tense == "future":
            found.append(Test(day.of, ">=", self.today))
        if day and not any(isinstance(f, Test) and f.op == "<=" and table.fails(f) for f in found):
            found = [f for f in found if f != Test(day.of, "<=", self.today)]  # nothing lies ahead
        return [f for f in found if f != All() and table.needs(f)]

    def _ends(self, day: Field | None) -> bool:
        return self.named_day is not None and day is not None and day.name in ("since", "until")


def _of_person(f: Field) -> bool:
    return f.kind in ("person", "persons")


def _happens(table: Table) -> bool:
    return bool(table.day) and not table.lasting


def _plain(number: float) -> float | int:
    return int(number) if float(number).is_integer() else round(number, 6)


_SORTS = frozenset(map(stem, KINDS))
_AHEAD = ("expires", "due", "due_date", "renews", "valid_until", "closes", "return_by")
_STATE_STEMS = {stem(verb): verb for verb in STATE_VERBS}
_HOW = {w: by for more, _, less, _, by in ADJECTIVES for w in (*more.split("|"), *less.split("|"))} | {
    "long": "duration length last", "deep": "depth", "tall": "height", "fast": "speed pace", "expensive": COST,
    "far": "distance", "cold": "temperature", "warm": "temperature", "hot": "temperature",
    "heavy": "weight", "high": "height", "big": "size",
}  # fmt: skip


# --- what was spent, over all collections ---

_SPENT = frozenset(("spend", "spending", "pay"))
_PRICES = frozenset(map(stem, ("cost", "price", "amount", "paid", "spent", "total", "fee")))


def spending(text: str, world: World, today: date) -> Reading | None:
    """Read "how much did I spend on books in May (by category)" over all collections whose records cost something.

    None where it asks something else, or names one collection, which then is asked alone.
    """
    question = asked(text, today)
    spoken = {w.stem for w in question.words}
    how_much = "how much" in " ".join(question.said) or "total" in spoken or {"what", "spend"} <= spoken
    if (
        not (spoken & {stem(w) for w in _SPENT})
        or not how_much
        or (question.tense not in ("past", "none") and "spending" not in question.said)
    ):
        return None
    found: list[Reading] = []
    for table in world.tables.values():
        if table.money is None or not table.money.own & _PRICES or table.lasting or table.day is None or not table.records:
            continue
        if table.day.name in _AHEAD or (any(f.choices and "considering" in f.choices for f in table.states) and not table.span):
            continue
        binder = _Binder(question, table, world, today)
        if any(
            i.kind == "word" and i.noun > 1 and not i.verb and not i.values
            for i in binder.items
            if i.data not in _PRICES | {"spend"}
        ):
            return None
        binder.asks = binder.asks if binder.asks else ["much"]
        binder.spent = True
        try:
            found.append(binder.read())
        except NotUnderstood:
            continue
    if len(found) > 1 and any(r.query.how != "sum" or r.query.versus or r.query.claim or r.query.pick for r in found):
        raise NotUnderstood("it does not say of what")
    if not found or any(r.query.how != "sum" or r.query.versus or r.query.claim or r.query.pick or r.query.part for r in found):
        return None
    if any(r.query.one.group for r in found) and not all(r.query.one.group for r in found):
        return None
    sources = []
    seen: set[tuple[Any, ...]] = set()
    for r in found:
        source = r.query.one
        scope = source.scope
        if "every" in r.table.by_name:
            scope = both(scope, Test(Of("every"), "in", ("once",)))
        held = {getattr(x, s.name) for s in r.table.states for x in r.table.records}
        if "returned" in held:
            scope = both(scope, Not(Test(r.table.states[0].of, "in", ("returned",))))
        twice = []
        for record in r.table.records:  # told once, and recorded in two collections
            key = (record.source, str(r.table.money and getattr(record, r.table.money.name)))
            if len(found) > 1 and record.source and key in seen:
                twice.append(record.id)
        seen |= {(x.source, str(r.table.money and getattr(x, r.table.money.name))) for x in r.table.records}
        scope = both(scope, Not(Test(Of("id"), "in", tuple(twice)))) if twice else scope
        sources.append(replace(source, scope=scope))
    query = replace(found[0].query, sources=tuple(sources))
    return replace(found[0], query=query, shows="spent")
