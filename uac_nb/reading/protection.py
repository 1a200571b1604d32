"""What protects a person (`PROTECTED`): whether a change touches it, and whether the person's own words speak of that.

A text can steer a model, so nothing here looks at what the model says of its change. The change is carried out on a project
in memory, and what became of each protected record is held against what the person said: a sentence has to name the record,
and one that is to end it has to speak of an end. What is not understood, another language too, is asked about.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from uac_nb.changes import Change, Workspace
from uac_nb.changes.vocabulary import Extend, NewField, Rename, Reshape
from uac_nb.changes.workspace import NOTES
from uac_nb.domainfile.annotations import Choice, Maybe, Type
from uac_nb.domainfile.records import RecordType, type_of, values_of
from uac_nb.english.text import lexicon
from uac_nb.log import Entry
from uac_nb.reading.endings import EXPERT, QUESTION, STATE, THING, View, in_earnest, may_end, spelled_out
from uac_nb.reading.evidence import COMMON, DIGITS, WORD, Evidence, normal
from uac_nb.rules import When
from uac_nb.starter import PROTECTED, TYPES, Protection

AVOIDED = ("avoids", "avoid")  # the field of an allergy that names the things
ENDING = ("until", "who")  # it holds no longer, or not for whom it held
UNHELD = ("id", "source", "quote")  # fields that say nothing more of a record: `quote` is checked word for word
STARTERS = {name: kind.name for name, kind in TYPES.items() if kind.name in PROTECTED} | {name: name for name in PROTECTED}

QUOTES = re.compile(r"[\"“„«][^\"”“»]*[\"”“»]|(?<!\w)['‘][^'’]{8,}['’](?!\w)|^\s*>.*$", re.MULTILINE)  # words of others
SENTENCE = re.compile(r"(?<=[.!?;\n])\s+|\s+(?=(?:but|however|though|although)\b)")
ABBREVIATED = re.compile(r"\b(dr|mr|mrs|ms|prof|st)\.", re.IGNORECASE)
SAYS = r"\b(?:sa(?:id|ys)|wr(?:ote|ites)|mail|e-?mail|letter|message|from|fwd|note|subject|system|tool|result|according)\b"
TOLD = re.compile(  # what others say
    rf"({SAYS}[^:]*):\s+(?!.*\b(?:i|i'm|i've|my|me|we|our|us)\b).*$"
    rf"|\b((?!(?:i|we)\b)(?!{EXPERT}\b)\w+ (?:told|said|says|wrote|writes|texted|tells|goes)(?: (?:to )?(?:me|us))?):\s.*$"
)
NAMES_NOTHING = lexicon(
    "mild severe reaction sensitivity sting daily weekly twice once mg ml mcg dose and the for with tablets spray gummies "
    "syrup cream ointment patch gel solution nasal eye"
)
BESIDE = r"allerg\w*|intoleran\w*|reacti\w*|tak(?:e|es|en|ing)|took|need\w*|us(?:e|es|ed|ing)|dos(?:e|es|age)|prescri\w*"
BEFORE_IT = r"off|on|without|stop\w*|quit|tak\w+|need|us\w+|ended|discontinued|chucked|binned|ditched"
POINTERS = lexicon("it that this those these them")
MORE_OF_IT = lexicon("thing business label diagnosis issue matter test challenge")  # beside its name, they are what is had


def guarded(changes: Iterable[Change] = ()) -> frozenset[str]:
    """The names of protected types and collections: ours, and what a person made of these, by the changes of a log."""
    names = {*STARTERS}
    for change in changes:
        if isinstance(change, Rename) and change.old in names:
            names.add(change.new)
        elif isinstance(change, Reshape) and change.collection in names:
            names.add(change.to)
    return frozenset(names)


def plain(text: str) -> str:
    """A text as it is compared."""
    return normal(text).replace("’", "'").casefold()


# --- what a change touches ---


@dataclass(frozen=True)
class Touched:
    """A protected record, and what a change leaves of it: None where it is gone. `said` is what a note says of it."""

    collection: str
    record: Any
    after: Any | None
    said: str = ""

    @cached_property
    def ended(self) -> bool:
        """Whether it protects less: it is gone, closed, out of its default, or without a value that it had."""
        if self.after is None or may_end(self.said):
            return True
        kinds = type_of(self.record).by_name
        return any(
            new in (None, "", ()) or name in ENDING or (_chosen(kinds[name].type) and new != kinds[name].default is not None)
            for name, (old, new) in self._changed.items()
            if name in kinds and old != new
        )

    @cached_property
    def dropped(self) -> list[str]:
        """The items that a list of it lost."""
        pairs = (pair for pair in self._changed.values() if all(isinstance(part, tuple) for part in pair))
        return [str(item) for old, new in pairs for item in old if item not in new]

    def told(self, text: str, entry: Entry) -> bool:
        """Whether the words, numbers and dates that it has now and had not stand in what was said; a choice is one word."""
        said = _telling(text)
        if self.said:
            words = _telling(self.said)  # a note may say it in other words
            return 2 * sum(any(_same(word, other) for other in said) for word in words) >= len(words)
        kinds = type_of(self.after).by_name if self.after else {}
        had = " ".join(_texts(tuple(values_of(self.record).values())))
        new = {name: new for name, (_, new) in self._changed.items()}
        free = {name for name in new if _chosen(kinds[name].type) and (self.ended or new[name] == kinds[name].default)}
        now = " ".join(text for name in new.keys() - free for text in _texts(new[name]))
        evidence = Evidence([entry], text)
        days = [value for value in new.values() if isinstance(value, When)]
        numbers = set(DIGITS.findall(now)) - set(DIGITS.findall(had))
        return (
            all(any(_same(word, other) for other in said) for word in _telling(now) - _telling(had))
            and all(float(number.replace(",", "")) in evidence.numbers for number in numbers)
            and all(evidence.proves(day) for day in days)
        )

    @cached_property
    def _changed(self) -> dict[str, tuple[Any, Any]]:
        old, new = values_of(self.record), values_of(self.after) if self.after else {}
        names = [name for name in new if name not in UNHELD and old.get(name) != new[name]]
        return {name: (old.get(name), new[name]) for name in names if name in old or new[name] not in (None, (), "")}

    def __bool__(self) -> bool:
        return self.after is None or bool(self.said or self._changed)


def touched(change: Change, before: Workspace, after: Workspace, names: frozenset[str]) -> list[Touched]:
    """The protected records that a change touches; the fields of their type are those of each."""
    held = {name: before.records(name) for name, c in before.collections.items() if protects(name, c.type, names)}
    whole = isinstance(change, Extend) and change.collection in held and not all(map(_neutral, change.fields))
    whole = whole or (isinstance(change, Extend) and change.collection in held and bool(change.choices))
    found = []
    for name, records in held.items():
        now = {record.id: record for record in after.records(name)}
        gone = whole and name == getattr(change, "collection", "")
        found += [Touched(name, record, None if gone else now.get(record.id)) for record in records]
    found += _noted(before, after, held)
    return [one for one in found if one]


def protects(collection: str, kind: RecordType, names: frozenset[str]) -> bool:
    """Whether a collection is a protected one, by its name or its type's. A mark in the text only adds to these."""
    return not names.isdisjoint((collection, kind.name, kind.starter or ""))


