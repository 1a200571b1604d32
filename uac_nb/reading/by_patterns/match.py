"""Matching a clause against a frame: which words fill which slot, what stands beside it, and what is left over.

A match begins where the clause does and ends where a phrase does. It is refused, not guessed at, where a word in between is
unknown, where a "not" or a second day would be passed over, or where the tense does not go with what the frame says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from uac_nb.english import country, number, place, place_at, relation
from uac_nb.english.people import PETS, RELATIONS
from uac_nb.english.text import lexicon
from uac_nb.reading.by_patterns.clauses import SPANS, Clause, Token
from uac_nb.reading.by_patterns.frames import Slot, Words
from uac_nb.reading.by_patterns.words import (
    ARTICLES,
    AUX,
    BE,
    CALENDAR,
    DETERMINERS,
    FEELINGS,
    JOINS,
    LINKS,
    MODALS,
    NOT,
    PARTICIPLES,
    PREPOSITIONS,
    PRONOUNS,
    SYMPTOMS,
    VERBS,
    is_adjective,
    is_filler,
    is_past,
    is_verb,
    singular,
    stem,
)  # fmt: skip
from uac_nb.starter import drugs

NAMES = 3  # words of a name
NOUNS = 5  # words of a thing


@dataclass(frozen=True, slots=True)
class Who:
    """A person spoken of: by name, by what they are to the speaker ("sister"), or both. Neither: the speaker."""

    name: str = ""
    relation: str = ""

    def __str__(self) -> str:
        return self.name or (f"my {self.relation}" if self.relation else "me")


ME = Who()


@dataclass(frozen=True, slots=True)
class Scene:
    """What a clause is read against: the subject of the clause before, and whom the message spoke of last."""

    clause: Clause
    subject: Who | None = ME
    other: Who | None = None
    follows: bool = False  # it goes on with the subject of a clause before it in its sentence


@dataclass(frozen=True, slots=True)
class Match:
    """A frame found in a clause: the values of its slots, the spans met, and the place where it ends."""

    end: int = 0
    who: Who = ME
    values: dict[str, Any] = field(default_factory=dict)
    plural: str = ""  # the slot of which each item is a record of its own
    spans: tuple[Token, ...] = ()
    negative: bool = False
    free: bool = False  # a slot took free words
    others: tuple[str, ...] = ()

    def at(self, end: int, **more: Any) -> Match:
        return replace(self, end=end, **more)

    def with_value(self, end: int, name: str, value: Any, **more: Any) -> Match:
        return replace(self, end=end, values={**self.values, name: value}, **more)


def matches(shape: Sequence[Slot | Words], scene: Scene) -> Iterator[Match]:
    """Yield the ways in which a clause begins as a frame says."""
    yield from _from(tuple(part for part in shape if not _is_span(part)), 0, Match(), scene)


def _verbal(part: Slot | Words) -> bool:
    return isinstance(part, Words) and any(is_verb(way[0]) for way in part.any)


def _is_span(part: Slot | Words) -> bool:
    return isinstance(part, Slot) and part.kind in SPANS


def _from(shape: tuple[Slot | Words, ...], k: int, match: Match, scene: Scene) -> Iterator[Match]:
    if k == len(shape):
        yield match
        return
    part, tokens = shape[k], scene.clause.tokens
    if isinstance(part, Words):
        before = shape[k - 1] if k else None
        verb = (isinstance(before, Slot) and k == 1) or _verbal(part)
        omits = (k + 1 < len(shape) and isinstance(shape[k + 1], Words)) or (
            isinstance(shape[0], Slot) and shape[0].kind == "whose"
        )
        for found in _word(part, match, tokens, verb=verb, omits=omits, after_subject=isinstance(before, Slot)):
            yield from _from(shape, k + 1, found, scene)
        return
    if part.kind in ("who", "whose") and match.end == 0:
        match = skipped(match, tokens)
    for found in _slot(part, match if part.kind in ("who", "whose") else skipped(match, tokens), scene):
        yield from _from(shape, k + 1, found, scene)


def skipped(match: Match, tokens: Sequence[Token]) -> Match:
    """Pass over fillers and spans, which are kept, and commas beside them."""
    i, spans = match.end, list(match.spans)
    while i < len(tokens):
        token = tokens[i]
        if token.floats:
            spans.append(token)
        elif token.low in ARTICLES and i + 1 < len(tokens) and tokens[i + 1].kind == "money":
            pass  # "a $400 espresso machine"
        elif token.low == "," and (
            i == 0
            or tokens[i - 1].floats
            or _filler(tokens, i - 1)
            or (i + 1 < len(tokens) and (tokens[i + 1].floats or _filler(tokens, i + 1)))
        ):
            pass
        elif not _filler(tokens, i):
            break
        i += 1
    return match.at(i, spans=tuple(spans)) if i > match.end else match


def _filler(tokens: Sequence[Token], i: int) -> bool:
    return 0 <= i < len(tokens) and tokens[i].kind == "word" and is_filler(tokens[i].low) and (i == 0 or not tokens[i].capital)


def _word(
    part: Words, match: Match, tokens: Sequence[Token], *, verb: bool, omits: bool, after_subject: bool
) -> Iterator[Match]:
    """Match words, and before the verb of a frame its auxiliaries."""
    here, negative, passive = skipped(match, tokens), match.negative, False
    while (
        not after_subject
        and not part.be
        and here.end < len(tokens) - 1
        and tokens[here.end].low in ARTICLES
        and not _any_spelled(part, here.end, tokens)
    ):
        here = skipped(here.at(here.end + 1), tokens)
    if part.be and not (here.end < len(tokens) and (tokens[here.end].low in BE | AUX | NOT)):
        if here.end < len(tokens) and (tokens[here.end].low in (":", "=", "-")):
            yield here.at(here.end + 1)
        elif omits and not any(t.kind == "word" and (t.low in AUX or (is_verb(t.low) and is_past(t.low))) for t in tokens):
            yield here  # "Allergic to aspirin"
    while True:
        for way in part.any:
            end = _spelled(way, here.end, tokens)
            after = skipped(here.at(end), tokens).end if end else 0
            if way == _HAVE and after < len(tokens) and _participle(tokens[after]):
                continue  # "have reserved"
            if (
                end
                and way == ("have",)
                and end < len(tokens)
                and _participle(
                    tokens[skipped(here.at(end), tokens).end :][0]
                    if skipped(here.at(end), tokens).end < len(tokens)
                    else tokens[0]
                )
            ):
                continue  # "have reserved"
            if end and not (
                passive
                and way[0] != "be"
                and tokens[here.end].low in PARTICIPLES | {tokens[here.end].low}
                and _participle(tokens[here.end])
            ):
                yield here.at(end, negative=negative)
        if here.end >= len(tokens):
            return
        token = tokens[here.end]
        if token.low in NOT:
            if negative:
                return
            negative = True
        elif verb and token.low in AUX - MODALS:
            passive = passive or (token.low in BE and token.low not in ("'s", "been"))
        elif (
            verb
            and (
                token.low in ("ended", "managed")
                or (token.low in ("up", "to") and tokens[here.end - 1].low in ("ended", "managed"))
            )
        ) or (verb and (token.low == "going" or (token.low == "to" and tokens[here.end - 1].low in ("going", "about")))):
            pass
        else:
            return
        here = skipped(here.at(here.end + 1), tokens)


_HAVE = (stem("have"),)


def _any_spelled(part: Words, i: int, tokens: Sequence[Token]) -> bool:
    return any(_spelled(way, i, tokens) for way in part.any)


def _participle(token: Token) -> bool:
    return is_past(token.low) and not token.low.endswith("ing")


def _spelled(way: tuple[str, ...], i: int, tokens: Sequence[Token]) -> int:
    """Return where these words end, fillers between them passed over; 0 where they do not stand here."""
    for n, word in enumerate(way):
        while n and i < len(tokens) and _filler(tokens, i) and stem(tokens[i].low) != word:
            i += 1
        if i >= len(tokens) or tokens[i].kind != "word" or stem(tokens[i].low) != word:
            return 0
        i += 1
    return i


# --- slots ---


def _slot(slot: Slot, match: Match, scene: Scene) -> Iterator[Match]:
    tokens, i, kind = scene.clause.tokens, match.end, slot.kind
    if kind == "who":
        yield from _subject(match, scene)
    elif i >= len(tokens):
        return
    elif kind == "whose":
        yield from _owner(match, scene)
    elif kind in ("thing", "employer", "role"):
        for end in _noun_ends(tokens, i):
            value, named = noun(tokens[i:end]), tokens[end - 1].capital or tokens[end - 1].text[0].isdigit()
            if value and (named or kind != "employer") and (kind == "role" or place(value) is None):
                yield match.with_value(end, slot.field, value)
    elif kind in ("things", "medicines", "places", "destinations"):
        for end, items in _listed(kind.removesuffix("s"), i, scene.clause):
            yield match.with_value(end, slot.field, items, plural=slot.field)
    elif kind in ("medicine", "place", "destination"):
        for end, value in _item(kind, i, scene.clause):
            yield match.with_value(end, slot.field, value)
    elif kind in ("person", "persons"):
        for end, people in _persons(tokens, i):
            if kind == "persons" or len(people) == 1:
                names = tuple(str(p) for p in people)
                yield match.with_value(end, slot.field, names if kind == "persons" else names[0])
    elif kind in ("words", "occasion"):
        end = i
        while end < len(tokens) and not tokens[end].floats and not _closes(tokens, end):
            end += 1
        head = next((n for n in _noun_ends(tokens, i) if tokens[n - 1].low in _LAST["event"]), 0)
        tells = any(_finite(t) or t.low in AUX for t in tokens[i:end])
        if (value := phrase(tokens[i:end])) and (kind == "words" or (head and not tells and noun(tokens[i:head]))):
            yield match.with_value(end, slot.field, value, free=True)
    elif kind in ("name", "title"):
        end = _name_end(tokens, i)
        while i < end and end + 1 < len(tokens) and tokens[end].low in ("of", "the", "and", "'s") and tokens[end + 1].capital:
            end = _name_end(tokens, end + 1)
        if i < end < len(tokens) and tokens[end].low == "'s":
            end += 1 if end + 1 == len(tokens) or tokens[end + 1].kind != "word" or tokens[end + 1].low in PREPOSITIONS else -1
        if i + (kind == "title") < end:
            yield match.with_value(end, slot.field, spelled(tokens[i:end]))
    elif kind in _LAST:
        for end in _noun_ends(tokens, i):
            if tokens[end - 1].low in _LAST[kind] and (kind == "sport" or noun(tokens[i:end])):
                yield match.with_value(end, slot.field, _lowered([t for t in tokens[i:end] if t.low not in DETERMINERS]))
    elif kind == "symptom":
        for end in _noun_ends(tokens, i):
            value = noun(tokens[i:end])
            if value and tokens[end - 1].low in SYMPTOMS:
                yield match.with_value(end, slot.field, value)
    elif kind in ("phone", "email"):
        if tokens[i].kind == kind:
            value = re.sub(r"[ ()./-]", "", tokens[i].text) if kind == "phone" else tokens[i].text
            yield match.with_value(i + 1, slot.field, value)
    elif kind == "number":
        value_ = number(tokens[i].text) if tokens[i].kind in ("number", "word") else None
        if value_ is not None and value_ == int(value_):
            yield match.with_value(i + 1, slot.field, int(value_))
    elif kind == "country":
        if code := country(tokens[i].text) if tokens[i].capital else None:
            yield match.at(i + 1, values={**match.values, slot.field: code, "nation": tokens[i].text})
    elif kind == "address":
        text = spelled(tokens[i:])
        if re.search(r"\d", text) and any(t.capital for t in tokens[i:]) and not any(t.floats for t in tokens[i:]):
            yield match.with_value(len(tokens), slot.field, text)


_LAST = {
    "meal": lexicon("breakfast brunch lunch dinner supper snack"),
    "sport": lexicon(
        "run swim ride jog hike workout yoga pilates climb climbing session bike-ride gym-class spinning crossfit"
    ),
    "plan": lexicon("subscription membership plan contract pass"),
    "account": lexicon("account"),
    "bill": lexicon("rent mortgage bill insurance premium fee"),
    "event": lexicon(
        "appointment interview exam exams test check-up checkup concert wedding party meeting lesson class rehearsal surgery "
        "date ceremony conference lecture match game funeral reunion graduation viewing inspection haircut session dentist "
        "optician doctor physio vet mot hearing scan x-ray coffee lunch dinner drinks breakfast brunch call picnic barbecue "
        "sleepover workshop webinar seminar training table reservation audition screening vaccination jab blood-test"
    ),
}


def _subject(match: Match, scene: Scene) -> Iterator[Match]:
    tokens, i = scene.clause.tokens, match.end
    if i >= len(tokens):
        return
    low = tokens[i].low
    if low in ("i", "we"):
        yield match.at(i + 1)
        return
    if low in ("he", "she", "they"):
        if scene.other:
            yield match.at(i + 1, who=scene.other)
        return
    for end, person in _person(tokens, i):
        if end + 1 < len(tokens) and tokens[end].low == "and" and tokens[end + 1].low in ("i", "me"):
            yield match.at(end + 2, others=(str(person),))
        elif (end < len(tokens) and tokens[end].low not in ("'s", "'", "and", ",")) or (
            end < len(tokens) and tokens[end].low == "'s" and _verb_follows(tokens, end + 1)
        ):
            yield match.at(end, who=person)
    if scene.subject and _omits(tokens, i, scene):
        yield match.at(i, who=scene.subject)


def _verb_follows(tokens: Sequence[Token], i: int) -> bool:
    while i < len(tokens) and (_filler(tokens, i) or tokens[i].low in NOT):
        i += 1
    return i < len(tokens) and (
        tokens[i].low.endswith("ing")
        or is_past(tokens[i].low)
        or tokens[i].low in ("allergic", "intolerant", "off", "on", "back")
    )


_STATES = lexicon("need must have has 've got love hate prefer like can can't enjoy adore dislike live work take am allergic")


def _omits(tokens: Sequence[Token], i: int, scene: Scene) -> bool:
    """Return whether a clause leaves out its subject: "Bought a lamp", "…, and came back". An order does not ("Buy milk")."""
    low = tokens[i].low
    if tokens[i].kind != "word" or (tokens[i].capital and i and not is_verb(low)):
        return False
    third = low.endswith("s") and not low.endswith("ss") and low not in ("was",) and is_verb(low) and not is_past(low)
    if low in ("is", "has", "was", "'s") or third:
        return scene.subject != ME and scene.follows
    if low in AUX | NOT or is_past(low) or low.endswith("ing"):
        return True
    if scene.follows:
        return is_verb(low)
    return low in _STATES or not is_verb(low)


def _owner(match: Match, scene: Scene) -> Iterator[Match]:
    tokens, i = scene.clause.tokens, match.end
    for end, person in _person(tokens, i):
        if end < len(tokens) and tokens[end].low in ("'s", "'"):
            yield match.at(end + 1, who=person)
    if (
        tokens[i].low in ("my", "our")
        and i + 1 < len(tokens)
        and (kin := relation(tokens[i + 1].low.removesuffix("s")))
        and tokens[i + 1].low.endswith("s")
    ):
        yield match.at(i + 2, who=Who(relation=kin))  # "my sisters birthday"
    if tokens[i].low in ("my", "our", "mine"):
        yield match.at(i + 1)
    elif tokens[i].low in ("his", "her", "their") and scene.other:
        yield match.at(i + 1, who=scene.other)


def _person(tokens: Sequence[Token], i: int) -> Iterator[tuple[int, Who]]:
    """Yield a person: "my sister Ana", "Dr. Chen", "Mom", "Mia"."""
    if i >= len(tokens):
        return
    if tokens[i].low in ("my", "our"):
        for end in range(min(i + 4, len(tokens)), i + 1, -1):
            words = " ".join(t.low for t in tokens[i + 1 : end])
            if kin := relation(words):
                named = _name_end(tokens, end) if end < len(tokens) and tokens[end].capital else end
                comma = end + 1 if end + 1 < len(tokens) and tokens[end].low == "," and tokens[end + 1].capital else 0
                if comma and (close := _name_end(tokens, comma)) < len(tokens) and tokens[close].low == ",":
                    yield close + 1, Who(spelled(tokens[comma:close]), kin)
                yield named, Who(spelled(tokens[end:named]), kin)
                return
        return
    if tokens[i].capital and tokens[i].low in RELATIONS:
        yield i + 1, Who(relation=relation(tokens[i].low) or tokens[i].low)
    elif tokens[i].capital and not (i == 0 and _common(tokens, 0)):
        end = _name_end(tokens, i)
        name = spelled(tokens[i:end])
        found = place_at(name, 0)
        if end > i and not (found and found.end == len(name) and not found.personal):
            yield end, Who(name)


def _common(tokens: Sequence[Token], i: int) -> bool:
    """Return whether the first word of a clause may be a common one, which only its place gives a capital."""
    low = tokens[i].low
    return (
        low in DETERMINERS | PRONOUNS | PREPOSITIONS | AUX | NOT | JOINS | LINKS | FEELINGS or is_filler(low) or is_verb(low)
        or is_adjective(low) or low.endswith(("ing", "ed")) or any(t.low == "of" for t in tokens[i + 1 : i + 2])
    )  # fmt: skip


def _name_end(tokens: Sequence[Token], i: int) -> int:
    end = i
    while end < len(tokens) and end - i < NAMES + 1 and tokens[end].capital and tokens[end].low not in LINKS | AUX | PRONOUNS:
        end += 1
    return end


def _persons(tokens: Sequence[Token], i: int) -> Iterator[tuple[int, tuple[Who, ...]]]:
    """Yield the people of a list: "Ana and my brother"."""
    found: list[Who] = []
    ways: list[tuple[int, tuple[Who, ...]]] = []
    while (one := next(_person(tokens, i), None)) is not None:
        i, person = one
        found.append(person)
        ways.append((i, tuple(found)))
        if i >= len(tokens) or tokens[i].low not in ("and", ",", "&", "+"):
            break
        i += 1
    yield from reversed(ways)


def _listed(kind: str, i: int, clause: Clause, before: tuple[str, ...] = ()) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the items of a list ("nuts, eggs and milk"): all of it, or nothing. Commas alone make none (", worse luck")."""
    tokens = clause.tokens
    for end, value in _item(kind, i, clause):
        joint = end
        while joint < len(tokens) and tokens[joint].low in ("and", ",", "&", "+", "/", "plus"):
            joint += 1
        joins = joint > end and any(t.low != "," for t in tokens[end:joint])
        if joint < len(tokens) and tokens[joint].low == "to" and kind in ("destination", "place") and joint > end:
            joint += 1
        if joint > end and next(_item(kind, joint, clause), None) is not None:
            whole = [rest for rest in _listed(kind, joint, clause, (*before, value)) if joins or len(rest[1]) > len(before) + 2]
            yield from whole or [(end, (*before, value))] if not before else whole
        elif not (end < len(tokens) and tokens[end].low in ("or", "nor")):
            yield end, (*before, value)


