"""Whether something is said, asked or only supposed; denied or not; past or to come: by the small words of a clause."""

from __future__ import annotations

from uac_nb.reader.daywords import Tense
from uac_nb.reader.language import compiled

# --- asked ---

_TAG = compiled(r", (?:remember|okay|ok|you know|huh)\W*$")  # "I'm allergic to nuts, remember?" asks nothing
_ASKS = compiled(
    r"\W*(?:(?:and|so|but|hey|well|oh|please|also|then|\w+,) )*(?:can|could|would|will|do|does|did|is|are|am|was|were|have|"
    r"has|should|shall|may|what|what's|when|where|which|who|whose|why|how|any|isn't|don't|doesn't|didn't|aren't|got|wanna|"
    r"mind|ready|right|correct|remember)\b"
)


_ORDERS = compiled(
    r"\W*(?:(?:please|hey|hi|ok|okay|now|then|also|and|can you|could you),? )*(?:book|find|get|give|show|help|write|"
    r"translate|send|suggest|recommend|create|draft|list|explain|tell|plan|search|compare|schedule|set|summari[sz]e|make|"
    r"rewrite|check|imagine|pretend) (?:me|us|a|an|the|my|some|this|up|for|in)\b"
)


def asked(sentence: str) -> bool:
    """Whether a sentence is a question."""
    return sentence.rstrip("\"') ").endswith("?") and not _TAG.search(sentence)


def ordered(sentence: str) -> bool:
    """Whether a sentence tells somebody to do something ("Book me a flight to Rome")."""
    return bool(_ORDERS.match(sentence))


def asks(clause: str) -> bool:
    """Whether a clause of a question is one itself."""
    return bool(_ASKS.match(clause))


# --- supposed ---

_SUPPOSED = compiled(
    r"\b(?:might|maybe|perhaps|possibly|probably|would|could|should|ought|wish|wishe[sd]|hopes?|hoped|hoping|hopefully|"
    r"wants?|wanted|wanna|thinking (?:of|about)|(?:i|we) think|i thought|we thought|thought about|considering|considered|"
    r"consider|dream(?:s|ed|ing|t)?|(?:plan|plans|planned|planning|intend|intending|aim|aiming) (?:to|on|for|a)|someday|"
    r"one day|some day|wonder(?:s|ed|ing)?|imagine|imagining|pretend|suppose[ds]?|supposedly|let's|lets|"
    r"looking (?:to|into|at|for)|tempted|(?:try|tries|tried|trying) (?:to|out)|almost|nearly|(?:was|were) (?:going|about|"
    r"gonna) to|as if|can't decide|not sure|unsure|don't know|no idea|not certain|doubt|guess(?! what)|asked|asking|"
    r"rumou?r|apparently|say (?:i|we)|what if|in case|unless|whether|would've|(?:don't|doesn't|didn't) (?:think|believe)|"
    r"for example|for instance|hypothetically|(?:can't|cannot) wait|ready to|excited to|love to|need to (?:go|visit|travel|"
    r"fly|buy|get|see)|must visit|have to (?:go|visit|buy)|used to want|debating|toying|fantasi[sz]\w+|bet|meant to|"
    r"wouldn't|couldn't)\b|(?-i:\bmay\b)(?! \d)|'d\b(?! (?:been|better|\w+ed)\b)"
)
_IF = compiled(
    r"\b(?:if|unless|whether|suppose|supposing|imagine|assuming|provided|in case|for example|for instance|hypothetically)\b"
)
_STORY = compiled(
    r"\b(?:writing (?:a|an|my) (?:\w+ )?(?:story|novel|book|screenplay|script|poem|song)|my (?:character|protagonist)|"
    r"in (?:the|a|this|that|my) (?:book|novel|movie|film|show|series|story|game|song|dream)|the (?:character|protagonist|"
    r"hero))\b"
)


def supposed(clause: str) -> bool:
    """Whether a clause speaks of what may be, might be or is wished for."""
    return bool(_SUPPOSED.search(clause))