def _neutral(field: NewField) -> bool:
    """Whether a new field says nothing of the records that are there."""
    try:
        return ast.literal_eval(field.default) in (None, "", (), {})
    except (ValueError, SyntaxError):
        return False


def _noted(before: Workspace, after: Workspace, held: dict[str, tuple[Any, ...]]) -> Iterator[Touched]:
    """The protected records that notes which came, went or changed speak of."""
    if before.domains.get(NOTES) is after.domains.get(NOTES):
        return
    old, new = ({note.id: note for note in one.records(NOTES)} for one in (before, after))
    for id in old.keys() | new.keys():
        if old.get(id) == new.get(id) or (id in old and id in new and old[id].text == new[id].text):
            continue
        for note in filter(None, (old.get(id), new.get(id))):
            for name, records in held.items():
                for record in records:
                    if note.about == record.id or names_it(record, name, plain(note.text)):
                        yield Touched(name, record, record, plain(note.text))


def unheard(fact: str, said: str, workspace: Workspace, names: frozenset[str]) -> str:
    """The id of a protected record that a fact names, and what was said does not, nor any such thing; "" for none."""
    fact, said = plain(fact), plain(said)
    for name, collection in workspace.collections.items():
        if protects(name, collection.type, names):
            for record in workspace.records(name):
                if names_it(record, name, fact) and not (names_it(record, name, said) or _speaks_of_such(record, said)):
                    return str(record.id)
    return ""


