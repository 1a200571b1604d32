"""`ask`: computed over the project where the question is about records, else recalled from the log, else not recorded."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from uac_nb.ask.answer import Answer, called, counted, described, in_list, in_words, lacking, said, singular, titled, unknown
from uac_nb.ask.bind import NotUnderstood, Reading, readings, spending
from uac_nb.ask.evaluate import Found, evaluate
from uac_nb.ask.leftout import changed_later, uncounted
from uac_nb.ask.people import KINDS, Asked, Runs, derived_besides, first_person, medicine
from uac_nb.ask.query import All, Query, Test, both, fields_of, tests
from uac_nb.ask.recall import looked_for, mentions, noted, noted_besides, recall, roots, short, transcript
from uac_nb.ask.render import render
from uac_nb.ask.table import Table, WorkspaceLike, World, look
from uac_nb.ask.words import LIMITS, OVER, STATES, stem, words
from uac_nb.errors import STOPS, UacError
from uac_nb.log import Log
from uac_nb.model import Model
from uac_nb.rules import day, listed

_TURNS = ("stance", "expires", "valid_until")  # fields whose value makes a yes a no
FEW = 3  # records that are told where none answers a question


def ask(question: str, *, workspace: WorkspaceLike, engine: Runs, log: Log, today: date, model: Model | None = None) -> Answer:
    """Answer a question about the user, on a day.

    A question that is wholly understood is computed first; where that gives nothing, nothing exact or only words, a model is
    asked. Raise RunError or CheckError when code cannot run, and ModelError when a model is needed and does not answer.
    """
    world = look(workspace, today, log)
    a = Asked(first_person(question, log, world), world, today, engine, log)
    if not words(question):
        return unknown(question, "nothing was asked; ask something, as “where do I live?”")
    try:
        answer, why = _computed(a)
    except (UacError, *STOPS):
        raise
    except Exception as error:  # nobody foresaw it, and the log may still answer
        answer, why = None, NotUnderstood(f"computing failed: {type(error).__name__}, please report it")
    if model is not None and not (
        answer and answer.channel == "computed" and not isinstance(answer.value, tuple) and answer.value != "perhaps"
    ):
        from uac_nb.ask.consult import consult

        consulted = consult(question, world=world, today=today, engine=engine, log=log, model=model)
        inexact = answer is not None and answer.channel == "computed"
        answer = consulted if consulted.channel != "unknown" or not inexact else answer
    if answer is not None and answer.channel == "computed":
        notes = (
            answer.note,
            noted_besides(answer, world),
            _told_later(answer, a),
            uncounted(answer, a, amounts="spend" in roots(question)),
        )
        answer = replace(answer, note="; ".join(filter(None, notes)))
    answer = (
        answer or medicine(a) or noted(a.question, world, today) or recall(a.question, log, today, world) or _unknown(a, why)
    )
    return replace(answer, question=question, note="; ".join(filter(None, (answer.note, derived_besides(answer, a)))))


def _computed(a: Asked) -> tuple[Answer | None, NotUnderstood | None]:
    """Return the answer from the records, and why there is none."""
    if found := transcript(a.question, a.log, a.today):
        return found, None
    for kind in KINDS:
        if found := kind(a):
            return found, None
    try:
        if spent := spending(a.question, a.world, a.today):
            return _answer(a, spent), None
        meant = readings(a.question, a.world, a.today)
    except NotUnderstood as error:
        return None, error
    answers = [answer for reading in meant if (answer := _answer(a, reading))]
    if a.read.times and not any(x.value for x in answers):  # "how many in November": of the other year, if that has any
        try:
            other = readings(a.question, a.world, a.today, other_year=True)
        except NotUnderstood:
            other = []
        later = [x for reading in other if (x := _answer(a, reading)) and x.value]
        meant, answers = (other, later) if later and other != meant else (meant, answers)
    if len(meant) == 1 or (answers and all(x.value == answers[0].value for x in answers)):
        return (answers[0], None) if answers else (None, NotUnderstood(_none(meant)))
    told = [x for x in answers if x.channel == "computed" and x.value not in (0, None, [])]
    if len(told) == 1 and len({type(r.query.how) for r in meant}) == 1 and meant[0].query.how in ("list", "exists"):
        return told[0], None
    return None, NotUnderstood("it can be about several", [r.table.name for r in meant])


def _none(meant: list[Reading]) -> str:
    return f"no such {listed(dict.fromkeys(singular(r.table) for r in meant))} is recorded"


def _answer(a: Asked, reading: Reading) -> Answer | None:
    """Return the answer of a reading; None where no record tells."""
    query, table = reading.query, reading.table
    records = {n: t.records for n, t in a.world.tables.items()}
    if (
        reading.tense == "present"
        and reading.shows in ("when", "hour", "field")
        and table.day
        and not table.lasting
        and not a.read.times
        and not query.pick
    ):
        ahead = both(query.one.scope, Test(table.day.of, ">=", a.today))  # "when is my appointment": the coming ones, if any
        coming = replace(query, sources=(replace(query.one, scope=ahead),))
        query = coming if evaluate(coming, records).value else query
        reading = replace(reading, query=query)
    found = evaluate(query, records)
    if query.how == "exists" and not found.most:
        return _denied(a, reading)
    if found.value is None and found.most is None:
        return None
    if query.how == "list" and not query.one.group and not found.most:
        return None
    if found.value is None or (query.one.group and isinstance(found.value, list) and not found.value and query.pick):
        return None
    if not found.exact and (query.pick or query.one.group or query.part or query.versus or query.over):
        found = replace(found, value=found.value)
        note = f"not sure of {_names(found.unsure, a.world)}"
        if query.pick or query.versus or query.keep or query.part:
            return None  # which is the most depends on records that may count or not
    else:
        note = ""
    if query.how in ("sum", "average", "median") and not found.records:
        return None
    if (
        query.how == "count"
        and not found.most
        and reading.whose
        and not any({getattr(r, "who", ""), r.id} & {*reading.whose} for r in table.records)
    ):
        return None  # nothing at all is recorded of them
    value, text = said(reading, found, a.world, a.today)
    notes = [note] if note else []
    shown = found.value if query.how in ("list", "exists") else query.how in ("count", "sum") and not found.exact
    if found.unsure and not note and shown:
        notes.append(f"not sure of {_names(found.unsure, a.world)}")
    if query.how in ("sum", "average", "median") or query.pick:
        for source in query.sources:
            missing = tuple(r for r in found.missing if a.world.table_of[r.id].name == source.collection)
            notes.append(lacking(replace(found, missing=missing), source.measure, a.world.tables[source.collection]))
    if query.how == "count" and found.value == 0 and found.exact and not query.one.group and not query.claim:
        text = f"0; {_recorded(table)} in all"
    counted_past = query.how == "count" and reading.tense == "past" and not (query.claim or query.one.group)
    if counted_past and a.read.times and found.exact and (more := _ahead(reading, a)):
        text = f"{text}, {more} more {'is' if more == 1 else 'are'} ahead"
    if query.how == "sum":
        measures = {s.collection: s.measure for s in query.sources}
        kept = tuple(
            r for r in found.records if (of := measures[a.world.table_of[r.id].name]) is None or of.value(r) is not None
        )
        found = replace(found, records=kept)
    several = sum(bool(t.money and t.day and t.records and t.day.name not in LIMITS) for t in a.world.tables.values()) > 1
    if query.how == "sum" and len(found.records) and reading.shows == "spent" and not isinstance(value, tuple):
        notes += _spent_notes(a, query)
        text = f"{text}: {_parts(found, a.world)}" if several else text
    elif query.how == "sum" and len(found.records) == 1:
        text = f"{text} ({called(found.records[0], table)})"
    if len(reading.whose) > 1:
        owners = {getattr(r, "who", r.id) for r in found.records}
        named = [described(id, a.world) for id in reading.whose if id in owners]
        notes += [f"this is of {listed(named)}" if named else ""] + [
            f"nothing of {described(id, a.world)}" for id in reading.whose if id not in owners
        ]
    code = render(query, a.world.tables, found)
    answer = a.computed(value, text, found.records, code, "; ".join(filter(None, notes)))
    told = table.lasting or any(t.of.field in STATES for t in tests(query.one.scope))
    if told and (changed := changed_later(answer, a, fields_of(query))):
        return unknown(
            a.question,
            f"how it was then; it was changed later, by entry {changed.id} of {day(changed.day)}, “{short(changed)}”",
        )
    return answer


def _ahead(reading: Reading, a: Asked) -> int:
    """Count what meets a question and lies ahead, which it does not count."""
    source, day_ = reading.query.one, reading.table.day
    if day_ is None or reading.table.lasting:
        return 0
    rest = (
        p
        for p in (source.scope.parts if isinstance(source.scope, All) else (source.scope,))
        if p != Test(day_.of, "<=", a.today)
    )
    coming = both(*rest, Test(day_.of, ">", a.today))
    found = evaluate(
        replace(reading.query, sources=(replace(source, scope=coming),)), {n: t.records for n, t in a.world.tables.items()}
    )
    return found.value if isinstance(found.value, int) else 0


def _names(records: tuple[Any, ...], world: World) -> str:
    return in_list([called(r, world.table_of[r.id]) for r in records])


def _recorded(table: Table) -> str:
    return f"{counted(table)} {'is' if len(table.records) == 1 else 'are'} recorded"


def _denied(a: Asked, reading: Reading) -> Answer | None:
    """Return "no" where what is asked about is recorded, and is over or was called off; else nothing tells."""
    query = reading.query
    table = reading.table
    scope, said_ = (list(f.parts if isinstance(f, All) else (f,)) for f in (query.one.scope, query.one.where))
    mine = [p for p in scope if {t.of.field for t in tests(p)} & {"who", "name", "others"}]
    if not said_ and len(scope) == len(mine):
        return None
    where = [p for p in said_ if not any(t.op == "is" or t.of.field in _TURNS for t in tests(p))]
    bare = replace(query, sources=(replace(query.one, where=both(*where), scope=both(*mine)),))
    found = evaluate(bare, {n: t.records for n, t in a.world.tables.items()})
    turned = len(where) < len(said_)  # it is so, but for the state that was asked about
    over = [r for r in found.records if turned or any(getattr(r, n, None) in OVER for n in STATES)
            or (table.lasting and r.until is not None and r.until.last < a.today)]  # fmt: skip
    if not found.value or len(over) < len(found.records) or (a.read.times and table.lasting and not turned):
        return None
    names = in_list([titled(r, table) for r in found.records])
    code = render(query, a.world.tables, Found(False, False, ()))
    return a.computed(False, f"No: {names}.", tuple(found.records), code)


def _parts(found: Found, world: World) -> str:
    """Say how many records of which collections a sum is of."""
    by: dict[str, list[Any]] = {}
    for r in found.records:
        by.setdefault(world.table_of[r.id].name, []).append(r)
    texts = []
    for table_name, records in by.items():
        table = world.tables[table_name]
        names = f" ({listed([called(r, table) for r in records])})" if len(records) <= FEW else ""
        texts.append(f"{len(records)} {singular(table) if len(records) == 1 else table_name.replace('_', ' ')}{names}")
    return listed(texts)


def _spent_notes(a: Asked, query: Query) -> list[str]:
    """Say what a sum of what was spent leaves out: what was returned, and what goes out again and again."""
    back, again = [], []
    for source in query.sources:
        table = a.world.tables[source.collection]
        for r in table.records if any("returned" in f.choices for f in table.states) else ():
            if any(getattr(r, n, None) == "returned" for n in STATES) and source.where.holds(r) != "no":
                back.append(called(r, table))
    for table in a.world.tables.values():
        if "every" in table.by_name and table.money:
            for r in table.records:
                amount, every = getattr(r, table.money.name), r.every
                running = not any(getattr(r, n, None) in OVER for n in STATES) and not (
                    (u := getattr(r, "until", None)) and u.last < a.today
                )
                if amount is not None and every != "once" and running and getattr(r, "who", "me") == "me":
                    again.append(f"{called(r, table)} ({amount} a {every})")
    notes = [f"not counted since it was returned: {listed(back)}"] if back else []
    return notes + ([f"not counted since it goes out again and again: {listed(again)}"] if again else [])


def _told_later(answer: Answer, a: Asked) -> str:
    """Say which of the words behind an answer of a day that lies back were told later."""
    if not answer.evidence or len(answer.evidence) > 500:
        return ""
    later = [e for e in a.log.entries(ids=answer.evidence) if e.day > a.today]
    quotes = [f"entry {e.id} of {day(e.day)}, “{short(e)}”" for e in later[:FEW]]
    return f"told later, and part of what is known now: {listed(quotes)}" if quotes else ""


def _unknown(a: Asked, why: NotUnderstood | None) -> Answer:
    """Say what was looked at, what it holds, and which messages have the words."""
    spoken = {w.stem for w in words(a.question)}
    sought = set(map(stem, looked_for(a.question, a.today)[0]))
    about = [t for t in a.world.tables.values() if spoken & t.nouns and t.records]
    near = _near(sought, a.world)
    about += [t for t in a.world.tables.values() if t not in about and any(a.world.table_of[r.id] is t for r in near)]
    reason = f" ({why})" if why and (why.words or about or "no such" in str(why)) else ""
    looked = f"looked at {listed(map(counted, about))}{reason}" if about else "no collection is about this"
    known = f"recorded is {'; '.join(_whole(r, a.world.table_of[r.id]) for r in near)}" if near else ""
    parts = looked, known, mentions(a.question, a.log, a.today)
    answer = unknown(a.question, "; ".join(filter(None, parts)), records=tuple(near))
    return replace(answer, note=uncounted(answer, a, amounts=False)) if near else answer


def _near(sought: set[str], world: World) -> list[Any]:
    """Return the few records that have most of the telling words of a question in their names."""
    scores: dict[str, int] = {}
    for word in sought:
        for record in world.named.get(word, ()):
            scores[record.id] = scores.get(record.id, 0) + 1
    best = max(scores.values(), default=0)
    ids = [id for id, score in scores.items() if score == best]
    return list(world.found(ids)) if len(ids) <= FEW and 2 * best > len(sought) else []


def _whole(record: Any, table: Table) -> str:
    """Return a record with all that it says."""
    told = [f"{f.name.replace('_', ' ')} {in_words(v, f.unit if f.numeric else '', f.name)}" for f in table.fields
            if f is not table.called and not f.of.to and f.kind not in ("person", "persons") and f.name in table.by_name
            and (v := getattr(record, f.name)) not in (None, (), "") and not (f.choices and f.state)]  # fmt: skip
    return f"{called(record, table)}{f' ({chr(59).join(told)})'.replace(';', '; ') if told else ''}"