def _item(kind: str, i: int, clause: Clause) -> Iterator[tuple[int, str]]:
    tokens = clause.tokens
    if i >= len(tokens) or tokens[i].floats:
        return
    if kind == "thing":
        for end in _noun_ends(tokens, i):
            value = noun(tokens[i:end])
            run_on = end - i > 2 and any(t.low != singular(t.low) for t in tokens[i : end - 1])  # "olives adn anchovies"
            if value and not run_on and (relation(value) is None or value in PETS):
                yield end, value
    elif kind == "medicine":
        yield from _medicine(tokens, i)
    else:
        shift = clause.start
        found = place_at(clause.text, tokens[i].start - shift, capitals=clause.capitals)
        if found:
            end = next((n for n in range(i, len(tokens)) if tokens[n].start - shift >= found.end), len(tokens))
            if not (end < len(tokens) and tokens[end].low in ("'s", "'")) and not (
                end < len(tokens) and tokens[end].capital and not tokens[end].floats
            ):
                yield end, found.name
        elif kind == "destination" and tokens[i].capital and tokens[i].low not in RELATIONS:
            end = _name_end(tokens, i)
            if (
                end - i <= NAMES
                and not (end < len(tokens) and tokens[end].low in ("'s", "'"))
                and not tokens[i].low.endswith(".")
            ):
                yield end, spelled(tokens[i:end])


