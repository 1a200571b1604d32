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
from uac_nb.reading.evidence import COMMON, WORD, normal
from uac_nb.starter import PROTECTED, TYPES

UNHELD = ("id", "source", "quote")  # fields that say nothing more of a record: `quote` is checked word for word
STARTERS = {name: kind.name for name, kind in TYPES.items() if kind.name in PROTECTED} | {name: name for name in PROTECTED}

QUOTES = re.compile(r"[\"“„«][^\"”“»]*[\"”“»]|(?<!\w)['‘][^'’]{8,}['’](?!\w)|^\s*>.*$", re.MULTILINE)  # words of others
SENTENCE = re.compile(r"(?<=[.!?;\n])\s+|\s+(?=(?:but|however|though|although)\b)")
ABBREVIATED = re.compile(r"\b(dr|mr|mrs|ms|prof|st)\.", re.IGNORECASE)
SAYS = r"\b(?:sa(?:id|ys)|wr(?:ote|ites)|mail|e-?mail|letter|message|from|fwd|note|subject|system|tool|result|according)\b"
TOLD = re.compile(rf"({SAYS}[^:]*):\s+(?!.*\b(?:i|i'm|i've|my|me|we|our|us)\b).*$")  # what others say
NAMES_NOTHING = lexicon("mild severe reaction sensitivity sting daily twice once mg ml mcg dose and the for with")
BESIDE = r"allerg\w*|intoleran\w*|reacti\w*|tak(?:e|es|en|ing)|took|need\w*|us(?:e|es|ed|ing)|dos(?:e|es|age)|prescri\w*"
THING = r"(?:it|that|this|those|these|them|one)\b"
END = r"""(?:
      stop\w* | quit\w* | ended | ends? | ending | off | gone | over | finish\w* | done
    | last\ (?:\w+\ )?(?:day|dose|one|of|pill|tablet|pack|box)\w*
    | any\ ?(?:more|longer) | no\ (?:longer|more) | out\ ?gr\w+ | clear(?:ed|s)? | cured | recover\w* | heal\w*
    | dropped | drops
    | discontinu\w* | wean\w* | ceas\w* | complet\w+ | replac\w* | switch\w* | swap\w* | instead | chang\w* | wrong\w*
    | mistak\w* | misdiagnos\w* | false | negative | disappear\w* | vanish\w* | remission | former\w* | cancel\w* | away
    | (?:ruled|ran|run|phased|grown)\ out | skipp\w+ | taper\w* | halt\w* | paus\w* | suspend\w* | ditch\w* | withdr\w+
    | scrapp\w+ | expired? | lapsed? | no\ such | error | myth | nonsense | lost | zero
    | out | free | final\w* | against | without | lift\w+ | disprov\w* | overturn\w* | remov\w* | delet\w* | kicked | lower\w*
    | reduc\w* | down | tossed | threw | thrown | goodbye | bye | subsid\w* | faded? | abandon\w* | conclud\w* | substitut\w*
    | in\ place\ of | rather\ than | nothing | survived | terminat\w* | refus\w* | no\ (?:problem|issue|trouble|need)\w*
    | resolved | rid\ of | history | (?:gave|given|giving|used)\ up | until | till | for\ \w+\ (?:days?|weeks?|months?)
)\b"""
GOOD = r"(?:fine|ok|okay|safe|harmless|clean|tolerat\w*|(?:can|may)\ (?:now\ )?(?:eat|have|take|be)|allowed)\b"
NO = r"(?:\bno|\bnot|\bnever|\bneither|\bnor|(?<!ca)(?<!must)(?<!should)n't)"  # "can't have" is what an allergy is
ENDS = re.compile(rf"(?<!n't\ )(?<!not\ )(?<!never\ )\b{END}", re.VERBOSE)
IS_GOOD = re.compile(rf"(?<!n't\ )(?<!not\ )(?<!never\ )\b{GOOD}", re.VERBOSE)
LASTS = re.compile(r"\b(?:still|continu\w*|remains?|reminder|remember|keep (?:on )?tak\w+)\b")
POINTS = re.compile(
    rf"(?:\b(?:stop|quit|finish|drop|discontinu|ceas|tak|need|us)\w*|\b(?:off|took|with|of))\s+(?:\w+\s+)?{THING}"
)
POINTS_BACK = re.compile(rf"\b(?:{THING}|they\b)(?:'\w+)?\s+(?:\S+\s+){{0,3}}{END}", re.VERBOSE)


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
        if self.after is None or speaks_of_an_end(self.said):
            return True
        kinds = type_of(self.record).by_name
        return any(
            new in (None, "", ()) or name == "until" or (_chosen(kinds[name].type) and new != kinds[name].default is not None)
            for name, (old, new) in self._changed.items()
            if name in kinds and old != new
        )

    @cached_property
    def dropped(self) -> list[str]:
        """The items that a list of it lost."""
        pairs = (pair for pair in self._changed.values() if all(isinstance(part, tuple) for part in pair))
        return [str(item) for old, new in pairs for item in old if item not in new]

    @cached_property
    def new(self) -> set[str]:
        """The words that it has now and had not; a choice is one."""
        kinds = type_of(self.after).by_name if self.after else {}
        told = {name: new for name, (_, new) in self._changed.items()}
        if self.said:
            return _telling(self.said)
        free = {name for name in told if _chosen(kinds[name].type) and (self.ended or told[name] == kinds[name].default)}
        texts = " ".join(text for name in told.keys() - free for text in _texts(told[name]))
        return _telling(texts) - _telling(" ".join(_texts(tuple(values_of(self.record).values()))))

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
        said = sentences(entry)
        earlier = _before(entry, talk)
        for number, sentence in enumerate(said):
            if _asks(sentence):
                continue
            mine = Mention(one, sentence, ours)
            around = " ".join((*said[:number], *said[number + 1 :]))
            alone = not any(names_it(other, one.collection, f"{around} {earlier}", ()) for other in others)
            sole = not any(other.who == one.record.who for other in others if hasattr(other, "who"))
            named = mine.named or (mine.kind and (sole or mine.alone_among(others)))
            named = named or (alone and mine.points and names_it(one.record, one.collection, earlier, ours))
            if not named and alone and names_it(one.record, one.collection, around, ours):
                named = mine.kind or mine.points or bool(POINTS_BACK.search(sentence))
            if named and mine.carries:
                told = _telling(f"{around} {sentence} {earlier}")
                new = [any(_same(word, other) for other in told) for word in one.new]
                if all(new) or (one.said and 2 * sum(new) >= len(new)):  # a note may say it in other words
                    return True
    return False


