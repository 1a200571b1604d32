"""Clauses: the pieces of a text that each say one thing, with who it is about, when, and whether it is said at all.

A question, a wish, a plan under consideration and a condition say nothing; that is decided clause by clause, so that
"I'm allergic to nuts, can you cook without?" still tells of the allergy. Inside a clause dates, hours and amounts
are masked (see `tokens`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal, TypeVar

from uac_nb.reader import dates, moods
from uac_nb.reader.dates import Dated
from uac_nb.reader.daywords import MONTHS, WEEKDAYS, Tense
from uac_nb.reader.language import DATE, HOUR, MONEY, called, compiled, lexicon
from uac_nb.reader.tokens import Amount, Clock, amounts, hours, masked
from uac_nb.rules import When

LONGEST = 1000  # letters in a clause: nobody speaks so, and patterns would take long over it
Mood = Literal["said", "asked", "supposed"]


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `text` and `masked` have the same length; `start` is its place in the entry."""

    text: str
    masked: str
    start: int
    mood: Mood
    tense: Tense
    subject: str  # "me", "sister", "Priya", "you", "someone" (nobody named), or "" where only a thing is named
    head: int  # where its subject ends
    body: int  # where its main verb begins
    relation: str = ""  # what the subject is to the speaker, where the name was said too ("my sister Anna")
    inherited: bool = False  # the subject is that of the clause before
    aside: bool = False  # a relative clause, of whom the clause before named last, and not of its subject
    capitals: bool = True  # names are written with capitals in this text
    dates: tuple[Dated, ...] = ()
    hours: tuple[Clock, ...] = ()
    amounts: tuple[Amount, ...] = ()
    sentence: int = 0  # where the sentence begins that it is part of
    whole: str = field(default="", repr=False)  # that sentence
    ahead: str = field(default="", repr=False)  # what stands before that sentence, as far as it is near

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.start + len(self.text)

    @property
    def about(self) -> str:
        """The person that it is about; "" where it is about nobody that we know."""
        return "" if self.subject in ("you", "someone") else self.subject

    @property
    def corrects(self) -> bool:
        """Whether it puts right what was said before ("Actually, …", "… on Friday instead")."""
        lead = f"{self.before} {self.masked[: self.head]}" if len(self.before) < 25 else self.masked[: self.head]
        right = _PUTS_RIGHT.search(lead) or self.has("instead(?! of)") or _TAKES_BACK.search(self.masked)
        return bool(right) and not self.has(_MORE)

    @property
    def before(self) -> str:
        """What stands before it in its sentence."""
        return self.whole[: self.start - self.sentence]

    @property
    def negated(self) -> bool:
        """Whether its main verb is."""
        return moods.denied(self.masked, self.body + 1)

    def denied(self, at: int) -> bool:
        """Whether what stands at an offset is negated by a word before it."""
        return moods.denied(self.masked, at)

    def has(self, words: str, low: int = 0, high: int | None = None) -> bool:
        """Whether some of these words (a pattern) stand in it, whole."""
        return bool(compiled(rf"\b(?:{words})\b").search(self.masked, low, len(self.masked) if high is None else high))

    def date_at(self, at: int) -> Dated | None:
        return next((d for d in self.dates if d.start <= at < d.end), None)

    def amount_at(self, at: int) -> Amount | None:
        return next((a for a in self.amounts if a.start <= at < a.end), None)

    def date(self) -> Dated | None:
        """Its date, where it has one; a vague "just" only where there is no other."""
        return next((d for d in self.dates if not d.when.endswith("~")), next(iter(self.dates), None))

    def who_at(self, at: int) -> str:
        """Whom it speaks of at an offset: the last person named as a subject before it; "" where that is not known."""
        inner = [match for match in _INNER.finditer(self.masked, self.head) if match.start() < at]
        if not inner:
            return self.about
        last = inner[-1]
        if last["other"]:
            return self.about if self.subject != "me" else ""
        if last["theirs"] or last["you"] or (last["name"] and not _is_name(last["name"])):
            return ""
        return "me" if last["me"] else last["relation"].lower() if last["relation"] else called(last["name"])


