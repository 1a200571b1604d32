"""The English of questions as data: function words, what collections and fields are also called, units, and stems.

Names as the types have them need no entry here. Days, amounts, numbers, places and relations come from `uac_nb.english`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from uac_nb.english.numbers import COUNTS
from uac_nb.english.text import lexicon, plain

# Words that change nothing of what is asked. Prepositions are among them where what follows decides what is bound.
FUNCTION = lexicon(
    "a an the of in on at to for from during into through i me my mine myself we our ours us did do does done have has had "
    "having was were is are am be been being that which who whom it its there any all as so such what how much many get got "
    "give tell please can could would you ever altogether these those this whose when where while and will shall"
)
# Words that stress what is asked, and ask nothing.
STRESS = lexicon("actually really very just also simply already n")
FUNCTION |= STRESS
# Nouns that stand for any record.
PRONOUNS = lexicon("he him his she her hers")
LIGHT_VERBS = lexicon("need put end")  # of what a collection holds: "the repairs that the bikes needed"
GENERIC = lexicon(
    "time thing session record entry item occasion instance one stuff something anything everything somebody anyone"
)
AUXILIARY = lexicon("did do does have has had was were is are am can could will would should may must")
ARTICLES = lexicon("a an the my our any some")

IRREGULAR = {
    "ate": "eat", "eaten": "eat", "took": "take", "taken": "take", "bought": "buy", "spent": "spend", "went": "go",
    "gone": "go",
    "met": "meet", "slept": "sleep", "ran": "run", "saw": "see", "seen": "see", "paid": "pay", "flew": "fly", "flown": "fly",
    "drove": "drive", "driven": "drive", "written": "write", "wrote": "write", "made": "make", "got": "get", "gave": "give",
    "given": "give", "woke": "wake", "known": "know", "knew": "know", "began": "begin", "begun": "begin", "drank": "drink",
    "kept": "keep", "rode": "ride", "ridden": "ride", "lent": "lend", "people": "person", "children": "child",
    "sold": "sell", "sent": "send", "won": "win", "held": "hold", "came": "come", "felt": "feel", "swam": "swim",
    "swum": "swim",
    "born": "bear", "said": "say", "told": "tell", "thought": "think", "brought": "bring", "lost": "lose", "found": "find",
    "wore": "wear", "built": "build", "taught": "teach", "fell": "fall", "fallen": "fall", "grew": "grow", "grown": "grow",
    "rose": "rise", "risen": "rise", "owed": "owe", "movies": "movie", "does": "do", "goes": "go", "going": "go",
    "lying": "lie", "wives": "wife", "heard": "hear", "repaid": "repay", "beaten": "beat", "died": "die", "dies": "die",
    "dug": "dig", "laid": "lay", "hid": "hide",
    "shown": "show", "chose": "choose", "chosen": "choose", "spoke": "speak", "spoken": "speak", "broke": "break",
    "broken": "break", "stood": "stand", "understood": "understand", "forgot": "forget", "forgotten": "forget",
    "threw": "throw", "thrown": "throw", "woken": "wake", "meant": "mean", "fed": "feed", "led": "lead", "stolen": "steal",
    "stole": "steal", "shot": "shoot", "bit": "bite", "bitten": "bite", "sought": "seek", "fought": "fight", "left": "leave",
    "drawn": "draw", "drew": "draw", "sang": "sing", "sung": "sing", "caught": "catch", "planned": "plan", "quit": "quit",
}  # fmt: skip
PARTICIPLES = lexicon(
    "been taken gone seen bought read made done met run paid spent flown eaten had visited got slept written driven ridden swum"
)

# A word of the name of a collection or its type: nouns that mean one of its records; verbs about it.
TOPICS: tuple[tuple[str, str, str], ...] = (
    ("trip journey travel", "trip journey", "travel visit go fly stay take make"),
    ("workout training exercise", "workout exercise training", "exercise train"),
    ("meal food", "meal", "eat dine have"),
    ("reading book", "book", "read finish"),
    ("purchase order", "purchase", "buy purchase order get make"),
    ("transaction expense spending", "transaction expense spending", "spend pay"),
    ("payment", "payment", "pay"),
    ("sleep night", "night sleep", "sleep"),
    ("medical health doctor visit", "visit medical", "see visit"),
    ("meeting", "meeting", "meet attend have"),
    ("appointment commitment", "commitment", "attend see"),
    ("medicine medication drug", "medicine medication drug pill", "take"),
    ("allergy", "allergy allergic", "avoids"),
    ("allergy", "allergy allergic", "avoid"),  # of older copies
    ("deadline", "deadline", "submit file hand"),
    ("contact", "contact", "meet know reach"),
    ("person people", "person", "meet know"),
    ("residence home address", "residence", "live reside move"),
    ("job employment work", "job", "work"),
    ("subscription", "subscription membership", "subscribe pay"),
    ("favourite favorite preference", "favourite favorite", "like love prefer"),
    ("movie film", "movie film", "watch see"),
    ("event concert", "event", "attend happen go"),
    ("vehicle car", "vehicle car", "drive own"),
    ("birthday", "birthday", "bear"),
    ("promise", "promise", "promise"),
    ("thing possession", "thing possession", "own have"),
    ("practice hobby habit", "practice hobby", "practise"),
    ("goal", "goal", ""),
    ("run running", "run", "run go"),
    ("ride cycling", "ride", "ride cycle go"),
    ("dive", "dive", "dive"),
    ("hike", "hike", "hike walk go"),
    ("loan", "loan", "lend borrow owe"),
    ("plant", "plant", "plant grow"),
    ("refuel fuel fill", "refuel fuel petrol diesel", "fill refuel tank"),
    ("harvest crop", "harvest", "harvest pick"),
    ("parcel", "parcel order", "order buy"),
    ("account", "account", ""),
    ("card", "card", ""),
    ("concert gig", "concert gig", "attend see go"),
    ("game match", "game match", "play"),
    ("recipe", "recipe", "cook"),
    ("lesson class", "lesson class", "attend take"),
)
# A word of a field's name: what else it is called.
LABELS: tuple[tuple[str, str], ...] = (
    ("cost price amount fee paid charge limit", "cost price amount spend spending pay money expense"),
    ("worth value", "worth value"),
    ("duration length minutes hours days", "duration length last long time"),
    ("pages", "page long"),
    ("distance km miles metres meters", "distance far length"),
    ("rating score stars grade", "rating rate score star"),
    ("to destination city", "destination city"),
    ("place location where", "place location city town"),
    ("kind type category genre", "kind type category genre sort"),
    ("shop store vendor merchant seller", "shop store vendor merchant seller"),
    ("attendees people participants guests companions", "attendee participant person guest companion"),
    ("medications medication", "medication medicine drug prescribe"),
    ("conditions condition diagnosis", "condition diagnosis diagnose"),
    ("bedtime", "bedtime bed"),
    ("transportation transport", "transportation transport"),
    ("employer company", "employer company"),
    ("relation relationship", "relation relationship"),
    ("country", "country nation"),
    ("author writer", "author writer write"),
    ("winner", "winner win"),
    ("teacher", "teacher teach"),
    ("director", "director direct"),
    ("recommended", "recommend tip suggest"),
    ("reaction", "reaction react"),
    ("dose", "dose dosage"),
    ("role", "role position"),
    ("balance", "balance"),
    ("given", "give giver"),
    ("renews", "renew renewal"),
    ("expires", "expire expiry expiration"),
    ("avoids", "avoid allergic"),
    ("avoid", "avoid allergic"),
    ("time starts start", "start begin"),
)
# A word of a date's name: the verbs that go with it.
DATE_VERBS = {
    "departs": "depart leave start begin go fly travel", "returns": "return end back", "returned": "return back repay",
    "lent": "lend",
    "expires": "expire expiry",
    "bought": "buy purchase order get", "applied": "apply", "due": "due", "closes": "close", "renews": "renew",
    "since": "start begin join move", "made": "promise make", "until": "end stop leave quit",
    "finished": "finish end read complete", "started": "start begin", "met": "meet know", "valid": "expire",
    "ends": "end", "born": "bear",
}  # fmt: skip
# The day of a record, when a question says no more: the first of these that it has, else its first date.
DAYS = (
    "on", "date", "day", "departs", "departed", "bought", "made", "happened", "finished", "finished_date", "due", "expires",
    "since", "until",
)  # fmt: skip
LIMITS = ("expires", "due", "due_date", "closes", "renews", "valid_until", "until", "return_by")  # up to which something goes
SPANS = (
    ("departs", "returns"), ("started", "finished"), ("started_date", "finished_date"), ("start", "end"), ("on", "until"),
    ("since", "until"), ("ordered", "arrived"),
)  # fmt: skip
LASTING = ("since", "until")
CALLED = ("title", "name", "what", "item", "text", "avoids", "destination", "to", "site", "place", "about", "says")
PLACES = (
    "to", "destination", "place", "where", "location", "venue", "site", "city", "country", "address", "shop", "store", "vendor",
    "restaurant", "employer", "company", "room",
)  # fmt: skip
LIES = ("place", "where", "room", "location", "address", "venue", "to", "destination", "city", "site")  # where a thing is
BY_VERB = {"work": ("employer", "company"), "buy": ("shop", "store", "vendor"), "live": ("place", "city", "country")}
DANGLING = {
    "to": "allergic go visit travel fly move been",
    "for": "work",
    "in": "live stay gone",
    "on": "am",
    "at": "work stay live be was were",
    "with": "who",
}
PEOPLE = (
    "who",
    "name",
    "author",
    "writer",
    "with",
    "doctor",
    "others",
    "person",
    "given_by",
    "borrower",
    "teacher",
    "employer",
)
COMPANY = (
    "others",
    "companions",
    "companion",
    "with_whom",
    "players",
    "attendees",
    "participants",
    "guests",
    "with",
    "buddy",
    "partner",
)  # who is there too
FREE = lexicon(
    "title text summary description outcome why says takeaways about what features wanted aim felt note notes comment"
)
KINDS = lexicon("kind type category genre sort activity sport")
UNSEEN = lexicon("id source quote doubt part_of rests_on if_gone account replaced_by project because why when_said")

# A choice: what else says it.
CHOICE_WORDS = {
    "done": "take place", "attended": "take place", "ordered": "on the way|on its way|outstanding",
    "cancelled": "fall through|fallen through", "dead": "die", "booked": "book", "lost": "go missing|went missing",
}  # fmt: skip

# A flag: words that say that it is set, or is not.
FLAGS: dict[str, dict[str, bool]] = {
    "alive": {"living|still living|survive": True, "dead|die": False},
    "finished": {"hear to the end|listen to the end|read to the end|complete": True},
    "in_range": {"normal|in the normal range|within the normal range|in range": True,
                 "abnormal|outside the normal range|out of range|out of the normal range": False},
}  # fmt: skip

# Of a state: what did not come about, what may not have, and what is over.
STATES = ("status", "decision", "stance")
OFF = lexicon("cancelled off dropped refused canceled")
UNSURE = lexicon("considering planned tentative wanted expected reading")
VAGUE = lexicon("considering tentative wanted")
DOUBTFUL = lexicon("prescribed")  # of what holds: it may not
OVER = OFF | lexicon("returned sold stopped ended lost closed")
UNDONE = lexicon("planned wanted considering undecided open reading agreed booked")  # of what has not happened yet
STATE_VERBS = {
    "cancel": "cancelled off dropped", "stop": "stopped ended cancelled", "quit": "stopped ended cancelled dropped",
    "return": "returned", "sell": "sold", "finish": "done finished", "complete": "done finished", "drop": "dropped",
    "reach": "done", "achieve": "done",
}  # fmt: skip

# A word for a unit: what it measures, and how many of the smallest it is.
UNITS: dict[str, tuple[str, float]] = {
    "min": ("time", 1), "minute": ("time", 1), "hour": ("time", 60), "hr": ("time", 60), "day": ("time", 1440),
    "night": ("time", 1440), "week": ("time", 10080), "metre": ("length", 1), "meter": ("length", 1), "m": ("length", 1),
    "km": ("length", 1000), "kilometre": ("length", 1000), "kilometer": ("length", 1000), "mile": ("length", 1609.344),
    "mi": ("length", 1609.344), "kg": ("weight", 1000), "kilo": ("weight", 1000), "g": ("weight", 1), "gram": ("weight", 1),
    "usd": ("USD", 1), "dollar": ("USD", 1), "eur": ("EUR", 1), "euro": ("EUR", 1), "gbp": ("GBP", 1), "pound": ("GBP", 1),
    "nok": ("NOK", 1), "sek": ("SEK", 1), "dkk": ("DKK", 1), "kr": ("kr", 1), "kroner": ("kr", 1), "kronor": ("kr", 1),
    "jpy": ("JPY", 1), "yen": ("JPY", 1), "chf": ("CHF", 1), "calorie": ("energy", 1), "kcal": ("energy", 1),
    "celsius": ("temperature", 1), "degree": ("temperature", 1), "c": ("temperature", 1),
    "litre": ("volume", 1), "liter": ("volume", 1),
}  # fmt: skip
CURRENCIES = frozenset(("USD", "EUR", "GBP", "JPY", "CHF", "NOK", "SEK", "DKK", "kr"))  # kr: of the country where one lives
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NUMBERS = {"once": 1, "twice": 2, "zero": 0} | {w: n for w, n in COUNTS.items() if w not in ("a", "an")}

# What a unit measures: the words for it.
DIMENSIONS = {"time": "duration length last long time", "weight": "weight weigh heavy", "temperature": "temperature warm cold",
              "volume": "volume"}  # fmt: skip
LONG, COST, ANY = "duration length page distance", "cost", ""
ADJECTIVES = (  # more, most, less, least; and what they speak of: labels of fields, "day" or "count"
    ("longer", "longest", "shorter", "shortest", LONG),
    ("pricier|dearer", "priciest|dearest", "cheaper", "cheapest", COST),
    ("more expensive", "most expensive", "less expensive", "least expensive", COST),
    ("more valuable", "most valuable", "less valuable", "least valuable", "worth value"),
    ("deeper", "deepest", "shallower", "shallowest", "depth"), ("heavier", "heaviest", "lighter", "lightest", "weight"),
    ("taller", "tallest", "smaller", "smallest", "height"), ("faster", "fastest", "slower", "slowest", "speed pace"),
    ("warmer|hotter", "warmest|hottest", "colder|cooler", "coldest|coolest", "temperature"),
    ("better", "best(?: rated)?|highest rated", "worse", "worst(?: rated)?|lowest rated", "rating"),
    ("further|farther", "furthest|farthest", "nearer", "nearest", "distance"),
    ("later", "latest|last|newest|most recent(?:ly)?", "earlier", "earliest|first|oldest", "day"),
    ("more often|more", "(?:most|highest) (?:often|common|commonly|frequent|frequently|popular)|most", "less often|fewer",
     "least (?:often|common|frequent|frequently|popular)|fewest|least|rarest", "count"),
    ("higher|greater|bigger|larger", "highest|largest|biggest|greatest|maximum", "lower|smaller|less",
     "lowest|smallest|minimum", ANY),
)  # fmt: skip


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Strip a word to what its forms share.

    >>> [stem(w) for w in ("trips", "dined", "dining", "went", "boxes", "countries", "bus")]
    ['trip', 'din', 'din', 'go', 'box', 'country', 'bus']
    """
    word = IRREGULAR.get(word, word)
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-3] + "y" if word.endswith("ies") else word[:-2] if re.search("(ss|sh|ch|x|zz)es$", word) else word[:-1]
    for end in ("ing", "ed"):
        if word.endswith(end) and len(word) > len(end) + 2 and re.search("[aeiouy]", word[: -len(end)]):
            word = word[: -len(end)]
            word = word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls" else word
            break
    word = word[:-1] if len(word) > 5 and word.endswith("ell") else word  # "cancelled"
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


