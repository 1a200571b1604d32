"""Whether a sentence says that something which protects a person is over, was never so, or does no harm any more.

A word of ending somewhere in a sentence says little: "the pharmacy stopped stocking it", "I hope to be off it". Three things
have to hold. *Whose*: it is said of the person's own, by them or by somebody who treats them. *Asserted*: nothing makes it a
wish, a plan, a condition, an order not to, or one day's exception. *Attached*: between the word of ending and the words for the
record stand none that mean something of their own. What ends a record follows from what it is: what is taken can be left, what
one has can vanish or be denied, and of a thing that is only to be avoided it must be said that it does no harm, since who eats
no more nuts may well be allergic to them.

The words are data, by what they mean. What they do not hold is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from uac_nb.english.people import RELATIONS
from uac_nb.reading.evidence import CALENDAR
from uac_nb.starter import Protection

STATE, THING = "§", "¤"  # stand for the words for a record: what is had or taken, and what is only to be avoided
MARK = f"[{STATE}{THING}]"
LONGEST = 1_000  # characters of a sentence; a longer one is asked about


def _any(listed: str) -> str:
    """One of the words listed: `stop*` is all that begins so, `give_up` two words."""
    words = (re.escape(word).replace("_", " ").replace(r"\*", r"\w*") for word in listed.split())
    return rf"(?:{'|'.join(words)})(?!\w)"


# What may stand between: words that mean nothing of their own here.
LIGHT = rf"""(?:{
    _any(
        "a an the my our your his her their this that these those some any all such both of to for from with on in "
        "at by as and since "
        "i we you he she it they me us him them myself who which one 's 've 'm 're 'd "
        "is are was were be been being am has have had having do does did doing can could may get got gets getting "
        "seem* appear* prove* turn*_out turn* came come comes coming went go goes going told tell tells says said "
        "so-called called bother* "
        "just only now then finally already also actually really even ever last least all after completely totally "
        "entirely fully "
        "so too well very much pretty here there back up whole entire old own daily weekly usual current regular "
        "official* "
        "take takes taking taken took use uses using used need needs needing eat eating suffer suffers suffering "
        "make makes give gives cause causes "
        "mg ml mcg units thing things stuff business matter issue course treatment therapy diagnosis label "
        "prescription dose doses "
        "test tests skin blood breath patch prick challenge provocation result* alarm suspected alleged confirmed "
        "other reaction sting stings today yesterday day days weeks months years"
    )
}|\w+ly(?!\w)|\d[\w.]*|{MARK})"""
SEP = r"[ :\-–—]+"
GAP = rf"(?:{SEP}{LIGHT}){{0,12}}?{SEP}"
NEAR = rf"(?:{SEP}{LIGHT}){{0,5}}?{SEP}"

NO = rf"\b{_any('no_longer no not never neither nor cannot without zero nothing')}(?! (?:only|just|because|sure)\b)"
DONE = _any(  # what can be said of what is taken, once it is left
    "stopped stoped quit finished finnished dropped discontinued ceased weaned replaced ditched dumped binned "
    "scrapped abandoned "
    "chucked tossed thrown given_up packed_in jacked_in ended cancelled canceled halted terminated withdrawn "
    "suspended completed "
    "complete concluded cut_out phased_out called_off off done over of_the_past behind_me behind_us no_more "
    "no_longer removed "
    "lifted out history axed nixed unnecessary superfluous until till retired to_zero down_to_nothing tapered_off "
    "shelved struck_off "
    "crossed_off sacked_off got_the_boot got_the_chop given_the_push shown_the_door on_the_head left_off taken_off "
    "stopped_for_good parted_ways"
)
LEAVE = _any(  # what one does with it
    "stop stops stopped stopping stoped stoping quit quits quitted quitting finish* finnish* drop drops dropped "
    "dropping discontinu* "
    "ceas* wean* replac* ditch* dumped dumping bin binned binning scrap* abandon* chuck* toss* threw throw thrown "
    "give_up gave_up "
    "given_up giving_up given pack_in packed_in packing_in jacked_in end ends ended ending cancel* halt* terminat* "
    "withdr* suspend* "
    "complet* conclud* cut_out cutting_out phased_out phasing_out end_to call_off called_off called_time_on off done "
    "over rid_of "
    "free_of free free_from no_more no_longer goodbye_to bye_to farewell_to instead_of rather_than against in_place_of "
    "remov* lifted axed nixed shelved knocked kicked swapped_out retired leave left dispens*_with away_with shot_of "
    "had_enough_of "
    "through_with finished_with parted_ways_with put_paid_to came_off come_off taper*_off sacked_off jettison* "
    "stopped_with"
)
VANISH = _any(
    "gone away over out ended finished done history clear clears cleared cured cure outgr* outgrew grew_out_of "
    "grown_out_of healed "
    "resolved disappear* vanish* faded subsid* remission recovered lost passed expired lapsed negative survived "
    "got_over gotten_over "
    "rid_of free_of free behind of_the_past no_more no_longer desensiti* beaten beat stopped stops "
    "wrong wrongly mistake mistaken mistakenly misdiagnos* mislabel* misread false error myth nonsense rubbish "
    "disprov* overturn* "
    "removed deleted struck crossed erased ruled_out taken_off off nothing_to_do used_to delabel* de-labelled "
    "struck_off crossed_off shaken_off shook_off got_shot_of over_and_done kicked no_sign_of no_trace_of "
    "no_evidence_of no_indication_of no_such one-off one_off phase unfounded unconfirmed "
    "refut* debunked lifted dropped withdrawn mix-up excluded retracted cancelled former normal"
)
SAFE = _any("safe harmless tolerated tolerate allowed clear negative permitted cleared unproblematic")
FINE = rf"(?:is|are|'s|be|been) (?:{LIGHT} ){{0,12}}?(?:fine|ok|okay|alright|no big deal)\b"
MAY = _any("can may able allowed handle handles tolerate tolerates tolerated cleared safe okay ok fine")
EAT = _any("eat eats eating have having take taking drink drinking handle tolerate touch wear use enjoy stand be")
SIGNS = _any("reaction* react* symptom* rash* itch* hives swelling sneez* wheez*")
SWITCH = _any("switch* swap* chang* exchang* trad* transition* moved moving substitut*")
_DAYS = _any(" ".join(sorted(CALENDAR)))
_FORM = _any("morning* evening* night* bed* lunch* dinner breakfast* liquid tablet* capsule* gener*")
_CLOSING = _any(
    "when after before because under three two four last ago per due until till cold if despite thanks during again "
    "early mid late "
    "altogether overnight bc cos coz though around spring summer autumn winter next where rather either ages long instead"
)
_AFTER = _any(
    "now for_me for_good since last on in by my_list my_chart and as from_now after because bc due per today "
    "yesterday already then "
    "taking using tapering treatment about around three two four a few years weeks months"
)
OTHER = rf"(?!the\b|an?\b|my\b|another\b|{_FORM}|\d)[a-z]{{4,}}"  # what may stand in its place, not another form of it
ALONE = rf"(?! (?:blood|test|prescription|skin|result))(?= (?:{LIGHT}|{_CLOSING}|{_DAYS}|[^\w\s])|$)"  # no "insulin pen"
WHEN = rf"(?:{_DAYS}|(?:the |late |early )?(?:spring|summer|autumn|fall|winter)|\d)"
FINAL = rf"(?= (?:{_AFTER}|{WHEN}|\w+ly|[^\w\s])|$)"  # no "over the counter"
WITHOUT = r"(?:do|does|did|doing|'m|am|are|been|be|manag\w*|liv\w+|get by|getting by|go|going|fine|well|better|weeks|months)"
TAKEN = _any("had took taken swallow* popped finish* used")
FEELS = _any("miss misses skip skips like likes love trust want know remember understand mind see hear feel forget get have")
ANY_MORE = r"\b(?:any ?(?:more|longer)|no (?:more|longer))\b"

KEEPS = re.compile(
    r"\b(?:still(?! not)|remains?|reminder|remember|keep (?:on )?\w+ing|keeps|not forget|as ever|as always)\b"
    r"|(?<!not )(?<!not bother )\b(?:bought|buy|order(?:ed)?|refill\w*|renew\w*|restock\w*|pick(?:ed)? up)\b"
    r"|\bnew (?:one|box|pack|packet|bottle|batch|supply)\b|\bin the (?:box|pack|packet|bottle|blister|tube)\b|"
    r"\bout of (?:stock|control|hand)\b|\b(?:to|been|gets?|got|getting) worse\b|"
    r"\b(?:came|come|coming) back(?! (?:zero|clear|clean|normal|negative|fine|ok|okay)\b)|"
    r"\b(?:get|got|getting|grown) used to\b"
)
UNREAL = re.compile(
    r"\b(?:hop(?:e|es|ed|ing)|wish\w*|want\w*|plan\w*|intend\w*|maybe|perhaps|might|would|could|will|soon|tomorrow|"
    r"thinking|think of|"
    r"think about|consider\w*|try|tries|trying|tried|almost|nearly|imagin\w*|dream\w*|wonder\w*|ask(?:ed|ing)?|afraid|"
    r"worried|scared|"
    r"tempted|going to|gonna|about to|looking forward|can not wait|due to (?:be|stop|end)|read (?:that|about|"
    r"somewhere|an?)|articles?|leaflet|next \w+|some ?day|one day|forgot\w*|"
    r"missed|and then i|"
    r"as (?:if|though)|enough to|by (?:mistake|accident)|"
    r"more (?:days|weeks|months|doses)|to go|let 's|suppose|for (?:now|today|tonight|this|"
    r"the (?:day|night|weekend|moment)))\b"
)
SUPPOSES = re.compile(
    r"\b(?:if|unless|whether|in case|suppose|supposing|assuming|provided|until|till|"
    r"once (?:i|my|the|it|we)|would (?:be|have)|doubt|"
    r"refuse|no way|can not be(?: true)?(?: that)|fail(?:s|ed)? to|den(?:y|ies|ied)|guess who|who says"
    r"|(?:used to|no reason to) (?:think|believe|say))\b"
)
OBLIGES = re.compile(r"\b(?:should|must|ought|have to|need to|can|may)\b")
EXPERT = (
    r"(?:doctors?|docs?|dr|gps?|nurses?|pharmacist|consultant|specialist|surgeon|physician|hospital|clinic|practice|"
    r"dentist|midwife|"
    r"therapist|dietitian|nutritionist|endo|derm|physio|paediatrician|pediatrician|practitioner|lab|tests?|bloods|"
    r"results?|"
    r"\w+(?:olog|iatr|erg|iatric)ists?|\w+iatricians?)"
)
_REPORTS = r"(?:sa(?:id|ys?|ying)|told|tells?|telling|wrote|writes?|texted|announced?|declared?|states?|lists)"
_DOUBTFULLY = r"(?:think(?:s|ing)?|thought|believes?|believed|claim\w*|swore|swears?|reckon\w*|insist\w*|convinced)"
_WHO_KNOWS = rf"(?:i|we|he|she|they|it|who|that|which|and|me|us|was|were|been|being|am|'m|'ve|have|has|had|{EXPERT})"
REPORTED = re.compile(  # somebody else says so, or nobody
    rf"(?<!dr )(?<!doctor )(?<!prof )\b(?!{_WHO_KNOWS}\b)(?!not\b|just\b|now\b|also\b|then\b|even\b)\w+ {_REPORTS}\b"
    rf"|(?<!dr )(?<!doctor )(?<!prof )\b(?!(?:i|we|you|{EXPERT})\b)\w+ {_DOUBTFULLY}\b|\baccording to (?!.*\b{EXPERT}\b)"
    rf"|, (?!(?:i|we|they|{EXPERT})\b)\w+ {_REPORTS} ?(?:[^\w\s]|$)"
    rf"|\b(?:not|never|nobody|no one|wrongly|falsely) (?:\w+ )?(?:say|claim|mean|{_REPORTS})\b"
    r"|\b(?:myth|untrue|not (?:true|right|correct|so)|false|lie|nonsense|rubbish) that\b"
    rf"|\bit (?:'s|is|was) (?!(?:me|i|us|the|my|an?|{EXPERT})\b)\w+ (?:who|that)\b"
    r"|\b(?:was|were) (?:not|never)\b.*\b(?:before|until|till|back then|in those days|as an? (?:child|kid|baby|teenager))\b"
    r"|\bwhen i was (?:an?|\d+|five|six|seven|eight|nine|ten|young\w*|little|small)\b"
    r"|\bbefore\b.*\b(?:had|was|did) (?:no|not)\b"
    r"|\bmy (?:foot|arse|ass)\b|, (?:am|is|are|do|does|did|have|has) (?:i|it|we|they)\b\W*$"
)
_FICTION = r"(?:film|movie|book|novel|story|play|game|song|series|show|dream|joke|script|scene)"
TASK = re.compile(  # the words are there to be worked on, or are those of a part that is played
    r"^(?:please |can you |could you )?(?:draft|write|correct|fix|edit|improve|check) (?:an?|the|this|my|me)\b|"
    r"\bdo with (?:this|that) ?:|"
    r"\b(?:translat\w*|proof-?read\w*|summar[iy]\w*|rewrit\w*|rephras\w*|paraphras\w*|spell-?check\w*|pretend\w*|"
    r"imagine (?:that )?(?:i|we|you|he|she|my|this)\b|"
    rf"act as|role ?-? ?play\w*|fiction\w*|quot(?:e|es|ed|ing)|in (?:the|a|my|this) {_FICTION})\b"
)
FORWARDED = re.compile(r"^(?:fwd?|fw|from|subject|sent|to) ?:", re.MULTILINE)  # the head of a letter
_SUCH = r"(?:it|that|this|he|she|they|he|you|which|all of that|all of it)(?: all)?"
TAKEN_BACK = re.compile(  # said after it, of what was said
    rf"(?:^|[.!?;:,\n]\s*|\bbut |\band )(?:{_SUCH} (?:'s|is|are|'re|was|were)"
    r"(?: (?:so|all|just|simply|completely|a|an|quite|dead))* "
    r"(?:wrong|false|mistaken|not (?:true|so|right)|untrue|nonsense|rubbish|lie|lies|lying|joke|myth|bullshit)\b"
    r"|not true\b|nonsense\b|i (?:lied|was lying|am lying|'m lying|'m (?:joking|kidding)|was (?:joking|kidding))"
    r"|(?:just |only )?(?:kidding|joking)\b|wrong\b)"
    r"|\b(?:april fools?|yeah right|sarcas\w*|as if)\b|\bnot ?!|\bwrong (?:patient|person|file|chart|name|woman|man)\b"
)
QUESTION = re.compile(
    r"^(?:so |and |but |wait |then )?(?:am|is|are|was|were|do|does|did|can|could|should|have|has|will|would|may|might) "
    r"(?:i|we|my|the|it|he|she|they|that|this|there)\b"
)
SUBJECT = re.compile(rf"(?:i|we|me|us|they|that|which|it|who|myself|and|or|so|then|im|ive|{EXPERT}|{MARK})")
PASSED_OVER = re.compile(
    rf"""(?:{
        _any(
            "is are was were be been being am has have had having do does did can may will to get got getting 's 've "
            "'m 're not never "
            "just now then finally already also actually even ever today yesterday agreed decided told advised "
            "recommended let made "
            "managed said says say asked off come came coming taken take put gone went allowed able by the of in on "
            "last a well been since "
            "live manage doing do one two three four five six ten few couple days weeks months years ago swallowed "
            "popped my our his her their"
        )
    }|\w+ly|\d\w*)$"""
)
DENIED = re.compile(rf"\b(?:no|not|never|without|nor)(?: {LIGHT}| live| once){{0,12}}? ?$")
FORBIDS = re.compile(r"\b(?:should|must|can) ?$")
LASTING = re.compile(rf"{ANY_MORE}|\b(?:since|again|(?:in|for) (?:\w+ ){{0,2}}(?:weeks|months|years|ages))\b")
ONCE = re.compile(r"\b(?:did|have|has|had) (?:not|never)\b")
MOMENT = re.compile(r"\b(?:today|tonight|this (?:morning|evening|time|week)|last night|yet|so far)\b")
CLAUSE = re.compile(r"[,;:()]| [-–—] |\b(?:but|because|although|though|while)\b|\band (?=(?:i|we|the|now|my|he|she|they|it)\b)")
MAY_END = re.compile(rf"{NO}|\b(?:{LEAVE}|{VANISH}|{SAFE}|{SWITCH}|{_any('fine ok okay mild harmless')}|{ANY_MORE})")

CONTRACTED = (
    (re.compile(r"\b(ca|wo)n't\b|\bcannot\b|\bcant\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(do|does|did|is|are|was|has|have)nt\b"), r"\1 not"),
    (re.compile(r"(?<=\w)'ll\b"), " will"),
    (re.compile(r"(?<=\w)('\w{1,2})\b"), r" \1"),
    (re.compile(r"\bany ?more\b"), "any more"),
)


def spelled_out(text: str) -> str:
    """A text with its contractions taken apart.

    >>> spelled_out("i don't, it's off")
    "i do not, it 's off"
    """
    for pattern, instead in CONTRACTED:
        text = pattern.sub(instead, text)
    return " ".join(text.split())


def in_earnest(text: str) -> bool:
    """Whether a message means what its sentences say: it takes none of them back, and hands none over to be worked on."""
    told = spelled_out(text)
    return not (FORWARDED.search(text) or TASK.search(told) or TAKEN_BACK.search(told))


def may_end(text: str) -> bool:
    """Whether a text holds any word that can end something: for what a model says, where nothing is to slip through."""
    return MAY_END.search(spelled_out(text)) is not None


@dataclass(frozen=True)
class View:
    """What sentences are held against: what kind of record it is, and the names of whose it is where that is another."""

    kind: Protection
    owner: frozenset[str] = frozenset()

    def ends(self, marked: str) -> bool:
        """Whether a sentence, in which marks stand for the record, says that it is over."""
        if len(marked) > LONGEST or KEEPS.search(marked) or REPORTED.search(marked) or self._anothers(marked):
            return False
        return any(self._asserted(marked, found) for found in self._endings(marked))

    def _endings(self, marked: str) -> Iterator[re.Match[str]]:
        """Where it is said, whatever that is worth."""
        holds = _any(" ".join(self.kind.holds))
        patterns = self._of_what_is_taken(holds) if self.kind.taken else self._of_what_is_had(holds)
        for pattern in patterns:
            yield from re.finditer(pattern, marked)

    def _of_what_is_taken(self, holds: str) -> Iterator[str]:
        yield rf"\b(?P<cue>(?!out\b)(?!ended up){LEAVE}){GAP}{MARK}(?! (?:in|from) the){ALONE}"
        yield rf"\b(?:{TAKEN}|was|is) (?:{LIGHT} ){{0,12}}?(?P<cue>last|final)(?: {LIGHT}){{0,12}}? {MARK}{ALONE}"
        yield rf"\b(?P<cue>last|final) (?:days?|doses?|one|week) of(?: {LIGHT}){{0,12}}? {MARK}{ALONE}"
        yield rf"\b(?P<cue>{WITHOUT} without){GAP}{MARK}{ALONE}"
        yield rf"\b(?P<free>(?:instead|in place|rather than|in lieu)(?: of)?) {MARK}"
        span = r"over (?:\w+ ){1,2}(?:days|weeks|months|years)"
        on = rf"(?:me|all|an?|in (?!{WHEN})|(?!taking|using|tapering|treatment)\w+ing)\b"  # it did that to something
        yield rf"{MARK}{GAP}(?!{span})(?P<after>{DONE})(?! {on}){FINAL}"
        yield rf"{MARK}(?: -)?(?P<after> free\b)"
        where = r"(?! (?:with|without|before|after|on|at|in the|during|while)\b)"
        yield rf"(?P<no>{NO}){NEAR}{holds}{GAP}{MARK}{where}"
        yield rf"(?P<no>{NO})(?! (?:{FEELS}))(?: \w+){{0,4}}? {MARK}(?: \w+){{0,4}}? any (?:more|longer)"
        yield rf"{MARK}{GAP}(?P<no>{NO}){NEAR}{holds}"
        yield rf"\b(?P<cue>{SWITCH})(?: {LIGHT}){{0,12}}? (?:off|from)(?: {LIGHT}){{0,12}}? {MARK}"
        yield rf"\b(?P<cue>{SWITCH}){GAP}{MARK}(?: {LIGHT}){{0,12}}? (?:to|for|with|by) {OTHER}"
        yield rf"\b(?P<cue>(?:skip|avoid|leav)\w*|no){GAP}{MARK} .*(?:from now on|for good|altogether)\b"
        yield rf"{MARK}{GAP}(?P<after>{SWITCH})(?: out)?(?: {LIGHT}){{0,12}}? (?:to|for|with|by) {OTHER}"

    def _of_what_is_had(self, holds: str) -> Iterator[str]:
        yield rf"\b(?P<cue>{VANISH}){GAP}{STATE}{ALONE}"
        yield rf"{STATE}{GAP}(?P<after>{VANISH})(?! (?:the|to|this|my (?!file|chart|list|record)|\w+ing)\b)"
        yield rf"(?P<no>{NO})(?: any (?:more|longer))?{NEAR}{STATE}(?! that\b){ALONE}"
        yield rf"{STATE}(?! was| were){GAP}(?P<no>{NO}){NEAR}{holds}"
        really = rf"(?:{LIGHT} ){{0,12}}?(?:actually|really|in fact|rather|to be) (?:an?|the|my) \w+"  # another thing
        really = r"(?:actually|really|in fact|rather|to be) (?:an?|the|my) \w+"  # it is another thing
        yield rf"{STATE} (?:was|turned out|proved|'s|is) (?P<after>(?:{LIGHT} ){{0,12}}?{really})"
        yield rf"{MARK}{GAP}(?P<after>(?:back|welcome) on (?:the|my|his|her|our) (?:menu|plate|table|diet)|reintroduced)"
        yield rf"{STATE}{GAP}(?P<no>{NO}){NEAR}(?:confirmed|real|true|right|correct|there|show\w*|exist\w*)"
        yield rf"\bit (?:is|was|'s) (?P<no>not|never) (?:{LIGHT} ){{0,12}}?{THING}(?! that\b)"
        cause = "(?:from|due to|because of|caused by|to do with|to)"
        yield rf"\b(?:not|never|nothing)(?! (?:only|just)\b)(?: {LIGHT}){{0,12}}? {cause} (?:{LIGHT} ){{0,12}}?{MARK}"
        yield rf"{MARK}{GAP}(?P<after>{SAFE})"
        yield rf"{THING}(?: {LIGHT}){{0,12}}? (?P<after>{FINE})"
        yield rf"\b(?P<cue>{MAY}){NEAR}(?:{EAT}{GAP})?{MARK}(?! (?:removed|in the shop))"
        yield rf"(?P<no>{NO}){NEAR}{holds}{GAP}{THING}"
        yield rf"{THING}{GAP}(?P<no>{NO}){NEAR}(?:{holds}|{SIGNS})"
        yield rf"{THING}.*\b(?P<no>nothing happened|(?:{NO}){NEAR}{SIGNS})"

    def _asserted(self, marked: str, found: re.Match[str]) -> bool:
        """Whether that is so, and said of the person's own."""
        said = {name: text for name, text in found.groupdict().items() if text}
        which = next(iter(said), 0)
        at = found.start(which)
        start = max((cut.end() for cut in CLAUSE.finditer(marked, 0, at)), default=0)
        rest = CLAUSE.search(marked, found.end())
        clause, before = marked[start : rest.start() if rest else len(marked)], marked[start:at]
        if SUPPOSES.search(marked, 0, at) or UNREAL.search(clause):
            return False
        if "no" in said:
            once = MOMENT.search(clause) or (self.kind.taken and ONCE.search(clause) and not LASTING.search(marked))
            return (
                not once
                and not (FORBIDS.search(before) and not (self.kind.taken and LASTING.search(clause)))
                and self._their_own(before)
            )
        if DENIED.search(before):
            return False
        if "free" in said:
            return self._their_own(before, itself=True)
        if self.kind.taken and OBLIGES.search(before) and not re.search(rf"\b(?:{EXPERT}|he|she|they)\b", marked):
            return False
        return self._their_own(marked[start : max(start, found.start())] if "after" in said else before, "after" in said)

    def _their_own(self, before: str, itself: bool = False) -> bool:
        """Whether it is the person, one who treats them or the thing `itself` of which this is said."""
        words = before.split()
        if any(word in RELATIONS and word not in self.owner for word in words):
            return False
        verbs = re.compile(rf"{_any(' '.join(self.kind.holds))}|{LEAVE}")
        while words and (PASSED_OVER.match(words[-1]) or verbs.match(words[-1])):
            words.pop()
        titled = words[-2:-1] in (["dr"], ["doctor"], ["prof"])
        if itself or not words or titled or words[-1] in self.owner or SUBJECT.fullmatch(words[-1]):
            return True
        return words[-1] in ("he", "she") and (bool(self.owner) or not {"me", "my"}.isdisjoint(before.split()))

    def _anothers(self, marked: str) -> bool:
        """Whether the words for it stand for another person's."""
        if not self.owner and re.search(rf"\b(?:his|her|their|your) (?:{LIGHT} )?{MARK}", marked):
            return True
        whose = re.findall(rf"(\w+) 's (?:\w+ )?{MARK}", marked)
        return any(word not in self.owner and word not in ("it", "that", "there", "what", "he", "she") for word in whose)
