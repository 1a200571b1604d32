"""The closed classes of English words that the frames rest on, and the forms of verbs.

Open classes (what one can eat, buy or feel) are not listed, but for the few words that make a clause say nothing at all.
"""

from __future__ import annotations

import re
from functools import lru_cache

from uac_nb.english.calendar import MONTHS, WEEKDAYS
from uac_nb.english.text import lexicon

BE = lexicon("am is are was were be been being 'm 're 's")
AUX = BE | lexicon(
    "'ve 'd 'll have has had do does did will would can could shall should must may might need needs got get gets"
)
MODALS = lexicon("can could would should must may might shall need needs")
NOT = lexicon("not n't never no none neither nor without nobody nothing nowhere cannot")
DETERMINERS = lexicon("a an the my our your his her its their some any this these those that another both all")
ARTICLES = lexicon("a an the my our your his her its their some this that another")
POSSESSIVES = lexicon("my our your his her its their")
PRONOUNS = lexicon(
    "i me we us you he him she her they them it myself ourselves yourself himself herself themselves mine yours ours hers "
    "theirs this that these those there here who whom what which one ones something anything everything someone anyone "
    "everyone stuff things thing nothing nobody lots lot plenty"
)
PREPOSITIONS = lexicon(
    "of to in on at for from by with about into onto over under off out up down through across along around near after "
    "before since until till during than as like against between among behind beside beyond inside outside past via per "
    "without within upon towards toward back away because except instead despite"
)
LINKS = lexicon(  # words that begin another clause
    "but so because although though while when whenever which who whom whose unless if whether whatever however wherever where "
    "why how what that since as until before after whereas yet"
)
CONDITIONS = lexicon("if unless whether")
INDEPENDENT = lexicon("but so because although though yet whereas")
JOINS = lexicon("and or , & + / plus then")
# Words that colour a clause and change nothing of what it says.
FILLERS = lexicon(
    "just also too really so very quite now still already again actually well even pretty rather super finally soon always "
    "oh ok okay hey hi hello yes yeah yep wow btw fyi anyway please ever currently tbh lol haha indeed both basically "
    "today's luckily sadly unfortunately thankfully apart then here fairly totally definitely certainly"
)
NOT_ADVERBS = lexicon(
    "family italy july supply reply assembly jelly belly bully emily sicily lily kelly sally molly billy polly ally fly "
    "rely apply daily weekly monthly yearly nightly early only nearly hardly barely probably possibly supposedly apparently "
    "hopefully allegedly likely unlikely rarely partly occasionally usually formerly previously originally nightly hourly "
    "fortnightly"
)
# Words after which a clause does not say that something is so.
HEDGES = lexicon(
    "if would 'd might could should maybe perhaps wish wishes wished hope hoping hopes thinking thought think thinks "
    "considering consider want wants wanted wanna wonder wondering wondered unless dream dreamed dreamt dreaming imagine "
    "imagining almost nearly supposedly apparently probably possibly hopefully hardly barely allegedly likely unlikely "
    "pretend pretended supposed suppose says said say saying tells told claims claimed believes believe reckons reckon "
    "swears insists insisted heard hear suspect suspects doubt doubts guess seems seem seemed looks tempted trying tried "
    "try meant intended intend intends hypothetically forgot forget refuse refused fail failed tends pretending joking "
    "kidding otherwise rumour rumor debating deciding decide toying fancy fancied"
)
FEELINGS = lexicon(
    "good great nice lovely amazing awesome wonderful perfect fun best cool excited happy glad sad sorry tired nervous "
    "thrilled proud fine better worse worst awful terrible horrible delicious beautiful gorgeous fantastic brilliant "
    "annoying exhausted worried scared relieved shame luck lucky wait love loved like liked enjoy enjoyed feel feels felt "
    "thanks thank much really hectic busy crazy weird cannot can't yay ugh phew hooray hurray finally bliss fab grand tasty "
    "boring fingers crossed know sure everyone everything it's that's tiring stressful ages forward looking look course day "
    "morning evening afternoon night bye goodbye welcome cheers congrats congratulations"
)
SYMPTOMS = lexicon("hives rash rashes swelling itching eczema anaphylaxis wheezing asthma blisters")
NO_TITLES = lexicon(
    "look time times chance moment minute nap break walk drive shower rest birthday day week year one baby luck"
)

