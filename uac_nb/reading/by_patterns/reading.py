"""From a message to statements: each says one record, or that it is over; and the words that none of them accounts for.

One rule for what is left over: a message is read whole only when every word was taken by a slot, a frame, a filler, or a clause
that tells nothing. A question tells nothing; what is wished, planned or supposed is no fact, and not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from uac_nb.domainfile.annotations import Choice, Many, Maybe, Scalar
from uac_nb.domainfile.records import RecordType
from uac_nb.english import Amount, Clock, Span, country
from uac_nb.english.calendar import AFTER_EASTER, FEASTS
from uac_nb.english.expressions import Tense
from uac_nb.english.text import one_of, plain
from uac_nb.errors import Diagnostic
from uac_nb.reading.by_patterns.clauses import LONGEST, SPANS, Clause, Token, clause, clauses
from uac_nb.reading.by_patterns.frames import KNOWING, Frame, Slot, Table, Words, own_table, table_with
from uac_nb.reading.by_patterns.kinds import Kind, kind_of, starter_type
from uac_nb.reading.by_patterns.match import ME, Match, Scene, Who, chatter, ends, leftovers, matches, skipped, tail
from uac_nb.reading.by_patterns.words import NO_TITLES, NOT, PREPOSITIONS, stem
from uac_nb.rules import Money, When

Types = Callable[[str], tuple[str, RecordType] | None]


@dataclass(frozen=True, slots=True)
class Statement:
    """One record that a message states (`holds`), says to be over or denies (`ends`)."""

    type: RecordType
    kind: Kind
    who: Who
    values: Mapping[str, Any]
    ends: bool = False
    denied: bool = False  # it never was
    past: bool = False
    free: bool = False  # a value holds free words, kept as they were said
    again: bool = False  # the words speak of what is known: "the dentist is on the 18th now"
    quote: str = ""
    words: Mapping[str, str] = field(default_factory=dict)  # for templates alone


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message states, the words left over, and why it need not be kept where it states nothing."""

    statements: tuple[Statement, ...] = ()
    left: tuple[str, ...] = ()
    aside: str = ""


def read(text: str, said: date, table: Table, types: Types = starter_type) -> Reading:
    """Read a message that was said on a day."""
    text = plain(text)
    statements: list[Statement] = []
    left: list[str] = []
    moods: list[str] = []
    before = since = None
    other: Who | None = None
    subject: Who | None = ME
    last, introduced = -1, False
    tense: Tense = "present"
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    for link, sentence, words, asked, supposed in clauses(text):
        shown = text[words[0].start : words[-1].end]
        if len(shown) > LONGEST:
            left.append(shown[:40])
            continue
        follows = last >= 0 and not any(c in ".!?\n" for c in text[last : words[0].start])
        last = words[-1].end
        here = clause(text, words, link, asked, supposed, said, before, since, tense if follows else None)
        here, tense = replace(here, sentence=sentence if len(sentence) <= LONGEST else here.text), here.tense
        introduced = follows and (introduced or (link in (":", "-") and subject is None))
        if introduced or any(low < last and words[0].start < high for low, high in quoted):
            left += leftovers(here.tokens)  # somebody else's words: "Tom: I live in Rome"
            continue
        for span in (span for token in here.tokens if token.kind in ("day", "since", "until") for span in token.value):
            if span.when.exact and (span.until is None or span.until.exact):
                before, since = span.last, span.first if span.until else None
        if here.mood == "asked":
            moods.append("question")
            left += leftovers(here.tokens) if supposed or link or follows else []
            continue
        if here.mood == "said" and chatter(here.tokens, others=other is not None):
            moods.append(_manners(here))
            continue
        found = _best(Scene(here, subject if follows else ME, other, follows), table, types, said, statements)
        if found is None:
            left += leftovers(here.tokens) or [shown]
            subject = None
            if statements and statements[-1].type.name != "Allergy" and _TAKES_BACK.search(shown):
                statements.pop()  # "but I did not take it": what was not understood may undo what was
            continue
        told, over, who, adds = found
        left += over
        subject, other = who, who if who != ME else other
        statements += [_completed(statements.pop(), told[0])] if adds else told
    if not statements:
        aside = next((why for why in _ORDER if why in moods), "")
        return Reading((), tuple(left), "" if left else aside)
    return Reading(tuple(statements), tuple(left))


