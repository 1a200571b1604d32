"""What somebody likes, prefers or cannot stand: kinds of things, not the moment's praise ("love it", "love your store")."""

from __future__ import annotations

from collections.abc import Iterator

from uac_nb.reader.clauses import Clause
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import called, compiled, lexicon
from uac_nb.reader.phrases import VAGUE, noun_phrase, phrases

_LIKES = compiled(
    r"(?:(?P<like>loved?s?|adored?s?|enjoy(?:s|ed)?|prefer(?:s|red)?|liked?s?)|(?P<hate>hated?s?|disliked?s?|despised?s?|"
    r"loathes?|detests?)) "
)
_STAND = compiled("(?:stand|bear) ")
_FAN = compiled(r"(?:an? )?(?:(?:big|huge|great|massive) )?(?:fan of|fond of|keen on|big on|into|crazy about|obsessed with) ")
_NOT_A_FAN = compiled(r"\W*(?:not )?(?:really )?(?:an? )?(?:(?:big|huge) )?fan of ")
_FAVOURITE = compiled(
    r"\b(?P<whose>my|(?:my (?P<relation><relation>)|(?P<name><name>))'s) (?:all-time |absolute )?(?:favou?rite|fave|fav) "
    r"(?P<of>[a-z][\w-]*(?: [a-z][\w-]*){0,2}?) (?:is|are|has always been) (?:(?:definitely|still) )?"
)
_COPULA = compiled(r"'(?:m|s|re)\b|\b(?:am|is|are|was|were|be|been)\b")
_THIS_ONE = compiled(r"(?:the|that|this|these|those|your|how|it|to|when|what|my|our|his|her|their|you|all the|every)\b")
_OBJECT = compiled(
    r" (?:my|the|an?|our|your|his|her|their|it|them|him|us|you|that|this|these(?! days)|those|everything|how|what)\b"
)
_FLEETING = lexicon(
    "seeing being having getting doing making watching hearing knowing working helping feeling giving taking spending "
    "finding sharing trying going coming talking telling looking thinking living learning meeting putting starting showing "
    "bringing creating hope thanks picture pic pics photo photos look looks vibe vibes energy attitude idea style view sound "
    "sounds spirit support job theme"
)


def tastes(clause: Clause) -> Iterator[Finding]:
    """Likes and dislikes that last."""
    if favourite := _favourite(clause):
        yield favourite
        return
    who = clause.about or ("me" if not clause.subject and _NOT_A_FAN.match(clause.masked) else "")
    ever = clause.has("always", clause.head, clause.body) and clause.has("have|has|ve", clause.head, clause.body)
    if not who or (clause.tense == "past" and not ever) or clause.has("today|tonight|this|right now"):
        return
    stance, end = _stance(clause)
    if not stance or _THIS_ONE.match(clause.masked, end):
        return
    for what in phrases(clause.masked, end):
        words = what.key.split()
        if what.vague or _OBJECT.match(clause.masked, what.end) or words[0] in _FLEETING or words[-1] in _FLEETING:
            return
        yield Finding("preference", what.key, who, "assert", {"stance": stance, "what": what.text}, clause.span)


_OF_KIND = compiled(
    r"(?:is|are) my (?:all-time |absolute )?(?:favou?rite|fave) (?P<of>[a-z]+)(?=[.,!;)]| *$| (?:of|and|in|to|for|because|"
    r"since)\b)"
)


def _favourite(clause: Clause) -> Finding | None:
    match = _FAVOURITE.search(clause.masked)
    what = noun_phrase(clause.masked, match.end() if match else clause.head)
    if match is None and what is not None:  # "coffee is my favourite drink"
        match = _OF_KIND.match(clause.masked, what.end + 1)
    if match is None or what is None or what.vague or clause.negated or match["of"].lower() in VAGUE:
        return None
    who = "me" if match.re is _OF_KIND else match["relation"] or called(match["name"] or "me")
    return Finding(
        "preference",
        what.key,
        who,
        "assert",
        {"stance": "favourite", "what": what.key if match.re is _OF_KIND else what.text, "of": match["of"].lower()},
        clause.span,
    )


def _stance(clause: Clause) -> tuple[str, int]:
    """ "like" or "dislike", and where its object begins; "" where the clause says neither."""
    text, negative = clause.masked, clause.negated
    copula = bool(_COPULA.search(text[clause.head : clause.body]))
    if clause.has("any ?more|no longer|used to"):
        return "", 0  # what was so once; what is so now, it does not say
    if (match := _LIKES.match(text, clause.body)) and not copula:  # "I'm like so tired"
        if negative and match["hate"]:
            return "", 0  # who does not hate a thing need not like it
        return ("dislike" if negative != bool(match["hate"]) else "like"), match.end()
    if (match := _STAND.match(text, clause.body)) and negative:
        return "dislike", match.end()
    if (match := _FAN.match(text, clause.body)) and (copula or not clause.subject):
        return ("dislike" if negative else "like"), match.end()
    return "", 0