# --- what the person says of it ---


def speaks_of(one: Touched, cited: Sequence[Entry], talk: Sequence[Entry], before: Workspace, ours: Iterable[str]) -> bool:
    """Whether the person's words in the cited entries carry what becomes of a protected record.

    `talk` is what the person said of late, in order, in which a "that" may point at what the message before it names; `ours`
    are the other names of who the record is about.
    """
    others = [r for r in before.records(one.collection) if r.id != one.record.id and _open(r)]
    for entry in cited:
        if one.ended and not in_earnest(plain(entry.text)):
            continue
        said = sentences(entry)
        earlier = _before(entry, talk)
        for number, sentence in enumerate(said):
            if _asks(sentence):
                continue
            mine = Mention(one, sentence, tuple(ours))
            rest = " ".join((*said[:number], *said[number + 1 :]))
            alone = not any(names_it(other, one.collection, f"{rest} {earlier}", ()) for other in others)
            sole = not any(other.who == one.record.who for other in others if hasattr(other, "who"))
            so_called = mine.kind and (sole or mine.alone_among(others))
            pointed = alone and any(mine.pointed_at(text) for text in (" ".join(said[:number]), earlier))
            if not pointed and alone and mine.kind:
                pointed = names_it(one.record, one.collection, rest, ours)
            if (
                (mine.named or so_called or pointed)
                and mine.carries(pointed)
                and one.told(f"{rest} {sentence} {earlier}", entry)
            ):
                return True
    return False


@dataclass(frozen=True)
class Mention:
    """One sentence of the person, in view of a record."""

    one: Touched
    sentence: str
    ours: tuple[str, ...]

    @property
    def named(self) -> bool:
        return names_it(self.one.record, self.one.collection, self.sentence, self.ours)

    @property
    def kind(self) -> bool:
        """Whether it speaks of such a thing: "my allergy", "the tablets"."""
        return _speaks_of_such(self.one.record, self.sentence)

    def alone_among(self, others: Iterable[Any]) -> bool:
        """Whether the word for such a thing stands in this record alone: "the inhaler"."""
        said = {word for word in _telling(self.sentence) if word in _telling(" ".join(_subjects(self.one.record)))}
        return bool(said - {word for other in others for text in _subjects(other) for word in _telling(text)})

    def pointed_at(self, earlier: str) -> bool:
        """Whether a "that" in it is the record, which stands before it: an allergy called so, not only what it is to."""
        named = names_it(self.one.record, self.one.collection, earlier, self.ours)
        plainly = protection_of(self.one.record).taken or _speaks_of_such(self.one.record, earlier)
        return named and plainly and not POINTERS.isdisjoint(WORD.findall(spelled_out(self.sentence)))

    def carries(self, pointed: bool) -> bool:
        """Whether it says that something ends, as far as that is what becomes of the record."""
        dropped = all(_names(_telling(item), self.sentence) for item in self.one.dropped)
        return dropped and (not (self.one.ended or self.one.dropped) or self._ends(pointed))

    def _ends(self, pointed: bool) -> bool:
        owner = frozenset(word for name in self.ours for word in WORD.findall(plain(name)))
        own = frozenset() if getattr(self.one.record, "who", "me") == "me" else owner
        return View(protection_of(self.one.record), own).ends(self._marked(pointed))

    def _marked(self, pointed: bool) -> str:
        """The sentence, spelled out, with marks where it speaks of the record."""
        record, kind = self.one.record, protection_of(self.one.record)
        avoided = () if kind.taken else tuple(_texts([getattr(record, name, ()) for name in AVOIDED]))
        mine = {word for name in self.ours for word in _telling(name)}
        names = {word for text in _subjects(record) for word in _telling(text) if _tells(word, record)} - mine
        things = {word for text in avoided for word in _telling(text)}
        if not kind.taken:  # "nut allergy": the nuts are no allergy
            things |= names if any(_speaks_of_such(record, text) for text in _texts(getattr(record, "title", ""))) else set()
        marked = []
        for word in re.findall(r"[\w]+|'\w+|[^\w\s]", spelled_out(self.sentence)):
            if any(_same(word, called) for called in kind.called) or (pointed and word in POINTERS):
                marked.append(STATE)
            elif len(word) > 2 and _names(names, word):
                marked.append(THING if _names(things, word) else STATE)
            else:
                marked.append(word)
        named = not {STATE, THING}.isdisjoint(marked)  # then "tablets" beside it are it too
        whole = {word for subject in _subjects(record) for word in _telling(subject)} - mine - things
        text = " ".join(STATE if named and word in whole else word for word in marked)
        text = re.sub(rf"{THING}(?: -)? free\b", "", text) if things else text
        text = re.sub(rf"{THING}(?= (?:{'|'.join(MORE_OF_IT)})\b)", STATE, text)
        if kind.taken and STATE in text:  # "took it for a month, not on it now"
            text = re.sub(rf"(?<={STATE} )(.*\b(?:{BEFORE_IT})) it\b", rf"\1 {STATE}", text)
        text = re.sub(rf"\( ({STATE}|{THING}) \)", r"\1", text)
        return re.sub(rf"(?:[{STATE}{THING}] )*{STATE}(?: [{STATE}{THING}])*", STATE, text)