_FORMS = """be:am|is|are|was|were|been|being|'m|'re|'s have:has|had|'ve|having do:does|did|done|doing go:went|gone|goes|going
fly:flew|flown|flies come:came see:saw|seen take:took|taken get:got|gotten|getting begin:began|begun|beginning
give:gave|given|giving buy:bought pay:paid spend:spent meet:met|meeting leave:left lose:lost|losing find:found make:made
know:knew|known think:thought eat:ate|eaten drink:drank|drunk run:ran|running swim:swam|swum|swimming drive:drove|driven
ride:rode|ridden write:wrote|written speak:spoke|spoken say:said tell:told teach:taught bring:brought send:sent sell:sold
build:built feel:felt keep:kept sleep:slept win:won|winning fall:fell|fallen break:broke|broken choose:chose|chosen
wear:wore|worn sing:sang|sung sit:sat|sitting stand:stood hear:heard hold:held grow:grew|grown become:became quit:quitting
cut:cutting put:putting set:setting hurt:hurting cost:costing bear:born draw:drew|drawn throw:threw|thrown catch:caught
wake:woke|woken lie:lay lend:lent show:shown forget:forgot|forgotten hit:hitting let:letting not:n't hang:hung stick:stuck
sweep:swept shut:shutting book:booked|booking cancel:cancelled|canceled|cancelling|canceling
travel:travelled|traveled|travelling|traveling die:died|dying stop:stopped|stopping read:reading move:moved|moving
live:lived|living expire:expired|expiring use:used|using arrive:arrived|arriving subscribe:subscribed|subscribing
purchase:purchased|purchasing arrange:arranged|arranging prescribe:prescribed|prescribing schedule:scheduled|scheduling
love:loved|loving like:liked|liking hate:hated|hating dislike:disliked|disliking prefer:preferred|preferring
adore:adored|adoring detest:detested loathe:loathed enjoy:enjoyed|enjoying share:shared relocate:relocated|relocating
return:returned|returning refund:refunded renew:renewed|renewing visit:visited|visiting"""
_IRREGULAR = {form: pair.split(":")[0] for pair in _FORMS.split() for form in pair.split(":")[1].split("|")}
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))
PARTICIPLES = frozenset(
    form for form in _IRREGULAR if form not in AUX and not form.endswith("ing") and form not in ("goes", "n't", "flies")
) | lexicon("quit cut put hurt set spent read")
VERBS = frozenset(pair.split(":")[0] for pair in _FORMS.split()) - {"not", "book", "like"} | lexicon(
    "order pick treat grab start work freelance join attend reserve play practise practice sign finish own stay plan pack "
    "need book remember walk cook paint watch call ring phone email text help collect deliver arrive happen open close turn "
    "rent hire switch change try ask look wait clean fix wash order land depart adopt host celebrate"
)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return one key for all forms of a word.

    >>> stem("flying"), stem("flies"), stem("flew"), stem("nuts"), stem("allergies")
    ('fly', 'fly', 'fly', 'nut', 'allergy')
    """
    word = _IRREGULAR.get(word, word)
    for ending, to in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + to
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] != "e" else word


def singular(words: str) -> str:
    """Return the words with the last in the singular, as far as a simple rule goes.

    >>> singular("strawberries"), singular("tree nuts"), singular("citrus")
    ('strawberry', 'tree nut', 'citrus')
    """
    if words.endswith("ies") and len(words) > 4:
        return f"{words[:-3]}y"
    return words[:-1] if words.endswith("s") and not words.endswith(("ss", "us", "is")) else words


_VERB_STEMS = frozenset(stem(verb) for verb in VERBS)


def is_verb(word: str) -> bool:
    """Return whether a word, in lower case, is a form of a verb that we know."""
    return word in PARTICIPLES or stem(word) in _VERB_STEMS


def is_past(word: str) -> bool:
    """Return whether a word, in lower case, has the form of a past or a participle."""
    return word in PARTICIPLES or word in ("got", "had", "did", "was", "were") or (word.endswith("ed") and len(word) > 4)


def is_filler(word: str) -> bool:
    """Return whether a word, in lower case, only colours what is said: one of a few, or an adverb by its ending."""
    return word in FILLERS or (word.endswith("ly") and len(word) > 4 and word not in NOT_ADVERBS)


CALENDAR = frozenset((*MONTHS, *WEEKDAYS))
_ADJECTIVE = re.compile(r"(?:ful|ous|ible|able|less|ive|ish)$|^\w+est$")


def is_adjective(word: str) -> bool:
    return word in FEELINGS or bool(_ADJECTIVE.search(word))