_DRUG = re.compile(
    r"(?:cillin|mycin|oxacin|cycline|azole|pril|sartan|olol|statin|dipine|prazole|tidine|mab|nib|pam|lam|zine|xetine|pramine|"
    r"formin|gliptin|profen|oxen|codone|morphine|caine|sone|solone|ide|vir|parin|dronate|triptan|setron|tadine|rizine|barbital|"
    r"thyroxine|traline|lopram|apine|idone|azine|phylline|terol|sulin|cetamol|minophen|dryl)$"
)
_REMEDIES = lexicon(
    "iron magnesium zinc calcium insulin melatonin antibiotics antihistamines antidepressants painkillers "
    "statins steroids probiotics creatine collagen turmeric ashwagandha folate"
)


def is_medicine(words: str) -> bool:
    """Return whether a name is one of a medicine: in the table of drugs, or by its ending."""
    low = words.lower()
    return (
        low in drugs.KNOWN or drugs.group(low) is not None or low in _REMEDIES or bool(_DRUG.search(low.split()[0]))
        or low.startswith(("vitamin ", "omega"))
    )  # fmt: skip


def _medicine(tokens: Sequence[Token], i: int) -> Iterator[tuple[int, str]]:
    if tokens[i].low in ("the", "my", "some"):
        i += 1
    measured = any(t.kind == "dose" and re.search(r"mg|mcg|µg|iu", t.value) for t in tokens)
    for end in range(min(i + 3, len(tokens)), i, -1):
        words = tokens[i:end]
        if any(t.kind != "word" or t.low in AUX | PREPOSITIONS | JOINS | LINKS | NOT | PRONOUNS | DETERMINERS for t in words):
            continue
        value = spelled(words)
        if is_medicine(value) or (measured and len(words) == 1 and len(value) > 3 and not is_verb(words[0].low)):
            yield end, value if words[0].text.isupper() or "vitamin" in value.lower() else value.lower()