def sentences(entry: Entry) -> list[str]:
    """What the person says in an entry, sentence by sentence, less the words of others."""
    text = ABBREVIATED.sub(r"\1", QUOTES.sub(" ", plain(entry.text)))
    return [TOLD.sub(r"\1\2", part).strip() for part in SENTENCE.split(text) if part.strip()]


def names_it(record: Any, collection: str, sentence: str, ours: Iterable[str] = ()) -> bool:
    """Whether a sentence names what a record is about: the head of one of its names; or any word of these beside "allergic"."""
    mine = {word for name in ours for word in _telling(name)}
    names = [[word for word in WORD.findall(plain(name)) if word not in mine] for name in _subjects(record)]
    telling = [[word for word in words if _tells(word, record)] for words in names]
    heads = {words[-1] for words in telling if words}
    if any(_names({head}, sentence) for head in heads):
        return True
    return bool(re.search(rf"\b(?:{BESIDE})\b", sentence)) and any(
        _names({word}, sentence) for words in telling for word in words
    )


def _speaks_of_such(record: Any, text: str) -> bool:
    return any(_same(word, kind) for word in _telling(text) for kind in protection_of(record).called)


def protection_of(record: Any) -> Protection:
    """What a record is to the person; one of a renamed type is that of the starter's."""
    kind = type_of(record)
    return PROTECTED.get(kind.starter or kind.name) or PROTECTED.get(kind.name) or Protection()


def _subjects(record: Any) -> list[str]:
    values = values_of(record)
    texts = [text for name in (*AVOIDED, "substance", "title", "name", "aka") for text in _texts(values.get(name))]
    return [re.split(r"\s(?:of|for)\s", part, maxsplit=1)[0] for text in texts for part in re.split(r"[+,/]", text)]


def _tells(word: str, record: Any) -> bool:
    kinds = [called for kind in PROTECTED.values() for called in kind.called]
    return len(word) > 2 and word not in NAMES_NOTHING and word not in COMMON and not any(_same(word, kind) for kind in kinds)


def _names(words: set[str], sentence: str) -> bool:
    return any(_same(word, said) or (len(said) > 5 and word.endswith(said)) for word in words for said in _telling(sentence))


def _same(one: str, other: str) -> bool:
    """Whether two words are one, in another form or with a slip: "allergic" and "allergy", not "latex" and "later"."""
    one, other = one.removesuffix("'s"), other.removesuffix("'s")
    if one == other or one.rstrip("s") == other.rstrip("s") or one.removesuffix("es") == other.removesuffix("es"):
        return True
    alike = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return alike >= max(5, max(len(one), len(other)) - 3)


def _telling(text: str) -> set[str]:
    return {word for word in WORD.findall(plain(text)) if len(word) > 2 and word not in COMMON}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _texts(item)


def _chosen(kind: Type) -> bool:
    return isinstance(kind, Choice) or (isinstance(kind, Maybe) and _chosen(kind.of))


def _asks(sentence: str) -> bool:
    return sentence.endswith("?") or QUESTION.search(sentence) is not None


def _open(record: Any) -> bool:
    status = type_of(record).by_name.get("status")
    return getattr(record, "until", None) is None and (status is None or record.status == status.default)


def _before(entry: Entry, talk: Sequence[Entry]) -> str:
    """What the person said right before an entry, in the same talk on the same day."""
    earlier = [other for other in talk if other.id < entry.id][-1:]
    return " ".join(plain(e.text) for e in earlier if (e.session, e.day) == (entry.session, entry.day))
