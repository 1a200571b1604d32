"""Questions about more than one collection: who somebody is, how old, where one was, what is on, and derived values.

Each answers, or leaves the question to the next.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, Protocol

from uac_nb.ask.answer import SHOWN, Answer, called, described, in_list, in_words, length, singular, titled, unknown
from uac_nb.ask.bind import NotUnderstood, readings
from uac_nb.ask.evaluate import evaluate
from uac_nb.ask.query import Either, Filter, Not, Of, Query, Source, Test, both
from uac_nb.ask.recall import notes_about
from uac_nb.ask.render import render
from uac_nb.ask.scan import Question, asked
from uac_nb.ask.table import Table, World, evidence
from uac_nb.ask.words import FUNCTION, LIGHT, OFF, OVER, STATES, UNSURE, stem, stems
from uac_nb.domainfile.parsing import parse
from uac_nb.errors import RunError
from uac_nb.log import Log
from uac_nb.rules import Unknown, When, day, days, name
from uac_nb.rules.when import date_in
from uac_nb.starter import drugs
from uac_nb.store.coverage import undone_batches


class Ran(Protocol):
    @property
    def value(self) -> Any: ...
    @property
    def records(self) -> tuple[str, ...]: ...


class Runs(Protocol):
    """What of an engine is used here. It has the project loaded."""

    def run(self, code: str, *, today: date) -> Ran: ...


@dataclass(frozen=True)
class Asked:
    """One question while it is answered."""

    question: str
    world: World
    today: date
    engine: Runs
    log: Log

    @cached_property
    def read(self) -> Question:
        return asked(self.question, self.today)

    @cached_property
    def text(self) -> str:
        """The question in plain words."""
        return " ".join(self.read.said).replace(" 's", "'s")

    def computed(self, value: Any, text: str, records: tuple[Any, ...], code: str | None = None, note: str = "") -> Answer:
        return Answer(question=self.question, value=value, text=text, channel="computed", code=code, records=records,
                      evidence=evidence(records), note=note)  # fmt: skip


# --- who somebody is ---

_WHO = re.compile(r"(?:who is|who are|who was|tell about|tell me about|what do you know about|describe) (?P<who>.+)")
_RELATED = re.compile(r"is (?P<who>.+?) my (?P<what>\w+)")


def portrait(a: Asked) -> Answer | None:
    """Tell who somebody is: "who is Anna", "who is my brother", "is Tom my brother"."""
    if m := _RELATED.fullmatch(a.text):
        ids, others = _people(m["who"], a.world), _people(m["what"], a.world)
        same = [id for id in ids if id in others]
        records = a.world.found(same)
        return (
            a.computed(
                True,
                f"Yes: {described(same[0], a.world)}.",
                records,
                f"records = [r for r in people if r.id == {same[0]!r}]\nbool(records)",
            )
            if len(same) == 1 == len(ids)
            else None
        )
    m = _WHO.fullmatch(a.text)
    if m is None or m["who"] in ("i", "me"):
        return None
    ids = _people(m["who"], a.world)
    if not ids:
        return None
    texts: list[str] = []
    held: list[Any] = []
    for id in ids[:SHOWN]:
        text, about = _described(id, a)
        texts.append(text)
        held += about
    names = [a.world.persons[id].name for id in ids]
    table = a.world.table_of[ids[0]]
    r = table.var
    code = f"records = [{r} for {r} in {table.name} if {r}.id in {ids!r}]\n[{r}.name for {r} in records]"
    return a.computed(
        names[0] if len(names) == 1 else names,
        texts[0] if len(texts) == 1 else f"{len(ids)} people: {'; '.join(texts)}",
        tuple(dict.fromkeys(held)),
        code,
    )


def _people(phrase: str, world: World) -> tuple[str, ...]:
    words = tuple(stem(w) for w in re.findall(r"[^\W_]+", phrase) if w not in ("my", "our", "the", "a"))
    if plural := world.people.get(words):
        return plural
    return ()


def _described(id: str, a: Asked) -> tuple[str, list[Any]]:
    """Return who somebody is, and what is recorded of them."""
    person = a.world.persons[id]
    told, records = [], [person]
    if met := getattr(person, "met_through", None):
        told.append(f"met through {met}")
    for table in a.world.tables.values():
        if table.of_people or "who" not in table.by_name or table.by_name["who"].kind != "person":
            continue
        for r in [r for r in table.records if r.who == id or id in (getattr(r, "others", ()) or ())][:SHOWN]:
            state = {getattr(r, n, None) for n in ("status",)}
            if state & OFF or (table.lasting and r.until and r.until.last < a.today) or "ended" in state:
                continue
            told.append(_fact(r, table))
            records.append(r)
    told += [n.text.rstrip(".") for n in notes_about(id, a.world)]  # type: ignore[attr-defined]
    records += notes_about(id, a.world)
    head = described(id, a.world)
    return f"{head}{': ' if told else ''}{', '.join(told)}", records


def _fact(record: Any, table: Table) -> str:
    if table.names_others:
        value = getattr(record, "value", None)
        return (
            f"{getattr(record, 'kind', singular(table))} {value}"
            if value
            else f"{singular(table)} {day(table.day.of.value(record))}"
            if table.day
            else name(record)
        )
    if table.lasting and "place" in table.by_name and table.called and table.called.name == "place":
        return f"lives in {record.place}"
    role, employer = getattr(record, "role", None), getattr(record, "employer", None)
    return f"{role} at {employer}" if role and employer else titled(record, table)


# --- how old, how long until ---

_OLD = re.compile(r"how old (?:is|am|are|was|will) (?P<who>.+?)(?: be)?")
_UNTIL = re.compile(
    r"(?:how )?(?P<how>many more days|many days|many weeks|long|much longer|days|weeks)(?: is it| are there| is| are left|"
    r" left| to go| remain)? (?:until|till|before|to) (?P<what>.+)"
)
_SINCE = re.compile(
    r"how (?P<how>long|many days|many weeks)(?: ago)?(?: is it| has it been| did| was)?(?: ago)?(?P<since> since)? (?P<what>.+)"
)


def age(a: Asked) -> Answer | None:
    """Tell how old somebody is today, by a day of birth."""
    m = _OLD.fullmatch(a.text)
    if m is None or a.read.times:
        return None
    mine = m["who"] in ("i", "we")
    who = "my" if mine else re.sub(r"'s$", "", m["who"])
    tables = [t for t in a.world.tables.values() if t.day and ({"birthday"} & t.own or {"born", "birthday"} & t.by_name.keys())]
    ids = () if mine else _people(who, a.world)
    found = []
    for table in tables:
        field = table.field("born", "birthday") or table.day
        for r in table.records:
            named = getattr(r, "name", "")
            own = (mine and getattr(r, "who", "me") == "me" and named.lower() in ("me", "")) or (
                bool(ids) and (getattr(r, "who", "") in ids or r.id in ids)
            )
            own = own or (not mine and stems(named)[-1:] == stems(who)[-1:] and not ids)
            if own and field:
                found.append((r, getattr(r, field.name), table, field))
    if len({str(w) for _, w, *_ in found}) != 1:
        return None
    record, born, table, field = found[0]
    if not isinstance(born, When) or born.text.startswith("--") or born.first > a.today or not born.exact:
        return (
            unknown(a.question, f"the year of birth is not known exactly: {in_words(born)}", records=(record,))
            if born
            else None
        )
    years = a.today.year - born.first.year - ((a.today.month, a.today.day) < (born.first.month, born.first.day))
    r = table.var
    code = (f"records = [{r} for {r} in {table.name} if {r}.id == {record.id!r}]\nborn = records[0].{field.name}\n"
            "today.year - born.year - ((today.month, today.day) < (born.month, born.day))")  # fmt: skip
    text = f"{years} year{'' if years == 1 else 's'}" if years else length(born, a.today) or "0 years"
    return a.computed(years, f"{text} (born {day(born)})", (record,), code)


def countdown(a: Asked) -> Answer | None:
    """Tell how many days it is until something."""
    m = _UNTIL.fullmatch(a.text)
    if m is None:
        return None
    what = m["what"]
    verb = re.search(r"(.*?) (expires?|renews?|ends?|starts?|begins?|is due|departs?|leaves?)$", what)
    forms = [
        f"when does {verb[1]} {verb[2].replace('is ', '')}" if verb and not verb[2].startswith("is") else f"when is {what}",
        f"when is my next {re.sub('^(my|the|our) (next )?', '', what)}",
    ]
    if verb and verb[2].startswith("is"):
        forms = [f"when is {verb[1]} due"]
    for form in forms:
        try:
            (reading,) = readings(form, a.world, a.today)
        except (NotUnderstood, ValueError):
            continue
        found = evaluate(reading.query, _records(a.world))
        ahead = [
            (r, w)
            for r in found.records
            for of in reading.query.one.show
            if isinstance(when := of.value(r), When) and (w := _coming(when, of.field, a.today)) and w.first >= a.today
        ]
        if ahead and found.exact:
            record, when = min(ahead, key=lambda p: p[1].first)
            count = (when.first - a.today).days
            t, f = reading.table, reading.query.one.show[0].field
            held = f"records[0].{f}" if getattr(record, f, None) == when else f'When("{when}")'
            code = f"records = [{t.var} for {t.var} in {t.name} if {t.var}.id == {record.id!r}]\n({held} - today).days"
            value = count if "week" not in m["how"] else round(count / 7, 1)
            text = days(count) if "week" not in m["how"] else in_words(value, "week")
            return a.computed(value, f"{text}: {titled(record, t)}", (record,), code)
    return None


def _coming(when: When, field: str, today: date) -> When | None:
    """Return an exact day; of a birthday the next one."""
    if field in ("birthday", "born") and not when.text.startswith("..") and when.month and when.day:
        days = (date_in(f"--{when.month:02}-{when.day:02}", year) for year in (today.year, today.year + 1))
        return next((When(day.isoformat()) for day in days if day and day >= today), None)
    return when if when.exact else None


def elapsed(a: Asked) -> Answer | None:
    """Tell how long ago something was last done."""
    m = _SINCE.fullmatch(a.text)
    if m is None or not (m["since"] or " ago" in a.text):
        return None
    try:
        (reading,) = readings(
            f"when did {m['what']}" if not re.match(r"(the|my) ", m["what"]) else f"when was {m['what']}", a.world, a.today
        )
    except (NotUnderstood, ValueError):
        return None
    found = evaluate(reading.query, _records(a.world))
    if len(found.records) != 1 or not found.exact or len(reading.query.one.show) != 1:
        return None
    (record,), of = found.records, reading.query.one.show[0]
    when, t = of.value(record), reading.table
    if not isinstance(when, When) or not when.exact or when.first > a.today:
        return None
    count = (a.today - when.first).days
    code = f"records = [{t.var} for {t.var} in {t.name} if {t.var}.id == {record.id!r}]\n(today - records[0].{of.field}).days"
    value = count if "week" not in m["how"] else round(count / 7, 1)
    text = days(count) if "week" not in m["how"] else in_words(value, "week")
    return a.computed(value, f"{text}: {titled(record, t)}", (record,), code)


def _records(world: World) -> dict[str, Any]:
    return {name: t.records for name, t in world.tables.items()}


# --- medicines ---

_MEDICINE = re.compile(r"am i allergic to (?P<allergic>.+)|(?:can|may|should) i take (?P<take>.+)")


def medicine(a: Asked) -> Answer | None:
    """Tell whether a medicine contains what the user must avoid, by the table of drugs. Without a relation nothing is told."""
    m = _MEDICINE.fullmatch(a.text)
    if m is None or a.read.times:
        return None
    found = [
        (r, related)
        for table in a.world.tables.values() if {"avoid", "avoids"} & table.by_name.keys()
        for r in table.records if getattr(r, "who", "me") == "me" and not any(getattr(r, n, None) in OVER for n in STATES)
        and not ((until := getattr(r, "until", None)) and until.last < a.today)
        for avoid in ([r.avoids] if isinstance(r.avoids, str) else r.avoids or ())
        if (related := drugs.relation(m["allergic"] or m["take"], avoid))
    ]  # fmt: skip
    if not found:
        return None
    record, related = found[0]
    sure = all(r.kind != "may" for _, r in found)
    value: bool | str = "perhaps" if not sure else bool(m["allergic"])
    said = {True: "Yes", False: "No", "perhaps": "Perhaps"}[value] if sure or m["allergic"] else "Perhaps not"
    text = f"{said}: {m['allergic'] or m['take']} {related.says} ({name(record)})"
    return a.computed(value, text, tuple(dict.fromkeys(r for r, _ in found)), None, drugs.ADVICE)


# --- where one was, what is on ---

_WHERE = re.compile(
    r"where (?:am|was|will|are|were) (?:i|we)(?: be| going| going to be| travelling|"
    r" flying)?(?: right)?(?: now)?(?: (?:on|in|at))?(?: @)?"
)
_ON = re.compile(
    r"(?:what (?:am i|are we|was i|were we) (?:doing|up to)|what (?:do|did) (?:i|we) (?:do|have(?: (?:on|"
    r"planned|to do))?)|what have (?:i|we)(?: got)?(?: on| planned)?|"
    r"what(?: is| was)?(?: going)? on(?: my (?:calendar|agenda|schedule))?|what (?:happened|happens|"
    r"will happen|takes place|took place)|what (?:is|are) (?:my )?(?:plans?|appointments and plans)|"
    r"what is (?:planned|scheduled|coming up)|what plans do i have|am i (?:free|busy)|what does my (?:week|"
    r"day|calendar) look like|what is due|what do i have to do)(?: (?:for|on|in|at|by|this|during))? @"
)


def whereabouts(a: Asked) -> Answer | None:
    """Tell where the user was, is or will be: on a journey whose days overlap, of today else at home."""
    text = _timed(a)
    if not _WHERE.fullmatch(text) or len(a.read.times) > 1:
        return None
    ((_, time),) = a.read.times.values() if a.read.times else ((0, None),)
    when = time.when if time else When(a.today.isoformat())
    for table in a.world.tables.values():
        if table.span and not table.lasting and {"trip", "journey"} & table.nouns:
            start, end = (f.of for f in table.span)
            scope = [Test(Of("who"), "in", ("me",))] if "who" in table.by_name else []
            held = {getattr(r, "status", None) for r in table.records} & (OFF | UNSURE)
            where = both(
                Test(start, "<=", when.last),
                Either((Test(end, ">=", when.first), both(Test(end, "none"), Test(start, ">=", when.first)))),
                *scope,
                *((_not("status", held),) if held else ()),
            )
            place = table.field("to", "destination", "place", "city")
            if place is None:
                continue
            query = Query((Source(table.name, where, show=(place.of,)),))
            found = evaluate(query, _records(a.world))
            if found.value:
                value = found.value[0] if len(found.value) == 1 else found.value
                return a.computed(
                    value,
                    in_list([titled(r, table) for r in found.records]),
                    found.records,
                    render(query, a.world.tables, found),
                )
    return None


def _not(field: str, values: set[Any]) -> Filter:
    return Not(Test(Of(field), "in", tuple(sorted(values))))


def _timed(a: Asked) -> str:
    """The question with "@" for its time."""
    said = list(a.read.said)
    for start, (end, _) in sorted(a.read.times.items(), reverse=True):
        said[start:end] = ["@"]
    return " ".join(said)


def agenda(a: Asked) -> Answer | None:
    """Tell what happens in a time, of all collections whose records have a day."""
    text = _timed(a)
    if not _ON.fullmatch(text) or len(a.read.times) != 1:
        return None
    ((_, time),) = a.read.times.values()
    when = time.when
    if " due" in text or "have to do" in text or " by " in text:
        when = When(f"{max(when.first, a.today)}/{when.last}") if when.last >= a.today else when
    sources = []
    for table in a.world.tables.values():
        if (
            table.lasting
            or table.day is None
            or table.names_others
            or table.of_people
            or table.called is None
            or "every" in table.by_name
        ):
            continue
        if " due" in text and table.day.name not in ("due", "due_date"):
            continue
        if table.day.name in ("bought", "finished", "until", "made", "expires", "renews") and not text.startswith(
            "what happened"
        ):
            continue
        mine: list[Filter] = (
            [Test(Of("who"), "in", ("me",))] if "who" in table.by_name and table.by_name["who"].kind == "person" else []
        )
        held = {getattr(r, "status", None) for r in table.records} & (
            OFF | ({"done"} if " due" in text or "have to do" in text else set())
        )
        span = table.span if table.span and table.day is table.span[0] else None
        there: Filter = Test(table.day.of, "within", when)
        if span:
            a_, b_ = span[0].of, span[1].of
            there = Either((there, both(Not(Test(b_, "none")), Test(a_, "<=", when.last), Test(b_, ">=", when.first))))
        sources.append(
            Source(table.name, both(there, *mine, *((_not("status", held),) if held else ())), show=(table.called.of,))
        )
    query = Query(tuple(sources))
    found = evaluate(query, _records(a.world))
    records = sorted({r.id: r for r in (*found.records, *found.unsure)}.values(), key=lambda r: _first(r, a.world))
    if not records:
        return None
    sure = {r.id for r in found.records}
    names = [("" if r.id in sure else "perhaps ") + titled(r, a.world.table_of[r.id]) for r in records]
    values = [called(r, a.world.table_of[r.id]) for r in records if r.id in sure]
    if not values:
        return a.computed(called(records[0], a.world.table_of[records[0].id]), in_list(names), tuple(records), None)
    code = render(query, a.world.tables, found) if not found.unsure else None
    return a.computed(values[0] if len(values) == 1 else values, in_list(names), tuple(records), code)


def _first(record: Any, world: World) -> date:
    table = world.table_of[record.id]
    when = table.day.of.value(record) if table.day else None
    return when.first if isinstance(when, When) else when or date.max


# --- derived values ---

_BEFORE = re.compile(r"\b(?:did|was|were|had|will)\b")
_YES_OR_NO = re.compile(r"(?:do|does|is|are|am) ")


@dataclass(frozen=True)
class Derived:
    """A derived value, as its source has it."""

    name: str
    doc: str

    @cached_property
    def own(self) -> set[str]:
        return _kin(" ".join(self.name.split("_")))

    @cached_property
    def words(self) -> set[str]:
        return self.own | _kin(self.doc)


def derived_value(a: Asked) -> Answer | None:
    """Return the derived value that a question asks for; None where it asks for something else, or for another time."""
    spoken = _kin(a.question)
    found = [d for d in derived(a.world.rules) if spoken and d.own <= spoken]
    elsewhen = any(not t.when.first <= a.today <= t.when.last for _, t in a.read.times.values())
    if len(found) != 1 or elsewhen or _BEFORE.search(a.text):
        return None
    people = {s for key in a.world.people for s in key} & spoken if a.world.people else set()
    if not _YES_OR_NO.match(a.text):
        return _value(found[0], a) if spoken <= found[0].words else None
    told = _value(found[0], a) if spoken <= found[0].words | people else None
    if told is None or isinstance(told.value, bool) or told.channel == "unknown":
        return told
    if not isinstance(told.value, str) or not people:
        return None
    same = people <= _kin(told.value)
    return replace(told, value=same, text=f"{'Yes' if same else 'No'}: {told.text}.")


def derived_besides(answer: Answer | None, a: Asked) -> str:
    """Tell the derived values that a question may ask for; empty where there are none, or one is the answer."""
    spoken = _kin(a.question)
    found = [d for d in derived(a.world.rules) if spoken & d.own and (d.own <= spoken or spoken <= d.words)]
    told = [] if answer and answer.code in {f"{d.name}()" for d in found} else [_value(d, a) for d in found]
    return "; ".join(f"see also {each.note}: {each.text.rstrip('.')}" for each in told if each)


def derived(rules: str) -> Iterator[Derived]:
    """Yield the derived values that a text of rules defines."""
    try:
        tree = parse(rules)
    except SyntaxError:
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(d, ast.Name) and d.id == "derived" for d in node.decorator_list
        ):
            yield Derived(node.name, " ".join((ast.get_docstring(node) or "").split()))


_ENDING = re.compile(r"(?:ers?|ors?|ings?|ed|e|s)$")


def _kin(text: str) -> set[str]:
    """Return the telling words of a text without their endings, so that a reviewer is somebody who reviews."""
    return {_ENDING.sub("", w) if len(w) > 4 else w for w in stems(text) if w not in LIGHT and w not in FUNCTION}


def _value(found: Derived, a: Asked) -> Answer | None:
    """Return the value, with what its function says of it; None where it cannot be computed, or rests on later words."""
    query, sources = f"{found.name}()", _sources(found.name, a.log)
    if any(e.day > a.today for e in a.log.entries(ids=sources)):
        return None
    try:
        ran = a.engine.run(query, today=a.today)
    except RunError:
        return None
    doc = f"the derived value {found.name}, “{found.doc.rstrip('.')}”" if found.doc else f"the derived value {found.name}"
    if ran.value is None or isinstance(ran.value, Unknown):
        return unknown(a.question, in_words(ran.value).removeprefix("unknown: "), code=query, note=doc)
    told = a.computed(ran.value, in_words(ran.value), a.world.found(ran.records), query, doc)
    return told if told.evidence else replace(told, evidence=sources)


def _sources(name: str, log: Log) -> tuple[int, ...]:
    """Return the messages that a function was written for; none where a person wrote it."""
    undone = undone_batches(log)
    entries = [e for e in log.entries(kinds=("change",)) if '"derive"' in e.text and not e.forgotten]
    changes: list[dict[str, Any]] = [json.loads(e.text) for e in entries if e.data["batch"] not in undone]
    sources = [c["source"] for c in changes if c.get("change") == "derive" and c.get("id") == name]
    return tuple(sources[-1]) if sources else ()


# --- the user by name ---

_I_FORMS = {"does": "do", "has": "have", "is": "am", "doesn't": "don't", "hasn't": "haven't"}


def first_person(question: str, log: Log, world: World) -> str:
    """Return a question that names the user in the first person: "where does Ann live" is "where do I live"."""
    if {"i", "my", "me", "we", "our"} & set(re.findall(r"[a-z']+", question.lower())):
        return question
    ids = sorted({s for t in world.tables.values() for r in t.records[-5:] for s in r.source})[-20:]
    speakers = (
        {" ".join(e.speaker.split()) for e in log.entries(kinds=("message",), ids=ids) if e.role == "user"} if ids else set()
    )
    for called_ in sorted({n for s in speakers for n in (s, *s.split()[:1]) if n}, key=len, reverse=True):
        if stems(called_) in world.people or len(called_) < 3:
            continue
        word = re.escape(called_.title() if called_.islower() else called_)
        question = re.sub(rf"\b{word}['’]s\b", "my", question)
        for their, mine in _I_FORMS.items():
            question = re.sub(rf"\b{their} {word}\b", f"{mine} I", question, flags=re.IGNORECASE)
        question = re.sub(rf"\b(did|was|had|will|can|should) {word}\b", r"\1 I", question, flags=re.IGNORECASE)
    return question


KINDS: tuple[Callable[[Asked], Answer | None], ...] = (derived_value, portrait, age, countdown, elapsed, whereabouts, agenda)