def _noun_ends(tokens: Sequence[Token], i: int) -> Iterator[int]:
    """Yield where a thing that begins here can end, the longest first: no verb, no preposition but "of"."""
    end = i
    while end < len(tokens) and end - i < NOUNS + 1:
        token = tokens[end]
        if (
            token.kind not in ("word", "number")
            or token.floats
            or token.low in AUX - {"can"}
            or token.low in NOT | LINKS | JOINS
        ):
            break
        if (token.low in PREPOSITIONS and not (token.low == "of" and end > i)) or (token.low in PRONOUNS and end > i):
            break
        if token.low in DETERMINERS and end > i and tokens[end - 1].low != "of":
            break
        if end > i and (_filler(tokens, end) or (_finite(token) and tokens[end - 1].low not in DETERMINERS)):
            break
        end += 1
    if (
        end < len(tokens)
        and tokens[end].low in ("'s", "'")
        and end > i
        and end + 1 < len(tokens)
        and tokens[end + 1].kind == "word"
    ):
        rest = next(iter(_noun_ends(tokens, end + 1)), end)  # "women's shoes"
        end = rest if rest > end + 1 else end
    yield from range(end, i, -1)


def _finite(token: Token) -> bool:
    """Return whether a word is a verb that makes a clause: "gives", "went"."""
    low = token.low
    return not token.capital and is_verb(low) and (is_past(low) or (low.endswith("s") and not low.endswith("ss")))


