"""What people also call things: collections and fields of common names, by a word of the name, and units.

Small on purpose. Names as the types have them need no entry here.
"""

from __future__ import annotations

from uac_nb.ask.words import bag

# A word of the collection's or the type's name: nouns that mean the same, with commas between; verbs about it.
TOPICS: tuple[tuple[str, str, str], ...] = (
    ("trip journey travel", "trip,journey", "travel visit go fly stay"),
    ("workout training exercise", "workout,exercise,training,training session,workout session", "exercise train"),
    ("meal food", "meal", "eat dine"),
    ("reading book", "book", "read finish"),
    ("purchase order", "purchase", "buy purchase order"),
    ("transaction expense spending", "transaction,expense", "spend pay"),
    ("payment", "payment", "pay"),
    ("sleep night", "night,sleep", "sleep"),
    ("medical health doctor visit", "medical visit,visit,medical", "see"),
    ("meeting", "meeting", "meet attend"),
    ("appointment commitment", "commitment", "attend see"),
    ("medicine medication drug", "medicine,medication,drug,pill", "take"),
    ("allergy", "allergy,allergic", ""),
    ("deadline", "deadline", "submit file hand"),
    ("contact person people", "person", "meet know"),
    ("residence home address", "residence", "live reside move"),
    ("job employment work", "job", "work"),
    ("subscription", "subscription,membership", "subscribe"),
    ("favourite favorite preference", "favourite,favorite", "like love prefer"),
    ("movie film", "movie,film", "watch see"),
    ("event concert", "event", "attend"),
    ("vehicle car", "vehicle", "drive"),
    ("birthday", "birthday,birth date,date of birth,birthdate", "bear"),
    ("promise", "promise", "promise make"),
    ("thing possession", "thing", "own"),
    ("practice hobby habit", "practice,hobby", "practise"),
    ("run running", "run", "run"),
    ("ride cycling", "ride", "ride"),
)
# … and nouns that mean some of them.
NEAR: tuple[tuple[str, str], ...] = (
    ("appointment commitment", "appointment,reservation,booking"),
    ("event", "concert,party,show"),
)
# A word of the field's name: what else it is called.
LABELS: tuple[tuple[str, str], ...] = (
    ("cost price amount fee spent paid charge", "cost price amount spend spending pay money expense"),
    ("duration length minutes hours days", "duration length last long time"),
    ("pages", "page long"),
    ("distance km miles metres meters", "distance far"),
    ("rating score stars grade", "rating rate score star"),
    ("to destination city", "destination city"),
    ("place location where", "place location where"),
    ("kind type category genre", "kind type category genre sort"),
    ("shop store vendor merchant seller", "shop store vendor merchant seller"),
    ("attendees people participants guests", "attendee participant person guest"),
    ("medications medication medicine drug", "medication medicine drug prescription prescribe"),
    ("conditions condition diagnosis", "condition diagnosis diagnose note"),
    ("bedtime", "bedtime bed"),
    ("transportation transport", "transportation transport"),
    ("employer company", "employer company work"),
    ("relation relationship", "relation relationship"),
    ("region continent", "region continent"),
    ("country", "country nation"),
    ("author writer", "author writer write"),
    ("reaction", "reaction react"),
    ("dose", "dose dosage"),
    ("role", "role position"),
    ("balance", "balance money"),
    ("given", "give giver gift"),
)
# A word of a date's name: the verbs that go with it.
DATE_VERBS = {
    "departs": "depart leave start begin go fly travel", "returns": "return come end", "expires": "expire",
    "bought": "buy purchase order get", "applied": "apply", "due": "due", "closes": "close", "renews": "renew",
    "since": "start begin join move", "made": "promise make", "until": "end finish stop leave quit expire read",
    "finished": "finish end read complete", "started": "start begin", "met": "meet know", "valid": "expire",
    "ends": "end expire", "last": "last",
}  # fmt: skip
# The day of a record, when a question says no more: the first of these that it has, else its first date.
DAYS = (
    "on", "date", "day", "departs", "departed", "bought", "made", "happened", "finished", "finished_date", "due", "expires",
    "since", "until",
)  # fmt: skip
LIMITS = ("expires", "due", "due_date", "closes", "renews", "valid_until", "until")  # days up to which something goes
STARTS = ("starts", "start", "time", "leaves")  # the hour of that day
STAND_IN = {"departs": "there_on"}  # what tells when, where the first is not known
SPANS = (("departs", "returns"), ("started", "finished"), ("start", "end"), ("on", "until"), ("since", "until"))

# Of a `status`: what did not come about, what may not have, and what is over.
OFF = bag("cancelled off dropped refused")
UNSURE = bag("considering planned tentative wanted expected reading")
OVER = OFF | bag("returned sold stopped ended lost closed")
NEARLY = {"taking": ("prescribed",)}  # … what may be as good as another
# … and the verbs that bring a state about.
ENDINGS = {
    "cancel": bag("cancelled off dropped"),
    "drop": bag("dropped cancelled"),
    "stop": bag("stopped ended cancelled"),
    "end": bag("stopped ended cancelled closed"),
    "quit": bag("stopped ended cancelled"),
    "return": bag("returned"),
    "sell": bag("sold"),
    "finish": bag("done finished"),
    "complete": bag("done finished"),
    "reach": bag("done"),
    "achieve": bag("done"),
    "keep": bag("done"),
}

# A word for a unit: what its numbers are kept in, and how many of that it is.
UNITS: dict[str, tuple[str, float]] = {
    "min": ("minute", 1), "minute": ("minute", 1), "hour": ("minute", 60), "hr": ("minute", 60),
    "day": ("day", 1), "night": ("day", 1), "week": ("day", 7),
    "metre": ("metre", 1), "meter": ("metre", 1), "km": ("metre", 1000), "kilometre": ("metre", 1000),
    "kilometer": ("metre", 1000),
}  # fmt: skip
CURRENCIES = {
    "usd": "USD", "dollar": "USD", "eur": "EUR", "euro": "EUR", "gbp": "GBP", "pound": "GBP", "jpy": "JPY", "yen": "JPY",
}  # fmt: skip

UNSEEN = bag(
    "id who others source quote doubt part_of account replaced_by project because why when_said"
)  # fields nobody asks about
FREE = bag(
    "title text summary description item outcome why says takeaways value about what felt features wanted aim piece"
)  # fields that hold sentences
STATES = ("status", "stance")  # fields whose values say how it stands with a thing
KINDS = ("kind", "type", "category", "activity", "sport")  # fields whose values say what sort of thing a record is
DISPLAY = ("value", "title", "name", "what", "item", "text", "destination", "to", "place", "says")  # what a record is called
PLACES = (
    "to", "destination", "place", "where", "location", "city", "country", "address", "shop", "store", "vendor", "restaurant",
    "employer", "company",
)  # fmt: skip
BY_VERB = ("shop", "store", "vendor", "country", "employer", "company")  # places of what was done, not of the thing
ALSO = {"phone": ("phone number", "telephone number"), "email": ("email address", "e mail address")}  # what values are called


def units(unit: str) -> set[str]:
    """The words for a unit, and for others of the same thing; none for no unit."""
    return {w for w, (base, _) in UNITS.items() if base == unit} | {w for w, code in CURRENCIES.items() if code == unit}