LIGHT = frozenset(map(stem, FUNCTION | GENERIC))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: as it is compared, and where it stands."""

    text: str
    start: int
    end: int

    @property
    def stem(self) -> str:
        return stem(self.text)


_SHORT = {
    "n't": ("not",), "'m": ("am",), "'re": ("are",), "'ve": ("have",), "'ll": ("will",), "'d": ("would",), "'s": ("'s",),
}  # fmt: skip
_WHOLE = {
    "can't": ("can", "not"), "won't": ("will", "not"), "cannot": ("can", "not"), "whats": ("what", "is"),
    "favorite": ("favourite",),
}  # fmt: skip
_TOKEN = re.compile(r"\d\d?:\d\d|\d[\d,]*(?:\.\d+)?%?|[^\W\d_]+(?:'[^\W\d_]+)?|\S")
_SIGNS = {"%": "percent", "&": "and", "$": "usd", "€": "eur", "£": "gbp"}
_QUIET = frozenset(".,?!;:'\"()-_–—")  # signs that say nothing by themselves; every other one is a word
_ASKS = lexicon("what who where when how that it there here he she")  # before "'s", which is then "is"


def words(text: str) -> list[Word]:
    """Return the words of a question in lower case, contractions in full; signs that mean something are words too.

    >>> [word.text for word in words("What's Ana's share, didn't 5% = it?")]
    ['what', 'is', 'ana', "'s", 'share', 'did', 'not', '5', 'percent', '=', 'it']
    """
    found: list[Word] = []
    for m in _TOKEN.finditer(plain(text).lower()):
        for part in _parts(m[0], found[-1].text if found else ""):
            found.append(Word(part, m.start(), m.end()))
    return found


def _parts(token: str, before: str) -> Iterator[str]:
    if token in _WHOLE:
        yield from _WHOLE[token]
    elif token[0].isdigit():
        yield token.rstrip("%").replace(",", "").rstrip(".")
        yield from ("percent",) if token.endswith("%") else ()
    elif "'" in token[1:]:
        end = "n't" if token.endswith("n't") else token[token.index("'", 1) :]
        head = token.removesuffix(end)
        if end not in _SHORT:
            yield from token.split("'")
            return
        yield head
        yield from ("is",) if end == "'s" and head in _ASKS else _SHORT[end]
    elif token[0].isalpha():
        yield token
    elif token not in _QUIET:
        yield _SIGNS.get(token, token)


@lru_cache(maxsize=50_000)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of a text: a name of a field or type, or a value of a record.

    >>> stems("payment_method"), stems("Dr. Chen's trips")
    (('payment', 'method'), ('dr', 'chen', 'trip'))
    """
    return tuple(stem(w.text) for w in words(text.replace("_", " ")) if w.text != "'s")