_PUTS_RIGHT = compiled(
    r"\b(?:actually|sorry|oops|no|wait|correction|i mean|i meant|scratch that|my bad|turns out)\b(?! (?:one|problem|worries)\b)"
)
_TAKES_BACK = compiled(r",? (?:and )?(?:not|instead of|rather than) (?:(?:on|at|for) )?(?:the )?<date>\W*$")
_MORE = "too|also|as well|another|again|second|(?:have|has|got|booked|made|scheduled|there's|there is) an?"
_DOING = "allergic|taking|on|going|flying|living|moving|in|been|not|off|back|getting|visiting|based|intolerant"
_THINGS = r"(?:[\w-]+ )*?(?:trip|flights?|vacation|holiday|honeymoon|cruise|visit|getaway|train|bus|birthday|passport)\b"
_HAS = (
    "is|isn't|was|are|has|had|takes|took|can't|cannot|does|doesn't|got|started|stopped|lives|lived|works|worked|loves|likes|"
    "hates|moved|prefers|eats|wears|used|bought|flies|flew"
)
_THEIRS = (  # somebody of whom no more is known than whose they are, or that there are some
    rf"(?:(?:(?:my|our) <relation>|<name>)'s (?!(?:an?|the|my|our|not|just|also|{_DOING})\b)(?!{_THINGS})[\w'-]+(?: [\w-]+)?"
    rf"(?= (?:{_HAS})\b)|(?:his|her|their|its|an?|the|some|another|every|this|that|one of (?:my|our)) (?:[\w-]+ )?"
    rf"(?:<relation>s?|friends?|guy|man|woman|girl|boy|lady|person|someone)(?= (?:{_HAS})\b|'s {_DOING}\b))"
)
_INNER = compiled(
    rf"\b(?:(?P<theirs>{_THEIRS})|(?P<me>I|we)\b|"
    rf"(?:my|our) (?P<relation><relation>)(?= (?:{_HAS})\b|'s (?:allergic|taking|on)\b)|"
    rf"(?P<other>he|she|they)\b|(?P<you>you)\b|(?P<name><name>)(?= (?:{_HAS})\b|'s (?:allergic|taking|on)\b))"
)


def read(text: str, today: date) -> list[Clause]:
    """The clauses of a plain text, in order."""
    capitals = bool(re.search(r"[A-Z]", re.sub(r"\bI\b|^\W*[A-Z]|[.!?]\s+[A-Z]", "", text)))
    found: list[Clause] = []
    shown = _priced(hidden(text))
    for start, end in sentences(shown):
        sentence = _Sentence(shown, start, end, today, capitals or text[:1].isupper())
        _add_clauses(sentence, found)
    return found


# Somebody else says what follows: "The recipe says: …", "Her text was: …". Not "Update: …", nor "I said: …".
_SAYS = (
    r"(?:says?|said|saying|reads?|wrote|writes|texts?|texted|messaged|repl(?:y|ies|ied)|answer(?:s|ed)|ask(?:s|ed)|goes|"
    r"told \w+|claim(?:s|ed)|post(?:s|ed)|sang|sings|shout(?:s|ed))"
)
_WRITING = r"(?:text|message|letter|recipe|leaflet|lyrics|poster|headline|article|tweet|quote|diary|poem)"
# "Sarah: I'm allergic to nuts" is of Sarah, "Update: I'm allergic to nuts" is not.
_LABELS = lexicon(
    "important family personal friends "
    "update note notes news correction reminder edit ps fyi me i health allergies allergy medication medications medicine "
    "medicines meds work home travel trip trips plan plans question answer address email phone number today tomorrow yesterday "
    "morning afternoon evening night weekend breakfast lunch dinner warning info summary status fact facts confession "
    "announcement diary journal log result results exercise sport gym food diet money budget other misc bonus ok okay"
)
_SPEAKS = compiled(
    r"(?:^|(?<=\n))(?P<who> *(?:[\[(]?\d[^\]\n:]{3,14}(?::\d\d){0,2}(?: ?[ap]m)?[\])]? *(?:[-–] *)?)?(?:from )?"
    r"(?:\x3c(?P<tagged><name>)\x3e|(?P<name><name>|my <relation>)(?: \([^)\n]{0,20}\))? *:))"
    r"(?P<said>(?=[^\n]*\b(?:I|me|my|mine|we|our|us|i'm|im)\b)[^\n]*)"
)
_QUOTES = compiled(
    r"(?:^|(?<=[.!?;]\s)|(?<=\n))(?P<who> *(?!(?:I|we|I've|I'd)\b)[^.!?:\n]{0,80}?(?:"
    rf"\b{_SAYS}|\b(?:the|his|her|their|its|an?|my <relation>'s|<name>'s) (?:\w+ )?{_WRITING}\b[^.!?:\n]{{0,40}}|"
    r"\bfrom (?:my )?(?:<name>|<relation>)) *:)(?P<said>.*)"
)


