"""From what a format found to drafts for the log: who said it, when, and what tells it from all others.

A repeated import has to add nothing, so each message needs something that stays the same from one export to the next.
Where an export has ids, these; else, for a dated message, its time, session, speaker, words, and its place among those in
which all of these are equal (not in the file: a later export may begin elsewhere). An undated one is known by the file's
name and all that was said in it so far.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from hashlib import sha256

from uac_nb.importers.protocol import Message, Options, Reading
from uac_nb.importers.report import Report, shown
from uac_nb.importers.source import Source
from uac_nb.log import Draft
from uac_nb.log.entries import whose
from uac_nb.log.rows import LONGEST

_REMEMBERED = 100_000  # messages back to which an equal one is looked for
_NAMED = 8  # speakers listed in a message
NOBODY = "-"  # said in place of a name: none of the speakers is the user
HOW = "(--me NAME; in Python me=…)"


def drafts(messages: Iterable[Message], reading: Reading, *, partial: bool = False) -> Iterator[Draft]:
    """Yield a draft for each message with words, and fill the report.

    LogError, at the end, where nobody is called `me`: a wrong name would put the user's words into another mouth for good.
    A `partial` source holds a day of a talk, on which the user may have been silent; there it is noted.
    """
    source, options, report = reading.source, reading.options, reading.report
    marks = Marks(source.name)
    people: Counter[str] = Counter()
    me, called = options.me.strip().casefold(), options.called.strip().casefold()
    found_me = not me
    account = ""  # of the user: several may go by one name
    with source:
        for message in messages:
            if not message.text.strip() and not message.caption.strip():
                report.counts["messages without words"] += 1
                continue
            if len(message.text) > LONGEST:
                size = f"{len(message.text):,} characters in one message are too many ({LONGEST:,})"
                raise source.error(message.place, f"{size}; split it")
            role = message.role or _role(message, me, called)
            if role == "user" and message.who:
                account = account or message.who
                if message.who.casefold() not in (account.casefold(), me):
                    role = "person"
                    report.note(_namesake(message, account))
            found_me = found_me or role == "user"
            if role == "person":
                people[message.speaker or message.who] += 1
            draft = _draft(message, role, marks, source, options)
            report.add(draft)
            yield draft
    if not found_me and report.messages:
        lacking = f"nobody is called {shown(options.me)!r}; "
        if not partial:
            raise source.error("", f"{lacking}say who of these is {HOW}: {_names(people)}")
        report.note(f"{lacking}those who speak are {_names(people)}")
    _conclude(report, people, options)


def _role(message: Message, me: str, called: str) -> str:
    return whose({message.speaker, message.who}, me, called)


def _namesake(message: Message, account: str) -> str:
    told = f"{shown(message.who)} is called {shown(message.speaker)} too, and taken for somebody else than the user"
    return f"{told}, who is {shown(account)}; if that is wrong, say the id of the user {HOW}"


def _draft(message: Message, role: str, marks: Marks, source: Source, options: Options) -> Draft:
    session = message.session or source.title
    speaker = message.speaker or message.who or (options.me.strip() if role == "user" else "")
    id, position = marks.of(message, session, speaker)
    origin = ({"file": source.name} if source.path else {}) | ({"message": id} if id else {})
    naive = message.at is not None and getattr(message.at, "tzinfo", None) is None
    return Draft(
        text=message.text, role=role, said_at=message.at, zone=options.zone if naive else "", session=session, speaker=speaker,
        caption=message.caption, origin=origin, data=dict(message.data), position=position,
    )  # fmt: skip


class Marks:
    """Give each message what it is recognised by: an id, or its place among equal ones."""

    def __init__(self, name: str) -> None:
        self._said = sha256(name.encode("utf-8", "surrogatepass"))
        self._equal: OrderedDict[int, int] = OrderedDict()

    def of(self, message: Message, session: str, speaker: str) -> tuple[str, int]:
        """Return the id ("" where a time does) and the position."""
        if message.id:
            return message.id, 0
        if message.at is None:
            said = "\0".join((session, speaker, message.role, message.text, message.caption, ""))
            self._said.update(said.encode("utf-8", "surrogatepass"))
            return self._said.hexdigest()[:16], 0
        return "", self._place(hash((message.at, session, speaker, message.text)))

    def _place(self, key: int) -> int:
        place = self._equal.pop(key, -1) + 1
        self._equal[key] = place
        if len(self._equal) > _REMEMBERED:
            self._equal.popitem(last=False)
        return place


def _conclude(report: Report, people: Counter[str], options: Options) -> None:
    if report.roles["person"] and not report.roles["user"] and not options.me:
        report.note(f"nobody is taken for the user; say who of these is {HOW}: {_names(people)}")
    if report.roles["person"] and report.roles["user"] and options.called and not options.me:
        report.note(f"who is called {shown(options.called)} is taken for the user; if that is wrong, say who is {HOW}")
    if report.backwards:
        report.note(f"time runs backwards at {report.backwards:,} places; the order is that of the file")
    if not report.messages:
        report.note("there are no messages in it")


def _names(people: Counter[str]) -> str:
    names = [shown(name) for name, count in people.most_common(_NAMED) if name and count]
    more = len(people) - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "") if names else "(no speaker has a name)"