_HEDGED = compiled(r"\W*(?:perhaps|maybe|possibly|hopefully|supposedly|apparently)\b")


def conditional(words: str) -> bool:
    """Whether all that is said in these clauses is under a condition."""
    return bool(_IF.search(words) or _HEDGED.match(words))


def told_of_a_story(sentence: str) -> bool:
    return bool(_STORY.search(sentence))


# --- denied ---

_NOT = compiled(
    r"\b(?:not|never|no longer|cannot|nor|neither|without|\w+n't|dont|doesnt|didnt|isnt|cant|wont|havent)\b|"
    r"\bno\b(?! (?:doubt|problem|wonder|one|matter|idea|later))"
)
_NO_NOT = compiled(r"\b(?:not only|can't wait|cannot wait|don't forget|do not forget|why not|not to mention|couldn't be)\b")


def denied(clause: str, at: int) -> bool:
    """Whether what stands at an offset is negated by a word before it, in the same part of the clause."""
    before = _NO_NOT.sub(lambda m: " " * len(m[0]), clause[:at])
    return bool(_NOT.search(before[max(before.rfind(","), before.rfind(" because ")) + 1 :]))


# --- past or to come ---

_FUTURE = compiled(
    r"\b(?:will|shall|gonna|going to|tomorrow|tonight|upcoming|next|scheduled|due|expires?|expiring|renews?|booked|"
    r"reserved|reservation|arranged|set for|appointment|plans?|starting|begins|coming up)\b|'ll\b|(?:'m|'re|'s|\bam|\bare|"
    r"\bis) (?:\w+ly |also |both |all )?(?!being\b|doing\b)\w+ing\b|"
    r"^\W*(?:(?:just|also|now|so|still|currently|finally) )?\w+ing\b(?! was)"
)
_PAST = compiled(
    r"\b(?:was|were|did|didn't|had|went|came|(?<!'ve\s)(?<!have\s)(?<!has\s)got|bought|paid|spent|flew|took|made|saw|met|"
    r"began|left|lost|won|sold|found|gave|ate|ran|quit|drove|slept|wrote|told|said|became|grew|felt|kept|held|heard|stood|"
    r"understood|broke|chose|fell|led|rode|born|been|(?:'ve|have|has|had|just) come back|back from|"
    r"(?!need|feed|speed|bed|red|wed|indeed|scheduled|booked|reserved|arranged|planned|supposed|allowed|invited|based|called|excited)\w+ed|ago|yesterday|last)\b"
)
# What was arranged lies ahead, though the verb is past: "made a reservation for Saturday".
_ARRANGED = compiled(
    r"\b(?:made|got|set up|bought|arranged|confirmed|booked|scheduled|reserved|agreed on|signed up for|"
    r"registered for)\b[^.]{0,40}?\b(?:reservations?|appointment|booking|tickets?|meeting|interview|date|table|flights?|"
    r"class|race|marathon)\b|\b(?:is|are|was|been|got|were) (?:now )?(?:moved|rescheduled|postponed|pushed)\b|"
    r"\b(?:moved|rescheduled|postponed|pushed|changed) (?:my|our|the|it)\b[^.]{0,40}\b(?:to|until)\b|"
    r"\b(?:the|my|our) (?!<relation>)[\w' -]{2,40}? (?:(?:has|had|got|was|been) )*"
    r"(?:moved|rescheduled|postponed|pushed|shifted|changed)\b[^.]{0,40}\b(?:to|until)\b"
)
_LONG_PAST = compiled(r"\b(?:ago|yesterday|last)\b")


def tense(clause: str) -> Tense:
    """The tense of the word that tells it first; of arrangements ("booked for May 3") that of their day."""
    future, past = _FUTURE.search(clause), _PAST.search(clause)
    if _ARRANGED.search(clause) and not _LONG_PAST.search(clause):
        return "future"
    if future and past:
        return "past" if past.start() < future.start() or _LONG_PAST.search(clause) else "future"
    return "past" if past else "future" if future else "present"