_AGAIN = re.compile(
    r"(?:no,? |oh,? |oops,? )*(?:actually|correction|sorry|wait|change of plans?|update|i meant)\b", re.IGNORECASE
)
_TAKES_BACK = re.compile(
    r"\b(?:not|\w+n't|never|no longer|cancel\w*|called off|fell through|joke|joking|kidding|sorry|i meant?|scratch|wrong|"
    r"instead|rather|mistake)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'"[^"]*"')
_ORDER = ("question", "thanks", "encouragement", "greeting", "small talk")
_MANNERS = {
    "thanks": "thank thanks cheers appreciate", "encouragement": "congrats congratulations luck proud",
    "greeting": "hey hi hello morning bye goodbye",
}  # fmt: skip


def _manners(here: Clause) -> str:
    lows = {t.low for t in here.tokens}
    return next((why for why, words in _MANNERS.items() if lows & set(words.split())), "small talk")


# --- one clause ---

Found = tuple[list[Statement], list[str], Who, bool]


def _best(scene: Scene, table: Table, types: Types, said: date, before: list[Statement]) -> Found | None:
    """Return the statements of the frame that leaves the fewest words over, the first of those."""
    here = scene.clause
    if here.mood != "said" or not here.alone:
        return None
    best: tuple[tuple[int, bool, int], Found] | None = None
    for frame, shape in table.for_words([stem(t.low) for t in here.tokens if t.kind == "word"]):
        adds = frame.effect == "adds"
        if adds and not (before and before[-1].type.name == frame.type and not before[-1].ends):
            continue
        if adds and len(before) > 1 and before[-2].type.name == frame.type:
            continue  # of which of them?
        known = types(frame.type)
        for match in matches(shape, scene) if known else ():
            if known and (found := _stated(match, frame, shape, scene, known, said)):
                told, over = found
                if adds and told[0].who != before[-1].who:
                    continue
                rank = len(over), match.free, -sum(isinstance(part, Words) or part.kind in KNOWING for part in shape)
                if best is None or rank < best[0]:
                    best = rank, (told, over, told[0].who, adds)
    return best[1] if best else None


def _stated(
    match: Match, frame: Frame, shape: tuple[Slot | Words, ...], scene: Scene, known: tuple[str, RecordType], said: date
) -> tuple[list[Statement], list[str]] | None:
    """Return what a match states and what it leaves over; None where it is not to be taken at its word."""
    tokens, (collection, type_) = scene.clause.tokens, known
    if not ends(match, tokens):
        return None
    kind = kind_of(type_, collection)
    match = _with_tails(match, kind, scene.clause)
    rest = tokens[match.end :]
    if any(t.low in NOT or t.kind in ("not",) or t.low in ("except", "instead", "rather") for t in rest) or _mistensed(
        match, frame, kind, scene.clause
    ):
        return None
    slots = {part.field: part.kind for part in shape if isinstance(part, Slot)}
    near = skipped(match, tokens)
    spans, rest = near.spans, tokens[near.end :]  # a span behind words that nobody read may belong to those
    bound = _bound(spans, slots, kind, type_)
    if bound is None or any(_stranded(span, tokens) for span in spans):
        return None
    for name, span in slots.items():
        given = any(t.kind == span or (span == "day" and t.kind in ("since", "until", "by")) for t in spans)
        if span in SPANS and (not given or (name in type_.by_name and name not in bound[0])):
            return None
    fields, over = bound
    left = [*over, *leftovers(rest)]
    count = next((t.value for t in spans if t.kind == "count"), None)
    ended = (frame.effect == "ends") != match.negative
    each = match.values[match.plural] if match.plural else (None,)
    rows = [
        {**frame.constants, **match.values, **({match.plural: item} if match.plural else {}), **values}
        for item in each
        for values in _rows(fields)
    ]
    if count is not None and count == len(rows):
        left = [word for word in left if word not in {t.text for t in spans if t.kind == "count"}]
    if any(span in SPANS and name not in type_.by_name for name, span in slots.items()):
        match = replace(match, free=True)  # "spent a week in": read, and kept in the words of the message alone
    statements = [
        statement for row in rows if (statement := _statement(row, match, frame, kind, type_, scene.clause, said, ended))
    ]
    return (statements, left) if len(statements) == len(rows) else None


def _stranded(span: Token, tokens: tuple[Token, ...]) -> bool:
    """Return whether a preposition that we cannot read stands before a typed span: "a fine of 30 euros", "under $20"."""
    at = tokens.index(span)
    return at > 0 and tokens[at - 1].low in PREPOSITIONS - {"back", "away", "off", "up", "out", "to"}


def _mistensed(match: Match, frame: Frame, kind: Kind, here: Clause) -> bool:
    """Return whether the tense of a clause does not go with its frame: what is so now was, or is to be."""
    if match.negative and (frame.effect != "holds" or not (kind.denial or kind.ended) or here.tense == "past"):
        return not (match.negative and frame.effect == "holds" and "now" in frame.marks and here.perfect)
    if "now" in frame.marks:
        since = any(t.kind in ("since", "length") for t in here.tokens)
        return (here.tense == "past" and not (here.perfect and since)) or (here.tense == "future" and not here.progressive)
    return "past" in frame.marks and here.tense != "past"


def _with_tails(match: Match, kind: Kind, here: Clause) -> Match:
    """Take in the prepositional phrases that a kind of record has fields for."""
    tokens = here.tokens
    while True:
        at = skipped(match, tokens)
        preposition = tokens[at.end].low if at.end < len(tokens) else ""
        name = kind.tails.get(preposition)
        found = next(tail(preposition, at.end + 1, here), None) if name and name not in match.values else None
        if found is None:
            return match
        match = at.with_value(found[0], name or "", found[1])


def _bound(
    spans: tuple[Token, ...], slots: Mapping[str, str], kind: Kind, type_: RecordType
) -> tuple[dict[str, list[Any]], list[str]] | None:
    """Return the values of typed spans by field, and the words of those that have none; None where two are of one field."""
    own = {span: name for name, span in slots.items()}
    fields: dict[str, list[Any]] = {}
    over: list[str] = []
    for token in spans:
        if token.kind == "not":
            return None
        name = own.get(token.kind) or kind.spans.get(token.kind)
        values = _values(token, name, kind, type_) if name else None
        if values and len(values) > 1 and not kind.status:
            return None  # what was bought on two days
        if not name or not values:
            if token.kind in ("money", "dose", "often"):
                return None  # what was paid, or comes again, is another thing than the frame reads
            over.append(token.text)
        elif name not in fields:
            fields[name] = values
        elif all(isinstance(v, str) for value in (*fields[name], *values) for v in value.values()):
            fields[name] = [{name: f"{fields[name][0][name]} {values[0][name]}"}]  # "5 mg", "every Monday"
        else:
            return None
    return fields, over


def _values(token: Token, name: str, kind: Kind, type_: RecordType) -> list[dict[str, Any]]:
    """Return what a typed span says, as values of a field and those beside it; none where the field cannot hold it."""
    declared = type_.by_name[name].type if name in type_.by_name else None
    plain_type = declared.of if isinstance(declared, Maybe) else declared
    match token.value:
        case Amount(amount=amount, currency=currency):
            return [{name: Money(amount, currency)}] if len(currency) == 3 else []
        case Clock(unsure=unsure) as clock:
            ends_ = {"ends": clock.until} if clock.until and "ends" in type_.by_name else {}
            if clock.until and not ends_:
                return []
            doubt = {"doubt": f"whether {clock.at:%H:%M} is meant"} if unsure else {}
            return [{name: clock.at, **ends_, **doubt}]
        case tuple() as days:
            return [value for span in days if (value := _day(span, token, name, kind, type_))]
    if token.kind == "length" and plain_type == Scalar("int"):
        minutes = _MINUTES.match(token.text)
        return [{name: round(float(minutes[1]) * (60 if minutes[2].startswith("h") else 1))}] if minutes else []
    if isinstance(plain_type, Choice):
        chosen = next(
            (c for c in plain_type.values if str(c) in str(token.value).replace("annual", "year").replace("daily", "day")), None
        )
        return [{name: chosen}] if chosen else []
    return [{name: token.value}]


_FEAST = re.compile(rf"\b(?:{one_of((*FEASTS, *AFTER_EASTER))})\b", re.IGNORECASE)
_MINUTES = re.compile(r"(?:for )?(\d+(?:\.\d+)?)[ -](min|hour|hr)")


def _day(span: Span, token: Token, name: str, kind: Kind, type_: RecordType) -> dict[str, Any]:
    when = span.when
    if type_.name == "Birthday" and span.yearless:
        if not when.exact:
            return {}
        when = When(f"-{when.text[4:]}")
    if token.kind == "by" and when.text.startswith("../"):
        if type_.name != "Deadline" and "until" not in name:
            return {}
        when = When(when.text[3:])
    doubt = {"doubt": span.doubt} if span.doubt else {}
    if kind.last and when.exact and not span.until and _FEAST.search(token.text):
        when = When(f"{when}~")  # a feast stands for some days around it: "to Rome for Easter"
    if span.until is None:
        return {name: when, **doubt}
    last = kind.last or ("until" if "until" in type_.by_name else "")
    return {name: when, last: span.until, **doubt} if last and last != name else {}


def _rows(fields: Mapping[str, list[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    """Yield the values of each record: one for each day of "in 2015 and 2019"."""
    most = max((len(values) for values in fields.values()), default=1)
    for n in range(most):
        row: dict[str, Any] = {}
        for values in fields.values():
            row |= values[n if len(values) == most else 0]
        yield row


def _statement(
    row: dict[str, Any], match: Match, frame: Frame, kind: Kind, type_: RecordType, here: Clause, said: date, ended: bool
) -> Statement | None:
    """Return one statement with all that follows from it, None where it does not fit together."""
    values = {name: value for name, value in row.items() if name in type_.by_name}
    for name, value in values.items():
        declared = type_.by_name[name].type
        if isinstance(declared, Many) and not isinstance(value, tuple):
            values[name] = (value,)
    when = values.get(kind.day) if kind.day else None
    last = values.get(kind.last) if kind.last else None
    if ended and "past" in frame.marks and kind.day:
        when = values.pop(kind.day, None)  # the day of its end: "returned the kettle on Monday"
    over = bool(when) and (last or when).last < said  # type: ignore[union-attr]
    past = here.tense == "past" or (here.tense == "present" and over)
    if when and ((here.tense == "past" and when.first > said) or (here.tense == "future" and over)):
        return None
    if when and last and last.last < when.first:
        return None
    since = values.get("since")
    if here.tense == "past" and since and since.first > said:
        return None  # "I moved to York in 2062"
    if "there" in frame.marks and when and when.exact and last is None:
        values["there_on"] = values.pop(kind.day)  # a day on which somebody is there need not be the first
    if not ended:
        if kind.status and "status" not in values:
            values["status"] = kind.status[0] if past else kind.status[1]
        if kind.day and when is None and past and last is None and "there_on" not in values:
            values[kind.day] = When(f"../{said}")
        if match.others and "others" in type_.by_name:
            values["others"] = (*match.others, *values.get("others", ()))
        if "country" in type_.by_name and "country" not in values:
            place = next((values[name] for name in ("to", "place") if name in values), "")
            if code := country(str(place)) or country(str(place).split(",")[-1].strip()):
                values["country"] = code
    if (match.others and "others" not in type_.by_name) or str(values.get("title") or "-").lower().split()[-1] in NO_TITLES:
        return None
    doubtful = "doubt" in values
    quote = here.sentence if "quote" in type_.by_name and (doubtful or match.free or type_.name == "Allergy") else ""
    words = {name: str(value) for name, value in row.items() if name not in type_.by_name}
    return Statement(
        type_,
        kind,
        match.who,
        values,
        ends=ended,
        denied=match.negative,
        past=past,
        free=match.free,
        quote=quote,
        words=words,
        again=bool(_AGAIN.match(here.sentence)) or here.tokens[0].low == "the" or any(t.low == "now" for t in here.tokens),
    )


def _completed(statement: Statement, more: Statement) -> Statement:
    new = {name: value for name, value in more.values.items() if name not in ("status", "who", "title")}
    return replace(statement, values={**statement.values, **new}, free=statement.free or more.free)


# --- the examples of frames ---

EXAMPLE_DAY = date(2026, 3, 15)  # on which the examples of frames are said


def check(text: str, types: Types = starter_type) -> list[Diagnostic]:
    """Return what is wrong with the frames of a person's own: how they are written, and examples that do not read so."""
    table, findings = table_with(text)
    found = list(findings)
    for frame in table.frames[: len(table.frames) - len(own_table().frames)]:
        found += _untrue(frame, table, types)
    return found


def _untrue(frame: Frame, table: Table, types: Types) -> Iterator[Diagnostic]:
    where = f"{frame.type}: {frame.pattern}"
    if (known := types(frame.type)) is None:
        yield Diagnostic("frame", where, f"there is no type {frame.type}", "define it first, or name one of ours, such as Trip")
        return
    slots = {part.field: part.kind for shape in frame.shapes for part in shape if isinstance(part, Slot)}
    strange = [name for name in (*slots, *frame.constants) if name not in known[1].by_name and name not in ("who", "whose")]
    if strange:
        fields = ", ".join(name for name in known[1].by_name if name not in ("id", "source"))
        yield Diagnostic("frame", where, f"{frame.type} has no field {strange[0]!r}", f"its fields are {fields}")
        return
    for example in frame.reads:
        reading = read(example, EXAMPLE_DAY, table, types)
        if reading.left or frame.type not in [s.type.name for s in reading.statements]:
            left = f"; nothing reads {' '.join(reading.left)!r}" if reading.left else ""
            yield Diagnostic(
                "frame", where, f"it does not read its example {example!r}{left}", "mend the pattern, or the example"
            )
    for example in frame.never:
        if any(s.type.name == frame.type and not s.ends for s in read(example, EXAMPLE_DAY, table, types).statements):
            yield Diagnostic("frame", where, f"it reads {example!r}, which it must not", "narrow the pattern")