def hidden(text: str) -> str:
    """The text with blanks for what somebody else says in it.

    That is quoted lines, quotations of three words or more, and what stands behind "The recipe says:" in its line.
    """
    text = re.sub(r"^\s*>.*$", lambda m: "." * len(m[0]), text, flags=re.MULTILINE)
    text = re.sub(r'"[^"\n]*"', lambda m: m[0] if m[0].count(" ") < 2 else '"' + "_" * (len(m[0]) - 2) + '"', text)
    text = _SPEAKS.sub(_unsaid, text)
    return _QUOTES.sub(lambda m: m["who"] + "_" * len(m["said"]), text)


def _unsaid(match: re.Match[str]) -> str:
    """A line with its speaker, what they say left blank; the line as it is where its label is no name."""
    words = (match["name"] or match["tagged"]).lower().split()
    if _LABELS.intersection(words) or words[0] in _NO_NAME | {*MONTHS, *WEEKDAYS}:
        return match[0]
    return match["who"] + "_" * len(match["said"])


def _priced(text: str) -> str:
    """The text without the brackets around a price: "a tent (2 499 kr) and …" is one clause."""
    for money in amounts(text):
        low, high = money.start - 1, money.end
        if text[low : money.start] == "(" and text[high : high + 1] == ")":
            text = f"{text[:low]} {text[money.start : high]} {text[high + 1 :]}"
    return text


# --- sentences ---

_ABBREVIATIONS = lexicon(
    "dr mr mrs ms st kl jr sr prof vs e.g i.e approx jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m etc no u.s "
    "u.k d.c"
)
_MAY_END = lexicon("a.m p.m etc no u.s u.k d.c")
_END = re.compile(r"[.!?…]+[\"')\]]*(?=\s|$)|\n+|[\U0001F300-\U0001FAFF\u2600-\u27BF]+\s*")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence."""
    start = 0
    for match in _END.finditer(text):
        if match[0] == "." and _abbreviated(text, match.start()):
            continue
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _abbreviated(text: str, dot: int) -> bool:
    word = re.search(r"[\w.]*$", text[max(dot - 12, 0) : dot])
    last = word[0].lower() if word else ""
    if last in _MAY_END or re.fullmatch(r"\d{1,2}\.\d{1,2}", last):  # "on 26.5. at two"
        following = text[dot + 1 : dot + 4].lstrip()[:1]
        return bool(following) and not following.isupper()
    return last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha() and last != "i")


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    if re.search(r"\w", piece):
        yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a text: where it lies, and what holds for all its clauses."""

    text: str
    start: int
    end: int
    today: date
    capitals: bool

    @property
    def whole(self) -> str:
        return self.text[self.start : self.end]


# --- clauses of a sentence ---