def noun(tokens: Sequence[Token]) -> str:
    """Return the text of a thing without its article; "" for what names none."""
    words = list(tokens)
    if _of_others(tokens):
        return ""
    while words and words[0].low in DETERMINERS | {"one"}:
        words.pop(0)
    if (
        not words
        or words[-1].low in PREPOSITIONS | DETERMINERS | PRONOUNS | {"best", "most", "better", "more"}
        or words[0].kind == "number"
        or words[-1].low in ("'s", "'")
    ):
        return ""
    if (
        words[0].low in PRONOUNS | {"more", "enough", "less", "such"}
        or (words[0].low in VERBS - {"drive", "walk", "book", "paint", "play", "work"} and len(words) == len(tokens))
        or len(words[-1].text) < 2
        or (len(tokens) == 1 and is_past(words[0].low))
    ):
        return ""
    if (words[0].low in CALENDAR and len(words) == 1) or any(len(w.text) == 1 and w.text.islower() for w in words):
        return ""
    return _lowered(words)


def _of_others(tokens: Sequence[Token]) -> bool:
    """Return whether a thing is somebody else's ("her exam", "Ben's rent"), or goes to them ("my mum flowers")."""
    if tokens and tokens[0].low in ("his", "her", "their", "your"):
        return True
    if len(tokens) > 1 and tokens[0].low in RELATIONS and tokens[1].low == "'s":
        return True
    people = ((end, person) for end, person in _person(tokens, 0) if end < len(tokens))
    return any(tokens[end].low in ("'s", "'") or person.relation for end, person in people)