def name_stems(name: str) -> tuple[str, ...]:
    """Return the stems of an identifier: ``name_stems("RiskLimit")`` is ``("risk", "limit")``."""
    return stems(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))


def telling(text: str) -> list[str]:
    """Return the words of a text that tell something, each once.

    >>> telling("What did the vet say about Milo's paw?")
    ['vet', 'milo', 'paw']
    """
    said = LIGHT | _SAYING
    return list(dict.fromkeys(w.text for w in words(text) if stem(w.text) not in said and w.text not in ("'s", "not")))


_SAYING = frozenset(
    map(
        stem,
        lexicon(
            "say mention talk speak write note discuss about with if or but than still now often old long know call name should"
        ),
    )
)


# --- countries ---

_NAMES = """
AD Andorra|AE United Arab Emirates,UAE,Emirates|AF Afghanistan|AG Antigua and Barbuda|AL Albania|AM Armenia|AO Angola
AR Argentina|AT Austria|AU Australia|AZ Azerbaijan|BA Bosnia and Herzegovina,Bosnia|BB Barbados|BD Bangladesh|BE Belgium
BF Burkina Faso|BG Bulgaria|BH Bahrain|BI Burundi|BJ Benin|BN Brunei|BO Bolivia|BR Brazil|BS Bahamas|BT Bhutan
BW Botswana|BY Belarus|BZ Belize|CA Canada|CD DR Congo,Democratic Republic of the Congo|CF Central African Republic
CG Congo|CH Switzerland|CI Ivory Coast,Côte d'Ivoire|CL Chile|CM Cameroon|CN China|CO Colombia|CR Costa Rica|CU Cuba
CV Cape Verde|CY Cyprus|CZ Czechia,Czech Republic|DE Germany|DJ Djibouti|DK Denmark|DM Dominica|DO Dominican Republic
DZ Algeria|EC Ecuador|EE Estonia|EG Egypt|ER Eritrea|ES Spain|ET Ethiopia|FI Finland|FJ Fiji|FR France|GA Gabon
GB United Kingdom,UK,Great Britain,Britain,England,Scotland,Wales,Northern Ireland|GD Grenada|GE Georgia|GH Ghana|GL Greenland
GM Gambia|GN Guinea|GR Greece|GT Guatemala|GW Guinea-Bissau|GY Guyana|HK Hong Kong|HN Honduras|HR Croatia|HT Haiti|HU Hungary
ID Indonesia|IE Ireland|IL Israel|IN India|IQ Iraq|IR Iran|IS Iceland|IT Italy|JM Jamaica|JO Jordan|JP Japan|KE Kenya
KG Kyrgyzstan|KH Cambodia|KR South Korea,Korea|KP North Korea|KW Kuwait|KZ Kazakhstan|LA Laos|LB Lebanon|LC Saint Lucia
LI Liechtenstein|LK Sri Lanka|LR Liberia|LS Lesotho|LT Lithuania|LU Luxembourg|LV Latvia|LY Libya|MA Morocco|MC Monaco
MD Moldova|ME Montenegro|MG Madagascar|MK North Macedonia,Macedonia|ML Mali|MM Myanmar,Burma|MN Mongolia|MO Macau|MR Mauritania
MT Malta|MU Mauritius|MV Maldives|MW Malawi|MX Mexico|MY Malaysia|MZ Mozambique|NA Namibia|NE Niger|NG Nigeria
NI Nicaragua|NL Netherlands,Holland|NO Norway|NP Nepal|NZ New Zealand|OM Oman|PA Panama|PE Peru
PG Papua New Guinea|PH Philippines|PK Pakistan|PL Poland|PR Puerto Rico|PS Palestine|PT Portugal|PY Paraguay
QA Qatar|RO Romania|RS Serbia|RU Russia|RW Rwanda|SA Saudi Arabia|SC Seychelles|SD Sudan|SE Sweden|SG Singapore|SI Slovenia
SK Slovakia|SL Sierra Leone|SM San Marino|SN Senegal|SO Somalia|SR Suriname|SS South Sudan|SV El Salvador|SY Syria|TD Chad
TG Togo|TH Thailand|TJ Tajikistan|TL East Timor,Timor-Leste|TM Turkmenistan|TN Tunisia|TO Tonga|TR Turkey,Türkiye
TT Trinidad and Tobago|TW Taiwan|TZ Tanzania|UA Ukraine|UG Uganda|US United States,United States of America,USA
UY Uruguay|UZ Uzbekistan|VA Vatican City,Vatican|VE Venezuela|VN Vietnam|VU Vanuatu|WS Samoa|XK Kosovo|YE Yemen
ZA South Africa|ZM Zambia|ZW Zimbabwe
"""
_LISTS = {part.split(" ", 1)[0]: part.split(" ", 1)[1].split(",") for part in _NAMES.strip().replace("\n", "|").split("|")}
COUNTRY = {code: names[0] for code, names in _LISTS.items()}  # "PT": "Portugal"; ISO 3166-1, common names
COUNTRIES = {stems(name): code for code, names in _LISTS.items() for name in names}  # by the stems of each name