_PERSON = (
    r"(?:(?:I|we|he|she|they|it|you|there|this|that's|my|our|his|her|their|(?-i:[A-Z][a-zà-ÿ]+)'s)\b|"
    r"(?-i:[A-Z][a-zà-ÿ]+)(?: (?-i:[A-Z][a-zà-ÿ]+))? (?:is|was|has|had|will|can|can't|cannot|does|doesn't|did|"
    r"takes|took|lives|lived|moved|went|goes|flew|flies|loves|likes|hates|prefers|wants|needs|bought|got|gets|works|comes|came|visits|turns|"
    r"turned|started|stopped|says|said)\b)"
)
_VERB = (
    r"(?:(?:then|also|just|now|finally|will|'ll) )*(?:bought|paid|spent|ordered|flew|went|moved|started|stopped|quit|came|"
    r"come|coming|got|get|picked|booked|visited|returned|return|returning|signed|take|takes|live|lives|love|loves|hate|"
    r"hates|like|likes|can't|don't|doesn't|am|is|was|fly|flying|back|set|gave|made|drove|stayed|arrive|arrived|avoid|"
    r"prefer|dislike|began|switched|have|has|had|need|must|leave|leaving|left|going|heading|travel|travell?ed|comes|goes|flies|"
    r"sold|ran|run|swam|swim|cycled|biked|hiked|walked|jogged|works|work|worked|finished|lost|found|won|saw|met|ate|drank|cooked|"
    r"called|repaired|fixed|painted|cleaned|wants|needs|rented|returns|did|do|does|haven't|hasn't|didn't)\b"
)
_DAY_WORD = (
    rf"(?:(?:on|at|from|for|in|until) )?(?:the )?(?:\d|(?:{'|'.join((*MONTHS, *WEEKDAYS))}|today|tomorrow|tonight|next|this)\b)"
)
_ASKING = "can|could|would|will|do|please|what|how|any|when|where"
_A_DAY = (
    r"(?:(?:on|from|for) )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}\.? (?:of )?(?:MONTHS)\b|\d{1,2}[./]\d{1,2}\b|"
    r"(?:MONTHS|today|tomorrow|tonight|yesterday|next|this|last)\b)".replace("MONTHS", "|".join((*MONTHS, *WEEKDAYS)))
)
# Where a new statement begins: what holds of one side need not hold of the other.
_STRONG = compiled(
    rf"(?: *;| +-{{1,3}}(?= )| *[—–](?= ?[a-z])| *--+)(?! *{_DAY_WORD}) *| *; *|,? but |, so | so (?={_PERSON})|"
    rf",? and (?=(?:then )?{_PERSON})|,? and (?={_VERB})|"
    rf", (?=(?:{_ASKING})\b)| *\((?!\d) *|(?<!\d)\) *|,? (?:although|though|"
    r"whereas) "
)
# Where a clause begins that leans on the one before.
_WEAK = compiled(
    rf", (?=(?:then )?{_PERSON})|,? (?:because|since|while|as|when|after|before|until) (?={_PERSON})|"
    r",? (?:which|whose|whom|who) |"
    rf"(?P<that> that )(?=(?:{_HAS})\b)|, (?=(?:then )?{_VERB})|,? and (?=(?:then )?{_DAY_WORD}[\w ]{{0,12}} (?:I|we)\b)|"
    # "…, delivery is on Friday"
    r", (?=(?:(?:the|my|our|his|her) )?[\w'.-]+ (?:(?:also|just|now) )?(?:is|was|wants?|says?|said|needs?|will|"
    r"thinks?|costs?)\b)|"
    # after a day what has another: "dentist on Monday and physio on Tuesday"; not "to Rome on Monday and to Oslo on Friday"
    r"(?P<another>,? (?:and|then) (?!(?:to|in|at|on|from|for|back|off|with|by|until)\b)"
    rf"(?=[\w'-]+(?: [\w'-]+){{0,3}}? {_A_DAY}))"
)