def phrase(tokens: Sequence[Token]) -> str:
    """Return the text of free words without their article; "" for what names nothing."""
    words = [*tokens]
    while words and (words[0].low in DETERMINERS or words[0].kind == "mark"):
        words.pop(0)
    while words and words[-1].kind == "mark":
        words.pop()
    if not words or words[-1].low in PREPOSITIONS | DETERMINERS | JOINS or words[0].low in PREPOSITIONS | PRONOUNS | JOINS:
        return ""
    return _lowered(words)


def _lowered(words: Sequence[Token]) -> str:
    """Return the text of words without the capital that only their place gives them."""
    first = words[0]
    placed = first.opens and first.text[1:].islower() and not any(t.capital for t in words[1:2]) and not place_at(first.text, 0)
    return first.low + spelled(words)[len(first.text) :] if placed and first.low not in CALENDAR else spelled(words)


def spelled(tokens: Sequence[Token]) -> str:
    """Return the text of tokens as it was written, but for runs of spaces."""
    text = ""
    for before, token in zip((None, *tokens), tokens, strict=False):
        text += (" " if before and token.start > before.end else "") + token.text
    return text.strip(" ,")


def _closes(tokens: Sequence[Token], i: int) -> bool:
    low = tokens[i].low
    return (
        low in (",", "+", "=")
        or low in LINKS - {"that", "what"}
        or (low in ("and", "or") and i + 1 < len(tokens) and tokens[i + 1].floats)
    )


