"""Several ways of asking for one thing, each written as the one that the reader knows: "been to", as "visited"."""

from __future__ import annotations

import re

from uac_nb.ask.periods import MONTHS, WEEKDAYS

_I = r"(?:i|we)"
_BE = r"(?:am|are|was|were|will)"
_MONTHS = "|".join(MONTHS)
# A time follows, or does not.
_TIMED = r"(?=(?:on|in|at|from|between|during|this|last|next|today|tomorrow|yesterday|over|before|after|by|@p\d+) )"
_UNTIMED = rf"(?!{_MONTHS}|(?:the )?(?:last|past|next)|\d|@p)"
_MOVING = (
    r"(?:be|get|got|getting|come|came|coming|comes|go|went|going|fly|flew|flying|flies|travel|travelled|travelling|arrive)"
)
_ITEMS = r"(?:the|my|our|a|an|this|that|those|these) .+?"

# What asks for all that there is at a time.
_DOING = rf"did {_I} (?:do|get up to)|(?:was|am|were|are) {_I} (?:doing|up to)|will {_I} (?:do|be doing)"
_TO_DO = rf"(?:do|must|should|did) {_I} (?:have to |need to )?(?:do|get done)"
_GOING_ON = (
    r"happened|happens|takes place|will (?:happen|take place)|is (?:to happen|due to happen|set|scheduled)"
    r"|(?:is|are) (?:there|planned|on|up|happening|going on|coming up|(?:in |on )?my (?:schedule|diary|calendar))"
)
_HAVING = rf"do {_I} have(?: on| planned| coming up)?|have {_I} got(?: on| planned| coming up)?"
_ANYTHING = rf"(?:(?:do|did) {_I} have|have {_I} got) (?:anything|something)(?: on| planned)?"
_FREE = rf"(?:am|are|was|were) {_I} (?:free|busy|available|doing anything)"
_PLANS = r"(?:what (?:is|are) )?my (?:plans?|schedule|calendar|diary|agenda)"
_AGENDA = rf"(?:what (?:else )?(?:{_DOING}|{_TO_DO}|{_GOING_ON}|{_HAVING})|{_ANYTHING}|{_FREE}|{_PLANS})"