@dataclass(frozen=True)
class Mention:
    """One sentence of the person, in view of a record."""

    one: Touched
    sentence: str
    ours: Iterable[str]

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

    @property
    def points(self) -> bool:
        return bool(POINTS.search(self.sentence))

    @property
    def carries(self) -> bool:
        """Whether it says that something ends, as far as that is what becomes of the record."""
        dropped = all(_names(_telling(item), self.sentence) for item in self.one.dropped)
        return dropped and (not (self.one.ended or self.one.dropped) or speaks_of_an_end(self.sentence, self.one.record))


def speaks_of_an_end(sentence: str, record: Any = None) -> bool:
    """Whether a sentence says that something is over, was never so, or is good to have."""
    subject = "|".join(re.escape(word) for word in _telling(" ".join(_subjects(record) if record else "")))
    denied = rf"{NO}\s+(?:(?!eat|give|giv|tolerat)\S+\s+){{0,3}}?(?:{BESIDE}|(?:{subject or BESIDE})\w*)"
    denies = re.search(denied, sentence) or re.search(r"\b(?:is|are|was) not?\b\W*$", sentence)
    return bool(denies or ENDS.search(sentence) or IS_GOOD.search(sentence)) and not LASTS.search(sentence)


def sentences(entry: Entry) -> list[str]:
    """What the person says in an entry, sentence by sentence, less the words of others."""
    text = ABBREVIATED.sub(r"\1", QUOTES.sub(" ", plain(entry.text)))
    return [TOLD.sub(r"\1", part).strip() for part in SENTENCE.split(text) if part.strip()]


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
    words = PROTECTED.get(type_of(record).name, ())
    return any(_same(word, kind) for word in _telling(text) for kind in words)


def _subjects(record: Any) -> list[str]:
    values = values_of(record)
    texts = [text for name in ("avoids", "avoid", "substance", "title", "name", "aka") for text in _texts(values.get(name))]
    return [re.split(r"\s(?:of|for)\s", part, maxsplit=1)[0] for text in texts for part in re.split(r"[+,/]", text)]


def _tells(word: str, record: Any) -> bool:
    kinds = [kind for words in PROTECTED.values() for kind in words]
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
    return sentence.endswith("?")


def _open(record: Any) -> bool:
    status = type_of(record).by_name.get("status")
    return getattr(record, "until", None) is None and (status is None or record.status == status.default)


def _before(entry: Entry, talk: Sequence[Entry]) -> str:
    """What the person said right before an entry, in the same talk on the same day."""
    earlier = [other for other in talk if other.id < entry.id][-1:]
    return " ".join(plain(e.text) for e in earlier if (e.session, e.day) == (entry.session, entry.day))
