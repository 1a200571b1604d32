"""The English of questions: plain words, their roots, and which of them carry no meaning of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def bag(words: str) -> frozenset[str]:
    """Words that are written in one line."""
    return frozenset(words.split())


# Words that a question has for grammar's sake. Whatever else is left over at the end was not understood.
FILLERS = bag(
    "a an the of in to for on at from by during into i me my mine we our us you do does did have has had is are was were be "
    "been being am that which who whom it its there any all ever so far overall please and as across with whose this these "
    "those own got just also will anything something recorded log logged say said tell among about"
)
# Verbs that go with any noun: "take a trip", "have a meeting", "log a workout".
LIGHT = bag("take have do make go get use appear occur happen result include involve record note list show count be")
# Other names for one record of whatever was named.
GENERIC = bag("time session record entry item one name thing instance occasion category kind type mean mode way form")
FIRST = bag("i me my mine myself we us our ours")  # the user
NOT_ALONE = bag("most more least less first last next many much how when where what why other none yes no not")

NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12,
}  # fmt: skip

_IRREGULAR = {
    "be": "am is are was were been being", "have": "has had having", "do": "does did done doing",
    "go": "goes went gone going", "take": "takes took taken taking", "make": "makes made making",
    "get": "gets got gotten getting", "buy": "bought", "eat": "ate eaten", "read": "read", "meet": "met",
    "spend": "spent", "sleep": "slept", "pay": "paid", "see": "saw seen", "fly": "flew flown flies flying",
    "drive": "drove driven driving", "run": "ran running", "ride": "rode ridden riding", "leave": "left leaving",
    "begin": "began begun beginning", "wake": "woke woken waking", "cost": "cost", "know": "knew known",
    "give": "gave given giving", "come": "came coming", "say": "said", "tell": "told", "find": "found",
    "swim": "swam swum swimming", "hold": "held", "burn": "burnt", "live": "lived living lives", "move": "moved moving",
    "dine": "dined dining", "use": "used using", "note": "noted noting", "expire": "expired expiring", "renew": "renewed",
    "drop": "dropped dropping", "plan": "planned planning", "stop": "stopped stopping", "write": "wrote written writing",
    "wear": "wore worn", "sell": "sold", "win": "won winning", "quit": "quit quitting",
    "cancel": "cancelled canceled cancelling", "travel": "travelled traveled travelling traveling",
    "promise": "promised promising", "prescribe": "prescribed prescribing", "diagnose": "diagnosed diagnosing",
    "include": "included including", "involve": "involved involving", "purchase": "purchased purchasing",
    "rate": "rated rating", "exercise": "exercised exercising", "apply": "applied applies applying",
    "try": "tried tries trying", "bear": "born bore", "keep": "kept", "grow": "grew grown", "rise": "rose risen rising",
    "decrease": "decreased decreasing", "increase": "increased increasing", "close": "closed closing",
    "subscribe": "subscribed subscribing", "lose": "lost losing",
}  # fmt: skip
_REGULAR = bag(
    "visit travel order finish start attend work train exercise last end return depart book watch listen play walk cook "
    "complete appear occur happen result record count list show own want like love prefer reside arrive enjoy consume expire "
    "pick join"
)
_LEMMA = {f"{verb}{end}": verb for verb in _REGULAR for end in ("", "s")}
_LEMMA |= {f"{verb.removesuffix('e')}{end}": verb for verb in _REGULAR for end in ("ed", "ing")}
_LEMMA |= {form: verb for verb, forms in _IRREGULAR.items() for form in (verb, f"{verb}s", f"{verb}ing", *forms.split())}
_PLURAL = {"people": "person", "children": "child", "men": "man", "women": "woman", "countries": "country", "movies": "movie"}


SHORT = 200  # characters of a title, or of a question: what the records hold is looked at again for each question
KEPT = 200_000  # texts of these

# Short names of relatives, and what they are short for.
_KIN = {
    "mum": "mother", "mom": "mother", "mummy": "mother", "mommy": "mother", "dad": "father", "daddy": "father",
    "grandma": "grandmother", "granny": "grandmother", "grandpa": "grandfather", "grandad": "grandfather",
    "granddad": "grandfather", "hubby": "husband",
}  # fmt: skip


def spellings(word: str) -> list[str]:
    """How a text may write a word that `plain` has: "mother", also as "mum"."""
    return [word, *(short for short, long in _KIN.items() if long == word)]


def forms(word: str) -> list[str]:
    """How a text may write a root: also "born" of "bear"."""
    return [*spellings(word), *_IRREGULAR.get(word, "").split()]


_WORD = re.compile(r"\d{4}-\d\d(?:-\d\d)?|\d\d?:\d\d|\d+(?:\.\d+)?[^\W_]*|'s\b|[^\W_]+|=")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3})")
_SIGNED = {sign: re.compile(rf"{re.escape(sign)}\s*(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s*{re.escape(sign)}") for sign in "$€£¥"}
_CODES = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy"}


def plain(text: str) -> str:
    """A question as lower-case words between single spaces, one at each end: times, dates and sums stay in one piece.

    >>> plain("How much did Ana's 3 e-bikes cost? Over $1,200.50?")
    " how much did ana 's 3 e bikes cost over 1200.50 usd "
    """
    return _short_plain(text) if len(text) <= SHORT else _plain(text)


def _plain(text: str) -> str:
    text = text.lower().replace("’", "'").replace("‘", "'")
    text = _GROUPED.sub("", text)
    for sign, code in _CODES.items():
        if sign in text:
            text = _SIGNED[sign].sub(rf"\1\2 {code} ", text)
    for short, long in (
        ("what's", "what is"), ("who's", "who is"), ("where's", "where is"), ("when's", "when is"), ("i'm", "i am"),
        ("i've", "i have"), ("%", " percent "), ("=", " = "),
    ):  # fmt: skip
        text = text.replace(short, long)
    return f" {' '.join(_KIN.get(word, word) for word in _WORD.findall(text))} "


_short_plain = lru_cache(maxsize=KEPT)(_plain)


@lru_cache(maxsize=KEPT)
def root(word: str) -> str:
    """What a word's forms have in common: the singular, or the bare verb.

    >>> [root(w) for w in ("trips", "countries", "visited", "went", "glasses", "status")]
    ['trip', 'country', 'visit', 'go', 'glass', 'status']
    """
    if word in _LEMMA:
        return _LEMMA[word]
    return word[:-2] if re.fullmatch(r"[a-z]{3,}[^e]ed", word) else singular(word)


def singular(word: str) -> str:
    """The singular of a noun; of a verb's form, as it stands: "running" is what somebody does, "run" another word."""
    if word in _PLURAL:
        return _PLURAL[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]