# In the order in which they are tried, on words between single spaces (`words.plain`).
PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r" work(ed|s|ing)? out ", " exercise "),
        (r" (wake|woke|wakes|waking|get|got) up ", " wake "),
        (r" (go|went|going) to bed ", " bedtime "),
        (r" how long (have|has) (.+?) been (?:living )?in ", r" how long \1 \2 live in "),
        (rf" (?:am|are) ({_I}) (?:still )?employed (?:at|by|with) ", r" do \1 work at "),
        (r" (?:send|sent|give|gave|bring|brought|take|took) back ", " return "),
        (r" go ahead ", " happen "),
        (r" been (to|in) ", " visited "),
        (r" (first|last|middle|family) names? ", " surname "),
        (r" (the|in|to|from) us ", r" \1 usa "),
        # being back
        (rf" (?:be )?{_MOVING} (?:back|home)(?: again)? ", " travel return "),
        (rf" (am|are|was|were) ({_I}) (?:back|home)(?: again)? ", r" \1 \2 travel return "),
        # prices
        (rf" how much (?:is|are|was|were|will be|did|does|do) ({_ITEMS})(?: cost)?(?: (?:me|us))? $", r" how much cost \1 "),
        (r" what (?:did|does|do) (.+?) cost(?: (?:me|us))? ", r" how much cost \1 "),
        (r" (?:what|how much) (?:is|was|were) the (?:price|cost) (?:of|for) ", " how much cost "),
        (r" how (?:expensive|dear|costly) (?:is|are|was|were) ", " how much cost "),
        # spending
        (rf" what (did|have|had) ({_I}) (spend|spent|pay|paid)(?! (?:the )?(?:most|least|more|less)) ", r" how much \1 \2 \3 "),
        (r" (?:what (?:is|was|were) )?(?:the )?(?:sum|total) of (?:all )?(?:of )?(?:my|our) (?:expenses|spending|outgoings) ",
         " how much did i spend in total "),
        (r" (?:what (?:is|was|were) )?(?:my|our) (?:total )?(?:spending|expenditure) (?!increase|go|change|on average)",
         " how much did i spend in total "),
        (r" how much (?:money |cash )?(?:went|has gone|have gone) (?:on|into|to|for) ", " how much did i spend on "),
        (r" how much (?:money |cash )?(?:was|were|has been|have been) (spent|paid) ", r" how much did i \1 "),
        (rf" (?:what|which|how many) (?:rating|stars?|score|grade) did {_I} give (?:to )?", " what rating "),
        # until when
        (r" (?:what|when) is (?:the )?(?:expiry|expiration) date (?:of|for|on) (.+) $", r" when \1 expire "),
        (r" (?:what|when) is (.+?)(?: 's)? (?:expiry|expiration)(?: date)? ", r" when \1 expire "),
        (r" (?:run|runs|ran|running) out ", " expire "),
        (r" how long (?:is|are|will) (.+?) (?:be )?valid ", r" when \1 expire "),
        (r" (?:until|till|up to) when (?:is|are|was) (.+?) valid ", r" when \1 expire "),
        (r" (?:until|till|up to) when (do|does|did|am|is|are|was|will) ", r" when \1 end "),
        (r" (?:hate|hates|can(?:not| not| 't| t) (?:stand|bear)|do(?: not|n 't|n t) like) ", " dislike "),
        # work
        (r" do (?:for a living|for work|for a job|professionally) ", " work "),
        (rf" what do {_I} (?:do|work as) $", " what is my job "),
        # being somewhere
        (rf" where (am|are) ({_I})(?: right)?(?: now| at the moment| currently)? $", r" where \1 \2 visit today "),
        (rf" where ({_BE}) ({_I})(?: be| going| staying)? {_TIMED}", r" where \1 \2 visit "),
        (rf" (when|how often|how many times) ({_BE}) ({_I})(?: be)?(?: last| ever)? in {_UNTIMED}", r" \1 \2 \3 visit "),
        (r" (?:in )?(?:what|which) (?:city|town|village|place) (do|does|did|will) (.+?) live(?: in)? ", r" where \1 \2 live "),
        (rf" (what|which) (country|countries|city|cities|places?) ({_BE}) ({_I})(?: be)? in ", r" \1 \2 \3 \4 visit "),
        (rf" how long ({_BE}) ({_I})(?: be| stay| staying| going to be)? (?:in|at) ", r" how long \1 \2 visit "),
        (rf" ({_I}|{_BE}|be|{_I} be) away (?={_TIMED})", r" \1 visit "),
        # what there is at a time
        (rf" {_AGENDA} (?:for |{_TIMED})", " list "),
        (rf" what (?:is|are|was|falls) due {_TIMED}", " list due "),
        (rf" what (is|are|was) on (?=(?:the )?(?:\d|{_MONTHS}|{'|'.join(WEEKDAYS)}))", " list on "),
        (r" (?:right now|at the moment|at present|these days|nowadays|any more|anymore|currently|still|now) ", " "),
        (r" since when (do|does|did|have|has|am|is|are) ", r" when \1 start "),
        (r" (first|initially|originally) (meet|met) ", " meet "),
        (r" (am i|is my \w+|is \w+) allergic to (?:anything|something) ", r" what \1 allergic to "),
        (r" call(?:ed)? off ", " cancel "),
        (r" call(?:ed)? (.+) off $", r" cancel \1 "),
        (r" (a|each|every) single ", " single "),
        (r" so far this ", " this "),
        (r" (1|one) on (1|one) ", " 1on1 "),
    )
)  # fmt: skip


def rephrased(text: str) -> str:
    """
    >>> rephrased(" when am i coming back from rome "), rephrased(" how much was the kettle ")
    (' when am i travel return from rome ', ' how much cost the kettle ')
    """
    for pattern, by in PHRASES:
        text = pattern.sub(by, text)
    return text
