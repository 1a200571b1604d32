"""Entries that surely say nothing to keep, and why. In doubt it is None: the entry stays unread, for a person to see."""

from __future__ import annotations

import re
from typing import Literal

from uac_nb.reader.clauses import sentences
from uac_nb.reader.language import compiled
from uac_nb.reader.tokens import plain

Reason = Literal["question", "thanks", "encouragement", "greeting", "small talk"]

_NAME = r"(?:[ ,]+(?:there|all|everyone|guys|again|back|buddy|friend|(?-i:[A-Z][a-z]+)))*"
# In the order in which an entry of several kinds is called by one of them.
_CLOSED = {
    "thanks": compiled(
        r"(?:(?:ok(?:ay)?|great|perfect|awesome|wow|oh|(?:hey|hi|hello)(?: (?-i:[A-Z][a-z]+))?)[ ,]+)?(?:many thanks|"
        r"thanks|thank you|thx|ty|cheers|much appreciated|appreciate it|i appreciate (?:it|that|you|"
        r"your (?:help|support)))(?:[ ,]+(?:so much|a lot|a bunch|again|very much|a ton|for (?:the|your) (?:help|support|"
        r"kind words|encouragement|advice|tips?|info|reminder)|for (?:asking|that|"
        r"everything|all your help)))*" + _NAME
    ),
    "encouragement": compiled(
        r"(?:congrats|congratulations|good luck|best of luck|way to go|well done|great job|good job|nice work|you(?:'ve)? "
        r"got this|keep (?:it up|going)|go for it|hang in there|you can do it|i believe in you|believe in yourself|"
        r"stay (?:strong|positive|motivated)|"
        r"(?:i'm )?so proud of you|i'm proud of you)(?:[ ,]+(?:on (?:that|this)|again|too|man|so much))*" + _NAME
    ),
    "greeting": compiled(
        r"(?:(?:hey|hi|hiya|hello|howdy|yo|good (?:morning|afternoon|evening|night|day)|morning|evening|bye bye|bye|"
        r"goodbye|see (?:you|ya)(?: later| soon| tomorrow)?|take care|talk (?:to you )?(?:later|soon)|ttyl|welcome back|"
        rf"nice to (?:meet|see) you|good to (?:see|hear from) you(?: too)?|long time no (?:see|talk)){_NAME}[ ,]*)+"
    ),
    "small talk": compiled(
        r"(?:(?:ok(?:ay)?|sure|yes|yeah|yep|yup|no problem|no worries|nope|nah|no|lol|haha+|hehe|wow|so cool|cool|nice|"
        r"great|awesome|amazing|perfect|fine|right|exactly|absolutely|definitely|of course|you're welcome|np|got it|i see|"
        r"sounds (?:good|great|fun|like a plan)|that'?s (?:great|awesome|cool|nice|amazing|funny|true|right)|me too|"
        r"same here|never ?mind|hmm+|oh|ah|alright|all good|agreed|true|done|will do|makes sense|good to know|i agree|"
        rf"my pleasure|anytime|love it)[ ,]*)+{_NAME}"
    ),
}
_ASKS = compiled(
    r"(?:(?:hey|hi|hello|and|so|but|ok|okay|well|also|oh|please|by the way|btw|(?-i:[A-Z][a-z]+))[ ,!]+)*(?:can|could|"
    r"would|will|do|does|did|is|are|am|was|were|have|has|had|should|shall|may|might|what(?:'s|s)?|when(?:'s)?|where(?:'s)?|"
    r"which|who(?:'s)?|whose|why|how(?:'s)?|any|isn't|don't|doesn't|didn't|aren't|haven't|won't|can't)\b[^.!;:\n]*"
)
_TELLS = compiled(
    r"\b(?:I'm|I am|I've|I have|my|our|we're|we've)\b.*\b(?:because|since|and|but|so)\b|\b(?:born|birthday|allerg\w+|moved|"
    r"passport)\b"
)


def reason(text: str) -> Reason | None:
    """Why a text need not be kept; None where that is not sure.

    >>> reason("Hey Jon! Thanks a bunch!"), reason("What's the weather like today?"), reason("I sold my car.")
    ('thanks', 'question', None)
    """
    text = plain(text)
    reasons = {_of_sentence(text[start:end]) for start, end in sentences(text)}
    order: tuple[Reason, ...] = ("question", "thanks", "encouragement", "greeting", "small talk")
    return None if None in reasons else next((why for why in order if why in reasons), None)


def _of_sentence(sentence: str) -> str | None:
    bare = re.sub(r"[^\w\s,'?-]", "", sentence).strip(" ,-")
    if bare.endswith("?"):
        return "question" if _ASKS.fullmatch(bare.rstrip("? ")) and not _TELLS.search(bare) else None
    return next((why for why, pattern in _CLOSED.items() if pattern.fullmatch(bare)), None)