def _add_clauses(sentence: _Sentence, found: list[Clause]) -> None:
    """Read a sentence, after the clauses of those before it."""
    supposed, last = False, sentence.start
    for low, high in _pieces(sentence.text, sentence.start, sentence.end, _STRONG):
        goes_on = supposed and _AND.fullmatch(sentence.text, last, low)  # "if A is so, and B is"
        supposed = bool(goes_on) or moods.conditional(sentence.text[low:high]) or moods.told_of_a_story(sentence.whole)
        last = high
        for start, end in _pieces(sentence.text, low, high, _WEAK):
            if end - start > LONGEST:
                continue
            found.append(_clause(sentence, start, end, supposed, found))


_AND = compiled(",? (?:and|or) (?:then )?")
_JOINT = compiled(
    r"(?:^|\b(?:if|that|when|perhaps|maybe)|,) *(?:my|our) [\w'-]+(?: [\w'-]+)?$|(?:^|\b(?:if|that|when)|,) *(?:<name>|you)$"
)


_DATED = compiled(rf"\b{_A_DAY}")
_WITH = compiled(r"\bwith [\w'. ,-]*$")
_COMPANION = compiled(
    r"(?:my|our|his|her|their) (?:<relation>|family|kids|friends|team|colleagues)(?! (?:is|was|has|had|will|and)\b)"
)