def roots(phrase: str) -> str:
    return " ".join(map(root, phrase.split()))


@lru_cache(maxsize=KEPT)
def rooted(text: str) -> str:
    """A text as the roots of its words, with a space at each end."""
    return f" {roots(plain(text))} "


def singulars(phrase: str) -> str:
    return " ".join(map(singular, phrase.split()))


def number(word: str) -> float | None:
    """The number that a word is; None for what is none."""
    if word in NUMBERS:
        return NUMBERS[word]
    return float(word) if re.fullmatch(r"\d+(\.\d+)?", word) else None


def name_words(name: str) -> list[str]:
    """The words of a name in code.

    >>> name_words("risk_limits"), name_words("RiskLimit")
    (['risk', 'limits'], ['risk', 'limit'])
    """
    return [w.lower() for w in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


_ASKING = FILLERS | LIGHT | NOT_ALONE | bag("'s = can could would will should about long often if or")


def telling(text: str) -> dict[str, str]:
    """The words that a question is about, as it writes them, by their roots.

    >>> telling("What gave me hives?")
    {'give': 'gave', 'hive': 'hives'}
    """
    found: dict[str, str] = {}
    for word in plain(text).split():
        if word not in _ASKING and root(word) not in _ASKING:
            found.setdefault(root(word), word)
    return found


def content(text: str) -> list[str]:
    """The roots of the words that a question is about, in order, each once."""
    return list(telling(text))


def either(words: Iterable[str]) -> str:
    """A pattern for any of some phrases, the longest first."""
    return "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True))


def is_me(record: object) -> bool:
    """Whether a record that names somebody names the user: a birthday, a phone number."""
    return getattr(record, "who", "me") == "me" and plain(getattr(record, "name", "")).strip() in FIRST


def is_ordinary(word: str) -> bool:
    """Whether a question has a word for grammar's sake, or to ask."""
    return word in _ASKING or root(word) in _ASKING