# --- what stands behind a match ---


def ends(match: Match, tokens: Sequence[Token]) -> bool:
    """Return whether a phrase ends where a match does."""
    at = skipped(match, tokens).end
    return (
        at >= len(tokens) or "mark" in (tokens[at].kind, tokens[at - 1].kind) or tokens[at].low in PREPOSITIONS | JOINS | LINKS
    )


def tail(kind: str, i: int, clause: Clause) -> Iterator[tuple[int, Any]]:
    """Yield what a preposition brings: with whom, where, what for."""
    tokens = clause.tokens
    if kind == "with":
        yield from ((end, tuple(str(p) for p in people)) for end, people in _persons(tokens, i))
        return
    for end in _noun_ends(tokens, i):
        if (value := noun(tokens[i:end])) and not (
            kind == "for" and any(t.capital for t in tokens[i:end])
        ):  # "for Passover" is a day
            yield end, value
            return


def leftovers(tokens: Iterable[Token]) -> list[str]:
    """Return the words that nothing accounts for; a part of a clause that tells nothing (", so lovely") is none."""
    left: list[str] = []
    part: list[Token] = []
    for token in (*tokens, Token(",", 0, 0, "mark", low=",")):
        if token.kind != "mark":
            part.append(token)
            continue
        left += [] if chatter(part) else [t.text for t in part if not (is_filler(t.low) or t.low in ("and", "the", "'"))]
        part = []
    return left


_LINKING = lexicon("to of for with so it at in on not about")


def chatter(tokens: Sequence[Token], *, others: bool = False) -> bool:
    """Return whether a clause tells nothing: feelings, manners and function words, no name, number or day.

    "So am I" and "me too" tell that it is so of another, too; where `others` are spoken of, so may "and I love it".
    """
    lows = {t.low for t in tokens}
    tells = (others or not lows & FEELINGS) and bool(lows & {"i", "me", "we", "he", "she", "they", "him", "her"})
    return not tells and all(
        t.kind == "mark"
        or (t.kind == "word" and (t.low in FEELINGS | PRONOUNS | AUX | DETERMINERS | JOINS | _LINKING or is_filler(t.low)))
        for t in tokens
    )