def _pieces(text: str, start: int, end: int, cut: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    for match in cut.finditer(text, start, end):
        if match[0].strip(", ").lower() == "and" and _JOINT.search(text[start : match.start()]):
            continue  # "my wife and I"
        if "another" in cut.groupindex and match["another"] and not _DATED.search(text, start, match.start()):
            continue
        if (
            "that" in cut.groupindex
            and match["that"]
            and not _SOMEBODY.search(text[max(start, match.start() - 40) : match.start()])
        ):
            continue
        if _WITH.search(text, start, match.start()) and _COMPANION.match(text, match.end()):
            continue  # "with Ana and my sister"
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < end:
        yield start, end


def _clause(sentence: _Sentence, start: int, end: int, supposed: bool, earlier: list[Clause]) -> Clause:
    piece = sentence.text[start:end]
    tense = moods.tense(piece)
    found = dates.find(piece, sentence.today, tense, *_last_days(earlier))
    clocks = [c for c in hours(piece) if not any(d.start < c.end and c.start < d.end for d in found)]
    money = amounts(piece)
    lexed = ((found, DATE), (clocks, HOUR), (money, MONEY))
    hidden = masked(piece, [(item.start, item.end, letter) for items, letter in lexed for item in items])
    before = earlier[-1] if earlier else None
    same = bool(before and before.sentence == sentence.start)
    relative = _RELATIVE.search(sentence.text, max(sentence.start, start - 12), start) if before and same else None
    subject = _subject(hidden, before, same)
    aside = False
    if before and subject.inherited and relative:
        subject = replace(_antecedent(before, relative["pronoun"].lower(), subject), end=subject.end, inherited=True)
        aside = subject.who != before.subject
    elif relative and relative["pronoun"].lower() != "which":
        aside = True  # "Tom, who I live with, …": what follows is of Tom
    elif before and subject.inherited and before.aside:
        subject = replace(subject, who="someone", relation="")  # of either of the two
    mood: Mood = "said"
    if (moods.asked(sentence.whole) and (end == sentence.end or moods.asks(piece))) or moods.ordered(sentence.whole):
        mood = "asked"
    elif supposed or moods.supposed(hidden) or (subject.inherited and before and before.mood == "supposed"):
        mood = "supposed"
    chain = _CHAIN.match(hidden, subject.end)
    body = chain.end() if chain else subject.end
    return Clause(
        piece, hidden, start, mood, tense, subject.who, subject.end, body, subject.relation, subject.inherited,
        aside, sentence.capitals, _meant(piece, found), _meant(piece, clocks), _meant(piece, money), sentence.start,
        sentence.whole, sentence.text[max(sentence.start - 40, 0) : sentence.start],
    )  # fmt: skip


_RATHER = compiled(r"\b(?:no|wait|sorry|actually|rather|i mean|i meant|make that|correction|oops)\b")
_NOT_THEN = compiled(r"\b(?:not|instead of|rather than) (?:(?:on|at|for) )?(?:the )?$")
_Told = TypeVar("_Told", bound=Dated | Clock | Amount)


def _meant(piece: str, found: list[_Told]) -> tuple[_Told, ...]:
    """The dates, hours or amounts of a clause less those taken back: "Saturday, no wait, Sunday", "the 13th, not the 12th"."""
    kept = [d for d in found if not _NOT_THEN.search(piece, 0, d.start)]
    ends = [*(later.start for later in kept[1:]), 0]  # behind the last stands nothing that could take it back
    return tuple(d for d, end in zip(kept, ends, strict=False) if not _RATHER.search(piece, d.end, end))


def _last_days(earlier: list[Clause]) -> tuple[date | None, date | None]:
    """The day named last in the text, and the first of the days that it ends, where it ends some."""
    days = [d for clause in earlier for d in clause.dates if d.exact]
    if not days:
        return None, None
    return When(days[-1].until or days[-1].when).first, When(days[-1].when).first if days[-1].until else None


# --- subjects ---

# Capitalised words at the head of a clause that are no people.
_NO_NAME = lexicon(
    "actually also although and another any anything april august because but can could december did do does everyone "
    "everything february finally for friday from had has have he her here his how i if in is it january july june just last "
    "life lucky march maybe monday my next no nobody nothing november now october oh on once one our people please saturday "
    "september she since so some someone something sometimes somebody sunday that the then there these they this those "
    "though thursday today tomorrow tonight tuesday we wednesday well what when where which while who why will wow yeah yes "
    "yesterday you your dinner lunch breakfast coffee meeting appointment flight trip work school home dance music food "
    "weather mine ours dr mr mrs ms not never glad happy sorry thanks thank great good nice cool sounds hope hopefully hey "
    "hi hello may might only both all each every either neither nature art love time money"
)
_LEAD = (
    r"(?:(?:(?:actually|also|and|but|so|then|well|oh|ok|okay|hey|hi|hello|yes|yeah|yep|yup|no|nope|wow|btw|anyway|anyways|"
    r"it's (?:settled|official|decided|final|done)|"
    r"fyi|plus|by the way|for the record|just so you know|as you know|you know|guess what|remember(?: that)?|reminder|"
    r"note(?: that)?|please (?:note|remember)(?: that)?|keep in mind(?: that)?|heads up|update|correction|(?:it )?turns "
    r"out(?: that)?|unfortunately|luckily|sadly|fortunately|honestly|finally|sorry|(?:good|bad|great|big) news|news|"
    r"in fact|to be honest|tbh|lol|wait|oops|i meant|i mean|scratch that|my bad|haha|ugh|yay|hooray)(?![\w'])|"
    r"(?:on|in|at|for|since|from|until|during|early|late|back|around)? *<date>|<hour>)[ ,:!.–—-]*)*"
)
_DOES = (
    "is|was|has|had|have|and|just|also|takes|took|lives|lived|moved|went|flew|loves|likes|hates|prefers|bought|got|can't|"
    "cannot|doesn't|isn't|wasn't|will|started|stopped|spent|visited|returned|turns|turned|used|says|said|never|always|now|"
    "still|cancell?ed|paid|ordered|booked|goes|travels|travell?ed|works|worked|flies|comes|came|visits|wants|needs|gets|can|"
    "ran|swam|left|sold"
)
_SUBJECT = compiled(
    rf"{_LEAD}(?:(?P<theirs>{_THEIRS})|"
    r"(?P<me>I|we|im|ive)\b(?!-)|(?P<joint>(?:my|our) (?:<relation>|\w+) and (?:I|me)|(?:I|me) and (?:my )?\w+|"
    r"<name> and I)\b|(?:my|our) (?P<relation><relation>)(?:,? (?P<called>(?-i:[A-Z][a-zà-ÿ]+))(?=[ ,']|$))?(?! (?:of|from|"
    rf"and)\b)|(?P<other>he|she|they)\b|(?P<you>you)\b|(?P<name><name>)(?= (?:{_DOES})\b|'s (?:{_DOING})\b))"
)
LEADING = compiled(_LEAD)
_PARTICIPLE = r"\w+ed|gone|flown|taken|bought|spent|paid|got|gotten|begun|become|come|left|had|lost|found|grown"
_CHAIN = compiled(
    r"(?: *(?:'m|'re|'s|'ve|'ll|'d(?= (?:been|\w+ed)\b)|am|is|are|was|were|be|"
    r"been(?! (?:(?:only|once|back|over) )?(?:to|in)\b)|being|will|do|does|did|"
    rf"(?:have|has|had)(?= (?:not|never|just|been|also|always|already|recently|finally|only|now|since|{_PARTICIPLE})\b)|"
    r"(?:do|does|did|is|are|was|were|has|have|had|wo)n't|can't|cannot|can|dont|doesnt|didnt|isnt|cant|not|never|no longer|"
    r"just|really|also|still|now|actually|finally|recently|currently|only|already|always|usually|both|all|absolutely|"
    r"totally|definitely|truly|personally|kind of|sort of|quite|pretty|very|super|so|since|officially|basically|ended up|"
    r"going to be|gonna be)(?![\w'-])| *<date>)* *"
)


@dataclass(frozen=True, slots=True)
class _Subject:
    who: str
    end: int
    relation: str = ""
    inherited: bool = False


def _subject(hidden: str, before: Clause | None, same: bool) -> _Subject:
    """Whom a clause is about; a clause without subject takes that of the one before it in its sentence (`same`)."""
    match = _SUBJECT.match(hidden)
    if match is None or (match["name"] and not _is_name(match["name"])):
        lead = LEADING.match(hidden)
        at = lead.end() if lead else 0
        return _Subject(before.subject, at, before.relation, True) if same and before else _Subject("", at)
    if match["theirs"]:
        return _Subject("someone", match.end())
    if match["me"] or match["joint"]:
        return _Subject("me", match.end())
    if match["you"]:
        return _Subject("you", match.end())
    if match["other"]:
        third = before.subject if before and before.subject not in ("me", "you", "") else "someone"
        return _Subject(third, match.end(), before.relation if before and third == before.subject else "")
    if match["relation"]:
        relation = " ".join(match["relation"].lower().split())
        return _Subject(match["called"] or relation, match.end(), relation)
    name = called(match["name"])
    return _Subject(name, match.end(), name if name.islower() else "")


_RELATIVE = compiled(r",? (?P<pronoun>which|whose|whom|who|that) $")
_NAMED_LAST = compiled(
    r"(?<!\bin\s)(?<!\bto\s)(?<!\bat\s)(?<!\bfor\s)(?<!\bfrom\s)\b(?:(?:my|our) (?P<relation><relation>)"
    r"(?: (?P<called><name>))?|(?P<name><name>))\W*$"
)
_SOMEBODY = compiled(r"\b(?:<relation>s?|guy|man|woman|girl|boy|lady|person|people|someone|somebody)$")


def _antecedent(before: Clause, pronoun: str, subject: _Subject) -> _Subject:
    """Whom a relative clause is about: whom the clause before it names last."""
    if before.aside or pronoun in ("whose", "whom"):
        return _Subject("someone", 0)
    if not before.masked[before.head :].strip(" ,"):
        return subject  # "My sister, who lives in Oslo, …"
    match = _NAMED_LAST.search(before.masked)
    if pronoun == "which" or match is None or (match["name"] and not _is_name(match["name"])):
        return _Subject("" if pronoun == "which" else "someone", 0)
    if match["name"]:
        return _Subject(match["name"], 0)
    relation = match["relation"].lower()
    return _Subject(match["called"] or relation, 0, relation)


def _is_name(words: str) -> bool:
    return words.split()[0].lower() not in _NO_NAME and not words.endswith("ing")
